/* tb-service-main.c: the program tailback-agent-service: its D-Bus object, the methods with the
 * polkit action that each needs, its end when it is not used
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#include "config.h"

#include <errno.h>
#include <gio/gunixfdlist.h>
#include <glib-unix.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "tb-service-agents.h"
#include "tb-service-authority.h"
#include "tb-service-commands.h"
#include "tb-service-processes.h"

#define BUS_NAME "org.tailback.Agent"
#define OBJECT_PATH "/org/tailback/Agent"
#define IDLE_SECONDS 30
/* Agents and commands of all callers at once: each needs descriptors and kernel memory. */
#define MAX_CHILDREN 64
#define MAX_ARGUMENTS 4096
#define MAX_SHOWN 300 /* characters of a command in a dialog */

/* data/org.tailback.Agent1.xml describes it for people. */
static const char interface_xml[]
    = "<node><interface name='org.tailback.Agent1'>"
      "<method name='Record'><arg type='s' name='scope'/><arg type='s' name='backend'/>"
      "<arg type='h' name='control' direction='out'/><arg type='h' name='stream' direction='out'/>"
      "<arg type='h' name='log' direction='out'/></method>"
      "<method name='ListProcesses'><arg type='a(iss)' name='processes' direction='out'/></method>"
      "<method name='OpenFile'><arg type='i' name='pid'/><arg type='s' name='name'/>"
      "<arg type='h' name='file' direction='out'/></method>"
      "<method name='StartCommand'><arg type='as' name='arguments'/><arg type='s' name='folder'/>"
      "<arg type='as' name='variables'/><arg type='ah' name='streams'/>"
      "<arg type='i' name='pid' direction='out'/><arg type='h' name='channel' direction='out'/>"
      "<arg type='h' name='status' direction='out'/></method>"
      "<method name='SendSignal'><arg type='i' name='pid'/><arg type='i' name='number'/></method>"
      "<property name='Version' type='s' access='read'/>"
      "</interface></node>";

typedef struct
{
  GMainLoop *loop;
  GDBusConnection *connection; /* NULL: no bus yet */
  GDBusNodeInfo *interface;
  const char *agent;
  GHashTable *commands; /* PID → uid of their callers */
  guint n_children;
  guint n_requests; /* that wait for polkit */
  guint idle;       /* source that ends the service */
} Service;

typedef struct
{
  Service *service;
  GDBusMethodInvocation *invocation;
} Request;

/* --- end --- */

static gboolean
end_idle (gpointer data)
{
  Service *self = data;

  self->idle = 0;
  g_main_loop_quit (self->loop);
  return G_SOURCE_REMOVE;
}

static void
schedule_end (Service *self)
{
  g_clear_handle_id (&self->idle, g_source_remove);
  if (self->n_children == 0 && self->n_requests == 0)
    self->idle = g_timeout_add_seconds (IDLE_SECONDS, end_idle, self);
}

static gboolean
on_terminate (gpointer data)
{
  Service *self = data;

  g_main_loop_quit (self->loop);
  return G_SOURCE_CONTINUE;
}

/* --- methods --- */

static void
return_error (GDBusMethodInvocation *invocation, const GError *error)
{
  if (error->domain == G_DBUS_ERROR)
    g_dbus_method_invocation_return_gerror (invocation, error);
  else
    g_dbus_method_invocation_return_error_literal (invocation, G_DBUS_ERROR, G_DBUS_ERROR_FAILED,
                                                   error->message);
}

static gboolean
has_room (Service *self, GDBusMethodInvocation *invocation)
{
  if (self->n_children < MAX_CHILDREN)
    return TRUE;
  g_dbus_method_invocation_return_error (invocation, G_DBUS_ERROR, G_DBUS_ERROR_LIMITS_EXCEEDED,
                                         "%d recordings and commands run already", MAX_CHILDREN);
  return FALSE;
}

static void
on_agent_ended (GObject *object, GAsyncResult *result, gpointer data)
{
  Service *self = data;

  g_subprocess_wait_finish (G_SUBPROCESS (object), result, NULL);
  self->n_children--;
  schedule_end (self);
}

static void
record (Service *self, GDBusMethodInvocation *invocation, guint32 uid)
{
  g_autoptr (GUnixFDList) fds = g_unix_fd_list_new ();
  g_autoptr (GSubprocess) process = NULL;
  g_autoptr (GError) error = NULL;
  TbServiceStreams streams;
  const char *scope, *backend;
  int control, stream, log;

