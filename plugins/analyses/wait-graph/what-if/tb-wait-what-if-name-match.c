/* tb-wait-what-if-name-match.c: threads and other nodes (devices, peers, ...) that a name in a
 * what-if change stands for, whether a wait was for one of them, and the error with a list of
 * existing names
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#include "config.h"

#include <glib/gi18n.h>

#include "extend/options/tb-option.h"
#include "model/tb-wait-names.h"
#include "what-if/tb-wait-what-if-name-match.h"

void
tb_wait_name_match_clear (TbWaitNameMatch *self)
{
  g_free (self->threads);
  g_clear_pointer (&self->other_nodes, g_hash_table_unref);
}

static void
add_vertex (TbWaitNameMatch *self, const TbWaitGraph *graph, guint32 vertex)
{
  const TbWaitVertex *of = tb_wait_graph_get_vertex (graph, vertex);
  g_autoptr (GArray) threads = tb_wait_vertex_list_threads (graph, vertex);

  for (guint i = 0; i < threads->len; i++)
    self->threads[g_array_index (threads, guint32, i)] = TRUE;
  for (guint i = 0; i < of->nodes->len; i++)
    {
      const TbWaitNode *node
          = tb_wait_model_get_node (graph->model, g_array_index (of->nodes, guint32, i));
      gint64 key = (gint64) node->kind << 32 | node->id;

      if (node->kind != TB_WAIT_NODE_THREAD && node->kind != TB_WAIT_NODE_VIRTUAL)
        g_hash_table_add (self->other_nodes, g_memdup2 (&key, sizeof key));
    }
  self->n++;
}

/* Adds threads with that name, and threads of processes with that name. */
static void
add_threads (TbWaitNameMatch *self, TbTrace *trace, const char *name)
{
  guint n_threads, n_processes;
  const TbThread *threads = tb_session_get_threads (tb_trace_get_session (trace), &n_threads);
  const TbProcess *processes
      = tb_session_get_processes (tb_trace_get_session (trace), &n_processes);

  for (guint32 i = 1; i < n_threads; i++)
    {
      guint32 process = threads[i].process;

      if (g_pattern_match_simple (name, threads[i].name)
          || (process < n_processes && g_pattern_match_simple (name, processes[process].name)))
        {
          self->threads[i] = TRUE;
          self->n++;
        }
    }
}

void
tb_wait_name_match_set_error (const TbWaitGraph *graph,
                              const char *change,
                              const char *name,
                              GError **error)
{
  g_autoptr (GString) known = g_string_new (NULL);
  guint n = 0;

  for (guint32 i = 0; i < graph->vertices->len && n < TB_WAIT_MAX_NAMES_LISTED; i++)
    {
      const TbWaitVertex *vertex = tb_wait_graph_get_vertex (graph, i);

      if (vertex->running + vertex->waiting == 0 || vertex->outside)
        continue;
      g_string_append_printf (known, "%s%s", n == 0 ? "" : ", ", vertex->name);
      n++;
    }
  if (n == 0)
    g_set_error (error, TB_EXTEND_ERROR, TB_EXTEND_ERROR_USAGE,
                 _ ("what-if: invalid change “%s”: unknown name “%s”; the graph has no vertices"),
                 change, name);
  else
    g_set_error (error, TB_EXTEND_ERROR, TB_EXTEND_ERROR_USAGE,
                 _ ("what-if: invalid change “%s”: unknown name “%s”; the graph has %s%s"), change,
                 name, known->str, n == TB_WAIT_MAX_NAMES_LISTED ? " …" : "");
}

gboolean
tb_wait_name_match_init (TbWaitNameMatch *self,
                         const TbWaitResult *result,
                         const char *change,
                         const char *name,
                         GError **error)
{
  guint n_threads;

  tb_session_get_threads (tb_trace_get_session (result->trace), &n_threads);
  self->threads = g_new0 (guint8, n_threads + 1);
  self->other_nodes = g_hash_table_new_full (g_int64_hash, g_int64_equal, g_free, NULL);
  for (guint32 i = 0; i < result->graph->vertices->len; i++)
    if (tb_wait_vertex_has_name (result->graph, i, name))
      add_vertex (self, result->graph, i);
  add_threads (self, result->trace, name);
  if (self->n > 0)
    return TRUE;
  tb_wait_name_match_set_error (result->graph, change, name, error);
  return FALSE;
}

/* Whether the wait was for a named peer of its socket. Any thread of the kernel, or of the same
 * machine, may have delivered the peer's message. */
static gboolean
has_peer (const TbWaitNameMatch *self, const TbReplayOrigin *origin)
{
  gint64 key = (gint64) TB_WAIT_NODE_NETWORK << 32 | origin->peer;

  return origin->peer != TB_STRING_NONE && g_hash_table_contains (self->other_nodes, &key);
}

gboolean
tb_wait_name_match_has (const TbWaitNameMatch *self, const TbReplayOrigin *origin)
{
  gint64 key
      = (gint64) origin->kind << 32
        | (origin->kind == TB_WAIT_NODE_TIMER || origin->kind == TB_WAIT_NODE_UNKNOWN ? TB_ID_NONE
                                                                                      : origin->id);

  if (origin->kind == TB_WAIT_NODE_THREAD)
    return self->threads[origin->id] || has_peer (self, origin);
  return g_hash_table_contains (self->other_nodes, &key);
}
