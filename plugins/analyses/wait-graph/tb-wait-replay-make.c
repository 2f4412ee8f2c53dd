/* tb-wait-replay-make.c: what is played, from a recording
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Runs keep their lengths. What a thread does to others (wakings, requests) happens where it was then in its own running time.
 * Time that a thread could run is left to the replay's cpus as far as those who are played kept all of them busy then; the
 * rest is what waking takes, and what others took.
 */

#include "config.h"

#include "tb-wait-replay-make.h"

#include "trace/tb-track.h"

/* More kinds of points, which are no steps. */
enum
{
  POINT_SPLIT = TB_REPLAY_MARK + 1, /* value: the wait that begins then, for what this thread does */
  POINT_ENTER,                      /* value: system call */
  POINT_EXIT,
};

/* Something that a thread does at a time of its own. */
typedef struct
{
  gsize row; /* interval in which it does */
  gint64 time;
  guint32 order;
  guint8 kind; /* TbReplayKind, or one of the above */
  guint32 value;
} Point;

/* When a cpu was free: from, and how much of it was before. */
typedef struct
{
  gint64 start;
  gint64 end;
  gint64 before;
} Free;

typedef struct
{
  gint64 begin;
  gint64 complete;
  guint32 thread;
  guint32 device; /* of the program */
  gsize row;      /* where it was issued, G_MAXSIZE not known */
  guint32 wait;
} Request;

typedef struct
{
  TbReplayRecording *self;
  TbTrace *trace;
  const TbIntervals *rows;
  const guint8 *inside; /* by thread, NULL: all are */
  guint n_threads;
  gint64 from;
  gint64 to;
  guint32 *wait_of_row;
  GArray *points;   /* Point */
  GArray *free;     /* Free */
  GArray *requests; /* Request, by completion */
  GArray *spans;    /* Request: waits for devices whose request is not known */
  guint32 *own;     /* by wait: the request that its waiter begins it with, TB_REPLAY_NONE none */
  GBytes *wakers;
  const guint32 *waker_of_wakeup;
  GBytes *wakeup_times;
  const gint64 *time_of_wakeup;
  gsize n_wakeups;
  GArray *sends; /* Send, by thread and time */
  GBytes *sleep_calls;
  gsize n_sleeps;
  guint32 call; /* that the actor whose steps are made is in */
} Maker;

/* A message that left. */
typedef struct
{
  guint32 thread;
  gint64 time;
  guint32 local;
} Send;

void
tb_replay_recording_free (TbReplayRecording *self)
{
  g_clear_pointer (&self->program, tb_replay_program_free);
  g_array_unref (self->origins);
  g_array_unref (self->threads);
  g_array_unref (self->calls);
  g_free (self->device_of);
  g_free (self->begin);
  g_free (self->last_run);
  g_free (self->running);
  g_free (self);
}

static void
maker_clear (Maker *self)
{
  g_clear_pointer (&self->self, tb_replay_recording_free);
  g_free (self->wait_of_row);
  g_array_unref (self->points);
  g_array_unref (self->free);
  g_array_unref (self->requests);
  g_array_unref (self->spans);
  g_array_unref (self->sends);
  g_free (self->own);
  g_clear_pointer (&self->wakers, g_bytes_unref);
  g_clear_pointer (&self->wakeup_times, g_bytes_unref);
  g_clear_pointer (&self->sleep_calls, g_bytes_unref);
}

G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC (Maker, maker_clear)

/* --- when all cpus were busy --- */

typedef struct
{
  gint64 time;
  int change;
} Step;

static int
compare_steps (gconstpointer a, gconstpointer b)
{
  const Step *left = a, *right = b;

  if (left->time != right->time)
    return left->time < right->time ? -1 : 1;
  return left->change - right->change;
}

static gboolean
is_inside (const Maker *self, guint32 thread)
{
  return thread < self->n_threads && thread != TB_THREAD_IDLE
         && (self->inside == NULL || self->inside[thread]);
}

static void
add_free (Maker *self, gint64 start, gint64 end)
{
  const Free *last = self->free->len > 0 ? &g_array_index (self->free, Free, self->free->len - 1) : NULL;
  Free next = { start, end, last != NULL ? last->before + last->end - last->start : 0 };

  if (end > start)
    g_array_append_val (self->free, next);
}

