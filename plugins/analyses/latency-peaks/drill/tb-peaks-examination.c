/* tb-peaks-examination.c: drill-down into the calls of peaks: tree of what took their time, made
 * here for device requests, waits for a CPU and handlers, by tb-peaks-walk.c for calls of threads;
 * root causes by other files
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#include "config.h"

#include "tb-peaks-interrupt-causes.h"
#include "tb-peaks-drill.h"
#include "tb-peaks-source-lines.h"
#include "latency-state/tb-peaks-function-names.h"
#include "tb-peaks-sites.h"
#include "calls/tb-peaks-spans.h"
#include "calls/tb-peaks-walk.h"
#include "trace/tb-track.h"

#define CALLS_BETWEEN_CHECKS (1 << 14)

typedef struct
{
  TbPeaksDrill *drill;
  TbPeaksWalk walk;
  guint16 *peak_of_bin; /* 0: no peak, else index of the peak plus one */
  guint8 *wanted;       /* by thread: whether it has calls in peaks */
  TbPeaksIndex calls;
  TbPeaksIndex syscalls;
  TbPeaksIndex functions;
  guint since_check;
} Driller;

static const TbPeaksTable *
get_table (const TbPeaksDrill *drill)
{
  return &drill->calls->tables[drill->operation->kind];
}

static TbPeakDrill *
find_peak (const Driller *self, gint64 latency)
{
  guint peak = self->peak_of_bin[tb_peaks_bins_find (&self->drill->calls->bins, latency)];

  return peak > 0 ? &g_array_index (self->drill->peaks, TbPeakDrill, peak - 1) : NULL;
}

/* Chooses the calls to examine, and sums up all calls of each peak, including those not
 * examined. */
static GArray *
choose_calls (Driller *self, const GArray *all)
{
  const TbPeaksTable *table = get_table (self->drill);
  GArray *chosen = g_array_sized_new (FALSE, FALSE, sizeof (guint32), all->len);
  gboolean any_lost = self->drill->calls->lost->len > 0;

  for (guint i = 0; i < all->len; i++)
    {
      guint32 row = g_array_index (all, guint32, i);
      gint64 latency = tb_peaks_table_get_latency (table, row);
      TbPeakDrill *peak = find_peak (self, latency);

      if (peak == NULL)
        continue;
      if (peak->calls == 0 || latency > tb_peaks_table_get_latency (table, (guint32) peak->longest))
        peak->longest = row;
      peak->calls++;
      if (__builtin_add_overflow (peak->total_ns, latency, &peak->total_ns))
        peak->total_ns = G_MAXINT64;
      peak->uncertain
          += any_lost
             && tb_peaks_calls_is_lost (self->drill->calls, table->enter[row], table->exit[row]);
      if (table->thread[row] < self->drill->calls->n_threads)
        self->wanted[table->thread[row]] = TRUE;
      else
        peak->threadless++;
      g_array_append_val (chosen, row);
    }
  return chosen;
}

static guint32
get_root (Driller *self, TbPeakDrill *peak)
{
  if (peak->root == TB_ID_NONE)
    peak->root = tb_peaks_tree_get (self->drill->tree, TB_ID_NONE, TB_PEAKS_NODE_FUNCTION,
                                    (guint64) (peak - (TbPeakDrill *) self->drill->peaks->data));
  return peak->root;
}

/* --- block requests: queue time, then service time --- */

static void
add_part (TbPeaksTree *tree, guint32 root, TbPeaksNodeKind kind, gint64 ns)
{
  guint32 part;

  if (ns <= 0)
    return;
  part = tb_peaks_tree_get (tree, root, kind, 0);
  tb_peaks_tree_touch (tree, part);
  tb_peaks_tree_node (tree, part)->latency = ns;
  tb_peaks_tree_node (tree, part)->own_ns += ns;
}

