/* tb-paths-categories.c: division of each run and sleep of a path into categories of what explains
 * its time, such as understood, network or not sampled; stack with which it is drawn
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#include "config.h"

#include <glib/gi18n.h>

#include "tb-paths-categories.h"
#include "tb-paths-run-inference.h"

typedef struct
{
  const char *id;
  const char *label;
} CategoryName;

static const CategoryName category_names[TB_PATHS_N_CATEGORIES] = {
  [TB_PATHS_UNDERSTOOD] = { "understood_functions", N_ ("In understood functions") },
  [TB_PATHS_INFERRED] = { "inferred_functions", N_ ("In inferred functions") },
  [TB_PATHS_BLOCKING_IO] = { "blocking_io", N_ ("In blocking I/O") },
  [TB_PATHS_NETWORK] = { "network", N_ ("Network") },
  [TB_PATHS_DELIBERATE] = { "deliberate_sleep", N_ ("Deliberate sleeps") },
  [TB_PATHS_NOT_SAMPLED] = { "not_sampled", N_ ("Running but not sampled") },
  [TB_PATHS_IO_QUEUE] = { "io_queue", N_ ("I/O queue") },
  [TB_PATHS_SCHEDULER] = { "scheduler", N_ ("Scheduler overhead") },
  [TB_PATHS_HARDWARE] = { "hardware", N_ ("Waits for hardware") },
  [TB_PATHS_INVOLUNTARY] = { "involuntary", N_ ("Involuntary sleeps") },
  [TB_PATHS_KERNEL_BLOCK] = { "kernel_block", N_ ("Kernel blocks") },
  [TB_PATHS_TIMED_OUT] = { "timed_out", N_ ("Waits that timed out") },
  [TB_PATHS_OTHER_PATH] = { "other_path", N_ ("Waiting for another path") },
  [TB_PATHS_UNACCOUNTED] = { "unaccounted", N_ ("Unaccounted") },
};

const char *
tb_paths_category_get_id (TbPathsCategory category)
{
  return category_names[category].id;
}

const char *
tb_paths_category_get_label (TbPathsCategory category)
{
  return _ (category_names[category].label);
}

/* --- kernel threads that work for a disk --- */

/* Parents come before their children. */
static void
find_disk_waits (TbPathsCategorizer *self)
{
  const TbPathsBoxes *boxes = self->boxes;
  const guint32 *threads = self->model->rows->thread;

  self->disk_wait = g_new (guint32, MAX (boxes->n, 1));
  for (gsize box = 0; box < boxes->n; box++)
    {
      guint32 parent = boxes->parent[box];

      self->disk_wait[box] = TB_ID_NONE;
      if (parent == TB_ID_NONE
          || !tb_paths_model_is_kernel_thread (self->model, threads[boxes->row[box]]))
        continue;
      if (tb_paths_model_is_kernel_thread (self->model, threads[boxes->row[parent]]))
        self->disk_wait[box] = self->disk_wait[parent];
      else if (tb_paths_model_waits_for_disk (self->model, boxes->row[parent]))
        self->disk_wait[box] = parent;
    }
}

/* While a thread waits for the disk, a kernel thread that works for that may wait for a timer, as
 * where a disk is limited, or for an interrupt. That is a part of the wait; so is what is not known
 * of the kernel thread: the wait itself is known, or it would not have led there. */
static void
explain_by_disk (TbPathsCategorizer *self)
{
  for (guint i = 0; i < self->segments->len; i++)
    {
      TbPathsSegment *segment = &g_array_index (self->segments, TbPathsSegment, i);

      switch (segment->category)
        {
        case TB_PATHS_DELIBERATE:
        case TB_PATHS_HARDWARE:
        case TB_PATHS_KERNEL_BLOCK:
        case TB_PATHS_TIMED_OUT:
        case TB_PATHS_UNACCOUNTED:
        case TB_PATHS_OTHER_PATH: /* work for other threads, see tb-paths-walk.c */
          segment->category = TB_PATHS_BLOCKING_IO;
          break;
        case TB_PATHS_SCHEDULER:
          /* That a kernel thread does not run at once is no lack of CPUs yet. */
          if (segment->to - segment->from <= self->model->thresholds.grace)
            segment->category = TB_PATHS_BLOCKING_IO;
          break;
        default:
          break;
        }
    }
}

