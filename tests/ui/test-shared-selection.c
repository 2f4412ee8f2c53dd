/* test-shared-selection.c: the selection, history and filter of a document, and the chain of causes
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#include "config.h"

#include "shell-fixture.h"
#include "ui-test.h"
#include "widgets/tailback-gtk.h"

#define MS G_GINT64_CONSTANT (1000000)

static guint
get_n_shown (TbWindow *window)
{
  GtkWidget *view = shell_find (GTK_WIDGET (window), "TbTimelineView", NULL);

  return view != NULL ? tb_timeline_view_get_n_shown (TB_TIMELINE_VIEW (view)) : 0;
}

static gboolean
is_limited (gpointer window)
{
  return get_n_shown (window) == 2;
}

static gboolean
is_explained (gpointer window)
{
  return shell_find_text (window, "Unknown filter “proces:”") != NULL;
}

static gboolean
is_not_explained (gpointer window)
{
  return !is_explained (window);
}

static gboolean
shows_all (gpointer window)
{
  return get_n_shown (window) > 2;
}

static GtkWidget *
get_entry (TbWindow *window)
{
  GtkWidget *entry = shell_find (GTK_WIDGET (window), "GtkSearchEntry", NULL);

  g_assert_nonnull (entry);
  return entry;
}

/* A filter, typed once, limits the figures of all analyses. An invalid filter is reported below the
 * entry and changes nothing. */
static void
test_filter (void)
{
  TbWindow *window = shell_new_window ();
  g_autoptr (GFile) file = shell_inbox ();
  TbDocument *document = shell_open (window, file);
  int at;

  gtk_widget_grab_focus (shell_find (GTK_WIDGET (window), "TbTimelineView", NULL));
  ui_key (GTK_WIDGET (window), "slash");
  g_assert_true (
      gtk_widget_is_ancestor (gtk_window_get_focus (GTK_WINDOW (window)), get_entry (window)));
  gtk_editable_set_text (GTK_EDITABLE (get_entry (window)), "process:curl");
  shell_wait (is_limited, window, "tracks of the process alone");
  at = (int) strlen ("process:curl");
  gtk_editable_insert_text (GTK_EDITABLE (get_entry (window)), " proces:x", -1, &at);
  shell_wait (is_explained, window, "what is wrong with the filter");
  gtk_test_accessible_assert_state (get_entry (window), GTK_ACCESSIBLE_STATE_INVALID,
                                    GTK_ACCESSIBLE_INVALID_TRUE);
  g_assert_cmpuint (get_n_shown (window), ==, 2);
  shell_picture (window, "filter-wrong");
  gtk_editable_delete_text (GTK_EDITABLE (get_entry (window)), (int) strlen ("process:curl"), -1);
  g_assert_cmpstr (tb_filter_get_text (tb_document_get_filter (document)), ==, "process:curl");

  /* In another analysis. */
  shell_activate (window, "show-analysis", g_variant_new_string ("wait-graph"));
  shell_wait_settled (document);
  ui_frames (GTK_WIDGET (window), 2);
  g_assert_cmpstr (gtk_editable_get_text (GTK_EDITABLE (get_entry (window))), ==, "process:curl");
  g_assert_nonnull (shell_find (GTK_WIDGET (window), "TbGraphCanvas", NULL));
  gtk_editable_set_text (GTK_EDITABLE (get_entry (window)), "process:curl proces:x");
  shell_wait (is_explained, window, "what is wrong with the filter of the graph");
  gtk_editable_set_text (GTK_EDITABLE (get_entry (window)), "process:curl");
  shell_wait (is_not_explained, window, "nothing wrong with the filter of the graph");
  shell_activate (window, "show-analysis", g_variant_new_string ("threads"));
  tb_document_set_filter (document, NULL);
  shell_wait (shows_all, window, "all tracks");
  g_assert_cmpstr (gtk_editable_get_text (GTK_EDITABLE (get_entry (window))), ==, "");
  shell_close_window (window);
}

