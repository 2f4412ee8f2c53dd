/* cache.c: lookups in one cache; its lock is held or released during a slow fetch
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 *
 * usage: cache LOOKUPS STEPS [fixed]
 *
 * Each of four threads does LOOKUPS lookups (STEPS / 10, with the lock) and processes each result
 * (STEPS, without). One entry of four is missing and is fetched within a millisecond. With "fixed"
 * the lock is released during the fetch. Reports "work" (lookups of all threads) and "wall".
 */

#include <pthread.h>
#include <stdbool.h>
#include <string.h>

#include "measure.h"

#define N_THREADS 4
#define FAR_US 1000

static pthread_mutex_t cache_lock = PTHREAD_MUTEX_INITIALIZER;
static bool is_fixed;
static long n_lookups;
static uint64_t steps;

__attribute__ ((noinline)) static void
fetch (void)
{
  usleep (FAR_US);
}

__attribute__ ((noinline)) static void
look_up (bool is_missing)
{
  pthread_mutex_lock (&cache_lock);
  compute (steps / 10);
  if (is_missing && is_fixed)
    {
      pthread_mutex_unlock (&cache_lock);
      fetch ();
      pthread_mutex_lock (&cache_lock);
    }
  else if (is_missing)
    fetch ();
  pthread_mutex_unlock (&cache_lock);
}

static void *
work (void *data)
{
  unsigned random = (unsigned) (uintptr_t) data;

  for (long i = 0; i < n_lookups; i++)
    {
      random = random * 1664525u + 1013904223u;
      look_up ((random >> 20 & 3) == 0);
      compute (steps);
    }
  return NULL;
}

int
main (int argc, char **argv)
{
  int64_t begin = wall_ns ();
  pthread_t threads[N_THREADS];

  if (argc < 3)
    return 2;
  n_lookups = atol (argv[1]);
  steps = strtoull (argv[2], NULL, 10);
  is_fixed = argc > 3 && strcmp (argv[3], "fixed") == 0;
  for (uintptr_t i = 0; i < N_THREADS; i++)
    if (pthread_create (&threads[i], NULL, work, (void *) (i + 1)) != 0)
      return 1;
  for (unsigned i = 0; i < N_THREADS; i++)
    pthread_join (threads[i], NULL);
  report ("work", N_THREADS * n_lookups);
  report ("wall", wall_ns () - begin);
  return 0;
}
