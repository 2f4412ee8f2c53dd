/* test-late-symbolization.c: late symbolization, after a symbol folder was added, and with files
 * from a server
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#include "config.h"

#include <elf.h>
#include <glib/gstdio.h>
#include <libsoup/soup.h>
#include <link.h>
#include <unistd.h>

#include "report/tb-figure-table.h"
#include "session/recorder/tb-recorder.h"
#include "shell-dialogs.h"

#define MS G_GINT64_CONSTANT (1000000)
#define FUNCTION "where_it_waits"
/* Modules whose functions only wake others. */
#define HIDDEN_START G_GUINT64_CONSTANT (0x7000000000)
#define HIDDEN_LENGTH 0x1000

/* The function whose address is in the recording. */
static G_GNUC_NO_INLINE int
where_it_waits (int value)
{
  return value * 3 + 1;
}

/* Reads the build ID of the first object in the list, the program itself. */
static int
read_build_id (struct dl_phdr_info *info, size_t size, gpointer data)
{
  for (guint i = 0; i < info->dlpi_phnum; i++)
    {
      const guint8 *at = (const guint8 *) (info->dlpi_addr + info->dlpi_phdr[i].p_vaddr);
      const guint8 *end = at + info->dlpi_phdr[i].p_memsz;

      while (info->dlpi_phdr[i].p_type == PT_NOTE && at + sizeof (ElfW (Nhdr)) <= end)
        {
          const ElfW (Nhdr) *note = (const ElfW (Nhdr) *) (gconstpointer) at;
          const guint8 *value = at + sizeof *note + ((note->n_namesz + 3) & ~3u);

          for (guint k = 0; note->n_type == NT_GNU_BUILD_ID && k < note->n_descsz; k++)
            g_string_append_printf (data, "%02x", value[k]);
          at = value + ((note->n_descsz + 3) & ~3u);
        }
    }
  return 1;
}

/* Adds this program's mappings as those of a program that no longer exists. */
static void
add_mappings (TbRecorder *recorder)
{
  g_autofree char *path = g_file_read_link ("/proc/self/exe", NULL);
  g_autoptr (GString) build_id = g_string_new (NULL);
  g_autofree char *maps = NULL;
  g_auto (GStrv) lines = NULL;
  guint32 module;

  dl_iterate_phdr (read_build_id, build_id);
  g_assert_cmpuint (build_id->len, >=, 16);
  module = tb_recorder_intern_module (recorder, TB_MODULE_FILE, "/gone/program", build_id->str, 10);
  g_assert_true (g_file_get_contents ("/proc/self/maps", &maps, NULL, NULL));
  lines = g_strsplit (maps, "\n", -1);
  for (guint i = 0; lines[i] != NULL; i++)
    {
      char *at = lines[i];
      guint64 start = g_ascii_strtoull (at, &at, 16);
      guint64 end = *at == '-' ? g_ascii_strtoull (at + 1, &at, 16) : 0;
      gboolean is_executable = strlen (at) > 6 && at[3] == 'x';
      TbEvent event
          = { .time = 1, .kind = TB_EVENT_MAPPING, .tid = 10, .pid = 10, .module = module };

      if (!is_executable || !g_str_has_suffix (lines[i], path))
        continue;
      event.a = start;
      event.b = end - start;
      event.c = g_ascii_strtoull (at + 6, NULL, 16);
      tb_recorder_add (recorder, &event);
    }
}

static void
add_switch (TbRecorder *recorder,
            gint64 time,
            gint32 from,
            gint32 to,
            const guint64 *chain,
            guint n_chain)
{
  TbEvent event = { .time = time,
                    .kind = TB_EVENT_SWITCH,
                    .code = from == 0 ? 'R' : 'S',
                    .tid = from,
                    .pid = from,
                    .a = (guint64) to,
                    .b = (guint64) to,
                    .chain = chain,
                    .n_chain = (guint16) n_chain };

  tb_recorder_add (recorder, &event);
}

