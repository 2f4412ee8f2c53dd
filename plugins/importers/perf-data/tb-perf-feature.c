/* tb-perf-feature.c: parser of the feature sections of a perf.data file: tracepoint formats, build
 * IDs, host, clock, command line, descriptions of events; the more complex ones by other files
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#include "config.h"

#include "tb-perf-feature.h"
#include "tb-perf-simpleperf.h"
#include "tb-perf-symbols.h"

#include <glib/gi18n-lib.h>

typedef enum
{
  FEATURE_TRACING_DATA = 1,
  FEATURE_BUILD_ID = 2,
  FEATURE_HOST_NAME = 3,
  FEATURE_OS_RELEASE = 4,
  FEATURE_VERSION = 5,
  FEATURE_ARCH = 6,
  FEATURE_N_CPUS = 7,
  FEATURE_COMMAND = 11,
  FEATURE_EVENT_DESCRIPTION = 12,
  FEATURE_SAMPLE_TIME = 21,
  FEATURE_CLOCK_DATA = 29,
  FEATURE_SIMPLEPERF_FILES = 128,
  FEATURE_SIMPLEPERF_META_INFO = 129,
  FEATURE_SIMPLEPERF_FILES_2 = 132,
} Feature;

#define BUILD_ID_MAX 20
#define MISC_BUILD_ID_SIZE (1 << 15) /* the record contains the length of the build ID */

char *
tb_perf_build_id_to_text (const guint8 *build_id, gsize size)
{
  static const char digits[] = "0123456789abcdef";
  char *text = g_malloc (size * 2 + 1);

  for (gsize i = 0; i < size; i++)
    {
      text[2 * i] = digits[build_id[i] >> 4];
      text[2 * i + 1] = digits[build_id[i] & 15];
    }
  text[2 * size] = 0;
  return text;
}

void
tb_perf_feature_read_build_id (TbPerfFile *file, const guint8 *record, gsize size)
{
  TbPerfCursor cursor
      = { .at = record + TB_PERF_HEADER_SIZE, .end = record + size, .swap = file->swap };
  guint16 misc = tb_perf_u16 (record + 4, file->swap);
  const guint8 *build_id;
  const char *path;
  guint length = BUILD_ID_MAX;
  g_autofree char *text = NULL;
  const char *other;

  tb_perf_cursor_take (&cursor, 4);
  build_id = tb_perf_cursor_take (&cursor, 24);
  path = tb_perf_cursor_read_text (&cursor);
  if (build_id == NULL || path == NULL)
    return;
  if (misc & MISC_BUILD_ID_SIZE)
    length = MIN (build_id[BUILD_ID_MAX], BUILD_ID_MAX);
  else /* perf before 5.11 fills a short build ID with zeros */
    while (length >= 4 && memcmp (build_id + length - 4, "\0\0\0\0", 4) == 0)
      length -= 4;
  text = tb_perf_build_id_to_text (build_id, length);
  /* With two files of one path, in containers or one after the other, it is not known which of them
   * a mapping is. */
  other = g_hash_table_lookup (file->build_ids, path);
  if (other != NULL && strcmp (other, text) != 0)
    g_clear_pointer (&text, g_free);
  g_hash_table_replace (file->build_ids, g_strdup (path),
                        text != NULL ? g_steal_pointer (&text) : g_strdup (""));
}

static gboolean
read_build_ids (TbPerfFile *file, TbPerfCursor *cursor)
{
  while (tb_perf_cursor_get_left (cursor) >= TB_PERF_HEADER_SIZE)
    {
      guint16 size = tb_perf_u16 (cursor->at + 6, file->swap);
      const guint8 *record = tb_perf_cursor_take (cursor, size);

      if (record == NULL || size < TB_PERF_HEADER_SIZE)
        return FALSE;
      tb_perf_feature_read_build_id (file, record, size);
    }
  return TRUE;
}

static void
take_string (char **where, TbPerfCursor *cursor)
{
  char *text = tb_perf_cursor_read_string (cursor);

  if (text == NULL)
    return;
  g_free (*where);
  *where = text;
}

static void
read_command (TbPerfFile *file, TbPerfCursor *cursor)
{
  guint32 n = tb_perf_cursor_read_u32 (cursor);
  g_autoptr (GStrvBuilder) words = g_strv_builder_new ();

  for (guint32 i = 0; i < n && !cursor->failed; i++)
    {
      char *word = tb_perf_cursor_read_string (cursor);

      if (word == NULL)
        break;
      g_strv_builder_take (words, word);
    }
  g_strfreev (file->command_line);
  file->command_line = g_strv_builder_end (words);
}

