/* tb-details-pane.c: pane with details of what is selected: an interval with its causes and call
 * stack (tb-cause-chain), a thread with its time in each state, a call stack, a graph edge
 * (tb-edge-details), another item of a figure, or a time range
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#include "config.h"

#include <glib/gi18n.h>

#include "report/tb-figure-table.h"
#include "report/graph/tb-graph-scene.h"
#include "report/tb-report.h"
#include "shell/document/tb-cause-chain.h"
#include "shell/document/tb-code-frames.h"
#include "shell/document/tb-interval-description.h"
#include "shell/document/tb-details-pane.h"
#include "shell/document/tb-edge-details.h"
#include "shell/document/tb-recording-facts.h"
#include "shell/document/tb-short-text.h"

/* Indentation per wake-up between a cause and the wait, px. */
#define INDENT 8
#define MAX_INDENT 48

struct _TbDetailsPane
{
  AdwBin parent;

  TbDocument *document;
  GCancellable *cancellable; /* of the current lookup */
  gboolean is_empty;

  GtkStack *stack;
  GtkLabel *title_label;
  GtkLabel *subtitle_label;
  GtkLabel *sentence_label;
  GtkWidget *uncertain_label;
  GtkWidget *show_button;
  GtkWidget *analyse_button;
  GtkWidget *explain_button;
  TbEdgeDetails *edge_details;
  GtkWidget *times_heading;
  GtkGrid *times_grid;
  GtkWidget *chain_heading;
  GtkBox *chain_box;
  GtkWidget *stack_heading;
  GtkGrid *stack_grid;
};

G_DEFINE_FINAL_TYPE (TbDetailsPane, tb_details_pane, ADW_TYPE_BIN)

static void
tb_details_pane_dispose (GObject *object)
{
  TbDetailsPane *self = TB_DETAILS_PANE (object);

  g_cancellable_cancel (self->cancellable);
  g_clear_object (&self->cancellable);
  g_clear_object (&self->document);
  G_OBJECT_CLASS (tb_details_pane_parent_class)->dispose (object);
}

static void
tb_details_pane_class_init (TbDetailsPaneClass *klass)
{
  GtkWidgetClass *widget_class = GTK_WIDGET_CLASS (klass);

  g_type_ensure (TB_TYPE_EDGE_DETAILS);
  G_OBJECT_CLASS (klass)->dispose = tb_details_pane_dispose;
  gtk_widget_class_set_template_from_resource (widget_class,
                                               "/org/tailback/Tailback/tb-details-pane.ui");
  gtk_widget_class_bind_template_child (widget_class, TbDetailsPane, stack);
  gtk_widget_class_bind_template_child (widget_class, TbDetailsPane, title_label);
  gtk_widget_class_bind_template_child (widget_class, TbDetailsPane, subtitle_label);
  gtk_widget_class_bind_template_child (widget_class, TbDetailsPane, sentence_label);
  gtk_widget_class_bind_template_child (widget_class, TbDetailsPane, uncertain_label);
  gtk_widget_class_bind_template_child (widget_class, TbDetailsPane, show_button);
  gtk_widget_class_bind_template_child (widget_class, TbDetailsPane, analyse_button);
  gtk_widget_class_bind_template_child (widget_class, TbDetailsPane, explain_button);
  gtk_widget_class_bind_template_child (widget_class, TbDetailsPane, edge_details);
  gtk_widget_class_bind_template_child (widget_class, TbDetailsPane, times_heading);
  gtk_widget_class_bind_template_child (widget_class, TbDetailsPane, times_grid);
  gtk_widget_class_bind_template_child (widget_class, TbDetailsPane, chain_heading);
  gtk_widget_class_bind_template_child (widget_class, TbDetailsPane, chain_box);
  gtk_widget_class_bind_template_child (widget_class, TbDetailsPane, stack_heading);
  gtk_widget_class_bind_template_child (widget_class, TbDetailsPane, stack_grid);
}

