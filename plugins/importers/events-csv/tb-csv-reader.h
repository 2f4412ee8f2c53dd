/* tb-csv-reader.h: reader of comma-separated text (RFC 4180), one record at a time
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#pragma once

#include <gio/gio.h>

G_BEGIN_DECLS

#define TB_CSV_MAX_RECORD ((gsize) 1 << 20)
#define TB_CSV_MAX_CELLS 32

typedef struct
{
  const char *text; /* not terminated */
  guint length;
} TbCsvCell;

typedef enum
{
  TB_CSV_RECORD,
  TB_CSV_END,
  TB_CSV_CUT, /* the input ends within a quoted cell */
  TB_CSV_ERROR,
} TbCsvResult;

typedef struct
{
  GInputStream *stream;
  char *buffer;
  gsize capacity;
  gsize position; /* of the next record in the buffer */
  gsize end;
  guint64 consumed; /* number of bytes before the buffer */
  guint64 next_line;
  gboolean at_end;

  guint64 line;        /* first line of the record, from 1 */
  gboolean terminated; /* whether the record ended with a line end */
  TbCsvCell cells[TB_CSV_MAX_CELLS];
  guint n_cells;

  /* Called with each line that begins with #. The text is not terminated. May be NULL. */
  void (*comment) (const char *text, gsize length, gpointer data);
  gpointer comment_data;
} TbCsvReader;

void tb_csv_reader_init (TbCsvReader *self, GInputStream *stream);
void tb_csv_reader_clear (TbCsvReader *self);
/* Reads the next record to self->cells, which are valid until the next call. Empty lines and lines
 * that begin with # are skipped. Errors are TB_EXTEND_ERROR_INPUT or those of the stream;
 * self->line is the line of the error. */
TbCsvResult tb_csv_reader_next (TbCsvReader *self, GCancellable *cancellable, GError **error);
guint64 tb_csv_reader_get_position (const TbCsvReader *self);

G_END_DECLS
