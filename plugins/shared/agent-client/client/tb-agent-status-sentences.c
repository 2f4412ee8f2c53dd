/* tb-agent-status-sentences.c: table of the sentences for the codes of STATUS records from
 * tailback-agent; for each %s of a sentence, the kind of argument that replaces it (number, error,
 * cause, …; replaced by tb-agent-status.c)
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#include "config.h"

#include <glib/gi18n-lib.h>

#include "tb-agent-status-sentences.h"

static const TbAgentSentence sentences[TB_CAPTURE_N_CODES] = {
  /* Parts of other sentences: causes */
  [TB_CAPTURE_CODE_ERROR] = { "%s", "e" },
  [TB_CAPTURE_CODE_NOT_PERMITTED] = { N_ ("not permitted"), "" },
  [TB_CAPTURE_CODE_NOT_IN_KERNEL] = { N_ ("this kernel does not have it"), "" },
  [TB_CAPTURE_CODE_NO_MEMORY] = { N_ ("no memory"), "" },
  [TB_CAPTURE_CODE_PROGRAM_REFUSED] = { N_ ("the kernel refuses the program (%s)"), "s" },
  [TB_CAPTURE_CODE_PROGRAM_NOT_TAKEN] = { N_ ("the kernel refuses the program (%s)"), "e" },
  [TB_CAPTURE_CODE_NO_CAP_BPF] = { N_ ("not permitted: CAP_BPF is missing"), "" },
  [TB_CAPTURE_CODE_BPF_DISABLED]
  = { N_ ("not permitted: CAP_BPF is missing, and unprivileged_bpf_disabled is %s"), "s" },
  [TB_CAPTURE_CODE_NO_CAP_PERFMON]
  = { N_ ("not permitted: authorize the agent, or run it as root or with cap_perfmon"), "" },
  [TB_CAPTURE_CODE_TOO_MANY_FILES]
  = { N_ ("too many open files: raise the limit (ulimit -n)"), "" },
  [TB_CAPTURE_CODE_NAME_TOO_LONG] = { N_ ("its name is too long"), "" },

  /* Parts of other sentences: what a recording lacks */
  [TB_CAPTURE_CODE_WITHOUT_SCHEDULER] = { N_ ("what threads do is unknown"), "" },
  [TB_CAPTURE_CODE_WITHOUT_WAKINGS] = { N_ ("which thread woke another is unknown"), "" },
  [TB_CAPTURE_CODE_WITHOUT_NEW_THREADS]
  = { N_ ("when new threads could first run is unknown"), "" },
  [TB_CAPTURE_CODE_WITHOUT_PROGRAM_NAMES]
  = { N_ ("new programs are known by their short names only"), "" },
  [TB_CAPTURE_CODE_WITHOUT_INTERRUPTS] = { N_ ("the CPU time of interrupts is unknown"), "" },
  [TB_CAPTURE_CODE_WITHOUT_IRQ_ENTRIES]
  = { N_ ("wake-ups by devices look like wake-ups by the interrupted thread"), "" },
  [TB_CAPTURE_CODE_WITHOUT_IRQ_EXITS] = { N_ ("how long interrupts take is unknown"), "" },
  [TB_CAPTURE_CODE_WITHOUT_SOFTIRQ_ENTRIES] = { N_ ("what softirqs do is unknown"), "" },
  [TB_CAPTURE_CODE_WITHOUT_SOFTIRQ_EXITS] = { N_ ("how long softirqs take is unknown"), "" },
  [TB_CAPTURE_CODE_WITHOUT_TIMER_ENTRIES]
  = { N_ ("wake-ups by the timer interrupt may look like wake-ups by the interrupted thread"), "" },
  [TB_CAPTURE_CODE_WITHOUT_TIMER_EXITS] = { N_ ("how long timer interrupts take is unknown"), "" },
  [TB_CAPTURE_CODE_WITHOUT_DISK_QUEUES]
  = { N_ ("how long requests to disks are queued is unknown"), "" },
  [TB_CAPTURE_CODE_WITHOUT_DISK_REQUESTS] = { N_ ("requests to disks are unknown"), "" },
  [TB_CAPTURE_CODE_WITHOUT_DISK_COMPLETIONS]
  = { N_ ("how long disks work on requests is unknown"), "" },
  [TB_CAPTURE_CODE_WITHOUT_SENT_MESSAGES] = { N_ ("what is sent over the network is unknown"), "" },
  [TB_CAPTURE_CODE_WITHOUT_ARRIVALS] = { N_ ("only arrivals of messages over TCP are "
                                             "recorded"),
                                         "" },
  [TB_CAPTURE_CODE_WITHOUT_PACKETS] = { N_ ("arrivals of messages are not recorded"), "" },
  [TB_CAPTURE_CODE_WITHOUT_CONNECTIONS] = { N_ ("the start of connections is not recorded"), "" },
  [TB_CAPTURE_CODE_WITHOUT_ADDRESSES]
  = { N_ ("addresses and sizes of messages that arrive are unknown"), "" },
  [TB_CAPTURE_CODE_WITHOUT_SYSCALLS] = { N_ ("system calls are unknown"), "" },
  [TB_CAPTURE_CODE_WITHOUT_SYSCALL_RESULTS] = { N_ ("results of system calls are unknown"), "" },
  [TB_CAPTURE_CODE_WITHOUT_DUMPS] = { N_ ("stacks of chosen threads are not dumped"), "" },
  [TB_CAPTURE_CODE_WITHOUT_FAULTS]
  = { N_ ("which memory and file a page fault waits for is unknown"), "" },
  [TB_CAPTURE_CODE_WITHOUT_FILE_LOCKS]
  = { N_ ("refused requests for locks of files, and the holders of these, are unknown"), "" },
  [TB_CAPTURE_CODE_WITHOUT_KERNEL_FUNCTIONS]
  = { N_ ("searching in functions of the kernel is unavailable"), "" },
  [TB_CAPTURE_CODE_WITHOUT_PROBES] = { N_ ("functions cannot be probed"), "" },
  [TB_CAPTURE_CODE_WITHOUT_MARKS] = { N_ ("marks of programs are unknown"), "" },
  [TB_CAPTURE_CODE_WITHOUT_ALLOCATIONS] = { N_ ("where memory was allocated is unknown"), "" },
  [TB_CAPTURE_CODE_WITHOUT_SAMPLES] = { N_ ("what running threads do is unknown"), "" },
  [TB_CAPTURE_CODE_WITHOUT_LATENCIES]
  = { N_ ("why calls of a function are slow cannot be searched"), "" },

  /* Refused requests, and the beginning and end of a recording */
  [TB_CAPTURE_CODE_CONTROL_DAMAGED] = { "%s", "s" },
  [TB_CAPTURE_CODE_ALREADY_STARTED]
  = { N_ ("A recording has already started: an agent makes one recording."), "" },
  [TB_CAPTURE_CODE_UNKNOWN_SCOPE] = { N_ ("Unknown scope “%s”."), "n" },
  [TB_CAPTURE_CODE_NOT_ENABLED] = { N_ ("The events cannot be enabled."), "" },
  [TB_CAPTURE_CODE_NOTHING_RECORDED] = { N_ ("Nothing is being recorded."), "" },
  [TB_CAPTURE_CODE_TOO_MANY_DUMP_NAMES]
  = { N_ ("Stacks of threads with that many names cannot be dumped."), "" },
  [TB_CAPTURE_CODE_CGROUP_NOT_AUTHORIZED]
  = { N_ ("Recording a control group was not authorized: record one process or a command."), "" },
  [TB_CAPTURE_CODE_CGROUP_NEEDS_BPF]
  = { N_ ("Only BPF programs can record one control group. %s"), "c" },
  [TB_CAPTURE_CODE_NO_SUCH_CGROUP] = { N_ ("There is no control group “%s”."), "n" },
  [TB_CAPTURE_CODE_SYSTEM_NOT_AUTHORIZED]
  = { N_ ("Recording the whole system was not authorized: record one process or a command."), "" },
  [TB_CAPTURE_CODE_SYSTEM_NOT_POSSIBLE] = { N_ ("The whole system cannot be recorded. %s"), "c" },
  [TB_CAPTURE_CODE_NO_SUCH_PROCESS] = { N_ ("There is no process %s."), "n" },
  [TB_CAPTURE_CODE_FOREIGN_PROCESS]
  = { N_ ("Process %s is not yours: only your own processes may be recorded. Record the whole "
          "system, which needs its own authorization."),
      "n" },
  [TB_CAPTURE_CODE_PROCESS_HAS_ENDED] = { N_ ("Process %s has ended."), "n" },
  [TB_CAPTURE_CODE_SAVE_REQUESTED] = { N_ ("It was requested."), "" },
  [TB_CAPTURE_CODE_SAVE_SIGNAL] = { N_ ("A signal requested it."), "" },
  [TB_CAPTURE_CODE_TRIGGER_SYSCALL] = { N_ ("Thread %s was in system call %s for %s ms."), "nnm" },
  [TB_CAPTURE_CODE_TRIGGER_FUNCTION]
  = { N_ ("Thread %s was in probed function %s for %s ms."), "nnm" },

  /* Why a backend is not used */
  [TB_CAPTURE_CODE_BUILT_WITHOUT_BPF]
  = { N_ ("This agent was built without BPF programs: locks, files and peers have no names without "
          "them. Build it with clang, bpftool and the headers of libbpf."),
      "" },
  [TB_CAPTURE_CODE_NO_BTF]
  = { N_ ("No BTF at %s: locks, files and peers have no names without BPF programs. Use "
          "a kernel with CONFIG_DEBUG_INFO_BTF."),
      "s" },
  [TB_CAPTURE_CODE_BPF_NOT_PERMITTED]
  = { N_ ("BPF programs cannot be loaded (%s): locks, files and peers have no names "
          "without BPF programs. Authorize the agent, or run it as root or with cap_bpf "
          "and cap_perfmon."),
      "c" },
  [TB_CAPTURE_CODE_BPF_REFUSED]
  = { N_ ("BPF programs cannot be loaded (%s): locks, files and peers have no names "
          "without BPF programs. Report it with the kernel's version."),
      "c" },
  [TB_CAPTURE_CODE_BPF_NOT_AVAILABLE]
  = { N_ ("BPF programs cannot be loaded (%s): locks, files and peers have no names "
          "without BPF programs. Use a kernel with CONFIG_BPF_SYSCALL and room for them."),
      "c" },
  [TB_CAPTURE_CODE_RING_NOT_MADE]
  = { N_ ("A ring of %s bytes cannot be made: %s. Use a smaller one."), "ne" },
  [TB_CAPTURE_CODE_MAPS_NOT_MADE]
  = { N_ ("The maps of the BPF programs cannot be made: %s."), "e" },
  [TB_CAPTURE_CODE_MAPS_NOT_MAPPED]
  = { N_ ("The maps of the BPF programs cannot be mapped: %s."), "e" },
  [TB_CAPTURE_CODE_PROGRAMS_GONE]
  = { N_ ("The BPF programs cannot be loaded any more: nothing is recorded. Try again, "
          "or record with perf."),
      "" },
  [TB_CAPTURE_CODE_PERF_PARANOID]
  = { N_ ("perf_event_paranoid is %s and CAP_PERFMON is missing: only your own processes are "
          "recorded, without wakers and devices. Authorize the agent, or run it as root."),
      "s" },
  [TB_CAPTURE_CODE_PERF_NOT_OPENED]
  = { N_ ("perf events of the system cannot be opened: %s."), "c" },
  [TB_CAPTURE_CODE_SWITCHES_NOT_OPENED] = { N_ ("sched:sched_switch cannot be opened: %s."), "c" },
  [TB_CAPTURE_CODE_NO_SWITCHES]
  = { N_ ("This kernel has no tracepoint sched:sched_switch: what threads do is unknown."), "" },
  [TB_CAPTURE_CODE_TRACEFS_NOT_MOUNTED]
  = { N_ ("tracefs is not mounted and cannot be mounted (%s): there are no tracepoints. Mount it "
          "at /sys/kernel/tracing, or authorize the agent."),
      "e" },
  [TB_CAPTURE_CODE_TRACEFS_NOT_READABLE]
  = { N_ ("tracefs may not be read (%s): there are no tracepoints. Authorize the agent, or run it "
          "as root or with cap_perfmon and cap_dac_read_search."),
      "e" },
  [TB_CAPTURE_CODE_BUFFER_NOT_MAPPED]
  = { N_ ("The buffer of CPU %s cannot be mapped: %s. Use a smaller one, or raise "
          "kernel.perf_event_mlock_kb."),
      "ne" },
  [TB_CAPTURE_CODE_EVENT_NOT_OPENED] = { N_ ("Event %s of CPU %s cannot be opened: %s."), "nnc" },
  [TB_CAPTURE_CODE_BUFFER_NOT_SHARED]
  = { N_ ("Events of CPU %s cannot share a buffer: %s."), "ne" },

  /* What works */
  [TB_CAPTURE_CODE_OWN_PROCESSES] = { N_ ("of your own processes"), "" },
  [TB_CAPTURE_CODE_OWN_SWITCHES]
  = { N_ ("of your own processes: when threads run, not what wakes them. %s"), "c" },
  [TB_CAPTURE_CODE_OWN_SAMPLES] = { N_ ("of your own processes, without their kernel part"), "" },
  [TB_CAPTURE_CODE_SAMPLES_BY_CYCLES] = { N_ ("by hardware cycles"), "" },
  [TB_CAPTURE_CODE_SAMPLES_BY_CLOCK]
  = { N_ ("by the clock: this machine does not count hardware cycles"), "" },
  [TB_CAPTURE_CODE_FUNCTION_PROBES_WORK] = { N_ ("fentry: %s, kprobe: %s"), "yy" },
  [TB_CAPTURE_CODE_TRACEPOINTS_OMITTED] = { N_ ("without %s"), "l" },
  [TB_CAPTURE_CODE_TRACEPOINT] = { "%s (%s)", "sc" },
  [TB_CAPTURE_CODE_STACKS_REPAIRED]
  = { N_ ("Stacks that were repaired with unwind tables: %s; with code that has none: %s."), "nn" },

  /* What is missing */
  [TB_CAPTURE_CODE_NO_FUNCTION_PROBES]
  = { N_ ("fentry: no (%s), kprobe: no (%s): searching in functions of the kernel is unavailable; "
          "functions of programs and system calls work."),
      "cc" },
  [TB_CAPTURE_CODE_TRACEPOINTS_MISSING] = { N_ ("This kernel lacks %s."), "l" },
  [TB_CAPTURE_CODE_TRACEPOINT_MISSING] = { N_ ("No tracepoint %s (%s): %s."), "scc" },
  [TB_CAPTURE_CODE_PROGRAMS_NOT_LOADED]
  = { N_ ("The BPF programs “%s” were not loaded (%s): %s."), "scc" },
  [TB_CAPTURE_CODE_PROGRAMS_NOT_ATTACHED]
  = { N_ ("The BPF programs “%s” cannot be attached (%s): %s."), "scc" },
  [TB_CAPTURE_CODE_NO_SLEEPS]
  = { N_ ("This kernel does not report what threads sleep in: waits have stacks, but no files, "
          "locks and addresses."),
      "" },
  [TB_CAPTURE_CODE_NO_DUMPS_BY_PROGRAMS]
  = { N_ ("On this kernel, the BPF programs “%s” cannot dump stacks: these stacks are walked by "
          "frame pointers only."),
      "s" },
  [TB_CAPTURE_CODE_NO_DUMPS_OF_OWN]
  = { N_ ("Stacks can be dumped only where the whole system may be recorded: here they are walked "
          "by frame pointers instead. Authorize the agent."),
      "" },
  [TB_CAPTURE_CODE_NO_DUMPS_OF_SAMPLES]
  = { N_ ("Perf events choose threads by their own names and only where they leave a CPU: stacks "
          "of samples are not dumped. Dump those of all threads, or record with BPF programs."),
      "" },
  [TB_CAPTURE_CODE_NO_MAPPINGS]
  = { N_ ("%s Files that are mapped after the start are not recorded: functions of programs that "
          "start later have no names. Permit perf events to the agent."),
      "c" },
  [TB_CAPTURE_CODE_NO_TABLES]
  = { N_ ("Unwind tables cannot be used (%s): stacks are walked by frame pointers, and the "
          "callers of most C libraries are missing."),
      "e" },
  [TB_CAPTURE_CODE_NO_SAMPLE_CLOCK]
  = { N_ ("There is no clock for samples (%s): what running threads do is unknown."), "e" },
  [TB_CAPTURE_CODE_PERF_HAS_NO_PROBES]
  = { N_ ("With perf events, functions cannot be probed, and locks, files and peers have no names. "
          "Use BPF programs where they can be loaded."),
      "" },
  [TB_CAPTURE_CODE_PERF_HAS_NO_MARKS]
  = { N_ ("Recording with perf tracepoints: marks of programs are not recorded."), "" },
  [TB_CAPTURE_CODE_INTERFACES_NOT_LISTED]
  = { N_ ("The network interfaces cannot be listed (%s): the speed of their links is not known. "
          "Set the capacity of devices yourself."),
      "e" },

  /* Warnings */
  [TB_CAPTURE_CODE_CONTAINER]
  = { N_ ("The agent runs in a container: the kernel numbers threads differently in different "
          "events, so that wake-ups are unreliable. Run the agent on the host."),
      "" },
  [TB_CAPTURE_CODE_TOO_MANY_INTERFACES]
  = { N_ ("Only the first %s of %s network interfaces are reported: the speed of the links of the "
          "others is not known. Set the capacity of devices yourself."),
      "nn" },
  [TB_CAPTURE_CODE_SAMPLES_THROTTLED]
  = { N_ ("The kernel throttled samples; number of times: %s. Running time has fewer samples "
          "there. Sample less often."),
      "n" },
  [TB_CAPTURE_CODE_SYSCALLS_THINNED]
  = { N_ ("System calls that were left out, as requested: %s, each shorter than %s ms."), "nm" },
  [TB_CAPTURE_CODE_SYSCALL_STACKS_THINNED]
  = { N_ ("Stacks of system calls that were left out: %s. One in %s ms of each thread was "
          "requested."),
      "nm" },
  [TB_CAPTURE_CODE_CALLS_THINNED]
  = { N_ ("Calls of probed functions that were shorter than requested and left out: %s."), "n" },
  [TB_CAPTURE_CODE_MARKS_WITHOUT_NAMES]
  = { N_ ("Marks of programs without names: %s. The names could not be read, or there were too "
          "many different ones."),
      "n" },
  [TB_CAPTURE_CODE_RECORDS_INVALID]
  = { N_ ("Records of BPF programs that were invalid and left out: %s. There is a fault in the "
          "agent or the kernel."),
      "n" },
  [TB_CAPTURE_CODE_STACKS_UNKNOWN]
  = { N_ ("Stacks that were received without their addresses: %s. Their events have no stacks. "
          "Record with a larger buffer."),
      "n" },
  [TB_CAPTURE_CODE_ALLOCATIONS_DROPPED]
  = { N_ ("Allocations that were not freed: %s, of which dropped: at least %s, because there is "
          "memory for %s. Locks in the dropped ones are named by the functions that wait for them. "
          "Record fewer processes."),
      "nnn" },

  /* Counters of unrecorded events */
  [TB_CAPTURE_CODE_SOFTIRQS_COUNTED]
  = { N_ ("CPU %s: softirqs shorter than %s µs that woke no thread: %s"), "nuq" },
  [TB_CAPTURE_CODE_ARRIVALS_COUNTED]
  = { N_ ("CPU %s: messages that arrived and woke no thread: %s"), "nn" },

  /* Probes and marks: results and reasons of refusal */
  [TB_CAPTURE_CODE_PROBE_EMULATED]
  = { N_ ("its instruction is emulated: below 1 µs each time"), "" },
  [TB_CAPTURE_CODE_PROBE_SINGLE_STEPPED]
  = { N_ ("its instruction is single-stepped: about 10 µs each time"), "" },
  [TB_CAPTURE_CODE_ALLOCATIONS_PROBED] = { N_ ("each allocation takes a few µs longer"), "" },
  [TB_CAPTURE_CODE_PROBE_REMOVED] = { N_ ("removed"), "" },
  [TB_CAPTURE_CODE_NO_SUCH_PROBE] = { N_ ("there is no such probe"), "" },
  [TB_CAPTURE_CODE_PROBE_NOT_PERMITTED] = { N_ ("not permitted: authorize the agent"), "" },
  [TB_CAPTURE_CODE_NO_UPROBES] = { N_ ("this kernel has no probes in programs"), "" },
  [TB_CAPTURE_CODE_NO_PROBABLE_INSTRUCTION] = { N_ ("no instruction can be probed"), "" },
  [TB_CAPTURE_CODE_PROBED_PROCESS_ENDED] = { N_ ("the process has ended"), "" },
  [TB_CAPTURE_CODE_PROBED_PROCESS_MISSING] = { N_ ("there is no such process"), "" },
  [TB_CAPTURE_CODE_NO_CODE_AT_OFFSET]
  = { N_ ("the process has no code of that file at this offset"), "" },
  [TB_CAPTURE_CODE_FILE_NOT_MAPPED] = { N_ ("the process has not mapped that file"), "" },
  [TB_CAPTURE_CODE_FILE_REPLACED]
  = { N_ ("the file has another build ID: it was replaced, find the function anew"), "" },
  [TB_CAPTURE_CODE_UNKNOWN_REGISTER] = { N_ ("an argument is in an unknown register"), "" },
  [TB_CAPTURE_CODE_GROUP_NOT_JOINED] = { N_ ("it cannot be attached with the others"), "" },
  [TB_CAPTURE_CODE_GROUP_NOT_TAKEN] = { N_ ("this kernel cannot probe several places at "
                                            "once"),
                                        "" },
  [TB_CAPTURE_CODE_GROUP_NEEDS_SYSTEM]
  = { N_ ("several places can be probed at once only where all processes may be recorded"), "" },
  [TB_CAPTURE_CODE_ALLOCATIONS_NEED_SYSTEM]
  = { N_ ("functions that allocate are probed only where all processes may be recorded"), "" },
  [TB_CAPTURE_CODE_MARK_WITHOUT_LOCATION] = { N_ ("its place is missing"), "" },
  [TB_CAPTURE_CODE_MARK_WITHOUT_MEANING] = { N_ ("what its function does is missing"), "" },
  [TB_CAPTURE_CODE_PROBE_WITHOUT_LOCATION] = { N_ ("its place and its process are missing"), "" },
  [TB_CAPTURE_CODE_PROBE_EXISTS] = { N_ ("there is already a probe with that number"), "" },
  [TB_CAPTURE_CODE_TOO_MANY_PROBES] = { N_ ("the limit of %s probes is reached"), "n" },
  [TB_CAPTURE_CODE_PROBED_PROCESS_FOREIGN] = { N_ ("process %s is not yours"), "n" },
  [TB_CAPTURE_CODE_PROBED_PROCESS_NOT_RECORDED] = { N_ ("process %s is not recorded"), "n" },
  [TB_CAPTURE_CODE_NO_BPF_RECORDING]
  = { N_ ("no recording with BPF programs runs, without which functions cannot be probed"), "" },
  [TB_CAPTURE_CODE_BUILT_WITHOUT_PROBES]
  = { N_ ("this agent was built without BPF programs: functions cannot be probed"), "" },
  [TB_CAPTURE_CODE_BUILT_WITHOUT_MARKS]
  = { N_ ("this agent was built without BPF programs: marks of programs cannot be recorded"), "" },
  [TB_CAPTURE_CODE_BUILT_WITHOUT_LATENCIES]
  = { N_ ("this agent was built without BPF programs: latencies cannot be searched"), "" },

  /* Kernel functions */
  [TB_CAPTURE_CODE_NO_SUCH_KERNEL_FUNCTION]
  = { N_ ("the kernel has no function of that name that can be probed"), "" },
  [TB_CAPTURE_CODE_SEVERAL_KERNEL_FUNCTIONS]
  = { N_ ("the kernel has several functions of that name"), "" },
  [TB_CAPTURE_CODE_KERNEL_FUNCTION_EXCLUDED]
  = { N_ ("the kernel excludes that function from probes"), "" },
  [TB_CAPTURE_CODE_NO_KPROBES]
  = { N_ ("this kernel has no kprobes, so its functions cannot be probed; system calls "
          "and functions of programs can"),
      "" },
  [TB_CAPTURE_CODE_NO_FUNCTION_NAME] = { N_ ("the name of the function is invalid"), "" },
  [TB_CAPTURE_CODE_KERNEL_FUNCTION_NOT_LOCATED]
  = { N_ ("the kernel does not report its address"), "" },
  [TB_CAPTURE_CODE_KERNEL_CANNOT_ATTACH] = { N_ ("this kernel cannot attach it there"), "" },
  [TB_CAPTURE_CODE_NOT_TRIED_OUT] = { N_ ("it is not the function of the calibration"), "" },
  [TB_CAPTURE_CODE_TOO_LATE_FOR_PROBE] = { N_ ("other probes were attached before it"), "" },
  [TB_CAPTURE_CODE_KERNEL_PROBE] = { "%s", "s" },
  [TB_CAPTURE_CODE_KERNEL_PROBE_FALLBACK] = { "%s: %s", "sL" },
  [TB_CAPTURE_CODE_KERNEL_PROBE_REFUSED] = { "%s: %s", "sc" },

  /* Latencies */
  [TB_CAPTURE_CODE_LATENCIES_NOT_LOADED]
  = { N_ ("the BPF programs for it are not loaded: latencies cannot be searched"), "" },
  [TB_CAPTURE_CODE_LATENCIES_STARTED]
  = { N_ ("a search of latencies runs already: one function at a time"), "" },
  [TB_CAPTURE_CODE_LATENCIES_NOT_STARTED] = { N_ ("no search of latencies runs"), "" },
  [TB_CAPTURE_CODE_LATENCY_BINS_WRONG]
  = { N_ ("the number of bins does not match the resolution"), "" },
  [TB_CAPTURE_CODE_LATENCY_MAPS_NOT_MAPPED]
  = { N_ ("the maps of the BPF programs cannot be mapped"), "" },
  [TB_CAPTURE_CODE_REQUESTS_NOT_WATCHED]
  = { N_ ("requests to devices cannot be recorded: %s"), "e" },
  [TB_CAPTURE_CODE_SYSCALLS_NOT_WATCHED] = { N_ ("system calls cannot be recorded: %s"), "e" },
  [TB_CAPTURE_CODE_WAKINGS_NOT_WATCHED] = { N_ ("wake-ups cannot be recorded: %s"), "e" },
  [TB_CAPTURE_CODE_NO_SUCH_NODES] = { N_ ("there are no such nodes"), "" },
  [TB_CAPTURE_CODE_TOO_MANY_CALLEES] = { N_ ("there is no memory for another callee"), "" },
  [TB_CAPTURE_CODE_NO_SUCH_CLIENTS] = { N_ ("there is no such path of calls that are served"), "" },
  [TB_CAPTURE_CODE_NO_SUCH_OPERAND] = { N_ ("no place is found for its operand"), "" },
  [TB_CAPTURE_CODE_NO_SUCH_GROUP] = { N_ ("there is no such group of probes"), "" },
  [TB_CAPTURE_CODE_KERNEL_NEEDS_SYSTEM]
  = { N_ ("functions of the kernel need the privilege to record the whole system"), "" },
};

TbAgentSentence
tb_agent_sentence_get (guint code)
{
  return code < G_N_ELEMENTS (sentences) ? sentences[code] : (TbAgentSentence) { 0 };
}
