/* test-plugin-options.c: options of importers and exporters, which are chosen before they run:
 * rows, values of the last run, reset, cancelling, files that are opened again or compared
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#include "config.h"

#include <string.h>

#include "shell-dialogs.h"

#define DEFAULTS "header=1 width=40 share=0.25 order=0 shortest=1000000 note= hidden="
#define CHANGED "header=0 width=64 share=0.75 order=1 shortest=2500000 note=<all> hidden=a,b"

typedef struct
{
  TbWindow *window;
  TbDocument *document;
  GSettings *settings;
  GFile *out;
} Fixture;

static void
set_up (Fixture *self, gconstpointer data)
{
  g_autoptr (GFile) file = shell_inbox ();
  g_autofree char *path = g_dir_make_tmp ("tailback-options-XXXXXX", NULL);

  g_assert_nonnull (path);
  self->out = g_file_new_for_path (path);
  self->settings = tb_application_get_settings (shell_get_application ());
  g_settings_reset (self->settings, "plugin-options");
  self->window = shell_new_window ();
  self->document = shell_open (self->window, file);
}

static void
tear_down (Fixture *self, gconstpointer data)
{
  g_autoptr (GFileEnumerator) children
      = g_file_enumerate_children (self->out, G_FILE_ATTRIBUTE_STANDARD_NAME, 0, NULL, NULL);
  GFile *child;

  shell_close_window (self->window);
  while (g_file_enumerator_iterate (children, NULL, &child, NULL, NULL) && child != NULL)
    g_assert_true (g_file_delete (child, NULL, NULL));
  g_assert_true (g_file_delete (self->out, NULL, NULL));
  g_clear_object (&self->out);
}

/* --- the dialog --- */

static gboolean
has_dialog (gpointer window)
{
  return shell_find (window, "TbPluginOptionsDialog", NULL) != NULL;
}

static gboolean
has_no_dialog (gpointer window)
{
  return !has_dialog (window);
}

/* The contents of a dialog are shown when it has a size. */
static gboolean
has_rows (gpointer window)
{
  return shell_find (window, "TbOptionRows", NULL) != NULL;
}

static GtkWidget *
wait_for_dialog (Fixture *self)
{
  shell_wait (has_rows, self->window, "the dialog for options");
  return shell_find (GTK_WIDGET (self->window), "TbPluginOptionsDialog", NULL);
}

static void
press (Fixture *self, const char *label)
{
  GtkWidget *button
      = shell_find (shell_find (GTK_WIDGET (self->window), "TbPluginOptionsDialog", NULL),
                    "GtkButton", label);

  g_assert_nonnull (button);
  g_assert_true (gtk_widget_is_sensitive (button));
  g_signal_emit_by_name (button, "clicked");
  shell_wait (has_no_dialog, self->window, "the end of the dialog");
}

static GtkWidget *
find_row (GtkWidget *dialog, const char *title)
{
  GtkWidget *row = shell_find_row (dialog, ADW_TYPE_PREFERENCES_ROW, title);

  if (row == NULL)
    g_error ("no row “%s”", title);
  return row;
}

static void
assert_subtitle (GtkWidget *dialog, const char *title, const char *subtitle)
{
  g_assert_cmpstr (adw_action_row_get_subtitle (ADW_ACTION_ROW (find_row (dialog, title))), ==,
                   subtitle);
}

/* The types of rows, explanations, bounds and choices. */
static void
assert_rows (GtkWidget *dialog)
{
  GtkAdjustment *width = adw_spin_row_get_adjustment (ADW_SPIN_ROW (find_row (dialog, "Width")));
  GtkStringList *orders
      = GTK_STRING_LIST (adw_combo_row_get_model (ADW_COMBO_ROW (find_row (dialog, "Order"))));

  assert_subtitle (dialog, "Header", "Begin with the names of the columns");
  assert_subtitle (dialog, "Width", "Greatest width of a column");
  assert_subtitle (dialog, "Order", "By what lines are sorted");
  g_assert_true (ADW_IS_SWITCH_ROW (find_row (dialog, "Header")));
  g_assert_cmpfloat (gtk_adjustment_get_lower (width), ==, 8);
  g_assert_cmpfloat (gtk_adjustment_get_upper (width), ==, 80);
  g_assert_cmpuint (g_list_model_get_n_items (G_LIST_MODEL (orders)), ==, 2);
  g_assert_cmpstr (gtk_string_list_get_string (orders, 1), ==, "By Name");
  g_assert_cmpstr (gtk_widget_get_tooltip_text (find_row (dialog, "Shortest Wait")), ==,
                   "Shorter waits are left out");
}

