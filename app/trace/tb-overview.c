/* tb-overview.c: overview of the states of every thread, summed in steps of time, small enough to
 * show a timeline before the intervals are loaded: built from the intervals of a trace, and loaded
 * from its session (tb-trace-stored stores it)
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * The recording is divided into steps. If a thread changes state within a step, each of its states
 * gets one row with the total time of that state in the step. The rows are in the order in which
 * the states first occurred; adjacent rows of one state are merged. So every sum over whole steps
 * is exact, and there are never more rows than intervals.
 */

#include "config.h"

#include <string.h>

#include "trace/tb-overview-private.h"
#include "trace/tb-thread-traits-private.h"
#include "trace/tb-trace-cancel-private.h"

G_STATIC_ASSERT (TB_OVERVIEW_N_STATES == TB_OVERVIEW_NETWORK + 1);

G_STATIC_ASSERT (TB_OVERVIEW_N_COLUMNS == TB_OVERVIEW_STATE + 1);

/* The number of steps is at most the width of a wide screen in pixels; fewer if many threads would
 * make the table large. */
#define MAX_STEPS 1024
#define MIN_STEPS 64
#define MAX_CELLS (1 << 18)

typedef struct
{
  GArray *start;
  GArray *end;
  GArray *thread;
  GByteArray *state;
} Rows;

/* The partial sums of one step of a thread. */
typedef struct
{
  gint64 start;
  gint64 ns[TB_OVERVIEW_N_STATES];
  guint8 order[TB_OVERVIEW_N_STATES]; /* order in which the states first occurred */
  guint n;
} Step;

gint64
tb_overview_get_step (gint64 from, gint64 to, guint n_threads)
{
  gint64 n_steps = CLAMP (MAX_CELLS / (gint64) MAX (n_threads, 1), MIN_STEPS, MAX_STEPS);

  return MAX ((to - from + n_steps - 1) / n_steps, 1);
}

TbOverviewState
tb_overview_classify (const TbIntervals *intervals,
                      gsize row,
                      const TbDevice *devices,
                      guint n_devices)
{
  TbState state = intervals->state[row];

  if (state != TB_STATE_INTERRUPTIBLE && state != TB_STATE_UNINTERRUPTIBLE)
    return (TbOverviewState) state;
  if (intervals->cause_kind[row] == TB_CAUSE_DEVICE)
    {
      guint32 device = intervals->cause[row];

      return device < n_devices && g_str_has_prefix (devices[device].kind, "net")
                 ? TB_OVERVIEW_NETWORK
                 : TB_OVERVIEW_DISK;
    }
  if (intervals->kind[row] == TB_WAIT_BLOCK_IO)
    return TB_OVERVIEW_DISK;
  return intervals->cause_kind[row] == TB_CAUSE_NETWORK ? TB_OVERVIEW_NETWORK
                                                        : (TbOverviewState) state;
}

static void
add_row (Rows *rows, guint32 thread, guint8 state, gint64 start, gint64 end)
{
  guint n = rows->state->len;

  if (n > 0 && rows->state->data[n - 1] == state
      && g_array_index (rows->thread, guint32, n - 1) == thread
      && g_array_index (rows->end, gint64, n - 1) == start)
    {
      g_array_index (rows->end, gint64, n - 1) = end;
      return;
    }
  g_array_append_val (rows->start, start);
  g_array_append_val (rows->end, end);
  g_array_append_val (rows->thread, thread);
  g_byte_array_append (rows->state, &state, 1);
}

static void
finish_step (Rows *rows, guint32 thread, Step *step)
{
  gint64 at = step->start;

  for (guint i = 0; i < step->n; i++)
    {
      guint8 state = step->order[i];

      add_row (rows, thread, state, at, at + step->ns[state]);
      at += step->ns[state];
      step->ns[state] = 0;
    }
  step->start = at;
  step->n = 0;
}

static void
add_to_step (Step *step, guint8 state, gint64 ns)
{
  if (step->ns[state] == 0)
    step->order[step->n++] = state;
  step->ns[state] += ns;
}

static void
add_thread (Rows *rows,
            const TbIntervals *intervals,
            gsize first,
            gsize end,
            gint64 from,
            gint64 length,
            const TbDevice *devices,
            guint n_devices)
{
  guint32 thread = intervals->thread[first];
  Step step = { .start = intervals->start[first] };
  /* end of the step in which the next interval begins */
  gint64 border = from + (MAX (step.start - from, 0) / length + 1) * length;

  for (gsize row = first; row < end; row++)
    {
      guint8 state = tb_overview_classify (intervals, row, devices, n_devices);
      gint64 at = intervals->start[row], until = intervals->end[row];

      if (until >= border)
        {
          gint64 last = border + (until - border) / length * length;

          add_to_step (&step, state, border - at);
          finish_step (rows, thread, &step);
          if (last > border)
            add_row (rows, thread, state, border, last);
          step.start = at = last;
          border = last + length;
        }
      if (until > at)
        add_to_step (&step, state, until - at);
    }
  finish_step (rows, thread, &step);
}

static gsize
find_end (const TbIntervals *intervals, gsize first)
{
  gsize end = first + 1;

  while (end < intervals->n && intervals->thread[end] == intervals->thread[first])
    end++;
  return end;
}

/* Threads that only slept are left out, as they would fill the overview with empty tracks. */
static gboolean
is_active (const TbIntervals *intervals, gsize first, gsize end)
{
  return end - first > 1 || intervals->state[first] == TB_STATE_RUNNING
         || intervals->state[first] == TB_STATE_RUNNABLE;
}

