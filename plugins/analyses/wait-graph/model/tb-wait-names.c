/* tb-wait-names.c: ids, names and descriptions of vertices: common name of several threads, kernel
 * workers with their work, the program of a thread or process; threads of a vertex
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#include "config.h"

#include <glib/gi18n.h>
#include <string.h>

#include "tb-wait-names.h"

#include "tb-wait-pools.h"
#include "tb-wait-program-nodes.h"
#include "tb-wait-shown-names.h"

static const TbDevice *
get_device (const TbWaitGraph *graph, guint32 device)
{
  guint n_devices;
  const TbDevice *devices
      = tb_session_get_devices (tb_trace_get_session (graph->model->trace), &n_devices);

  return device < n_devices ? &devices[device] : NULL;
}

GArray *
tb_wait_vertex_list_thread_nodes (const TbWaitGraph *graph, guint32 vertex)
{
  const TbWaitVertex *of = tb_wait_graph_get_vertex (graph, vertex);
  GArray *nodes = g_array_new (FALSE, FALSE, sizeof (guint32));

  for (guint i = 0; i < of->nodes->len; i++)
    {
      guint32 node = g_array_index (of->nodes, guint32, i);
      const TbWaitNode *what = tb_wait_model_get_node (graph->model, node);

      if (what->kind == TB_WAIT_NODE_THREAD)
        g_array_append_val (nodes, node);
      else if (what->kind == TB_WAIT_NODE_VIRTUAL)
        {
          const GArray *members
              = g_array_index (graph->model->groups, TbWaitGroup, what->id).members;

          g_array_append_vals (nodes, members->data, members->len);
        }
    }
  return nodes;
}

static gboolean
has_number (const GArray *numbers, guint32 number)
{
  for (guint i = 0; i < numbers->len; i++)
    if (g_array_index (numbers, guint32, i) == number)
      return TRUE;
  return FALSE;
}

/* A vertex may have several programs of one thread. */
GArray *
tb_wait_vertex_list_threads (const TbWaitGraph *graph, guint32 vertex)
{
  g_autoptr (GArray) nodes = tb_wait_vertex_list_thread_nodes (graph, vertex);
  GArray *threads = g_array_sized_new (FALSE, FALSE, sizeof (guint32), nodes->len);

  for (guint i = 0; i < nodes->len; i++)
    {
      guint32 node = g_array_index (nodes, guint32, i);
      guint32 thread = tb_wait_model_get_node (graph->model, node)->id;

      if (node == thread || !has_number (threads, thread))
        g_array_append_val (threads, thread);
    }
  return threads;
}

/* NULL: its process is unknown. */
static const TbProgram *
get_program (const TbWaitGraph *graph, guint32 node)
{
  return tb_programs_get (graph->model->programs, tb_wait_model_find_program (graph->model, node));
}

/* The program of several threads; NULL: they are of several. */
static const char *
find_program (const TbWaitGraph *graph, const GArray *nodes)
{
  const char *name = NULL;

  for (guint i = 0; i < nodes->len; i++)
    {
      const TbProgram *program = get_program (graph, g_array_index (nodes, guint32, i));

      if (program == NULL || program->name == NULL || *program->name == '\0'
          || (name != NULL && !g_str_equal (name, program->name)))
        return NULL;
      name = program->name;
    }
  return name;
}

static const char *
get_name_of (const TbWaitGraph *graph, guint32 node)
{
  const char *name = tb_wait_model_get_thread_name (graph->model, node);

  return *name != '\0'
             ? name
             : tb_trace_get_shown_thread_name_at (graph->model->trace,
                                                  tb_wait_model_get_node (graph->model, node)->id,
                                                  graph->model->to);
}

static const char *
get_name (const TbWaitGraph *graph, const GArray *nodes, guint i)
{
  return get_name_of (graph, g_array_index (nodes, guint32, i));
}

/* The name of several threads: "worker" of worker-1 and worker-2, as only their numbers differ. A
 * beginning that names of other kinds have in common is none: then it is the name of their program,
 * or of the first where that is not known. */
