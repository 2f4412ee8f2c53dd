/* tb-polling-findings.c: findings about threads that poll by sleeping: what they try between the
 * sleeps, how long they sleep, and which thread had it meanwhile; threads of one name that poll for
 * the same are one finding
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#include "config.h"

#include <glib/gi18n-lib.h>
#include <math.h>

#include "extend/plugins/tb-finding-thread.h"
#include "extend/plugins/tb-polling-findings.h"
#include "report/tb-format.h"

/* Most findings of this kind in a report. */
#define MAX_FINDINGS 8
/* Least part of the range that a finding is about, and least part of the holder's time that names
 * it. */
#define MIN_SHARE 0.01
#define MIN_HOLDER_SHARE 0.25

/* Threads of one name that poll for the same. */
typedef struct
{
  TbSleepPoll poll; /* sums, and the thread that sleeps longest */
  const char *name;
  guint n_threads;
  gint64 weight;
  gint64 life_ns;
  guint32 holder; /* the one with the longest time; its namesakes count, too */
  const char *holder_name;
  guint n_holders;
} Group;

typedef struct
{
  TbReport *report;
  TbTrace *trace;
  gint64 from;
  gint64 to;
  GArray *groups; /* Group */
} Reporter;

static const char *
get_name (Reporter *self, guint32 thread)
{
  return thread != TB_ID_NONE
             ? tb_trace_get_shown_thread_name_at (self->trace, thread, self->to - 1)
             : "";
}

/* --- groups --- */

/* The life of a thread in the range. */
static gint64
get_life (Reporter *self, guint32 thread)
{
  const TbIntervals *rows = tb_trace_get_intervals (self->trace);
  gsize first, n;

  tb_trace_get_thread_intervals (self->trace, thread, &first, &n);
  return n > 0 ? MAX (0, MIN (rows->end[first + n - 1], self->to)
                             - MAX (rows->start[first], self->from))
               : 0;
}

static Group *
find_group (Reporter *self, const TbSleepPoll *poll, const char *name)
{
  for (guint i = 0; i < self->groups->len; i++)
    {
      Group *group = &g_array_index (self->groups, Group, i);

      if (group->poll.error == poll->error && group->poll.object == poll->object
          && g_str_equal (group->poll.call, poll->call) && g_str_equal (group->name, name))
        return group;
    }
  return NULL;
}

/* The polls come with the longest sleeps first. */
static void
add_poll (Reporter *self, const TbSleepPoll *poll, gint64 weight)
{
  const char *name = get_name (self, poll->thread);
  Group *group = find_group (self, poll, name);
  Group new_group = { .poll = *poll,
                      .name = name,
                      .n_threads = 1,
                      .weight = weight,
                      .life_ns = get_life (self, poll->thread),
                      .holder = poll->holder,
                      .holder_name = get_name (self, poll->holder),
                      .n_holders = poll->holder != TB_ID_NONE };

  if (group == NULL)
    {
      g_array_append_val (self->groups, new_group);
      return;
    }
  group->n_threads++;
  group->weight += weight;
  group->life_ns += new_group.life_ns;
  group->poll.n_sleeps += poll->n_sleeps;
  group->poll.n_attempts += poll->n_attempts;
  group->poll.sleep_ns += poll->sleep_ns;
  group->poll.held_ns += poll->held_ns;
  group->poll.from = MIN (group->poll.from, poll->from);
  group->poll.to = MAX (group->poll.to, poll->to);
  if (poll->holder == TB_ID_NONE || !g_str_equal (new_group.holder_name, group->holder_name))
    return;
  group->poll.holder_ns += poll->holder_ns;
  group->n_holders += poll->holder != group->holder;
}

static int
compare_groups (gconstpointer a, gconstpointer b)
{
  const Group *one = a, *two = b;

  if (one->poll.sleep_ns != two->poll.sleep_ns)
    return one->poll.sleep_ns > two->poll.sleep_ns ? -1 : 1;
  return one->poll.thread < two->poll.thread ? -1 : one->poll.thread > two->poll.thread;
}

/* --- findings --- */

