/* tb-wait-units.h: the units of work that a recording has, to choose from
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#pragma once

#include "extend/tb-option-candidates.h"

G_BEGIN_DECLS

/* (element-type TbOptionCandidate): each with what tb_wait_work_new() counts of it. threads: whose work counts, NULL
 * everybody's. */
GPtrArray *tb_wait_units_list (TbTrace *trace,
                               TbSelection *threads,
                               gint64 from,
                               gint64 to,
                               GCancellable *cancellable,
                               GError **error);

G_END_DECLS
