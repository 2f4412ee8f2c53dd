/* command-list.c: "tailback-cli list", which lists the plug-ins with their options, as text or JSON
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#include "config.h"

#include <string.h>

#include <glib/gi18n.h>

#include "cli.h"
#include "developer-files.h"

static GObject *
create (const TbPluginInfo *info, GError **error)
{
  TbEngine *engine = tb_engine_get_default ();

  if (strcmp (info->kind, "analysis") == 0)
    return (GObject *) tb_engine_create_analysis (engine, info->id, error);
  if (strcmp (info->kind, "collector") == 0)
    return (GObject *) tb_engine_create_collector (engine, info->id, error);
  if (strcmp (info->kind, "exporter") == 0)
    return (GObject *) tb_engine_create_exporter (engine, info->id, error);
  return (GObject *) tb_engine_create_importer (engine, info->id, error);
}

static char **
get_options (GObject *plugin)
{
  if (TB_IS_ANALYSIS (plugin))
    return tb_analysis_get_options (TB_ANALYSIS (plugin));
  if (TB_IS_COLLECTOR (plugin))
    return tb_collector_get_options (TB_COLLECTOR (plugin));
  if (TB_IS_EXPORTER (plugin))
    return tb_exporter_get_options (TB_EXPORTER (plugin));
  return plugin ? tb_importer_get_options (TB_IMPORTER (plugin)) : NULL;
}

static void
print_plugin (const TbPluginInfo *info)
{
  g_autoptr (GError) error = NULL;
  g_autoptr (GObject) plugin = info->error ? NULL : create (info, &error);
  g_auto (GStrv) options = get_options (plugin);

  cli_print ("  %s  %s", info->id, info->name);
  if (*info->description)
    cli_print (": %s", info->description);
  cli_print ("\n");
  if (info->origin != TB_PLUGIN_BUILT_IN)
    {
      g_autofree char *origin = tb_plugin_info_describe_origin (info);

      cli_print ("    %s\n", origin);
    }
  if (info->error)
    cli_print (_ ("    cannot be used: %s\n"), info->error);
  else if (error)
    cli_print ("    %s\n", error->message);
  for (guint i = 0; options && options[i]; i++)
    {
      g_autofree char *line = tb_option_describe (plugin, options[i]);

      cli_print ("    %s\n", line);
    }
}

static void
print_list (GPtrArray *list)
{
  const char *const *misplaced = tb_engine_list_misplaced (tb_engine_get_default ());
  g_autofree char *guide = developer_files_describe ();
  const char *kind = "";

  for (guint i = 0; i < list->len; i++)
    {
      const TbPluginInfo *info = g_ptr_array_index (list, i);

      if (strcmp (kind, info->kind) != 0)
        cli_print ("%s%s:\n", *kind ? "\n" : "", info->kind);
      kind = info->kind;
      print_plugin (info);
    }
  if (misplaced[0] != NULL)
    cli_print (_ ("\nin a wrong place:\n"));
  for (guint i = 0; misplaced[i] != NULL; i++)
    cli_print ("  %s\n", misplaced[i]);
  cli_print (_ ("\nMake your own with “tailback-cli new-plugin”.\n%s\n"), guide);
}

static void
add_string (JsonBuilder *builder, const char *name, const char *text)
{
  json_builder_set_member_name (builder, name);
  if (text)
    json_builder_add_string_value (builder, text);
  else
    json_builder_add_null_value (builder);
}

static void
add_strings (JsonBuilder *builder, const char *name, const char *const *strings)
{
  json_builder_set_member_name (builder, name);
  if (!strings)
    {
      json_builder_add_null_value (builder);
      return;
    }
  json_builder_begin_array (builder);
  for (guint i = 0; strings[i]; i++)
    json_builder_add_string_value (builder, strings[i]);
  json_builder_end_array (builder);
}

static void
add_option (JsonBuilder *builder, GObject *plugin, const char *name)
{
  GParamSpec *option = g_object_class_find_property (G_OBJECT_GET_CLASS (plugin), name);
  g_autofree char *text = tb_option_describe (plugin, name);

  json_builder_begin_object (builder);
  add_string (builder, "name", name);
  add_string (builder, "label", option ? g_param_spec_get_nick (option) : NULL);
  add_string (builder, "description", option ? g_param_spec_get_blurb (option) : NULL);
  add_string (builder, "type", option ? g_type_name (G_PARAM_SPEC_VALUE_TYPE (option)) : NULL);
  add_string (builder, "unit", option ? tb_option_get_unit (option) : NULL);
  json_builder_set_member_name (builder, "default");
  json_builder_add_value (builder, tb_option_get_as_json (plugin, name));
  add_strings (builder, "choices", option ? tb_option_get_choices (option) : NULL);
  add_strings (builder, "choice_labels", option ? tb_option_get_choice_labels (option) : NULL);
  add_string (builder, "text", text);
  json_builder_end_object (builder);
}

/* The folder of a plug-in that is not used because of this one. */
static void
add_replaced (JsonBuilder *builder, const TbPluginInfo *info)
{
  json_builder_set_member_name (builder, "replaces");
  if (info->replaces == NULL)
    {
      json_builder_add_null_value (builder);
      return;
    }
  json_builder_begin_object (builder);
  add_string (builder, "folder", info->replaces);
  json_builder_set_member_name (builder, "built_in");
  json_builder_add_boolean_value (builder, info->replaces_built_in);
  json_builder_end_object (builder);
}

