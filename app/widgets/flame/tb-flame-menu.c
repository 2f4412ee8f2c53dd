/* tb-flame-menu.c: actions of a flame on its form (callers and callees of a function, hide a
 * module, restore), their keys and menus, and chips for what is in effect, each of which undoes it
 * when clicked
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#include "config.h"

#include <adwaita.h>
#include <glib/gi18n-lib.h>

#include "widgets/flame/tb-flame-view-private.h"

/* The selected node, or the node under the mouse, in the figure of its pane. */
static const TbFlameNode *
get_chosen (TbFlameView *self)
{
  TbFlamePane *pane = self->current != NULL ? self->current : self->panes[0];
  guint node = tb_flame_canvas_get_selected (tb_flame_pane_get_canvas (pane));

  return node != TB_ID_NONE ? tb_flame_figure_get_node (tb_flame_pane_get_figure (pane), node)
                            : NULL;
}

static void
choose_function (TbFlameView *self, gboolean sandwich)
{
  const TbFlameNode *node = get_chosen (self);

  if (node == NULL)
    {
      gtk_widget_error_bell (GTK_WIDGET (self));
      return;
    }
  g_set_str (&self->form.function, node->name);
  g_set_str (&self->form.module, node->module);
  self->form.sandwich = sandwich;
  self->form.inverted = FALSE;
  tb_flame_view_update_form (self);
}

static void
on_sandwich (GtkWidget *widget, const char *action, GVariant *parameter)
{
  choose_function (TB_FLAME_VIEW (widget), TRUE);
}

static void
on_focus_function (GtkWidget *widget, const char *action, GVariant *parameter)
{
  choose_function (TB_FLAME_VIEW (widget), FALSE);
}

static void
on_hide_module (GtkWidget *widget, const char *action, GVariant *parameter)
{
  TbFlameView *self = TB_FLAME_VIEW (widget);
  const TbFlameNode *node = get_chosen (self);

  if (node == NULL || *node->module == '\0')
    gtk_widget_error_bell (widget);
  else
    tb_flame_view_hide_module (self, node->module);
}

static void
on_reset (GtkWidget *widget, const char *action, GVariant *parameter)
{
  tb_flame_view_reset (TB_FLAME_VIEW (widget));
}

static void
bring_back_function (GtkButton *button, TbFlameView *self)
{
  g_clear_pointer (&self->form.function, g_free);
  g_clear_pointer (&self->form.module, g_free);
  self->form.sandwich = FALSE;
  tb_flame_view_update_form (self);
}

static void
bring_back_module (GtkButton *button, TbFlameView *self)
{
  const char *module = g_object_get_data (G_OBJECT (button), "tb-module");
  guint index;

  if (g_ptr_array_find_with_equal_func (self->form.hidden, module, g_str_equal, &index))
    g_ptr_array_remove_index (self->form.hidden, index);
  tb_flame_view_update_form (self);
}

static void
bring_back_recursion (GtkButton *button, TbFlameView *self)
{
  self->form.collapse_recursion = FALSE;
  g_object_notify (G_OBJECT (self), "collapse-recursion");
  tb_flame_view_update_form (self);
}

static GtkWidget *
add_chip (TbFlameView *self, const char *text, GCallback bring_back)
{
  GtkWidget *button = gtk_button_new (), *box = gtk_box_new (GTK_ORIENTATION_HORIZONTAL, 6);
  GtkWidget *label = gtk_label_new (text);

  gtk_label_set_ellipsize (GTK_LABEL (label), PANGO_ELLIPSIZE_MIDDLE);
  gtk_label_set_max_width_chars (GTK_LABEL (label), 40);
  gtk_box_append (GTK_BOX (box), label);
  gtk_box_append (GTK_BOX (box), gtk_image_new_from_icon_name ("window-close-symbolic"));
  gtk_button_set_child (GTK_BUTTON (button), box);
  gtk_widget_set_tooltip_text (button, _ ("Show all again"));
  gtk_accessible_update_property (GTK_ACCESSIBLE (button), GTK_ACCESSIBLE_PROPERTY_LABEL, text, -1);
  g_signal_connect_object (button, "clicked", bring_back, self, 0);
  adw_wrap_box_append (ADW_WRAP_BOX (self->chips), button);
  return button;
}

