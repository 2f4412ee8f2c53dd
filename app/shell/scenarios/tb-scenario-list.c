/* tb-scenario-list.c: list of the scenarios of an analysis of a document: adding, check of typed
 * ones, removal, all of them combined, and their prediction by runs of the analysis
 *
 * Each scenario is predicted by a separate run of the analysis, one after the other, while the
 * current report stays visible. An invalid or unpredictable scenario therefore affects only itself.
 * After each new report, of another part of the recording or with other options, all scenarios are
 * predicted again.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#include "config.h"

#include <glib/gi18n.h>

#include "shell/scenarios/tb-scenario-list.h"

struct _TbScenarioList
{
  GObject parent;

  TbDocument *document;
  TbAnalysisItem *item;
  char *option;
  const char *separator;
  GListStore *scenarios;
  TbScenario *combined; /* last item of the store; NULL if there are fewer than two scenarios */
  TbScenario *running;
  GCancellable *cancellable; /* of the running prediction */
};

G_DEFINE_FINAL_TYPE (TbScenarioList, tb_scenario_list, G_TYPE_OBJECT)

typedef struct
{
  TbAnalysis *analysis;
  TbTrace *trace;
  TbSelection *selection;
  TbProgress *progress;
} Run;

static void
run_free (gpointer data)
{
  Run *run = data;

  g_object_unref (run->analysis);
  g_object_unref (run->trace);
  g_object_unref (run->selection);
  g_object_unref (run->progress);
  g_free (run);
}

static void
stop (TbScenarioList *self)
{
  if (self->cancellable != NULL)
    g_cancellable_cancel (self->cancellable);
  g_clear_object (&self->cancellable);
  g_clear_object (&self->running);
}

static void
tb_scenario_list_dispose (GObject *object)
{
  TbScenarioList *self = TB_SCENARIO_LIST (object);

  stop (self);
  g_clear_object (&self->scenarios);
  g_clear_object (&self->item);
  g_clear_object (&self->document);
  g_clear_pointer (&self->option, g_free);
  G_OBJECT_CLASS (tb_scenario_list_parent_class)->dispose (object);
}

static void
tb_scenario_list_class_init (TbScenarioListClass *klass)
{
  G_OBJECT_CLASS (klass)->dispose = tb_scenario_list_dispose;
}

static void
tb_scenario_list_init (TbScenarioList *self)
{
  self->scenarios = g_list_store_new (TB_TYPE_SCENARIO);
}

static void start_next (TbScenarioList *self);

static void
run_thread (GTask *task, gpointer source, gpointer data, GCancellable *cancellable)
{
  Run *run = data;
  GError *error = NULL;
  TbReport *report = tb_analysis_run (run->analysis, run->trace, run->selection, tb_progress_report,
                                      run->progress, cancellable, &error);

  if (report != NULL)
    g_task_return_pointer (task, report, g_object_unref);
  else
    g_task_return_error (task, error);
}

static void
run_done (GObject *object, GAsyncResult *result, gpointer data)
{
  TbScenarioList *self = TB_SCENARIO_LIST (object);
  g_autoptr (GError) error = NULL;
  g_autoptr (TbReport) report = g_task_propagate_pointer (G_TASK (result), &error);
  g_autoptr (TbScenario) scenario = NULL;
  const TbScenarioOutcome *outcome;

  if (g_task_get_cancellable (G_TASK (result)) != self->cancellable)
    return; /* cancelled */
  g_clear_object (&self->cancellable);
  scenario = g_steal_pointer (&self->running);
  outcome = report != NULL
                ? tb_report_find_outcome (report, self->option, tb_scenario_get_text (scenario))
                : NULL;
  if (outcome != NULL)
    tb_scenario_take_outcome (scenario, outcome);
  else
    tb_scenario_fail (scenario, error != NULL
                                    ? error->message
                                    : _ ("The analysis did not report a predicted gain."));
  start_next (self);
}

/* Creates an object of the plug-in with the options of the current report. */
static TbAnalysis *
make_analysis (TbScenarioList *self, GError **error)
{
  TbAnalysis *analysis = tb_analysis_item_create (self->item, error);

  if (analysis != NULL)
    tb_analysis_item_copy_options_to (self->item, analysis);
  return analysis;
}

