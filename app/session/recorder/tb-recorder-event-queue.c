/* tb-recorder-event-queue.c: queue in which the recorder sorts events by time before they are
 * recorded: events that were added in order form runs, which a heap merges; taken up to a given
 * time
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#include "config.h"

#include "session/recorder/tb-recorder-event-queue-private.h"

#include <string.h>

/* Sources deliver the events of each CPU in order, one CPU after the other: the buffer consists of
 * a few sorted runs. The runs are merged in place; only the events left over when the buffer is
 * half empty are moved. */

#define WINDOW_RETAINED_CAPACITY 65536u

void
tb_event_queue_clear (TbEventQueue *self)
{
  g_free (self->events);
  g_free (self->runs);
  g_free (self->heap);
  *self = (TbEventQueue) { 0 };
}

static inline gboolean
head_is_before (const TbRunHead *a, const TbRunHead *b)
{
  return a->time < b->time || (a->time == b->time && a->run < b->run);
}

static void
sift_up (TbEventQueue *self, guint32 position)
{
  TbRunHead head = self->heap[position];

  while (position > 0)
    {
      guint32 parent = (position - 1) / 2;

      if (!head_is_before (&head, &self->heap[parent]))
        break;
      self->heap[position] = self->heap[parent];
      position = parent;
    }
  self->heap[position] = head;
}

static void
sift_down (TbEventQueue *self, guint32 position)
{
  TbRunHead head = self->heap[position];

  for (;;)
    {
      guint64 child = (guint64) position * 2 + 1;

      if (child >= self->n_heap)
        break;
      if (child + 1 < self->n_heap && head_is_before (&self->heap[child + 1], &self->heap[child]))
        child++;
      if (!head_is_before (&self->heap[child], &head))
        break;
      self->heap[position] = self->heap[child];
      position = child;
    }
  self->heap[position] = head;
}

/* Drops the events that were taken. The runs keep their order, so the heap stays valid. */
static void
compact (TbEventQueue *self)
{
  guint32 n_events = 0;
  guint32 n_runs = 0;
  g_autofree guint32 *new_runs = g_new (guint32, self->n_runs);

  for (guint32 i = 0; i < self->n_runs; i++)
    {
      TbRun run = self->runs[i];
      guint32 length = run.end - run.next;

      new_runs[i] = n_runs;
      if (length == 0)
        continue;
      memmove (&self->events[n_events], &self->events[run.next], sizeof (TbEvent) * length);
      self->runs[n_runs++] = (TbRun) { n_events, n_events + length };
      n_events += length;
    }
  for (guint32 i = 0; i < self->n_heap; i++)
    self->heap[i].run = new_runs[self->heap[i].run];
  self->n_events = n_events;
  self->n_runs = n_runs;
  self->n_taken = 0;
}

static void
make_room (TbEventQueue *self)
{
  if (self->n_taken > 0 && self->n_taken >= self->n_events / 2)
    compact (self);
  if (self->n_events == self->capacity)
    {
      self->capacity
          = self->capacity == 0 ? 1024 : (guint32) MIN ((guint64) self->capacity * 2, G_MAXUINT32);
      self->events = g_renew (TbEvent, self->events, self->capacity);
    }
}

static void
begin_run (TbEventQueue *self)
{
  if (self->n_runs == self->runs_capacity)
    {
      self->runs_capacity = MAX (self->runs_capacity * 2, 16);
      self->runs = g_renew (TbRun, self->runs, self->runs_capacity);
      self->heap = g_renew (TbRunHead, self->heap, self->runs_capacity);
    }
  self->runs[self->n_runs++] = (TbRun) { self->n_events, self->n_events };
}

gboolean
tb_event_queue_add (TbEventQueue *self, const TbEvent *event)
{
  TbRun *run;

  if (G_UNLIKELY (self->n_events == self->capacity))
    {
      if (self->n_events == G_MAXUINT32)
        return FALSE;
      make_room (self);
    }
  if (self->n_runs == 0
      || (self->n_events > 0 && event->time < self->events[self->n_events - 1].time))
    begin_run (self);
  run = &self->runs[self->n_runs - 1];
  self->events[self->n_events++] = *event;
  run->end = self->n_events;
  if (run->end - run->next == 1)
    {
      self->heap[self->n_heap++] = (TbRunHead) { event->time, self->n_runs - 1 };
      sift_up (self, self->n_heap - 1);
    }
  return TRUE;
}

/* Frees the memory of a burst of events once they are taken. */
void
tb_event_queue_trim (TbEventQueue *self)
{
  if (self->n_heap > 0)
    return;
  self->n_events = self->n_runs = self->n_taken = 0;
  if (self->capacity > WINDOW_RETAINED_CAPACITY)
    {
      self->capacity = WINDOW_RETAINED_CAPACITY;
      self->events = g_renew (TbEvent, self->events, self->capacity);
    }
}

const TbEvent *
tb_event_queue_take (TbEventQueue *self, gint64 limit, guint *n_events)
{
  TbRunHead head;
  TbRunHead bound = { limit, 0 };
  TbRun *run;
  guint32 first, next;

  if (self->n_heap == 0)
    return NULL;
  head = self->heap[0];
  if (head.time >= limit)
    return NULL;

  /* Takes all events of the run up to the next event of another run, so that the heap is updated
   * once for many events. */
  for (guint32 child = 1; child <= 2 && child < self->n_heap; child++)
    if (head_is_before (&self->heap[child], &bound))
      bound = self->heap[child];
  run = &self->runs[head.run];
  first = next = run->next;
  do
    next++;
  while (next < run->end
         && (self->events[next].time < bound.time
             || (self->events[next].time == bound.time && bound.time < limit
                 && head.run < bound.run)));
  run->next = next;
  self->n_taken += next - first;
  if (next < run->end)
    self->heap[0].time = self->events[next].time;
  else if (--self->n_heap > 0)
    self->heap[0] = self->heap[self->n_heap];
  if (self->n_heap > 0)
    sift_down (self, 0);
  *n_events = next - first;
  return &self->events[first];
}
