/* wait-graph-reference.c: slow reference implementation of the paper's wait graph, and random
 * models to compare on
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#include "config.h"

#include "wait-graph-reference.h"

#include <string.h>

typedef struct
{
  gint64 start;
  gint64 end;
  guint32 waiter;
  guint32 waker;
} Wait;

static int
compare_waits (gconstpointer a, gconstpointer b)
{
  const Wait *left = a, *right = b;

  if (left->waiter != right->waiter)
    return left->waiter < right->waiter ? -1 : 1;
  return left->start < right->start ? -1 : left->start > right->start;
}

static TbWaitModel *
make_model (GArray *waits, guint n_threads, gint64 from, gint64 to)
{
  TbWaitModel *model = tb_wait_model_new_empty (n_threads, from, to);

  g_array_sort (waits, compare_waits);
  tb_wait_model_reserve (model, waits->len);
  for (guint i = 0; i < waits->len; i++)
    {
      const Wait *wait = &g_array_index (waits, Wait, i);

      tb_wait_model_add (model, wait->start, wait->end, wait->waiter, wait->waker, TB_ID_NONE);
    }
  tb_wait_model_index_edges (model);
  return model;
}

TbWaitModel *
wait_graph_random_model (GRand *rand, guint n_threads, guint n_steps, gint64 longest_step)
{
  g_autofree gint64 *since = g_new (gint64, n_threads);
  g_autoptr (GArray) waits = g_array_new (FALSE, FALSE, sizeof (Wait));
  gint64 origin = g_rand_int_range (rand, 0, 1000), time = origin;
  guint n_awake = n_threads;

  for (guint i = 0; i < n_threads; i++)
    since[i] = -1;
  for (guint i = 0; i < n_steps; i++)
    {
      guint32 waking_thread = (guint32) g_rand_int_range (rand, 0, (gint32) n_threads);
      guint32 woken_thread = (guint32) g_rand_int_range (rand, 0, (gint32) n_threads);

      time += g_rand_int_range (rand, 0, (gint32) longest_step);
      while (since[waking_thread] >= 0)
        waking_thread = (waking_thread + 1) % n_threads;
      /* A thread that just went to sleep is woken later only. */
      if (waking_thread != woken_thread && since[woken_thread] >= 0 && since[woken_thread] < time
          && g_rand_boolean (rand))
        {
          Wait wait = { since[woken_thread], time, woken_thread, waking_thread };

          g_array_append_val (waits, wait);
          since[woken_thread] = -1;
          n_awake++;
        }
      else if (n_awake > 1)
        {
          since[waking_thread] = time;
          n_awake--;
        }
    }
  return make_model (waits, n_threads, origin, time + 1);
}

TbWaitModel *
wait_graph_wrong_model (GRand *rand, guint n_threads, guint n_waits)
{
  g_autoptr (GArray) waits = g_array_new (FALSE, FALSE, sizeof (Wait));
  g_autofree gint64 *until = g_new0 (gint64, n_threads);
  gint64 last = 1;

  for (guint i = 0; i < n_waits; i++)
    {
      guint32 waiter = (guint32) g_rand_int_range (rand, 0, (gint32) n_threads);
      Wait wait = { until[waiter] + g_rand_int_range (rand, 0, 5), 0, waiter, 0 };

      wait.end = wait.start + g_rand_int_range (rand, 1, 12);
      wait.waker = (guint32) g_rand_int_range (rand, 0, (gint32) n_threads);
      until[waiter] = wait.end;
      last = MAX (last, wait.end);
      g_array_append_val (waits, wait);
    }
  return make_model (waits, n_threads, 0, last);
}

TbWaitModel *
wait_graph_cut_model (const TbWaitModel *model, gint64 from, gint64 to)
{
  g_autoptr (GArray) waits = g_array_new (FALSE, FALSE, sizeof (Wait));

  for (gsize i = 0; i < model->waits.n; i++)
    {
      Wait wait = { MAX (model->waits.start[i], from), MIN (model->waits.end[i], to),
                    model->waits.waiter[i], model->waits.waker[i] };

      if (wait.start < wait.end)
        g_array_append_val (waits, wait);
    }
  return make_model (waits, model->n_threads, from, to);
}

