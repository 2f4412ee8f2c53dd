/* tb-latency-edges.h: where a function is seen to begin, and to end, by cheap probes alone
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
  TB_LATENCY_STEP_BARRIER = 1 << 2,  /* it takes its time, or nobody knows where it goes */
  TB_LATENCY_STEP_DEAD_END = 1 << 3, /* nothing comes back from there */
  TB_LATENCY_STEP_TARGET = 1 << 4,   /* of a jump */
  TB_LATENCY_STEP_REACHED = 1 << 5,
} TbLatencyStepFlags;

/* An instruction. */
typedef struct
{
  guint flags;
  guint next[2]; /* which may follow, G_MAXUINT none */
} TbLatencyStep;

/* Of all ways from the first on: an instruction that each of them begins with, first, and then some of which each that ends in a
 * return meets one, with nothing behind it but what takes no time. (element-type guint) (transfer full): empty if there are none. */
GArray *tb_latency_edges_find (const TbLatencyStep *steps, guint n);

G_END_DECLS
