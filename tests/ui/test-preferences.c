/* test-preferences.c: effects, storage and messages of the preferences; the list of shortcuts
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#include "config.h"

#include <glib/gstdio.h>

#include "extend/plugins/tb-engine.h"
#include "report/tb-colors.h"
#include "shell-dialogs.h"
#include "shell/commands/tb-shortcuts-dialog.h"
#include "shell/preferences/tb-preferences-dialog.h"
#include "symbols/tb-symbol-folders.h"
#include "ui-test.h"
#include "widgets/tailback-gtk.h"

static GSettings *
settings (void)
{
  return tb_application_get_settings (shell_get_application ());
}

static const TbPluginInfo *
find_plugin (const char *kind, const char *id)
{
  g_autoptr (GPtrArray) plugins = tb_engine_list (tb_engine_get_default ());

  for (guint i = 0; i < plugins->len; i++)
    {
      const TbPluginInfo *info = plugins->pdata[i];

      if (strcmp (info->kind, kind) == 0 && strcmp (info->id, id) == 0)
        return info;
    }
  g_error ("no %s %s", kind, id);
}

/* As a click on the row does. */
static void
toggle (TbWindow *window, const char *kind, const char *id)
{
  GtkWidget *dialog = shell_open_preferences (window, "plug-ins");
  GtkWidget *row = shell_find_row (dialog, ADW_TYPE_PREFERENCES_ROW, find_plugin (kind, id)->name);

  g_assert_nonnull (row);
  g_assert_cmpint (gtk_switch_get_active (
                       GTK_SWITCH (adw_action_row_get_activatable_widget (ADW_ACTION_ROW (row)))),
                   ==, !find_plugin (kind, id)->disabled);
  adw_action_row_activate (ADW_ACTION_ROW (row));
  shell_picture (window, "preferences-plug-ins");
  shell_close_dialog (window);
}

static void
assert_disabled (const char *names)
{
  g_auto (GStrv) disabled = g_settings_get_strv (settings (), "disabled-plugins");
  g_autofree char *joined = g_strjoinv (" ", disabled);

  g_assert_cmpstr (joined, ==, names);
}

static void
test_analysis_off (void)
{
  TbWindow *window = shell_new_window ();
  g_autoptr (GFile) file = shell_inbox ();
  TbDocument *document;

  toggle (window, "analysis", "wait-graph");
  assert_disabled ("analysis/wait-graph");
  toggle (window, "analysis", "control-paths");
  assert_disabled ("analysis/wait-graph analysis/control-paths");
  toggle (window, "analysis", "wait-graph");
  assert_disabled ("analysis/control-paths");
  document = shell_open (window, file);
  g_assert_null (tb_document_find_analysis (document, "control-paths"));
  g_assert_nonnull (tb_document_find_analysis (document, "wait-graph"));
  g_assert_nonnull (shell_find_text (GTK_WIDGET (window), "1 analysis is switched off"));
  shell_picture (window, "analysis-switched-off");
  shell_close_window (window);

  window = shell_new_window ();
  toggle (window, "analysis", "control-paths");
  assert_disabled ("");
  document = shell_open (window, file);
  g_assert_nonnull (tb_document_find_analysis (document, "control-paths"));
  g_assert_null (shell_find_text (GTK_WIDGET (window), "switched off"));
  shell_close_window (window);
}

