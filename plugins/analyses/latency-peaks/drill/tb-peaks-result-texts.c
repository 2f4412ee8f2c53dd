/* tb-peaks-result-texts.c: texts about a result of latency-peaks: names and status of peaks, kinds
 * of causes, descriptions of nodes and servers, call paths
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#include "config.h"

#include <glib/gi18n.h>

#include "tb-peaks-composition.h"
#include "tb-peaks-result.h"

static TbPeaksNode *
get_node (const TbPeaksResult *self, guint32 node)
{
  return tb_peaks_tree_node (self->drill->tree, node);
}

char *
tb_peaks_result_name_peak (const TbPeaksResult *self, guint peak)
{
  g_autofree char *range = tb_peaks_result_describe_range (self, peak);

  if (tb_peaks_result_is_single_call (self, peak))
    {
      g_autofree char *length
          = tb_format_duration (g_array_index (self->drill->peaks, TbPeakDrill, peak).total_ns);

      return g_strdup_printf (_ ("The call of %s"), length);
    }
  return self->is_drawn ? g_strdup (range) : g_strdup_printf (_ ("Peak %u (%s)"), peak + 1, range);
}

char *
tb_peaks_result_describe_place (const TbPeaksResult *self, guint32 node)
{
  g_auto (GStrv) path = tb_peaks_result_get_calls (self, node);
  g_autofree char *path_text = g_strjoinv (" → ", path);
  g_autofree char *detail = tb_peaks_result_describe_node (self, node);

  return detail != NULL ? g_strdup_printf (_ ("%s: %s"), path_text, detail)
                        : g_strdup_printf (_ ("%s itself"), path_text);
}

const char *
tb_peaks_result_get_status (const TbPeaksResult *self, guint peak)
{
  const TbPeakDrill *drill = &g_array_index (self->drill->peaks, TbPeakDrill, peak);

  if (self->live_status != NULL)
    return peak == self->live_peak ? self->live_status : "not-examined";
  if (drill->drilled - MIN (drill->unsampled, drill->drilled)
      < (self->options.call != 0 ? 1 : self->options.decision_calls))
    return "in-progress";
  for (guint32 i = 0; i < self->drill->tree->nodes->len; i++)
    {
      const TbPeaksNode *node = get_node (self, i);

      if (node->kind == TB_PEAKS_NODE_FUNCTION && node->is_cut && node->is_root_cause
          && tb_peaks_result_find_peak_of (self, i) == peak)
        return "depth-reached";
    }
  return "found";
}

/* The thread or device that ended the wait of the call itself, not a wait further down the chain;
 * TB_ID_NONE: node is not part of such a wait. */
static guint32
find_server (const TbPeaksResult *self, guint32 node)
{
  guint32 server = TB_ID_NONE;

  for (; node != TB_ID_NONE; node = get_node (self, node)->parent)
    if (get_node (self, node)->kind == TB_PEAKS_NODE_SERVED)
      server = node;
  return server;
}

static const char *
get_server_kind (const TbPeaksResult *self, guint32 server)
{
  switch ((TbCauseKind) (get_node (self, server)->key >> 32))
    {
    case TB_CAUSE_DEVICE:
    case TB_CAUSE_NETWORK:
      return "asynchronous";
    case TB_CAUSE_THREAD:
      return get_node (self, get_node (self, server)->parent)->key == TB_WAIT_LOCK ? "wait"
                                                                                   : "asynchronous";
    default:
      return "wait";
    }
}

const char *
tb_peaks_result_get_cause_kind (const TbPeaksResult *self, guint32 node)
{
  guint32 server = find_server (self, node);

  if (server != TB_ID_NONE)
    return get_server_kind (self, server);
  switch (get_node (self, node)->kind)
    {
    case TB_PEAKS_NODE_WAIT:
      return "wait";
    case TB_PEAKS_NODE_QUEUE:
    case TB_PEAKS_NODE_SERVICE:
      return "asynchronous";
    case TB_PEAKS_NODE_PREEMPTED:
    case TB_PEAKS_NODE_RUN_QUEUE:
    case TB_PEAKS_NODE_HOLDER:
      return "preemption";
    case TB_PEAKS_NODE_INTERRUPT:
    case TB_PEAKS_NODE_NESTED:
      return "interrupt";
    default:
      return "function";
    }
}

