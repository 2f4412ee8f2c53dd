/* tb-threads-findings.c: findings about threads that wait, lack a CPU or run most, and about
 * unknown states, missing ends of waits and lost events
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#include "config.h"

#include <inttypes.h>

#include <glib/gi18n.h>
#include <math.h>

#include "extend/plugins/tb-finding-thread.h"
#include "extend/plugins/tb-polling-findings.h"
#include "tb-threads-findings.h"
#include "tb-threads-finding-details.h"
#include "tb-threads-finding-values.h"
#include "tb-threads-programs.h"
#include "trace/tb-trace-sleep-polls.h"

/* Most threads that are reported for their waits, for waiting for a CPU, and for running. */
#define MAX_OF_A_KIND 8
/* A smaller share of the range is not reported. */
#define LEAST_SHARE 0.01
#define SHOWN_LOSS 500 /* ns; a loss between two events that are less apart has no known time */
/* From this share on, a cause is named as the main one. */
#define MAIN_SHARE 0.25
/* Likewise for the disk, where most of its waits were ended by kernel threads. */
#define DISK_SHARE 0.5

typedef struct
{
  TbReport *report;
  TbThreadsSummary *summary;
  GArray *polls; /* TbSleepPoll */
  gint64 range;
  gsize runs_examined;
} Reporter;

static double
get_share (gint64 part, gint64 whole)
{
  return whole > 0 ? (double) part / whole : 0;
}

/* text: ownership is taken. */
static TbFinding *
report_finding (Reporter *self,
                const char *code,
                TbSeverity severity,
                const TbThreadSummary *thread,
                gint64 ns,
                char *text)
{
  TbFinding *finding
      = tb_finding_new (severity, text, ns, ns == TB_TIME_NONE ? NAN : get_share (ns, self->range));

  tb_finding_set_code (finding, code);
  if (thread != NULL)
    {
      g_autofree char *item = g_strdup_printf ("%u", thread->thread);

      tb_finding_add_thread (finding, thread->thread);
      tb_finding_set_range (finding, thread->first, thread->last);
      tb_finding_set_place (finding, "timeline", item);
    }
  else
    tb_finding_set_range (finding, self->summary->from, self->summary->to);
  tb_report_add_finding (self->report, finding);
  g_free (text);
  return finding;
}

/* --- waits --- */

/* Rates waits with a known cause by how much they may matter. Long waits of a thread that does
 * hardly anything else are its idle time, and most waits that a timer ended are intended. */
static double
rate_wait (Reporter *self, const TbThreadSummary *thread)
{
  double activity = MIN (1, 10 * get_share (thread->ns[TB_STATE_RUNNING], self->range));
  double sum = 0;

  for (guint i = 0; i < thread->wakers->len; i++)
    {
      const TbWaker *waker = &g_array_index (thread->wakers, TbWaker, i);

      if (waker->kind == TB_CAUSE_DEVICE)
        sum += waker->wait_ns;
      else if (waker->kind == TB_CAUSE_TIMER)
        sum += waker->wait_ns * activity / 4;
      else if (waker->kind != TB_CAUSE_UNKNOWN)
        sum += waker->wait_ns * activity;
    }
  return sum;
}

typedef struct
{
  TbThreadSummary *thread;
  double rating;
} Rated;

static int
compare_ratings (gconstpointer a, gconstpointer b)
{
  const Rated *left = a, *right = b;

  if (left->rating != right->rating)
    return left->rating > right->rating ? -1 : 1;
  return left->thread->thread < right->thread->thread
             ? -1
             : left->thread->thread > right->thread->thread;
}

/* --- threads of one name --- */

static gboolean
are_namesakes (Reporter *self, const TbThreadSummary *a, const TbThreadSummary *b)
{
  return g_str_equal (tb_threads_get_shown_name (self->summary, a),
                      tb_threads_get_shown_name (self->summary, b))
         && g_str_equal (tb_threads_get_process_name (self->summary, a),
                         tb_threads_get_process_name (self->summary, b));
}

/* Counts the threads with the same name as a reported one, which would fill the list with the same
 * sentence, and takes them out of the list. first: index of the reported thread in rated. */
