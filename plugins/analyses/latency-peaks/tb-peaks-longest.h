/* tb-peaks-longest.h: the longest calls of a search that went on while they were made
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#pragma once

#include "tb-peaks-result.h"

G_BEGIN_DECLS

/* A table, each row with its thread and time; nothing of a recording, or where none were kept. */
void tb_peaks_add_longest (TbReport *report, const TbPeaksResult *result);
/* What leads on from the longest of them to its control paths. */
void tb_peaks_add_longest_finding (TbReport *report, const TbPeaksResult *result);
/* The longest of all: its thread, TB_ID_NONE nobody knows it, and its time, ns. FALSE: none was kept. */
gboolean tb_peaks_get_longest (const TbPeaksResult *result, guint32 *thread, gint64 *from, gint64 *to);
/* One call alone cannot be looked into: error says what can be asked of the one that ran at that time. */
void tb_peaks_refuse_call (const TbPeaksResult *result, gint64 time, GError **error);

G_END_DECLS
