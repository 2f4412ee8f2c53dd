/* test-flame-time.c: test of chronological flame figures, their lanes and categories
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#include "random-figures.h"
#include "report/flame/tb-flame-figure-private.h"

/* Siblings and the rows of a lane are in order of time, whatever the order in which they were
 * added. */
static void
check_rows (TbFlameFigure *figure)
{
  guint n = tb_flame_figure_get_n_nodes (figure);
  guint n_seen = 0;

  for (guint lane = 0; lane < tb_flame_figure_get_n_lanes (figure); lane++)
    for (guint depth = 0; depth < tb_flame_figure_get_lane_depth (figure, lane); depth++)
      {
        const gint64 *reach;
        guint n_row;
        const guint *row = tb_flame_figure_get_row (figure, lane, depth, &n_row, &reach);
        guint expected = 0;
        gint64 last = G_MININT64;
        gint64 latest = G_MININT64;

        for (guint i = 0; i < n; i++)
          expected += tb_flame_figure_get_node (figure, i)->lane == lane
                      && tb_flame_figure_get_node (figure, i)->depth == depth;
        g_assert_cmpuint (n_row, ==, expected);
        for (guint i = 0; i < n_row; i++)
          {
            const TbFlameNode *node = tb_flame_figure_get_node (figure, row[i]);

            g_assert_cmpint (node->from, >=, last);
            last = node->from;
            latest = MAX (latest, node->to);
            g_assert_cmpint (reach[i], ==, latest);
          }
        n_seen += n_row;
      }
  g_assert_cmpuint (n_seen, ==, n);
  for (guint i = 0; i < n; i++)
    {
      const TbFlameNode *node = tb_flame_figure_get_node (figure, i);

      if (node->next_sibling == TB_ID_NONE || node->parent == TB_ID_NONE)
        continue;
      g_assert_cmpint (tb_flame_figure_get_node (figure, node->next_sibling)->from, >=, node->from);
    }
}

static TbFlameFigure *
random_chronological (GRand *rand, guint n)
{
  for (;;)
    {
      g_autoptr (TbFlameFigure) figure = random_flame (rand, n);

      if (tb_flame_figure_get_chronological (figure, NULL, NULL))
        return g_steal_pointer (&figure);
    }
}

static void
test_rows (void)
{
  g_autoptr (GRand) rand = g_rand_new_with_seed (g_test_rand_int ());

  for (guint round = 0; round < 60; round++)
    {
      g_autoptr (TbFlameFigure) figure = random_chronological (rand, 4 * round);

      /* Equal boxes are not merged. */
      g_assert_cmpuint (tb_flame_figure_get_n_nodes (figure), ==, 4 * round);
      tb_figure_freeze (TB_FIGURE (figure));
      check_rows (figure);
    }
}

static gboolean
is_on (TbFlameFigure *figure, guint node, guint ancestor)
{
  for (; node != TB_ID_NONE; node = tb_flame_figure_get_node (figure, node)->parent)
    if (node == ancestor)
      return TRUE;
  return FALSE;
}

