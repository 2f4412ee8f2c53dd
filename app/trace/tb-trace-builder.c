/* tb-trace-builder.c: computation of the state intervals of all threads: one pass over all events
 * by time, passed on to other files except exits, execs, marks and first runs of CPUs; then sorting
 * (tb-trace-rows), waits (tb-trace-waits), counts of gaps
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#include "config.h"

#include <gio/gio.h>
#include <glib/gi18n-lib.h>
#include <string.h>

#include "trace/tb-trace-builder-private.h"
#include "trace/tb-trace-cancel-private.h"
#include "trace/tb-trace-state-private.h"
#include "trace/tb-trace-streams-private.h"
#include "trace/tb-trace-waits-private.h"

/* Number of events between two checks of the cancellable. */
#define STRIDE 65536

typedef struct
{
  TbTraceState state;
  TbStreams streams;
  guint n_cpus;
  gint64 *spin_begin; /* by thread; NULL until a thread spins */
  GArray *spins;
} Builder;

static void
builder_clear (Builder *self)
{
  tb_streams_clear (&self->streams);
  g_free (self->state.threads);
  g_free (self->state.is_switched);
  tb_rows_clear (&self->state.rows);
  tb_causes_clear (&self->state.causes);
  tb_gaps_clear (&self->state.gaps);
  g_free (self->spin_begin);
  g_clear_pointer (&self->spins, g_array_unref);
}

G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC (Builder, builder_clear)

static void
handle_process (TbTraceState *self, guint32 i, gint64 time)
{
  const TbProcessColumns *processes = &self->input->processes;
  guint32 thread = processes->thread[i];

  if (!tb_trace_state_is_alive (self, thread, time))
    return;
  switch (processes->kind[i])
    {
    case TB_PROCESS_EXIT:
      tb_trace_state_exit_thread (self, thread, time);
      break;
    case TB_PROCESS_EXEC:
      /* The run ends at the exec; the new program's run begins. */
      tb_trace_state_cut_at_losses (self, thread, time);
      if (self->threads[thread].state == TB_STATE_RUNNING)
        tb_trace_state_emit (self, thread, time, TB_STATE_RUNNING, 0);
      break;
    default:
      break;
    }
}

static void
end_spin (Builder *self, guint32 thread, guint32 other, gint64 time)
{
  TbTraceState *state = &self->state;
  TbSpin spin = { thread, other, -1, time };
  gint64 lost;

  if (self->spin_begin != NULL && thread < state->input->n_threads)
    {
      spin.from = self->spin_begin[thread];
      self->spin_begin[thread] = -1;
    }
  lost = spin.from >= 0 ? tb_gaps_find_any (&state->gaps, spin.from, time) : -1;
  if (spin.from < 0 || lost >= 0)
    {
      state->counts.unmatched_marks++;
      return;
    }
  if (spin.other >= state->input->n_threads || spin.other == TB_THREAD_IDLE || spin.other == thread)
    spin.other = TB_ID_NONE;
  if (time > spin.from)
    g_array_append_val (self->spins, spin);
}

static void
handle_mark (Builder *self, const TbMarkColumns *marks, guint32 i, gint64 time)
{
  TbTraceState *state = &self->state;
  guint32 thread = marks->thread[i];

  if (!tb_trace_state_is_alive (state, thread, time))
    return;
  switch (marks->kind[i])
    {
    case TB_MARK_SPIN_BEGIN:
      if (self->spin_begin == NULL)
        {
          self->spin_begin = g_new (gint64, state->input->n_threads);
          memset (self->spin_begin, 0xff, sizeof (gint64) * state->input->n_threads);
        }
      if (self->spin_begin[thread] < 0)
        self->spin_begin[thread] = time;
      else
        state->counts.unmatched_marks++;
      break;
    case TB_MARK_SPIN_END:
      end_spin (self, thread, marks->other[i], time);
      break;
    case TB_MARK_FALSE_WAKEUP:
      tb_trace_state_cut_at_losses (state, thread, time);
      if (state->threads[thread].sleep_row != TB_ID_NONE
          && state->threads[thread].state == TB_STATE_RUNNING)
        state->threads[thread].declared_false = TRUE;
      else
        state->counts.unmatched_marks++;
      break;
    default:
      break;
    }
}

static void
handle_inferred_run (TbTraceState *self, const TbInferredRun *run, gint64 time)
{
  TbCpu *cpu = tb_causes_get_cpu (&self->causes, run->cpu);

  if (!tb_trace_state_is_alive (self, run->thread, time))
    return;
  if (!run->first)
    tb_trace_state_handle_inferred_run (self, run->thread, run->cpu,
                                        MAX (run->since, self->input->from), time);
  else if (self->threads[run->thread].state == TB_STATE_UNKNOWN
           && (self->input->has_thread_switches || cpu == NULL || !cpu->seen_switch))
    {
      tb_trace_state_cut_at_losses (self, run->thread, time);
      tb_trace_state_emit (self, run->thread, time, TB_STATE_UNKNOWN, 0);
      tb_trace_state_enter (self, run->thread, time, TB_STATE_RUNNING, 0);
      self->threads[run->thread].cpu = run->cpu;
      if (cpu != NULL)
        cpu->current = run->thread;
    }
}

