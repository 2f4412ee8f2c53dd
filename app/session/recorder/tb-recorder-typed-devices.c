/* tb-recorder-typed-devices.c: functions that add one event each to a recorder: of interrupts,
 * block devices and sockets
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#include "config.h"

#include "session/recorder/tb-recorder-private.h"
#include "session/recorder/tb-recorder-typed.h"

/**
 * tb_recorder_add_interrupt_entry:
 * @self: a recorder
 * @time: time of the event, ns
 * @cpu: CPU of the host
 * @irq: its number
 * @kind: %TB_INTERRUPT_HARD, %TB_INTERRUPT_TIMER or %TB_INTERRUPT_NMI
 * @handler: (nullable): name of its handler
 * @device: its device, of [method@Recorder.intern_device], or %TB_ID_NONE
 *
 * Adds the beginning of an interrupt.
 */
void
tb_recorder_add_interrupt_entry (TbRecorder *self,
                                 gint64 time,
                                 guint16 cpu,
                                 guint irq,
                                 TbInterruptKind kind,
                                 const char *handler,
                                 guint32 device)
{
  TbEvent event;

  g_return_if_fail (TB_IS_RECORDER (self));

  event = (TbEvent) {
    .time = time,
    .kind = TB_EVENT_IRQ_ENTRY,
    .cpu = cpu,
    .tid = -1,
    .pid = -1,
    .a = irq,
    .code = (guint8) kind,
    .text = tb_recorder_intern_text (self, handler),
    .device = device,
  };
  tb_recorder_add_typed (self, &event);
}

/**
 * tb_recorder_add_interrupt_exit:
 * @self: a recorder
 * @time: time of the event, ns
 * @cpu: CPU of the host
 * @irq: its number
 * @kind: as at its beginning
 *
 * Adds the end of an interrupt.
 */
void
tb_recorder_add_interrupt_exit (TbRecorder *self,
                                gint64 time,
                                guint16 cpu,
                                guint irq,
                                TbInterruptKind kind)
{
  TbEvent event;

  g_return_if_fail (TB_IS_RECORDER (self));

  event = (TbEvent) {
    .time = time,
    .kind = TB_EVENT_IRQ_EXIT,
    .cpu = cpu,
    .tid = -1,
    .pid = -1,
    .a = irq,
    .code = (guint8) kind,
    .device = TB_ID_NONE,
  };
  tb_recorder_add_typed (self, &event);
}

/**
 * tb_recorder_add_softirq_entry:
 * @self: a recorder
 * @time: time of the event, ns
 * @cpu: CPU of the host
 * @vector: its vector
 *
 * Adds the beginning of a softirq.
 */
void
tb_recorder_add_softirq_entry (TbRecorder *self, gint64 time, guint16 cpu, TbSoftirqVector vector)
{
  TbEvent event;

  g_return_if_fail (TB_IS_RECORDER (self));

  event = (TbEvent) {
    .time = time,
    .kind = TB_EVENT_SOFTIRQ_ENTRY,
    .cpu = cpu,
    .tid = -1,
    .pid = -1,
    .a = vector,
    .device = TB_ID_NONE,
  };
  tb_recorder_add_typed (self, &event);
}

/**
 * tb_recorder_add_softirq_exit:
 * @self: a recorder
 * @time: time of the event, ns
 * @cpu: CPU of the host
 * @vector: its vector
 *
 * Adds the end of a softirq.
 */
void
tb_recorder_add_softirq_exit (TbRecorder *self, gint64 time, guint16 cpu, TbSoftirqVector vector)
{
  TbEvent event;

  g_return_if_fail (TB_IS_RECORDER (self));

  event = (TbEvent) {
    .time = time,
    .kind = TB_EVENT_SOFTIRQ_EXIT,
    .cpu = cpu,
    .tid = -1,
    .pid = -1,
    .a = vector,
    .device = TB_ID_NONE,
  };
  tb_recorder_add_typed (self, &event);
}

/**
 * tb_recorder_add_block_insert:
 * @self: a recorder
 * @time: time of the event, ns
 * @cpu: CPU of the host
 * @tid: the thread that ran; −1: unknown
 * @pid: its process; −1: unknown
 * @device: the device, of [method@Recorder.intern_device]
 * @sector: first sector; %G_MAXUINT64: unknown
 * @bytes: length
 * @operation: (nullable): letters of the kernel, such as "R", "WS"
 * @file: (nullable): path of the file; %NULL: unknown
 * @stack: its call stack, of [method@Recorder.intern_stack]; 0: unknown
 *
 * Adds the queueing of a block I/O request.
 */
