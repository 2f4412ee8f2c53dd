/* perf-data-scenario.c: perf.data file with every kind of record that the importer uses
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#include "config.h"

#include "perf-data-scenario.h"

#include <string.h>

/* As in Linux 6, except for the order: fields must be found by name. */
const char scenario_switch_format[]
    = "name: sched_switch\nID: 300\n" COMMON
      "\tfield:pid_t next_pid;\toffset:8;\tsize:4;\tsigned:1;\n"
      "\tfield:pid_t prev_pid;\toffset:12;\tsize:4;\tsigned:1;\n"
      "\tfield:char prev_comm[16];\toffset:16;\tsize:16;\tsigned:0;\n"
      "\tfield:char next_comm[16];\toffset:32;\tsize:16;\tsigned:0;\n"
      "\tfield:long prev_state;\toffset:48;\tsize:8;\tsigned:1;\n\n"
      "print fmt: \"prev_state=%s%s\", (REC->prev_state & 255) ? __print_flags(REC->prev_state & "
      "255, \"|\", "
      "{ 0x00000001, "
      "\"S\" }, { 0x00000002, \"D\" }, { 0x00000004, \"T\" }, { 0x00000008, \"t\" }, { 0x00000010, "
      "\"X\" }, "
      "{ 0x00000020, "
      "\"Z\" }, { 0x00000040, \"P\" }, { 0x00000080, \"I\" }) : \"R\", REC->prev_state & 256 ? "
      "\"+\" : "
      "\"\"\n";
static const char waking_format[]
    = "name: sched_waking\nID: 301\n" COMMON
      "\tfield:char comm[16];\toffset:8;\tsize:16;\tsigned:0;\n"
      "\tfield:pid_t pid;\toffset:24;\tsize:4;\tsigned:1;\n\nprint fmt: \"pid=%d\", REC->pid\n";
static const char wakeup_format[]
    = "name: sched_wakeup\nID: 302\n" COMMON
      "\tfield:char comm[16];\toffset:8;\tsize:16;\tsigned:0;\n"
      "\tfield:pid_t pid;\toffset:24;\tsize:4;\tsigned:1;\n\nprint fmt: \"pid=%d\", REC->pid\n";
static const char irq_entry_format[]
    = "name: irq_handler_entry\nID: 303\n" COMMON
      "\tfield:int irq;\toffset:8;\tsize:4;\tsigned:1;\n"
      "\tfield:__data_loc char[] name;\toffset:12;\tsize:4;\tsigned:0;\n\nprint fmt: \"\"\n";
static const char irq_exit_format[]
    = "name: irq_handler_exit\nID: 304\n" COMMON
      "\tfield:int irq;\toffset:8;\tsize:4;\tsigned:1;\n\tfield:int "
      "ret;\toffset:12;\tsize:4;\tsigned:1;\n\nprint fmt: \"\"\n";
static const char softirq_format[]
    = "name: softirq_entry\nID: 305\n" COMMON
      "\tfield:unsigned int vec;\toffset:8;\tsize:4;\tsigned:0;\n\nprint fmt: \"\"\n";
static const char timer_format[]
    = "name: local_timer_entry\nID: 306\n" COMMON
      "\tfield:int vector;\toffset:8;\tsize:4;\tsigned:1;\n\nprint fmt: \"\"\n";
static const char issue_format[]
    = "name: block_rq_issue\nID: 307\n" COMMON
      "\tfield:dev_t dev;\toffset:8;\tsize:4;\tsigned:0;\n\tfield:sector_t "
      "sector;\toffset:16;\tsize:8;\tsigned:0;\n"
      "\tfield:unsigned int nr_sector;\toffset:24;\tsize:4;\tsigned:0;\n\tfield:unsigned int "
      "bytes;\toffset:28;\tsize:4;\tsigned:0;\n"
      "\tfield:char rwbs[8];\toffset:32;\tsize:8;\tsigned:0;\n\nprint fmt: \"\"\n";
