/* tb-wait-replay-preemption.c: how often a woken thread preempts a running one, as recorded
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The deadlines of the threads alone do not predict preemption: groups of threads (sessions,
 * containers) compete as one, weights and policies differ, and kernels have further rules for
 * keeping a CPU.
 */

#include "config.h"

#include "what-if/tb-wait-replay-preemption.h"

/* Fewer cases than this are not used. */
#define SEEN_MIN 8

/* In a pair: any thread. */
#define ANYBODY G_MAXUINT32

typedef struct
{
  gint64 pair;
  guint64 n;
  guint64 n_at_once;
} Habit;

struct _TbReplayPreemption
{
  GHashTable *habits; /* by pair */
};

TbReplayPreemption *
tb_replay_preemption_new (void)
{
  TbReplayPreemption *self = g_new0 (TbReplayPreemption, 1);

  self->habits = g_hash_table_new_full (g_int64_hash, g_int64_equal, NULL, g_free);
  return self;
}

void
tb_replay_preemption_free (TbReplayPreemption *self)
{
  g_hash_table_unref (self->habits);
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
  Habit *habit = g_hash_table_lookup (self->habits, &pair);

  if (habit == NULL)
    {
      habit = g_new0 (Habit, 1);
      habit->pair = pair;
      g_hash_table_insert (self->habits, &habit->pair, habit);
    }
  habit->n++;
  habit->n_at_once += is_at_once;
}

void
tb_replay_preemption_count (TbReplayPreemption *self, guint32 woken, guint32 runner, gboolean is_at_once)
{
  count_pair (self, make_pair (woken, runner), is_at_once);
  count_pair (self, make_pair (woken, ANYBODY), is_at_once);
}

double
tb_replay_preemption_get_share (const TbReplayPreemption *self, guint32 woken, guint32 runner)
{
  const gint64 pairs[] = { make_pair (woken, runner), make_pair (woken, ANYBODY) };

  for (guint i = 0; i < G_N_ELEMENTS (pairs); i++)
    {
      const Habit *habit = g_hash_table_lookup (self->habits, &pairs[i]);

      if (habit != NULL && habit->n >= SEEN_MIN)
        return (double) habit->n_at_once / (double) habit->n;
    }
  return -1;
}