static void
add_hidden_mappings (TbRecorder *recorder, guint n)
{
  for (guint i = 0; i < n; i++)
    {
      g_autofree char *path = g_strdup_printf ("/gone/hidden-%u", i);
      g_autofree char *build_id = g_strdup_printf ("00112233445566778899aabbccddee%02x", i);
      guint32 module = tb_recorder_intern_module (recorder, TB_MODULE_FILE, path, build_id, 11);

      tb_recorder_add (recorder, &(TbEvent) { .time = 1,
                                              .kind = TB_EVENT_MAPPING,
                                              .tid = 11,
                                              .pid = 11,
                                              .module = module,
                                              .a = HIDDEN_START + i * HIDDEN_LENGTH,
                                              .b = HIDDEN_LENGTH });
    }
}

/* Writes a thread that waits in a function, runs in it, and is woken by another, ten times. The
 * other one wakes it from functions of n_hidden modules, if any: each has more functions than the
 * program. */
static GFile *
write_recording (const char *name, guint n_hidden)
{
  GFile *file = shell_temporary (name);
  g_autoptr (GError) error = NULL;
  g_autoptr (TbRecorder) recorder = tb_recorder_new (file, FALSE, &error);
  const guint64 chain[] = { TB_CHAIN_USER, (guint64) where_it_waits + 4 };
  guint64 hidden[10][4];

  g_assert_no_error (error);
  g_assert_cmpint (where_it_waits (1), ==, 4);
  tb_recorder_add_host (recorder, "test", "", "x86_64", 1, 0);
  for (gint32 tid = 10; tid <= 11; tid++)
    tb_recorder_add (recorder, &(TbEvent) { .time = 1,
                                            .kind = TB_EVENT_EXISTING,
                                            .tid = tid,
                                            .pid = tid,
                                            .a = 1,
                                            .text = tb_recorder_intern_string (
                                                recorder, tid == 10 ? "program" : "waker", -1) });
  add_mappings (recorder);
  add_hidden_mappings (recorder, n_hidden);
  for (guint i = 0; i < G_N_ELEMENTS (hidden); i++)
    {
      gint64 time = 2 + i * 10 * MS;
      guint64 place = HIDDEN_START + i % MAX (n_hidden, 1) * HIDDEN_LENGTH;

      hidden[i][0] = TB_CHAIN_USER;
      for (guint k = 1; k < G_N_ELEMENTS (hidden[i]); k++)
        hidden[i][k] = place + k * 0x100;
      add_switch (recorder, time, 0, 10, NULL, 0);
      tb_recorder_add (recorder, &(TbEvent) { .time = time + MS,
                                              .kind = TB_EVENT_SAMPLE,
                                              .tid = 10,
                                              .pid = 10,
                                              .a = 1,
                                              .chain = chain,
                                              .n_chain = G_N_ELEMENTS (chain) });
      add_switch (recorder, time + 2 * MS, 10, 11, chain, G_N_ELEMENTS (chain));
      tb_recorder_add (recorder, &(TbEvent) { .time = time + 8 * MS,
                                              .kind = TB_EVENT_WAKEUP,
                                              .tid = 11,
                                              .pid = 11,
                                              .a = 10,
                                              .chain = n_hidden > 0 ? hidden[i] : chain,
                                              .n_chain = n_hidden > 0 ? 4 : 2 });
      add_switch (recorder, time + 9 * MS, 11, 0, chain, G_N_ELEMENTS (chain));
    }
  g_assert_true (tb_recorder_finish (recorder, &error));
  g_assert_no_error (error);
  return file;
}

/* Counts the table cells of a figure that contain a text. */
static guint
count_cells (TbFigure *figure, const char *text)
{
  g_autoptr (TbTableFigure) table = tb_figure_to_table (figure);
  guint n = 0;

  for (guint row = 0; row < tb_table_figure_get_n_rows (table); row++)
    for (guint column = 0; column < tb_table_figure_get_n_columns (table); column++)
      {
        g_autofree char *cell = tb_table_figure_format_cell (table, row, column);

        n += strstr (cell, text) != NULL;
      }
  return n;
}

typedef struct
{
  TbDocument *document;
  guint n_named; /* figures with the name */
  guint n_unnamed;
} Names;

