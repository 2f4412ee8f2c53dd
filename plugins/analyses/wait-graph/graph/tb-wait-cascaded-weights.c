/* tb-wait-cascaded-weights.c: cascaded weight of each edge, which counts threads delayed
 * indirectly too; delays of the threads that the user selected, by edge: sum, and time in which
 * any was delayed; each by a sweep over the waits
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The cascaded re-distribution of the wPerf paper (3.2.2, figure 4) without its recursion.
 */

#include "config.h"

#include "tb-wait-cascaded-weights.h"

#include <string.h>

/* Beginnings and ends of waits that are sorted at a time; they fit a cache. */
#define EVENTS_A_SLICE 16384
/* For fewer waits, a second thread is not worth its start. */
#define WAITS_FOR_TWO 65536
#define NO_NODE G_MAXUINT32

/* A node of the forest at the current time. Sums wrap around, which cancels out. */
typedef struct
{
  guint32 waits_for; /* NO_NODE: it does not wait, or its wait was cut */
  guint32 size;      /* number of nodes in its subtree, itself included */
  guint64 sum;       /* of its wait so far: ∫ size dt, less size times the current time */
} Member;

typedef struct
{
  gint64 time;
  gsize wait;
} Moment;

/* Beginnings or ends in a slice, in order, and room to sort them. */
typedef struct
{
  gsize n;
  gsize size;
  Moment *moments;
  Moment *room;
} Moments;

typedef struct
{
  const TbWaitModel *model; /* for its nodes */
  gint64 from;
  gint64 to;
  const guint8 *left_out; /* by node: it does not count as delayed; NULL: none */
  const TbWaits *waits;
  guint32 n_edges;
  gboolean finds_blocked;
  GCancellable *cancellable;
  Member *members;
  gsize *next_start; /* by waiter with waits: its wait that begins next */
  gsize *next_end;
  const gsize *first; /* by index of such a waiter, and one past the last */
  guint32 n_waiters;
  gint64 *weights;    /* by edge */
  guint32 *open;      /* by node: the edge of its open wait; NO_NODE: none */
  guint32 *n_open;    /* by edge: its open waits with a non-empty subtree */
  gint64 *since;      /* by edge: since when there is such a wait */
  gint64 *blocked_ns; /* by edge: for how long there was one */
  guint64 n_cut;
  guint64 n_merged; /* of them, those through merged threads */
  GArray *cut;      /* guint32, the waiters of the others; NULL: none */
} Sweep;

static void
moments_clear (Moments *self)
{
  g_free (self->moments);
  g_free (self->room);
}

G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC (Moments, moments_clear)

static inline void
moments_add (Moments *self, gint64 time, gsize wait)
{
  if (G_UNLIKELY (self->n == self->size))
    {
      self->size = MAX (64, self->size * 2);
      self->moments = g_renew (Moment, self->moments, self->size);
      self->room = g_renew (Moment, self->room, self->size);
    }
  self->moments[self->n++] = (Moment) { time, wait };
}

/* Radix sort by time; it is stable. */
static void
moments_sort (Moments *self, gint64 from, gint64 width)
{
  for (guint shift = 0; shift < 64 && (width >> shift) > 0; shift += 11)
    {
      gsize count[2049] = { 0 };
      Moment *swapped = self->moments;

      for (gsize i = 0; i < self->n; i++)
        count[((guint64) (self->moments[i].time - from) >> shift & 2047) + 1]++;
      for (guint i = 0; i < 2047; i++)
        count[i + 1] += count[i];
      for (gsize i = 0; i < self->n; i++)
        self->room[count[(guint64) (self->moments[i].time - from) >> shift & 2047]++]
            = self->moments[i];
      self->moments = self->room;
      self->room = swapped;
    }
}

