/* marks.c: cost of two marks per iteration of a loop
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#include <stdio.h>
#include <stdlib.h>
#include <time.h>

#include "tailback-annotate.h"

#define ROUNDS 15

static unsigned long state = 1;
static int lock;

/* A dependency chain of about 20 ns. */
static inline void
work (void)
{
  for (int i = 0; i < 12; i++)
    state = state * 6364136223846793005ul + 1442695040888963407ul;
  __asm__ volatile ("" : "+r"(state));
}

static double
now (void)
{
  struct timespec time;

  clock_gettime (CLOCK_THREAD_CPUTIME_ID, &time);
  return (double) time.tv_sec * 1e9 + (double) time.tv_nsec;
}

__attribute__ ((noinline, noclone)) static double
run_bare (long n)
{
  double since = now ();

  for (long i = 0; i < n; i++)
    work ();
  return (now () - since) / (double) n;
}

__attribute__ ((noinline, noclone)) static double
run_marked (long n)
{
  double since = now ();

  for (long i = 0; i < n; i++)
    {
      tailback_release (&lock);
      work ();
      tailback_work_done (NULL, 1);
    }
  return (now () - since) / (double) n;
}

static int
compare (const void *a, const void *b)
{
  const double *x = a, *y = b;

  return *x < *y ? -1 : *x > *y;
}

int
main (int argc, char **argv)
{
  long n = argc > 1 ? atol (argv[1]) : 1000000;
  double bare[ROUNDS], marked[ROUNDS];

  run_bare (n);
  for (int i = 0; i < ROUNDS; i++)
    {
      bare[i] = run_bare (n);
      marked[i] = run_marked (n);
    }
  qsort (bare, ROUNDS, sizeof *bare, compare);
  qsort (marked, ROUNDS, sizeof *marked, compare);
  printf ("bare %.2f ns, with two marks %.2f ns, ratio %.3f, a mark %.0f ns (medians of %d rounds, "
          "cpu time)\n",
          bare[ROUNDS / 2], marked[ROUNDS / 2], marked[ROUNDS / 2] / bare[ROUNDS / 2],
          (marked[ROUNDS / 2] - bare[ROUNDS / 2]) / 2, ROUNDS);
  return 0;
}
