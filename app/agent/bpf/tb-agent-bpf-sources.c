/* tb-agent-bpf-sources.c: translation of the records of BPF programs for block I/O (with names of
 * files), locks of files, system calls, samples and probed calls into records of the capture stream
 * (network and marks: other files); system calls still open at the end
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#include <stdio.h>
#include <string.h>

#include "agent/bpf/tb-agent-bpf-private.h"

/* Request operations, as the kernel numbers them */
#define OP_READ 0u
#define OP_WRITE 1u
#define OP_FLUSH 2u
#define OP_DISCARD 3u
#define OP_SECURE_ERASE 5u
#define OP_DRIVER_IN 34u
#define OP_DRIVER_OUT 35u

static TbAgentTaskView
get_task (const TbBpfHeader *header)
{
  return (TbAgentTaskView) { header->tid, header->pid, (header->flags & TB_BPF_IS_TARGET) != 0 };
}

static int
read_stack (TbAgent *self, const TbBpfStack *stack, const void *end, size_t size, size_t fixed)
{
  return tb_agent_bpf_read_stack (self, stack, end, size - fixed);
}

/* As the kernel's own tracepoints print it */
static uint32_t
intern_operation (TbAgent *self, const TbBpfIo *in)
{
  char text[12];
  size_t n = 0;

  if ((in->io_flags & TB_BPF_IO_PREFLUSH) != 0)
    text[n++] = 'F';
  switch (in->operation)
    {
    case OP_READ:
      text[n++] = 'R';
      break;
    case OP_WRITE:
      text[n++] = 'W';
      break;
    case OP_FLUSH:
      text[n++] = 'F';
      break;
    case OP_DISCARD:
      text[n++] = 'D';
      break;
    case OP_SECURE_ERASE:
      text[n++] = 'D';
      text[n++] = 'E';
      break;
    default:
      text[n++] = 'N';
      break;
    }
  if ((in->io_flags & TB_BPF_IO_FUA) != 0)
    text[n++] = 'F';
  if ((in->io_flags & TB_BPF_IO_AHEAD) != 0)
    text[n++] = 'A';
  if ((in->io_flags & TB_BPF_IO_SYNC) != 0)
    text[n++] = 'S';
  if ((in->io_flags & TB_BPF_IO_META) != 0)
    text[n++] = 'M';
  return tb_agent_output_intern_string (self->output, text, n);
}

static void
translate_io (TbAgent *self, TbAgentBpfCpu *cpu, const TbBpfIo *in, size_t size)
{
  const TbBpfHeader *header = &in->header;
  TbAgentTaskView task = get_task (header);
  TbCaptureRecord out = { .time = header->time };
  int is_flush = in->operation == OP_FLUSH || (in->io_flags & TB_BPF_IO_PREFLUSH) != 0;

  if (size < sizeof *in || !read_stack (self, &in->stack, in + 1, size, sizeof *in)
      || tb_agent_bpf_is_outside (self, header->time))
    return;
  /* A completion without bytes that is no flush was only merged or waited for; the request never
   * reached the device. */
  if (header->type == TB_BPF_IO_COMPLETE && in->bytes == 0 && !is_flush)
    return;
  out.type = (uint16_t) (TB_CAPTURE_IO_INSERT + (header->type - TB_BPF_IO_INSERT));
  out.flags = tb_agent_bpf_translate_flags (header->flags);
  /* A flush has no sector, and the sector of a driver command has no meaning. */
  out.io.sector
      = in->sector == UINT64_MAX || in->operation == OP_DRIVER_IN || in->operation == OP_DRIVER_OUT
            ? 0
            : in->sector;
  out.io.bytes = in->bytes;
  out.io.operation = intern_operation (self, in);
  out.io.device = tb_agent_devices_get_block (self, in->device);
  if (!self->target.is_filtered || self->system_allowed || task.is_target)
    out.io.file = tb_agent_files_get (&self->bpf->files, &in->file);
  tb_agent_bpf_put_with_stack (self, cpu, &out, &task, in->stack.id);
}

