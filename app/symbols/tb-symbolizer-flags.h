/* tb-symbolizer-flags.h: details that a symbolizer finds, and whether it tries again
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#pragma once

#include <glib.h>

G_BEGIN_DECLS

/**
 * TbSymbolizerFlags:
 * @TB_SYMBOLIZER_NONE: names only
 * @TB_SYMBOLIZER_INLINES: expand inline frames and find source lines from DWARF (slower)
 * @TB_SYMBOLIZER_RETRY: retry frames for which no name was found, as more files may be available
 *   now
 *
 * What a symbolizer finds besides names.
 */
typedef enum
{
  TB_SYMBOLIZER_NONE = 0,
  TB_SYMBOLIZER_INLINES = 1 << 0,
  TB_SYMBOLIZER_RETRY = 1 << 1,
} TbSymbolizerFlags;

G_END_DECLS
