/* test-session-damage.c: killed writers, full disks, files that may not be written, files that are not what they say
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#include <fcntl.h>
#include <glib/gstdio.h>
#include <signal.h>
#include <sqlite3.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>
#include <zstd.h>

#include "session-fixture.h"
#include "session/tb-session-private.h"

typedef struct
{
  char *folder;
  char *path;
  GFile *file;
  GRand *random;
} Fixture;

static void
set_up (Fixture *fixture, gconstpointer data)
{
  fixture->folder = g_dir_make_tmp ("tailback-damage-XXXXXX", NULL);
  fixture->path = g_build_filename (fixture->folder, "a.tailback", NULL);
  fixture->file = g_file_new_for_path (fixture->path);
  fixture->random = g_rand_new_with_seed (g_test_rand_int ());
}

static void
clear_folder (Fixture *fixture)
{
  g_autoptr (GDir) dir = g_dir_open (fixture->folder, 0, NULL);
  const char *name;

  while ((name = g_dir_read_name (dir)) != NULL)
    {
      g_autofree char *path = g_build_filename (fixture->folder, name, NULL);

      g_unlink (path);
    }
}

static void
tear_down (Fixture *fixture, gconstpointer data)
{
  clear_folder (fixture);
  g_assert_cmpint (g_rmdir (fixture->folder), ==, 0);
  g_rand_free (fixture->random);
  g_object_unref (fixture->file);
  g_free (fixture->path);
  g_free (fixture->folder);
}

/* Opens and reads all there is; NULL or an error that is one line. */
static TbSession *
open_and_read (GFile *file, GError **error)
{
  TbSession *session = tb_session_open (file, NULL, error);

  for (guint kind = 0; session != NULL && kind < TB_N_TABLES; kind++)
    for (guint i = 0; session != NULL && i < tb_table_kind_get_info (kind)->n_columns; i++)
      {
        GBytes *bytes = tb_table_get_column (tb_session_get_table (session, kind), i, error);

        if (bytes == NULL)
          g_clear_object (&session);
        g_clear_pointer (&bytes, g_bytes_unref);
      }
  g_assert_true (session != NULL || error == NULL || *error != NULL);
  if (error != NULL && *error != NULL)
    {
      g_assert_true ((*error)->domain == TB_SESSION_ERROR);
      g_assert_null (strchr ((*error)->message, '\n'));
      g_assert_true (g_utf8_validate ((*error)->message, -1, NULL));
    }
  return session;
}

static void
assert_refused (Fixture *fixture, TbSessionError code)
{
  g_autoptr (GError) error = NULL;

  g_assert_null (open_and_read (fixture->file, &error));
  g_assert_error (error, TB_SESSION_ERROR, (int) code);
}

static void
run_sql (Fixture *fixture, const char *sql)
{
  sqlite3 *db;
  char *message = NULL;

  g_assert_cmpint (sqlite3_open (fixture->path, &db), ==, SQLITE_OK);
  sqlite3_exec (db, sql, NULL, NULL, &message);
  g_assert_cmpstr (message, ==, NULL);
  sqlite3_close (db);
}

/* ---- killed ---- */

#define KILL_ROWS 700

/* Writes rows of which the number tells how many were before, for ever; says by pipe how many it committed. */
static void
write_until_killed (Fixture *fixture, int pipe_fd)
{
  g_autoptr (TbSessionWriter) writer = tb_session_writer_new (fixture->file, FALSE, NULL);
  guint64 counts[KILL_ROWS];
  gint64 times[KILL_ROWS];
  guint16 cpus[KILL_ROWS] = { 0 };

  for (guint64 n = 0;; n += KILL_ROWS)
    {
      for (guint i = 0; i < KILL_ROWS; i++)
        {
          counts[i] = n + i;
          times[i] = (gint64) (n + i) * 1000;
        }
      if (!tb_session_writer_append (writer, TB_TABLE_LOST, (gconstpointer[]) { times, times, cpus, counts },
                                     KILL_ROWS, NULL))
        _exit (1);
      if (n / KILL_ROWS % 3 == 0)
        {
          guint64 committed = n + KILL_ROWS;

          if (!tb_session_writer_commit (writer, NULL)
              || write (pipe_fd, &committed, sizeof committed) != sizeof committed)
            _exit (1);
        }
    }
}