static void
find_free (Maker *self, guint n_cpus)
{
  g_autoptr (GArray) steps = g_array_new (FALSE, FALSE, sizeof (Step));
  gint64 since = self->from;
  guint n_running = 0;

  for (gsize i = 0; i < self->rows->n; i++)
    {
      Step begin = { MAX (self->rows->start[i], self->from), 1 };
      Step end = { MIN (self->rows->end[i], self->to), -1 };

      if (self->rows->state[i] != TB_STATE_RUNNING || !is_inside (self, self->rows->thread[i])
          || end.time <= begin.time)
        continue;
      g_array_append_val (steps, begin);
      g_array_append_val (steps, end);
    }
  g_array_sort (steps, compare_steps);
  for (guint i = 0; i < steps->len; i++)
    {
      const Step *step = &g_array_index (steps, Step, i);
      guint before = n_running;

      n_running += (guint) step->change;
      if (before + 1 == n_cpus && n_running == n_cpus)
        add_free (self, since, step->time);
      if (before == n_cpus && n_running + 1 == n_cpus)
        since = step->time;
    }
  if (n_running < n_cpus)
    add_free (self, since, self->to);
}

/* How long a cpu was free before a time. */
static gint64
get_free_before (const Maker *self, gint64 time)
{
  guint low = 0, high = self->free->len;
  const Free *at;

  while (low < high)
    {
      guint middle = low + (high - low) / 2;

      if (g_array_index (self->free, Free, middle).start <= time)
        low = middle + 1;
      else
        high = middle;
    }
  if (low == 0)
    return 0;
  at = &g_array_index (self->free, Free, low - 1);
  return at->before + MIN (time, at->end) - at->start;
}

/* --- where threads were --- */

/* A thread's life is over with its exit; it still wakes those who wait for that. */
static gsize
find_last_run (const Maker *self, guint32 thread, gint64 time)
{
  gsize first, n;

  tb_trace_get_thread_intervals (self->trace, thread, &first, &n);
  if (n == 0 || self->rows->end[first + n - 1] > time || self->rows->end[first + n - 1] <= self->from
      || self->rows->state[first + n - 1] != TB_STATE_RUNNING)
    return G_MAXSIZE;
  return first + n - 1;
}

/* The interval in which a thread ran at a time, G_MAXSIZE it is not known to have run. */
static gsize
find_run (const Maker *self, guint32 thread, gint64 time)
{
  gssize row;

  if (!is_inside (self, thread) || time < self->from || time >= self->to)
    return G_MAXSIZE;
  row = tb_trace_find_interval (self->trace, thread, time);
  if (row >= 0 && self->rows->state[row] == TB_STATE_RUNNING)
    return (gsize) row;
  /* It did so last before it left. */
  row = tb_trace_find_interval (self->trace, thread, time - 1);
  if (row >= 0)
    return self->rows->state[row] == TB_STATE_RUNNING && self->rows->end[row] == time ? (gsize) row
                                                                                      : G_MAXSIZE;
  return find_last_run (self, thread, time);
}

static void
add_point (Maker *self, gsize row, gint64 time, guint8 kind, guint32 value)
{
  Point point = { row, time, self->points->len, kind, value };

  g_array_append_val (self->points, point);
}

static int
compare_points (gconstpointer a, gconstpointer b)
{
  const Point *left = a, *right = b;

  if (left->row != right->row)
    return left->row < right->row ? -1 : 1;
  if (left->time != right->time)
    return left->time < right->time ? -1 : 1;
  return left->order < right->order ? -1 : left->order > right->order;
}

/* --- messages within the machine --- */

static int
compare_sends (gconstpointer a, gconstpointer b)
{
  const Send *left = a, *right = b;

  if (left->thread != right->thread)
    return left->thread < right->thread ? -1 : 1;
  return left->time < right->time ? -1 : left->time > right->time;
}

