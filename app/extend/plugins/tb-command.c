/* tb-command.c: command to be recorded: its program is found, its child process is held before its
 * exec until the client (tailback-cli or the window) releases it, gets signals, and is awaited;
 * description of its exit status
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#include "config.h"

#include <errno.h>
#include <fcntl.h>
#include <glib-unix.h>
#include <glib/gi18n-lib.h>
#include <signal.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/tb-host-agent.h"
#include "base/tb-sandbox.h"
#include "extend/plugins/tb-command.h"

/**
 * TbCommand:
 *
 * A program that the client starts, never the agent: it runs as the user, and the agent needs no
 * right to start programs. In a sandbox, where the program would not be that of the computer, the
 * service of the agent starts it there, as the user.
 *
 * [ctor@Command.new] forks a process that waits before its exec. Its PID can be passed to a
 * collector. Once the collector is armed, [method@Command.release] lets the process execute the
 * program, so that the recording holds it from its first instruction on. If the client dies or
 * drops the object first, the held process ends without running the program.
 *
 * The object belongs to the thread that created it; [signal@Command::ended] is emitted in the
 * thread-default main context of that thread.
 */
struct _TbCommand
{
  GObject parent_instance;

  char *path; /* NULL: on_host */
  char *text;
  GPid pid;
  gboolean on_host; /* started outside our sandbox: not our child */
  int channel;      /* to the held process; -1 once it is released */
  gboolean ended;
  int wait_status;
  GSource *watch;
  GPtrArray *waiting; /* of GTask */
};

G_DEFINE_FINAL_TYPE (TbCommand, tb_command, G_TYPE_OBJECT)

enum
{
  SIGNAL_ENDED,
  N_SIGNALS,
};

static guint signals[N_SIGNALS];

static void
reap_silently (GPid pid, int wait_status, gpointer data)
{
}

static void
tb_command_dispose (GObject *object)
{
  TbCommand *self = TB_COMMAND (object);

  if (self->watch != NULL)
    {
      g_autoptr (GMainContext) context = g_source_get_context (self->watch);

      if (context != NULL)
        g_main_context_ref (context);
      g_source_destroy (self->watch);
      g_clear_pointer (&self->watch, g_source_unref);
      if (!self->ended && self->pid > 0 && !self->on_host)
        {
          g_autoptr (GSource) reaper = NULL;

          /* A held process ends when the channel closes; a released one continues. Neither stays a
           * zombie. */
          if (self->channel >= 0)
            kill (self->pid, SIGKILL);
          reaper = g_child_watch_source_new (self->pid);
          g_source_set_callback (reaper, G_SOURCE_FUNC (reap_silently), NULL, NULL);
          g_source_attach (reaper, context);
        }
    }
  if (self->channel >= 0)
    close (self->channel);
  self->channel = -1;

  G_OBJECT_CLASS (tb_command_parent_class)->dispose (object);
}

static void
tb_command_finalize (GObject *object)
{
  TbCommand *self = TB_COMMAND (object);

  g_free (self->path);
  g_free (self->text);
  g_ptr_array_unref (self->waiting);

  G_OBJECT_CLASS (tb_command_parent_class)->finalize (object);
}

static void
tb_command_class_init (TbCommandClass *klass)
{
  GObjectClass *object_class = G_OBJECT_CLASS (klass);

  object_class->dispose = tb_command_dispose;
  object_class->finalize = tb_command_finalize;

  /**
   * TbCommand::ended:
   * @self: the command
   * @wait_status: as waitpid() reports it, see [func@Command.describe_status]
   *
   * The program ended.
   */
  signals[SIGNAL_ENDED] = g_signal_new ("ended", TB_TYPE_COMMAND, G_SIGNAL_RUN_LAST, 0, NULL, NULL,
                                        NULL, G_TYPE_NONE, 1, G_TYPE_INT);
}

