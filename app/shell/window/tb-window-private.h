/* tb-window-private.h: members of TbWindow and functions shared by the files that implement it:
 * tabs, documents, actions, closing, export
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#pragma once

#include "shell/window/tb-recent.h"
#include "shell/window/tb-start-page.h"
#include "shell/window/tb-window.h"

G_BEGIN_DECLS

struct _TbWindow
{
  AdwApplicationWindow parent;

  GSettings *settings;
  gboolean close_confirmed;
  gboolean unsaved_confirmed;
  gboolean narrow;

  AdwToastOverlay *toasts;
  AdwTabOverview *overview;
  AdwTabView *tab_view;
  GtkStack *stack;
  AdwWindowTitle *window_title;
  AdwBreakpoint *narrow_breakpoint;
  GtkWidget *tab_button;
  GtkWidget *sidebar_button;
  GtkWidget *details_button;
  AdwSplitButton *open_button;
  TbStartPage *start_page;
  GMenu *exporters_menu;
  gboolean has_exporters;
};

/* Returns whether the window is being disposed of. Its tabs may still report changes then. */
gboolean tb_window_is_disposed (TbWindow *self);
GtkWidget *tb_window_get_page (TbWindow *self);
/* current document if it has a trace, else NULL */
TbDocument *tb_window_get_document (TbWindow *self);
void tb_window_show_error (TbWindow *self, const char *heading, const char *body);
void tb_window_update (TbWindow *self);
void tb_window_update_actions (TbWindow *self);
AdwTabPage *tb_window_add_tab (TbWindow *self, GtkWidget *child, AdwTabPage *after);
TbDocumentPage *
tb_window_add_document (TbWindow *self, TbDocument *document, AdwTabPage *after, gboolean in_front);
/* Returns the page of a recording (base NULL) or of a comparison; NULL if it is not open. */
TbDocumentPage *
tb_window_find_document (TbWindow *self, GFile *base, GFile *file, gboolean in_front);

TbDocumentPage *tb_window_show_simultaneous_recording (TbWindow *self);
gboolean tb_window_is_recording_tab (AdwTabPage *page);
gboolean tb_window_close_page (TbWindow *self, AdwTabPage *page);
gboolean tb_window_may_close (TbWindow *self);
GPtrArray *tb_window_list_pages (TbWindow *self); /* TbDocumentPage */

void tb_window_add_dialog_actions (TbWindow *self);
void tb_window_add_recording_actions (TbWindow *self);
void tb_window_add_file_actions (TbWindow *self);
void tb_window_add_document_actions (TbWindow *self);
void tb_window_add_compare_actions (TbWindow *self);
char *tb_window_join_side (TbDocument *document, gboolean base);
GPtrArray *tb_window_split_side (const char *uris);
void tb_window_add_closing_actions (TbWindow *self);
void tb_window_add_export_actions (TbWindow *self);
void tb_window_update_export_actions (TbWindow *self);
void tb_window_show_saved (TbWindow *self, GFile *file);
/* Returns a file name for an export of a document; what: NULL for all of it. */
char *tb_window_suggest_name (const char *document, const char *what, const char *suffix);
void tb_window_add_exporter_actions (TbWindow *self);
void tb_window_update_exporters (TbWindow *self);
void tb_window_add_tab_actions (TbWindow *self);
void tb_window_watch_tabs (TbWindow *self);
void tb_window_accept_drops (TbWindow *self);

G_END_DECLS
