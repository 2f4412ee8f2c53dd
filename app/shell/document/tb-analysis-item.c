/* tb-analysis-item.c: one analysis of a document: its option values, some of them stored in the
 * session, its run or comparison in a thread with progress, its report or error
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#include "config.h"

#include <glib/gi18n.h>

#include "tb-analysis-item.h"

#include "shell/tb-deferred-release.h"

struct _TbAnalysisItem
{
  GObject parent;

  char *id;
  char *name;
  char *description;
  TbAnalysis *options; /* never run; each run copies its options from here */
  TbSession *session;  /* stores those options that belong to a recording; may be NULL */
  GHashTable *stored;  /* option name to the text stored last, "" if none */
  TbProgress *progress;
  GCancellable *cancellable; /* of the current run; NULL: none */
  TbReport *report;
  GError *error;
  guint n_findings;
  TbSeverity severity;
  gint64 run_time; /* duration of the last run, µs */
};

enum
{
  PROP_0,
  PROP_NAME,
  PROP_RUNNING,
  PROP_REPORT,
  PROP_N_FINDINGS,
  PROP_SEVERITY,
  N_PROPS
};

static GParamSpec *props[N_PROPS];

enum
{
  FINISHED,
  N_SIGNALS
};

static guint signals[N_SIGNALS];

G_DEFINE_FINAL_TYPE (TbAnalysisItem, tb_analysis_item, G_TYPE_OBJECT)

typedef struct
{
  TbAnalysis *analysis;
  TbComparison *comparison; /* may be NULL */
  TbTrace *trace;
  TbSelection *selection;
  TbProgress *progress;
  gint64 started;
} Run;

static void
run_free (gpointer data)
{
  Run *run = data;

  tb_release_object (run->analysis); /* it may hold the last reference to a report */
  g_clear_object (&run->comparison);
  g_object_unref (run->trace);
  g_object_unref (run->selection);
  g_object_unref (run->progress);
  g_free (run);
}

static void
tb_analysis_item_dispose (GObject *object)
{
  TbAnalysisItem *self = TB_ANALYSIS_ITEM (object);

  tb_analysis_item_cancel (self);
  g_clear_object (&self->options);
  g_clear_object (&self->session);
  g_clear_object (&self->report);
  G_OBJECT_CLASS (tb_analysis_item_parent_class)->dispose (object);
}

static void
tb_analysis_item_finalize (GObject *object)
{
  TbAnalysisItem *self = TB_ANALYSIS_ITEM (object);

  g_free (self->id);
  g_free (self->name);
  g_free (self->description);
  g_hash_table_unref (self->stored);
  g_clear_error (&self->error);
  g_clear_object (&self->progress);
  G_OBJECT_CLASS (tb_analysis_item_parent_class)->finalize (object);
}

static void
tb_analysis_item_get_property (GObject *object, guint id, GValue *value, GParamSpec *pspec)
{
  TbAnalysisItem *self = TB_ANALYSIS_ITEM (object);

  switch (id)
    {
    case PROP_NAME:
      g_value_set_string (value, self->name);
      break;
    case PROP_RUNNING:
      g_value_set_boolean (value, self->cancellable != NULL);
      break;
    case PROP_REPORT:
      g_value_set_object (value, self->report);
      break;
    case PROP_N_FINDINGS:
      g_value_set_uint (value, self->n_findings);
      break;
    case PROP_SEVERITY:
      g_value_set_int (value, self->severity);
      break;
    default:
      G_OBJECT_WARN_INVALID_PROPERTY_ID (object, id, pspec);
    }
}

static void
tb_analysis_item_class_init (TbAnalysisItemClass *klass)
{
  GObjectClass *object_class = G_OBJECT_CLASS (klass);
  const GParamFlags flags = G_PARAM_READABLE | G_PARAM_STATIC_STRINGS;

  object_class->dispose = tb_analysis_item_dispose;
  object_class->finalize = tb_analysis_item_finalize;
  object_class->get_property = tb_analysis_item_get_property;
  props[PROP_NAME] = g_param_spec_string ("name", NULL, NULL, NULL, flags);
  props[PROP_RUNNING] = g_param_spec_boolean ("running", NULL, NULL, FALSE, flags);
  props[PROP_REPORT] = g_param_spec_object ("report", NULL, NULL, TB_TYPE_REPORT, flags);
  props[PROP_N_FINDINGS] = g_param_spec_uint ("n-findings", NULL, NULL, 0, G_MAXUINT, 0, flags);
  props[PROP_SEVERITY] = g_param_spec_int ("severity", NULL, NULL, TB_SEVERITY_INFO,
                                           TB_SEVERITY_HIGH, TB_SEVERITY_INFO, flags);
  g_object_class_install_properties (object_class, N_PROPS, props);

  /* Emitted when a run is over: there is a new report, an error, or it was cancelled. */
  signals[FINISHED] = g_signal_new ("finished", TB_TYPE_ANALYSIS_ITEM, G_SIGNAL_RUN_LAST, 0, NULL,
                                    NULL, NULL, G_TYPE_NONE, 0);
}