static void
test_breakdown (void)
{
  g_autoptr (GRand) rand = g_rand_new_with_seed (g_test_rand_int ());

  for (guint round = 1; round < 40; round++)
    {
      g_autoptr (TbFlameFigure) figure = tb_flame_figure_new ("f", "f", "ns");
      g_autofree guint64 *own = g_new0 (guint64, 3 * round * 4);
      guint64 all[3] = { 0 };

      for (guint category = 0; category < 3; category++)
        tb_flame_figure_add_category (figure, "c", "C", category);
      for (guint i = 0; i < 4 * round; i++)
        {
          g_autofree char *name = g_strdup_printf ("f%u", i);

          tb_flame_figure_add_node (figure,
                                    i < 2 ? TB_ID_NONE : (guint) g_rand_int_range (rand, 0, i),
                                    name, NULL, TB_FLAME_USER, 100, 1);
        }
      for (guint i = 0; i < 20 * round; i++)
        {
          guint node = g_rand_int_range (rand, 0, 4 * round);
          guint category = g_rand_int_range (rand, 0, 3);

          tb_flame_figure_add_to_category (figure, node, category, i);
          own[3 * node + category] += i;
          all[category] += i;
        }
      tb_figure_freeze (TB_FIGURE (figure));
      for (guint i = 0; i < 4 * round; i++)
        {
          guint64 expected[3] = { 0 };
          guint64 weights[3];

          tb_flame_figure_get_breakdown (figure, i, FALSE, weights);
          g_assert_cmpmem (weights, sizeof weights, own + 3 * i, sizeof weights);
          for (guint j = 0; j < 4 * round; j++)
            for (guint category = 0; category < 3 && is_on (figure, j, i); category++)
              expected[category] += own[3 * j + category];
          tb_flame_figure_get_breakdown (figure, i, TRUE, weights);
          g_assert_cmpmem (weights, sizeof weights, expected, sizeof expected);
        }
      for (guint category = 0; category < 3; category++)
        g_assert_cmpuint (tb_flame_figure_get_category (figure, category)->own, ==, all[category]);
    }
}

/* Roots of one name are merged within a lane only. A lane that is begun again is continued. */
static void
test_lanes (void)
{
  g_autoptr (TbFlameFigure) figure = tb_flame_figure_new ("f", "f", "ns");
  guint base;
  guint other;

  g_assert_cmpuint (tb_flame_figure_begin_lane (figure, "base", "Base path"), ==, 0);
  base = tb_flame_figure_add_node (figure, TB_ID_NONE, "curl", NULL, TB_FLAME_PROCESS, 5, 1);
  g_assert_cmpuint (tb_flame_figure_begin_lane (figure, "1", "Asynchronous"), ==, 1);
  other = tb_flame_figure_add_node (figure, TB_ID_NONE, "curl", NULL, TB_FLAME_PROCESS, 70, 1);
  g_assert_cmpuint (other, !=, base);
  tb_flame_figure_add_node (figure, other, "write", NULL, TB_FLAME_USER, 1, 1);
  g_assert_cmpuint (tb_flame_figure_begin_lane (figure, "base", "ignored"), ==, 0);
  g_assert_cmpuint (tb_flame_figure_add_node (figure, TB_ID_NONE, "curl", NULL, TB_FLAME_PROCESS, 5,
                                              1),
                    ==, base);
  tb_figure_freeze (TB_FIGURE (figure));
  g_assert_cmpuint (tb_flame_figure_get_n_lanes (figure), ==, 2);
  g_assert_cmpstr (tb_flame_figure_get_lane_name (figure, 0), ==, "Base path");
  g_assert_cmpuint (tb_flame_figure_get_lane_depth (figure, 0), ==, 1);
  g_assert_cmpuint (tb_flame_figure_get_lane_depth (figure, 1), ==, 2);
  g_assert_cmpuint (tb_flame_figure_get_node (figure, base)->own, ==, 10);
  /* Lanes stay in order of their creation, not of their weight. */
  g_assert_cmpuint (tb_flame_figure_get_first_root (figure), ==, base);
}

/* The overlap beyond a parent is at most the weight of its children. */
static void
test_beyond (void)
{
  g_autoptr (TbFlameFigure) figure = tb_flame_figure_new ("f", "f", "ns");
  guint sleep
      = tb_flame_figure_add_node (figure, TB_ID_NONE, "poll", NULL, TB_FLAME_WAITING, 10, 1);

  tb_flame_figure_add_node (figure, sleep, "worker", NULL, TB_FLAME_PROCESS, 90, 1);
  tb_flame_figure_add_overhang (figure, sleep, 20);
  tb_flame_figure_add_overhang (figure, sleep, 5);
  tb_flame_figure_add_overhang (figure, 1, 5);
  tb_figure_freeze (TB_FIGURE (figure));
  g_assert_cmpuint (tb_flame_figure_get_node (figure, sleep)->total, ==, 100);
  g_assert_cmpuint (tb_flame_figure_get_node (figure, sleep)->overhang, ==, 25);
  g_assert_cmpuint (tb_flame_figure_get_node (figure, 1)->overhang, ==, 0);
}

