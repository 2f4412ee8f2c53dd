/* tb-wait-work.h: units of work, and how many were done when
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#pragma once

#include "extend/tb-option.h"
#include "extend/tb-selection.h"
#include "trace/tb-work-unit.h"

G_BEGIN_DECLS

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

/* unit: as tb_work_unit_parse() has it, no "duration": each such mark, or its value where that is a whole number; each such call that
 * succeeded, each return of the function, each message; "" is "mark:work" where there are such marks. threads: whose work counts, NULL everybody's. NULL without an error: none was asked for or found. */
TbWaitWork *tb_wait_work_new (TbTrace *trace,
                              const char *unit,
                              TbSelection *threads,
                              gint64 from,
                              gint64 to,
                              GError **error);
void tb_wait_work_free (TbWaitWork *self);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (TbWaitWork, tb_wait_work_free)

/* The events of which some are units. */
typedef struct
{
  TbSession *session;
  TbWorkKind kind;
  gsize n;
  const gint64 *time;
  const guint32 *thread;
  const guint32 *name;
  gconstpointer extra; /* value of a mark, result of a call, kind of a message */
  GBytes *bytes[4];
} TbWaitWorkRows;

gboolean tb_wait_work_rows_load (TbWaitWorkRows *self, TbTrace *trace, TbWorkKind kind, GError **error);
void tb_wait_work_rows_clear (TbWaitWorkRows *self);
/* How many units one stands for if it is one, whoever did it and whatever it is called. */
guint64 tb_wait_work_rows_count (const TbWaitWorkRows *self, gsize row);

G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC (TbWaitWorkRows, tb_wait_work_rows_clear)

G_END_DECLS
