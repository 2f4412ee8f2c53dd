/* tb-agent-main.c: the program tailback-agent: arguments and rights of its caller, header that
 * describes the machine, handling of control records from the client, and the loop that drains
 * kernel events and writes them to standard output
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#include "config.h"

#include <errno.h>
#include <fcntl.h>
#include <getopt.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/utsname.h>
#include <time.h>
#include <unistd.h>

#include "agent/backend/tb-agent-backend.h"
#include "agent/bpf/tb-agent-bpf.h"
#include "agent/core/tb-agent-interfaces.h"
#include "agent/core/tb-agent-private.h"
#include "agent/latency/tb-agent-latency.h"
#include "capture/tb-capture-decoder.h"

#define DUMP_STEP 1024u
#define ROUND_NS 20000000u
#define ROUNDS_PER_STATISTICS 10
#define QUEUE_LIMIT (64u << 20)
#define FULL_PAUSE_MS 5
#define MAX_CPUS_POLLED 1024

static volatile sig_atomic_t stop_requested;
static volatile sig_atomic_t snapshot_requested;

typedef struct
{
  TbAgent agent;
  TbCaptureDecoder *control;
  int ended;
  int status; /* exit status */
  uint64_t next_round;
  uint64_t last_round; /* when the last round but one began */
  unsigned n_rounds;
} Program;

static void
on_signal (int number)
{
  if (number == SIGUSR1)
    snapshot_requested = 1;
  else
    stop_requested = 1;
}

static uint64_t
read_clock (clockid_t clock)
{
  struct timespec now;

  clock_gettime (clock, &now);
  return (uint64_t) now.tv_sec * 1000000000u + (uint64_t) now.tv_nsec;
}

static void
read_line (const char *path, char *text, size_t size)
{
  FILE *file = fopen (path, "re");

  text[0] = '\0';
  if (file == NULL)
    return;
  if (fgets (text, (int) size, file) == NULL)
    text[0] = '\0';
  text[strcspn (text, "\n")] = '\0';
  fclose (file);
}

static uint32_t
count_cpus (void)
{
  char list[256];
  const char *last;
  long number;

  read_line ("/sys/devices/system/cpu/possible", list, sizeof list);
  last = strpbrk (list, "-,") != NULL ? list + strlen (list) : list;
  while (last > list && last[-1] >= '0' && last[-1] <= '9')
    last--;
  number = strtol (last, NULL, 10);
  if (list[0] == '\0')
    number = sysconf (_SC_NPROCESSORS_CONF) - 1;
  return number >= 0 && number < TB_CAPTURE_MAX_CPUS ? (uint32_t) number + 1 : 1;
}

static void
describe_host (TbAgent *self)
{
  TbCaptureHeader *header = &self->header;
  struct utsname name;

  if (uname (&name) == 0)
    {
      snprintf (header->host, sizeof header->host, "%s", name.nodename);
      snprintf (header->kernel, sizeof header->kernel, "%s", name.release);
      snprintf (header->machine, sizeof header->machine, "%s", name.machine);
    }
  read_line ("/proc/sys/kernel/random/boot_id", header->boot_id, sizeof header->boot_id);
  snprintf (header->agent, sizeof header->agent, "%s", PACKAGE_VERSION);
  header->n_cpus = count_cpus ();
  header->monotonic = read_clock (CLOCK_MONOTONIC) + self->clock_skew;
  header->realtime = read_clock (CLOCK_REALTIME);
  header->boottime = read_clock (CLOCK_BOOTTIME);

  tb_agent_backend_choose (self);
}

/* Wake-up events have thread ids of the initial PID namespace, perf's own records those of the
 * agent's namespace. */
static void
check_namespace (TbAgent *self)
{
  char target[64];
  ssize_t length = readlink ("/proc/self/ns/pid", target, sizeof target - 1);

  if (length <= 0)
    return;
  target[length] = '\0';
  if (strcmp (target, "pid:[4026531836]") != 0)
    tb_agent_output_put_status (self->output, TB_CAPTURE_STATUS_WARNING,
                                TB_CAPTURE_SOURCE_SCHEDULER,
                                TB_CAPTURE_MESSAGE (TB_CAPTURE_CODE_CONTAINER, 0));
}

