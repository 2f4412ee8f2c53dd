/* test-latency-peaks-detection.c: test of bins and peaks against hand-labelled histograms,
 * resamples and plain arithmetic
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#include "config.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "latency-state/tb-peaks-refinement.h"

#define RESAMPLES 100
#define STABLE 95
#define MANY_CALLS 5000

typedef struct
{
  char *name;
  guint64 counts[128];
  GArray *labels; /* TbPeakRange */
} Labelled;

static void
labelled_free (gpointer data)
{
  Labelled *self = data;

  g_free (self->name);
  g_array_unref (self->labels);
  g_free (self);
}

static Labelled *
parse_labelled (const char *line)
{
  g_auto (GStrv) parts = g_strsplit (line, ":", -1);
  g_auto (GStrv) counts = NULL;
  g_auto (GStrv) labels = NULL;
  Labelled *self = g_new0 (Labelled, 1);
  guint first = (guint) atoi (parts[1]);

  g_assert_cmpuint (g_strv_length (parts), ==, 4);
  self->name = g_strdup (parts[0]);
  self->labels = g_array_new (FALSE, FALSE, sizeof (TbPeakRange));
  counts = g_strsplit (g_strstrip (parts[2]), " ", -1);
  for (guint i = 0; counts[i] != NULL; i++)
    self->counts[first + i] = g_ascii_strtoull (counts[i], NULL, 10);
  labels = g_strsplit (g_strstrip (parts[3]), " ", -1);
  for (guint i = 0; labels[i] != NULL && !g_str_equal (labels[i], "none"); i++)
    {
      TbPeakRange range;

      g_assert_cmpint (sscanf (labels[i], "%u-%u", &range.first, &range.last), ==, 2);
      g_array_append_val (self->labels, range);
    }
  return self;
}

static GPtrArray *
read_labelled (const char *name)
{
  g_autofree char *path = g_test_build_filename (G_TEST_DIST, "plugins", name, NULL);
  g_autofree char *text = NULL;
  g_auto (GStrv) lines = NULL;
  GPtrArray *list = g_ptr_array_new_with_free_func (labelled_free);

  g_assert_true (g_file_get_contents (path, &text, NULL, NULL));
  lines = g_strsplit (text, "\n", -1);
  for (guint i = 0; lines[i] != NULL; i++)
    if (*lines[i] != '\0' && *lines[i] != '#')
      g_ptr_array_add (list, parse_labelled (lines[i]));
  return list;
}

static gboolean
are_near (guint a, guint b)
{
  return a <= b + 1 && b <= a + 1;
}

/* The number of peaks must be right in 28 of 30 histograms, and their edges within one bin. */
static void
test_labelled (void)
{
  g_autoptr (GPtrArray) list = read_labelled ("latency-peaks-labelled.txt");
  guint right = 0;

  g_assert_cmpuint (list->len, >=, 30);
  for (guint i = 0; i < list->len; i++)
    {
      const Labelled *labelled = g_ptr_array_index (list, i);
      g_autoptr (GArray) peaks = tb_peaks_find (labelled->counts, 64, 1);

      for (guint j = 0; j < peaks->len; j++)
        g_test_message ("%s: %u-%u", labelled->name, g_array_index (peaks, TbPeakRange, j).first,
                        g_array_index (peaks, TbPeakRange, j).last);
      if (peaks->len != labelled->labels->len)
        {
          g_test_message ("%s: %u peaks, not %u", labelled->name, peaks->len,
                          labelled->labels->len);
          continue;
        }
      right++;
      for (guint j = 0; j < peaks->len; j++)
        {
          const TbPeakRange *peak = &g_array_index (peaks, TbPeakRange, j);
          const TbPeakRange *label = &g_array_index (labelled->labels, TbPeakRange, j);

          if (!are_near (peak->first, label->first) || !are_near (peak->last, label->last))
            {
              g_test_message ("%s: %u-%u, not %u-%u", labelled->name, peak->first, peak->last,
                              label->first, label->last);
              g_test_fail ();
            }
        }
    }
  g_test_message ("%u of %u right", right, list->len);
  g_assert_cmpuint (right * 30, >=, list->len * 28);
}

