/* tb-key-layout.c: whether plain characters are keys of figures
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#include "config.h"

#include <string.h>

#include "shell/commands/tb-key-layout.h"

#define KEY_SETTINGS "tb-settings"

/* They zoom the figure that has the focus, as elsewhere; all others are letters and signs that a slip of the hand, or a
 * program that types what was spoken, may send (WCAG 2.1.4, Character Key Shortcuts). */
#define KEPT "+-=0"

static gboolean
is_character (guint key, GdkModifierType state)
{
  gunichar c = gdk_keyval_to_unicode (key);

  return (state & (GDK_CONTROL_MASK | GDK_ALT_MASK | GDK_SUPER_MASK | GDK_META_MASK)) == 0
         && g_unichar_isgraph (c) && !(c < 128 && strchr (KEPT, (int) c) != NULL);
}

/* What is typed is typed, also into a menu or a list that is open. */
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
pressed (GtkEventControllerKey *controller, guint key, guint code, GdkModifierType state, GtkWidget *widget)
{
  GSettings *settings = g_object_get_data (G_OBJECT (widget), KEY_SETTINGS);

  return g_settings_get_enum (settings, "key-layout") == TB_KEY_LAYOUT_ARROWS && is_character (key, state)
         && !is_typing (widget);
}

/**
 * tb_key_layout_attach:
 * @widget: what has figures
 *
 * Makes the preference for keys hold below @widget: of the layout without letters, what is bound to a plain character
 * there does not get it. All of that has another key or is among the commands.
 */
void
tb_key_layout_attach (GtkWidget *widget)
{
  GtkEventController *keys = gtk_event_controller_key_new ();

  g_return_if_fail (GTK_IS_WIDGET (widget));

  g_object_set_data_full (G_OBJECT (widget), KEY_SETTINGS, g_settings_new (TAILBACK_APP_ID), g_object_unref);
  /* Before any figure. */
  gtk_event_controller_set_propagation_phase (keys, GTK_PHASE_CAPTURE);
  g_signal_connect_object (keys, "key-pressed", G_CALLBACK (pressed), widget, G_CONNECT_DEFAULT);
  gtk_widget_add_controller (widget, keys);
}
