/* tb-agent-attach-helper.c: attach helper: short-lived processes in which a function of the caller
 * attaches user probes, and in which probes are detached, so that the end of the agent cannot leave
 * breakpoints in programs; list of the links of attached probes
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#include <errno.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

#include "agent/base/tb-agent-map.h"
#include "agent/probes/tb-agent-attach-helper.h"

#define FDS_PER_MESSAGE 128u /* the kernel permits 253 */

/* The last message is followed by the answer. */
typedef struct
{
  int is_last;
  int result;
  int error;
} Message;

typedef union
{
  struct cmsghdr header; /* for alignment */
  char room[CMSG_SPACE (FDS_PER_MESSAGE * sizeof (int))];
} Control;

void
tb_agent_links_add (TbAgentLinks *self, int fd)
{
  if ((self->n & (self->n + 1)) == 0)
    self->fds = tb_agent_allocate (self->fds, (self->n + 1) * 2 * sizeof *self->fds);
  self->fds[self->n++] = fd;
}

void
tb_agent_links_move (TbAgentLinks *self, TbAgentLinks *other)
{
  for (size_t i = 0; i < other->n; i++)
    tb_agent_links_add (self, other->fds[i]);
  free (other->fds);
  *other = (TbAgentLinks) { 0 };
}

static void
close_all (TbAgentLinks *links)
{
  for (size_t i = links->n; i > 0; i--)
    close (links->fds[i - 1]);
  free (links->fds);
  *links = (TbAgentLinks) { 0 };
}

/* Processes */

/* Helper processes that have not been waited for */
static pid_t *helpers;
static size_t n_helpers;

static void
wait_for_process (pid_t pid)
{
  while (waitpid (pid, NULL, 0) < 0 && errno == EINTR)
    ;
}

/* wait: wait until all have ended */
static void
reap_helpers (int wait)
{
  size_t kept = 0;

  for (size_t i = 0; i < n_helpers; i++)
    if (wait)
      wait_for_process (helpers[i]);
    else if (waitpid (helpers[i], NULL, WNOHANG) == 0)
      helpers[kept++] = helpers[i];
  n_helpers = kept;
  if (kept == 0)
    {
      free (helpers);
      helpers = NULL;
    }
}

/* Forks a process that only SIGKILL and SIGSTOP sent to its own pid can interrupt. */
static pid_t
start_process (void)
{
  sigset_t all, before;
  pid_t pid;

  reap_helpers (0);
  sigfillset (&all);
  pthread_sigmask (SIG_SETMASK, &all, &before);
  pid = fork ();
  if (pid != 0)
    {
      int error = errno;

      pthread_sigmask (SIG_SETMASK, &before, NULL);
      errno = error;
      return pid;
    }
  setsid ();
  return 0;
}

/* Attaching */

static int
send_message (int to,
              const Message *message,
              const void *answer,
              size_t size,
              const int *fds,
              size_t n)
{
  struct iovec parts[2] = { { (void *) message, sizeof *message }, { (void *) answer, size } };
  struct msghdr header = { .msg_iov = parts, .msg_iovlen = 2 };
  Control control;

  memset (&control, 0, sizeof control);
  if (n > 0)
    {
      header.msg_control = &control;
      header.msg_controllen = CMSG_SPACE (n * sizeof *fds);
      control.header.cmsg_level = SOL_SOCKET;
      control.header.cmsg_type = SCM_RIGHTS;
      control.header.cmsg_len = CMSG_LEN (n * sizeof *fds);
      memcpy (CMSG_DATA (&control.header), fds, n * sizeof *fds);
    }
  return sendmsg (to, &header, MSG_NOSIGNAL) >= 0 ? 0 : -1;
}

static void
run_attaching (int to, TbAgentAttachFunc attach, void *data, const void *answer, size_t size)
{
  TbAgentLinks links = { 0 };
  Message last = { .is_last = 1 };

  /* If the agent ends meanwhile, no reader must wait for this copy of its stream. */
  close (STDIN_FILENO);
  close (STDOUT_FILENO);
  last.result = attach (data, &links);
  last.error = errno;
  for (size_t i = 0; i < links.n && last.result == 0; i += FDS_PER_MESSAGE)
    {
      size_t n = links.n - i < FDS_PER_MESSAGE ? links.n - i : FDS_PER_MESSAGE;

      if (send_message (to, &(Message) { 0 }, NULL, 0, links.fds + i, n) != 0)
        {
          last.result = -1;
          last.error = errno;
        }
    }
  /* If attaching failed, everything is detached before the result is sent. */
  if (last.result != 0)
    close_all (&links);
  send_message (to, &last, answer, size, NULL, 0);
  _exit (0);
}