static const char complete_format[]
    = "name: block_rq_complete\nID: 308\n" COMMON
      "\tfield:dev_t dev;\toffset:8;\tsize:4;\tsigned:0;\n\tfield:sector_t "
      "sector;\toffset:16;\tsize:8;\tsigned:0;\n"
      "\tfield:unsigned int nr_sector;\toffset:24;\tsize:4;\tsigned:0;\n\tfield:int "
      "error;\toffset:28;\tsize:4;\tsigned:1;\n"
      "\tfield:char rwbs[8];\toffset:32;\tsize:8;\tsigned:0;\n\nprint fmt: \"\"\n";
static const char sys_enter_format[]
    = "name: sys_enter\nID: 309\n" COMMON
      "\tfield:long id;\toffset:8;\tsize:8;\tsigned:1;\n\tfield:unsigned "
      "long args[6];\toffset:16;\tsize:48;\tsigned:0;\n\nprint fmt: \"\"\n";
static const char sys_exit_format[]
    = "name: sys_exit\nID: 310\n" COMMON
      "\tfield:long id;\toffset:8;\tsize:8;\tsigned:1;\n\tfield:long "
      "ret;\toffset:16;\tsize:8;\tsigned:1;\n\nprint fmt: \"\"\n";
static const char call_format[]
    = "name: compute\nID: 311\n" COMMON
      "\tfield:unsigned long __probe_ip;\toffset:8;\tsize:8;\tsigned:0;\n\nprint fmt: \"\"\n";
static const char return_format[]
    = "name: compute__return\nID: 312\n" COMMON
      "\tfield:unsigned long __probe_func;\toffset:8;\tsize:8;\tsigned:0;\n"
      "\tfield:unsigned long __probe_ret_ip;\toffset:16;\tsize:8;\tsigned:0;\n\nprint fmt: \"\"\n";
static const char mark_format[]
    = "name: note\nID: 313\n" COMMON
      "\tfield:int count;\toffset:8;\tsize:4;\tsigned:1;\n\tfield:__rel_loc "
      "char[] what;\toffset:12;\tsize:4;\tsigned:0;\n"
      "\tfield:void * where;\toffset:16;\tsize:8;\tsigned:0;\n\tfield:u16 "
      "list[2];\toffset:24;\tsize:4;\tsigned:0;\n\nprint fmt: \"\"\n";

/* Samples */

static guint64 id_choice; /* which of an event's IDs the next samples have */

void
begin_sample (Writer *writer, const WriterAttr *attr, const SampleHead *head, guint16 mode)
{
  guint64 type = attr->sample_type;
  guint64 id = attr->n_ids > 0 ? attr->ids[id_choice++ % attr->n_ids] : 0;

  writer_begin (writer, PERF_RECORD_SAMPLE, mode);
  if (type & PERF_SAMPLE_IDENTIFIER)
    put_u64 (writer, id);
  if (type & PERF_SAMPLE_IP)
    put_u64 (writer, head->ip);
  if (type & PERF_SAMPLE_TID)
    {
      put_u32 (writer, head->pid);
      put_u32 (writer, head->tid);
    }
  if (type & PERF_SAMPLE_TIME)
    put_u64 (writer, head->time);
  if (type & PERF_SAMPLE_ADDR)
    put_u64 (writer, 0xadd0);
  if (type & PERF_SAMPLE_ID)
    put_u64 (writer, id);
  if (type & PERF_SAMPLE_STREAM_ID)
    put_u64 (writer, 0x5555);
  if (type & PERF_SAMPLE_CPU)
    {
      put_u32 (writer, head->cpu);
      put_u32 (writer, 0);
    }
  if (type & PERF_SAMPLE_PERIOD)
    put_u64 (writer, attr->type == PERF_TYPE_TRACEPOINT ? MAX (writer->traced_period, 1) : 777);
  if (type & PERF_SAMPLE_READ)
    {
      gboolean group = (attr->read_format & PERF_FORMAT_GROUP) != 0;
      guint n = group ? 3 : 1;

      if (group)
        put_u64 (writer, n);
      else
        put_u64 (writer, 0xc0);
      if (attr->read_format & PERF_FORMAT_TOTAL_TIME_ENABLED)
        put_u64 (writer, 0xe1);
      if (attr->read_format & PERF_FORMAT_TOTAL_TIME_RUNNING)
        put_u64 (writer, 0xe2);
      for (guint i = 0; i < n; i++)
        {
          if (group)
            put_u64 (writer, 0xc0 + i);
          if (attr->read_format & PERF_FORMAT_ID)
            put_u64 (writer, id);
          if (attr->read_format & PERF_FORMAT_LOST)
            put_u64 (writer, 0);
        }
    }
  if (type & PERF_SAMPLE_CALLCHAIN)
    {
      put_u64 (writer, head->n_chain);
      for (guint i = 0; i < head->n_chain; i++)
        put_u64 (writer, head->chain[i]);
    }
}

