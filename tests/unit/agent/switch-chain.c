/* switch-chain.c: check that a recording of some processes has all of their switches
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#include "config.h"

#include "switch-chain.h"

#define MAX_CPUS 64

/* The recording of some processes is compared with the switches that a simultaneous system-wide
 * recording predicts. A gap in the switches of a CPU can therefore only come from the system-wide
 * recording. That recording has every switch except those that the kernel hides: on some virtual
 * machines no event is recorded while a thread of the host's helper (process 1 there) runs, neither
 * by perf nor by BPF programs, so there are switches to it but none from it. Such a gap is not the
 * agent's fault if two conditions hold: the thread that ran before the gap has no switch-out in the
 * whole recording, and all such threads belong to one process, which is not a target. */

typedef struct
{
  guint cpu;
  gint32 tid;
  gint32 next;
  guint16 state;
} Switch;

static guint64
find_time (AgentRun *run, guint type, guint code)
{
  AGENT_RUN_FOREACH (run, record)
  if (record->type == type && (type != TB_CAPTURE_STATUS || record->status.kind == code))
    return record->time;
  g_assert_not_reached ();
}

static gboolean
has (GHashTable *table, gint32 tid)
{
  return tid > 0 && g_hash_table_contains (table, GINT_TO_POINTER (tid));
}

/* Removes the switches after the last target left: the two recordings do not end at the same
 * time. */
static void
trim (GArray *chain, GHashTable *targets)
{
  while (chain->len > 0)
    {
      const Switch *last = &g_array_index (chain, Switch, chain->len - 1);

      if (has (targets, last->tid) || has (targets, last->next))
        break;
      g_array_set_size (chain, chain->len - 1);
    }
}

/* Expected are the switches of targets, and of a thread that follows a target until it leaves.
 * Other threads before or after are unknown. */
static GArray *
expect_switches (AgentRun *whole, guint cpu, guint64 begin, GHashTable *targets)
{
  GArray *chain = g_array_new (FALSE, TRUE, sizeof (Switch));
  gint32 expected_next = -1;

  AGENT_RUN_FOREACH (whole, record)
  {
    Switch expected
        = { cpu, record->sched_switch.tid, record->sched_switch.next, record->sched_switch.state };
    gboolean is_continued = expected.tid == expected_next;

    if (record->type != TB_CAPTURE_SWITCH || record->cpu != cpu || record->time < begin)
      continue;
    if (!has (targets, expected.tid) && !has (targets, expected.next))
      expected.next = -1;
    else if (!has (targets, expected.tid) && !is_continued)
      expected.tid = -1;
    expected_next = expected.next;
    if (expected_next != -1 || is_continued)
      g_array_append_val (chain, expected);
  }
  trim (chain, targets);
  return chain;
}

static GArray *
get_switches (AgentRun *part, guint cpu, GHashTable *targets)
{
  GArray *chain = g_array_new (FALSE, TRUE, sizeof (Switch));

  AGENT_RUN_FOREACH (part, record)
  if (record->type == TB_CAPTURE_SWITCH && record->cpu == cpu)
    {
      Switch got = { cpu, record->sched_switch.tid, record->sched_switch.next,
                     record->sched_switch.state };

      g_assert_cmpuint (record->flags, ==, 0);
      g_array_append_val (chain, got);
    }
  trim (chain, targets);
  return chain;
}

static guint
count_gaps (const GArray *chain)
{
  guint n = 0;

  for (guint i = 1; i < chain->len; i++)
    n += g_array_index (chain, Switch, i).tid != g_array_index (chain, Switch, i - 1).next;
  return n;
}

/* Threads with a switch-out. The idle tasks share one TID, so only that of this CPU counts. */
static GHashTable *
find_leavers (AgentRun *whole, guint cpu)
{
  GHashTable *leavers = g_hash_table_new (NULL, NULL);

  AGENT_RUN_FOREACH (whole, record)
  if (record->type == TB_CAPTURE_SWITCH && (record->sched_switch.tid != 0 || record->cpu == cpu))
    g_hash_table_add (leavers, GINT_TO_POINTER (record->sched_switch.tid));
  return leavers;
}

