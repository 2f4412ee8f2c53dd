/* workload.c: workload of the import benchmark: threads that hand over work, compute and sync
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 *
 * usage: workload SECONDS
 *
 * Pairs of threads pass bytes through pipes from many different call paths, two threads compute in
 * between, and one writes a file and syncs it. Built with frame pointers, so that stacks are
 * complete.
 */

#include <fcntl.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>
#include <unistd.h>

#define N_PAIRS 4

static atomic_bool stopping;
static volatile unsigned sink;

typedef struct
{
  int from;
  int to;
  unsigned seed;
} End;

static unsigned
next_random (End *end)
{
  end->seed = end->seed * 1664525u + 1013904223u;
  return end->seed >> 16;
}

static void pass_on (End *end, unsigned depth, unsigned path);

/* Functions that differ only in their address, which gives different call paths. */
#define STEP(number)                                                                               \
  static __attribute__ ((noinline)) void step_##number (End *end, unsigned depth, unsigned path)   \
  {                                                                                                \
    pass_on (end, depth - 1, path >> 2);                                                           \
    sink += number;                                                                                \
  }

STEP (0)
STEP (1)
STEP (2)
STEP (3)

static __attribute__ ((noinline)) void
hand_over (End *end)
{
  char byte = 0;

  if (write (end->to, &byte, 1) != 1 || read (end->from, &byte, 1) != 1)
    atomic_store (&stopping, true);
  sink++;
}

static __attribute__ ((noinline)) void
pass_on (End *end, unsigned depth, unsigned path)
{
  static void (*const steps[]) (End *, unsigned, unsigned) = { step_0, step_1, step_2, step_3 };

  if (depth == 0)
    hand_over (end);
  else
    steps[path & 3](end, depth, path);
  sink++;
}

static void *
play (void *data)
{
  End *end = data;

  while (!atomic_load (&stopping))
    {
      unsigned random = next_random (end);

      pass_on (end, 2 + random % 12, random & 0xff);
    }
  /* Releases the other side. */
  close (end->to);
  return NULL;
}

static void *
compute (void *data)
{
  while (!atomic_load (&stopping))
    {
      for (unsigned i = 0; i < 200000; i++)
        sink += i * i;
      usleep (2000);
    }
  return NULL;
}

static void *
sync_file (void *data)
{
  const char *path = data;
  static char block[65536];

  while (!atomic_load (&stopping))
    {
      int file = open (path, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0600);

      for (unsigned i = 0; i < 4 && file >= 0; i++)
        if (write (file, block, sizeof block) < 0 || fsync (file) < 0)
          break;
      close (file);
      usleep (1000);
    }
  unlink (path);
  return NULL;
}

int
main (int argc, char **argv)
{
  double seconds = argc > 1 ? atof (argv[1]) : 10;
  struct timespec duration = { (time_t) seconds, (long) ((seconds - (time_t) seconds) * 1e9) };
  static End ends[N_PAIRS * 2];
  pthread_t threads[N_PAIRS * 2 + 3];
  unsigned n = 0;

  for (unsigned i = 0; i < N_PAIRS; i++)
    {
      int there[2], back[2];

      if (pipe2 (there, O_CLOEXEC) < 0 || pipe2 (back, O_CLOEXEC) < 0)
        return 1;
      ends[2 * i] = (End) { back[0], there[1], i };
      ends[2 * i + 1] = (End) { there[0], back[1], i + 100 };
    }
  for (unsigned i = 0; i < N_PAIRS * 2; i++)
    pthread_create (&threads[n++], NULL, play, &ends[i]);
  for (unsigned i = 0; i < 2; i++)
    pthread_create (&threads[n++], NULL, compute, NULL);
  pthread_create (&threads[n++], NULL, sync_file, argc > 2 ? argv[2] : "workload.tmp");
  nanosleep (&duration, NULL);
  atomic_store (&stopping, true);
  return 0;
}
