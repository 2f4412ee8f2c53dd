/* tb-wait-what-if-periodic-threads.c: search for periodic threads, which timers drive; marking of
 * waits of others for them, which a replay keeps as long as recorded, and of rare waits, which it
 * makes no longer than that
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#include "config.h"

#include "what-if/tb-wait-what-if-periodic-threads.h"

/* A periodic thread spends at least so many tenths of its waiting time on timers and other periodic
 * threads. Less than one tenth of another thread's waits is for periodic threads. */
#define PERIODIC_TENTHS 9

/* One of so many waits is by chance. */
#define RARE_WAITS_PER_CHANCE 100
/* A search that needs more rounds has found no periodic threads. */
#define ROUNDS_MAX 32

typedef struct
{
  const TbReplayRecording *of;
  guint8 *is_candidate; /* by thread: it is a candidate */
  guint64 *n_all;       /* by thread: its waits or their length in ns, without its birth */
  guint64 *n_counted;   /* by thread: the part of n_all in question */
  gsize *last;          /* by thread: step of its last wait */
  guint n_threads;
} Search;

static const TbReplayOrigin *
get_origin (const Search *self, guint32 wait)
{
  return &g_array_index (self->of->origins, TbReplayOrigin, wait);
}

/* Whether it is a thread's birth, or a wait of unknown cause. */
static gboolean
is_birth (const TbReplayOrigin *origin)
{
  return origin->kind == TB_WAIT_NODE_UNKNOWN;
}

static void
clear_counts (Search *self)
{
  for (guint i = 0; i < self->n_threads; i++)
    self->n_all[i] = self->n_counted[i] = 0;
}

/* Removes candidates that mostly wait for other threads than candidates. Returns whether any was
 * removed. */
static gboolean
drop_externally_driven (Search *self)
{
  gboolean is_any = FALSE;

  clear_counts (self);
  for (guint32 i = 0; i < self->of->origins->len; i++)
    {
      const TbReplayOrigin *origin = get_origin (self, i);

      guint64 length = (guint64) g_array_index (self->of->program->waits, TbReplayWait, i).length;

      if (is_birth (origin) || !self->is_candidate[origin->waiter])
        continue;
      self->n_all[origin->waiter] += length;
      if (origin->kind == TB_WAIT_NODE_TIMER
          || (origin->ended_by != TB_ID_NONE && self->is_candidate[origin->ended_by]))
        self->n_counted[origin->waiter] += length;
    }
  for (guint i = 0; i < self->n_threads; i++)
    if (self->is_candidate[i]
        && (self->n_all[i] == 0 || self->n_counted[i] * 10 < self->n_all[i] * PERIODIC_TENTHS))
      {
        self->is_candidate[i] = FALSE;
        is_any = TRUE;
      }
  return is_any;
}

/* Whether it is a wait of another thread for a candidate that went on afterwards, so not for its
 * end. */
static gboolean
is_for_work (const Search *self, const TbReplayOrigin *origin)
{
  return !is_birth (origin) && !self->is_candidate[origin->waiter] && origin->ended_by != TB_ID_NONE
         && self->is_candidate[origin->ended_by] && origin->end < self->last[origin->ended_by];
}

/* Removes candidates for which another thread waits repeatedly, because they give that thread its
 * work. */
static gboolean
drop_awaited (Search *self)
{
  gboolean is_any = FALSE;

  clear_counts (self);
  for (guint32 i = 0; i < self->of->origins->len; i++)
    {
      const TbReplayOrigin *origin = get_origin (self, i);

      if (is_birth (origin) || self->is_candidate[origin->waiter])
        continue;
      self->n_all[origin->waiter]++;
      self->n_counted[origin->waiter] += is_for_work (self, origin);
    }
  for (guint32 i = 0; i < self->of->origins->len; i++)
    {
      const TbReplayOrigin *origin = get_origin (self, i);

      if (!is_for_work (self, origin)
          || self->n_counted[origin->waiter] * 10 < self->n_all[origin->waiter])
        continue;
      self->is_candidate[origin->ended_by] = FALSE;
      is_any = TRUE;
    }
  return is_any;
}

/* Removes candidates that only wait for one another: no timer drives them. */
static gboolean
drop_undriven (Search *self)
{
  g_autofree guint8 *is_driven = g_new0 (guint8, self->n_threads + 1);
  gboolean is_any = FALSE, is_more = TRUE;

  for (guint turn = 0; is_more && turn < ROUNDS_MAX; turn++)
    {
      is_more = FALSE;
      for (guint32 i = 0; i < self->of->origins->len; i++)
        {
          const TbReplayOrigin *origin = get_origin (self, i);

          if (is_driven[origin->waiter] || !self->is_candidate[origin->waiter]
              || (origin->kind != TB_WAIT_NODE_TIMER
                  && (origin->ended_by == TB_ID_NONE || !is_driven[origin->ended_by])))
            continue;
          is_driven[origin->waiter] = is_more = TRUE;
        }
    }
  for (guint i = 0; i < self->n_threads; i++)
    if (self->is_candidate[i] && !is_driven[i])
      {
        self->is_candidate[i] = FALSE;
        is_any = TRUE;
      }
  return is_any;
}

/* By thread: the step of its last wait; G_MAXSIZE where it outlives the recording, as it may still
 * be waiting. */
