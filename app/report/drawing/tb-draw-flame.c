/* tb-draw-flame.c: drawing of a flame figure as shapes: boxes with names and descriptions, lane by
 * lane, up to a limit of boxes; legend of the categories
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#include "config.h"

#include <glib/gi18n-lib.h>

#include "report/drawing/tb-drawing-private.h"
#include "report/flame/tb-flame-figure.h"
#include "report/tb-report.h"

#define ROW 17.
#define DEPTH_MAX 80
#define NODES_MAX 4000
#define NAME_WIDTH_MIN 26. /* px: minimum width of a box that gets a name */

/* The layout of the boxes. Their width is their weight, or in a chronological figure their time.
 * Lanes are drawn one above the other. */
typedef struct
{
  TbDrawing *drawing;
  TbFlameFigure *figure;
  guint *lane_rows; /* by lane: the row of the roots */
  double top;
  double scale;
  gboolean chronological;
  gint64 from;
  guint n_boxes;
  guint n_omitted;
} Plan;

static char *
format_weight (TbFlameFigure *figure, guint64 weight)
{
  return tb_format_amount (weight, tb_flame_figure_get_unit (figure));
}

static char *
describe (const Plan *plan, const TbFlameNode *node)
{
  g_autofree char *weight = format_weight (plan->figure, node->total);
  g_autofree char *share
      = tb_format_share ((double) node->total / MAX (tb_flame_figure_get_total (plan->figure), 1));
  GString *text = g_string_new (node->name);

  if (*node->module)
    g_string_append_printf (text, " [%s]", node->module);
  if (*node->detail)
    g_string_append_printf (text, " (%s)", node->detail);
  g_string_append_printf (text, " %s, %s", weight, share);
  return g_string_free (text, FALSE);
}

static void
add_box (Plan *plan, const TbFlameNode *node, double x, double width)
{
  g_autofree char *title = describe (plan, node);
  double y = plan->top + (plan->lane_rows[node->lane] + node->depth) * ROW;
  gboolean is_inferred = node->paint == TB_FLAME_INFERRED;

  plan->n_boxes++;
  tb_drawing_begin_group (plan->drawing, title);
  tb_drawing_add_box (plan->drawing, x, y, width, ROW - 1,
                      &(TbShape) { .fill = TB_INK_FLAME + node->paint,
                                   .stroke = TB_INK_SURFACE,
                                   .line_width = .6,
                                   .flags = is_inferred ? TB_SHAPE_HATCHED : 0,
                                   .radius = 2 });
  if (width >= NAME_WIDTH_MIN)
    tb_drawing_add_text (plan->drawing, x + 3, y + 12, width - 4,
                         &(TbShape) { .fill = TB_INK_ON_FLAME + node->paint,
                                      .flags
                                      = node->paint == TB_FLAME_PROCESS ? TB_SHAPE_BOLD : 0 },
                         node->name);
  tb_drawing_end_group (plan->drawing);
}

typedef struct
{
  guint node;
  double x;
} Place;

/* The visible part of a box; FALSE if it is not a pixel wide. */
static gboolean
place_box (const Plan *plan, const TbFlameNode *node, double *x, double *width)
{
  double left = *x, right = left + (double) (node->total - node->overhang) * plan->scale;

  if (plan->chronological)
    {
      left = ((double) node->from - (double) plan->from) * plan->scale;
      right = ((double) node->to - (double) plan->from) * plan->scale;
    }
  *x = MAX (left, 0);
  *width = MAX (MIN (right, DRAWING_WIDTH) - *x, 1);
  *x = MIN (*x, DRAWING_WIDTH - *width);
  return right > 0 && left < DRAWING_WIDTH
         && (plan->chronological ? right - left : (double) node->total * plan->scale) >= 1;
}

