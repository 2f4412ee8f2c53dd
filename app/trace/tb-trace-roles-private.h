/* tb-trace-roles-private.h: search for the roles of the threads of a new trace
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#pragma once

#include "trace/tb-trace-roles.h"

G_BEGIN_DECLS

/* Sets the roles and the command's process of a trace that has its intervals. Linear in the number
 * of intervals. */
void tb_trace_find_roles (TbTrace *self);

G_END_DECLS
