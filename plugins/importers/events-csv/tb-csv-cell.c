/* tb-csv-cell.c: a cell of comma-separated text: comparison, parsing as a number, quoting for error
 * messages
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#include "config.h"

#include "tb-csv-cell.h"

#include <string.h>

gboolean
tb_csv_cell_equals (const TbCsvCell *cell, const char *text)
{
  return strlen (text) == cell->length && memcmp (text, cell->text, cell->length) == 0;
}

char *
tb_csv_cell_quote (const TbCsvCell *cell)
{
  g_autofree char *text = g_strndup (cell->text, MIN (cell->length, 40));
  g_autofree char *valid = g_utf8_make_valid (text, -1);
  g_autofree char *escaped = g_strescape (valid, NULL);

  return g_strdup_printf ("“%s%s”", escaped, cell->length > 40 ? "…" : "");
}

gboolean
tb_csv_cell_parse (const TbCsvCell *cell, guint64 *value)
{
  const char *text = cell->text;
  guint length = cell->length;
  guint64 number = 0;

  if (length == 0 || length > 20)
    return FALSE;
  for (guint i = 0; i < length; i++)
    {
      guint digit = (guint8) text[i] - (guint) '0';

      if (digit > 9
          || (length == 20
              && (__builtin_mul_overflow (number, 10, &number)
                  || __builtin_add_overflow (number, digit, &number))))
        return FALSE;
      if (length < 20)
        number = number * 10 + digit;
    }
  *value = number;
  return TRUE;
}
