/* tb-severity-label.h: display name of the severity of a finding, and the CSS class of its style
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#pragma once

#include "report/tb-finding.h"

G_BEGIN_DECLS

const char *tb_severity_get_style_class (TbSeverity severity);
const char *tb_severity_get_label (TbSeverity severity);

G_END_DECLS
