/* tb-trace-witnesses.c: inferred runs: threads that ran although the switch to them was not
 * recorded
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

#include "trace/tb-trace-private.h"
#include "trace/tb-trace-witnesses-private.h"

/* A switch out of a thread that does not follow from the previous switch of the CPU. */
typedef struct
{
  guint32 thread;
  guint16 cpu;
  gint64 from;
  gint64 to;
  gint64 seen; /* time of the first event that it is known to have caused there */
} Hole;

typedef struct
{
  GArray *holes;
  guint32 *first; /* by thread, n_threads + 1 values; NULL: there are no holes */
  guint n_threads;
} Finder;

static int
compare_holes (gconstpointer a, gconstpointer b)
{
  const Hole *one = a, *two = b;

  if (one->thread != two->thread)
    return one->thread < two->thread ? -1 : 1;
  return one->to < two->to ? -1 : one->to > two->to;
}

static void
find_holes (Finder *self, const TbSwitchColumns *switches, guint n_cpus, const guint32 *order, gsize n)
{
  g_autofree guint32 *current = g_new (guint32, n_cpus);
  g_autofree gint64 *since = g_new0 (gint64, n_cpus);

  memset (current, 0xff, sizeof (guint32) * n_cpus);
  for (gsize k = 0; k < n && !tb_trace_is_given_up_at (k); k++)
    {
      gsize i = order != NULL ? order[k] : k;
      guint16 cpu = switches->cpu[i];
      Hole hole = { switches->prev[i], cpu, since[cpu], switches->time[i], switches->time[i] };

      if (hole.thread == switches->next[i])
        continue;
      if (current[cpu] != TB_ID_NONE && current[cpu] != hole.thread && hole.thread != TB_THREAD_IDLE
          && hole.thread < self->n_threads)
        g_array_append_val (self->holes, hole);
      current[cpu] = switches->next[i];
      since[cpu] = switches->time[i];
    }
}

static void
arrange_holes (Finder *self)
{
  g_array_sort (self->holes, compare_holes);
  self->first = g_new0 (guint32, (gsize) self->n_threads + 1);
  for (guint i = 0; i < self->holes->len; i++)
    self->first[g_array_index (self->holes, Hole, i).thread + 1] = i + 1;
  for (guint i = 1; i <= self->n_threads; i++)
    self->first[i] = MAX (self->first[i], self->first[i - 1]);
}

/* Records that the thread caused an event. cpu TB_CPU_ALL: the CPU is not recorded, and is taken to
 * be the one that the thread leaves. */
static inline void
note (Finder *self, guint32 thread, guint16 cpu, gint64 time)
{
  guint32 low, high;
  Hole *hole;

  if (thread >= self->n_threads || self->first[thread] == self->first[thread + 1])
    return;
  low = self->first[thread];
  high = self->first[thread + 1];
  while (low < high)
    {
      guint32 middle = low + (high - low) / 2;

      if (g_array_index (self->holes, Hole, middle).to < time)
        low = middle + 1;
      else
        high = middle;
    }
  if (low == self->first[thread + 1])
    return;
  hole = &g_array_index (self->holes, Hole, low);
  if (time > hole->from && time < hole->seen && (cpu == hole->cpu || cpu == TB_CPU_ALL))
    hole->seen = time;
}