static void
tb_details_pane_init (TbDetailsPane *self)
{
  gtk_widget_init_template (GTK_WIDGET (self));
  tb_short_text_add_tooltip (GTK_WIDGET (self->title_label));
  self->is_empty = TRUE;
}

static void
remove_children (GtkWidget *parent)
{
  GtkWidget *child;

  while ((child = gtk_widget_get_first_child (parent)) != NULL)
    {
      if (GTK_IS_GRID (parent))
        gtk_grid_remove (GTK_GRID (parent), child);
      else
        gtk_box_remove (GTK_BOX (parent), child);
    }
}

static void
clear (TbDetailsPane *self)
{
  g_cancellable_cancel (self->cancellable);
  g_clear_object (&self->cancellable);
  self->cancellable = g_cancellable_new ();

  remove_children (GTK_WIDGET (self->times_grid));
  remove_children (GTK_WIDGET (self->chain_box));
  remove_children (GTK_WIDGET (self->stack_grid));
  gtk_widget_set_visible (self->times_heading, FALSE);
  gtk_widget_set_visible (GTK_WIDGET (self->times_grid), FALSE);
  gtk_widget_set_visible (self->chain_heading, FALSE);
  gtk_widget_set_visible (GTK_WIDGET (self->chain_box), FALSE);
  gtk_widget_set_visible (self->stack_heading, FALSE);
  gtk_widget_set_visible (GTK_WIDGET (self->stack_grid), FALSE);
  gtk_widget_set_visible (self->uncertain_label, FALSE);
  gtk_widget_set_visible (GTK_WIDGET (self->sentence_label), FALSE);
}

static void
set_title (TbDetailsPane *self, const char *title, const char *subtitle)
{
  tb_short_text_set (self->title_label, title);
  tb_short_text_set (self->subtitle_label, subtitle != NULL ? subtitle : "");
  gtk_widget_set_visible (GTK_WIDGET (self->subtitle_label), subtitle != NULL);
}

static void
set_sentence (TbDetailsPane *self, const char *sentence)
{
  tb_short_text_set (self->sentence_label, sentence);
  gtk_widget_set_visible (GTK_WIDGET (self->sentence_label), TRUE);
}

/* Adds a line of two columns: a name, and a value or place. */
static void
add_line (GtkGrid *grid, int row, const char *left, const char *right)
{
  GtkWidget *left_label = tb_short_text_label (left), *right_label = tb_short_text_label (right);

  gtk_label_set_xalign (GTK_LABEL (left_label), 0);
  gtk_label_set_ellipsize (GTK_LABEL (left_label), PANGO_ELLIPSIZE_MIDDLE);
  gtk_widget_set_hexpand (left_label, TRUE);
  tb_short_text_set_tooltip (left_label, left);
  gtk_label_set_selectable (GTK_LABEL (left_label), TRUE);
  gtk_widget_set_focusable (left_label, FALSE);
  gtk_label_set_xalign (GTK_LABEL (right_label), 1);
  gtk_label_set_ellipsize (GTK_LABEL (right_label), PANGO_ELLIPSIZE_MIDDLE);
  gtk_label_set_max_width_chars (GTK_LABEL (right_label), 18);
  tb_short_text_set_tooltip (right_label, right);
  gtk_widget_add_css_class (right_label, "dimmed");
  gtk_widget_add_css_class (right_label, "caption");
  gtk_widget_add_css_class (right_label, "numeric");
  gtk_grid_attach (grid, left_label, 0, row, 1, 1);
  gtk_grid_attach (grid, right_label, 1, row, 1, 1);
}

/* Work of the lookup thread. */

typedef struct
{
  TbTrace *trace;
  gssize interval;
  guint32 thread;
  gint64 from; /* range in which the states are summed up */
  gint64 to;

  GPtrArray *chain;
  GPtrArray *frames;
  gint64 states[TB_N_STATES];
} Lookup;