static void
test_back (void)
{
  TbWindow *window = shell_new_window ();
  g_autoptr (GFile) file = shell_inbox ();
  TbDocument *document = shell_open (window, file);
  TbFocus *focus = tb_document_get_focus (document);
  guint32 curl = shell_find_thread (document, "curl");

  g_assert_false (shell_is_enabled (window, "go-back"));
  tb_focus_select_thread (focus, curl);
  tb_focus_select_range (focus, 30 * MS, 118 * MS);
  g_assert_true (shell_is_enabled (window, "go-back"));
  gtk_widget_grab_focus (shell_find (GTK_WIDGET (window), "TbTimelineView", NULL));
  ui_key (GTK_WIDGET (window), "alt+Left");
  g_assert_false (tb_focus_get_range (focus, NULL, NULL));
  g_assert_cmpuint (tb_focus_get_thread (focus), ==, curl);
  g_assert_nonnull (
      shell_find_text (shell_find (GTK_WIDGET (window), "TbDetailsPane", NULL), "curl (1160)"));
  ui_key (GTK_WIDGET (window), "alt+Right");
  g_assert_true (tb_focus_get_range (focus, NULL, NULL));
  g_assert_false (shell_is_enabled (window, "go-forward"));
  /* Clearing the whole selection is one step of the history. */
  shell_activate (window, "clear-selection", NULL);
  shell_activate (window, "go-back", NULL);
  g_assert_true (tb_focus_get_range (focus, NULL, NULL));
  g_assert_cmpuint (tb_focus_get_thread (focus), ==, curl);
  shell_close_window (window);
}

/* "Why did this wait end?" repeated until there is no answer left. */
static void
test_causes (void)
{
  TbWindow *window = shell_new_window ();
  g_autoptr (GFile) file = shell_inbox ();
  TbDocument *document = shell_open (window, file);
  TbFocus *focus = tb_document_get_focus (document);
  g_autoptr (GString) walked = g_string_new (NULL);
  guint n = 0;
  gint64 from, to, next_from, next_to;

  g_assert_false (shell_is_enabled (window, "go-to-cause"));
  tb_focus_select_item (focus, "timeline", NULL, shell_find_thread (document, "curl"), 15 * MS,
                        260800000, NULL);
  gtk_widget_grab_focus (shell_find (GTK_WIDGET (window), "TbTimelineView", NULL));
  for (guint32 thread = TB_ID_NONE; n < 40; n++)
    {
      if (tb_focus_get_thread (focus) != thread)
        {
          thread = tb_focus_get_thread (focus);
          for (guint i = 0; i < 5; i++)
            {
              static const char *const names[]
                  = { "curl", "nginx", "php-cgi", "imap-login", "auth" };

              if (thread == shell_find_thread (document, names[i]))
                g_string_append_printf (walked, "%s ", names[i]);
            }
        }
      tb_focus_get_time (focus, &from, &to);
      ui_key (GTK_WIDGET (window), "c");
      g_assert_true (tb_focus_get_time (focus, &next_from, &next_to));
      if (tb_focus_get_thread (focus) == TB_ID_NONE || (next_from == from && next_to == to))
        break;
    }
  g_assert_true (g_str_has_prefix (walked->str, "curl nginx php-cgi imap-login auth "));
  shell_picture (window, "causes");
  while (tb_focus_get_thread (focus) != shell_find_thread (document, "curl"))
    {
      g_assert_true (shell_is_enabled (window, "go-back"));
      shell_activate (window, "go-back", NULL);
    }
  g_assert_true (tb_focus_get_time (focus, &from, NULL));
  g_assert_cmpint (from, ==, 15 * MS);
  shell_close_window (window);
}

static void
test_threads (void)
{
  TbWindow *window = shell_new_window ();
  g_autoptr (GFile) file = shell_inbox ();
  TbDocument *document = shell_open (window, file);
  TbFocus *focus = tb_document_get_focus (document);
  guint32 threads[]
      = { shell_find_thread (document, "curl"), shell_find_thread (document, "nginx") };

  tb_focus_select_threads (focus, threads, 2);
  shell_activate (window, "analyse-selection", NULL);
  shell_wait_settled (document);
  g_assert_nonnull (shell_find_text (GTK_WIDGET (window), "2 threads"));
  g_assert_true (tb_document_is_limited (document));
  ui_frames (GTK_WIDGET (window), 2);
  g_assert_cmpuint (get_n_shown (window), <, 12);
  shell_picture (window, "threads-selected");
  shell_activate (window, "analyse-all-threads", NULL);
  shell_wait_settled (document);
  g_assert_false (tb_document_is_limited (document));
  shell_close_window (window);
}

int
main (int argc, char **argv)
{
  shell_init (&argc, &argv);
  g_test_add_func ("/selection/filter", test_filter);
  g_test_add_func ("/selection/back", test_back);
  g_test_add_func ("/selection/causes", test_causes);
  g_test_add_func ("/selection/threads", test_threads);
  return g_test_run ();
}