static void
type (GtkWidget *dialog, const char *title, const char *text)
{
  gtk_editable_set_text (GTK_EDITABLE (find_row (dialog, title)), text);
}

/* All values of CHANGED. */
static void
change_all (GtkWidget *dialog)
{
  adw_switch_row_set_active (ADW_SWITCH_ROW (find_row (dialog, "Header")), FALSE);
  adw_spin_row_set_value (ADW_SPIN_ROW (find_row (dialog, "Width")), 64);
  adw_spin_row_set_value (ADW_SPIN_ROW (find_row (dialog, "Share")), 0.75);
  adw_combo_row_set_selected (ADW_COMBO_ROW (find_row (dialog, "Order")), 1);
  type (dialog, "Shortest Wait", "2.5ms");
  type (dialog, "Note", "<all>");
  type (dialog, "Hidden Names", "a,b");
}

static void
assert_values (GtkWidget *dialog, gboolean changed)
{
  g_assert_true (adw_switch_row_get_active (ADW_SWITCH_ROW (find_row (dialog, "Header")))
                 == !changed);
  g_assert_cmpfloat (adw_spin_row_get_value (ADW_SPIN_ROW (find_row (dialog, "Width"))), ==,
                     changed ? 64 : 40);
  g_assert_cmpfloat (adw_spin_row_get_value (ADW_SPIN_ROW (find_row (dialog, "Share"))), ==,
                     changed ? 0.75 : 0.25);
  g_assert_cmpuint (adw_combo_row_get_selected (ADW_COMBO_ROW (find_row (dialog, "Order"))), ==,
                    changed ? 1 : 0);
  g_assert_cmpstr (gtk_editable_get_text (GTK_EDITABLE (find_row (dialog, "Shortest Wait"))), ==,
                   changed ? "2500us" : "1ms");
  g_assert_cmpstr (gtk_editable_get_text (GTK_EDITABLE (find_row (dialog, "Hidden Names"))), ==,
                   changed ? "a,b" : "");
}

/* --- exporters --- */

static void export (Fixture *self, const char *name, const char *expected)
{
  g_autoptr (GFile) file = g_file_get_child (self->out, name);
  g_autofree char *suggested
      = shell_save (self->window, NULL, NULL, self->out, name, SHELL_SAVE_NEW);
  g_autofree char *saved = g_strdup_printf ("“%s” saved", name);
  g_autofree char *contents = NULL;

  g_assert_cmpstr (suggested, ==, "inbox.csv - Threads.txt");
  shell_wait_text (GTK_WIDGET (self->window), saved);
  g_assert_true (g_file_load_contents (file, NULL, &contents, NULL, NULL, NULL));
  g_assert_cmpstr (contents, ==, expected);
}

static GtkWidget *
request_export (Fixture *self)
{
  shell_activate (self->window, "export-with", g_variant_new_string ("listed"));
  return wait_for_dialog (self);
}

static guint
count_stored (Fixture *self)
{
  g_autoptr (GVariant) stored = g_settings_get_value (self->settings, "plugin-options");

  return (guint) g_variant_n_children (stored);
}

/* By their names, not by their ids. */
static void
test_order (Fixture *self, gconstpointer data)
{
  static const char *const ids[] = { "dot", "listed", "events-csv" };
  g_autoptr (GPtrArray) exporters = tb_window_list_exporters ();

  g_assert_cmpuint (exporters->len, ==, 2 * G_N_ELEMENTS (ids));
  for (guint i = 0; i < G_N_ELEMENTS (ids); i++)
    g_assert_cmpstr (exporters->pdata[2 * i], ==, ids[i]);
}

