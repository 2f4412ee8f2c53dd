/* tb-perf-samples.c: samples of a perf.data file
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#include "config.h"

#include <inttypes.h>

#include "tb-perf-import-private.h"

#include <linux/perf_event.h>

#include "tb-perf-tracepoint.h"
#include "tb-perf-unwind.h"

#define MISC_CPUMODE 7
#define MISC_KERNEL 1
#define MISC_USER 2
#define MISC_GUEST_KERNEL 4

/* Rates how well an event measures where CPUs spend their time; the event with the highest rate is
 * used. */
static int
rate_clock (const TbPerfAttr *attr)
{
  gboolean hardware = attr->type == PERF_TYPE_HARDWARE;

  if (attr->type == PERF_TYPE_TRACEPOINT || attr->type == PERF_TYPE_BREAKPOINT
      || attr->sample_period == 0)
    return 0;
  if (hardware && (guint32) attr->config == PERF_COUNT_HW_CPU_CYCLES)
    return 4;
  if (attr->type == PERF_TYPE_SOFTWARE)
    return attr->config == PERF_COUNT_SW_CPU_CLOCK    ? 3
           : attr->config == PERF_COUNT_SW_TASK_CLOCK ? 2
                                                      : 0;
  return 1;
}

static TbPerfRole
get_role (const TbPerfAttr *attr, int best)
{
  if (attr->type == PERF_TYPE_TRACEPOINT)
    return TB_PERF_ROLE_TRACEPOINT;
  if (attr->type == PERF_TYPE_SOFTWARE && attr->config == PERF_COUNT_SW_DUMMY)
    return TB_PERF_ROLE_NONE;
  return best > 0 && rate_clock (attr) == best ? TB_PERF_ROLE_CLOCK : TB_PERF_ROLE_MARK;
}

/* What follows from samples: with a frequency, each stands for the same time. */
static void
describe_sampling (TbRecorder *recorder, const TbPerfAttr *clock)
{
  tb_recorder_set_fact (recorder, "sampled", clock->name);
  if (tb_perf_attr_has (clock, TB_PERF_FLAG_FREQUENCY))
    {
      g_autofree char *frequency = g_strdup_printf ("%" PRIu64, clock->sample_period);

      tb_recorder_set_fact (recorder, "sample-frequency", frequency);
    }
  if (tb_perf_attr_has (clock, TB_PERF_FLAG_EXCLUDE_KERNEL))
    tb_recorder_set_fact (recorder, "sample-mode", "user");
  else if (tb_perf_attr_has (clock, TB_PERF_FLAG_EXCLUDE_USER))
    tb_recorder_set_fact (recorder, "sample-mode", "kernel");
}

void
tb_perf_import_prepare_samples (TbPerfImport *self)
{
  GArray *attrs = self->file->attrs;
  const TbPerfAttr *clock = NULL;
  int best = 0;

  for (guint i = 0; i < attrs->len; i++)
    best = MAX (best, rate_clock (tb_perf_file_get_attr (self->file, i)));
  for (guint i = 0; i < attrs->len; i++)
    {
      TbPerfAttr *attr = tb_perf_file_get_attr (self->file, i);

      attr->role = get_role (attr, best);
      if (attr->role == TB_PERF_ROLE_CLOCK && clock == NULL)
        clock = attr;
      if (attr->role == TB_PERF_ROLE_MARK)
        attr->text = tb_recorder_intern_string (self->recorder, attr->name, -1);
      self->has_tasks |= tb_perf_attr_has (attr, TB_PERF_FLAG_TASK);
      self->has_names |= tb_perf_attr_has (attr, TB_PERF_FLAG_COMM);
    }
  if (clock != NULL)
    describe_sampling (self->recorder, clock);
  tb_perf_tracepoints_prepare (self);
}

/* Uses the call stack in place if possible; copies it if the byte order or the alignment
 * differs. */
static void
set_chain (TbPerfImport *self, const TbPerfSample *sample, TbEvent *event)
{
  guint n = MIN (sample->n_chain, G_MAXUINT16);
  guint64 *copy;

  event->n_chain = n;
  if (G_LIKELY (!self->swap && ((guintptr) sample->chain & 7) == 0))
    {
      event->chain = (const guint64 *) sample->chain;
      return;
    }
  copy = tb_perf_arena_take (&self->arena, n, event->time);
  for (guint i = 0; i < n; i++)
    copy[i] = tb_perf_u64 (sample->chain + i * 8, self->swap);
  event->chain = copy;
}

static void
set_single_address (TbPerfImport *self, guint64 address, guint mode, TbEvent *event)
{
  guint64 *chain = tb_perf_arena_take (&self->arena, 2, event->time);

  chain[0] = mode == MISC_KERNEL ? TB_CHAIN_KERNEL : TB_CHAIN_USER;
  chain[1] = address;
  event->chain = chain;
  event->n_chain = 2;
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

static guint64
get_period (TbPerfImport *self, const TbPerfAttr *attr, const guint8 *record)
{
  if (attr->layout.period != TB_PERF_ABSENT)
    return tb_perf_u64 (record + attr->layout.period, self->swap);
  return tb_perf_attr_has (attr, TB_PERF_FLAG_FREQUENCY) ? 1 : attr->sample_period;
}

void
tb_perf_import_sample (TbPerfImport *self, const guint8 *record, gsize size, gint64 time)
{
  TbPerfAttr *attr = find_attr (self, record, size);
  guint mode = tb_perf_u16 (record + 4, self->swap) & MISC_CPUMODE;
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
  if (G_UNLIKELY (mode >= MISC_GUEST_KERNEL))
    {
      self->n_guest++;
      return;
    }
  if (sample.n_chain > 0)
    set_chain (self, &sample, &event);
  if (G_UNLIKELY (self->unwinder != NULL && sample.registers != NULL && sample.stack != NULL))
    tb_perf_unwind_sample (self, attr, &sample, &event);
  switch (attr->role)
    {
    case TB_PERF_ROLE_TRACEPOINT:
      if (G_LIKELY (attr->tracepoint != NULL && sample.raw != NULL))
        tb_perf_tracepoint_decode (attr->tracepoint, self, sample.raw, sample.raw_size, &event);
      return;
    case TB_PERF_ROLE_CLOCK:
      event.kind = TB_EVENT_SAMPLE;
      event.a = get_period (self, attr, record);
      break;
    case TB_PERF_ROLE_MARK:
      event.kind = TB_EVENT_MARK;
      event.text = attr->text;
      break;
    case TB_PERF_ROLE_NONE:
    default:
      return;
    }
  if (event.n_chain == 0 && attr->layout.ip != TB_PERF_ABSENT)
    set_single_address (self, tb_perf_u64 (record + attr->layout.ip, self->swap), mode, &event);
  tb_perf_import_add (self, &event);
}
