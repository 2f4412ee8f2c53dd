/* preflight.c: printed report of one collector, or of each: event sources that work here, the
 * others with the reason, and the cost
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#include "config.h"

#include <glib/gi18n.h>

#include "cli.h"
#include "preflight.h"
#include "recording.h"

static void
print_lines (const char *id, GPtrArray *lines)
{
  cli_print (tb_preflight_is_good (lines) ? _ ("collector %s: works\n")
                                          : _ ("collector %s: does not work\n"),
             id);
  for (guint i = 0; i < lines->len; i++)
    {
      const TbPreflightLine *line = g_ptr_array_index (lines, i);

      if (line->works)
        cli_print (_ ("  %s: %s\n"), line->what, line->reason != NULL ? line->reason : _ ("works"));
      else
        cli_print (_ ("  %s: does not work: %s\n"), line->what, line->reason);
    }
}

/* Prints the preflight of a collector. Returns TRUE if the collector would record something. */
static gboolean
print_collector (const char *id, char **options, TbScope scope, GError **error)
{
  g_autoptr (TbCollector) collector
      = tb_engine_create_collector (tb_engine_get_default (), id, error);
  g_autoptr (GPtrArray) lines = NULL;

  if (collector == NULL || !cli_set_options (collector, options, error))
    return FALSE;
  lines = tb_collector_preflight (collector, scope, NULL, error);
  if (lines == NULL)
    return FALSE;
  print_lines (id, lines);
  if (tb_preflight_is_good (lines))
    return TRUE;
  g_set_error (error, CLI_ERROR, CLI_ERROR_FAILED, _ ("collector %s would record nothing"), id);
  return FALSE;
}

gboolean
preflight_print (const char *id, char **options, TbScope scope, GError **error)
{
  g_autoptr (GPtrArray) collectors = NULL;
  gboolean any = FALSE;

  if (id != NULL)
    return print_collector (id, options, scope, error);
  collectors = recording_list_collectors ();
  for (guint i = 0; i < collectors->len; i++)
    {
      g_autoptr (GError) local_error = NULL;
      const TbPluginInfo *info = g_ptr_array_index (collectors, i);

      any |= print_collector (info->id, options, scope, &local_error);
      if (g_error_matches (local_error, TB_EXTEND_ERROR, TB_EXTEND_ERROR_UNAVAILABLE))
        cli_print (_ ("collector %s: does not work: %s\n"), info->id, local_error->message);
      else if (local_error != NULL && !g_error_matches (local_error, CLI_ERROR, CLI_ERROR_FAILED))
        {
          g_propagate_error (error, g_steal_pointer (&local_error));
          return FALSE;
        }
    }
  if (!any)
    g_set_error_literal (error, CLI_ERROR, CLI_ERROR_FAILED, _ ("nothing can be recorded here"));
  return any;
}