static void
put_simple (TbAgent *self, unsigned type, uint64_t time)
{
  TbCaptureRecord record = { .time = time, .type = (uint16_t) type, .cpu = TB_CAPTURE_CPU_NONE };

  if (type == TB_CAPTURE_FLUSH)
    self->flushed = time;
  if (type == TB_CAPTURE_STATISTICS || type == TB_CAPTURE_END)
    record.statistics = (TbCaptureStatistics) { self->n_events, self->n_lost,
                                                tb_agent_output_get_bytes (self->output) };
  tb_agent_output_put (self->output, &record);
}

static void stop (Program *self);

/* The flight-recorder buffer is written out, which ends the recording. */
static void
save (Program *self, const TbCaptureMessage *reason)
{
  tb_agent_output_put_status (self->agent.output, TB_CAPTURE_STATUS_SAVING, TB_CAPTURE_SOURCE_NONE,
                              reason);
  stop (self);
}

static void
run_round (Program *self)
{
  TbAgent *agent = &self->agent;
  uint64_t now = tb_agent_now ();
  const TbCaptureMessage *reason;
  int complete;

  complete = agent->backend->drain (agent);
  tb_agent_tasks_put_commands (agent);
  /* An event may reach its ring late, but not by more than one whole round. Records behind one that
   * is still being written may be older. */
  if (complete)
    {
      put_simple (agent, TB_CAPTURE_FLUSH, self->last_round);
      self->last_round = now;
    }
  if (++self->n_rounds % ROUNDS_PER_STATISTICS == 0)
    put_simple (agent, TB_CAPTURE_STATISTICS, now);
  reason = tb_agent_output_rotate (agent->output);
  tb_agent_output_flush (agent->output);
  self->next_round = now + ROUND_NS;
  if (reason != NULL)
    save (self, reason);
}

static void
refuse (Program *self, const TbCaptureMessage *reason)
{
  tb_agent_output_put_status (self->agent.output, TB_CAPTURE_STATUS_REFUSED, TB_CAPTURE_SOURCE_NONE,
                              reason);
  tb_agent_output_flush (self->agent.output);
}

/* Rounds up to the unit in which the programs copy stacks. */
static uint32_t
choose_dump_size (const TbCaptureStart *wanted)
{
  uint32_t steps = (wanted->dump_bytes + DUMP_STEP - 1) / DUMP_STEP;

  if ((wanted->stacks & TB_CAPTURE_USER_STACKS) == 0)
    return 0;
  return wanted->dump_bytes >= TB_CAPTURE_MAX_DUMP ? TB_CAPTURE_MAX_DUMP : steps * DUMP_STEP;
}

static void
start (Program *self, const TbCaptureStart *wanted)
{
  TbAgent *agent = &self->agent;
  TbCaptureMessage why = { 0 };

  if (agent->running || agent->end_time != 0)
    {
      refuse (self, TB_CAPTURE_MESSAGE (TB_CAPTURE_CODE_ALREADY_STARTED, 0));
      return;
    }
  agent->start = *wanted;
  agent->start.dump_bytes = choose_dump_size (wanted);
  if (wanted->flight_recorder_ns != 0 || wanted->flight_recorder_bytes != 0)
    tb_agent_output_start_flight_recorder (agent->output, wanted);
  agent->end_time = UINT64_MAX;
  if (wanted->scope > TB_CAPTURE_SCOPE_PROCESS)
    TB_CAPTURE_SET_MESSAGE (&why, TB_CAPTURE_CODE_UNKNOWN_SCOPE, 0,
                            TB_CAPTURE_NUMBER (wanted->scope));
  if (why.code != TB_CAPTURE_CODE_NONE
      || tb_agent_backend_change (agent, wanted->backend, &why) != 0
      || tb_agent_tasks_check_target (agent, &why) != 0 || agent->backend->open (agent, &why) != 0)
    {
      refuse (self, &why);
      self->ended = 1;
      self->status = 1;
      return;
    }
  if (agent->header.backend != TB_CAPTURE_BACKEND_OWN)
    {
      check_namespace (agent);
      if ((wanted->sources >> TB_CAPTURE_SOURCE_SAMPLES & 1) != 0
          && agent->perf.setup[TB_AGENT_CLOCK].weight != 0)
        tb_agent_output_put_status (agent->output, TB_CAPTURE_STATUS_WORKS,
                                    TB_CAPTURE_SOURCE_SAMPLES,
                                    TB_CAPTURE_MESSAGE (TB_CAPTURE_CODE_SAMPLES_BY_CLOCK, 0));
    }
  else
    tb_agent_output_put_status (agent->output, TB_CAPTURE_STATUS_MISSING,
                                TB_CAPTURE_SOURCE_SCHEDULER, tb_agent_refusals_get_last (agent));

  tb_agent_devices_list (agent);
  if ((wanted->sources >> TB_CAPTURE_SOURCE_NETWORK & 1) != 0)
    tb_agent_interfaces_put (agent->output);
  /* BPF programs that already run follow the target's descendants while the list is made. */
  if (agent->header.backend != TB_CAPTURE_BACKEND_BPF)
    tb_agent_tasks_note_existing (agent);
  if (agent->backend->enable (agent) != 0)
    {
      refuse (self, TB_CAPTURE_MESSAGE (TB_CAPTURE_CODE_NOT_ENABLED, 0));
      self->ended = 1;
      self->status = 1;
      return;
    }
  if (agent->header.backend == TB_CAPTURE_BACKEND_BPF)
    tb_agent_tasks_note_existing (agent);
  agent->start_time = agent->flushed = self->last_round = tb_agent_now ();
  agent->running = 1;
  tb_agent_tasks_put_existing (agent);
  put_simple (agent, TB_CAPTURE_FLUSH, agent->start_time);
  tb_agent_output_put_armed (agent->output, agent->start_time);
  tb_agent_output_flush (agent->output);
  self->next_round = tb_agent_now () + ROUND_NS;
}

