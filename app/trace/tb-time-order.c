/* tb-time-order.c: row numbers sorted by time (radix sort), or by group such as a thread or CPU,
 * without rows of unset time or unknown group; check whether times ascend
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#include "config.h"

#include <string.h>

#include "trace/tb-time-order-private.h"
#include "trace/tb-trace-cancel-private.h"

#define DIGIT_BITS 11
#define N_DIGITS (1u << DIGIT_BITS)

gboolean
tb_times_are_ascending (const gint64 *times, gsize n)
{
  for (gsize i = 1; i < n && !tb_trace_is_cancelled_at (i); i++)
    if (times[i] < times[i - 1])
      return FALSE;
  return TRUE;
}

/* Sorts the rows by one digit of their times. FALSE: cancelled. */
static gboolean
order_by_digit (const gint64 *times,
                gint64 least,
                guint shift,
                const guint32 *order,
                guint32 *other,
                gsize n)
{
  guint32 counts[N_DIGITS] = { 0 };
  guint32 sum = 0;

  for (gsize i = 0; i < n; i++)
    {
      if (tb_trace_is_cancelled_at (i))
        return FALSE;
      counts[((guint64) (times[order[i]] - least) >> shift) & (N_DIGITS - 1)]++;
    }
  for (guint digit = 0; digit < N_DIGITS; digit++)
    {
      guint32 count = counts[digit];

      counts[digit] = sum;
      sum += count;
    }
  for (gsize i = 0; i < n; i++)
    {
      if (tb_trace_is_cancelled_at (i))
        return FALSE;
      other[counts[((guint64) (times[order[i]] - least) >> shift) & (N_DIGITS - 1)]++] = order[i];
    }
  return TRUE;
}

/* Stable and linear for any times: a radix sort over as many digits as the time span needs. Rows
 * with an unset (negative) time are left out; if cancelled, all rows are. Free with g_free(). */
guint32 *
tb_time_order (const gint64 *times, gsize n, gsize *n_ordered)
{
  g_autofree guint32 *order = g_new (guint32, MAX (n, 1));
  g_autofree guint32 *other = NULL;
  gint64 least = G_MAXINT64, greatest = 0, before = -1;
  gboolean ascending = TRUE;
  gsize m = 0;

  for (gsize i = 0; i < n; i++)
    {
      if (tb_trace_is_cancelled_at (i))
        goto cancelled;
      if (times[i] < 0)
        continue;
      ascending &= times[i] >= before;
      before = times[i];
      least = MIN (least, times[i]);
      greatest = MAX (greatest, times[i]);
      order[m++] = i;
    }
  *n_ordered = m;
  if (ascending)
    return g_steal_pointer (&order);

  other = g_new (guint32, m);
  for (guint shift = 0; shift < 64 && ((guint64) (greatest - least) >> shift) > 0;
       shift += DIGIT_BITS)
    {
      guint32 *swap = order;

      if (!order_by_digit (times, least, shift, order, other, m))
        goto cancelled;
      order = other;
      other = swap;
    }
  return g_steal_pointer (&order);

cancelled:
  *n_ordered = 0;
  return g_steal_pointer (&order);
}

/* Rows by group (thread, CPU, device), in their old order within a group; first has n_groups + 1
 * entries. Rows of groups out of range are left out; if cancelled, all rows are. */
guint32 *
tb_group_order (const guint32 *groups, gsize n, guint n_groups, guint32 **first)
{
  guint32 *start = g_new0 (guint32, (gsize) n_groups + 2);
  guint32 *order = g_new (guint32, MAX (n, 1));

  for (gsize i = 0; i < n && !tb_trace_is_cancelled_at (i); i++)
    if (groups[i] < n_groups)
      start[groups[i] + 2]++;
  for (gsize group = 2; group <= n_groups; group++)
    start[group] += start[group - 1];
  for (gsize i = 0; i < n && !tb_trace_is_cancelled_at (i); i++)
    if (groups[i] < n_groups)
      order[start[groups[i] + 1]++] = i;
  if (tb_trace_is_cancelled ())
    memset (start, 0, sizeof *start * ((gsize) n_groups + 2));
  *first = start;
  return order;
}
