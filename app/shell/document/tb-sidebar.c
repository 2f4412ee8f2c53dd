/* tb-sidebar.c: sidebar of a document: analyses with number and severity of their findings, and how
 * many are switched off; bookmarks to go to, edit or remove; facts about the recording; progress of
 * symbolization and of debug files
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#include "config.h"

#include <glib/gi18n.h>

#include "extend/plugins/tb-engine.h"
#include "report/tb-report.h"
#include "shell/document/tb-short-text.h"
#include "shell/document/tb-bookmark-dialog.h"
#include "shell/document/tb-debug-files-box.h"
#include "shell/document/tb-severity-label.h"
#include "shell/document/tb-sidebar.h"

#define KEY_ITEM "tb-item"
#define KEY_BOOKMARK "tb-bookmark"

struct _TbSidebar
{
  AdwBin parent;

  TbDocument *document;
  GtkListBox *analyses_list;
  GtkWidget *off_button;
  GtkLabel *off_label;
  GtkWidget *bookmarks_box;
  GtkListBox *bookmarks_list;
  GtkWidget *no_bookmarks_label;
  TbDebugFilesBox *debug_files_box;
  GtkWidget *naming_box;
  GtkProgressBar *naming_bar;
  GtkLabel *facts_label;
};

enum
{
  SELECTED,
  ANALYSIS_ACTIVATED,
  BOOKMARK_ACTIVATED,
  N_SIGNALS
};

static guint signals[N_SIGNALS];

G_DEFINE_FINAL_TYPE (TbSidebar, tb_sidebar, ADW_TYPE_BIN)

static void
tb_sidebar_dispose (GObject *object)
{
  TbSidebar *self = TB_SIDEBAR (object);

  g_clear_object (&self->document);
  G_OBJECT_CLASS (tb_sidebar_parent_class)->dispose (object);
}

static void
tb_sidebar_class_init (TbSidebarClass *klass)
{
  GtkWidgetClass *widget_class = GTK_WIDGET_CLASS (klass);

  G_OBJECT_CLASS (klass)->dispose = tb_sidebar_dispose;
  signals[SELECTED] = g_signal_new ("analysis-selected", TB_TYPE_SIDEBAR, G_SIGNAL_RUN_LAST, 0,
                                    NULL, NULL, NULL, G_TYPE_NONE, 1, TB_TYPE_ANALYSIS_ITEM);
  /* Emitted for a click or Enter, also on the selected row. GtkListBox emits row-selected as soon
   * as a row gets the focus, so that signal does not suffice. */
  signals[ANALYSIS_ACTIVATED]
      = g_signal_new ("analysis-activated", TB_TYPE_SIDEBAR, G_SIGNAL_RUN_LAST, 0, NULL, NULL, NULL,
                      G_TYPE_NONE, 0);
  /* Emitted with the place of the bookmark: from, to, thread. */
  signals[BOOKMARK_ACTIVATED]
      = g_signal_new ("bookmark-activated", TB_TYPE_SIDEBAR, G_SIGNAL_RUN_LAST, 0, NULL, NULL, NULL,
                      G_TYPE_NONE, 3, G_TYPE_INT64, G_TYPE_INT64, G_TYPE_UINT);

  g_type_ensure (TB_TYPE_DEBUG_FILES_BOX);
  gtk_widget_class_set_template_from_resource (widget_class,
                                               "/org/tailback/Tailback/tb-sidebar.ui");
  gtk_widget_class_bind_template_child (widget_class, TbSidebar, analyses_list);
  gtk_widget_class_bind_template_child (widget_class, TbSidebar, off_button);
  gtk_widget_class_bind_template_child (widget_class, TbSidebar, off_label);
  gtk_widget_class_bind_template_child (widget_class, TbSidebar, bookmarks_box);
  gtk_widget_class_bind_template_child (widget_class, TbSidebar, bookmarks_list);
  gtk_widget_class_bind_template_child (widget_class, TbSidebar, no_bookmarks_label);
  gtk_widget_class_bind_template_child (widget_class, TbSidebar, debug_files_box);
  gtk_widget_class_bind_template_child (widget_class, TbSidebar, naming_box);
  gtk_widget_class_bind_template_child (widget_class, TbSidebar, naming_bar);
  gtk_widget_class_bind_template_child (widget_class, TbSidebar, facts_label);
}

static void
analysis_selected (TbSidebar *self, GtkListBoxRow *row)
{
  if (row != NULL)
    g_signal_emit (self, signals[SELECTED], 0, g_object_get_data (G_OBJECT (row), KEY_ITEM));
}

