/* tb-command-list.c: list of all commands that a window has at present: title, action and keys of
 * each, whether it is enabled, whether typed words match its title
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#include "config.h"

#include <glib/gi18n.h>

#include "shell/commands/tb-command-list.h"
#include "shell/commands/tb-figure-commands.h"
#include "shell/window/tb-recent.h"

/* Every action of the application and of a window has an entry here, which a test checks. An action
 * without a title is either only called by programs (named "…-to" and an address), or has a
 * parameter and is listed once per value. */
static const struct
{
  const char *action;
  const char *title;
} titles[] = {
  { "app.about", N_ ("About Tailback") },
  { "app.help", N_ ("Help") },
  { "app.new-window", N_ ("New Window") },
  { "app.preferences", N_ ("Preferences") },
  { "app.quit", N_ ("Quit") },
  { "win.add-bookmark", N_ ("Add a Bookmark") },
  { "win.add-to-base", N_ ("Add Recordings to the Base…") },
  { "win.add-to-other", N_ ("Add Recordings to the Other Side…") },
  { "win.analyse-all", N_ ("Analyze Everything") },
  { "win.analyse-all-threads", N_ ("Analyze All Threads") },
  { "win.analyse-all-times", N_ ("Analyze the Whole Time Range") },
  { "win.analyse-command", N_ ("Analyze the Recorded Command") },
  { "win.analyse-process", N_ ("Analyze the Process of the Selected Thread") },
  { "win.analyse-selection", N_ ("Analyze the Selection") },
  { "win.analyse-thread", N_ ("Analyze the Selected Thread") },
  { "win.clear-selection", N_ ("Clear the Selection") },
  { "win.close-tab", N_ ("Close the Tab") },
  { "win.commands", NULL }, /* this list */
  { "win.compare", N_ ("Compare With Another Recording…") },
  { "win.explain", N_ ("Explain Where the Time of the Selected Process Went") },
  { "win.explain-process", N_ ("Explain a Process…") },
  { "win.export-figure", NULL },
  { "win.export-figure-to", NULL },
  { "win.export-figure::csv", N_ ("Export the Figure as Values (CSV)…") },
  { "win.export-figure::pdf", N_ ("Export the Figure as a Page (PDF)…") },
  { "win.export-figure::png", N_ ("Export the Figure as a Picture (PNG)…") },
  { "win.export-figure::svg", N_ ("Export the Figure as a Drawing (SVG)…") },
  { "win.export-report", N_ ("Save the Report as a Web Page…") },
  { "win.export-report-to", NULL },
  { "win.export-with", NULL },
  { "win.follow", NULL },
  { "win.go-back", N_ ("Back to the Previous Selection") },
  { "win.go-forward", N_ ("Forward to the Next Selection") },
  { "win.go-to-cause", N_ ("Go to What Ended the Wait") },
  { "win.move-tab", N_ ("Move the Tab to a New Window") },
  { "win.next-figure", N_ ("Next Figure") },
  { "win.next-occurrence", N_ ("Next Occurrence of the Edge") },
  { "win.open", N_ ("Open Recordings…") },
  { "win.open-uri", NULL },
  { "win.options", N_ ("Options of the Analysis…") },
  { "win.overview", N_ ("All Tabs") },
  { "win.pan-earlier", N_ ("Move Earlier in Time") },
  { "win.pan-later", N_ ("Move Later in Time") },
  { "win.previous-figure", N_ ("Previous Figure") },
  { "win.previous-occurrence", N_ ("Previous Occurrence of the Edge") },
  { "win.print", N_ ("Print…") },
  { "win.print-to", NULL },
  { "win.record", N_ ("New Recording…") },
  { "win.record-command", N_ ("Record a Command…") },
  { "win.record-function", NULL },
  { "win.save-copy", N_ ("Save a Copy…") },
  { "win.search", N_ ("Filter the Figures or Find in Them") },
  { "win.show-analysis", NULL },
  { "win.show-as-table", N_ ("Show the Figure as a Table or a Drawing") },
  { "win.show-details", N_ ("Show or Hide the Details") },
  { "win.show-figure", NULL },
  { "win.show-help-overlay", N_ ("Keyboard Shortcuts") },
  { "win.show-in-files", N_ ("Show the Recording in Files") },
  { "win.show-in-recording", NULL },
  { "win.stop-recording", N_ ("Stop Recording") },
  { "win.swap-comparison", N_ ("Swap Base and Other") },
  { "win.toggle-sidebar", N_ ("Show or Hide the Sidebar") },
  { "win.zoom-all", N_ ("Zoom to the Whole Recording") },
  { "win.zoom-in", N_ ("Zoom In") },
  { "win.zoom-out", N_ ("Zoom Out") },
  { "win.zoom-selection", N_ ("Zoom to the Selection") },
};

struct _TbCommandItem
{
  GObject parent;

