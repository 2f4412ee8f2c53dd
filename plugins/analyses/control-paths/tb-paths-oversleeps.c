/* tb-paths-oversleeps.c: search for waits of the base path that timed out although the awaited work
 * was over: a thread that the waiter created, or one that it woke for work, had finished; function
 * of such a wait
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The paper's curl case: a worker thread does its work and ends, but does not wake the thread that
 * polls for the result. The polling thread notices only when its time-out expires.
 *
 * A wait is such an oversleep under two conditions. First, another thread that the waiting thread
 * created or gave work to finished that work during the wait, and this is the first time-out after
 * that end. Second, the thread waits at that place only while work that it started is in progress.
 * A thread that waits there at other times as well waits for the time itself, whatever ends
 * meanwhile.
 */

#include "config.h"

#include "tb-paths-oversleeps.h"

/* Least time (ns) from the end of the work to the time-out. A shorter one is not counted as a
 * delay. */
#define MIN_OVERSLEPT 50000

/* Limit for the pieces of work in progress that are examined when one ends. */
#define MAX_OPEN_WORK 256

/* Work that one thread had another one do. */
typedef struct
{
  guint32 starter;
  guint32 worker;
  gint64 start;
  gint64 end;
} Work;

static int
compare_work (gconstpointer a, gconstpointer b)
{
  const Work *one = a, *two = b;

  if (one->starter != two->starter)
    return one->starter < two->starter ? -1 : 1;
  return one->end < two->end ? -1 : one->end > two->end;
}

/* Threads as work: the thread that created each, and when it ended. */
static GArray *
find_work (TbPaths *paths)
{
  const TbPathsModel *model = paths->model;
  GArray *all = g_array_new (FALSE, FALSE, sizeof (Work));

  for (guint32 i = 1; i < model->n_threads; i++)
    {
      guint32 end = model->first_row[i + 1];
      Work work = { model->creator[i], i, model->fork_time[i], G_MAXINT64 };

      if (work.starter == TB_ID_NONE || end == model->first_row[i])
        continue;
      if (!(model->rows->flags[end - 1] & TB_INTERVAL_OPEN_END))
        work.end = model->rows->end[end - 1];
      g_array_append_val (all, work);
    }
  g_array_sort (all, compare_work);
  return all;
}

static gpointer
make_pair (guint32 waker, guint32 wakee)
{
  return GSIZE_TO_POINTER ((gsize) waker << 32 | wakee);
}

/* Pairs of threads of one process of which one woke the other. */
static GHashTable *
find_wakers (TbPaths *paths)
{
  const TbIntervals *rows = paths->model->rows;
  GHashTable *pairs = g_hash_table_new (NULL, NULL);

  for (gsize row = 0; row < rows->n; row++)
    if (rows->cause_kind[row] == TB_CAUSE_THREAD && rows->cause[row] < paths->model->n_threads
        && paths->events->process_of[rows->cause[row]]
               == paths->events->process_of[rows->thread[row]])
      g_hash_table_add (pairs, make_pair (rows->cause[row], rows->thread[row]));
  return pairs;
}

/* Adds the work of threads that existed before the recording, whose creator is not recorded. Such a
 * thread was woken by a thread of its process, ran and slept again, and never woke that thread. */
static void
add_pool_work (TbPaths *paths, GArray *all)
{
  const TbPathsModel *model = paths->model;
  const TbIntervals *rows = model->rows;
  g_autoptr (GHashTable) wakers = find_wakers (paths);

  for (gsize row = 0; row < rows->n; row++)
    {
      Work work = { .starter = rows->cause[row], .worker = rows->thread[row] };
      guint32 end = model->first_row[work.worker + 1];
      guint32 run;

      if (rows->cause_kind[row] != TB_CAUSE_THREAD || rows->wakeup[row] >= model->n_wakeups
          || model->creator[work.worker] != TB_ID_NONE
          || !g_hash_table_contains (wakers, make_pair (work.starter, work.worker))
          || g_hash_table_contains (wakers, make_pair (work.worker, work.starter)))
        continue;
      run = tb_paths_model_get_sleep_end (model, row) + 1;
      if (run + 1 >= end || !tb_paths_is_run (model, run)
          || rows->state[run + 1] < TB_STATE_INTERRUPTIBLE)
        continue;
      work.start = model->wake_time[rows->wakeup[row]];
      work.end = rows->end[run];
      g_array_append_val (all, work);
    }
  g_array_sort (all, compare_work);
}

/* The last work of the starter that ended during its wait from…to, or since its last check, which
 * was in the run before the wait. */
static const Work *
find_last_finished (GArray *all, guint32 starter, gint64 since, gint64 from, gint64 to)
{
  guint low = 0, high = all->len;
  const Work *found;

  while (low < high)
    {
      guint middle = low + (high - low) / 2;
      const Work *work = &g_array_index (all, Work, middle);

      if (work->starter < starter || (work->starter == starter && work->end < to))
        low = middle + 1;
      else
        high = middle;
    }
  if (low == 0)
    return NULL;
  found = &g_array_index (all, Work, low - 1);
  if (found->starter != starter || found->end <= since || found->start >= found->end
      || found->start > from)
    return NULL;
  /* The starter may wait for other work that it started and that is still in progress. */
  for (guint i = low; i < all->len && i < low + MAX_OPEN_WORK; i++)
    {
      const Work *open = &g_array_index (all, Work, i);

      if (open->starter != starter)
        break;
      if (open->start <= from && open->worker != found->worker)
        return NULL;
    }
  return found;
}

