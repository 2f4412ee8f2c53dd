/* tb-trace-inferred-runs.c: runs of threads to which the recording has no switch, inferred from
 * switches out of a thread that was not known to run, and begun at its first event there (sample,
 * wake-up, …)
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * Some machines hide the events that happen while certain threads run (perf: the idle task of a
 * CPU; others: threads of the first process): the wake-up of the next thread, and the switch to it.
 * The next recorded event is then a switch out of a thread that was not known to run. The first
 * event that the thread caused on that CPU is the latest possible start of its run. The previous
 * switch of that CPU is the earliest.
 */

#include "config.h"

#include <string.h>

#include "trace/tb-trace-cancel-private.h"
#include "trace/tb-trace-inferred-runs-private.h"

/* A switch out of a thread that does not follow from the previous switch of the CPU. */
typedef struct
{
  guint32 thread;
  guint16 cpu;
  gint64 from;
  gint64 to;
  gint64 evidence_time; /* time of the first event that it is known to have caused there */
} MissedSwitch;

typedef struct
{
  GArray *missed_switches;
  guint32 *first; /* by thread, n_threads + 1 values; NULL: there are no missed switches */
  guint n_threads;
} Finder;

static int
compare_missed_switches (gconstpointer a, gconstpointer b)
{
  const MissedSwitch *one = a, *two = b;

  if (one->thread != two->thread)
    return one->thread < two->thread ? -1 : 1;
  return one->to < two->to ? -1 : one->to > two->to;
}

static void
find_missed_switches (Finder *self,
                      const TbSwitchColumns *switches,
                      guint n_cpus,
                      const guint32 *order,
                      gsize n)
{
  g_autofree guint32 *current = g_new (guint32, n_cpus);
  g_autofree gint64 *since = g_new0 (gint64, n_cpus);

  memset (current, 0xff, sizeof (guint32) * n_cpus);
  for (gsize k = 0; k < n && !tb_trace_is_cancelled_at (k); k++)
    {
      gsize i = order != NULL ? order[k] : k;
      guint16 cpu = switches->cpu[i];
      MissedSwitch missed = { switches->prev[i], cpu, 0, switches->time[i], switches->time[i] };

      if (cpu >= n_cpus || missed.thread == switches->next[i])
        continue;
      missed.from = since[cpu];
      if (current[cpu] != TB_ID_NONE && current[cpu] != missed.thread
          && missed.thread != TB_THREAD_IDLE && missed.thread < self->n_threads)
        g_array_append_val (self->missed_switches, missed);
      current[cpu] = switches->next[i];
      since[cpu] = switches->time[i];
    }
}

/* Likewise where switches were recorded of threads instead of CPUs: a thread leaves a CPU that did
 * not get one since it last left it, or that it had when the recording began. */
static void
find_missed_switches_of_threads (Finder *self,
                                 const TbSwitchColumns *switches,
                                 const guint32 *order,
                                 gsize n)
{
  g_autofree gint64 *left = g_new (gint64, MAX (self->n_threads, 1));

  memset (left, 0xff, sizeof (gint64) * self->n_threads); /* -1: not yet */
  for (gsize k = 0; k < n && !tb_trace_is_cancelled_at (k); k++)
    {
      gsize i = order != NULL ? order[k] : k;
      gint64 time = switches->time[i];
      guint32 prev = switches->prev[i], next = switches->next[i];

      if (prev == next)
        continue;
      if (next < self->n_threads)
        left[next] = G_MAXINT64;
      if (prev >= self->n_threads || prev == TB_THREAD_IDLE)
        continue;
      if (left[prev] != G_MAXINT64)
        {
          MissedSwitch missed = { prev, switches->cpu[i], left[prev], time, time };

          g_array_append_val (self->missed_switches, missed);
        }
      left[prev] = time;
    }
}

static void
sort_missed_switches (Finder *self)
{
  g_array_sort (self->missed_switches, compare_missed_switches);
  self->first = g_new0 (guint32, (gsize) self->n_threads + 1);
  for (guint i = 0; i < self->missed_switches->len; i++)
    self->first[g_array_index (self->missed_switches, MissedSwitch, i).thread + 1] = i + 1;
  for (guint i = 1; i <= self->n_threads; i++)
    self->first[i] = MAX (self->first[i], self->first[i - 1]);
}

/* Records that the thread caused an event. cpu TB_CPU_ALL: the CPU is not recorded, and is taken to
 * be the one that the thread leaves. */
static inline void
add_evidence (Finder *self, guint32 thread, guint16 cpu, gint64 time)
{
  guint32 low, high;
  MissedSwitch *missed;

  if (thread >= self->n_threads || self->first[thread] == self->first[thread + 1])
    return;
  low = self->first[thread];
  high = self->first[thread + 1];
  while (low < high)
    {
      guint32 middle = low + (high - low) / 2;

      if (g_array_index (self->missed_switches, MissedSwitch, middle).to < time)
        low = middle + 1;
      else
        high = middle;
    }
  if (low == self->first[thread + 1])
    return;
  missed = &g_array_index (self->missed_switches, MissedSwitch, low);
  if (time > missed->from && time < missed->evidence_time
      && (cpu == missed->cpu || cpu == TB_CPU_ALL || missed->cpu == TB_CPU_ALL))
    missed->evidence_time = time;
}

