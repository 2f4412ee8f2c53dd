/* tb-collector-choice.c: list of the collectors that load, for a new recording: id, name,
 * description and an object with the options of each; reason why one or all are missing; copy of
 * such an object
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#include "config.h"

#include <glib/gi18n.h>

#include "shell/recording/tb-collector-choice.h"

static void
choice_free (gpointer data)
{
  TbCollectorChoice *choice = data;

  g_free (choice->id);
  g_free (choice->name);
  g_free (choice->description);
  g_object_unref (choice->collector);
  g_free (choice);
}

static void
add_choice (GPtrArray *choices, const TbPluginInfo *info, char **problem)
{
  g_autoptr (GError) error = NULL;
  g_autoptr (TbCollector) collector = NULL;
  TbCollectorChoice *choice;

  if (info->error == NULL)
    collector = tb_engine_create_collector (tb_engine_get_default (), info->id, &error);
  if (collector == NULL)
    {
      g_free (*problem);
      *problem = g_strdup_printf (_ ("The collector “%s” could not be loaded: %s"), info->id,
                                  error != NULL ? error->message : info->error);
      return;
    }
  choice = g_new0 (TbCollectorChoice, 1);
  choice->id = g_strdup (info->id);
  choice->name = g_strdup (info->name != NULL ? info->name : info->id);
  choice->description = g_strdup (info->description != NULL ? info->description : "");
  choice->collector = g_steal_pointer (&collector);
  g_ptr_array_add (choices, choice);
}

/**
 * tb_collector_choice_list:
 * @problem: (out) (transfer full) (nullable): error of a collector that does not load
 *
 * Returns: (transfer full) (element-type TbCollectorChoice): the collectors that load, the
 *   preferred one first
 */
GPtrArray *
tb_collector_choice_list (char **problem)
{
  g_autoptr (GPtrArray) collectors = tb_engine_list_collectors (tb_engine_get_default ());
  GPtrArray *choices = g_ptr_array_new_with_free_func (choice_free);
  guint n_disabled = 0;

  *problem = NULL;
  for (guint i = 0; i < collectors->len; i++)
    {
      const TbPluginInfo *info = g_ptr_array_index (collectors, i);

      if (info->disabled)
        n_disabled++;
      else
        add_choice (choices, info, problem);
    }
  if (choices->len == 0 && *problem == NULL && n_disabled > 0)
    *problem = g_strdup (
        _ ("Every collector is switched off, so nothing can be recorded. Switch one on in the "
           "preferences, under Plug-Ins."));
  if (choices->len == 0 && *problem == NULL)
    *problem = g_strdup (_ (
        "No collector is installed, so nothing can be recorded. Reinstall Tailback’s plug-ins."));
  return choices;
}

/**
 * tb_collector_choice_copy:
 *
 * Returns: (transfer full): a new object of the same collector and options, for use in another
 *   thread
 */
TbCollector *
tb_collector_choice_copy (const TbCollectorChoice *self)
{
  g_auto (GStrv) options = tb_collector_get_options (self->collector);
  TbCollector *copy = tb_engine_create_collector (tb_engine_get_default (), self->id, NULL);

  g_assert (copy != NULL); /* the plug-in was loaded before */
  tb_option_copy (G_OBJECT (self->collector), G_OBJECT (copy), (const char *const *) options);
  return copy;
}
