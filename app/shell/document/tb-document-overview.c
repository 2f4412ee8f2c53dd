/* tb-document-overview.c: overview strips above the figures of a document, with the activity over
 * time from the preview or a report; for a comparison one for each side, and the choice of
 * normalization
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#include "config.h"

#include <glib/gi18n.h>

#include "report/timeline/tb-timeline-figure.h"
#include "shell/document/tb-document-page-private.h"
#include "shell/document/tb-normalize-row.h"
#include "widgets/time/tb-overview-strip.h"

static GtkWidget *
make_strip (TbFocus *focus, const char *name)
{
  GtkWidget *strip = tb_overview_strip_new (focus);

  gtk_accessible_update_property (GTK_ACCESSIBLE (strip), GTK_ACCESSIBLE_PROPERTY_LABEL, name, -1);
  return strip;
}

/* Creates the strip of one side of a comparison: its name above its activity over time, by its own
 * clock. A range selected in one side is selected in the other at the same distance from the
 * start. */
static GtkWidget *
make_side (TbDocumentPage *self, gboolean base)
{
  TbTimelineFigure *overview = tb_document_get_overview (self->document, base);
  g_autofree char *place = tb_document_describe_side (self->document, base);
  g_autofree char *text
      = base ? g_strdup_printf (_ ("Base: %s"), place) : g_strdup_printf (_ ("Other: %s"), place);
  GtkWidget *box = gtk_box_new (GTK_ORIENTATION_VERTICAL, 0), *label = gtk_label_new (text), *strip;

  gtk_label_set_ellipsize (GTK_LABEL (label), PANGO_ELLIPSIZE_MIDDLE);
  gtk_label_set_xalign (GTK_LABEL (label), 0);
  gtk_widget_set_tooltip_text (label, place);
  gtk_widget_add_css_class (label, "caption");
  gtk_widget_set_margin_start (label, 8);
  gtk_widget_set_margin_end (label, 8);
  gtk_widget_set_margin_top (label, 2);
  gtk_widget_set_hexpand (box, TRUE);
  gtk_box_append (GTK_BOX (box), label);
  if (overview == NULL)
    return box;
  strip = make_strip (tb_document_get_side_focus (self->document, base), text);
  tb_overview_strip_set_figure (TB_OVERVIEW_STRIP (strip), overview);
  gtk_box_append (GTK_BOX (box), strip);
  return box;
}

/* A narrow page has the sides next to each other to save height. */
void
tb_document_page_fit_strip (TbDocumentPage *self)
{
  if (self->sides == NULL)
    return;
  gtk_orientable_set_orientation (GTK_ORIENTABLE (self->sides), self->narrow
                                                                    ? GTK_ORIENTATION_HORIZONTAL
                                                                    : GTK_ORIENTATION_VERTICAL);
}

void
tb_document_page_fill_strip (TbDocumentPage *self)
{
  GtkWidget *box;

  if (tb_document_is_recording (self->document))
    {
      adw_bin_set_child (self->strip_bin, make_strip (tb_document_get_focus (self->document),
                                                      _ ("The whole recording")));
      return;
    }
  box = gtk_box_new (GTK_ORIENTATION_VERTICAL, 0);
  self->sides = gtk_box_new (GTK_ORIENTATION_VERTICAL, 0);
  gtk_box_set_homogeneous (GTK_BOX (self->sides), TRUE);
  gtk_box_append (GTK_BOX (self->sides), make_side (self, TRUE));
  gtk_box_append (GTK_BOX (self->sides), make_side (self, FALSE));
  tb_document_page_fit_strip (self);
  gtk_box_append (GTK_BOX (box), self->sides);
  gtk_box_append (GTK_BOX (box), gtk_separator_new (GTK_ORIENTATION_HORIZONTAL));
  gtk_box_append (GTK_BOX (box), tb_normalize_row_new (self->document));
  adw_bin_set_child (self->strip_bin, box);
}

/* Shows the preview until there is a report. */
void
tb_document_page_show_preview (TbDocumentPage *self)
{
  TbTimelineFigure *preview = tb_document_get_preview (self->document);

  if (preview != NULL)
    tb_overview_strip_set_figure (TB_OVERVIEW_STRIP (adw_bin_get_child (self->strip_bin)), preview);
  self->has_overview = FALSE;
}

/* Shows the timeline of the first report that has one: the activity over time. */
void
tb_document_page_take_overview (TbDocumentPage *self, TbReport *report)
{
  GtkWidget *strip = adw_bin_get_child (self->strip_bin);

  if (report == NULL || self->has_overview || tb_document_is_limited (self->document)
      || tb_document_is_comparison (self->document))
    return;
  for (guint i = 0; i < tb_report_get_n_figures (report); i++)
    {
      TbFigure *figure = tb_report_get_figure (report, i);

      if (!TB_IS_TIMELINE_FIGURE (figure))
        continue;
      tb_overview_strip_set_figure (TB_OVERVIEW_STRIP (strip), TB_TIMELINE_FIGURE (figure));
      self->has_overview = TRUE;
      return;
    }
}
