/* tb-paths-rivals.h: which programs used the CPU that a thread waited for
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#pragma once

#include "report/tb-finding.h"
#include "tb-paths-contributor.h"
#include "tb-paths-events.h"

G_BEGIN_DECLS

/* Appends to rivals (TbPathsObject of programs) what ran on the CPU of a row in from…to, in which
 * its thread was ready to run. */
void tb_paths_find_rivals (const TbPathsModel *model,
                           const TbPathsEvents *events,
                           guint32 row,
                           gint64 from,
                           gint64 to,
                           GArray *rivals);
/* Whether a limit of its CPU time kept it off idle CPUs for most of the time in which it was kept
 * off one. */
gboolean tb_paths_is_throttled (const TbPathsContributor *of);
/* "kept off the CPU by other threads, mostly of 2 programs named sh": category:
 * TB_PATHS_INVOLUNTARY or TB_PATHS_SCHEDULER */
char *tb_paths_describe_lack (TbPathsEvents *events,
                              const TbPathsContributor *of,
                              TbPathsCategory category);
/* Sets the name of the programs that had most of the CPU time of the longer lack, and that time. */
void tb_paths_set_rival (TbPathsEvents *events, TbFinding *finding, const TbPathsContributor *of);

G_END_DECLS
