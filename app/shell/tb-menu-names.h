/* tb-menu-names.h: names of the items of menus for assistive technology
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#pragma once

#include <glib.h>

G_BEGIN_DECLS

void tb_menu_names_set_up (void);

G_END_DECLS
