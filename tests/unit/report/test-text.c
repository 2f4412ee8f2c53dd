/* test-text.c: test of text in columns
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#include "report/tb-text-private.h"

static void
test_width (void)
{
  g_assert_cmpuint (tb_text_get_width ("abc"), ==, 3);
  g_assert_cmpuint (tb_text_get_width ("äöü"), ==, 3);
  g_assert_cmpuint (tb_text_get_width ("漢字"), ==, 4);
  g_assert_cmpuint (tb_text_get_width ("e\xcc\x81"), ==, 1);
  g_assert_cmpuint (tb_text_get_width ("\xff\xfe"), ==, 2);
}

static void
check_cut (const char *text, guint width, const char *expected)
{
  g_autoptr (GString) out = g_string_new (NULL);
  guint columns = tb_text_append_cut (out, text, width);

  g_assert_cmpstr (out->str, ==, expected);
  g_assert_cmpuint (columns, ==, tb_text_get_width (out->str));
  g_assert_cmpuint (columns, <=, width);
}

static void
test_cut (void)
{
  check_cut ("abcdef", 6, "abcdef");
  check_cut ("abcdef", 5, "abcd…");
  check_cut ("abcdef", 1, "…");
  check_cut ("abcdef", 0, "");
  check_cut ("漢字漢字", 6, "漢字…");
  check_cut ("漢字漢字", 4, "漢…");
}

static void
test_harmless (void)
{
  check_cut ("a\x1b[2Jb\n\x7f", 20, "a\xef\xbf\xbd[2Jb\xef\xbf\xbd\xef\xbf\xbd");
  check_cut ("\xe2\x80\xae"
             "x\xc2\x9b",
             20,
             "\xef\xbf\xbd"
             "x\xef\xbf\xbd");
  check_cut ("\xff", 20, "\xef\xbf\xbd");
}

static void
check_padded (const char *text, guint width, gboolean right, const char *expected)
{
  g_autoptr (GString) out = g_string_new (NULL);

  tb_text_append_padded (out, text, width, right);
  g_assert_cmpstr (out->str, ==, expected);
}

static void
test_padded (void)
{
  check_padded ("ab", 4, FALSE, "ab  ");
  check_padded ("ab", 4, TRUE, "  ab");
  check_padded ("abcde", 4, TRUE, "abc…");
  check_padded ("漢字字", 5, FALSE, "漢字…");
  check_padded ("漢字字", 4, FALSE, "漢… ");
}

static void
check_wrapped (const char *text, guint width, guint indent, const char *expected)
{
  g_autoptr (GString) out = g_string_new (NULL);

  tb_text_append_wrapped (out, text, width, indent);
  g_assert_cmpstr (out->str, ==, expected);
}

static void
test_wrapped (void)
{
  check_wrapped ("one two three", 0, 2, "one two three\n");
  check_wrapped ("one two three", 7, 0, "one two\nthree\n");
  check_wrapped ("one two three", 8, 2, "one two\n  three\n");
  check_wrapped ("uninterruptible", 6, 2, "unint…\n");
  check_wrapped ("", 6, 2, "\n");
  check_wrapped ("a b", 2, 5, "a\nb\n");
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/report/text/width", test_width);
  g_test_add_func ("/report/text/cut", test_cut);
  g_test_add_func ("/report/text/harmless", test_harmless);
  g_test_add_func ("/report/text/padded", test_padded);
  g_test_add_func ("/report/text/wrapped", test_wrapped);
  return g_test_run ();
}
