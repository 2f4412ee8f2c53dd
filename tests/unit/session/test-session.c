/* test-session.c: test that written data is read: columns, ranges, facts, additions, copies
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#include <glib/gstdio.h>

#include "../../test-mode.h"
#include "session-fixture.h"
#include "session/file/tb-session-private.h"

/* In a quick test: rows for more than one chunk in half of the tables, and for at most one
 * chunk. */
#define N_ROWS 90000u
#define N_FEW_ROWS 60000u

typedef struct
{
  char *folder;
  GFile *file;
  GRand *random;
} Fixture;

static void
set_up (Fixture *fixture, gconstpointer data)
{
  g_autofree char *path = NULL;

  fixture->folder = g_dir_make_tmp ("tailback-session-XXXXXX", NULL);
  path = g_build_filename (fixture->folder, "a ?%23ü.tailback", NULL);
  fixture->file = g_file_new_for_path (path);
  fixture->random = g_rand_new_with_seed (g_test_rand_int ());
}

static void
tear_down (Fixture *fixture, gconstpointer data)
{
  g_autoptr (GDir) dir = g_dir_open (fixture->folder, 0, NULL);
  const char *name;

  while ((name = g_dir_read_name (dir)) != NULL)
    {
      g_autofree char *path = g_build_filename (fixture->folder, name, NULL);

      /* one file each, no logs left */
      g_assert_true (g_str_has_suffix (name, ".tailback"));
      g_unlink (path);
    }
  g_assert_cmpint (g_rmdir (fixture->folder), ==, 0);
  g_rand_free (fixture->random);
  g_object_unref (fixture->file);
  g_free (fixture->folder);
}

static TbSession *
open_session (GFile *file)
{
  g_autoptr (GError) error = NULL;
  TbSession *session = tb_session_open (file, NULL, &error);

  g_assert_no_error (error);
  g_assert_nonnull (session);
  return session;
}

static void
assert_column (TbTable *table, guint column, const guint8 *expected, guint64 first, guint64 n)
{
  gsize size = tb_column_type_get_size (
      tb_table_kind_get_info (tb_table_get_kind (table))->columns[column].type);
  g_autoptr (GError) error = NULL;
  g_autoptr (GBytes) bytes = first == 0 && n == tb_table_get_n_rows (table)
                                 ? tb_table_get_column (table, column, &error)
                                 : tb_table_get_column_range (table, column, first, n, &error);
  gsize length;
  const guint8 *values;

  g_assert_no_error (error);
  values = g_bytes_get_data (bytes, &length);
  g_assert_cmpmem (values, length, expected + first * size, n * size);
}

static void
assert_rows (TbSession *session, FixtureRows *rows)
{
  for (guint kind = 0; kind < TB_N_TABLES; kind++)
    {
      TbTable *table = tb_session_get_table (session, kind);

      g_assert_cmpuint (tb_table_get_kind (table), ==, kind);
      g_assert_cmpuint (tb_table_get_n_rows (table), ==, rows->n_rows[kind]);
      for (guint i = 0; i < tb_table_kind_get_info (kind)->n_columns; i++)
        assert_column (table, i, rows->columns[kind][i], 0, rows->n_rows[kind]);
    }
}

static void
test_round_trip (Fixture *fixture, gconstpointer data)
{
  g_autoptr (FixtureRows) rows = fixture_rows_new (fixture->random, GPOINTER_TO_UINT (data));
  g_autoptr (TbSession) session = NULL;
  g_autoptr (GError) error = NULL;

  fixture_write (fixture->file, rows);
  session = open_session (fixture->file);
  assert_rows (session, rows);
  assert_rows (session, rows); /* from the cache */
  g_assert_false (tb_session_is_cut_short (session));
  g_assert_true (tb_session_is_writable (session));
  g_assert_true (tb_session_check (session, NULL, &error));
  g_assert_no_error (error);
}

/* Random sizes of appends, with commits in between: the file equals one written at once. */
static void
test_increments (Fixture *fixture, gconstpointer data)
{
  g_autoptr (FixtureRows) rows = fixture_rows_new (fixture->random, test_rounds (150000, N_ROWS));
  g_autoptr (TbSession) session = NULL;
  g_autoptr (GError) error = NULL;
  guint64 done[TB_N_TABLES] = { 0 };
  gboolean more = TRUE;

  {
    g_autoptr (TbSessionWriter) writer = tb_session_writer_new (fixture->file, FALSE, &error);

    fixture_put_facts (writer);
    while (more)
      {
        more = FALSE;
        for (guint kind = 0; kind < TB_N_TABLES; kind++)
          {
            guint64 n = (guint64) g_rand_int_range (fixture->random, 0, 70000);

            n = MIN (n, rows->n_rows[kind] - done[kind]);

            fixture_append (writer, rows, kind, done[kind], n);
            done[kind] += n;
            more |= done[kind] < rows->n_rows[kind];
          }
        g_assert_true (tb_session_writer_commit (writer, &error));
      }
    g_assert_true (tb_session_writer_close (writer, &error));
  }
  session = open_session (fixture->file);
  assert_rows (session, rows);
}

