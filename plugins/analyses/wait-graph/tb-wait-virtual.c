/* tb-wait-virtual.c: what short-lived threads do as one
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#include "config.h"

#include "tb-wait-short-lived.h"

/* A member begins or ends a stretch of something. */
typedef struct
{
  gint64 time;
  gint8 awake; /* by how much more members are awake, alive, waiting */
  gint8 alive;
  gint8 waiting;
  gsize wait; /* of waiting */
} Change;

typedef struct
{
  gint64 start;
  gint64 end;
  guint32 waker;
  guint32 row;
} VirtualWait;

typedef struct
{
  TbWaitModel *model;
  const TbWaits *old;
  const gsize *first_wait; /* by thread, and one past the last */
  const gint64 *last_wake; /* by thread: when it ended a wait last, G_MININT64 never */
  gboolean paper;
  GArray *waiting; /* gsize: waits that are open */
  guint n_awake;
  guint n_alive;
  guint turn;
} Merger;

static int
compare_changes (gconstpointer a, gconstpointer b)
{
  const Change *left = a, *right = b;

  if (left->time != right->time)
    return left->time < right->time ? -1 : 1;
  return left->wait < right->wait ? -1 : left->wait > right->wait;
}

static guint32
replace (const TbWaitModel *model, guint32 node)
{
  if (node < model->n_threads && model->group_of_thread[node] != TB_ID_NONE)
    return g_array_index (model->groups, TbWaitGroup, model->group_of_thread[node]).node;
  return node;
}

static void
add_change (GArray *changes, gint64 time, int awake, int alive, int waiting, gsize wait)
{
  Change change = { time, (gint8) awake, (gint8) alive, (gint8) waiting, wait };

  g_array_append_val (changes, change);
}

/* Sleeps that nothing is known to have ended are neither awake nor waiting for somebody. A thread that has told that it exits
 * still has to wake who waits for that: until then it lives, else its group would wait for its creator, who waits for it. */
static void
list_changes (Merger *self, guint32 thread, GArray *changes)
{
  const TbWaitNode *node = tb_wait_model_get_node (self->model, thread);
  const TbIntervals *rows = tb_trace_get_intervals (self->model->trace);
  gsize first, n;

  if (node->first == TB_TIME_NONE)
    return;
  add_change (changes, node->first, 0, 1, 0, 0);
  add_change (changes, MAX (node->last, self->last_wake[thread]), 0, -1, 0, 0);
  tb_trace_get_thread_intervals (self->model->trace, thread, &first, &n);
  for (gsize i = first; i < first + n; i++)
    if (rows->state[i] < TB_STATE_INTERRUPTIBLE && rows->end[i] > self->model->from
        && rows->start[i] < self->model->to)
      {
        add_change (changes, MAX (rows->start[i], self->model->from), 1, 0, 0, 0);
        add_change (changes, MIN (rows->end[i], self->model->to), -1, 0, 0, 0);
      }
  for (gsize i = self->first_wait[thread]; i < self->first_wait[thread + 1]; i++)
    {
      add_change (changes, self->old->start[i], 0, 0, 1, i);
      add_change (changes, self->old->end[i], 0, 0, -1, i);
    }
}

static void
apply (Merger *self, const Change *change)
{
  self->n_awake = (guint) ((int) self->n_awake + change->awake);
  self->n_alive = (guint) ((int) self->n_alive + change->alive);
  if (change->waiting > 0)
    g_array_append_val (self->waiting, change->wait);
  for (guint i = 0; change->waiting < 0 && i < self->waiting->len; i++)
    if (g_array_index (self->waiting, gsize, i) == change->wait)
      {
        g_array_remove_index (self->waiting, i);
        break;
      }
}

/* Waits that go on are one. */
static void
add_wait (GArray *waits, gint64 from, gint64 to, guint32 waker, guint32 row)
{
  VirtualWait wait = { from, to, waker, row };
  VirtualWait *last = waits->len > 0 ? &g_array_index (waits, VirtualWait, waits->len - 1) : NULL;

  if (from == to)
    return;
  if (last != NULL && last->end == from && last->waker == waker && last->row == row)
    last->end = to;
  else
    g_array_append_val (waits, wait);
}

/* Nothing changes in this stretch. */
static void
add_stretch (Merger *self, const TbWaitGroup *group, GArray *waits, gint64 from, gint64 to)
{
  gint64 length = to - from;
  guint n = self->waiting->len;

  if (length <= 0 || self->n_awake > 0)
    return;
  if (self->n_alive == 0 || self->paper)
    {
      if (group->creator != TB_ID_NONE)
        add_wait (waits, from, to, group->creator, TB_ID_NONE);
      return;
    }
  for (guint i = 0; i < n; i++)
    {
      /* Who begins changes, so that what division leaves over goes to nobody in particular. */
      gsize wait = g_array_index (self->waiting, gsize, (i + self->turn) % n);

      add_wait (waits, from + length * i / n, from + length * (i + 1) / n,
                replace (self->model, self->old->waker[wait]), self->old->row[wait]);
    }
  self->turn++;
}

