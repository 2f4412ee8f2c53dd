/* tb-graph-label-places.c: places of the names of vertices and frames, and of edge labels, in a
 * graph that is drawn small, with text larger than the graph's scale
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#include "config.h"

#include <math.h>

#include "report/graph/tb-graph-layout-private.h"
#include "report/graph/tb-graph-label-places.h"

#define FRAME_NAME_LEFT 12.0  /* from the border of a frame to its name */
#define NAME_GAP 3.0          /* between a name and its vertex */
#define TEXT_CLEARANCE 1.0    /* around texts */
#define INDEX_ROW_HEIGHT 48.0 /* height of a row of the index of boxes, at the measured size */
#define LABELS_SCALE_MAX 2.   /* above this scale labels would hide the edges */

/* A box that is taken, in the index by rows of the scene. */
typedef struct
{
  TbGraphBox box;
  gconstpointer owner; /* item that the box does not block */
} TakenBox;

typedef struct
{
  const TbGraphScene *scene;
  double size;
  double row;
  guint n_rows;
  GArray **rows; /* TakenBox */
} BoxIndex;

static guint
get_row (const BoxIndex *boxes, double y)
{
  return (guint) CLAMP (y / boxes->row, 0, boxes->n_rows - 1);
}

static void
box_index_init (BoxIndex *boxes, const TbGraphScene *scene, double size)
{
  *boxes = (BoxIndex) { .scene = scene, .size = size, .row = INDEX_ROW_HEIGHT * size };
  boxes->n_rows = (guint) CLAMP (ceil (scene->layout->height / boxes->row), 1, 4096);
  boxes->rows = g_new (GArray *, boxes->n_rows);
  for (guint i = 0; i < boxes->n_rows; i++)
    boxes->rows[i] = g_array_new (FALSE, FALSE, sizeof (TakenBox));
}

static void
box_index_clear (BoxIndex *boxes)
{
  for (guint i = 0; i < boxes->n_rows; i++)
    g_array_unref (boxes->rows[i]);
  g_free (boxes->rows);
}

static void
add_taken (BoxIndex *boxes, const TbGraphBox *box, gconstpointer owner)
{
  TakenBox taken = { *box, owner };

  for (guint i = get_row (boxes, box->y); i <= get_row (boxes, box->y + box->height); i++)
    g_array_append_val (boxes->rows[i], taken);
}

static gboolean
is_free (const BoxIndex *boxes, const TbGraphBox *box, gconstpointer owner)
{
  for (guint i = get_row (boxes, box->y); i <= get_row (boxes, box->y + box->height); i++)
    for (guint k = 0; k < boxes->rows[i]->len; k++)
      {
        const TakenBox *taken = &g_array_index (boxes->rows[i], TakenBox, k);

        if (taken->owner != owner && box->x < taken->box.x + taken->box.width + TEXT_CLEARANCE
            && taken->box.x < box->x + box->width + TEXT_CLEARANCE
            && box->y < taken->box.y + taken->box.height && taken->box.y < box->y + box->height)
          return FALSE;
      }
  return TRUE;
}

/* Moves a box onto the sheet, so that it is not cut; FALSE if it is too large. */
static gboolean
clamp_to_sheet (const BoxIndex *boxes, TbGraphBox *box)
{
  double right = boxes->scene->layout->width - box->width,
         bottom = boxes->scene->layout->height - box->height;

  if (right < 0 || bottom < 0)
    return FALSE;
  box->x = CLAMP (box->x, 0, right);
  box->y = CLAMP (box->y, 0, bottom);
  return TRUE;
}

