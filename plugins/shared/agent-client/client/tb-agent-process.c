/* tb-agent-process.c: running tailback-agent: its start (direct, through polkit, or on the host of
 * a sandbox), records sent to it and read from its stream, the reason of its end
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#include "config.h"

#include <errno.h>
#include <glib/gi18n-lib.h>
#include <poll.h>
#include <signal.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

#include "base/tb-sandbox.h"
#include "capture/tb-capture-encoder.h"
#include "extend/options/tb-option.h"
#include "tb-agent-host.h"
#include "tb-agent-process.h"

#define MAX_MESSAGE 2048
#define EXIT_NOT_AUTHORIZED 127 /* pkexec(1) */
#define EXIT_DISMISSED 126

struct _TbAgentProcess
{
  GSubprocess *process; /* NULL: started by the agent of the host, which awaits it */
  int in;  /* to the agent; a socket, so that writing to a closed one raises no signal */
  int out; /* from the agent */
  int log;
  GMutex sending;
  gboolean authorized;
  TbCaptureDecoder *decoder;
};

char *
tb_agent_process_find (GError **error)
{
  const char *named = g_getenv ("TAILBACK_AGENT");
  g_autofree char *path = NULL;

  if (named != NULL && *named != '\0')
    path = g_canonicalize_filename (named, NULL);
  else
    path = g_build_filename (TAILBACK_LIBEXEC_DIR, "tailback-agent", NULL);
  if (g_file_test (path, G_FILE_TEST_IS_EXECUTABLE))
    return g_steal_pointer (&path);
  g_set_error (
      error, TB_EXTEND_ERROR, TB_EXTEND_ERROR_UNAVAILABLE,
      _ ("There is no agent at “%s”: nothing can be recorded. Install tailback-agent, or set "
         "TAILBACK_AGENT to its path."),
      path);
  return NULL;
}

/* The polkit policy covers only the installed agent; an agent from elsewhere must not run as
 * root. */
static gboolean
is_installed (void)
{
  g_autofree char *agent = tb_agent_process_find (NULL);
  g_autofree char *installed = g_build_filename (TAILBACK_LIBEXEC_DIR, "tailback-agent", NULL);

  return g_strcmp0 (agent, installed) == 0;
}

gboolean
tb_agent_process_can_authorize (void)
{
  g_autofree char *pkexec = g_find_program_in_path ("pkexec");

  if (tb_sandbox_is_active ())
    return tb_agent_host_get_way () != TB_AGENT_HOST_NONE;
  return pkexec != NULL && is_installed ();
}

static gboolean
open_channel (int fds[2], GError **error)
{
  if (socketpair (AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, fds) == 0)
    return TRUE;
  g_set_error (error, G_IO_ERROR, g_io_error_from_errno (errno),
               _ ("The agent cannot be started: %s"), g_strerror (errno));
  return FALSE;
}

static gboolean
send_bytes (TbAgentProcess *self, const guint8 *data, gsize length, GError **error)
{
  while (length > 0)
    {
      gssize sent = send (self->in, data, length, MSG_NOSIGNAL);

      if (sent < 0 && errno == EINTR)
        continue;
      if (sent < 0)
        {
          g_set_error (error, G_IO_ERROR, g_io_error_from_errno (errno),
                       _ ("The agent does not receive requests: %s"), g_strerror (errno));
          return FALSE;
        }
      data += sent;
      length -= sent;
    }
  return TRUE;
}

/* Starts a program that is the agent, or that starts it. */
static gboolean
spawn (TbAgentProcess *self, const char *const *argv, GError **error)
{
  g_autoptr (GSubprocessLauncher) launcher
      = g_subprocess_launcher_new (G_SUBPROCESS_FLAGS_STDOUT_PIPE | G_SUBPROCESS_FLAGS_STDERR_PIPE);
  int in[2];

  if (!open_channel (in, error))
    return FALSE;
  self->in = in[0];
  g_subprocess_launcher_take_stdin_fd (launcher, in[1]);
  self->process = g_subprocess_launcher_spawnv (launcher, argv, error);
  if (self->process == NULL)
    return FALSE;
  self->out = g_unix_input_stream_get_fd (
      G_UNIX_INPUT_STREAM (g_subprocess_get_stdout_pipe (self->process)));
  self->log = g_unix_input_stream_get_fd (
      G_UNIX_INPUT_STREAM (g_subprocess_get_stderr_pipe (self->process)));
  return TRUE;
}