static void
test_ranges (Fixture *fixture, gconstpointer data)
{
  g_autoptr (FixtureRows) rows = fixture_rows_new (fixture->random, test_rounds (300000, N_ROWS));
  g_autoptr (TbSession) session = NULL;

  fixture_write (fixture->file, rows);
  session = open_session (fixture->file);
  for (guint i = 0; i < test_rounds (200, 60); i++)
    {
      TbTableKind kind = (TbTableKind) g_rand_int_range (fixture->random, 0, TB_N_TABLES);
      guint column = (guint) g_rand_int_range (fixture->random, 0,
                                               (gint32) tb_table_kind_get_info (kind)->n_columns);
      guint64 first = (guint64) g_rand_int_range (fixture->random, 0, (gint32) rows->n_rows[kind]);
      guint64 n
          = (guint64) g_rand_int_range (fixture->random, 0, (gint32) (rows->n_rows[kind] - first));

      assert_column (tb_session_get_table (session, kind), column, rows->columns[kind][column],
                     first, n);
    }

  /* range beyond the end: the existing rows are returned */
  {
    TbTable *table = tb_session_get_table (session, TB_TABLE_FRAME);
    g_autoptr (GBytes) bytes
        = tb_table_get_column_range (table, 0, FIXTURE_FRAMES - 1, G_MAXUINT64, NULL);
    g_autoptr (GBytes) none = tb_table_get_column_range (table, 0, G_MAXUINT64, 5, NULL);

    g_assert_cmpuint (g_bytes_get_size (bytes), ==, 4);
    g_assert_cmpuint (g_bytes_get_size (none), ==, 0);
  }
}

/* Whether a row may belong to [from, to), by its values. */
static gboolean
row_concerns (FixtureRows *rows, TbTableKind kind, guint64 row, gint64 from, gint64 to)
{
  gint64 first = G_MAXINT64, last = G_MININT64;
  gboolean any = FALSE;

  for (guint i = 0; i < tb_table_kind_get_info (kind)->n_columns; i++)
    {
      TbColumnRole role = tb_table_kind_get_role (kind, i);
      gint64 time;

      if (!tb_column_role_is_time (role))
        continue;
      time = ((const gint64 *) rows->columns[kind][i])[row];
      if (time == TB_TIME_NONE && role == TB_ROLE_SORTED_END)
        last = G_MAXINT64;
      if (time == TB_TIME_NONE)
        continue;
      any = TRUE;
      first = MIN (first, time);
      last = MAX (last, time);
    }
  return any && first < to && last >= from;
}

static void
test_find_rows (Fixture *fixture, gconstpointer data)
{
  g_autoptr (FixtureRows) rows = fixture_rows_new (fixture->random, test_rounds (400000, N_ROWS));
  g_autoptr (TbSession) session = NULL;
  gint64 session_from, session_to;
  gboolean narrowed = FALSE;
  double latest = test_rounds (5000, 1125) * 1e6; /* a little or long after the last row */

  fixture_write (fixture->file, rows);
  session = open_session (fixture->file);
  tb_session_get_range (session, &session_from, &session_to);
  for (guint kind = 0; kind <= TB_TABLE_LOST; kind++)
    {
      TbTable *table = tb_session_get_table (session, kind);
      gint64 table_from, table_to;

      g_assert_true (tb_table_get_time_range (table, &table_from, &table_to));
      g_assert_cmpint (table_from, >=, session_from);
      g_assert_cmpint (table_to, <=, session_to);
      for (guint i = 0; i < 5; i++)
        {
          gint64 from = (gint64) g_rand_double_range (fixture->random, 0, latest);
          gint64 to = from + g_rand_int_range (fixture->random, 0, 100000000);
          guint64 first, n;

          tb_table_find_rows (table, from, to, &first, &n);
          g_assert_cmpuint (first + n, <=, rows->n_rows[kind]);
          narrowed |= n < rows->n_rows[kind];
          for (guint64 row = 0; row < rows->n_rows[kind]; row++)
            if (row < first || row >= first + n)
              g_assert_false (row_concerns (rows, kind, row, from, to));
        }
    }
  g_assert_true (narrowed);
}

