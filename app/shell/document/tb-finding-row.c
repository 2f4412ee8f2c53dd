/* tb-finding-row.c: row of one finding: severity, sentence, share and weight, link to another
 * analysis, button of a report action
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#include "config.h"

#include <glib/gi18n.h>
#include <math.h>

#include "report/tb-report.h"
#include "shell/document/tb-finding-row.h"
#include "shell/document/tb-severity-label.h"

/* Maximum number of lines of a sentence, so that the figure below keeps enough room. */
#define FEW_LINES 2

struct _TbFindingRow
{
  GtkListBoxRow parent;

  TbFinding *finding;
  GtkWidget *dot;
  GtkLabel *text_label;
  GtkProgressBar *share_bar;
  GtkLabel *weight_label;
  GtkWidget *follow_button;
  GtkWidget *change_button;
};

G_DEFINE_FINAL_TYPE (TbFindingRow, tb_finding_row, GTK_TYPE_LIST_BOX_ROW)

static void
tb_finding_row_dispose (GObject *object)
{
  TbFindingRow *self = TB_FINDING_ROW (object);

  g_clear_object (&self->finding);
  G_OBJECT_CLASS (tb_finding_row_parent_class)->dispose (object);
}

static void
tb_finding_row_class_init (TbFindingRowClass *klass)
{
  GtkWidgetClass *widget_class = GTK_WIDGET_CLASS (klass);

  G_OBJECT_CLASS (klass)->dispose = tb_finding_row_dispose;
  gtk_widget_class_set_template_from_resource (widget_class,
                                               "/org/tailback/Tailback/tb-finding-row.ui");
  gtk_widget_class_bind_template_child (widget_class, TbFindingRow, dot);
  gtk_widget_class_bind_template_child (widget_class, TbFindingRow, text_label);
  gtk_widget_class_bind_template_child (widget_class, TbFindingRow, share_bar);
  gtk_widget_class_bind_template_child (widget_class, TbFindingRow, weight_label);
  gtk_widget_class_bind_template_child (widget_class, TbFindingRow, follow_button);
  gtk_widget_class_bind_template_child (widget_class, TbFindingRow, change_button);
}

static void
tb_finding_row_init (TbFindingRow *self)
{
  gtk_widget_init_template (GTK_WIDGET (self));
}

/* One sentence with all that the row shows visually. */
static void
set_accessible_name (TbFindingRow *self, const char *weight)
{
  TbSeverity severity = tb_finding_get_severity (self->finding);
  double share = tb_finding_get_share (self->finding);
  g_autoptr (GString) name = g_string_new (tb_severity_get_label (severity));
  const char *before;

  g_string_append_printf (name, ": %s", tb_finding_get_text (self->finding));
  /* A sentence ends with a full stop. */
  before = g_str_has_suffix (name->str, ".") ? " " : ", ";
  if (!isnan (share))
    {
      g_autofree char *text = tb_format_share (share);

      g_string_append_printf (name, "%s%s", before, text);
      before = ", ";
    }
  if (weight != NULL)
    g_string_append_printf (name, "%s%s", before, weight);
  gtk_accessible_update_property (GTK_ACCESSIBLE (self), GTK_ACCESSIBLE_PROPERTY_LABEL, name->str,
                                  -1);
}

/**
 * tb_finding_row_new:
 * @finding: finding to show
 * @whole: whether the sentence may take as many lines as it needs
 * @narrow: whether there is room only for the sentence and the weight
 *
 * Returns: a row
 */
