/* test-session-hostile.c: test of files that are not valid sessions
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#include <glib/gstdio.h>
#include <sqlite3.h>

#include "../../test-mode.h"
#include "damage-fixture.h"
#include "session/schema/tb-interface.h"
#include "session-fixture.h"
#include "session/file/tb-session-private.h"

static void
run_sql (DamageFixture *fixture, const char *sql)
{
  sqlite3 *db;
  char *message = NULL;

  g_assert_cmpint (sqlite3_open (fixture->path, &db), ==, SQLITE_OK);
  sqlite3_exec (db, sql, NULL, NULL, &message);
  g_assert_cmpstr (message, ==, NULL);
  sqlite3_close (db);
}

static void
test_foreign (DamageFixture *fixture, gconstpointer data)
{
  g_autoptr (GFile) folder = g_file_new_for_path (fixture->folder);
  g_autoptr (GFile) null = g_file_new_for_path ("/dev/null");
  g_autoptr (GFile) nothing = g_file_new_for_path ("/no/such/file");
  g_autoptr (GError) error = NULL;
  char zeros[5000] = "";

  g_assert_true (g_file_set_contents (fixture->path, "", 0, NULL));
  damage_fixture_assert_refused (fixture, TB_SESSION_ERROR_FOREIGN);
  g_assert_true (g_file_set_contents (fixture->path, "PERFILE2", 8, NULL));
  damage_fixture_assert_refused (fixture, TB_SESSION_ERROR_FOREIGN);
  g_assert_true (g_file_set_contents (fixture->path, zeros, sizeof zeros, NULL));
  damage_fixture_assert_refused (fixture, TB_SESSION_ERROR_FOREIGN);
  g_assert_true (g_file_set_contents (fixture->path, "SQLite format 3", 16, NULL));
  damage_fixture_assert_refused (fixture, TB_SESSION_ERROR_FOREIGN);

  g_unlink (fixture->path);
  run_sql (fixture, "CREATE TABLE host (id INTEGER)");
  damage_fixture_assert_refused (fixture, TB_SESSION_ERROR_FOREIGN);
  run_sql (fixture, "PRAGMA application_id = 1413630803; PRAGMA user_version = 99");
  damage_fixture_assert_refused (fixture, TB_SESSION_ERROR_VERSION);
  run_sql (fixture, "PRAGMA user_version = 1");
  damage_fixture_assert_refused (fixture, TB_SESSION_ERROR_DAMAGED);

  g_assert_null (damage_fixture_open_and_read (folder, &error));
  g_assert_error (error, TB_SESSION_ERROR, TB_SESSION_ERROR_FOREIGN);
  g_clear_error (&error);
  g_assert_null (damage_fixture_open_and_read (null, &error));
  g_assert_error (error, TB_SESSION_ERROR, TB_SESSION_ERROR_FOREIGN);
  g_clear_error (&error);
  g_assert_null (damage_fixture_open_and_read (nothing, &error));
  g_assert_error (error, TB_SESSION_ERROR, TB_SESSION_ERROR_IO);
}

static void
test_truncated (DamageFixture *fixture, gconstpointer data)
{
  g_autoptr (FixtureRows) rows = fixture_rows_new (fixture->random, 20000);
  g_autofree char *contents = NULL;
  gsize length;

  fixture_write (fixture->file, rows);
  g_assert_true (g_file_get_contents (fixture->path, &contents, &length, NULL));
  for (guint i = 0; i < test_rounds (60, 12); i++)
    {
      gsize n = (gsize) g_rand_int_range (fixture->random, 0, (gint32) length);
      g_autoptr (GError) error = NULL;

      g_assert_true (g_file_set_contents (fixture->path, contents, (gssize) n, NULL));
      g_assert_null (damage_fixture_open_and_read (fixture->file, &error));
      g_assert_nonnull (error);
    }
}

/* Either rejected, or read with the original values. */
static void
test_flipped (DamageFixture *fixture, gconstpointer data)
{
  g_autoptr (FixtureRows) rows = fixture_rows_new (fixture->random, 3000);
  g_autofree char *contents = NULL;
  guint n_rounds = test_rounds (250, 60), n_refused = 0, n_read = 0;
  gsize length;

  fixture_write (fixture->file, rows);
  g_assert_true (g_file_get_contents (fixture->path, &contents, &length, NULL));
  for (guint i = 0; i < n_rounds; i++)
    {
      /* the first pages, which hold the structure, as often as all the rest */
      gsize at = (gsize) g_rand_int_range (fixture->random, 0, i % 2 ? (gint32) length : 16384);
      char bit = (char) (1 << g_rand_int_range (fixture->random, 0, 8));
      g_autoptr (GError) error = NULL;
      g_autoptr (TbSession) session = NULL;

      contents[at] ^= bit;
      g_assert_true (g_file_set_contents (fixture->path, contents, (gssize) length, NULL));
      contents[at] ^= bit;
      session = damage_fixture_open_and_read (fixture->file, &error);
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
                  continue; /* apparently of another version */
                g_assert_cmpmem (g_bytes_get_data (bytes, NULL), g_bytes_get_size (bytes),
                                 rows->columns[kind][c],
                                 rows->n_rows[kind]
                                     * tb_column_type_get_size (
                                         tb_table_kind_get_info (kind)->columns[c].type));
              }
        }
      damage_fixture_clear_folder (fixture);
    }
  g_assert_cmpuint (n_refused, >, n_rounds / 25);
  g_assert_cmpuint (n_read, >, n_rounds / 25);
}

