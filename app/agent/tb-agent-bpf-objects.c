/* tb-agent-bpf-objects.c: the light skeletons, each behind the same few functions
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#include "agent/tb-agent-bpf-object.h"
#include "agent/tb-agent-bpf-latency.h"
#include "agent/tb-agent-calls.h"
#include "agent/tb-agent-skeletons.h"
#include "capture/tb-capture-format.h"

/* Generated: only what surrounds them is ours. */
#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wpointer-arith"
#pragma GCC diagnostic ignored "-Wshadow"
#include "arrivals.lskel.h"
#include "block.lskel.h"
#include "connections.lskel.h"
#include "faults.lskel.h"
#include "functions.lskel.h"
#include "interrupts.lskel.h"
#include "latency.lskel.h"
#include "marks.lskel.h"
#include "packets.lskel.h"
#include "probes.lskel.h"
#include "repairs.lskel.h"
#include "samples.lskel.h"
#include "scheduler.lskel.h"
#include "sends.lskel.h"
#include "syscalls.lskel.h"
#include "timer.lskel.h"
#pragma GCC diagnostic pop

#define SKELETON(object)                                                                                     \
  static int object##_open (TbAgentBpfObject *view)                                                          \
  {                                                                                                          \
    struct object##_bpf *skeleton = object##_bpf__open ();                                                   \
                                                                                                             \
    if (skeleton == NULL)                                                                                    \
      return -1;                                                                                             \
    view->skeleton = skeleton;                                                                               \
    view->context = &skeleton->ctx;                                                                          \
    view->config = &skeleton->rodata->config;                                                                \
    view->rings = &skeleton->maps.tb_rings;                                                                  \
    view->cpus = &skeleton->maps.tb_cpus;                                                                    \
    view->targets = &skeleton->maps.tb_targets;                                                              \
    view->entries = &skeleton->maps.tb_entries;                                                              \
    view->received = &skeleton->maps.tb_received;                                                            \
    view->programs = (const int *) &skeleton->progs;                                                         \
    view->n_programs = sizeof skeleton->progs / sizeof (int);                                                \
    view->links = (int *) &skeleton->links;                                                                  \
    view->n_links = sizeof skeleton->links / sizeof (int);                                                   \
    return 0;                                                                                                \
  }                                                                                                          \
                                                                                                             \
  static int object##_load (void *skeleton)                                                                  \
  {                                                                                                          \
    return object##_bpf__load (skeleton);                                                                    \
  }                                                                                                          \
                                                                                                             \
  __attribute__ ((unused)) static int object##_attach (void *skeleton)                                       \
  {                                                                                                          \
    return object##_bpf__attach (skeleton);                                                                  \
  }                                                                                                          \
                                                                                                             \
  static void object##_destroy (void *skeleton)                                                              \
  {                                                                                                          \
    object##_bpf__destroy (skeleton);                                                                        \
  }

#define OBJECT_INSTEAD(object, of_source, lacks, other)                                                      \
  SKELETON (object)                                                                                          \
  const TbAgentBpfObjectKind tb_agent_bpf_##object = {                                                       \
    .name = #object,                                                                                         \
    .source = of_source,                                                                                     \
    .without = lacks,                                                                                        \
    .instead_of = other,                                                                                     \
    .open = object##_open,                                                                                   \
    .load = object##_load,                                                                                   \
    .attach = object##_attach,                                                                               \
    .destroy = object##_destroy,                                                                             \
  };

#define OBJECT(object, of_source, lacks) OBJECT_INSTEAD (object, of_source, lacks, NULL)

OBJECT (arrivals, TB_CAPTURE_SOURCE_NETWORK, "only messages over TCP are seen to arrive")
OBJECT (block, TB_CAPTURE_SOURCE_BLOCK, "who asks what of disks is unknown")
OBJECT (connections, TB_CAPTURE_SOURCE_NETWORK, "connections are not seen to begin")
OBJECT (faults, TB_CAPTURE_SOURCE_SCHEDULER, "which memory and file a page fault waits for is unknown")
OBJECT (functions, TB_CAPTURE_SOURCE_FUNCTIONS, "drilling into functions of the kernel is unavailable")
OBJECT_INSTEAD (packets, TB_CAPTURE_SOURCE_NETWORK, "messages are not seen to arrive", &tb_agent_bpf_arrivals)
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
  .without = "functions cannot be probed",
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
  .without = "what programs say of themselves is unknown",
  .open = marks_open_with_places,
  .load = marks_load,
  .attach = marks_attach,
  .destroy = marks_destroy,
};

