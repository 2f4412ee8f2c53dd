/* test-saving.c: copies, pictures, values, pages and other formats, saved through the file dialog
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#include "config.h"

#include <glib/gstdio.h>
#include <linux/capability.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "../test-mode.h"
#include "shell-dialogs.h"

typedef struct
{
  TbWindow *window;
  TbDocument *document;
  GFile *folder;
} Fixture;

static void
set_up (Fixture *self, gconstpointer data)
{
  g_autoptr (GFile) file = shell_inbox ();
  g_autofree char *path = g_dir_make_tmp ("tailback-saving-XXXXXX", NULL);

  g_assert_nonnull (path);
  self->folder = g_file_new_for_path (path);
  self->window = shell_new_window ();
  self->document = shell_open (self->window, file);
}

static void
tear_down (Fixture *self, gconstpointer data)
{
  g_autoptr (GFileEnumerator) children
      = g_file_enumerate_children (self->folder, G_FILE_ATTRIBUTE_STANDARD_NAME, 0, NULL, NULL);
  GFile *child;

  shell_close_window (self->window);
  g_assert_cmpint (g_chmod (g_file_peek_path (self->folder), 0700), ==, 0);
  while (g_file_enumerator_iterate (children, NULL, &child, NULL, NULL) && child != NULL)
    g_assert_true (g_file_delete (child, NULL, NULL));
  g_assert_true (g_file_delete (self->folder, NULL, NULL));
  g_clear_object (&self->folder);
}

/* Reads the file's present contents. */
static char *
load (Fixture *self, const char *name, gsize *length)
{
  g_autoptr (GFile) file = g_file_get_child (self->folder, name);
  g_autoptr (GError) error = NULL;
  char *contents;

  g_file_load_contents (file, NULL, &contents, length, NULL, &error);
  g_assert_no_error (error);
  return contents;
}

static guint
count_files (Fixture *self)
{
  g_autoptr (GDir) dir = g_dir_open (g_file_peek_path (self->folder), 0, NULL);
  guint n = 0;

  while (g_dir_read_name (dir) != NULL)
    n++;
  return n;
}

static void
save (Fixture *self, const char *action, const char *parameter, const char *name, ShellSave how)
{
  g_free (shell_save (self->window, action,
                      parameter != NULL ? g_variant_new_string (parameter) : NULL, self->folder,
                      name, how));
}

static void
wait_saved (Fixture *self, const char *name)
{
  g_autofree char *saved = g_strdup_printf ("“%s” saved", name);

  shell_wait_text (GTK_WIDGET (self->window), saved);
}

/* --- a copy --- */

static char *
list_threads (TbDocument *document)
{
  GString *list = g_string_new (NULL);
  guint n;
  const TbThread *threads = tb_session_get_threads (tb_document_get_session (document), &n);

  for (guint i = 0; i < n; i++)
    g_string_append_printf (list, "%s ", threads[i].name);
  return g_string_free (list, FALSE);
}

static void
test_copy (Fixture *self, gconstpointer data)
{
  g_autofree char *suggested = NULL, *before = list_threads (self->document), *after = NULL,
                  *row = NULL;
  g_autoptr (GFile) copy = g_file_get_child (self->folder, "kept.tailback");
  TbDocument *opened;
  guint n;

  /* Cancelled: nothing is written. */
  save (self, "save-copy", NULL, NULL, SHELL_SAVE_CANCEL);
  g_assert_cmpuint (count_files (self), ==, 0);

  shell_activate (self->window, "add-bookmark", NULL);
  suggested
      = shell_save (self->window, "save-copy", NULL, self->folder, "kept.tailback", SHELL_SAVE_NEW);
  g_assert_cmpstr (suggested, ==, "inbox.csv.tailback");
  shell_wait_text (GTK_WIDGET (self->window), "Copy saved");
  g_assert_cmpuint (count_files (self), ==, 1);

  /* The copy opens, with all previous and added contents. */
  opened = shell_open (self->window, copy);
  g_assert_cmpint (tb_document_get_state (opened), ==, TB_DOCUMENT_READY);
  after = list_threads (opened);
  g_assert_cmpstr (after, ==, before);
  tb_session_get_bookmarks (tb_document_get_session (opened), &n);
  g_assert_cmpuint (n, ==, 1);

  /* A copy of a copy, with another suggested name. */
  g_clear_pointer (&suggested, g_free);
  suggested = shell_save (self->window, "save-copy", NULL, self->folder, "again.tailback",
                          SHELL_SAVE_NEW);
  g_assert_cmpstr (suggested, ==, "kept (copy).tailback");
  shell_wait_text (GTK_WIDGET (self->window), "Copy saved");
}

