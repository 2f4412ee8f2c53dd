/* tb-peaks-attributes.h: attributes of calls (thread, CPU, state, arguments, preceding call, device
 * request …), read for a sample of calls; those that discriminate a peak best (by
 * tb-peaks-discrimination.c), as text
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#pragma once

#include "tb-peaks-discrimination.h"
#include "calls/tb-peaks-calls.h"
#include "latency-state/tb-peaks-detection.h"

G_BEGIN_DECLS

typedef struct
{
  const char *variable; /* stable name for JSON */
  const char *label;    /* name for display */
  char *value;          /* value for JSON */
  char *text;           /* value for display */
  gboolean is_preferred;
  TbPeakAssociation association;
} TbPeakAttribute;

/* For each requested peak, the attributes of its calls, the most informative first; files, sizes,
 * flags and results come before others that predict hardly better, and addresses are left out:
 * (element-type GArray(TbPeakAttribute)); empty for other peaks. At most this many calls of a peak,
 * and of the other calls, are sampled at even spacing. */
#define TB_PEAKS_MAX_SAMPLED 20000
GPtrArray *tb_peaks_find_attributes (const TbPeaksCalls *calls,
                                     const TbPeaksOperation *operation,
                                     const GArray *rows,
                                     const GArray *ranges,
                                     const guint8 *requested,
                                     GError **error);

G_END_DECLS
