/* tb-perf-samples.c: conversion of the samples of a perf.data file: search for the event, thread
 * and call stack of each, then as CPU sample, counter or wait, or by its tracepoint's handler
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#include "config.h"

#include "tb-perf-import-private.h"

#include <linux/perf_event.h>

#include "tb-perf-chain.h"
#include "tb-perf-counters.h"
#include "tb-perf-sample-times.h"
#include "tb-perf-tracepoint.h"
#include "tb-perf-unwind.h"

void
tb_perf_import_prepare_samples (TbPerfImport *self)
{
  for (guint i = 0; i < self->file->attrs->len; i++)
    {
      const TbPerfAttr *attr = tb_perf_file_get_attr (self->file, i);

      self->has_tasks |= tb_perf_attr_has (attr, TB_PERF_FLAG_TASK);
      self->has_names |= tb_perf_attr_has (attr, TB_PERF_FLAG_COMM);
    }
  tb_perf_counters_prepare (self);
  tb_perf_chains_prepare (self);
  tb_perf_tracepoints_prepare (self);
  self->counts_marks = !self->has_switch;
  for (guint i = 0; i < self->file->attrs->len; i++)
    if (tb_perf_attr_has (tb_perf_file_get_attr (self->file, i), TB_PERF_FLAG_CONTEXT_SWITCH))
      self->counts_marks = FALSE;
}

/* Finds the event of a sample without an id. Samples of tracepoints contain the number of the
 * tracepoint. */
static TbPerfAttr *
guess_attr (TbPerfImport *self, const guint8 *record, gsize size)
{
  TbPerfAttr *first = tb_perf_file_get_attr (self->file, 0);
  TbPerfSample sample;

  if (first->type != PERF_TYPE_TRACEPOINT
      || !tb_perf_attr_read_sample (first, record, size, self->swap, &sample)
      || sample.raw_size < 2)
    return first;
  for (guint i = 0; i < self->file->attrs->len; i++)
    {
      TbPerfAttr *attr = tb_perf_file_get_attr (self->file, i);

      if (attr->type == PERF_TYPE_TRACEPOINT && attr->sample_type == first->sample_type
          && attr->config == tb_perf_u16 (sample.raw, self->swap))
        return attr;
    }
  return first;
}

static inline TbPerfAttr *
find_attr (TbPerfImport *self, const guint8 *record, gsize size)
{
  if (self->id_offset == TB_PERF_ABSENT)
    return self->file->attrs->len == 1 ? tb_perf_file_get_attr (self->file, 0)
                                       : guess_attr (self, record, size);
  if (size < self->id_offset + 8u)
    return NULL;
  return tb_perf_file_find_attr (self->file, tb_perf_u64 (record + self->id_offset, self->swap));
}

TbPerfAttr *
tb_perf_import_find_attr (TbPerfImport *self, const guint8 *record, gsize size)
{
  return find_attr (self, record, size);
}

static guint64
get_period (TbPerfImport *self, const TbPerfAttr *attr, const guint8 *record)
{
  if (attr->layout.period != TB_PERF_ABSENT)
    return tb_perf_u64 (record + attr->layout.period, self->swap);
  return tb_perf_attr_has (attr, TB_PERF_FLAG_FREQUENCY) ? 1 : attr->sample_period;
}

/* Where the CPU reports the instruction itself (PEBS, IBS), the sample has its exact address, but
 * the call stack is that of the interrupt, some instructions later. */
static guint64
get_exact_address (TbPerfImport *self, const TbPerfAttr *attr, const guint8 *record)
{
  return attr->layout.ip != TB_PERF_ABSENT
                 && (tb_perf_u16 (record + 4, self->swap) & PERF_RECORD_MISC_EXACT_IP) != 0
             ? tb_perf_u64 (record + attr->layout.ip, self->swap)
             : 0;
}

static void
set_stack (TbPerfImport *self, TbPerfAttr *attr, const TbPerfSample *sample, TbEvent *event)
{
  if (sample->n_chain > 0)
    tb_perf_chain_set (self, attr, sample, event);
  if (G_UNLIKELY (self->unwinder != NULL && sample->registers != NULL && sample->stack != NULL))
    tb_perf_unwind_sample (self, attr, sample, event);
}

