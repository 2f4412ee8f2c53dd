/* tb-graph-sheet.c: sheet of a graph layout: assignment of items to layers, their order in a layer
 * (found by the installed engine; without one, as given), and their places
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#include "config.h"

#include <math.h>

#include "report/graph/tb-graph-layout-private.h"

/* Half of the width of an arc that passes a layer, and the free space between neighbours. */
#define PASSING_HALF_WIDTH 4.0
#define ITEM_GAP 14.0
#define PASSING_GAP 4.0
#define SWEEPS 24
#define TALL_SHEET 700.0 /* height from which on layers are further apart */

/* Arcs sorted by one of their ends. */
typedef struct
{
  guint *first;
  guint *arcs;
} Incidence;

static void
incidence_init (Incidence *self, guint n_items, const guint *ends, guint n_arcs)
{
  guint *next;

  self->first = g_new0 (guint, n_items + 1);
  self->arcs = g_new (guint, n_arcs + 1);
  for (guint i = 0; i < n_arcs; i++)
    self->first[ends[i] + 1]++;
  for (guint i = 0; i < n_items; i++)
    self->first[i + 1] += self->first[i];
  next = g_memdup2 (self->first, sizeof (guint) * (n_items + 1));
  for (guint i = 0; i < n_arcs; i++)
    self->arcs[next[ends[i]]++] = i;
  g_free (next);
}

static void
incidence_clear (Incidence *self)
{
  g_free (self->first);
  g_free (self->arcs);
}

/* State of the layer assignment. Layers are counted from the last. */
typedef struct
{
  const TbGraphSheet *sheet;
  const guint8 *pinned;
  gboolean *back;
  guint *n_left; /* by item: number of its successors without a layer */
  guint *least;  /* layer */
  gboolean *done;
  GArray *in_layer; /* guint: number of items in the layer */
  Incidence out;
  Incidence in;
  GQueue ready;
  guint most; /* maximum number of items in a layer */
} Layering;

static void
update_neighbours (Layering *work,
                   guint item,
                   const Incidence *incidence,
                   const guint *opposite_ends,
                   gboolean is_head)
{
  guint layer = work->sheet->layers[item];

  for (guint i = incidence->first[item]; i < incidence->first[item + 1]; i++)
    {
      guint arc = incidence->arcs[i];
      guint other = opposite_ends[arc];

      if (work->done[other])
        continue;
      work->least[other] = MAX (work->least[other], layer + 1);
      /* A feedback arc counts in the opposite direction. */
      if (is_head == work->back[arc] && work->n_left[other] > 0 && --work->n_left[other] == 0)
        g_queue_push_tail (&work->ready, GUINT_TO_POINTER (other));
    }
}

static void
assign_layer (Layering *work, guint item)
{
  guint layer = work->least[item];
  guint one = 1;

  while (layer < work->in_layer->len && g_array_index (work->in_layer, guint, layer) >= work->most)
    layer++;
  while (layer > work->in_layer->len)
    {
      guint none = 0;

      g_array_append_val (work->in_layer, none);
    }
  if (layer == work->in_layer->len)
    g_array_append_val (work->in_layer, one);
  else
    g_array_index (work->in_layer, guint, layer)++;
  work->sheet->layers[item] = layer;
  work->done[item] = TRUE;
  update_neighbours (work, item, &work->in, work->sheet->from, FALSE);
  update_neighbours (work, item, &work->out, work->sheet->to, TRUE);
}

static gboolean
has_arcs (const Layering *work, guint item)
{
  return work->out.first[item] < work->out.first[item + 1]
         || work->in.first[item] < work->in.first[item + 1];
}

/* Assigns layers to items with arcs. A cycle without a feedback arc is broken at its first item. */
static void
layer_connected (Layering *work)
{
  guint n = work->sheet->n_given;
  guint next = 0;

  for (guint i = 0; i < n; i++)
    if (work->n_left[i] == 0 && has_arcs (work, i) && !work->pinned[i])
      g_queue_push_tail (&work->ready, GUINT_TO_POINTER (i));
  for (;;)
    {
      if (!g_queue_is_empty (&work->ready))
        {
          guint item = GPOINTER_TO_UINT (g_queue_pop_head (&work->ready));

          if (!work->done[item] && !work->pinned[item])
            assign_layer (work, item);
          continue;
        }
      while (next < n && (work->done[next] || work->pinned[next] || !has_arcs (work, next)))
        next++;
      if (next == n)
        return;
      assign_layer (work, next);
    }
}