static char *
describe_threads (Reporter *self, guint32 thread, const char *name, guint n)
{
  if (n <= 1)
    return tb_trace_describe_thread (self->trace, thread);
  return g_strdup_printf (ngettext ("%'u thread named “%s”", "%'u threads named “%s”", n), n, name);
}

static gboolean
has_holder (const Group *group)
{
  return group->holder != TB_ID_NONE
         && group->poll.holder_ns >= MIN_HOLDER_SHARE * group->poll.sleep_ns;
}

static char *
describe (Reporter *self, const Group *group)
{
  const TbSleepPoll *poll = &group->poll;
  guint n = (guint) MIN (poll->n_sleeps, G_MAXUINT);
  g_autofree char *threads = describe_threads (self, poll->thread, group->name, group->n_threads);
  g_autofree char *slept = tb_format_duration (poll->sleep_ns);
  g_autofree char *life = tb_format_duration (group->life_ns);
  g_autofree char *share = tb_format_share ((double) poll->sleep_ns / MAX (group->life_ns, 1));
  g_autofree char *error = tb_errno_get_name (poll->error);
  g_autofree char *object = tb_trace_describe_object (self->trace, poll->object);
  g_autofree char *holder = NULL;
  g_autofree char *held = NULL;

  if (poll->error == 0)
    return g_strdup_printf (
        ngettext ("%s polled by sleeping: asleep for %s of %s (%s), in %'u sleep between calls of "
                  "%s that had no result yet.",
                  "%s polled by sleeping: asleep for %s of %s (%s), in %'u sleeps between calls of "
                  "%s that had no result yet.",
                  n),
        threads, slept, life, share, n, poll->call);
  if (poll->object == TB_STRING_NONE)
    return g_strdup_printf (
        ngettext ("%s polled by sleeping: asleep for %s of %s (%s), in %'u sleep between calls of "
                  "%s that failed with %s.",
                  "%s polled by sleeping: asleep for %s of %s (%s), in %'u sleeps between calls of "
                  "%s that failed with %s.",
                  n),
        threads, slept, life, share, n, poll->call, error);
  if (!has_holder (group))
    return g_strdup_printf (
        ngettext ("%s polled by sleeping for a lock of %s: asleep for %s of %s (%s), in %'u sleep "
                  "between calls of %s that failed with %s.",
                  "%s polled by sleeping for a lock of %s: asleep for %s of %s (%s), in %'u sleeps "
                  "between calls of %s that failed with %s.",
                  n),
        threads, object, slept, life, share, n, poll->call, error);
  holder = describe_threads (self, group->holder, group->holder_name, group->n_holders);
  held = tb_format_duration (poll->holder_ns);
  return g_strdup_printf (
      ngettext ("%s polled by sleeping for a lock of %s: asleep for %s of %s (%s), in %'u sleep "
                "between calls of %s that failed with %s; %s had the lock for %s of that.",
                "%s polled by sleeping for a lock of %s: asleep for %s of %s (%s), in %'u sleeps "
                "between calls of %s that failed with %s; %s had the lock for %s of that.",
                n),
      threads, object, slept, life, share, n, poll->call, error, holder, held);
}

