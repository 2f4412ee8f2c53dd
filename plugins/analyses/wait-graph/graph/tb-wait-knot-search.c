/* tb-wait-knot-search.c: knots of a wait graph (components that wait for no others), in rounds:
 * background ones set aside, vertices limited by execution cut off; kinds of all components
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Definition 3.4 of the paper, and its rule for background threads (3.3).
 */

#include "config.h"

#include "tb-wait-knots.h"
#include "tb-wait-bottlenecks.h"
#include "tb-wait-components.h"
#include "tb-wait-execution-limits.h"

#define NONE G_MAXUINT32

static gboolean
is_device (const TbWaitVertex *vertex)
{
  return vertex->kind == TB_WAIT_NODE_DEVICE || vertex->kind == TB_WAIT_NODE_NETWORK;
}

static void
component_clear (gpointer data)
{
  TbWaitComponent *component = data;

  g_array_unref (component->vertices);
  g_clear_pointer (&component->cut_arcs, g_array_unref);
}

static gboolean
has_any (const TbWaitComponent *component, const guint8 *chosen)
{
  for (guint i = 0; chosen != NULL && i < component->vertices->len; i++)
    if (chosen[g_array_index (component->vertices, guint32, i)])
      return TRUE;
  return FALSE;
}

/* Applies the roles from two loads. A knot is in the background if all its vertices are, and not if
 * any is a worker; otherwise the result of the rule stays. */
static void
judge_by_roles (TbWaitComponent *component, const guint8 *roles)
{
  guint n_background = 0, n_workers = 0;

  for (guint i = 0; i < component->vertices->len; i++)
    {
      guint8 role = roles[g_array_index (component->vertices, guint32, i)];

      n_background += role == TB_WAIT_ROLE_BACKGROUND;
      n_workers += role == TB_WAIT_ROLE_WORKER;
    }
  if (n_workers > 0)
    component->background = FALSE;
  else if (n_background == component->vertices->len)
    component->background = TRUE;
}

static gint64
get_life (const TbWaitComponent *component)
{
  return MAX (component->last - component->first, 0);
}

/* By component: whether its threads wait for most of its life for locks that others of it hold. A
 * thread that waits for a lock has work to do; of other waits it is not known whether they are for
 * new work. */
static guint8 *
find_lock_knots (const TbWaitGraph *graph,
                 const GArray *components,
                 const guint32 *from,
                 const guint32 *component_of,
                 const guint8 *for_locks)
{
  guint8 *found = g_new0 (guint8, (gsize) components->len + 1);

  for (guint32 i = 0; for_locks != NULL && i < graph->arcs->len; i++)
    {
      const TbWaitArc *arc = tb_wait_graph_get_arc (graph, i);
      guint32 own = for_locks[i] && from[i] != NONE ? component_of[from[i]] : NONE;

      if (own != NONE && own == component_of[arc->to] && arc->bound > graph->least_busy
          && arc->bound > get_life (&g_array_index (components, TbWaitComponent, own)) / 2)
        found[own] = TRUE;
    }
  return found;
}

/* The paper's rule, with two changes. Background threads use no device, and together keep no CPU
 * busy, because they sleep frequently. A runnable thread does not sleep, so that counts as busy,
 * and the measure is half of a CPU over the life of the knot, as for a single thread: threads that
 * take turns at one lock together never reach a whole CPU. A knot with a thread that hardly sleeps,
 * or that waits for a lock for most of its life, is not in the background. */
static void
judge_background (TbWaitGraph *graph,
                  TbWaitComponent *component,
                  const TbWaitKnotOptions *options,
                  const guint8 *executing,
                  gboolean is_lock_knot)
{
  gint64 busy = component->running + component->runnable;
  gboolean device = FALSE;

  for (guint i = 0; i < component->vertices->len; i++)
    device |= is_device (
        tb_wait_graph_get_vertex (graph, g_array_index (component->vertices, guint32, i)));
  component->background = !device && !is_lock_knot && !has_any (component, executing)
                          && (busy <= get_life (component) / 2 || busy <= graph->least_busy);
  if (options->roles != NULL)
    judge_by_roles (component, options->roles);
  if (has_any (component, options->workers))
    component->background = FALSE;
  else if (has_any (component, options->background))
    component->background = TRUE;
}