static gboolean
load_sends (Maker *self, GError **error)
{
  TbTable *table = tb_session_get_table (tb_trace_get_session (self->trace), TB_TABLE_NETWORK);
  static const guint columns[] = { TB_NETWORK_TIME, TB_NETWORK_THREAD, TB_NETWORK_KIND, TB_NETWORK_LOCAL };
  GBytes *bytes[G_N_ELEMENTS (columns)] = { NULL };
  gsize n = tb_table_get_n_rows (table);
  gboolean is_good = TRUE;

  for (guint i = 0; i < G_N_ELEMENTS (columns) && n > 0 && is_good; i++)
    is_good = (bytes[i] = tb_table_get_column (table, columns[i], error)) != NULL;
  for (gsize i = 0; i < n && is_good; i++)
    {
      Send send = { ((const guint32 *) g_bytes_get_data (bytes[1], NULL))[i],
                    ((const gint64 *) g_bytes_get_data (bytes[0], NULL))[i],
                    ((const guint32 *) g_bytes_get_data (bytes[3], NULL))[i] };

      if (((const guint8 *) g_bytes_get_data (bytes[2], NULL))[i] == TB_NETWORK_SEND
          && send.thread != TB_ID_NONE)
        g_array_append_val (self->sends, send);
    }
  for (guint i = 0; i < G_N_ELEMENTS (bytes); i++)
    g_clear_pointer (&bytes[i], g_bytes_unref);
  g_array_sort (self->sends, compare_sends);
  return is_good;
}

/* Whether a thread sent from the address in that interval. A message to the same machine is delivered, and wakes who waits
 * for it, in a soft interrupt on top of the sender. */
static gboolean
has_sent (const Maker *self, gsize row, guint32 local)
{
  Send wanted = { self->rows->thread[row], self->rows->start[row], 0 };
  guint low = 0, high = self->sends->len;

  while (low < high)
    {
      guint middle = low + (high - low) / 2;

      if (compare_sends (&g_array_index (self->sends, Send, middle), &wanted) < 0)
        low = middle + 1;
      else
        high = middle;
    }
  for (; low < self->sends->len; low++)
    {
      const Send *send = &g_array_index (self->sends, Send, low);

      if (send->thread != wanted.thread || send->time > self->rows->end[row])
        return FALSE;
      if (local == TB_STRING_NONE || send->local == local)
        return TRUE;
    }
  return FALSE;
}

/* --- system calls --- */

static gboolean
load_calls (Maker *self, GError **error)
{
  TbSession *session = tb_trace_get_session (self->trace);
  TbTable *table = tb_session_get_table (session, TB_TABLE_SYSCALL);
  static const guint columns[] = { TB_SYSCALL_ENTER, TB_SYSCALL_EXIT, TB_SYSCALL_THREAD, TB_SYSCALL_NUMBER };
  GBytes *bytes[G_N_ELEMENTS (columns)] = { NULL };
  gsize n = tb_table_get_n_rows (table);
  gboolean is_good = TRUE;

  for (guint i = 0; i < G_N_ELEMENTS (columns) && n > 0 && is_good; i++)
    is_good = (bytes[i] = tb_table_get_column (table, columns[i], error)) != NULL;
  for (gsize i = 0; i < n && is_good; i++)
    {
      gint64 enter = ((const gint64 *) g_bytes_get_data (bytes[0], NULL))[i];
      gint64 leave = ((const gint64 *) g_bytes_get_data (bytes[1], NULL))[i];
      guint32 thread = ((const guint32 *) g_bytes_get_data (bytes[2], NULL))[i];
      guint32 name = ((const guint32 *) g_bytes_get_data (bytes[3], NULL))[i];
      gsize enter_row = find_run (self, thread, enter), leave_row = find_run (self, thread, leave);

      if (enter_row == G_MAXSIZE || leave_row == G_MAXSIZE || leave < enter)
        continue;
      add_point (self, enter_row, enter, POINT_ENTER, name);
      add_point (self, leave_row, leave, POINT_EXIT, name);
    }
  for (guint i = 0; i < G_N_ELEMENTS (bytes); i++)
    g_clear_pointer (&bytes[i], g_bytes_unref);
  table = tb_session_get_table (session, TB_TABLE_SLEEP);
  self->n_sleeps = tb_table_get_n_rows (table);
  if (self->n_sleeps > 0 && is_good)
    is_good = (self->sleep_calls = tb_table_get_column (table, TB_SLEEP_CALL, error)) != NULL;
  return is_good;
}

static guint32
get_sleep_call (const Maker *self, gsize row)
{
  guint32 sleep = self->rows->sleep[row];

  return sleep < self->n_sleeps ? ((const guint32 *) g_bytes_get_data (self->sleep_calls, NULL))[sleep]
                                : TB_STRING_NONE;
}

/* --- requests --- */

