/* measure.h: measurements that the programs of the cases report, to compare with a recording
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 *
 * tell() appends "NAME NANOSECONDS" to the file named by CASE_MEASURES; the reader adds up lines of
 * the same name.
 */

#pragma once

#include <fcntl.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>
#include <unistd.h>

static inline int64_t
read_clock (clockid_t clock)
{
  struct timespec time;

  clock_gettime (clock, &time);
  return (int64_t) time.tv_sec * 1000000000 + time.tv_nsec;
}

static inline int64_t
wall_ns (void)
{
  return read_clock (CLOCK_MONOTONIC);
}

static inline int64_t
cpu_ns (void)
{
  return read_clock (CLOCK_PROCESS_CPUTIME_ID);
}

static inline void
report (const char *name, int64_t ns)
{
  const char *path = getenv ("CASE_MEASURES");
  int file = path ? open (path, O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0666) : -1;

  if (file < 0)
    return;
  if (dprintf (file, "%s %lld\n", name, (long long) ns) < 0)
    perror (path);
  close (file);
}

/* Work that no compiler removes: about a nanosecond per step. */
__attribute__ ((noinline, unused)) static uint64_t
compute (uint64_t steps)
{
  uint64_t value = steps;

  for (uint64_t i = 0; i < steps; i++)
    value = value * 6364136223846793005u + 1442695040888963407u;
  __asm__ volatile ("" : : "r"(value));
  return value;
}