static void
test_facts (Fixture *fixture, gconstpointer data)
{
  g_autoptr (FixtureRows) rows = fixture_rows_new (fixture->random, 10);
  g_autoptr (TbSession) session = NULL;
  const TbProcess *processes;
  const TbThread *threads;
  const TbThreadName *names;
  const TbModule *modules;
  const TbMapping *mappings;
  const TbDevice *devices;
  const TbHost *hosts;
  guint n;

  fixture_write (fixture->file, rows);
  session = open_session (fixture->file);
  g_assert_true (g_file_equal (tb_session_get_file (session), fixture->file));

  hosts = tb_session_get_hosts (session, &n);
  g_assert_cmpuint (n, ==, 1);
  g_assert_cmpstr (hosts[0].kernel, ==, "6.12.1");
  g_assert_cmpuint (hosts[0].n_cpus, ==, 4);

  processes = tb_session_get_processes (session, &n);
  g_assert_cmpuint (n, ==, 10);
  g_assert_cmpuint (processes[0].parent, ==, TB_ID_NONE);
  g_assert_cmpuint (processes[9].parent, ==, 8);
  g_assert_cmpint (processes[9].pid, ==, 109);
  g_assert_cmpint (processes[9].start, ==, TB_TIME_NONE);
  g_assert_cmpint (processes[9].end, ==, 5000);
  g_assert_cmpstr (processes[9].name, ==, "process 9");
  g_assert_cmpstr (processes[9].command, ==, "ls -l");

  threads = tb_session_get_threads (session, &n);
  g_assert_cmpuint (n, ==, FIXTURE_THREADS);
  g_assert_cmpuint (threads[0].process, ==, TB_ID_NONE);
  g_assert_cmpuint (threads[13].process, ==, 3);
  g_assert_cmpstr (threads[13].name, ==, "thread 13");

  names = tb_session_get_thread_names (session, &n);
  g_assert_cmpuint (n, ==, 2 * FIXTURE_THREADS);
  g_assert_cmpint (names[0].time, ==, TB_TIME_NONE);
  g_assert_cmpuint (names[3].thread, ==, 1);
  g_assert_cmpint (names[3].time, ==, 10);
  g_assert_cmpstr (names[3].name, ==, "thread 1");

  modules = tb_session_get_modules (session, &n);
  g_assert_cmpuint (n, ==, FIXTURE_MODULES);
  g_assert_cmpuint (modules[6].kind, ==, TB_MODULE_JIT);
  g_assert_cmpuint (modules[6].process, ==, 3);
  g_assert_cmpstr (modules[5].build_id, ==, "12ab");

  mappings = tb_session_get_mappings (session, &n);
  g_assert_cmpuint (n, ==, 10);
  g_assert_cmpuint (mappings[9].start, ==, 0xffffffff80000009u);
  g_assert_cmpuint (mappings[9].process, ==, 9);
  g_assert_cmpuint (mappings[9].module, ==, 1);

  devices = tb_session_get_devices (session, &n);
  g_assert_cmpuint (n, ==, FIXTURE_DEVICES);
  g_assert_cmpstr (devices[2].name, ==, "vdc");

  g_assert_cmpuint (tb_session_get_n_strings (session), ==, FIXTURE_STRINGS);
  g_assert_cmpstr (tb_session_get_string (session, 0), ==, "");
  g_assert_cmpstr (tb_session_get_string (session, 39), ==, "string 39");
  g_assert_cmpstr (tb_session_get_string (session, 40), ==, "");
  g_assert_cmpstr (tb_session_get_string (session, TB_ID_NONE), ==, "");
  g_assert_cmpstr (tb_session_get_fact (session, "clock"), ==, "monotonic");
  g_assert_null (tb_session_get_fact (session, "nothing"));
  g_assert_cmpuint (g_strv_length ((char **) tb_session_get_warnings (session)), ==, 1);
  g_assert_cmpstr (tb_session_get_warnings (session)[0], ==, "A warning");
}

static void
test_range_facts (Fixture *fixture, gconstpointer data)
{
  g_autoptr (GError) error = NULL;
  g_autoptr (TbSession) session = NULL;
  gint64 from, to;

  {
    g_autoptr (TbSessionWriter) writer = tb_session_writer_new (fixture->file, FALSE, &error);

    tb_session_writer_put_fact (writer, TB_FACT_RANGE_FROM, "100");
    tb_session_writer_put_fact (writer, TB_FACT_RANGE_TO, "900");
    tb_session_writer_append (writer, TB_TABLE_LOST,
                              (gconstpointer[]) { (gint64[]) { 50 }, (gint64[]) { 60 },
                                                  (guint16[]) { 0 }, (guint64[]) { 1 } },
                              1, &error);
    g_assert_true (tb_session_writer_close (writer, &error));
  }
  session = open_session (fixture->file);
  tb_session_get_range (session, &from, &to);
  g_assert_cmpint (from, ==, 50);
  g_assert_cmpint (to, ==, 900);
}

