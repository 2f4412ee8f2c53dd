/* perf-data-scenario.h: perf.data file with every kind of record that the importer uses
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#pragma once

#include <linux/perf_event.h>

#include "perf-data-writer.h"

G_BEGIN_DECLS

#define ALL_FEATURES G_MAXUINT64
#define USUAL                                                                                      \
  (PERF_SAMPLE_IDENTIFIER | PERF_SAMPLE_IP | PERF_SAMPLE_TID | PERF_SAMPLE_TIME | PERF_SAMPLE_CPU  \
   | PERF_SAMPLE_PERIOD | PERF_SAMPLE_CALLCHAIN)
#define KERNEL 0xffffffffffffff80
#define USER 0xfffffffffffffe00

enum
{
  FLAG_MMAP = 8,
  FLAG_COMM = 9,
  FLAG_FREQUENCY = 10,
  FLAG_TASK = 13,
  FLAG_CLOCKID = 25,
  FLAG_WRITE_BACKWARD = 27,
};

/* Fields at the start of every tracepoint's format. */
#define COMMON                                                                                     \
  "format:\n"                                                                                      \
  "\tfield:unsigned short common_type;\toffset:0;\tsize:2;\tsigned:0;\n"                           \
  "\tfield:unsigned char common_flags;\toffset:2;\tsize:1;\tsigned:0;\n"                           \
  "\tfield:unsigned char common_preempt_count;\toffset:3;\tsize:1;\tsigned:0;\n"                   \
  "\tfield:int common_pid;\toffset:4;\tsize:4;\tsigned:1;\n\n"

typedef struct
{
  guint64 ip;
  gint32 pid;
  gint32 tid;
  guint64 time;
  guint32 cpu;
  const guint64 *chain;
  guint n_chain;
} SampleHead;

/* Format of sched_switch, with its fields in another order than in any kernel: the importer must
 * find them by name. */
extern const char scenario_switch_format[];

void begin_sample (Writer *writer, const WriterAttr *attr, const SampleHead *head, guint16 mode);
void begin_raw (Writer *writer, guint16 id, guint8 flags, gint32 tid);
void end_raw (Writer *writer);
void put_name (Writer *writer, const char *name, gsize room);
void
begin_tracepoint (Writer *writer, guint attr, guint cpu, gint32 tid, guint64 time, guint8 flags);
void end_tracepoint (Writer *writer);
void end_round (Writer *writer);
void add_attrs (Writer *writer);
void write_scenario (Writer *writer, gboolean with_auxiliary);
void add_switch (Writer *writer, guint cpu, guint64 time, gint32 prev, guint64 state, gint32 next);
void
add_comm (Writer *writer, gint32 pid, gint32 tid, const char *name, guint64 time, guint16 misc);
void add_task (Writer *writer,
               guint32 type,
               gint32 pid,
               gint32 parent,
               gint32 tid,
               gint32 parent_tid,
               guint64 time);
void add_mmap2 (Writer *writer,
                gint32 pid,
                guint64 start,
                const char *path,
                gboolean with_build_id,
                guint64 time);
void
add_simple (Writer *writer, guint32 type, const guint64 *words, guint n, guint64 time, guint cpu);
GByteArray *make_scenario (gboolean big_endian, WriterMode mode, WriterPacking packing);

G_END_DECLS
