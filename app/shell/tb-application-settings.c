/* tb-application-settings.c: settings that concern the whole process: style, palette, debug files,
 * plug-ins
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#include "config.h"

#include <stdlib.h>

#include "extend/plugins/tb-engine.h"
#include "shell/tb-application-private.h"
#include "shell/window/tb-window.h"
#include "symbols/tb-symbol-folders.h"
#include "widgets/tb-palette.h"

static void
follow_style (TbApplication *self)
{
  static const AdwColorScheme schemes[]
      = { ADW_COLOR_SCHEME_DEFAULT, ADW_COLOR_SCHEME_FORCE_LIGHT, ADW_COLOR_SCHEME_FORCE_DARK };
  AdwColorScheme scheme = schemes[g_settings_get_enum (self->settings, "style")];

  if (tb_application_takes_screenshot (self))
    scheme = self->screenshot.dark ? ADW_COLOR_SCHEME_FORCE_DARK : ADW_COLOR_SCHEME_FORCE_LIGHT;
  adw_style_manager_set_color_scheme (adw_style_manager_get_default (), scheme);
}

static void
follow_palette (TbApplication *self)
{
  tb_palette_choose ((TbColorPalette) g_settings_get_enum (self->settings, "palette"));
}

/* Documents request debug files, too, where that is allowed now. */
static void
follow_debuginfod (TbApplication *self)
{
  for (GList *link = gtk_application_get_windows (GTK_APPLICATION (self)); link != NULL;
       link = link->next)
    if (TB_IS_WINDOW (link->data))
      tb_window_symbolize_again (link->data);
}

static void
follow_symbol_folders (TbApplication *self)
{
  g_auto (GStrv) folders = g_settings_get_strv (self->settings, "symbol-folders");

  tb_symbol_folders_set ((const char *const *) folders);
  follow_debuginfod (self);
}

static void
follow_plugins (TbApplication *self)
{
  g_auto (GStrv) names = g_settings_get_strv (self->settings, "disabled-plugins");

  tb_engine_set_disabled (tb_engine_get_default (), (const char *const *) names);
}

/* Applies the settings that concern the whole process, now and when they change. */
void
tb_application_follow_settings (TbApplication *self)
{
  static const struct
  {
    const char *signal;
    void (*follow) (TbApplication *self);
  } followed[] = {
    { "changed::style", follow_style },
    { "changed::palette", follow_palette },
    { "changed::symbol-folders", follow_symbol_folders },
    { "changed::debuginfod", follow_debuginfod },
    { "changed::debuginfod-servers", follow_debuginfod },
    { "changed::disabled-plugins", follow_plugins },
  };

  for (guint i = 0; i < G_N_ELEMENTS (followed); i++)
    {
      g_signal_connect_object (self->settings, followed[i].signal, G_CALLBACK (followed[i].follow),
                               self, G_CONNECT_SWAPPED);
      followed[i].follow (self);
    }
}
