/* tb-contexts-figures.h: figures of the calling contexts of one recording: tables of paths, their
 * frames, functions, modules, layers and coverage of threads; heat map; flame graph
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#pragma once

#include "report/tb-report.h"
#include "tb-contexts-summary.h"

G_BEGIN_DECLS

/* The figure that cells of the heat map and frames of paths are items of. */
#define TB_CONTEXTS_TREE "tree"

#define TB_CONTEXTS_FLAME "contexts"

/* Returns: (transfer full): by node, its box in the flame, TB_ID_NONE where it has none of its
 * own */
guint32 *tb_contexts_add_figures (TbReport *report, TbContextsSummary *summary);
/* boxes: (out): by node, TB_ID_NONE where it has no box of its own */
TbFigure *tb_contexts_make_flame (const TbContextsSummary *self,
                                  const char *id,
                                  const char *title,
                                  guint32 **boxes);
/* Adds a flame for each further counter of the recording. FALSE: an error while reading, or
 * cancelled. */
gboolean tb_contexts_add_counter_flames (TbReport *report,
                                         const TbContextsSummary *summary,
                                         TbSelection *selection,
                                         TbSelection *process,
                                         GCancellable *cancellable,
                                         GError **error);
/* (transfer full): the item of a path in figures, such as "3" */
char *tb_contexts_name_path (guint rank);
/* item: the name of the roll-up in the figure with that id */
const char *
tb_contexts_get_rollup_label (const char *figure, const TbContextsRollup *rollup, const char *item);
/* (transfer full): such as "apr_stat@libapr-1.so.0" */
char *tb_contexts_name_function (const char *function, const char *module);

G_END_DECLS
