/* tb-contexts-compare-figures.h: figures of a comparison of calling contexts: tables of paths,
 * functions, modules and layers, heat map of the changes, differential flame graph, flame graphs of
 * growth and of reduction
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#pragma once

#include "report/tb-report.h"
#include "tb-contexts-match.h"

G_BEGIN_DECLS

/* A function or module on both sides. */
typedef struct
{
  guint index;
  const TbContextsRollup
      *of[TB_CONTEXTS_N_SIDES];    /* in the first recording of a side that has it, NULL none */
  double own[TB_CONTEXTS_N_SIDES]; /* mean over the recordings of a side, normalized */
  double low;                      /* lower bound of the difference; NaN unknown */
  double high;
  gboolean within_noise;
} TbContextsRollupPair;

/* functions, modules: arrays of TbContextsRollupPair, largest growth first. FALSE: as for
 * tb_contexts_add_compared_tree() */
gboolean tb_contexts_add_compared_figures (TbReport *report,
                                           const TbContextsMatch *match,
                                           const GArray *functions,
                                           const GArray *modules,
                                           const GArray *layers,
                                           GCancellable *cancellable,
                                           GError **error);

G_END_DECLS
