/* test-table-view.c: a table by keyboard and by what is copied out of it
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#include "config.h"

#include <string.h>

#include "sample-figures.h"
#include "session/tb-schema.h"
#include "ui-test.h"
#include "widgets/tailback-gtk.h"

typedef struct
{
  TbTableFigure *figure;
  TbFocus *focus;
  GtkWidget *view;
  GtkColumnView *columns;
  GtkWindow *window;
} Fixture;

static void
fixture_init (Fixture *fixture, TbTableFigure *figure)
{
  fixture->figure = figure;
  fixture->focus = tb_focus_new (SAMPLE_START, SAMPLE_START + 265 * SAMPLE_MS);
  fixture->view = tb_table_view_new (figure, fixture->focus);
  fixture->window = ui_window (fixture->view, 900, 500);
  fixture->columns = GTK_COLUMN_VIEW (ui_find (fixture->view, "GtkColumnView"));
}

static void
fixture_clear (Fixture *fixture)
{
  ui_close (fixture->window);
  g_assert_finalize_object (fixture->focus);
  g_assert_finalize_object (fixture->figure);
}

/* The second field of each line, joined. */
static char *
order (Fixture *fixture)
{
  g_autofree char *text = tb_table_view_copy (TB_TABLE_VIEW (fixture->view));
  g_auto (GStrv) lines = g_strsplit (text, "\n", -1);
  GString *names = g_string_new (NULL);

  for (guint i = 1; lines[i] != NULL && lines[i][0] != '\0'; i++)
    {
      g_auto (GStrv) fields = g_strsplit (lines[i], "\t", -1);

      g_assert_cmpuint (g_strv_length (fields), ==, 7);
      g_string_append_printf (names, "%.6s ", fields[1]);
    }
  return g_string_free (names, FALSE);
}

static void
sort (Fixture *fixture, guint column, GtkSortType direction)
{
  g_autoptr (GtkColumnViewColumn) item
      = g_list_model_get_item (gtk_column_view_get_columns (fixture->columns), column);

  gtk_column_view_sort_by_column (fixture->columns, item, direction);
}

/* By value: "1 ms" comes before "13 ms" and "252 ms", and what is unknown is at one end. */
static void
test_sort (void)
{
  Fixture fixture;
  g_autofree char *as_it_came = NULL;
  g_autofree char *running = NULL;
  g_autofree char *waiting = NULL;
  g_autofree char *share = NULL;
  g_autofree char *name = NULL;

  fixture_init (&fixture, sample_table ());
  as_it_came = order (&fixture);
  g_assert_cmpstr (as_it_came, ==, "curl resolv nginx php-cg imap-l auth auth-w ");
  sort (&fixture, 2, GTK_SORT_DESCENDING);
  running = order (&fixture);
  g_assert_cmpstr (running, ==, "auth php-cg curl imap-l resolv nginx auth-w ");
  sort (&fixture, 3, GTK_SORT_DESCENDING);
  waiting = order (&fixture);
  g_assert_cmpstr (waiting, ==, "nginx imap-l curl php-cg auth resolv auth-w ");
  sort (&fixture, 4, GTK_SORT_DESCENDING);
  share = order (&fixture);
  g_assert_cmpstr (share, ==, "resolv auth php-cg curl imap-l nginx auth-w ");
  sort (&fixture, 1, GTK_SORT_ASCENDING);
  name = order (&fixture);
  g_assert_cmpstr (name, ==, "auth auth-w curl imap-l nginx php-cg resolv ");
  fixture_clear (&fixture);
}

static void
on_text (GObject *source, GAsyncResult *result, gpointer data)
{
  *(char **) data = gdk_clipboard_read_text_finish (GDK_CLIPBOARD (source), result, NULL);
}

static gboolean
is_set (gpointer data)
{
  return *(char **) data != NULL;
}

static void
test_copy (void)
{
  Fixture fixture;
  g_autofree char *text = NULL;

  fixture_init (&fixture, sample_table ());
  gtk_widget_grab_focus (fixture.view);
  tb_focus_select_thread (fixture.focus, 12);
  ui_key (fixture.view, "ctrl+c");
  gdk_clipboard_read_text_async (gtk_widget_get_clipboard (fixture.view), NULL, on_text, &text);
  ui_wait (is_set, &text);
  g_assert_cmpstr (text, ==,
                   "Process\tThread\tRunning\tWaiting\tShare\tSwitches\tWritten\n"
                   "nginx 812\tnginx\t4 ms\t261 ms\t1.5 %\t3\t2 KiB\n");
  fixture_clear (&fixture);
}

