/* tb-recorder-private.h: struct of TbRecorder with its records of threads, processes, CPUs and open
 * calls, kinds of contradictory events, and functions of the files that implement it
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#pragma once

#include "session/recorder/tb-recorder-slots-private.h"
#include "session/recorder/tb-recorder-event-queue-private.h"
#include "session/recorder/tb-recorder.h"
#include "session/schema/tb-module-file.h"
#include "session/file/tb-session-writer-private.h"

G_BEGIN_DECLS

/* Kinds of events that contradict earlier ones. Each kind has a counter and a warning. */
typedef enum
{
  TB_MISMATCH_LATE,
  TB_MISMATCH_TIME,
  TB_MISMATCH_KIND,
  TB_MISMATCH_HOST,
  TB_MISMATCH_THREAD,
  TB_MISMATCH_PREV,
  TB_MISMATCH_DEAD,
  TB_MISMATCH_EXIT,
  TB_MISMATCH_FORK,
  TB_MISMATCH_INTERRUPT_EXIT,
  TB_MISMATCH_INTERRUPT_OPEN,
  TB_MISMATCH_SYSCALL_EXIT,
  TB_MISMATCH_SYSCALL_OPEN,
  TB_MISMATCH_CALL_RETURN,
  TB_MISMATCH_CALL_OPEN,
  TB_MISMATCH_CALL_DEPTH,
  TB_MISMATCH_BLOCK_COMPLETE,
  TB_MISMATCH_BLOCK_OPEN,
  TB_MISMATCH_LOST_RANGE,
  TB_MISMATCH_REFERENCE, /* to a text, device, module or stack; a fault of the plug-in */
  TB_MISMATCH_ADDRESS_SPACE,
  TB_MISMATCH_MAPPINGS,
  TB_N_MISMATCHES,
} TbMismatch;

/* Rows of a table before they reach the writer. Each column has room for TB_ROWS_CAPACITY values of
 * eight bytes. */
#define TB_ROWS_CAPACITY 1024u
#define TB_ROWS_MAX_COLUMNS 12u

typedef struct
{
  guint8 *values;
  guint n;
} TbRows;

#define TB_ROWS_COLUMN(rows, column, type)                                                         \
  ((type *) ((rows)->values + (gsize) (column) * TB_ROWS_CAPACITY * 8))

enum
{
  TB_THREAD_EXITED = 1 << 0, /* its exit was recorded; only its last switch is still to come */
  TB_THREAD_DEAD = 1 << 1,   /* it has left its CPU for the last time */
  TB_THREAD_FORKED = 1 << 2,
  TB_THREAD_LISTED = 1 << 3,
  TB_THREAD_DIRTY = 1 << 4,
  TB_THREAD_SYSCALLS = 1 << 5, /* one of its system calls was recorded */
  TB_THREAD_RAN = 1 << 6,      /* it was switched in */
};

typedef struct
{
  gint64 start;
  gint64 end;
  guint32 process; /* TB_ID_NONE: not known yet */
  gint32 tid;
  guint32 name;    /* string */
  guint32 creator; /* thread */
  guint32 calls;   /* innermost open call, index of TbOpenCall */
  guint32 syscall; /* open system call, index of TbOpenSyscall */
  guint8 host;
  guint8 flags;
} TbThreadRecord;

enum
{
  TB_PROCESS_DIRTY = 1 << 0,
  TB_PROCESS_NAMED = 1 << 1, /* it has a name of its own, not that of one of its threads */
};

typedef struct _TbSpace TbSpace;

typedef struct
{
  gint64 start;
  gint64 end;
  TbSpace *space; /* NULL: empty */
  guint32 host;
  gint32 pid;
  guint32 parent;
  gint32 parent_pid; /* as listed, 0 if unknown */
  guint32 n_alive;
  guint32 name; /* string */
  guint32 command;
  /* module of its anonymous executable memory, TB_ID_NONE if there is none yet */
  guint32 jit_module;
  gint64 name_time; /* when one of its threads was last named */
  /* value of mapping_order at that time: later mappings have at least this order */
  guint32 name_order;
  gint64 exec_time;
  guint32 exec_text;
  guint8 flags;
} TbProcessRecord;