/* Too many boxes to save all of them: weights and categories stay exact, and references are either
 * correct or empty. */
static void
test_gathered (void)
{
  g_autoptr (GRand) rand = g_rand_new_with_seed (g_test_rand_int ());
  g_autoptr (TbFlameFigure) figure = tb_flame_figure_new ("f", "f", "ns");
  g_autoptr (TbFigure) frozen = NULL;
  g_autoptr (JsonNode) node = NULL;
  g_autoptr (GError) error = NULL;
  TbFlameFigure *read;
  guint n_found = 0;
  guint n_gathered = 0;

  tb_flame_figure_set_chronological (figure, 0, 1000000);
  tb_flame_figure_add_category (figure, "a", "A", TB_FLAME_USER);
  for (guint i = 0; i < 90000; i++)
    {
      gint64 from = g_rand_int_range (rand, 0, 1000000);
      guint box;

      if (i < 10 && i % 3 == 0)
        tb_flame_figure_begin_lane (figure, i < 5 ? "one" : "two", "Lane");
      box = tb_flame_figure_add_box (figure,
                                     i < 10 ? TB_ID_NONE : (guint) g_rand_int_range (rand, 0, i),
                                     "f", NULL, TB_FLAME_USER, from, from + 50,
                                     g_rand_int_range (rand, 0, 50));
      tb_flame_figure_add_to_category (figure, box, 0, 3);
      g_assert_cmpuint (box, ==, i);
    }
  tb_figure_freeze (TB_FIGURE (figure));
  node = tb_figure_to_json (TB_FIGURE (figure));
  frozen = tb_figure_from_json (node, &error);
  g_assert_no_error (error);
  read = TB_FLAME_FIGURE (frozen);
  check_rows (read);
  g_assert_cmpuint (tb_flame_figure_get_total (read), ==, tb_flame_figure_get_total (figure));
  g_assert_cmpuint (tb_flame_figure_get_category (read, 0)->own, ==, 3 * 90000);
  for (guint i = 0; i < 90000; i++)
    {
      g_autofree char *item = tb_flame_figure_get_item (figure, i);
      guint found = tb_flame_figure_find_item (read, item);
      g_autofree char *again = NULL;

      if (found == TB_ID_NONE)
        continue;
      n_found++;
      again = tb_flame_figure_get_item (read, found);
      g_assert_cmpstr (again, ==, item);
      g_assert_cmpint (tb_flame_figure_get_node (read, found)->from, ==,
                       tb_flame_figure_get_node (figure, i)->from);
      g_assert_cmpuint (tb_flame_figure_get_node (read, found)->total, ==,
                        tb_flame_figure_get_node (figure, i)->total);
    }
  for (guint i = 0; i < tb_flame_figure_get_n_nodes (read); i++)
    {
      g_autofree char *item = tb_flame_figure_get_item (read, i);

      n_gathered += item == NULL;
      g_assert_true ((item == NULL) == g_str_equal (tb_flame_figure_get_node (read, i)->name, "…"));
    }
  g_assert_cmpuint (n_found, >, 1000);
  g_assert_cmpuint (n_found + n_gathered, ==, tb_flame_figure_get_n_nodes (read));
  g_assert_cmpuint (tb_flame_figure_get_n_nodes (read), <=, 2 * TB_FLAME_JSON_NODES + 3);
}

/* The box with most of a time of a thread, and the child on it with most of that time, computed
 * node by node. */
