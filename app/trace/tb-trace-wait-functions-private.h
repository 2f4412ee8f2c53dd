/* tb-trace-wait-functions-private.h: kind of wait by the name of the function that a thread sleeps
 * in; check for kernel functions that deliver the expiry of a timer
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#pragma once

#include "trace/tb-trace.h"

G_BEGIN_DECLS

TbWaitKind tb_wait_kind_from_function (const char *function, gboolean kernel);
gboolean tb_wait_function_delivers_expiry (const char *function);

G_END_DECLS
