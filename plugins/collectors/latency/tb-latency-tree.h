/* tb-latency-tree.h: the calls that were looked into, and the rule that decides which of them make others slow
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#pragma once

#include "capture/tb-capture-format.h"
#include <json-glib/json-glib.h>

#include "tb-latency-code.h"

G_BEGIN_DECLS

/* A function with probes; several nodes may be calls of it. */
typedef struct
{
  guint32 id; /* also of its group of probes */
  TbLatencyImage *image;
  const TbLatencySymbol *symbol;
  TbLatencyCode *code;
  guint32 first_site;
  guint n_probes;
  guint n_single_stepped; /* of them */
  gboolean is_attached;
  gboolean is_narrowed; /* probes of sites that lead to no root cause are out */
  gboolean is_refused;
  gboolean by_blocks; /* blocks are looked at first */
  guint8 *chosen;     /* then the sites of those that matter; NULL: all */
} TbLatencyFunction;

typedef enum
{
  TB_LATENCY_FUNCTION,
  TB_LATENCY_SYSCALL,
  TB_LATENCY_WAIT,
  TB_LATENCY_PREEMPTED,
  TB_LATENCY_RUN_QUEUE,
  TB_LATENCY_INTERRUPT,
  TB_LATENCY_OTHERS,  /* callees of an indirect call that have no nodes (yet) */
  TB_LATENCY_BLOCK,   /* a basic block with calls, as long as they are not looked into singly */
  TB_LATENCY_QUEUE,   /* of a wait: the request that it was for was in the queue of its device */
  TB_LATENCY_SERVICE, /* likewise: the device worked on it */
  TB_LATENCY_REQUEST, /* f0, where it is a request to a device itself */
} TbLatencyKind;

typedef enum
{
  TB_LATENCY_CLOSED,
  TB_LATENCY_OPENING,  /* its probes are on their way */
  TB_LATENCY_DECIDING, /* counters go up */
  TB_LATENCY_DECIDED,
} TbLatencyPhase;

/* Where a function was found to run itself, as its file has it. */
typedef struct
{
  guint64 address;
  guint64 count; /* of samples */
} TbLatencyPlace;

typedef struct
{
  gboolean is_used;
  guint32 parent; /* G_MAXUINT32: of f0 */
  TbLatencyKind kind;
  TbLatencyPhase phase;
  char *name;
  guint64 key; /* of a system call, a state of waiting, an interrupt (kind << 32 | number) */
  guint site;  /* of the parent's function, G_MAXUINT none */
  guint depth;
  TbLatencyFunction *function; /* NULL: its code is not known */
  guint32 first_child;         /* of its sites */
  guint32 disturbances;        /* 0 none */
  gboolean is_root_cause;
  gboolean is_self_cause;
  gboolean is_cut;       /* it would have been opened, if it were not too deep or there were room */
  gboolean is_too_short; /* likewise, if a call of it took longer than the probes that it would get */
  gboolean is_given_up;  /* it was open, but hardly any calls of f0 in the peak came */
  guint64 calls_before;  /* of f0, when it was opened */
  gint64 opened_time;
  TbCaptureLatencyCounter as_callee; /* when its caller was decided */
  TbCaptureLatencyCounter counter;
  guint32 generation; /* of the counter */
  double expected;    /* of an interrupt: in so many calls of its parent by chance, when that was decided */
  gboolean is_narrowing; /* where it runs itself is looked at */
  GArray *places;        /* TbLatencyPlace, NULL none */
  char *place;           /* the line of most of them, NULL not known (yet) */
  gboolean is_blamed; /* it is a root cause as it came into many calls, though it was not the longest part */
  JsonObject *saved;  /* what was known of it before; not owned, NULL nothing */
  gboolean is_looked_up; /* then that was looked for */
} TbLatencyNode;

typedef struct
{
  TbLatencyNode nodes[TB_CAPTURE_LATENCY_MAX_NODES];
  guint32 n_nodes; /* used or were so; further ones are free */
} TbLatencyTree;

TbLatencyTree *tb_latency_tree_new (void);
void tb_latency_tree_free (TbLatencyTree *self);

/* The first of n nodes in a row; G_MAXUINT32: there is no room. */
guint32 tb_latency_tree_reserve (TbLatencyTree *self, guint n);
TbLatencyNode *
tb_latency_tree_add (TbLatencyTree *self, guint32 id, guint32 parent, TbLatencyKind kind, const char *name);
/* By the rule of section 3 of the paper: those with a counter of at least percentage of the highest among what the node consists of,
 * and the node itself likewise. Marks them. */
void tb_latency_tree_decide (TbLatencyTree *self, guint32 node, double percentage);
/* "found", "in-progress", "depth-reached" */
const char *tb_latency_tree_get_status (const TbLatencyTree *self);
/* Why the search ended before it came to what calls nothing: "probes" (calls as short as what looks into them), "calls" (too few
 * of f0 in the peak came), "depth" (or no room for more); NULL it did not. */
const char *tb_latency_tree_get_limit (const TbLatencyTree *self);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (TbLatencyTree, tb_latency_tree_free)

G_END_DECLS
