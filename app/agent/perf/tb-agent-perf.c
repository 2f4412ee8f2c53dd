/* tb-agent-perf.c: recording with perf events, one ring per CPU: test of what this kernel permits,
 * answer to QUERY, choice and opening of the events with reasons for missing ones, start and end
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#include <errno.h>
#include <fcntl.h>
#include <linux/perf_event.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

#include "agent/base/tb-agent-cpus.h"
#include "agent/perf/tb-agent-perf-file-locks.h"
#include "agent/perf/tb-agent-perf-private.h"

#ifndef PERF_FORMAT_LOST
#  define PERF_FORMAT_LOST (1u << 4)
#endif

#define DEFAULT_RING_BYTES (4u << 20)
#define OWN_RING_BYTES (256u << 10)
#define MAPPINGS_RING_BYTES (512u << 10) /* mappings only; BPF records the rest */
#define MIN_RING_BYTES (16u << 10)
#define MAX_RING_BYTES (256u << 20)
#define MAX_FREQUENCY 20000u
#define FORMAT_SIZE 16384
#define SCRATCH_SIZE 65536
#define MAX_NAME 64 /* of a tracepoint including its group */

static int
open_event (struct perf_event_attr *attr, int32_t pid, int cpu)
{
  int fd;

  attr->size = sizeof *attr;
  fd = (int) syscall (SYS_perf_event_open, attr, pid, cpu, -1, PERF_FLAG_FD_CLOEXEC);
  /* Retry without attributes that older kernels do not know. */
  if (fd < 0 && (errno == EINVAL || errno == E2BIG) && attr->build_id)
    {
      attr->build_id = 0;
      fd = (int) syscall (SYS_perf_event_open, attr, pid, cpu, -1, PERF_FLAG_FD_CLOEXEC);
    }
  if (fd < 0 && (errno == EINVAL || errno == E2BIG) && attr->read_format != 0)
    {
      attr->read_format = 0;
      fd = (int) syscall (SYS_perf_event_open, attr, pid, cpu, -1, PERF_FLAG_FD_CLOEXEC);
    }
  return fd;
}

static void
fill_attr (const TbAgent *self, TbAgentEvent event, struct perf_event_attr *attr)
{
  int own = self->header.backend == TB_CAPTURE_BACKEND_OWN;
  int is_with_bpf = self->header.backend == TB_CAPTURE_BACKEND_BPF;

  memset (attr, 0, sizeof *attr);
  attr->sample_type = PERF_SAMPLE_IDENTIFIER | PERF_SAMPLE_TID | PERF_SAMPLE_TIME;
  attr->sample_id_all = 1;
  attr->use_clockid = 1;
  attr->clockid = CLOCK_MONOTONIC;
  attr->disabled = 1;
  attr->read_format = PERF_FORMAT_LOST;
  attr->watermark = 1;
  if (own)
    {
      attr->inherit = 1;
      attr->exclude_kernel = 1;
      attr->exclude_hv = 1;
    }
  if (event < TB_AGENT_N_TRACEPOINTS)
    {
      const TbAgentTracepoint *tracepoint = &tb_agent_tracepoints[event];

      attr->type = PERF_TYPE_TRACEPOINT;
      attr->config = (uint64_t) self->perf.setup[event].id;
      attr->sample_period = 1;
      attr->sample_type |= PERF_SAMPLE_RAW;
      if (self->perf.setup[event].has_chain)
        {
          attr->sample_type |= PERF_SAMPLE_CALLCHAIN;
          attr->exclude_callchain_user = (self->start.stacks & tracepoint->user_stack) == 0;
          attr->exclude_callchain_kernel = (self->start.stacks & tracepoint->kernel_stack) == 0;
        }
    }
  else if (event == TB_AGENT_TASKS)
    {
      attr->type = PERF_TYPE_SOFTWARE;
      attr->config = PERF_COUNT_SW_DUMMY;
      attr->mmap = attr->mmap2 = 1;
      attr->build_id = 1;
      attr->comm = attr->comm_exec = !is_with_bpf;
      attr->task = !is_with_bpf;
      attr->context_switch = own;
    }
  else
    {
      attr->type = PERF_TYPE_SOFTWARE;
      attr->config = PERF_COUNT_SW_CPU_CLOCK;
      attr->sample_period = 1000000000u / self->start.frequency;
      attr->exclude_idle = 1;
      if (self->perf.setup[event].has_chain)
        {
          attr->sample_type |= PERF_SAMPLE_CALLCHAIN;
          attr->exclude_callchain_user = (self->start.stacks & TB_CAPTURE_USER_STACKS) == 0;
          attr->exclude_callchain_kernel
              = own || (self->start.stacks & TB_CAPTURE_KERNEL_STACKS) == 0;
        }
    }
  if (self->perf.setup[event].has_dump)
    {
      attr->sample_type |= PERF_SAMPLE_REGS_USER | PERF_SAMPLE_STACK_USER;
      attr->sample_regs_user = TB_AGENT_DUMPED_REGISTERS;
      attr->sample_stack_user = self->start.dump_bytes;
    }
}

