/* crew.c: a server with many worker threads, and its single-threaded client
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 *
 * usage: crew serve ADDRESS WORKERS STEPS
 *        crew ask ADDRESS REQUESTS STEPS
 *
 * The main thread of the server takes requests from its connection and hands each to any waiting
 * worker. The worker computes and answers. The client computes a little between two requests.
 */

#include <pthread.h>

#include "measure.h"
#include "sockets.h"

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t some_work = PTHREAD_COND_INITIALIZER;
static unsigned n_waiting;
static int client;
static uint64_t steps;

__attribute__ ((noinline)) static void
take_request (void)
{
  pthread_mutex_lock (&lock);
  while (n_waiting == 0)
    pthread_cond_wait (&some_work, &lock);
  n_waiting--;
  pthread_mutex_unlock (&lock);
}

__attribute__ ((noinline)) static void
answer_request (void)
{
  char byte = 'a';

  compute (steps);
  send_all (client, &byte, 1);
}

/* All of a worker's time is work, so it reports the time since its last report. */
static void *
work (void *data)
{
  for (int64_t reported = 0;;)
    {
      int64_t now;

      take_request ();
      answer_request ();
      now = read_clock (CLOCK_THREAD_CPUTIME_ID);
      report ("worker-cpu", now - reported);
      reported = now;
    }
  return NULL;
}

static int
serve (const char *address, long n_workers)
{
  int listening = make_socket (address, true);
  char byte;

  for (pthread_t worker; n_workers > 0; n_workers--)
    if (pthread_create (&worker, NULL, work, NULL) != 0)
      return 1;
  while ((client = accept (listening, NULL, NULL)) >= 0)
    while (receive_all (client, &byte, 1))
      {
        pthread_mutex_lock (&lock);
        n_waiting++;
        pthread_cond_signal (&some_work);
        pthread_mutex_unlock (&lock);
      }
  return 1;
}

static int
ask (const char *address, long n_requests)
{
  int server = make_socket (address, false);
  int64_t waited = 0;
  char byte = 'q';

  while (n_requests-- > 0)
    {
      int64_t request_begin;

      compute (steps);
      request_begin = wall_ns ();
      if (!send_all (server, &byte, 1) || !receive_all (server, &byte, 1))
        return 1;
      waited += wall_ns () - request_begin;
    }
  report ("client-waited", waited);
  report ("client-cpu", cpu_ns ());
  return 0;
}

int
main (int argc, char **argv)
{
  if (argc != 5)
    return 2;
  steps = strtoull (argv[4], NULL, 10);
  return strcmp (argv[1], "serve") == 0 ? serve (argv[2], atol (argv[3]))
                                        : ask (argv[2], atol (argv[3]));
}
