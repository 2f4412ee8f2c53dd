/* tb-wait-replay.c: threads, wakings, requests and cpus played again, as recorded or with something changed
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 *
 * A simulation from event to event. Cpus are shared as a fluid: every thread that can run gets the same rate, so that the
 * order in which they finish is that of the service each still needs, and one heap keyed by the service given to all suffices.
 */

#include "config.h"

#include "what-if/tb-wait-replay.h"

#include <math.h>

TbReplayProgram *
tb_replay_program_new (guint32 n_cpus)
{
  TbReplayProgram *self = g_new0 (TbReplayProgram, 1);

  self->n_cpus = MAX (n_cpus, 1);
  self->first = g_array_new (FALSE, FALSE, sizeof (gsize));
  self->kinds = g_array_new (FALSE, FALSE, sizeof (guint8));
  self->values = g_array_new (FALSE, FALSE, sizeof (gint64));
  self->waits = g_array_new (FALSE, FALSE, sizeof (TbReplayWait));
  self->requests = g_array_new (FALSE, FALSE, sizeof (TbReplayRequest));
  self->devices = g_array_new (FALSE, FALSE, sizeof (guint32));
  g_array_append_vals (self->first, &(gsize) { 0 }, 1);
  return self;
}

void
tb_replay_program_free (TbReplayProgram *self)
{
  g_array_unref (self->first);
  g_array_unref (self->kinds);
  g_array_unref (self->values);
  g_array_unref (self->waits);
  g_array_unref (self->requests);
  g_array_unref (self->devices);
  g_free (self);
}

guint32
tb_replay_program_add_actor (TbReplayProgram *self)
{
  gsize at = self->kinds->len;

  g_array_append_val (self->first, at);
  return self->n_actors++;
}

void
tb_replay_program_add_step (TbReplayProgram *self, TbReplayKind kind, gint64 value)
{
  guint8 stored = kind;

  g_assert (self->n_actors > 0 && value >= 0);
  g_array_append_val (self->kinds, stored);
  g_array_append_val (self->values, value);
  g_array_index (self->first, gsize, self->n_actors) = self->kinds->len;
}

guint32
tb_replay_program_add_wait (TbReplayProgram *self, gint64 length, gint64 lag, gboolean is_signalled)
{
  TbReplayWait wait
      = { .length = length, .lag = lag, .is_signalled = is_signalled, .leads_to = TB_REPLAY_NONE };

  g_array_append_val (self->waits, wait);
  return self->waits->len - 1;
}

guint32
tb_replay_program_add_request (TbReplayProgram *self, guint32 device, gint64 service, guint32 wait)
{
  TbReplayRequest request = { .device = device, .service = service, .wait = wait };

  g_array_append_val (self->requests, request);
  return self->requests->len - 1;
}

void
tb_replay_times_free (TbReplayTimes *self)
{
  g_free (self->marks);
  g_free (self->ends);
  g_free (self);
}

/* --- a heap of what comes next --- */

typedef struct
{
  double key;
  guint64 order; /* of equal keys what was known first comes first */
  guint32 what;
  guint32 turn;
} Entry;

static inline gboolean
is_before (const Entry *a, const Entry *b)
{
  return a->key < b->key || (a->key == b->key && a->order < b->order);
}

static void
heap_push (GArray *heap, Entry entry)
{
  guint i = heap->len;
  Entry *entries;

  g_array_append_val (heap, entry);
  entries = (Entry *) (gpointer) heap->data;
  while (i > 0 && is_before (&entry, &entries[(i - 1) / 2]))
    {
      entries[i] = entries[(i - 1) / 2];
      i = (i - 1) / 2;
    }
  entries[i] = entry;
}

static Entry
heap_pop (GArray *heap)
{
  Entry *entries = (Entry *) (gpointer) heap->data;
  Entry top = entries[0], last = entries[heap->len - 1];
  guint n = heap->len - 1, i = 0;

  g_array_set_size (heap, n);
  for (guint child = 1; child < n; child = 2 * i + 1)
    {
      child += child + 1 < n && is_before (&entries[child + 1], &entries[child]);
      if (!is_before (&entries[child], &last))
        break;
      entries[i] = entries[child];
      i = child;
    }
  if (n > 0)
    entries[i] = last;
  return top;
}