static void
take_namesakes (Reporter *self,
                GArray *rated,
                guint first,
                gint64 (*measure) (const TbThreadSummary *),
                TbNamesakes *of)
{
  const TbThreadSummary *thread = g_array_index (rated, Rated, first).thread;

  *of = (TbNamesakes) { .name = tb_threads_get_shown_name (self->summary, thread),
                        .least = G_MAXINT64 };
  for (guint i = first + 1; i < rated->len; i++)
    {
      Rated *other = &g_array_index (rated, Rated, i);

      if (other->thread == NULL || !are_namesakes (self, thread, other->thread))
        continue;
      of->ns += measure (other->thread);
      of->least = MIN (of->least, measure (other->thread));
      of->most = MAX (of->most, measure (other->thread));
      of->n++;
      other->thread = NULL;
    }
}

static void
append_namesakes (char **text, const TbNamesakes *of)
{
  g_autofree char *sum = tb_format_duration (of->ns);
  g_autofree char *before = NULL;
  g_autofree char *least = NULL;
  g_autofree char *most = NULL;

  if (of->n == 0)
    return;
  before = g_steal_pointer (text);
  if (of->n == 1)
    {
      /* Translators: a sentence, a name, a duration */
      *text
          = g_strdup_printf (_ ("%s 1 more thread named %s likewise, %s."), before, of->name, sum);
      return;
    }
  least = tb_format_duration (of->least);
  most = tb_format_duration (of->most);
  *text = g_strdup_printf (
      /* Translators: a sentence, a number, a name, three durations */
      ngettext ("%s %'u more thread named %s likewise, %s in all (%s to %s).",
                "%s %'u more threads named %s likewise, %s in all (%s to %s each).", of->n),
      before, of->n, of->name, sum, least, most);
}

/* Reports the threads with the highest rating, each together with the threads of the same name. */
static void
report_rated (Reporter *self,
              GArray *rated,
              gint64 (*measure) (const TbThreadSummary *),
              void (*report_one) (Reporter *, const TbThreadSummary *, const TbNamesakes *))
{
  guint n_reported = 0;

  g_array_sort (rated, compare_ratings);
  for (guint i = 0; i < rated->len && n_reported < MAX_OF_A_KIND; i++)
    {
      const TbThreadSummary *thread = g_array_index (rated, Rated, i).thread;
      TbNamesakes more;

      if (thread == NULL)
        continue;
      take_namesakes (self, rated, i, measure, &more);
      report_one (self, thread, &more);
      n_reported++;
    }
}

/* What the wait was for, in words that follow "for": a thread, a disk, a timer. */
static char *
describe_awaited (TbThreadsSummary *summary, const TbWaker *waker)
{
  TbTrace *trace = summary->trace;
  TbSession *session = tb_trace_get_session (trace);
  g_autofree char *name = NULL;
  const char *interrupt;

  switch (waker->kind)
    {
    case TB_CAUSE_THREAD:
      return tb_threads_describe_thread (summary, waker->cause);
    case TB_CAUSE_SIGNAL:
      name = tb_threads_describe_thread (summary, waker->cause);
      return g_strdup_printf (C_ ("waited for", "a signal from %s"), name);
    case TB_CAUSE_TIMER:
      return g_strdup (C_ ("waited for", "a timer"));
    case TB_CAUSE_INTERRUPT:
      interrupt = tb_session_get_string (session, waker->cause);
      return *interrupt != '\0' ? g_strdup_printf (C_ ("waited for", "interrupt %s"), interrupt)
                                : g_strdup (C_ ("waited for", "an interrupt"));
    case TB_CAUSE_NETWORK:
      if (waker->cause == TB_STRING_NONE)
        return g_strdup (C_ ("waited for", "the network"));
      name = tb_trace_describe_cause (trace, waker->kind, waker->cause);
      return g_strdup_printf (C_ ("waited for", "the network (%s)"), name);
    case TB_CAUSE_DEVICE:
      name = tb_trace_describe_cause (trace, waker->kind, waker->cause);
      return g_strdup_printf (g_str_equal (tb_threads_get_waker_kind (trace, waker), "network")
                                  ? C_ ("waited for", "the network (%s)")
                                  : C_ ("waited for", "the disk %s"),
                              name);
    case TB_CAUSE_NONE:
    case TB_CAUSE_UNKNOWN:
    default:
      return g_strdup (C_ ("waited for", "an unknown event"));
    }
}

