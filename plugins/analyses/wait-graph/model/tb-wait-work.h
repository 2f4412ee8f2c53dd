/* tb-wait-work.h: units of work counted in a recording, from marks, calls or messages: their times,
 * threads, rate and number over time; check of a unit's text
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#pragma once

#include "extend/options/tb-option.h"
#include "extend/selection/tb-selection.h"
#include "trace/tb-work-unit.h"

G_BEGIN_DECLS

#define TB_WAIT_WORK_SLICES 100

/* An event that stands for units of work. */
typedef struct
{
  gint64 time;
  guint32 thread; /* TB_ID_NONE: unknown */
  guint32 count;
} TbWaitWorkEvent;

typedef struct
{
  char *unit; /* as requested: "mark:work" */
  guint64 count;
  double per_second;
  guint64 slices[TB_WAIT_WORK_SLICES]; /* of equal length */
  GArray *done;                        /* TbWaitWorkEvent, as recorded */
} TbWaitWork;

/* Fact of a session: the unit that was chosen for it. */
#define TB_WAIT_WORK_FACT "wait-graph-work"

/* Whether the text is a unit or empty; the second function also checks that the process in it, if
 * any, was recorded. */
gboolean tb_wait_work_check (const char *unit, GError **error);
gboolean tb_wait_work_check_in (const char *unit, TbTrace *trace, GError **error);

/* unit: as for tb_work_unit_parse(), but not "duration". Counted are marks (or their values, where
 * these are whole numbers), successful calls, returns of the function, or messages. "" is
 * "mark:work" where there are such marks. threads: only their work counts; NULL: all. Returns NULL
 * without an error if no unit was requested or found. */
TbWaitWork *tb_wait_work_new (TbTrace *trace,
                              const char *unit,
                              TbSelection *threads,
                              gint64 from,
                              gint64 to,
                              GError **error);
void tb_wait_work_free (TbWaitWork *self);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (TbWaitWork, tb_wait_work_free)

/* Events, of which some are units of work. */
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

gboolean
tb_wait_work_rows_load (TbWaitWorkRows *self, TbTrace *trace, TbWorkKind kind, GError **error);
void tb_wait_work_rows_clear (TbWaitWorkRows *self);
/* How many units a row stands for if it is one, regardless of its thread and name. */
guint64 tb_wait_work_rows_count (const TbWaitWorkRows *self, gsize row);

G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC (TbWaitWorkRows, tb_wait_work_rows_clear)

G_END_DECLS
