/* tb-wait-finding-values.c: details added to findings about vertices and edges of the wait graph
 * besides their sentence: severity, threads, items of figures, and named values for programs that
 * read the report
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#include "config.h"

#include "tb-wait-finding-values.h"

#include "model/tb-wait-program-nodes.h"

#include <math.h>

#include "output/tb-wait-figures.h"
#include "model/tb-wait-names.h"

#define HIGH_SHARE 0.2
#define MEDIUM_SHARE TB_WAIT_NEGLIGIBLE_SHARE
#define NAMES_MAX 100

TbSeverity
tb_wait_get_severity (double share)
{
  return share >= HIGH_SHARE     ? TB_SEVERITY_HIGH
         : share >= MEDIUM_SHARE ? TB_SEVERITY_MEDIUM
                                 : TB_SEVERITY_LOW;
}

double
tb_wait_get_share (const TbWaitResult *result, gint64 ns)
{
  return (double) ns / (double) result->recorded;
}

void
tb_wait_finding_add_threads (TbFinding *finding, const TbWaitResult *result, const GArray *vertices)
{
  for (guint i = 0; i < vertices->len; i++)
    {
      g_autoptr (GArray) threads
          = tb_wait_vertex_list_threads (result->graph, g_array_index (vertices, guint32, i));

      for (guint j = 0; j < threads->len; j++)
        tb_finding_add_thread (finding, g_array_index (threads, guint32, j));
    }
}

void
tb_wait_finding_set_arc (TbFinding *finding, const TbWaitResult *result, guint32 arc)
{
  const TbWaitArc *of = tb_wait_graph_get_arc (result->graph, arc);
  g_autoptr (GArray) stacks = tb_wait_stacks_sum (result->stacks, arc, TB_WAIT_WAITER);
  g_autofree char *item = tb_wait_arc_get_item (result->graph, arc);
  gint64 from = 0, to = 0;

  tb_finding_set_place (finding, TB_WAIT_FIGURE_GRAPH, item);
  for (gsize i = of->first; i < of->first + of->n; i++)
    {
      gint64 start, end;

      tb_wait_find_range (result->graph, result->graph->order[i], &start, &end);
      if (i > of->first && end - start <= to - from)
        continue;
      from = start;
      to = end;
    }
  if (of->n > 0)
    tb_finding_set_range (finding, from, to);
  if (stacks->len > 0)
    {
      g_auto (GStrv) functions
          = tb_trace_get_stack_functions (result->trace,
                                          g_array_index (stacks, TbWaitStack, 0).stack);

      tb_finding_set_stack (finding, (const char *const *) functions);
    }
}

void
tb_wait_finding_set_names_as (TbFinding *finding,
                              const char *names_name,
                              const char *count_name,
                              const TbWaitResult *result,
                              const GArray *vertices)
{
  guint n = MIN (vertices->len, NAMES_MAX);
  g_auto (GStrv) names = g_new0 (char *, n + 1);

  for (guint i = 0; i < n; i++)
    names[i] = tb_wait_vertex_describe (result->graph, g_array_index (vertices, guint32, i));
  tb_finding_set_strings (finding, names_name, (const char *const *) names);
  tb_finding_set_integer (finding, count_name, vertices->len);
}

void
tb_wait_finding_set_names (TbFinding *finding, const TbWaitResult *result, const GArray *vertices)
{
  tb_wait_finding_set_names_as (finding, "names", "count", result, vertices);
}

static void
set_text (TbFinding *finding, const char *prefix, const char *name, const char *text)
{
  g_autofree char *whole = g_strconcat (prefix, name, NULL);

  tb_finding_set_string (finding, whole, text);
}

/* Unknown where the thread or process is not known. */
static void
set_number (TbFinding *finding,
            const char *prefix,
            const char *name,
            gboolean is_known,
            gint64 number)
{
  g_autofree char *whole = g_strconcat (prefix, name, NULL);

  if (is_known)
    tb_finding_set_integer (finding, whole, number);
  else
    tb_finding_set_string (finding, whole, NULL);
}

void
tb_wait_finding_set_thread (TbFinding *finding,
                            const char *prefix,
                            const TbWaitResult *result,
                            guint32 thread)
{
  TbSession *session = tb_trace_get_session (result->trace);
  guint n_threads, n_processes;
  const TbThread *threads = tb_session_get_threads (session, &n_threads);
  const TbProcess *processes = tb_session_get_processes (session, &n_processes);
  const TbThread *of = thread < n_threads ? &threads[thread] : NULL;
  const TbProcess *process
      = of != NULL && of->process < n_processes ? &processes[of->process] : NULL;

  set_text (finding, prefix, "thread", of != NULL ? of->name : NULL);
  set_number (finding, prefix, "tid", of != NULL, of != NULL ? of->tid : 0);
  set_text (finding, prefix, "process", process != NULL ? process->name : NULL);
  set_number (finding, prefix, "pid", process != NULL, process != NULL ? process->pid : 0);
}

