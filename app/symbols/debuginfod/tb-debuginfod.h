/* tb-debuginfod.h: client of debuginfod servers, which have debug files by build ID: servers, files
 * to receive, limit of size, run, counts, problems
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#pragma once

#include "session/file/tb-session.h"
#include "symbols/debuginfod/tb-debuginfod-kind.h"

G_BEGIN_DECLS

/**
 * TbDebuginfodState:
 * @TB_DEBUGINFOD_WANTED: not requested yet
 * @TB_DEBUGINFOD_RECEIVED: in the cache
 * @TB_DEBUGINFOD_ABSENT: on none of the servers
 * @TB_DEBUGINFOD_LARGE: not received, as it exceeds the limit
 * @TB_DEBUGINFOD_FAILED: no server sent it, and at least one failed
 *
 * What became of a file that is to be received.
 */
typedef enum
{
  TB_DEBUGINFOD_WANTED,
  TB_DEBUGINFOD_RECEIVED,
  TB_DEBUGINFOD_ABSENT,
  TB_DEBUGINFOD_LARGE,
  TB_DEBUGINFOD_FAILED,
} TbDebuginfodState;

/**
 * TbDebuginfodFile:
 * @build_id: build ID in hexadecimal digits
 * @name: path of the program or library in the recording
 * @kind: which of its files
 * @state: what became of it
 * @size: size in bytes as the server gives it, 0 if unknown
 *
 * A file that a recording needs for the names of its functions.
 */
typedef struct
{
  char *build_id;
  char *name;
  TbDebuginfodKind kind;
  TbDebuginfodState state;
  guint64 size;
} TbDebuginfodFile;

/**
 * TB_DEBUGINFOD_LIMIT:
 *
 * Bytes that are received without asking the user: 50 MB.
 */
#define TB_DEBUGINFOD_LIMIT (50 * G_GUINT64_CONSTANT (1000000))

/**
 * TbDebuginfodProgress:
 * @n_done: files that are complete or not available
 * @n_files: all files
 * @bytes: bytes received
 * @data: user data
 *
 * Called from the threads that receive, never from two at once.
 */
typedef void (*TbDebuginfodProgress) (guint n_done, guint n_files, guint64 bytes, gpointer data);

#define TB_TYPE_DEBUGINFOD (tb_debuginfod_get_type ())
TB_EXPORT
G_DECLARE_FINAL_TYPE (TbDebuginfod, tb_debuginfod, TB, DEBUGINFOD, GObject)

TB_EXPORT TbDebuginfod *tb_debuginfod_new (const char *const *servers);
TB_EXPORT char **tb_debuginfod_list_servers (const char *text);
TB_EXPORT gboolean tb_debuginfod_has_servers (TbDebuginfod *self);
TB_EXPORT void tb_debuginfod_set_limit (TbDebuginfod *self, guint64 bytes);
TB_EXPORT gboolean tb_debuginfod_add_file (TbDebuginfod *self,
                                           const char *build_id,
                                           TbDebuginfodKind kind,
                                           const char *name);
TB_EXPORT gboolean tb_debuginfod_add_session (TbDebuginfod *self,
                                              TbSession *session,
                                              const guint32 *first_modules,
                                              guint n_first,
                                              GCancellable *cancellable,
                                              GError **error);
TB_EXPORT gboolean tb_debuginfod_run (TbDebuginfod *self,
                                      TbDebuginfodProgress progress,
                                      gpointer data,
                                      GCancellable *cancellable,
                                      GError **error);
TB_EXPORT const TbDebuginfodFile *tb_debuginfod_get_file (TbDebuginfod *self, guint i);
TB_EXPORT guint tb_debuginfod_count (TbDebuginfod *self, TbDebuginfodState state);
TB_EXPORT char **tb_debuginfod_list_problems (TbDebuginfod *self);

G_END_DECLS