static gboolean
is_complete (gpointer data)
{
  Fixture *self = data;
  g_autofree char *contents = NULL;

  contents = load (self, "there.tailback", NULL);
  return g_str_has_prefix (contents, "SQLite format 3");
}

static void
test_copy_exists (Fixture *self, gconstpointer data)
{
  g_autoptr (GFile) file = g_file_get_child (self->folder, "there.tailback");
  g_autofree char *contents = NULL, *message = NULL;
  TbDocument *opened;

  g_assert_true (g_file_replace_contents (file, "mine", 4, NULL, FALSE, 0, NULL, NULL, NULL));
  save (self, "save-copy", NULL, "there.tailback", SHELL_SAVE_KEEP);
  contents = load (self, "there.tailback", NULL);
  g_assert_cmpstr (contents, ==, "mine");
  save (self, "save-copy", NULL, "there.tailback", SHELL_SAVE_REPLACE);
  shell_wait_text (GTK_WIDGET (self->window), "Copy saved");
  g_assert_true (is_complete (self));
  opened = shell_open (self->window, file);
  g_assert_cmpint (tb_document_get_state (opened), ==, TB_DOCUMENT_READY);

  /* Onto itself: an open recording is not overwritten. */
  save (self, "save-copy", NULL, "there.tailback", SHELL_SAVE_REPLACE);
  message = shell_answer (self->window, "_Close");
  g_test_message ("%s", message);
  g_assert_true (g_str_has_prefix (message, "The Copy Could Not Be Saved\n"));
  g_assert_true (is_complete (self));
  shell_activate (self->window, "close-tab", NULL);
  g_assert_cmpint (tb_document_get_state (shell_open (self->window, file)), ==, TB_DOCUMENT_READY);
}

/* --- where nothing can be written --- */

/* Drops capabilities, which would override the permissions. */
static void
drop_capabilities (void)
{
  struct __user_cap_header_struct header = { .version = _LINUX_CAPABILITY_VERSION_3 };
  struct __user_cap_data_struct sets[2];

  g_assert_cmpint (syscall (SYS_capget, &header, sets), ==, 0);
  sets[0].effective &= ~(1u << CAP_DAC_OVERRIDE);
  g_assert_cmpint (syscall (SYS_capset, &header, sets), ==, 0);
}

static const struct
{
  const char *action;
  const char *parameter;
  const char *name;
  const char *heading;
} refused[] = {
  { "save-copy", NULL, "copy.tailback", "The Copy Could Not Be Saved" },
  { "export-figure", "png", "figure.png", "Export Failed" },
  { "export-figure", "svg", "figure.svg", "Export Failed" },
  { "export-figure", "pdf", "figure.pdf", "Export Failed" },
  { "export-figure", "csv", "figure.csv", "Export Failed" },
  { "export-with", "events-csv", "events.csv", "Export Failed" },
  { "export-report", NULL, "report.html", "Report Not Saved" },
};

static void
test_read_only (Fixture *self, gconstpointer data)
{
  /* The refused export of a figure that the quick mode tries. */
  guint drawn = 1 + (guint) g_test_rand_int_range (0, 4);

  g_assert_cmpint (g_chmod (g_file_peek_path (self->folder), 0500), ==, 0);
  for (guint i = 0; i < G_N_ELEMENTS (refused); i++)
    {
      g_autofree char *message = NULL;

      if (!test_is_thorough () && i != drawn && g_str_equal (refused[i].action, "export-figure"))
        continue;
      save (self, refused[i].action, refused[i].parameter, refused[i].name, SHELL_SAVE_NEW);
      message = shell_answer (self->window, "_Close");
      g_test_message ("%s: %s", refused[i].name, message);
      g_assert_true (g_str_has_prefix (message, refused[i].heading));
      g_assert_nonnull (strstr (message, "Permission denied"));
      g_assert_cmpuint (count_files (self), ==, 0);
    }
  g_assert_cmpint (tb_document_get_state (self->document), ==, TB_DOCUMENT_READY);
}

/* --- figures --- */

static void
assert_is_png (const char *contents, gsize length)
{
  g_autoptr (GBytes) bytes = g_bytes_new (contents, length);
  g_autoptr (GError) error = NULL;
  g_autoptr (GdkTexture) texture = gdk_texture_new_from_bytes (bytes, &error);

  g_assert_no_error (error);
  g_assert_cmpint (gdk_texture_get_width (texture), >, 200);
  g_assert_cmpint (gdk_texture_get_height (texture), >, 100);
}

