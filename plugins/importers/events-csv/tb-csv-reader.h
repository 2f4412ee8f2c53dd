/* tb-csv-reader.h: records of comma-separated text (RFC 4180), one at a time
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
  gsize position; /* of the next record */
  gsize end;
  guint64 consumed; /* bytes before the buffer */
  guint64 next_line;
  gboolean at_end;

  guint64 line;        /* on which the record begins, from 1 */
  gboolean terminated; /* whether a line end stood behind it */
  TbCsvCell cells[TB_CSV_MAX_CELLS];
  guint n_cells;

  /* Called with each line that begins with #, which is not terminated; NULL: nobody wants to know. */
  void (*comment) (const char *text, gsize length, gpointer data);
  gpointer comment_data;
} TbCsvReader;

void tb_csv_reader_init (TbCsvReader *self, GInputStream *stream);
void tb_csv_reader_clear (TbCsvReader *self);
/* The next record in self->cells, valid until the next call. Empty lines and those that begin with # are skipped. Errors
 * are of TB_EXTEND_ERROR_INPUT and of the stream; self->line says where. */
TbCsvResult tb_csv_reader_next (TbCsvReader *self, GCancellable *cancellable, GError **error);
guint64 tb_csv_reader_get_position (const TbCsvReader *self);

G_END_DECLS