  char *title;
  char *key; /* case-folded title, for the search */
  char *action;
  char *keys;
  gboolean enabled;
};

G_DEFINE_FINAL_TYPE (TbCommandItem, tb_command_item, G_TYPE_OBJECT)

static void
tb_command_item_finalize (GObject *object)
{
  TbCommandItem *self = TB_COMMAND_ITEM (object);

  g_free (self->title);
  g_free (self->key);
  g_free (self->action);
  g_free (self->keys);
  G_OBJECT_CLASS (tb_command_item_parent_class)->finalize (object);
}

static void
tb_command_item_class_init (TbCommandItemClass *klass)
{
  G_OBJECT_CLASS (klass)->finalize = tb_command_item_finalize;
}

static void
tb_command_item_init (TbCommandItem *self)
{
}

const char *
tb_command_item_get_title (TbCommandItem *self)
{
  g_return_val_if_fail (TB_IS_COMMAND_ITEM (self), "");
  return self->title;
}

/**
 * tb_command_item_get_action:
 *
 * Returns: detailed action name, for example "win.print"
 */
const char *
tb_command_item_get_action (TbCommandItem *self)
{
  g_return_val_if_fail (TB_IS_COMMAND_ITEM (self), "");
  return self->action;
}

/**
 * tb_command_item_get_keys:
 *
 * Returns: label of the accelerator, for example "Ctrl+P"; "" for none
 */
const char *
tb_command_item_get_keys (TbCommandItem *self)
{
  g_return_val_if_fail (TB_IS_COMMAND_ITEM (self), "");
  return self->keys;
}

gboolean
tb_command_item_is_enabled (TbCommandItem *self)
{
  g_return_val_if_fail (TB_IS_COMMAND_ITEM (self), FALSE);
  return self->enabled;
}

/**
 * tb_command_item_matches:
 * @search: words, separated by spaces
 *
 * Returns: whether the title contains each of the words
 */
gboolean
tb_command_item_matches (TbCommandItem *self, const char *search)
{
  g_autofree char *folded = g_utf8_casefold (search, -1);
  g_auto (GStrv) words = g_strsplit (folded, " ", -1);

  g_return_val_if_fail (TB_IS_COMMAND_ITEM (self), FALSE);

  for (guint i = 0; words[i] != NULL; i++)
    if (strstr (self->key, words[i]) == NULL)
      return FALSE;
  return TRUE;
}

static char *
describe_accelerator (const char *accelerator)
{
  GdkModifierType modifiers;
  guint key;

  if (accelerator == NULL || !gtk_accelerator_parse (accelerator, &key, &modifiers))
    return g_strdup ("");
  return gtk_accelerator_get_label (key, modifiers);
}

static char *
describe_keys (GtkApplication *application, const char *action)
{
  g_auto (GStrv) accels = gtk_application_get_accels_for_action (application, action);

  return describe_accelerator (accels[0]);
}

static gboolean
is_enabled (TbWindow *window, const char *action)
{
  GActionGroup *group = g_str_has_prefix (action, "app.")
                            ? G_ACTION_GROUP (gtk_window_get_application (GTK_WINDOW (window)))
                            : G_ACTION_GROUP (window);
  g_autofree char *name = NULL;
  g_autoptr (GVariant) target = NULL;

  return g_action_parse_detailed_name (action + strlen ("app."), &name, &target, NULL)
         && g_action_group_has_action (group, name)
         && g_action_group_get_action_enabled (group, name);
}

/* keys: (transfer full) */
static void
append (GListStore *list, const char *action, const char *title, char *keys, gboolean enabled)
{
  g_autoptr (TbCommandItem) item = g_object_new (TB_TYPE_COMMAND_ITEM, NULL);

  item->title = g_strdup (title);
  item->key = g_utf8_casefold (title, -1);
  item->action = g_strdup (action);
  item->keys = keys;
  item->enabled = enabled;
  g_list_store_append (list, item);
}

static void
add (GListStore *list, TbWindow *window, const char *action, const char *title)
{
  append (list, action, title,
          describe_keys (gtk_window_get_application (GTK_WINDOW (window)), action),
          is_enabled (window, action));
}

static void
add_with_target (GListStore *list,
                 TbWindow *window,
                 const char *action,
                 const char *target,
                 const char *title)
{
  g_autoptr (GVariant) value = g_variant_ref_sink (g_variant_new_string (target));
  g_autofree char *detailed = g_action_print_detailed_name (action, value);

  add (list, window, detailed, title);
}

