/* tb-preflight-group.c: group of rows with the preflight results of a collector: what does not work
 * on this computer, what works with a remark, what works
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#include "config.h"

#include <glib/gi18n.h>

#include "shell/recording/tb-preflight-group.h"

struct _TbPreflightGroup
{
  AdwPreferencesGroup parent;

  GPtrArray *rows; /* GtkWidget: rows added to the group, except the last one */
  GtkWidget *spinner;
  GtkWidget *icon;
  AdwExpanderRow *works; /* works without a remark */
  GPtrArray *working;    /* GtkWidget: its rows */
};

G_DEFINE_FINAL_TYPE (TbPreflightGroup, tb_preflight_group, ADW_TYPE_PREFERENCES_GROUP)

static void
tb_preflight_group_dispose (GObject *object)
{
  TbPreflightGroup *self = TB_PREFLIGHT_GROUP (object);

  g_clear_pointer (&self->rows, g_ptr_array_unref);
  g_clear_pointer (&self->working, g_ptr_array_unref);
  G_OBJECT_CLASS (tb_preflight_group_parent_class)->dispose (object);
}

static void
tb_preflight_group_class_init (TbPreflightGroupClass *klass)
{
  G_OBJECT_CLASS (klass)->dispose = tb_preflight_group_dispose;
}

static void
tb_preflight_group_init (TbPreflightGroup *self)
{
  self->rows = g_ptr_array_new ();
  self->working = g_ptr_array_new ();
  self->works = ADW_EXPANDER_ROW (adw_expander_row_new ());
  adw_preferences_row_set_use_markup (ADW_PREFERENCES_ROW (self->works), FALSE);
  self->spinner = adw_spinner_new ();
  self->icon = gtk_image_new_from_icon_name ("object-select-symbolic");
  gtk_widget_add_css_class (self->icon, "success");
  adw_expander_row_add_prefix (self->works, self->spinner);
  adw_expander_row_add_prefix (self->works, self->icon);
  adw_preferences_group_set_title (ADW_PREFERENCES_GROUP (self), _ ("This Computer"));
  adw_preferences_group_add (ADW_PREFERENCES_GROUP (self), GTK_WIDGET (self->works));
}

static GtkWidget *
make_row (const char *what, gboolean works, const char *reason)
{
  GtkWidget *row = adw_action_row_new ();
  GtkWidget *icon
      = gtk_image_new_from_icon_name (works ? "object-select-symbolic" : "dialog-warning-symbolic");
  const char *state = works ? _ ("works") : _ ("does not work");
  g_autofree char *name = g_strdup_printf ("%s: %s", what, state);

  adw_preferences_row_set_use_markup (ADW_PREFERENCES_ROW (row), FALSE);
  adw_preferences_row_set_title (ADW_PREFERENCES_ROW (row), what);
  adw_action_row_set_subtitle (ADW_ACTION_ROW (row), reason != NULL ? reason : "");
  gtk_widget_add_css_class (icon, works ? "success" : "warning");
  gtk_widget_set_tooltip_text (icon, state);
  adw_action_row_add_prefix (ADW_ACTION_ROW (row), icon);
  gtk_accessible_update_property (GTK_ACCESSIBLE (row), GTK_ACCESSIBLE_PROPERTY_LABEL, name, -1);
  return row;
}

static void
add_row (TbPreflightGroup *self, const char *what, gboolean works, const char *reason)
{
  GtkWidget *row = make_row (what, works, reason);

  adw_preferences_group_add (ADW_PREFERENCES_GROUP (self), row);
  g_ptr_array_add (self->rows, row);
}

static void
clear (TbPreflightGroup *self)
{
  for (guint i = 0; i < self->rows->len; i++)
    adw_preferences_group_remove (ADW_PREFERENCES_GROUP (self), g_ptr_array_index (self->rows, i));
  g_ptr_array_set_size (self->rows, 0);
  for (guint i = 0; i < self->working->len; i++)
    adw_expander_row_remove (self->works, g_ptr_array_index (self->working, i));
  g_ptr_array_set_size (self->working, 0);
}

static gboolean
has_remark (const TbPreflightLine *line)
{
  return line->reason != NULL && line->reason[0] != '\0';
}

/* Adds what does not work, with what is essential for recording first, then what works with a
 * remark. */
static void
add_rows (TbPreflightGroup *self, const TbPreflightResult *preflight_result)
{
  if (preflight_result->error != NULL)
    add_row (self, _ ("Recording"), FALSE, preflight_result->error);
  for (guint pass = 0; pass < 3; pass++)
    for (guint i = 0; preflight_result->lines != NULL && i < preflight_result->lines->len; i++)
      {
        const TbPreflightLine *line = g_ptr_array_index (preflight_result->lines, i);
        guint rank = line->works ? 2 : line->essential ? 0 : 1;

        if (rank == pass && (!line->works || has_remark (line)))
          add_row (self, line->what, line->works, line->reason);
      }
}

static void
add_working (TbPreflightGroup *self, const TbPreflightResult *preflight_result)
{
  g_autoptr (GString) names = g_string_new (NULL);

  for (guint i = 0; preflight_result->lines != NULL && i < preflight_result->lines->len; i++)
    {
      const TbPreflightLine *line = g_ptr_array_index (preflight_result->lines, i);
      GtkWidget *row;

      if (!line->works || has_remark (line))
        continue;
      g_string_append_printf (names, "%s%s", names->len > 0 ? ", " : "", line->what);
      row = make_row (line->what, TRUE, NULL);
      adw_expander_row_add_row (self->works, row);
      g_ptr_array_add (self->working, row);
    }
  adw_preferences_row_set_title (ADW_PREFERENCES_ROW (self->works), _ ("Works here"));
  adw_expander_row_set_subtitle (self->works, names->str);
}

/**
 * tb_preflight_group_show:
 * @preflight_result: (nullable): preflight of a collector; %NULL while it is pending
 *
 * Shows what works on this computer, what does not, and how to change that.
 */
void
tb_preflight_group_show (TbPreflightGroup *self, const TbPreflightResult *preflight_result)
{
  g_return_if_fail (TB_IS_PREFLIGHT_GROUP (self));

  clear (self);
  gtk_widget_set_visible (self->spinner, preflight_result == NULL);
  gtk_widget_set_visible (self->icon, preflight_result != NULL);
  /* This row is last, so that what works follows what does not. */
  g_object_ref (self->works);
  adw_preferences_group_remove (ADW_PREFERENCES_GROUP (self), GTK_WIDGET (self->works));
  if (preflight_result != NULL)
    {
      add_rows (self, preflight_result);
      add_working (self, preflight_result);
    }
  else
    {
      adw_preferences_row_set_title (ADW_PREFERENCES_ROW (self->works),
                                     _ ("Checking what works here…"));
      adw_expander_row_set_subtitle (self->works, "");
    }
  adw_preferences_group_add (ADW_PREFERENCES_GROUP (self), GTK_WIDGET (self->works));
  g_object_unref (self->works);
  gtk_widget_set_visible (GTK_WIDGET (self->works),
                          preflight_result == NULL || self->working->len > 0);
  adw_expander_row_set_enable_expansion (self->works, preflight_result != NULL);
  adw_expander_row_set_expanded (self->works, FALSE);
}