/* Sums of waits are of the whole recording, other samples of a time. */
static void
add_wait (TbPerfImport *self,
          TbPerfAttr *attr,
          const guint8 *record,
          TbPerfSample *sample,
          TbEvent *event)
{
  guint64 waited = get_period (self, attr, record);
  gboolean is_sum
      = attr->layout.time == TB_PERF_ABSENT
        || tb_perf_counters_is_sum (attr, tb_perf_u64 (record + attr->layout.time, self->swap));

  if (!tb_perf_counters_read_wait (self, attr, sample, is_sum, event, &waited))
    {
      self->n_malformed++;
      return;
    }
  set_stack (self, attr, sample, event);
  event->kind = TB_EVENT_COUNTER;
  event->code = is_sum ? TB_COUNTER_WAIT_SUM : TB_COUNTER_WAIT;
  event->text = attr->text;
  event->a = waited;
  tb_perf_import_add (self, event);
}

/* perf inject --sched-stat replaces each switch of a thread by copies of it at later times, with
 * what a statistic of the scheduler counted as their period. That of a real switch is 1, or that of
 * its event. */
static gboolean
is_rewritten_switch (TbPerfImport *self, const TbPerfAttr *attr, const guint8 *record)
{
  guint64 period;

  if (!attr->tracepoint->is_switch || attr->layout.period == TB_PERF_ABSENT
      || tb_perf_attr_has (attr, TB_PERF_FLAG_FREQUENCY))
    return FALSE;
  period = tb_perf_u64 (record + attr->layout.period, self->swap);
  return period > 1 && period != attr->sample_period;
}

static void
add_traced (TbPerfImport *self,
            const TbPerfAttr *attr,
            const guint8 *record,
            const TbPerfSample *sample,
            TbEvent *event)
{
  if (attr->tracepoint == NULL || sample->raw == NULL)
    return;
  if (G_UNLIKELY (is_rewritten_switch (self, attr, record)))
    {
      self->n_rewritten++;
      tb_perf_tracepoint_add_mark (attr->tracepoint, self, sample->raw, sample->raw_size, event);
      return;
    }
  tb_perf_tracepoint_decode (attr->tracepoint, self, sample->raw, sample->raw_size, event);
  /* Where nothing shows how long a thread was in a function, its events are counted. */
  if (self->counts_marks && event->kind == TB_EVENT_MARK
      && (event->n_chain > 0 || event->stack != TB_STACK_NONE))
    tb_perf_counters_add_mark (self, get_period (self, attr, record), event);
}

static void
measure_sample (TbPerfImport *self, const TbEvent *event)
{
  if (G_UNLIKELY (self->sample_times == NULL))
    self->sample_times = tb_perf_sample_times_new (self->frequency, MAX (self->first_time, 0));
  tb_perf_sample_times_add (self->sample_times, event);
}

/* Without an option for all CPUs, samples are of the processes that perf was to record, and none
 * of idle CPUs. */
static inline void
note_task (TbPerfImport *self, const TbEvent *event)
{
  self->is_of_system |= event->tid == 0 && event->pid == 0;
  self->is_of_others |= event->pid > 0 && self->command_pid != 0 && event->pid != self->command_pid;
}

static void
add_counted (TbPerfImport *self,
             TbPerfAttr *attr,
             const guint8 *record,
             const TbPerfSample *sample,
             TbEvent *event)
{
  if (attr->role == TB_PERF_ROLE_CLOCK && self->frequency > 0)
    measure_sample (self, event);
  if (!tb_perf_counters_add_group (self, attr, sample, event))
    tb_perf_counters_add (self, attr, get_period (self, attr, record), event);
}

/* The thread of a virtual CPU runs a program of its machine, whose functions the host does not
 * know. */
static void
add_guest_sample (TbPerfImport *self,
                  TbPerfAttr *attr,
                  const guint8 *record,
                  const TbPerfSample *sample,
                  TbEvent *event)
{
  if (attr->role != TB_PERF_ROLE_CLOCK && attr->role != TB_PERF_ROLE_COUNTER)
    return;
  if (self->guest_stack == TB_STACK_NONE)
    {
      guint32 frame
          = tb_recorder_intern_named_frame (self->recorder, "[virtual machine]", NULL, FALSE);

      self->guest_stack = tb_recorder_intern_stack (self->recorder, &frame, NULL, 1);
    }
  self->n_guest++;
  event->stack = self->guest_stack;
  add_counted (self, attr, record, sample, event);
}

