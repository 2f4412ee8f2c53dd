/* tb-latency-drill-private.h: the parts of a drill-down
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#pragma once

#include "tb-latency-drill.h"

G_BEGIN_DECLS

#define F0_GROUP 0
#define F0_NODE 0

/* tb-latency-functions.c */
TbLatencyFunction *
tb_latency_drill_get_function (TbLatencyDrill *self, TbLatencyImage *image, const TbLatencySymbol *symbol);
const TbLatencyCode *tb_latency_function_get_code (TbLatencyFunction *function);
/* What lies at an address of a process; NULL: nobody knows. */
TbLatencyFunction *tb_latency_drill_find_function (TbLatencyDrill *self, gint32 pid, guint64 address);
/* Likewise; place: the same address as its file has it. */
TbLatencyFunction *
tb_latency_drill_find_place (TbLatencyDrill *self, gint32 pid, guint64 address, guint64 *place);
const char *tb_latency_get_call_name (guint64 number);
char *tb_latency_name_site (const TbLatencyFunction *function, const TbLatencySite *site);

/* tb-latency-kernel.c: its functions are asked for, and there once the next answer comes. */
TbLatencyImage *tb_latency_drill_get_kernel (TbLatencyDrill *self);
void tb_latency_drill_read_kernel (TbLatencyDrill *self, const char *name);
void tb_latency_drill_read_callees (TbLatencyDrill *self, const TbLatencyFunction *function);
/* The function in which a system call goes on; NULL: nobody knows, or it cannot be probed. */
void tb_latency_drill_read_handler (TbLatencyDrill *self, guint64 number);
TbLatencyFunction *tb_latency_drill_find_handler (TbLatencyDrill *self, const TbLatencyNode *node);
void tb_latency_drill_take_code (TbLatencyDrill *self, const TbCaptureRecord *record);

/* tb-latency-drill.c: these are locked. The peak to be looked into, as is or as one of those that are found. */
void tb_latency_drill_choose (TbLatencyDrill *self, TbPeakRange range);

/* tb-latency-messages.c */
gboolean tb_latency_drill_send (TbLatencyDrill *self, TbCaptureRecord *record, GError **error);
TbCaptureRecord tb_latency_make_probe (const TbLatencyFunction *function,
                                       guint group,
                                       TbCaptureLatencyProbeKind kind,
                                       guint64 address);
void tb_latency_drill_ask (TbLatencyDrill *self, guint32 group);
void tb_latency_drill_detach (TbLatencyDrill *self, guint32 group);
/* wanted: whether each site is, NULL all. */
void tb_latency_drill_send_points (TbLatencyDrill *self, TbLatencyFunction *function, const guint8 *wanted);
void
tb_latency_drill_send_node (TbLatencyDrill *self, guint32 id, guint32 flags, guint64 target, guint32 site);

/* tb-latency-phase.c */
void tb_latency_drill_send_phase (TbLatencyDrill *self);

/* tb-latency-clients.c */
gboolean tb_latency_drill_serve (TbLatencyDrill *self, JsonObject *state, GError **error);
void tb_latency_drill_send_clients (TbLatencyDrill *self);

/* tb-latency-slow.c: single calls */
void tb_latency_drill_take_slow (TbLatencyDrill *self, const TbCaptureRecord *record);
/* (element-type TbLatencySlowCall *) (transfer container): the longest first. */
GPtrArray *tb_latency_drill_list_slow (TbLatencyDrill *self);
/* Where most of it went: "serve → work → [waits]", by name of each node. */
char *tb_latency_drill_trace_slow (TbLatencyDrill *self, const TbLatencySlowCall *call);
/* As who looks sees it. */
const char *tb_latency_drill_name_node (const TbLatencyDrill *self, const TbLatencyNode *node);
void tb_latency_slow_describe (JsonBuilder *builder, TbLatencyDrill *self);

/* tb-latency-places.c: functions that are slow by what they do themselves are narrowed to their basic blocks. */
gboolean tb_latency_drill_is_leaf (TbLatencyDrill *self, guint32 id);
/* TRUE: nothing is left to be narrowed, or it takes too long. */
gboolean tb_latency_drill_narrow_leaves (TbLatencyDrill *self);
void tb_latency_drill_take_place (TbLatencyDrill *self, const TbCaptureLatencyPlace *place);
/* "many.c:88", of the block in which the node runs most; NULL none is known. After the search. */
const char *tb_latency_drill_name_place (TbLatencyNode *node);
void tb_latency_places_describe (JsonBuilder *builder, const TbLatencyNode *node);

/* tb-latency-state.c */
const char *tb_latency_get_kind_name (TbLatencyKind kind);
/* (transfer full) (nullable): "f0+0x12", where in its caller a node is called. */
char *tb_latency_drill_describe_site (const TbLatencyDrill *self, const TbLatencyNode *node);
/* (transfer full) (nullable): likewise as stacks have it, see tb-peaks-saved-place.h; build_id: (out) (transfer full) (nullable):
 * that of the file. Of a jump to another function, and in the kernel, there is none that another recording has. */
char *
tb_latency_drill_describe_place (const TbLatencyDrill *self, const TbLatencyNode *node, char **build_id);

/* tb-latency-resume.c: nothing of it does anything unless there is something to go on from */
gboolean tb_latency_drill_is_as_before (TbLatencyDrill *self);
void tb_latency_drill_get_saved_range (TbLatencyDrill *self, TbPeakRange *range);
/* How many calls were looked into then, whose counters are among those of now. */
guint64 tb_latency_drill_get_saved_calls (const TbLatencyDrill *self);
/* Whether the same function calls the same one elsewhere, too. */
gboolean tb_latency_drill_has_twin (TbLatencyDrill *self, const TbLatencyNode *node);
/* TRUE: it was decided then, and is again. */
gboolean tb_latency_drill_recall (TbLatencyDrill *self, guint32 id);
/* TRUE: it was a root cause then. */
gboolean tb_latency_drill_recall_callee (TbLatencyDrill *self, guint32 id);

/* tb-latency-descend.c */
/* A node turned out to make its caller slow: looks at what it consists of. */
void tb_latency_drill_open (TbLatencyDrill *self, guint32 id);
void tb_latency_drill_start_deciding (TbLatencyDrill *self, guint32 id);
void tb_latency_drill_look_at_counters (TbLatencyDrill *self);
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
