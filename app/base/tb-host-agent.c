/* tb-host-agent.c: calls to the agent of the computer, org.tailback.Agent, which records, lists
 * processes, opens their files and starts commands for a program in a sandbox
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#include "config.h"

#include <gio/gunixfdlist.h>
#include <glib/gi18n-lib.h>
#include <unistd.h>

#include "base/tb-host-agent.h"

#define BUS_NAME "org.tailback.Agent"
#define OBJECT_PATH "/org/tailback/Agent"
#define INTERFACE "org.tailback.Agent1"
#define DBUS "org.freedesktop.DBus"
#define DBUS_PATH "/org/freedesktop/DBus"

/* Variables of the window that a command needs to show one of its own. */
static const char *const passed_variables[] = { "DISPLAY", "WAYLAND_DISPLAY", "LANG", "LANGUAGE" };

static GVariant *
call (const char *method,
      GVariant *parameters,
      const char *type,
      GUnixFDList *in,
      GUnixFDList **out,
      gboolean interactive,
      GCancellable *cancellable,
      GError **error)
{
  g_autoptr (GVariant) arguments = g_variant_ref_sink (parameters);
  g_autoptr (GDBusConnection) bus = g_bus_get_sync (G_BUS_TYPE_SYSTEM, cancellable, error);
  GVariant *result;

  if (bus == NULL)
    return NULL;
  /* The user may take any time to type a password. */
  result = g_dbus_connection_call_with_unix_fd_list_sync (
      bus, BUS_NAME, OBJECT_PATH, INTERFACE, method, arguments, G_VARIANT_TYPE (type),
      interactive ? G_DBUS_CALL_FLAGS_ALLOW_INTERACTIVE_AUTHORIZATION : G_DBUS_CALL_FLAGS_NONE,
      interactive ? G_MAXINT : -1, in, out, cancellable, error);
  if (result == NULL && error != NULL)
    g_dbus_error_strip_remote_error (*error);
  return result;
}

/* Returns a descriptor of its own, or -1 with error. */
static int
take (GUnixFDList *fds, gint32 handle, GError **error)
{
  if (fds != NULL && handle >= 0 && handle < g_unix_fd_list_get_length (fds))
    return g_unix_fd_list_get (fds, handle, error);
  g_set_error_literal (error, G_IO_ERROR, G_IO_ERROR_INVALID_DATA,
                       _ ("The agent of this computer sent an invalid answer. Install the version "
                          "of this program."));
  return -1;
}

static gboolean
has_name (GDBusConnection *bus, const char *list)
{
  g_autoptr (GVariant) answer
      = g_dbus_connection_call_sync (bus, DBUS, DBUS_PATH, DBUS, list, NULL,
                                     G_VARIANT_TYPE ("(as)"), G_DBUS_CALL_FLAGS_NONE, -1, NULL,
                                     NULL);
  g_auto (GStrv) names = NULL;

  if (answer == NULL)
    return FALSE;
  g_variant_get (answer, "(^as)", &names);
  return g_strv_contains ((const char *const *) names, BUS_NAME);
}

/**
 * tb_host_agent_exists: (skip)
 *
 * Gets whether the agent of the computer can be called.
 *
 * Returns: whether the agent of the computer runs or can be started by D-Bus; also %FALSE where the
 *   sandbox does not permit to call it
 */
gboolean
tb_host_agent_exists (void)
{
  g_autoptr (GDBusConnection) bus = g_bus_get_sync (G_BUS_TYPE_SYSTEM, NULL, NULL);

  return bus != NULL && (has_name (bus, "ListActivatableNames") || has_name (bus, "ListNames"));
}

/**
 * tb_host_agent_describe_missing: (skip)
 *
 * Describes for the user what the sandbox needs in order to record.
 *
 * Returns: (transfer full): why nothing can be recorded in a sandbox without the agent of the
 *   computer, and the remedy
 */
char *
tb_host_agent_describe_missing (void)
{
  return g_strdup (
      _ ("Tailback runs in a sandbox, from which nothing of this computer can be recorded. Install "
         "the package tailback-agent on the computer, or record there with tailback-cli and open "
         "the file."));
}

/**
 * tb_host_agent_record: (skip)
 * @scope: `system`, or `own` for the processes of the user
 * @backend: the best backend that may be used: `bpf`, `perf`, or an empty text for the default
 * @control: (out): socket for requests, to be closed by the caller
 * @stream: (out): pipe with records, likewise
 * @log: (out): pipe with messages, likewise
 * @cancellable: (nullable): a cancellable
 * @error: return location
 *
 * Starts an agent on the computer. The user may be asked for authorization; until then the call
 * waits.
 *
 * Returns: %FALSE if there is no agent, or if it is not authorized
 */
