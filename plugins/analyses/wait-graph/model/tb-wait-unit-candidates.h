/* tb-wait-unit-candidates.h: candidate values of the option for the unit of work, with their
 * counts in a recording: names of marks, system calls and probed functions, processes that sent or
 * received messages
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#pragma once

#include "extend/options/tb-option-candidates.h"

G_BEGIN_DECLS

/* (element-type TbOptionCandidate): each with the count of tb_wait_work_new(). threads: only their
 * work counts; NULL: all. */
GPtrArray *tb_wait_list_unit_candidates (TbTrace *trace,
                                         TbSelection *threads,
                                         gint64 from,
                                         gint64 to,
                                         GCancellable *cancellable,
                                         GError **error);

G_END_DECLS
