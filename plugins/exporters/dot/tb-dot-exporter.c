/* tb-dot-exporter.c: exporter of the graphs of a report (vertices, clusters, weighted edges) to the
 * DOT language of Graphviz
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#include "config.h"

#include <glib/gi18n-lib.h>
#include <libpeas.h>
#include <string.h>

#include "extend/plugins/tb-exporter.h"
#include "extend/options/tb-option-object.h"
#include "report/graph/tb-graph-figure.h"

#define WRITE_LENGTH 65536u
/* In points: width of the lightest edge, and the additional width of the heaviest. */
#define PEN_LEAST 0.5
#define PEN_MORE 4.0

#define TB_TYPE_DOT_EXPORTER (tb_dot_exporter_get_type ())
G_DECLARE_FINAL_TYPE (TbDotExporter, tb_dot_exporter, TB, DOT_EXPORTER, TbOptionObject)

struct _TbDotExporter
{
  TbOptionObject parent_instance;

  gboolean faint;
};

static void tb_dot_exporter_iface_init (TbExporterInterface *iface);

G_DEFINE_FINAL_TYPE_WITH_CODE (TbDotExporter,
                               tb_dot_exporter,
                               TB_TYPE_OPTION_OBJECT,
                               G_IMPLEMENT_INTERFACE (TB_TYPE_EXPORTER, tb_dot_exporter_iface_init))

static void
tb_dot_exporter_class_init (TbDotExporterClass *class)
{
  tb_option_object_class_add (
      TB_OPTION_OBJECT_CLASS (class), G_STRUCT_OFFSET (TbDotExporter, faint),
      g_param_spec_boolean ("excluded-edges", _ ("Excluded edges"),
                            _ ("Also write edges that are light or excluded"), TRUE,
                            TB_OPTION_FLAGS));
}

static void
tb_dot_exporter_init (TbDotExporter *self)
{
}

/* --- DOT language --- */

typedef struct
{
  TbGraphFigure *figure;

  GString *text;
  GOutputStream *stream;
  GCancellable *cancellable;
} Writer;

/* Appends a double-quoted string, which may contain any text of a recording. */
static void
append_quoted (GString *out, const char *text)
{
  g_string_append_c (out, '"');
  for (; *text != '\0'; text++)
    if (*text == '"' || *text == '\\')
      g_string_append_printf (out, "\\%c", *text);
    else if (*text == '\n')
      g_string_append (out, "\\n");
    else if ((guchar) *text < ' ')
      g_string_append_c (out, '?');
    else
      g_string_append_c (out, *text);
  g_string_append_c (out, '"');
}

static gboolean
flush (Writer *self, gsize limit, GError **error)
{
  if (self->text->len < limit)
    return TRUE;
  if (!g_output_stream_write_all (self->stream, self->text->str, self->text->len, NULL,
                                  self->cancellable, error))
    return FALSE;
  g_string_truncate (self->text, 0);
  return TRUE;
}

static const char *
get_shape (TbVertexKind kind)
{
  switch (kind)
    {
    case TB_VERTEX_THREAD:
    case TB_VERTEX_PROCESS:
    case TB_VERTEX_FUNCTION:
      return "ellipse";
    case TB_VERTEX_MERGED:
      return "doubleoctagon";
    case TB_VERTEX_DEVICE:
      return "cylinder";
    case TB_VERTEX_NETWORK:
      return "hexagon";
    default:
      return "diamond";
    }
}

static void
write_vertex (Writer *self, guint index)
{
  const TbGraphVertex *vertex = tb_graph_figure_get_vertex (self->figure, index);
  g_autofree char *label
      = g_strdup_printf (*vertex->detail != '\0' ? "%s\n%s" : "%s", vertex->name, vertex->detail);

  g_string_append_printf (self->text, "    v%u [shape=%s, label=", index, get_shape (vertex->kind));
  append_quoted (self->text, label);
  g_string_append (self->text, "];\n");
}

static void
write_clusters (Writer *self)
{
  for (guint i = 0; i < tb_graph_figure_get_n_clusters (self->figure); i++)
    {
      g_string_append_printf (self->text, "  subgraph cluster_%u {\n    color=%s;\n    label=", i,
                              tb_graph_figure_is_cluster_muted (self->figure, i) ? "gray" : "red");
      append_quoted (self->text, tb_graph_figure_get_cluster_name (self->figure, i));
      g_string_append (self->text, ";\n");
      for (guint j = 0; j < tb_graph_figure_get_n_vertices (self->figure); j++)
        if (tb_graph_figure_get_vertex (self->figure, j)->cluster == i)
          write_vertex (self, j);
      g_string_append (self->text, "  }\n");
    }
  for (guint j = 0; j < tb_graph_figure_get_n_vertices (self->figure); j++)
    if (tb_graph_figure_get_vertex (self->figure, j)->cluster == TB_ID_NONE)
      write_vertex (self, j);
}

