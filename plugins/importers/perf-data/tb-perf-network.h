/* tb-perf-network.h: conversion of tracepoint records of sockets and network interfaces in a
 * perf.data file into network events, with the known addresses of each socket
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#pragma once

#include "tb-perf-tracepoint.h"

G_BEGIN_DECLS

/* Known addresses of each socket. */
typedef struct _TbPerfSockets TbPerfSockets;

TbPerfSockets *tb_perf_sockets_new (void);
void tb_perf_sockets_free (TbPerfSockets *self);

/* Returns NULL if it is another kind of tracepoint, or if another one in the file has the same
 * events with more detail. */
TbPerfTracepoint *tb_perf_tracepoint_new_network (TbPerfImport *import, const TbPerfFormat *format);

G_END_DECLS