/* Uses hardware cycles if the machine counts them at a given rate; otherwise the clock stays. */
static int
prefer_cycles (const TbAgent *self, struct perf_event_attr *attr, int32_t pid, int cpu)
{
  struct perf_event_attr cycles = *attr;
  int fd;

  cycles.type = PERF_TYPE_HARDWARE;
  cycles.config = PERF_COUNT_HW_CPU_CYCLES;
  cycles.freq = 1;
  cycles.sample_freq = self->start.frequency;
  cycles.sample_type |= PERF_SAMPLE_PERIOD;
  fd = open_event (&cycles, pid, cpu);
  if (fd < 0)
    return 0;
  close (fd);
  *attr = cycles;
  return 1;
}

static const char *
format_name (const TbAgentTracepoint *tracepoint, char *name, size_t size)
{
  snprintf (name, size, "%s:%s", tracepoint->group, tracepoint->name);
  return name;
}

static const TbCaptureMessage *
explain_open_error (int error, TbCaptureMessage *why)
{
  switch (error)
    {
    case EACCES:
    case EPERM:
      return TB_CAPTURE_SET_MESSAGE (why, TB_CAPTURE_CODE_NO_CAP_PERFMON, error);
    case EMFILE:
      return TB_CAPTURE_SET_MESSAGE (why, TB_CAPTURE_CODE_TOO_MANY_FILES, error);
    case ENOENT:
    case ENODEV:
    case EOPNOTSUPP:
      return TB_CAPTURE_SET_MESSAGE (why, TB_CAPTURE_CODE_NOT_IN_KERNEL, error);
    default:
      return TB_CAPTURE_SET_MESSAGE (why, TB_CAPTURE_CODE_ERROR, error);
    }
}

/* A message with one cause as its only argument */
static void
set_open_error (TbCaptureMessage *message, TbCaptureStatusCode code, int error)
{
  TbCaptureMessage why;

  TB_CAPTURE_SET_MESSAGE (message, code, error);
  tb_capture_message_add_cause (message, explain_open_error (error, &why));
}

/* Closes the test events after the real events are open. When the last event of a tracepoint is
 * closed, the kernel removes it from its code, which takes tens of milliseconds; so does the next
 * opening. */
static void
close_test_events (TbAgent *self)
{
  for (int event = 0; event < TB_AGENT_N_TRACEPOINTS; event++)
    if (self->perf.test_events[event] > 0)
      {
        close (self->perf.test_events[event]);
        self->perf.test_events[event] = 0;
      }
}

