/* tb-edge-details.c: details of a graph edge: parts of flame graphs of the report with the call
 * stacks of both ends; occurrences in a strip, for a comparison on each side, with buttons to step
 * through them and to show one in its own recording
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#include "config.h"

#include <inttypes.h>

#include <glib/gi18n.h>

#include "report/flame/tb-flame-figure.h"
#include "report/graph/tb-graph-scene.h"
#include "shell/document/tb-edge-details.h"
#include "shell/document/tb-occurrences-strip.h"
#include "shell/document/tb-short-text.h"
#include "report/tb-report.h"
#include "widgets/tb-figure-view.h"

/* Maximum number of nodes of a flame graph in the pane. */
#define NODES_MAX 3000
#define FLAME_HEIGHT 162
/* Target of win.show-in-recording: whether it is the base, index of the recording, thread, from,
 * to. */
#define SHOW_TARGET "(buuxx)"

/* Occurrences of the edge in a recording, or in one side of a comparison. */
typedef struct
{
  TbEdgeDetails *details;
  gboolean base;
  guint recording; /* index of the recording on its side */
  /* index of the selected occurrence in a recording other than the first of its side, since the
   * focus of the document only has times of the first; G_MAXSIZE: none */
  gsize chosen;
  GtkWidget *box;
  GtkWidget *heading;
  TbOccurrencesStrip *strip;
  GtkLabel *place_label;
  GtkWidget *previous_button;
  GtkWidget *next_button;
  GtkWidget *show_button; /* for comparisons: opens the recording itself */
} Times;

struct _TbEdgeDetails
{
  GtkBox parent;

  TbDocument *document;
  TbGraphFigure *figure; /* figure of the edge shown */
  guint edge;

  GtkWidget *sides;
  Times times[2]; /* of the base side; of the other side or the single recording */
};

G_DEFINE_FINAL_TYPE (TbEdgeDetails, tb_edge_details, GTK_TYPE_BOX)

static void
tb_edge_details_dispose (GObject *object)
{
  TbEdgeDetails *self = TB_EDGE_DETAILS (object);

  g_clear_object (&self->document);
  g_clear_object (&self->figure);
  G_OBJECT_CLASS (tb_edge_details_parent_class)->dispose (object);
}

static void
tb_edge_details_class_init (TbEdgeDetailsClass *klass)
{
  G_OBJECT_CLASS (klass)->dispose = tb_edge_details_dispose;
}

static GtkWidget *
make_heading (const char *text)
{
  GtkWidget *label = tb_short_text_label (text);

  gtk_label_set_xalign (GTK_LABEL (label), 0);
  gtk_label_set_ellipsize (GTK_LABEL (label), PANGO_ELLIPSIZE_END);
  tb_short_text_set_tooltip (label, text);
  gtk_widget_set_margin_top (label, 12);
  gtk_widget_add_css_class (label, "heading");
  gtk_widget_add_css_class (label, "dimmed");
  return label;
}

/* A node to copy, and its parent in the copy. */
typedef struct
{
  guint node;
  guint parent;
} Branch;

/* Copies the subtree of a root of a flame graph. The root itself represents the edge and is
 * omitted. */
static TbFlameFigure *
cut_branch (TbFlameFigure *figure, guint root, const char *title)
{
  TbFlameFigure *branch = tb_flame_figure_new (tb_figure_get_id (TB_FIGURE (figure)), title,
                                               tb_flame_figure_get_unit (figure));
  g_autoptr (GArray) open = g_array_new (FALSE, FALSE, sizeof (Branch));
  Branch next = { tb_flame_figure_get_node (figure, root)->first_child, TB_ID_NONE };
  guint n = 0;

  if (next.node != TB_ID_NONE)
    g_array_append_val (open, next);
  while (open->len > 0 && n++ < NODES_MAX)
    {
      const TbFlameNode *node;
      Branch child, sibling;

      next = g_array_index (open, Branch, open->len - 1);
      g_array_set_size (open, open->len - 1);
      node = tb_flame_figure_get_node (figure, next.node);
      sibling = (Branch) { node->next_sibling, next.parent };
      child.node = node->first_child;
      child.parent = tb_flame_figure_add_node (branch, next.parent, node->name, node->module,
                                               node->paint, node->own, node->count);
      if (sibling.node != TB_ID_NONE)
        g_array_append_val (open, sibling);
      if (child.node != TB_ID_NONE)
        g_array_append_val (open, child);
    }
  tb_figure_freeze (TB_FIGURE (branch));
  return branch;
}

