/* tb-paths-throttling.h: time in which a thread could have run on an idle CPU and did not, because
 * its CPU time is limited
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#pragma once

#include "tb-paths-model.h"

G_BEGIN_DECLS

/* How much of from…to, in a row in which the thread was preempted, its CPU was idle. 0 for a model
 * of rows alone. */
gint64 tb_paths_get_throttled (const TbPathsModel *model, guint32 row, gint64 from, gint64 to);

/* The first of n runs on a CPU that ends after a time, by their ends; n if none does. */
gsize tb_paths_find_cpu_run (const gint64 *end, gsize n, gint64 time);

G_END_DECLS
