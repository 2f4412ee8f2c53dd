/* tb-session-error.c: domain of the errors of session files
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#include "config.h"

#include "session/file/tb-session-error.h"

/**
 * tb_session_error_quark:
 *
 * Gets the error domain of sessions.
 *
 * Returns: the domain
 */
GQuark
tb_session_error_quark (void)
{
  return g_quark_from_static_string ("tb-session-error-quark");
}
