/* tb-wait-what-if-predictor.c: choice of the threads that a prediction replays and measures, and
 * of the moments when their work is done; it runs no replays (tb-wait-what-if.c, -parts.c and
 * -calibration.c do)
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#include "config.h"

#include <string.h>

#include "model/tb-wait-recorder-threads.h"
#include "what-if/tb-wait-what-if-predictor.h"

void
tb_wait_predictor_init (TbWaitPredictor *self, const TbWaitResult *result, TbSelection *target)
{
  *self = (TbWaitPredictor) { .result = result, .target = target };
  self->moments = g_array_new (FALSE, FALSE, sizeof (TbReplayMoment));
  self->weights = g_array_new (FALSE, FALSE, sizeof (double));
}

void
tb_wait_predictor_clear (TbWaitPredictor *self)
{
  g_free (self->processes);
  g_free (self->is_replayed);
  g_free (self->periodic);
  g_clear_pointer (&self->recording, tb_replay_recording_free);
  g_clear_pointer (&self->as_recorded, tb_replay_times_free);
  g_array_unref (self->moments);
  g_array_unref (self->weights);
}

gboolean
tb_wait_predictor_is_target (const TbWaitPredictor *self, guint32 actor)
{
  guint32 thread = g_array_index (self->recording->threads, guint32, actor);
  guint n_threads;
  const TbThread *threads
      = tb_session_get_threads (tb_trace_get_session (self->result->trace), &n_threads);

  if (self->recording->last_run[actor] == 0 || (self->periodic != NULL && self->periodic[thread]))
    return FALSE;
  if (self->target != NULL)
    return tb_selection_has_thread (self->target, thread);
  if (self->processes != NULL)
    return threads[thread].process != TB_ID_NONE && self->processes[threads[thread].process];
  return !tb_trace_is_kernel_thread (self->result->trace, thread);
}

guint8 *
tb_wait_predictor_find_measured (const TbWaitPredictor *self)
{
  guint8 *is_measured = g_new0 (guint8, self->recording->threads->len + 1);

  for (guint32 i = 0; i < self->recording->threads->len; i++)
    is_measured[i] = tb_wait_predictor_is_target (self, i);
  return is_measured;
}

/* Processes of the kernel do not count. */
void
tb_wait_predictor_find_processes (TbWaitPredictor *self, const TbWaitChanges *what)
{
  const GArray *origins = self->recording->origins;
  guint n_threads, n_processes;
  const TbThread *threads
      = tb_session_get_threads (tb_trace_get_session (self->result->trace), &n_threads);
  g_autofree guint8 *processes = NULL;
  gboolean is_any = FALSE;

  tb_session_get_processes (tb_trace_get_session (self->result->trace), &n_processes);
  processes = g_new0 (guint8, n_processes + 1);
  for (guint32 i = 0; i < origins->len; i++)
    {
      guint32 waiter = g_array_index (origins, TbReplayOrigin, i).waiter;

      if (!what->is_changed[i] || threads[waiter].process >= n_processes
          || tb_trace_is_kernel_thread (self->result->trace, waiter))
        continue;
      processes[threads[waiter].process] = TRUE;
      is_any = TRUE;
    }
  for (guint32 i = 0; i < self->recording->threads->len; i++)
    {
      guint32 thread = g_array_index (self->recording->threads, guint32, i);

      if (!what->concerned[i] || threads[thread].process >= n_processes)
        continue;
      processes[threads[thread].process] = TRUE;
      is_any = TRUE;
    }
  if (is_any)
    self->processes = g_steal_pointer (&processes);
}

guint32
tb_wait_predictor_set_periodic_threads (TbWaitPredictor *self, guint8 *is_periodic)
{
  guint32 n = 0, n_targets = 0;

  self->periodic = is_periodic;
  for (guint32 i = 0; i < self->recording->threads->len; i++)
    {
      n += is_periodic[g_array_index (self->recording->threads, guint32, i)];
      n_targets += tb_wait_predictor_is_target (self, i);
    }
  if (n > 0 && n_targets > 0)
    return n;
  g_clear_pointer (&self->periodic, g_free);
  return 0;
}

