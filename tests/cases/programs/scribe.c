/* scribe.c: clerks that hand entries to one scribe for remote storage, and wait or continue
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 *
 * usage: scribe ENTRIES STEPS [fixed]
 *
 * Each of two clerks works on ENTRIES entries, and hands each to the scribe. The scribe waits 100
 * µs (for a remote service) and does a tenth of a clerk's work. With "fixed" clerks continue at
 * once. The program ends when all entries are stored. Reports "work" and "wall".
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
static unsigned *entries; /* number of the clerk */
static long n_handed, n_entries;
static uint64_t steps;
static bool is_fixed;

__attribute__ ((noinline)) static void
write_down (unsigned clerk)
{
  usleep (100);
  compute (steps / 10);
  sem_post (&written[clerk]);
}

static void *
be_scribe (void *data)
{
  prctl (PR_SET_NAME, "scribe");
  for (long i = 0; i < N_CLERKS * n_entries; i++)
    {
      unsigned clerk;

      pthread_mutex_lock (&lock);
      while (n_handed <= i)
        pthread_cond_wait (&more, &lock);
      clerk = entries[i];
      pthread_mutex_unlock (&lock);
      write_down (clerk);
    }
  return NULL;
}

__attribute__ ((noinline)) static void
hand_over (unsigned clerk)
{
  pthread_mutex_lock (&lock);
  entries[n_handed++] = clerk;
  pthread_cond_signal (&more);
  pthread_mutex_unlock (&lock);
  while (!is_fixed && sem_wait (&written[clerk]) < 0)
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
    if (sem_init (&written[i], 0, 0) != 0
        || pthread_create (&clerks[i], NULL, be_clerk, (void *) i) != 0)
      return 1;
  for (unsigned i = 0; i < N_CLERKS; i++)
    pthread_join (clerks[i], NULL);
  pthread_join (scribe, NULL);
  report ("work", N_CLERKS * n_entries);
  report ("wall", wall_ns () - begin);
  return 0;
}