static gboolean
spawn_agent (TbAgentProcess *self,
             TbAgentPrivilege privilege,
             TbCaptureBackend backend,
             GError **error)
{
  gboolean on_host = privilege != TB_AGENT_DIRECT && tb_sandbox_is_active ();
  g_autofree char *agent = tb_agent_process_find (error);
  const char *argv[8] = { NULL };
  int n = 0;

  if (on_host && agent != NULL)
    {
      g_autofree char *ours = g_steal_pointer (&agent);

      agent = tb_agent_host_copy_agent (ours, error);
    }
  if (agent == NULL)
    return FALSE;
  if (on_host)
    {
      argv[n++] = "flatpak-spawn";
      argv[n++] = "--host";
    }
  if (self->authorized)
    argv[n++] = "pkexec";
  argv[n++] = agent;
  if (self->authorized)
    argv[n++] = privilege == TB_AGENT_AUTHORIZED_SYSTEM ? "--system" : "--own";
  /* The agent's default backend is perf. */
  if (backend == TB_CAPTURE_BACKEND_BPF)
    {
      argv[n++] = "--backend";
      argv[n++] = "bpf";
    }
  return spawn (self, argv, error);
}

TbAgentProcess *
tb_agent_process_new (TbAgentPrivilege privilege,
                      TbCaptureBackend backend,
                      GCancellable *cancellable,
                      GError **error)
{
  g_autoptr (TbAgentProcess) self = g_new0 (TbAgentProcess, 1);
  guint8 header[TB_CAPTURE_HEADER_SIZE];

  self->in = self->out = self->log = -1;
  g_mutex_init (&self->sending);
  self->authorized = privilege != TB_AGENT_DIRECT;
  if (self->authorized && tb_sandbox_is_active ()
      && tb_agent_host_get_way () == TB_AGENT_HOST_SERVICE)
    {
      if (!tb_agent_host_start (privilege == TB_AGENT_AUTHORIZED_SYSTEM, backend, &self->in,
                                &self->out, &self->log, cancellable, error))
        return NULL;
    }
  else if (!spawn_agent (self, privilege, backend, error))
    return NULL;
  self->decoder = tb_capture_decoder_new (TB_CAPTURE_FROM_AGENT);
  if (self->decoder == NULL)
    g_error ("Out of memory");
  /* An agent that has exited already reports the reason at the end of its stream. */
  send_bytes (self, header, tb_capture_encode_control_header (header, sizeof header), NULL);
  return g_steal_pointer (&self);
}

static void
close_if_open (int fd)
{
  if (fd >= 0)
    close (fd);
}

void
tb_agent_process_free (TbAgentProcess *self)
{
  close_if_open (self->in);
  if (self->process != NULL)
    {
      /* The end of its input or output ends the agent, but not pkexec while it asks for a
       * password. */
      if (self->authorized && self->decoder != NULL
          && tb_agent_process_get_header (self)->n_cpus == 0)
        g_subprocess_send_signal (self->process, SIGTERM);
      g_input_stream_close (g_subprocess_get_stdout_pipe (self->process), NULL, NULL);
      g_object_unref (self->process);
    }
  else
    {
      close_if_open (self->out);
      close_if_open (self->log);
    }
  tb_capture_decoder_free (self->decoder);
  g_mutex_clear (&self->sending);
  g_free (self);
}

gboolean
tb_agent_process_send (TbAgentProcess *self, const TbCaptureRecord *record, GError **error)
{
  gsize size = 256 + record->tail_length;
  g_autofree guint8 *data = g_malloc (size);
  gsize length = tb_capture_encode (record, data, size);
  gboolean sent;

  g_assert (length > 0);
  g_mutex_lock (&self->sending);
  sent = send_bytes (self, data, length, error);
  g_mutex_unlock (&self->sending);
  return sent;
}

void
tb_agent_process_hang_up (TbAgentProcess *self)
{
  shutdown (self->in, SHUT_RDWR);
}

