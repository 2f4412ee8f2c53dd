/* cli-plugin-work.c: long operations of a plug-in: what it prints goes to the error output, and it
 * cannot end the program with success
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#include "config.h"

#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#include <glib/gi18n.h>

#include "cli.h"

/* Standard output while a plug-in works, -1 otherwise */
static int output = -1;
/* The plug-in that works, in any thread; NULL: none */
static const char *working;

int
cli_output_get_descriptor (void)
{
  return output >= 0 ? output : STDOUT_FILENO;
}

const char *
cli_work_get_plugin (void)
{
  return g_atomic_pointer_get (&working);
}

/* The plug-in called exit(): the command has not written what it was asked for. */
static void
report_exit (void)
{
  const char *id = cli_work_get_plugin ();

  if (id == NULL)
    return;
  cli_progress_clear ();
  g_printerr (_ ("tailback-cli: the plug-in “%s” ended the program, so there is no result; report "
                 "it to the plug-in’s author, or remove the plug-in\n"),
              id);
  tb_temporary_folder_remove_all ();
  _exit (CLI_FAILURE);
}

static void
divert_output (void)
{
  fflush (stdout);
  output = fcntl (STDOUT_FILENO, F_DUPFD_CLOEXEC, 3);
  if (output >= 0)
    dup2 (STDERR_FILENO, STDOUT_FILENO);
}

static void
restore_output (void)
{
  fflush (stdout);
  if (output >= 0)
    {
      dup2 (output, STDOUT_FILENO);
      close (output);
    }
  output = -1;
}

gboolean
cli_work_of (gpointer plugin, CliWorkFunc func, gpointer data, GError **error)
{
  static gboolean is_registered;
  gboolean ok;

  if (!is_registered)
    atexit (report_exit);
  is_registered = TRUE;
  g_atomic_pointer_set (&working, tb_plugin_get_id (plugin));
  divert_output ();
  ok = cli_work (func, data, error);
  restore_output ();
  g_atomic_pointer_set (&working, NULL);
  return ok;
}
