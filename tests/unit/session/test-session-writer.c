/* test-session-writer.c: test of the writer's file: its creation, replacement and contents
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#include <glib/gstdio.h>
#include <sqlite3.h>

#include "session/file/tb-session-writer-private.h"
#include "session/file/tb-session.h"

typedef struct
{
  char *folder;
  char *path;
  GFile *file;
} Fixture;

static void
set_up (Fixture *fixture, gconstpointer data)
{
  fixture->folder = g_dir_make_tmp ("tailback-writer-XXXXXX", NULL);
  fixture->path = g_build_filename (fixture->folder, "a.tailback", NULL);
  fixture->file = g_file_new_for_path (fixture->path);
}

static guint
count_files (Fixture *fixture)
{
  g_autoptr (GDir) dir = g_dir_open (fixture->folder, 0, NULL);
  guint n = 0;

  while (g_dir_read_name (dir) != NULL)
    n++;
  return n;
}

static void
tear_down (Fixture *fixture, gconstpointer data)
{
  g_unlink (fixture->path);
  g_assert_cmpint (g_rmdir (fixture->folder), ==, 0);
  g_object_unref (fixture->file);
  g_free (fixture->path);
  g_free (fixture->folder);
}

static void
append_losses (TbSessionWriter *writer, guint first, guint n)
{
  g_autofree gint64 *from = g_new (gint64, n), *to = g_new (gint64, n);
  g_autofree guint16 *cpu = g_new (guint16, n);
  g_autofree guint64 *count = g_new (guint64, n);
  g_autoptr (GError) error = NULL;

  for (guint i = 0; i < n; i++)
    {
      from[i] = 1000 + 10 * (gint64) (first + i);
      to[i] = from[i] + 5;
      cpu[i] = (first + i) % 4;
      count[i] = first + i;
    }
  tb_session_writer_append (writer, TB_TABLE_LOST, (gconstpointer[]) { from, to, cpu, count }, n,
                            &error);
  g_assert_no_error (error);
}

static gint64
query (Fixture *fixture, const char *sql)
{
  sqlite3 *db;
  sqlite3_stmt *statement;
  gint64 value;

  g_assert_cmpint (sqlite3_open_v2 (fixture->path, &db, SQLITE_OPEN_READONLY, NULL), ==, SQLITE_OK);
  g_assert_cmpint (sqlite3_prepare_v2 (db, sql, -1, &statement, NULL), ==, SQLITE_OK);
  g_assert_cmpint (sqlite3_step (statement), ==, SQLITE_ROW);
  value = sqlite3_column_int64 (statement, 0);
  sqlite3_finalize (statement);
  sqlite3_close (db);
  return value;
}

static void
test_life (Fixture *fixture, gconstpointer data)
{
  g_autoptr (GError) error = NULL;
  g_autoptr (TbSessionWriter) writer = tb_session_writer_new (fixture->file, FALSE, &error);
  g_autoptr (TbSession) session = NULL;
  gboolean is_temporary = g_strcmp0 (data, "temporary") == 0;

  g_assert_no_error (error);
  if (is_temporary)
    tb_session_writer_set_temporary (writer);
  append_losses (writer, 0, 70000);
  tb_session_writer_put_string (writer, 0, "");
  if (!is_temporary) /* such a file is made at once, beside other work */
    g_assert_cmpuint (count_files (fixture), ==, 0);
  g_assert_true (tb_session_writer_commit (writer, &error));
  g_assert_cmpuint (count_files (fixture), >=, 1); /* perhaps together with its log */

  append_losses (writer, 70000, 70000);
  tb_session_writer_put_string (writer, 1, "one");
  tb_session_writer_put_string (writer, 0, "changed");
  g_assert_true (tb_session_writer_commit (writer, &error));
  append_losses (writer, 140000, 1);
  g_assert_cmpuint (tb_session_writer_get_n_rows (writer, TB_TABLE_LOST), ==, 140001);
  g_assert_true (tb_session_writer_close (writer, &error));
  g_assert_no_error (error);
  g_assert_cmpuint (tb_session_writer_get_bytes (writer), >, 0);

  g_assert_cmpuint (count_files (fixture), ==, 1);
  g_assert_cmpint (query (fixture,
                          "SELECT rows FROM all_columns WHERE event_table = 'lost' LIMIT 1"),
                   ==, 140001);
  g_assert_cmpint (query (fixture, "SELECT maximum FROM all_columns WHERE event_column = 'from'"),
                   ==, 1000 + 10 * 140000);
  g_assert_cmpint (query (fixture, "SELECT count (*) FROM string WHERE text IN ('one', 'changed')"),
                   ==, 2);
  g_assert_cmpint (query (fixture, "SELECT count (*) FROM fact WHERE name = 'in-progress'"), ==, 0);
  g_assert_cmpint (
      query (fixture, "SELECT count (*) FROM pragma_integrity_check WHERE integrity_check = 'ok'"),
      ==, 1);
  session = tb_session_open (fixture->file, NULL, &error);
  g_assert_no_error (error);
  g_assert_true (tb_session_check (session, NULL, &error));
}

/* A temporary file that was never committed leaves nothing. */
static void
test_temporary_abandoned (Fixture *fixture, gconstpointer data)
{
  g_autoptr (GError) error = NULL;
  g_autoptr (TbSessionWriter) writer = tb_session_writer_new (fixture->file, FALSE, &error);

  g_assert_no_error (error);
  tb_session_writer_set_temporary (writer);
  append_losses (writer, 0, 70000);
  tb_session_writer_abandon (writer);
  g_assert_cmpuint (count_files (fixture), ==, 0);
}