/* Reads the function's name in all figures of all analyses. */
static void
read_names (Names *self)
{
  GListModel *analyses = tb_document_get_analyses (self->document);

  self->n_named = self->n_unnamed = 0;
  for (guint i = 0; i < g_list_model_get_n_items (analyses); i++)
    {
      g_autoptr (TbAnalysisItem) item = g_list_model_get_item (analyses, i);
      TbReport *report = tb_analysis_item_get_report (item);

      for (guint k = 0; report != NULL && k < tb_report_get_n_figures (report); k++)
        {
          TbFigure *figure = tb_report_get_figure (report, k);
          guint n_named = count_cells (figure, FUNCTION),
                n_unnamed = count_cells (figure, "program+0x");

          g_test_message ("%s/%s: %u named, %u not", tb_analysis_item_get_id (item),
                          tb_figure_get_id (figure), n_named, n_unnamed);
          self->n_named += n_named > 0;
          self->n_unnamed += n_unnamed > 0;
        }
    }
}

static gboolean
is_all_named (gpointer data)
{
  Names *names = data;

  if (!tb_document_is_settled (names->document))
    return FALSE;
  read_names (names);
  return names->n_named > 0 && names->n_unnamed == 0;
}

static gboolean
lists_missing_file (gpointer data)
{
  g_auto (GStrv) warnings = tb_document_dup_warnings (data);
  g_autofree char *all = g_strjoinv ("\n", warnings);

  return strstr (all, "program: no file with the recorded build ID ") != NULL
         && strstr (all, "Add a symbol folder") != NULL;
}

static gboolean
lists_no_missing_file (gpointer data)
{
  return !lists_missing_file (data);
}

static void
test_folder (void)
{
  static const char *const analyses[] = { "threads", "wait-graph", "calling-contexts" };
  TbWindow *window = shell_new_window ();
  g_autoptr (GFile) file = write_recording ("unnamed.tailback", 0);
  Names names = { .document = shell_open (window, file) };
  g_autofree char *own = g_file_read_link ("/proc/self/exe", NULL), *image = NULL;
  g_autofree char *folder = g_dir_make_tmp ("tailback-renaming-XXXXXX", NULL);
  g_autofree char *program = g_build_filename (folder, "program", NULL);
  guint n_before;
  gsize length;

  for (guint i = 0; i < G_N_ELEMENTS (analyses); i++)
    {
      shell_activate (window, "show-analysis", g_variant_new_string (analyses[i]));
      shell_wait_settled (names.document);
    }
  read_names (&names);
  g_assert_cmpuint (names.n_named, ==, 0);
  n_before = names.n_unnamed;
  g_assert_cmpuint (n_before, >=, 4);
  shell_wait (lists_missing_file, names.document, "the list of files without names");

  g_assert_true (g_file_get_contents (own, &image, &length, NULL));
  g_assert_true (g_file_set_contents (program, image, (gssize) length, NULL));
  shell_add_symbol_folder (window, folder);
  shell_wait (is_all_named, &names, "the names");
  g_assert_cmpuint (names.n_named, ==, n_before);
  shell_wait (lists_no_missing_file, names.document, "the end of the list");
  /* The visible page is updated. */
  shell_activate (window, "show-analysis", g_variant_new_string ("calling-contexts"));
  shell_wait_settled (names.document);
  g_assert_nonnull (shell_find_text (GTK_WIDGET (window), FUNCTION));
  shell_picture (window, "renamed");
  g_settings_reset (tb_application_get_settings (shell_get_application ()), "symbol-folders");
  shell_close_window (window);
  g_unlink (program);
  g_rmdir (folder);
}

/* A server that has this program as an executable. */
typedef struct
{
  SoupServer *soup;
  guint n_requests;
  gboolean is_large;  /* announces 60 MB and sends nothing */
  char *build_id;     /* NULL: of any file; else requests of others are not answered */
  GPtrArray *waiting; /* SoupServerMessage */
  char *image;
  gsize length;
} Server;

static void
serve (SoupServer *soup,
       SoupServerMessage *message,
       const char *path,
       GHashTable *query,
       gpointer data)
{
  Server *self = data;

  self->n_requests++;
  if (self->build_id != NULL && strstr (path, self->build_id) == NULL)
    {
      soup_server_message_pause (message);
      g_ptr_array_add (self->waiting, g_object_ref (message));
      return;
    }
  soup_server_message_set_status (message, g_str_has_suffix (path, "/executable") ? 200 : 404,
                                  NULL);
  if (self->is_large)
    soup_message_headers_append (soup_server_message_get_response_headers (message),
                                 "X-DEBUGINFOD-SIZE", "60000000");
  if (g_str_has_suffix (path, "/executable"))
    soup_server_message_set_response (message, "application/octet-stream", SOUP_MEMORY_COPY,
                                      self->image, self->is_large ? 10 : self->length);
}