/* Adds the analyses of the current document and the figures of the visible one. */
static void
add_destinations (GListStore *list, TbWindow *window)
{
  TbDocumentPage *page = tb_window_get_document_page (window);
  TbAnalysisPage *analysis = page != NULL ? tb_document_page_get_analysis_page (page) : NULL;
  TbReport *report = analysis != NULL
                         ? tb_analysis_item_get_report (tb_analysis_page_get_item (analysis))
                         : NULL;
  GListModel *analyses
      = page != NULL ? tb_document_get_analyses (tb_document_page_get_document (page)) : NULL;

  for (guint i = 0; analyses != NULL && i < g_list_model_get_n_items (analyses); i++)
    {
      g_autoptr (TbAnalysisItem) item = g_list_model_get_item (analyses, i);
      g_autofree char *title
          = g_strdup_printf (_ ("Analysis: %s"), tb_analysis_item_get_name (item));

      add_with_target (list, window, "win.show-analysis", tb_analysis_item_get_id (item), title);
    }
  for (guint i = 0; report != NULL && i < tb_report_get_n_figures (report); i++)
    {
      TbFigure *figure = tb_report_get_figure (report, i);
      g_autofree char *title = g_strdup_printf (_ ("Figure: %s"), tb_figure_get_title (figure));

      add_with_target (list, window, "win.show-figure", tb_figure_get_id (figure), title);
    }
}

/* Adds the commands of the visible figure. */
static void
add_figure_commands (GListStore *list, TbWindow *window)
{
  TbDocumentPage *page = tb_window_get_document_page (window);
  TbAnalysisPage *analysis = page != NULL ? tb_document_page_get_analysis_page (page) : NULL;
  GtkWidget *view = analysis != NULL ? tb_analysis_page_get_view (analysis) : NULL;
  guint n;
  const TbFigureCommand *commands = tb_figure_commands_get (&n);

  if (analysis != NULL && tb_analysis_page_get_assertion_label (analysis) != NULL)
    append (list, "analysis.assert", tb_analysis_page_get_assertion_label (analysis), g_strdup (""),
            TRUE);
  if (analysis != NULL && tb_analysis_page_get_recording_label (analysis) != NULL)
    append (list, "analysis.record", tb_analysis_page_get_recording_label (analysis), g_strdup (""),
            TRUE);
  for (guint i = 0; i < n; i++)
    if (commands[i].title != NULL && tb_figure_command_applies_to (&commands[i], view))
      append (list, commands[i].action, _ (commands[i].title),
              describe_accelerator (commands[i].keys),
              tb_figure_command_is_enabled (&commands[i], view));
}

static void
add_exporters (GListStore *list, TbWindow *window)
{
  g_autoptr (GPtrArray) exporters = tb_window_list_exporters ();

  for (guint i = 0; i < exporters->len; i += 2)
    {
      g_autofree char *title = g_strdup_printf (_ ("Export: %s"), (char *) exporters->pdata[i + 1]);

      add_with_target (list, window, "win.export-with", exporters->pdata[i], title);
    }
}

static void
add_recent (GListStore *list, TbWindow *window)
{
  GList *recent = tb_recent_list ();

  for (GList *link = recent; link != NULL; link = link->next)
    {
      g_autofree char *title
          = g_strdup_printf (_ ("Open: %s"), gtk_recent_info_get_display_name (link->data));

      add_with_target (list, window, "win.open-uri", gtk_recent_info_get_uri (link->data), title);
    }
  g_list_free_full (recent, (GDestroyNotify) gtk_recent_info_unref);
}

/**
 * tb_command_list_new:
 * @window: window in which the commands run
 *
 * Returns: (transfer full): a list of #TbCommandItem for the current state: all actions, the
 *   analyses and figures to show, and the recent files to open
 */
GListModel *
tb_command_list_new (TbWindow *window)
{
  GListStore *list = g_list_store_new (TB_TYPE_COMMAND_ITEM);

  /* Commands on the current document come first. */
  for (guint pass = 0; pass < 2; pass++)
    {
      for (guint i = 0; i < G_N_ELEMENTS (titles); i++)
        if (titles[i].title != NULL && g_str_has_prefix (titles[i].action, "app.") == (pass == 1))
          add (list, window, titles[i].action, _ (titles[i].title));
      if (pass == 0)
        {
          add_figure_commands (list, window);
          add_destinations (list, window);
          add_exporters (list, window);
        }
    }
  add_recent (list, window);
  return G_LIST_MODEL (list);
}

/**
 * tb_command_list_find_title:
 * @action: for example "win.print"
 *
 * Returns: (nullable): its title; "" if the action has none; %NULL if the action is unknown
 */
const char *
tb_command_list_find_title (const char *action)
{
  guint n;
  const TbFigureCommand *commands = tb_figure_commands_get (&n);

  for (guint i = 0; i < n; i++)
    if (g_str_equal (commands[i].action, action))
      return commands[i].title != NULL ? _ (commands[i].title) : "";
  for (guint i = 0; i < G_N_ELEMENTS (titles); i++)
    if (g_str_equal (titles[i].action, action))
      return titles[i].title != NULL ? _ (titles[i].title) : "";
  return NULL;
}