/* Whether the wait timed out and was not a deliberate sleep. */
static gboolean
has_timed_out (TbPaths *paths, guint32 row)
{
  const TbIntervals *rows = paths->model->rows;
  TbWaitKind kind;

  if (rows->state[row] < TB_STATE_INTERRUPTIBLE || rows->cause_kind[row] != TB_CAUSE_TIMER)
    return FALSE;
  kind = tb_trace_get_wait_kind (paths->trace, row);
  return kind != TB_WAIT_BLOCK_IO && kind != TB_WAIT_SLEEP;
}

/* The time of the thread's last check: the run before the wait. */
static gint64
find_last_check (const TbPathsModel *model, guint32 row)
{
  const TbIntervals *rows = model->rows;

  return row > 0 && rows->thread[row - 1] == rows->thread[row] && tb_paths_is_run (model, row - 1)
             ? rows->start[row - 1]
             : rows->start[row];
}

/* Whether any work of the thread was in progress when the wait began or at the last check. */
static gboolean
is_in_progress (GArray *all, guint32 starter, gint64 since, gint64 from)
{
  guint low = 0, high = all->len;

  while (low < high)
    {
      guint middle = low + (high - low) / 2;
      const Work *work = &g_array_index (all, Work, middle);

      if (work->starter < starter || (work->starter == starter && work->end <= since))
        low = middle + 1;
      else
        high = middle;
    }
  for (guint i = low; i < all->len && i < low + MAX_OPEN_WORK; i++)
    {
      const Work *work = &g_array_index (all, Work, i);

      if (work->starter != starter)
        return FALSE;
      if (work->start <= from)
        return TRUE;
    }
  return FALSE;
}

/* Whether waits at that place also time out while no work of the thread is in progress. A few may
 * do so by chance. */
static gboolean
also_times_out_without_work (TbPaths *paths, GArray *all, const TbPathsOversleep *of)
{
  const TbPathsModel *model = paths->model;
  const TbIntervals *rows = model->rows;
  guint with = 0, without = 0;

  for (guint32 row = model->first_row[of->thread]; row < model->first_row[of->thread + 1]; row++)
    if (rows->stack[row] == of->stack && has_timed_out (paths, row))
      {
        if (is_in_progress (all, of->thread, find_last_check (model, row), rows->start[row]))
          with++;
        else
          without++;
      }
  return (guint64) without * 10 > with;
}

static int
compare_oversleeps (gconstpointer a, gconstpointer b)
{
  const TbPathsOversleep *one = a, *two = b;

  if (one->total_ns != two->total_ns)
    return one->total_ns > two->total_ns ? -1 : 1;
  return one->thread < two->thread ? -1 : one->thread > two->thread;
}

static void
add_oversleep (GArray *found, const TbIntervals *rows, guint32 row, const Work *work)
{
  TbPathsOversleep one = { .thread = rows->thread[row],
                           .awaited = work->worker,
                           .stack = rows->stack[row],
                           .row = row,
                           .count = 1,
                           .total_ns = rows->end[row] - MAX (work->end, rows->start[row]),
                           .from = MAX (work->end, rows->start[row]),
                           .to = rows->end[row] };

  for (guint i = 0; i < found->len && i < 256; i++)
    {
      TbPathsOversleep *known = &g_array_index (found, TbPathsOversleep, i);

      if (known->thread != one.thread || known->stack != one.stack)
        continue;
      known->count++;
      known->total_ns += one.total_ns;
      if (one.to - one.from > known->to - known->from)
        {
          known->from = one.from;
          known->to = one.to;
          known->awaited = one.awaited;
        }
      return;
    }
  g_array_append_val (found, one);
}

GArray *
tb_paths_find_oversleeps (TbPaths *paths)
{
  const TbPathsBoxes *boxes = &paths->walk->boxes;
  const TbIntervals *rows = paths->model->rows;
  g_autoptr (GArray) work = find_work (paths);
  GArray *found = g_array_new (FALSE, FALSE, sizeof (TbPathsOversleep));

  add_pool_work (paths, work);
  for (gsize i = 0; i < boxes->n; i++)
    {
      guint32 row = boxes->row[i];
      const Work *last;

      if (boxes->path[i] != 0 || boxes->to[i] <= boxes->from[i] || !has_timed_out (paths, row))
        continue;
      last = find_last_finished (work, rows->thread[row], find_last_check (paths->model, row),
                                 rows->start[row], rows->end[row]);
      if (last != NULL && rows->end[row] - last->end >= MIN_OVERSLEPT)
        add_oversleep (found, rows, row, last);
    }
  for (guint i = found->len; i-- > 0;)
    if (also_times_out_without_work (paths, work, &g_array_index (found, TbPathsOversleep, i)))
      g_array_remove_index (found, i);
  g_array_sort (found, compare_oversleeps);
  return found;
}

char *
tb_paths_describe_oversleep (TbPaths *paths, const TbPathsOversleep *oversleep, gboolean translated)
{
  TbPathsEvents *events = paths->events;
  TbWaitKind kind = tb_trace_get_wait_kind (paths->trace, oversleep->row);
  guint32 node = tb_context_tree_find (events->tree, oversleep->stack);
  TbContextNode context;

  while (node != 0 && events->node_kernel[node])
    node = events->node_parent[node];
  tb_context_tree_get_node (events->tree, node, &context);
  if (kind != TB_WAIT_UNKNOWN && kind != TB_WAIT_OTHER
      && (node == 0 || g_str_has_prefix (context.function, "__")))
    return g_strdup (translated ? tb_wait_kind_get_label (kind) : tb_wait_kind_get_name (kind));
  return tb_trace_get_stack_label (paths->trace, oversleep->stack);
}