static void
add_workers (const TbWaitPredictor *self, GArray *queue)
{
  const TbWaitWork *work = self->result->work;

  for (guint i = 0; work != NULL && i < work->done->len; i++)
    {
      guint32 thread = g_array_index (work->done, TbWaitWorkEvent, i).thread;

      if (thread == TB_ID_NONE || self->is_replayed[thread])
        continue;
      self->is_replayed[thread] = TRUE;
      g_array_append_val (queue, thread);
    }
}

/* Lists of waits by waiter. */
typedef struct
{
  guint32 *first; /* by thread: its first wait; TB_REPLAY_NONE: none */
  guint32 *next;  /* by wait */
} Waits;

static void
list_waits (Waits *waits, const TbReplayRecording *all, guint n_threads)
{
  waits->first = g_new (guint32, n_threads + 1);
  waits->next = g_new (guint32, all->origins->len + 1);
  memset (waits->first, 0xff, sizeof (guint32) * (n_threads + 1));
  for (guint32 i = 0; i < all->origins->len; i++)
    {
      guint32 waiter = g_array_index (all->origins, TbReplayOrigin, i).waiter;

      waits->next[i] = waits->first[waiter];
      waits->first[waiter] = i;
    }
}

/* The replayed threads are the target, the threads for which it waits, and the threads for which
 * those wait. Threads for which only kernel threads wait are left out, because kernel threads serve
 * all programs. So is the recorder, which is absent when nothing is recorded. */
void
tb_wait_predictor_find_replayed (TbWaitPredictor *self)
{
  const TbReplayRecording *all = self->recording;
  g_autoptr (GArray) queue = g_array_new (FALSE, FALSE, sizeof (guint32));
  g_autofree guint8 *is_recorder = tb_wait_find_recorder_threads (self->result->trace);
  Waits waits = { NULL };
  guint n_threads;

  tb_session_get_threads (tb_trace_get_session (self->result->trace), &n_threads);
  self->is_replayed = g_new0 (guint8, n_threads + 1);
  for (guint32 i = 0; i < all->threads->len; i++)
    if (tb_wait_predictor_is_target (self, i))
      {
        guint32 thread = g_array_index (all->threads, guint32, i);

        self->is_replayed[thread] = TRUE;
        g_array_append_val (queue, thread);
      }
  add_workers (self, queue);
  list_waits (&waits, all, n_threads);
  for (guint at = 0; at < queue->len; at++)
    {
      guint32 thread = g_array_index (queue, guint32, at);

      if (tb_trace_is_kernel_thread (self->result->trace, thread))
        continue;
      for (guint32 wait = waits.first[thread]; wait != TB_REPLAY_NONE; wait = waits.next[wait])
        {
          guint32 ended_by = g_array_index (all->origins, TbReplayOrigin, wait).ended_by;

          if (ended_by == TB_ID_NONE || self->is_replayed[ended_by] || is_recorder[ended_by])
            continue;
          self->is_replayed[ended_by] = TRUE;
          g_array_append_val (queue, ended_by);
        }
    }
  g_free (waits.first);
  g_free (waits.next);
}

static void
add_moments (TbWaitPredictor *self, guint32 actor)
{
  gint64 begin = self->recording->begin[actor],
         last = MAX (self->recording->last_run[actor] - 1, begin);
  double weight = (double) self->recording->running[actor];

  for (guint i = 1; i <= TB_WAIT_N_PARTS; i++)
    {
      TbReplayMoment moment = { g_array_index (self->recording->threads, guint32, actor),
                                self->result->from + begin
                                    + (gint64) ((double) (last - begin) * i / TB_WAIT_N_PARTS) };

      g_array_append_val (self->moments, moment);
      g_array_append_val (self->weights, weight);
    }
}

/* Moments are units of work, or TB_WAIT_N_PARTS times in each thread. */
void
tb_wait_predictor_find_moments (TbWaitPredictor *self)
{
  const TbReplayRecording *all = self->recording;
  const TbWaitWork *work = self->result->work;

  self->is_throughput = work != NULL && work->done->len > 1;
  for (guint i = 0; self->is_throughput && i < work->done->len; i++)
    {
      const TbWaitWorkEvent *done = &g_array_index (work->done, TbWaitWorkEvent, i);
      TbReplayMoment moment = { done->thread, done->time };

      g_array_append_val (self->moments, moment);
    }
  for (guint32 i = 0; !self->is_throughput && i < all->threads->len; i++)
    if (self->is_replayed[g_array_index (all->threads, guint32, i)])
      add_moments (self, i);
}
