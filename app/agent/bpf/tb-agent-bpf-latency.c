/* tb-agent-bpf-latency.c: the two BPF objects of a latency measurement: the general one, and the
 * one for a single kernel function, whose name is put into it before it is loaded here; descriptors
 * of their maps and programs, attaching of single ones to kernel events
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "agent/bpf/tb-agent-bpf-latency.h"
#include "agent/bpf/tb-agent-bpf-skeleton.h"
#include "agent/base/tb-agent-map.h"
#include "agent/bpf/programs/tb-bpf-sources.h"
#include "agent/bpf/programs/tb-bpf-latency.h"
#include "capture/tb-capture-format.h"

static int load_traced (struct bpf_load_and_run_opts *options);

/* The skeletons are generated. The pragmas silence the warnings that they cause. */
#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wpointer-arith"
#pragma GCC diagnostic ignored "-Wshadow"
#include "latency.lskel.h"
#define bpf_load_and_run load_traced
#include "kernel_calls.lskel.h"
#undef bpf_load_and_run
#pragma GCC diagnostic pop

SKELETON (latency)
SKELETON (kernel_calls)

/* Its programs are attached one by one, by tb_agent_bpf_latency_attach() and as probes. */
const TbAgentBpfObjectKind tb_agent_bpf_latency = {
  .name = "latencies",
  .source = TB_CAPTURE_SOURCE_LATENCY,
  .missing_code = TB_CAPTURE_CODE_WITHOUT_LATENCIES,
  .open = latency_open,
  .load = latency_load,
  .destroy = latency_destroy,
};

static const TbAgentBpfObjectKind kernel_calls = {
  .name = "latencies of functions of the kernel",
  /* without it kernel functions are probed by costlier means */
  .source = TB_CAPTURE_SOURCE_LATENCY,
  .open = kernel_calls_open,
  .load = kernel_calls_load,
  .destroy = kernel_calls_destroy,
};

/* BPF object for one kernel function */

/* The function names that replace the placeholders in the next programs to be loaded. */
static const char *traced, *calibrated;

/* Returns 0 if the placeholder does not occur. An occurrence behind a "/" is part of a section name
 * and stays. */
static int
replace_placeholder (char *data, size_t size, const char *place, const char *name)
{
  size_t length = strlen (place) + 1;
  int any = 0;

  for (char *end = data + size, *at = data;
       (at = memmem (at, (size_t) (end - at), place, length)) != NULL; at += length)
    if (at == data || at[-1] != '/')
      {
        memset (at, 0, length);
        memcpy (at, name, strlen (name));
        any = 1;
      }
  return any;
}

/* The kernel resolves the target of a trampoline program when it loads the program, while a light
 * skeleton contains the target's name from its generation. Therefore the placeholders are replaced
 * just before loading. */
static int
load_traced (struct bpf_load_and_run_opts *options)
{
  struct bpf_load_and_run_opts own = *options;
  char *data = tb_agent_allocate (NULL, options->data_sz);
  int result = -EINVAL;

  memcpy (data, options->data, options->data_sz);
  if (replace_placeholder (data, options->data_sz, TB_BPF_LATENCY_TRACED, traced)
      && replace_placeholder (data, options->data_sz, TB_BPF_LATENCY_CALIBRATED, calibrated))
    {
      own.data = data;
      result = bpf_load_and_run (&own);
      options->errstr = own.errstr;
    }
  free (data);
  return result;
}

int
tb_agent_bpf_kernel_calls_load (TbAgentBpfObject *self,
                                const TbAgentBpfShared *shared,
                                const char *function,
                                const char *other,
                                TbCaptureMessage *why)
{
  if (strlen (function) >= sizeof TB_BPF_LATENCY_TRACED
      || strlen (other) >= sizeof TB_BPF_LATENCY_CALIBRATED)
    {
      TB_CAPTURE_SET_MESSAGE (why, TB_CAPTURE_CODE_NAME_TOO_LONG, 0);
      return -1;
    }
  traced = function;
  calibrated = other;
  return tb_agent_bpf_object_load (self, &kernel_calls, shared, why);
}

/* Maps and programs */

