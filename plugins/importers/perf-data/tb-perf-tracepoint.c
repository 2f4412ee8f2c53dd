/* tb-perf-tracepoint.c: set-up of each tracepoint of a perf.data file: function that converts its
 * records (from tb-perf-kernel-events, tb-perf-network or tb-perf-file-locks) and fields that it
 * reads; records of all others become marks with their fields as text
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#include "config.h"

#include "tb-perf-tracepoint.h"

#include <linux/perf_event.h>

#include "tb-perf-file-locks.h"
#include "tb-perf-import-private.h"
#include "tb-perf-network.h"

#define MAX_VALUE_TEXT 480 /* limit for all fields of a mark together */
#define MAX_ARRAY_TEXT 16

TbPerfTracepoint *
tb_perf_tracepoint_new (const TbPerfFormat *format,
                        TbPerfHandler handler,
                        const char *const *names,
                        guint8 kind,
                        guint8 code)
{
  TbPerfTracepoint *self = g_new0 (TbPerfTracepoint, 1);

  self->format = format;
  self->handler = handler;
  self->kind = kind;
  self->code = code;
  self->irq_flags = tb_perf_format_find (format, "common_flags");
  self->task = tb_perf_format_find (format, "common_pid");
  for (guint i = 0; names != NULL && i < TB_PERF_MAX_FIELDS && names[i] != NULL; i++)
    self->fields[i] = tb_perf_format_find (format, names[i]);
  return self;
}

/* The formatted output of the C library takes ten times as long, and there may be a number for each
 * of millions of records. */
static void
append_decimal (GString *text, gint64 number, gboolean is_signed)
{
  char digits[24];
  char *end = digits + sizeof digits, *at = end;
  gboolean is_negative = is_signed && number < 0;
  guint64 rest = is_negative ? -(guint64) number : (guint64) number;

  do
    *--at = (char) ('0' + rest % 10);
  while ((rest /= 10) > 0);
  if (is_negative)
    *--at = '-';
  g_string_append_len (text, at, end - at);
}

static void
append_number (const TbPerfField *field, GString *text, const guint8 *at, guint size, gboolean swap)
{
  TbPerfField value = { .size = size, .is_signed = field->is_signed };
  gint64 number = tb_perf_field_get_number (&value, at, size, swap);

  if (field->is_pointer)
    g_string_append_printf (text, "0x%" G_GINT64_MODIFIER "x", (guint64) number);
  else
    append_decimal (text, number, field->is_signed);
}

static void
append_field (const TbPerfField *field, GString *text, const guint8 *raw, gsize size, gboolean swap)
{
  const guint8 *bytes;
  gsize length;

  switch ((TbPerfFieldKind) field->kind)
    {
    case TB_PERF_FIELD_TEXT:
    case TB_PERF_FIELD_LOCATED_TEXT:
      bytes = (const guint8 *) tb_perf_field_get_text (field, raw, size, swap, &length);
      if (bytes != NULL)
        g_string_append_len (text, (const char *) bytes, length);
      break;
    case TB_PERF_FIELD_ARRAY:
    case TB_PERF_FIELD_LOCATED_ARRAY:
      bytes = tb_perf_field_get_bytes (field, raw, size, swap, &length);
      for (gsize i = 0; bytes != NULL && i < MIN (length / field->element, MAX_ARRAY_TEXT); i++)
        {
          if (i > 0)
            g_string_append_c (text, ',');
          append_number (field, text, bytes + i * field->element, field->element, swap);
        }
      break;
    case TB_PERF_FIELD_NUMBER:
    default:
      if ((guint64) field->offset + field->size <= size)
        append_number (field, text, raw + field->offset, field->size, swap);
      break;
    }
}

const char *
tb_perf_tracepoint_format_fields (const TbPerfTracepoint *self,
                                  GString *text,
                                  const guint8 *raw,
                                  gsize size,
                                  gboolean swap)
{
  g_string_truncate (text, 0);
  for (guint i = 0; i < self->format->fields->len && text->len < MAX_VALUE_TEXT; i++)
    {
      const TbPerfField *field = &g_array_index (self->format->fields, TbPerfField, i);

      if (field->label == NULL)
        continue;
      if (text->len > 0)
        g_string_append_c (text, ' ');
      g_string_append (text, field->label);
      append_field (field, text, raw, size, swap);
    }
  if (text->len > MAX_VALUE_TEXT)
    g_string_truncate (text, MAX_VALUE_TEXT);
  return text->str;
}

void
tb_perf_tracepoint_add_mark (const TbPerfTracepoint *self,
                             TbPerfImport *import,
                             const guint8 *raw,
                             gsize size,
                             TbEvent *event)
{
  event->kind = TB_EVENT_MARK;
  event->text = self->text;
  tb_perf_tracepoint_format_fields (self, import->text, raw, size, import->swap);
  event->text2 = tb_recorder_intern_string (import->recorder, import->text->str, import->text->len);
  tb_perf_import_add (import, event);
}

static TbPerfTracepoint *
make_tracepoint (TbPerfImport *import, const TbPerfFormat *format)
{
  TbPerfTracepoint *self = tb_perf_tracepoint_new_known (import, format);

  if (self == NULL)
    self = tb_perf_tracepoint_new_network (import, format);
  if (self == NULL)
    self = tb_perf_tracepoint_new_file_lock (import, format);
  if (self == NULL)
    {
      g_autofree char *name = g_strdup_printf ("%s:%s", format->system, format->name);

      self = tb_perf_tracepoint_new (format, tb_perf_tracepoint_add_mark, NULL, TB_EVENT_MARK, 0);
      self->text = tb_recorder_intern_string (import->recorder, name, -1);
    }
  return self;
}

static void
set_presence (TbPerfImport *import, const TbPerfFormat *format)
{
  import->has_switch |= g_str_equal (format->name, "sched_switch");
  import->has_waking |= g_str_equal (format->name, "sched_waking");
  import->has_raw_syscalls |= g_str_equal (format->system, "raw_syscalls");
  import->has_send |= g_str_equal (format->name, "sock_send_length");
  import->has_probe |= g_str_equal (format->name, "tcp_probe");
  tb_perf_file_locks_set_presence (import, format);
  tb_perf_tracepoint_note_return (import, format);
  import->has_arrival |= g_str_equal (format->name, "sk_data_ready")
                         || g_str_equal (format->name, "tcp_probe")
                         || g_str_equal (format->name, "sock_recv_length");
}

void
tb_perf_tracepoints_prepare (TbPerfImport *import)
{
  TbPerfFile *file = import->file;

  import->tracepoints = g_ptr_array_new_with_free_func (g_free);
  for (guint pass = 0; pass < 2; pass++)
    for (guint i = 0; i < file->attrs->len; i++)
      {
        TbPerfAttr *attr = tb_perf_file_get_attr (file, i);
        const TbPerfFormat *format;

        if (attr->type != PERF_TYPE_TRACEPOINT)
          continue;
        format = tb_perf_formats_find (file->formats, attr->config);
        if (format == NULL)
          continue;
        if (pass == 0)
          {
            set_presence (import, format);
            continue;
          }
        attr->tracepoint = make_tracepoint (import, format);
        g_ptr_array_add (import->tracepoints, attr->tracepoint);
      }
}
