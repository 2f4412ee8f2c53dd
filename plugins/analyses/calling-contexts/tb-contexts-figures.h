/* tb-contexts-figures.h: calling contexts drawn
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#pragma once

#include "report/tb-report.h"
#include "tb-contexts-summary.h"

G_BEGIN_DECLS

/* The figure whose items cells of the heat map and frames of paths are. */
#define TB_CONTEXTS_TREE "tree"

#define TB_CONTEXTS_FLAME "contexts"

/* Returns: (transfer full): by node, its box in the flame, TB_ID_NONE: it has none of its own */
guint32 *tb_contexts_add_figures (TbReport *report, TbContextsSummary *summary);
/* "3": what names path 3 in figures. (transfer full) */
char *tb_contexts_name_path (guint rank);
/* item: what it is called in a figure of that id */
const char *
tb_contexts_get_rollup_label (const char *figure, const TbContextsRollup *rollup, const char *item);
/* "apr_stat@libapr-1.so.0" (transfer full) */
char *tb_contexts_name_function (const char *function, const char *module);

G_END_DECLS
