/* tb-flame-time.c: positions of the boxes of a chronological flame figure, with narrow or equal
 * neighbours merged; lines of its lanes; look-up of the node at a time, or next to another
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#include "config.h"

#include "widgets/flame/tb-flame-private.h"

/* Number of nodes of a merged box that are examined to choose its look. */
#define MAX_EXAMINED 256

/**
 * TbFlameLines:
 *
 * Lanes are stacked. Where they have names, there is a line for the name between them.
 */
TbFlameLines *
tb_flame_lines_new (TbFlameFigure *figure)
{
  TbFlameLines *self = g_new0 (TbFlameLines, 1);
  guint n_lanes = tb_flame_figure_get_n_lanes (figure);

  self->base = g_new (guint, n_lanes + 1);
  self->label = g_new (guint, n_lanes + 1);
  for (guint lane = 0; lane < n_lanes; lane++)
    {
      gboolean named = n_lanes > 1 && *tb_flame_figure_get_lane_name (figure, lane) != '\0';

      self->label[lane] = named ? self->n++ : TB_ID_NONE;
      self->base[lane] = self->n;
      self->n += tb_flame_figure_get_lane_depth (figure, lane);
    }
  return self;
}

void
tb_flame_lines_free (TbFlameLines *self)
{
  g_free (self->base);
  g_free (self->label);
  g_free (self);
}

typedef struct
{
  TbFlameFigure *figure;
  const guint *nodes;
  const gint64 *reach;
  guint n;
  guint depth; /* line */
  gint64 from;
  gint64 to;
  double scale; /* pixels per ns */
  double least;
  GHashTable *joined; /* node + 1 → node + 1 of the box in which it is drawn */
} Row;

/* The first node of the row that ends after a time, if no node before it does. */
static guint
find_reaching (const gint64 *reach, guint first, guint n, gint64 time)
{
  guint last = n;

  while (first < last)
    {
      guint middle = first + (last - first) / 2;

      if (reach[middle] > time)
        last = middle;
      else
        first = middle + 1;
    }
  return first;
}

/* The first node of the row that begins at a time or later. */
static guint
find_beginning (const Row *row, guint first, gint64 time)
{
  guint last = row->n;

  while (first < last)
    {
      guint middle = first + (last - first) / 2;

      if (tb_flame_figure_get_node (row->figure, row->nodes[middle])->from >= time)
        last = middle;
      else
        first = middle + 1;
    }
  return first;
}

static double
get_x (const Row *row, gint64 time)
{
  return (double) (time - row->from) * row->scale;
}

static gboolean
nodes_look_equal (const TbFlameNode *one, const TbFlameNode *two)
{
  return one->name == two->name && one->module == two->module && one->paint == two->paint;
}

static guint
get_drawn (const Row *row, guint node)
{
  gpointer other = g_hash_table_lookup (row->joined, GUINT_TO_POINTER (node + 1));

  return other != NULL ? GPOINTER_TO_UINT (other) - 1 : node;
}

/* Whether a node is equal to that of the box which ends where it begins. The node then extends the
 * box. */
static gboolean
extends_box (const Row *row, const TbFlameBox *box, const TbFlameNode *node, double x)
{
  const TbFlameNode *before;

  if (box == NULL || box->depth != row->depth || box->n_merged > 0 || x > box->x + box->width + 1)
    return FALSE;
  before = tb_flame_figure_get_node (row->figure, box->node);
  return nodes_look_equal (before, node)
         && get_drawn (row, before->parent) == get_drawn (row, node->parent);
}

/* Skips nodes that begin within the least width of a box and do not extend beyond it. Returns the
 * first one after them. */
static guint
skip_narrow (const Row *row, guint i, double x, double *end)
{
  gint64 end_time = row->from + (gint64) ((x + row->least) / row->scale) + 1;
  guint next = find_beginning (row, i + 1, MIN (end_time, row->to));

  next = CLAMP (find_reaching (row->reach, i + 1, next, end_time), i + 1, next);
  *end = CLAMP (get_x (row, row->reach[next - 1]), x, x + row->least);
  return next;
}

/* The longest node determines the look of the box. */
static guint
find_longest (const Row *row, guint first, guint last, gboolean *equal)
{
  const TbFlameNode *longest = NULL;
  guint found = TB_ID_NONE;

  *equal = last - first <= MAX_EXAMINED;
  for (guint i = first; i < MIN (last, first + MAX_EXAMINED); i++)
    {
      const TbFlameNode *node = tb_flame_figure_get_node (row->figure, row->nodes[i]);

      *equal = *equal && (longest == NULL || nodes_look_equal (longest, node));
      if (longest != NULL && node->to - node->from <= longest->to - longest->from)
        continue;
      longest = node;
      found = row->nodes[i];
    }
  return found;
}

/* Places the narrow nodes from i on in one box with the look of the longest. Returns the index
 * after them. */
