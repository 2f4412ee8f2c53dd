/* tb-peaks-awaited-activity.c: what the thread, remote peer or device that ended a call's wait did
 * during it, added to the drill-down tree below the wait
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#include "config.h"

#include "tb-peaks-awaited-activity.h"

#define MAX_HOPS 4
/* Maximum number of intervals of a server that are examined for one wait; the rest of a longer wait
 * stays with the server's node. */
#define MAX_INTERVALS 64

/* A wait, or a part of one, whose server is to be examined. */
typedef struct
{
  guint32 node;
  guint32 thread; /* waiting thread */
  TbCauseKind kind;
  guint32 cause;
  gint64 from;
  gint64 to;
  guint hops;
} Wait;

gboolean
tb_peaks_awaited_activity_init (TbPeaksAwaitedActivity *self,
                                const TbPeaksCalls *calls,
                                TbPeaksTree *tree,
                                GArray *open,
                                GError **error)
{
  const TbPeaksTable *requests = &calls->tables[TB_PEAKS_BLOCK];

  self->calls = calls;
  self->tree = tree;
  self->open = open;
  self->intervals = tb_trace_get_intervals (calls->trace);
  self->touched = g_array_new (FALSE, FALSE, sizeof (guint32));
  /* Any thread may be a server. */
  if (requests->n > 0)
    tb_peaks_index_init (&self->requests, requests->thread, NULL, requests->n, NULL,
                         calls->n_threads);
  return tb_peaks_peers_init (&self->peers, tb_trace_get_session (calls->trace), error);
}

void
tb_peaks_awaited_activity_clear (TbPeaksAwaitedActivity *self)
{
  tb_peaks_index_clear (&self->requests);
  tb_peaks_peers_clear (&self->peers);
  g_clear_pointer (&self->touched, g_array_unref);
}

void
tb_peaks_awaited_activity_begin_thread (TbPeaksAwaitedActivity *self, guint32 thread)
{
  self->thread = thread;
}

static gint64
get_overlap (gint64 from, gint64 to, gint64 other_from, gint64 other_to)
{
  return MAX (MIN (to, other_to) - MAX (from, other_from), 0);
}

/* Adds time to a part of the wait and marks its parents up to the node of the wait's own server. */
static guint32
add_part (TbPeaksAwaitedActivity *self,
          guint32 top,
          guint32 parent,
          TbPeaksNodeKind kind,
          guint64 key,
          gint64 ns)
{
  guint32 part = tb_peaks_tree_get (self->tree, parent, kind, key);

  for (guint32 node = part; node != top; node = tb_peaks_tree_node (self->tree, node)->parent)
    {
      tb_peaks_tree_touch (self->tree, node);
      if (node != part)
        continue;
      if (tb_peaks_tree_node (self->tree, node)->part_ns == 0)
        g_array_append_val (self->touched, node);
      tb_peaks_tree_node (self->tree, node)->part_ns += ns;
    }
  return part;
}

/* Adds the last request of the thread that was completed during the wait. */
static gint64
add_device (TbPeaksAwaitedActivity *self, guint32 top, const Wait *wait)
{
  const TbPeaksTable *table = &self->calls->tables[TB_PEAKS_BLOCK];
  gint64 queued, served;
  guint32 row;
  gsize low, high;

  if (self->requests.first == NULL || wait->thread >= self->calls->n_threads)
    return 0;
  low = self->requests.first[wait->thread];
  high = self->requests.first[wait->thread + 1];
  while (low < high)
    {
      gsize middle = low + (high - low) / 2;
      gint64 end = table->exit[self->requests.rows[middle]];

      if (end != TB_TIME_NONE && end <= wait->to)
        low = middle + 1;
      else
        high = middle;
    }
  if (low == self->requests.first[wait->thread])
    return 0;
  row = self->requests.rows[low - 1];
  if (table->exit[row] <= wait->from || table->enter[row] == TB_TIME_NONE)
    return 0;
  queued = get_overlap (wait->from, wait->to, table->enter[row],
                        MAX (table->issue[row], table->enter[row]));
  served = get_overlap (wait->from, wait->to, MAX (table->issue[row], table->enter[row]),
                        table->exit[row]);
  if (queued > 0)
    add_part (self, top, wait->node, TB_PEAKS_NODE_QUEUE, 0, queued);
  if (served > 0)
    add_part (self, top, wait->node, TB_PEAKS_NODE_SERVICE, 0, served);
  return queued + served;
}

/* Adds the thread at the other end that sent the response, for the time it had the request; the
 * rest is the network's. */
static gint64
add_peer (TbPeaksAwaitedActivity *self, guint32 top, const Wait *wait, Wait *list, guint *n_listed)
{
  TbPeaksService service;
  guint32 node;

  if (wait->hops + 1 >= MAX_HOPS || *n_listed >= MAX_INTERVALS
      || !tb_peaks_peers_find (&self->peers, wait->thread, wait->cause, wait->from, wait->to,
                               &service)
      || service.thread >= self->calls->n_threads)
    return 0;
  node = add_part (self, top, wait->node, TB_PEAKS_NODE_SERVED,
                   ((guint64) TB_CAUSE_THREAD << 32) | service.thread, service.to - service.from);
  list[(*n_listed)++] = (Wait) { node,         wait->thread, TB_CAUSE_THREAD, service.thread,
                                 service.from, service.to,   wait->hops + 1 };
  return service.to - service.from;
}