/* Items without arcs go to the layer with most room. */
static void
layer_isolated (Layering *work, double *heights, guint n_layers, guint n_isolated)
{
  const TbGraphSheet *sheet = work->sheet;
  guint n_wide = MAX (n_layers, (guint) ceil (sqrt ((double) n_isolated)));

  for (guint i = 0; i < sheet->n_given; i++)
    {
      guint best = 0;

      if (has_arcs (work, i) || work->pinned[i])
        continue;
      for (guint layer = 1; layer < n_wide; layer++)
        if (heights[layer] < heights[best])
          best = layer;
      sheet->layers[i] = best;
      heights[best] += sheet->extents[i].low + sheet->extents[i].high + ITEM_GAP;
    }
}

static guint
count_isolated (const Layering *work)
{
  guint n = 0;

  for (guint i = 0; i < work->sheet->n_given; i++)
    n += !has_arcs (work, i) && !work->pinned[i];
  return n;
}

/* Numbers the layers from the first one, without empty ones. Pinned items get a layer before or
 * after all others. */
static void
number_layers (TbGraphSheet *self, const guint8 *pinned, guint n_used)
{
  g_autofree guint *numbers = g_new0 (guint, n_used + 1);
  gboolean any[3] = { FALSE, FALSE, FALSE };
  guint n = 0;

  for (guint i = 0; i < self->n_given; i++)
    {
      any[pinned[i]] = TRUE;
      if (!pinned[i])
        numbers[n_used - 1 - self->layers[i]] = 1;
    }
  n = any[1];
  for (guint layer = 0; layer < n_used; layer++)
    {
      guint used = numbers[layer];

      numbers[layer] = n;
      n += used;
    }
  for (guint i = 0; i < self->n_given; i++)
    self->layers[i] = pinned[i] == 1   ? 0
                      : pinned[i] == 2 ? n
                                       : numbers[n_used - 1 - self->layers[i]];
  self->n_layers = n + any[2];
}

static void
assign_layers (TbGraphSheet *self, const double *weights, const guint8 *pinned)
{
  Layering work = { .sheet = self, .pinned = pinned };
  const TbGraphEngine *engine = tb_graph_layout_get_engine ();
  guint n = self->n_given;
  guint n_isolated;
  g_autofree double *heights = NULL;

  work.back = g_new0 (gboolean, self->n_arcs + 1);
  if (engine != NULL
      && !engine->find_feedback (n, self->n_arcs, self->from, self->to, weights, work.back))
    memset (work.back, 0, sizeof (gboolean) * self->n_arcs);
  work.n_left = g_new0 (guint, n + 1);
  work.least = g_new0 (guint, n + 1);
  work.done = g_new0 (gboolean, n + 1);
  work.in_layer = g_array_new (FALSE, TRUE, sizeof (guint));
  work.most = MAX (6, (guint) ceil (1.4 * sqrt ((double) n)));
  incidence_init (&work.out, n, self->from, self->n_arcs);
  incidence_init (&work.in, n, self->to, self->n_arcs);
  for (guint i = 0; i < self->n_arcs; i++)
    if (!pinned[self->from[i]] && !pinned[self->to[i]])
      work.n_left[work.back[i] ? self->to[i] : self->from[i]]++;
    else
      work.back[i] = FALSE;
  layer_connected (&work);

  n_isolated = count_isolated (&work);
  heights = g_new0 (double, work.in_layer->len + n_isolated + 1);
  for (guint i = 0; i < n; i++)
    if (!pinned[i] && has_arcs (&work, i))
      heights[self->layers[i]] += self->extents[i].low + self->extents[i].high + ITEM_GAP;
  layer_isolated (&work, heights, work.in_layer->len, n_isolated);
  number_layers (self, pinned, MAX (1, work.in_layer->len + n_isolated));

  g_queue_clear (&work.ready);
  g_array_unref (work.in_layer);
  incidence_clear (&work.out);
  incidence_clear (&work.in);
  g_free (work.done);
  g_free (work.least);
  g_free (work.n_left);
  g_free (work.back);
}