static void
lookup_free (gpointer data)
{
  Lookup *lookup = data;

  g_object_unref (lookup->trace);
  g_clear_pointer (&lookup->chain, g_ptr_array_unref);
  g_clear_pointer (&lookup->frames, g_ptr_array_unref);
  g_free (lookup);
}

static void
sum_states (Lookup *lookup)
{
  const TbIntervals *intervals = tb_trace_get_intervals (lookup->trace);
  gsize first, n;

  tb_trace_get_thread_intervals (lookup->trace, lookup->thread, &first, &n);
  for (gsize i = first; i < first + n; i++)
    {
      gint64 length = MIN (intervals->end[i], lookup->to) - MAX (intervals->start[i], lookup->from);

      if (length > 0 && intervals->state[i] < TB_N_STATES)
        lookup->states[intervals->state[i]] += length;
    }
}

static void
lookup_thread (GTask *task, gpointer source, gpointer data, GCancellable *cancellable)
{
  Lookup *lookup = data;
  GError *error = NULL;

  if (cancellable != NULL)
    g_cancellable_push_current (cancellable);
  if (lookup->interval >= 0)
    {
      const TbIntervals *intervals = tb_trace_get_intervals (lookup->trace);

      lookup->chain = tb_cause_chain_follow (lookup->trace, lookup->interval, cancellable);
      lookup->frames = tb_code_frames_list (lookup->trace, intervals->stack[lookup->interval]);
    }
  else
    sum_states (lookup);
  if (cancellable != NULL)
    g_cancellable_pop_current (cancellable);
  if (tb_trace_check (lookup->trace, &error))
    g_task_return_boolean (task, TRUE);
  else
    g_task_return_error (task, error);
}

static void
cause_clicked (GtkButton *button, TbDetailsPane *self)
{
  TbFocus *focus = tb_document_get_focus (self->document);
  const gint64 *place = g_object_get_data (G_OBJECT (button), "tb-place");

  tb_focus_begin_change (focus);
  tb_focus_reveal (focus, place[0], place[1]);
  tb_focus_select_item (focus, NULL, NULL, place[2], place[0], place[1], NULL);
  tb_focus_end_change (focus);
}

static GtkWidget *
make_cause (TbDetailsPane *self, const TbCause *cause)
{
  GtkWidget *grid = gtk_grid_new (), *button;
  GtkWidget *title = tb_short_text_label (cause->title), *text = tb_short_text_label (cause->text),
            *length;
  g_autofree char *duration = tb_format_duration (cause->duration);
  g_autofree char *name = g_strdup_printf ("%s %s, %s", cause->title, cause->text, duration);

  length = gtk_label_new (duration);
  gtk_label_set_xalign (GTK_LABEL (title), 0);
  gtk_label_set_ellipsize (GTK_LABEL (title), PANGO_ELLIPSIZE_END);
  gtk_widget_set_hexpand (title, TRUE);
  gtk_widget_add_css_class (title, "heading");
  gtk_label_set_xalign (GTK_LABEL (text), 0);
  gtk_label_set_wrap (GTK_LABEL (text), TRUE);
  gtk_label_set_wrap_mode (GTK_LABEL (text), PANGO_WRAP_WORD_CHAR);
  gtk_label_set_lines (GTK_LABEL (text), 2);
  gtk_label_set_ellipsize (GTK_LABEL (text), PANGO_ELLIPSIZE_END);
  gtk_widget_add_css_class (text, "caption");
  gtk_widget_add_css_class (text, "dimmed");
  gtk_widget_add_css_class (length, "dimmed");
  gtk_widget_add_css_class (length, "caption");
  gtk_widget_add_css_class (length, "numeric");
  gtk_grid_set_column_spacing (GTK_GRID (grid), 6);
  gtk_grid_attach (GTK_GRID (grid), title, 0, 0, 1, 1);
  gtk_grid_attach (GTK_GRID (grid), length, 1, 0, 1, 1);
  gtk_grid_attach (GTK_GRID (grid), text, 0, 1, 2, 1);

  button = gtk_button_new ();
  gtk_button_set_child (GTK_BUTTON (button), grid);
  gtk_widget_add_css_class (button, "flat");
  gtk_widget_add_css_class (button, "cause");
  gtk_widget_set_margin_start (button, MIN (cause->depth * INDENT, MAX_INDENT));
  tb_short_text_set_tooltip (button, cause->text);
  gtk_accessible_update_property (GTK_ACCESSIBLE (button), GTK_ACCESSIBLE_PROPERTY_LABEL, name, -1);
  if (cause->thread != TB_ID_NONE && cause->from != TB_TIME_NONE)
    {
      gint64 place[3] = { cause->from, cause->to, cause->thread };

      g_object_set_data_full (G_OBJECT (button), "tb-place", g_memdup2 (place, sizeof place),
                              g_free);
      g_signal_connect_object (button, "clicked", G_CALLBACK (cause_clicked), self, 0);
    }
  else
    gtk_widget_set_can_target (button, FALSE);
  return button;
}

