/* tb-symbolization.c: run of the symbolizer for all addresses of a recording, in a thread, with
 * progress; inlined functions as the preferences request
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#include "config.h"

#include "shell/document/tb-symbolization.h"
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
} Symbolization;

static void
symbolization_free (gpointer data)
{
  Symbolization *symbolization = data;

  g_object_unref (symbolization->symbolizer);
  g_object_unref (symbolization->progress);
  g_free (symbolization);
}

static void
run (GTask *task, gpointer source, gpointer data, GCancellable *cancellable)
{
  Symbolization *symbolization = data;
  GError *error = NULL;

  if (tb_symbolizer_run (symbolization->symbolizer, report, symbolization->progress, cancellable,
                         &error))
    g_task_return_boolean (task, TRUE);
  else
    g_task_return_error (task, error);
}

/**
 * tb_symbolization_run_async:
 * @session: a session
 * @again: whether addresses without a symbol are tried again
 * @progress: receives the progress
 * @cancellable: (nullable): a cancellable
 * @callback: (scope async): called when all symbols that can be found are known
 * @data: for @callback
 *
 * Symbolizes the addresses in the stacks of @session, with inlined functions if the preferences
 * request them.
 */
void
tb_symbolization_run_async (TbSession *session,
                            gboolean again,
                            TbProgress *progress,
                            GCancellable *cancellable,
                            GAsyncReadyCallback callback,
                            gpointer data)
{
  g_autoptr (GSettings) settings = g_settings_new (TAILBACK_SETTINGS_ID);
  g_autoptr (GTask) task = g_task_new (NULL, cancellable, callback, data);
  gboolean inlines = g_settings_get_boolean (settings, "inline-frames");
  Symbolization *symbolization = g_new0 (Symbolization, 1);

  symbolization->symbolizer
      = tb_symbolizer_new (session, (inlines ? TB_SYMBOLIZER_INLINES : TB_SYMBOLIZER_NONE)
                                        | (again ? TB_SYMBOLIZER_RETRY : TB_SYMBOLIZER_NONE));
  symbolization->progress = g_object_ref (progress);
  g_task_set_source_tag (task, tb_symbolization_run_async);
  g_task_set_task_data (task, symbolization, symbolization_free);
  g_task_run_in_thread (task, run);
}

gboolean
tb_symbolization_run_finish (GAsyncResult *result, GError **error)
{
  g_return_val_if_fail (g_task_is_valid (result, NULL), FALSE);
  return g_task_propagate_boolean (G_TASK (result), error);
}
