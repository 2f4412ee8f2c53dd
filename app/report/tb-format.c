/* tb-format.c: durations, times, shares, sizes, counts and amounts as user-visible text
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#include "config.h"

#include <inttypes.h>
#include <limits.h>
#include <locale.h>
#include <math.h>

#include <glib/gi18n-lib.h>

#include "report/tb-format-private.h"
#include "base/tb-base.h"
#include "report/tb-format.h"

/* Three significant digits, without trailing zeros after the decimal point. */
static char *
format_three_digits (double value, const char *unit)
{
  int decimals = value < 9.995 ? 2 : value < 99.95 ? 1 : 0;
  double scale = decimals == 2 ? 100 : decimals == 1 ? 10 : 1;

  value = round (value * scale) / scale;
  while (decimals > 0 && fabs (value * scale - round (value * scale / 10) * 10) < 0.5)
    {
      decimals--;
      scale /= 10;
    }
  return g_strdup_printf ("%.*f %s", decimals, value, unit);
}

/**
 * tb_format_duration:
 * @ns: a duration, or %TB_TIME_NONE
 *
 * Formats a duration with three digits.
 *
 * Returns: (transfer full): the duration as user-visible text: "850 ns", "12.5 ms", "2 min 5 s";
 *   "—" if it is unknown
 */
char *
tb_format_duration (gint64 ns)
{
  g_autofree char *size = NULL;
  guint64 length;
  guint64 seconds;

  if (ns == TB_TIME_NONE)
    return g_strdup ("—");
  if (ns < 0)
    {
      size = tb_format_duration (ns == G_MININT64 ? G_MAXINT64 : -ns);
      return g_strconcat ("−", size, NULL);
    }
  length = ns;
  if (length < 1000)
    return g_strdup_printf ("%" G_GUINT64_FORMAT " ns", length);
  if (length < 999500)
    return format_three_digits (length / 1e3, "µs");
  if (length < 999500000)
    return format_three_digits (length / 1e6, "ms");
  if (length < G_GUINT64_CONSTANT (60000000000))
    return format_three_digits (length / 1e9, "s");
  seconds = (length + 500000000) / 1000000000;
  if (seconds < 3600)
    return seconds % 60 ? g_strdup_printf ("%" G_GUINT64_FORMAT " min %u s", seconds / 60,
                                           (guint) (seconds % 60))
                        : g_strdup_printf ("%" G_GUINT64_FORMAT " min", seconds / 60);
  seconds = (seconds + 30) / 60;
  return seconds % 60 ? g_strdup_printf ("%" G_GUINT64_FORMAT " h %u min", seconds / 60,
                                         (guint) (seconds % 60))
                      : g_strdup_printf ("%" G_GUINT64_FORMAT " h", seconds / 60);
}

/**
 * tb_format_share:
 * @share: 0…1, or NaN
 *
 * Formats a share as a percentage.
 *
 * Returns: (transfer full): the share as user-visible text: "31 %", "2.4 %"; "—" if it is unknown.
 *   A small share does not become "0 %", a share just below the whole does not become "100 %".
 */
char *
tb_format_share (double share)
{
  double percent = fabs (share) * 100;
  const char *sign = share < 0 ? "−" : "";

  if (!isfinite (share))
    return g_strdup ("—");
  if (percent == 0)
    return g_strdup ("0 %");
  if (percent < 0.01)
    return g_strdup_printf ("%s<%.2f %%", sign, 0.01);
  if (percent < 0.0995)
    return g_strdup_printf ("%s%.2f %%", sign, percent);
  if (percent > 99.5 && percent < 100)
    return g_strdup_printf ("%s%.1f %%", sign, MIN (percent, 99.9));
  if (percent < 9.95 && fabs (percent - round (percent)) >= 0.05)
    return g_strdup_printf ("%s%.1f %%", sign, percent);
  return g_strdup_printf ("%s%.0f %%", sign, percent);
}

/**
 * tb_format_bytes:
 * @bytes: a size
 *
 * Formats a size.
 *
 * Returns: (transfer full): the size as user-visible text: "512 B", "1.5 MiB"
 */
char *
tb_format_bytes (guint64 bytes)
{
  static const char *const units[] = { "KiB", "MiB", "GiB", "TiB", "PiB", "EiB" };
  double size = bytes / 1024.0;
  guint unit = 0;

  if (bytes < 1024)
    return g_strdup_printf ("%u B", (guint) bytes);
  while (size >= 1023.5 && unit + 1 < G_N_ELEMENTS (units))
    {
      size /= 1024;
      unit++;
    }
  return format_three_digits (size, units[unit]);
}

