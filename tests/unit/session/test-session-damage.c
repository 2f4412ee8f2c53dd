/* test-session-damage.c: test of killed writers, full disks, and files without write permission
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#include <fcntl.h>
#include <glib/gstdio.h>
#include <signal.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "../../test-mode.h"
#include "damage-fixture.h"
#include "session-fixture.h"

/* ---- killed ---- */

#define KILL_ROWS 700

/* Time in ns at which the file or its log was last written. */
static gint64
get_written_time (const char *path)
{
  static const char *const suffixes[] = { "", "-wal" };
  gint64 latest = -1;

  for (guint i = 0; i < G_N_ELEMENTS (suffixes); i++)
    {
      g_autofree char *name = g_strconcat (path, suffixes[i], NULL);
      struct stat status;

      if (stat (name, &status) == 0)
        latest = MAX (latest, status.st_mtim.tv_sec * G_GINT64_CONSTANT (1000000000)
                                  + status.st_mtim.tv_nsec);
    }
  return latest;
}

/* Writes rows endlessly, in which a number counts the rows before. Reports the number of committed
 * rows through the pipe. */
static void
write_until_killed (DamageFixture *fixture, int pipe_fd)
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
      if (!tb_session_writer_append (writer, TB_TABLE_LOST,
                                     (gconstpointer[]) { times, times, cpus, counts }, KILL_ROWS,
                                     NULL))
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
test_kill (DamageFixture *fixture, gconstpointer data)
{
  guint n_rounds = test_rounds (40, 8), n_opened = 0;

  for (guint round = 0; round < n_rounds; round++)
    {
      g_autoptr (GError) error = NULL;
      g_autoptr (TbSession) session = NULL;
      guint64 committed = 0, last;
      gint64 written;
      int fds[2], status;
      pid_t pid;

      g_assert_cmpint (pipe (fds), ==, 0);
      pid = fork ();
      if (pid == 0)
        write_until_killed (fixture, fds[1]);
      close (fds[1]);
      /* Every second one is killed after its first commit, however slow the machine. */
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
      written = get_written_time (fixture->path);
      session = damage_fixture_open_and_read (fixture->file, &error);
      g_assert_no_error (error);
      /* The file times are still those of the recording. */
      g_assert_cmpint (get_written_time (fixture->path), ==, written);
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

      /* recovered: one file, which records that from then on */
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
  g_assert_cmpuint (n_opened, >=, n_rounds / 2);
}

/* Adds names, facts and a derived table endlessly. */
static void
add_until_killed (DamageFixture *fixture, FixtureRows *rows, int pipe_fd)
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
          || !tb_session_put_table (session, TB_TABLE_INTERVAL, columns,
                                    rows->n_rows[TB_TABLE_INTERVAL], NULL, NULL))
        _exit (1);
    }
}

static void
test_kill_while_adding (DamageFixture *fixture, gconstpointer data)
{
  g_autoptr (FixtureRows) rows = fixture_rows_new (fixture->random, 30000);

  fixture_write (fixture->file, rows);
  for (guint round = 0; round < test_rounds (30, 6); round++)
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

      session = damage_fixture_open_and_read (fixture->file, &error);
      g_assert_no_error (error);
      g_assert_false (tb_session_is_cut_short (session));
      g_assert_true (tb_session_check (session, NULL, &error));
      g_assert_cmpuint (tb_table_get_n_rows (tb_session_get_table (session, TB_TABLE_INTERVAL)), ==,
                        rows->n_rows[TB_TABLE_INTERVAL]);
    }
}

static void
put_file (DamageFixture *fixture, const char *name, const char *text, gboolean is_old)
{
  g_autofree char *path = g_build_filename (fixture->folder, name, NULL);
  gint64 old_time = g_get_real_time () / G_USEC_PER_SEC - (is_old ? 7200 : 1800);
  const struct timespec times[] = { { .tv_sec = old_time }, { .tv_sec = old_time } };

  g_assert_true (g_file_set_contents (path, text, -1, NULL));
  g_assert_cmpint (utimensat (AT_FDCWD, path, times, 0), ==, 0);
}

static gboolean
has_file (DamageFixture *fixture, const char *name)
{
  g_autofree char *path = g_build_filename (fixture->folder, name, NULL);

  return g_file_test (path, G_FILE_TEST_EXISTS);
}

