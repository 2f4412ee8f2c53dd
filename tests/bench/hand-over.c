/* hand-over.c: cost of a hand-over between two processes, recorded or not
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 *
 * usage: hand-over ROUNDS
 *
 * Two processes on the first CPU send a byte back and forth. Prints ns per hand-over (one switch,
 * one wake-up).
 */

#include <sched.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

static double
now (void)
{
  struct timespec time;

  clock_gettime (CLOCK_MONOTONIC, &time);
  return (double) time.tv_sec * 1e9 + (double) time.tv_nsec;
}

int
main (int argc, char **argv)
{
  long rounds = argc == 2 ? strtol (argv[1], NULL, 10) : 0;
  int there[2], back[2];
  cpu_set_t cpus;
  double start;
  char ball = 0;
  pid_t pid;

  if (rounds <= 0)
    {
      fputs ("usage: hand-over ROUNDS\n", stderr);
      return 2;
    }
  CPU_ZERO (&cpus);
  CPU_SET (0, &cpus);
  if (sched_setaffinity (0, sizeof cpus, &cpus) != 0 || pipe (there) != 0 || pipe (back) != 0)
    return 1;
  pid = fork ();
  if (pid == 0)
    {
      for (long i = 0; i < rounds; i++)
        if (read (there[0], &ball, 1) != 1 || write (back[1], &ball, 1) != 1)
          _exit (1);
      _exit (0);
    }
  start = now ();
  for (long i = 0; i < rounds; i++)
    if (write (there[1], &ball, 1) != 1 || read (back[0], &ball, 1) != 1)
      return 1;
  printf ("%.1f\n", (now () - start) / (double) (2 * rounds));
  waitpid (pid, NULL, 0);
  return 0;
}
