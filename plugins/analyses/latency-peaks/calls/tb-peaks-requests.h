/* tb-peaks-requests.h: device requests: seek distance, queue depth and service time of each, and
 * the request that a call waited for
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#pragma once

#include "tb-peaks-spans.h"

G_BEGIN_DECLS

typedef struct
{
  const TbPeaksTable *table;
  /* by row: distance in sectors from the end of the request issued before to the same device */
  gint64 *distance;
  gint64 *depth; /* requests in the device, including this one */
  TbPeaksIndex index;
} TbPeaksRequests;

/* Computes both in the order in which requests were issued to each device. */
gboolean tb_peaks_requests_init (TbPeaksRequests *self, const TbPeaksCalls *calls, GError **error);
void tb_peaks_requests_clear (TbPeaksRequests *self);
/* The time for which the device processed the request. */
gint64 tb_peaks_requests_get_service (const TbPeaksRequests *self, guint32 row);
/* The request that a call can have waited for, among those of its thread that were completed in the
 * call: the one that the device processed longest during the call. n: number of such requests.
 * TB_ID_NONE: there is none. */
guint32 tb_peaks_requests_find (const TbPeaksRequests *self,
                                guint32 thread,
                                gint64 enter,
                                gint64 exit,
                                guint *n);

G_END_DECLS
