/* calls.c: cost of one call, printed ten times a second
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 *
 * usage: calls stat|read|function
 *
 * Prints ns per call: the minimum of each tenth of a second. The entry and the call site of
 * function need no single-stepping.
 */

#include <fcntl.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#define CALLS 200

static uint64_t
now (void)
{
  struct timespec time;

  clock_gettime (CLOCK_MONOTONIC, &time);
  return (uint64_t) time.tv_sec * 1000000000u + (uint64_t) time.tv_nsec;
}

__attribute__ ((noinline, noclone, noipa)) static void
leaf (void)
{
  __asm__ volatile ("" ::: "memory");
}

/* Begins with a push, which is also the instruction after its call. */
__attribute__ ((noinline, noclone, noipa)) static void
function (void)
{
  __asm__ volatile ("" ::: "memory", "rbx");
  leaf ();
  __asm__ volatile ("nop" ::: "memory");
}

int
main (int argc, char **argv)
{
  const char *which = argc > 1 ? argv[1] : "stat";
  int file = open ("/dev/null", O_RDONLY);
  struct stat status;
  char byte;

  setlinebuf (stdout);
  for (;;)
    {
      uint64_t begin = now (), best = UINT64_MAX;

      while (now () - begin < 100000000)
        {
          uint64_t from = now (), took;

          for (int i = 0; i < CALLS; i++)
            if (strcmp (which, "stat") == 0)
              stat (argv[0], &status);
            else if (strcmp (which, "read") == 0)
              (void) !read (file, &byte, 0);
            else
              function ();
          took = (now () - from) / CALLS;
          best = took < best ? took : best;
        }
      printf ("%llu\n", (unsigned long long) best);
    }
}
