/* perf-data-writer.c: writer of perf.data files byte by byte, in either byte order, as file or
 * stream, plain or compressed
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#include "config.h"

#include "perf-data-writer.h"

#include <linux/perf_event.h>
#include <string.h>
#include <zstd.h>

#define ATTR_SIZE 136
#define FINISHED_ROUND 68

static void
append_u16 (Writer *self, GByteArray *to, guint16 value)
{
  value = self->big_endian ? GUINT16_TO_BE (value) : GUINT16_TO_LE (value);
  g_byte_array_append (to, (guint8 *) &value, sizeof value);
}

static void
append_u32 (Writer *self, GByteArray *to, guint32 value)
{
  value = self->big_endian ? GUINT32_TO_BE (value) : GUINT32_TO_LE (value);
  g_byte_array_append (to, (guint8 *) &value, sizeof value);
}

static void
append_u64 (Writer *self, GByteArray *to, guint64 value)
{
  value = self->big_endian ? GUINT64_TO_BE (value) : GUINT64_TO_LE (value);
  g_byte_array_append (to, (guint8 *) &value, sizeof value);
}

static void
append_zeros (GByteArray *to, gsize n)
{
  static const guint8 zero;

  while (n-- > 0)
    g_byte_array_append (to, &zero, 1);
}

static void
append_padded_text (GByteArray *to, const char *text)
{
  gsize length = strlen (text) + 1;

  g_byte_array_append (to, (const guint8 *) text, length);
  append_zeros (to, -length & 7);
}

/* A string of a feature section: its length, then the text padded to 64 bytes. */
static void
append_string (Writer *self, GByteArray *to, const char *text)
{
  gsize length = strlen (text) + 1;
  gsize padded = (length + 63) & ~(gsize) 63;

  append_u32 (self, to, padded);
  g_byte_array_append (to, (const guint8 *) text, length);
  append_zeros (to, padded - length);
}

Writer *
writer_new (gboolean big_endian, WriterMode mode, WriterPacking packing)
{
  Writer *self = g_new0 (Writer, 1);

  self->big_endian = big_endian;
  self->mode = mode;
  self->packing = packing;
  self->records = g_byte_array_new ();
  self->build_ids = g_byte_array_new ();
  self->formats = g_string_new (NULL);
  return self;
}

void
writer_free (Writer *self)
{
  g_byte_array_unref (self->records);
  g_byte_array_unref (self->build_ids);
  g_string_free (self->formats, TRUE);
  g_free (self);
}

WriterAttr *
writer_add_attr (Writer *self,
                 guint32 type,
                 guint64 config,
                 guint64 period,
                 guint64 sample_type,
                 const char *name)
{
  WriterAttr *attr = &self->attrs[self->n_attrs++];

  g_assert (self->n_attrs <= G_N_ELEMENTS (self->attrs));
  *attr = (WriterAttr) {
    .type = type,
    .config = config,
    .period = period,
    .sample_type = sample_type,
    .flags = 1u << 18,
    .name = name,
    .n_ids = 2,
    .ids = { 100 * self->n_attrs, 100 * self->n_attrs + 1 },
  };
  return attr;
}

void
writer_add_format (Writer *self, const char *system, const char *text)
{
  g_string_append (self->formats, system);
  g_string_append_c (self->formats, 0);
  g_string_append (self->formats, text);
  g_string_append_c (self->formats, 0);
}

void
writer_add_build_id (Writer *self, const char *path, guint8 fill)
{
  guint8 id[24] = { 0 };
  gsize padded = (strlen (path) + 8) & ~(gsize) 7;

  memset (id, fill, 20);
  append_u32 (self, self->build_ids, 67);
  append_u16 (self, self->build_ids, 2);
  append_u16 (self, self->build_ids, 8 + 4 + 24 + padded + 4);
  append_u32 (self, self->build_ids, -1);
  g_byte_array_append (self->build_ids, id, sizeof id);
  append_padded_text (self->build_ids, path);
  append_zeros (self->build_ids, 4);
}

void
put_u8 (Writer *self, guint8 value)
{
  g_byte_array_append (self->records, &value, 1);
}

void
put_u16 (Writer *self, guint16 value)
{
  append_u16 (self, self->records, value);
}

void
put_u32 (Writer *self, guint32 value)
{
  append_u32 (self, self->records, value);
}

void
put_u64 (Writer *self, guint64 value)
{
  append_u64 (self, self->records, value);
}

void
put_text (Writer *self, const char *text)
{
  g_byte_array_append (self->records, (const guint8 *) text, strlen (text) + 1);
  append_zeros (self->records, -(self->records->len - self->record_start) & 7);
}

