/* trace-events.h: hand-written events for tests of the trace
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#pragma once

#include "trace/tb-trace-builder-private.h"

G_BEGIN_DECLS

/* Events are collected in columns, and the builder's input points to them. */
typedef struct _Events Events;

Events *events_new (gint64 from, gint64 to, guint n_threads);
void events_free (Events *self);
G_DEFINE_AUTOPTR_CLEANUP_FUNC (Events, events_free)

void
events_switch (Events *self, gint64 time, guint16 cpu, guint32 prev, char prev_state, guint32 next);
void
events_wakeup (Events *self, gint64 time, guint16 cpu, guint32 waker, guint32 wakee, guint8 flags);
void events_process (Events *self,
                     gint64 time,
                     guint16 cpu,
                     TbProcessEvent kind,
                     guint32 thread,
                     guint32 creator);
void events_sample (Events *self, gint64 time, guint16 cpu, guint32 thread);
void events_syscall (Events *self, gint64 enter, gint64 exit, guint32 thread, TbSyscallClass class);
void events_block (Events *self,
                   gint64 insert,
                   gint64 issue,
                   gint64 complete,
                   guint32 device,
                   guint32 thread,
                   guint16 cpu,
                   guint32 file);
void events_interrupt (Events *self,
                       gint64 enter,
                       gint64 exit,
                       guint16 cpu,
                       TbInterruptKind kind,
                       guint32 vector,
                       guint32 name,
                       guint32 device);
void events_network (Events *self,
                     gint64 time,
                     guint16 cpu,
                     TbNetworkEvent kind,
                     guint32 thread,
                     guint32 remote);
void events_mark (Events *self, gint64 time, TbMarkKind kind, guint32 thread, guint32 other);
void events_lost (Events *self, gint64 from, gint64 to, guint16 cpu, guint64 count);
void events_sleep (Events *self,
                   gint64 time,
                   guint32 thread,
                   TbSleepKind kind,
                   guint32 object,
                   gint64 timeout);
/* The switches were recorded of threads instead of CPUs. */
void events_set_thread_switches (Events *self);
/* Sets the order of simultaneous events. The array must live as long as the events. */
void events_set_order (Events *self, const TbSequenceEvent *simultaneous, gsize n);
void events_set_device_class (Events *self, guint32 device, TbDeviceClass class);
void events_set_thread_traits (Events *self, guint32 thread, TbThreadTraits traits);

const TbTraceInput *events_get_input (Events *self, gint64 grace);

/* Builds the trace and describes the states of a thread in one line: "?0-10 R10-20 S20-35<t3 q35-40
 * R40-100]". Letters stand for states (q runnable, p preempted, ? unknown). Then follow the kind of
 * wait (:lock), its object (=7), its waker (<t3 thread, <d0 device, <m timer, <i5 interrupt, <n7
 * network, <s4 signal, <? unknown), and flags (! uncertain, [ began before, ] still open). */
char *events_describe (Events *self, guint32 thread);
void events_build (Events *self, TbTraceOutput *output);
char *describe_thread (const TbTraceOutput *output, guint32 thread);

#define assert_life(events, thread, expected)                                                      \
  G_STMT_START                                                                                     \
  {                                                                                                \
    g_autofree char *described_ = events_describe (events, thread);                                \
    g_assert_cmpstr (described_, ==, expected);                                                    \
  }                                                                                                \
  G_STMT_END

G_END_DECLS