/* Columns in use stay in memory; unused ones are dropped when the budget is exceeded. */
static void
test_budget (Fixture *fixture, gconstpointer data)
{
  g_autoptr (FixtureRows) rows
      = fixture_rows_new (fixture->random, test_rounds (100000, N_FEW_ROWS));
  g_autoptr (TbSession) session = NULL;
  g_autoptr (GBytes) kept = NULL;
  TbTable *table;

  fixture_write (fixture->file, rows);
  session = open_session (fixture->file);
  table = tb_session_get_table (session, TB_TABLE_SWITCH);
  tb_session_set_memory_budget (session, 0);
  kept = tb_table_get_column (table, TB_SWITCH_TIME, NULL);
  assert_rows (session, rows);
  g_assert_cmpuint (session->store->cached, ==, g_bytes_get_size (kept));
  {
    g_autoptr (GBytes) again = tb_table_get_column (table, TB_SWITCH_TIME, NULL);

    g_assert_true (g_bytes_get_data (again, NULL) == g_bytes_get_data (kept, NULL));
  }
  g_clear_object (&session);
  g_assert_cmpmem (g_bytes_get_data (kept, NULL), g_bytes_get_size (kept),
                   rows->columns[TB_TABLE_SWITCH][0], rows->n_rows[TB_TABLE_SWITCH] * 8);
  g_clear_pointer (&kept, g_bytes_unref);
}

typedef struct
{
  TbSession *session;
  FixtureRows *rows;
  guint seed;
} Reading;

static gpointer
read_at_random (gpointer data)
{
  Reading *reading = data;
  g_autoptr (GRand) random = g_rand_new_with_seed (reading->seed);

  for (guint i = 0; i < 60; i++)
    {
      TbTableKind kind = (TbTableKind) g_rand_int_range (random, 0, TB_N_TABLES);
      guint column
          = (guint) g_rand_int_range (random, 0, (gint32) tb_table_kind_get_info (kind)->n_columns);
      TbTable *table = tb_session_get_table (reading->session, kind);
      guint64 first = 0, n = reading->rows->n_rows[kind];

      if (i % 3 == 0)
        {
          first = (guint64) g_rand_int_range (random, 0, (gint32) n);
          n = MIN (n - first, 1000);
        }
      assert_column (table, column, reading->rows->columns[kind][column], first, n);
    }
  return NULL;
}

static void
test_threads (Fixture *fixture, gconstpointer data)
{
  g_autoptr (FixtureRows) rows = fixture_rows_new (fixture->random, test_rounds (400000, N_ROWS));
  g_autoptr (TbSession) session = NULL;
  Reading readings[4];
  GThread *threads[4];

  fixture_write (fixture->file, rows);
  session = open_session (fixture->file);
  tb_session_set_memory_budget (session, 4 << 20);
  for (guint i = 0; i < 4; i++)
    {
      readings[i] = (Reading) { session, rows, g_rand_int (fixture->random) };
      threads[i] = g_thread_new ("reader", read_at_random, &readings[i]);
    }
  for (guint i = 0; i < 4; i++)
    g_thread_join (threads[i]);
}

/* ---- additions ---- */

static void
count_signal (TbSession *session, guint *n)
{
  (*n)++;
}

static void
add_names (TbSession *session)
{
  g_autoptr (GError) error = NULL;
  TbFrameName names[] = {
    { "inner", "a.c", 3, TRUE },
    { "outer", "b.c", 5, TRUE },
    { "", "", 0, FALSE },
    { "outer", "b.c", 9, FALSE },
  };

  g_assert_true (tb_session_add_frame_names (session, (guint32[]) { 7, 299, 300, 8 },
                                             (guint[]) { 2, 1, 0, 1 }, 4, names, &error));
  g_assert_no_error (error);
}

static void
assert_names (TbSession *session)
{
  const TbFrameName *names;
  guint n;

  names = tb_session_get_frame_names (session, 7, &n);
  g_assert_cmpuint (n, ==, 2);
  g_assert_cmpstr (names[0].function, ==, "inner");
  g_assert_cmpstr (names[0].file, ==, "a.c");
  g_assert_cmpuint (names[0].line, ==, 3);
  g_assert_true (names[0].is_inline);
  g_assert_cmpstr (names[1].function, ==, "outer");
  g_assert_false (names[1].is_inline); /* the last one is never inline */
  names = tb_session_get_frame_names (session, 299, &n);
  g_assert_cmpuint (n, ==, 1);
  g_assert_cmpstr (names[0].function, ==, "");
  names = tb_session_get_frame_names (session, 8, &n);
  g_assert_cmpuint (n, ==, 1);
  g_assert_cmpuint (names[0].line, ==, 9);
  names = tb_session_get_frame_names (session, 9, &n);
  g_assert_cmpuint (n, ==, 0);
  g_assert_null (names);
  g_assert_null (tb_session_get_frame_names (session, 300, &n));
  g_assert_null (tb_session_get_frame_names (session, TB_ID_NONE, &n));
}