static void
assert_is_svg (const char *contents)
{
  const GMarkupParser parser = { NULL };
  g_autoptr (GMarkupParseContext) context = g_markup_parse_context_new (&parser, 0, NULL, NULL);
  g_autoptr (GError) error = NULL;

  g_assert_nonnull (strstr (contents, "<svg "));
  g_markup_parse_context_parse (context, contents, -1, &error);
  g_assert_no_error (error);
  g_assert_true (g_markup_parse_context_end_parse (context, &error));
}

static void
assert_is_csv (const char *contents, gsize length)
{
  g_auto (GStrv) lines = g_strsplit (contents, "\r\n", -1);

  g_assert_true (g_utf8_validate (contents, (gssize) length, NULL));
  g_assert_cmpuint (g_strv_length (lines), >=, 3);
  g_assert_nonnull (strchr (lines[0], ','));
}

static void
assert_is (const char *format, const char *contents, gsize length)
{
  if (g_str_equal (format, "png"))
    assert_is_png (contents, length);
  else if (g_str_equal (format, "svg"))
    assert_is_svg (contents);
  else if (g_str_equal (format, "csv"))
    assert_is_csv (contents, length);
  else
    {
      g_assert_cmpmem (contents, 5, "%PDF-", 5);
      g_assert_nonnull (g_strrstr_len (contents + length - 10, 10, "%%EOF"));
    }
}

#define N_TIMELINE 4u

/* Every figure in one format, and one of them in every format; the quick mode draws one of these at
 * random. */
static void
test_figures (Fixture *self, gconstpointer data)
{
  static const char *const saved[][2]
      = { { "timeline", "png" }, { "timeline", "svg" }, { "timeline", "pdf" },
          { "timeline", "csv" }, { "flame", "png" },    { "histogram", "svg" },
          { "heatmap", "pdf" },  { "graph", "png" },    { "table", "csv" } };

  g_assert_true (
      tb_document_page_show_analysis (tb_window_get_document_page (self->window), "every-figure"));
  shell_wait_settled (self->document);
  for (guint i = test_first (N_TIMELINE); i < G_N_ELEMENTS (saved);
       i += i < N_TIMELINE ? test_step (N_TIMELINE - i) : 1)
    {
      g_autofree char *suggested = NULL, *contents = NULL;
      g_autofree char *name = g_strdup_printf ("%s.%s", saved[i][0], saved[i][1]);
      gsize length;

      shell_activate (self->window, "show-figure", g_variant_new_string (saved[i][0]));
      suggested = shell_save (self->window, "export-figure", g_variant_new_string (saved[i][1]),
                              self->folder, name, SHELL_SAVE_NEW);
      g_assert_true (g_str_has_prefix (suggested, "inbox.csv - "));
      g_assert_true (g_str_has_suffix (suggested, strrchr (name, '.')));
      wait_saved (self, name);
      contents = load (self, name, &length);
      assert_is (saved[i][1], contents, length);
    }
}

/* The existing file stays if the question is answered with no; otherwise it is replaced. */
static void
test_figure_exists (Fixture *self, gconstpointer data)
{
  g_autoptr (GFile) file = g_file_get_child (self->folder, "figure.svg");
  g_autofree char *contents = NULL;

  g_assert_true (g_file_replace_contents (file, "mine", 4, NULL, FALSE, 0, NULL, NULL, NULL));
  save (self, "export-figure", "svg", "figure.svg", SHELL_SAVE_KEEP);
  contents = load (self, "figure.svg", NULL);
  g_assert_cmpstr (contents, ==, "mine");
  save (self, "export-figure", "svg", "figure.svg", SHELL_SAVE_REPLACE);
  wait_saved (self, "figure.svg");
  g_clear_pointer (&contents, g_free);
  contents = load (self, "figure.svg", NULL);
  assert_is_svg (contents);
}

/* --- the page, and exporter plug-ins --- */

static void
test_page (Fixture *self, gconstpointer data)
{
  g_autofree char *suggested = NULL, *page = NULL;

  suggested = shell_save (self->window, "export-report", NULL, self->folder, "report.html",
                          SHELL_SAVE_NEW);
  g_assert_cmpstr (suggested, ==, "inbox.csv.html");
  wait_saved (self, "report.html");
  page = load (self, "report.html", NULL);
  g_assert_true (g_str_has_prefix (page, "<!DOCTYPE html>"));
  g_assert_nonnull (strstr (page, "<svg "));
}

