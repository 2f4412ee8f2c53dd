/* test-wait-graph-units.c: test that the proposed units of work are those in the recording, with
 * their counts
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#include "config.h"

#include "wait-graph-fixture.h"

#define N_WORLDS 40

static const char *const processes[] = { "app", "other", "other", "31" };
static const char *const marks[]
    = { "work", "work:page", "work:page:big", "workless", "turn", "a@app" };
static const char *const calls[] = { "read", "fsync" };
static const char *const functions[] = { "open", "ns", "ns::open", "open@other" };

static void
add_event (Story *story, int us, int tid, guint what)
{
  g_autofree char *count = g_strdup_printf ("=%d", g_test_rand_int_range (0, 4));

  switch (g_test_rand_int_range (0, 5))
    {
    case 0:
      story_add (story, us, "0,mark,,,,,,,%d,,,%s%s,,,", tid, marks[what % G_N_ELEMENTS (marks)],
                 g_test_rand_bit () ? count : "");
      break;
    case 1:
      story_add (story, us, "0,sys_enter,,,,,,,%d,,,%s,,,", tid,
                 calls[what % G_N_ELEMENTS (calls)]);
      story_add_at (story, us * 1000 + 5, "0,sys_exit,,,,,,,%d,,%d,%s,,,", tid,
                    g_test_rand_int_range (-2, 3), calls[what % G_N_ELEMENTS (calls)]);
      break;
    case 2:
      story_add (story, us, "0,call,,,,,,,%d,,,%s,,,", tid,
                 functions[what % G_N_ELEMENTS (functions)]);
      story_add_at (story, us * 1000 + 5, "0,return,,,,,,,%d,,,%s,,,", tid,
                    functions[what % G_N_ELEMENTS (functions)]);
      break;
    default:
      story_add (story, us, "0,%s,,,,,,,%d,eth0,100,host:80,,,7",
                 g_test_rand_bit () ? "net_send" : "net_receive", tid);
    }
}

/* Process i has the threads 10·i + 11 and 12. Two processes have one name; the name of one process
 * is the TID of a thread in another. */
static TbTrace *
open_world (guint n_events)
{
  Story *story = story_new ("A B");

  for (guint i = 1; i < G_N_ELEMENTS (processes); i++)
    for (int thread = 0; thread < 3; thread++)
      story_add (story, 0, "0,name,,,,%d,,,%d,,,%s%s,,,", 10 * i + 10, 10 * i + 10 + thread,
                 processes[i], thread > 0 ? "/worker" : "");
  story_switch (story, 0, 0, 0, "R", 11);
  for (guint i = 0; i < n_events; i++)
    add_event (story, 10 + (int) i * 3,
               10 * g_test_rand_int_range (0, G_N_ELEMENTS (processes)) + 11
                   + g_test_rand_int_range (0, 2),
               (guint) g_test_rand_int ());
  story_switch (story, 10000, 0, 11, "R", 11);
  return story_open (story);
}

static GPtrArray *
list (TbTrace *trace, const char *target, TbSelection *selection)
{
  g_autoptr (GError) error = NULL;
  g_autoptr (TbAnalysis) analysis = report_create_analysis ("wait-graph", "target", target, NULL);
  GPtrArray *found;

  found = tb_option_list_candidates (G_OBJECT (analysis), "work", trace, selection, NULL, &error);
  g_assert_no_error (error);
  return found;
}

/* The proposed count equals the count of the analysis with that unit. */
static void
assert_counted (TbTrace *trace, const char *target, const TbOptionCandidate *candidate)
{
  g_autoptr (TbReport) report
      = wait_graph_analyze (trace, "target", target, "work", candidate->text, NULL);
  JsonObject *work = json_object_get_object_member (report_get_summary (report), "work");

  g_test_message ("%s: %s", target, candidate->text);
  g_assert_cmpstr (json_object_get_string_member (work, "unit"), ==, candidate->text);
  g_assert_cmpuint ((guint64) json_object_get_int_member (work, "count"), ==, candidate->count);
  g_assert_cmpfloat_with_epsilon (json_object_get_double_member (work, "per_second"),
                                  candidate->per_second, 1e-6 * candidate->per_second);
}