static void
test_names (Fixture *fixture, gconstpointer data)
{
  g_autoptr (FixtureRows) rows = fixture_rows_new (fixture->random, 10);
  g_autoptr (TbSession) session = NULL;
  guint n_signals = 0, n;

  fixture_write (fixture->file, rows);
  session = open_session (fixture->file);
  g_signal_connect (session, "symbols-changed", G_CALLBACK (count_signal), &n_signals);
  g_assert_null (tb_session_get_frame_names (session, 7, &n));
  g_assert_cmpuint (tb_session_get_symbols_generation (session), ==, 0);
  add_names (session);
  g_assert_cmpuint (tb_session_get_symbols_generation (session), ==, 1);
  assert_names (session);

  /* written once: neither a second publication nor one without new names counts */
  {
    TbFrameName other = { "other", "c.c", 1, FALSE };

    g_assert_true (
        tb_session_add_frame_names (session, (guint32[]) { 7 }, (guint[]) { 1 }, 1, &other, NULL));
    g_assert_cmpuint (tb_session_get_symbols_generation (session), ==, 1);
    g_assert_true (tb_session_add_frame_names (session, (guint32[]) { 5, 5 }, (guint[]) { 1, 1 }, 2,
                                               (TbFrameName[]) { other, { "x", "", 0, FALSE } },
                                               NULL));
    g_assert_cmpuint (tb_session_get_symbols_generation (session), ==, 2);
    g_assert_cmpstr (tb_session_get_frame_names (session, 5, &n)->function, ==, "other");
  }
  assert_names (session);
  g_assert_cmpuint (n_signals, ==, 0);
  while (g_main_context_iteration (NULL, FALSE))
    ;
  g_assert_cmpuint (n_signals, ==, 1);

  g_clear_object (&session);
  session = open_session (fixture->file);
  assert_names (session);
  g_assert_cmpstr (tb_session_get_frame_names (session, 5, &n)->file, ==, "c.c");

  /* a session that is freed before the main context emits its signal */
  add_names (session);
  g_assert_true (tb_session_add_frame_names (session, (guint32[]) { 1 }, (guint[]) { 1 }, 1,
                                             &(TbFrameName) { "one", "", 0, FALSE }, NULL));
  g_clear_object (&session);
  while (g_main_context_iteration (NULL, FALSE))
    ;
}

static void
add_name (TbSession *session, guint32 frame, const char *function, guint n)
{
  g_autoptr (GError) error = NULL;
  TbFrameName names[] = { { "inlined", "a.c", 1, TRUE }, { function, "a.c", 2, FALSE } };

  tb_session_add_frame_names (session, &frame, &n, 1, n == 2 ? names : names + 1, &error);
  g_assert_no_error (error);
}

/* Several processes open a recording, and each names functions of it. */
static void
test_several_namers (Fixture *fixture, gconstpointer data)
{
  g_autoptr (FixtureRows) rows = fixture_rows_new (fixture->random, 10);
  const char *const functions[] = { "one", "two", "three", "four", "five", "six", "seven" };
  const char *last[20] = { 0 };
  TbSession *sessions[3];
  guint n;

  fixture_write (fixture->file, rows);
  for (guint i = 0; i < G_N_ELEMENTS (sessions); i++)
    {
      sessions[i] = open_session (fixture->file);
      g_assert_null (tb_session_get_frame_names (sessions[i], 7, &n));
    }
  for (guint i = 0; i < 200; i++)
    {
      TbSession *session = sessions[g_rand_int_range (fixture->random, 0, 3)];
      guint32 frame = (guint32) g_rand_int_range (fixture->random, 0, G_N_ELEMENTS (last));
      const char *function = functions[g_rand_int_range (fixture->random, 0, 7)];

      /* a frame that has a name keeps it */
      if (tb_session_get_frame_names (session, frame, &n) == NULL)
        last[frame] = function;
      add_name (session, frame, function, (guint) g_rand_int_range (fixture->random, 1, 3));
    }
  for (guint i = 0; i < G_N_ELEMENTS (sessions); i++)
    g_clear_object (&sessions[i]);
  sessions[0] = open_session (fixture->file);
  for (guint32 frame = 0; frame < G_N_ELEMENTS (last); frame++)
    {
      const TbFrameName *names = tb_session_get_frame_names (sessions[0], frame, &n);

      g_assert_cmpstr (n > 0 ? names[n - 1].function : NULL, ==, last[frame]);
      g_assert_true (n < 2 || g_str_equal (names[0].function, "inlined"));
    }
  g_clear_object (&sessions[0]);
  while (g_main_context_iteration (NULL, FALSE))
    ;
}

