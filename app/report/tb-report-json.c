/* tb-report-json.c: reports to and from JSON
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#include "config.h"

#include <inttypes.h>

#include <glib/gi18n-lib.h>

#include "report/tb-json-private.h"
#include "report/tb-report-private.h"
#include "base/tb-base.h"

#define FIGURES_MAX 1000
#define FINDINGS_MAX 100000
#define WARNINGS_MAX 10000

/* The text is a member of the object, with the values. */
static void
write_scope (TbReport *self, JsonBuilder *builder)
{
  const char *text = tb_report_get_scope (self);
  JsonNode *values = tb_report_get_scope_values (self);
  g_autoptr (JsonNode) node = NULL;

  if (values == NULL)
    return;
  node = json_node_copy (values);
  if (text != NULL)
    json_object_set_string_member (json_node_get_object (node), "text", text);
  json_builder_set_member_name (builder, "scope");
  json_builder_add_value (builder, g_steal_pointer (&node));
}

static void
write_head (TbReport *self, JsonBuilder *builder)
{
  JsonNode *evidence = tb_report_get_evidence (self);
  guint64 lost_events;
  gint64 from, to, lost_ns;

  tb_report_get_range (self, &from, &to);
  tb_report_get_uncertainty (self, &lost_events, &lost_ns);
  json_builder_set_member_name (builder, "format");
  json_builder_add_string_value (builder, "tailback-report");
  json_builder_set_member_name (builder, "version");
  json_builder_add_int_value (builder, TB_REPORT_VERSION);
  json_builder_set_member_name (builder, "analysis");
  json_builder_add_string_value (builder, tb_report_get_analysis (self));
  json_builder_set_member_name (builder, "title");
  json_builder_add_string_value (builder, tb_report_get_title (self));
  json_builder_set_member_name (builder, "headline");
  tb_json_add_string_or_null (builder, tb_report_get_headline (self));
  json_builder_set_member_name (builder, "range");
  json_builder_begin_object (builder);
  json_builder_set_member_name (builder, "from_ns");
  json_builder_add_int_value (builder, from);
  json_builder_set_member_name (builder, "to_ns");
  json_builder_add_int_value (builder, to);
  json_builder_end_object (builder);
  json_builder_set_member_name (builder, "options");
  json_builder_add_value (builder, tb_report_get_options (self));
  json_builder_set_member_name (builder, "uncertain");
  json_builder_begin_object (builder);
  json_builder_set_member_name (builder, "lost_events");
  tb_json_add_unsigned (builder, lost_events);
  json_builder_set_member_name (builder, "lost_ns");
  tb_json_add_time_or_null (builder, lost_ns);
  json_builder_set_member_name (builder, "warnings");
  tb_json_add_strings (builder, tb_report_get_warnings (self));
  json_builder_set_member_name (builder, "remarks");
  tb_json_add_strings (builder, tb_report_get_remarks (self));
  json_builder_end_object (builder);
  write_scope (self, builder);
  if (evidence != NULL)
    {
      json_builder_set_member_name (builder, "evidence");
      json_builder_add_value (builder, json_node_copy (evidence));
    }
  json_builder_set_member_name (builder, "summary");
  json_builder_add_value (builder, json_node_copy (tb_report_get_summary (self)));
}

/**
 * tb_report_to_json:
 * @self: a report
 *
 * Writes the report as JSON.
 *
 * Returns: (transfer full): the report as an object of the format "tailback-report"
 */
JsonNode *
tb_report_to_json (TbReport *self)
{
  g_autoptr (JsonBuilder) builder = json_builder_new ();

  g_return_val_if_fail (TB_IS_REPORT (self), NULL);

  json_builder_begin_object (builder);
  write_head (self, builder);
  json_builder_set_member_name (builder, "findings");
  json_builder_begin_array (builder);
  for (guint i = 0; i < tb_report_get_n_findings (self); i++)
    json_builder_add_value (builder, tb_finding_to_json (tb_report_get_finding (self, i)));
  json_builder_end_array (builder);
  json_builder_set_member_name (builder, "figures");
  json_builder_begin_array (builder);
  for (guint i = 0; i < tb_report_get_n_figures (self); i++)
    json_builder_add_value (builder, tb_figure_to_json (tb_report_get_figure (self, i)));
  json_builder_end_array (builder);
  tb_report_write_actions (self, builder);
  json_builder_end_object (builder);
  return json_builder_get_root (builder);
}

static gboolean
read_scope (TbReport *self, JsonObject *object, GError **error)
{
  JsonObject *scope;
  const char *text;

  if (!json_object_has_member (object, "scope"))
    return TRUE;
  if (!tb_json_get_object (json_object_get_member (object, "scope"), "scope", &scope, error)
      || !tb_json_get_optional_string (scope, "text", &text, error))
    return FALSE;
  tb_report_set_scope (self, text, json_node_copy (json_object_get_member (object, "scope")));
  return TRUE;
}

static gboolean
read_remarks (TbReport *self, JsonObject *uncertain, GError **error)
{
  g_auto (GStrv) remarks = NULL;

  if (!json_object_has_member (uncertain, "remarks"))
    return TRUE;
  remarks = tb_json_get_strings (uncertain, "remarks", WARNINGS_MAX, error);
  for (guint i = 0; remarks != NULL && remarks[i] != NULL; i++)
    tb_report_add_remark (self, remarks[i]);
  return remarks != NULL;
}

