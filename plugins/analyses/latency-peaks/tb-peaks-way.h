/* tb-peaks-way.h: which calls came through a call path
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#pragma once

#include "tb-peaks-calls.h"

G_BEGIN_DECLS

#define TB_PEAKS_MAX_WAY 63

typedef enum
{
  TB_PEAKS_WAY_UNKNOWN, /* no whole stack tells */
  TB_PEAKS_WAY_OTHER,
  TB_PEAKS_WAY_THROUGH,
} TbPeaksWayAnswer;

typedef struct _TbPeaksWay TbPeaksWay;

/* path: "main/serve/read", as findings show it with arrows, too: functions, outermost first, of which each was called by the one
 * before it, other functions in between or not; "f@module" is of that module only. The operation itself may be the last. NULL with
 * error where it names none or too many. */
TbPeaksWay *tb_peaks_way_new (TbPeaksCalls *calls, const char *path, GError **error);
void tb_peaks_way_free (TbPeaksWay *self);
/* The functions. */
const char *const *tb_peaks_way_get_functions (const TbPeaksWay *self);
/* Of each row of a table. A call's own stack tells it; where none was recorded, one of a wait or a sample in it; else the probed
 * functions that it lies in, as far as they are on the path. NULL with error where columns cannot be read. */
guint8 *tb_peaks_way_follow (TbPeaksWay *self, const TbPeaksTable *table, GError **error);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (TbPeaksWay, tb_peaks_way_free)

G_END_DECLS
