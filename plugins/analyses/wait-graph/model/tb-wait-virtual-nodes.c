/* tb-wait-virtual-nodes.c: replacement of each group of short-lived threads by one virtual node,
 * which waits while all its members wait, with the time divided among their waits, and for the
 * creator while no member lives
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#include "config.h"

#include "tb-wait-virtual-nodes.h"

#include "tb-wait-program-nodes.h"

#include <string.h>

#define STRIDE 65536

/* Changes of a member. States have the numbers of TbState. */
typedef enum
{
  CHANGE_AWAKE = TB_STATE_UNKNOWN,
  CHANGE_ASLEEP = CHANGE_AWAKE + TB_STATE_INTERRUPTIBLE,
  CHANGE_BORN = CHANGE_ASLEEP + TB_STATE_INTERRUPTIBLE,
  CHANGE_DEAD,
  CHANGE_WAITS,
  CHANGE_WAKES,
} ChangeKind;

/* It has 16 bytes, because there are two for each wait. */
typedef struct
{
  gint64 time;
  guint64 what; /* for waits: the wait << 4 | ChangeKind */
} Change;

/* An open wait. */
typedef struct
{
  gsize wait;
  guint open;    /* index of its TbWaitOpen */
  guint number;  /* in the order of beginnings */
  double got_ns; /* ns that it got, relative to each; the less it got, the larger its credit */
} Waiting;

typedef struct
{
  gint64 start;
  gint64 end;
  guint32 waker;
  guint32 row;
} Piece;

typedef struct
{
  TbWaitModel *model;
  const TbWaits *old;
  const gsize *first_wait; /* by thread, and one past the last */
  const gint64 *last_wake; /* by thread: when it last ended a wait; G_MININT64: never */
  gboolean wperf;
  GCancellable *cancellable;
  GSequenceIter **waiting_of_thread; /* by waiting thread */
  /* for the current group */
  const TbWaitGroup *group;
  GArray *pieces;          /* Piece */
  GSequence *waiting;      /* Waiting: those with the largest credit come first */
  GHashTable *credit_ns;   /* waker → gint64 ns that ended waits for it did not get */
  guint n_waits;           /* waits that were opened so far */
  guint n_in[TB_N_STATES]; /* awake members, by state */
  guint n_alive;
  guint turn;
  guint64 n_more; /* pieces beyond one for each period */
  /* ns of the undivided periods that belong to each wait that was open in all of them */
  double each;
  gint64 clock; /* the virtual node's own time, see TbWaitOpen */
} Merger;

static int
compare_changes (gconstpointer a, gconstpointer b)
{
  const Change *left = a, *right = b;

  if (left->time != right->time)
    return left->time < right->time ? -1 : 1;
  return left->what < right->what ? -1 : left->what > right->what;
}

static int
compare_waiting (gconstpointer a, gconstpointer b, gpointer data)
{
  const Waiting *left = a, *right = b;

  if (left->got_ns < right->got_ns || left->got_ns > right->got_ns)
    return left->got_ns < right->got_ns ? -1 : 1;
  return left->number < right->number ? -1 : left->number > right->number;
}

static guint32
replace (const TbWaitModel *model, guint32 node)
{
  return tb_wait_model_is_member (model, node)
             ? g_array_index (model->groups, TbWaitGroup, model->group_of_thread[node]).node
             : node;
}

/* --- changes of members --- */

static void
add_change (GArray *changes, gint64 time, guint kind, gsize wait)
{
  Change change = { time, (guint64) wait << 4 | kind };

  g_array_append_val (changes, change);
}

/* A member in a sleep without a known end is neither awake nor waiting. An exiting thread still
 * wakes the threads that wait for its end, and counts as alive until then. Otherwise its group
 * would wait for its creator, which waits for it. */
static void
list_changes (Merger *self, guint32 thread, GArray *changes)
{
  const TbWaitNode *node = tb_wait_model_get_node (self->model, thread);
  const TbIntervals *rows = tb_trace_get_intervals (self->model->trace);
  gsize first, n;

  if (node->first == TB_TIME_NONE)
    return;
  add_change (changes, node->first, CHANGE_BORN, 0);
  add_change (changes, MAX (node->last, self->last_wake[thread]), CHANGE_DEAD, 0);
  tb_trace_get_thread_intervals (self->model->trace, thread, &first, &n);
  for (gsize i = first; i < first + n; i++)
    if (rows->state[i] < TB_STATE_INTERRUPTIBLE && rows->end[i] > self->model->from
        && rows->start[i] < self->model->to)
      {
        add_change (changes, MAX (rows->start[i], self->model->from), CHANGE_AWAKE + rows->state[i],
                    0);
        add_change (changes, MIN (rows->end[i], self->model->to), CHANGE_ASLEEP + rows->state[i],
                    0);
      }
  for (gsize i = self->first_wait[thread]; i < self->first_wait[thread + 1]; i++)
    {
      add_change (changes, self->old->start[i], CHANGE_WAITS, i);
      add_change (changes, self->old->end[i], CHANGE_WAKES, i);
    }
}

