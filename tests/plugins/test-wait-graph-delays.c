/* test-wait-graph-delays.c: test of the delays that waits cause to the target, against a check of
 * every time
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#include "config.h"

#include "model/tb-wait-pools.h"
#include "model/tb-wait-forwarding.h"
#include "wait-graph-reference.h"

#include <string.h>

#define N_CASES 10000u
#define N_THREADS 8u
#define N_DEVICES 2u

/* A random model, and the role of each node. */
typedef struct
{
  TbWaitModel *model;
  TbWaitGraph *graph;
  guint32 *arcs; /* by wait */
  guint8 outside[N_THREADS];
  guint8 forwards[N_THREADS];
} Case;

static void
case_clear (Case *self)
{
  g_free (self->arcs);
  tb_wait_graph_free (self->graph);
  tb_wait_model_free (self->model);
}

G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC (Case, case_clear)

/* The first nodes are devices, which never wait. */
static TbWaitModel *
make_model (GRand *rand, guint n)
{
  g_autoptr (TbWaitModel) model
      = wait_graph_random_model (rand, n, (guint) g_rand_int_range (rand, 0, 90),
                                 g_rand_int_range (rand, 1, 6));
  TbWaitModel *self = tb_wait_model_new_empty (n, model->from, model->to);
  const TbWaits *waits = &model->waits;

  tb_wait_model_reserve (self, waits->n);
  for (gsize i = 0; i < waits->n; i++)
    if (waits->waiter[i] >= N_DEVICES)
      tb_wait_model_add (self, waits->start[i], waits->end[i], waits->waiter[i], waits->waker[i],
                         TB_ID_NONE);
  tb_wait_model_index_edges (self);
  return self;
}

/* Nodes become vertices one by one or in pairs. */
static void
case_init (Case *self, GRand *rand)
{
  guint32 group[N_THREADS];
  guint8 merged[N_THREADS];
  guint n = (guint) g_rand_int_range (rand, N_DEVICES, N_THREADS + 1);
  gboolean in_pairs = g_rand_boolean (rand);

  self->model = make_model (rand, n);
  for (guint32 i = 0; i < n; i++)
    {
      gboolean device = i < N_DEVICES;

      if (device)
        tb_wait_model_get_node (self->model, i)->kind = TB_WAIT_NODE_DEVICE;
      self->outside[i] = !device && g_rand_boolean (rand);
      self->forwards[i] = self->outside[i] && g_rand_int_range (rand, 0, 3) > 0;
      group[i] = in_pairs && !device ? i / 2 * 2 + self->outside[i] : TB_ID_NONE;
      merged[i] = TB_WAIT_MERGED_SIMILAR;
    }
  self->graph = tb_wait_graph_new (self->model, group, merged, self->outside);
  self->arcs = g_new (guint32, self->model->waits.n + 1);
  for (gsize i = 0; i < self->model->waits.n; i++)
    self->arcs[i] = self->graph->arc_of_edge[self->model->waits.edge[i]];
}

/* G_MAXSIZE: none */
static gsize
find_open (const Case *self, guint32 node, gint64 time)
{
  const TbWaits *waits = &self->model->waits;

  for (gsize i = 0; i < waits->n; i++)
    if (waits->waiter[i] == node && waits->start[i] <= time && waits->end[i] > time)
      return i;
  return G_MAXSIZE;
}

/* The arc to the device that a wait is forwarded to; TB_ID_NONE: none. */
static guint32
find_forwarded (const Case *self, gsize wait, gint64 time)
{
  guint32 from = self->graph->vertex_of_node[self->model->waits.waiter[wait]];
  guint32 node = self->model->waits.waker[wait];

  if (self->outside[self->model->waits.waiter[wait]] || !self->forwards[node])
    return TB_ID_NONE;
  while (self->forwards[node])
    {
      gsize next = find_open (self, node, time);

      if (next == G_MAXSIZE)
        return TB_ID_NONE;
      node = self->model->waits.waker[next];
    }
  if (tb_wait_model_get_node (self->model, node)->kind != TB_WAIT_NODE_DEVICE)
    return TB_ID_NONE;
  for (guint32 i = 0; i < self->graph->arcs->len; i++)
    if (tb_wait_graph_get_arc (self->graph, i)->from == from
        && tb_wait_graph_get_arc (self->graph, i)->to == self->graph->vertex_of_node[node])
      return i;
  return TB_ID_NONE;
}

