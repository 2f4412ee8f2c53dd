/* fuzz-filter.c: fuzz target for filter texts and for the names that they match
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#include "config.h"

#include <string.h>

#include "fuzz-target.h"
#include "report/tb-filter.h"
#include "report/timeline/tb-timeline-figure.h"

/* A filter matches any name without an error, and its text parses to an equal filter. */
static void
use (TbFilter *filter, const char *text, const char *name)
{
  const char *const texts[] = { text, name, NULL };
  g_autoptr (GError) error = NULL;
  g_autoptr (TbFilter) again = tb_filter_parse (tb_filter_get_text (filter), &error);
  g_autoptr (TbFilter) none = tb_filter_parse (NULL, NULL);

  g_assert_no_error (error);
  g_assert_true (tb_filter_equal (filter, again));
  g_assert_true (tb_filter_is_empty (none));
  g_assert_true (tb_filter_equal (filter, NULL) == tb_filter_is_empty (filter));
  g_assert_true (g_utf8_validate (tb_filter_get_text (filter), -1, NULL));
  for (guint i = 0; tb_filter_get_words (filter)[i] != NULL; i++)
    {
      g_autofree char *folded = tb_filter_fold (name);

      g_assert_true (tb_filter_contains (name, tb_filter_get_words (filter)[i])
                     == (strstr (folded, tb_filter_get_words (filter)[i]) != NULL));
    }
  if (tb_filter_match_thread (filter, text, name))
    g_assert_true (tb_filter_match_process (filter, text));
  tb_filter_match_function (filter, name, text);
  tb_filter_match_words (filter, texts, G_N_ELEMENTS (texts));
  for (guint paint = 0; paint < TB_N_PAINTS; paint++)
    tb_filter_match_interval (filter, paint, 1000000);
}

int
LLVMFuzzerTestOneInput (const uint8_t *data, size_t size)
{
  /* Input: a filter, then a line break and a name. */
  g_autofree char *text = g_strndup ((const char *) data, size);
  char *name = strchr (text, '\n');
  g_autoptr (GError) error = NULL;
  g_autoptr (TbFilter) filter = NULL;

  if (name != NULL)
    *name++ = '\0';
  filter = tb_filter_parse (text, &error);
  g_assert_true ((filter != NULL) != (error != NULL));
  if (filter != NULL)
    use (filter, text, name != NULL ? name : text);
  else
    {
      g_assert_true (error->domain == TB_FILTER_ERROR);
      g_assert_true (g_utf8_validate (error->message, -1, NULL));
    }
  return 0;
}
