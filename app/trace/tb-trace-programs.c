/* tb-trace-programs.c: programs that each process executed one after another, from its execs, with
 * times and names; look-up by thread and time; their names for display and in JSON
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#include "config.h"

#include "trace/tb-trace-programs.h"
#include "trace/tb-trace-roles.h"

/* Programs that a description names; the others are "…". */
#define PROGRAMS_NAMED 3
/* Least part of a range in which a thread was a program that is named: a child is its parent's
 * program only until it executes its own. */
#define MIN_PART 0.1

struct _TbPrograms
{
  TbTrace *trace;
  GArray *all; /* TbProgram, by process and time */
  guint n_processes;
  guint n_threads;
  guint32 *first;      /* by process: its first program; one more at the end */
  guint32 *process_of; /* by thread */
  /* by thread: the first and the last program that it executed; TB_ID_NONE: none */
  guint32 *first_executed;
  guint32 *last_executed;
  guint32 *leader; /* by process: its first thread of its PID; TB_ID_NONE: unknown */
};

/* An exec that was recorded. */
typedef struct
{
  guint32 process;
  guint32 thread;
  guint32 text;
  gint64 time;
  gsize row;
} Exec;

static int
compare_execs (gconstpointer a, gconstpointer b)
{
  const Exec *left = a, *right = b;

  if (left->process != right->process)
    return left->process < right->process ? -1 : 1;
  if (left->time != right->time)
    return left->time < right->time ? -1 : 1;
  return left->row < right->row ? -1 : left->row > right->row;
}

static GArray *
load_execs (TbPrograms *self, GError **error)
{
  static const TbProcessColumn columns[]
      = { TB_PROCESS_TIME, TB_PROCESS_KIND, TB_PROCESS_THREAD, TB_PROCESS_TEXT };
  TbTable *table = tb_session_get_table (tb_trace_get_session (self->trace), TB_TABLE_PROCESS);
  g_autoptr (GPtrArray) bytes = g_ptr_array_new_with_free_func ((GDestroyNotify) g_bytes_unref);
  g_autoptr (GArray) execs = g_array_new (FALSE, FALSE, sizeof (Exec));
  gsize n = tb_table_get_n_rows (table);
  const void *data[G_N_ELEMENTS (columns)];

  for (guint i = 0; i < G_N_ELEMENTS (columns); i++)
    {
      GBytes *column = tb_table_get_column (table, columns[i], error);

      if (column == NULL)
        return NULL;
      g_ptr_array_add (bytes, column);
      data[i] = g_bytes_get_data (column, NULL);
    }
  for (gsize i = 0; i < n; i++)
    {
      guint32 thread = ((const guint32 *) data[2])[i];
      Exec exec = { .thread = thread, .row = i };

      if (((const guint8 *) data[1])[i] != TB_PROCESS_EXEC || thread >= self->n_threads
          || self->process_of[thread] == TB_ID_NONE)
        continue;
      exec.process = self->process_of[thread];
      exec.text = ((const guint32 *) data[3])[i];
      exec.time = ((const gint64 *) data[0])[i];
      g_array_append_val (execs, exec);
    }
  g_array_sort (execs, compare_execs);
  return g_steal_pointer (&execs);
}

/* --- names --- */

/* The name that a thread had before a time; NULL: the first name that is known of it is a later
 * one. */
static const char *
find_earlier_name (TbTrace *trace, guint32 thread, gint64 before)
{
  guint n_names;
  const TbThreadName *names = tb_session_get_thread_names (tb_trace_get_session (trace), &n_names);
  guint low = 0, high = n_names;

  while (low < high)
    {
      guint middle = low + (high - low) / 2;

      if (names[middle].thread >= thread)
        high = middle;
      else
        low = middle + 1;
    }
  return low < n_names && names[low].thread == thread && names[low].time < before ? names[low].name
                                                                                  : NULL;
}

/* The name of what was executed: the last part of its path. */
static const char *
get_executed_name (TbPrograms *self, const Exec *exec)
{
  const char *path = tb_session_get_string (tb_trace_get_session (self->trace), exec->text);
  const char *slash = strrchr (path, '/');
  const char *name = slash != NULL ? slash + 1 : path;

  return *name != '\0' ? name : tb_trace_get_thread_name_at (self->trace, exec->thread, exec->time);
}

/* --- programs --- */

static void
add_program (TbPrograms *self, guint32 process, const Exec *exec, gint64 to, const char *name)
{
  TbProgram program = {
    .process = process,
    .thread = exec != NULL ? exec->thread : TB_ID_NONE,
    .from = exec != NULL ? exec->time : G_MININT64,
    .to = to,
    .name = name != NULL && *name != '\0' ? name : NULL,
  };
  guint32 index = self->all->len;

  if (exec != NULL)
    {
      if (self->first_executed[exec->thread] == TB_ID_NONE)
        self->first_executed[exec->thread] = index;
      self->last_executed[exec->thread] = index;
    }
  g_array_append_val (self->all, program);
}

