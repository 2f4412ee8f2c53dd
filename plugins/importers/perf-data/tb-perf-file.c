/* tb-perf-file.c: a perf.data file (or stream): byte order, header, events and their ids, features;
 * all that is read before or beside its event records
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#include "config.h"

#include <inttypes.h>

#include "tb-perf-file.h"

#include <glib/gi18n-lib.h>
#include <linux/perf_event.h>

#include "extend/options/tb-option.h"
#include "tb-perf-feature.h"
#include "tb-perf-folder.h"
#include "tb-perf-foreign.h"
#include "tb-perf-simpleperf.h"
#include "tb-perf-symbols.h"

#define FILE_HEADER_SIZE 104
#define OLD_HEADER_SIZE 72 /* of the first versions: without the features */
#define PIPE_HEADER_SIZE 16
#define MAX_ATTRS 16384
#define MAX_IDS (1u << 22)

static const char magic[] = "PERFILE2";
static const char swapped_magic[] = "2ELIFREP";
static const char old_magic[] = "PERFFILE";

static const char *
get_own_magic (void)
{
  return G_BYTE_ORDER == G_LITTLE_ENDIAN ? magic : swapped_magic;
}

int
tb_perf_file_sniff (const guint8 *head, gsize length)
{
  if (length < PIPE_HEADER_SIZE)
    return 0;
  if (memcmp (head, magic, 8) == 0 || memcmp (head, swapped_magic, 8) == 0
      || memcmp (head, old_magic, 8) == 0)
    return 100;
  return 0;
}

static void fail (const TbPerfFile *self, GError **error, guint64 offset, const char *format, ...)
    G_GNUC_PRINTF (4, 5);

static void
fail (const TbPerfFile *self, GError **error, guint64 offset, const char *format, ...)
{
  g_autofree char *what = NULL;
  va_list arguments;

  va_start (arguments, format);
  what = g_strdup_vprintf (format, arguments);
  va_end (arguments);
  /* Translators: file name, position in it, what was expected and found there */
  g_set_error (error, TB_EXTEND_ERROR, TB_EXTEND_ERROR_INPUT, _ ("%s: at offset %" PRIu64 ": %s"),
               self->name, offset, what);
}

static gboolean
section_is_inside (const TbPerfFile *self, guint64 offset, guint64 size)
{
  return offset <= self->size && size <= self->size - offset;
}

static void
ids_insert (TbPerfIds *ids, guint64 id, guint16 attr)
{
  gsize at = (gsize) (id * G_GUINT64_CONSTANT (0x9e3779b97f4a7c15) >> 20) & ids->mask;

  while (ids->attrs[at] != 0 && ids->ids[at] != id)
    at = (at + 1) & ids->mask;
  ids->n += ids->attrs[at] == 0;
  ids->ids[at] = id;
  ids->attrs[at] = attr;
}

static void
ids_resize (TbPerfIds *ids, gsize size)
{
  TbPerfIds grown = { g_new0 (guint64, size), g_new0 (guint16, size), size - 1, 0 };

  for (gsize i = 0; ids->attrs != NULL && i <= ids->mask; i++)
    if (ids->attrs[i] != 0)
      ids_insert (&grown, ids->ids[i], ids->attrs[i]);
  g_free (ids->ids);
  g_free (ids->attrs);
  *ids = grown;
}

static void
add_id (TbPerfFile *self, guint64 id, guint16 attr)
{
  if (self->ids.n * 2 > self->ids.mask)
    ids_resize (&self->ids, (self->ids.mask + 1) * 2);
  ids_insert (&self->ids, id, attr);
}

static void
add_ids (TbPerfFile *self, const guint8 *at, gsize n)
{
  for (gsize i = 0; i < n; i++)
    add_id (self, tb_perf_u64 (at + i * 8, self->swap), self->attrs->len);
}

void
tb_perf_file_add_id (TbPerfFile *self, guint64 id, guint64 attr)
{
  if (attr < self->attrs->len && self->ids.n < MAX_IDS)
    add_id (self, id, attr + 1);
}

/* An entry consists of an attribute of attr_size - 16 bytes and the position of the section with
 * the ids of its counters. */