static void
add_flame (TbEdgeDetails *self,
           const TbSelectedEdge *edge,
           const char *flame,
           const char *item,
           const char *title)
{
  TbFigure *figure = *flame != '\0' ? tb_report_find_figure (edge->report, flame) : NULL;
  g_autoptr (TbFlameFigure) branch = NULL;
  g_autoptr (TbFocus) focus = NULL;
  GtkWidget *view;
  guint root;

  if (figure == NULL || !TB_IS_FLAME_FIGURE (figure) || *item == '\0')
    return;
  root = tb_flame_figure_find_item (TB_FLAME_FIGURE (figure), item);
  if (root == TB_ID_NONE)
    return;
  branch = cut_branch (TB_FLAME_FIGURE (figure), root, title);
  if (tb_flame_figure_get_n_nodes (branch) == 0)
    return;
  /* A separate focus: selecting a function here selects nothing elsewhere. */
  focus = tb_focus_new (0, 1);
  view = tb_figure_view_new (TB_FIGURE (branch), focus);
  gtk_widget_set_size_request (view, -1, FLAME_HEIGHT);
  gtk_widget_add_css_class (view, "tb-figure");
  gtk_box_append (GTK_BOX (self->sides), make_heading (title));
  gtk_box_append (GTK_BOX (self->sides), view);
}

static void
show_sides (TbEdgeDetails *self, const TbSelectedEdge *edge)
{
  const TbGraphEdge *info = tb_graph_figure_get_edge (edge->figure, edge->edge);
  const char *from = tb_graph_figure_get_vertex (edge->figure, info->from)->name;
  const char *to = tb_graph_figure_get_vertex (edge->figure, info->to)->name;
  g_autofree char *from_title = g_strdup_printf (_ ("Stacks of %s"), from);
  g_autofree char *to_title = g_strdup_printf (_ ("Stacks of %s"), to);
  GtkWidget *child;

  while ((child = gtk_widget_get_first_child (self->sides)) != NULL)
    gtk_box_remove (GTK_BOX (self->sides), child);
  add_flame (self, edge, tb_graph_figure_get_from_flame (edge->figure), info->from_item,
             from_title);
  add_flame (self, edge, tb_graph_figure_get_to_flame (edge->figure), info->to_item, to_title);
}

static gsize
find_longest (const TbGraphOccurrences *occurrences)
{
  gsize longest = 0;

  for (gsize i = 1; i < occurrences->n; i++)
    if (occurrences->to[i] - occurrences->from[i]
        > occurrences->to[longest] - occurrences->from[longest])
      longest = i;
  return longest;
}

static void
show_occurrence (Times *self, const TbGraphOccurrences *occurrences)
{
  gsize at = self->recording > 0
                 ? self->chosen
                 : tb_document_get_occurrence (self->details->document, self->base, occurrences);
  gsize shown = at < occurrences->n ? at : find_longest (occurrences);
  g_autofree char *count = tb_format_count (occurrences->n);
  g_autofree char *text = NULL;

  if (at < occurrences->n)
    {
      g_autofree char *length = tb_format_duration (occurrences->to[at] - occurrences->from[at]);
      g_autofree char *number = tb_format_count (at + 1);

      /* Translators: number of the occurrence, total number of occurrences, duration of the
       * occurrence. */
      text = g_strdup_printf (_ ("%s of %s: %s"), number, count, length);
    }
  else
    text = g_strdup_printf (ngettext ("%s time", "%s times", (gulong) occurrences->n), count);
  gtk_label_set_text (self->place_label, text);
  tb_occurrences_strip_set_current (self->strip,
                                    at < occurrences->n ? occurrences->from[at] : TB_TIME_NONE);
  gtk_actionable_set_action_target (GTK_ACTIONABLE (self->show_button), SHOW_TARGET, self->base,
                                    self->recording, occurrences->thread[shown],
                                    occurrences->from[shown], occurrences->to[shown]);
}

