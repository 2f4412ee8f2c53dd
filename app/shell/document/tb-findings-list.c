/* tb-findings-list.c: headline of a report and list of its findings, the most severe first, with a
 * button that shows the rest; choice of the link to another analysis and of the report action that
 * each row (tb-finding-row) has
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#include "config.h"

#include <glib/gi18n.h>

#include "shell/document/tb-finding-row.h"
#include "shell/document/tb-findings-list.h"

/* Numbers of findings shown at first: the figures below need the room. */
#define LONG_SENTENCE 80 /* characters */
#define HEADLINE_LINES 2
#define N_SHOWN 3
#define N_SHOWN_NARROW 1
/* A longer list is of no use; the table figures have all of them. */
#define N_MAX 200

struct _TbFindingsList
{
  AdwBin parent;

  GtkWidget *header; /* the headline and the button */
  GtkLabel *headline_label;
  GtkScrolledWindow *scroller;
  GtkListBox *list;
  GtkWidget *more_button;
  TbReport *report;
  TbDocument *document; /* weak reference */
  gboolean expanded;
  gboolean narrow;
};

enum
{
  PROP_0,
  PROP_NARROW,
  N_PROPS
};

static GParamSpec *props[N_PROPS];

enum
{
  ACTIVATED,
  N_SIGNALS
};

static guint signals[N_SIGNALS];

G_DEFINE_FINAL_TYPE (TbFindingsList, tb_findings_list, ADW_TYPE_BIN)

static void fill (TbFindingsList *self);

static void
tb_findings_list_dispose (GObject *object)
{
  TbFindingsList *self = TB_FINDINGS_LIST (object);

  g_clear_object (&self->report);
  g_clear_weak_pointer (&self->document);
  G_OBJECT_CLASS (tb_findings_list_parent_class)->dispose (object);
}

static void
tb_findings_list_get_property (GObject *object, guint id, GValue *value, GParamSpec *pspec)
{
  TbFindingsList *self = TB_FINDINGS_LIST (object);

  switch (id)
    {
    case PROP_NARROW:
      g_value_set_boolean (value, self->narrow);
      break;
    default:
      G_OBJECT_WARN_INVALID_PROPERTY_ID (object, id, pspec);
    }
}

static void
tb_findings_list_set_property (GObject *object, guint id, const GValue *value, GParamSpec *pspec)
{
  TbFindingsList *self = TB_FINDINGS_LIST (object);

  switch (id)
    {
    case PROP_NARROW:
      if (self->narrow != g_value_get_boolean (value))
        {
          self->narrow = !self->narrow;
          fill (self);
          g_object_notify_by_pspec (object, pspec);
        }
      break;
    default:
      G_OBJECT_WARN_INVALID_PROPERTY_ID (object, id, pspec);
    }
}

static void
tb_findings_list_class_init (TbFindingsListClass *klass)
{
  GObjectClass *object_class = G_OBJECT_CLASS (klass);

  object_class->dispose = tb_findings_list_dispose;
  object_class->get_property = tb_findings_list_get_property;
  object_class->set_property = tb_findings_list_set_property;
  /* Whether there is room for few findings only. */
  props[PROP_NARROW]
      = g_param_spec_boolean ("narrow", NULL, NULL, FALSE,
                              G_PARAM_READWRITE | G_PARAM_EXPLICIT_NOTIFY | G_PARAM_STATIC_STRINGS);
  g_object_class_install_properties (object_class, N_PROPS, props);

  signals[ACTIVATED] = g_signal_new ("finding-activated", TB_TYPE_FINDINGS_LIST, G_SIGNAL_RUN_LAST,
                                     0, NULL, NULL, NULL, G_TYPE_NONE, 1, TB_TYPE_FINDING);
}

static void
row_activated (TbFindingsList *self, GtkListBoxRow *row)
{
  if (TB_IS_FINDING_ROW (row))
    g_signal_emit (self, signals[ACTIVATED], 0, tb_finding_row_get_finding (TB_FINDING_ROW (row)));
}

static void
toggle_more (TbFindingsList *self)
{
  self->expanded = !self->expanded;
  fill (self);
}

