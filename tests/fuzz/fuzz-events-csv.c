/* fuzz-events-csv.c: fuzz target for the importer of the plain-text event format, and for the trace
 * of an imported file
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#include "config.h"

#include <glib/gstdio.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "fuzz-target.h"
#include "session/file/tb-session.h"
#include "tb-events-csv-importer.h"
#include "trace/tb-trace.h"

int
LLVMFuzzerTestOneInput (const uint8_t *data, size_t size)
{
  int fd = memfd_create ("fuzz", MFD_CLOEXEC);
  g_autofree char *csv_path = g_strdup_printf ("/proc/self/fd/%d", fd);
  /* In memory if possible: a disk would slow the test down. */
  const char *where = access ("/dev/shm", W_OK) == 0 ? "/dev/shm" : g_get_tmp_dir ();
  g_autofree char *folder = g_build_filename (where, "tailback-fuzz-XXXXXX", NULL);
  g_autofree char *path = g_build_filename (g_mkdtemp (folder), "fuzz.tailback", NULL);
  g_autoptr (GFile) csv = g_file_new_for_path (csv_path);
  g_autoptr (GFile) file = g_file_new_for_path (path);
  g_autoptr (TbImporter) importer = g_object_new (TB_TYPE_EVENTS_CSV_IMPORTER, NULL);
  g_autoptr (GError) error = NULL;
  g_autoptr (TbRecorder) recorder = tb_recorder_new (file, FALSE, &error);

  g_assert_no_error (error);
  if (write (fd, data, size) != (ssize_t) size)
    g_error ("memfd");
  tb_importer_sniff (importer, data, MIN (size, 65536), "fuzz.csv");
  if (tb_importer_import_file (importer, csv, recorder, NULL, NULL, NULL, &error))
    {
      g_autoptr (TbSession) session = NULL;
      g_autoptr (TbTrace) trace = NULL;

      tb_recorder_finish (recorder, &error);
      g_assert_no_error (error);
      session = tb_session_open (file, NULL, &error);
      g_assert_no_error (error);
      tb_session_check (session, NULL, &error);
      g_assert_no_error (error);
      /* Such a file may come from anywhere: a trace can be built from any contents. */
      trace = tb_trace_new (session, NULL, NULL, NULL, &error);
      g_assert_no_error (error);
    }
  else
    {
      /* One line that names the position. */
      g_assert_error (error, TB_EXTEND_ERROR, TB_EXTEND_ERROR_INPUT);
      g_assert_nonnull (strstr (error->message, ", line "));
      g_assert_null (strchr (error->message, '\n'));
      tb_recorder_abandon (recorder);
    }
  g_unlink (path);
  g_rmdir (folder);
  close (fd);
  return 0;
}