/* A plug-in that cannot be loaded has its error in its row, with its name; all others work. */
static void
test_broken_plugin (void)
{
  TbWindow *window = shell_new_window ();
  GtkWidget *dialog = shell_open_preferences (window, "plug-ins"), *row;
  const TbPluginInfo *broken = find_plugin ("analysis", "broken");
  const char *misplaced;

  g_assert_nonnull (broken->error);
  row = shell_find_row (dialog, ADW_TYPE_PREFERENCES_ROW, "Broken Analysis");
  g_assert_nonnull (row);
  g_assert_true (
      g_str_has_prefix (adw_action_row_get_subtitle (ADW_ACTION_ROW (row)), broken->error));
  g_assert_nonnull (
      strstr (adw_action_row_get_subtitle (ADW_ACTION_ROW (row)), "found by TAILBACK_PLUGIN_PATH"));
  g_assert_nonnull (shell_find_text (row, "Could not be loaded"));
  misplaced = tb_engine_list_misplaced (tb_engine_get_default ())[0];
  g_assert_nonnull (strstr (misplaced, "/lost.plugin” is not used"));
  row = shell_find_row (dialog, ADW_TYPE_PREFERENCES_ROW, misplaced);
  g_assert_nonnull (row);
  g_assert_true (
      gtk_widget_get_visible (gtk_widget_get_ancestor (row, ADW_TYPE_PREFERENCES_GROUP)));
  shell_picture (window, "preferences-broken");
  shell_close_dialog (window);
  g_assert_null (find_plugin ("analysis", "threads")->error);
  shell_close_window (window);
}

/* One that was made for another version of the interface is not loaded; its row has the reason. */
static void
test_other_version (void)
{
  TbWindow *window = shell_new_window ();
  GtkWidget *dialog = shell_open_preferences (window, "plug-ins"), *row;
  const TbPluginInfo *newer = find_plugin ("analysis", "newer");

  row = shell_find_row (dialog, ADW_TYPE_PREFERENCES_ROW, "Newer Analysis");
  g_assert_nonnull (row);
  g_assert_nonnull (shell_find_text (row, "it was made for version 2 of the plug-in interface, "
                                          "but this Tailback has version 1"));
  g_assert_nonnull (shell_find_text (row, "Could not be loaded"));
  g_assert_null (strstr (newer->error, "libnewer.so"));
  shell_close_dialog (window);
  shell_close_window (window);
}

static void
test_importer_off (void)
{
  TbWindow *window = shell_new_window ();
  g_autoptr (GFile) file = shell_inbox ();
  TbDocument *document;

  toggle (window, "importer", "events-csv");
  document = shell_open (window, file);
  g_assert_nonnull (tb_document_get_error (document));
  g_assert_nonnull (strstr (tb_document_get_error (document)->message,
                            "switched off in Preferences and were not tried: events-csv"));
  g_assert_nonnull (shell_find_text (GTK_WIDGET (window),
                                     "switched off in Preferences and were not tried: events-csv"));
  toggle (window, "importer", "events-csv");
  assert_disabled ("");
  shell_close_window (window);
}

static void
test_collectors_off (void)
{
  TbWindow *window = shell_new_window ();
  g_autoptr (GPtrArray) collectors = tb_engine_list_collectors (tb_engine_get_default ());
  g_autoptr (GStrvBuilder) names = g_strv_builder_new ();
  g_auto (GStrv) all = NULL;

  for (guint i = 0; i < collectors->len; i++)
    g_strv_builder_take (names, g_strconcat ("collector/",
                                             ((TbPluginInfo *) collectors->pdata[i])->id, NULL));
  all = g_strv_builder_end (names);
  g_settings_set_strv (settings (), "disabled-plugins", (const char *const *) all);
  shell_activate (window, "record", NULL);
  shell_wait_text (GTK_WIDGET (window), "Every collector is switched off");
  shell_close_dialog (window);
  g_settings_reset (settings (), "disabled-plugins");
  shell_close_window (window);
}

static void
type (GtkWidget *row, const char *text)
{
  gtk_editable_set_text (GTK_EDITABLE (row), text);
}

static void
assert_folders (const char *folders)
{
  g_auto (GStrv) kept = g_settings_get_strv (settings (), "symbol-folders");
  g_auto (GStrv) searched = tb_symbol_folders_list ();
  g_autofree char *kept_text = g_strjoinv (" ", kept);
  g_autofree char *searched_text = g_strjoinv (" ", searched);

  g_assert_cmpstr (kept_text, ==, folders);
  g_assert_cmpstr (searched_text, ==, folders);
}

