/* test-arrangement.c: sort order and pinned items of figures, stored with the recording
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#include "config.h"

#include "session/recorder/tb-recorder.h"
#include "shell-fixture.h"
#include "ui-test.h"
#include "widgets/tailback-gtk.h"

#define FACT "shell-arrangement"

static void
saved (GObject *object, GAsyncResult *result, gpointer data)
{
  g_autoptr (GError) error = NULL;

  tb_document_save_copy_finish (TB_DOCUMENT (object), result, &error);
  g_assert_no_error (error);
  *(gboolean *) data = TRUE;
}

static gboolean
is_true (gpointer data)
{
  return *(gboolean *) data;
}

/* Makes a session in a writable file. */
static GFile *
make_session_of (GFile *csv, const char *name)
{
  TbWindow *window = shell_new_window ();
  GFile *file = shell_temporary (name);
  TbDocument *document = shell_open (window, csv);
  gboolean done = FALSE;

  tb_document_save_copy_async (document, file, NULL, saved, &done);
  shell_wait (is_true, &done, "the copy");
  shell_close_window (window);
  return file;
}

static GFile *
make_session (const char *name)
{
  g_autoptr (GFile) csv = shell_inbox ();

  return make_session_of (csv, name);
}

static GtkWidget *
show (TbWindow *window, const char *figure, const char *type_name)
{
  GtkWidget *view;

  shell_activate (window, "show-figure", g_variant_new_string (figure));
  ui_frames (GTK_WIDGET (window), 2);
  view = shell_find (GTK_WIDGET (window), type_name, NULL);
  g_assert_nonnull (view);
  return view;
}

static char *
describe (GtkWidget *view)
{
  g_autoptr (GVariant) state = tb_figure_view_get_state (view);

  return state != NULL ? g_variant_print (state, FALSE) : g_strdup ("as recorded");
}

/* Pins the second and the fourth track, whichever they are, then sorts by running time. */
static char *
arrange_timeline (TbWindow *window)
{
  GtkWidget *view = show (window, "timeline", "TbTimelineView");
  g_autofree char *before = describe (view);

  g_assert_cmpstr (before, ==, "as recorded");
  g_assert_true (gtk_widget_activate_action (view, "timeline.sort", "s", "running"));
  gtk_widget_grab_focus (view);
  for (guint i = 0; i < 2; i++)
    {
      ui_key (view, "Down");
      ui_key (view, "Down");
      ui_key (view, "p");
    }
  return describe (view);
}

static char *
arrange_table (TbWindow *window)
{
  GtkWidget *view = show (window, "states", "TbTableView");
  GtkColumnView *columns = GTK_COLUMN_VIEW (shell_find (view, "GtkColumnView", NULL));
  g_autoptr (GtkColumnViewColumn) second
      = g_list_model_get_item (gtk_column_view_get_columns (columns), 1);

  gtk_column_view_sort_by_column (columns, second, GTK_SORT_DESCENDING);
  tb_table_view_set_column_shown (TB_TABLE_VIEW (view), gtk_column_view_column_get_id (second),
                                  FALSE);
  gtk_column_view_insert_column (columns, 0, second);
  return describe (view);
}

static TbWindow *
open_window (GFile *file, TbDocument **document)
{
  TbWindow *window = shell_new_window ();

  *document = shell_open (window, file);
  return window;
}

static void
test_kept (void)
{
  g_autoptr (GFile) file = make_session ("kept.tailback");
  g_autofree char *timeline = NULL, *table = NULL, *timeline_again = NULL, *table_again = NULL,
                  *rows = NULL, *rows_again = NULL;
  TbDocument *document;
  TbWindow *window = open_window (file, &document);

  timeline = arrange_timeline (window);
  g_test_message ("%s", timeline);
  g_assert_nonnull (strstr (timeline, "'running'"));
  table = arrange_table (window);
  g_test_message ("%s", table);
  rows = tb_table_view_copy (TB_TABLE_VIEW (show (window, "states", "TbTableView")));
  g_assert_nonnull (tb_session_get_fact (tb_document_get_session (document), FACT));
  shell_close_window (window);

  window = open_window (file, &document);
  timeline_again = describe (show (window, "timeline", "TbTimelineView"));
  g_assert_cmpstr (timeline_again, ==, timeline);
  shell_picture (window, "arrangement-timeline");
  table_again = describe (show (window, "states", "TbTableView"));
  g_assert_cmpstr (table_again, ==, table);
  rows_again = tb_table_view_copy (TB_TABLE_VIEW (show (window, "states", "TbTableView")));
  g_assert_cmpstr (rows_again, ==, rows);
  shell_close_window (window);
}

