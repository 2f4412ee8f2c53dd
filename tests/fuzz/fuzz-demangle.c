/* fuzz-demangle.c: fuzz target for mangled names of functions
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#include "config.h"

#include <string.h>

#include "fuzz-target.h"
#include "symbols/tb-demangle-private.h"

int
LLVMFuzzerTestOneInput (const uint8_t *data, size_t size)
{
  g_autofree char *text = g_strndup ((const char *) data, size);
  g_auto (GStrv) lines = g_strsplit (text, "\n", -1);

  for (guint i = 0; lines[i] != NULL; i++)
    {
      g_autofree char *name = tb_demangle (lines[i]);

      g_assert_nonnull (name);
    }
  return 0;
}
