/* tb-trace-file-locks.h: locks of files (flock, fcntl): requests and releases of a trace, and the
 * thread that had the lock when a request was refused
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#pragma once

#include "trace/tb-trace.h"

G_BEGIN_DECLS

/**
 * TbFileLockRows:
 * @n: number of requests and releases
 * @time: time of each, ns
 * @thread: thread
 * @call: [enum@Tailback.FileLockCall]
 * @mode: [enum@Tailback.FileLockMode]
 * @result: [enum@Tailback.FileLockResult]
 * @file: string: path
 * @owner: number that identifies the owner
 * @from: first byte
 * @to: last byte
 *
 * The table of locks of files as arrays, sorted by time.
 */
typedef struct
{
  gsize n;
  const gint64 *time;
  const guint32 *thread;
  const guint8 *call;
  const guint8 *mode;
  const guint8 *result;
  const guint32 *file;
  const guint64 *owner;
  const guint64 *from;
  const guint64 *to;
} TbFileLockRows;

/**
 * TbFileLocks:
 *
 * Requests for locks of files, and the holders of the locks that were refused.
 */
typedef struct _TbFileLocks TbFileLocks;

TB_EXPORT TbFileLocks *tb_file_locks_new (TbTrace *trace);
TB_EXPORT void tb_file_locks_free (TbFileLocks *self);
TB_EXPORT const TbFileLockRows *tb_file_locks_get_rows (const TbFileLocks *self);
TB_EXPORT guint32 tb_file_locks_get_holder (const TbFileLocks *self, gsize row);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (TbFileLocks, tb_file_locks_free)

G_END_DECLS
