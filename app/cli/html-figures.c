/* html-figures.c: timelines, flames and tables on a page
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#include "config.h"

#include <glib/gi18n.h>

#include "html.h"

#define COLUMNS 800
#define NAME_WIDTH 190
#define ROW 18
#define TRACKS_MAX 150
#define FLAME_WIDTH 1000
#define FLAME_ROW 17
#define FLAME_DEPTH_MAX 80
#define FLAME_NODES_MAX 4000
#define TABLE_ROWS_MAX 300

/* The look of a column of a track: what lasts longest; where that is a wait, what else occurs, in half height. */
static void
choose_look (const TbTimelineCoverage *coverage, guint *paint, gboolean *is_small)
{
  guint longest = TB_PAINT_NONE;
  guint other = TB_PAINT_NONE;

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

static void
append_stretch (GString **paths, guint paint, gboolean is_small, guint from, guint to, guint y)
{
  guint height = paint == TB_PAINT_WAITING ? 3 : is_small ? 7 : 12;

  if (paint == TB_PAINT_NONE || from == to)
    return;
  if (!paths[paint])
    paths[paint] = g_string_new (NULL);
  g_string_append_printf (paths[paint], "M%u %uh%uv%uh-%uz", NAME_WIDTH + from, y + (ROW - height) / 2,
                          to - from, height, to - from);
}

static void
append_track (GString *page, TbTimelineFigure *figure, guint track, guint y, guint32 *present)
{
  GString *paths[TB_N_PAINTS] = { NULL };
  guint last = TB_PAINT_NONE;
  gboolean last_small = FALSE;
  guint first = 0;
  gint64 from;
  gint64 to;

  tb_timeline_figure_get_range (figure, &from, &to);
  for (guint column = 0; column < COLUMNS; column++)
    {
      double step = (double) (to - from) / COLUMNS;
      TbTimelineCoverage coverage;
      gboolean is_small;
      guint paint;

      tb_timeline_figure_get_coverage (figure, track, from + (gint64) (step * column),
                                       from + (gint64) (step * (column + 1)), &coverage);
      choose_look (&coverage, &paint, &is_small);
      *present |= coverage.present;
      if (paint != last || is_small != last_small)
        {
          append_stretch (paths, last, last_small, first, column, y);
          last = paint;
          last_small = is_small;
          first = column;
        }
    }
  append_stretch (paths, last, last_small, first, COLUMNS, y);
  for (guint paint = 0; paint < TB_N_PAINTS; paint++)
    if (paths[paint])
      {
        html_append (page, "<path class=\"p-%s\" d=\"%s\"/>", tb_paint_get_name (paint), paths[paint]->str);
        g_string_free (paths[paint], TRUE);
      }
}

static void
append_name (GString *page, const char *name, const char *class, guint x, guint y)
{
  g_autofree char *shown = NULL;

  if (g_utf8_strlen (name, -1) > 28)
    {
      g_autofree char *start = g_utf8_substring (name, 0, 27);

      shown = g_strconcat (start, "…", NULL);
    }
  html_append (page, "<text class=\"%s\" x=\"%u\" y=\"%u\">", class, x, y);
  html_append_text (page, shown ? shown : name);
  g_string_append (page, "</text>");
}

static void
append_lost (GString *page, TbTimelineFigure *figure, guint height)
{
  gint64 from;
  gint64 to;

  tb_timeline_figure_get_range (figure, &from, &to);
  for (guint i = 0; i < MIN (tb_timeline_figure_get_n_lost (figure), 1000) && to > from; i++)
    {
      gint64 start;
      gint64 end;
      double x;

      tb_timeline_figure_get_lost (figure, i, NULL, &start, &end, NULL);
      x = (double) (CLAMP (start, from, to) - from) / (to - from) * COLUMNS;
      html_append (page, "<rect class=\"lost\" x=\"%d\" y=\"20\" width=\"%d\" height=\"%u\"/>",
                   NAME_WIDTH + (int) x,
                   MAX (1, (int) ((double) (CLAMP (end, from, to) - from) / (to - from) * COLUMNS - x)),
                   height - 20);
    }
}

static void
append_legend (GString *page, guint32 present)
{
  g_string_append (page, "<div class=\"legend\">");
  for (guint paint = 1; paint < TB_N_PAINTS; paint++)
    if (present & 1u << paint)
      {
        html_append (
            page, "<span><svg viewBox=\"0 0 12 12\"><rect class=\"p-%s\" width=\"12\" height=\"12\"/></svg>",
            tb_paint_get_name (paint));
        html_append_text (page, tb_paint_get_label (paint));
        g_string_append (page, "</span>");
      }
  g_string_append (page, "</div>");
}

static void
append_rows (GString *page, TbTimelineFigure *figure, guint n, guint *y, guint32 *present)
{
  const char *group = "";

  for (guint i = 0; i < n; i++)
    {
      TbTimelineTrack track;

      tb_timeline_figure_get_track (figure, i, &track);
      if (*track.group && strcmp (group, track.group) != 0)
        {
          append_name (page, track.group, "g", 0, *y + 13);
          *y += ROW;
        }
      group = track.group;
      append_name (page, track.name, "", *group ? 10 : 0, *y + 13);
      append_track (page, figure, i, *y, present);
      *y += ROW;
    }
}

void
html_append_timeline (GString *page, TbTimelineFigure *figure)
{
  g_autoptr (GString) rows = g_string_new (NULL);
  g_autofree char *length = NULL;
  guint n_all = tb_timeline_figure_get_n_tracks (figure);
  guint n = MIN (n_all, TRACKS_MAX);
  guint32 present = 0;
  guint y = 24;
  gint64 from;
  gint64 to;

  tb_timeline_figure_get_range (figure, &from, &to);
  length = tb_format_duration (to - from);
  append_rows (rows, figure, n, &y, &present);
  html_append (page, "<svg role=\"img\" viewBox=\"0 0 %u %u\">", NAME_WIDTH + COLUMNS, y);
  html_append (page, "<path class=\"axis\" d=\"M%u 18h%u\"/><text class=\"d\" x=\"%u\" y=\"12\">0</text>",
               NAME_WIDTH, COLUMNS, NAME_WIDTH);
  html_append (page, "<text class=\"d\" x=\"%u\" y=\"12\" text-anchor=\"end\">%s</text>",
               NAME_WIDTH + COLUMNS, length);
  g_string_append (page, rows->str);
  append_lost (page, figure, y);
  g_string_append (page, "</svg>\n");
  append_legend (page, present);
  if (n < n_all)
    html_append (page,
                 ngettext ("<p class=\"note\">… and %u more track</p>",
                           "<p class=\"note\">… and %u more tracks</p>", n_all - n),
                 n_all - n);
}

static char *
format_weight (TbFlameFigure *figure, guint64 weight)
{
  if (strcmp (tb_flame_figure_get_unit (figure), "ns") == 0)
    return tb_format_duration ((gint64) MIN (weight, (guint64) G_MAXINT64));
  return g_strdup_printf ("%" G_GUINT64_FORMAT " %s", weight, tb_flame_figure_get_unit (figure));
}

/* Where boxes are: as wide as what they weigh, or where they were in time. Lanes are one above the other. */
typedef struct
{
  TbFlameFigure *figure;
  guint *lane_rows; /* by lane: the row of its roots */
  guint n_rows;
  double scale;
  gboolean chronological;
  gint64 from;
} Plan;

static void
append_box (GString *page, const Plan *plan, const TbFlameNode *node, double x, double width)
{
  g_autofree char *weight = format_weight (plan->figure, node->total);
  g_autofree char *share
      = tb_format_share ((double) node->total / MAX (tb_flame_figure_get_total (plan->figure), 1));
  guint y = (plan->lane_rows[node->lane] + node->depth) * FLAME_ROW;
  char left[G_ASCII_DTOSTR_BUF_SIZE];
  char size[G_ASCII_DTOSTR_BUF_SIZE];
  guint room = width / 6.4;

  g_ascii_formatd (left, sizeof left, "%.1f", x);
  g_ascii_formatd (size, sizeof size, "%.1f", width);
  html_append (page, "<g><title>");
  html_append_text (page, node->name);
  if (*node->module)
    {
      g_string_append (page, " [");
      html_append_text (page, node->module);
      g_string_append_c (page, ']');
    }
  if (*node->detail)
    {
      g_string_append (page, " (");
      html_append_text (page, node->detail);
      g_string_append_c (page, ')');
    }
  html_append (page,
               " %s, %s</title><rect class=\"f-%s\" x=\"%s\" y=\"%u\" width=\"%s\" height=\"%d\" rx=\"2\"/>",
               weight, share, tb_flame_paint_get_name (node->paint), left, y, size, FLAME_ROW - 1);
  if (room >= 4)
    {
      g_autofree char *start
          = g_utf8_strlen (node->name, -1) > room ? g_utf8_substring (node->name, 0, room - 1) : NULL;
      g_autofree char *cut = start ? g_strconcat (start, "…", NULL) : NULL;

      html_append (page, "<text%s x=\"%s\" y=\"%u\" dx=\"3\">",
                   node->paint == TB_FLAME_PROCESS ? " class=\"g\"" : "", left, y + 12);
      html_append_text (page, cut ? cut : node->name);
      g_string_append (page, "</text>");
    }
  g_string_append (page, "</g>\n");
}

typedef struct
{
  guint node;
  double x;
} Place;

/* Draws what is a pixel wide or wider. */
static void
append_boxes (GString *page, Plan *plan)
{
  g_autoptr (GArray) stack = g_array_new (FALSE, FALSE, sizeof (Place));
  Place place = { tb_flame_figure_get_first_root (plan->figure), 0 };
  guint lane = 0;
  guint n_boxes = 0;

  g_array_append_val (stack, place);
  while (stack->len > 0 && n_boxes < FLAME_NODES_MAX)
    {
      const TbFlameNode *node;
      double width;
      Place child;

      place = g_array_index (stack, Place, stack->len - 1);
      g_array_set_size (stack, stack->len - 1);
      if (place.node == TB_ID_NONE)
        continue;
      node = tb_flame_figure_get_node (plan->figure, place.node);
      if (node->parent == TB_ID_NONE && node->lane != lane)
        place.x = 0;
      if (node->parent == TB_ID_NONE)
        lane = node->lane;
      width = (double) (node->total - node->beyond) * plan->scale;
      if (plan->chronological)
        {
          place.x = (double) (node->from - plan->from) * plan->scale;
          width = (double) (node->to - node->from) * plan->scale;
        }
      child = (Place) { node->first_child, place.x };
      place = (Place) { node->next_sibling, place.x + (double) node->total * plan->scale };
      g_array_append_val (stack, place);
      if ((plan->chronological ? width : (double) node->total * plan->scale) < 1
          || node->depth >= FLAME_DEPTH_MAX)
        continue;
      append_box (page, plan, node, child.x, MAX (width, 1));
      n_boxes++;
      plan->n_rows = MAX (plan->n_rows, plan->lane_rows[node->lane] + node->depth + 1);
      g_array_append_val (stack, child);
    }
}

static void
append_categories (GString *page, TbFlameFigure *figure)
{
  guint64 total = MAX (tb_flame_figure_get_total (figure), 1);

  if (tb_flame_figure_get_n_categories (figure) == 0)
    return;
  g_string_append (page, "<div class=\"legend\">");
  for (guint i = 0; i < tb_flame_figure_get_n_categories (figure); i++)
    {
      const TbFlameCategory *category = tb_flame_figure_get_category (figure, i);
      g_autofree char *share = tb_format_share ((double) category->own / (double) total);

      if (category->own == 0)
        continue;
      html_append (page,
                   "<span><svg viewBox=\"0 0 1 1\"><rect class=\"f-%s\" width=\"1\" height=\"1\"/></svg>",
                   tb_flame_paint_get_name (category->paint));
      html_append_text (page, category->name);
      html_append (page, " %s</span>", share);
    }
  g_string_append (page, "</div>\n");
}

void
html_append_flame (GString *page, TbFlameFigure *figure)
{
  g_autoptr (GString) boxes = g_string_new (NULL);
  g_autofree char *weight = format_weight (figure, tb_flame_figure_get_total (figure));
  guint n_lanes = tb_flame_figure_get_n_lanes (figure);
  g_autofree guint *lane_rows = g_new0 (guint, n_lanes + 1);
  Plan plan = { .figure = figure, .lane_rows = lane_rows };
  gint64 to;

  plan.chronological = tb_flame_figure_get_chronological (figure, &plan.from, &to);
  plan.scale = FLAME_WIDTH
               / (plan.chronological ? (double) (to - plan.from)
                                     : (double) MAX (tb_flame_figure_get_total (figure), 1));
  for (guint i = 0; i < n_lanes; i++)
    lane_rows[i + 1] = lane_rows[i] + MIN (tb_flame_figure_get_lane_depth (figure, i), FLAME_DEPTH_MAX)
                       + (i + 1 < n_lanes);
  append_boxes (boxes, &plan);

  html_append (page, "<p class=\"dim\">");
  html_append_text (page, weight);
  g_string_append (page, "</p>");
  if (plan.n_rows > 0)
    html_append (page, "<svg class=\"flame\" role=\"img\" viewBox=\"0 0 %d %u\">\n%s</svg>\n", FLAME_WIDTH,
                 plan.n_rows * FLAME_ROW, boxes->str);
  append_categories (page, figure);
}

void
html_append_table (GString *page, TbTableFigure *figure)
{
  guint n_columns = tb_table_figure_get_n_columns (figure);
  guint n_all = tb_table_figure_get_n_rows (figure);
  guint n_rows = MIN (n_all, TABLE_ROWS_MAX);

  g_string_append (page, "<table><thead><tr>");
  for (guint column = 0; column < n_columns; column++)
    {
      g_string_append (page, tb_table_figure_get_column_type (figure, column) == TB_CELL_TEXT
                                 ? "<th>"
                                 : "<th class=\"n\">");
      html_append_text (page, tb_table_figure_get_column_title (figure, column));
      g_string_append (page, "</th>");
    }
  g_string_append (page, "</tr></thead><tbody>\n");
  for (guint row = 0; row < n_rows; row++)
    {
      g_string_append (page, "<tr>");
      for (guint column = 0; column < n_columns; column++)
        {
          g_autofree char *cell = tb_table_figure_format_cell (figure, row, column);

          g_string_append (page, tb_table_figure_get_column_type (figure, column) == TB_CELL_TEXT
                                     ? "<td>"
                                     : "<td class=\"n\">");
          html_append_text (page, cell);
          g_string_append (page, "</td>");
        }
      g_string_append (page, "</tr>\n");
    }
  g_string_append (page, "</tbody></table>\n");
  if (n_rows < n_all)
    html_append (page,
                 ngettext ("<p class=\"note\">… and %u more row</p>",
                           "<p class=\"note\">… and %u more rows</p>", n_all - n_rows),
                 n_all - n_rows);
}
