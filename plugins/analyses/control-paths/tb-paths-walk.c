/* tb-paths-walk.c: builder of pseudo-stacks from runs and sleeps, backwards in time
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Implements the RSP paper's "Recursive Stack Making" and "Triangles" without recursion. A frame is
 * a thread whose life is walked backwards as one layer. Where another thread ended a sleep, that
 * thread gets a frame above, for the time of the sleep. At any time the frames are threads that
 * wait for each other. Each thread is therefore in at most one frame, and no part of its life is
 * walked twice: the work is linear in the rows reached.
 */

#include "config.h"

#include "tb-paths-walk.h"

/* Steps between two checks of the cancellable. */
#define STRIDE 4096

typedef struct
{
  guint32 thread;
  guint32 next;   /* one past the next row to examine */
  gint64 lo;      /* rows before this time are not part of the frame */
  gint64 hi;      /* rows after this time are done */
  gint64 top;     /* end of the layer */
  guint32 parent; /* box */
  gsize group;    /* boxes of the sleep that the frame above explains: first one… */
  gsize group_end;
} Frame;

/* --- boxes --- */

#define GROW(field) boxes->field = g_renew (typeof (*boxes->field), boxes->field, boxes->room)

static gsize
add_box (TbPathsWalk *self, const Frame *frame, guint32 row, gint64 from, gint64 to, guint8 flags)
{
  TbPathsBoxes *boxes = &self->boxes;
  gsize i = boxes->n++;

  if (boxes->n > boxes->room)
    {
      boxes->room = MAX (1024, boxes->room * 2);
      GROW (row);
      GROW (from);
      GROW (to);
      GROW (child_from);
      GROW (child_to);
      GROW (ready);
      GROW (parent);
      GROW (layer);
      GROW (path);
      GROW (flags);
    }
  boxes->row[i] = row;
  boxes->from[i] = from;
  boxes->to[i] = to;
  boxes->child_from[i] = boxes->child_to[i] = boxes->ready[i] = 0;
  boxes->parent[i] = frame->parent;
  boxes->layer[i] = self->frames->len - 1;
  boxes->path[i] = self->path;
  boxes->flags[i] = flags;
  self->n_layers = MAX (self->n_layers, self->frames->len);
  if (self->row_path[row] == TB_ID_NONE)
    self->row_path[row] = self->path;
  return i;
}

gsize
tb_paths_boxes_get_group (const TbPathsBoxes *boxes,
                          const TbPathsModel *model,
                          gsize i,
                          gint64 *covered)
{
  gsize k = i;

  *covered = 0;
  if (!(boxes->flags[i] & TB_PATHS_BOX_HAS_CHILD))
    return i + 1;
  for (; k < boxes->n && (boxes->flags[k] & TB_PATHS_BOX_HAS_CHILD)
         && boxes->parent[k] == boxes->parent[i] && boxes->child_from[k] == boxes->child_from[i]
         && boxes->child_to[k] == boxes->child_to[i] && boxes->path[k] == boxes->path[i];
       k++)
    if (!tb_paths_is_run (model, boxes->row[k]))
      *covered += MAX (0, MIN (boxes->to[k], boxes->child_to[k])
                              - MAX (boxes->from[k], boxes->child_from[k]));
  return k;
}

/* --- frames --- */

static Frame *
get_frame (TbPathsWalk *self, guint index)
{
  return &g_array_index (self->frames, Frame, index);
}

static Frame *
get_top (TbPathsWalk *self)
{
  return get_frame (self, self->frames->len - 1);
}

static void
push_frame (TbPathsWalk *self, guint32 thread, guint32 next, gint64 lo, gint64 hi, guint32 parent)
{
  Frame frame = { .thread = thread, .next = next, .lo = lo, .hi = hi, .top = hi, .parent = parent };

  g_array_append_val (self->frames, frame);
  self->frame_of_thread[thread] = self->frames->len;
}

static void
claim (TbPathsWalk *self, const Frame *frame)
{
  self->frame_of_thread[frame->thread] = 0;
  self->claimed[frame->thread] = frame->hi;
  self->claimed_path[frame->thread] = self->path;
}

/* Marks the stretch of the sleep below that the frame above covers. */
static void
set_covered (TbPathsWalk *self, Frame *frame, gint64 from, gint64 to, gint64 ready)
{
  TbPathsBoxes *boxes = &self->boxes;

  for (gsize i = frame->group; i < frame->group_end; i++)
    {
      boxes->child_from[i] = from;
      boxes->child_to[i] = to;
      boxes->ready[i] = ready;
      boxes->flags[i] |= TB_PATHS_BOX_HAS_CHILD;
    }
}

