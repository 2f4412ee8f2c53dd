/* tb-peaks-tree.h: trees of functions and waits below the calls of each peak; by node, the number
 * of calls in which it was among its caller's largest contributors; the rule that finds root
 * causes from these
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#pragma once

#include <glib.h>

#include "latency-state/tb-peaks-bins.h"

G_BEGIN_DECLS

typedef enum
{
  TB_PEAKS_NODE_FUNCTION, /* a function in its context; the root is the operation itself */
  TB_PEAKS_NODE_WAIT,     /* sleeps in the function; key: TbWaitKind */
  /* below a wait: thread or device that ended it; key: cause, kind 8 bits above 32 */
  TB_PEAKS_NODE_SERVED,
  TB_PEAKS_NODE_SERVING,   /* below SERVED: its thread ran during the wait */
  TB_PEAKS_NODE_DELAYED,   /* below SERVED: its thread waited for a CPU during the wait */
  TB_PEAKS_NODE_QUEUE,     /* of a block request: time in the queue */
  TB_PEAKS_NODE_SERVICE,   /* of a block request: time in the device */
  TB_PEAKS_NODE_HOLDER,    /* of a wait for a CPU: thread that ran on the CPU; key: thread */
  TB_PEAKS_NODE_NESTED,    /* of an interrupt handler: other handlers that interrupted it */
  TB_PEAKS_NODE_PREEMPTED, /* total below a function: preempted */
  TB_PEAKS_NODE_RUN_QUEUE, /* total below a function: runnable after a wake-up */
  /* total below a function: interrupts of one source; key: string of its name, vector, kind */
  TB_PEAKS_NODE_INTERRUPT,
  /* not a node of its own: target of a stack below a function; key: stack */
  TB_PEAKS_NODE_ALIAS,
} TbPeaksNodeKind;

typedef struct
{
  guint32 parent; /* TB_ID_NONE: a root */
  guint32 depth;
  TbPeaksNodeKind kind;
  guint64 key;    /* for functions: the address of an interned name */
  guint32 target; /* target of an alias */
  guint32 stack;  /* first stack that led to a function; TB_STACK_NONE if none did */
  guint level;    /* index of the function in the stack, 0 for the innermost */
  /* for functions: call site, see tb-peaks-sites.h; each site has a node of its own */
  guint64 site;
  guint64 address;         /* first return address of a probed function, 0 if unknown */
  const char *saved_site;  /* call site stored by an earlier recording; NULL if there is none */
  const char *saved_place; /* its place, as tb_peaks_sites_format() formats it */
  const char *saved_build; /* its build ID, as tb_peaks_sites_get_build() returns it */
  /* it has callees below the maximum depth; for an alias: the stack does not lead to the
   * function */
  gboolean is_cut;
  guint64 calls;   /* number of calls of the operation in which it occurs */
  gint64 own_ns;   /* time that belongs to no node below */
  gint64 total_ns; /* time with all nodes below; known after tb_peaks_tree_finish() */
  /* for a disturbance: its total below the function; own_ns is the part in the function
   * itself */
  gint64 disturbed_ns;
  gint64 waited_ns; /* for an alias: waits on its stack; self_ns: running time */
  /* latency that was compared for the function itself: its own time, and all but the longest call
   * of each callee */
  gint64 self_ns;
  /* number of calls in which it was among the largest contributors of its caller */
  guint64 maxcount;
  /* number of calls in which the function itself was among its own contributors' largest */
  guint64 self_maxcount;
  /* the same for calls in which the function ran without a sample: they decide nothing, unless no
   * call decides */
  guint64 unsampled_maxcount;
  gboolean is_root_cause;
  gboolean is_probed; /* a function with a stack recorded at its call */
  /* its caller calls the same function at another site, too; known after tb_peaks_tree_finish() */
  gboolean is_repeated;
  gboolean is_self_cause;      /* the function itself is a root cause, not its callees */
  gboolean is_unsampled_cause; /* what it ran is not known: no call has a sample */
  /* for an interrupt: a root cause because of its frequency, not its duration */
  gboolean is_frequent_cause;
  /* for an interrupt: expected number of interrupted calls by chance, −1 if not known */
  double expected;

  /* Values of the current call. */
  gint64 latency; /* longest latency, without disturbances */
  /* for a function known only from stacks, a wait or its parts: sum below the innermost open
   * function so far */
  gint64 open_ns;
  gint64 part_ns;   /* for a part of one wait */
  gint64 served_ns; /* for a part of one wait, with all nodes below */
  gint64 children_ns;
  gint64 largest;
  gboolean is_touched;
  gboolean is_unsampled; /* it ran itself, and no sample shows what */
  gboolean is_undecided; /* that is the largest contributor */
} TbPeaksNode;

typedef struct
{
  GArray *nodes;  /* TbPeaksNode; a parent comes before its children */
  guint32 *slots; /* hash table with open addressing, keyed by parent, kind and key */
  gsize n_slots;
  GArray *touched; /* guint32: nodes of the current call */
} TbPeaksTree;

TbPeaksTree *tb_peaks_tree_new (void);
void tb_peaks_tree_free (TbPeaksTree *self);

/* Finds or creates a node; parent TB_ID_NONE for a root. */
guint32 tb_peaks_tree_get (TbPeaksTree *self, guint32 parent, TbPeaksNodeKind kind, guint64 key);
/* The same for a function that is called at a site. */
guint32 tb_peaks_tree_get_called (TbPeaksTree *self,
                                  guint32 parent,
                                  TbPeaksNodeKind kind,
                                  guint64 key,
                                  guint64 site);
/* The node below another parent that corresponds to node; TB_ID_NONE if there is none. */
guint32 tb_peaks_tree_find_like (const TbPeaksTree *self, guint32 parent, const TbPeaksNode *node);
/* Marks a node as part of the current call. */
void tb_peaks_tree_touch (TbPeaksTree *self, guint32 node);
/* Ends the current call. A function that ran without a sample may have run any callee that was not
 * recorded: if its own time is the largest, none of its contributors is raised. Otherwise, raises
 * the counters of the largest contributors of every function in it, as in section 3 of the paper.
 * The largest contributors are those in the same bin as the largest one. A function's own latency
 * is its latency minus the longest call of each callee. Disturbances are contributors of every
 * function that they fall into. */
void tb_peaks_tree_decide (TbPeaksTree *self, const TbPeaksBins *bins);
/* Ends all calls: computes totals, and marks the root causes. From each root on, these are the
 * contributors with a counter of at least percentage of the highest, and recursively those below
 * them. */
void tb_peaks_tree_finish (TbPeaksTree *self, double percentage);

static inline TbPeaksNode *
tb_peaks_tree_node (const TbPeaksTree *self, guint32 node)
{
  return &g_array_index (self->nodes, TbPeaksNode, node);
}

static inline gboolean
tb_peaks_node_is_disturbance (const TbPeaksNode *node)
{
  return node->kind >= TB_PEAKS_NODE_PREEMPTED && node->kind <= TB_PEAKS_NODE_INTERRUPT;
}

G_DEFINE_AUTOPTR_CLEANUP_FUNC (TbPeaksTree, tb_peaks_tree_free)

G_END_DECLS
