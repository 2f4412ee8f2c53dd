/* tb-peaks-lines.h: the source lines of what makes calls slow
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#pragma once

#include "tb-peaks-drill.h"

G_BEGIN_DECLS

typedef struct
{
  const char *function; /* of the session */
  char *place;          /* "wal.c:120" */
  gint64 ns;
} TbPeaksLine;

/* By node of a function that is on a root-cause path, what its stacks tell: where it ran itself, and where its waits began, each
 * the innermost line that is known. All calls were looked into. */
gboolean tb_peaks_find_lines (TbPeaksDrill *drill, GError **error);

/* One that is known otherwise: ns of where that node ran itself. */
void
tb_peaks_put_line (TbPeaksDrill *drill, guint32 node, const char *function, const char *place, gint64 ns);

/* (element-type TbPeaksLine) (transfer none): of a node that is a cause, most time first; NULL none. ns: of all stacks there. */
const GArray *tb_peaks_get_lines (const TbPeaksDrill *drill, guint32 node, gint64 *ns);

G_END_DECLS
