/* tb-report.c: report of an analysis: headline, findings, figures, options, summary and warnings:
 * building and access
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#include "config.h"

#include "report/table/tb-table-figure-private.h"
#include "report/tb-report-private.h"
#include "report/tb-valid-text-private.h"
#include "base/tb-base.h"

/**
 * TbReport:
 *
 * The result of an analysis: findings, sorted by weight, and figures. An analysis builds a report
 * in its own thread. After that the report is read-only and can be read from any thread.
 */
struct _TbReport
{
  GObject parent_instance;

  char *analysis;
  char *title;
  char *headline;
  gint64 from;
  gint64 to;
  gint64 origin; /* TB_TIME_NONE: unknown */
  JsonObject *options;
  JsonNode *evidence; /* NULL: not known */
  JsonNode *summary;
  GMutex summary_mutex;
  TbReportSummaryFunc make_summary; /* NULL: the summary is made */
  gpointer summary_data;
  GDestroyNotify free_summary_data;
  guint64 lost_events;
  gint64 lost_ns;
  GPtrArray *warnings; /* NULL-terminated */
  GPtrArray *remarks;  /* likewise */
  char *scope;         /* NULL: not stated */
  JsonNode *scope_values;
  GPtrArray *findings;
  GPtrArray *figures;
};

G_DEFINE_FINAL_TYPE (TbReport, tb_report, G_TYPE_OBJECT)

static void
forget_summary_func (TbReport *self)
{
  if (self->free_summary_data != NULL)
    self->free_summary_data (self->summary_data);
  self->make_summary = NULL;
  self->summary_data = NULL;
  self->free_summary_data = NULL;
}

static void
tb_report_finalize (GObject *object)
{
  TbReport *self = TB_REPORT (object);

  g_free (self->analysis);
  g_free (self->title);
  g_free (self->headline);
  json_object_unref (self->options);
  json_node_unref (self->summary);
  forget_summary_func (self);
  g_mutex_clear (&self->summary_mutex);
  g_ptr_array_unref (self->warnings);
  g_ptr_array_unref (self->remarks);
  g_free (self->scope);
  g_clear_pointer (&self->scope_values, json_node_unref);
  g_ptr_array_unref (self->findings);
  g_ptr_array_unref (self->figures);
  g_clear_pointer (&self->evidence, json_node_unref);
  G_OBJECT_CLASS (tb_report_parent_class)->finalize (object);
}

static void
tb_report_class_init (TbReportClass *klass)
{
  G_OBJECT_CLASS (klass)->finalize = tb_report_finalize;
}

static void
tb_report_init (TbReport *self)
{
  self->options = json_object_new ();
  self->summary = json_node_init_object (json_node_alloc (), NULL);
  json_node_take_object (self->summary, json_object_new ());
  g_mutex_init (&self->summary_mutex);
  self->warnings = g_ptr_array_new_null_terminated (0, g_free, TRUE);
  self->remarks = g_ptr_array_new_null_terminated (0, g_free, TRUE);
  self->findings = g_ptr_array_new_with_free_func (g_object_unref);
  self->figures = g_ptr_array_new_with_free_func (g_object_unref);
}

/**
 * tb_report_new:
 * @analysis: id of the analysis ("threads")
 * @title: user-visible title
 * @from: start of the analysed time, ns
 * @to: end of the analysed time, ns
 *
 * Creates a report. The analysis builds it in its thread; afterwards it can be read from any
 * thread.
 *
 * Returns: (transfer full): an empty report
 */
TbReport *
tb_report_new (const char *analysis, const char *title, gint64 from, gint64 to)
{
  TbReport *self = g_object_new (TB_TYPE_REPORT, NULL);

  self->analysis = tb_valid_text_dup (analysis ? analysis : "");
  self->title = tb_valid_text_dup (title ? title : "");
  self->from = from;
  self->to = to;
  self->origin = TB_TIME_NONE;
  return self;
}

