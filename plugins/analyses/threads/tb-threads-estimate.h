/* tb-threads-estimate.h: intervals in which a thread of unknown state ran, estimated from its
 * samples
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#pragma once

#include "tb-threads-samples.h"

G_BEGIN_DECLS

/* The life of a thread without known states, as intervals that follow one another: estimated
 * running, and unknown. Returns FALSE if its samples do not show how long it ran. */
gboolean tb_threads_estimate (TbThreadsSummary *summary,
                              const TbThreadsSamples *samples,
                              const TbThreadSummary *thread,
                              gsize *n,
                              GBytes **start,
                              GBytes **end,
                              GBytes **paint);

G_END_DECLS
