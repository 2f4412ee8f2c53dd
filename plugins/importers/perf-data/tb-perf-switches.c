/* tb-perf-switches.c: thread switches of a perf.data file, from the tracepoint and from records,
 * without those that both report; whether switches of all threads were recorded
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#include "config.h"

#include "tb-perf-switches.h"

#include <glib/gi18n-lib.h>
#include <inttypes.h>
#include <linux/perf_event.h>
#include <stdio.h>

#include "tb-perf-import-private.h"

#define MISC_SWITCH_OUT (1 << 13)
#define MISC_SWITCH_PREEMPTED (1 << 14) /* since Linux 4.17 */

/* An entry of an ID_INDEX record has an id, index, CPU and thread, which is -1 if a CPU was
 * recorded. */
#define ID_INDEX_ENTRIES_AT 16
#define ID_INDEX_THREAD_AT (ID_INDEX_ENTRIES_AT + 24)
#define ID_INDEX_SMALLEST (ID_INDEX_ENTRIES_AT + 32)

typedef enum
{
  SCOPE_UNKNOWN,
  SCOPE_THREADS,
  SCOPE_CPUS,
} Scope;

/* What reported that a thread left its CPU, since it last got one. */
typedef enum
{
  LEFT_TRACED = 1 << 0,
  LEFT_RECORDED = 1 << 1,
} Left;

/* The latest switch of a CPU. */
typedef struct
{
  gint32 prev;
  gint32 next;
  gboolean is_known;
  gboolean is_traced; /* its record has not come yet */
} CpuSwitch;

struct _TbPerfSwitches
{
  TbPerfImport *import;
  Scope scope;
  gboolean has_records;     /* by the attributes */
  gboolean has_preemptions; /* records show whether a thread was preempted */
  GHashTable *left;         /* TID → Left, if threads were recorded */
  CpuSwitch *cpus;          /* NULL until a CPU was recorded */
  guint64 n_traced;
  guint64 n_recorded;
  guint64 n_of_threads;
  guint64 n_anonymous; /* records without thread or time */
};

static gboolean
has_preemptions (const TbPerfFile *file)
{
  int major, minor;

  if (file->os_release == NULL || sscanf (file->os_release, "%d.%d", &major, &minor) != 2)
    return TRUE;
  return major > 4 || (major == 4 && minor >= 17);
}

TbPerfSwitches *
tb_perf_switches_new (TbPerfImport *import)
{
  TbPerfSwitches *self = g_new0 (TbPerfSwitches, 1);

  self->import = import;
  self->has_preemptions = has_preemptions (import->file);
  self->left = g_hash_table_new (NULL, NULL);
  for (guint i = 0; i < import->file->attrs->len; i++)
    {
      const TbPerfAttr *attr = tb_perf_file_get_attr (import->file, i);

      self->has_records |= tb_perf_attr_has (attr, TB_PERF_FLAG_CONTEXT_SWITCH);
      /* perf sets it if it records nothing but the command that it starts. */
      if (tb_perf_attr_has (attr, TB_PERF_FLAG_ENABLE_ON_EXEC))
        self->scope = SCOPE_THREADS;
    }
  return self;
}

void
tb_perf_switches_free (TbPerfSwitches *self)
{
  g_hash_table_unref (self->left);
  g_free (self->cpus);
  g_free (self);
}

void
tb_perf_switches_read_id_index (TbPerfSwitches *self, const guint8 *record, gsize size)
{
  gboolean swap = self->import->swap;

  if (self->scope != SCOPE_UNKNOWN || size < ID_INDEX_SMALLEST
      || tb_perf_u64 (record + TB_PERF_HEADER_SIZE, swap) == 0)
    return;
  self->scope
      = (gint32) tb_perf_u64 (record + ID_INDEX_THREAD_AT, swap) == -1 ? SCOPE_CPUS : SCOPE_THREADS;
}

void
tb_perf_switches_find_scope (TbPerfSwitches *self, guint32 record_type)
{
  if (self->scope != SCOPE_UNKNOWN)
    return;
  if (record_type == PERF_RECORD_SWITCH)
    self->scope = SCOPE_THREADS;
  else if (record_type == PERF_RECORD_SWITCH_CPU_WIDE)
    self->scope = SCOPE_CPUS;
}

gboolean
tb_perf_switches_are_of_threads (const TbPerfSwitches *self)
{
  return self->scope == SCOPE_THREADS;
}