/* A thread, named as while it was that program. */
static void
set_node (TbFinding *finding, const char *prefix, const TbWaitResult *result, guint32 node)
{
  const TbWaitPart *part = tb_wait_model_get_part (result->model, node);

  tb_wait_finding_set_thread (finding, prefix, result,
                              tb_wait_model_get_node (result->model, node)->id);
  if (part == NULL || part->to == G_MAXINT64)
    return;
  set_text (finding, prefix, "thread", tb_wait_model_get_thread_name (result->model, node));
  set_text (finding, prefix, "process",
            tb_programs_get (result->model->programs, part->program)->name);
}

/* name: the value for the description. prefix: for all other values. */
static void
set_vertex (TbFinding *finding,
            const char *name,
            const char *prefix,
            const TbWaitResult *result,
            guint32 vertex)
{
  const TbWaitVertex *of = tb_wait_graph_get_vertex (result->graph, vertex);
  g_autofree char *text = tb_wait_vertex_describe (result->graph, vertex);

  tb_finding_set_string (finding, name, text);
  set_text (finding, prefix, "kind", tb_wait_vertex_get_kind (of));
  if (of->kind == TB_WAIT_NODE_THREAD && of->merged == TB_WAIT_MERGED_NOT)
    set_node (finding, prefix, result, g_array_index (of->nodes, guint32, 0));
}

void
tb_wait_finding_set_vertex (TbFinding *finding, const TbWaitResult *result, guint32 vertex)
{
  set_vertex (finding, "name", "", result, vertex);
}

static void
set_lock (TbFinding *finding, const TbWaitResult *result, guint32 arc)
{
  const TbWaitLock *lock = tb_wait_locks_find (result->locks, arc);
  g_autofree char *name = NULL;
  g_auto (GStrv) holders = NULL;
  guint n;

  if (lock != NULL && lock->is_most)
    name = tb_wait_lock_get_name (result->graph, lock);
  tb_finding_set_string (finding, "lock", name);
  if (name == NULL || lock->lock == TB_ID_NONE
      || !tb_wait_lock_has_distinct_holders (result->graph, arc, lock))
    return;
  n = MIN (lock->holders->len, NAMES_MAX);
  holders = g_new0 (char *, n + 1);
  for (guint i = 0; i < n; i++)
    holders[i] = tb_trace_describe_thread (result->trace,
                                           g_array_index (lock->holders, TbWaitHolder, i).thread);
  tb_finding_set_strings (finding, "lock_holders", (const char *const *) holders);
  tb_finding_set_integer (finding, "lock_holders_count", lock->holders->len);
}

void
tb_wait_finding_set_wait (TbFinding *finding, const TbWaitResult *result, guint32 arc)
{
  const TbWaitArc *of;
  g_autofree char *forwarder = NULL;

  if (arc == TB_ID_NONE)
    return;
  of = tb_wait_graph_get_arc (result->graph, arc);
  forwarder
      = of->forwarder != TB_ID_NONE ? tb_wait_vertex_describe (result->graph, of->forwarder) : NULL;
  set_vertex (finding, "waiter", "waiter_", result, of->from);
  set_vertex (finding, "awaited", "awaited_", result, of->to);
  tb_finding_set_time (finding, "wait_ns", of->plain);
  tb_finding_set_integer (finding, "waits", (gint64) of->waits);
  tb_finding_set_time (finding, "longest_ns", of->longest);
  set_lock (finding, result, arc);
  tb_finding_set_time (finding, "forwarded_ns", of->forwarded);
  tb_finding_set_string (finding, "forwarded_through", forwarder);
  if (result->has_target)
    tb_finding_set_time (finding, "target_delay_ns", of->limits);
  else
    tb_finding_set_time (finding, "delay_ns", of->weight);
}

void
tb_wait_add_count (TbReport *report, const char *code, guint n, const char *format)
{
  g_autofree char *text = NULL;
  TbFinding *finding;

  if (n == 0)
    return;
#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wformat-nonliteral"
  text = g_strdup_printf (format, n);
#pragma GCC diagnostic pop
  finding = tb_finding_new (TB_SEVERITY_INFO, text, TB_TIME_NONE, NAN);
  tb_finding_set_code (finding, code);
  tb_finding_set_integer (finding, "count", n);
  tb_report_add_finding (report, finding);
}
