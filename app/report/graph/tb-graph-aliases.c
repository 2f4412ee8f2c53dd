/* tb-graph-aliases.c: aliases of the edges of a graph, further ids by which other figures refer to
 * them: added, found, to and from JSON
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#include "config.h"

#include <glib/gi18n-lib.h>

#include "report/graph/tb-graph-figure-private.h"
#include "report/tb-json-private.h"
#include "report/tb-valid-text-private.h"
#include "base/tb-base.h"

#define ALIASES_MAX 1000000

/**
 * tb_graph_figure_add_alias:
 * @self: a graph that is being built
 * @edge: index of an edge
 * @item: another item of the edge
 *
 * Lets figures that share its items (see tb_figure_set_item_owner()) refer to an edge by another
 * item. If several edges have the same alias, it refers to the first.
 */
void
tb_graph_figure_add_alias (TbGraphFigure *self, guint edge, const char *item)
{
  g_autofree char *copy = NULL;
  char *kept;

  g_return_if_fail (TB_IS_GRAPH_FIGURE (self) && item != NULL);
  g_return_if_fail (!tb_figure_is_frozen (TB_FIGURE (self)));
  tb_figure_return_if_fault_at (self, edge < self->edges->len,
                                _ ("the edge of an alias does not exist"), _ ("edge %u"), edge);

  if (self->aliases == NULL)
    self->aliases = g_hash_table_new (g_str_hash, g_str_equal);
  kept = g_string_chunk_insert_const (self->strings, tb_valid_text (item, &copy));
  if (!g_hash_table_contains (self->aliases, kept))
    g_hash_table_insert (self->aliases, kept, GUINT_TO_POINTER (edge + 1));
}

/**
 * tb_graph_figure_find_edge:
 * @self: a graph
 * @item: (nullable): id or alias of an edge
 *
 * Finds an edge by an item of a reference.
 *
 * Returns: index of the edge, %TB_ID_NONE if none has that id or alias
 */
guint
tb_graph_figure_find_edge (TbGraphFigure *self, const char *item)
{
  gpointer found;

  g_return_val_if_fail (TB_IS_GRAPH_FIGURE (self), TB_ID_NONE);

  if (item == NULL)
    return TB_ID_NONE;
  found = self->aliases != NULL ? g_hash_table_lookup (self->aliases, item) : NULL;
  if (found != NULL)
    return GPOINTER_TO_UINT (found) - 1;
  /* The linear search is fast enough: ids are searched only when something is selected. */
  for (guint i = 0; i < self->edges->len; i++)
    if (g_str_equal (tb_graph_figure_peek_edge (self, i)->id, item))
      return i;
  return TB_ID_NONE;
}

/* The prefix is distinct: no id of an edge and no alias of add_alias() begins with it. */
static char *
make_foreign_alias (const char *figure, const char *item)
{
  return g_strdup_printf ("@%s:%s", figure, item);
}

/**
 * tb_graph_figure_add_foreign_alias:
 * @self: a graph that is being built
 * @edge: index of an edge
 * @figure: id of another figure of the report, which has items of its own
 * @item: an item of that figure
 *
 * Lets an item of another figure refer to an edge: selecting the item shows the details of the
 * edge. If several edges have the same item, it refers to the first.
 */
void
tb_graph_figure_add_foreign_alias (TbGraphFigure *self,
                                   guint edge,
                                   const char *figure,
                                   const char *item)
{
  g_autofree char *name = NULL;

  g_return_if_fail (figure != NULL && item != NULL);

  name = make_foreign_alias (figure, item);
  tb_graph_figure_add_alias (self, edge, name);
}

/**
 * tb_graph_figure_find_edge_for_item:
 * @self: a graph
 * @figure: id of another figure
 * @item: an item of that figure
 *
 * Finds the edge to which an item of another figure refers.
 *
 * Returns: index of the edge that the item refers to, %TB_ID_NONE: none
 */
guint
tb_graph_figure_find_edge_for_item (TbGraphFigure *self, const char *figure, const char *item)
{
  g_autofree char *name = NULL;

  g_return_val_if_fail (TB_IS_GRAPH_FIGURE (self), TB_ID_NONE);
  g_return_val_if_fail (figure != NULL && item != NULL, TB_ID_NONE);

  if (self->aliases == NULL)
    return TB_ID_NONE;
  name = make_foreign_alias (figure, item);
  return GPOINTER_TO_UINT (g_hash_table_lookup (self->aliases, name)) - 1;
}

static int
compare_items (gconstpointer a, gconstpointer b)
{
  return strcmp (*(const char *const *) a, *(const char *const *) b);
}

void
tb_graph_figure_write_aliases (TbGraphFigure *self, JsonBuilder *builder)
{
  g_autofree const char **items = NULL;
  guint n;

  if (self->aliases == NULL)
    return;
  items = (const char **) g_hash_table_get_keys_as_array (self->aliases, &n);
  qsort (items, n, sizeof *items, compare_items);
  json_builder_set_member_name (builder, "aliases");
  json_builder_begin_object (builder);
  for (guint i = 0; i < n; i++)
    {
      json_builder_set_member_name (builder, items[i]);
      json_builder_add_int_value (builder,
                                  GPOINTER_TO_UINT (g_hash_table_lookup (self->aliases, items[i]))
                                      - 1);
    }
  json_builder_end_object (builder);
}

gboolean
tb_graph_figure_read_aliases (TbGraphFigure *self, JsonObject *object, GError **error)
{
  JsonNode *node = json_object_get_member (object, "aliases");
  JsonObjectIter iter;
  const char *item;
  JsonNode *value;

  if (node == NULL)
    return TRUE;
  if (!JSON_NODE_HOLDS_OBJECT (node)
      || json_object_get_size (json_node_get_object (node)) > ALIASES_MAX)
    {
      g_set_error (error, TB_REPORT_ERROR, TB_REPORT_ERROR_FORMAT,
                   _ ("“aliases” is not an object, or is too large"));
      return FALSE;
    }
  json_object_iter_init (&iter, json_node_get_object (node));
  while (json_object_iter_next (&iter, &item, &value))
    {
      if (!JSON_NODE_HOLDS_VALUE (value) || json_node_get_value_type (value) != G_TYPE_INT64
          || json_node_get_int (value) < 0 || json_node_get_int (value) >= self->edges->len)
        {
          g_set_error (error, TB_REPORT_ERROR, TB_REPORT_ERROR_FORMAT,
                       _ ("“aliases”: the edge of “%s” does not exist"), item);
          return FALSE;
        }
      tb_graph_figure_add_alias (self, (guint) json_node_get_int (value), item);
    }
  return TRUE;
}