void
put_bytes (Writer *self, gconstpointer bytes, gsize n)
{
  g_byte_array_append (self->records, bytes, n);
}

void
writer_begin (Writer *self, guint32 type, guint16 misc)
{
  self->record_start = self->records->len;
  put_u32 (self, type);
  put_u16 (self, misc);
  put_u16 (self, 0);
}

void
writer_end (Writer *self)
{
  gsize size = self->records->len - self->record_start;
  guint16 value = self->big_endian ? GUINT16_TO_BE (size) : GUINT16_TO_LE (size);

  g_assert (size <= G_MAXUINT16);
  memcpy (self->records->data + self->record_start + 6, &value, 2);
}

void
writer_put_trailer (Writer *self,
                    const WriterAttr *attr,
                    gint32 pid,
                    gint32 tid,
                    guint64 time,
                    guint32 cpu)
{
  guint64 type = attr->sample_type;

  if (type & PERF_SAMPLE_TID)
    {
      put_u32 (self, pid);
      put_u32 (self, tid);
    }
  if (type & PERF_SAMPLE_TIME)
    put_u64 (self, time);
  if (type & PERF_SAMPLE_ID)
    put_u64 (self, attr->ids[0]);
  if (type & PERF_SAMPLE_STREAM_ID)
    put_u64 (self, 0x5555);
  if (type & PERF_SAMPLE_CPU)
    {
      put_u32 (self, cpu);
      put_u32 (self, 0);
    }
  if (type & PERF_SAMPLE_IDENTIFIER)
    put_u64 (self, attr->ids[0]);
}

static guint64
flags_in_file (Writer *self, guint64 flags)
{
  guint8 bytes[8];
  guint64 value;

  if (!self->big_endian)
    return flags;
  for (guint i = 0; i < 8; i++)
    {
      guint8 byte = flags >> i * 8;

      bytes[i] = 0;
      for (guint bit = 0; bit < 8; bit++)
        bytes[i] |= (byte >> bit & 1) << (7 - bit);
    }
  memcpy (&value, bytes, 8);
  /* append_u64() swaps the bytes back. */
  return GUINT64_FROM_BE (value);
}

static void
append_attr (Writer *self, GByteArray *to, const WriterAttr *attr, gsize room)
{
  gsize start = to->len;
  gsize size = attr->size != 0 ? attr->size : ATTR_SIZE;

  append_u32 (self, to, attr->type);
  append_u32 (self, to, size);
  append_u64 (self, to, attr->config);
  append_u64 (self, to, attr->period);
  append_u64 (self, to, attr->sample_type);
  append_u64 (self, to, attr->read_format);
  append_u64 (self, to, flags_in_file (self, attr->flags));
  append_u64 (self, to, 0); /* wakeup, breakpoint type */
  append_u64 (self, to, 0); /* config1 */
  append_u64 (self, to, 0); /* config2 */
  append_u64 (self, to, attr->branch_type);
  append_u64 (self, to, attr->registers);
  append_u32 (self, to, attr->stack);
  append_u32 (self, to, attr->clockid);
  append_u64 (self, to, 0); /* registers at interrupts */
  append_u32 (self, to, 0); /* AUX watermark */
  append_u16 (self, to, attr->max_stack);
  append_u16 (self, to, 0);
  if (to->len - start > size)
    g_byte_array_set_size (to, start + size);
  append_zeros (to, room - (to->len - start));
}

static gsize
get_attr_room (Writer *self)
{
  gsize room = ATTR_SIZE;

  for (guint i = 0; i < self->n_attrs; i++)
    room = MAX (room, self->attrs[i].size);
  return room;
}

static GByteArray *
make_tracing (Writer *self)
{
  GByteArray *to = g_byte_array_new ();
  const char *at = self->formats->str;
  const char *end = at + self->formats->len;
  guint32 n = 0;

  g_byte_array_append (to, (const guint8 *) "\x17\x08\x44tracing0.6\0", 14);
  g_byte_array_append (to, (const guint8 *) (self->big_endian ? "\1" : "\0"), 1);
  g_byte_array_append (to, (const guint8 *) "\x08", 1);
  append_u32 (self, to, 4096);
  g_byte_array_append (to, (const guint8 *) "header_page\0", 12);
  append_u64 (self, to, 3);
  g_byte_array_append (to, (const guint8 *) "abc", 3);
  g_byte_array_append (to, (const guint8 *) "header_event\0", 13);
  append_u64 (self, to, 0);
  append_u32 (self, to, 0);
  for (const char *p = at; p < end; n++)
    {
      p += strlen (p) + 1;
      p += strlen (p) + 1;
    }
  append_u32 (self, to, n);
  while (at < end)
    {
      const char *text = at + strlen (at) + 1;

      g_byte_array_append (to, (const guint8 *) at, strlen (at) + 1);
      append_u32 (self, to, 1);
      append_u64 (self, to, strlen (text));
      g_byte_array_append (to, (const guint8 *) text, strlen (text));
      at = text + strlen (text) + 1;
    }
  append_u32 (self, to, 0); /* no kallsyms */
  append_u32 (self, to, 0); /* no printk formats */
  append_u64 (self, to, 0); /* no names */
  return to;
}

