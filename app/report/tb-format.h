/* tb-format.h: durations, times, shares, sizes, counts and amounts as user-visible text
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#pragma once

#include <glib.h>

#include "base/tb-export.h"

G_BEGIN_DECLS

/* User-visible format of durations and shares: "12.5 ms", "31 %". */
TB_EXPORT char *tb_format_duration (gint64 ns);
TB_EXPORT char *tb_format_share (double share);
TB_EXPORT char *tb_format_bytes (guint64 bytes);
TB_EXPORT char *tb_format_count (guint64 count);
TB_EXPORT char *tb_format_amount (guint64 amount, const char *unit);
/* User-visible format of times since the start of the recording: "160.2 ms". */
TB_EXPORT char *tb_format_time (gint64 time, gint64 resolution);
TB_EXPORT char *tb_format_time_in (gint64 time, gint64 unit, guint decimals);

G_END_DECLS
