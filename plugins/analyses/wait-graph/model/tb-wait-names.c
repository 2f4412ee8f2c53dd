/* tb-wait-names.c: ids, names and descriptions of vertices: common name of several threads, kernel
 * workers with their work, all programs of a process; threads of a vertex
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#include "config.h"

#include <glib/gi18n.h>
#include <string.h>

#include "tb-wait-names.h"

#include "tb-wait-pools.h"
#include "tb-wait-shown-names.h"

static const TbDevice *
get_device (const TbWaitGraph *graph, guint32 device)
{
  guint n_devices;
  const TbDevice *devices
      = tb_session_get_devices (tb_trace_get_session (graph->model->trace), &n_devices);

  return device < n_devices ? &devices[device] : NULL;
}

static const char *
get_thread_name (const TbWaitGraph *graph, guint32 thread)
{
  return tb_trace_get_thread_name_at (graph->model->trace, thread, graph->model->to);
}

GArray *
tb_wait_vertex_list_threads (const TbWaitGraph *graph, guint32 vertex)
{
  const TbWaitVertex *of = tb_wait_graph_get_vertex (graph, vertex);
  GArray *threads = g_array_new (FALSE, FALSE, sizeof (guint32));

  for (guint i = 0; i < of->nodes->len; i++)
    {
      guint32 node = g_array_index (of->nodes, guint32, i);
      const TbWaitNode *what = tb_wait_model_get_node (graph->model, node);

      if (what->kind == TB_WAIT_NODE_THREAD)
        g_array_append_val (threads, node);
      else if (what->kind == TB_WAIT_NODE_VIRTUAL)
        {
          const GArray *members
              = g_array_index (graph->model->groups, TbWaitGroup, what->id).members;

          g_array_append_vals (threads, members->data, members->len);
        }
    }
  return threads;
}

/* The program of several threads; NULL: they are of several. */
static const char *
find_program (const TbWaitGraph *graph, const GArray *all)
{
  TbSession *session = tb_trace_get_session (graph->model->trace);
  guint n_threads, n_processes;
  const TbThread *threads = tb_session_get_threads (session, &n_threads);
  const TbProcess *processes = tb_session_get_processes (session, &n_processes);
  const char *program = NULL;

  for (guint i = 0; i < all->len; i++)
    {
      guint32 process = threads[g_array_index (all, guint32, i)].process;

      if (process >= n_processes || *processes[process].name == '\0'
          || (program != NULL && !g_str_equal (program, processes[process].name)))
        return NULL;
      program = processes[process].name;
    }
  return program;
}

/* The name of several threads: "worker" of worker-1 and worker-2, as only their numbers differ. A
 * beginning that names of other kinds have in common is none: then it is the name of their program,
 * or of the first where that is not known. */
static char *
find_common_name (const TbWaitGraph *graph, const GArray *threads)
{
  const char *first = get_thread_name (graph, g_array_index (threads, guint32, 0));
  gsize stem = tb_wait_get_stem_length (first);
  gboolean same = TRUE, same_stem = stem > 0;
  const char *program;

  for (guint i = 1; i < threads->len; i++)
    {
      const char *name = get_thread_name (graph, g_array_index (threads, guint32, i));

      same = same && g_str_equal (first, name);
      same_stem
          = same_stem && tb_wait_get_stem_length (name) == stem && memcmp (first, name, stem) == 0;
    }
  if (same)
    return g_strdup (first);
  if (same_stem)
    return g_strndup (first, stem);
  program = find_program (graph, threads);
  return g_strdup (program != NULL ? program : first);
}

static void
name_several (const TbWaitGraph *graph, TbWaitVertex *vertex, const GArray *threads)
{
  vertex->common = threads->len > 0 ? find_common_name (graph, threads) : g_strdup ("");
  vertex->name = threads->len > 1 ? g_strdup_printf ("%s ×%u", vertex->common, threads->len)
                                  : g_strdup (vertex->common);
}

