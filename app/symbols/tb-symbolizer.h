/* tb-symbolizer.h: symbolizer: choice of the source of names for each module of a session
 * (kallsyms, ELF file, perf map, JIT dump, names in the recording), naming of its nameless frames
 * in batches, most used modules first; where names are from is stored
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#pragma once

#include "session/file/tb-session.h"
#include "symbols/tb-symbol-prefetch.h"
#include "symbols/tb-symbolizer-flags.h"

G_BEGIN_DECLS

#define TB_TYPE_SYMBOLIZER (tb_symbolizer_get_type ())
TB_EXPORT
G_DECLARE_FINAL_TYPE (TbSymbolizer, tb_symbolizer, TB, SYMBOLIZER, GObject)

/**
 * TbSymbolizerProgress:
 * @named: addresses that have a name
 * @total: addresses in the session
 * @data: user data
 *
 * Receives the progress of [method@Tailback.Symbolizer.run], in the thread that runs it.
 */
typedef void (*TbSymbolizerProgress) (guint named, guint total, gpointer data);

TB_EXPORT TbSymbolizer *tb_symbolizer_new (TbSession *session, TbSymbolizerFlags flags);
TB_EXPORT void tb_symbolizer_set_prefetch (TbSymbolizer *self, TbSymbolPrefetch *prefetch);
TB_EXPORT gboolean tb_symbolizer_run (TbSymbolizer *self,
                                      TbSymbolizerProgress progress,
                                      gpointer data,
                                      GCancellable *cancellable,
                                      GError **error);
TB_EXPORT const char *const *tb_symbolizer_get_problems (TbSymbolizer *self);

G_END_DECLS