static void
close_top (TbPathsWalk *self)
{
  Frame top = *get_top (self);

  claim (self, &top);
  g_array_set_size (self->frames, self->frames->len - 1);
  if (self->frames->len == 0)
    return;
  if (top.hi < top.top)
    set_covered (self, get_top (self), top.hi, top.top, top.hi);
  else
    {
      self->kept--;
      self->dropped[TB_PATHS_DROP_OTHER_PATH]++;
    }
}

/* A triangle: frame k woke the run that begins at x. The layers in between began with that call.
 * What they did before was not for it, and is cut off. */
static void
close_triangle (TbPathsWalk *self, guint k, gint64 x, gint64 ready)
{
  TbPathsBoxes *boxes = &self->boxes;

  while (self->frames->len > k + 1)
    {
      Frame top = *get_top (self);
      Frame *below;

      top.hi = MAX (top.hi, x);
      claim (self, &top);
      g_array_set_size (self->frames, self->frames->len - 1);
      below = get_top (self);
      set_covered (self, below, x, top.top, self->frames->len == k + 1 ? ready : x);
      if (self->frames->len > k + 1)
        {
          for (gsize i = below->group; i < below->group_end; i++)
            {
              boxes->from[i] = MAX (boxes->from[i], x);
              boxes->to[i] = MAX (boxes->to[i], boxes->from[i]);
            }
          below->hi = x;
        }
    }
}

/* --- steps --- */

/* Whether a row above the lowest layer already belongs to another path. */
static gboolean
is_in_other_path (TbPathsWalk *self, guint32 row)
{
  return self->row_path[row] != TB_ID_NONE && self->row_path[row] != self->path;
}

static void
step_run (TbPathsWalk *self, Frame *frame, guint32 row)
{
  const TbIntervals *rows = self->model->rows;
  gboolean is_root = self->frames->len == 1;
  gint64 from = rows->start[row];
  gint64 to = MIN (rows->end[row], frame->hi);
  guint8 flags = to < rows->end[row] ? TB_PATHS_BOX_CUT_END : 0;

  if (to <= frame->lo || (!is_root && is_in_other_path (self, row)))
    {
      close_top (self);
      return;
    }
  /* The row begins exactly where another frame took over. */
  if (to <= from)
    {
      frame->next = row;
      return;
    }
  if (from < frame->lo && (is_root || frame->lo - from > self->model->thresholds.grace))
    {
      from = frame->lo;
      flags |= TB_PATHS_BOX_CUT_START;
    }
  add_box (self, frame, row, from, to, flags);
  frame->hi = from;
  frame->next = row;
  if (from <= frame->lo)
    close_top (self);
}

/* Adds the sleeps from row first to last, and the short runs between them, to the frame's layer. */
static void
add_group (TbPathsWalk *self, Frame *frame, guint32 first, guint32 last)
{
  const TbIntervals *rows = self->model->rows;

  frame->group = self->boxes.n;
  for (guint32 row = last + 1; row-- > first;)
    {
      gint64 from = MAX (rows->start[row], frame->lo);
      gint64 to = MIN (rows->end[row], frame->hi);

      if (to <= frame->lo)
        break;
      add_box (self, frame, row, from, to, 0);
      frame->hi = from;
    }
  frame->group_end = self->boxes.n;
  frame->next = first;
}

/* Makes what the waker did during the sleep a child of the sleep. */
static void
try_child (TbPathsWalk *self, Frame *frame, const TbPathsEnd *end, gint64 sleep_end)
{
  const TbIntervals *rows = self->model->rows;
  gint64 lo = frame->hi;
  gint64 hi;

  if (end->run == TB_ID_NONE)
    {
      self->dropped[TB_PATHS_DROP_NOT_RUNNING]++;
      return;
    }
  hi = rows->end[end->run];
  /* Nothing in this path waited for what the waker did after the sleeper ran again. */
  if (hi - sleep_end > self->model->thresholds.grace)
    hi = sleep_end;
  if (self->claimed_path[end->thread] == self->path)
    hi = MIN (hi, self->claimed[end->thread]);
  if (hi <= lo || hi <= rows->start[end->run] || is_in_other_path (self, end->run))
    {
      self->dropped[TB_PATHS_DROP_OTHER_PATH]++;
      return;
    }
  self->kept++;
  push_frame (self, end->thread, end->run + 1, lo, hi, frame->group);
}

