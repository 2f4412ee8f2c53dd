/* repairs.bpf.c: BPF program at the entries of C library functions, which keeps the call stack of
 * each thread's last entry in a map; tb_repair_stack() completes broken stacks from it
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */

#include "tb-bpf-common.h"

TB_BPF_SHARED_SCRATCH (entry_scratch, TbBpfEntry, 0);

static __always_inline bool
read_entry (void *context, TbBpfEntry *entry)
{
  long got;

  entry->sp = tb_read_user_sp (context);
  if (bpf_probe_read_user (&entry->site, sizeof entry->site, (void *) entry->sp) != 0)
    return false;
  got = bpf_get_stack (context, entry->words, sizeof entry->words, BPF_F_USER_STACK);
  if (got < 8)
    return false;
  /* The stack begins with the function itself; its caller is the next word. Kernels since 6.11
   * contain both. */
  entry->n_words = (u32) got / 8;
  entry->first = got >= 16 && entry->words[1] == entry->site;
  if (!entry->first)
    entry->words[0] = entry->site;
  return true;
}

SEC ("uprobe.multi")
int
on_library (void *context)
{
  struct task_struct *task = (struct task_struct *) bpf_get_current_task_btf ();
  u32 tid = task->pid, zero = 0;
  struct entry_scratch_buffer *scratch = tb_scratch (&entry_scratch);
  void *entries = bpf_map_lookup_elem (&tb_entries, &zero);

  if (entries == NULL || !tb_is_target (task) || tb_is_own (task) || !tb_acquire_scratch (scratch))
    return 0;
  if (read_entry (context, &scratch->record))
    bpf_map_update_elem (entries, &tid, &scratch->record, BPF_ANY);
  tb_release_scratch (scratch);
  return 0;
}

const char tb_license[] SEC ("license") = "GPL";
