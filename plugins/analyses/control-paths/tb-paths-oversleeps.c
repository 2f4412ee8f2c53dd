/* tb-paths-oversleeps.c: waits that timed out although what they waited for was over
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The paper's curl: a worker does what it was started for and ends, but does not wake the thread that polls for its result;
 * that finds out when its time-out is over. Seen as: a thread began another (or woke one of its own process), that ended (or
 * went to sleep) during a wait which then timed out, and the waiter does not wait at that place again right afterwards.
 */

#include "config.h"

#include "tb-paths-oversleeps.h"
#include "tb-paths-summary.h"

/* What is over so shortly (ns) before the time-out made nobody wait. */
#define LEAST_OVERSLEPT 50000

/* Works that are still under way when one ends, that are looked at. */
#define OPEN_SEEN 256

/* Something that a thread had another do. */
typedef struct
{
  guint32 starter;
  guint32 worker;
  gint64 start;
  gint64 end;
  gboolean is_life; /* the worker began and ended with it */
} Work;

static int
compare_work (gconstpointer a, gconstpointer b)
{
  const Work *one = a, *two = b;

  if (one->starter != two->starter)
    return one->starter < two->starter ? -1 : 1;
  return one->end < two->end ? -1 : one->end > two->end;
}

/* Threads by who began them, and when they ended. */
static GArray *
find_work (TbPaths *paths)
{
  const TbPathsModel *model = paths->model;
  GArray *all = g_array_new (FALSE, FALSE, sizeof (Work));

  for (guint32 i = 1; i < model->n_threads; i++)
    {
      guint32 end = model->first_row[i + 1];
      Work work = { model->creator[i], i, model->fork_time[i], G_MAXINT64, TRUE };

      if (work.starter == TB_ID_NONE || end == model->first_row[i])
        continue;
      if (!(model->rows->flags[end - 1] & TB_INTERVAL_OPEN_END))
        work.end = model->rows->end[end - 1];
      g_array_append_val (all, work);
    }
  g_array_sort (all, compare_work);
  return all;
}

/* Work by a thread of a pool: its process mate woke it, it ran and slept again. */
static void
add_pool_work (TbPaths *paths, GArray *all)
{
  const TbPathsModel *model = paths->model;
  const TbIntervals *rows = model->rows;

  for (gsize row = 0; row < rows->n; row++)
    {
      Work work = { .worker = rows->thread[row] };
      guint32 run;

      if (rows->cause_kind[row] != TB_CAUSE_THREAD || rows->cause[row] >= model->n_threads
          || rows->wakeup[row] >= model->n_wakeups
          || paths->facts->process_of[rows->cause[row]] != paths->facts->process_of[work.worker])
        continue;
      run = tb_paths_model_get_sleep_end (model, row) + 1;
      if (!tb_paths_is_run (model, MIN (run, model->first_row[work.worker + 1] - 1)))
        continue;
      if (run + 1 >= model->first_row[work.worker + 1] || rows->state[run + 1] < TB_STATE_INTERRUPTIBLE)
        continue;
      work.starter = rows->cause[row];
      work.start = model->wake_time[rows->wakeup[row]];
      work.end = rows->end[run];
      g_array_append_val (all, work);
    }
  g_array_sort (all, compare_work);
}

/* The last work of the starter that ended during its wait from…to, or since it last looked: in the run before. */
static const Work *
find_last (GArray *all, guint32 starter, gint64 since, gint64 from, gint64 to)
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
  if (found->starter != starter || found->end <= since || found->start >= found->end || found->start > from)
    return NULL;
  /* What else it had started and is not over may be what it waits for. */
  for (guint i = low; i < all->len && i < low + OPEN_SEEN; i++)
    {
      const Work *open = &g_array_index (all, Work, i);

      if (open->starter != starter)
        break;
      if (open->start <= from && open->worker != found->worker)
        return NULL;
    }
  return found;
}

/* Whether the thread waits at the same place again as soon as the wait has timed out: it still waits for something. */
static gboolean
waits_again (const TbPathsModel *model, guint32 row)
{
  const TbIntervals *rows = model->rows;
  guint32 end = model->first_row[rows->thread[row] + 1];
  guint32 run = tb_paths_model_get_sleep_end (model, row) + 1;

  if (run + 1 >= end || rows->end[run] - rows->start[run] >= model->thresholds.poll_run)
    return FALSE;
  return rows->state[run + 1] >= TB_STATE_INTERRUPTIBLE && rows->stack[run + 1] == rows->stack[row]
         && rows->stack[row] != TB_STACK_NONE;
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
      gint64 since;

      if (boxes->path[i] != 0 || boxes->to[i] <= boxes->from[i] || rows->state[row] < TB_STATE_INTERRUPTIBLE
          || rows->cause_kind[row] != TB_CAUSE_TIMER
          || tb_trace_get_wait_kind (paths->trace, row) == TB_WAIT_BLOCK_IO
          || tb_trace_get_wait_kind (paths->trace, row) == TB_WAIT_SLEEP)
        continue;
      since = row > 0 && rows->thread[row - 1] == rows->thread[row] && tb_paths_is_run (paths->model, row - 1)
                  ? rows->start[row - 1]
                  : rows->start[row];
      last = find_last (work, rows->thread[row], since, rows->start[row], rows->end[row]);
      /* A thread of a pool may have been given more to do. */
      if (last != NULL && rows->end[row] - last->end >= LEAST_OVERSLEPT
          && (last->is_life || !waits_again (paths->model, row)))
        add_oversleep (found, rows, row, last);
    }
  g_array_sort (found, compare_oversleeps);
  return found;
}

char *
tb_paths_describe_oversleep (TbPaths *paths, const TbPathsOversleep *oversleep)
{
  TbPathsFacts *facts = paths->facts;
  TbWaitKind kind = tb_trace_get_wait_kind (paths->trace, oversleep->row);
  guint32 node = tb_context_tree_find (facts->tree, oversleep->stack);
  TbContextNode context;

  while (node != 0 && facts->node_kernel[node])
    node = facts->node_parent[node];
  tb_context_tree_get_node (facts->tree, node, &context);
  if (kind != TB_WAIT_UNKNOWN && kind != TB_WAIT_OTHER
      && (node == 0 || g_str_has_prefix (context.function, "__")))
    return g_strdup (tb_wait_kind_get_name (kind));
  return tb_trace_get_stack_label (paths->trace, oversleep->stack);
}
