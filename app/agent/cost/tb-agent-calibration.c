/* tb-agent-calibration.c: calibration process, whose two threads switch or make calls on request,
 * and the median CPU time that one switch, function call or system call takes
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#include <errno.h>
#include <poll.h>
#include <pthread.h>
#include <sched.h>
#include <signal.h>
#include <stdlib.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "agent/core/tb-agent-output.h"
#include "agent/cost/tb-agent-calibration.h"

#define MAX_RUNS 7u
/* If the machine is too busy to answer in this time, nothing is measured. */
#define TIMEOUT_MS 200

typedef struct
{
  int pipes[2][2]; /* pipes: to the first and to the second thread */
  cpu_set_t all;   /* CPUs that the process may use */
  cpu_set_t one;   /* the CPU on which both threads pass the byte */
} Pipes;

/* Begins with instructions that need no single-stepping, so the measured cost of probes is the
 * minimum. */
#if defined __x86_64__
__asm__ (".pushsection .text\n"
         ".globl tb_agent_calibration_call\n"
         ".type tb_agent_calibration_call, @function\n"
         "tb_agent_calibration_call:\n"
         "nop\n"
         "nop\n"
         "nop\n"
         "xor %eax, %eax\n"
         "ret\n"
         ".size tb_agent_calibration_call, . - tb_agent_calibration_call\n"
         ".popsection\n");
#else
__attribute__ ((noinline, noclone)) void
tb_agent_calibration_call (void)
{
  __asm__ volatile ("nop\nnop\nnop" ::: "memory");
}
#endif

static int
pass_byte (int from, int to)
{
  char pipes;

  return read (from, &pipes, 1) == 1 && write (to, &pipes, 1) == 1;
}

static void *
run_second (void *data)
{
  const Pipes *table = data;

  while (pass_byte (table->pipes[1][0], table->pipes[0][1]))
    ;
  return NULL;
}

/* CPU time of the whole process, which contains no time of other processes */
static uint64_t
read_cpu_time (void)
{
  struct timespec time;

  clock_gettime (CLOCK_PROCESS_CPUTIME_ID, &time);
  return (uint64_t) time.tv_sec * 1000000000u + (uint64_t) time.tv_nsec;
}

static void
run_once (const Pipes *table, TbAgentCalibrationRun what)
{
  char byte = 'o';

  for (unsigned i = 0; i < TB_AGENT_CALIBRATION_LENGTH; i++)
    if (what == TB_AGENT_CALIBRATION_CALLS)
      tb_agent_calibration_call ();
    else if (what == TB_AGENT_CALIBRATION_SYSTEM_CALLS)
      (void) syscall (SYS_getppid);
    else if (i % 2 == 0
             && (write (table->pipes[1][1], &byte, 1) != 1
                 || read (table->pipes[0][0], &byte, 1) != 1))
      _exit (1);
}

static void
find_cpus (Pipes *table)
{
  int cpu = sched_getcpu ();

  (void) sched_getaffinity (0, sizeof table->all, &table->all);
  table->one = table->all;
  if (cpu < 0 || cpu >= CPU_SETSIZE)
    return;
  CPU_ZERO (&table->one);
  CPU_SET (cpu, &table->one);
}

/* Switches need one CPU. Calls may run on any, because a real-time thread may keep one CPU busy. */
static void
move (const Pipes *table, TbAgentCalibrationRun what)
{
  (void) sched_setaffinity (0, sizeof table->all,
                            what == TB_AGENT_CALIBRATION_SWITCHES ? &table->one : &table->all);
}

static void
run_first (int fd)
{
  pthread_t second;
  Pipes table;
  char what;

  prctl (PR_SET_PDEATHSIG, SIGKILL);
  signal (SIGTERM, SIG_DFL);
  close (STDIN_FILENO);
  close (STDOUT_FILENO);
  find_cpus (&table);
  move (&table, TB_AGENT_CALIBRATION_SWITCHES);
  if (pipe (table.pipes[0]) != 0 || pipe (table.pipes[1]) != 0
      || pthread_create (&second, NULL, run_second, &table) != 0)
    _exit (1);
  run_once (&table, TB_AGENT_CALIBRATION_SWITCHES);
  while (read (fd, &what, 1) == 1)
    {
      uint64_t begin, taken;

      move (&table, (TbAgentCalibrationRun) what);
      begin = read_cpu_time ();
      run_once (&table, what);
      taken = read_cpu_time () - begin;
      if (write (fd, &taken, sizeof taken) != sizeof taken)
        break;
    }
  _exit (0);
}

int
tb_agent_calibration_start (TbAgentCalibration *self)
{
  int fds[2];

  *self = (TbAgentCalibration) { .fd = -1 };
  if (socketpair (AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, fds) != 0)
    return -1;
  self->pid = fork ();
  if (self->pid == 0)
    {
      close (fds[0]);
      run_first (fds[1]);
    }
  close (fds[1]);
  self->fd = fds[0];
  if (self->pid > 0)
    return 0;
  close (self->fd);
  *self = (TbAgentCalibration) { .fd = -1 };
  return -1;
}

void
tb_agent_calibration_end (TbAgentCalibration *self)
{
  if (self->pid <= 0)
    return;
  if (self->fd >= 0)
    close (self->fd);
  kill (self->pid, SIGKILL);
  while (waitpid (self->pid, NULL, 0) < 0 && errno == EINTR)
    ;
  *self = (TbAgentCalibration) { .fd = -1 };
}

uint64_t
tb_agent_calibration_run (TbAgentCalibration *self, TbAgentCalibrationRun run)
{
  struct pollfd polled = { .fd = self->fd, .events = POLLIN };
  char what = (char) run;
  uint64_t taken = 0;

  if (self->fd >= 0 && send (self->fd, &what, 1, MSG_NOSIGNAL) == 1
      && poll (&polled, 1, TIMEOUT_MS) == 1
      && read (self->fd, &taken, sizeof taken) == sizeof taken)
    return taken;
  /* A late answer would be read as the answer to the next run. */
  if (self->fd >= 0)
    close (self->fd);
  self->fd = -1;
  return 0;
}

static int
compare (const void *a, const void *b)
{
  const uint64_t *first = a, *second = b;

  return (*first > *second) - (*first < *second);
}

uint64_t
tb_agent_calibration_measure (TbAgentCalibration *self,
                              TbAgentCalibrationRun run,
                              unsigned ms,
                              int (*is_good) (void *data),
                              void *data)
{
  uint64_t deadline = tb_agent_now () + (uint64_t) ms * 1000000u, taken[MAX_RUNS];
  unsigned n = 0;

  for (unsigned i = 0; i < MAX_RUNS && (i == 0 || tb_agent_now () < deadline); i++)
    {
      uint64_t time = tb_agent_calibration_run (self, run);

      if (time == 0)
        return 0;
      if (is_good == NULL || is_good (data))
        taken[n++] = time;
    }
  if (n == 0)
    return 0;
  qsort (taken, n, sizeof taken[0], compare);
  return taken[n / 2] / TB_AGENT_CALIBRATION_LENGTH;
}
