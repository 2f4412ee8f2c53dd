/* tb-locks-report.c: report on locks: table of locks, histogram of the lengths of waits, findings
 * about each lock and its holders and about unknown locks, headline
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#include "config.h"

#include <inttypes.h>

#include <glib/gi18n.h>
#include <math.h>

#include "extend/plugins/tb-finding-thread.h"
#include "report/histogram/tb-histogram-figure.h"
#include "report/table/tb-table-figure.h"
#include "tb-locks-report.h"

#define NAMES_IN_CELL 3
/* Most thread names in a value of a finding. */
#define MAX_NAMES 1000
#define MAX_SERIES 8
#define FIRST_BIN 1000 /* ns; each bin is twice as wide as the one before */
#define HIGH_SHARE 0.2
#define MEDIUM_SHARE 0.05
/* A thread mostly ended the waits if it ended more than this share of the time. */
#define MOSTLY 0.5

/* "worker ×3, main, …": names, each with its number of threads, in the order of the threads. */
static char *
join_names (TbLocksSummary *summary, const GArray *threads)
{
  g_autoptr (GPtrArray) names = g_ptr_array_new ();
  g_autoptr (GArray) counts = g_array_new (FALSE, FALSE, sizeof (guint));
  GString *text = g_string_new (NULL);

  for (guint i = 0; i < threads->len; i++)
    {
      const char *name
          = tb_trace_get_thread_name_at (summary->trace,
                                         g_array_index (threads, TbLockThread, i).thread,
                                         summary->to);
      guint place, one = 1;

      if (g_ptr_array_find_with_equal_func (names, name, g_str_equal, &place))
        {
          g_array_index (counts, guint, place)++;
          continue;
        }
      g_ptr_array_add (names, (gpointer) name);
      g_array_append_val (counts, one);
    }
  for (guint i = 0; i < names->len && i < NAMES_IN_CELL; i++)
    {
      guint count = g_array_index (counts, guint, i);

      g_string_append_printf (text, "%s%s", i > 0 ? ", " : "",
                              (const char *) g_ptr_array_index (names, i));
      if (count > 1)
        g_string_append_printf (text, " ×%u", count);
    }
  if (names->len > NAMES_IN_CELL)
    g_string_append (text, ", …");
  return g_string_free (text, FALSE);
}

static TbFigure *
make_table (TbLocksSummary *summary, guint n)
{
  TbTableFigure *table = tb_table_figure_new ("locks", _ ("Locks"));
  guint name = tb_table_figure_add_column (table, "name", _ ("Lock"), TB_CELL_TEXT);
  guint process = tb_table_figure_add_column (table, "process", _ ("Process"), TB_CELL_TEXT);
  guint wait = tb_table_figure_add_column (table, "wait", _ ("Waited"), TB_CELL_DURATION);
  guint waits = tb_table_figure_add_column (table, "waits", _ ("Waits"), TB_CELL_COUNT);
  guint longest = tb_table_figure_add_column (table, "longest", _ ("Longest"), TB_CELL_DURATION);
  guint most = tb_table_figure_add_column (table, "most", _ ("Most at Once"), TB_CELL_COUNT);
  guint waiters = tb_table_figure_add_column (table, "waiters", _ ("Waiters"), TB_CELL_TEXT);
  guint holders = tb_table_figure_add_column (table, "holders", _ ("Released By"), TB_CELL_TEXT);

  for (guint i = 0; i < n; i++)
    {
      const TbLockSummary *lock = g_ptr_array_index (summary->locks, i);
      g_autofree char *item = g_strdup_printf ("%u", lock->lock);
      g_autofree char *lock_name = tb_trace_describe_lock (summary->trace, lock->lock);
      g_autofree char *process_name = tb_locks_summary_describe_process (summary, lock);
      g_autofree char *waiter_names = join_names (summary, lock->waiters);
      g_autofree char *holder_names = join_names (summary, lock->holders);
      guint row = tb_table_figure_add_row (table, item);

      tb_table_figure_set_text (table, row, name, lock_name);
      tb_table_figure_set_text (table, row, process,
                                process_name != NULL ? process_name
                                                     : C_ ("process of a lock", "shared"));
      tb_table_figure_set_integer (table, row, wait, lock->wait_ns);
      tb_table_figure_set_integer (table, row, waits, (gint64) lock->n_waits);
      tb_table_figure_set_integer (table, row, longest, lock->longest_ns);
      tb_table_figure_set_integer (table, row, most, lock->most);
      tb_table_figure_set_text (table, row, waiters, waiter_names);
      if (lock->holders->len > 0)
        tb_table_figure_set_text (table, row, holders, holder_names);
    }
  return TB_FIGURE (table);
}