void
tb_recorder_add_block_insert (TbRecorder *self,
                              gint64 time,
                              guint16 cpu,
                              gint32 tid,
                              gint32 pid,
                              guint32 device,
                              guint64 sector,
                              guint64 bytes,
                              const char *operation,
                              const char *file,
                              guint32 stack)
{
  TbEvent event;

  g_return_if_fail (TB_IS_RECORDER (self));

  event = (TbEvent) {
    .time = time,
    .kind = TB_EVENT_IO_INSERT,
    .cpu = cpu,
    .tid = tid,
    .pid = pid,
    .device = device,
    .a = sector,
    .b = bytes,
    .text = tb_recorder_intern_text (self, operation),
    .text2 = tb_recorder_intern_text (self, file),
    .stack = stack,
  };
  tb_recorder_add_typed (self, &event);
}

/**
 * tb_recorder_add_block_issue:
 * @self: a recorder
 * @time: time of the event, ns
 * @cpu: CPU of the host
 * @tid: the thread that ran; −1: unknown
 * @pid: its process; −1: unknown
 * @device: the device, of [method@Recorder.intern_device]
 * @sector: first sector; %G_MAXUINT64: unknown
 * @bytes: length
 * @operation: (nullable): letters of the kernel, such as "R", "WS"
 * @file: (nullable): path of the file; %NULL: unknown
 * @stack: its call stack, of [method@Recorder.intern_stack]; 0: unknown
 *
 * Adds the start of a block I/O request by its device.
 */
void
tb_recorder_add_block_issue (TbRecorder *self,
                             gint64 time,
                             guint16 cpu,
                             gint32 tid,
                             gint32 pid,
                             guint32 device,
                             guint64 sector,
                             guint64 bytes,
                             const char *operation,
                             const char *file,
                             guint32 stack)
{
  TbEvent event;

  g_return_if_fail (TB_IS_RECORDER (self));

  event = (TbEvent) {
    .time = time,
    .kind = TB_EVENT_IO_ISSUE,
    .cpu = cpu,
    .tid = tid,
    .pid = pid,
    .device = device,
    .a = sector,
    .b = bytes,
    .text = tb_recorder_intern_text (self, operation),
    .text2 = tb_recorder_intern_text (self, file),
    .stack = stack,
  };
  tb_recorder_add_typed (self, &event);
}

/**
 * tb_recorder_add_block_complete:
 * @self: a recorder
 * @time: time of the event, ns
 * @cpu: CPU of the host
 * @tid: the thread that ran; −1: unknown
 * @pid: its process; −1: unknown
 * @device: the device, of [method@Recorder.intern_device]
 * @sector: first sector; %G_MAXUINT64: unknown
 * @bytes: length
 * @operation: (nullable): letters of the kernel, such as "R", "WS"
 * @file: (nullable): path of the file; %NULL: unknown
 * @stack: its call stack, of [method@Recorder.intern_stack]; 0: unknown
 *
 * Adds the end of a block I/O request.
 */
void
tb_recorder_add_block_complete (TbRecorder *self,
                                gint64 time,
                                guint16 cpu,
                                gint32 tid,
                                gint32 pid,
                                guint32 device,
                                guint64 sector,
                                guint64 bytes,
                                const char *operation,
                                const char *file,
                                guint32 stack)
{
  TbEvent event;

  g_return_if_fail (TB_IS_RECORDER (self));

  event = (TbEvent) {
    .time = time,
    .kind = TB_EVENT_IO_COMPLETE,
    .cpu = cpu,
    .tid = tid,
    .pid = pid,
    .device = device,
    .a = sector,
    .b = bytes,
    .text = tb_recorder_intern_text (self, operation),
    .text2 = tb_recorder_intern_text (self, file),
    .stack = stack,
  };
  tb_recorder_add_typed (self, &event);
}

/**
 * tb_recorder_add_network:
 * @self: a recorder
 * @time: time of the event, ns
 * @cpu: CPU of the host
 * @kind: what happened
 * @tid: the thread that ran; −1: unknown
 * @pid: its process; −1: unknown
 * @socket: any number that identifies the socket
 * @bytes: length of the message
 * @protocol: (nullable): "tcp", "udp"…
 * @local: (nullable): local HOST:PORT
 * @remote: (nullable): remote HOST:PORT
 * @stack: its call stack, of [method@Recorder.intern_stack]; 0: unknown
 *
 * Adds an event of a socket.
 */
void
tb_recorder_add_network (TbRecorder *self,
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
                         guint32 stack)
{
  TbEvent event;

  g_return_if_fail (TB_IS_RECORDER (self));
  g_return_if_fail ((guint) kind <= TB_NETWORK_ACCEPT);

  event = (TbEvent) {
    .time = time,
    .kind = (guint8) (TB_EVENT_NET_SEND + kind - TB_NETWORK_SEND),
    .cpu = cpu,
    .tid = tid,
    .pid = pid,
    .a = socket,
    .b = bytes,
    .text = tb_recorder_intern_text (self, protocol),
    .text3 = tb_recorder_intern_text (self, local),
    .text2 = tb_recorder_intern_text (self, remote),
    .stack = stack,
  };
  tb_recorder_add_typed (self, &event);
}
