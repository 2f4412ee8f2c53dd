/* tb-perf-records.c: conversion of the records of a perf.data file that are not samples into
 * events: tasks, names, mappings, losses; records of switches are only passed on
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#include "config.h"

#include "tb-perf-import-private.h"

#include <linux/perf_event.h>

#include "session/schema/tb-module-file.h"
#include "tb-perf-build-id.h"
#include "tb-perf-feature.h"
#include "tb-perf-file-locks.h"
#include "tb-perf-jit.h"
#include "tb-perf-polls.h"
#include "tb-perf-symbols.h"

#define PROTECTION_EXECUTE 4
/* If the first switch comes this early, no switch was missed: CPUs do not switch all the time. */
#define UNRECORDED_TOLERANCE_NS G_GINT64_CONSTANT (1000000)
#define MISC_MMAP_DATA (1 << 13)
#define MISC_COMM_EXEC (1 << 13)
#define MISC_MMAP_BUILD_ID (1 << 14)
#define MISC_LOST_TO_FILTER (1 << 15) /* omitted by a BPF program on purpose */
#define MISC_CPUMODE 7
#define MISC_KERNEL 1
#define BUILD_ID_MAX 20
#define MAX_FILES_LOOKED_AT 4096
/* followed by a symbol; the address of the symbol is stored as the file offset */
#define KERNEL_MAPPING "[kernel.kallsyms]"

static const char *const record_names[] = {
  [PERF_RECORD_MMAP] = "MMAP",
  [PERF_RECORD_LOST] = "LOST",
  [PERF_RECORD_COMM] = "COMM",
  [PERF_RECORD_EXIT] = "EXIT",
  [PERF_RECORD_THROTTLE] = "THROTTLE",
  [PERF_RECORD_UNTHROTTLE] = "UNTHROTTLE",
  [PERF_RECORD_FORK] = "FORK",
  [PERF_RECORD_READ] = "READ",
  [PERF_RECORD_SAMPLE] = "SAMPLE",
  [PERF_RECORD_MMAP2] = "MMAP2",
  [PERF_RECORD_AUX] = "AUX",
  [PERF_RECORD_ITRACE_START] = "ITRACE_START",
  [PERF_RECORD_LOST_SAMPLES] = "LOST_SAMPLES",
  [PERF_RECORD_SWITCH] = "SWITCH",
  [PERF_RECORD_SWITCH_CPU_WIDE] = "SWITCH_CPU_WIDE",
  [PERF_RECORD_NAMESPACES] = "NAMESPACES",
  [PERF_RECORD_KSYMBOL] = "KSYMBOL",
  [PERF_RECORD_BPF_EVENT] = "BPF_EVENT",
  [PERF_RECORD_CGROUP] = "CGROUP",
  [PERF_RECORD_TEXT_POKE] = "TEXT_POKE",
  [PERF_RECORD_AUX_OUTPUT_HW_ID] = "AUX_OUTPUT_HW_ID",
  [TB_PERF_RECORD_CALLCHAIN_DEFERRED] = "CALLCHAIN_DEFERRED",
  [TB_PERF_RECORD_ATTR] = "HEADER_ATTR",
  [TB_PERF_RECORD_EVENT_TYPE] = "HEADER_EVENT_TYPE",
  [TB_PERF_RECORD_TRACING_DATA] = "HEADER_TRACING_DATA",
  [TB_PERF_RECORD_BUILD_ID] = "HEADER_BUILD_ID",
  [TB_PERF_RECORD_FINISHED_ROUND] = "FINISHED_ROUND",
  [TB_PERF_RECORD_ID_INDEX] = "ID_INDEX",
  [TB_PERF_RECORD_AUXTRACE_INFO] = "AUXTRACE_INFO",
  [TB_PERF_RECORD_AUXTRACE] = "AUXTRACE",
  [TB_PERF_RECORD_AUXTRACE_ERROR] = "AUXTRACE_ERROR",
  [TB_PERF_RECORD_THREAD_MAP] = "THREAD_MAP",
  [TB_PERF_RECORD_CPU_MAP] = "CPU_MAP",
  [TB_PERF_RECORD_STAT_CONFIG] = "STAT_CONFIG",
  [TB_PERF_RECORD_STAT] = "STAT",
  [TB_PERF_RECORD_STAT_ROUND] = "STAT_ROUND",
  [TB_PERF_RECORD_EVENT_UPDATE] = "EVENT_UPDATE",
  [TB_PERF_RECORD_TIME_CONV] = "TIME_CONV",
  [TB_PERF_RECORD_FEATURE] = "HEADER_FEATURE",
  [TB_PERF_RECORD_COMPRESSED] = "COMPRESSED",
  [TB_PERF_RECORD_FINISHED_INIT] = "FINISHED_INIT",
  [TB_PERF_RECORD_COMPRESSED2] = "COMPRESSED2",
  [TB_PERF_RECORD_BPF_METADATA] = "BPF_METADATA",
  [TB_PERF_RECORD_SCHEDSTAT_CPU] = "SCHEDSTAT_CPU",
  [TB_PERF_RECORD_SCHEDSTAT_DOMAIN] = "SCHEDSTAT_DOMAIN",
};