GtkWidget *
tb_finding_row_new (TbFinding *finding, gboolean whole, gboolean narrow)
{
  TbFindingRow *self = g_object_new (TB_TYPE_FINDING_ROW, NULL);
  const char *style = tb_severity_get_style_class (tb_finding_get_severity (finding));
  gint64 weight = tb_finding_get_weight (finding);
  double share = tb_finding_get_share (finding);
  g_autofree char *weight_text = weight != TB_TIME_NONE ? tb_format_duration (weight) : NULL;

  self->finding = g_object_ref (finding);
  gtk_widget_add_css_class (self->dot, style);
  gtk_widget_add_css_class (GTK_WIDGET (self->share_bar), style);
  gtk_label_set_text (self->text_label, tb_finding_get_text (finding));
  gtk_label_set_wrap (self->text_label, TRUE);
  gtk_label_set_wrap_mode (self->text_label, PANGO_WRAP_WORD_CHAR);
  if (whole)
    gtk_label_set_ellipsize (self->text_label, PANGO_ELLIPSIZE_NONE);
  else
    gtk_label_set_lines (self->text_label, FEW_LINES);
  gtk_widget_set_tooltip_text (GTK_WIDGET (self->text_label), tb_finding_get_text (finding));
  gtk_progress_bar_set_fraction (self->share_bar, isnan (share) ? 0 : CLAMP (share, 0, 1));
  gtk_widget_set_visible (GTK_WIDGET (self->share_bar), !isnan (share) && !narrow);
  gtk_label_set_text (self->weight_label, weight_text != NULL ? weight_text : "");
  gtk_widget_set_visible (GTK_WIDGET (self->weight_label), weight_text != NULL);
  set_accessible_name (self, weight_text);
  return GTK_WIDGET (self);
}

/**
 * tb_finding_row_set_link:
 * @id: id of another analysis with details on the finding's thread and time
 * @name: display name of the analysis
 *
 * Adds a button that shows that analysis.
 */
void
tb_finding_row_set_link (TbFindingRow *self, const char *id, const char *name)
{
  g_autofree char *label = g_strdup_printf (_ ("Show in %s"), name);
  const guint32 *threads;
  guint n_threads;
  gint64 from, to;

  g_return_if_fail (TB_IS_FINDING_ROW (self));

  threads = tb_finding_get_threads (self->finding, &n_threads);
  if (n_threads == 0 || !tb_finding_get_range (self->finding, &from, &to))
    return;
  gtk_actionable_set_action_target (GTK_ACTIONABLE (self->follow_button), "(suxx)", id, threads[0],
                                    from, to);
  gtk_actionable_set_action_name (GTK_ACTIONABLE (self->follow_button), "win.follow");
  gtk_widget_set_tooltip_text (self->follow_button, label);
  gtk_accessible_update_property (GTK_ACCESSIBLE (self->follow_button),
                                  GTK_ACCESSIBLE_PROPERTY_LABEL, label, -1);
  gtk_widget_set_visible (self->follow_button, TRUE);
}

/**
 * tb_finding_row_set_action:
 * @action: report action of the finding's item, which adds a value to an option or removes it
 *
 * Adds a button for the action.
 */
void
tb_finding_row_set_action (TbFindingRow *self, const TbReportAction *action)
{
  g_return_if_fail (TB_IS_FINDING_ROW (self) && action != NULL);

  gtk_button_set_icon_name (GTK_BUTTON (self->change_button),
                            action->kind == TB_REPORT_ACTION_REMOVE ? "list-remove-symbolic"
                                                                    : "list-add-symbolic");
  gtk_actionable_set_action_target (GTK_ACTIONABLE (self->change_button), "(ss)", action->figure,
                                    action->item);
  gtk_actionable_set_action_name (GTK_ACTIONABLE (self->change_button), "analysis.change");
  gtk_widget_set_tooltip_text (self->change_button, action->label);
  gtk_accessible_update_property (GTK_ACCESSIBLE (self->change_button),
                                  GTK_ACCESSIBLE_PROPERTY_LABEL, action->label, -1);
  gtk_widget_set_visible (self->change_button, TRUE);
}

TbFinding *
tb_finding_row_get_finding (TbFindingRow *self)
{
  g_return_val_if_fail (TB_IS_FINDING_ROW (self), NULL);
  return self->finding;
}
