/* tb-peaks-requests.h: the requests to devices, where they lie on them and how many there were at a time
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#pragma once

#include "tb-peaks-spans.h"

G_BEGIN_DECLS

typedef struct
{
  const TbPeaksTable *table;
  gint64 *distance; /* by row: sectors from the end of the request to the device that was issued before */
  gint64 *depth;    /* requests in the device, itself included */
  TbPeaksIndex index;
} TbPeaksRequests;

/* In the order in which requests were issued to each device. */
gboolean tb_peaks_requests_init (TbPeaksRequests *self, const TbPeaksCalls *calls, GError **error);
void tb_peaks_requests_clear (TbPeaksRequests *self);
/* How long the device worked on it. */
gint64 tb_peaks_requests_get_service (const TbPeaksRequests *self, guint32 row);
/* Of a thread's requests that were completed in a time, and which a call can have waited for: the one that the device worked on
 * longest in it; n: how many there are. TB_ID_NONE: there is none. */
guint32
tb_peaks_requests_find (const TbPeaksRequests *self, guint32 thread, gint64 enter, gint64 exit, guint *n);

G_END_DECLS