static void
tb_command_init (TbCommand *self)
{
  self->channel = -1;
  self->waiting = g_ptr_array_new_with_free_func (g_object_unref);
}

static void
on_child_ended (GPid pid, int wait_status, gpointer data)
{
  g_autoptr (TbCommand) self = g_object_ref (TB_COMMAND (data));
  g_autoptr (GPtrArray) waiting = NULL;

  self->ended = TRUE;
  self->wait_status = wait_status;
  waiting = g_steal_pointer (&self->waiting);
  self->waiting = g_ptr_array_new_with_free_func (g_object_unref);
  for (guint i = 0; i < waiting->len; i++)
    g_task_return_boolean (g_ptr_array_index (waiting, i), TRUE);
  g_signal_emit (self, signals[SIGNAL_ENDED], 0, wait_status);
}

/* The service that started the command on the host reports its end. */
static gboolean
on_host_reported (int fd, GIOCondition condition, gpointer data)
{
  int wait_status;

  /* Without a status the service has ended, and nothing more is known. */
  if (read (fd, &wait_status, sizeof wait_status) != (gssize) sizeof wait_status)
    wait_status = 0;
  on_child_ended (0, wait_status, data);
  return G_SOURCE_REMOVE;
}

static void
close_descriptor (gpointer data)
{
  close (GPOINTER_TO_INT (data));
}

/* Runs between fork and exec in a process that may have had other threads: only async-signal-safe
 * calls. */
static _Noreturn void
run_held_process (int channel, const char *path, char **argv, char **environment)
{
  sigset_t none;
  char go;
  int error;
  ssize_t got;

  for (int number = 1; number < NSIG; number++)
    {
      struct sigaction action;

      if (sigaction (number, NULL, &action) == 0 && action.sa_handler != SIG_DFL
          && (action.sa_handler != SIG_IGN || number == SIGPIPE))
        {
          memset (&action, 0, sizeof action);
          action.sa_handler = SIG_DFL;
          sigaction (number, &action, NULL);
        }
    }
  sigemptyset (&none);
  sigprocmask (SIG_SETMASK, &none, NULL);

  /* Descriptors that the client left open would keep its pipes and the channels of other held
   * processes alive. */
  if (channel > STDERR_FILENO + 1)
    close_range (STDERR_FILENO + 1, channel - 1, 0);
  close_range (channel + 1, ~0u, 0);

  do
    got = recv (channel, &go, 1, 0);
  while (got < 0 && errno == EINTR);
  if (got != 1)
    _exit (127);

  execve (path, argv, environment);
  error = errno;
  (void) !send (channel, &error, sizeof error, MSG_NOSIGNAL);
  _exit (127);
}

static char *
quote_command (const char *const *argv)
{
  GString *text = g_string_new (NULL);

  for (guint i = 0; argv[i] != NULL; i++)
    {
      g_autofree char *quoted = NULL;

      if (i > 0)
        g_string_append_c (text, ' ');
      if (argv[i][0] != '\0'
          && strspn (argv[i], "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789"
                              "-_./=:,+@%")
                 == strlen (argv[i]))
        g_string_append (text, argv[i]);
      else
        g_string_append (text, quoted = g_shell_quote (argv[i]));
    }
  return g_string_free (text, FALSE);
}

/**
 * tb_command_find_program:
 * @name: a path, or a name to search in PATH
 * @error: return location
 *
 * Finds the file of a program.
 *
 * Returns: (transfer full) (nullable): the file that would be executed; %NULL with %G_SPAWN_ERROR,
 *   which names the program, if it does not exist or may not be run. In a sandbox @name itself:
 *   what the computer has is not visible.
 */