static int
compare_completions (gconstpointer a, gconstpointer b)
{
  const Request *left = a, *right = b;

  if (left->complete != right->complete)
    return left->complete < right->complete ? -1 : 1;
  return left->begin < right->begin ? -1 : left->begin > right->begin;
}

static guint32
get_device (Maker *self, guint32 device)
{
  TbReplayRecording *of = self->self;

  if (device >= of->n_devices)
    return TB_REPLAY_NONE;
  if (of->device_of[device] == TB_REPLAY_NONE)
    {
      of->device_of[device] = of->program->devices->len;
      g_array_append_vals (of->program->devices, &(guint32) { 1 }, 1);
    }
  return of->device_of[device];
}

static gboolean
load_requests (Maker *self, GError **error)
{
  TbTable *table = tb_session_get_table (tb_trace_get_session (self->trace), TB_TABLE_BLOCK);
  static const guint columns[]
      = { TB_BLOCK_INSERT, TB_BLOCK_ISSUE, TB_BLOCK_COMPLETE, TB_BLOCK_DEVICE, TB_BLOCK_THREAD };
  GBytes *bytes[G_N_ELEMENTS (columns)] = { NULL };
  gsize n = tb_table_get_n_rows (table);
  gboolean is_good = TRUE;

  for (guint i = 0; i < G_N_ELEMENTS (columns) && n > 0 && is_good; i++)
    is_good = (bytes[i] = tb_table_get_column (table, columns[i], error)) != NULL;
  for (gsize i = 0; i < n && is_good; i++)
    {
      gint64 insert = ((const gint64 *) g_bytes_get_data (bytes[0], NULL))[i];
      gint64 issue = ((const gint64 *) g_bytes_get_data (bytes[1], NULL))[i];
      Request request = { .begin = insert >= 0 ? insert : issue,
                          .complete = ((const gint64 *) g_bytes_get_data (bytes[2], NULL))[i],
                          .thread = ((const guint32 *) g_bytes_get_data (bytes[4], NULL))[i],
                          .row = G_MAXSIZE,
                          .wait = TB_REPLAY_NONE };

      if (request.begin < self->from || request.complete >= self->to || request.complete < request.begin)
        continue;
      request.device = get_device (self, ((const guint32 *) g_bytes_get_data (bytes[3], NULL))[i]);
      if (request.device == TB_REPLAY_NONE)
        continue;
      request.row = find_run (self, request.thread, request.begin);
      g_array_append_val (self->requests, request);
    }
  for (guint i = 0; i < G_N_ELEMENTS (bytes); i++)
    g_clear_pointer (&bytes[i], g_bytes_unref);
  g_array_sort (self->requests, compare_completions);
  return is_good;
}

/* Of those looked at, the last that a thread begun itself, else the last. */
#define REQUESTS_LOOKED_AT 64

static Request *
find_request (const Maker *self, guint32 device, guint32 thread, gint64 start, gint64 end)
{
  guint low = 0, high = self->requests->len;
  Request *found = NULL;

  while (low < high)
    {
      guint middle = low + (high - low) / 2;

      if (g_array_index (self->requests, Request, middle).complete <= end)
        low = middle + 1;
      else
        high = middle;
    }
  for (guint i = 0; i < REQUESTS_LOOKED_AT && low > 0; i++)
    {
      Request *request = &g_array_index (self->requests, Request, --low);

      if (request->complete < start)
        break;
      if (request->device != device || request->wait != TB_REPLAY_NONE || request->row == G_MAXSIZE)
        continue;
      if (request->thread == thread)
        return request;
      if (found == NULL)
        found = request;
    }
  return found;
}

static void
add_flights (const GArray *requests, guint32 device, GArray *steps)
{
  for (guint i = 0; i < requests->len; i++)
    {
      const Request *request = &g_array_index (requests, Request, i);

      if (request->device != device)
        continue;
      g_array_append_vals (steps, &(Step) { request->begin, 1 }, 1);
      g_array_append_vals (steps, &(Step) { request->complete, -1 }, 1);
    }
}

/* The most that were with a device at once: so many places it has. */
static void
measure_places (Maker *self, guint32 device)
{
  g_autoptr (GArray) steps = g_array_new (FALSE, FALSE, sizeof (Step));
  int n = 0, most = 1;

  add_flights (self->requests, device, steps);
  add_flights (self->spans, device, steps);
  g_array_sort (steps, compare_steps);
  for (guint i = 0; i < steps->len; i++)
    {
      n += g_array_index (steps, Step, i).change;
      most = MAX (most, n);
    }
  g_array_index (self->self->program->devices, guint32, device) = (guint32) most;
}