/* --- the cascade --- */

typedef struct
{
  const TbWaits *waits;
  guint8 *cut;
  gint64 *weights;
} Cascade;

static gboolean
begins_before (const TbWaits *waits, gsize a, gsize b)
{
  return waits->start[a] != waits->start[b] ? waits->start[a] < waits->start[b] : a < b;
}

/* Whether a chain of waits that are open when this wait begins leads back to its waiter. */
static gboolean
leads_back (const Cascade *self, gsize wait)
{
  const TbWaits *waits = self->waits;
  gint64 time = waits->start[wait];
  guint32 at = waits->waker[wait];
  gsize i = 0;

  while (at != waits->waiter[wait])
    {
      for (i = 0; i < waits->n; i++)
        if (waits->waiter[i] == at && !self->cut[i] && waits->start[i] <= time
            && waits->end[i] > time && begins_before (waits, i, wait))
          break;
      if (i == waits->n)
        return FALSE;
      at = waits->waker[i];
    }
  return TRUE;
}

static void
cascade (Cascade *self, gsize wait, gint64 from, gint64 to)
{
  const TbWaits *waits = self->waits;

  self->weights[waits->edge[wait]] += to - from;
  if (self->cut[wait])
    return;
  for (gsize i = 0; i < waits->n; i++)
    {
      gint64 start = MAX (from, waits->start[i]), end = MIN (to, waits->end[i]);

      if (waits->waiter[i] == waits->waker[wait] && start < end)
        cascade (self, i, start, end);
    }
}

gint64 *
wait_graph_cascade (const TbWaitModel *model, guint64 *n_cut)
{
  const TbWaits *waits = &model->waits;
  g_autofree guint8 *cut = g_new0 (guint8, waits->n + 1);
  g_autofree guint8 *done = g_new0 (guint8, waits->n + 1);
  Cascade self = { waits, cut, g_new0 (gint64, model->edges->len + 1) };

  *n_cut = 0;
  for (gsize n = 0; n < waits->n; n++)
    {
      gsize next = G_MAXSIZE;

      for (gsize i = 0; i < waits->n; i++)
        if (!done[i] && (next == G_MAXSIZE || begins_before (waits, i, next)))
          next = i;
      done[next] = TRUE;
      cut[next] = leads_back (&self, next);
      /* A self-loop does not continue the chain either, but is not a cycle. */
      *n_cut += cut[next] && waits->waiter[next] != waits->waker[next];
    }
  for (gsize i = 0; i < waits->n; i++)
    cascade (&self, i, waits->start[i], waits->end[i]);
  return self.weights;
}

/* --- components and refinement --- */

guint32 *
wait_graph_components (guint32 n_vertices,
                       const TbWaitLink *links,
                       const guint8 *present,
                       guint32 n_links)
{
  g_autofree guint8 *reaches = g_new0 (guint8, (gsize) n_vertices * n_vertices + 1);
  guint32 *component = g_new (guint32, n_vertices + 1);

  for (guint32 i = 0; i < n_vertices; i++)
    reaches[i * n_vertices + i] = TRUE;
  for (guint32 i = 0; i < n_links; i++)
    if (present[i])
      reaches[links[i].from * n_vertices + links[i].to] = TRUE;
  for (guint32 k = 0; k < n_vertices; k++)
    for (guint32 i = 0; i < n_vertices; i++)
      for (guint32 j = 0; j < n_vertices; j++)
        reaches[i * n_vertices + j] |= reaches[i * n_vertices + k] & reaches[k * n_vertices + j];
  for (guint32 i = 0; i < n_vertices; i++)
    {
      component[i] = i;
      for (guint32 j = i; j-- > 0;)
        if (reaches[i * n_vertices + j] && reaches[j * n_vertices + i])
          component[i] = component[j];
    }
  return component;
}

typedef struct
{
  guint32 n_vertices;
  const TbWaitLink *links;
  guint32 n_links;
  gint64 threshold;
  GPtrArray *leaves;
} Refiner;

