/* tb-shortcuts-dialog.c: table of the keyboard shortcuts, and the dialog that lists them
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#include "config.h"

#include <glib/gi18n.h>

#include "shell/commands/tb-shortcuts-dialog.h"

typedef struct
{
  const char *title;
  /* separated by spaces; NULL: the title is that of the following group */
  const char *accelerators;
} Entry;

static const Entry entries[] = {
  { NC_ ("shortcut window", "General"), NULL },
  { NC_ ("shortcut window", "New recording"), "<Control>r" },
  { NC_ ("shortcut window", "Open a recording"), "<Control>o" },
  { NC_ ("shortcut window", "Save a copy"), "<Control><Shift>s" },
  { NC_ ("shortcut window", "Compare with another recording"), "<Control><Shift>c" },
  { NC_ ("shortcut window", "Find a command by name"), "<Control><Shift>p" },
  { NC_ ("shortcut window", "Print"), "<Control>p" },
  { NC_ ("shortcut window", "Export the figure as a drawing"), "<Control><Shift>x" },
  { NC_ ("shortcut window", "Save the report as a web page"), "<Control><Shift>h" },
  { NC_ ("shortcut window", "Show the figure as a table"), "<Control><Shift>l" },
  { NC_ ("shortcut window", "New window"), "<Control>n" },
  { NC_ ("shortcut window", "Close tab"), "<Control>w" },
  { NC_ ("shortcut window", "Quit"), "<Control>q" },
  { NC_ ("shortcut window", "Preferences"), "<Control>comma" },
  { NC_ ("shortcut window", "Keyboard shortcuts"), "<Control>question" },
  { NC_ ("shortcut window", "Help"), "F1" },
  { NC_ ("shortcut window", "Main menu"), "F10" },
  { NC_ ("shortcut window", "Tabs and Panes"), NULL },
  { NC_ ("shortcut window", "All tabs"), "<Control><Shift>o" },
  { NC_ ("shortcut window", "Next tab"), "<Control>Tab" },
  { NC_ ("shortcut window", "Previous tab"), "<Control><Shift>Tab" },
  { NC_ ("shortcut window", "Switch to a tab"), "<Alt>1...9" },
  { NC_ ("shortcut window", "Show or hide the sidebar"), "F9" },
  { NC_ ("shortcut window", "Show or hide the details"), "<Shift>F9" },
  { NC_ ("shortcut window", "Recording"), NULL },
  { NC_ ("shortcut window", "Filter the figures or find in them"), "<Control>f slash" },
  { NC_ ("shortcut window", "Previous and next selection"), "<Alt>Left <Alt>Right" },
  { NC_ ("shortcut window", "Go to what ended the selected wait"), "c" },
  { NC_ ("shortcut window", "Next figure"), "<Alt>Page_Down" },
  { NC_ ("shortcut window", "Previous figure"), "<Alt>Page_Up" },
  { NC_ ("shortcut window", "Next and previous event, or occurrence of an edge"), "period comma" },
  { NC_ ("shortcut window", "Zoom to the selection"), "<Control>e f" },
  { NC_ ("shortcut window", "Zoom in"), "<Control>plus <Control>equal w" },
  { NC_ ("shortcut window", "Zoom out"), "<Control>minus s" },
  { NC_ ("shortcut window", "Move earlier and later in time"), "a d" },
  { NC_ ("shortcut window", "Start and end of the recording"), "Home End" },
  { NC_ ("shortcut window", "Whole recording"), "<Control>0" },
  { NC_ ("shortcut window", "Analyze the selection"), "<Control>Return" },
  { NC_ ("shortcut window", "Analyze the selected thread"), "<Control>t" },
  { NC_ ("shortcut window", "Analyze the process of the selected thread"), "<Control><Shift>t" },
  { NC_ ("shortcut window", "Explain where the time of the process went"), "<Control><Shift>e" },
  { NC_ ("shortcut window", "Predict the effect of a change"), "<Control>i" },
  { NC_ ("shortcut window", "Options of the analysis"), "<Control><Shift>comma" },
  { NC_ ("shortcut window", "Menu of the selected item"), "<Shift>F10" },
  { NC_ ("shortcut window", "Analyze everything"), "<Control><Shift>Return" },
  { NC_ ("shortcut window", "Add a bookmark"), "<Control>d m" },
  { NC_ ("shortcut window", "Clear the selection"), "Escape" },
  { NC_ ("shortcut window", "Timeline"), NULL },
  { NC_ ("shortcut window", "Next and previous track"), "Down Up" },
  { NC_ ("shortcut window", "First and last track"), "<Control>Home <Control>End" },
  { NC_ ("shortcut window", "Next and previous interval of the track"), "Right Left" },
  { NC_ ("shortcut window", "Select an interval, zoom to the selected one, or collapse a group"),
    "Return space" },
  { NC_ ("shortcut window", "Add the thread to the selection or remove it"), "<Control>space" },
  { NC_ ("shortcut window", "Pin or unpin the track"), "p Insert" },
  { NC_ ("shortcut window", "Start or end the range at the selected item"),
    "bracketleft bracketright <Shift>Home <Shift>End" },
  { NC_ ("shortcut window", "Set the range to the selected item"), "r <Shift>Return" },
  { NC_ ("shortcut window", "Figures"), NULL },
  { NC_ ("shortcut window", "Zoom in and out"), "plus equal minus" },
  { NC_ ("shortcut window", "Reset the zoom"), "0" },
  { NC_ ("shortcut window", "Move earlier and later in time, or sideways"),
    "<Control>Left <Control>Right <Shift>Left <Shift>Right" },
  { NC_ ("shortcut window", "Flame"), NULL },
  { NC_ ("shortcut window", "Go to callers, callees and siblings"), "Up Down Left Right" },
  { NC_ ("shortcut window", "Zoom to the box and back"), "Return BackSpace" },
  { NC_ ("shortcut window", "Merge equal calls of a figure over time"), "e" },
  { NC_ ("shortcut window", "Invert: show callers of each function"), "i" },
  { NC_ ("shortcut window", "Callers on top"), "t" },
  { NC_ ("shortcut window", "Sort by name"), "n" },
  { NC_ ("shortcut window", "Collapse recursion"), "r" },
  { NC_ ("shortcut window", "Callers and callees of the function"), "x" },
  { NC_ ("shortcut window", "Only what the function calls"), "o" },
  { NC_ ("shortcut window", "Hide the module of the function"), "h" },
  { NC_ ("shortcut window", "Restore the original view of the flame"), "<Shift>r" },
  { NC_ ("shortcut window", "Histogram and Heat Map"), NULL },
  { NC_ ("shortcut window", "Next and previous bin or cell"), "Right Left" },
  { NC_ ("shortcut window", "Extend or shrink the selection"), "<Shift>Right <Shift>Left" },
  { NC_ ("shortcut window", "First and last bin or cell"), "Home End" },
  { NC_ ("shortcut window", "Previous and next peak of a histogram, or page of a heat map"),
    "Page_Up Page_Down" },
  { NC_ ("shortcut window", "Graph"), NULL },
  { NC_ ("shortcut window", "Follow an edge, or go to the vertex in that direction"),
    "Left Right Up Down" },
  { NC_ ("shortcut window", "Scroll up and down"), "<Control>Up <Control>Down" },
  { NC_ ("shortcut window", "Next and previous item by weight"), "Tab <Shift>Tab" },
  { NC_ ("shortcut window", "Collapse or expand a group"), "space" },
  { NC_ ("shortcut window", "Unmerge or merge vertices"), "Return" },
  { NC_ ("shortcut window", "Lower and raise the threshold"), "less greater" },
  { NC_ ("shortcut window", "Table"), NULL },
  { NC_ ("shortcut window", "Open or close the row"), "Return" },
  { NC_ ("shortcut window", "Copy the selected rows"), "<Control>c <Control>Insert" },
  { NC_ ("shortcut window", "Copy the selected rows as values (CSV)"), "<Control><Alt>c" },
};