static void
explain_paranoid_level (int error, TbCaptureMessage *why)
{
  char level[16] = "?";
  int file = open ("/proc/sys/kernel/perf_event_paranoid", O_RDONLY | O_CLOEXEC);

  if (file >= 0)
    {
      ssize_t got = read (file, level, sizeof level - 1);

      level[got > 0 ? got : 0] = '\0';
      level[strcspn (level, "\n")] = '\0';
      close (file);
    }
  TB_CAPTURE_SET_MESSAGE (why, TB_CAPTURE_CODE_PERF_PARANOID, error, level);
}

/* Fills in ids and fields from the tracepoint's format file. */
static int
set_up_tracepoint (TbAgent *self, TbAgentEvent event)
{
  const TbAgentTracepoint *tracepoint = &tb_agent_tracepoints[event];
  TbAgentEventSetup *setup = &self->perf.setup[event];
  char *text;

  if (self->tracefs < 0)
    return -1;
  text = tb_agent_allocate (NULL, FORMAT_SIZE);
  if (tb_agent_tracefs_read_format (self->tracefs, tracepoint->group, tracepoint->name, text,
                                    FORMAT_SIZE)
      != 0)
    {
      free (text);
      return -1;
    }
  setup->id = tb_agent_format_get_id (text);
  setup->common_flags = tb_agent_format_get_field (text, "common_flags");
  setup->common_pid = tb_agent_format_get_field (text, "common_pid");
  for (int i = 0; i < TB_AGENT_MAX_FIELDS && tracepoint->fields[i] != NULL; i++)
    setup->fields[i] = event == TB_AGENT_FLOCK || event == TB_AGENT_FCNTL_LOCK
                           ? tb_agent_file_locks_find_field (text, tracepoint->fields[i])
                           : tb_agent_format_get_field (text, tracepoint->fields[i]);
  if (event == TB_AGENT_SWITCH)
    self->perf.state_preempted = tb_agent_format_get_state_letters (text, self->perf.state_letters);
  free (text);
  return setup->id >= 0 ? 0 : -1;
}

int
tb_agent_perf_can_record_system (TbAgent *self, TbCaptureMessage *why)
{
  struct perf_event_attr attr;
  int fd;

  self->header.backend = TB_CAPTURE_BACKEND_PERF;
  self->start.frequency = 1;
  self->tracefs = tb_agent_tracefs_open (&self->no_tracefs);
  fill_attr (self, TB_AGENT_TASKS, &attr);
  fd = open_event (&attr, -1, 0);
  if (fd < 0)
    {
      if (errno == EACCES || errno == EPERM)
        explain_paranoid_level (errno, why);
      else
        set_open_error (why, TB_CAPTURE_CODE_PERF_NOT_OPENED, errno);
      return 0;
    }
  close (fd);
  if (self->tracefs < 0)
    {
      *why = self->no_tracefs;
      return 0;
    }
  if (set_up_tracepoint (self, TB_AGENT_SWITCH) == 0)
    {
      fill_attr (self, TB_AGENT_SWITCH, &attr);
      fd = open_event (&attr, -1, 0);
      if (fd >= 0)
        {
          close (fd);
          return 1;
        }
      set_open_error (why, TB_CAPTURE_CODE_SWITCHES_NOT_OPENED, errno);
      return 0;
    }
  TB_CAPTURE_SET_MESSAGE (why, TB_CAPTURE_CODE_NO_SWITCHES, 0);
  return 0;
}

/* Adds the tracepoint to the causes of the message. */
static void
add_tracepoint (TbCaptureMessage *message, const TbAgentTracepoint *tracepoint)
{
  TbCaptureMessage cause;
  char name[MAX_NAME];

  TB_CAPTURE_SET_MESSAGE (&cause, TB_CAPTURE_CODE_TRACEPOINT, 0,
                          format_name (tracepoint, name, sizeof name));
  tb_capture_message_add_cause (&cause, TB_CAPTURE_MESSAGE (tracepoint->missing_code, 0));
  tb_capture_message_add_cause (message, &cause);
}