static guint
get_bin (gint64 ns)
{
  guint bin = 0;

  for (gint64 end = FIRST_BIN; ns >= end && bin < 62; end *= 2)
    bin++;
  return bin;
}

static void
add_series (TbHistogramFigure *figure,
            TbLocksSummary *summary,
            const TbLockSummary *lock,
            guint n_bins)
{
  g_autofree char *id = g_strdup_printf ("%u", lock->lock);
  g_autofree char *name = tb_trace_describe_lock (summary->trace, lock->lock);
  g_autofree guint64 *counts = g_new0 (guint64, n_bins);
  g_autofree guint64 *totals = g_new0 (guint64, n_bins);
  guint series = tb_histogram_figure_add_series (figure, id, name);

  for (guint i = 0; i < lock->waits->len; i++)
    {
      const TbLockWait *wait = &g_array_index (lock->waits, TbLockWait, i);
      guint bin = get_bin (wait->to - wait->from);

      counts[bin]++;
      totals[bin] += (guint64) (wait->to - wait->from);
    }
  for (guint bin = 0; bin < n_bins; bin++)
    tb_histogram_figure_set_count (figure, series, bin, counts[bin], totals[bin]);
}

static TbFigure *
make_histogram (TbLocksSummary *summary, guint n)
{
  TbHistogramFigure *figure
      = tb_histogram_figure_new ("wait-lengths", _ ("Lengths of Waits"), "ns");
  gint64 longest = 0, from = 0, to = FIRST_BIN;
  guint n_bins;

  n = MIN (n, MAX_SERIES);
  for (guint i = 0; i < n; i++)
    longest = MAX (longest, ((TbLockSummary *) g_ptr_array_index (summary->locks, i))->longest_ns);
  n_bins = get_bin (longest) + 1;
  tb_histogram_figure_set_logarithmic (figure, TRUE);
  for (guint bin = 0; bin < n_bins; bin++)
    {
      tb_histogram_figure_add_bin (figure, from, to);
      from = to;
      to *= 2;
    }
  for (guint i = 0; i < n; i++)
    add_series (figure, summary, g_ptr_array_index (summary->locks, i), n_bins);
  return TB_FIGURE (figure);
}

static guint
count_shown (TbLocksSummary *summary, guint top)
{
  return top == 0 ? summary->locks->len : MIN (top, summary->locks->len);
}

void
tb_locks_add_figures (TbReport *report, TbLocksSummary *summary, guint top)
{
  guint n = count_shown (summary, top);

  if (n == 0)
    return;
  tb_report_add_figure (report, make_table (summary, n));
  tb_report_add_figure (report, make_histogram (summary, n));
}

/* --- findings --- */

/* " worker (812) held it at the end of 71 % of that." There is also a sentence for unknown
 * holders. */
static char *
describe_holders (TbLocksSummary *summary, const TbLockSummary *lock)
{
  const TbLockThread *first;
  g_autofree char *name = NULL;
  g_autofree char *share = NULL;

  if (lock->holders->len == 0)
    return g_strdup (_ (" The holder is not known."));
  first = &g_array_index (lock->holders, TbLockThread, 0);
  name = tb_trace_describe_thread (summary->trace, first->thread);
  share = tb_format_share ((double) first->wait_ns / MAX (lock->wait_ns, 1));
  if (first->wait_ns > lock->wait_ns * MOSTLY)
    return g_strdup_printf (lock->use == TB_LOCK_USE_CONDITION
                                ? _ (" %s ended %s of that.")
                                : _ (" %s held it at the end of %s of that."),
                            name, share);
  g_free (name);
  name = join_names (summary, lock->holders);
  return g_strdup_printf (lock->use == TB_LOCK_USE_CONDITION
                              ? _ (" It was signalled by %s.")
                              : _ (" Several threads held it in turn: %s."),
                          name);
}

static char *
describe_uncertainty (const TbLockSummary *lock)
{
  if (lock->uncertain > 0)
    return g_strdup_printf (ngettext (" %'" PRIu64 " wait overlaps with lost events.",
                                      " %'" PRIu64 " waits overlap with lost events.",
                                      lock->uncertain),
                            lock->uncertain);
  return g_strdup ("");
}

static const char *
get_code (const TbLockSummary *lock)
{
  switch (lock->use)
    {
    case TB_LOCK_USE_JOIN:
      return "join-wait";
    case TB_LOCK_USE_CONDITION:
      return "condition-wait";
    default:
      return "lock-contention";
    }
}

