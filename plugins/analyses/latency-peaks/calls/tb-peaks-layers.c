/* tb-peaks-layers.c: comparison of layers: the examined calls, the probed functions and system
 * calls around them, and the system calls and device requests in them, as histograms in a figure
 * and JSON
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#include "config.h"

#include <glib/gi18n.h>

#include "report/histogram/tb-histogram-figure.h"
#include "tb-peaks-layers.h"
#include "tb-peaks-spans.h"

/* From the outermost layer to the innermost. */
static const TbPeaksKind kinds[] = { TB_PEAKS_FUNCTION, TB_PEAKS_SYSCALL, TB_PEAKS_BLOCK };

typedef struct
{
  const TbPeaksCalls *calls;
  const TbPeaksTable *table; /* table of the examined calls */
  GArray *rows;              /* guint32: rows of the examined calls */
  TbPeaksIndex index;        /* index of these rows */
  GPtrArray *layers;
} Layers;

static guint
get_level (TbPeaksKind kind)
{
  switch (kind)
    {
    case TB_PEAKS_FUNCTION:
    case TB_PEAKS_INFERRED:
      return 0;
    case TB_PEAKS_SYSCALL:
      return 1;
    case TB_PEAKS_BLOCK:
      return 2;
    default:
      return G_MAXUINT;
    }
}

static void
layer_free (gpointer data)
{
  TbPeaksLayer *layer = data;

  tb_peaks_histogram_free (layer->histogram);
  g_free (layer);
}

static TbPeaksHistogram *
add_layer (Layers *self, TbPeaksKind kind)
{
  TbPeaksLayer *layer = g_new0 (TbPeaksLayer, 1);

  layer->kind = kind;
  layer->histogram = tb_peaks_histogram_new (&self->calls->bins);
  g_ptr_array_add (self->layers, layer);
  return layer->histogram;
}

static gboolean
is_over (const TbPeaksTable *table, guint32 row)
{
  return table->enter[row] != TB_TIME_NONE && table->exit[row] != TB_TIME_NONE;
}

/* A request belongs to the call in which it was made, regardless of its completion time. */
static gint64
get_end (const TbPeaksTable *table, guint32 row)
{
  return table->kind == TB_PEAKS_BLOCK ? table->enter[row] : table->exit[row];
}

static void
count_row (const Layers *self, const TbPeaksTable *table, guint32 row, TbPeaksHistogram *histogram)
{
  tb_peaks_histogram_add (histogram, &self->calls->bins, tb_peaks_table_get_latency (table, row));
}

/* Counts the rows within the calls of a thread, which are sorted; rows: n sorted rows of the layer
 * below. */
static void
count_inner (const Layers *self,
             const TbPeaksTable *table,
             const guint32 *rows,
             gsize n,
             const guint32 *calls,
             gsize n_calls,
             TbPeaksHistogram *histogram)
{
  gint64 until = G_MININT64;
  gsize next = 0;

  for (gsize i = 0; i < n; i++)
    {
      if (!is_over (table, rows[i]))
        continue;
      for (; next < n_calls && self->table->enter[calls[next]] <= table->enter[rows[i]]; next++)
        until = MAX (until, self->table->exit[calls[next]]);
      if (get_end (table, rows[i]) <= until)
        count_row (self, table, rows[i], histogram);
    }
}

/* Counts the innermost rows that contain the calls. */
static void
count_outer (const Layers *self,
             const TbPeaksTable *table,
             const guint32 *rows,
             gsize n,
             const guint32 *calls,
             gsize n_calls,
             TbPeaksHistogram *histogram)
{
  g_autoptr (GArray) open = g_array_new (FALSE, FALSE, sizeof (guint32));
  g_autoptr (GHashTable) counted = g_hash_table_new (NULL, NULL);
  gsize next = 0;

  for (gsize i = 0; i < n_calls; i++)
    {
      gint64 enter = self->table->enter[calls[i]], end = get_end (self->table, calls[i]);

      for (; next < n && table->enter[rows[next]] <= enter; next++)
        if (is_over (table, rows[next]))
          {
            while (open->len > 0
                   && table->exit[g_array_index (open, guint32, open->len - 1)]
                          < table->enter[rows[next]])
              g_array_set_size (open, open->len - 1);
            g_array_append_val (open, rows[next]);
          }
      while (open->len > 0 && table->exit[g_array_index (open, guint32, open->len - 1)] < enter)
        g_array_set_size (open, open->len - 1);
      for (guint k = open->len; k > 0; k--)
        {
          guint32 row = g_array_index (open, guint32, k - 1);

          if (table->exit[row] < end)
            continue;
          if (g_hash_table_add (counted, GUINT_TO_POINTER (row + 1)))
            count_row (self, table, row, histogram);
          break;
        }
    }
}