gboolean
tb_host_agent_record (const char *scope,
                      const char *backend,
                      int *control,
                      int *stream,
                      int *log,
                      GCancellable *cancellable,
                      GError **error)
{
  g_autoptr (GUnixFDList) fds = NULL;
  g_autoptr (GVariant) answer = NULL;
  gint32 handles[3];

  *control = *stream = *log = -1;
  answer = call ("Record", g_variant_new ("(ss)", scope, backend), "(hhh)", NULL, &fds, TRUE,
                 cancellable, error);
  if (answer == NULL)
    return FALSE;
  g_variant_get (answer, "(hhh)", &handles[0], &handles[1], &handles[2]);
  *control = take (fds, handles[0], error);
  *stream = *control >= 0 ? take (fds, handles[1], error) : -1;
  *log = *stream >= 0 ? take (fds, handles[2], error) : -1;
  if (*log >= 0)
    return TRUE;
  if (*stream >= 0)
    close (*stream);
  if (*control >= 0)
    close (*control);
  return FALSE;
}

/**
 * tb_host_agent_list_processes: (skip)
 * @cancellable: (nullable): a cancellable
 * @error: return location
 *
 * Lists the processes of the computer, which a sandbox does not see.
 *
 * Returns: (transfer full) (nullable): `a(iss)`: PID, name and command line of each process of the
 *   computer that has a command line
 */
GVariant *
tb_host_agent_list_processes (GCancellable *cancellable, GError **error)
{
  g_autoptr (GVariant) answer = call ("ListProcesses", g_variant_new ("()"), "(a(iss))", NULL, NULL,
                                      FALSE, cancellable, error);

  return answer != NULL ? g_variant_get_child_value (answer, 0) : NULL;
}

/**
 * tb_host_agent_open_file: (skip)
 * @pid: PID on the computer
 * @name: `maps`, `exe`, or the absolute path of a file that the process has mapped to be executed
 * @error: return location
 *
 * Opens a file of a process of the computer.
 *
 * Returns: a descriptor for reading, to be closed by the caller, or -1
 */
int
tb_host_agent_open_file (gint32 pid, const char *name, GError **error)
{
  g_autoptr (GUnixFDList) fds = NULL;
  g_autoptr (GVariant) answer = NULL;
  gint32 handle;

  g_return_val_if_fail (name != NULL, -1);

  answer
      = call ("OpenFile", g_variant_new ("(is)", pid, name), "(h)", NULL, &fds, FALSE, NULL, error);
  if (answer == NULL)
    return -1;
  g_variant_get (answer, "(h)", &handle);
  return take (fds, handle, error);
}

/* The command runs on the computer: variables of the sandbox mean nothing there. */
static GVariant *
make_command (const char *const *argv)
{
  GVariantBuilder variables, handles;

  g_variant_builder_init (&variables, G_VARIANT_TYPE_STRING_ARRAY);
  for (guint i = 0; i < G_N_ELEMENTS (passed_variables); i++)
    if (g_getenv (passed_variables[i]) != NULL)
      {
        g_autofree char *variable
            = g_strdup_printf ("%s=%s", passed_variables[i], g_getenv (passed_variables[i]));

        g_variant_builder_add (&variables, "s", variable);
      }
  g_variant_builder_init (&handles, G_VARIANT_TYPE ("ah"));
  for (gint32 i = 0; i < 3; i++)
    g_variant_builder_add (&handles, "h", i);
  return g_variant_new ("(^assasah)", argv, "", &variables, &handles);
}

/**
 * tb_host_agent_start_command: (skip)
 * @argv: (array zero-terminated=1): program and arguments, as on the computer
 * @streams: (array fixed-size=3): its standard input, output and error
 * @pid: (out): PID on the computer
 * @channel: (out): socket: a byte releases the held process; it is then closed, or an errno is
 *   received
 * @status: (out): pipe that receives the wait status, an int, when the process has ended
 * @error: return location
 *
 * Starts a command on the computer as the user, held before its program is executed. The user may
 * be asked for authorization; until then the call waits.
 *
 * Returns: %FALSE if there is no agent, or if it is not authorized
 */
gboolean
tb_host_agent_start_command (const char *const *argv,
                             const int streams[3],
                             gint32 *pid,
                             int *channel,
                             int *status,
                             GError **error)
{
  g_autoptr (GUnixFDList) in = g_unix_fd_list_new ();
  g_autoptr (GUnixFDList) out = NULL;
  g_autoptr (GVariant) answer = NULL;
  gint32 handles[2];

  g_return_val_if_fail (argv != NULL && argv[0] != NULL, FALSE);

  *channel = *status = -1;
  for (int i = 0; i < 3; i++)
    if (g_unix_fd_list_append (in, streams[i], error) < 0)
      return FALSE;
  answer = call ("StartCommand", make_command (argv), "(ihh)", in, &out, TRUE, NULL, error);
  if (answer == NULL)
    return FALSE;
  g_variant_get (answer, "(ihh)", pid, &handles[0], &handles[1]);
  *channel = take (out, handles[0], error);
  *status = *channel >= 0 ? take (out, handles[1], error) : -1;
  if (*status >= 0)
    return TRUE;
  if (*channel >= 0)
    close (*channel);
  return FALSE;
}

/**
 * tb_host_agent_send_signal: (skip)
 * @pid: PID of a command that the agent started
 * @number: number of a signal
 *
 * Has no effect once the command has ended.
 */
void
tb_host_agent_send_signal (gint32 pid, int number)
{
  g_autoptr (GVariant) answer = call ("SendSignal", g_variant_new ("(ii)", pid, number), "()", NULL,
                                      NULL, FALSE, NULL, NULL);
}
