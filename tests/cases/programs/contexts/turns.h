/* turns.h: work of a length set by the environment, so that the same program is normal or slow
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#pragma once

#include <stdlib.h>

static unsigned long turns;

__attribute__ ((constructor)) static void
read_turns (void)
{
  const char *text = getenv ("CASE_TURNS");

  turns = text != NULL ? strtoul (text, NULL, 10) : 0;
}

/* Inline in the function itself, so that no call reveals it. */
#define TAKE_TURNS(n)                                                                              \
  for (unsigned long turn = 0; turn < (n); turn++)                                                 \
  __asm__ volatile ("")
