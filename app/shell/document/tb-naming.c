/* tb-naming.c: finds the names of all addresses of a recording, in a thread
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#include "config.h"

#include "shell/document/tb-naming.h"
#include "symbols/tb-symbolizer.h"

static void
report (guint named, guint total, gpointer data)
{
  tb_progress_report (total > 0 ? (double) named / total : 1, NULL, data);
}

typedef struct
{
  TbSymbolizer *symbolizer;
  TbProgress *progress;
} Naming;

static void
naming_free (gpointer data)
{
  Naming *naming = data;

  g_object_unref (naming->symbolizer);
  g_object_unref (naming->progress);
  g_free (naming);
}

static void
run (GTask *task, gpointer source, gpointer data, GCancellable *cancellable)
{
  Naming *naming = data;
  GError *error = NULL;

  if (tb_symbolizer_run (naming->symbolizer, report, naming->progress, cancellable, &error))
    g_task_return_boolean (task, TRUE);
  else
    g_task_return_error (task, error);
}

/**
 * tb_naming_run_async:
 * @session: a recording
 * @again: whether what was not found is to be sought once more
 * @progress: told how far it is
 * @cancellable: (nullable): to give up
 * @callback: (scope async): called when all names that can be found are
 * @data: for @callback
 *
 * Finds the names of what the stacks of @session hold, inlined functions too if the user wants them.
 */
void
tb_naming_run_async (TbSession *session,
                     gboolean again,
                     TbProgress *progress,
                     GCancellable *cancellable,
                     GAsyncReadyCallback callback,
                     gpointer data)
{
  g_autoptr (GSettings) settings = g_settings_new (TAILBACK_APP_ID);
  g_autoptr (GTask) task = g_task_new (NULL, cancellable, callback, data);
  gboolean inlines = g_settings_get_boolean (settings, "inline-frames");
  Naming *naming = g_new0 (Naming, 1);

  naming->symbolizer = tb_symbolizer_new (session, (inlines ? TB_SYMBOLIZER_INLINES : TB_SYMBOLIZER_NONE)
                                                       | (again ? TB_SYMBOLIZER_AGAIN : TB_SYMBOLIZER_NONE));
  naming->progress = g_object_ref (progress);
  g_task_set_source_tag (task, tb_naming_run_async);
  g_task_set_task_data (task, naming, naming_free);
  g_task_run_in_thread (task, run);
}

gboolean
tb_naming_run_finish (GAsyncResult *result, GError **error)
{
  g_return_val_if_fail (g_task_is_valid (result, NULL), FALSE);
  return g_task_propagate_boolean (G_TASK (result), error);
}
