/* block.bpf.c: BPF programs that emit the insertion and the issue of block I/O requests, with call
 * stack and file, and their completion
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */

#include "tb-bpf-file.h"

TB_BPF_SCRATCH (io_scratch, TbBpfIo, TB_BPF_STACK_ROOM);

/* The values differ between kernels. Bits that the kernel does not have are above all used ones. */
enum req_flag_bits
{
  __REQ_SYNC,
  __REQ_META,
  __REQ_FUA,
  __REQ_PREFLUSH,
  __REQ_RAHEAD,
};

#define HAS(flags, bit) (((flags) >> bpf_core_enum_value (enum req_flag_bits, bit) & 1) != 0)

static __always_inline u32
get_io_flags (u32 flags)
{
  return (HAS (flags, __REQ_FUA) ? TB_BPF_IO_FUA : 0)
         | (HAS (flags, __REQ_RAHEAD) ? TB_BPF_IO_AHEAD : 0)
         | (HAS (flags, __REQ_SYNC) ? TB_BPF_IO_SYNC : 0)
         | (HAS (flags, __REQ_META) ? TB_BPF_IO_META : 0)
         | (HAS (flags, __REQ_PREFLUSH) ? TB_BPF_IO_PREFLUSH : 0);
}

static __always_inline void
fill_io (TbBpfIo *record,
         const TbProgramContext *place,
         u32 type,
         struct task_struct *task,
         struct request *request,
         struct gendisk *disk)
{
  u32 flags = BPF_CORE_READ (request, cmd_flags);

  tb_fill (&record->header, place, type,
           (tb_is_target (task) ? TB_BPF_IS_TARGET : 0) | tb_get_context (place), task->pid,
           task->tgid);
  record->sector = BPF_CORE_READ (request, __sector);
  record->bytes = BPF_CORE_READ (request, __data_len);
  record->device
      = (u32) BPF_CORE_READ (disk, major) << 20 | (u32) BPF_CORE_READ (disk, first_minor);
  record->operation = flags & 0xff;
  record->io_flags = get_io_flags (flags);
  record->file = (TbBpfFileId) { 0 };
  record->stack = (TbBpfStack) { 0 };
}

static __always_inline int
emit_request (void *context, struct request *request, u32 type)
{
  struct task_struct *task = bpf_get_current_task_btf ();
  struct gendisk *disk = BPF_CORE_READ (request, q, disk);
  struct io_scratch_buffer *scratch = tb_scratch (&io_scratch);
  bool user, kernel, target;
  struct inode *inode;
  TbProgramContext place;
  u32 n = 0;

  if (disk == NULL || scratch == NULL || !tb_read_program_context (&place))
    return 0;
  fill_io (&scratch->record, &place, type, task, request, disk);
  inode = tb_find_inode (request, disk);
  if (inode != NULL)
    {
      TbBpfFileId id = { BPF_CORE_READ (inode, i_ino), BPF_CORE_READ (inode, i_sb, s_dev),
                         BPF_CORE_READ (inode, i_generation) };

      tb_emit_file (&place, inode, &id);
      scratch->record.file = id;
    }
  target = (scratch->record.header.flags & TB_BPF_IS_TARGET) != 0 && !tb_is_own (task);
  user = target && (config.stacks & TB_BPF_USER_STACKS) != 0 && (task->flags & PF_KTHREAD) == 0;
  kernel = target && (config.stacks & TB_BPF_KERNEL_STACKS) != 0 && task->pid != 0;
  if (user || kernel)
    n = tb_get_stack (context, &place, &scratch->record.stack, scratch->rest, kernel, user);
  if (tb_output (&place, scratch, sizeof scratch->record + (n & (TB_BPF_MAX_WORDS - 1)) * 8))
    tb_mark_stack_sent (&place, &scratch->record.stack);
  return 0;
}

SEC ("tp_btf/block_rq_insert")
int
BPF_PROG (on_insert, struct request *request)
{
  return emit_request (ctx, request, TB_BPF_IO_INSERT);
}

SEC ("tp_btf/block_rq_issue")
int
BPF_PROG (on_issue, struct request *request)
{
  return emit_request (ctx, request, TB_BPF_IO_ISSUE);
}

SEC ("tp_btf/block_rq_complete")
int
BPF_PROG (on_complete, struct request *request, int error, unsigned int bytes)
{
  struct task_struct *task = bpf_get_current_task_btf ();
  struct gendisk *disk = BPF_CORE_READ (request, q, disk);
  TbBpfIo *record;
  TbProgramContext place;

  if (disk == NULL || !tb_read_program_context (&place))
    return 0;
  place.cpu->n_effects++;
  record = tb_reserve (&place, sizeof *record);
  if (record == NULL)
    return 0;
  fill_io (record, &place, TB_BPF_IO_COMPLETE, task, request, disk);
  record->bytes = bytes;
  tb_submit (record);
  return 0;
}

const char tb_license[] SEC ("license") = "GPL";
