/* tb-module-symbols-private.h: where the names of each module come from, as the symbolizer finds
 * it: structure, saved in a session and loaded from it
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#pragma once

#include "symbols/tb-module-symbols.h"

G_BEGIN_DECLS

/* What a symbolizer found out about a module. A module that it did not look at has no entry. */
typedef struct
{
  TbSymbolReason reason;
  gboolean is_unverified;
  char *file;
  char *detail;
  char *supplement; /* build ID of a supplementary debug file that is missing */
  guint n_reused;   /* addresses that several functions had, one after another */
} TbSymbolSource;

void tb_symbol_source_free (TbSymbolSource *self);

/* (transfer full) (element-type guint32 TbSymbolSource): what is stored in the session, by module
 * id. */
GHashTable *tb_symbol_sources_load (TbSession *session);
gboolean tb_symbol_sources_save (GHashTable *sources, TbSession *session, GError **error);

G_END_DECLS