/* "kworker/u8 events_unbound ×2": with the workers' work where all do the same. */
static void
name_pool (const TbWaitGraph *graph, TbWaitVertex *vertex, const GArray *threads, guint32 first)
{
  g_autofree char *pool = tb_wait_pool_parse (get_thread_name (graph, first));
  const char *work = tb_wait_pool_get_work (get_thread_name (graph, first));

  if (pool == NULL)
    {
      name_several (graph, vertex, threads);
      return;
    }
  for (guint i = 1; i < threads->len; i++)
    if (!g_str_equal (tb_wait_pool_get_work (
                          get_thread_name (graph, g_array_index (threads, guint32, i))),
                      work))
      work = "";
  vertex->common = g_strconcat (pool, *work != '\0' ? " " : "", work, NULL);
  vertex->name = g_strdup_printf ("%s ×%u", vertex->common, threads->len);
}

static void
name_threads (TbWaitGraph *graph, guint32 index, TbWaitVertex *vertex, guint32 first)
{
  TbSession *session = tb_trace_get_session (graph->model->trace);
  guint n_threads, n_processes;
  const TbThread *threads = tb_session_get_threads (session, &n_threads);
  const TbProcess *processes = tb_session_get_processes (session, &n_processes);
  g_autoptr (GArray) all = tb_wait_vertex_list_threads (graph, index);

  /* A pool of which only one worker was active is that worker. */
  if (vertex->merged == TB_WAIT_MERGED_POOL && vertex->nodes->len == 1)
    vertex->merged = vertex->outside ? TB_WAIT_MERGED_OUTSIDE : TB_WAIT_MERGED_NOT;
  vertex->process = first < n_threads ? threads[first].process : TB_ID_NONE;
  switch (vertex->merged)
    {
    case TB_WAIT_MERGED_NOT:
      vertex->id = g_strdup_printf ("%u", first);
      vertex->name = g_strdup (get_thread_name (graph, first));
      if (*vertex->name == '\0')
        {
          g_free (vertex->name);
          vertex->name = tb_trace_describe_thread (graph->model->trace, first);
        }
      break;
    case TB_WAIT_MERGED_OUTSIDE:
      vertex->id = g_strdup_printf ("process:%u", vertex->process);
      if (vertex->process < n_processes)
        vertex->name = g_strdup (processes[vertex->process].name);
      else
        name_several (graph, vertex, all);
      break;
    case TB_WAIT_MERGED_POOL:
      vertex->id = g_strdup_printf ("pool:%u", first);
      name_pool (graph, vertex, all, first);
      break;
    default:
      vertex->id
          = g_strdup_printf (vertex->merged == TB_WAIT_MERGED_VIRTUAL ? "group:%u" : "similar:%u",
                             first);
      name_several (graph, vertex, all);
    }
}

/* --- programs --- */

guint32
tb_wait_vertex_get_program_thread (const TbWaitGraph *graph, guint32 vertex)
{
  const TbWaitVertex *of = tb_wait_graph_get_vertex (graph, vertex);

  if (of->kind != TB_WAIT_NODE_THREAD
      || (of->merged != TB_WAIT_MERGED_NOT && of->merged != TB_WAIT_MERGED_OUTSIDE))
    return TB_ID_NONE;
  for (guint i = 0; i < of->nodes->len; i++)
    {
      guint n;

      tb_programs_list (graph->model->programs, g_array_index (of->nodes, guint32, i), &n);
      if (n > 0)
        return g_array_index (of->nodes, guint32, i);
    }
  return g_array_index (of->nodes, guint32, 0);
}

static char *
describe_programs (const TbWaitGraph *graph, guint32 thread)
{
  const TbWaitModel *model = graph->model;
  const TbWaitNode *node = tb_wait_model_get_node (model, thread);

  /* Not alive in the range: what it was before and after is not in question. */
  if (node->first == TB_TIME_NONE)
    return NULL;
  return tb_programs_describe (model->programs, thread, node->first, node->last);
}

/* A vertex stays one node through an exec: what waits for it waits for the process. Its label names
 * all programs that it was. Merged threads have one if all of them were the same programs. */
