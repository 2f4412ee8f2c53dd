/* tb-perf-import-private.h: internals of TbPerfImport, shared by the files that implement it
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#pragma once

#include "session/recorder/tb-recorder.h"
#include "symbols/tb-unwinder.h"
#include "tb-perf-arena.h"
#include "tb-perf-command.h"
#include "tb-perf-totals.h"
#include "tb-perf-file.h"
#include "tb-perf-import.h"
#include "tb-perf-inflate.h"
#include "tb-perf-namespace.h"
#include "tb-perf-switches.h"

G_BEGIN_DECLS

/* A record that waits until all earlier records have been read. */
typedef struct
{
  gint64 time;
  const guint8 *record;
} TbPerfPending;

typedef struct _TbPerfSockets TbPerfSockets;
typedef struct _TbPerfFileLocks TbPerfFileLocks;
typedef struct _TbPerfPolls TbPerfPolls;
typedef struct _TbPerfSampleTimes TbPerfSampleTimes;
typedef struct _TbPerfDeferred TbPerfDeferred;
typedef struct _TbPerfJit TbPerfJit;

#define TB_PERF_MAX_TID (1 << 22) /* the kernel's own limit */
/* Threads outside of a container can have IDs from that limit on. */
#define TB_PERF_MAX_NAMED (2 * TB_PERF_MAX_TID)

struct _TbPerfImport
{
  TbPerfFile *file;
  TbRecorder *recorder;
  TbProgressFunc progress;
  gpointer progress_data;
  GCancellable *cancellable;
  gboolean swap;
  guint32 host;

  /* Offsets of the time and the id in a record; TB_PERF_ABSENT if they depend on the event. */
  guint16 time_offset;
  guint16 id_offset;
  gboolean listing_is_last; /* the list of existing tasks is at the end of the file */

  TbPerfPending *pending;
  TbPerfPending *scratch;
  gsize n_pending;
  gsize capacity;
  GArray *runs;
  gint64 first_time;     /* of a record that has a time, -1 if none yet */
  gint64 latest;         /* latest time of an event read so far */
  gint64 latest_record;  /* likewise of any record */
  gint64 round_end;      /* latest time in the round before the current one */
  gint64 time_limit;     /* a later time is damaged */
  gint64 flushed;        /* earlier events were passed to the recorder */
  double flushed_share;  /* of the records that are collected */
  const guint8 *section; /* start of the file that is walked over */
  guint64 position;      /* of the walk, in that file */
  TbPerfInflate *inflate;
  TbPerfTotals *totals;

  TbPerfArena arena;
  gint64 *cpu_times; /* time of the last record of each CPU */
  guint n_cpu_times;
  guint8 *named; /* bit set of threads that have a name */
  TbPerfNamespace *namespace;
  gboolean is_container; /* the IDs in records are not those of the host */
  gint32 listed_tid;     /* a listed thread, of which the name record is still to come; 0 if none */
  gint32 listed_pid;
  gint32 listed_parent;

  TbPerfCommandKind command_kind; /* by perf's command line */
  guint command_first;            /* first word of the command there */
  GHashTable *starting;           /* threads of perf that have yet to execute a program */
  gint32 command_pid;             /* 0 until its program was executed */
  char *command_program;          /* name of the program */

  /* threads that were listed but began after the start of the recording */
  GHashTable *new_threads;
  GHashTable *found_build_ids; /* build IDs of files on this host, by path */
  TbUnwinder *unwinder;        /* NULL if there are no stack dumps */

  TbPerfJit *jit;
  gint64 jit_time; /* of its next code, G_MAXINT64 if there is none */

  TbPerfSwitches *switches;
  gboolean has_switch;
  gboolean has_switch_records;
  gboolean has_waking;
  gboolean has_tasks;
  gboolean has_names;
  gboolean has_raw_syscalls;
  gboolean has_send;
  gboolean has_arrival;
  gboolean has_probe;
  gboolean has_range_locks;
  gboolean counts_marks; /* events of tracepoints are counters too */
  GPtrArray *tracepoints;
  TbPerfSockets *sockets;
  TbPerfFileLocks *file_locks; /* NULL if no locks of files were recorded */
  GHashTable *devices;         /* dev_t → device + 1 */
  GArray *irqs;                /* TbPerfIrq, by number */
  GString *text;
  const char *const *syscall_names;
  guint n_syscall_names;
  guint32 *syscall_texts;
  guint8 *poll_calls; /* by number of the system call: its number for polls */
  TbPerfPolls *polls; /* NULL if no system calls were recorded */
  gboolean is_own_host;
  gboolean has_kernel;

  TbPerfSampleTimes *sample_times; /* NULL: samples were not taken with a frequency */
  guint64 frequency;
  gboolean is_of_system; /* all CPUs were recorded */
  gboolean is_of_others; /* there are samples of other processes than the command */
  GHashTable *returning; /* set of "group:function": probed functions whose returns are probed */

