/* tb-facts.h: facts about a whole recording (events, CPUs, lost or broken data), gathered in a
 * thread, as sentences and warnings
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#pragma once

#include "trace/tb-trace.h"

G_BEGIN_DECLS

typedef struct _TbFacts TbFacts;

void tb_facts_gather_async (TbTrace *trace,
                            GCancellable *cancellable,
                            GAsyncReadyCallback callback,
                            gpointer data);
TbFacts *tb_facts_gather_finish (GAsyncResult *result, GError **error);
void tb_facts_free (TbFacts *self);
G_DEFINE_AUTOPTR_CLEANUP_FUNC (TbFacts, tb_facts_free)

char *tb_facts_describe (const TbFacts *self, TbTrace *trace);
char *tb_facts_describe_extent (TbSession *session, gint64 selected);
char **tb_facts_list_warnings (TbTrace *trace);
const char *const *tb_facts_list_symbols (const TbFacts *self);
char *tb_facts_name_place (TbTrace *trace, guint32 thread, gint64 from, gint64 to);
char *tb_facts_name_range (TbSession *session, gint64 from, gint64 to);
char *tb_facts_name_thread (TbSession *session, guint32 thread);

G_END_DECLS
