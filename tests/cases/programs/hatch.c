/* hatch.c: guests that order at a Unix socket, served by one or two cooks
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 *
 * usage: hatch ORDERS STEPS PATH [fixed]
 *
 * Each of four guests, threads of one process, connects, orders, waits for the answer, hangs up and
 * computes STEPS / 4, ORDERS times. A process behind the socket at PATH takes one connection after
 * another: it waits 800 µs, computes STEPS and answers. With "fixed" it has two threads for this.
 * Reports "work" (orders of all guests) and "wall".
 */

#include <pthread.h>
#include <signal.h>
#include <sys/prctl.h>
#include <sys/wait.h>

#include "measure.h"
#include "sockets.h"

#define N_GUESTS 4
#define FAR_NS 800000

static const char *path;
static int hatch;
static long n_orders;
static uint64_t steps;

__attribute__ ((noinline)) static void
ask_far_away (void)
{
  const struct timespec far = { .tv_nsec = FAR_NS };

  clock_nanosleep (CLOCK_MONOTONIC, 0, &far, NULL);
}

static void *
cook (void *data)
{
  prctl (PR_SET_NAME, "cook");
  for (;;)
    {
      int guest = accept4 (hatch, NULL, NULL, SOCK_CLOEXEC);
      char order[64];

      if (guest < 0 || !receive_all (guest, order, sizeof order))
        exit (1);
      ask_far_away ();
      compute (steps);
      if (!send_all (guest, order, sizeof order))
        exit (1);
      close (guest);
    }
  return NULL;
}

__attribute__ ((noinline)) static void
place_order (void)
{
  char order[64] = "one of everything";
  int fd = make_socket (path, false);

  if (!send_all (fd, order, sizeof order) || !receive_all (fd, order, sizeof order))
    exit (1);
  close (fd);
}

static void *
be_guest (void *data)
{
  prctl (PR_SET_NAME, "guest");
  for (long i = 0; i < n_orders; i++)
    {
      place_order ();
      compute (steps / 4);
    }
  return NULL;
}

static pid_t
start_kitchen (bool is_fixed)
{
  pid_t kitchen = fork ();
  pthread_t second;

  if (kitchen != 0)
    return kitchen;
  prctl (PR_SET_PDEATHSIG, SIGKILL);
  if (is_fixed && pthread_create (&second, NULL, cook, NULL) != 0)
    exit (1);
  cook (NULL);
  exit (0);
}

int
main (int argc, char **argv)
{
  int64_t begin = wall_ns ();
  pthread_t guests[N_GUESTS];
  pid_t kitchen;

  if (argc < 4)
    return 2;
  n_orders = atol (argv[1]);
  steps = strtoull (argv[2], NULL, 10);
  path = argv[3];
  unlink (path);
  hatch = make_socket (path, true);
  kitchen = start_kitchen (argc > 4 && strcmp (argv[4], "fixed") == 0);
  if (kitchen < 0)
    return 1;
  for (unsigned i = 0; i < N_GUESTS; i++)
    if (pthread_create (&guests[i], NULL, be_guest, NULL) != 0)
      return 1;
  for (unsigned i = 0; i < N_GUESTS; i++)
    pthread_join (guests[i], NULL);
  kill (kitchen, SIGTERM);
  waitpid (kitchen, NULL, 0);
  report ("work", N_GUESTS * n_orders);
  report ("wall", wall_ns () - begin);
  return 0;
}