static void
test_folders (void)
{
  TbWindow *window = shell_new_window ();
  GtkWidget *dialog = shell_open_preferences (window, "general");
  GtkWidget *add = shell_find_row (dialog, ADW_TYPE_PREFERENCES_ROW, "Add a folder");
  GtkWidget *row;
  g_autofree char *folder = g_dir_make_tmp ("tailback-folder-XXXXXX", NULL);
  g_autofree char *both = g_strconcat (folder, " /", NULL);
  g_autofree char *remove = g_strconcat ("Remove the folder ", folder, NULL);

  /* An error is shown at the entry, and the text is not accepted. */
  type (add, "/nonexistent/tailback");
  g_assert_true (gtk_widget_has_css_class (add, "error"));
  shell_wait_text (dialog, "This folder does not exist");
  g_signal_emit_by_name (add, "apply");
  assert_folders ("");
  type (add, "relative");
  shell_wait_text (dialog, "is not an absolute path");
  shell_picture (window, "preferences-folders");
  type (add, "");
  g_assert_false (gtk_widget_has_css_class (add, "error"));

  type (add, folder);
  g_assert_false (gtk_widget_has_css_class (add, "error"));
  g_signal_emit_by_name (add, "apply");
  assert_folders (folder);
  type (add, folder);
  g_signal_emit_by_name (add, "apply");
  assert_folders (folder);
  type (add, "/");
  g_signal_emit_by_name (add, "apply");
  assert_folders (both);
  shell_close_dialog (window);

  /* A missing folder is kept, as it may come back, and reported. */
  g_assert_cmpint (g_rmdir (folder), ==, 0);
  dialog = shell_open_preferences (window, "general");
  row = shell_find_row (dialog, ADW_TYPE_PREFERENCES_ROW, folder);
  g_assert_nonnull (row);
  g_assert_cmpstr (adw_action_row_get_subtitle (ADW_ACTION_ROW (row)), ==,
                   "This folder does not exist");
  g_signal_emit_by_name (shell_find (row, "GtkButton", remove), "clicked");
  assert_folders ("/");
  g_assert_null (shell_find_row (dialog, ADW_TYPE_PREFERENCES_ROW, folder));
  shell_close_dialog (window);
  g_settings_reset (settings (), "symbol-folders");
  assert_folders ("");
  shell_close_window (window);
}

/* Servers of debug files are off at first. A text that is not a list of addresses is not kept. */
static void
test_debuginfod (void)
{
  TbWindow *window = shell_new_window ();
  GtkWidget *dialog = shell_open_preferences (window, "general");
  GtkWidget *allow = shell_find_row (dialog, ADW_TYPE_SWITCH_ROW, "_Receive debug files");
  GtkWidget *servers = shell_find_row (dialog, ADW_TYPE_ENTRY_ROW, "Servers");
  g_autofree char *before = NULL, *after = NULL;

  g_assert_false (adw_switch_row_get_active (ADW_SWITCH_ROW (allow)));
  g_assert_false (g_settings_get_boolean (settings (), "debuginfod"));
  adw_switch_row_set_active (ADW_SWITCH_ROW (allow), TRUE);
  g_assert_true (g_settings_get_boolean (settings (), "debuginfod"));

  type (servers, "https://debuginfod.example ftp://other.example");
  g_assert_true (gtk_widget_has_css_class (servers, "error"));
  g_signal_emit_by_name (servers, "apply");
  before = g_settings_get_string (settings (), "debuginfod-servers");
  g_assert_cmpstr (before, ==, "");
  type (servers, "https://debuginfod.example  http://other.example:8002/");
  g_assert_false (gtk_widget_has_css_class (servers, "error"));
  g_signal_emit_by_name (servers, "apply");
  after = g_settings_get_string (settings (), "debuginfod-servers");
  g_assert_cmpstr (after, ==, "https://debuginfod.example  http://other.example:8002/");
  shell_picture (window, "preferences-debuginfod");
  shell_close_dialog (window);
  g_settings_reset (settings (), "debuginfod");
  g_settings_reset (settings (), "debuginfod-servers");
  shell_close_window (window);
}

/* Keys */

/* Checks whether a key changes the length of the visible range. */
static gboolean
zooms (TbWindow *window, TbDocument *document, const char *key)
{
  TbFocus *focus = tb_document_get_focus (document);
  gint64 from[2], to[2];

  tb_focus_get_view (focus, &from[0], &to[0]);
  ui_key (GTK_WIDGET (window), key);
  tb_focus_get_view (focus, &from[1], &to[1]);
  return to[1] - from[1] != to[0] - from[0];
}

