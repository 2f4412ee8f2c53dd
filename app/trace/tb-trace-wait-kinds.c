/* tb-trace-wait-kinds.c: kind of wait of a sleep, and whether it timed out: as recorded, else by
 * the functions in the stacks of the sleep and of its wake-up
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#include "config.h"

#include <string.h>

#include "trace/tb-trace-locks-private.h"
#include "trace/tb-trace-cancel-private.h"
#include "trace/tb-trace-private.h"
#include "trace/tb-trace-stacks-private.h"
#include "trace/tb-trace-wait-functions-private.h"

/* By stack: its kind, and whether it delivers the expiry of a timer as an event or a signal. */
#define KIND_MASK 0x3f
#define DELIVERS_EXPIRY 0x40
#define NOT_SOUGHT 0xff

G_STATIC_ASSERT (TB_N_WAITS <= KIND_MASK);

/* Adds what a function shows; the innermost of the inlined functions decides. */
static guint8
add_function (guint8 kind, const char *function, gboolean kernel)
{
  if ((kind & KIND_MASK) == TB_WAIT_UNKNOWN)
    kind |= tb_wait_kind_from_function (function, kernel);
  if (kernel && tb_wait_function_delivers_expiry (function))
    kind |= DELIVERS_EXPIRY;
  return kind;
}

static guint8
find_frame_kind (TbTrace *self, const TbStackColumns *stacks, guint32 frame, gboolean kernel)
{
  g_auto (GStrv) functions = NULL;
  guint8 kind = TB_WAIT_UNKNOWN;
  TbFrameName own;
  guint n;
  const TbFrameName *names = tb_trace_peek_names (self, stacks, frame, &own, &n);

  if (names != NULL && names != &own)
    {
      for (guint i = 0; i < n; i++)
        kind = add_function (kind, names[i].function, kernel);
      return kind;
    }
  functions = tb_trace_name_frame (self, stacks, frame);
  for (guint i = g_strv_length (functions); i > 0; i--)
    kind = add_function (kind, functions[i - 1], kernel);
  return kind;
}

/* The mutex must be held. */
static guint8
get_frame_kind (TbTrace *self, const TbStackColumns *stacks, guint32 stack)
{
  gboolean kernel = (stacks->flags[stack] & TB_STACK_KERNEL) != 0;
  guint32 frame = stacks->frame[stack];
  guint8 *kind;

  if (frame >= stacks->n_frames)
    return TB_WAIT_UNKNOWN;
  kind = &self->frame_wait_kinds[(gsize) frame * 2 + kernel];
  if (*kind == NOT_SOUGHT)
    *kind = find_frame_kind (self, stacks, frame, kernel);
  return *kind;
}

/* The kind of a stack by that of its parent: that of its innermost frame with a kind. A disk read
 * for a page fault is a page fault. */
static guint8
join_kinds (guint8 frame_kind, guint8 parent_kind)
{
  guint8 kind = frame_kind & KIND_MASK, parent = parent_kind & KIND_MASK;

  if (kind == TB_WAIT_UNKNOWN || (kind == TB_WAIT_BLOCK_IO && parent == TB_WAIT_PAGE_FAULT))
    kind = parent;
  return kind | ((frame_kind | parent_kind) & DELIVERS_EXPIRY);
}

/* Finds the kinds of a stack and of its callers, as far as they are not known yet. A parent
 * precedes its children. Most stacks are of samples, whose kinds are not needed. The mutex must be
 * held. */
static void
find_stack_kinds (TbTrace *self, const TbStackColumns *stacks, guint32 stack)
{
  guint8 *kinds = self->wait_kinds;
  g_autoptr (GArray) path = g_array_new (FALSE, FALSE, sizeof (guint32));

  for (; kinds[stack] == NOT_SOUGHT; stack = stacks->parent[stack])
    {
      g_array_append_val (path, stack);
      if (stacks->parent[stack] >= stack)
        break;
    }
  for (guint i = path->len; i > 0; i--)
    {
      guint32 child = g_array_index (path, guint32, i - 1);
      guint32 parent = stacks->parent[child];

      kinds[child]
          = join_kinds (get_frame_kind (self, stacks, child), parent < child ? kinds[parent] : 0);
    }
}

/* Forgets all kinds: names of functions may have been found since. The mutex must be held. */
static void
begin_kinds (TbTrace *self, const TbStackColumns *stacks, guint generation)
{
  g_free (self->wait_kinds);
  g_free (self->frame_wait_kinds);
  self->wait_kinds = g_malloc (stacks->n_stacks);
  self->frame_wait_kinds = g_malloc (MAX ((gsize) stacks->n_frames * 2, 1));
  memset (self->wait_kinds, NOT_SOUGHT, stacks->n_stacks);
  memset (self->frame_wait_kinds, NOT_SOUGHT, (gsize) stacks->n_frames * 2);
  self->wait_kinds[TB_STACK_NONE] = TB_WAIT_UNKNOWN;
  self->wait_kinds_generation = generation;
}

/* The entry of a stack, 0 if it cannot be read. */
static guint8
get_stack_kind (TbTrace *self, guint32 stack)
{
  const TbStackColumns *stacks = tb_trace_peek_stacks (self);
  guint generation = tb_session_get_symbols_generation (self->session);
  guint8 kind;

  if (stack >= stacks->n_stacks)
    return 0;
  g_mutex_lock (&self->mutex);
  if (self->wait_kinds == NULL || self->wait_kinds_generation != generation)
    begin_kinds (self, stacks, generation);
  if (self->wait_kinds[stack] == NOT_SOUGHT)
    find_stack_kinds (self, stacks, stack);
  kind = self->wait_kinds[stack];
  g_mutex_unlock (&self->mutex);
  return kind;
}