static void
label_programs (TbWaitGraph *graph, guint32 vertex)
{
  TbWaitVertex *of = tb_wait_graph_get_vertex (graph, vertex);
  guint32 thread = tb_wait_vertex_get_program_thread (graph, vertex);
  g_autoptr (GArray) threads = NULL;
  g_autofree char *common = NULL;

  if (thread != TB_ID_NONE)
    {
      of->label = describe_programs (graph, thread);
      return;
    }
  threads = tb_wait_vertex_list_threads (graph, vertex);
  for (guint i = 0; i < threads->len; i++)
    {
      g_autofree char *programs = describe_programs (graph, g_array_index (threads, guint32, i));

      if (programs == NULL || (i > 0 && strcmp (programs, common) != 0))
        return;
      if (i == 0)
        common = g_steal_pointer (&programs);
    }
  if (common != NULL)
    of->label = g_strdup_printf ("%s ×%u", common, threads->len);
}

char *
tb_wait_thread_describe (const TbWaitGraph *graph, guint32 thread)
{
  g_autofree char *programs
      = thread < graph->model->n_threads ? describe_programs (graph, thread) : NULL;
  guint n_threads;

  if (programs == NULL)
    return tb_trace_describe_thread (graph->model->trace, thread);
  return g_strdup_printf (
      "%s (%d)", programs,
      tb_session_get_threads (tb_trace_get_session (graph->model->trace), &n_threads)[thread].tid);
}

/* --- vertices --- */

static void
name_other (TbWaitGraph *graph, TbWaitVertex *vertex, guint32 id)
{
  TbSession *session = tb_trace_get_session (graph->model->trace);
  const TbDevice *device;

  switch (vertex->kind)
    {
    case TB_WAIT_NODE_DEVICE:
      device = get_device (graph, id);
      vertex->id = device != NULL ? g_strdup_printf ("device:%u", id) : g_strdup ("block");
      vertex->name = g_strdup (device != NULL ? device->name : "block");
      break;
    case TB_WAIT_NODE_NETWORK:
      vertex->id = id != TB_STRING_NONE
                       ? g_strdup_printf ("network:%s", tb_session_get_string (session, id))
                       : g_strdup ("network");
      vertex->name
          = g_strdup (id != TB_STRING_NONE ? tb_session_get_string (session, id) : "network");
      break;
    case TB_WAIT_NODE_INTERRUPT:
      vertex->id = id != TB_STRING_NONE
                       ? g_strdup_printf ("interrupt:%s", tb_session_get_string (session, id))
                       : g_strdup ("interrupt");
      vertex->name
          = g_strdup (id != TB_STRING_NONE ? tb_session_get_string (session, id) : "interrupt");
      break;
    default:
      vertex->id = g_strdup (tb_wait_vertex_get_kind (vertex));
      vertex->name = g_strdup (vertex->kind == TB_WAIT_NODE_IDLE   ? "idle task"
                               : vertex->kind == TB_WAIT_NODE_BUSY ? "busy wait"
                                                                   : vertex->id);
    }
}

void
tb_wait_graph_name_vertices (TbWaitGraph *graph)
{
  for (guint32 i = 0; i < graph->vertices->len; i++)
    {
      TbWaitVertex *vertex = tb_wait_graph_get_vertex (graph, i);
      guint32 first = g_array_index (vertex->nodes, guint32, 0);

      if (vertex->kind == TB_WAIT_NODE_VIRTUAL)
        {
          g_autoptr (GArray) threads = tb_wait_vertex_list_threads (graph, i);

          name_threads (graph, i, vertex, g_array_index (threads, guint32, 0));
        }
      else if (vertex->kind == TB_WAIT_NODE_THREAD)
        name_threads (graph, i, vertex, first);
      else
        name_other (graph, vertex, tb_wait_model_get_node (graph->model, first)->id);
      if (vertex->common == NULL)
        vertex->common = g_strdup (vertex->name);
      label_programs (graph, i);
    }
}

const char *
tb_wait_vertex_get_kind (const TbWaitVertex *vertex)
{
  static const char *const kinds[TB_N_WAIT_NODES] = {
    [TB_WAIT_NODE_THREAD] = "thread",       [TB_WAIT_NODE_DEVICE] = "device",
    [TB_WAIT_NODE_NETWORK] = "network",     [TB_WAIT_NODE_TIMER] = "timer",
    [TB_WAIT_NODE_IDLE] = "idle",           [TB_WAIT_NODE_BUSY] = "busy",
    [TB_WAIT_NODE_INTERRUPT] = "interrupt", [TB_WAIT_NODE_UNKNOWN] = "unknown",
    [TB_WAIT_NODE_VIRTUAL] = "merged",
  };

  return vertex->merged != TB_WAIT_MERGED_NOT ? "merged" : kinds[vertex->kind];
}