/* Adds the delay of each arc at one time. */
static void
add_delays_at (const Case *self, gint64 time, gboolean forward, gint64 *ns, gint64 *blocked_ns)
{
  g_autofree guint8 *any = g_new0 (guint8, self->graph->arcs->len + 1);

  for (guint32 thread = 0; thread < self->model->nodes->len; thread++)
    {
      guint32 node = thread;
      gsize wait;

      while (!self->outside[thread] && (wait = find_open (self, node, time)) != G_MAXSIZE)
        {
          guint32 forwarded = forward ? find_forwarded (self, wait, time) : TB_ID_NONE;
          guint32 arc = forwarded != TB_ID_NONE ? forwarded : self->arcs[wait];

          ns[arc]++;
          any[arc] = TRUE;
          if (forwarded != TB_ID_NONE)
            break;
          node = self->model->waits.waker[wait];
        }
    }
  for (guint32 i = 0; i < self->graph->arcs->len; i++)
    blocked_ns[i] += any[i];
}

static void
assert_delays (const Case *self, const TbWaitDelays *delays, gboolean forward)
{
  guint32 n = self->graph->arcs->len;
  g_autofree gint64 *ns = g_new0 (gint64, n + 1);
  g_autofree gint64 *blocked_ns = g_new0 (gint64, n + 1);

  for (gint64 time = self->model->from; time < self->model->to; time++)
    add_delays_at (self, time, forward, ns, blocked_ns);
  for (guint32 i = 0; i < n; i++)
    {
      g_assert_cmpint (delays->ns[i], ==, ns[i]);
      g_assert_cmpint (delays->blocked_ns[i], ==, blocked_ns[i]);
    }
}

/* The total must be unchanged: no thread waits for more or less than before. */
static void
assert_pieces (const Case *self, const TbWaits *pieces)
{
  gint64 before = 0, after = 0;

  for (gsize i = 0; i < self->model->waits.n; i++)
    before += self->model->waits.end[i] - self->model->waits.start[i];
  for (gsize i = 0; i < pieces->n; i++)
    {
      after += pieces->end[i] - pieces->start[i];
      if (i > 0 && pieces->waiter[i] == pieces->waiter[i - 1])
        g_assert_cmpint (pieces->start[i], >=, pieces->end[i - 1]);
      else if (i > 0)
        g_assert_cmpuint (pieces->waiter[i], >, pieces->waiter[i - 1]);
    }
  g_assert_cmpint (before, ==, after);
}

static void
test_delays (void)
{
  g_autoptr (GRand) rand = g_rand_new_with_seed ((guint32) g_test_rand_int ());
  guint n_forwarded = 0;

  for (guint i = 0; i < N_CASES; i++)
    {
      g_auto (Case) self = { 0 };
      g_auto (TbWaitDelays) delays = { 0 };
      g_auto (TbWaitDelays) forwarded = { 0 };
      TbWaits waits, pieces = { 0 };

      case_init (&self, rand);
      waits = self.model->waits;
      waits.edge = self.arcs;
      g_assert_true (tb_wait_compute_delays (self.model, &waits, self.outside,
                                             self.graph->arcs->len, &delays, NULL, NULL));
      assert_delays (&self, &delays, FALSE);
      if (!tb_wait_forward_waits (self.graph, self.outside, self.forwards, &pieces))
        {
          assert_delays (&self, &delays, TRUE);
          continue;
        }
      n_forwarded++;
      assert_pieces (&self, &pieces);
      g_assert_true (tb_wait_compute_delays (self.model, &pieces, self.outside,
                                             self.graph->arcs->len, &forwarded, NULL, NULL));
      assert_delays (&self, &forwarded, TRUE);
      tb_waits_clear (&pieces);
    }
  g_assert_cmpuint (n_forwarded, >, N_CASES / 50);
}

