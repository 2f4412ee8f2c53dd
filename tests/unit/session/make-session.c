/* make-session.c: program that writes a session for tests in other languages
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * usage: make-session FILE N-ROWS
 */

#include <stdlib.h>

#include "session-fixture.h"

int
main (int argc, char **argv)
{
  g_autoptr (GRand) random = g_rand_new_with_seed (1);
  g_autoptr (FixtureRows) rows = NULL;
  g_autoptr (GFile) file = NULL;

  if (argc != 3)
    return 2;
  rows = fixture_rows_new (random, (guint) atoi (argv[2]));
  file = g_file_new_for_path (argv[1]);
  fixture_write (file, rows);
  return 0;
}