static void
add_to_component (TbWaitGraph *graph, TbWaitComponent *component, guint32 vertex)
{
  const TbWaitVertex *of = tb_wait_graph_get_vertex (graph, vertex);

  g_array_append_val (component->vertices, vertex);
  component->running += is_device (of) ? 0 : of->used;
  component->runnable += of->wanted;
  /* A device lives with the threads that use it. */
  if (is_device (of))
    return;
  component->first = MIN (component->first, of->first);
  component->last = MAX (component->last, of->last);
}

/* By vertex: whether it belongs to the target, or the target waits for it directly or through
 * others. */
static guint8 *
find_reached (const TbWaitGraph *graph, const TbWaitAdjacency *adjacency)
{
  guint8 *reached = g_new0 (guint8, graph->vertices->len + 1);
  g_autofree guint32 *queue = g_new (guint32, graph->vertices->len + 1);
  gboolean is_whole_system = TRUE;
  guint32 n = 0;

  for (guint32 i = 0; i < graph->vertices->len; i++)
    is_whole_system &= !tb_wait_graph_get_vertex (graph, i)->outside;
  for (guint32 i = 0; i < graph->vertices->len; i++)
    if (is_whole_system || tb_wait_vertex_is_targeted (tb_wait_graph_get_vertex (graph, i)))
      {
        reached[i] = TRUE;
        queue[n++] = i;
      }
  for (guint32 done = 0; done < n; done++)
    for (guint32 i = adjacency->first[queue[done]]; i < adjacency->first[queue[done] + 1]; i++)
      if (!reached[adjacency->to[i]])
        {
          reached[adjacency->to[i]] = TRUE;
          queue[n++] = adjacency->to[i];
        }
  return reached;
}

/* The input of a round, and what earlier rounds removed. */
typedef struct
{
  TbWaitGraph *graph;
  const TbWaitKnotOptions *options;
  guint8 *dropped;  /* by vertex: it is in a background knot */
  guint8 *cut_arcs; /* by arc: it leads from a vertex that is limited by its execution */
} Rounds;

static gboolean
is_thread (const TbWaitVertex *vertex)
{
  return vertex->kind == TB_WAIT_NODE_THREAD || vertex->kind == TB_WAIT_NODE_VIRTUAL;
}

/* Whether an edge out of a cycle belongs to a thread that ended while the cycle went on without it:
 * the awaited thread, or the waiter with what ended its wait. It is no exit then, unless it was
 * waited for most of the cycle's life. */
static gboolean
is_of_the_past (const TbWaitGraph *graph, const TbWaitComponent *component, const TbWaitArc *arc)
{
  const TbWaitVertex *from = tb_wait_graph_get_vertex (graph, arc->from),
                     *to = tb_wait_graph_get_vertex (graph, arc->to);
  gboolean has_ended = (is_thread (from) && from->last < component->last)
                       || (is_thread (to) && to->last < component->last);

  return has_ended && arc->bound <= get_life (component) / 2;
}

/* Finds which components have edges to others, and which have edges within. */
static void
find_kinds (TbWaitGraph *graph,
            gboolean keeps_ended,
            const guint32 *from,
            const guint32 *component_of,
            const GArray *components,
            guint8 *exits,
            guint8 *within)
{
  for (guint32 i = 0; i < graph->arcs->len; i++)
    if (from[i] != NONE
        && component_of[from[i]] == component_of[tb_wait_graph_get_arc (graph, i)->to])
      within[component_of[from[i]]] = TRUE;
  for (guint32 i = 0; i < graph->arcs->len; i++)
    {
      const TbWaitArc *arc = tb_wait_graph_get_arc (graph, i);
      guint32 own = from[i] != NONE ? component_of[from[i]] : NONE;

      if (own == NONE || own == component_of[arc->to])
        continue;
      exits[own]
          |= !within[own] || keeps_ended
             || !is_of_the_past (graph, &g_array_index (components, TbWaitComponent, own), arc);
    }
}

/* Removes the arcs from those vertices of knots that are limited by their execution, which are then
 * in no knot. Returns whether there were any. */
