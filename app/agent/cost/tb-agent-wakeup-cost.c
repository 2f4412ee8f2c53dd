/* tb-agent-wakeup-cost.c: time that a thread takes to wake another one, measured in a process of
 * its own, by how long the CPU of the woken thread has been idle, or on a busy CPU
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 *
 * A CPU that became idle recently polls for work, and a write to memory wakes it. A CPU that has
 * been idle for longer sleeps and needs an interrupt, which on a virtual machine leaves to the
 * host.
 */

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <pthread.h>
#include <sched.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "agent/core/tb-agent-output.h"
#include "agent/cost/tb-agent-wakeup-cost.h"

#define N_WAKEUPS 15u
/* For wake-ups that take milliseconds */
#define N_SLOW_WAKEUPS 7u
#define SLOW_WAKEUP_NS 1000000u
/* Wake-ups before the measured ones, to fill the caches */
#define N_WARMUP_WAKEUPS 3u

/* If the machine is too busy to finish in this time, nothing is measured. */
#define TIMEOUT_NS 600000000u

typedef struct
{
  uint64_t waking[TB_CAPTURE_N_IDLES];
  uint64_t queueing;
  uint64_t preempting;
} Found;

typedef struct
{
  int calls[2]; /* a pipe */
  pthread_t sleeper;
  atomic_uint n_taken;
  uint64_t deadline;
} Measurement;

/* The other thread of a busy CPU yields it at this interval. */
#define TURN_NS 20000u
/* Sleep time of the sleeper on a busy CPU */
#define BUSY_SLEEP_NS 100000u

static const uint64_t idles[TB_CAPTURE_N_IDLES] = TB_CAPTURE_IDLES_NS;

static void *
take_wakeups (void *data)
{
  Measurement *measurement = data;
  char call;

  while (read (measurement->calls[0], &call, 1) == 1)
    {
      atomic_fetch_add (&measurement->n_taken, 1);
    }
  return NULL;
}

static void *
be_busy (void *data)
{
  uint64_t since = tb_agent_now ();

  for (;;)
    if (tb_agent_now () - since > TURN_NS)
      {
        sched_yield ();
        since = tb_agent_now ();
      }
  return data;
}

/* Waits until the sleeper has taken n_taken wake-ups and slept for the idle time; -1 on timeout. */
static int
wait_for_sleeper (Measurement *measurement, unsigned n_taken, uint64_t idle)
{
  uint64_t now = tb_agent_now (), since;

  for (; atomic_load (&measurement->n_taken) != n_taken; now = tb_agent_now ())
    {
      if (now > measurement->deadline)
        return -1;
      if (idle == 0)
        sched_yield ();
    }
  if (idle == 0)
    sched_yield (); /* it goes to sleep */
  for (since = now; now - since < idle; now = tb_agent_now ())
    if (now > measurement->deadline)
      return -1;
  return 0;
}

static int
compare (const void *a, const void *b)
{
  const uint64_t *first = a, *second = b;

  return (*first > *second) - (*first < *second);
}

static uint64_t
get_median (uint64_t *values, unsigned n)
{
  qsort (values, n, sizeof *values, compare);
  return values[n / 2];
}

static int
wake_repeatedly (Measurement *measurement, uint64_t idle, uint64_t *waking)
{
  unsigned n = N_WARMUP_WAKEUPS + (idle > SLOW_WAKEUP_NS ? N_SLOW_WAKEUPS : N_WAKEUPS),
           first = atomic_load (&measurement->n_taken);
  uint64_t wakings[N_WARMUP_WAKEUPS + N_WAKEUPS];

  if (wait_for_sleeper (measurement, first, idle) != 0)
    return -1;
  for (unsigned i = 0; i < n; i++)
    {
      uint64_t begin = tb_agent_now ();

      if (write (measurement->calls[1], "c", 1) != 1)
        return -1;
      wakings[i] = tb_agent_now () - begin;
      if (wait_for_sleeper (measurement, first + i + 1, idle) != 0)
        return -1;
    }
  *waking = get_median (wakings + N_WARMUP_WAKEUPS, n - N_WARMUP_WAKEUPS);
  return 0;
}