static void
add_boxes (Plan *plan)
{
  g_autoptr (GArray) stack = g_array_new (FALSE, FALSE, sizeof (Place));
  Place place = { tb_flame_figure_get_first_root (plan->figure), 0 };
  guint lane = 0;

  g_array_append_val (stack, place);
  while (stack->len > 0)
    {
      const TbFlameNode *node;
      double x, width;
      Place next;

      place = g_array_index (stack, Place, stack->len - 1);
      g_array_set_size (stack, stack->len - 1);
      if (place.node == TB_ID_NONE)
        continue;
      node = tb_flame_figure_get_node (plan->figure, place.node);
      if (node->parent == TB_ID_NONE && node->lane != lane)
        place.x = 0;
      if (node->parent == TB_ID_NONE)
        lane = node->lane;
      next = (Place) { node->next_sibling, place.x + (double) node->total * plan->scale };
      g_array_append_val (stack, next);
      x = place.x;
      if (!place_box (plan, node, &x, &width))
        continue;
      if (plan->n_boxes >= NODES_MAX || node->depth >= DEPTH_MAX)
        {
          plan->n_omitted++;
          continue;
        }
      add_box (plan, node, x, width);
      next = (Place) { node->first_child, place.x };
      g_array_append_val (stack, next);
    }
}

static void
add_categories (const Plan *plan)
{
  guint n = tb_flame_figure_get_n_categories (plan->figure), n_keys = 0;
  guint64 total = MAX (tb_flame_figure_get_total (plan->figure), 1);
  g_autofree TbDrawingKey *keys = g_new0 (TbDrawingKey, MAX (n, 1));

  for (guint i = 0; i < n; i++)
    {
      const TbFlameCategory *category = tb_flame_figure_get_category (plan->figure, i);
      g_autofree char *share = tb_format_share ((double) category->own / (double) total);

      if (category->own > 0)
        keys[n_keys++] = (TbDrawingKey) { TB_INK_FLAME + category->paint,
                                          g_strdup_printf ("%s %s", category->name, share) };
    }
  tb_drawing_add_legend (plan->drawing, 0, keys, n_keys);
}

void
tb_drawing_draw_flame (TbDrawing *self, TbFlameFigure *figure, gint64 from, gint64 to)
{
  guint n_lanes = tb_flame_figure_get_n_lanes (figure);
  g_autofree guint *lane_rows = g_new0 (guint, n_lanes + 1);
  Plan plan = { .drawing = self, .figure = figure, .lane_rows = lane_rows };
  double total = (double) MAX (tb_flame_figure_get_total (figure), 1);
  g_autofree char *weight = format_weight (figure, tb_flame_figure_get_total (figure));
  gint64 first, last;

  if (tb_flame_figure_get_n_nodes (figure) == 0)
    return;
  plan.chronological = tb_flame_figure_get_chronological (figure, &first, &last);
  if (plan.chronological)
    {
      plan.from = from != TB_TIME_NONE ? CLAMP (from, first, last) : first;
      total = MAX ((double) (to != TB_TIME_NONE ? CLAMP (to, plan.from, last) : last)
                       - (double) plan.from,
                   1);
      tb_drawing_add_time_axis (self, 0, DRAWING_WIDTH, first, plan.from,
                                plan.from + (gint64) total);
    }
  else
    {
      double y = tb_drawing_get_bottom (self) + TB_DRAWING_FONT_SIZE;

      tb_drawing_add_text (self, 0, y, DRAWING_WIDTH, &(TbShape) { .fill = TB_INK_DIM }, weight);
    }
  plan.top = tb_drawing_get_bottom (self) + 4;
  plan.scale = DRAWING_WIDTH / total;
  for (guint i = 0; i < n_lanes; i++)
    lane_rows[i + 1] = lane_rows[i] + MIN (tb_flame_figure_get_lane_depth (figure, i), DEPTH_MAX)
                       + (i + 1 < n_lanes);
  add_boxes (&plan);
  add_categories (&plan);
  if (plan.n_omitted > 0)
    {
      g_autofree char *text
          = g_strdup_printf (ngettext ("… and %'u more box, with all boxes on top of it",
                                       "… and %'u more boxes, with all boxes on top of them",
                                       plan.n_omitted),
                             plan.n_omitted);

      tb_drawing_add_note (self, text);
    }
}
