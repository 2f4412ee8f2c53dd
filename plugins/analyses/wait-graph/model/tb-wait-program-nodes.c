/* tb-wait-program-nodes.c: nodes of the programs that a thread was one after another: division of
 * its times, of its waits, and of the waits for it, at each exec; look-up by thread and time
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#include "config.h"

#include "tb-wait-program-nodes.h"

#include "tb-wait-unknown-load.h"

#include <string.h>

static const TbWaitPart *
get_first_part (const TbWaitModel *model, guint32 thread)
{
  return model->part_of_thread != NULL && thread < model->n_threads
                 && model->part_of_thread[thread] != TB_ID_NONE
             ? &g_array_index (model->parts, TbWaitPart, model->part_of_thread[thread])
             : NULL;
}

/* The last part of a thread ends with the time. */
static const TbWaitPart *
find_part (const TbWaitModel *model, guint32 thread, gint64 time)
{
  const TbWaitPart *part = get_first_part (model, thread);

  while (part != NULL && part->to <= time)
    part++;
  return part;
}

guint32
tb_wait_model_find_node (const TbWaitModel *model, guint32 thread, gint64 time, gint64 *until)
{
  const TbWaitPart *part = find_part (model, thread, time);

  if (part == NULL)
    return thread;
  if (until != NULL)
    *until = MIN (*until, part->to);
  return part->node;
}

guint32
tb_wait_model_find_merged_node (const TbWaitModel *model, guint32 thread, gint64 time)
{
  if (tb_wait_model_is_member (model, thread))
    return g_array_index (model->groups, TbWaitGroup, model->group_of_thread[thread]).node;
  return tb_wait_model_find_node (model, thread, time, NULL);
}

const TbWaitPart *
tb_wait_model_get_part (const TbWaitModel *model, guint32 node)
{
  const TbWaitNode *of = tb_wait_model_get_node (model, node);
  const TbWaitPart *part = of->kind == TB_WAIT_NODE_THREAD ? get_first_part (model, of->id) : NULL;

  while (part != NULL && part->node != node)
    part++;
  return part;
}

guint32
tb_wait_model_find_program (const TbWaitModel *model, guint32 node)
{
  const TbWaitNode *of = tb_wait_model_get_node (model, node);

  return tb_programs_find_last (model->programs, of->id, of->first, of->last);
}

const char *
tb_wait_model_get_thread_name (const TbWaitModel *model, guint32 node)
{
  guint32 thread = tb_wait_model_get_node (model, node)->id;
  const TbWaitPart *part = tb_wait_model_get_part (model, node);

  if (part == NULL || part->to == G_MAXINT64)
    return tb_trace_get_thread_name_at (model->trace, thread, model->to);
  return tb_programs_get_thread_name (model->programs, thread,
                                      tb_programs_get (model->programs, part->program),
                                      MAX (part->from, model->from));
}

/* --- parts --- */

/* Adds the programs that a thread was in its life. The first one has no beginning, the last one no
 * end. Nothing is added for a thread that was only one. */
static void
add_parts (TbWaitModel *model, guint32 thread)
{
  const TbWaitNode *node = tb_wait_model_get_node (model, thread);
  guint first = model->parts->len, n;
  guint32 program = tb_programs_list (model->programs, thread, &n);

  for (guint i = 0; i < n && node->first != TB_TIME_NONE; i++)
    {
      const TbProgram *of = tb_programs_get (model->programs, program + i);
      TbWaitPart part = { thread, program + i, i, TB_ID_NONE, of->from, of->to };

      if (of->from < node->last && of->to > node->first)
        g_array_append_val (model->parts, part);
    }
  if (model->parts->len - first < 2)
    {
      g_array_set_size (model->parts, first);
      return;
    }
  g_array_index (model->parts, TbWaitPart, first).from = G_MININT64;
  g_array_index (model->parts, TbWaitPart, model->parts->len - 1).to = G_MAXINT64;
  model->part_of_thread[thread] = first;
}

static void
find_parts (TbWaitModel *model)
{
  model->part_of_thread = g_new (guint32, (gsize) model->n_threads + 1);
  memset (model->part_of_thread, 0xff, sizeof (guint32) * ((gsize) model->n_threads + 1));
  for (guint32 thread = TB_THREAD_IDLE + 1; thread < model->n_threads; thread++)
    if (!tb_wait_model_is_member (model, thread))
      add_parts (model, thread);
  for (guint i = 0; i < model->parts->len; i++)
    {
      TbWaitPart *part = &g_array_index (model->parts, TbWaitPart, i);

      if (part->to == G_MAXINT64)
        part->node = part->thread;
      else if (!tb_programs_is_unexecuted_command (model->programs, part->program))
        part->node = tb_wait_model_add_node (model, TB_WAIT_NODE_THREAD, part->thread);
    }
}

/* --- times --- */

/* The first wait of a waiter, or of one after it. */
static gsize
find_first_wait (const TbWaits *waits, guint32 waiter)
{
  gsize low = 0, high = waits->n;

  while (low < high)
    {
      gsize middle = low + (high - low) / 2;

      if (waits->waiter[middle] < waiter)
        low = middle + 1;
      else
        high = middle;
    }
  return low;
}

/* Whether a sleep has no recorded end: it is not open, it is none of the waits, and what ended it
 * is no part of the recorder. */
static gboolean
is_lost (const TbWaitModel *model, const TbIntervals *rows, gsize row, gsize *wait)
{
  const TbWaits *waits = &model->waits;
  guint32 thread = rows->thread[row];

  while (*wait < waits->n && waits->waiter[*wait] == thread && waits->row[*wait] < row)
    ++*wait;
  if (*wait < waits->n && waits->waiter[*wait] == thread && waits->row[*wait] == row)
    return FALSE;
  if (rows->flags[row] & TB_INTERVAL_OPEN_END)
    return FALSE;
  return rows->cause_kind[row] != TB_CAUSE_THREAD || model->is_recorder == NULL
         || rows->cause[row] >= model->n_threads || !model->is_recorder[rows->cause[row]];
}