/* Returns 0 if something is missing. */
static int
answer_for_source (TbAgent *self, unsigned source)
{
  TbCaptureMessage missing;
  int works = 0;

  TB_CAPTURE_SET_MESSAGE (&missing, TB_CAPTURE_CODE_TRACEPOINTS_MISSING, 0);
  for (int event = 0; event < TB_AGENT_N_TRACEPOINTS; event++)
    {
      const TbAgentTracepoint *tracepoint = &tb_agent_tracepoints[event];
      struct perf_event_attr attr;
      int fd = -1;

      if (tracepoint->source != source || event == TB_AGENT_SWITCH_DUMPED)
        continue;
      if (set_up_tracepoint (self, event) == 0)
        {
          fill_attr (self, event, &attr);
          fd = open_event (&attr, -1, 0);
        }
      if (fd >= 0)
        {
          if (self->perf.test_events[event] > 0)
            close (self->perf.test_events[event]);
          self->perf.test_events[event] = fd;
          works++;
        }
      else
        add_tracepoint (&missing, tracepoint);
    }
  if (works > 0)
    missing.code = TB_CAPTURE_CODE_TRACEPOINTS_OMITTED;
  tb_agent_output_put_status (self->output,
                              works > 0 ? TB_CAPTURE_STATUS_WORKS : TB_CAPTURE_STATUS_MISSING,
                              source, works > 0 && missing.n_arguments == 0 ? NULL : &missing);
  return missing.n_arguments == 0;
}

static void
answer_for_own (TbAgent *self, const uint8_t *sources, size_t n_sources)
{
  const TbCaptureMessage *why = tb_agent_refusals_get_last (self);
  TbCaptureMessage switches;

  TB_CAPTURE_SET_MESSAGE (&switches, TB_CAPTURE_CODE_OWN_SWITCHES,
                          why != NULL ? (int) why->error : 0);
  tb_capture_message_add_cause (&switches, why);
  tb_agent_output_put_status (self->output, TB_CAPTURE_STATUS_WORKS, TB_CAPTURE_SOURCE_TASKS,
                              TB_CAPTURE_MESSAGE (TB_CAPTURE_CODE_OWN_PROCESSES, 0));
  for (size_t i = 0; i < n_sources; i++)
    if (sources[i] == TB_CAPTURE_SOURCE_SCHEDULER)
      tb_agent_output_put_status (self->output, TB_CAPTURE_STATUS_WORKS, sources[i], &switches);
    else if (sources[i] != TB_CAPTURE_SOURCE_TASKS)
      tb_agent_output_put_status (self->output, TB_CAPTURE_STATUS_MISSING, sources[i], why);
  tb_agent_output_put_status (self->output, TB_CAPTURE_STATUS_WORKS, TB_CAPTURE_SOURCE_SAMPLES,
                              TB_CAPTURE_MESSAGE (TB_CAPTURE_CODE_OWN_SAMPLES, 0));
}