static void
drill_requests (Driller *self, const GArray *rows)
{
  const TbPeaksTable *table = get_table (self->drill);
  TbPeaksTree *tree = self->drill->tree;

  for (guint i = 0; i < rows->len; i++)
    {
      guint32 row = g_array_index (rows, guint32, i);
      gint64 latency = MAX (table->exit[row] - table->enter[row], 0);
      gint64 issue = CLAMP (table->issue[row], table->enter[row], table->enter[row] + latency);
      TbPeakDrill *peak = find_peak (self, latency);
      guint32 root = get_root (self, peak);

      tb_peaks_tree_touch (tree, root);
      tb_peaks_tree_node (tree, root)->latency = latency;
      add_part (tree, root, TB_PEAKS_NODE_QUEUE, issue - table->enter[row]);
      add_part (tree, root, TB_PEAKS_NODE_SERVICE, table->enter[row] + latency - issue);
      tb_peaks_tree_decide (tree, &self->drill->calls->bins);
      peak->drilled++;
    }
}

/* --- waits for a CPU: threads that ran on it --- */

static guint32
get_runner (const TbIntervals *intervals, guint32 row)
{
  return row < intervals->n ? intervals->thread[row] : TB_ID_NONE;
}

/* Maximum number of runs on a CPU that are examined for one wait. */
#define MAX_HOLDERS 64

static void
add_holders (Driller *self, guint32 root, guint cpu, gint64 from, gint64 to)
{
  TbTrace *trace = self->drill->calls->trace;
  const TbTrack *track
      = cpu < tb_trace_get_n_cpus (trace) ? tb_trace_get_cpu_track (trace, cpu) : NULL;
  TbPeaksTree *tree = self->drill->tree;
  const gint64 *start, *end;
  const guint32 *item;
  gsize low = 0, high = track != NULL ? track->n : 0;
  gint64 held = 0;

  start = high > 0 ? g_bytes_get_data (track->start, NULL) : NULL;
  end = high > 0 ? g_bytes_get_data (track->end, NULL) : NULL;
  item = high > 0 ? g_bytes_get_data (track->item, NULL) : NULL;
  while (low < high)
    {
      gsize middle = low + (high - low) / 2;

      if (end[middle] <= from)
        low = middle + 1;
      else
        high = middle;
    }
  for (guint i = 0; track != NULL && low < track->n && start[low] < to && i < MAX_HOLDERS;
       low++, i++)
    {
      gint64 ns = MIN (end[low], to) - MAX (start[low], from);
      guint32 node;

      if (ns <= 0)
        continue;
      node = tb_peaks_tree_get (tree, root, TB_PEAKS_NODE_HOLDER,
                                get_runner (tb_trace_get_intervals (trace), item[low]));
      tb_peaks_tree_touch (tree, node);
      tb_peaks_tree_node (tree, node)->latency += ns;
      tb_peaks_tree_node (tree, node)->own_ns += ns;
      held += ns;
    }
  tb_peaks_tree_node (tree, root)->own_ns += to - from - held;
}

static void
drill_delays (Driller *self, const GArray *rows)
{
  const TbPeaksTable *table = get_table (self->drill);
  const TbIntervals *intervals = tb_trace_get_intervals (self->drill->calls->trace);
  TbPeaksTree *tree = self->drill->tree;

  for (guint i = 0; i < rows->len; i++)
    {
      guint32 row = g_array_index (rows, guint32, i);
      gint64 latency = tb_peaks_table_get_latency (table, row);
      TbPeakDrill *peak = find_peak (self, latency);
      guint32 root = get_root (self, peak);

      tb_peaks_tree_touch (tree, root);
      tb_peaks_tree_node (tree, root)->latency = latency;
      add_holders (self, root, intervals->cpu[table->origin[row]], table->enter[row],
                   table->enter[row] + latency);
      tb_peaks_tree_decide (tree, &self->drill->calls->bins);
      peak->drilled++;
      peak->run_queue_ns += latency;
    }
}