static void
tb_findings_list_init (TbFindingsList *self)
{
  GtkWidget *box = gtk_box_new (GTK_ORIENTATION_VERTICAL, 4);
  GtkWidget *header = gtk_box_new (GTK_ORIENTATION_HORIZONTAL, 6);

  self->headline_label = GTK_LABEL (gtk_label_new (NULL));
  gtk_label_set_xalign (self->headline_label, 0);
  gtk_label_set_ellipsize (self->headline_label, PANGO_ELLIPSIZE_END);
  gtk_widget_set_hexpand (GTK_WIDGET (self->headline_label), TRUE);
  self->more_button = gtk_button_new ();
  gtk_widget_add_css_class (self->more_button, "flat");
  gtk_widget_add_css_class (self->more_button, "caption");
  gtk_widget_add_css_class (self->more_button, "small-button");
  gtk_widget_set_valign (self->more_button, GTK_ALIGN_START);
  g_signal_connect_swapped (self->more_button, "clicked", G_CALLBACK (toggle_more), self);
  gtk_box_append (GTK_BOX (header), GTK_WIDGET (self->headline_label));
  gtk_box_append (GTK_BOX (header), self->more_button);
  gtk_box_append (GTK_BOX (box), header);
  self->header = header;

  self->list = GTK_LIST_BOX (gtk_list_box_new ());
  gtk_list_box_set_selection_mode (self->list, GTK_SELECTION_NONE);
  gtk_widget_add_css_class (GTK_WIDGET (self->list), "findings");
  gtk_accessible_update_property (GTK_ACCESSIBLE (self->list), GTK_ACCESSIBLE_PROPERTY_LABEL,
                                  _ ("Findings"), -1);
  g_signal_connect_swapped (self->list, "row-activated", G_CALLBACK (row_activated), self);

  self->scroller = GTK_SCROLLED_WINDOW (gtk_scrolled_window_new ());
  gtk_scrolled_window_set_policy (self->scroller, GTK_POLICY_NEVER, GTK_POLICY_AUTOMATIC);
  gtk_scrolled_window_set_propagate_natural_height (self->scroller, TRUE);
  gtk_scrolled_window_set_max_content_height (self->scroller, 260);
  gtk_scrolled_window_set_child (self->scroller, GTK_WIDGET (self->list));
  gtk_box_append (GTK_BOX (box), GTK_WIDGET (self->scroller));

  adw_bin_set_child (ADW_BIN (self), box);
  gtk_widget_set_visible (GTK_WIDGET (self), FALSE);
}

/* Sorts by severity, then by weight. */
static int
compare_findings (gconstpointer a, gconstpointer b)
{
  TbFinding *first = *(TbFinding **) a, *second = *(TbFinding **) b;
  int severities[] = { tb_finding_get_severity (first), tb_finding_get_severity (second) };
  gint64 weights[] = { tb_finding_get_weight (first), tb_finding_get_weight (second) };

  if (severities[0] != severities[1])
    return severities[1] - severities[0];
  return (weights[1] > weights[0]) - (weights[1] < weights[0]);
}

/* Returns whether a sentence is longer than a line, or than a few lines in a narrow window. */
static gboolean
is_any_long (TbReport *report)
{
  for (guint i = 0; report != NULL && i < tb_report_get_n_findings (report); i++)
    if (g_utf8_strlen (tb_finding_get_text (tb_report_get_finding (report, i)), -1) > LONG_SENTENCE)
      return TRUE;
  return FALSE;
}

/* Returns the report action that adds or removes a value for the finding's item; NULL: none. */
static const TbReportAction *
find_action (TbFindingsList *self, TbFinding *finding)
{
  const char *figure = tb_finding_get_figure (finding), *item = tb_finding_get_item (finding);
  g_autoptr (GPtrArray) actions = NULL;

  if (self->document == NULL || tb_document_is_comparison (self->document) || figure == NULL
      || item == NULL)
    return NULL;
  actions = tb_report_list_actions (self->report, figure, item);
  for (guint i = 0; i < actions->len; i++)
    {
      const TbReportAction *action = g_ptr_array_index (actions, i);

      if (action->kind == TB_REPORT_ACTION_ADD || action->kind == TB_REPORT_ACTION_REMOVE)
        return action;
    }
  return NULL;
}

