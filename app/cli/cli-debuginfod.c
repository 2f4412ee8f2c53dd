/* cli-debuginfod.c: debug files from debuginfod servers if the user wants them: options of the
 * command line, limit of size; call of tb-debuginfod.c, which receives the files, with progress and
 * warnings
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#include "config.h"

#include <inttypes.h>
#include <string.h>

#include <glib/gi18n.h>

#include "cli.h"
#include "symbols/tb-module-symbols.h"

/* Files that a warning names. */
#define MAX_NAMES 3
/* Room for a file whose server does not give its size. */
#define UNKNOWN_SIZE (G_GUINT64_CONSTANT (1) << 30)

static gboolean enabled;
static char *given_limit;
static guint64 limit = TB_DEBUGINFOD_LIMIT;

const GOptionEntry *
cli_debuginfod_get_entries (void)
{
  static const GOptionEntry entries[] = {
    { "debuginfod", 0, 0, G_OPTION_ARG_NONE, &enabled,
      N_ ("Receive missing debug files from the servers of DEBUGINFOD_URLS, which see the build "
          "IDs "
          "of the programs"),
      NULL },
    { "debuginfod-limit", 0, 0, G_OPTION_ARG_STRING, &given_limit,
      N_ ("Receive at most this much with --debuginfod (default: 50 MB)"), N_ ("SIZE") },
    G_OPTION_ENTRY_NULL,
  };

  return entries;
}

gboolean
cli_debuginfod_is_enabled (void)
{
  return enabled;
}

/* Parses a number of bytes with k, M or G, as options of plug-ins have them. */
static gboolean
parse_size (const char *text, guint64 *size)
{
  static const char suffixes[] = "kMGT";
  char *end;
  guint shift = 0;

  if (!g_ascii_isdigit (*text))
    return FALSE;
  *size = g_ascii_strtoull (text, &end, 10);
  if (*end != '\0')
    {
      const char *suffix = strchr (suffixes, *end == 'K' ? 'k' : *end);

      if (suffix == NULL
          || (end[1] != '\0' && strcmp (end + 1, "B") != 0 && strcmp (end + 1, "iB") != 0))
        return FALSE;
      shift = 10 * (guint) (suffix - suffixes + 1);
    }
  if (*size > (G_MAXUINT64 >> shift))
    return FALSE;
  *size <<= shift;
  return TRUE;
}

gboolean
cli_debuginfod_check (GError **error)
{
  g_auto (GStrv) servers = NULL;

  if (given_limit != NULL && !enabled)
    return cli_usage_error (error, _ ("--debuginfod-limit needs --debuginfod"));
  if (given_limit != NULL && !parse_size (given_limit, &limit))
    return cli_usage_error (error,
                            _ ("invalid --debuginfod-limit “%s”: use a size such as 200M or 2G"),
                            given_limit);
  tb_module_symbols_set_debuginfod_remedy (enabled ? TB_DEBUGINFOD_REMEDY_NONE
                                                   : TB_DEBUGINFOD_REMEDY_OPTION);
  if (!enabled)
    return TRUE;
  servers = tb_debuginfod_list_servers (NULL);
  if (servers[0] == NULL)
    return cli_usage_error (error, _ ("--debuginfod: no server is given; set DEBUGINFOD_URLS to "
                                      "addresses that begin with http:// or https://"));
  return TRUE;
}

static void
show_progress (guint n_done, guint n_files, guint64 bytes, gpointer data)
{
  g_autofree char *size = g_format_size (bytes);

  /* Translators: number of files done, of all files, size received. */
  cli_progress_line (_ ("receiving debug files: %u of %u, %s"), n_done, n_files, size);
}

/* Warns of the files that exceed the limit, with their sizes and the limit that they need. */
static void
warn_large (TbDebuginfod *client)
{
  guint n = tb_debuginfod_count (client, TB_DEBUGINFOD_LARGE), n_named = 0;
  g_autoptr (GString) names = g_string_new (NULL);
  const TbDebuginfodFile *file;
  guint64 needed = 0;

  for (guint i = 0; (file = tb_debuginfod_get_file (client, i)) != NULL; i++)
    {
      g_autofree char *size = file->size > 0 ? g_format_size (file->size) : NULL;

      if (file->state != TB_DEBUGINFOD_LARGE)
        continue;
      needed += MIN (file->size > 0 ? file->size : UNKNOWN_SIZE, G_MAXINT64 - needed);
      if (n_named++ < MAX_NAMES)
        g_string_append_printf (names, "%s%s: %s", names->len > 0 ? ", " : "", file->name,
                                size != NULL ? size : _ ("size unknown"));
    }
  if (n == 0)
    return;
  if (n > MAX_NAMES)
    g_string_append (names, ", …");
  cli_warn (ngettext ("%u debug file exceeds the limit and was not received (%s); functions in it "
                      "can lack names; repeat with --debuginfod-limit %" PRIu64 "M",
                      "%u debug files exceed the limit and were not received (%s); functions in "
                      "them can lack names; repeat with --debuginfod-limit %" PRIu64 "M",
                      n),
            n, names->str, (needed >> 20) + 1);
}

gboolean
cli_debuginfod_receive (TbSession *session, GCancellable *cancellable, GError **error)
{
  g_autoptr (TbDebuginfod) client = NULL;
  g_auto (GStrv) problems = NULL;

  if (!enabled)
    return TRUE;
  client = tb_debuginfod_new (NULL);
  tb_debuginfod_set_limit (client, limit);
  if (!tb_debuginfod_add_session (client, session, NULL, 0, cancellable, error)
      || !tb_debuginfod_run (client, show_progress, NULL, cancellable, error))
    return FALSE;
  problems = tb_debuginfod_list_problems (client);
  for (guint i = 0; problems[i] != NULL; i++)
    cli_warn ("%s", problems[i]);
  warn_large (client);
  return TRUE;
}