static void
replace_chunk (DamageFixture *fixture,
               TbTableKind kind,
               guint column,
               gconstpointer data,
               gsize size)
{
  sqlite3 *db;
  sqlite3_stmt *statement;

  g_assert_cmpint (sqlite3_open (fixture->path, &db), ==, SQLITE_OK);
  g_assert_cmpint (sqlite3_prepare_v2 (db, "UPDATE chunk_data SET data = ? WHERE id = ?", -1,
                                       &statement, NULL),
                   ==, SQLITE_OK);
  sqlite3_bind_blob64 (statement, 1, data, size, SQLITE_STATIC);
  sqlite3_bind_int64 (statement, 2, tb_session_file_get_chunk_key (kind, column, 0));
  g_assert_cmpint (sqlite3_step (statement), ==, SQLITE_DONE);
  g_assert_cmpint (sqlite3_changes (db), ==, 1);
  sqlite3_finalize (statement);
  sqlite3_close (db);
}

/* Each statement makes a valid file contradictory. */
static void
test_hostile (DamageFixture *fixture, gconstpointer data)
{
  static const char *const lies[] = {
    "UPDATE chunk SET rows = 2147483648 WHERE event_table = 0",
    "UPDATE chunk SET rows = 65536",
    /* many empty chunks */
    "DELETE FROM chunk WHERE event_table = 14; WITH RECURSIVE n (i) AS (SELECT 0 UNION ALL SELECT "
    "i + 1 FROM "
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
    "UPDATE chunk_data SET data = NULL || '' WHERE id = 1; UPDATE chunk_data SET data = '' WHERE "
    "id = 0",
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
    "PRAGMA writable_schema = ON; UPDATE sqlite_schema SET sql = replace (sql, 'TEXT NOT NULL', "
    "'TEXT') "
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
      damage_fixture_clear_folder (fixture);
      g_assert_true (g_file_set_contents (fixture->path, contents, (gssize) length, NULL));
      run_sql (fixture, lies[i]);
      g_assert_null (damage_fixture_open_and_read (fixture->file, &error));
      g_assert_nonnull (error);
      g_test_message ("%s", error->message);
    }
}

/* A session from before the sleep table existed has no sleeps. Other tables must exist. */
static void
test_older (DamageFixture *fixture, gconstpointer data)
{
  g_autoptr (FixtureRows) rows = fixture_rows_new (fixture->random, 5000);
  g_autoptr (TbSession) session = NULL;
  g_autoptr (GError) error = NULL;

  fixture_write (fixture->file, rows);
  run_sql (fixture, "DELETE FROM event_table WHERE id >= 16; DELETE FROM chunk WHERE event_table "
                    "IN (13, 16, 17); "
                    "DELETE FROM chunk_data WHERE id >> 40 IN (13, 16, 17); "
                    "UPDATE event_table SET version = 1 WHERE id IN (13, 15)");
  session = damage_fixture_open_and_read (fixture->file, &error);
  g_assert_no_error (error);
  g_assert_cmpuint (tb_table_get_n_rows (tb_session_get_table (session, TB_TABLE_SLEEP)), ==, 0);
  g_assert_cmpuint (tb_table_get_n_rows (tb_session_get_table (session, TB_TABLE_INTERVAL)), ==, 0);
  g_assert_cmpuint (tb_table_get_n_rows (tb_session_get_table (session, TB_TABLE_LOST)), ==,
                    rows->n_rows[TB_TABLE_LOST]);
  tb_session_check (session, NULL, &error);
  g_assert_no_error (error);
}

