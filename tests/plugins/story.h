/* story.h: recordings that tests write event by event, as lines of the plain-text format
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#pragma once

#include "recording.h"

G_BEGIN_DECLS

/* Lines without the header. Times in µs. A stack lists functions, outermost first: "main;read". */
typedef GString Story;

/* names: of the threads 11, 12, … of the process 10 "app", separated by spaces; NULL: none. */
Story *story_new (const char *names);
/* Lines that the exporter writes. */
Story *story_new_from_trace (TbTrace *trace);

void story_name (Story *story, gint32 tid, const char *name, gint32 pid);
void story_fork (Story *story, gint64 us, int cpu, gint32 creator, gint32 child);
void story_exec (Story *story, gint64 us, int cpu, gint32 tid, const char *program);
void story_exit (Story *story, gint64 us, int cpu, gint32 tid);
/* The thread exits, and its CPU becomes idle. */
void story_end (Story *story, gint64 us, int cpu, gint32 tid);
void story_switch (Story *story, gint64 us, int cpu, gint32 prev, const char *state, gint32 next);
void story_switch_with_stack (Story *story,
                              gint64 us,
                              int cpu,
                              gint32 prev,
                              const char *state,
                              gint32 next,
                              const char *stack);
void story_wake (Story *story, gint64 us, int cpu, gint32 waker, gint32 wakee);
/* A softirq that interrupts the waker wakes a thread. vector: 1 timer, 3 network, 6 and others
 * unknown */
void
story_wake_in_softirq (Story *story, gint64 us, int cpu, gint32 waker, gint32 wakee, int vector);
/* The timer interrupt of a CPU wakes a thread. */
void story_wake_by_timer (Story *story, gint64 us, int cpu, gint32 tid);
/* An interrupt of that device wakes a thread. */
void story_wake_by_device (Story *story, gint64 us, int cpu, const char *device, gint32 tid);
/* The thread of a CPU sleeps, and continues there when another thread wakes it. */
void story_sleep (Story *story,
                  gint64 from,
                  gint64 to,
                  int cpu,
                  gint32 tid,
                  int waker_cpu,
                  gint32 waker);
/* The thread of a CPU sleeps there until a softirq wakes it, and continues at the time `on`. */
void story_sleep_until (Story *story,
                        gint64 from,
                        gint64 woken,
                        gint64 on,
                        int cpu,
                        gint32 tid,
                        int vector,
                        const char *stack);
/* The thread sleeps for a lock until its holder releases it. Each thread has a CPU of its own: its
 * TID minus 11. */
void story_wait_for_lock (Story *story,
                          gint64 from,
                          gint64 to,
                          gint32 tid,
                          gint32 holder,
                          guint address,
                          const char *stack);
/* Request to the disk "vda", inserted and issued on a CPU, where its completion is reported. */
void story_request (Story *story,
                    gint64 inserted,
                    gint64 issued,
                    gint64 completed,
                    int cpu,
                    gint32 tid,
                    int bytes,
                    int sector);
/* Request to the disk "vda", of which CPU 3 reports the completion. */
void story_write (Story *story, gint64 from, gint64 to, int cpu, gint32 tid, int bytes);
void story_sample (Story *story, gint64 us, int cpu, gint32 tid, const char *stack);
/* Begin and end of a system call. */
void story_enter (Story *story, gint64 us, int cpu, gint32 tid, const char *name);
void story_leave (Story *story, gint64 us, int cpu, gint32 tid);
/* Begin and end of a function. */
void story_call (Story *story, gint64 us, int cpu, gint32 tid, const char *name);
void story_return (Story *story, gint64 us, int cpu, gint32 tid, const char *name);
/* An interrupt of that device, from its begin to its end. */
void story_interrupt (Story *story, gint64 from, gint64 to, int cpu, const char *device);
/* Adds any other line; format: the line after its time. */
void story_add (Story *story, gint64 us, const char *format, ...) G_GNUC_PRINTF (3, 4);
/* Same as story_add(), with a time in ns. */
void story_add_at (Story *story, gint64 ns, const char *format, ...) G_GNUC_PRINTF (3, 4);
void story_add_at_valist (Story *story, gint64 ns, const char *format, va_list arguments)
    G_GNUC_PRINTF (3, 0);

/* These free the story and open the recording, whose name is "story" if none is given. Lines are
 * sorted by time; those of the same time stay in the order in which they were added. Traces of an
 * earlier recording of that name stay valid. */
TbTrace *story_open (Story *story);
TbTrace *story_open_as (Story *story, const char *name);

/* Opens the recording of these lines. */
TbTrace *story_open_lines (const char *name, const char *lines);
/* Opens the recording of a file in the folder of the tests: "fixtures/events/pipes.csv". */
TbTrace *story_open_file (const char *name);
/* Opens the recording of any file of that format. */
TbTrace *story_open_path (const char *name, const char *path);

G_END_DECLS
