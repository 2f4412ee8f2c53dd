/* tb-peaks-parts.h: what the calls of each peak take their time for
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#pragma once

#include "tb-peaks-result.h"

G_BEGIN_DECLS

/* A source of interrupts that took time from calls of a peak. */
typedef struct
{
  TbInterruptKind kind;
  guint32 number;   /* of the interrupt, or of the kernel's list of soft ones */
  const char *name; /* of its handler; "" unknown */
  guint64 calls;    /* into which it came */
  guint64 maxcount; /* of them: in which it was among the largest */
  gint64 total_ns;  /* without what interrupted it */
  double expected;  /* calls into which it would come by chance, −1 not looked for */
  gboolean is_blamed;
} TbPeakInterrupt;

/* Those of a peak, most time first. (element-type TbPeakInterrupt) */
GArray *tb_peaks_list_interrupts (const TbPeaksResult *result, guint peak);
/* "interrupt 25 (vda)" */
char *tb_peaks_describe_interrupt (const TbPeakInterrupt *interrupt);
/* Of a node of an interrupt. */
TbPeakInterrupt tb_peaks_read_interrupt (const TbPeaksResult *result, const TbPeaksNode *node);
/* "hard", "soft", "timer", "nmi" */
const char *tb_peaks_get_interrupt_kind (TbInterruptKind kind);
/* Of a call of each peak on average; and all interrupts. */
void tb_peaks_add_parts (TbReport *report, const TbPeaksResult *result);

G_END_DECLS