static void
add_sample (TbPerfImport *self,
            TbPerfAttr *attr,
            const guint8 *record,
            const TbPerfSample *sample,
            TbEvent *event)
{
  guint mode = tb_perf_u16 (record + 4, self->swap) & TB_PERF_MODE_MASK;

  set_stack (self, attr, sample, event);
  if (attr->role == TB_PERF_ROLE_TRACEPOINT)
    {
      add_traced (self, attr, record, sample, event);
      return;
    }
  if (event->n_chain == 0 && attr->layout.ip != TB_PERF_ABSENT)
    tb_perf_chain_set_address (self, tb_perf_u64 (record + attr->layout.ip, self->swap), mode,
                               event);
  add_counted (self, attr, record, sample, event);
}

void
tb_perf_import_sample (TbPerfImport *self, const guint8 *record, gsize size, gint64 time)
{
  TbPerfAttr *attr = find_attr (self, record, size);
  guint mode = tb_perf_u16 (record + 4, self->swap) & TB_PERF_MODE_MASK;
  TbEvent event = { .time = time, .host = self->host, .cpu = TB_CPU_ALL, .tid = -1, .pid = -1 };
  TbPerfSample sample;

  if (G_UNLIKELY (attr == NULL))
    {
      self->n_unknown_event++;
      return;
    }
  if (G_UNLIKELY (!tb_perf_attr_read_sample (attr, record, size, self->swap, &sample)))
    {
      self->n_malformed++;
      return;
    }
  sample.exact_address = get_exact_address (self, attr, record);
  attr->n_samples++;
  if (G_LIKELY (attr->layout.cpu != TB_PERF_ABSENT))
    {
      guint32 cpu = tb_perf_u32 (record + attr->layout.cpu, self->swap);

      event.cpu = MIN (cpu, TB_CPU_ALL);
      tb_perf_import_update_cpu_time (self, event.cpu, time);
    }
  if (G_LIKELY (attr->layout.task != TB_PERF_ABSENT))
    {
      event.pid = tb_perf_u32 (record + attr->layout.task, self->swap);
      event.tid = tb_perf_u32 (record + attr->layout.task + 4, self->swap);
    }
  if (G_UNLIKELY (self->is_container) && attr->role != TB_PERF_ROLE_WAITS
      && !tb_perf_namespace_set_task (self->namespace, attr, &sample, &event))
    return;
  note_task (self, &event);
  if (G_UNLIKELY (mode >= TB_PERF_MODE_GUEST_KERNEL))
    add_guest_sample (self, attr, record, &sample, &event);
  else if (G_UNLIKELY (attr->role == TB_PERF_ROLE_WAITS))
    add_wait (self, attr, record, &sample, &event);
  else if (attr->role != TB_PERF_ROLE_NONE)
    add_sample (self, attr, record, &sample, &event);
}

gboolean
tb_perf_import_keep_sum (TbPerfImport *self, const guint8 *record, gsize size)
{
  const TbPerfAttr *attr = find_attr (self, record, size);

  if (attr == NULL || attr->layout.time == TB_PERF_ABSENT || size < attr->layout.smallest
      || !tb_perf_counters_is_sum (attr, tb_perf_u64 (record + attr->layout.time, self->swap)))
    return FALSE;
  if (self->sums == NULL)
    self->sums = g_array_new (FALSE, FALSE, sizeof (const guint8 *));
  g_array_append_val (self->sums, record);
  return TRUE;
}

void
tb_perf_import_add_sums (TbPerfImport *self)
{
  for (guint i = 0; self->sums != NULL && i < self->sums->len; i++)
    {
      const guint8 *record = g_array_index (self->sums, const guint8 *, i);

      tb_perf_import_sample (self, record, tb_perf_u16 (record + 6, self->swap),
                             MAX (self->flushed, 0));
    }
}