char *
tb_wait_vertex_describe (const TbWaitGraph *graph, guint32 vertex)
{
  const TbWaitVertex *of = tb_wait_graph_get_vertex (graph, vertex);

  if (of->kind == TB_WAIT_NODE_THREAD && of->merged == TB_WAIT_MERGED_NOT)
    return tb_trace_describe_thread (graph->model->trace, g_array_index (of->nodes, guint32, 0));
  if (of->kind == TB_WAIT_NODE_DEVICE)
    {
      const TbDevice *device = get_device (
          graph, tb_wait_model_get_node (graph->model, g_array_index (of->nodes, guint32, 0))->id);

      if (device != NULL && *device->major_minor != '\0'
          && strcmp (device->major_minor, device->name) != 0)
        return g_strdup_printf ("%s (%s)", device->name, device->major_minor);
    }
  return g_strdup (of->name);
}

/* The name of a vertex that has no name of its own, such as a timer; NULL for other vertices. */
static const char *
get_kind_label (const TbWaitGraph *graph, const TbWaitVertex *vertex)
{
  guint32 id = tb_wait_model_get_node (graph->model, g_array_index (vertex->nodes, guint32, 0))->id;

  switch (vertex->kind)
    {
    case TB_WAIT_NODE_DEVICE:
      return get_device (graph, id) == NULL ? C_ ("what is waited for", "block") : NULL;
    case TB_WAIT_NODE_NETWORK:
      return id == TB_STRING_NONE ? C_ ("what is waited for", "network") : NULL;
    case TB_WAIT_NODE_INTERRUPT:
      return id == TB_STRING_NONE ? C_ ("what is waited for", "interrupt") : NULL;
    case TB_WAIT_NODE_TIMER:
      return C_ ("what is waited for", "timer");
    case TB_WAIT_NODE_IDLE:
      return C_ ("what is waited for", "idle task");
    case TB_WAIT_NODE_BUSY:
      return C_ ("what is waited for", "busy wait");
    case TB_WAIT_NODE_UNKNOWN:
      return C_ ("what is waited for", "unknown");
    default:
      return NULL;
    }
}

const char *
tb_wait_vertex_get_label (const TbWaitGraph *graph, guint32 vertex)
{
  const TbWaitVertex *of = tb_wait_graph_get_vertex (graph, vertex);
  const char *label = get_kind_label (graph, of);

  if (of->label != NULL)
    return of->label;
  return label != NULL ? label : of->name;
}

char *
tb_wait_vertex_describe_translated (const TbWaitGraph *graph, guint32 vertex)
{
  const TbWaitVertex *of = tb_wait_graph_get_vertex (graph, vertex);
  const char *label = get_kind_label (graph, of);

  if (of->label != NULL)
    return of->merged == TB_WAIT_MERGED_NOT
               ? tb_wait_thread_describe (graph, g_array_index (of->nodes, guint32, 0))
               : g_strdup (of->label);
  /* In sentences a device needs no numbers. */
  if (of->kind == TB_WAIT_NODE_DEVICE && label == NULL)
    return g_strdup (of->name);
  return label != NULL ? g_strdup (label) : tb_wait_vertex_describe (graph, vertex);
}

gboolean
tb_wait_vertex_has_name (const TbWaitGraph *graph, guint32 vertex, const char *name)
{
  const TbWaitVertex *of = tb_wait_graph_get_vertex (graph, vertex);
  g_autofree char *described = tb_wait_vertex_describe (graph, vertex);
  g_autofree char *shown = tb_wait_vertex_describe_translated (graph, vertex);

  return g_pattern_match_simple (name, of->name) || g_str_equal (name, of->id)
         || g_str_equal (name, described) || g_str_equal (name, shown)
         || g_str_equal (name, tb_wait_vertex_get_label (graph, vertex))
         || (of->kind != TB_WAIT_NODE_THREAD && of->kind != TB_WAIT_NODE_VIRTUAL
             && g_str_equal (name, tb_wait_vertex_get_kind (of)));
}
