/* tb-timeline-text.c: timeline as text: a line of characters for the states of each track, time
 * axis, legend, lost events
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#include "config.h"

#include <inttypes.h>

#include <glib/gi18n-lib.h>

#include "report/tb-report.h"
#include "report/tb-text-private.h"
#include "report/timeline/tb-timeline-figure-private.h"

#define DEFAULT_WIDTH 120
#define CELLS_MIN 10
#define TRACKS_MAX 200

/* A cell shows the longest paint. If most of the cell is a wait, it shows another paint that
 * occurs, in small, so that rare ones are not dropped. */
static const struct
{
  const char *large;
  const char *small;
} marks[TB_N_PAINTS] = {
  [TB_PAINT_NONE] = { " ", " " },      [TB_PAINT_RUNNING] = { "█", "▂" },
  [TB_PAINT_RUNNABLE] = { "▒", "░" },  [TB_PAINT_WAITING] = { "·", "·" },
  [TB_PAINT_DISK] = { "D", "d" },      [TB_PAINT_UNINTERRUPTIBLE] = { "U", "u" },
  [TB_PAINT_STOPPED] = { "T", "t" },   [TB_PAINT_NETWORK] = { "N", "n" },
  [TB_PAINT_INTERRUPT] = { "I", "i" }, [TB_PAINT_LOST] = { "?", "?" },
  [TB_PAINT_UNKNOWN] = { "~", "~" },   [TB_PAINT_ESTIMATED] = { "▞", "▖" },
};

/* The rarer paint has priority. */
static const TbPaint small_order[] = {
  TB_PAINT_LOST,    TB_PAINT_DISK,      TB_PAINT_NETWORK,
  TB_PAINT_RUNNING, TB_PAINT_ESTIMATED, TB_PAINT_UNINTERRUPTIBLE,
  TB_PAINT_STOPPED, TB_PAINT_INTERRUPT, TB_PAINT_RUNNABLE,
  TB_PAINT_UNKNOWN,
};

static const char *
get_mark (const TbTimelineCoverage *coverage)
{
  TbPaint longest = TB_PAINT_NONE;

  for (guint paint = 1; paint < TB_N_PAINTS; paint++)
    if (coverage->ns[paint] > coverage->ns[longest])
      longest = paint;
  if (longest != TB_PAINT_NONE && longest != TB_PAINT_WAITING)
    return marks[longest].large;
  for (guint i = 0; i < G_N_ELEMENTS (small_order); i++)
    if (coverage->present & 1u << small_order[i])
      return marks[small_order[i]].small;
  return marks[coverage->present & 1u << TB_PAINT_WAITING ? TB_PAINT_WAITING : TB_PAINT_NONE].large;
}

static gint64
get_cell_start (gint64 from, gint64 to, guint cell, guint n_cells)
{
  return from + (gint64) ((double) (to - from) * cell / n_cells);
}

static guint
get_name_width (TbTimelineFigure *self, guint n_tracks)
{
  guint width = 4;

  for (guint i = 0; i < n_tracks; i++)
    {
      TbTimelineTrack track;

      tb_timeline_figure_get_track (self, i, &track);
      width = MAX (width, tb_text_get_width (track.name) + (*track.group ? 2 : 0));
    }
  return MIN (width, 28);
}

/* "14 %", "≈ 14 %" where it is estimated, "—" where it is unknown */
static char *
format_running (const TbTimelineCoverage *coverage, gint64 length)
{
  gint64 ns = coverage->ns[TB_PAINT_RUNNING] + coverage->ns[TB_PAINT_ESTIMATED];
  g_autofree char *share = tb_format_share (length > 0 ? (double) ns / (double) length : 0);

  if (coverage->present == 1u << TB_PAINT_UNKNOWN)
    return g_strdup ("—");
  if (coverage->present & 1u << TB_PAINT_ESTIMATED)
    return g_strconcat ("≈ ", share, NULL);
  return g_steal_pointer (&share);
}

