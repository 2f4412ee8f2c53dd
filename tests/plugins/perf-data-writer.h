/* perf-data-writer.h: writer of perf.data files byte by byte, in either byte order, as file or
 * stream, plain or compressed
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#pragma once

#include <glib.h>

G_BEGIN_DECLS

typedef enum
{
  WRITER_FILE,
  WRITER_PIPE,
} WriterMode;

typedef enum
{
  WRITER_PLAIN,
  WRITER_COMPRESSED,
  WRITER_COMPRESSED2,
} WriterPacking;

typedef struct
{
  guint32 type;
  guint64 config;
  guint64 period;
  guint64 sample_type;
  guint64 read_format;
  guint64 flags; /* as on a little-endian machine */
  guint64 branch_type;
  guint64 registers;
  guint32 stack;
  gint32 clockid;
  guint16 max_stack;
  guint32 size; /* of the attribute, 0: 136 */
  const char *name;
  guint64 ids[4];
  guint n_ids;
} WriterAttr;

typedef struct
{
  gboolean big_endian;
  WriterMode mode;
  WriterPacking packing;
  WriterAttr attrs[16];
  guint n_attrs;
  GByteArray *records; /* of the kernel */
  GByteArray *tracing; /* the "tracing data" section, NULL: none */
  GByteArray *build_ids;
  GString *formats;     /* "system\ntext\0" each */
  guint64 feature_bits; /* which of the sections below are written */
  gsize record_start;
  guint64 first_sample;
  guint64 last_sample;
  guint64 traced_period; /* of samples of tracepoints, 0: 1 */
  gboolean no_data_size;
  const char *command_line; /* words of perf's command line, separated by spaces */
} Writer;

Writer *writer_new (gboolean big_endian, WriterMode mode, WriterPacking packing);
void writer_free (Writer *self);
G_DEFINE_AUTOPTR_CLEANUP_FUNC (Writer, writer_free)

WriterAttr *writer_add_attr (Writer *self,
                             guint32 type,
                             guint64 config,
                             guint64 period,
                             guint64 sample_type,
                             const char *name);
/* Adds a tracepoint's format, as the kernel writes it. */
void writer_add_format (Writer *self, const char *system, const char *text);
void writer_add_build_id (Writer *self, const char *path, guint8 fill);

/* Append a number to the records, in the byte order of the file. */
void put_u8 (Writer *self, guint8 value);
void put_u16 (Writer *self, guint16 value);
void put_u32 (Writer *self, guint32 value);
void put_u64 (Writer *self, guint64 value);
void put_text (Writer *self, const char *text); /* with its NUL, padded to 8 bytes */
void put_bytes (Writer *self, gconstpointer bytes, gsize n);

void writer_begin (Writer *self, guint32 type, guint16 misc);
void writer_end (Writer *self);
/* Fields that identify records other than samples, at their end: pid/tid, time, cpu, id, as in
 * sample_type. */
void writer_put_trailer (Writer *self,
                         const WriterAttr *attr,
                         gint32 pid,
                         gint32 tid,
                         guint64 time,
                         guint32 cpu);

/* Returns the whole file. */
GByteArray *writer_finish (Writer *self);

G_END_DECLS
