/* tb-cause-chain.h: search in a trace for the causes of a wait, waker by waker, with the activity
 * of each during the wait (shown by tb-details-pane)
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#pragma once

#include "trace/tb-trace.h"

G_BEGIN_DECLS

/**
 * TbCause:
 * @depth: number of wake-ups between the cause and the wait
 * @thread: the thread, %TB_ID_NONE for devices and interrupts
 * @title: name of the thread, device or interrupt
 * @text: its activity during the wait
 * @duration: duration of the activity, ns
 * @from: start of the longest stretch of the activity
 * @to: end of that stretch
 * @uncertain: whether events were lost in that stretch
 */
typedef struct
{
  guint depth;
  guint32 thread;
  char *title;
  char *text;
  gint64 duration;
  gint64 from;
  gint64 to;
  gboolean uncertain;
} TbCause;

GPtrArray *tb_cause_chain_follow (TbTrace *trace, gsize interval, GCancellable *cancellable);

G_END_DECLS
