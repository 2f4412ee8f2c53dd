/* tb-trace-evidence.c: kinds of events that a recording has, and the questions that can be answered
 * from them, as JSON and as advice on what to record; unit and period of its samples
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#include "config.h"

#include <glib/gi18n-lib.h>

#include "trace/tb-trace-evidence-private.h"
#include "trace/tb-trace-private.h"

static guint64
count (TbTrace *self, TbTableKind table)
{
  return tb_table_get_n_rows (tb_session_get_table (self->session, table));
}

static TbSwitchEvidence
find_switches (TbTrace *self)
{
  if (count (self, TB_TABLE_SWITCH) == 0)
    return TB_SWITCHES_NONE;
  return g_strcmp0 (tb_session_get_fact (self->session, TB_FACT_SWITCHES), "thread") == 0
             ? TB_SWITCHES_THREAD
             : TB_SWITCHES_SYSTEM;
}

static gboolean
find_summed_waits (TbTrace *self)
{
  g_autoptr (GBytes) bytes = tb_trace_read_column (self, TB_TABLE_COUNTER, TB_COUNTER_KIND);
  gsize n = 0;
  const guint8 *kinds = bytes != NULL ? g_bytes_get_data (bytes, &n) : NULL;

  for (gsize i = n; i-- > 0;)
    if (kinds[i] == TB_COUNTER_WAIT_SUM || kinds[i] == TB_COUNTER_WAIT)
      return TRUE;
  return FALSE;
}

void
tb_trace_find_evidence (TbTrace *self)
{
  TbEvidence *evidence = g_new0 (TbEvidence, 1);

  evidence->switches = find_switches (self);
  evidence->samples = TB_SAMPLES_NONE;
  if (count (self, TB_TABLE_SAMPLE) > 0)
    evidence->samples = tb_session_get_fact (self->session, "samples-without-time") != NULL
                            ? TB_SAMPLES_NO_TIME
                            : TB_SAMPLES_TIME;
  evidence->has_summed_waits = find_summed_waits (self);
  evidence->has_wakeups = count (self, TB_TABLE_WAKEUP) > 0;
  evidence->has_calls = count (self, TB_TABLE_SYSCALL) > 0 || count (self, TB_TABLE_CALL) > 0;
  evidence->has_stacks
      = count (self, TB_TABLE_STACK) > 1
        && g_strcmp0 (tb_session_get_fact (self->session, TB_FACT_SWITCH_STACKS), "none") != 0;
  self->evidence = evidence;
}

/**
 * tb_trace_get_evidence:
 * @self: a trace
 *
 * Gets which kinds of events the recording has. An analysis looks here before it concludes from the
 * absence of events: what was not recorded is unknown.
 *
 * Returns: (transfer none): what the recording has
 */
const TbEvidence *
tb_trace_get_evidence (TbTrace *self)
{
  g_return_val_if_fail (TB_IS_TRACE (self), NULL);

  return self->evidence;
}

/**
 * tb_evidence_intersect:
 * @self: what a recording has
 * @other: what another one has
 *
 * Reduces @self to what both have, and so a comparison of them.
 */
void
tb_evidence_intersect (TbEvidence *self, const TbEvidence *other)
{
  g_return_if_fail (self != NULL && other != NULL);

  self->switches = MIN (self->switches, other->switches);
  self->samples = MIN (self->samples, other->samples);
  self->has_wakeups = self->has_wakeups && other->has_wakeups;
  self->has_calls = self->has_calls && other->has_calls;
  self->has_summed_waits = self->has_summed_waits && other->has_summed_waits;
  self->has_stacks = self->has_stacks && other->has_stacks;
}

/**
 * tb_evidence_answers:
 * @self: what a recording has
 * @question: a question
 *
 * Gets whether a question can be answered from what a recording has.
 *
 * Returns: whether a recording with this evidence answers the question
 */
