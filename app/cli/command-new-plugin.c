/* command-new-plugin.c: "tailback-cli new-plugin", which makes a new plug-in from an installed
 * template and prints the commands that install and check it
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#include "config.h"

#include <string.h>
#include <unistd.h>

#include <glib/gi18n.h>
#include <glib/gstdio.h>

#include "cli.h"
#include "developer-files.h"
#include "plugin-names.h"

#define EXAMPLE "example.log"

typedef struct
{
  const char *kind;
  const char *folder; /* in a folder of plug-ins */
} Kind;

static const Kind kinds[] = {
  { "analysis", "analyses" },
  { "exporter", "exporters" },
  { "importer", "importers" },
};

static const char *const languages[] = { "python", "c", NULL };

typedef struct
{
  char *language;
  char *kind;
  gboolean force;
} Args;

static void
args_clear (Args *args)
{
  g_free (args->language);
  g_free (args->kind);
}

G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC (Args, args_clear)

static const Kind *
find_kind (const char *name)
{
  for (guint i = 0; i < G_N_ELEMENTS (kinds); i++)
    if (g_strcmp0 (kinds[i].kind, name) == 0)
      return &kinds[i];
  return NULL;
}

static char *
find_template (const Args *args, GError **error)
{
  g_autofree char *templates = developer_files_find_templates ();
  g_autofree char *name = g_strconcat (args->kind, "-", args->language, NULL);
  g_autofree char *path = g_build_filename (templates, name, NULL);

  if (g_file_test (path, G_FILE_TEST_IS_DIR))
    return g_steal_pointer (&path);
  if (g_file_test (templates, G_FILE_TEST_IS_DIR))
    cli_usage_error (error,
                     _ ("there is no template for --kind %s --language %s: use another language"),
                     args->kind, args->language);
  else
    g_set_error (error, CLI_ERROR, CLI_ERROR_FAILED,
                 _ ("there are no templates in “%s”: install Tailback completely, with its files "
                    "for developers"),
                 templates);
  return NULL;
}

static gboolean
check_args (const Args *args, GError **error)
{
  if (args->kind == NULL)
    return cli_usage_error (error,
                            _ ("--kind KIND is missing: use analysis, importer or exporter"));
  if (find_kind (args->kind) == NULL)
    return cli_usage_error (error, _ ("invalid kind “%s”: use analysis, importer or exporter"),
                            args->kind);
  if (args->language == NULL)
    return cli_usage_error (error, _ ("--language LANGUAGE is missing: use python or c"));
  if (!g_strv_contains (languages, args->language))
    return cli_usage_error (error, _ ("invalid language “%s”: use python or c"), args->language);
  return TRUE;
}

/* A plug-in of the user would be used instead of a built-in one of the same kind and name. */
static gboolean
check_name (const Args *args, const PluginNames *names, GError **error)
{
  g_autoptr (GPtrArray) plugins = NULL;

  if (args->force)
    return TRUE;
  plugins = tb_engine_list (tb_engine_get_default ());
  for (guint i = 0; i < plugins->len; i++)
    {
      const TbPluginInfo *info = g_ptr_array_index (plugins, i);

      if (g_str_equal (info->kind, args->kind) && g_str_equal (info->id, names->id))
        {
          g_set_error (error, CLI_ERROR, CLI_ERROR_FAILED,
                       _ ("a plug-in with the ID %s exists already: choose another name, or use it "
                          "nevertheless with --force"),
                       names->id);
          return FALSE;
        }
    }
  return TRUE;
}

/* A file of the new plug-in. */
typedef struct
{
  char *path;
  char *text;
} NewFile;

static void
new_file_free (gpointer data)
{
  NewFile *file = data;

  g_free (file->path);
  g_free (file->text);
  g_free (file);
}

/* Reads all files of the template, with the names of the plug-in. */
static GPtrArray *
read_template (const char *template, const char *folder, const PluginNames *names, GError **error)
{
  g_autoptr (GPtrArray) files = g_ptr_array_new_with_free_func (new_file_free);
  g_autoptr (GDir) dir = g_dir_open (template, 0, error);
  const char *entry;

  while (dir != NULL && (entry = g_dir_read_name (dir)) != NULL)
    {
      g_autofree char *source = g_build_filename (template, entry, NULL);
      g_autofree char *name = plugin_names_replace (names, entry);
      g_autofree char *text = NULL;
      NewFile *file;

      if (g_file_test (source, G_FILE_TEST_IS_DIR))
        continue;
      if (!g_file_get_contents (source, &text, NULL, error))
        return NULL;
      file = g_new0 (NewFile, 1);
      file->path = g_build_filename (folder, name, NULL);
      file->text = plugin_names_replace (names, text);
      g_ptr_array_add (files, file);
    }
  return dir != NULL ? g_steal_pointer (&files) : NULL;
}

