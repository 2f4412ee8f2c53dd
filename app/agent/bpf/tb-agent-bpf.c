/* tb-agent-bpf.c: recording with BPF programs: test whether it is possible, or why not; choice and
 * loading of the objects, start, requests for probes and marks, draining of the rings, end
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#include <errno.h>
#include <fcntl.h>
#include <linux/bpf.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "agent/base/tb-agent-btf.h"
#include "agent/bpf/tb-agent-bpf-loader.h"
#include "agent/bpf/tb-agent-bpf-private.h"

#define DEFAULT_RING_BYTES (8u << 20)
#define CALLS_RING_BYTES (32u << 20) /* enough for half a million system call records a second */
#define MIN_RING_BYTES (4u << 10)
#define MAX_RING_BYTES (256u << 20)
#define SHORT_SOFTIRQ 20000 /* ns */
#define MAX_TYPES (256u << 20)

/* If the first is refused, BPF recording fails. A refusal of another one only leaves out its
 * source. */
static const TbAgentBpfObjectKind *const kinds[] = {
  &tb_agent_bpf_scheduler, &tb_agent_bpf_interrupts,  &tb_agent_bpf_timer,
  &tb_agent_bpf_block,     &tb_agent_bpf_connections, &tb_agent_bpf_sends,
  &tb_agent_bpf_arrivals,  &tb_agent_bpf_packets,     &tb_agent_bpf_syscalls,
  &tb_agent_bpf_samples,   &tb_agent_bpf_probes,      &tb_agent_bpf_marks,
  &tb_agent_bpf_faults,    &tb_agent_bpf_file_locks,  &tb_agent_bpf_latency,
};

/* Chooses the code by what the user can do about the cause. */
static void
explain_no_bpf (const TbCaptureMessage *cause, TbCaptureMessage *why)
{
  TbCaptureStatusCode code;

  switch (cause->code)
    {
    case TB_CAPTURE_CODE_NOT_PERMITTED:
    case TB_CAPTURE_CODE_NO_CAP_BPF:
    case TB_CAPTURE_CODE_BPF_DISABLED:
      code = TB_CAPTURE_CODE_BPF_NOT_PERMITTED;
      break;
    case TB_CAPTURE_CODE_PROGRAM_REFUSED:
    case TB_CAPTURE_CODE_PROGRAM_NOT_TAKEN:
      code = TB_CAPTURE_CODE_BPF_REFUSED;
      break;
    default:
      code = TB_CAPTURE_CODE_BPF_NOT_AVAILABLE;
      break;
    }
  TB_CAPTURE_SET_MESSAGE (why, code, (int) cause->error);
  tb_capture_message_add_cause (why, cause);
}

/* The BTF of the kernel, without which no program can be relocated. Tests may name another file. */
static const char *
get_types_path (void)
{
  const char *path = getuid () == geteuid () ? getenv ("TAILBACK_BTF") : NULL;

  return path != NULL ? path : "/sys/kernel/btf/vmlinux";
}

static uint8_t *
read_types (size_t *size)
{
  int file = open (get_types_path (), O_RDONLY | O_CLOEXEC);
  uint8_t *types = NULL;
  size_t capacity = 0;
  ssize_t got = 1;

  *size = 0;
  while (file >= 0 && got > 0 && *size < MAX_TYPES)
    {
      if (*size == capacity)
        {
          capacity = capacity == 0 ? 8u << 20 : capacity * 2;
          types = tb_agent_allocate (types, capacity);
        }
      got = read (file, types + *size, capacity - *size);
      *size += got > 0 ? (size_t) got : 0;
    }
  if (file >= 0)
    close (file);
  return types;
}

/* Finds the offset of the preemption counter from the CPU's run queue. Many kernels do not list
 * per-CPU variables in kallsyms, but a thread has a pointer to its run queue. */
