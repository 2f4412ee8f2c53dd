/* test-live-latency.c: live search for slow calls of a function in the window
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The program is tests/cases/programs/slow.c.
 */

#include "config.h"

#include "record-fixture.h"
#include "ui-test.h"

#include <fcntl.h>
#include <gio/gio.h>
#include <glib/gstdio.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <unistd.h>

#include "shell/recording/tb-function-page.h"
#include "report/table/tb-table-figure.h"
#include "widgets/histogram/tb-histogram-view.h"
#include "widgets/table/tb-table-view.h"

/* Number of calls of the peak that each level needs. */
#define DECISION_OPS 20u
#define NEVER 2000000000u

/* The program ends with the test in any case; otherwise a reader of the test's output would wait
 * for it too. The priority reduces preemption, which would otherwise be the cause of slow calls. */
static void
set_up_child (gpointer unused)
{
  prctl (PR_SET_PDEATHSIG, SIGKILL);
  (void) setpriority (PRIO_PROCESS, 0, -10);
}

static GSubprocess *
start_program (const char *which)
{
  g_autoptr (GSubprocessLauncher) launcher
      = g_subprocess_launcher_new (G_SUBPROCESS_FLAGS_STDOUT_SILENCE);
  const char *path = g_getenv ("TAILBACK_SLOW");
  g_autoptr (GError) error = NULL;
  GSubprocess *program;

  g_assert_nonnull (path);
  g_subprocess_launcher_set_child_setup (launcher, set_up_child, NULL, NULL);
  program = g_subprocess_launcher_spawn (launcher, &error, path, which, "600", NULL);
  g_assert_no_error (error);
  return program;
}

static gint32
get_pid (GSubprocess *program)
{
  return atoi (g_subprocess_get_identifier (program));
}

/* Checks that its code equals its file; probes would change it. */
static gboolean
is_untouched (gpointer program)
{
  g_autofree char *maps_path = g_strdup_printf ("/proc/%d/maps", get_pid (program));
  g_autofree char *memory_path = g_strdup_printf ("/proc/%d/mem", get_pid (program));
  g_autofree char *maps = NULL, *code = NULL;
  g_auto (GStrv) lines = NULL;
  g_autoptr (GMappedFile) file = g_mapped_file_new (g_getenv ("TAILBACK_SLOW"), FALSE, NULL);
  int memory = g_open (memory_path, O_RDONLY | O_CLOEXEC, 0);
  gboolean is_same = FALSE;

  g_assert_true (memory >= 0 && file != NULL && g_file_get_contents (maps_path, &maps, NULL, NULL));
  lines = g_strsplit (maps, "\n", -1);
  for (guint i = 0; lines[i] != NULL; i++)
    {
      guint64 from, to, offset;

      if (!g_str_has_suffix (lines[i], g_getenv ("TAILBACK_SLOW"))
          || strstr (lines[i], " r-xp ") == NULL)
        continue;
      g_assert_cmpint (sscanf (lines[i],
                               "%" G_GINT64_MODIFIER "x-%" G_GINT64_MODIFIER
                               "x r-xp %" G_GINT64_MODIFIER "x",
                               &from, &to, &offset),
                       ==, 3);
      to = MIN (to, from + g_mapped_file_get_length (file) - offset);
      code = g_malloc (to - from);
      g_assert_cmpint (pread (memory, code, to - from, (off_t) from), ==, to - from);
      is_same = memcmp (code, g_mapped_file_get_contents (file) + offset, to - from) == 0;
    }
  close (memory);
  g_assert_nonnull (code);
  return is_same;
}

static gboolean
has_functions (gpointer page)
{
  return g_list_model_get_n_items (tb_function_page_get_found (page)) > 0;
}

static gboolean
has_one_function (gpointer page)
{
  return g_list_model_get_n_items (tb_function_page_get_found (page)) == 1;
}

static gboolean
is_shown (gpointer dialog)
{
  return shell_find_text (dialog, "peaks_f0") != NULL;
}

/* As a user does: the list, a search text, Enter. */
static void
choose_function (TbRecordDialog *dialog)
{
  GtkWidget *page, *search;

  gtk_widget_activate_action (GTK_WIDGET (dialog), "record.choose-function", NULL);
  page = shell_find (GTK_WIDGET (dialog), "TbFunctionPage", NULL);
  g_assert_nonnull (page);
  shell_wait (has_functions, page, "the functions of the program");
  search = shell_find (page, "GtkSearchEntry", NULL);
  gtk_editable_set_text (GTK_EDITABLE (search), "peaks_f0");
  shell_wait (has_one_function, page, "the function that was typed");
  g_signal_emit_by_name (search, "activate");
  shell_wait (is_shown, dialog, "the function in the assistant");
}

