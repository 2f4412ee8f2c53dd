/* tb-document-bookmarks.c: bookmarks of an open recording: adding one for what is selected or
 * visible, renaming, removal; copy of the whole session with its additions to another file, in a
 * thread
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#include "config.h"

#include "shell/document/tb-document.h"
#include "shell/document/tb-recording-facts.h"

/**
 * tb_document_add_bookmark:
 *
 * Adds a bookmark for the selected interval or range, or for the visible range if nothing is
 * selected.
 */
void
tb_document_add_bookmark (TbDocument *self)
{
  g_autoptr (GError) error = NULL;
  g_autofree char *name = NULL;
  guint32 thread = TB_ID_NONE;
  TbTrace *trace;
  TbFocus *focus;
  gint64 from, to;

  g_return_if_fail (TB_IS_DOCUMENT (self));

  trace = tb_document_get_trace (self);
  if (trace == NULL)
    return;
  focus = tb_document_get_focus (self);
  if (tb_focus_get_time (focus, &from, &to))
    thread = tb_focus_get_thread (focus);
  else if (!tb_focus_get_range (focus, &from, &to))
    tb_focus_get_view (focus, &from, &to);

  name = tb_recording_facts_name_place (trace, thread, from, to);
  if (tb_session_add_bookmark (tb_trace_get_session (trace), name, from, to, thread, &error) < 0)
    g_signal_emit_by_name (self, "message", error->message);
  g_signal_emit_by_name (self, "bookmarks-changed");
}

/**
 * tb_document_rename_bookmark:
 * @id: id of a bookmark
 * @name: the name, optionally followed by a note in further lines
 */
void
tb_document_rename_bookmark (TbDocument *self, gint64 id, const char *name)
{
  g_autoptr (GError) error = NULL;
  TbSession *session;

  g_return_if_fail (TB_IS_DOCUMENT (self));

  session = tb_document_get_session (self);
  if (session == NULL)
    return;
  if (!tb_session_rename_bookmark (session, id, name, &error))
    g_signal_emit_by_name (self, "message", error->message);
  g_signal_emit_by_name (self, "bookmarks-changed");
}

void
tb_document_remove_bookmark (TbDocument *self, gint64 id)
{
  g_autoptr (GError) error = NULL;
  TbSession *session;

  g_return_if_fail (TB_IS_DOCUMENT (self));

  session = tb_document_get_session (self);
  if (session == NULL)
    return;
  if (!tb_session_remove_bookmark (session, id, &error))
    g_signal_emit_by_name (self, "message", error->message);
  g_signal_emit_by_name (self, "bookmarks-changed");
}

static void
save_copy_thread (GTask *task, gpointer source, gpointer data, GCancellable *cancellable)
{
  GError *error = NULL;
  TbSession *session = g_object_get_data (G_OBJECT (task), "session");

  if (tb_session_save_copy (session, data, cancellable, &error))
    g_task_return_boolean (task, TRUE);
  else
    g_task_return_error (task, error);
}

/**
 * tb_document_save_copy_async:
 * @file: the new file
 *
 * Writes the whole session, including bookmarks and names added to it, to another file.
 */
void
tb_document_save_copy_async (TbDocument *self,
                             GFile *file,
                             GCancellable *cancellable,
                             GAsyncReadyCallback callback,
                             gpointer data)
{
  g_autoptr (GTask) task = NULL;

  g_return_if_fail (TB_IS_DOCUMENT (self) && tb_document_get_session (self) != NULL);

  task = g_task_new (self, cancellable, callback, data);
  g_task_set_source_tag (task, tb_document_save_copy_async);
  g_task_set_task_data (task, g_object_ref (file), g_object_unref);
  g_object_set_data_full (G_OBJECT (task), "session", g_object_ref (tb_document_get_session (self)),
                          g_object_unref);
  g_task_run_in_thread (task, save_copy_thread);
}

gboolean
tb_document_save_copy_finish (TbDocument *self, GAsyncResult *result, GError **error)
{
  g_return_val_if_fail (g_task_is_valid (result, self), FALSE);
  return g_task_propagate_boolean (G_TASK (result), error);
}
