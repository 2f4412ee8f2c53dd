/* tb-contexts-match.h: the calling contexts of two recordings as one tree, and what differs
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#pragma once

#include "tb-contexts-summary.h"

G_BEGIN_DECLS

typedef enum
{
  TB_CONTEXTS_BASE,
  TB_CONTEXTS_OTHER,
  TB_CONTEXTS_N_SIDES,
} TbContextsSide;

/* A function called from a chain of functions, in either recording. */
typedef struct
{
  guint32 parent;
  guint32 of[TB_CONTEXTS_N_SIDES]; /* node there, 0 none */
  double own[TB_CONTEXTS_N_SIDES]; /* what it adds to the cost of a path, ns, normalized */
  double sum[TB_CONTEXTS_N_SIDES]; /* with its callers' */
  double variance;                 /* of the difference of the sums, over calls */
  gboolean is_known;               /* there are calls enough to tell a variance */
} TbContextsPair;

/* A path of the other recording, or one that only the base has. */
typedef struct
{
  guint32 pair;      /* its innermost */
  guint32 hot;       /* that grew most */
  gboolean is_equal; /* both have it */
  double cost;
  double low; /* 95 %; NaN unknown */
  double high;
  double share; /* of all that grew, that no path before it has */
  gboolean within_noise;
} TbContextsDifference;

typedef struct
{
  TbContextsSummary *sides[TB_CONTEXTS_N_SIDES]; /* not owned */
  double scale;                                  /* of the other's numbers */
  GArray *pairs;                                 /* TbContextsPair, a parent before its children */
  GArray *paths;                                 /* TbContextsDifference, most first, noise last */
  GArray *gains;                                 /* likewise: that only the base has */
  guint64 n_common;
  double grown; /* ns: own time of all that grew */
} TbContextsMatch;

TbContextsMatch *tb_contexts_match_new (TbContextsSummary *base, TbContextsSummary *other, double scale);
void tb_contexts_match_free (TbContextsMatch *self);
/* The summary that knows the pair best: the other's if it has it. node: there */
TbContextsSummary *tb_contexts_match_locate (const TbContextsMatch *self, guint32 pair, guint32 *node);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (TbContextsMatch, tb_contexts_match_free)

G_END_DECLS