static gboolean
read_uncertainty (TbReport *self, JsonObject *object, GError **error)
{
  g_auto (GStrv) warnings = NULL;
  JsonObject *uncertain;
  gint64 events;
  gint64 ns;

  if (!json_object_has_member (object, "uncertain"))
    return TRUE;
  if (!tb_json_get_object (json_object_get_member (object, "uncertain"), "uncertain", &uncertain,
                           error)
      || !tb_json_get_optional_integer (uncertain, "lost_events", 0, G_MAXINT64, 0, &events, error)
      || !tb_json_get_optional_integer (uncertain, "lost_ns", 0, G_MAXINT64, TB_TIME_NONE, &ns,
                                        error)
      || !(warnings = tb_json_get_strings (uncertain, "warnings", WARNINGS_MAX, error))
      || !read_remarks (self, uncertain, error))
    return FALSE;
  tb_report_set_uncertainty (self, events, ns);
  for (guint i = 0; warnings[i]; i++)
    tb_report_add_warning (self, warnings[i]);
  return TRUE;
}

static gboolean
read_options (TbReport *self, JsonObject *object, GError **error)
{
  JsonObject *options;
  JsonObjectIter iter;
  const char *name;
  JsonNode *value;

  if (!json_object_has_member (object, "options"))
    return TRUE;
  if (!tb_json_get_object (json_object_get_member (object, "options"), "options", &options, error))
    return FALSE;
  json_object_iter_init_ordered (&iter, options);
  while (json_object_iter_next_ordered (&iter, &name, &value))
    tb_report_set_option (self, name, json_node_copy (value));
  return TRUE;
}

static gboolean
read_body (TbReport *self, JsonObject *object, GError **error)
{
  JsonObject *member;
  JsonArray *array;

  if (!read_options (self, object, error))
    return FALSE;
  if (json_object_has_member (object, "evidence"))
    {
      if (!tb_json_get_object (json_object_get_member (object, "evidence"), "evidence", &member,
                               error))
        return FALSE;
      tb_report_set_evidence (self, json_node_copy (json_object_get_member (object, "evidence")));
    }
  if (!tb_json_get_object (json_object_get_member (object, "summary"), "summary", &member, error)
      || !tb_json_get_array (object, "findings", FINDINGS_MAX, &array, error))
    return FALSE;
  tb_report_set_summary (self, json_node_copy (json_object_get_member (object, "summary")));
  for (guint i = 0; i < json_array_get_length (array); i++)
    {
      TbFinding *finding = tb_finding_from_json (json_array_get_element (array, i), error);

      if (!finding)
        {
          g_prefix_error (error, _ ("finding %u: "), i);
          return FALSE;
        }
      tb_report_append_finding (self, finding);
    }
  if (!tb_json_get_array (object, "figures", FIGURES_MAX, &array, error))
    return FALSE;
  for (guint i = 0; i < json_array_get_length (array); i++)
    {
      TbFigure *figure = tb_figure_from_json (json_array_get_element (array, i), error);

      if (!figure)
        return FALSE;
      tb_report_add_figure (self, figure);
    }
  return tb_report_read_actions (self, object, error);
}

/**
 * tb_report_from_json:
 * @node: JSON from [method@Report.to_json] or from any other source
 * @error: return location for an error
 *
 * Reads a report. The data are not trusted: what is inconsistent is an error.
 *
 * Returns: (transfer full) (nullable): the report, or %NULL with an error of the domain
 *   %TB_REPORT_ERROR
 */
TbReport *
tb_report_from_json (JsonNode *node, GError **error)
{
  g_autoptr (TbReport) self = NULL;
  JsonObject *object;
  JsonObject *range;
  const char *format;
  const char *analysis;
  const char *title;
  const char *headline;
  gint64 version;
  gint64 from;
  gint64 to;

  if (!tb_json_get_object (node, "report", &object, error)
      || !tb_json_get_string (object, "format", &format, error)
      || !tb_json_get_integer (object, "version", 1, G_MAXINT32, &version, error))
    return NULL;
  if (strcmp (format, "tailback-report") != 0)
    {
      tb_json_fail (error, _ ("“format” is “%s”, not “tailback-report”"), format);
      return NULL;
    }
  if (version > TB_REPORT_VERSION)
    {
      g_set_error (error, TB_REPORT_ERROR, TB_REPORT_ERROR_VERSION,
                   _ ("the report has version %" PRId64
                      ", this Tailback reads up to %d: open it with a newer Tailback"),
                   version, TB_REPORT_VERSION);
      return NULL;
    }
  if (!tb_json_get_string (object, "analysis", &analysis, error)
      || !tb_json_get_string (object, "title", &title, error)
      || !tb_json_get_optional_string (object, "headline", &headline, error)
      || !tb_json_get_object (json_object_get_member (object, "range"), "range", &range, error)
      || !tb_json_get_integer (range, "from_ns", G_MININT64, G_MAXINT64, &from, error)
      || !tb_json_get_integer (range, "to_ns", G_MININT64, G_MAXINT64, &to, error))
    return NULL;
  self = tb_report_new (analysis, title, from, to);
  tb_report_set_headline (self, headline);
  if (!read_uncertainty (self, object, error) || !read_scope (self, object, error)
      || !read_body (self, object, error))
    return NULL;
  return g_steal_pointer (&self);
}
