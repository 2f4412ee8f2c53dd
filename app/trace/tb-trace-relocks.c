/* tb-trace-relocks.c: waits for the mutex of a condition variable at the end of a wait for that
 * condition
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * A call that waits for a condition returns with the mutex of the condition. If its timeout expires
 * while another thread has that mutex to signal the condition, the call waits a second time, for
 * the mutex. Both are one wait for the condition.
 */

#include "config.h"

#include "trace/tb-trace-cancel-private.h"
#include "trace/tb-trace-lock-uses.h"
#include "trace/tb-trace-relocks-private.h"
#include "trace/tb-trace-stacks-private.h"

/* Value for a stack without a function that waits for a condition. */
#define NO_CONDITION 1u

struct _TbRelocks
{
  TbTrace *trace;
  const TbIntervals *rows;
  GHashTable *callers;   /* stack → NO_CONDITION, or 2 + the stack of the condition's caller */
  GHashTable *signalled; /* lock and thread that ended a wait for it; NULL: not sought yet */
};

TbRelocks *
tb_relocks_new (TbTrace *trace)
{
  TbRelocks *self = g_new0 (TbRelocks, 1);

  self->trace = trace;
  self->rows = tb_trace_get_intervals (trace);
  self->callers = g_hash_table_new (NULL, NULL);
  return self;
}

void
tb_relocks_free (TbRelocks *self)
{
  g_hash_table_unref (self->callers);
  g_clear_pointer (&self->signalled, g_hash_table_unref);
  g_free (self);
}

/* --- the same call --- */

static gboolean
is_condition (TbRelocks *self, const TbStackColumns *stacks, guint32 stack)
{
  TbFrameName own;
  guint n_names;
  const TbFrameName *names
      = tb_trace_peek_names (self->trace, stacks, stacks->frame[stack], &own, &n_names);

  for (guint i = 0; names != NULL && i < n_names; i++)
    if (tb_lock_use_from_function (names[i].function) == TB_LOCK_USE_CONDITION)
      return TRUE;
  return FALSE;
}

/* The innermost function that waits for a condition may be entered from two places of one call, so
 * that its caller identifies the call. */
static guint
find_caller (TbRelocks *self, guint32 stack)
{
  const TbStackColumns *stacks = tb_trace_peek_stacks (self->trace);

  for (; stack != TB_STACK_NONE && stack < stacks->n_stacks; stack = stacks->parent[stack])
    if (is_condition (self, stacks, stack))
      return stacks->parent[stack] + 2;
  return NO_CONDITION;
}

static guint
get_caller (TbRelocks *self, guint32 stack)
{
  guint caller = GPOINTER_TO_UINT (g_hash_table_lookup (self->callers, GUINT_TO_POINTER (stack)));

  if (caller == 0)
    {
      caller = find_caller (self, stack);
      g_hash_table_insert (self->callers, GUINT_TO_POINTER (stack), GUINT_TO_POINTER (caller));
    }
  return caller;
}

gboolean
tb_relocks_is_relock (TbRelocks *self, gsize wait, gsize next)
{
  const guint32 *stacks = self->rows->stack;
  guint caller;

  if (stacks[wait] == stacks[next] || tb_trace_get_wait_kind (self->trace, wait) != TB_WAIT_LOCK
      || tb_trace_get_wait_kind (self->trace, next) != TB_WAIT_LOCK)
    return FALSE;
  caller = get_caller (self, stacks[wait]);
  return caller != NO_CONDITION && caller == get_caller (self, stacks[next]);
}

/* --- threads that signal --- */

static gint64
make_key (guint32 lock, guint32 thread)
{
  return (gint64) ((guint64) lock << 32 | thread);
}

static void
find_signalled (TbRelocks *self)
{
  const TbIntervals *rows = self->rows;

  self->signalled = g_hash_table_new_full (g_int64_hash, g_int64_equal, g_free, NULL);
  for (gsize row = 0; row < rows->n && !tb_trace_is_cancelled_at (row); row++)
    {
      guint32 lock;
      gint64 key;

      if (rows->state[row] != TB_STATE_INTERRUPTIBLE || rows->cause_kind[row] != TB_CAUSE_THREAD)
        continue;
      lock = tb_trace_get_lock (self->trace, row);
      key = make_key (lock, rows->cause[row]);
      if (lock != TB_ID_NONE && !g_hash_table_contains (self->signalled, &key))
        g_hash_table_add (self->signalled, g_memdup2 (&key, sizeof key));
    }
}

gboolean
tb_relocks_is_answer (TbRelocks *self, gsize wait, gsize relock)
{
  guint32 lock = tb_trace_get_lock (self->trace, wait);
  gint64 key;

  if (lock == TB_ID_NONE || self->rows->cause_kind[relock] != TB_CAUSE_THREAD)
    return FALSE;
  if (self->signalled == NULL)
    find_signalled (self);
  key = make_key (lock, self->rows->cause[relock]);
  return g_hash_table_contains (self->signalled, &key);
}