typedef struct
{
  char *name;
  char *kernel;
  char *machine;
  guint n_cpus;
  guint first_cpu;
  guint seen_cpus;
  gint64 clock_bound_ns;
  gboolean realtime; /* PREEMPT_RT: softirqs may be switched out */
} TbHostRecord;

typedef struct
{
  TbModuleKind kind;
  guint32 path; /* string */
  guint32 build_id;
  gint32 pid;
  guint32 process;
  TbModuleFile file;
} TbModuleRecord;

typedef struct
{
  guint32 host;
  guint32 name; /* string */
  guint32 kind;
  guint32 major_minor;
} TbDeviceRecord;

typedef struct
{
  gint64 enter;
  guint32 vector;
  guint32 name;
  guint32 device;
  guint32 thread;
  guint8 kind;
} TbOpenInterrupt;

#define TB_MAX_INTERRUPT_DEPTH 16

typedef struct
{
  guint32 current;    /* the thread that runs, TB_ID_NONE if unknown */
  gboolean after_gap; /* events were lost: contradictions are not counted until the next switch */
  guint depth;
  TbOpenInterrupt open[TB_MAX_INTERRUPT_DEPTH];
} TbCpuRecord;

typedef struct
{
  gint64 enter;
  guint64 site;
  guint32 function;
  guint32 stack;
  guint32 below; /* index of the calling one; in a free entry: the next free entry */
} TbOpenCall;

typedef struct
{
  gint64 enter;
  guint64 args[6];
  guint32 name;
  guint32 stack;
  guint32 thread; /* TB_ID_NONE: the entry is free */
  guint32 next_free;
} TbOpenSyscall;

typedef struct _TbBlockRequests TbBlockRequests;
typedef struct _TbStacks TbStacks;

typedef struct
{
  gint64 from;
  gint64 to;
  guint64 count;
  guint64 order;
  guint16 cpu;
} TbLostRow;

typedef struct
{
  guint32 subject;
  guint8 kind;
} TbOrderEntry;

struct _TbRecorder
{
  GObject parent_instance;

  TbSessionWriter *writer;
  GError *error; /* the first failure; every later call fails */
  gboolean closed;

  TbEventQueue queue;
  gint64 advanced;       /* earlier events are not accepted any more */
  gint64 last_commit;    /* monotonic µs */
  gboolean committed;    /* at least one commit succeeded */
  gboolean is_temporary; /* it is committed at its end only */
  TbRows rows[TB_N_TABLES];

  TbHostRecord hosts[256];
  guint n_hosts;
  struct
  {
    GArray *records; /* TbThreadRecord */
    TbSlots by_tid;
    GArray *dirty;
  } threads;
  struct
  {
    GArray *records; /* TbProcessRecord */
    TbSlots by_pid;
    GArray *dirty;
  } processes;
  TbCpuRecord **cpus; /* TB_CPU_ALL entries */

  struct
  {
    GArray *records; /* TbModuleRecord */
    TbSlots by_key;
    /* called for each module with an address; NULL: for none */
    TbRecorderModuleFunc func;
    gpointer data;
    GDestroyNotify destroy;
    GByteArray *has_address; /* gboolean by module */
  } modules;
  struct
  {
    GArray *records; /* TbDeviceRecord */
    TbSlots by_name;
  } devices;
  struct
  {
    GArray *records; /* TbInterfaceRecord; NULL: none recorded */
    gboolean changed;
  } interfaces;
  guint32 mapping_order;
  guint32 generations;
  gsize n_mappings;

