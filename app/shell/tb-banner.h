/* tb-banner.h: text of a banner, which assistive technology reads only while the banner is shown
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#pragma once

#include <adwaita.h>

G_BEGIN_DECLS

/* Shows the banner with the text; NULL hides it. */
void tb_banner_set_text (AdwBanner *banner, const char *text);

G_END_DECLS