static guint64 raw_at;

/* A sample with a tracepoint's raw record, which begins with its common fields. */
void
begin_raw (Writer *writer, guint16 id, guint8 flags, gint32 tid)
{
  put_u32 (writer, 0);
  raw_at = writer->records->len;
  put_u16 (writer, id);
  put_u8 (writer, flags);
  put_u8 (writer, 0);
  put_u32 (writer, tid);
}

void
end_raw (Writer *writer)
{
  guint32 size;

  while ((writer->records->len - raw_at) % 8 != 4)
    put_u8 (writer, 0);
  size = writer->records->len - raw_at;
  size = writer->big_endian ? GUINT32_TO_BE (size) : GUINT32_TO_LE (size);
  memcpy (writer->records->data + raw_at - 4, &size, 4);
}

void
put_name (Writer *writer, const char *name, gsize room)
{
  char bytes[64] = { 0 };

  strcpy (bytes, name);
  put_bytes (writer, bytes, room);
}

static const guint64 mixed_chain[] = { KERNEL, 0xffffffff81000100, USER, 0x401234, 0x401000 };

void
begin_tracepoint (Writer *writer, guint attr, guint cpu, gint32 tid, guint64 time, guint8 flags)
{
  SampleHead head = { 0xffffffff81000100, tid > 0 ? tid / 10 * 10 : 0, tid, time, cpu,
                      mixed_chain,        G_N_ELEMENTS (mixed_chain) };

  begin_sample (writer, &writer->attrs[attr], &head, PERF_RECORD_MISC_KERNEL);
  begin_raw (writer, writer->attrs[attr].config, flags, tid);
}

void
end_tracepoint (Writer *writer)
{
  end_raw (writer);
  writer_end (writer);
}

void
add_switch (Writer *writer, guint cpu, guint64 time, gint32 prev, guint64 state, gint32 next)
{
  g_autofree char *prev_name = g_strdup_printf ("p%d", prev);
  g_autofree char *next_name = g_strdup_printf ("p%d", next);

  begin_tracepoint (writer, 2, cpu, prev, time, 1);
  put_u32 (writer, next);
  put_u32 (writer, prev);
  put_name (writer, prev_name, 16);
  put_name (writer, next_name, 16);
  put_u64 (writer, state);
  end_tracepoint (writer);
}

void
add_comm (Writer *writer, gint32 pid, gint32 tid, const char *name, guint64 time, guint16 misc)
{
  writer_begin (writer, PERF_RECORD_COMM, misc);
  put_u32 (writer, pid);
  put_u32 (writer, tid);
  put_text (writer, name);
  writer_put_trailer (writer, &writer->attrs[0], time ? pid : 0, time ? tid : 0, time, 0);
  writer_end (writer);
}

