/* part.c: a plug-in of host.c, compiled once per plug-in; one of them contains the lag
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#include <stdint.h>
#include <sys/stat.h>

#include "turns.h"

#ifndef TURNS
#  define TURNS 0
#endif

__attribute__ ((noinline)) static uint64_t
smooth (uint64_t piece)
{
  for (int i = 0; i < 15000; i++)
    piece ^= piece << 13 ^ piece >> 7;
  return piece;
}

__attribute__ ((noinline)) static uint64_t
fit (uint64_t piece)
{
  struct stat status;

  for (int i = 0; i < 15000; i++)
    piece += piece >> 5 | 1;
  TAKE_TURNS (TURNS);
  stat ("/", &status);
  return piece + (uint64_t) status.st_nlink;
}

__attribute__ ((visibility ("default"))) uint64_t
handle (uint64_t piece)
{
  return smooth (fit (smooth (piece)) | turns >> 63) + 1;
}
