/* tb-trace-poll-loops.c: search for poll loops: waits of a thread at one place for the same objects
 * that end by timeout, up to the one that something else ends
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * A program that waits with a timeout and waits again waits once, for what ends the last of its
 * waits. How often the timeout expired depends on the timeout, not on the cause. A wait for the
 * mutex of a condition, at the end of a wait for the condition, is a part of it.
 */

#include "config.h"

#include "trace/tb-trace-cancel-private.h"
#include "trace/tb-trace-poll-loops.h"
#include "trace/tb-trace-relocks-private.h"
#include "trace/tb-trace-stacks-private.h"

struct _TbPollLoops
{
  GArray *loops;        /* TbPollLoop */
  const guint8 *causes; /* TbCauseKind by row */
};

/* Columns of the sleep table that identify what a thread waited for. */
static const TbSleepColumn set_columns[]
    = { TB_SLEEP_KIND, TB_SLEEP_CALL, TB_SLEEP_OBJECT, TB_SLEEP_ADDRESS, TB_SLEEP_OFFSET };

typedef struct
{
  TbTrace *trace; /* NULL: only rows */
  const TbIntervals *rows;
  gint64 run;
  GBytes *columns[TB_SLEEP_N_COLUMNS];
  gsize n_sleeps;
  TbRelocks *relocks; /* NULL: only rows */
  GArray *loops;
} Finder;

static void
finder_clear (Finder *self)
{
  for (guint i = 0; i < TB_SLEEP_N_COLUMNS; i++)
    g_clear_pointer (&self->columns[i], g_bytes_unref);
  g_clear_pointer (&self->loops, g_array_unref);
  g_clear_pointer (&self->relocks, tb_relocks_free);
}

G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC (Finder, finder_clear)

/* A damaged column means that sets are unknown; tb_trace_check() reports it. */
static void
finder_init (Finder *self, TbTrace *trace, const TbIntervals *rows, gint64 run)
{
  self->trace = trace;
  self->rows = rows;
  self->run = run;
  self->loops = g_array_new (FALSE, FALSE, sizeof (TbPollLoop));
  if (trace == NULL)
    return;
  self->relocks = tb_relocks_new (trace);
  self->n_sleeps
      = tb_table_get_n_rows (tb_session_get_table (tb_trace_get_session (trace), TB_TABLE_SLEEP));
  for (guint i = 0; i < G_N_ELEMENTS (set_columns) && self->n_sleeps > 0; i++)
    {
      TbSleepColumn column = set_columns[i];

      self->columns[column] = tb_trace_read_column (trace, TB_TABLE_SLEEP, column);
      if (self->columns[column] == NULL)
        self->n_sleeps = 0;
    }
}

/* Whether a timeout ended the wait. A timer also ends one where the kind of wait is not known. */
static gboolean
is_timed_out (const Finder *self, gsize row)
{
  const TbIntervals *rows = self->rows;

  if (rows->cause_kind[row] != TB_CAUSE_TIMER)
    return FALSE;
  if (self->trace == NULL || tb_trace_is_timed_out (self->trace, row))
    return TRUE;
  return rows->sleep[row] == TB_ID_NONE && rows->state[row] == TB_STATE_INTERRUPTIBLE
         && tb_trace_get_wait_kind (self->trace, row) == TB_WAIT_UNKNOWN;
}

#define VALUE(type, column, row)                                                                   \
  ((const type *) g_bytes_get_data (self->columns[column], NULL))[row]

/* A condition of the C library is waited for on either of two words, one beside the other. */
#define CONDITION_BYTES 8

static gboolean
are_in_one_condition (guint64 a, guint64 b)
{
  return MAX (a, b) - MIN (a, b) < CONDITION_BYTES;
}

static gboolean
are_sleeps_equal (const Finder *self, guint32 a, guint32 b)
{
  guint64 address = VALUE (guint64, TB_SLEEP_ADDRESS, a);
  guint64 other_address = VALUE (guint64, TB_SLEEP_ADDRESS, b);
  guint64 offset = VALUE (guint64, TB_SLEEP_OFFSET, a);
  guint64 other_offset = VALUE (guint64, TB_SLEEP_OFFSET, b);

  if (VALUE (guint8, TB_SLEEP_KIND, a) != VALUE (guint8, TB_SLEEP_KIND, b)
      || VALUE (guint32, TB_SLEEP_CALL, a) != VALUE (guint32, TB_SLEEP_CALL, b)
      || VALUE (guint32, TB_SLEEP_OBJECT, a) != VALUE (guint32, TB_SLEEP_OBJECT, b))
    return FALSE;
  /* The set of descriptors may be unknown, as it is in earlier files. */
  if (VALUE (guint8, TB_SLEEP_KIND, a) == TB_SLEEP_POLL && (address == 0 || other_address == 0))
    return offset == other_offset;
  if (VALUE (guint8, TB_SLEEP_KIND, a) == TB_SLEEP_LOCK)
    return are_in_one_condition (address, other_address)
           && are_in_one_condition (offset, other_offset);
  return address == other_address && offset == other_offset;
}