static void
handle_event (Builder *self, TbStreamKind kind, guint32 row, gint64 time)
{
  TbTraceState *state = &self->state;

  switch (kind)
    {
    case TB_STREAM_PROCESS:
      handle_process (state, row, time);
      break;
    case TB_STREAM_INTERRUPT_ENTER:
      tb_causes_enter_interrupt (&state->causes, row);
      break;
    case TB_STREAM_ISSUE:
      tb_causes_issue (&state->causes, row);
      break;
    case TB_STREAM_COMPLETE:
      tb_causes_complete (&state->causes, row);
      break;
    case TB_STREAM_NETWORK:
      tb_causes_network (&state->causes, row);
      break;
    case TB_STREAM_MARK:
      handle_mark (self, &state->input->marks, row, time);
      break;
    case TB_STREAM_ADDED:
      handle_mark (self, &state->input->added, row, time);
      break;
    case TB_STREAM_INFERRED_RUN:
      handle_inferred_run (state, &self->streams.inferred_runs.of[row], time);
      break;
    case TB_STREAM_WAKEUP:
      tb_trace_state_handle_wakeup (state, row, time);
      break;
    case TB_STREAM_INTERRUPT_EXIT:
      tb_causes_exit_interrupt (&state->causes, row);
      break;
    case TB_STREAM_SWITCH:
      tb_trace_state_handle_switch (state, row, time);
      break;
    case TB_N_STREAMS:
    default:
      g_assert_not_reached ();
    }
}

static gboolean
run_pass (Builder *self,
          TbProgressFunc progress,
          gpointer data,
          GCancellable *cancellable,
          GError **error)
{
  const TbTraceInput *input = self->state.input;
  gsize total = tb_streams_get_length (&self->streams);
  TbStreamKind kind;
  guint32 row;
  gint64 time;

  for (gsize done = 0; tb_streams_next (&self->streams, &kind, &row, &time); done++)
    {
      handle_event (self, kind, row, CLAMP (time, input->from, input->to));
      if (done % STRIDE != 0)
        continue;
      if (g_cancellable_set_error_if_cancelled (cancellable, error))
        return FALSE;
      if (progress != NULL)
        progress (0.8 * done / total, _ ("Computing thread states"), data);
    }
  return TRUE;
}

static void
finish_threads (Builder *self)
{
  TbTraceState *state = &self->state;
  gint64 end = state->input->to;

  for (guint32 thread = 1; thread < state->input->n_threads; thread++)
    {
      if (!tb_trace_state_is_alive (state, thread, end))
        continue;
      tb_trace_state_cut_at_losses (state, thread, end);
      /* Its last switch was lost. */
      if (state->threads[thread].is_exiting && state->threads[thread].state == TB_STATE_UNKNOWN)
        continue;
      if (state->threads[thread].state == TB_STATE_RUNNING)
        tb_trace_state_drop_early_wakeup (state, &state->threads[thread]);
      tb_trace_state_emit_current (state, thread, end, TB_INTERVAL_OPEN_END);
      if (self->spin_begin != NULL && self->spin_begin[thread] >= 0)
        state->counts.unmatched_marks++;
    }
}

static int
compare_spins (gconstpointer a, gconstpointer b)
{
  const TbSpin *left = a, *right = b;

  if (left->thread != right->thread)
    return left->thread < right->thread ? -1 : 1;
  return left->from < right->from ? -1 : left->from > right->from;
}

static void
finish_counts (Builder *self)
{
  TbTraceState *state = &self->state;
  for (guint i = 0; i < self->n_cpus; i++)
    {
      const TbCpu *cpu = &state->causes.cpus[i];

      if (cpu->to_idle > 0 && cpu->from_idle == 0 && cpu->idle_missed > 0)
        state->counts.cpus_without_idle++;
    }
  state->counts.late_wakeups = state->has_waking_events ? 0 : state->input->wakeups.n;
  state->counts.unbalanced_interrupts = state->causes.unbalanced;
  state->counts.lost_events = state->gaps.n_events;
  state->counts.lost_ns = tb_gaps_get_length (&state->gaps);
}

static void
take_columns (TbIntervalColumns *columns, TbTraceOutput *output)
{
#define TAKE(COLUMN, field)                                                                        \
  output->columns[COLUMN] = g_bytes_new_take (g_steal_pointer (&columns->field),                   \
                                              columns->n * sizeof (*columns->field))
  output->n = columns->n;
  TAKE (TB_INTERVAL_START, start);
  TAKE (TB_INTERVAL_END, end);
  TAKE (TB_INTERVAL_THREAD, thread);
  TAKE (TB_INTERVAL_STATE, state);
  TAKE (TB_INTERVAL_FLAGS, flags);
  TAKE (TB_INTERVAL_CPU, cpu);
  TAKE (TB_INTERVAL_KIND, kind);
  TAKE (TB_INTERVAL_OBJECT, object);
  TAKE (TB_INTERVAL_STACK, stack);
  TAKE (TB_INTERVAL_CAUSE_KIND, cause_kind);
  TAKE (TB_INTERVAL_CAUSE, cause);
  TAKE (TB_INTERVAL_WAKEUP, wakeup);
  TAKE (TB_INTERVAL_SLEEP, sleep);
#undef TAKE
}