static void
analysis_activated (TbSidebar *self)
{
  g_signal_emit (self, signals[ANALYSIS_ACTIVATED], 0);
}

static const TbBookmark *
find_bookmark (TbSidebar *self, gint64 id)
{
  guint n;
  const TbBookmark *bookmarks
      = tb_session_get_bookmarks (tb_document_get_session (self->document), &n);

  for (guint i = 0; i < n; i++)
    if (bookmarks[i].id == id)
      return &bookmarks[i];
  return NULL;
}

static void
bookmark_activated (TbSidebar *self, GtkListBoxRow *row)
{
  const gint64 *id = g_object_get_data (G_OBJECT (row), KEY_BOOKMARK);
  const TbBookmark *bookmark = find_bookmark (self, *id);

  if (bookmark != NULL)
    g_signal_emit (self, signals[BOOKMARK_ACTIVATED], 0, bookmark->from, bookmark->to,
                   bookmark->thread);
}

static void
tb_sidebar_init (TbSidebar *self)
{
  gtk_widget_init_template (GTK_WIDGET (self));
  g_signal_connect_object (self->analyses_list, "row-selected", G_CALLBACK (analysis_selected),
                           self, G_CONNECT_SWAPPED);
  g_signal_connect_object (self->analyses_list, "row-activated", G_CALLBACK (analysis_activated),
                           self, G_CONNECT_SWAPPED);
  g_signal_connect_object (self->bookmarks_list, "row-activated", G_CALLBACK (bookmark_activated),
                           self, G_CONNECT_SWAPPED);
}

/* Analyses */

static void
update_badge (GtkLabel *badge, GParamSpec *pspec, TbAnalysisItem *item)
{
  guint n = tb_analysis_item_get_n_findings (item);
  TbSeverity severity = tb_analysis_item_get_severity (item);
  g_autofree char *text = g_strdup_printf ("%u", n);
  g_autofree char *description = g_strdup_printf (ngettext ("%u finding, the most severe: %s",
                                                            "%u findings, the most severe: %s", n),
                                                  n, tb_severity_get_label (severity));

  for (TbSeverity i = TB_SEVERITY_INFO; i <= TB_SEVERITY_HIGH; i++)
    gtk_widget_remove_css_class (GTK_WIDGET (badge), tb_severity_get_style_class (i));
  gtk_widget_add_css_class (GTK_WIDGET (badge), tb_severity_get_style_class (severity));
  gtk_label_set_text (badge, text);
  gtk_widget_set_tooltip_text (GTK_WIDGET (badge), description);
  gtk_accessible_update_property (GTK_ACCESSIBLE (badge), GTK_ACCESSIBLE_PROPERTY_LABEL,
                                  description, -1);
  gtk_widget_set_visible (GTK_WIDGET (badge), n > 0);
}

static void
badge_item_changed (TbAnalysisItem *item, GParamSpec *pspec, GtkLabel *badge)
{
  update_badge (badge, pspec, item);
}

static GtkWidget *
make_analysis_row (gpointer object, gpointer data)
{
  TbAnalysisItem *item = object;
  GtkWidget *row = gtk_list_box_row_new ();
  GtkWidget *box = gtk_box_new (GTK_ORIENTATION_HORIZONTAL, 6);
  GtkWidget *label = gtk_label_new (tb_analysis_item_get_name (item));
  GtkWidget *spinner = adw_spinner_new ();
  GtkWidget *badge = gtk_label_new (NULL);

  gtk_label_set_xalign (GTK_LABEL (label), 0);
  gtk_label_set_ellipsize (GTK_LABEL (label), PANGO_ELLIPSIZE_END);
  gtk_widget_set_hexpand (label, TRUE);
  tb_short_text_add_tooltip (label);
  gtk_widget_set_tooltip_text (row, tb_analysis_item_get_description (item));
  gtk_widget_add_css_class (badge, "badge");
  gtk_widget_add_css_class (badge, "numeric");
  gtk_widget_set_valign (badge, GTK_ALIGN_CENTER);
  gtk_widget_set_valign (spinner, GTK_ALIGN_CENTER);
  g_object_bind_property (item, "running", spinner, "visible", G_BINDING_SYNC_CREATE);
  update_badge (GTK_LABEL (badge), NULL, item);
  g_signal_connect_object (item, "notify::n-findings", G_CALLBACK (badge_item_changed), badge, 0);
  gtk_box_append (GTK_BOX (box), label);
  gtk_box_append (GTK_BOX (box), spinner);
  gtk_box_append (GTK_BOX (box), badge);
  gtk_list_box_row_set_child (GTK_LIST_BOX_ROW (row), box);
  gtk_accessible_update_property (GTK_ACCESSIBLE (row), GTK_ACCESSIBLE_PROPERTY_LABEL,
                                  tb_analysis_item_get_name (item), -1);
  g_object_set_data_full (G_OBJECT (row), KEY_ITEM, g_object_ref (item), g_object_unref);
  return row;
}

