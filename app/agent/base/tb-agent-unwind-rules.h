/* tb-agent-unwind-rules.h: interpreter of the call frame instructions of a function (DWARF 5,
 * 6.4.2), which gives a rule for each of its parts
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#pragma once

#include <stddef.h>
#include <stdint.h>

/* Bytes that are read in order. Every read checks the length. */
typedef struct
{
  const uint8_t *at;
  const uint8_t *end;
  int failed; /* the bytes did not suffice */
} TbAgentBytes;

uint64_t tb_agent_bytes_take (TbAgentBytes *self, size_t size);
uint64_t tb_agent_bytes_take_leb (TbAgentBytes *self);
int64_t tb_agent_bytes_take_signed_leb (TbAgentBytes *self);
/* The bytes that are skipped; an empty part if there are fewer. */
TbAgentBytes tb_agent_bytes_take_part (TbAgentBytes *self, uint64_t size);

/* What many functions have in common: a common information entry */
typedef struct
{
  uint64_t code_factor;
  int64_t data_factor;
  uint8_t encoding; /* of addresses, DW_EH_PE_* */
  uint8_t has_augmentation;
  uint8_t is_signal; /* the frame of a signal handler */
  TbAgentBytes instructions;
} TbAgentUnwindCommon;

/* Called for each part, by ascending address; rule: as in tb-bpf-unwind-table.h */
typedef void (*TbAgentUnwindFunc) (uint64_t address, uint32_t rule, void *data);

/* Interprets the instructions of the function at begin. Instructions that are not supported or
 * incomplete end it with an unknown rule. */
void tb_agent_unwind_interpret (const TbAgentUnwindCommon *common,
                                TbAgentBytes instructions,
                                uint64_t begin,
                                uint64_t end,
                                TbAgentUnwindFunc take,
                                void *data);
