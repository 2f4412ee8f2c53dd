/* tb-peaks-discrimination.c: mutual information between one attribute of a call and its membership
 * in the peak, its significance and the attribute's most informative value
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#include "config.h"

#include <math.h>

#include "tb-peaks-discrimination.h"

#define MAX_VALUES 64 /* maximum number of distinct values */
/* minimum number of calls with a value to keep it distinct, as the significance test requires */
#define LEAST_CALLS 5
/* Quantile of the normal distribution that one in ten thousand exceeds. */
#define SIGNIFICANT 3.719

typedef struct
{
  gint64 value;
  gint64 to;
  guint counts[2]; /* outside, inside */
  gboolean is_rest;
} Value;

/* −2ⁿ⁺¹ < value ≤ −2ⁿ, 0, 2ⁿ ≤ value < 2ⁿ⁺¹ */
static gint64
get_group (gint64 value)
{
  guint64 size = value < 0 ? -(guint64) value : (guint64) value;
  gint64 power = size > 0 ? 1 + 63 - __builtin_clzll (size) : 0;

  return value < 0 ? -power : power;
}

static GArray *
count_values (const gint64 *const lists[2], const guint n[2], gboolean grouped)
{
  GArray *values = g_array_new (FALSE, FALSE, sizeof (Value));
  g_autoptr (GHashTable) index = g_hash_table_new_full (g_int64_hash, g_int64_equal, g_free, NULL);

  for (guint side = 0; side < 2; side++)
    for (guint i = 0; i < n[side]; i++)
      {
        gint64 key = grouped ? get_group (lists[side][i]) : lists[side][i];
        gpointer at = g_hash_table_lookup (index, &key);
        Value *value;

        if (at == NULL)
          {
            Value new = { .value = lists[side][i], .to = lists[side][i] };

            g_array_append_val (values, new);
            at = GUINT_TO_POINTER (values->len);
            g_hash_table_insert (index, g_memdup2 (&key, sizeof key), at);
          }
        value = &g_array_index (values, Value, GPOINTER_TO_UINT (at) - 1);
        value->value = MIN (value->value, lists[side][i]);
        value->to = MAX (value->to, lists[side][i]);
        value->counts[side]++;
      }
  return values;
}

static int
compare_values (gconstpointer a, gconstpointer b)
{
  const Value *left = a, *right = b;
  guint of_left = left->counts[0] + left->counts[1], of_right = right->counts[0] + right->counts[1];

  if (of_left != of_right)
    return of_left > of_right ? -1 : 1;
  return left->value < right->value ? -1 : left->value > right->value;
}

/* Merges rare values, and those beyond the maximum number, into one. */
static void
merge_rare_values (GArray *values)
{
  Value rest = { .is_rest = TRUE };
  guint kept;

  g_array_sort (values, compare_values);
  for (kept = 0; kept < values->len && kept < MAX_VALUES - 1; kept++)
    {
      const Value *value = &g_array_index (values, Value, kept);

      if (value->counts[0] + value->counts[1] < LEAST_CALLS)
        break;
    }
  for (guint i = kept; i < values->len; i++)
    for (guint side = 0; side < 2; side++)
      rest.counts[side] += g_array_index (values, Value, i).counts[side];
  if (kept == values->len)
    return;
  g_array_set_size (values, kept);
  g_array_append_val (values, rest);
}

static double
get_part (double share)
{
  return share > 0 ? -share * log2 (share) : 0;
}

/* prior: shares of the calls outside and inside. */
static double
get_information (const GArray *values, const guint n[2], const double prior[2])
{
  double before = get_part (prior[0]) + get_part (prior[1]), after = 0, bias;

  for (guint i = 0; i < values->len; i++)
    {
      const Value *value = &g_array_index (values, Value, i);
      double joint[2], both;

      for (guint side = 0; side < 2; side++)
        joint[side] = prior[side] * value->counts[side] / n[side];
      both = joint[0] + joint[1];
      if (both > 0)
        after += both * (get_part (joint[0] / both) + get_part (joint[1] / both));
    }
  /* Bias correction of Miller and Madow, for two samples. */
  bias = (values->len - 1) * (prior[0] / n[0] + prior[1] / n[1]) / (2 * G_LN2);
  return before > 0 ? CLAMP ((before - after - bias) / before, 0, 1) : 0;
}

/* Likelihood-ratio test. Its statistic is distributed as χ², the cube root of which is nearly
 * normal (Wilson, Hilferty). */
static gboolean
is_significant (const GArray *values, const guint n[2])
{
  double all = n[0] + (double) n[1], statistic = 0, degrees = values->len - 1;

  if (values->len < 2)
    return FALSE;
  for (guint i = 0; i < values->len; i++)
    {
      const Value *value = &g_array_index (values, Value, i);
      double of_value = value->counts[0] + (double) value->counts[1];

      for (guint side = 0; side < 2; side++)
        if (value->counts[side] > 0)
          statistic
              += 2 * value->counts[side] * log (value->counts[side] * all / (of_value * n[side]));
    }
  return (cbrt (statistic / degrees) - (1 - 2 / (9 * degrees))) / sqrt (2 / (9 * degrees))
         > SIGNIFICANT;
}

TbPeakAssociation
tb_peaks_measure_association (const gint64 *inside,
                              guint n_inside,
                              guint64 all_inside,
                              const gint64 *outside,
                              guint n_outside,
                              guint64 all_outside,
                              gboolean is_number)
{
  const gint64 *const lists[2] = { outside, inside };
  const guint n[2] = { n_outside, n_inside };
  double all = (double) all_inside + (double) all_outside, most = -1;
  double prior[2];
  g_autoptr (GArray) values = NULL;
  TbPeakAssociation association = { 0 };

  if (n_inside == 0 || n_outside == 0)
    return association;
  prior[0] = (double) all_outside / all;
  prior[1] = (double) all_inside / all;
  values = count_values (lists, n, FALSE);
  if (is_number && values->len > MAX_VALUES / 2)
    {
      g_array_unref (values);
      values = count_values (lists, n, TRUE);
    }
  merge_rare_values (values);
  association.information = get_information (values, n, prior);
  association.is_significant = is_significant (values, n);
  for (guint i = 0; i < values->len; i++)
    {
      const Value *value = &g_array_index (values, Value, i);
      double in = (double) value->counts[1] / n_inside, out = (double) value->counts[0] / n_outside;

      if (value->is_rest || in - out <= most)
        continue;
      most = in - out;
      association.value = value->value;
      association.value_to = value->to;
      association.share_in = in;
      association.share_out = out;
    }
  return association;
}
