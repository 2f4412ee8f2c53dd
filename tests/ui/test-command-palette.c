/* test-command-palette.c: test of the command palette and of the actions of the application
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#include "config.h"

#include <string.h>

#include "report/tb-figure.h"
#include "shell-fixture.h"
#include "shell/commands/tb-command-list.h"
#include "shell/commands/tb-figure-commands.h"
#include "widgets/tailback-gtk.h"

static GtkEditable *
get_palette_search (TbWindow *window)
{
  GtkWidget *palette = shell_find (GTK_WIDGET (window), "TbCommandPalette", NULL);
  GtkWidget *search = palette != NULL ? shell_find (palette, "GtkSearchEntry", NULL) : NULL;

  return search != NULL ? GTK_EDITABLE (search) : NULL;
}

static gboolean
has_palette (gpointer window)
{
  return get_palette_search (window) != NULL;
}

static gboolean
has_no_palette (gpointer window)
{
  return adw_application_window_get_visible_dialog (window) == NULL
         && shell_find (window, "TbCommandPalette", NULL) == NULL;
}

/* Every action has a title, except those used by programs only. */
static void
assert_listed (GActionGroup *group, const char *prefix)
{
  g_auto (GStrv) names = g_action_group_list_actions (group);

  for (guint i = 0; names[i] != NULL; i++)
    {
      g_autofree char *action = g_strconcat (prefix, names[i], NULL);
      const char *title = tb_command_list_find_title (action);

      if (title == NULL)
        g_error ("%s is not in the list of commands: see app/shell/tb-command-list.c", action);
      if (*title == '\0' && !g_str_has_suffix (action, "-to")
          && !g_str_equal (names[i], "commands"))
        g_assert_nonnull (g_action_group_get_action_parameter_type (group, names[i]));
    }
}

/* So has every action of the figure views. */
static void
assert_figures_listed (void)
{
  const GType types[] = { TB_TYPE_FLAME_VIEW, TB_TYPE_TIMELINE_VIEW,  TB_TYPE_TABLE_VIEW,
                          TB_TYPE_GRAPH_VIEW, TB_TYPE_HISTOGRAM_VIEW, TB_TYPE_HEATMAP_VIEW };

  for (guint i = 0; i < G_N_ELEMENTS (types); i++)
    {
      g_autoptr (GTypeClass) class = g_type_class_ref (types[i]);
      const GVariantType *type;
      const char *action, *property;
      GType owner;

      for (guint k = 0; gtk_widget_class_query_action (GTK_WIDGET_CLASS (class), k, &owner, &action,
                                                       &type, &property);
           k++)
        if (owner == types[i] && tb_command_list_find_title (action) == NULL)
          g_error ("%s is not in the list of commands: see app/shell/commands/tb-figure-commands.c",
                   action);
    }
}

/* Titles begin with the kind of figure, which menus of the figure leave out. */
static void
assert_figure_labels (void)
{
  guint n;
  const TbFigureCommand *commands = tb_figure_commands_get (&n);

  for (guint i = 0; i < n; i++)
    if (commands[i].title != NULL)
      {
        const char *title = tb_command_list_find_title (commands[i].action);
        const char *label = tb_figure_command_get_label (&commands[i]);

        g_assert_true (g_str_has_suffix (title, label));
        g_assert_cmpuint (strlen (label), <, strlen (title));
        g_assert_null (strstr (label, ": "));
      }
}

static gboolean
shows_flame (gpointer window)
{
  return g_strcmp0 (tb_document_page_get_figure (tb_window_get_document_page (window)), "flame")
         == 0;
}

static gboolean
is_inverted (gpointer window)
{
  GtkWidget *view = shell_find (GTK_WIDGET (window), "TbFlameView", NULL);
  gboolean inverted = FALSE;

  if (view != NULL)
    g_object_get (view, "inverted", &inverted, NULL);
  return inverted;
}

/* Checks whether the single command with this title can be used now. */
static gboolean
is_offered (TbWindow *window, const char *title)
{
  GtkListView *view = GTK_LIST_VIEW (shell_find (GTK_WIDGET (window), "GtkListView", NULL));
  GListModel *found = G_LIST_MODEL (gtk_list_view_get_model (view));
  g_autoptr (TbCommandItem) item = NULL;

  gtk_editable_set_text (get_palette_search (window), title);
  g_assert_cmpuint (g_list_model_get_n_items (found), ==, 1);
  item = g_list_model_get_item (found, 0);
  return tb_command_item_is_enabled (item);
}

static void
test_palette (void)
{
  TbWindow *window = shell_new_window ();
  GtkListView *view;
  guint n_all, n_found;

  shell_open_every_figure (window);
  shell_show_figure (window, "graph");
  assert_listed (G_ACTION_GROUP (window), "win.");
  assert_figures_listed ();
  assert_figure_labels ();
  shell_activate (window, "commands", NULL);
  shell_wait (has_palette, window, "the palette");
  shell_picture (window, "palette");
  view = GTK_LIST_VIEW (shell_find (GTK_WIDGET (window), "GtkListView", NULL));
  n_all = g_list_model_get_n_items (G_LIST_MODEL (gtk_list_view_get_model (view)));
  gtk_editable_set_text (get_palette_search (window), "FIGURE: fl");
  n_found = g_list_model_get_n_items (G_LIST_MODEL (gtk_list_view_get_model (view)));
  g_assert_cmpuint (n_all, >, 50);
  g_assert_cmpuint (n_found, ==, 1);
  g_signal_emit_by_name (get_palette_search (window), "activate");
  shell_wait (shows_flame, window, "the flame");
  shell_wait (has_no_palette, window, "the end of the palette");

  /* In the visible flame: without a selected function, “show callers and callees” is not available.
   * */
  shell_activate (window, "commands", NULL);
  shell_wait (has_palette, window, "the palette with the flame");
  g_assert_false (is_offered (window, "flame: show callers and callees"));
  g_assert_true (is_offered (window, "flame: invert"));
  g_signal_emit_by_name (get_palette_search (window), "activate");
  shell_wait (is_inverted, window, "the inverted flame");
  shell_wait (has_no_palette, window, "the end of the palette");

  shell_activate (window, "commands", NULL);
  shell_wait (has_palette, window, "the palette again");
  gtk_editable_set_text (get_palette_search (window), "no such thing");
  g_assert_nonnull (shell_find_text (GTK_WIDGET (window), "No Command Found"));
  shell_activate (window, "commands", NULL);
  shell_wait (has_no_palette, window, "the end of the palette");
  shell_close_window (window);
}

static void
test_application_actions (void)
{
  static const char *const machines[] = { "compare", "new-recording", NULL };
  g_auto (GStrv) names = g_action_group_list_actions (G_ACTION_GROUP (shell_get_application ()));

  for (guint i = 0; names[i] != NULL; i++)
    {
      g_autofree char *action = g_strconcat ("app.", names[i], NULL);

      if (!g_strv_contains (machines, names[i]) && tb_command_list_find_title (action) == NULL)
        g_error ("%s is not in the list of commands: see app/shell/tb-command-list.c", action);
    }
}

int
main (int argc, char **argv)
{
  shell_init (&argc, &argv);
  g_test_add_func ("/command-palette/palette", test_palette);
  g_test_add_func ("/command-palette/application-actions", test_application_actions);
  return g_test_run ();
}
