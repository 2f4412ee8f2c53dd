/* shell-fixture.c: the application in the test's own process, and user actions
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#include "config.h"

#include <glib/gstdio.h>

#include "../test-folder.h"
#include "base/tb-locale.h"
#include "shell-fixture.h"
#include "ui-test.h"
#include "widgets/tb-widget-snapshot.h"

#define PATIENCE_S 60

static TbApplication *application;
static char *folder;

static void
remove_folder (void)
{
  test_folder_remove (folder);
}

void
shell_init (int *argc, char ***argv)
{
  g_autoptr (GError) error = NULL;

  tb_locale_init ();
  folder = g_dir_make_tmp ("tailback-shell-XXXXXX", &error);
  g_assert_no_error (error);
  atexit (remove_folder);
  g_setenv ("XDG_CACHE_HOME", folder, TRUE);
  g_setenv ("XDG_DATA_HOME", folder, TRUE);
  g_setenv ("XDG_CONFIG_HOME", folder, TRUE);
  g_test_init (argc, argv, NULL);

  application = tb_application_new ();
  g_application_set_flags (G_APPLICATION (application),
                           g_application_get_flags (G_APPLICATION (application))
                               | G_APPLICATION_NON_UNIQUE);
  g_application_register (G_APPLICATION (application), NULL, &error);
  g_assert_no_error (error);
  g_application_hold (G_APPLICATION (application));
  g_object_set (gtk_settings_get_default (), "gtk-enable-animations", FALSE, NULL);
}

TbApplication *
shell_get_application (void)
{
  return application;
}

static gboolean
on_timeout (gpointer data)
{
  *(gboolean *) data = TRUE;
  return G_SOURCE_CONTINUE;
}

void
shell_wait (ShellCondition condition, gpointer data, const char *what)
{
  gboolean timed_out = FALSE;
  guint timeout
      = g_timeout_add_seconds ((guint) ui_get_patience (PATIENCE_S), on_timeout, &timed_out);

  while (!condition (data) && !timed_out)
    g_main_context_iteration (NULL, TRUE);
  g_source_remove (timeout);
  if (timed_out)
    g_error ("waited %d s for %s", (int) ui_get_patience (PATIENCE_S), what);
}

static gboolean
is_mapped (gpointer widget)
{
  return gtk_widget_get_mapped (widget);
}

TbWindow *
shell_new_window (void)
{
  TbWindow *window = TB_WINDOW (
      tb_window_new (GTK_APPLICATION (application), tb_application_get_settings (application)));

  gtk_window_present (GTK_WINDOW (window));
  shell_wait (is_mapped, window, "the window");
  return window;
}

/* Answers the question about unsaved recordings: they are kept. */
static gboolean
is_gone (gpointer data)
{
  GtkWidget *window = *(gpointer *) data;
  GtkWidget *keep = window != NULL ? shell_find (window, "GtkButton", "_Keep") : NULL;

  if (keep != NULL && gtk_widget_get_mapped (keep))
    g_signal_emit_by_name (keep, "clicked");
  return *(gpointer *) data == NULL;
}

void
shell_close_window (TbWindow *window)
{
  gpointer left = window;

  g_object_add_weak_pointer (G_OBJECT (window), &left);
  gtk_window_close (GTK_WINDOW (window));
  shell_wait (is_gone, &left, "the window to be finalized");
}

GFile *
shell_inbox (void)
{
  return g_file_new_build_filename (g_getenv ("TAILBACK_BUILD"), "tests", "fixtures", "inbox.csv",
                                    NULL);
}

GFile *
shell_temporary (const char *name)
{
  return g_file_new_build_filename (folder, name, NULL);
}