void
tb_flame_view_update_chips (TbFlameView *self)
{
  const TbFlameForm *form = &self->form;
  GtkWidget *child;

  while ((child = gtk_widget_get_first_child (self->chips)) != NULL)
    adw_wrap_box_remove (ADW_WRAP_BOX (self->chips), child);
  if (form->function != NULL)
    {
      /* Translators: in a flame: only one function, with its callers and callees, or only its
       * callees. */
      g_autofree char *text
          = g_strdup_printf (form->sandwich ? _ ("Callers and Callees of %s") : _ ("Only %s"),
                             form->function);

      add_chip (self, text, G_CALLBACK (bring_back_function));
    }
  for (guint i = 0; form->hidden != NULL && i < form->hidden->len; i++)
    {
      const char *module = g_ptr_array_index (form->hidden, i);
      /* Translators: in a flame: functions of a module are left out. */
      g_autofree char *text = g_strdup_printf (_ ("Without %s"), module);
      GtkWidget *chip = add_chip (self, text, G_CALLBACK (bring_back_module));

      g_object_set_data_full (G_OBJECT (chip), "tb-module", g_strdup (module), g_free);
    }
  if (form->collapse_recursion)
    add_chip (self, _ ("Recursion Collapsed"), G_CALLBACK (bring_back_recursion));
  gtk_widget_set_visible (self->chips, gtk_widget_get_first_child (self->chips) != NULL);
}

void
tb_flame_view_update_actions (TbFlameView *self)
{
  GtkWidget *widget = GTK_WIDGET (self);
  const TbFlameNode *node = self->panes[0] != NULL ? get_chosen (self) : NULL;

  gtk_widget_action_set_enabled (widget, "flame.sandwich", node != NULL);
  gtk_widget_action_set_enabled (widget, "flame.focus-function", node != NULL);
  gtk_widget_action_set_enabled (widget, "flame.hide-module",
                                 node != NULL && *node->module != '\0');
  gtk_widget_action_set_enabled (widget, "flame.reset", !tb_flame_form_is_plain (self));
  gtk_widget_action_set_enabled (widget, "flame.merged", self->lens != NULL);
  gtk_widget_action_set_enabled (widget, "flame.swapped",
                                 tb_flame_figure_get_base (self->figure, NULL));
}

static GMenuModel *
make_menu (TbFlameView *self)
{
  GMenu *menu = g_menu_new ();
  g_autoptr (GMenu) form = g_menu_new ();
  g_autoptr (GMenu) function = g_menu_new ();
  g_autoptr (GMenu) last = g_menu_new ();

  if (self->lens != NULL)
    g_menu_append (form, _ ("Merge _Equal Calls"), "flame.merged");
  g_menu_append (form, _ ("_Inverted: Callers of Each Function"), "flame.inverted");
  g_menu_append (form, _ ("Callers on _Top"), "flame.icicle");
  g_menu_append (form, _ ("Sort by _Name"), "flame.by-name");
  g_menu_append (form, _ ("Collapse _Recursion"), "flame.collapse-recursion");
  if (tb_flame_figure_get_base (self->figure, NULL))
    g_menu_append (form, _ ("_Widths of the Base"), "flame.swapped");
  g_menu_append (function, _ ("C_allers and Callees of This Function"), "flame.sandwich");
  g_menu_append (function, _ ("_Only What It Calls"), "flame.focus-function");
  g_menu_append (function, _ ("_Hide Its Module"), "flame.hide-module");
  g_menu_append (last, _ ("Re_store the Original View"), "flame.reset");
  g_menu_append_section (menu, NULL, G_MENU_MODEL (form));
  g_menu_append_section (menu, NULL, G_MENU_MODEL (function));
  g_menu_append_section (menu, NULL, G_MENU_MODEL (last));
  return G_MENU_MODEL (menu);
}

GtkWidget *
tb_flame_view_make_menu_button (TbFlameView *self)
{
  g_autoptr (GMenuModel) menu = make_menu (self);
  GtkWidget *button = gtk_menu_button_new ();

  gtk_menu_button_set_menu_model (GTK_MENU_BUTTON (button), menu);
  gtk_menu_button_set_label (GTK_MENU_BUTTON (button), _ ("View"));
  gtk_menu_button_set_direction (GTK_MENU_BUTTON (button), GTK_ARROW_UP);
  gtk_widget_add_css_class (button, "flat");
  gtk_widget_set_tooltip_text (button, _ ("View of the flame"));
  return button;
}

static void
popup_at (TbFlameView *self, double x, double y)
{
  g_autoptr (GMenuModel) menu = make_menu (self);
  GtkWidget *popover = gtk_popover_menu_new_from_model (menu);

  gtk_widget_set_parent (popover, self->overlay);
  gtk_popover_set_has_arrow (GTK_POPOVER (popover), FALSE);
  gtk_widget_set_halign (popover, GTK_ALIGN_START);
  gtk_popover_set_pointing_to (GTK_POPOVER (popover), &(GdkRectangle) { (int) x, (int) y, 1, 1 });
  g_signal_connect (popover, "closed", G_CALLBACK (gtk_widget_unparent), NULL);
  gtk_popover_popup (GTK_POPOVER (popover));
}

