/* fuzz-capture.c: fuzz target for the stream from the agent
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#include "fuzz-capture-stream.h"

int
LLVMFuzzerTestOneInput (const uint8_t *data, size_t size)
{
  return fuzz_capture_stream (TB_CAPTURE_FROM_AGENT, data, size);
}