static void
test_kill (Fixture *fixture, gconstpointer data)
{
  guint n_opened = 0;

  for (guint round = 0; round < 40; round++)
    {
      g_autoptr (GError) error = NULL;
      g_autoptr (TbSession) session = NULL;
      guint64 committed = 0, last;
      int fds[2], status;
      pid_t pid;

      g_assert_cmpint (pipe (fds), ==, 0);
      pid = fork ();
      if (pid == 0)
        write_until_killed (fixture, fds[1]);
      close (fds[1]);
      /* Every other one after its first commit, however slow the machine. */
      if (round % 2 == 0 && read (fds[0], &last, sizeof last) == sizeof last)
        committed = last;
      g_usleep ((gulong) g_rand_int_range (fixture->random, 0, round % 2 ? 6000 : 60000));
      kill (pid, SIGKILL);
      g_assert_cmpint (waitpid (pid, &status, 0), ==, pid);
      g_assert_true (WIFSIGNALED (status));
      while (read (fds[0], &last, sizeof last) == sizeof last)
        committed = last;
      close (fds[0]);

      if (!g_file_test (fixture->path, G_FILE_TEST_EXISTS))
        {
          g_assert_cmpuint (committed, ==, 0);
          continue;
        }
      session = open_and_read (fixture->file, &error);
      g_assert_no_error (error);
      g_assert_true (tb_session_is_cut_short (session));
      g_assert_nonnull (tb_session_get_fact (session, "cut-short"));
      g_assert_cmpuint (g_strv_length ((char **) tb_session_get_warnings (session)), ==, 0);
      {
        TbTable *table = tb_session_get_table (session, TB_TABLE_LOST);
        guint64 n = tb_table_get_n_rows (table);
        g_autoptr (GBytes) bytes = tb_table_get_column (table, TB_LOST_COUNT, &error);
        const guint64 *counts = g_bytes_get_data (bytes, NULL);

        g_assert_cmpuint (n, >=, committed);
        for (guint64 i = 0; i < n; i++)
          g_assert_cmpuint (counts[i], ==, i);
      }
      n_opened++;

      /* recovered: one file, which says so from then on */
      g_clear_object (&session);
      session = tb_session_open (fixture->file, NULL, &error);
      g_assert_no_error (error);
      g_assert_true (tb_session_is_cut_short (session));
      g_clear_object (&session);
      g_assert_cmpint (g_unlink (fixture->path), ==, 0);
      {
        g_autoptr (GDir) dir = g_dir_open (fixture->folder, 0, NULL);

        g_assert_null (g_dir_read_name (dir));
      }
    }
  g_assert_cmpuint (n_opened, >=, 20);
}

/* Adds names, facts and a derived table for ever. */
static void
add_until_killed (Fixture *fixture, FixtureRows *rows, int pipe_fd)
{
  g_autoptr (TbSession) session = tb_session_open (fixture->file, NULL, NULL);
  GBytes *columns[TB_MAX_COLUMNS];

  for (guint i = 0; i < TB_INTERVAL_N_COLUMNS; i++)
    columns[i] = g_bytes_new (rows->columns[TB_TABLE_INTERVAL][i],
                              rows->n_rows[TB_TABLE_INTERVAL]
                                  * tb_column_type_get_size (
                                      tb_table_kind_get_info (TB_TABLE_INTERVAL)->columns[i].type));
  if (write (pipe_fd, "", 1) != 1)
    _exit (1);
  for (guint32 n = 0;; n++)
    {
      guint32 frame = n % FIXTURE_FRAMES;
      TbFrameName name = { "function", "file.c", n, FALSE };
      g_autofree char *text = g_strdup_printf ("%u", n);

      if (!tb_session_add_frame_names (session, &frame, (guint[]) { 1 }, 1, &name, NULL)
          || !tb_session_set_fact (session, "n", text, NULL)
          || !tb_session_put_table (session, TB_TABLE_INTERVAL, columns, rows->n_rows[TB_TABLE_INTERVAL],
                                    NULL, NULL))
        _exit (1);
    }
}

static void
test_kill_while_adding (Fixture *fixture, gconstpointer data)
{
  g_autoptr (FixtureRows) rows = fixture_rows_new (fixture->random, 30000);

  fixture_write (fixture->file, rows);
  for (guint round = 0; round < 30; round++)
    {
      g_autoptr (GError) error = NULL;
      g_autoptr (TbSession) session = NULL;
      int fds[2], status;
      char ready;
      pid_t pid;

      g_assert_cmpint (pipe (fds), ==, 0);
      pid = fork ();
      if (pid == 0)
        add_until_killed (fixture, rows, fds[1]);
      close (fds[1]);
      g_assert_cmpint (read (fds[0], &ready, 1), ==, 1);
      g_usleep ((gulong) g_rand_int_range (fixture->random, 0, 30000));
      kill (pid, SIGKILL);
      g_assert_cmpint (waitpid (pid, &status, 0), ==, pid);
      g_assert_true (WIFSIGNALED (status));
      close (fds[0]);

      session = open_and_read (fixture->file, &error);
      g_assert_no_error (error);
      g_assert_false (tb_session_is_cut_short (session));
      g_assert_true (tb_session_check (session, NULL, &error));
      g_assert_cmpuint (tb_table_get_n_rows (tb_session_get_table (session, TB_TABLE_INTERVAL)), ==,
                        rows->n_rows[TB_TABLE_INTERVAL]);
    }
}

