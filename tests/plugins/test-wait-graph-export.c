/* test-wait-graph-export.c: test that an exported recording has the same results when imported
 * again, also with shifted times and other thread names
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#include "config.h"

#include "../test-mode.h"
#include "wait-graph-fixture.h"

static char *
analyze_as_json (TbTrace *trace, const char *merge)
{
  g_autoptr (TbReport) report
      = wait_graph_analyze (trace, "merge-similar", merge, "work", "mark:work", NULL);
  g_autoptr (JsonNode) node = tb_report_to_json (report);

  return json_to_string (node, TRUE);
}

static void
assert_same_text (const char *one, const char *two)
{
  g_auto (GStrv) left = g_strsplit (one, "\n", -1), right = g_strsplit (two, "\n", -1);

  for (guint i = 0; left[i] != NULL || right[i] != NULL; i++)
    g_assert_cmpstr (left[i], ==, right[i]);
}

/* Takes ownership of the trace. */
static void
assert_round_trip (TbTrace *trace)
{
  g_autoptr (TbTrace) first = trace;
  g_autoptr (TbTrace) second = story_open_as (story_new_from_trace (first), "again");

  for (guint i = 0; i < 2; i++)
    {
      g_autofree char *one = analyze_as_json (first, i == 0 ? "yes" : "no");
      g_autofree char *two = analyze_as_json (second, i == 0 ? "yes" : "no");

      assert_same_text (one, two);
    }
}

static void
test_figures (void)
{
  assert_round_trip (story_open_file ("plugins/wait-graph-figure-1.csv"));
  assert_round_trip (story_open_file ("plugins/wait-graph-figure-3.csv"));
}

typedef struct
{
  Story *story;
  gint64 time;
  guint running[3];
  gboolean sleeps[7];
  gboolean has_request[7]; /* has a request in flight */
} Machine;

static void G_GNUC_PRINTF (2, 3) add_line_now (Machine *self, const char *format, ...)
{
  va_list arguments;

  self->time += g_test_rand_int_range (0, 2);
  va_start (arguments, format);
  story_add_at_valist (self->story, self->time, format, arguments);
  va_end (arguments);
}

static void
leave (Machine *self, guint cpu)
{
  static const char *const stacks[]
      = { "", "main@app;wait@libc", "[broken];take@app;lock@libc;futex@[kernel]",
          "app+0x4f3a@app" };
  static const char *const objects[]
      = { "lock,", "shared-lock,/dev/shm/ring", "file,/var/log/x", "poll," };
  guint tid = self->running[cpu];
  gint32 next = g_test_rand_int_range (11, 17);
  guint object = (guint) g_test_rand_int_range (0, G_N_ELEMENTS (objects));
  g_auto (GStrv) parts = g_strsplit (objects[object], ",", 2);

  self->sleeps[tid - 10] = g_test_rand_bit ();
  if (self->sleeps[tid - 10] && g_test_rand_bit ())
    add_line_now (self, "%u,sleep,,%s,,,,,%u,%s,%d,%s,,%d,%d", cpu, parts[0], tid, parts[1],
                  g_test_rand_int_range (0, 3) * 1000, object == 0 ? "futex=queue_lock" : "futex",
                  64 * g_test_rand_int_range (1, 4), g_test_rand_int_range (0, 3));
  for (guint i = 0; i < G_N_ELEMENTS (self->running); i++)
    if (next != 0 && (self->running[i] == (guint) next || self->sleeps[next - 10]))
      next = 0;
  add_line_now (self, "%u,switch,%u,%s,%d,,,,,,,,%s,,", cpu, tid,
                self->sleeps[tid - 10] ? "S" : "R", next,
                stacks[g_test_rand_int_range (0, G_N_ELEMENTS (stacks))]);
  self->running[cpu] = (guint) next;
}

static void
act (Machine *self, guint cpu)
{
  guint tid = self->running[cpu], other = (guint) g_test_rand_int_range (11, 17);

  switch (g_test_rand_int_range (0, 8))
    {
    case 0:
      add_line_now (self, "%u,mark,,,,,,,%u,,,work,,,", cpu, tid);
      break;
    case 1:
      add_line_now (self, "%u,%s,,,,,,,%u,,,0x40,,,", cpu,
                    g_test_rand_bit () ? "spin_begin" : "spin_end", tid);
      break;
    case 2:
      add_line_now (self, "%u,mark,,,,,,,%u,,,release=0x40,,,", cpu, tid);
      break;
    case 3:
      if (!self->has_request[tid - 10])
        add_line_now (self, "%u,io_issue,,,,,,,%u,vda,4096,,,%u,", cpu, tid, tid);
      self->has_request[tid - 10] = TRUE;
      break;
    case 4:
      add_line_now (self, "%u,net_send,,,,,,,%u,tcp,100,db:5432,,,7", cpu, tid);
      break;
    default:
      add_line_now (self, "%u,wakeup,,,,%u,%u,,,,,,main@app;wake@libc,,", cpu, tid, other);
      self->sleeps[other - 10] = FALSE;
      break;
    }
}

static void
interrupt (Machine *self, guint cpu)
{
  guint other = (guint) g_test_rand_int_range (11, 17);
  gboolean is_disk = self->has_request[other - 10];

  add_line_now (self, "%u,irq_entry,,,,,,,,%s,,,,,", cpu, is_disk ? "vda" : "eth0");
  self->has_request[other - 10] = FALSE;
  if (is_disk)
    add_line_now (self, "%u,io_complete,,,,,,,%u,vda,4096,,,%u,", cpu, other, other);
  add_line_now (self, "%u,wakeup,,,,0,%u,,,,,,,,", cpu, other);
  self->sleeps[other - 10] = FALSE;
  add_line_now (self, "%u,irq_exit,,,,,,,,%s,,,,,", cpu, is_disk ? "vda" : "eth0");
}

