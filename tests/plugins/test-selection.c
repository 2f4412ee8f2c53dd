/* test-selection.c: test of selecting a part of a trace
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#include "recording.h"
#include "small-session.h"

static TbTrace *trace;

/* The selected TIDs in ascending order. */
static char *
get_chosen (TbSelection *selection)
{
  GString *text = g_string_new (NULL);
  guint n_threads;
  const TbThread *threads = tb_session_get_threads (tb_trace_get_session (trace), &n_threads);

  for (gint32 tid = 0; tid < 100; tid++)
    for (guint i = 0; i < n_threads; i++)
      if (threads[i].tid == tid && i != TB_THREAD_IDLE && tb_selection_has_thread (selection, i))
        g_string_append_printf (text, "%s%d", text->len ? " " : "", tid);
  return g_string_free (text, FALSE);
}

static void
check (const char *process, const char *thread, const char *expected)
{
  g_autoptr (TbSelection) selection = tb_selection_new (trace);
  g_autoptr (GError) error = NULL;
  g_autofree char *chosen = NULL;

  if (process)
    tb_selection_add_process_by_name (selection, process, &error);
  if (thread && !error)
    tb_selection_add_thread_by_name (selection, thread, &error);
  if (!expected)
    {
      g_assert_error (error, TB_EXTEND_ERROR, TB_EXTEND_ERROR_UNAVAILABLE);
      g_test_message ("%s", error->message);
      return;
    }
  g_assert_no_error (error);
  chosen = get_chosen (selection);
  g_assert_cmpstr (chosen, ==, expected);
}

static void
test_names (void)
{
  check (NULL, NULL, "10 11 20");
  check ("10", NULL, "10 11");
  check ("client", NULL, "10 11");
  check ("server", NULL, "20");
  check ("clien", NULL, NULL);
  check ("helper", NULL, NULL);
  check ("99", NULL, NULL);
  check ("id:99", NULL, NULL);
  check ("", NULL, NULL);
  check (NULL, "helper", "11");
  check (NULL, "11", "11");
  check ("server", "helper", "11 20");
  check (NULL, "nobody", NULL);
}

static void
test_ids (void)
{
  guint n_processes;
  const TbProcess *processes
      = tb_session_get_processes (tb_trace_get_session (trace), &n_processes);

  for (guint i = 0; i < n_processes; i++)
    {
      g_autofree char *id = g_strdup_printf ("id:%u", i);

      check (id, NULL, processes[i].pid == 10 ? "10 11" : "20");
    }
}

static void
test_range (void)
{
  g_autoptr (TbSelection) selection = tb_selection_new (trace);
  gint64 from;
  gint64 to;

  tb_selection_get_range (selection, &from, &to);
  g_assert_cmpint (from, ==, 1000);
  g_assert_cmpint (to, ==, 10000);
  tb_selection_set_range (selection, 0, 5000);
  tb_selection_get_range (selection, &from, &to);
  g_assert_cmpint (from, ==, 1000);
  g_assert_cmpint (to, ==, 5000);
  tb_selection_set_range (selection, 20000, 30000);
  tb_selection_get_range (selection, &from, &to);
  g_assert_cmpint (from, ==, 10000);
  g_assert_cmpint (to, ==, 10000);
}

int
main (int argc, char **argv)
{
  int status;

  g_test_init (&argc, &argv, NULL);
  trace = small_session_open ();
  g_test_add_func ("/extend/selection/names", test_names);
  g_test_add_func ("/extend/selection/ids", test_ids);
  g_test_add_func ("/extend/selection/range", test_range);
  status = recording_run_tests ();
  g_object_unref (trace);
  return status;
}