/**
 * tb_sidebar_select:
 * @item: an analysis of the document
 *
 * Selects the analysis, as a click does.
 */
void
tb_sidebar_select (TbSidebar *self, TbAnalysisItem *item)
{
  GtkListBoxRow *row;

  g_return_if_fail (TB_IS_SIDEBAR (self));

  for (int i = 0; (row = gtk_list_box_get_row_at_index (self->analyses_list, i)) != NULL; i++)
    if (g_object_get_data (G_OBJECT (row), KEY_ITEM) == item)
      gtk_list_box_select_row (self->analyses_list, row);
}

/* Bookmarks */

static void
bookmark_removed (GtkButton *button, TbSidebar *self)
{
  const gint64 *id = g_object_get_data (G_OBJECT (button), KEY_BOOKMARK);

  tb_document_remove_bookmark (self->document, *id);
}

static void
bookmark_edited (GtkButton *button, TbSidebar *self)
{
  const gint64 *id = g_object_get_data (G_OBJECT (button), KEY_BOOKMARK);
  const TbBookmark *bookmark = find_bookmark (self, *id);

  if (bookmark != NULL)
    adw_dialog_present (tb_bookmark_dialog_new (self->document, bookmark->id, bookmark->name),
                        GTK_WIDGET (self));
}

static GtkWidget *
make_bookmark_button (TbSidebar *self,
                      const TbBookmark *bookmark,
                      const char *icon,
                      const char *tooltip,
                      const char *name,
                      GCallback clicked)
{
  GtkWidget *button = gtk_button_new_from_icon_name (icon);

  gtk_widget_add_css_class (button, "flat");
  gtk_widget_add_css_class (button, "small-button");
  gtk_widget_set_valign (button, GTK_ALIGN_CENTER);
  gtk_widget_set_tooltip_text (button, tooltip);
  gtk_accessible_update_property (GTK_ACCESSIBLE (button), GTK_ACCESSIBLE_PROPERTY_LABEL, name, -1);
  g_object_set_data_full (G_OBJECT (button), KEY_BOOKMARK,
                          g_memdup2 (&bookmark->id, sizeof bookmark->id), g_free);
  g_signal_connect_object (button, "clicked", clicked, self, 0);
  return button;
}

/* The first line is the name; the duration and the note are below. */
static GtkWidget *
make_bookmark_text (const TbBookmark *bookmark)
{
  g_auto (GStrv) lines = g_strsplit (bookmark->name, "\n", 2);
  gboolean has_note = lines[0] != NULL && lines[1] != NULL && lines[1][0] != '\0';
  g_autofree char *length = tb_format_duration (bookmark->to - bookmark->from);
  g_autofree char *text
      = has_note ? g_strdup_printf ("%s\n%s", length, lines[1]) : g_strdup (length);
  GtkWidget *box = gtk_box_new (GTK_ORIENTATION_VERTICAL, 0);
  GtkWidget *label = gtk_label_new (lines[0]), *note = gtk_label_new (text);

  gtk_label_set_xalign (GTK_LABEL (label), 0);
  gtk_label_set_ellipsize (GTK_LABEL (label), PANGO_ELLIPSIZE_END);
  gtk_label_set_xalign (GTK_LABEL (note), 0);
  gtk_label_set_wrap (GTK_LABEL (note), TRUE);
  gtk_label_set_wrap_mode (GTK_LABEL (note), PANGO_WRAP_WORD_CHAR);
  gtk_label_set_lines (GTK_LABEL (note), 4);
  gtk_label_set_ellipsize (GTK_LABEL (note), PANGO_ELLIPSIZE_END);
  gtk_widget_add_css_class (note, "dimmed");
  gtk_widget_add_css_class (note, "caption");
  gtk_widget_set_hexpand (box, TRUE);
  gtk_widget_set_tooltip_text (box, bookmark->name);
  gtk_box_append (GTK_BOX (box), label);
  gtk_box_append (GTK_BOX (box), note);
  return box;
}