/**
 * tb_report_set_origin:
 * @self: a report that is being built, without figures
 * @origin: start of the recording, ns; %TB_TIME_NONE (the default): unknown
 *
 * User-visible times of its figures are counted from this time.
 */
void
tb_report_set_origin (TbReport *self, gint64 origin)
{
  g_return_if_fail (TB_IS_REPORT (self));
  g_return_if_fail (self->figures->len == 0);

  self->origin = origin;
}

/**
 * tb_report_get_origin:
 * @self: a report
 *
 * Gets the start of the recording, from which user-visible times are counted.
 *
 * Returns: start of the recording, ns; %TB_TIME_NONE: unknown
 */
gint64
tb_report_get_origin (TbReport *self)
{
  g_return_val_if_fail (TB_IS_REPORT (self), TB_TIME_NONE);

  return self->origin;
}

/**
 * tb_report_set_option:
 * @self: a report that is being built
 * @name: name of an option of the analysis
 * @value: (transfer full): value of the option
 *
 * Sets with which value of an option the report was made.
 */
void
tb_report_set_option (TbReport *self, const char *name, JsonNode *value)
{
  g_return_if_fail (TB_IS_REPORT (self));
  g_return_if_fail (name != NULL && value != NULL);

  json_object_set_member (self->options, name, value);
}

/**
 * tb_report_set_evidence:
 * @self: a report that is being built
 * @evidence: (transfer full): an object as [method@Tailback.Evidence.to_json] makes it
 *
 * Adds what the recording has, and which questions that answers.
 */
void
tb_report_set_evidence (TbReport *self, JsonNode *evidence)
{
  g_return_if_fail (TB_IS_REPORT (self));
  g_return_if_fail (evidence != NULL && JSON_NODE_HOLDS_OBJECT (evidence));

  g_clear_pointer (&self->evidence, json_node_unref);
  self->evidence = evidence;
}

/**
 * tb_report_get_evidence:
 * @self: a report
 *
 * Gets which kinds of events the recording has, see [method@Tailback.Evidence.to_json].
 *
 * Returns: (transfer none) (nullable): what the recording has; %NULL: it is not known
 */
JsonNode *
tb_report_get_evidence (TbReport *self)
{
  g_return_val_if_fail (TB_IS_REPORT (self), NULL);

  return self->evidence;
}

/**
 * tb_report_set_uncertainty:
 * @self: a report that is being built
 * @lost_events: number of events lost in the analysed time
 * @lost_ns: total length of the ranges with lost events, ns; %TB_TIME_NONE: unknown
 *
 * Sets what was lost in the analysed time. Without a call nothing was.
 */
void
tb_report_set_uncertainty (TbReport *self, guint64 lost_events, gint64 lost_ns)
{
  g_return_if_fail (TB_IS_REPORT (self));

  self->lost_events = lost_events;
  self->lost_ns = lost_ns;
}

/**
 * tb_report_add_warning:
 * @self: a report that is being built
 * @warning: user-visible reason why the results are less certain
 *
 * A warning that was added before is not added again.
 */
void
tb_report_add_warning (TbReport *self, const char *warning)
{
  g_return_if_fail (TB_IS_REPORT (self));
  g_return_if_fail (warning != NULL);

  if (!g_ptr_array_find_with_equal_func (self->warnings, warning, g_str_equal, NULL))
    g_ptr_array_add (self->warnings, tb_valid_text_dup (warning));
}

/**
 * tb_report_add_remark:
 * @self: a report that is being built
 * @remark: user-visible sentence about a loss that changes no result, shown after the results
 *
 * A remark that was added before is not added again.
 */
void
tb_report_add_remark (TbReport *self, const char *remark)
{
  g_return_if_fail (TB_IS_REPORT (self));
  g_return_if_fail (remark != NULL);

  if (!g_ptr_array_find_with_equal_func (self->remarks, remark, g_str_equal, NULL))
    g_ptr_array_add (self->remarks, tb_valid_text_dup (remark));
}