/* A recording that goes on is neither opened nor taken for one that was cut. */
static void
test_in_use (Fixture *fixture, gconstpointer data)
{
  g_autoptr (FixtureRows) rows = fixture_rows_new (fixture->random, 1000);
  g_autoptr (GError) error = NULL;
  g_autoptr (TbSessionWriter) writer = tb_session_writer_new (fixture->file, FALSE, &error);
  g_autoptr (TbSession) session = NULL;

  fixture_put_facts (writer);
  g_assert_true (tb_session_writer_commit (writer, &error));
  assert_refused (fixture, TB_SESSION_ERROR_IO);
  fixture_append (writer, rows, TB_TABLE_LOST, 0, 100);
  g_assert_true (tb_session_writer_commit (writer, &error));
  assert_refused (fixture, TB_SESSION_ERROR_IO);
  g_assert_true (tb_session_writer_close (writer, &error));
  session = open_and_read (fixture->file, &error);
  g_assert_no_error (error);
  g_assert_false (tb_session_is_cut_short (session));
}

/* ---- no room, no permission ---- */

/* In a child: what is limited or given up there stays there. Its status 0 says that all was as it should be. */
static void
run_in_child (Fixture *fixture, void (*run) (Fixture *))
{
  int status;
  pid_t pid = fork ();

  if (pid == 0)
    {
      run (fixture);
      _exit (0);
    }
  g_assert_cmpint (waitpid (pid, &status, 0), ==, pid);
  g_assert_true (WIFEXITED (status));
  g_assert_cmpint (WEXITSTATUS (status), ==, 0);
}

static void
fill_the_disk (Fixture *fixture)
{
  g_autoptr (GRand) random = g_rand_new_with_seed (7);
  g_autoptr (FixtureRows) rows = fixture_rows_new (random, 60000);
  g_autoptr (GError) error = NULL, again = NULL;
  g_autoptr (TbSessionWriter) writer = tb_session_writer_new (fixture->file, FALSE, &error);
  struct rlimit limit = { 3 << 20, 3 << 20 };
  gboolean ok = TRUE;

  signal (SIGXFSZ, SIG_IGN);
  g_assert_cmpint (setrlimit (RLIMIT_FSIZE, &limit), ==, 0);
  fixture_put_facts (writer);
  for (guint i = 0; ok && i < 200; i++)
    {
      fixture_append (writer, rows, TB_TABLE_FRAME, 0, FIXTURE_FRAMES);
      for (guint j = 0; j < 40; j++)
        tb_session_writer_put_warning (
            writer, "a warning as long as this that is here only to fill the disk it is on");
      ok = tb_session_writer_commit (writer, &error);
    }
  g_assert_false (ok);
  g_assert_error (error, TB_SESSION_ERROR, TB_SESSION_ERROR_IO);
  g_assert_null (strchr (error->message, '\n'));
  g_assert_nonnull (strstr (error->message, g_strerror (EFBIG)));
  g_assert_false (tb_session_writer_close (writer, &again));
  g_assert_cmpstr (again->message, ==, error->message);
}

static void
test_full_disk (Fixture *fixture, gconstpointer data)
{
  g_autoptr (TbSession) session = NULL;
  g_autoptr (GError) error = NULL;

  run_in_child (fixture, fill_the_disk);
  session = tb_session_open (fixture->file, NULL, &error);
  g_assert_no_error (error);
  g_assert_true (tb_session_is_cut_short (session));
  g_assert_cmpuint (tb_table_get_n_rows (tb_session_get_table (session, TB_TABLE_FRAME)), >, 0);
  g_assert_cmpuint (g_strv_length ((char **) tb_session_get_warnings (session)) % 40, ==,
                    1); /* whole transactions */
}

static void
become_nobody (void)
{
  if (getuid () == 0)
    g_assert_cmpint (setresuid (65534, 65534, 65534), ==, 0);
}

static void
read_without_permission (Fixture *fixture)
{
  g_autoptr (TbSession) session = NULL;
  g_autoptr (GError) error = NULL;
  g_autoptr (TbSessionWriter) writer = NULL;
  g_autoptr (GFile) folder = g_file_get_parent (fixture->file);
  g_autoptr (GFile) forbidden = g_file_get_child (folder, "x.tailback");

  become_nobody ();
  g_setenv ("XDG_CACHE_HOME", "/nonexistent", TRUE);
  session = open_and_read (fixture->file, &error);
  g_assert_no_error (error);
  g_assert_false (tb_session_is_writable (session));
  g_assert_cmpuint (tb_table_get_n_rows (tb_session_get_table (session, TB_TABLE_LOST)), >, 0);

  g_assert_cmpint (tb_session_add_bookmark (session, "kept", 1, 2, TB_ID_NONE, &error), ==, 1);
  g_assert_no_error (error);
  g_assert_false (tb_session_save_copy (session, forbidden, NULL, &error));
  g_assert_error (error, TB_SESSION_ERROR, TB_SESSION_ERROR_IO);
  g_clear_error (&error);

  writer = tb_session_writer_new (forbidden, FALSE, &error);
  g_assert_null (writer);
  g_assert_error (error, TB_SESSION_ERROR, TB_SESSION_ERROR_IO);
  g_assert_null (strchr (error->message, '\n'));
}