/* --- waits --- */

static guint32
add_wait (Maker *self, guint32 waiter, TbWaitNodeKind kind, guint32 id, guint32 lock, gint64 length)
{
  TbReplayOrigin origin = {
    .waiter = waiter, .id = id, .lock = lock, .kind = kind, .call = TB_STRING_NONE, .ender = TB_ID_NONE
  };

  g_array_append_val (self->self->origins, origin);
  return tb_replay_program_add_wait (self->self->program, length, 0, FALSE);
}

/* Where who ends a wait was when it began. */
static void
add_split (Maker *self, guint32 wait, guint32 thread, gint64 time)
{
  gssize row = time >= self->from ? tb_trace_find_interval (self->trace, thread, time) : -1;

  if (row >= 0)
    add_point (self, (gsize) row, time, POINT_SPLIT, wait);
}

/* Who ends a wait, and where he was; FALSE: nobody who is played. */
static gboolean
set_signaller (Maker *self, guint32 wait, guint32 thread, gint64 time)
{
  gsize row = find_run (self, thread, time);

  if (row == G_MAXSIZE)
    return FALSE;
  add_point (self, row, time, TB_REPLAY_SIGNAL, wait);
  g_array_index (self->self->program->waits, TbReplayWait, wait).is_signalled = TRUE;
  g_array_index (self->self->program->waits, TbReplayWait, wait).lag = MAX (time - self->rows->end[row], 0);
  self->self->n_signalled++;
  g_array_index (self->self->origins, TbReplayOrigin, wait).ender = thread;
  add_split (self, wait, thread,
             time - g_array_index (self->self->program->waits, TbReplayWait, wait).length);
  return TRUE;
}

static gboolean
find_sender (Maker *self, gsize row, guint32 wait)
{
  guint32 wakeup = self->rows->wakeup[row];
  gint64 end = self->rows->end[row];
  gsize of;

  if (wakeup >= self->n_wakeups || self->waker_of_wakeup[wakeup] == self->rows->thread[row])
    return FALSE;
  of = find_run (self, self->waker_of_wakeup[wakeup], end);
  return of != G_MAXSIZE && has_sent (self, of, self->rows->cause[row])
         && set_signaller (self, wait, self->waker_of_wakeup[wakeup], end);
}

static void
set_request (Maker *self, gsize row, guint32 wait)
{
  guint32 device = get_device (self, self->rows->cause[row]);
  gint64 start = MAX (self->rows->start[row], self->from), end = self->rows->end[row];
  TbReplayWait *of = &g_array_index (self->self->program->waits, TbReplayWait, wait);
  Request *request;

  if (device == TB_REPLAY_NONE)
    {
      self->self->n_unplaced++;
      return;
    }
  of->is_signalled = TRUE;
  self->self->n_signalled++;
  request = find_request (self, device, self->rows->thread[row], start, end);
  if (request == NULL)
    {
      Request span = { .begin = start, .complete = end, .device = device };

      self->own[wait] = tb_replay_program_add_request (self->self->program, device, of->length, wait);
      g_array_append_val (self->spans, span);
      return;
    }
  request->wait = wait;
  of->lag = end - request->complete;
}

/* A thread of the kernel that somebody else gave work to does not make those wait who are played. */
static void
forget_others_work (Maker *self, gsize row, guint32 wait)
{
  TbReplayWait *of = &g_array_index (self->self->program->waits, TbReplayWait, wait);

  if (self->inside != NULL && !of->is_signalled && self->rows->flags[row] & TB_INTERVAL_KERNEL_WORK)
    of->length = 0;
}