static void
stop (Program *self)
{
  TbAgent *agent = &self->agent;

  self->ended = 1;
  if (!agent->running)
    return;
  agent->running = 0;
  agent->end_time = tb_agent_now ();
  agent->backend->disable (agent);
  agent->backend->drain (agent);
  agent->backend->drain (agent);
  tb_agent_tasks_put_commands (agent);
  tb_agent_backend_report_losses (agent);
  if (agent->perf.n_throttled > 0)
    tb_agent_output_put_status (agent->output, TB_CAPTURE_STATUS_WARNING, TB_CAPTURE_SOURCE_SAMPLES,
                                TB_CAPTURE_MESSAGE (TB_CAPTURE_CODE_SAMPLES_THROTTLED, 0,
                                                    TB_CAPTURE_NUMBER (agent->perf.n_throttled)));
  tb_agent_output_save_flight_recorder (agent->output, agent->start_time, &agent->n_events,
                                        &agent->n_lost);
  if ((agent->start.stacks & TB_CAPTURE_KERNEL_NAMES) != 0)
    tb_agent_output_put_kernel_symbols (agent->output);
  put_simple (agent, TB_CAPTURE_FLUSH, agent->end_time);
  put_simple (agent, TB_CAPTURE_END, agent->end_time);
  tb_agent_output_flush (agent->output);
}

static void
answer_ping (Program *self, uint64_t cookie)
{
  TbCaptureRecord record = { .type = TB_CAPTURE_PONG, .cpu = TB_CAPTURE_CPU_NONE };

  record.time = tb_agent_now ();
  record.pong.cookie = cookie;
  record.pong.received = record.time + self->agent.clock_skew;
  record.pong.realtime = read_clock (CLOCK_REALTIME);
  record.pong.boottime = read_clock (CLOCK_BOOTTIME);
  tb_agent_output_put (self->agent.output, &record);
  tb_agent_output_flush (self->agent.output);
}

static void
change_probe (Program *self, const TbCaptureRecord *record)
{
  TbAgent *agent = &self->agent;
  TbCaptureMessage answer = { 0 };
  uint32_t id;
  int result;

  switch (record->type)
    {
    case TB_CAPTURE_PROBE_ADD:
      id = record->probe_add.id;
      result = tb_agent_bpf_add_probe (agent, record, &answer);
      break;
    case TB_CAPTURE_MARK_ADD:
      id = record->mark_add.id;
      result = tb_agent_bpf_add_mark (agent, record, &answer);
      break;
    default:
      id = record->probe_remove.id;
      result = tb_agent_bpf_remove_probe (agent, id, &answer);
      break;
    }
  tb_agent_output_put_answer (agent->output,
                              result == 0 ? TB_CAPTURE_STATUS_PROBED : TB_CAPTURE_STATUS_REFUSED,
                              record->type == TB_CAPTURE_MARK_ADD ? TB_CAPTURE_SOURCE_MARKS
                                                                  : TB_CAPTURE_SOURCE_PROBES,
                              id, &answer);
  tb_agent_output_flush (agent->output);
}