static char *
describe_interrupt (const TbPeaksResult *self, const TbPeaksNode *node)
{
  TbPeakInterrupt interrupt = tb_peaks_read_interrupt (self, node);

  return tb_peaks_describe_interrupt (&interrupt);
}

static char *
describe_wait (const TbPeaksNode *node)
{
  /* Translators: what a call did; %s is a kind of wait, such as “lock”. */
  return g_strdup_printf (_ ("waits (%s)"), tb_wait_kind_get_label ((TbWaitKind) node->key));
}

/* The host of a thread if there are several, else NULL. */
static const char *
get_host (const TbPeaksResult *self, guint32 thread)
{
  TbSession *session = tb_trace_get_session (self->calls->trace);
  guint n_hosts, n_threads, n_processes;
  const TbHost *hosts = tb_session_get_hosts (session, &n_hosts);
  const TbThread *threads = tb_session_get_threads (session, &n_threads);
  const TbProcess *processes = tb_session_get_processes (session, &n_processes);
  guint32 process = thread < n_threads ? threads[thread].process : TB_ID_NONE;

  if (n_hosts < 2 || process >= n_processes || processes[process].host >= n_hosts)
    return NULL;
  return hosts[processes[process].host].name;
}

char *
tb_peaks_result_describe_server (const TbPeaksResult *self, guint32 node)
{
  const TbPeaksNode *of = get_node (self, node);
  TbCauseKind kind = (TbCauseKind) (of->key >> 32);
  const char *host = kind == TB_CAUSE_THREAD ? get_host (self, (guint32) of->key) : NULL;
  g_autofree char *by = tb_trace_describe_cause (self->calls->trace, kind, (guint32) of->key);

  if (by == NULL)
    return g_strdup (_ ("unknown"));
  /* Translators: a thread and the host it ran on */
  return host != NULL ? g_strdup_printf (_ ("%s on %s"), by, host) : g_steal_pointer (&by);
}

/* Describes one node without its parents; NULL for a function. */
static char *
describe_single_node (const TbPeaksResult *self, guint32 node)
{
  const TbPeaksNode *of = get_node (self, node);
  g_autofree char *by = NULL;

  switch (of->kind)
    {
    case TB_PEAKS_NODE_WAIT:
      return describe_wait (of);
    case TB_PEAKS_NODE_SERVED:
      by = tb_peaks_result_describe_server (self, node);
      /* Translators: of a wait: “waits (lock), ended by writer (12)” */
      return g_strdup_printf (_ ("ended by %s"), by);
    case TB_PEAKS_NODE_SERVING:
      /* Translators: of the thread that ended a wait: “ended by writer (12), running during the
       * wait” */
      return g_strdup (_ ("running during the wait"));
    case TB_PEAKS_NODE_DELAYED:
      return g_strdup (_ ("waiting for a CPU during the wait"));
    case TB_PEAKS_NODE_QUEUE:
      /* Translators: of a request */
      return g_strdup (_ ("in the queue of the device"));
    case TB_PEAKS_NODE_SERVICE:
      /* Translators: of a request */
      return g_strdup (_ ("processed by the device"));
    case TB_PEAKS_NODE_PREEMPTED:
      return g_strdup (_ ("preempted"));
    case TB_PEAKS_NODE_RUN_QUEUE:
      return g_strdup (_ ("waits for a CPU after its wake-up"));
    case TB_PEAKS_NODE_HOLDER:
      if (of->key == TB_ID_NONE)
        return g_strdup (_ ("waits while the CPU runs something else"));
      by = tb_trace_describe_thread (self->calls->trace, (guint32) of->key);
      return g_strdup_printf (_ ("waits while the CPU runs %s"), by);
    case TB_PEAKS_NODE_NESTED:
      return g_strdup (_ ("interrupted by other handlers"));
    case TB_PEAKS_NODE_INTERRUPT:
      return describe_interrupt (self, of);
    case TB_PEAKS_NODE_FUNCTION:
      if (of->is_unsampled_cause)
        return g_strdup (_ ("running, not sampled"));
      /* Most of this is not its own running time: of repeated calls, only the longest counts for
       * the callee. */
      return of->self_ns > 2 * of->own_ns
                 ? g_strdup (_ ("itself, in several shorter waits or calls"))
                 : NULL;
    default:
      return NULL;
    }
}