static void
notify_result (TbAnalysisItem *self)
{
  g_object_notify_by_pspec (G_OBJECT (self), props[PROP_REPORT]);
  g_object_notify_by_pspec (G_OBJECT (self), props[PROP_SEVERITY]);
  g_object_notify_by_pspec (G_OBJECT (self), props[PROP_N_FINDINGS]);
}

static void
tb_analysis_item_init (TbAnalysisItem *self)
{
  self->progress = tb_progress_new ();
  self->stored = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, g_free);
}

/**
 * tb_analysis_item_new:
 * @id: id of the plug-in
 * @name: display name
 * @description: description for display
 * @error: (nullable): why the plug-in could not be loaded
 *
 * Returns: (transfer full): an analysis that has not run
 */
TbAnalysisItem *
tb_analysis_item_new (const char *id, const char *name, const char *description, const char *error)
{
  TbAnalysisItem *self = g_object_new (TB_TYPE_ANALYSIS_ITEM, NULL);

  self->id = g_strdup (id);
  self->name = g_strdup (name != NULL && name[0] != '\0' ? name : id);
  self->description = g_strdup (description);
  if (error != NULL)
    self->error = g_error_new (TB_EXTEND_ERROR, TB_EXTEND_ERROR_FAILED,
                               _ ("The plug-in “%s” could not be loaded: %s"), id, error);
  return self;
}

const char *
tb_analysis_item_get_id (TbAnalysisItem *self)
{
  g_return_val_if_fail (TB_IS_ANALYSIS_ITEM (self), NULL);
  return self->id;
}

const char *
tb_analysis_item_get_name (TbAnalysisItem *self)
{
  g_return_val_if_fail (TB_IS_ANALYSIS_ITEM (self), NULL);
  return self->name;
}

const char *
tb_analysis_item_get_description (TbAnalysisItem *self)
{
  g_return_val_if_fail (TB_IS_ANALYSIS_ITEM (self), NULL);
  return self->description;
}

TbProgress *
tb_analysis_item_get_progress (TbAnalysisItem *self)
{
  g_return_val_if_fail (TB_IS_ANALYSIS_ITEM (self), NULL);
  return self->progress;
}

gboolean
tb_analysis_item_is_running (TbAnalysisItem *self)
{
  g_return_val_if_fail (TB_IS_ANALYSIS_ITEM (self), FALSE);
  return self->cancellable != NULL;
}

TbReport *
tb_analysis_item_get_report (TbAnalysisItem *self)
{
  g_return_val_if_fail (TB_IS_ANALYSIS_ITEM (self), NULL);
  return self->report;
}

const GError *
tb_analysis_item_get_error (TbAnalysisItem *self)
{
  g_return_val_if_fail (TB_IS_ANALYSIS_ITEM (self), NULL);
  return self->error;
}

guint
tb_analysis_item_get_n_findings (TbAnalysisItem *self)
{
  g_return_val_if_fail (TB_IS_ANALYSIS_ITEM (self), 0);
  return self->n_findings;
}

TbSeverity
tb_analysis_item_get_severity (TbAnalysisItem *self)
{
  g_return_val_if_fail (TB_IS_ANALYSIS_ITEM (self), TB_SEVERITY_INFO);
  return self->severity;
}

gint64
tb_analysis_item_get_run_time (TbAnalysisItem *self)
{
  g_return_val_if_fail (TB_IS_ANALYSIS_ITEM (self), 0);
  return self->run_time;
}

static void
copy_options (TbAnalysis *from, TbAnalysis *to)
{
  g_auto (GStrv) names = tb_analysis_get_options (from);

  tb_option_copy (G_OBJECT (from), G_OBJECT (to), (const char *const *) names);
}

/* A plug-in in Python whose file was changed is of another type, and may have other options. */
static void
renew_options (TbAnalysisItem *self, TbAnalysis *newest)
{
  g_autoptr (TbAnalysis) before = NULL;

  if (self->options == NULL || G_OBJECT_TYPE (self->options) == G_OBJECT_TYPE (newest))
    return;
  before = g_steal_pointer (&self->options);
  self->options = tb_engine_create_analysis (tb_engine_get_default (), self->id, NULL);
  if (self->options != NULL)
    copy_options (before, self->options);
}

