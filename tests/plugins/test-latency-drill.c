/* test-latency-drill.c: test of a live drill-down without an agent: places of call sites in its
 * table, what it reports where it stopped, the histogram that it saves
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#include "config.h"

#include <json-glib/json-glib.h>

#include "tb-latency-drill-private.h"
#include "tb-latency-live-report.h"

#define NOINLINE __attribute__ ((noinline, noclone, used))

static volatile guint n_called;

NOINLINE static void
drill_first (void)
{
  n_called++;
}

NOINLINE static void
drill_second (void)
{
  n_called += 2;
}

NOINLINE static void
drill_f0 (void)
{
  drill_first ();
  drill_second ();
  n_called++;
}

static gboolean
send_nothing (const TbCaptureRecord *record, gpointer data, GError **error)
{
  return TRUE;
}

/* A drill-down of drill_f0 of this program. */
static TbLatencyDrill *
make_drill (void)
{
  const TbLatencyOptions options = { .resolution = 1,
                                     .warmup_calls = 100,
                                     .decision_calls = 20,
                                     .root_cause_threshold = 0.8,
                                     .max_depth = 32,
                                     .max_probes = 16,
                                     .from_bin = -1,
                                     .to_bin = -1 };
  TbLatencyDrill *drill = tb_latency_drill_new (&options, send_nothing, NULL);
  g_autoptr (GError) error = NULL;
  g_autoptr (TbLatencyImage) image = tb_latency_image_open ("/proc/self/exe", &error);
  const TbLatencySymbol *symbol;

  g_assert_no_error (error);
  symbol = tb_latency_image_find (image, "drill_f0", &error);
  g_assert_no_error (error);
  tb_latency_drill_set_function (drill, image, symbol);
  drill->is_ready = TRUE;
  return drill;
}

static gboolean
can_probe (TbLatencyDrill *drill)
{
  const TbLatencyCode *code = tb_latency_function_get_code (get_node (drill, F0_NODE)->function);

  if (code->points->len > 0)
    return TRUE;
  g_test_skip ("code of this architecture is not read");
  return FALSE;
}

/* Another node of a function whose sites are in the table, which is full, gets its probes: while
 * they are being attached for the first node, and after they were detached as unneeded. */
static void
test_full_table (void)
{
  g_autoptr (TbLatencyDrill) drill = make_drill ();
  TbLatencyFunction *function = get_node (drill, F0_NODE)->function;

  if (!can_probe (drill))
    return;
  tb_latency_drill_take_next_step (drill, F0_NODE);
  g_assert_cmpint (get_node (drill, F0_NODE)->phase, ==, TB_LATENCY_ATTACHING);
  g_assert_cmpuint (drill->n_sites, ==, function->code->points->len);
  drill->n_sites = TB_CAPTURE_LATENCY_MAX_SITES;
  for (guint round = 0; round < 2; round++)
    {
      guint32 id = tb_latency_tree_reserve (drill->tree, 1);
      TbLatencyNode *node
          = tb_latency_tree_add (drill->tree, id, F0_NODE, TB_LATENCY_FUNCTION, "drill_f0");

      node->function = function;
      node->callee_counter = (TbCaptureLatencyCounter) { .entered = 1, .total = 1000000 };
      tb_latency_drill_take_next_step (drill, id);
      g_assert_false (node->is_cut);
      g_assert_cmpint (node->phase, ==, TB_LATENCY_ATTACHING);
      g_assert_cmpuint (drill->n_sites, ==, TB_CAPTURE_LATENCY_MAX_SITES);
      /* All of its probes were removed. */
      get_node (drill, F0_NODE)->phase = node->phase = TB_LATENCY_DECIDED;
      function->is_attached = FALSE;
      function->is_narrowed = TRUE;
    }
}

