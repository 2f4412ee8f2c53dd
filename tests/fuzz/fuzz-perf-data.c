/* fuzz-perf-data.c: fuzz target for perf.data files
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 *
 * A recorder that only logs its events checks what the importer emits: events are in order, and
 * none is still held back at the end.
 */

#include "config.h"

#include "../plugins/recorder-log.h"
#include "fuzz-target.h"
#include "tb-perf-import.h"

int
LLVMFuzzerTestOneInput (const uint8_t *data, size_t size)
{
  g_autoptr (GError) error = NULL;
  g_autoptr (TbPerfFile) file = tb_perf_file_open_bytes (data, size, "fuzz", &error);
  g_autoptr (TbRecorder) recorder = NULL;

  if (file == NULL)
    {
      g_assert_nonnull (error);
      return 0;
    }
  recorder = recorder_log_new ();
  if (!tb_perf_import_run (file, recorder, NULL, NULL, NULL, &error))
    g_error ("refused without need: %s", error->message);
  g_assert_cmpuint (recorder_log_get_n_waiting (recorder), ==, 0);
  g_assert_cmpuint (recorder_log_get_n_late (recorder), ==, 0);
  return 0;
}