/* What a sleep that has an end was for. */
static void
add_sleep (Maker *self, gsize row)
{
  static const TbWaitNodeKind kinds[TB_N_CAUSES] = {
    [TB_CAUSE_NONE] = TB_WAIT_NODE_UNKNOWN,        [TB_CAUSE_THREAD] = TB_WAIT_NODE_THREAD,
    [TB_CAUSE_DEVICE] = TB_WAIT_NODE_DEVICE,       [TB_CAUSE_TIMER] = TB_WAIT_NODE_TIMER,
    [TB_CAUSE_INTERRUPT] = TB_WAIT_NODE_INTERRUPT, [TB_CAUSE_NETWORK] = TB_WAIT_NODE_NETWORK,
    [TB_CAUSE_SIGNAL] = TB_WAIT_NODE_THREAD,       [TB_CAUSE_UNKNOWN] = TB_WAIT_NODE_UNKNOWN,
  };
  const TbIntervals *rows = self->rows;
  gboolean is_by_thread
      = rows->cause_kind[row] == TB_CAUSE_THREAD || rows->cause_kind[row] == TB_CAUSE_SIGNAL;
  TbCauseKind cause
      = rows->cause_kind[row] >= TB_N_CAUSES || (is_by_thread && rows->cause[row] >= self->n_threads)
            ? TB_CAUSE_UNKNOWN
            : rows->cause_kind[row];
  guint32 lock = rows->kind[row] == TB_WAIT_LOCK ? tb_trace_get_lock (self->trace, row) : TB_ID_NONE;
  guint32 wait = add_wait (self, rows->thread[row], kinds[cause], rows->cause[row], lock,
                           rows->end[row] - MAX (rows->start[row], self->from));

  self->wait_of_row[row] = wait;
  g_array_index (self->self->origins, TbReplayOrigin, wait).call = get_sleep_call (self, row);
  switch (cause)
    {
    case TB_CAUSE_THREAD:
    case TB_CAUSE_SIGNAL:
      self->self->n_unplaced += !set_signaller (self, wait, rows->cause[row], rows->end[row]);
      break;
    case TB_CAUSE_DEVICE:
      set_request (self, row, wait);
      break;
    case TB_CAUSE_NETWORK:
      self->self->n_outside += !find_sender (self, row, wait);
      break;
    case TB_CAUSE_TIMER:
    case TB_CAUSE_INTERRUPT:
      self->self->n_outside++;
      break;
    default:
      self->self->n_unplaced++;
    }
  forget_others_work (self, row, wait);
}

/* The first interval of a thread that begins within the range, for its creator. */
static void
add_birth (Maker *self, gsize row)
{
  guint32 wakeup = self->rows->wakeup[row];
  guint32 wait;

  if (self->rows->start[row] <= self->from)
    return;
  wait = add_wait (self, self->rows->thread[row], TB_WAIT_NODE_UNKNOWN, TB_ID_NONE, TB_ID_NONE,
                   self->rows->start[row] - self->from);
  self->wait_of_row[row] = wait;
  if (wakeup < self->n_wakeups
      && set_signaller (self, wait, self->waker_of_wakeup[wakeup], self->time_of_wakeup[wakeup]))
    return;
  self->self->n_outside++;
}

/* The intervals of a thread that are in the range; whether there are any. */
static gboolean
find_rows (const Maker *self, guint32 thread, gsize *first, gsize *end)
{
  gsize n, last;

  tb_trace_get_thread_intervals (self->trace, thread, first, &n);
  last = *first + n;
  while (*first < last && self->rows->end[*first] <= self->from)
    (*first)++;
  for (*end = *first; *end < last && self->rows->start[*end] < self->to; (*end)++)
    ;
  return *end > *first;
}

static gboolean
is_sleep (const Maker *self, gsize row)
{
  return self->rows->state[row] >= TB_STATE_INTERRUPTIBLE;
}

/* Whether a sleep goes on beyond what is played. */
static gboolean
is_open (const Maker *self, gsize row, gsize end)
{
  return is_sleep (self, row)
         && (self->rows->end[row] >= self->to
             || (row + 1 == end && self->rows->cause_kind[row] == TB_CAUSE_NONE));
}

static void
add_waits (Maker *self, guint32 thread)
{
  gsize first, end;

  if (!find_rows (self, thread, &first, &end))
    return;
  g_array_append_val (self->self->threads, thread);
  if (!is_sleep (self, first))
    add_birth (self, first);
  for (gsize row = first; row < end && !is_open (self, row, end); row++)
    if (is_sleep (self, row))
      add_sleep (self, row);
}

/* --- steps --- */

static void
add_step (Maker *self, TbReplayKind kind, gint64 value)
{
  tb_replay_program_add_step (self->self->program, kind, value);
  g_array_append_val (self->self->calls, self->call);
}

static void
add_run (Maker *self, gint64 length)
{
  if (length > 0)
    add_step (self, TB_REPLAY_RUN, length);
}