static void
test_palette (void)
{
  TbWindow *window = shell_new_window ();
  GtkWidget *row = shell_find_row (shell_open_preferences (window, "general"),
                                   ADW_TYPE_PREFERENCES_ROW, "Colors of _figures");

  g_assert_cmpuint (tb_colors_get_palette (), ==, TB_COLOR_PALETTE_OKABE_ITO);
  adw_combo_row_set_selected (ADW_COMBO_ROW (row), TB_COLOR_PALETTE_CALM);
  g_assert_cmpuint (tb_colors_get_palette (), ==, TB_COLOR_PALETTE_CALM);
  shell_picture (window, "preferences-palette");
  shell_close_dialog (window);
  g_settings_reset (settings (), "palette");
  g_assert_cmpuint (tb_colors_get_palette (), ==, TB_COLOR_PALETTE_OKABE_ITO);
  shell_close_window (window);
}

static void
test_keys (void)
{
  TbWindow *window = shell_new_window ();
  g_autoptr (GFile) file = shell_inbox ();
  TbDocument *document = shell_open (window, file);
  GtkWidget *figure = shell_find (GTK_WIDGET (window), "TbTimelineCanvas", NULL);
  GtkWidget *row, *focused;

  g_assert_nonnull (figure);
  gtk_widget_grab_focus (figure);
  g_assert_true (zooms (window, document, "w"));

  row = shell_find_row (shell_open_preferences (window, "general"), ADW_TYPE_PREFERENCES_ROW,
                        "_Keys of figures");
  adw_combo_row_set_selected (ADW_COMBO_ROW (row), 1);
  shell_picture (window, "preferences");
  shell_close_dialog (window);
  gtk_widget_grab_focus (figure);
  g_assert_false (zooms (window, document, "w"));
  g_assert_false (zooms (window, document, "shift+w"));
  g_assert_true (zooms (window, document, "ctrl+plus"));
  g_assert_true (zooms (window, document, "minus"));
  focused = gtk_root_get_focus (GTK_ROOT (window));
  ui_key (GTK_WIDGET (window), "slash");
  g_assert_true (gtk_root_get_focus (GTK_ROOT (window)) == focused && !GTK_IS_TEXT (focused));

  /* Typed characters reach an entry. */
  shell_activate (window, "search", NULL);
  ui_frames (GTK_WIDGET (window), 2);
  g_assert_true (GTK_IS_TEXT (gtk_root_get_focus (GTK_ROOT (window))));
  ui_key (GTK_WIDGET (window), "w");
  g_assert_cmpstr (gtk_editable_get_text (GTK_EDITABLE (gtk_root_get_focus (GTK_ROOT (window)))),
                   ==, "w");

  g_settings_reset (settings (), "key-layout");
  gtk_widget_grab_focus (figure);
  g_assert_true (zooms (window, document, "w"));
  shell_close_window (window);
}

static void
add_key (GHashTable *keys, guint key, GdkModifierType modifiers)
{
  g_hash_table_add (keys, gtk_accelerator_name (gdk_keyval_to_lower (key), modifiers));
}

/* Reads the keys of the shortcuts dialog; a range is written with "...". */
static void
read_shortcuts (GtkWidget *widget, GHashTable *keys)
{
  if (GTK_IS_SHORTCUT_LABEL (widget))
    {
      g_autofree char *text = NULL;
      g_auto (GStrv) accelerators = NULL;

      g_object_get (widget, "accelerator", &text, NULL);
      accelerators = g_strsplit_set (text != NULL ? text : "", " .", -1);
      for (guint i = 0; accelerators[i] != NULL; i++)
        {
          guint key;
          GdkModifierType modifiers;

          if (accelerators[i][0] != '\0'
              && gtk_accelerator_parse (accelerators[i], &key, &modifiers))
            add_key (keys, key, modifiers);
        }
    }
  for (GtkWidget *child = gtk_widget_get_first_child (widget); child != NULL;
       child = gtk_widget_get_next_sibling (child))
    read_shortcuts (child, keys);
}