/* The subtree of a thread's wait becomes non-empty, or empty. */
static void
mark_subtree (Sweep *self, guint32 node, gboolean is_nonempty, gint64 time)
{
  guint32 edge = self->open[node];

  if (edge == NO_NODE)
    return;
  if (!is_nonempty)
    self->blocked_ns[edge] += --self->n_open[edge] == 0 ? time - self->since[edge] : 0;
  else if (self->n_open[edge]++ == 0)
    self->since[edge] = time;
}

/* Adds to the size of a node and of all nodes that it waits for, directly or not. Returns the last
 * of them. */
static inline guint32
spread (Sweep *self, guint32 node, gint64 size, gint64 time)
{
  Member *members = self->members;
  guint64 product = (guint64) size * (guint64) time;

  for (;;)
    {
      Member *member = &members[node];
      guint32 before = member->size;

      member->size += (guint32) size;
      member->sum -= product;
      if (self->open != NULL && (before == 0) != (member->size == 0))
        mark_subtree (self, node, before == 0, time);
      if (member->waits_for == NO_NODE)
        return node;
      node = member->waits_for;
    }
}

/* Whether a chain that returns to its origin goes through merged threads. One of these may wait for
 * a thread that waits for another of them. */
static gboolean
is_merged (const Sweep *self, guint32 node)
{
  for (; node != NO_NODE; node = self->members[node].waits_for)
    if (tb_wait_model_get_node (self->model, node)->kind == TB_WAIT_NODE_VIRTUAL)
      return TRUE;
  return FALSE;
}

static void
note_cut (Sweep *self, guint32 waiter, guint32 waker)
{
  self->n_cut++;
  if (is_merged (self, waker))
    {
      self->n_merged++;
      return;
    }
  if (self->cut == NULL)
    self->cut = g_array_new (FALSE, FALSE, sizeof (guint32));
  g_array_append_val (self->cut, waiter);
}

static void
begin (Sweep *self, gsize wait, gint64 time)
{
  const TbWaits *waits = self->waits;
  guint32 waiter = waits->waiter[wait], waker = waits->waker[wait];
  Member *member = &self->members[waiter];
  gint64 size = member->size;

  if (G_UNLIKELY (waiter == waker))
    ; /* a wait of one member for another is a self-loop, from which nothing leads on */
  else if (G_LIKELY (spread (self, waker, size, time) != waiter))
    member->waits_for = waker;
  else
    {
      /* A chain of waits that returns ends at the node that does not wait yet. */
      spread (self, waker, -size, time);
      note_cut (self, waiter, waker);
    }
  member->sum = -(guint64) size * (guint64) time;
  if (self->open == NULL)
    return;
  self->open[waiter] = waits->edge[wait];
  if (size > 0)
    mark_subtree (self, waiter, TRUE, time);
}

static void
end (Sweep *self, gsize wait, gint64 time)
{
  const TbWaits *waits = self->waits;
  Member *member = &self->members[waits->waiter[wait]];

  self->weights[waits->edge[wait]]
      += (gint64) (member->sum + (guint64) member->size * (guint64) time);
  if (self->open != NULL)
    {
      if (member->size > 0)
        mark_subtree (self, waits->waiter[wait], FALSE, time);
      self->open[waits->waiter[wait]] = NO_NODE;
    }
  if (member->waits_for == NO_NODE)
    return;
  spread (self, member->waits_for, -(gint64) member->size, time);
  member->waits_for = NO_NODE;
}

static void
sweep_slice (Sweep *self, const Moments *starts, const Moments *ends)
{
  gsize i = 0, j = 0;

  while (i < starts->n || j < ends->n)
    if (i == starts->n || (j < ends->n && ends->moments[j].time <= starts->moments[i].time))
      {
        end (self, ends->moments[j].wait, ends->moments[j].time - self->from);
        j++;
      }
    else
      {
        begin (self, starts->moments[i].wait, starts->moments[i].time - self->from);
        i++;
      }
}

