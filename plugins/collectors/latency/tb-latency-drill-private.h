/* tb-latency-drill-private.h: internal functions of a live drill-down, the search in a running
 * program from a slow function to the callees that make it slow, shared by the files that
 * implement it
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#pragma once

#include "tb-latency-drill.h"

G_BEGIN_DECLS

#define F0_GROUP 0
#define F0_NODE 0
#define TASK_UNINTERRUPTIBLE 2 /* include/linux/sched.h of the kernel */

/* tb-latency-functions.c */
TbLatencyFunction *tb_latency_drill_get_function (TbLatencyDrill *self,
                                                  TbLatencyImage *image,
                                                  const TbLatencySymbol *symbol);
const TbLatencyCode *tb_latency_function_get_code (TbLatencyFunction *function);
/* The function at an address of a process; NULL: unknown */
TbLatencyFunction *
tb_latency_drill_find_function (TbLatencyDrill *self, gint32 pid, guint64 address);
/* The same; place: the address in terms of the file */
TbLatencyFunction *
tb_latency_drill_find_place (TbLatencyDrill *self, gint32 pid, guint64 address, guint64 *place);
const char *tb_latency_get_call_name (guint64 number);
char *tb_latency_name_site (const TbLatencyFunction *function, const TbLatencySite *site);

/* tb-latency-kernel.c: kernel functions are requested, and available with the next answer. */
TbLatencyImage *tb_latency_drill_get_kernel (TbLatencyDrill *self);
void tb_latency_drill_read_kernel (TbLatencyDrill *self, const char *name);
void tb_latency_drill_read_callees (TbLatencyDrill *self, const TbLatencyFunction *function);
/* Requests the function that executes a system call. After the answer
 * tb_latency_drill_find_handler() returns it; NULL: unknown or not probeable. */
void tb_latency_drill_read_handler (TbLatencyDrill *self, guint64 number);
TbLatencyFunction *tb_latency_drill_find_handler (TbLatencyDrill *self, const TbLatencyNode *node);
void tb_latency_drill_take_code (TbLatencyDrill *self, const TbCaptureRecord *record);

/* tb-latency-drill.c: to be called with the lock held. Chooses the peak to examine, as given or as
 * the matching detected one. */
void tb_latency_drill_choose (TbLatencyDrill *self, TbPeakRange range);

/* tb-latency-messages.c */
gboolean tb_latency_drill_send (TbLatencyDrill *self, TbCaptureRecord *record, GError **error);
TbCaptureRecord tb_latency_make_probe (const TbLatencyFunction *function,
                                       guint group,
                                       TbCaptureLatencyProbeKind kind,
                                       guint64 address);
void tb_latency_drill_request_attach (TbLatencyDrill *self, guint32 group);
void tb_latency_drill_detach (TbLatencyDrill *self, guint32 group);
/* wanted: by site, NULL: all */
void tb_latency_drill_send_points (TbLatencyDrill *self,
                                   TbLatencyFunction *function,
                                   const guint8 *wanted);
void tb_latency_drill_send_node (TbLatencyDrill *self,
                                 guint32 id,
                                 guint32 flags,
                                 guint64 target,
                                 guint32 site);

/* tb-latency-phase.c */
void tb_latency_drill_send_phase (TbLatencyDrill *self);

/* tb-latency-clients.c */
gboolean tb_latency_drill_set_clients (TbLatencyDrill *self, JsonObject *state, GError **error);
void tb_latency_drill_send_clients (TbLatencyDrill *self);

/* tb-latency-slow-calls.c: single calls */
void tb_latency_drill_take_slow (TbLatencyDrill *self, const TbCaptureRecord *record);
/* (element-type TbLatencySlowCall *) (transfer container): the longest first */
GPtrArray *tb_latency_drill_list_slow (TbLatencyDrill *self);
/* Names of the nodes with most of the call's time: "serve → work → [waits]" */
char *tb_latency_drill_trace_slow (TbLatencyDrill *self, const TbLatencySlowCall *call);
/* Display name of a node */
const char *tb_latency_drill_name_node (const TbLatencyDrill *self, const TbLatencyNode *node);
void tb_latency_slow_describe (JsonBuilder *builder, TbLatencyDrill *self);

/* tb-latency-blocks.c: narrows root causes that are slow by themselves to their basic blocks */
gboolean tb_latency_drill_is_leaf (TbLatencyDrill *self, guint32 id);
/* TRUE: nothing is left to be narrowed, or the time limit is exceeded */
gboolean tb_latency_drill_narrow_leaves (TbLatencyDrill *self);
void tb_latency_drill_take_place (TbLatencyDrill *self, const TbCaptureLatencyAddress *place);
/* "many.c:88", for the block in which the node runs most; NULL: unknown. To be called after the
 * search. */
const char *tb_latency_drill_name_place (TbLatencyNode *node);
void tb_latency_places_describe (JsonBuilder *builder, const TbLatencyNode *node);

/* tb-latency-json.c */
const char *tb_latency_get_kind_name (TbLatencyKind kind);
/* (transfer full) (nullable): "f0+0x12", the call site of a node in its caller */
char *tb_latency_drill_describe_site (const TbLatencyDrill *self, const TbLatencyNode *node);
/* (transfer full) (nullable): the same in the format of stacks, see tb-peaks-saved-site.h;
 * build_id: (out) (transfer full) (nullable): that of the file. NULL for tail calls and in the
 * kernel, where another recording has no such place. */
char *tb_latency_drill_describe_place (const TbLatencyDrill *self,
                                       const TbLatencyNode *node,
                                       char **build_id);

/* tb-latency-resume.c: these have no effect unless an earlier search is resumed. */
gboolean tb_latency_drill_matches_saved (TbLatencyDrill *self);
void tb_latency_drill_get_saved_range (TbLatencyDrill *self, TbPeakRange *range);
/* Number of calls examined by the earlier search; the counters include them. */
guint64 tb_latency_drill_get_saved_calls (const TbLatencyDrill *self);
/* Whether another call site in the same function has the same callee */
gboolean tb_latency_drill_has_duplicate (TbLatencyDrill *self, const TbLatencyNode *node);
/* TRUE: the earlier search decided it, and that decision is applied. */
gboolean tb_latency_drill_apply_saved (TbLatencyDrill *self, guint32 id);
/* TRUE: it was a root cause in the earlier search. */
gboolean tb_latency_drill_apply_saved_callee (TbLatencyDrill *self, guint32 id);

/* tb-latency-next-step.c */
/* The node is a root cause: its parts are examined. */
void tb_latency_drill_take_next_step (TbLatencyDrill *self, guint32 id);

/* tb-latency-probe-removal.c */
/* Detaches the probes of a function's call sites that lead to no root cause. */
void tb_latency_drill_remove_unneeded_probes (TbLatencyDrill *self, TbLatencyFunction *function);

/* tb-latency-levels.c */
void tb_latency_drill_start_deciding (TbLatencyDrill *self, guint32 id);
void tb_latency_drill_evaluate_counters (TbLatencyDrill *self);
void tb_latency_drill_take_callee (TbLatencyDrill *self, const TbCaptureLatencyCallee *callee);
void tb_latency_drill_finish (TbLatencyDrill *self);

static inline TbLatencyNode *
get_node (TbLatencyDrill *self, guint32 id)
{
  return &self->tree->nodes[id];
}

static inline gint64
get_time (void)
{
  return g_get_monotonic_time () * 1000;
}

G_END_DECLS
