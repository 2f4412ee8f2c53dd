/* tb-paths-flames.c: two flame figures of the pseudo-stacks: over time, with parallel paths in
 * lanes, and by duration, with equal stacks added up (by tb-paths-trie.c)
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#include "config.h"

#include <glib/gi18n.h>

#include "tb-paths-flames.h"

/* Number of strips, the longest, that the chronological flame draws. Shorter ones merge into their
 * neighbours. */
#define MAX_STRIPS 20000
#define STRIDE 4096

/* --- categories --- */

static void
add_categories (TbFlameFigure *figure)
{
  for (guint i = 0; i < TB_PATHS_N_CATEGORIES; i++)
    tb_flame_figure_add_category (figure, tb_paths_category_get_id (i),
                                  tb_paths_category_get_label (i), tb_paths_category_get_paint (i));
}

/* --- consolidated --- */

static TbFigure *
make_consolidated (TbPathsTrie *trie, gint64 hide_below)
{
  TbFlameFigure *figure = tb_flame_figure_new ("consolidated", _ ("By Duration"), "ns");
  guint n = trie->nodes->len;
  g_autofree guint *place = g_new (guint, MAX (n, 1));
  g_autofree gint64 *total = g_new0 (gint64, MAX (n, 1));

  add_categories (figure);
  for (guint i = n; i-- > 0;)
    {
      const TbPathsTrieNode *node = tb_paths_trie_get (trie, i);

      total[i] += node->own;
      if (node->parent != TB_ID_NONE)
        total[node->parent] += total[i];
    }
  for (guint i = 0; i < n; i++)
    {
      const TbPathsTrieNode *node = tb_paths_trie_get (trie, i);
      g_autofree char *module = NULL;
      g_autofree char *detail = NULL;
      g_autofree char *name = NULL;

      place[i] = TB_ID_NONE;
      if (total[i] <= hide_below
          || (node->parent != TB_ID_NONE && place[node->parent] == TB_ID_NONE))
        continue;
      name = tb_paths_trie_get_name (trie, i, &module, &detail);
      place[i]
          = tb_flame_figure_add_node (figure,
                                      node->parent == TB_ID_NONE ? TB_ID_NONE : place[node->parent],
                                      name, module, tb_paths_trie_get_paint (trie, i), node->own,
                                      node->count);
      if (detail != NULL && detail[0] != '\0')
        tb_flame_figure_set_detail (figure, place[i], detail);
      if (node->thread != TB_ID_NONE)
        tb_flame_figure_set_thread (figure, place[i], node->thread);
      if (node->beyond > 0)
        tb_flame_figure_add_overhang (figure, place[i], node->beyond);
      for (guint k = 0; k < TB_PATHS_N_CATEGORIES; k++)
        if (node->by_category[k] > 0)
          tb_flame_figure_add_to_category (figure, place[i], k, node->by_category[k]);
    }
  return TB_FIGURE (figure);
}

/* --- chronological --- */

/* A box to draw. Boxes are collected first, because a parent must be added before the layers of its
 * children but is complete only after its own layer is. */
typedef struct
{
  guint32 node;
  guint32 parent; /* in the same array */
  guint32 lane;
  gint64 from;
  gint64 to;
  gint64 own[TB_PATHS_N_CATEGORIES];
} DrawnBox;

typedef struct
{
  TbPathsTrie *trie;
  guint32 lane;    /* of the path that is drawn */
  gint64 shortest; /* strips shorter than this are not drawn as boxes of their own */
  GArray *drawn;   /* Drawn */
  GArray *open;    /* guint: indices of the drawn boxes of the current strip, outermost first */
  guint32 *below;  /* by box: the drawn box below its children */
  guint32 *first;  /* by box + 1 (0: roots): index of its first child in order */
  guint32 *order;
  GArray *functions; /* guint32: path of the current strip in the trie */
} ChronologicalBuilder;

static int
compare_lengths (gconstpointer a, gconstpointer b)
{
  gint64 one = *(const gint64 *) a, two = *(const gint64 *) b;

  return one > two ? -1 : one < two;
}

static gint64
choose_shortest (TbPathsTrie *trie)
{
  const TbPathsBoxes *boxes = &trie->paths->walk->boxes;
  g_autofree gint64 *lengths = NULL;

  if (boxes->n <= MAX_STRIPS)
    return 1;
  lengths = g_new (gint64, boxes->n);
  for (gsize i = 0; i < boxes->n; i++)
    lengths[i] = boxes->to[i] - boxes->from[i];
  qsort (lengths, boxes->n, sizeof *lengths, compare_lengths);
  return MAX (1, lengths[MAX_STRIPS] + 1);
}

