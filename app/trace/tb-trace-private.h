/* tb-trace-private.h: private data and functions of a trace
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#pragma once

#include "trace/tb-context-tree.h"
#include "trace/tb-trace-builder-private.h"
#include "trace/tb-trace-evidence.h"
#include "trace/tb-track.h"

G_BEGIN_DECLS

/* The stack tree of the session and its frames, loaded on first use. */
typedef struct
{
  GBytes *columns[5];
  guint32 n_stacks;
  guint32 n_frames;
  const guint32 *parent;
  const guint32 *frame;
  const guint8 *flags;
  const guint32 *module;
  const guint64 *offset;
} TbStackColumns;

typedef struct _TbTracks TbTracks;
typedef struct _TbLocks TbLocks;
typedef struct _TbLockOrigins TbLockOrigins;

struct _TbTrace
{
  GObject parent_instance;

  TbSession *session;
  gint64 from;
  gint64 to;
  gint64 wakeup_tolerance;
  GBytes *columns[TB_INTERVAL_N_COLUMNS];
  TbIntervals intervals;
  guint n_threads;
  gsize *first; /* first row of each thread, and one past the last row */
  TbTraceCounts counts;
  TbEvidence evidence;
  GStrv warnings;
  guint8 *thread_traits;

  GMutex mutex; /* protects the fields below, which are created on first use */
  gboolean has_stacks;
  TbStackColumns stacks;
  guint8 *wait_kinds; /* by stack; see tb-trace-wait-kinds.c */
  guint wait_kinds_generation;
  GBytes *wakeup_stacks; /* by row of the wakeup table */
  TbTracks *tracks;
  guint n_cpus; /* 0: not yet counted */
  TbLocks *locks;
  TbContextTree *context_tree;

  GMutex reading;     /* protects read_error */
  GError *read_error; /* first error of reading a requested part of the session */
};

/* The tables of a session as input of the builder. It keeps the columns alive. */
typedef struct
{
  TbTraceInput input;
  GPtrArray *bytes;
  GPtrArray *pass_columns; /* columns that only the pass over the events reads */
  GArray *simultaneous;
  guint8 *thread_traits;
  guint8 *device_classes;
  guint8 *syscall_classes;
} TbSessionInput;

/* tb-trace-simultaneous.c */
GArray *tb_trace_find_simultaneous (TbSession *session, GError **error);

gboolean tb_session_input_load (TbSessionInput *self, TbSession *session, GError **error);
void tb_session_input_clear (TbSessionInput *self);
G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC (TbSessionInput, tb_session_input_clear)

guint8 *tb_session_find_thread_traits (TbSession *session);
TbDeviceClass tb_device_class_from_kind (const char *kind);

GStrv tb_trace_make_warnings (TbTrace *self);
void tb_trace_find_evidence (TbTrace *self);

/* Whether the thread's current cancellable is cancelled. Partial results must then not be
 * stored. */
gboolean tb_trace_is_cancelled (void);

/* Number of rows between two checks for cancellation; this many rows take far less time than a
 * cancellation may. */
#define TB_ROWS_BETWEEN_CHECKS 65536

/* Checks for cancellation in a loop over rows, but only once every so many rows. */
static inline gboolean
tb_trace_is_cancelled_at (gsize row)
{
  return G_UNLIKELY (row % TB_ROWS_BETWEEN_CHECKS == 0) && tb_trace_is_cancelled ();
}

void tb_tracks_free (TbTracks *self);
void tb_locks_free (TbLocks *self);
TbLockOrigins *tb_lock_origins_new (TbTrace *trace, const TbStackColumns *stacks);
void tb_lock_origins_free (TbLockOrigins *self);
guint32
tb_lock_origins_find (const TbLockOrigins *self, guint32 process, guint64 address, gint64 time);
gboolean tb_trace_is_called_by_library (TbTrace *self, const TbStackColumns *stacks, guint32 stack);
/* The system call that a sleep was in, NULL if not known. */
const char *tb_trace_peek_sleep_call (TbTrace *self, gsize interval);
gboolean tb_trace_find_fault (TbTrace *self, gsize interval, guint64 *offset);

const TbStackColumns *tb_trace_peek_stacks (TbTrace *self);
void tb_stack_columns_clear (TbStackColumns *self);
char **tb_trace_name_frame (TbTrace *self, const TbStackColumns *stacks, guint32 frame);
char *tb_trace_name_module (TbTrace *self, const TbStackColumns *stacks, guint32 frame);
const char *tb_trace_peek_syscall_name (const char *function);

/* tb-trace-wait-functions.c */
TbWaitKind tb_wait_kind_from_function (const char *function, gboolean kernel);
gboolean tb_wait_function_delivers_expiry (const char *function);

/* tb-trace-waits.c */
TbWaitKind tb_wait_kind_from_syscall (TbSyscallClass class, TbState state);

G_END_DECLS