gboolean
tb_perf_switches_are_incomplete (const TbPerfSwitches *self)
{
  return self->scope == SCOPE_THREADS && !self->has_records;
}

/* --- recordings of threads: one event for each thread that leaves, or comes --- */

static Left
get_left (TbPerfSwitches *self, gint32 tid)
{
  return GPOINTER_TO_UINT (g_hash_table_lookup (self->left, GINT_TO_POINTER (tid)));
}

static void
set_left (TbPerfSwitches *self, gint32 tid, Left left)
{
  g_hash_table_insert (self->left, GINT_TO_POINTER (tid), GUINT_TO_POINTER (left));
}

static void
add_of_thread (TbPerfSwitches *self, const TbEvent *event)
{
  self->n_of_threads++;
  tb_perf_import_add (self->import, event);
}

static void
add_traced_thread (TbPerfSwitches *self, TbEvent *event)
{
  /* It is not known how long the next thread runs, unless that is recorded too; then its own record
   * shows that it got the CPU. */
  event->a = (guint64) -1;
  event->b = 0;
  set_left (self, event->tid, LEFT_TRACED);
  add_of_thread (self, event);
}

static void
read_thread (TbPerfSwitches *self, TbEvent *event, gint32 pid, gint32 tid, guint16 misc)
{
  if (tid <= 0)
    {
      self->n_anonymous++;
      return;
    }
  self->n_recorded++;
  if (!(misc & MISC_SWITCH_OUT))
    {
      if (self->import->has_switch)
        set_left (self, tid, 0);
      event->code = TB_PREV_STATE_UNKNOWN; /* of the thread that had the CPU, if that is known */
      event->a = (guint64) tid;
      event->b = (guint64) pid;
      add_of_thread (self, event);
      return;
    }
  if (self->import->has_switch)
    {
      Left left = get_left (self, tid);

      set_left (self, tid, left | LEFT_RECORDED);
      if (left == LEFT_TRACED)
        return;
    }
  event->tid = tid;
  event->pid = pid;
  event->a = (guint64) -1;
  add_of_thread (self, event);
}

/* --- recordings of CPUs --- */

static CpuSwitch *
get_cpu (TbPerfSwitches *self, guint16 cpu)
{
  if (self->cpus == NULL)
    self->cpus = g_new0 (CpuSwitch, TB_CPU_ALL);
  return cpu < TB_CPU_ALL ? &self->cpus[cpu] : NULL;
}

static void
add_traced_cpu (TbPerfSwitches *self, const TbEvent *event)
{
  if (self->has_records)
    {
      CpuSwitch *cpu = get_cpu (self, event->cpu);

      if (cpu != NULL)
        *cpu = (CpuSwitch) { event->tid, (gint32) event->a, TRUE, TRUE };
    }
  tb_perf_import_add (self->import, event);
}

/* Whether the latest switch of the CPU is that of a record. The thread that leaves is -1 in its
 * record once it has ended. */
static gboolean
is_reported (CpuSwitch *cpu, gint32 prev, gint32 next, gboolean is_leaving)
{
  gboolean is_same = cpu->is_known && cpu->next == next && (prev < 0 || cpu->prev == prev);

  if (!is_leaving)
    return is_same || (cpu->is_known && cpu->next == next && cpu->prev < 0);
  is_same = is_same && cpu->is_traced;
  cpu->is_traced = FALSE;
  return is_same;
}

/* In a container the records name its own threads alone, 0 being all others and the idle task. The
 * tracepoint names all. */
static gboolean
use_in_container (TbPerfSwitches *self, gint32 *prev, gint32 *next, gint32 *other_pid)
{
  if (*prev == 0)
    *prev = -1;
  if (*next == 0)
    *next = -1;
  if (*other_pid == 0)
    *other_pid = -1;
  return !self->import->has_switch && (*prev > 0 || *next > 0);
}

