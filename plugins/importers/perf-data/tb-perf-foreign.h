/* tb-perf-foreign.h: explanations of files that are mistaken for perf.data files and cannot be
 * opened: compressed ones, text of perf script, Hotspot's exports, archives of programs
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#pragma once

#include <glib.h>

G_BEGIN_DECLS

/* Returns a sentence about what the file with this head is and what to open instead, with “%s” for
 * the file's name; NULL if it is unknown. */
const char *tb_perf_foreign_explain (const guint8 *head, gsize length);

G_END_DECLS
