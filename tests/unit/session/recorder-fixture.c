/* recorder-fixture.c: recordings of events in tests, and access to the resulting session
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#include "config.h"

#include "recorder-fixture.h"

#include <glib/gstdio.h>

RecorderFixture *
recorder_fixture_new (void)
{
  RecorderFixture *self = g_new0 (RecorderFixture, 1);
  g_autofree char *folder = g_dir_make_tmp ("tailback-recorder-XXXXXX", NULL);
  g_autoptr (GError) error = NULL;

  g_assert_nonnull (folder);
  self->file = g_file_new_build_filename (folder, "test.tailback", NULL);
  self->recorder = tb_recorder_new (self->file, FALSE, &error);
  g_assert_no_error (error);
  self->columns = g_ptr_array_new_with_free_func ((GDestroyNotify) g_bytes_unref);
  return self;
}

void
recorder_fixture_finish (RecorderFixture *self)
{
  g_autoptr (GError) error = NULL;

  tb_recorder_finish (self->recorder, &error);
  g_assert_no_error (error);
  tb_recorder_get_statistics (self->recorder, &self->statistics);
  self->session = tb_session_open (self->file, NULL, &error);
  g_assert_no_error (error);
  g_assert_false (tb_session_is_cut_short (self->session));
  tb_session_check (self->session, NULL, &error);
  g_assert_no_error (error);
}

void
recorder_fixture_free (RecorderFixture *self)
{
  g_autofree char *path = g_file_get_path (self->file);
  g_autofree char *folder = g_path_get_dirname (path);

  g_clear_object (&self->session);
  g_clear_object (&self->recorder);
  g_clear_object (&self->file);
  g_ptr_array_unref (self->columns);
  g_free (self);
  g_unlink (path);
  g_assert_cmpint (g_rmdir (folder), ==, 0);
}

void
recorder_fixture_add (RecorderFixture *self, TbEvent event)
{
  tb_recorder_add (self->recorder, &event);
}

guint32
recorder_fixture_intern (RecorderFixture *self, const char *string)
{
  return tb_recorder_intern_string (self->recorder, string, -1);
}

void
recorder_fixture_switch (RecorderFixture *self,
                         gint64 time,
                         guint cpu,
                         gint32 from,
                         char state,
                         gint32 to)
{
  recorder_fixture_add (self, (TbEvent) { .time = time,
                                          .kind = TB_EVENT_SWITCH,
                                          .cpu = cpu,
                                          .tid = from,
                                          .pid = -1,
                                          .code = state,
                                          .a = to });
}

gsize
recorder_fixture_get_n_rows (RecorderFixture *self, TbTableKind kind)
{
  return tb_table_get_n_rows (tb_session_get_table (self->session, kind));
}

gconstpointer
recorder_fixture_get (RecorderFixture *self, TbTableKind kind, guint column, gsize *n_rows)
{
  g_autoptr (GError) error = NULL;
  GBytes *bytes = tb_table_get_column (tb_session_get_table (self->session, kind), column, &error);

  g_assert_no_error (error);
  g_ptr_array_add (self->columns, bytes);
  if (n_rows != NULL)
    *n_rows = recorder_fixture_get_n_rows (self, kind);
  return g_bytes_get_data (bytes, NULL);
}

gint64
recorder_fixture_get_i64 (RecorderFixture *self, TbTableKind kind, guint column, gsize row)
{
  g_assert_cmpuint (row, <, recorder_fixture_get_n_rows (self, kind));
  g_assert_cmpuint (tb_column_type_get_size (tb_table_kind_get_info (kind)->columns[column].type),
                    ==, 8);
  return ((const gint64 *) recorder_fixture_get (self, kind, column, NULL))[row];
}

guint32
recorder_fixture_get_u32 (RecorderFixture *self, TbTableKind kind, guint column, gsize row)
{
  gconstpointer values = recorder_fixture_get (self, kind, column, NULL);

  g_assert_cmpuint (row, <, recorder_fixture_get_n_rows (self, kind));
  switch (tb_column_type_get_size (tb_table_kind_get_info (kind)->columns[column].type))
    {
    case 1:
      return ((const guint8 *) values)[row];
    case 2:
      return ((const guint16 *) values)[row];
    case 4:
      return ((const guint32 *) values)[row];
    default:
      g_assert_not_reached ();
    }
}

const TbThread *
recorder_fixture_get_thread (RecorderFixture *self, guint32 thread)
{
  guint n_threads;
  const TbThread *threads = tb_session_get_threads (self->session, &n_threads);

  g_assert_cmpuint (thread, <, n_threads);
  return &threads[thread];
}

const TbProcess *
recorder_fixture_get_process (RecorderFixture *self, guint32 thread)
{
  guint n_processes;
  const TbProcess *processes = tb_session_get_processes (self->session, &n_processes);
  guint32 process = recorder_fixture_get_thread (self, thread)->process;

  g_assert_cmpuint (process, <, n_processes);
  return &processes[process];
}

void
recorder_fixture_assert_equal (RecorderFixture *a, RecorderFixture *b)
{
  for (TbTableKind kind = 0; kind < TB_N_TABLES; kind++)
    {
      const TbTableInfo *info = tb_table_kind_get_info (kind);

      g_assert_cmpuint (recorder_fixture_get_n_rows (a, kind), ==,
                        recorder_fixture_get_n_rows (b, kind));
      for (guint column = 0; column < info->n_columns; column++)
        {
          gsize size = tb_column_type_get_size (info->columns[column].type);

          g_assert_cmpmem (recorder_fixture_get (a, kind, column, NULL),
                           recorder_fixture_get_n_rows (a, kind) * size,
                           recorder_fixture_get (b, kind, column, NULL),
                           recorder_fixture_get_n_rows (b, kind) * size);
        }
    }
}
