/* tb-capture-cost.h: what recording and waking cost on a machine, as its agent tells
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#pragma once

#include <stdint.h>

/* How long the cpu of a thread that is woken was idle: it was its waker's, not idle at all, or for so long. */
#define TB_CAPTURE_N_IDLES 4u
#define TB_CAPTURE_IDLES_NS { 0, 20000, 320000, 5120000 }

/* As the agent has measured it, ns of cpu time each; 0: could not be measured. */
typedef struct
{
  uint64_t
      plain; /* one switch between two threads, with the waking, the writing and the reading that lead to it */
  uint64_t
      recorded;    /* the same while switches and wakings are recorded, with the stacks that QUERY asks for */
  uint64_t probed; /* one call of a function whose entry and return are probed */
  uint64_t switches;                   /* a second, of all cpus, before that */
  uint64_t waking[TB_CAPTURE_N_IDLES]; /* what waking a thread takes of who does */
  uint64_t queueing;   /* what waking a thread takes that is put behind another on another cpu */
  uint64_t preempting; /* and one that gets that cpu at once */
} TbCaptureCost;