  g_variant_get (g_dbus_method_invocation_get_parameters (invocation), "(&s&s)", &scope, &backend);
  if (!has_room (self, invocation))
    return;
  process = tb_service_agents_start (self->agent, scope, backend, uid, &streams, &error);
  if (process == NULL)
    {
      return_error (invocation, error);
      return;
    }
  self->n_children++;
  g_subprocess_wait_async (process, NULL, on_agent_ended, self);
  control = g_unix_fd_list_append (fds, streams.control, NULL);
  stream = g_unix_fd_list_append (fds, streams.stream, NULL);
  log = g_unix_fd_list_append (fds, streams.log, NULL);
  tb_service_streams_close (&streams);
  /* Closing the streams, here by dropping the list, ends the agent. */
  if (control >= 0 && stream >= 0 && log >= 0)
    g_dbus_method_invocation_return_value_with_unix_fd_list (
        invocation, g_variant_new ("(hhh)", control, stream, log), fds);
  else
    g_dbus_method_invocation_return_error_literal (invocation, G_DBUS_ERROR,
                                                   G_DBUS_ERROR_LIMITS_EXCEEDED,
                                                   "too many open files");
}

static void
open_file (Service *self, GDBusMethodInvocation *invocation, guint32 uid)
{
  g_autoptr (GUnixFDList) fds = g_unix_fd_list_new ();
  g_autoptr (GError) error = NULL;
  g_autoptr (TbServiceUser) user = tb_service_user_new (uid, &error);
  const char *name;
  gint32 pid;
  int fd = -1;

  g_variant_get (g_dbus_method_invocation_get_parameters (invocation), "(i&s)", &pid, &name);
  if (user != NULL)
    fd = tb_service_processes_open (pid, name, user, &error);
  if (fd < 0)
    {
      return_error (invocation, error);
      return;
    }
  g_unix_fd_list_append (fds, fd, NULL);
  close (fd);
  g_dbus_method_invocation_return_value_with_unix_fd_list (invocation, g_variant_new ("(h)", 0),
                                                           fds);
}

typedef struct
{
  Service *service;
  GPid pid;
} Started;

static void
on_command_ended (gpointer data)
{
  Started *started = data;

  g_hash_table_remove (started->service->commands, GINT_TO_POINTER (started->pid));
  started->service->n_children--;
  schedule_end (started->service);
  g_free (started);
}

/* Reads the three descriptors, which belong to the message. */
static gboolean
get_streams (GDBusMethodInvocation *invocation, GVariant *handles, int streams[3])
{
  GUnixFDList *fds
      = g_dbus_message_get_unix_fd_list (g_dbus_method_invocation_get_message (invocation));
  const int *all;
  int n;

  if (fds == NULL || g_variant_n_children (handles) != 3)
    return FALSE;
  all = g_unix_fd_list_peek_fds (fds, &n);
  for (gsize i = 0; i < 3; i++)
    {
      gint32 handle;

      g_variant_get_child (handles, i, "h", &handle);
      if (handle < 0 || handle >= n)
        return FALSE;
      streams[i] = all[handle];
    }
  return TRUE;
}

static void
return_command (GDBusMethodInvocation *invocation, const TbServiceCommand *command)
{
  g_autoptr (GUnixFDList) fds = g_unix_fd_list_new ();
  int channel = g_unix_fd_list_append (fds, command->channel, NULL),
      status = g_unix_fd_list_append (fds, command->status, NULL);

  close (command->channel);
  close (command->status);
  if (channel >= 0 && status >= 0)
    g_dbus_method_invocation_return_value_with_unix_fd_list (
        invocation, g_variant_new ("(ihh)", (gint32) command->pid, channel, status), fds);
  else
    g_dbus_method_invocation_return_error_literal (invocation, G_DBUS_ERROR,
                                                   G_DBUS_ERROR_LIMITS_EXCEEDED,
                                                   "too many open files");
}

