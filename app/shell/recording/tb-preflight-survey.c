/* tb-preflight-survey.c: run of the preflight of each given collector, in a thread: whether it can
 * record on this computer, or its error; replacement and look-up of the results
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#include "config.h"

#include "shell/recording/tb-preflight-survey.h"

typedef struct
{
  GPtrArray *ids;
  GPtrArray *collectors;
  TbScope scope;
} Survey;

static void
survey_free (gpointer data)
{
  Survey *survey = data;

  g_ptr_array_unref (survey->ids);
  g_ptr_array_unref (survey->collectors);
  g_free (survey);
}

static void
survey_result_free (gpointer data)
{
  TbPreflightResult *surveyed = data;

  g_free (surveyed->id);
  g_clear_pointer (&surveyed->lines, g_ptr_array_unref);
  g_free (surveyed->error);
  g_free (surveyed);
}

static TbPreflightResult *
run_preflight (const char *id, TbCollector *collector, TbScope scope, GCancellable *cancellable)
{
  TbPreflightResult *surveyed = g_new0 (TbPreflightResult, 1);
  g_autoptr (GError) error = NULL;

  surveyed->id = g_strdup (id);
  surveyed->lines = tb_collector_preflight (collector, scope, cancellable, &error);
  surveyed->works = surveyed->lines != NULL && tb_preflight_is_good (surveyed->lines);
  if (error != NULL)
    surveyed->error = g_strdup (error->message);
  return surveyed;
}

static void
survey_thread (GTask *task, gpointer source, gpointer data, GCancellable *cancellable)
{
  const Survey *survey = data;
  GPtrArray *all = g_ptr_array_new_with_free_func (survey_result_free);

  for (guint i = 0; i < survey->ids->len && !g_cancellable_is_cancelled (cancellable); i++)
    g_ptr_array_add (all, run_preflight (g_ptr_array_index (survey->ids, i),
                                         g_ptr_array_index (survey->collectors, i), survey->scope,
                                         cancellable));
  g_task_return_pointer (task, all, (GDestroyNotify) g_ptr_array_unref);
}

/**
 * tb_preflight_survey_run_async:
 * @collectors: (element-type TbCollectorChoice): collectors with their options
 * @scope: scope of the recording
 * @cancellable: (nullable): a cancellable
 * @callback: (scope async): called when all preflights are complete
 * @data: for @callback
 *
 * Runs the preflight of the collectors in a thread.
 */
void
tb_preflight_survey_run_async (GPtrArray *collectors,
                               TbScope scope,
                               GCancellable *cancellable,
                               GAsyncReadyCallback callback,
                               gpointer data)
{
  g_autoptr (GTask) task = g_task_new (NULL, cancellable, callback, data);
  Survey *survey = g_new0 (Survey, 1);

  survey->ids = g_ptr_array_new_with_free_func (g_free);
  survey->collectors = g_ptr_array_new_with_free_func (g_object_unref);
  survey->scope = scope;
  for (guint i = 0; i < collectors->len; i++)
    {
      const TbCollectorChoice *choice = g_ptr_array_index (collectors, i);

      g_ptr_array_add (survey->ids, g_strdup (choice->id));
      g_ptr_array_add (survey->collectors, tb_collector_choice_copy (choice));
    }
  g_task_set_source_tag (task, tb_preflight_survey_run_async);
  g_task_set_task_data (task, survey, survey_free);
  g_task_run_in_thread (task, survey_thread);
}

GPtrArray *
tb_preflight_survey_run_finish (GAsyncResult *result, GError **error)
{
  g_return_val_if_fail (g_task_is_valid (result, NULL), NULL);
  return g_task_propagate_pointer (G_TASK (result), error);
}

/**
 * tb_preflight_survey_replace_results:
 * @surveyed: (element-type TbPreflightResult): results so far
 * @newer: (element-type TbPreflightResult): results that replace those of the same collectors; left
 *   empty
 */
void
tb_preflight_survey_replace_results (GPtrArray *surveyed, GPtrArray *newer)
{
  while (newer->len > 0)
    {
      TbPreflightResult *preflight_result = g_ptr_array_steal_index (newer, newer->len - 1);

      for (guint i = 0; i < surveyed->len; i++)
        if (g_str_equal (((TbPreflightResult *) g_ptr_array_index (surveyed, i))->id,
                         preflight_result->id))
          g_ptr_array_remove_index (surveyed, i--);
      g_ptr_array_add (surveyed, preflight_result);
    }
}

/**
 * tb_preflight_survey_find_result:
 * @surveyed: (nullable) (element-type TbPreflightResult): results
 * @id: id of a collector
 *
 * Returns: (transfer none) (nullable): the result of the collector
 */
const TbPreflightResult *
tb_preflight_survey_find_result (GPtrArray *surveyed, const char *id)
{
  for (guint i = 0; surveyed != NULL && i < surveyed->len; i++)
    {
      const TbPreflightResult *preflight_result = g_ptr_array_index (surveyed, i);

      if (g_strcmp0 (preflight_result->id, id) == 0)
        return preflight_result;
    }
  return NULL;
}
