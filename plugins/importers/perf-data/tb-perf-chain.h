/* tb-perf-chain.h: call stacks of samples, set in their events: joined with user parts that were
 * recorded later, marked where the kernel cut them at its limit of length; warnings about stacks
 * that are not whole
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#pragma once

#include "tb-perf-import-private.h"

G_BEGIN_DECLS

/* Modes of the CPU in the header of a record. */
#define TB_PERF_MODE_MASK 7
#define TB_PERF_MODE_KERNEL 1
#define TB_PERF_MODE_HYPERVISOR 3
#define TB_PERF_MODE_GUEST_KERNEL 4

/* Limit of the stacks of perf record --off-cpu. */
#define TB_PERF_WAITS_LIMIT 32

/* Sets the limit of each event's stacks, and prepares for user parts that were recorded later. */
void tb_perf_chains_prepare (TbPerfImport *self);

/* Adds warnings about stacks that are not whole; called after the last event. */
void tb_perf_chains_warn (TbPerfImport *self);

/* Sets the call stack of an event. */
void tb_perf_chain_set (TbPerfImport *self,
                        TbPerfAttr *attr,
                        const TbPerfSample *sample,
                        TbEvent *event);
/* Sets the call stack of an event that has only the address of its instruction. mode: of the CPU */
void tb_perf_chain_set_address (TbPerfImport *self, guint64 address, guint mode, TbEvent *event);

/* tb-perf-deferred.c: user parts of call stacks, which the kernel recorded when the thread returned
 * to its program */
TbPerfDeferred *tb_perf_deferred_new (void);
void tb_perf_deferred_free (TbPerfDeferred *self);
/* Adds such a record. tid: 0 if it has none */
void tb_perf_deferred_add (TbPerfDeferred *self,
                           const guint8 *record,
                           gsize size,
                           gint64 time,
                           gint32 tid,
                           gboolean swap);
/* Returns the record with this number of the thread, the first at this time or later; NULL: none */
const guint8 *tb_perf_deferred_find (TbPerfDeferred *self, guint64 cookie, gint32 tid, gint64 time);

G_END_DECLS
