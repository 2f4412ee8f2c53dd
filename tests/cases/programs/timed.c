/* timed.c: wrapper that runs a command and reports its duration as the kernel counts it
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 *
 * usage: timed COMMAND…
 *
 * The duration is from fork to exit, as the life of a thread in a recording (taskstats:
 * Documentation/accounting/taskstats-struct.rst). Waiting for the command would include the time in
 * which the kernel frees its memory.
 */

#include <errno.h>
#include <fcntl.h>
#include <linux/genetlink.h>
#include <linux/taskstats.h>
#include <sched.h>
#include <stdbool.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/wait.h>

#include "measure.h"

#define ROOM 8192
#define PATIENCE 5 /* s */

typedef struct
{
  struct nlmsghdr header;
  struct genlmsghdr generic;
  char attributes[ROOM];
} Message;

static void
add_text (Message *message, uint16_t type, const char *text)
{
  struct nlattr *attribute
      = (struct nlattr *) ((char *) message + NLMSG_ALIGN (message->header.nlmsg_len));
  size_t length = strlen (text) + 1;

  attribute->nla_type = type;
  attribute->nla_len = (uint16_t) (NLA_HDRLEN + length);
  memcpy ((char *) attribute + NLA_HDRLEN, text, length);
  message->header.nlmsg_len
      = NLMSG_ALIGN (message->header.nlmsg_len) + (uint32_t) NLA_ALIGN (attribute->nla_len);
}

/* Finds the attribute of a type among those in begin…end, including nested ones; NULL if there is
 * none. */
static struct nlattr *
find_attribute (char *begin, char *end, uint16_t type)
{
  while (end - begin >= NLA_HDRLEN)
    {
      struct nlattr *attribute = (struct nlattr *) begin;

      if (attribute->nla_len < NLA_HDRLEN || attribute->nla_len > end - begin)
        return NULL;
      if ((attribute->nla_type & NLA_TYPE_MASK) == type)
        return attribute;
      begin += NLA_ALIGN (attribute->nla_len);
    }
  return NULL;
}

static bool
send_request (int netlink,
              Message *message,
              uint16_t type,
              uint8_t command,
              uint16_t attribute,
              const char *text)
{
  message->header = (struct nlmsghdr) { .nlmsg_len = NLMSG_LENGTH (GENL_HDRLEN),
                                        .nlmsg_type = type,
                                        .nlmsg_flags = NLM_F_REQUEST | NLM_F_ACK };
  message->generic = (struct genlmsghdr) { .cmd = command, .version = 1 };
  add_text (message, attribute, text);
  return send (netlink, message, message->header.nlmsg_len, 0)
         == (ssize_t) message->header.nlmsg_len;
}

static bool
receive (int netlink, Message *message)
{
  ssize_t length;

  do
    length = recv (netlink, message, sizeof *message, 0);
  while (length < 0 && errno == EINTR);
  return length >= (ssize_t) NLMSG_LENGTH (GENL_HDRLEN)
         && message->header.nlmsg_type != NLMSG_ERROR;
}

/* Opens the socket in the first network namespace, that of the kernel threads: the kernel reports
 * exits there only, whichever namespace the command uses. */
static int
open_socket (void)
{
  struct timeval patience = { .tv_sec = PATIENCE };
  int own_namespace = open ("/proc/self/ns/net", O_RDONLY | O_CLOEXEC);
  int first_namespace = open ("/proc/2/ns/net", O_RDONLY | O_CLOEXEC);
  int netlink = -1, room = 4 << 20;

  if (own_namespace >= 0 && first_namespace >= 0 && setns (first_namespace, CLONE_NEWNET) == 0)
    {
      netlink = socket (AF_NETLINK, SOCK_RAW | SOCK_CLOEXEC, NETLINK_GENERIC);
      setsockopt (netlink, SOL_SOCKET, SO_RCVBUFFORCE, &room, sizeof room);
      setsockopt (netlink, SOL_SOCKET, SO_RCVTIMEO, &patience, sizeof patience);
      if (setns (own_namespace, CLONE_NEWNET) < 0)
        _exit (2);
    }
  close (own_namespace);
  close (first_namespace);
  return netlink;
}

/* Opens a socket that receives the kernel's report of each process that ends from now on. */
static int
open_exit_listener (void)
{
  int netlink = open_socket ();
  Message message = { 0 };
  struct nlattr *id;
  char cpus[32];

  if (netlink < 0
      || !send_request (netlink, &message, GENL_ID_CTRL, CTRL_CMD_GETFAMILY, CTRL_ATTR_FAMILY_NAME,
                        TASKSTATS_GENL_NAME)
      || !receive (netlink, &message))
    return -1;
  id = find_attribute (message.attributes, (char *) &message + message.header.nlmsg_len,
                       CTRL_ATTR_FAMILY_ID);
  if (id == NULL)
    return -1;
  uint16_t family = *(uint16_t *) ((char *) id + NLA_HDRLEN);

  /* the acknowledgement of the first request */
  recv (netlink, &message, sizeof message, 0);
  snprintf (cpus, sizeof cpus, "0-%ld", sysconf (_SC_NPROCESSORS_CONF) - 1);
  if (!send_request (netlink, &message, family, TASKSTATS_CMD_GET,
                     TASKSTATS_CMD_ATTR_REGISTER_CPUMASK, cpus))
    return -1;
  recv (netlink, &message, sizeof message, 0);
  return message.header.nlmsg_type == NLMSG_ERROR && *(int *) NLMSG_DATA (&message.header) == 0
             ? netlink
             : -1;
}

/* Returns the lifetime of the process in ns; -1 if it was not reported. */
static int64_t
read_lifetime (int netlink, pid_t pid)
{
  Message message;

  while (receive (netlink, &message))
    {
      char *end = (char *) &message + message.header.nlmsg_len;
      struct nlattr *task = find_attribute (message.attributes, end, TASKSTATS_TYPE_AGGR_PID);
      struct nlattr *stats
          = task ? find_attribute ((char *) task + NLA_HDRLEN, (char *) task + task->nla_len,
                                   TASKSTATS_TYPE_STATS)
                 : NULL;
      struct taskstats accounting;

      if (stats == NULL || stats->nla_len < NLA_HDRLEN + sizeof accounting.version)
        continue;
      memset (&accounting, 0, sizeof accounting);
      memcpy (&accounting, (char *) stats + NLA_HDRLEN,
              stats->nla_len - NLA_HDRLEN < (int) sizeof accounting
                  ? (size_t) (stats->nla_len - NLA_HDRLEN)
                  : sizeof accounting);
      if ((pid_t) accounting.ac_pid == pid)
        return (int64_t) accounting.ac_etime * 1000;
    }
  return -1;
}

int
main (int argc, char **argv)
{
  int netlink = open_exit_listener (), status = 1;
  pid_t pid;

  if (netlink < 0 || argc < 2)
    {
      fprintf (stderr, "timed: the kernel does not report what ends, or there is no command\n");
      return 2;
    }
  pid = fork ();
  if (pid == 0)
    {
      execvp (argv[1], argv + 1);
      _exit (127);
    }
  if (pid < 0 || waitpid (pid, &status, 0) < 0)
    return 2;
  report ("pid", pid);
  report ("wall", read_lifetime (netlink, pid));
  return WIFEXITED (status) ? WEXITSTATUS (status) : 1;
}
