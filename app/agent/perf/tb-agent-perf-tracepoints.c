/* tb-agent-perf-tracepoints.c: table of the tracepoints that perf events record, with the fields
 * that are read and what a recording lacks without each
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#include "agent/perf/tb-agent-perf-private.h"

#define SCHEDULER TB_CAPTURE_SOURCE_SCHEDULER
#define INTERRUPTS TB_CAPTURE_SOURCE_INTERRUPTS
#define BLOCK TB_CAPTURE_SOURCE_BLOCK
#define NETWORK TB_CAPTURE_SOURCE_NETWORK
#define SYSCALLS TB_CAPTURE_SOURCE_SYSCALLS
#define USER TB_CAPTURE_USER_STACKS
#define KERNEL TB_CAPTURE_KERNEL_STACKS

/* tb-agent-perf-translator.c and tb-agent-perf-sockets.c read the fields in this order. */
/* clang-format off */
const TbAgentTracepoint tb_agent_tracepoints[TB_AGENT_N_TRACEPOINTS] = {
  [TB_AGENT_SWITCH] = { "sched", "sched_switch", SCHEDULER, USER, KERNEL, NULL,
    TB_CAPTURE_CODE_WITHOUT_SCHEDULER, { "prev_pid", "prev_state", "next_pid" } },
  [TB_AGENT_WAKING] = { "sched", "sched_waking", SCHEDULER, USER, TB_CAPTURE_WAKING_KERNEL_STACKS, NULL,
    TB_CAPTURE_CODE_WITHOUT_WAKINGS, { "pid" } },
  [TB_AGENT_WAKEUP_NEW] = { "sched", "sched_wakeup_new", SCHEDULER, 0, 0, NULL,
    TB_CAPTURE_CODE_WITHOUT_NEW_THREADS, { "pid" } },
  [TB_AGENT_EXEC] = { "sched", "sched_process_exec", TB_CAPTURE_SOURCE_TASKS, 0, 0, NULL,
    TB_CAPTURE_CODE_WITHOUT_PROGRAM_NAMES, { "filename" } },
  [TB_AGENT_IRQ_ENTRY] = { "irq", "irq_handler_entry", INTERRUPTS, 0, 0, NULL,
    TB_CAPTURE_CODE_WITHOUT_IRQ_ENTRIES, { "irq", "name" } },
  [TB_AGENT_IRQ_EXIT] = { "irq", "irq_handler_exit", INTERRUPTS, 0, 0, NULL,
    TB_CAPTURE_CODE_WITHOUT_IRQ_EXITS, { "irq" } },
  [TB_AGENT_SOFTIRQ_ENTRY] = { "irq", "softirq_entry", INTERRUPTS, 0, 0, NULL,
    TB_CAPTURE_CODE_WITHOUT_SOFTIRQ_ENTRIES, { "vec" } },
  [TB_AGENT_SOFTIRQ_EXIT] = { "irq", "softirq_exit", INTERRUPTS, 0, 0, NULL,
    TB_CAPTURE_CODE_WITHOUT_SOFTIRQ_EXITS, { "vec" } },
  [TB_AGENT_TIMER_ENTRY] = { "irq_vectors", "local_timer_entry", INTERRUPTS, 0, 0, NULL,
    TB_CAPTURE_CODE_WITHOUT_TIMER_ENTRIES, { "vector" } },
  [TB_AGENT_TIMER_EXIT] = { "irq_vectors", "local_timer_exit", INTERRUPTS, 0, 0, NULL,
    TB_CAPTURE_CODE_WITHOUT_TIMER_EXITS, { "vector" } },
  [TB_AGENT_BLOCK_INSERT] = { "block", "block_rq_insert", BLOCK, USER, KERNEL, NULL,
    TB_CAPTURE_CODE_WITHOUT_DISK_QUEUES, { "dev", "sector", "nr_sector", "bytes", "rwbs" } },
  [TB_AGENT_BLOCK_ISSUE] = { "block", "block_rq_issue", BLOCK, USER, KERNEL, NULL,
    TB_CAPTURE_CODE_WITHOUT_DISK_REQUESTS, { "dev", "sector", "nr_sector", "bytes", "rwbs" } },
  [TB_AGENT_BLOCK_COMPLETE] = { "block", "block_rq_complete", BLOCK, 0, 0, NULL,
    TB_CAPTURE_CODE_WITHOUT_DISK_COMPLETIONS, { "dev", "sector", "nr_sector", "bytes", "rwbs" } },
  [TB_AGENT_SOCK_SEND] = { "sock", "sock_send_length", NETWORK, USER, 0, "family != 1",
    TB_CAPTURE_CODE_WITHOUT_SENT_MESSAGES, { "sk", "family", "protocol", "ret" } },
  [TB_AGENT_SOCK_DATA_READY] = { "sock", "sk_data_ready", NETWORK, 0, 0, "family != 1",
    TB_CAPTURE_CODE_WITHOUT_ARRIVALS, { "skaddr", "family", "protocol" } },
  [TB_AGENT_SOCK_STATE] = { "sock", "inet_sock_set_state", NETWORK, USER, 0, NULL,
    TB_CAPTURE_CODE_WITHOUT_CONNECTIONS,
    { "skaddr", "oldstate", "newstate", "family", "protocol", "sport", "dport", "saddr", "daddr", "saddr_v6",
      "daddr_v6" } },
  [TB_AGENT_TCP_PROBE] = { "tcp", "tcp_probe", NETWORK, 0, 0, NULL,
    TB_CAPTURE_CODE_WITHOUT_ADDRESSES, { "skaddr", "data_len", "family", "saddr", "daddr" } },
  [TB_AGENT_SYS_ENTER] = { "raw_syscalls", "sys_enter", SYSCALLS, TB_CAPTURE_SYSCALL_STACKS, 0, NULL,
    TB_CAPTURE_CODE_WITHOUT_SYSCALLS, { "id", "args" } },
  [TB_AGENT_SYS_EXIT] = { "raw_syscalls", "sys_exit", SYSCALLS, 0, 0, NULL,
    TB_CAPTURE_CODE_WITHOUT_SYSCALL_RESULTS, { "id", "ret" } },
  [TB_AGENT_FLOCK] = { "filelock", "flock_lock_inode", SCHEDULER, 0, 0, NULL,
    TB_CAPTURE_CODE_WITHOUT_FILE_LOCKS,
    { "s_dev", "i_ino", "owner", "type", "fl_start", "fl_end", "ret" } },
  [TB_AGENT_FCNTL_LOCK] = { "filelock", "posix_lock_inode", SCHEDULER, 0, 0, NULL,
    TB_CAPTURE_CODE_WITHOUT_FILE_LOCKS,
    { "s_dev", "i_ino", "owner", "type", "fl_start", "fl_end", "ret" } },
  [TB_AGENT_SWITCH_DUMPED] = { "sched", "sched_switch", SCHEDULER, USER, KERNEL, NULL,
    TB_CAPTURE_CODE_WITHOUT_DUMPS, { "prev_pid", "prev_state", "next_pid" } },
};
/* clang-format on */
