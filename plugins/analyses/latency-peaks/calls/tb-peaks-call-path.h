/* tb-peaks-call-path.h: test of calls against a required call path, such as main/serve/read:
 * whether a stack of the call, of a wait or sample in it, else the probed functions around it show
 * these functions
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#pragma once

#include "tb-peaks-tables.h"

G_BEGIN_DECLS

#define TB_PEAKS_MAX_CALL_PATH 63

typedef enum
{
  TB_PEAKS_CALL_PATH_UNKNOWN, /* no complete stack shows the path */
  TB_PEAKS_CALL_PATH_DIFFERS,
  TB_PEAKS_CALL_PATH_MATCHES,
} TbPeaksCallPathMatch;

typedef struct _TbPeaksCallPath TbPeaksCallPath;

/* path: "main/serve/read", also with arrows as in findings: functions, outermost first, each called
 * directly or indirectly by the one before it; "f@module" restricts f to that module. The operation
 * itself may be the last. NULL with error if it names none or too many. */
TbPeaksCallPath *tb_peaks_call_path_new (TbPeaksCalls *calls, const char *path, GError **error);
void tb_peaks_call_path_free (TbPeaksCallPath *self);
/* The functions of the path. */
const char *const *tb_peaks_call_path_get_functions (const TbPeaksCallPath *self);
/* The answer for each row of a table. The call's own stack decides; if none was recorded, a stack
 * of a wait or a sample in the call; else the probed functions that contain it, as far as they are
 * on the path. NULL with error if columns cannot be read. */
guint8 *tb_peaks_call_path_match (TbPeaksCallPath *self, const TbPeaksTable *table, GError **error);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (TbPeaksCallPath, tb_peaks_call_path_free)

G_END_DECLS
