/* tb-wait-components.c: strongly connected components of a directed graph, found without recursion,
 * and the graph's edges sorted by origin as input
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Tarjan, Depth-first search and linear graph algorithms, SIAM Journal on Computing 1 (1972).
 */

#include "config.h"

#include "tb-wait-components.h"

#define NONE G_MAXUINT32

void
tb_wait_adjacency_init (TbWaitAdjacency *self,
                        guint32 n_vertices,
                        const guint32 *from,
                        const guint32 *to,
                        guint32 n_edges)
{
  guint32 at = 0;

  self->n_vertices = n_vertices;
  self->first = g_new0 (guint32, (gsize) n_vertices + 2);
  self->to = g_new (guint32, (gsize) n_edges + 1);
  self->edge = g_new (guint32, (gsize) n_edges + 1);
  for (guint32 i = 0; i < n_edges; i++)
    if (from[i] != NONE)
      self->first[from[i] + 1]++;
  for (guint32 i = 0; i <= n_vertices; i++)
    {
      guint32 n = self->first[i];

      self->first[i] = at += n;
    }
  /* first[v + 1] is the position for the next edge of v while the edges are filled in. */
  for (guint32 i = n_vertices; i > 0; i--)
    self->first[i] = self->first[i - 1];
  self->first[0] = 0;
  for (guint32 i = 0; i < n_edges; i++)
    if (from[i] != NONE)
      {
        guint32 place = self->first[from[i] + 1]++;

        self->to[place] = to[i];
        self->edge[place] = i;
      }
}

void
tb_wait_adjacency_clear (TbWaitAdjacency *self)
{
  g_free (self->first);
  g_free (self->to);
  g_free (self->edge);
}

typedef struct
{
  guint32 vertex;
  guint32 next; /* edge to follow next */
} Step;

typedef struct
{
  const TbWaitAdjacency *adjacency;
  guint32 *component;
  guint32 n_components;
  guint32 *low; /* lowest discovery number that is reachable; NONE: not yet discovered */
  guint32 n_seen;
  guint32 *open; /* vertices whose component is not complete */
  guint32 n_open;
  Step *steps; /* from the root of the search to the current vertex */
} Search;

static void
complete (Search *self, guint32 vertex)
{
  guint32 member;

  do
    {
      member = self->open[--self->n_open];
      self->component[member] = self->n_components;
      self->low[member] = NONE - 1; /* no longer open: it is not on a path back to a vertex */
    }
  while (member != vertex);
  self->n_components++;
}

static void
search_from (Search *self, guint32 root, guint32 *numbers)
{
  const TbWaitAdjacency *adjacency = self->adjacency;
  guint32 depth = 0;

  self->steps[0] = (Step) { root, adjacency->first[root] };
  self->low[root] = numbers[root] = self->n_seen++;
  self->open[self->n_open++] = root;
  for (;;)
    {
      Step *step = &self->steps[depth];
      guint32 vertex = step->vertex;

      if (step->next < adjacency->first[vertex + 1])
        {
          guint32 to = adjacency->to[step->next++];

          if (self->low[to] == NONE)
            {
              self->steps[++depth] = (Step) { to, adjacency->first[to] };
              self->low[to] = numbers[to] = self->n_seen++;
              self->open[self->n_open++] = to;
            }
          else if (self->low[to] != NONE - 1)
            self->low[vertex] = MIN (self->low[vertex], numbers[to]);
          continue;
        }
      if (self->low[vertex] == numbers[vertex])
        complete (self, vertex);
      if (depth == 0)
        return;
      depth--;
      self->low[self->steps[depth].vertex]
          = MIN (self->low[self->steps[depth].vertex], self->low[vertex]);
    }
}

guint32
tb_wait_find_components (const TbWaitAdjacency *adjacency, guint32 *component)
{
  gsize n = (gsize) adjacency->n_vertices + 1;
  g_autofree guint32 *low = g_new (guint32, n);
  g_autofree guint32 *numbers = g_new (guint32, n);
  g_autofree guint32 *open = g_new (guint32, n);
  g_autofree Step *steps = g_new (Step, n);
  Search search = {
    .adjacency = adjacency, .component = component, .low = low, .open = open, .steps = steps
  };

  for (guint32 i = 0; i < adjacency->n_vertices; i++)
    low[i] = NONE;
  for (guint32 i = 0; i < adjacency->n_vertices; i++)
    if (low[i] == NONE)
      search_from (&search, i, numbers);
  return search.n_components;
}
