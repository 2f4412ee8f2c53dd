/* tb-recorder-event-queue-private.h: queue in which the recorder sorts events by time before they
 * are recorded: events that were added in order form runs, which a heap merges; taken up to a given
 * time
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#pragma once

#include "session/schema/tb-event.h"

G_BEGIN_DECLS

/* A run: events that were added in order of time. Those in [next, end) of the buffer have not been
 * taken yet. */
typedef struct
{
  guint32 next;
  guint32 end;
} TbRun;

/* The first event of a non-empty run; the queue's heap consists of these. */
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
} TbEventQueue;

void tb_event_queue_clear (TbEventQueue *self);
/* Returns FALSE if the queue is full (4 Gi events). */
gboolean tb_event_queue_add (TbEventQueue *self, const TbEvent *event);
/* Returns the next events before limit in order of time; events of equal time are in the order in
 * which they were added. They are contiguous, and valid until an event is added or
 * tb_event_queue_trim() is called. NULL: there is none. */
const TbEvent *tb_event_queue_take (TbEventQueue *self, gint64 limit, guint *n_events);
void tb_event_queue_trim (TbEventQueue *self);

G_END_DECLS