static void
add_call (GString *text, int from, int to)
{
  g_string_append_printf (text, "%d000,0,sys_enter,,,,,,,11,,,read,,,\n", from);
  if (to - from > 100)
    {
      g_string_append_printf (text,
                              "%d000,0,switch,11,D,0,,,,,,,,main;entry_SYSCALL_64@[kernel];"
                              "vfs_read@[kernel];io_schedule@[kernel],,\n",
                              from + 1);
      g_string_append_printf (text, "%d000,1,wakeup,,,,12,11,,,,,,,,\n", to - 2);
      g_string_append_printf (text, "%d000,0,switch,0,R,11,,,,,,,,,,\n", to - 1);
    }
  g_string_append_printf (text, "%d000,0,sys_exit,,,,,,,11,,0,,,,\n", to);
}

/* Writes reads that take no time, and some that another thread delays: one every ten ms. */
GFile *
shell_write_reads (gboolean spread)
{
  g_autoptr (GString) text
      = g_string_new ("time_ns,cpu,kind,prev,prev_state,next,waker,wakee,vec,tid,dev,bytes,text,"
                      "stack,sector,socket\n");
  GFile *file = shell_temporary ("reads.csv");

  g_string_append (text,
                   "0,0,name,,,,10,,,11,,,app/reader,,,\n0,0,name,,,,10,,,12,,,app/flusher,,,\n");
  g_string_append (text, "1000,0,switch,0,R,11,,,,,,,,,,\n1000,1,switch,0,R,12,,,,,,,,,,\n");
  for (int i = 0; i < 40; i++)
    {
      for (int j = 0; j < 20; j++)
        {
          int start = 100 + i * 10000 + j * 100;

          add_call (text, start, start + (spread ? 2 + (i + j) * j / 20 : 2));
        }
      add_call (text, 5000 + i * 10000,
                5000 + i * 10000 + SHELL_LONGEST_READ_US - (spread ? i * i * 2 : i));
    }
  g_assert_true (g_file_replace_contents (file, text->str, text->len, NULL, FALSE,
                                          G_FILE_CREATE_NONE, NULL, NULL, NULL));
  return file;
}

static gboolean
is_settled (gpointer document)
{
  return tb_document_is_settled (document);
}

void
shell_wait_settled (TbDocument *document)
{
  shell_wait (is_settled, document, "the document to settle");
}

TbDocument *
shell_open (TbWindow *window, GFile *file)
{
  TbDocumentPage *page = tb_window_open (window, file, TRUE);
  TbDocument *document = tb_document_page_get_document (page);

  shell_wait_settled (document);
  return document;
}

guint32
shell_find_thread (TbDocument *document, const char *name)
{
  guint n;
  const TbThread *threads = tb_session_get_threads (tb_document_get_session (document), &n);

  for (guint i = 0; i < n; i++)
    if (g_strcmp0 (threads[i].name, name) == 0)
      return i;
  g_error ("no thread %s", name);
}

void
shell_activate (TbWindow *window, const char *action, GVariant *parameter)
{
  g_assert_true (g_action_group_get_action_enabled (G_ACTION_GROUP (window), action));
  g_action_group_activate_action (G_ACTION_GROUP (window), action, parameter);
}

TbDocument *
shell_open_every_figure (TbWindow *window)
{
  g_autoptr (GFile) file = shell_inbox ();
  TbDocument *document = shell_open (window, file);

  g_assert_true (
      tb_document_page_show_analysis (tb_window_get_document_page (window), "every-figure"));
  shell_wait_settled (document);
  return document;
}

void
shell_show_figure (TbWindow *window, const char *id)
{
  shell_activate (window, "show-figure", g_variant_new_string (id));
  g_assert_cmpstr (tb_document_page_get_figure (tb_window_get_document_page (window)), ==, id);
}

gboolean
shell_is_enabled (TbWindow *window, const char *action)
{
  return g_action_group_get_action_enabled (G_ACTION_GROUP (window), action);
}

static char *
get_text (GtkWidget *widget)
{
  static const char *const properties[] = { "label", "title", "text", "tooltip-text" };

  for (guint i = 0; i < G_N_ELEMENTS (properties); i++)
    {
      GParamSpec *pspec = g_object_class_find_property (G_OBJECT_GET_CLASS (widget), properties[i]);
      char *text = NULL;

      if (pspec == NULL || pspec->value_type != G_TYPE_STRING)
        continue;
      g_object_get (widget, properties[i], &text, NULL);
      if (text != NULL && text[0] != '\0')
        return text;
      g_free (text);
    }
  return NULL;
}

