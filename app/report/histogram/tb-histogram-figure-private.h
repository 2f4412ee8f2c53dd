/* tb-histogram-figure-private.h: struct of a histogram and of its series
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#pragma once

#include "report/tb-figure-private.h"
#include "report/histogram/tb-histogram-figure.h"

G_BEGIN_DECLS

typedef struct
{
  char *id;
  char *name;
  GArray *counts; /* guint64, by bin */
  GArray *totals;
  guint64 count; /* when frozen: sum over all bins */
  guint64 total; /* G_MAXUINT64: unknown */
} TbHistogramSeries;

struct _TbHistogramFigure
{
  TbFigure parent_instance;

  char *unit;
  gboolean is_logarithmic;
  GArray *bins;      /* TbHistogramBin */
  GPtrArray *series; /* TbHistogramSeries */
  GArray *marks;     /* TbHistogramMark */
  guint64 largest;
  gint64 uncertain_below; /* G_MININT64: no bin is uncertain */
  char *reason;           /* never NULL */
};

static inline const TbHistogramSeries *
tb_histogram_get_series (TbHistogramFigure *self, guint series)
{
  return g_ptr_array_index (self->series, series);
}

/* tb-histogram-json.c */
void tb_histogram_figure_write_json (TbFigure *figure, JsonBuilder *builder);
gboolean tb_histogram_figure_read_json (TbFigure *figure, JsonObject *object, GError **error);
/* tb-histogram-text.c */
void tb_histogram_figure_render_text (TbFigure *figure, GString *text, guint width);

G_END_DECLS