static void
show_states (TbDetailsPane *self, const Lookup *lookup)
{
  static const struct
  {
    TbState state;
    const char *label;
  } lines[] = {
    { TB_STATE_RUNNING, N_ ("Running") },
    { TB_STATE_RUNNABLE, N_ ("Waiting for a CPU") },
    { TB_STATE_INTERRUPTIBLE, N_ ("Sleeping") },
    { TB_STATE_UNINTERRUPTIBLE, N_ ("Sleeping uninterruptibly") },
    { TB_STATE_STOPPED, N_ ("Stopped") },
    { TB_STATE_UNKNOWN, N_ ("Unknown") },
  };
  int row = 0;

  for (guint i = 0; i < G_N_ELEMENTS (lines); i++)
    {
      g_autofree char *length = tb_format_duration (lookup->states[lines[i].state]);

      if (lookup->states[lines[i].state] > 0)
        add_line (self->times_grid, row++, _ (lines[i].label), length);
    }
  gtk_widget_set_visible (self->times_heading, row > 0);
  gtk_widget_set_visible (GTK_WIDGET (self->times_grid), row > 0);
}

/* Shown instead of an incomplete result. */
static void
show_unreadable (TbDetailsPane *self, const GError *error)
{
  g_autofree char *text
      = g_strdup_printf (_ ("A part of the recording cannot be read: %s"), error->message);
  GtkWidget *label = gtk_label_new (text);

  gtk_label_set_xalign (GTK_LABEL (label), 0);
  gtk_label_set_wrap (GTK_LABEL (label), TRUE);
  gtk_label_set_wrap_mode (GTK_LABEL (label), PANGO_WRAP_WORD_CHAR);
  gtk_widget_add_css_class (label, "error");
  gtk_box_append (self->chain_box, label);
  gtk_widget_set_visible (GTK_WIDGET (self->chain_box), TRUE);
}

