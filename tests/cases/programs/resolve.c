/* resolve.c: a worker whose end does not wake the poller (the paper's finding in curl)
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 *
 * usage: resolve ROUNDS STEPS TIMEOUT-MS [fixed]
 *
 * A thread does a lookup. Meanwhile the main thread polls a socket with a timeout, and checks after
 * each timeout whether the answer has come. With "fixed" the worker writes to a pipe that is polled
 * as well.
 */

#include <poll.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/socket.h>

#include "measure.h"

static uint64_t steps;
static int wake[2];
static bool is_fixed;
static atomic_int_least64_t done_at;

static void *
look_up (void *data)
{
  char byte = 0;

  prctl (PR_SET_NAME, "lookup");
  compute (steps);
  atomic_store (&done_at, wall_ns ());
  if (is_fixed && write (wake[1], &byte, 1) != 1)
    perror ("resolve");
  return NULL;
}

__attribute__ ((noinline)) static void
poll_for_answer (int idle_socket, int timeout)
{
  struct pollfd fds[] = { { idle_socket, POLLIN, 0 }, { wake[0], POLLIN, 0 } };
  char byte;

  while (atomic_load (&done_at) == 0)
    if (poll (fds, is_fixed ? 2 : 1, timeout) > 0 && read (wake[0], &byte, 1) != 1)
      perror ("resolve");
}

int
main (int argc, char **argv)
{
  int64_t overslept = 0;
  int sockets[2];

  if (argc < 4 || socketpair (AF_UNIX, SOCK_STREAM, 0, sockets) < 0 || pipe2 (wake, O_CLOEXEC) < 0)
    return 2;
  steps = strtoull (argv[2], NULL, 10);
  is_fixed = argc > 4 && strcmp (argv[4], "fixed") == 0;
  for (long rounds = atol (argv[1]); rounds > 0; rounds--)
    {
      pthread_t worker;

      atomic_store (&done_at, 0);
      if (pthread_create (&worker, NULL, look_up, NULL) != 0)
        return 1;
      poll_for_answer (sockets[0], atoi (argv[3]));
      overslept += wall_ns () - atomic_load (&done_at);
      pthread_join (worker, NULL);
    }
  report ("overslept", overslept);
  return 0;
}