const char *
tb_perf_record_get_name (guint32 type)
{
  return type < G_N_ELEMENTS (record_names) && record_names[type] != NULL ? record_names[type]
                                                                          : "UNKNOWN";
}

/* Fields at the end of a record: CPU and task. */
static guint16
get_cpu (TbPerfImport *self, const guint8 *record, gsize size)
{
  guint16 tail = tb_perf_import_get_tail (self, record, size)->tail_cpu;
  guint32 cpu;

  if (tail == TB_PERF_ABSENT || size < TB_PERF_HEADER_SIZE + (gsize) tail)
    return TB_CPU_ALL;
  cpu = tb_perf_u32 (record + size - tail, self->swap);
  return cpu < TB_CPU_ALL ? cpu : TB_CPU_ALL;
}

gboolean
tb_perf_import_get_task (TbPerfImport *self,
                         const guint8 *record,
                         gsize size,
                         gint32 *pid,
                         gint32 *tid)
{
  guint16 tail = tb_perf_import_get_tail (self, record, size)->tail_task;

  if (tail == TB_PERF_ABSENT || size < TB_PERF_HEADER_SIZE + (gsize) tail)
    return FALSE;
  *pid = tb_perf_u32 (record + size - tail, self->swap);
  *tid = tb_perf_u32 (record + size - tail + 4, self->swap);
  return TRUE;
}

/* Interns the text at the end of a record's own fields, before the trailer. */
static guint32
intern_text (TbPerfImport *self, const guint8 *record, gsize size, gsize offset)
{
  const char *text = (const char *) record + offset;

  if (offset >= size)
    return TB_STRING_NONE;
  return tb_recorder_intern_string (self->recorder, text, strnlen (text, size - offset));
}

TbEvent
tb_perf_import_begin_event (TbPerfImport *self, const guint8 *record, gsize size, gint64 time)
{
  return (TbEvent) {
    .time = time, .host = self->host, .cpu = get_cpu (self, record, size), .tid = -1, .pid = -1
  };
}

void
tb_perf_import_end_losses (TbPerfImport *self)
{
  TbEvent event
      = { .time = self->flushed, .kind = TB_EVENT_LOST, .host = self->host, .cpu = TB_CPU_ALL };

  if (self->n_lost_samples <= self->n_lost)
    return;
  event.a = self->n_lost_samples - self->n_lost;
  event.b = MAX (self->first_time, 0);
  event.tid = event.pid = -1;
  self->n_lost_unplaced = event.a;
  tb_perf_import_add (self, &event);
}

/* A thread that was forked before switches were recorded may have run and slept in that time, which
 * is not in the recording. */
void
tb_perf_import_begin_switches (TbPerfImport *self, gint64 time)
{
  TbEvent event = {
    .time = time, .kind = TB_EVENT_LOST, .host = self->host, .cpu = TB_CPU_ALL, .tid = -1, .pid = -1
  };

  self->switches_began = TRUE;
  if (self->n_early_forks == 0 || time - self->first_time < UNRECORDED_TOLERANCE_NS)
    return;
  self->unrecorded_ns = time - self->first_time;
  event.b = self->first_time;
  tb_perf_import_add (self, &event);
}

