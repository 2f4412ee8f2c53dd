/* tb-service-processes.c: running processes of the host, and the files that they have mapped, read
 * with the rights of the caller
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#include "config.h"

#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "tb-service-processes.h"

#define MAX_TEXT 4096
#define MAX_PROCESSES 100000

static char *
read_text (const char *pid, const char *name)
{
  g_autofree char *path = g_build_filename ("/proc", pid, name, NULL);
  int fd = open (path, O_RDONLY | O_CLOEXEC);
  char text[MAX_TEXT];
  gssize length = fd >= 0 ? read (fd, text, sizeof text - 1) : -1;

  if (fd >= 0)
    close (fd);
  if (length < 0)
    return NULL;
  for (gssize i = 0; i + 1 < length; i++)
    if (text[i] == '\0')
      text[i] = ' ';
  text[length] = '\0';
  g_strchomp (text);
  return g_utf8_make_valid (text, -1);
}

GVariant *
tb_service_processes_list (void)
{
  g_autoptr (GDir) folder = g_dir_open ("/proc", 0, NULL);
  GVariantBuilder list;
  const char *entry;
  guint n = 0;

  g_variant_builder_init (&list, G_VARIANT_TYPE ("a(iss)"));
  while (folder != NULL && n < MAX_PROCESSES && (entry = g_dir_read_name (folder)) != NULL)
    {
      g_autofree char *name = NULL;
      g_autofree char *command = NULL;
      guint64 pid;

      if (!g_ascii_string_to_unsigned (entry, 10, 1, G_MAXINT32, &pid, NULL))
        continue;
      name = read_text (entry, "comm");
      command = read_text (entry, "cmdline");
      /* Threads of the kernel have no command line. */
      if (name == NULL || command == NULL || command[0] == '\0')
        continue;
      g_variant_builder_add (&list, "(iss)", (gint32) pid, name, command);
      n++;
    }
  return g_variant_builder_end (&list);
}

/* --- files --- */

/* Whether the process has mapped this path to be executed. */
static gboolean
is_mapped (int maps, const char *path)
{
  g_autofree char *text = NULL;
  g_auto (GStrv) lines = NULL;
  gsize length;
  g_autofree char *file = g_strdup_printf ("/proc/self/fd/%d", maps);

  if (!g_file_get_contents (file, &text, &length, NULL))
    return FALSE;
  lines = g_strsplit (text, "\n", -1);
  for (guint i = 0; lines[i] != NULL; i++)
    {
      const char *mapped = strchr (lines[i], '/'), *rights = strchr (lines[i], ' ');

      if (mapped != NULL && rights != NULL && rights < mapped && strlen (rights) > 4
          && rights[3] == 'x' && strcmp (mapped, path) == 0)
        return TRUE;
    }
  return FALSE;
}

static void
send_descriptor (int channel, int fd)
{
  union
  {
    struct cmsghdr header;
    char space[CMSG_SPACE (sizeof (int))];
  } control = { 0 };
  int error = fd < 0 ? errno : 0;
  struct iovec part = { &error, sizeof error };
  struct msghdr message = { .msg_iov = &part, .msg_iovlen = 1 };

  if (fd >= 0)
    {
      message.msg_control = &control;
      message.msg_controllen = sizeof control;
      control.header.cmsg_level = SOL_SOCKET;
      control.header.cmsg_type = SCM_RIGHTS;
      control.header.cmsg_len = CMSG_LEN (sizeof (int));
      memcpy (CMSG_DATA (&control.header), &fd, sizeof fd);
    }
  (void) !sendmsg (channel, &message, MSG_NOSIGNAL);
}

static int
receive_descriptor (int channel, int *error)
{
  union
  {
    struct cmsghdr header;
    char space[CMSG_SPACE (sizeof (int))];
  } control = { 0 };
  struct iovec part = { error, sizeof *error };
  struct msghdr message = {
    .msg_iov = &part, .msg_iovlen = 1, .msg_control = &control, .msg_controllen = sizeof control
  };
  gssize got;
  int fd = -1;

  do
    got = recvmsg (channel, &message, MSG_CMSG_CLOEXEC);
  while (got < 0 && errno == EINTR);
  if (got != (gssize) sizeof *error)
    *error = EIO;
  else if (message.msg_controllen >= CMSG_LEN (sizeof (int))
           && control.header.cmsg_type == SCM_RIGHTS)
    memcpy (&fd, CMSG_DATA (&control.header), sizeof fd);
  return fd;
}

/* The kernel decides what the user may open: the file is opened by a process of that user. Nothing
 * but system calls happens in it. */
static int
open_as (const TbServiceUser *user, const char *path, int *error)
{
  int channel[2], fd = -1;
  pid_t child;

  if (socketpair (AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC, 0, channel) != 0)
    {
      *error = errno;
      return -1;
    }
  child = fork ();
  if (child == 0)
    {
      errno = EPERM;
      send_descriptor (channel[1], tb_service_user_become (user)
                                       ? open (path, O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY)
                                       : -1);
      _exit (0);
    }
  *error = errno;
  close (channel[1]);
  if (child > 0)
    {
      fd = receive_descriptor (channel[0], error);
      while (waitpid (child, NULL, 0) < 0 && errno == EINTR)
        ;
    }
  close (channel[0]);
  return fd;
}

static gboolean
is_regular (int fd)
{
  struct stat status;

  return fstat (fd, &status) == 0 && S_ISREG (status.st_mode);
}

int
tb_service_processes_open (gint32 pid, const char *name, const TbServiceUser *user, GError **error)
{
  g_autofree char *maps_path = g_strdup_printf ("/proc/%d/maps", pid);
  g_autofree char *path = name[0] == '/' ? g_strdup_printf ("/proc/%d/root%s", pid, name)
                                         : g_strdup_printf ("/proc/%d/%s", pid, name);
  int reason = 0, fd, maps;

  if (pid <= 0 || (name[0] != '/' && !g_str_equal (name, "maps") && !g_str_equal (name, "exe")))
    {
      g_set_error (error, G_DBUS_ERROR, G_DBUS_ERROR_INVALID_ARGS,
                   "cannot open “%s” of process %d: use maps, exe or an absolute path", name, pid);
      return -1;
    }
  if (name[0] == '/')
    {
      gboolean mapped;

      maps = open_as (user, maps_path, &reason);
      mapped = maps >= 0 && is_mapped (maps, name);
      if (maps >= 0)
        close (maps);
      if (!mapped)
        {
          g_set_error (error, G_DBUS_ERROR, G_DBUS_ERROR_ACCESS_DENIED,
                       "process %d has not mapped “%s”", pid, name);
          return -1;
        }
    }
  fd = open_as (user, path, &reason);
  if (fd >= 0 && is_regular (fd))
    return fd;
  if (fd >= 0)
    close (fd);
  g_set_error (error, G_DBUS_ERROR, G_DBUS_ERROR_ACCESS_DENIED,
               "“%s” of process %d cannot be read: %s", name, pid,
               fd >= 0 ? "not a regular file" : g_strerror (reason));
  return -1;
}
