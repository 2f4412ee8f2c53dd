/* tb-plugin.c: id of a plug-in object, list of its options, which a run freezes, checked progress,
 * failed reads, and errors prefixed with its id, also exceptions of other languages, alike for all
 * kinds; import of a changed module
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#include "config.h"

#include <math.h>

#include <gio/gio.h>
#include <glib/gi18n-lib.h>

#include "extend/tb-extend-error.h"
#include "extend/tb-plugin-private.h"

static G_DEFINE_QUARK (tb-plugin-id, plugin_id);
static G_DEFINE_QUARK (tb-plugin-frozen, plugin_frozen);
static G_DEFINE_QUARK (tb-plugin-options-func, plugin_options_func);
static G_DEFINE_QUARK (tb-plugin-outdated, plugin_outdated);

/* The functions of a plug-in are called in many threads. */
static GPrivate current_exception = G_PRIVATE_INIT (g_free);

void
tb_plugin_set_id (GObject *plugin, const char *id)
{
  g_object_set_qdata (plugin, plugin_id_quark (), (gpointer) g_intern_string (id));
}

/**
 * tb_plugin_get_id:
 * @plugin: an object of a plug-in
 *
 * Gets the id of a plug-in, by which users call it.
 *
 * Returns: the id; the name of the type if the engine did not create the object
 */
const char *
tb_plugin_get_id (GObject *plugin)
{
  const char *id = g_object_get_qdata (plugin, plugin_id_quark ());

  return id ? id : G_OBJECT_TYPE_NAME (plugin);
}

void
tb_plugin_freeze_options (GObject *plugin)
{
  tb_plugin_set_exception (NULL); /* of an earlier run */
  g_object_set_qdata (plugin, plugin_frozen_quark (), GINT_TO_POINTER (TRUE));
}

gboolean
tb_plugin_has_frozen_options (GObject *plugin)
{
  return g_object_get_qdata (plugin, plugin_frozen_quark ()) != NULL;
}

void
tb_plugin_set_options_func (GType kind, TbPluginOptionsFunc func)
{
  g_type_set_qdata (kind, plugin_options_func_quark (), (gpointer) func);
}

char **
tb_plugin_list_options (GObject *plugin)
{
  g_autoptr (GStrvBuilder) builder = g_strv_builder_new ();
  g_autoptr (GHashTable) seen = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, NULL);
  guint n_interfaces;
  g_autofree GType *interfaces = g_type_interfaces (G_OBJECT_TYPE (plugin), &n_interfaces);

  for (guint i = 0; i < n_interfaces; i++)
    {
      TbPluginOptionsFunc func
          = (TbPluginOptionsFunc) g_type_get_qdata (interfaces[i], plugin_options_func_quark ());
      g_auto (GStrv) options = func != NULL ? func (plugin) : NULL;

      for (guint j = 0; options != NULL && options[j] != NULL; j++)
        if (g_hash_table_add (seen, g_strdup (options[j])))
          g_strv_builder_add (builder, options[j]);
    }
  return g_strv_builder_end (builder);
}

void
tb_plugin_report_progress (double share, const char *what, gpointer data)
{
  TbPluginProgress *progress = data;
  gboolean is_share = share >= 0 && share <= 1;
  g_autofree char *valid = NULL;

  if (progress->func == NULL)
    return;
  if (what != NULL && !g_utf8_validate (what, -1, NULL))
    valid = g_utf8_make_valid (what, -1);
  if ((!is_share || valid != NULL) && !progress->is_reported)
    {
      g_warning ("%s: the plug-in reports a progress %s", tb_plugin_get_id (progress->plugin),
                 is_share ? "with a text that is not UTF-8" : "that is not between 0 and 1");
      progress->is_reported = TRUE;
    }
  progress->func (isnan (share) ? 0 : CLAMP (share, 0, 1), valid != NULL ? valid : what,
                  progress->data);
}

gboolean
tb_plugin_check_function (GObject *plugin, gboolean exists, const char *function, GError **error)
{
  if (!exists)
    g_set_error (error, TB_EXTEND_ERROR, TB_EXTEND_ERROR_FAILED,
                 _ ("%s: the plug-in does not define %s(), which its interface requires"),
                 tb_plugin_get_id (plugin), function);
  return exists;
}

/**
 * tb_plugin_set_exception:
 * @text: (nullable): one line that describes the exception, %NULL for none
 *
 * For language bindings: sets the exception of the function of a plug-in that runs in this thread.
 * It is the error of that function if the function sets none itself.
 */
void
tb_plugin_set_exception (const char *text)
{
  g_private_replace (&current_exception, text != NULL ? g_utf8_make_valid (text, -1) : NULL);
}

