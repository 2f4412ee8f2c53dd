/* tb-contexts-samples.h: times of calling contexts by counting samples: sums of their weights, the
 * time that a sample stands for, and the choice between samples and inferred calls
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#pragma once

#include "extend/compare/tb-comparison.h"
#include "tb-contexts-summary.h"

G_BEGIN_DECLS

/* Whether samples are all that shows where threads spend time. Between two samples of a thread it
 * may have slept: without thread switches, calls and their durations cannot be inferred. */
gboolean tb_contexts_are_by_samples (TbTrace *trace, const TbContextsOptions *options);
/* Whether the samples of a recording can be counted, whatever else it has. */
gboolean tb_contexts_have_samples (TbTrace *trace, const TbContextsOptions *options);

/* Samples show CPU time, inferred calls also the time of waits. Only equal measures are compared:
 * if the calls of one recording cannot be inferred, the samples of all are counted. warning: (out)
 * (nullable): what to report about that. FALSE: one of them has no samples. */
gboolean tb_contexts_choose_measure (TbComparison *comparison,
                                     TbContextsOptions *chosen,
                                     const char **warning,
                                     GError **error);

/* Adds the weight of each sample in the range to its context. The own time of a context is that of
 * its samples, its total time includes its callees. FALSE: an error while reading, or cancelled. */
gboolean tb_contexts_count_samples (TbContextsSummary *summary,
                                    TbSelection *selection,
                                    TbSelection *process,
                                    GCancellable *cancellable,
                                    GError **error);
const char *tb_contexts_sample_time_get_name (TbContextsSampleTime time);

G_END_DECLS