/* The name of a temporary file was taken meanwhile: closing it reports that. */
static void
test_temporary_exists (Fixture *fixture, gconstpointer data)
{
  g_autoptr (GError) error = NULL;
  g_autoptr (TbSessionWriter) writer = tb_session_writer_new (fixture->file, FALSE, &error);
  g_autofree char *contents = NULL;

  g_assert_no_error (error);
  g_assert_true (g_file_set_contents (fixture->path, "precious", -1, NULL));
  tb_session_writer_set_temporary (writer);
  g_assert_false (tb_session_writer_close (writer, &error));
  g_assert_error (error, TB_SESSION_ERROR, TB_SESSION_ERROR_EXISTS);
  g_assert_true (g_file_get_contents (fixture->path, &contents, NULL, NULL));
  g_assert_cmpstr (contents, ==, "precious");
}

static void
test_exists (Fixture *fixture, gconstpointer data)
{
  g_autoptr (GError) error = NULL;
  g_autofree char *contents = NULL;

  g_assert_true (g_file_set_contents (fixture->path, "precious", -1, NULL));
  g_assert_null (tb_session_writer_new (fixture->file, FALSE, &error));
  g_assert_error (error, TB_SESSION_ERROR, TB_SESSION_ERROR_EXISTS);
  g_clear_error (&error);

  /* replaced by the first commit, not before */
  {
    g_autoptr (TbSessionWriter) writer = tb_session_writer_new (fixture->file, TRUE, &error);

    append_losses (writer, 0, 10);
    g_assert_true (g_file_get_contents (fixture->path, &contents, NULL, NULL));
    g_assert_cmpstr (contents, ==, "precious");
    g_clear_pointer (&contents, g_free);
    tb_session_writer_abandon (writer);
  }
  g_assert_true (g_file_get_contents (fixture->path, &contents, NULL, NULL));
  g_assert_cmpstr (contents, ==, "precious");
  {
    g_autoptr (TbSessionWriter) writer = tb_session_writer_new (fixture->file, TRUE, &error);

    append_losses (writer, 0, 10);
    g_assert_true (tb_session_writer_close (writer, &error));
  }
  g_assert_cmpuint (count_files (fixture), ==, 1);
  g_assert_cmpint (query (fixture, "SELECT rows FROM chunk LIMIT 1"), ==, 10);
}

static void
test_file_appears_later (Fixture *fixture, gconstpointer data)
{
  g_autoptr (GError) error = NULL;
  g_autofree char *contents = NULL;
  g_autoptr (TbSessionWriter) writer = tb_session_writer_new (fixture->file, FALSE, &error);

  g_assert_no_error (error);
  g_assert_true (g_file_set_contents (fixture->path, "precious", -1, NULL));
  g_assert_false (tb_session_writer_commit (writer, &error));
  g_assert_error (error, TB_SESSION_ERROR, TB_SESSION_ERROR_EXISTS);
  g_clear_error (&error);
  g_assert_false (tb_session_writer_close (writer, &error));
  g_assert_error (error, TB_SESSION_ERROR, TB_SESSION_ERROR_EXISTS);
  tb_session_writer_abandon (writer);
  g_assert_true (g_file_get_contents (fixture->path, &contents, NULL, NULL));
  g_assert_cmpstr (contents, ==, "precious");
  g_assert_cmpuint (count_files (fixture), ==, 1);
}

static void
test_abandon (Fixture *fixture, gconstpointer data)
{
  g_autoptr (GError) error = NULL;
  g_autoptr (TbSessionWriter) writer = tb_session_writer_new (fixture->file, FALSE, &error);

  append_losses (writer, 0, 10);
  g_assert_true (tb_session_writer_commit (writer, &error));
  g_assert_cmpuint (count_files (fixture), >, 0);
  append_losses (writer, 10, 10);
  tb_session_writer_abandon (writer);
  g_assert_cmpuint (count_files (fixture), ==, 0);
}

static void
test_special_file (void)
{
  g_autoptr (GError) error = NULL;
  g_autoptr (GFile) null = g_file_new_for_path ("/dev/null");
  g_autoptr (GFile) nowhere = g_file_new_for_path ("/no/such/folder/a.tailback");
  g_autoptr (GFile) remote = g_file_new_for_uri ("http://example.org/a.tailback");

  g_assert_null (tb_session_writer_new (null, TRUE, &error));
  g_assert_error (error, TB_SESSION_ERROR, TB_SESSION_ERROR_EXISTS);
  g_clear_error (&error);
  g_assert_null (tb_session_writer_new (nowhere, TRUE, &error));
  g_assert_error (error, TB_SESSION_ERROR, TB_SESSION_ERROR_IO);
  g_clear_error (&error);
  g_assert_null (tb_session_writer_new (remote, TRUE, &error));
  g_assert_error (error, TB_SESSION_ERROR, TB_SESSION_ERROR_IO);
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add ("/session/writer/life", Fixture, NULL, set_up, test_life, tear_down);
  g_test_add ("/session/writer/temporary", Fixture, "temporary", set_up, test_life, tear_down);
  g_test_add ("/session/writer/temporary-abandoned", Fixture, NULL, set_up,
              test_temporary_abandoned, tear_down);
  g_test_add ("/session/writer/temporary-exists", Fixture, NULL, set_up, test_temporary_exists,
              tear_down);
  g_test_add ("/session/writer/exists", Fixture, NULL, set_up, test_exists, tear_down);
  g_test_add ("/session/writer/appears-meanwhile", Fixture, NULL, set_up, test_file_appears_later,
              tear_down);
  g_test_add ("/session/writer/abandon", Fixture, NULL, set_up, test_abandon, tear_down);
  g_test_add_func ("/session/writer/special-file", test_special_file);
  return g_test_run ();
}