#define NAMES "Anna Ben Cleo Dora Emil Fay"

/* A machine with locks, disks, messages and spinning. */
static Story *
make_random (guint n_steps)
{
  Machine self = { .story = story_new (NAMES) };

  add_line_now (&self, "-1,device,,,,,,,,vda,,254:0,,,");
  for (guint i = 0; i < n_steps; i++)
    {
      guint cpu = (guint) g_test_rand_int_range (0, 3);
      gint32 next = g_test_rand_int_range (11, 17);

      if (g_test_rand_bit ())
        self.time += g_test_rand_int_range (0, 40000);
      if (self.running[cpu] == 0)
        {
          for (guint k = 0; k < 3; k++)
            if (next != 0 && (self.running[k] == (guint) next || self.sleeps[next - 10]))
              next = 0;
          if (next == 0)
            interrupt (&self, cpu);
          else
            add_line_now (&self, "%u,switch,0,R,%d,,,,,,,,,,", cpu, next);
          self.running[cpu] = (guint) next;
        }
      else if (g_test_rand_int_range (0, 3) == 0)
        leave (&self, cpu);
      else if (g_test_rand_int_range (0, 8) == 0)
        interrupt (&self, cpu);
      else
        act (&self, cpu);
    }
  return self.story;
}

static void
test_random (void)
{
  for (guint i = 0; i < test_rounds (12, 3); i++)
    assert_round_trip (story_open (make_random ((guint) g_test_rand_int_range (200, 3000))));
}

/* New names sort in another order and have other lengths. */
static char *
rename_all (const char *text)
{
  static const char *const new_names[] = { "Zeno", "Yvo", "X", "Willibald", "Vi", "Ute" };
  g_auto (GStrv) names = g_strsplit (NAMES, " ", -1);
  g_autoptr (GString) renamed = g_string_new (text);

  for (guint i = 0; names[i] != NULL; i++)
    g_string_replace (renamed, names[i], new_names[i], 0);
  return g_string_free (g_steal_pointer (&renamed), FALSE);
}

static Story *
shift_and_rename (const Story *story, gint64 by)
{
  g_autofree char *renamed = rename_all (story->str);
  g_auto (GStrv) lines = g_strsplit (renamed, "\n", -1);
  Story *shifted = story_new (NULL);

  for (guint i = 0; lines[i] != NULL && lines[i][0] != '\0'; i++)
    {
      char *rest;
      gint64 time = g_ascii_strtoll (lines[i], &rest, 10);

      story_add_at (shifted, time + by, "%s", rest + 1);
    }
  return shifted;
}

/* Positions in time of the report are in recorded times; shifts them back. */
static void
shift_back (JsonNode *node, gint64 by)
{
  static const char *const times[] = { "from_ns", "to_ns", "start_ns", "end_ns" };
  JsonObjectIter iter;
  const char *name;
  JsonNode *member;

  if (JSON_NODE_HOLDS_ARRAY (node))
    for (guint i = 0; i < json_array_get_length (json_node_get_array (node)); i++)
      shift_back (json_array_get_element (json_node_get_array (node), i), by);
  if (!JSON_NODE_HOLDS_OBJECT (node))
    return;
  for (guint i = 0; i < G_N_ELEMENTS (times); i++)
    if (json_object_has_member (json_node_get_object (node), times[i])
        && !json_object_get_null_member (json_node_get_object (node), times[i]))
      json_object_set_int_member (json_node_get_object (node), times[i],
                                  json_object_get_int_member (json_node_get_object (node), times[i])
                                      - by);
  json_object_iter_init (&iter, json_node_get_object (node));
  while (json_object_iter_next (&iter, &name, &member))
    shift_back (member, by);
}

/* Summary, findings and figures. */
static char *
format_results (TbTrace *trace, gint64 shifted)
{
  g_autoptr (TbReport) report = wait_graph_analyze (trace, NULL);
  g_autoptr (JsonNode) node = tb_report_to_json (report);
  JsonObject *object = json_node_get_object (node);
  g_autoptr (JsonNode) summary = json_node_copy (json_object_get_member (object, "summary"));
  g_autoptr (GString) results_text = g_string_new (NULL);
  g_autofree char *text = NULL;

  shift_back (summary, shifted);
  text = json_to_string (summary, TRUE);
  for (guint i = 0; i < tb_report_get_n_findings (report); i++)
    g_string_append_printf (results_text, "%s\n",
                            tb_finding_get_text (tb_report_get_finding (report, i)));
  return g_strconcat (results_text->str, text, NULL);
}

static void
test_shift_and_names (void)
{
  for (guint i = 0; i < test_rounds (12, 3); i++)
    {
      gint64 by = g_test_rand_int_range (1, 1000000) * G_GINT64_CONSTANT (7777777);
      Story *story = make_random ((guint) g_test_rand_int_range (200, 3000));
      g_autoptr (TbTrace) shifted = story_open_as (shift_and_rename (story, by), "shifted");
      g_autoptr (TbTrace) trace = story_open (story);
      g_autofree char *expected = format_results (trace, 0);
      g_autofree char *renamed = rename_all (expected);
      g_autofree char *results_text = format_results (shifted, by);

      assert_same_text (results_text, renamed);
    }
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/wait-graph/export/figures", test_figures);
  g_test_add_func ("/wait-graph/export/random", test_random);
  g_test_add_func ("/wait-graph/export/shift-and-names", test_shift_and_names);
  return recording_run_tests ();
}
