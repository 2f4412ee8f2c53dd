/* tb-recording-facts.h: facts about a whole recording: shares of complete stacks and of named
 * addresses, and files without names, all found in a thread; sentences with these, duration, events
 * and CPUs; warnings; names of ranges, threads and places
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#pragma once

#include "trace/tb-trace.h"

G_BEGIN_DECLS

typedef struct _TbRecordingFacts TbRecordingFacts;

void tb_recording_facts_gather_async (TbTrace *trace,
                                      GCancellable *cancellable,
                                      GAsyncReadyCallback callback,
                                      gpointer data);
TbRecordingFacts *tb_recording_facts_gather_finish (GAsyncResult *result, GError **error);
void tb_recording_facts_free (TbRecordingFacts *self);
G_DEFINE_AUTOPTR_CLEANUP_FUNC (TbRecordingFacts, tb_recording_facts_free)

char *tb_recording_facts_describe (const TbRecordingFacts *self, TbTrace *trace);
char *tb_recording_facts_describe_extent (TbSession *session, gint64 selected);
char **tb_recording_facts_list_warnings (TbTrace *trace);
const char *const *tb_recording_facts_list_symbols (const TbRecordingFacts *self);
char *tb_recording_facts_name_place (TbTrace *trace, guint32 thread, gint64 from, gint64 to);
char *tb_recording_facts_name_range (TbSession *session, gint64 from, gint64 to);
char *tb_recording_facts_name_thread (TbSession *session, guint32 thread);

G_END_DECLS