static char *
find_common_name (const TbWaitGraph *graph, const GArray *nodes)
{
  const char *first = get_name (graph, nodes, 0);
  gsize stem = tb_wait_get_stem_length (first);
  gboolean same = TRUE, same_stem = stem > 0;
  const char *program;

  for (guint i = 1; i < nodes->len; i++)
    {
      const char *name = get_name (graph, nodes, i);

      same = same && g_str_equal (first, name);
      same_stem
          = same_stem && tb_wait_get_stem_length (name) == stem && memcmp (first, name, stem) == 0;
    }
  if (same)
    return g_strdup (first);
  if (same_stem)
    return g_strndup (first, stem);
  program = find_program (graph, nodes);
  return g_strdup (program != NULL ? program : first);
}

/* Several threads of which the first has no name: that of their program, or of its process. */
static char *
name_unnamed (const TbWaitGraph *graph, const GArray *nodes)
{
  TbSession *session = tb_trace_get_session (graph->model->trace);
  const char *program = find_program (graph, nodes);
  guint32 first = tb_wait_model_get_node (graph->model, g_array_index (nodes, guint32, 0))->id;
  guint n_threads;
  const TbThread *threads = tb_session_get_threads (session, &n_threads);

  return g_strdup (program != NULL
                       ? program
                       : tb_session_get_shown_process_name (session, threads[first].process));
}

static gboolean
is_unnamed (const TbWaitGraph *graph, guint32 node)
{
  return tb_wait_model_get_thread_name (graph->model, node)[0] == '\0';
}

static void
name_several (const TbWaitGraph *graph, TbWaitVertex *vertex, const GArray *nodes)
{
  vertex->common = nodes->len == 0 ? g_strdup ("")
                   : nodes->len > 1 && is_unnamed (graph, g_array_index (nodes, guint32, 0))
                       ? name_unnamed (graph, nodes)
                       : find_common_name (graph, nodes);
  vertex->name = nodes->len > 1 ? g_strdup_printf ("%s ×%u", vertex->common, nodes->len)
                                : g_strdup (vertex->common);
}

/* "kworker/u8 events_unbound ×2": with the workers' work where all do the same. */
static void
name_pool (const TbWaitGraph *graph, TbWaitVertex *vertex, const GArray *nodes)
{
  g_autofree char *pool = tb_wait_pool_parse (get_name (graph, nodes, 0));
  const char *work = tb_wait_pool_get_work (get_name (graph, nodes, 0));

  if (pool == NULL)
    {
      name_several (graph, vertex, nodes);
      return;
    }
  for (guint i = 1; i < nodes->len; i++)
    if (!g_str_equal (tb_wait_pool_get_work (get_name (graph, nodes, i)), work))
      work = "";
  vertex->common = g_strconcat (pool, *work != '\0' ? " " : "", work, NULL);
  vertex->name = g_strdup_printf ("%s ×%u", vertex->common, nodes->len);
}

/* The id of a vertex of threads. An earlier program of the first has its number after a dot. */
static char *
make_id (const TbWaitGraph *graph, const char *prefix, guint32 node)
{
  guint32 thread = tb_wait_model_get_node (graph->model, node)->id;
  const TbWaitPart *part = tb_wait_model_get_part (graph->model, node);

  return part == NULL || part->to == G_MAXINT64
             ? g_strdup_printf ("%s%u", prefix, thread)
             : g_strdup_printf ("%s%u.%u", prefix, thread, part->number);
}

/* Likewise, of a process. */
static char *
make_process_id (const TbWaitGraph *graph, guint32 process, guint32 node)
{
  const TbPrograms *programs = graph->model->programs;
  guint32 number = tb_wait_model_find_program (graph->model, node);
  const TbProgram *program = tb_programs_get (programs, number);
  guint32 thread = tb_wait_model_get_node (graph->model, node)->id;

  return program == NULL || program->to == G_MAXINT64
             ? g_strdup_printf ("process:%u", process)
             : g_strdup_printf ("process:%u.%u", process,
                                number - tb_programs_find (programs, thread, G_MININT64));
}

static void
name_thread (const TbWaitGraph *graph, TbWaitVertex *vertex, guint32 node)
{
  vertex->id = make_id (graph, "", node);
  vertex->name = g_strdup (get_name_of (graph, node));
}