static void
set_values (Reporter *self, TbFinding *finding, const Group *group)
{
  const TbSleepPoll *poll = &group->poll;
  const TbIntervals *rows = tb_trace_get_intervals (self->trace);
  gboolean is_held = has_holder (group);
  g_autofree char *error = poll->error != 0 ? tb_errno_get_name (poll->error) : NULL;
  g_autofree char *function = tb_trace_get_stack_label (self->trace, rows->stack[poll->longest]);
  const char *object
      = poll->object != TB_STRING_NONE
            ? tb_session_get_string (tb_trace_get_session (self->trace), poll->object)
            : NULL;

  tb_finding_set_thread (finding, NULL, self->trace, poll->thread);
  tb_finding_set_integer (finding, "threads", group->n_threads);
  tb_finding_set_time (finding, "lifetime_ns", group->life_ns);
  tb_finding_set_integer (finding, "sleeps", (gint64) MIN (poll->n_sleeps, G_MAXINT64));
  tb_finding_set_time (finding, "sleep_ns", poll->sleep_ns);
  tb_finding_set_number (finding, "sleep_share",
                         group->life_ns > 0 ? (double) poll->sleep_ns / group->life_ns : NAN);
  tb_finding_set_string (finding, "function", function);
  tb_finding_set_string (finding, "call", poll->call);
  tb_finding_set_string (finding, "error", error);
  tb_finding_set_integer (finding, "failed_calls", (gint64) MIN (poll->n_attempts, G_MAXINT64));
  tb_finding_set_string (finding, "object", object);
  tb_finding_set_thread (finding, "holder_", self->trace, is_held ? group->holder : TB_ID_NONE);
  tb_finding_set_integer (finding, "holder_threads", is_held ? group->n_holders : 0);
  tb_finding_set_time (finding, "holder_ns", is_held ? poll->holder_ns : TB_TIME_NONE);
}

static void
report_group (Reporter *self, const Group *group)
{
  const TbSleepPoll *poll = &group->poll;
  const TbIntervals *rows = tb_trace_get_intervals (self->trace);
  double of_life = (double) poll->sleep_ns / MAX (group->life_ns, 1);
  TbSeverity severity = of_life >= 0.3   ? TB_SEVERITY_HIGH
                        : of_life >= 0.1 ? TB_SEVERITY_MEDIUM
                                         : TB_SEVERITY_LOW;
  g_autofree char *text = describe (self, group);
  g_autofree char *item = g_strdup_printf ("%u", poll->thread);
  /* Threads may sleep at the same time. */
  gint64 weight = MIN (group->weight, self->to - self->from);
  TbFinding *finding
      = tb_finding_new (severity, text, weight, (double) weight / MAX (self->to - self->from, 1));

  tb_finding_set_code (finding, "polling-by-sleeping");
  set_values (self, finding, group);
  tb_finding_add_thread (finding, poll->thread);
  if (has_holder (group))
    tb_finding_add_thread (finding, group->holder);
  tb_finding_set_range (finding, MAX (rows->start[poll->longest], self->from),
                        MIN (rows->end[poll->longest], self->to));
  if (tb_report_find_figure (self->report, "timeline") != NULL)
    tb_finding_set_place (finding, "timeline", item);
  tb_report_add_finding (self->report, finding);
}

/**
 * tb_report_add_polling_findings:
 * @self: a report
 * @trace: the recording that it is about
 * @polls: (element-type TbSleepPoll): what [method@Tailback.Trace.find_sleep_polls] found in that
 *   time
 * @from: start of the time that it is about
 * @to: its end
 * @weigh: (scope call) (closure data) (nullable): which threads the report is about; %NULL: all
 * @data: data for @weigh
 *
 * Adds findings about threads that poll by sleeping, with the code "polling-by-sleeping".
 */
void
tb_report_add_polling_findings (TbReport *self,
                                TbTrace *trace,
                                const GArray *polls,
                                gint64 from,
                                gint64 to,
                                TbPollWeightFunc weigh,
                                gpointer data)
{
  g_autoptr (GArray) groups = g_array_new (FALSE, FALSE, sizeof (Group));
  Reporter reporter = { .report = self, .trace = trace, .from = from, .to = to, .groups = groups };

  g_return_if_fail (TB_IS_REPORT (self));
  g_return_if_fail (TB_IS_TRACE (trace));

  for (guint i = 0; i < polls->len; i++)
    {
      const TbSleepPoll *poll = &g_array_index (polls, TbSleepPoll, i);

      gint64 weight = weigh != NULL ? weigh (poll, data) : poll->sleep_ns;

      if (weight >= 0)
        add_poll (&reporter, poll, weight);
    }
  g_array_sort (groups, compare_groups);
  for (guint i = 0; i < groups->len && i < MAX_FINDINGS; i++)
    {
      const Group *group = &g_array_index (groups, Group, i);

      if (group->poll.sleep_ns >= MIN_SHARE * (to - from))
        report_group (&reporter, group);
    }
}