#define GET_MAPS(skeleton)                                                                         \
  { .shared = (skeleton)->maps.tb_latency.map_fd,                                                  \
    .bins = (skeleton)->maps.tb_bins.map_fd,                                                       \
    .nodes = (skeleton)->maps.tb_nodes.map_fd,                                                     \
    .counters = (skeleton)->maps.tb_counters.map_fd,                                               \
    .sites = (skeleton)->maps.tb_sites.map_fd,                                                     \
    .callees = (skeleton)->maps.tb_callees.map_fd,                                                 \
    .new_callees = (skeleton)->maps.tb_new_callees.map_fd,                                         \
    .places = (skeleton)->maps.tb_places.map_fd,                                                   \
    .slow = (skeleton)->maps.tb_slow.map_fd }

void
tb_agent_bpf_latency_get_maps (const TbAgentBpfObject *object, TbAgentLatencyMaps *maps)
{
  const struct latency_bpf *latency = object->skeleton;
  const struct kernel_calls_bpf *calls_skeleton = object->skeleton;

  *maps = object->kind == &kernel_calls ? (TbAgentLatencyMaps) GET_MAPS (calls_skeleton)
                                        : (TbAgentLatencyMaps) GET_MAPS (latency);
}

#define GET_SITE_PROGRAMS(skeleton)                                                                \
  .multi[TB_CAPTURE_LATENCY_SITE] = (skeleton)->progs.on_site.prog_fd,                             \
  .single[TB_CAPTURE_LATENCY_SITE] = (skeleton)->progs.on_site_single.prog_fd,                     \
  .kernel_entry = (skeleton)->progs.on_kernel_entry.prog_fd,                                       \
  .kernel_return = (skeleton)->progs.on_kernel_return.prog_fd,                                     \
  .kernel_entry_single = (skeleton)->progs.on_kernel_entry_single.prog_fd,                         \
  .kernel_return_single = (skeleton)->progs.on_kernel_return_single.prog_fd,                       \
  .kernel_site = (skeleton)->progs.on_kernel_site.prog_fd

void
tb_agent_bpf_latency_get_programs (const TbAgentBpfObject *object, TbAgentLatencyPrograms *programs)
{
  const struct latency_bpf *latency = object->skeleton;
  const struct kernel_calls_bpf *calls_skeleton = object->skeleton;

  if (object->kind == &kernel_calls)
    *programs = (TbAgentLatencyPrograms) {
      GET_SITE_PROGRAMS (calls_skeleton),
      .traced_entry = calls_skeleton->progs.on_traced_entry.prog_fd,
      .traced_return = calls_skeleton->progs.on_traced_return.prog_fd,
      .calibration_entry = calls_skeleton->progs.on_calibration_entry.prog_fd,
      .calibration_return = calls_skeleton->progs.on_calibration_return.prog_fd
    };
  else
    *programs = (TbAgentLatencyPrograms) {
      GET_SITE_PROGRAMS (latency),
      .multi[TB_CAPTURE_LATENCY_ENTRY] = latency->progs.on_entry.prog_fd,
      .multi[TB_CAPTURE_LATENCY_RETURN] = latency->progs.on_return.prog_fd,
      .multi[TB_CAPTURE_LATENCY_LAST] = latency->progs.on_last.prog_fd,
      .single[TB_CAPTURE_LATENCY_ENTRY] = latency->progs.on_entry_single.prog_fd,
      .single[TB_CAPTURE_LATENCY_RETURN] = latency->progs.on_return_single.prog_fd,
      .single[TB_CAPTURE_LATENCY_LAST] = latency->progs.on_last_single.prog_fd
    };
}

int
tb_agent_bpf_latency_get_sampler (const TbAgentBpfObject *object)
{
  return object->kind == &kernel_calls
             ? ((const struct kernel_calls_bpf *) object->skeleton)->progs.on_sample.prog_fd
             : ((const struct latency_bpf *) object->skeleton)->progs.on_sample.prog_fd;
}

typedef struct
{
  int program;
  const char *name; /* NULL: a BTF tracepoint, which the program names itself */
} Event;

