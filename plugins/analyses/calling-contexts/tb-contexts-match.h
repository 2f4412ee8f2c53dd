/* tb-contexts-match.h: calling contexts of both sides of a comparison as one tree; cost of each
 * path on each side, its difference with a confidence interval, and ranking of the differences
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#pragma once

#include "extend/compare/tb-comparison.h"
#include "tb-contexts-summary.h"

G_BEGIN_DECLS

typedef TbComparisonSide TbContextsSide;
#define TB_CONTEXTS_BASE TB_COMPARISON_BASE
#define TB_CONTEXTS_OTHER TB_COMPARISON_OTHER
#define TB_CONTEXTS_N_SIDES TB_COMPARISON_N_SIDES

/* A recording of one side. */
typedef struct
{
  TbContextsSummary *summary; /* not owned */
  double scale;               /* factor for its numbers */
} TbContextsRecording;

/* A function called from a chain of functions, in any recording. Numbers are normalized means over
 * the recordings of a side. */
typedef struct
{
  guint32 parent;
  guint32 of[TB_CONTEXTS_N_SIDES];          /* node in the first recording that has it, 0 none */
  guint16 in[TB_CONTEXTS_N_SIDES];          /* index of that recording */
  double own[TB_CONTEXTS_N_SIDES];          /* its part of the cost of a path, ns */
  double sum[TB_CONTEXTS_N_SIDES];          /* of own, including its callers */
  double total[TB_CONTEXTS_N_SIDES];        /* ns, including its callees */
  double variance[TB_CONTEXTS_N_SIDES];     /* of sum, if calls were drawn again */
  guint8 has_variance[TB_CONTEXTS_N_SIDES]; /* there are enough calls to compute a variance */
} TbContextsPair;

/* A path of the other side, or one that only the base has. */
typedef struct
{
  guint32 pair;      /* its innermost function */
  guint32 hot;       /* its function with the largest growth */
  gboolean is_equal; /* both sides have it */
  double cost;
  double base; /* the cost is other − base */
  double other;
  /* 95 % interval, by the standard error of the bootstrap, or by several recordings; NaN unknown */
  double low;
  double high;
  double share; /* of all growth, without the part that a path before it has claimed */
  gboolean within_noise;
} TbContextsDifference;

typedef struct
{
  GArray *recordings[TB_CONTEXTS_N_SIDES];       /* TbContextsRecording */
  TbContextsSummary *sides[TB_CONTEXTS_N_SIDES]; /* the first one of each side */
  GArray *pairs; /* TbContextsPair, a parent before its children; 0 is the root */
  /* by pair: its sum in every recording, those of the base first; NULL with one recording a side */
  double *sums;
  guint n_recordings;
  GArray *paths; /* TbContextsDifference, largest cost first, noise last */
  GArray *gains; /* TbContextsDifference of paths that only the base has, largest gain first */
  guint64 n_common;
  double growth; /* ns: growth of the own time of all that grew */
} TbContextsMatch;

/* sides: arrays of TbContextsRecording, at least one each */
TbContextsMatch *tb_contexts_match_new (GArray *const *sides);
void tb_contexts_match_free (TbContextsMatch *self);
/* The summary with most information on the pair: one of the other side where any has it. node:
 * (out): the pair's node there */
TbContextsSummary *
tb_contexts_match_locate (const TbContextsMatch *self, guint32 pair, guint32 *node);
/* Number of functions on the way to a pair, including it. 0: the root. */
guint tb_contexts_match_get_depth (const TbContextsMatch *self, guint32 pair);
/* (transfer full): pairs from the outermost function to a pair */
guint32 *tb_contexts_match_get_path (const TbContextsMatch *self, guint32 pair, guint *n);

static inline TbContextsPair *
tb_contexts_match_get_pair (const TbContextsMatch *self, guint32 pair)
{
  return &g_array_index (self->pairs, TbContextsPair, pair);
}

G_DEFINE_AUTOPTR_CLEANUP_FUNC (TbContextsMatch, tb_contexts_match_free)

G_END_DECLS
