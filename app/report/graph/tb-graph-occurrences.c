/* tb-graph-occurrences.c: occurrences of the edges of a graph: times and threads in the recording;
 * in a comparison, also the recording of each edge's occurrences
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#include "config.h"

#include "report/graph/tb-graph-figure-private.h"
#include "report/graph/tb-graph-occurrences.h"

static gsize
get_length (GBytes *bytes, gsize size)
{
  return g_bytes_get_size (bytes) / size;
}

/* The first occurrence of each edge; NULL if the columns are inconsistent. */
static gsize *
index_edges (const guint32 *edges, const gint64 *from, const gint64 *to, gsize n, guint n_edges)
{
  g_autofree gsize *first = g_new (gsize, (gsize) n_edges + 1);
  guint edge = 0;

  first[0] = 0;
  for (gsize i = 0; i < n; i++)
    {
      if (edges[i] >= n_edges || edges[i] < edge || to[i] < from[i])
        return NULL;
      if (i > 0 && edges[i] == edges[i - 1] && from[i] < from[i - 1])
        return NULL;
      while (edge < edges[i])
        first[++edge] = i;
    }
  while (edge < n_edges)
    first[++edge] = n;
  return g_steal_pointer (&first);
}

/**
 * tb_graph_figure_set_occurrences:
 * @self: a graph that is being built and has all its edges
 * @edge: for each occurrence the index of its edge, guint32, ascending
 * @from: start, gint64, ns of the session's clock, ascending within an edge
 * @to: end, gint64
 * @thread: thread at the edge's start, id in the session, guint32, %TB_ID_NONE: none
 * @other: thread at the edge's end, guint32, %TB_ID_NONE: none
 *
 * Sets the occurrences of the edges in the recording. The columns are not copied. A figure from
 * JSON has only the longest occurrences of each edge.
 */
void
tb_graph_figure_set_occurrences (TbGraphFigure *self,
                                 GBytes *edge,
                                 GBytes *from,
                                 GBytes *to,
                                 GBytes *thread,
                                 GBytes *other)
{
  GBytes *columns[TB_N_OCCURRENCE_COLUMNS] = { edge, from, to, thread, other };
  gsize n, *first;

  g_return_if_fail (TB_IS_GRAPH_FIGURE (self));
  g_return_if_fail (!tb_figure_is_frozen (TB_FIGURE (self)));

  n = get_length (edge, sizeof (guint32));
  g_return_if_fail (get_length (from, sizeof (gint64)) == n
                    && get_length (to, sizeof (gint64)) == n);
  g_return_if_fail (get_length (thread, sizeof (guint32)) == n
                    && get_length (other, sizeof (guint32)) == n);
  first = index_edges (g_bytes_get_data (edge, NULL), g_bytes_get_data (from, NULL),
                       g_bytes_get_data (to, NULL), n, self->edges->len);
  g_return_if_fail (first != NULL);

  g_free (self->occurrence_first);
  self->occurrence_first = first;
  for (guint i = 0; i < TB_N_OCCURRENCE_COLUMNS; i++)
    {
      g_clear_pointer (&self->occurrences[i], g_bytes_unref);
      self->occurrences[i] = g_bytes_ref (columns[i]);
    }
}

static gconstpointer
get_column (TbGraphFigure *self, guint column, gsize size, gsize first)
{
  return (const guint8 *) g_bytes_get_data (self->occurrences[column], NULL) + size * first;
}

/**
 * tb_graph_figure_get_occurrences:
 * @self: a graph
 * @edge: index of an edge
 * @out: (out caller-allocates): the occurrences, owned by the figure
 *
 * Gets the occurrences of an edge in the recording. There are none if none were set, and only the
 * longest if the figure came from JSON.
 */
void
tb_graph_figure_get_occurrences (TbGraphFigure *self, guint edge, TbGraphOccurrences *out)
{
  gsize first;

  g_return_if_fail (TB_IS_GRAPH_FIGURE (self));
  g_return_if_fail (edge < self->edges->len);
  g_return_if_fail (out != NULL);

  *out = (TbGraphOccurrences) { 0 };
  if (self->occurrence_first == NULL
      || self->occurrence_first[edge] == self->occurrence_first[edge + 1])
    return;
  first = self->occurrence_first[edge];
  out->n = self->occurrence_first[edge + 1] - first;
  out->from = get_column (self, 1, sizeof (gint64), first);
  out->to = get_column (self, 2, sizeof (gint64), first);
  out->thread = get_column (self, 3, sizeof (guint32), first);
  out->other = get_column (self, 4, sizeof (guint32), first);
}

/**
 * tb_graph_figure_set_edge_recording:
 * @self: a graph that is being built
 * @edge: index of an edge
 * @recording: index of a recording on its side of a comparison
 *
 * Sets the recording in which the occurrences of an edge are.
 */
void
tb_graph_figure_set_edge_recording (TbGraphFigure *self, guint edge, guint recording)
{
  g_return_if_fail (TB_IS_GRAPH_FIGURE (self));
  g_return_if_fail (!tb_figure_is_frozen (TB_FIGURE (self)));
  g_return_if_fail (edge < self->edges->len);

  if (self->recordings == NULL)
    self->recordings = g_hash_table_new (NULL, NULL);
  g_hash_table_insert (self->recordings, GUINT_TO_POINTER (edge), GUINT_TO_POINTER (recording));
}

/**
 * tb_graph_figure_get_edge_recording:
 * @self: a graph
 * @edge: index of an edge
 *
 * Gets of which recording the occurrences of an edge are.
 *
 * Returns: index of the recording of its occurrences, on its side of a comparison; 0 by default
 */
guint
tb_graph_figure_get_edge_recording (TbGraphFigure *self, guint edge)
{
  g_return_val_if_fail (TB_IS_GRAPH_FIGURE (self) && edge < self->edges->len, 0);

  if (self->recordings == NULL)
    return 0;
  return GPOINTER_TO_UINT (g_hash_table_lookup (self->recordings, GUINT_TO_POINTER (edge)));
}
