/* harvest.c: rounds of four threads that wait for the slowest one
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 *
 * usage: harvest ROUNDS STEPS [fixed]
 *
 * The shares are 9, 1, 1 and 1 STEPS, as for a table in which most rows have the same key; with
 * "fixed" 3 each. Then the main thread computes STEPS with the results. Reports "work" (rounds) and
 * "wall".
 */

#include <pthread.h>
#include <stdbool.h>
#include <string.h>
#include <sys/prctl.h>

#include "measure.h"

#define N_SHARES 4
#define WHOLE 12

static uint64_t steps;
static bool is_fixed;

__attribute__ ((noinline)) static void
work_on_share (bool is_large)
{
  uint64_t small = is_fixed ? WHOLE / N_SHARES : 1;

  compute (steps * (is_large ? WHOLE - (N_SHARES - 1) * small : small));
}

static void *
reap (void *data)
{
  bool is_large = (uintptr_t) data == 0;

  prctl (PR_SET_NAME, is_large ? "large" : "small");
  work_on_share (is_large);
  return NULL;
}

__attribute__ ((noinline)) static bool
do_round (void)
{
  pthread_t threads[N_SHARES];

  for (uintptr_t i = 0; i < N_SHARES; i++)
    if (pthread_create (&threads[i], NULL, reap, (void *) i) != 0)
      return false;
  for (unsigned i = 0; i < N_SHARES; i++)
    pthread_join (threads[i], NULL);
  compute (steps);
  return true;
}

int
main (int argc, char **argv)
{
  int64_t begin = wall_ns ();
  long n_rounds;

  if (argc < 3)
    return 2;
  n_rounds = atol (argv[1]);
  steps = strtoull (argv[2], NULL, 10);
  is_fixed = argc > 3 && strcmp (argv[3], "fixed") == 0;
  for (long i = 0; i < n_rounds; i++)
    if (!do_round ())
      return 1;
  report ("work", n_rounds);
  report ("wall", wall_ns () - begin);
  return 0;
}