static void
add_leaf (Refiner *self, char kind, const guint8 *vertices, const guint8 *present)
{
  GString *text = g_string_new (NULL);

  g_string_append_printf (text, "%c:", kind);
  for (guint32 i = 0; i < self->n_vertices; i++)
    if (vertices[i])
      g_string_append_printf (text, " %u", i);
  g_string_append_c (text, ':');
  for (guint32 i = 0; i < self->n_links; i++)
    if (present[i])
      g_string_append_printf (text, " %u", i);
  g_ptr_array_add (self->leaves, g_string_free (text, FALSE));
}

/* vertices: strongly connected by the present links, all of which connect them. */
static void
refine (Refiner *self, const guint8 *vertices, guint8 *present)
{
  guint32 n = 0, n_present = 0, lightest = 0;
  g_autofree guint32 *component = NULL;
  gboolean whole = TRUE;

  for (guint32 i = 0; i < self->n_vertices; i++)
    n += vertices[i];
  for (guint32 i = 0; i < self->n_links; i++)
    if (present[i])
      {
        n_present++;
        lightest = i; /* they are sorted */
      }
  if (n == 1 || n_present == n || self->links[lightest].weight > self->threshold)
    {
      add_leaf (self, n == 1 ? 'v' : n_present == n ? 'c' : 'h', vertices, present);
      return;
    }
  present[lightest] = FALSE;
  component = wait_graph_components (self->n_vertices, self->links, present, self->n_links);
  for (guint32 i = 0; i < self->n_vertices; i++)
    for (guint32 j = 0; j < i; j++)
      whole &= !vertices[i] || !vertices[j] || component[i] == component[j];
  if (whole)
    {
      refine (self, vertices, present);
      return;
    }
  for (guint32 of = 0; of < self->n_vertices; of++)
    {
      g_autofree guint8 *part = g_new0 (guint8, self->n_vertices);
      g_autofree guint8 *within = g_new0 (guint8, self->n_links + 1);
      gboolean leaves = FALSE, any = FALSE;

      for (guint32 i = 0; i < self->n_vertices; i++)
        any |= part[i] = vertices[i] && component[i] == of;
      for (guint32 i = 0; i < self->n_links; i++)
        if (present[i] && part[self->links[i].from])
          {
            within[i] = part[self->links[i].to];
            leaves |= !within[i];
          }
      if (any && !leaves)
        refine (self, part, within);
    }
}

static int
compare_texts (gconstpointer a, gconstpointer b)
{
  return strcmp (*(const char *const *) a, *(const char *const *) b);
}

GPtrArray *
wait_graph_refine (guint32 n_vertices, const TbWaitLink *links, guint32 n_links, gint64 threshold)
{
  Refiner self = { n_vertices, links, n_links, threshold, g_ptr_array_new_with_free_func (g_free) };
  g_autofree guint8 *vertices = g_new (guint8, n_vertices);
  g_autofree guint8 *present = g_new (guint8, n_links + 1);

  memset (vertices, TRUE, n_vertices);
  memset (present, TRUE, n_links);
  refine (&self, vertices, present);
  g_ptr_array_sort (self.leaves, compare_texts);
  return self.leaves;
}

GPtrArray *
wait_graph_describe_refined (const TbWaitRefined *refined)
{
  GPtrArray *leaves = g_ptr_array_new_with_free_func (g_free);

  for (guint i = 0; i < refined->leaves->len; i++)
    {
      const TbWaitLeaf *leaf = &g_array_index (refined->leaves, TbWaitLeaf, i);
      GString *text = g_string_new (NULL);

      g_string_append_printf (text, "%c:", "vch"[leaf->kind]);
      for (guint j = 0; j < leaf->vertices->len; j++)
        g_string_append_printf (text, " %u", g_array_index (leaf->vertices, guint32, j));
      g_string_append_c (text, ':');
      for (guint j = 0; j < leaf->links->len; j++)
        g_string_append_printf (text, " %u", g_array_index (leaf->links, guint32, j));
      g_ptr_array_add (leaves, g_string_free (text, FALSE));
    }
  g_ptr_array_sort (leaves, compare_texts);
  return leaves;
}