char *
tb_command_find_program (const char *name, GError **error)
{
  g_autofree char *path = NULL;

  g_return_val_if_fail (name != NULL, NULL);

  if (tb_sandbox_is_active ())
    return g_strdup (name);
  if (strchr (name, '/') == NULL)
    path = g_find_program_in_path (name);
  else if (g_file_test (name, G_FILE_TEST_EXISTS))
    path = g_strdup (name);
  if (path == NULL)
    {
      g_set_error (error, G_SPAWN_ERROR, G_SPAWN_ERROR_NOENT, _ ("“%s”: no such command"), name);
      return NULL;
    }
  if (g_file_test (path, G_FILE_TEST_IS_DIR))
    {
      g_set_error (error, G_SPAWN_ERROR, G_SPAWN_ERROR_ACCES, _ ("“%s” is a folder, not a program"),
                   name);
      return NULL;
    }
  if (access (path, X_OK) != 0)
    {
      g_set_error (error, G_SPAWN_ERROR, G_SPAWN_ERROR_ACCES, _ ("“%s” cannot be started: %s"),
                   name, g_strerror (errno));
      return NULL;
    }
  return g_steal_pointer (&path);
}

static TbCommand *
start_on_host (const char *const *argv, GError **error)
{
  const int streams[3] = { STDIN_FILENO, STDOUT_FILENO, STDERR_FILENO };
  g_autoptr (GError) reason = NULL;
  int channel, status;
  TbCommand *self;
  gint32 pid;

  if (!tb_host_agent_start_command (argv, streams, &pid, &channel, &status, &reason))
    {
      g_autofree char *missing = tb_host_agent_exists () ? NULL : tb_host_agent_describe_missing ();

      if (missing != NULL)
        g_set_error_literal (error, G_SPAWN_ERROR, G_SPAWN_ERROR_FAILED, missing);
      else
        g_set_error (error, G_SPAWN_ERROR, G_SPAWN_ERROR_FAILED,
                     _ ("“%s” cannot be started outside the sandbox: %s"), argv[0],
                     reason->message);
      return NULL;
    }
  self = g_object_new (TB_TYPE_COMMAND, NULL);
  self->text = quote_command (argv);
  self->pid = pid;
  self->on_host = TRUE;
  self->channel = channel;
  self->watch = g_unix_fd_source_new (status, G_IO_IN | G_IO_HUP | G_IO_ERR);
  g_source_set_callback (self->watch, G_SOURCE_FUNC (on_host_reported), self, NULL);
  g_object_set_data_full (G_OBJECT (self), "status", GINT_TO_POINTER (status), close_descriptor);
  g_source_attach (self->watch, g_main_context_get_thread_default ());
  return self;
}

/**
 * tb_command_new:
 * @argv: (array zero-terminated=1): program (a path, or a name to search in PATH) and its arguments
 * @error: return location
 *
 * Forks a process that waits to execute @argv, with the client's own standard streams, working
 * directory and environment. In a sandbox the agent of the computer does so, in the home folder,
 * and the call waits while the user authorizes it.
 *
 * Returns: (transfer full) (nullable): the held command; %NULL with %G_SPAWN_ERROR, which names the
 *   program, if it does not exist or may not be run
 */
