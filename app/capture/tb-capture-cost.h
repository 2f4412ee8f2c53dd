/* tb-capture-cost.h: measured costs of recording and of wake-ups on a machine, as the agent sends
 * them in a record
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#pragma once

#include <stdint.h>

/* Classes of wake-ups by how long the CPU of the woken thread had been idle, ns. 0: it is the
 * waker's CPU, which is not idle. */
#define TB_CAPTURE_N_IDLES 4u
#define TB_CAPTURE_IDLES_NS { 0, 20000, 320000, 5120000 }

/* Measured by the agent, ns of CPU time each. 0: could not be measured. */
typedef struct
{
  /* one switch between two threads, including the wake-up, the write and the read that cause it */
  uint64_t plain;
  /* the same while switches and wake-ups are recorded, with the stacks requested in QUERY */
  uint64_t recorded;
  /* one call of a function with probes at its entry and return */
  uint64_t probed;
  uint64_t switches;                   /* switches per second of all CPUs before the measurement */
  uint64_t waking[TB_CAPTURE_N_IDLES]; /* cost of a wake-up to the waker, by idle class */
  /* cost of waking a thread that is queued behind another one on another CPU */
  uint64_t queueing;
  uint64_t preempting; /* cost of waking a thread that preempts another one on another CPU */
} TbCaptureCost;
