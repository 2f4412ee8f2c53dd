/* tb-peaks-live-nodes.c: nodes that a live search stored as JSON, and the time of each: what the
 * levels of the search, measured one after the other, show of the calls examined first
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Times of calls are stored without disturbances, and each disturbance with all of it that was in
 * the calls of a level, callees included. What divides the time of a function among its callees is
 * thus the time without disturbances: with them they would be taken off once more at each level.
 */

#include "config.h"

#include "latency-state/tb-peaks-saved-json.h"
#include "tb-peaks-live-nodes.h"

static gboolean
is_disturbance (const char *kind)
{
  return g_str_equal (kind, "preempted") || g_str_equal (kind, "run-queue")
         || g_str_equal (kind, "interrupt");
}

/* Longer than any recording; so many of these as there can be nodes still fit into 64 bits. */
#define MAX_NS ((double) (G_GINT64_CONSTANT (1) << 48))

static double
get_ns (const TbPeaksLiveNode *node, const char *member)
{
  return (double) tb_peaks_saved_get_count (node->object, member);
}

static gboolean
is_examined (const TbPeaksLiveNode *node)
{
  return tb_peaks_saved_get_boolean (node->object, "opened");
}

static gboolean
is_same_disturbance (const TbPeaksLiveNode *a, const TbPeaksLiveNode *b)
{
  return g_str_equal (tb_peaks_saved_get_string (a->object, "kind"),
                      tb_peaks_saved_get_string (b->object, "kind"))
         && tb_peaks_saved_get_integer (a->object, "key", 0)
                == tb_peaks_saved_get_integer (b->object, "key", 0)
         && tb_peaks_saved_get_integer (a->object, "string", 0)
                == tb_peaks_saved_get_integer (b->object, "string", 0);
}

static void
find_net_times (TbPeaksLiveNode *nodes, guint n)
{
  for (guint i = 0; i < n; i++)
    {
      TbPeaksLiveNode *node = &nodes[i];
      const TbPeaksLiveNode *parent = i > 0 && node->object != NULL ? &nodes[node->parent] : NULL;
      double part;

      if (i == 0 && node->object != NULL && is_examined (node))
        node->net = get_ns (node, "total_ns");
      if (parent == NULL)
        continue;
      part = get_ns (node, "callee_ns") / MAX (get_ns (parent, "total_ns"), 1);
      if (!node->is_disturbance || !is_examined (parent))
        part = MIN (part, 1);
      node->net = MIN (parent->net * part, MAX_NS);
    }
}

/* The same disturbance in the calls of its parent's caller, of which it is a part; NULL: it was not
 * there. */
static TbPeaksLiveNode *
find_whole (TbPeaksLiveNode *nodes, guint n, const TbPeaksLiveNode *of)
{
  gint64 caller = nodes[of->parent].parent;

  for (guint i = (guint) MAX (caller, 0) + 1; caller >= 0 && i < n; i++)
    if (nodes[i].is_disturbance && nodes[i].parent == caller && is_same_disturbance (&nodes[i], of))
      return &nodes[i];
  return NULL;
}

/* Levels are measured in different calls: by chance the parts may exceed the whole, and are then
 * reduced to it. */
static void
divide_disturbances (TbPeaksLiveNode *nodes, guint n)
{
  g_autofree TbPeaksLiveNode **whole_of = g_new0 (TbPeaksLiveNode *, n);
  g_autofree double *parts = g_new0 (double, n);

  for (guint i = 1; i < n; i++)
    if (nodes[i].is_disturbance && (whole_of[i] = find_whole (nodes, n, &nodes[i])) != NULL)
      parts[whole_of[i] - nodes] += nodes[i].net;
  for (guint i = 1; i < n; i++)
    {
      const TbPeaksLiveNode *whole = whole_of[i];

      if (whole == NULL)
        continue;
      if (parts[whole - nodes] > whole->net)
        nodes[i].net *= whole->net / parts[whole - nodes];
    }
  for (guint i = 1; i < n; i++)
    if (nodes[i].is_disturbance)
      nodes[i].total = nodes[i].own = MAX (nodes[i].net - parts[i], 0);
}

static void
add_totals (TbPeaksLiveNode *nodes, guint n)
{
  for (guint i = 0; i < n; i++)
    if (nodes[i].object != NULL && !nodes[i].is_disturbance)
      {
        double self = get_ns (&nodes[i], "self_ns") / MAX (get_ns (&nodes[i], "total_ns"), 1);

        nodes[i].total = nodes[i].net;
        nodes[i].own = nodes[i].net * (is_examined (&nodes[i]) ? MIN (self, 1) : 1);
      }
  for (guint i = 1; i < n; i++)
    if (nodes[i].is_disturbance)
      nodes[nodes[i].parent].total += nodes[i].net;
}

TbPeaksLiveNode *
tb_peaks_live_read_nodes (JsonObject *state, guint *n_nodes)
{
  JsonArray *array = tb_peaks_saved_get_array (state, "nodes");
  TbPeaksLiveNode *nodes = g_new0 (TbPeaksLiveNode, TB_PEAKS_SAVED_MAX_NODES);

  *n_nodes = 0;
  for (guint i = 0; i < tb_peaks_saved_get_length (array); i++)
    {
      JsonObject *object = tb_peaks_saved_get_element (array, i);
      gint64 id = object != NULL ? tb_peaks_saved_get_integer (object, "id", -1) : -1;
      gint64 parent = object != NULL ? tb_peaks_saved_get_integer (object, "parent", -1) : -1;

      if (id < 0 || id >= TB_PEAKS_SAVED_MAX_NODES || nodes[id].object != NULL || parent >= id
          || (parent < 0) != (id == 0) || (parent >= 0 && nodes[parent].object == NULL))
        continue;
      nodes[id] = (TbPeaksLiveNode) {
        .object = object,
        .parent = parent,
        .is_disturbance = id > 0 && is_disturbance (tb_peaks_saved_get_string (object, "kind")),
        .node = G_MAXUINT32,
      };
      *n_nodes = MAX (*n_nodes, (guint) id + 1);
    }
  find_net_times (nodes, *n_nodes);
  divide_disturbances (nodes, *n_nodes);
  add_totals (nodes, *n_nodes);
  return nodes;
}