/* Poisson distribution for few, normal distribution for many. */
static guint64
resample (GRand *rand, guint64 count)
{
  double limit = exp (-(double) count), product = 1;
  guint64 drawn = 0;

  if (count > 400)
    {
      double normal
          = sqrt (-2 * log (1 - g_rand_double (rand))) * cos (2 * G_PI * g_rand_double (rand));

      return (guint64) MAX (round ((double) count + sqrt ((double) count) * normal), 0);
    }
  while ((product *= g_rand_double (rand)) > limit)
    drawn++;
  return drawn;
}

/* Resamples as many calls as there are. For many calls, drawing each bin independently is
 * equivalent. */
static void
draw_calls (GRand *rand, const guint64 *counts, guint64 *drawn)
{
  guint64 all = 0;

  for (guint bin = 0; bin < 64; bin++)
    all += counts[bin];
  memset (drawn, 0, 64 * sizeof *drawn);
  for (guint bin = 0; all > MANY_CALLS && bin < 64; bin++)
    drawn[bin] = resample (rand, counts[bin]);
  for (guint64 i = 0; all <= MANY_CALLS && i < all; i++)
    {
      guint64 call = (guint64) (g_rand_double (rand) * (double) all);
      guint bin = 0;

      while (call >= counts[bin])
        call -= counts[bin++];
      drawn[bin]++;
    }
}

/* Histograms with a handful of calls near an empty or almost empty bin: 4 calls behind an empty bin
 * are a peak, and other calls of the same kind may be 3. */
static const char *const few_calls[]
    = { "sparse", "tail-of-single-calls", "two-calls-far-off", "bump-in-the-noise", NULL };

/* Other calls of the same distribution show the same peaks: the same number in 95 of 100 resamples,
 * except where a handful of calls decides. The random numbers are the same in each run. */
static void
test_stable (void)
{
  g_autoptr (GPtrArray) list = read_labelled ("latency-peaks-labelled.txt");
  g_autoptr (GRand) rand = g_rand_new_with_seed (20261121);
  guint stable = 0;

  for (guint i = 0; i < list->len; i++)
    {
      const Labelled *labelled = g_ptr_array_index (list, i);
      g_autoptr (GArray) peaks = tb_peaks_find (labelled->counts, 64, 1);
      guint same = 0;

      for (guint j = 0; j < RESAMPLES; j++)
        {
          guint64 counts[64];
          g_autoptr (GArray) again = NULL;

          draw_calls (rand, labelled->counts, counts);
          again = tb_peaks_find (counts, 64, 1);
          same += again->len == peaks->len;
        }
      if (same < STABLE)
        g_test_message ("%s: %u of %u resamples have as many peaks", labelled->name, same,
                        RESAMPLES);
      stable += same >= STABLE;
      if (!g_strv_contains (few_calls, labelled->name))
        g_assert_cmpuint (same, >=, STABLE);
    }
  g_test_message ("%u of %u stable", stable, list->len);
}

/* One call more or less in a bin of a tail never changes the number of peaks. */
static void
test_tails (void)
{
  g_autoptr (GPtrArray) list = read_labelled ("latency-peaks-labelled.txt");

  for (guint i = 0; i < list->len; i++)
    {
      const Labelled *labelled = g_ptr_array_index (list, i);
      g_autoptr (GArray) peaks = tb_peaks_find (labelled->counts, 64, 1);
      guint64 all = 0;

      for (guint bin = 0; bin < 64; bin++)
        all += labelled->counts[bin];
      if (all < 100)
        continue;
      for (guint bin = 0; bin < 64; bin++)
        {
          g_autofree guint64 *counts = g_memdup2 (labelled->counts, sizeof labelled->counts);
          g_autoptr (GArray) more = NULL;
          g_autoptr (GArray) less = NULL;

          if (counts[bin] > 3)
            continue;
          counts[bin]++;
          more = tb_peaks_find (counts, 64, 1);
          g_assert_cmpuint (more->len, ==, peaks->len);
          counts[bin] -= MIN (counts[bin], 2);
          less = tb_peaks_find (counts, 64, 1);
          g_assert_cmpuint (less->len, ==, peaks->len);
        }
    }
}