static gboolean
read_attrs (TbPerfFile *self, guint64 offset, guint64 size, guint64 attr_size, GError **error)
{
  guint64 n, ids_left = MIN (self->size / 8, MAX_IDS);

  if (attr_size < TB_PERF_ATTR_SMALLEST + 16 || attr_size > 65536)
    {
      fail (self, error, 16,
            _ ("expected the size of an event description, 80 to 65536, found %" PRIu64),
            attr_size);
      return FALSE;
    }
  if (!section_is_inside (self, offset, size))
    {
      fail (self, error, 24,
            _ ("expected event descriptions inside the file of %zu bytes, found %" PRIu64
               " bytes at %" PRIu64),
            self->size, size, offset);
      return FALSE;
    }
  n = size / attr_size;
  if (n == 0)
    {
      g_set_error (error, TB_EXTEND_ERROR, TB_EXTEND_ERROR_INPUT,
                   _ ("“%s” has no events, so there is nothing to show: perf failed before it "
                      "recorded, or it only counted (perf sched stats). Read its message, and "
                      "record with perf record"),
                   self->name);
      return FALSE;
    }
  if (n > MAX_ATTRS)
    {
      fail (self, error, 32, _ ("expected 1 to %u event descriptions, found %" PRIu64), MAX_ATTRS,
            n);
      return FALSE;
    }
  for (guint64 i = 0; i < n; i++)
    {
      guint64 at = offset + i * attr_size;
      guint64 ids = tb_perf_u64 (self->bytes + at + attr_size - 16, self->swap);
      guint64 ids_size = tb_perf_u64 (self->bytes + at + attr_size - 8, self->swap);
      TbPerfAttr attr;
      gsize taken;

      if (!tb_perf_attr_read (&attr, self->bytes + at, attr_size - 16, self->swap, &taken))
        {
          fail (self, error, at + 4,
                _ ("expected the size of an event description, 64 to %" PRIu64), attr_size - 16);
          return FALSE;
        }
      /* Limits the total number of ids: a hostile file could use the same ids for several
       * events. */
      if (!section_is_inside (self, ids, ids_size) || ids_size / 8 > ids_left)
        {
          fail (self, error, at + attr_size - 16,
                _ ("expected the ids of an event inside the file"));
          return FALSE;
        }
      ids_left -= ids_size / 8;
      g_array_append_val (self->attrs, attr);
      add_ids (self, self->bytes + ids, ids_size / 8);
    }
  return TRUE;
}

/* Reads a complete feature section. */
static void
read_feature (TbPerfFile *self, guint feature, const guint8 *at, gsize size)
{
  const char *content = tb_perf_feature_get_content (feature);

  if (size > 0 && !tb_perf_feature_read (self, feature, at, size) && content != NULL)
    g_ptr_array_add (
        self->warnings,
        /* Translators: what is damaged, such as "Build IDs of programs and libraries" */
        g_strdup_printf (_ ("%s: this part of the file is damaged, and what it lacks "
                            "is shown as unknown. Copy the file again, or record "
                            "again."),
                         content));
}

/* Feature sections are after the data: an offset and a size for each feature that has its bit set,
 * in order. */
static void
read_features (TbPerfFile *self, const guint8 *bits, guint64 table)
{
  gboolean truncated = FALSE;

  for (guint feature = 0; feature < TB_PERF_N_FEATURES; feature++)
    {
      guint64 word = tb_perf_u64 (bits + feature / 64 * 8, self->swap);
      guint64 offset, size;

      if ((word >> feature % 64 & 1) == 0)
        continue;
      if (!section_is_inside (self, table, 16))
        {
          truncated = TRUE;
          continue;
        }
      offset = tb_perf_u64 (self->bytes + table, self->swap);
      size = tb_perf_u64 (self->bytes + table + 8, self->swap);
      table += 16;
      if (section_is_inside (self, offset, size))
        {
          read_feature (self, feature, self->bytes + offset, size);
          continue;
        }
      truncated = TRUE;
      if (offset < self->size)
        tb_perf_feature_read (self, feature, self->bytes + offset, self->size - offset);
    }
  if (!truncated)
    return;
  self->cut_short = TRUE;
  g_ptr_array_add (self->warnings,
                   g_strdup (_ ("The file is cut short: its end, which has names of events, "
                                "tracepoints' fields and build IDs, is missing, so that some "
                                "events and functions are missing or have no names. Copy the "
                                "whole file again.")));
}