static GBytes *
take_array (GArray *array, gsize size)
{
  gsize n = array->len;

  return g_bytes_new_take (g_array_free (array, FALSE), n * size);
}

gsize
tb_overview_build (const TbIntervals *intervals,
                   gint64 from,
                   gint64 to,
                   const TbDevice *devices,
                   guint n_devices,
                   GBytes *columns[TB_OVERVIEW_N_COLUMNS])
{
  Rows rows = {
    .start = g_array_new (FALSE, FALSE, sizeof (gint64)),
    .end = g_array_new (FALSE, FALSE, sizeof (gint64)),
    .thread = g_array_new (FALSE, FALSE, sizeof (guint32)),
    .state = g_byte_array_new (),
  };
  guint n_threads = 0;
  gint64 length;
  gsize n;

  for (gsize first = 0, end; first < intervals->n; first = end)
    {
      end = find_end (intervals, first);
      n_threads += is_active (intervals, first, end);
    }
  length = tb_overview_get_step (from, to, n_threads);
  for (gsize first = 0, end; first < intervals->n; first = end)
    {
      end = find_end (intervals, first);
      if (tb_trace_is_cancelled ())
        break;
      if (is_active (intervals, first, end))
        add_thread (&rows, intervals, first, end, from, length, devices, n_devices);
    }

  n = rows.state->len;
  columns[TB_OVERVIEW_START] = take_array (rows.start, sizeof (gint64));
  columns[TB_OVERVIEW_END] = take_array (rows.end, sizeof (gint64));
  columns[TB_OVERVIEW_THREAD] = take_array (rows.thread, sizeof (guint32));
  columns[TB_OVERVIEW_STATE] = g_byte_array_free_to_bytes (rows.state);
  return n;
}

/* Sums up the rows of each thread. FALSE if the rows are inconsistent: the file is not trusted. */
static gboolean
list_threads (TbOverview *self, gsize n, const guint8 *traits)
{
  const gint64 *start = g_bytes_get_data (self->columns[TB_OVERVIEW_START], NULL);
  const gint64 *end = g_bytes_get_data (self->columns[TB_OVERVIEW_END], NULL);
  const guint32 *thread = g_bytes_get_data (self->columns[TB_OVERVIEW_THREAD], NULL);
  const guint8 *state = g_bytes_get_data (self->columns[TB_OVERVIEW_STATE], NULL);
  g_autoptr (GArray) threads = g_array_new (FALSE, TRUE, sizeof (TbOverviewThread));

  for (gsize i = 0; i < n; i++)
    {
      TbOverviewThread *of;

      if (start[i] < self->from || end[i] <= start[i] || end[i] > self->to)
        return FALSE;
      if (i == 0 || thread[i] != thread[i - 1])
        {
          TbOverviewThread next = { .thread = thread[i], .first = i };

          next.is_kernel = (traits[thread[i]] & TB_THREAD_KERNEL) != 0;
          g_array_append_val (threads, next);
        }
      else if (start[i] != end[i - 1])
        return FALSE;
      of = &g_array_index (threads, TbOverviewThread, threads->len - 1);
      of->n++;
      of->ns[state[i]] += end[i] - start[i];
    }
  self->n_threads = threads->len;
  self->threads = (TbOverviewThread *) g_array_free (g_steal_pointer (&threads), FALSE);
  self->step = tb_overview_get_step (self->from, self->to, self->n_threads);
  return TRUE;
}

/**
 * tb_overview_load: (skip)
 * @session: a session
 *
 * Loads the overview that a trace stored in the session. It is small however long the recording is,
 * so that a timeline can be shown before the intervals are loaded.
 *
 * Returns: (transfer full) (nullable): the overview; %NULL if the session has no stored trace, one
 *   of another version, or a damaged overview: [ctor@Tailback.Trace.new] then creates it
 */
TbOverview *
tb_overview_load (TbSession *session)
{
  g_autoptr (TbOverview) self = NULL;
  g_autofree guint8 *traits = NULL;
  TbTable *table;
  gsize n;

  g_return_val_if_fail (TB_IS_SESSION (session), NULL);

  table = tb_session_get_table (session, TB_TABLE_OVERVIEW);
  n = tb_table_get_n_rows (table);
  if (n == 0 || tb_table_get_n_rows (tb_session_get_table (session, TB_TABLE_INTERVAL)) == 0)
    return NULL;
  self = g_new0 (TbOverview, 1);
  for (guint i = 0; i < TB_OVERVIEW_N_COLUMNS; i++)
    {
      self->columns[i] = tb_table_get_column (table, i, NULL);
      if (self->columns[i] == NULL)
        return NULL;
    }
  tb_session_get_range (session, &self->from, &self->to);
  traits = tb_session_find_thread_traits (session);
  return list_threads (self, n, traits) ? g_steal_pointer (&self) : NULL;
}

/**
 * tb_overview_free: (skip)
 * @self: (transfer full) (nullable): an overview
 *
 * Frees it.
 */
void
tb_overview_free (TbOverview *self)
{
  if (self == NULL)
    return;
  for (guint i = 0; i < TB_OVERVIEW_N_COLUMNS; i++)
    g_clear_pointer (&self->columns[i], g_bytes_unref);
  g_free (self->threads);
  g_free (self);
}