/* Data derived by an older Tailback had other columns: it is derived again. Recorded data in
 * another layout is rejected with that reason, not as damage. */
static void
test_older_layouts (DamageFixture *fixture, gconstpointer data)
{
  static const char *const layouts[] = {
    "DELETE FROM chunk",
    "UPDATE chunk SET event_column = 99",
    "UPDATE chunk SET rows = rows - 1",
  };
  static const TbTableKind kinds[] = { TB_TABLE_INTERVAL, TB_TABLE_SWITCH };

  for (guint i = 0; i < G_N_ELEMENTS (layouts); i++)
    for (guint k = 0; k < G_N_ELEMENTS (kinds); k++)
      {
        guint kind = kinds[k], version = tb_table_kind_get_info (kind)->version;
        g_autoptr (FixtureRows) rows = fixture_rows_new (fixture->random, 5000);
        g_autofree char *change
            = g_strdup_printf ("UPDATE event_table SET version = %u WHERE id = %u", version + 1,
                               kind);
        g_autoptr (TbSession) session = NULL;
        g_autoptr (GError) error = NULL;
        char sql[128];

        g_unlink (fixture->path);
        fixture_write (fixture->file, rows);
        g_snprintf (sql, sizeof sql, "%s WHERE event_table = %u AND event_column = 3", layouts[i],
                    kind);
        run_sql (fixture, sql);
        g_assert_null (damage_fixture_open_and_read (fixture->file, &error));
        g_assert_error (error, TB_SESSION_ERROR, TB_SESSION_ERROR_DAMAGED);
        g_clear_error (&error);
        run_sql (fixture, change);
        session = damage_fixture_open_and_read (fixture->file, &error);
        if (kind == TB_TABLE_SWITCH)
          {
            g_assert_error (error, TB_SESSION_ERROR, TB_SESSION_ERROR_VERSION);
            continue;
          }
        g_assert_no_error (error);
        g_assert_cmpuint (tb_table_get_n_rows (tb_session_get_table (session, kind)), ==, 0);
      }
}

/* The first layout of the sleeps had no operations: they are 0, and nothing else differs. */
static void
test_sleeps_without_operations (DamageFixture *fixture, gconstpointer data)
{
  g_autoptr (FixtureRows) rows = fixture_rows_new (fixture->random, 70000);
  g_autoptr (TbSession) session = NULL;
  g_autoptr (GError) error = NULL;
  g_autoptr (GBytes) operations = NULL;
  g_autoptr (GBytes) part = NULL;
  TbTable *table;
  char sql[128];

  fixture_write (fixture->file, rows);
  g_snprintf (sql, sizeof sql, "UPDATE event_table SET version = 1 WHERE id = %u", TB_TABLE_SLEEP);
  run_sql (fixture, sql);
  g_assert_null (damage_fixture_open_and_read (fixture->file, &error));
  g_assert_error (error, TB_SESSION_ERROR, TB_SESSION_ERROR_DAMAGED);
  g_clear_error (&error);
  g_snprintf (sql, sizeof sql, "DELETE FROM chunk WHERE event_table = %u AND event_column = %u",
              TB_TABLE_SLEEP, TB_SLEEP_OPERATION);
  run_sql (fixture, sql);
  session = damage_fixture_open_and_read (fixture->file, &error);
  g_assert_no_error (error);
  tb_session_check (session, NULL, &error);
  g_assert_no_error (error);
  table = tb_session_get_table (session, TB_TABLE_SLEEP);
  g_assert_cmpuint (tb_table_get_n_rows (table), ==, rows->n_rows[TB_TABLE_SLEEP]);
  operations = tb_table_get_column (table, TB_SLEEP_OPERATION, &error);
  g_assert_no_error (error);
  part = tb_table_get_column_range (table, TB_SLEEP_OPERATION, 10, 5, &error);
  g_assert_no_error (error);
  g_assert_cmpuint (g_bytes_get_size (part), ==, 5 * sizeof (guint32));
  for (guint64 i = 0; i < rows->n_rows[TB_TABLE_SLEEP]; i++)
    g_assert_cmpuint (((const guint32 *) g_bytes_get_data (operations, NULL))[i], ==, 0);
}