char *
tb_peaks_result_describe_node (const TbPeaksResult *self, guint32 node)
{
  const TbPeaksNode *of = get_node (self, node);
  char *text = describe_single_node (self, node);

  /* "waits (lock), ended by writer (12), waits (block-io), ended by vda, processed by the disk" */
  while (text != NULL && of->kind != TB_PEAKS_NODE_FUNCTION && of->parent != TB_ID_NONE)
    {
      g_autofree char *inner = NULL;
      g_autofree char *outer = NULL;

      node = of->parent;
      of = get_node (self, node);
      if (of->kind == TB_PEAKS_NODE_FUNCTION)
        break;
      outer = describe_single_node (self, node);
      inner = text;
      /* Translators: joins what a call did, such as “waits (lock)”, and more about it, such as
       * “ended by writer (12)”. */
      text = g_strdup_printf (_ ("%s, %s"), outer, inner);
    }
  return text;
}

char *
tb_peaks_result_get_label (const TbPeaksResult *self, guint32 node)
{
  const TbPeaksNode *of = get_node (self, node);
  g_autofree char *text = NULL;

  if (of->parent == TB_ID_NONE)
    return g_strdup (self->operation->id);
  if (of->kind == TB_PEAKS_NODE_FUNCTION)
    return g_strdup ((const char *) (gsize) of->key);
  text = of->kind == TB_PEAKS_NODE_SERVED ? tb_peaks_result_describe_server (self, node)
                                          : describe_single_node (self, node);
  return g_strdup_printf ("[%s]", text);
}

char *
tb_peaks_result_name_call (const TbPeaksResult *self, guint32 node)
{
  const char *site
      = get_node (self, node)->is_repeated
            ? g_hash_table_lookup (self->drill->call_sites, GUINT_TO_POINTER (node + 1))
            : NULL;
  g_autofree char *label = tb_peaks_result_get_label (self, node);

  /* Translators: a function, and the source line that calls it: "write_page (wal.c:120)" */
  return site != NULL ? g_strdup_printf (_ ("%s (%s)"), label, site) : g_steal_pointer (&label);
}

static char **
make_path (const TbPeaksResult *self,
           guint32 node,
           char *(*name) (const TbPeaksResult *self, guint32 node))
{
  g_autoptr (GPtrArray) path = g_ptr_array_new ();
  char **names;

  for (; node != TB_ID_NONE; node = get_node (self, node)->parent)
    if (get_node (self, node)->kind == TB_PEAKS_NODE_FUNCTION)
      g_ptr_array_add (path, name (self, node));
  names = g_new0 (char *, path->len + 1);
  for (guint i = 0; i < path->len; i++)
    names[i] = g_ptr_array_index (path, path->len - 1 - i);
  return names;
}

char **
tb_peaks_result_get_path (const TbPeaksResult *self, guint32 node)
{
  return make_path (self, node, tb_peaks_result_get_label);
}

char **
tb_peaks_result_get_calls (const TbPeaksResult *self, guint32 node)
{
  return make_path (self, node, tb_peaks_result_name_call);
}

char *
tb_peaks_result_describe_range (const TbPeaksResult *self, guint peak)
{
  const TbPeakRange *range = &g_array_index (self->ranges, TbPeakRange, peak);
  g_autofree char *from = tb_format_duration (self->calls->bins.edges[range->first]);
  g_autofree char *to = tb_format_duration (self->calls->bins.edges[range->last + 1]);

  if (self->calls->bins.edges[range->last + 1] == G_MAXINT64)
    return g_strdup_printf (_ ("%s and more"), from);
  return g_strdup_printf ("%s–%s", from, to);
}