static void
choose_dumped (Program *self, const TbCaptureRecord *record)
{
  TbAgent *agent = &self->agent;

  if (agent->n_dump_names == TB_CAPTURE_MAX_DUMP_THREADS || record->tail_length == 0)
    {
      refuse (self, TB_CAPTURE_MESSAGE (TB_CAPTURE_CODE_TOO_MANY_DUMP_NAMES, 0));
      return;
    }
  memcpy (agent->dump_names[agent->n_dump_names++], record->tail, record->tail_length);
}

static void
handle_latency_record (Program *self, const TbCaptureRecord *record)
{
  TbAgent *agent = &self->agent;
  TbCaptureMessage answer;
  int result = tb_agent_latency_handle (agent, record, &answer);

  /* The client waits for an answer only where the work may take time. */
  if (result == 0 && record->type != TB_CAPTURE_LATENCY_START
      && record->type != TB_CAPTURE_LATENCY_ATTACH)
    return;
  tb_agent_output_put_status (agent->output,
                              result == 0 ? TB_CAPTURE_STATUS_PROBED : TB_CAPTURE_STATUS_REFUSED,
                              TB_CAPTURE_SOURCE_LATENCY, &answer);
  tb_agent_output_flush (agent->output);
}

static void
handle_record (Program *self, const TbCaptureRecord *record)
{
  switch (record->type)
    {
    case TB_CAPTURE_START:
      start (self, &record->start);
      break;
    case TB_CAPTURE_DUMP_THREAD:
      choose_dumped (self, record);
      break;
    case TB_CAPTURE_STOP:
      stop (self);
      break;
    case TB_CAPTURE_SNAPSHOT:
      if (tb_agent_output_is_flight_recorder (self->agent.output) && self->agent.running)
        save (self, TB_CAPTURE_MESSAGE (TB_CAPTURE_CODE_SAVE_REQUESTED, 0));
      else if (self->agent.running)
        run_round (self);
      else
        refuse (self, TB_CAPTURE_MESSAGE (TB_CAPTURE_CODE_NOTHING_RECORDED, 0));
      break;
    case TB_CAPTURE_PING:
      answer_ping (self, record->ping.cookie);
      break;
    case TB_CAPTURE_PROBE_ADD:
    case TB_CAPTURE_PROBE_REMOVE:
    case TB_CAPTURE_MARK_ADD:
      change_probe (self, record);
      break;
    case TB_CAPTURE_LATENCY_START:
    case TB_CAPTURE_LATENCY_CLIENTS:
    case TB_CAPTURE_LATENCY_PROBE:
    case TB_CAPTURE_LATENCY_ATTACH:
    case TB_CAPTURE_LATENCY_DETACH:
    case TB_CAPTURE_LATENCY_NODE:
    case TB_CAPTURE_LATENCY_PEAK:
    case TB_CAPTURE_LATENCY_READ:
      handle_latency_record (self, record);
      break;
    case TB_CAPTURE_QUERY:
      tb_agent_backend_answer_query (&self->agent, &record->query);
      tb_agent_output_flush (self->agent.output);
      break;
    default:
      break;
    }
}

static void
read_control (Program *self)
{
  TbCaptureRecord record;
  size_t space;
  void *to = tb_capture_decoder_get_space (self->control, &space);
  ssize_t got = read (STDIN_FILENO, to, space);

  if (got < 0 && (errno == EINTR || errno == EAGAIN))
    return;
  if (got <= 0)
    {
      stop (self);
      return;
    }
  tb_capture_decoder_commit (self->control, got);
  while (!self->ended)
    switch (tb_capture_decoder_next (self->control, &record))
      {
      case TB_CAPTURE_RECORD:
        handle_record (self, &record);
        break;
      case TB_CAPTURE_HEADED:
        break;
      case TB_CAPTURE_DAMAGED:
        fprintf (stderr, "tailback-agent: invalid control stream: %s\n",
                 tb_capture_decoder_get_error (self->control));
        refuse (self, TB_CAPTURE_MESSAGE (TB_CAPTURE_CODE_CONTROL_DAMAGED, 0,
                                          tb_capture_decoder_get_error (self->control)));
        self->status = 1;
        stop (self);
        break;
      case TB_CAPTURE_MORE:
      default:
        return;
      }
}

