/* tb-widgets.c: functions shared by the widgets: style sheet, redrawing after changes of style or
 * palette, contrast, announcements to screen readers, arrow keys, tooltips
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#include "config.h"

#include "widgets/tb-widgets-private.h"

#include <adwaita.h>

void
tb_widgets_load_style (void)
{
  static gboolean loaded;
  g_autoptr (GtkCssProvider) provider = NULL;
  GdkDisplay *display = gdk_display_get_default ();

  if (loaded || display == NULL)
    return;
  loaded = TRUE;
  provider = gtk_css_provider_new ();
  gtk_css_provider_load_from_resource (provider, "/org/tailback/widgets/tb-widgets.css");
  gtk_style_context_add_provider_for_display (display, GTK_STYLE_PROVIDER (provider),
                                              GTK_STYLE_PROVIDER_PRIORITY_APPLICATION - 1);
}

/* A counter of palette changes, as the state of an action. Widgets connect to its changes. */
static GSimpleAction *
get_choice (void)
{
  static GSimpleAction *choice;

  if (choice == NULL)
    choice = g_simple_action_new_stateful ("palette", NULL, g_variant_new_uint32 (0));
  return choice;
}

void
tb_widgets_style_changed (void)
{
  g_autoptr (GVariant) state = g_action_get_state (G_ACTION (get_choice ()));

  g_simple_action_set_state (get_choice (),
                             g_variant_new_uint32 (g_variant_get_uint32 (state) + 1));
}

void
tb_widgets_follow_style (GtkWidget *widget, GCallback redraw)
{
  AdwStyleManager *manager = adw_style_manager_get_default ();

  g_signal_connect_object (manager, "notify::dark", redraw, widget, G_CONNECT_SWAPPED);
  g_signal_connect_object (manager, "notify::high-contrast", redraw, widget, G_CONNECT_SWAPPED);
  g_signal_connect_object (get_choice (), "notify::state", redraw, widget, G_CONNECT_SWAPPED);
}

static void
update_contrast (GtkWidget *widget)
{
  if (adw_style_manager_get_high_contrast (adw_style_manager_get_default ()))
    gtk_widget_add_css_class (widget, "contrast");
  else
    gtk_widget_remove_css_class (widget, "contrast");
}

void
tb_widgets_follow_contrast (GtkWidget *widget)
{
  g_signal_connect_object (adw_style_manager_get_default (), "notify::high-contrast",
                           G_CALLBACK (update_contrast), widget, G_CONNECT_SWAPPED);
  update_contrast (widget);
}

void
tb_widgets_announce (GtkWidget *widget, const char *text)
{
  g_autoptr (GtkATContext) context = gtk_accessible_get_at_context (GTK_ACCESSIBLE (widget));

  /* GTK 4.18 crashes on announcements in the accessibility context of tests. */
  if (context == NULL || g_str_equal (G_OBJECT_TYPE_NAME (context), "GtkTestATContext"))
    return;
  gtk_accessible_announce (GTK_ACCESSIBLE (widget), text,
                           GTK_ACCESSIBLE_ANNOUNCEMENT_PRIORITY_MEDIUM);
}

void
tb_widgets_add_move_keys (GtkWidgetClass *widget_class, GtkShortcutFunc func, int up)
{
  const struct
  {
    guint key;
    guint keypad_key;
    int dx;
    int dy;
  } moves[] = { { GDK_KEY_Left, GDK_KEY_KP_Left, -1, 0 },
                { GDK_KEY_Right, GDK_KEY_KP_Right, 1, 0 },
                { GDK_KEY_Up, GDK_KEY_KP_Up, 0, up },
                { GDK_KEY_Down, GDK_KEY_KP_Down, 0, -up } };

  for (guint i = 0; i < G_N_ELEMENTS (moves); i++)
    {
      gtk_widget_class_add_binding (widget_class, moves[i].key, 0, func, "(ii)", moves[i].dx,
                                    moves[i].dy);
      gtk_widget_class_add_binding (widget_class, moves[i].keypad_key, 0, func, "(ii)", moves[i].dx,
                                    moves[i].dy);
    }
}

/* A tooltip shows text that is cut off. It is made only on request, because a tooltip for each row
 * that scrolls past would be expensive. */
static gboolean
on_query_tooltip (GtkWidget *label,
                  int x,
                  int y,
                  gboolean keyboard,
                  GtkTooltip *tooltip,
                  gpointer data)
{
  if (!pango_layout_is_ellipsized (gtk_label_get_layout (GTK_LABEL (label))))
    return FALSE;
  gtk_tooltip_set_text (tooltip, gtk_label_get_text (GTK_LABEL (label)));
  return TRUE;
}

void
tb_widgets_add_cut_tooltip (GtkWidget *label)
{
  gtk_widget_set_has_tooltip (label, TRUE);
  g_signal_connect (label, "query-tooltip", G_CALLBACK (on_query_tooltip), NULL);
}
