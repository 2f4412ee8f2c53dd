/* tb-histogram-text.c: histogram as text: a line with a bar for each bin, marks, uncertain bins
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#include "config.h"

#include <glib/gi18n-lib.h>

#include "report/histogram/tb-histogram-figure-private.h"
#include "report/tb-format.h"
#include "report/tb-text-private.h"

#define TEXT_BINS_MAX 100
#define BAR_WIDTH 40

static const TbHistogramMark *
find_mark (TbHistogramFigure *self, const TbHistogramBin *bin)
{
  for (guint i = 0; i < self->marks->len; i++)
    {
      const TbHistogramMark *mark = &g_array_index (self->marks, TbHistogramMark, i);

      if (mark->from < bin->to && mark->to > bin->from)
        return mark;
    }
  return NULL;
}

static void
render_bin (TbHistogramFigure *self, guint index, guint bar, guint width, GString *text)
{
  static const char *const eighths[] = { "", "▏", "▎", "▍", "▌", "▋", "▊", "▉" };
  const TbHistogramBin *bin = &g_array_index (self->bins, TbHistogramBin, index);
  const TbHistogramMark *mark = find_mark (self, bin);

  for (guint i = 0; i < self->series->len; i++)
    {
      guint64 count = g_array_index (tb_histogram_get_series (self, i)->counts, guint64, index);
      g_autofree char *from
          = i == 0 ? tb_histogram_figure_format_value (self, bin->from) : g_strdup ("");
      g_autofree char *number = tb_format_count (count);
      guint steps = self->largest ? (guint) ((double) count / self->largest * bar * 8) : 0;
      g_autoptr (GString) line = g_string_new (NULL);

      if (count > 0 && steps == 0)
        steps = 1; /* a small count stays visible */
      tb_text_append_padded (line, from, 12, TRUE);
      g_string_append (line, " ");
      tb_text_append_repeated (line, "█", steps / 8);
      g_string_append (line, eighths[steps % 8]);
      g_string_append_printf (line, "%s%s%s", steps ? " " : "",
                              tb_histogram_figure_is_uncertain (self, index) ? "~" : "", number);
      if (self->series->len > 1)
        g_string_append_printf (line, " %s", tb_histogram_get_series (self, i)->name);
      if (mark && i == 0)
        g_string_append_printf (line, "  ← %s", mark->label);
      tb_text_append_cut (text, line->str, width ? width : G_MAXUINT);
      g_string_append_c (text, '\n');
    }
}

static gboolean
is_empty (TbHistogramFigure *self, guint bin)
{
  for (guint i = 0; i < self->series->len; i++)
    if (g_array_index (tb_histogram_get_series (self, i)->counts, guint64, bin) > 0)
      return FALSE;
  return TRUE;
}

void
tb_histogram_figure_render_text (TbFigure *figure, GString *text, guint width)
{
  TbHistogramFigure *self = TB_HISTOGRAM_FIGURE (figure);
  guint bar = width ? CLAMP ((int) width - 30, 4, BAR_WIDTH) : BAR_WIDTH;
  guint n_shown = 0;
  guint n_more = 0;
  gboolean was_empty = FALSE;

  for (guint bin = 0; bin < self->bins->len; bin++)
    {
      gboolean now_empty = is_empty (self, bin);

      /* consecutive empty bins take one line */
      if (now_empty && was_empty)
        continue;
      was_empty = now_empty;
      if (n_shown >= TEXT_BINS_MAX)
        n_more += !now_empty;
      else if (now_empty)
        g_string_append (text, "           …\n");
      else
        {
          render_bin (self, bin, bar, width, text);
          n_shown++;
        }
    }
  if (n_more > 0)
    g_string_append_printf (text,
                            ngettext ("… and %'u more bin\n", "… and %'u more bins\n", n_more),
                            n_more);
  if (self->bins->len > 0 && tb_histogram_figure_is_uncertain (self, 0))
    {
      g_autofree char *line = g_strdup_printf (_ ("~ uncertain: %s"), self->reason);

      tb_text_append_cut (text, line, width ? width : G_MAXUINT);
      g_string_append_c (text, '\n');
    }
}
