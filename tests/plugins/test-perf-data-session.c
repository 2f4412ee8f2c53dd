/* test-perf-data-session.c: test of importing perf.data files into sessions with the built plug-in
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#include "config.h"

#include <glib/gstdio.h>

#include "extend/plugins/tb-engine.h"
#include "perf-data-scenario.h"
#include "session/file/tb-session.h"
#include "trace/tb-trace.h"

typedef struct
{
  char *folder;
  GFile *input;
  GFile *output;
} Fixture;

static void
set_up (Fixture *fixture, gconstpointer data)
{
  fixture->folder = g_dir_make_tmp ("tailback-perf-data-XXXXXX", NULL);
  fixture->input = g_file_new_build_filename (fixture->folder, "perf.data", NULL);
  fixture->output = g_file_new_build_filename (fixture->folder, "out.tailback", NULL);
}

static void
tear_down (Fixture *fixture, gconstpointer data)
{
  g_file_delete (fixture->input, NULL, NULL);
  g_file_delete (fixture->output, NULL, NULL);
  g_assert_cmpint (g_rmdir (fixture->folder), ==, 0);
  g_free (fixture->folder);
  g_object_unref (fixture->input);
  g_object_unref (fixture->output);
}

/* Returns NULL if the import was refused. */
static TbSession *
import (Fixture *fixture, const guint8 *bytes, gsize size, GError **error)
{
  g_autoptr (TbImporter) importer = NULL;
  g_autoptr (TbRecorder) recorder = NULL;

  g_assert_true (g_file_replace_contents (fixture->input, (const char *) bytes, size, NULL, FALSE,
                                          0, NULL, NULL, NULL));
  importer = tb_engine_find_importer (tb_engine_get_default (), fixture->input, error);
  if (importer == NULL)
    return NULL;
  recorder = tb_recorder_new (fixture->output, TRUE, error);
  g_assert_nonnull (recorder);
  if (!tb_importer_import_file (importer, fixture->input, recorder, NULL, NULL, NULL, error))
    {
      tb_recorder_abandon (recorder);
      return NULL;
    }
  if (!tb_recorder_finish (recorder, error))
    return NULL;
  return tb_session_open (fixture->output, NULL, error);
}

static guint64
count_rows (TbSession *session, TbTableKind kind)
{
  return tb_table_get_n_rows (tb_session_get_table (session, kind));
}

static const TbThread *
find_thread (TbSession *session, gint32 tid)
{
  guint n;
  const TbThread *threads = tb_session_get_threads (session, &n);

  for (guint i = 0; i < n; i++)
    if (threads[i].tid == tid)
      return &threads[i];
  return NULL;
}

static void
test_session (Fixture *fixture, gconstpointer data)
{
  for (guint form = 0; form < 12; form++)
    {
      g_autoptr (GByteArray) bytes
          = make_scenario (form & 1, form & 2 ? WRITER_PIPE : WRITER_FILE, form / 4);
      g_autoptr (GError) error = NULL;
      g_autoptr (TbSession) session = import (fixture, bytes->data, bytes->len, &error);
      const TbModule *modules;
      const TbDevice *devices;
      const TbHost *hosts;
      gint64 from, to;
      guint n;

      g_assert_no_error (error);
      g_assert_false (tb_session_is_cut_short (session));
      g_assert_cmpuint (count_rows (session, TB_TABLE_SWITCH), ==, 3);
      g_assert_cmpuint (count_rows (session, TB_TABLE_WAKEUP), ==, 1);
      g_assert_cmpuint (count_rows (session, TB_TABLE_SAMPLE), ==, 2);
      g_assert_cmpuint (count_rows (session, TB_TABLE_SYSCALL), ==, 1);
      g_assert_cmpuint (count_rows (session, TB_TABLE_BLOCK), ==, 1);
      g_assert_cmpuint (count_rows (session, TB_TABLE_INTERRUPT), ==, 3);
      g_assert_cmpuint (count_rows (session, TB_TABLE_CALL), ==, 1);
      g_assert_cmpuint (count_rows (session, TB_TABLE_MARK), ==, 2);
      g_assert_cmpuint (count_rows (session, TB_TABLE_LOST), ==, 3);
      tb_session_get_range (session, &from, &to);
      g_assert_cmpint (from, ==, 1001);
      g_assert_cmpint (to, ==, 1110);
      hosts = tb_session_get_hosts (session, &n);
      g_assert_cmpuint (n, ==, 1);
      g_assert_cmpstr (hosts[0].name, ==, "testhost");
      g_assert_cmpuint (hosts[0].n_cpus, ==, 4);
      modules = tb_session_get_modules (session, &n);
      g_assert_cmpint (modules[0].kind, ==, TB_MODULE_KERNEL);
      g_assert_cmpstr (modules[0].build_id, ==, "aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa");
      g_assert_cmpstr (modules[1].path, ==, "/usr/bin/worker");
      g_assert_cmpstr (modules[1].build_id, ==, "deadbeef");
      devices = tb_session_get_devices (session, &n);
      g_assert_cmpuint (n, ==, 2);
      g_assert_cmpstr (devices[0].major_minor, ==, "8:1");
      g_assert_cmpstr (find_thread (session, 20)->name, ==, "program");
      g_assert_cmpint (find_thread (session, 20)->end, ==, 1110);
      g_assert_cmpint (find_thread (session, 31)->start, ==, 1001);
      g_assert_cmpstr (find_thread (session, 55)->name, ==, "newname");
      g_assert_cmpstr (tb_session_get_fact (session, "collector"), ==, "perf-data");
    }
}