/* --- the play --- */

#define IS_REQUEST G_MAXUINT32 /* turn of an entry that is a request */

/* ns: less is what rounding makes of the same moment. */
#define NO_TIME 0.5

/* What became of an actor's last wait, until it runs. */
typedef enum
{
  LAST_NONE,
  LAST_OPEN,   /* it is not known yet */
  LAST_WAITED, /* it took time */
  LAST_SPARED, /* it did not */
} Last;

typedef struct
{
  const TbReplayProgram *program;
  const TbReplayChange *change;
  TbReplayTimes *times;
  const gsize *first;
  const guint8 *kinds;
  const gint64 *values;
  double now;
  double served; /* to each that runs, since the start */
  double n_cpus;
  guint64 n_known;      /* for the order */
  GArray *running;      /* Entry: actors by served when they will be done */
  GArray *coming;       /* Entry: actors and requests by time */
  gsize *at;            /* by actor: next step */
  guint32 *turn;        /* by actor: entries of another turn are over */
  guint32 *waiter;      /* by wait: actor that waits, or waited, for its signal */
  guint32 *inside;      /* by actor: the wait for whose signal it waits, TB_REPLAY_NONE none */
  double *raised;       /* by wait: when it was signalled, -1 not yet */
  double *ready;        /* by stream, -1 not begun */
  double *taken;        /* by stream: what was there last, -1 nothing */
  guint8 *has_shared;   /* by actor: it has run its share of the wait that it is at */
  guint8 *last;         /* by actor: Last */
  double *owed;         /* by actor: what its runs until it waits again are yet shorter by */
  guint8 *is_for_work;  /* by actor: that wait was for somebody's signal */
  guint8 *is_answered;  /* by wait: a request ends it; NULL: of no interest */
  guint8 *was_idle;     /* by actor: it had to wait for what it does, until somebody came */
  double *since;        /* by actor: when it came to that wait */
  guint32 *wait;        /* by actor: which that is, TB_REPLAY_NONE none yet */
  double *waited;       /* by actor: how long it took */
  double n_wanted;      /* cpus that those that run would fill */
  guint32 *free_places; /* by device */
  guint32 *queue_first; /* by device: requests in order, TB_REPLAY_NONE none */
  guint32 *queue_last;
  guint32 *queue_next; /* by request */
} Play;

static double
get_factor (const Play *self, gint64 wait)
{
  return self->change->factor != NULL ? self->change->factor[wait] : 1;
}

/* Several threads are of use where there is work for several: to who had to wait for his, one is. */
static guint32
get_size (const Play *self, guint32 actor)
{
  gboolean divides = self->change->divides != NULL && self->change->divides[actor];

  return self->change->size != NULL && (divides || !self->was_idle[actor]) ? self->change->size[actor] : 1;
}

/* How long something takes that ends a wait. */
static double
shorten (const Play *self, double length, guint32 wait)
{
  if (self->change->shorter == NULL || wait == TB_REPLAY_NONE)
    return length;
  return MAX (length - self->change->shorter[wait], 0);
}

/* In a turn of its own, so that what else could have ended the wait does not. */
static void
wake_at (Play *self, guint32 actor, double time)
{
  heap_push (self->coming, (Entry) { MAX (time, self->now), self->n_known++, actor, ++self->turn[actor] });
}

static double
get_end (const Play *self, guint32 wait)
{
  const TbReplayWait *of = &g_array_index (self->program->waits, TbReplayWait, wait);
  double factor = get_factor (self, wait);

  return self->raised[wait] + (double) of->lag + (factor > 1 ? (factor - 1) * (double) of->length : 0);
}

/* Whether it is over at some time with or without its signal. */
static gboolean
has_limit (const Play *self, guint32 wait)
{
  return get_factor (self, wait) < 1 || g_array_index (self->program->waits, TbReplayWait, wait).is_loose;
}