/* Bins of half a doubling: counts of 128 ns and more, and of 1 ms and more. */
static void
take_bins (TbLatencyDrill *drill, guint64 fast, guint64 slow, guint64 other)
{
  const guint64 words[]
      = { 14, fast, 140 * fast, 30, other, 33000 * other, 40, slow, 1100000 * slow };
  TbCaptureRecord record = { .type = TB_CAPTURE_LATENCY_BINS,
                             .time = 1000,
                             .tail = (const guint8 *) words,
                             .tail_length = sizeof words };

  tb_latency_drill_take (drill, &record);
}

static JsonObject *
describe (TbLatencyDrill *drill, JsonParser *parser)
{
  g_autofree char *text = tb_latency_drill_describe (drill, 0, 1);

  g_assert_true (json_parser_load_from_data (parser, text, -1, NULL));
  return json_node_get_object (json_parser_get_root (parser));
}

static gint64
get_count (JsonObject *object, const char *member, guint i, guint number)
{
  JsonArray *row = json_array_get_array_element (json_object_get_array_member (object, member), i);

  return json_array_get_int_element (row, number);
}

/* The bins at the choice are saved, and the peaks are those of the histogram at the end. */
static void
test_saved_bins (void)
{
  g_autoptr (TbLatencyDrill) drill = make_drill ();
  g_autoptr (JsonParser) parser = json_parser_new ();
  JsonObject *state = describe (drill, parser);

  g_assert_true (json_object_get_null_member (state, "bins_at_choice"));
  take_bins (drill, 90, 30, 0);
  g_assert_true (drill->is_peak_chosen);
  take_bins (drill, 95, 40, 50);
  state = describe (drill, parser);
  g_assert_cmpuint (json_array_get_length (json_object_get_array_member (state, "bins")), ==, 3);
  g_assert_cmpuint (json_array_get_length (json_object_get_array_member (state, "bins_at_choice")),
                    ==, 2);
  g_assert_cmpint (get_count (state, "bins_at_choice", 0, 0), ==, 7);
  g_assert_cmpint (get_count (state, "bins_at_choice", 0, 1), ==, 90);
  g_assert_cmpint (get_count (state, "bins_at_choice", 1, 1), ==, 30);
  g_assert_cmpuint (json_array_get_length (json_object_get_array_member (state, "peaks")), ==, 3);
  g_assert_cmpint (json_object_get_int_member (state, "from_bin"), ==, 20);
}

/* A search that ends early reports the deepest call that it was deciding on. */
static void
test_stop (void)
{
  g_autoptr (TbLatencyDrill) drill = make_drill ();
  g_autofree char *first = NULL;
  g_autofree char *third = NULL;
  static const char *const names[] = { "work", "store", "slow_leaf" };
  guint32 parent = F0_NODE;

  g_assert_null (tb_latency_drill_describe_stop (drill));
  take_bins (drill, 90, 30, 0);
  get_node (drill, F0_NODE)->phase = TB_LATENCY_DECIDING;
  first = tb_latency_drill_describe_stop (drill);
  g_assert_cmpstr (first, ==, "The search stopped at the first level; continue with resume.");
  for (guint i = 0; i < G_N_ELEMENTS (names); i++)
    {
      guint32 id = tb_latency_tree_reserve (drill->tree, 1);

      get_node (drill, parent)->phase = TB_LATENCY_DECIDED;
      tb_latency_tree_add (drill->tree, id, parent, TB_LATENCY_FUNCTION, names[i])->phase
          = TB_LATENCY_DECIDING;
      parent = id;
    }
  third = tb_latency_drill_describe_stop (drill);
  g_assert_cmpstr (third, ==,
                   "The search stopped 3 levels down, in slow_leaf; continue with resume.");
  get_node (drill, parent)->phase = TB_LATENCY_DECIDED;
  g_assert_null (tb_latency_drill_describe_stop (drill));
}

int
main (int argc, char *argv[])
{
  g_test_init (&argc, &argv, NULL);
  drill_f0 ();
  g_test_add_func ("/latency-drill/full-table", test_full_table);
  g_test_add_func ("/latency-drill/saved-bins", test_saved_bins);
  g_test_add_func ("/latency-drill/stop", test_stop);
  return g_test_run ();
}
