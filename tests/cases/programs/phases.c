/* phases.c: two threads that meet after each phase, with different shares of the work
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 *
 * usage: phases PHASES STEPS [heartbeat] [fixed]
 *
 * One thread has three quarters of each phase. With "fixed" both have a half, and both prepare.
 * With "heartbeat" a third thread sends a request to a fourth every two milliseconds, which answers
 * after a while. These two wait only for each other, and must not be taken for the bottleneck.
 * Reports "work" (phases) and "wall".
 */

#include <pthread.h>
#include <semaphore.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <string.h>
#include <sys/prctl.h>

#include "measure.h"

static pthread_barrier_t barrier;
static sem_t question, answer;
static atomic_bool is_over;
static bool is_fixed;
static long n_phases;
static uint64_t steps;

__attribute__ ((noinline)) static void
prepare (unsigned index)
{
  if (is_fixed)
    compute (steps * 10);
  else if (index == 0)
    compute (steps * 20);
}

__attribute__ ((noinline)) static void
work_phase (unsigned index)
{
  compute (is_fixed ? steps * 2 : index == 0 ? steps * 3 : steps);
}

__attribute__ ((noinline)) static void
meet (void)
{
  pthread_barrier_wait (&barrier);
}

static void *
work (void *data)
{
  unsigned index = (unsigned) (uintptr_t) data;

  prctl (PR_SET_NAME, index == 0 ? "first" : "second");
  prepare (index);
  meet ();
  for (long i = 0; i < n_phases; i++)
    {
      work_phase (index);
      meet ();
    }
  return NULL;
}

static void
await (sem_t *semaphore)
{
  while (sem_wait (semaphore) < 0)
    ;
}

static void *
beat (void *data)
{
  prctl (PR_SET_NAME, "heartbeat");
  while (!atomic_load (&is_over))
    {
      sem_post (&question);
      await (&answer);
      usleep (1500);
    }
  sem_post (&question);
  return NULL;
}

static void *
answer_beats (void *data)
{
  prctl (PR_SET_NAME, "pulse");
  for (;;)
    {
      bool is_last;

      await (&question);
      is_last = atomic_load (&is_over);
      usleep (500);
      sem_post (&answer);
      if (is_last)
        return NULL;
    }
}

static bool
has_word (int argc, char **argv, const char *word)
{
  for (int i = 3; i < argc; i++)
    if (strcmp (argv[i], word) == 0)
      return true;
  return false;
}

int
main (int argc, char **argv)
{
  bool has_heartbeat = has_word (argc, argv, "heartbeat");
  int64_t begin = wall_ns ();
  pthread_t threads[2], heart, pulse;

  if (argc < 3)
    return 2;
  n_phases = atol (argv[1]);
  steps = strtoull (argv[2], NULL, 10);
  is_fixed = has_word (argc, argv, "fixed");
  pthread_barrier_init (&barrier, NULL, 2);
  sem_init (&question, 0, 0);
  sem_init (&answer, 0, 0);
  if (has_heartbeat
      && (pthread_create (&heart, NULL, beat, NULL) != 0
          || pthread_create (&pulse, NULL, answer_beats, NULL) != 0))
    return 1;
  for (uintptr_t i = 0; i < 2; i++)
    if (pthread_create (&threads[i], NULL, work, (void *) i) != 0)
      return 1;
  for (unsigned i = 0; i < 2; i++)
    pthread_join (threads[i], NULL);
  atomic_store (&is_over, true);
  if (has_heartbeat && (pthread_join (heart, NULL) != 0 || pthread_join (pulse, NULL) != 0))
    return 1;
  report ("work", n_phases);
  report ("wall", wall_ns () - begin);
  return 0;
}
