/* tb-paths-summary.h: totals of the time of a process: by category, path, chain of called programs,
 * and contributor (a program) with its main functions, files and peers; programs of each path; also
 * as JSON
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#pragma once

#include <json-glib/json-glib.h>

#include "tb-paths-contributor.h"
#include "tb-paths-locks.h"
#include "tb-paths.h"
#include "tb-paths-oversleeps.h"

G_BEGIN_DECLS

/* A program that was called through a chain of others. Index 0 is the process of interest. */
typedef struct
{
  guint32 parent; /* TB_ID_NONE none */
  guint32 program;
  gint64 ns; /* own time in the base path */
} TbPathsChain;

typedef struct
{
  gint64 wall_ns;
  gint64 overlap_ns;
  gint64 running_ns;
} TbPathSums;

typedef struct
{
  TbPaths *paths;
  gint64 wall_ns;
  gint64 total_ns;
  gint64 overlap_ns; /* time of children outside their parents' sleeps */
  gint64 categories[TB_PATHS_N_CATEGORIES];
  gint64 base_categories[TB_PATHS_N_CATEGORIES];
  double accounted;
  double explained;
  TbPathSums *path_sums;
  GPtrArray **path_programs; /* by path: names in order of first appearance, not owned */
  GArray *chains;            /* TbPathsChain */
  guint32 *chain_of;         /* by box */
  GPtrArray *contributors;   /* TbPathsContributor, largest first */
  GArray *oversleeps;        /* TbPathsOversleep, longest first */
  GArray *locks;             /* TbPathsLock, longest first */
  gint64 *polled_ns;         /* by thread: see tb_paths_locks_take_polled() */
} TbPathsSummary;

TbPathsSummary *tb_paths_summary_new (TbPaths *paths, GCancellable *cancellable, GError **error);
void tb_paths_summary_free (TbPathsSummary *self);
G_DEFINE_AUTOPTR_CLEANUP_FUNC (TbPathsSummary, tb_paths_summary_free)

/* Names from the process of interest down to the contributor. A chain that is too deep is shortened
 * in the middle. */
char **tb_paths_summary_get_called_through (TbPathsSummary *self,
                                            const TbPathsContributor *contributor);
char **tb_paths_summary_get_top_stack (TbPathsSummary *self, const TbPathsContributor *contributor);
JsonNode *tb_paths_summary_to_json (TbPathsSummary *self);

const char *tb_paths_drop_get_reason (TbPathsDrop drop);

G_END_DECLS
