/* tb-wait-work.h: units of work, and how many were done when
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#pragma once

#include "extend/tb-option.h"
#include "extend/tb-selection.h"

G_BEGIN_DECLS

typedef enum
{
  TB_WAIT_WORK_NONE,
  TB_WAIT_WORK_MARK,     /* name of a mark: each one, or its value where that is a whole number */
  TB_WAIT_WORK_SYSCALL,  /* name of a system call: each that succeeded */
  TB_WAIT_WORK_FUNCTION, /* name of a probed function: each return */
  TB_WAIT_WORK_SEND,     /* name of a process: each message it sent */
  TB_WAIT_WORK_RECEIVE,  /* likewise received */
} TbWaitWorkKind;

#define TB_WAIT_WORK_SLICES 100

/* One event that stands for units. */
typedef struct
{
  gint64 time;
  guint32 thread; /* TB_ID_NONE unknown */
  guint32 count;
} TbWaitDone;

typedef struct
{
  char *unit; /* as it was asked for: "mark:work" */
  guint64 count;
  double per_second;
  guint64 slices[TB_WAIT_WORK_SLICES]; /* of equal length */
  GArray *done;                        /* TbWaitDone, as recorded */
} TbWaitWork;

/* Of a session: the unit that was chosen for it. */
#define TB_WAIT_WORK_FACT "wait-graph-work"

/* Whether it is one, or empty; and whether the process it names, if any, was recorded. */
gboolean tb_wait_work_check (const char *unit, GError **error);
gboolean tb_wait_work_check_in (const char *unit, TbTrace *trace, GError **error);

/* unit: "mark:NAME", "work" or "work:NAME" (marks so called), "syscall:NAME", "function:NAME" or "call:NAME", each with "@PROCESS"
 * behind it if only what that one does counts; "send:PROCESS", "receive:PROCESS", "none"; "" is "mark:work" where there are such
 * marks. threads: whose work counts, NULL everybody's. NULL without an error: none was asked for or found. */
TbWaitWork *tb_wait_work_new (TbTrace *trace,
                              const char *unit,
                              TbSelection *threads,
                              gint64 from,
                              gint64 to,
                              GError **error);
void tb_wait_work_free (TbWaitWork *self);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (TbWaitWork, tb_wait_work_free)

G_END_DECLS
