/* tb-address-ranges.c: sorting of an array of named address ranges of generated code (from perf
 * maps or jitdump files): later ones replace earlier ones that they overlap, and those that
 * several functions had one after another are marked; look-up by address
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * Just-in-time compilers use memory again, and append a line for the new function to their list.
 */

#include "config.h"

#include "symbols/tb-address-ranges-private.h"

/* A pass over the addresses. */
typedef struct
{
  TbAddressRange *ranges; /* sorted by start */
  guint n;
  guint *by_end;   /* indices, sorted by end */
  guint32 *names;  /* by index: number of the name */
  guint *n_open;   /* by number of a name: open ranges that have it */
  guint n_names;   /* names with an open range */
  GArray *heap;    /* indices of open ranges and of some that ended, the latest first */
  GArray *results; /* of TbAddressRange */
} Pass;

static int
compare_ranges (gconstpointer a, gconstpointer b)
{
  const TbAddressRange *x = a, *y = b;

  if (x->start != y->start)
    return x->start < y->start ? -1 : 1;
  return x->order < y->order ? -1 : x->order > y->order;
}

static int
compare_ends (gconstpointer a, gconstpointer b, gpointer ranges)
{
  const TbAddressRange *x = (TbAddressRange *) ranges + *(const guint *) a;
  const TbAddressRange *y = (TbAddressRange *) ranges + *(const guint *) b;

  return x->end < y->end ? -1 : x->end > y->end;
}

static gboolean
is_later (const Pass *self, guint a, guint b)
{
  return self->ranges[g_array_index (self->heap, guint, a)].order
         > self->ranges[g_array_index (self->heap, guint, b)].order;
}

static void
swap (Pass *self, guint a, guint b)
{
  guint *heap = (guint *) self->heap->data, value = heap[a];

  heap[a] = heap[b];
  heap[b] = value;
}

static void
push (Pass *self, guint range)
{
  guint at = self->heap->len;

  g_array_append_val (self->heap, range);
  for (; at > 0 && is_later (self, at, (at - 1) / 2); at = (at - 1) / 2)
    swap (self, at, (at - 1) / 2);
}

static void
pop (Pass *self)
{
  guint n = self->heap->len - 1;

  swap (self, 0, n);
  g_array_set_size (self->heap, n);
  for (guint at = 0;;)
    {
      guint child = 2 * at + 1;

      if (child + 1 < n && is_later (self, child + 1, child))
        child++;
      if (child >= n || !is_later (self, child, at))
        return;
      swap (self, at, child);
      at = child;
    }
}

/* Adds what the latest open range has between two addresses, joined to the part before it. */
static void
add_part (Pass *self, guint64 start, guint64 end)
{
  TbAddressRange *last;
  TbAddressRange part;

  while (self->heap->len > 0 && self->ranges[g_array_index (self->heap, guint, 0)].end <= start)
    pop (self);
  if (self->heap->len == 0)
    return;
  part = self->ranges[g_array_index (self->heap, guint, 0)];
  part.start = start;
  part.end = end;
  part.is_reused = self->n_names > 1;
  last = self->results->len > 0
             ? &g_array_index (self->results, TbAddressRange, self->results->len - 1)
             : NULL;
  if (last != NULL && last->end == start && last->order == part.order
      && last->is_reused == part.is_reused)
    last->end = end;
  else
    g_array_append_val (self->results, part);
}

static void
walk (Pass *self)
{
  guint next = 0, ended = 0;

  while (ended < self->n)
    {
      guint64 end = self->ranges[self->by_end[ended]].end;
      guint64 at = next < self->n ? MIN (self->ranges[next].start, end) : end;
      guint64 following;

      for (; ended < self->n && self->ranges[self->by_end[ended]].end == at; ended++)
        self->n_names -= --self->n_open[self->names[self->by_end[ended]]] == 0;
      for (; next < self->n && self->ranges[next].start == at; next++)
        {
          self->n_names += self->n_open[self->names[next]]++ == 0;
          push (self, next);
        }
      if (ended == self->n)
        return;
      following = self->ranges[self->by_end[ended]].end;
      if (next < self->n)
        following = MIN (following, self->ranges[next].start);
      add_part (self, at, following);
    }
}

static gboolean
have_overlaps (const TbAddressRange *ranges, guint n)
{
  for (guint i = 1; i < n; i++)
    if (ranges[i].start < ranges[i - 1].end)
      return TRUE;
  return FALSE;
}

static void
number_names (Pass *self, const char *text)
{
  g_autoptr (GHashTable) numbers = g_hash_table_new (g_str_hash, g_str_equal);

  for (guint i = 0; i < self->n; i++)
    {
      gpointer name = (gpointer) (text + self->ranges[i].name), number;

      if (!g_hash_table_lookup_extended (numbers, name, NULL, &number))
        {
          number = GUINT_TO_POINTER (g_hash_table_size (numbers));
          g_hash_table_insert (numbers, name, number);
        }
      self->names[i] = GPOINTER_TO_UINT (number);
    }
}

void
tb_address_ranges_resolve (GArray *ranges, const char *text)
{
  Pass self = { .ranges = (TbAddressRange *) ranges->data, .n = ranges->len };

  g_array_sort (ranges, compare_ranges);
  if (!have_overlaps (self.ranges, self.n))
    return;
  self.by_end = g_new (guint, self.n);
  self.names = g_new (guint32, self.n);
  self.n_open = g_new0 (guint, self.n);
  self.heap = g_array_new (FALSE, FALSE, sizeof (guint));
  self.results = g_array_new (FALSE, FALSE, sizeof (TbAddressRange));
  for (guint i = 0; i < self.n; i++)
    self.by_end[i] = i;
  g_sort_array (self.by_end, self.n, sizeof *self.by_end, compare_ends, self.ranges);
  number_names (&self, text);
  walk (&self);
  g_array_set_size (ranges, 0);
  g_array_append_vals (ranges, self.results->data, self.results->len);
  g_array_unref (self.results);
  g_array_unref (self.heap);
  g_free (self.by_end);
  g_free (self.names);
  g_free (self.n_open);
}

const TbAddressRange *
tb_address_ranges_find (const GArray *ranges, guint64 address)
{
  gsize low = 0, high = ranges->len;
  const TbAddressRange *range;

  while (low < high)
    {
      gsize middle = low + (high - low) / 2;

      if (g_array_index (ranges, TbAddressRange, middle).start <= address)
        low = middle + 1;
      else
        high = middle;
    }
  if (low == 0)
    return NULL;
  range = &g_array_index (ranges, TbAddressRange, low - 1);
  return address < range->end ? range : NULL;
}
