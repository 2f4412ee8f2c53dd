/* batch.c: a log with one sync per batch, which reads fill without needing it
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 *
 * usage: batch REQUESTS FILE [fixed]
 *
 * The wait graph paper's finding in ZooKeeper. Clients put requests into a queue, seven reads to a
 * write. The logger appends writes to the file and syncs when a batch is full or the queue is
 * empty. With "fixed" only writes count. Reports "work" (requests) and "wall".
 */

#include <pthread.h>
#include <stdbool.h>
#include <string.h>
#include <sys/prctl.h>

#include "measure.h"

#define BATCH 16
#define WINDOW 256

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t some = PTHREAD_COND_INITIALIZER;
static pthread_cond_t room = PTHREAD_COND_INITIALIZER;
static long n_asked, n_answered, n_requests;
static bool is_fixed;
static int file;

static bool
is_write (long number)
{
  return number % 8 == 0;
}

__attribute__ ((noinline)) static void
append_entry (void)
{
  static char entry[512];

  if (write (file, entry, sizeof entry) != sizeof entry)
    exit (1);
}

__attribute__ ((noinline)) static void
sync_log (void)
{
  if (fdatasync (file) < 0)
    exit (1);
}

/* Returns the end of the next batch, from the requests in the queue. */
static long
await_batch (long from)
{
  long to = from, n_counted = 0;

  pthread_mutex_lock (&lock);
  while (n_asked == from)
    pthread_cond_wait (&some, &lock);
  while (to < n_asked && n_counted < BATCH)
    {
      n_counted += !is_fixed || is_write (to);
      to++;
    }
  pthread_mutex_unlock (&lock);
  return to;
}

static void *
log_requests (void *data)
{
  prctl (PR_SET_NAME, "logger");
  for (long from = 0; from < n_requests;)
    {
      long to = await_batch (from);

      for (; from < to; from++)
        {
          if (is_write (from))
            append_entry ();
          compute (2000);
        }
      sync_log ();
      pthread_mutex_lock (&lock);
      n_answered = to;
      pthread_cond_signal (&room);
      pthread_mutex_unlock (&lock);
    }
  return NULL;
}

__attribute__ ((noinline)) static void
ask (void)
{
  compute (5000);
  pthread_mutex_lock (&lock);
  while (n_asked - n_answered >= WINDOW)
    pthread_cond_wait (&room, &lock);
  n_asked++;
  pthread_cond_signal (&some);
  pthread_mutex_unlock (&lock);
}

int
main (int argc, char **argv)
{
  int64_t begin = wall_ns ();
  pthread_t logger;

  if (argc < 3)
    return 2;
  n_requests = atol (argv[1]);
  is_fixed = argc > 3 && strcmp (argv[3], "fixed") == 0;
  file = open (argv[2], O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0600);
  if (file < 0 || pthread_create (&logger, NULL, log_requests, NULL) != 0)
    return 1;
  for (long i = 0; i < n_requests; i++)
    ask ();
  pthread_join (logger, NULL);
  report ("work", n_requests);
  report ("wall", wall_ns () - begin);
  return 0;
}
