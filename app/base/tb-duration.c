/* tb-duration.c: parser of durations with units, such as "1.5 ms", into ns
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#include "config.h"

#include <string.h>

#include "base/tb-duration.h"

static const struct
{
  const char *suffix;
  gint64 ns;
} units[] = {
  { "ns", 1 },
  { "us", G_GINT64_CONSTANT (1000) },
  { "µs", G_GINT64_CONSTANT (1000) }, /* micro sign */
  { "μs", G_GINT64_CONSTANT (1000) }, /* Greek mu */
  { "ms", G_GINT64_CONSTANT (1000000) },
  { "s", G_GINT64_CONSTANT (1000000000) },
  { "min", G_GINT64_CONSTANT (60000000000) },
  { "h", G_GINT64_CONSTANT (3600000000000) },
};

static gint64
get_unit (const char *suffix)
{
  for (guint i = 0; i < G_N_ELEMENTS (units); i++)
    if (strcmp (suffix, units[i].suffix) == 0)
      return units[i].ns;
  return 0;
}

/* The digits after the decimal point, in ns. What is finer than 1 ns is cut off. */
static gint64
parse_fraction (const char **cursor, gint64 unit)
{
  gint64 ns = 0;
  gint64 place = unit;

  for (; g_ascii_isdigit (**cursor); (*cursor)++)
    {
      /* 60 s and 3600 s are not powers of ten. In ns they are multiples of ten at every place but
       * the last ones. */
      place /= 10;
      ns += place * (**cursor - '0');
    }
  return ns;
}

/**
 * tb_duration_parse:
 * @text: a number with a unit, such as "250us", "1.5 ms", "2s", "3min", or an integer of ns
 *   without a unit
 * @ns: (out): the duration
 *
 * Parses a duration independently of the locale.
 *
 * Returns: whether @text is a duration, else the kind of error
 */
TbDurationError
tb_duration_parse (const char *text, gint64 *ns)
{
  const char *cursor = text;
  const char *fraction = NULL;
  const char *suffix;
  guint64 whole = 0;
  gint64 unit;

  g_return_val_if_fail (text != NULL && ns != NULL, TB_DURATION_MALFORMED);

  if (!g_ascii_isdigit (*cursor))
    return TB_DURATION_MALFORMED;
  for (; g_ascii_isdigit (*cursor); cursor++)
    if (!g_uint64_checked_mul (&whole, whole, 10)
        || !g_uint64_checked_add (&whole, whole, (guint64) (*cursor - '0')))
      return TB_DURATION_TOO_LONG;
  if (*cursor == '.')
    {
      fraction = ++cursor;
      if (!g_ascii_isdigit (*cursor))
        return TB_DURATION_MALFORMED;
      while (g_ascii_isdigit (*cursor))
        cursor++;
    }
  suffix = cursor;
  while (*suffix == ' ')
    suffix++;
  unit = *suffix == '\0' && !fraction ? 1 : get_unit (suffix);
  if (unit == 0)
    return TB_DURATION_MALFORMED;
  if (whole > (guint64) (G_MAXINT64 / unit) - 1)
    return TB_DURATION_TOO_LONG;
  *ns = (gint64) whole * unit;
  if (fraction)
    *ns += parse_fraction (&fraction, unit);
  return TB_DURATION_OK;
}