static void
test_export (Fixture *self, gconstpointer data)
{
  GtkWidget *dialog = request_export (self), *rows;

  g_assert_cmpstr (adw_dialog_get_title (ADW_DIALOG (dialog)), ==, "Export as Listed Options");
  rows = shell_find (dialog, "TbOptionRows", NULL);
  g_assert_cmpstr (adw_preferences_group_get_description (ADW_PREFERENCES_GROUP (rows)), ==,
                   "Writes nothing but its options & their values");
  assert_rows (dialog);
  assert_values (dialog, FALSE);
  shell_picture (self->window, "export-options");
  press (self, "_Export…");
  export (self, "defaults.txt", DEFAULTS);
  g_assert_cmpuint (count_stored (self), ==, 0);

  change_all (request_export (self));
  press (self, "_Export…");
  export (self, "changed.txt", CHANGED);
  g_assert_cmpuint (count_stored (self), ==, 7);

  /* The next export begins with these values, and can go back to the defaults. */
  dialog = request_export (self);
  assert_values (dialog, TRUE);
  gtk_widget_activate_action (dialog, "options.reset", NULL);
  assert_values (dialog, FALSE);
  press (self, "_Export…");
  export (self, "reset.txt", DEFAULTS);
  g_assert_cmpuint (count_stored (self), ==, 0);
}

/* A value that is not accepted cannot be exported with. */
static void
test_invalid (Fixture *self, gconstpointer data)
{
  GtkWidget *dialog = request_export (self);
  GtkWidget *button = shell_find (dialog, "GtkButton", "_Export…");

  type (dialog, "Shortest Wait", "soon");
  g_assert_false (gtk_widget_is_sensitive (button));
  g_assert_true (gtk_widget_has_css_class (find_row (dialog, "Shortest Wait"), "error"));
  type (dialog, "Shortest Wait", "1ms");
  g_assert_true (gtk_widget_is_sensitive (button));
  press (self, "_Export…");
  export (self, "valid.txt", DEFAULTS);
}

/* Neither a file nor the settings change. */
static void
test_cancelled_export (Fixture *self, gconstpointer data)
{
  g_autofree char *suggested = NULL;

  change_all (request_export (self));
  press (self, "_Cancel");
  g_assert_cmpuint (count_stored (self), ==, 0);
  assert_values (request_export (self), FALSE);
  press (self, "_Export…");
  /* The dialog for the file is cancelled, too. */
  suggested = shell_save (self->window, NULL, NULL, NULL, NULL, SHELL_SAVE_CANCEL);
  g_assert_cmpstr (suggested, ==, "inbox.csv - Threads.txt");
}

/* Values of an older version of the plug-in, or of another one. */
static void
test_stored (Fixture *self, gconstpointer data)
{
  static const char *const stored[][2] = {
    { "exporter/listed/width", "900" },    { "exporter/listed/order", "color" },
    { "exporter/listed/none", "1" },       { "exporter/listed/shortest", "2s" },
    { "importer/listed/header", "false" }, { "exporter/list/header", "false" },
  };
  GVariantDict *dict = g_variant_dict_new (NULL);
  GtkWidget *dialog;

  for (guint i = 0; i < G_N_ELEMENTS (stored); i++)
    g_variant_dict_insert (dict, stored[i][0], "s", stored[i][1]);
  g_variant_dict_insert (dict, "exporter/listed/note", "i", 3);
  g_settings_set_value (self->settings, "plugin-options", g_variant_dict_end (dict));
  g_variant_dict_unref (dict);
  dialog = request_export (self);
  g_assert_cmpstr (gtk_editable_get_text (GTK_EDITABLE (find_row (dialog, "Shortest Wait"))), ==,
                   "2s");
  press (self, "_Export…");
  export (self, "stored.txt",
          "header=1 width=40 share=0.25 order=0 shortest=2000000000 note= hidden=");
}

/* --- importers --- */

static GFile *
write_log (const char *name)
{
  GFile *file = shell_temporary (name);
  g_autoptr (GError) error = NULL;

  g_file_replace_contents (file, "# listed\n", 9, NULL, FALSE, G_FILE_CREATE_NONE, NULL, NULL,
                           &error);
  g_assert_no_error (error);
  return file;
}

static gboolean
is_ready (gpointer document)
{
  return tb_document_get_state (document) == TB_DOCUMENT_READY;
}

/* The name of the imported thread. */
static const char *
wait_for_thread (TbDocument *document)
{
  guint n;
  const TbThread *threads;

  shell_wait (is_ready, document, "the recording");
  threads = tb_session_get_threads (tb_document_get_session (document), &n);
  for (guint i = 0; i < n; i++)
    if (threads[i].tid == 7)
      return threads[i].name;
  return NULL;
}