static gboolean
read_file_header (TbPerfFile *self, guint header_size, GError **error)
{
  static const guint8 no_features[TB_PERF_N_FEATURES / 8];
  const guint8 *header = self->bytes;
  const guint8 *features = header_size == FILE_HEADER_SIZE ? header + OLD_HEADER_SIZE : no_features;
  guint64 data, data_size;

  if (self->size < header_size)
    {
      fail (self, error, self->size, _ ("expected a header of %u bytes, the file ends after %zu"),
            header_size, self->size);
      return FALSE;
    }
  if (!read_attrs (self, tb_perf_u64 (header + 24, self->swap),
                   tb_perf_u64 (header + 32, self->swap), tb_perf_u64 (header + 16, self->swap),
                   error))
    return FALSE;
  self->has_parts = (tb_perf_u64 (features, self->swap) >> TB_PERF_FEATURE_DIRECTORY & 1) != 0;
  data = tb_perf_u64 (header + 40, self->swap);
  data_size = tb_perf_u64 (header + 48, self->swap);
  if (data > self->size)
    {
      /* The file was truncated before its first record: there are events but no samples. */
      self->cut_short = TRUE;
      data = self->size;
    }
  self->data_from = data;
  if (data_size == 0)
    {
      self->cut_short = TRUE;
      self->data_to = self->size;
      g_ptr_array_add (self->warnings,
                       g_strdup (
                           _ ("The recording was not ended properly: it was read to the end of the "
                              "file, and names, fields of tracepoints and build IDs that perf "
                              "writes last are unknown. End perf by Ctrl+C.")));
      return TRUE;
    }
  if (data_size > self->size - data)
    {
      self->cut_short = TRUE;
      self->data_to = self->size;
      g_ptr_array_add (self->warnings, g_strdup_printf (_ ("The file is cut short: it has %" PRIu64
                                                           " of %" PRIu64 " bytes of "
                                                           "data, and nothing after them."),
                                                        self->size - data, data_size));
      return TRUE;
    }
  self->data_to = data + data_size;
  read_features (self, features, self->data_to);
  self->is_simpleperf = tb_perf_simpleperf_find (self, features);
  if (self->is_simpleperf)
    tb_perf_simpleperf_read_records (self);
  return TRUE;
}

guint64
tb_perf_file_get_payload (const TbPerfFile *self, const guint8 *record, gsize size)
{
  guint32 type = tb_perf_u32 (record, self->swap);
  guint64 length = 0;

  if (type == TB_PERF_RECORD_AUXTRACE && size >= 16)
    length = tb_perf_u64 (record + 8, self->swap);
  else if (type == TB_PERF_RECORD_TRACING_DATA && size >= 12 && !self->is_simpleperf)
    length = ((guint64) tb_perf_u32 (record + 8, self->swap) + 7) & ~G_GUINT64_CONSTANT (7);
  return length;
}

static void
apply_attr (TbPerfFile *self, const guint8 *record, gsize size)
{
  TbPerfAttr attr;
  gsize taken;

  if (self->attrs->len >= MAX_ATTRS
      || !tb_perf_attr_read (&attr, record + TB_PERF_HEADER_SIZE, size - TB_PERF_HEADER_SIZE,
                             self->swap, &taken))
    return;
  g_array_append_val (self->attrs, attr);
  add_ids (self, record + TB_PERF_HEADER_SIZE + taken, (size - TB_PERF_HEADER_SIZE - taken) / 8);
}

static void
apply_event_update (TbPerfFile *self, const guint8 *record, gsize size)
{
  enum
  {
    UPDATE_NAME = 2
  };
  TbPerfAttr *attr;

  if (size <= 24 || tb_perf_u64 (record + 8, self->swap) != UPDATE_NAME)
    return;
  attr = tb_perf_file_find_attr (self, tb_perf_u64 (record + 16, self->swap));
  if (attr == NULL)
    return;
  g_free (attr->name);
  attr->name = g_utf8_make_valid ((const char *) record + 24,
                                  strnlen ((const char *) record + 24, size - 24));
}

