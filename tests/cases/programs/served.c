/* served.c: calls that wait for a server, which is slow for some of them
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 *
 * usage: served CASE SECONDS
 *
 * In case "threads" a thread of the process is the server, in "processes" a separate process.
 * Prints "ready". A client then sends requests by two paths, one of which is slow in the server.
 * Another thread sends a request that is slower still.
 */

#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <signal.h>
#include <unistd.h>

#include "spin.h"

enum
{
  CLIENT,
  OTHER,
};

static int requests[2], answers[2][2];
static uint64_t n_asked;

/* Server */

NOINLINE static void
serve_look (void)
{
  SPIN (20000);
  KEEP_FRAME;
}

NOINLINE static void
serve_work (void)
{
  SPIN (500000);
  KEEP_FRAME;
}

NOINLINE static void
serve_more (void)
{
  SPIN (3000000);
  KEEP_FRAME;
}

NOINLINE static void
serve_f0 (char what)
{
  if (what == 'q')
    SPIN (5000);
  else if (what == 's')
    {
      serve_look ();
      serve_work ();
    }
  else
    serve_more ();
  KEEP_FRAME;
}

/* Includes sending the answer. */
NOINLINE static void
serve_whole (char what)
{
  serve_f0 (what);
  if (write (answers[what == 'o' ? OTHER : CLIENT][1], &what, 1) != 1)
    exit (1);
  KEEP_FRAME;
}

static void *
serve (void *unused)
{
  char what;

  while (read (requests[0], &what, 1) == 1)
    serve_whole (what);
  return unused;
}

/* Clients */

NOINLINE static void
ask (char what)
{
  if (write (requests[1], &what, 1) != 1
      || read (answers[what == 'o' ? OTHER : CLIENT][0], &what, 1) != 1)
    exit (1);
  KEEP_FRAME;
}

NOINLINE static void
client_quick (void)
{
  ask ('q');
  KEEP_FRAME;
}

NOINLINE static void
client_slow (void)
{
  ask ('s');
  KEEP_FRAME;
}

NOINLINE static void
client_f0 (void)
{
  if (n_asked++ % 4 == 0)
    client_slow ();
  else
    client_quick ();
  KEEP_FRAME;
}

NOINLINE static void
other_f0 (void)
{
  ask ('o');
  KEEP_FRAME;
}

static void *
ask_for_more (void *unused)
{
  for (;;)
    {
      other_f0 ();
      usleep (20000);
    }
  return unused;
}

int
main (int argc, char **argv)
{
  int is_separate = argc > 1 && strcmp (argv[1], "processes") == 0;
  uint64_t end;
  pthread_t thread;

  calibrate ();
  end = now () + (uint64_t) ((argc > 2 ? atof (argv[2]) : 1) * 1e9);
  if (pipe (requests) != 0 || pipe (answers[CLIENT]) != 0 || pipe (answers[OTHER]) != 0)
    return 1;
  if (!is_separate)
    pthread_create (&thread, NULL, serve, NULL);
  else if (fork () == 0)
    {
      prctl (PR_SET_PDEATHSIG, SIGKILL);
      serve (NULL);
      return 0;
    }
  pthread_create (&thread, NULL, ask_for_more, NULL);
  puts ("ready");
  fflush (stdout);
  while (now () < end)
    {
      client_f0 ();
      usleep (200);
    }
  return 0;
}
