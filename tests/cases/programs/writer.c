/* writer.c: items that are computed and durably written, by one thread or with a syncing thread
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 *
 * usage: writer ITEMS STEPS FILE [fixed]
 *
 * The wait graph paper's first figure: computing waits for the disk, and the disk waits for
 * computing. With "fixed" a second thread syncs the items gathered so far. Reports "work" (items)
 * and "wall".
 */

#include <pthread.h>
#include <stdbool.h>
#include <string.h>

#include "measure.h"

#define ITEM_SIZE 65536

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t more = PTHREAD_COND_INITIALIZER;
static long n_waiting;
static bool is_over;
static int file;

__attribute__ ((noinline)) static void
write_item (void)
{
  static char item[ITEM_SIZE];

  if (write (file, item, sizeof item) != sizeof item)
    exit (1);
}

__attribute__ ((noinline)) static void
sync_items (void)
{
  if (fdatasync (file) < 0)
    exit (1);
}

static void *
write_behind (void *data)
{
  pthread_mutex_lock (&lock);
  while (n_waiting > 0 || !is_over)
    {
      long n_taken = n_waiting;

      if (n_taken == 0)
        {
          pthread_cond_wait (&more, &lock);
          continue;
        }
      n_waiting = 0;
      pthread_mutex_unlock (&lock);
      while (n_taken-- > 0)
        write_item ();
      sync_items ();
      pthread_mutex_lock (&lock);
    }
  pthread_mutex_unlock (&lock);
  return NULL;
}

static void
hand_over (bool last)
{
  pthread_mutex_lock (&lock);
  n_waiting += !last;
  is_over = last;
  pthread_cond_signal (&more);
  pthread_mutex_unlock (&lock);
}

int
main (int argc, char **argv)
{
  bool is_fixed = argc > 4 && strcmp (argv[4], "fixed") == 0;
  int64_t begin = wall_ns ();
  pthread_t writer;
  long n_items;

  if (argc < 4)
    return 2;
  n_items = atol (argv[1]);
  file = open (argv[3], O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0600);
  if (file < 0 || pthread_create (&writer, NULL, write_behind, NULL) != 0)
    return 1;
  for (long i = 0; i < n_items; i++)
    {
      compute (strtoull (argv[2], NULL, 10));
      if (is_fixed)
        {
          hand_over (false);
          continue;
        }
      write_item ();
      sync_items ();
    }
  hand_over (true);
  pthread_join (writer, NULL);
  report ("work", n_items);
  report ("wall", wall_ns () - begin);
  return 0;
}