/* Lists the children of each box in order of time. */
static void
find_children (ChronologicalBuilder *self)
{
  const TbPathsBoxes *boxes = &self->trie->paths->walk->boxes;
  g_autofree guint32 *place = NULL;

  self->first = g_new0 (guint32, boxes->n + 2);
  for (gsize i = 0; i < boxes->n; i++)
    self->first[boxes->parent[i] == TB_ID_NONE ? 1 : boxes->parent[i] + 2]++;
  for (gsize i = 1; i < boxes->n + 2; i++)
    self->first[i] += self->first[i - 1];
  self->order = g_new (guint32, MAX (boxes->n, 1));
  place = g_memdup2 (self->first, sizeof (guint32) * (boxes->n + 2));
  /* The walk adds boxes backwards in time. */
  for (gsize i = boxes->n; i-- > 0;)
    self->order[place[boxes->parent[i] == TB_ID_NONE ? 0 : boxes->parent[i] + 1]++] = i;
}

static guint
get_open (ChronologicalBuilder *self, guint i)
{
  return g_array_index (self->open, guint, i);
}

/* Draws a strip on the box on. Boxes that it shares with the strip before are extended, the others
 * are new. Returns the innermost box. */
static guint
draw_strip (ChronologicalBuilder *self,
            guint32 below,
            guint32 bottom,
            guint32 node,
            gint64 from,
            gint64 to)
{
  guint common = 0;

  g_array_set_size (self->functions, 0);
  for (guint32 i = node; i != bottom && i != TB_ID_NONE;
       i = tb_paths_trie_get (self->trie, i)->parent)
    g_array_append_val (self->functions, i);
  for (; common < self->open->len && common < self->functions->len; common++)
    {
      guint32 wanted = g_array_index (self->functions, guint32, self->functions->len - 1 - common);
      DrawnBox *drawn = &g_array_index (self->drawn, DrawnBox, get_open (self, common));

      if (drawn->node != wanted)
        break;
      drawn->to = MAX (drawn->to, to);
    }
  g_array_set_size (self->open, common);
  for (guint i = common; i < self->functions->len; i++)
    {
      guint index = self->drawn->len;
      DrawnBox drawn
          = { .node = g_array_index (self->functions, guint32, self->functions->len - 1 - i),
              .parent = i > 0 ? get_open (self, i - 1) : below,
              .lane = self->lane,
              .from = from,
              .to = to };

      g_array_append_val (self->drawn, drawn);
      g_array_append_val (self->open, index);
    }
  return self->open->len > 0 ? get_open (self, self->open->len - 1) : below;
}

static void
add_own (ChronologicalBuilder *self, guint at, TbPathsCategory category, gint64 ns)
{
  if (at != TB_ID_NONE && at < self->drawn->len)
    g_array_index (self->drawn, DrawnBox, at).own[category] += ns;
}

/* Draws what a sleep or an unsampled run was spent on, as boxes on top of its stack. */
static void
draw_segments (ChronologicalBuilder *self, gsize box, guint top)
{
  TbPathsTrie *trie = self->trie;
  const GArray *segments = tb_paths_categorizer_get_segments (&trie->categorizer, box);

  for (guint i = 0; i < segments->len; i++)
    {
      TbPathsSegment segment = g_array_index (segments, TbPathsSegment, i);
      guint32 leaf = tb_paths_trie_get_leaf (trie, box, trie->leaf_of[box], segment.category);
      DrawnBox drawn = {
        .node = leaf, .parent = top, .lane = self->lane, .from = segment.from, .to = segment.to
      };

      if (leaf == TB_ID_NONE || segment.to - segment.from < self->shortest)
        {
          add_own (self, top, segment.category, segment.to - segment.from);
          continue;
        }
      drawn.own[segment.category] = segment.to - segment.from;
      g_array_append_val (self->drawn, drawn);
    }
}