static TbHistogramFigure *
find_histogram (GtkWidget *window, TbHistogramView **view)
{
  GtkWidget *widget = shell_find (window, "TbHistogramView", NULL);

  *view = widget != NULL ? TB_HISTOGRAM_VIEW (widget) : NULL;
  return widget != NULL ? TB_HISTOGRAM_FIGURE (tb_figure_view_get_figure (TB_FIGURE_VIEW (widget)))
                        : NULL;
}

static guint64
count_calls (TbHistogramFigure *figure)
{
  guint64 n = 0;

  for (guint i = 0; i < tb_histogram_figure_get_n_bins (figure); i++)
    n += tb_histogram_figure_get_count (figure, 0, i);
  return n;
}

typedef struct
{
  TbWindow *window;
  TbRecording *recording;
  guint64 calls;
} Watch;

static gboolean
has_more_calls (gpointer data)
{
  Watch *watch = data;
  TbHistogramView *view;
  TbHistogramFigure *figure = find_histogram (GTK_WIDGET (watch->window), &view);

  return tb_recording_get_state (watch->recording) >= TB_RECORDING_STOPPING
         || (figure != NULL && count_calls (figure) > watch->calls);
}

/* Selects the bins of calls of 0.26 to 1 ms: the slowest path, with little preemption. */
static gboolean
select_slow_path (gpointer data)
{
  Watch *watch = data;
  TbHistogramView *view;
  TbHistogramFigure *figure = find_histogram (GTK_WIDGET (watch->window), &view);
  guint first = G_MAXUINT, end = 0;

  for (guint i = 0; figure != NULL && i < tb_histogram_figure_get_n_bins (figure); i++)
    {
      gint64 from = tb_histogram_figure_get_bin (figure, i)->from;

      if (from < 1 << 18 || from >= 1 << 20 || tb_histogram_figure_get_count (figure, 0, i) == 0)
        continue;
      first = MIN (first, i);
      end = i + 1;
    }
  if (first >= end)
    return FALSE;
  tb_histogram_view_select (view, first, end);
  return TRUE;
}

static gboolean
has_cause (gpointer data)
{
  Watch *watch = data;

  return tb_recording_get_state (watch->recording) >= TB_RECORDING_STOPPING
         || shell_find_text (GTK_WIDGET (watch->window), "No probes are left attached") != NULL;
}

static gboolean
is_narrow (gpointer window)
{
  return gtk_widget_get_width (window) <= 600;
}

static gboolean
is_wide (gpointer window)
{
  return !is_narrow (window);
}

/* Takes pictures if requested, also dark and narrow. */
static void
picture_each (TbWindow *window, const char *name)
{
  GSettings *settings = tb_application_get_settings (shell_get_application ());
  int width = gtk_widget_get_width (GTK_WIDGET (window)),
      height = gtk_widget_get_height (GTK_WIDGET (window));
  g_autofree char *dark = g_strconcat (name, "-dark", NULL);
  g_autofree char *narrow = g_strconcat (name, "-narrow", NULL);

  shell_picture (window, name);
  if (g_getenv ("TAILBACK_PICTURES") == NULL)
    return;
  g_settings_set_string (settings, "style", "dark");
  shell_picture (window, dark);
  g_settings_set_string (settings, "style", "light");
  gtk_window_set_default_size (GTK_WINDOW (window), 360, 720);
  shell_wait (is_narrow, window, "a narrow window");
  shell_picture (window, narrow);
  gtk_window_set_default_size (GTK_WINDOW (window), width, height);
  shell_wait (is_wide, window, "the window as it was");
}

static TbRecording *
start (TbWindow *window, GSubprocess *program, guint decision_calls)
{
  TbRecordDialog *dialog = record_open_assistant (window);
  g_autoptr (GFile) file = shell_temporary ("live.tailback");
  GtkWidget *decision;

  tb_record_dialog_set_scope (dialog, TB_SCOPE_PROCESS);
  tb_record_dialog_set_process (dialog, get_pid (program), "slow");
  record_wait_preflight (dialog);
  if (!tb_record_dialog_set_collector (dialog, "latency"))
    g_error ("there is no collector latency");
  g_assert_false (record_can_start (dialog));
  choose_function (dialog);
  /* The estimated cost. */
  shell_wait_text (GTK_WIDGET (dialog), "; call sites: ");
  decision = shell_find (GTK_WIDGET (dialog), "AdwSpinRow", "Calls for a decision");
  g_assert_nonnull (decision);
  adw_spin_row_set_value (ADW_SPIN_ROW (decision), decision_calls);
  g_assert_true (record_can_start (dialog));
  shell_picture (window, "live-assistant");
  tb_record_dialog_set_file (dialog, file);
  return record_start (window, dialog);
}