SKELETON (latency)

/* Who attaches them does so one by one. */
const TbAgentBpfObjectKind tb_agent_bpf_latency = {
  .name = "latencies",
  .source = TB_CAPTURE_SOURCE_LATENCY,
  .without = "why calls of a function are slow cannot be looked into",
  .open = latency_open,
  .load = latency_load,
  .destroy = latency_destroy,
};

void
tb_agent_bpf_latency_get_maps (const TbAgentBpfObject *object, TbAgentLatencyMaps *maps)
{
  const struct latency_bpf *skeleton = object->skeleton;

  *maps = (TbAgentLatencyMaps) { .shared = skeleton->maps.tb_latency.map_fd,
                                 .bins = skeleton->maps.tb_bins.map_fd,
                                 .nodes = skeleton->maps.tb_nodes.map_fd,
                                 .counters = skeleton->maps.tb_counters.map_fd,
                                 .sites = skeleton->maps.tb_sites.map_fd,
                                 .callees = skeleton->maps.tb_callees.map_fd,
                                 .news = skeleton->maps.tb_news.map_fd,
                                 .places = skeleton->maps.tb_places.map_fd };
}

void
tb_agent_bpf_latency_get_programs (const TbAgentBpfObject *object, TbAgentLatencyPrograms *programs)
{
  const struct latency_bpf *skeleton = object->skeleton;

  *programs = (TbAgentLatencyPrograms) {
    .together = { skeleton->progs.on_entry.prog_fd, skeleton->progs.on_return.prog_fd,
                  skeleton->progs.on_last.prog_fd, skeleton->progs.on_site.prog_fd },
    .alone = { skeleton->progs.on_entry_alone.prog_fd, skeleton->progs.on_return_alone.prog_fd,
               skeleton->progs.on_last_alone.prog_fd, skeleton->progs.on_site_alone.prog_fd },
    .kernel_entry = skeleton->progs.on_kernel_entry.prog_fd,
    .kernel_return = skeleton->progs.on_kernel_return.prog_fd,
    .kernel_entry_alone = skeleton->progs.on_kernel_entry_alone.prog_fd,
    .kernel_return_alone = skeleton->progs.on_kernel_return_alone.prog_fd,
    .kernel_site = skeleton->progs.on_kernel_site.prog_fd,
  };
}

int
tb_agent_bpf_latency_get_sampler (const TbAgentBpfObject *object)
{
  const struct latency_bpf *skeleton = object->skeleton;

  return skeleton->progs.on_sample.prog_fd;
}

