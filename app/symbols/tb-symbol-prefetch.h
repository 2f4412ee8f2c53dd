/* tb-symbol-prefetch.h: files with the names of functions, read in a thread while the recording
 * that needs them is imported, for the symbolizer
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#pragma once

#include "session/recorder/tb-recorder.h"
#include "symbols/tb-symbolizer-flags.h"

G_BEGIN_DECLS

#define TB_TYPE_SYMBOL_PREFETCH (tb_symbol_prefetch_get_type ())
TB_EXPORT
G_DECLARE_FINAL_TYPE (TbSymbolPrefetch, tb_symbol_prefetch, TB, SYMBOL_PREFETCH, GObject)

TB_EXPORT TbSymbolPrefetch *tb_symbol_prefetch_new (TbRecorder *recorder, TbSymbolizerFlags flags);

G_END_DECLS
