/* tb-draw-timeline.c: drawing of a timeline as shapes: states of each track by pixel column,
 * estimates and lost events hatched, names, time axis, legend
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#include "config.h"

#include <glib/gi18n-lib.h>

#include "report/drawing/tb-drawing-private.h"
#include "report/timeline/tb-timeline-figure.h"

#define COLUMNS 800
#define NAME_WIDTH 190.
#define INDENT 10.
#define ROW 18.
#define BAR 12.
#define TRACKS_MAX 150
#define TEXT_DROP 13. /* from the top of a row to the baseline of its text */

#define ESTIMATE_OPACITY .5

/* The height of a state in its row, so that states are distinguishable without colour too. */
static double
get_height (guint paint, gboolean is_small)
{
  if (is_small)
    return BAR / 2;
  return paint == TB_PAINT_WAITING ? BAR / 3 : paint == TB_PAINT_RUNNABLE ? BAR * 2 / 3 : BAR;
}

/* The look of one column of a track is its longest state. If that is a wait, the longest other
 * state is drawn at half height. */
static void
choose_look (const TbTimelineCoverage *coverage, guint *paint, gboolean *is_small)
{
  guint longest = TB_PAINT_NONE, other = TB_PAINT_NONE;

  for (guint i = 1; i < TB_N_PAINTS; i++)
    {
      if (coverage->ns[i] > coverage->ns[longest])
        longest = i;
      if (i != TB_PAINT_WAITING && (coverage->present & 1u << i)
          && (other == TB_PAINT_NONE || coverage->ns[i] > coverage->ns[other]))
        other = i;
    }
  if (longest == TB_PAINT_NONE)
    longest = coverage->present & 1u << TB_PAINT_WAITING ? TB_PAINT_WAITING : TB_PAINT_NONE;
  *is_small = (longest == TB_PAINT_WAITING || longest == TB_PAINT_NONE) && other != TB_PAINT_NONE;
  *paint = *is_small ? other : longest;
}

typedef struct
{
  TbDrawing *drawing;
  TbTimelineFigure *figure;
  gint64 from;
  gint64 to;
  double y; /* top of the current row */
  guint32 present;
} Sheet;

typedef struct
{
  guint8 paint[COLUMNS];
  guint8 is_small[COLUMNS];
} Looks;

static void
read_track (Sheet *sheet, guint track, Looks *looks)
{
  double step = ((double) sheet->to - (double) sheet->from) / COLUMNS;

  for (guint column = 0; column < COLUMNS; column++)
    {
      gint64 start = sheet->from + (gint64) (step * column);
      gint64 end = sheet->from + (gint64) (step * (column + 1));
      TbTimelineCoverage coverage;
      gboolean is_small;
      guint paint;

      /* A column can be shorter than a nanosecond. */
      tb_timeline_figure_get_coverage (sheet->figure, track, start, MAX (end, start + 1),
                                       &coverage);
      choose_look (&coverage, &paint, &is_small);
      sheet->present |= coverage.present;
      looks->paint[column] = paint;
      looks->is_small[column] = is_small;
    }
}

/* Runs that are estimated have one hatched box each: paths are not hatched. */
static void
add_estimates (Sheet *sheet, const Looks *looks)
{
  for (guint column = 0, next; column < COLUMNS; column = next)
    {
      double height = get_height (TB_PAINT_ESTIMATED, looks->is_small[column]);

      for (next = column + 1; next < COLUMNS && looks->paint[next] == looks->paint[column]
                              && looks->is_small[next] == looks->is_small[column];
           next++)
        ;
      if (looks->paint[column] == TB_PAINT_ESTIMATED)
        tb_drawing_add_box (sheet->drawing, NAME_WIDTH + column,
                            sheet->y + (ROW + BAR) / 2 - height, next - column, height,
                            &(TbShape) { .fill = TB_INK_PAINT + TB_PAINT_ESTIMATED,
                                         .flags = TB_SHAPE_HATCHED,
                                         .opacity = ESTIMATE_OPACITY });
    }
}

/* Adds one path for each paint. */
static void
add_paint (Sheet *sheet, const Looks *looks, guint paint)
{
  gboolean has_path = FALSE;

  for (guint column = 0, next; column < COLUMNS; column = next)
    {
      double height = get_height (paint, looks->is_small[column]);

      for (next = column + 1; next < COLUMNS && looks->paint[next] == looks->paint[column]
                              && looks->is_small[next] == looks->is_small[column];
           next++)
        ;
      if (looks->paint[column] != paint)
        continue;
      if (!has_path)
        tb_drawing_begin_path (sheet->drawing, &(TbShape) { .fill = TB_INK_PAINT + paint });
      has_path = TRUE;
      tb_drawing_add_point (sheet->drawing, 'B', NAME_WIDTH + column,
                            sheet->y + (ROW + BAR) / 2 - height);
      tb_drawing_add_point (sheet->drawing, 'S', next - column, height);
    }
}

static void
add_name (Sheet *sheet, const char *name, double x, gboolean bold)
{
  tb_drawing_add_text (sheet->drawing, x, sheet->y + TEXT_DROP, NAME_WIDTH - x - 8,
                       &(TbShape) { .fill = TB_INK_TEXT, .flags = bold ? TB_SHAPE_BOLD : 0 }, name);
}

