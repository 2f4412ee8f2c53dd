/* test-mode.h: quick and thorough mode of tests
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * Quick mode is the default: it runs fewer random cases, other ones in each run, but some of each
 * kind. Thorough mode runs all of them; it is chosen by the option -m thorough or by the
 * environment variable TAILBACK_TEST_MODE=thorough.
 */

#pragma once

#include <glib.h>

static inline gboolean
test_is_thorough (void)
{
  return g_test_thorough () || g_strcmp0 (g_getenv ("TAILBACK_TEST_MODE"), "thorough") == 0;
}

/* Returns how many cases of a kind are run. */
static inline guint
test_rounds (guint thorough, guint quick)
{
  return test_is_thorough () ? thorough : quick;
}

/* Step and first index of a sweep over all cases: for (i = test_first (n); i < all; i += test_step
 * (n)). A quick test runs one case in n and starts at a random one of the first n. */
static inline guint
test_step (guint quick)
{
  return test_rounds (1, quick);
}

static inline guint
test_first (guint quick)
{
  return test_is_thorough () ? 0 : (guint) g_test_rand_int_range (0, (gint32) quick);
}
