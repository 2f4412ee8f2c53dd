/* cli-main.c: main function of tailback-cli, the command line of Tailback: choice of the command,
 * help, error messages and exit status
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#include "config.h"

#include <signal.h>
#include <string.h>

#include "base/tb-locale.h"
#include "cli.h"

static const CliCommand *const commands[] = {
  &cli_command_record,     &cli_command_import,       &cli_command_info,   &cli_command_analyze,
  &cli_command_compare,    &cli_command_export,       &cli_command_report, &cli_command_list,
  &cli_command_new_plugin, &cli_command_check_plugin,
};

static void
print_help (void)
{
  cli_print (_ ("Usage: tailback-cli COMMAND …\n\n"
                "Records what programs do and explains what they wait for.\n\nCommands:\n"));
  for (guint i = 0; i < G_N_ELEMENTS (commands); i++)
    cli_print ("  %-12s %s\n", commands[i]->name, _ (commands[i]->summary));
  cli_print (_ ("\nFor plug-ins of your own, “tailback-cli new-plugin --help” names the guide.\n"));
  cli_print (_ ("\n“tailback-cli COMMAND --help” lists the options of a command.\nExit status: 0 "
                "success, 1 failure, 2 wrong usage.\n"));
}

static const CliCommand *
find_command (const char *name)
{
  for (guint i = 0; i < G_N_ELEMENTS (commands); i++)
    if (strcmp (commands[i]->name, name) == 0)
      return commands[i];
  return NULL;
}

static CliStatus
report_failure (const CliCommand *command, const GError *error)
{
  gboolean is_usage = g_error_matches (error, CLI_ERROR, CLI_ERROR_USAGE)
                      || g_error_matches (error, TB_EXTEND_ERROR, TB_EXTEND_ERROR_USAGE)
                      || error->domain == G_OPTION_ERROR;
  g_autofree char *line = g_strdelimit (cli_restore_names (error->message), "\n\r", ' ');

  cli_progress_clear ();
  g_printerr ("tailback-cli %s: %s\n", command->name, line);
  return is_usage ? CLI_USAGE : CLI_FAILURE;
}

static CliStatus
run_command (char **arguments)
{
  g_autoptr (GError) error = NULL;
  const CliCommand *command = find_command (arguments[0]);

  if (!command)
    {
      g_printerr (
          _ ("tailback-cli: unknown command “%s”; “tailback-cli --help” lists the commands\n"),
          arguments[0]);
      return CLI_USAGE;
    }
  tb_temporary_folder_sweep ();
  if (command->run (arguments, &error) || g_error_matches (error, CLI_ERROR, CLI_ERROR_HELP)
      || g_error_matches (error, CLI_ERROR, CLI_ERROR_CLOSED))
    return CLI_SUCCESS;
  return report_failure (command, error);
}

static CliStatus
run (int argc, char **argv)
{
  if (argc < 2)
    {
      g_printerr (
          _ ("tailback-cli: COMMAND is missing; “tailback-cli --help” lists the commands\n"));
      return CLI_USAGE;
    }
  if (strcmp (argv[1], "--version") == 0)
    {
      cli_print ("tailback-cli %s\n", PACKAGE_VERSION);
      return CLI_SUCCESS;
    }
  if (strcmp (argv[1], "--help") == 0 || strcmp (argv[1], "-h") == 0
      || strcmp (argv[1], "help") == 0)
    {
      print_help ();
      return CLI_SUCCESS;
    }
  return run_command (argv + 1);
}

int
main (int argc, char **argv)
{
  CliStatus status;

  cli_memory_set_up ();
  tb_locale_init ();
  g_set_prgname ("tailback-cli");
  cli_signals_install ();
  cli_modules_install ();

  status = run (argc, argv);
  tb_temporary_folder_remove_all ();
  /* The command succeeded, but its output has no reader. */
  if (status == CLI_SUCCESS && cli_is_output_closed ())
    cli_signals_end (SIGPIPE);
  return status;
}