static void
test_cut (Fixture *fixture, gconstpointer data)
{
  g_autoptr (GByteArray) bytes = make_scenario (FALSE, WRITER_FILE, WRITER_PLAIN);
  g_autoptr (GError) error = NULL;
  g_autoptr (TbSession) session = import (fixture, bytes->data, 5000, &error);

  g_assert_no_error (error);
  g_assert_true (tb_session_is_cut_short (session));
  g_assert_cmpuint (count_rows (session, TB_TABLE_SAMPLE), ==, 1);
  g_assert_cmpuint (count_rows (session, TB_TABLE_SWITCH), ==, 0);
  g_assert_cmpstr (find_thread (session, 20)->name, ==, "worker");
  g_assert_nonnull (strstr (tb_session_get_warnings (session)[0], "cut"));
}

static gboolean
contains (const char *const *warnings, const char *part)
{
  for (guint i = 0; warnings[i] != NULL; i++)
    if (strstr (warnings[i], part) != NULL)
      return TRUE;
  return FALSE;
}

/* Losses that take no time, and files that a process outside of perf's container maps. */
static void
test_warnings (Fixture *fixture, gconstpointer data)
{
  g_autoptr (Writer) writer = writer_new (FALSE, WRITER_FILE, WRITER_PLAIN);
  g_autoptr (GByteArray) bytes = NULL;
  g_autoptr (GError) error = NULL;
  g_autoptr (TbSession) session = NULL;
  g_autoptr (TbTrace) trace = NULL;
  const char *const *warnings;

  write_scenario (writer, FALSE);
  add_mmap2 (writer, 0, 0x400000, "/usr/bin/outside", FALSE, 1106);
  bytes = writer_finish (writer);
  session = import (fixture, bytes->data, bytes->len, &error);
  g_assert_no_error (error);
  trace = tb_trace_new (session, NULL, NULL, NULL, &error);
  g_assert_no_error (error);
  warnings = tb_trace_get_warnings (trace);
  g_assert_true (contains (warnings, "1 mapped file belongs to a process that the recording does "
                                     "not describe"));
  g_assert_true (contains (warnings, "30 events were lost ("));
  g_assert_true (contains (warnings, "of the events): waits and shares may be incomplete."));
  g_assert_false (contains (warnings, "0.000 ms"));
}

static void
test_refused (Fixture *fixture, gconstpointer data)
{
  g_autoptr (GError) error = NULL;
  g_autoptr (TbSession) session
      = import (fixture, (const guint8 *) "PERFILE2 nothing else", 21, &error);

  g_assert_null (session);
  g_assert_error (error, TB_EXTEND_ERROR, TB_EXTEND_ERROR_INPUT);
  g_assert_nonnull (strstr (error->message, "perf.data: at offset "));
  g_assert_false (g_file_query_exists (fixture->output, NULL));
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add ("/perf-data-session/forms", Fixture, NULL, set_up, test_session, tear_down);
  g_test_add ("/perf-data-session/cut", Fixture, NULL, set_up, test_cut, tear_down);
  g_test_add ("/perf-data-session/warnings", Fixture, NULL, set_up, test_warnings, tear_down);
  g_test_add ("/perf-data-session/refused", Fixture, NULL, set_up, test_refused, tear_down);
  return g_test_run ();
}
