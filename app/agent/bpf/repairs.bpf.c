/* repairs.bpf.c: keeps the stack with which a thread entered the C library
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */

#include "tb-bpf-common.h"

struct
{
  __uint (type, BPF_MAP_TYPE_PERCPU_ARRAY);
  __uint (max_entries, 1);
  __type (key, u32);
  __type (value, TbBpfEntry);
} entry_scratch SEC (".maps");

SEC ("uprobe.multi")
int
on_library (void *context)
{
  struct task_struct *task = (struct task_struct *) bpf_get_current_task_btf ();
  u32 tid = task->pid, zero = 0;
  TbBpfEntry *entry = tb_scratch (&entry_scratch);
  void *entries = bpf_map_lookup_elem (&tb_entries, &zero);
  long got;

  if (entry == NULL || entries == NULL || !tb_is_target (task) || tb_is_own (task))
    return 0;
  entry->sp = tb_read_user_sp (context);
  if (bpf_probe_read_user (&entry->site, sizeof entry->site, (void *) entry->sp) != 0)
    return 0;
  got = bpf_get_stack (context, entry->words, sizeof entry->words, BPF_F_USER_STACK);
  if (got < 8)
    return 0;
  /* What begins with the function itself begins with its caller from here on. Kernels since 6.11 tell of both. */
  entry->n_words = (u32) got / 8;
  entry->first = got >= 16 && entry->words[1] == entry->site;
  if (!entry->first)
    entry->words[0] = entry->site;
  bpf_map_update_elem (entries, &tid, entry, BPF_ANY);
  return 0;
}

const char tb_license[] SEC ("license") = "GPL";
