/* command-info.c: "tailback-cli info", which writes the description of a recording (info.c) as text
 * or JSON, and with --check reads and checks its whole file
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#include "config.h"

#include <glib/gi18n.h>

#include "cli.h"
#include "info.h"

typedef struct
{
  TbSession *session;
} Check;

static gboolean
check_work (gpointer data, GCancellable *cancellable, GError **error)
{
  return tb_session_check (((Check *) data)->session, cancellable, error);
}

static gboolean
info (char **arguments, GError **error)
{
  gboolean as_json = FALSE;
  gboolean check_all = FALSE;
  const GOptionEntry entries[] = {
    { "json", 0, 0, G_OPTION_ARG_NONE, &as_json, N_ ("Print JSON"), NULL },
    { "check", 0, 0, G_OPTION_ARG_NONE, &check_all, N_ ("Read and check the whole file"), NULL },
    G_OPTION_ENTRY_NULL,
  };
  g_auto (GStrv) rest = NULL;
  g_auto (CliFile) file = { 0 };
  g_autofree char *text = NULL;
  TbSession *session;

  if (!cli_parse (&cli_command_info, entries, FALSE, arguments, &rest, error)
      || !cli_expect (rest, 1, N_ ("FILE"), error) || !cli_file_open (&file, rest[0], FALSE, error))
    return FALSE;
  session = tb_trace_get_session (file.trace);
  if (check_all)
    {
      Check check = { .session = session };

      if (!cli_work (check_work, &check, error))
        return FALSE;
    }
  cli_print_warnings (file.trace);
  if (as_json)
    {
      g_autoptr (JsonNode) node = info_to_json (file.trace, error);

      return node && cli_write_json (NULL, node, error);
    }
  text = info_to_text (file.trace, cli_get_width (), error);
  return text && cli_write (NULL, text, -1, error);
}

const CliCommand cli_command_info = {
  .name = "info",
  .parameters = N_ ("FILE"),
  .summary = N_ ("Show what a recording contains"),
  .run = info,
};