static void
test_read_only (Fixture *fixture, gconstpointer data)
{
  g_autoptr (FixtureRows) rows = fixture_rows_new (fixture->random, 1000);

  fixture_write (fixture->file, rows);
  g_chmod (fixture->path, 0444);
  g_chmod (fixture->folder, 0555);
  run_in_child (fixture, read_without_permission);
  g_chmod (fixture->folder, 0755);
}

/* Left by a crash where nothing can be written: recovered in a copy, the original untouched. */
static void
test_read_only_log (Fixture *fixture, gconstpointer data)
{
  g_autofree char *log = g_strconcat (fixture->path, "-wal", NULL);
  int fds[2], status;
  guint64 committed;
  GStatBuf before, after;
  pid_t pid;

  g_assert_cmpint (pipe (fds), ==, 0);
  pid = fork ();
  if (pid == 0)
    write_until_killed (fixture, fds[1]);
  close (fds[1]);
  for (guint i = 0; i < 3; i++)
    g_assert_cmpint (read (fds[0], &committed, sizeof committed), ==, sizeof committed);
  kill (pid, SIGKILL);
  waitpid (pid, &status, 0);
  close (fds[0]);
  g_assert_cmpint (g_stat (log, &before), ==, 0);
  g_assert_cmpint (before.st_size, >, 0);

  g_chmod (fixture->path, 0444);
  g_chmod (log, 0444);
  g_chmod (fixture->folder, 0555);
  run_in_child (fixture, read_without_permission);
  g_chmod (fixture->folder, 0755);
  g_assert_cmpint (g_stat (log, &after), ==, 0);
  g_assert_cmpint (before.st_size, ==, after.st_size);
}

/* ---- not what they say ---- */

static void
test_foreign (Fixture *fixture, gconstpointer data)
{
  g_autoptr (GFile) folder = g_file_new_for_path (fixture->folder);
  g_autoptr (GFile) null = g_file_new_for_path ("/dev/null");
  g_autoptr (GFile) nothing = g_file_new_for_path ("/no/such/file");
  g_autoptr (GError) error = NULL;
  char zeros[5000] = "";

  g_assert_true (g_file_set_contents (fixture->path, "", 0, NULL));
  assert_refused (fixture, TB_SESSION_ERROR_FOREIGN);
  g_assert_true (g_file_set_contents (fixture->path, "PERFILE2", 8, NULL));
  assert_refused (fixture, TB_SESSION_ERROR_FOREIGN);
  g_assert_true (g_file_set_contents (fixture->path, zeros, sizeof zeros, NULL));
  assert_refused (fixture, TB_SESSION_ERROR_FOREIGN);
  g_assert_true (g_file_set_contents (fixture->path, "SQLite format 3", 16, NULL));
  assert_refused (fixture, TB_SESSION_ERROR_FOREIGN);

  g_unlink (fixture->path);
  run_sql (fixture, "CREATE TABLE host (id INTEGER)");
  assert_refused (fixture, TB_SESSION_ERROR_FOREIGN);
  run_sql (fixture, "PRAGMA application_id = 1413630803; PRAGMA user_version = 99");
  assert_refused (fixture, TB_SESSION_ERROR_VERSION);
  run_sql (fixture, "PRAGMA user_version = 1");
  assert_refused (fixture, TB_SESSION_ERROR_DAMAGED);

  g_assert_null (open_and_read (folder, &error));
  g_assert_error (error, TB_SESSION_ERROR, TB_SESSION_ERROR_FOREIGN);
  g_clear_error (&error);
  g_assert_null (open_and_read (null, &error));
  g_assert_error (error, TB_SESSION_ERROR, TB_SESSION_ERROR_FOREIGN);
  g_clear_error (&error);
  g_assert_null (open_and_read (nothing, &error));
  g_assert_error (error, TB_SESSION_ERROR, TB_SESSION_ERROR_IO);
}

static void
test_truncated (Fixture *fixture, gconstpointer data)
{
  g_autoptr (FixtureRows) rows = fixture_rows_new (fixture->random, 20000);
  g_autofree char *contents = NULL;
  gsize length;

  fixture_write (fixture->file, rows);
  g_assert_true (g_file_get_contents (fixture->path, &contents, &length, NULL));
  for (guint i = 0; i < 60; i++)
    {
      gsize n = (gsize) g_rand_int_range (fixture->random, 0, (gint32) length);
      g_autoptr (GError) error = NULL;

      g_assert_true (g_file_set_contents (fixture->path, contents, (gssize) n, NULL));
      g_assert_null (open_and_read (fixture->file, &error));
      g_assert_nonnull (error);
    }
}