  struct
  {
    char *text; /* all strings one after the other, each with its NUL */
    gsize length;
    gsize capacity;
    GArray *offsets; /* gsize, one more than there are strings */
    TbSlots by_text;
    guint64 n_dropped;
  } strings;

  TbStacks *stacks;
  guint64 chain_hash[2]; /* of the current event */
  TbBlockRequests *block;
  struct
  {
    GArray *open; /* TbOpenCall */
    guint32 free;
    guint32 n_open;
  } calls;
  struct
  {
    GArray *open; /* TbOpenSyscall */
    guint32 free;
  } syscalls;
  struct
  {
    GArray *releases; /* Release, the last one of each lock */
    TbSlots releases_by_lock;
    GArray *spins; /* gint64 by thread: start of its spin, TB_TIME_NONE if it does not spin */
  } locks;

  /* order of simultaneous events */
  struct
  {
    gboolean is_stored;
    GArray *entries; /* TbOrderEntry: the events at that time so far */
    gint64 time;
  } order;

  struct
  {
    GArray *rows;   /* TbLostRow, not written yet */
    gint64 since;   /* monotonic µs at which the oldest of them was added */
    gint64 written; /* largest "from" that was written */
    guint64 order;
  } lost;

  struct
  {
    gint64 from;
    gint64 to;
  } range;
  /* of the functions for single kinds of events */
  struct
  {
    guint8 host;
    GArray *chain; /* guint64, of the next event; NULL: none was ever chosen */
    GQueue blocks; /* words that events refer to */
  } typed;
  guint64 mismatches[TB_N_MISMATCHES];
  GPtrArray *warnings; /* in the order in which they were added */

  GMutex mutex; /* protects published */
  TbRecorderStatistics statistics;
  TbRecorderStatistics published;
};

static inline void
tb_recorder_count_mismatch (TbRecorder *self, TbMismatch mismatch)
{
  self->mismatches[mismatch]++;
  self->statistics.mismatched++;
}

/* The pointer is valid until a thread is added. */
static inline TbThreadRecord *
tb_recorder_peek_thread (TbRecorder *self, guint32 id)
{
  return &g_array_index (self->threads.records, TbThreadRecord, id);
}

static inline TbProcessRecord *
tb_recorder_peek_process (TbRecorder *self, guint32 id)
{
  return &g_array_index (self->processes.records, TbProcessRecord, id);
}

/* tb-recorder-rows.c. All columns of the row must be set. */
gboolean tb_recorder_flush_rows (TbRecorder *self, TbTableKind kind);
guint tb_recorder_add_row_slow (TbRecorder *self, TbTableKind kind);
void tb_recorder_free_rows (TbRecorder *self);

static inline guint
tb_recorder_add_row (TbRecorder *self, TbTableKind kind, TbRows **rows)
{
  *rows = &self->rows[kind];
  if (G_UNLIKELY ((*rows)->values == NULL || (*rows)->n == TB_ROWS_CAPACITY))
    return tb_recorder_add_row_slow (self, kind);
  return (*rows)->n++;
}

/* tb-recorder-typed.c */
guint32 tb_recorder_intern_text (TbRecorder *self, const char *text);
void tb_recorder_add_typed (TbRecorder *self, TbEvent *event);

/* tb-recorder-words.c */
#define TB_RECORDER_CHAIN_MAX 4096u
guint64 *tb_recorder_keep_words (TbRecorder *self, gint64 time, guint n);
void tb_recorder_free_words (TbRecorder *self, gint64 time);

/* tb-recorder-order.c */
void tb_recorder_add_order_slow (TbRecorder *self, TbOrderKind kind, gint64 time, guint32 subject);
void tb_recorder_write_order (TbRecorder *self);

/* Called for every event that becomes a row, or the beginning of one. */
static inline void
tb_recorder_add_order (TbRecorder *self, TbOrderKind kind, gint64 time, guint32 subject)
{
  if (G_UNLIKELY (self->order.is_stored) && time != TB_TIME_NONE)
    tb_recorder_add_order_slow (self, kind, time, subject);
}