/* Chunks that decode to values not permitted in their column. */
static void
test_hostile_values (DamageFixture *fixture, gconstpointer data)
{
  static const struct
  {
    TbTableKind kind;
    guint column;
    gint64 value; /* in row 3 */
  } lies[] = {
    { TB_TABLE_SWITCH, TB_SWITCH_PREV, FIXTURE_THREADS },
    { TB_TABLE_WAKEUP, TB_WAKEUP_WAKEE, TB_ID_NONE },
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
    { TB_TABLE_SLEEP, TB_SLEEP_FRAME, FIXTURE_FRAMES },
    { TB_TABLE_SLEEP, TB_SLEEP_TIME, 1 },
    { TB_TABLE_ORDER, TB_ORDER_KIND, TB_N_ORDERS },
    { TB_TABLE_ORDER, TB_ORDER_TIME, 1 },
    { TB_TABLE_COUNTER, TB_COUNTER_KIND, TB_N_COUNTER_KINDS },
    { TB_TABLE_COUNTER, TB_COUNTER_THREAD, TB_ID_NONE - 1 },
    { TB_TABLE_COUNTER, TB_COUNTER_TIME, 1 },
    { TB_TABLE_FILE_LOCK, TB_FILE_LOCK_CALL, TB_N_FILE_LOCK_CALLS },
    { TB_TABLE_FILE_LOCK, TB_FILE_LOCK_MODE, TB_N_FILE_LOCK_MODES },
    { TB_TABLE_FILE_LOCK, TB_FILE_LOCK_RESULT, TB_N_FILE_LOCK_RESULTS },
    { TB_TABLE_FILE_LOCK, TB_FILE_LOCK_THREAD, TB_ID_NONE },
    { TB_TABLE_FILE_LOCK, TB_FILE_LOCK_FILE, FIXTURE_STRINGS },
    { TB_TABLE_FILE_LOCK, TB_FILE_LOCK_TIME, 1 },
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
      g_autofree guint8 *values
          = g_memdup2 (rows->columns[lies[i].kind][lies[i].column], n * value_size);
      g_autoptr (TbSession) session = NULL;
      g_autoptr (GError) error = NULL;
      gconstpointer encoded;
      TbTable *table;

      damage_fixture_clear_folder (fixture);
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
test_hostile_names (DamageFixture *fixture, gconstpointer data)
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

      damage_fixture_clear_folder (fixture);
      fixture_write (fixture->file, rows);
      run_sql (fixture, lies[i]);
      session = tb_session_open (fixture->file, NULL, &error);
      g_assert_no_error (error);
      g_assert_cmpuint (tb_session_get_missing_names (session, &error), ==, 0);
      g_assert_no_error (error);
      g_assert_null (tb_session_get_frame_names (session, 299, &n));
      g_assert_cmpuint (tb_session_get_missing_names (session, &error), ==, 1);
      g_assert_error (error, TB_SESSION_ERROR, TB_SESSION_ERROR_DAMAGED);
      g_clear_error (&error);
      g_assert_false (tb_session_check (session, NULL, &error));
      g_assert_error (error, TB_SESSION_ERROR, TB_SESSION_ERROR_DAMAGED);
      g_clear_error (&error);
      /* kept in memory: a damaged file is not modified */
      g_assert_false (tb_session_is_writable (session));
      g_assert_true (tb_session_add_frame_names (session, (guint32[]) { 299 }, (guint[]) { 1 }, 1,
                                                 &name, &error));
      g_assert_cmpstr (tb_session_get_frame_names (session, 299, &n)->function, ==, "new");
      g_assert_cmpuint (tb_session_get_missing_names (session, NULL), ==, 1);
    }
}

#define INTERFACE "0\t1\t0\t0\tlo\n"