static void
set_label (GtkWidget *heading, const char *text)
{
  gtk_label_set_text (GTK_LABEL (heading), text);
  tb_short_text_set_tooltip (heading, text);
}

/* (transfer full): display name */
static char *
name_recording (const Times *self)
{
  g_autoptr (GPtrArray) files = tb_document_list_side (self->details->document, self->base);
  g_autofree char *name = g_file_get_basename (g_ptr_array_index (files, self->recording));

  return g_filename_display_name (name);
}

/* The keys step through the occurrences on the side of the edge only. */
static void
name_times (Times *self, const TbSelectedEdge *selected)
{
  TbDocument *document = self->details->document;
  gboolean has_keys = self->recording == 0 && tb_document_is_base_edge (selected) == self->base;
  g_autofree char *name = NULL;
  g_autofree char *heading = NULL;
  g_autofree char *show = NULL;

  gtk_widget_set_tooltip_text (self->previous_button, has_keys ? _ ("Previous occurrence (,)")
                                                               : _ ("Previous occurrence"));
  gtk_widget_set_tooltip_text (self->next_button,
                               has_keys ? _ ("Next occurrence (.)") : _ ("Next occurrence"));
  gtk_widget_set_visible (self->show_button, tb_document_is_comparison (document));
  if (!tb_document_is_comparison (document))
    return;
  name = name_recording (self);
  /* Translators: the name of one of two recordings in a comparison */
  heading = self->base ? g_strdup_printf (_ ("Occurrences in the Base, %s"), name)
                       : g_strdup_printf (_ ("Occurrences in the Other, %s"), name);
  show = g_strdup_printf (_ ("Show in “%s”"), name);
  set_label (self->heading, heading);
  gtk_button_set_label (GTK_BUTTON (self->show_button), show);
  gtk_widget_set_tooltip_text (self->show_button, show);
}

/* is_new: the edge is another one than before */
static void
show_times (Times *self, const TbSelectedEdge *selected, gboolean is_new)
{
  TbDocument *document = self->details->document;
  TbGraphOccurrences occurrences = { 0 };
  TbSelectedEdge edge;
  gint64 from, to;

  if (tb_document_get_side_edge (document, self->base, &edge))
    tb_graph_figure_get_occurrences (edge.figure, edge.edge, &occurrences);
  gtk_widget_set_visible (self->box, occurrences.n > 0);
  if (occurrences.n == 0)
    return;
  if (is_new)
    {
      self->recording = tb_document_get_edge_recording (document, &edge, &from, &to);
      self->chosen = G_MAXSIZE;
      name_times (self, selected);
      tb_occurrences_strip_set (self->strip, &occurrences, from, to);
    }
  show_occurrence (self, &occurrences);
}

void
tb_edge_details_set_edge (TbEdgeDetails *self, TbDocument *document, const TbSelectedEdge *edge)
{
  gboolean is_new;

  gtk_widget_set_visible (GTK_WIDGET (self), edge != NULL);
  if (edge == NULL)
    return;
  g_set_object (&self->document, document);
  is_new = self->figure != edge->figure || self->edge != edge->edge;
  if (is_new)
    {
      g_set_object (&self->figure, edge->figure);
      self->edge = edge->edge;
      show_sides (self, edge);
    }
  for (guint i = 0; i < G_N_ELEMENTS (self->times); i++)
    show_times (&self->times[i], edge, is_new);
}

/* Selects an occurrence in a recording other than the first of its side, for the button that opens
 * it. */
static void
select_in_further (Times *self, gsize index)
{
  TbGraphOccurrences occurrences;
  TbSelectedEdge edge;

  if (!tb_document_get_side_edge (self->details->document, self->base, &edge))
    return;
  tb_graph_figure_get_occurrences (edge.figure, edge.edge, &occurrences);
  if (index >= occurrences.n)
    return;
  self->chosen = index;
  show_occurrence (self, &occurrences);
}

