/* tb-perf-build-id.h: build ID of a mapped file where the recording lacks it, read from the file on
 * this machine if that is still the recorded one (device, inode, not changed since)
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#pragma once

#include <glib.h>
#include <sys/types.h>

G_BEGIN_DECLS

/* Returns the build ID of the file that was mapped; (transfer full). Path, device and inode must be
 * the same, and the file must be older than the recording, which was last written at the time
 * written. NULL if there is no such file, or if it has no build ID. */
char *
tb_perf_build_id_find (const char *path, guint major, guint minor, guint64 inode, gint64 written);

G_END_DECLS