static void
find_preempt_count (TbBpfConfig *config)
{
  static const char *const alone[] = { "runqueues", "__preempt_count" };
  static const char *const in_hot[] = { "runqueues", "pcpu_hot" };
  uint32_t places[2], member = 0;
  size_t size;
  uint8_t *types = read_types (&size);

  config->has_preempt_count = 1;
  if (tb_agent_btf_find_cpu_variables (types, size, alone, places, 2))
    config->preempt_count = (int64_t) places[1] - places[0];
  else if (tb_agent_btf_find_cpu_variables (types, size, in_hot, places, 2)
           && tb_agent_btf_find_member (types, size, "pcpu_hot", "preempt_count", &member))
    config->preempt_count = (int64_t) places[1] + member - places[0];
  else
    config->has_preempt_count = 0;
  free (types);
}

static uint64_t
choose_ring_size (const TbAgent *self)
{
  uint64_t page = (uint64_t) sysconf (_SC_PAGESIZE),
           bytes = MIN_RING_BYTES > page ? MIN_RING_BYTES : page;
  int has_calls = (self->start.sources >> TB_CAPTURE_SOURCE_SYSCALLS & 1) != 0;
  uint64_t preferred = has_calls ? CALLS_RING_BYTES : DEFAULT_RING_BYTES;
  uint64_t wanted = self->start.ring_bytes != 0 ? self->start.ring_bytes : preferred;

  while (bytes < wanted && bytes < MAX_RING_BYTES)
    bytes *= 2;
  return bytes;
}

int
tb_agent_bpf_can_record (TbAgent *self, TbCaptureMessage *why)
{
  TbCaptureMessage cause = { 0 };
  TbAgentBpfShared shared;
  int works;

  if (access (get_types_path (), R_OK) != 0)
    {
      TB_CAPTURE_SET_MESSAGE (why, TB_CAPTURE_CODE_NO_BTF, errno, get_types_path ());
      return 0;
    }
  works = tb_agent_bpf_prepare (self, (uint64_t) sysconf (_SC_PAGESIZE), &cause) == 0;
  if (works)
    {
      shared = self->bpf->shared;
      shared.rings = NULL;
      works = tb_agent_bpf_object_load (&self->bpf->objects[0], kinds[0], &shared, &cause) == 0;
    }
  tb_agent_bpf_close (self);
  if (!works)
    explain_no_bpf (&cause, why);
  return works;
}

const TbAgentBpfObject *
tb_agent_bpf_find_object (const TbAgentBpf *bpf, const TbAgentBpfObjectKind *kind)
{
  for (size_t i = 0; i < bpf->n_objects; i++)
    if (bpf->objects[i].kind == kind)
      return &bpf->objects[i];
  return NULL;
}

static void
load_own_frames (TbAgent *self)
{
  TbAgentSymbols symbols;

  if ((self->start.stacks & (TB_CAPTURE_KERNEL_STACKS | TB_CAPTURE_WAKING_KERNEL_STACKS)) == 0
      || tb_agent_symbols_load (&symbols) != 0)
    return;
  tb_agent_bpf_frames_load (&self->bpf->stacks.own, &symbols);
  tb_agent_symbols_clear (&symbols);
}

static int
is_wanted (const TbAgent *self, const TbAgentBpfObjectKind *kind)
{
  if (kind->alternative_to != NULL
      && tb_agent_bpf_find_object (self->bpf, kind->alternative_to) != NULL)
    return 0;
  return kind == kinds[0] || (self->start.sources >> kind->source & 1) != 0;
}

/* Reports programs that cannot be used: their name, the cause and the consequence. */
static void
report_unusable (TbAgent *self,
                 const TbAgentBpfObjectKind *kind,
                 TbCaptureStatusCode code,
                 const TbCaptureMessage *why)
{
  TbCaptureMessage message;

  TB_CAPTURE_SET_MESSAGE (&message, code, (int) why->error, kind->name);
  tb_capture_message_add_cause (&message, why);
  tb_capture_message_add_cause (&message, TB_CAPTURE_MESSAGE (kind->missing_code, 0));
  tb_agent_output_put_status (self->output, TB_CAPTURE_STATUS_MISSING, kind->source, &message);
}

