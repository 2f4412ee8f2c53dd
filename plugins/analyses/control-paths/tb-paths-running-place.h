/* tb-paths-running-place.h: function with most of the sampled running time of a program
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#pragma once

#include "tb-paths-summary.h"

G_BEGIN_DECLS

/* A function with the samples in it and in what it called of the system's code. */
typedef struct
{
  char *function;          /* NULL: no function of the module has a name */
  char *module;            /* its file name; NULL: not known */
  gboolean is_system_call; /* no function is known, but that it called the kernel */
  guint32 node;            /* one of those of the function in the context tree */
  gint64 ns;               /* by samples */
  gint64 sampled_ns;       /* of the program */
} TbPathsRunningPlace;

/* running: TbPathsNodeTime. may_miss_callers: see tb_trace_may_miss_callers(). FALSE if there are
 * no samples with stacks. */
gboolean tb_paths_running_place_find (TbPathsRunningPlace *self,
                                      TbContextTree *tree,
                                      const GArray *running,
                                      gboolean may_miss_callers);
void tb_paths_running_place_clear (TbPathsRunningPlace *self);
G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC (TbPathsRunningPlace, tb_paths_running_place_clear)

/* "most in deflate of libz.so.1, 64 %", followed by how its caller is recorded where it is missing;
 * NULL if nothing is known. */
char *tb_paths_running_place_describe (const TbPathsRunningPlace *self, TbTrace *trace);

G_END_DECLS