/**
 * tb_report_set_scope:
 * @self: a report that is being built
 * @text: (nullable): user-visible sentence: which threads of the recording the report is about
 * @values: (transfer full) (nullable): an object with the same as values, for programs
 *
 * Sets which threads of the recording the report is about, if not all.
 */
void
tb_report_set_scope (TbReport *self, const char *text, JsonNode *values)
{
  g_return_if_fail (TB_IS_REPORT (self));
  g_return_if_fail (values == NULL || JSON_NODE_HOLDS_OBJECT (values));

  g_free (self->scope);
  self->scope = tb_valid_text_dup (text);
  g_clear_pointer (&self->scope_values, json_node_unref);
  self->scope_values = values;
}

/**
 * tb_report_set_headline:
 * @self: a report that is being built
 * @headline: (nullable): sentence at the top of the report
 *
 * Sets the sentence at the top of the report: its main result.
 */
void
tb_report_set_headline (TbReport *self, const char *headline)
{
  g_return_if_fail (TB_IS_REPORT (self));

  tb_valid_text_set (&self->headline, headline);
}

/**
 * tb_report_set_summary:
 * @self: a report that is being built
 * @summary: (transfer full): an object in the format of the kind of analysis
 *
 * Sets the results for programs. The member "summary" of the report's JSON has them.
 */
void
tb_report_set_summary (TbReport *self, JsonNode *summary)
{
  g_return_if_fail (TB_IS_REPORT (self));
  g_return_if_fail (summary && JSON_NODE_HOLDS_OBJECT (summary));

  forget_summary_func (self);
  json_node_unref (self->summary);
  self->summary = summary;
}

/**
 * tb_report_set_summary_func:
 * @self: a report that is being built
 * @func: (scope notified) (closure data) (destroy destroy): makes the summary
 * @data: user data of @func
 * @destroy: (nullable): frees @data
 *
 * Sets a function that makes the summary when it is first needed, as text and figures do without
 * it. It is called at most once, from any thread.
 */
void
tb_report_set_summary_func (TbReport *self,
                            TbReportSummaryFunc func,
                            gpointer data,
                            GDestroyNotify destroy)
{
  g_return_if_fail (TB_IS_REPORT (self));
  g_return_if_fail (func != NULL);

  forget_summary_func (self);
  self->make_summary = func;
  self->summary_data = data;
  self->free_summary_data = destroy;
}

/**
 * tb_report_add_finding:
 * @self: a report that is being built
 * @finding: (transfer full): a finding
 *
 * Findings are sorted by weight, the largest first, unknown weights last.
 */
void
tb_report_add_finding (TbReport *self, TbFinding *finding)
{
  guint first = 0, position;

  g_return_if_fail (TB_IS_REPORT (self));
  g_return_if_fail (TB_IS_FINDING (finding));

  /* Insert behind all findings that weigh at least as much. */
  for (position = self->findings->len; first < position;)
    {
      guint middle = first + (position - first) / 2;

      if (tb_finding_get_weight (g_ptr_array_index (self->findings, middle))
          >= tb_finding_get_weight (finding))
        first = middle + 1;
      else
        position = middle;
    }
  g_ptr_array_insert (self->findings, (int) first, finding);
}

/* Behind all others, whatever it weighs: the order of a report that was read is kept. */
void
tb_report_append_finding (TbReport *self, TbFinding *finding)
{
  g_ptr_array_add (self->findings, finding);
}

static void
link_figures (TbFigure *figure, TbFigure *other)
{
  if (TB_IS_TABLE_FIGURE (figure))
    tb_table_figure_link (TB_TABLE_FIGURE (figure), other);
}

/**
 * tb_report_add_figure:
 * @self: a report that is being built
 * @figure: (transfer full): a complete figure; it is frozen here
 *
 * Adds a figure. Figures are shown in the order in which they were added.
 */
