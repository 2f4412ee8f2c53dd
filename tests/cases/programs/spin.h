/* spin.h: running for a given time
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#pragma once

#include <stdint.h>
#include <time.h>

#define NOINLINE __attribute__ ((noinline, noclone, noipa))
#define KEEP_FRAME __asm__ volatile ("" ::: "memory")

static double factor; /* ticks of the processor's clock per ns */

static uint64_t
now (void)
{
  struct timespec time;

  clock_gettime (CLOCK_MONOTONIC, &time);
  return (uint64_t) time.tv_sec * 1000000000u + (uint64_t) time.tv_nsec;
}

/* Spins by the processor's own clock without a call, so that the time is right on a busy machine
 * too, where the other hardware thread of the core slows it to a third. */
#if defined(__x86_64__)
#  define TICKS() __builtin_ia32_rdtsc ()
#elif defined(__aarch64__)
#  define TICKS()                                                                                  \
    __extension__ ({                                                                               \
      uint64_t ticks;                                                                              \
                                                                                                   \
      __asm__ volatile ("mrs %0, cntvct_el0" : "=r"(ticks));                                       \
      ticks;                                                                                       \
    })
#else
#  error "Which counter of this processor can be read without a call?"
#endif

#define SPIN(ns)                                                                                   \
  do                                                                                               \
    for (uint64_t begin = TICKS (), length = (uint64_t) ((ns) * factor);                           \
         TICKS () - begin < length;)                                                               \
      ;                                                                                            \
  while (0)

static void
calibrate (void)
{
  uint64_t begin = now (), begin_ticks = TICKS (), end;

  while ((end = now ()) - begin < 20000000)
    ;
  factor = (double) (TICKS () - begin_ticks) / (double) (end - begin);
}