void
tb_perf_import_end_listing (TbPerfImport *self, gint64 time)
{
  TbEvent event
      = { .time = time, .kind = TB_EVENT_EXISTING, .host = self->host, .cpu = TB_CPU_ALL };

  if (self->listed_tid == 0)
    return;
  event.tid = self->listed_tid;
  event.pid = self->listed_pid;
  event.a = self->listed_parent;
  tb_perf_import_add (self, &event);
  self->listed_tid = 0;
}

void
tb_perf_import_add_existing_thread (TbPerfImport *self, const guint8 *record)
{
  gint32 parent = tb_perf_u32 (record + 12, self->swap);
  TbEvent event = {
    .time = self->first_time, .kind = TB_EVENT_EXISTING, .host = self->host, .cpu = TB_CPU_ALL
  };

  event.pid = tb_perf_u32 (record + 8, self->swap);
  event.tid = tb_perf_u32 (record + 16, self->swap);
  event.a = parent > 0 && parent != event.pid ? parent : 0;
  tb_perf_import_add (self, &event);
}

static gboolean
is_new_thread (TbPerfImport *self, gint32 tid)
{
  return self->new_threads != NULL
         && g_hash_table_contains (self->new_threads, GUINT_TO_POINTER ((guint32) tid));
}

/* At its start perf lists existing tasks as forks without a time, each followed by a name
 * record. */
static void
read_fork (TbPerfImport *self, const guint8 *record, gsize size, gint64 time, gboolean listed)
{
  gint32 pid, parent, tid, parent_tid;
  TbEvent event;

  if (size < 24)
    return;
  pid = tb_perf_u32 (record + 8, self->swap);
  parent = tb_perf_u32 (record + 12, self->swap);
  tid = tb_perf_u32 (record + 16, self->swap);
  parent_tid = tb_perf_u32 (record + 20, self->swap);
  if (self->is_container && tid == 0) /* outside of the container */
    return;
  tb_perf_import_note_process (self, tid, pid);
  if (listed)
    {
      if (is_new_thread (self, tid))
        return;
      tb_perf_import_set_named (self, tid, FALSE);
      tb_perf_import_end_listing (self, time);
      self->listed_tid = tid;
      self->listed_pid = pid;
      self->listed_parent = parent != pid && parent > 0 ? parent : 0;
      return;
    }
  self->n_early_forks += !self->switches_began;
  /* The new thread has the name of its creator. A new process has a copy of the mappings. */
  tb_perf_import_set_named (self, tid, tb_perf_import_is_named (self, parent_tid));
  if (self->unwinder != NULL && pid != parent)
    tb_unwinder_fork_process (self->unwinder, parent, pid);
  event = tb_perf_import_begin_event (self, record, size, time);
  event.kind = TB_EVENT_FORK;
  event.tid = self->is_container && parent_tid == 0 ? -1 : parent_tid;
  event.pid = parent;
  event.a = (guint64) tid;
  event.b = (guint64) pid;
  tb_perf_import_add (self, &event);
}

static void
read_exit (TbPerfImport *self, const guint8 *record, gsize size, gint64 time)
{
  TbEvent event = tb_perf_import_begin_event (self, record, size, time);

  if (size < 24)
    return;
  event.kind = TB_EVENT_EXIT;
  event.pid = tb_perf_u32 (record + 8, self->swap);
  event.tid = tb_perf_u32 (record + 16, self->swap);
  if (self->is_container && event.tid == 0)
    return;
  tb_perf_import_add (self, &event);
  tb_perf_import_set_named (self, event.tid, FALSE);
  if (self->unwinder != NULL && event.tid == event.pid)
    tb_unwinder_clear_process (self->unwinder, event.pid);
  if (self->polls != NULL && event.tid == event.pid)
    tb_perf_polls_forget_process (self->polls, event.pid);
}

/* perf forks the process of the command before it records, and calls it "perf-exec" until the
 * program is executed. Older versions leave it their own name. */
