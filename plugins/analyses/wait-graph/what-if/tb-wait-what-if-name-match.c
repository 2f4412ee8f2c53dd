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
#include "model/tb-wait-program-nodes.h"
#include "what-if/tb-wait-what-if-name-match.h"

void
tb_wait_name_match_clear (TbWaitNameMatch *self)
{
  g_free (self->nodes);
  g_clear_pointer (&self->other_nodes, g_hash_table_unref);
}

static void
add_vertex (TbWaitNameMatch *self, const TbWaitGraph *graph, guint32 vertex)
{
  const TbWaitVertex *of = tb_wait_graph_get_vertex (graph, vertex);
  g_autoptr (GArray) nodes = tb_wait_vertex_list_thread_nodes (graph, vertex);

  for (guint i = 0; i < nodes->len; i++)
    self->nodes[g_array_index (nodes, guint32, i)] = TRUE;
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

static gboolean
has_pattern (const char *name, const char *text)
{
  return text != NULL && g_pattern_match_simple (name, text);
}

/* Adds threads with that name, and threads of processes with that name, while they have it. */
static void
add_threads (TbWaitNameMatch *self, const char *name)
{
  const TbWaitModel *model = self->model;
  TbSession *session = tb_trace_get_session (model->trace);
  guint n_threads, n_processes;
  const TbThread *threads = tb_session_get_threads (session, &n_threads);
  const TbProcess *processes = tb_session_get_processes (session, &n_processes);

  for (guint32 i = 1; i < n_threads; i++)
    {
      guint32 process = threads[i].process;

      if (has_pattern (name, threads[i].name)
          || (process < n_processes && has_pattern (name, processes[process].name)))
        {
          self->nodes[i] = TRUE;
          self->n++;
        }
    }
  for (guint i = 0; i < model->parts->len; i++)
    {
      const TbWaitPart *part = &g_array_index (model->parts, TbWaitPart, i);

      if (part->node == TB_ID_NONE || part->node == part->thread
          || (!has_pattern (name, tb_wait_model_get_thread_name (model, part->node))
              && !has_pattern (name, tb_programs_get (model->programs, part->program)->name)))
        continue;
      self->nodes[part->node] = TRUE;
      self->n++;
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
  self->model = result->model;
  self->nodes = g_new0 (guint8, (gsize) result->model->nodes->len + 1);
  self->other_nodes = g_hash_table_new_full (g_int64_hash, g_int64_equal, g_free, NULL);
  for (guint32 i = 0; i < result->graph->vertices->len; i++)
    if (tb_wait_vertex_has_name (result->graph, i, name))
      add_vertex (self, result->graph, i);
  add_threads (self, name);
  if (self->n > 0)
    return TRUE;
  tb_wait_name_match_set_error (result->graph, change, name, error);
  return FALSE;
}

/* Whether a thread is named as the program that it was when a wait ended. */
static gboolean
has_thread_at_end (const TbWaitNameMatch *self, guint32 thread, const TbReplayOrigin *origin)
{
  guint32 node = origin->until != TB_TIME_NONE
                     ? tb_wait_model_find_node (self->model, thread, origin->until - 1, NULL)
                     : thread;

  return node != TB_ID_NONE && self->nodes[node];
}

gboolean
tb_wait_name_match_has_thread (const TbWaitNameMatch *self, guint32 thread)
{
  if (self->nodes[thread])
    return TRUE;
  for (guint i = 0; i < self->model->parts->len; i++)
    {
      const TbWaitPart *part = &g_array_index (self->model->parts, TbWaitPart, i);

      if (part->thread == thread && part->node != TB_ID_NONE && self->nodes[part->node])
        return TRUE;
    }
  return FALSE;
}

gboolean
tb_wait_name_match_has_waiter (const TbWaitNameMatch *self, const TbReplayOrigin *origin)
{
  return has_thread_at_end (self, origin->waiter, origin);
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
    return has_thread_at_end (self, origin->id, origin) || has_peer (self, origin);
  return g_hash_table_contains (self->other_nodes, &key);
}