static void
test_find_box (void)
{
  g_autoptr (GRand) rand = g_rand_new_with_seed (g_test_rand_int ());

  for (guint round = 0; round < 300; round++)
    {
      g_autoptr (TbFlameFigure) figure = tb_flame_figure_new ("f", "f", "ns");
      guint32 thread = g_rand_int_range (rand, 0, 3);
      gint64 from = g_rand_int_range (rand, 0, 90);
      gint64 to = from + g_rand_int_range (rand, 0, 30);
      gint64 most = 0;
      guint box, inner;

      tb_flame_figure_set_chronological (figure, 0, 200);
      for (guint i = 0; i < 30; i++)
        {
          gint64 start = g_rand_int_range (rand, 0, 100);
          guint node
              = tb_flame_figure_add_box (figure,
                                         i < 3 ? TB_ID_NONE : (guint) g_rand_int_range (rand, 0, i),
                                         "f", NULL,
                                         g_rand_boolean (rand) ? TB_FLAME_PROCESS : TB_FLAME_USER,
                                         start, start + g_rand_int_range (rand, 0, 80), 1);

          if (tb_flame_figure_get_n_nodes (figure) % 2)
            tb_flame_figure_set_thread (figure, node, g_rand_int_range (rand, 0, 3));
        }
      tb_figure_freeze (TB_FIGURE (figure));
      for (guint i = 0; i < 30; i++)
        {
          const TbFlameNode *node = tb_flame_figure_get_node (figure, i);

          if (node->thread == thread)
            most = MAX (most, MIN (node->to, to) - MAX (node->from, from));
        }
      box = tb_flame_figure_find_box (figure, thread, from, to, FALSE);
      inner = tb_flame_figure_find_box (figure, thread, from, to, TRUE);
      g_assert_true ((box == TB_ID_NONE) == (most <= 0));
      g_assert_true ((inner == TB_ID_NONE) == (box == TB_ID_NONE));
      if (box == TB_ID_NONE)
        continue;
      g_assert_cmpint (MIN (tb_flame_figure_get_node (figure, box)->to, to)
                           - MAX (tb_flame_figure_get_node (figure, box)->from, from),
                       ==, most);
      g_assert_true (is_on (figure, inner, box));
      /* Every node between them covers at least half of the time and is not a process; no child of
       * the last one does. */
      for (guint at = inner; at != box; at = tb_flame_figure_get_node (figure, at)->parent)
        {
          const TbFlameNode *node = tb_flame_figure_get_node (figure, at);

          g_assert_cmpint (node->paint, !=, TB_FLAME_PROCESS);
          g_assert_cmpint (2 * (MIN (node->to, to) - MAX (node->from, from)), >=, to - from);
        }
      for (guint i = 0; i < 30; i++)
        {
          const TbFlameNode *node = tb_flame_figure_get_node (figure, i);

          if (node->parent == inner && node->paint != TB_FLAME_PROCESS)
            g_assert_cmpint (2 * (MIN (node->to, to) - MAX (node->from, from)), <,
                             MAX (to - from, 1));
        }
    }
}

