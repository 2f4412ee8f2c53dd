/* test-explain-call.c: from a call found by a live search to its control paths
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#include "config.h"

#include "report/table/tb-table-figure.h"
#include "session/recorder/tb-recorder.h"
#include "session/schema/tb-schema.h"
#include "shell-fixture.h"
#include "shell/recording/tb-record-dialog.h"
#include "ui-test.h"
#include "widgets/tailback-gtk.h"

#define MS G_GINT64_CONSTANT (1000000)
#define PID 7
#define N_CALLS 30
#define LENGTH (3 * MS)
#define FIRST (1000 * MS)
#define EVERY (10 * MS)
/* The longest call. */
#define BEGIN (FIRST + 20 * EVERY)

/* The state of a search; all calls but one have the same length. */
static const char state[]
    = "{\"format\":\"tailback-latency\",\"version\":1,\"operation\":\"function:handle@server\","
      "\"phase\":"
      "null,"
      "\"status\":\"found\",\"from_ns\":1000000000,\"to_ns\":1300000000,\"resolution\":1,"
      "\"bins\":[[12,400,2000000],[21,30,90000000]],\"peaks\":[[12,12],[21,21]],\"peak\":2,\"from_"
      "bin\":21,"
      "\"to_bin\":21,\"calls_looked_into\":30,\"nodes\":["
      "{\"id\":0,\"parent\":-1,\"kind\":\"function\",\"name\":\"handle\",\"file\":\"/bin/"
      "server\",\"phase\":3,"
      "\"opened\":true,\"root_cause\":true,\"open_calls\":30,\"total_ns\":90000000,\"self_ns\":0},"
      "{\"id\":1,\"parent\":0,\"kind\":\"function\",\"name\":\"put\",\"call_site\":\"handle+0x12\","
      "\"place\":\"server+0x1016\",\"phase\":3,\"root_cause\":true,\"self_cause\":true,\"calls\":"
      "30,"
      "\"maxcount\":30,\"callee_ns\":90000000}],"
      "\"longest\":["
      "{\"begin_ns\":1200000000,\"latency_ns\":3000000,\"tid\":7,\"pid\":7,\"mostly_in\":\"put\","
      "\"parts\":[]"
      "},"
      "{\"begin_ns\":1100000000,\"latency_ns\":2900000,\"tid\":7,\"pid\":7,\"mostly_in\":\"put\","
      "\"parts\":[]"
      "}],"
      "\"slices\":[]}";

static void
add_switch (TbRecorder *recorder, gint64 time, guint64 from, char how, guint64 to)
{
  TbEvent event = { .time = time,
                    .kind = TB_EVENT_SWITCH,
                    .tid = (gint32) from,
                    .pid = (gint32) from,
                    .code = (guint8) how,
                    .a = to,
                    .b = to };

  tb_recorder_add (recorder, &event);
}

/* Writes a thread that sleeps for some ms in each call. */
static GFile *
write_recording (const char *name, gint64 first, const char *boot, gboolean is_search)
{
  GFile *file = shell_temporary (name);
  g_autoptr (GError) error = NULL;
  g_autoptr (TbRecorder) recorder = tb_recorder_new (file, TRUE, &error);
  TbEvent existing = { .time = first - MS, .kind = TB_EVENT_EXISTING, .tid = PID, .pid = PID };

  g_assert_no_error (error);
  tb_recorder_set_fact (recorder, "clock", "monotonic");
  tb_recorder_set_fact (recorder, "boot-id", boot);
  if (is_search)
    {
      tb_recorder_set_fact (recorder, "latency", state);
      tb_recorder_set_fact (recorder, "analysis", "latency-peaks");
    }
  existing.text = tb_recorder_intern_string (recorder, "server", -1);
  tb_recorder_add (recorder, &existing);
  add_switch (recorder, first - MS, 0, 'R', PID);
  for (guint i = 0; i < N_CALLS; i++)
    {
      gint64 begin = first + i * EVERY;
      TbEvent waking
          = { .time = begin + LENGTH - 1000, .kind = TB_EVENT_WAKEUP, .tid = 0, .a = PID };

      add_switch (recorder, begin + 1000, PID, 'S', 0);
      tb_recorder_add (recorder, &waking);
      add_switch (recorder, begin + LENGTH - 1000, 0, 'R', PID);
    }
  tb_recorder_finish (recorder, &error);
  g_assert_no_error (error);
  return file;
}

static gboolean
has_calls (gpointer item)
{
  TbReport *report = tb_analysis_item_get_report (item);

  return report != NULL && tb_report_find_figure (report, "calls") != NULL;
}

static GtkSelectionModel *
get_rows (TbWindow *window)
{
  GtkWidget *table = shell_find (GTK_WIDGET (window), "TbTableView", NULL);
  GtkWidget *view = table != NULL ? shell_find (table, "GtkColumnView", NULL) : NULL;

  g_assert_nonnull (view);
  return gtk_column_view_get_model (GTK_COLUMN_VIEW (view));
}

