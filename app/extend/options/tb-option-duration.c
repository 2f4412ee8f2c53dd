/* tb-option-duration.c: text of a duration in an option, such as "12.5ms", to nanoseconds: parsing
 * by tb-duration.c, errors for users here
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#include "config.h"

#include <glib/gi18n-lib.h>

#include "base/tb-duration.h"
#include "extend/options/tb-option.h"
#include "report/tb-report.h"

/**
 * tb_parse_duration:
 * @text: a number with a unit: "250us", "1.5 ms", "2s", "3min"; without one it is an integer of ns
 * @ns: (out): the duration
 * @error: return location
 *
 * Parses a duration, independent of the locale.
 *
 * Returns: %TRUE, else %FALSE with %TB_EXTEND_ERROR_USAGE, which lists the accepted forms
 */
gboolean
tb_parse_duration (const char *text, gint64 *ns, GError **error)
{
  gint64 result = 0;

  g_return_val_if_fail (text != NULL, FALSE);

  switch (tb_duration_parse (text, &result))
    {
    case TB_DURATION_OK:
      if (ns)
        *ns = result;
      return TRUE;
    case TB_DURATION_TOO_LONG:
      g_set_error (error, TB_EXTEND_ERROR, TB_EXTEND_ERROR_USAGE,
                   _ ("invalid duration “%s”: too long"), text);
      return FALSE;
    case TB_DURATION_MALFORMED:
    default:
      g_set_error (
          error, TB_EXTEND_ERROR, TB_EXTEND_ERROR_USAGE,
          _ ("invalid duration “%s”: use a number with ns, us, ms, s, min or h, such as 12.5ms"),
          text);
      return FALSE;
    }
}