void
tb_agent_perf_answer_query (TbAgent *self, TbAgentCost *cost)
{
  static const uint8_t sources[]
      = { TB_CAPTURE_SOURCE_SCHEDULER, TB_CAPTURE_SOURCE_TASKS,   TB_CAPTURE_SOURCE_INTERRUPTS,
          TB_CAPTURE_SOURCE_BLOCK,     TB_CAPTURE_SOURCE_NETWORK, TB_CAPTURE_SOURCE_SYSCALLS };
  struct perf_event_attr attr;
  int has_all = 1;

  if (self->header.backend == TB_CAPTURE_BACKEND_OWN)
    answer_for_own (self, sources, sizeof sources);
  else
    {
      for (size_t i = 0; i < sizeof sources; i++)
        has_all
            &= answer_for_source (self, sources[i]) || sources[i] != TB_CAPTURE_SOURCE_SCHEDULER;
      fill_attr (self, TB_AGENT_CLOCK, &attr);
      if (prefer_cycles (self, &attr, -1, 0))
        tb_agent_output_put_status (self->output, TB_CAPTURE_STATUS_WORKS,
                                    TB_CAPTURE_SOURCE_SAMPLES,
                                    TB_CAPTURE_MESSAGE (TB_CAPTURE_CODE_SAMPLES_BY_CYCLES, 0));
      else
        tb_agent_output_put_status (self->output, TB_CAPTURE_STATUS_WORKS,
                                    TB_CAPTURE_SOURCE_SAMPLES,
                                    TB_CAPTURE_MESSAGE (TB_CAPTURE_CODE_SAMPLES_BY_CLOCK, 0));
    }
  tb_agent_output_put_status (self->output, TB_CAPTURE_STATUS_MISSING, TB_CAPTURE_SOURCE_PROBES,
                              TB_CAPTURE_MESSAGE (TB_CAPTURE_CODE_PERF_HAS_NO_PROBES, 0));
  tb_agent_output_put_status (self->output, TB_CAPTURE_STATUS_MISSING, TB_CAPTURE_SOURCE_MARKS,
                              TB_CAPTURE_MESSAGE (TB_CAPTURE_CODE_PERF_HAS_NO_MARKS, 0));
  if (has_all && self->header.backend == TB_CAPTURE_BACKEND_PERF)
    tb_agent_perf_measure_cost (self, cost);
}

static void
raise_file_limit (void)
{
  struct rlimit limit;

  if (getrlimit (RLIMIT_NOFILE, &limit) == 0 && limit.rlim_cur < limit.rlim_max)
    {
      limit.rlim_cur = limit.rlim_max;
      setrlimit (RLIMIT_NOFILE, &limit);
    }
}

static int
map_ring (TbAgent *self, TbAgentRing *ring, int fd, TbCaptureMessage *why)
{
  uint64_t page = (uint64_t) sysconf (_SC_PAGESIZE),
           bytes = MIN_RING_BYTES > page ? MIN_RING_BYTES : page;
  uint64_t wanted = self->start.ring_bytes;

  if (self->header.backend == TB_CAPTURE_BACKEND_BPF)
    wanted = MAPPINGS_RING_BYTES;
  if (wanted == 0)
    wanted = self->header.backend == TB_CAPTURE_BACKEND_OWN ? OWN_RING_BYTES : DEFAULT_RING_BYTES;
  while (bytes < wanted && bytes < MAX_RING_BYTES)
    bytes *= 2;
  for (;; bytes /= 2)
    {
      ring->base = mmap (NULL, page + bytes, PROT_READ | PROT_WRITE, MAP_SHARED, fd, 0);
      if (ring->base != MAP_FAILED)
        break;
      /* An unprivileged user may lock only a limited amount of memory. */
      if ((errno != EPERM && errno != ENOMEM) || bytes <= page)
        {
          TB_CAPTURE_SET_MESSAGE (why, TB_CAPTURE_CODE_BUFFER_NOT_MAPPED, errno,
                                  TB_CAPTURE_NUMBER (ring->cpu));
          ring->base = NULL;
          return -1;
        }
    }
  ring->fd = fd;
  ring->data = (uint8_t *) ring->base + page;
  ring->size = bytes;
  return 0;
}

static void
add_counter (TbAgent *self, int fd, TbAgentEvent event, const TbAgentRing *ring)
{
  uint64_t id = 0;

  if ((self->perf.n_counters & (self->perf.n_counters + 1)) == 0)
    self->perf.counters
        = tb_agent_allocate (self->perf.counters,
                             (self->perf.n_counters + 1) * 2 * sizeof *self->perf.counters);
  self->perf.counters[self->perf.n_counters++]
      = (TbAgentCounter) { fd, event, (uint16_t) (ring - self->perf.rings) };
  ioctl (fd, PERF_EVENT_IOC_ID, &id);
  tb_agent_map_put (&self->perf.event_ids, id + 1, event);
}

