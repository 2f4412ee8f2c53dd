/* shelf.c: threads that mostly read one table, behind a mutex or a read-write lock
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 *
 * usage: shelf THREADS ROUNDS STEPS [fixed]
 *
 * Each round does a lookup (STEPS, with the lock), or in one round of sixteen a change (STEPS,
 * exclusively), and then processes the result (STEPS / 4, without). Reports "work" (rounds of all
 * threads) and "wall".
 */

#include <pthread.h>
#include <stdbool.h>
#include <string.h>

#include "measure.h"

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_rwlock_t shared = PTHREAD_RWLOCK_INITIALIZER;
static bool is_fixed;
static long n_rounds;
static uint64_t steps;

__attribute__ ((noinline)) static void
enter (bool to_write)
{
  if (!is_fixed)
    pthread_mutex_lock (&lock);
  else if (to_write)
    pthread_rwlock_wrlock (&shared);
  else
    pthread_rwlock_rdlock (&shared);
}

__attribute__ ((noinline)) static void
leave (void)
{
  if (is_fixed)
    pthread_rwlock_unlock (&shared);
  else
    pthread_mutex_unlock (&lock);
}

static void *
work (void *data)
{
  unsigned random = (unsigned) (uintptr_t) data;

  for (long i = 0; i < n_rounds; i++)
    {
      random = random * 1664525u + 1013904223u;
      enter ((random >> 20 & 15) == 0);
      compute (steps);
      leave ();
      compute (steps / 4);
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
  for (long i = 0; i < n_threads; i++)
    if (pthread_create (&threads[i], NULL, work, (void *) (uintptr_t) (i + 1)) != 0)
      return 1;
  for (long i = 0; i < n_threads; i++)
    pthread_join (threads[i], NULL);
  report ("work", n_threads * n_rounds);
  report ("wall", wall_ns () - begin);
  return 0;
}