void
tb_report_add_figure (TbReport *self, TbFigure *figure)
{
  g_return_if_fail (TB_IS_REPORT (self));
  g_return_if_fail (TB_IS_FIGURE (figure));

  tb_figure_freeze (figure);
  /* A figure of one side of a comparison has an origin of its own. */
  if (tb_figure_get_origin (figure) == TB_TIME_NONE)
    tb_figure_set_origin (figure, self->origin);
  for (guint i = 0; i < self->figures->len; i++)
    {
      link_figures (g_ptr_array_index (self->figures, i), figure);
      link_figures (figure, g_ptr_array_index (self->figures, i));
    }
  g_ptr_array_add (self->figures, figure);
}

/**
 * tb_report_get_analysis:
 * @self: a report
 *
 * Gets which analysis made the report.
 *
 * Returns: id of the analysis
 */
const char *
tb_report_get_analysis (TbReport *self)
{
  g_return_val_if_fail (TB_IS_REPORT (self), "");

  return self->analysis;
}

/**
 * tb_report_get_title:
 * @self: a report
 *
 * Gets the user-visible title.
 *
 * Returns: the user-visible title
 */
const char *
tb_report_get_title (TbReport *self)
{
  g_return_val_if_fail (TB_IS_REPORT (self), "");

  return self->title;
}

/**
 * tb_report_get_headline:
 * @self: a report
 *
 * Gets the sentence at the top of the report: its main result.
 *
 * Returns: (nullable): the sentence at the top of the report
 */
const char *
tb_report_get_headline (TbReport *self)
{
  g_return_val_if_fail (TB_IS_REPORT (self), NULL);

  return self->headline;
}

/**
 * tb_report_get_range:
 * @self: a report
 * @from: (out) (optional): start of the analysed time, ns
 * @to: (out) (optional): end of the analysed time, ns
 *
 * Gets the analysed time.
 */
void
tb_report_get_range (TbReport *self, gint64 *from, gint64 *to)
{
  g_return_if_fail (TB_IS_REPORT (self));

  if (from)
    *from = self->from;
  if (to)
    *to = self->to;
}

/**
 * tb_report_get_summary:
 * @self: a report
 *
 * Gets the results for programs, in a format that the analysis defines. A summary that is made on
 * demand is made here, at the first call, in this thread.
 *
 * Returns: (transfer none): an object in the format of the kind of analysis
 */
JsonNode *
tb_report_get_summary (TbReport *self)
{
  g_autoptr (GMutexLocker) locker = NULL;

  g_return_val_if_fail (TB_IS_REPORT (self), NULL);

  locker = g_mutex_locker_new (&self->summary_mutex);
  if (self->make_summary != NULL)
    {
      g_autoptr (GCancellable) none = g_cancellable_new ();

      /* The report keeps it, so that it must be whole. */
      g_cancellable_push_current (none);
      json_node_unref (self->summary);
      self->summary = self->make_summary (self->summary_data);
      g_cancellable_pop_current (none);
      forget_summary_func (self);
    }
  return self->summary;
}

/**
 * tb_report_get_options:
 * @self: a report
 *
 * Gets the options with which the report was made.
 *
 * Returns: (transfer full): an object with the options of the analysis
 */
JsonNode *
tb_report_get_options (TbReport *self)
{
  g_return_val_if_fail (TB_IS_REPORT (self), NULL);

  return json_node_init_object (json_node_alloc (), self->options);
}

/**
 * tb_report_get_uncertainty:
 * @self: a report
 * @lost_events: (out) (optional): number of events lost in the analysed time
 * @lost_ns: (out) (optional): total length of the ranges with lost events, ns; %TB_TIME_NONE:
 *   unknown
 *
 * Gets what was lost in the analysed time.
 */
void
tb_report_get_uncertainty (TbReport *self, guint64 *lost_events, gint64 *lost_ns)
{
  g_return_if_fail (TB_IS_REPORT (self));

  if (lost_events)
    *lost_events = self->lost_events;
  if (lost_ns)
    *lost_ns = self->lost_ns;
}

