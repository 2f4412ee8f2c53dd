/* tb-edge-details.c: what is known of an edge: its weights, both its stacks, when it was
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#include "config.h"

#include <inttypes.h>

#include <glib/gi18n.h>

#include "report/flame/tb-flame-figure.h"
#include "report/graph/tb-graph-scene.h"
#include "shell/document/tb-edge-details.h"
#include "shell/document/tb-occurrences.h"
#include "shell/document/tb-short-text.h"
#include "report/tb-report.h"
#include "widgets/tb-figure-view.h"

/* A stack of more is not for a pane. */
#define NODES_MAX 3000
#define FLAME_HEIGHT 150

struct _TbEdgeDetails
{
  GtkBox parent;

  TbDocument *document;
  TbGraphFigure *figure; /* that is shown */
  guint edge;

  GtkWidget *sides;
  GtkWidget *times;
  TbOccurrences *strip;
  GtkLabel *place_label;
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

/* Nodes to copy: which, and below which of the copy. */
typedef struct
{
  guint node;
  guint parent;
} Branch;

/* What is on one root of a flame, without the root, which stands for the edge itself. */
static TbFlameFigure *
cut_branch (TbFlameFigure *figure, guint root, const char *title)
{
  TbFlameFigure *branch
      = tb_flame_figure_new (tb_figure_get_id (TB_FIGURE (figure)), title, tb_flame_figure_get_unit (figure));
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
      child.parent = tb_flame_figure_add_node (branch, next.parent, node->name, node->module, node->paint,
                                               node->own, node->count);
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
  /* Choosing a function here chooses nothing elsewhere. */
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
  add_flame (self, edge, tb_graph_figure_get_from_flame (edge->figure), info->from_item, from_title);
  add_flame (self, edge, tb_graph_figure_get_to_flame (edge->figure), info->to_item, to_title);
}

static void
show_occurrence (TbEdgeDetails *self, const TbGraphOccurrences *occurrences)
{
  gsize at = tb_document_get_occurrence (self->document, occurrences);
  g_autofree char *text = NULL;

  if (at < occurrences->n)
    {
      g_autofree char *length = tb_format_duration (occurrences->to[at] - occurrences->from[at]);

      /* Translators: which one of how many occurrences, and how long it is. */
      text = g_strdup_printf (_ ("%" PRIu64 " of %" PRIu64 ": %s"), (guint64) at + 1,
                              (guint64) occurrences->n, length);
    }
  else
    text = g_strdup_printf (ngettext ("%" PRIu64 " time", "%" PRIu64 " times", (gulong) occurrences->n),
                            (guint64) occurrences->n);
  gtk_label_set_text (self->place_label, text);
  tb_occurrences_set_current (self->strip, at < occurrences->n ? occurrences->from[at] : TB_TIME_NONE);
}

void
tb_edge_details_set_edge (TbEdgeDetails *self, TbDocument *document, const TbSelectedEdge *edge)
{
  TbGraphOccurrences occurrences = { 0 };
  gint64 from, to;

  gtk_widget_set_visible (GTK_WIDGET (self), edge != NULL);
  if (edge == NULL)
    return;
  g_set_object (&self->document, document);
  tb_graph_figure_get_occurrences (edge->figure, edge->edge, &occurrences);
  if (self->figure != edge->figure || self->edge != edge->edge)
    {
      g_set_object (&self->figure, edge->figure);
      self->edge = edge->edge;
      show_sides (self, edge);
      tb_focus_get_extent (tb_document_get_focus (document), &from, &to);
      tb_occurrences_set (self->strip, &occurrences, from, to);
    }
  gtk_widget_set_visible (self->times, occurrences.n > 0);
  show_occurrence (self, &occurrences);
}

static void
occurrence_chosen (TbEdgeDetails *self, guint64 index)
{
  tb_document_select_occurrence (self->document, (gsize) index);
}

static GtkWidget *
make_button (const char *icon, const char *text, const char *action)
{
  GtkWidget *button = gtk_button_new_from_icon_name (icon);

  gtk_widget_set_tooltip_text (button, text);
  gtk_actionable_set_action_name (GTK_ACTIONABLE (button), action);
  gtk_widget_add_css_class (button, "flat");
  return button;
}

static void
tb_edge_details_init (TbEdgeDetails *self)
{
  GtkWidget *row = gtk_box_new (GTK_ORIENTATION_HORIZONTAL, 6);
  GtkWidget *place = gtk_label_new ("");

  self->edge = TB_ID_NONE;
  self->place_label = GTK_LABEL (place);
  gtk_orientable_set_orientation (GTK_ORIENTABLE (self), GTK_ORIENTATION_VERTICAL);
  gtk_box_set_spacing (GTK_BOX (self), 6);
  self->sides = gtk_box_new (GTK_ORIENTATION_VERTICAL, 6);
  self->times = gtk_box_new (GTK_ORIENTATION_VERTICAL, 6);
  self->strip = tb_occurrences_new ();
  g_signal_connect_object (self->strip, "chosen", G_CALLBACK (occurrence_chosen), self, G_CONNECT_SWAPPED);
  gtk_label_set_xalign (self->place_label, 0);
  gtk_label_set_ellipsize (self->place_label, PANGO_ELLIPSIZE_END);
  gtk_widget_set_hexpand (place, TRUE);
  gtk_widget_add_css_class (place, "numeric");
  gtk_widget_add_css_class (place, "dimmed");
  gtk_box_append (GTK_BOX (row), place);
  gtk_box_append (GTK_BOX (row), make_button ("go-previous-symbolic", _ ("Previous occurrence (,)"),
                                              "win.previous-occurrence"));
  gtk_box_append (GTK_BOX (row),
                  make_button ("go-next-symbolic", _ ("Next occurrence (.)"), "win.next-occurrence"));
  gtk_box_append (GTK_BOX (self->times), make_heading (_ ("Occurrences")));
  gtk_box_append (GTK_BOX (self->times), GTK_WIDGET (self->strip));
  gtk_box_append (GTK_BOX (self->times), row);
  gtk_box_append (GTK_BOX (self), self->sides);
  gtk_box_append (GTK_BOX (self), self->times);
}