/* tb-recorder-strings.c */
void tb_recorder_init_strings (TbRecorder *self);
const char *tb_recorder_peek_string (TbRecorder *self, guint32 id);
guint32 tb_recorder_check_string (TbRecorder *self, guint32 id);
guint32 tb_recorder_check_device (TbRecorder *self, guint32 id);
void tb_recorder_put_module (TbRecorder *self, guint32 id);
guint32 tb_recorder_find_module (TbRecorder *self,
                                 TbModuleKind kind,
                                 guint32 path,
                                 guint32 build_id,
                                 gint32 pid,
                                 guint32 process);

/* Returns the id of the module with that kind, path and build ID; it is added if there is none. A
 * file without a build ID is identified by its inode as well. */
guint32 tb_recorder_find_module_record (TbRecorder *self, const TbModuleRecord *wanted);

/* Interns the path of a mapped file, without the kernel's suffix for unlinked files. */
guint32 tb_recorder_intern_path (TbRecorder *self, const char *path);
/* Whether the kernel has that name for memory that is not a file. */
gboolean tb_recorder_path_is_anonymous (const char *path);

/* tb-recorder-module-files.c */
void tb_recorder_report_module (TbRecorder *self, guint32 id);
/* Writes the list of mapped files; called once, at the end. */
void tb_recorder_put_module_files (TbRecorder *self);

/* tb-recorder-interfaces.c */
void tb_recorder_put_interfaces (TbRecorder *self);

/* tb-recorder-identity.c */
void tb_recorder_init_identity (TbRecorder *self);
void tb_recorder_clear_identity (TbRecorder *self);
void tb_recorder_touch_thread (TbRecorder *self, guint32 id);
void tb_recorder_touch_process (TbRecorder *self, guint32 id);
guint32 tb_recorder_find_process (TbRecorder *self, guint host, gint32 pid);
guint32
tb_recorder_add_process (TbRecorder *self, guint host, gint32 pid, guint32 parent, gint64 start);
guint16 tb_recorder_get_cpu (TbRecorder *self, const TbEvent *event);
TbCpuRecord *tb_recorder_get_cpu_record (TbRecorder *self, guint16 cpu);
guint32 tb_recorder_find_thread (TbRecorder *self, guint host, gint32 tid);
guint32 tb_recorder_get_thread (TbRecorder *self, guint host, gint32 tid, gint32 pid);
guint32 tb_recorder_get_process (TbRecorder *self, guint host, gint32 pid);
guint32 tb_recorder_get_next_thread (TbRecorder *self, guint host, gint32 tid, gint32 pid);
void tb_recorder_mark_dead (TbRecorder *self, guint32 thread, gint64 time);
void tb_recorder_extend_life (TbRecorder *self, guint32 thread, gint64 time);
void tb_recorder_fork (TbRecorder *self, const TbEvent *event, guint16 cpu, guint32 stack);
void tb_recorder_exit (TbRecorder *self, const TbEvent *event, guint16 cpu, guint32 stack);
void tb_recorder_name (TbRecorder *self, const TbEvent *event, guint16 cpu, guint32 stack);
void tb_recorder_name_process (TbRecorder *self, const TbEvent *event);
void tb_recorder_record_existing (TbRecorder *self, const TbEvent *event, guint16 cpu);
void tb_recorder_set_command (TbRecorder *self, const TbEvent *event);
void tb_recorder_exec (TbRecorder *self, const TbEvent *event, guint16 cpu, guint32 stack);

/* tb-recorder-entities.c */
void tb_recorder_put_identity (TbRecorder *self, gboolean finish);

/* tb-recorder-mappings.c */
typedef struct
{
  guint64 start;
  guint64 end;
  guint64 offset; /* offset of start in the module's file; for TB_MODULE_JIT: start */
  guint32 module;
  guint32 order;
} TbSpaceMapping;

