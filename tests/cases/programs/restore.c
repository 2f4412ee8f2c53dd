/* restore.c: a file read block by block past the page cache, with or without read-ahead
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 *
 * usage: restore STEPS FILE [fixed]
 *
 * Reports "work" (blocks) and "wall".
 */

#include <pthread.h>
#include <semaphore.h>
#include <stdbool.h>
#include <string.h>
#include <sys/prctl.h>

#include "measure.h"

#define BLOCK 262144
#define N_BLOCKS 2 /* size of the buffer */

static char *blocks[N_BLOCKS];
static ssize_t lengths[N_BLOCKS];
static sem_t free_blocks, full_blocks;
static int file;

__attribute__ ((noinline)) static ssize_t
read_block (char *block)
{
  ssize_t length = read (file, block, BLOCK);

  if (length < 0)
    exit (1);
  return length;
}

static void
await (sem_t *semaphore)
{
  while (sem_wait (semaphore) < 0)
    ;
}

static void *
read_ahead (void *data)
{
  prctl (PR_SET_NAME, "ahead");
  for (unsigned at = 0;; at = (at + 1) % N_BLOCKS)
    {
      bool is_last;

      await (&free_blocks);
      lengths[at] = read_block (blocks[at]);
      is_last = lengths[at] == 0;
      sem_post (&full_blocks);
      if (is_last)
        return NULL;
    }
}

/* Returns whether there was a block. */
static bool
take_block (bool is_fixed, unsigned at)
{
  if (!is_fixed)
    return read_block (blocks[0]) > 0;
  await (&full_blocks);
  return lengths[at] > 0;
}

int
main (int argc, char **argv)
{
  bool is_fixed = argc > 3 && strcmp (argv[3], "fixed") == 0;
  int64_t begin = wall_ns ();
  pthread_t ahead;
  long n_done = 0;

  if (argc < 3)
    return 2;
  file = open (argv[2], O_RDONLY | O_DIRECT | O_CLOEXEC);
  if (file < 0 || sem_init (&free_blocks, 0, N_BLOCKS) != 0 || sem_init (&full_blocks, 0, 0) != 0)
    return 1;
  for (unsigned i = 0; i < N_BLOCKS; i++)
    if ((blocks[i] = aligned_alloc (4096, BLOCK)) == NULL)
      return 1;
  if (is_fixed && pthread_create (&ahead, NULL, read_ahead, NULL) != 0)
    return 1;
  for (unsigned at = 0; take_block (is_fixed, at); at = (at + 1) % N_BLOCKS)
    {
      compute (strtoull (argv[1], NULL, 10));
      sem_post (&free_blocks);
      n_done++;
    }
  if (is_fixed)
    pthread_join (ahead, NULL);
  report ("work", n_done);
  report ("wall", wall_ns () - begin);
  return 0;
}
