/* tb-duration.h: parser of durations with units, such as "1.5 ms", into ns
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#pragma once

#include <glib.h>

#include "base/tb-export.h"

G_BEGIN_DECLS

/**
 * TbDurationError:
 * @TB_DURATION_OK: no error
 * @TB_DURATION_MALFORMED: not a number with a unit of time
 * @TB_DURATION_TOO_LONG: longer than 2⁶³ ns, about 292 years
 *
 * Result of [func@Tailback.duration_parse].
 */
typedef enum
{
  TB_DURATION_OK,
  TB_DURATION_MALFORMED,
  TB_DURATION_TOO_LONG,
} TbDurationError;

TB_EXPORT TbDurationError tb_duration_parse (const char *text, gint64 *ns);

G_END_DECLS
