/* tb-threads-programs.c: names and descriptions of threads that executed several programs one after
 * another; the row of the summary for the program at a time; JSON list of a thread's programs
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#include "config.h"

#include <glib/gi18n.h>

#include "tb-threads-programs.h"

/* The program of a row; NULL: its process is unknown, or is the last program that it was, which has
 * the last name in the range. A thread that executed nothing ended with the program in which it
 * began. */
static const TbProgram *
find_earlier_program (TbThreadsSummary *self, const TbThreadSummary *row)
{
  guint32 program = row->program;
  const TbProgram *of;

  if (program == TB_ID_NONE)
    program = tb_programs_find_last (self->programs, row->thread, row->first, row->last);
  of = tb_programs_get (self->programs, program);
  return of != NULL && of->to != G_MAXINT64 ? of : NULL;
}

const char *
tb_threads_get_process_name (TbThreadsSummary *self, const TbThreadSummary *row)
{
  const TbProgram *program = find_earlier_program (self, row);
  guint n_threads;
  const TbThread *threads = tb_session_get_threads (tb_trace_get_session (self->trace), &n_threads);

  if (program == NULL)
    return tb_threads_summary_get_process_name (self, threads[row->thread].process);
  return program->name != NULL ? program->name : "";
}

const char *
tb_threads_get_name (TbThreadsSummary *self, const TbThreadSummary *row)
{
  const TbProgram *program = find_earlier_program (self, row);
  guint n;

  tb_programs_list (self->programs, row->thread, &n);
  if (program == NULL || n == 0)
    return tb_threads_summary_get_thread_name (self, row->thread);
  return tb_programs_get_thread_name (self->programs, row->thread, program, row->first);
}

const char *
tb_threads_get_shown_process_name (TbThreadsSummary *self, const TbThreadSummary *row)
{
  const char *name = tb_threads_get_process_name (self, row);
  TbSession *session = tb_trace_get_session (self->trace);
  guint n_threads;

  return name[0] != '\0'
             ? name
             : tb_session_get_shown_process_name (
                   session, tb_session_get_threads (session, &n_threads)[row->thread].process);
}

const char *
tb_threads_get_shown_name (TbThreadsSummary *self, const TbThreadSummary *row)
{
  const char *name = tb_threads_get_name (self, row);

  return name[0] != '\0'
             ? name
             : tb_session_get_shown_thread_name (tb_trace_get_session (self->trace), row->thread);
}

char *
tb_threads_describe (TbThreadsSummary *self, const TbThreadSummary *row)
{
  const char *name = tb_threads_get_name (self, row);
  guint n_threads;
  const TbThread *threads = tb_session_get_threads (tb_trace_get_session (self->trace), &n_threads);

  if (name[0] == '\0')
    return g_strdup (tb_threads_get_shown_name (self, row));
  return g_strdup_printf ("%s (%d)", name, threads[row->thread].tid);
}

char *
tb_threads_describe_thread (TbThreadsSummary *self, guint32 thread)
{
  return tb_programs_describe_thread (self->programs, thread, self->from, self->to);
}

char *
tb_threads_describe_waker (TbThreadsSummary *self, const TbWaker *waker)
{
  return waker->kind == TB_CAUSE_THREAD
             ? tb_threads_describe_thread (self, waker->cause)
             : tb_trace_describe_cause (self->trace, waker->kind, waker->cause);
}

TbThreadSummary *
tb_threads_find_row (const TbThreadSummary *thread, gint64 time)
{
  guint low = 0, high;

  if (thread->parts == NULL)
    return (TbThreadSummary *) thread;
  high = thread->parts->len;
  while (high - low > 1)
    {
      guint middle = low + (high - low) / 2;
      const TbThreadSummary *part = g_ptr_array_index (thread->parts, middle);

      if (part->begin > time)
        high = middle;
      else
        low = middle;
    }
  return g_ptr_array_index (thread->parts, low);
}

/* --- JSON --- */

static void
add_time (JsonBuilder *builder, const char *name, gint64 ns, gboolean is_known)
{
  json_builder_set_member_name (builder, name);
  if (is_known)
    json_builder_add_int_value (builder, ns);
  else
    json_builder_add_null_value (builder);
}

static void
add_part (TbThreadsSummary *self, const TbThreadSummary *row, JsonBuilder *builder)
{
  const char *name = tb_threads_get_name (self, row);
  gboolean has_ends = row->is_known && tb_threads_summary_has_wait_ends (self);

  json_builder_begin_object (builder);
  json_builder_set_member_name (builder, "name");
  if (name[0] != '\0')
    json_builder_add_string_value (builder, name);
  else
    json_builder_add_null_value (builder);
  add_time (builder, "start_ns", row->first, TRUE);
  add_time (builder, "end_ns", row->last, TRUE);
  add_time (builder, "running_ns", row->ns[TB_STATE_RUNNING], row->is_known);
  add_time (builder, "runnable_ns", row->ns[TB_STATE_RUNNABLE], has_ends);
  add_time (builder, "waiting_ns", tb_thread_summary_get_waiting (row), has_ends);
  add_time (builder, "unknown_ns", row->ns[TB_STATE_UNKNOWN], TRUE);
  add_time (builder, "samples", row->n_samples, TRUE);
  json_builder_end_object (builder);
}

void
tb_threads_add_programs_json (TbThreadsSummary *self,
                              const TbThreadSummary *thread,
                              JsonBuilder *builder)
{
  json_builder_set_member_name (builder, "programs");
  json_builder_begin_array (builder);
  for (guint i = 0; thread->parts != NULL && i < thread->parts->len; i++)
    add_part (self, g_ptr_array_index (thread->parts, i), builder);
  if (thread->parts == NULL)
    add_part (self, thread, builder);
  json_builder_end_array (builder);
}
