/* tb-report-error.c: domain of the errors of reports
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#include "config.h"

#include "report/tb-report-error.h"

/**
 * tb_report_error_quark:
 *
 * Gets the error domain of reports.
 *
 * Returns: the domain
 */
G_DEFINE_QUARK (tb-report-error-quark, tb_report_error);