gboolean
tb_evidence_answers (const TbEvidence *self, TbQuestion question)
{
  g_return_val_if_fail (self != NULL, FALSE);

  switch (question)
    {
    case TB_QUESTION_PROFILE:
      return self->samples != TB_SAMPLES_NONE;
    case TB_QUESTION_RUNNING:
    case TB_QUESTION_WAITING:
      return self->switches != TB_SWITCHES_NONE;
    case TB_QUESTION_CPU_WAITS:
    case TB_QUESTION_CAUSES:
      return self->switches == TB_SWITCHES_SYSTEM && self->has_wakeups;
    case TB_QUESTION_FUNCTIONS:
      return self->switches != TB_SWITCHES_NONE && self->has_stacks;
    case TB_QUESTION_CALLS:
      return self->has_calls;
    default:
      g_return_val_if_reached (FALSE);
    }
}

/**
 * tb_question_get_id:
 * @question: a question
 *
 * Gets the name of a question in JSON.
 *
 * Returns: the name of a question in JSON
 */
const char *
tb_question_get_id (TbQuestion question)
{
  static const char *const ids[]
      = { "profile", "running", "waiting", "waiting-for-cpu", "causes", "functions", "calls" };

  g_return_val_if_fail (question < TB_N_QUESTIONS, NULL);

  return ids[question];
}

static void
add_questions (const TbEvidence *self, JsonBuilder *builder, gboolean answered)
{
  json_builder_begin_array (builder);
  for (TbQuestion question = 0; question < TB_N_QUESTIONS; question++)
    if (tb_evidence_answers (self, question) == answered)
      json_builder_add_string_value (builder, tb_question_get_id (question));
  json_builder_end_array (builder);
}

/**
 * tb_evidence_to_json:
 * @self: what a recording has
 *
 * Writes what a recording has, and which questions follow from it, as JSON.
 *
 * Returns: (transfer full): the object “evidence” of reports
 */
JsonNode *
tb_evidence_to_json (const TbEvidence *self)
{
  static const char *const switches[] = { "none", "thread", "system" };
  static const char *const samples[] = { "none", "no-time", "time" };
  g_autoptr (JsonBuilder) builder = json_builder_new ();

  g_return_val_if_fail (self != NULL, NULL);

  json_builder_begin_object (builder);
  json_builder_set_member_name (builder, "switches");
  json_builder_add_string_value (builder, switches[self->switches]);
  json_builder_set_member_name (builder, "wakings");
  json_builder_add_boolean_value (builder, self->has_wakeups);
  json_builder_set_member_name (builder, "samples");
  json_builder_add_string_value (builder, samples[self->samples]);
  json_builder_set_member_name (builder, "calls");
  json_builder_add_boolean_value (builder, self->has_calls);
  json_builder_set_member_name (builder, "summed_waits");
  json_builder_add_boolean_value (builder, self->has_summed_waits);
  json_builder_set_member_name (builder, "answers");
  add_questions (self, builder, TRUE);
  json_builder_set_member_name (builder, "missing");
  add_questions (self, builder, FALSE);
  json_builder_end_object (builder);
  return json_builder_get_root (builder);
}

/**
 * tb_evidence_describe:
 * @self: what a recording has
 *
 * Describes for the user what a recording does not show, and how to record that.
 *
 * Returns: (transfer full) (nullable): what the recording does not show, and how to record that;
 *   %NULL: it has the thread switches of all CPUs, from which states follow
 */