static void
keep_loaded (TbAgent *self, const TbAgentBpfLoading *loading)
{
  TbAgentBpf *bpf = self->bpf;

  if (loading->result != 0)
    report_unusable (self, loading->kind, TB_CAPTURE_CODE_PROGRAMS_NOT_LOADED, &loading->why);
  else
    bpf->objects[bpf->n_objects++] = loading->object;
  if (loading->result == 0 && loading->kind == kinds[0] && !loading->shared.config.sleeps)
    tb_agent_output_put_status (self->output, TB_CAPTURE_STATUS_MISSING,
                                TB_CAPTURE_SOURCE_SCHEDULER,
                                TB_CAPTURE_MESSAGE (TB_CAPTURE_CODE_NO_SLEEPS, 0));
  if (loading->result == 0 && loading->kind == kinds[0]
      && loading->shared.config.stacks != bpf->shared.config.stacks)
    tb_agent_output_put_status (self->output, TB_CAPTURE_STATUS_MISSING,
                                TB_CAPTURE_SOURCE_SCHEDULER,
                                TB_CAPTURE_MESSAGE (TB_CAPTURE_CODE_NO_TABLES, EOPNOTSUPP));
  if (loading->result == 0 && bpf->shared.config.dump_bytes != 0
      && loading->shared.config.dump_bytes == 0)
    tb_agent_output_put_status (self->output, TB_CAPTURE_STATUS_MISSING, loading->kind->source,
                                TB_CAPTURE_MESSAGE (TB_CAPTURE_CODE_NO_DUMPS_BY_PROGRAMS, 0,
                                                    loading->kind->name));
}

static TbAgentBpfLoading
make_loading (const TbAgent *self, const TbAgentBpfObjectKind *kind)
{
  return (TbAgentBpfLoading) { .kind = kind,
                               .can_do_without_sleeps = kind == kinds[0],
                               .shared = self->bpf->shared };
}

void
tb_agent_bpf_load_objects (TbAgent *self)
{
  TbAgentBpfLoading loadings[sizeof kinds / sizeof kinds[0]];
  size_t n = 0;

  for (size_t i = 0; i < sizeof kinds / sizeof kinds[0]; i++)
    if (kinds[i]->alternative_to == NULL && is_wanted (self, kinds[i]))
      loadings[n++] = make_loading (self, kinds[i]);
  tb_agent_bpf_load (loadings, n);
  for (size_t i = 0; i < n; i++)
    keep_loaded (self, &loadings[i]);
  for (size_t i = 0; i < sizeof kinds / sizeof kinds[0]; i++)
    {
      if (kinds[i]->alternative_to == NULL || !is_wanted (self, kinds[i]))
        continue;
      loadings[0] = make_loading (self, kinds[i]);
      tb_agent_bpf_load (loadings, 1);
      keep_loaded (self, &loadings[0]);
    }
}

int
tb_agent_bpf_open (TbAgent *self, TbCaptureMessage *why)
{
  TbBpfConfig *config;

  if (tb_agent_bpf_prepare (self, choose_ring_size (self), why) != 0)
    return -1;
  config = &self->bpf->shared.config;
  if ((self->start.stacks & TB_CAPTURE_REPAIRED_STACKS) != 0)
    tb_agent_bpf_tables_open (self);
  config->stacks = self->start.stacks;
  if (self->bpf->shared.tables == 0)
    config->stacks &= ~(uint32_t) TB_CAPTURE_REPAIRED_STACKS;
  find_preempt_count (config);
  config->short_softirq = SHORT_SOFTIRQ;
  config->stack_interval = (uint64_t) self->start.stack_interval * 1000;
  config->min_syscall_ns = self->start.min_syscall_ns;
  config->filter = !self->target.is_filtered ? TB_BPF_FILTER_NONE
                   : self->start.cgroup != 0 ? TB_BPF_FILTER_CGROUP
                                             : TB_BPF_FILTER_TREE;
  config->cgroup = self->start.cgroup;
  config->cgroup_level = (uint32_t) self->target.cgroup_level;
  if (TB_BPF_DUMP_REGISTERS > 0)
    {
      config->dump_bytes = self->start.dump_bytes;
      config->n_dump_names = self->n_dump_names;
      memcpy (config->dump_names, self->dump_names, sizeof config->dump_names);
    }
  for (uint32_t cpu = 0; cpu < self->header.n_cpus; cpu++)
    self->bpf->kernel_cpus[cpu].salt = self->bpf->salt;
  if ((self->start.sources >> TB_CAPTURE_SOURCE_NETWORK & 1) != 0)
    self->bpf->shared.received
        = tb_agent_bpf_map_new (BPF_MAP_TYPE_LRU_HASH, "tb_received", sizeof (uint64_t),
                                sizeof (uint64_t), TB_BPF_MAX_CONNECTIONS, 0);
  load_own_frames (self);
  tb_agent_bpf_tables_fill (self);
  tb_agent_bpf_load_objects (self);
  if (self->bpf->n_objects == 0 || self->bpf->objects[0].kind != kinds[0])
    {
      TB_CAPTURE_SET_MESSAGE (why, TB_CAPTURE_CODE_PROGRAMS_GONE, 0);
      return -1;
    }
  return 0;
}