/* Interfaces in a file are valid, or the file is rejected. */
static void
test_hostile_interfaces (DamageFixture *fixture, gconstpointer data)
{
  static const struct
  {
    const char *fact;
    gint n; /* -1: rejected */
  } cases[] = {
    { "", 0 },
    { INTERFACE, 1 },
    { INTERFACE "0\t2147483647\t9223372036854775807\t4294967295\teth 0\t::1\t192.0.2.1", 2 },
    /* unknown host, or an invalid host number */
    { "1\t1\t0\t0\tlo\n", -1 },
    { "-1\t1\t0\t0\tlo\n", -1 },
    /* numbers */
    { "0\t0\t0\t0\tlo\n", -1 },
    { "0\t2147483648\t0\t0\tlo\n", -1 },
    { "0\t1\t9223372036854775808\t0\tlo\n", -1 },
    { "0\t1\t-1\t0\tlo\n", -1 },
    { "0\t1\t1e9\t0\tlo\n", -1 },
    { "0\t1\t0\t4294967296\tlo\n", -1 },
    /* too short, without a name */
    { "0\t1\t0\t0\n", -1 },
    { "0", -1 },
    { "0\t1\t0\t0\t\n", -1 },
    /* twice, or not in order */
    { INTERFACE INTERFACE, -1 },
    { "0\t2\t0\t0\tb\n" INTERFACE, -1 },
    /* invalid addresses */
    { "0\t1\t0\t0\tlo\t\n", -1 },
    { "0\t1\t0\t0\tlo\t192.0.2.1\t192.0.2\n", -1 },
    { "0\t1\t0\t0\tlo\tlocalhost\n", -1 },
  };
  g_autoptr (FixtureRows) rows = fixture_rows_new (fixture->random, 100);

  for (guint i = 0; i < G_N_ELEMENTS (cases); i++)
    {
      g_autofree char *sql
          = g_strdup_printf ("INSERT OR REPLACE INTO fact VALUES ('interfaces', '%s')",
                             cases[i].fact);
      g_autoptr (TbSession) session = NULL;
      g_autoptr (GError) error = NULL;
      const TbInterface *interfaces;
      guint n;

      g_test_message ("case %u", i);
      damage_fixture_clear_folder (fixture);
      fixture_write (fixture->file, rows);
      run_sql (fixture, sql);
      if (cases[i].n < 0)
        {
          damage_fixture_assert_refused (fixture, TB_SESSION_ERROR_DAMAGED);
          continue;
        }
      session = tb_session_open (fixture->file, NULL, &error);
      g_assert_no_error (error);
      interfaces = tb_session_get_interfaces (session, &n);
      g_assert_cmpuint (n, ==, cases[i].n);
      g_assert_true (n < 1 || g_str_equal (interfaces[0].name, "lo"));
      g_assert_true (
          n < 2 || (interfaces[1].speed == G_MAXINT64 && interfaces[1].n_omitted == G_MAXUINT32));
    }
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add ("/session/damage/foreign", DamageFixture, NULL, damage_fixture_set_up, test_foreign,
              damage_fixture_tear_down);
  g_test_add ("/session/damage/truncated", DamageFixture, NULL, damage_fixture_set_up,
              test_truncated, damage_fixture_tear_down);
  g_test_add ("/session/damage/flipped", DamageFixture, NULL, damage_fixture_set_up, test_flipped,
              damage_fixture_tear_down);
  g_test_add ("/session/damage/hostile", DamageFixture, NULL, damage_fixture_set_up, test_hostile,
              damage_fixture_tear_down);
  g_test_add ("/session/damage/older-layouts", DamageFixture, NULL, damage_fixture_set_up,
              test_older_layouts, damage_fixture_tear_down);
  g_test_add ("/session/hostile/sleeps-without-operations", DamageFixture, NULL,
              damage_fixture_set_up, test_sleeps_without_operations, damage_fixture_tear_down);
  g_test_add ("/session/damage/older", DamageFixture, NULL, damage_fixture_set_up, test_older,
              damage_fixture_tear_down);
  g_test_add ("/session/damage/hostile-values", DamageFixture, NULL, damage_fixture_set_up,
              test_hostile_values, damage_fixture_tear_down);
  g_test_add ("/session/damage/hostile-interfaces", DamageFixture, NULL, damage_fixture_set_up,
              test_hostile_interfaces, damage_fixture_tear_down);
  g_test_add ("/session/damage/hostile-names", DamageFixture, NULL, damage_fixture_set_up,
              test_hostile_names, damage_fixture_tear_down);
  return g_test_run ();
}