/* Waits for a control record, a ring that fills up, or the end of the round. */
static void
wait_for_work (Program *self, int full)
{
  struct pollfd polled[2 + MAX_CPUS_POLLED];
  TbAgent *agent = &self->agent;
  nfds_t n = 2;
  int timeout = -1;

  polled[0] = (struct pollfd) { .fd = STDIN_FILENO, .events = POLLIN };
  polled[1] = (struct pollfd) { .fd = STDOUT_FILENO };
  if (agent->running)
    {
      uint64_t now = tb_agent_now (), due = tb_agent_latency_get_next_time (agent);

      due = due < self->next_round ? due : self->next_round;
      timeout = now < due ? (int) ((due - now + 999999u) / 1000000u) : 0;
      if (full)
        timeout = FULL_PAUSE_MS;
      else if (agent->header.backend == TB_CAPTURE_BACKEND_PERF)
        for (unsigned i = 0; i < agent->perf.n_rings && i < MAX_CPUS_POLLED; i++)
          polled[n++] = (struct pollfd) { .fd = agent->perf.rings[i].fd, .events = POLLIN };
    }
  if (poll (polled, n, timeout) < 0)
    return;
  if ((polled[1].revents & (POLLERR | POLLHUP | POLLNVAL)) != 0)
    stop (self);
  else if (polled[0].revents != 0)
    read_control (self);
  for (nfds_t i = 2; i < n; i++)
    if ((polled[i].revents & POLLIN) != 0)
      self->next_round = 0;
}

static void
run (Program *self)
{
  TbAgent *agent = &self->agent;

  while (!self->ended)
    {
      int full = agent->running && tb_agent_output_is_full (agent->output);

      if (stop_requested || tb_agent_output_is_broken (agent->output))
        {
          stop (self);
          break;
        }
      wait_for_work (self, full);
      if (snapshot_requested && agent->running
          && tb_agent_output_is_flight_recorder (agent->output))
        save (self, TB_CAPTURE_MESSAGE (TB_CAPTURE_CODE_SAVE_SIGNAL, 0));
      snapshot_requested = 0;
      if (!self->ended && agent->running && !full
          && tb_agent_now () >= tb_agent_latency_get_next_time (agent))
        {
          tb_agent_latency_emit (agent);
          tb_agent_output_flush (agent->output);
        }
      if (!self->ended && agent->running && !full && tb_agent_now () >= self->next_round)
        run_round (self);
    }
}

static void
print_help (void)
{
  puts (
      "Usage: tailback-agent [--system | --own] [--backend NAME] [--clock-skew NS]\n"
      "\n"
      "Records what threads, interrupts and devices do. It is started by Tailback: it writes a\n"
      "binary stream to its standard output and reads commands from its standard input.\n"
      "\n"
      "  --system         the whole system may be recorded; must be the first argument\n"
      "  --own            only processes of the user that calls it through pkexec\n"
      "  --backend NAME   “bpf”, “perf” or “own”: the best backend that may be used\n"
      "  --clock-skew NS  adds to all times, for tests\n"
      "  --kernel-probe NAME  “fentry”, “fprobe” or “kprobe”: the best probe of functions of the\n"
      "                   kernel that may be used, for tests\n"
      "  --version, --help");
}

/* Determines which processes the caller may see. pkexec authorized the first argument, so --system
 * counts only there. */
static void
find_caller (TbAgent *self, int argc, char **argv)
{
  const char *caller = getenv ("PKEXEC_UID");
  char *end = NULL;

  self->user = -1;
  self->system_allowed = 1;
  if (getuid () != geteuid ())
    {
      self->user = getuid ();
      self->system_allowed = 0;
    }
  else if (geteuid () == 0 && caller != NULL)
    {
      self->user = strtoll (caller, &end, 10);
      if (end == caller || *end != '\0' || self->user < 0)
        self->user = -1;
      self->system_allowed = argc > 1 && strcmp (argv[1], "--system") == 0;
    }
  if (argc > 1 && strcmp (argv[1], "--own") == 0 && self->user >= 0)
    self->system_allowed = 0;
}

static TbCaptureBackend
parse_backend (const char *name)
{
  if (strcmp (name, "bpf") == 0)
    return TB_CAPTURE_BACKEND_BPF;
  if (strcmp (name, "perf") == 0)
    return TB_CAPTURE_BACKEND_PERF;
  return strcmp (name, "own") == 0 ? TB_CAPTURE_BACKEND_OWN : 0;
}

