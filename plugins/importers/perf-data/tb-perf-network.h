/* tb-perf-network.h: tracepoints of sockets and network interfaces
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#pragma once

#include "tb-perf-tracepoint.h"

G_BEGIN_DECLS

/* What is known of each socket. */
typedef struct _TbPerfSockets TbPerfSockets;

TbPerfSockets *tb_perf_sockets_new (void);
void tb_perf_sockets_free (TbPerfSockets *self);

/* NULL if the tracepoint is none of these, or another one of the file tells the same better. */
TbPerfTracepoint *tb_perf_tracepoint_new_network (TbPerfImport *import, const TbPerfFormat *format);

G_END_DECLS
