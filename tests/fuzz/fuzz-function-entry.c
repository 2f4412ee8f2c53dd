/* fuzz-function-entry.c: fuzz target for the code of a function of unknown length
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#include "config.h"

#include "fuzz-target.h"
#include "agent-client/probes/tb-function-entry.h"

int
LLVMFuzzerTestOneInput (const uint8_t *data, size_t size)
{
  guint place = tb_function_entry_find (data, size);

  g_assert_true (place == 0
                 || (place < size && tb_function_entry_is_cheap (data + place, size - place)));
  return 0;
}
