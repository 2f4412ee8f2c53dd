/* tb-capture-layout.c: table of the members of each record of the streams between tailback-agent
 * and its client, with their sizes and places, for encoder and decoder
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#include "capture/tb-capture-layout-private.h"

#define AT(member) offsetof (TbCaptureRecord, member)
#define U16(member) { TB_CAPTURE_MEMBER_U16, AT (member) }
#define U32(member) { TB_CAPTURE_MEMBER_U32, AT (member) }
#define U64(member) { TB_CAPTURE_MEMBER_U64, AT (member) }
#define STRING(member) { TB_CAPTURE_MEMBER_STRING_ID, AT (member) }
#define STACK(member) { TB_CAPTURE_MEMBER_STACK_ID, AT (member) }
#define MODULE(member) { TB_CAPTURE_MEMBER_MODULE_ID, AT (member) }
#define MODULE_OR_NONE(member) { TB_CAPTURE_MEMBER_MODULE_OR_NONE, AT (member) }
#define SLEEP(member) { TB_CAPTURE_MEMBER_SLEEP_ID, AT (member) }
#define DEVICE(member) { TB_CAPTURE_MEMBER_DEVICE_ID, AT (member) }
#define TID(member) { TB_CAPTURE_MEMBER_TID, AT (member) }
#define TASK(of) TID (of.tid), TID (of.pid)

#define IRQ                                                                                        \
  { U32 (irq.irq), STRING (irq.name), DEVICE (irq.device), U16 (irq.kind), U64 (irq.entered) }
#define CALL                                                                                       \
  { U64 (call.site), TASK (call), U32 (call.probe), STACK (call.stack), U64 (call.entered) }
#define SOFTIRQ { U32 (softirq.vector), U64 (softirq.entered) }
#define IO                                                                                         \
  { U64 (io.sector),       U64 (io.bytes),   TASK (io),       DEVICE (io.device),                  \
    STRING (io.operation), STACK (io.stack), STRING (io.file) }

/* clang-format off */
static const TbCaptureLayout layouts[TB_CAPTURE_N_TYPES] = {
  [TB_CAPTURE_STRING] = { "string", 4, TB_CAPTURE_TAIL_BYTES, 0, TB_CAPTURE_MAX_PAYLOAD - 8,
    { U32 (string.id) } },
  [TB_CAPTURE_STACK] = { "stack", 4, TB_CAPTURE_TAIL_WORDS, 0, TB_CAPTURE_MAX_CHAIN * 8,
    { U32 (stack.id) } },
  [TB_CAPTURE_MODULE] = { "module", 14, TB_CAPTURE_TAIL_BYTES, 0, 64,
    { U32 (module.id), STRING (module.path), TID (module.pid), U16 (module.kind) } },
  [TB_CAPTURE_DEVICE] = { "device", 18, TB_CAPTURE_TAIL_NONE, 0, 0,
    { U32 (device.id), STRING (device.name), U32 (device.major), U32 (device.minor), U16 (device.kind) } },
  [TB_CAPTURE_MAPPING] = { "mapping", 32, TB_CAPTURE_TAIL_NONE, 0, 0,
    { U64 (mapping.start), U64 (mapping.size), U64 (mapping.offset), TID (mapping.pid), MODULE (mapping.module) } },
  [TB_CAPTURE_TASK] = { "task", 16, TB_CAPTURE_TAIL_NONE, 0, 0,
    { TASK (task), TID (task.parent), STRING (task.name) } },
  [TB_CAPTURE_COMMAND] = { "command", 8, TB_CAPTURE_TAIL_NONE, 0, 0,
    { TID (command.pid), STRING (command.text) } },
  [TB_CAPTURE_SYMBOL] = { "symbol", 12, TB_CAPTURE_TAIL_NONE, 0, 0, { U64 (symbol.address), STRING (symbol.name) } },
  [TB_CAPTURE_SLEEP] = { "sleep", 46, TB_CAPTURE_TAIL_NONE, 0, 0,
    { U64 (sleep.address), U64 (sleep.timeout), U64 (sleep.offset), U32 (sleep.id), U32 (sleep.number),
      STRING (sleep.object), MODULE_OR_NONE (sleep.module), U16 (sleep.kind),
      U32 (sleep.operation) }, 42 },
  [TB_CAPTURE_RESET] = { "reset", 0, TB_CAPTURE_TAIL_NONE, 0, 0, { } },
  [TB_CAPTURE_INTERFACE] = { "interface", 20, TB_CAPTURE_TAIL_BYTES, 0,
    TB_CAPTURE_MAX_ADDRESSES * TB_CAPTURE_ADDRESS_SIZE,
    { U64 (interface.speed), U32 (interface.index), STRING (interface.name), U32 (interface.n_omitted) } },

  [TB_CAPTURE_SWITCH] = { "switch", 22, TB_CAPTURE_TAIL_NONE, 0, 0,
    { TASK (sched_switch), TID (sched_switch.next), STACK (sched_switch.stack), U16 (sched_switch.state),
      SLEEP (sched_switch.sleep) }, 18 },
  [TB_CAPTURE_WAKEUP] = { "wakeup", 16, TB_CAPTURE_TAIL_NONE, 0, 0,
    { TASK (wakeup), TID (wakeup.wakee), STACK (wakeup.stack) } },
  [TB_CAPTURE_FORK] = { "fork", 16, TB_CAPTURE_TAIL_NONE, 0, 0,
    { TASK (fork), TID (fork.new_tid), TID (fork.new_pid) } },
  [TB_CAPTURE_EXIT] = { "exit", 8, TB_CAPTURE_TAIL_NONE, 0, 0, { TASK (exit) } },
  [TB_CAPTURE_NAME] = { "name", 12, TB_CAPTURE_TAIL_NONE, 0, 0, { TASK (name), STRING (name.name) } },
  [TB_CAPTURE_EXEC] = { "exec", 12, TB_CAPTURE_TAIL_NONE, 0, 0, { TASK (exec), STRING (exec.program) } },
  [TB_CAPTURE_SAMPLE] = { "sample", 20, TB_CAPTURE_TAIL_NONE, 0, 0,
    { U64 (sample.weight), TASK (sample), STACK (sample.stack) } },
  [TB_CAPTURE_IRQ_ENTRY] = { "irq-entry", 22, TB_CAPTURE_TAIL_NONE, 0, 0, IRQ, 14 },
  [TB_CAPTURE_IRQ_EXIT] = { "irq-exit", 22, TB_CAPTURE_TAIL_NONE, 0, 0, IRQ, 14 },
  [TB_CAPTURE_SOFTIRQ_ENTRY] = { "softirq-entry", 12, TB_CAPTURE_TAIL_NONE, 0, 0, SOFTIRQ, 4 },
  [TB_CAPTURE_SOFTIRQ_EXIT] = { "softirq-exit", 12, TB_CAPTURE_TAIL_NONE, 0, 0, SOFTIRQ, 4 },
  [TB_CAPTURE_IO_INSERT] = { "io-insert", 40, TB_CAPTURE_TAIL_NONE, 0, 0, IO, 36 },
  [TB_CAPTURE_IO_ISSUE] = { "io-issue", 40, TB_CAPTURE_TAIL_NONE, 0, 0, IO, 36 },
  [TB_CAPTURE_IO_COMPLETE] = { "io-complete", 40, TB_CAPTURE_TAIL_NONE, 0, 0, IO, 36 },
  [TB_CAPTURE_NETWORK] = { "network", 42, TB_CAPTURE_TAIL_NONE, 0, 0,
    { U64 (network.socket), U64 (network.bytes), TASK (network), STRING (network.protocol), STRING (network.local),
      STRING (network.remote), STACK (network.stack), U16 (network.kind) } },
  [TB_CAPTURE_SYS_ENTER] = { "sys-enter", 72, TB_CAPTURE_TAIL_NONE, 0, 0,
    { U64 (sys_enter.args[0]), U64 (sys_enter.args[1]), U64 (sys_enter.args[2]), U64 (sys_enter.args[3]),
      U64 (sys_enter.args[4]), U64 (sys_enter.args[5]), TASK (sys_enter), U32 (sys_enter.number),
      STACK (sys_enter.stack), U64 (sys_enter.entered) }, 64 },
  [TB_CAPTURE_SYS_EXIT] = { "sys-exit", 20, TB_CAPTURE_TAIL_NONE, 0, 0,
    { U64 (sys_exit.result), TASK (sys_exit), U32 (sys_exit.number) } },
  [TB_CAPTURE_CALL] = { "call", 32, TB_CAPTURE_TAIL_NONE, 0, 0, CALL },
  [TB_CAPTURE_RETURN] = { "return", 32, TB_CAPTURE_TAIL_NONE, 0, 0, CALL },
  [TB_CAPTURE_SYS_CALL] = { "sys-call", 80, TB_CAPTURE_TAIL_NONE, 0, 0,
    { U64 (sys_call.entered), U64 (sys_call.args[0]), U64 (sys_call.args[1]), U64 (sys_call.args[2]),
      U64 (sys_call.args[3]), U64 (sys_call.args[4]), U64 (sys_call.args[5]), U64 (sys_call.result), TASK (sys_call),
      U32 (sys_call.number), STACK (sys_call.stack) } },
  [TB_CAPTURE_MARK] = { "mark", 44, TB_CAPTURE_TAIL_NONE, 0, 0,
    { U64 (mark.args[0]), U64 (mark.args[1]), U64 (mark.args[2]), TASK (mark), U32 (mark.probe), STRING (mark.text),
      STACK (mark.stack) } },
  [TB_CAPTURE_DUMP] = { "dump", 24, TB_CAPTURE_TAIL_WORDS, 0, TB_CAPTURE_MAX_DUMP + 64 * 8,
    { U64 (dump.registers), TASK (dump), U32 (dump.n_failed), U32 (dump.skipped) } },
  [TB_CAPTURE_FILE_LOCK] = { "file-lock", 42, TB_CAPTURE_TAIL_NONE, 0, 0,
    { U64 (file_lock.owner), U64 (file_lock.from), U64 (file_lock.to), TASK (file_lock),
      STRING (file_lock.file), U16 (file_lock.call), U16 (file_lock.mode),
      U16 (file_lock.result) } },
  [TB_CAPTURE_LOST] = { "lost", 16, TB_CAPTURE_TAIL_NONE, 0, 0, { U64 (lost.from), U64 (lost.count) } },

  [TB_CAPTURE_FLUSH] = { "flush", 0, TB_CAPTURE_TAIL_NONE, 0, 0, { } },
  [TB_CAPTURE_STATUS] = { "status", 14, TB_CAPTURE_TAIL_BYTES, 0, TB_CAPTURE_MAX_ARGUMENT_BYTES,
    { U16 (status.kind), U16 (status.source), U32 (status.id), U32 (status.error), U16 (status.code) } },
  [TB_CAPTURE_PONG] = { "pong", 32, TB_CAPTURE_TAIL_NONE, 0, 0,
    { U64 (pong.cookie), U64 (pong.received), U64 (pong.realtime), U64 (pong.boottime) } },
  [TB_CAPTURE_STATISTICS] = { "statistics", 24, TB_CAPTURE_TAIL_NONE, 0, 0,
    { U64 (statistics.events), U64 (statistics.lost), U64 (statistics.bytes) } },
  [TB_CAPTURE_DISCARDED] = { "kept", 0, TB_CAPTURE_TAIL_NONE, 0, 0, { } },
  [TB_CAPTURE_COST] = { "cost", 80, TB_CAPTURE_TAIL_NONE, 0, 0,
    { U64 (cost.plain), U64 (cost.recorded), U64 (cost.probed), U64 (cost.switches),
      U64 (cost.waking[0]), U64 (cost.waking[1]), U64 (cost.waking[2]), U64 (cost.waking[3]),
      U64 (cost.queueing), U64 (cost.preempting) }, 32 },
  [TB_CAPTURE_END] = { "end", 24, TB_CAPTURE_TAIL_NONE, 0, 0,
    { U64 (statistics.events), U64 (statistics.lost), U64 (statistics.bytes) } },
  [TB_CAPTURE_LATENCY_BINS] = { "latency-bins", 4, TB_CAPTURE_TAIL_WORDS, 0, TB_CAPTURE_LATENCY_MAX_BINS * 24,
    { U32 (latency_bins.n) } },
  [TB_CAPTURE_LATENCY_COUNTER] = { "latency-counter", 56, TB_CAPTURE_TAIL_NONE, 0, 0,
    { U64 (latency_counter.calls), U64 (latency_counter.maxcount), U64 (latency_counter.self_maxcount),
      U64 (latency_counter.total), U64 (latency_counter.self_total), U64 (latency_counter.entered),
      U32 (latency_counter.node), U32 (latency_counter.generation) } },
  [TB_CAPTURE_LATENCY_CALLEE] = { "latency-callee", 20, TB_CAPTURE_TAIL_NONE, 0, 0,
    { U64 (latency_callee.target), U32 (latency_callee.node), U32 (latency_callee.site), TID (latency_callee.pid) } },
  [TB_CAPTURE_LATENCY_SOURCE] = { "latency-source", 20, TB_CAPTURE_TAIL_BYTES, 0, 64,
    { U64 (latency_source.gap), U32 (latency_source.index), U32 (latency_source.kind),
      U32 (latency_source.number) } },
  [TB_CAPTURE_LATENCY_STATE] = { "latency-state", 56, TB_CAPTURE_TAIL_NONE, 0, 0,
    { U64 (latency_state.calls), U64 (latency_state.abandoned), U64 (latency_state.full),
      U64 (latency_state.entered), U64 (latency_state.truncated), U64 (latency_state.missed), U64 (latency_state.other_clients) } },
  [TB_CAPTURE_LATENCY_COST] = { "latency-cost", 32, TB_CAPTURE_TAIL_NONE, 0, 0,
    { U64 (latency_cost.call), U64 (latency_cost.floor), U64 (latency_cost.site), U64 (latency_cost.stepped) } },
  [TB_CAPTURE_LATENCY_CODE] = { "latency-code", 20, TB_CAPTURE_TAIL_BYTES, 0, 128 + TB_CAPTURE_LATENCY_MAX_CODE,
    { U64 (latency_code.address), U64 (latency_code.size), U32 (latency_code.name_length) } },
  [TB_CAPTURE_LATENCY_ADDRESS] = { "latency-place", 24, TB_CAPTURE_TAIL_NONE, 0, 0,
    { U64 (latency_address.address), U64 (latency_address.count), U32 (latency_address.node), TID (latency_address.pid) } },
  [TB_CAPTURE_LATENCY_SLOW] = { "latency-slow", 28, TB_CAPTURE_TAIL_WORDS, 0, TB_CAPTURE_LATENCY_MAX_PARTS * 16,
    { U64 (latency_slow.begin), U64 (latency_slow.latency), U32 (latency_slow.place), TID (latency_slow.thread),
      TID (latency_slow.pid) } },

  [TB_CAPTURE_START] = { "start", 76, TB_CAPTURE_TAIL_NONE, 1, 0,
    { U16 (start.scope), U16 (start.stacks), TID (start.pid), U32 (start.sources), U32 (start.ring_bytes),
      U32 (start.frequency), U32 (start.backend), U64 (start.cgroup), U64 (start.flight_recorder_ns), U64 (start.flight_recorder_bytes),
      U64 (start.trigger_ns), U32 (start.trigger_call), U32 (start.stack_interval), U64 (start.min_syscall_ns),
      U32 (start.dump_bytes) }, 20 },
  [TB_CAPTURE_DUMP_THREAD] = { "dump-thread", 4, TB_CAPTURE_TAIL_BYTES, 1, TB_CAPTURE_MAX_DUMP_NAME,
    { U32 (dump_thread.unused) } },
  [TB_CAPTURE_STOP] = { "stop", 0, TB_CAPTURE_TAIL_NONE, 1, 0, { } },
  [TB_CAPTURE_SNAPSHOT] = { "snapshot", 0, TB_CAPTURE_TAIL_NONE, 1, 0, { } },
  [TB_CAPTURE_PING] = { "clock-ping", 8, TB_CAPTURE_TAIL_NONE, 1, 0, { U64 (ping.cookie) } },
  [TB_CAPTURE_PROBE_ADD] = { "probe-add", 42, TB_CAPTURE_TAIL_BYTES, 1, 64,
    { U64 (probe_add.device), U64 (probe_add.inode), U64 (probe_add.offset), U64 (probe_add.filter),
      U32 (probe_add.id), TID (probe_add.pid), U16 (probe_add.kind) } },
  [TB_CAPTURE_PROBE_REMOVE] = { "probe-remove", 4, TB_CAPTURE_TAIL_NONE, 1, 0, { U32 (probe_remove.id) } },
  [TB_CAPTURE_MARK_ADD] = { "mark-add", 80, TB_CAPTURE_TAIL_BYTES, 1, 64,
    { U64 (mark_add.device), U64 (mark_add.inode), U64 (mark_add.offset), U64 (mark_add.semaphore),
      U64 (mark_add.values[0]), U64 (mark_add.values[1]), U64 (mark_add.values[2]), U32 (mark_add.operands[0]),
      U32 (mark_add.operands[1]), U32 (mark_add.operands[2]), U32 (mark_add.id), TID (mark_add.pid),
      U16 (mark_add.text), U16 (mark_add.stack) } },
  [TB_CAPTURE_LATENCY_START] = { "latency-start", 24, TB_CAPTURE_TAIL_WORDS, 1, (TB_CAPTURE_LATENCY_MAX_BINS + 1) * 8,
    { U32 (latency_start.call), U32 (latency_start.resolution), U32 (latency_start.merged_bins), U32 (latency_start.thread),
      U32 (latency_start.operation), U32 (latency_start.which) } },
  [TB_CAPTURE_LATENCY_PROBE] = { "latency-probe", 64, TB_CAPTURE_TAIL_BYTES, 1, 64,
    { U64 (latency_probe.device), U64 (latency_probe.inode), U64 (latency_probe.offset), U64 (latency_probe.value),
      U32 (latency_probe.group), U32 (latency_probe.operand), U32 (latency_probe.site), U32 (latency_probe.function),
      U32 (latency_probe.index), U32 (latency_probe.height), TID (latency_probe.pid), U16 (latency_probe.kind),
      U16 (latency_probe.flags) } },
  [TB_CAPTURE_LATENCY_ATTACH] = { "latency-attach", 4, TB_CAPTURE_TAIL_NONE, 1, 0, { U32 (latency_group.group) } },
  [TB_CAPTURE_LATENCY_DETACH] = { "latency-detach", 4, TB_CAPTURE_TAIL_NONE, 1, 0, { U32 (latency_group.group) } },
  [TB_CAPTURE_LATENCY_NODE] = { "latency-node", 36, TB_CAPTURE_TAIL_NONE, 1, 0,
    { U64 (latency_node.target), U32 (latency_node.id), U32 (latency_node.parent), U32 (latency_node.first_child),
      U32 (latency_node.function), U32 (latency_node.disturbances), U32 (latency_node.flags),
      U32 (latency_node.site) } },
  [TB_CAPTURE_LATENCY_PEAK] = { "latency-peak", 8, TB_CAPTURE_TAIL_NONE, 1, 0,
    { U32 (latency_peak.from_bin), U32 (latency_peak.to_bin) } },
  [TB_CAPTURE_LATENCY_READ] = { "latency-read", 8, TB_CAPTURE_TAIL_BYTES, 1, 128,
    { U64 (latency_read.address) } },
  [TB_CAPTURE_LATENCY_CLIENTS] = { "latency-clients", 28, TB_CAPTURE_TAIL_NONE, 1, 0,
    { U64 (latency_clients.from), U64 (latency_clients.to), U32 (latency_clients.n), U32 (latency_clients.call),
      U32 (latency_clients.state) } },
  [TB_CAPTURE_QUERY] = { "status", 2, TB_CAPTURE_TAIL_NONE, 1, 0, { U16 (query.stacks) },
    TB_CAPTURE_NEEDS_NOTHING },
};
/* clang-format on */

const TbCaptureLayout *
tb_capture_layout_get (unsigned type)
{
  return type < TB_CAPTURE_N_TYPES && layouts[type].name != NULL ? &layouts[type] : NULL;
}