static void
add_interval (TbPeaksAwaitedActivity *self,
              guint32 top,
              const Wait *wait,
              gsize row,
              gint64 ns,
              Wait *next)
{
  const TbIntervals *intervals = self->intervals;
  guint32 node;

  next->hops = MAX_HOPS;
  switch (intervals->state[row])
    {
    case TB_STATE_RUNNING:
      add_part (self, top, wait->node, TB_PEAKS_NODE_SERVING, 0, ns);
      return;
    case TB_STATE_RUNNABLE:
      add_part (self, top, wait->node, TB_PEAKS_NODE_DELAYED, 0, ns);
      return;
    case TB_STATE_UNKNOWN:
      return;
    default:
      break;
    }
  node = add_part (self, top, wait->node, TB_PEAKS_NODE_WAIT,
                   tb_trace_get_wait_kind (self->calls->trace, row), ns);
  if (intervals->cause_kind[row] == TB_CAUSE_NONE || intervals->cause_kind[row] == TB_CAUSE_UNKNOWN)
    return;
  /* The time belongs to the node of its server, not to this one. */
  tb_peaks_tree_node (self->tree, node)->part_ns -= ns;
  node = add_part (self, top, node, TB_PEAKS_NODE_SERVED,
                   ((guint64) intervals->cause_kind[row] << 32) | intervals->cause[row], ns);
  *next = (Wait) { node,
                   intervals->thread[row],
                   intervals->cause_kind[row],
                   intervals->cause[row],
                   MAX (intervals->start[row], wait->from),
                   MIN (intervals->end[row], wait->to),
                   wait->hops + 1 };
}

/* Adds the activity of the serving thread during the wait, and appends its own waits to the
 * list. */
static gint64
add_thread (TbPeaksAwaitedActivity *self,
            guint32 top,
            const Wait *wait,
            Wait *list,
            guint *n_listed)
{
  const TbIntervals *intervals = self->intervals;
  gssize at = tb_trace_find_interval (self->calls->trace, wait->cause, wait->from);
  gint64 explained = 0;
  gsize first, n;

  tb_trace_get_thread_intervals (self->calls->trace, wait->cause, &first, &n);
  if (at < 0)
    at = n > 0 && intervals->start[first] > wait->from ? (gssize) first : -1;
  for (gsize row = (gsize) at, i = 0;
       at >= 0 && row < first + n && intervals->start[row] < wait->to && i < MAX_INTERVALS;
       row++, i++)
    {
      gint64 ns = get_overlap (wait->from, wait->to, intervals->start[row], intervals->end[row]);
      Wait next;

      if (ns <= 0 || intervals->state[row] == TB_STATE_UNKNOWN)
        continue;
      add_interval (self, top, wait, row, ns, &next);
      explained += ns;
      if (next.hops < MAX_HOPS && *n_listed < MAX_INTERVALS)
        list[(*n_listed)++] = next;
    }
  return explained;
}

/* Whether the server can be examined. If threads wait for one another in a cycle, the activity for
 * the waiting thread itself is not examined. */
static gboolean
can_examine (const TbPeaksAwaitedActivity *self, const Wait *wait)
{
  return wait->kind == TB_CAUSE_THREAD && wait->cause != TB_THREAD_IDLE
         && wait->cause < self->calls->n_threads && wait->cause != wait->thread
         && wait->cause != self->thread;
}

gint64
tb_peaks_awaited_activity_add (TbPeaksAwaitedActivity *self,
                               guint32 node,
                               TbCauseKind kind,
                               guint32 cause,
                               gint64 from,
                               gint64 to)
{
  Wait list[MAX_INTERVALS];
  guint n_listed = 1;
  gint64 explained = 0;

  list[0] = (Wait) { node, self->thread, kind, cause, from, to, 0 };
  for (guint i = 0; i < n_listed; i++)
    {
      Wait wait = list[i];
      gint64 ns = wait.kind == TB_CAUSE_DEVICE    ? add_device (self, node, &wait)
                  : wait.kind == TB_CAUSE_NETWORK ? add_peer (self, node, &wait, list, &n_listed)
                  : can_examine (self, &wait)     ? add_thread (self, node, &wait, list, &n_listed)
                                                  : 0;

      if (i == 0)
        explained = ns;
      else
        tb_peaks_tree_node (self->tree, wait.node)->part_ns -= ns;
    }
  for (guint i = 0; i < self->touched->len; i++)
    {
      guint32 part = g_array_index (self->touched, guint32, i);
      gint64 ns = tb_peaks_tree_node (self->tree, part)->part_ns;

      tb_peaks_tree_node (self->tree, part)->own_ns += ns;
      tb_peaks_tree_node (self->tree, part)->part_ns = 0;
      for (guint32 at = part; at != node; at = tb_peaks_tree_node (self->tree, at)->parent)
        tb_peaks_tree_node (self->tree, at)->served_ns += ns;
    }
  for (guint i = 0; i < self->touched->len; i++)
    for (guint32 at = g_array_index (self->touched, guint32, i); at != node;
         at = tb_peaks_tree_node (self->tree, at)->parent)
      {
        TbPeaksNode *of = tb_peaks_tree_node (self->tree, at);

        if (of->open_ns == 0 && of->served_ns != 0)
          g_array_append_val (self->open, at);
        of->open_ns += of->served_ns;
        of->served_ns = 0;
      }
  g_array_set_size (self->touched, 0);
  return explained;
}