/* Either refused, or read with the values that were written. */
static void
test_flipped (Fixture *fixture, gconstpointer data)
{
  g_autoptr (FixtureRows) rows = fixture_rows_new (fixture->random, 3000);
  g_autofree char *contents = NULL;
  guint n_refused = 0, n_read = 0;
  gsize length;

  fixture_write (fixture->file, rows);
  g_assert_true (g_file_get_contents (fixture->path, &contents, &length, NULL));
  for (guint i = 0; i < 250; i++)
    {
      /* the first pages, where structure is, as often as all the rest */
      gsize at = (gsize) g_rand_int_range (fixture->random, 0, i % 2 ? (gint32) length : 16384);
      char bit = (char) (1 << g_rand_int_range (fixture->random, 0, 8));
      g_autoptr (GError) error = NULL;
      g_autoptr (TbSession) session = NULL;

      contents[at] ^= bit;
      g_assert_true (g_file_set_contents (fixture->path, contents, (gssize) length, NULL));
      contents[at] ^= bit;
      session = open_and_read (fixture->file, &error);
      if (session == NULL)
        n_refused++;
      else
        {
          n_read++;
          for (guint kind = 0; kind < TB_N_TABLES; kind++)
            for (guint c = 0; c < tb_table_kind_get_info (kind)->n_columns; c++)
              {
                g_autoptr (GBytes) bytes
                    = tb_table_get_column (tb_session_get_table (session, kind), c, NULL);

                if (tb_table_kind_get_info (kind)->derived && g_bytes_get_size (bytes) == 0)
                  continue; /* of another version, it seems */
                g_assert_cmpmem (g_bytes_get_data (bytes, NULL), g_bytes_get_size (bytes),
                                 rows->columns[kind][c],
                                 rows->n_rows[kind]
                                     * tb_column_type_get_size (
                                         tb_table_kind_get_info (kind)->columns[c].type));
              }
        }
      clear_folder (fixture);
    }
  g_assert_cmpuint (n_refused, >, 10);
  g_assert_cmpuint (n_read, >, 10);
}

static void
replace_chunk (Fixture *fixture, TbTableKind kind, guint column, gconstpointer data, gsize size)
{
  sqlite3 *db;
  sqlite3_stmt *statement;

  g_assert_cmpint (sqlite3_open (fixture->path, &db), ==, SQLITE_OK);
  g_assert_cmpint (sqlite3_prepare_v2 (db, "UPDATE chunk_data SET data = ? WHERE id = ?", -1, &statement,
                                       NULL),
                   ==, SQLITE_OK);
  sqlite3_bind_blob64 (statement, 1, data, size, SQLITE_STATIC);
  sqlite3_bind_int64 (statement, 2, tb_session_file_get_chunk_key (kind, column, 0));
  g_assert_cmpint (sqlite3_step (statement), ==, SQLITE_DONE);
  g_assert_cmpint (sqlite3_changes (db), ==, 1);
  sqlite3_finalize (statement);
  sqlite3_close (db);
}

