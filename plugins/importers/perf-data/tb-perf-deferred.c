/* tb-perf-deferred.c: user parts of call stacks that were recorded after their samples: kept, and
 * found by number, thread and time
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#include "config.h"

#include <stdlib.h>

#include "tb-perf-chain.h"

/* Fields of the record: header, cookie, number of addresses, addresses. */
#define COOKIE_OFFSET 8
#define ADDRESSES_OFFSET 24

typedef struct
{
  guint64 cookie;
  gint64 time;
  const guint8 *record;
  gint32 tid;
} Part;

/* The records are read before the samples that need them, and are sorted when they are first looked
 * up. */
struct _TbPerfDeferred
{
  GArray *parts; /* Part */
  gboolean is_sorted;
};

TbPerfDeferred *
tb_perf_deferred_new (void)
{
  TbPerfDeferred *self = g_new0 (TbPerfDeferred, 1);

  self->parts = g_array_new (FALSE, FALSE, sizeof (Part));
  return self;
}

void
tb_perf_deferred_free (TbPerfDeferred *self)
{
  g_array_unref (self->parts);
  g_free (self);
}

void
tb_perf_deferred_add (TbPerfDeferred *self,
                      const guint8 *record,
                      gsize size,
                      gint64 time,
                      gint32 tid,
                      gboolean swap)
{
  Part part = { .time = time, .record = record, .tid = tid };

  if (size < ADDRESSES_OFFSET || tid <= 0
      || tb_perf_u64 (record + COOKIE_OFFSET + 8, swap) > (size - ADDRESSES_OFFSET) / 8)
    return;
  part.cookie = tb_perf_u64 (record + COOKIE_OFFSET, swap);
  g_array_append_val (self->parts, part);
  self->is_sorted = FALSE;
}

static int
compare (gconstpointer a, gconstpointer b)
{
  const Part *left = a, *right = b;

  if (left->cookie != right->cookie)
    return left->cookie < right->cookie ? -1 : 1;
  if (left->tid != right->tid)
    return left->tid < right->tid ? -1 : 1;
  return left->time < right->time ? -1 : left->time > right->time;
}

const guint8 *
tb_perf_deferred_find (TbPerfDeferred *self, guint64 cookie, gint32 tid, gint64 time)
{
  const Part wanted = { .cookie = cookie, .tid = tid, .time = time };
  guint low = 0, high = self->parts->len;

  if (!self->is_sorted)
    g_array_sort (self->parts, compare);
  self->is_sorted = TRUE;
  while (low < high)
    {
      guint middle = low + (high - low) / 2;

      if (compare (&g_array_index (self->parts, Part, middle), &wanted) < 0)
        low = middle + 1;
      else
        high = middle;
    }
  if (low < self->parts->len)
    {
      const Part *found = &g_array_index (self->parts, Part, low);

      if (found->cookie == cookie && found->tid == tid)
        return found->record;
    }
  return NULL;
}
