/* tb-agent-libc.c: recognition of a C library, or a library that waits in its place, by its path
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#include <string.h>

#include "agent/base/tb-agent-libc.h"

int
tb_agent_libc_matches_path (const char *path)
{
  static const char *const prefixes[]
      = { "libc.so.6", "libc-2.", "libpthread.so.0", "libpthread-2.",
          "ld-linux",  "ld-2.",   "libstdc++.so.6",  "ld-musl-" };
  const char *base = strrchr (path, '/');

  base = base != NULL ? base + 1 : path;
  for (size_t i = 0; i < sizeof prefixes / sizeof *prefixes; i++)
    if (strncmp (base, prefixes[i], strlen (prefixes[i])) == 0)
      return 1;
  return 0;
}