static void
name_threads (TbWaitGraph *graph, guint32 index, TbWaitVertex *vertex)
{
  TbSession *session = tb_trace_get_session (graph->model->trace);
  guint n_threads;
  const TbThread *threads = tb_session_get_threads (session, &n_threads);
  g_autoptr (GArray) nodes = tb_wait_vertex_list_thread_nodes (graph, index);
  guint32 first = g_array_index (nodes, guint32, 0);
  guint32 thread = tb_wait_model_get_node (graph->model, first)->id;
  const TbProgram *program;

  /* A pool of which only one worker was active is that worker. */
  if (vertex->merged == TB_WAIT_MERGED_POOL && vertex->nodes->len == 1)
    vertex->merged = vertex->outside ? TB_WAIT_MERGED_OUTSIDE : TB_WAIT_MERGED_NOT;
  vertex->process = thread < n_threads ? threads[thread].process : TB_ID_NONE;
  switch (vertex->merged)
    {
    case TB_WAIT_MERGED_NOT:
      name_thread (graph, vertex, first);
      break;
    case TB_WAIT_MERGED_OUTSIDE:
      vertex->id = make_process_id (graph, vertex->process, first);
      program = get_program (graph, first);
      if (program != NULL && program->name != NULL && *program->name != '\0')
        vertex->name = g_strdup (program->name);
      else if (vertex->process != TB_ID_NONE)
        vertex->name = g_strdup (tb_session_get_shown_process_name (session, vertex->process));
      else
        name_several (graph, vertex, nodes);
      break;
    case TB_WAIT_MERGED_POOL:
      vertex->id = g_strdup_printf ("pool:%u", thread);
      name_pool (graph, vertex, nodes);
      break;
    default:
      vertex->id
          = make_id (graph,
                     vertex->merged == TB_WAIT_MERGED_VIRTUAL ? "group:" : "similar:", first);
      name_several (graph, vertex, nodes);
    }
}

/* --- programs --- */

guint32
tb_wait_vertex_get_program_node (const TbWaitGraph *graph, guint32 vertex)
{
  const TbWaitVertex *of = tb_wait_graph_get_vertex (graph, vertex);

  return of->kind == TB_WAIT_NODE_THREAD
                 && (of->merged == TB_WAIT_MERGED_NOT || of->merged == TB_WAIT_MERGED_OUTSIDE)
             ? g_array_index (of->nodes, guint32, 0)
             : TB_ID_NONE;
}

/* All programs that short-lived threads were, which stay one node each through an exec. They have a
 * label if all of them were the same programs. */
static void
label_programs (TbWaitGraph *graph, guint32 vertex)
{
  const TbWaitModel *model = graph->model;
  TbWaitVertex *of = tb_wait_graph_get_vertex (graph, vertex);
  g_autoptr (GArray) threads = tb_wait_vertex_list_threads (graph, vertex);
  g_autofree char *common = NULL;

  if (of->kind != TB_WAIT_NODE_VIRTUAL)
    return;
  for (guint i = 0; i < threads->len; i++)
    {
      guint32 thread = g_array_index (threads, guint32, i);
      const TbWaitNode *node = tb_wait_model_get_node (model, thread);
      g_autofree char *programs
          = tb_programs_describe (model->programs, thread, node->first, node->last);

      if (programs == NULL || (i > 0 && strcmp (programs, common) != 0))
        return;
      if (i == 0)
        common = g_steal_pointer (&programs);
    }
  if (common != NULL)
    of->label = g_strdup_printf ("%s ×%u", common, threads->len);
}

char *
tb_wait_node_describe (const TbWaitGraph *graph, guint32 node)
{
  const TbWaitModel *model = graph->model;
  const char *name = tb_wait_model_get_thread_name (model, node);
  guint32 thread = tb_wait_model_get_node (model, node)->id;
  guint n_threads;
  gint32 tid = tb_session_get_threads (tb_trace_get_session (model->trace), &n_threads)[thread].tid;

  return *name != '\0' ? g_strdup_printf ("%s (%d)", name, tid)
                       : tb_trace_describe_thread (model->trace, thread);
}

char *
tb_wait_thread_describe (const TbWaitGraph *graph, guint32 thread)
{
  const TbWaitModel *model = graph->model;

  return tb_programs_describe_thread (model->programs, thread, model->from, model->to);
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

      if (vertex->kind == TB_WAIT_NODE_VIRTUAL || vertex->kind == TB_WAIT_NODE_THREAD)
        name_threads (graph, i, vertex);
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
    return tb_wait_node_describe (graph, g_array_index (of->nodes, guint32, 0));
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
    return g_strdup (of->label);
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
