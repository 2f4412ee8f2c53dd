/* tb-flame-links.c: links between calls and the processes that worked for them, in a flame over
 * time: list of those that led to a node or that it made, and their drawing as arrows
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#include "config.h"

#include "widgets/flame/tb-flame-canvas-private.h"

/* Largest number of links of a box that can be distinguished. */
#define MAX_LINKS 64
/* In a box narrower than two arrow heads, the arrow of the answer would hide that of the
 * request. */
#define MIN_ANSWERED 14
#define REACH 11
#define HEAD 6
#define LINE_WIDTH 1.8f

static gboolean
is_called_process (TbFlameFigure *figure, guint node)
{
  const TbFlameNode *info = tb_flame_figure_get_node (figure, node);

  return info->paint == TB_FLAME_PROCESS && info->parent != TB_ID_NONE;
}

GArray *
tb_flame_list_links (TbFlameFigure *figure, guint node)
{
  GArray *links = g_array_new (FALSE, FALSE, sizeof (guint));

  /* The calls that led to the node, the nearest first. */
  for (guint at = node; at != TB_ID_NONE; at = tb_flame_figure_get_node (figure, at)->parent)
    if (is_called_process (figure, at))
      g_array_append_val (links, at);
  /* The calls that the node made itself. */
  for (guint child = tb_flame_figure_get_node (figure, node)->first_child;
       child != TB_ID_NONE && links->len < MAX_LINKS;
       child = tb_flame_figure_get_node (figure, child)->next_sibling)
    if (is_called_process (figure, child))
      g_array_append_val (links, child);
  return links;
}

static float
get_middle (const graphene_rect_t *bounds)
{
  return bounds->origin.y + bounds->size.height / 2;
}

/* The arrow goes around the edge at x, not through the boxes, whose names begin there. side: 1: to
 * the right, -1: to the left of the edge. */
static void
append_arrow (GtkSnapshot *snapshot,
              const GdkRGBA *color,
              float x,
              float side,
              float from,
              float to)
{
  g_autoptr (GskPathBuilder) curve = gsk_path_builder_new ();
  g_autoptr (GskPathBuilder) head = gsk_path_builder_new ();
  g_autoptr (GskPath) curve_path = NULL;
  g_autoptr (GskPath) head_path = NULL;
  g_autoptr (GskStroke) stroke = gsk_stroke_new (LINE_WIDTH);

  gsk_path_builder_move_to (curve, x, from);
  gsk_path_builder_cubic_to (curve, x + side * REACH, from, x + side * REACH, to, x + side * 2, to);
  curve_path = gsk_path_builder_free_to_path (g_steal_pointer (&curve));
  gtk_snapshot_append_stroke (snapshot, curve_path, stroke, color);

  gsk_path_builder_move_to (head, x, to);
  gsk_path_builder_line_to (head, x + side * HEAD, to - HEAD * .6f);
  gsk_path_builder_line_to (head, x + side * HEAD, to + HEAD * .6f);
  gsk_path_builder_close (head);
  head_path = gsk_path_builder_free_to_path (g_steal_pointer (&head));
  gtk_snapshot_append_fill (snapshot, head_path, GSK_FILL_RULE_WINDING, color);
}

/* Draws arrows from the call up to the process that worked for it, and from the end of that back to
 * the call that continued. */
static void
append_link (TbFlameCanvas *self, GtkSnapshot *snapshot, const GdkRGBA *color, guint process)
{
  const TbFlameNode *info = tb_flame_figure_get_node (self->figure, process);
  graphene_rect_t called, call;
  gint64 from, to;
  float left, right;

  if (!tb_flame_canvas_get_box (self, process, &called)
      || !tb_flame_canvas_get_box (self, info->parent, &call))
    return;
  tb_focus_get_view (self->lens, &from, &to);
  left = called.origin.x;
  right = called.origin.x + called.size.width;
  if (info->from >= from)
    append_arrow (snapshot, color, left, -1, get_middle (&call), get_middle (&called));
  if (info->to <= to && called.size.width >= MIN_ANSWERED)
    append_arrow (snapshot, color, right, 1, get_middle (&called), get_middle (&call));
}

void
tb_flame_canvas_append_links (TbFlameCanvas *self,
                              GtkSnapshot *snapshot,
                              const GdkRGBA *color,
                              guint node)
{
  g_autoptr (GArray) links = NULL;

  if (self->lens == NULL || node == TB_ID_NONE)
    return;
  links = tb_flame_list_links (self->figure, node);
  for (guint i = 0; i < links->len; i++)
    append_link (self, snapshot, color, g_array_index (links, guint, i));
}
