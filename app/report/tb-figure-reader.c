/* tb-figure-reader.c: figures of all kinds read from JSON
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#include "config.h"

#include <glib/gi18n-lib.h>

#include "report/flame/tb-flame-figure.h"
#include "report/graph/tb-graph-figure.h"
#include "report/heatmap/tb-heatmap-figure.h"
#include "report/histogram/tb-histogram-figure.h"
#include "report/table/tb-table-figure.h"
#include "report/tb-figure-private.h"
#include "report/tb-json-private.h"
#include "report/timeline/tb-timeline-figure.h"

static GType
get_type_of_kind (const char *kind)
{
  const GType types[] = {
    TB_TYPE_FLAME_FIGURE,     TB_TYPE_GRAPH_FIGURE, TB_TYPE_HEATMAP_FIGURE,
    TB_TYPE_HISTOGRAM_FIGURE, TB_TYPE_TABLE_FIGURE, TB_TYPE_TIMELINE_FIGURE,
  };

  for (guint i = 0; i < G_N_ELEMENTS (types); i++)
    {
      g_autoptr (GTypeClass) class = g_type_class_ref (types[i]);

      if (strcmp (TB_FIGURE_CLASS (class)->kind, kind) == 0)
        return types[i];
    }
  return G_TYPE_INVALID;
}

/**
 * tb_figure_from_json:
 * @node: JSON from [method@Figure.to_json] or from any other source
 * @error: return location for an error
 *
 * Reads a figure. The data are not trusted: what is inconsistent is an error.
 *
 * Returns: (transfer full) (nullable): the figure, frozen, or %NULL with %TB_REPORT_ERROR_FORMAT
 */
TbFigure *
tb_figure_from_json (JsonNode *node, GError **error)
{
  g_autoptr (TbFigure) figure = NULL;
  JsonObject *object;
  const char *kind;
  const char *id;
  const char *title;
  const char *item_owner;
  GType type;

  if (!tb_json_get_object (node, "figure", &object, error)
      || !tb_json_get_string (object, "kind", &kind, error)
      || !tb_json_get_string (object, "id", &id, error)
      || !tb_json_get_string (object, "title", &title, error)
      || !tb_json_get_optional_string (object, "items_of", &item_owner, error))
    return NULL;
  type = get_type_of_kind (kind);
  if (type == G_TYPE_INVALID)
    {
      tb_json_fail (error, _ ("unknown kind of figure “%s”"), kind);
      return NULL;
    }
  figure = g_object_new (type, NULL);
  tb_figure_set_names (figure, id, title);
  tb_figure_set_item_owner (figure, item_owner);
  if (!TB_FIGURE_GET_CLASS (figure)->read_json (figure, object, error))
    {
      g_prefix_error (error, _ ("figure “%s”: "), id);
      return NULL;
    }
  tb_figure_freeze (figure);
  return g_steal_pointer (&figure);
}