static void
run (TbScenarioList *self, TbScenario *scenario)
{
  const char *const texts[] = { tb_scenario_get_text (scenario), NULL };
  g_autoptr (GError) error = NULL;
  g_autoptr (TbAnalysis) analysis = make_analysis (self, &error);
  g_autoptr (GTask) task = NULL;
  Run *work;

  if (analysis == NULL)
    {
      tb_scenario_fail (scenario, error->message);
      return;
    }
  g_object_set (analysis, self->option, texts, NULL);
  work = g_new0 (Run, 1);
  work->analysis = g_steal_pointer (&analysis);
  work->trace = g_object_ref (tb_document_get_trace (self->document));
  work->selection = g_object_ref (tb_document_get_selection (self->document));
  work->progress = g_object_ref (tb_scenario_get_progress (scenario));
  self->running = g_object_ref (scenario);
  self->cancellable = g_cancellable_new ();
  task = g_task_new (self, self->cancellable, run_done, NULL);
  g_task_set_source_tag (task, run);
  g_task_set_task_data (task, work, run_free);
  tb_scenario_set_state (scenario, TB_SCENARIO_RUNNING);
  g_task_run_in_thread (task, run_thread);
}

/* No scenario is started while a report is pending: after it all scenarios are predicted again. */
static void
start_next (TbScenarioList *self)
{
  for (guint i = 0; self->scenarios != NULL && self->running == NULL; i++)
    {
      g_autoptr (TbScenario) scenario = g_list_model_get_item (G_LIST_MODEL (self->scenarios), i);

      if (scenario == NULL || tb_document_get_trace (self->document) == NULL
          || tb_document_is_pending (self->document, self->item))
        return;
      if (tb_scenario_get_state (scenario) == TB_SCENARIO_WAITING)
        run (self, scenario);
    }
}

static void
report_changed (TbScenarioList *self)
{
  stop (self);
  for (guint i = 0; i < g_list_model_get_n_items (G_LIST_MODEL (self->scenarios)); i++)
    {
      g_autoptr (TbScenario) scenario = g_list_model_get_item (G_LIST_MODEL (self->scenarios), i);

      if (tb_scenario_get_state (scenario) != TB_SCENARIO_CANCELLED)
        tb_scenario_set_state (scenario, TB_SCENARIO_WAITING);
    }
  start_next (self);
}

/* Returns the first option with elements that can be scenarios. */
static char *
find_option (TbAnalysis *analysis, const char **separator)
{
  g_auto (GStrv) names = tb_analysis_get_options (analysis);

  for (guint i = 0; names != NULL && names[i] != NULL; i++)
    {
      GParamSpec *pspec = g_object_class_find_property (G_OBJECT_GET_CLASS (analysis), names[i]);

      *separator = pspec != NULL ? tb_option_get_scenario_separator (pspec) : NULL;
      if (*separator != NULL)
        return g_strdup (names[i]);
    }
  return NULL;
}

/**
 * tb_scenario_list_new:
 * @document: a recording; a comparison has no scenarios
 * @item: an analysis of the document
 *
 * Returns: (transfer full) (nullable): an empty list of scenarios; %NULL if the analysis does not
 *   support them
 */
TbScenarioList *
tb_scenario_list_new (TbDocument *document, TbAnalysisItem *item)
{
  g_autoptr (TbAnalysis) analysis = NULL;
  g_autofree char *option = NULL;
  const char *separator = NULL;
  TbScenarioList *self;

  g_return_val_if_fail (TB_IS_DOCUMENT (document) && TB_IS_ANALYSIS_ITEM (item), NULL);

  analysis = tb_document_is_comparison (document) ? NULL : tb_analysis_item_create (item, NULL);
  option = analysis != NULL ? find_option (analysis, &separator) : NULL;
  if (option == NULL)
    return NULL;
  self = g_object_new (TB_TYPE_SCENARIO_LIST, NULL);
  self->document = g_object_ref (document);
  self->item = g_object_ref (item);
  self->option = g_steal_pointer (&option);
  self->separator = separator;
  g_signal_connect_object (item, "finished", G_CALLBACK (report_changed), self, G_CONNECT_SWAPPED);
  return self;
}

GListModel *
tb_scenario_list_get_model (TbScenarioList *self)
{
  g_return_val_if_fail (TB_IS_SCENARIO_LIST (self), NULL);
  return G_LIST_MODEL (self->scenarios);
}

const char *
tb_scenario_list_get_option (TbScenarioList *self)
{
  g_return_val_if_fail (TB_IS_SCENARIO_LIST (self), NULL);
  return self->option;
}

static char **
parse (TbScenarioList *self, const char *text, GError **error)
{
  g_autoptr (TbAnalysis) analysis = make_analysis (self, error);
  g_auto (GStrv) texts = NULL;

  if (analysis == NULL || !tb_option_set_from_text (G_OBJECT (analysis), self->option, text, error))
    return NULL;
  g_object_get (analysis, self->option, &texts, NULL);
  return g_steal_pointer (&texts);
}

/**
 * tb_scenario_list_check:
 * @text: text typed by the user
 * @error: return location
 *
 * Returns: whether the text is valid; whether the recording has what it names is found out by the
 *   prediction
 */
