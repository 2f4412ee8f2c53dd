/* fuzz-agent-files.c: what the agent reads as root: build-ids of other people's files, descriptions of tracepoints
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "agent/tb-agent-modules.h"
#include "agent/tb-agent-tracefs.h"
#include "fuzz-target.h"

static void
read_elf (const uint8_t *data, size_t size)
{
  uint8_t build_id[TB_AGENT_MAX_BUILD_ID];
  int file = memfd_create ("fuzz", MFD_CLOEXEC);

  if (file < 0 || write (file, data, size) != (ssize_t) size)
    abort ();
  if (tb_agent_read_build_id (file, build_id) > sizeof build_id)
    abort ();
  close (file);
}

static void
read_format (const uint8_t *data, size_t size)
{
  static const char *const names[] = { "prev_pid", "args", "filename", "common_flags" };
  char *text = malloc (size + 1), letters[64];
  size_t length;

  if (text == NULL)
    abort ();
  memcpy (text, data, size);
  text[size] = '\0';
  tb_agent_format_get_id (text);
  tb_agent_format_get_state_letters (text, letters);
  for (size_t i = 0; i < sizeof names / sizeof names[0]; i++)
    {
      TbAgentField field = tb_agent_format_get_field (text, names[i]);

      /* The same bytes serve as a record. */
      tb_agent_field_read (&field, data, size);
      tb_agent_field_read_text (&field, data, size, &length);
      if (length > size)
        abort ();
    }
  free (text);
}

int
LLVMFuzzerTestOneInput (const uint8_t *data, size_t size)
{
  read_elf (data, size);
  read_format (data, size);
  return 0;
}