typedef struct
{
  const char *type_name;
  const char *text;
  gboolean part;
} Wanted;

static GtkWidget *
find (GtkWidget *widget, const Wanted *wanted)
{
  GType type = wanted->type_name != NULL ? g_type_from_name (wanted->type_name) : GTK_TYPE_WIDGET;
  g_autofree char *text = NULL;

  if (!gtk_widget_get_visible (widget))
    return NULL;
  if (type != 0 && g_type_is_a (G_OBJECT_TYPE (widget), type))
    {
      text = get_text (widget);
      if (wanted->text == NULL
          || (wanted->part && text != NULL && strstr (text, wanted->text) != NULL)
          || g_strcmp0 (text, wanted->text) == 0)
        return widget;
    }
  for (GtkWidget *child = gtk_widget_get_first_child (widget); child != NULL;
       child = gtk_widget_get_next_sibling (child))
    {
      GtkWidget *found = gtk_widget_get_child_visible (child) ? find (child, wanted) : NULL;

      if (found != NULL)
        return found;
    }
  return NULL;
}

GtkWidget *
shell_find (GtkWidget *root, const char *type_name, const char *text)
{
  return find (root, &(Wanted) { .type_name = type_name, .text = text });
}

GtkWidget *
shell_find_text (GtkWidget *root, const char *part)
{
  return find (root, &(Wanted) { .text = part, .part = TRUE });
}

typedef struct
{
  GtkWidget *root;
  const char *part;
} TextWait;

static gboolean
is_text_shown (gpointer data)
{
  const TextWait *wait = data;

  return shell_find_text (wait->root, wait->part) != NULL;
}

void
shell_wait_text (GtkWidget *root, const char *part)
{
  shell_wait (is_text_shown, &(TextWait) { root, part }, part);
}

static gboolean
is_timeline_shown (gpointer data)
{
  ShellTimeline *self = data;

  self->view = shell_find (GTK_WIDGET (self->window), "TbTimelineView", NULL);
  return self->view != NULL && gtk_widget_get_mapped (self->view)
         && gtk_widget_get_height (self->view) > 0;
}

void
shell_timeline_set_up (ShellTimeline *self, gconstpointer data)
{
  g_autoptr (GFile) file = shell_inbox ();

  self->window = shell_new_window ();
  self->document = shell_open (self->window, file);
  self->focus = tb_document_get_focus (self->document);
  shell_activate (self->window, "show-figure", g_variant_new_string ("timeline"));
  shell_wait (is_timeline_shown, self, "the timeline");
  ui_frames (GTK_WIDGET (self->window), 2);
  gtk_widget_grab_focus (self->view);
}

void
shell_timeline_tear_down (ShellTimeline *self, gconstpointer data)
{
  shell_close_window (self->window);
}

typedef struct
{
  gboolean done;
  gboolean drawn;
} Picture;

static void
written (GObject *object, GAsyncResult *result, gpointer data)
{
  Picture *picture = data;
  g_autoptr (GError) error = NULL;

  picture->drawn = tb_widget_snapshot_to_png_finish (GTK_WIDGET (object), result, &error);
  picture->done = TRUE;
}

static gboolean
is_done (gpointer data)
{
  return ((Picture *) data)->done;
}

void
shell_picture (TbWindow *window, const char *name)
{
  const char *pictures = g_getenv ("TAILBACK_PICTURES");
  g_autofree char *path = NULL;
  Picture picture = { FALSE, FALSE };

  if (pictures == NULL)
    return;
  path = g_strdup_printf ("%s/%s.png", pictures, name);
  /* Focus marks fade in. */
  ui_frames (GTK_WIDGET (window), 30);
  tb_widget_snapshot_to_png (GTK_WIDGET (window), path, NULL, written, &picture);
  shell_wait (is_done, &picture, "a picture");
  g_assert_true (picture.drawn);
}
