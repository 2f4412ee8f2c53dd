/* tb-trace-builder-private.h: builder of thread state intervals from arrays of events
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#pragma once

#include "session/sequence/tb-sequence.h"
#include "trace/tb-trace.h"

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
  const gint64 *from;
  const gint64 *to;
  const guint16 *cpu;
  const guint64 *count;
} TbLostColumns;

/* Class of a system call, by what it waits for. */
typedef enum
{
  TB_SYSCALL_OTHER,
  TB_SYSCALL_FILE, /* reads, opens: the wait depends on the file */
  /* as FILE, for calls that send if the file is a socket; closing a socket sends its end */
  TB_SYSCALL_WRITE,
  TB_SYSCALL_SYNC,
  TB_SYSCALL_LOCK,
  TB_SYSCALL_RECEIVE,
  TB_SYSCALL_SEND,
  TB_SYSCALL_POLL,
  TB_SYSCALL_SLEEP,
  TB_SYSCALL_CHILD,
  TB_SYSCALL_SIGNAL_WAIT,
  TB_SYSCALL_KILL,
} TbSyscallClass;

TbSyscallClass tb_syscall_class_from_name (const char *name);

typedef enum
{
  TB_THREAD_KERNEL = 1 << 0,
  TB_THREAD_KSOFTIRQD = 1 << 1,
  TB_THREAD_TRACER = 1 << 2, /* reads events that the kernel writes, which interrupts announce */
} TbThreadTraits;

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
  /* trusted: for each time all simultaneous events, or none; see tb_trace_find_simultaneous() */
  const TbSequenceEvent *simultaneous;
  gsize n_simultaneous;
  /* Nullable; called once no columns are read any more except those of system calls, requests,
   * messages and sleeps. */
  void (*pass_done) (gpointer data);
  gpointer pass_done_data;
} TbTraceInput;

typedef struct
{
  gsize n;
  GBytes *columns[TB_INTERVAL_N_COLUMNS];
  TbTraceCounts counts;
} TbTraceOutput;

gboolean tb_trace_build (const TbTraceInput *input,
                         TbTraceOutput *output,
                         TbProgressFunc progress,
                         gpointer data,
                         GCancellable *cancellable,
                         GError **error);
void tb_trace_output_clear (TbTraceOutput *output);

G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC (TbTraceOutput, tb_trace_output_clear)

G_END_DECLS