void
tb_paths_categorizer_init (TbPathsCategorizer *self,
                           const TbPathsModel *model,
                           TbPathsEvents *events,
                           const TbPathsBoxes *boxes)
{
  const TbDevice *devices
      = tb_session_get_devices (tb_trace_get_session (events->trace), &self->n_devices);

  self->model = model;
  self->events = events;
  self->boxes = boxes;
  self->segments = g_array_new (FALSE, FALSE, sizeof (TbPathsSegment));
  self->rest = g_array_new (FALSE, FALSE, sizeof (TbPathsSegment));
  self->device_is_network = g_new0 (guint8, MAX (self->n_devices, 1));
  for (guint i = 0; i < self->n_devices; i++)
    self->device_is_network[i] = g_str_equal (devices[i].kind, "network");
  find_disk_waits (self);
}

void
tb_paths_categorizer_clear (TbPathsCategorizer *self)
{
  g_clear_pointer (&self->segments, g_array_unref);
  g_clear_pointer (&self->rest, g_array_unref);
  g_clear_pointer (&self->device_is_network, g_free);
  g_clear_pointer (&self->disk_wait, g_free);
}

static void
add_segment (TbPathsCategorizer *self, gint64 from, gint64 to, TbPathsCategory category)
{
  TbPathsSegment segment = { from, to, category };
  TbPathsSegment *last = self->segments->len > 0 ? &g_array_index (self->segments, TbPathsSegment,
                                                                   self->segments->len - 1)
                                                 : NULL;

  if (to <= from)
    return;
  if (last != NULL && last->category == category && last->to == from)
    last->to = to;
  else
    g_array_append_val (self->segments, segment);
}

/* --- runs --- */

static TbPathsCategory
explain_running (TbPathsCategorizer *self, guint32 row)
{
  if (self->events->sample_n[row] > 0)
    return TB_PATHS_UNDERSTOOD;
  return tb_paths_run_inference_infer (self->events, self->model, row) != 0 ? TB_PATHS_INFERRED
                                                                            : TB_PATHS_NOT_SAMPLED;
}

static void
explain_run (TbPathsCategorizer *self, guint32 row, gint64 from, gint64 to)
{
  const TbPathsStretches *interrupts = &self->events->interrupts;
  TbPathsCategory running = explain_running (self, row);
  guint32 end, i = tb_paths_stretches_find (interrupts, self->model->rows->cpu[row], from, &end);

  for (; i < end && interrupts->from[i] < to; i++)
    {
      add_segment (self, from, interrupts->from[i], running);
      from = MAX (from, interrupts->from[i]);
      add_segment (self, from, MIN (interrupts->to[i], to), TB_PATHS_INVOLUNTARY);
      from = MIN (interrupts->to[i], to);
    }
  add_segment (self, from, to, running);
}

/* --- sleeps --- */

/* The category of a wait by what ended it. */
static TbPathsCategory
explain_end (TbPathsCategorizer *self, guint32 row)
{
  const TbIntervals *rows = self->model->rows;
  TbWaitKind kind = tb_trace_get_wait_kind (self->events->trace, row);
  guint32 cause = rows->cause[row];

  if (rows->cause_kind[row] == TB_CAUSE_NETWORK
      || (rows->cause_kind[row] == TB_CAUSE_DEVICE && cause < self->n_devices
          && self->device_is_network[cause]))
    return TB_PATHS_NETWORK;
  if (kind == TB_WAIT_SLEEP)
    return TB_PATHS_DELIBERATE;
  if (tb_trace_is_timed_out (self->events->trace, row))
    return TB_PATHS_TIMED_OUT;
  switch ((TbCauseKind) rows->cause_kind[row])
    {
    case TB_CAUSE_TIMER:
      return TB_PATHS_TIMED_OUT;
    case TB_CAUSE_INTERRUPT:
      return TB_PATHS_HARDWARE;
    case TB_CAUSE_DEVICE:
      /* Where requests are recorded, time without a request in flight is the kernel's own. */
      return self->events->has_requests ? TB_PATHS_KERNEL_BLOCK : TB_PATHS_BLOCKING_IO;
    case TB_CAUSE_THREAD:
    case TB_CAUSE_SIGNAL:
      return TB_PATHS_OTHER_PATH;
    case TB_CAUSE_UNKNOWN:
      if (rows->wakeup[row] != TB_ID_NONE)
        return TB_PATHS_KERNEL_BLOCK;
      break;
    case TB_CAUSE_NONE:
    case TB_CAUSE_NETWORK:
    default:
      break;
    }
  /* What it waited for is known without what ended it. */
  return kind == TB_WAIT_BLOCK_IO && rows->state[row] == TB_STATE_UNINTERRUPTIBLE
             ? TB_PATHS_BLOCKING_IO
             : TB_PATHS_UNACCOUNTED;
}

