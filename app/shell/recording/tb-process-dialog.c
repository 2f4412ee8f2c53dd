/* tb-process-dialog.c: dialog in which the user chooses a process of an open recording, whose time
 * is then explained by an analysis
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#include "config.h"

#include <glib/gi18n.h>

#include "shell/recording/tb-process-dialog.h"
#include "shell/recording/tb-process-list.h"

struct _TbProcessDialog
{
  AdwDialog parent;

  GtkSearchEntry *search;
  GtkListView *view;
};

enum
{
  CHOSEN,
  N_SIGNALS
};

static guint signals[N_SIGNALS];

G_DEFINE_FINAL_TYPE (TbProcessDialog, tb_process_dialog, ADW_TYPE_DIALOG)

static void
activated (TbProcessDialog *self, guint position)
{
  GListModel *model = G_LIST_MODEL (gtk_list_view_get_model (self->view));
  g_autoptr (TbProcessItem) item = g_list_model_get_item (model, position);

  if (item == NULL)
    return;
  g_signal_emit (self, signals[CHOSEN], 0, tb_process_item_get_id (item));
  adw_dialog_close (ADW_DIALOG (self));
}

/* Enter chooses the first match. */
static void
search_activated (TbProcessDialog *self)
{
  activated (self, 0);
}

static void
tb_process_dialog_class_init (TbProcessDialogClass *klass)
{
  GtkWidgetClass *widget_class = GTK_WIDGET_CLASS (klass);

  /* Emitted with the id of the process in the recording. */
  signals[CHOSEN] = g_signal_new ("chosen", TB_TYPE_PROCESS_DIALOG, G_SIGNAL_RUN_LAST, 0, NULL,
                                  NULL, NULL, G_TYPE_NONE, 1, G_TYPE_UINT);
  gtk_widget_class_set_template_from_resource (widget_class,
                                               "/org/tailback/Tailback/tb-process-dialog.ui");
  gtk_widget_class_bind_template_child (widget_class, TbProcessDialog, search);
  gtk_widget_class_bind_template_child (widget_class, TbProcessDialog, view);
}

static void
tb_process_dialog_init (TbProcessDialog *self)
{
  g_autoptr (GtkListItemFactory) factory = tb_process_list_new_factory ();

  gtk_widget_init_template (GTK_WIDGET (self));
  gtk_list_view_set_factory (self->view, factory);
  g_signal_connect_object (self->view, "activate", G_CALLBACK (activated), self, G_CONNECT_SWAPPED);
  g_signal_connect_object (self->search, "activate", G_CALLBACK (search_activated), self,
                           G_CONNECT_SWAPPED);
}

static GListModel *
list_processes (TbSession *session)
{
  GListStore *list = g_list_store_new (TB_TYPE_PROCESS_ITEM);
  guint n;
  const TbProcess *processes = tb_session_get_processes (session, &n);

  for (guint i = 0; i < n; i++)
    {
      g_autoptr (TbProcessItem) item
          = tb_process_item_new (processes[i].id, processes[i].pid, processes[i].name,
                                 processes[i].command);

      g_list_store_append (list, item);
    }
  return G_LIST_MODEL (list);
}

/**
 * tb_process_dialog_new:
 * @session: session with the processes
 *
 * Returns: a dialog; its signal `chosen` passes the id of a process
 */
AdwDialog *
tb_process_dialog_new (TbSession *session)
{
  TbProcessDialog *self = g_object_new (TB_TYPE_PROCESS_DIALOG, NULL);
  g_autoptr (GtkSelectionModel) selection
      = tb_process_list_new_search (list_processes (session), self->search);

  gtk_list_view_set_model (self->view, selection);
  return ADW_DIALOG (self);
}