TbCommand *
tb_command_new (const char *const *argv, GError **error)
{
  g_autoptr (TbCommand) self = NULL;
  g_autofree char *path = NULL;
  g_auto (GStrv) environment = NULL;
  sigset_t all, before;
  int channels[2];
  pid_t pid;
  int fork_error;

  g_return_val_if_fail (argv != NULL && argv[0] != NULL, NULL);

  if (tb_sandbox_is_active ())
    return start_on_host (argv, error);
  path = tb_command_find_program (argv[0], error);
  if (path == NULL)
    return NULL;
  environment = g_get_environ ();
  if (socketpair (AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC, 0, channels) != 0)
    {
      g_set_error (error, G_SPAWN_ERROR, G_SPAWN_ERROR_FAILED, _ ("“%s” cannot be started: %s"),
                   argv[0], g_strerror (errno));
      return NULL;
    }

  /* No signal handler of the client may run in the new process. */
  sigfillset (&all);
  pthread_sigmask (SIG_SETMASK, &all, &before);
  pid = fork ();
  fork_error = errno;
  if (pid == 0)
    run_held_process (channels[1], path, (char **) argv, environment);
  pthread_sigmask (SIG_SETMASK, &before, NULL);
  close (channels[1]);
  if (pid < 0)
    {
      close (channels[0]);
      g_set_error (error, G_SPAWN_ERROR, G_SPAWN_ERROR_FORK, _ ("“%s” cannot be started: %s"),
                   argv[0], g_strerror (fork_error));
      return NULL;
    }

  self = g_object_new (TB_TYPE_COMMAND, NULL);
  self->path = g_steal_pointer (&path);
  self->text = quote_command (argv);
  self->pid = pid;
  self->channel = channels[0];
  self->watch = g_child_watch_source_new (pid);
  g_source_set_callback (self->watch, G_SOURCE_FUNC (on_child_ended), self, NULL);
  g_source_attach (self->watch, g_main_context_get_thread_default ());
  return g_steal_pointer (&self);
}

/**
 * tb_command_get_pid:
 * @self: a command
 *
 * Gets the PID of the program.
 *
 * Returns: the PID, the same before and after the release
 */
GPid
tb_command_get_pid (TbCommand *self)
{
  g_return_val_if_fail (TB_IS_COMMAND (self), 0);

  return self->pid;
}

/**
 * tb_command_get_program:
 * @self: a command
 *
 * Gets the file that is executed.
 *
 * Returns: (nullable): the file that is executed: a program or a script; %NULL in a sandbox, which
 *   does not see it
 */
const char *
tb_command_get_program (TbCommand *self)
{
  g_return_val_if_fail (TB_IS_COMMAND (self), NULL);

  return self->path;
}

/**
 * tb_command_get_text:
 * @self: a command
 *
 * Gets the command line for display.
 *
 * Returns: the command line, quoted where a shell needs it
 */
const char *
tb_command_get_text (TbCommand *self)
{
  g_return_val_if_fail (TB_IS_COMMAND (self), NULL);

  return self->text;
}

/**
 * tb_command_release:
 * @self: a held command
 * @error: return location
 *
 * Lets the process execute its program. Returns once it does, after some microseconds.
 *
 * Returns: %FALSE with %G_SPAWN_ERROR if the system could not start the program, or if the held
 *   process was killed before
 */
gboolean
tb_command_release (TbCommand *self, GError **error)
{
  int exec_error = 0;
  ssize_t got;

  g_return_val_if_fail (TB_IS_COMMAND (self), FALSE);
  g_return_val_if_fail (self->channel >= 0, FALSE);

  got = send (self->channel, "g", 1, MSG_NOSIGNAL);
  if (got == 1)
    {
      do
        got = recv (self->channel, &exec_error, sizeof exec_error, 0);
      while (got < 0 && errno == EINTR);
    }
  else
    got = -1;
  close (self->channel);
  self->channel = -1;
  if (got == 0)
    return TRUE;
  if (got == sizeof exec_error)
    g_set_error (error, G_SPAWN_ERROR,
                 exec_error == ENOEXEC ? G_SPAWN_ERROR_NOEXEC : G_SPAWN_ERROR_FAILED,
                 _ ("“%s” cannot be started: %s"), self->text, g_strerror (exec_error));
  else
    g_set_error (error, G_SPAWN_ERROR, G_SPAWN_ERROR_FAILED,
                 _ ("“%s” was killed before it started"), self->text);
  return FALSE;
}

/**
 * tb_command_has_ended:
 * @self: a command
 * @wait_status: (out) (optional): the wait status, if it has ended
 *
 * Gets whether the program has ended.
 *
 * Returns: whether the program has ended and [signal@Command::ended] was emitted
 */
