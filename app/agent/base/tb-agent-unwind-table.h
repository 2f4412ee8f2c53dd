/* tb-agent-unwind-table.h: unwind table of an ELF file for the BPF programs, made from its call
 * frame information
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#pragma once

#include <stddef.h>
#include <stdint.h>

/* Rows as in tb-bpf-unwind-table.h, by ascending offset */
typedef struct
{
  uint64_t *rows;
  size_t n;
  size_t capacity;
} TbAgentUnwindTable;

/* Reads the table of a file; -1 if it has none that is supported, or one of more than max_rows. The
 * rows must be freed in both cases. */
int tb_agent_unwind_table_read (TbAgentUnwindTable *self, int file, size_t max_rows);
void tb_agent_unwind_table_clear (TbAgentUnwindTable *self);
