/* tb-agent-flight-state.h: definitions, threads and mappings from the records that a flight
 * recorder has dropped, sent before the kept records when it is saved
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#pragma once

#include "agent/base/tb-agent-map.h"
#include "capture/tb-capture-format.h"

typedef struct
{
  int32_t tid;
  int32_t pid;
  int32_t parent;
  uint32_t name;
  uint32_t name_only; /* a thread outside the target: only its name is known */
} TbAgentDroppedTask;

typedef struct
{
  uint64_t start;
  uint64_t size;
  uint64_t offset;
  uint32_t module;
  uint32_t next; /* index + 1 */
} TbAgentDroppedMapping;

/* Zeroed memory is an empty state. */
typedef struct
{
  uint8_t *definitions; /* encoded: strings, modules, devices, symbols */
  size_t n_definitions; /* bytes */
  size_t definitions_size;
  uint8_t *sleeps;      /* the last TB_CAPTURE_SLEEP_WINDOW definitions, by id */
  uint32_t first_sleep; /* 0: none */
  uint32_t last_sleep;
  uint32_t last_stack; /* id of the last stack that was dropped */
  uint64_t last_time;  /* time of the last record that was dropped, 0: none */

  TbAgentDroppedTask *tasks;
  uint32_t n_tasks;
  TbAgentMap by_tid;   /* tid → index + 1 */
  TbAgentMap threads;  /* pid → number of threads */
  TbAgentMap commands; /* pid → string */
  TbAgentMap spaces;   /* pid → index + 1 of its first mapping */
  TbAgentDroppedMapping *mappings;
  uint32_t n_mappings;
  uint32_t free_mapping; /* index + 1 */
} TbAgentFlightState;

/* Adds a dropped record to the state. data: the encoded record. */
void tb_agent_flight_state_add (TbAgentFlightState *self, const void *data);
/* Calls put with the records that must precede the first kept record, all dated time. Sleeps are
 * numbered from 1 again. Returns the number to subtract from the sleep ids of later records. */
uint32_t
tb_agent_flight_state_emit (TbAgentFlightState *self,
                            uint64_t time,
                            void (*put) (void *data, const TbCaptureRecord *record),
                            void (*put_encoded) (void *data, const void *bytes, size_t length),
                            void *data);
void tb_agent_flight_state_clear (TbAgentFlightState *self);