static void
raise_signal (Play *self, guint32 wait)
{
  guint32 actor = self->waiter[wait];

  if (self->raised[wait] >= 0)
    return;
  self->raised[wait] = self->now;
  if (actor == TB_REPLAY_NONE || self->inside[actor] != wait)
    return;
  if (self->values[self->at[actor] - 1] != wait)
    {
      wake_at (self, actor, self->now);
      return;
    }
  if (has_limit (self, wait))
    {
      /* Its limit stays where it is, under the turn it has. */
      heap_push (self->coming, (Entry) { get_end (self, wait), self->n_known++, actor, self->turn[actor] });
      return;
    }
  wake_at (self, actor, get_end (self, wait));
}

static void
serve (Play *self, guint32 request)
{
  const TbReplayRequest *of = &g_array_index (self->program->requests, TbReplayRequest, request);
  double speed = self->change->speed != NULL ? self->change->speed[of->device] : 1;

  self->free_places[of->device]--;
  heap_push (self->coming, (Entry) { self->now + shorten (self, (double) of->service, of->wait) / speed,
                                     self->n_known++, request, IS_REQUEST });
}

static void
ask (Play *self, guint32 request)
{
  guint32 device = g_array_index (self->program->requests, TbReplayRequest, request).device;

  if (self->free_places[device] > 0)
    {
      serve (self, request);
      return;
    }
  self->queue_next[request] = TB_REPLAY_NONE;
  if (self->queue_first[device] == TB_REPLAY_NONE)
    self->queue_first[device] = request;
  else
    self->queue_next[self->queue_last[device]] = request;
  self->queue_last[device] = request;
}

static void
answer (Play *self, guint32 request)
{
  const TbReplayRequest *of = &g_array_index (self->program->requests, TbReplayRequest, request);
  guint32 next = self->queue_first[of->device];

  self->free_places[of->device]++;
  if (next != TB_REPLAY_NONE)
    {
      self->queue_first[of->device] = self->queue_next[next];
      serve (self, next);
    }
  if (of->wait != TB_REPLAY_NONE)
    raise_signal (self, of->wait);
}

/* A request that is not made any more. */
static void
forgo (Play *self, guint32 request)
{
  guint32 wait = g_array_index (self->program->requests, TbReplayRequest, request).wait;

  if (wait != TB_REPLAY_NONE)
    raise_signal (self, wait);
}

static void
await_signal (Play *self, guint32 actor, guint32 wait)
{
  self->waiter[wait] = actor;
  self->inside[actor] = wait;
}

/* Whether the actor has to wait. */
static gboolean
begin_wait (Play *self, guint32 actor, guint32 wait)
{
  const TbReplayWait *of = &g_array_index (self->program->waits, TbReplayWait, wait);
  guint32 stream = self->change->stream != NULL ? self->change->stream[wait] : TB_REPLAY_NONE;
  double factor = get_factor (self, wait), end;

  if (stream != TB_REPLAY_NONE)
    {
      double start = self->ready[stream] < 0 ? self->now : self->ready[stream];

      if (self->change->pieces != NULL && self->change->pieces[wait])
        start = MAX (start, self->taken[stream]);
      end = self->ready[stream] = start + (double) of->length;
      self->taken[stream] = MAX (end, self->now);
    }
  else if (!of->is_signalled)
    {
      end = self->now + factor * shorten (self, (double) of->length, wait) / get_size (self, actor);
      if (of->leads_to != TB_REPLAY_NONE && end > self->now)
        await_signal (self, actor, of->leads_to);
    }
  else if (self->raised[wait] >= 0)
    end = has_limit (self, wait) ? MIN (get_end (self, wait), self->now + factor * (double) of->length)
                                 : get_end (self, wait);
  else if (has_limit (self, wait))
    {
      end = self->now + factor * (double) of->length;
      if (end > self->now)
        await_signal (self, actor, wait);
    }
  else
    {
      await_signal (self, actor, wait);
      return TRUE;
    }
  if (end <= self->now)
    return FALSE;
  wake_at (self, actor, end);
  return TRUE;
}