/* Whether a thread waited mostly for the disk. The waits are ended by the disk or by kernel threads
 * that work for it. */
static gboolean
waits_for_disk (TbTrace *trace, const TbThreadSummary *thread)
{
  const TbWaker *waker = &g_array_index (thread->wakers, TbWaker, 0);
  gboolean is_disk = waker->kind == TB_CAUSE_DEVICE
                     && g_str_equal (tb_threads_get_waker_kind (trace, waker), "device");

  return get_share (thread->disk_ns, tb_thread_summary_get_waiting (thread))
         >= (is_disk ? MAIN_SHARE : DISK_SHARE);
}

/* The code for what most of the wait was for. If the waits were for many different things, none of
 * them is the main one. */
static const char *
get_wait_code (TbTrace *trace, const TbThreadSummary *thread)
{
  static const char *const codes[TB_N_CAUSES] = {
    [TB_CAUSE_THREAD] = "thread-wait",       [TB_CAUSE_DEVICE] = "disk-wait",
    [TB_CAUSE_TIMER] = "timer-wait",         [TB_CAUSE_NETWORK] = "network-wait",
    [TB_CAUSE_INTERRUPT] = "interrupt-wait", [TB_CAUSE_SIGNAL] = "signal-wait",
  };
  const TbWaker *waker = &g_array_index (thread->wakers, TbWaker, 0);
  double share = get_share (waker->wait_ns, tb_thread_summary_get_waiting (thread));

  if (waits_for_disk (trace, thread))
    return codes[TB_CAUSE_DEVICE];
  if (share < MAIN_SHARE || codes[waker->kind] == NULL)
    return "mixed-wait";
  return g_str_equal (tb_threads_get_waker_kind (trace, waker), "network") ? codes[TB_CAUSE_NETWORK]
                                                                           : codes[waker->kind];
}

/* The only disk that ended waits of a thread; otherwise all of them are "the disk". */
static char *
describe_disk (TbThreadsSummary *summary, const TbThreadSummary *thread)
{
  const TbWaker *disk = NULL;

  for (guint i = 0; i < thread->wakers->len; i++)
    {
      const TbWaker *waker = &g_array_index (thread->wakers, TbWaker, i);

      if (waker->kind != TB_CAUSE_DEVICE
          || !g_str_equal (tb_threads_get_waker_kind (summary->trace, waker), "device"))
        continue;
      if (disk != NULL)
        return g_strdup (C_ ("waited for", "the disk"));
      disk = waker;
    }
  return disk != NULL ? describe_awaited (summary, disk) : g_strdup (C_ ("waited for", "the disk"));
}