typedef struct
{
  TbAgentRing *ring;
  const struct perf_event_attr *attrs;
  TbCaptureMessage *why; /* reason of a failure */
  int failed;
  unsigned n_opened;
} Opening;

static void
explain_not_opened (const Opening *opening, TbAgentEvent event, int error)
{
  TbCaptureMessage cause;

  TB_CAPTURE_SET_MESSAGE (opening->why, TB_CAPTURE_CODE_EVENT_NOT_OPENED, error,
                          TB_CAPTURE_NUMBER (event), TB_CAPTURE_NUMBER (opening->ring->cpu));
  tb_capture_message_add_cause (opening->why, explain_open_error (error, &cause));
}

/* Opens all wanted events of one CPU, for one thread or all, into the CPU's ring. */
static void
open_on_ring (TbAgent *self, int32_t tid, void *data)
{
  static const uint8_t order[] = { TB_AGENT_TASKS, TB_AGENT_CLOCK };
  Opening *opening = data;
  TbAgentRing *ring = opening->ring;

  for (int i = 0; i < TB_AGENT_N_EVENTS && !opening->failed; i++)
    {
      TbAgentEvent event = i < 2 ? order[i] : i - 2;
      struct perf_event_attr attr = opening->attrs[event];
      int fd;

      if (!self->perf.setup[event].wanted)
        continue;
      fd = open_event (&attr, tid, ring->cpu);
      if (fd < 0)
        {
          /* Threads may end while they are listed, and CPUs may be offline. */
          if ((errno == ESRCH && tid > 0) || (errno == ENODEV && event == TB_AGENT_TASKS))
            return;
          explain_not_opened (opening, event, errno);
          opening->failed = 1;
          return;
        }
      if (ring->base == NULL)
        opening->failed = map_ring (self, ring, fd, opening->why) != 0;
      else if (ioctl (fd, PERF_EVENT_IOC_SET_OUTPUT, ring->fd) != 0)
        {
          TB_CAPTURE_SET_MESSAGE (opening->why, TB_CAPTURE_CODE_BUFFER_NOT_SHARED, errno,
                                  TB_CAPTURE_NUMBER (ring->cpu));
          opening->failed = 1;
        }
      if (opening->failed)
        {
          close (fd);
          return;
        }
      add_counter (self, fd, event, ring);
    }
  opening->n_opened++;
}

static void
set_filters (TbAgent *self)
{
  char own[64], dumped[TB_CAPTURE_MAX_DUMP_THREADS * 48], others[sizeof dumped];

  snprintf (own, sizeof own, "common_pid != %d", self->own_pid);
  tb_agent_perf_dumps_make_filter (self, 1, dumped, sizeof dumped);
  tb_agent_perf_dumps_make_filter (self, 0, others, sizeof others);
  for (size_t i = 0; i < self->perf.n_counters; i++)
    {
      TbAgentEvent event = self->perf.counters[i].event;

      /* System calls of the agent itself would produce more records for it to write. */
      if (event == TB_AGENT_SYS_ENTER || event == TB_AGENT_SYS_EXIT)
        ioctl (self->perf.counters[i].fd, PERF_EVENT_IOC_SET_FILTER, own);
      else if (event == TB_AGENT_SWITCH_DUMPED)
        ioctl (self->perf.counters[i].fd, PERF_EVENT_IOC_SET_FILTER, dumped);
      else if (event == TB_AGENT_SWITCH && self->perf.setup[TB_AGENT_SWITCH_DUMPED].wanted)
        ioctl (self->perf.counters[i].fd, PERF_EVENT_IOC_SET_FILTER, others);
      else if (event < TB_AGENT_N_TRACEPOINTS && tb_agent_tracepoints[event].filter != NULL)
        ioctl (self->perf.counters[i].fd, PERF_EVENT_IOC_SET_FILTER,
               tb_agent_tracepoints[event].filter);
    }
}