static int
parse_arguments (TbAgent *self, int argc, char **argv)
{
  static const struct option options[] = { { "system", no_argument, NULL, 's' },
                                           { "own", no_argument, NULL, 'o' },
                                           { "backend", required_argument, NULL, 'f' },
                                           { "clock-skew", required_argument, NULL, 'c' },
                                           { "kernel-probe", required_argument, NULL, 'k' },
                                           { "version", no_argument, NULL, 'v' },
                                           { "help", no_argument, NULL, 'h' },
                                           { NULL, 0, NULL, 0 } };
  char *end;
  int option;

  while ((option = getopt_long (argc, argv, "", options, NULL)) != -1)
    switch (option)
      {
      case 's':
      case 'o':
        if (optind != 2)
          {
            fputs ("tailback-agent: --system and --own must be the first argument\n", stderr);
            return 2;
          }
        break;
      case 'f':
        self->preferred = parse_backend (optarg);
        if (self->preferred == 0)
          {
            fprintf (stderr, "tailback-agent: invalid --backend “%s”: use bpf, perf or own\n",
                     optarg);
            return 2;
          }
        break;
      case 'k':
        self->kernel_probe_kind = optarg;
        if (strcmp (optarg, "fentry") != 0 && strcmp (optarg, "fprobe") != 0
            && strcmp (optarg, "kprobe") != 0)
          {
            fprintf (stderr,
                     "tailback-agent: invalid --kernel-probe “%s”: use fentry, fprobe or kprobe\n",
                     optarg);
            return 2;
          }
        break;
      case 'c':
        self->clock_skew = (uint64_t) strtoll (optarg, &end, 10);
        if (end == optarg || *end != '\0')
          {
            fprintf (stderr,
                     "tailback-agent: invalid --clock-skew “%s”: use a number of nanoseconds\n",
                     optarg);
            return 2;
          }
        break;
      case 'v':
        puts ("tailback-agent " PACKAGE_VERSION);
        return 0;
      case 'h':
        print_help ();
        return 0;
      default:
        return 2;
      }
  if (optind < argc)
    {
      fprintf (stderr, "tailback-agent: unexpected argument “%s”\n", argv[optind]);
      return 2;
    }
  if (isatty (STDOUT_FILENO))
    {
      fputs (
          "tailback-agent: cannot write a binary stream to a terminal: use tailback-cli record\n",
          stderr);
      return 2;
    }
  return -1;
}

static void
clear (TbAgent *self)
{
  TbAgentMap *const maps[]
      = { &self->tasks.forked,   &self->tasks.exited,       &self->target.outsiders,
          &self->target.pids,    &self->target.processes,   &self->irq_devices,
          &self->sockets,        &self->tasks.new_programs, &self->block_devices,
          &self->perf.event_ids, &self->tasks.unannounced };

  for (size_t i = 0; i < sizeof maps / sizeof maps[0]; i++)
    tb_agent_map_clear (maps[i]);
  tb_agent_stack_dumps_clear (&self->dumps);
  tb_agent_modules_clear (&self->modules);
  free (self->tasks.announced);
  if (self->tracefs >= 0)
    close (self->tracefs);
}

int
main (int argc, char **argv)
{
  struct sigaction action = { .sa_handler = on_signal };
  Program program = { 0 };
  TbAgent *agent = &program.agent;
  int status = parse_arguments (agent, argc, argv);

  if (status >= 0)
    return status;
  signal (SIGPIPE, SIG_IGN);
  /* Ctrl-C is meant for the client, which then ends the recording. */
  signal (SIGINT, SIG_IGN);
  sigaction (SIGTERM, &action, NULL);
  sigaction (SIGHUP, &action, NULL);
  sigaction (SIGUSR1, &action, NULL);
  /* On a busy machine the rings would overflow while the agent waits for a CPU. */
  (void) setpriority (PRIO_PROCESS, 0, -10);

  find_caller (agent, argc, argv);
  agent->own_pid = getpid ();
  agent->tracefs = -1;
  program.control = tb_capture_decoder_new (TB_CAPTURE_FROM_CLIENT);
  if (program.control == NULL)
    return 1;
  describe_host (agent);
  agent->output = tb_agent_output_new (STDOUT_FILENO, QUEUE_LIMIT, agent->clock_skew);
  tb_agent_modules_init (&agent->modules, agent->output);
  tb_agent_output_put_header (agent->output, &agent->header);
  run (&program);

  tb_agent_output_close (agent->output);
  /* Closing the stream releases the client: detaching the tracepoints takes the kernel most of a
   * second. */
  close (STDOUT_FILENO);
  tb_agent_backend_close (agent);
  clear (agent);
  tb_capture_decoder_free (program.control);
  return program.status;
}
