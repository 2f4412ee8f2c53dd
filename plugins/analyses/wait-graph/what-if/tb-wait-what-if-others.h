/* tb-wait-what-if-others.h: what those who are not played had of the cpus, and would have
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#pragma once

#include "what-if/tb-wait-what-if-predictor.h"

G_BEGIN_DECLS

/* By thread: whether it is the recorder's. (transfer full) */
guint8 *tb_wait_find_recorder (TbTrace *trace);
/* How much later it may be, as a logarithm, if others take as much as they had of what no longer is free of the cpus, as far as
 * they get it: where both wanted a cpu, the recording tells who did. Recorders of Tailback are nobody: the load is predicted
 * as it is without them. length, changed: what replays without the change and with it took. */
double
tb_wait_others_measure (const TbWaitPredictor *self, const TbWaitCase *what, double length, double changed);

G_END_DECLS