static gint64
get_credit (Merger *self, guint32 waker)
{
  return (gint64) GPOINTER_TO_SIZE (
      g_hash_table_lookup (self->credit_ns, GUINT_TO_POINTER (waker)));
}

static void
begin_wait (Merger *self, gsize wait)
{
  guint32 waker = replace (self->model, self->old->waker[wait]);
  TbWaitOpen open = { self->group->node, waker, self->clock, self->clock };
  Waiting *waiting = g_new (Waiting, 1);

  *waiting = (Waiting) { wait, self->model->opens->len, self->n_waits++, self->each };
  if (g_hash_table_size (self->credit_ns) > 0)
    {
      waiting->got_ns -= (double) get_credit (self, waker);
      g_hash_table_remove (self->credit_ns, GUINT_TO_POINTER (waker));
    }
  g_array_append_val (self->model->opens, open);
  self->waiting_of_thread[self->old->waiter[wait]]
      = g_sequence_insert_sorted (self->waiting, waiting, compare_waiting, NULL);
}

static void
end_wait (Merger *self, gsize wait)
{
  GSequenceIter *iter = self->waiting_of_thread[self->old->waiter[wait]];
  const Waiting *waiting = g_sequence_get (iter);
  TbWaitOpen *open = &g_array_index (self->model->opens, TbWaitOpen, waiting->open);
  gint64 credit_ns = (gint64) (self->each - waiting->got_ns);

  open->end = self->clock;
  if (credit_ns != 0)
    g_hash_table_insert (self->credit_ns, GUINT_TO_POINTER (open->edge),
                         GSIZE_TO_POINTER ((gsize) (get_credit (self, open->edge) + credit_ns)));
  g_sequence_remove (iter);
}

static void
apply (Merger *self, const Change *change)
{
  guint kind = change->what & 15;

  if (kind == CHANGE_WAITS)
    begin_wait (self, change->what >> 4);
  else if (kind == CHANGE_WAKES)
    end_wait (self, change->what >> 4);
  else if (kind == CHANGE_BORN)
    self->n_alive++;
  else if (kind == CHANGE_DEAD)
    self->n_alive--;
  else if (kind >= CHANGE_ASLEEP)
    self->n_in[kind - CHANGE_ASLEEP]--;
  else
    self->n_in[kind - CHANGE_AWAKE]++;
}

/* --- pieces of the virtual node --- */

/* Adjacent pieces of one wait are joined. */
static void
add_piece (GArray *pieces, gint64 from, gint64 to, guint32 waker, guint32 row)
{
  Piece piece = { from, to, waker, row };
  Piece *last = pieces->len > 0 ? &g_array_index (pieces, Piece, pieces->len - 1) : NULL;

  if (from == to)
    return;
  if (last != NULL && last->end == from && last->waker == waker && last->row == row)
    last->end = to;
  else
    g_array_append_val (pieces, piece);
}

static void
add_part (Merger *self, const Waiting *waiting, gint64 from, gint64 to)
{
  add_piece (self->pieces, from, to, replace (self->model, self->old->waker[waiting->wait]),
             self->old->row[waiting->wait]);
}

/* The first wait changes from period to period, so that the remainders of the division favour
 * none. */
static void
divide (Merger *self, gint64 from, gint64 length, gint n)
{
  GSequenceIter *iter = g_sequence_get_iter_at_pos (self->waiting, (gint) (self->turn % (guint) n));

  self->n_more += (guint) n - 1;
  for (gint i = 0; i < n; i++)
    {
      add_part (self, g_sequence_get (iter), from + length * i / n, from + length * (i + 1) / n);
      iter = g_sequence_iter_next (iter);
      if (g_sequence_iter_is_end (iter))
        iter = g_sequence_get_begin_iter (self->waiting);
    }
}

static void
give_to_first (Merger *self, gint64 from, gint64 length, gint n)
{
  GSequenceIter *iter = g_sequence_get_begin_iter (self->waiting);
  Waiting *first = g_sequence_get (iter);

  add_part (self, first, from, from + length);
  first->got_ns += (double) length;
  self->each += (double) length / n;
  g_sequence_sort_changed (iter, compare_waiting, NULL);
}

