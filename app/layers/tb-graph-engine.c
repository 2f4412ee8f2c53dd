/* tb-graph-engine.c: igraph as the engine of graph layouts: edges to reverse so that no cycle is
 * left, and order of vertices in layers with few crossings; the layout calls it once it is
 * installed
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#include "config.h"

#include <igraph/igraph.h>

#include "layers/tb-graph-engine.h"

/* Number of sweeps over the layers that reduce crossings. */
#define SWEEPS 60

/* igraph may have been built with global state that all threads share. */
G_LOCK_DEFINE_STATIC (igraph);

/* igraph may store the error handler per thread, and the calling thread differs from call to call,
 * so it is set each time. Calls are not interrupted: igraph 0.10 then frees memory that it has not
 * allocated yet. The graphs are so small that interruption is not needed. */
static void
lock_igraph (void)
{
  G_LOCK (igraph);
  igraph_set_error_handler (igraph_error_handler_ignore);
}

static void
unlock_igraph (void)
{
  G_UNLOCK (igraph);
}

static gboolean
make_graph (igraph_t *graph, guint n_vertices, guint n_arcs, const guint *from, const guint *to)
{
  igraph_vector_int_t ends;
  gboolean made;

  if (igraph_vector_int_init (&ends, 2 * (igraph_integer_t) n_arcs) != IGRAPH_SUCCESS)
    return FALSE;
  for (guint i = 0; i < n_arcs; i++)
    {
      VECTOR (ends)[2 * i] = from[i];
      VECTOR (ends)[2 * i + 1] = to[i];
    }
  made = igraph_create (graph, &ends, n_vertices, IGRAPH_DIRECTED) == IGRAPH_SUCCESS;
  igraph_vector_int_destroy (&ends);
  return made;
}

static gboolean
compute_feedback (const igraph_t *graph, guint n_arcs, const double *weight, gboolean *is_feedback)
{
  igraph_vector_int_t found;
  igraph_vector_t weights;
  gboolean done = FALSE;

  if (igraph_vector_int_init (&found, 0) != IGRAPH_SUCCESS)
    return FALSE;
  if (igraph_vector_init (&weights, n_arcs) == IGRAPH_SUCCESS)
    {
      for (guint i = 0; i < n_arcs; i++)
        VECTOR (weights)[i] = MAX (weight[i], 1);
      done = igraph_feedback_arc_set (graph, &found, &weights, IGRAPH_FAS_APPROX_EADES)
             == IGRAPH_SUCCESS;
      igraph_vector_destroy (&weights);
    }
  for (igraph_integer_t i = 0; done && i < igraph_vector_int_size (&found); i++)
    is_feedback[VECTOR (found)[i]] = TRUE;
  igraph_vector_int_destroy (&found);
  return done;
}

static gboolean
find_feedback (guint n_vertices,
               guint n_arcs,
               const guint *from,
               const guint *to,
               const double *weight,
               gboolean *is_feedback)
{
  igraph_t graph;
  gboolean done = FALSE;

  if (n_arcs == 0)
    return TRUE;
  lock_igraph ();
  if (make_graph (&graph, n_vertices, n_arcs, from, to))
    {
      done = compute_feedback (&graph, n_arcs, weight, is_feedback);
      igraph_destroy (&graph);
    }
  unlock_igraph ();
  return done;
}

static gboolean
compute_order (const igraph_t *graph, guint n_vertices, const guint *layer, double *position)
{
  igraph_vector_int_t layers;
  igraph_matrix_t positions;
  gboolean done = FALSE;

  if (igraph_vector_int_init (&layers, n_vertices) != IGRAPH_SUCCESS)
    return FALSE;
  for (guint i = 0; i < n_vertices; i++)
    VECTOR (layers)[i] = layer[i];
  if (igraph_matrix_init (&positions, 0, 0) == IGRAPH_SUCCESS)
    {
      done = igraph_layout_sugiyama (graph, &positions, NULL, NULL, &layers, 1, 1, SWEEPS, NULL)
             == IGRAPH_SUCCESS;
      for (guint i = 0; done && i < n_vertices; i++)
        position[i] = MATRIX (positions, i, 0);
      igraph_matrix_destroy (&positions);
    }
  igraph_vector_int_destroy (&layers);
  return done;
}

static gboolean
find_order (guint n_vertices,
            const guint *layer,
            guint n_arcs,
            const guint *from,
            const guint *to,
            double *position,
            GCancellable *cancellable)
{
  igraph_t graph;
  gboolean done = FALSE;

  if (n_vertices == 0 || g_cancellable_is_cancelled (cancellable))
    return n_vertices == 0;
  lock_igraph ();
  if (make_graph (&graph, n_vertices, n_arcs, from, to))
    {
      done = compute_order (&graph, n_vertices, layer, position);
      igraph_destroy (&graph);
    }
  unlock_igraph ();
  return done;
}

const TbGraphEngine *
tb_graph_engine_get (void)
{
  static const TbGraphEngine engine = { find_feedback, find_order };

  return &engine;
}

void
tb_graph_engine_install (void)
{
  tb_graph_layout_set_engine (tb_graph_engine_get ());
}
