/* tb-agent-options.c: options of the collectors that record with tailback-agent: table of their
 * names, texts, groups and limits, from which properties are made
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#include "config.h"

#include <glib/gi18n-lib.h>

#include "capture/tb-capture-format.h"
#include "extend/options/tb-option.h"
#include "tb-agent-options.h"

#define FLAGS (G_PARAM_READWRITE | G_PARAM_CONSTRUCT | G_PARAM_STATIC_STRINGS)
#define MAX_TIME (G_GINT64_CONSTANT (3600) * 1000000000)
#define MAX_STACK_INTERVAL G_GINT64_CONSTANT (1000000000)

typedef enum
{
  SWITCH,
  NUMBER,
  LONG_NUMBER,
  TEXT,
  LIST,
} Kind;

typedef struct
{
  Kind kind;
  const char *name;
  const char *nick;
  const char *blurb;
  gint64 initial; /* of a switch or number */
  gint64 least, most;
  const char *unit;
  const char *text; /* initial text */
  const char *const *choices;
} Option;

/* Headings of groups of options */
static const struct
{
  TbAgentOption first; /* first option of the group, which ends before the next group */
  const char *title;
} groups[] = {
  { TB_AGENT_OPTION_SAMPLES, N_ ("Samples") },
  { TB_AGENT_OPTION_STACKS, N_ ("Stacks") },
  { TB_AGENT_OPTION_INTERRUPTS, N_ ("Devices and network") },
  { TB_AGENT_OPTION_SYSCALLS, N_ ("System calls") },
  { TB_AGENT_OPTION_ANNOTATIONS, N_ ("Programs and functions") },
  { TB_AGENT_OPTION_FLIGHT_RECORDER, N_ ("Flight recorder") },
  { TB_AGENT_OPTION_RING_SIZE, N_ ("Recording") },
};

static const char *const authorize_choices[] = { "system", "always", "never", NULL };

