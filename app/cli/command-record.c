/* command-record.c: "tailback-cli record", which records the system, a command or a process:
 * options, scope, name of the output file, printed result; recording.c runs the recording; with
 * --preflight only what could be recorded (preflight.c)
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#include "config.h"

#include <errno.h>
#include <inttypes.h>
#include <signal.h>
#include <string.h>

#include <glib-unix.h>
#include <glib/gi18n.h>

#include "cli.h"
#include "extend/plugins/tb-command.h"
#include "preflight.h"
#include "recording.h"

typedef struct
{
  char *collector;
  char *function;
  char *scope;
  char *pid;
  char *duration;
  char *output;
  char **options;
  gboolean force;
  gboolean preflight;
} Arguments;

static void
arguments_clear (Arguments *arguments)
{
  g_free (arguments->collector);
  g_free (arguments->function);
  g_free (arguments->scope);
  g_free (arguments->pid);
  g_free (arguments->duration);
  g_free (arguments->output);
  g_strfreev (arguments->options);
}

G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC (Arguments, arguments_clear)

/* Parses a duration: a number of seconds, or a number with a unit. */
static gboolean
parse_length (const char *text, gint64 *ns, GError **error)
{
  gsize digits = strspn (text, "0123456789.");
  g_autofree char *with_unit = text[digits] ? NULL : g_strconcat (text, "s", NULL);

  if (!tb_parse_duration (with_unit ? with_unit : text, ns, NULL) || *ns == 0)
    return cli_usage_error (
        error, _ ("invalid --duration “%s”: use seconds (3, 2.5) or a time with a unit (500ms)"),
        text);
  return TRUE;
}

static gboolean
parse_pid (const char *text, gint32 *pid, GError **error)
{
  guint64 number;

  if (!g_ascii_string_to_unsigned (text, 10, 1, G_MAXINT32, &number, NULL))
    return cli_usage_error (error, _ ("invalid --pid “%s”: use the PID of a process"), text);
  if (kill (number, 0) != 0 && errno == ESRCH)
    {
      g_set_error (error, CLI_ERROR, CLI_ERROR_FAILED, _ ("there is no process with PID %s"), text);
      return FALSE;
    }
  *pid = number;
  return TRUE;
}

static gboolean
parse_scope (const char *name, TbScope *scope, GError **error)
{
  static const char *const names[] = { "system", "command", "process" };
  guint found = 0;

  while (found < G_N_ELEMENTS (names) && strcmp (name, names[found]) != 0)
    found++;
  if (found == G_N_ELEMENTS (names))
    return cli_usage_error (error, _ ("invalid --scope “%s”: use system, command or process"),
                            name);
  *scope = found;
  return TRUE;
}

/* Chooses the scope. The default is the system, with a fallback to the command alone. */
static gboolean
choose_scope (const Arguments *given, char **command, Recording *recording, GError **error)
{
  gboolean has_pid = given->pid && strcmp (given->pid, "any") != 0;
  TbScope scope = has_pid ? TB_SCOPE_PROCESS : TB_SCOPE_SYSTEM;

  if ((has_pid && !parse_pid (given->pid, &recording->target.pid, error))
      || (given->scope && !parse_scope (given->scope, &scope, error)))
    return FALSE;
  if (scope == TB_SCOPE_COMMAND && !command[0])
    return cli_usage_error (error, _ ("--scope command needs a COMMAND"));
  if (scope == TB_SCOPE_PROCESS && !has_pid)
    return cli_usage_error (error, _ ("--scope process needs --pid"));
  if (scope != TB_SCOPE_PROCESS && has_pid)
    return cli_usage_error (error, _ ("--pid needs --scope process"));
  recording->target.scope = scope;
  recording->may_narrow = !given->scope && !given->pid && command[0];
  return TRUE;
}

/* Default: NAME-DATE.tailback. */
static GFile *
choose_output (const Arguments *given, char **command)
{
  g_autoptr (GDateTime) now = g_date_time_new_now_local ();
  g_autofree char *date = g_date_time_format (now, "%Y-%m-%d-%H%M%S");
  g_autofree char *subject = NULL;
  g_autofree char *name = NULL;

  if (given->output)
    return g_file_new_for_commandline_arg (given->output);
  if (command[0])
    subject = g_path_get_basename (command[0]);
  else if (given->pid)
    subject = g_strdup (given->pid);
  else
    subject = g_strdup ("system");
  name = g_strdup_printf ("%s-%s.tailback", subject, date);
  return g_file_new_for_commandline_arg (name);
}

static gboolean
prepare (const Arguments *given, char **command, Recording *recording, GError **error)
{
  recording->collector_id = given->collector;
  recording->options = given->options;
  recording->overwrite = given->force;
  if ((given->duration && !parse_length (given->duration, &recording->duration_ns, error))
      || !choose_scope (given, command, recording, error))
    return FALSE;
  recording->output = choose_output (given, command);
  if (!given->force && g_file_query_exists (recording->output, NULL))
    {
      g_autofree char *name = g_file_get_parse_name (recording->output);

      g_set_error (
          error, CLI_ERROR, CLI_ERROR_FAILED,
          _ ("“%s” exists already: choose another name with -o, or replace it with --force"), name);
      return FALSE;
    }
  if (command[0])
    recording->command = tb_command_new ((const char *const *) command, error);
  return !command[0] || recording->command;
}