static void
add_rows (Sheet *sheet, guint n)
{
  g_autofree Looks *looks = g_new (Looks, 1);
  const char *group = "";

  for (guint i = 0; i < n; i++)
    {
      TbTimelineTrack track;

      tb_timeline_figure_get_track (sheet->figure, i, &track);
      if (*track.group && strcmp (group, track.group) != 0)
        {
          add_name (sheet, track.group, 0, TRUE);
          sheet->y += ROW;
        }
      group = track.group;
      tb_drawing_begin_group (sheet->drawing, track.name);
      add_name (sheet, track.name, *group ? INDENT : 0, FALSE);
      read_track (sheet, i, looks);
      for (guint paint = 1; paint < TB_N_PAINTS; paint++)
        if (paint != TB_PAINT_ESTIMATED)
          add_paint (sheet, looks, paint);
      add_estimates (sheet, looks);
      tb_drawing_end_group (sheet->drawing);
      sheet->y += ROW;
    }
}

/* Lost events are hatched across all tracks. Ranges in the same column are drawn once. */
static void
add_lost (Sheet *sheet, double top)
{
  g_autofree guint8 *lost = g_new0 (guint8, COLUMNS);
  double length = (double) sheet->to - (double) sheet->from;

  for (guint i = 0; i < tb_timeline_figure_get_n_lost (sheet->figure); i++)
    {
      gint64 start, end;
      guint first, last;

      tb_timeline_figure_get_lost (sheet->figure, i, NULL, &start, &end, NULL);
      if (end < sheet->from || start >= sheet->to)
        continue;
      first = (double) (MAX (start, sheet->from) - sheet->from) / length * COLUMNS;
      last = (double) (MIN (end, sheet->to) - sheet->from) / length * COLUMNS;
      for (guint column = MIN (first, COLUMNS - 1); column <= MIN (last, COLUMNS - 1); column++)
        lost[column] = TRUE;
    }
  for (guint column = 0, next; column < COLUMNS; column = next)
    {
      for (next = column + 1; next < COLUMNS && lost[next] == lost[column]; next++)
        ;
      if (!lost[column])
        continue;
      sheet->present |= 1u << TB_PAINT_LOST;
      tb_drawing_begin_group (sheet->drawing, tb_paint_get_label (TB_PAINT_LOST));
      tb_drawing_add_box (sheet->drawing, NAME_WIDTH + column, top, next - column, sheet->y - top,
                          &(TbShape) { .fill = TB_INK_PAINT + TB_PAINT_LOST,
                                       .flags = TB_SHAPE_HATCHED,
                                       .opacity = .35 });
      tb_drawing_end_group (sheet->drawing);
    }
}

static void
add_legend (Sheet *sheet)
{
  TbDrawingKey keys[TB_N_PAINTS];
  guint n = 0;

  for (guint paint = 1; paint < TB_N_PAINTS; paint++)
    if (sheet->present & 1u << paint)
      {
        keys[n] = (TbDrawingKey) { TB_INK_PAINT + paint, g_strdup (tb_paint_get_label (paint)) };
        if (paint == TB_PAINT_ESTIMATED || paint == TB_PAINT_LOST)
          keys[n].flags = TB_SHAPE_HATCHED;
        if (paint == TB_PAINT_ESTIMATED)
          keys[n].opacity = ESTIMATE_OPACITY;
        n++;
      }
  tb_drawing_add_legend (sheet->drawing, NAME_WIDTH, keys, n);
}

void
tb_drawing_draw_timeline (TbDrawing *self, TbTimelineFigure *figure, gint64 from, gint64 to)
{
  Sheet sheet = { .drawing = self, .figure = figure };
  guint n_all = tb_timeline_figure_get_n_tracks (figure), n = MIN (n_all, TRACKS_MAX);
  gint64 origin;
  double heading_top = tb_drawing_get_bottom (self), top;

  tb_timeline_figure_get_range (figure, &sheet.from, &sheet.to);
  origin = tb_figure_get_origin (TB_FIGURE (figure));
  if (origin == TB_TIME_NONE)
    origin = sheet.from;
  if (from != TB_TIME_NONE)
    sheet.from = CLAMP (from, sheet.from, sheet.to);
  if (to != TB_TIME_NONE)
    sheet.to = CLAMP (to, sheet.from, sheet.to);
  if (n == 0 || sheet.to <= sheet.from)
    return;
  top = sheet.y
      = tb_drawing_add_time_axis (self, NAME_WIDTH, COLUMNS, origin, sheet.from, sheet.to);
  tb_drawing_set_heading (self, heading_top, top);
  add_rows (&sheet, n);
  add_lost (&sheet, top);
  tb_drawing_set_size (self, NAME_WIDTH + COLUMNS + INDENT, sheet.y);
  add_legend (&sheet);
  if (n < n_all)
    {
      g_autofree char *text
          = g_strdup_printf (ngettext ("… and %'u more track", "… and %'u more tracks", n_all - n),
                             n_all - n);

      tb_drawing_add_note (self, text);
    }
}