static gboolean
is_settled (gpointer recording)
{
  return tb_recording_get_state (recording) >= TB_RECORDING_RUNNING;
}

static void
check_report (TbWindow *window)
{
  TbDocument *document = record_get_document (window);
  const char *found = tb_session_get_fact (tb_document_get_session (document), "latency");

  g_assert_nonnull (found);
  g_assert_nonnull (strstr (found, "peaks_leaf_c"));
  picture_each (window, "live-document");
}

/* Returns FALSE if nothing can be recorded here, which ends the test. */
static gboolean
await_start (TbWindow *window, TbRecording *recording, GSubprocess *program)
{
  shell_wait (is_settled, recording, "the recording");
  if (!g_error_matches (tb_recording_get_error (recording), TB_EXTEND_ERROR,
                        TB_EXTEND_ERROR_UNAVAILABLE))
    {
      g_assert_no_error (tb_recording_get_error (recording));
      return TRUE;
    }
  g_test_skip (tb_recording_get_error (recording)->message);
  g_subprocess_force_exit (program);
  shell_close_window (window);
  return FALSE;
}

static guint
count_rows (gpointer data)
{
  GtkWidget *table = shell_find (data, "TbTableView", NULL);

  return table != NULL ? tb_table_figure_get_n_rows (
                             TB_TABLE_FIGURE (tb_figure_view_get_figure (TB_FIGURE_VIEW (table))))
                       : 0;
}

/* The parts of the peak's calls are shown during the search. */
static gboolean
has_callees (gpointer window)
{
  return count_rows (window) > 1;
}

static void
test_live (void)
{
  TbWindow *window = shell_new_window ();
  g_autoptr (GSubprocess) program = start_program ("peaks");
  g_autoptr (TbRecording) recording = start (window, program, DECISION_OPS);
  Watch watch = { window, recording, 0 };
  TbHistogramView *view;

  if (!await_start (window, recording, program))
    return;
  /* The histogram fills, twice. */
  shell_wait (has_more_calls, &watch, "a histogram");
  watch.calls = count_calls (find_histogram (GTK_WIDGET (window), &view));
  g_assert_nonnull (shell_find_text (GTK_WIDGET (window), "Choose a peak"));
  g_assert_nonnull (shell_find_text (GTK_WIDGET (window), "call sites"));
  shell_wait (has_more_calls, &watch, "more calls");
  shell_wait (select_slow_path, &watch, "calls of the slow path");
  picture_each (window, "live-histogram");
  /* The selection stays when the histogram is replaced. */
  watch.calls = 0;
  shell_wait (has_more_calls, &watch, "the histogram again");
  watch.calls = count_calls (find_histogram (GTK_WIDGET (window), &view));
  shell_wait (has_more_calls, &watch, "still more calls");
  gtk_widget_activate_action (shell_find (GTK_WIDGET (window), "TbHistogramView", NULL),
                              "live.choose", NULL);
  shell_wait (has_cause, &watch, "the root cause");
  picture_each (window, "live-found");
  g_assert_cmpint (tb_recording_get_state (recording), >=, TB_RECORDING_RUNNING);
  shell_wait (is_untouched, program, "the probes to be taken out");
  tb_recording_stop (recording);
  record_wait_over (recording);
  g_subprocess_force_exit (program);
  check_report (window);
  shell_close_window (window);
}

static void
press (GtkWidget *root, const char *label)
{
  GtkWidget *button = shell_find (root, "GtkButton", label);

  g_assert_nonnull (button);
  g_assert_true (gtk_widget_get_mapped (button) && gtk_widget_is_sensitive (button));
  g_signal_emit_by_name (button, "clicked");
}

static gboolean
has_question (gpointer window)
{
  AdwDialog *question = adw_application_window_get_visible_dialog (window);

  return question != NULL && shell_find (GTK_WIDGET (question), "GtkButton", "_Stop") != NULL;
}