/**
 * tb_analysis_item_create:
 * @error: return location
 *
 * Returns: (transfer full) (nullable): a new object of the plug-in, with default options
 */
TbAnalysis *
tb_analysis_item_create (TbAnalysisItem *self, GError **error)
{
  TbAnalysis *analysis;

  g_return_val_if_fail (TB_IS_ANALYSIS_ITEM (self), NULL);

  analysis = tb_engine_create_analysis (tb_engine_get_default (), self->id, error);
  if (analysis != NULL)
    renew_options (self, analysis);
  return analysis;
}

static char *
get_text (TbAnalysisItem *self, const char *option)
{
  char *text = NULL;

  g_object_get (self->options, option, &text, NULL);
  return text != NULL ? text : g_strdup ("");
}

/* Returns the key of the session fact that stores the option; NULL: the option is not stored. */
static const char *
get_fact (TbAnalysisItem *self, const char *option)
{
  GParamSpec *pspec = g_object_class_find_property (G_OBJECT_GET_CLASS (self->options), option);

  return pspec != NULL ? tb_option_get_fact (pspec) : NULL;
}

/* Restores the stored options. An invalid value leaves the default, because the file may come from
 * anywhere. */
static void
restore_options (TbAnalysisItem *self)
{
  g_auto (GStrv) names = tb_analysis_get_options (self->options);

  for (guint i = 0; names != NULL && names[i] != NULL; i++)
    {
      const char *fact = get_fact (self, names[i]);
      const char *text = fact != NULL ? tb_session_get_fact (self->session, fact) : NULL;

      if (text != NULL)
        tb_option_set_from_text (G_OBJECT (self->options), names[i], text, NULL);
      if (fact != NULL)
        g_hash_table_insert (self->stored, g_strdup (names[i]), get_text (self, names[i]));
    }
}

static gboolean
ensure_options (TbAnalysisItem *self, GError **error)
{
  if (self->options == NULL)
    {
      self->options = tb_analysis_item_create (self, error);
      if (self->options != NULL && self->session != NULL)
        restore_options (self);
    }
  return self->options != NULL;
}

/**
 * tb_analysis_item_set_session:
 * @session: session that stores the options that belong to a recording
 *
 * The stored options are restored from @session. Call this before the item has options.
 */
void
tb_analysis_item_set_session (TbAnalysisItem *self, TbSession *session)
{
  g_return_if_fail (TB_IS_ANALYSIS_ITEM (self));
  g_return_if_fail (self->options == NULL);

  g_set_object (&self->session, session);
}

/**
 * tb_analysis_item_store_options:
 * @error: return location
 *
 * Stores the options that belong to a recording in its session. If the file cannot be written, they
 * last as long as the session is open.
 *
 * Returns: %FALSE with @error if they could not be written
 */
gboolean
tb_analysis_item_store_options (TbAnalysisItem *self, GError **error)
{
  g_auto (GStrv) names = NULL;

  g_return_val_if_fail (TB_IS_ANALYSIS_ITEM (self), FALSE);

  if (self->options == NULL || self->session == NULL)
    return TRUE;
  names = tb_analysis_get_options (self->options);
  for (guint i = 0; names != NULL && names[i] != NULL; i++)
    {
      const char *fact = get_fact (self, names[i]);
      g_autofree char *text = fact != NULL ? get_text (self, names[i]) : NULL;

      /* An unchanged value is not stored, so that a stored value that could not be parsed is
       * kept. */
      if (fact == NULL || g_strcmp0 (text, g_hash_table_lookup (self->stored, names[i])) == 0)
        continue;
      g_hash_table_insert (self->stored, g_strdup (names[i]), g_strdup (text));
      if (!tb_session_set_fact (self->session, fact, text[0] != '\0' ? text : NULL, error))
        return FALSE;
    }
  return TRUE;
}

gboolean
tb_analysis_item_has_options (TbAnalysisItem *self)
{
  g_auto (GStrv) names = NULL;

  g_return_val_if_fail (TB_IS_ANALYSIS_ITEM (self), FALSE);

  if (ensure_options (self, NULL))
    names = tb_analysis_get_options (self->options);
  return names != NULL && names[0] != NULL;
}

/**
 * tb_analysis_item_copy_options_to:
 * @analysis: an object of the same plug-in that has not run
 *
 * Copies the options of the next run to @analysis.
 */