static void
start_command (Service *self, GDBusMethodInvocation *invocation, guint32 uid)
{
  g_auto (GStrv) arguments = NULL;
  g_auto (GStrv) variables = NULL;
  g_autoptr (GVariant) handles = NULL;
  g_autoptr (GError) error = NULL;
  g_autoptr (TbServiceUser) user = tb_service_user_new (uid, &error);
  Started *started;
  TbServiceCommand command;
  const char *folder;
  int streams[3];

  g_variant_get (g_dbus_method_invocation_get_parameters (invocation), "(^as&s^as@ah)", &arguments,
                 &folder, &variables, &handles);
  if (user == NULL)
    {
      return_error (invocation, error);
      return;
    }
  if (arguments[0] == NULL || g_strv_length (arguments) > MAX_ARGUMENTS
      || !get_streams (invocation, handles, streams))
    {
      g_dbus_method_invocation_return_error_literal (
          invocation, G_DBUS_ERROR, G_DBUS_ERROR_INVALID_ARGS,
          "a command needs 1 to 4096 arguments and three streams");
      return;
    }
  if (!has_room (self, invocation))
    return;
  started = g_new0 (Started, 1);
  started->service = self;
  if (!tb_service_commands_start (arguments, folder, variables, streams, user, &command,
                                  on_command_ended, started, &error))
    {
      g_free (started);
      return_error (invocation, error);
      return;
    }
  started->pid = command.pid;
  self->n_children++;
  g_hash_table_insert (self->commands, GINT_TO_POINTER (command.pid), GUINT_TO_POINTER (uid));
  return_command (invocation, &command);
}

/* Only to commands that were started for the same user, whose PIDs are not reused before the end of
 * the command has been handled. */
static void
send_signal (Service *self, GDBusMethodInvocation *invocation, guint32 uid)
{
  gpointer owner;
  gint32 pid, number;

  g_variant_get (g_dbus_method_invocation_get_parameters (invocation), "(ii)", &pid, &number);
  if (!g_hash_table_lookup_extended (self->commands, GINT_TO_POINTER (pid), NULL, &owner)
      || GPOINTER_TO_UINT (owner) != uid)
    g_dbus_method_invocation_return_error (invocation, G_DBUS_ERROR, G_DBUS_ERROR_ACCESS_DENIED,
                                           "process %d was not started for this user", pid);
  else if (kill (pid, number) != 0)
    g_dbus_method_invocation_return_error_literal (invocation, G_DBUS_ERROR, G_DBUS_ERROR_FAILED,
                                                   g_strerror (errno));
  else
    g_dbus_method_invocation_return_value (invocation, NULL);
}

static void
list_processes (Service *self, GDBusMethodInvocation *invocation, guint32 uid)
{
  g_dbus_method_invocation_return_value (invocation,
                                         g_variant_new ("(@a(iss))", tb_service_processes_list ()));
}

static const struct
{
  const char *method;
  const char *action;
  void (*run) (Service *self, GDBusMethodInvocation *invocation, guint32 uid);
} methods[] = {
  { "ListProcesses", "org.tailback.agent.inspect", list_processes },
  { "OpenFile", "org.tailback.agent.inspect", open_file },
  { "Record", NULL, record }, /* by its scope */
  { "StartCommand", "org.tailback.agent.run-command", start_command },
  { "SendSignal", "org.tailback.agent.inspect", send_signal },
};

static gsize
find_method (GDBusMethodInvocation *invocation)
{
  const char *name = g_dbus_method_invocation_get_method_name (invocation);
  gsize i = 0;

  while (!g_str_equal (methods[i].method, name))
    i++;
  return i;
}

/* --- dispatch --- */

static void
on_checked (GObject *object, GAsyncResult *result, gpointer data)
{
  Request *request = data;
  Service *self = request->service;
  g_autoptr (GError) error = NULL;
  guint32 uid;

  self->n_requests--;
  if (tb_service_authority_check_finish (result, &uid, &error))
    methods[find_method (request->invocation)].run (self, request->invocation, uid);
  else
    return_error (request->invocation, error);
  schedule_end (self);
  g_free (request);
}

/* A command on one line, so that the dialog shows what is meant: words with blanks are quoted,
 * control characters replaced, and what is too long for a dialog is cut. */
static char *
format_command (char **arguments)
{
  g_autoptr (GString) text = g_string_new (NULL);

  for (guint i = 0; arguments[i] != NULL && text->len < MAX_SHOWN; i++)
    {
      gboolean plain = arguments[i][0] != '\0' && strpbrk (arguments[i], " \t\n\r'\"\\") == NULL;
      g_autofree char *quoted = plain ? g_strdup (arguments[i]) : g_shell_quote (arguments[i]);

      g_string_append_printf (text, "%s%s", i > 0 ? " " : "", quoted);
    }
  for (char *at = text->str; *at != '\0'; at++)
    if (g_ascii_iscntrl (*at))
      *at = ' ';
  if (g_utf8_strlen (text->str, -1) > MAX_SHOWN)
    {
      g_string_truncate (text,
                         (gsize) (g_utf8_offset_to_pointer (text->str, MAX_SHOWN) - text->str));
      g_string_append (text, "…");
    }
  return g_string_free (g_steal_pointer (&text), FALSE);
}