static void
find_evidence (Finder *self, const TbTraceInput *input)
{
  for (gsize i = 0; i < input->samples.n && !tb_trace_is_given_up_at (i); i++)
    note (self, input->samples.thread[i], input->samples.cpu[i], input->samples.time[i]);
  for (gsize i = 0; i < input->wakeups.n && !tb_trace_is_given_up_at (i); i++)
    if (!(input->wakeups.flags[i] & TB_WAKEUP_LATE))
      note (self, input->wakeups.waker[i], input->wakeups.cpu[i], input->wakeups.time[i]);
  for (gsize i = 0; i < input->processes.n && !tb_trace_is_given_up_at (i); i++)
    if (input->processes.kind[i] == TB_PROCESS_FORK)
      note (self, input->processes.creator[i], input->processes.cpu[i], input->processes.time[i]);
    /* It ran until its exit, and until its exec. */
    else if (input->processes.kind[i] == TB_PROCESS_EXIT || input->processes.kind[i] == TB_PROCESS_EXEC)
      note (self, input->processes.thread[i], input->processes.cpu[i], input->processes.time[i] - 1);
  for (gsize i = 0; i < input->networks.n && !tb_trace_is_given_up_at (i); i++)
    if (input->networks.kind[i] == TB_NETWORK_SEND)
      note (self, input->networks.thread[i], input->networks.cpu[i], input->networks.time[i]);
  for (gsize i = 0; i < input->syscalls.n && !tb_trace_is_given_up_at (i); i++)
    {
      note (self, input->syscalls.thread[i], TB_CPU_ALL, input->syscalls.enter[i]);
      note (self, input->syscalls.thread[i], TB_CPU_ALL, input->syscalls.exit[i]);
    }
}

/* The first sample of each CPU, if it precedes the first switch of the CPU. */
static void
find_first (const TbTraceInput *input, guint n_cpus, GArray *found)
{
  const TbSwitchColumns *switches = &input->switches;
  const TbSampleColumns *samples = &input->samples;
  g_autofree gint64 *first_switch = g_new (gint64, n_cpus);
  g_autofree gboolean *sampled = g_new0 (gboolean, n_cpus);
  guint unseen = n_cpus, unsampled = n_cpus;

  for (guint cpu = 0; cpu < n_cpus; cpu++)
    first_switch[cpu] = G_MAXINT64;
  for (gsize i = 0; i < switches->n && unseen > 0 && !tb_trace_is_given_up_at (i); i++)
    if (first_switch[switches->cpu[i]] == G_MAXINT64)
      {
        first_switch[switches->cpu[i]] = switches->time[i];
        unseen--;
      }
  for (gsize i = 0; i < samples->n && unsampled > 0 && !tb_trace_is_given_up_at (i); i++)
    {
      Hole hole = { samples->thread[i], samples->cpu[i], -1, samples->time[i], samples->time[i] };

      if (hole.cpu >= n_cpus || sampled[hole.cpu])
        continue;
      sampled[hole.cpu] = TRUE;
      unsampled--;
      if (hole.thread != TB_THREAD_IDLE && hole.to < first_switch[hole.cpu])
        g_array_append_val (found, hole);
    }
}

static int
compare_seen (gconstpointer a, gconstpointer b)
{
  const Hole *one = a, *two = b;

  if (one->seen != two->seen)
    return one->seen < two->seen ? -1 : 1;
  return compare_holes (a, b);
}

void
tb_witnesses_init (TbWitnesses *self,
                   const TbTraceInput *input,
                   guint n_cpus,
                   const guint32 *switch_order,
                   gsize n_switches)
{
  g_autoptr (GArray) holes = g_array_new (FALSE, FALSE, sizeof (Hole));
  Finder finder = { .holes = holes, .n_threads = input->n_threads };

  find_holes (&finder, &input->switches, n_cpus, switch_order, n_switches);
  if (holes->len > 0)
    {
      arrange_holes (&finder);
      find_evidence (&finder, input);
      g_free (finder.first);
    }
  find_first (input, n_cpus, holes);
  g_array_sort (holes, compare_seen);
  self->n = holes->len;
  self->of = g_new (TbWitness, MAX (self->n, 1));
  self->time = g_new (gint64, MAX (self->n, 1));
  for (guint i = 0; i < self->n; i++)
    {
      const Hole *hole = &g_array_index (holes, Hole, i);

      self->time[i] = hole->seen;
      self->of[i] = (TbWitness) {
        .since = hole->from, .thread = hole->thread, .cpu = hole->cpu, .first = hole->from < 0
      };
    }
}

void
tb_witnesses_clear (TbWitnesses *self)
{
  g_clear_pointer (&self->of, g_free);
  g_clear_pointer (&self->time, g_free);
}