static void
note_file (TbAgent *self, const TbBpfFile *in, size_t size)
{
  if (size < sizeof *in || in->length > size - sizeof *in)
    return;
  tb_agent_files_add (&self->bpf->files, self->output, &in->file, (const char *) (in + 1),
                      in->length, in->deleted != 0, in->header.pid);
}

/* Emits the beginning of a call, dated time, or the end of the recording if that was earlier. */
static void
put_enter (TbAgent *self,
           TbAgentBpfCpu *cpu,
           const TbAgentTaskView *task,
           uint64_t time,
           uint64_t entered,
           const uint64_t *args,
           uint32_t number,
           uint64_t stack_id)
{
  TbCaptureRecord out = { .time = time, .type = TB_CAPTURE_SYS_ENTER };

  if (out.time > self->end_time)
    out.time = self->end_time;
  /* If only long calls are wanted, the length of a call that has not returned is unknown. */
  if (entered < self->start_time || entered > out.time || self->start.min_syscall_ns != 0)
    return;
  if (entered < out.time)
    out.sys_enter.entered = entered;
  memcpy (out.sys_enter.args, args, sizeof out.sys_enter.args);
  out.sys_enter.number = number;
  tb_agent_bpf_put_with_stack (self, cpu, &out, task, stack_id);
}

/* System calls of threads that have not left their CPU since they entered. No record was written
 * for them, so they are emitted at the end. */
void
tb_agent_bpf_emit_open_calls (TbAgent *self)
{
  for (uint32_t cpu = 0; cpu < self->header.n_cpus; cpu++)
    {
      const TbBpfOpenCall *call = &self->bpf->kernel_cpus[cpu].open_call;
      TbAgentTaskView task = { call->tid, call->pid, 1 };

      if (call->entered != 0)
        put_enter (self, &self->bpf->cpus[cpu], &task, self->end_time, call->entered, call->args,
                   call->number, 0);
    }
}

static void
translate_enter (TbAgent *self, TbAgentBpfCpu *cpu, const TbBpfSysEnter *in, size_t size)
{
  TbAgentTaskView task = get_task (&in->header);

  if (size < sizeof *in || !read_stack (self, &in->stack, in + 1, size, sizeof *in)
      || in->entered > in->header.time)
    return;
  put_enter (self, cpu, &task, in->header.time, in->entered, in->args, in->number, in->stack.id);
}

static void
translate_exit (TbAgent *self, TbAgentBpfCpu *cpu, const TbBpfSysExit *in, size_t size)
{
  TbAgentTaskView task = get_task (&in->header);
  TbCaptureRecord out = { .time = in->header.time, .type = TB_CAPTURE_SYS_EXIT };

  if (size < sizeof *in || tb_agent_bpf_is_outside (self, in->header.time))
    return;
  out.sys_exit.result = in->result;
  out.sys_exit.number = in->number;
  tb_agent_bpf_put_with_stack (self, cpu, &out, &task, 0);
}

static void
translate_call (TbAgent *self, TbAgentBpfCpu *cpu, const TbBpfSysCall *in, size_t size)
{
  TbAgentTaskView task = get_task (&in->header);
  TbCaptureRecord out = { .time = in->header.time, .type = TB_CAPTURE_SYS_CALL };

  if (size < sizeof *in || !read_stack (self, &in->stack, in + 1, size, sizeof *in)
      || in->header.time < self->start_time || in->entered > in->header.time)
    return;
  /* The call was still open at the end of the recording. */
  if (in->header.time > self->end_time)
    {
      put_enter (self, cpu, &task, self->end_time, in->entered, in->args, in->number, in->stack.id);
      return;
    }
  out.sys_call.entered = in->entered > self->start_time ? in->entered : self->start_time;
  memcpy (out.sys_call.args, in->args, sizeof out.sys_call.args);
  out.sys_call.result = in->result;
  out.sys_call.number = in->number;
  tb_agent_bpf_put_with_stack (self, cpu, &out, &task, in->stack.id);
}

static void
translate_sample (TbAgent *self, TbAgentBpfCpu *cpu, const TbBpfSample *in, size_t size)
{
  TbAgentTaskView task = get_task (&in->header);
  TbCaptureRecord out = { .time = in->header.time, .type = TB_CAPTURE_SAMPLE };

  if (size < sizeof *in || !read_stack (self, &in->stack, in + 1, size, sizeof *in)
      || tb_agent_bpf_is_outside (self, in->header.time))
    return;
  out.sample.weight = in->weight;
  tb_agent_bpf_put_with_stack (self, cpu, &out, &task, in->stack.id);
}

