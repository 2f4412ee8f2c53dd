/* tb-locks-names.h: names of many threads as a short text
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#pragma once

#include "tb-locks-summary.h"

G_BEGIN_DECLS

/* "worker ×3, main, …": names, each with its number of threads, in the order of the threads
 * (TbLockThread). */
char *tb_locks_join_names (TbLocksSummary *summary, const GArray *threads);

G_END_DECLS
