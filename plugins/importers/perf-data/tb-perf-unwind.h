/* tb-perf-unwind.h: user stacks dumped with the samples of a perf.data file: creation of the
 * unwinder (TbUnwinder), or a warning if their machine is not supported; its result replaces the
 * user part of a sample's call chain (mappings: tb-perf-records.c)
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#pragma once

#include "symbols/tb-unwinder.h"
#include "tb-perf-import-private.h"

G_BEGIN_DECLS

/* Returns NULL if the file has no dumps, or if they are of an unsupported machine, which adds a
 * warning. */
TbUnwinder *tb_perf_unwind_new (TbPerfImport *import);

/* Unwinds the dump of a sample and appends the user part to the kernel part of the event's
 * chain. */
void tb_perf_unwind_sample (TbPerfImport *import,
                            const TbPerfAttr *attr,
                            const TbPerfSample *sample,
                            TbEvent *event);

G_END_DECLS