/* Adds a period of waiting for the creator, which may have executed programs meanwhile. */
static void
add_wait_for_creator (Merger *self, gint64 from, gint64 to)
{
  guint32 creator = replace (self->model, self->group->creator);

  while (from < to)
    {
      gint64 until = to;
      guint32 node = tb_wait_model_find_node (self->model, creator, from, &until);

      if (node != TB_ID_NONE || creator == TB_ID_NONE)
        add_piece (self->pieces, from, until, node, TB_ID_NONE);
      from = until;
    }
}

/* Adds a period in which nothing changes. */
static void
add_stretch (Merger *self, gint64 from, gint64 to)
{
  TbWaitNode *node = tb_wait_model_get_node (self->model, self->group->node);
  gint64 length = to - from;
  gint n = g_sequence_get_length (self->waiting);

  if (length <= 0)
    return;
  if (self->n_in[TB_STATE_RUNNING] > 0)
    node->running += length;
  else if (self->n_in[TB_STATE_RUNNABLE] > 0)
    node->runnable += length;
  else if (self->n_in[TB_STATE_UNKNOWN] > 0)
    node->unknown += length;
  else
    {
      node->waiting += length;
      if (self->n_alive == 0 || self->wperf)
        add_wait_for_creator (self, from, to);
      else if (n > 0)
        {
          self->clock += length;
          if (self->n_more + (guint) n - 1 <= (guint64) self->n_waits + TB_WAIT_EXTRA_PIECES)
            divide (self, from, length, n);
          else
            give_to_first (self, from, length, n);
          self->turn++;
        }
    }
}

/* Returns NULL if cancelled. */
static GArray *
list_pieces (Merger *self, const TbWaitGroup *group, GError **error)
{
  g_autoptr (GArray) changes = g_array_new (FALSE, FALSE, sizeof (Change));
  g_autoptr (GArray) pieces = g_array_new (FALSE, FALSE, sizeof (Piece));
  gint64 at = self->model->from;

  self->group = group;
  self->pieces = pieces;
  self->n_alive = self->turn = self->n_waits = 0;
  self->n_more = 0;
  self->each = 0;
  self->clock = 0;
  memset (self->n_in, 0, sizeof self->n_in);
  g_hash_table_remove_all (self->credit_ns);
  for (guint i = 0; i < group->members->len; i++)
    {
      if (i % 256 == 0 && g_cancellable_set_error_if_cancelled (self->cancellable, error))
        return NULL;
      list_changes (self, g_array_index (group->members, guint32, i), changes);
    }
  g_array_sort (changes, compare_changes);
  for (guint i = 0; i < changes->len; i++)
    {
      const Change *change = &g_array_index (changes, Change, i);

      if (i % STRIDE == STRIDE - 1
          && g_cancellable_set_error_if_cancelled (self->cancellable, error))
        return NULL;
      add_stretch (self, at, change->time);
      at = MAX (at, change->time);
      apply (self, change);
    }
  add_stretch (self, at, self->model->to);
  return g_steal_pointer (&pieces);
}