/* Writes nothing if one of the files exists. */
static gboolean
write_files (GPtrArray *files, const char *folder, gboolean force, GError **error)
{
  for (guint i = 0; !force && i < files->len; i++)
    {
      const NewFile *file = g_ptr_array_index (files, i);

      if (g_file_test (file->path, G_FILE_TEST_EXISTS)
          || g_file_test (file->path, G_FILE_TEST_IS_SYMLINK))
        {
          g_set_error (error, CLI_ERROR, CLI_ERROR_FAILED,
                       _ ("“%s” exists already: choose another folder, or replace it with --force"),
                       file->path);
          return FALSE;
        }
    }
  if (g_mkdir_with_parents (folder, 0777) != 0)
    {
      g_set_error (error, CLI_ERROR, CLI_ERROR_FAILED, _ ("cannot make the folder “%s”: %s"),
                   folder, g_strerror (errno));
      return FALSE;
    }
  for (guint i = 0; i < files->len; i++)
    {
      const NewFile *file = g_ptr_array_index (files, i);

      if (!g_file_set_contents_full (file->path, file->text, -1, G_FILE_SET_CONTENTS_CONSISTENT,
                                     0666, error))
        return FALSE;
    }
  return TRUE;
}

/* Quotes an argument for a shell, if that is needed. */
static char *
quote (const char *argument)
{
  for (const char *c = argument; *c != '\0'; c++)
    if (!g_ascii_isalnum (*c) && !strchr ("/._-+:@%", *c))
      return g_shell_quote (argument);
  return g_strdup (argument);
}

/* An importer is tried with the example of the format that its template has. */
static void
print_check (const char *kind, const char *id, const char *folder)
{
  g_autofree char *example = g_build_filename (folder, EXAMPLE, NULL);
  g_autofree char *quoted = quote (example);

  cli_print ("  tailback-cli check-plugin %s/%s", kind, id);
  if (g_file_test (example, G_FILE_TEST_EXISTS))
    cli_print (" %s", quoted);
  cli_print ("\n");
}

/* Prints what the author types next, and where it is explained. */
static void
print_next (const Args *args, const PluginNames *names, const char *folder)
{
  g_autofree char *absolute = g_canonicalize_filename (folder, NULL);
  g_autofree char *build = g_build_filename (absolute, "build", NULL);
  g_autofree char *plugins = g_build_filename (g_get_user_data_dir (), "tailback", "plugins",
                                               find_kind (args->kind)->folder, NULL);
  g_autofree char *link = g_build_filename (plugins, names->id, NULL);
  g_autofree char *quoted_folder = quote (absolute);
  g_autofree char *quoted_build = quote (build);
  g_autofree char *quoted_plugins = quote (plugins);
  g_autofree char *quoted_link = quote (link);
  g_autofree char *guide = developer_files_describe ();

  /* Translators: %s is a folder. Commands follow. */
  cli_print (_ ("Made the plug-in in %s. Install and check it:\n"), quoted_folder);
  if (g_str_equal (args->language, "c"))
    {
      cli_print ("  meson setup %s %s\n", quoted_build, quoted_folder);
      cli_print ("  meson install -C %s\n", quoted_build);
    }
  else if (!g_str_equal (absolute, link)) /* it may have been made in its place */
    {
      cli_print ("  mkdir -p %s\n", quoted_plugins);
      cli_print ("  ln -sfn %s %s\n", quoted_folder, quoted_link);
    }
  print_check (args->kind, names->id, absolute);
  cli_print ("%s\n", guide);
}

static gboolean
new_plugin (char **arguments, GError **error)
{
  g_auto (Args) args = { 0 };
  const GOptionEntry entries[] = {
    { "language", 'l', 0, G_OPTION_ARG_STRING, &args.language, N_ ("Its language: python or c"),
      N_ ("LANGUAGE") },
    { "kind", 'k', 0, G_OPTION_ARG_STRING, &args.kind,
      N_ ("What it is: analysis, importer or exporter"), N_ ("KIND") },
    { "force", 0, 0, G_OPTION_ARG_NONE, &args.force, N_ ("Replace existing files"), NULL },
    G_OPTION_ENTRY_NULL,
  };
  g_auto (GStrv) rest = NULL;
  g_auto (PluginNames) names = { 0 };
  g_autofree char *template = NULL;
  g_autoptr (GPtrArray) files = NULL;
  const char *folder;

  if (!cli_parse (&cli_command_new_plugin, entries, FALSE, arguments, &rest, error)
      || !cli_expect (rest, g_strv_length (rest) > 1 ? 2 : 1, N_ ("NAME"), error)
      || !check_args (&args, error) || !plugin_names_init (&names, rest[0], error)
      || !check_name (&args, &names, error))
    return FALSE;
  template = find_template (&args, error);
  if (template == NULL)
    return FALSE;
  folder = rest[1] != NULL ? rest[1] : names.id;
  files = read_template (template, folder, &names, error);
  if (files == NULL || !write_files (files, folder, args.force, error))
    return FALSE;
  print_next (&args, &names, folder);
  return TRUE;
}

const CliCommand cli_command_new_plugin = {
  .name = "new-plugin",
  .parameters = N_ ("--language LANGUAGE --kind KIND NAME [FOLDER]"),
  .summary = N_ ("Make a new plug-in from a template"),
  .describe = developer_files_describe,
  .without_debug_files = TRUE,
  .run = new_plugin,
};
