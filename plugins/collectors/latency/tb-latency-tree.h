/* tb-latency-tree.h: tree of examined calls of a drill-down, the rule that decides which parts of a
 * call are root causes, and the status of the search
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#pragma once

#include "capture/tb-capture-format.h"
#include <json-glib/json-glib.h>

#include "tb-latency-code.h"

G_BEGIN_DECLS

/* A function with probes; it may have several nodes. */
typedef struct
{
  guint32 id; /* also the id of its group of probes */
  TbLatencyImage *image;
  const TbLatencySymbol *symbol;
  TbLatencyCode *code;
  gboolean has_sites; /* its call sites have places in the agent's table, from first_site on */
  guint32 first_site;
  guint n_probes;
  guint n_single_stepped; /* of these probes */
  gboolean is_attached;
  gboolean is_narrowed; /* probes of sites that lead to no root cause are detached */
  gboolean is_refused;
  gboolean is_by_blocks; /* blocks are examined first */
  guint8 *chosen;        /* by site: whether it is in a root-cause block; NULL: all are examined */
} TbLatencyFunction;

typedef enum
{
  TB_LATENCY_FUNCTION,
  TB_LATENCY_SYSCALL,
  TB_LATENCY_WAIT,
  TB_LATENCY_PREEMPTED,
  TB_LATENCY_RUN_QUEUE,
  TB_LATENCY_INTERRUPT,
  TB_LATENCY_OTHER_CALLEES, /* callees of an indirect call without a node (so far) */
  TB_LATENCY_BLOCK,         /* a basic block with calls, before they are examined one by one */
  TB_LATENCY_QUEUE,         /* part of a wait: the awaited request was in the queue of its device */
  TB_LATENCY_SERVICE,       /* part of a wait: the device processed the request */
  TB_LATENCY_REQUEST,       /* f0, if it is a request to a device */
} TbLatencyKind;

typedef enum
{
  TB_LATENCY_NOT_EXAMINED,
  TB_LATENCY_ATTACHING, /* its probes are being attached */
  TB_LATENCY_DECIDING,  /* its counters are increasing */
  TB_LATENCY_DECIDED,
} TbLatencyPhase;

/* An address, in terms of the file, at which a function itself was running */
typedef struct
{
  guint64 address;
  guint64 count; /* number of samples */
} TbLatencyPlace;

typedef struct
{
  gboolean is_used;
  guint32 parent; /* G_MAXUINT32: f0, which has none */
  TbLatencyKind kind;
  TbLatencyPhase phase;
  char *name;
  guint64 key; /* of a system call, a thread state or an interrupt (kind << 32 | number) */
  guint site;  /* of the parent's function, G_MAXUINT: none */
  guint depth;
  TbLatencyFunction *function; /* NULL: its code is unknown */
  guint32 first_child;         /* first node of its sites */
  guint32 disturbances;        /* first node of its disturbances, 0: none */
  gboolean is_root_cause;
  gboolean is_self_cause;
  gboolean is_cut;       /* would be opened if it were not too deep, or there were more room */
  gboolean is_too_short; /* would be opened if its calls were longer than the necessary probes */
  gboolean is_abandoned; /* it was open, but hardly any calls of f0 in the peak came */
  guint64 calls_before;  /* calls of f0 when it was opened */
  gint64 opened_time;
  TbCaptureLatencyCounter callee_counter; /* counter at the decision of its caller */
  TbCaptureLatencyCounter counter;
  guint32 generation; /* of the counter */
  /* of an interrupt: number of its parent's calls that it hits by chance, at the time of the
   * decision */
  double expected;
  gboolean is_narrowing; /* its own time is being narrowed to places */
  GArray *places;        /* TbLatencyPlace, NULL: none */
  char *place;           /* line with most samples, NULL: unknown (so far) */
  /* a root cause because it hit many calls, though it was not the longest part */
  gboolean is_blamed;
  JsonObject *saved;     /* corresponding node of the earlier search; not owned, NULL: none */
  gboolean is_saved_set; /* the earlier search was consulted */
} TbLatencyNode;

typedef struct
{
  TbLatencyNode nodes[TB_CAPTURE_LATENCY_MAX_NODES];
  guint32 n_nodes; /* nodes ever used; further ones are free */
} TbLatencyTree;

TbLatencyTree *tb_latency_tree_new (void);
void tb_latency_tree_free (TbLatencyTree *self);

/* Reserves n adjacent nodes and returns the first; G_MAXUINT32: no room. */
guint32 tb_latency_tree_reserve (TbLatencyTree *self, guint n);
TbLatencyNode *tb_latency_tree_add (TbLatencyTree *self,
                                    guint32 id,
                                    guint32 parent,
                                    TbLatencyKind kind,
                                    const char *name);
/* Decides by the rule of section 3 of the DARC paper: the node's parts, including its own time,
 * with a counter of at least percentage of the highest one are root causes. Marks them. */
void tb_latency_tree_decide (TbLatencyTree *self, guint32 node, double percentage);
/* "found", "in-progress" or "depth-reached" */
const char *tb_latency_tree_get_status (const TbLatencyTree *self);
/* The deepest node at which a search that ended early was still deciding; G_MAXUINT32: none */
guint32 tb_latency_tree_find_stop (const TbLatencyTree *self);
/* The limit that ended the search before it reached calls without callees: "probes" (calls as short
 * as their probes), "calls" (too few calls of f0 in the peak), "depth" (or no room for more); NULL:
 * none */
const char *tb_latency_tree_get_limit (const TbLatencyTree *self);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (TbLatencyTree, tb_latency_tree_free)

G_END_DECLS