/* For any counts, peaks ascend, do not touch and have calls at both edges. */
static void
test_any (void)
{
  for (guint round = 0; round < 5000; round++)
    {
      guint64 counts[64];
      guint n = (guint) g_test_rand_int_range (0, 65), next = 0;
      g_autoptr (GArray) peaks = NULL;

      for (guint bin = 0; bin < n; bin++)
        counts[bin] = g_test_rand_int_range (0, 3) == 0
                          ? 0
                          : G_GUINT64_CONSTANT (1)
                                << g_test_rand_int_range (0, g_test_rand_int_range (1, 63));
      peaks = tb_peaks_find (counts, n, 1);
      for (guint i = 0; i < peaks->len; i++)
        {
          const TbPeakRange *peak = &g_array_index (peaks, TbPeakRange, i);

          g_assert_cmpuint (peak->first, >=, next);
          g_assert_cmpuint (peak->last, >=, peak->first);
          g_assert_cmpuint (peak->last, <, n);
          g_assert_cmpuint (counts[peak->first], >, 0);
          g_assert_cmpuint (counts[peak->last], >, 0);
          next = peak->last + 1;
        }
    }
}

/* floor (resolution · log2 n), in integers: 2^bin ≤ n^resolution < 2^(bin + 1). */
static void
test_bins (void)
{
  for (guint resolution = 1; resolution <= TB_PEAKS_MAX_RESOLUTION; resolution++)
    {
      g_autofree TbPeaksBins *bins = g_new (TbPeaksBins, 1);

      tb_peaks_bins_init (bins, resolution);
      g_assert_cmpuint (tb_peaks_bins_find (bins, 0), ==, 0);
      g_assert_cmpuint (tb_peaks_bins_find (bins, 1), ==, 0);
      g_assert_cmpuint (tb_peaks_bins_find (bins, G_MAXINT64), ==, bins->n - 1);
      for (guint round = 0; round < 2000; round++)
        {
          gint64 latency
              = (gint64) ((((guint64) g_test_rand_int () << 32) | (guint32) g_test_rand_int ())
                          >> g_test_rand_int_range (1, 63));
          guint bin = tb_peaks_bins_find (bins, latency);

          g_assert_cmpint (bins->edges[bin], <=, latency);
          g_assert_cmpint (latency, <, bins->edges[bin + 1]);
          if (latency > 1 && latency < 1 << 20)
            g_assert_cmpuint (bin, ==, (guint) floorl (resolution * log2l (latency) + 1e-12L));
        }
      for (guint shift = 0; shift < 62; shift++)
        g_assert_cmpuint (tb_peaks_bins_find (bins, G_GINT64_CONSTANT (1) << shift), ==,
                          shift * resolution);
    }
}

/* --- broad peaks in finer bins --- */

static TbPeaksHistogram *
make_histogram (const TbPeaksBins *bins, const guint64 *halves)
{
  TbPeaksHistogram *histogram = tb_peaks_histogram_new (bins);

  for (guint half = 0; half < 126; half++)
    {
      histogram->fine[half] = halves[half];
      histogram->counts[half / 2] += halves[half];
      histogram->calls += halves[half];
    }
  return histogram;
}

static TbPeaksBins *
make_bins (guint resolution)
{
  TbPeaksBins *bins = g_new (TbPeaksBins, 1);

  tb_peaks_bins_init (bins, resolution);
  return bins;
}

/* A bin is two half bins, and both count the same calls. */
static void
test_parts (void)
{
  g_autofree TbPeaksBins *bins = make_bins (1);
  g_autofree TbPeaksBins *finer = make_bins (2);
  g_autoptr (TbPeaksHistogram) histogram = tb_peaks_histogram_new (bins);

  g_assert_cmpuint (bins->parts, ==, 2);
  g_assert_cmpuint (finer->parts, ==, 1);
  for (guint round = 0; round < 20000; round++)
    {
      gint64 latency
          = (gint64) ((((guint64) g_test_rand_int () << 32) | (guint32) g_test_rand_int ())
                      >> g_test_rand_int_range (1, 64));

      g_assert_cmpuint (tb_peaks_bins_find_part (bins, latency), ==,
                        tb_peaks_bins_find (finer, latency));
      g_assert_cmpuint (tb_peaks_bins_find_part (bins, latency) / 2, ==,
                        tb_peaks_bins_find (bins, latency));
      tb_peaks_histogram_add (histogram, bins, latency);
    }
  for (guint bin = 0; bin < bins->n; bin++)
    g_assert_cmpuint (histogram->counts[bin], ==,
                      histogram->fine[2 * bin] + histogram->fine[2 * bin + 1]);
}