#undef VALUE

/* Whether a stack without its callers does not identify what was waited for: a thread takes many
 * locks, and waits for many conditions, in the same function of the C library. */
static gboolean
is_place_unknown (const Finder *self, gsize row)
{
  return self->trace != NULL
         && tb_trace_is_broken_stack (tb_trace_peek_stacks (self->trace), self->rows->stack[row])
         && tb_trace_get_wait_kind (self->trace, row) == TB_WAIT_LOCK;
}

/* Whether two waits have the same place and are for the same objects. Where neither stack nor
 * system call was recorded, that is not known. */
static gboolean
is_same_set (const Finder *self, gsize a, gsize b)
{
  const TbIntervals *rows = self->rows;
  gboolean has_sleeps
      = rows->sleep != NULL && rows->sleep[a] < self->n_sleeps && rows->sleep[b] < self->n_sleeps;

  if (rows->stack[a] != rows->stack[b] || (rows->stack[a] == TB_STACK_NONE && !has_sleeps))
    return FALSE;
  return has_sleeps ? are_sleeps_equal (self, rows->sleep[a], rows->sleep[b])
                    : !is_place_unknown (self, a);
}

/* The next wait of the thread, if the thread only ran or was ready to run before it. G_MAXSIZE if
 * there is none. ran: its CPU time until then */
static gsize
find_next_wait (const TbIntervals *rows, gsize row, gint64 *ran)
{
  guint32 thread = rows->thread[row];

  *ran = 0;
  for (row++; row < rows->n && rows->thread[row] == thread; row++)
    {
      if (rows->state[row] >= TB_STATE_INTERRUPTIBLE)
        return row;
      if (rows->state[row] == TB_STATE_UNKNOWN)
        break;
      if (rows->state[row] == TB_STATE_RUNNING)
        *ran += rows->end[row] - rows->start[row];
    }
  return G_MAXSIZE;
}

static gboolean
is_short_run (const Finder *self, gint64 ran, gint64 wait)
{
  return ran > 0 && (ran < self->run || ran <= wait / TB_POLL_SHARE);
}

/* Whether what ended a wait is known. */
static gboolean
is_answered (const TbIntervals *rows, gsize row)
{
  switch ((TbCauseKind) rows->cause_kind[row])
    {
    case TB_CAUSE_THREAD:
    case TB_CAUSE_DEVICE:
    case TB_CAUSE_INTERRUPT:
    case TB_CAUSE_NETWORK:
    case TB_CAUSE_SIGNAL:
      return TRUE;
    default:
      return FALSE;
    }
}

static void
add_wait (Finder *self, TbPollLoop *loop, gsize row)
{
  loop->last = row;
  loop->n_waits++;
  loop->wait_ns += self->rows->end[row] - self->rows->start[row];
}

/* The next wait at the place of a wait that timed out; G_MAXSIZE: none. relock: the wait for the
 * mutex of a condition before it, G_MAXSIZE: none. */
static gsize
find_continuation (Finder *self, gsize row, gsize *relock)
{
  gint64 ran, ran_after, wait = self->rows->end[row] - self->rows->start[row];
  gsize next = find_next_wait (self->rows, row, &ran);

  *relock = G_MAXSIZE;
  if (next != G_MAXSIZE && self->relocks != NULL && tb_relocks_is_relock (self->relocks, row, next))
    {
      *relock = next;
      next = find_next_wait (self->rows, next, &ran_after);
      ran += ran_after;
    }
  return next != G_MAXSIZE && is_short_run (self, ran, wait) && is_same_set (self, row, next)
             ? next
             : G_MAXSIZE;
}

/* Adds the loop that begins with a wait that timed out, if it was answered. Returns the last row
 * that was examined, which the next loop may begin with. */
