/* desk.c: clerk threads that enter sums into one book behind a lock, each at most PAUSE apart
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 *
 * usage: desk ROUNDS
 */

#include <pthread.h>
#include <stdint.h>
#include <unistd.h>

#include "turns.h"

#define CLERKS 3
/* µs. A thread that arrives at a random time while the lock is held for L waits L/2 on average.
 * Both other clerks together wait at most L²/PAUSE, which is L/3 for an L of PAUSE/3. So the work
 * takes three times as long as the waits that it causes. */
#define PAUSE 30000

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static uint64_t book;
static long rounds;

__attribute__ ((noinline)) static void
add_up (unsigned steps)
{
  for (unsigned i = 0; i < steps; i++)
    book = book * 33 + i;
}

__attribute__ ((noinline)) static void
enter_small (void)
{
  pthread_mutex_lock (&lock);
  add_up (20000);
  pthread_mutex_unlock (&lock);
}

__attribute__ ((noinline)) static void
enter_large (void)
{
  pthread_mutex_lock (&lock);
  add_up (30000);
  TAKE_TURNS (turns);
  pthread_mutex_unlock (&lock);
}

static void *
clerk (void *data)
{
  for (long i = 0; i < rounds; i++)
    {
      if (data != NULL && i % 4 == 0)
        enter_large ();
      else
        enter_small ();
      usleep (PAUSE);
    }
  return NULL;
}

int
main (int argc, char **argv)
{
  pthread_t threads[CLERKS];

  rounds = argc > 1 ? atol (argv[1]) : 0;
  for (int i = 0; i < CLERKS; i++)
    if (pthread_create (&threads[i], NULL, clerk, i == 1 ? &lock : NULL) != 0)
      return 1;
  for (int i = 0; i < CLERKS; i++)
    pthread_join (threads[i], NULL);
  return 0;
}