/**
 * tb_trace_get_wait_kind:
 * @self: a trace
 * @interval: row of a sleep
 *
 * Gets the kind of wait of a sleep: from its system call or requests if they were recorded, else
 * from the functions of its stack, as far as their names are known at present.
 *
 * Returns: the kind of wait, %TB_WAIT_UNKNOWN for intervals that are not sleeps
 */
TbWaitKind
tb_trace_get_wait_kind (TbTrace *self, gsize interval)
{
  TbWaitKind kind, by_stack;
  guint32 stack;

  g_return_val_if_fail (TB_IS_TRACE (self), TB_WAIT_UNKNOWN);
  g_return_val_if_fail (interval < self->intervals.n, TB_WAIT_UNKNOWN);

  kind = self->intervals.kind[interval];
  stack = self->intervals.stack[interval];
  if (self->intervals.state[interval] < TB_STATE_INTERRUPTIBLE || stack == TB_STACK_NONE
      || (kind != TB_WAIT_UNKNOWN && kind != TB_WAIT_WORK))
    return kind;
  by_stack = get_stack_kind (self, stack) & KIND_MASK;
  return by_stack != TB_WAIT_UNKNOWN ? by_stack : kind;
}

/* The stack of a wake-up, TB_STACK_NONE if it has none. */
static guint32
get_wakeup_stack (TbTrace *self, guint32 wakeup)
{
  const guint32 *stacks = NULL;
  gsize size = 0;

  g_mutex_lock (&self->mutex);
  if (self->wakeup_stacks == NULL)
    {
      self->wakeup_stacks = tb_trace_read_column (self, TB_TABLE_WAKEUP, TB_WAKEUP_STACK);
      /* A damaged column is reported by tb_trace_check(); a cancelled read is repeated. */
      if (self->wakeup_stacks == NULL && !tb_trace_is_cancelled ())
        self->wakeup_stacks = g_bytes_new (NULL, 0);
    }
  if (self->wakeup_stacks != NULL)
    stacks = g_bytes_get_data (self->wakeup_stacks, &size);
  g_mutex_unlock (&self->mutex);
  return wakeup < size / sizeof *stacks ? stacks[wakeup] : TB_STACK_NONE;
}

/**
 * tb_trace_get_wait_call:
 * @self: a trace
 * @interval: a sleep
 *
 * Gets the system call in which a thread slept, if the kernel side recorded it with the switch.
 *
 * Returns: (transfer none) (nullable): the system call in which the thread slept, such as
 *   "clock_nanosleep", as the kernel reported it; %NULL if it did not
 */
const char *
tb_trace_get_wait_call (TbTrace *self, gsize interval)
{
  g_return_val_if_fail (TB_IS_TRACE (self), NULL);
  g_return_val_if_fail (interval < self->intervals.n, NULL);

  return tb_trace_peek_sleep_call (self, interval);
}

/**
 * tb_trace_is_timed_out:
 * @self: a trace
 * @interval: row of a sleep
 *
 * Checks whether a wait ended because its timeout expired: as recorded, or, if neither the timeout
 * nor the object of the wait was recorded, because a timer ended a wait for something else than
 * time. A timer may also end it by a signal or by a file that the thread polls; the stack of the
 * wake-up shows that, if it was recorded.
 *
 * Returns: whether the wait timed out; %FALSE for deliberate sleeps and if it is not known
 */
gboolean
tb_trace_is_timed_out (TbTrace *self, gsize interval)
{
  const TbIntervals *rows;
  guint32 stack;

  g_return_val_if_fail (TB_IS_TRACE (self), FALSE);
  g_return_val_if_fail (interval < self->intervals.n, FALSE);

  rows = &self->intervals;
  if ((rows->flags[interval] & TB_INTERVAL_TIMED_OUT) != 0)
    return TRUE;
  if (rows->cause_kind[interval] != TB_CAUSE_TIMER || rows->sleep[interval] != TB_ID_NONE
      || rows->state[interval] != TB_STATE_INTERRUPTIBLE)
    return FALSE;
  switch (tb_trace_get_wait_kind (self, interval))
    {
    case TB_WAIT_LOCK:
    case TB_WAIT_SOCKET:
    case TB_WAIT_POLL:
    case TB_WAIT_SIGNAL:
      break;
    default:
      return FALSE;
    }
  stack = get_wakeup_stack (self, rows->wakeup[interval]);
  return stack == TB_STACK_NONE || (get_stack_kind (self, stack) & DELIVERS_EXPIRY) == 0;
}

/**
 * tb_trace_has_sleep_records:
 * @self: a trace
 *
 * Checks whether what threads slept in was recorded with their switches, whatever it was. The sets
 * of descriptors that some threads wait for follow from system calls, too: records of them alone do
 * not count.
 *
 * Returns: whether there are records of sleeps of any kind
 */
gboolean
tb_trace_has_sleep_records (TbTrace *self)
{
  g_return_val_if_fail (TB_IS_TRACE (self), FALSE);

  return tb_table_get_n_rows (tb_session_get_table (self->session, TB_TABLE_SLEEP)) > 0
         && g_strcmp0 (tb_session_get_fact (self->session, TB_FACT_SLEEPS), "epoll") != 0;
}
