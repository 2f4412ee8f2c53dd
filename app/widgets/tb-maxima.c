/* tb-maxima.c: index for the maximum of any range of numbers, such as the counts of histogram bins,
 * from maxima of groups on several levels
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#include "config.h"

#include "widgets/histogram/tb-histogram-private.h"

#define FANOUT 16

static void
level_unref (gpointer level)
{
  g_array_unref (*(GArray **) level);
}

TbMaxima *
tb_maxima_new (const guint64 *values, gsize n)
{
  TbMaxima *self = g_new0 (TbMaxima, 1);
  const guint64 *below = values;

  self->values = values;
  self->n = n;
  self->levels = g_array_new (FALSE, FALSE, sizeof (GArray *));
  g_array_set_clear_func (self->levels, level_unref);
  for (gsize n_below = n; n_below > FANOUT;)
    {
      GArray *level
          = g_array_sized_new (FALSE, TRUE, sizeof (guint64), (guint) (n_below / FANOUT + 1));

      g_array_set_size (level, (guint) ((n_below + FANOUT - 1) / FANOUT));
      for (gsize i = 0; i < n_below; i++)
        {
          guint64 *greatest = &g_array_index (level, guint64, i / FANOUT);

          *greatest = MAX (*greatest, below[i]);
        }
      g_array_append_val (self->levels, level);
      below = (const guint64 *) (gpointer) level->data;
      n_below = level->len;
    }
  return self;
}

void
tb_maxima_free (TbMaxima *self)
{
  g_array_unref (self->levels);
  g_free (self);
}

/* Each level is searched at the ends of the range only. The part between them is searched on the
 * next level. */
guint64
tb_maxima_get (const TbMaxima *self, gsize first, gsize end)
{
  const guint64 *values = self->values;
  guint64 greatest = 0;

  end = MIN (end, self->n);
  for (guint level = 0; first < end; level++)
    {
      gboolean last = level >= self->levels->len;

      for (; first < end && (last || first % FANOUT != 0); first++)
        greatest = MAX (greatest, values[first]);
      for (; first < end && end % FANOUT != 0; end--)
        greatest = MAX (greatest, values[end - 1]);
      if (first >= end)
        break;
      first /= FANOUT;
      end /= FANOUT;
      values = (const guint64 *) (gpointer) g_array_index (self->levels, GArray *, level)->data;
    }
  return greatest;
}