static void
report_missing (TbAgent *self, const TbAgentTracepoint *tracepoint, int error)
{
  TbCaptureMessage message, cause;
  char name[MAX_NAME];

  TB_CAPTURE_SET_MESSAGE (&message, TB_CAPTURE_CODE_TRACEPOINT_MISSING, error,
                          format_name (tracepoint, name, sizeof name));
  tb_capture_message_add_cause (&message, explain_open_error (error, &cause));
  tb_capture_message_add_cause (&message, TB_CAPTURE_MESSAGE (tracepoint->missing_code, 0));
  tb_agent_output_put_status (self->output, TB_CAPTURE_STATUS_MISSING, tracepoint->source,
                              &message);
}

/* Chooses the events of this recording and reports those that are missing. */
static void
choose_events (TbAgent *self, struct perf_event_attr *attrs)
{
  int own = self->header.backend == TB_CAPTURE_BACKEND_OWN;
  int is_with_bpf = self->header.backend == TB_CAPTURE_BACKEND_BPF;

  memset (self->perf.setup, 0, sizeof self->perf.setup);
  for (int event = 0; event < TB_AGENT_N_TRACEPOINTS && !own && !is_with_bpf; event++)
    {
      const TbAgentTracepoint *tracepoint = &tb_agent_tracepoints[event];
      TbAgentEventSetup *setup = &self->perf.setup[event];
      int fd = -1, error = ENOENT;

      if ((self->start.sources >> tracepoint->source & 1) == 0)
        continue;
      setup->has_chain
          = (self->start.stacks & (tracepoint->user_stack | tracepoint->kernel_stack)) != 0;
      setup->has_dump = tb_agent_perf_dumps_includes (self, event);
      if (event == TB_AGENT_SWITCH_DUMPED && !setup->has_dump)
        continue;
      if (set_up_tracepoint (self, event) == 0)
        {
          fill_attr (self, event, &attrs[event]);
          fd = open_event (&attrs[event], -1, self->perf.rings[0].cpu);
          error = errno;
          if (fd >= 0 && self->perf.test_events[event] > 0)
            close (self->perf.test_events[event]);
        }
      if (fd < 0)
        {
          report_missing (self, tracepoint, error);
          continue;
        }
      self->perf.test_events[event] = fd;
      setup->wanted = 1;
    }

  if (!is_with_bpf)
    tb_agent_perf_dumps_report (self);
  /* Always wanted: without the records of threads and mappings no other record can be
   * interpreted. */
  self->perf.setup[TB_AGENT_TASKS].wanted = 1;
  fill_attr (self, TB_AGENT_TASKS, &attrs[TB_AGENT_TASKS]);
  if ((self->start.sources >> TB_CAPTURE_SOURCE_SAMPLES & 1) != 0 && !is_with_bpf)
    {
      TbAgentEventSetup *setup = &self->perf.setup[TB_AGENT_CLOCK];

      setup->wanted = 1;
      setup->has_chain
          = (self->start.stacks & (TB_CAPTURE_USER_STACKS | TB_CAPTURE_KERNEL_STACKS)) != 0;
      setup->has_dump = !own && tb_agent_perf_dumps_includes (self, TB_AGENT_CLOCK);
      fill_attr (self, TB_AGENT_CLOCK, &attrs[TB_AGENT_CLOCK]);
      setup->weight = attrs[TB_AGENT_CLOCK].sample_period;
      if (prefer_cycles (self, &attrs[TB_AGENT_CLOCK], own ? 0 : -1,
                         own ? -1 : self->perf.rings[0].cpu))
        setup->weight = 0;
    }
}