/* How long a thread waited, for what and where. */
static char *
describe_wait (TbThreadsSummary *summary,
               const TbThreadSummary *thread,
               const TbProgramContext *place,
               TbSeverity *severity)
{
  const TbWaker *waker = &g_array_index (thread->wakers, TbWaker, 0);
  gint64 waiting = tb_thread_summary_get_waiting (thread),
         life = tb_thread_summary_get_life (thread);
  double main_share = get_share (waker->wait_ns, waiting);
  g_autofree char *name = tb_threads_describe (summary, thread);
  g_autofree char *wait_text = tb_format_duration (waiting);
  g_autofree char *life_text = tb_format_duration (life);
  g_autofree char *share = tb_format_share (main_share);
  gboolean is_all = main_share > 0.995;
  g_autofree char *awaited = describe_awaited (summary, waker);
  g_autofree char *running = tb_format_share (get_share (thread->ns[TB_STATE_RUNNING], life));
  g_autofree char *where
      = tb_place_describe (place, waker->wait_ns, waker->kind == TB_CAUSE_NETWORK);

  *severity = TB_SEVERITY_LOW;
  if (waits_for_disk (summary->trace, thread) && get_share (thread->disk_ns, life) >= MAIN_SHARE)
    {
      g_autofree char *disk = describe_disk (summary, thread);
      g_autofree char *disk_text = tb_format_duration (thread->disk_ns);

      *severity = TB_SEVERITY_HIGH;
      /* Translators: thread, share of a duration, how long it waited, for which disk, and “” or “,
       * mostly in read”. */
      return g_strdup_printf (_ ("%s ran only %s of %s: it waited %s for %s%s."), name, running,
                              life_text, disk_text, disk, where);
    }
  if (waker->kind == TB_CAUSE_TIMER && main_share >= MAIN_SHARE)
    return is_all ? g_strdup_printf (
                        _ ("%s waited %s of %s, all of it until a timer ended the wait%s."), name,
                        wait_text, life_text, where)
                  : g_strdup_printf (
                        _ ("%s waited %s of %s, %s of it until a timer ended the wait%s."), name,
                        wait_text, life_text, share, where);
  if (main_share >= MAIN_SHARE)
    {
      *severity = get_share (waker->wait_ns, life) >= 0.5 ? TB_SEVERITY_MEDIUM : TB_SEVERITY_LOW;
      /* Translators: thread, how long it waited, of how long, for what, and “” or “, mostly in
       * read”. */
      return is_all ? g_strdup_printf (_ ("%s waited %s of %s, all of it for %s%s."), name,
                                       wait_text, life_text, awaited, where)
                    : g_strdup_printf (_ ("%s waited %s of %s, %s of it for %s%s."), name,
                                       wait_text, life_text, share, awaited, where);
    }
  return g_strdup_printf (
      ngettext ("%s waited %s of %s, for %'u known cause: %s of it for %s%s.",
                "%s waited %s of %s, for %'u different causes; the largest, %s of it, for %s%s.",
                thread->wakers->len),
      name, wait_text, life_text, thread->wakers->len, share, awaited, where);
}

static void
report_wait (Reporter *self, const TbThreadSummary *thread, const TbNamesakes *more)
{
  TbTrace *trace = self->summary->trace;
  const TbWaker *waker = &g_array_index (thread->wakers, TbWaker, 0);
  gint64 waiting = tb_thread_summary_get_waiting (thread);
  g_auto (TbProgramContext) place = { 0 };
  g_autofree char *text = NULL;
  g_autofree char *item = g_strdup_printf ("%u", thread->thread);
  TbSeverity severity;
  TbFinding *finding;

  tb_place_find (&place, self->summary, thread, waker);
  text = describe_wait (self->summary, thread, &place, &severity);
  append_namesakes (&text, more);
  finding = tb_finding_new (severity, text, waiting, get_share (waiting, self->range));
  tb_finding_set_code (finding, get_wait_code (trace, thread));
  tb_threads_set_thread (finding, self->summary, thread);
  tb_threads_set_wait (finding, self->summary, thread, &place);
  tb_threads_set_namesakes (finding, more);
  tb_finding_add_thread (finding, thread->thread);
  if (waker->kind == TB_CAUSE_THREAD || waker->kind == TB_CAUSE_SIGNAL)
    tb_finding_add_thread (finding, waker->cause);
  tb_finding_set_range (finding, thread->first, thread->last);
  tb_finding_set_place (finding, "timeline", item);
  if (place.stack != TB_STACK_NONE)
    {
      g_auto (GStrv) functions = tb_trace_get_stack_functions (trace, place.stack);

      tb_finding_set_stack (finding, (const char *const *) functions);
    }
  tb_report_add_finding (self->report, finding);
}

/* Whether most of the time that a thread waits for timers is polling, which is a finding of its
 * own. */
static gboolean
is_polling (Reporter *self, const TbThreadSummary *thread)
{
  const TbWaker *waker = &g_array_index (thread->wakers, TbWaker, 0);
  gint64 ns = 0;

  for (guint i = 0; i < self->polls->len; i++)
    {
      const TbSleepPoll *poll = &g_array_index (self->polls, TbSleepPoll, i);

      if (poll->thread == thread->thread)
        ns += poll->sleep_ns;
    }
  return waker->kind == TB_CAUSE_TIMER && 2 * ns > waker->wait_ns;
}