/* Returns a recording in the middle of a search; NULL if nothing can be recorded. */
static TbRecording *
start_search (TbWindow *window, GSubprocess *program)
{
  TbRecording *recording = start (window, program, NEVER);
  Watch watch = { window, recording, 0 };
  TbHistogramView *view;

  if (!await_start (window, recording, program))
    {
      g_object_unref (recording);
      return NULL;
    }
  shell_wait (has_more_calls, &watch, "a histogram");
  shell_wait (select_slow_path, &watch, "calls of the slow path");
  find_histogram (GTK_WIDGET (window), &view);
  gtk_widget_activate_action (GTK_WIDGET (view), "live.choose", NULL);
  shell_wait (has_callees, window, "what the calls consist of");
  g_assert_false (is_untouched (program));
  return recording;
}

/* Closing the window in the middle of a search removes the probes. If the search were over, which
 * may take less than a second, the recording would end by itself without a question. */
static void
test_closed (void)
{
  TbWindow *window = shell_new_window ();
  g_autoptr (GSubprocess) program = start_program ("peaks");
  g_autoptr (TbRecording) recording = start_search (window, program);
  gpointer left = window;

  if (recording == NULL)
    return;
  g_object_add_weak_pointer (G_OBJECT (window), &left);
  gtk_window_close (GTK_WINDOW (window));
  shell_wait (has_question, window, "the question");
  press (GTK_WIDGET (adw_application_window_get_visible_dialog (ADW_APPLICATION_WINDOW (window))),
         "_Stop");
  record_wait_over (recording);
  shell_wait (is_untouched, program, "the probes to be taken out");
  g_subprocess_force_exit (program);
  if (left != NULL)
    shell_close_window (window);
}

/* The button ends the search: the results so far are kept, and marked as incomplete. */
static void
test_stopped (void)
{
  TbWindow *window = shell_new_window ();
  g_autoptr (GSubprocess) program = start_program ("peaks");
  g_autoptr (TbRecording) recording = start_search (window, program);
  g_auto (GStrv) warnings = NULL;
  g_autofree char *all = NULL;

  if (recording == NULL)
    return;
  press (GTK_WIDGET (window), "_Stop");
  record_wait_over (recording);
  g_assert_cmpint (tb_recording_get_state (recording), ==, TB_RECORDING_DONE);
  shell_wait (is_untouched, program, "the probes to be taken out");
  g_subprocess_force_exit (program);
  warnings = tb_document_dup_warnings (record_get_document (window));
  all = g_strjoinv ("\n", warnings);
  g_assert_nonnull (strstr (all, "is not complete"));
  shell_close_window (window);
}

static gboolean
has_discard_question (gpointer window)
{
  AdwDialog *question = adw_application_window_get_visible_dialog (window);

  return question != NULL && shell_find (GTK_WIDGET (question), "GtkButton", "_Discard") != NULL;
}

static gboolean
has_no_question (gpointer window)
{
  return adw_application_window_get_visible_dialog (window) == NULL;
}

/* Escape does not end a search: it dismisses the question, and the search continues. */
static void
test_discarded (void)
{
  TbWindow *window = shell_new_window ();
  g_autoptr (GSubprocess) program = start_program ("peaks");
  g_autoptr (TbRecording) recording = start_search (window, program);
  g_autofree char *path = NULL;

  if (recording == NULL)
    return;
  path = g_file_get_path (tb_recording_get_file (recording));
  ui_key (GTK_WIDGET (window), "Escape");
  g_assert_cmpint (tb_recording_get_state (recording), ==, TB_RECORDING_RUNNING);
  press (GTK_WIDGET (window), "_Discard…");
  shell_wait (has_discard_question, window, "the question");
  ui_key (GTK_WIDGET (window), "Escape");
  shell_wait (has_no_question, window, "the question to go");
  g_assert_cmpint (tb_recording_get_state (recording), ==, TB_RECORDING_RUNNING);
  g_assert_false (is_untouched (program));
  press (GTK_WIDGET (window), "_Discard…");
  shell_wait (has_discard_question, window, "the question again");
  press (GTK_WIDGET (adw_application_window_get_visible_dialog (ADW_APPLICATION_WINDOW (window))),
         "_Discard");
  record_wait_over (recording);
  g_assert_cmpint (tb_recording_get_state (recording), ==, TB_RECORDING_DISCARDED);
  shell_wait (is_untouched, program, "the probes to be taken out");
  g_assert_false (g_file_test (path, G_FILE_TEST_EXISTS));
  g_subprocess_force_exit (program);
  shell_close_window (window);
}

int
main (int argc, char **argv)
{
  shell_init (&argc, &argv);
  g_test_add_func ("/live-latency/peak-chosen-in-the-window", test_live);
  g_test_add_func ("/live-latency/closed-while-it-runs", test_closed);
  g_test_add_func ("/live-latency/stopped", test_stopped);
  g_test_add_func ("/live-latency/discarded", test_discarded);
  return g_test_run ();
}
