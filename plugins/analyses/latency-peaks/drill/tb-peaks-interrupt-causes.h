/* tb-peaks-interrupt-causes.h: search for interrupts that are root causes because they occur in
 * slow calls more often than by chance, although their handlers are short; mean running time
 * between interrupts
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#pragma once

#include "tb-peaks-drill.h"
#include "calls/tb-peaks-spans.h"

G_BEGIN_DECLS

/* (element-type guint64 double): mean running time of the wanted threads between two interrupts of
 * a source, by the key of the source. */
GHashTable *tb_peaks_measure_interrupt_gaps (const TbPeaksCalls *calls,
                                             const TbPeaksInterrupts *interrupts,
                                             const guint8 *wanted);
/* The cost of an interrupt before its handler begins and after it ends is not recorded. In a
 * virtual machine it is larger than the handler itself, so that the call's own time appears to be
 * the longest part. Calls that are interrupted far more often than by chance are slow because of
 * the interrupt, not because of their own code. The rule of the paper then decides between the two,
 * from the number of calls with and without an interrupt. To be called after
 * tb_peaks_tree_finish(), with the same percentage. */
void tb_peaks_find_interrupt_causes (TbPeaksDrill *drill, double percentage);

G_END_DECLS
