/* tb-peaks-sites.h: where the functions of a drill-down are called from
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#pragma once

#include "tb-peaks-drill.h"

G_BEGIN_DECLS

/* Of the functions that root causes are made up of: "wal.c:120", "libc.so.6+0x8f2a1", "0x55d0c0ffee10". */
gboolean tb_peaks_find_call_sites (TbPeaksDrill *drill, GError **error);

G_END_DECLS