void
add_task (Writer *writer,
          guint32 type,
          gint32 pid,
          gint32 parent,
          gint32 tid,
          gint32 parent_tid,
          guint64 time)
{
  writer_begin (writer, type, 0);
  put_u32 (writer, pid);
  put_u32 (writer, parent);
  put_u32 (writer, tid);
  put_u32 (writer, parent_tid);
  put_u64 (writer, time);
  writer_put_trailer (writer, &writer->attrs[0], parent, parent_tid, time, 1);
  writer_end (writer);
}

void
add_mmap2 (Writer *writer,
           gint32 pid,
           guint64 start,
           const char *path,
           gboolean with_build_id,
           guint64 time)
{
  writer_begin (writer, PERF_RECORD_MMAP2, PERF_RECORD_MISC_USER | (with_build_id ? 1 << 14 : 0));
  put_u32 (writer, pid);
  put_u32 (writer, pid);
  put_u64 (writer, start);
  put_u64 (writer, 0x2000);
  put_u64 (writer, 0x1000);
  if (with_build_id)
    {
      put_u8 (writer, 4);
      put_u8 (writer, 0);
      put_u16 (writer, 0);
      put_bytes (writer, "\xde\xad\xbe\xef\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0", 20);
    }
  else
    for (guint i = 0; i < 3; i++)
      put_u64 (writer, 0);
  put_u32 (writer, 5);
  put_u32 (writer, 2);
  put_text (writer, path);
  writer_put_trailer (writer, &writer->attrs[0], pid, pid, time, 1);
  writer_end (writer);
}

void
add_simple (Writer *writer, guint32 type, const guint64 *words, guint n, guint64 time, guint cpu)
{
  writer_begin (writer, type, 0);
  for (guint i = 0; i < n; i++)
    put_u64 (writer, words[i]);
  writer_put_trailer (writer, &writer->attrs[0], 20, 20, time, cpu);
  writer_end (writer);
}

void
end_round (Writer *writer)
{
  writer_begin (writer, 68, 0);
  writer_end (writer);
}

void
add_attrs (Writer *writer)
{
  static const struct
  {
    const char *system;
    const char *name;
    const char *format;
  } tracepoints[] = {
    { "sched", "sched_switch", scenario_switch_format },
    { "sched", "sched_waking", waking_format },
    { "sched", "sched_wakeup", wakeup_format },
    { "irq", "irq_handler_entry", irq_entry_format },
    { "irq", "irq_handler_exit", irq_exit_format },
    { "irq", "softirq_entry", softirq_format },
    { "irq_vectors", "local_timer_entry", timer_format },
    { "block", "block_rq_issue", issue_format },
    { "block", "block_rq_complete", complete_format },
    { "raw_syscalls", "sys_enter", sys_enter_format },
    { "raw_syscalls", "sys_exit", sys_exit_format },
    { "probe_work", "compute", call_format },
    { "probe_work", "compute__return", return_format },
    { "own", "note", mark_format },
  };
  static char names[G_N_ELEMENTS (tracepoints)][64];
  WriterAttr *attr = writer_add_attr (writer, PERF_TYPE_SOFTWARE, 0, 1000000, USUAL, "cpu-clock");

  attr->flags |= 1u << FLAG_TASK | 1u << FLAG_COMM | 1u << FLAG_MMAP;
  writer_add_attr (writer, PERF_TYPE_SOFTWARE, 2, 1, USUAL, "page-faults");
  for (guint i = 0; i < G_N_ELEMENTS (tracepoints); i++)
    {
      g_snprintf (names[i], sizeof names[i], "%s:%s", tracepoints[i].system, tracepoints[i].name);
      writer_add_attr (writer, PERF_TYPE_TRACEPOINT, 300 + i, 1, USUAL | PERF_SAMPLE_RAW, names[i]);
      writer_add_format (writer, tracepoints[i].system, tracepoints[i].format);
    }
}

