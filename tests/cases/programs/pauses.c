/* pauses.c: counts pauses of 4 to 131 µs in a program that only reads the clock, and interrupts
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 *
 * usage: pauses SECONDS
 *
 * Prints "PAUSES INTERRUPTS" of one processor. Pauses in excess of interrupts are caused by the
 * host of a virtual machine and are not visible inside it.
 */

#ifndef _GNU_SOURCE
#  define _GNU_SOURCE
#endif

#include <sched.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#define SHORTEST_NS (1 << 12)
#define LONGEST_NS (1 << 17)

static long long
now (void)
{
  struct timespec time;

  clock_gettime (CLOCK_MONOTONIC, &time);
  return time.tv_sec * 1000000000ll + time.tv_nsec;
}

/* Interrupts of all kinds on that processor: one column of the table. */
static long
count_interrupts (int cpu)
{
  FILE *file = fopen ("/proc/interrupts", "r");
  char line[8192];
  long sum = 0;

  if (file == NULL)
    exit (1);
  while (fgets (line, sizeof line, file) != NULL)
    {
      char *word = strtok (line, " ");

      for (int i = 0; i <= cpu && word != NULL; i++)
        word = strtok (NULL, " ");
      sum += word != NULL ? strtol (word, NULL, 10) : 0;
    }
  fclose (file);
  return sum;
}

int
main (int argc, char **argv)
{
  int cpu = sched_getcpu ();
  cpu_set_t cpus;
  long interrupts, pauses = 0;
  long long last, end;

  CPU_ZERO (&cpus);
  CPU_SET (cpu, &cpus);
  if (argc != 2 || sched_setaffinity (0, sizeof cpus, &cpus) != 0)
    return 1;
  interrupts = count_interrupts (cpu);
  last = now ();
  end = last + (long long) (atof (argv[1]) * 1e9);
  while (last < end)
    {
      long long time = now ();

      pauses += time - last >= SHORTEST_NS && time - last < LONGEST_NS;
      last = time;
    }
  printf ("%ld %ld\n", pauses, count_interrupts (cpu) - interrupts);
  return 0;
}