static void
count_layer (Layers *self, TbPeaksKind kind, TbPeaksHistogram *histogram)
{
  const TbPeaksTable *table = &self->calls->tables[kind];
  gboolean is_below = get_level (kind) > get_level (self->table->kind);
  TbPeaksIndex index;

  tb_peaks_index_init (&index, table->thread, NULL, table->n, NULL, self->calls->n_threads);
  for (guint thread = 1; thread < self->calls->n_threads; thread++)
    {
      guint32 *rows = index.rows + index.first[thread];
      gsize n = index.first[thread + 1] - index.first[thread];
      const guint32 *calls = self->index.rows + self->index.first[thread];
      gsize n_calls = self->index.first[thread + 1] - self->index.first[thread];

      if (n == 0 || n_calls == 0)
        continue;
      tb_peaks_sort_rows (table, rows, n);
      (is_below ? count_inner : count_outer) (self, table, rows, n, calls, n_calls, histogram);
    }
  tb_peaks_index_clear (&index);
}

/* The requested calls. */
static GArray *
choose_rows (const TbPeaksResult *result)
{
  const TbPeaksTable *table = &result->calls->tables[result->operation->kind];
  GArray *rows = g_array_new (FALSE, FALSE, sizeof (guint32));
  gboolean is_chosen = result->is_drawn || result->options.peak > 0;

  for (guint i = 0; i < result->rows->len; i++)
    {
      guint32 row = g_array_index (result->rows, guint32, i);
      guint bin
          = tb_peaks_bins_find (&result->calls->bins, tb_peaks_table_get_latency (table, row));
      gboolean is_requested = !is_chosen;

      for (guint peak = 0; peak < result->ranges->len && !is_requested; peak++)
        {
          const TbPeakRange *range = &g_array_index (result->ranges, TbPeakRange, peak);

          is_requested = tb_peaks_result_is_requested (result, peak) && bin >= range->first
                         && bin <= range->last;
        }
      if (is_requested)
        g_array_append_val (rows, row);
    }
  return rows;
}

static void
sort_calls (Layers *self)
{
  tb_peaks_index_init (&self->index, self->table->thread, self->rows, 0, NULL,
                       self->calls->n_threads);
  for (guint thread = 0; thread < self->calls->n_threads; thread++)
    tb_peaks_sort_rows (self->table, self->index.rows + self->index.first[thread],
                        self->index.first[thread + 1] - self->index.first[thread]);
}

/* Whether other layers have calls at all; otherwise the scan over millions of calls is skipped. */
static gboolean
has_other_layers (const TbPeaksResult *result)
{
  guint own = get_level (result->operation->kind);

  for (guint i = 0; i < G_N_ELEMENTS (kinds); i++)
    if (i != own && result->calls->tables[kinds[i]].n > 0)
      return TRUE;
  return FALSE;
}

GPtrArray *
tb_peaks_find_layers (const TbPeaksResult *result)
{
  TbPeaksKind own = result->operation->kind;
  Layers self = { .calls = result->calls, .table = &result->calls->tables[own] };

  self.layers = g_ptr_array_new_with_free_func (layer_free);
  if (get_level (own) > 2 || result->rows == NULL || !has_other_layers (result))
    return self.layers;
  self.rows = choose_rows (result);
  sort_calls (&self);
  for (guint i = 0; i < G_N_ELEMENTS (kinds); i++)
    {
      TbPeaksHistogram *histogram;

      if (get_level (own) != i && self.calls->tables[kinds[i]].n == 0)
        continue;
      histogram = add_layer (&self, kinds[i]);
      if (get_level (own) != i)
        count_layer (&self, kinds[i], histogram);
      else
        for (guint k = 0; k < self.rows->len; k++)
          count_row (&self, self.table, g_array_index (self.rows, guint32, k), histogram);
      if (histogram->calls == 0)
        g_ptr_array_set_size (self.layers, (int) self.layers->len - 1);
    }
  tb_peaks_index_clear (&self.index);
  g_array_unref (self.rows);
  return self.layers;
}

