/* tb-contexts-accuracy-functions.c: median errors of the begin, end and length of inferred calls
 * for each probed function, from the errors of single calls
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#include "config.h"

#include <math.h>

#include "tb-contexts-accuracy.h"

static int
compare_offsets (gconstpointer a, gconstpointer b)
{
  const TbContextsOffset *left = a, *right = b;

  return left->function < right->function ? -1 : left->function > right->function;
}

static int
compare_times (gconstpointer a, gconstpointer b)
{
  gint64 left = *(const gint64 *) a, right = *(const gint64 *) b;

  return left < right ? -1 : left > right;
}

static double
get_median (gint64 *values, guint n)
{
  qsort (values, n, sizeof *values, compare_times);
  return n % 2 ? (double) values[n / 2] : ((double) values[n / 2 - 1] + (double) values[n / 2]) / 2;
}

/* The medians for one function. */
static TbContextsFunctionAccuracy
make_function (const TbContextsOffset *offsets, guint n)
{
  TbContextsFunctionAccuracy found
      = { .function = offsets->function, .node = offsets->node, .n = n };
  g_autofree gint64 *values = g_new (gint64, n);

  for (guint i = 0; i < n; i++)
    values[i] = offsets[i].truth;
  found.truth = get_median (values, n);
  for (guint estimate = 0; estimate < TB_CONTEXTS_N_ESTIMATES; estimate++)
    {
      for (guint i = 0; i < n; i++)
        values[i] = offsets[i].begin[estimate];
      found.begin[estimate] = get_median (values, n);
      for (guint i = 0; i < n; i++)
        values[i] = offsets[i].end[estimate];
      found.end[estimate] = get_median (values, n);
      for (guint i = 0; i < n; i++)
        values[i] = ABS (offsets[i].length[estimate]);
      found.error[estimate] = get_median (values, n);
    }
  return found;
}

static int
compare_functions (gconstpointer a, gconstpointer b)
{
  const TbContextsFunctionAccuracy *left = a, *right = b;

  if (left->n != right->n)
    return left->n > right->n ? -1 : 1;
  return left->function < right->function ? -1 : left->function > right->function;
}

GArray *
tb_contexts_accuracy_list_functions (GArray *offsets)
{
  GArray *functions = g_array_new (FALSE, FALSE, sizeof (TbContextsFunctionAccuracy));

  g_array_sort (offsets, compare_offsets);
  for (guint from = 0, to; from < offsets->len; from = to)
    {
      const TbContextsOffset *first = &g_array_index (offsets, TbContextsOffset, from);
      TbContextsFunctionAccuracy found;

      for (to = from; to < offsets->len; to++)
        if (g_array_index (offsets, TbContextsOffset, to).function != first->function)
          break;
      found = make_function (first, to - from);
      g_array_append_val (functions, found);
    }
  g_array_sort (functions, compare_functions);
  return functions;
}
