/* tb-peaks-tree.h: the function trees of peaks, and the rule that decides what makes their calls slow
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#pragma once

#include <glib.h>

#include "tb-peaks-bins.h"

G_BEGIN_DECLS

typedef enum
{
  TB_PEAKS_NODE_FUNCTION,  /* a function in its context; the root is the operation itself */
  TB_PEAKS_NODE_WAIT,      /* its sleeps there; key: TbWaitKind */
  TB_PEAKS_NODE_SERVED,    /* below a wait: who ended it; key: cause, kind 8 bits above 32 */
  TB_PEAKS_NODE_SERVING,   /* below who ended it: ran meanwhile */
  TB_PEAKS_NODE_DELAYED,   /* likewise: waited for a cpu meanwhile */
  TB_PEAKS_NODE_QUEUE,     /* of a block request: in the queue */
  TB_PEAKS_NODE_SERVICE,   /* of a block request: in the device */
  TB_PEAKS_NODE_HOLDER,    /* of a wait for a cpu: who had it; key: thread */
  TB_PEAKS_NODE_NESTED,    /* of an interrupt handler: others that interrupted it */
  TB_PEAKS_NODE_PREEMPTED, /* all below a function: ready to run, but not let */
  TB_PEAKS_NODE_RUN_QUEUE, /* likewise, after it was woken */
  TB_PEAKS_NODE_INTERRUPT, /* likewise, by one source; key: string of its name, vector, kind */
  TB_PEAKS_NODE_ALIAS,     /* no node: where a stack leads to from a function; key: stack */
} TbPeaksNodeKind;

typedef struct
{
  guint32 parent; /* TB_ID_NONE: a root */
  guint32 depth;
  TbPeaksNodeKind kind;
  guint64 key;    /* of functions: the address of an interned name */
  guint32 target; /* of an alias */
  guint32 stack;  /* that first led to a function; TB_STACK_NONE: none did */
  guint level;    /* place of the function in it, 0 the innermost */
  guint64
      site; /* of functions: where they are called, see tb-peaks-sites.h; each place is a node of its own */
  guint64 address;        /* that a probed function returned to first, 0 unknown */
  const char *said_site;  /* where it is called, as an earlier recording has it; NULL: none has */
  const char *said_place; /* likewise as tb_peaks_sites_say() has it */
  const char *said_build; /* likewise tb_peaks_sites_get_build() */
  gboolean
      is_cut; /* it has callees that lie deeper than is looked; of an alias: the stack does not lead there */
  guint64 calls;   /* of the operation in which it occurs */
  gint64 own_ns;   /* that is of no node below */
  gint64 total_ns; /* with all below; known after tb_peaks_tree_finish() */
  gint64
      disturbed_ns; /* of a disturbance: all of it below its function; own_ns is what fell into the function itself */
  gint64 waited_ns; /* of an alias: waits on its stack; self_ns: running */
  gint64 self_ns;   /* what it itself was compared with: own, and all but the longest calls of its callees */
  guint64 maxcount; /* in how many calls it was among the largest of its caller's contributors */
  guint64 self_maxcount; /* and it itself among its own */
  gboolean is_root_cause;
  gboolean is_probed;     /* a function whose stack came with its call */
  gboolean is_twin;       /* its caller calls the same function elsewhere, too; known after finishing */
  gboolean is_self_cause; /* it itself, not what it calls */
  gboolean is_blamed;     /* of an interrupt: a root cause for how often it came, not for how long it took */
  double expected;        /* of an interrupt in a function's own calls: in so many by chance, −1 not known */

  /* of the call at hand */
  gint64 latency; /* longest, without disturbances */
  gint64
      open_ns; /* of a function on stacks only, of waits and their parts: so far below the innermost open function */
  gint64 part_ns;   /* of a part of one wait */
  gint64 served_ns; /* likewise, with all below */
  gint64 children_ns;
  gint64 largest;
  gboolean is_touched;
} TbPeaksNode;

typedef struct
{
  GArray *nodes;  /* TbPeaksNode; a parent comes before its children */
  guint32 *slots; /* of parent, kind and key: open addressing */
  gsize n_slots;
  GArray *touched; /* guint32: nodes of the call at hand */
} TbPeaksTree;

TbPeaksTree *tb_peaks_tree_new (void);
void tb_peaks_tree_free (TbPeaksTree *self);

/* The node, made where there is none; parent TB_ID_NONE for a root. */
guint32 tb_peaks_tree_get (TbPeaksTree *self, guint32 parent, TbPeaksNodeKind kind, guint64 key);
/* Likewise of a function that is called at a site. */
guint32
tb_peaks_tree_get_called (TbPeaksTree *self, guint32 parent, TbPeaksNodeKind kind, guint64 key, guint64 site);
/* What a node is, below another parent; TB_ID_NONE: there is none. */
guint32 tb_peaks_tree_find_like (const TbPeaksTree *self, guint32 parent, const TbPeaksNode *node);
/* It has part in the call at hand. */
void tb_peaks_tree_touch (TbPeaksTree *self, guint32 node);
/* The call at hand is over: those among the largest contributors of every function in it have their counters raised, as
 * in section 3 of the paper. The largest are those in the bin of the largest; a function's own latency is what the longest
 * call of each callee leaves of it; disturbances are contributors of each function they fall into. */
void tb_peaks_tree_decide (TbPeaksTree *self, const TbPeaksBins *bins);
/* All calls are over: sums up totals, and marks the root causes: from each root those with a counter of at least percentage
 * of the highest among contributors, on and on below them. */
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