/* Adds the programs of a process. The last one is named by the last name of the process, because
 * daemons set their name soon after they start; an earlier one by what was executed. What the
 * process was before its first exec was executed by its parent, or before the recording: it has the
 * name that its thread had. Of several execs at one time, the last one counts. */
static void
add_process (TbPrograms *self, const TbProcess *process, const Exec *execs, guint n)
{
  const Exec *exec = NULL;
  const char *name = NULL;

  if (n > 0 && self->leader[process->id] != TB_ID_NONE)
    name = find_earlier_name (self->trace, self->leader[process->id], execs[0].time);
  if (n > 0 && name == NULL)
    name = find_earlier_name (self->trace, execs[0].thread, execs[0].time);
  for (guint i = 0; i < n; i++)
    {
      if (i + 1 < n && execs[i + 1].time == execs[i].time)
        continue;
      add_program (self, process->id, exec, execs[i].time, name);
      exec = &execs[i];
      name = get_executed_name (self, exec);
    }
  add_program (self, process->id, exec, G_MAXINT64, process->name);
}

static void
add_processes (TbPrograms *self, const TbProcess *processes, const GArray *execs)
{
  guint next = 0;

  for (guint32 i = 0; i < self->n_processes; i++)
    {
      guint begin = next;

      while (next < execs->len && g_array_index (execs, Exec, next).process == i)
        next++;
      self->first[i] = self->all->len;
      add_process (self, &processes[i], (const Exec *) (gpointer) execs->data + begin,
                   next - begin);
    }
  self->first[self->n_processes] = self->all->len;
}

static void
index_threads (TbPrograms *self, const TbThread *threads, const TbProcess *processes)
{
  for (guint32 i = 0; i < self->n_processes; i++)
    self->leader[i] = TB_ID_NONE;
  for (guint32 i = 0; i < self->n_threads; i++)
    {
      guint32 process = threads[i].process < self->n_processes ? threads[i].process : TB_ID_NONE;

      self->process_of[i] = process;
      self->first_executed[i] = self->last_executed[i] = TB_ID_NONE;
      /* A thread that executes a program takes over the TID of the leader, which ends. */
      if (process != TB_ID_NONE && threads[i].tid == processes[process].pid
          && self->leader[process] == TB_ID_NONE)
        self->leader[process] = i;
    }
}

/**
 * tb_programs_new: (skip)
 * @trace: a trace
 * @error: return location for a [struct@GLib.Error]
 *
 * Finds the programs of all processes by the execs of the recording. A change of a thread's name is
 * no exec.
 *
 * Returns: (transfer full): the programs, or %NULL if the table of processes is damaged
 */
TbPrograms *
tb_programs_new (TbTrace *trace, GError **error)
{
  g_autoptr (TbPrograms) self = NULL;
  g_autoptr (GArray) execs = NULL;
  const TbProcess *processes;
  const TbThread *threads;
  TbSession *session;

  g_return_val_if_fail (TB_IS_TRACE (trace), NULL);
  g_return_val_if_fail (error == NULL || *error == NULL, NULL);

  session = tb_trace_get_session (trace);
  self = g_new0 (TbPrograms, 1);
  self->trace = g_object_ref (trace);
  self->all = g_array_new (FALSE, FALSE, sizeof (TbProgram));
  processes = tb_session_get_processes (session, &self->n_processes);
  threads = tb_session_get_threads (session, &self->n_threads);
  self->first = g_new (guint32, (gsize) self->n_processes + 1);
  self->process_of = g_new (guint32, MAX (self->n_threads, 1));
  self->first_executed = g_new (guint32, MAX (self->n_threads, 1));
  self->last_executed = g_new (guint32, MAX (self->n_threads, 1));
  self->leader = g_new (guint32, MAX (self->n_processes, 1));
  index_threads (self, threads, processes);
  execs = load_execs (self, error);
  if (execs == NULL)
    return NULL;
  add_processes (self, processes, execs);
  return g_steal_pointer (&self);
}

/**
 * tb_programs_free:
 * @self: programs
 *
 * Frees the programs. Their names belong to the session.
 */
void
tb_programs_free (TbPrograms *self)
{
  g_clear_object (&self->trace);
  g_clear_pointer (&self->all, g_array_unref);
  g_free (self->first);
  g_free (self->process_of);
  g_free (self->first_executed);
  g_free (self->last_executed);
  g_free (self->leader);
  g_free (self);
}

/**
 * tb_programs_get_n:
 * @self: programs
 *
 * Gets the number of programs.
 *
 * Returns: their number, at least that of processes
 */
