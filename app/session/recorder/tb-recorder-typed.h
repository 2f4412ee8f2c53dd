/* tb-recorder-typed.h: a function for each kind of event that adds one to a recorder, for languages
 * in which TbEvent is hard to use
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#pragma once

#include "session/recorder/tb-recorder.h"

G_BEGIN_DECLS

/* Texts are interned, and nothing needs to stay valid after a call. All events belong to the host
 * that was chosen last. */
TB_EXPORT void tb_recorder_choose_host (TbRecorder *self, guint32 host);
TB_EXPORT void
tb_recorder_choose_chain (TbRecorder *self, const guint64 *addresses, guint n_addresses);

/* Any event, with copies of the arrays that TbEvent refers to. */
TB_EXPORT void tb_recorder_add_copy (TbRecorder *self,
                                     const TbEvent *event,
                                     const guint64 *chain,
                                     guint n_chain,
                                     const guint64 *args,
                                     guint n_args);

TB_EXPORT void tb_recorder_add_switch (TbRecorder *self,
                                       gint64 time,
                                       guint16 cpu,
                                       gint32 prev_tid,
                                       gint32 prev_pid,
                                       const char *prev_state,
                                       gint32 next_tid,
                                       gint32 next_pid,
                                       guint32 stack);
TB_EXPORT void tb_recorder_add_wakeup (TbRecorder *self,
                                       gint64 time,
                                       guint16 cpu,
                                       gint32 waker_tid,
                                       gint32 waker_pid,
                                       gint32 wakee_tid,
                                       TbWakeupFlags flags,
                                       guint32 stack);
TB_EXPORT void tb_recorder_add_fork (TbRecorder *self,
                                     gint64 time,
                                     guint16 cpu,
                                     gint32 tid,
                                     gint32 pid,
                                     gint32 new_tid,
                                     gint32 new_pid,
                                     guint32 stack);
TB_EXPORT void tb_recorder_add_exit (TbRecorder *self,
                                     gint64 time,
                                     guint16 cpu,
                                     gint32 tid,
                                     gint32 pid,
                                     guint32 stack);
TB_EXPORT void
tb_recorder_add_name (TbRecorder *self, gint64 time, gint32 tid, gint32 pid, const char *name);
TB_EXPORT void
tb_recorder_add_process_name (TbRecorder *self, gint64 time, gint32 pid, const char *name);
TB_EXPORT void tb_recorder_add_existing (TbRecorder *self,
                                         gint64 time,
                                         gint32 tid,
                                         gint32 pid,
                                         gint32 parent_pid,
                                         const char *name);
TB_EXPORT void
tb_recorder_add_command (TbRecorder *self, gint64 time, gint32 pid, const char *command);
TB_EXPORT void tb_recorder_add_exec (TbRecorder *self,
                                     gint64 time,
                                     guint16 cpu,
                                     gint32 tid,
                                     gint32 pid,
                                     const char *program,
                                     gint32 old_tid,
                                     guint32 stack);
TB_EXPORT void tb_recorder_add_mapping (TbRecorder *self,
                                        gint64 time,
                                        gint32 pid,
                                        guint64 start,
                                        guint64 length,
                                        guint64 offset,
                                        guint32 module);
TB_EXPORT void tb_recorder_add_sample (TbRecorder *self,
                                       gint64 time,
                                       guint16 cpu,
                                       gint32 tid,
                                       gint32 pid,
                                       guint64 weight,
                                       guint32 stack);
TB_EXPORT void tb_recorder_add_counter (TbRecorder *self,
                                        gint64 time,
                                        guint16 cpu,
                                        gint32 tid,
                                        gint32 pid,
                                        TbCounterKind kind,
                                        const char *counter,
                                        guint64 weight,
                                        guint32 stack);
TB_EXPORT void tb_recorder_add_interrupt_entry (TbRecorder *self,
                                                gint64 time,
                                                guint16 cpu,
                                                guint irq,
                                                TbInterruptKind kind,
                                                const char *handler,
                                                guint32 device);
TB_EXPORT void tb_recorder_add_interrupt_exit (TbRecorder *self,
                                               gint64 time,
                                               guint16 cpu,
                                               guint irq,
                                               TbInterruptKind kind);
TB_EXPORT void
tb_recorder_add_softirq_entry (TbRecorder *self, gint64 time, guint16 cpu, TbSoftirqVector vector);
TB_EXPORT void
tb_recorder_add_softirq_exit (TbRecorder *self, gint64 time, guint16 cpu, TbSoftirqVector vector);
TB_EXPORT void tb_recorder_add_block_insert (TbRecorder *self,
                                             gint64 time,
                                             guint16 cpu,
                                             gint32 tid,
                                             gint32 pid,
                                             guint32 device,
                                             guint64 sector,
                                             guint64 bytes,
                                             const char *operation,
                                             const char *file,
                                             guint32 stack);
