/* tb-peaks-source-lines.h: source lines at which root causes ran or waited, with their time: from
 * stacks (rather in the program's own code than in libc or the kernel) or added from a live search
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#pragma once

#include "tb-peaks-drill.h"

G_BEGIN_DECLS

typedef struct
{
  const char *function; /* string of the session */
  char *place;          /* "wal.c:120" */
  gint64 ns;
} TbPeaksLine;

/* Finds the source lines of each function node on a root-cause path, from stacks: the innermost
 * known line where it ran itself, and where its waits began. To be called after all calls are
 * examined. */
gboolean tb_peaks_find_lines (TbPeaksDrill *drill, GError **error);

/* Adds a line from another source; ns: own running time of the node at the line. */
void tb_peaks_add_line (TbPeaksDrill *drill,
                        guint32 node,
                        const char *function,
                        const char *place,
                        gint64 ns);

/* (element-type TbPeaksLine) (transfer none): lines of a node that is a cause, by descending time;
 * NULL if none. ns: time of all its stacks. */
const GArray *tb_peaks_get_lines (const TbPeaksDrill *drill, guint32 node, gint64 *ns);

G_END_DECLS
