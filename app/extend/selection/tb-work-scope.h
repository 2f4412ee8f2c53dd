/* tb-work-scope.h: name of a unit of work and the process that it is limited to, split from a text
 * "NAME@PROCESS" unless the whole is a recorded name; the process is found in the recording; for
 * messages the whole text is the process
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#pragma once

#include "extend/selection/tb-selection.h"
#include "trace/tb-work-unit.h"

G_BEGIN_DECLS

TB_EXPORT gboolean tb_work_scope_find (TbTrace *trace,
                                       TbWorkKind kind,
                                       const char *given,
                                       char **name,
                                       TbSelection **process,
                                       GError **error);

G_END_DECLS
