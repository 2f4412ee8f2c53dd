/* tb-trace-roles.c: roles of threads in a recording: recorded command, threads that worked for it,
 * recorder
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#include "config.h"

#include "trace/tb-thread-traits-private.h"
#include "trace/tb-trace-private.h"
#include "trace/tb-trace-roles-private.h"

/* A thread has worked for a wait if it slept no earlier than this before the wait. */
#define GRACE_NS G_GINT64_CONSTANT (100000)
/* Helpers ended waits for at least this part of the recorded time. */
#define HELPER_PART 1000

/* --- processes --- */

typedef struct
{
  const TbProcess *processes;
  const TbThread *threads;
  guint n_processes;
  guint n_threads;
} Tasks;

static gboolean
read_pid (TbSession *session, const char *fact, gint64 *pid)
{
  const char *text = tb_session_get_fact (session, fact);
  guint64 number;

  if (text == NULL || !g_ascii_string_to_unsigned (text, 10, 1, G_MAXINT32, &number, NULL))
    return FALSE;
  *pid = (gint64) number;
  return TRUE;
}

/* The process that was started to be recorded, or to which the recording is restricted. It existed
 * from the start: a later process with the same PID is another one. */
static guint32
find_command (TbSession *session, const Tasks *tasks)
{
  gint64 pid;

  if (!read_pid (session, TB_FACT_COMMAND_PID, &pid)
      && !read_pid (session, TB_FACT_TARGET_PID, &pid))
    return TB_ID_NONE;
  for (guint32 i = 0; i < tasks->n_processes; i++)
    if (tasks->processes[i].host == 0 && tasks->processes[i].pid == pid)
      return i;
  return TB_ID_NONE;
}

/* Sets the role of each process whose nearest ancestor with a role has one, unless it has one. The
 * parents come from a file: cycles end where a process is visited again. */
static void
inherit_roles (const Tasks *tasks, guint8 *roles)
{
  enum
  {
    UNKNOWN,
    SOUGHT,
    FOUND,
  };
  g_autofree guint8 *places = g_new0 (guint8, tasks->n_processes + 1);

  for (guint32 process = 0; process < tasks->n_processes; process++)
    {
      guint32 i = process;
      guint8 role;

      for (; i < tasks->n_processes && places[i] == UNKNOWN && roles[i] == 0;
           i = tasks->processes[i].parent)
        places[i] = SOUGHT;
      role = i < tasks->n_processes ? roles[i] : 0;
      for (i = process; i < tasks->n_processes && places[i] == SOUGHT;
           i = tasks->processes[i].parent)
        {
          roles[i] = role;
          places[i] = FOUND;
        }
    }
}

/* Whether a program recorded, by its name. Other tracing programs may run at the same time, or are
 * what is recorded. */
static gboolean
is_recorder (const char *collector, const char *name)
{
  if (collector == NULL)
    return TRUE;
  if (g_str_equal (collector, "ebpf") || g_str_equal (collector, "latency"))
    return g_str_equal (name, "tailback-agent");
  if (g_str_has_prefix (collector, "perf"))
    return g_str_equal (name, "perf");
  return TRUE;
}

static void
find_agents (TbTrace *self, const Tasks *tasks, guint8 *roles)
{
  const char *collector = tb_session_get_fact (self->session, "collector");

  for (guint32 i = TB_THREAD_IDLE + 1; i < tasks->n_threads; i++)
    {
      guint32 process = tasks->threads[i].process;

      if (process < tasks->n_processes && (self->thread_traits[i] & TB_THREAD_TRACER) != 0
          && is_recorder (collector, tasks->processes[process].name))
        roles[process] = TB_THREAD_ROLE_RECORDER;
    }
}

/* The program that started the agent is part of the recorder. What else it started, such as the
 * command, is not. In a PID namespace its number may be that of another process here. */
static void
find_starter (TbTrace *self, const Tasks *tasks, guint8 *roles)
{
  gint64 pid;

  if (!read_pid (self->session, TB_FACT_RECORDER_PID, &pid))
    return;
  for (guint32 i = 0; i < tasks->n_processes; i++)
    if (tasks->processes[i].host == 0 && tasks->processes[i].pid == pid && roles[i] == 0
        && g_str_has_prefix (tasks->processes[i].name, "tailback"))
      roles[i] = TB_THREAD_ROLE_RECORDER;
}

/* --- threads that worked for the command --- */

typedef struct
{
  TbTrace *trace;
  const TbIntervals *rows;
  guint8 *is_visited; /* by row */
  gint64 *awaited;    /* by thread: length of the waits that it ended */
  GArray *waits;      /* of gsize: rows of waits to follow */
} Walk;

/* Visits the rows of a thread backwards from the end of a wait, and collects the waits in which it
 * worked for that wait. The sleep from which the request woke it began earlier. */