typedef struct
{
  TbSession *other;
  GThread *thread;
  int is_done;
} Namer;

static gpointer
name_in_thread (gpointer data)
{
  Namer *namer = data;

  add_name (namer->other, 5, "between", 1);
  g_atomic_int_set (&namer->is_done, TRUE);
  return NULL;
}

/* Between the queries of the symbols and of the frames, another program names a function, and has
 * 300 ms for it, unless it has to wait for the end of both. */
static int
name_between (unsigned event, void *data, void *statement, void *unused)
{
  Namer *namer = data;

  if (namer->thread == NULL && strstr (sqlite3_sql (statement), "FROM frame_name") != NULL)
    namer->thread = g_thread_new ("namer", name_in_thread, namer);
  for (int i = 0; i < 300 && namer->thread != NULL && !g_atomic_int_get (&namer->is_done); i++)
    g_usleep (1000);
  return 0;
}

static void
test_named_while_read (Fixture *fixture, gconstpointer data)
{
  g_autoptr (FixtureRows) rows = fixture_rows_new (fixture->random, 10);
  g_autoptr (TbSession) other = NULL;
  g_autoptr (TbSession) reader = NULL;
  Namer namer = { 0 };
  sqlite3 *db;
  guint n;

  fixture_write (fixture->file, rows);
  namer.other = other = open_session (fixture->file);
  add_name (other, 4, "before", 1);
  reader = open_session (fixture->file);
  db = reader->store->file->db;
  sqlite3_trace_v2 (db, SQLITE_TRACE_STMT, name_between, &namer);
  g_assert_cmpstr (tb_session_get_frame_names (reader, 4, &n)->function, ==, "before");
  sqlite3_trace_v2 (db, 0, NULL, NULL);
  g_assert_nonnull (namer.thread);
  g_thread_join (namer.thread);
  /* What was read is sound: further names are stored. */
  add_name (reader, 6, "after", 1);
  g_clear_object (&reader);
  g_clear_object (&other);
  reader = open_session (fixture->file);
  g_assert_cmpstr (tb_session_get_frame_names (reader, 5, &n)->function, ==, "between");
  g_assert_cmpstr (tb_session_get_frame_names (reader, 6, &n)->function, ==, "after");
}

/* What is added to a temporary session is not in its file. */
static void
test_kept_in_memory (Fixture *fixture, gconstpointer data)
{
  g_autoptr (FixtureRows) rows = fixture_rows_new (fixture->random, 10);
  g_autoptr (TbSession) session = NULL;
  guint n;

  fixture_write (fixture->file, rows);
  session = open_session (fixture->file);
  tb_session_keep_in_memory (session);
  g_assert_false (tb_session_is_writable (session));
  add_names (session);
  assert_names (session);
  g_clear_object (&session);
  session = open_session (fixture->file);
  g_assert_null (tb_session_get_frame_names (session, 7, &n));
  g_clear_object (&session);
  while (g_main_context_iteration (NULL, FALSE))
    ;
}

static void
put_intervals (TbSession *session, FixtureRows *rows)
{
  const TbTableInfo *info = tb_table_kind_get_info (TB_TABLE_INTERVAL);
  GBytes *columns[TB_MAX_COLUMNS];
  g_autoptr (GError) error = NULL;

  for (guint i = 0; i < info->n_columns; i++)
    columns[i] = g_bytes_new (rows->columns[TB_TABLE_INTERVAL][i],
                              rows->n_rows[TB_TABLE_INTERVAL]
                                  * tb_column_type_get_size (info->columns[i].type));
  g_assert_true (tb_session_put_table (session, TB_TABLE_INTERVAL, columns,
                                       rows->n_rows[TB_TABLE_INTERVAL], NULL, &error));
  g_assert_no_error (error);
  for (guint i = 0; i < info->n_columns; i++)
    g_bytes_unref (columns[i]);
}

