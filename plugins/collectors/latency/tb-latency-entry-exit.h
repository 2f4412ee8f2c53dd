/* tb-latency-entry-exit.h: choice, in a function's control-flow graph, of instructions at which
 * cheap probes record its beginning and its end
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#pragma once

#include <glib.h>

G_BEGIN_DECLS

typedef enum
{
  TB_LATENCY_STEP_CHEAP = 1 << 0,
  TB_LATENCY_STEP_RETURN = 1 << 1,
  TB_LATENCY_STEP_BARRIER = 1 << 2,  /* it takes time, or its target is unknown */
  TB_LATENCY_STEP_DEAD_END = 1 << 3, /* control flow does not return from there */
  TB_LATENCY_STEP_TARGET = 1 << 4,   /* target of a jump */
  TB_LATENCY_STEP_REACHED = 1 << 5,
} TbLatencyStepFlags;

/* An instruction in the control-flow graph */
typedef struct
{
  guint flags;
  guint next[2]; /* possible successors, G_MAXUINT: none */
} TbLatencyStep;

/* (element-type guint) (transfer full): first an instruction with which all paths from the first
 * one begin. Then instructions of which each path that ends in a return meets exactly one, with no
 * time-consuming instruction behind it. Empty if there are none. */
GArray *tb_latency_find_entry_and_exits (const TbLatencyStep *steps, guint n);

G_END_DECLS
