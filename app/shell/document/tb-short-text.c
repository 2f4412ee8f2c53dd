/* tb-short-text.c: labels and tooltips that cut texts beyond a length; tooltips with the text of
 * ellipsized labels
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#include "config.h"

#include "shell/document/tb-short-text.h"

#define MAX_CHARACTERS 2000

static char *
shorten (const char *text)
{
  g_autofree char *start = NULL;

  if (g_utf8_strlen (text, -1) <= MAX_CHARACTERS)
    return g_strdup (text);
  start = g_utf8_substring (text, 0, MAX_CHARACTERS);
  return g_strconcat (start, "…", NULL);
}

GtkWidget *
tb_short_text_label (const char *text)
{
  g_autofree char *shortened = shorten (text);

  return gtk_label_new (shortened);
}

void
tb_short_text_set (GtkLabel *label, const char *text)
{
  g_autofree char *shortened = shorten (text);

  gtk_label_set_text (label, shortened);
}

void
tb_short_text_set_tooltip (GtkWidget *widget, const char *text)
{
  g_autofree char *shortened = shorten (text);

  gtk_widget_set_tooltip_text (widget, shortened);
}

static gboolean
query_tooltip (GtkLabel *label, int x, int y, gboolean keyboard, GtkTooltip *tooltip)
{
  g_autofree char *text = NULL;

  if (!pango_layout_is_ellipsized (gtk_label_get_layout (label)))
    return FALSE;
  text = shorten (gtk_label_get_text (label));
  gtk_tooltip_set_text (tooltip, text);
  return TRUE;
}

void
tb_short_text_add_tooltip (GtkWidget *label)
{
  gtk_widget_set_has_tooltip (label, TRUE);
  g_signal_connect (label, "query-tooltip", G_CALLBACK (query_tooltip), NULL);
}