static void
render_track (TbTimelineFigure *self,
              guint index,
              guint name_width,
              guint n_cells,
              guint32 *present,
              GString *text)
{
  TbTimelineCoverage coverage;
  TbTimelineTrack track;
  g_autofree char *share = NULL;
  gint64 from;
  gint64 to;

  tb_timeline_figure_get_range (self, &from, &to);
  tb_timeline_figure_get_track (self, index, &track);
  if (*track.group)
    g_string_append (text, "  ");
  tb_text_append_padded (text, track.name, name_width - (*track.group ? 2 : 0), FALSE);
  g_string_append (text, " ▏");
  for (guint cell = 0; cell < n_cells; cell++)
    {
      tb_timeline_figure_get_coverage (self, index, get_cell_start (from, to, cell, n_cells),
                                       get_cell_start (from, to, cell + 1, n_cells), &coverage);
      g_string_append (text, get_mark (&coverage));
    }
  tb_timeline_figure_get_coverage (self, index, from, to, &coverage);
  *present |= coverage.present;
  share = format_running (&coverage, to - from);
  g_string_append (text, "▕ ");
  tb_text_append_padded (text, share, 6, TRUE);
  g_string_append_c (text, '\n');
}

static void
render_axis (TbTimelineFigure *self, guint name_width, guint n_cells, GString *text)
{
  g_autofree char *cell = NULL;
  g_autofree char *length = NULL;
  g_autofree char *line = NULL;
  gint64 from;
  gint64 to;

  tb_timeline_figure_get_range (self, &from, &to);
  length = tb_format_duration (to - from);
  cell = tb_format_duration ((to - from) / MAX (n_cells, 1));
  line = g_strdup_printf (_ ("%s, %s per column"), length, cell);
  tb_text_append_repeated (text, " ", name_width + 2);
  tb_text_append_padded (text, line, n_cells, FALSE);
  g_string_append (text, "  ");
  tb_text_append_padded (text, _ ("run"), 6, TRUE);
  g_string_append_c (text, '\n');
}

static void
render_legend (guint32 present, guint width, GString *text)
{
  g_autoptr (GString) legend = g_string_new (NULL);

  for (guint paint = 1; paint < TB_N_PAINTS; paint++)
    {
      if (!(present & 1u << paint))
        continue;
      g_string_append_printf (legend, "%s%s%s", legend->len ? "  " : "", marks[paint].large,
                              strcmp (marks[paint].large, marks[paint].small) ? marks[paint].small
                                                                              : "");
      g_string_append_printf (legend, " %s", tb_paint_get_label (paint));
    }
  if (legend->len)
    tb_text_append_wrapped (text, legend->str, width, 2);
}

static void
render_lost (TbTimelineFigure *self, guint width, GString *text)
{
  guint n = tb_timeline_figure_get_n_lost (self);
  g_autofree char *line = NULL, *number = NULL;
  guint64 events = 0;

  for (guint i = 0; i < n; i++)
    {
      guint64 count;

      tb_timeline_figure_get_lost (self, i, NULL, NULL, NULL, &count);
      if (!g_uint64_checked_add (&events, events, count))
        events = G_MAXUINT64;
    }
  if (n == 0)
    return;
  number = tb_format_count (events);
  line = g_strdup_printf (ngettext ("lost events: %s, in %'u gap", "lost events: %s, in %'u gaps",
                                    n),
                          number, n);
  tb_text_append_wrapped (text, line, width, 2);
}

void
tb_timeline_figure_render_text (TbFigure *figure, GString *text, guint width)
{
  TbTimelineFigure *self = TB_TIMELINE_FIGURE (figure);
  guint n_all = tb_timeline_figure_get_n_tracks (self);
  guint n = MIN (n_all, TRACKS_MAX);
  guint name_width = get_name_width (self, n);
  guint line = width ? width : DEFAULT_WIDTH;
  const char *group = "";
  guint32 present = 0;
  guint n_cells;

  /* name, two edges, share */
  if (name_width + CELLS_MIN + 10 > line)
    name_width = MAX (4, (int) line - CELLS_MIN - 10);
  n_cells = MAX (1, (int) line - (int) name_width - 10);
  render_axis (self, name_width, n_cells, text);
  for (guint i = 0; i < n; i++)
    {
      TbTimelineTrack track;

      tb_timeline_figure_get_track (self, i, &track);
      if (strcmp (track.group, group) != 0 && *track.group)
        {
          tb_text_append_cut (text, track.group, line);
          g_string_append_c (text, '\n');
        }
      group = track.group;
      render_track (self, i, name_width, n_cells, &present, text);
    }
  if (n < n_all)
    g_string_append_printf (
        text, ngettext ("… and %'u more track\n", "… and %'u more tracks\n", n_all - n), n_all - n);
  render_legend (present, line, text);
  render_lost (self, width, text);
}