void
tb_perf_file_apply (TbPerfFile *self, const guint8 *record, gsize size)
{
  switch (tb_perf_u32 (record, self->swap))
    {
    case TB_PERF_RECORD_ATTR:
      /* In a file with a header the attributes are in the header. */
      if (self->is_pipe)
        apply_attr (self, record, size);
      break;
    case TB_PERF_RECORD_EVENT_UPDATE:
      apply_event_update (self, record, size);
      break;
    case TB_PERF_RECORD_BUILD_ID:
      tb_perf_feature_read_build_id (self, record, size);
      break;
    case TB_PERF_RECORD_FEATURE:
      if (size > 16 && tb_perf_u64 (record + 8, self->swap) < TB_PERF_N_FEATURES)
        tb_perf_feature_read (self, tb_perf_u64 (record + 8, self->swap), record + 16, size - 16);
      break;
    default:
      break;
    }
}

/* In a stream, descriptions are among the records, and build IDs and features may come last. They
 * are read in a first walk over the record headers. */
static void
read_pipe_descriptions (TbPerfFile *self)
{
  guint64 at = self->data_from;

  while (self->data_to - at >= TB_PERF_HEADER_SIZE)
    {
      const guint8 *record = self->bytes + at;
      guint32 type = tb_perf_u32 (record, self->swap);
      guint64 size = tb_perf_u16 (record + 6, self->swap);

      __builtin_prefetch (record + 1024);
      if (type == TB_PERF_RECORD_COMPRESSED2 && self->data_to - at >= 16)
        size
            = MAX (size, (tb_perf_u64 (record + 8, self->swap) + 16 + 7) & ~G_GUINT64_CONSTANT (7));
      if (size < TB_PERF_HEADER_SIZE || size > self->data_to - at)
        return;
      at += size;
      if (type < TB_PERF_RECORD_USER_FIRST)
        continue;
      tb_perf_file_apply (self, record, size);
      if (type == TB_PERF_RECORD_TRACING_DATA || type == TB_PERF_RECORD_AUXTRACE)
        {
          guint64 payload = tb_perf_file_get_payload (self, record, size);

          if (payload > self->data_to - at)
            return;
          if (type == TB_PERF_RECORD_TRACING_DATA)
            tb_perf_formats_read (self->formats, self->bytes + at, payload);
          at += payload;
        }
    }
}

/* Sets an error if the file is no perf.data file at all. */
static gboolean
check_magic (TbPerfFile *self, GError **error)
{
  const char *foreign;

  if (tb_perf_file_sniff (self->bytes, self->size) > 0)
    return TRUE;
  foreign = tb_perf_foreign_explain (self->bytes, self->size);
  if (foreign != NULL)
    {
      g_autoptr (GString) message = g_string_new (foreign);

      g_string_replace (message, "%s", self->name, 1);
      g_set_error_literal (error, TB_EXTEND_ERROR, TB_EXTEND_ERROR_INPUT, message->str);
      return FALSE;
    }
  fail (self, error, 0, _ ("expected “%s”: not a perf.data file"), magic);
  return FALSE;
}

/* The first magic number is the same in both byte orders; there it follows from the size of
 * the header. */
static gboolean
find_byte_order (const TbPerfFile *self)
{
  if (memcmp (self->bytes, old_magic, 8) == 0)
    return tb_perf_u64 (self->bytes + 8, FALSE) > G_MAXUINT32;
  return memcmp (self->bytes, get_own_magic (), 8) != 0;
}

static gboolean
read_header (TbPerfFile *self, GError **error)
{
  guint64 header_size;

  if (self->size < PIPE_HEADER_SIZE)
    {
      fail (self, error, self->size,
            _ ("expected the header of a perf.data file, the file ends after %zu bytes"),
            self->size);
      return FALSE;
    }
  if (!check_magic (self, error))
    return FALSE;
  self->swap = find_byte_order (self);
  header_size = tb_perf_u64 (self->bytes + 8, self->swap);
  if (header_size == PIPE_HEADER_SIZE)
    {
      self->is_pipe = TRUE;
      self->data_from = PIPE_HEADER_SIZE;
      self->data_to = self->size;
      read_pipe_descriptions (self);
      if (self->attrs->len == 0)
        {
          fail (self, error, PIPE_HEADER_SIZE,
                _ ("expected the description of an event, found none in the whole stream"));
          return FALSE;
        }
      return TRUE;
    }
  if (header_size != FILE_HEADER_SIZE && header_size != OLD_HEADER_SIZE)
    {
      fail (self, error, 8, _ ("expected a header size of %u or %u, found %" PRIu64),
            FILE_HEADER_SIZE, PIPE_HEADER_SIZE, header_size);
      return FALSE;
    }
  return read_file_header (self, header_size, error);
}

