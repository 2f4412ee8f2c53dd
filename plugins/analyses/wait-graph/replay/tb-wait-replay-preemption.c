/* tb-wait-replay-preemption.c: counts, by pair of threads, of how often a woken thread preempted a
 * running one in a recording, as the scheduler model adds them case by case; the share that a
 * replay uses
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The deadlines of the threads alone do not predict preemption: groups of threads (sessions,
 * containers) compete as one, weights and policies differ, and kernels have further rules for
 * keeping a CPU.
 */

#include "config.h"

#include "tb-wait-replay-preemption.h"

/* Fewer cases than this are not used. */
#define SEEN_MIN 8

/* In a pair: any thread. */
#define ANY_THREAD G_MAXUINT32

typedef struct
{
  gint64 pair;
  guint64 n;
  guint64 n_at_once;
} PairCount;

struct _TbReplayPreemption
{
  GHashTable *scheduler_model; /* by pair */
};

TbReplayPreemption *
tb_replay_preemption_new (void)
{
  TbReplayPreemption *self = g_new0 (TbReplayPreemption, 1);

  self->scheduler_model = g_hash_table_new_full (g_int64_hash, g_int64_equal, NULL, g_free);
  return self;
}

void
tb_replay_preemption_free (TbReplayPreemption *self)
{
  g_hash_table_unref (self->scheduler_model);
  g_free (self);
}

static gint64
make_pair (guint32 woken, guint32 runner)
{
  return (gint64) ((guint64) woken << 32 | runner);
}

static void
count_pair (TbReplayPreemption *self, gint64 pair, gboolean is_at_once)
{
  PairCount *count = g_hash_table_lookup (self->scheduler_model, &pair);

  if (count == NULL)
    {
      count = g_new0 (PairCount, 1);
      count->pair = pair;
      g_hash_table_insert (self->scheduler_model, &count->pair, count);
    }
  count->n++;
  count->n_at_once += is_at_once;
}

void
tb_replay_preemption_count (TbReplayPreemption *self,
                            guint32 woken,
                            guint32 runner,
                            gboolean is_at_once)
{
  count_pair (self, make_pair (woken, runner), is_at_once);
  count_pair (self, make_pair (woken, ANY_THREAD), is_at_once);
}

double
tb_replay_preemption_get_share (const TbReplayPreemption *self, guint32 woken, guint32 runner)
{
  const gint64 pairs[] = { make_pair (woken, runner), make_pair (woken, ANY_THREAD) };

  for (guint i = 0; i < G_N_ELEMENTS (pairs); i++)
    {
      const PairCount *count = g_hash_table_lookup (self->scheduler_model, &pairs[i]);

      if (count != NULL && count->n >= SEEN_MIN)
        return (double) count->n_at_once / (double) count->n;
    }
  return -1;
}
