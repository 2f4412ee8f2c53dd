/* convoy.c: threads that need one lock for most of their work, or one of many locks
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 *
 * usage: convoy THREADS ROUNDS STEPS [fixed]
 *
 * Each round updates one of 64 buckets. Two thirds of the work are done under the lock of the whole
 * table or, with "fixed", of the bucket. Reports "work" (rounds of all threads) and "wall".
 */

#include <pthread.h>
#include <stdbool.h>
#include <string.h>

#include "measure.h"

#define N_BUCKETS 64

static pthread_mutex_t locks[N_BUCKETS];
static bool is_fixed;
static long n_rounds;
static uint64_t steps;

__attribute__ ((noinline)) static void
update_bucket (unsigned bucket)
{
  pthread_mutex_t *lock = &locks[is_fixed ? bucket : 0];

  pthread_mutex_lock (lock);
  compute (steps * 2);
  pthread_mutex_unlock (lock);
}

static void *
work (void *data)
{
  unsigned random = (unsigned) (uintptr_t) data;

  for (long i = 0; i < n_rounds; i++)
    {
      random = random * 1664525u + 1013904223u;
      compute (steps);
      update_bucket (random >> 16 & (N_BUCKETS - 1));
    }
  return NULL;
}

int
main (int argc, char **argv)
{
  int64_t begin = wall_ns ();
  pthread_t threads[64];
  long n_threads;

  if (argc < 4)
    return 2;
  n_threads = atol (argv[1]);
  n_rounds = atol (argv[2]);
  steps = strtoull (argv[3], NULL, 10);
  is_fixed = argc > 4 && strcmp (argv[4], "fixed") == 0;
  if (n_threads < 1 || n_threads > 64)
    return 2;
  for (unsigned i = 0; i < N_BUCKETS; i++)
    pthread_mutex_init (&locks[i], NULL);
  for (long i = 0; i < n_threads; i++)
    if (pthread_create (&threads[i], NULL, work, (void *) (uintptr_t) (i + 1)) != 0)
      return 1;
  for (long i = 0; i < n_threads; i++)
    pthread_join (threads[i], NULL);
  report ("work", n_threads * n_rounds);
  report ("wall", wall_ns () - begin);
  return 0;
}