static void
test_search (void)
{
  Fixture fixture;
  TbTableView *view;

  fixture_init (&fixture, sample_table ());
  view = TB_TABLE_VIEW (fixture.view);
  g_assert_cmpuint (tb_table_view_get_n_shown (view), ==, 7);
  tb_table_view_set_search (view, "DOVECOT");
  g_assert_cmpuint (tb_table_view_get_n_shown (view), ==, 3);
  tb_table_view_set_search (view, "dovecot thread:auth");
  g_assert_cmpuint (tb_table_view_get_n_shown (view), ==, 2);
  tb_table_view_set_search (view, "longer:255ms");
  g_assert_cmpuint (tb_table_view_get_n_shown (view), ==, 2);
  tb_table_view_set_search (view, "zzz");
  ui_frames (fixture.view, 2);
  g_assert_cmpuint (tb_table_view_get_n_shown (view), ==, 0);
  g_assert_true (gtk_widget_get_mapped (ui_find (fixture.view, "AdwStatusPage")));
  tb_table_view_set_search (view, NULL);
  g_assert_cmpuint (tb_table_view_get_n_shown (view), ==, 7);
  fixture_clear (&fixture);
}

static void
test_selection (void)
{
  Fixture fixture;
  GtkSelectionModel *model;
  g_autoptr (GtkBitset) selected = NULL;

  fixture_init (&fixture, sample_table ());
  model = gtk_column_view_get_model (fixture.columns);
  gtk_selection_model_select_item (model, 3, TRUE);
  g_assert_cmpstr (tb_focus_get_figure (fixture.focus), ==, "states");
  g_assert_cmpstr (tb_focus_get_item (fixture.focus), ==, "13");
  g_assert_cmpuint (tb_focus_get_thread (fixture.focus), ==, 13);
  sort (&fixture, 2, GTK_SORT_DESCENDING);
  /* Selected elsewhere. */
  tb_focus_select_item (fixture.focus, "threads", "track-5", 15, 0, 1, NULL);
  selected = gtk_selection_model_get_selection (model);
  g_assert_cmpuint (gtk_bitset_get_size (selected), ==, 1);
  g_assert_cmpuint (gtk_bitset_get_minimum (selected), ==, 0);
  g_assert_cmpstr (tb_focus_get_item (fixture.focus), ==, "track-5");
  tb_focus_clear (fixture.focus);
  gtk_bitset_unref (selected);
  selected = gtk_selection_model_get_selection (model);
  g_assert_true (gtk_bitset_is_empty (selected));

  /* And by the keyboard. */
  gtk_widget_grab_focus (fixture.view);
  gtk_column_view_scroll_to (fixture.columns, 0, NULL, GTK_LIST_SCROLL_FOCUS, NULL);
  ui_frames (fixture.view, 2);
  ui_key (fixture.view, "Down");
  ui_key (fixture.view, "space");
  g_assert_cmpuint (tb_focus_get_thread (fixture.focus), !=, TB_ID_NONE);
  fixture_clear (&fixture);
}

static void
test_many (void)
{
  Fixture fixture;

  fixture_init (&fixture, sample_table_random (50000));
  g_assert_cmpuint (tb_table_view_get_n_shown (TB_TABLE_VIEW (fixture.view)), ==, 50000);
  sort (&fixture, 2, GTK_SORT_DESCENDING);
  ui_frames (fixture.view, 3);
  tb_focus_select_thread (fixture.focus, 40000);
  ui_frames (fixture.view, 3);
  fixture_clear (&fixture);
}

static void
test_empty (void)
{
  Fixture fixture;

  fixture_init (&fixture, sample_table_empty ());
  g_assert_true (gtk_widget_get_mapped (ui_find (fixture.view, "AdwStatusPage")));
  fixture_clear (&fixture);
}

int
main (int argc, char **argv)
{
  ui_test_init (&argc, &argv);
  g_test_add_func ("/table-view/sort", test_sort);
  g_test_add_func ("/table-view/copy", test_copy);
  g_test_add_func ("/table-view/search", test_search);
  g_test_add_func ("/table-view/selection", test_selection);
  g_test_add_func ("/table-view/many", test_many);
  g_test_add_func ("/table-view/empty", test_empty);
  return g_test_run ();
}
