/* fuzz-session.c: fuzz target that opens a modified session and reads all of it
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

/* Sessions are large and mostly the same, so the input holds the modifications of a valid session,
 * which is made here. It is any number of
 *
 *   u32 little-endian offset (modulo the length of the file) · u8 number of bytes n · n bytes that
 *   are written there
 *
 * or, if it begins like a SQLite database, the whole file. A first byte of 0xff truncates the file
 * at the following offset. */

#include <fcntl.h>
#include <glib/gstdio.h>
#include <unistd.h>

#include "../unit/session/session-fixture.h"
#include "fuzz-target.h"
#include "session/sequence/tb-sequence.h"

static char *path;
static GFile *file;
static char *good;
static gsize good_size;

static void
make_good (void)
{
  g_autoptr (GRand) random = g_rand_new_with_seed (1);
  g_autoptr (FixtureRows) rows = fixture_rows_new (random, 60);
  g_autofree char *folder = g_strdup ("/dev/shm/tailback-fuzz-XXXXXX");
  g_autoptr (TbSession) session = NULL;
  TbFrameName names[] = { { "inner", "a.c", 3, TRUE }, { "outer", "a.c", 5, FALSE } };

  /* thousands of files: in memory if possible */
  if (g_mkdtemp (folder) == NULL)
    {
      g_free (folder);
      folder = g_dir_make_tmp ("tailback-fuzz-XXXXXX", NULL);
    }
  path = g_build_filename (folder, "session.tailback", NULL);
  file = g_file_new_for_path (path);
  fixture_write (file, rows);
  session = tb_session_open (file, NULL, NULL);
  g_assert_nonnull (session);
  tb_session_add_bookmark (session, "here", 1, 2, 3, NULL);
  tb_session_add_frame_names (session, (guint32[]) { 1 }, (guint[]) { 2 }, 1, names, NULL);
  g_clear_object (&session);
  g_assert_true (g_file_get_contents (path, &good, &good_size, NULL));
}

static void
remove_files (void)
{
  static const char *const suffixes[] = { "", "-wal", "-journal", "-shm" };

  for (guint i = 0; i < G_N_ELEMENTS (suffixes); i++)
    {
      g_autofree char *name = g_strconcat (path, suffixes[i], NULL);

      g_unlink (name);
    }
}

static void
clean_up (void)
{
  g_autofree char *folder = g_path_get_dirname (path);

  remove_files ();
  g_rmdir (folder);
}

static guint32
get_offset (const uint8_t *data)
{
  return ((guint32) data[0] | (guint32) data[1] << 8 | (guint32) data[2] << 16
          | (guint32) data[3] << 24)
         % (guint32) good_size;
}

static void
write_input (const uint8_t *data, size_t size)
{
  int fd = open (path, O_CREAT | O_TRUNC | O_WRONLY | O_CLOEXEC, 0600);

  g_assert_cmpint (fd, >=, 0);
  if (size >= 6 && memcmp (data, "SQLite", 6) == 0)
    g_assert_cmpint (write (fd, data, size), ==, (gssize) size);
  else
    {
      g_assert_cmpint (write (fd, good, good_size), ==, (gssize) good_size);
      if (size >= 5 && data[0] == 0xff)
        {
          g_assert_cmpint (ftruncate (fd, get_offset (data + 1)), ==, 0);
          data += 5;
          size -= 5;
        }
      while (size > 5)
        {
          size_t n = MIN (data[4], size - 5);

          g_assert_cmpint (pwrite (fd, data + 5, n, get_offset (data)), ==, (gssize) n);
          data += 5 + n;
          size -= 5 + n;
        }
    }
  close (fd);
}

/* Also reads an order of events that contradicts the tables. */
static void
walk (TbSession *session)
{
  g_autoptr (GError) error = NULL;
  g_autoptr (TbSequence) sequence = tb_sequence_new (session, TRUE, &error);
  guint n;

  g_assert_true ((sequence == NULL) == (error != NULL));
  while (sequence != NULL && tb_sequence_next (sequence, &n) != NULL)
    g_assert_cmpuint (n, >, 0);
}

static void
read_all (TbSession *session)
{
  g_autoptr (GBytes) range
      = tb_table_get_column_range (tb_session_get_table (session, 0), 0, 3, 9, NULL);
  gint64 from, to;
  guint n;

  for (guint kind = 0; kind < TB_N_TABLES; kind++)
    for (guint i = 0; i < tb_table_kind_get_info (kind)->n_columns; i++)
      {
        g_autoptr (GBytes) column
            = tb_table_get_column (tb_session_get_table (session, kind), i, NULL);
      }
  for (guint i = 0; i < FIXTURE_FRAMES; i++)
    tb_session_get_frame_names (session, i, &n);
  tb_session_get_range (session, &from, &to);
  tb_session_get_mappings (session, &n);
  tb_session_get_bookmarks (session, &n);
  g_strfreev (tb_session_list_reports (session));
  walk (session);
  tb_session_check (session, NULL, NULL);
  tb_session_set_fact (session, "fuzz", "1", NULL);
}

static GLogWriterOutput
drop_log (GLogLevelFlags level, const GLogField *fields, gsize n_fields, gpointer data)
{
  return level & G_LOG_LEVEL_MESSAGE ? G_LOG_WRITER_HANDLED
                                     : g_log_writer_default (level, fields, n_fields, data);
}

int
LLVMFuzzerTestOneInput (const uint8_t *data, size_t size)
{
  g_autoptr (TbSession) session = NULL;
  g_autoptr (GError) error = NULL;

  if (path == NULL)
    {
      g_log_set_writer_func (drop_log, NULL, NULL);
      make_good ();
      atexit (clean_up);
    }
  write_input (data, size);
  session = tb_session_open (file, NULL, &error);
  g_assert_true ((session == NULL) == (error != NULL));
  if (session != NULL)
    read_all (session);
  g_clear_object (&session);
  remove_files ();
  return 0;
}
