/* finding-checks.c: lookup of a report's findings by code and value, and golden text of their
 * sentences
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#include "config.h"

#include <string.h>

#include "finding-checks.h"

void
findings_assert_codes (TbReport *report)
{
  for (guint i = 0; i < tb_report_get_n_findings (report); i++)
    {
      TbFinding *finding = tb_report_get_finding (report, i);

      if (tb_finding_get_code (finding) == NULL)
        g_error ("a finding has no code: %s", tb_finding_get_text (finding));
    }
}

static JsonNode *
find_value (TbFinding *finding, const char *name)
{
  return json_object_get_member (tb_finding_get_values (finding), name);
}

static gboolean
has_string (TbFinding *finding, const char *name, const char *value)
{
  JsonNode *node = find_value (finding, name);

  return node != NULL && JSON_NODE_HOLDS_VALUE (node)
         && json_node_get_value_type (node) == G_TYPE_STRING
         && g_str_equal (json_node_get_string (node), value);
}

TbFinding *
findings_find (TbReport *report, const char *name, const char *value)
{
  for (guint i = 0; i < tb_report_get_n_findings (report); i++)
    if (has_string (tb_report_get_finding (report, i), name, value))
      return tb_report_get_finding (report, i);
  return NULL;
}

/* name NULL: with any values. */
static TbFinding *
find (TbReport *report, const char *code, const char *name, const char *value, guint *n)
{
  TbFinding *found = NULL;

  *n = 0;
  for (guint i = 0; i < tb_report_get_n_findings (report); i++)
    {
      TbFinding *finding = tb_report_get_finding (report, i);

      if (g_strcmp0 (tb_finding_get_code (finding), code) != 0
          || (name != NULL && !has_string (finding, name, value)))
        continue;
      found = finding;
      (*n)++;
    }
  return found;
}

guint
findings_count (TbReport *report, const char *code)
{
  guint n;

  find (report, code, NULL, NULL, &n);
  return n;
}

TbFinding *
findings_get (TbReport *report, const char *code)
{
  guint n;
  TbFinding *finding = find (report, code, NULL, NULL, &n);

  if (n != 1)
    g_error ("there are %u findings \"%s\", not one", n, code);
  return finding;
}

TbFinding *
findings_get_with (TbReport *report, const char *code, const char *name, const char *value)
{
  guint n;
  TbFinding *finding = find (report, code, name, value, &n);

  if (n != 1)
    g_error ("there are %u findings \"%s\" with %s \"%s\", not one", n, code, name, value);
  return finding;
}

static JsonNode *
get_value (TbFinding *finding, const char *name, GType type)
{
  JsonNode *node = find_value (finding, name);

  if (node == NULL)
    g_error ("\"%s\" has no value \"%s\"", tb_finding_get_code (finding), name);
  if (type != G_TYPE_INVALID
      && (!JSON_NODE_HOLDS_VALUE (node) || json_node_get_value_type (node) != type))
    g_error ("\"%s\" of \"%s\" is not a %s but a %s", name, tb_finding_get_code (finding),
             g_type_name (type), json_node_type_name (node));
  return node;
}

gint64
finding_get_integer (TbFinding *finding, const char *name)
{
  return json_node_get_int (get_value (finding, name, G_TYPE_INT64));
}

double
finding_get_number (TbFinding *finding, const char *name)
{
  return json_node_get_double (get_value (finding, name, G_TYPE_DOUBLE));
}

const char *
finding_get_string (TbFinding *finding, const char *name)
{
  return json_node_get_string (get_value (finding, name, G_TYPE_STRING));
}

char *
finding_join_strings (TbFinding *finding, const char *name)
{
  JsonNode *node = get_value (finding, name, G_TYPE_INVALID);
  GString *text = g_string_new (NULL);

  g_assert_true (JSON_NODE_HOLDS_ARRAY (node));
  for (guint i = 0; i < json_array_get_length (json_node_get_array (node)); i++)
    g_string_append_printf (text, "%s%s", i > 0 ? "," : "",
                            json_array_get_string_element (json_node_get_array (node), i));
  return g_string_free (text, FALSE);
}

gboolean
finding_is_null (TbFinding *finding, const char *name)
{
  return JSON_NODE_HOLDS_NULL (get_value (finding, name, G_TYPE_INVALID));
}

void
golden_add (GString *golden, const char *heading, TbReport *report)
{
  g_string_append_printf (golden, "# %s\n", heading);
  for (guint i = 0; i < tb_report_get_n_findings (report); i++)
    {
      TbFinding *finding = tb_report_get_finding (report, i);

      g_string_append_printf (golden, "%s\t%s\t%s\n", tb_finding_get_code (finding),
                              tb_severity_get_name (tb_finding_get_severity (finding)),
                              tb_finding_get_text (finding));
    }
}

static void
compare_lines (const char *path, const char *expected_text, const char *text)
{
  g_auto (GStrv) expected = g_strsplit (expected_text, "\n", -1);
  g_auto (GStrv) found = g_strsplit (text, "\n", -1);
  guint i = 0;

  while (expected[i] != NULL && found[i] != NULL && g_str_equal (expected[i], found[i]))
    i++;
  if (expected[i] == NULL && found[i] == NULL)
    return;
  /* Test reports show what a failed test prints to standard error. */
  g_printerr ("%s:%u differs (TAILBACK_GOLDEN=write writes it anew)\nexpected: %s\nfound:    %s\n",
              path, i + 1, expected[i] != NULL ? expected[i] : "the end",
              found[i] != NULL ? found[i] : "the end");
  g_test_fail ();
}

void
golden_compare (GString *golden, const char *analysis)
{
  g_autofree char *name = g_strdup_printf ("%s-findings.txt", analysis);
  g_autofree char *path = g_test_build_filename (G_TEST_DIST, "plugins", "golden", name, NULL);
  g_autofree char *text = g_string_free (golden, FALSE);
  g_autofree char *expected = NULL;
  g_autoptr (GError) error = NULL;

  if (g_strcmp0 (g_getenv ("TAILBACK_GOLDEN"), "write") == 0)
    {
      g_file_set_contents (path, text, -1, &error);
      g_assert_no_error (error);
      return;
    }
  g_file_get_contents (path, &expected, NULL, &error);
  g_assert_no_error (error);
  compare_lines (path, expected, text);
}