/* Takes the links from a message; -1 with errno if some are missing. */
static int
take_links (struct msghdr *header, TbAgentLinks *links)
{
  struct cmsghdr *part = CMSG_FIRSTHDR (header);
  size_t n = 0;

  if (part != NULL && part->cmsg_level == SOL_SOCKET && part->cmsg_type == SCM_RIGHTS)
    n = (part->cmsg_len - CMSG_LEN (0)) / sizeof (int);
  for (size_t i = 0; i < n; i++)
    {
      int fd;

      memcpy (&fd, CMSG_DATA (part) + i * sizeof fd, sizeof fd);
      tb_agent_links_add (links, fd);
    }
  errno = EMFILE;
  return (header->msg_flags & MSG_CTRUNC) != 0 ? -1 : 0;
}

/* Receives all links. Returns 0, or -1 with errno after some may have arrived. */
static int
receive (int from, TbAgentLinks *links, void *answer, size_t size)
{
  int result = 0, error = 0;

  for (;;)
    {
      Message message = { 0 };
      Control control;
      struct iovec parts[2] = { { &message, sizeof message }, { answer, size } };
      struct msghdr header = {
        .msg_iov = parts, .msg_iovlen = 2, .msg_control = &control, .msg_controllen = sizeof control
      };
      ssize_t got = recvmsg (from, &header, MSG_CMSG_CLOEXEC);

      if (got < 0 && errno == EINTR)
        continue;
      if (got < (ssize_t) sizeof message)
        {
          errno = ECANCELED; /* the helper was killed */
          return -1;
        }
      if (take_links (&header, links) != 0 && result == 0)
        {
          result = -1;
          error = errno;
        }
      if (!message.is_last)
        continue;
      errno = message.result != 0 ? message.error : error;
      return message.result != 0 ? message.result : result;
    }
}

int
tb_agent_attach_helper_attach (TbAgentAttachFunc attach,
                               void *data,
                               TbAgentLinks *links,
                               void *answer,
                               size_t answer_size)
{
  TbAgentLinks got = { 0 };
  int ends[2], result, error;
  pid_t pid;

  if (socketpair (AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC, 0, ends) != 0)
    return -1;
  pid = start_process ();
  if (pid == 0)
    {
      close (ends[0]);
      run_attaching (ends[1], attach, data, answer, answer_size);
    }
  error = errno;
  close (ends[1]);
  errno = error;
  result = pid > 0 ? receive (ends[0], &got, answer, answer_size) : -1;
  error = errno;
  close (ends[0]);
  /* The helper holds copies of all descriptors of this process. Links are detached only after it
   * has ended. */
  if (pid > 0)
    wait_for_process (pid);
  if (result != 0)
    tb_agent_attach_helper_detach (&got, 1);
  tb_agent_links_move (links, &got);
  errno = error;
  return result;
}

/* Detaching */

static int
compare (const void *a, const void *b)
{
  const int *first = a, *second = b;

  return (*first > *second) - (*first < *second);
}

/* Inherited copies of other links would keep those attached until this process ends. */
static void
close_unrelated_fds (const int *kept, size_t n)
{
  unsigned from = 0;

  for (size_t i = 0; i < n; i++)
    {
      if ((unsigned) kept[i] > from)
        (void) close_range (from, (unsigned) kept[i] - 1, 0);
      from = (unsigned) kept[i] + 1;
    }
  (void) close_range (from, ~0u, 0);
}

/* Waits until the agent has closed its copies or has ended. */
static void
run_detaching (int from, TbAgentLinks *links, const int *kept)
{
  char nothing;

  close_unrelated_fds (kept, links->n + 1);
  while (read (from, &nothing, 1) < 0 && errno == EINTR)
    ;
  close_all (links);
  _exit (0);
}

void
tb_agent_attach_helper_detach (TbAgentLinks *links, int wait)
{
  int ends[2] = { -1, -1 }, *kept;
  pid_t pid = -1;

  if (links->n == 0)
    {
      reap_helpers (wait);
      return;
    }
  kept = tb_agent_allocate (NULL, (links->n + 1) * sizeof *kept);
  if (pipe (ends) == 0)
    {
      memcpy (kept, links->fds, links->n * sizeof *kept);
      kept[links->n] = ends[0];
      qsort (kept, links->n + 1, sizeof *kept, compare);
      pid = start_process ();
      if (pid == 0)
        {
          close (ends[1]);
          run_detaching (ends[0], links, kept);
        }
    }
  free (kept);
  /* If no helper process can be started, the links are detached here. */
  close_all (links);
  if (ends[0] >= 0)
    {
      close (ends[0]);
      close (ends[1]);
    }
  if (pid > 0)
    {
      helpers = tb_agent_allocate (helpers, (n_helpers + 1) * sizeof *helpers);
      helpers[n_helpers++] = pid;
    }
  reap_helpers (wait);
}
