/* tb-application-command-line.c: command-line options of the application (version, new window,
 * recording assistant, comparison, files, screenshot), parsed before a display is opened; requests
 * are sent to the running instance, if there is one
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#include "config.h"

#include <glib/gi18n.h>
#include <stdlib.h>

#include "shell/tb-application-private.h"
#include "shell/export/tb-screenshot.h"

static const GOptionEntry options[] = {
  { "version", 0, 0, G_OPTION_ARG_NONE, NULL, N_ ("Print the version and exit"), NULL },
  { "new-window", 'w', 0, G_OPTION_ARG_NONE, NULL, N_ ("Open a new window"), NULL },
  { "record", 'r', 0, G_OPTION_ARG_NONE, NULL, N_ ("Start with the recording assistant"), NULL },
  { "compare", 'c', 0, G_OPTION_ARG_NONE, NULL, N_ ("Compare recordings: --compare BASE OTHER…"),
    NULL },
  { "base", 0, 0, G_OPTION_ARG_FILENAME_ARRAY, NULL,
    N_ ("With --compare: another recording for the base side"), N_ ("FILE") },
  { "picture", 0, 0, G_OPTION_ARG_FILENAME, NULL,
    N_ ("Write a picture of the window as a PNG file, when all is shown, and exit"), N_ ("FILE") },
  { "size", 0, 0, G_OPTION_ARG_STRING, NULL,
    N_ ("With --picture: size of the window (default: 1440x900)"), N_ ("WIDTHxHEIGHT") },
  { "dark", 0, 0, G_OPTION_ARG_NONE, NULL, N_ ("With --picture: in the dark style"), NULL },
  { "page", 0, 0, G_OPTION_ARG_STRING, NULL,
    N_ ("With --picture: show this analysis (“tailback-cli list” lists them)"), N_ ("ID") },
  { "figure", 0, 0, G_OPTION_ARG_STRING, NULL,
    N_ ("With --picture: show this figure of the analysis"), N_ ("ID") },
  { G_OPTION_REMAINING, 0, 0, G_OPTION_ARG_FILENAME_ARRAY, NULL, NULL, NULL },
  { NULL },
};

static int
usage_error (const char *message)
{
  g_printerr ("tailback: %s\n", message);
  return 2;
}

/* Options that only a picture has. */
static int
check_without_picture (GVariantDict *dict)
{
  static const char *const names[] = { "size", "dark", "page", "figure" };

  for (guint i = 0; i < G_N_ELEMENTS (names); i++)
    if (g_variant_dict_contains (dict, names[i]))
      {
        g_autofree char *message = g_strdup_printf (_ ("--%s needs --picture"), names[i]);

        return usage_error (message);
      }
  return -1;
}

/* Returns the exit status, or −1 to continue. */
static int
read_screenshot_options (TbApplication *self, GVariantDict *dict)
{
  g_autoptr (GError) error = NULL;
  const char *size;

  if (!g_variant_dict_lookup (dict, "picture", "^ay", &self->screenshot.file))
    return check_without_picture (dict);
  self->screenshot.width = 1440;
  self->screenshot.height = 900;
  self->screenshot.dark = g_variant_dict_contains (dict, "dark");
  g_variant_dict_lookup (dict, "page", "s", &self->screenshot.page);
  g_variant_dict_lookup (dict, "figure", "s", &self->screenshot.figure);
  if (g_variant_dict_lookup (dict, "size", "&s", &size)
      && !tb_screenshot_parse_size (size, &self->screenshot.width, &self->screenshot.height,
                                    &error))
    return usage_error (error->message);
  /* A screenshot is taken by this process, never by a running instance. */
  g_application_set_flags (G_APPLICATION (self), g_application_get_flags (G_APPLICATION (self))
                                                     | G_APPLICATION_NON_UNIQUE);
  return -1;
}

static void
add_uri (GVariantBuilder *builder, GFile *file)
{
  g_autofree char *uri = g_file_get_uri (file);

  g_variant_builder_add (builder, "s", uri);
}

