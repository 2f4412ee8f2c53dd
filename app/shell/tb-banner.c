/* tb-banner.c: text of a banner, which assistive technology reads only while the banner is shown
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#include "config.h"

#include "shell/tb-banner.h"

/**
 * tb_banner_set_text:
 * @banner: a banner
 * @text: (nullable): its title; %NULL hides the banner
 *
 * A banner that is only not revealed keeps its label and button in the tree of accessible widgets.
 */
void
tb_banner_set_text (AdwBanner *banner, const char *text)
{
  adw_banner_set_title (banner, text != NULL ? text : "");
  gtk_widget_set_visible (GTK_WIDGET (banner), text != NULL);
  adw_banner_set_revealed (banner, text != NULL);
}