/* A place in a figure of another analysis has the form "analysis/figure". */
static GtkWidget *
new_row (TbFindingsList *self, TbFinding *finding)
{
  GtkWidget *row = tb_finding_row_new (finding, self->expanded, self->narrow);
  const TbReportAction *action;

  for (guint i = 0; self->document != NULL && i < tb_finding_get_n_places (finding); i++)
    {
      const char *place = tb_finding_get_place (finding, i, NULL), *end = strchr (place, '/');
      g_autofree char *id = end != NULL ? g_strndup (place, (gsize) (end - place)) : NULL;
      TbAnalysisItem *item = id != NULL ? tb_document_find_analysis (self->document, id) : NULL;

      if (item != NULL)
        tb_finding_row_set_link (TB_FINDING_ROW (row), id, tb_analysis_item_get_name (item));
    }
  action = find_action (self, finding);
  if (action != NULL)
    tb_finding_row_set_action (TB_FINDING_ROW (row), action);
  return row;
}

/* Without a headline the button is below the findings, because above them it would have a line of
 * its own. */
static void
place_header (TbFindingsList *self, gboolean has_headline, gboolean has_button)
{
  GtkWidget *box = gtk_widget_get_parent (self->header);

  gtk_box_reorder_child_after (GTK_BOX (box), self->header,
                               has_headline ? NULL : GTK_WIDGET (self->scroller));
  gtk_widget_set_visible (self->header, has_headline || has_button);
}

static void
fill (TbFindingsList *self)
{
  guint n = self->report != NULL ? tb_report_get_n_findings (self->report) : 0;
  guint n_few = self->narrow ? N_SHOWN_NARROW : N_SHOWN;
  guint n_shown = self->expanded ? MIN (n, N_MAX) : MIN (n, n_few);
  g_autoptr (GPtrArray) findings = g_ptr_array_sized_new (n);
  /* Truncated contents need a button that shows the rest. */
  gboolean is_cut = n > n_few || is_any_long (self->report);
  const char *headline;

  for (guint i = 0; i < n; i++)
    g_ptr_array_add (findings, tb_report_get_finding (self->report, i));
  g_ptr_array_sort (findings, compare_findings);

  /* A list that scrolls would be at least as high as its scrollbar. */
  gtk_scrolled_window_set_policy (self->scroller, GTK_POLICY_NEVER,
                                  self->expanded ? GTK_POLICY_AUTOMATIC : GTK_POLICY_NEVER);
  gtk_list_box_remove_all (self->list);
  for (guint i = 0; i < n_shown; i++)
    gtk_list_box_append (self->list, new_row (self, g_ptr_array_index (findings, i)));
  headline = self->report != NULL ? tb_report_get_headline (self->report) : NULL;
  gtk_label_set_text (self->headline_label, headline != NULL ? headline : "");
  gtk_label_set_wrap (self->headline_label, self->expanded || !self->narrow);
  gtk_label_set_lines (self->headline_label, self->expanded || self->narrow ? -1 : HEADLINE_LINES);
  gtk_label_set_ellipsize (self->headline_label,
                           self->expanded ? PANGO_ELLIPSIZE_NONE : PANGO_ELLIPSIZE_END);
  gtk_widget_set_tooltip_text (GTK_WIDGET (self->headline_label), headline);
  gtk_widget_set_visible (GTK_WIDGET (self->scroller), n > 0);
  gtk_widget_set_visible (GTK_WIDGET (self), n > 0 || (headline != NULL && headline[0] != '\0'));
  gtk_widget_set_visible (self->more_button, is_cut);
  place_header (self, headline != NULL && *headline != '\0', is_cut);
  if (is_cut)
    {
      g_autofree char *label
          = self->expanded ? g_strdup (_ ("Show Fewer"))
            : n > n_shown ? g_strdup_printf (ngettext ("Show %u More", "Show %u More", n - n_shown),
                                             n - n_shown)
                          : g_strdup (_ ("Show All"));

      gtk_button_set_label (GTK_BUTTON (self->more_button), label);
    }
}

/**
 * tb_findings_list_set_report:
 * @report: (nullable): report with the findings to show
 */
void
tb_findings_list_set_report (TbFindingsList *self, TbReport *report)
{
  g_return_if_fail (TB_IS_FINDINGS_LIST (self));

  if (g_set_object (&self->report, report))
    fill (self);
}

/**
 * tb_findings_list_set_document:
 * @document: (nullable): document with the analyses that findings may link to; held as a weak
 *   reference
 */
void
tb_findings_list_set_document (TbFindingsList *self, TbDocument *document)
{
  g_return_if_fail (TB_IS_FINDINGS_LIST (self));

  g_set_weak_pointer (&self->document, document);
}
