/* tb-wait-replay-polls.c: polling actors of a replay, which handle the events of several sources in
 * the order in which these are signalled, not as recorded
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 *
 * A server that polls its clients answers them as they come, and their order changes once anything
 * takes another time. The steps from one poll to the next belong to the source that ended the
 * first. These parts are replayed in the order in which their sources signal; the parts of one
 * source stay in the recorded order. A part in which the actor waits for yet another thread keeps
 * its place after all parts before it, because that thread may wait for something done there. So
 * does the last part.
 */

#include "config.h"

#include "tb-wait-replay-heap.h"
#include "tb-wait-replay-polls.h"

typedef struct
{
  gsize step;
  guint32 wait;
  guint32 actor;
  guint32 next;  /* the next poll of the same source; TB_REPLAY_NONE: none */
  double since;  /* when it was signalled; -1: not yet */
  guint64 order; /* order of the signals */
  guint8 keeps_place;
  guint8 may_be_next;
  guint8 is_taken;
} Poll;

typedef struct
{
  GArray *raised; /* TbReplayEntry: polls that may come next and were signalled, by time */
  guint32 first;  /* first poll that is not taken */
  guint32 end;    /* one past the last */
} Queue;

struct _TbReplayPolls
{
  GArray *polls; /* Poll, by step */
  guint32 *of;   /* by wait: its poll; TB_REPLAY_NONE: none */
  Queue *queues; /* by actor */
  guint64 n_signalled;
  guint32 n_actors;
};

/* By wait: whether its signal also ends waits for time. */
static guint8 *
find_led_waits (const TbReplayProgram *program)
{
  guint8 *is_led = g_new0 (guint8, program->waits->len + 1);

  for (guint32 i = 0; i < program->waits->len; i++)
    {
      guint32 to = g_array_index (program->waits, TbReplayWait, i).leads_to;

      if (to != TB_REPLAY_NONE)
        is_led[to] = TRUE;
    }
  return is_led;
}

/* By wait: the step that issues its request; G_MAXSIZE: none. */
static gsize *
find_request_steps (const TbReplayProgram *program)
{
  gsize *request_step = g_new (gsize, program->waits->len + 1);

  for (guint32 i = 0; i <= program->waits->len; i++)
    request_step[i] = G_MAXSIZE;
  for (gsize step = 0; step < program->kinds->len; step++)
    if (g_array_index (program->kinds, guint8, step) == TB_REPLAY_REQUEST)
      {
        guint32 request = (guint32) g_array_index (program->values, gint64, step);
        guint32 wait = g_array_index (program->requests, TbReplayRequest, request).wait;

        if (wait != TB_REPLAY_NONE)
          request_step[wait] = step;
      }
  return request_step;
}

/* Whether a wait may be taken in another order. A wait that is changed is replayed where it was
 * recorded. */
static gboolean
is_free (const TbReplayProgram *program,
         const TbReplayChange *change,
         const guint8 *is_led,
         guint32 wait)
{
  const TbReplayWait *of = &g_array_index (program->waits, TbReplayWait, wait);

  return of->is_signalled && !is_led[wait] && !of->is_loose && of->source != TB_REPLAY_NONE
         && (change->factor == NULL || change->factor[wait] == 1)
         && (change->stream == NULL || change->stream[wait] == TB_REPLAY_NONE)
         && (change->share == NULL || change->share[wait] <= 0);
}

static Poll *
get_poll (const TbReplayPolls *self, guint32 index)
{
  return &g_array_index (self->polls, Poll, index);
}

static void
allow_next (TbReplayPolls *self, guint32 index)
{
  Poll *poll = get_poll (self, index);

  if (poll->may_be_next)
    return;
  poll->may_be_next = TRUE;
  if (poll->since >= 0)
    tb_replay_heap_push (self->queues[poll->actor].raised,
                         (TbReplayEntry) { poll->since, poll->order, index, 0 });
}

/* Skips the polls that were taken. The first that is left has no other before it, so it may come
 * next. */
static void
find_first (TbReplayPolls *self, Queue *queue)
{
  while (queue->first < queue->end && get_poll (self, queue->first)->is_taken)
    queue->first++;
  if (queue->first < queue->end)
    allow_next (self, queue->first);
}

/* Whether a step in the range waits for another thread. Waits for a request that was issued in the
 * range, and waits for time, do not count. */
static gboolean
waits_for_other_threads (const TbReplayProgram *program,
                         const gsize *request_step,
                         gsize first,
                         gsize end)
{
  for (gsize step = first; step < end; step++)
    {
      guint32 wait = (guint32) g_array_index (program->values, gint64, step);
      const TbReplayWait *of;

      if (g_array_index (program->kinds, guint8, step) != TB_REPLAY_WAIT)
        continue;
      of = &g_array_index (program->waits, TbReplayWait, wait);
      if (of->leads_to != TB_REPLAY_NONE
          || (of->is_signalled && (request_step[wait] < first || request_step[wait] > step)))
        return TRUE;
    }
  return FALSE;
}