/* Returns a valid identifier of the language. The report may have been read from a file. */
static const char *
get_weight_name (Writer *self)
{
  const char *name = tb_graph_figure_get_weight_name (self->figure);

  return *name != '\0' && strspn (name, "abcdefghijklmnopqrstuvwxyz_") == strlen (name) ? name
                                                                                        : "weight";
}

static void
write_edge (Writer *self, guint index)
{
  const TbGraphEdge *edge = tb_graph_figure_get_edge (self->figure, index);
  guint64 threshold = tb_graph_figure_get_threshold (self->figure);
  char width[G_ASCII_DTOSTR_BUF_SIZE];
  double share
      = (double) edge->weight / (double) MAX (tb_graph_figure_get_largest_weight (self->figure), 1);

  g_ascii_formatd (width, sizeof width, "%.2f", PEN_LEAST + PEN_MORE * share);
  g_string_append_printf (self->text,
                          "  v%u -> v%u [penwidth=%s, style=%s, color=%s, %s_%s=%" G_GUINT64_FORMAT,
                          edge->from, edge->to, width,
                          edge->flags & TB_EDGE_CUT                                    ? "dotted"
                          : tb_graph_figure_is_dashed (self->figure, index, threshold) ? "dashed"
                                                                                       : "solid",
                          edge->flags & TB_EDGE_STRONG     ? "red"
                          : edge->flags & TB_EDGE_EXCLUDED ? "gray"
                                                           : "black",
                          get_weight_name (self),
                          strcmp (tb_graph_figure_get_unit (self->figure), "ns") == 0 ? "ns"
                                                                                      : "value",
                          edge->weight);
  if (edge->plain != G_MAXUINT64)
    g_string_append_printf (self->text, ", plain=%" G_GUINT64_FORMAT, edge->plain);
  g_string_append (self->text, ", label=");
  append_quoted (self->text, edge->label);
  g_string_append (self->text, "];\n");
}

static gboolean
write_graph (Writer *self, gboolean faint, GError **error)
{
  g_string_append (self->text, "digraph ");
  append_quoted (self->text, tb_figure_get_id (TB_FIGURE (self->figure)));
  g_string_append (self->text, " {\n  label=");
  append_quoted (self->text, tb_figure_get_title (TB_FIGURE (self->figure)));
  g_string_append (self->text, ";\n");
  write_clusters (self);
  for (guint i = 0; i < tb_graph_figure_get_n_edges (self->figure); i++)
    {
      const TbGraphEdge *edge = tb_graph_figure_get_edge (self->figure, i);

      if (faint || !(edge->flags & TB_EDGE_EXCLUDED))
        write_edge (self, i);
      if (!flush (self, WRITE_LENGTH, error))
        return FALSE;
    }
  g_string_append (self->text, "}\n");
  return flush (self, 0, error);
}

static gboolean
export_report (TbExporter *exporter,
               TbReport *report,
               GOutputStream *stream,
               GCancellable *cancellable,
               GError **error)
{
  g_autoptr (GString) text = g_string_new (NULL);
  guint n = 0;

  for (guint i = 0; i < tb_report_get_n_figures (report); i++)
    {
      TbFigure *figure = tb_report_get_figure (report, i);
      Writer writer = { .text = text, .stream = stream, .cancellable = cancellable };

      if (!TB_IS_GRAPH_FIGURE (figure))
        continue;
      n++;
      writer.figure = TB_GRAPH_FIGURE (figure);
      if (!write_graph (&writer, TB_DOT_EXPORTER (exporter)->faint, error))
        return FALSE;
    }
  if (n > 0)
    return TRUE;
  g_set_error (error, TB_EXTEND_ERROR, TB_EXTEND_ERROR_UNAVAILABLE,
               _ ("the report “%s” has no graph, nothing was written: export a report that has "
                  "one, such as wait-graph"),
               tb_report_get_title (report));
  return FALSE;
}

static const char *
get_extension (TbExporter *exporter)
{
  return "dot";
}

static void
tb_dot_exporter_iface_init (TbExporterInterface *iface)
{
  iface->get_extension = get_extension;
  iface->export_report = export_report;
}

G_MODULE_EXPORT void peas_register_types (PeasObjectModule *module);

G_MODULE_EXPORT void
peas_register_types (PeasObjectModule *module)
{
  peas_object_module_register_extension_type (module, TB_TYPE_EXPORTER, TB_TYPE_DOT_EXPORTER);
}
