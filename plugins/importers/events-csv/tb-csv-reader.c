/* tb-csv-reader.c: reader of comma-separated text (RFC 4180), one record at a time
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#include "config.h"

#include "tb-csv-reader.h"

#include <glib/gi18n-lib.h>
#include <string.h>

#include "extend/options/tb-option.h"

#define READ_LENGTH ((gsize) 256 << 10)

void
tb_csv_reader_init (TbCsvReader *self, GInputStream *stream)
{
  *self = (TbCsvReader) { .stream = g_object_ref (stream), .next_line = 1 };
  self->capacity = 2 * READ_LENGTH;
  self->buffer = g_malloc (self->capacity);
}

void
tb_csv_reader_clear (TbCsvReader *self)
{
  g_clear_object (&self->stream);
  g_clear_pointer (&self->buffer, g_free);
}

guint64
tb_csv_reader_get_position (const TbCsvReader *self)
{
  return self->consumed + self->position;
}

/* Reads more bytes after those in the buffer. Returns FALSE on failure; sets at_end if there are no
 * more. */
static gboolean
fill (TbCsvReader *self, GCancellable *cancellable, GError **error)
{
  gssize n;

  if (self->position > 0)
    {
      memmove (self->buffer, self->buffer + self->position, self->end - self->position);
      self->consumed += self->position;
      self->end -= self->position;
      self->position = 0;
    }
  if (self->capacity - self->end < READ_LENGTH)
    {
      self->capacity *= 2;
      self->buffer = g_realloc (self->buffer, self->capacity);
    }
  n = g_input_stream_read (self->stream, self->buffer + self->end, READ_LENGTH, cancellable, error);
  if (n < 0)
    return FALSE;
  self->at_end = n == 0;
  self->end += n;
  return TRUE;
}

static guint
count_quotes (const char *text, gsize length)
{
  guint n = 0;

  for (const char *end = text + length; (text = memchr (text, '"', end - text)) != NULL; text++)
    n++;
  return n;
}

/* Finds the end of the record at position: the first line end outside quotes. *length excludes the
 * line end; *lines is the number of lines of the record. */
static TbCsvResult
find_end (TbCsvReader *self, gsize *length, guint *lines, GCancellable *cancellable, GError **error)
{
  gsize scanned = 0;
  guint quotes = 0;

  *lines = 0;
  for (;;)
    {
      gsize available = self->end - self->position;
      const char *record = self->buffer + self->position;
      const char *newline
          = available > scanned ? memchr (record + scanned, '\n', available - scanned) : NULL;

      if (newline == NULL)
        {
          if (available > TB_CSV_MAX_RECORD)
            {
              g_set_error (
                  error, TB_EXTEND_ERROR, TB_EXTEND_ERROR_INPUT,
                  _ ("expected a line of at most %u bytes (or a quoted cell is not closed)"),
                  (guint) TB_CSV_MAX_RECORD);
              return TB_CSV_ERROR;
            }
          if (!self->at_end)
            {
              if (!fill (self, cancellable, error))
                return TB_CSV_ERROR;
              continue;
            }
          *length = available;
          self->terminated = FALSE;
          if (available > 0 && record[0] != '#')
            quotes += count_quotes (record + scanned, available - scanned);
          if (quotes % 2 == 0)
            return available == 0 ? TB_CSV_END : TB_CSV_RECORD;
          if (*lines == 0)
            return TB_CSV_CUT;
          self->terminated = TRUE; /* a stray quote, not a truncated file: other lines follow it */
          g_set_error_literal (
              error, TB_EXTEND_ERROR, TB_EXTEND_ERROR_INPUT,
              _ ("expected a closing quote: a quoted cell that begins here has none"));
          return TB_CSV_ERROR;
        }
      *lines += 1;
      if (record[0] != '#')
        quotes += count_quotes (record + scanned, newline - record - scanned);
      scanned = newline + 1 - record;
      if (quotes % 2 == 0)
        {
          *length = newline - record;
          self->terminated = TRUE;
          return *length > TB_CSV_MAX_RECORD ? TB_CSV_ERROR : TB_CSV_RECORD;
        }
    }
}