static GHashTable *
list_shown_keys (void)
{
  GtkWidget *shortcuts = g_object_ref_sink (GTK_WIDGET (tb_shortcuts_dialog_new ()));
  GHashTable *keys = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, NULL);

  read_shortcuts (adw_dialog_get_child (ADW_DIALOG (shortcuts)), keys);
  g_assert_cmpuint (g_hash_table_size (keys), >, 30);
  g_object_unref (shortcuts);
  return keys;
}

static void
assert_shown (GHashTable *shown, guint key, GdkModifierType modifiers, const char *action)
{
  g_autofree char *name = gtk_accelerator_name (gdk_keyval_to_lower (key), modifiers);

  if (!g_hash_table_contains (shown, name))
    {
      g_test_message ("%s (%s) is not among the shortcuts", name, action);
      g_test_fail ();
    }
}

/* The keypad's duplicates are not listed; the menu key has its name on it. */
static gboolean
is_listed (guint key)
{
  const char *name = gdk_keyval_name (key);

  return !g_str_has_prefix (name, "KP_") && !g_str_has_prefix (name, "ISO_") && key != GDK_KEY_Menu;
}

static void
assert_shortcut_shown (GHashTable *shown, GtkShortcut *shortcut, const char *owner)
{
  GtkShortcutTrigger *trigger = gtk_shortcut_get_trigger (shortcut);
  guint key;

  g_assert_true (GTK_IS_KEYVAL_TRIGGER (trigger));
  key = gtk_keyval_trigger_get_keyval (GTK_KEYVAL_TRIGGER (trigger));
  if (is_listed (key))
    assert_shown (shown, key, gtk_keyval_trigger_get_modifiers (GTK_KEYVAL_TRIGGER (trigger)),
                  owner);
}

/* Checks that the keys of the project's own classes are listed, for a widget and its descendants;
 * returns their number. */
static guint
assert_classes_shown (GHashTable *shown, GtkWidget *widget)
{
  g_autoptr (GListModel) controllers = gtk_widget_observe_controllers (widget);
  const char *owner = G_OBJECT_TYPE_NAME (widget);
  guint n = 0;

  for (guint i = 0; g_str_has_prefix (owner, "Tb") && i < g_list_model_get_n_items (controllers);
       i++)
    {
      g_autoptr (GListModel) shortcuts = g_list_model_get_item (controllers, i);

      for (guint k = 0;
           GTK_IS_SHORTCUT_CONTROLLER (shortcuts) && k < g_list_model_get_n_items (shortcuts); k++)
        {
          g_autoptr (GtkShortcut) shortcut = g_list_model_get_item (shortcuts, k);

          assert_shortcut_shown (shown, shortcut, owner);
          n++;
        }
    }
  for (GtkWidget *child = gtk_widget_get_first_child (widget); child != NULL;
       child = gtk_widget_get_next_sibling (child))
    n += assert_classes_shown (shown, child);
  return n;
}

static void
assert_figures_shown (GHashTable *shown)
{
  TbFigure *figures[]
      = { TB_FIGURE (tb_timeline_figure_new ("timeline", "Timeline", 0, 1000)),
          TB_FIGURE (tb_flame_figure_new ("flame", "Flame", "ns")),
          TB_FIGURE (tb_histogram_figure_new ("histogram", "Histogram", "ns")),
          TB_FIGURE (tb_heatmap_figure_new ("heatmap", "Heat map", "calls", 0, 1000, 10)),
          TB_FIGURE (tb_graph_figure_new ("graph", "Graph", "ns")),
          TB_FIGURE (tb_table_figure_new ("table", "Table")) };
  g_autoptr (TbFocus) focus = tb_focus_new (0, 1000);

  for (guint i = 0; i < G_N_ELEMENTS (figures); i++)
    {
      GtkWidget *view;

      tb_figure_freeze (figures[i]);
      view = g_object_ref_sink (tb_figure_view_new (figures[i], focus));
      g_assert_cmpuint (assert_classes_shown (shown, view), >, 3);
      g_object_unref (view);
      g_object_unref (figures[i]);
    }
}

