/* test-duration.c: test of parsing durations
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#include <locale.h>

#include "extend/options/tb-option.h"

static void
check (const char *text, gint64 expected)
{
  g_autoptr (GError) error = NULL;
  gint64 ns = -7;

  if (expected < 0)
    {
      g_assert_false (tb_parse_duration (text, &ns, &error));
      g_assert_error (error, TB_EXTEND_ERROR, TB_EXTEND_ERROR_USAGE);
      g_assert_cmpint (ns, ==, -7);
      return;
    }
  g_assert_true (tb_parse_duration (text, &ns, &error));
  g_assert_no_error (error);
  g_assert_cmpint (ns, ==, expected);
}

static void
test_parse (void)
{
  check ("0", 0);
  check ("17", 17);
  check ("17ns", 17);
  check ("250us", 250000);
  check ("250 µs", 250000);
  check ("250μs", 250000);
  check ("12.5ms", 12500000);
  check ("0.1s", 100000000);
  check ("0.123456789s", 123456789);
  check ("0.1234567891s", 123456789);
  check ("0.3s", 300000000);
  check ("1.5min", 90000000000);
  check ("0.25h", 900000000000);
  check ("2h", 7200000000000);
  check ("9223372035s", 9223372035000000000);
}

static void
test_refuse (void)
{
  static const char *const wrong[] = {
    "",
    "s",
    "ms",
    "-1s",
    "+1s",
    "1.s",
    ".5s",
    "1.5",
    "1,5s",
    "1 5s",
    "1sec",
    "1S",
    "1e3s",
    "0x1s",
    "1s ",
    " 1s",
    "nan",
    "inf",
    "1.2.3s",
    "9223372037s",
    "99999999999999999999",
    "18446744073709551617",
    "2562048h",
    "1\xff",
  };

  for (guint i = 0; i < G_N_ELEMENTS (wrong); i++)
    check (wrong[i], -1);
}

int
main (int argc, char **argv)
{
  setlocale (LC_ALL, "");
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/extend/duration/parse", test_parse);
  g_test_add_func ("/extend/duration/refuse", test_refuse);
  return g_test_run ();
}
