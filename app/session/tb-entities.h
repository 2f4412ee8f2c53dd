/* tb-entities.h: the small facts of a session: hosts, processes, threads, modules, devices
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#pragma once

#include "session/tb-schema.h"

G_BEGIN_DECLS

/* All strings in these structures belong to the session and live as long as it. Ids equal the index in the session's
 * array of their kind. Times are ns of the session clock, TB_TIME_NONE unknown. */

/**
 * TbHost:
 * @n_cpus: how many cpus it has, 0 unknown
 * @first_cpu: session cpu of its cpu 0; session cpus of a host are contiguous
 * @clock_bound_ns: how far its clock may be off the session clock (0 for the first host)
 */
typedef struct
{
  guint32 id;
  const char *name;
  const char *kernel;
  const char *machine;
  guint n_cpus;
  guint first_cpu;
  gint64 clock_bound_ns;
} TbHost;

/**
 * TbProcess:
 * @parent: the process that forked it, %TB_ID_NONE unknown
 * @start: its fork, %TB_TIME_NONE if alive from before
 * @end: the exit of its last thread, %TB_TIME_NONE if alive at the end
 * @name: the last name of its main thread
 * @command: its command line, "" unknown
 */
typedef struct
{
  guint32 id;
  guint32 host;
  gint32 pid;
  guint32 parent;
  gint64 start;
  gint64 end;
  const char *name;
  const char *command;
} TbProcess;

/**
 * TbThread:
 * @process: the one it belonged to last; for thread 0 (idle) %TB_ID_NONE
 * @name: the last name it had
 */
typedef struct
{
  guint32 id;
  guint32 process;
  gint32 tid;
  gint64 start;
  gint64 end;
  const char *name;
} TbThread;

/**
 * TbThreadName:
 *
 * A name and from when the thread had it. The session's array is sorted by thread and time.
 */
typedef struct
{
  guint32 thread;
  gint64 time;
  const char *name;
} TbThreadName;

typedef enum
{
  TB_MODULE_FILE,   /* an ELF file: frames are file offsets */
  TB_MODULE_KERNEL, /* kernel and its modules: frames are addresses */
  TB_MODULE_JIT,   /* anonymous executable memory of one process: frames are addresses, named by a perf map */
  TB_MODULE_NAMED, /* frames came with their names (events-csv): frames are string ids */
} TbModuleKind;

/**
 * TbModule:
 * @path: as its process saw it; "[kernel]" for the kernel
 * @build_id: in hexadecimal digits, "" unknown
 * @process: for %TB_MODULE_JIT the process, for files one that mapped it (to look below its root)
 */
typedef struct
{
  guint32 id;
  TbModuleKind kind;
  const char *path;
  const char *build_id;
  guint32 process;
} TbModule;

/**
 * TbMapping:
 * @time: when it was mapped, %TB_TIME_NONE before the recording
 * @offset: in the file of @module, of the byte at @start
 *
 * Executable memory of a process.
 */
typedef struct
{
  guint32 process;
  guint32 module;
  gint64 time;
  guint64 start;
  guint64 length;
  guint64 offset;
} TbMapping;

/**
 * TbDevice:
 * @name: the kernel's name ("vda")
 * @kind: "block", "network", "irq", …
 * @major_minor: "254:0", "" unknown
 */
typedef struct
{
  guint32 id;
  guint32 host;
  const char *name;
  const char *kind;
  const char *major_minor;
} TbDevice;

/**
 * TbBookmark:
 *
 * A place worth coming back to; @thread is %TB_ID_NONE for a range of all.
 */
typedef struct
{
  gint64 id;
  const char *name;
  gint64 from;
  gint64 to;
  guint32 thread;
} TbBookmark;

/**
 * TbFrameName:
 * @function: demangled
 * @file: source file, "" unknown
 * @line: 0 unknown; of a function without a name (@function is "") where it begins in its file
 * @is_inline: inlined into the next one of the same address
 *
 * One function at an address. The names of an address are innermost first, the last one is not inline.
 */
typedef struct
{
  const char *function;
  const char *file;
  guint line;
  gboolean is_inline;
} TbFrameName;

G_END_DECLS