static void
lookup_done (GObject *object, GAsyncResult *result, gpointer data)
{
  TbDetailsPane *self = TB_DETAILS_PANE (object);
  Lookup *lookup = g_task_get_task_data (G_TASK (result));
  g_autoptr (GError) error = NULL;

  if (!g_task_propagate_boolean (G_TASK (result), &error) || self->document == NULL)
    {
      if (self->document != NULL && !g_error_matches (error, G_IO_ERROR, G_IO_ERROR_CANCELLED))
        show_unreadable (self, error);
      return;
    }
  for (guint i = 0; lookup->chain != NULL && i < lookup->chain->len; i++)
    gtk_box_append (self->chain_box, make_cause (self, g_ptr_array_index (lookup->chain, i)));
  gtk_widget_set_visible (self->chain_heading, lookup->chain != NULL && lookup->chain->len > 0);
  gtk_widget_set_visible (GTK_WIDGET (self->chain_box),
                          lookup->chain != NULL && lookup->chain->len > 0);
  for (guint i = 0; lookup->frames != NULL && i < lookup->frames->len; i++)
    {
      const TbCodeFrame *frame = g_ptr_array_index (lookup->frames, i);

      add_line (self->stack_grid, i, frame->function, frame->module);
    }
  gtk_widget_set_visible (self->stack_heading, lookup->frames != NULL && lookup->frames->len > 0);
  gtk_widget_set_visible (GTK_WIDGET (self->stack_grid),
                          lookup->frames != NULL && lookup->frames->len > 0);
  if (lookup->interval < 0)
    show_states (self, lookup);
}

static void
start_lookup (TbDetailsPane *self, gssize interval, guint32 thread, gint64 from, gint64 to)
{
  g_autoptr (GTask) task = g_task_new (self, self->cancellable, lookup_done, NULL);
  Lookup *lookup = g_new0 (Lookup, 1);

  lookup->trace = g_object_ref (tb_document_get_trace (self->document));
  lookup->interval = interval;
  lookup->thread = thread;
  lookup->from = from;
  lookup->to = to;
  g_task_set_source_tag (task, start_lookup);
  g_task_set_task_data (task, lookup, lookup_free);
  g_task_run_in_thread (task, lookup_thread);
}

/* Kinds of selected items */

static char *
format_range (TbDetailsPane *self, gint64 from, gint64 to)
{
  return tb_recording_facts_name_range (tb_document_get_session (self->document), from, to);
}

static void
show_interval (TbDetailsPane *self, gsize interval)
{
  TbTrace *trace = tb_document_get_trace (self->document);
  const TbIntervals *intervals = tb_trace_get_intervals (trace);
  g_autofree char *title = tb_interval_describe_title (trace, interval);
  g_autofree char *thread
      = tb_recording_facts_name_thread (tb_trace_get_session (trace), intervals->thread[interval]);
  g_autofree char *range
      = format_range (self, intervals->start[interval], intervals->end[interval]);
  g_autofree char *subtitle = g_strdup_printf ("%s, %s", thread, range);
  g_autofree char *sentence = tb_interval_describe (trace, interval);

  set_title (self, title, subtitle);
  set_sentence (self, sentence);
  gtk_widget_set_visible (self->uncertain_label,
                          (intervals->flags[interval] & TB_INTERVAL_UNCERTAIN) != 0);
  start_lookup (self, interval, TB_ID_NONE, 0, 0);
}

static void
show_thread (TbDetailsPane *self, guint32 thread)
{
  TbTrace *trace = tb_document_get_trace (self->document);
  TbSession *session = tb_trace_get_session (trace);
  g_autofree char *title = tb_recording_facts_name_thread (session, thread);
  g_autofree char *subtitle = NULL;
  guint n_threads, n_processes;
  const TbThread *threads = tb_session_get_threads (session, &n_threads);
  const TbProcess *processes = tb_session_get_processes (session, &n_processes);
  gint64 from, to;

  if (thread < n_threads && threads[thread].process < n_processes)
    {
      const TbProcess *process = &processes[threads[thread].process];

      g_autofree char *name = tb_session_describe_process (session, threads[thread].process, FALSE);

      subtitle = g_strdup_printf (_ ("of %s"), name);
      if (process->command != NULL && process->command[0] != '\0')
        set_sentence (self, process->command);
    }
  set_title (self, title, subtitle);
  if (!tb_focus_get_range (tb_document_get_focus (self->document), &from, &to))
    tb_trace_get_range (trace, &from, &to);
  start_lookup (self, -1, thread, from, to);
}