static void
pass_point (Maker *self, const Point *point)
{
  gsize here = self->self->program->kinds->len;

  switch (point->kind)
    {
    case POINT_SPLIT:
      g_array_index (self->self->origins, TbReplayOrigin, point->value).first = here;
      return;
    case POINT_ENTER:
      self->call = point->value;
      return;
    case POINT_EXIT:
      self->call = TB_STRING_NONE;
      return;
    case TB_REPLAY_SIGNAL:
      g_array_index (self->self->origins, TbReplayOrigin, point->value).end = here;
      break;
    default:
      break;
    }
  add_step (self, point->kind, point->value);
}

/* Returns the next point. */
static guint
add_row (Maker *self, gsize row, guint at)
{
  gint64 now = MAX (self->rows->start[row], self->from), end = MIN (self->rows->end[row], self->to);
  gboolean runs = self->rows->state[row] == TB_STATE_RUNNING;
  guint32 wait = self->wait_of_row[row];

  if (wait != TB_REPLAY_NONE && self->call != TB_STRING_NONE)
    g_array_index (self->self->origins, TbReplayOrigin, wait).call = self->call;
  if (wait != TB_REPLAY_NONE && self->own[wait] != TB_REPLAY_NONE)
    add_step (self, TB_REPLAY_REQUEST, self->own[wait]);
  if (wait != TB_REPLAY_NONE)
    add_step (self, TB_REPLAY_WAIT, wait);
  if (self->rows->state[row] == TB_STATE_UNKNOWN)
    add_step (self, TB_REPLAY_WAIT,
              add_wait (self, self->rows->thread[row], TB_WAIT_NODE_UNKNOWN, TB_ID_NONE, TB_ID_NONE,
                        end - now));
  if (self->rows->state[row] == TB_STATE_RUNNABLE)
    {
      gint64 delay = get_free_before (self, end) - get_free_before (self, now);

      if (delay > 0)
        add_step (self, TB_REPLAY_DELAY, delay);
    }
  for (; at < self->points->len && g_array_index (self->points, Point, at).row == row; at++)
    {
      const Point *point = &g_array_index (self->points, Point, at);

      if (runs)
        {
          add_run (self, MIN (point->time, end) - now);
          now = CLAMP (point->time, now, end);
        }
      pass_point (self, point);
    }
  if (runs)
    add_run (self, end - now);
  return at;
}

static void
add_steps (Maker *self, guint32 actor)
{
  TbReplayRecording *of = self->self;
  gsize first, end;
  guint at = 0, high = self->points->len;

  self->call = TB_STRING_NONE;
  tb_replay_program_add_actor (of->program);
  if (!find_rows (self, g_array_index (of->threads, guint32, actor), &first, &end))
    return;
  of->begin[actor] = MAX (self->rows->start[first] - self->from, 0);
  while (at < high)
    {
      guint middle = at + (high - at) / 2;

      if (g_array_index (self->points, Point, middle).row < first)
        at = middle + 1;
      else
        high = middle;
    }
  for (gsize row = first; row < end; row++)
    {
      gint64 last = MIN (self->rows->end[row], self->to);

      at = add_row (self, row, at);
      if (self->rows->state[row] != TB_STATE_RUNNING)
        continue;
      of->last_run[actor] = last - self->from;
      of->running[actor] += last - MAX (self->rows->start[row], self->from);
    }
}

static void
add_moments (Maker *self, const GArray *moments)
{
  self->self->program->n_marks = moments != NULL ? moments->len : 0;
  for (guint i = 0; moments != NULL && i < moments->len; i++)
    {
      const TbReplayMoment *moment = &g_array_index (moments, TbReplayMoment, i);
      gsize run = find_run (self, moment->thread, moment->time);
      gssize row = run != G_MAXSIZE ? (gssize) run
                   : moment->time >= self->from && moment->time < self->to
                       ? tb_trace_find_interval (self->trace, moment->thread, moment->time)
                       : -1;

      if (row >= 0)
        add_point (self, (gsize) row, moment->time, TB_REPLAY_MARK, i);
    }
}

