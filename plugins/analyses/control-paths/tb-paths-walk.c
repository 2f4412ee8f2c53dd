/* tb-paths-walk.c: construction of pseudo-stacks, backwards in time: boxes of a thread's runs and
 * sleeps, above each sleep what the thread that ended it did meanwhile
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 *
 * "Recursive Stack Making" and "Triangles" of the RSP paper (Speyer and Mena, "A Recursive Systemic
 * Profiler", section "Assembling Pieces"), without recursion: a depth-first traversal with a stack
 * of frames.
 *
 * A frame is one layer: a thread whose life is walked backwards, row by row, from the end of a
 * stretch of time to its beginning. A run becomes a box. A sleep becomes a box, and the thread that
 * ended it gets a frame above, for the time of the sleep. When that frame is complete, it is
 * removed, and the frame below continues before the sleep.
 *
 * At any time the frames are threads that wait for each other. Each thread is therefore in at most
 * one frame. If a sleep was ended by the thread of a frame further below, that is a triangle: A
 * waits for B, B for C, C for A. No part of a thread's life is walked twice: the work is linear in
 * the rows reached.
 */

#include "config.h"

#include "tb-paths-walk.h"

/* Rows between two checks of the cancellable. */
#define STRIDE 4096

typedef struct
{
  guint32 thread;
  gint64 from;      /* the stretch of time */
  gint64 to;        /* its end, which is the end of the layer */
  gint64 reached;   /* time to which it was walked, down from its end */
  guint32 next_row; /* one past the next row to walk */
  guint32 parent;   /* box of the sleep below; TB_ID_NONE: none */
  gboolean is_disk; /* a kernel thread, for a thread below that waits for the disk */
  /* boxes of the sleep that the frame above explains */
  struct
  {
    gsize first;
    gsize end;
  } sleep;
} Frame;

/* What a frame continues with. */
typedef enum
{
  NEXT_NONE, /* it is complete */
  NEXT_RUN,
  NEXT_SLEEP,
} NextRow;

/* --- frames --- */

static Frame *
get_top (TbPathsWalk *self)
{
  return &g_array_index (self->frames, Frame, self->frames->len - 1);
}

static gboolean
is_lowest_layer (const TbPathsWalk *self)
{
  return self->frames->len == 1;
}

/* Whether the top frame waits for the disk in a box, or is of a kernel thread that works for one
 * that does. */
static gboolean
is_for_disk (TbPathsWalk *self, guint32 box)
{
  const Frame *top = get_top (self);

  return tb_paths_model_is_kernel_thread (self->model, top->thread)
             ? top->is_disk
             : tb_paths_model_waits_for_disk (self->model, self->boxes.row[box]);
}

/* Walks rows up to next_row − 1 of a thread in a layer above the top one. */
static void
push_frame (TbPathsWalk *self,
            guint32 thread,
            guint32 next_row,
            gint64 from,
            gint64 to,
            guint32 parent)
{
  Frame frame = {
    .thread = thread, .from = from, .to = to, .reached = to, .next_row = next_row, .parent = parent
  };

  if (parent != TB_ID_NONE && tb_paths_model_is_kernel_thread (self->model, thread))
    frame.is_disk = is_for_disk (self, parent);
  g_array_append_val (self->frames, frame);
  self->frame_of_thread[thread] = self->frames->len;
}

/* Stores how far a thread was walked when its frame ends. */
static void
claim (TbPathsWalk *self, const Frame *frame)
{
  self->frame_of_thread[frame->thread] = 0;
  self->claims[frame->thread] = (TbPathsClaim) { .path = self->path, .from = frame->reached };
}

/* Limits a time to the part of a thread's life that this path does not have yet. */
static gint64
limit_to_unclaimed (const TbPathsWalk *self, guint32 thread, gint64 time)
{
  const TbPathsClaim *of = &self->claims[thread];

  return of->path == self->path ? MIN (time, of->from) : time;
}

/* Whether a row above the lowest layer already belongs to another path. */
static gboolean
is_in_other_path (const TbPathsWalk *self, guint32 row)
{
  return self->row_path[row] != TB_ID_NONE && self->row_path[row] != self->path;
}

/* Marks the stretch of the sleep below that the frame above covers. */
static void
set_covered (TbPathsWalk *self, const Frame *below, gint64 from, gint64 to, gint64 ready)
{
  tb_paths_boxes_set_child (&self->boxes, below->sleep.first, below->sleep.end, from, to, ready);
}

static void
pop_frame (TbPathsWalk *self)
{
  Frame top = *get_top (self);

  claim (self, &top);
  g_array_set_size (self->frames, self->frames->len - 1);
  if (self->frames->len == 0)
    return;
  if (top.reached < top.to)
    set_covered (self, get_top (self), top.reached, top.to, top.reached);
  else
    {
      self->kept--;
      self->dropped[TB_PATHS_DROP_OTHER_PATH]++;
    }
}

