/* tb-timeline-maxima.c: index of one track of a timeline: the longest interval of each thread state
 * (paint) in any range of its intervals, found in O(log n)
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#include "config.h"

#include "report/timeline/tb-timeline-figure-private.h"

/* Number of intervals in a block of the lowest level, and of blocks in one block of the next level.
 * A block takes 44 bytes, so all levels together take less than a tenth of a byte an interval. */
#define BLOCK 512
#define BLOCKS 16
#define N_LEVELS 8
/* Number of blocks of the lowest level between two checks of the cancellable. */
#define BLOCKS_PER_CHECK 128
#define NO_INTERVAL G_MAXUINT32

/* The longest interval of each paint. */
typedef struct
{
  guint32 interval[TB_N_PAINTS];
} Block;

struct _TbTimelineLongest
{
  guint n_levels;
  gsize n_blocks[N_LEVELS]; /* complete blocks only; later intervals are scanned */
  Block *blocks[N_LEVELS];
};

static gint64
get_interval_length (const TbTimelineTrack *track, guint32 interval)
{
  return track->end[interval] - track->start[interval];
}

static void
update_longest (const TbTimelineTrack *track, Block *block, guint paint, guint32 interval)
{
  if (interval != NO_INTERVAL
      && (block->interval[paint] == NO_INTERVAL
          || get_interval_length (track, interval)
                 > get_interval_length (track, block->interval[paint])))
    block->interval[paint] = interval;
}

static void
fill_lowest (const TbTimelineTrack *track, Block *blocks, gsize n)
{
  GCancellable *cancellable = g_cancellable_get_current ();

  /* If cancelled, the result is incomplete: see tb_timeline_figure_freeze(). */
  for (gsize b = 0;
       b < n && (b % BLOCKS_PER_CHECK != 0 || !g_cancellable_is_cancelled (cancellable)); b++)
    for (gsize i = b * BLOCK; i < (b + 1) * BLOCK; i++)
      update_longest (track, &blocks[b], track->paint[i], (guint32) i);
}

TbTimelineMaxima *
tb_timeline_maxima_new (const TbTimelineTrack *track)
{
  TbTimelineMaxima *self = g_new0 (TbTimelineMaxima, 1);
  gsize n = MIN (track->n, NO_INTERVAL) / BLOCK;

  while (n > 0 && self->n_levels < N_LEVELS)
    {
      guint level = self->n_levels++;

      self->n_blocks[level] = n;
      self->blocks[level] = g_new (Block, n);
      memset (self->blocks[level], 0xff, n * sizeof (Block));
      if (level == 0)
        fill_lowest (track, self->blocks[0], n);
      else
        for (gsize b = 0; b < n * BLOCKS; b++)
          for (guint paint = 0; paint < TB_N_PAINTS; paint++)
            update_longest (track, &self->blocks[level][b / BLOCKS], paint,
                            self->blocks[level - 1][b].interval[paint]);
      n /= BLOCKS;
    }
  return self;
}

void
tb_timeline_maxima_free (TbTimelineMaxima *self)
{
  for (guint level = 0; level < self->n_levels; level++)
    g_free (self->blocks[level]);
  g_free (self);
}

/* Scans the blocks [first, end) of a level. longest: the longest interval so far. */
static gsize
scan_blocks (const Block *blocks,
             const TbTimelineTrack *track,
             gsize first,
             gsize end,
             guint32 paints,
             gsize longest)
{
  for (gsize b = first; b < end; b++)
    for (guint paint = 0; paint < TB_N_PAINTS; paint++)
      {
        guint32 interval = blocks[b].interval[paint];

        if (!(paints & 1u << paint) || interval == NO_INTERVAL)
          continue;
        if (longest == G_MAXSIZE
            || get_interval_length (track, interval) > track->end[longest] - track->start[longest])
          longest = interval;
      }
  return longest;
}

static gsize
scan_intervals (const TbTimelineTrack *track, gsize first, gsize end, guint32 paints, gsize longest)
{
  for (gsize i = first; i < end; i++)
    if (paints & 1u << track->paint[i]
        && (longest == G_MAXSIZE
            || track->end[i] - track->start[i] > track->end[longest] - track->start[longest]))
      longest = i;
  return longest;
}

gsize
tb_timeline_maxima_find (const TbTimelineMaxima *self,
                         const TbTimelineTrack *track,
                         gsize first,
                         gsize end,
                         guint32 paints)
{
  gsize longest = G_MAXSIZE, size = BLOCK;
  gsize first_block = (first + BLOCK - 1) / BLOCK, end_block = end / BLOCK;

  if (self->n_levels == 0 || first_block >= MIN (end_block, self->n_blocks[0]))
    return scan_intervals (track, first, end, paints, longest);
  end_block = MIN (end_block, self->n_blocks[0]);
  longest = scan_intervals (track, first, first_block * size, paints, longest);
  longest = scan_intervals (track, end_block * size, end, paints, longest);
  for (guint level = 0; first_block < end_block; level++)
    {
      gsize upper_first = (first_block + BLOCKS - 1) / BLOCKS, upper_end = end_block / BLOCKS;

      if (level + 1 == self->n_levels || upper_first >= MIN (upper_end, self->n_blocks[level + 1]))
        return scan_blocks (self->blocks[level], track, first_block, end_block, paints, longest);
      upper_end = MIN (upper_end, self->n_blocks[level + 1]);
      longest = scan_blocks (self->blocks[level], track, first_block, upper_first * BLOCKS, paints,
                             longest);
      longest = scan_blocks (self->blocks[level], track, upper_end * BLOCKS, end_block, paints,
                             longest);
      first_block = upper_first;
      end_block = upper_end;
    }
  return longest;
}