static const Option options[TB_AGENT_N_OPTIONS] = {
  [TB_AGENT_OPTION_SAMPLES]
  = { SWITCH, "samples", N_ ("Samples"),
      N_ ("Sample what running threads execute, by cycles or the clock"), TRUE },
  [TB_AGENT_OPTION_FREQUENCY] = { NUMBER, "frequency", N_ ("Sampling rate"),
                                  N_ ("Samples per second on each CPU"), 999, 1, 20000, "hz" },
  [TB_AGENT_OPTION_STACKS]
  = { SWITCH, "stacks", N_ ("Stacks"),
      N_ ("Record which functions led to a sleep, a wake-up or a request (by frame pointers)"),
      TRUE },
  [TB_AGENT_OPTION_KERNEL_STACKS] = { SWITCH, "kernel-stacks", N_ ("Kernel part of stacks"),
                                      N_ ("Also record the kernel's functions where threads sleep; "
                                          "several times the cost of the rest") },
  [TB_AGENT_OPTION_WAKING_KERNEL_STACKS]
  = { SWITCH, "waking-kernel-stacks", N_ ("Kernel part of wakers' stacks"),
      N_ ("Also record the kernel's functions where threads are woken; costs most") },
  [TB_AGENT_OPTION_REPAIR_STACKS]
  = { SWITCH, "repair-stacks", N_ ("Repair stacks"),
      N_ ("Find the callers of functions without frame pointers, as those of most C libraries, by "
          "the unwind tables of their files"),
      TRUE },
  [TB_AGENT_OPTION_DUMP_STACKS]
  = { TEXT, "dump-stacks", N_ ("Dump stacks of"),
      N_ ("Threads or processes, by name, or all: their stacks are dumped and "
          "unwound without frame pointers"),
      .text = "" },
  [TB_AGENT_OPTION_DUMP_BYTES]
  = { NUMBER, "dump-bytes", N_ ("Size of a stack dump"),
      N_ ("How much of a stack is dumped, from its innermost function on"), 8192, 1024,
      TB_CAPTURE_MAX_DUMP, "bytes" },
  [TB_AGENT_OPTION_INTERRUPTS]
  = { SWITCH, "interrupts", N_ ("Interrupts"),
      N_ ("Needed to distinguish wake-ups by devices from those by threads"), TRUE },
  [TB_AGENT_OPTION_BLOCK]
  = { SWITCH, "block", N_ ("Disks"), N_ ("Requests to disks, with their files"), TRUE },
  [TB_AGENT_OPTION_NETWORK]
  = { SWITCH, "network", N_ ("Network"), N_ ("Messages and connections"), TRUE },
  [TB_AGENT_OPTION_SYSCALLS]
  = { SWITCH, "syscalls", N_ ("System calls"),
      N_ ("Every system call with its arguments; not needed to know what threads sleep in") },
  [TB_AGENT_OPTION_SYSCALL_STACKS]
  = { SWITCH, "syscall-stacks", N_ ("Stacks of system calls"),
      N_ ("Where system calls are recorded, record which functions led to each of them, too") },
  [TB_AGENT_OPTION_SYSCALL_MIN]
  = { LONG_NUMBER, "syscall-min", N_ ("Shortest system call"),
      N_ ("Leave out system calls that took less"), 0, 0, MAX_TIME, "ns" },
  [TB_AGENT_OPTION_SYSCALL_STACK_INTERVAL]
  = { LONG_NUMBER, "syscall-stack-interval", N_ ("Time between stacks of system calls"),
      N_ ("At most one stack of each thread in this time; 0: all "
          "stacks"),
      0, 0, MAX_STACK_INTERVAL, "ns" },
  [TB_AGENT_OPTION_ANNOTATIONS]
  = { SWITCH, "annotations", N_ ("Marks of programs"),
      N_ ("Record the marks of programs that are compiled with tailback-annotate.h"), TRUE },
  [TB_AGENT_OPTION_LOCKS]
  = { SWITCH, "locks", N_ ("Origin of locks"),
      N_ ("Record which functions make locks of the C library and GLib, to name locks that have no "
          "name of their own; about 2 µs each time a lock is made or destroyed"),
      TRUE },
  [TB_AGENT_OPTION_LOCK_ALLOCATIONS]
  = { SWITCH, "lock-allocations", N_ ("Allocation of locks"),
      N_ ("Record which functions allocate the memory of locks that no function makes, such as "
          "those of C++ and Rust, to name these locks; each allocation with its freeing takes "
          "about 15 µs longer") },
  [TB_AGENT_OPTION_MARK]
  = { LIST, "mark", N_ ("Functions as marks"),
      N_ ("Use calls of functions as marks of programs that have none: "
          "MEANING:[LIBRARY-OR-PROGRAM:]FUNCTION, such as spin:mariadbd:ut_delay or "
          "work:handle_request; MEANING is spin, release or create (of the lock that is the first "
          "argument of the function), work (done when the function returns), phase or "
          "false-wakeup") },
  [TB_AGENT_OPTION_PROBE] = { LIST, "probe", N_ ("Functions"),
                              N_ ("Record when functions are called and return: "
                                  "[LIBRARY-OR-PROGRAM:]FUNCTION, with >TIME only calls that take "
                                  "longer: malloc_trim, libc:fflush>2ms") },
  [TB_AGENT_OPTION_CGROUP]
  = { TEXT, "cgroup", N_ ("Control group"),
      N_ ("Record only what is in this control group, such as system.slice/nginx.service"),
      .text = "" },
  [TB_AGENT_OPTION_FLIGHT_RECORDER]
  = { LONG_NUMBER, "flight-recorder", N_ ("Flight recorder"),
      N_ ("Keep only the most recent events, for this length of time, "
          "and save them when the recording ends; 0: keep all"),
      0, 0, MAX_TIME, "ns" },
  [TB_AGENT_OPTION_FLIGHT_RECORDER_SIZE]
  = { LONG_NUMBER, "flight-recorder-size", N_ ("Flight-recorder memory"),
      N_ ("Maximum memory for kept events; 0: chosen by the agent"), 0, 0,
      G_GINT64_CONSTANT (1) << 36, "bytes" },
  [TB_AGENT_OPTION_TRIGGER] = { TEXT, "trigger", N_ ("Save when"),
                                N_ ("End when a call took longer: fsync>20ms, any>1s (any system "
                                    "call), function>5ms (a probed function)"),
                                .text = "" },
  [TB_AGENT_OPTION_RING_SIZE] = { NUMBER, "ring-size", N_ ("Buffer"),
                                  N_ ("Memory of each CPU for events that are not yet written"),
                                  4 << 20, 4096, 256 << 20, "bytes" },
  [TB_AGENT_OPTION_MEASURE] = { SWITCH, "measure", N_ ("Measure the cost"),
                                N_ ("Measure the cost of recording on this machine before it "
                                    "starts, and store it in the recording") },
  [TB_AGENT_OPTION_AUTHORIZE]
  = { TEXT, "authorize", N_ ("Ask for authorization"),
      N_ ("When to ask for the privilege to record more than your own processes"), .text = "system",
      .choices = authorize_choices },
};

static GParamSpec *
make_property (const Option *option, const char *nick, const char *blurb, gint64 initial)
{
  switch (option->kind)
    {
    case SWITCH:
      return g_param_spec_boolean (option->name, nick, blurb, initial != 0, FLAGS);
    case NUMBER:
      return g_param_spec_uint (option->name, nick, blurb, (guint) option->least,
                                (guint) option->most, (guint) initial, FLAGS);
    case LONG_NUMBER:
      return g_param_spec_int64 (option->name, nick, blurb, option->least, option->most, initial,
                                 FLAGS);
    case TEXT:
      return g_param_spec_string (option->name, nick, blurb, option->text, FLAGS);
    case LIST:
      return g_param_spec_boxed (option->name, nick, blurb, G_TYPE_STRV, FLAGS);
    default:
      g_assert_not_reached ();
    }
}

static const char *
get_group (TbAgentOption number)
{
  guint i = 0;

  while (i + 1 < G_N_ELEMENTS (groups) && groups[i + 1].first <= number)
    i++;
  return _ (groups[i].title);
}

GParamSpec *
tb_agent_option_make (TbAgentOption number, const TbAgentOptionChange *change)
{
  const Option *option = &options[number];
  GParamSpec *property
      = make_property (option, _ (option->nick), _ (change ? change->blurb : option->blurb),
                       change ? change->initial : option->initial);

  tb_option_set_group (property, get_group (number));
  if (option->unit != NULL)
    tb_option_set_unit (property, option->unit);
  if (option->choices == authorize_choices)
    {
      const char *const labels[] = { _ ("For the whole system"), _ ("Always"), _ ("Never"), NULL };

      tb_option_set_choices (property, option->choices);
      tb_option_set_choice_labels (property, labels);
    }
  return property;
}