/* The same stack over time and consolidated. */
static void
test_find_same (void)
{
  g_autoptr (TbFlameFigure) time = tb_flame_figure_new ("t", "t", "ns");
  g_autoptr (TbFlameFigure) sums = tb_flame_figure_new ("s", "s", "ns");
  guint nodes[4];
  guint sum;

  tb_flame_figure_set_chronological (time, 0, 100);
  nodes[0] = tb_flame_figure_add_box (time, TB_ID_NONE, "curl", NULL, TB_FLAME_PROCESS, 0, 100, 0);
  nodes[1] = tb_flame_figure_add_box (time, nodes[0], "main", "curl", TB_FLAME_USER, 0, 30, 30);
  nodes[2] = tb_flame_figure_add_box (time, nodes[0], "main", "curl", TB_FLAME_USER, 60, 90, 30);
  nodes[3] = tb_flame_figure_add_box (time, nodes[2], "disk", NULL, TB_FLAME_DISK, 60, 90, 30);
  tb_figure_freeze (TB_FIGURE (time));
  tb_flame_figure_add_node (sums, TB_ID_NONE, "other", NULL, TB_FLAME_PROCESS, 500, 1);
  sum = tb_flame_figure_add_node (sums, TB_ID_NONE, "curl", NULL, TB_FLAME_PROCESS, 0, 1);
  tb_flame_figure_add_node (sums, sum, "main", "other", TB_FLAME_USER, 90, 1);
  sum = tb_flame_figure_add_node (sums, sum, "main", "curl", TB_FLAME_USER, 60, 2);
  tb_flame_figure_add_node (sums, sum, "disk", NULL, TB_FLAME_QUEUED, 30, 1);
  tb_figure_freeze (TB_FIGURE (sums));
  g_assert_cmpuint (tb_flame_figure_match_node (sums, time, nodes[1]), ==, sum);
  g_assert_cmpuint (tb_flame_figure_match_node (sums, time, nodes[2]), ==, sum);
  g_assert_cmpuint (tb_flame_figure_match_node (sums, time, nodes[3]), ==, TB_ID_NONE);
  g_assert_cmpuint (tb_flame_figure_match_node (sums, time, TB_ID_NONE), ==, TB_ID_NONE);
}

static void
test_text (void)
{
  g_autoptr (TbFlameFigure) figure = tb_flame_figure_new ("f", "Over Time", "ns");
  guint curl;
  guint poll;
  guint disk;
  g_autofree char *text = NULL;

  tb_flame_figure_set_chronological (figure, 1000000, 5000000);
  tb_flame_figure_add_category (figure, "understood_functions", "understood functions",
                                TB_FLAME_USER);
  tb_flame_figure_add_category (figure, "blocking_io", "blocking I/O", TB_FLAME_DISK);
  tb_flame_figure_begin_lane (figure, "0", "Base path");
  curl = tb_flame_figure_add_box (figure, TB_ID_NONE, "curl (1160)", "red", TB_FLAME_PROCESS,
                                  1000000, 5000000, 0);
  poll
      = tb_flame_figure_add_box (figure, curl, "poll", NULL, TB_FLAME_WAITING, 2000000, 4000000, 0);
  disk = tb_flame_figure_add_box (figure, poll, "login.log", "vda", TB_FLAME_DISK, 2000000, 4000000,
                                  2000000);
  tb_flame_figure_set_detail (figure, disk, "/var/log/login.log");
  tb_flame_figure_add_to_category (figure, disk, 1, 2000000);
  for (guint i = 0; i < 2; i++)
    {
      guint run = tb_flame_figure_add_box (figure, curl, "run", NULL, TB_FLAME_USER,
                                           4000000 - 3000000 * i, 5000000 - 3000000 * i, 1000000);

      tb_flame_figure_add_to_category (figure, run, 0, 1000000);
    }
  tb_figure_freeze (TB_FIGURE (figure));
  text = tb_figure_to_text (TB_FIGURE (figure), 80);
  g_assert_cmpstr (text, ==,
                   "Over Time\n─────────\n4 ms in total\nBase path\n"
                   "      0 ns       4 ms  curl (1160) [red]\n"
                   "      0 ns       1 ms    run\n"
                   "      1 ms       2 ms    poll\n"
                   "      1 ms       2 ms      login.log [vda] (/var/log/login.log)\n"
                   "      3 ms       1 ms    run\n"
                   "Total by category\n"
                   "   50 %       2 ms  understood functions\n"
                   "   50 %       2 ms  blocking I/O\n");
}

