/* fuzz-agent-status.c: fuzz target for the text of agent messages
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#include "config.h"

#include <stdlib.h>
#include <string.h>

#include "fuzz-target.h"
#include "agent-client/client/tb-agent-status.h"

/* A message that the decoder accepts becomes text, no longer than its parts allow. */
int
LLVMFuzzerTestOneInput (const uint8_t *data, size_t size)
{
  TbCaptureRecord record = { .type = TB_CAPTURE_STATUS, .status.kind = TB_CAPTURE_STATUS_WARNING };
  g_autofree char *text = NULL;
  uint16_t n_arguments;

  if (size < 4 || tb_capture_arguments_check (data + 4, size - 4, &n_arguments) != 0)
    return 0;
  record.status.code = (uint16_t) (data[0] | data[1] << 8);
  record.status.error = (data[2] | (unsigned) data[3] << 8) % (TB_CAPTURE_MAX_ERROR + 1);
  record.tail = data + 4;
  record.tail_length = (uint32_t) (size - 4);
  text = tb_agent_status_describe (&record);
  if (!g_utf8_validate (text, -1, NULL) || strlen (text) > 256 * 1024)
    abort ();
  for (guint i = 0; i < 5; i++)
    {
      g_autofree char *part = tb_agent_status_describe_part (&record, i);

      if (part != NULL && !g_utf8_validate (part, -1, NULL))
        abort ();
    }
  return 0;
}