static char *
describe_lock (TbLocksSummary *summary, const TbLockSummary *lock, double share)
{
  g_autofree char *name = tb_trace_describe_lock (summary->trace, lock->lock);
  g_autofree char *known_process = tb_locks_summary_describe_process (summary, lock);
  const char *process = known_process != NULL ? known_process : _ ("several processes");
  g_autofree char *waiters = join_names (summary, lock->waiters);
  g_autofree char *waited = tb_format_duration (lock->wait_ns);
  g_autofree char *longest = tb_format_duration (lock->longest_ns);
  g_autofree char *some = tb_format_share (share);
  g_autofree char *holders = describe_holders (summary, lock);
  g_autofree char *uncertainty = describe_uncertainty (lock);

  if (lock->use == TB_LOCK_USE_JOIN)
    return g_strdup_printf (_ ("%s waited %s in all for threads of %s to end.%s"), waiters, waited,
                            process, uncertainty);
  if (lock->use == TB_LOCK_USE_CONDITION)
    return g_strdup_printf (_ ("%s waited %s in all for %s of %s to be signalled.%s%s"), waiters,
                            waited, name, process, holders, uncertainty);
  return g_strdup_printf (_ ("%s waited %s in all for the lock %s of %s: at least one waited "
                             "during %s of the time, up to %u at once, %s at the longest.%s%s"),
                          waiters, waited, name, process, some, lock->most, longest, holders,
                          uncertainty);
}

/* Sets the name of each thread, in descending order of time. */
static void
set_names (TbFinding *finding, const char *name, TbLocksSummary *summary, const GArray *threads)
{
  g_autoptr (GPtrArray) names = g_ptr_array_new ();

  for (guint i = 0; i < threads->len && i < MAX_NAMES; i++)
    g_ptr_array_add (names, (gpointer) tb_trace_get_thread_name_at (
                                summary->trace, g_array_index (threads, TbLockThread, i).thread,
                                summary->to));
  g_ptr_array_add (names, NULL);
  tb_finding_set_strings (finding, name, (const char *const *) names->pdata);
}

/* Sets the process of a lock; null if several processes share it. */
static void
set_process (TbFinding *finding, TbLocksSummary *summary, guint32 lock)
{
  guint n_locks, n_processes;
  guint32 process = tb_trace_get_locks (summary->trace, &n_locks)[lock].process;
  const TbProcess *processes
      = tb_session_get_processes (tb_trace_get_session (summary->trace), &n_processes);

  tb_finding_set_string (finding, "process",
                         process < n_processes ? processes[process].name : NULL);
  if (process < n_processes)
    tb_finding_set_integer (finding, "pid", processes[process].pid);
  else
    tb_finding_set_string (finding, "pid", NULL);
}

/* Sets the thread that ended most of the waiting, where that was recorded. */
static void
set_holders (TbFinding *finding, TbLocksSummary *summary, const TbLockSummary *lock)
{
  const TbLockThread *first
      = lock->holders->len > 0 ? &g_array_index (lock->holders, TbLockThread, 0) : NULL;

  tb_finding_set_thread (finding, "holder_", summary->trace,
                         first != NULL ? first->thread : TB_ID_NONE);
  tb_finding_set_time (finding, "holder_ns", first != NULL ? first->wait_ns : TB_TIME_NONE);
  tb_finding_set_number (finding, "holder_share",
                         first != NULL ? (double) first->wait_ns / MAX (lock->wait_ns, 1) : NAN);
  tb_finding_set_integer (finding, "holder_threads", lock->holders->len);
  set_names (finding, "holders", summary, lock->holders);
}

static void
set_values (TbFinding *finding, TbLocksSummary *summary, const TbLockSummary *lock, double share)
{
  g_autofree char *name = tb_trace_describe_lock (summary->trace, lock->lock);

  tb_finding_set_string (finding, "lock", name);
  set_process (finding, summary, lock->lock);
  tb_finding_set_integer (finding, "waiter_threads", lock->waiters->len);
  set_names (finding, "waiters", summary, lock->waiters);
  tb_finding_set_time (finding, "wait_ns", lock->wait_ns);
  tb_finding_set_time (finding, "longest_ns", lock->longest_ns);
  tb_finding_set_time (finding, "contended_ns", lock->contended_ns);
  tb_finding_set_number (finding, "contended_share", share);
  tb_finding_set_integer (finding, "most_waiting", lock->most);
  tb_finding_set_integer (finding, "uncertain_waits", (gint64) lock->uncertain);
  set_holders (finding, summary, lock);
}

static TbSeverity
rate (const TbLockSummary *lock, double share)
{
  if (lock->use == TB_LOCK_USE_JOIN || lock->use == TB_LOCK_USE_CONDITION)
    return TB_SEVERITY_INFO;
  return share >= HIGH_SHARE     ? TB_SEVERITY_HIGH
         : share >= MEDIUM_SHARE ? TB_SEVERITY_MEDIUM
                                 : TB_SEVERITY_LOW;
}

