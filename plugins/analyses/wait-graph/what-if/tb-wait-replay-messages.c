/* tb-wait-replay-messages.c: what came for a thread that polls while it did something else
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 *
 * A server that is busy finds the next request when it looks, and never sleeps for it: no wait says that what it does then cannot be
 * done before that request is sent. For each of its answers whose request came meanwhile there is a wait that took no time, where it
 * can have begun to do what the answer is about: after its answer before, after the request, and after it last was woken. So it may do
 * what it is asked in another order too, when the requests come in another order.
 */

#include "config.h"

#include "what-if/tb-wait-replay-messages.h"
#include "what-if/tb-wait-replay-waits.h"

#define NO_MESSAGE G_MAXUINT

/* One direction of a connection. */
typedef struct
{
  guint32 local;
  guint32 remote;
  guint unanswered; /* first send since the other side's last, NO_MESSAGE none */
} Direction;

static guint
hash_direction (gconstpointer key)
{
  const Direction *of = key;

  return of->local * 31 + of->remote;
}

static gboolean
are_same_direction (gconstpointer a, gconstpointer b)
{
  const Direction *left = a, *right = b;

  return left->local == right->local && left->remote == right->remote;
}

static const TbReplaySend *
get_send (const TbReplayMaker *self, guint send)
{
  return &g_array_index (self->sends, TbReplaySend, send);
}

static int
compare_times (gconstpointer a, gconstpointer b, gpointer user_data)
{
  const TbReplaySend *left = get_send (user_data, *(const guint *) a);
  const TbReplaySend *right = get_send (user_data, *(const guint *) b);

  if (left->time != right->time)
    return left->time < right->time ? -1 : 1;
  return left < right ? -1 : left > right;
}

static Direction *
get_direction (GHashTable *directions, guint32 local, guint32 remote)
{
  Direction key = { local, remote, NO_MESSAGE };
  Direction *found = g_hash_table_lookup (directions, &key);

  if (found == NULL)
    {
      found = g_memdup2 (&key, sizeof key);
      g_hash_table_add (directions, found);
    }
  return found;
}

/* By send: which other it answers, NO_MESSAGE none: the first that the other side sent since this side did last. */
static guint *
find_answered (TbReplayMaker *self)
{
  g_autoptr (GHashTable) directions
      = g_hash_table_new_full (hash_direction, are_same_direction, g_free, NULL);
  g_autofree guint *by_time = g_new (guint, self->sends->len + 1);
  guint *answered = g_new (guint, self->sends->len + 1);

  for (guint i = 0; i < self->sends->len; i++)
    by_time[i] = i;
  g_sort_array (by_time, self->sends->len, sizeof *by_time, compare_times, self);
  for (guint i = 0; i < self->sends->len; i++)
    {
      const TbReplaySend *send = get_send (self, by_time[i]);
      Direction *own, *other;

      answered[by_time[i]] = NO_MESSAGE;
      if (send->local == TB_STRING_NONE || send->remote == TB_STRING_NONE || send->local == send->remote)
        continue;
      own = get_direction (directions, send->local, send->remote);
      other = get_direction (directions, send->remote, send->local);
      answered[by_time[i]] = other->unanswered;
      other->unanswered = NO_MESSAGE;
      if (own->unanswered == NO_MESSAGE)
        own->unanswered = by_time[i];
    }
  return answered;
}

/* How far a thread that polls has been followed. */
typedef struct
{
  gsize row;
  gsize end;
  gint64 woken;     /* when it last was, from polling */
  guint32 waker;    /* by whom, TB_ID_NONE not known */
  gint64 last_send; /* of its own */
} Follower;

/* Goes on to where a thread ran at a time. */
static void
follow (const TbReplayMaker *self, Follower *follower, gint64 time)
{
  for (; follower->row < follower->end && self->rows->start[follower->row] <= time; follower->row++)
    {
      guint32 wait = self->wait_of_row[follower->row];

      if (self->rows->kind[follower->row] != TB_WAIT_POLL || wait == TB_REPLAY_NONE)
        continue;
      follower->woken = self->rows->end[follower->row];
      follower->waker = g_array_index (self->self->origins, TbReplayOrigin, wait).ender;
    }
}

