/* file_locks.bpf.c: BPF programs that emit requests for locks of files (flock(), fcntl()) and their
 * releases, with result and file
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 *
 * A process that finds a file locked may sleep and try again. Only the refused request shows what
 * it sleeps for.
 */

#include "tb-bpf-file.h"

#define EAGAIN 11 /* on all architectures */

#pragma clang attribute push(__attribute__((preserve_access_index)), apply_to = record)

/* Kernels before 6.9 have these members in the lock itself. */
struct file_lock_core
{
  void *flc_owner;
  unsigned int flc_flags;
  unsigned char flc_type;
};

struct file_lock
{
  struct file_lock_core c;
  s64 fl_start;
  s64 fl_end;
};

struct file_lock___old
{
  void *fl_owner;
  unsigned int fl_flags;
  unsigned char fl_type;
};

#pragma clang attribute pop

/* The kernel's answer to a request that has to wait */
#define TB_FILE_LOCK_DEFERRED 1

static __always_inline void
read_lock (TbBpfFileLock *record, struct file_lock *lock)
{
  struct file_lock___old *old = (void *) lock;

  record->from = (u64) BPF_CORE_READ (lock, fl_start);
  record->to = (u64) BPF_CORE_READ (lock, fl_end);
  if (bpf_core_field_exists (lock->c))
    {
      record->owner = (u64) BPF_CORE_READ (lock, c.flc_owner);
      record->mode = BPF_CORE_READ (lock, c.flc_type);
      return;
    }
  record->owner = (u64) BPF_CORE_READ (old, fl_owner);
  record->mode = BPF_CORE_READ (old, fl_type);
}

static __always_inline int
emit (struct inode *inode, struct file_lock *lock, int result, u32 call)
{
  struct task_struct *task = bpf_get_current_task_btf ();
  struct super_block *super;
  TbBpfFileLock *record;
  TbProgramContext place;
  TbBpfFileId file = { 0 };

  if (inode == NULL || lock == NULL || !tb_is_target (task) || tb_is_own (task)
      || !tb_read_program_context (&place))
    return 0;
  super = BPF_CORE_READ (inode, i_sb);
  file.inode = BPF_CORE_READ (inode, i_ino);
  file.device = BPF_CORE_READ (super, s_dev);
  file.generation = BPF_CORE_READ (inode, i_generation);
  tb_emit_file (&place, inode, &file);
  record = tb_reserve (&place, sizeof *record);
  if (record == NULL)
    return 0;
  tb_fill (&record->header, &place, TB_BPF_FILE_LOCK, TB_BPF_IS_TARGET, task->pid, task->tgid);
  record->file = file;
  record->call = call;
  record->unused = 0;
  record->result = result == 0                       ? TB_BPF_LOCK_DONE
                   : result == TB_FILE_LOCK_DEFERRED ? TB_BPF_LOCK_WAITS
                   : result == -EAGAIN               ? TB_BPF_LOCK_REFUSED
                                                     : TB_BPF_LOCK_FAILED;
  read_lock (record, lock);
  tb_submit (record);
  return 0;
}

SEC ("tp_btf/posix_lock_inode")
int
BPF_PROG (on_posix_lock, struct inode *inode, struct file_lock *lock, int result)
{
  return emit (inode, lock, result, TB_BPF_LOCK_FCNTL);
}

SEC ("tp_btf/flock_lock_inode")
int
BPF_PROG (on_flock, struct inode *inode, struct file_lock *lock, int result)
{
  return emit (inode, lock, result, TB_BPF_LOCK_FLOCK);
}

const char tb_license[] SEC ("license") = "GPL";
