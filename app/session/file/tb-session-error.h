/* tb-session-error.h: errors of session files: foreign, damaged, too new, not readable or not
 * writable
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#pragma once

#include <glib.h>

#include "base/tb-export.h"

G_BEGIN_DECLS

#define TB_SESSION_ERROR (tb_session_error_quark ())
TB_EXPORT GQuark tb_session_error_quark (void);

/**
 * TbSessionError:
 * @TB_SESSION_ERROR_FOREIGN: not a Tailback session
 * @TB_SESSION_ERROR_DAMAGED: a session with contradictory content
 * @TB_SESSION_ERROR_VERSION: written by a newer Tailback
 * @TB_SESSION_ERROR_IO: disk full, no permission, …
 * @TB_SESSION_ERROR_EXISTS: a new session would overwrite a file
 * @TB_SESSION_ERROR_READ_ONLY: an addition could not be saved in the file
 *
 * The errors of opening, checking and changing sessions.
 */
typedef enum
{
  TB_SESSION_ERROR_FOREIGN,
  TB_SESSION_ERROR_DAMAGED,
  TB_SESSION_ERROR_VERSION,
  TB_SESSION_ERROR_IO,
  TB_SESSION_ERROR_EXISTS,
  TB_SESSION_ERROR_READ_ONLY
} TbSessionError;

G_END_DECLS