static char *
start_server (Server *self)
{
  g_autofree char *own = g_file_read_link ("/proc/self/exe", NULL);
  g_autoptr (GError) error = NULL;
  GSList *addresses;
  char *address;

  g_assert_true (g_file_get_contents (own, &self->image, &self->length, NULL));
  self->waiting = g_ptr_array_new_with_free_func (g_object_unref);
  self->soup = soup_server_new (NULL, NULL);
  soup_server_add_handler (self->soup, NULL, serve, self, NULL);
  g_assert_true (soup_server_listen_local (self->soup, 0, SOUP_SERVER_LISTEN_IPV4_ONLY, &error));
  g_assert_no_error (error);
  addresses = soup_server_get_uris (self->soup);
  address = g_uri_to_string (addresses->data);
  g_slist_free_full (addresses, (GDestroyNotify) g_uri_unref);
  return address;
}

static void
remove_cache (const char *path)
{
  g_autoptr (GDir) folder = g_dir_open (path, 0, NULL);
  const char *name;

  while (folder != NULL && (name = g_dir_read_name (folder)) != NULL)
    {
      g_autofree char *child = g_build_filename (path, name, NULL);

      if (g_file_test (child, G_FILE_TEST_IS_DIR))
        remove_cache (child);
      else
        g_unlink (child);
    }
  g_assert_cmpint (g_rmdir (path), ==, 0);
}

/* Removes what a test of a server set, and the cache. */
static void
stop_server (Server *self, const char *cache)
{
  g_settings_reset (tb_application_get_settings (shell_get_application ()), "debuginfod");
  soup_server_disconnect (self->soup);
  g_ptr_array_unref (self->waiting);
  g_object_unref (self->soup);
  g_free (self->build_id);
  g_free (self->image);
  g_unsetenv ("DEBUGINFOD_CACHE_PATH");
  g_unsetenv ("DEBUGINFOD_URLS");
  remove_cache (cache);
}

static gboolean
is_asking (gpointer files)
{
  return tb_debug_files_get_state (files) == TB_DEBUG_FILES_ASKING;
}

/* Nothing is sent until the preference is set; large files wait for another consent. */
static void
test_server (void)
{
  g_autofree char *cache = g_dir_make_tmp ("tailback-received-XXXXXX", NULL);
  Server server = { NULL };
  g_autofree char *address = start_server (&server);
  GSettings *settings = tb_application_get_settings (shell_get_application ());
  TbWindow *window = shell_new_window ();
  g_autoptr (GFile) file = write_recording ("received.tailback", 0);
  Names names = { NULL };
  TbDebugFiles *files;

  g_setenv ("DEBUGINFOD_CACHE_PATH", cache, TRUE);
  g_setenv ("DEBUGINFOD_URLS", address, TRUE);
  names.document = shell_open (window, file);
  files = tb_document_get_debug_files (names.document);
  shell_activate (window, "show-analysis", g_variant_new_string ("calling-contexts"));
  shell_wait_settled (names.document);
  read_names (&names);
  g_assert_cmpuint (names.n_unnamed, >, 0);
  g_assert_cmpint (tb_debug_files_get_state (files), ==, TB_DEBUG_FILES_IDLE);
  g_assert_cmpuint (server.n_requests, ==, 0);

  server.is_large = TRUE;
  g_settings_set_boolean (settings, "debuginfod", TRUE);
  shell_wait (is_asking, files, "the question about a large file");
  shell_wait_text (GTK_WIDGET (window), "60.0 MB were not received");
  shell_picture (window, "large-debug-file");
  read_names (&names);
  g_assert_cmpuint (names.n_named, ==, 0);

  server.is_large = FALSE;
  g_signal_emit_by_name (shell_find (GTK_WIDGET (window), "GtkButton", "_Receive"), "clicked");
  shell_wait (is_all_named, &names, "the names");
  g_assert_cmpint (tb_debug_files_get_state (files), ==, TB_DEBUG_FILES_IDLE);

  shell_close_window (window);
  stop_server (&server, cache);
}