#define GET_EVENTS(skeleton)                                                                       \
  {                                                                                                \
    [TB_AGENT_LATENCY_CALL] = { (skeleton)->progs.on_call.prog_fd, NULL },                         \
    [TB_AGENT_LATENCY_CALL_END] = { (skeleton)->progs.on_call_end.prog_fd, NULL },                 \
    [TB_AGENT_LATENCY_SWITCH] = { (skeleton)->progs.on_switch.prog_fd, NULL },                     \
    [TB_AGENT_LATENCY_WAKING] = { (skeleton)->progs.on_waking.prog_fd, NULL },                     \
    [TB_AGENT_LATENCY_EXIT] = { (skeleton)->progs.on_thread_end.prog_fd, "sched_process_exit" },   \
    [TB_AGENT_LATENCY_EXEC] = { (skeleton)->progs.on_thread_end.prog_fd, "sched_process_exec" },   \
    [TB_AGENT_LATENCY_IRQ] = { (skeleton)->progs.on_interrupt.prog_fd, "irq_handler_entry" },      \
    [TB_AGENT_LATENCY_IRQ_END] = { (skeleton)->progs.on_irq_end.prog_fd, NULL },                   \
    [TB_AGENT_LATENCY_SOFTIRQ] = { (skeleton)->progs.on_interrupt.prog_fd, "softirq_entry" },      \
    [TB_AGENT_LATENCY_SOFTIRQ_END] = { (skeleton)->progs.on_softirq_end.prog_fd, NULL },           \
    [TB_AGENT_LATENCY_TIMER] = { (skeleton)->progs.on_interrupt.prog_fd, "local_timer_entry" },    \
    [TB_AGENT_LATENCY_TIMER_END]                                                                   \
    = { (skeleton)->progs.on_vector_end.prog_fd, "local_timer_exit" },                             \
    [TB_AGENT_LATENCY_RESCHEDULE]                                                                  \
    = { (skeleton)->progs.on_interrupt.prog_fd, "reschedule_entry" },                              \
    [TB_AGENT_LATENCY_RESCHEDULE_END]                                                              \
    = { (skeleton)->progs.on_vector_end.prog_fd, "reschedule_exit" },                              \
    [TB_AGENT_LATENCY_CALL_ONE]                                                                    \
    = { (skeleton)->progs.on_interrupt.prog_fd, "call_function_single_entry" },                    \
    [TB_AGENT_LATENCY_CALL_ONE_END]                                                                \
    = { (skeleton)->progs.on_vector_end.prog_fd, "call_function_single_exit" },                    \
    [TB_AGENT_LATENCY_CALL_ALL]                                                                    \
    = { (skeleton)->progs.on_interrupt.prog_fd, "call_function_entry" },                           \
    [TB_AGENT_LATENCY_CALL_ALL_END]                                                                \
    = { (skeleton)->progs.on_vector_end.prog_fd, "call_function_exit" },                           \
    [TB_AGENT_LATENCY_IRQ_WORK] = { (skeleton)->progs.on_interrupt.prog_fd, "irq_work_entry" },    \
    [TB_AGENT_LATENCY_IRQ_WORK_END]                                                                \
    = { (skeleton)->progs.on_vector_end.prog_fd, "irq_work_exit" },                                \
    [TB_AGENT_LATENCY_REQUEST] = { (skeleton)->progs.on_request.prog_fd, "block_rq_insert" },      \
    [TB_AGENT_LATENCY_REQUEST_ISSUED]                                                              \
    = { (skeleton)->progs.on_request_issued.prog_fd, "block_rq_issue" },                           \
    [TB_AGENT_LATENCY_REQUEST_END]                                                                 \
    = { (skeleton)->progs.on_request_end.prog_fd, "block_rq_complete" },                           \
  }

int
tb_agent_bpf_latency_attach (const TbAgentBpfObject *object, TbAgentLatencyEvent event)
{
  const struct latency_bpf *latency = object->skeleton;
  const struct kernel_calls_bpf *calls_skeleton = object->skeleton;
  const Event wanted
      = object->kind == &kernel_calls
            ? ((const Event[TB_AGENT_LATENCY_N_EVENTS]) GET_EVENTS (calls_skeleton))[event]
            : ((const Event[TB_AGENT_LATENCY_N_EVENTS]) GET_EVENTS (latency))[event];

  return skel_raw_tracepoint_open (wanted.name, wanted.program);
}