/* Opens the search, with a row of one of its figures selected. */
static TbDocument *
open_search (TbWindow *window, const char *figure, guint row)
{
  g_autoptr (GFile) file = write_recording ("search.tailback", FIRST, "aa", TRUE);
  TbDocument *document = shell_open (window, file);
  TbAnalysisItem *item;

  shell_activate (window, "show-analysis", g_variant_new_string ("latency-peaks"));
  item = tb_document_find_analysis (document, "latency-peaks");
  shell_wait (has_calls, item, "the longest calls");
  shell_wait_settled (document);
  shell_activate (window, "show-figure", g_variant_new_string (figure));
  gtk_selection_model_select_item (get_rows (window), row, TRUE);
  return document;
}

static gboolean
has_finished (gpointer item)
{
  return !tb_analysis_item_is_running (item)
         && (tb_analysis_item_get_report (item) != NULL
             || tb_analysis_item_get_error (item) != NULL);
}

/* Explains the selection, and checks that a given document did so, with the call selected. */
static void
check_explained (TbWindow *window, TbDocument *by, gint64 begin)
{
  TbAnalysisItem *explainer = tb_document_get_explainer (by);
  GtkWidget *button = shell_find (shell_find (GTK_WIDGET (window), "TbDetailsPane", NULL),
                                  "GtkButton", "Explain");
  gint64 from, to;

  g_assert_nonnull (button);
  g_signal_emit_by_name (button, "clicked");
  shell_wait (has_finished, explainer, "the explanation");
  shell_wait_settled (by);
  g_assert_no_error (tb_analysis_item_get_error (explainer));
  g_assert_true (tb_analysis_item_has_text (explainer, "process"));
  g_assert_true (tb_focus_get_time (tb_document_get_focus (by), &from, &to));
  g_assert_cmpint (from, ==, begin);
  g_assert_cmpint (tb_focus_get_thread (tb_document_get_focus (by)), ==,
                   shell_find_thread (by, "server"));
}

/* In the recording of the search itself, if there is no other. */
static void
test_alone (void)
{
  TbWindow *window = shell_new_window ();
  TbDocument *document = open_search (window, "calls", 0);

  shell_picture (window, "explain-call-offered");
  check_explained (window, document, BEGIN);
  shell_picture (window, "explain-call-explained");
  shell_close_window (window);
}

/* A peak is represented by its longest call. */
static void
test_peak (void)
{
  TbWindow *window = shell_new_window ();
  TbDocument *document = open_search (window, "peaks", 1);

  check_explained (window, document, BEGIN);
  shell_close_window (window);
}

/* Of the open recordings, the one of the same machine and time is used. */
static void
test_same_time (void)
{
  TbWindow *window = shell_new_window ();
  g_autoptr (GFile) of_other_boot = write_recording ("other-boot.tailback", FIRST, "bb", FALSE);
  g_autoptr (GFile) of_later
      = write_recording ("later.tailback", FIRST + N_CALLS * EVERY, "aa", FALSE);
  g_autoptr (GFile) of_same = write_recording ("same.tailback", FIRST, "aa", FALSE);
  TbDocument *unsuitable[] = { shell_open (window, of_other_boot), shell_open (window, of_later) };
  TbDocument *same = shell_open (window, of_same);
  TbDocument *search = open_search (window, "calls", 0);

  check_explained (window, same, BEGIN);
  shell_wait_text (GTK_WIDGET (window), "recorded at the same time");
  shell_picture (window, "explain-call-same-time");
  for (guint i = 0; i < G_N_ELEMENTS (unsuitable); i++)
    g_assert_false (
        tb_analysis_item_has_text (tb_document_get_explainer (unsuitable[i]), "process"));
  g_assert_false (tb_analysis_item_has_text (tb_document_get_explainer (search), "process"));
  shell_close_window (window);
}

static gboolean
has_dialog (gpointer window)
{
  return shell_find (window, "TbRecordDialog", NULL) != NULL;
}

/* Recording all calls is offered: the assistant has the function filled in. */
static void
test_record (void)
{
  TbWindow *window = shell_new_window ();
  GtkWidget *page, *dialog, *group;

  open_search (window, "calls", 0);
  page = shell_find (GTK_WIDGET (window), "TbAnalysisPage", NULL);
  g_assert_true (gtk_widget_activate_action (page, "analysis.record", NULL));
  shell_wait (has_dialog, window, "the recording assistant");
  dialog = shell_find (GTK_WIDGET (window), "TbRecordDialog", NULL);
  shell_wait_text (dialog, "Changed: Functions");
  group = shell_find (dialog, "AdwExpanderRow", "Programs and functions");
  g_assert_nonnull (group);
  adw_expander_row_set_expanded (ADW_EXPANDER_ROW (group), TRUE);
  shell_wait_text (dialog, "/bin/server:handle");
  shell_picture (window, "explain-call-record");
  adw_dialog_force_close (ADW_DIALOG (dialog));
  shell_close_window (window);
}

int
main (int argc, char **argv)
{
  shell_init (&argc, &argv);
  g_test_add_func ("/explain-call/alone", test_alone);
  g_test_add_func ("/explain-call/peak", test_peak);
  g_test_add_func ("/explain-call/same-time", test_same_time);
  g_test_add_func ("/explain-call/record", test_record);
  return g_test_run ();
}
