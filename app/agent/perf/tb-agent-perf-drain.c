/* tb-agent-perf-drain.c: reading of the perf_event_open() rings, whose records go to the
 * translator, with a look ahead at unread records; count and report of lost events
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#include <linux/perf_event.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "agent/perf/tb-agent-perf-private.h"

/* Space is returned to the kernel in steps, not after each record. */
#define RELEASE_STEP (64u << 10)

static uint64_t
read_head (const TbAgentRing *ring)
{
  struct perf_event_mmap_page *page = ring->base;

  return __atomic_load_n (&page->data_head, __ATOMIC_ACQUIRE);
}

static void
release (TbAgentRing *ring)
{
  struct perf_event_mmap_page *page = ring->base;

  __atomic_store_n (&page->data_tail, ring->tail, __ATOMIC_RELEASE);
}

/* The record at a position of the ring, copied if it wraps around */
static const uint8_t *
get_record (TbAgent *self, const TbAgentRing *ring, uint64_t at, uint64_t head, size_t *size)
{
  uint64_t offset = at & (ring->size - 1);
  struct perf_event_header header;

  /* Records are multiples of 8 bytes, so the header itself never wraps around. */
  memcpy (&header, ring->data + offset, sizeof header);
  if (header.size < sizeof header || header.size > head - at)
    return NULL;
  *size = header.size;
  if (offset + header.size <= ring->size)
    return ring->data + offset;
  memcpy (self->perf.scratch, ring->data + offset, ring->size - offset);
  memcpy (self->perf.scratch + (ring->size - offset), ring->data,
          header.size - (ring->size - offset));
  return self->perf.scratch;
}

/* Visits the unread records without taking them out of the rings. */
static void
look_ahead (TbAgent *self, void (*visit) (TbAgent *self, const uint8_t *record, size_t size))
{
  for (unsigned i = 0; i < self->perf.n_rings; i++)
    {
      const TbAgentRing *ring = &self->perf.rings[i];
      uint64_t head = ring->base != NULL ? read_head (ring) : 0;
      const uint8_t *record;
      size_t size;

      for (uint64_t at = ring->tail; at < head; at += size)
        {
          record = get_record (self, ring, at, head, &size);
          if (record == NULL)
            break;
          visit (self, record, size);
        }
    }
}

static void
drain_ring (TbAgent *self, TbAgentRing *ring, uint64_t head)
{
  uint64_t released = ring->tail;
  const uint8_t *record;
  size_t size;

  while (ring->tail < head)
    {
      record = get_record (self, ring, ring->tail, head, &size);
      if (record == NULL)
        {
          ring->tail = head;
          break;
        }
      tb_agent_translate (self, ring, record, size);
      ring->tail += size;
      if (ring->tail - released >= RELEASE_STEP)
        {
          release (ring);
          released = ring->tail;
        }
    }
  release (ring);
}

uint64_t
tb_agent_perf_discard (TbAgent *self, TbAgentEvent event)
{
  uint64_t n = 0, id;

  for (unsigned i = 0; i < self->perf.n_rings; i++)
    {
      TbAgentRing *ring = &self->perf.rings[i];
      uint64_t head = ring->base != NULL ? read_head (ring) : 0;
      const uint8_t *record;
      size_t size;

      for (;
           ring->tail < head && (record = get_record (self, ring, ring->tail, head, &size)) != NULL;
           ring->tail += size)
        if (((const struct perf_event_header *) (const void *) record)->type == PERF_RECORD_SAMPLE
            && size >= 16)
          {
            const uint64_t *kind;

            memcpy (&id, record + sizeof (struct perf_event_header), sizeof id);
            kind = tb_agent_map_get (&self->perf.event_ids, id + 1);
            n += kind != NULL && *kind == event;
          }
      if (ring->base != NULL)
        {
          ring->tail = head;
          release (ring);
        }
    }
  return n;
}

/* The number of lost events, as the kernel counts them */
static uint64_t
read_lost (const TbAgentCounter *counter)
{
  uint64_t values[2];

  return read (counter->fd, values, sizeof values) == sizeof values ? values[1] : 0;
}

/* Whether any events were lost */
static int
has_lost (const TbAgent *self)
{
  for (size_t i = 0; i < self->perf.n_counters; i++)
    if (read_lost (&self->perf.counters[i]) > 0)
      return 1;
  return self->n_lost > 0;
}

void
tb_agent_perf_drain (TbAgent *self)
{
  for (unsigned i = 0; i < self->perf.n_rings; i++)
    if (self->perf.rings[i].base != NULL)
      self->perf.rings[i].head = read_head (&self->perf.rings[i]);
  /* Membership in the target depends on earlier events on any CPU, so those are examined first. */
  if (self->target.is_filtered)
    look_ahead (self, tb_agent_translate_membership);
  for (unsigned i = 0; i < self->perf.n_rings; i++)
    if (self->perf.rings[i].base != NULL)
      drain_ring (self, &self->perf.rings[i], self->perf.rings[i].head);
  if (!self->tasks.listing && self->tasks.unannounced.n_used > 0
      && self->header.backend != TB_CAPTURE_BACKEND_BPF)
    {
      /* The fork happened on another CPU, whose ring was read only up to an earlier time. */
      look_ahead (self, tb_agent_translate_announcement);
      tb_agent_tasks_put_unannounced (self, &self->tasks.unannounced, has_lost (self));
    }
}

void
tb_agent_perf_report_losses (TbAgent *self)
{
  uint64_t *totals = tb_agent_allocate (NULL, (self->perf.n_rings + 1) * sizeof *totals);

  memset (totals, 0, (self->perf.n_rings + 1) * sizeof *totals);
  for (size_t i = 0; i < self->perf.n_counters; i++)
    totals[self->perf.counters[i].ring] += read_lost (&self->perf.counters[i]);
  for (unsigned i = 0; i < self->perf.n_rings; i++)
    {
      const TbAgentRing *ring = &self->perf.rings[i];
      TbCaptureRecord record
          = { .time = self->end_time, .type = TB_CAPTURE_LOST, .cpu = ring->cpu };

      if (totals[i] <= ring->lost)
        continue;
      record.lost.count = totals[i] - ring->lost;
      record.lost.from = ring->last_time > self->start_time ? ring->last_time : self->start_time;
      if (record.lost.from > record.time)
        record.lost.from = record.time;
      self->n_lost += record.lost.count;
      tb_agent_output_put (self->output, &record);
    }
  free (totals);
}