static gboolean
cut_arcs (const Rounds *self,
          const GArray *components,
          const guint32 *from,
          const guint8 *executing)
{
  g_autofree guint8 *leaves = g_new0 (guint8, self->graph->vertices->len + 1);
  gboolean any = FALSE;

  for (guint i = 0; i < components->len; i++)
    {
      const TbWaitComponent *component = &g_array_index (components, TbWaitComponent, i);

      if (component->kind != TB_WAIT_KNOT || component->background)
        continue;
      for (guint j = 0; j < component->vertices->len; j++)
        {
          guint32 vertex = g_array_index (component->vertices, guint32, j);

          leaves[vertex] = executing[vertex];
        }
    }
  for (guint32 i = 0; i < self->graph->arcs->len; i++)
    if (from[i] != NONE && leaves[from[i]])
      any = self->cut_arcs[i] = TRUE;
  return any;
}

/* Components without a thread live as long as the recording. */
static void
finish_lives (const TbWaitGraph *graph, GArray *components)
{
  for (guint i = 0; i < components->len; i++)
    {
      TbWaitComponent *component = &g_array_index (components, TbWaitComponent, i);

      if (component->first <= component->last)
        continue;
      component->first = graph->model->from;
      component->last = graph->model->to;
    }
}

/* One round: finds the components of all vertices that are not dropped. again: set if arcs were
 * removed. */
static GArray *
find_components (const Rounds *self, gboolean *again)
{
  TbWaitGraph *graph = self->graph;
  guint32 n_vertices = graph->vertices->len, n_arcs = graph->arcs->len, n;
  g_autofree guint32 *from = g_new (guint32, n_arcs + 1);
  g_autofree guint32 *to = g_new (guint32, n_arcs + 1);
  g_autofree guint32 *component_of = g_new (guint32, n_vertices + 1);
  g_autofree guint8 *exits = g_new0 (guint8, n_vertices + 1);
  g_autofree guint8 *within = g_new0 (guint8, n_vertices + 1);
  g_autofree guint8 *reached = NULL;
  g_autofree guint8 *executing = NULL;
  g_autofree guint8 *lock_knots = NULL;
  g_auto (TbWaitAdjacency) adjacency = { 0 };
  GArray *components = g_array_new (FALSE, FALSE, sizeof (TbWaitComponent));

  g_array_set_clear_func (components, component_clear);
  for (guint32 i = 0; i < n_arcs; i++)
    {
      const TbWaitArc *arc = tb_wait_graph_get_arc (graph, i);
      gboolean is_left = arc->exclusion != TB_WAIT_EXCLUSION_NONE || self->cut_arcs[i]
                         || self->dropped[arc->from] || self->dropped[arc->to];

      from[i] = is_left ? NONE : arc->from;
      to[i] = arc->to;
    }
  executing = tb_wait_find_execution_limited (graph, from, self->options->threshold);
  tb_wait_adjacency_init (&adjacency, n_vertices, from, to, n_arcs);
  n = tb_wait_find_components (&adjacency, component_of);
  reached = find_reached (graph, &adjacency);
  for (guint32 i = 0; i < n; i++)
    {
      TbWaitComponent component
          = { .kind = TB_WAIT_INNER, .outside = TRUE, .first = G_MAXINT64, .last = G_MININT64 };

      component.vertices = g_array_new (FALSE, FALSE, sizeof (guint32));
      g_array_append_val (components, component);
    }
  for (guint32 i = 0; i < n_vertices; i++)
    if (!self->dropped[i])
      {
        TbWaitComponent *component = &g_array_index (components, TbWaitComponent, component_of[i]);

        add_to_component (graph, component, i);
        component->outside &= !reached[i];
      }
  finish_lives (graph, components);
  find_kinds (graph, self->options->keeps_ended, from, component_of, components, exits, within);
  lock_knots = find_lock_knots (graph, components, from, component_of, self->options->for_locks);
  for (guint32 i = 0; i < n; i++)
    {
      TbWaitComponent *component = &g_array_index (components, TbWaitComponent, i);

      g_array_sort_with_data (component->vertices, tb_wait_graph_compare_ids, graph);
      if (exits[i] || component->vertices->len == 0)
        continue;
      component->kind
          = within[i] ? TB_WAIT_KNOT
            : tb_wait_vertex_is_saturated (graph, g_array_index (component->vertices, guint32, 0))
                ? TB_WAIT_SINK
                : TB_WAIT_IDLE;
      if (component->kind == TB_WAIT_KNOT)
        judge_background (graph, component, self->options, executing, lock_knots[i]);
    }
  *again = cut_arcs (self, components, from, executing);
  return components;
}

/* Moves background knots to a list of their own and drops their vertices. Returns whether there
 * were any. */
