/* tb-events-csv-plugin.c: entry point of the plug-in that imports events as CSV
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#include "config.h"

#include <libpeas.h>

#include "tb-events-csv-importer.h"

G_MODULE_EXPORT void peas_register_types (PeasObjectModule *module);

G_MODULE_EXPORT void
peas_register_types (PeasObjectModule *module)
{
  peas_object_module_register_extension_type (module, TB_TYPE_IMPORTER,
                                              TB_TYPE_EVENTS_CSV_IMPORTER);
}
