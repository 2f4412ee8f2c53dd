/* tb-histogram-accessible.c: accessible items, for screen readers, for the bars of a histogram:
 * their order, texts and selection
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#include "config.h"

#include <glib/gi18n-lib.h>
#include <inttypes.h>

#include "base/tb-base.h"
#include "report/tb-report.h"
#include "widgets/histogram/tb-histogram-private.h"

/* Bars are identified by their first bin and their series. */
#define SERIES_SHIFT 32

static GtkAccessibleRole
get_role (GtkWidget *widget, guint64 key)
{
  return GTK_ACCESSIBLE_ROLE_LIST_ITEM;
}

static void
get_state (GtkWidget *widget, guint64 *state)
{
  TbHistogramCanvas *self = TB_HISTOGRAM_CANVAS (widget);

  state[0] = tb_accessible_pack_double (self->scale.from);
  state[1] = tb_accessible_pack_double (self->scale.to);
  state[2] = self->scale.logarithmic;
  state[3] = self->counts_are_log;
  state[4] = (guint64) self->line;
  state[5] = gtk_widget_get_direction (widget);
}

static void
append_bar (TbHistogramCanvas *self, guint series, const TbHistogramBar *bar, GArray *places)
{
  guint64 largest = tb_histogram_figure_get_largest_count (self->figure);
  TbAccessiblePlace place
      = { .key = (guint64) series << SERIES_SHIFT | bar->first, .parent = TB_ID_NONE };
  graphene_rect_t plot, bounds;
  double height;

  tb_histogram_canvas_get_plot (self, &plot);
  height = tb_histogram_get_height (bar->count, largest, self->counts_are_log) * plot.size.height;
  graphene_rect_init (&bounds, plot.origin.x + (float) bar->x,
                      plot.origin.y + plot.size.height - (float) height, (float) bar->width,
                      (float) height);
  if (graphene_rect_intersection (&bounds, &plot, &place.bounds))
    g_array_append_val (places, place);
}

/* From left to right, and by series at the same position. */
static void
list (GtkWidget *widget, GArray *places)
{
  TbHistogramCanvas *self = TB_HISTOGRAM_CANVAS (widget);
  guint n_series = tb_histogram_figure_get_n_series (self->figure);
  g_autofree guint *next = g_new0 (guint, n_series + 1);

  tb_histogram_canvas_ensure_layout (self);
  for (;;)
    {
      const TbHistogramBar *leftmost = NULL;
      guint from = 0;

      for (guint i = 0; i < n_series; i++)
        {
          GArray *bars = g_ptr_array_index (self->bars, i);
          const TbHistogramBar *bar
              = next[i] < bars->len ? &g_array_index (bars, TbHistogramBar, next[i]) : NULL;

          if (bar == NULL || (leftmost != NULL && bar->first >= leftmost->first))
            continue;
          leftmost = bar;
          from = i;
        }
      if (leftmost == NULL)
        return;
      next[from]++;
      append_bar (self, from, leftmost, places);
    }
}

/* The bin after the last visible one of a bar. */
static guint
find_end (TbHistogramCanvas *self, guint series, guint first)
{
  GArray *bars;

  tb_histogram_canvas_ensure_layout (self);
  bars = g_ptr_array_index (self->bars, series);
  for (guint i = 0; i < bars->len; i++)
    if (g_array_index (bars, TbHistogramBar, i).first == first)
      return g_array_index (bars, TbHistogramBar, i).end;
  return first + 1;
}

static void
describe (GtkWidget *widget, guint64 key, TbAccessibleText *text)
{
  TbHistogramCanvas *self = TB_HISTOGRAM_CANVAS (widget);
  guint series = (guint) (key >> SERIES_SHIFT), first = (guint) key,
        end = find_end (self, series, first);
  g_autofree char *from
      = tb_histogram_figure_format_value (self->figure,
                                          tb_histogram_figure_get_bin (self->figure, first)->from);
  g_autofree char *to
      = tb_histogram_figure_format_value (self->figure,
                                          tb_histogram_figure_get_bin (self->figure, end - 1)->to);
  g_autofree char *number = NULL;
  g_autofree char *range = g_strdup_printf ("%s–%s", from, to);
  guint64 count, total;

  tb_histogram_figure_get_sum (self->figure, series, first, end, &count, &total);
  if (tb_histogram_figure_get_n_series (self->figure) > 1)
    /* Translators: the values of a bar of a histogram, and which of several distributions it
     * belongs to: "1 ms–2 ms, before" */
    text->name = g_strdup_printf (_ ("%s, %s"), range,
                                  tb_histogram_figure_get_series_name (self->figure, series));
  else
    text->name = g_steal_pointer (&range);
  number = tb_format_count (count);
  text->value = g_strdup_printf (g_dngettext (GETTEXT_PACKAGE, "%s time", "%s times",
                                              (gulong) MIN (count, G_MAXULONG)),
                                 number);
  text->description = tb_histogram_figure_describe (self->figure, first, end);
  text->kind = _ ("bar");
}

static gboolean
is_selected (GtkWidget *widget, guint64 key)
{
  TbHistogramCanvas *self = TB_HISTOGRAM_CANVAS (widget);

  return (guint) key >= self->first && (guint) key < self->end;
}

/* The bar of the first series. Its description includes the other series. */
static gboolean
get_selected (GtkWidget *widget, guint64 *key)
{
  TbHistogramCanvas *self = TB_HISTOGRAM_CANVAS (widget);

  *key = self->cursor;
  return self->first < self->end && tb_histogram_figure_get_n_series (self->figure) > 0;
}

const TbAccessibleItemsClass tb_histogram_accessible_items = {
  .get_role = get_role,
  .get_state = get_state,
  .list = list,
  .describe = describe,
  .is_selected = is_selected,
  .get_selected = get_selected,
};
