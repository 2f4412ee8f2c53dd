/* tb-dwarf-functions-private.h: functions, inlined ones too, and source lines of DWARF compilation units
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#pragma once

#include <elfutils/libdwfl.h>
#include <glib.h>

#include "session/tb-entities.h"

G_BEGIN_DECLS

typedef struct _TbDwarfFunctions TbDwarfFunctions;

/* The strings it hands out live as long as it and the module. */
TbDwarfFunctions *tb_dwarf_functions_new (Dwfl_Module *module);
void tb_dwarf_functions_free (TbDwarfFunctions *self);

/* Appends what covers the address, innermost first (see TbFrameName), to names. FALSE if DWARF knows no function there. */
gboolean tb_dwarf_functions_find (TbDwarfFunctions *self, guint64 address, GArray *names);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (TbDwarfFunctions, tb_dwarf_functions_free)

G_END_DECLS