static void
test_accelerators_shown (void)
{
  TbWindow *window = shell_new_window ();
  GtkApplication *application = GTK_APPLICATION (shell_get_application ());
  g_autoptr (GHashTable) shown = list_shown_keys ();
  g_auto (GStrv) actions = gtk_application_list_action_descriptions (application);

  g_assert_cmpuint (g_strv_length (actions), >, 30);
  for (guint i = 0; actions[i] != NULL; i++)
    {
      g_auto (GStrv) accelerators = gtk_application_get_accels_for_action (application, actions[i]);

      for (guint j = 0; accelerators[j] != NULL; j++)
        {
          guint key;
          GdkModifierType modifiers;

          g_assert_true (gtk_accelerator_parse (accelerators[j], &key, &modifiers));
          assert_shown (shown, key, modifiers, actions[i]);
        }
    }
  assert_figures_shown (shown);
  shell_close_window (window);
}

static void
write_analysis (const char *folder, const char *id, const char *name, int version)
{
  g_autofree char *own = g_build_filename (folder, "analyses", id, NULL);
  g_autofree char *description = g_strdup_printf ("%s/%s.plugin", own, id);
  g_autofree char *module = g_strdup_printf ("%s/lib%s.so", own, id);
  g_autofree char *text = g_strdup_printf (
      "[Plugin]\nModule=%s\nX-Tailback-API=%d\nName=%s\nDescription=It never works\n", id, version,
      name);

  g_assert_cmpint (g_mkdir_with_parents (own, 0777), ==, 0);
  g_assert_true (g_file_set_contents (description, text, -1, NULL));
  g_assert_true (g_file_set_contents (module, "no module", -1, NULL));
}

/* Adds plug-ins to the built ones: one with an invalid module, one of another version of the
 * interface, one in the wrong place. */
static char *
add_broken_plugins (void)
{
  char *folder = g_dir_make_tmp ("tailback-plugins-XXXXXX", NULL);
  g_autofree char *lost = g_build_filename (folder, "lost.plugin", NULL);
  g_autofree char *path = g_strconcat (folder, ":", g_getenv ("TAILBACK_PLUGIN_PATH"), NULL);

  write_analysis (folder, "broken", "Broken Analysis", 1);
  write_analysis (folder, "newer", "Newer Analysis", 2);
  g_assert_true (g_file_set_contents (lost, "[Plugin]\nModule=lost\n", -1, NULL));
  g_setenv ("TAILBACK_PLUGIN_PATH", path, TRUE);
  return folder;
}

static void
remove_broken_plugins (const char *folder)
{
  static const char *const parts[] = { "lost.plugin",
                                       "analyses/newer/newer.plugin",
                                       "analyses/newer/libnewer.so",
                                       "analyses/newer",
                                       "analyses/broken/broken.plugin",
                                       "analyses/broken/libbroken.so",
                                       "analyses/broken",
                                       "analyses",
                                       "" };

  for (guint i = 0; i < G_N_ELEMENTS (parts); i++)
    {
      g_autofree char *path = g_build_filename (folder, parts[i], NULL);

      g_remove (path);
    }
}

int
main (int argc, char **argv)
{
  g_autofree char *broken = add_broken_plugins ();
  int status;

  shell_init (&argc, &argv);
  g_test_add_func ("/preferences/analysis-off", test_analysis_off);
  g_test_add_func ("/preferences/broken-plugin", test_broken_plugin);
  g_test_add_func ("/preferences/other-version", test_other_version);
  g_test_add_func ("/preferences/importer-off", test_importer_off);
  g_test_add_func ("/preferences/collectors-off", test_collectors_off);
  g_test_add_func ("/preferences/folders", test_folders);
  g_test_add_func ("/preferences/debuginfod", test_debuginfod);
  g_test_add_func ("/preferences/palette", test_palette);
  g_test_add_func ("/preferences/keys", test_keys);
  g_test_add_func ("/preferences/accelerators-shown", test_accelerators_shown);
  status = g_test_run ();
  remove_broken_plugins (broken);
  return status;
}
