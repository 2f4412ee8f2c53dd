/* tb-plugin.c: id of a plug-in object, list of its options, which a run freezes, checked progress,
 * and errors prefixed with its id, also exceptions of other languages, alike for all kinds
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

/* The functions of a plug-in are called in many threads. */
static GPrivate current_exception = G_PRIVATE_INIT (g_free);

void
tb_plugin_set_id (GObject *plugin, const char *id)
{
  g_object_set_qdata (plugin, plugin_id_quark (), (gpointer) g_intern_string (id));
}

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

void
tb_plugin_complete_error (GObject *plugin, gboolean succeeded, GError **error)
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
                 _ ("%s: the plug-in failed without an error message"), tb_plugin_get_id (plugin));
  else if (!g_error_matches (*error, G_IO_ERROR, G_IO_ERROR_CANCELLED)
           && !g_error_matches (*error, TB_EXTEND_ERROR, TB_EXTEND_ERROR_INPUT)
           && !g_error_matches (*error, TB_EXTEND_ERROR, TB_EXTEND_ERROR_UNAVAILABLE))
    g_prefix_error (error, "%s: ", tb_plugin_get_id (plugin));
  if (!g_utf8_validate ((*error)->message, -1, NULL))
    {
      g_autofree char *invalid = (*error)->message;

      (*error)->message = g_utf8_make_valid (invalid, -1);
    }
}
