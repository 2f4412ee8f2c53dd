/* test-format.c: test of formatting durations, shares and sizes
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#include <math.h>

#include "random-figures.h"
#include "report/tb-format-private.h"

static void
test_duration (void)
{
  static const struct
  {
    gint64 ns;
    const char *text;
  } cases[] = {
    { 0, "0 ns" },
    { 1, "1 ns" },
    { 999, "999 ns" },
    { 1000, "1 µs" },
    { 1234, "1.23 µs" },
    { 9994, "9.99 µs" },
    { 9996, "10 µs" },
    { 12500000, "12.5 ms" },
    { 100000000, "100 ms" },
    { 999499999, "999 ms" },
    { 999500000, "1 s" },
    { 1500000000, "1.5 s" },
    { 59900000000, "59.9 s" },
    { 60000000000, "1 min" },
    { 125000000000, "2 min 5 s" },
    { 3600000000000, "1 h" },
    { 3780000000000, "1 h 3 min" },
    { -12500000, "−12.5 ms" },
    { -1, "—" },
    { G_MAXINT64, "2562047 h 47 min" },
  };

  for (guint i = 0; i < G_N_ELEMENTS (cases); i++)
    {
      g_autofree char *text = tb_format_duration (cases[i].ns);

      g_assert_cmpstr (text, ==, cases[i].text);
    }
}

static void
test_share (void)
{
  static const struct
  {
    double share;
    const char *text;
  } cases[] = {
    { 0, "0 %" },       { 0.00005, "<0.01 %" }, { 0.0005, "0.05 %" }, { 0.005, "0.5 %" },
    { 0.024, "2.4 %" }, { 0.03, "3 %" },        { 0.0999, "10 %" },   { 0.31, "31 %" },
    { 0.314, "31 %" },  { 0.9999, "99.9 %" },   { 1, "100 %" },       { NAN, "—" },
    { -0.31, "−31 %" }, { 1.5, "150 %" },
  };

  for (guint i = 0; i < G_N_ELEMENTS (cases); i++)
    {
      g_autofree char *text = tb_format_share (cases[i].share);

      g_assert_cmpstr (text, ==, cases[i].text);
    }
}

static void
test_bytes (void)
{
  static const struct
  {
    guint64 bytes;
    const char *text;
  } cases[] = {
    { 0, "0 B" },         { 1023, "1023 B" },   { 1024, "1 KiB" },    { 1536, "1.5 KiB" },
    { 1048575, "1 MiB" }, { 1048576, "1 MiB" }, { 5 << 20, "5 MiB" }, { G_MAXUINT64, "16 EiB" },
  };

  for (guint i = 0; i < G_N_ELEMENTS (cases); i++)
    {
      g_autofree char *text = tb_format_bytes (cases[i].bytes);

      g_assert_cmpstr (text, ==, cases[i].text);
    }
}

/* Separators of locales: English, German, French, Indian, and none. */
static void
test_count (void)
{
  static const struct
  {
    guint64 count;
    const char *separator;
    const char *grouping;
    const char *text;
  } cases[] = {
    { 0, ",", "\3\3", "0" },
    { 999, ",", "\3\3", "999" },
    { 1000, ",", "\3\3", "1,000" },
    { 1234567, ".", "\3\3", "1.234.567" },
    { 123456, "\u202f", "\3", "123\u202f456" },
    { 1234567890, ",", "\3\2", "1,23,45,67,890" },
    { 12345678, ",", "\3\177", "12345,678" },
    { 12345678, "", "\3\3", "12345678" },
    { 12345678, ",", "", "12345678" },
    { G_MAXUINT64, ",", "\3\3", "18,446,744,073,709,551,615" },
  };

  for (guint i = 0; i < G_N_ELEMENTS (cases); i++)
    {
      g_autofree char *text
          = tb_format_grouped (cases[i].count, cases[i].separator, cases[i].grouping);

      g_assert_cmpstr (text, ==, cases[i].text);
    }
}

static void
test_amount (void)
{
  g_autofree char *time = tb_format_amount (G_MAXUINT64, "ns");
  g_autofree char *size = tb_format_amount (1536, "bytes");
  g_autofree char *calls = tb_format_amount (12, "calls");
  g_autofree char *plain = tb_format_amount (12, "");
  static const char *const one[] = { "call", "unit", "sample", "event" };

  g_assert_nonnull (strstr (time, " h"));
  g_assert_cmpstr (size, ==, "1.5 KiB");
  g_assert_cmpstr (calls, ==, "12 calls");
  g_assert_cmpstr (plain, ==, "12");
  for (guint i = 0; i < G_N_ELEMENTS (one); i++)
    {
      g_autofree char *several = g_strconcat (one[i], "s", NULL);
      g_autofree char *single = tb_format_amount (1, several);
      g_autofree char *none = tb_format_amount (0, several);
      g_autofree char *single_text = g_strconcat ("1 ", one[i], NULL);
      g_autofree char *none_text = g_strconcat ("0 ", several, NULL);

      g_assert_cmpstr (single, ==, single_text);
      g_assert_cmpstr (none, ==, none_text);
    }
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/report/format/duration", test_duration);
  g_test_add_func ("/report/format/share", test_share);
  g_test_add_func ("/report/format/bytes", test_bytes);
  g_test_add_func ("/report/format/count", test_count);
  g_test_add_func ("/report/format/amount", test_amount);
  return g_test_run ();
}