static gsize
add_loop (Finder *self, gsize first)
{
  const TbIntervals *rows = self->rows;
  TbPollLoop loop = {
    .first = first, .last = first, .n_waits = 1, .wait_ns = rows->end[first] - rows->start[first]
  };

  while (is_timed_out (self, loop.last) && !tb_trace_is_cancelled_at (loop.n_waits))
    {
      gsize relock, next = find_continuation (self, loop.last, &relock);

      if (next == G_MAXSIZE
          && (relock == G_MAXSIZE || !tb_relocks_is_answer (self->relocks, loop.last, relock)))
        return loop.last;
      if (relock != G_MAXSIZE)
        add_wait (self, &loop, relock);
      if (next == G_MAXSIZE)
        break;
      add_wait (self, &loop, next);
    }
  if (is_answered (rows, loop.last))
    g_array_append_val (self->loops, loop);
  return loop.last;
}

static TbPollLoops *
find_loops (Finder *self)
{
  TbPollLoops *found = g_new0 (TbPollLoops, 1);

  for (gsize row = 0; row < self->rows->n && !tb_trace_is_cancelled_at (row); row++)
    if (G_UNLIKELY (self->rows->cause_kind[row] == TB_CAUSE_TIMER)
        && self->rows->state[row] >= TB_STATE_INTERRUPTIBLE && is_timed_out (self, row))
      row = add_loop (self, row);
  found->loops = g_steal_pointer (&self->loops);
  found->causes = self->rows->cause_kind;
  return found;
}

/**
 * tb_poll_loops_new: (skip)
 * @trace: a trace
 * @run: CPU time between two waits below which they are not parted, ns; usually %TB_POLL_RUN
 * @cancellable: (nullable): a cancellable, after which the result is incomplete
 *
 * Finds the poll loops of all threads. Loops that nothing but timeouts ended are left out: nothing
 * shows what they waited for. Linear in the number of intervals.
 *
 * Returns: (transfer full): the loops, valid as long as @trace
 */
TbPollLoops *
tb_poll_loops_new (TbTrace *trace, gint64 run, GCancellable *cancellable)
{
  g_auto (Finder) finder = { 0 };
  TbPollLoops *found;

  g_return_val_if_fail (TB_IS_TRACE (trace), NULL);

  if (cancellable != NULL)
    g_cancellable_push_current (cancellable);
  finder_init (&finder, trace, tb_trace_get_intervals (trace), run);
  found = find_loops (&finder);
  if (cancellable != NULL)
    g_cancellable_pop_current (cancellable);
  return found;
}

/**
 * tb_poll_loops_new_from_rows: (skip)
 * @rows: intervals
 * @run: CPU time between two waits below which they are not parted, ns
 *
 * Finds poll loops by intervals alone: their stacks identify the place, and every wait that a timer
 * ended counts as timed out.
 *
 * Returns: (transfer full): the loops, valid as long as @rows
 */
TbPollLoops *
tb_poll_loops_new_from_rows (const TbIntervals *rows, gint64 run)
{
  g_auto (Finder) finder = { 0 };

  finder_init (&finder, NULL, rows, run);
  return find_loops (&finder);
}

/**
 * tb_poll_loops_free:
 * @self: poll loops
 *
 * Frees the poll loops.
 */
void
tb_poll_loops_free (TbPollLoops *self)
{
  g_array_unref (self->loops);
  g_free (self);
}

/**
 * tb_poll_loops_list: (skip)
 * @self: poll loops
 * @n: (out): their number
 *
 * Gets the poll loops.
 *
 * Returns: (array length=n) (transfer none): the loops, in order of their rows
 */
const TbPollLoop *
tb_poll_loops_list (const TbPollLoops *self, guint *n)
{
  *n = self->loops->len;
  return (const TbPollLoop *) (gpointer) self->loops->data;
}

/**
 * tb_poll_loops_get_last:
 * @self: poll loops
 * @row: row of a wait
 *
 * Gets the wait that shows what a wait was for.
 *
 * Returns: the row of the last wait of its poll loop; @row if it is in none, or if it did not time
 *   out
 */
gsize
tb_poll_loops_get_last (const TbPollLoops *self, gsize row)
{
  const TbPollLoop *loops = (const TbPollLoop *) (gpointer) self->loops->data;
  guint low = 0, high = self->loops->len;

  while (low < high)
    {
      guint middle = low + (high - low) / 2;

      if (loops[middle].last < row)
        low = middle + 1;
      else
        high = middle;
    }
  return low < self->loops->len && loops[low].first <= row && self->causes[row] == TB_CAUSE_TIMER
             ? loops[low].last
             : row;
}