static void
test_halves (void)
{
  g_autoptr (GPtrArray) list = read_labelled ("latency-peaks-halves.txt");
  g_autofree TbPeaksBins *bins = make_bins (1);

  g_assert_cmpuint (list->len, >=, 15);
  for (guint i = 0; i < list->len; i++)
    {
      const Labelled *labelled = g_ptr_array_index (list, i);
      g_autoptr (TbPeaksHistogram) histogram = make_histogram (bins, labelled->counts);
      g_autoptr (GArray) peaks = tb_peaks_find_in_histogram (histogram, bins);

      g_test_message ("%s: %u peaks", labelled->name, peaks->len);
      g_assert_cmpuint (peaks->len, ==, labelled->labels->len);
      for (guint j = 0; j < peaks->len; j++)
        {
          const TbPeakRange *peak = &g_array_index (peaks, TbPeakRange, j);
          const TbPeakRange *label = &g_array_index (labelled->labels, TbPeakRange, j);

          g_assert_true (are_near (peak->first, label->first)
                         && are_near (peak->last, label->last));
          g_assert_true (peak->top >= peak->first && peak->top <= peak->last);
        }
    }
}

static double
draw_normal (GRand *rand)
{
  return sqrt (-2 * log (1 - g_rand_double (rand))) * cos (2 * G_PI * g_rand_double (rand));
}

/* Number of peaks found in random calls around one or two medians; apart: distance of the medians
 * in doublings. */
static guint
count_drawn (GRand *rand,
             const TbPeaksBins *bins,
             guint calls,
             double width,
             double distance,
             double share)
{
  g_autoptr (TbPeaksHistogram) histogram = tb_peaks_histogram_new (bins);
  g_autoptr (GArray) peaks = NULL;
  double median = g_rand_double_range (rand, 14, 18);

  for (guint i = 0; i < calls; i++)
    tb_peaks_histogram_add (histogram, bins,
                            (gint64) exp2 (median + (g_rand_double (rand) < share ? distance : 0)
                                           + width * draw_normal (rand)));
  peaks = tb_peaks_find_in_histogram (histogram, bins);
  return peaks->len;
}

/* Calls with one median are one peak in 95 of 100 cases, however broad. Two medians three doublings
 * apart are separated three times as often as in bins of a whole doubling. The random numbers are
 * the same in each run: 83 and 24 of 100. */
static void
test_drawn (void)
{
  g_autofree TbPeaksBins *bins = make_bins (1);
  g_autofree TbPeaksBins *whole = make_bins (1);
  g_autoptr (GRand) rand = g_rand_new_with_seed (20261122);
  guint one = 0, two = 0, two_by_bins = 0;

  whole->parts = 1;
  for (guint i = 0; i < 100; i++)
    {
      guint calls = (guint) exp2 (g_rand_double_range (rand, 6, 15));

      one += count_drawn (rand, bins, calls, g_rand_double_range (rand, 0.4, 2), 0, 0) == 1;
    }
  for (guint i = 0; i < 100; i++)
    {
      guint32 seed = g_rand_int (rand);

      g_rand_set_seed (rand, seed);
      two += count_drawn (rand, bins, 4000, 0.75, 3, 0.3) == 2;
      g_rand_set_seed (rand, seed);
      two_by_bins += count_drawn (rand, whole, 4000, 0.75, 3, 0.3) == 2;
    }
  g_test_message ("one peak in %u of 100; two in %u, in bins of a doubling in %u", one, two,
                  two_by_bins);
  g_assert_cmpuint (one, >=, 95);
  g_assert_cmpuint (two, >=, 80);
  g_assert_cmpuint (two, >=, 3 * two_by_bins);
}

int
main (int argc, char *argv[])
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/latency-peaks/find/bins", test_bins);
  g_test_add_func ("/latency-peaks/find/labelled", test_labelled);
  g_test_add_func ("/latency-peaks/find/stable", test_stable);
  g_test_add_func ("/latency-peaks/find/tails", test_tails);
  g_test_add_func ("/latency-peaks/find/any", test_any);
  g_test_add_func ("/latency-peaks/find/parts", test_parts);
  g_test_add_func ("/latency-peaks/find/halves", test_halves);
  g_test_add_func ("/latency-peaks/find/drawn", test_drawn);
  return g_test_run ();
}
