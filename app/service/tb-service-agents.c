/* tb-service-agents.c: start of tailback-agent for a user, with the ends of its streams for the
 * caller
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#include "config.h"

#include <errno.h>
#include <fcntl.h>
#include <sys/socket.h>
#include <unistd.h>

#include "tb-service-agents.h"

static void
close_one (int *fd)
{
  if (*fd >= 0)
    close (*fd);
  *fd = -1;
}

void
tb_service_streams_close (TbServiceStreams *self)
{
  close_one (&self->control);
  close_one (&self->stream);
  close_one (&self->log);
}

/* ours: the ends for the caller; theirs: those of the agent, in the order of its descriptors */
static gboolean
open_streams (TbServiceStreams *ours, int theirs[3])
{
  int control[2], stream[2], log[2];

  if (socketpair (AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, control) != 0)
    return FALSE;
  ours->control = control[0];
  theirs[0] = control[1];
  if (pipe2 (stream, O_CLOEXEC) != 0)
    return FALSE;
  ours->stream = stream[0];
  theirs[1] = stream[1];
  if (pipe2 (log, O_CLOEXEC) != 0)
    return FALSE;
  ours->log = log[0];
  theirs[2] = log[1];
  return TRUE;
}

static gboolean
check_arguments (const char *scope, const char *backend, GError **error)
{
  if (g_str_equal (scope, "system") || g_str_equal (scope, "own"))
    {
      if (g_strv_contains ((const char *const[]) { "", "bpf", "perf", NULL }, backend))
        return TRUE;
      g_set_error (error, G_DBUS_ERROR, G_DBUS_ERROR_INVALID_ARGS,
                   "unknown backend “%s”: use bpf, perf or nothing", backend);
      return FALSE;
    }
  g_set_error (error, G_DBUS_ERROR, G_DBUS_ERROR_INVALID_ARGS,
               "unknown scope “%s”: use system or own", scope);
  return FALSE;
}

/* The agent reads from these which processes it may record, as if pkexec had started it. */
static GSubprocessLauncher *
new_launcher (guint32 uid, const int theirs[3])
{
  GSubprocessLauncher *launcher = g_subprocess_launcher_new (G_SUBPROCESS_FLAGS_NONE);
  g_autofree char *caller = g_strdup_printf ("PKEXEC_UID=%u", uid);
  char *environment[]
      = { caller, (char *) "PATH=/usr/sbin:/usr/bin:/sbin:/bin", (char *) "LANG=C.UTF-8", NULL };

  g_subprocess_launcher_set_environ (launcher, environment);
  g_subprocess_launcher_set_cwd (launcher, "/");
  g_subprocess_launcher_take_stdin_fd (launcher, theirs[0]);
  g_subprocess_launcher_take_stdout_fd (launcher, theirs[1]);
  g_subprocess_launcher_take_stderr_fd (launcher, theirs[2]);
  return launcher;
}

GSubprocess *
tb_service_agents_start (const char *agent,
                         const char *scope,
                         const char *backend,
                         guint32 uid,
                         TbServiceStreams *streams,
                         GError **error)
{
  g_autoptr (GSubprocessLauncher) launcher = NULL;
  int theirs[3] = { -1, -1, -1 };
  const char *argv[5] = { agent, g_str_equal (scope, "system") ? "--system" : "--own" };
  GSubprocess *process;

  *streams = (TbServiceStreams) { -1, -1, -1 };
  if (!check_arguments (scope, backend, error))
    return NULL;
  if (!open_streams (streams, theirs))
    {
      g_set_error (error, G_DBUS_ERROR, G_DBUS_ERROR_LIMITS_EXCEEDED,
                   "the agent cannot be started: %s", g_strerror (errno));
      for (int i = 0; i < 3; i++)
        close_one (&theirs[i]);
      tb_service_streams_close (streams);
      return NULL;
    }
  if (backend[0] != '\0')
    {
      argv[2] = "--backend";
      argv[3] = backend;
    }
  launcher = new_launcher (uid, theirs);
  process = g_subprocess_launcher_spawnv (launcher, argv, error);
  if (process == NULL)
    tb_service_streams_close (streams);
  return process;
}
