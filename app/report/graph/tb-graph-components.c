/* tb-graph-components.c: connected components of a graph, each on a sheet of its own (laid out by
 * tb-graph-sheet), and arrangement of these sheets in rows
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#include "config.h"

#include <math.h>

#include "report/graph/tb-graph-layout-private.h"

#define COMPONENT_GAP 26.0 /* space between components */
/* Preferred ratio of width to height of all components together. */
#define ASPECT_ACROSS 1.7
#define ASPECT_DOWN .6

static guint
find_root (guint *parents, guint item)
{
  while (parents[item] != item)
    item = parents[item] = parents[parents[item]];
  return item;
}

/* Numbers the components. All items without arcs are one component together. */
static void
find_components (TbGraphComponents *self, const guint *from, const guint *to)
{
  g_autofree guint *parents = g_new (guint, self->n_items + 1);
  g_autofree guint *numbers = g_new (guint, self->n_items + 1);
  g_autofree guint8 *has_arc = g_new0 (guint8, self->n_items + 1);
  guint isolated_component = G_MAXUINT32;

  for (guint i = 0; i < self->n_items; i++)
    {
      parents[i] = i;
      numbers[i] = G_MAXUINT32;
    }
  for (guint i = 0; i < self->n_arcs; i++)
    {
      guint one = find_root (parents, from[i]), two = find_root (parents, to[i]);

      has_arc[from[i]] = has_arc[to[i]] = TRUE;
      parents[MAX (one, two)] = MIN (one, two);
    }
  for (guint i = 0; i < self->n_items; i++)
    {
      guint *number = has_arc[i] ? &numbers[find_root (parents, i)] : &isolated_component;

      if (*number == G_MAXUINT32)
        *number = self->n_components++;
      self->component[i] = *number;
    }
}

typedef struct
{
  GArray *extents;
  GArray *from;
  GArray *to;
  GArray *weights;
} Draft;

static Draft *
make_drafts (TbGraphComponents *self,
             const TbGraphExtent *extents,
             const guint *from,
             const guint *to,
             const double *weights)
{
  Draft *drafts = g_new (Draft, self->n_components + 1);

  for (guint i = 0; i < self->n_components; i++)
    {
      drafts[i].extents = g_array_new (FALSE, FALSE, sizeof (TbGraphExtent));
      drafts[i].from = g_array_new (FALSE, FALSE, sizeof (guint));
      drafts[i].to = g_array_new (FALSE, FALSE, sizeof (guint));
      drafts[i].weights = g_array_new (FALSE, FALSE, sizeof (double));
    }
  for (guint i = 0; i < self->n_items; i++)
    {
      Draft *draft = &drafts[self->component[i]];

      self->item[i] = draft->extents->len;
      g_array_append_val (draft->extents, extents[i]);
    }
  for (guint i = 0; i < self->n_arcs; i++)
    {
      Draft *draft = &drafts[self->component[from[i]]];

      self->arc_component[i] = self->component[from[i]];
      self->arc[i] = draft->from->len;
      g_array_append_val (draft->from, self->item[from[i]]);
      g_array_append_val (draft->to, self->item[to[i]]);
      g_array_append_val (draft->weights, weights[i]);
    }
  return drafts;
}

void
tb_graph_components_init (TbGraphComponents *self,
                          const TbGraphExtent *extents,
                          guint n_items,
                          const guint *from,
                          const guint *to,
                          const double *weights,
                          guint n_arcs)
{
  g_autofree Draft *drafts = NULL;

  *self = (TbGraphComponents) { .n_items = n_items, .n_arcs = n_arcs };
  self->component = g_new0 (guint, n_items + 1);
  self->item = g_new0 (guint, n_items + 1);
  self->arc_component = g_new0 (guint, n_arcs + 1);
  self->arc = g_new0 (guint, n_arcs + 1);
  find_components (self, from, to);
  drafts = make_drafts (self, extents, from, to, weights);
  self->sheets = g_new0 (TbGraphSheet, self->n_components + 1);
  self->depths = g_new0 (double, self->n_components + 1);
  self->across = g_new0 (double, self->n_components + 1);
  for (guint i = 0; i < self->n_components; i++)
    {
      tb_graph_sheet_init (&self->sheets[i],
                           (const TbGraphExtent *) (gpointer) drafts[i].extents->data,
                           drafts[i].extents->len, (const guint *) (gpointer) drafts[i].from->data,
                           (const guint *) (gpointer) drafts[i].to->data,
                           (const double *) (gpointer) drafts[i].weights->data, drafts[i].from->len,
                           NULL);
      g_array_unref (drafts[i].extents);
      g_array_unref (drafts[i].from);
      g_array_unref (drafts[i].to);
      g_array_unref (drafts[i].weights);
    }
}

