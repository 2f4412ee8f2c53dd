/* tb-report-error.h: errors of reports that are read from JSON
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#pragma once

#include <glib.h>

#include "base/tb-export.h"

G_BEGIN_DECLS

#define TB_REPORT_ERROR (tb_report_error_quark ())
TB_EXPORT GQuark tb_report_error_quark (void);

/**
 * TbReportError:
 * @TB_REPORT_ERROR_FORMAT: not a report, or inconsistent; the message has the place
 * @TB_REPORT_ERROR_VERSION: written by a newer Tailback
 *
 * The errors of reading reports, figures and findings.
 */
typedef enum
{
  TB_REPORT_ERROR_FORMAT,
  TB_REPORT_ERROR_VERSION,
} TbReportError;

G_END_DECLS