int
tb_agent_bpf_latency_attach (const TbAgentBpfObject *object, TbAgentLatencyEvent event)
{
  const struct latency_bpf *skeleton = object->skeleton;
  const struct
  {
    int program;
    const char *name; /* NULL: it knows itself */
  } events[TB_AGENT_LATENCY_N_EVENTS] = {
    [TB_AGENT_LATENCY_CALL] = { skeleton->progs.on_call.prog_fd, NULL },
    [TB_AGENT_LATENCY_CALL_END] = { skeleton->progs.on_call_end.prog_fd, NULL },
    [TB_AGENT_LATENCY_SWITCH] = { skeleton->progs.on_switch.prog_fd, NULL },
    [TB_AGENT_LATENCY_WAKING] = { skeleton->progs.on_waking.prog_fd, NULL },
    [TB_AGENT_LATENCY_EXIT] = { skeleton->progs.on_gone.prog_fd, "sched_process_exit" },
    [TB_AGENT_LATENCY_EXEC] = { skeleton->progs.on_gone.prog_fd, "sched_process_exec" },
    [TB_AGENT_LATENCY_IRQ] = { skeleton->progs.on_interrupt.prog_fd, "irq_handler_entry" },
    [TB_AGENT_LATENCY_IRQ_END] = { skeleton->progs.on_irq_end.prog_fd, NULL },
    [TB_AGENT_LATENCY_SOFTIRQ] = { skeleton->progs.on_interrupt.prog_fd, "softirq_entry" },
    [TB_AGENT_LATENCY_SOFTIRQ_END] = { skeleton->progs.on_softirq_end.prog_fd, NULL },
    [TB_AGENT_LATENCY_TIMER] = { skeleton->progs.on_interrupt.prog_fd, "local_timer_entry" },
    [TB_AGENT_LATENCY_TIMER_END] = { skeleton->progs.on_vector_end.prog_fd, "local_timer_exit" },
    [TB_AGENT_LATENCY_RESCHEDULE] = { skeleton->progs.on_interrupt.prog_fd, "reschedule_entry" },
    [TB_AGENT_LATENCY_RESCHEDULE_END] = { skeleton->progs.on_vector_end.prog_fd, "reschedule_exit" },
    [TB_AGENT_LATENCY_CALL_ONE] = { skeleton->progs.on_interrupt.prog_fd, "call_function_single_entry" },
    [TB_AGENT_LATENCY_CALL_ONE_END] = { skeleton->progs.on_vector_end.prog_fd, "call_function_single_exit" },
    [TB_AGENT_LATENCY_CALL_ALL] = { skeleton->progs.on_interrupt.prog_fd, "call_function_entry" },
    [TB_AGENT_LATENCY_CALL_ALL_END] = { skeleton->progs.on_vector_end.prog_fd, "call_function_exit" },
    [TB_AGENT_LATENCY_IRQ_WORK] = { skeleton->progs.on_interrupt.prog_fd, "irq_work_entry" },
    [TB_AGENT_LATENCY_IRQ_WORK_END] = { skeleton->progs.on_vector_end.prog_fd, "irq_work_exit" },
    [TB_AGENT_LATENCY_REQUEST] = { skeleton->progs.on_request.prog_fd, "block_rq_insert" },
    [TB_AGENT_LATENCY_REQUEST_ISSUED] = { skeleton->progs.on_request_issued.prog_fd, "block_rq_issue" },
    [TB_AGENT_LATENCY_REQUEST_END] = { skeleton->progs.on_request_end.prog_fd, "block_rq_complete" },
  };

  return skel_raw_tracepoint_open (events[event].name, events[event].program);
}

OBJECT (interrupts, TB_CAPTURE_SOURCE_INTERRUPTS, "what interrupts take of the cpus is unknown")
OBJECT (timer, TB_CAPTURE_SOURCE_INTERRUPTS, "how long timer interrupts take is unknown")
OBJECT (repairs, TB_CAPTURE_SOURCE_PROBES, "stacks that break inside of the C library stay so")
OBJECT (samples, TB_CAPTURE_SOURCE_SAMPLES, "what running threads do is unknown")
OBJECT (sends, TB_CAPTURE_SOURCE_NETWORK, "what is sent over the network is unknown")
OBJECT (syscalls, TB_CAPTURE_SOURCE_SYSCALLS, "system calls are unknown")

SKELETON (scheduler)

static int
scheduler_open_with_calls (TbAgentBpfObject *view)
{
  struct scheduler_bpf *skeleton;

  if (scheduler_open (view) != 0)
    return -1;
  skeleton = view->skeleton;
  for (uint32_t number = 0; number < TB_BPF_MAX_CALLS; number++)
    skeleton->rodata->call_shapes[number] = tb_agent_calls_get_shape (number);
  return 0;
}

const TbAgentBpfObjectKind tb_agent_bpf_scheduler = {
  .name = "scheduler",
  .source = TB_CAPTURE_SOURCE_SCHEDULER,
  .without = "what threads do is unknown",
  .open = scheduler_open_with_calls,
  .load = scheduler_load,
  .attach = scheduler_attach,
  .destroy = scheduler_destroy,
};
