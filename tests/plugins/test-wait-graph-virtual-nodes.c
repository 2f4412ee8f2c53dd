/* test-wait-graph-virtual-nodes.c: test of the virtual thread of short-lived threads when many of
 * them wait at once
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#include "config.h"

#include "model/tb-wait-short-lived.h"
#include "model/tb-wait-virtual-nodes.h"
#include "wait-graph-fixture.h"

#define MS G_GINT64_CONSTANT (1000000)
#define US G_GINT64_CONSTANT (1000)
/* TID of the first connection; the TID of its waker is greater by the number of connections */
#define FIRST 100
#define CONNECTIONS 100
#define ROUNDS 40
#define PERIOD 10000 /* µs from one wait of a connection to its next one */

/* A server starts a thread for each connection. Each thread waits for its own peer again and again,
 * and runs 1 µs in between, one thread at a time. Nearly always all other threads wait. */
static TbTrace *
open_connections (void)
{
  Story *story = story_new ("server");

  story_switch (story, 0, 0, 0, "R", 11);
  for (int i = 0; i < CONNECTIONS; i++)
    {
      int tid = FIRST + i, peer = tid + CONNECTIONS, cpu = 1 + i,
          t = 1000 + i * PERIOD / CONNECTIONS;

      story_add_at (story, 0, "0,name,,,,20,,,%d,,,peer,,,", peer);
      story_switch (story, 0, cpu + CONNECTIONS, 0, "R", peer);
      story_add (story, t, "0,fork,,,,11,%d,,,,,,,,", tid);
      story_add (story, t, "0,name,,,,10,,,%d,,,connection,,,", tid);
      story_switch (story, t, cpu, 0, "R", tid);
      for (int j = 0; j < ROUNDS; j++, t += PERIOD)
        {
          story_switch (story, t + 1, cpu, tid, "S", 0);
          story_wake (story, t + PERIOD, cpu + CONNECTIONS, peer, tid);
          story_switch (story, t + PERIOD, cpu, 0, "R", tid);
        }
      story_add_at (story, (t + 1) * US, "%d,exit,,,,,,,%d,,,,,,", cpu, tid);
      story_switch (story, t + 1, cpu, tid, "X", 0);
    }
  story_add (story, 2 * (ROUNDS + 2) * PERIOD, "0,mark,,,,,,,11,,,end,,,");
  return story_open (story);
}

/* Waiting time that belongs to a connection's peer, in ns: its part of every period from the start
 * of one wait to the next wake-up. */
static double
get_fair_part (int connection)
{
  double part = 0;

  for (int slot = connection; slot < connection + ROUNDS * CONNECTIONS; slot++)
    {
      int n_born = MIN (slot + 1, CONNECTIONS), n_ended = MAX (slot - ROUNDS * CONNECTIONS + 1, 0);

      part += (double) (PERIOD / CONNECTIONS - 1) * (double) US / (n_born - n_ended);
    }
  return part;
}

static TbWaitModel *
make_model (TbTrace *trace, TbWaitUnmerged *pieces_model)
{
  g_autoptr (GError) error = NULL;
  TbWaitModel *model;
  gint64 from, to;

  tb_trace_get_range (trace, &from, &to);
  model = tb_wait_model_new (trace, from, to, NULL, NULL, &error);
  g_assert_no_error (error);
  tb_wait_unmerged_init (pieces_model, NULL, model->n_threads);
  g_assert_true (tb_wait_find_short_lived (model, pieces_model, NULL, &error));
  g_assert_no_error (error);
  g_assert_cmpuint (model->groups->len, ==, 1);
  return model;
}

/* Memory grows with the number of waits, not with the number of pairs of waits. */
static void
test_many (void)
{
  g_autoptr (TbTrace) trace = open_connections ();
  g_auto (TbWaitUnmerged) pieces_model = { 0 };
  g_autoptr (TbWaitModel) model = make_model (trace, &pieces_model);
  g_autoptr (GError) error = NULL;
  const TbWaitGroup *group = &g_array_index (model->groups, TbWaitGroup, 0);
  gsize n_waits = 0, n_pieces = 0;
  guint n_peers = 0;
  gint64 for_peers = 0, for_server = 0;
  const TbWaitNode *node;

  for (gsize i = 0; i < model->waits.n; i++)
    n_waits += model->group_of_thread[model->waits.waiter[i]] == 0;
  g_assert_cmpuint (n_waits, ==, CONNECTIONS * ROUNDS);
  g_assert_true (tb_wait_add_virtual_nodes (model, FALSE, NULL, &error));
  g_assert_no_error (error);
  for (gsize i = 0; i < model->waits.n; i++)
    if (model->waits.waiter[i] == group->node)
      {
        gint64 length = model->waits.end[i] - model->waits.start[i];

        n_pieces += model->waits.row[i] != TB_ID_NONE;
        *(model->waits.row[i] != TB_ID_NONE ? &for_peers : &for_server) += length;
        g_assert_cmpint (length, >, 0);
        if (i > 0 && model->waits.waiter[i - 1] == group->node)
          g_assert_cmpint (model->waits.start[i], >=, model->waits.end[i - 1]);
      }
  g_assert_cmpuint (n_pieces, <=, 2 * n_waits + CONNECTIONS + TB_WAIT_EXTRA_PIECES);
  /* All of the time is accounted for. */
  node = tb_wait_model_get_node (model, group->node);
  g_assert_cmpint (for_peers + for_server, ==, node->waiting);
  g_assert_cmpint (node->running + node->runnable + node->unknown + node->waiting, ==,
                   model->to - model->from);
  for (guint32 i = 0; i < model->edges->len; i++)
    {
      const TbWaitEdge *edge = tb_wait_model_get_edge (model, i);

      guint n_threads;
      const TbThread *threads = tb_session_get_threads (tb_trace_get_session (trace), &n_threads);
      int connection;

      if (edge->from != group->node || edge->to == group->creator)
        continue;
      connection = threads[edge->to].tid - FIRST - CONNECTIONS;
      g_assert_cmpuint (edge->waits, ==, ROUNDS);
      g_assert_cmpint (edge->longest, ==, (PERIOD - 1 - (CONNECTIONS - 1)) * US);
      /* Except for the few periods that were not divided. */
      g_assert_cmpfloat_with_epsilon ((double) edge->plain, get_fair_part (connection),
                                      4.0 * PERIOD / CONNECTIONS * (double) US);
      n_peers++;
    }
  g_assert_cmpuint (n_peers, ==, CONNECTIONS);
}

static void
test_cancelled (void)
{
  g_autoptr (TbTrace) trace = open_connections ();
  g_auto (TbWaitUnmerged) pieces_model = { 0 };
  g_autoptr (TbWaitModel) model = make_model (trace, &pieces_model);
  g_autoptr (GCancellable) cancellable = g_cancellable_new ();
  g_autoptr (GError) error = NULL;

  g_cancellable_cancel (cancellable);
  g_assert_false (tb_wait_add_virtual_nodes (model, FALSE, cancellable, &error));
  g_assert_error (error, G_IO_ERROR, G_IO_ERROR_CANCELLED);
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/wait-graph/virtual/many", test_many);
  g_test_add_func ("/wait-graph/virtual/cancelled", test_cancelled);
  return recording_run_tests ();
}
