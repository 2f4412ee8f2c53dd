/* fuzz-capture-control.c: fuzz target for the stream to the agent
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#include "fuzz-capture-stream.h"

int
LLVMFuzzerTestOneInput (const uint8_t *data, size_t size)
{
  return fuzz_capture_stream (TB_CAPTURE_FROM_CLIENT, data, size);
}