/**
 * tb_report_get_warnings:
 * @self: a report
 *
 * Gets the warnings.
 *
 * Returns: (array zero-terminated=1) (transfer none): user-visible reasons why the results are less
 *   certain
 */
const char *const *
tb_report_get_warnings (TbReport *self)
{
  static const char *const none[] = { NULL };

  g_return_val_if_fail (TB_IS_REPORT (self), none);

  return self->warnings->pdata ? (const char *const *) self->warnings->pdata : none;
}

/**
 * tb_report_get_remarks:
 * @self: a report
 *
 * Gets the remarks.
 *
 * Returns: (array zero-terminated=1) (transfer none): user-visible sentences about losses that
 *   change no result
 */
const char *const *
tb_report_get_remarks (TbReport *self)
{
  static const char *const none[] = { NULL };

  g_return_val_if_fail (TB_IS_REPORT (self), none);

  return self->remarks->pdata ? (const char *const *) self->remarks->pdata : none;
}

/**
 * tb_report_get_scope:
 * @self: a report
 *
 * Gets which threads of the recording the report is about.
 *
 * Returns: (transfer none) (nullable): user-visible sentence: which threads of the recording the
 *   report is about
 */
const char *
tb_report_get_scope (TbReport *self)
{
  g_return_val_if_fail (TB_IS_REPORT (self), NULL);

  return self->scope;
}

/**
 * tb_report_get_scope_values:
 * @self: a report
 *
 * Gets which threads of the recording the report is about, for programs.
 *
 * Returns: (transfer none) (nullable): the scope as values, an object
 */
JsonNode *
tb_report_get_scope_values (TbReport *self)
{
  g_return_val_if_fail (TB_IS_REPORT (self), NULL);

  return self->scope_values;
}

/**
 * tb_report_get_n_findings:
 * @self: a report
 *
 * Gets the number of findings.
 *
 * Returns: the number of findings
 */
guint
tb_report_get_n_findings (TbReport *self)
{
  g_return_val_if_fail (TB_IS_REPORT (self), 0);

  return self->findings->len;
}

/**
 * tb_report_get_finding:
 * @self: a report
 * @index: index of a finding, the heaviest first
 *
 * Gets a finding, in the order of their weights.
 *
 * Returns: (transfer none): a finding
 */
TbFinding *
tb_report_get_finding (TbReport *self, guint index)
{
  g_return_val_if_fail (TB_IS_REPORT (self), NULL);
  g_return_val_if_fail (index < self->findings->len, NULL);

  return g_ptr_array_index (self->findings, index);
}

/**
 * tb_report_get_n_figures:
 * @self: a report
 *
 * Gets the number of figures.
 *
 * Returns: the number of figures
 */
guint
tb_report_get_n_figures (TbReport *self)
{
  g_return_val_if_fail (TB_IS_REPORT (self), 0);

  return self->figures->len;
}

/**
 * tb_report_get_figure:
 * @self: a report
 * @index: index of a figure
 *
 * Gets a figure, in the order in which they are shown.
 *
 * Returns: (transfer none): a figure
 */
TbFigure *
tb_report_get_figure (TbReport *self, guint index)
{
  g_return_val_if_fail (TB_IS_REPORT (self), NULL);
  g_return_val_if_fail (index < self->figures->len, NULL);

  return g_ptr_array_index (self->figures, index);
}

/**
 * tb_report_find_figure:
 * @self: a report
 * @id: id of a figure
 *
 * Finds a figure by its id.
 *
 * Returns: (transfer none) (nullable): the figure, or %NULL
 */
TbFigure *
tb_report_find_figure (TbReport *self, const char *id)
{
  g_return_val_if_fail (TB_IS_REPORT (self), NULL);
  g_return_val_if_fail (id != NULL, NULL);

  for (guint i = 0; i < self->figures->len; i++)
    if (strcmp (tb_figure_get_id (g_ptr_array_index (self->figures, i)), id) == 0)
      return g_ptr_array_index (self->figures, i);
  return NULL;
}