static void
read_cpu (TbPerfSwitches *self,
          TbEvent *event,
          gint32 pid,
          gint32 tid,
          gint32 other_pid,
          gint32 other_tid,
          gboolean is_leaving)
{
  CpuSwitch *cpu = get_cpu (self, event->cpu);
  gint32 prev = is_leaving ? tid : other_tid;
  gint32 next = is_leaving ? other_tid : tid;

  self->n_recorded++;
  if (G_UNLIKELY (self->import->is_container) && !use_in_container (self, &prev, &next, &other_pid))
    return;
  if (G_UNLIKELY (!self->import->switches_began))
    tb_perf_import_begin_switches (self->import, event->time);
  /* Without its CPU it cannot be joined with others: one of the records alone is used. */
  if (cpu == NULL ? !is_leaving || self->import->has_switch
                  : is_reported (cpu, prev, next, is_leaving))
    return;
  if (cpu != NULL)
    *cpu = (CpuSwitch) { prev, next, TRUE, FALSE };
  event->tid = prev;
  event->pid = is_leaving ? pid : other_pid;
  event->a = (guint64) next;
  event->b = is_leaving ? (guint64) MAX (other_pid, 0) : (guint64) MAX (pid, 0);
  if (!is_leaving)
    event->code = TB_PREV_STATE_UNKNOWN;
  tb_perf_import_add (self->import, event);
}

/* --- both --- */

void
tb_perf_switches_add_traced (TbPerfSwitches *self, TbEvent *event)
{
  self->n_traced++;
  if (self->scope == SCOPE_THREADS)
    add_traced_thread (self, event);
  else
    add_traced_cpu (self, event);
}

static guint8
get_code (TbPerfSwitches *self, guint16 misc)
{
  if (!self->has_preemptions)
    return TB_PREV_STATE_UNKNOWN;
  return misc & MISC_SWITCH_PREEMPTED ? TB_PREV_STATE_PREEMPTED : TB_PREV_STATE_ASLEEP;
}

void
tb_perf_switches_read (TbPerfSwitches *self, const guint8 *record, gsize size, gint64 time)
{
  TbPerfImport *import = self->import;
  const TbPerfLayout *tail = tb_perf_import_get_tail (import, record, size);
  gboolean is_of_cpu = tb_perf_u32 (record, import->swap) == PERF_RECORD_SWITCH_CPU_WIDE;
  guint16 misc = tb_perf_u16 (record + 4, import->swap);
  TbEvent event = tb_perf_import_begin_event (import, record, size, time);
  gint32 pid, tid;

  import->is_of_system |= is_of_cpu;
  if (tail->tail_time == TB_PERF_ABSENT
      || !tb_perf_import_get_task (import, record, size, &pid, &tid)
      || (is_of_cpu && size < (gsize) 16 + tail->trailer))
    {
      self->n_anonymous++;
      return;
    }
  event.kind = TB_EVENT_SWITCH;
  event.code = get_code (self, misc);
  if (is_of_cpu)
    read_cpu (self, &event, pid, tid, tb_perf_u32 (record + 8, import->swap),
              tb_perf_u32 (record + 12, import->swap), (misc & MISC_SWITCH_OUT) != 0);
  else
    read_thread (self, &event, pid, tid, misc);
}

void
tb_perf_switches_end (TbPerfSwitches *self)
{
  TbRecorder *recorder = self->import->recorder;

  if (self->n_of_threads > 0)
    tb_recorder_set_fact (recorder, TB_FACT_SWITCHES, "thread");
  if (self->n_recorded > 0 && self->n_traced == 0)
    tb_recorder_set_fact (recorder, TB_FACT_SWITCH_STACKS, "none");
  if (self->n_anonymous > 0)
    tb_recorder_add_warning (
        recorder,
        g_dngettext (GETTEXT_PACKAGE,
                     "%'" PRIu64 " record of a thread switch has no thread or no time and was left "
                     "out. Record with perf record --timestamp --switch-events.",
                     "%'" PRIu64 " records of thread switches have no thread or no time and were "
                     "left out. Record with perf record --timestamp --switch-events.",
                     (gulong) MIN (self->n_anonymous, G_MAXINT)),
        self->n_anonymous);
  if (self->import->n_rewritten > 0)
    tb_recorder_add_warning (
        recorder,
        _ ("perf inject --sched-stat replaced the thread switches of this file by others at later "
           "times, which are kept as marks: when threads ran and waited is unknown. Open the file "
           "that perf inject read."));
  if (tb_perf_switches_are_incomplete (self) && self->import->n_switch_marks > 0)
    tb_recorder_add_warning (
        recorder,
        _ ("The event sched_switch was recorded of the recorded threads alone: it shows when these "
           "left a CPU, not when they got one. It is kept as marks, and when threads ran and "
           "waited is unknown. Record with perf record -a, or with --switch-events."));
}
