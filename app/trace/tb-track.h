/* tb-track.h: tracks: runs on a CPU, service and queue times of a device, handler runs of an
 * interrupt source; list of the interrupt sources of a trace
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#pragma once

#include "trace/tb-trace.h"

G_BEGIN_DECLS

/**
 * TbTrack:
 * @n: number of intervals
 * @start: (type guint64): gint64 starts, ns, ascending
 * @end: gint64 ends; no interval reaches into the next
 * @item: guint32: for a CPU the row of the running interval, for devices and interrupts the row of
 *   the first request or handler
 * @count: guint32: number of requests or handlers in the interval, NULL for CPUs
 *
 * Intervals of a CPU, a device or an interrupt source, as columns that are shared without copying.
 */
typedef struct
{
  gsize n;
  GBytes *start;
  GBytes *end;
  GBytes *item;
  GBytes *count;
} TbTrack;

/**
 * TbDeviceTrackKind:
 * @TB_DEVICE_TRACK_SERVICE: the device processes requests
 * @TB_DEVICE_TRACK_QUEUE: requests wait for the device
 *
 * What the intervals of the track of a device are.
 */
typedef enum
{
  TB_DEVICE_TRACK_SERVICE,
  TB_DEVICE_TRACK_QUEUE,
} TbDeviceTrackKind;

/**
 * TbInterruptSource:
 * @kind: hard, soft, timer, …
 * @vector: IRQ number or softirq vector
 * @name: name of the handler, "" if unknown
 * @count: number of handler runs
 * @total_ns: their total run time
 * @host: host on which they ran, %TB_ID_NONE if not known
 *
 * A source of interrupts that occurred. Each host has its own sources.
 */
typedef struct
{
  TbInterruptKind kind;
  guint32 vector;
  const char *name;
  guint64 count;
  gint64 total_ns;
  guint32 host;
} TbInterruptSource;

TB_EXPORT guint tb_trace_get_n_cpus (TbTrace *self);
TB_EXPORT guint32 tb_trace_get_cpu_host (TbTrace *self, guint cpu);
TB_EXPORT const TbTrack *tb_trace_get_cpu_track (TbTrace *self, guint cpu);
TB_EXPORT const TbTrack *
tb_trace_get_device_track (TbTrace *self, guint32 device, TbDeviceTrackKind kind);
TB_EXPORT const TbInterruptSource *tb_trace_get_interrupt_sources (TbTrace *self, guint *n_sources);
TB_EXPORT const TbTrack *tb_trace_get_interrupt_track (TbTrace *self, guint source);

G_END_DECLS
