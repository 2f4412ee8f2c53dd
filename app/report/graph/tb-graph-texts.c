/* tb-graph-texts.c: placement of enlarged texts in a graph that is drawn small
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#include "config.h"

#include <math.h>

#include "report/graph/tb-graph-layout-private.h"
#include "report/graph/tb-graph-texts.h"

#define FRAME_NAME_LEFT 12.0 /* from the border of a frame to its name */
#define AWAY 3.0             /* between a name and its vertex */
#define CLEAR 1.0            /* around texts */
#define ROW 48.0             /* height of a row of the index of boxes, at the measured size */
#define LABELS_MOST 2.       /* above this scale labels would hide the edges */

/* A box that is taken, in the index by rows of the scene. */
typedef struct
{
  TbGraphBox box;
  gconstpointer owner; /* item that the box does not block */
} Taken;

typedef struct
{
  const TbGraphScene *scene;
  double size;
  double row;
  guint n_rows;
  GArray **rows; /* Taken */
} Room;

static guint
get_row (const Room *room, double y)
{
  return (guint) CLAMP (y / room->row, 0, room->n_rows - 1);
}

static void
room_init (Room *room, const TbGraphScene *scene, double size)
{
  *room = (Room) { .scene = scene, .size = size, .row = ROW * size };
  room->n_rows = (guint) CLAMP (ceil (scene->layout->height / room->row), 1, 4096);
  room->rows = g_new (GArray *, room->n_rows);
  for (guint i = 0; i < room->n_rows; i++)
    room->rows[i] = g_array_new (FALSE, FALSE, sizeof (Taken));
}

static void
room_clear (Room *room)
{
  for (guint i = 0; i < room->n_rows; i++)
    g_array_unref (room->rows[i]);
  g_free (room->rows);
}

static void
take (Room *room, const TbGraphBox *box, gconstpointer owner)
{
  Taken taken = { *box, owner };

  for (guint i = get_row (room, box->y); i <= get_row (room, box->y + box->height); i++)
    g_array_append_val (room->rows[i], taken);
}

static gboolean
is_free (const Room *room, const TbGraphBox *box, gconstpointer owner)
{
  for (guint i = get_row (room, box->y); i <= get_row (room, box->y + box->height); i++)
    for (guint k = 0; k < room->rows[i]->len; k++)
      {
        const Taken *taken = &g_array_index (room->rows[i], Taken, k);

        if (taken->owner != owner && box->x < taken->box.x + taken->box.width + CLEAR
            && taken->box.x < box->x + box->width + CLEAR && box->y < taken->box.y + taken->box.height
            && taken->box.y < box->y + box->height)
          return FALSE;
      }
  return TRUE;
}

/* Moves a box onto the sheet, so that it is not cut; FALSE if it is too large. */
static gboolean
keep_on_sheet (const Room *room, TbGraphBox *box)
{
  double right = room->scene->layout->width - box->width, bottom = room->scene->layout->height - box->height;

  if (right < 0 || bottom < 0)
    return FALSE;
  box->x = CLAMP (box->x, 0, right);
  box->y = CLAMP (box->y, 0, bottom);
  return TRUE;
}

