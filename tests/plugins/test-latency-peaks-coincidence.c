/* test-latency-peaks-coincidence.c: test of coincidence of two operations' slow calls: against a
 * plain count, by chance and by cause
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#include "config.h"

#include "../test-mode.h"
#include "stats/tb-peaks-coincidence.h"

#define NAIVE_ROUNDS test_rounds (60, 15)
#define CHANCE_ROUNDS 1000
#define RANGE 60000000000 /* ns */

static void
add (GArray *spans, gint64 from, gint64 length)
{
  TbPeaksSpan span = { from, from + length };

  g_array_append_val (spans, span);
}

static TbPeaksCoincidence
measure (const GArray *one, const GArray *other, gint64 from, gint64 to)
{
  return tb_peaks_measure_coincidence ((const TbPeaksSpan *) (gconstpointer) one->data, one->len,
                                       (const TbPeaksSpan *) (gconstpointer) other->data,
                                       other->len, from, to);
}

static GArray *
new_spans (void)
{
  return g_array_new (FALSE, FALSE, sizeof (TbPeaksSpan));
}

/* Slices of 1 ns: each is checked on its own. */
static gboolean
is_touched (const GArray *spans, gint64 time)
{
  for (guint i = 0; i < spans->len; i++)
    {
      const TbPeaksSpan *span = &g_array_index (spans, TbPeaksSpan, i);

      if (span->from <= time && time <= span->to)
        return TRUE;
    }
  return FALSE;
}

static void
test_naive (void)
{
  for (guint round = 0; round < NAIVE_ROUNDS; round++)
    {
      g_autoptr (GArray) one = new_spans (), other = new_spans ();
      gint64 from = g_test_rand_int_range (0, 1000);
      guint n = (guint) g_test_rand_int_range (2, 700), in_one = 0, in_other = 0, both = 0,
            as_many = 0, bursts = 0;
      g_autofree gboolean *of_one = g_new0 (gboolean, n), *of_other = g_new0 (gboolean, n);
      TbPeaksCoincidence found;

      for (int i = g_test_rand_int_range (0, 12); i > 0; i--)
        add (one, from + g_test_rand_int_range (-20, (int) n + 20), g_test_rand_int_range (0, 30));
      for (int i = g_test_rand_int_range (0, 12); i > 0; i--)
        add (other, from + g_test_rand_int_range (-20, (int) n + 20),
             g_test_rand_int_range (0, 30));
      for (guint i = 0; i < n; i++)
        {
          of_one[i] = is_touched (one, from + i);
          of_other[i] = is_touched (other, from + i);
          in_one += of_one[i] != FALSE;
          in_other += of_other[i] != FALSE;
          both += of_one[i] && of_other[i];
        }
      for (guint shift = 0; shift < n; shift++)
        {
          guint common = 0;

          for (guint i = 0; i < n; i++)
            common += of_one[i] && of_other[(i + shift) % n];
          as_many += common >= both;
        }
      for (guint i = 0; i < n;)
        {
          gboolean any = FALSE;

          for (; i < n && of_one[i]; i++)
            any |= of_other[i];
          bursts += any != FALSE;
          i += i < n && !of_one[i];
        }
      found = measure (one, other, from, from + n);
      g_assert_cmpuint (found.n, ==, n);
      g_assert_cmpuint (found.one, ==, in_one);
      g_assert_cmpuint (found.other, ==, in_other);
      g_assert_cmpuint (found.both, ==, both);
      g_assert_cmpuint (found.bursts, ==, bursts);
      g_assert_cmpfloat_with_epsilon (found.expected, (double) in_one * in_other / n, 1e-9);
      g_assert_cmpfloat_with_epsilon (found.probability, both > 0 ? (double) as_many / n : 1, 1e-9);
      g_assert_true (found.is_significant
                     == (found.probability <= TB_PEAKS_COINCIDENCE_CHANCE && found.bursts >= 3));
    }
}

static gint64
draw (double most)
{
  return (gint64) (g_test_rand_double () * most);
}

