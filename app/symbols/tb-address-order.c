/* tb-address-order.c: indices of addresses in ascending order (radix sort)
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * Addresses of a file differ in their low bits only, so that a few passes suffice.
 */

#include "config.h"

#include "symbols/tb-address-order-private.h"

#define DIGIT_BITS 11
#define N_DIGITS (1u << DIGIT_BITS)

static void
order_by_digit (const guint64 *keys, guint shift, const guint32 *order, guint32 *sorted, guint32 n)
{
  guint32 counts[N_DIGITS] = { 0 }, sum = 0;

  for (guint32 i = 0; i < n; i++)
    counts[keys[i] >> shift & (N_DIGITS - 1)]++;
  for (guint digit = 0; digit < N_DIGITS; digit++)
    {
      guint32 count = counts[digit];

      counts[digit] = sum;
      sum += count;
    }
  for (guint32 i = 0; i < n; i++)
    sorted[counts[keys[order[i]] >> shift & (N_DIGITS - 1)]++] = order[i];
}

guint32 *
tb_address_order (const guint64 *addresses, guint32 n)
{
  guint32 *order = g_new (guint32, MAX (n, 1));
  g_autofree guint32 *other = NULL;
  gboolean is_ascending = TRUE;
  guint64 differing = 0;

  for (guint32 i = 0; i < n; i++)
    {
      is_ascending &= i == 0 || addresses[i - 1] <= addresses[i];
      differing |= addresses[i] ^ addresses[0];
      order[i] = i;
    }
  if (is_ascending)
    return order;
  other = g_new (guint32, n);
  for (guint shift = 0; shift < 64 && differing >> shift != 0; shift += DIGIT_BITS)
    if ((differing >> shift & (N_DIGITS - 1)) != 0)
      {
        guint32 *swap = order;

        order_by_digit (addresses, shift, order, other, n);
        order = other;
        other = swap;
      }
  return order;
}