static gint32
find_process (AgentRun *whole, gint32 tid)
{
  AGENT_RUN_FOREACH (whole, record)
  {
    if (record->type == TB_CAPTURE_TASK && record->task.tid == tid)
      return record->task.pid;
    if (record->type == TB_CAPTURE_FORK && record->fork.new_tid == tid)
      return record->fork.new_pid;
  }
  g_error ("thread %d is switched to and was not announced", tid);
}

/* Returns the number of gaps left by the kernel. Any other gap is a failure. */
static guint
check_gaps (AgentRun *whole, guint cpu, guint64 begin, guint64 end, GHashTable *targets)
{
  g_autoptr (GHashTable) leavers = find_leavers (whole, cpu);
  gint32 running = -1, hidden_process = -1;
  guint n_gaps = 0;

  AGENT_RUN_FOREACH (whole, record)
  {
    if (record->type != TB_CAPTURE_SWITCH || record->cpu != cpu || record->time < begin
        || record->time > end)
      continue;
    if (running != -1 && record->sched_switch.tid != running)
      {
        if (g_hash_table_contains (leavers, GINT_TO_POINTER (running)))
          g_error ("cpu %u: thread %d ran, then %d left, and nothing between", cpu, running,
                   record->sched_switch.tid);
        g_assert_false (has (targets, running));
        if (hidden_process == -1)
          hidden_process = find_process (whole, running);
        g_assert_cmpint (find_process (whole, running), ==, hidden_process);
        n_gaps++;
      }
    running = record->sched_switch.next;
  }
  return n_gaps;
}

static void
print_around (const char *which, const GArray *chain, guint at)
{
  for (guint i = MAX (at, 3) - 3; i < MIN (at + 3, chain->len); i++)
    {
      const Switch *one = &g_array_index (chain, Switch, i);

      g_test_message ("%s %u on cpu %u: %d (%c) to %d", which, i, one->cpu, one->tid, one->state,
                      one->next);
    }
}

/* A thread that has ended is a zombie until its parent has noticed, and dead after that. That may
 * happen between the switch records of the two recordings. */
static gboolean
has_ended (guint16 state)
{
  return state == 'X' || state == 'Z';
}

static void
check_same (const GArray *expected, const GArray *got)
{
  for (guint i = 0; i < MAX (expected->len, got->len); i++)
    {
      const Switch *one = &g_array_index (expected, Switch, i),
                   *other = &g_array_index (got, Switch, i);

      if (i < expected->len && i < got->len && one->tid == other->tid && one->next == other->next
          && (one->state == other->state || (has_ended (one->state) && has_ended (other->state))))
        continue;
      print_around ("expected", expected, i);
      print_around ("got", got, i);
      g_error ("switch %u of the targets differs from the recording of the system", i);
    }
}

void
switch_chain_check (AgentRun *part, AgentRun *whole, GHashTable *targets)
{
  guint64 begin = find_time (part, TB_CAPTURE_STATUS, TB_CAPTURE_STATUS_ARMED);
  guint64 end = find_time (part, TB_CAPTURE_END, 0);
  guint n_switches = 0;

  if (agent_run_count (part, TB_CAPTURE_LOST) + agent_run_count (whole, TB_CAPTURE_LOST) > 0)
    {
      g_test_skip ("events were lost on this busy machine: which thread ran is unknown");
      return;
    }
  for (guint cpu = 0; cpu < MIN (whole->header.n_cpus, MAX_CPUS); cpu++)
    {
      g_autoptr (GArray) expected = expect_switches (whole, cpu, begin, targets);
      g_autoptr (GArray) got = get_switches (part, cpu, targets);
      guint n_hidden;

      check_same (expected, got);
      if (got->len == 0)
        continue;
      n_hidden = check_gaps (whole, cpu, begin, end, targets);
      if (n_hidden > 0)
        g_test_message ("cpu %u: the kernel hides the next thread %u times", cpu, n_hidden);
      g_assert_cmpuint (count_gaps (got), <=, n_hidden);
      n_switches += got->len;
    }
  g_assert_cmpuint (n_switches, >, 0);
}
