/* tb-trace-builder.c: builder of thread state intervals, in one pass over the events
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#include "config.h"

#include <gio/gio.h>
#include <glib/gi18n-lib.h>
#include <string.h>

#include "trace/tb-trace-moment-private.h"
#include "trace/tb-trace-private.h"
#include "trace/tb-trace-streams-private.h"

/* Number of events between two checks of the cancellable. */
#define STRIDE 65536

typedef struct
{
  TbMoment moment;
  TbStreams streams;
  guint n_cpus;
  gint64 *spin_begin; /* by thread; NULL until a thread spins */
  GArray *spins;
} Builder;

static void
builder_clear (Builder *self)
{
  tb_streams_clear (&self->streams);
  g_free (self->moment.lives);
  tb_rows_clear (&self->moment.rows);
  tb_causes_clear (&self->moment.causes);
  tb_gaps_clear (&self->moment.gaps);
  g_free (self->spin_begin);
  g_clear_pointer (&self->spins, g_array_unref);
}

G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC (Builder, builder_clear)

static void
handle_process (TbMoment *self, guint32 i, gint64 time)
{
  const TbProcessColumns *processes = &self->input->processes;
  guint32 thread = processes->thread[i];

  if (!tb_moment_is_alive (self, thread, time))
    return;
  switch (processes->kind[i])
    {
    case TB_PROCESS_EXIT:
      tb_moment_die (self, thread, time);
      break;
    case TB_PROCESS_EXEC:
      /* The run ends at the exec; the new program's run begins. */
      tb_moment_settle (self, thread, time);
      if (self->lives[thread].state == TB_STATE_RUNNING)
        tb_moment_emit (self, thread, time, TB_STATE_RUNNING, 0);
      break;
    default:
      break;
    }
}

static void
end_spin (Builder *self, guint32 thread, guint32 other, gint64 time)
{
  TbMoment *moment = &self->moment;
  TbSpin spin = { thread, other, -1, time };
  gint64 lost;

  if (self->spin_begin != NULL && thread < moment->input->n_threads)
    {
      spin.from = self->spin_begin[thread];
      self->spin_begin[thread] = -1;
    }
  lost = spin.from >= 0 ? tb_gaps_find_any (&moment->gaps, spin.from, time) : -1;
  if (spin.from < 0 || lost >= 0)
    {
      moment->counts.unmatched_marks++;
      return;
    }
  if (spin.other >= moment->input->n_threads || spin.other == TB_THREAD_IDLE || spin.other == thread)
    spin.other = TB_ID_NONE;
  if (time > spin.from)
    g_array_append_val (self->spins, spin);
}

static void
handle_mark (Builder *self, const TbMarkColumns *marks, guint32 i, gint64 time)
{
  TbMoment *moment = &self->moment;
  guint32 thread = marks->thread[i];

  if (!tb_moment_is_alive (moment, thread, time))
    return;
  switch (marks->kind[i])
    {
    case TB_MARK_SPIN_BEGIN:
      if (self->spin_begin == NULL)
        {
          self->spin_begin = g_new (gint64, moment->input->n_threads);
          memset (self->spin_begin, 0xff, sizeof (gint64) * moment->input->n_threads);
        }
      if (self->spin_begin[thread] < 0)
        self->spin_begin[thread] = time;
      else
        moment->counts.unmatched_marks++;
      break;
    case TB_MARK_SPIN_END:
      end_spin (self, thread, marks->other[i], time);
      break;
    case TB_MARK_FALSE_WAKEUP:
      tb_moment_settle (moment, thread, time);
      if (moment->lives[thread].sleep_row != TB_ID_NONE && moment->lives[thread].state == TB_STATE_RUNNING)
        moment->lives[thread].declared_false = TRUE;
      else
        moment->counts.unmatched_marks++;
      break;
    default:
      break;
    }
}

static void
handle_witness (TbMoment *self, const TbWitness *witness, gint64 time)
{
  if (!tb_moment_is_alive (self, witness->thread, time))
    return;
  if (!witness->first)
    tb_moment_turn_up (self, witness->thread, witness->cpu, MAX (witness->since, self->input->from), time);
  else if (self->lives[witness->thread].state == TB_STATE_UNKNOWN
           && !self->causes.cpus[witness->cpu].seen_switch)
    {
      tb_moment_settle (self, witness->thread, time);
      tb_moment_emit (self, witness->thread, time, TB_STATE_UNKNOWN, 0);
      tb_moment_enter_state (self, witness->thread, time, TB_STATE_RUNNING, 0);
      self->lives[witness->thread].cpu = witness->cpu;
      self->causes.cpus[witness->cpu].current = witness->thread;
    }
}

static void
handle_event (Builder *self, TbStreamKind kind, guint32 row, gint64 time)
{
  TbMoment *moment = &self->moment;

  switch (kind)
    {
    case TB_STREAM_PROCESS:
      handle_process (moment, row, time);
      break;
    case TB_STREAM_INTERRUPT_ENTER:
      tb_causes_enter_interrupt (&moment->causes, row);
      break;
    case TB_STREAM_ISSUE:
      tb_causes_issue (&moment->causes, row);
      break;
    case TB_STREAM_COMPLETE:
      tb_causes_complete (&moment->causes, row);
      break;
    case TB_STREAM_NETWORK:
      tb_causes_network (&moment->causes, row);
      break;
    case TB_STREAM_MARK:
      handle_mark (self, &moment->input->marks, row, time);
      break;
    case TB_STREAM_ADDED:
      handle_mark (self, &moment->input->added, row, time);
      break;
    case TB_STREAM_WITNESS:
      handle_witness (moment, &self->streams.witnesses.of[row], time);
      break;
    case TB_STREAM_WAKEUP:
      tb_moment_wake (moment, row, time);
      break;
    case TB_STREAM_INTERRUPT_EXIT:
      tb_causes_exit_interrupt (&moment->causes, row);
      break;
    case TB_STREAM_SWITCH:
      tb_moment_switch (moment, row, time);
      break;
    case TB_N_STREAMS:
    default:
      g_assert_not_reached ();
    }
}