/* The first moment, not before a time, at which a thread ran; row: any of its that begins later. G_MAXSIZE: none before that. */
static gsize
find_running (const TbReplayMaker *self, guint32 thread, gsize row, gint64 *time)
{
  gsize run = tb_replay_maker_find_run (self, thread, *time);
  gssize at = run != G_MAXSIZE ? (gssize) run : tb_trace_find_interval (self->trace, thread, *time);

  if (at < 0)
    return G_MAXSIZE;
  for (gsize i = (gsize) at; i < row; i++)
    if (self->rows->state[i] == TB_STATE_RUNNING && self->rows->end[i] > *time)
      {
        *time = MAX (*time, self->rows->start[i]);
        return i;
      }
  return G_MAXSIZE;
}

static void
add_message (TbReplayMaker *self,
             const Follower *follower,
             const TbReplaySend *answer,
             const TbReplaySend *message)
{
  gint64 time = MAX (MAX (follower->last_send, follower->woken), MAX (message->time, self->from));
  gsize row = find_running (self, answer->thread, follower->row, &time);
  guint32 wait;

  if (row == G_MAXSIZE || time > answer->time
      || tb_replay_maker_find_run (self, message->thread, message->time) == G_MAXSIZE)
    return;
  wait = tb_replay_maker_add_wait (self, answer->thread, TB_WAIT_NODE_UNKNOWN, TB_ID_NONE, TB_ID_NONE, 0);
  tb_replay_maker_set_signaller (self, wait, message->thread, message->time);
  g_array_index (self->self->program->waits, TbReplayWait, wait).source = message->thread;
  tb_replay_maker_add_point (self, row, time, TB_REPLAY_WAIT, wait);
}

/* Whether the wait from which it was last woken begins what it does about a message: it was woken for that, and did not answer others
 * before. What the same one sends next it was not woken for. */
static gboolean
begins_with (Follower *follower, const TbReplaySend *message)
{
  if (message->thread != follower->waker)
    return FALSE;
  follower->waker = TB_ID_NONE;
  return follower->last_send <= follower->woken;
}

static gboolean
polls (const TbReplayMaker *self, gsize first, gsize end)
{
  for (gsize i = first; i < end; i++)
    if (self->rows->kind[i] == TB_WAIT_POLL && self->wait_of_row[i] != TB_REPLAY_NONE)
      return TRUE;
  return FALSE;
}

/* The sends of one thread. */
static void
add_of_thread (TbReplayMaker *self, const guint *answered, guint first, guint end)
{
  guint32 thread = get_send (self, first)->thread;
  Follower follower = { .waker = TB_ID_NONE, .woken = self->from, .last_send = self->from };

  if (!tb_replay_maker_is_inside (self, thread)
      || !tb_replay_maker_find_rows (self, thread, &follower.row, &follower.end)
      || !polls (self, follower.row, follower.end))
    return;
  for (guint i = first; i < end && get_send (self, i)->time < self->to; i++)
    {
      const TbReplaySend *send = get_send (self, i);
      const TbReplaySend *message = answered[i] != NO_MESSAGE ? get_send (self, answered[i]) : NULL;

      follow (self, &follower, send->time);
      if (message != NULL && !begins_with (&follower, message) && message->thread != thread
          && message->time >= self->from)
        add_message (self, &follower, send, message);
      follower.last_send = MAX (send->time, self->from);
    }
}

void
tb_replay_maker_add_messages (TbReplayMaker *self)
{
  g_autofree guint *answered = find_answered (self);
  guint end;

  for (guint first = 0; first < self->sends->len; first = end)
    {
      for (end = first + 1;
           end < self->sends->len && get_send (self, end)->thread == get_send (self, first)->thread; end++)
        ;
      add_of_thread (self, answered, first, end);
    }
}
