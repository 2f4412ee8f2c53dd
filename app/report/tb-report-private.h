/* tb-report-private.h: the parts of a report that lie in several files
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#pragma once

#include "report/tb-report.h"

G_BEGIN_DECLS

#define TB_REPORT_VERSION 1

G_END_DECLS