void
tb_analysis_item_copy_options_to (TbAnalysisItem *self, TbAnalysis *analysis)
{
  g_return_if_fail (TB_IS_ANALYSIS_ITEM (self));

  if (ensure_options (self, NULL))
    copy_options (self->options, analysis);
}

/**
 * tb_analysis_item_copy_options_from:
 * @analysis: an object of the same plug-in
 *
 * Copies the options of @analysis to the next run.
 */
void
tb_analysis_item_copy_options_from (TbAnalysisItem *self, TbAnalysis *analysis)
{
  g_return_if_fail (TB_IS_ANALYSIS_ITEM (self));

  if (ensure_options (self, NULL))
    copy_options (analysis, self->options);
}

/**
 * tb_analysis_item_set_option:
 * @name: name of an option
 * @text: its value, in command-line syntax
 * @error: return location
 *
 * Sets an option of the next run.
 *
 * Returns: %FALSE with @error if there is no such option or the value is invalid
 */
gboolean
tb_analysis_item_set_option (TbAnalysisItem *self,
                             const char *name,
                             const char *text,
                             GError **error)
{
  g_return_val_if_fail (TB_IS_ANALYSIS_ITEM (self), FALSE);

  return ensure_options (self, error)
         && tb_option_set_from_text (G_OBJECT (self->options), name, text, error);
}

/**
 * tb_analysis_item_apply_action:
 * @action: a report action that adds a value to an option, removes it, or sets the option
 *
 * Changes that option for the next run.
 */
void
tb_analysis_item_apply_action (TbAnalysisItem *self, const TbReportAction *action)
{
  g_autoptr (GStrvBuilder) builder = g_strv_builder_new ();
  g_auto (GStrv) old = NULL;
  g_auto (GStrv) new = NULL;

  g_return_if_fail (TB_IS_ANALYSIS_ITEM (self));
  g_return_if_fail (action != NULL && action->kind != TB_REPORT_ACTION_TRY);

  if (!ensure_options (self, NULL))
    return;
  if (action->kind == TB_REPORT_ACTION_SET)
    {
      g_autoptr (GError) error = NULL;

      if (!tb_option_set_from_text (G_OBJECT (self->options), action->option, action->text, &error))
        g_warning ("%s", error->message);
      return;
    }
  g_object_get (self->options, action->option, &old, NULL);
  for (guint i = 0; old != NULL && old[i] != NULL; i++)
    if (!g_str_equal (old[i], action->text))
      g_strv_builder_add (builder, old[i]);
  if (action->kind == TB_REPORT_ACTION_ADD || action->kind == TB_REPORT_ACTION_ASSERT)
    g_strv_builder_add (builder, action->text);
  new = g_strv_builder_end (builder);
  g_object_set (self->options, action->option, new, NULL);
}

/**
 * tb_analysis_item_has_text:
 * @name: name of a string option
 *
 * Returns: whether the option is set and not empty
 */
gboolean
tb_analysis_item_has_text (TbAnalysisItem *self, const char *name)
{
  GParamSpec *pspec;
  g_autofree char *text = NULL;

  g_return_val_if_fail (TB_IS_ANALYSIS_ITEM (self), FALSE);

  if (!ensure_options (self, NULL))
    return FALSE;
  pspec = g_object_class_find_property (G_OBJECT_GET_CLASS (self->options), name);
  if (pspec == NULL || pspec->value_type != G_TYPE_STRING)
    return FALSE;
  g_object_get (self->options, name, &text, NULL);
  return text != NULL && text[0] != '\0';
}

/**
 * tb_analysis_item_clear_result:
 *
 * Clears the result, as if the analysis had not run. Call this only when it is not running.
 */
void
tb_analysis_item_clear_result (TbAnalysisItem *self)
{
  g_return_if_fail (TB_IS_ANALYSIS_ITEM (self));

  g_clear_object (&self->report);
  g_clear_error (&self->error);
  self->n_findings = 0;
  self->severity = TB_SEVERITY_INFO;
  notify_result (self);
}

static void
run_thread (GTask *task, gpointer source, gpointer data, GCancellable *cancellable)
{
  Run *run = data;
  GError *error = NULL;
  TbReport *report;

  if (run->comparison != NULL)
    report = tb_analysis_compare_all (run->analysis, run->comparison, tb_progress_report,
                                      run->progress, cancellable, &error);
  else
    report = tb_analysis_run (run->analysis, run->trace, run->selection, tb_progress_report,
                              run->progress, cancellable, &error);
  if (report != NULL)
    g_task_return_pointer (task, report, g_object_unref);
  else if (error != NULL)
    g_task_return_error (task, error);
  else
    g_task_return_new_error (task, TB_EXTEND_ERROR, TB_EXTEND_ERROR_FAILED,
                             _ ("it ended without a report and without an error"));
}