static void
occurrence_chosen (Times *self, guint64 index)
{
  if (self->recording > 0)
    select_in_further (self, (gsize) index);
  else
    tb_document_select_occurrence (self->details->document, self->base, (gsize) index);
}

static void
previous_clicked (Times *self)
{
  if (self->recording > 0)
    select_in_further (self, self->chosen == G_MAXSIZE || self->chosen == 0 ? 0 : self->chosen - 1);
  else
    tb_document_step_occurrence (self->details->document, self->base, TB_OCCURRENCE_PREVIOUS);
}

static void
next_clicked (Times *self)
{
  if (self->recording > 0)
    select_in_further (self, self->chosen == G_MAXSIZE ? 0 : self->chosen + 1);
  else
    tb_document_step_occurrence (self->details->document, self->base, TB_OCCURRENCE_NEXT);
}

static GtkWidget *
make_button (const char *icon, GCallback clicked, Times *times)
{
  GtkWidget *button = gtk_button_new_from_icon_name (icon);

  g_signal_connect_swapped (button, "clicked", clicked, times);
  gtk_widget_add_css_class (button, "flat");
  return button;
}

static GtkWidget *
make_times (TbEdgeDetails *details, Times *self, gboolean base)
{
  GtkWidget *row = gtk_box_new (GTK_ORIENTATION_HORIZONTAL, 6), *place = gtk_label_new ("");

  self->details = details;
  self->base = base;
  self->box = gtk_box_new (GTK_ORIENTATION_VERTICAL, 6);
  self->heading = make_heading (_ ("Occurrences"));
  self->strip = tb_occurrences_strip_new ();
  self->place_label = GTK_LABEL (place);
  self->previous_button = make_button ("go-previous-symbolic", G_CALLBACK (previous_clicked), self);
  self->next_button = make_button ("go-next-symbolic", G_CALLBACK (next_clicked), self);
  self->show_button = gtk_button_new_with_label ("");
  g_signal_connect_swapped (self->strip, "chosen", G_CALLBACK (occurrence_chosen), self);
  gtk_label_set_xalign (self->place_label, 0);
  gtk_label_set_ellipsize (self->place_label, PANGO_ELLIPSIZE_END);
  tb_short_text_add_tooltip (place);
  gtk_widget_set_hexpand (place, TRUE);
  gtk_widget_add_css_class (place, "numeric");
  gtk_widget_add_css_class (place, "dimmed");
  gtk_button_set_can_shrink (GTK_BUTTON (self->show_button), TRUE);
  gtk_actionable_set_action_target (GTK_ACTIONABLE (self->show_button), SHOW_TARGET, base, 0,
                                    TB_ID_NONE, TB_TIME_NONE, TB_TIME_NONE);
  gtk_actionable_set_action_name (GTK_ACTIONABLE (self->show_button), "win.show-in-recording");
  gtk_box_append (GTK_BOX (row), place);
  gtk_box_append (GTK_BOX (row), self->previous_button);
  gtk_box_append (GTK_BOX (row), self->next_button);
  gtk_box_append (GTK_BOX (self->box), self->heading);
  gtk_box_append (GTK_BOX (self->box), GTK_WIDGET (self->strip));
  gtk_box_append (GTK_BOX (self->box), row);
  gtk_box_append (GTK_BOX (self->box), self->show_button);
  return self->box;
}

static void
tb_edge_details_init (TbEdgeDetails *self)
{
  self->edge = TB_ID_NONE;
  gtk_orientable_set_orientation (GTK_ORIENTABLE (self), GTK_ORIENTATION_VERTICAL);
  gtk_box_set_spacing (GTK_BOX (self), 6);
  self->sides = gtk_box_new (GTK_ORIENTATION_VERTICAL, 6);
  gtk_box_append (GTK_BOX (self), self->sides);
  for (guint i = 0; i < G_N_ELEMENTS (self->times); i++)
    gtk_box_append (GTK_BOX (self), make_times (self, &self->times[i], i == 0));
}
