/* tb-perf-file-locks.h: conversion of tracepoint records of file locks in a perf.data file into
 * requests for locks, with the path of the file where a mapping in the same recording has it
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#pragma once

#include "tb-perf-tracepoint.h"

G_BEGIN_DECLS

/* Known paths of files, by device and inode. */
typedef struct _TbPerfFileLocks TbPerfFileLocks;

void tb_perf_file_locks_free (TbPerfFileLocks *self);

/* Finds which tracepoints of file locks the recording has. */
void tb_perf_file_locks_set_presence (TbPerfImport *import, const TbPerfFormat *format);

/* Returns NULL if it is another kind of tracepoint. */
TbPerfTracepoint *tb_perf_tracepoint_new_file_lock (TbPerfImport *import,
                                                    const TbPerfFormat *format);

/* Stores the path of a mapped file, if the recording has locks of files. */
void tb_perf_file_locks_add_path (TbPerfImport *import,
                                  guint32 major,
                                  guint32 minor,
                                  guint64 inode,
                                  const char *path);

G_END_DECLS
