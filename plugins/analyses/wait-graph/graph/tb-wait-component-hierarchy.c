/* tb-wait-component-hierarchy.c: order in which vertices become strongly connected as edges are
 * added one by one, as a tree of components
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Removing edges one by one and searching for components each time would take as many passes as
 * there are edges. Instead, the edge that connects two vertices strongly is found for all edges at
 * once, by bisection of their order. Edges go into the first half if their ends are in one
 * component when the first half of the edges is present, and into the second half otherwise.
 */

#include "config.h"

#include "tb-wait-component-hierarchy.h"

#include "tb-wait-components.h"

#include <string.h>

#define NONE G_MAXUINT32

/* Edges with ends that may become connected between two times (inclusive). The last time means
 * never. */
typedef struct
{
  guint32 from;
  guint32 to;
  guint32 begin; /* position of the edges */
  guint32 end;
} Range;

typedef struct
{
  TbWaitHierarchy *hierarchy;
  const TbWaitLink *links;
  guint32 *above;  /* by vertex: next on the path to its representative */
  guint32 *set_of; /* by representative */
  guint32 *edges;
  guint32 *room;
  guint32 *number; /* by vertex: its number in the current graph; NONE: none */
} Builder;

static guint32
find (Builder *self, guint32 vertex)
{
  while (self->above[vertex] != vertex)
    {
      self->above[vertex] = self->above[self->above[vertex]];
      vertex = self->above[vertex];
    }
  return vertex;
}

static guint32
get_number (Builder *self, guint32 vertex, guint32 *n)
{
  if (self->number[vertex] == NONE)
    self->number[vertex] = (*n)++;
  return self->number[vertex];
}

/* Moves edges to the front if their ends are connected once the first half of the edges is present.
 * Returns the number of these edges. */
static guint32
divide (Builder *self, const Range *range, guint32 middle)
{
  guint32 n_edges = range->end - range->begin, n_vertices = 0, n_first = 0, n_second = 0;
  guint32 *edges = self->edges + range->begin;
  g_autofree guint32 *from = g_new (guint32, n_edges);
  g_autofree guint32 *to = g_new (guint32, n_edges);
  g_autofree guint32 *begins = g_new (guint32, n_edges);
  g_autofree guint32 *component = NULL;
  g_auto (TbWaitAdjacency) adjacency = { 0 };

  for (guint32 i = 0; i < n_edges; i++)
    {
      from[i] = get_number (self, find (self, self->links[edges[i]].from), &n_vertices);
      to[i] = get_number (self, find (self, self->links[edges[i]].to), &n_vertices);
      begins[i] = edges[i] <= middle ? from[i] : NONE;
    }
  component = g_new (guint32, n_vertices);
  tb_wait_adjacency_init (&adjacency, n_vertices, begins, to, n_edges);
  tb_wait_find_components (&adjacency, component);
  for (guint32 i = 0; i < n_edges; i++)
    {
      self->number[find (self, self->links[edges[i]].from)] = NONE;
      self->number[find (self, self->links[edges[i]].to)] = NONE;
      if (edges[i] <= middle && component[from[i]] == component[to[i]])
        edges[n_first++] = edges[i];
      else
        self->room[n_second++] = edges[i];
    }
  memcpy (edges + n_first, self->room, n_second * sizeof *edges);
  return n_first;
}

static void
add_part (Builder *self, guint32 set, guint32 part)
{
  TbWaitSet *whole = tb_wait_hierarchy_get (self->hierarchy, set);
  TbWaitSet *of = tb_wait_hierarchy_get (self->hierarchy, part);

  of->parent = set;
  of->next_part = whole->first_part;
  whole->first_part = part;
  whole->n_vertices += of->n_vertices;
}

/* Unites two vertices in a set. */
static void
unite (Builder *self, guint32 set, guint32 from, guint32 to)
{
  if (from == to)
    return;
  for (guint i = 0; i < 2; i++)
    {
      guint32 part = self->set_of[i == 0 ? from : to];

      if (part != set)
        add_part (self, set, part);
    }
  self->above[from] = to;
  self->set_of[to] = set;
}

static void
add_later (Builder *self, guint32 edge, guint32 set)
{
  TbWaitSet *of = tb_wait_hierarchy_get (self->hierarchy, set);

  self->hierarchy->next_later[edge] = of->first_later;
  of->first_later = edge;
  of->n_later++;
}