static void
show_stack (TbDetailsPane *self, const char *const *stack)
{
  guint n = g_strv_length ((char **) stack);
  int row = 0;

  if (n == 0)
    return;
  set_title (self, stack[n - 1], NULL);
  for (guint i = n; i > 0 && row < 256; i--)
    add_line (self->stack_grid, row++, stack[i - 1], "");
  gtk_widget_set_visible (self->stack_heading, TRUE);
  gtk_widget_set_visible (GTK_WIDGET (self->stack_grid), TRUE);
}

/* An edge is shown in preference to the interval of its occurrence, which is one step away in the
 * timeline. */
static void
show_edge (TbDetailsPane *self, const TbSelectedEdge *edge)
{
  const TbGraphEdge *info = tb_graph_figure_get_edge (edge->figure, edge->edge);
  g_autofree char *title
      = g_strdup_printf ("%s → %s", tb_graph_figure_get_vertex (edge->figure, info->from)->name,
                         tb_graph_figure_get_vertex (edge->figure, info->to)->name);
  g_autofree char *sentence = tb_graph_figure_describe_edge (edge->figure, edge->edge);

  set_title (self, title, tb_report_get_title (edge->report));
  set_sentence (self, sentence);
}

static void
show_range (TbDetailsPane *self, gint64 from, gint64 to)
{
  g_autofree char *length = tb_format_duration (to - from);
  g_autofree char *title = g_strdup_printf (_ ("%s selected"), length);
  g_autofree char *range = format_range (self, from, to);

  set_title (self, title, range);
}

/* Shows the description that the figure has for the item. */
static void
describe_item (TbDetailsPane *self, const char *range)
{
  TbFocus *focus = tb_document_get_focus (self->document);
  const char *id = tb_focus_get_figure (focus), *item = tb_focus_get_item (focus);
  GListModel *analyses = tb_document_get_analyses (self->document);

  for (guint i = 0; id != NULL && item != NULL && i < g_list_model_get_n_items (analyses); i++)
    {
      g_autoptr (TbAnalysisItem) analysis = g_list_model_get_item (analyses, i);
      TbReport *report = tb_analysis_item_get_report (analysis);
      TbFigure *figure = report != NULL ? tb_report_find_figure (report, id) : NULL;
      g_autofree char *sentence = figure != NULL ? tb_figure_describe_item (figure, item) : NULL;
      const char *name = sentence != NULL ? tb_figure_get_item_name (figure, item) : NULL;

      if (sentence == NULL)
        continue;
      set_title (self, name != NULL ? name : tb_figure_get_title (figure),
                 range != NULL ? range : tb_report_get_title (report));
      set_sentence (self, sentence);
      return;
    }
}

/* Makes the button zoom to the selected time. A comparison has no common time, so its button opens
 * the recording. A selected edge has its own links. */
static void
set_show_button (TbDetailsPane *self, gboolean has_time, gboolean has_range, gboolean has_edge)
{
  TbFocus *focus = tb_document_get_focus (self->document);
  g_autofree char *name = NULL;
  g_autofree char *label = NULL;
  gint64 from, to;

  if (tb_document_is_recording (self->document))
    {
      gtk_widget_set_visible (self->show_button, has_time || has_range);
      return;
    }
  gtk_widget_set_visible (self->show_button, has_time && !has_edge);
  if (!tb_focus_get_time (focus, &from, &to))
    return;
  name = tb_document_dup_side_name (self->document, FALSE);
  label = g_strdup_printf (_ ("Show in “%s”"), name);
  gtk_button_set_label (GTK_BUTTON (self->show_button), label);
  gtk_button_set_can_shrink (GTK_BUTTON (self->show_button), TRUE);
  gtk_widget_set_tooltip_text (self->show_button, label);
  /* The action set in the template takes no target. */
  gtk_actionable_set_action_name (GTK_ACTIONABLE (self->show_button), NULL);
  gtk_actionable_set_action_target (GTK_ACTIONABLE (self->show_button), "(buuxx)", FALSE, 0,
                                    tb_focus_get_thread (focus), from, to);
  gtk_actionable_set_action_name (GTK_ACTIONABLE (self->show_button), "win.show-in-recording");
}