static void
report_waits (Reporter *self)
{
  g_autoptr (GArray) rated = g_array_new (FALSE, FALSE, sizeof (Rated));

  for (guint i = 0; i < self->summary->rows->len; i++)
    {
      Rated one = { .thread = g_ptr_array_index (self->summary->rows, i) };

      if (tb_trace_is_kernel_thread (self->summary->trace, one.thread->thread)
          || one.thread->wakers->len == 0
          || g_array_index (one.thread->wakers, TbWaker, 0).kind == TB_CAUSE_UNKNOWN
          || is_polling (self, one.thread))
        continue;
      one.rating = rate_wait (self, one.thread);
      if (one.rating >= 2 * LEAST_SHARE * self->range)
        g_array_append_val (rated, one);
    }
  report_rated (self, rated, tb_thread_summary_get_waiting, report_wait);
}

static gint64
weigh_poll (const TbSleepPoll *poll, gpointer data)
{
  const TbThreadsSummary *summary = data;
  gboolean is_summarized = poll->thread < summary->n_ids && summary->by_id[poll->thread] != NULL;

  return is_summarized ? poll->sleep_ns : -1;
}

static void
report_polling (Reporter *self)
{
  TbThreadsSummary *summary = self->summary;

  tb_report_add_polling_findings (self->report, summary->trace, self->polls, summary->from,
                                  summary->to, weigh_poll, summary);
}

/* --- waiting for a CPU --- */

static gint64
get_runnable (const TbThreadSummary *thread)
{
  return thread->ns[TB_STATE_RUNNABLE];
}

static void
report_one_runnable (Reporter *self, const TbThreadSummary *thread, const TbNamesakes *more)
{
  gint64 runnable = get_runnable (thread);
  double share = get_share (runnable, tb_thread_summary_get_life (thread));
  g_autofree char *name = tb_threads_describe (self->summary, thread);
  g_autofree char *ns_text = tb_format_duration (runnable);
  g_autofree char *share_text = tb_format_share (share);
  TbSeverity severity = share >= MAIN_SHARE ? TB_SEVERITY_HIGH
                        : share >= 0.1      ? TB_SEVERITY_MEDIUM
                                            : TB_SEVERITY_LOW;
  TbFinding *finding;
  TbCpuHolder holder;
  gboolean has_holder, has_ends;
  char *text;

  tb_cpu_holder_find (&holder, self->summary, thread, &self->runs_examined);
  has_ends = tb_threads_summary_has_wait_ends (self->summary);
  has_holder = holder.thread != TB_ID_NONE && self->runs_examined < TB_MAX_RUNS_EXAMINED
               && get_share (holder.ns, runnable) >= MAIN_SHARE;
  if (has_holder)
    {
      g_autofree char *holder_text = tb_cpu_holder_describe (&holder, self->summary);
      g_autofree char *held_text = tb_format_duration (holder.ns);

      text = g_strdup_printf (
          has_ends ? _ ("%s was ready to run but waited %s (%s of its life) for a CPU; %s had the "
                        "CPU for %s of that.")
                   : _ ("%s was ready to run but waited at least %s (%s of its life) for a CPU; %s "
                        "had the CPU for %s of that."),
          name, ns_text, share_text, holder_text, held_text);
    }
  else
    text = g_strdup_printf (
        has_ends ? _ ("%s was ready to run but waited %s (%s of its life) for a CPU.")
                 : _ ("%s was ready to run but waited at least %s (%s of its life) for a CPU."),
        name, ns_text, share_text);
  append_namesakes (&text, more);
  finding = report_finding (self, "cpu-contention", severity, thread, runnable, text);
  tb_threads_set_thread (finding, self->summary, thread);
  tb_finding_set_time (finding, "runnable_ns", has_ends ? runnable : TB_TIME_NONE);
  tb_finding_set_time (finding, "runnable_low_ns", runnable);
  tb_finding_set_number (finding, "runnable_share", share);
  tb_threads_set_holder (finding, self->summary, has_holder ? &holder : NULL);
  tb_threads_set_namesakes (finding, more);
}

