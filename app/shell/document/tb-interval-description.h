/* tb-interval-description.h: title and sentences that describe an interval of a thread in a trace:
 * what it did, or waited for and what ended the wait
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#pragma once

#include "trace/tb-trace.h"

G_BEGIN_DECLS

char *tb_interval_describe_title (TbTrace *trace, gsize interval);
char *tb_interval_describe (TbTrace *trace, gsize interval);

G_END_DECLS
