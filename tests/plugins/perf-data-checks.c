/* perf-data-checks.c: import of written perf.data files and checks of the result
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#include "config.h"

#include "perf-data-checks.h"

#include <string.h>

#include "tb-perf-import.h"

TbRecorder *
import_bytes (const guint8 *bytes, gsize size, GError **error)
{
  /* A copy of the exact size, so that a sanitizer detects a read past the end. */
  g_autofree guint8 *copy = g_memdup2 (bytes, size);
  g_autoptr (TbPerfFile) file = tb_perf_file_open_bytes (copy, size, "test.data", error);
  g_autoptr (TbRecorder) recorder = NULL;

  if (file == NULL)
    return NULL;
  recorder = recorder_log_new ();
  if (!tb_perf_import_run (file, recorder, NULL, NULL, NULL, error))
    return NULL;
  g_assert_cmpuint (recorder_log_get_n_waiting (recorder), ==, 0);
  return g_steal_pointer (&recorder);
}

TbRecorder *
import_writer (Writer *writer)
{
  g_autoptr (GByteArray) bytes = writer_finish (writer);
  g_autoptr (GError) error = NULL;
  TbRecorder *recorder = import_bytes (bytes->data, bytes->len, &error);

  g_assert_no_error (error);
  return recorder;
}

void
assert_contains (const char *text, const char *part)
{
  if (strstr (text, part) == NULL)
    g_error ("“%s” is not in:\n%s", part, text);
}

void
assert_lacks (const char *text, const char *part)
{
  if (strstr (text, part) != NULL)
    g_error ("“%s” is in:\n%s", part, text);
}
