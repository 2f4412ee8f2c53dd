/* tb-peaks-server-calls.c: selection of an operation's calls that served the slow calls of another
 * operation (clients): device requests that the slow calls made, or calls of the threads that they
 * waited for
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#include "config.h"

#include <glib/gi18n.h>

#include "tb-peaks-peers.h"
#include "tb-peaks-server-calls.h"

/* A time in which a thread served. */
typedef struct
{
  guint32 thread;
  gint64 from;
  gint64 to;    /* exclusive */
  gint64 until; /* the latest end among the spans of the thread up to this one */
} Span;

static int
compare_spans (gconstpointer a, gconstpointer b)
{
  const Span *left = a, *right = b;

  if (left->thread != right->thread)
    return left->thread < right->thread ? -1 : 1;
  return left->from < right->from ? -1 : left->from > right->from;
}

/* Adds the threads that ended the waits of a call, for the time of the wait. For a message, it is
 * the thread that sent it, for the time it had the request. */
static void
add_waits (GArray *spans,
           const TbPeaksCalls *calls,
           TbPeaksPeers *peers,
           guint32 thread,
           gint64 enter,
           gint64 exit)
{
  const TbIntervals *intervals = tb_trace_get_intervals (calls->trace);
  gssize at = tb_trace_find_interval (calls->trace, thread, enter);
  gsize first, n;

  tb_trace_get_thread_intervals (calls->trace, thread, &first, &n);
  for (gsize row = at >= 0 ? (gsize) at : first; row < first + n && intervals->start[row] < exit;
       row++)
    {
      Span span = { intervals->cause[row], MAX (intervals->start[row], enter),
                    MIN (intervals->end[row], exit), 0 };

      TbPeaksService service;

      if (intervals->cause_kind[row] == TB_CAUSE_NETWORK && span.from < span.to
          && tb_peaks_peers_find (peers, thread, intervals->cause[row], span.from, span.to,
                                  &service))
        span = (Span) { service.thread, service.from, service.to, 0 };
      else if (intervals->cause_kind[row] != TB_CAUSE_THREAD)
        continue;
      if (span.from < span.to)
        g_array_append_val (spans, span);
    }
}

/* Device requests are made by the calling thread itself. */
static GArray *
list_spans (const TbPeaksCalls *calls,
            const TbPeaksOperation *clients,
            const TbPeakRange *range,
            TbPeaksPeers *peers,
            gboolean to_devices)
{
  const TbPeaksTable *table = &calls->tables[clients->kind];
  g_autoptr (GArray) rows = tb_peaks_calls_list (calls, clients);
  GArray *spans = g_array_new (FALSE, FALSE, sizeof (Span));

  for (guint i = 0; i < rows->len; i++)
    {
      guint32 row = g_array_index (rows, guint32, i);
      gint64 latency = tb_peaks_table_get_latency (table, row);
      guint bin = tb_peaks_bins_find (&calls->bins, latency);
      Span span
          = { table->thread[row], table->enter[row], table->enter[row] + MAX (latency, 1), 0 };

      if (bin < range->first || bin > range->last || span.thread >= calls->n_threads)
        continue;
      if (to_devices)
        g_array_append_val (spans, span);
      else
        add_waits (spans, calls, peers, span.thread, span.from, span.to);
    }
  g_array_sort (spans, compare_spans);
  for (guint i = 0; i < spans->len; i++)
    {
      Span *span = &g_array_index (spans, Span, i);

      span->until
          = i > 0 && span[-1].thread == span->thread ? MAX (span[-1].until, span->to) : span->to;
    }
  return spans;
}

/* Whether a thread served in [from, to). */
static gboolean
has_served (const GArray *spans, guint32 thread, gint64 from, gint64 to)
{
  guint low = 0, high = spans->len;

  while (low < high)
    {
      guint middle = low + (high - low) / 2;
      const Span *span = &g_array_index (spans, Span, middle);

      if (span->thread < thread || (span->thread == thread && span->from < to))
        low = middle + 1;
      else
        high = middle;
    }
  return low > 0 && g_array_index (spans, Span, low - 1).thread == thread
         && g_array_index (spans, Span, low - 1).until > from;
}

const TbPeaksOperation *
tb_peaks_find_server_calls (TbPeaksCalls *calls,
                            const TbPeaksOperation *operation,
                            GArray *rows,
                            const TbPeaksOperation *clients,
                            const TbPeakRange *range,
                            GError **error)
{
  const TbPeaksTable *table = &calls->tables[operation->kind];
  gboolean to_devices = operation->kind == TB_PEAKS_BLOCK;
  g_autoptr (GArray) spans = NULL;
  TbPeaksPeers peers = { 0 };
  guint n = 0;

  if (tb_peaks_peers_init (&peers, tb_trace_get_session (calls->trace), error))
    spans = list_spans (calls, clients, range, &peers, to_devices);
  tb_peaks_peers_clear (&peers);
  if (spans == NULL)
    return NULL;
  for (guint i = 0; i < rows->len; i++)
    {
      guint32 row = g_array_index (rows, guint32, i);
      gint64 from = table->enter[row],
             to = to_devices ? from + 1 : from + MAX (tb_peaks_table_get_latency (table, row), 1);

      if (has_served (spans, table->thread[row], from, to))
        g_array_index (rows, guint32, n++) = row;
    }
  g_array_set_size (rows, n);
  if (n > 0)
    return tb_peaks_calls_add_part (calls, operation, rows);
  g_set_error (error, G_IO_ERROR, G_IO_ERROR_INVALID_ARGUMENT,
               _ ("resume: the state is of %s, and no call of %s served the calls of its peak"),
               clients->id, operation->id);
  return NULL;
}