/* Adds an item for every layer that an arc passes. */
static void
add_passing (TbGraphSheet *self)
{
  g_autoptr (GArray) passed = g_array_new (FALSE, FALSE, sizeof (guint));
  guint n = self->n_given;

  self->first_passed = g_new (guint, self->n_arcs + 1);
  for (guint arc = 0; arc < self->n_arcs; arc++)
    {
      int from = (int) self->layers[self->from[arc]];
      int to = (int) self->layers[self->to[arc]];
      int step = from < to ? 1 : -1;

      self->first_passed[arc] = passed->len;
      for (int layer = from + step; from != to && layer != to; layer += step, n++)
        g_array_append_val (passed, n);
    }
  self->first_passed[self->n_arcs] = passed->len;
  self->n_items = n;
  self->layers = g_renew (guint, self->layers, n + 1);
  self->extents = g_renew (TbGraphExtent, self->extents, n + 1);
  for (guint arc = 0; arc < self->n_arcs; arc++)
    {
      guint from = self->layers[self->from[arc]];
      gboolean forward = from < self->layers[self->to[arc]];

      for (guint i = self->first_passed[arc]; i < self->first_passed[arc + 1]; i++)
        {
          guint item = g_array_index (passed, guint, i);
          guint distance = i - self->first_passed[arc] + 1;

          self->layers[item] = forward ? from + distance : from - distance;
          self->extents[item] = (TbGraphExtent) { 0, 0, PASSING_HALF_WIDTH, PASSING_HALF_WIDTH };
        }
    }
  self->passed = (guint *) (gpointer) g_array_steal (passed, NULL);
}

void
tb_graph_sheet_init (TbGraphSheet *self,
                     const TbGraphExtent *extents,
                     guint n_items,
                     const guint *from,
                     const guint *to,
                     const double *weights,
                     guint n_arcs,
                     const guint8 *pinned)
{
  g_autofree guint8 *none = g_new0 (guint8, n_items + 1);

  *self = (TbGraphSheet) { .n_given = n_items, .n_arcs = n_arcs };
  self->extents = g_new0 (TbGraphExtent, n_items + 1);
  if (n_items > 0)
    memcpy (self->extents, extents, sizeof *extents * n_items);
  self->from = g_new (guint, n_arcs + 1);
  self->to = g_new (guint, n_arcs + 1);
  if (n_arcs > 0)
    {
      memcpy (self->from, from, sizeof (guint) * n_arcs);
      memcpy (self->to, to, sizeof (guint) * n_arcs);
    }
  self->layers = g_new0 (guint, n_items + 1);
  assign_layers (self, weights, pinned != NULL ? pinned : none);
  add_passing (self);
}

void
tb_graph_sheet_clear (TbGraphSheet *self)
{
  g_free (self->extents);
  g_free (self->layers);
  g_free (self->depths);
  g_free (self->across);
  g_free (self->from);
  g_free (self->to);
  g_free (self->first_passed);
  g_free (self->passed);
  g_free (self->layer_from);
  g_free (self->layer_to);
}

/* The arcs, split at each layer that they pass: each link leads to the next layer. */
typedef struct
{
  GArray *from;
  GArray *to;
} Links;

static void
add_link (const TbGraphSheet *self, Links *links, guint a, guint b)
{
  gboolean forward = self->layers[a] < self->layers[b];

  g_array_append_val (links->from, *(forward ? &a : &b));
  g_array_append_val (links->to, *(forward ? &b : &a));
}

static void
links_init (Links *links, const TbGraphSheet *self)
{
  links->from = g_array_new (FALSE, FALSE, sizeof (guint));
  links->to = g_array_new (FALSE, FALSE, sizeof (guint));
  for (guint arc = 0; arc < self->n_arcs; arc++)
    {
      guint last = self->from[arc];

      if (self->layers[last] == self->layers[self->to[arc]])
        continue;
      for (guint i = self->first_passed[arc]; i < self->first_passed[arc + 1]; i++)
        {
          add_link (self, links, last, self->passed[i]);
          last = self->passed[i];
        }
      add_link (self, links, last, self->to[arc]);
    }
}

