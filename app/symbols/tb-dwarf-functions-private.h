/* tb-dwarf-functions-private.h: functions, inlined functions and source lines at an address, from
 * the DWARF debug information of an ELF file, also where that is split (.dwo, .dwp); each
 * compilation unit is read at its first look-up
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#pragma once

#include <elfutils/libdwfl.h>
#include <glib.h>

#include "session/schema/tb-entities.h"

G_BEGIN_DECLS

typedef struct _TbDwarfFunctions TbDwarfFunctions;

/* Strings of the result are valid as long as both this object and the module. */
TbDwarfFunctions *tb_dwarf_functions_new (Dwfl_Module *module);
void tb_dwarf_functions_free (TbDwarfFunctions *self);

/* Appends the functions that contain the address to names, innermost first (see TbFrameName).
 * Returns FALSE if DWARF has no function there. */
gboolean tb_dwarf_functions_find (TbDwarfFunctions *self, guint64 address, GArray *names);

/* Whether units that were read are split: their functions are in other files than the module and
 * its debug file. */
gboolean tb_dwarf_functions_use_other_files (TbDwarfFunctions *self);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (TbDwarfFunctions, tb_dwarf_functions_free)

G_END_DECLS
