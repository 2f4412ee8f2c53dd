/* tb-timeline-sums.c: prefix sums of one track of a timeline: total time of each thread state
 * (paint) in any time range, and the first interval that ends after a time, both found in O(log n)
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#include "config.h"

#include "report/timeline/tb-timeline-figure-private.h"

/* Both ends of a range lie in a block whose intervals are scanned. Smaller blocks are faster and
 * take more memory (136 bytes each). */
#define BLOCK 32
/* Number of blocks between two checks of the cancellable. */
#define BLOCKS_PER_CHECK 2048

typedef struct
{
  gint64 ns[TB_N_PAINTS];
  guint32 count[TB_N_PAINTS];
} Sum;

/* sums[b]: sums over the intervals before b × BLOCK */
struct _TbTimelineSums
{
  gsize n_blocks;
  Sum sums[];
};

/* If the current cancellable is cancelled, the sums are incomplete: see
 * tb_timeline_figure_freeze(). */
TbTimelineSums *
tb_timeline_sums_new (gsize n, const gint64 *start, const gint64 *end, const guint8 *paint)
{
  gsize n_blocks = n / BLOCK;
  TbTimelineSums *self = g_malloc (sizeof (TbTimelineSums) + (n_blocks + 1) * sizeof (Sum));
  GCancellable *cancellable = g_cancellable_get_current ();
  Sum sum = { 0 };

  self->n_blocks = n_blocks;
  for (gsize block = 0; block < n_blocks; block++)
    {
      if (block % BLOCKS_PER_CHECK == 0 && g_cancellable_is_cancelled (cancellable))
        break;
      self->sums[block] = sum;
      for (gsize i = block * BLOCK; i < (block + 1) * BLOCK; i++)
        {
          sum.ns[paint[i]] += end[i] - start[i];
          sum.count[paint[i]]++;
        }
    }
  self->sums[n_blocks] = sum;
  return self;
}

void
tb_timeline_sums_free (TbTimelineSums *self)
{
  g_free (self);
}

gsize
tb_timeline_track_find (const TbTimelineTrack *track, gint64 time)
{
  gsize low = 0;
  gsize high = track->n;

  while (low < high)
    {
      gsize middle = low + (high - low) / 2;

      if (track->end[middle] > time)
        high = middle;
      else
        low = middle + 1;
    }
  return low;
}

/* The first interval, from first on, that starts at time or later. */
static gsize
find_start (const TbTimelineTrack *track, gsize first, gint64 time)
{
  gsize low = first;
  gsize high = track->n;

  while (low < high)
    {
      gsize middle = low + (high - low) / 2;

      if (track->start[middle] >= time)
        high = middle;
      else
        low = middle + 1;
    }
  return low;
}

static void
add_intervals (const TbTimelineTrack *track, gsize first, gsize end, TbTimelineCoverage *out)
{
  for (gsize i = first; i < end; i++)
    {
      out->ns[track->paint[i]] += track->end[i] - track->start[i];
      out->present |= 1u << track->paint[i];
    }
}

static void
add_blocks (const TbTimelineSums *self, gsize first, gsize end, TbTimelineCoverage *out)
{
  for (guint paint = 0; paint < TB_N_PAINTS; paint++)
    {
      out->ns[paint] += self->sums[end].ns[paint] - self->sums[first].ns[paint];
      if (self->sums[end].count[paint] != self->sums[first].count[paint])
        out->present |= 1u << paint;
    }
}

void
tb_timeline_sums_get_coverage (const TbTimelineSums *self,
                               const TbTimelineTrack *track,
                               gint64 from,
                               gint64 to,
                               TbTimelineCoverage *out)
{
  gsize first;
  gsize end;
  gsize first_block;
  gsize end_block;

  memset (out, 0, sizeof *out);
  if (to <= from)
    return;

  /* An interval of length 0 occurs at its start. Intervals that start at from stand before the
   * first that ends after it. */
  first = tb_timeline_track_find (track, from);
  while (first > 0 && track->start[first - 1] >= from)
    first--;
  end = find_start (track, first, to);
  if (first == end)
    return;
  first_block = (first + BLOCK - 1) / BLOCK;
  end_block = end / BLOCK;
  if (first_block < end_block)
    {
      add_intervals (track, first, first_block * BLOCK, out);
      add_blocks (self, first_block, end_block, out);
      add_intervals (track, end_block * BLOCK, end, out);
    }
  else
    add_intervals (track, first, end, out);

  /* subtract the parts outside the range */
  if (track->start[first] < from)
    out->ns[track->paint[first]] -= from - track->start[first];
  if (track->end[end - 1] > to)
    out->ns[track->paint[end - 1]] -= track->end[end - 1] - to;
}