static void
find_evidence (Finder *self, const TbTraceInput *input)
{
  for (gsize i = 0; i < input->samples.n && !tb_trace_is_cancelled_at (i); i++)
    add_evidence (self, input->samples.thread[i], input->samples.cpu[i], input->samples.time[i]);
  for (gsize i = 0; i < input->wakeups.n && !tb_trace_is_cancelled_at (i); i++)
    if (!(input->wakeups.flags[i] & TB_WAKEUP_LATE))
      add_evidence (self, input->wakeups.waker[i], input->wakeups.cpu[i], input->wakeups.time[i]);
  for (gsize i = 0; i < input->processes.n && !tb_trace_is_cancelled_at (i); i++)
    if (input->processes.kind[i] == TB_PROCESS_FORK)
      add_evidence (self, input->processes.creator[i], input->processes.cpu[i],
                    input->processes.time[i]);
    /* It ran until its exit, and until its exec. */
    else if (input->processes.kind[i] == TB_PROCESS_EXIT
             || input->processes.kind[i] == TB_PROCESS_EXEC)
      add_evidence (self, input->processes.thread[i], input->processes.cpu[i],
                    input->processes.time[i] - 1);
  for (gsize i = 0; i < input->networks.n && !tb_trace_is_cancelled_at (i); i++)
    if (input->networks.kind[i] == TB_NETWORK_SEND)
      add_evidence (self, input->networks.thread[i], input->networks.cpu[i],
                    input->networks.time[i]);
  for (gsize i = 0; i < input->syscalls.n && !tb_trace_is_cancelled_at (i); i++)
    {
      add_evidence (self, input->syscalls.thread[i], TB_CPU_ALL, input->syscalls.enter[i]);
      add_evidence (self, input->syscalls.thread[i], TB_CPU_ALL, input->syscalls.exit[i]);
    }
}

/* The first sample of each CPU, if it precedes the first switch of the CPU. */
static void
find_first_samples (const TbTraceInput *input, guint n_cpus, GArray *found)
{
  const TbSwitchColumns *switches = &input->switches;
  const TbSampleColumns *samples = &input->samples;
  g_autofree gint64 *first_switch = g_new (gint64, n_cpus);
  g_autofree gboolean *sampled = g_new0 (gboolean, n_cpus);
  guint unseen = n_cpus, unsampled = n_cpus;

  for (guint cpu = 0; cpu < n_cpus; cpu++)
    first_switch[cpu] = G_MAXINT64;
  for (gsize i = 0; i < switches->n && unseen > 0 && !tb_trace_is_cancelled_at (i); i++)
    if (switches->cpu[i] < n_cpus && first_switch[switches->cpu[i]] == G_MAXINT64)
      {
        first_switch[switches->cpu[i]] = switches->time[i];
        unseen--;
      }
  for (gsize i = 0; i < samples->n && unsampled > 0 && !tb_trace_is_cancelled_at (i); i++)
    {
      MissedSwitch missed
          = { samples->thread[i], samples->cpu[i], -1, samples->time[i], samples->time[i] };

      if (missed.cpu >= n_cpus || sampled[missed.cpu])
        continue;
      sampled[missed.cpu] = TRUE;
      unsampled--;
      if (missed.thread != TB_THREAD_IDLE && missed.to < first_switch[missed.cpu])
        g_array_append_val (found, missed);
    }
}

static int
compare_evidence (gconstpointer a, gconstpointer b)
{
  const MissedSwitch *one = a, *two = b;

  if (one->evidence_time != two->evidence_time)
    return one->evidence_time < two->evidence_time ? -1 : 1;
  return compare_missed_switches (a, b);
}

void
tb_inferred_runs_init (TbInferredRuns *self,
                       const TbTraceInput *input,
                       guint n_cpus,
                       const guint32 *switch_order,
                       gsize n_switches)
{
  g_autoptr (GArray) missed_switches = g_array_new (FALSE, FALSE, sizeof (MissedSwitch));
  Finder finder = { .missed_switches = missed_switches, .n_threads = input->n_threads };

  if (input->has_thread_switches)
    find_missed_switches_of_threads (&finder, &input->switches, switch_order, n_switches);
  else
    find_missed_switches (&finder, &input->switches, n_cpus, switch_order, n_switches);
  if (missed_switches->len > 0)
    {
      sort_missed_switches (&finder);
      find_evidence (&finder, input);
      g_free (finder.first);
    }
  /* Where no switches were recorded, a sample does not show until when its thread ran. */
  if (input->switches.n > 0 && !input->has_thread_switches)
    find_first_samples (input, n_cpus, missed_switches);
  g_array_sort (missed_switches, compare_evidence);
  self->n = missed_switches->len;
  self->of = g_new (TbInferredRun, MAX (self->n, 1));
  self->time = g_new (gint64, MAX (self->n, 1));
  for (guint i = 0; i < self->n; i++)
    {
      const MissedSwitch *missed = &g_array_index (missed_switches, MissedSwitch, i);

      self->time[i] = missed->evidence_time;
      self->of[i] = (TbInferredRun) { .since = missed->from,
                                      .thread = missed->thread,
                                      .cpu = missed->cpu,
                                      .first = missed->from < 0 };
    }
}

void
tb_inferred_runs_clear (TbInferredRuns *self)
{
  g_clear_pointer (&self->of, g_free);
  g_clear_pointer (&self->time, g_free);
}