int
tb_agent_bpf_enable (TbAgent *self)
{
  TbAgentBpf *bpf = self->bpf;
  const TbAgentBpfObject *samples;

  for (size_t i = 0; i < bpf->n_objects; i++)
    {
      TbAgentBpfObject *object = &bpf->objects[i];
      const TbAgentBpfObjectKind *kind = object->kind;
      TbCaptureMessage why;

      if (tb_agent_bpf_object_attach (object, &why) == 0)
        continue;
      if (i == 0)
        return -1;
      report_unusable (self, kind, TB_CAPTURE_CODE_PROGRAMS_NOT_ATTACHED, &why);
    }
  /* The system call programs were attached one by one, so the end of a call noted before the last
   * attachment may have been missed. */
  for (uint32_t cpu = 0; cpu < self->header.n_cpus; cpu++)
    __atomic_store_n (&bpf->kernel_cpus[cpu].open_call.entered, 0, __ATOMIC_RELAXED);
  samples = tb_agent_bpf_find_object (bpf, &tb_agent_bpf_samples);
  if (samples != NULL)
    tb_agent_bpf_samples_start (self, samples);
  return 0;
}

/* Returns the object for a kind of probe and loads it when it is first needed. */
TbAgentBpfObject *
tb_agent_bpf_get_probe_object (TbAgent *self,
                               const TbAgentBpfObjectKind *kind,
                               TbCaptureMessage *why)
{
  TbAgentBpf *bpf = self->bpf;
  TbAgentBpfObject *object
      = bpf != NULL ? (TbAgentBpfObject *) tb_agent_bpf_find_object (bpf, kind) : NULL;

  if (bpf == NULL || !self->running)
    {
      TB_CAPTURE_SET_MESSAGE (why, TB_CAPTURE_CODE_NO_BPF_RECORDING, 0);
      return NULL;
    }
  if (object == NULL)
    {
      if (bpf->n_objects == TB_AGENT_BPF_MAX_OBJECTS
          || tb_agent_bpf_object_load (&bpf->objects[bpf->n_objects], kind, &bpf->shared, why) != 0)
        return NULL;
      object = &bpf->objects[bpf->n_objects++];
    }
  return object;
}

/* Returns the process of which calls are recorded; -1: of all recorded processes, which the
 * programs filter; 0: not permitted. */
static int32_t
choose_traced (const TbAgent *self, const TbCaptureProbeAdd *wanted, TbCaptureMessage *why)
{
  int32_t pid = wanted->pid;

  if ((wanted->kind & TB_CAPTURE_PROBE_ALL) != 0)
    {
      if (self->system_allowed)
        return -1;
      /* A breakpoint in the file would also be one in the processes of other users. */
      if (tb_agent_tasks_belongs_to_caller (self, pid) && self->start.pid > 0)
        return self->start.pid;
      TB_CAPTURE_SET_MESSAGE (why, TB_CAPTURE_CODE_PROBED_PROCESS_FOREIGN, 0,
                              TB_CAPTURE_SIGNED_NUMBER (pid));
      return 0;
    }
  if (!self->target.is_filtered || tb_agent_tasks_is_target (self, pid, pid))
    return pid;
  TB_CAPTURE_SET_MESSAGE (why, TB_CAPTURE_CODE_PROBED_PROCESS_NOT_RECORDED, 0,
                          TB_CAPTURE_SIGNED_NUMBER (pid));
  return 0;
}