/* The details that the text of the action shows. */
static GVariant *
describe (GDBusMethodInvocation *invocation)
{
  g_autofree char *command = NULL;
  g_auto (GStrv) arguments = NULL;
  GVariantBuilder details;

  if (!g_str_equal (g_dbus_method_invocation_get_method_name (invocation), "StartCommand"))
    return NULL;
  g_variant_get_child (g_dbus_method_invocation_get_parameters (invocation), 0, "^as", &arguments);
  command = format_command (arguments);
  g_variant_builder_init (&details, G_VARIANT_TYPE ("a{ss}"));
  g_variant_builder_add (&details, "{ss}", "command", command);
  return g_variant_builder_end (&details);
}

static void
on_call (GDBusConnection *connection,
         const char *sender,
         const char *path,
         const char *interface,
         const char *method,
         GVariant *parameters,
         GDBusMethodInvocation *invocation,
         gpointer data)
{
  Service *self = data;
  Request *request = g_new0 (Request, 1);
  const char *action = methods[find_method (invocation)].action;

  g_clear_handle_id (&self->idle, g_source_remove);
  if (action == NULL)
    {
      const char *scope;

      g_variant_get (parameters, "(&s&s)", &scope, NULL);
      action = g_str_equal (scope, "own") ? "org.tailback.agent.record-own"
                                          : "org.tailback.agent.record-system";
    }
  request->service = self;
  request->invocation = invocation;
  self->n_requests++;
  tb_service_authority_check_async (invocation, action, describe (invocation), on_checked, request);
}

static GVariant *
on_get_property (GDBusConnection *connection,
                 const char *sender,
                 const char *path,
                 const char *interface,
                 const char *property,
                 GError **error,
                 gpointer data)
{
  return g_variant_new_string (PACKAGE_VERSION);
}

static void
on_bus (GDBusConnection *connection, const char *name, gpointer data)
{
  static const GDBusInterfaceVTable functions = { on_call, on_get_property, NULL, { 0 } };
  g_autoptr (GError) error = NULL;
  Service *self = data;

  self->connection = connection;
  if (g_dbus_connection_register_object (connection, OBJECT_PATH, self->interface->interfaces[0],
                                         &functions, self, NULL, &error)
      == 0)
    g_error ("%s", error->message);
}

static void
on_lost (GDBusConnection *connection, const char *name, gpointer data)
{
  Service *self = data;

  if (connection == NULL)
    g_printerr ("tailback-agent-service: cannot connect to the system bus\n");
  else
    g_printerr ("tailback-agent-service: cannot own the name %s: is it started as root, and is its "
                "D-Bus policy installed?\n",
                name);
  g_main_loop_quit (self->loop);
}

static gboolean
parse_arguments (int argc, char **argv, const char **agent)
{
  *agent = TAILBACK_LIBEXEC_DIR "/tailback-agent";
  if (argc == 3 && g_str_equal (argv[1], "--agent"))
    *agent = argv[2];
  else if (argc == 2 && g_str_equal (argv[1], "--version"))
    {
      g_print ("tailback-agent-service " PACKAGE_VERSION "\n");
      exit (0);
    }
  else if (argc != 1)
    {
      g_printerr (
          "Usage: tailback-agent-service [--agent PATH]\n"
          "\n"
          "Starts tailback-agent for callers on the system bus that polkit authorizes. D-Bus "
          "starts it.\n");
      return FALSE;
    }
  return TRUE;
}

int
main (int argc, char **argv)
{
  Service self = { 0 };
  guint owner;

  if (!parse_arguments (argc, argv, &self.agent))
    return 2;
  self.loop = g_main_loop_new (NULL, FALSE);
  self.commands = g_hash_table_new (NULL, NULL);
  self.interface = g_dbus_node_info_new_for_xml (interface_xml, NULL);
  g_unix_signal_add (SIGTERM, on_terminate, &self);
  g_unix_signal_add (SIGINT, on_terminate, &self);
  owner = g_bus_own_name (G_BUS_TYPE_SYSTEM, BUS_NAME, G_BUS_NAME_OWNER_FLAGS_NONE, on_bus, NULL,
                          on_lost, &self, NULL);
  schedule_end (&self);
  g_main_loop_run (self.loop);
  g_bus_unown_name (owner);
  g_clear_handle_id (&self.idle, g_source_remove);
  g_dbus_node_info_unref (self.interface);
  g_hash_table_unref (self.commands);
  g_main_loop_unref (self.loop);
  return 0;
}