/* After a reset nothing of it is left in the file. */
static void
test_reset (void)
{
  g_autoptr (GFile) file = make_session ("forgotten.tailback");
  TbDocument *document;
  TbWindow *window = open_window (file, &document);
  GtkWidget *view = show (window, "timeline", "TbTimelineView");

  g_assert_true (gtk_widget_activate_action (view, "timeline.sort", "s", "name"));
  g_assert_nonnull (tb_session_get_fact (tb_document_get_session (document), FACT));
  g_assert_true (gtk_widget_activate_action (view, "timeline.sort", "s", "recorded"));
  g_assert_null (tb_session_get_fact (tb_document_get_session (document), FACT));
  shell_close_window (window);
}

/* Invalid entries in the file, or those of another recording, change nothing. */
static void
test_invalid (void)
{
  static const char *const facts[] = {
    "",
    "sorted, please",
    "{'threads/timeline/timeline': {'sort': <7>, 'pinned': <'all'>}}",
    "{'threads/timeline/timeline': {'sort': <'backwards'>, 'pinned': <['no such track', '']>},"
    " 'threads/states/table': {'sort': <('nothing', true)>, 'columns': <['x', 'x', 'x']>, "
    "'hidden': "
    "<['x']>}}",
  };
  g_autoptr (GFile) file = make_session ("strange.tailback");

  for (guint i = 0; i < G_N_ELEMENTS (facts); i++)
    {
      g_autoptr (GError) error = NULL;
      g_autofree char *timeline = NULL, *table = NULL;
      TbDocument *document;
      TbWindow *window;

      {
        g_autoptr (TbSession) session = tb_session_open (file, NULL, &error);

        g_assert_no_error (error);
        tb_session_set_fact (session, FACT, facts[i], &error);
        g_assert_no_error (error);
      }
      window = open_window (file, &document);
      timeline = describe (show (window, "timeline", "TbTimelineView"));
      g_assert_cmpstr (timeline, ==, "as recorded");
      table = describe (show (window, "states", "TbTableView"));
      g_assert_cmpstr (table, ==, "as recorded");
      shell_close_window (window);
    }
}

#define UNIT_FACT "wait-graph-work"

/* The work unit of the wait graph; "" if there is none. */
static char *
get_unit (TbDocument *document)
{
  TbReport *report
      = tb_analysis_item_get_report (tb_document_find_analysis (document, "wait-graph"));
  JsonObject *summary;

  g_assert_nonnull (report);
  summary = json_node_get_object (tb_report_get_summary (report));
  return json_object_get_null_member (summary, "work")
             ? g_strdup ("")
             : g_strdup (
                   json_object_get_string_member (json_object_get_object_member (summary, "work"),
                                                  "unit"));
}

static gboolean
has_options (gpointer window)
{
  GtkWidget *dialog = shell_find (window, "TbOptionsDialog", NULL);

  return dialog != NULL && shell_find (dialog, "AdwEntryRow", NULL) != NULL;
}

static gboolean
is_closed (gpointer window)
{
  return adw_application_window_get_visible_dialog (ADW_APPLICATION_WINDOW (window)) == NULL;
}

static GtkEditable *
open_option (TbWindow *window, const char *title)
{
  GtkWidget *row;

  shell_activate (window, "options", NULL);
  shell_wait (has_options, window, "the options");
  row = shell_find (shell_find (GTK_WIDGET (window), "TbOptionsDialog", NULL), "AdwEntryRow",
                    title);
  g_assert_nonnull (row);
  return GTK_EDITABLE (row);
}

/* Types it as a user does. Returns the previous text. */
static char *
choose (TbWindow *window, TbDocument *document, const char *title, const char *text)
{
  GtkEditable *row = open_option (window, title);
  char *before = g_strdup (gtk_editable_get_text (row));

  gtk_editable_set_text (row, text);
  g_signal_emit_by_name (shell_find (shell_find (GTK_WIDGET (window), "TbOptionsDialog", NULL),
                                     "GtkButton", "_Analyze"),
                         "clicked");
  shell_wait (is_closed, window, "the dialog to close");
  shell_wait_settled (document);
  return before;
}