/* Long enough for two worker threads. The parts must add up to the whole. */
static void
test_long (void)
{
  g_autoptr (GRand) rand = g_rand_new_with_seed ((guint32) g_test_rand_int ());
  g_autoptr (TbWaitModel) model = wait_graph_random_model (rand, 40, 250000, 900);
  gint64 parts = 20, from = model->from, length = (model->to - model->from) / parts;
  g_autofree gint64 *ns = g_new0 (gint64, 40);
  g_autofree gint64 *blocked_ns = g_new0 (gint64, 40);
  g_autofree guint8 *outside = g_new0 (guint8, 40);
  g_auto (TbWaitDelays) whole = { 0 };

  for (guint i = 0; i < 40; i++)
    outside[i] = (guint8) g_rand_boolean (rand);
  g_assert_cmpuint (model->waits.n, >, 65536);
  /* By waker, so that each edge has many waiters. */
  memcpy (model->waits.edge, model->waits.waker, sizeof (guint32) * model->waits.n);
  g_assert_true (tb_wait_compute_delays (model, &model->waits, outside, 40, &whole, NULL, NULL));
  for (gint64 i = 0; i < parts; i++)
    {
      gint64 to = i + 1 == parts ? model->to : from + length;
      g_autoptr (TbWaitModel) part = wait_graph_cut_model (model, from, to);
      g_auto (TbWaitDelays) delays = { 0 };

      memcpy (part->waits.edge, part->waits.waker, sizeof (guint32) * part->waits.n);
      g_assert_true (tb_wait_compute_delays (part, &part->waits, outside, 40, &delays, NULL, NULL));
      for (guint j = 0; j < 40; j++)
        {
          ns[j] += delays.ns[j];
          blocked_ns[j] += delays.blocked_ns[j];
        }
      from = to;
    }
  for (guint j = 0; j < 40; j++)
    {
      g_assert_cmpint (whole.ns[j], ==, ns[j]);
      g_assert_cmpint (whole.blocked_ns[j], ==, blocked_ns[j]);
      g_assert_cmpint (whole.blocked_ns[j], <=, model->to - model->from);
    }
}

static void
assert_pool (const char *name, const char *expected, const char *work)
{
  g_autofree char *pool = tb_wait_pool_parse (name);

  g_assert_cmpstr (pool, ==, expected);
  g_assert_cmpstr (tb_wait_pool_get_work (name), ==, work);
}

static void
test_pools (void)
{
  assert_pool ("kworker/u8:3-events_unbound", "kworker/u8", "events_unbound");
  assert_pool ("kworker/u8:3+flush-254:0", "kworker/u8", "flush-254:0");
  assert_pool ("kworker/u8:12", "kworker/u8", "");
  assert_pool ("kworker/1:2H-kblockd", "kworker/1H", "kblockd");
  assert_pool ("kworker/1:2H", "kworker/1H", "");
  assert_pool ("kworker/1:2", "kworker/1", "");
  assert_pool ("kworker/R-ext4-rsv", NULL, "");
  assert_pool ("kworker/:3", NULL, "");
  assert_pool ("kworker/u:3", NULL, "");
  assert_pool ("kworker/u8:", NULL, "");
  assert_pool ("kworker/", NULL, "");
  assert_pool ("kworker", NULL, "");
  assert_pool ("jbd2/vda1-8", NULL, "");
  assert_pool ("", NULL, "");
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/wait-graph/delays", test_delays);
  g_test_add_func ("/wait-graph/delays/long", test_long);
  g_test_add_func ("/wait-graph/pools", test_pools);
  return g_test_run ();
}
