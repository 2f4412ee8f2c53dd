/* test-filter.c: test of filters for figures
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#include "config.h"

#include <string.h>

#include "report/tb-filter.h"
#include "report/tb-report.h"
#include "report/timeline/tb-timeline-figure.h"

static TbFilter *
parse (const char *text)
{
  g_autoptr (GError) error = NULL;
  TbFilter *filter = tb_filter_parse (text, &error);

  g_assert_no_error (error);
  return filter;
}

static void
assert_thread (const char *text, const char *process, const char *thread, gboolean expected)
{
  g_autoptr (TbFilter) filter = parse (text);

  g_assert_true (tb_filter_match_thread (filter, process, thread) == expected);
}

static void
test_threads (void)
{
  assert_thread (NULL, "dovecot 702", "auth", TRUE);
  assert_thread ("   ", "dovecot 702", "auth", TRUE);
  assert_thread ("AUTH", "dovecot 702", "auth", TRUE);
  assert_thread ("auth", "AUTHD 3", "worker", TRUE);
  assert_thread ("process:auth", "dovecot 702", "auth", FALSE);
  assert_thread ("Process:DOVE", "dovecot 702", "auth", TRUE);
  assert_thread ("process:702", "dovecot 702", "auth", TRUE);
  assert_thread ("thread:auth", "AUTHD 3", "worker", FALSE);
  assert_thread ("process:dovecot login", "dovecot 702", "imap-login", TRUE);
  assert_thread ("process:dovecot login", "dovecot 702", "auth", FALSE);
  /* Any value of one key must match, and all words. */
  assert_thread ("process:nginx process:php", "php-cgi 934", "php-cgi", TRUE);
  assert_thread ("process:nginx process:php", "curl 1160", "curl", FALSE);
  assert_thread ("php cgi", "php-cgi 934", "x", TRUE);
  assert_thread ("php curl", "php-cgi 934", "x", FALSE);
  assert_thread ("process:\"Web Content\"", "Web Content 12", "x", TRUE);
  assert_thread ("process:\"Web Content\"", "Web 12", "Content", FALSE);
  assert_thread ("über", "x", "ÜBER", TRUE);
  assert_thread ("x", NULL, NULL, FALSE);
  assert_thread ("\xff", "x",
                 "a\xff"
                 "b",
                 TRUE);
  /* Incomplete text, as during typing. */
  assert_thread ("process:", "x", "y", TRUE);
  assert_thread ("longer: state: thread:\"\"", "x", "y", TRUE);
  /* Text with a colon that is not a key. */
  assert_thread ("std::vector", "x", "std::vector<int>", TRUE);
  assert_thread ("127.0.0.1:80", "x", "to 127.0.0.1:80", TRUE);
  assert_thread ("\"proces:x\"", "x", "a proces:x b", TRUE);
  assert_thread (":", "x", "y", FALSE);
}

static void
test_rest (void)
{
  g_autoptr (TbFilter) filter = parse (
      "function:poll module:libc function:select state:disk state:run longer:1.5ms longer:1us");
  const char *const texts[] = { NULL, "one", "two" };
  g_autoptr (TbFilter) words = parse ("on TW");

  g_assert_true (tb_filter_limits_functions (filter));
  g_assert_false (tb_filter_limits_threads (filter));
  g_assert_true (tb_filter_match_function (filter, "__poll", "/lib/libc.so.6"));
  g_assert_true (tb_filter_match_function (filter, "pselect", "/lib/libc.so.6"));
  g_assert_false (tb_filter_match_function (filter, "read", "/lib/libc.so.6"));
  g_assert_false (tb_filter_match_function (filter, "__poll", NULL));
  g_assert_cmpint (tb_filter_get_min_length (filter), ==, 1500000);
  g_assert_true (tb_filter_match_interval (filter, TB_PAINT_DISK, 1500000));
  g_assert_false (tb_filter_match_interval (filter, TB_PAINT_DISK, 1499999));
  /* "run" may be running or runnable. */
  g_assert_true (tb_filter_match_interval (filter, TB_PAINT_RUNNABLE, 2000000));
  g_assert_false (tb_filter_match_interval (filter, TB_PAINT_WAITING, 2000000));
  g_assert_true (tb_filter_match_words (words, texts, 3));
  g_assert_false (tb_filter_match_words (words, texts, 2));
}