static int
compare_positions (gconstpointer a, gconstpointer b, gpointer data)
{
  const double *position = data;
  guint one = *(const guint *) a, two = *(const guint *) b;

  if (position[one] != position[two])
    return position[one] < position[two] ? -1 : 1;
  return one < two ? -1 : one > two;
}

/* Lists the items of each layer, in order. */
static void
order_layers (const TbGraphSheet *self, double *position, guint *order, guint *first)
{
  guint *next;

  memset (first, 0, sizeof (guint) * (self->n_layers + 1));
  for (guint i = 0; i < self->n_items; i++)
    first[self->layers[i] + 1]++;
  for (guint i = 0; i < self->n_layers; i++)
    first[i + 1] += first[i];
  next = g_memdup2 (first, sizeof (guint) * (self->n_layers + 1));
  for (guint i = 0; i < self->n_items; i++)
    order[next[self->layers[i]]++] = i;
  for (guint layer = 0; layer < self->n_layers; layer++)
    g_sort_array (order + first[layer], first[layer + 1] - first[layer], sizeof (guint),
                  compare_positions, position);
  g_free (next);
}

typedef struct
{
  double *sum; /* by item: weighted sum of its neighbours' positions */
  double *weight;
} Pull;

/* Long arcs have a larger weight, because they should be straighter than short ones. */
static void
gather_pull (const TbGraphSheet *self, const Links *links, Pull *pull)
{
  memset (pull->sum, 0, sizeof (double) * self->n_items);
  memset (pull->weight, 0, sizeof (double) * self->n_items);
  for (guint i = 0; i < links->from->len; i++)
    {
      guint from = g_array_index (links->from, guint, i);
      guint to = g_array_index (links->to, guint, i);
      guint n_passing = (from >= self->n_given) + (to >= self->n_given);
      double weight = n_passing == 2 ? 8 : n_passing == 1 ? 2 : 1;

      pull->sum[from] += weight * self->across[to];
      pull->weight[from] += weight;
      pull->sum[to] += weight * self->across[from];
      pull->weight[to] += weight;
    }
}

static double
get_distance (const TbGraphSheet *self, guint a, guint b)
{
  double least = a >= self->n_given && b >= self->n_given ? PASSING_GAP : ITEM_GAP;

  return self->extents[a].high + self->extents[b].low + least;
}

static void
settle_layer (TbGraphSheet *self, const Pull *pull, const guint *order, guint n)
{
  g_autofree double *columns = g_new (double, 4 * n + 1);
  double *desired = columns, *weights = columns + n, *distances = columns + 2 * n,
         *values = columns + 3 * n;
  double mean = 0;

  for (guint i = 0; i < n; i++)
    mean += self->across[order[i]] / n;
  for (guint i = 0; i < n; i++)
    {
      guint item = order[i];

      weights[i] = pull->weight[item] > 0 ? pull->weight[item] : .1;
      desired[i] = pull->weight[item] > 0 ? pull->sum[item] / pull->weight[item] : mean;
      if (i + 1 < n)
        distances[i] = get_distance (self, item, order[i + 1]);
    }
  tb_graph_spread (n, desired, weights, distances, values);
  for (guint i = 0; i < n; i++)
    self->across[order[i]] = values[i];
}

/* Moves the items of each layer towards their neighbours, in sweeps through the layers in both
 * directions. */
static void
settle_across (TbGraphSheet *self, const Links *links, const guint *order, const guint *first)
{
  g_autofree double *sum = g_new (double, self->n_items + 1);
  g_autofree double *weight = g_new (double, self->n_items + 1);
  Pull pull = { sum, weight };
  double least = G_MAXDOUBLE;

  for (guint layer = 0; layer < self->n_layers; layer++)
    for (guint i = first[layer]; i < first[layer + 1]; i++)
      self->across[order[i]]
          = i == first[layer]
                ? 0
                : self->across[order[i - 1]] + get_distance (self, order[i - 1], order[i]);
  for (guint sweep = 0; sweep < SWEEPS; sweep++)
    for (guint i = 0; i < self->n_layers; i++)
      {
        guint layer = sweep % 2 == 0 ? i : self->n_layers - 1 - i;

        gather_pull (self, links, &pull);
        settle_layer (self, &pull, order + first[layer], first[layer + 1] - first[layer]);
      }
  for (guint i = 0; i < self->n_items; i++)
    least = MIN (least, self->across[i] - self->extents[i].low);
  for (guint i = 0; i < self->n_items; i++)
    self->across[i] -= least;
}

