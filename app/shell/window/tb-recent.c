/* tb-recent.c: recently opened recordings, kept in the desktop's list of recent files: adding one,
 * list, menu and rows that show them; rows for other files
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#include "config.h"

#include <glib/gi18n.h>

#include "shell/window/tb-recent.h"

/* Maximum number of recent recordings. */
#define N_RECENT 8

static gint
compare_visited (gconstpointer a, gconstpointer b)
{
  GDateTime *first = gtk_recent_info_get_modified ((GtkRecentInfo *) a);
  GDateTime *second = gtk_recent_info_get_modified ((GtkRecentInfo *) b);

  return g_date_time_compare (second, first);
}

/**
 * tb_recent_list:
 *
 * Returns: (transfer full) (element-type GtkRecentInfo): existing files that this application
 *   opened, the newest first
 */
GList *
tb_recent_list (void)
{
  GList *items = gtk_recent_manager_get_items (gtk_recent_manager_get_default ());
  GList *recent = NULL;
  guint n = 0;

  items = g_list_sort (items, compare_visited);
  for (GList *link = items; link != NULL; link = link->next)
    {
      GtkRecentInfo *info = link->data;

      if (n < N_RECENT && gtk_recent_info_has_application (info, "tailback")
          && gtk_recent_info_exists (info))
        {
          recent = g_list_prepend (recent, gtk_recent_info_ref (info));
          n++;
        }
    }
  g_list_free_full (items, (GDestroyNotify) gtk_recent_info_unref);
  return g_list_reverse (recent);
}

static char *
describe_place (GtkRecentInfo *info)
{
  g_autoptr (GFile) file = g_file_new_for_uri (gtk_recent_info_get_uri (info));
  g_autoptr (GFile) folder = g_file_get_parent (file);
  g_autofree char *path = folder != NULL ? g_file_get_parse_name (folder) : NULL;
  const char *home = g_get_home_dir ();

  if (path == NULL)
    return g_strdup ("");
  if (g_str_has_prefix (path, home) && (path[strlen (home)] == '/' || path[strlen (home)] == '\0'))
    return g_strconcat ("~", path + strlen (home), NULL);
  return g_steal_pointer (&path);
}

/**
 * tb_recent_make_file_row:
 * @name: name of a recording
 * @place: where it is
 * @action: action with the URI as its target, for activating the row
 *
 * Returns: a row for a list; what does not fit is in its tooltip
 */
GtkWidget *
tb_recent_make_file_row (const char *name, const char *place, const char *uri, const char *action)
{
  GtkWidget *row = adw_action_row_new ();
  g_autofree char *tooltip = g_strdup_printf ("%s\n%s", name, place);

  adw_preferences_row_set_use_markup (ADW_PREFERENCES_ROW (row), FALSE);
  adw_preferences_row_set_title (ADW_PREFERENCES_ROW (row), name);
  adw_action_row_set_title_lines (ADW_ACTION_ROW (row), 1);
  adw_action_row_set_subtitle (ADW_ACTION_ROW (row), place);
  adw_action_row_set_subtitle_lines (ADW_ACTION_ROW (row), 1);
  gtk_widget_set_tooltip_text (row, tooltip);
  gtk_list_box_row_set_activatable (GTK_LIST_BOX_ROW (row), TRUE);
  gtk_actionable_set_action_name (GTK_ACTIONABLE (row), action);
  gtk_actionable_set_action_target (GTK_ACTIONABLE (row), "s", uri);
  return row;
}

/**
 * tb_recent_row_new:
 * @info: a recent recording
 * @action: action with the URI as its target, for activating the row
 *
 * Returns: a row for a list
 */
GtkWidget *
tb_recent_row_new (GtkRecentInfo *info, const char *action)
{
  g_autofree char *place = describe_place (info);
  g_autofree char *when = g_date_time_format (gtk_recent_info_get_modified (info), "%x");
  GtkWidget *row = tb_recent_make_file_row (gtk_recent_info_get_display_name (info), place,
                                            gtk_recent_info_get_uri (info), action);
  GtkWidget *date = gtk_label_new (when);

  gtk_widget_add_css_class (date, "dimmed");
  gtk_widget_add_css_class (date, "caption");
  adw_action_row_add_suffix (ADW_ACTION_ROW (row), date);
  return row;
}

/**
 * tb_recent_menu_new:
 *
 * Returns: (transfer full): a menu of the current recent recordings
 */
GMenuModel *
tb_recent_menu_new (void)
{
  GMenu *menu = g_menu_new ();
  GList *recent = tb_recent_list ();

  for (GList *link = recent; link != NULL; link = link->next)
    {
      GtkRecentInfo *info = link->data;
      g_autoptr (GMenuItem) item = g_menu_item_new (gtk_recent_info_get_display_name (info), NULL);

      g_menu_item_set_action_and_target (item, "win.open-uri", "s", gtk_recent_info_get_uri (info));
      g_menu_append_item (menu, item);
    }
  if (recent == NULL)
    g_menu_append (menu, _ ("No recent recordings"), "win.none");
  g_list_free_full (recent, (GDestroyNotify) gtk_recent_info_unref);
  return G_MENU_MODEL (menu);
}

/**
 * tb_recent_add:
 * @file: a file that was opened
 *
 * Adds the file to the desktop's list of recent files.
 */
void
tb_recent_add (GFile *file)
{
  g_autofree char *uri = g_file_get_uri (file);
  g_autofree char *name = g_file_get_basename (file);
  gboolean is_session = g_str_has_suffix (name, ".tailback");
  GtkRecentData data = {
    .mime_type = is_session ? "application/x-tailback" : "application/octet-stream",
    .app_name = "tailback",
    .app_exec = "tailback %u",
  };

  gtk_recent_manager_add_full (gtk_recent_manager_get_default (), uri, &data);
}