/* Each statement makes a lie of a good file. */
static void
test_hostile (Fixture *fixture, gconstpointer data)
{
  static const char *const lies[] = {
    "UPDATE chunk SET rows = 2147483648 WHERE event_table = 0",
    "UPDATE chunk SET rows = 65536",
    /* many chunks of nothing */
    "DELETE FROM chunk WHERE event_table = 14; WITH RECURSIVE n (i) AS (SELECT 0 UNION ALL SELECT i + 1 FROM "
    "n WHERE "
    "i < 20000) INSERT INTO chunk SELECT 14, 0, i, 65536, NULL, NULL FROM n",
    "UPDATE chunk SET rows = -1",
    "UPDATE chunk SET rows = 'many'",
    "UPDATE chunk SET chunk = 1 WHERE event_table = 3",
    "UPDATE chunk SET event_table = 99 WHERE event_table = 3",
    "UPDATE chunk SET event_column = 99 WHERE event_table = 3 AND event_column = 2",
    "UPDATE chunk SET minimum = -5 WHERE event_table = 0 AND event_column = 0",
    "UPDATE chunk SET minimum = minimum - 1 WHERE event_table = 0 AND event_column = 0",
    "UPDATE chunk SET maximum = 9223372036854775807 WHERE event_table = 0 AND event_column = 0",
    "UPDATE chunk SET minimum = NULL WHERE event_table = 0 AND event_column = 0",
    "DELETE FROM chunk WHERE event_table = 3 AND event_column = 1",
    "DELETE FROM chunk_data WHERE id = 0",
    "UPDATE chunk_data SET data = zeroblob (20000000) WHERE id = 0",
    "UPDATE chunk_data SET data = NULL || '' WHERE id = 1; UPDATE chunk_data SET data = '' WHERE id = 0",
    "DELETE FROM thread WHERE id = 3",
    "DELETE FROM thread_name; DELETE FROM thread WHERE id > 3",
    "DELETE FROM string WHERE id > 2",
    "DELETE FROM device WHERE id > 0",
    "DELETE FROM module WHERE id > 0",
    "DELETE FROM chunk WHERE event_table = 12; DELETE FROM chunk_data WHERE id >> 40 = 12",
    "DELETE FROM chunk WHERE event_table = 11; DELETE FROM chunk_data WHERE id >> 40 = 11",
    "UPDATE string SET id = id + 1000000 WHERE id = 39",
    "UPDATE string SET text = x'00ff' WHERE id = 3",
    "UPDATE process SET host = 7",
    "UPDATE process SET parent = 4000000000 WHERE id = 3",
    "UPDATE process SET pid = 99999999999 WHERE id = 3",
    "UPDATE thread SET process = 10 WHERE id = 3",
    "UPDATE thread SET tid = 'x' WHERE id = 3",
    "UPDATE thread_name SET thread = 50 WHERE thread = 49",
    "UPDATE module SET kind = 'x' WHERE id = 3",
    "UPDATE device SET host = NULL + 1 WHERE id = 99; UPDATE device SET host = 1",
    "UPDATE event_table SET version = 7 WHERE id = 0",
    "UPDATE event_table SET name = 'x' WHERE id = 0",
    "DELETE FROM event_table WHERE id = 5",
    "INSERT INTO event_table VALUES (77, 'x', 1)",
    "INSERT INTO bookmark VALUES (-4, 'x', 1, 2, NULL)",
    "INSERT INTO bookmark VALUES (4, 'x', 1, 2, 50)",
    "INSERT INTO bookmark VALUES (4, 'x', 'y', 2, NULL)",
    "UPDATE fact SET name = x'41'",
    "CREATE TRIGGER t AFTER INSERT ON fact BEGIN DELETE FROM string; END",
    "CREATE VIEW v AS SELECT 1",
    "CREATE TABLE extra (id INTEGER)",
    "CREATE INDEX i ON string (text)",
    "DROP VIEW all_threads",
    "DROP VIEW all_threads; CREATE VIEW all_threads AS SELECT 1",
    "DROP TABLE report",
    "PRAGMA writable_schema = ON; UPDATE sqlite_schema SET sql = replace (sql, 'TEXT NOT NULL', 'TEXT') "
    "WHERE name = 'string'",
    "PRAGMA writable_schema = ON; DELETE FROM sqlite_schema WHERE name = 'symbol'",
    "PRAGMA writable_schema = ON; UPDATE sqlite_schema SET rootpage = 2 WHERE name = 'string'",
  };
  g_autoptr (FixtureRows) rows = fixture_rows_new (fixture->random, 5000);
  g_autofree char *contents = NULL;
  gsize length;

  fixture_write (fixture->file, rows);
  g_assert_true (g_file_get_contents (fixture->path, &contents, &length, NULL));
  for (guint i = 0; i < G_N_ELEMENTS (lies); i++)
    {
      g_autoptr (GError) error = NULL;

      g_test_message ("%s", lies[i]);
      clear_folder (fixture);
      g_assert_true (g_file_set_contents (fixture->path, contents, (gssize) length, NULL));
      run_sql (fixture, lies[i]);
      g_assert_null (open_and_read (fixture->file, &error));
      g_assert_nonnull (error);
      g_test_message ("%s", error->message);
    }
}

/* A session from before there were sleeps has none; other tables must be there. */
static void
test_older (Fixture *fixture, gconstpointer data)
{
  g_autoptr (FixtureRows) rows = fixture_rows_new (fixture->random, 5000);
  g_autoptr (TbSession) session = NULL;
  g_autoptr (GError) error = NULL;

  fixture_write (fixture->file, rows);
  run_sql (fixture, "DELETE FROM event_table WHERE id = 16; DELETE FROM chunk WHERE event_table IN (13, 16); "
                    "DELETE FROM chunk_data WHERE id >> 40 IN (13, 16); "
                    "UPDATE event_table SET version = 1 WHERE id IN (13, 15)");
  session = open_and_read (fixture->file, &error);
  g_assert_no_error (error);
  g_assert_cmpuint (tb_table_get_n_rows (tb_session_get_table (session, TB_TABLE_SLEEP)), ==, 0);
  g_assert_cmpuint (tb_table_get_n_rows (tb_session_get_table (session, TB_TABLE_INTERVAL)), ==, 0);
  g_assert_cmpuint (tb_table_get_n_rows (tb_session_get_table (session, TB_TABLE_LOST)), ==,
                    rows->n_rows[TB_TABLE_LOST]);
  tb_session_check (session, NULL, &error);
  g_assert_no_error (error);
}