static void
start_run (Play *self, guint32 actor, double length)
{
  guint32 size = get_size (self, actor);

  self->n_wanted += size;
  heap_push (self->running, (Entry) { self->served + length / size, self->n_known++, actor, 0 });
}

/* Whether the actor first has to do something of what it waits for. */
static gboolean
begin_share (Play *self, guint32 actor, gint64 wait)
{
  double share = self->change->share != NULL ? self->change->share[wait] : 0;

  if (share <= 0 || self->has_shared[actor])
    {
      self->has_shared[actor] = FALSE;
      return FALSE;
    }
  self->has_shared[actor] = TRUE;
  self->at[actor]--;
  start_run (self, actor, share);
  return TRUE;
}

/* Whether somebody ends a wait, no device, so that what follows may be work that he brought. */
static gboolean
is_for_work (const Play *self, guint32 wait)
{
  return g_array_index (self->program->waits, TbReplayWait, wait).is_signalled
         && (self->is_answered == NULL || !self->is_answered[wait]);
}

/* What became of the last wait, once it is over. */
static Last
settle_wait (Play *self, guint32 actor)
{
  if (self->last[actor] != LAST_OPEN)
    return self->last[actor];
  self->waited[actor] = self->now - self->since[actor];
  self->last[actor] = self->waited[actor] > NO_TIME ? LAST_WAITED : LAST_SPARED;
  self->was_idle[actor] = self->is_for_work[actor] && self->last[actor] == LAST_WAITED;
  return self->last[actor];
}

/* Whoever prepares it has the switch instead, and has to be woken for the next: who takes it saves nothing. */
static gboolean
is_prepared (const Play *self, guint32 wait)
{
  return self->change->stream != NULL && self->change->stream[wait] != TB_REPLAY_NONE;
}

static double
get_length (Play *self, guint32 actor, gsize step)
{
  double length = (double) self->values[step] * (self->change->run != NULL ? self->change->run[step] : 1);
  double taken;

  if (settle_wait (self, actor) == LAST_SPARED && !is_prepared (self, self->wait[actor]))
    self->owed[actor] = self->change->saved;
  self->last[actor] = LAST_NONE;
  taken = MIN (self->owed[actor], length);
  self->owed[actor] -= taken;
  return length - taken;
}

/* How much of what waking a thread took it takes after the last wait. */
static double
get_wake_share (Play *self, guint32 actor)
{
  double length;

  if (settle_wait (self, actor) != LAST_WAITED)
    return 0;
  length = (double) g_array_index (self->program->waits, TbReplayWait, self->wait[actor]).length;
  return self->change->shrinks && self->waited[actor] < length ? self->waited[actor] / length : 1;
}

/* Whether time has to pass. */
static gboolean
begin_delay (Play *self, guint32 actor, gsize step)
{
  double length = (double) self->values[step] * (self->change->run != NULL ? self->change->run[step] : 1);

  if (self->kinds[step] == TB_REPLAY_WAKE)
    length *= get_wake_share (self, actor);
  else
    settle_wait (self, actor);
  if (length <= 0 || self->change->no_delays)
    return FALSE;
  wake_at (self, actor, self->now + length / get_size (self, actor));
  return TRUE;
}

/* Who waits for time to pass again and again is called from that: what he would have done in between is not done, and whoever
 * waited for it does not. */
static gboolean
leap (Play *self, guint32 actor, guint32 wait)
{
  guint32 to = g_array_index (self->program->waits, TbReplayWait, wait).leads_to;
  gsize step;

  if (to == TB_REPLAY_NONE || self->raised[to] < 0)
    return FALSE;
  step = g_array_index (self->program->waits, TbReplayWait, to).step;
  for (; self->at[actor] < step; self->at[actor]++)
    if (self->kinds[self->at[actor]] == TB_REPLAY_SIGNAL)
      raise_signal (self, (guint32) self->values[self->at[actor]]);
    else if (self->kinds[self->at[actor]] == TB_REPLAY_REQUEST)
      forgo (self, (guint32) self->values[self->at[actor]]);
  return TRUE;
}