static void
report_runnable (Reporter *self)
{
  g_autoptr (GArray) rated = g_array_new (FALSE, FALSE, sizeof (Rated));

  /* Without recorded switches it is not known when threads got a CPU. */
  if (tb_table_get_n_rows (
          tb_session_get_table (tb_trace_get_session (self->summary->trace), TB_TABLE_SWITCH))
      == 0)
    return;
  for (guint i = 0; i < self->summary->rows->len; i++)
    {
      Rated one = { .thread = g_ptr_array_index (self->summary->rows, i) };

      one.rating = get_runnable (one.thread);
      if (get_share (get_runnable (one.thread), self->range) >= LEAST_SHARE)
        g_array_append_val (rated, one);
    }
  report_rated (self, rated, get_runnable, report_one_runnable);
}

/* --- running --- */

static gint64
get_running (const TbThreadSummary *thread)
{
  return thread->ns[TB_STATE_RUNNING];
}

static void
report_one_running (Reporter *self, const TbThreadSummary *thread, const TbNamesakes *more)
{
  gint64 life = tb_thread_summary_get_life (thread);
  double share = get_share (get_running (thread), life);
  g_autofree char *name = tb_threads_describe (self->summary, thread);
  g_autofree char *ns_text = tb_format_duration (get_running (thread));
  g_autofree char *life_text = tb_format_duration (life);
  g_autofree char *share_text = tb_format_share (share);
  TbFinding *finding;
  char *text;

  if (share > 0.995)
    text = g_strdup_printf (_ ("%s ran for its whole life (%s)."), name, ns_text);
  else
    text = g_strdup_printf (
        _ ("%s ran %s of %s (%s): CPU time limits it more than anything that it waits for."), name,
        ns_text, life_text, share_text);
  append_namesakes (&text, more);
  finding = report_finding (self, "cpu-bound", share >= 0.9 ? TB_SEVERITY_MEDIUM : TB_SEVERITY_LOW,
                            thread, get_running (thread), text);
  tb_threads_set_thread (finding, self->summary, thread);
  tb_threads_set_namesakes (finding, more);
}

static void
report_running (Reporter *self)
{
  g_autoptr (GArray) rated = g_array_new (FALSE, FALSE, sizeof (Rated));

  for (guint i = 0; i < self->summary->rows->len; i++)
    {
      Rated one = { .thread = g_ptr_array_index (self->summary->rows, i) };

      one.rating = get_running (one.thread);
      /* Threads that mostly wait are reported with their waits. */
      if (get_share (get_running (one.thread), self->range) >= LEAST_SHARE
          && get_share (get_running (one.thread), tb_thread_summary_get_life (one.thread)) > 0.5)
        g_array_append_val (rated, one);
    }
  report_rated (self, rated, get_running, report_one_running);
}

/* --- unknown states --- */

static void
report_unknown_states (Reporter *self,
                       const TbThreadSummary *worst,
                       guint n_unknown,
                       gint64 unknown,
                       double share)
{
  g_autofree char *unknown_text = tb_format_duration (unknown);
  g_autofree char *share_text = tb_format_share (share);
  g_autofree char *worst_name = tb_trace_describe_thread (self->summary->trace, worst->thread);
  g_autofree char *worst_text = tb_format_duration (worst->missing_ns);
  char *text
      = n_unknown == 1
            ? g_strdup_printf (
                  _ ("The state of %s is unknown for %s (%s of the time of the threads that ran)."),
                  worst_name, worst_text, share_text)
            : g_strdup_printf (ngettext ("The state of %'u of the threads that ran is unknown for "
                                         "%s in all (%s of the time of the threads that ran); most "
                                         "of that is of %s, %s.",
                                         "The states of %'u of the threads that ran are unknown "
                                         "for %s in all (%s of the time of the threads that ran); "
                                         "most of that is of %s, %s.",
                                         n_unknown),
                               n_unknown, unknown_text, share_text, worst_name, worst_text);
  TbFinding *finding = report_finding (self, "unknown-states",
                                       share >= 0.1 ? TB_SEVERITY_MEDIUM : TB_SEVERITY_INFO, worst,
                                       share >= 0.1 ? worst->missing_ns : TB_TIME_NONE, text);

  tb_finding_set_integer (finding, "threads", n_unknown);
  tb_finding_set_time (finding, "unknown_ns", unknown);
  tb_finding_set_number (finding, "unknown_share", share);
  tb_finding_set_thread (finding, NULL, self->summary->trace, worst->thread);
  tb_finding_set_time (finding, "thread_unknown_ns", worst->missing_ns);
}