static void
visit_waker (Walk *self, guint32 thread, gint64 from, gint64 to)
{
  const TbIntervals *rows = self->rows;
  gssize at = tb_trace_find_interval (self->trace, thread, to - 1);
  gssize first = (gssize) self->trace->first[thread];

  for (gssize i = at; i >= first && rows->end[i] > from - GRACE_NS && !self->is_visited[i]; i--)
    {
      gsize row = (gsize) i;

      if (rows->state[i] >= TB_STATE_INTERRUPTIBLE && rows->start[i] < from - GRACE_NS)
        break;
      self->is_visited[i] = TRUE;
      if (rows->state[i] >= TB_STATE_INTERRUPTIBLE)
        g_array_append_val (self->waits, row);
    }
}

static void
follow_wait (Walk *self, gsize row)
{
  const TbIntervals *rows = self->rows;
  guint32 waker = rows->cause[row];

  if ((rows->cause_kind[row] != TB_CAUSE_THREAD && rows->cause_kind[row] != TB_CAUSE_SIGNAL)
      || waker == TB_THREAD_IDLE || waker >= self->trace->n_threads
      || (self->trace->roles[waker] & (TB_THREAD_ROLE_COMMAND | TB_THREAD_ROLE_RECORDER)) != 0)
    return;
  self->awaited[waker] += rows->end[row] - rows->start[row];
  visit_waker (self, waker, rows->start[row], rows->end[row]);
}

static void
find_helpers (TbTrace *self)
{
  Walk walk = { .trace = self, .rows = &self->intervals };
  g_autofree guint8 *is_visited = g_new0 (guint8, MAX (self->intervals.n, 1));
  g_autofree gint64 *awaited = g_new0 (gint64, MAX (self->n_threads, 1));
  g_autoptr (GArray) waits = g_array_new (FALSE, FALSE, sizeof (gsize));
  gint64 least = MAX ((self->to - self->from) / HELPER_PART, 1);

  walk.is_visited = is_visited;
  walk.awaited = awaited;
  walk.waits = waits;
  for (guint32 thread = TB_THREAD_IDLE + 1; thread < self->n_threads; thread++)
    for (gsize i = self->first[thread];
         i < self->first[thread + 1] && (self->roles[thread] & TB_THREAD_ROLE_COMMAND) != 0; i++)
      if (self->intervals.state[i] >= TB_STATE_INTERRUPTIBLE)
        follow_wait (&walk, i);
  while (waits->len > 0)
    {
      gsize row = g_array_index (waits, gsize, waits->len - 1);

      g_array_set_size (waits, waits->len - 1);
      follow_wait (&walk, row);
    }
  for (guint32 thread = TB_THREAD_IDLE + 1; thread < self->n_threads; thread++)
    if (awaited[thread] >= least)
      self->roles[thread] |= TB_THREAD_ROLE_HELPER;
}

void
tb_trace_find_roles (TbTrace *self)
{
  Tasks tasks;
  g_autofree guint8 *roles = NULL;

  tasks.processes = tb_session_get_processes (self->session, &tasks.n_processes);
  tasks.threads = tb_session_get_threads (self->session, &tasks.n_threads);
  roles = g_new0 (guint8, tasks.n_processes + 1);
  self->roles = g_new0 (guint8, MAX (self->n_threads, 1));
  self->command_process = find_command (self->session, &tasks);
  find_agents (self, &tasks, roles);
  if (self->command_process != TB_ID_NONE)
    roles[self->command_process] = TB_THREAD_ROLE_COMMAND;
  inherit_roles (&tasks, roles);
  find_starter (self, &tasks, roles);
  for (guint32 i = TB_THREAD_IDLE + 1; i < MIN (tasks.n_threads, self->n_threads); i++)
    if (tasks.threads[i].process < tasks.n_processes)
      self->roles[i] = roles[tasks.threads[i].process];
  if (self->command_process != TB_ID_NONE)
    find_helpers (self);
}

/**
 * tb_trace_get_thread_roles:
 * @self: a trace
 * @thread: a thread
 *
 * Gets what a thread is in the recording.
 *
 * Returns: what the thread is in the recording; 0: neither of the recorded command, nor did it work
 *   for that, nor did it record
 */
TbThreadRoles
tb_trace_get_thread_roles (TbTrace *self, guint32 thread)
{
  g_return_val_if_fail (TB_IS_TRACE (self), 0);

  return thread < self->n_threads ? self->roles[thread] : 0;
}

/**
 * tb_trace_get_command_process:
 * @self: a trace
 *
 * Gets the process that the recording is about.
 *
 * Returns: the process that was started to be recorded, or to which the recording was restricted;
 *   %TB_ID_NONE if there is none
 */
guint32
tb_trace_get_command_process (TbTrace *self)
{
  g_return_val_if_fail (TB_IS_TRACE (self), TB_ID_NONE);

  return self->command_process;
}
