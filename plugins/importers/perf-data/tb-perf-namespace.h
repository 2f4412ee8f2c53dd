/* tb-perf-namespace.h: the two IDs (in the container and on the host) of each thread in a perf.data
 * file that was recorded inside a container: detection, matching, look-up, facts and warnings
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#pragma once

#include "session/schema/tb-event.h"
#include "tb-perf-attr.h"
#include "tb-perf-import.h"

G_BEGIN_DECLS

typedef struct _TbPerfNamespace TbPerfNamespace;

TbPerfNamespace *tb_perf_namespace_new (TbPerfImport *import);
void tb_perf_namespace_free (TbPerfNamespace *self);

/* Looks for signs of a container in the records that wait, which are sorted by time. Sets
 * is_container of the import if there are any; nothing else may be called before that. */
void tb_perf_namespace_detect (TbPerfNamespace *self);
/* Joins the IDs of the threads in the records that wait. All records should wait by then: a thread
 * may be woken before it has an event of its own. */
void tb_perf_namespace_learn (TbPerfNamespace *self);
/* Whether the IDs were joined. Otherwise they contradict each other, and it is not known which
 * thread a tracepoint's fields are about. */
gboolean tb_perf_namespace_is_joined (const TbPerfNamespace *self);
/* Whether tracepoints show the threads outside of the container, too. */
gboolean tb_perf_namespace_has_outside (const TbPerfNamespace *self);

/* Returns the ID in the session of the thread that has an ID of the host at a time. Must be called
 * in the order of time. */
gint32 tb_perf_namespace_find (TbPerfNamespace *self, gint32 host, gint64 time);
/* Sets the thread of a sample. Returns FALSE if it is not known. */
gboolean tb_perf_namespace_set_task (TbPerfNamespace *self,
                                     const TbPerfAttr *attr,
                                     const TbPerfSample *sample,
                                     TbEvent *event);
/* The CPU switched to a thread with that ID of the host. */
void tb_perf_namespace_set_running (TbPerfNamespace *self, guint16 cpu, gint32 host);
/* Events were lost. */
void tb_perf_namespace_forget_running (TbPerfNamespace *self);

/* Adds the facts and warnings about the container. */
void tb_perf_namespace_end (TbPerfNamespace *self);

G_END_DECLS