/* Moves the intervals of other into rows. */
static void
swap_intervals (FixtureRows *rows, FixtureRows *other)
{
  guint32 *wakeups = (guint32 *) other->columns[TB_TABLE_INTERVAL][TB_INTERVAL_WAKEUP];
  guint32 *stacks = (guint32 *) other->columns[TB_TABLE_INTERVAL][TB_INTERVAL_STACK];
  guint32 *sleeps = (guint32 *) other->columns[TB_TABLE_INTERVAL][TB_INTERVAL_SLEEP];

  for (guint64 i = 0; i < other->n_rows[TB_TABLE_INTERVAL]; i++)
    {
      wakeups[i] = TB_ID_NONE;
      stacks[i] = 0;
      sleeps[i] = TB_ID_NONE;
    }
  for (guint i = 0; i < TB_INTERVAL_N_COLUMNS; i++)
    {
      guint8 *values = rows->columns[TB_TABLE_INTERVAL][i];

      rows->columns[TB_TABLE_INTERVAL][i] = other->columns[TB_TABLE_INTERVAL][i];
      other->columns[TB_TABLE_INTERVAL][i] = values;
    }
  rows->n_rows[TB_TABLE_INTERVAL] = other->n_rows[TB_TABLE_INTERVAL];
}

static void
test_derived (Fixture *fixture, gconstpointer data)
{
  const guint sizes[] = { test_rounds (200000, N_ROWS), 30, test_rounds (100000, N_FEW_ROWS) };
  g_autoptr (FixtureRows) rows
      = fixture_rows_new (fixture->random, test_rounds (150000, N_FEW_ROWS));
  g_autoptr (TbSession) session = NULL;
  g_autoptr (GError) error = NULL;

  fixture_write (fixture->file, rows);
  session = open_session (fixture->file);
  for (guint i = 0; i < G_N_ELEMENTS (sizes); i++)
    {
      g_autoptr (FixtureRows) other = fixture_rows_new (fixture->random, sizes[i]);

      swap_intervals (rows, other);
      put_intervals (session, rows);
      assert_rows (session, rows);
      g_clear_object (&session);
      session = open_session (fixture->file);
      assert_rows (session, rows);
    }
  g_assert_true (tb_session_check (session, NULL, &error));
  g_assert_no_error (error);
}

static void
add_all (TbSession *session)
{
  g_autoptr (GBytes) json = g_bytes_new_static ("{\"a\":1}", 7);
  g_autoptr (GError) error = NULL;

  g_assert_cmpint (tb_session_add_bookmark (session, "one", 5, 10, 3, &error), ==, 1);
  g_assert_cmpint (tb_session_add_bookmark (session, "two", 6, 6, TB_ID_NONE, &error), ==, 2);
  g_assert_cmpint (tb_session_add_bookmark (session, "three", 7, 8, 0, &error), ==, 3);
  g_assert_true (tb_session_remove_bookmark (session, 2, &error));
  g_assert_true (tb_session_remove_bookmark (session, 77, &error));
  g_assert_true (tb_session_save_report (session, "second", "threads", json, &error));
  g_assert_true (tb_session_save_report (session, "first", "threads", json, &error));
  g_assert_true (tb_session_save_report (session, "first", "threads", json, &error));
  g_assert_true (tb_session_set_fact (session, "trace-x", "1", &error));
  g_assert_true (tb_session_set_fact (session, "trace-x", "2", &error));
  g_assert_true (tb_session_set_fact (session, "clock", NULL, &error));
  add_names (session);
  g_assert_no_error (error);
}

static void
assert_all (TbSession *session)
{
  const TbBookmark *bookmarks;
  g_autoptr (GBytes) json = NULL;
  g_auto (GStrv) reports = NULL;
  g_autoptr (GError) error = NULL;
  guint n;

  bookmarks = tb_session_get_bookmarks (session, &n);
  g_assert_cmpuint (n, ==, 2);
  g_assert_cmpint (bookmarks[0].id, ==, 1);
  g_assert_cmpstr (bookmarks[0].name, ==, "one");
  g_assert_cmpuint (bookmarks[0].thread, ==, 3);
  g_assert_cmpint (bookmarks[1].id, ==, 3);
  g_assert_cmpint (bookmarks[1].from, ==, 7);
  g_assert_cmpint (bookmarks[1].to, ==, 8);

  reports = tb_session_list_reports (session);
  g_assert_cmpstrv (reports, ((const char *[]) { "first", "second", NULL }));
  json = tb_session_load_report (session, "first", &error);
  g_assert_no_error (error);
  g_assert_cmpmem (g_bytes_get_data (json, NULL), g_bytes_get_size (json), "{\"a\":1}", 7);
  g_assert_null (tb_session_load_report (session, "third", &error));
  g_assert_error (error, TB_SESSION_ERROR, TB_SESSION_ERROR_IO);

  g_assert_cmpstr (tb_session_get_fact (session, "trace-x"), ==, "2");
  g_assert_null (tb_session_get_fact (session, "clock"));
  assert_names (session);
}