guint
tb_programs_get_n (const TbPrograms *self)
{
  g_return_val_if_fail (self != NULL, 0);

  return self->all->len;
}

/**
 * tb_programs_get:
 * @self: programs
 * @program: index of a program
 *
 * Gets a program by its index.
 *
 * Returns: (transfer none) (nullable): the program; %NULL if the index is out of range
 */
const TbProgram *
tb_programs_get (const TbPrograms *self, guint32 program)
{
  g_return_val_if_fail (self != NULL, NULL);

  return program < self->all->len ? &g_array_index (self->all, TbProgram, program) : NULL;
}

/**
 * tb_programs_find:
 * @self: programs
 * @thread: a thread
 * @time: ns of the session clock
 *
 * Finds the program of a thread at a time.
 *
 * Returns: index of the program that the process of @thread was at @time; %TB_ID_NONE if its
 *   process is unknown
 */
guint32
tb_programs_find (const TbPrograms *self, guint32 thread, gint64 time)
{
  guint32 process, low, high;

  g_return_val_if_fail (self != NULL, TB_ID_NONE);

  process = thread < self->n_threads ? self->process_of[thread] : TB_ID_NONE;
  if (process == TB_ID_NONE)
    return TB_ID_NONE;
  low = self->first[process];
  high = self->first[process + 1];
  while (high - low > 1)
    {
      guint32 middle = low + (high - low) / 2;

      if (g_array_index (self->all, TbProgram, middle).from > time)
        high = middle;
      else
        low = middle;
    }
  return low;
}

/**
 * tb_programs_find_last:
 * @self: programs
 * @thread: a thread
 * @from: begin of the thread's life, or of a part of it, ns
 * @to: its end
 *
 * Finds the last program that a thread was. One that executed nothing ended with the program in
 * which it began, though its exit may be recorded after the exec that ended it.
 *
 * Returns: index of the program; %TB_ID_NONE if the process of @thread is unknown
 */
guint32
tb_programs_find_last (const TbPrograms *self, guint32 thread, gint64 from, gint64 to)
{
  guint n;

  g_return_val_if_fail (self != NULL, TB_ID_NONE);

  tb_programs_list (self, thread, &n);
  return tb_programs_find (self, thread, n > 0 ? MAX (to - 1, from) : from);
}

/**
 * tb_programs_list:
 * @self: programs
 * @thread: a thread
 * @n: (out): number of programs, at least 2; 0 if the thread executed none
 *
 * Lists what a thread was over time: the programs that it executed, and the one from which it
 * executed the first. An exec ends the other threads of its process, which stay what they were.
 *
 * Returns: index of the first program; the others follow it
 */
guint32
tb_programs_list (const TbPrograms *self, guint32 thread, guint *n)
{
  g_return_val_if_fail (self != NULL, TB_ID_NONE);
  g_return_val_if_fail (n != NULL, TB_ID_NONE);

  *n = 0;
  if (thread >= self->n_threads || self->first_executed[thread] == TB_ID_NONE)
    return TB_ID_NONE;
  /* No process begins with an executed program. */
  *n = self->last_executed[thread] - self->first_executed[thread] + 2;
  return self->first_executed[thread] - 1;
}

/**
 * tb_programs_is_unexecuted_command:
 * @self: programs
 * @program: index of a program
 *
 * Checks if a program is what the recorded command was before it executed its own program: a copy
 * of the recorder, which belongs to it. A process that was not started for the recording is what it
 * is from the start.
 *
 * Returns: whether it is part of the recorder
 */
gboolean
tb_programs_is_unexecuted_command (const TbPrograms *self, guint32 program)
{
  const TbProgram *of, *next;

  g_return_val_if_fail (self != NULL, FALSE);

  of = tb_programs_get (self, program);
  next = tb_programs_get (self, program + 1);
  return of != NULL && of->thread == TB_ID_NONE && next != NULL && next->process == of->process
         && of->process == tb_trace_get_command_process (self->trace) && of->name != NULL
         && g_str_has_prefix (of->name, "tailback");
}

/* --- descriptions --- */

/**
 * tb_programs_get_thread_name:
 * @self: programs
 * @thread: a thread
 * @program: one of its programs, but not the last one
 * @from: when the thread began to be that program, ns
 *
 * Gets the name of a thread while it was a program that it replaced later: that of the program, or
 * its own before its first exec. The name of a thread may change shortly before its exec is
 * recorded.
 *
 * Returns: (transfer none): the name, "" if it is unknown
 */