static void
append_command_line (Writer *self, GByteArray *to)
{
  static const char *const usual[] = { "perf", "record", "two words", NULL };
  g_auto (GStrv) own = g_strsplit (self->command_line != NULL ? self->command_line : "", " ", -1);
  const char *const *words = self->command_line != NULL ? (const char *const *) own : usual;

  append_u32 (self, to, g_strv_length ((GStrv) words));
  for (guint i = 0; words[i] != NULL; i++)
    append_string (self, to, words[i]);
}

static GByteArray *
make_feature (Writer *self, guint feature)
{
  GByteArray *to = g_byte_array_new ();

  switch (feature)
    {
    case 1:
      g_byte_array_unref (to);
      return self->formats->len > 0 ? make_tracing (self) : NULL;
    case 2:
      g_byte_array_append (to, self->build_ids->data, self->build_ids->len);
      break;
    case 3:
      append_string (self, to, "testhost");
      break;
    case 4:
      append_string (self, to, "6.1.0-test");
      break;
    case 5:
      append_string (self, to, "6.12");
      break;
    case 6:
      append_string (self, to, "x86_64");
      break;
    case 7:
      append_u32 (self, to, 4);
      append_u32 (self, to, 2);
      break;
    case 11:
      append_command_line (self, to);
      break;
    case 12:
      append_u32 (self, to, self->n_attrs);
      append_u32 (self, to, ATTR_SIZE);
      for (guint i = 0; i < self->n_attrs; i++)
        {
          const WriterAttr *attr = &self->attrs[i];
          WriterAttr same = *attr;

          same.size = 0;
          append_attr (self, to, &same, ATTR_SIZE);
          append_u32 (self, to, attr->n_ids);
          append_string (self, to, attr->name);
          for (guint j = 0; j < attr->n_ids; j++)
            append_u64 (self, to, attr->ids[j]);
        }
      break;
    case 21:
      append_u64 (self, to, self->first_sample);
      append_u64 (self, to, self->last_sample);
      break;
    case 29:
      append_u32 (self, to, 1);
      append_u32 (self, to, 1);
      append_u64 (self, to, G_GUINT64_CONSTANT (1700000000000000000));
      append_u64 (self, to, 5000);
      break;
    default:
      g_byte_array_unref (to);
      return NULL;
    }
  return to;
}

static const guint features[] = { 1, 2, 3, 4, 5, 6, 7, 11, 12, 21, 29 };

static gboolean
has_feature (Writer *self, guint feature)
{
  return self->feature_bits >> feature & 1;
}

/* The kernel's records in pieces of one compressed stream. Pieces do not end where records end. */
static void
append_compressed (Writer *self, GByteArray *to)
{
  ZSTD_CCtx *context = ZSTD_createCCtx ();
  const guint8 *at = self->records->data;
  gsize left = self->records->len;

  while (left > 0)
    {
      gsize n = MIN (left, 977);
      guint8 bytes[8192];
      ZSTD_inBuffer input = { at, n, 0 };
      ZSTD_outBuffer output = { bytes, sizeof bytes, 0 };

      while (ZSTD_compressStream2 (context, &output, &input, ZSTD_e_flush) > 0)
        g_assert (output.pos < sizeof bytes);
      if (self->packing == WRITER_COMPRESSED)
        {
          append_u32 (self, to, 81);
          append_u16 (self, to, 0);
          append_u16 (self, to, 8 + output.pos);
          g_byte_array_append (to, bytes, output.pos);
        }
      else
        {
          append_u32 (self, to, 83);
          append_u16 (self, to, 0);
          append_u16 (self, to, (16 + output.pos + 7) & ~7u);
          append_u64 (self, to, output.pos);
          g_byte_array_append (to, bytes, output.pos);
          append_zeros (to, -output.pos & 7);
        }
      at += n;
      left -= n;
    }
  ZSTD_freeCCtx (context);
}

static void
append_records (Writer *self, GByteArray *to)
{
  if (self->packing == WRITER_PLAIN)
    g_byte_array_append (to, self->records->data, self->records->len);
  else
    append_compressed (self, to);
  append_u32 (self, to, FINISHED_ROUND);
  append_u16 (self, to, 0);
  append_u16 (self, to, 8);
}

