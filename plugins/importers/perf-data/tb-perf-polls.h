/* tb-perf-polls.h: sets of descriptors that threads wait for with epoll, as the system calls in a
 * perf.data file make them; each wait for a known set becomes a sleep record with its members
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#pragma once

#include "session/recorder/tb-recorder.h"

G_BEGIN_DECLS

typedef struct _TbPerfPolls TbPerfPolls;

/* The number of a system call that changes or uses descriptors that are followed; 0: another
 * call */
guint8 tb_perf_polls_find_call (const char *name);

TbPerfPolls *tb_perf_polls_new (TbRecorder *recorder);
void tb_perf_polls_free (TbPerfPolls *self);

/* The recording has the ends of a call, or of all calls. Calls without are ignored. */
void tb_perf_polls_set_has_leave (TbPerfPolls *self, guint8 call);
void tb_perf_polls_set_has_all_leaves (TbPerfPolls *self);

/* A thread enters a system call, or leaves it. call: its number from tb_perf_polls_find_call() */
void tb_perf_polls_enter (TbPerfPolls *self, guint8 call, const TbEvent *event);
void tb_perf_polls_leave (TbPerfPolls *self, guint8 call, const TbEvent *event);

/* A thread leaves its CPU to sleep. Adds what it waits for, if that is known. */
void tb_perf_polls_add_sleep (TbPerfPolls *self, const TbEvent *leave);

/* A process executes another program, or ends. */
void tb_perf_polls_forget_process (TbPerfPolls *self, gint32 pid);
/* Events were lost: any descriptor may have been closed and opened again. */
void tb_perf_polls_forget (TbPerfPolls *self);

G_END_DECLS