/* Removes the quotes of a cell in place. text points after the opening quote. Returns the position
 * after the closing one. */
static char *
unquote (char *text, const char *end, TbCsvCell *cell)
{
  char *to = text;

  cell->text = text;
  for (;;)
    {
      char *quote = memchr (text, '"', end - text);
      gsize length;

      if (quote == NULL)
        return NULL;
      length = quote - text;
      memmove (to, text, length);
      to += length;
      text = quote + 1;
      if (text == end || *text != '"')
        break;
      *to++ = '"';
      text++;
    }
  cell->length = to - cell->text;
  return text;
}

static gboolean
split (TbCsvReader *self, char *text, gsize length, GError **error)
{
  char *end = text + length;

  self->n_cells = 0;
  for (;;)
    {
      TbCsvCell *cell = &self->cells[self->n_cells];
      char *start = text;

      if (self->n_cells == TB_CSV_MAX_CELLS)
        {
          g_set_error (error, TB_EXTEND_ERROR, TB_EXTEND_ERROR_INPUT,
                       _ ("expected at most %d cells"), TB_CSV_MAX_CELLS);
          return FALSE;
        }
      self->n_cells++;
      if (text < end && *text == '"')
        {
          text = unquote (text + 1, end, cell);
          if (text == NULL || (text < end && *text != ','))
            {
              g_set_error (error, TB_EXTEND_ERROR, TB_EXTEND_ERROR_INPUT,
                           _ ("expected a comma after the closing quote of cell %u"),
                           self->n_cells);
              return FALSE;
            }
        }
      else
        {
          while (text < end && *text != ',' && *text != '"')
            text++;
          if (text < end && *text == '"')
            {
              g_set_error (
                  error, TB_EXTEND_ERROR, TB_EXTEND_ERROR_INPUT,
                  _ ("expected cell %u to be quoted as a whole, because it has a quote in it"),
                  self->n_cells);
              return FALSE;
            }
          *cell = (TbCsvCell) { start, text - start };
        }
      if (text == end)
        return TRUE;
      text++;
    }
}

static gboolean
is_text (const char *text, gsize length)
{
  guint8 high = 0;

  for (gsize i = 0; i < length; i++)
    high |= (guint8) text[i];
  if (high < 0x80)
    return memchr (text, '\0', length) == NULL;
  return g_utf8_validate_len (text, length, NULL);
}

TbCsvResult
tb_csv_reader_next (TbCsvReader *self, GCancellable *cancellable, GError **error)
{
  for (;;)
    {
      TbCsvResult result;
      gsize length;
      guint lines;
      char *record;

      self->line = self->next_line;
      result = find_end (self, &length, &lines, cancellable, error);
      if (result == TB_CSV_ERROR && error != NULL && *error == NULL)
        g_set_error (error, TB_EXTEND_ERROR, TB_EXTEND_ERROR_INPUT,
                     _ ("expected a line of at most %u bytes"), (guint) TB_CSV_MAX_RECORD);
      if (result != TB_CSV_RECORD)
        return result;
      record = self->buffer + self->position;
      self->position += length + (self->terminated ? 1 : 0);
      self->next_line += lines;
      if (self->line == 1 && length >= 3 && memcmp (record, "\xef\xbb\xbf", 3) == 0)
        {
          record += 3;
          length -= 3;
        }
      if (length > 0 && record[length - 1] == '\r')
        length--;
      if (length == 0)
        continue;
      if (record[0] == '#')
        {
          if (self->comment != NULL)
            self->comment (record, length, self->comment_data);
          continue;
        }
      if (!is_text (record, length))
        {
          g_set_error_literal (error, TB_EXTEND_ERROR, TB_EXTEND_ERROR_INPUT,
                               _ ("expected text in UTF-8"));
          return TB_CSV_ERROR;
        }
      return split (self, record, length, error) ? TB_CSV_RECORD : TB_CSV_ERROR;
    }
}