static void
test_counts (void)
{
  static const char *const targets[] = { "", "app", "other" };

  for (guint i = 0; i < N_WORLDS; i++)
    {
      g_autoptr (TbTrace) trace = open_world ((guint) g_test_rand_int_range (0, 60));
      g_autoptr (TbSelection) all = tb_selection_new (trace);
      const char *target = targets[i % G_N_ELEMENTS (targets)];
      g_autoptr (GPtrArray) found = list (trace, target, all);
      g_autoptr (GHashTable) seen = g_hash_table_new (g_str_hash, g_str_equal);

      for (guint j = 0; j < found->len; j++)
        {
          const TbOptionCandidate *candidate = g_ptr_array_index (found, j);
          const TbOptionCandidate *before = j > 0 ? g_ptr_array_index (found, j - 1) : NULL;

          g_assert_true (g_hash_table_add (seen, candidate->text));
          g_assert_cmpuint (candidate->count, >, 0);
          if (before != NULL && g_str_equal (before->group, candidate->group))
            g_assert_cmpuint (before->count, >=, candidate->count);
          assert_counted (trace, target, candidate);
        }
    }
}

static void
assert_list (GPtrArray *found, const char *expected)
{
  g_autoptr (GString) text = g_string_new (NULL);

  for (guint i = 0; i < found->len; i++)
    {
      const TbOptionCandidate *candidate = g_ptr_array_index (found, i);

      g_string_append_printf (text, "%s%s %" G_GUINT64_FORMAT, i > 0 ? ", " : "", candidate->text,
                              candidate->count);
    }
  g_assert_cmpstr (text->str, ==, expected);
}

/* Everything in the recording is proposed, the best units first. */
static void
test_all (void)
{
  static const char *const lines[] = {
    "0,mark,,,,,,,11,,,work:page=2,,,",    "0,mark,,,,,,,12,,,work:put,,,",
    "0,mark,,,,,,,12,,,turn,,,",           "0,sys_enter,,,,,,,11,,,read,,,",
    "0,sys_exit,,,,,,,11,,5,read,,,",      "0,sys_enter,,,,,,,21,,,fsync,,,",
    "0,sys_exit,,,,,,,21,,0,fsync,,,",     "0,sys_enter,,,,,,,21,,,open,,,",
    "0,sys_exit,,,,,,,21,,-2,open,,,",     "0,call,,,,,,,11,,,commit,,,",
    "0,return,,,,,,,11,,,commit,,,",       "0,net_send,,,,,,,21,eth0,100,host:80,,,7",
    "0,net_send,,,,,,,31,eth0,9,h:80,,,8", "0,net_receive,,,,,,,11,eth0,9,h:80,,,8",
  };
  Story *story = story_new ("A B");
  g_autoptr (TbTrace) trace = NULL;
  g_autoptr (TbSelection) all = NULL;
  g_autoptr (GPtrArray) found = NULL;
  g_autoptr (GPtrArray) of_app = NULL;
  g_autoptr (GPtrArray) later = NULL;

  for (guint pid = 20; pid <= 30; pid += 10)
    {
      story_name (story, pid, "other", pid);
      story_name (story, pid + 1, "other/one", pid);
    }
  story_switch (story, 0, 0, 0, "R", 11);
  for (guint i = 0; i < G_N_ELEMENTS (lines); i++)
    story_add (story, 10 + (int) i, "%s", lines[i]);
  story_switch (story, 1000, 0, 11, "R", 11);
  trace = story_open (story);
  all = tb_selection_new (trace);
  found = list (trace, "", all);
  assert_list (
      found,
      "mark:work 3, mark:work:page 2, mark:work:put 1, function:commit 1, send:other 2, send:20 1, "
      "send:30 1, receive:app 1, syscall:fsync 1, syscall:read 1, mark:turn 1");
  of_app = list (trace, "app", all);
  assert_list (of_app,
               "mark:work 3, mark:work:page 2, mark:work:put 1, function:commit 1, receive:app 1, "
               "syscall:read 1, mark:turn 1");
  tb_selection_set_range (all, 18000, 21500);
  later = list (trace, "", all);
  assert_list (later, "function:commit 1, send:other 1");
}

static void
test_refused (void)
{
  g_autoptr (TbTrace) trace = open_world (3);
  g_autoptr (TbSelection) all = tb_selection_new (trace);
  g_autoptr (TbAnalysis) analysis = report_create_analysis ("wait-graph", NULL);
  g_autoptr (GCancellable) cancelled = g_cancellable_new ();
  g_autoptr (GError) error = NULL;

  g_assert_null (
      tb_option_list_candidates (G_OBJECT (analysis), "threshold", trace, all, NULL, &error));
  g_assert_error (error, TB_EXTEND_ERROR, TB_EXTEND_ERROR_USAGE);
  g_clear_error (&error);
  g_cancellable_cancel (cancelled);
  g_assert_null (
      tb_option_list_candidates (G_OBJECT (analysis), "work", trace, all, cancelled, &error));
  g_assert_error (error, G_IO_ERROR, G_IO_ERROR_CANCELLED);
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/wait-graph/units/counts", test_counts);
  g_test_add_func ("/wait-graph/units/all", test_all);
  g_test_add_func ("/wait-graph/units/refused", test_refused);
  return recording_run_tests ();
}