/* The category of the part of a sleep that neither a child nor a request of the thread covers. A
 * wait of a poll loop is for what ended the last one. */
static TbPathsCategory
explain_wait (TbPathsCategorizer *self, guint32 row)
{
  return explain_end (self, tb_paths_model_get_awaited_row (self->model, row));
}

/* Whether the thread may have slept for requests that it issued. A sleep for time, a lock or a
 * message cannot. */
static gboolean
may_wait_for_requests (TbPathsCategorizer *self, guint32 row)
{
  const TbIntervals *rows = self->model->rows;

  if (!self->events->has_requests)
    return FALSE;
  if (rows->cause_kind[row] == TB_CAUSE_DEVICE)
    return rows->cause[row] >= self->n_devices || !self->device_is_network[rows->cause[row]];
  if (rows->cause_kind[row] == TB_CAUSE_NETWORK || rows->cause_kind[row] == TB_CAUSE_TIMER)
    return FALSE;
  if (rows->state[row] == TB_STATE_UNINTERRUPTIBLE)
    return TRUE;
  switch (tb_trace_get_wait_kind (self->events->trace, row))
    {
    case TB_WAIT_BLOCK_IO:
    case TB_WAIT_PAGE_FAULT:
      return TRUE;
    default:
      return FALSE;
    }
}

/* Gives the category to the stretches, where segments from index first on still have the category
 * over. */
static void
overlay_stretches (TbPathsCategorizer *self,
                   const TbPathsStretches *stretches,
                   guint32 owner,
                   guint first,
                   TbPathsCategory over,
                   TbPathsCategory category)
{
  guint n = self->segments->len;

  g_array_set_size (self->rest, 0);
  g_array_append_vals (self->rest, &g_array_index (self->segments, TbPathsSegment, first),
                       n - first);
  g_array_set_size (self->segments, first);
  for (guint k = 0; k < self->rest->len; k++)
    {
      TbPathsSegment rest = g_array_index (self->rest, TbPathsSegment, k);
      guint32 end = 0, i = 0;

      if (rest.category == over)
        i = tb_paths_stretches_find (stretches, owner, rest.from, &end);
      for (; i < end && stretches->from[i] < rest.to; i++)
        {
          add_segment (self, rest.from, stretches->from[i], rest.category);
          rest.from = MAX (rest.from, stretches->from[i]);
          add_segment (self, rest.from, MIN (stretches->to[i], rest.to), category);
          rest.from = MIN (stretches->to[i], rest.to);
        }
      add_segment (self, rest.from, rest.to, rest.category);
    }
}

/* Applies the thread's own requests. Where a device ended the sleep, requests that other threads
 * issued to that device count too. */
static void
overlay_requests (TbPathsCategorizer *self, guint32 row, guint first, TbPathsCategory wait)
{
  const TbIntervals *rows = self->model->rows;
  TbPathsEvents *events = self->events;

  overlay_stretches (self, &events->service, rows->thread[row], first, wait, TB_PATHS_BLOCKING_IO);
  overlay_stretches (self, &events->queue, rows->thread[row], first, wait, TB_PATHS_IO_QUEUE);
  if (rows->cause_kind[row] == TB_CAUSE_DEVICE && rows->cause[row] < self->n_devices)
    {
      overlay_stretches (self, &events->device_service, rows->cause[row], first, wait,
                         TB_PATHS_BLOCKING_IO);
      overlay_stretches (self, &events->device_queue, rows->cause[row], first, wait,
                         TB_PATHS_IO_QUEUE);
    }
}

/* A stretch of a row that is not a run. */
static void
explain_stretch (TbPathsCategorizer *self,
                 guint32 row,
                 gint64 from,
                 gint64 to,
                 TbPathsCategory wait)
{
  const TbIntervals *rows = self->model->rows;
  TbPathsSegment segment = { from, to, wait };

  if (to <= from)
    return;
  if (rows->state[row] == TB_STATE_UNKNOWN)
    add_segment (self, from, to, TB_PATHS_UNACCOUNTED);
  else if (rows->state[row] == TB_STATE_RUNNABLE)
    add_segment (self, from, to,
                 rows->flags[row] & TB_INTERVAL_PREEMPTED ? TB_PATHS_INVOLUNTARY
                                                          : TB_PATHS_SCHEDULER);
  else
    {
      guint first = self->segments->len;

      /* Not merged with the segment before, even if the category is equal. */
      g_array_append_val (self->segments, segment);
      if (may_wait_for_requests (self, row))
        overlay_requests (self, row, first, wait);
    }
}

