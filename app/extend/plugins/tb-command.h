/* tb-command.h: command to be recorded: its program is found, its child process is held before its
 * exec until the client (tailback-cli or the window) releases it, gets signals, and is awaited;
 * description of its exit status
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#pragma once

#include <gio/gio.h>

#include "base/tb-export.h"

G_BEGIN_DECLS

#define TB_TYPE_COMMAND (tb_command_get_type ())
TB_EXPORT
G_DECLARE_FINAL_TYPE (TbCommand, tb_command, TB, COMMAND, GObject)

TB_EXPORT char *tb_command_find_program (const char *name, GError **error);
TB_EXPORT TbCommand *tb_command_new (const char *const *argv, GError **error);
TB_EXPORT GPid tb_command_get_pid (TbCommand *self);
TB_EXPORT const char *tb_command_get_program (TbCommand *self);
TB_EXPORT const char *tb_command_get_text (TbCommand *self);
TB_EXPORT gboolean tb_command_release (TbCommand *self, GError **error);
TB_EXPORT gboolean tb_command_has_ended (TbCommand *self, int *wait_status);
TB_EXPORT void tb_command_send_signal (TbCommand *self, int signal_number);
TB_EXPORT void tb_command_wait_async (TbCommand *self,
                                      GCancellable *cancellable,
                                      GAsyncReadyCallback callback,
                                      gpointer user_data);
TB_EXPORT gboolean tb_command_wait_finish (TbCommand *self,
                                           GAsyncResult *result,
                                           int *wait_status,
                                           GError **error);
TB_EXPORT char *tb_command_describe_status (int wait_status);

G_END_DECLS