/* Cuts off what the sleep of a frame has before a time. */
static void
cut_sleep (TbPathsWalk *self, Frame *frame, gint64 time)
{
  TbPathsBoxes *boxes = &self->boxes;

  for (gsize i = frame->sleep.first; i < frame->sleep.end; i++)
    {
      boxes->from[i] = MAX (boxes->from[i], time);
      boxes->to[i] = MAX (boxes->to[i], boxes->from[i]);
    }
  frame->reached = time;
}

/* Ends the frames above that of the caller, which woke a run at time `began`: the layers in between
 * began with that call. What they did before was not for it, and is cut off. caller: index of its
 * frame. ready: when the caller woke it. */
static void
close_triangle (TbPathsWalk *self, guint caller, gint64 began, gint64 ready)
{
  while (self->frames->len > caller + 1)
    {
      Frame top = *get_top (self);
      gboolean is_first_callee = self->frames->len == caller + 2;

      top.reached = MAX (top.reached, began);
      claim (self, &top);
      g_array_set_size (self->frames, self->frames->len - 1);
      set_covered (self, get_top (self), began, top.to, is_first_callee ? ready : began);
      if (!is_first_callee)
        cut_sleep (self, get_top (self), began);
    }
}

/* --- rows --- */

/* Adds a part of a row to the layer of the top frame. */
static void
add_box (TbPathsWalk *self, Frame *top, guint32 row, gint64 from, gint64 to, guint8 flags)
{
  TbPathsBox box = { .row = row,
                     .from = from,
                     .to = to,
                     .parent = top->parent,
                     .layer = self->frames->len - 1,
                     .path = self->path,
                     .flags = flags };

  tb_paths_boxes_add (&self->boxes, &box);
  self->n_layers = MAX (self->n_layers, self->frames->len);
  if (self->row_path[row] == TB_ID_NONE)
    self->row_path[row] = self->path;
  top->reached = from;
}

static void
walk_run (TbPathsWalk *self, Frame *top, guint32 row)
{
  const TbIntervals *rows = self->model->rows;
  gint64 from = rows->start[row];
  gint64 to = MIN (rows->end[row], top->reached);
  gint64 excess = top->from - from;
  guint8 flags = to < rows->end[row] ? TB_PATHS_BOX_CUT_END : 0;

  top->next_row = row;
  /* The row begins exactly where another frame took over. */
  if (to <= from)
    return;
  if (excess > 0 && (is_lowest_layer (self) || excess > self->model->thresholds.grace))
    {
      from = top->from;
      flags |= TB_PATHS_BOX_CUT_START;
    }
  add_box (self, top, row, from, to, flags);
  if (from <= top->from)
    pop_frame (self);
}

/* Adds the sleeps from row first to last, and the short runs between them, to the frame's layer. */
static void
add_sleep (TbPathsWalk *self, Frame *top, guint32 first, guint32 last)
{
  const TbIntervals *rows = self->model->rows;

  top->sleep.first = self->boxes.n;
  for (guint32 row = last + 1; row-- > first;)
    {
      gint64 from = MAX (rows->start[row], top->from);
      gint64 to = MIN (rows->end[row], top->reached);

      if (to <= top->from)
        break;
      add_box (self, top, row, from, to, 0);
    }
  top->sleep.end = self->boxes.n;
  top->next_row = first;
}

/* Makes what the waker did during the sleep a child of the sleep. */
static void
try_child (TbPathsWalk *self, const Frame *top, const TbPathsEnd *end, gint64 sleep_end)
{
  const TbIntervals *rows = self->model->rows;
  gint64 from = top->reached, to;

  if (end->run == TB_ID_NONE)
    {
      self->dropped[TB_PATHS_DROP_NOT_RUNNING]++;
      return;
    }
  /* The request that is waited for is known to the kernel already: a thread that wakes a kernel
   * thread now gives it a request of its own. */
  if (top->is_disk && !tb_paths_model_is_kernel_thread (self->model, end->thread))
    {
      self->dropped[TB_PATHS_DROP_OTHER_WORK]++;
      return;
    }
  to = rows->end[end->run];
  /* Nothing in this path waited for what the waker did after the sleeper ran again. */
  if (to - sleep_end > self->model->thresholds.grace)
    to = sleep_end;
  to = limit_to_unclaimed (self, end->thread, to);
  if (to <= from || to <= rows->start[end->run] || is_in_other_path (self, end->run))
    {
      self->dropped[TB_PATHS_DROP_OTHER_PATH]++;
      return;
    }
  self->kept++;
  push_frame (self, end->thread, end->run + 1, from, to, top->sleep.first);
}

/* The thread began here. Before that, the frame continues with its creator. */
static void
continue_with_creator (TbPathsWalk *self, Frame *top, const TbPathsEnd *end)
{
  gint64 to = limit_to_unclaimed (self, end->thread, MIN (top->reached, end->time));

  if (is_lowest_layer (self) || end->run == TB_ID_NONE || to <= top->from
      || is_in_other_path (self, end->run))
    {
      pop_frame (self);
      return;
    }
  claim (self, top);
  top->thread = end->thread;
  top->next_row = end->run + 1;
  top->reached = to;
  self->frame_of_thread[end->thread] = self->frames->len;
}

