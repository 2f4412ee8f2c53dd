/* tb-flame-layout.c: positions of the boxes of a flame figure by weight: callees side by side, the
 * narrowest merged, and the callers of the zoomed node as whole lines
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#include "config.h"

#include "widgets/flame/tb-flame-private.h"

typedef struct
{
  guint first; /* first of the siblings */
  guint parent;
  guint depth;
  double x;
  double scale; /* pixels per unit of weight */
} Level;

/* Roots of different lanes are not siblings. */
static guint
get_next (TbFlameFigure *figure, guint node)
{
  const TbFlameNode *info = tb_flame_figure_get_node (figure, node);

  if (info->parent == TB_ID_NONE && info->next_sibling != TB_ID_NONE
      && tb_flame_figure_get_node (figure, info->next_sibling)->lane != info->lane)
    return TB_ID_NONE;
  return info->next_sibling;
}

static void
append_rest (TbFlameBox *rest, const Level *level, GArray *boxes)
{
  if (rest->n_merged == 0)
    return;
  rest->width = MAX ((double) rest->total * level->scale, 1);
  g_array_append_val (boxes, *rest);
  rest->n_merged = 0;
}

/* Appends a box for all siblings from a node on, which are the smallest ones. */
static void
append_smallest (TbFlameFigure *figure,
                 const Level *level,
                 guint node,
                 double x,
                 guint n_laid,
                 guint64 laid,
                 GArray *boxes)
{
  TbFlameBox rest = { .node = level->parent, .depth = level->depth, .first_merged = node, .x = x };

  if (level->parent != TB_ID_NONE)
    {
      const TbFlameNode *parent = tb_flame_figure_get_node (figure, level->parent);

      rest.n_merged = parent->n_children - n_laid;
      rest.total = parent->total - parent->own - laid;
    }
  else
    for (; node != TB_ID_NONE; node = get_next (figure, node))
      {
        rest.n_merged++;
        rest.total += tb_flame_figure_get_node (figure, node)->total;
      }
  append_rest (&rest, level, boxes);
}

/* Places siblings. Neighbours that would be too narrow share one box. Where siblings are sorted by
 * weight, all after the first one that is too narrow are also too narrow, and are not examined one
 * by one. */
static void
lay_siblings (TbFlameFigure *figure,
              const Level *level,
              double least,
              GArray *boxes,
              GArray *pending)
{
  gboolean by_name = tb_flame_figure_is_sorted_by_name (figure);
  TbFlameBox rest = { .n_merged = 0 };
  double x = level->x;
  guint64 laid = 0;
  guint n_laid = 0;

  for (guint node = level->first, next; node != TB_ID_NONE; node = next)
    {
      const TbFlameNode *info = tb_flame_figure_get_node (figure, node);
      double width = (double) info->total * level->scale;
      TbFlameBox box = { .node = node, .depth = level->depth, .total = info->total, .x = x };
      Level below = { info->first_child, node, level->depth + 1, x, level->scale };

      next = get_next (figure, node);
      /* A single narrow node needs the same room merged or not. */
      if (width < least && next != TB_ID_NONE && !by_name)
        {
          append_smallest (figure, level, node, x, n_laid, laid, boxes);
          return;
        }
      if (width < least && by_name)
        {
          if (rest.n_merged == 0)
            rest = (TbFlameBox) {
              .node = level->parent, .depth = level->depth, .first_merged = node, .x = x
            };
          rest.n_merged++;
          rest.total += info->total;
          x += width;
          continue;
        }
      append_rest (&rest, level, boxes);
      /* A box whose children take longer than itself leaves room next to it. */
      box.width = MAX ((double) (info->total - info->overhang) * level->scale, 1);
      g_array_append_val (boxes, box);
      if (info->first_child != TB_ID_NONE && width >= least)
        g_array_append_val (pending, below);
      x += width;
      laid += info->total;
      n_laid++;
    }
  append_rest (&rest, level, boxes);
}

static Level
begin_zoomed (TbFlameFigure *figure, guint zoomed, double width, GArray *boxes)
{
  const TbFlameNode *info = tb_flame_figure_get_node (figure, zoomed);

  /* The callers, each a whole line. */
  for (guint node = zoomed; node != TB_ID_NONE;)
    {
      const TbFlameNode *caller = tb_flame_figure_get_node (figure, node);
      TbFlameBox box
          = { .node = node, .depth = caller->depth, .total = caller->total, .width = width };

      g_array_append_val (boxes, box);
      node = caller->parent;
    }
  return (Level) { info->first_child, zoomed, info->depth + 1, 0,
                   info->total > 0 ? width / (double) info->total : 0 };
}

/* Each lane begins at the left. All lanes have the scale of the heaviest. */
static void
begin_lanes (TbFlameFigure *figure, double width, GArray *pending)
{
  g_autoptr (TbFlameLines) lines = tb_flame_lines_new (figure);
  guint64 heaviest = 0;
  guint64 weight = 0;
  guint lane = TB_ID_NONE;

  for (guint node = tb_flame_figure_get_first_root (figure); node != TB_ID_NONE;)
    {
      const TbFlameNode *info = tb_flame_figure_get_node (figure, node);
      Level level = { .first = node, .parent = TB_ID_NONE, .depth = lines->base[info->lane] };

      if (info->lane != lane)
        g_array_append_val (pending, level);
      weight = (info->lane == lane ? weight : 0) + info->total;
      heaviest = MAX (heaviest, weight);
      lane = info->lane;
      node = info->next_sibling;
    }
  for (guint i = 0; i < pending->len; i++)
    g_array_index (pending, Level, i).scale = heaviest > 0 ? width / (double) heaviest : 0;
  if (heaviest == 0)
    g_array_set_size (pending, 0);
}

GArray *
tb_flame_layout (TbFlameFigure *figure, guint zoomed, double width, double least, guint *depth)
{
  GArray *boxes = g_array_new (FALSE, FALSE, sizeof (TbFlameBox));
  g_autoptr (GArray) pending = g_array_new (FALSE, FALSE, sizeof (Level));

  if (zoomed != TB_ID_NONE)
    {
      Level level = begin_zoomed (figure, zoomed, width, boxes);

      if (level.first != TB_ID_NONE && level.scale > 0)
        g_array_append_val (pending, level);
    }
  else
    begin_lanes (figure, width, pending);

  /* First in, first out, so that the boxes of a lane are in order of depth. */
  for (guint i = 0; i < pending->len; i++)
    {
      Level level = g_array_index (pending, Level, i);

      lay_siblings (figure, &level, least, boxes, pending);
    }
  *depth = 0;
  for (guint i = 0; i < boxes->len; i++)
    *depth = MAX (*depth, g_array_index (boxes, TbFlameBox, i).depth + 1);
  return boxes;
}
