/* recording.h: recordings of tests: their temporary folder, and events added to a recorder
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#pragma once

#include "tailback.h"

G_BEGIN_DECLS

/* Runs the tests. Their recordings are in a temporary folder, which is removed afterwards. */
int recording_run_tests (void);
/* Returns a path in that folder. (transfer full) */
char *recording_make_path (const char *name);

/* Returns a recorder that writes NAME.tailback in that folder. A trace of an earlier recording of
 * that name stays valid. */
TbRecorder *recording_new (const char *name);
/* Finishes and frees the recorder, and opens what it recorded. */
TbTrace *recording_open (TbRecorder *recorder);
/* Finishes and frees the recorder, and opens the session only. */
TbSession *recording_open_session (TbRecorder *recorder);
TbTrace *recording_open_trace (TbSession *session);

/* Returns the number of the thread in the session. */
guint32 recording_find_thread (TbTrace *trace, gint32 tid);

/* Returns an event without process, device and further values. */
TbEvent recording_make_event (gint64 time, TbEventKind kind, guint16 cpu, gint32 tid);
/* The following add an event. Times in ns. */
void recording_name (TbRecorder *recorder, gint32 tid, const char *name, gint32 pid);
void recording_switch (TbRecorder *recorder,
                       gint64 time,
                       guint16 cpu,
                       gint32 prev,
                       char state,
                       gint32 next);
/* stack: ID of the recorder */
void recording_switch_with_stack (TbRecorder *recorder,
                                  gint64 time,
                                  guint16 cpu,
                                  gint32 prev,
                                  char state,
                                  gint32 next,
                                  guint32 stack);
void recording_wake (TbRecorder *recorder, gint64 time, guint16 cpu, gint32 waker, gint32 wakee);
/* A message is sent (TB_EVENT_NET_SEND) or received (TB_EVENT_NET_RECEIVE). */
void recording_message (TbRecorder *recorder,
                        gint64 time,
                        TbEventKind kind,
                        guint16 cpu,
                        gint32 tid,
                        guint64 socket,
                        const char *remote,
                        const char *local,
                        guint64 bytes);
/* The network softirq begins or ends. */
void recording_net_softirq (TbRecorder *recorder, gint64 time, TbEventKind kind, guint16 cpu);

G_END_DECLS