/* Slow calls at random times; in bursts; at regular times, several each; rarely. */
static GArray *
draw_operation (void)
{
  GArray *spans = new_spans ();
  double length = RANGE / (double) (1 << g_test_rand_int_range (6, 14));
  int n;

  switch (g_test_rand_int_range (0, 4))
    {
    case 0:
      for (n = g_test_rand_int_range (20, 300); n > 0; n--)
        add (spans, draw (RANGE), draw (length));
      break;
    case 1:
      for (n = g_test_rand_int_range (3, 20); n > 0; n--)
        {
          gint64 at = draw (RANGE);

          for (int i = g_test_rand_int_range (1, 20); i > 0; i--)
            add (spans, at + draw (8 * length), draw (length));
        }
      break;
    case 2:
      {
        gint64 period = RANGE / g_test_rand_int_range (6, 120), phase = draw ((double) period);

        length = MIN (length, (double) period / 4);
        for (gint64 at = phase; at < RANGE; at += period)
          add (spans, at + draw ((double) period / 100), (gint64) length);
        break;
      }
    default:
      for (n = g_test_rand_int_range (3, 10); n > 0; n--)
        add (spans, draw (RANGE), draw (length));
    }
  return spans;
}

/* Independent operations are reported as coincident in at most 1 of 40 cases. */
static void
test_independent (void)
{
  guint n_coincident = 0;

  for (guint round = 0; round < CHANCE_ROUNDS; round++)
    {
      g_autoptr (GArray) one = draw_operation (), other = draw_operation ();

      n_coincident += measure (one, other, 0, RANGE).is_significant;
    }
  g_test_message ("%u of %u found", n_coincident, CHANCE_ROUNDS);
  g_assert_cmpuint (n_coincident, <=, CHANCE_ROUNDS * 5 / 100);
}

/* Calls of one operation wait for the other: most of its slow calls lie within slow calls of the
 * other, some come independently. */
static void
test_dependent (void)
{
  guint n_coincident = 0, rounds = 200;

  for (guint round = 0; round < rounds; round++)
    {
      g_autoptr (GArray) one = new_spans (), other = new_spans ();
      gint64 period = RANGE / g_test_rand_int_range (12, 60);
      gboolean is_regular = g_test_rand_bit ();
      gint64 length = period / g_test_rand_int_range (6, 40);
      TbPeaksCoincidence found;

      for (gint64 at = draw ((double) period); at < RANGE;
           at += is_regular ? period : draw (2.0 * (double) period))
        {
          gint64 late = draw ((double) length / 10);

          add (other, at, length);
          if (g_test_rand_int_range (0, 10) < 9)
            add (one, at + late, length - late);
          if (g_test_rand_int_range (0, 10) == 0)
            add (one, draw (RANGE), length / 2);
        }
      found = measure (one, other, 0, RANGE);
      n_coincident += found.is_significant;
    }
  g_test_message ("%u of %u found", n_coincident, rounds);
  g_assert_cmpuint (n_coincident, >=, rounds * 95 / 100);
}

/* One or two coincidences are not enough; calls that last all the time do not coincide. */
static void
test_few (void)
{
  g_autoptr (GArray) one = new_spans (), other = new_spans (), always = new_spans ();

  for (guint i = 0; i < 3; i++)
    {
      g_assert_false (measure (one, other, 0, RANGE).is_significant);
      add (one, RANGE / 7 * (1 + i * i), RANGE / 1000);
      add (other, RANGE / 7 * (1 + i * i), RANGE / 1000);
    }
  g_assert_true (measure (one, other, 0, RANGE).is_significant);
  add (always, 0, RANGE);
  g_assert_false (measure (one, always, 0, RANGE).is_significant);
  g_assert_cmpfloat (measure (one, always, 0, RANGE).probability, ==, 1);
  g_assert_false (measure (one, other, 0, 0).is_significant);
}

int
main (int argc, char *argv[])
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/latency-peaks/coincidence/naive", test_naive);
  g_test_add_func ("/latency-peaks/coincidence/chance", test_independent);
  g_test_add_func ("/latency-peaks/coincidence/together", test_dependent);
  g_test_add_func ("/latency-peaks/coincidence/little", test_few);
  return g_test_run ();
}
