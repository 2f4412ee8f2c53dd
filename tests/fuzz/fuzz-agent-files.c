/* fuzz-agent-files.c: fuzz target for files that the agent reads as root: build IDs of other users'
 * files, unwind tables, tracepoint formats, process maps, the kernel's BTF type information
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "agent/base/tb-agent-btf.h"
#include "agent/core/tb-agent-modules.h"
#include "agent/core/tb-agent-address-map.h"
#include "agent/base/tb-agent-tracefs.h"
#include "agent/base/tb-agent-unwind-table.h"
#include "fuzz-target.h"

#define MAX_ROWS 100000

static void
read_elf (const uint8_t *data, size_t size)
{
  TbAgentUnwindTable table;
  uint8_t build_id[TB_AGENT_MAX_BUILD_ID];
  int file = memfd_create ("fuzz", MFD_CLOEXEC);

  if (file < 0 || write (file, data, size) != (ssize_t) size)
    abort ();
  if (tb_agent_read_build_id (file, build_id) > sizeof build_id)
    abort ();
  if (tb_agent_unwind_table_read (&table, file, MAX_ROWS) == 0 && table.n > MAX_ROWS)
    abort ();
  for (size_t i = 1; i < table.n; i++)
    if (table.rows[i] >> 32 <= table.rows[i - 1] >> 32)
      abort ();
  tb_agent_unwind_table_clear (&table);
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

/* The first bytes are the address to look up. */
static void
read_maps (const uint8_t *data, size_t size)
{
  int file = open ("/dev/null", O_WRONLY | O_CLOEXEC);
  TbAgentOutput *output = tb_agent_output_new (file, 1 << 20, 0);
  char *text = malloc (size + 1);
  TbAgentModules modules;
  uint64_t address = 0;
  TbAgentLocation place;

  if (text == NULL)
    abort ();
  tb_agent_modules_init (&modules, output);
  memcpy (&address, data, size < sizeof address ? size : sizeof address);
  memcpy (text, data, size);
  text[size] = '\0';
  tb_agent_address_map_find_in_text (text, &modules, output, 1, address, &place);
  tb_agent_address_map_find_in_text (text, &modules, output, 1, 0x1000, &place);
  tb_agent_modules_clear (&modules);
  tb_agent_output_close (output);
  close (file);
  free (text);
}

static void
read_types (const uint8_t *data, size_t size)
{
  static const char *const names[] = { "runqueues", "__preempt_count" };
  uint32_t offsets[2], offset;

  tb_agent_btf_find_cpu_variables (data, size, names, offsets, 2);
  tb_agent_btf_find_member (data, size, "pcpu_hot", "preempt_count", &offset);
}

int
LLVMFuzzerTestOneInput (const uint8_t *data, size_t size)
{
  read_elf (data, size);
  read_format (data, size);
  read_maps (data, size);
  read_types (data, size);
  return 0;
}
