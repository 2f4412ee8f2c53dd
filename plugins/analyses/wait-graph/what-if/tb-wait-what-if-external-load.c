/* tb-wait-what-if-external-load.c: external load (threads that are neither replayed nor of the
 * recorder): how much longer a changed run takes as they compete for the CPU time that the change
 * frees, by the share that they got in the recording
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#include "config.h"

#include <math.h>

#include "what-if/tb-wait-what-if-external-load.h"
#include "model/tb-wait-recorder-threads.h"

typedef enum
{
  SIDE_REPLAYED,
  SIDE_EXTERNAL,
  SIDE_RECORDER,
} Side;

/* A change in the number of running or runnable threads of a side. */
typedef struct
{
  gint64 time;
  gint8 change;
  guint8 side;
  guint8 runs;
} CountChange;

static guint8 *
find_sides (const TbWaitPredictor *self)
{
  g_autofree guint8 *is_recorder = tb_wait_find_recorder_threads (self->result->trace);
  guint n_threads;
  guint8 *sides;

  tb_session_get_threads (tb_trace_get_session (self->result->trace), &n_threads);
  sides = g_new0 (guint8, n_threads + 1);
  for (guint i = 0; i < n_threads; i++)
    sides[i] = self->is_replayed[i] ? SIDE_REPLAYED
               : is_recorder[i]     ? SIDE_RECORDER
                                    : SIDE_EXTERNAL;
  return sides;
}

static int
compare_count_changes (gconstpointer a, gconstpointer b)
{
  const CountChange *left = a, *right = b;

  return left->time < right->time ? -1 : left->time > right->time;
}

static GArray *
list_count_changes (const TbWaitPredictor *self, const guint8 *sides)
{
  const TbIntervals *rows = tb_trace_get_intervals (self->result->trace);
  GArray *count_changes = g_array_new (FALSE, FALSE, sizeof (CountChange));

  for (gsize i = 0; i < rows->n; i++)
    {
      gint64 begin = MAX (rows->start[i], self->result->from),
             end = MIN (rows->end[i], self->result->to);
      guint8 state = rows->state[i], side = sides[rows->thread[i]];

      if ((state != TB_STATE_RUNNING && state != TB_STATE_RUNNABLE)
          || rows->thread[i] == TB_THREAD_IDLE || side == SIDE_RECORDER || end <= begin)
        continue;
      g_array_append_vals (count_changes,
                           &(CountChange) { begin, 1, side, state == TB_STATE_RUNNING }, 1);
      g_array_append_vals (count_changes,
                           &(CountChange) { end, -1, side, state == TB_STATE_RUNNING }, 1);
    }
  g_array_sort (count_changes, compare_count_changes);
  return count_changes;
}

typedef struct
{
  double running; /* ns that external threads ran */
  double got;     /* part of running during which replayed threads were runnable */
  double missed;  /* ns that external threads were runnable while replayed threads ran */
} Contest;

static void
measure_contest (const TbWaitPredictor *self, Contest *contest)
{
  g_autofree guint8 *sides = find_sides (self);
  g_autoptr (GArray) count_changes = list_count_changes (self, sides);
  int n[2][2] = { { 0 } }; /* by side: runnable threads, running threads */

  *contest = (Contest) { 0 };
  for (guint i = 0; i < count_changes->len; i++)
    {
      const CountChange *count_change = &g_array_index (count_changes, CountChange, i);
      double length = i > 0 ? (double) (count_change->time
                                        - g_array_index (count_changes, CountChange, i - 1).time)
                            : 0;

      contest->running += length * n[SIDE_EXTERNAL][1];
      contest->got += length * MIN (n[SIDE_EXTERNAL][1], n[SIDE_REPLAYED][0]);
      contest->missed += length * MIN (n[SIDE_EXTERNAL][0], n[SIDE_REPLAYED][1]);
      n[count_change->side][count_change->runs] += count_change->change;
    }
}

/* CPU time of the replayed threads, ns. shares: by wait, what waiters run instead of waiting; NULL:
 * none. */
static double
get_running (const TbWaitPredictor *self, const double *run, const double *shares)
{
  const TbReplayProgram *program = self->recording->program;
  double running = 0;

  for (gsize i = 0; i < program->kinds->len; i++)
    if (g_array_index (program->kinds, guint8, i) == TB_REPLAY_RUN)
      running += run[i] * (double) g_array_index (program->values, gint64, i);
  for (guint i = 0; shares != NULL && i < program->waits->len; i++)
    running += shares[i];
  return running;
}

double
tb_wait_external_load_measure (const TbWaitPredictor *self,
                               const TbWaitChanges *what,
                               double length,
                               double changed)
{
  guint32 n_cpus = self->recording->program->n_cpus,
          n_cpus_changed = what->n_cpus > 0 ? what->n_cpus : n_cpus;
  double recorded = (double) MAX (self->result->to - self->result->from, 1) * n_cpus;
  double before = get_running (self, what->base_run, NULL) / (length * n_cpus);
  double after = MIN (get_running (self, what->run, what->share) / (changed * n_cpus_changed), 1);
  Contest contest;

  if (after <= before || before >= 1)
    return 0;
  measure_contest (self, &contest);
  if (contest.got <= 0)
    return 0;
  return log (1
              + contest.running / recorded * contest.got / (contest.got + contest.missed)
                    * (after - before) / (1 - before));
}
