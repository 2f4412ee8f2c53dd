/* tb-peaks-composition.h: figures of the mean composition of a call of each peak, and of the
 * interrupts that took time from it; list and names of these interrupts
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#pragma once

#include "tb-peaks-result.h"

G_BEGIN_DECLS

/* A source of interrupts that took time from the calls of a peak. */
typedef struct
{
  TbInterruptKind kind;
  guint32 number;   /* interrupt number, or softirq number */
  const char *name; /* name of its handler; "" if unknown */
  guint64 calls;    /* number of interrupted calls */
  guint64 maxcount; /* those of the calls in which it was among the largest contributors */
  gint64 total_ns;  /* without the handlers that interrupted it */
  double expected;  /* expected number of interrupted calls by chance, −1 not computed */
  gboolean is_frequent_cause;
} TbPeakInterrupt;

/* The interrupts of a peak, by descending time. (element-type TbPeakInterrupt) */
GArray *tb_peaks_list_interrupts (const TbPeaksResult *result, guint peak);
/* "interrupt 25 (vda)" */
char *tb_peaks_describe_interrupt (const TbPeakInterrupt *interrupt);
/* The interrupt source of an interrupt node. */
TbPeakInterrupt tb_peaks_read_interrupt (const TbPeaksResult *result, const TbPeaksNode *node);
/* "hard", "soft", "timer", "nmi" */
const char *tb_peaks_get_interrupt_kind (TbInterruptKind kind);
/* Adds figures of the mean composition of a call for each peak, and of all interrupts. */
void tb_peaks_add_parts (TbReport *report, const TbPeaksResult *result);

G_END_DECLS