/* Chunks that decode, of values that their column may not have. */
static void
test_hostile_values (Fixture *fixture, gconstpointer data)
{
  static const struct
  {
    TbTableKind kind;
    guint column;
    gint64 value; /* of row 3 */
  } lies[] = {
    { TB_TABLE_SWITCH, TB_SWITCH_PREV, FIXTURE_THREADS },
    { TB_TABLE_SWITCH, TB_SWITCH_PREV, TB_ID_NONE },
    { TB_TABLE_WAKEUP, TB_WAKEUP_WAKER, TB_ID_NONE - 1 },
    { TB_TABLE_SWITCH, TB_SWITCH_STACK, TB_ID_NONE },
    { TB_TABLE_PROCESS, TB_PROCESS_KIND, 5 },
    { TB_TABLE_PROCESS, TB_PROCESS_TEXT, FIXTURE_STRINGS },
    { TB_TABLE_SYSCALL, TB_SYSCALL_ENTER, -2 },
    { TB_TABLE_SYSCALL, TB_SYSCALL_ENTER, G_MAXINT64 },
    { TB_TABLE_SYSCALL, TB_SYSCALL_EXIT, 1 },
    { TB_TABLE_SYSCALL, TB_SYSCALL_EXIT, TB_TIME_NONE },
    { TB_TABLE_SWITCH, TB_SWITCH_TIME, TB_TIME_NONE },
    { TB_TABLE_SWITCH, TB_SWITCH_TIME, 1 },
    { TB_TABLE_BLOCK, TB_BLOCK_DEVICE, FIXTURE_DEVICES },
    { TB_TABLE_FRAME, TB_FRAME_MODULE, FIXTURE_MODULES },
    { TB_TABLE_SLEEP, TB_SLEEP_KIND, TB_N_SLEEPS },
    { TB_TABLE_SLEEP, TB_SLEEP_THREAD, TB_ID_NONE },
    { TB_TABLE_SLEEP, TB_SLEEP_PLACE, FIXTURE_FRAMES },
    { TB_TABLE_SLEEP, TB_SLEEP_TIME, 1 },
    { TB_TABLE_INTERVAL, TB_INTERVAL_SLEEP, TB_ID_NONE - 1 },
    { TB_TABLE_STACK, TB_STACK_PARENT, 3 },
    { TB_TABLE_STACK, TB_STACK_FRAME, FIXTURE_FRAMES },
    { TB_TABLE_INTERVAL, TB_INTERVAL_STATE, 6 },
    { TB_TABLE_INTERVAL, TB_INTERVAL_THREAD, FIXTURE_THREADS - 1 },
  };
  g_autoptr (FixtureRows) rows = fixture_rows_new (fixture->random, 5000);
  g_autoptr (TbChunkCodec) codec = tb_chunk_codec_new ();

  for (guint i = 0; i < G_N_ELEMENTS (lies); i++)
    {
      TbColumnType type = tb_table_kind_get_info (lies[i].kind)->columns[lies[i].column].type;
      gsize value_size = tb_column_type_get_size (type), size;
      guint n = (guint) rows->n_rows[lies[i].kind];
      g_autofree guint8 *values = g_memdup2 (rows->columns[lies[i].kind][lies[i].column], n * value_size);
      g_autoptr (TbSession) session = NULL;
      g_autoptr (GError) error = NULL;
      gconstpointer encoded;
      TbTable *table;

      clear_folder (fixture);
      fixture_write (fixture->file, rows);
      memcpy (values + 3 * value_size, &lies[i].value, value_size);
      encoded = tb_chunk_codec_encode (codec, type, values, n, &size);
      replace_chunk (fixture, lies[i].kind, lies[i].column, encoded, size);

      session = tb_session_open (fixture->file, NULL, &error);
      g_assert_no_error (error);
      table = tb_session_get_table (session, lies[i].kind);
      g_assert_null (tb_table_get_column (table, lies[i].column, &error));
      g_assert_error (error, TB_SESSION_ERROR, TB_SESSION_ERROR_DAMAGED);
      g_assert_nonnull (strstr (error->message, tb_table_kind_get_info (lies[i].kind)->name));
      g_clear_error (&error);
      g_assert_null (tb_table_get_column_range (table, lies[i].column, 1, 5, &error));
      g_assert_error (error, TB_SESSION_ERROR, TB_SESSION_ERROR_DAMAGED);
      g_clear_error (&error);
      g_assert_false (tb_session_check (session, NULL, &error));
      g_assert_error (error, TB_SESSION_ERROR, TB_SESSION_ERROR_DAMAGED);
    }
}

