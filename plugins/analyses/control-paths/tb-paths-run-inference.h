/* tb-paths-run-inference.h: functions in which runs without samples took place, inferred from the
 * sleeps before and after them and from sampled runs between such sleeps, or guessed from a sample
 * next to a preemption
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#pragma once

#include "tb-paths-events.h"

G_BEGIN_DECLS

/* Learns from the sampled runs what runs between each pair of sleeps do. only_even: from every
 * second one. */
void
tb_paths_run_inference_learn (TbPathsEvents *self, const TbPathsModel *model, gboolean only_even);
/* The innermost function that contains both neighbouring sleeps of a run, found without its
 * samples. 0: none. */
guint32 tb_paths_run_inference_infer (TbPathsEvents *self, const TbPathsModel *model, guint32 run);
/* The nearest sample of a run that a preemption joins to this one. 0: none. */
guint32 tb_paths_run_inference_guess (TbPathsEvents *self, const TbPathsModel *model, guint32 run);

G_END_DECLS
