/* tb-trials.c: scenarios of an analysis of a document, and their prediction
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

#include "shell/trials/tb-trials.h"

struct _TbTrials
{
  GObject parent;

  TbDocument *document;
  TbAnalysisItem *item;
  char *option;
  const char *separator;
  GListStore *trials;
  TbTrial *together; /* last item of the store; NULL if there are fewer than two scenarios */
  TbTrial *running;
  GCancellable *cancellable; /* of the running prediction */
};

G_DEFINE_FINAL_TYPE (TbTrials, tb_trials, G_TYPE_OBJECT)

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
stop (TbTrials *self)
{
  if (self->cancellable != NULL)
    g_cancellable_cancel (self->cancellable);
  g_clear_object (&self->cancellable);
  g_clear_object (&self->running);
}

static void
tb_trials_dispose (GObject *object)
{
  TbTrials *self = TB_TRIALS (object);

  stop (self);
  g_clear_object (&self->trials);
  g_clear_object (&self->item);
  g_clear_object (&self->document);
  g_clear_pointer (&self->option, g_free);
  G_OBJECT_CLASS (tb_trials_parent_class)->dispose (object);
}

static void
tb_trials_class_init (TbTrialsClass *klass)
{
  G_OBJECT_CLASS (klass)->dispose = tb_trials_dispose;
}

static void
tb_trials_init (TbTrials *self)
{
  self->trials = g_list_store_new (TB_TYPE_TRIAL);
}

static void start_next (TbTrials *self);

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
  TbTrials *self = TB_TRIALS (object);
  g_autoptr (GError) error = NULL;
  g_autoptr (TbReport) report = g_task_propagate_pointer (G_TASK (result), &error);
  g_autoptr (TbTrial) trial = NULL;
  const TbOutcome *outcome;

  if (g_task_get_cancellable (G_TASK (result)) != self->cancellable)
    return; /* cancelled */
  g_clear_object (&self->cancellable);
  trial = g_steal_pointer (&self->running);
  outcome = report != NULL ? tb_report_find_outcome (report, self->option, tb_trial_get_text (trial)) : NULL;
  if (outcome != NULL)
    tb_trial_take_outcome (trial, outcome);
  else
    tb_trial_fail (trial,
                   error != NULL ? error->message : _ ("The analysis does not say what would come of it."));
  start_next (self);
}

/* Creates an object of the plug-in with the options of the current report. */
static TbAnalysis *
make_analysis (TbTrials *self, GError **error)
{
  TbAnalysis *analysis = tb_analysis_item_create (self->item, error);

  if (analysis != NULL)
    tb_analysis_item_put_options (self->item, analysis);
  return analysis;
}

static void
run (TbTrials *self, TbTrial *trial)
{
  const char *const texts[] = { tb_trial_get_text (trial), NULL };
  g_autoptr (GError) error = NULL;
  g_autoptr (TbAnalysis) analysis = make_analysis (self, &error);
  g_autoptr (GTask) task = NULL;
  Run *work;

  if (analysis == NULL)
    {
      tb_trial_fail (trial, error->message);
      return;
    }
  g_object_set (analysis, self->option, texts, NULL);
  work = g_new0 (Run, 1);
  work->analysis = g_steal_pointer (&analysis);
  work->trace = g_object_ref (tb_document_get_trace (self->document));
  work->selection = g_object_ref (tb_document_get_selection (self->document));
  work->progress = g_object_ref (tb_trial_get_progress (trial));
  self->running = g_object_ref (trial);
  self->cancellable = g_cancellable_new ();
  task = g_task_new (self, self->cancellable, run_done, NULL);
  g_task_set_source_tag (task, run);
  g_task_set_task_data (task, work, run_free);
  tb_trial_set_state (trial, TB_TRIAL_RUNNING);
  g_task_run_in_thread (task, run_thread);
}

