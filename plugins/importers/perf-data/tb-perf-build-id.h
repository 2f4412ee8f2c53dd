/* tb-perf-build-id.h: build-ids of files that the recording tells without
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#pragma once

#include <glib.h>
#include <sys/types.h>

G_BEGIN_DECLS

/* The build-id of the very file that was mapped: the one of this path, device and inode, unchanged since the recording was
 * written at the time written. NULL if it is not here any more, or has none; (transfer full). */
char *tb_perf_build_id_find (const char *path, guint major, guint minor, guint64 inode, gint64 written);

G_END_DECLS
