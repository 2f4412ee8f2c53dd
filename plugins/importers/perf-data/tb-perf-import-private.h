/* tb-perf-import-private.h: an import under way, for the files it is made of
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#pragma once

#include "session/tb-recorder.h"
#include "symbols/tb-unwinder.h"
#include "tb-perf-arena.h"
#include "tb-perf-file.h"
#include "tb-perf-import.h"
#include "tb-perf-inflate.h"

G_BEGIN_DECLS

/* A record that waits until all that was recorded before it has been read. */
typedef struct
{
  gint64 time;
  const guint8 *record;
} TbPerfPending;

typedef struct _TbPerfSockets TbPerfSockets;

#define TB_PERF_MAX_TID (1 << 22) /* the kernel's own limit */

struct _TbPerfImport
{
  TbPerfFile *file;
  TbRecorder *recorder;
  TbProgressFunc progress;
  gpointer progress_data;
  GCancellable *cancellable;
  gboolean swap;
  guint32 host;

  /* Where a record's time and id stand; TB_PERF_ABSENT where that depends on the event. */
  guint16 time_at;
  guint16 id_at;
  gboolean listing_is_last; /* what perf lists stands behind all else */

  TbPerfPending *pending;
  TbPerfPending *scratch;
  gsize n_pending;
  gsize capacity;
  GArray *runs;
  gint64 first_time; /* of a record that has one, -1 none yet */
  gint64 latest;     /* time read so far */
  gint64 round_end;  /* of what the round before the present one brought */
  gint64 time_limit; /* a later one is damage */
  gint64 flushed;    /* what is earlier was handed over */
  guint64 position;  /* of the walk, in the file */
  TbPerfInflate *inflate;

  TbPerfArena arena;
  gint64 *cpu_times; /* of the last record of each cpu */
  guint n_cpu_times;
  guint8 *named;     /* bit set of threads whose name is known */
  gint32 listed_tid; /* a thread that existed before, whose name is still to come; 0 none */
  gint32 listed_pid;
  gint32 listed_parent;

  GHashTable *born;            /* threads that were listed, but began after the recording had */
  GHashTable *found_build_ids; /* of files that were looked at here, by path */
  TbUnwinder *unwinder;        /* NULL where there are no dumps of stacks */

  gboolean has_switch;
  gboolean has_waking;
  gboolean has_tasks;
  gboolean has_names;
  gboolean has_raw_syscalls;
  gboolean has_send;
  gboolean has_arrival;
  gboolean has_probe;
  GPtrArray *tracepoints;
  TbPerfSockets *sockets;
  GHashTable *devices; /* dev_t → device + 1 */
  GArray *irqs;        /* TbPerfIrq, by number */
  GString *text;
  const char *const *syscall_names;
  guint n_syscall_names;
  guint32 *syscall_texts;
  gboolean is_own_host;
  gboolean kernel_told;

  guint64 skipped[TB_PERF_N_RECORDS + 1];
  gboolean switches_began;
  guint64 n_early_forks; /* before the first switch */
  gint64 blind_ns;       /* from the first record to the first switch, where there were such forks */
  guint64 n_late;
  guint64 n_malformed;
  guint64 n_guest;
  guint64 n_unknown_event;
  guint64 n_throttled;
  guint64 n_lost;
  guint64 n_lost_samples;
  guint64 n_lost_nowhere;
  guint64 n_undecompressed;
  gboolean is_damaged;
};

/* tb-perf-records.c: all records but samples. time as far as known. */
void
tb_perf_import_record (TbPerfImport *self, const guint8 *record, gsize size, gint64 time, gboolean listed);
void tb_perf_import_end_listing (TbPerfImport *self, gint64 time);
/* The thread whose exit this record tells was there when the recording began. */
void tb_perf_import_add_existing (TbPerfImport *self, const guint8 *record);
/* Losses whose place is not known belong to the whole recording. */
void tb_perf_import_end_losses (TbPerfImport *self);
const char *tb_perf_record_get_name (guint32 type);

/* Called at the first switch: perf turns its events on one by one, tasks before all others. */
void tb_perf_import_begin_switches (TbPerfImport *self, gint64 time);

/* tb-perf-samples.c */
void tb_perf_import_prepare_samples (TbPerfImport *self);
void tb_perf_import_sample (TbPerfImport *self, const guint8 *record, gsize size, gint64 time);

/* tb-perf-warnings.c: what was wrong with the recording, once it is read */
void tb_perf_import_warn (TbPerfImport *self);
/* tb-perf-facts.c: who recorded, where, by which clock; before the first event */
void tb_perf_import_tell_facts (TbPerfImport *self);
/* The kernel that was recorded, by the address of one of its symbols. */
void
tb_perf_import_tell_kernel (TbPerfImport *self, const char *symbol, guint64 address, const char *build_id);

/* Events go to the recorder through these. */
static inline void
tb_perf_import_add (TbPerfImport *self, const TbEvent *event)
{
  tb_recorder_add (self->recorder, event);
}

static inline gboolean
tb_perf_import_is_named (const TbPerfImport *self, gint32 tid)
{
  return tid <= 0 || tid >= TB_PERF_MAX_TID || (self->named[tid / 8] >> tid % 8 & 1) != 0;
}

static inline void
tb_perf_import_set_named (TbPerfImport *self, gint32 tid, gboolean named)
{
  if (tid <= 0 || tid >= TB_PERF_MAX_TID)
    return;
  if (named)
    self->named[tid / 8] |= 1 << tid % 8;
  else
    self->named[tid / 8] &= ~(1 << tid % 8);
}

/* Where the identity at the end of a record that is no sample has its parts: that of the event it belongs to. */
static inline const TbPerfLayout *
tb_perf_import_get_tail (const TbPerfImport *self, const guint8 *record, gsize size)
{
  const TbPerfLayout *first = &tb_perf_file_get_attr (self->file, 0)->layout;
  const TbPerfAttr *attr = NULL;

  if (first->tail_id != TB_PERF_ABSENT && size >= (gsize) TB_PERF_HEADER_SIZE + first->tail_id)
    attr = tb_perf_file_find_attr (self->file, tb_perf_u64 (record + size - first->tail_id, self->swap));
  return attr != NULL ? &attr->layout : first;
}

/* The time of the record before on that cpu, and makes this one the last. */
gint64 tb_perf_import_pass_cpu (TbPerfImport *self, guint cpu, gint64 time);

G_END_DECLS
