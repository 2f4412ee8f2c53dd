/* tb-contexts-flames.c: flame figures of a calling-contexts report, built from its summary, with
 * one box for small functions of a caller; for each other counter of the recording a summary and a
 * figure of its own
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#include "config.h"

#include <glib/gi18n.h>
#include <inttypes.h>

#include "report/flame/tb-flame-figure.h"
#include "tb-contexts-figures.h"

/* Nodes with a smaller share of the whole are drawn together as one box. */
#define MIN_SHARE 0.00005
/* Largest number of other counters with a flame of their own. */
#define MAX_COUNTER_FLAMES 8

static TbFlamePaint
get_paint (const TbContextsSummary *self, guint32 node)
{
  if (self->parents[node] == 0 && tb_contexts_summary_is_cut (self, node))
    return TB_FLAME_UNKNOWN;
  return self->kernel[node] ? TB_FLAME_KERNEL : TB_FLAME_USER;
}

/* Adds a box for the functions that are too small for one of their own, by node. */
static void
add_small (const TbContextsSummary *self,
           TbFlameFigure *figure,
           const guint32 *place,
           const gint64 *small,
           const guint64 *n_small)
{
  for (guint32 i = 0; i < self->tree.n_nodes; i++)
    if (n_small[i] > 0)
      {
        g_autofree char *name = g_strdup_printf (ngettext ("%'" PRIu64 " smaller function",
                                                           "%'" PRIu64 " smaller "
                                                           "functions",
                                                           n_small[i]),
                                                 n_small[i]);

        tb_flame_figure_add_node (figure, place[i], name, NULL, TB_FLAME_UNKNOWN, small[i],
                                  n_small[i]);
      }
}

TbFigure *
tb_contexts_make_flame (const TbContextsSummary *self,
                        const char *id,
                        const char *title,
                        guint32 **boxes)
{
  TbFlameFigure *figure = tb_flame_figure_new (id, title, tb_contexts_summary_get_unit (self));
  guint32 n = self->tree.n_nodes;
  g_autofree guint32 *place = g_new (guint32, MAX (n, 1));
  /* by node: time of its children that are not drawn */
  g_autofree gint64 *small = g_new0 (gint64, n);
  g_autofree guint64 *n_small = g_new0 (guint64, n);
  gint64 least = self->all * MIN_SHARE;
  guint estimate = self->options.estimate;

  place[0] = TB_ID_NONE;
  for (guint32 i = 1; i < n; i++)
    {
      const TbContextsTotals *totals = &self->nodes[i];
      guint32 parent = self->parents[i];
      TbContextNode node;

      place[i] = TB_ID_NONE;
      if (totals->count == 0 || (parent != 0 && place[parent] == TB_ID_NONE))
        continue;
      if (totals->total[estimate] < least)
        {
          small[parent] += totals->total[estimate];
          n_small[parent]++;
          continue;
        }
      tb_context_tree_get_node (self->context_tree, i, &node);
      place[i] = tb_flame_figure_add_node (figure, place[parent], node.function, node.module,
                                           get_paint (self, i),
                                           tb_contexts_summary_get_own (self, totals)[estimate],
                                           totals->count);
    }
  add_small (self, figure, place, small, n_small);
  *boxes = g_steal_pointer (&place);
  return TB_FIGURE (figure);
}

static char *
make_counter_title (const TbContextsCounter *counter)
{
  if (counter->kind == TB_CONTEXTS_COUNTER_WAITS)
    return g_strdup (_ ("Calling Contexts of Waits, Summed"));
  return g_strdup_printf (_ ("Calling Contexts of %s"), counter->name);
}

gboolean
tb_contexts_add_counter_flames (TbReport *report,
                                const TbContextsSummary *summary,
                                TbSelection *selection,
                                TbSelection *process,
                                GCancellable *cancellable,
                                GError **error)
{
  guint n_added = 0;

  for (guint i = 0; i < summary->counters->len && n_added < MAX_COUNTER_FLAMES; i++)
    {
      const TbContextsCounter *counter = &g_array_index (summary->counters, TbContextsCounter, i);
      g_autoptr (TbContextsSummary) other = NULL;
      g_autofree char *title = make_counter_title (counter);
      g_autofree char *id = g_strconcat (TB_CONTEXTS_FLAME, "-", counter->name, NULL);
      g_autofree guint32 *boxes = NULL;
      TbContextsOptions options = summary->options;

      if (summary->by_samples ? counter->string == summary->counter.string
                              : counter->kind == TB_CONTEXTS_COUNTER_CLOCK)
        continue;
      options.counter = counter->name;
      other = tb_contexts_summary_new (summary->trace, selection, process, &options, cancellable,
                                       error);
      if (other == NULL)
        return FALSE;
      if (other->all == 0)
        continue;
      tb_report_add_figure (report, tb_contexts_make_flame (other, id, title, &boxes));
      n_added++;
    }
  return TRUE;
}