/* --- interrupt handlers, and those that interrupted them --- */

static gboolean
drill_handlers (Driller *self, const GArray *rows, GError **error)
{
  const TbPeaksTable *table = get_table (self->drill);
  TbPeaksTree *tree = self->drill->tree;
  TbPeaksInterrupts interrupts = { 0 };
  gboolean is_good
      = tb_peaks_interrupts_init (&interrupts, tb_trace_get_session (self->drill->calls->trace),
                                  self->wanted, self->drill->calls->n_threads, error);

  for (guint i = 0; is_good && i < rows->len; i++)
    {
      guint32 row = g_array_index (rows, guint32, i);
      gint64 latency = tb_peaks_table_get_latency (table, row);
      gint64 own = MIN (interrupts.own[table->origin[row]], latency);
      TbPeakDrill *peak = find_peak (self, latency);
      guint32 root = get_root (self, peak);

      tb_peaks_tree_touch (tree, root);
      tb_peaks_tree_node (tree, root)->latency = latency;
      tb_peaks_tree_node (tree, root)->own_ns += own;
      add_part (tree, root, TB_PEAKS_NODE_NESTED, latency - own);
      tb_peaks_tree_decide (tree, &self->drill->calls->bins);
      peak->drilled++;
      peak->running_ns += own;
      peak->interrupt_ns += latency - own;
    }
  tb_peaks_interrupts_clear (&interrupts);
  return is_good;
}

/* --- calls of threads --- */

static gboolean
drill_thread (Driller *self, guint32 thread, GCancellable *cancellable, GError **error)
{
  const TbPeaksTable *table = get_table (self->drill);
  const TbPeaksCalls *calls = self->drill->calls;
  guint32 *rows = self->calls.rows + self->calls.first[thread];
  gsize n = self->calls.first[thread + 1] - self->calls.first[thread];
  gint64 until = G_MININT64;

  tb_peaks_sort_rows (table, rows, n);
  tb_peaks_walk_begin_thread (&self->walk, thread);
  tb_peaks_add_callees (self->walk.callees, &calls->tables[TB_PEAKS_SYSCALL], &self->syscalls,
                        thread);
  tb_peaks_add_callees (self->walk.callees, &calls->tables[TB_PEAKS_FUNCTION], &self->functions,
                        thread);
  tb_peaks_sort_callees (self->walk.callees);
  for (gsize i = 0; i < n; i++)
    {
      gint64 enter = table->enter[rows[i]], exit = MAX (table->exit[rows[i]], enter);
      TbPeakDrill *peak = find_peak (self, tb_peaks_table_get_latency (table, rows[i]));

      if (++self->since_check % CALLS_BETWEEN_CHECKS == 0
          && g_cancellable_set_error_if_cancelled (cancellable, error))
        return FALSE;
      if (enter < until)
        {
          peak->nested++;
          continue;
        }
      peak->drilled++;
      tb_peaks_walk_call (&self->walk, peak, get_root (self, peak), rows[i], enter, exit);
      until = exit;
    }
  return TRUE;
}

/* Whether calls of this kind can contain system calls. */
static gboolean
has_syscalls (TbPeaksKind kind)
{
  return kind == TB_PEAKS_FUNCTION || kind == TB_PEAKS_INFERRED || kind == TB_PEAKS_HOLD;
}