/* One actor goes on until it needs time. */
static void
go_on (Play *self, guint32 actor)
{
  gsize at = self->at[actor];

  if (at > self->first[actor] && self->kinds[at - 1] == TB_REPLAY_WAIT)
    leap (self, actor, (guint32) self->values[at - 1]);
  while (self->at[actor] < self->first[actor + 1])
    {
      gsize step = self->at[actor]++;
      gint64 value = self->values[step];
      double length;

      switch ((TbReplayKind) self->kinds[step])
        {
        case TB_REPLAY_RUN:
          length = get_length (self, actor, step);
          if (length <= 0)
            break;
          start_run (self, actor, length);
          return;
        case TB_REPLAY_DELAY:
        case TB_REPLAY_WAKE:
          if (begin_delay (self, actor, step))
            return;
          break;
        case TB_REPLAY_WAIT:
          if (leap (self, actor, (guint32) value))
            break;
          if (begin_share (self, actor, value))
            return;
          self->last[actor] = LAST_OPEN;
          self->owed[actor] = 0;
          self->since[actor] = self->now;
          self->wait[actor] = (guint32) value;
          self->is_for_work[actor] = is_for_work (self, (guint32) value);
          self->was_idle[actor] = self->was_idle[actor] && self->is_for_work[actor];
          if (begin_wait (self, actor, (guint32) value))
            return;
          break;
        case TB_REPLAY_SIGNAL:
          raise_signal (self, (guint32) value);
          break;
        case TB_REPLAY_REQUEST:
          if (self->change->run != NULL && self->change->run[step] <= 0)
            forgo (self, (guint32) value);
          else
            ask (self, (guint32) value);
          break;
        case TB_REPLAY_MARK:
          self->times->marks[value] = self->now;
          break;
        }
    }
}

static double
get_rate (const Play *self)
{
  return self->n_wanted > self->n_cpus ? self->n_cpus / self->n_wanted : 1;
}

static double
find_next_done (const Play *self)
{
  if (self->running->len == 0)
    return INFINITY;
  return self->now + MAX (g_array_index (self->running, Entry, 0).key - self->served, 0) / get_rate (self);
}

static gboolean
play_event (Play *self)
{
  double done = find_next_done (self);
  double next = self->coming->len > 0 ? g_array_index (self->coming, Entry, 0).key : INFINITY;
  Entry entry;

  if (isinf (done) && isinf (next))
    return FALSE;
  if (done < next)
    {
      entry = heap_pop (self->running);
      self->now = done;
      self->served = entry.key;
      self->times->ends[entry.what] = self->now;
      self->n_wanted -= get_size (self, entry.what);
      go_on (self, entry.what);
      return TRUE;
    }
  entry = heap_pop (self->coming);
  self->served += (next - self->now) * get_rate (self);
  self->now = next;
  if (entry.turn == IS_REQUEST)
    answer (self, entry.what);
  else if (entry.turn == self->turn[entry.what])
    {
      self->turn[entry.what]++;
      self->inside[entry.what] = TB_REPLAY_NONE;
      go_on (self, entry.what);
    }
  return TRUE;
}

static double *
new_times (gsize n)
{
  double *times = g_new (double, n + 1);

  for (gsize i = 0; i <= n; i++)
    times[i] = -1;
  return times;
}

static guint32 *
new_nones (gsize n)
{
  guint32 *nones = g_new (guint32, n + 1);

  for (gsize i = 0; i <= n; i++)
    nones[i] = TB_REPLAY_NONE;
  return nones;
}

static guint8 *
find_answered (const TbReplayProgram *program)
{
  guint8 *is_answered = g_new0 (guint8, program->waits->len + 1);

  for (guint i = 0; i < program->requests->len; i++)
    {
      guint32 wait = g_array_index (program->requests, TbReplayRequest, i).wait;

      if (wait != TB_REPLAY_NONE)
        is_answered[wait] = TRUE;
    }
  return is_answered;
}