char *
tb_evidence_describe (const TbEvidence *self)
{
  const char *command
      = "perf record -a -g -e sched:sched_switch -e sched:sched_waking -e cpu-clock";

  g_return_val_if_fail (self != NULL, NULL);

  if (self->switches == TB_SWITCHES_SYSTEM)
    return NULL;
  if (self->switches == TB_SWITCHES_THREAD)
    return g_strdup_printf (_ ("Thread switches were recorded of the recorded threads alone: they "
                               "show when these run, not which threads had the CPUs meanwhile, "
                               "what ended their waits, and how long they waited for a CPU after "
                               "that. To record that: tailback-cli record, or %s"),
                            command);
  if (self->has_summed_waits)
    return g_strdup_printf (_ ("Waits were summed by stack while they were recorded: they show in "
                               "which functions threads wait and how long in all, not when, how "
                               "often and for what. To record that: tailback-cli record, or %s"),
                            command);
  if (self->samples != TB_SAMPLES_NONE)
    return g_strdup_printf (_ ("Samples were recorded, thread switches were not: they show which "
                               "functions use the CPUs, not when threads run or wait, or what "
                               "for. To record that: tailback-cli record, or %s"),
                            command);
  return g_strdup_printf (_ ("No thread switches were recorded: when threads run or wait, and what "
                             "for, is unknown. To record that: tailback-cli record, or %s"),
                          command);
}

/**
 * tb_trace_are_sample_weights_times:
 * @self: a trace
 *
 * Gets whether the weights of samples are times, which can be summed to CPU time.
 *
 * Returns: whether the weights of samples are in ns; %FALSE: they are counts of another event
 */
gboolean
tb_trace_are_sample_weights_times (TbTrace *self)
{
  const char *event;

  g_return_val_if_fail (TB_IS_TRACE (self), FALSE);

  event = tb_session_get_fact (self->session, "sampled");
  return event == NULL || g_str_has_prefix (event, "cpu-clock")
         || g_str_has_prefix (event, "task-clock");
}

/**
 * tb_trace_are_samples_of_one_mode:
 * @self: a trace
 *
 * Gets whether samples show a part of the CPU time only.
 *
 * Returns: whether samples were taken only in programs or only in the kernel, so that threads may
 *   have run longer than their samples show
 */
gboolean
tb_trace_are_samples_of_one_mode (TbTrace *self)
{
  g_return_val_if_fail (TB_IS_TRACE (self), FALSE);

  return tb_session_get_fact (self->session, "sample-mode") != NULL;
}

/**
 * tb_trace_get_sample_period:
 * @self: a trace
 *
 * Gets the CPU time that a sample stands for, if its weight is not a time.
 *
 * Returns: the running time that a sample stands for, ns, where samples were taken with a frequency
 *   and their weights are not times; 0: not known
 */
gint64
tb_trace_get_sample_period (TbTrace *self)
{
  const char *frequency, *period;
  guint64 value;

  g_return_val_if_fail (TB_IS_TRACE (self), 0);

  frequency = tb_session_get_fact (self->session, "sample-frequency");
  period = tb_session_get_fact (self->session, "sample-period-ns");
  if (tb_trace_are_sample_weights_times (self) || frequency == NULL)
    return 0;
  /* Samples may have been taken more often than with the frequency. */
  if (period != NULL && g_ascii_string_to_unsigned (period, 10, 1, 1000000000, &value, NULL))
    return (gint64) value;
  if (!g_ascii_string_to_unsigned (frequency, 10, 1, 1000000000, &value, NULL))
    return 0;
  return 1000000000 / (gint64) value;
}

/**
 * tb_trace_has_states:
 * @self: a trace
 * @thread: a thread
 *
 * Gets whether any state of a thread is known. Where no switch of a thread was recorded, and other
 * threads ran, it is not known whether it waited or ran.
 *
 * Returns: whether a state is known
 */
gboolean
tb_trace_has_states (TbTrace *self, guint32 thread)
{
  gsize first, n;

  g_return_val_if_fail (TB_IS_TRACE (self), FALSE);

  tb_trace_get_thread_intervals (self, thread, &first, &n);
  for (gsize i = first; i < first + n; i++)
    if (self->intervals.state[i] != TB_STATE_UNKNOWN)
      return TRUE;
  return FALSE;
}
