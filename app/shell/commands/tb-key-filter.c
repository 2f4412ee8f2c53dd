/* tb-key-filter.c: filter of key presses, which withholds single characters from figures if a
 * preference turns these keys off
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#include "config.h"

#include <string.h>

#include "shell/commands/tb-key-filter.h"

#define KEY_SETTINGS "tb-settings"

/* These zoom the focused figure, as in other applications. All other characters may be sent by
 * accident, or by speech input (WCAG 2.1.4, Character Key Shortcuts). */
#define ZOOM_KEYS "+-=0"

static gboolean
is_character (guint key, GdkModifierType state)
{
  gunichar c = gdk_keyval_to_unicode (key);

  return (state & (GDK_CONTROL_MASK | GDK_ALT_MASK | GDK_SUPER_MASK | GDK_META_MASK)) == 0
         && g_unichar_isgraph (c) && !(c < 128 && strchr (ZOOM_KEYS, (int) c) != NULL);
}

/* Typing is never blocked, not even in an open menu or list. */
static gboolean
is_typing (GtkWidget *widget)
{
  GtkRoot *root = gtk_widget_get_root (widget);
  GtkWidget *focus = root != NULL ? gtk_root_get_focus (root) : NULL;

  return focus != NULL
         && (GTK_IS_EDITABLE (focus) || GTK_IS_TEXT_VIEW (focus)
             || gtk_widget_get_native (focus) != GTK_NATIVE (root));
}

static gboolean
pressed (GtkEventControllerKey *controller,
         guint key,
         guint code,
         GdkModifierType state,
         GtkWidget *widget)
{
  GSettings *settings = g_object_get_data (G_OBJECT (widget), KEY_SETTINGS);

  return g_settings_get_enum (settings, "key-layout") == TB_KEY_LAYOUT_ARROWS
         && is_character (key, state) && !is_typing (widget);
}

/**
 * tb_key_filter_attach:
 * @widget: a widget that contains figures
 *
 * Applies the preference for keys below @widget. In the layout without letters, bindings to single
 * characters do not receive the key. Each of these has another key or is in the command palette.
 */
void
tb_key_filter_attach (GtkWidget *widget)
{
  GtkEventController *keys = gtk_event_controller_key_new ();

  g_return_if_fail (GTK_IS_WIDGET (widget));

  g_object_set_data_full (G_OBJECT (widget), KEY_SETTINGS, g_settings_new (TAILBACK_SETTINGS_ID),
                          g_object_unref);
  /* In the capture phase, before any figure gets the key. */
  gtk_event_controller_set_propagation_phase (keys, GTK_PHASE_CAPTURE);
  g_signal_connect_object (keys, "key-pressed", G_CALLBACK (pressed), widget, G_CONNECT_DEFAULT);
  gtk_widget_add_controller (widget, keys);
}