static void
make_rings (TbAgent *self)
{
  uint32_t n_cpus = self->header.n_cpus;
  uint8_t *online = tb_agent_allocate (NULL, n_cpus);

  tb_agent_list_online_cpus (online, n_cpus);
  self->perf.rings = tb_agent_allocate (NULL, n_cpus * sizeof *self->perf.rings);
  memset (self->perf.rings, 0, n_cpus * sizeof *self->perf.rings);
  self->perf.n_rings = 0;
  for (uint32_t cpu = 0; cpu < n_cpus; cpu++)
    if (online[cpu])
      {
        self->perf.rings[self->perf.n_rings].cpu = (uint16_t) cpu;
        self->perf.rings[self->perf.n_rings].shown = self->perf.rings[self->perf.n_rings].running
            = -1;
        self->perf.rings[self->perf.n_rings++].fd = -1;
      }
  free (online);
}

int
tb_agent_perf_open (TbAgent *self, TbCaptureMessage *why)
{
  struct perf_event_attr attrs[TB_AGENT_N_EVENTS];
  unsigned n_opened = 0;

  raise_file_limit ();
  if (self->start.frequency == 0)
    self->start.sources &= ~(1u << TB_CAPTURE_SOURCE_SAMPLES);
  if (self->start.frequency > MAX_FREQUENCY)
    self->start.frequency = MAX_FREQUENCY;
  make_rings (self);
  self->perf.scratch = tb_agent_allocate (NULL, SCRATCH_SIZE);
  choose_events (self, attrs);
  for (unsigned i = 0; i < self->perf.n_rings; i++)
    {
      Opening opening = { &self->perf.rings[i], attrs, why, 0, 0 };

      if (self->header.backend == TB_CAPTURE_BACKEND_OWN)
        tb_agent_tasks_for_each_target_thread (self, open_on_ring, &opening);
      else
        open_on_ring (self, -1, &opening);
      if (opening.failed)
        return -1;
      n_opened += opening.n_opened;
    }
  if (n_opened == 0)
    {
      TB_CAPTURE_SET_MESSAGE (why, TB_CAPTURE_CODE_PROCESS_HAS_ENDED, 0,
                              TB_CAPTURE_SIGNED_NUMBER (self->start.pid));
      return -1;
    }
  close_test_events (self);
  set_filters (self);
  return 0;
}

int
tb_agent_perf_open_clock (TbAgent *self, int cpu, int *by_clock)
{
  struct perf_event_attr attr;

  fill_attr (self, TB_AGENT_CLOCK, &attr);
  *by_clock = !prefer_cycles (self, &attr, -1, cpu);
  return open_event (&attr, -1, cpu);
}

int
tb_agent_perf_enable (TbAgent *self)
{
  for (size_t i = 0; i < self->perf.n_counters; i++)
    if (ioctl (self->perf.counters[i].fd, PERF_EVENT_IOC_ENABLE, 0) != 0)
      return -1;
  return 0;
}

void
tb_agent_perf_disable (TbAgent *self)
{
  for (size_t i = 0; i < self->perf.n_counters; i++)
    ioctl (self->perf.counters[i].fd, PERF_EVENT_IOC_DISABLE, 0);
}

void
tb_agent_perf_close (TbAgent *self)
{
  uint64_t page = (uint64_t) sysconf (_SC_PAGESIZE);

  for (unsigned i = 0; i < self->perf.n_rings; i++)
    if (self->perf.rings[i].base != NULL)
      munmap (self->perf.rings[i].base, page + self->perf.rings[i].size);
  for (size_t i = 0; i < self->perf.n_counters; i++)
    close (self->perf.counters[i].fd);
  close_test_events (self);
  free (self->perf.rings);
  free (self->perf.counters);
  free (self->perf.scratch);
  free (self->perf.dump);
  self->perf.dump = NULL;
  self->perf.rings = NULL;
  self->perf.counters = NULL;
  self->perf.scratch = NULL;
  self->perf.n_rings = 0;
  self->perf.n_counters = 0;
  tb_agent_map_clear (&self->perf.event_ids);
  tb_agent_map_clear (&self->perf.locked_files);
}