static void
take_report (TbAnalysisItem *self, TbReport *report)
{
  guint n_findings = tb_report_get_n_findings (report);

  tb_release_object (self->report);
  self->report = g_object_ref (report);
  self->n_findings = 0;
  self->severity = TB_SEVERITY_INFO;
  for (guint i = 0; i < n_findings; i++)
    {
      TbSeverity severity = tb_finding_get_severity (tb_report_get_finding (report, i));

      if (severity == TB_SEVERITY_INFO)
        continue; /* informational, nothing to act on: not counted in the badge */
      self->n_findings++;
      self->severity = MAX (self->severity, severity);
    }
}

static void
run_done (GObject *object, GAsyncResult *result, gpointer data)
{
  TbAnalysisItem *self = TB_ANALYSIS_ITEM (object);
  g_autoptr (GError) error = NULL;
  g_autoptr (TbReport) report = g_task_propagate_pointer (G_TASK (result), &error);
  Run *run = g_task_get_task_data (G_TASK (result));

  if (g_task_get_cancellable (G_TASK (result)) != self->cancellable)
    {
      tb_release_object (g_steal_pointer (&report));
      return; /* superseded by another run */
    }
  g_clear_object (&self->cancellable);

  if (report != NULL)
    {
      g_clear_error (&self->error);
      self->run_time = g_get_monotonic_time () - run->started;
      take_report (self, report);
    }
  else if (!g_error_matches (error, G_IO_ERROR, G_IO_ERROR_CANCELLED))
    {
      g_clear_error (&self->error);
      g_clear_object (&self->report);
      self->n_findings = 0;
      self->error = g_error_new (error->domain, error->code, _ ("%s failed: %s"), self->name,
                                 error->message);
    }
  g_object_notify_by_pspec (G_OBJECT (self), props[PROP_RUNNING]);
  notify_result (self);
  g_signal_emit (self, signals[FINISHED], 0);
}

/**
 * tb_analysis_item_run:
 * @comparison: (nullable): recordings to compare, instead of an analysis of @trace
 * @trace: trace to analyse
 * @selection: part of the trace to analyse
 *
 * Runs the analysis in a thread with the current options. A run in progress is cancelled.
 * #TbAnalysisItem::finished is emitted when the report or the error is available.
 */
void
tb_analysis_item_run (TbAnalysisItem *self,
                      TbComparison *comparison,
                      TbTrace *trace,
                      TbSelection *selection)
{
  g_autoptr (GTask) task = NULL;
  g_autoptr (GError) error = NULL;
  TbAnalysis *analysis;
  Run *run;

  g_return_if_fail (TB_IS_ANALYSIS_ITEM (self));

  tb_analysis_item_cancel (self);
  analysis = tb_analysis_item_create (self, &error);
  if (analysis == NULL)
    {
      g_clear_error (&self->error);
      self->error = g_steal_pointer (&error);
      g_object_notify_by_pspec (G_OBJECT (self), props[PROP_REPORT]);
      g_signal_emit (self, signals[FINISHED], 0);
      return;
    }
  tb_analysis_item_copy_options_to (self, analysis);

  run = g_new0 (Run, 1);
  run->analysis = analysis;
  run->comparison = comparison != NULL ? g_object_ref (comparison) : NULL;
  run->trace = g_object_ref (trace);
  run->selection = g_object_ref (selection);
  run->progress = g_object_ref (self->progress);
  run->started = g_get_monotonic_time ();
  tb_progress_report (0, "", self->progress);

  self->cancellable = g_cancellable_new ();
  task = g_task_new (self, self->cancellable, run_done, NULL);
  g_task_set_source_tag (task, tb_analysis_item_run);
  g_task_set_task_data (task, run, run_free);
  g_task_run_in_thread (task, run_thread);
  g_object_notify_by_pspec (G_OBJECT (self), props[PROP_RUNNING]);
}

/**
 * tb_analysis_item_cancel:
 *
 * Cancels the run in progress, if there is one. The previous report is kept.
 */
void
tb_analysis_item_cancel (TbAnalysisItem *self)
{
  g_return_if_fail (TB_IS_ANALYSIS_ITEM (self));

  if (self->cancellable == NULL)
    return;
  g_cancellable_cancel (self->cancellable);
  g_clear_object (&self->cancellable);
  g_object_notify_by_pspec (G_OBJECT (self), props[PROP_RUNNING]);
}
