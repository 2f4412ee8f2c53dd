/* faults.bpf.c: BPF program that notes the address of each page fault, for the record of the sleep
 * that may follow
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */

#include "tb-bpf-fault.h"

SEC ("tp_btf/page_fault_user")
int
BPF_PROG (on_fault, unsigned long address, struct pt_regs *regs)
{
  struct task_struct *task = bpf_get_current_task_btf ();
  u32 zero = 0, number = bpf_get_smp_processor_id ();
  void *cpus = bpf_map_lookup_elem (&tb_cpus, &zero);
  TbBpfCpu *cpu = cpus != NULL ? bpf_map_lookup_elem (cpus, &number) : NULL;

  if (cpu == NULL || !tb_is_target (task))
    return 0;
  cpu->fault_address = address;
  cpu->fault_site = tb_read_site (regs);
  cpu->fault_switches = tb_count_switches (task);
  cpu->fault_tid = task->pid;
  return 0;
}

const char tb_license[] SEC ("license") = "GPL";
