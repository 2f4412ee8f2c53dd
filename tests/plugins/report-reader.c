/* report-reader.c: runs of analyses, and parts of their reports
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#include "config.h"

#include <string.h>

#include "report-reader.h"

/* --- runs --- */

static TbAnalysis *
create_analysis (const char *id, va_list options)
{
  g_autoptr (GError) error = NULL;
  TbAnalysis *analysis = tb_engine_create_analysis (tb_engine_get_default (), id, &error);
  const char *name;

  g_assert_no_error (error);
  while ((name = va_arg (options, const char *)) != NULL)
    {
      tb_option_set_from_text (G_OBJECT (analysis), name, va_arg (options, const char *), &error);
      g_assert_no_error (error);
    }
  return analysis;
}

TbAnalysis *
report_create_analysis (const char *id, ...)
{
  TbAnalysis *analysis;
  va_list options;

  va_start (options, id);
  analysis = create_analysis (id, options);
  va_end (options);
  return analysis;
}

static TbReport *
try (const char *id, TbTrace *trace, TbSelection *selection, va_list options, GError **error)
{
  g_autoptr (TbAnalysis) analysis = create_analysis (id, options);
  g_autoptr (TbSelection) whole = tb_selection_new (trace);
  TbReport *report = tb_analysis_run (analysis, trace, selection != NULL ? selection : whole, NULL,
                                      NULL, NULL, error);

  if (report != NULL)
    findings_assert_codes (report);
  return report;
}

TbReport *
report_try (const char *id, TbTrace *trace, TbSelection *selection, GError **error, ...)
{
  TbReport *report;
  va_list options;

  va_start (options, error);
  report = try (id, trace, selection, options, error);
  va_end (options);
  return report;
}

TbReport *
report_run_valist (const char *id, TbTrace *trace, TbSelection *selection, va_list options)
{
  g_autoptr (GError) error = NULL;
  TbReport *report = try (id, trace, selection, options, &error);

  g_assert_no_error (error);
  return report;
}

TbReport *
report_run (const char *id, TbTrace *trace, TbSelection *selection, ...)
{
  TbReport *report;
  va_list options;

  va_start (options, selection);
  report = report_run_valist (id, trace, selection, options);
  va_end (options);
  return report;
}

TbReport *
report_compare_valist (const char *id,
                       TbTrace *base,
                       TbTrace *other,
                       TbSelection *selection,
                       va_list options)
{
  g_autoptr (TbAnalysis) analysis = create_analysis (id, options);
  g_autoptr (TbSelection) whole = tb_selection_new (other);
  g_autoptr (GError) error = NULL;
  TbReport *report;

  g_assert_true (tb_analysis_can_compare (analysis));
  report = tb_analysis_compare (analysis, base, other, selection != NULL ? selection : whole, NULL,
                                NULL, NULL, &error);
  g_assert_no_error (error);
  findings_assert_codes (report);
  return report;
}

TbReport *
report_compare (const char *id, TbTrace *base, TbTrace *other, TbSelection *selection, ...)
{
  TbReport *report;
  va_list options;

  va_start (options, selection);
  report = report_compare_valist (id, base, other, selection, options);
  va_end (options);
  return report;
}

TbReport *
report_compare_all (const char *id, TbComparison *comparison, ...)
{
  g_autoptr (TbAnalysis) analysis = NULL;
  g_autoptr (GError) error = NULL;
  TbReport *report;
  va_list options;

  va_start (options, comparison);
  analysis = create_analysis (id, options);
  va_end (options);
  report = tb_analysis_compare_all (analysis, comparison, NULL, NULL, NULL, &error);
  g_assert_no_error (error);
  findings_assert_codes (report);
  return report;
}

/* --- reports --- */

JsonObject *
report_get_summary (TbReport *report)
{
  return json_node_get_object (tb_report_get_summary (report));
}

const char *
report_find_warning (TbReport *report, const char *part)
{
  const char *const *warnings = tb_report_get_warnings (report);

  for (guint i = 0; warnings[i] != NULL; i++)
    if (strstr (warnings[i], part) != NULL)
      return warnings[i];
  return NULL;
}

gboolean
report_has_warning (TbReport *report, const char *part)
{
  return report_find_warning (report, part) != NULL;
}

guint
report_find_track (TbTimelineFigure *figure, const char *name)
{
  for (guint i = 0; i < tb_timeline_figure_get_n_tracks (figure); i++)
    {
      TbTimelineTrack track;

      tb_timeline_figure_get_track (figure, i, &track);
      if (g_str_equal (track.name, name))
        return i;
    }
  return TB_ID_NONE;
}

gint64
summary_get_int (JsonObject *object, const char *member)
{
  g_assert_true (json_object_has_member (object, member));
  return json_object_get_int_member (object, member);
}

guint
summary_count (JsonObject *object, const char *member)
{
  return json_array_get_length (json_object_get_array_member (object, member));
}

JsonObject *
summary_get_element (JsonObject *object, const char *member, guint index)
{
  return json_array_get_object_element (json_object_get_array_member (object, member), index);
}

JsonObject *
summary_find (JsonObject *object, const char *member, const char *name, const char *value)
{
  for (guint i = 0; i < summary_count (object, member); i++)
    {
      JsonObject *element = summary_get_element (object, member, i);

      if (g_str_equal (json_object_get_string_member (element, name), value))
        return element;
    }
  return NULL;
}

char *
summary_join_strings (JsonObject *object, const char *member)
{
  JsonArray *array = json_object_get_array_member (object, member);
  GString *text = g_string_new (NULL);

  for (guint i = 0; i < json_array_get_length (array); i++)
    g_string_append_printf (text, "%s%s", i > 0 ? " " : "",
                            json_array_get_string_element (array, i));
  return g_string_free (text, FALSE);
}

void
summary_assert_strings (JsonObject *object, const char *member, const char *expected)
{
  g_autofree char *strings = summary_join_strings (object, member);

  g_assert_cmpstr (strings, ==, expected);
}