static TbFinding *
make_finding (TbLocksSummary *summary, const TbLockSummary *lock)
{
  const TbIntervals *intervals = tb_trace_get_intervals (summary->trace);
  double share = (double) lock->contended_ns / MAX (summary->to - summary->from, 1);
  g_autofree char *item = g_strdup_printf ("%u", lock->lock);
  g_autofree char *text = describe_lock (summary, lock, share);
  TbFinding *finding = tb_finding_new (rate (lock, share), text, lock->wait_ns, share);

  tb_finding_set_code (finding, get_code (lock));
  set_values (finding, summary, lock, share);
  tb_finding_set_place (finding, "locks", item);
  tb_finding_set_range (finding, MAX (intervals->start[lock->longest], summary->from),
                        MIN (intervals->end[lock->longest], summary->to));
  tb_finding_add_thread (finding, intervals->thread[lock->longest]);
  if (intervals->cause_kind[lock->longest] == TB_CAUSE_THREAD)
    tb_finding_add_thread (finding, intervals->cause[lock->longest]);
  return finding;
}

static void
add_unknown_origins (TbReport *report, TbLocksSummary *summary)
{
  g_autofree char *text = g_strdup_printf (
      ngettext ("The function that made %u lock without a name is unknown: it ran before the "
                "recording began, its event was lost, or it is not one of the recorded functions. "
                "The lock is named by the function that waits for it.",
                "The functions that made %u locks without names are unknown: they ran before the "
                "recording began, their events were lost, or they are not among the recorded "
                "functions. The locks are named by the functions that wait for them.",
                summary->n_unknown_origins),
      summary->n_unknown_origins);
  TbFinding *finding = tb_finding_new (TB_SEVERITY_INFO, text, 0, NAN);

  tb_finding_set_code (finding, "unknown-lock-origins");
  tb_finding_set_integer (finding, "locks", summary->n_unknown_origins);
  tb_report_add_finding (report, finding);
}

static void
add_unknown_addresses (TbReport *report, TbLocksSummary *summary)
{
  g_autofree char *waited = tb_format_duration (summary->unknown_address_ns);
  g_autofree char *text = g_strdup_printf (
      ngettext ("%'" PRIu64 " wait for a lock (%s) has no address: the lock is not known. The "
                "collector “Kernel programs” (ebpf) records the addresses.",
                "%'" PRIu64 " waits for locks (%s) have no addresses: the locks are not known. The "
                "collector “Kernel programs” (ebpf) records the addresses.",
                summary->n_unknown_addresses),
      summary->n_unknown_addresses, waited);
  TbFinding *finding = tb_finding_new (TB_SEVERITY_INFO, text, summary->unknown_address_ns, NAN);

  tb_finding_set_code (finding, "unknown-lock-addresses");
  tb_finding_set_integer (finding, "count", (gint64) summary->n_unknown_addresses);
  tb_finding_set_time (finding, "wait_ns", summary->unknown_address_ns);
  tb_report_add_finding (report, finding);
}

void
tb_locks_add_findings (TbReport *report, TbLocksSummary *summary, guint top)
{
  guint n = count_shown (summary, top);

  for (guint i = 0; i < n; i++)
    tb_report_add_finding (report, make_finding (summary, g_ptr_array_index (summary->locks, i)));
  if (summary->n_unknown_origins > 0)
    add_unknown_origins (report, summary);
  if (summary->n_unknown_addresses > 0)
    add_unknown_addresses (report, summary);
}

char *
tb_locks_make_headline (TbLocksSummary *summary)
{
  guint64 waits = 0;
  gint64 ns = 0;
  g_autofree char *waited = NULL;
  g_autofree char *locks = NULL;

  if (tb_table_get_n_rows (
          tb_session_get_table (tb_trace_get_session (summary->trace), TB_TABLE_SLEEP))
      == 0)
    return g_strdup (_ ("The locks that threads waited for are not known: what threads sleep in "
                        "was not recorded. Record with the collector “Kernel programs” (ebpf)."));
  if (summary->locks->len == 0)
    return g_strdup (summary->n_unknown_addresses > 0
                         ? _ ("Threads waited for locks, but it is not known for which.")
                         : _ ("No thread waited for a lock."));
  for (guint i = 0; i < summary->locks->len; i++)
    {
      const TbLockSummary *lock = g_ptr_array_index (summary->locks, i);

      waits += lock->n_waits;
      ns += lock->wait_ns;
    }
  waited = tb_format_duration (ns);
  locks = g_strdup_printf (ngettext ("%u lock", "%u locks", summary->locks->len),
                           summary->locks->len);
  return g_strdup_printf (ngettext ("Threads waited %s for %s, %'" PRIu64 " time.",
                                    "Threads waited %s for %s, %'" PRIu64 " times.", waits),
                          waited, locks, waits);
}