static TbWindow *
open_wait_graph (GFile *file, TbDocument **document)
{
  TbWindow *window = open_window (file, document);

  shell_activate (window, "show-analysis", g_variant_new_string ("wait-graph"));
  shell_wait_settled (*document);
  return window;
}

static void
assert_unit (TbDocument *document, const char *counted, const char *kept)
{
  g_autofree char *unit = get_unit (document);

  g_assert_cmpstr (unit, ==, counted);
  g_assert_cmpstr (tb_session_get_fact (tb_document_get_session (document), UNIT_FACT), ==, kept);
}

/* A work unit, once chosen, is stored with the recording until it is reset; an invalid unit cannot
 * be chosen. */
static void
test_unit (void)
{
  g_autoptr (GFile) file = make_session ("unit.tailback");
  g_autofree char *first = NULL, *again = NULL, *last = NULL;
  TbDocument *document;
  TbWindow *window = open_wait_graph (file, &document);
  GtkEditable *row;

  assert_unit (document, "", NULL);
  row = open_option (window, "Unit of work");
  gtk_editable_set_text (row, "furlongs");
  g_assert_false (gtk_widget_is_sensitive (
      shell_find (shell_find (GTK_WIDGET (window), "TbOptionsDialog", NULL), "GtkButton",
                  "_Analyze")));
  gtk_widget_grab_focus (GTK_WIDGET (row));
  ui_frames (GTK_WIDGET (window), 2);
  shell_picture (window, "unit-wrong");
  adw_dialog_force_close (
      adw_application_window_get_visible_dialog (ADW_APPLICATION_WINDOW (window)));
  first = choose (window, document, "Unit of work", "syscall:read");
  g_assert_cmpstr (first, ==, "");
  assert_unit (document, "syscall:read", "syscall:read");
  shell_close_window (window);

  window = open_wait_graph (file, &document);
  assert_unit (document, "syscall:read", "syscall:read");
  again = choose (window, document, "Unit of work", "");
  g_assert_cmpstr (again, ==, "syscall:read");
  assert_unit (document, "", NULL);
  shell_close_window (window);

  window = open_wait_graph (file, &document);
  assert_unit (document, "", NULL);
  shell_close_window (window);
}

/* A unit that is not understood may come from a later version: it stays until another is chosen. */
static GtkWidget *
find_tip (GtkWidget *widget, const char *tip)
{
  GtkWidget *found = NULL;

  if (g_strcmp0 (gtk_widget_get_tooltip_text (widget), tip) == 0)
    return widget;
  for (GtkWidget *child = gtk_widget_get_first_child (widget); child != NULL && found == NULL;
       child = gtk_widget_get_next_sibling (child))
    found = find_tip (child, tip);
  return found;
}

static GtkListView *
get_units (gpointer window)
{
  GtkWidget *dialog = shell_find (window, "TbCandidatesDialog", NULL);

  return dialog != NULL ? (GtkListView *) shell_find (dialog, "GtkListView", NULL) : NULL;
}

static gboolean
are_listed (gpointer window)
{
  return get_units (window) != NULL && gtk_list_view_get_model (get_units (window)) != NULL;
}

static gboolean
is_chosen (gpointer window)
{
  return shell_find (window, "TbCandidatesDialog", NULL) == NULL;
}

/* Makes a session with annotations, calls, messages and system calls, the candidates for the work
 * unit. */
