/* finding-checks.h: lookup of a report's findings by code and value, and golden text of their
 * sentences
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#pragma once

#include "tailback.h"

G_BEGIN_DECLS

/* Asserts that every finding has a code. */
void findings_assert_codes (TbReport *report);

guint findings_count (TbReport *report, const char *code);
/* Returns the only finding with a code; the test fails if there is none, or more than one. */
TbFinding *findings_get (TbReport *report, const char *code);
/* Returns the only finding with a code and a value, for example a thread of that name. */
TbFinding *
findings_get_with (TbReport *report, const char *code, const char *name, const char *value);

/* Returns the first finding, with whatever code, that has a value, or NULL. */
TbFinding *findings_find (TbReport *report, const char *name, const char *value);

/* Values of a finding; the test fails if it has none of that name and type. */
gint64 finding_get_integer (TbFinding *finding, const char *name);
double finding_get_number (TbFinding *finding, const char *name);
const char *finding_get_string (TbFinding *finding, const char *name);
/* Joins strings: "a,b" (transfer full) */
char *finding_join_strings (TbFinding *finding, const char *name);
/* Returns whether the value exists and is null. */
gboolean finding_is_null (TbFinding *finding, const char *name);

#define finding_assert_integer(finding, name, expected)                                            \
  g_assert_cmpint (finding_get_integer (finding, name), ==, expected)
#define finding_assert_number(finding, name, expected)                                             \
  g_assert_cmpfloat_with_epsilon (finding_get_number (finding, name), expected, 1e-9)
#define finding_assert_string(finding, name, expected)                                             \
  g_assert_cmpstr (finding_get_string (finding, name), ==, expected)

/* Adds the findings of a report to a golden text: a heading, then one line for each finding: code,
 * severity, sentence. */
void golden_add (GString *golden, const char *heading, TbReport *report);
/* Compares with golden/ID-findings.txt and frees the text. TAILBACK_GOLDEN=write in the environment
 * writes the file anew. */
void golden_compare (GString *golden, const char *analysis);

G_END_DECLS
