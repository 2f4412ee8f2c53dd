/* tb-figure-menu.c: context menu of figures: commands for the item at the pointer, else for the
 * selected item, those of the figure's own view, and report actions whose labels the page of the
 * analysis sets
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#include "config.h"

#include <glib/gi18n.h>

#include "shell/commands/tb-figure-commands.h"
#include "shell/document/tb-figure-menu.h"
#include "widgets/tb-figure-view.h"

#define MENU_RESOURCE "/org/tailback/Tailback/tb-figure-menu.ui"
#define KEY_POPOVER "tb-figure-menu"
#define KEY_ACTIONS "tb-figure-menu-actions"
#define KEY_COMMANDS "tb-figure-menu-doing"
#define KEY_VIEW "tb-figure-menu-view"

/* Selects the item under the pointer, so that the menu refers to it. */
static void
select_at (GtkWidget *figures, double x, double y)
{
  GtkWidget *picked = gtk_widget_pick (figures, x, y, GTK_PICK_DEFAULT);
  GtkWidget *view = picked != NULL ? gtk_widget_get_ancestor (picked, TB_TYPE_FIGURE_VIEW) : NULL;
  graphene_point_t point = GRAPHENE_POINT_INIT ((float) x, (float) y);

  if (view != NULL && gtk_widget_compute_point (figures, view, &point, &point))
    tb_figure_view_select_at (TB_FIGURE_VIEW (view), point.x, point.y);
}

/* The function that returns the visible view. */
typedef struct
{
  TbFigureMenuGetView get_view;
  gpointer data;
} ViewSource;

/* Returns the visible view: (nullable) */
static GtkWidget *
find_view (GtkWidget *figures)
{
  const ViewSource *source = g_object_get_data (G_OBJECT (figures), KEY_VIEW);

  return source->get_view (source->data);
}

/* Adds the commands of the view, as in the command palette. */
static void
add_commands (GtkWidget *figures)
{
  GMenu *commands_menu = g_object_get_data (G_OBJECT (figures), KEY_COMMANDS);
  g_autoptr (GMenu) menu = g_menu_new ();
  GtkWidget *view = find_view (figures);
  guint n;
  const TbFigureCommand *commands = tb_figure_commands_get (&n);

  g_menu_remove_all (commands_menu);
  for (guint i = 0; i < n; i++)
    if (commands[i].title != NULL && tb_figure_command_applies_to (&commands[i], view)
        && tb_figure_command_is_enabled (&commands[i], view))
      {
        g_autoptr (GMenuItem) item
            = g_menu_item_new (tb_figure_command_get_label (&commands[i]), NULL);

        g_menu_item_set_action_and_target (item, "figure.do", "s", commands[i].action);
        if (commands[i].keys != NULL)
          g_menu_item_set_attribute (item, "accel", "s", commands[i].keys);
        g_menu_append_item (menu, item);
      }
  if (g_menu_model_get_n_items (G_MENU_MODEL (menu)) > 0)
    g_menu_append_submenu (commands_menu, _ ("In This _Figure"), G_MENU_MODEL (menu));
}

static void
do_action (GSimpleAction *action, GVariant *parameter, gpointer figures)
{
  GtkWidget *view = find_view (figures);
  g_autofree char *name = NULL;
  g_autoptr (GVariant) target = NULL;

  if (view != NULL
      && g_action_parse_detailed_name (g_variant_get_string (parameter, NULL), &name, &target,
                                       NULL))
    gtk_widget_activate_action_variant (view, name, target);
}

static void
add_actions (GtkWidget *figures)
{
  static const GActionEntry entries[] = { { "do", do_action, "s" } };
  g_autoptr (GSimpleActionGroup) group = g_simple_action_group_new ();

  g_action_map_add_action_entries (G_ACTION_MAP (group), entries, G_N_ELEMENTS (entries), figures);
  gtk_widget_insert_action_group (figures, "figure", G_ACTION_GROUP (group));
}

static void
pop_up (GtkWidget *figures, double x, double y)
{
  GtkPopover *popover = g_object_get_data (G_OBJECT (figures), KEY_POPOVER);

  add_commands (figures);
  gtk_popover_set_pointing_to (popover, &(GdkRectangle) { (int) x, (int) y, 1, 1 });
  gtk_popover_popup (popover);
}

static void
open_menu_at (GtkGesture *gesture, double x, double y, GtkWidget *figures)
{
  gtk_gesture_set_state (gesture, GTK_EVENT_SEQUENCE_CLAIMED);
  select_at (figures, x, y);
  pop_up (figures, x, y);
}

static void
clicked (GtkGesture *gesture, int n_press, double x, double y, GtkWidget *figures)
{
  open_menu_at (gesture, x, y, figures);
}

