/* tb-trace-input-private.h: event tables of a session as arrays, with the kinds of threads, devices
 * and system calls: the input of the builder of intervals
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#pragma once

#include "session/sequence/tb-sequence.h"
#include "trace/tb-thread-traits-private.h"
#include "trace/tb-trace-syscall-classes-private.h"

G_BEGIN_DECLS

/* The columns of the event tables as plain arrays; see tb-schema.h. The input is not trusted: ids
 * out of range are ignored, times out of range are clamped, unsorted tables are sorted. */
typedef struct
{
  gsize n;
  const gint64 *time;
  const guint16 *cpu;
  const guint32 *prev;
  const guint32 *next;
  const guint8 *prev_state;
  const guint32 *stack;
} TbSwitchColumns;

typedef struct
{
  gsize n;
  const gint64 *time;
  const guint16 *cpu;
  const guint32 *waker;
  const guint32 *wakee;
  const guint8 *flags;
} TbWakeupColumns;

typedef struct
{
  gsize n;
  const gint64 *time;
  const guint16 *cpu;
  const guint8 *kind;
  const guint32 *thread;
  const guint32 *creator;
} TbProcessColumns;

typedef struct
{
  gsize n;
  const gint64 *time;
  const guint16 *cpu;
  const guint32 *thread;
} TbSampleColumns;

typedef struct
{
  gsize n;
  const gint64 *enter;
  const gint64 *exit;
  const guint32 *thread;
  const guint32 *number;
  const guint8 *is_sleep; /* a poll of no descriptors, with a timeout; NULL: there is none */
} TbSyscallColumns;

typedef struct
{
  gsize n;
  const gint64 *insert;
  const gint64 *issue;
  const gint64 *complete;
  const guint32 *device;
  const guint32 *thread;
  const guint16 *cpu;
  const guint32 *file;
} TbBlockColumns;

typedef struct
{
  gsize n;
  const gint64 *enter;
  const gint64 *exit;
  const guint16 *cpu;
  const guint8 *kind;
  const guint32 *vector;
  const guint32 *name;
  const guint32 *device;
} TbInterruptColumns;

typedef struct
{
  gsize n;
  const gint64 *time;
  const guint16 *cpu;
  const guint8 *kind;
  const guint32 *thread;
  const guint32 *remote;
} TbNetworkColumns;

typedef struct
{
  gsize n;
  const gint64 *time;
  const guint8 *kind;
  const guint32 *thread;
  const guint32 *other;
} TbMarkColumns;

typedef struct
{
  gsize n;
  const gint64 *time;
  const guint32 *thread;
  const guint8 *kind;
  const guint32 *object;
  const gint64 *timeout;
} TbSleepColumns;

typedef struct
{
  gsize n;
  const gint64 *time;
  const guint32 *thread;
  const guint8 *result;
  const guint32 *file;
} TbFileLockColumns;

typedef struct
{
  gsize n;
  const gint64 *from;
  const gint64 *to;
  const guint16 *cpu;
  const guint64 *count;
} TbLostColumns;

typedef enum
{
  TB_DEVICE_OTHER,
  TB_DEVICE_BLOCK,
  TB_DEVICE_NETWORK,
  TB_DEVICE_TIMER,
  TB_DEVICE_IRQ, /* only the name of an interrupt */
} TbDeviceClass;

typedef struct
{
  gint64 from;
  gint64 to;
  gint64 wakeup_tolerance; /* ns */
  guint n_threads;
  const guint8 *thread_traits; /* TbThreadTraits by thread; NULL: none */
  guint n_devices;
  const guint8 *device_classes; /* TbDeviceClass by device; NULL: none */
  guint n_strings;
  const guint8 *syscall_classes; /* TbSyscallClass by string; NULL: none */
  /* switches were recorded of some threads, not of CPUs: nothing follows for other threads */
  gboolean has_thread_switches;
  /* likewise nothing follows for threads without switches, although CPUs were recorded: they may be
   * the same as others that have switches */
  gboolean has_joined_switches;
  TbSwitchColumns switches;
  TbWakeupColumns wakeups;
  TbProcessColumns processes;
  TbSampleColumns samples;
  TbSyscallColumns syscalls;
  TbBlockColumns blocks;
  TbInterruptColumns interrupts;
  TbNetworkColumns networks;
  TbMarkColumns marks;
  TbMarkColumns added; /* marks that were not recorded; each follows all other events of its time */
  TbLostColumns losses;
  TbSleepColumns sleeps;
  TbFileLockColumns file_locks;
  /* trusted: for each time all simultaneous events, or none; see tb_trace_find_simultaneous() */
  const TbSequenceEvent *simultaneous;
  gsize n_simultaneous;
  /* Nullable; called once no columns are read any more except those of system calls, requests,
   * messages, sleeps and locks of files. */
  void (*pass_done) (gpointer data);
  gpointer pass_done_data;
} TbTraceInput;

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
  guint8 *is_sleep;
} TbSessionInput;

/* The structure must not be moved afterwards. */
gboolean tb_session_input_load (TbSessionInput *self, TbSession *session, GError **error);
void tb_session_input_clear (TbSessionInput *self);
G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC (TbSessionInput, tb_session_input_clear)

G_END_DECLS
