/* tb-trace-programs.h: programs that each process executed one after another, from its execs, with
 * times and names; look-up by thread and time; their names for display and in JSON
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#pragma once

#include <json-glib/json-glib.h>

#include "trace/tb-trace.h"

G_BEGIN_DECLS

/**
 * TbProgram:
 * @process: the process that was this program
 * @thread: the thread that executed it; %TB_ID_NONE for what the process was before its first exec
 * @from: time of the exec; %G_MININT64 for what the process was before
 * @to: time of the next exec; %G_MAXINT64 for the last program
 * @name: its name, %NULL if unknown
 *
 * A program that a process was for some time: an exec ends one and begins the next. Before its
 * first exec, a process that was forked is a copy of its parent.
 */
typedef struct
{
  guint32 process;
  guint32 thread;
  gint64 from;
  gint64 to;
  const char *name;
} TbProgram;

/**
 * TbPrograms:
 *
 * The programs of all processes of a recording, by process and time.
 */
typedef struct _TbPrograms TbPrograms;

TB_EXPORT TbPrograms *tb_programs_new (TbTrace *trace, GError **error);
TB_EXPORT void tb_programs_free (TbPrograms *self);
TB_EXPORT guint tb_programs_get_n (const TbPrograms *self);
TB_EXPORT const TbProgram *tb_programs_get (const TbPrograms *self, guint32 program);
TB_EXPORT guint32 tb_programs_find (const TbPrograms *self, guint32 thread, gint64 time);
TB_EXPORT guint32 tb_programs_find_last (const TbPrograms *self,
                                         guint32 thread,
                                         gint64 from,
                                         gint64 to);
TB_EXPORT guint32 tb_programs_list (const TbPrograms *self, guint32 thread, guint *n);
TB_EXPORT gboolean tb_programs_is_unexecuted_command (const TbPrograms *self, guint32 program);
TB_EXPORT const char *tb_programs_get_thread_name (const TbPrograms *self,
                                                   guint32 thread,
                                                   const TbProgram *program,
                                                   gint64 from);
TB_EXPORT char *
tb_programs_describe (const TbPrograms *self, guint32 thread, gint64 from, gint64 to);
TB_EXPORT char *
tb_programs_describe_thread (const TbPrograms *self, guint32 thread, gint64 from, gint64 to);
TB_EXPORT void tb_programs_add_json (const TbPrograms *self,
                                     guint32 thread,
                                     gint64 from,
                                     gint64 to,
                                     JsonBuilder *builder);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (TbPrograms, tb_programs_free)

G_END_DECLS