static void
test_hostile_names (Fixture *fixture, gconstpointer data)
{
  static const char *const lies[] = {
    "INSERT INTO frame_name VALUES (0, 0, 99, 1, 0)",
    "INSERT INTO symbol VALUES (0, 'f', ''); INSERT INTO frame_name VALUES (0, 1, 0, 1, 0)",
    "INSERT INTO symbol VALUES (0, 'f', ''); INSERT INTO frame_name VALUES (300, 0, 0, 1, 0)",
    "INSERT INTO symbol VALUES (0, 'f', ''); INSERT INTO frame_name VALUES (-1, 0, 0, 1, 0)",
    "INSERT INTO symbol VALUES (0, 'f', ''); INSERT INTO frame_name VALUES (1, 0, 0, -1, 0)",
    "INSERT INTO symbol VALUES (7, 'f', '')",
    "INSERT INTO symbol VALUES (0, x'ff', '')",
  };
  g_autoptr (FixtureRows) rows = fixture_rows_new (fixture->random, 100);

  for (guint i = 0; i < G_N_ELEMENTS (lies); i++)
    {
      g_autoptr (TbSession) session = NULL;
      g_autoptr (GError) error = NULL;
      TbFrameName name = { "new", "", 0, FALSE };
      guint n;

      clear_folder (fixture);
      fixture_write (fixture->file, rows);
      run_sql (fixture, lies[i]);
      session = tb_session_open (fixture->file, NULL, &error);
      g_assert_no_error (error);
      g_assert_null (tb_session_get_frame_names (session, 299, &n));
      /* kept in memory: the file is not made worse */
      g_assert_false (tb_session_is_writable (session));
      g_assert_true (
          tb_session_add_frame_names (session, (guint32[]) { 299 }, (guint[]) { 1 }, 1, &name, &error));
      g_assert_cmpstr (tb_session_get_frame_names (session, 299, &n)->function, ==, "new");
    }
}

static void
put_file (Fixture *fixture, const char *name, const char *text, gboolean is_old)
{
  g_autofree char *path = g_build_filename (fixture->folder, name, NULL);
  gint64 then = g_get_real_time () / G_USEC_PER_SEC - (is_old ? 7200 : 1800);
  const struct timespec times[] = { { .tv_sec = then }, { .tv_sec = then } };

  g_assert_true (g_file_set_contents (path, text, -1, NULL));
  g_assert_cmpint (utimensat (AT_FDCWD, path, times, 0), ==, 0);
}

static gboolean
has_file (Fixture *fixture, const char *name)
{
  g_autofree char *path = g_build_filename (fixture->folder, name, NULL);

  return g_file_test (path, G_FILE_TEST_EXISTS);
}

/* What killed writers left goes when the name is written to again; what may be in use or somebody's own stays. */
static void
test_leftovers (Fixture *fixture, gconstpointer data)
{
  static const struct
  {
    const char *name;
    const char *text;
    gboolean is_old;
    gboolean stays;
  } files[] = {
    { ".a.tailback.01234abc", "SQLite format 3", TRUE, FALSE },
    { ".a.tailback.01234abc-journal", "log", TRUE, FALSE },
    { ".a.tailback.0000ffff", "", TRUE, FALSE },
    { ".a.tailback.01234abd", "SQLite format 3", FALSE, TRUE },
    { ".a.tailback.01234abe", "a diary", TRUE, TRUE },
    { ".a.tailback.01234ABC", "SQLite format 3", TRUE, TRUE },
    { ".a.tailback.01234abcd", "SQLite format 3", TRUE, TRUE },
    { ".b.tailback.01234abc", "SQLite format 3", TRUE, TRUE },
    { "a.tailback.01234abc", "SQLite format 3", TRUE, TRUE },
  };
  g_autoptr (TbSessionWriter) writer = NULL;
  g_autoptr (GError) error = NULL;

  for (guint i = 0; i < G_N_ELEMENTS (files); i++)
    put_file (fixture, files[i].name, files[i].text, files[i].is_old);
  writer = tb_session_writer_new (fixture->file, FALSE, &error);
  g_assert_no_error (error);
  for (guint i = 0; i < G_N_ELEMENTS (files); i++)
    {
      g_test_message ("%s", files[i].name);
      g_assert_cmpint (has_file (fixture, files[i].name), ==, files[i].stays);
    }
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add ("/session/damage/kill", Fixture, NULL, set_up, test_kill, tear_down);
  g_test_add ("/session/damage/kill-while-adding", Fixture, NULL, set_up, test_kill_while_adding, tear_down);
  g_test_add ("/session/damage/leftovers", Fixture, NULL, set_up, test_leftovers, tear_down);
  g_test_add ("/session/damage/in-use", Fixture, NULL, set_up, test_in_use, tear_down);
  g_test_add ("/session/damage/full-disk", Fixture, NULL, set_up, test_full_disk, tear_down);
  g_test_add ("/session/damage/read-only", Fixture, NULL, set_up, test_read_only, tear_down);
  g_test_add ("/session/damage/read-only-log", Fixture, NULL, set_up, test_read_only_log, tear_down);
  g_test_add ("/session/damage/foreign", Fixture, NULL, set_up, test_foreign, tear_down);
  g_test_add ("/session/damage/truncated", Fixture, NULL, set_up, test_truncated, tear_down);
  g_test_add ("/session/damage/flipped", Fixture, NULL, set_up, test_flipped, tear_down);
  g_test_add ("/session/damage/hostile", Fixture, NULL, set_up, test_hostile, tear_down);
  g_test_add ("/session/damage/older", Fixture, NULL, set_up, test_older, tear_down);
  g_test_add ("/session/damage/hostile-values", Fixture, NULL, set_up, test_hostile_values, tear_down);
  g_test_add ("/session/damage/hostile-names", Fixture, NULL, set_up, test_hostile_names, tear_down);
  return g_test_run ();
}