static gboolean
collect_background (GArray *components, guint8 *dropped, GArray *background)
{
  guint n_before = background->len;

  for (guint i = 0; i < components->len; i++)
    {
      const TbWaitComponent *component = &g_array_index (components, TbWaitComponent, i);

      if (!component->background)
        continue;
      for (guint j = 0; j < component->vertices->len; j++)
        dropped[g_array_index (component->vertices, guint32, j)] = TRUE;
      g_array_append_val (background, *component);
      g_array_ref (component->vertices);
    }
  return background->len > n_before;
}

static void
list_cut_arcs (TbWaitKnots *self, const TbWaitGraph *graph, const guint8 *is_cut_arc)
{
  for (guint32 i = 0; i < graph->arcs->len; i++)
    {
      TbWaitComponent *component;

      if (!is_cut_arc[i])
        continue;
      component = tb_wait_knots_get_component (
          self, self->component_of[tb_wait_graph_get_arc (graph, i)->from]);
      if (component->cut_arcs == NULL)
        component->cut_arcs = g_array_new (FALSE, FALSE, sizeof (guint32));
      g_array_append_val (component->cut_arcs, i);
    }
}

static void
find_all_components (TbWaitKnots *self, TbWaitGraph *graph, const TbWaitKnotOptions *options)
{
  g_autofree guint8 *dropped = g_new0 (guint8, graph->vertices->len + 1);
  g_autoptr (GArray) background = g_array_new (FALSE, FALSE, sizeof (TbWaitComponent));
  g_autoptr (GArray) components = NULL;
  g_autofree guint8 *is_cut_arc = g_new0 (guint8, graph->arcs->len + 1);
  const Rounds rounds = { graph, options, dropped, is_cut_arc };
  gboolean again = TRUE;

  while (again)
    {
      g_clear_pointer (&components, g_array_unref);
      components = find_components (&rounds, &again);
      again |= collect_background (components, dropped, background);
    }
  self->components = g_array_new (FALSE, FALSE, sizeof (TbWaitComponent));
  g_array_set_clear_func (self->components, component_clear);
  for (guint i = 0; i < components->len + background->len; i++)
    {
      TbWaitComponent component
          = i < components->len ? g_array_index (components, TbWaitComponent, i)
                                : g_array_index (background, TbWaitComponent, i - components->len);

      if (component.vertices->len == 0)
        continue;
      if (i < components->len)
        g_array_ref (component.vertices);
      g_array_append_val (self->components, component);
    }
  self->component_of = g_new (guint32, graph->vertices->len + 1);
  for (guint i = 0; i < self->components->len; i++)
    for (guint j = 0; j < tb_wait_knots_get_component (self, i)->vertices->len; j++)
      self->component_of[g_array_index (tb_wait_knots_get_component (self, i)->vertices, guint32,
                                        j)]
          = i;
  list_cut_arcs (self, graph, is_cut_arc);
}

/* The edges that would be exits of a knot if their thread had not ended. */
static void
exclude_ended (const TbWaitKnots *self, TbWaitGraph *graph)
{
  for (guint32 i = 0; i < graph->arcs->len; i++)
    {
      TbWaitArc *arc = tb_wait_graph_get_arc (graph, i);
      guint32 own = self->component_of[arc->from], other = self->component_of[arc->to];

      if (arc->exclusion == TB_WAIT_EXCLUSION_NONE && own != other
          && tb_wait_knots_get_component (self, own)->kind == TB_WAIT_KNOT
          && !tb_wait_knots_get_component (self, other)->background)
        arc->exclusion = TB_WAIT_EXCLUSION_ENDED;
    }
}

TbWaitKnots *
tb_wait_knots_new (TbWaitGraph *graph, const TbWaitKnotOptions *options)
{
  TbWaitKnots *self = g_new0 (TbWaitKnots, 1);

  /* The search may be repeated. */
  for (guint32 i = 0; i < graph->arcs->len; i++)
    if (tb_wait_graph_get_arc (graph, i)->exclusion == TB_WAIT_EXCLUSION_ENDED)
      tb_wait_graph_get_arc (graph, i)->exclusion = TB_WAIT_EXCLUSION_NONE;
  find_all_components (self, graph, options);
  exclude_ended (self, graph);
  self->bottlenecks = tb_wait_bottlenecks_find (self, graph, options->threshold);
  return self;
}