/* Records that the importer ignores, with meaningless content. */
static void
add_auxiliary (Writer *writer)
{
  static const guint64 words[6];

  add_simple (writer, PERF_RECORD_THROTTLE, words, 3, 1092, 0);
  add_simple (writer, PERF_RECORD_AUX, words, 3, 1093, 0);
  add_simple (writer, PERF_RECORD_ITRACE_START, words, 1, 1094, 0);
  add_simple (writer, PERF_RECORD_NAMESPACES, words, 2, 1095, 0);
  add_simple (writer, PERF_RECORD_KSYMBOL, words, 3, 1096, 0);
  add_simple (writer, PERF_RECORD_BPF_EVENT, words, 2, 1097, 0);
  add_simple (writer, PERF_RECORD_CGROUP, words, 2, 1098, 0);
  add_simple (writer, PERF_RECORD_TEXT_POKE, words, 2, 1099, 0);
  add_simple (writer, 60, words, 2, 1100, 0);
}

/* Every kind of record that the importer uses, in perf's order: CPU by CPU. */
void
write_scenario (Writer *writer, gboolean with_auxiliary)
{
  SampleHead head = { 0x401234, 20, 20, 1010, 1, mixed_chain, G_N_ELEMENTS (mixed_chain) };
  guint64 words[6] = { 0 };

  id_choice = 0;
  writer->feature_bits = ALL_FEATURES;
  writer->first_sample = 1000;
  writer->last_sample = 3000;
  add_attrs (writer);
  writer_add_build_id (writer, "[kernel.kallsyms]", 0xaa);
  writer_add_build_id (writer, "/usr/lib/libx.so", 0xbb);

  /* State from before the start, without times; thread 31 was created while perf listed the
   * threads. */
  writer_begin (writer, PERF_RECORD_MMAP, PERF_RECORD_MISC_KERNEL);
  put_u32 (writer, -1);
  put_u32 (writer, 0);
  put_u64 (writer, 0xffffffff81000000);
  put_u64 (writer, 0x1000000);
  put_u64 (writer, 0xffffffff81000000);
  put_text (writer, "[kernel.kallsyms]_no_such_symbol");
  writer_put_trailer (writer, &writer->attrs[0], 0, 0, 0, 0);
  writer_end (writer);
  add_task (writer, PERF_RECORD_FORK, 20, 1, 20, 1, 0);
  add_comm (writer, 20, 20, "worker", 0, 0);
  add_mmap2 (writer, 20, 0x400000, "/usr/bin/worker", TRUE, 0);
  add_mmap2 (writer, 20, 0x7f0000, "/usr/lib/libx.so", FALSE, 0);
  add_task (writer, PERF_RECORD_FORK, 30, 30, 31, 30, 0);
  add_comm (writer, 30, 31, "racer", 0, 0);
  add_task (writer, PERF_RECORD_FORK, 40, 1, 40, 1, 0);

  /* CPU 1 first */
  begin_sample (writer, &writer->attrs[0], &head, PERF_RECORD_MISC_USER);
  writer_end (writer);
  add_switch (writer, 1, 1020, 20, 1, 0);
  begin_tracepoint (writer, 5, 1, 0, 1030, 0);
  put_u32 (writer, 9);
  put_u32 (writer, 6 << 16 | 16);
  put_name (writer, "disk0", 8);
  end_tracepoint (writer);
  begin_tracepoint (writer, 10, 1, 0, 1031, 8);
  put_u32 (writer, 8u << 20 | 1);
  put_u32 (writer, 0);
  put_u64 (writer, 5000);
  put_u32 (writer, 8);
  put_u32 (writer, 0);
  put_name (writer, "WS", 8);
  end_tracepoint (writer);
  begin_tracepoint (writer, 3, 1, 0, 1032, 8);
  put_name (writer, "worker", 16);
  put_u32 (writer, 20);
  end_tracepoint (writer);
  begin_tracepoint (writer, 4, 1, 0, 1033, 8);
  put_name (writer, "worker", 16);
  put_u32 (writer, 20);
  end_tracepoint (writer);
  begin_tracepoint (writer, 6, 1, 0, 1034, 8);
  put_u32 (writer, 9);
  put_u32 (writer, 1);
  end_tracepoint (writer);
  add_switch (writer, 1, 1040, 0, 0, 20);

  /* CPU 0 */
  add_task (writer, PERF_RECORD_FORK, 30, 30, 31, 30, 1001);
  begin_tracepoint (writer, 9, 0, 20, 1005, 0);
  put_u32 (writer, 8u << 20 | 1);
  put_u32 (writer, 0);
  put_u64 (writer, 5000);
  put_u32 (writer, 8);
  put_u32 (writer, 4096);
  put_name (writer, "WS", 8);
  end_tracepoint (writer);
  begin_tracepoint (writer, 11, 0, 31, 1015, 0);
  put_u64 (writer, 1);
  for (guint i = 0; i < 6; i++)
    put_u64 (writer, 0x10 + i);
  end_tracepoint (writer);
  begin_tracepoint (writer, 12, 0, 31, 1025, 0);
  put_u64 (writer, 1);
  put_u64 (writer, -11);
  end_tracepoint (writer);
  words[0] = 100;
  words[1] = 17;
  add_simple (writer, PERF_RECORD_LOST, words, 2, 1035, 0);
  end_round (writer);

  add_switch (writer, 0, 1045, 31, 256, 55);
  begin_tracepoint (writer, 7, 0, 55, 1050, 0);
  put_u32 (writer, 3);
  end_tracepoint (writer);
  begin_tracepoint (writer, 8, 0, 55, 1055, 0);
  put_u32 (writer, 236);
  end_tracepoint (writer);
  begin_tracepoint (writer, 13, 0, 55, 1060, 0);
  put_u64 (writer, 0x401000);
  end_tracepoint (writer);
  begin_tracepoint (writer, 14, 0, 55, 1065, 0);
  put_u64 (writer, 0x401000);
  put_u64 (writer, 0x402000);
  end_tracepoint (writer);
  begin_tracepoint (writer, 15, 0, 55, 1070, 0);
  put_u32 (writer, -3);
  put_u32 (writer, 6 << 16 | 12);
  put_u64 (writer, 0xdead);
  put_u16 (writer, 7);
  put_u16 (writer, 8);
  put_name (writer, "hello", 6);
  end_tracepoint (writer);
  head = (SampleHead) { 0x401000, 50, 55, 1075, 0, NULL, 0 };
  begin_sample (writer, &writer->attrs[1], &head, PERF_RECORD_MISC_USER);
  writer_end (writer);
  begin_sample (writer, &writer->attrs[0], &head, 5 /* guest */);
  writer_end (writer);
  add_comm (writer, 50, 55, "newname", 1080, 0);
  add_comm (writer, 20, 20, "program", 1090, PERF_RECORD_MISC_COMM_EXEC);
  add_mmap2 (writer, 20, 0x500000, "/usr/bin/program", TRUE, 1091);
  if (with_auxiliary)
    add_auxiliary (writer);
  words[0] = 5;
  add_simple (writer, PERF_RECORD_LOST_SAMPLES, words, 1, 1105, 0);
  add_task (writer, PERF_RECORD_EXIT, 20, 1, 20, 1, 1110);
  end_round (writer);
  /* perf's total, of which 22 were reported in earlier records */
  words[0] = 30;
  add_simple (writer, PERF_RECORD_LOST_SAMPLES, words, 1, 0, 0);
  end_round (writer);
}

GByteArray *
make_scenario (gboolean big_endian, WriterMode mode, WriterPacking packing)
{
  g_autoptr (Writer) writer = writer_new (big_endian, mode, packing);

  write_scenario (writer, TRUE);
  return writer_finish (writer);
}
