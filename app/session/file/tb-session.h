/* tb-session.h: session: a saved recording that was opened, with its tables, hosts, processes,
 * threads, strings, facts and warnings; function names, bookmarks, reports; check and copy of the
 * file
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#pragma once

#include <gio/gio.h>

#include "session/schema/tb-entities.h"
#include "session/schema/tb-interface.h"
#include "session/schema/tb-module-file.h"
#include "session/file/tb-session-error.h"
#include "session/file/tb-table.h"

G_BEGIN_DECLS

#define TB_TYPE_SESSION (tb_session_get_type ())
TB_EXPORT
G_DECLARE_FINAL_TYPE (TbSession, tb_session, TB, SESSION, GObject)

/* Opening reads only the entities and the chunk index. Read-only files can be opened; additions to
 * them are kept in memory (tb_session_is_writable() is FALSE). A file left by a crash is recovered
 * first, and is_cut_short() returns TRUE for it. */
TB_EXPORT TbSession *tb_session_open (GFile *file, GCancellable *cancellable, GError **error);
TB_EXPORT GFile *tb_session_get_file (TbSession *self);
TB_EXPORT gboolean tb_session_is_writable (TbSession *self);
/* For a session in a temporary file: nothing more is written to it. */
TB_EXPORT void tb_session_keep_in_memory (TbSession *self);
TB_EXPORT gboolean tb_session_is_cut_short (TbSession *self);
TB_EXPORT guint tb_session_get_failed_reads (TbSession *self, GError **error);
TB_EXPORT guint tb_session_get_missing_names (TbSession *self, GError **error);
TB_EXPORT gboolean tb_session_check (TbSession *self, GCancellable *cancellable, GError **error);
TB_EXPORT gboolean tb_session_save_copy (TbSession *self,
                                         GFile *file,
                                         GCancellable *cancellable,
                                         GError **error);

TB_EXPORT void tb_session_get_range (TbSession *self, gint64 *from, gint64 *to);
/* Facts by name: "clock" ("monotonic"), "collector", "command", "command-status",
 * "start-realtime-ns", "cut-short", … */
TB_EXPORT const char *tb_session_get_fact (TbSession *self, const char *key);
TB_EXPORT gboolean tb_session_set_fact (TbSession *self,
                                        const char *key,
                                        const char *value,
                                        GError **error);
/* The ID of the analysis that a window opens with. */
TB_EXPORT const char *tb_session_get_first_analysis (TbSession *self);
TB_EXPORT const char *const *tb_session_get_warnings (TbSession *self);
TB_EXPORT void tb_session_set_memory_budget (TbSession *self, guint64 bytes);

TB_EXPORT TbTable *tb_session_get_table (TbSession *self, TbTableKind kind);

/* Arrays indexed by id, valid as long as the session; names can be changed by the tb_session_…
 * functions below. */
TB_EXPORT const TbHost *tb_session_get_hosts (TbSession *self, guint *n_hosts);
TB_EXPORT const TbProcess *tb_session_get_processes (TbSession *self, guint *n_processes);
TB_EXPORT const TbThread *tb_session_get_threads (TbSession *self, guint *n_threads);
TB_EXPORT const TbThreadName *tb_session_get_thread_names (TbSession *self, guint *n_names);
TB_EXPORT const TbModule *tb_session_get_modules (TbSession *self, guint *n_modules);
/* NULL if nothing is known about the file of the module. */
TB_EXPORT const TbModuleFile *tb_session_get_module_file (TbSession *self, guint32 module);
TB_EXPORT const TbMapping *tb_session_get_mappings (TbSession *self, guint *n_mappings);
TB_EXPORT const TbDevice *tb_session_get_devices (TbSession *self, guint *n_devices);
TB_EXPORT const TbInterface *tb_session_get_interfaces (TbSession *self, guint *n_interfaces);
/* Names for people, which are never empty. */
TB_EXPORT const char *tb_session_get_shown_thread_name (TbSession *self, guint32 thread);
TB_EXPORT const char *tb_session_get_shown_process_name (TbSession *self, guint32 process);
TB_EXPORT char *tb_session_describe_thread (TbSession *self, guint32 thread);
TB_EXPORT char *tb_session_describe_process (TbSession *self, guint32 process, gboolean in_heading);
/* "" if the id is out of range. */
TB_EXPORT const char *tb_session_get_string (TbSession *self, guint32 string);
TB_EXPORT guint tb_session_get_n_strings (TbSession *self);

TB_EXPORT const TbFrameName *
tb_session_get_frame_names (TbSession *self, guint32 frame, guint *n_names);
TB_EXPORT gboolean tb_session_add_frame_names (TbSession *self,
                                               const guint32 *frames,
                                               const guint *n_names,
                                               guint n_frames,
                                               const TbFrameName *names,
                                               GError **error);
TB_EXPORT guint tb_session_get_symbols_generation (TbSession *self);

TB_EXPORT gboolean tb_session_put_table (TbSession *self,
                                         TbTableKind kind,
                                         GBytes **columns,
                                         guint64 n_rows,
                                         GCancellable *cancellable,
                                         GError **error);

TB_EXPORT const TbBookmark *tb_session_get_bookmarks (TbSession *self, guint *n_bookmarks);
TB_EXPORT gint64 tb_session_add_bookmark (TbSession *self,
                                          const char *name,
                                          gint64 from,
                                          gint64 to,
                                          guint32 thread,
                                          GError **error);
TB_EXPORT gboolean tb_session_rename_bookmark (TbSession *self,
                                               gint64 id,
                                               const char *name,
                                               GError **error);
TB_EXPORT gboolean tb_session_remove_bookmark (TbSession *self, gint64 id, GError **error);

/* Saved reports, as JSON; a report opens without its plug-in. */
TB_EXPORT gboolean tb_session_save_report (TbSession *self,
                                           const char *name,
                                           const char *analysis,
                                           GBytes *json,
                                           GError **error);
TB_EXPORT char **tb_session_list_reports (TbSession *self);
TB_EXPORT GBytes *tb_session_load_report (TbSession *self, const char *name, GError **error);

G_END_DECLS
