/* tb-paint.h: names of the thread states and other looks (paints) that intervals of a timeline
 * have: stable name of each for JSON, translated label for the legend
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#pragma once

#include <glib.h>

#include "base/tb-export.h"

G_BEGIN_DECLS

/**
 * TbPaint:
 * @TB_PAINT_NONE: not drawn
 * @TB_PAINT_RUNNING: running on a CPU
 * @TB_PAINT_RUNNABLE: waiting for a CPU
 * @TB_PAINT_WAITING: sleeping
 * @TB_PAINT_DISK: waiting for a disk, or a device that serves a request
 * @TB_PAINT_UNINTERRUPTIBLE: sleeping, not to be ended by a signal
 * @TB_PAINT_STOPPED: stopped
 * @TB_PAINT_NETWORK: waiting for the network
 * @TB_PAINT_INTERRUPT: an interrupt
 * @TB_PAINT_LOST: events were lost; hatched
 * @TB_PAINT_UNKNOWN: not known
 * @TB_PAINT_ESTIMATED: running, as samples show; hatched
 *
 * The look of an interval; the legend shows the meanings.
 */
typedef enum
{
  TB_PAINT_NONE,
  TB_PAINT_RUNNING,
  TB_PAINT_RUNNABLE,
  TB_PAINT_WAITING,
  TB_PAINT_DISK,
  TB_PAINT_UNINTERRUPTIBLE,
  TB_PAINT_STOPPED,
  TB_PAINT_NETWORK,
  TB_PAINT_INTERRUPT,
  TB_PAINT_LOST,
  TB_PAINT_UNKNOWN,
  TB_PAINT_ESTIMATED,
} TbPaint;

/**
 * TB_N_PAINTS:
 *
 * Number of the values of [enum@Tailback.Paint]. A literal: the introspection of arrays of this
 * size does not evaluate enumerators.
 */
#define TB_N_PAINTS 12

TB_EXPORT const char *tb_paint_get_name (TbPaint paint);  /* stable, for JSON */
TB_EXPORT const char *tb_paint_get_label (TbPaint paint); /* translated, for the legend */

G_END_DECLS