static GFile *
make_busy_session (void)
{
  static const char *const lines[] = {
    "0,mark,,,,,,,934,,,work:page=3,,",
    "0,mark,,,,,,,1170,,,work:login,,",
    "0,call,,,,,,,934,,,zend_execute,,",
    "0,return,,,,,,,934,,,zend_execute,,",
    "0,net_send,,,,,,,812,eth0,900,example.org:443,,",
    "0,net_receive,,,,,,,812,eth0,80,example.org:443,,",
    "0,sys_enter,,,,,,,812,,,read,,",
    "0,sys_exit,,,,,,,812,,80,read,,",
    "0,sys_enter,,,,,,,1170,,,fdatasync,,",
    "0,sys_exit,,,,,,,1170,,0,fdatasync,,",
    "0,mark,,,,,,,812,,,turn,,",
  };
  g_autoptr (GFile) csv = shell_inbox ();
  g_autoptr (GFile) busy = shell_temporary ("busy.csv");
  g_autoptr (GString) text = g_string_new (NULL);
  g_autoptr (GError) error = NULL;
  g_autofree char *old = NULL;

  g_file_load_contents (csv, NULL, &old, NULL, NULL, &error);
  g_assert_no_error (error);
  g_string_append (text, old);
  for (guint i = 0; i < 20 * G_N_ELEMENTS (lines); i++)
    if (i % G_N_ELEMENTS (lines) < 2 || i % 3 > 0 || i / G_N_ELEMENTS (lines) < 9)
      g_string_append_printf (text, "%u,%s\n", 265000000 + i * 1000,
                              lines[i % G_N_ELEMENTS (lines)]);
  g_file_replace_contents (busy, text->str, text->len, NULL, FALSE, 0, NULL, NULL, &error);
  g_assert_no_error (error);
  return make_session_of (busy, "chosen-unit.tailback");
}

static gboolean
has_nothing (gpointer window)
{
  GtkWidget *dialog = shell_find (window, "TbCandidatesDialog", NULL);

  return dialog != NULL && shell_find (dialog, "GtkLabel", "Nothing to Choose From") != NULL;
}

static void
click_choose (TbWindow *window, GtkEditable *row)
{
  GtkWidget *button = find_tip (GTK_WIDGET (row), "Choose Unit of work…");

  g_assert_nonnull (button);
  g_signal_emit_by_name (button, "clicked");
}

static void
test_no_unit (void)
{
  g_autoptr (GFile) file = make_session ("no-unit.tailback");
  TbDocument *document;
  TbWindow *window = open_wait_graph (file, &document);

  click_choose (window, open_option (window, "Unit of work"));
  shell_wait (has_nothing, window, "what to say");
  ui_frames (GTK_WIDGET (window), 2);
  shell_picture (window, "units-none");
  adw_dialog_force_close (
      ADW_DIALOG (shell_find (GTK_WIDGET (window), "TbCandidatesDialog", NULL)));
  adw_dialog_force_close (ADW_DIALOG (shell_find (GTK_WIDGET (window), "TbOptionsDialog", NULL)));
  shell_close_window (window);
}

/* Units are offered by name from the recording; a unit that is not found cannot be chosen. */
static void
test_chosen_unit (void)
{
  g_autoptr (GFile) file = make_busy_session ();
  TbDocument *document;
  TbWindow *window = open_wait_graph (file, &document);
  GtkEditable *row = open_option (window, "Unit of work"), *search;
  GListModel *units;

  g_assert_null (find_tip (shell_find (shell_find (GTK_WIDGET (window), "TbOptionsDialog", NULL),
                                       "AdwEntryRow", "Workers"),
                           "Choose Workers…"));
  click_choose (window, row);
  shell_wait (are_listed, window, "the units");
  ui_frames (GTK_WIDGET (window), 2);
  shell_picture (window, "units");
  search = GTK_EDITABLE (shell_find (shell_find (GTK_WIDGET (window), "TbCandidatesDialog", NULL),
                                     "GtkSearchEntry", NULL));
  units = G_LIST_MODEL (gtk_list_view_get_model (get_units (window)));
  gtk_editable_set_text (search, "no such thing");
  g_assert_cmpuint (g_list_model_get_n_items (units), ==, 0);
  g_signal_emit_by_name (search, "activate");
  ui_frames (GTK_WIDGET (window), 2);
  shell_picture (window, "units-nothing");
  g_assert_false (is_chosen (window));
  gtk_editable_set_text (search, "read");
  g_assert_cmpuint (g_list_model_get_n_items (units), ==, 1);
  g_signal_emit_by_name (search, "activate");
  shell_wait (is_chosen, window, "the choice");
  g_assert_cmpstr (gtk_editable_get_text (row), ==, "syscall:read");
  g_signal_emit_by_name (shell_find (shell_find (GTK_WIDGET (window), "TbOptionsDialog", NULL),
                                     "GtkButton", "_Analyze"),
                         "clicked");
  shell_wait (is_closed, window, "the dialog to close");
  shell_wait_settled (document);
  assert_unit (document, "syscall:read", "syscall:read");
  shell_close_window (window);
}

