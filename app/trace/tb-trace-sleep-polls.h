/* tb-trace-sleep-polls.h: polling by sleeping: deliberate sleeps between attempts at something that
 * is not possible yet, such as a lock of a file that another process has
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#pragma once

#include "trace/tb-trace.h"

G_BEGIN_DECLS

/**
 * TbSleepPoll:
 * @thread: the thread that sleeps
 * @call: the system call that it tries between the sleeps
 * @error: error number with which the call fails; 0: it has nothing to return yet
 * @object: string: the file that the call is for; %TB_STRING_NONE if unknown
 * @n_sleeps: number of sleeps
 * @sleep_ns: sum of their lengths
 * @n_attempts: number of failed calls
 * @from: start of the first sleep
 * @to: end of the last one
 * @longest: row of the longest sleep
 * @holder: the thread that had the object for most of the time; %TB_ID_NONE if unknown
 * @holder_ns: length of the sleeps during which @holder had it
 * @held_ns: length of the sleeps during which it is known which thread had it
 *
 * Sleeps of a thread, each of them between a failed attempt and the next attempt at the same.
 */
typedef struct
{
  guint32 thread;
  const char *call;
  gint64 error;
  guint32 object;
  guint64 n_sleeps;
  gint64 sleep_ns;
  guint64 n_attempts;
  gint64 from;
  gint64 to;
  gsize longest;
  guint32 holder;
  gint64 holder_ns;
  gint64 held_ns;
} TbSleepPoll;

/**
 * TbHeldSleep:
 * @row: row of a sleep
 * @holder: the thread that had what the sleeping thread polls for; %TB_ID_NONE if unknown
 * @file: string: the file of which it polls for the lock; %TB_STRING_NONE: it polls for something
 *   else
 *
 * A sleep in polling by sleeping: for the lock of a file, or for what another thread is known to
 * have.
 */
typedef struct
{
  gsize row;
  guint32 holder;
  guint32 file;
} TbHeldSleep;

TB_EXPORT GArray *tb_trace_find_held_sleeps (TbTrace *self, GCancellable *cancellable);
TB_EXPORT GArray *
tb_trace_find_sleep_polls (TbTrace *self, gint64 from, gint64 to, GCancellable *cancellable);
TB_EXPORT char *tb_errno_get_name (gint64 error);

G_END_DECLS
