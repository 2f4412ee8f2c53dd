/* walk.c: walk through a synthetic tree of folders, closing each; those at one depth take long
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 *
 * usage: walk ROUNDS
 */

#include <stdint.h>
#include <sys/stat.h>

#include "turns.h"

#define DEPTH 12
#define SLOW_DEPTH 9

static uint64_t sum;

__attribute__ ((noinline)) static void
open_folder (int depth)
{
  struct stat status;

  stat ("/", &status);
  for (int i = 0; i < 4000 * (depth + 1); i++)
    sum = sum * 31 + (uint64_t) i;
}

__attribute__ ((noinline)) static void
close_folder (int depth)
{
  struct stat status;

  for (int i = 0; i < 6000; i++)
    sum ^= sum << 5;
  if (depth == SLOW_DEPTH)
    TAKE_TURNS (turns);
  stat ("/tmp", &status);
}

__attribute__ ((noinline)) static void
descend (int depth)
{
  open_folder (depth);
  if (depth < DEPTH)
    descend (depth + 1);
  if (depth < 4)
    descend (depth + 8);
  close_folder (depth);
}

int
main (int argc, char **argv)
{
  for (long i = argc > 1 ? atol (argv[1]) : 0; i > 0; i--)
    descend (0);
  return 0;
}