static void
print_result (const Recording *recording)
{
  g_autofree char *name = g_file_get_parse_name (recording->output);
  g_autofree char *length = tb_format_duration (
      MAX (recording->statistics.last_time - recording->statistics.first_time, 0));

  cli_print (ngettext ("%s: %'" PRIu64 " event in %s, %'" PRIu64 " lost\n",
                       "%s: %'" PRIu64 " events in %s, %'" PRIu64 " lost\n",
                       MIN (recording->statistics.events, G_MAXULONG)),
             name, recording->statistics.events, length, recording->statistics.lost);
  if (recording->command_status)
    cli_print ("%s: %s\n", tb_command_get_text (recording->command), recording->command_status);
  else if (recording->command)
    cli_print (_ ("%s was left running\n"), tb_command_get_text (recording->command));
}

/* The file is complete at this point; a recording without function names is still valid. */
static gboolean
complete (const Recording *recording, GError **error)
{
  g_autoptr (GError) local_error = NULL;

  if (cli_complete_session (recording->output, &local_error))
    return TRUE;
  if (!g_error_matches (local_error, CLI_ERROR, CLI_ERROR_INTERRUPTED))
    {
      g_propagate_error (error, g_steal_pointer (&local_error));
      return FALSE;
    }
  cli_warn (_ ("interrupted while function names were resolved: they are resolved when the "
               "recording is opened"));
  return TRUE;
}

static gboolean
run_preflight (const Arguments *given, GError **error)
{
  TbScope scope = given->pid ? TB_SCOPE_PROCESS : TB_SCOPE_SYSTEM;

  return (!given->scope || parse_scope (given->scope, &scope, error))
         && preflight_print (given->collector, given->options, scope, error);
}

/* --function F is short for a collector and its option "function". */
static void
add_function_option (Arguments *given)
{
  g_autoptr (GStrvBuilder) options = NULL;

  if (!given->function)
    return;
  options = g_strv_builder_new ();
  for (guint i = 0; given->options && given->options[i]; i++)
    g_strv_builder_add (options, given->options[i]);
  g_strv_builder_take (options, g_strconcat ("function=", given->function, NULL));
  g_strfreev (given->options);
  given->options = g_strv_builder_end (options);
  if (!given->collector)
    given->collector = g_strdup ("latency");
}

static gboolean
record (char **arguments, GError **error)
{
  g_auto (Arguments) given = { 0 };
  const GOptionEntry entries[] = {
    { "collector", 0, 0, G_OPTION_ARG_STRING, &given.collector,
      N_ ("Use this collector (default: the best that works here)"), N_ ("ID") },
    { "function", 'f', 0, G_OPTION_ARG_STRING, &given.function,
      N_ ("Find out why calls of this function are slow, while it runs (collector latency)"),
      N_ ("F") },
    { "scope", 0, 0, G_OPTION_ARG_STRING, &given.scope,
      N_ ("Record this scope: system, command or process"), N_ ("SCOPE") },
    { "pid", 'p', 0, G_OPTION_ARG_STRING, &given.pid,
      N_ ("Record this process and those it starts; “any” records all"), N_ ("P") },
    { "duration", 'd', 0, G_OPTION_ARG_STRING, &given.duration,
      N_ ("End after this time, in seconds or with a unit"), N_ ("S") },
    { "option", 0, 0, G_OPTION_ARG_STRING_ARRAY, &given.options,
      N_ ("Set an option of the collector; repeatable"), N_ ("KEY=VALUE") },
    { "force", 0, 0, G_OPTION_ARG_NONE, &given.force, N_ ("Replace an existing file"), NULL },
    { "preflight", 0, 0, G_OPTION_ARG_NONE, &given.preflight,
      N_ ("Record nothing: show what could be recorded, and at what cost"), NULL },
    { "output", 'o', 0, G_OPTION_ARG_FILENAME, &given.output,
      N_ ("Write this session (default: NAME-DATE.tailback)"), N_ ("FILE") },
    G_OPTION_ENTRY_NULL,
  };
  g_auto (GStrv) command = NULL;
  g_auto (Recording) recording = { 0 };

  if (!cli_parse (&cli_command_record, entries, TRUE, arguments, &command, error))
    return FALSE;
  add_function_option (&given);
  if (given.preflight)
    return run_preflight (&given, error);
  if (!prepare (&given, command, &recording, error) || !recording_run (&recording, error)
      || !complete (&recording, error))
    return FALSE;
  print_result (&recording);
  if (recording.cut_short)
    g_set_error (error, CLI_ERROR, CLI_ERROR_FAILED,
                 _ ("the recording was cut short: %s; events until then are saved"),
                 recording.cut_short);
  return !recording.cut_short;
}

const CliCommand cli_command_record = {
  .name = "record",
  .parameters = N_ ("[-- COMMAND…]"),
  .summary = N_ ("Record what the system, a command or a process does"),
  .run = record,
};