static void
assert_wrong (const char *text, TbFilterError code, const char *expected_message)
{
  g_autoptr (GError) error = NULL;

  g_assert_null (tb_filter_parse (text, &error));
  g_assert_error (error, TB_FILTER_ERROR, (int) code);
  g_assert_nonnull (strstr (error->message, expected_message));
}

static void
test_wrong (void)
{
  g_autoptr (GString) many = g_string_new (NULL);

  assert_wrong ("proces:x", TB_FILTER_ERROR_KEY, "Unknown filter “proces:”");
  assert_wrong ("auth state:blue", TB_FILTER_ERROR_STATE, "“blue”");
  assert_wrong ("state:blue", TB_FILTER_ERROR_STATE, "uninterruptible");
  assert_wrong ("longer:soon", TB_FILTER_ERROR_DURATION, "“soon”");
  assert_wrong ("longer:1m", TB_FILTER_ERROR_DURATION, "longer:1.5ms");
  assert_wrong ("longer:-1ms", TB_FILTER_ERROR_DURATION, "“-1ms”");
  assert_wrong ("longer:99999999999h", TB_FILTER_ERROR_DURATION, "Invalid duration");
  for (guint i = 0; i < 70; i++)
    g_string_append_printf (many, "%u ", i);
  assert_wrong (many->str, TB_FILTER_ERROR_LENGTH, "64 terms");
  g_string_set_size (many, 0);
  for (guint i = 0; i < 5000; i++)
    g_string_append_c (many, 'a');
  assert_wrong (many->str, TB_FILTER_ERROR_LENGTH, "4096");
}

static void
test_equal (void)
{
  g_autoptr (TbFilter) one = parse ("  A process:\"b\" ");
  g_autoptr (TbFilter) two = parse ("process:B a");
  g_autoptr (TbFilter) empty = parse ("longer:");

  g_assert_true (tb_filter_equal (one, two));
  g_assert_false (tb_filter_equal (one, empty));
  g_assert_true (tb_filter_equal (NULL, empty));
  g_assert_true (tb_filter_is_empty (empty));
  g_assert_cmpstr (tb_filter_get_text (two), ==, "process:B a");
}

/* Against a search in case-folded copies. */
static void
test_contains (void)
{
  static const char *const letters[] = { "a", "B", "ß", "S", "É", " ", "\xff", "ſ", "K" };

  for (guint i = 0; i < 3000; i++)
    {
      g_autoptr (GString) text = g_string_new (NULL);
      g_autoptr (GString) sought = g_string_new (NULL);
      g_autofree char *folded = NULL;
      g_autofree char *folded_text = NULL;

      for (gint32 k = g_test_rand_int_range (0, 8); k > 0; k--)
        g_string_append (text, letters[g_test_rand_int_range (0, G_N_ELEMENTS (letters))]);
      for (gint32 k = g_test_rand_int_range (0, 3); k > 0; k--)
        g_string_append (sought, letters[g_test_rand_int_range (0, G_N_ELEMENTS (letters))]);
      folded = tb_filter_fold (sought->str);
      folded_text = tb_filter_fold (text->str);
      g_assert_true (tb_filter_contains (text->str, folded)
                     == (strstr (folded_text, folded) != NULL));
    }
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/filter/threads", test_threads);
  g_test_add_func ("/filter/rest", test_rest);
  g_test_add_func ("/filter/wrong", test_wrong);
  g_test_add_func ("/filter/equal", test_equal);
  g_test_add_func ("/filter/contains", test_contains);
  return g_test_run ();
}
