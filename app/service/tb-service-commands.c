/* tb-service-commands.c: commands that the service starts as the caller, held before their exec
 * until the caller releases them
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#include "config.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

#include "tb-service-commands.h"

typedef struct
{
  int status;
  GSourceOnceFunc ended;
  gpointer data;
} Watch;

typedef struct
{
  char **paths; /* the first that is a program is executed */
  char **argv;
  const char *folder;
  char **environment;
  const int *streams;
  const TbServiceUser *user;
  int channel;
} Child;

static void
reset_signals (void)
{
  struct sigaction action = { .sa_handler = SIG_DFL };
  sigset_t none;

  for (int number = 1; number < NSIG; number++)
    sigaction (number, &action, NULL);
  sigemptyset (&none);
  sigprocmask (SIG_SETMASK, &none, NULL);
}

/* Between fork and exec: only async-signal-safe calls. Returns errno. */
static int
prepare (const Child *child)
{
  for (int i = 0; i < 3; i++)
    if (dup2 (child->streams[i], i) < 0)
      return errno;
  if (setsid () < 0)
    return errno;
  if (!tb_service_user_become (child->user))
    return EPERM;
  if (chdir (child->folder) == 0)
    return 0;
  /* Some accounts have no home folder. */
  return child->folder == child->user->home && chdir ("/") == 0 ? 0 : errno;
}

static _Noreturn void
run_held (const Child *child)
{
  const int least = STDERR_FILENO + 1;
  int error, channel = fcntl (child->channel, F_DUPFD_CLOEXEC, least + 61);
  gssize got;
  char go;

  reset_signals ();
  error = channel >= 0 ? prepare (child) : errno;
  if (channel < 0)
    _exit (127);
  close_range (least, (unsigned) channel - 1, 0);
  close_range ((unsigned) channel + 1, ~0u, 0);
  do
    got = recv (channel, &go, 1, 0);
  while (got < 0 && errno == EINTR);
  if (got != 1)
    _exit (127);
  for (char **path = child->paths; error == 0 && *path != NULL; path++)
    {
      execve (*path, child->argv, child->environment);
      if ((errno != ENOENT && errno != ENOTDIR) || path[1] == NULL)
        error = errno;
    }
  (void) !send (channel, &error, sizeof error, MSG_NOSIGNAL);
  _exit (127);
}

static void
on_ended (GPid pid, int wait_status, gpointer data)
{
  Watch *watch = data;

  (void) !write (watch->status, &wait_status, sizeof wait_status);
  close (watch->status);
  watch->ended (watch->data);
  g_free (watch);
}

static char **
make_environment (const TbServiceUser *user, char **variables)
{
  g_autofree char *runtime = g_strdup_printf ("/run/user/%u", (unsigned) user->uid);
  g_autofree char *bus = g_strdup_printf ("unix:path=%s/bus", runtime);
  char **environment = NULL;

  environment = g_environ_setenv (environment, "HOME", user->home, TRUE);
  environment = g_environ_setenv (environment, "USER", user->name, TRUE);
  environment = g_environ_setenv (environment, "LOGNAME", user->name, TRUE);
  environment = g_environ_setenv (environment, "SHELL", user->shell, TRUE);
  environment = g_environ_setenv (environment, "PATH", "/usr/local/bin:/usr/bin:/bin", TRUE);
  environment = g_environ_setenv (environment, "XDG_RUNTIME_DIR", runtime, TRUE);
  environment = g_environ_setenv (environment, "DBUS_SESSION_BUS_ADDRESS", bus, TRUE);
  for (guint i = 0; variables[i] != NULL; i++)
    {
      const char *sign = strchr (variables[i], '=');
      g_autofree char *name = sign != NULL ? g_strndup (variables[i], sign - variables[i]) : NULL;

      if (name != NULL && *name != '\0')
        environment = g_environ_setenv (environment, name, sign + 1, TRUE);
    }
  return environment;
}

/* The files that may be meant by the name of a program, as a shell would look for it. */
static char **
list_paths (const char *name, char **environment)
{
  const char *path = g_environ_getenv (environment, "PATH");
  g_auto (GStrv) folders = g_strsplit (path, ":", -1);
  g_autoptr (GStrvBuilder) paths = g_strv_builder_new ();

  if (strchr (name, '/') != NULL)
    g_strv_builder_add (paths, name);
  for (guint i = 0; strchr (name, '/') == NULL && folders[i] != NULL; i++)
    g_strv_builder_take (paths, g_build_filename (folders[i], name, NULL));
  return g_strv_builder_end (paths);
}

gboolean
tb_service_commands_start (char **argv,
                           const char *folder,
                           char **variables,
                           const int streams[3],
                           const TbServiceUser *user,
                           TbServiceCommand *command,
                           GSourceOnceFunc ended,
                           gpointer data,
                           GError **error)
{
  g_auto (GStrv) environment = make_environment (user, variables);
  g_auto (GStrv) paths = list_paths (argv[0], environment);
  Child child
      = { paths, argv, folder[0] != '\0' ? folder : user->home, environment, streams, user, -1 };
  int channel[2], status[2];
  Watch *watch;

  if (socketpair (AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC, 0, channel) != 0)
    {
      g_set_error (error, G_DBUS_ERROR, G_DBUS_ERROR_LIMITS_EXCEEDED, "%s", g_strerror (errno));
      return FALSE;
    }
  if (pipe2 (status, O_CLOEXEC) == 0)
    {
      child.channel = channel[1];
      command->pid = fork ();
      if (command->pid == 0)
        run_held (&child);
    }
  else
    command->pid = status[0] = status[1] = -1;
  close (channel[1]);
  if (command->pid < 0)
    {
      g_set_error (error, G_DBUS_ERROR, G_DBUS_ERROR_LIMITS_EXCEEDED, "“%s” cannot be started: %s",
                   argv[0], g_strerror (errno));
      close (channel[0]);
      if (status[0] >= 0)
        {
          close (status[0]);
          close (status[1]);
        }
      return FALSE;
    }
  command->channel = channel[0];
  command->status = status[0];
  watch = g_new0 (Watch, 1);
  *watch = (Watch) { status[1], ended, data };
  g_child_watch_add (command->pid, on_ended, watch);
  return TRUE;
}
