/* tb-contexts-match.h: the calling contexts of the recordings of two sides as one tree, and what differs
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#pragma once

#include "extend/tb-comparison.h"
#include "tb-contexts-summary.h"

G_BEGIN_DECLS

typedef TbComparisonSide TbContextsSide;
#define TB_CONTEXTS_BASE TB_COMPARISON_BASE
#define TB_CONTEXTS_OTHER TB_COMPARISON_OTHER
#define TB_CONTEXTS_N_SIDES TB_COMPARISON_N_SIDES

/* A recording of a side. */
typedef struct
{
  TbContextsSummary *summary; /* not owned */
  double scale;               /* of its numbers */
} TbContextsRecording;

/* A function called from a chain of functions, in any recording. Numbers are means over the recordings of a side, normalized. */
typedef struct
{
  guint32 parent;
  guint32 of[TB_CONTEXTS_N_SIDES];      /* node in the first recording that has it, 0 none has */
  guint16 in[TB_CONTEXTS_N_SIDES];      /* which recording that is */
  double own[TB_CONTEXTS_N_SIDES];      /* what it adds to the cost of a path, ns */
  double sum[TB_CONTEXTS_N_SIDES];      /* with its callers' */
  double total[TB_CONTEXTS_N_SIDES];    /* ns in it and what it called */
  double variance[TB_CONTEXTS_N_SIDES]; /* of the sums, if calls were drawn anew */
  guint8 is_known[TB_CONTEXTS_N_SIDES]; /* there are calls enough to tell a variance */
} TbContextsPair;

/* A path of the other side, or one that only the base has. */
typedef struct
{
  guint32 pair;      /* its innermost */
  guint32 hot;       /* that grew most */
  gboolean is_equal; /* both have it */
  double cost;
  double base; /* what the cost is the difference of */
  double other;
  double low; /* 95 %, by the standard error of the bootstrap, or by several recordings; NaN unknown */
  double high;
  double share; /* of all that grew, that no path before it has */
  gboolean within_noise;
} TbContextsDifference;

typedef struct
{
  GArray *recordings[TB_CONTEXTS_N_SIDES];       /* TbContextsRecording */
  TbContextsSummary *sides[TB_CONTEXTS_N_SIDES]; /* the first of each side */
  GArray *pairs; /* TbContextsPair, a parent before its children; 0 the root */
  double *sums;  /* of each pair, its sum in every recording, the base's first; NULL with one a side */
  guint n_recordings;
  GArray *paths; /* TbContextsDifference, most first, noise last */
  GArray *gains; /* likewise: that only the base has */
  guint64 n_common;
  double grown; /* ns: own time of all that grew */
} TbContextsMatch;

/* sides: arrays of TbContextsRecording, each at least one. */
TbContextsMatch *tb_contexts_match_new (GArray *const *sides);
void tb_contexts_match_free (TbContextsMatch *self);
/* The summary that knows the pair best: one of the other side if any has it. node: there */
TbContextsSummary *tb_contexts_match_locate (const TbContextsMatch *self, guint32 pair, guint32 *node);
/* How many functions lead to a pair, with it; 0: it is the root. */
guint tb_contexts_match_get_depth (const TbContextsMatch *self, guint32 pair);
/* (transfer full): from the outermost to a pair */
guint32 *tb_contexts_match_get_path (const TbContextsMatch *self, guint32 pair, guint *n);

static inline TbContextsPair *
tb_contexts_match_get_pair (const TbContextsMatch *self, guint32 pair)
{
  return &g_array_index (self->pairs, TbContextsPair, pair);
}

G_DEFINE_AUTOPTR_CLEANUP_FUNC (TbContextsMatch, tb_contexts_match_free)

G_END_DECLS