/* The box of a name at one of four sides. The first one is the side at the measured size. */
static TbGraphBox
get_name_box (const Room *room, guint node, guint way, gboolean is_short)
{
  static const char ways[][5] = { "besa", "ebas" }; /* below, end, start, above */
  const TbGraphScene *scene = room->scene;
  const TbGraphNode *info = &scene->nodes[node];
  TbGraphPoint centre = scene->layout->places[node].centre;
  double away = info->radius + AWAY * room->size;
  double width = room->size * (is_short ? scene->short_names[node].width : info->label_width);
  double height = room->size * (is_short ? scene->short_names[node].height : info->label_height);
  guint set = scene->layout->flow == TB_GRAPH_ACROSS ? 0 : 1;
  TbGraphBox box = { centre.x - width / 2, centre.y - height / 2, width, height };

  switch (ways[set][way])
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
place_name (Room *room, guint node, gboolean is_short, TbGraphText *text)
{
  for (guint way = 0; way < 4; way++)
    {
      TbGraphBox box = get_name_box (room, node, way, is_short);

      if (!keep_on_sheet (room, &box) || !is_free (room, &box, text))
        continue;
      *text = (TbGraphText) { box, TRUE, is_short };
      take (room, &box, text);
      return TRUE;
    }
  return FALSE;
}

static void
take_vertices (Room *room)
{
  const TbGraphScene *scene = room->scene;

  for (guint i = 0; i < scene->n_nodes; i++)
    {
      double radius = scene->nodes[i].radius + 1;
      TbGraphPoint centre = scene->layout->places[i].centre;

      take (room, &(TbGraphBox) { centre.x - radius, centre.y - radius, 2 * radius, 2 * radius }, NULL);
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
place_names (Room *room, TbGraphTexts *self)
{
  const TbGraphScene *scene = room->scene;
  g_autofree guint *order = g_new (guint, scene->n_nodes + 1);

  for (guint i = 0; i < scene->n_nodes; i++)
    order[i] = i;
  g_sort_array (order, scene->n_nodes, sizeof (guint), compare_nodes, scene->nodes);
  for (guint i = 0; i < scene->n_nodes; i++)
    if (scene->short_names[order[i]].width > 0)
      place_name (room, order[i], TRUE, &self->names[order[i]]);
  for (guint i = 0; i < scene->n_nodes; i++)
    if (self->names[order[i]].is_written)
      place_name (room, order[i], FALSE, &self->names[order[i]]);
}

static void
place_labels (Room *room, TbGraphTexts *self)
{
  const TbGraphScene *scene = room->scene;

  /* Arcs are sorted by weight. */
  for (guint i = 0; i < scene->n_arcs && room->size <= LABELS_MOST; i++)
    {
      TbGraphText *text = &self->labels[i];

      for (guint k = 0; scene->arcs[i].label_width > 0 && !text->is_written; k++)
        {
          if (!tb_graph_get_label_box (scene->layout, &scene->arcs[i], i, k, room->size, &text->box))
            break;
          text->is_written = keep_on_sheet (room, &text->box) && is_free (room, &text->box, text);
        }
      if (text->is_written)
        take (room, &text->box, text);
    }
}

/* The box of a frame's name: within the frame or above it, first at the side where reading
 * begins. */
static TbGraphBox
get_frame_box (const TbGraphLayout *layout, guint group, double width, double height, guint way)
{
  const TbGraphBox *frame = &layout->groups[group];
  gboolean is_left = (way % 2 == 0) != layout->is_mirrored;

  return (TbGraphBox) { is_left ? frame->x + FRAME_NAME_LEFT
                                : frame->x + frame->width - FRAME_NAME_LEFT - width,
                        way < 2 ? frame->y + TB_GRAPH_FRAME_NAME_TOP : frame->y - height - 1, width, height };
}

/* Places the names of frames where they are not blocked. A frame without such a place has no
 * name. */
static void
place_frames (Room *room, TbGraphTexts *self)
{
  const TbGraphLayout *layout = room->scene->layout;

  for (guint i = 0; i < layout->n_groups; i++)
    {
      double height = room->size * room->scene->frame_names[i].height;
      double width = MIN (room->size * room->scene->frame_names[i].width,
                          MAX (layout->groups[i].width - 2 * FRAME_NAME_LEFT, 0));
      TbGraphBox box;
      gboolean has_room = FALSE;

      for (guint way = 0; way < 4 && width > 0 && !has_room; way++)
        {
          box = get_frame_box (layout, i, width, height, way);
          has_room
              = room->size == 1 || (keep_on_sheet (room, &box) && is_free (room, &box, &self->frames[i]));
        }
      if (!has_room)
        continue;
      self->frames[i] = (TbGraphText) { box, TRUE, FALSE };
      take (room, &box, &self->frames[i]);
    }
}

/* At the measured size the layout has a place for every text. */
static void
copy_places (const TbGraphScene *scene, TbGraphTexts *self)
{
  for (guint i = 0; i < scene->n_nodes; i++)
    self->names[i] = (TbGraphText) { scene->layout->places[i].label, scene->nodes[i].label_width > 0, FALSE };
  for (guint i = 0; i < scene->n_arcs; i++)
    self->labels[i]
        = (TbGraphText) { scene->layout->routes[i].label, scene->layout->routes[i].has_label, FALSE };
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
  Room room;

  g_return_val_if_fail (scene != NULL && scene->layout != NULL, NULL);
  g_return_val_if_fail (size >= 1, NULL);

  self = g_new0 (TbGraphTexts, 1);
  self->size = size;
  self->names = g_new0 (TbGraphText, scene->n_nodes + 1);
  self->labels = g_new0 (TbGraphText, scene->n_arcs + 1);
  self->frames = g_new0 (TbGraphText, scene->layout->n_groups + 1);
  room_init (&room, scene, size);
  if (size > 1)
    {
      take_vertices (&room);
      place_frames (&room, self);
      place_names (&room, self);
      place_labels (&room, self);
    }
  else
    {
      copy_places (scene, self);
      place_frames (&room, self);
    }
  room_clear (&room);
  return self;
}

/**
 * tb_graph_texts_free: (skip)
 * @self: (nullable): the places of texts
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