static const char *
get_id (TbPeaksKind kind)
{
  return kind == TB_PEAKS_FUNCTION ? "function" : kind == TB_PEAKS_SYSCALL ? "syscall" : "block";
}

static char *
name_layer (const TbPeaksResult *result, TbPeaksKind kind)
{
  guint own = get_level (result->operation->kind), level = get_level (kind);

  if (level == own)
    return g_strdup (result->operation->id);
  switch (kind)
    {
    case TB_PEAKS_FUNCTION:
      return g_strdup (_ ("functions around them"));
    case TB_PEAKS_SYSCALL:
      return g_strdup (level > own ? _ ("system calls in them") : _ ("system calls around them"));
    default:
      return g_strdup (_ ("requests to devices in them"));
    }
}

/* The range from the first to the last bin in which any layer has calls. */
static gboolean
get_extent (const GPtrArray *layers, const TbPeaksBins *bins, guint *first, guint *last)
{
  *first = G_MAXUINT;
  *last = 0;
  for (guint i = 0; i < layers->len; i++)
    {
      const TbPeaksLayer *layer = g_ptr_array_index (layers, i);
      guint from, to;

      if (!tb_peaks_histogram_get_extent (layer->histogram, bins, &from, &to))
        continue;
      *first = MIN (*first, from);
      *last = MAX (*last, to);
    }
  return *first <= *last;
}

void
tb_peaks_layers_add_figure (TbReport *report, const TbPeaksResult *result)
{
  const TbPeaksBins *bins = &result->calls->bins;
  TbHistogramFigure *figure;
  guint first, last;

  if (result->layers == NULL || result->layers->len < 2
      || !get_extent (result->layers, bins, &first, &last))
    return;
  figure = tb_histogram_figure_new (TB_PEAKS_FIGURE_LAYERS, _ ("Calls by Layer"), "ns");
  tb_histogram_figure_set_logarithmic (figure, TRUE);
  for (guint bin = first; bin <= last; bin++)
    if (bins->edges[bin] < bins->edges[bin + 1])
      tb_histogram_figure_add_bin (figure, bins->edges[bin], bins->edges[bin + 1]);
  for (guint i = 0; i < result->layers->len; i++)
    {
      const TbPeaksLayer *layer = g_ptr_array_index (result->layers, i);
      g_autofree char *name = name_layer (result, layer->kind);
      guint series = tb_histogram_figure_add_series (figure, get_id (layer->kind), name);

      for (guint bin = first, place = 0; bin <= last; bin++)
        if (bins->edges[bin] < bins->edges[bin + 1])
          tb_histogram_figure_set_count (figure, series, place++, layer->histogram->counts[bin],
                                         (guint64) layer->histogram->totals[bin]);
    }
  tb_report_add_figure (report, TB_FIGURE (figure));
}

static void
add_integer (JsonBuilder *builder, const char *member, gint64 value)
{
  json_builder_set_member_name (builder, member);
  json_builder_add_int_value (builder, value);
}

static void
add_bins (JsonBuilder *builder, const TbPeaksBins *bins, const TbPeaksHistogram *histogram)
{
  json_builder_set_member_name (builder, "bins");
  json_builder_begin_array (builder);
  for (guint bin = 0; bin < bins->n; bin++)
    if (histogram->counts[bin] > 0)
      {
        json_builder_begin_object (builder);
        add_integer (builder, "bin", bin);
        add_integer (builder, "from_ns", bins->edges[bin]);
        add_integer (builder, "to_ns", bins->edges[bin + 1]);
        add_integer (builder, "count", (gint64) histogram->counts[bin]);
        add_integer (builder, "total_ns", histogram->totals[bin]);
        json_builder_end_object (builder);
      }
  json_builder_end_array (builder);
}

void
tb_peaks_layers_to_json (JsonBuilder *builder, const TbPeaksResult *result)
{
  json_builder_set_member_name (builder, "layers");
  json_builder_begin_array (builder);
  for (guint i = 0; result->layers != NULL && i < result->layers->len; i++)
    {
      const TbPeaksLayer *layer = g_ptr_array_index (result->layers, i);

      json_builder_begin_object (builder);
      json_builder_set_member_name (builder, "layer");
      json_builder_add_string_value (builder, get_id (layer->kind));
      add_integer (builder, "calls", (gint64) layer->histogram->calls);
      add_integer (builder, "total_ns", layer->histogram->total_ns);
      add_bins (builder, &result->calls->bins, layer->histogram);
      json_builder_end_object (builder);
    }
  json_builder_end_array (builder);
}