static void
add_plugin (JsonBuilder *builder, const TbPluginInfo *info)
{
  g_autoptr (GError) error = NULL;
  g_autoptr (GObject) plugin = info->error ? NULL : create (info, &error);
  g_auto (GStrv) options = get_options (plugin);

  json_builder_begin_object (builder);
  add_string (builder, "kind", info->kind);
  add_string (builder, "id", info->id);
  add_string (builder, "name", info->name);
  add_string (builder, "description", info->description);
  add_string (builder, "error", error ? error->message : info->error);
  add_string (builder, "origin", tb_plugin_origin_get_name (info->origin));
  add_string (builder, "folder", info->folder);
  add_replaced (builder, info);
  json_builder_set_member_name (builder, "options");
  json_builder_begin_array (builder);
  for (guint j = 0; options && options[j]; j++)
    add_option (builder, plugin, options[j]);
  json_builder_end_array (builder);
  json_builder_end_object (builder);
}

static gboolean
write_list (GPtrArray *list, GError **error)
{
  g_autoptr (JsonBuilder) builder = json_builder_new ();
  g_autoptr (JsonNode) root = NULL;

  json_builder_begin_object (builder);
  add_string (builder, "format", "tailback-list");
  json_builder_set_member_name (builder, "version");
  json_builder_add_int_value (builder, 1);
  json_builder_set_member_name (builder, "plugins");
  json_builder_begin_array (builder);
  for (guint i = 0; i < list->len; i++)
    add_plugin (builder, g_ptr_array_index (list, i));
  json_builder_end_array (builder);
  add_strings (builder, "misplaced", tb_engine_list_misplaced (tb_engine_get_default ()));
  json_builder_end_object (builder);
  root = json_builder_get_root (builder);
  return cli_write_json (NULL, root, error);
}

static gboolean
list (char **arguments, GError **error)
{
  gboolean as_json = FALSE;
  const GOptionEntry entries[] = {
    { "json", 0, 0, G_OPTION_ARG_NONE, &as_json, N_ ("Print JSON"), NULL },
    G_OPTION_ENTRY_NULL,
  };
  g_auto (GStrv) rest = NULL;
  g_autoptr (GPtrArray) plugins = NULL;

  if (!cli_parse (&cli_command_list, entries, FALSE, arguments, &rest, error)
      || !cli_expect (rest, 0, "", error))
    return FALSE;
  plugins = tb_engine_list (tb_engine_get_default ());
  if (as_json)
    return write_list (plugins, error);
  print_list (plugins);
  return TRUE;
}

const CliCommand cli_command_list = {
  .name = "list",
  .parameters = "",
  .summary = N_ ("List the plug-ins with their options"),
  .describe = developer_files_describe,
  .without_debug_files = TRUE,
  .run = list,
};