/* From the keyboard, the menu refers to the selected item. */
static gboolean
key_pressed (GtkWidget *figures, GVariant *arguments, gpointer data)
{
  pop_up (figures, gtk_widget_get_width (figures) / 2., gtk_widget_get_height (figures) / 2.);
  return GDK_EVENT_STOP;
}

static void
add_shortcut (GtkShortcutController *controller, guint key, GdkModifierType modifiers)
{
  gtk_shortcut_controller_add_shortcut (controller,
                                        gtk_shortcut_new (gtk_keyval_trigger_new (key, modifiers),
                                                          gtk_callback_action_new (key_pressed,
                                                                                   NULL, NULL)));
}

/**
 * tb_figure_menu_attach:
 * @figures: a widget with views of figures
 * @get_view: returns the visible view, to which the commands apply
 * @data: data of @get_view, which outlives @figures
 *
 * Adds a context menu, opened by the secondary button, a long press, the menu key or Shift+F10.
 * Call tb_figure_menu_detach() before the widget is destroyed.
 */
void
tb_figure_menu_attach (GtkWidget *figures, TbFigureMenuGetView get_view, gpointer data)
{
  g_autoptr (GtkBuilder) builder = gtk_builder_new_from_resource (MENU_RESOURCE);
  GMenuModel *model = G_MENU_MODEL (gtk_builder_get_object (builder, "figure_menu"));
  GtkWidget *popover = gtk_popover_menu_new_from_model (model);
  GtkGesture *click = gtk_gesture_click_new (), *hold = gtk_gesture_long_press_new ();
  GtkEventController *keys = gtk_shortcut_controller_new ();
  ViewSource *source = g_new (ViewSource, 1);

  g_return_if_fail (g_object_get_data (G_OBJECT (figures), KEY_POPOVER) == NULL);

  *source = (ViewSource) { get_view, data };
  g_object_set_data_full (G_OBJECT (figures), KEY_VIEW, source, g_free);
  gtk_widget_set_parent (popover, figures);
  gtk_popover_set_has_arrow (GTK_POPOVER (popover), FALSE);
  gtk_widget_set_halign (popover, GTK_ALIGN_START);
  g_object_set_data (G_OBJECT (figures), KEY_POPOVER, popover);
  g_object_set_data_full (G_OBJECT (figures), KEY_ACTIONS,
                          g_object_ref (gtk_builder_get_object (builder, "actions")),
                          g_object_unref);
  g_object_set_data_full (G_OBJECT (figures), KEY_COMMANDS,
                          g_object_ref (gtk_builder_get_object (builder, "commands")),
                          g_object_unref);
  add_actions (figures);

  gtk_gesture_single_set_button (GTK_GESTURE_SINGLE (click), GDK_BUTTON_SECONDARY);
  gtk_event_controller_set_propagation_phase (GTK_EVENT_CONTROLLER (click), GTK_PHASE_CAPTURE);
  g_signal_connect_object (click, "pressed", G_CALLBACK (clicked), figures, 0);
  gtk_widget_add_controller (figures, GTK_EVENT_CONTROLLER (click));
  gtk_gesture_single_set_touch_only (GTK_GESTURE_SINGLE (hold), TRUE);
  g_signal_connect_object (hold, "pressed", G_CALLBACK (open_menu_at), figures, 0);
  gtk_widget_add_controller (figures, GTK_EVENT_CONTROLLER (hold));
  add_shortcut (GTK_SHORTCUT_CONTROLLER (keys), GDK_KEY_Menu, GDK_NO_MODIFIER_MASK);
  add_shortcut (GTK_SHORTCUT_CONTROLLER (keys), GDK_KEY_F10, GDK_SHIFT_MASK);
  gtk_widget_add_controller (figures, keys);
}

static void
append (GMenu *menu, const char *label, const char *action)
{
  g_autoptr (GString) text = g_string_new (label);

  /* An underscore in a label is not a mnemonic. */
  g_string_replace (text, "_", "__", 0);
  if (label != NULL)
    g_menu_append (menu, text->str, action);
}

/**
 * tb_figure_menu_set_actions:
 * @figures: a widget with a context menu
 * @assertion: (nullable): label of the statement that analysis.assert asserts or retracts for the
 *   selected item
 * @recording: (nullable): label of the new recording that analysis.record makes for the selected
 *   item
 */
void
tb_figure_menu_set_actions (GtkWidget *figures, const char *assertion, const char *recording)
{
  GMenu *menu = g_object_get_data (G_OBJECT (figures), KEY_ACTIONS);

  if (menu == NULL)
    return;
  g_menu_remove_all (menu);
  append (menu, assertion, "analysis.assert");
  append (menu, recording, "analysis.record");
}

void
tb_figure_menu_detach (GtkWidget *figures)
{
  GtkWidget *popover = g_object_steal_data (G_OBJECT (figures), KEY_POPOVER);

  gtk_widget_insert_action_group (figures, "figure", NULL);
  if (popover != NULL)
    gtk_widget_unparent (popover);
}