static void
add_requests (Maker *self)
{
  for (guint i = 0; i < self->requests->len; i++)
    {
      Request *request = &g_array_index (self->requests, Request, i);

      if (request->row == G_MAXSIZE)
        {
          self->self->n_lost_requests++;
          continue;
        }
      add_point (self, request->row, request->begin, TB_REPLAY_REQUEST,
                 tb_replay_program_add_request (self->self->program, request->device,
                                                request->complete - request->begin, request->wait));
    }
  for (guint32 i = 0; i < self->self->program->devices->len; i++)
    measure_places (self, i);
}

static gboolean
load_wakeups (Maker *self, GError **error)
{
  TbTable *table = tb_session_get_table (tb_trace_get_session (self->trace), TB_TABLE_WAKEUP);

  self->n_wakeups = tb_table_get_n_rows (table);
  if (self->n_wakeups == 0)
    return TRUE;
  self->wakers = tb_table_get_column (table, TB_WAKEUP_WAKER, error);
  if (self->wakers == NULL)
    return FALSE;
  self->waker_of_wakeup = g_bytes_get_data (self->wakers, NULL);
  self->wakeup_times = tb_table_get_column (table, TB_WAKEUP_TIME, error);
  if (self->wakeup_times == NULL)
    return FALSE;
  self->time_of_wakeup = g_bytes_get_data (self->wakeup_times, NULL);
  return TRUE;
}

static void
maker_init (Maker *self, TbTrace *trace, gint64 from, gint64 to)
{
  TbReplayRecording *of = g_new0 (TbReplayRecording, 1);
  const TbIntervals *rows = tb_trace_get_intervals (trace);

  of->program = tb_replay_program_new (tb_trace_get_n_cpus (trace));
  of->origins = g_array_new (FALSE, FALSE, sizeof (TbReplayOrigin));
  of->calls = g_array_new (FALSE, FALSE, sizeof (guint32));
  of->threads = g_array_new (FALSE, FALSE, sizeof (guint32));
  tb_session_get_devices (tb_trace_get_session (trace), &of->n_devices);
  of->device_of = g_new (guint32, of->n_devices + 1);
  for (guint32 i = 0; i <= of->n_devices; i++)
    of->device_of[i] = TB_REPLAY_NONE;
  *self = (Maker) { .self = of, .trace = trace, .rows = rows, .from = from, .to = to };
  self->wait_of_row = g_new (guint32, rows->n + 1);
  /* A wait for each sleep, and one for each thread's birth, which is no sleep. */
  self->own = g_new (guint32, rows->n + 1);
  for (gsize i = 0; i <= rows->n; i++)
    self->wait_of_row[i] = self->own[i] = TB_REPLAY_NONE;
  self->points = g_array_new (FALSE, FALSE, sizeof (Point));
  self->free = g_array_new (FALSE, FALSE, sizeof (Free));
  self->requests = g_array_new (FALSE, FALSE, sizeof (Request));
  self->spans = g_array_new (FALSE, FALSE, sizeof (Request));
  self->sends = g_array_new (FALSE, FALSE, sizeof (Send));
}

TbReplayRecording *
tb_replay_recording_new (TbTrace *trace,
                         gint64 from,
                         gint64 to,
                         const guint8 *inside,
                         const GArray *moments,
                         GCancellable *cancellable,
                         GError **error)
{
  g_auto (Maker) maker = { 0 };
  TbReplayRecording *self;

  maker_init (&maker, trace, from, to);
  maker.inside = inside;
  tb_session_get_threads (tb_trace_get_session (trace), &maker.n_threads);
  self = maker.self;
  if (!load_wakeups (&maker, error) || !load_sends (&maker, error) || !load_requests (&maker, error)
      || !load_calls (&maker, error))
    return NULL;
  find_free (&maker, self->program->n_cpus);
  for (guint32 i = 1; i < maker.n_threads; i++)
    if (is_inside (&maker, i))
      add_waits (&maker, i);
  if (g_cancellable_set_error_if_cancelled (cancellable, error))
    return NULL;
  add_requests (&maker);
  add_moments (&maker, moments);
  g_array_sort (maker.points, compare_points);
  self->begin = g_new0 (gint64, self->threads->len + 1);
  self->last_run = g_new0 (gint64, self->threads->len + 1);
  self->running = g_new0 (gint64, self->threads->len + 1);
  for (guint32 i = 0; i < self->threads->len; i++)
    add_steps (&maker, i);
  if (g_cancellable_set_error_if_cancelled (cancellable, error))
    return NULL;
  return g_steal_pointer (&maker.self);
}
