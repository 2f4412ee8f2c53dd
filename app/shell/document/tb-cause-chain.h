/* tb-cause-chain.h: follows a wait to what it waited for, and what that waited for
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#pragma once

#include "trace/tb-trace.h"

G_BEGIN_DECLS

/**
 * TbCause:
 * @depth: how many wake-ups it is away from the wait
 * @thread: whose it is, %TB_ID_NONE for devices and the like
 * @title: who
 * @text: what it did meanwhile
 * @duration: for how long, ns
 * @from: start of the longest stretch of it
 * @to: its end
 * @uncertain: whether events are missing there
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

/**
 * TbCodeFrame:
 * @function: its name, or where it lies
 * @module: base name of its file
 */
typedef struct
{
  char *function;
  char *module;
} TbCodeFrame;

GPtrArray *tb_cause_chain_follow (TbTrace *trace, gsize interval, GCancellable *cancellable);
GPtrArray *tb_code_frames_list (TbTrace *trace, guint32 stack);
char *tb_interval_describe_title (TbTrace *trace, gsize interval);
char *tb_interval_describe (TbTrace *trace, gsize interval);

G_END_DECLS