void
tb_graph_components_clear (TbGraphComponents *self)
{
  for (guint i = 0; i < self->n_components; i++)
    tb_graph_sheet_clear (&self->sheets[i]);
  g_free (self->sheets);
  g_free (self->depths);
  g_free (self->across);
  g_free (self->component);
  g_free (self->item);
  g_free (self->arc_component);
  g_free (self->arc);
}

TbGraphExtent *
tb_graph_components_get_extent (const TbGraphComponents *self, guint item)
{
  return &self->sheets[self->component[item]].extents[self->item[item]];
}

gboolean
tb_graph_components_is_forward (const TbGraphComponents *self, guint arc)
{
  const TbGraphSheet *sheet = &self->sheets[self->arc_component[arc]];

  return sheet->layers[sheet->from[self->arc[arc]]] < sheet->layers[sheet->to[self->arc[arc]]];
}

guint
tb_graph_components_get_place (const TbGraphComponents *self,
                               guint item,
                               double *depth,
                               double *across)
{
  guint component = self->component[item];
  const TbGraphSheet *sheet = &self->sheets[component];

  *depth = self->depths[component] + sheet->depths[self->item[item]];
  *across = self->across[component] + sheet->across[self->item[item]];
  return sheet->layers[self->item[item]];
}

/* Size in x and y. */
typedef struct
{
  guint component;
  double width;
  double height;
} Size;

static int
compare_sizes (gconstpointer a, gconstpointer b)
{
  const Size *one = a, *two = b;

  if (one->height != two->height)
    return one->height > two->height ? -1 : 1;
  return one->component < two->component ? -1 : 1;
}

static Size *
measure_components (const TbGraphComponents *self, TbGraphFlow flow)
{
  Size *sizes = g_new0 (Size, self->n_components + 1);

  for (guint i = 0; i < self->n_components; i++)
    {
      const TbGraphSheet *sheet = &self->sheets[i];
      double depth = sheet->n_layers > 0 ? sheet->layer_to[sheet->n_layers - 1] : 0, across = 0;

      for (guint k = 0; k < sheet->n_items; k++)
        across = MAX (across, sheet->across[k] + sheet->extents[k].high);
      sizes[i] = (Size) { i, flow == TB_GRAPH_FLOW_HORIZONTAL ? depth : across,
                          flow == TB_GRAPH_FLOW_HORIZONTAL ? across : depth };
    }
  return sizes;
}

/* Arranges the components in rows, the highest first. */
static void
pack (TbGraphComponents *self, TbGraphFlow flow)
{
  g_autofree Size *sizes = measure_components (self, flow);
  double area = 0, widest = 0, x = 0, y = 0, row = 0, wide;

  for (guint i = 0; i < self->n_components; i++)
    {
      area += (sizes[i].width + COMPONENT_GAP) * (sizes[i].height + COMPONENT_GAP);
      widest = MAX (widest, sizes[i].width);
    }
  wide = MAX (widest,
              sqrt (area * (flow == TB_GRAPH_FLOW_HORIZONTAL ? ASPECT_ACROSS : ASPECT_DOWN)));
  qsort (sizes, self->n_components, sizeof (Size), compare_sizes);
  for (guint i = 0; i < self->n_components; i++)
    {
      if (x > 0 && x + sizes[i].width > wide)
        {
          y += row + COMPONENT_GAP;
          x = row = 0;
        }
      self->depths[sizes[i].component] = flow == TB_GRAPH_FLOW_HORIZONTAL ? x : y;
      self->across[sizes[i].component] = flow == TB_GRAPH_FLOW_HORIZONTAL ? y : x;
      x += sizes[i].width + COMPONENT_GAP;
      row = MAX (row, sizes[i].height);
    }
}

void
tb_graph_components_place (TbGraphComponents *self,
                           double gap,
                           TbGraphFlow flow,
                           GCancellable *cancellable)
{
  for (guint i = 0; i < self->n_components; i++)
    tb_graph_sheet_place (&self->sheets[i], gap, cancellable);
  pack (self, flow);
}