static void
test_hostile (void)
{
  static const char head[]
      = "{\"kind\":\"flame\",\"id\":\"f\",\"title\":\"f\",\"unit\":\"ns\",\"paints\":[\"user\"],"
        "\"strings\":[\"f\"],";
  static const char node[]
      = "\"parent\":[-1],\"name\":[0],\"module\":[0],\"paint\":[0],\"own\":[5],\"count\":[1]";
  static const char two[] = "\"parent\":[-1,0],\"name\":[0,0],\"module\":[0,0],\"paint\":[0,0],"
                            "\"own\":[5,5],\"count\":[1,1]";
  const struct
  {
    const char *before;
    const char *nodes;
    const char *more;
    const char *after;
    const char *description;
  } cases[] = {
    { "\"from_ns\":5,\"to_ns\":5,", node, ",\"from_ns\":[1],\"to_ns\":[2]", "", "not after" },
    { "\"from_ns\":5,", node, "", "", "to_ns" },
    { "\"from_ns\":1,\"to_ns\":5,", node, "", "", "from_ns" },
    { "\"from_ns\":1,\"to_ns\":5,", node, ",\"from_ns\":[3],\"to_ns\":[2]", "", "ends before" },
    { "\"from_ns\":1,\"to_ns\":5,", node, ",\"from_ns\":[-3],\"to_ns\":[2]", "", "from_ns" },
    { "", node, ",\"lane\":[0]", "", "lane" },
    { "\"lanes\":[{\"id\":\"a\",\"name\":\"\"}],", node, ",\"lane\":[1]", "", "lane" },
    { "\"lanes\":[{\"id\":\"a\",\"name\":\"\"},{\"id\":\"a\",\"name\":\"\"}],", node, "", "",
      "two lanes" },
    { "\"lanes\":[3],", node, "", "", "lane" },
    { "\"categories\":[{\"id\":\"a\"}],", node, "", "", "name" },
    { "", node, ",\"detail\":[1]", "", "detail" },
    { "", node, ",\"note\":[1]", "", "note" },
    { "", node, ",\"beyond\":[-1]", "", "beyond" },
    { "", node, "", ",\"shares\":{\"node\":[0],\"category\":[0],\"weight\":[1]}", "category" },
    { "\"categories\":[{\"id\":\"a\",\"name\":\"\",\"paint\":\"odd\"}],", node, "",
      ",\"shares\":{\"node\":[1],\"category\":[0],\"weight\":[1]}", "node" },
    { "", two, ",\"item\":[4,4]", "", "does not follow that" },
    { "", two, ",\"item\":[-1,4]", "", "before it has none" },
  };

  for (guint i = 0; i < G_N_ELEMENTS (cases); i++)
    {
      g_autofree char *text = g_strconcat (head, cases[i].before, "\"nodes\":{", cases[i].nodes,
                                           cases[i].more, "}", cases[i].after, "}", NULL);
      g_autoptr (JsonNode) json = json_from_string (text, NULL);
      g_autoptr (GError) error = NULL;

      g_assert_nonnull (json);
      g_assert_null (tb_figure_from_json (json, &error));
      g_assert_error (error, TB_REPORT_ERROR, TB_REPORT_ERROR_FORMAT);
      g_test_message ("%s", error->message);
      g_assert_nonnull (strstr (error->message, cases[i].description));
    }
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/report/flame-time/rows", test_rows);
  g_test_add_func ("/report/flame-time/breakdown", test_breakdown);
  g_test_add_func ("/report/flame-time/lanes", test_lanes);
  g_test_add_func ("/report/flame-time/beyond", test_beyond);
  g_test_add_func ("/report/flame-time/gathered", test_gathered);
  g_test_add_func ("/report/flame-time/find-box", test_find_box);
  g_test_add_func ("/report/flame-time/find-same", test_find_same);
  g_test_add_func ("/report/flame-time/text", test_text);
  g_test_add_func ("/report/flame-time/hostile", test_hostile);
  return g_test_run ();
}
