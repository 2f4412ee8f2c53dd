/* pool.c: a request queue, and workers that mostly wait for a slow server
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 *
 * usage: pool REQUESTS STEPS [fixed]
 *
 * One thread puts requests into a queue of sixteen. Two workers, with "fixed" four, take them, wait
 * 2 ms (for a remote server) and compute. Reports "work" (requests) and "wall".
 */

#include <pthread.h>
#include <stdbool.h>
#include <string.h>
#include <sys/prctl.h>

#include "measure.h"

#define ROOM 16

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t some = PTHREAD_COND_INITIALIZER;
static pthread_cond_t room = PTHREAD_COND_INITIALIZER;
static long n_waiting;
static bool is_over;
static uint64_t steps;

/* Returns whether there was a request. */
__attribute__ ((noinline)) static bool
take (void)
{
  bool is_one;

  pthread_mutex_lock (&lock);
  while (n_waiting == 0 && !is_over)
    pthread_cond_wait (&some, &lock);
  is_one = n_waiting > 0;
  n_waiting -= is_one;
  pthread_cond_signal (&room);
  pthread_mutex_unlock (&lock);
  return is_one;
}

static void *
serve (void *data)
{
  prctl (PR_SET_NAME, "server");
  while (take ())
    {
      usleep (2000);
      compute (steps);
    }
  return NULL;
}

int
main (int argc, char **argv)
{
  int64_t begin = wall_ns ();
  pthread_t servers[4];
  long n_requests, n_servers;

  if (argc < 3)
    return 2;
  n_requests = atol (argv[1]);
  steps = strtoull (argv[2], NULL, 10);
  n_servers = argc > 3 && strcmp (argv[3], "fixed") == 0 ? 4 : 2;
  for (long i = 0; i < n_servers; i++)
    if (pthread_create (&servers[i], NULL, serve, NULL) != 0)
      return 1;
  for (long i = 0; i < n_requests; i++)
    {
      pthread_mutex_lock (&lock);
      while (n_waiting == ROOM)
        pthread_cond_wait (&room, &lock);
      n_waiting++;
      pthread_cond_signal (&some);
      pthread_mutex_unlock (&lock);
    }
  pthread_mutex_lock (&lock);
  is_over = true;
  pthread_cond_broadcast (&some);
  pthread_mutex_unlock (&lock);
  for (long i = 0; i < n_servers; i++)
    pthread_join (servers[i], NULL);
  report ("work", n_requests);
  report ("wall", wall_ns () - begin);
  return 0;
}