/* Collects the beginnings and ends before a time that are not collected yet. */
static void
collect (Sweep *self, gint64 until, Moments *starts, Moments *ends)
{
  const TbWaits *waits = self->waits;

  starts->n = ends->n = 0;
  for (guint32 i = 0; i < self->n_waiters; i++)
    {
      gsize last = self->first[i + 1];
      gsize wait = self->next_start[i];

      for (; wait < last && waits->start[wait] < until; wait++)
        moments_add (starts, MAX (waits->start[wait], self->from), wait);
      self->next_start[i] = wait;
      for (wait = self->next_end[i]; wait < last && waits->end[wait] < until; wait++)
        moments_add (ends, waits->end[wait], wait);
      self->next_end[i] = wait;
    }
}

/* Finds the first wait of each waiter that ends after the beginning of the sweep. */
static void
skip_before (Sweep *self)
{
  const TbWaits *waits = self->waits;

  for (guint32 i = 0; i < self->n_waiters; i++)
    {
      gsize low = self->first[i], high = self->first[i + 1];

      while (low < high)
        {
          gsize middle = low + (high - low) / 2;

          if (waits->end[middle] > self->from)
            high = middle;
          else
            low = middle + 1;
        }
      self->next_start[i] = self->next_end[i] = low;
    }
}

/* Ends the waits that are open at the end of the sweep. */
static void
close_open (Sweep *self)
{
  for (guint32 i = 0; i < self->n_waiters; i++)
    if (self->next_start[i] > self->next_end[i])
      end (self, self->next_end[i], self->to - self->from);
}

static gpointer
sweep (gpointer data)
{
  Sweep *self = data;
  gint64 length = self->to - self->from;
  gsize n_slices = 2 * self->waits->n / EVENTS_A_SLICE + 1;
  g_auto (Moments) starts = { 0 };
  g_auto (Moments) ends = { 0 };
  gint64 width, at = self->from;

  self->members = g_new (Member, self->model->nodes->len);
  for (guint32 i = 0; i < self->model->nodes->len; i++)
    self->members[i] = (Member) { NO_NODE, self->left_out == NULL || !self->left_out[i], 0 };
  self->weights = g_new0 (gint64, self->n_edges + 1);
  if (self->finds_blocked)
    {
      self->open = g_new (guint32, self->model->nodes->len + 1);
      memset (self->open, 0xff, sizeof *self->open * (self->model->nodes->len + 1));
      self->n_open = g_new0 (guint32, self->n_edges + 1);
      self->since = g_new (gint64, self->n_edges + 1);
      self->blocked_ns = g_new0 (gint64, self->n_edges + 1);
    }
  self->next_start = g_new (gsize, self->n_waiters + 1);
  self->next_end = g_new (gsize, self->n_waiters + 1);
  skip_before (self);
  width = MAX (length / (gint64) n_slices, 1);
  while (at < self->to && !g_cancellable_is_cancelled (self->cancellable))
    {
      gint64 until = self->to - at > width ? at + width : self->to;

      collect (self, until, &starts, &ends);
      moments_sort (&starts, at, until - at);
      moments_sort (&ends, at, until - at);
      sweep_slice (self, &starts, &ends);
      at = until;
    }
  close_open (self);
  return NULL;
}

static void
sweep_clear (Sweep *self)
{
  g_clear_pointer (&self->cut, g_array_unref);
  g_free (self->members);
  g_free (self->next_start);
  g_free (self->next_end);
  g_free (self->weights);
  g_free (self->open);
  g_free (self->n_open);
  g_free (self->since);
  g_free (self->blocked_ns);
}

G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC (Sweep, sweep_clear)

static gsize *
index_waiters (const TbWaits *waits, guint32 *n_waiters)
{
  GArray *first = g_array_new (FALSE, FALSE, sizeof (gsize));

  for (gsize i = 0; i < waits->n; i++)
    if (i == 0 || waits->waiter[i] != waits->waiter[i - 1])
      g_array_append_val (first, i);
  *n_waiters = first->len;
  g_array_append_val (first, waits->n);
  return (gsize *) g_array_free (first, FALSE);
}

