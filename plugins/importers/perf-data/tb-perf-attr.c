/* tb-perf-attr.c: event attribute of a perf.data file: its name where the file has none, the layout
 * of its samples and other records, and reading of the parts of a sample that have no fixed offset
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#include "config.h"

#include "tb-perf-attr.h"

#include <linux/perf_event.h>

#define HEADER_SIZE 8

static const char *const software_names[] = {
  "cpu-clock",        "task-clock",   "page-faults",  "context-switches",
  "cpu-migrations",   "minor-faults", "major-faults", "alignment-faults",
  "emulation-faults", "dummy",        "bpf-output",   "cgroup-switches",
};

static const char *const hardware_names[] = {
  "cycles",
  "instructions",
  "cache-references",
  "cache-misses",
  "branches",
  "branch-misses",
  "bus-cycles",
  "stalled-cycles-frontend",
  "stalled-cycles-backend",
  "ref-cycles",
};

/* Bit fields fill a byte from its low end on little-endian machines and from its high end on the
 * others. */
static guint64
read_flags (const guint8 *at, gboolean swap)
{
  gboolean big_endian = (G_BYTE_ORDER == G_BIG_ENDIAN) != swap;
  guint64 flags = 0;

  for (guint bit = 0; bit < 64; bit++)
    {
      guint within = big_endian ? 7 - bit % 8 : bit % 8;

      flags |= (guint64) ((at[bit / 8] >> within) & 1) << bit;
    }
  return flags;
}

static void
set_offset (guint16 *offset, guint16 *next, gboolean present)
{
  *offset = present ? *next : TB_PERF_ABSENT;
  if (present)
    *next += 8;
}

static void
make_layout (TbPerfAttr *self)
{
  TbPerfLayout *layout = &self->layout;
  guint64 type = self->sample_type;
  guint16 next = HEADER_SIZE;
  guint16 tail = 0;
  guint16 identifier, plain_id, unused;

  set_offset (&identifier, &next, type & PERF_SAMPLE_IDENTIFIER);
  set_offset (&layout->ip, &next, type & PERF_SAMPLE_IP);
  set_offset (&layout->task, &next, type & PERF_SAMPLE_TID);
  set_offset (&layout->time, &next, type & PERF_SAMPLE_TIME);
  set_offset (&unused, &next, type & PERF_SAMPLE_ADDR);
  set_offset (&plain_id, &next, type & PERF_SAMPLE_ID);
  set_offset (&unused, &next, type & PERF_SAMPLE_STREAM_ID);
  set_offset (&layout->cpu, &next, type & PERF_SAMPLE_CPU);
  set_offset (&layout->period, &next, type & PERF_SAMPLE_PERIOD);
  layout->id = identifier != TB_PERF_ABSENT ? identifier : plain_id;
  layout->variable = layout->smallest = next;

  /* The other records have the same fields at their end, at fixed distances from it. */
  layout->tail_task = layout->tail_time = layout->tail_cpu = layout->tail_id = TB_PERF_ABSENT;
  if (!tb_perf_attr_has (self, TB_PERF_FLAG_SAMPLE_ID_ALL))
    {
      layout->trailer = 0;
      return;
    }
  if (type & PERF_SAMPLE_IDENTIFIER)
    layout->tail_id = tail += 8;
  if (type & PERF_SAMPLE_CPU)
    layout->tail_cpu = tail += 8;
  if (type & PERF_SAMPLE_STREAM_ID)
    tail += 8;
  if (type & PERF_SAMPLE_ID)
    {
      tail += 8;
      if (layout->tail_id == TB_PERF_ABSENT)
        layout->tail_id = tail;
    }
  if (type & PERF_SAMPLE_TIME)
    layout->tail_time = tail += 8;
  if (type & PERF_SAMPLE_TID)
    layout->tail_task = tail += 8;
  layout->trailer = tail;
}

gboolean
tb_perf_attr_read (TbPerfAttr *self, const guint8 *at, gsize size, gboolean swap, gsize *taken)
{
  guint32 own_size;

  memset (self, 0, sizeof *self);
  if (size < TB_PERF_ATTR_SMALLEST)
    return FALSE;
  own_size = tb_perf_u32 (at + 4, swap);
  if (own_size == 0)
    own_size = TB_PERF_ATTR_SMALLEST;
  if (own_size < TB_PERF_ATTR_SMALLEST || own_size > size)
    return FALSE;
  *taken = own_size;

  self->type = tb_perf_u32 (at, swap);
  self->config = tb_perf_u64 (at + 8, swap);
  self->sample_period = tb_perf_u64 (at + 16, swap);
  self->sample_type = tb_perf_u64 (at + 24, swap);
  self->read_format = tb_perf_u64 (at + 32, swap);
  self->flags = read_flags (at + 40, swap);
  if (own_size >= 80)
    self->branch_sample_type = tb_perf_u64 (at + 72, swap);
  if (own_size >= 96)
    {
      self->registers_user = tb_perf_u64 (at + 80, swap);
      self->clockid = (gint32) tb_perf_u32 (at + 92, swap);
    }
  if (own_size >= 110)
    self->max_stack = tb_perf_u16 (at + 108, swap);
  make_layout (self);
  return TRUE;
}