static void
update (TbDetailsPane *self)
{
  TbFocus *focus = tb_document_get_focus (self->document);
  TbTrace *trace = tb_document_get_trace (self->document);
  guint32 thread = tb_focus_get_thread (focus);
  const char *const *stack = tb_focus_get_stack (focus);
  gint64 from = 0, to = 0, range_from, range_to;
  gboolean has_time = tb_focus_get_time (focus, &from, &to);
  gboolean has_range = tb_focus_get_range (focus, &range_from, &range_to);
  gssize interval = -1;
  TbSelectedEdge edge;
  gboolean has_edge, is_represented;

  if (trace == NULL)
    return;
  has_edge = tb_document_get_edge (self->document, &edge);
  clear (self);
  self->is_empty = FALSE;
  if (thread != TB_ID_NONE && has_time)
    interval = tb_trace_find_interval (trace, thread, from);

  tb_edge_details_set_edge (self->edge_details, self->document, has_edge ? &edge : NULL);
  /* An item of another figure can stand for an edge. Then the item is described, with the calls of
   * the edge. */
  is_represented
      = has_edge
        && g_strcmp0 (tb_focus_get_figure (focus), tb_figure_get_id (TB_FIGURE (edge.figure))) != 0;
  if (has_edge && !is_represented)
    show_edge (self, &edge);
  else if (!is_represented && interval >= 0)
    show_interval (self, interval);
  else if (stack != NULL && stack[0] != NULL)
    {
      g_autofree char *range = has_time ? format_range (self, from, to) : NULL;

      show_stack (self, stack);
      describe_item (self, range);
    }
  else if (thread != TB_ID_NONE)
    show_thread (self, thread);
  else if (tb_focus_get_item (focus) != NULL)
    {
      g_autofree char *range = has_time ? format_range (self, from, to) : NULL;

      set_title (self, tb_focus_get_item (focus), range);
      describe_item (self, range);
    }
  else if (has_range)
    show_range (self, range_from, range_to);
  else
    self->is_empty = TRUE;

  set_show_button (self, has_time, has_range, has_edge);
  gtk_widget_set_visible (self->analyse_button, tb_document_can_analyse_selection (self->document));
  gtk_widget_set_visible (self->explain_button, tb_document_can_explain (self->document));
  gtk_stack_set_visible_child_name (self->stack, self->is_empty ? "nothing" : "details");
}

/**
 * tb_details_pane_set_document:
 * @document: document with the selection to show; set only once, when it has a session
 */
void
tb_details_pane_set_document (TbDetailsPane *self, TbDocument *document)
{
  g_return_if_fail (TB_IS_DETAILS_PANE (self) && self->document == NULL);

  self->document = g_object_ref (document);
  g_signal_connect_object (tb_document_get_focus (document), "selection-changed",
                           G_CALLBACK (update), self, G_CONNECT_SWAPPED);
  if (tb_document_is_comparison (document))
    g_signal_connect_object (tb_document_get_side_focus (document, TRUE), "selection-changed",
                             G_CALLBACK (update), self, G_CONNECT_SWAPPED);
  g_signal_connect_object (document, "names-changed", G_CALLBACK (update), self, G_CONNECT_SWAPPED);
  /* The selection may be older than the trace. */
  g_signal_connect_object (document, "notify::state", G_CALLBACK (update), self, G_CONNECT_SWAPPED);
  update (self);
}

/**
 * tb_details_pane_is_empty:
 *
 * Returns: whether nothing is selected
 */
gboolean
tb_details_pane_is_empty (TbDetailsPane *self)
{
  g_return_val_if_fail (TB_IS_DETAILS_PANE (self), TRUE);
  return self->is_empty;
}
