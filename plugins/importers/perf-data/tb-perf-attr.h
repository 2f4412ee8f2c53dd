/* tb-perf-attr.h: event attribute of a perf.data file: its name where the file has none, the layout
 * of its samples and other records, and reading of the parts of a sample that have no fixed offset
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#pragma once

#include "tb-perf-bytes.h"

G_BEGIN_DECLS

#define TB_PERF_ABSENT G_MAXUINT16

/**
 * TbPerfLayout:
 * @time: offset in a record of PERF_RECORD_SAMPLE, %TB_PERF_ABSENT if samples have no such field
 * @variable: end of the fixed fields; offsets of later fields depend on the sample
 * @smallest: minimum size of a sample
 * @trailer: length of the trailer of all other records, 0 if there is none
 * @tail_time: distance of the field from the end of the other records, %TB_PERF_ABSENT for none
 *
 * The offsets of the fixed fields.
 */
typedef struct
{
  guint16 ip;
  guint16 task;
  guint16 time;
  guint16 id;
  guint16 cpu;
  guint16 period;
  guint16 variable;
  guint16 smallest;
  guint16 trailer;
  guint16 tail_task;
  guint16 tail_time;
  guint16 tail_cpu;
  guint16 tail_id;
} TbPerfLayout;

typedef enum
{
  TB_PERF_FLAG_INHERIT = 1,
  TB_PERF_FLAG_EXCLUDE_USER = 4,
  TB_PERF_FLAG_EXCLUDE_KERNEL = 5,
  TB_PERF_FLAG_COMM = 9,
  TB_PERF_FLAG_FREQUENCY = 10,
  TB_PERF_FLAG_ENABLE_ON_EXEC = 12,
  TB_PERF_FLAG_TASK = 13,
  TB_PERF_FLAG_SAMPLE_ID_ALL = 18,
  TB_PERF_FLAG_USE_CLOCKID = 25,
  TB_PERF_FLAG_CONTEXT_SWITCH = 26,
  TB_PERF_FLAG_WRITE_BACKWARD = 27,
  TB_PERF_FLAG_DEFER_CALLCHAIN = 38, /* since Linux 6.19 */
} TbPerfFlag;                        /* bit numbers, as in perf_event_open(2) */

typedef struct _TbPerfTracepoint TbPerfTracepoint;

typedef enum
{
  TB_PERF_ROLE_NONE,    /* its samples are ignored */
  TB_PERF_ROLE_CLOCK,   /* a clock: its samples are added as samples */
  TB_PERF_ROLE_COUNTER, /* another counter: its samples are added as those of a counter and marks */
  TB_PERF_ROLE_WAITS,   /* durations of waits, by perf record --off-cpu */
  TB_PERF_ROLE_TRACEPOINT,
} TbPerfRole;

/**
 * TbPerfAttr:
 * @sample_period: period, or frequency if %TB_PERF_FLAG_FREQUENCY is set
 * @name: its name, %NULL until it is read from the file
 * @tracepoint: format of the tracepoint, %NULL if it is not a tracepoint or its format was not
 * recorded
 * @text: its name as a string of the recorder
 * @max_stack: limit of the length of its stacks, 0 if it has none of its own
 * @stack_limit: limit that applies, %G_MAXUINT if unknown
 * @n_cut: number of stacks that are as long as that
 */
typedef struct
{
  guint32 type;
  guint64 config;
  guint64 sample_period;
  guint64 sample_type;
  guint64 read_format;
  guint64 flags;
  guint64 branch_sample_type;
  guint64 registers_user;
  gint32 clockid;
  TbPerfLayout layout;
  char *name;
  TbPerfRole role;
  TbPerfTracepoint *tracepoint;
  guint32 text;
  guint16 max_stack;
  guint stack_limit;
  guint64 n_cut;
  guint64 n_samples;
} TbPerfAttr;

#define TB_PERF_ATTR_SMALLEST 64

/* Reads an attribute; size is the number of available bytes. Returns FALSE if that is too few.
 * *taken is the size stored in the attribute. */
gboolean
tb_perf_attr_read (TbPerfAttr *self, const guint8 *at, gsize size, gboolean swap, gsize *taken);
void tb_perf_attr_clear (TbPerfAttr *self);

static inline gboolean
tb_perf_attr_has (const TbPerfAttr *self, TbPerfFlag flag)
{
  return (self->flags >> flag) & 1;
}

/* Returns a name for an event if the file has no name of it; (transfer full). */
char *tb_perf_attr_make_name (const TbPerfAttr *self);

/**
 * TbPerfSample:
 * @chain: (nullable): call stack as in the file, n_chain values
 * @raw: (nullable): the tracepoint's own record
 * @counts: (nullable): counts of the group, of n_counts events with count_size bytes each: the
 * count, and the ID of the event at count_id
 * @registers: (nullable): values of the registers in the attribute's mask; @abi is their width
 *
 * The parts of a sample that have no fixed offset.
 */
typedef struct
{
  const guint8 *chain;
  const guint8 *raw;
  const guint8 *registers;
  const guint8 *stack;
  const guint8 *counts;
  guint64 n_counts;
  guint16 count_size;
  guint16 count_id;
  guint64 n_chain;
  guint64 abi;
  guint64 stack_size;
  guint64 exact_address; /* of the instruction, found by the CPU itself; 0: not known so exactly */
  guint32 raw_size;
} TbPerfSample;

/* Returns FALSE if a length exceeds the record. */
gboolean tb_perf_attr_read_sample (const TbPerfAttr *self,
                                   const guint8 *record,
                                   gsize size,
                                   gboolean swap,
                                   TbPerfSample *sample);

G_END_DECLS