/* Files of simpleperf and of streams that were cut have no names of events. */
static char *
make_name (const TbPerfFile *self, const TbPerfAttr *attr)
{
  const TbPerfFormat *format = attr->type == PERF_TYPE_TRACEPOINT
                                   ? tb_perf_formats_find (self->formats, attr->config)
                                   : NULL;

  return format != NULL ? g_strdup_printf ("%s:%s", format->system, format->name)
                        : tb_perf_attr_make_name (attr);
}

static void
name_attrs (TbPerfFile *self)
{
  for (guint i = 0; i < self->attrs->len; i++)
    {
      TbPerfAttr *attr = tb_perf_file_get_attr (self, i);

      if (attr->name == NULL)
        attr->name = make_name (self, attr);
    }
}

static void
part_clear (TbPerfPart *part)
{
  g_free (part->name);
  tb_perf_input_clear (&part->map);
}

static TbPerfFile *
file_new (char *name)
{
  TbPerfFile *self = g_new0 (TbPerfFile, 1);

  self->name = name;
  self->attrs = g_array_new (FALSE, FALSE, sizeof (TbPerfAttr));
  g_array_set_clear_func (self->attrs, (GDestroyNotify) tb_perf_attr_clear);
  self->parts = g_array_new (FALSE, FALSE, sizeof (TbPerfPart));
  g_array_set_clear_func (self->parts, (GDestroyNotify) part_clear);
  ids_resize (&self->ids, 64);
  self->formats = tb_perf_formats_new ();
  self->build_ids = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, g_free);
  self->symbols = tb_perf_symbols_new ();
  self->warnings = g_ptr_array_new_with_free_func (g_free);
  return self;
}

TbPerfFile *
tb_perf_file_open_bytes (const guint8 *bytes, gsize size, const char *name, GError **error)
{
  g_autoptr (TbPerfFile) self = file_new (g_strdup (name));

  self->bytes = bytes;
  self->size = size;
  if (!read_header (self, error))
    {
      self->bytes = NULL;
      return NULL;
    }
  name_attrs (self);
  return g_steal_pointer (&self);
}

TbPerfFile *
tb_perf_file_open (GFile *file, GCancellable *cancellable, GError **error)
{
  g_autoptr (GFile) main_file = tb_perf_folder_find_main (file);
  g_autoptr (TbPerfFile) self = file_new (g_file_get_parse_name (main_file));

  if (!tb_perf_input_open (&self->map, main_file, cancellable, error))
    return NULL;
  self->bytes = self->map.bytes;
  self->size = self->map.size;
  self->written = self->map.written;
  if (self->size == 0)
    {
      fail (self, error, 0, _ ("expected the header of a perf.data file, the file is empty"));
      return NULL;
    }
  if (!read_header (self, error)
      || !tb_perf_folder_open_parts (self, main_file, cancellable, error))
    return NULL;
  tb_perf_folder_read_kallsyms (self, main_file, cancellable);
  name_attrs (self);
  return g_steal_pointer (&self);
}

void
tb_perf_file_add_part (TbPerfFile *self, char *name, TbPerfInput map)
{
  TbPerfPart part = { name, map };

  g_array_append_val (self->parts, part);
}

void
tb_perf_file_free (TbPerfFile *self)
{
  tb_perf_input_clear (&self->map);
  g_array_unref (self->parts);
  g_array_unref (self->attrs);
  g_free (self->ids.ids);
  g_free (self->ids.attrs);
  tb_perf_formats_free (self->formats);
  g_hash_table_unref (self->build_ids);
  tb_perf_symbols_free (self->symbols);
  g_ptr_array_unref (self->warnings);
  g_free (self->name);
  g_free (self->host_name);
  g_free (self->os_release);
  g_free (self->arch);
  g_free (self->perf_version);
  g_free (self->simpleperf_version);
  g_strfreev (self->command_line);
  g_free (self);
}
