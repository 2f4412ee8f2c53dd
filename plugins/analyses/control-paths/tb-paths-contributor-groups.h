/* tb-paths-contributor-groups.h: contributors of one program name and one chain of callers, whose
 * main activity is the same, as one
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#pragma once

#include "tb-paths-summary.h"

G_BEGIN_DECLS

typedef struct
{
  TbPathsContributor *sum; /* program, callers and longest box are those of the largest one */
  guint n;
  gint64 least_ns; /* own time of the smallest one */
  gint64 most_ns;
} TbPathsContributorGroup;

/* TbPathsContributorGroup, largest first; those without own time are left out. get_kind: the main
 * activity of a contributor. */
GPtrArray *tb_paths_group_contributors (TbPathsSummary *summary,
                                        guint (*get_kind) (const TbPathsContributor *of));

G_END_DECLS
