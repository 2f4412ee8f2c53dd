/* tb-heatmap-figure-private.h: struct of a heat map, access to its rows, and its JSON and text
 * forms
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#pragma once

#include "report/heatmap/tb-heatmap-figure.h"
#include "report/tb-figure-private.h"

G_BEGIN_DECLS

/* The numbered cells of a row, and the one with the number 0. */
typedef struct
{
  guint from;
  guint n; /* 0: none */
} TbHeatmapNumbering;

struct _TbHeatmapFigure
{
  TbFigure parent_instance;

  char *unit;
  char *row_title;    /* NULL: none was set */
  char *column_title; /* NULL: none was set */
  gint64 from;
  gint64 to;
  guint n_columns;
  GPtrArray *items;
  GPtrArray *labels;
  GPtrArray *columns; /* labels; NULL: slices of time */
  gboolean is_signed;
  GArray *values; /* guint64, row by row; gint64 where they are signed */
  guint64 largest;
  GArray *numberings; /* TbHeatmapNumbering, by row */
};

static inline const guint64 *
tb_heatmap_get_row (TbHeatmapFigure *self, guint row)
{
  return &((const guint64 *) (gpointer) self->values->data)[(gsize) row * self->n_columns];
}

/* The absolute value. */
static inline guint64
tb_heatmap_get_size (TbHeatmapFigure *self, guint64 value)
{
  return self->is_signed && (gint64) value < 0 ? -value : value;
}

/* tb-heatmap-figure.c */
guint tb_heatmap_add_row (TbHeatmapFigure *self,
                          const char *item,
                          const char *label,
                          gconstpointer values);

/* tb-heatmap-json.c */
void tb_heatmap_write_json (TbFigure *figure, JsonBuilder *builder);
gboolean tb_heatmap_read_json (TbFigure *figure, JsonObject *object, GError **error);

/* tb-heatmap-text.c */
void tb_heatmap_render_text (TbFigure *figure, GString *text, guint width);

G_END_DECLS
