/* tb-track.h: what a cpu, a device or an interrupt handler did over time
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#pragma once

#include "trace/tb-trace.h"

G_BEGIN_DECLS

/**
 * TbTrack:
 * @n: how many intervals
 * @start: (type guint64): gint64 starts, ns, ascending
 * @end: gint64 ends; no interval reaches into the next
 * @item: guint32: for a cpu the row of the interval table that ran, for devices and interrupts the row of the first request
 *   or handler
 * @count: guint32: how many requests or handlers make up the interval, NULL for cpus
 *
 * Intervals of something that is no thread, as columns to share without copying.
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
 * @TB_DEVICE_TRACK_SERVICE: requests that the device works on
 * @TB_DEVICE_TRACK_QUEUE: requests that wait for the device
 */
typedef enum
{
  TB_DEVICE_TRACK_SERVICE,
  TB_DEVICE_TRACK_QUEUE,
} TbDeviceTrackKind;

/**
 * TbInterruptSource:
 * @kind: hard, soft, timer, …
 * @vector: irq number or softirq vector
 * @name: of the handler, "" unknown
 * @count: how many handlers ran
 * @total_ns: how long they ran
 * @host: on whose cpus they ran, %TB_ID_NONE not known
 *
 * A source of interrupts that occurred. Hosts have their own.
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
TB_EXPORT const TbTrack *tb_trace_get_device_track (TbTrace *self, guint32 device, TbDeviceTrackKind kind);
TB_EXPORT const TbInterruptSource *tb_trace_get_interrupt_sources (TbTrace *self, guint *n_sources);
TB_EXPORT const TbTrack *tb_trace_get_interrupt_track (TbTrace *self, guint source);

G_END_DECLS