static void
find_last_steps (const TbReplayRecording *of, const TbThread *threads, gsize *last)
{
  for (guint32 i = 0; i < of->origins->len; i++)
    {
      const TbReplayOrigin *origin = &g_array_index (of->origins, TbReplayOrigin, i);

      last[origin->waiter] = MAX (last[origin->waiter], origin->step);
    }
  for (guint32 i = 0; i < of->threads->len; i++)
    {
      guint32 thread = g_array_index (of->threads, guint32, i);

      if (threads[thread].end < 0)
        last[thread] = G_MAXSIZE;
    }
}

/* Makes all threads candidates, except those that run for most of the time, do units of work,
 * belong to the kernel, or are affected by the change. */
static void
select_candidates (Search *self, const TbWaitPredictor *predictor, const TbWaitChanges *what)
{
  const TbReplayRecording *of = self->of;
  const TbWaitWork *work = predictor->result->work;
  guint n_threads;
  const TbThread *threads
      = tb_session_get_threads (tb_trace_get_session (predictor->result->trace), &n_threads);
  g_autofree gint64 *waited = g_new0 (gint64, self->n_threads + 1);

  for (guint32 i = 0; i < of->origins->len; i++)
    {
      const TbReplayOrigin *origin = get_origin (self, i);

      waited[origin->waiter] += g_array_index (of->program->waits, TbReplayWait, i).length;
    }
  find_last_steps (of, threads, self->last);
  for (guint32 i = 0; i < of->threads->len; i++)
    {
      guint32 thread = g_array_index (of->threads, guint32, i);

      self->is_candidate[thread] = waited[thread] > of->running[i] && !what->concerned[i]
                                   && !tb_trace_is_kernel_thread (predictor->result->trace, thread);
    }
  for (guint32 i = 0; i < of->origins->len; i++)
    if (what->is_changed[i])
      self->is_candidate[get_origin (self, i)->waiter] = FALSE;
  for (guint i = 0; work != NULL && i < work->done->len; i++)
    if (g_array_index (work->done, TbWaitWorkEvent, i).thread < self->n_threads)
      self->is_candidate[g_array_index (work->done, TbWaitWorkEvent, i).thread] = FALSE;
}

guint8 *
tb_wait_find_periodic_threads (const TbWaitPredictor *self, const TbWaitChanges *what)
{
  Search search = { .of = self->recording };
  gboolean is_any = TRUE;

  tb_session_get_threads (tb_trace_get_session (self->result->trace), &search.n_threads);
  search.is_candidate = g_new0 (guint8, search.n_threads + 1);
  search.n_all = g_new0 (guint64, search.n_threads + 1);
  search.n_counted = g_new0 (guint64, search.n_threads + 1);
  search.last = g_new0 (gsize, search.n_threads + 1);
  select_candidates (&search, self, what);
  for (guint i = 0; is_any && i < ROUNDS_MAX; i++)
    is_any = drop_externally_driven (&search) || drop_awaited (&search) || drop_undriven (&search);
  for (guint i = 0; is_any && i < search.n_threads; i++)
    search.is_candidate[i] = FALSE;
  g_free (search.n_all);
  g_free (search.n_counted);
  g_free (search.last);
  return search.is_candidate;
}

static gint64
get_pair (const TbReplayOrigin *origin)
{
  return (gint64) origin->waiter << 32 | origin->ended_by;
}

/* The number of waits by pair of waiter and ender; each at least 1. */
static GHashTable *
count_pairs (const TbReplayRecording *recording, guint64 *n_waits)
{
  GHashTable *pairs = g_hash_table_new_full (g_int64_hash, g_int64_equal, g_free, NULL);

  for (guint32 i = 0; i < recording->origins->len; i++)
    {
      const TbReplayOrigin *origin = &g_array_index (recording->origins, TbReplayOrigin, i);
      gint64 pair = get_pair (origin);
      gpointer count = origin->ended_by != TB_ID_NONE ? g_hash_table_lookup (pairs, &pair) : NULL;

      n_waits[origin->waiter]++;
      if (origin->ended_by != TB_ID_NONE)
        g_hash_table_insert (pairs, g_memdup2 (&pair, sizeof pair),
                             GUINT_TO_POINTER (GPOINTER_TO_UINT (count) + 1));
    }
  return pairs;
}

void
tb_wait_loosen_rare_waits (const TbReplayRecording *recording,
                           TbTrace *trace,
                           const guint8 *is_periodic)
{
  guint n_threads;
  const TbThread *threads = tb_session_get_threads (tb_trace_get_session (trace), &n_threads);
  g_autofree guint64 *n_waits = g_new0 (guint64, n_threads + 1);
  g_autofree gsize *last = g_new0 (gsize, n_threads + 1);
  g_autoptr (GHashTable) pairs = count_pairs (recording, n_waits);

  find_last_steps (recording, threads, last);
  for (guint32 i = 0; i < recording->origins->len; i++)
    {
      const TbReplayOrigin *origin = &g_array_index (recording->origins, TbReplayOrigin, i);
      TbReplayWait *wait = &g_array_index (recording->program->waits, TbReplayWait, i);
      gint64 pair = get_pair (origin);

      if (origin->ended_by == TB_ID_NONE)
        continue;
      if (is_periodic != NULL && is_periodic[origin->ended_by] && !is_periodic[origin->waiter])
        wait->is_signalled = FALSE;
      else if (GPOINTER_TO_UINT (g_hash_table_lookup (pairs, &pair))
                   * (guint64) RARE_WAITS_PER_CHANCE
               <= n_waits[origin->waiter])
        wait->is_loose = origin->end < last[origin->ended_by];
    }
}