static gboolean
drill_threads (Driller *self, const GArray *rows, GCancellable *cancellable, GError **error)
{
  const TbPeaksCalls *calls = self->drill->calls;
  const TbPeaksTable *functions = &calls->tables[TB_PEAKS_FUNCTION];
  const TbPeaksTable *syscalls = &calls->tables[TB_PEAKS_SYSCALL];
  gboolean is_good;

  tb_peaks_index_init (&self->calls, get_table (self->drill)->thread, rows, 0, NULL,
                       calls->n_threads);
  if (functions->n > 0)
    tb_peaks_index_init (&self->functions, functions->thread, NULL, functions->n, self->wanted,
                         calls->n_threads);
  if (syscalls->n > 0 && has_syscalls (self->drill->operation->kind))
    tb_peaks_index_init (&self->syscalls, syscalls->thread, NULL, syscalls->n, self->wanted,
                         calls->n_threads);
  is_good = tb_peaks_walk_load (&self->walk, self->wanted, error);
  if (is_good)
    self->drill->gaps
        = tb_peaks_measure_interrupt_gaps (calls, &self->walk.interrupts, self->wanted);
  for (guint32 thread = 1; is_good && thread < calls->n_threads; thread++)
    if (self->calls.first[thread + 1] > self->calls.first[thread])
      is_good = drill_thread (self, thread, cancellable, error);
  tb_peaks_index_clear (&self->calls);
  tb_peaks_index_clear (&self->functions);
  tb_peaks_index_clear (&self->syscalls);
  return is_good;
}

static void
add_peaks (Driller *self, const GArray *ranges)
{
  for (guint i = 0; i < ranges->len; i++)
    {
      const TbPeakRange *range = &g_array_index (ranges, TbPeakRange, i);
      TbPeakDrill peak = { .root = TB_ID_NONE };

      for (guint bin = range->first; bin <= range->last && bin < self->drill->calls->bins.n; bin++)
        self->peak_of_bin[bin] = (guint16) (i + 1);
      g_array_append_val (self->drill->peaks, peak);
    }
}

TbPeaksDrill *
tb_peaks_drill_new (const TbPeaksCalls *calls,
                    const TbPeaksOperation *operation,
                    const GArray *all,
                    const GArray *peaks,
                    guint max_depth,
                    GCancellable *cancellable,
                    GError **error)
{
  g_autoptr (TbPeaksDrill) self = g_new0 (TbPeaksDrill, 1);
  g_autofree guint16 *peak_of_bin = g_new0 (guint16, calls->bins.n);
  g_autofree guint8 *wanted = g_malloc0 (calls->n_threads + 1);
  g_autoptr (GArray) rows = NULL;
  Driller driller = { .drill = self, .peak_of_bin = peak_of_bin, .wanted = wanted };
  gboolean is_good = TRUE;

  g_assert (peaks->len < G_MAXUINT16);
  self->calls = calls;
  self->operation = operation;
  self->tree = tb_peaks_tree_new ();
  self->names = g_string_chunk_new (4096);
  if (operation->kind == TB_PEAKS_FUNCTION)
    {
      g_autofree char *module = NULL;

      self->function = tb_peaks_split_function (
          tb_session_get_string (tb_trace_get_session (calls->trace), operation->key), &module);
    }
  self->peaks = g_array_new (FALSE, FALSE, sizeof (TbPeakDrill));
  add_peaks (&driller, peaks);
  rows = choose_calls (&driller, all);
  tb_peaks_walk_init (&driller.walk, self, max_depth);
  if (operation->kind == TB_PEAKS_BLOCK)
    drill_requests (&driller, rows);
  else if (operation->kind == TB_PEAKS_RUN_QUEUE)
    drill_delays (&driller, rows);
  else if (operation->kind == TB_PEAKS_INTERRUPT)
    is_good = drill_handlers (&driller, rows, error);
  else
    is_good = drill_threads (&driller, rows, cancellable, error);
  tb_peaks_walk_clear (&driller.walk);
  if (!is_good)
    return NULL;
  return g_steal_pointer (&self);
}

gboolean
tb_peaks_drill_finish (TbPeaksDrill *self, double percentage, GError **error)
{
  tb_peaks_tree_finish (self->tree, percentage);
  tb_peaks_find_interrupt_causes (self, percentage);
  return tb_peaks_find_call_sites (self, error) && tb_peaks_find_lines (self, error);
}