static guint
lay_narrow (const Row *row, guint i, double x, GArray *boxes)
{
  TbFlameBox *last = boxes->len > 0 ? &g_array_index (boxes, TbFlameBox, boxes->len - 1) : NULL;
  TbFlameBox box = { .depth = row->depth, .x = x };
  double end;
  guint next = skip_narrow (row, i, x, &end);

  box.node = find_longest (row, i, next, &box.equal);
  box.width = MAX (end - x, 1);
  if (next - i > 1)
    {
      box.n_merged = next - i;
      box.first_merged = row->nodes[i];
    }
  if (last != NULL && last->depth == row->depth && last->n_merged > 0 && box.n_merged > 0
      && x <= last->x + last->width + 1)
    {
      const TbFlameNode *before = tb_flame_figure_get_node (row->figure, last->node);
      const TbFlameNode *node = tb_flame_figure_get_node (row->figure, box.node);

      if (before->paint == node->paint)
        {
          last->width = x + box.width - last->x;
          last->n_merged += box.n_merged;
          last->equal = last->equal && box.equal && nodes_look_equal (before, node);
          return next;
        }
    }
  g_array_append_val (boxes, box);
  return next;
}

/* Extends a box by equal nodes. Gaps of less than a pixel between them are invisible. */
static guint
lay_joined (const Row *row, guint i, double x, double end, GArray *boxes)
{
  TbFlameBox *box = &g_array_index (boxes, TbFlameBox, boxes->len - 1);
  guint next = i + 1;
  double narrow_end = end;

  if (end - x < row->least)
    next = skip_narrow (row, i, x, &narrow_end);
  box->width = MAX (box->width, MAX (end, narrow_end) - box->x);
  box->total += tb_flame_figure_get_node (row->figure, row->nodes[i])->total;
  g_hash_table_insert (row->joined, GUINT_TO_POINTER (row->nodes[i] + 1),
                       GUINT_TO_POINTER (box->node + 1));
  return next;
}

static void
lay_row (const Row *row, GArray *boxes)
{
  guint i = find_reaching (row->reach, 0, row->n, row->from);

  while (i < row->n)
    {
      const TbFlameNode *node = tb_flame_figure_get_node (row->figure, row->nodes[i]);
      TbFlameBox box = { .node = row->nodes[i], .depth = row->depth, .total = node->total };
      TbFlameBox *last = boxes->len > 0 ? &g_array_index (boxes, TbFlameBox, boxes->len - 1) : NULL;
      double end;

      if (node->from >= row->to)
        break;
      if (node->to <= row->from)
        {
          i++; /* it was examined because an earlier node is longer */
          continue;
        }
      box.x = get_x (row, MAX (node->from, row->from));
      end = get_x (row, MIN (node->to, row->to));
      box.width = end - box.x;
      if (extends_box (row, last, node, box.x))
        i = lay_joined (row, i, box.x, end, boxes);
      else if (box.width < row->least)
        i = lay_narrow (row, i, box.x, boxes);
      else
        {
          g_array_append_val (boxes, box);
          i++;
        }
    }
}

GArray *
tb_flame_layout_time (TbFlameFigure *figure,
                      const TbFlameLines *lines,
                      gint64 from,
                      gint64 to,
                      double width,
                      double least)
{
  GArray *boxes = g_array_new (FALSE, FALSE, sizeof (TbFlameBox));
  g_autoptr (GHashTable) joined = g_hash_table_new (NULL, NULL);

  for (guint lane = 0; lane < tb_flame_figure_get_n_lanes (figure); lane++)
    for (guint depth = 0; depth < tb_flame_figure_get_lane_depth (figure, lane); depth++)
      {
        Row row = { .figure = figure, .from = from, .to = to, .least = least, .joined = joined };

        row.depth = lines->base[lane] + depth;
        row.scale = width / (double) MAX (to - from, 1);
        row.nodes = tb_flame_figure_get_row (figure, lane, depth, &row.n, &row.reach);
        lay_row (&row, boxes);
      }
  return boxes;
}

guint
tb_flame_find_at (TbFlameFigure *figure, guint lane, guint depth, gint64 time)
{
  Row row = { .figure = figure };

  if (depth >= tb_flame_figure_get_lane_depth (figure, lane))
    return TB_ID_NONE;
  row.nodes = tb_flame_figure_get_row (figure, lane, depth, &row.n, &row.reach);
  /* The last node that begins before the time is drawn on top. */
  for (guint i = find_beginning (&row, 0, time + 1); i-- > 0 && row.reach[i] > time;)
    if (tb_flame_figure_get_node (figure, row.nodes[i])->to > time)
      return row.nodes[i];
  return TB_ID_NONE;
}

guint
tb_flame_find_neighbour (TbFlameFigure *figure, guint node, int direction)
{
  const TbFlameNode *info = tb_flame_figure_get_node (figure, node);
  Row row = { .figure = figure };
  guint i;

  row.nodes = tb_flame_figure_get_row (figure, info->lane, info->depth, &row.n, NULL);
  for (i = find_beginning (&row, 0, info->from); i < row.n && row.nodes[i] != node;)
    i++;
  if (direction < 0)
    return i > 0 ? row.nodes[i - 1] : TB_ID_NONE;
  return i + 1 < row.n ? row.nodes[i + 1] : TB_ID_NONE;
}
