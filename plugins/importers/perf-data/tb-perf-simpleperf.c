/* tb-perf-simpleperf.c: what Android's simpleperf adds to the format of perf.data files:
 * recognition, version, records with event IDs, tracepoint formats and kernel symbols
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#include "config.h"

#include "tb-perf-simpleperf.h"

#include "tb-perf-symbols.h"

enum
{
  FEATURE_FILES = 128,
  FEATURE_META_INFO = 129,
  FEATURE_FILES_2 = 132,
};

enum
{
  RECORD_KERNEL_SYMBOLS = TB_PERF_SIMPLEPERF_FIRST + 1,
  RECORD_SPLIT = TB_PERF_SIMPLEPERF_FIRST + 4,
  RECORD_SPLIT_END = TB_PERF_SIMPLEPERF_FIRST + 5,
  RECORD_EVENT_ID = TB_PERF_SIMPLEPERF_FIRST + 6,
  RECORD_TRACING_DATA = TB_PERF_SIMPLEPERF_FIRST + 9,
};

#define EVENT_ID_HEADER_SIZE 16
#define TRACING_HEADER_SIZE 12
#define KERNEL_SYMBOLS_HEADER_SIZE 12
#define MAX_META_INFOS 1024

static gboolean
has_feature (const TbPerfFile *file, const guint8 *bits, guint feature)
{
  return (tb_perf_u64 (bits + feature / 64 * 8, file->swap) >> feature % 64 & 1) != 0;
}

gboolean
tb_perf_simpleperf_find (const TbPerfFile *file, const guint8 *feature_bits)
{
  return has_feature (file, feature_bits, FEATURE_FILES)
         || has_feature (file, feature_bits, FEATURE_META_INFO)
         || has_feature (file, feature_bits, FEATURE_FILES_2);
}

gboolean
tb_perf_simpleperf_read_meta_info (TbPerfFile *file, TbPerfCursor *cursor)
{
  for (guint i = 0; i < MAX_META_INFOS && tb_perf_cursor_get_left (cursor) > 0; i++)
    {
      const char *name = tb_perf_cursor_read_text (cursor);
      const char *value = tb_perf_cursor_read_text (cursor);

      if (value == NULL)
        return FALSE;
      if (g_str_equal (name, "simpleperf_version"))
        {
          g_free (file->simpleperf_version);
          file->simpleperf_version = g_utf8_make_valid (value, -1);
        }
    }
  return TRUE;
}

/* Each entry has the position of an event and an ID of it. */
static void
read_event_ids (TbPerfFile *file, const guint8 *record, gsize size)
{
  guint64 n = size >= EVENT_ID_HEADER_SIZE ? tb_perf_u64 (record + 8, file->swap) : 0;

  n = MIN (n, (size - MIN (size, EVENT_ID_HEADER_SIZE)) / 16);
  for (guint64 i = 0; i < n; i++)
    {
      const guint8 *entry = record + EVENT_ID_HEADER_SIZE + i * 16;

      tb_perf_file_add_id (file, tb_perf_u64 (entry + 8, file->swap),
                           tb_perf_u64 (entry, file->swap));
    }
}

static void
read_tracing_data (TbPerfFile *file, const guint8 *record, gsize size)
{
  if (size > TRACING_HEADER_SIZE)
    tb_perf_formats_read (file->formats, record + TRACING_HEADER_SIZE,
                          MIN (tb_perf_u32 (record + 8, file->swap), size - TRACING_HEADER_SIZE));
}

/* A copy of /proc/kallsyms. */
static void
read_kernel_symbols (TbPerfFile *file, const guint8 *record, gsize size)
{
  const char *text = (const char *) record + KERNEL_SYMBOLS_HEADER_SIZE;

  if (size > KERNEL_SYMBOLS_HEADER_SIZE)
    tb_perf_symbols_add_kallsyms (file->symbols, text,
                                  MIN (tb_perf_u32 (record + 8, file->swap),
                                       size - KERNEL_SYMBOLS_HEADER_SIZE));
}

static void
read_record (TbPerfFile *file, const guint8 *record, gsize size)
{
  switch (tb_perf_u32 (record, file->swap))
    {
    case RECORD_EVENT_ID:
      read_event_ids (file, record, size);
      break;
    case RECORD_TRACING_DATA:
    case TB_PERF_RECORD_TRACING_DATA: /* of early versions */
      read_tracing_data (file, record, size);
      break;
    case RECORD_KERNEL_SYMBOLS:
      read_kernel_symbols (file, record, size);
      break;
    default:
      break;
    }
}

/* Early versions divide a record of more than 64 KiB into the payloads of several records. */
static void
read_parts (TbPerfFile *file, GByteArray *parts)
{
  if (parts->len >= TB_PERF_HEADER_SIZE)
    read_record (file, parts->data, parts->len);
  g_byte_array_set_size (parts, 0);
}

void
tb_perf_simpleperf_read_records (TbPerfFile *file)
{
  g_autoptr (GByteArray) parts = g_byte_array_new ();
  guint64 at = file->data_from;

  while (file->data_to - at >= TB_PERF_HEADER_SIZE)
    {
      const guint8 *record = file->bytes + at;
      guint32 type = tb_perf_u32 (record, file->swap);
      gsize size = tb_perf_u16 (record + 6, file->swap);

      if (tb_perf_simpleperf_is_record (type))
        size = tb_perf_simpleperf_get_size (record, file->swap);
      if (size < TB_PERF_HEADER_SIZE || size > file->data_to - at)
        return;
      if (type == RECORD_SPLIT)
        g_byte_array_append (parts, record + TB_PERF_HEADER_SIZE, size - TB_PERF_HEADER_SIZE);
      else if (type == RECORD_SPLIT_END)
        read_parts (file, parts);
      else
        read_record (file, record, size);
      at += size;
      if (type == TB_PERF_RECORD_AUXTRACE)
        {
          guint64 payload = tb_perf_file_get_payload (file, record, size);

          if (payload > file->data_to - at)
            return;
          at += payload;
        }
    }
}