static void
find_command (TbPerfImport *self, const TbEvent *event, const char *name, gboolean listed)
{
  gpointer tid = GUINT_TO_POINTER ((guint32) event->tid);
  const char *const *words = (const char *const *) self->file->command_line;

  if (self->command_kind == TB_PERF_COMMAND_NONE || self->command_pid != 0)
    return;
  if (event->kind != TB_EVENT_EXEC)
    {
      if (g_str_equal (name, "perf-exec") || (listed && g_str_equal (name, "perf")))
        g_hash_table_add (self->starting, tid);
      return;
    }
  if (!g_hash_table_remove (self->starting, tid)
      || (self->command_kind == TB_PERF_COMMAND_KNOWN
          && !tb_perf_command_is_program (words[self->command_first], name)))
    return;
  self->command_pid = event->pid;
  self->command_program = g_utf8_make_valid (name, -1);
}

static void
read_comm (TbPerfImport *self, const guint8 *record, gsize size, gint64 time, gboolean listed)
{
  guint16 misc = tb_perf_u16 (record + 4, self->swap);
  TbEvent event = tb_perf_import_begin_event (self, record, size, time);
  g_autofree char *name = NULL;

  if (size < 16)
    return;
  event.pid = tb_perf_u32 (record + 8, self->swap);
  event.tid = tb_perf_u32 (record + 12, self->swap);
  event.text = intern_text (self, record, size, 16);
  if (event.tid <= 0 || (listed && is_new_thread (self, event.tid)))
    return;
  tb_perf_import_set_named (self, event.tid, TRUE);
  tb_perf_import_note_process (self, event.tid, event.pid);
  if (listed)
    {
      if (self->listed_tid != event.tid)
        tb_perf_import_end_listing (self, time);
      event.kind = TB_EVENT_EXISTING;
      event.cpu = TB_CPU_ALL;
      event.a = self->listed_tid == event.tid ? self->listed_parent : 0;
      self->listed_tid = 0;
    }
  else
    event.kind = misc & MISC_COMM_EXEC ? TB_EVENT_EXEC : TB_EVENT_NAME;
  name = g_strndup ((const char *) record + 16, size - 16);
  find_command (self, &event, name, listed);
  if (event.kind == TB_EVENT_EXEC && self->unwinder != NULL)
    tb_unwinder_clear_process (self->unwinder, event.pid);
  if (event.kind == TB_EVENT_EXEC)
    tb_perf_jit_end_program (self, event.pid);
  if (event.kind == TB_EVENT_EXEC && self->polls != NULL)
    tb_perf_polls_forget_process (self->polls, event.pid);
  tb_perf_import_add (self, &event);
}

/* The kernel and its modules: their addresses are the same in every process and need no mapping. */
static void
read_kernel_mapping (TbPerfImport *self, const guint8 *record, const char *path)
{
  if (g_str_has_prefix (path, KERNEL_MAPPING))
    tb_perf_import_set_kernel (self, path + strlen (KERNEL_MAPPING),
                               tb_perf_u64 (record + 32, self->swap),
                               g_hash_table_lookup (self->file->build_ids, KERNEL_MAPPING));
}

/* Returns the build ID from the file, or else that of the same inode if it is on this host. */
static const char *
find_build_id (TbPerfImport *self, const char *path, const TbModuleFile *mapped)
{
  const char *known = g_hash_table_lookup (self->file->build_ids, path);
  g_autofree char *key = NULL;
  char *found;
  gpointer seen;

  if (known != NULL && *known != '\0')
    return known;
  if (mapped->inode == 0 || !self->is_own_host)
    return NULL;
  key = g_strdup_printf ("%u:%u:%" G_GUINT64_FORMAT ":%s", mapped->major, mapped->minor,
                         mapped->inode, path);
  if (g_hash_table_lookup_extended (self->found_build_ids, key, NULL, &seen))
    return seen;
  if (g_hash_table_size (self->found_build_ids) >= MAX_FILES_LOOKED_AT)
    return NULL;
  found = tb_perf_build_id_find (path, mapped->major, mapped->minor, mapped->inode,
                                 self->file->written);
  g_hash_table_insert (self->found_build_ids, g_steal_pointer (&key), found);
  return found;
}

