/* test-mode.h: how much of a test is run
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * Quick, which is the default: fewer random cases, other ones in each run, but of each kind. Thorough, by the option
 * -m thorough or where TAILBACK_TEST_MODE is thorough: all of them.
 */

#pragma once

#include <glib.h>

static inline gboolean
test_is_thorough (void)
{
  return g_test_thorough () || g_strcmp0 (g_getenv ("TAILBACK_TEST_MODE"), "thorough") == 0;
}

/* How many cases of a kind are tried. */
static inline guint
test_rounds (guint thorough, guint quick)
{
  return test_is_thorough () ? thorough : quick;
}

/* A sweep over all cases: for (i = test_first (n); i < all; i += test_step (n)) tries one of n in a quick test, beginning
 * with any of the first. */
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