static void
place_depths (TbGraphSheet *self, double gap)
{
  g_autofree double *before = g_new0 (double, self->n_layers + 1);
  g_autofree double *after = g_new0 (double, self->n_layers + 1);
  double at = 0, highest = 0;

  self->layer_from = g_new (double, self->n_layers + 1);
  self->layer_to = g_new (double, self->n_layers + 1);
  for (guint i = 0; i < self->n_items; i++)
    {
      before[self->layers[i]] = MAX (before[self->layers[i]], self->extents[i].before);
      after[self->layers[i]] = MAX (after[self->layers[i]], self->extents[i].after);
      highest = MAX (highest, self->across[i]);
    }
  /* Edges that lead far across need more distance between layers. */
  gap *= CLAMP (highest / TALL_SHEET, 1, 3);
  for (guint layer = 0; layer < self->n_layers; layer++)
    {
      gboolean thin = before[layer] + after[layer] == 0;

      /* A layer with nothing but border crossings needs less distance. */
      if (layer > 0)
        at += thin || before[layer - 1] + after[layer - 1] == 0 ? gap / 3 : gap;
      self->layer_from[layer] = at;
      self->layer_to[layer] = at + before[layer] + after[layer];
      at = self->layer_to[layer];
    }
  for (guint i = 0; i < self->n_items; i++)
    self->depths[i] = self->layer_from[self->layers[i]] + before[self->layers[i]];
}

void
tb_graph_sheet_place (TbGraphSheet *self, double gap, GCancellable *cancellable)
{
  const TbGraphEngine *engine = tb_graph_layout_get_engine ();
  g_autofree guint *order = g_new (guint, self->n_items + 1);
  g_autofree guint *first = g_new (guint, self->n_layers + 2);
  g_autofree double *position = g_new (double, self->n_items + 1);
  Links links;

  self->depths = g_new0 (double, self->n_items + 1);
  self->across = g_new0 (double, self->n_items + 1);
  links_init (&links, self);
  if (engine == NULL
      || !engine->order (self->n_items, self->layers, links.from->len,
                         (const guint *) (gpointer) links.from->data,
                         (const guint *) (gpointer) links.to->data, position, cancellable))
    for (guint i = 0; i < self->n_items; i++)
      position[i] = i;
  order_layers (self, position, order, first);
  settle_across (self, &links, order, first);
  place_depths (self, gap);
  g_array_unref (links.from);
  g_array_unref (links.to);
}

/* Neighbours that would come too near are moved as a block (pool adjacent violators). */
void
tb_graph_spread (guint n,
                 const double *desired,
                 const double *weights,
                 const double *distances,
                 double *values)
{
  g_autofree double *mean = g_new (double, n + 1);
  g_autofree double *weight = g_new (double, n + 1);
  g_autofree guint *length = g_new (guint, n + 1);
  double shift = 0;
  guint n_blocks = 0, at = 0;

  for (guint i = 0; i < n; i++)
    {
      if (i > 0)
        shift += distances[i - 1];
      mean[n_blocks] = desired[i] - shift;
      weight[n_blocks] = weights[i];
      length[n_blocks++] = 1;
      while (n_blocks > 1 && mean[n_blocks - 2] >= mean[n_blocks - 1])
        {
          guint last = --n_blocks;

          mean[last - 1] = (mean[last - 1] * weight[last - 1] + mean[last] * weight[last])
                           / (weight[last - 1] + weight[last]);
          weight[last - 1] += weight[last];
          length[last - 1] += length[last];
        }
    }
  shift = 0;
  for (guint block = 0; block < n_blocks; block++)
    for (guint i = 0; i < length[block]; i++, at++)
      {
        if (at > 0)
          shift += distances[at - 1];
        values[at] = mean[block] + shift;
      }
}