/* Handles edges with ends that are connected from this time on. */
static void
settle (Builder *self, const Range *range)
{
  TbWaitHierarchy *hierarchy = self->hierarchy;
  TbWaitSet new_set = {
    .time = range->from,
    .parent = NONE,
    .first_part = NONE,
    .next_part = NONE,
    .first_later = NONE,
  };
  gboolean is_new = FALSE;

  for (guint32 i = range->begin; i < range->end; i++)
    {
      guint32 edge = self->edges[i];
      guint32 from = find (self, self->links[edge].from), to = find (self, self->links[edge].to);

      if (from == to)
        {
          add_later (self, edge, self->set_of[from]);
          continue;
        }
      is_new = TRUE;
      hierarchy->between_from[edge] = self->set_of[from];
      hierarchy->between_to[edge] = self->set_of[to];
      new_set.n_between += edge != range->from;
    }
  if (!is_new)
    return;
  g_array_append_val (hierarchy->sets, new_set);
  for (guint32 i = range->begin; i < range->end; i++)
    unite (self, hierarchy->sets->len - 1, find (self, self->links[self->edges[i]].from),
           find (self, self->links[self->edges[i]].to));
}

static void
build (Builder *self, guint32 n_links)
{
  g_autoptr (GArray) stack = g_array_new (FALSE, FALSE, sizeof (Range));
  Range all = { 0, n_links, 0, n_links };

  g_array_append_val (stack, all);
  while (stack->len > 0)
    {
      Range range = g_array_index (stack, Range, stack->len - 1);
      Range early, late;
      guint32 middle, n_first;

      g_array_set_size (stack, stack->len - 1);
      if (range.begin == range.end || range.from == n_links)
        continue;
      if (range.from == range.to)
        {
          settle (self, &range);
          continue;
        }
      middle = range.from + (range.to - range.from) / 2;
      n_first = divide (self, &range, middle);
      early = (Range) { range.from, middle, range.begin, range.begin + n_first };
      late = (Range) { middle + 1, range.to, range.begin + n_first, range.end };
      g_array_append_val (stack, late);
      g_array_append_val (stack, early);
    }
}

void
tb_wait_hierarchy_init (TbWaitHierarchy *self,
                        guint32 n_vertices,
                        const TbWaitLink *links,
                        guint32 n_links)
{
  gsize n = MAX (n_vertices, 1), m = MAX (n_links, 1);
  g_autofree guint32 *above = g_new (guint32, n);
  g_autofree guint32 *set_of = g_new (guint32, n);
  g_autofree guint32 *number = g_new (guint32, n);
  g_autofree guint32 *edges = g_new (guint32, m);
  g_autofree guint32 *room = g_new (guint32, m);
  Builder builder = {
    .hierarchy = self,
    .links = links,
    .above = above,
    .set_of = set_of,
    .edges = edges,
    .room = room,
    .number = number,
  };

  self->sets = g_array_sized_new (FALSE, FALSE, sizeof (TbWaitSet), 2 * n_vertices);
  self->next_later = g_new (guint32, m);
  self->between_from = g_new (guint32, m);
  self->between_to = g_new (guint32, m);
  memset (self->between_from, 0xff, m * sizeof (guint32));
  memset (self->between_to, 0xff, m * sizeof (guint32));
  for (guint32 i = 0; i < n_vertices; i++)
    {
      TbWaitSet vertex = {
        .time = TB_WAIT_NO_TIME,
        .parent = NONE,
        .first_part = NONE,
        .next_part = NONE,
        .n_vertices = 1,
        .first_later = NONE,
      };

      g_array_append_val (self->sets, vertex);
      above[i] = set_of[i] = i;
      number[i] = NONE;
    }
  for (guint32 i = 0; i < n_links; i++)
    edges[i] = i;
  build (&builder, n_links);
}

void
tb_wait_hierarchy_clear (TbWaitHierarchy *self)
{
  g_clear_pointer (&self->sets, g_array_unref);
  g_clear_pointer (&self->next_later, g_free);
  g_clear_pointer (&self->between_from, g_free);
  g_clear_pointer (&self->between_to, g_free);
}
