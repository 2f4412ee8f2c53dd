/* repeat.c: one operation repeated N times, with its time
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 *
 * usage: repeat stat N [PATH]      stat() of one file, called five functions deep
 *        repeat direct N FILE      N MiB of FILE at random places, past the page cache
 *
 * Prints wall time and processor time in ns.
 */

#ifndef _GNU_SOURCE
#  define _GNU_SOURCE
#endif

#include <fcntl.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#define CHUNK (1u << 20)
#define LEVEL(name, inner)                                                                         \
  __attribute__ ((noinline, noclone, noipa)) static int name (const char *path)                    \
  {                                                                                                \
    int result = inner (path);                                                                     \
                                                                                                   \
    __asm__ volatile ("nop" ::: "memory");                                                         \
    return result;                                                                                 \
  }

static uint64_t
read_clock (clockid_t clock)
{
  struct timespec time;

  clock_gettime (clock, &time);
  return (uint64_t) time.tv_sec * 1000000000u + (uint64_t) time.tv_nsec;
}

__attribute__ ((noinline, noclone, noipa)) static int
level_5 (const char *path)
{
  struct stat status;
  int result = stat (path, &status);

  __asm__ volatile ("nop" ::: "memory");
  return result;
}

LEVEL (level_4, level_5)
LEVEL (level_3, level_4)
LEVEL (level_2, level_3)
LEVEL (level_1, level_2)

static int
read_directly (const char *path, long n)
{
  int file = open (path, O_RDONLY | O_DIRECT);
  uint64_t state = 88172645463325252u;
  off_t length = file >= 0 ? lseek (file, 0, SEEK_END) : 0;
  void *buffer;

  if (length < CHUNK || posix_memalign (&buffer, 4096, CHUNK) != 0)
    return 1;
  for (long i = 0; i < n; i++)
    {
      state ^= state << 13;
      state ^= state >> 7;
      state ^= state << 17;
      if (pread (file, buffer, CHUNK, (off_t) (state % ((uint64_t) length / CHUNK)) * CHUNK)
          != CHUNK)
        return 1;
    }
  free (buffer);
  close (file);
  return 0;
}

int
main (int argc, char **argv)
{
  long n = argc > 2 ? atol (argv[2]) : 1;
  const char *path = argc > 3 ? argv[3] : "/";
  uint64_t begin = read_clock (CLOCK_MONOTONIC), used = read_clock (CLOCK_PROCESS_CPUTIME_ID);
  int failed = 0;

  if (argc > 3 && strcmp (argv[1], "direct") == 0)
    failed = read_directly (argv[3], n);
  else
    for (long i = 0; i < n && !failed; i++)
      failed = level_1 (path) != 0;
  printf ("%llu %llu\n", (unsigned long long) (read_clock (CLOCK_MONOTONIC) - begin),
          (unsigned long long) (read_clock (CLOCK_PROCESS_CPUTIME_ID) - used));
  return failed;
}