/* No scenario is started while a report is pending: after it all scenarios are predicted again. */
static void
start_next (TbTrials *self)
{
  for (guint i = 0; self->trials != NULL && self->running == NULL; i++)
    {
      g_autoptr (TbTrial) trial = g_list_model_get_item (G_LIST_MODEL (self->trials), i);

      if (trial == NULL || tb_document_get_trace (self->document) == NULL
          || tb_document_is_wanted (self->document, self->item))
        return;
      if (tb_trial_get_state (trial) == TB_TRIAL_WAITING)
        run (self, trial);
    }
}

static void
report_changed (TbTrials *self)
{
  stop (self);
  for (guint i = 0; i < g_list_model_get_n_items (G_LIST_MODEL (self->trials)); i++)
    {
      g_autoptr (TbTrial) trial = g_list_model_get_item (G_LIST_MODEL (self->trials), i);

      if (tb_trial_get_state (trial) != TB_TRIAL_CANCELLED)
        tb_trial_set_state (trial, TB_TRIAL_WAITING);
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

      *separator = pspec != NULL ? tb_option_get_trial_separator (pspec) : NULL;
      if (*separator != NULL)
        return g_strdup (names[i]);
    }
  return NULL;
}

/**
 * tb_trials_new:
 * @document: a recording; a comparison has no scenarios
 * @item: an analysis of the document
 *
 * Returns: (transfer full) (nullable): an empty list of scenarios; %NULL if the analysis does not
 *   support them
 */
TbTrials *
tb_trials_new (TbDocument *document, TbAnalysisItem *item)
{
  g_autoptr (TbAnalysis) analysis = NULL;
  g_autofree char *option = NULL;
  const char *separator = NULL;
  TbTrials *self;

  g_return_val_if_fail (TB_IS_DOCUMENT (document) && TB_IS_ANALYSIS_ITEM (item), NULL);

  analysis = tb_document_is_comparison (document) ? NULL : tb_analysis_item_create (item, NULL);
  option = analysis != NULL ? find_option (analysis, &separator) : NULL;
  if (option == NULL)
    return NULL;
  self = g_object_new (TB_TYPE_TRIALS, NULL);
  self->document = g_object_ref (document);
  self->item = g_object_ref (item);
  self->option = g_steal_pointer (&option);
  self->separator = separator;
  g_signal_connect_object (item, "finished", G_CALLBACK (report_changed), self, G_CONNECT_SWAPPED);
  return self;
}

GListModel *
tb_trials_get_model (TbTrials *self)
{
  g_return_val_if_fail (TB_IS_TRIALS (self), NULL);
  return G_LIST_MODEL (self->trials);
}

const char *
tb_trials_get_option (TbTrials *self)
{
  g_return_val_if_fail (TB_IS_TRIALS (self), NULL);
  return self->option;
}

static char **
parse (TbTrials *self, const char *text, GError **error)
{
  g_autoptr (TbAnalysis) analysis = make_analysis (self, error);
  g_auto (GStrv) texts = NULL;

  if (analysis == NULL || !tb_option_set_from_text (G_OBJECT (analysis), self->option, text, error))
    return NULL;
  g_object_get (analysis, self->option, &texts, NULL);
  return g_steal_pointer (&texts);
}

/**
 * tb_trials_check:
 * @text: text typed by the user
 * @error: return location
 *
 * Returns: whether the text is valid; whether the recording has what it names is found out by the
 *   prediction
 */
gboolean
tb_trials_check (TbTrials *self, const char *text, GError **error)
{
  g_auto (GStrv) texts = NULL;

  g_return_val_if_fail (TB_IS_TRIALS (self) && text != NULL, FALSE);

  texts = parse (self, text, error);
  return texts != NULL;
}

static guint
count_single (TbTrials *self)
{
  return g_list_model_get_n_items (G_LIST_MODEL (self->trials)) - (self->together != NULL ? 1 : 0);
}

