/* tb-peaks-longest.h: the longest calls of a search that went on while they were made
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#pragma once

#include "tb-peaks-result.h"

G_BEGIN_DECLS

/* A table, each row with its thread and time; nothing of a recording, or where none were kept. */
void tb_peaks_add_longest (TbReport *report, const TbPeaksResult *result);

G_END_DECLS