/* Reads the names of the events, which are not in the attributes. An event is found by its first
 * id, or else by its position. */
static void
read_event_description (TbPerfFile *file, TbPerfCursor *cursor)
{
  guint32 n = tb_perf_cursor_read_u32 (cursor);
  guint32 attr_size = tb_perf_cursor_read_u32 (cursor);

  for (guint32 i = 0; i < n && !cursor->failed; i++)
    {
      g_autofree char *name = NULL;
      TbPerfAttr *attr = NULL;
      const guint8 *ids;
      guint32 n_ids;

      tb_perf_cursor_take (cursor, attr_size);
      n_ids = tb_perf_cursor_read_u32 (cursor);
      name = tb_perf_cursor_read_string (cursor);
      ids = tb_perf_cursor_take (cursor, (guint64) n_ids * 8);
      if (ids == NULL || name == NULL || *name == 0)
        continue;
      if (n_ids > 0)
        attr = tb_perf_file_find_attr (file, tb_perf_u64 (ids, file->swap));
      else if (n == file->attrs->len)
        attr = tb_perf_file_get_attr (file, i);
      if (attr == NULL)
        continue;
      g_free (attr->name);
      attr->name = g_steal_pointer (&name);
    }
}

const char *
tb_perf_feature_get_content (guint feature)
{
  switch (feature)
    {
    case FEATURE_TRACING_DATA:
      return _ ("Fields of tracepoints");
    case FEATURE_BUILD_ID:
      return _ ("Build IDs of programs and libraries");
    case FEATURE_HOST_NAME:
    case FEATURE_OS_RELEASE:
    case FEATURE_ARCH:
    case FEATURE_N_CPUS:
      return _ ("Description of the host");
    case FEATURE_COMMAND:
      return _ ("The recorded command");
    case FEATURE_EVENT_DESCRIPTION:
      return _ ("Names of events");
    case FEATURE_CLOCK_DATA:
      return _ ("Wall clock time");
    case FEATURE_SIMPLEPERF_FILES:
    case FEATURE_SIMPLEPERF_FILES_2:
      return _ ("Names of functions");
    default:
      return NULL; /* nothing of it is shown */
    }
}

gboolean
tb_perf_feature_read (TbPerfFile *file, guint feature, const guint8 *at, gsize size)
{
  TbPerfCursor cursor = { .at = at, .end = at + size, .swap = file->swap };

  switch (feature)
    {
    case FEATURE_TRACING_DATA:
      return tb_perf_formats_read (file->formats, at, size);
    case FEATURE_BUILD_ID:
      return read_build_ids (file, &cursor);
    case FEATURE_HOST_NAME:
      take_string (&file->host_name, &cursor);
      break;
    case FEATURE_OS_RELEASE:
      take_string (&file->os_release, &cursor);
      break;
    case FEATURE_VERSION:
      take_string (&file->perf_version, &cursor);
      break;
    case FEATURE_ARCH:
      take_string (&file->arch, &cursor);
      break;
    case FEATURE_N_CPUS:
      file->n_cpus = tb_perf_cursor_read_u32 (&cursor);
      file->n_cpus = MIN (file->n_cpus, G_MAXUINT16 - 1);
      break;
    case FEATURE_COMMAND:
      read_command (file, &cursor);
      break;
    case FEATURE_EVENT_DESCRIPTION:
      read_event_description (file, &cursor);
      break;
    case FEATURE_SAMPLE_TIME:
      file->first_sample = tb_perf_cursor_read_u64 (&cursor);
      file->last_sample = tb_perf_cursor_read_u64 (&cursor);
      break;
    case FEATURE_CLOCK_DATA:
      tb_perf_cursor_take (&cursor, 8);
      file->clock_wall = tb_perf_cursor_read_u64 (&cursor);
      file->clock_own = tb_perf_cursor_read_u64 (&cursor);
      break;
    case FEATURE_SIMPLEPERF_FILES:
      return tb_perf_symbols_read_files (file->symbols, &cursor);
    case FEATURE_SIMPLEPERF_FILES_2:
      return tb_perf_symbols_read_messages (file->symbols, &cursor);
    case FEATURE_SIMPLEPERF_META_INFO:
      return tb_perf_simpleperf_read_meta_info (file, &cursor);
    default:
      break;
    }
  return !cursor.failed;
}
