/* many.c: several processes that make the same system call repeatedly, on shared processors
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 *
 * usage: many zero|fork N SECONDS [in-turns]
 *
 * N processes read zero bytes, all on one processor, or fork children that compute for half a ms.
 * in-turns: with real-time priority and time slices, so that no other load preempts them.
 */

#ifndef _GNU_SOURCE
#  define _GNU_SOURCE
#endif

#include <fcntl.h>
#include <sched.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#define CHILD 0.0005 /* s */

static double
read_clock (clockid_t clock)
{
  struct timespec time;

  clock_gettime (clock, &time);
  return (double) time.tv_sec + (double) time.tv_nsec / 1e9;
}

static double
now (void)
{
  return read_clock (CLOCK_MONOTONIC);
}

/* Encloses the system call: the kernel may switch to another process only at the end of the
 * call. */
__attribute__ ((noinline, noclone, noipa)) static int
read_once (int file)
{
  char byte;
  int result = (int) read (file, &byte, 0);

  __asm__ volatile ("nop" ::: "memory");
  return result;
}

static void
read_nothing (double end)
{
  int file = open ("/proc/self/exe", O_RDONLY);

  while (now () < end)
    for (int i = 0; i < 1000; i++)
      if (read_once (file) != 0)
        _exit (1);
}

/* Encloses the system call, as above. */
__attribute__ ((noinline, noclone, noipa)) static pid_t
fork_once (void)
{
  pid_t child = fork ();

  __asm__ volatile ("nop" ::: "memory");
  return child;
}

/* The work of a child. No lock of this kernel is held as long as FreeBSD's was: forks contend for
 * the processor, and children that end at once would release it before a fork is done. */
static void
compute (void)
{
  while (read_clock (CLOCK_PROCESS_CPUTIME_ID) < CHILD)
    ;
}

/* Fills some memory, so that there is something to copy. */
static void
fork_children (double end)
{
  size_t size = 4u << 20;
  char *memory = malloc (size);
  int status = 0;

  memset (memory, 1, size);
  while (now () < end)
    {
      pid_t child = fork_once ();

      if (child == 0)
        {
          compute ();
          _exit (0);
        }
      if (child < 0 || waitpid (child, &status, 0) != child || status != 0)
        _exit (1);
    }
}

static void
pin_process (void)
{
  cpu_set_t cpus;

  CPU_ZERO (&cpus);
  CPU_SET (sched_getcpu (), &cpus);
  sched_setaffinity (0, sizeof cpus, &cpus);
}

static void
set_turns (void)
{
  struct sched_param lowest = { .sched_priority = 1 };

  if (sched_setscheduler (0, SCHED_RR, &lowest) != 0)
    perror ("many: no time slices with real-time priority");
}

int
main (int argc, char **argv)
{
  int n = argc > 2 ? atoi (argv[2]) : 1, status, failed = 0;
  double end = now () + (argc > 3 ? atof (argv[3]) : 1);
  int is_zero = argc > 1 && strcmp (argv[1], "zero") == 0;

  if (is_zero)
    pin_process ();
  if (argc > 4 && strcmp (argv[4], "in-turns") == 0)
    set_turns ();
  for (int i = 0; i < n; i++)
    if (fork () == 0)
      {
        (is_zero ? read_nothing : fork_children) (end);
        _exit (0);
      }
  while (wait (&status) > 0)
    failed |= status;
  return failed != 0;
}