/* Sweeps the halves of the time in two threads. The weights of the whole are the sums of both. */
static void
sweep_both_halves (Sweep *early, Sweep *late)
{
  gint64 middle = early->from + (early->to - early->from) / 2;
  GThread *other;

  *late = *early;
  early->to = late->from = middle;
  other = g_thread_new ("wait-graph-sweep", sweep, late);
  sweep (early);
  g_thread_join (other);
}

/* Adds the results of the later half to those of the earlier one. */
static void
add_half (Sweep *early, const Sweep *late)
{
  if (late->weights == NULL)
    return;
  for (guint32 i = 0; i < early->n_edges; i++)
    early->weights[i] += late->weights[i];
  for (guint32 i = 0; early->blocked_ns != NULL && i < early->n_edges; i++)
    early->blocked_ns[i] += late->blocked_ns[i];
  early->n_cut += late->n_cut;
  early->n_merged += late->n_merged;
}

/* whole: the sweep to do. done: set to the finished sweep. Returns FALSE if cancelled. */
static gboolean
weigh (const Sweep *whole, Sweep *done, GError **error)
{
  g_auto (Sweep) late = { 0 };
  guint32 n_waiters;
  g_autofree gsize *first = index_waiters (whole->waits, &n_waiters);

  *done = *whole;
  done->first = first;
  done->n_waiters = n_waiters;
  if (whole->waits->n >= WAITS_FOR_TWO && g_get_num_processors () > 1)
    sweep_both_halves (done, &late);
  else
    sweep (done);
  if (done->n_cut + late.n_cut > 0 && late.weights != NULL)
    {
      /* Which wait of a cycle is cut depends on what was before, so the halves cannot be swept
       * separately. */
      sweep_clear (done);
      sweep_clear (&late);
      *done = *whole;
      done->first = first;
      done->n_waiters = n_waiters;
      late = (Sweep) { 0 };
      sweep (done);
    }
  done->first = NULL;
  if (g_cancellable_set_error_if_cancelled (whole->cancellable, error))
    return FALSE;
  add_half (done, &late);
  return TRUE;
}

gboolean
tb_wait_set_cascaded_weights (TbWaitModel *model, GCancellable *cancellable, GError **error)
{
  const Sweep whole = { .model = model,
                        .from = model->from,
                        .to = model->to,
                        .waits = &model->waits,
                        .n_edges = model->edges->len,
                        .cancellable = cancellable };
  g_auto (Sweep) done = { 0 };

  if (!weigh (&whole, &done, error))
    return FALSE;
  for (guint32 i = 0; i < model->edges->len; i++)
    tb_wait_model_get_edge (model, i)->weight = done.weights[i];
  model->cycles_cut = done.n_cut - done.n_merged;
  model->merged_cycles = done.n_merged;
  for (guint i = 0; done.cut != NULL && i < done.cut->len; i++)
    tb_wait_model_get_node (model, g_array_index (done.cut, guint32, i))->n_cut++;
  return TRUE;
}

gboolean
tb_wait_compute_delays (const TbWaitModel *model,
                        const TbWaits *waits,
                        const guint8 *outside,
                        guint32 n_edges,
                        TbWaitDelays *delays,
                        GCancellable *cancellable,
                        GError **error)
{
  const Sweep whole = { .model = model,
                        .from = model->from,
                        .to = model->to,
                        .left_out = outside,
                        .waits = waits,
                        .n_edges = n_edges,
                        .finds_blocked = TRUE,
                        .cancellable = cancellable };
  g_auto (Sweep) done = { 0 };

  if (!weigh (&whole, &done, error))
    return FALSE;
  delays->ns = g_steal_pointer (&done.weights);
  delays->blocked_ns = g_steal_pointer (&done.blocked_ns);
  return TRUE;
}

void
tb_wait_delays_clear (TbWaitDelays *self)
{
  g_clear_pointer (&self->ns, g_free);
  g_clear_pointer (&self->blocked_ns, g_free);
}
