/* pipeline.c: three stages with short queues, the middle one with most of the work
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 *
 * usage: pipeline ITEMS STEPS [fixed]
 *
 * The first thread reads (STEPS), the middle one packs (2 STEPS), the last one writes (STEPS / 2).
 * With "fixed" two threads pack. Reports "work" (items) and "wall".
 */

#include <pthread.h>
#include <stdbool.h>
#include <string.h>
#include <sys/prctl.h>

#include "measure.h"

#define ROOM 8

typedef struct
{
  pthread_mutex_t lock;
  pthread_cond_t some;
  pthread_cond_t room;
  long n;
  long n_taken;
} Queue;

static Queue to_pack
    = { PTHREAD_MUTEX_INITIALIZER, PTHREAD_COND_INITIALIZER, PTHREAD_COND_INITIALIZER, 0, 0 };
static Queue to_write
    = { PTHREAD_MUTEX_INITIALIZER, PTHREAD_COND_INITIALIZER, PTHREAD_COND_INITIALIZER, 0, 0 };
static long n_items;
static uint64_t steps;

__attribute__ ((noinline)) static void
put (Queue *queue)
{
  pthread_mutex_lock (&queue->lock);
  while (queue->n == ROOM)
    pthread_cond_wait (&queue->room, &queue->lock);
  queue->n++;
  pthread_cond_signal (&queue->some);
  pthread_mutex_unlock (&queue->lock);
}

/* Returns whether there was an item. */
__attribute__ ((noinline)) static bool
take (Queue *queue)
{
  bool is_one;

  pthread_mutex_lock (&queue->lock);
  while (queue->n == 0 && queue->n_taken < n_items)
    pthread_cond_wait (&queue->some, &queue->lock);
  is_one = queue->n > 0;
  queue->n -= is_one;
  queue->n_taken += is_one;
  pthread_cond_signal (&queue->room);
  if (queue->n_taken == n_items)
    pthread_cond_broadcast (&queue->some);
  pthread_mutex_unlock (&queue->lock);
  return is_one;
}

static void *
read_items (void *data)
{
  prctl (PR_SET_NAME, "reader");
  for (long i = 0; i < n_items; i++)
    {
      compute (steps);
      put (&to_pack);
    }
  return NULL;
}

static void *
pack_items (void *data)
{
  prctl (PR_SET_NAME, "packer");
  while (take (&to_pack))
    {
      compute (steps * 2);
      put (&to_write);
    }
  return NULL;
}

int
main (int argc, char **argv)
{
  int64_t begin = wall_ns ();
  pthread_t reader, packers[2];
  long n_packers;

  if (argc < 3)
    return 2;
  n_items = atol (argv[1]);
  steps = strtoull (argv[2], NULL, 10);
  n_packers = argc > 3 && strcmp (argv[3], "fixed") == 0 ? 2 : 1;
  if (pthread_create (&reader, NULL, read_items, NULL) != 0)
    return 1;
  for (long i = 0; i < n_packers; i++)
    if (pthread_create (&packers[i], NULL, pack_items, NULL) != 0)
      return 1;
  while (take (&to_write))
    compute (steps / 2);
  pthread_join (reader, NULL);
  for (long i = 0; i < n_packers; i++)
    pthread_join (packers[i], NULL);
  report ("work", n_items);
  report ("wall", wall_ns () - begin);
  return 0;
}