/* Measures a part of a thread as add_thread() in tb-wait-recorded-waits.c does the whole. */
static void
measure_part (TbWaitModel *model, const TbWaitPart *part, gint64 first, gint64 last)
{
  const TbIntervals *rows = tb_trace_get_intervals (model->trace);
  TbWaitNode node = { .kind = TB_WAIT_NODE_THREAD, .id = part->thread };
  gsize row, n, wait = find_first_wait (&model->waits, part->thread);
  gint64 ns[TB_N_STATES] = { 0 };

  node.first = MAX (part->from, first);
  node.last = MIN (part->to, last);
  tb_trace_get_thread_intervals (model->trace, part->thread, &row, &n);
  for (gsize end = row + n; row < end && rows->start[row] < node.last; row++)
    {
      gint64 length = MIN (rows->end[row], node.last) - MAX (rows->start[row], node.first);

      if (length <= 0)
        continue;
      ns[rows->state[row]] += length;
      if (rows->state[row] < TB_STATE_INTERRUPTIBLE || !is_lost (model, rows, row, &wait))
        continue;
      node.n_lost++;
      node.lost += length;
    }
  node.running = ns[TB_STATE_RUNNING];
  node.runnable = ns[TB_STATE_RUNNABLE];
  node.waiting = ns[TB_STATE_INTERRUPTIBLE] + ns[TB_STATE_UNINTERRUPTIBLE] + ns[TB_STATE_STOPPED];
  node.unknown = ns[TB_STATE_UNKNOWN];
  if (part->node == TB_ID_NONE)
    model->recorder_running += node.running;
  else
    *tb_wait_model_get_node (model, part->node) = node;
}

/* The times of the threads are needed until all their parts are measured. */
static void
measure_parts (TbWaitModel *model)
{
  for (guint i = 0; i < model->parts->len;)
    {
      const TbWaitPart *parts = (const TbWaitPart *) (gpointer) model->parts->data;
      guint32 thread = parts[i].thread;
      gint64 first = tb_wait_model_get_node (model, thread)->first;
      gint64 last = tb_wait_model_get_node (model, thread)->last;

      for (; i < model->parts->len && parts[i].thread == thread; i++)
        measure_part (model, &parts[i], first, last);
    }
}

/* --- waits --- */

typedef struct
{
  gint64 start;
  gint64 end;
  guint32 waiter;
  guint32 waker;
  guint32 row;
} Piece;

/* Divides a wait where its waiter or its waker becomes another program. */
static void
divide_wait (const TbWaitModel *model, const TbWaits *waits, gsize wait, GArray *pieces)
{
  gint64 time = waits->start[wait], until;

  do
    {
      Piece piece = { .start = time, .row = waits->row[wait] };

      until = waits->end[wait];
      piece.waiter = tb_wait_model_find_node (model, waits->waiter[wait], time, &until);
      piece.waker = tb_wait_model_find_node (model, waits->waker[wait], time, &until);
      piece.end = time = until;
      if (piece.waiter != TB_ID_NONE && piece.waker != TB_ID_NONE)
        g_array_append_val (pieces, piece);
    }
  while (until < waits->end[wait]);
}

static int
compare_pieces (gconstpointer a, gconstpointer b)
{
  const Piece *left = a, *right = b;

  if (left->waiter != right->waiter)
    return left->waiter < right->waiter ? -1 : 1;
  if (left->start != right->start)
    return left->start < right->start ? -1 : 1;
  return left->row < right->row ? -1 : left->row > right->row;
}

static void
add_piece (TbWaitModel *model, const Piece *piece)
{
  tb_wait_model_add (model, piece->start, piece->end, piece->waiter, piece->waker, piece->row);
}

/* Waits of earlier programs come last, as their nodes do. */
static void
divide_waits (TbWaitModel *model)
{
  g_autoptr (GArray) pieces = g_array_new (FALSE, FALSE, sizeof (Piece));
  g_autoptr (GArray) later = g_array_new (FALSE, FALSE, sizeof (Piece));
  TbWaits old = model->waits;
  gsize n = old.n;

  for (gsize i = 0; i < old.n; i++)
    if (get_first_part (model, old.waiter[i]) != NULL
        || get_first_part (model, old.waker[i]) != NULL)
      {
        divide_wait (model, &old, i, later);
        n += later->len;
        g_array_set_size (later, 0);
      }
  model->waits = (TbWaits) { 0 };
  tb_wait_model_reserve (model, n);
  for (gsize i = 0; i < old.n; i++)
    {
      g_array_set_size (pieces, 0);
      divide_wait (model, &old, i, pieces);
      for (guint j = 0; j < pieces->len; j++)
        {
          const Piece *piece = &g_array_index (pieces, Piece, j);

          if (piece->waiter < model->n_threads)
            add_piece (model, piece);
          else
            g_array_append_vals (later, piece, 1);
        }
    }
  g_array_sort (later, compare_pieces);
  for (guint i = 0; i < later->len; i++)
    add_piece (model, &g_array_index (later, Piece, i));
  tb_waits_clear (&old);
}

gboolean
tb_wait_divide_at_execs (TbWaitModel *model, GError **error)
{
  find_parts (model);
  if (model->parts->len == 0)
    {
      g_clear_pointer (&model->part_of_thread, g_free);
      return TRUE;
    }
  measure_parts (model);
  divide_waits (model);
  tb_wait_model_index_edges (model);
  return tb_wait_find_possible_load (model, error);
}