/* Accepts the dialog for options of the exporter when it is there. */
static gboolean
accept_options (gpointer window)
{
  GtkWidget *dialog = shell_find (window, "TbPluginOptionsDialog", NULL);
  GtkWidget *button = dialog != NULL ? shell_find (dialog, "GtkButton", "_Export…") : NULL;

  if (button == NULL || !gtk_widget_get_mapped (button))
    return G_SOURCE_CONTINUE;
  g_signal_emit_by_name (button, "clicked");
  return G_SOURCE_REMOVE;
}

static void
test_graphs (Fixture *self, gconstpointer data)
{
  g_autofree char *message = NULL, *suggested = NULL, *dot = NULL;

  /* The thread report has no graph. */
  g_timeout_add (50, accept_options, self->window);
  save (self, "export-with", "dot", "none.dot", SHELL_SAVE_NEW);
  message = shell_answer (self->window, "_Close");
  g_assert_nonnull (strstr (message, "has no graph"));
  g_assert_cmpuint (count_files (self), ==, 0);

  shell_activate (self->window, "show-analysis", g_variant_new_string ("wait-graph"));
  shell_wait_settled (self->document);
  g_timeout_add (50, accept_options, self->window);
  suggested = shell_save (self->window, "export-with", g_variant_new_string ("dot"), self->folder,
                          "waits.dot", SHELL_SAVE_NEW);
  g_assert_cmpstr (suggested, ==, "inbox.csv - Wait Graph.dot");
  wait_saved (self, "waits.dot");
  dot = load (self, "waits.dot", NULL);
  g_assert_true (g_str_has_prefix (dot, "digraph \"wait-graph\" {"));
  g_assert_nonnull (strstr (dot, " -> "));
}

/* The exported events are a recording again. */
static void
test_events (Fixture *self, gconstpointer data)
{
  g_autoptr (GFile) file = g_file_get_child (self->folder, "events.csv");
  g_autofree char *before = list_threads (self->document), *after = NULL;
  TbDocument *opened;

  save (self, "export-with", "events-csv", "events.csv", SHELL_SAVE_NEW);
  wait_saved (self, "events.csv");
  opened = shell_open (self->window, file);
  g_assert_cmpint (tb_document_get_state (opened), ==, TB_DOCUMENT_READY);
  after = list_threads (opened);
  g_assert_cmpstr (after, ==, before);
}

static GtkWidget *
find_search (gpointer window)
{
  GtkWidget *palette = shell_find (window, "TbCommandPalette", NULL);

  return palette != NULL ? shell_find (palette, "GtkSearchEntry", NULL) : NULL;
}

static gboolean
has_search (gpointer window)
{
  return find_search (window) != NULL;
}

/* All exporters are in the menu and among the commands. */
static void
test_menu (Fixture *self, gconstpointer data)
{
  g_autoptr (GPtrArray) exporters = tb_window_list_exporters ();

  g_assert_cmpuint (exporters->len, ==, 4);
  g_assert_cmpstr (exporters->pdata[0], ==, "dot");
  g_assert_cmpstr (exporters->pdata[1], ==, "Graphviz (dot)…");
  shell_activate (self->window, "commands", NULL);
  shell_wait (has_search, self->window, "the commands");
  gtk_editable_set_text (GTK_EDITABLE (find_search (self->window)), "export: gr");
  shell_wait_text (GTK_WIDGET (self->window), "Export: Graphviz");
  shell_activate (self->window, "commands", NULL);
}

int
main (int argc, char **argv)
{
  drop_capabilities ();
  shell_init (&argc, &argv);
  g_test_add ("/saving/copy", Fixture, NULL, set_up, test_copy, tear_down);
  g_test_add ("/saving/copy-exists", Fixture, NULL, set_up, test_copy_exists, tear_down);
  g_test_add ("/saving/read-only", Fixture, NULL, set_up, test_read_only, tear_down);
  g_test_add ("/saving/figures", Fixture, NULL, set_up, test_figures, tear_down);
  g_test_add ("/saving/figure-exists", Fixture, NULL, set_up, test_figure_exists, tear_down);
  g_test_add ("/saving/page", Fixture, NULL, set_up, test_page, tear_down);
  g_test_add ("/saving/graphs", Fixture, NULL, set_up, test_graphs, tear_down);
  g_test_add ("/saving/events", Fixture, NULL, set_up, test_events, tear_down);
  g_test_add ("/saving/menu", Fixture, NULL, set_up, test_menu, tear_down);
  return g_test_run ();
}