static void
draw_box (ChronologicalBuilder *self, gsize box, guint32 below, guint32 bottom)
{
  TbPathsTrie *trie = self->trie;
  const TbPathsBoxes *boxes = &trie->paths->walk->boxes;
  const GArray *strips;
  guint top = TB_ID_NONE;

  if (boxes->to[box] <= boxes->from[box])
    return;
  /* Too short to be visible: its neighbours join across it, and the box below receives its time. */
  if (boxes->to[box] - boxes->from[box] < self->shortest
      && (below != TB_ID_NONE || self->open->len > 0))
    {
      const GArray *segments = tb_paths_categorizer_get_segments (&trie->categorizer, box);
      guint into = self->open->len > 0 ? get_open (self, 0) : below;

      for (guint i = 0; i < segments->len; i++)
        {
          const TbPathsSegment *segment = &g_array_index (segments, TbPathsSegment, i);

          add_own (self, into, segment->category, segment->to - segment->from);
        }
      self->below[box] = into;
      return;
    }
  strips = tb_paths_trie_get_strips (trie, box);
  for (guint i = 0; i < strips->len; i++)
    {
      TbPathsStrip strip = g_array_index (strips, TbPathsStrip, i);

      top = draw_strip (self, below, bottom, strip.node, strip.from, strip.to);
      if (tb_paths_is_run (trie->paths->model, boxes->row[box])
          && trie->paths->events->sample_n[boxes->row[box]] > 0)
        add_own (self, top, TB_PATHS_UNDERSTOOD, strip.to - strip.from);
    }
  self->below[box] = top;
  if (!tb_paths_is_run (trie->paths->model, boxes->row[box])
      || trie->paths->events->sample_n[boxes->row[box]] == 0)
    draw_segments (self, box, top);
}

static void
draw_layer (ChronologicalBuilder *self, const guint32 *order, guint32 n)
{
  TbPathsTrie *trie = self->trie;
  const TbPathsBoxes *boxes = &trie->paths->walk->boxes;
  guint32 parent = boxes->parent[order[0]];
  guint32 below = parent == TB_ID_NONE ? TB_ID_NONE : self->below[parent];
  guint32 bottom = parent == TB_ID_NONE ? TB_ID_NONE : trie->leaf_of[parent];

  self->lane = g_array_index (trie->paths->paths, TbPath, boxes->path[order[0]]).lane;
  g_array_set_size (self->open, 0);
  for (guint32 i = 0; i < n; i++)
    {
      /* A gap separates two pieces of a path. The boxes on its sides do not join. */
      if (i > 0 && boxes->from[order[i]] > boxes->to[order[i - 1]] + self->shortest)
        g_array_set_size (self->open, 0);
      draw_box (self, order[i], below, bottom);
    }
}

/* The lowest layers of all paths are adjacent in the order. Draws the paths one at a time. */
static void
draw_roots (ChronologicalBuilder *self)
{
  const TbPathsBoxes *boxes = &self->trie->paths->walk->boxes;

  for (guint32 i = 0; i < self->first[1];)
    {
      guint32 k = i;

      while (k < self->first[1] && boxes->path[self->order[k]] == boxes->path[self->order[i]])
        k++;
      draw_layer (self, self->order + i, k - i);
      i = k;
    }
}

static gboolean
draw_all (ChronologicalBuilder *self, GCancellable *cancellable, GError **error)
{
  const TbPathsBoxes *boxes = &self->trie->paths->walk->boxes;

  self->below = g_new (guint32, MAX (boxes->n, 1));
  memset (self->below, 0xff, sizeof (guint32) * boxes->n);
  find_children (self);
  draw_roots (self);
  for (gsize i = 0; i < boxes->n; i++)
    {
      if (self->first[i + 2] > self->first[i + 1])
        draw_layer (self, self->order + self->first[i + 1],
                    self->first[i + 2] - self->first[i + 1]);
      if (i % STRIDE == 0 && g_cancellable_set_error_if_cancelled (cancellable, error))
        return FALSE;
    }
  return TRUE;
}

static void
begin_lane (TbPaths *paths, TbFlameFigure *figure, guint lane)
{
  g_autoptr (GString) name = g_string_new (NULL);
  g_autofree char *id = g_strdup_printf ("%u", lane);
  guint n = 0;

  for (guint i = 0; i < paths->paths->len; i++)
    {
      const TbPath *path = &g_array_index (paths->paths, TbPath, i);

      if (path->lane != lane)
        continue;
      if (n++ < 3)
        {
          g_autofree char *thread = tb_trace_describe_thread (paths->trace, path->thread);

          g_string_append_printf (name, "%s%s", n > 1 ? ", " : "", thread);
          if (path->asynchronous)
            g_string_append (name, _ (", asynchronous"));
        }
    }
  if (n > 3)
    g_string_append_printf (name, ngettext (" and %'u more path", " and %'u more paths", n - 3),
                            n - 3);
  tb_flame_figure_begin_lane (figure, id, name->str);
}