static void
test_import (Fixture *self, gconstpointer data)
{
  g_autoptr (GFile) file = write_log ("events & more.log");
  TbDocument *document = tb_document_page_get_document (tb_window_open (self->window, file, TRUE));
  GtkWidget *dialog = wait_for_dialog (self);

  g_assert_cmpstr (adw_dialog_get_title (ADW_DIALOG (dialog)), ==, "Open “events & more.log”");
  g_assert_nonnull (shell_find_text (dialog, "Imports one thread"));
  assert_rows (dialog);
  change_all (dialog);
  shell_picture (self->window, "import-options");
  press (self, "_Open");
  g_assert_cmpstr (wait_for_thread (document), ==, CHANGED);
  g_assert_cmpuint (count_stored (self), ==, 7);
}

/* The tab of a file that is not opened after all is closed. */
static void
test_cancelled_import (Fixture *self, gconstpointer data)
{
  g_autoptr (GFile) file = write_log ("other.log");

  tb_window_open (self->window, file, TRUE);
  change_all (wait_for_dialog (self));
  press (self, "_Cancel");
  g_assert_false (tb_window_has_document (self->window, file));
  g_assert_cmpuint (count_stored (self), ==, 0);
  g_assert_cmpint (tb_document_get_state (self->document), ==, TB_DOCUMENT_READY);
}

/* The dialog goes with its tab. */
static void
test_closed_tab (Fixture *self, gconstpointer data)
{
  g_autoptr (GFile) file = write_log ("closed.log");

  tb_window_open (self->window, file, TRUE);
  wait_for_dialog (self);
  shell_activate (self->window, "close-tab", NULL);
  shell_wait (has_no_dialog, self->window, "the dialog to close");
  g_assert_false (tb_window_has_document (self->window, file));
}

/* A recording of the last session is opened with the same options, without a dialog. */
static void
test_restored (Fixture *self, gconstpointer data)
{
  g_autoptr (GFile) file = write_log ("again.log");
  g_autoptr (GVariant) documents = NULL;
  TbDocumentPage *page = tb_window_open (self->window, file, TRUE);

  change_all (wait_for_dialog (self));
  press (self, "_Open");
  wait_for_thread (tb_document_page_get_document (page));
  documents = g_variant_ref_sink (tb_window_list_documents (self->window));
  shell_activate (self->window, "close-tab", NULL);
  g_assert_false (tb_window_has_document (self->window, file));
  tb_window_open_documents (self->window, documents);
  page = tb_window_get_document_page (self->window);
  g_assert_true (g_file_equal (tb_document_get_file (tb_document_page_get_document (page)), file));
  g_assert_cmpstr (wait_for_thread (tb_document_page_get_document (page)), ==, CHANGED);
  g_assert_false (has_dialog (self->window));
}

/* Both sides of a comparison are imported with the options of the last import. */
static void
test_compared (Fixture *self, gconstpointer data)
{
  g_autoptr (GFile) base = write_log ("base.log");
  g_autoptr (GFile) other = write_log ("other.log");
  TbDocumentPage *page = tb_window_open (self->window, base, TRUE);

  change_all (wait_for_dialog (self));
  press (self, "_Open");
  wait_for_thread (tb_document_page_get_document (page));
  page = tb_window_compare (self->window, base, other, TRUE);
  g_assert_cmpstr (wait_for_thread (tb_document_page_get_document (page)), ==, CHANGED);
  g_assert_false (has_dialog (self->window));
}

int
main (int argc, char **argv)
{
  shell_init (&argc, &argv);
  g_test_add ("/plugin-options/order", Fixture, NULL, set_up, test_order, tear_down);
  g_test_add ("/plugin-options/export", Fixture, NULL, set_up, test_export, tear_down);
  g_test_add ("/plugin-options/invalid", Fixture, NULL, set_up, test_invalid, tear_down);
  g_test_add ("/plugin-options/cancelled-export", Fixture, NULL, set_up, test_cancelled_export,
              tear_down);
  g_test_add ("/plugin-options/stored", Fixture, NULL, set_up, test_stored, tear_down);
  g_test_add ("/plugin-options/import", Fixture, NULL, set_up, test_import, tear_down);
  g_test_add ("/plugin-options/cancelled-import", Fixture, NULL, set_up, test_cancelled_import,
              tear_down);
  g_test_add ("/plugin-options/closed-tab", Fixture, NULL, set_up, test_closed_tab, tear_down);
  g_test_add ("/plugin-options/restored", Fixture, NULL, set_up, test_restored, tear_down);
  g_test_add ("/plugin-options/compared", Fixture, NULL, set_up, test_compared, tear_down);
  return g_test_run ();
}
