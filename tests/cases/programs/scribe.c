/* scribe.c: clerks whose entries one scribe writes down elsewhere, and who wait until theirs is, or do not
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 *
 * usage: scribe ENTRIES STEPS [fixed]
 *
 * Each of two clerks works on ENTRIES entries, and hands each to the scribe, who takes 100 µs (of somebody else's time) and a
 * tenth of a clerk's work for it. As fixed, clerks go on at once. It is over when all is written. Tells "work" and "wall".
 */

#include <pthread.h>
#include <semaphore.h>
#include <stdbool.h>
#include <string.h>
#include <sys/prctl.h>

#include "measure.h"

#define N_CLERKS 2

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t more = PTHREAD_COND_INITIALIZER;
static sem_t written[N_CLERKS];
static unsigned *entries; /* whose */
static long n_handed, n_entries;
static uint64_t steps;
static bool is_fixed;

__attribute__ ((noinline)) static void
write_down (unsigned whose)
{
  usleep (100);
  compute (steps / 10);
  sem_post (&written[whose]);
}

static void *
be_scribe (void *data)
{
  prctl (PR_SET_NAME, "scribe");
  for (long i = 0; i < N_CLERKS * n_entries; i++)
    {
      unsigned whose;

      pthread_mutex_lock (&lock);
      while (n_handed <= i)
        pthread_cond_wait (&more, &lock);
      whose = entries[i];
      pthread_mutex_unlock (&lock);
      write_down (whose);
    }
  return NULL;
}

__attribute__ ((noinline)) static void
hand_over (unsigned who)
{
  pthread_mutex_lock (&lock);
  entries[n_handed++] = who;
  pthread_cond_signal (&more);
  pthread_mutex_unlock (&lock);
  while (!is_fixed && sem_wait (&written[who]) < 0)
    ;
}

static void *
be_clerk (void *data)
{
  prctl (PR_SET_NAME, "clerk");
  for (long i = 0; i < n_entries; i++)
    {
      compute (steps);
      hand_over ((unsigned) (uintptr_t) data);
    }
  return NULL;
}

int
main (int argc, char **argv)
{
  int64_t begin = wall_ns ();
  pthread_t clerks[N_CLERKS], scribe;

  if (argc < 3)
    return 2;
  n_entries = atol (argv[1]);
  steps = strtoull (argv[2], NULL, 10);
  is_fixed = argc > 3 && strcmp (argv[3], "fixed") == 0;
  entries = calloc ((size_t) (N_CLERKS * n_entries), sizeof *entries);
  if (entries == NULL || pthread_create (&scribe, NULL, be_scribe, NULL) != 0)
    return 1;
  for (uintptr_t i = 0; i < N_CLERKS; i++)
    if (sem_init (&written[i], 0, 0) != 0 || pthread_create (&clerks[i], NULL, be_clerk, (void *) i) != 0)
      return 1;
  for (unsigned i = 0; i < N_CLERKS; i++)
    pthread_join (clerks[i], NULL);
  pthread_join (scribe, NULL);
  tell ("work", N_CLERKS * n_entries);
  tell ("wall", wall_ns () - begin);
  return 0;
}