static GArray *
list_virtual_waits (Merger *self, const TbWaitGroup *group)
{
  g_autoptr (GArray) changes = g_array_new (FALSE, FALSE, sizeof (Change));
  GArray *waits = g_array_new (FALSE, FALSE, sizeof (VirtualWait));
  gint64 at = self->model->from;

  g_array_set_size (self->waiting, 0);
  self->n_awake = self->n_alive = self->turn = 0;
  for (guint i = 0; i < group->members->len; i++)
    list_changes (self, g_array_index (group->members, guint32, i), changes);
  g_array_sort (changes, compare_changes);
  for (guint i = 0; i < changes->len; i++)
    {
      const Change *change = &g_array_index (changes, Change, i);

      add_stretch (self, group, waits, at, change->time);
      at = MAX (at, change->time);
      apply (self, change);
    }
  add_stretch (self, group, waits, at, self->model->to);
  return waits;
}

static void
sum_up_node (TbWaitModel *model, const TbWaitGroup *group, const GArray *waits)
{
  TbWaitNode *node = tb_wait_model_get_node (model, group->node);

  for (guint i = 0; i < group->members->len; i++)
    {
      const TbWaitNode *member = tb_wait_model_get_node (model, g_array_index (group->members, guint32, i));

      node->running += member->running;
      node->runnable += member->runnable;
      node->unknown += member->unknown;
    }
  for (guint i = 0; i < waits->len; i++)
    node->waiting += g_array_index (waits, VirtualWait, i).end - g_array_index (waits, VirtualWait, i).start;
  node->first = model->from;
  node->last = model->to;
}

static gsize *
index_waits (const TbWaitModel *model)
{
  gsize *first = g_new0 (gsize, (gsize) model->n_threads + 2);

  for (gsize i = 0; i < model->waits.n; i++)
    first[model->waits.waiter[i] + 1]++;
  for (guint32 i = 0; i < model->n_threads; i++)
    first[i + 1] += first[i];
  return first;
}

static gint64 *
find_last_wakes (const TbWaitModel *model)
{
  gint64 *last = g_new (gint64, (gsize) model->n_threads + 1);

  for (guint32 i = 0; i <= model->n_threads; i++)
    last[i] = G_MININT64;
  for (gsize i = 0; i < model->waits.n; i++)
    if (model->waits.waker[i] < model->n_threads)
      last[model->waits.waker[i]] = MAX (last[model->waits.waker[i]], model->waits.end[i]);
  return last;
}

void
tb_wait_merge_short_lived (TbWaitModel *model, gboolean paper)
{
  g_autofree gsize *first = NULL;
  g_autofree gint64 *last_wake = NULL;
  g_autoptr (GArray) waiting = g_array_new (FALSE, FALSE, sizeof (gsize));
  g_autoptr (GPtrArray) virtual = g_ptr_array_new_with_free_func ((GDestroyNotify) g_array_unref);
  TbWaits old = model->waits;
  Merger merger = { .model = model, .old = &old, .paper = paper, .waiting = waiting };
  gsize n = old.n;

  if (model->groups->len == 0)
    return;
  merger.first_wait = first = index_waits (model);
  merger.last_wake = last_wake = find_last_wakes (model);
  for (guint i = 0; i < model->groups->len; i++)
    {
      const TbWaitGroup *group = &g_array_index (model->groups, TbWaitGroup, i);

      g_ptr_array_add (virtual, list_virtual_waits (&merger, group));
      n += ((GArray *) g_ptr_array_index (virtual, i))->len;
    }
  model->waits = (TbWaits) { 0 };
  tb_wait_model_reserve (model, n);
  for (gsize i = 0; i < old.n; i++)
    if (model->group_of_thread[old.waiter[i]] == TB_ID_NONE)
      tb_wait_model_add (model, old.start[i], old.end[i], old.waiter[i], replace (model, old.waker[i]),
                         old.row[i]);
  for (guint i = 0; i < model->groups->len; i++)
    {
      const TbWaitGroup *group = &g_array_index (model->groups, TbWaitGroup, i);
      const GArray *waits = g_ptr_array_index (virtual, i);

      sum_up_node (model, group, waits);
      for (guint j = 0; j < waits->len; j++)
        {
          const VirtualWait *wait = &g_array_index (waits, VirtualWait, j);

          tb_wait_model_add (model, wait->start, wait->end, group->node, wait->waker, wait->row);
        }
    }
  tb_waits_clear (&old);
  tb_wait_model_index_edges (model);
}