/* Files left by killed writers are removed when the name is written again. Files possibly in use,
 * or of other origin, stay. */
static void
test_leftovers (DamageFixture *fixture, gconstpointer data)
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

/* A recording in progress is not opened, and not treated as one that was cut short. */
static void
test_in_use (DamageFixture *fixture, gconstpointer data)
{
  g_autoptr (FixtureRows) rows = fixture_rows_new (fixture->random, 1000);
  g_autoptr (GError) error = NULL;
  g_autoptr (TbSessionWriter) writer = tb_session_writer_new (fixture->file, FALSE, &error);
  g_autoptr (TbSession) session = NULL;
  gboolean early = g_rand_boolean (fixture->random);

  fixture_put_facts (writer);
  g_assert_true (tb_session_writer_commit (writer, &error));
  /* Opening waits for it, which takes long: a quick test tries only one of both times. */
  if (test_is_thorough () || early)
    damage_fixture_assert_refused (fixture, TB_SESSION_ERROR_IO);
  fixture_append (writer, rows, TB_TABLE_LOST, 0, 100);
  g_assert_true (tb_session_writer_commit (writer, &error));
  if (test_is_thorough () || !early)
    damage_fixture_assert_refused (fixture, TB_SESSION_ERROR_IO);
  g_assert_true (tb_session_writer_close (writer, &error));
  session = damage_fixture_open_and_read (fixture->file, &error);
  g_assert_no_error (error);
  g_assert_false (tb_session_is_cut_short (session));
}

/* ---- no room, no permission ---- */

/* Runs in a child process, to which lowered limits and dropped privileges are confined. Its status
 * is 0 on success. */
static void
run_in_child (DamageFixture *fixture, void (*run) (DamageFixture *))
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
fill_the_disk (DamageFixture *fixture)
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
test_full_disk (DamageFixture *fixture, gconstpointer data)
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
drop_privileges (void)
{
  if (getuid () == 0)
    g_assert_cmpint (setresuid (65534, 65534, 65534), ==, 0);
}

