/* tb-agent-bpf-objects.c: table of the BPF objects built into the agent, except those of
 * tb-agent-bpf-latency.c: light skeleton, event source, and what a recording lacks without the
 * object
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#include "agent/bpf/tb-agent-bpf-object.h"
#include "agent/bpf/tb-agent-bpf-skeleton.h"
#include "agent/core/tb-agent-syscalls.h"
#include "agent/bpf/tb-agent-skeletons.h"
#include "capture/tb-capture-format.h"

/* The skeletons are generated. The pragmas silence the warnings that they cause. */
#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wpointer-arith"
#pragma GCC diagnostic ignored "-Wshadow"
#include "arrivals.lskel.h"
#include "block.lskel.h"
#include "connections.lskel.h"
#include "faults.lskel.h"
#include "file_locks.lskel.h"
#include "functions.lskel.h"
#include "interrupts.lskel.h"
#include "marks.lskel.h"
#include "memory.lskel.h"
#include "packets.lskel.h"
#include "probes.lskel.h"
#include "samples.lskel.h"
#include "scheduler.lskel.h"
#include "sends.lskel.h"
#include "syscalls.lskel.h"
#include "timer.lskel.h"
#pragma GCC diagnostic pop

#define OBJECT_INSTEAD(object, of_source, lacks, other)                                            \
  SKELETON (object)                                                                                \
  const TbAgentBpfObjectKind tb_agent_bpf_##object = {                                             \
    .name = #object,                                                                               \
    .source = of_source,                                                                           \
    .missing_code = lacks,                                                                         \
    .alternative_to = other,                                                                       \
    .open = object##_open,                                                                         \
    .load = object##_load,                                                                         \
    .attach = object##_attach,                                                                     \
    .destroy = object##_destroy,                                                                   \
  };

#define OBJECT(object, of_source, lacks) OBJECT_INSTEAD (object, of_source, lacks, NULL)

OBJECT (arrivals, TB_CAPTURE_SOURCE_NETWORK, TB_CAPTURE_CODE_WITHOUT_ARRIVALS)
OBJECT (block, TB_CAPTURE_SOURCE_BLOCK, TB_CAPTURE_CODE_WITHOUT_DISK_REQUESTS)
OBJECT (connections, TB_CAPTURE_SOURCE_NETWORK, TB_CAPTURE_CODE_WITHOUT_CONNECTIONS)
OBJECT (faults, TB_CAPTURE_SOURCE_SCHEDULER, TB_CAPTURE_CODE_WITHOUT_FAULTS)
OBJECT (file_locks, TB_CAPTURE_SOURCE_SCHEDULER, TB_CAPTURE_CODE_WITHOUT_FILE_LOCKS)
OBJECT (functions, TB_CAPTURE_SOURCE_FUNCTIONS, TB_CAPTURE_CODE_WITHOUT_KERNEL_FUNCTIONS)
OBJECT_INSTEAD (packets,
                TB_CAPTURE_SOURCE_NETWORK,
                TB_CAPTURE_CODE_WITHOUT_PACKETS,
                &tb_agent_bpf_arrivals)
SKELETON (probes)

static int
probes_open_with_filters (TbAgentBpfObject *view)
{
  if (probes_open (view) != 0)
    return -1;
  view->filters = &((struct probes_bpf *) view->skeleton)->maps.tb_filters.map_fd;
  return 0;
}

const TbAgentBpfObjectKind tb_agent_bpf_probes = {
  .name = "probes",
  .source = TB_CAPTURE_SOURCE_PROBES,
  .missing_code = TB_CAPTURE_CODE_WITHOUT_PROBES,
  .open = probes_open_with_filters,
  .load = probes_load,
  .attach = probes_attach,
  .destroy = probes_destroy,
};

SKELETON (marks)

static int
marks_open_with_places (TbAgentBpfObject *view)
{
  if (marks_open (view) != 0)
    return -1;
  view->filters = &((struct marks_bpf *) view->skeleton)->maps.tb_marks.map_fd;
  return 0;
}

const TbAgentBpfObjectKind tb_agent_bpf_marks = {
  .name = "marks",
  .source = TB_CAPTURE_SOURCE_MARKS,
  .missing_code = TB_CAPTURE_CODE_WITHOUT_MARKS,
  .open = marks_open_with_places,
  .load = marks_load,
  .attach = marks_attach,
  .destroy = marks_destroy,
};

OBJECT (memory, TB_CAPTURE_SOURCE_MARKS, TB_CAPTURE_CODE_WITHOUT_ALLOCATIONS)
OBJECT (interrupts, TB_CAPTURE_SOURCE_INTERRUPTS, TB_CAPTURE_CODE_WITHOUT_INTERRUPTS)
OBJECT (timer, TB_CAPTURE_SOURCE_INTERRUPTS, TB_CAPTURE_CODE_WITHOUT_TIMER_EXITS)
OBJECT (samples, TB_CAPTURE_SOURCE_SAMPLES, TB_CAPTURE_CODE_WITHOUT_SAMPLES)
OBJECT (sends, TB_CAPTURE_SOURCE_NETWORK, TB_CAPTURE_CODE_WITHOUT_SENT_MESSAGES)
OBJECT (syscalls, TB_CAPTURE_SOURCE_SYSCALLS, TB_CAPTURE_CODE_WITHOUT_SYSCALLS)

SKELETON (scheduler)

static int
scheduler_open_with_calls (TbAgentBpfObject *view)
{
  struct scheduler_bpf *skeleton;

  if (scheduler_open (view) != 0)
    return -1;
  skeleton = view->skeleton;
  for (uint32_t number = 0; number < TB_BPF_MAX_CALLS; number++)
    skeleton->rodata->call_shapes[number] = tb_agent_syscalls_get_shape (number);
  return 0;
}

const TbAgentBpfObjectKind tb_agent_bpf_scheduler = {
  .name = "scheduler",
  .source = TB_CAPTURE_SOURCE_SCHEDULER,
  .missing_code = TB_CAPTURE_CODE_WITHOUT_SCHEDULER,
  .open = scheduler_open_with_calls,
  .load = scheduler_load,
  .attach = scheduler_attach,
  .destroy = scheduler_destroy,
};
