/* tb-histogram-figure.h: histogram of one or more series, numbers of values by bin, with marked and
 * uncertain ranges: building and access; sums, percentiles and sentences for ranges of bins
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#pragma once

#include "report/tb-figure.h"

G_BEGIN_DECLS

#define TB_TYPE_HISTOGRAM_FIGURE (tb_histogram_figure_get_type ())
TB_EXPORT
G_DECLARE_FINAL_TYPE (TbHistogramFigure, tb_histogram_figure, TB, HISTOGRAM_FIGURE, TbFigure)

/**
 * TbHistogramBin:
 * @from: smallest value of the bin
 * @to: end of the bin, exclusive
 *
 * A range of values that are counted together.
 */
typedef struct
{
  gint64 from;
  gint64 to;
} TbHistogramBin;

/**
 * TbHistogramMark:
 * @item: id that references use
 * @label: user-visible label
 * @from: smallest value of the range
 * @to: end of the range, exclusive
 *
 * A range of values of interest, such as a peak.
 */
typedef struct
{
  const char *item;
  const char *label;
  gint64 from;
  gint64 to;
} TbHistogramMark;

TB_EXPORT TbHistogramFigure *
tb_histogram_figure_new (const char *id, const char *title, const char *unit);
TB_EXPORT void tb_histogram_figure_set_logarithmic (TbHistogramFigure *self, gboolean logarithmic);
/* Both are called before a count is set and return an index. Bins ascend and do not overlap. */
TB_EXPORT guint tb_histogram_figure_add_bin (TbHistogramFigure *self, gint64 from, gint64 to);
TB_EXPORT guint tb_histogram_figure_add_series (TbHistogramFigure *self,
                                                const char *id,
                                                const char *name);
TB_EXPORT void tb_histogram_figure_set_count (TbHistogramFigure *self,
                                              guint series,
                                              guint bin,
                                              guint64 count,
                                              guint64 total);
TB_EXPORT void tb_histogram_figure_add_mark (TbHistogramFigure *self,
                                             const char *item,
                                             const char *label,
                                             gint64 from,
                                             gint64 to);

TB_EXPORT void
tb_histogram_figure_set_uncertain (TbHistogramFigure *self, gint64 below, const char *reason);

/* "" if none is uncertain. */
TB_EXPORT const char *tb_histogram_figure_get_uncertain_reason (TbHistogramFigure *self);
TB_EXPORT gboolean tb_histogram_figure_is_uncertain (TbHistogramFigure *self, guint bin);
TB_EXPORT const char *tb_histogram_figure_get_unit (TbHistogramFigure *self);
TB_EXPORT gboolean tb_histogram_figure_is_logarithmic (TbHistogramFigure *self);
TB_EXPORT guint tb_histogram_figure_get_n_bins (TbHistogramFigure *self);
TB_EXPORT const TbHistogramBin *tb_histogram_figure_get_bin (TbHistogramFigure *self, guint bin);
TB_EXPORT guint tb_histogram_figure_get_n_series (TbHistogramFigure *self);
TB_EXPORT const char *tb_histogram_figure_get_series_id (TbHistogramFigure *self, guint series);
TB_EXPORT const char *tb_histogram_figure_get_series_name (TbHistogramFigure *self, guint series);
TB_EXPORT guint64 tb_histogram_figure_get_count (TbHistogramFigure *self, guint series, guint bin);
TB_EXPORT guint64 tb_histogram_figure_get_total (TbHistogramFigure *self, guint series, guint bin);
TB_EXPORT guint64 tb_histogram_figure_get_largest_count (TbHistogramFigure *self);
TB_EXPORT guint tb_histogram_figure_get_n_marks (TbHistogramFigure *self);
TB_EXPORT const TbHistogramMark *tb_histogram_figure_get_mark (TbHistogramFigure *self, guint mark);

/* The following functions are about the bins [first, end). */
TB_EXPORT char *tb_histogram_figure_format_value (TbHistogramFigure *self, gint64 value);
TB_EXPORT const guint64 *tb_histogram_figure_get_counts (TbHistogramFigure *self, guint series);
TB_EXPORT void tb_histogram_figure_get_sum (TbHistogramFigure *self,
                                            guint series,
                                            guint first,
                                            guint end,
                                            guint64 *count,
                                            guint64 *total);
TB_EXPORT gboolean tb_histogram_figure_get_percentile (TbHistogramFigure *self,
                                                       guint series,
                                                       double share,
                                                       gint64 *value);
TB_EXPORT void
tb_histogram_figure_get_mark_bins (TbHistogramFigure *self, guint mark, guint *first, guint *end);
TB_EXPORT char *tb_histogram_figure_get_item (TbHistogramFigure *self, guint first, guint end);
TB_EXPORT gboolean tb_histogram_figure_find_item (TbHistogramFigure *self,
                                                  const char *item,
                                                  guint *first,
                                                  guint *end);
TB_EXPORT char *tb_histogram_figure_describe (TbHistogramFigure *self, guint first, guint end);

G_END_DECLS
