/* fuzz-report-json.c: fuzz target for reports as JSON
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#include <stdint.h>

#include "report/tb-report.h"

int LLVMFuzzerTestOneInput (const uint8_t *data, size_t size);

/* An accepted report can be read, rendered and serialized, and the serialized text is accepted
 * again. */
static void
use (TbReport *report)
{
  g_autoptr (JsonNode) node = tb_report_to_json (report);
  g_autofree char *text = tb_report_to_text (report, 60);
  g_autoptr (GError) error = NULL;
  g_autoptr (TbReport) again = tb_report_from_json (node, &error);

  g_assert_no_error (error);
  g_assert_true (g_utf8_validate (text, -1, NULL));
}

int
LLVMFuzzerTestOneInput (const uint8_t *data, size_t size)
{
  g_autoptr (JsonParser) parser = json_parser_new ();
  g_autoptr (TbReport) report = NULL;
  g_autoptr (GError) error = NULL;

  if (!json_parser_load_from_data (parser, (const char *) data, size, NULL)
      || !json_parser_get_root (parser))
    return 0;
  report = tb_report_from_json (json_parser_get_root (parser), &error);
  g_assert_true ((report != NULL) != (error != NULL));
  if (report)
    use (report);
  return 0;
}
