/* tb-peaks-coincidence.c: statistical test whether the slow calls of two operations occur at the
 * same times
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#include "config.h"

#include "tb-peaks-coincidence.h"

#define LEAST_BURSTS 3
#define WORD 64u

static gboolean
get_bit (const guint64 *bits, guint i)
{
  return (bits[i / WORD] >> (i % WORD)) & 1;
}

/* A bit set with a bit for each slice that a call overlaps. */
static guint64 *
mark_slices (const TbPeaksSpan *spans, gsize n_spans, gint64 from, gint64 to, guint n, guint length)
{
  guint64 *bits = g_new0 (guint64, length / WORD + 2);
  double width = (double) (to - from) / n;

  for (gsize i = 0; i < n_spans; i++)
    {
      gint64 begin = CLAMP (spans[i].from, from, to - 1), end = CLAMP (spans[i].to, begin, to - 1);
      guint last = MIN ((guint) ((double) (end - from) / width), n - 1);

      if (spans[i].to < from || spans[i].from >= to)
        continue;
      for (guint slice = MIN ((guint) ((double) (begin - from) / width), n - 1); slice <= last;
           slice++)
        bits[slice / WORD] |= G_GUINT64_CONSTANT (1) << (slice % WORD);
    }
  return bits;
}

/* Counts common bits of the first n bits; the bits of other start at shift. */
static guint
count_common (const guint64 *one, const guint64 *other, guint n, guint shift)
{
  guint common = 0, words = shift / WORD, bits = shift % WORD;

  for (guint i = 0; i * WORD < n; i++)
    {
      guint64 word = other[i + words] >> bits;

      if (bits > 0)
        word |= other[i + words + 1] << (WORD - bits);
      common += (guint) __builtin_popcountll (one[i] & word);
    }
  return common;
}

static guint
count_bursts (const guint64 *one, const guint64 *other, guint n)
{
  guint bursts = 0;
  gboolean is_in = FALSE;

  for (guint i = 0; i < n; i++)
    {
      if (!get_bit (one, i))
        is_in = FALSE;
      else if (get_bit (other, i) && !is_in)
        {
          is_in = TRUE;
          bursts++;
        }
    }
  return bursts;
}

TbPeaksCoincidence
tb_peaks_measure_coincidence (const TbPeaksSpan *one,
                              gsize n_one,
                              const TbPeaksSpan *other,
                              gsize n_other,
                              gint64 from,
                              gint64 to)
{
  TbPeaksCoincidence found
      = { .n = (guint) CLAMP (to - from, 1, TB_PEAKS_COINCIDENCE_SLICES), .probability = 1 };
  guint n = found.n, as_many = 0;
  g_autofree guint64 *of_one = mark_slices (one, n_one, from, MAX (to, from + 1), n, n);
  /* The bits are stored twice in a row, so that a shift needs no wrap-around. */
  g_autofree guint64 *of_other
      = mark_slices (other, n_other, from, MAX (to, from + 1), n, 2 * n + WORD);

  found.one = count_common (of_one, of_one, n, 0);
  found.other = count_common (of_other, of_other, n, 0);
  found.both = count_common (of_one, of_other, n, 0);
  found.bursts = count_bursts (of_one, of_other, n);
  found.expected = (double) found.one * found.other / n;
  if (found.both == 0)
    return found;
  for (guint i = 0; i < n; i++)
    if (get_bit (of_other, i))
      of_other[(n + i) / WORD] |= G_GUINT64_CONSTANT (1) << ((n + i) % WORD);
  for (guint shift = 0; shift < n; shift++)
    as_many += count_common (of_one, of_other, n, shift) >= found.both;
  found.probability = (double) as_many / n;
  found.is_significant
      = found.probability <= TB_PEAKS_COINCIDENCE_CHANCE && found.bursts >= LEAST_BURSTS;
  return found;
}
