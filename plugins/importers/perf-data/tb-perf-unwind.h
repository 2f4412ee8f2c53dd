/* tb-perf-unwind.h: user stacks that were dumped instead of walked
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#pragma once

#include "symbols/tb-unwinder.h"
#include "tb-perf-import-private.h"

G_BEGIN_DECLS

/* NULL where the file has no dumps, or those of a machine that cannot be unwound here (said in a warning). */
TbUnwinder *tb_perf_unwind_new (TbPerfImport *import);

/* Walks the dump of a sample and puts the user part behind the kernel's part of the event's chain. */
void tb_perf_unwind_sample (TbPerfImport *import,
                            const TbPerfAttr *attr,
                            const TbPerfSample *sample,
                            TbEvent *event);

G_END_DECLS