/* Memory in which compilers generate code. */
static gboolean
is_anonymous (const char *path)
{
  return g_str_has_prefix (path, "//anon") || g_str_has_prefix (path, "/memfd:")
         || g_str_has_prefix (path, "/dev/zero") || path[0] == '[';
}

static void
add_mapping (TbPerfImport *self,
             const guint8 *record,
             gsize size,
             gint64 time,
             gboolean listed,
             const char *path,
             const char *build_id,
             const TbModuleFile *mapped)
{
  guint16 misc = tb_perf_u16 (record + 4, self->swap);
  TbEvent event = tb_perf_import_begin_event (self, record, size, time);
  gint32 pid = tb_perf_u32 (record + 8, self->swap);

  if (pid < 0 || (misc & MISC_CPUMODE) == MISC_KERNEL)
    {
      read_kernel_mapping (self, record, path);
      return;
    }
  if (listed && is_new_thread (self, pid))
    return;
  event.kind = TB_EVENT_MAPPING;
  if (listed)
    event.cpu = TB_CPU_ALL;
  event.pid = pid;
  event.tid = tb_perf_u32 (record + 12, self->swap);
  event.a = tb_perf_u64 (record + 16, self->swap);
  event.b = tb_perf_u64 (record + 24, self->swap);
  event.c = tb_perf_u64 (record + 32, self->swap);
  tb_perf_symbols_add_mapping (self->file->symbols, path, event.c, event.b);
  event.module = tb_recorder_intern_file (self->recorder, path, build_id, mapped, pid);
  if (self->unwinder != NULL)
    tb_unwinder_add_mapping (self->unwinder, pid, event.a, event.b, event.c, path, build_id,
                             mapped);
  tb_perf_import_add (self, &event);
  tb_perf_jit_add_dump (self, pid, path, mapped);
  if (is_anonymous (path))
    tb_perf_jit_map_again (self, pid, event.a, event.b, time);
}

static void
read_mmap (TbPerfImport *self, const guint8 *record, gsize size, gint64 time, gboolean listed)
{
  static const TbModuleFile mapped = { .protection = PROTECTION_EXECUTE };
  guint16 misc = tb_perf_u16 (record + 4, self->swap);
  g_autofree char *path = NULL;

  if (size <= 40 || misc & MISC_MMAP_DATA)
    return;
  path = g_strndup ((const char *) record + 40, size - 40);
  add_mapping (self, record, size, time, listed, path, find_build_id (self, path, &mapped),
               &mapped);
}

/* Whether the mapping has a build ID in place of device and inode. Two facts make its flag
 * unreliable. perf inject sets it with a build ID of the length 0 for files whose build ID it does
 * not find. Linux 6.18 sets it in records of all recordings at the same time if one of them
 * requests build IDs. A real build ID is followed by zeros. */
static gboolean
has_build_id (const guint8 *record, guint16 misc)
{
  guint length = record[40];

  if ((misc & MISC_MMAP_BUILD_ID) == 0 || length > BUILD_ID_MAX)
    return FALSE;
  for (guint i = 41; i < 44; i++)
    if (record[i] != 0)
      return FALSE;
  for (guint i = length; i < BUILD_ID_MAX; i++)
    if (record[44 + i] != 0)
      return FALSE;
  return TRUE;
}

static void
read_mmap2 (TbPerfImport *self, const guint8 *record, gsize size, gint64 time, gboolean listed)
{
  guint16 misc = tb_perf_u16 (record + 4, self->swap);
  g_autofree char *path = NULL;
  g_autofree char *build_id = NULL;
  TbModuleFile mapped = { 0 };
  gboolean is_identified;

  if (size <= 72 || (misc & MISC_MMAP_DATA && self->file_locks == NULL))
    return;
  is_identified = has_build_id (record, misc);
  path = g_strndup ((const char *) record + 72, size - 72);
  if (!is_identified)
    {
      mapped.major = tb_perf_u32 (record + 40, self->swap);
      mapped.minor = tb_perf_u32 (record + 44, self->swap);
      mapped.inode = tb_perf_u64 (record + 48, self->swap);
      tb_perf_file_locks_add_path (self, mapped.major, mapped.minor, mapped.inode, path);
    }
  if (misc & MISC_MMAP_DATA)
    return;
  /* perf before 5.12 lists mappings without their protection. */
  mapped.protection = tb_perf_u32 (record + 64, self->swap);
  if (mapped.protection != 0 && (mapped.protection & PROTECTION_EXECUTE) == 0)
    return;
  if (is_identified && record[40] > 0)
    build_id = tb_perf_build_id_to_text (record + 44, MIN (record[40], BUILD_ID_MAX));
  add_mapping (self, record, size, time, listed, path,
               build_id != NULL ? build_id : find_build_id (self, path, &mapped), &mapped);
}

