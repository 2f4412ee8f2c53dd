/* tb-locks-findings.c: findings about each lock and class and its holders, about conditions,
 * timeouts and joins, and about unknown locks
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#include "config.h"

#include <inttypes.h>

#include <glib/gi18n.h>
#include <math.h>

#include "extend/plugins/tb-finding-thread.h"
#include "tb-locks-names.h"
#include "tb-locks-report.h"

/* Most thread names in a value of a finding. */
#define MAX_NAMES 1000
#define HIGH_SHARE 0.2
#define MEDIUM_SHARE 0.05
/* A thread mostly ended the waits if it ended more than this share of the time. */
#define MOSTLY 0.5

/* --- sentences --- */

static const TbLock *
get_lock (TbLocksSummary *summary, const TbLockSummary *lock)
{
  guint n_locks;

  return &tb_trace_get_locks (summary->trace, &n_locks)[lock->lock];
}

/* " worker (812) held it at the end of 71 % of that." A thread that ends a wait for a mutex or a
 * file had it; of other words that is not known. */
static char *
describe_holders (TbLocksSummary *summary, const TbLockSummary *lock)
{
  gboolean is_held = tb_lock_use_has_holder (lock->use);
  const TbLockThread *first;
  g_autofree char *name = NULL;
  g_autofree char *share = NULL;

  if (lock->holders->len == 0)
    return g_strdup (lock->group == TB_LOCK_GROUP_LOCK ? _ (" The holder is not known.") : "");
  first = &g_array_index (lock->holders, TbLockThread, 0);
  name = tb_trace_describe_thread (summary->trace, first->thread);
  share = tb_format_share ((double) first->wait_ns / MAX (lock->wait_ns, 1));
  if (first->wait_ns > lock->wait_ns * MOSTLY)
    return g_strdup_printf (is_held ? _ (" %s held it at the end of %s of that.")
                                    : _ (" %s ended %s of that."),
                            name, share);
  g_free (name);
  name = tb_locks_join_names (summary, lock->holders);
  if (lock->group == TB_LOCK_GROUP_CONDITION)
    return g_strdup_printf (_ (" It was signalled by %s."), name);
  return g_strdup_printf (is_held ? _ (" Several threads held it in turn: %s.")
                                  : _ (" Several threads ended the waits: %s."),
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

static char *
describe_polls (const TbLockSummary *lock)
{
  g_autofree char *share = tb_format_share ((double) lock->polled_ns / MAX (lock->wait_ns, 1));

  return lock->polled_ns > 0
             ? g_strdup_printf (_ (" %s of that they slept between attempts to get it."), share)
             : g_strdup ("");
}

static const char *
get_code (const TbLockSummary *lock)
{
  switch (lock->group)
    {
    case TB_LOCK_GROUP_JOIN:
      return "join-wait";
    case TB_LOCK_GROUP_TIMED:
      return "timed-wait";
    case TB_LOCK_GROUP_CONDITION:
      return "condition-wait";
    case TB_LOCK_GROUP_UNKNOWN:
      return "futex-wait";
    case TB_LOCK_GROUP_LOCK:
    case TB_N_LOCK_GROUPS:
    default:
      return lock->use == TB_LOCK_USE_FILE ? "file-lock-contention" : "lock-contention";
    }
}

/* What only looks like a lock, by the threads that end its waits, is not certain to be one. */
static gboolean
is_certain (const TbLockSummary *lock)
{
  return !tb_lock_use_is_vague (lock->use)
         && (lock->use != TB_LOCK_USE_SEMAPHORE || lock->handed_on_ns * 2 >= lock->released_ns);
}

/* "the lock queue_lock of app (812)" */
static char *
describe_object (TbLocksSummary *summary, const TbLockSummary *lock)
{
  g_autofree char *name = tb_locks_summary_label (summary, lock);
  g_autofree char *known_process = tb_locks_summary_describe_process (summary, lock);
  const char *process = known_process != NULL ? known_process : _ ("several processes");

  if (lock->use == TB_LOCK_USE_FILE)
    /* Translators: %s is the path of a file. */
    return g_strdup_printf (_ ("the lock of the file %s"), name);
  if (get_lock (summary, lock)->kind == TB_LOCK_SEMAPHORE)
    return g_steal_pointer (&name);
  if (lock->group == TB_LOCK_GROUP_LOCK && !is_certain (lock))
    /* Translators: a word in memory that is used by threads like a lock, and a process */
    return g_strdup_printf (_ ("%s of %s, probably a lock"), name, process);
  if (lock->members != NULL || lock->group != TB_LOCK_GROUP_LOCK)
    /* Translators: a lock or several, and a process */
    return g_strdup_printf (_ ("%s of %s"), name, process);
  if (lock->use == TB_LOCK_USE_SEMAPHORE)
    /* Translators: name of a semaphore, and a process */
    return g_strdup_printf (_ ("the semaphore %s of %s"), name, process);
  /* Translators: name of a lock, and a process */
  return g_strdup_printf (_ ("the lock %s of %s"), name, process);
}

static char *
describe_contention (const TbLockSummary *lock, double share)
{
  g_autofree char *longest = tb_format_duration (lock->longest_ns);
  g_autofree char *some = tb_format_share (share);

  return g_strdup_printf (
      _ ("at least one waited during %s of the time, up to %u at once, %s at the longest"), some,
      lock->most, longest);
}

static char *
describe_timeouts (const TbLockSummary *lock)
{
  return g_strdup_printf (ngettext ("%'" PRIu64 " of %'" PRIu64 " wait ended by its timeout",
                                    "%'" PRIu64 " of %'" PRIu64 " waits ended by their timeouts",
                                    lock->n_waits),
                          lock->timed_out, lock->n_waits);
}

static char *
describe_lock (TbLocksSummary *summary, const TbLockSummary *lock, double share)
{
  g_autofree char *object = describe_object (summary, lock);
  g_autofree char *waiters = tb_locks_join_names (summary, lock->waiters);
  g_autofree char *waited = tb_format_duration (lock->wait_ns);
  g_autofree char *holders = describe_holders (summary, lock);
  g_autofree char *uncertainty = describe_uncertainty (lock);
  g_autofree char *contention = describe_contention (lock, share);
  g_autofree char *timeouts = describe_timeouts (lock);
  g_autofree char *polls = describe_polls (lock);

  switch (lock->group)
    {
    case TB_LOCK_GROUP_JOIN:
      /* Translators: names of threads, and the time for which they waited until others ended */
      return g_strdup_printf (_ ("%s joined threads: %s.%s"), waiters, waited, uncertainty);
    case TB_LOCK_GROUP_TIMED:
      return g_strdup_printf (_ ("%s waited %s in all for %s: %s.%s"), waiters, waited, object,
                              timeouts, uncertainty);
    case TB_LOCK_GROUP_CONDITION:
      return g_strdup_printf (_ ("%s waited %s in all for %s to be signalled.%s%s"), waiters,
                              waited, object, holders, uncertainty);
    case TB_LOCK_GROUP_UNKNOWN:
      return g_strdup_printf (_ ("%s waited %s in all for %s, of which it is not known whether it "
                                 "is a lock.%s%s"),
                              waiters, waited, object, holders, uncertainty);
    case TB_LOCK_GROUP_LOCK:
    case TB_N_LOCK_GROUPS:
    default:
      return g_strdup_printf (_ ("%s waited %s in all for %s: %s.%s%s%s"), waiters, waited, object,
                              contention, holders, polls, uncertainty);
    }
}

/* --- values --- */

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

/* Sets the thread that ended most of the waiting, where that was recorded. prefix: of the names of
 * its values. */
static void
set_ender (TbFinding *finding,
           TbLocksSummary *summary,
           const TbLockSummary *lock,
           const char *prefix,
           gboolean is_known)
{
  const TbLockThread *first
      = is_known && lock->holders->len > 0 ? &g_array_index (lock->holders, TbLockThread, 0) : NULL;
  g_autofree char *ns = g_strconcat (prefix, "ns", NULL);
  g_autofree char *share = g_strconcat (prefix, "share", NULL);
  g_autofree char *threads = g_strconcat (prefix, "threads", NULL);

  tb_finding_set_thread (finding, prefix, summary->trace,
                         first != NULL ? first->thread : TB_ID_NONE);
  tb_finding_set_time (finding, ns, first != NULL ? first->wait_ns : TB_TIME_NONE);
  tb_finding_set_number (finding, share,
                         first != NULL ? (double) first->wait_ns / MAX (lock->wait_ns, 1) : NAN);
  tb_finding_set_integer (finding, threads, is_known ? lock->holders->len : 0);
}

/* A condition, a timeout and the end of a thread have no holder. */
static void
set_holders (TbFinding *finding, TbLocksSummary *summary, const TbLockSummary *lock)
{
  gboolean is_lock = lock->group == TB_LOCK_GROUP_LOCK;
  g_autoptr (GArray) none = g_array_new (FALSE, FALSE, sizeof (TbLockThread));

  set_ender (finding, summary, lock, "holder_", is_lock);
  set_names (finding, "holders", summary, is_lock ? lock->holders : none);
  set_ender (finding, summary, lock, "ended_by_", TRUE);
  set_names (finding, "ended_by", summary, lock->holders);
}

static void
set_values (TbFinding *finding, TbLocksSummary *summary, const TbLockSummary *lock, double share)
{
  g_autofree char *name = tb_locks_summary_name (summary, lock);

  tb_finding_set_string (finding, "lock", name);
  tb_finding_set_string (finding, "use", tb_lock_use_get_name (lock->use));
  tb_finding_set_string (finding, "group", tb_lock_group_get_name (lock->group));
  if (tb_lock_summary_is_parked (lock))
    tb_finding_set_string (finding, "locks", NULL);
  else
    tb_finding_set_integer (finding, "locks", lock->members != NULL ? lock->members->len : 1);
  tb_finding_set_string (finding, "place", lock->place);
  set_process (finding, summary, lock->lock);
  tb_finding_set_integer (finding, "waiter_threads", lock->waiters->len);
  set_names (finding, "waiters", summary, lock->waiters);
  tb_finding_set_integer (finding, "waits", (gint64) lock->n_waits);
  tb_finding_set_time (finding, "wait_ns", lock->wait_ns);
  tb_finding_set_time (finding, "longest_ns", lock->longest_ns);
  tb_finding_set_time (finding, "contended_ns", lock->contended_ns);
  tb_finding_set_number (finding, "contended_share", share);
  tb_finding_set_integer (finding, "most_waiting", lock->most);
  tb_finding_set_integer (finding, "released", (gint64) lock->n_released);
  tb_finding_set_time (finding, "released_ns", lock->released_ns);
  tb_finding_set_integer (finding, "timed_out", (gint64) lock->timed_out);
  tb_finding_set_integer (finding, "polls", (gint64) lock->n_polls);
  tb_finding_set_time (finding, "polled_ns", lock->polled_ns);
  tb_finding_set_integer (finding, "uncertain_waits", (gint64) lock->uncertain);
  set_holders (finding, summary, lock);
}

static TbSeverity
rate (const TbLockSummary *lock, double share)
{
  if (lock->group == TB_LOCK_GROUP_UNKNOWN)
    return share >= MEDIUM_SHARE ? TB_SEVERITY_LOW : TB_SEVERITY_INFO;
  if (lock->group != TB_LOCK_GROUP_LOCK)
    return TB_SEVERITY_INFO;
  if (share >= HIGH_SHARE && is_certain (lock))
    return TB_SEVERITY_HIGH;
  return share >= MEDIUM_SHARE ? TB_SEVERITY_MEDIUM : TB_SEVERITY_LOW;
}

static TbFinding *
make_finding (TbLocksSummary *summary, const TbLockSummary *lock)
{
  const TbIntervals *intervals = tb_trace_get_intervals (summary->trace);
  double share = (double) lock->contended_ns / MAX (summary->to - summary->from, 1);
  g_autofree char *item = tb_locks_summary_make_item (lock);
  g_autofree char *text = describe_lock (summary, lock, share);
  gint64 weight = lock->group == TB_LOCK_GROUP_LOCK ? tb_lock_summary_get_cost (lock) : 0;
  TbFinding *finding = tb_finding_new (rate (lock, share), text, weight, share);

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
  g_autoptr (GPtrArray) rows = tb_locks_summary_list (summary, top);

  for (guint i = 0; i < rows->len; i++)
    {
      const TbLockSummary *lock = g_ptr_array_index (rows, i);

      /* Findings about polling describe these. */
      if (lock->n_polls < lock->n_waits)
        tb_report_add_finding (report, make_finding (summary, lock));
    }
  if (summary->n_unknown_origins > 0)
    add_unknown_origins (report, summary);
  if (summary->n_unknown_addresses > 0)
    add_unknown_addresses (report, summary);
}
