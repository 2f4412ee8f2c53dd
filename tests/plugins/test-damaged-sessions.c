/* test-damaged-sessions.c: test that no analysis produces a report from damaged data or after
 * cancellation
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#include "config.h"

#include <sqlite3.h>

#include "../test-mode.h"
#include "report-reader.h"
#include "story.h"

static const char *const analyses[]
    = { "threads", "wait-graph", "latency-peaks", "calling-contexts", "locks", "control-paths" };

/* A quick test tries one in this many chunks of a table and steps of an analysis, but at least
 * one. */
#define ONE_OF 4

static GFile *
get_file (const char *name)
{
  g_autofree char *path = recording_make_path (name);

  return g_file_new_for_path (path);
}

/* Imports a recording; derived data is computed and stored in it. */
static void
make_whole (const char *csv_path)
{
  g_autoptr (TbTrace) trace = story_open_path ("whole", csv_path);
}

static TbTrace *
open_copy (GError **error)
{
  g_autoptr (GFile) file = get_file ("copy.tailback");
  g_autoptr (TbSession) session = tb_session_open (file, NULL, error);

  return session != NULL ? tb_trace_new (session, NULL, NULL, NULL, error) : NULL;
}

static void
copy_whole (void)
{
  g_autoptr (GFile) whole = get_file ("whole.tailback");
  g_autoptr (GFile) copy = get_file ("copy.tailback");
  g_autoptr (GError) error = NULL;

  g_file_copy (whole, copy, G_FILE_COPY_OVERWRITE, NULL, NULL, NULL, &error);
  g_assert_no_error (error);
}

static sqlite3 *
open_database (const char *name)
{
  g_autofree char *path = recording_make_path (name);
  sqlite3 *db;

  g_assert_cmpint (sqlite3_open (path, &db), ==, SQLITE_OK);
  return db;
}

static GArray *
list_chunks (void)
{
  sqlite3 *db = open_database ("whole.tailback");
  GArray *ids = g_array_new (FALSE, FALSE, sizeof (gint64));
  sqlite3_stmt *statement;

  g_assert_cmpint (sqlite3_prepare_v2 (db, "SELECT id FROM chunk_data ORDER BY id", -1, &statement,
                                       NULL),
                   ==, SQLITE_OK);
  while (sqlite3_step (statement) == SQLITE_ROW)
    {
      gint64 id = sqlite3_column_int64 (statement, 0);

      g_array_append_val (ids, id);
    }
  sqlite3_finalize (statement);
  sqlite3_close (db);
  return ids;
}

static void
damage (gint64 id)
{
  sqlite3 *db = open_database ("copy.tailback");
  g_autofree char *sql = g_strdup_printf (
      "UPDATE chunk_data SET data = zeroblob (length (data)) WHERE id = %" G_GINT64_FORMAT, id);

  g_assert_cmpint (sqlite3_exec (db, sql, NULL, NULL, NULL), ==, SQLITE_OK);
  g_assert_cmpint (sqlite3_changes (db), ==, 1);
  sqlite3_close (db);
}

/* Returns the report as JSON, or NULL. */
static char *
analyse (TbTrace *trace,
         const char *id,
         TbProgressFunc progress,
         gpointer data,
         GCancellable *cancellable,
         GError **error)
{
  g_autoptr (TbAnalysis) analysis = report_create_analysis (id, NULL);
  g_autoptr (TbSelection) whole = tb_selection_new (trace);
  g_autoptr (TbReport) report = NULL;
  g_autoptr (JsonNode) node = NULL;

  /* Only the synthetic recording of a request has this process. */
  if (g_str_equal (id, "control-paths"))
    g_assert_true (tb_option_set_from_text (G_OBJECT (analysis), "process", "curl", NULL));
  report = tb_analysis_run (analysis, trace, whole, progress, data, cancellable, error);
  node = report != NULL ? tb_report_to_json (report) : NULL;
  return node != NULL ? json_to_string (node, FALSE) : NULL;
}

static void
list_expected (char *expected[G_N_ELEMENTS (analyses)])
{
  g_autoptr (GError) error = NULL;
  g_autoptr (TbTrace) trace = NULL;

  copy_whole ();
  trace = open_copy (&error);
  g_assert_no_error (error);
  for (guint i = 0; i < G_N_ELEMENTS (analyses); i++)
    {
      expected[i] = analyse (trace, analyses[i], NULL, NULL, NULL, &error);
      if (expected[i] == NULL)
        g_test_message ("%s: %s", analyses[i], error->message);
      g_clear_error (&error);
    }
}

