/* tb-comparison.h: recordings on the two sides of a comparison, each with its name, the part to
 * analyze and the factor of its normalization; difference of the means of both sides, with its
 * confidence interval
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#pragma once

#include "extend/compare/tb-normalization.h"
#include "extend/selection/tb-selection.h"

G_BEGIN_DECLS

/**
 * TbComparisonSide:
 * @TB_COMPARISON_BASE: the recordings that are compared with, such as those of the earlier version
 * @TB_COMPARISON_OTHER: the recordings that are explained
 *
 * A side of a comparison.
 */
typedef enum
{
  TB_COMPARISON_BASE,
  TB_COMPARISON_OTHER,
} TbComparisonSide;

/**
 * TB_COMPARISON_N_SIDES:
 *
 * Number of the values of [enum@Tailback.ComparisonSide]. A literal: the introspection of arrays of
 * this size does not evaluate enumerators.
 */
#define TB_COMPARISON_N_SIDES 2

#define TB_TYPE_COMPARISON (tb_comparison_get_type ())
TB_EXPORT
G_DECLARE_FINAL_TYPE (TbComparison, tb_comparison, TB, COMPARISON, GObject)

TB_EXPORT TbComparison *tb_comparison_new (void);
TB_EXPORT void
tb_comparison_add (TbComparison *self, TbComparisonSide side, TbTrace *trace, const char *name);
/* The part to analyze, chosen in the first other recording; the whole recordings if none is set. */
TB_EXPORT void tb_comparison_set_selection (TbComparison *self, TbSelection *selection);
TB_EXPORT void tb_comparison_set_normalization (TbComparison *self, const char *by);

TB_EXPORT guint tb_comparison_get_n (TbComparison *self, TbComparisonSide side);
TB_EXPORT TbTrace *tb_comparison_get_trace (TbComparison *self, TbComparisonSide side, guint index);
TB_EXPORT const char *
tb_comparison_get_name (TbComparison *self, TbComparisonSide side, guint index);
TB_EXPORT TbSelection *
tb_comparison_get_selection (TbComparison *self, TbComparisonSide side, guint index);
TB_EXPORT const char *tb_comparison_get_normalization (TbComparison *self);
TB_EXPORT gboolean tb_comparison_get_scale (TbComparison *self,
                                            const char *by,
                                            TbComparisonSide side,
                                            guint index,
                                            double *scale,
                                            GError **error);

/**
 * TbSpread:
 * @mean: mean of each side
 * @delta: mean of the other side minus mean of the base side
 * @low: lower end of the 95 % confidence interval of @delta
 * @high: upper end of it; both NaN with fewer than three recordings
 * @within_noise: whether the difference is not significant
 *
 * The difference of one number between the two sides, with its uncertainty.
 */
typedef struct
{
  double mean[TB_COMPARISON_N_SIDES];
  double delta;
  double low;
  double high;
  gboolean within_noise;
} TbSpread;

TB_EXPORT void tb_spread_measure (const double *base,
                                  guint n_base,
                                  const double *other,
                                  guint n_other,
                                  TbSpread *spread);

G_END_DECLS
