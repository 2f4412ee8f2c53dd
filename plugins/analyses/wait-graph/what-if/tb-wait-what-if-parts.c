/* tb-wait-what-if-parts.c: length of a run, recorded or replayed, cut into parts of equal work; the
 * variance that the parts show, and the number of units of work in it
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#include "config.h"

#include <math.h>

#include "what-if/tb-wait-what-if-parts.h"

#define DRAWS 1000
#define SEED 1

static int
compare_doubles (gconstpointer a, gconstpointer b)
{
  double left = *(const double *) a, right = *(const double *) b;

  return left < right ? -1 : left > right;
}

/* When the life of the first measured actor begins. */
static gint64
get_begin (const TbWaitPredictor *of, const guint8 *is_measured)
{
  gint64 begin = G_MAXINT64;

  for (guint32 i = 0; i < of->recording->threads->len; i++)
    if (is_measured[i])
      begin = MIN (begin, of->recording->begin[i]);
  return begin < G_MAXINT64 ? begin : 0;
}

/* When the threads reached each recorded moment: the mean over the threads, weighted by their
 * running time. */
static void
find_mean (TbWaitParts *parts,
           const TbWaitPredictor *of,
           const TbReplayTimes *times,
           const guint8 *is_measured)
{
  double weights[TB_WAIT_N_PARTS + 1] = { 0 };

  parts->at[0] = (double) get_begin (of, is_measured);
  for (guint i = 0; i < of->moments->len; i++)
    {
      double weight = g_array_index (of->weights, double, i);
      guint actor = i / TB_WAIT_N_PARTS, part = i % TB_WAIT_N_PARTS + 1;

      if (!is_measured[actor])
        continue;
      parts->at[part] += weight * (times->marks[i] >= 0 ? times->marks[i] : times->ends[actor]);
      weights[part] += weight;
    }
  for (guint i = 1; i <= TB_WAIT_N_PARTS; i++)
    parts->at[i] = MAX (weights[i] > 0 ? parts->at[i] / weights[i] : 0, parts->at[i - 1]);
}

/* Units of work: parts with equally many of them. */
static void
find_units (TbWaitParts *parts, const TbWaitPredictor *of, const TbReplayTimes *times)
{
  g_autoptr (GArray) done = g_array_new (FALSE, FALSE, sizeof (double));

  for (guint i = 0; i < of->moments->len; i++)
    if (times->marks[i] >= 0)
      g_array_append_val (done, times->marks[i]);
  g_array_sort (done, compare_doubles);
  for (guint i = 0; i <= TB_WAIT_N_PARTS; i++)
    parts->at[i] = done->len > 0
                       ? g_array_index (done, double, (gsize) i *(done->len - 1) / TB_WAIT_N_PARTS)
                       : 0;
}

void
tb_wait_parts_init (TbWaitParts *self,
                    const TbWaitPredictor *of,
                    const TbReplayTimes *times,
                    const guint8 *is_measured)
{
  *self = (TbWaitParts) { .n_stuck = times->n_stuck };
  if (of->is_throughput)
    find_units (self, of, times);
  else
    find_mean (self, of, times, is_measured);
}

double
tb_wait_parts_measure (const TbWaitPredictor *of,
                       const TbReplayTimes *times,
                       const guint8 *is_measured)
{
  double last = 0;

  if (of->is_throughput)
    {
      TbWaitParts parts = { 0 };

      find_units (&parts, of, times);
      return parts.at[TB_WAIT_N_PARTS] - parts.at[0];
    }
  for (guint32 i = 0; i < of->recording->threads->len; i++)
    if (is_measured[i])
      last = MAX (last, times->ends[i]);
  return last - (double) get_begin (of, is_measured);
}

gboolean
tb_wait_parts_measure_replay (const TbWaitPredictor *of,
                              const TbReplayChange *change,
                              TbWaitParts *parts,
                              double *length,
                              GCancellable *cancellable,
                              GError **error)
{
  g_autofree guint8 *is_measured = tb_wait_predictor_find_measured (of);
  g_autoptr (TbReplayTimes) times
      = tb_replay_run (of->recording->program, change, cancellable, error);

  if (times == NULL)
    return FALSE;
  if (parts != NULL)
    tb_wait_parts_init (parts, of, times, is_measured);
  *length = tb_wait_parts_measure (of, times, is_measured);
  return TRUE;
}

double
tb_wait_parts_draw_variance (const TbWaitParts *self, const TbWaitParts *base)
{
  g_autoptr (GRand) rand = g_rand_new_with_seed (SEED);
  double sum = 0, squares = 0;

  for (guint i = 0; i < DRAWS; i++)
    {
      double length = 0, base_length = 0, value;

      for (guint j = 0; j < TB_WAIT_N_PARTS; j++)
        {
          guint part = (guint) g_rand_int_range (rand, 0, TB_WAIT_N_PARTS);

          length += self->at[part + 1] - self->at[part];
          base_length += base != NULL ? base->at[part + 1] - base->at[part] : 0;
        }
      if (length <= 0 || (base != NULL && base_length <= 0))
        return 0;
      value = log (length) - (base != NULL ? log (base_length) : 0);
      sum += value;
      squares += value * value;
    }
  return MAX (squares / DRAWS - sum / DRAWS * (sum / DRAWS), 0);
}

double
tb_wait_parts_get_recorded (const TbWaitPredictor *of, const guint8 *is_measured)
{
  gint64 first = G_MAXINT64, last = 0;

  if (!of->is_throughput)
    {
      for (guint32 i = 0; i < of->recording->threads->len; i++)
        if (is_measured[i])
          last = MAX (last, of->recording->last_run[i]);
      return (double) (last - get_begin (of, is_measured));
    }
  for (guint i = 0; i < of->moments->len; i++)
    {
      gint64 time = g_array_index (of->moments, TbReplayMoment, i).time;

      if (of->as_recorded->marks[i] < 0)
        continue;
      first = MIN (first, time);
      last = MAX (last, time);
    }
  return last > first ? (double) (last - first) : 0;
}

guint64
tb_wait_parts_count_units (const TbWaitPredictor *of)
{
  const GArray *done = of->result->work->done;
  gint64 first = G_MAXINT64;
  guint64 n = 0;

  for (guint i = 0; i < done->len; i++)
    if (of->as_recorded->marks[i] >= 0)
      first = MIN (first, g_array_index (done, TbWaitWorkEvent, i).time);
  for (guint i = 0; i < done->len; i++)
    {
      const TbWaitWorkEvent *unit = &g_array_index (done, TbWaitWorkEvent, i);

      if (of->as_recorded->marks[i] >= 0 && unit->time > first)
        n += unit->count;
    }
  return n;
}