static gboolean
check_sizes (const TbTraceInput *input, GError **error)
{
  gsize most
      = MAX (MAX (input->switches.n, input->wakeups.n), MAX (input->syscalls.n, input->blocks.n));

  most = MAX (MAX (most, input->interrupts.n), MAX (input->processes.n, input->networks.n));
  /* Rows are numbered with 32 bits, and a switch makes up to four intervals. */
  if (MAX (most, MAX (input->marks.n, input->added.n)) < G_MAXUINT32 / 8)
    return TRUE;
  g_set_error (error, G_IO_ERROR, G_IO_ERROR_NOT_SUPPORTED,
               _ ("The recording has more than %u million events of one kind: it cannot be "
                  "explained. Record for a shorter time."),
               G_MAXUINT32 / 8 / 1000000);
  return FALSE;
}

static void
prepare (Builder *self, const TbTraceInput *input)
{
  TbTraceState *state = &self->state;

  self->spins = g_array_new (FALSE, FALSE, sizeof (TbSpin));
  state->input = input;
  self->n_cpus = tb_trace_count_cpus (input);
  if (tb_trace_is_cancelled ())
    return;
  for (gsize i = 0;
       i < input->wakeups.n && !state->has_waking_events && !tb_trace_is_cancelled_at (i); i++)
    state->has_waking_events = (input->wakeups.flags[i] & TB_WAKEUP_LATE) == 0;
  tb_trace_state_init_threads (state);
  tb_causes_init (&state->causes, input, self->n_cpus);
  tb_gaps_init (&state->gaps, &input->losses, self->n_cpus, input->from, input->to);
  tb_streams_init (&self->streams, input, self->n_cpus);
  state->causes.completing = &self->streams.streams[TB_STREAM_COMPLETE];
}

/* Frees the data that only the pass over the events needs. */
static void
drop_events (Builder *self)
{
  const TbTraceInput *input = self->state.input;

  tb_streams_clear (&self->streams);
  tb_causes_clear (&self->state.causes);
  if (input->pass_done != NULL)
    input->pass_done (input->pass_done_data);
}

static gboolean
find_intervals_of_threads (Builder *self,
                           TbIntervalColumns *columns,
                           TbProgressFunc progress,
                           gpointer data,
                           GCancellable *cancellable,
                           GError **error)
{
  const TbTraceInput *input = self->state.input;

  if (g_cancellable_set_error_if_cancelled (cancellable, error)
      || !run_pass (self, progress, data, cancellable, error))
    return FALSE;
  finish_threads (self);
  finish_counts (self);
  drop_events (self);
  if (self->spins->len > 0)
    g_array_sort (self->spins, compare_spins);
  if (progress != NULL)
    progress (0.8, _ ("Sorting by thread"), data);
  tb_rows_arrange (&self->state.rows, input->n_threads, (const TbSpin *) self->spins->data,
                   self->spins->len, columns);
  tb_rows_clear (&self->state.rows);
  if (g_cancellable_set_error_if_cancelled (cancellable, error))
    return FALSE;
  tb_trace_find_waits (input, columns);
  return !g_cancellable_set_error_if_cancelled (cancellable, error);
}

/* Computes the state intervals of every thread from events. A pure function of its input; linear in
 * the number of events. Without a cancellable, the current one is used. */
gboolean
tb_trace_build (const TbTraceInput *input,
                TbTraceOutput *output,
                TbProgressFunc progress,
                gpointer data,
                GCancellable *cancellable,
                GError **error)
{
  g_auto (Builder) self = { 0 };
  g_auto (TbIntervalColumns) columns = { 0 };
  gboolean done;

  g_return_val_if_fail (0 <= input->from && input->from <= input->to, FALSE);
  g_return_val_if_fail (error == NULL || *error == NULL, FALSE);

  if (!check_sizes (input, error))
    return FALSE;
  /* The passes check the current cancellable. */
  if (cancellable == NULL)
    cancellable = g_cancellable_get_current ();
  if (cancellable != NULL)
    g_cancellable_push_current (cancellable);
  prepare (&self, input);
  done = find_intervals_of_threads (&self, &columns, progress, data, cancellable, error);
  if (cancellable != NULL)
    g_cancellable_pop_current (cancellable);
  if (!done)
    return FALSE;

  output->counts = self.state.counts;
  take_columns (&columns, output);
  return TRUE;
}

void
tb_trace_output_clear (TbTraceOutput *output)
{
  for (guint i = 0; i < TB_INTERVAL_N_COLUMNS; i++)
    g_clear_pointer (&output->columns[i], g_bytes_unref);
  output->n = 0;
}