static gboolean
run_pass (Builder *self, TbProgressFunc progress, gpointer data, GCancellable *cancellable, GError **error)
{
  const TbTraceInput *input = self->moment.input;
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
        progress (0.8 * done / total, _ ("Finding what every thread did"), data);
    }
  return TRUE;
}

static void
finish_lives (Builder *self)
{
  TbMoment *moment = &self->moment;
  gint64 end = moment->input->to;

  for (guint32 thread = 1; thread < moment->input->n_threads; thread++)
    {
      if (!tb_moment_is_alive (moment, thread, end))
        continue;
      tb_moment_settle (moment, thread, end);
      if (moment->lives[thread].state == TB_STATE_RUNNING)
        tb_moment_drop_early (moment, &moment->lives[thread]);
      tb_moment_emit_present (moment, thread, end, TB_INTERVAL_OPEN_END);
      if (self->spin_begin != NULL && self->spin_begin[thread] >= 0)
        moment->counts.unmatched_marks++;
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
  TbMoment *moment = &self->moment;
  for (guint i = 0; i < self->n_cpus; i++)
    {
      const TbCpu *cpu = &moment->causes.cpus[i];

      if (cpu->to_idle > 0 && cpu->from_idle == 0 && cpu->idle_missed > 0)
        moment->counts.cpus_without_idle++;
    }
  moment->counts.late_wakeups = moment->has_wakings ? 0 : moment->input->wakeups.n;
  moment->counts.unbalanced_interrupts = moment->causes.unbalanced;
  moment->counts.lost_events = moment->gaps.n_events;
  moment->counts.lost_ns = tb_gaps_get_length (&moment->gaps);
}

static void
take_columns (TbIntervalColumns *columns, TbTraceOutput *output)
{
#define TAKE(COLUMN, field)                                                                                  \
  output->columns[COLUMN]                                                                                    \
      = g_bytes_new_take (g_steal_pointer (&columns->field), columns->n * sizeof (*columns->field))
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
  gsize most = MAX (MAX (input->switches.n, input->wakeups.n), MAX (input->syscalls.n, input->blocks.n));

  most = MAX (MAX (most, input->interrupts.n), MAX (input->processes.n, input->networks.n));
  /* Rows are numbered with 32 bits, and a switch makes up to four intervals. */
  if (MAX (most, MAX (input->marks.n, input->added.n)) < G_MAXUINT32 / 8)
    return TRUE;
  g_set_error (
      error, G_IO_ERROR, G_IO_ERROR_NOT_SUPPORTED,
      _ ("The recording has more than %u million events of one kind: it cannot be explained as a whole. "
         "Record a shorter time."),
      G_MAXUINT32 / 8 / 1000000);
  return FALSE;
}

static void
prepare (Builder *self, const TbTraceInput *input)
{
  TbMoment *moment = &self->moment;

  self->spins = g_array_new (FALSE, FALSE, sizeof (TbSpin));
  moment->input = input;
  self->n_cpus = tb_trace_count_cpus (input);
  if (tb_trace_is_given_up ())
    return;
  for (gsize i = 0; i < input->wakeups.n && !moment->has_wakings && !tb_trace_is_given_up_at (i); i++)
    moment->has_wakings = (input->wakeups.flags[i] & TB_WAKEUP_LATE) == 0;
  tb_moment_init_lives (moment);
  tb_causes_init (&moment->causes, input, self->n_cpus);
  tb_gaps_init (&moment->gaps, &input->losses, self->n_cpus, input->from, input->to);
  tb_streams_init (&self->streams, input, self->n_cpus);
  moment->causes.completing = &self->streams.streams[TB_STREAM_COMPLETE];
}

/* Frees the data that only the pass over the events needs. */
static void
drop_events (Builder *self)
{
  const TbTraceInput *input = self->moment.input;

  tb_streams_clear (&self->streams);
  tb_causes_clear (&self->moment.causes);
  if (input->passed != NULL)
    input->passed (input->passed_data);
}

static gboolean
find_lives (Builder *self,
            TbIntervalColumns *columns,
            TbProgressFunc progress,
            gpointer data,
            GCancellable *cancellable,
            GError **error)
{
  const TbTraceInput *input = self->moment.input;

  if (g_cancellable_set_error_if_cancelled (cancellable, error)
      || !run_pass (self, progress, data, cancellable, error))
    return FALSE;
  finish_lives (self);
  finish_counts (self);
  drop_events (self);
  if (self->spins->len > 0)
    g_array_sort (self->spins, compare_spins);
  if (progress != NULL)
    progress (0.8, _ ("Arranging by thread"), data);
  tb_rows_arrange (&self->moment.rows, input->n_threads, (const TbSpin *) self->spins->data, self->spins->len,
                   columns);
  tb_rows_clear (&self->moment.rows);
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
  done = find_lives (&self, &columns, progress, data, cancellable, error);
  if (cancellable != NULL)
    g_cancellable_pop_current (cancellable);
  if (!done)
    return FALSE;

  output->counts = self.moment.counts;
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