static char *
join_texts (TbTrials *self)
{
  GString *text = g_string_new (NULL);

  for (guint i = 0; i < count_single (self); i++)
    {
      g_autoptr (TbTrial) trial = g_list_model_get_item (G_LIST_MODEL (self->trials), i);

      g_string_append_printf (text, "%s%s", i > 0 ? self->separator : "", tb_trial_get_text (trial));
    }
  return g_string_free (text, FALSE);
}

/* Updates the combined scenario after the others have changed. */
static void
renew_together (TbTrials *self)
{
  guint n = count_single (self);
  g_autofree char *text = join_texts (self);

  if (self->running != NULL && self->running == self->together)
    stop (self);
  if (n < 2 && self->together != NULL)
    {
      self->together = NULL;
      g_list_store_remove (self->trials, n);
    }
  else if (n >= 2 && self->together == NULL)
    {
      g_autoptr (TbTrial) together = tb_trial_new (text, _ ("All of them together"), TRUE);

      g_list_store_append (self->trials, together);
      self->together = together;
    }
  else if (self->together != NULL)
    tb_trial_set_text (self->together, text);
}

static gboolean
has_text (TbTrials *self, const char *text)
{
  for (guint i = 0; i < count_single (self); i++)
    {
      g_autoptr (TbTrial) trial = g_list_model_get_item (G_LIST_MODEL (self->trials), i);

      if (g_str_equal (tb_trial_get_text (trial), text))
        return TRUE;
    }
  return FALSE;
}

static void
add (TbTrials *self, const char *text, const char *label)
{
  g_autoptr (TbTrial) trial = NULL;

  if (has_text (self, text))
    return;
  trial = tb_trial_new (text, label, FALSE);
  g_list_store_insert (self->trials, count_single (self), trial);
  renew_together (self);
  start_next (self);
}

/**
 * tb_trials_add_text:
 * @text: scenarios in command-line syntax
 * @error: return location
 *
 * Returns: whether the text is valid; the prediction is then started
 */
gboolean
tb_trials_add_text (TbTrials *self, const char *text, GError **error)
{
  g_auto (GStrv) texts = NULL;

  g_return_val_if_fail (TB_IS_TRIALS (self) && text != NULL, FALSE);

  texts = parse (self, text, error);
  for (guint i = 0; texts != NULL && texts[i] != NULL; i++)
    add (self, texts[i], NULL);
  return texts != NULL;
}

void
tb_trials_add_offer (TbTrials *self, const TbOffer *offer, double number)
{
  g_autofree char *text = NULL;
  g_autofree char *label = NULL;

  g_return_if_fail (TB_IS_TRIALS (self) && offer != NULL);

  text = tb_offer_fill (offer, offer->text, number);
  label = tb_offer_fill (offer, offer->label, number);
  add (self, text, label);
}

/**
 * tb_trials_remove:
 * @trial: a scenario, but not the combined one
 */
void
tb_trials_remove (TbTrials *self, TbTrial *trial)
{
  guint place;

  g_return_if_fail (TB_IS_TRIALS (self) && trial != self->together);

  if (!g_list_store_find (self->trials, trial, &place))
    return;
  if (trial == self->running)
    stop (self);
  g_list_store_remove (self->trials, place);
  renew_together (self);
  start_next (self);
}

void
tb_trials_cancel (TbTrials *self, TbTrial *trial)
{
  g_return_if_fail (TB_IS_TRIALS (self));

  if (trial == self->running)
    stop (self);
  tb_trial_set_state (trial, TB_TRIAL_CANCELLED);
  start_next (self);
}

void
tb_trials_run_again (TbTrials *self, TbTrial *trial)
{
  g_return_if_fail (TB_IS_TRIALS (self));

  if (trial != self->running)
    tb_trial_set_state (trial, TB_TRIAL_WAITING);
  start_next (self);
}

gboolean
tb_trials_is_busy (TbTrials *self)
{
  g_return_val_if_fail (TB_IS_TRIALS (self), FALSE);
  return self->running != NULL;
}