static GByteArray *
finish_file (Writer *self)
{
  GByteArray *to = g_byte_array_new ();
  gsize room = get_attr_room (self);
  gsize ids = 104, attrs, data, table;
  g_autoptr (GPtrArray) sections
      = g_ptr_array_new_with_free_func ((GDestroyNotify) g_byte_array_unref);
  guint64 bits = 0, at;

  for (guint i = 0; i < G_N_ELEMENTS (features); i++)
    {
      GByteArray *section
          = has_feature (self, features[i]) ? make_feature (self, features[i]) : NULL;

      if (section == NULL)
        continue;
      bits |= (guint64) 1 << features[i];
      g_ptr_array_add (sections, section);
    }

  append_zeros (to, 104);
  for (guint i = 0; i < self->n_attrs; i++)
    for (guint j = 0; j < self->attrs[i].n_ids; j++)
      append_u64 (self, to, self->attrs[i].ids[j]);
  attrs = to->len;
  for (guint i = 0; i < self->n_attrs; i++)
    {
      append_attr (self, to, &self->attrs[i], room);
      append_u64 (self, to, ids);
      append_u64 (self, to, self->attrs[i].n_ids * 8);
      ids += self->attrs[i].n_ids * 8;
    }
  data = to->len;
  append_records (self, to);
  table = to->len;
  at = table + sections->len * 16;
  for (guint i = 0; i < sections->len; i++)
    {
      GByteArray *section = g_ptr_array_index (sections, i);

      append_u64 (self, to, at);
      append_u64 (self, to, section->len);
      at += section->len;
    }
  for (guint i = 0; i < sections->len; i++)
    {
      GByteArray *section = g_ptr_array_index (sections, i);

      g_byte_array_append (to, section->data, section->len);
    }

  {
    g_autoptr (GByteArray) header = g_byte_array_new ();

    g_byte_array_append (header, (const guint8 *) (self->big_endian ? "2ELIFREP" : "PERFILE2"), 8);
    append_u64 (self, header, 104);
    append_u64 (self, header, room + 16);
    append_u64 (self, header, attrs);
    append_u64 (self, header, self->n_attrs * (room + 16));
    append_u64 (self, header, data);
    append_u64 (self, header, self->no_data_size ? 0 : table - data);
    append_u64 (self, header, 0);
    append_u64 (self, header, 0);
    append_u64 (self, header, bits);
    append_zeros (header, 24);
    memcpy (to->data, header->data, 104);
  }
  return to;
}

static GByteArray *
finish_pipe (Writer *self)
{
  GByteArray *to = g_byte_array_new ();

  g_byte_array_append (to, (const guint8 *) (self->big_endian ? "2ELIFREP" : "PERFILE2"), 8);
  append_u64 (self, to, 16);
  for (guint i = 0; i < self->n_attrs; i++)
    {
      gsize size = self->attrs[i].size != 0 ? self->attrs[i].size : ATTR_SIZE;

      append_u32 (self, to, 64);
      append_u16 (self, to, 0);
      append_u16 (self, to, 8 + size + self->attrs[i].n_ids * 8);
      append_attr (self, to, &self->attrs[i], size);
      for (guint j = 0; j < self->attrs[i].n_ids; j++)
        append_u64 (self, to, self->attrs[i].ids[j]);
    }
  for (guint i = 0; i < G_N_ELEMENTS (features); i++)
    {
      g_autoptr (GByteArray) section
          = has_feature (self, features[i]) ? make_feature (self, features[i]) : NULL;

      if (section == NULL || features[i] == 2)
        continue;
      if (features[i] == 1)
        {
          append_u32 (self, to, 66);
          append_u16 (self, to, 0);
          append_u16 (self, to, 12);
          append_u32 (self, to, section->len);
          g_byte_array_append (to, section->data, section->len);
          append_zeros (to, -section->len & 7);
          continue;
        }
      append_u32 (self, to, 80);
      append_u16 (self, to, 0);
      append_u16 (self, to, (16 + section->len + 7) & ~7u);
      append_u64 (self, to, features[i]);
      g_byte_array_append (to, section->data, section->len);
      append_zeros (to, -section->len & 7);
    }
  append_records (self, to);
  /* perf writes these sections last. */
  if (has_feature (self, 2))
    g_byte_array_append (to, self->build_ids->data, self->build_ids->len);
  return to;
}

GByteArray *
writer_finish (Writer *self)
{
  return self->mode == WRITER_FILE ? finish_file (self) : finish_pipe (self);
}
