/* desk.c: customers that wait for one desk, which takes twice the necessary time
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 *
 * usage: desk REQUESTS STEPS [fixed]
 *
 * Four customers make REQUESTS requests each, one after another, with STEPS / 4 of their own work
 * between them. The desk takes STEPS for each request, with "fixed" half of that. Reports "work"
 * (requests) and "wall".
 */

#include <pthread.h>
#include <semaphore.h>
#include <stdbool.h>
#include <string.h>
#include <sys/prctl.h>

#include "measure.h"

#define N_CUSTOMERS 4

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t more = PTHREAD_COND_INITIALIZER;
static unsigned queue[N_CUSTOMERS];
static unsigned n_queued;
static sem_t answered[N_CUSTOMERS];
static long n_requests;
static uint64_t steps;
static bool is_fixed;

static unsigned
call_next (void)
{
  unsigned customer;

  pthread_mutex_lock (&lock);
  while (n_queued == 0)
    pthread_cond_wait (&more, &lock);
  customer = queue[0];
  memmove (queue, queue + 1, --n_queued * sizeof *queue);
  pthread_mutex_unlock (&lock);
  return customer;
}

static void *
be_desk (void *data)
{
  prctl (PR_SET_NAME, "desk-clerk");
  for (long i = 0; i < N_CUSTOMERS * n_requests; i++)
    {
      unsigned customer = call_next ();

      compute (is_fixed ? steps / 2 : steps);
      sem_post (&answered[customer]);
    }
  return NULL;
}

static void *
be_customer (void *data)
{
  unsigned customer = (unsigned) (uintptr_t) data;

  prctl (PR_SET_NAME, "customer");
  for (long i = 0; i < n_requests; i++)
    {
      compute (steps / 4);
      pthread_mutex_lock (&lock);
      queue[n_queued++] = customer;
      pthread_cond_signal (&more);
      pthread_mutex_unlock (&lock);
      while (sem_wait (&answered[customer]) < 0)
        ;
    }
  return NULL;
}

int
main (int argc, char **argv)
{
  int64_t begin = wall_ns ();
  pthread_t customers[N_CUSTOMERS], desk;

  if (argc < 3)
    return 2;
  n_requests = atol (argv[1]);
  steps = strtoull (argv[2], NULL, 10);
  is_fixed = argc > 3 && strcmp (argv[3], "fixed") == 0;
  if (pthread_create (&desk, NULL, be_desk, NULL) != 0)
    return 1;
  for (uintptr_t i = 0; i < N_CUSTOMERS; i++)
    if (sem_init (&answered[i], 0, 0) != 0
        || pthread_create (&customers[i], NULL, be_customer, (void *) i) != 0)
      return 1;
  for (unsigned i = 0; i < N_CUSTOMERS; i++)
    pthread_join (customers[i], NULL);
  pthread_join (desk, NULL);
  report ("work", N_CUSTOMERS * n_requests);
  report ("wall", wall_ns () - begin);
  return 0;
}
