/* calling-contexts-plain.h: plain, slow sums over the calls of a random recording
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#pragma once

#include "calling-contexts-random.h"
#include "tb-contexts-match.h"

G_BEGIN_DECLS

/* All calls of a function in one context. */
typedef struct
{
  double count;
  double total;
  double own;
  gint64 longest;
  gint64 longest_from; /* of the first longest call */
  GArray *owns;        /* double: own time of each call */
} PlainCalls;

/* Returns whether a path is below that of a caller. */
gboolean plain_calls (const char *caller, const char *path);
/* Calls by path. Own time is a call's time without its callees, computed from totals. */
GHashTable *
plain_add_up (const RandomRecording *recording, guint thread, TbContextsEstimate estimate);
double plain_get_cost (GHashTable *all, const char *path, gboolean by_mean);
/* Shortens a path to that of its caller, at last to "". */
gboolean plain_cut_to_caller (char *path);
gboolean plain_is_leaf (GHashTable *all, const char *path);
double plain_get_path_cost (GHashTable *all, const char *path, gboolean by_mean);
char *plain_get_name (TbContextTree *tree, guint32 node);
void plain_assert_close (double found, double expected);
TbContextsSummary *
plain_summarize (const RandomRecording *recording, guint thread, const TbContextsOptions *options);
TbContextsOptions plain_draw_options (GRand *rand);

G_END_DECLS