/* Creates a row with the title and the keys next to it, or below it if space is short. */
static GtkWidget *
make_row (const Entry *entry)
{
  const char *title = g_dpgettext2 (NULL, "shortcut window", entry->title);
  g_auto (GStrv) accelerators = g_strsplit (entry->accelerators, " ", -1);
  GtkWidget *row = adw_preferences_row_new (), *box = adw_wrap_box_new (),
            *label = gtk_label_new (title);

  gtk_label_set_wrap (GTK_LABEL (label), TRUE);
  gtk_label_set_xalign (GTK_LABEL (label), 0);
  gtk_widget_set_hexpand (label, TRUE);
  adw_wrap_box_set_child_spacing (ADW_WRAP_BOX (box), 12);
  adw_wrap_box_set_line_spacing (ADW_WRAP_BOX (box), 6);
  gtk_widget_add_css_class (box, "shortcut");
  adw_wrap_box_append (ADW_WRAP_BOX (box), label);
  for (guint i = 0; accelerators[i] != NULL; i++)
    adw_wrap_box_append (ADW_WRAP_BOX (box), gtk_shortcut_label_new (accelerators[i]));
  adw_preferences_row_set_title (ADW_PREFERENCES_ROW (row), title);
  gtk_list_box_row_set_child (GTK_LIST_BOX_ROW (row), box);
  gtk_list_box_row_set_activatable (GTK_LIST_BOX_ROW (row), FALSE);
  gtk_accessible_update_relation (GTK_ACCESSIBLE (row), GTK_ACCESSIBLE_RELATION_LABELLED_BY, label,
                                  NULL, -1);
  return row;
}

/**
 * tb_shortcuts_dialog_new:
 *
 * Used instead of the shortcuts window of GTK, which is wider than a narrow screen.
 *
 * Returns: a dialog that lists the keyboard shortcuts
 */
AdwDialog *
tb_shortcuts_dialog_new (void)
{
  AdwDialog *dialog = adw_dialog_new ();
  GtkWidget *toolbar = adw_toolbar_view_new (), *page = adw_preferences_page_new (), *group = NULL;

  for (guint i = 0; i < G_N_ELEMENTS (entries); i++)
    {
      if (entries[i].accelerators != NULL)
        {
          adw_preferences_group_add (ADW_PREFERENCES_GROUP (group), make_row (&entries[i]));
          continue;
        }
      group = adw_preferences_group_new ();
      adw_preferences_group_set_title (ADW_PREFERENCES_GROUP (group),
                                       g_dpgettext2 (NULL, "shortcut window", entries[i].title));
      adw_preferences_page_add (ADW_PREFERENCES_PAGE (page), ADW_PREFERENCES_GROUP (group));
    }
  adw_toolbar_view_add_top_bar (ADW_TOOLBAR_VIEW (toolbar), adw_header_bar_new ());
  adw_toolbar_view_set_content (ADW_TOOLBAR_VIEW (toolbar), page);
  adw_dialog_set_title (dialog, _ ("Keyboard Shortcuts"));
  adw_dialog_set_content_width (dialog, 560);
  adw_dialog_set_content_height (dialog, 640);
  adw_dialog_set_child (dialog, toolbar);
  return dialog;
}