/* The box of a name at one of four sides. The first one is the side at the measured size. */
static TbGraphBox
get_name_box (const BoxIndex *boxes, guint node, guint side, gboolean is_short)
{
  static const char sides[][5] = { "besa", "ebas" }; /* below, end, start, above */
  const TbGraphScene *scene = boxes->scene;
  const TbGraphNode *info = &scene->nodes[node];
  TbGraphPoint centre = scene->layout->places[node].centre;
  double away = info->radius + NAME_GAP * boxes->size;
  double width = boxes->size * (is_short ? scene->short_names[node].width : info->label_width);
  double height = boxes->size * (is_short ? scene->short_names[node].height : info->label_height);
  guint set = scene->layout->flow == TB_GRAPH_FLOW_HORIZONTAL ? 0 : 1;
  TbGraphBox box = { centre.x - width / 2, centre.y - height / 2, width, height };

  switch (sides[set][side])
    {
    case 'b':
      box.y = centre.y + away;
      break;
    case 'a':
      box.y = centre.y - away - height;
      break;
    case 'e':
      box.x = scene->layout->is_mirrored ? centre.x - away - width : centre.x + away;
      break;
    default:
      box.x = scene->layout->is_mirrored ? centre.x + away : centre.x - away - width;
      break;
    }
  return box;
}

static gboolean
place_name (BoxIndex *boxes, guint node, gboolean is_short, TbGraphText *text)
{
  for (guint side = 0; side < 4; side++)
    {
      TbGraphBox box = get_name_box (boxes, node, side, is_short);

      if (!clamp_to_sheet (boxes, &box) || !is_free (boxes, &box, text))
        continue;
      *text = (TbGraphText) { box, TRUE, is_short };
      add_taken (boxes, &box, text);
      return TRUE;
    }
  return FALSE;
}

static void
take_vertices (BoxIndex *boxes)
{
  const TbGraphScene *scene = boxes->scene;

  for (guint i = 0; i < scene->n_nodes; i++)
    {
      double radius = scene->nodes[i].radius + 1;
      TbGraphPoint centre = scene->layout->places[i].centre;

      add_taken (boxes,
                 &(TbGraphBox) { centre.x - radius, centre.y - radius, 2 * radius, 2 * radius },
                 NULL);
    }
}

static int
compare_nodes (gconstpointer a, gconstpointer b, gpointer data)
{
  const TbGraphNode *nodes = data;
  guint one = *(const guint *) a, two = *(const guint *) b;

  if (nodes[one].radius != nodes[two].radius)
    return nodes[one].radius > nodes[two].radius ? -1 : 1;
  return one < two ? -1 : one > two;
}

/* Places as many names as have room, those of the largest vertices first, then their second
 * lines. */
static void
place_names (BoxIndex *boxes, TbGraphTexts *self)
{
  const TbGraphScene *scene = boxes->scene;
  g_autofree guint *order = g_new (guint, scene->n_nodes + 1);

  for (guint i = 0; i < scene->n_nodes; i++)
    order[i] = i;
  g_sort_array (order, scene->n_nodes, sizeof (guint), compare_nodes, scene->nodes);
  for (guint i = 0; i < scene->n_nodes; i++)
    if (scene->short_names[order[i]].width > 0)
      place_name (boxes, order[i], TRUE, &self->names[order[i]]);
  for (guint i = 0; i < scene->n_nodes; i++)
    if (self->names[order[i]].is_placed)
      place_name (boxes, order[i], FALSE, &self->names[order[i]]);
}

static void
place_labels (BoxIndex *boxes, TbGraphTexts *self)
{
  const TbGraphScene *scene = boxes->scene;

  /* Arcs are sorted by weight. */
  for (guint i = 0; i < scene->n_arcs && boxes->size <= LABELS_SCALE_MAX; i++)
    {
      TbGraphText *text = &self->labels[i];

      for (guint k = 0; scene->arcs[i].label_width > 0 && !text->is_placed; k++)
        {
          if (!tb_graph_get_label_box (scene->layout, &scene->arcs[i], i, k, boxes->size,
                                       &text->box))
            break;
          text->is_placed = clamp_to_sheet (boxes, &text->box) && is_free (boxes, &text->box, text);
        }
      if (text->is_placed)
        add_taken (boxes, &text->box, text);
    }
}

/* The box of a frame's name: within the frame or above it, first at the side where reading
 * begins. */
