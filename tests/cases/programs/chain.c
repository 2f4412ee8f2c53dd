/* chain.c: a request that passes through five processes, as from a browser to the checker of a
 * password
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 *
 * usage: chain REQUESTS STEPS PORT FOLDER
 *
 * client → web (TCP, epoll) → cgi (Unix socket) → imap (TCP) → auth (Unix socket), which polls a
 * pipe for a helper that it starts for each request, and delays its answer.
 */

#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <sys/epoll.h>
#include <sys/prctl.h>
#include <sys/wait.h>

#include "measure.h"
#include "sockets.h"

#define MESSAGE_BYTES 200
#define DELAY_NS 2000000

static uint64_t steps;

static bool
ask (int fd)
{
  char message[MESSAGE_BYTES] = "request";

  return send_all (fd, message, sizeof message) && receive_all (fd, message, sizeof message);
}

__attribute__ ((noinline)) static void
run_client (const char *address, long requests)
{
  int fd = make_socket (address, false);

  while (requests-- > 0)
    {
      compute (steps / 4);
      if (!ask (fd))
        exit (1);
    }
}

/* Waits in epoll_wait() for each request. */
__attribute__ ((noinline)) static bool
await_request (int fd)
{
  struct epoll_event event = { .events = EPOLLIN };
  int epoll = epoll_create1 (EPOLL_CLOEXEC);
  bool ready = epoll >= 0 && epoll_ctl (epoll, EPOLL_CTL_ADD, fd, &event) == 0
               && epoll_wait (epoll, &event, 1, 60000) == 1;

  close (epoll);
  return ready;
}

/* The helper of auth: another program in effect, which has its own name. */
__attribute__ ((noinline)) static bool
check_password (void)
{
  struct pollfd answer = { .events = POLLIN };
  int ends[2];
  char byte = 0;
  pid_t pid;

  if (pipe2 (ends, O_CLOEXEC) < 0 || (pid = fork ()) < 0)
    return false;
  if (pid == 0)
    {
      prctl (PR_SET_NAME, "checker");
      compute (steps);
      _exit (write (ends[1], &byte, 1) != 1);
    }
  close (ends[1]);
  answer.fd = ends[0];
  poll (&answer, 1, 10000);
  close (ends[0]);
  return waitpid (pid, NULL, 0) == pid;
}

__attribute__ ((noinline)) static void
delay_answer (void)
{
  clock_nanosleep (CLOCK_MONOTONIC, 0, &(struct timespec) { .tv_nsec = DELAY_NS }, NULL);
}

/* Serves the one client of a listening socket. next: the address of the server behind it. */
__attribute__ ((noinline)) static void
serve (int listening, const char *next, uint64_t work, bool is_web, bool is_auth)
{
  int client = accept4 (listening, NULL, NULL, SOCK_CLOEXEC), one = 1;
  int behind = next != NULL ? make_socket (next, false) : -1;
  char message[MESSAGE_BYTES];

  setsockopt (client, IPPROTO_TCP, TCP_NODELAY, &one, sizeof one);
  while ((!is_web || await_request (client)) && receive_all (client, message, sizeof message))
    {
      compute (work);
      if ((behind >= 0 && !ask (behind)) || (is_auth && !check_password ()))
        exit (1);
      if (is_auth)
        delay_answer ();
      if (!send_all (client, message, sizeof message))
        break;
    }
}

static void
start (const char *name, const char *address, const char *next, uint64_t work)
{
  int listening = make_socket (address, true);
  pid_t parent = getpid ();

  if (fork () != 0)
    {
      close (listening);
      return;
    }
  prctl (PR_SET_PDEATHSIG, SIGKILL);
  prctl (PR_SET_NAME, name);
  if (getppid () == parent)
    serve (listening, next, work, strcmp (name, "web") == 0, strcmp (name, "auth") == 0);
  _exit (0);
}

int
main (int argc, char **argv)
{
  char cgi[100], auth[100], imap[16];
  long requests;

  if (argc != 5)
    return 2;
  requests = atol (argv[1]);
  steps = strtoull (argv[2], NULL, 10);
  snprintf (cgi, sizeof cgi, "%s/cgi", argv[4]);
  snprintf (auth, sizeof auth, "%s/auth", argv[4]);
  snprintf (imap, sizeof imap, "%d", atoi (argv[3]) + 1);
  unlink (cgi);
  unlink (auth);
  start ("auth", auth, NULL, steps / 4);
  start ("imap", imap, auth, steps / 2);
  start ("cgi", cgi, imap, steps);
  start ("web", argv[3], cgi, steps / 4);
  prctl (PR_SET_NAME, "client");
  report ("pid", getpid ());
  int64_t begin = wall_ns ();
  run_client (argv[3], requests);
  report ("wall", wall_ns () - begin);
  return 0;
}
