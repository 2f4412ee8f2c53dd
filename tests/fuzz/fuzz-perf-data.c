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

/* The start of an input that is a folder: then the size of the file with the header follows, the
 * size of the next file, and the files. */
#define FOLDER_MAGIC "FOLDER\0"
#define FOLDER_HEADER_SIZE 16

static void
add_part (TbPerfFile *file, const uint8_t *data, gsize size)
{
  tb_perf_file_add_part (file, g_strdup ("part"), (TbPerfInput) { .bytes = data, .size = size });
}

static TbPerfFile *
open_folder (const uint8_t *data, gsize size, GError **error)
{
  gsize left = size - FOLDER_HEADER_SIZE;
  gsize main_size = MIN (tb_perf_u32 (data + 8, FALSE), left);
  gsize part_size = MIN (tb_perf_u32 (data + 12, FALSE), left - main_size);
  const uint8_t *main_file = data + FOLDER_HEADER_SIZE;
  TbPerfFile *file = tb_perf_file_open_bytes (main_file, main_size, "fuzz", error);

  if (file == NULL)
    return NULL;
  file->has_parts = TRUE;
  add_part (file, main_file + main_size, part_size);
  add_part (file, main_file + main_size + part_size, left - main_size - part_size);
  return file;
}

static TbPerfFile *
open_input (const uint8_t *data, gsize size, GError **error)
{
  if (size >= FOLDER_HEADER_SIZE && memcmp (data, FOLDER_MAGIC, 8) == 0)
    return open_folder (data, size, error);
  return tb_perf_file_open_bytes (data, size, "fuzz", error);
}

int
LLVMFuzzerTestOneInput (const uint8_t *data, size_t size)
{
  g_autoptr (GError) error = NULL;
  g_autoptr (TbPerfFile) file = open_input (data, size, &error);
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