/* Each analysis must return the report of the undamaged recording, or an error about the damage. */
static void
check_damaged (gint64 id, char *const *expected, guint *n_refused)
{
  g_autoptr (GError) error = NULL;
  g_autoptr (TbTrace) trace = NULL;

  copy_whole ();
  damage (id);
  trace = open_copy (&error);
  if (trace == NULL)
    {
      g_assert_error (error, TB_SESSION_ERROR, TB_SESSION_ERROR_DAMAGED);
      return;
    }
  for (guint i = 0; i < G_N_ELEMENTS (analyses); i++)
    {
      g_autoptr (GError) refused = NULL;
      g_autofree char *report_text = NULL;

      if (expected[i] == NULL)
        continue;
      report_text = analyse (trace, analyses[i], NULL, NULL, NULL, &refused);
      if (report_text != NULL && !g_str_equal (report_text, expected[i]))
        g_error ("%s differs where chunk %" G_GINT64_FORMAT " is damaged: %s instead of %s",
                 analyses[i], id, report_text, expected[i]);
      if (report_text == NULL)
        {
          g_assert_nonnull (strstr (refused->message, "damaged"));
          (*n_refused)++;
        }
    }
}

/* Index of the first chunk of the next table. */
static guint
find_end (const GArray *chunks, guint first)
{
  gint64 table = g_array_index (chunks, gint64, first) >> 40;
  guint end = first;

  while (end < chunks->len && g_array_index (chunks, gint64, end) >> 40 == table)
    end++;
  return end;
}

static void
test_damage (gconstpointer csv)
{
  char *expected[G_N_ELEMENTS (analyses)];
  g_autoptr (GArray) chunks = NULL;
  guint n_refused = 0, n_tried = 0;

  make_whole (csv);
  chunks = list_chunks ();
  g_assert_cmpuint (chunks->len, >, 20);
  list_expected (expected);
  for (guint first = 0, end; first < chunks->len; first = end)
    {
      guint among;

      end = find_end (chunks, first);
      among = MIN (ONE_OF, end - first);
      for (guint i = first + test_first (among); i < end; i += test_step (among), n_tried++)
        check_damaged (g_array_index (chunks, gint64, i), expected, &n_refused);
    }
  g_assert_cmpuint (n_refused * chunks->len, >, 10 * n_tried);
  g_test_message ("%u reports were refused for %u damaged chunks of %u", n_refused, n_tried,
                  chunks->len);
  for (guint i = 0; i < G_N_ELEMENTS (analyses); i++)
    g_free (expected[i]);
}

typedef struct
{
  GCancellable *cancellable;
  guint n_left;
} Patience;

static void
lose_patience (double share, const char *what, gpointer data)
{
  Patience *self = data;

  if (self->n_left-- == 0)
    g_cancellable_cancel (self->cancellable);
}

/* Cancellation at any step is an error, and leaves no incomplete data for the next run. */
static void
test_cancelled (gconstpointer csv)
{
  char *expected[G_N_ELEMENTS (analyses)];

  make_whole (csv);
  list_expected (expected);
  for (guint i = 0; i < G_N_ELEMENTS (analyses); i++)
    for (guint step = test_first (ONE_OF); expected[i] != NULL && step < 12;
         step += test_step (ONE_OF))
      {
        g_autoptr (GError) error = NULL;
        g_autoptr (GCancellable) cancellable = g_cancellable_new ();
        g_autoptr (TbTrace) trace = NULL;
        Patience patience = { cancellable, step - 1 };
        g_autofree char *half = NULL;
        g_autofree char *report_text = NULL;

        copy_whole ();
        trace = open_copy (&error);
        g_assert_no_error (error);
        if (step == 0)
          g_cancellable_cancel (cancellable);
        half = analyse (trace, analyses[i], lose_patience, &patience, cancellable, &error);
        if (g_cancellable_is_cancelled (cancellable))
          g_assert_error (error, G_IO_ERROR, G_IO_ERROR_CANCELLED);
        else
          g_assert_cmpstr (half, ==, expected[i]);
        g_clear_error (&error);
        report_text = analyse (trace, analyses[i], NULL, NULL, NULL, &error);
        g_assert_no_error (error);
        g_assert_cmpstr (report_text, ==, expected[i]);
      }
  for (guint i = 0; i < G_N_ELEMENTS (analyses); i++)
    g_free (expected[i]);
}

int
main (int argc, char **argv)
{
  g_autofree char *inbox = NULL;
  g_autofree char *uncertain = NULL;
  g_autofree char *devices = NULL;

  g_test_init (&argc, &argv, NULL);
  inbox = g_build_filename (g_getenv ("TAILBACK_BUILD"), "tests", "fixtures", "inbox.csv", NULL);
  uncertain = g_test_build_filename (G_TEST_DIST, "fixtures", "events", "uncertain.csv", NULL);
  devices = g_test_build_filename (G_TEST_DIST, "fixtures", "events", "devices.csv", NULL);
  g_test_add_data_func ("/damaged-parts/damage/inbox", inbox, test_damage);
  g_test_add_data_func ("/damaged-parts/damage/devices", devices, test_damage);
  g_test_add_data_func ("/damaged-parts/damage/uncertain", uncertain, test_damage);
  g_test_add_data_func ("/damaged-parts/giving-up", inbox, test_cancelled);
  return recording_run_tests ();
}