/* Adds a drawn box and the categories of its own time. */
static guint
add_figure_box (ChronologicalBuilder *self,
                TbFlameFigure *figure,
                const DrawnBox *drawn,
                guint parent)
{
  const TbPathsTrieNode *node = tb_paths_trie_get (self->trie, drawn->node);
  g_autofree char *module = NULL;
  g_autofree char *detail = NULL;
  g_autofree char *name = tb_paths_trie_get_name (self->trie, drawn->node, &module, &detail);
  gint64 own = 0;
  guint place;

  for (guint i = 0; i < TB_PATHS_N_CATEGORIES; i++)
    own += drawn->own[i];
  place = tb_flame_figure_add_box (figure, parent, name, module,
                                   tb_paths_trie_get_paint (self->trie, drawn->node), drawn->from,
                                   drawn->to, own);
  if (detail != NULL && detail[0] != '\0')
    tb_flame_figure_set_detail (figure, place, detail);
  if (node->thread != TB_ID_NONE)
    tb_flame_figure_set_thread (figure, place, node->thread);
  for (guint i = 0; i < TB_PATHS_N_CATEGORIES; i++)
    if (drawn->own[i] > 0)
      tb_flame_figure_add_to_category (figure, place, i, drawn->own[i]);
  return place;
}

/* The figure needs its lanes one after the other. */
static void
add_figure_boxes (ChronologicalBuilder *self, TbFlameFigure *figure)
{
  g_autofree guint *place = g_new (guint, MAX (self->drawn->len, 1));
  guint n_lanes = 0;

  for (guint i = 0; i < self->drawn->len; i++)
    n_lanes = MAX (n_lanes, g_array_index (self->drawn, DrawnBox, i).lane + 1);
  for (guint lane = 0; lane < n_lanes; lane++)
    {
      begin_lane (self->trie->paths, figure, lane);
      for (guint i = 0; i < self->drawn->len; i++)
        {
          const DrawnBox *drawn = &g_array_index (self->drawn, DrawnBox, i);

          if (drawn->lane == lane)
            place[i]
                = add_figure_box (self, figure, drawn,
                                  drawn->parent == TB_ID_NONE ? TB_ID_NONE : place[drawn->parent]);
        }
    }
}

static void
chronological_builder_clear (ChronologicalBuilder *self)
{
  g_clear_pointer (&self->drawn, g_array_unref);
  g_clear_pointer (&self->open, g_array_unref);
  g_clear_pointer (&self->functions, g_array_unref);
  g_free (self->below);
  g_free (self->first);
  g_free (self->order);
}

G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC (ChronologicalBuilder, chronological_builder_clear)

static TbFigure *
make_chronological (TbPathsTrie *trie, gint64 hide_below, GCancellable *cancellable, GError **error)
{
  g_auto (ChronologicalBuilder) self = { .trie = trie };
  g_autoptr (TbFlameFigure) figure = tb_flame_figure_new ("chronological", _ ("Over Time"), "ns");
  gint64 from = trie->paths->from, to = trie->paths->to;

  self.shortest = MAX (choose_shortest (trie), hide_below + 1);
  self.drawn = g_array_new (FALSE, FALSE, sizeof (DrawnBox));
  self.open = g_array_new (FALSE, FALSE, sizeof (guint));
  self.functions = g_array_new (FALSE, FALSE, sizeof (guint32));
  if (!draw_all (&self, cancellable, error))
    return NULL;
  for (guint i = 0; i < self.drawn->len; i++)
    {
      const DrawnBox *drawn = &g_array_index (self.drawn, DrawnBox, i);

      from = MIN (from, drawn->from);
      to = MAX (to, drawn->to);
    }
  tb_flame_figure_set_chronological (figure, from, to);
  add_categories (figure);
  add_figure_boxes (&self, figure);
  return TB_FIGURE (g_steal_pointer (&figure));
}

gboolean
tb_paths_add_flames (TbReport *report,
                     TbPaths *paths,
                     gboolean by_thread,
                     guint hide_below,
                     GCancellable *cancellable,
                     GError **error)
{
  g_autoptr (TbPathsTrie) trie = tb_paths_trie_new (paths, by_thread, cancellable, error);
  gint64 hidden = hide_below > 0 ? (paths->to - paths->from) / hide_below : 0;
  TbFigure *chronological;

  if (trie == NULL)
    return FALSE;
  chronological = make_chronological (trie, hidden, cancellable, error);
  if (chronological == NULL)
    return FALSE;
  tb_report_add_figure (report, chronological);
  tb_report_add_figure (report, make_consolidated (trie, hidden));
  return TRUE;
}