TB_EXPORT void tb_recorder_add_block_issue (TbRecorder *self,
                                            gint64 time,
                                            guint16 cpu,
                                            gint32 tid,
                                            gint32 pid,
                                            guint32 device,
                                            guint64 sector,
                                            guint64 bytes,
                                            const char *operation,
                                            const char *file,
                                            guint32 stack);
TB_EXPORT void tb_recorder_add_block_complete (TbRecorder *self,
                                               gint64 time,
                                               guint16 cpu,
                                               gint32 tid,
                                               gint32 pid,
                                               guint32 device,
                                               guint64 sector,
                                               guint64 bytes,
                                               const char *operation,
                                               const char *file,
                                               guint32 stack);
TB_EXPORT void tb_recorder_add_network (TbRecorder *self,
                                        gint64 time,
                                        guint16 cpu,
                                        TbNetworkEvent kind,
                                        gint32 tid,
                                        gint32 pid,
                                        guint64 socket,
                                        guint64 bytes,
                                        const char *protocol,
                                        const char *local,
                                        const char *remote,
                                        guint32 stack);
TB_EXPORT void tb_recorder_add_syscall_enter (TbRecorder *self,
                                              gint64 time,
                                              guint16 cpu,
                                              gint32 tid,
                                              gint32 pid,
                                              const char *name,
                                              const guint64 *args,
                                              guint n_args,
                                              guint32 stack);
TB_EXPORT void tb_recorder_add_syscall_exit (TbRecorder *self,
                                             gint64 time,
                                             guint16 cpu,
                                             gint32 tid,
                                             gint32 pid,
                                             const char *name,
                                             gint64 result);
TB_EXPORT void tb_recorder_add_whole_syscall (TbRecorder *self,
                                              gint64 time,
                                              gint64 entered,
                                              guint16 cpu,
                                              gint32 tid,
                                              gint32 pid,
                                              const char *name,
                                              const guint64 *args,
                                              guint n_args,
                                              gint64 result,
                                              guint32 stack);
TB_EXPORT void tb_recorder_add_call (TbRecorder *self,
                                     gint64 time,
                                     guint16 cpu,
                                     gint32 tid,
                                     gint32 pid,
                                     const char *function,
                                     guint64 return_address,
                                     guint32 stack);
TB_EXPORT void tb_recorder_add_return (TbRecorder *self,
                                       gint64 time,
                                       guint16 cpu,
                                       gint32 tid,
                                       gint32 pid,
                                       const char *function);
TB_EXPORT void tb_recorder_add_spin_begin (TbRecorder *self,
                                           gint64 time,
                                           guint16 cpu,
                                           gint32 tid,
                                           gint32 pid,
                                           const char *lock,
                                           guint32 stack);
TB_EXPORT void tb_recorder_add_spin_end (TbRecorder *self,
                                         gint64 time,
                                         guint16 cpu,
                                         gint32 tid,
                                         gint32 pid,
                                         const char *lock,
                                         gint32 releaser_tid,
                                         guint32 stack);
TB_EXPORT void tb_recorder_add_false_wakeup (TbRecorder *self,
                                             gint64 time,
                                             guint16 cpu,
                                             gint32 tid,
                                             gint32 pid,
                                             guint32 stack);
TB_EXPORT void tb_recorder_add_mark (TbRecorder *self,
                                     gint64 time,
                                     guint16 cpu,
                                     gint32 tid,
                                     gint32 pid,
                                     const char *name,
                                     const char *value,
                                     guint32 stack);
TB_EXPORT void
tb_recorder_add_lost (TbRecorder *self, gint64 from, gint64 to, guint16 cpu, guint64 count);
TB_EXPORT void tb_recorder_add_sleep (TbRecorder *self,
                                      gint64 time,
                                      gint32 tid,
                                      gint32 pid,
                                      TbSleepKind kind,
                                      const char *call,
                                      const char *object,
                                      guint64 address,
                                      gint64 timeout);
TB_EXPORT void tb_recorder_add_file_lock (TbRecorder *self,
                                          gint64 time,
                                          gint32 tid,
                                          gint32 pid,
                                          TbFileLockCall call,
                                          TbFileLockMode mode,
                                          TbFileLockResult result,
                                          const char *file,
                                          guint64 owner,
                                          guint64 from,
                                          guint64 to);

G_END_DECLS
