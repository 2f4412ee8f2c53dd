/* tb-severity-label.c: display name of the severity of a finding, and the CSS class of its style
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#include "config.h"

#include <glib/gi18n.h>

#include "shell/document/tb-severity-label.h"

const char *
tb_severity_get_style_class (TbSeverity severity)
{
  static const char *const names[] = { "info", "low", "medium", "high" };

  return names[MIN ((guint) severity, G_N_ELEMENTS (names) - 1)];
}

const char *
tb_severity_get_label (TbSeverity severity)
{
  switch (severity)
    {
    case TB_SEVERITY_HIGH:
      return _ ("Severe");
    case TB_SEVERITY_MEDIUM:
      return _ ("Considerable");
    case TB_SEVERITY_LOW:
      return _ ("Slight");
    case TB_SEVERITY_INFO:
    default:
      return _ ("Remark");
    }
}