gboolean
tb_scenario_list_check (TbScenarioList *self, const char *text, GError **error)
{
  g_auto (GStrv) texts = NULL;

  g_return_val_if_fail (TB_IS_SCENARIO_LIST (self) && text != NULL, FALSE);

  texts = parse (self, text, error);
  return texts != NULL;
}

static guint
count_single (TbScenarioList *self)
{
  return g_list_model_get_n_items (G_LIST_MODEL (self->scenarios))
         - (self->combined != NULL ? 1 : 0);
}

static char *
join_texts (TbScenarioList *self)
{
  GString *text = g_string_new (NULL);

  for (guint i = 0; i < count_single (self); i++)
    {
      g_autoptr (TbScenario) scenario = g_list_model_get_item (G_LIST_MODEL (self->scenarios), i);

      g_string_append_printf (text, "%s%s", i > 0 ? self->separator : "",
                              tb_scenario_get_text (scenario));
    }
  return g_string_free (text, FALSE);
}

/* Updates the combined scenario after the others have changed. */
static void
update_combined (TbScenarioList *self)
{
  guint n = count_single (self);
  g_autofree char *text = join_texts (self);

  if (self->running != NULL && self->running == self->combined)
    stop (self);
  if (n < 2 && self->combined != NULL)
    {
      self->combined = NULL;
      g_list_store_remove (self->scenarios, n);
    }
  else if (n >= 2 && self->combined == NULL)
    {
      g_autoptr (TbScenario) combined = tb_scenario_new (text, _ ("All changes together"), TRUE);

      g_list_store_append (self->scenarios, combined);
      self->combined = combined;
    }
  else if (self->combined != NULL)
    tb_scenario_set_text (self->combined, text);
}

static gboolean
has_text (TbScenarioList *self, const char *text)
{
  for (guint i = 0; i < count_single (self); i++)
    {
      g_autoptr (TbScenario) scenario = g_list_model_get_item (G_LIST_MODEL (self->scenarios), i);

      if (g_str_equal (tb_scenario_get_text (scenario), text))
        return TRUE;
    }
  return FALSE;
}

static void
add (TbScenarioList *self, const char *text, const char *label)
{
  g_autoptr (TbScenario) scenario = NULL;

  if (has_text (self, text))
    return;
  scenario = tb_scenario_new (text, label, FALSE);
  g_list_store_insert (self->scenarios, count_single (self), scenario);
  update_combined (self);
  start_next (self);
}

/**
 * tb_scenario_list_add_text:
 * @text: scenarios in command-line syntax
 * @error: return location
 *
 * Returns: whether the text is valid; the prediction is then started
 */
gboolean
tb_scenario_list_add_text (TbScenarioList *self, const char *text, GError **error)
{
  g_auto (GStrv) texts = NULL;

  g_return_val_if_fail (TB_IS_SCENARIO_LIST (self) && text != NULL, FALSE);

  texts = parse (self, text, error);
  for (guint i = 0; texts != NULL && texts[i] != NULL; i++)
    add (self, texts[i], NULL);
  return texts != NULL;
}

void
tb_scenario_list_add_action (TbScenarioList *self, const TbReportAction *action, double number)
{
  g_autofree char *text = NULL;
  g_autofree char *label = NULL;

  g_return_if_fail (TB_IS_SCENARIO_LIST (self) && action != NULL);

  text = tb_report_action_insert_number (action, action->text, number);
  label = tb_report_action_insert_number (action, action->label, number);
  add (self, text, label);
}

/**
 * tb_scenario_list_remove:
 * @scenario: a scenario, but not the combined one
 */
void
tb_scenario_list_remove (TbScenarioList *self, TbScenario *scenario)
{
  guint place;

  g_return_if_fail (TB_IS_SCENARIO_LIST (self) && scenario != self->combined);

  if (!g_list_store_find (self->scenarios, scenario, &place))
    return;
  if (scenario == self->running)
    stop (self);
  g_list_store_remove (self->scenarios, place);
  update_combined (self);
  start_next (self);
}

void
tb_scenario_list_cancel (TbScenarioList *self, TbScenario *scenario)
{
  g_return_if_fail (TB_IS_SCENARIO_LIST (self));

  if (scenario == self->running)
    stop (self);
  tb_scenario_set_state (scenario, TB_SCENARIO_CANCELLED);
  start_next (self);
}

void
tb_scenario_list_run_again (TbScenarioList *self, TbScenario *scenario)
{
  g_return_if_fail (TB_IS_SCENARIO_LIST (self));

  if (scenario != self->running)
    tb_scenario_set_state (scenario, TB_SCENARIO_WAITING);
  start_next (self);
}

gboolean
tb_scenario_list_is_busy (TbScenarioList *self)
{
  g_return_val_if_fail (TB_IS_SCENARIO_LIST (self), FALSE);
  return self->running != NULL;
}
