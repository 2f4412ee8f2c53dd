/* tb-entities.h: structures of the hosts, processes, threads, names of threads, modules, mappings,
 * devices and bookmarks of a session
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#pragma once

#include "session/schema/tb-schema.h"

G_BEGIN_DECLS

/* All strings in these structures are owned by the session and live as long as it. An id is the
 * index in the session's array of its kind. Times are ns of the session clock, TB_TIME_NONE if
 * unknown. */

/**
 * TbHost:
 * @id: index in the hosts of the session
 * @name: host name
 * @kernel: release and version of its kernel, "" if unknown
 * @machine: its architecture as in `uname -m`, "" if unknown
 * @n_cpus: number of CPUs, 0 if unknown
 * @first_cpu: session CPU number of its CPU 0; the session CPUs of a host are contiguous
 * @clock_bound_ns: upper bound of its clock's offset from the session clock (0 for the first host)
 *
 * A machine of which events were recorded. Texts are owned by the session.
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
 * @id: index in the processes of the session
 * @host: host
 * @pid: number on its host
 * @parent: the process that forked it, %TB_ID_NONE if unknown
 * @start: time of its fork, %TB_TIME_NONE if it was alive before the recording
 * @end: time of the exit of its last thread, %TB_TIME_NONE if it was alive at the end
 * @name: the last name of its main thread
 * @command: its command line, "" if unknown
 *
 * A process. Texts are owned by the session.
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
 * @id: index in the threads of the session
 * @process: the process it belonged to last; %TB_ID_NONE for thread 0 (idle)
 * @tid: number on its host; several threads may have had it one after another
 * @start: time of its beginning, ns; %TB_TIME_NONE if it existed before the recording
 * @end: time of its exit, ns; %TB_TIME_NONE if it existed at the end of the recording
 * @name: the last name it had
 *
 * A thread. Texts are owned by the session.
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
 * @thread: thread
 * @time: time of the event that named it, ns
 * @name: name, owned by the session
 *
 * A name of a thread and the time from which it had it. The session's array is sorted by thread and
 * time.
 */
typedef struct
{
  guint32 thread;
  gint64 time;
  const char *name;
} TbThreadName;

/**
 * TbModuleKind:
 * @TB_MODULE_FILE: an ELF file: frames are file offsets
 * @TB_MODULE_KERNEL: the kernel and its modules: frames are addresses
 * @TB_MODULE_JIT: anonymous executable memory of one process: frames are addresses, named by a perf
 *   map
 * @TB_MODULE_NAMED: the source has names, not addresses: frames are ids of strings
 *
 * What the frames of a module are.
 */
typedef enum
{
  TB_MODULE_FILE,
  TB_MODULE_KERNEL,
  TB_MODULE_JIT,
  TB_MODULE_NAMED,
} TbModuleKind;

/**
 * TbModule:
 * @id: index in the modules of the session
 * @kind: what its frames are
 * @path: path in the file system of its process; "[kernel]" for the kernel
 * @build_id: build ID in hexadecimal digits, "" if unknown
 * @process: the process of a %TB_MODULE_JIT; for files, one process that mapped it (the file may be
 *   found below its root)
 *
 * A file, or other memory, that contains code. Texts are owned by the session.
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
 * @process: process
 * @module: module
 * @time: time of the mapping, %TB_TIME_NONE if before the recording
 * @start: first address
 * @length: length in bytes
 * @offset: offset of the byte at @start in the file of @module
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
 * @id: index in the devices of the session
 * @host: host
 * @name: the kernel's name ("vda")
 * @kind: "block", "network", "irq", …
 * @major_minor: "254:0", "" if unknown
 *
 * A device. Texts are owned by the session.
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
 * @id: number of the bookmark, for [method@Tailback.Session.rename_bookmark]
 * @name: name, owned by the session
 * @from: start, ns
 * @to: end, ns
 * @thread: thread, %TB_ID_NONE if it concerns all threads
 *
 * A bookmarked time range; @thread is %TB_ID_NONE if it concerns all threads.
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
 * @function: demangled name
 * @file: source file, "" if unknown
 * @line: source line, 0 if unknown; for a function without a name (@function is ""), the offset in
 * the module's file at which it begins
 * @is_inline: whether it is inlined into the next function of the same address
 *
 * One function at an address. The names of an address are innermost first; the last one is not
 * inline.
 */
typedef struct
{
  const char *function;
  const char *file;
  guint line;
  gboolean is_inline;
} TbFrameName;

G_END_DECLS