const char *
tb_programs_get_thread_name (const TbPrograms *self,
                             guint32 thread,
                             const TbProgram *program,
                             gint64 from)
{
  g_return_val_if_fail (self != NULL, "");
  g_return_val_if_fail (program != NULL, "");

  if (program->name == NULL)
    return "";
  return program->thread == TB_ID_NONE ? tb_trace_get_thread_name_at (self->trace, thread, from)
                                       : program->name;
}

/* Whether a thread was the program for more than the beginning of a range. */
static gboolean
is_described (const TbProgram *program, gint64 from, gint64 to)
{
  return program->name != NULL && program->from < to && program->to > from
         && (double) (MIN (program->to, to) - MAX (program->from, from))
                >= MIN_PART * (double) (to - from);
}

/**
 * tb_programs_describe:
 * @self: programs
 * @thread: a thread
 * @from: begin of a range, such as the thread's life, ns
 * @to: its end
 *
 * Names what a thread was in a range: "auth → authhelper → checkpassword-reply". What it was for
 * less than a tenth of the range is left out. Further programs are "…". A program that executed
 * itself is named once.
 *
 * Returns: (transfer full) (nullable): the names; %NULL if the thread's own name is the only one
 */
char *
tb_programs_describe (const TbPrograms *self, guint32 thread, gint64 from, gint64 to)
{
  g_autoptr (GString) names = g_string_new (NULL);
  const char *previous = NULL;
  guint n, n_named = 0, n_threads;
  guint32 first = tb_programs_list (self, thread, &n);

  for (guint i = 0; i < n && n_named <= PROGRAMS_NAMED; i++)
    {
      const TbProgram *program = &g_array_index (self->all, TbProgram, first + i);

      if (!is_described (program, from, to) || g_strcmp0 (program->name, previous) == 0)
        continue;
      previous = program->name;
      if (n_named > 0)
        g_string_append (names, " → ");
      g_string_append (names, n_named < PROGRAMS_NAMED ? previous : "…");
      n_named++;
    }
  if (n_named == 0
      || (n_named == 1
          && g_str_equal (names->str, tb_session_get_threads (tb_trace_get_session (self->trace),
                                                              &n_threads)[thread]
                                          .name)))
    return NULL;
  return g_string_free (g_steal_pointer (&names), FALSE);
}

/**
 * tb_programs_describe_thread:
 * @self: programs
 * @thread: a thread
 * @from: begin of a range, ns
 * @to: its end
 *
 * Names a thread for display, with all programs that it was in a range: "auth → authhelper (812)".
 *
 * Returns: (transfer full): the names and its TID
 */
char *
tb_programs_describe_thread (const TbPrograms *self, guint32 thread, gint64 from, gint64 to)
{
  g_autofree char *names = NULL;
  guint n_threads;

  g_return_val_if_fail (self != NULL, NULL);

  names = tb_programs_describe (self, thread, from, to);
  if (names == NULL)
    return tb_trace_describe_thread (self->trace, thread);
  return g_strdup_printf (
      "%s (%d)", names,
      tb_session_get_threads (tb_trace_get_session (self->trace), &n_threads)[thread].tid);
}

static void
add_program_json (const TbProgram *program, gint64 from, gint64 to, JsonBuilder *builder)
{
  json_builder_begin_object (builder);
  json_builder_set_member_name (builder, "name");
  if (program->name != NULL)
    json_builder_add_string_value (builder, program->name);
  else
    json_builder_add_null_value (builder);
  json_builder_set_member_name (builder, "start_ns");
  json_builder_add_int_value (builder, MAX (program->from, from));
  json_builder_set_member_name (builder, "end_ns");
  json_builder_add_int_value (builder, MIN (program->to, to));
  json_builder_end_object (builder);
}

/**
 * tb_programs_add_json:
 * @self: programs
 * @thread: a thread
 * @from: begin of its life in the range of a report, ns
 * @to: its end
 * @builder: builder, at the place of a value
 *
 * Adds the array “programs” of a thread: name, begin and end of each program that it was.
 */
void
tb_programs_add_json (const TbPrograms *self,
                      guint32 thread,
                      gint64 from,
                      gint64 to,
                      JsonBuilder *builder)
{
  guint32 first;
  guint n;

  g_return_if_fail (self != NULL);
  g_return_if_fail (JSON_IS_BUILDER (builder));

  first = tb_programs_list (self, thread, &n);
  json_builder_begin_array (builder);
  for (guint i = 0; i < n; i++)
    {
      const TbProgram *program = &g_array_index (self->all, TbProgram, first + i);

      if (program->from < to && program->to > from)
        add_program_json (program, from, to, builder);
    }
  if (n == 0)
    {
      const TbProgram *program = tb_programs_get (self, tb_programs_find (self, thread, from));

      if (program != NULL)
        add_program_json (&(TbProgram) { .name = program->name, .from = from, .to = to }, from, to,
                          builder);
    }
  json_builder_end_array (builder);
}