static void
report_unknown (Reporter *self)
{
  const TbThreadSummary *worst = NULL;
  gint64 unknown = 0, life = 0;
  guint n_unknown = 0;

  for (guint i = 0; i < self->summary->threads->len; i++)
    {
      const TbThreadSummary *thread = g_ptr_array_index (self->summary->threads, i);

      if (thread->ns[TB_STATE_RUNNING] > 0)
        life += tb_thread_summary_get_life (thread);
      /* A thread with an unknown state until its first event has most likely slept. That is not a
       * gap in the recording. */
      if (thread->missing_ns == 0 || thread->ns[TB_STATE_RUNNING] == 0)
        continue;
      n_unknown++;
      unknown += thread->missing_ns;
      if (worst == NULL || thread->missing_ns > worst->missing_ns)
        worst = thread;
    }
  if (worst != NULL && get_share (unknown, life) >= LEAST_SHARE)
    report_unknown_states (self, worst, n_unknown, unknown, get_share (unknown, life));
}

/* Events that were lost before or after all others of their CPU were lost in an unknown time. */
static char *
describe_lost_events (const TbTraceCounts *counts)
{
  g_autofree char *text = tb_format_duration (counts->lost_ns);
  gulong n = MIN (counts->lost_events, G_MAXULONG);

  if (counts->lost_ns < SHOWN_LOSS)
    return g_strdup_printf (
        ngettext ("%'" PRIu64 " event was lost; for how long states are unknown is not known.",
                  "%'" PRIu64 " events were lost; for how long states are unknown is not known.",
                  n),
        counts->lost_events);
  return g_strdup_printf (
      ngettext ("%'" PRIu64 " event was lost within %s; states during that time are unknown.",
                "%'" PRIu64 " events were lost within %s; states during that time are unknown.", n),
      counts->lost_events, text);
}

/* Reports waits without a recorded end, and lost events. */
static void
report_missing (Reporter *self)
{
  const TbTraceCounts *counts = tb_trace_get_counts (self->summary->trace);
  gint64 without_cause = 0, life = 0;

  for (guint i = 0; i < self->summary->threads->len; i++)
    {
      const TbThreadSummary *thread = g_ptr_array_index (self->summary->threads, i);

      life += tb_thread_summary_get_life (thread);
      for (guint k = 0; k < thread->wakers->len; k++)
        if (g_array_index (thread->wakers, TbWaker, k).kind == TB_CAUSE_UNKNOWN)
          without_cause += g_array_index (thread->wakers, TbWaker, k).wait_ns;
    }
  if (counts->sleeps_without_wakeup > 0 && get_share (without_cause, life) >= LEAST_SHARE)
    {
      g_autofree char *text = tb_format_duration (without_cause);

      TbFinding *finding = report_finding (
          self, "missing-wakeups", TB_SEVERITY_INFO, NULL, TB_TIME_NONE,
          g_strdup_printf (_ ("Waits of %s in all ended without a recorded wake-up: their causes "
                              "are unknown, and they may have been shorter."),
                           text));

      tb_finding_set_time (finding, "wait_ns", without_cause);
    }
  /* Without switches all states are unknown, not those of the time of a loss. */
  if (counts->lost_events > 0 && self->summary->evidence->switches != TB_SWITCHES_NONE)
    {
      TbFinding *finding = report_finding (self, "lost-events", TB_SEVERITY_INFO, NULL,
                                           TB_TIME_NONE, describe_lost_events (counts));

      tb_finding_set_integer (finding, "count", (gint64) counts->lost_events);
      tb_finding_set_time (finding, "lost_ns",
                           counts->lost_ns >= SHOWN_LOSS ? counts->lost_ns : TB_TIME_NONE);
    }
}

void
tb_threads_add_findings (TbReport *report, TbThreadsSummary *summary)
{
  g_autoptr (GArray) polls
      = tb_trace_find_sleep_polls (summary->trace, summary->from, summary->to, NULL);
  Reporter self = {
    .report = report, .summary = summary, .polls = polls, .range = summary->to - summary->from
  };

  report_polling (&self);
  report_waits (&self);
  report_runnable (&self);
  report_running (&self);
  report_unknown (&self);
  report_missing (&self);
}
