/* tb-plugin.h: exceptions of plug-ins in other languages, which become their errors
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#pragma once

#include <glib.h>

#include "base/tb-export.h"

G_BEGIN_DECLS

TB_EXPORT void tb_plugin_set_exception (const char *text);

G_END_DECLS
