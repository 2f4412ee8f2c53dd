/* tb-recorder-window-private.h: events that wait until all before them have come, taken out in order of time
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#pragma once

#include "session/tb-event.h"

G_BEGIN_DECLS

/* A stretch of events that came in order of time: [next, end) of the buffer are still to be taken. */
typedef struct
{
  guint32 next;
  guint32 end;
} TbRun;

/* The first event of a run that is not empty; the window's heap is made of these. */
typedef struct
{
  gint64 time;
  guint32 run;
} TbRunHead;

typedef struct
{
  TbEvent *events;
  guint32 n_events;
  guint32 capacity;
  guint32 n_taken;
  TbRun *runs;
  guint32 n_runs;
  guint32 runs_capacity;
  TbRunHead *heap;
  guint32 n_heap;
} TbWindow;

void tb_window_clear (TbWindow *self);
/* FALSE if it is full (4 Gi events). */
gboolean tb_window_add (TbWindow *self, const TbEvent *event);
/* The next events before limit in order of time, equal times in the order they came; they lie one behind the other and
 * are valid until an event is added or tb_window_trim() called. NULL: there is none. */
const TbEvent *tb_window_take (TbWindow *self, gint64 limit, guint *n_events);
void tb_window_trim (TbWindow *self);

G_END_DECLS