static GtkWidget *
make_bookmark_row (TbSidebar *self, const TbBookmark *bookmark)
{
  GtkWidget *row = gtk_list_box_row_new ();
  GtkWidget *box = gtk_box_new (GTK_ORIENTATION_HORIZONTAL, 6);
  GtkWidget *icon = gtk_image_new_from_icon_name ("tb-bookmark-symbolic");
  g_autofree char *edit_name = g_strdup_printf (_ ("Edit the bookmark “%s”"), bookmark->name);
  g_autofree char *remove_name = g_strdup_printf (_ ("Remove the bookmark “%s”"), bookmark->name);

  gtk_image_set_pixel_size (GTK_IMAGE (icon), 12);
  gtk_accessible_update_property (GTK_ACCESSIBLE (row), GTK_ACCESSIBLE_PROPERTY_LABEL,
                                  bookmark->name, -1);
  g_object_set_data_full (G_OBJECT (row), KEY_BOOKMARK,
                          g_memdup2 (&bookmark->id, sizeof bookmark->id), g_free);
  gtk_box_append (GTK_BOX (box), icon);
  gtk_box_append (GTK_BOX (box), make_bookmark_text (bookmark));
  gtk_box_append (GTK_BOX (box),
                  make_bookmark_button (self, bookmark, "document-edit-symbolic", _ ("Edit"),
                                        edit_name, G_CALLBACK (bookmark_edited)));
  gtk_box_append (GTK_BOX (box),
                  make_bookmark_button (self, bookmark, "edit-delete-symbolic", _ ("Remove"),
                                        remove_name, G_CALLBACK (bookmark_removed)));
  gtk_list_box_row_set_child (GTK_LIST_BOX_ROW (row), box);
  return row;
}

static void
fill_bookmarks (TbSidebar *self)
{
  TbSession *session = tb_document_get_session (self->document);
  guint n = 0;
  const TbBookmark *bookmarks = session != NULL ? tb_session_get_bookmarks (session, &n) : NULL;

  gtk_list_box_remove_all (self->bookmarks_list);
  gtk_widget_set_visible (GTK_WIDGET (self->bookmarks_list), n > 0);
  gtk_widget_set_visible (self->no_bookmarks_label,
                          n == 0 && tb_document_is_recording (self->document));
  for (guint i = 0; i < n; i++)
    gtk_list_box_append (self->bookmarks_list, make_bookmark_row (self, &bookmarks[i]));
}

/* Shows, below the list, how many analyses the user has switched off. */
static void
count_analyses_off (TbSidebar *self)
{
  g_autoptr (GPtrArray) plugins = tb_engine_list (tb_engine_get_default ());
  g_autofree char *text = NULL;
  guint n = 0;

  for (guint i = 0; i < plugins->len; i++)
    {
      const TbPluginInfo *info = g_ptr_array_index (plugins, i);

      n += info->disabled && strcmp (info->kind, "analysis") == 0;
    }
  text = g_strdup_printf (ngettext ("%u analysis is switched off", "%u analyses are switched off",
                                    n),
                          n);
  gtk_label_set_label (self->off_label, text);
  gtk_widget_set_visible (self->off_button, n > 0);
}

/**
 * tb_sidebar_set_document:
 * @document: document to show; set only once, when it has a session
 */
void
tb_sidebar_set_document (TbSidebar *self, TbDocument *document)
{
  g_return_if_fail (TB_IS_SIDEBAR (self) && self->document == NULL);

  self->document = g_object_ref (document);
  gtk_list_box_bind_model (self->analyses_list, tb_document_get_analyses (document),
                           make_analysis_row, self, NULL);
  g_signal_connect_object (document, "bookmarks-changed", G_CALLBACK (fill_bookmarks), self,
                           G_CONNECT_SWAPPED);
  g_object_bind_property (document, "facts", self->facts_label, "label", G_BINDING_SYNC_CREATE);
  g_object_bind_property (document, "naming", self->naming_box, "visible", G_BINDING_SYNC_CREATE);
  g_object_bind_property (tb_document_get_symbolization_progress (document), "share",
                          self->naming_bar, "fraction", G_BINDING_SYNC_CREATE);
  tb_debug_files_box_set_files (self->debug_files_box, tb_document_get_debug_files (document));
  count_analyses_off (self);
  gtk_widget_set_visible (self->bookmarks_box, tb_document_is_recording (document));
  fill_bookmarks (self);
}
