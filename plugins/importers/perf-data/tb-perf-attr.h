/* tb-perf-attr.h: one recorded event of a perf.data file and the layout of its samples
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#pragma once

#include "tb-perf-bytes.h"

G_BEGIN_DECLS

#define TB_PERF_ABSENT G_MAXUINT16

/**
 * TbPerfLayout:
 * @time: offset in a record of PERF_RECORD_SAMPLE, %TB_PERF_ABSENT where samples have no such field
 * @variable: offset of the first field whose place depends on the sample
 * @smallest: no sample of this event can be shorter
 * @trailer: length of what stands at the end of every other record, 0 for none
 * @tail_time: distance of the field from the end of the other records, %TB_PERF_ABSENT for none
 *
 * Where the fields of fixed place are.
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
  TB_PERF_FLAG_COMM = 9,
  TB_PERF_FLAG_FREQUENCY = 10,
  TB_PERF_FLAG_TASK = 13,
  TB_PERF_FLAG_SAMPLE_ID_ALL = 18,
  TB_PERF_FLAG_USE_CLOCKID = 25,
  TB_PERF_FLAG_CONTEXT_SWITCH = 26,
  TB_PERF_FLAG_WRITE_BACKWARD = 27,
} TbPerfFlag; /* bit numbers, as perf_event_open(2) has them */

typedef struct _TbPerfTracepoint TbPerfTracepoint;

typedef enum
{
  TB_PERF_ROLE_NONE,  /* nothing is made of its samples */
  TB_PERF_ROLE_CLOCK, /* where the cpus spend their time: becomes samples */
  TB_PERF_ROLE_MARK,  /* counts something else */
  TB_PERF_ROLE_TRACEPOINT,
} TbPerfRole;

/**
 * TbPerfAttr:
 * @sample_period: or frequency, if %TB_PERF_FLAG_FREQUENCY
 * @name: %NULL until the file told it
 * @tracepoint: %NULL if it is none, or its format was not recorded
 * @text: what to call it, as a string of the recorder
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
  guint64 n_samples;
} TbPerfAttr;

#define TB_PERF_ATTR_SMALLEST 64

/* Reads an attribute of which size bytes are there; FALSE if that is too few. *taken: bytes it occupies by its own size. */
gboolean tb_perf_attr_read (TbPerfAttr *self, const guint8 *at, gsize size, gboolean swap, gsize *taken);
void tb_perf_attr_clear (TbPerfAttr *self);

static inline gboolean
tb_perf_attr_has (const TbPerfAttr *self, TbPerfFlag flag)
{
  return (self->flags >> flag) & 1;
}

/* What to call it where the file does not; (transfer full). */
char *tb_perf_attr_make_name (const TbPerfAttr *self);

/**
 * TbPerfSample:
 * @chain: (nullable): as in the file, n_chain values
 * @raw: (nullable): the tracepoint's own record
 * @registers: (nullable): values of the registers in the attribute's mask, then @abi tells their width
 *
 * The parts of a sample whose place varies.
 */
typedef struct
{
  const guint8 *chain;
  const guint8 *raw;
  const guint8 *registers;
  const guint8 *stack;
  guint64 n_chain;
  guint64 abi;
  guint64 stack_size;
  guint32 raw_size;
} TbPerfSample;

/* FALSE where a length points past the record's end. */
gboolean tb_perf_attr_read_sample (const TbPerfAttr *self,
                                   const guint8 *record,
                                   gsize size,
                                   gboolean swap,
                                   TbPerfSample *sample);

G_END_DECLS
