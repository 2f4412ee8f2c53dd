/* tb-extend-error.h: error domain and error codes of options, of plug-ins and of the engine
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#pragma once

#include <glib.h>

#include "base/tb-export.h"

G_BEGIN_DECLS

#define TB_EXTEND_ERROR (tb_extend_error_quark ())
TB_EXPORT GQuark tb_extend_error_quark (void);

/**
 * TbExtendError:
 * @TB_EXTEND_ERROR_USAGE: unknown option, or value out of range; the message lists what is
 *   permitted
 * @TB_EXTEND_ERROR_UNAVAILABLE: the machine or the file lacks what is needed
 * @TB_EXTEND_ERROR_FAILED: the plug-in failed
 * @TB_EXTEND_ERROR_INPUT: the input is damaged or of another format; names the file, the place and
 *   what was expected
 *
 * The errors of plug-ins. A message is one line: what happened, what follows, what to do.
 */
typedef enum
{
  TB_EXTEND_ERROR_USAGE,
  TB_EXTEND_ERROR_UNAVAILABLE,
  TB_EXTEND_ERROR_FAILED,
  TB_EXTEND_ERROR_INPUT,
} TbExtendError;

G_END_DECLS
