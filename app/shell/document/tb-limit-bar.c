/* tb-limit-bar.c: bar that shows to which threads and time range the analyses of a recording are
 * limited, with a button to remove each limit
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#include "config.h"

#include <glib/gi18n.h>

#include "report/tb-report.h"
#include "shell/document/tb-recording-facts.h"
#include "shell/document/tb-limit-bar.h"

struct _TbLimitBar
{
  AdwBin parent;

  TbDocument *document;
  GtkWidget *only_label;
  GtkWidget *threads_button;
  AdwButtonContent *threads_content;
  GtkWidget *times_button;
  AdwButtonContent *times_content;
  GtkWidget *command_button;
  GtkWidget *everything_button;
};

G_DEFINE_FINAL_TYPE (TbLimitBar, tb_limit_bar, ADW_TYPE_BIN)

static void
tb_limit_bar_dispose (GObject *object)
{
  g_clear_object (&TB_LIMIT_BAR (object)->document);
  G_OBJECT_CLASS (tb_limit_bar_parent_class)->dispose (object);
}

static void
tb_limit_bar_class_init (TbLimitBarClass *klass)
{
  GtkWidgetClass *widget_class = GTK_WIDGET_CLASS (klass);

  G_OBJECT_CLASS (klass)->dispose = tb_limit_bar_dispose;
  gtk_widget_class_set_template_from_resource (widget_class,
                                               "/org/tailback/Tailback/tb-limit-bar.ui");
  gtk_widget_class_bind_template_child (widget_class, TbLimitBar, only_label);
  gtk_widget_class_bind_template_child (widget_class, TbLimitBar, threads_button);
  gtk_widget_class_bind_template_child (widget_class, TbLimitBar, threads_content);
  gtk_widget_class_bind_template_child (widget_class, TbLimitBar, times_button);
  gtk_widget_class_bind_template_child (widget_class, TbLimitBar, times_content);
  gtk_widget_class_bind_template_child (widget_class, TbLimitBar, command_button);
  gtk_widget_class_bind_template_child (widget_class, TbLimitBar, everything_button);
}

static void
tb_limit_bar_init (TbLimitBar *self)
{
  gtk_widget_init_template (GTK_WIDGET (self));
}

static void
update (TbLimitBar *self)
{
  g_autofree char *threads = tb_document_describe_analysed_threads (self->document);
  gint64 from, to;
  gboolean has_range = tb_document_get_analysed_range (self->document, &from, &to);
  gboolean is_limited = tb_document_is_limited (self->document);
  gboolean has_command = tb_document_can_analyse_command (self->document);

  gtk_widget_set_visible (self->threads_button, threads != NULL);
  gtk_widget_set_visible (self->times_button, has_range);
  if (threads != NULL)
    adw_button_content_set_label (self->threads_content, threads);
  if (has_range)
    {
      g_autofree char *length = tb_format_duration (to - from);
      g_autofree char *range
          = tb_recording_facts_name_range (tb_document_get_session (self->document), from, to);
      g_autofree char *text = g_strdup_printf ("%s, %s", length, range);

      adw_button_content_set_label (self->times_content, text);
    }
  gtk_widget_set_visible (self->only_label, is_limited);
  gtk_widget_set_visible (self->everything_button, is_limited);
  gtk_widget_set_visible (self->command_button, !is_limited && has_command);
  gtk_widget_set_visible (GTK_WIDGET (self), is_limited || has_command);
}

/**
 * tb_limit_bar_set_document:
 * @document: document with the analyses; set only once
 *
 * The bar is visible while the analyses cover only a part of the recording, and while they cover
 * the whole system although a command was recorded: it leads from one to the other.
 */
void
tb_limit_bar_set_document (TbLimitBar *self, TbDocument *document)
{
  g_return_if_fail (TB_IS_LIMIT_BAR (self) && self->document == NULL);

  self->document = g_object_ref (document);
  g_signal_connect_object (document, "limit-changed", G_CALLBACK (update), self, G_CONNECT_SWAPPED);
  g_signal_connect_object (document, "notify::state", G_CALLBACK (update), self, G_CONNECT_SWAPPED);
  update (self);
}
