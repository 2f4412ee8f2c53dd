/* info-symbols.c: addresses without names, and unverified names, by file, with the reason, for
 * "info" as JSON and text
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#include "config.h"

#include <glib/gi18n.h>

#include "info.h"

/* JSON has all. */
#define MAX_LINES 20

static void
add_string (JsonBuilder *builder, const char *name, const char *text)
{
  json_builder_set_member_name (builder, name);
  if (text != NULL && *text != '\0')
    json_builder_add_string_value (builder, text);
  else
    json_builder_add_null_value (builder);
}

static void
add_count (JsonBuilder *builder, const char *name, guint64 count)
{
  json_builder_set_member_name (builder, name);
  json_builder_add_int_value (builder, (gint64) count);
}

static void
add_module (JsonBuilder *builder, const TbModuleSymbols *symbols)
{
  g_autofree char *text = tb_module_symbols_describe (symbols);

  json_builder_begin_object (builder);
  add_string (builder, "module", symbols->path);
  add_string (builder, "build_id", symbols->build_id);
  add_count (builder, "addresses", symbols->n_addresses);
  add_count (builder, "unnamed", symbols->n_unnamed);
  json_builder_set_member_name (builder, "unverified");
  json_builder_add_boolean_value (builder, symbols->is_unverified);
  add_string (builder, "file", symbols->file);
  add_string (builder, "reason",
              symbols->reason != TB_SYMBOL_REASON_NONE ? tb_symbol_reason_get_name (symbols->reason)
                                                       : NULL);
  add_string (builder, "missing_supplement", symbols->supplement);
  add_count (builder, "reused_addresses", symbols->n_reused);
  add_string (builder, "text", text);
  json_builder_end_object (builder);
}

gboolean
info_add_symbols (JsonBuilder *builder, TbSession *session, GError **error)
{
  g_autoptr (GPtrArray) list = tb_module_symbols_list (session, error);

  if (list == NULL)
    return FALSE;
  json_builder_set_member_name (builder, "symbols");
  json_builder_begin_array (builder);
  for (guint i = 0; i < list->len; i++)
    add_module (builder, list->pdata[i]);
  json_builder_end_array (builder);
  return TRUE;
}

gboolean
info_append_symbols (GString *text, TbSession *session, GError **error)
{
  g_autoptr (GPtrArray) list = tb_module_symbols_list (session, error);
  guint n = 0;

  for (guint i = 0; list != NULL && i < list->len; i++)
    {
      g_autofree char *line = tb_module_symbols_describe (list->pdata[i]);

      if (line != NULL && n++ < MAX_LINES)
        g_string_append_printf (text, _ ("Names: %s\n"), line);
    }
  if (n > MAX_LINES)
    g_string_append_printf (text,
                            ngettext ("Names: %u more file lacks names; see --json\n",
                                      "Names: %u more files lack names; see --json\n",
                                      n - MAX_LINES),
                            n - MAX_LINES);
  return list != NULL;
}
