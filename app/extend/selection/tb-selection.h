/* tb-selection.h: selected part of a trace: a time range, and threads, which are added by id, or by
 * name or number of a thread or process; the corresponding part of another recording
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#pragma once

#include "trace/tb-trace.h"

G_BEGIN_DECLS

#define TB_TYPE_SELECTION (tb_selection_get_type ())
TB_EXPORT
G_DECLARE_FINAL_TYPE (TbSelection, tb_selection, TB, SELECTION, GObject)

/**
 * TbSelectionScope:
 * @TB_SELECTION_ALL: all threads
 * @TB_SELECTION_SYSTEM: all threads but the recorder's
 * @TB_SELECTION_COMMAND: the threads of the recorded command or process, of the processes that it
 *   started, and of those that worked for it; without a recorded command as %TB_SELECTION_SYSTEM
 *
 * Which threads a selection has if none is added.
 */
typedef enum
{
  TB_SELECTION_ALL,
  TB_SELECTION_SYSTEM,
  TB_SELECTION_COMMAND,
} TbSelectionScope;

TB_EXPORT TbSelection *tb_selection_new (TbTrace *trace);
TB_EXPORT TbSelection *
tb_selection_new_of_process (TbTrace *trace, const char *text, GError **error);
TB_EXPORT void tb_selection_set_range (TbSelection *self, gint64 from, gint64 to);
TB_EXPORT void tb_selection_get_range (TbSelection *self, gint64 *from, gint64 *to);
TB_EXPORT void tb_selection_add_thread (TbSelection *self, guint32 thread);
/* Takes an id, a pid/tid or an exact name, as the command line does. Every match is added; without
 * a match, the error lists candidates. */
TB_EXPORT gboolean tb_selection_add_process_by_name (TbSelection *self,
                                                     const char *text,
                                                     GError **error);
TB_EXPORT gboolean tb_selection_add_thread_by_name (TbSelection *self,
                                                    const char *text,
                                                    GError **error);
TB_EXPORT void tb_selection_set_scope (TbSelection *self, TbSelectionScope scope);
TB_EXPORT TbSelectionScope tb_selection_get_scope (TbSelection *self);
TB_EXPORT gboolean tb_selection_is_of_threads (TbSelection *self);
TB_EXPORT TbSelection *tb_selection_carry_over (TbSelection *self, TbTrace *trace);
TB_EXPORT gboolean tb_selection_has_thread (TbSelection *self, guint32 thread);

G_END_DECLS