static void
add_polls (TbReplayPolls *self,
           const TbReplayProgram *program,
           const TbReplayChange *change,
           const guint8 *is_led,
           guint32 actor)
{
  gsize end = g_array_index (program->first, gsize, actor + 1);

  for (gsize step = g_array_index (program->first, gsize, actor); step < end; step++)
    {
      guint32 wait = (guint32) g_array_index (program->values, gint64, step);
      Poll poll
          = { .step = step, .wait = wait, .actor = actor, .next = TB_REPLAY_NONE, .since = -1 };

      if (g_array_index (program->kinds, guint8, step) != TB_REPLAY_WAIT
          || !is_free (program, change, is_led, wait))
        continue;
      self->of[wait] = self->polls->len;
      g_array_append_val (self->polls, poll);
    }
}

/* Links the polls of an actor: each comes after the previous poll of the same source, or after all
 * before it. */
static void
link_polls (TbReplayPolls *self,
            const TbReplayProgram *program,
            const gsize *request_step,
            guint32 actor,
            guint32 first)
{
  g_autoptr (GHashTable) of_source = g_hash_table_new (NULL, NULL);
  guint32 end = self->polls->len;

  for (guint32 i = first; i < end; i++)
    {
      Poll *poll = get_poll (self, i);
      guint32 source = g_array_index (program->waits, TbReplayWait, poll->wait).source;
      gpointer before;

      poll->keeps_place = i + 1 == end
                          || waits_for_other_threads (program, request_step, poll->step + 1,
                                                      get_poll (self, i + 1)->step);
      if (g_hash_table_lookup_extended (of_source, GUINT_TO_POINTER (source), NULL, &before))
        get_poll (self, GPOINTER_TO_UINT (before))->next = i;
      else if (!poll->keeps_place)
        allow_next (self, i);
      g_hash_table_insert (of_source, GUINT_TO_POINTER (source), GUINT_TO_POINTER (i));
    }
  self->queues[actor].first = first;
  self->queues[actor].end = end;
  find_first (self, &self->queues[actor]);
}

TbReplayPolls *
tb_replay_polls_new (const TbReplayProgram *program, const TbReplayChange *change)
{
  TbReplayPolls *self = g_new0 (TbReplayPolls, 1);
  g_autofree guint8 *is_led = find_led_waits (program);
  g_autofree gsize *request_step = find_request_steps (program);

  self->n_actors = program->n_actors;
  self->polls = g_array_new (FALSE, FALSE, sizeof (Poll));
  self->of = g_new (guint32, program->waits->len + 1);
  for (guint32 i = 0; i <= program->waits->len; i++)
    self->of[i] = TB_REPLAY_NONE;
  self->queues = g_new0 (Queue, program->n_actors + 1);
  for (guint32 i = 0; i < program->n_actors; i++)
    {
      guint32 first = self->polls->len;

      self->queues[i].raised = g_array_new (FALSE, FALSE, sizeof (TbReplayEntry));
      add_polls (self, program, change, is_led, i);
      link_polls (self, program, request_step, i, first);
    }
  return self;
}

void
tb_replay_polls_free (TbReplayPolls *self)
{
  for (guint32 i = 0; i < self->n_actors; i++)
    g_array_unref (self->queues[i].raised);
  g_free (self->queues);
  g_array_unref (self->polls);
  g_free (self->of);
  g_free (self);
}

gboolean
tb_replay_polls_contains (const TbReplayPolls *self, guint32 wait)
{
  return self->of[wait] != TB_REPLAY_NONE;
}

guint32
tb_replay_polls_raise (TbReplayPolls *self, guint32 wait, double now)
{
  Poll *poll = get_poll (self, self->of[wait]);

  poll->since = now;
  poll->order = self->n_signalled++;
  if (poll->may_be_next)
    tb_replay_heap_push (self->queues[poll->actor].raised,
                         (TbReplayEntry) { poll->since, poll->order, self->of[wait], 0 });
  return poll->actor;
}

guint32
tb_replay_polls_take (TbReplayPolls *self, guint32 actor, gsize *step)
{
  Queue *queue = &self->queues[actor];
  Poll *poll;

  if (queue->raised->len == 0)
    return TB_REPLAY_NONE;
  poll = get_poll (self, tb_replay_heap_pop (queue->raised).what);
  poll->is_taken = TRUE;
  if (poll->next != TB_REPLAY_NONE && !get_poll (self, poll->next)->keeps_place)
    allow_next (self, poll->next);
  find_first (self, queue);
  *step = poll->step + 1;
  return poll->wait;
}