/* FALSE if it was cancelled before there was anything to read */
static gboolean
wait_for_stream (TbAgentProcess *self, GCancellable *cancellable, GError **error)
{
  struct pollfd polled[2] = { { self->out, POLLIN, 0 }, { -1, POLLIN, 0 } };
  GPollFD cancelled;

  if (cancellable == NULL || !g_cancellable_make_pollfd (cancellable, &cancelled))
    return TRUE;
  polled[1].fd = cancelled.fd;
  while (poll (polled, 2, -1) < 0 && errno == EINTR)
    ;
  g_cancellable_release_fd (cancellable);
  return !g_cancellable_set_error_if_cancelled (cancellable, error);
}

TbCaptureResult
tb_agent_process_read (TbAgentProcess *self,
                       TbCaptureRecord *record,
                       GCancellable *cancellable,
                       GError **error)
{
  TbCaptureResult result;

  while ((result = tb_capture_decoder_next (self->decoder, record)) == TB_CAPTURE_MORE)
    {
      gsize space;
      void *to;
      gssize got;

      if (!wait_for_stream (self, cancellable, error))
        {
          result = TB_CAPTURE_DAMAGED;
          break;
        }
      to = tb_capture_decoder_get_space (self->decoder, &space);
      got = read (self->out, to, space);
      if (got < 0 && errno == EINTR)
        continue;
      if (got <= 0)
        break;
      tb_capture_decoder_commit (self->decoder, got);
    }
  if (result == TB_CAPTURE_DAMAGED && error != NULL && *error == NULL)
    g_set_error (error, TB_EXTEND_ERROR, TB_EXTEND_ERROR_INPUT,
                 _ ("The agent’s stream is damaged (%s)"),
                 tb_capture_decoder_get_error (self->decoder));
  return result;
}

const TbCaptureHeader *
tb_agent_process_get_header (TbAgentProcess *self)
{
  return tb_capture_decoder_get_header (self->decoder);
}

const TbCaptureDecoder *
tb_agent_process_get_decoder (TbAgentProcess *self)
{
  return self->decoder;
}

/* Returns the last line of the log, without waiting for more. */
static char *
read_message (TbAgentProcess *self)
{
  struct pollfd polled = { self->log, POLLIN, 0 };
  char text[MAX_MESSAGE];
  gsize length = 0;
  char *last;

  while (length < sizeof text - 1 && poll (&polled, 1, 0) > 0)
    {
      gssize got = read (self->log, text + length, sizeof text - 1 - length);

      if (got <= 0)
        break;
      length += got;
    }
  text[length] = '\0';
  g_strchomp (text);
  last = strrchr (text, '\n');
  return g_utf8_make_valid (last != NULL ? last + 1 : text, -1);
}

char *
tb_agent_process_describe_end (TbAgentProcess *self)
{
  g_autofree char *message = NULL;

  if (self->process == NULL)
    {
      message = read_message (self);
      return *message != '\0' ? g_steal_pointer (&message) : g_strdup (_ ("The agent ended"));
    }
  g_subprocess_wait (self->process, NULL, NULL);
  message = read_message (self);
  if (self->authorized && g_subprocess_get_if_exited (self->process))
    switch (g_subprocess_get_exit_status (self->process))
      {
      case EXIT_DISMISSED:
        return g_strdup (_ (
            "The authorization was dismissed: the system is not recorded. Authorize it, or record "
            "one command."));
      case EXIT_NOT_AUTHORIZED:
        if (*message == '\0')
          return g_strdup (_ ("Recording was not authorized: the system is not recorded. Ask the "
                              "administrator, or record one command."));
        return g_strdup_printf (
            _ ("Recording was not authorized (%s): the system is not recorded. Ask the "
               "administrator, or record one command."),
            message);
      default:
        break;
      }
  if (g_subprocess_get_if_signaled (self->process))
    return g_strdup_printf (_ ("The agent was killed by signal %d (%s)"),
                            g_subprocess_get_term_sig (self->process),
                            g_strsignal (g_subprocess_get_term_sig (self->process)));
  if (*message != '\0')
    return g_steal_pointer (&message);
  return g_strdup_printf (_ ("The agent ended with status %d"),
                          g_subprocess_get_exit_status (self->process));
}