static void
test_additions (Fixture *fixture, gconstpointer data)
{
  g_autoptr (FixtureRows) rows = fixture_rows_new (fixture->random, 10);
  g_autoptr (TbSession) session = NULL;

  fixture_write (fixture->file, rows);
  session = open_session (fixture->file);
  add_all (session);
  assert_all (session);
  g_clear_object (&session);
  session = open_session (fixture->file);
  assert_all (session);
}

/* Data in memory or in the file: the copy has all of it. */
static void
test_save_copy (Fixture *fixture, gconstpointer data)
{
  gboolean in_memory = GPOINTER_TO_INT (data);
  g_autoptr (FixtureRows) rows
      = fixture_rows_new (fixture->random, test_rounds (100000, N_FEW_ROWS));
  g_autoptr (FixtureRows) other
      = fixture_rows_new (fixture->random, test_rounds (100000, N_FEW_ROWS));
  g_autofree char *path = g_build_filename (fixture->folder, "copy.tailback", NULL);
  g_autoptr (GFile) copy = g_file_new_for_path (path);
  g_autoptr (TbSession) session = NULL, copied = NULL;
  g_autoptr (GCancellable) cancellable = g_cancellable_new ();
  g_autoptr (GError) error = NULL;

  fixture_write (fixture->file, rows);
  session = open_session (fixture->file);
  if (in_memory)
    session->writable = FALSE;
  swap_intervals (rows, other);
  put_intervals (session, rows);
  add_all (session);
  assert_all (session);

  g_assert_false (tb_session_save_copy (session, fixture->file, NULL, &error));
  g_assert_error (error, TB_SESSION_ERROR, TB_SESSION_ERROR_EXISTS);
  g_clear_error (&error);
  g_cancellable_cancel (cancellable);
  g_assert_false (tb_session_save_copy (session, copy, cancellable, &error));
  g_assert_error (error, G_IO_ERROR, G_IO_ERROR_CANCELLED);
  g_clear_error (&error);
  g_assert_false (g_file_test (path, G_FILE_TEST_EXISTS));

  g_assert_true (g_file_set_contents (path, "old", -1, NULL));
  g_assert_true (tb_session_save_copy (session, copy, NULL, &error));
  g_assert_no_error (error);
  copied = open_session (copy);
  assert_rows (copied, rows);
  assert_all (copied);
  g_assert_true (tb_session_check (copied, NULL, &error));
  g_assert_no_error (error);

  /* and a file that is not writable is unchanged */
  g_clear_object (&session);
  session = open_session (fixture->file);
  g_assert_cmpstr (tb_session_get_fact (session, "trace-x"), ==, in_memory ? NULL : "2");
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add ("/session/round-trip/small", Fixture, GUINT_TO_POINTER (7), set_up, test_round_trip,
              tear_down);
  g_test_add ("/session/round-trip/none", Fixture, GUINT_TO_POINTER (0), set_up, test_round_trip,
              tear_down);
  g_test_add ("/session/round-trip/chunks", Fixture,
              GUINT_TO_POINTER (test_rounds (300000, N_ROWS)), set_up, test_round_trip, tear_down);
  g_test_add ("/session/round-trip/full-chunk", Fixture, GUINT_TO_POINTER (65536), set_up,
              test_round_trip, tear_down);
  g_test_add ("/session/increments", Fixture, NULL, set_up, test_increments, tear_down);
  g_test_add ("/session/ranges", Fixture, NULL, set_up, test_ranges, tear_down);
  g_test_add ("/session/find-rows", Fixture, NULL, set_up, test_find_rows, tear_down);
  g_test_add ("/session/facts", Fixture, NULL, set_up, test_facts, tear_down);
  g_test_add ("/session/range-facts", Fixture, NULL, set_up, test_range_facts, tear_down);
  g_test_add ("/session/budget", Fixture, NULL, set_up, test_budget, tear_down);
  g_test_add ("/session/threads", Fixture, NULL, set_up, test_threads, tear_down);
  g_test_add ("/session/names", Fixture, NULL, set_up, test_names, tear_down);
  g_test_add ("/session/several-namers", Fixture, NULL, set_up, test_several_namers, tear_down);
  g_test_add ("/session/named-while-read", Fixture, NULL, set_up, test_named_while_read, tear_down);
  g_test_add ("/session/kept-in-memory", Fixture, NULL, set_up, test_kept_in_memory, tear_down);
  g_test_add ("/session/derived", Fixture, NULL, set_up, test_derived, tear_down);
  g_test_add ("/session/additions", Fixture, NULL, set_up, test_additions, tear_down);
  g_test_add ("/session/save-copy/in-file", Fixture, GINT_TO_POINTER (FALSE), set_up,
              test_save_copy, tear_down);
  g_test_add ("/session/save-copy/in-memory", Fixture, GINT_TO_POINTER (TRUE), set_up,
              test_save_copy, tear_down);
  return g_test_run ();
}