static void
translate_probe (TbAgent *self, TbAgentBpfCpu *cpu, const TbBpfCall *in, size_t size)
{
  TbAgentTaskView task = get_task (&in->header);
  TbCaptureRecord out = { .time = in->header.time };

  if (size < sizeof *in || !read_stack (self, &in->stack, in + 1, size, sizeof *in)
      || tb_agent_bpf_is_outside (self, in->header.time) || in->entered > in->header.time)
    return;
  out.type = in->header.type == TB_BPF_CALL ? TB_CAPTURE_CALL : TB_CAPTURE_RETURN;
  out.call.site = in->site;
  out.call.probe = in->probe;
  if (in->entered != 0)
    out.call.entered = in->entered > self->start_time ? in->entered : self->start_time;
  tb_agent_bpf_put_with_stack (self, cpu, &out, &task, in->stack.id);
}

/* The file of a lock by its numbers, where its path is not known */
static uint32_t
intern_locked_file (TbAgent *self, const TbBpfFileId *file)
{
  uint32_t path = tb_agent_files_get (&self->bpf->files, file);
  char text[64];
  int length;

  if (path != 0 || file->inode == 0)
    return path;
  length = snprintf (text, sizeof text, "file:[%u:%u:%llu]", file->device >> 20,
                     file->device & 0xfffffu, (unsigned long long) file->inode);
  return tb_agent_output_intern_string (self->output, text, (size_t) length);
}

static void
translate_file_lock (TbAgent *self, TbAgentBpfCpu *cpu, const TbBpfFileLock *in, size_t size)
{
  TbAgentTaskView task = get_task (&in->header);
  TbCaptureRecord out = { .time = in->header.time, .type = TB_CAPTURE_FILE_LOCK };

  if (size < sizeof *in || in->call > TB_BPF_LOCK_FCNTL || in->mode >= TB_CAPTURE_N_LOCK_MODES
      || in->result > TB_BPF_LOCK_FAILED || tb_agent_bpf_is_outside (self, in->header.time))
    return;
  out.file_lock.owner = in->owner;
  out.file_lock.from = in->from;
  out.file_lock.to = in->to;
  out.file_lock.file = intern_locked_file (self, &in->file);
  out.file_lock.call = (uint16_t) in->call;
  out.file_lock.mode = (uint16_t) in->mode;
  out.file_lock.result = (uint16_t) in->result;
  tb_agent_bpf_put_with_stack (self, cpu, &out, &task, 0);
}

void
tb_agent_bpf_translate_source (TbAgent *self,
                               TbAgentBpfCpu *cpu,
                               const TbBpfHeader *header,
                               size_t size)
{
  const void *in = header;

  switch (header->type)
    {
    case TB_BPF_IO_INSERT:
    case TB_BPF_IO_ISSUE:
    case TB_BPF_IO_COMPLETE:
      translate_io (self, cpu, in, size);
      break;
    case TB_BPF_FILE:
      note_file (self, in, size);
      break;
    case TB_BPF_NETWORK:
    case TB_BPF_UNIX_NAMES:
      tb_agent_bpf_translate_network (self, cpu, header, size);
      break;
    case TB_BPF_SYS_ENTER:
      translate_enter (self, cpu, in, size);
      break;
    case TB_BPF_SYS_EXIT:
      translate_exit (self, cpu, in, size);
      break;
    case TB_BPF_SYS_CALL:
      translate_call (self, cpu, in, size);
      break;
    case TB_BPF_SAMPLE:
      translate_sample (self, cpu, in, size);
      break;
    case TB_BPF_CALL:
    case TB_BPF_RETURN:
      translate_probe (self, cpu, in, size);
      break;
    case TB_BPF_MARK:
      tb_agent_bpf_translate_mark (self, cpu, in, size);
      break;
    case TB_BPF_FILE_LOCK:
      translate_file_lock (self, cpu, in, size);
      break;
    default:
      break;
    }
}