static void
set_cpu (pthread_t thread, int cpu)
{
  cpu_set_t only;

  CPU_ZERO (&only);
  CPU_SET (cpu, &only);
  (void) pthread_setaffinity_np (thread, sizeof only, &only);
}

/* A usable CPU other than but; -1: none */
static int
find_cpu (int excluded_cpu)
{
  cpu_set_t usable;

  if (sched_getaffinity (0, sizeof usable, &usable) == 0)
    for (int i = 0; i < CPU_SETSIZE; i++)
      if (i != excluded_cpu && CPU_ISSET (i, &usable))
        return i;
  return -1;
}

/* A thread with the batch policy does not preempt the running thread when it is woken. */
static int
set_policy (Measurement *measurement, int policy)
{
  static const struct sched_param none = { 0 };

  return pthread_setschedparam (measurement->sleeper, policy, &none) == 0 ? 0 : -1;
}

static int
begin_measurement (Measurement *measurement)
{
  return pipe (measurement->calls) == 0
                 && pthread_create (&measurement->sleeper, NULL, take_wakeups, measurement) == 0
             ? set_policy (measurement, SCHED_BATCH)
             : -1;
}

static int
wake_on_busy_cpu (Measurement *measurement, int cpu, Found *found)
{
  pthread_t busy;

  if (pthread_create (&busy, NULL, be_busy, NULL) != 0)
    return -1;
  set_cpu (busy, cpu);
  return wake_repeatedly (measurement, BUSY_SLEEP_NS, &found->queueing) == 0
                 && set_policy (measurement, SCHED_OTHER) == 0
             ? wake_repeatedly (measurement, BUSY_SLEEP_NS, &found->preempting)
             : -1;
}

static void
run_measurement (int result)
{
  int own = sched_getcpu (), other = find_cpu (own);
  Measurement measurement = { .deadline = tb_agent_now () + TIMEOUT_NS };
  Found found;

  prctl (PR_SET_PDEATHSIG, SIGKILL);
  signal (SIGTERM, SIG_DFL);
  if (own < 0 || own >= CPU_SETSIZE || other < 0 || begin_measurement (&measurement) != 0)
    _exit (1);
  set_cpu (pthread_self (), own);
  for (unsigned i = 0; i < TB_CAPTURE_N_IDLES; i++)
    {
      set_cpu (measurement.sleeper, idles[i] == 0 ? own : other);
      if (wake_repeatedly (&measurement, idles[i], &found.waking[i]) != 0)
        _exit (1);
    }
  if (wake_on_busy_cpu (&measurement, other, &found) != 0)
    _exit (1);
  _exit (write (result, &found, sizeof found) == sizeof found ? 0 : 1);
}

void
tb_agent_wakeup_cost_measure (TbCaptureCost *cost)
{
  struct pollfd polled = { .events = POLLIN };
  int result[2];
  Found found;
  pid_t pid;

  if (pipe2 (result, O_CLOEXEC) != 0)
    return;
  pid = fork ();
  if (pid == 0)
    run_measurement (result[1]);
  close (result[1]);
  polled.fd = result[0];
  if (pid > 0 && poll (&polled, 1, 2 * (TIMEOUT_NS / 1000000)) == 1
      && read (result[0], &found, sizeof found) == sizeof found)
    {
      memcpy (cost->waking, found.waking, sizeof found.waking);
      cost->queueing = found.queueing;
      cost->preempting = found.preempting;
    }
  close (result[0]);
  if (pid <= 0)
    return;
  kill (pid, SIGKILL);
  while (waitpid (pid, NULL, 0) < 0 && errno == EINTR)
    ;
}