static gboolean
is_idle (gpointer files)
{
  return tb_debug_files_get_state (files) == TB_DEBUG_FILES_IDLE;
}

/* Returns whether the current page shows the function while files of others are awaited. */
static gboolean
shows_name_early (gpointer data)
{
  Names *names = data;

  if (!tb_document_is_settled (names->document))
    return FALSE;
  read_names (names);
  g_assert_cmpint (tb_debug_files_get_state (tb_document_get_debug_files (names->document)), ==,
                   TB_DEBUG_FILES_RECEIVING);
  return names->n_named > 0;
}

/* Counts the modules in the list of missing names that have this remedy. */
static guint
count_remedies (TbDocument *document, const char *remedy)
{
  g_auto (GStrv) warnings = tb_document_dup_warnings (document);
  guint n = 0;

  for (guint i = 0; warnings[i] != NULL; i++)
    n += g_str_has_prefix (warnings[i], "hidden-")
         && strstr (warnings[i], "no file with the recorded build ID 0011223344") != NULL
         && strstr (warnings[i], remedy) != NULL;
  return n;
}

static gboolean
has_remedies (gpointer document)
{
  return count_remedies (document, "switch on debuginfod in the preferences") == 8;
}

/* Functions on the screen get their names first, while the files of others are still awaited. The
 * server never answers those: four requests of them would occupy all threads. */
static void
test_visible_first (void)
{
  g_autofree char *cache = g_dir_make_tmp ("tailback-received-XXXXXX", NULL);
  g_autoptr (GString) build_id = g_string_new (NULL);
  Server server = { NULL };
  g_autofree char *address = start_server (&server);
  GSettings *settings = tb_application_get_settings (shell_get_application ());
  TbWindow *window = shell_new_window ();
  g_autoptr (GFile) file = write_recording ("visible.tailback", 8);
  Names names = { NULL };
  TbDebugFiles *files;
  GtkWidget *box, *bar;

  dl_iterate_phdr (read_build_id, build_id);
  server.build_id = g_strdup (build_id->str);
  g_setenv ("DEBUGINFOD_CACHE_PATH", cache, TRUE);
  g_setenv ("DEBUGINFOD_URLS", address, TRUE);
  names.document = shell_open (window, file);
  files = tb_document_get_debug_files (names.document);
  shell_activate (window, "show-analysis", g_variant_new_string ("threads"));
  shell_wait_settled (names.document);
  g_assert_null (shell_find_text (GTK_WIDGET (window), "hidden-"));
  shell_wait (has_remedies, names.document, "the remedy for each file without names");

  g_settings_set_boolean (settings, "debuginfod", TRUE);
  shell_wait (shows_name_early, &names, "the names of visible functions");
  shell_wait_text (GTK_WIDGET (window), "Receiving debug files: 2 of 18");
  box = shell_find (GTK_WIDGET (window), "TbDebugFilesBox", NULL);
  bar = shell_find (box, "GtkProgressBar", NULL);
  g_assert_cmpfloat (gtk_progress_bar_get_fraction (GTK_PROGRESS_BAR (bar)), ==, 2.0 / 18);
  shell_picture (window, "receiving-debug-files");

  g_signal_emit_by_name (shell_find (GTK_WIDGET (window), "GtkButton", "_Cancel"), "clicked");
  shell_wait (is_idle, files, "the end of the run");
  g_assert_false (gtk_widget_get_mapped (box));
  read_names (&names);
  g_assert_cmpuint (names.n_named, >, 0);
  g_assert_cmpuint (count_remedies (names.document, "Add a symbol folder"), ==, 8);
  gtk_widget_activate_action (GTK_WIDGET (tb_window_get_document_page (window)),
                              "document.show-warnings", NULL);
  shell_wait_text (GTK_WIDGET (window), "hidden-7: no file with the recorded build ID");
  shell_picture (window, "unnamed-files");
  shell_close_dialog (window);
  shell_close_window (window);
  stop_server (&server, cache);
}

int
main (int argc, char **argv)
{
  shell_init (&argc, &argv);
  g_test_add_func ("/renaming/folder", test_folder);
  g_test_add_func ("/renaming/server", test_server);
  g_test_add_func ("/renaming/visible-first", test_visible_first);
  return g_test_run ();
}