gboolean
tb_command_has_ended (TbCommand *self, int *wait_status)
{
  g_return_val_if_fail (TB_IS_COMMAND (self), FALSE);

  if (wait_status != NULL)
    *wait_status = self->wait_status;
  return self->ended;
}

/**
 * tb_command_send_signal:
 * @self: a command
 * @signal_number: for instance SIGTERM
 *
 * Sends the process a signal; has no effect once it has ended.
 */
void
tb_command_send_signal (TbCommand *self, int signal_number)
{
  g_return_if_fail (TB_IS_COMMAND (self));

  if (self->ended)
    return;
  if (self->on_host)
    tb_host_agent_send_signal (self->pid, signal_number);
  else
    kill (self->pid, signal_number);
}

static gboolean
on_wait_cancelled (GCancellable *cancellable, gpointer data)
{
  g_autoptr (GTask) task = g_object_ref (G_TASK (data));
  TbCommand *self = TB_COMMAND (g_task_get_source_object (task));

  /* If it is not in the list, the task has returned already, because the program ended first. */
  if (g_ptr_array_remove (self->waiting, task))
    g_task_return_error_if_cancelled (task);
  return G_SOURCE_REMOVE;
}

static void
drop_source (gpointer source)
{
  g_source_destroy (source);
  g_source_unref (source);
}

/**
 * tb_command_wait_async:
 * @self: a command
 * @cancellable: (nullable): cancels the wait, not the program
 * @callback: called when the program has ended
 * @user_data: for @callback
 *
 * Waits for the program's end.
 */
void
tb_command_wait_async (TbCommand *self,
                       GCancellable *cancellable,
                       GAsyncReadyCallback callback,
                       gpointer user_data)
{
  g_autoptr (GTask) task = NULL;

  g_return_if_fail (TB_IS_COMMAND (self));

  task = g_task_new (self, cancellable, callback, user_data);
  g_task_set_source_tag (task, tb_command_wait_async);
  if (self->ended)
    {
      g_task_return_boolean (task, TRUE);
      return;
    }
  if (cancellable != NULL)
    {
      GSource *source = g_cancellable_source_new (cancellable);

      g_task_attach_source (task, source, G_SOURCE_FUNC (on_wait_cancelled));
      g_task_set_task_data (task, source, drop_source);
    }
  g_ptr_array_add (self->waiting, g_steal_pointer (&task));
}

/**
 * tb_command_wait_finish:
 * @self: a command
 * @result: the result passed to the callback
 * @wait_status: (out) (optional): as waitpid() reports it, see [func@Command.describe_status]
 * @error: return location
 *
 * Finishes waiting for the end of the program.
 *
 * Returns: %FALSE only if the wait was cancelled
 */
gboolean
tb_command_wait_finish (TbCommand *self, GAsyncResult *result, int *wait_status, GError **error)
{
  g_return_val_if_fail (TB_IS_COMMAND (self), FALSE);
  g_return_val_if_fail (g_task_is_valid (result, self), FALSE);

  if (!g_task_propagate_boolean (G_TASK (result), error))
    return FALSE;
  if (wait_status != NULL)
    *wait_status = self->wait_status;
  return TRUE;
}

/**
 * tb_command_describe_status:
 * @wait_status: as waitpid() reports it
 *
 * Describes how a program ended.
 *
 * Returns: (transfer full): for instance “exited with status 3” or “killed by signal 9 (Killed)”
 */
char *
tb_command_describe_status (int wait_status)
{
  if (WIFEXITED (wait_status))
    return g_strdup_printf (_ ("exited with status %d"), WEXITSTATUS (wait_status));
  if (WIFSIGNALED (wait_status))
    return g_strdup_printf (_ ("killed by signal %d (%s)"), WTERMSIG (wait_status),
                            g_strsignal (WTERMSIG (wait_status)));
  return g_strdup_printf (_ ("ended with wait status %d"), wait_status);
}