/* After a loss, nothing is known of what a thread did since its last event. */
static void
forget_state (TbPerfImport *self)
{
  if (self->is_container)
    tb_perf_namespace_forget_running (self->namespace);
  if (self->polls != NULL)
    tb_perf_polls_forget (self->polls);
}

static void
read_lost (TbPerfImport *self, const guint8 *record, gsize size, gint64 time)
{
  TbEvent event = tb_perf_import_begin_event (self, record, size, time);
  gint64 before;

  if (size < 24)
    return;
  event.kind = TB_EVENT_LOST;
  event.a = tb_perf_u64 (record + 16, self->swap);
  before = tb_perf_import_update_cpu_time (self, event.cpu, time);
  event.b = before > 0 ? before : MAX (self->first_time, 0);
  self->n_lost += event.a;
  forget_state (self);
  tb_perf_import_add (self, &event);
}

/* With a time, the kernel reports samples of one event that were dropped at that place. Without a
 * time, at the end of the file, perf reports the kernel's counts per event, which include those
 * drops again. */
static void
read_lost_samples (TbPerfImport *self,
                   const guint8 *record,
                   gsize size,
                   gint64 time,
                   gboolean listed)
{
  TbEvent event = tb_perf_import_begin_event (self, record, size, time);
  gint64 before;

  if (size < 16 || (tb_perf_u16 (record + 4, self->swap) & MISC_LOST_TO_FILTER) != 0)
    return;
  event.a = tb_perf_u64 (record + 8, self->swap);
  if (listed || tb_perf_import_get_tail (self, record, size)->tail_time == TB_PERF_ABSENT)
    {
      self->n_lost_samples += event.a;
      return;
    }
  event.kind = TB_EVENT_LOST;
  before = tb_perf_import_update_cpu_time (self, event.cpu, time);
  event.b = before > 0 ? before : MAX (self->first_time, 0);
  self->n_lost += event.a;
  forget_state (self);
  tb_perf_import_add (self, &event);
}

void
tb_perf_import_record (TbPerfImport *self,
                       const guint8 *record,
                       gsize size,
                       gint64 time,
                       gboolean listed)
{
  guint32 type = tb_perf_u32 (record, self->swap);

  switch (type)
    {
    case PERF_RECORD_MMAP:
      read_mmap (self, record, size, time, listed);
      break;
    case PERF_RECORD_MMAP2:
      read_mmap2 (self, record, size, time, listed);
      break;
    case PERF_RECORD_COMM:
      read_comm (self, record, size, time, listed);
      break;
    case PERF_RECORD_FORK:
      read_fork (self, record, size, time, listed);
      break;
    case PERF_RECORD_EXIT:
      read_exit (self, record, size, time);
      break;
    case PERF_RECORD_LOST:
      read_lost (self, record, size, time);
      break;
    case PERF_RECORD_LOST_SAMPLES:
      read_lost_samples (self, record, size, time, listed);
      break;
    case PERF_RECORD_SWITCH:
    case PERF_RECORD_SWITCH_CPU_WIDE:
      tb_perf_switches_read (self->switches, record, size, time);
      break;
    case PERF_RECORD_THROTTLE:
      self->n_throttled++;
      break;
    case TB_PERF_RECORD_CALLCHAIN_DEFERRED: /* read before the samples of which it is a part */
      break;
    default:
      self->skipped[MIN (type, TB_PERF_N_RECORDS)]++;
      break;
    }
}
