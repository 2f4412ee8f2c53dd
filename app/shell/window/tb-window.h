/* tb-window.h: application window with documents in tabs: opening of files, comparisons and
 * recordings, list of its documents, messages
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#pragma once

#include <adwaita.h>

#include "shell/document/tb-document-page.h"
#include "shell/recording/tb-recording.h"

G_BEGIN_DECLS

#define TB_TYPE_WINDOW (tb_window_get_type ())
G_DECLARE_FINAL_TYPE (TbWindow, tb_window, TB, WINDOW, AdwApplicationWindow)

GtkWindow *tb_window_new (GtkApplication *application, GSettings *settings);
TbDocumentPage *tb_window_open (TbWindow *self, GFile *file, gboolean in_front);
TbDocumentPage *tb_window_compare (TbWindow *self, GFile *base, GFile *other, gboolean in_front);
TbDocumentPage *
tb_window_compare_several (TbWindow *self, GPtrArray *bases, GPtrArray *others, gboolean in_front);
void tb_window_record (TbWindow *self, TbRecording *recording);
TbDocumentPage *tb_window_get_document_page (TbWindow *self);
gboolean tb_window_is_recording (TbWindow *self);
GVariant *tb_window_list_documents (TbWindow *self);
void tb_window_open_documents (TbWindow *self, GVariant *documents);
gboolean tb_window_has_document (TbWindow *self, GFile *file);
void tb_window_symbolize_again (TbWindow *self);
GPtrArray *tb_window_list_exporters (void);
TbWindow *tb_window_find_by_tab (AdwTabPage *page);
void tb_window_toast (TbWindow *self, const char *text);

G_END_DECLS