/* from: the widget that x and y are relative to */
static void
choose_at (TbFlameView *self, GtkWidget *from, double x, double y)
{
  for (guint i = 0; i < TB_FLAME_PANES && self->panes[i] != NULL; i++)
    {
      TbFlameCanvas *canvas = tb_flame_pane_get_canvas (self->panes[i]);
      graphene_point_t point;
      guint node;

      if (!gtk_widget_compute_point (from, GTK_WIDGET (canvas),
                                     &GRAPHENE_POINT_INIT ((float) x, (float) y), &point))
        continue;
      node = tb_flame_canvas_get_node_at (canvas, point.x, point.y);
      if (node == TB_ID_NONE || !gtk_widget_contains (GTK_WIDGET (canvas), point.x, point.y))
        continue;
      self->current = self->panes[i];
      tb_flame_canvas_select (canvas, node);
    }
}

void
tb_flame_view_select_at (TbFigureView *view, double x, double y)
{
  choose_at (TB_FLAME_VIEW (view), GTK_WIDGET (view), x, y);
}

/* A secondary click first selects the box under it. */
static void
on_secondary (GtkGestureClick *gesture, int n_press, double x, double y, TbFlameView *self)
{
  choose_at (self, self->overlay, x, y);
  popup_at (self, x, y);
}

static void
on_menu_key (GtkWidget *widget, const char *action, GVariant *parameter)
{
  TbFlameView *self = TB_FLAME_VIEW (widget);
  TbFlameCanvas *canvas
      = tb_flame_pane_get_canvas (self->current != NULL ? self->current : self->panes[0]);
  graphene_rect_t bounds = GRAPHENE_RECT_INIT (20, 20, 0, 0);
  guint node = tb_flame_canvas_get_selected (canvas);
  graphene_point_t point;

  if (node != TB_ID_NONE)
    tb_flame_canvas_get_box (canvas, node, &bounds);
  if (gtk_widget_compute_point (GTK_WIDGET (canvas), self->overlay, &bounds.origin, &point))
    popup_at (self, point.x + MIN (bounds.size.width / 2, 40), point.y + bounds.size.height);
}

void
tb_flame_view_add_context_menu (TbFlameView *self)
{
  GtkGesture *click = gtk_gesture_click_new ();

  gtk_gesture_single_set_button (GTK_GESTURE_SINGLE (click), GDK_BUTTON_SECONDARY);
  g_signal_connect (click, "pressed", G_CALLBACK (on_secondary), self);
  gtk_widget_add_controller (self->overlay, GTK_EVENT_CONTROLLER (click));
}

void
tb_flame_view_class_add_actions (GtkWidgetClass *widget_class)
{
  static const struct
  {
    guint key;
    GdkModifierType state;
    const char *action;
  } keys[] = {
    { GDK_KEY_e, 0, "flame.merged" }, /* M adds a bookmark, in the whole application */
    { GDK_KEY_i, 0, "flame.inverted" },    { GDK_KEY_t, 0, "flame.icicle" },
    { GDK_KEY_n, 0, "flame.by-name" },     { GDK_KEY_r, 0, "flame.collapse-recursion" },
    { GDK_KEY_x, 0, "flame.sandwich" },    { GDK_KEY_o, 0, "flame.focus-function" },
    { GDK_KEY_h, 0, "flame.hide-module" }, { GDK_KEY_r, GDK_SHIFT_MASK, "flame.reset" },
    { GDK_KEY_Menu, 0, "flame.menu" },     { GDK_KEY_F10, GDK_SHIFT_MASK, "flame.menu" },
  };

  gtk_widget_class_install_property_action (widget_class, "flame.merged", "merged");
  gtk_widget_class_install_property_action (widget_class, "flame.inverted", "inverted");
  gtk_widget_class_install_property_action (widget_class, "flame.icicle", "icicle");
  gtk_widget_class_install_property_action (widget_class, "flame.by-name", "by-name");
  gtk_widget_class_install_property_action (widget_class, "flame.collapse-recursion",
                                            "collapse-recursion");
  gtk_widget_class_install_property_action (widget_class, "flame.swapped", "swapped");
  gtk_widget_class_install_action (widget_class, "flame.sandwich", NULL, on_sandwich);
  gtk_widget_class_install_action (widget_class, "flame.focus-function", NULL, on_focus_function);
  gtk_widget_class_install_action (widget_class, "flame.hide-module", NULL, on_hide_module);
  gtk_widget_class_install_action (widget_class, "flame.reset", NULL, on_reset);
  gtk_widget_class_install_action (widget_class, "flame.menu", NULL, on_menu_key);
  for (guint i = 0; i < G_N_ELEMENTS (keys); i++)
    gtk_widget_class_add_binding_action (widget_class, keys[i].key, keys[i].state, keys[i].action,
                                         NULL);
}
