/* tb-threads-programs.h: names and descriptions of threads that executed several programs one after
 * another; the row of the summary for the program at a time; JSON list of a thread's programs
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#pragma once

#include "tb-threads-summary.h"

G_BEGIN_DECLS

/* What a thread or its process was in a row. "" if it is unknown. */
const char *tb_threads_get_name (TbThreadsSummary *self, const TbThreadSummary *row);
const char *tb_threads_get_process_name (TbThreadsSummary *self, const TbThreadSummary *row);
/* Likewise, in a sentence, a heading or a cell: "thread 812" if it is unknown. */
const char *tb_threads_get_shown_name (TbThreadsSummary *self, const TbThreadSummary *row);
const char *tb_threads_get_shown_process_name (TbThreadsSummary *self, const TbThreadSummary *row);
/* "authhelper (812)" */
char *tb_threads_describe (TbThreadsSummary *self, const TbThreadSummary *row);
/* Any thread, with all programs that it was in the range: "auth → authhelper (812)". */
char *tb_threads_describe_thread (TbThreadsSummary *self, guint32 thread);
/* What ended waits, likewise. */
char *tb_threads_describe_waker (TbThreadsSummary *self, const TbWaker *waker);

/* The row of a thread at a time: the thread itself, unless it was several programs. */
TbThreadSummary *tb_threads_find_row (const TbThreadSummary *thread, gint64 time);

/* The member “programs” of a thread. */
void tb_threads_add_programs_json (TbThreadsSummary *self,
                                   const TbThreadSummary *thread,
                                   JsonBuilder *builder);

G_END_DECLS