/* The thread began here. Before that, the frame continues with its creator. */
static void
continue_with_creator (TbPathsWalk *self, Frame *frame, const TbPathsEnd *end)
{
  gint64 hi = MIN (frame->hi, end->time);

  if (self->claimed_path[end->thread] == self->path)
    hi = MIN (hi, self->claimed[end->thread]);
  if (self->frames->len == 1 || end->run == TB_ID_NONE || hi <= frame->lo
      || is_in_other_path (self, end->run))
    {
      close_top (self);
      return;
    }
  claim (self, frame);
  frame->thread = end->thread;
  frame->next = end->run + 1;
  frame->hi = hi;
  self->frame_of_thread[end->thread] = self->frames->len;
}

static void
step_sleep (TbPathsWalk *self, Frame *frame, guint32 last)
{
  const TbPathsModel *model = self->model;
  guint32 first = tb_paths_model_get_sleep_start (model, last);
  gint64 sleep_end = MIN (model->rows->end[last], frame->hi);
  TbPathsEnd end;

  tb_paths_model_get_end (model, first, last, &end);
  if ((end.kind == TB_PATHS_END_THREAD || end.kind == TB_PATHS_END_FORK)
      && self->frame_of_thread[end.thread] > 0
      && self->frame_of_thread[end.thread] < self->frames->len)
    {
      close_triangle (self, self->frame_of_thread[end.thread] - 1, sleep_end, end.time);
      return;
    }
  if (end.kind == TB_PATHS_END_THREAD)
    first = model->merged[first];
  add_group (self, frame, first, last);
  if (end.kind == TB_PATHS_END_THREAD)
    try_child (self, frame, &end, sleep_end);
  else if (end.kind == TB_PATHS_END_FORK)
    continue_with_creator (self, frame, &end);
}

static void
step (TbPathsWalk *self)
{
  Frame *frame = get_top (self);
  guint32 row;

  if (frame->next == self->model->first_row[frame->thread] || frame->hi <= frame->lo)
    {
      close_top (self);
      return;
    }
  row = frame->next - 1;
  if (tb_paths_is_run (self->model, row))
    step_run (self, frame, row);
  else if (self->frames->len > 1 && is_in_other_path (self, row))
    close_top (self);
  else
    step_sleep (self, frame, row);
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
  guint32 next = self->model->first_row[thread + 1];
  guint32 last;

  g_assert (self->frames->len == 0);
  if (to <= from)
    return TRUE;
  last = tb_paths_model_find_row (self->model, thread, to - 1);
  if (last != TB_ID_NONE)
    next = last + 1;
  if (next == self->model->first_row[thread] || rows->end[next - 1] <= from)
    return TRUE;
  self->path = path;
  push_frame (self, thread, next, from, MIN (to, rows->end[next - 1]), TB_ID_NONE);
  for (guint64 steps = 1; self->frames->len > 0; steps++)
    {
      step (self);
      if (steps % STRIDE == 0 && g_cancellable_set_error_if_cancelled (cancellable, error))
        return FALSE;
    }
  return TRUE;
}

TbPathsWalk *
tb_paths_walk_new (const TbPathsModel *model)
{
  TbPathsWalk *self = g_new0 (TbPathsWalk, 1);

  self->model = model;
  self->frames = g_array_new (FALSE, FALSE, sizeof (Frame));
  self->frame_of_thread = g_new0 (guint32, MAX (model->n_threads, 1));
  self->claimed = g_new0 (gint64, MAX (model->n_threads, 1));
  self->claimed_path = g_new (guint32, MAX (model->n_threads, 1));
  memset (self->claimed_path, 0xff, sizeof (guint32) * model->n_threads);
  self->row_path = g_new (guint32, MAX (model->rows->n, 1));
  memset (self->row_path, 0xff, sizeof (guint32) * model->rows->n);
  return self;
}

void
tb_paths_walk_free (TbPathsWalk *self)
{
  TbPathsBoxes *boxes = &self->boxes;

  g_free (boxes->row);
  g_free (boxes->from);
  g_free (boxes->to);
  g_free (boxes->child_from);
  g_free (boxes->child_to);
  g_free (boxes->ready);
  g_free (boxes->parent);
  g_free (boxes->layer);
  g_free (boxes->path);
  g_free (boxes->flags);
  g_array_unref (self->frames);
  g_free (self->frame_of_thread);
  g_free (self->claimed);
  g_free (self->claimed_path);
  g_free (self->row_path);
  g_free (self);
}