/* Groups are counted from the last digit. The last group size in grouping is repeated. */
char *
tb_format_grouped (guint64 count, const char *separator, const char *grouping)
{
  g_autofree char *digits = g_strdup_printf ("%" PRIu64, count);
  gsize n = strlen (digits), room = n * (strlen (separator) + 1) + 1, at = room - 1;
  char *text = g_malloc (room);
  int in_group = 0;

  text[at] = '\0';
  while (n > 0)
    {
      if (*separator != '\0' && *grouping > 0 && *grouping != CHAR_MAX && in_group == *grouping)
        {
          at -= strlen (separator);
          memcpy (text + at, separator, strlen (separator));
          in_group = 0;
          if (grouping[1] != '\0')
            grouping++;
        }
      text[--at] = digits[--n];
      in_group++;
    }
  memmove (text, text + at, room - at);
  return text;
}

/**
 * tb_format_count:
 * @count: a count
 *
 * Formats a count.
 *
 * Returns: (transfer full): the count as user-visible text, with the thousands separators of the
 *   locale: "1,234,567". Do not use it for numbers that are names, such as a PID, or for output
 *   that programs read.
 */
char *
tb_format_count (guint64 count)
{
  const struct lconv *locale = localeconv ();
  g_autofree char *separator = g_locale_to_utf8 (locale->thousands_sep, -1, NULL, NULL, NULL);

  return tb_format_grouped (count, separator != NULL ? separator : "", locale->grouping);
}

/* Units with a singular form of their own. */
static char *
format_counted (guint64 amount, const char *count, const char *unit)
{
  gulong n = (gulong) MIN (amount, (guint64) G_MAXULONG);

  if (strcmp (unit, "calls") == 0)
    return g_strdup_printf (ngettext ("%s call", "%s calls", n), count);
  if (strcmp (unit, "units") == 0)
    return g_strdup_printf (ngettext ("%s unit", "%s units", n), count);
  if (strcmp (unit, "samples") == 0)
    return g_strdup_printf (ngettext ("%s sample", "%s samples", n), count);
  if (strcmp (unit, "events") == 0)
    return g_strdup_printf (ngettext ("%s event", "%s events", n), count);
  return g_strdup_printf ("%s %s", count, unit);
}

/**
 * tb_format_amount:
 * @amount: an amount
 * @unit: unit of the amount: "ns", "bytes", or the things that are counted
 *
 * Formats an amount with its unit, in the language of the user.
 *
 * Returns: (transfer full): the amount as user-visible text: "12.5 ms", "1.5 MiB", "1,234 calls",
 *   "1 call"
 */
char *
tb_format_amount (guint64 amount, const char *unit)
{
  g_autofree char *count = NULL;

  g_return_val_if_fail (unit != NULL, NULL);

  if (strcmp (unit, "ns") == 0)
    return tb_format_duration ((gint64) MIN (amount, (guint64) G_MAXINT64));
  if (strcmp (unit, "bytes") == 0)
    return tb_format_bytes (amount);
  count = tb_format_count (amount);
  return *unit != '\0' ? format_counted (amount, count, unit) : g_steal_pointer (&count);
}

/**
 * tb_format_time_in:
 * @time: a time since the start of the recording, ns
 * @unit: unit of the text, in ns: that of a nanosecond, microsecond, millisecond or second
 * @decimals: number of digits after the decimal point
 *
 * Formats a time since the start of the recording in a given unit, so that several times can stand
 * one below another.
 *
 * Returns: (transfer full): the time in that unit: "160.2 ms"
 */
char *
tb_format_time_in (gint64 time, gint64 unit, guint decimals)
{
  const char *name = unit == 1         ? _ ("ns")
                     : unit == 1000    ? _ ("µs")
                     : unit == 1000000 ? _ ("ms")
                                       : _ ("s");

  return g_strdup_printf ("%.*f\u00a0%s", (int) decimals, (double) time / (double) unit, name);
}

/**
 * tb_format_time:
 * @time: a time since the start of the recording, ns
 * @resolution: smallest difference that is shown, ns: digits below it are left out
 *
 * Formats a time since the start of the recording.
 *
 * Returns: (transfer full): the time as user-visible text: "160.2 ms"
 */
char *
tb_format_time (gint64 time, gint64 resolution)
{
  guint64 size = time < 0 ? -(guint64) time : (guint64) time;
  gint64 unit = 1, part;
  guint decimals = 0;

  while (unit < 1000000000 && size >= (guint64) unit * 1000)
    unit *= 1000;
  resolution = MAX (resolution, 1);
  for (part = unit; part > 1 && part > resolution; part /= 10)
    decimals++;
  return tb_format_time_in (time, unit, decimals);
}