  guint64 skipped[TB_PERF_N_RECORDS + 1];
  gboolean switches_began;
  guint64 n_early_forks;  /* before the first switch */
  guint64 n_switch_marks; /* switches that are kept as marks */
  guint64 n_rewritten;    /* likewise, by perf inject */
  gint64 unrecorded_ns;   /* from the first record to the first switch, if there were such forks */
  guint64 n_late;
  guint64 n_malformed;
  guint64 n_without_time; /* samples */
  guint64 n_guest;
  guint32 guest_stack; /* of samples in virtual machines; TB_STACK_NONE: none yet */
  guint64 n_unknown_event;
  TbPerfDeferred *deferred; /* NULL if no user part was recorded later */
  GHashTable *counts;       /* of counters that are read together; NULL if there are none */
  GArray *sums;             /* const guint8 *: records with sums of waits; NULL if none */
  GHashTable *processes;    /* TID → PID, where waits have both; else NULL */
  guint64 n_chains;
  guint64 n_cut; /* chains that are as long as the limit of their event */
  guint64 n_cut_waits;
  guint least_limit;
  guint largest_limit;
  guint64 n_deferred; /* chains of which the user part was recorded later */
  guint64 n_without_user;
  guint64 n_throttled;
  guint64 n_lost;
  guint64 n_lost_samples;
  guint64 n_lost_unplaced;
  guint64 n_undecompressed;
  gboolean is_damaged;
};

/* tb-perf-records.c: all records except samples. time is the best known time. */
void tb_perf_import_record (TbPerfImport *self,
                            const guint8 *record,
                            gsize size,
                            gint64 time,
                            gboolean listed);
void tb_perf_import_end_listing (TbPerfImport *self, gint64 time);
/* Adds the thread of an exit record as existing at the start of the recording. */
void tb_perf_import_add_existing_thread (TbPerfImport *self, const guint8 *record);
/* Losses at an unknown time apply to the whole recording. */
void tb_perf_import_end_losses (TbPerfImport *self);
const char *tb_perf_record_get_name (guint32 type);
/* Fields at the end of a record: its time and CPU, and its task. FALSE: it has none */
TbEvent
tb_perf_import_begin_event (TbPerfImport *self, const guint8 *record, gsize size, gint64 time);
gboolean tb_perf_import_get_task (TbPerfImport *self,
                                  const guint8 *record,
                                  gsize size,
                                  gint32 *pid,
                                  gint32 *tid);

/* Called at the first switch: perf enables its events one by one, the task events before all
 * others. */
void tb_perf_import_begin_switches (TbPerfImport *self, gint64 time);

/* tb-perf-samples.c */
void tb_perf_import_prepare_samples (TbPerfImport *self);
void tb_perf_import_sample (TbPerfImport *self, const guint8 *record, gsize size, gint64 time);
/* Returns the event of a sample; NULL if the file does not describe it. */
TbPerfAttr *tb_perf_import_find_attr (TbPerfImport *self, const guint8 *record, gsize size);
/* Keeps the record of a sample until the end if it is a sum of waits, which has no time. */
gboolean tb_perf_import_keep_sum (TbPerfImport *self, const guint8 *record, gsize size);
/* Adds the kept sums; called after the last record. */
void tb_perf_import_add_sums (TbPerfImport *self);

/* tb-perf-warnings.c: warnings about the recording after it is read */
void tb_perf_import_warn (TbPerfImport *self);
/* tb-perf-content-warnings.c: adds a warning if the file has something else than events */
void tb_perf_import_warn_of_content (TbPerfImport *self);
/* tb-perf-facts.c: facts about command, host and clock; called before the first event */
void tb_perf_import_set_facts (TbPerfImport *self);
/* Sets the facts about the command that perf started; called after the last event. */
void tb_perf_import_set_command (TbPerfImport *self);
/* Sets the recorded kernel, identified by the address of one of its symbols. */
void tb_perf_import_set_kernel (TbPerfImport *self,
                                const char *symbol,
                                guint64 address,
                                const char *build_id);

/* All events are added to the recorder through this function. */
static inline void
tb_perf_import_add (TbPerfImport *self, const TbEvent *event)
{
  tb_recorder_add (self->recorder, event);
}

static inline gboolean
tb_perf_import_is_named (const TbPerfImport *self, gint32 tid)
{
  return tid <= 0 || tid >= TB_PERF_MAX_NAMED || (self->named[tid / 8] >> tid % 8 & 1) != 0;
}

static inline void
tb_perf_import_note_process (TbPerfImport *self, gint32 tid, gint32 pid)
{
  if (G_UNLIKELY (self->processes != NULL))
    g_hash_table_insert (self->processes, GINT_TO_POINTER (tid), GINT_TO_POINTER (pid));
}

static inline void
tb_perf_import_set_named (TbPerfImport *self, gint32 tid, gboolean named)
{
  if (tid <= 0 || tid >= TB_PERF_MAX_NAMED)
    return;
  if (named)
    self->named[tid / 8] |= 1 << tid % 8;
  else
    self->named[tid / 8] &= ~(1 << tid % 8);
}

/* Returns the layout of the fields at the end of a record that is not a sample: that of the event
 * to which the record belongs. */
static inline const TbPerfLayout *
tb_perf_import_get_tail (const TbPerfImport *self, const guint8 *record, gsize size)
{
  const TbPerfLayout *first = &tb_perf_file_get_attr (self->file, 0)->layout;
  const TbPerfAttr *attr = NULL;

  if (first->tail_id != TB_PERF_ABSENT && size >= (gsize) TB_PERF_HEADER_SIZE + first->tail_id)
    attr = tb_perf_file_find_attr (self->file,
                                   tb_perf_u64 (record + size - first->tail_id, self->swap));
  return attr != NULL ? &attr->layout : first;
}

/* Returns the time of the previous record of the CPU, and stores the time of this one. */
gint64 tb_perf_import_update_cpu_time (TbPerfImport *self, guint cpu, gint64 time);

G_END_DECLS