struct _TbSpace
{
  guint n_users;
  guint32 generation;
  gboolean had_unmapped; /* an address was looked up that was not mapped in this generation */
  GArray *mappings;      /* TbSpaceMapping, sorted, disjoint */
  gsize *total;          /* number of mappings in all spaces; owned by the recorder */
};

TbSpace *tb_space_ref (TbSpace *self);
void tb_space_unref (TbSpace *self);
const TbSpaceMapping *tb_space_find (TbSpace *self, guint64 address);
void tb_recorder_map (TbRecorder *self, const TbEvent *event);
void tb_recorder_clear_space (TbRecorder *self, TbProcessRecord *process, guint32 first_order);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (TbSpace, tb_space_unref)

/* tb-recorder-stacks.c */
void tb_recorder_init_stacks (TbRecorder *self);
void tb_recorder_free_stacks (TbRecorder *self);
void tb_recorder_prepare_stack (TbRecorder *self, const TbEvent *event, guint64 hash[2]);
guint32 tb_recorder_get_stack (TbRecorder *self, const TbEvent *event, guint32 thread);
guint32 tb_recorder_get_data_frame (TbRecorder *self, guint32 module, guint64 distance);

/* tb-recorder-marks.c */
void tb_recorder_init_marks (TbRecorder *self);
void tb_recorder_clear_marks (TbRecorder *self);
void tb_recorder_record_mark (TbRecorder *self,
                              const TbEvent *event,
                              guint16 cpu,
                              guint32 thread,
                              guint32 stack);

/* tb-recorder-pairing.c */
void tb_recorder_init_pairing (TbRecorder *self);
void tb_recorder_clear_pairing (TbRecorder *self);
void
tb_recorder_enter_interrupt (TbRecorder *self, const TbEvent *event, guint16 cpu, gboolean soft);
void
tb_recorder_exit_interrupt (TbRecorder *self, const TbEvent *event, guint16 cpu, gboolean soft);
void tb_recorder_close_interrupts (TbRecorder *self,
                                   TbCpuRecord *cpu_record,
                                   guint16 cpu,
                                   guint down_to,
                                   gint64 time);
void tb_recorder_switch_interrupts (TbRecorder *self,
                                    TbCpuRecord *cpu_record,
                                    guint16 cpu,
                                    guint host,
                                    gint64 time);
void
tb_recorder_enter_syscall (TbRecorder *self, const TbEvent *event, guint32 thread, guint32 stack);
void tb_recorder_exit_syscall (TbRecorder *self, const TbEvent *event, guint32 thread);
void tb_recorder_record_whole_syscall (TbRecorder *self,
                                       const TbEvent *event,
                                       guint32 thread,
                                       guint32 stack);
void tb_recorder_enter_call (TbRecorder *self, const TbEvent *event, guint32 thread, guint32 stack);
void
tb_recorder_return_call (TbRecorder *self, const TbEvent *event, guint32 thread, guint32 stack);
void tb_recorder_close_thread (TbRecorder *self, guint32 thread, gint64 time, gboolean calls_only);
void tb_recorder_finish_pairing (TbRecorder *self);

/* tb-recorder-lost.c */
void tb_recorder_record_lost (TbRecorder *self, const TbEvent *event, guint16 cpu);
void tb_recorder_write_lost (TbRecorder *self, gboolean all);

/* tb-recorder-events.c */
void tb_recorder_record (TbRecorder *self, const TbEvent *event);

/* tb-recorder-block.c */
void tb_recorder_init_block (TbRecorder *self);
void tb_recorder_free_block (TbRecorder *self);
void tb_recorder_record_block (TbRecorder *self,
                               const TbEvent *event,
                               guint32 thread,
                               guint16 cpu,
                               guint32 stack);
void tb_recorder_finish_block (TbRecorder *self);

G_END_DECLS