static void
test_invalid_unit (void)
{
  g_autoptr (GFile) file = make_session ("strange-unit.tailback");
  g_autofree char *other = NULL, *first = NULL;
  g_autoptr (GError) error = NULL;
  TbDocument *document;
  TbWindow *window;

  {
    g_autoptr (TbSession) session = tb_session_open (file, NULL, &error);

    g_assert_no_error (error);
    tb_session_set_fact (session, UNIT_FACT, "furlongs", &error);
    g_assert_no_error (error);
  }
  window = open_wait_graph (file, &document);
  assert_unit (document, "", "furlongs");
  other = choose (window, document, "Workers", "curl");
  g_assert_cmpstr (other, ==, "");
  assert_unit (document, "", "furlongs");
  first = choose (window, document, "Unit of work", "syscall:read");
  g_assert_cmpstr (first, ==, "");
  assert_unit (document, "syscall:read", "syscall:read");
  shell_close_window (window);
}

/* A recording opens on the analysis it was made for, else on what the recorded command spent its
 * time on. If neither is there, it opens on the usual one. */
static void
assert_opens_on (const char *made_for,
                 const char *command_pid,
                 gboolean has_waking,
                 const char *shown)
{
  TbWindow *window = shell_new_window ();
  g_autoptr (GFile) file = shell_temporary ("made-for.tailback");
  g_autoptr (GError) error = NULL;
  g_autoptr (TbRecorder) recorder = tb_recorder_new (file, TRUE, &error);
  TbAnalysisPage *page;

  g_assert_no_error (error);
  tb_recorder_add_host (recorder, "test", "", "x86_64", 1, 0);
  for (gint64 time = 1; time < 10; time += 2)
    {
      tb_recorder_add (recorder,
                       &(TbEvent) {
                           .time = time, .kind = TB_EVENT_SWITCH, .code = 'R', .a = 7, .b = 7 });
      tb_recorder_add (recorder, &(TbEvent) { .time = time + 1,
                                              .kind = TB_EVENT_SWITCH,
                                              .code = 'S',
                                              .tid = 7,
                                              .pid = 7 });
    }
  if (has_waking)
    tb_recorder_add (recorder,
                     &(TbEvent) {
                         .time = 11, .kind = TB_EVENT_WAKEUP, .tid = 8, .pid = 8, .a = 7, .b = 7 });
  if (made_for != NULL)
    tb_recorder_set_fact (recorder, "analysis", made_for);
  if (command_pid != NULL)
    tb_recorder_set_fact (recorder, "command-pid", command_pid);
  g_assert_true (tb_recorder_finish (recorder, &error));
  g_assert_no_error (error);
  shell_open (window, file);
  page = tb_document_page_get_analysis_page (tb_window_get_document_page (window));
  g_assert_cmpstr (tb_analysis_item_get_id (tb_analysis_page_get_item (page)), ==, shown);
  shell_close_window (window);
}

static void
test_made_for (void)
{
  assert_opens_on (NULL, NULL, TRUE, "threads");
  assert_opens_on (NULL, "7", TRUE, "control-paths");
  assert_opens_on (NULL, "7", FALSE, "threads");
  assert_opens_on ("latency-peaks", NULL, TRUE, "latency-peaks");
  assert_opens_on ("latency-peaks", "7", TRUE, "latency-peaks");
  assert_opens_on ("no such analysis", NULL, TRUE, "threads");
}

int
main (int argc, char **argv)
{
  shell_init (&argc, &argv);
  g_test_add_func ("/arrangement/kept", test_kept);
  g_test_add_func ("/arrangement/forgotten", test_reset);
  g_test_add_func ("/arrangement/strange", test_invalid);
  g_test_add_func ("/arrangement/unit", test_unit);
  g_test_add_func ("/arrangement/no-unit", test_no_unit);
  g_test_add_func ("/arrangement/chosen-unit", test_chosen_unit);
  g_test_add_func ("/arrangement/strange-unit", test_invalid_unit);
  g_test_add_func ("/arrangement/made-for", test_made_for);
  return g_test_run ();
}