/* Finds the frame below the top one whose thread ended a sleep. */
static gboolean
find_caller (const TbPathsWalk *self, const TbPathsEnd *end, guint *caller)
{
  guint number;

  if (end->kind != TB_PATHS_END_THREAD && end->kind != TB_PATHS_END_FORK)
    return FALSE;
  number = self->frame_of_thread[end->thread];
  *caller = number - 1;
  return number > 0 && number < self->frames->len;
}

static void
walk_sleep (TbPathsWalk *self, Frame *top, guint32 last)
{
  const TbPathsModel *model = self->model;
  guint32 first = tb_paths_model_get_sleep_start (model, last);
  gint64 sleep_end = MIN (model->rows->end[last], top->reached);
  TbPathsEnd end;
  guint caller;

  tb_paths_model_get_end (model, first, last, &end);
  if (find_caller (self, &end, &caller))
    {
      close_triangle (self, caller, sleep_end, end.time);
      return;
    }
  switch (end.kind)
    {
    case TB_PATHS_END_THREAD:
      add_sleep (self, top, model->merged[first], last);
      try_child (self, top, &end, sleep_end);
      break;
    case TB_PATHS_END_FORK:
      add_sleep (self, top, first, last);
      continue_with_creator (self, top, &end);
      break;
    case TB_PATHS_END_NONE:
    case TB_PATHS_END_PREEMPTED:
    case TB_PATHS_END_OTHER:
      add_sleep (self, top, first, last);
      break;
    }
}

/* --- traversal --- */

static NextRow
get_next_row (const TbPathsWalk *self, const Frame *frame)
{
  const TbPathsModel *model = self->model;
  guint32 row = frame->next_row - 1;
  gboolean is_run;

  if (frame->next_row == model->first_row[frame->thread] || frame->reached <= frame->from)
    return NEXT_NONE;
  is_run = tb_paths_is_run (model, row);
  if (is_run && model->rows->end[row] <= frame->from)
    return NEXT_NONE;
  if (!is_lowest_layer (self) && is_in_other_path (self, row))
    return NEXT_NONE;
  return is_run ? NEXT_RUN : NEXT_SLEEP;
}

/* Walks the next row of the top frame, or removes the frame if it is complete. */
static void
walk_next_row (TbPathsWalk *self)
{
  Frame *top = get_top (self);

  switch (get_next_row (self, top))
    {
    case NEXT_NONE:
      pop_frame (self);
      break;
    case NEXT_RUN:
      walk_run (self, top, top->next_row - 1);
      break;
    case NEXT_SLEEP:
      walk_sleep (self, top, top->next_row - 1);
      break;
    }
}

gboolean
tb_paths_walk_add (TbPathsWalk *self,
                   guint32 path,
                   guint32 thread,
                   gint64 from,
                   gint64 to,
                   GCancellable *cancellable,
                   GError **error)
{
  const TbIntervals *rows = self->model->rows;
  guint32 next_row = self->model->first_row[thread + 1];
  guint32 last;

  g_assert (self->frames->len == 0);
  if (to <= from)
    return TRUE;
  last = tb_paths_model_find_row (self->model, thread, to - 1);
  if (last != TB_ID_NONE)
    next_row = last + 1;
  if (next_row == self->model->first_row[thread] || rows->end[next_row - 1] <= from)
    return TRUE;
  self->path = path;
  push_frame (self, thread, next_row, from, MIN (to, rows->end[next_row - 1]), TB_ID_NONE);
  for (guint64 n_walked = 1; self->frames->len > 0; n_walked++)
    {
      walk_next_row (self);
      if (n_walked % STRIDE == 0 && g_cancellable_set_error_if_cancelled (cancellable, error))
        return FALSE;
    }
  return TRUE;
}

TbPathsWalk *
tb_paths_walk_new (const TbPathsModel *model)
{
  TbPathsWalk *self = g_new0 (TbPathsWalk, 1);

  self->model = model;
  self->row_path = g_new (guint32, MAX (model->rows->n, 1));
  for (gsize i = 0; i < model->rows->n; i++)
    self->row_path[i] = TB_ID_NONE;
  self->frames = g_array_new (FALSE, FALSE, sizeof (Frame));
  self->frame_of_thread = g_new0 (guint32, MAX (model->n_threads, 1));
  self->claims = g_new (TbPathsClaim, MAX (model->n_threads, 1));
  for (guint i = 0; i < model->n_threads; i++)
    self->claims[i] = (TbPathsClaim) { .path = TB_ID_NONE };
  return self;
}

void
tb_paths_walk_free (TbPathsWalk *self)
{
  tb_paths_boxes_clear (&self->boxes);
  g_free (self->row_path);
  g_array_unref (self->frames);
  g_free (self->frame_of_thread);
  g_free (self->claims);
  g_free (self);
}