/* The time before the child ran. The part in which the child was runnable, and at most the grace,
 * is scheduler overhead. */
static void
explain_before_child (TbPathsCategorizer *self, gsize box, guint32 row, gint64 from, gint64 to)
{
  const TbPathsBoxes *boxes = self->boxes;
  gint64 scheduling_start
      = MIN (boxes->ready[box], boxes->child_from[box] - self->model->thresholds.grace);

  explain_stretch (self, row, from, CLAMP (scheduling_start, from, to), TB_PATHS_UNACCOUNTED);
  explain_stretch (self, row, CLAMP (scheduling_start, from, to), to, TB_PATHS_SCHEDULER);
}

static gboolean
is_ended_by_thread (const TbPathsModel *model, guint32 row)
{
  const TbIntervals *rows = model->rows;

  return rows->state[row] < TB_STATE_INTERRUPTIBLE || rows->cause_kind[row] == TB_CAUSE_THREAD
         || rows->cause_kind[row] == TB_CAUSE_SIGNAL || tb_paths_has_origin (model, row);
}

static void
explain_sleep (TbPathsCategorizer *self, gsize box, guint32 row, gint64 from, gint64 to)
{
  const TbPathsBoxes *boxes = self->boxes;

  if (!(boxes->flags[box] & TB_PATHS_BOX_HAS_CHILD))
    {
      gboolean sleeps = self->model->rows->state[row] >= TB_STATE_INTERRUPTIBLE;

      explain_stretch (self, row, from, to,
                       sleeps ? explain_wait (self, row) : TB_PATHS_UNACCOUNTED);
      return;
    }
  /* A time-out of a poll loop before the child began stays a time-out. */
  if (is_ended_by_thread (self->model, row))
    explain_before_child (self, box, row, from, CLAMP (boxes->child_from[box], from, to));
  else
    explain_stretch (self, row, from, CLAMP (boxes->child_from[box], from, to),
                     explain_end (self, row));
  /* The child began the work, and a device or the network continued it. */
  explain_stretch (self, row, CLAMP (boxes->child_to[box], from, to), to,
                   tb_paths_has_origin (self->model, row) ? explain_wait (self, row)
                                                          : TB_PATHS_SCHEDULER);
}

TbPathsCategory
tb_paths_categorizer_classify (TbPathsCategorizer *self, guint32 row)
{
  switch ((TbState) self->model->rows->state[row])
    {
    case TB_STATE_RUNNING:
      return explain_running (self, row);
    case TB_STATE_RUNNABLE:
      return self->model->rows->flags[row] & TB_INTERVAL_PREEMPTED ? TB_PATHS_INVOLUNTARY
                                                                   : TB_PATHS_SCHEDULER;
    case TB_STATE_UNKNOWN:
      return TB_PATHS_UNACCOUNTED;
    case TB_STATE_INTERRUPTIBLE:
    case TB_STATE_UNINTERRUPTIBLE:
    case TB_STATE_STOPPED:
    default:
      return explain_wait (self, row);
    }
}

const GArray *
tb_paths_categorizer_get_segments (TbPathsCategorizer *self, gsize box)
{
  guint32 row = self->boxes->row[box];

  g_array_set_size (self->segments, 0);
  if (tb_paths_is_run (self->model, row))
    explain_run (self, row, self->boxes->from[box], self->boxes->to[box]);
  else
    explain_sleep (self, box, row, self->boxes->from[box], self->boxes->to[box]);
  if (self->disk_wait[box] != TB_ID_NONE)
    explain_by_disk (self);
  return self->segments;
}

guint32
tb_paths_categorizer_get_node (TbPathsCategorizer *self, gsize box)
{
  TbPathsEvents *events = self->events;
  guint32 row = self->boxes->row[box];
  guint32 node;

  if (!tb_paths_is_run (self->model, row))
    {
      /* A runnable row after a sleep has the stack of that sleep. */
      if (self->model->rows->stack[row] == TB_STACK_NONE && row > 0
          && self->model->rows->thread[row - 1] == self->model->rows->thread[row]
          && self->model->rows->state[row] == TB_STATE_RUNNABLE
          && !tb_paths_is_run (self->model, row - 1))
        row--;
      return tb_context_tree_find (events->tree, self->model->rows->stack[row]);
    }
  if (events->sample_n[row] > 0)
    return events->sample_node[events->sample_first[row] + events->sample_n[row] / 2];
  node = tb_paths_run_inference_infer (events, self->model, row);
  return node != 0 ? node : tb_paths_run_inference_guess (events, self->model, row);
}