int
tb_agent_bpf_add_probe (TbAgent *self, const TbCaptureRecord *wanted, TbCaptureMessage *answer)
{
  const TbAgentBpfObject *object
      = tb_agent_bpf_get_probe_object (self, &tb_agent_bpf_probes, answer);
  TbAgentProbePrograms programs;
  int32_t traced;

  if (object == NULL)
    return -1;
  /* In the order of the programs in their source file */
  programs = (TbAgentProbePrograms) { object->programs[0], object->programs[1], object->programs[2],
                                      *object->filters };
  traced = choose_traced (self, &wanted->probe_add, answer);
  if (traced == 0)
    return -1;
  return tb_agent_probes_add (&self->bpf->probes, &programs, &wanted->probe_add, traced,
                              wanted->tail, wanted->tail_length, answer);
}

/* With system-wide permission a mark is put into all processes, so that processes that start later
 * are covered from their beginning. Then any process with that mapping can serve to identify the
 * file, even the client's own. Only recorded processes produce records. */
int
tb_agent_bpf_add_mark (TbAgent *self, const TbCaptureRecord *wanted, TbCaptureMessage *answer)
{
  const TbCaptureMarkAdd *mark = &wanted->mark_add;
  const TbAgentBpfObject *object;
  TbAgentMarkPrograms programs;

  if ((mark->stack & TB_CAPTURE_MARK_OF_MEMORY) != 0)
    return tb_agent_bpf_add_memory_mark (self, wanted, answer);
  object = tb_agent_bpf_get_probe_object (self, &tb_agent_bpf_marks, answer);
  if (object == NULL)
    return -1;
  if (!self->system_allowed && self->target.is_filtered
      && !tb_agent_tasks_is_target (self, mark->pid, mark->pid))
    {
      TB_CAPTURE_SET_MESSAGE (answer, TB_CAPTURE_CODE_PROBED_PROCESS_NOT_RECORDED, 0,
                              TB_CAPTURE_SIGNED_NUMBER (mark->pid));
      return -1;
    }
  programs = (TbAgentMarkPrograms) { object->programs[0], object->programs[1], *object->filters };
  if (tb_agent_probes_add_mark (&self->bpf->probes, &programs, mark, wanted->tail,
                                wanted->tail_length, self->system_allowed, answer)
      != 0)
    return -1;
  if (mark->text != 0)
    tb_agent_map_put (&self->bpf->mark_places, (uint64_t) mark->id + 1, mark->text);
  return 0;
}

int
tb_agent_bpf_remove_probe (TbAgent *self, uint32_t id, TbCaptureMessage *answer)
{
  TB_CAPTURE_SET_MESSAGE (answer, TB_CAPTURE_CODE_NO_SUCH_PROBE, 0);
  if (self->bpf == NULL || tb_agent_probes_remove (&self->bpf->probes, id) != 0)
    return -1;
  tb_agent_map_remove (&self->bpf->mark_places, (uint64_t) id + 1);
  TB_CAPTURE_SET_MESSAGE (answer, TB_CAPTURE_CODE_PROBE_REMOVED, 0);
  return 0;
}

void
tb_agent_bpf_disable (TbAgent *self)
{
  tb_agent_probes_clear (&self->bpf->probes);
  tb_agent_allocation_probes_clear (&self->bpf->memory);
  tb_agent_bpf_samples_stop (self);
  for (size_t i = 0; i < self->bpf->n_objects; i++)
    tb_agent_bpf_object_detach (&self->bpf->objects[i]);
}

/* Starts a new generation of stack ids in all programs. */
static void
renew_stacks (TbAgentBpf *bpf, uint32_t n_cpus)
{
  tb_agent_bpf_stacks_rotate (&bpf->stacks);
  bpf->salt += 2;
  for (uint32_t cpu = 0; cpu < n_cpus; cpu++)
    __atomic_store_n (&bpf->kernel_cpus[cpu].salt, bpf->salt, __ATOMIC_RELAXED);
}