static void
read_without_permission (DamageFixture *fixture)
{
  g_autoptr (TbSession) session = NULL;
  g_autoptr (GError) error = NULL;
  g_autoptr (TbSessionWriter) writer = NULL;
  g_autoptr (GFile) folder = g_file_get_parent (fixture->file);
  g_autoptr (GFile) forbidden = g_file_get_child (folder, "x.tailback");

  drop_privileges ();
  g_setenv ("XDG_CACHE_HOME", "/nonexistent", TRUE);
  session = damage_fixture_open_and_read (fixture->file, &error);
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
test_read_only (DamageFixture *fixture, gconstpointer data)
{
  g_autoptr (FixtureRows) rows = fixture_rows_new (fixture->random, 1000);

  fixture_write (fixture->file, rows);
  g_chmod (fixture->path, 0444);
  g_chmod (fixture->folder, 0555);
  run_in_child (fixture, read_without_permission);
  g_chmod (fixture->folder, 0755);
}

/* A crashed recording in a folder without write permission: recovered in a copy, the original
 * unchanged. */
static void
test_read_only_log (DamageFixture *fixture, gconstpointer data)
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

/* Writes a first commit without rows, and then one with rows, which are in the log only. */
static void
write_into_log (DamageFixture *fixture, int pipe_fd)
{
  g_autoptr (TbSessionWriter) writer = tb_session_writer_new (fixture->file, FALSE, NULL);
  const gint64 times[] = { 1000 };
  const guint64 counts[] = { 1 };
  const guint16 cpus[] = { 0 };
  guint64 committed = 1;

  if (!tb_session_writer_commit (writer, NULL)
      || !tb_session_writer_append (writer, TB_TABLE_LOST,
                                    (gconstpointer[]) { times, times, cpus, counts }, 1, NULL)
      || !tb_session_writer_commit (writer, NULL)
      || write (pipe_fd, &committed, sizeof committed) != sizeof committed)
    _exit (1);
  pause ();
}

/* Lets a child process write, kills it after some commits and takes away the log. */
static void
lose_log (DamageFixture *fixture, void (*write_file) (DamageFixture *, int), guint n_commits)
{
  g_autofree char *log = g_strconcat (fixture->path, "-wal", NULL);
  guint64 committed;
  int fds[2], status;
  pid_t pid;

  g_assert_cmpint (pipe (fds), ==, 0);
  pid = fork ();
  if (pid == 0)
    write_file (fixture, fds[1]);
  close (fds[1]);
  for (guint i = 0; i < n_commits; i++)
    g_assert_cmpint (read (fds[0], &committed, sizeof committed), ==, sizeof committed);
  kill (pid, SIGKILL);
  waitpid (pid, &status, 0);
  close (fds[0]);
  g_assert_cmpint (g_unlink (log), ==, 0);
}

/* A recording that was not ended, copied without the log that has all its events. */
static void
test_missing_log (DamageFixture *fixture, gconstpointer data)
{
  lose_log (fixture, write_into_log, 1);
  for (guint round = 0; round < 2; round++)
    {
      g_autoptr (GError) error = NULL;
      g_autoptr (TbSession) session = tb_session_open (fixture->file, NULL, &error);

      g_assert_null (session);
      g_assert_error (error, TB_SESSION_ERROR, TB_SESSION_ERROR_DAMAGED);
      g_assert_nonnull (strstr (error->message, "has no events: its recording was not ended"));
      g_assert_nonnull (strstr (error->message, "-wal”, is not beside it. Copy both files"));
    }
}

/* Its beginning is read, with a warning, and is not changed: the log may still be found. */
static void
test_missing_end (DamageFixture *fixture, gconstpointer data)
{
  lose_log (fixture, write_until_killed, 3);
  for (guint round = 0; round < 2; round++)
    {
      g_autoptr (GError) error = NULL;
      g_autoptr (TbSession) session = tb_session_open (fixture->file, NULL, &error);

      g_assert_no_error (error);
      g_assert_true (tb_session_is_cut_short (session));
      g_assert_false (tb_session_is_writable (session));
      g_assert_nonnull (strstr (tb_session_get_warnings (session)[0],
                                "The last part of the recording is missing"));
      g_assert_nonnull (strstr (tb_session_get_warnings (session)[0], "-wal”, is not beside it"));
    }
}

/* A recorder that is freed before its end leaves no log, and nothing is missing. */
static void
test_no_end (DamageFixture *fixture, gconstpointer data)
{
  TbSessionWriter *writer = tb_session_writer_new (fixture->file, FALSE, NULL);
  g_autoptr (GError) error = NULL;
  g_autoptr (TbSession) session = NULL;

  g_assert_true (tb_session_writer_commit (writer, NULL));
  tb_session_writer_free (writer);
  session = tb_session_open (fixture->file, NULL, &error);
  g_assert_no_error (error);
  g_assert_true (tb_session_is_cut_short (session));
  g_assert_null (tb_session_get_warnings (session)[0]);
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add ("/session/damage/kill", DamageFixture, NULL, damage_fixture_set_up, test_kill,
              damage_fixture_tear_down);
  g_test_add ("/session/damage/missing-log", DamageFixture, NULL, damage_fixture_set_up,
              test_missing_log, damage_fixture_tear_down);
  g_test_add ("/session/damage/missing-end", DamageFixture, NULL, damage_fixture_set_up,
              test_missing_end, damage_fixture_tear_down);
  g_test_add ("/session/damage/no-end", DamageFixture, NULL, damage_fixture_set_up, test_no_end,
              damage_fixture_tear_down);
  g_test_add ("/session/damage/kill-while-adding", DamageFixture, NULL, damage_fixture_set_up,
              test_kill_while_adding, damage_fixture_tear_down);
  g_test_add ("/session/damage/leftovers", DamageFixture, NULL, damage_fixture_set_up,
              test_leftovers, damage_fixture_tear_down);
  g_test_add ("/session/damage/in-use", DamageFixture, NULL, damage_fixture_set_up, test_in_use,
              damage_fixture_tear_down);
  g_test_add ("/session/damage/full-disk", DamageFixture, NULL, damage_fixture_set_up,
              test_full_disk, damage_fixture_tear_down);
  g_test_add ("/session/damage/read-only", DamageFixture, NULL, damage_fixture_set_up,
              test_read_only, damage_fixture_tear_down);
  g_test_add ("/session/damage/read-only-log", DamageFixture, NULL, damage_fixture_set_up,
              test_read_only_log, damage_fixture_tear_down);
  return g_test_run ();
}