void
tb_perf_attr_clear (TbPerfAttr *self)
{
  g_clear_pointer (&self->name, g_free);
}

char *
tb_perf_attr_make_name (const TbPerfAttr *self)
{
  guint32 generic = (guint32) self->config;

  if (self->type == PERF_TYPE_SOFTWARE && self->config < G_N_ELEMENTS (software_names))
    return g_strdup (software_names[self->config]);
  if (self->type == PERF_TYPE_HARDWARE && generic < G_N_ELEMENTS (hardware_names))
    return g_strdup (hardware_names[generic]);
  if (self->type == PERF_TYPE_TRACEPOINT)
    return g_strdup_printf ("tracepoint %" G_GUINT64_FORMAT, self->config);
  return g_strdup_printf ("event %u:0x%" G_GINT64_MODIFIER "x", self->type, self->config);
}

/* The times of the group stand before the counts, those of a single event behind its count. */
static void
read_counts (const TbPerfAttr *self, TbPerfCursor *cursor, TbPerfSample *sample)
{
  guint64 format = self->read_format;
  guint16 times = ((format & PERF_FORMAT_TOTAL_TIME_ENABLED) != 0) * 8
                  + ((format & PERF_FORMAT_TOTAL_TIME_RUNNING) != 0) * 8;
  gboolean is_group = (format & PERF_FORMAT_GROUP) != 0;

  sample->count_size = sample->count_id = 8;
  if (format & PERF_FORMAT_ID)
    sample->count_size += 8;
  if (format & PERF_FORMAT_LOST)
    sample->count_size += 8;
  sample->n_counts = is_group ? tb_perf_cursor_read_count (cursor) : 1;
  if (is_group)
    tb_perf_cursor_take (cursor, times);
  else
    {
      sample->count_id += times;
      sample->count_size += times;
    }
  sample->counts = tb_perf_cursor_take (cursor, sample->n_counts * sample->count_size);
}

static void
skip_branches (const TbPerfAttr *self, TbPerfCursor *cursor)
{
  guint64 n = tb_perf_cursor_read_count (cursor);

  if (self->branch_sample_type & PERF_SAMPLE_BRANCH_HW_INDEX)
    tb_perf_cursor_take (cursor, 8);
  tb_perf_cursor_take (cursor, n * 24);
  if (self->branch_sample_type & PERF_SAMPLE_BRANCH_COUNTERS)
    tb_perf_cursor_take (cursor, n * 8);
}

/* The fields after the stack dump (weight, data source, transaction, interrupted registers,
 * physical address, cgroup, page sizes, AUX data) are not used and need not be parsed. */
gboolean
tb_perf_attr_read_sample (const TbPerfAttr *self,
                          const guint8 *record,
                          gsize size,
                          gboolean swap,
                          TbPerfSample *sample)
{
  TbPerfCursor cursor
      = { .at = record + self->layout.variable, .end = record + size, .swap = swap };
  guint64 type = self->sample_type;

  memset (sample, 0, sizeof *sample);
  if (size < self->layout.smallest)
    return FALSE;
  if (type & PERF_SAMPLE_READ)
    read_counts (self, &cursor, sample);
  if (type & PERF_SAMPLE_CALLCHAIN)
    {
      sample->n_chain = tb_perf_cursor_read_count (&cursor);
      sample->chain = tb_perf_cursor_take (&cursor, sample->n_chain * 8);
    }
  if (type & PERF_SAMPLE_RAW)
    {
      sample->raw_size = tb_perf_cursor_read_u32 (&cursor);
      sample->raw = tb_perf_cursor_take (&cursor, sample->raw_size);
    }
  if (G_LIKELY ((type & (PERF_SAMPLE_BRANCH_STACK | PERF_SAMPLE_REGS_USER | PERF_SAMPLE_STACK_USER))
                == 0))
    return !cursor.failed;
  if (type & PERF_SAMPLE_BRANCH_STACK)
    skip_branches (self, &cursor);
  if (type & PERF_SAMPLE_REGS_USER)
    {
      sample->abi = tb_perf_cursor_read_u64 (&cursor);
      if (sample->abi != PERF_SAMPLE_REGS_ABI_NONE)
        sample->registers
            = tb_perf_cursor_take (&cursor, 8u * __builtin_popcountll (self->registers_user));
    }
  if (type & PERF_SAMPLE_STACK_USER)
    {
      guint64 dumped = tb_perf_cursor_read_u64 (&cursor);

      if (dumped > 0)
        {
          sample->stack = tb_perf_cursor_take (&cursor, dumped);
          sample->stack_size = tb_perf_cursor_read_u64 (&cursor);
          sample->stack_size = MIN (sample->stack_size, dumped);
        }
    }
  return !cursor.failed;
}