/* The first file is the base, together with those of --base; the other files are the other side. */
static void
request_comparison (GApplication *application, GVariantDict *dict, GPtrArray *files)
{
  GVariantBuilder bases = G_VARIANT_BUILDER_INIT (G_VARIANT_TYPE ("as"));
  GVariantBuilder others = G_VARIANT_BUILDER_INIT (G_VARIANT_TYPE ("as"));
  g_autofree const char **more = NULL;

  add_uri (&bases, g_ptr_array_index (files, 0));
  g_variant_dict_lookup (dict, "base", "^a&ay", &more);
  for (guint i = 0; more != NULL && more[i] != NULL; i++)
    {
      g_autoptr (GFile) file = g_file_new_for_commandline_arg (more[i]);

      add_uri (&bases, file);
    }
  for (guint i = 1; i < files->len; i++)
    add_uri (&others, g_ptr_array_index (files, i));
  g_action_group_activate_action (G_ACTION_GROUP (application), "compare",
                                  g_variant_new ("(asas)", &bases, &others));
}

/* Sends the request to the primary instance, which may be this one. */
static void
send_request (GApplication *application, GVariantDict *dict, const char *const *paths)
{
  g_autoptr (GPtrArray) files = g_ptr_array_new_with_free_func (g_object_unref);

  for (guint i = 0; paths != NULL && paths[i] != NULL; i++)
    g_ptr_array_add (files, g_file_new_for_commandline_arg (paths[i]));
  if (g_variant_dict_contains (dict, "record"))
    g_action_group_activate_action (G_ACTION_GROUP (application), "new-recording", NULL);
  else if (g_variant_dict_contains (dict, "new-window"))
    g_action_group_activate_action (G_ACTION_GROUP (application), "new-window", NULL);
  if (g_variant_dict_contains (dict, "compare"))
    request_comparison (application, dict, files);
  else if (files->len > 0)
    g_application_open (application, (GFile **) files->pdata, files->len, "");
}

int
tb_application_handle_local_options (GApplication *application, GVariantDict *dict)
{
  TbApplication *self = TB_APPLICATION (application);
  g_autofree const char **paths = NULL;
  g_autoptr (GError) error = NULL;
  guint n_paths;
  int status;

  if (g_variant_dict_contains (dict, "version"))
    {
      g_print ("tailback %s\n", PACKAGE_VERSION);
      return EXIT_SUCCESS;
    }
  g_variant_dict_lookup (dict, G_OPTION_REMAINING, "^a&ay", &paths);
  n_paths = paths != NULL ? g_strv_length ((char **) paths) : 0;
  if (g_variant_dict_contains (dict, "compare") && n_paths < 2)
    return usage_error (_ ("--compare needs at least two recordings: BASE and OTHER"));
  if (g_variant_dict_contains (dict, "base") && !g_variant_dict_contains (dict, "compare"))
    return usage_error (_ ("--base needs --compare"));
  status = read_screenshot_options (self, dict);
  if (status >= 0)
    return status;
  if (n_paths == 0 && !g_variant_dict_contains (dict, "record")
      && !g_variant_dict_contains (dict, "new-window"))
    return -1;
  if (!g_application_register (application, NULL, &error))
    {
      g_printerr ("tailback: %s\n", error->message);
      return EXIT_FAILURE;
    }
  send_request (application, dict, paths);
  return g_application_get_is_remote (application) ? EXIT_SUCCESS : -1;
}

void
tb_application_add_options (TbApplication *self)
{
  g_application_add_main_option_entries (G_APPLICATION (self), options);
  g_application_set_option_context_parameter_string (G_APPLICATION (self), _ ("[FILE…]"));
  g_application_set_option_context_summary (
      G_APPLICATION (self),
      _ ("Find out what running software is waiting for, and why. Record the system, or open "
         "recordings and files of other tools."));
}