static void
play_init (Play *self, const TbReplayProgram *program, const TbReplayChange *change)
{
  *self = (Play) { .program = program, .change = change, .times = g_new0 (TbReplayTimes, 1) };
  self->first = (const gsize *) (gpointer) program->first->data;
  self->kinds = (const guint8 *) program->kinds->data;
  self->values = (const gint64 *) (gpointer) program->values->data;
  self->n_cpus = change->n_cpus > 0 ? change->n_cpus : program->n_cpus;
  self->running = g_array_new (FALSE, FALSE, sizeof (Entry));
  self->coming = g_array_new (FALSE, FALSE, sizeof (Entry));
  self->at = g_memdup2 (self->first, sizeof (gsize) * (program->n_actors + 1));
  self->turn = g_new0 (guint32, program->n_actors + 1);
  self->waiter = new_nones (program->waits->len);
  self->inside = new_nones (program->n_actors);
  self->has_shared = g_new0 (guint8, program->n_actors + 1);
  self->last = g_new0 (guint8, program->n_actors + 1);
  if (change->size != NULL)
    self->is_answered = find_answered (program);
  self->owed = g_new0 (double, program->n_actors + 1);
  self->is_for_work = g_new0 (guint8, program->n_actors + 1);
  self->was_idle = g_new0 (guint8, program->n_actors + 1);
  self->since = new_times (program->n_actors);
  self->wait = new_nones (program->n_actors);
  self->waited = new_times (program->n_actors);
  self->raised = new_times (program->waits->len);
  self->ready = new_times (change->n_streams);
  self->taken = new_times (change->n_streams);
  self->free_places = g_memdup2 (program->devices->data, sizeof (guint32) * program->devices->len);
  self->queue_first = new_nones (program->devices->len);
  self->queue_last = new_nones (program->devices->len);
  self->queue_next = new_nones (program->requests->len);
  self->times->marks = new_times (program->n_marks);
  self->times->ends = g_new0 (double, program->n_actors + 1);
}

static TbReplayTimes *
play_clear (Play *self)
{
  for (guint32 i = 0; i < self->program->n_actors; i++)
    self->times->n_stuck += self->at[i] < self->first[i + 1];
  g_array_unref (self->running);
  g_array_unref (self->coming);
  g_free (self->at);
  g_free (self->turn);
  g_free (self->waiter);
  g_free (self->inside);
  g_free (self->has_shared);
  g_free (self->last);
  g_free (self->is_answered);
  g_free (self->owed);
  g_free (self->is_for_work);
  g_free (self->was_idle);
  g_free (self->since);
  g_free (self->wait);
  g_free (self->waited);
  g_free (self->raised);
  g_free (self->ready);
  g_free (self->taken);
  g_free (self->free_places);
  g_free (self->queue_first);
  g_free (self->queue_last);
  g_free (self->queue_next);
  return g_steal_pointer (&self->times);
}

/* So many events that playing them takes far less than what cancelling may. */
#define EVENTS_UNTIL_CHECK 65536

TbReplayTimes *
tb_replay_run (const TbReplayProgram *program,
               const TbReplayChange *change,
               GCancellable *cancellable,
               GError **error)
{
  static const TbReplayChange none = { 0 };
  gboolean is_cancelled = g_cancellable_set_error_if_cancelled (cancellable, error);
  Play play;

  if (is_cancelled)
    return NULL;
  play_init (&play, program, change != NULL ? change : &none);
  for (guint32 i = 0; i < program->n_actors; i++)
    go_on (&play, i);
  for (guint64 i = 1; !is_cancelled && play_event (&play); i++)
    is_cancelled = i % EVENTS_UNTIL_CHECK == 0 && g_cancellable_set_error_if_cancelled (cancellable, error);
  if (!is_cancelled)
    return play_clear (&play);
  tb_replay_times_free (play_clear (&play));
  return NULL;
}
