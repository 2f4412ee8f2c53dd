/* tb-peaks-blame.h: calls that interrupts make slow, though their handlers take less than the calls themselves
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#pragma once

#include "tb-peaks-drill.h"
#include "tb-peaks-spans.h"

G_BEGIN_DECLS

/* (element-type guint64 double): running time of the wanted threads between two interrupts of a source, in the mean, by its key. */
GHashTable *
tb_peaks_measure_gaps (const TbPeaksCalls *calls, const TbPeaksInterrupts *interrupts, const guint8 *wanted);
/* What an interrupt costs before its handler begins and after it ends is seen by nobody, and in a virtual machine that is more
 * than the handler: a call's own time seems to be the longest part. Calls into which an interrupt comes far more often than by
 * chance are slow by it all the same, not by themselves; the rule of the paper then decides between the two, of the calls into
 * which it came and those into which none did. After tb_peaks_tree_finish(), with its percentage. */
void tb_peaks_blame_interrupts (TbPeaksDrill *drill, double percentage);

G_END_DECLS