static TbGraphBox
get_frame_box (const TbGraphLayout *layout, guint group, double width, double height, guint side)
{
  const TbGraphBox *frame = &layout->groups[group];
  gboolean is_left = (side % 2 == 0) != layout->is_mirrored;

  return (TbGraphBox) { is_left ? frame->x + FRAME_NAME_LEFT
                                : frame->x + frame->width - FRAME_NAME_LEFT - width,
                        side < 2 ? frame->y + TB_GRAPH_FRAME_NAME_TOP : frame->y - height - 1,
                        width, height };
}

/* Places the names of frames where they are not blocked. A frame without such a place has no
 * name. */
static void
place_frames (BoxIndex *boxes, TbGraphTexts *self)
{
  const TbGraphLayout *layout = boxes->scene->layout;

  for (guint i = 0; i < layout->n_groups; i++)
    {
      double height = boxes->size * boxes->scene->frame_names[i].height;
      double width = MIN (boxes->size * boxes->scene->frame_names[i].width,
                          MAX (layout->groups[i].width - 2 * FRAME_NAME_LEFT, 0));
      TbGraphBox box;
      gboolean has_room = FALSE;

      for (guint side = 0; side < 4 && width > 0 && !has_room; side++)
        {
          box = get_frame_box (layout, i, width, height, side);
          has_room = boxes->size == 1
                     || (clamp_to_sheet (boxes, &box) && is_free (boxes, &box, &self->frames[i]));
        }
      if (!has_room)
        continue;
      self->frames[i] = (TbGraphText) { box, TRUE, FALSE };
      add_taken (boxes, &box, &self->frames[i]);
    }
}

/* At the measured size the layout has a place for every text. */
static void
copy_places (const TbGraphScene *scene, TbGraphTexts *self)
{
  for (guint i = 0; i < scene->n_nodes; i++)
    self->names[i]
        = (TbGraphText) { scene->layout->places[i].label, scene->nodes[i].label_width > 0, FALSE };
  for (guint i = 0; i < scene->n_arcs; i++)
    self->labels[i] = (TbGraphText) { scene->layout->routes[i].label,
                                      scene->layout->routes[i].has_label, FALSE };
}

/**
 * tb_graph_texts_new: (skip)
 * @scene: a scene with a layout
 * @size: scale of the text relative to its measured size, at least 1
 *
 * Places the texts of a graph that is drawn small while its text is not. The order is: names of
 * frames, names of the largest vertices, their second lines, labels of the heaviest edges. No text
 * overlaps another text or a vertex.
 *
 * Returns: (transfer full): the places of the texts
 */
TbGraphTexts *
tb_graph_texts_new (const TbGraphScene *scene, double size)
{
  TbGraphTexts *self;
  BoxIndex boxes;

  g_return_val_if_fail (scene != NULL && scene->layout != NULL, NULL);
  g_return_val_if_fail (size >= 1, NULL);

  self = g_new0 (TbGraphTexts, 1);
  self->size = size;
  self->names = g_new0 (TbGraphText, scene->n_nodes + 1);
  self->labels = g_new0 (TbGraphText, scene->n_arcs + 1);
  self->frames = g_new0 (TbGraphText, scene->layout->n_groups + 1);
  box_index_init (&boxes, scene, size);
  if (size > 1)
    {
      take_vertices (&boxes);
      place_frames (&boxes, self);
      place_names (&boxes, self);
      place_labels (&boxes, self);
    }
  else
    {
      copy_places (scene, self);
      place_frames (&boxes, self);
    }
  box_index_clear (&boxes);
  return self;
}

/**
 * tb_graph_texts_free: (skip)
 * @self: (nullable): the places of texts
 *
 * Frees the places of texts.
 */
void
tb_graph_texts_free (TbGraphTexts *self)
{
  if (self == NULL)
    return;
  g_free (self->names);
  g_free (self->labels);
  g_free (self->frames);
  g_free (self);
}