char *
tb_plugin_take_exception (void)
{
  char *text = g_strdup (g_private_get (&current_exception));

  g_private_replace (&current_exception, NULL);
  return text;
}

static struct
{
  TbPluginImportFunc func;
  gpointer data;
} importing;

/**
 * tb_plugin_set_import_func:
 * @func: (scope notified) (closure data) (destroy notify): imports a module
 * @data: user data of @func
 * @notify: (nullable): frees @data
 *
 * For language bindings: sets the function by which a plug-in is loaded again after a change of its
 * files. Only the first call has an effect.
 */
void
tb_plugin_set_import_func (TbPluginImportFunc func, gpointer data, GDestroyNotify notify)
{
  g_return_if_fail (func != NULL);

  if (importing.func != NULL)
    {
      if (notify != NULL)
        notify (data);
      return;
    }
  importing.func = func;
  importing.data = data;
}

gboolean
tb_plugin_can_import (void)
{
  return importing.func != NULL;
}

GType
tb_plugin_import (const char *module, const char *folder, GType kind)
{
  g_autofree char *type = importing.func (module, folder, g_type_name (kind), importing.data);

  return type != NULL ? g_type_from_name (type) : G_TYPE_INVALID;
}

void
tb_plugin_set_outdated (GObject *plugin)
{
  g_object_set_qdata (plugin, plugin_outdated_quark (), GINT_TO_POINTER (TRUE));
}

void
tb_plugin_reads_begin (TbPluginReads *reads, TbTrace *trace)
{
  reads->trace = trace;
  if (trace == NULL)
    return;
  reads->n_failed = tb_session_get_failed_reads (tb_trace_get_session (trace), NULL);
  reads->n_missing = tb_session_get_missing_names (tb_trace_get_session (trace), NULL);
}

gboolean
tb_plugin_reads_check (const TbPluginReads *reads, GError **error)
{
  g_autoptr (GError) failure = NULL;

  if (reads->trace == NULL)
    return TRUE;
  if (!tb_trace_check (reads->trace, error))
    return FALSE;
  if (tb_session_get_failed_reads (tb_trace_get_session (reads->trace), &failure)
      == reads->n_failed)
    return TRUE;
  g_propagate_error (error, g_steal_pointer (&failure));
  return FALSE;
}

gboolean
tb_plugin_reads_check_names (const TbPluginReads *reads, GError **error)
{
  g_autoptr (GError) failure = NULL;

  if (reads->trace == NULL
      || tb_session_get_missing_names (tb_trace_get_session (reads->trace), &failure)
             == reads->n_missing)
    return TRUE;
  g_propagate_error (error, g_steal_pointer (&failure));
  return FALSE;
}

void
tb_plugin_complete_error (GObject *plugin, const char *function, gboolean succeeded, GError **error)
{
  g_autofree char *exception = tb_plugin_take_exception ();

  if (succeeded)
    {
      if (*error)
        g_warning ("%s: succeeded with an error: %s", tb_plugin_get_id (plugin), (*error)->message);
      g_clear_error (error);
      return;
    }
  if (!*error && exception != NULL)
    g_set_error (error, TB_EXTEND_ERROR, TB_EXTEND_ERROR_FAILED, "%s: %s",
                 tb_plugin_get_id (plugin), exception);
  else if (!*error)
    g_set_error (error, TB_EXTEND_ERROR, TB_EXTEND_ERROR_FAILED,
                 /* Translators: an ID, and twice the name of a function. */
                 _ ("%s: the function %s() of the plug-in (do_%s() in Python) ended without a "
                    "result and without an error; its author must return one of them"),
                 tb_plugin_get_id (plugin), function, function);
  else if (!g_error_matches (*error, G_IO_ERROR, G_IO_ERROR_CANCELLED)
           && !g_error_matches (*error, TB_EXTEND_ERROR, TB_EXTEND_ERROR_INPUT)
           && !g_error_matches (*error, TB_EXTEND_ERROR, TB_EXTEND_ERROR_UNAVAILABLE))
    g_prefix_error (error, "%s: ", tb_plugin_get_id (plugin));
  if (!g_utf8_validate ((*error)->message, -1, NULL))
    {
      g_autofree char *invalid = (*error)->message;

      (*error)->message = g_utf8_make_valid (invalid, -1);
    }
  if (g_object_get_qdata (plugin, plugin_outdated_quark ()) != NULL)
    {
      g_autofree char *message = (*error)->message;

      (*error)->message
          = g_strdup_printf (_ ("%s (the plug-in was changed after it was loaded: start Tailback "
                                "again to use the new one)"),
                             message);
    }
}