typedef struct
{
  TbAgent *agent;
  TbAgentBpfCpu *cpu;
} Reader;

static void
read_record (const uint8_t *record, size_t size, void *data)
{
  Reader *reader = data;

  tb_agent_bpf_translate (reader->agent, reader->cpu, record, size);
  if (tb_agent_bpf_stacks_is_full (&reader->agent->bpf->stacks))
    renew_stacks (reader->agent->bpf, reader->agent->header.n_cpus);
}

static int
has_lost (const TbAgent *self)
{
  int lost = self->n_lost > 0;

  for (uint32_t cpu = 0; cpu < self->header.n_cpus; cpu++)
    lost |= self->bpf->kernel_cpus[cpu].lost > 0;
  return lost;
}

int
tb_agent_bpf_drain (TbAgent *self)
{
  TbAgentBpf *bpf = self->bpf;
  TbAgentMap before = { 0 };
  int complete = 1;

  if (!self->tasks.listing)
    {
      before = self->tasks.unannounced;
      memset (&self->tasks.unannounced, 0, sizeof self->tasks.unannounced);
    }

  for (uint32_t i = 0; i < self->header.n_cpus; i++)
    {
      Reader reader = { self, &bpf->cpus[i] };

      complete &= tb_agent_bpf_ring_drain (&bpf->cpus[i].ring, read_record, &reader);
    }
  /* These threads ran unannounced in the round before. By now the ring of the CPU on which they may
   * have been forked was read too. */
  if (before.n_used > 0)
    tb_agent_tasks_put_unannounced (self, &before, has_lost (self));
  tb_agent_map_clear (&before);
  tb_agent_bpf_tables_add_next (self);
  tb_agent_bpf_check_skipped (self);
  return complete;
}

void
tb_agent_bpf_set_target (TbAgent *self, int32_t pid, int is_target)
{
  uint32_t key = (uint32_t) pid, one = 1;

  if (self->bpf == NULL || self->bpf->shared.targets < 0)
    return;
  if (is_target)
    tb_agent_bpf_map_put (self->bpf->shared.targets, &key, &one);
  else
    tb_agent_bpf_map_remove (self->bpf->shared.targets, &key);
}

void
tb_agent_bpf_note_mapping (TbAgent *self, int32_t pid)
{
  if (self->bpf != NULL)
    tb_agent_address_map_forget (&self->bpf->places, pid);
}

void
tb_agent_bpf_close (TbAgent *self)
{
  TbAgentBpf *bpf = self->bpf;

  if (bpf == NULL)
    return;
  for (size_t i = 0; i < TB_AGENT_BPF_MAX_OBJECTS; i++)
    tb_agent_bpf_object_clear (&bpf->objects[i]);
  for (uint32_t cpu = 0; cpu < self->header.n_cpus; cpu++)
    tb_agent_bpf_ring_close (&bpf->cpus[cpu].ring);
  if (bpf->kernel_cpus != NULL)
    munmap (bpf->kernel_cpus, bpf->kernel_cpus_size);
  if (bpf->shared.cpus >= 0)
    close (bpf->shared.cpus);
  if (bpf->shared.targets >= 0)
    close (bpf->shared.targets);
  tb_agent_probes_clear (&bpf->probes);
  tb_agent_allocation_probes_clear (&bpf->memory);
  tb_agent_bpf_tables_close (self);
  if (bpf->shared.received > 0)
    close (bpf->shared.received);
  tb_agent_bpf_samples_stop (self);
  tb_agent_bpf_stacks_clear (&bpf->stacks);
  tb_agent_files_clear (&bpf->files);
  tb_agent_address_map_clear (&bpf->places);
  tb_agent_sleeps_clear (&bpf->sleeps);
  tb_agent_map_clear (&bpf->mark_places);
  tb_agent_map_clear (&bpf->mark_texts);
  tb_agent_map_clear (&bpf->unix_names);
  free (bpf->cpus);
  free (bpf->ring_fds);
  free (bpf);
  self->bpf = NULL;
}
