/* tb-wait-replay-busy-messages.c: waits of no length added to the program of a replay for messages
 * that reached a polling thread while it was busy: which message each sent one answers, and when
 * the thread could have begun to handle it
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 *
 * A busy server finds the next request when it polls, and never sleeps for it. So no recorded wait
 * shows that it cannot handle a request before that is sent. Therefore, if the request arrived
 * meanwhile, its answer gets a wait that took no time. It is placed where handling can have begun:
 * after the previous answer, after the request was sent, and after the server was last woken. In
 * this way a replay can handle requests in another order when they come in another order.
 */

#include "config.h"

#include "tb-wait-replay-busy-messages.h"
#include "tb-wait-replay-waits.h"

#define NO_MESSAGE G_MAXUINT

/* One direction of a connection. */
typedef struct
{
  guint32 local;
  guint32 remote;
  guint unanswered; /* first message since the other side last sent; NO_MESSAGE: none */
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
get_send (const TbReplayBuilder *self, guint send)
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

/* By message: the message that it answers; NO_MESSAGE: none. That is the first message of the other
 * side since this side last sent. */
static guint *
find_answered (TbReplayBuilder *self)
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
      if (send->local == TB_STRING_NONE || send->remote == TB_STRING_NONE
          || send->local == send->remote)
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

/* How far a polling thread has been followed. */
typedef struct
{
  gsize row;
  gsize end;
  gint64 woken;     /* when it was last woken from polling */
  guint32 waker;    /* the thread that woke it; TB_ID_NONE: not known */
  gint64 last_send; /* of its own */
} Follower;

/* Advances to the time at which a thread ran. */
static void
follow (const TbReplayBuilder *self, Follower *follower, gint64 time)
{
  for (; follower->row < follower->end && self->rows->start[follower->row] <= time; follower->row++)
    {
      guint32 wait = self->wait_of_row[follower->row];

      if (self->rows->kind[follower->row] != TB_WAIT_POLL || wait == TB_REPLAY_NONE)
        continue;
      follower->woken = self->rows->end[follower->row];
      follower->waker = g_array_index (self->self->origins, TbReplayOrigin, wait).ended_by;
    }
}

/* The first interval in which a thread ran at or after a time, to which the time is moved. row: an
 * interval of the thread that begins later. G_MAXSIZE: there is none before row. */
static gsize
find_running (const TbReplayBuilder *self, guint32 thread, gsize row, gint64 *time)
{
  gsize run = tb_replay_builder_find_run (self, thread, *time);
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
add_message (TbReplayBuilder *self,
             const Follower *follower,
             const TbReplaySend *answer,
             const TbReplaySend *message)
{
  gint64 time = MAX (MAX (follower->last_send, follower->woken), MAX (message->time, self->from));
  gsize row = find_running (self, answer->thread, follower->row, &time);
  guint32 wait;

  if (row == G_MAXSIZE || time > answer->time
      || tb_replay_builder_find_run (self, message->thread, message->time) == G_MAXSIZE)
    return;
  wait = tb_replay_builder_add_wait (self, answer->thread, TB_WAIT_NODE_UNKNOWN, TB_ID_NONE,
                                     TB_ID_NONE, 0);
  tb_replay_builder_set_signaller (self, wait, message->thread, message->time);
  g_array_index (self->self->program->waits, TbReplayWait, wait).source = message->thread;
  tb_replay_builder_add_point (self, row, time, TB_REPLAY_WAIT, wait);
}

/* Whether handling of a message begins with the thread's last wake-up from polling: the message's
 * sender woke it, and it has sent no answer since. Only the first message of that sender counts. */
static gboolean
begins_with (Follower *follower, const TbReplaySend *message)
{
  if (message->thread != follower->waker)
    return FALSE;
  follower->waker = TB_ID_NONE;
  return follower->last_send <= follower->woken;
}

static gboolean
has_polls (const TbReplayBuilder *self, gsize first, gsize end)
{
  for (gsize i = first; i < end; i++)
    if (self->rows->kind[i] == TB_WAIT_POLL && self->wait_of_row[i] != TB_REPLAY_NONE)
      return TRUE;
  return FALSE;
}

/* Adds the messages of one thread. */
static void
add_of_thread (TbReplayBuilder *self, const guint *answered, guint first, guint end)
{
  guint32 thread = get_send (self, first)->thread;
  Follower follower = { .waker = TB_ID_NONE, .woken = self->from, .last_send = self->from };

  if (!tb_replay_builder_is_replayed (self, thread)
      || !tb_replay_builder_find_rows (self, thread, &follower.row, &follower.end)
      || !has_polls (self, follower.row, follower.end))
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
tb_replay_builder_add_messages (TbReplayBuilder *self)
{
  g_autofree guint *answered = find_answered (self);
  guint end;

  for (guint first = 0; first < self->sends->len; first = end)
    {
      for (end = first + 1;
           end < self->sends->len && get_send (self, end)->thread == get_send (self, first)->thread;
           end++)
        ;
      add_of_thread (self, answered, first, end);
    }
}
