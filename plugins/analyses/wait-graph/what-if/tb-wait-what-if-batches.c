/* tb-wait-what-if-batches.c: batches in which threads get what is prepared ahead for them: by
 * wait, whether it begins one, or its thread then only reads a part of one; also whether a single
 * job, without a wait for other threads, is most of what a thread runs
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 *
 * A block that is read over a network is awaited packet by packet, but it is the block that is
 * requested ahead.
 */

#include "config.h"

#include "what-if/tb-wait-what-if-batches.h"

/* Share of the typical run between two waits. A shorter run only reads data and does no work with
 * it. */
#define WORK_SHARE 0.1

typedef struct
{
  gsize first;
  gsize end;
} Steps;

static Steps
get_steps (const TbReplayRecording *recording, guint32 actor)
{
  return (Steps) { g_array_index (recording->program->first, gsize, actor),
                   g_array_index (recording->program->first, gsize, actor + 1) };
}

static TbReplayKind
get_kind (const TbReplayRecording *recording, gsize step)
{
  return (TbReplayKind) g_array_index (recording->program->kinds, guint8, step);
}

static gint64
get_value (const TbReplayRecording *recording, gsize step)
{
  return g_array_index (recording->program->values, gint64, step);
}

/* The typical run of an actor before a wait of a stream. Each run is weighted by its length, so
 * that many short runs do not hide the long ones. */
static double
get_typical_run (const TbReplayRecording *recording, Steps steps, const guint32 *stream)
{
  double run = 0, sum = 0, squares = 0;

  for (gsize step = steps.first; step < steps.end; step++)
    {
      TbReplayKind kind = get_kind (recording, step);

      if (kind == TB_REPLAY_RUN)
        run += (double) get_value (recording, step);
      if (kind != TB_REPLAY_WAIT || stream[get_value (recording, step)] == TB_REPLAY_NONE)
        continue;
      sum += run;
      squares += run * run;
      run = 0;
    }
  return sum > 0 ? squares / sum : 0;
}

guint8 *
tb_wait_find_batches (const TbReplayRecording *recording, const guint32 *stream)
{
  guint8 *begins = g_new0 (guint8, recording->program->waits->len + 1);

  for (guint32 actor = 0; actor < recording->program->n_actors; actor++)
    {
      Steps steps = get_steps (recording, actor);
      double least = WORK_SHARE * get_typical_run (recording, steps, stream), run = 0;

      for (gsize step = steps.first; step < steps.end; step++)
        {
          TbReplayKind kind = get_kind (recording, step);

          if (kind == TB_REPLAY_RUN)
            run += (double) get_value (recording, step);
          if (kind != TB_REPLAY_WAIT || stream[get_value (recording, step)] == TB_REPLAY_NONE)
            continue;
          begins[get_value (recording, step)] = run >= least;
          run = 0;
        }
    }
  return begins;
}

guint8 *
tb_wait_find_batch_reads (const TbReplayRecording *recording,
                          const guint32 *stream,
                          const guint8 *begins)
{
  guint8 *takes = g_new0 (guint8, recording->program->waits->len + 1);

  for (guint32 actor = 0; actor < recording->program->n_actors; actor++)
    {
      Steps steps = get_steps (recording, actor);
      gint64 before = -1;

      for (gsize step = steps.first; step < steps.end; step++)
        {
          gint64 wait = get_value (recording, step);

          if (get_kind (recording, step) != TB_REPLAY_WAIT)
            continue;
          if (before >= 0)
            takes[before] = stream[wait] == stream[before] && !begins[wait];
          before = stream[wait] != TB_REPLAY_NONE
                           && !g_array_index (recording->program->waits, TbReplayWait, wait)
                                   .is_signalled
                       ? wait
                       : -1;
        }
    }
  return takes;
}

static gboolean
is_for_thread (const TbReplayRecording *recording, gint64 wait)
{
  return g_array_index (recording->program->waits, TbReplayWait, wait).is_signalled
         && g_array_index (recording->origins, TbReplayOrigin, wait).kind != TB_WAIT_NODE_DEVICE;
}

gboolean
tb_wait_has_one_job (const TbReplayRecording *recording, guint32 actor)
{
  Steps steps = get_steps (recording, actor);
  gint64 run = 0, longest = 0, sum = 0;

  for (gsize step = steps.first; step < steps.end; step++)
    {
      TbReplayKind kind = get_kind (recording, step);

      if (kind == TB_REPLAY_RUN)
        {
          run += get_value (recording, step);
          sum += get_value (recording, step);
          longest = MAX (longest, run);
        }
      else if (kind == TB_REPLAY_WAIT && is_for_thread (recording, get_value (recording, step)))
        run = 0;
    }
  return longest > sum / 2;
}