static gsize *
index_waits (const TbWaitModel *model)
{
  gsize *first = g_new0 (gsize, (gsize) model->n_threads + 2);

  for (gsize i = 0; i < model->waits.n; i++)
    if (model->waits.waiter[i] < model->n_threads)
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

/* --- edges --- */

static gboolean
is_virtual (const TbWaitModel *model, guint32 node)
{
  return tb_wait_model_get_node (model, node)->kind == TB_WAIT_NODE_VIRTUAL;
}

static void
count_wait (TbWaitEdge *edge, gint64 length)
{
  edge->waits++;
  edge->longest = MAX (edge->longest, length);
}

/* Replaces counts of pieces by counts of members' waits. Waits for the creator while no member
 * lives are not those of a member. */
static void
count_waits (TbWaitModel *model)
{
  const TbWaits *waits = &model->waits;
  /* By node: the edge that leads to it, valid if it is one of the current waiter. */
  g_autofree guint32 *edge_to = g_new0 (guint32, (gsize) model->nodes->len + 1);
  guint n_kept = 0;
  guint32 next = 0;

  for (guint32 i = 0; i < model->edges->len; i++)
    if (is_virtual (model, tb_wait_model_get_edge (model, i)->from))
      tb_wait_model_get_edge (model, i)->waits = tb_wait_model_get_edge (model, i)->longest = 0;
  for (gsize i = 0; i < waits->n; i++)
    if (waits->row[i] == TB_ID_NONE && is_virtual (model, waits->waiter[i]))
      count_wait (tb_wait_model_get_edge (model, waits->edge[i]), waits->end[i] - waits->start[i]);
  for (guint i = 0; i < model->opens->len; i++)
    {
      TbWaitOpen open = g_array_index (model->opens, TbWaitOpen, i);

      /* Both are in the order of the groups. */
      for (; next < model->edges->len && tb_wait_model_get_edge (model, next)->from <= open.node;
           next++)
        edge_to[tb_wait_model_get_edge (model, next)->to] = next;
      open.edge = edge_to[open.edge];
      if (open.start == open.end || open.edge >= next
          || tb_wait_model_get_edge (model, open.edge)->from != open.node)
        continue;
      count_wait (tb_wait_model_get_edge (model, open.edge), open.end - open.start);
      g_array_index (model->opens, TbWaitOpen, n_kept++) = open;
    }
  g_array_set_size (model->opens, n_kept);
}

/* --- all groups --- */

static void
put_wait (TbWaitModel *model, const TbWaits *old, gsize wait)
{
  tb_wait_model_add (model, old->start[wait], old->end[wait], old->waiter[wait],
                     replace (model, old->waker[wait]), old->row[wait]);
}

/* Replaces the members' waits by the pieces. Waits of earlier programs of a thread come last, as
 * their nodes do. */
static void
put_pieces (TbWaitModel *model, TbWaits *old, const GPtrArray *pieces_of_group)
{
  gsize n = 0, of_threads = 0;

  for (gsize i = 0; i < old->n; i++)
    n += !tb_wait_model_is_member (model, old->waiter[i]);
  for (guint i = 0; i < pieces_of_group->len; i++)
    n += ((GArray *) g_ptr_array_index (pieces_of_group, i))->len;
  model->waits = (TbWaits) { 0 };
  tb_wait_model_reserve (model, n);
  for (; of_threads < old->n && old->waiter[of_threads] < model->n_threads; of_threads++)
    if (!tb_wait_model_is_member (model, old->waiter[of_threads]))
      put_wait (model, old, of_threads);
  for (guint i = 0; i < pieces_of_group->len; i++)
    {
      const GArray *pieces = g_ptr_array_index (pieces_of_group, i);

      for (guint j = 0; j < pieces->len; j++)
        {
          const Piece *piece = &g_array_index (pieces, Piece, j);

          tb_wait_model_add (model, piece->start, piece->end,
                             g_array_index (model->groups, TbWaitGroup, i).node, piece->waker,
                             piece->row);
        }
    }
  for (gsize i = of_threads; i < old->n; i++)
    put_wait (model, old, i);
  tb_waits_clear (old);
}

gboolean
tb_wait_add_virtual_nodes (TbWaitModel *model,
                           gboolean wperf,
                           GCancellable *cancellable,
                           GError **error)
{
  g_autofree gsize *first = NULL;
  g_autofree gint64 *last_wake = NULL;
  g_autofree GSequenceIter **waiting_of_thread = NULL;
  g_autoptr (GSequence) waiting = g_sequence_new (g_free);
  g_autoptr (GHashTable) credit_ns = g_hash_table_new (NULL, NULL);
  g_autoptr (GPtrArray) all = g_ptr_array_new_with_free_func ((GDestroyNotify) g_array_unref);
  TbWaits old = model->waits;
  Merger merger = { .model = model,
                    .old = &old,
                    .wperf = wperf,
                    .cancellable = cancellable,
                    .waiting = waiting,
                    .credit_ns = credit_ns };

  if (model->groups->len == 0)
    return TRUE;
  merger.first_wait = first = index_waits (model);
  merger.last_wake = last_wake = find_last_wakes (model);
  merger.waiting_of_thread = waiting_of_thread
      = g_new (GSequenceIter *, (gsize) model->n_threads + 1);
  for (guint i = 0; i < model->groups->len; i++)
    {
      TbWaitNode *node
          = tb_wait_model_get_node (model, g_array_index (model->groups, TbWaitGroup, i).node);
      GArray *pieces = list_pieces (&merger, &g_array_index (model->groups, TbWaitGroup, i), error);

      if (pieces == NULL)
        return FALSE;
      g_ptr_array_add (all, pieces);
      node->first = model->from;
      node->last = model->to;
    }
  if (wperf)
    g_array_set_size (model->opens, 0);
  put_pieces (model, &old, all);
  tb_wait_model_index_edges (model);
  count_waits (model);
  return TRUE;
}
