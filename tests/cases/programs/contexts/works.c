/* works.c: items that pass the same stages in two shifts; one stage of one shift is slow
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 *
 * usage: works PIECES
 */

#include <fcntl.h>
#include <stdint.h>
#include <stdio.h>
#include <unistd.h>

#include "turns.h"

#define STAGE __attribute__ ((noinline)) static void

static uint64_t grade;
static int out;

STAGE
note (uint64_t value)
{
  char line[32];
  int n = snprintf (line, sizeof line, "%016llx\n", (unsigned long long) value);

  if (write (out, line, (size_t) n) != n)
    _exit (1);
}

STAGE
stage_one (uint64_t steps)
{
  for (uint64_t i = 0; i < steps; i++)
    grade = grade * 6364136223846793005u + 1442695040888963407u;
  note (grade);
}

STAGE
stage_two (uint64_t steps)
{
  for (uint64_t i = 0; i < steps; i++)
    grade ^= grade << 13 ^ grade >> 7;
  note (grade);
}

STAGE
stage_three (uint64_t steps, unsigned long more)
{
  for (uint64_t i = 0; i < steps; i++)
    grade += grade >> 3 | 1;
  TAKE_TURNS (more);
  note (grade);
}

STAGE
stage_four (uint64_t steps)
{
  for (uint64_t i = 0; i < steps; i++)
    grade = grade << 7 | grade >> 57;
  note (grade);
}

STAGE
shift_early (uint64_t piece)
{
  stage_one (20000 + piece % 100);
  stage_two (30000);
  stage_three (30000, 0);
  stage_four (20000);
}

STAGE
shift_late (uint64_t piece)
{
  stage_two (30000 + piece % 100);
  stage_one (20000);
  stage_three (30000, turns);
  stage_four (40000);
}

STAGE
run (long pieces)
{
  for (long i = 0; i < pieces; i++)
    {
      shift_early ((uint64_t) i);
      shift_late ((uint64_t) i);
    }
}

int
main (int argc, char **argv)
{
  out = open ("/dev/null", O_WRONLY | O_CLOEXEC);
  if (argc < 2 || out < 0)
    return 2;
  run (atol (argv[1]));
  return 0;
}
