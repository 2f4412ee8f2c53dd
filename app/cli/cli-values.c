/* cli-values.c: output of the values that a recording has for an option of an analysis, as text or
 * JSON (a function of the plug-in finds them); storage of given options in the session; check of
 * the arguments for both
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#include "config.h"

#include <glib/gi18n.h>
#include <string.h>

#include "cli.h"

typedef struct
{
  TbAnalysis *analysis;
  const char *name;
  TbTrace *trace;
  TbSelection *selection;
  GPtrArray *found;
} Values;

static gboolean
find_values (gpointer data, GCancellable *cancellable, GError **error)
{
  Values *values = data;

  values->found = tb_option_list_candidates (G_OBJECT (values->analysis), values->name,
                                             values->trace, values->selection, cancellable, error);
  return values->found != NULL;
}

static void
add_string (JsonBuilder *builder, const char *name, const char *text)
{
  json_builder_set_member_name (builder, name);
  json_builder_add_string_value (builder, text);
}

static void
add_integer (JsonBuilder *builder, const char *name, gint64 number)
{
  json_builder_set_member_name (builder, name);
  json_builder_add_int_value (builder, number);
}

static void
add_value (JsonBuilder *builder, const TbOptionCandidate *candidate)
{
  json_builder_begin_object (builder);
  add_string (builder, "value", candidate->text);
  add_string (builder, "label", candidate->label);
  add_string (builder, "group", candidate->group);
  add_integer (builder, "count", (gint64) MIN (candidate->count, G_MAXINT64));
  json_builder_set_member_name (builder, "per_second");
  json_builder_add_double_value (builder, candidate->per_second);
  json_builder_end_object (builder);
}

static gboolean
write_json (const Values *values, const char *analysis, const char *path, GError **error)
{
  g_autoptr (JsonBuilder) builder = json_builder_new ();
  g_autoptr (JsonNode) root = NULL;
  gint64 from, to;

  tb_selection_get_range (values->selection, &from, &to);
  json_builder_begin_object (builder);
  add_string (builder, "format", "tailback-values");
  add_integer (builder, "version", 1);
  add_string (builder, "analysis", analysis);
  add_string (builder, "option", values->name);
  json_builder_set_member_name (builder, "range");
  json_builder_begin_object (builder);
  add_integer (builder, "from_ns", from);
  add_integer (builder, "to_ns", to);
  json_builder_end_object (builder);
  json_builder_set_member_name (builder, "values");
  json_builder_begin_array (builder);
  for (guint i = 0; i < values->found->len; i++)
    add_value (builder, g_ptr_array_index (values->found, i));
  json_builder_end_array (builder);
  json_builder_end_object (builder);
  root = json_builder_get_root (builder);
  return cli_write_json (path, root, error);
}

/* The value comes from a file, so control characters must not reach a terminal. */
static void
append_clean (GString *text, const char *value)
{
  g_autofree char *clean = g_strdup (value);

  for (char *c = clean; *c != '\0'; c++)
    if (g_ascii_iscntrl (*c))
      *c = ' ';
  g_string_append (text, clean);
}

static gboolean
write_text (const Values *values, const char *path, GError **error)
{
  g_autoptr (GString) text = g_string_new (NULL);
  const char *group = "";

  for (guint i = 0; i < values->found->len; i++)
    {
      const TbOptionCandidate *candidate = g_ptr_array_index (values->found, i);

      if (strcmp (group, candidate->group) != 0)
        g_string_append_printf (text, "%s%s:\n", *group != '\0' ? "\n" : "", candidate->group);
      group = candidate->group;
      g_string_append_printf (text, "%12lu %14.6g/s  ", (gulong) candidate->count,
                              candidate->per_second);
      append_clean (text, candidate->text);
      g_string_append_c (text, '\n');
    }
  if (values->found->len == 0)
    g_string_append_printf (text, _ ("The recording has no values for “%s”.\n"), values->name);
  return cli_write (path, text->str, (gssize) text->len, error);
}

gboolean
cli_check_values (const CliAnalysisArgs *args, TbAnalysis *analysis, GError **error)
{
  GParamSpec *option;

  if (!args->values)
    return TRUE;
  option = g_object_class_find_property (G_OBJECT_GET_CLASS (analysis), args->values);
  if (!option || !tb_option_has_candidates (option))
    return cli_usage_error (
        error, _ ("invalid --values: %s has no option “%s” with values from a recording"),
        args->analysis, args->values);
  if (args->store_options)
    return cli_usage_error (error, _ ("--values and --keep cannot be combined: --values lists "
                                      "possible values only and stores none"));
  if (strcmp (args->format, "text") != 0 && strcmp (args->format, "json") != 0)
    return cli_usage_error (error, _ ("invalid --format “%s” for --values: use text or json"),
                            args->format);
  return TRUE;
}

gboolean
cli_write_values (const CliAnalysisArgs *args,
                  TbAnalysis *analysis,
                  TbTrace *trace,
                  TbSelection *selection,
                  GError **error)
{
  Values values = { analysis, args->values, trace, selection, NULL };
  g_autoptr (GPtrArray) found = NULL;

  if (!cli_work_of (analysis, find_values, &values, error))
    return FALSE;
  found = values.found;
  return strcmp (args->format, "json") == 0
             ? write_json (&values, args->analysis, args->output, error)
             : write_text (&values, args->output, error);
}

/* --- stored options --- */

/* Returns the key of the session fact that stores the option set here; NULL if it is not stored. */
static const char *
find_fact (TbAnalysis *analysis, const char *set, GParamSpec **option)
{
  g_autofree char *name = g_strndup (set, strcspn (set, "="));

  *option = g_object_class_find_property (G_OBJECT_GET_CLASS (analysis), name);
  return *option ? tb_option_get_fact (*option) : NULL;
}

gboolean
cli_check_keep (const CliAnalysisArgs *args, TbAnalysis *analysis, GError **error)
{
  GParamSpec *option;

  for (guint i = 0; args->store_options && args->options && args->options[i]; i++)
    if (find_fact (analysis, args->options[i], &option))
      return TRUE;
  return !args->store_options
         || cli_usage_error (error, _ ("--keep needs an --option that belongs to a recording"));
}

gboolean
cli_store_options (const CliAnalysisArgs *args,
                   TbAnalysis *analysis,
                   TbTrace *trace,
                   GError **error)
{
  TbSession *session = tb_trace_get_session (trace);

  for (guint i = 0; args->store_options && args->options && args->options[i]; i++)
    {
      GParamSpec *option;
      const char *fact = find_fact (analysis, args->options[i], &option);
      g_autofree char *text = NULL;

      if (!fact)
        continue;
      if (!tb_session_is_writable (session))
        {
          g_set_error (error, CLI_ERROR, CLI_ERROR_FAILED,
                       _ ("cannot store option “%s”: the recording is read-only"), option->name);
          return FALSE;
        }
      g_object_get (analysis, option->name, &text, NULL);
      if (!tb_session_set_fact (session, fact, text && *text ? text : NULL, error))
        return FALSE;
    }
  return TRUE;
}
