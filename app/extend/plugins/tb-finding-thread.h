/* tb-finding-thread.h: name and TID of a thread, and name and PID of its process, stored as values
 * of a finding
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#pragma once

#include "report/tb-finding.h"
#include "trace/tb-trace.h"

G_BEGIN_DECLS

TB_EXPORT void
tb_finding_set_thread (TbFinding *self, const char *prefix, TbTrace *trace, guint32 thread);

G_END_DECLS
