/* test-table-view.c: a table with the keyboard, and the text copied from it
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#include "config.h"

#include <string.h>

#include "sample-figures.h"
#include "session/schema/tb-schema.h"
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
get_order (Fixture *fixture)
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

/* Sorting by value: "1 ms" comes before "13 ms" and "252 ms", and unknown values are at one end. */
static gboolean
has_label (GtkWidget *widget, const char *text)
{
  if (GTK_IS_LABEL (widget) && g_str_has_prefix (gtk_label_get_text (GTK_LABEL (widget)), text))
    return TRUE;
  for (GtkWidget *child = gtk_widget_get_first_child (widget); child != NULL;
       child = gtk_widget_get_next_sibling (child))
    if (has_label (child, text))
      return TRUE;
  return FALSE;
}

static GtkWidget *
find_label (GtkWidget *widget, const char *text)
{
  if (GTK_IS_LABEL (widget) && g_str_has_prefix (gtk_label_get_text (GTK_LABEL (widget)), text))
    return widget;
  for (GtkWidget *child = gtk_widget_get_first_child (widget); child != NULL;
       child = gtk_widget_get_next_sibling (child))
    {
      GtkWidget *found = find_label (child, text);

      if (found != NULL)
        return found;
    }
  return NULL;
}

/* dx, dy: offset from the corner of the label */
static void
select_at (Fixture *fixture, const char *text, float dx, float dy)
{
  GtkWidget *label = find_label (fixture->view, text);
  graphene_point_t place;

  g_assert_nonnull (label);
  g_assert_true (
      gtk_widget_compute_point (label, fixture->view, &GRAPHENE_POINT_INIT (dx, dy), &place));
  tb_figure_view_select_at (TB_FIGURE_VIEW (fixture->view), place.x, place.y);
}

/* In any sort order: in a cell, and on its edge. */
static void
test_select_at (void)
{
  static const char *const names[] = { "curl", "nginx", "auth", "resolv" };
  Fixture fixture;

  fixture_init (&fixture, sample_table ());
  for (guint column = 1; column < 5; column++)
    {
      sort (&fixture, column, GTK_SORT_DESCENDING);
      ui_frames (fixture.view, 3);
      for (guint i = 0; i < G_N_ELEMENTS (names); i++)
        {
          g_autofree char *copy = NULL;

          select_at (&fixture, names[i], i % 2 == 0 ? 3 : -2, i % 2 == 0 ? 3 : -2);
          copy = tb_table_view_copy (TB_TABLE_VIEW (fixture.view));
          g_assert_nonnull (strstr (copy, names[i]));
          g_assert_nonnull (tb_focus_get_item (fixture.focus));
          /* One row below the headings. */
          g_assert_true (strchr (strchr (copy, '\n') + 1, '\n') == strrchr (copy, '\n'));
        }
    }
  fixture_clear (&fixture);
}

static void
test_sort (void)
{
  Fixture fixture;
  g_autofree char *original_order = NULL;
  g_autofree char *running = NULL;
  g_autofree char *waiting = NULL;
  g_autofree char *share = NULL;
  g_autofree char *name = NULL;

  fixture_init (&fixture, sample_table ());
  original_order = get_order (&fixture);
  g_assert_cmpstr (original_order, ==, "curl resolv nginx php-cg imap-l auth auth-w ");
  sort (&fixture, 2, GTK_SORT_DESCENDING);
  running = get_order (&fixture);
  g_assert_cmpstr (running, ==, "auth php-cg curl imap-l resolv nginx auth-w ");
  sort (&fixture, 3, GTK_SORT_DESCENDING);
  waiting = get_order (&fixture);
  g_assert_cmpstr (waiting, ==, "nginx imap-l curl php-cg auth resolv auth-w ");
  sort (&fixture, 4, GTK_SORT_DESCENDING);
  share = get_order (&fixture);
  g_assert_cmpstr (share, ==, "resolv auth php-cg curl imap-l nginx auth-w ");
  sort (&fixture, 1, GTK_SORT_ASCENDING);
  name = get_order (&fixture);
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

/* Copied in the form for programs, with the visible columns. */
static void
test_columns (void)
{
  Fixture fixture;
  TbTableView *view;
  g_autofree char *text = NULL;
  g_autofree char *csv = NULL;

  fixture_init (&fixture, sample_table ());
  view = TB_TABLE_VIEW (fixture.view);
  tb_table_view_set_column_shown (view, "running", FALSE);
  tb_table_view_set_column_shown (view, "switches", FALSE);
  g_assert_false (tb_table_view_get_column_shown (view, "running"));
  tb_focus_select_thread (fixture.focus, 16);
  text = tb_table_view_copy (view);
  g_assert_cmpstr (
      text, ==,
      "Process\tThread\tWaiting\tShare\tWritten\n"
      "dovecot 702\tauth-worker with a name that is too long for its column\t—\t—\t—\n");
  tb_focus_select_thread (fixture.focus, 13);
  csv = tb_table_view_copy_csv (view);
  g_assert_cmpstr (csv, ==,
                   "process,thread,waiting,share,bytes\r\n"
                   "php-cgi 934,php-cgi,240000000,0.0943396,512\r\n");
  /* With the menu of the headings; the last column stays. */
  gtk_widget_activate_action (fixture.view, "table-columns.c2", NULL);
  g_assert_true (tb_table_view_get_column_shown (view, "running"));
  for (guint i = 0; i < tb_table_figure_get_n_columns (fixture.figure); i++)
    tb_table_view_set_column_shown (view, tb_table_figure_get_column_id (fixture.figure, i), FALSE);
  g_assert_true (tb_table_view_get_column_shown (view, "bytes"));
  ui_frames (fixture.view, 2);
  fixture_clear (&fixture);
}

static void
test_filter (void)
{
  static const struct
  {
    const char *text;
    guint n;
  } cases[] = { { "dovecot", 3 },      { "process:curl", 2 },
                { "thread:auth", 2 },  { "process:dovecot thread:imap", 1 },
                { "longer:255ms", 2 }, { "function:whatever", 7 },
                { "zzz", 0 },          { "", 7 } };
  Fixture fixture;

  fixture_init (&fixture, sample_table ());
  for (guint i = 0; i < G_N_ELEMENTS (cases); i++)
    {
      g_autoptr (TbFilter) filter = tb_filter_parse (cases[i].text, NULL);

      tb_figure_view_set_filter (fixture.view, filter);
      g_assert_cmpuint (tb_table_view_get_n_shown (TB_TABLE_VIEW (fixture.view)), ==, cases[i].n);
    }
  fixture_clear (&fixture);
}

/* Texts with numbers are sorted by number, aligned like numbers, and copied as numbers. */
static void
test_measures (void)
{
  TbTableFigure *figure = tb_table_figure_new ("differences", "Differences");
  static const struct
  {
    const char *name, *text;
    TbCellType type;
    double value;
  } rows[] = { { "run", "9 ms", TB_CELL_DURATION, 9e6 },
               { "calls", "100", TB_CELL_COUNT, 100 },
               { "wait", "13 ms", TB_CELL_DURATION, 13e6 },
               { "wakes", "20", TB_CELL_COUNT, 20 },
               { "less", "-2.5 s", TB_CELL_DURATION, -2.5e9 } };
  Fixture fixture;
  g_autofree char *csv = NULL;
  g_autofree char *text = NULL;

  tb_table_figure_add_column (figure, "what", "What", TB_CELL_TEXT);
  tb_table_figure_add_column (figure, "delta", "Difference", TB_CELL_TEXT);
  for (guint i = 0; i < G_N_ELEMENTS (rows); i++)
    {
      guint row = tb_table_figure_add_row (figure, rows[i].name);

      tb_table_figure_set_text (figure, row, 0, rows[i].name);
      tb_table_figure_set_text (figure, row, 1, rows[i].text);
      tb_table_figure_set_measure (figure, row, 1, rows[i].type, rows[i].value, rows[i].value);
    }
  tb_figure_freeze (TB_FIGURE (figure));
  fixture_init (&fixture, figure);
  sort (&fixture, 1, GTK_SORT_DESCENDING);
  text = tb_table_view_copy (TB_TABLE_VIEW (fixture.view));
  g_assert_cmpstr (
      text, ==, "What\tDifference\nwait\t13 ms\nrun\t9 ms\nless\t-2.5 s\ncalls\t100\nwakes\t20\n");
  csv = tb_table_view_copy_csv (TB_TABLE_VIEW (fixture.view));
  g_assert_cmpstr (csv, ==,
                   "what,delta\r\nwait,13000000\r\nrun,9000000\r\nless,-2500000000\r\ncalls,"
                   "100\r\nwakes,20\r\n");
  tb_figure_view_set_search (fixture.view, "longer:10ms");
  g_assert_cmpuint (tb_table_view_get_n_shown (TB_TABLE_VIEW (fixture.view)), ==, 1);
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
  tb_figure_view_set_search (GTK_WIDGET (view), "DOVECOT");
  g_assert_cmpuint (tb_table_view_get_n_shown (view), ==, 3);
  tb_figure_view_set_search (GTK_WIDGET (view), "dovecot thread:auth");
  g_assert_cmpuint (tb_table_view_get_n_shown (view), ==, 2);
  tb_figure_view_set_search (GTK_WIDGET (view), "longer:255ms");
  g_assert_cmpuint (tb_table_view_get_n_shown (view), ==, 2);
  tb_figure_view_set_search (GTK_WIDGET (view), "zzz");
  ui_frames (fixture.view, 2);
  g_assert_cmpuint (tb_table_view_get_n_shown (view), ==, 0);
  g_assert_true (gtk_widget_get_mapped (ui_find (fixture.view, "AdwStatusPage")));
  tb_figure_view_set_search (GTK_WIDGET (view), NULL);
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

  /* And with the keyboard. */
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
  g_assert_cmpstr (adw_status_page_get_description (
                       ADW_STATUS_PAGE (ui_find (fixture.view, "AdwStatusPage"))),
                   ==, "The table has no rows.");
  fixture_clear (&fixture);
}

static char *
selected_items (GtkWidget *view)
{
  g_autofree char *text = tb_table_view_copy (TB_TABLE_VIEW (view));
  g_auto (GStrv) lines = g_strsplit (text, "\n", -1);
  GString *names = g_string_new (NULL);

  for (guint i = 1; lines[i] != NULL && lines[i][0] != '\0'; i++)
    {
      g_auto (GStrv) fields = g_strsplit (lines[i], "\t", -1);

      g_string_append_printf (names, "%s ", fields[1]);
    }
  return g_string_free (names, FALSE);
}

static double
get_scrolled (GtkWidget *view)
{
  GtkWidget *scroller
      = gtk_widget_get_ancestor (ui_find (view, "GtkColumnView"), GTK_TYPE_SCROLLED_WINDOW);

  return gtk_adjustment_get_value (
      gtk_scrolled_window_get_vadjustment (GTK_SCROLLED_WINDOW (scroller)));
}

/* After the figure is made again, rows are identified by name, not by position. */
static void
test_keep_place (void)
{
  Fixture fixture;
  g_autoptr (TbTableFigure) figure = sample_table_random (600);
  g_autofree char *before = NULL;
  g_autofree char *after = NULL;
  GtkSelectionModel *model;
  GtkColumnViewSorter *sorter;
  GtkWidget *view, *scroller;
  GtkWindow *window;

  fixture_init (&fixture, sample_table_random (500));
  sort (&fixture, 3, GTK_SORT_DESCENDING);
  model = gtk_column_view_get_model (fixture.columns);
  gtk_selection_model_select_item (model, 210, TRUE);
  gtk_selection_model_select_item (model, 212, FALSE);
  before = selected_items (fixture.view);
  ui_frames (fixture.view, 3);
  scroller = gtk_widget_get_ancestor (GTK_WIDGET (fixture.columns), GTK_TYPE_SCROLLED_WINDOW);
  gtk_adjustment_set_value (gtk_scrolled_window_get_vadjustment (GTK_SCROLLED_WINDOW (scroller)),
                            5000);
  ui_frames (fixture.view, 3);
  g_assert_cmpfloat (get_scrolled (fixture.view), >, 4000);

  view = g_object_ref_sink (
      tb_figure_view_new_after (TB_FIGURE (figure), fixture.focus, fixture.view));
  after = selected_items (view);
  g_assert_cmpstr (after, ==, before);
  window = ui_window (view, 900, 500);
  ui_frames (view, 4);
  g_assert_cmpfloat_with_epsilon (get_scrolled (view), get_scrolled (fixture.view), 60);
  sorter = GTK_COLUMN_VIEW_SORTER (
      gtk_column_view_get_sorter (GTK_COLUMN_VIEW (ui_find (view, "GtkColumnView"))));
  g_assert_cmpstr (gtk_column_view_column_get_id (
                       gtk_column_view_sorter_get_primary_sort_column (sorter)),
                   ==, "waiting");
  g_assert_cmpint (gtk_column_view_sorter_get_primary_sort_order (sorter), ==, GTK_SORT_DESCENDING);
  ui_close (window);
  g_object_unref (view);
  fixture_clear (&fixture);
}

/* A bar of all rows: its parts with mouse, keyboard and in words. */
static void
test_bar (void)
{
  Fixture fixture;
  GtkWidget *bar;
  double width;

  fixture_init (&fixture, sample_explanation ());
  bar = ui_find (fixture.view, "TbPartsBar");
  g_assert_nonnull (bar);
  g_assert_cmpuint (ui_count (fixture.view, "TbSwatch"), >=, 10);
  gtk_test_accessible_assert_role (bar, GTK_ACCESSIBLE_ROLE_IMG);
  gtk_test_accessible_assert_property (bar, GTK_ACCESSIBLE_PROPERTY_LABEL, "Time");
  ui_assert_description (bar, "understood functions: 123 ms, 53 %; blocking I/O: 80 ms, 34 %");
  width = gtk_widget_get_width (bar);
  ui_click (bar, width * .6, 10);
  g_assert_cmpstr (tb_focus_get_item (fixture.focus), ==, "blocking_io");
  g_assert_true (gtk_widget_is_focus (bar));
  /* There is no network part: the next part is the next existing one. */
  ui_key (fixture.view, "Right");
  g_assert_cmpstr (tb_focus_get_item (fixture.focus), ==, "not_sampled");
  ui_assert_description (bar, "running, not sampled: 3 ms, 1.3 %");
  ui_key (fixture.view, "Left");
  ui_key (fixture.view, "Left");
  g_assert_cmpstr (tb_focus_get_item (fixture.focus), ==, "inferred_functions");
  /* A row selected in the table is selected on the bar. */
  tb_focus_select_item (fixture.focus, "explanation", "timed_out", TB_ID_NONE, TB_TIME_NONE,
                        TB_TIME_NONE, NULL);
  ui_assert_description (bar, "timed out: 4.8 ms, 2.1 %");
  fixture_clear (&fixture);
}

/* A time is shown as on the axes, relative to the start of the recording; a click on its row
 * selects it. */
static void
test_time (void)
{
  TbTableFigure *figure = tb_table_figure_new ("calls", "Calls");
  g_autoptr (TbFocus) focus = tb_focus_new (SAMPLE_START, SAMPLE_START + 265 * SAMPLE_MS);
  guint when = tb_table_figure_add_column (figure, "when", "Longest at", TB_CELL_TIME);
  guint row = tb_table_figure_add_row (figure, "first");
  gint64 from, to;
  GtkWidget *view;
  GtkWindow *window;

  tb_table_figure_set_integer (figure, row, when, SAMPLE_START + 12500000);
  tb_table_figure_set_place (figure, row, TB_ID_NONE, SAMPLE_START + 12500000,
                             SAMPLE_START + 13000000);
  tb_figure_set_origin (TB_FIGURE (figure), SAMPLE_START);
  tb_figure_freeze (TB_FIGURE (figure));
  view = tb_table_view_new (figure, focus);
  window = ui_window (view, 400, 200);
  ui_frames (view, 3);
  g_assert_true (has_label (view, "12.500\u00a0ms"));
  gtk_selection_model_select_item (gtk_column_view_get_model (
                                       GTK_COLUMN_VIEW (ui_find (view, "GtkColumnView"))),
                                   0, TRUE);
  g_assert_true (tb_focus_get_time (focus, &from, &to));
  g_assert_cmpint (from, ==, SAMPLE_START + 12500000);
  g_assert_cmpint (to, ==, SAMPLE_START + 13000000);
  ui_close (window);
  g_object_unref (figure);
}

/* The IDs of locks, frames or ranks are not thread IDs: selecting such a row does not select a
 * thread, nor a thread the row. */
static void
test_numbers (void)
{
  TbTableFigure *figure = tb_table_figure_new ("locks", "Locks");
  guint name = tb_table_figure_add_column (figure, "lock", "Lock", TB_CELL_TEXT);
  GtkSelectionModel *model;
  g_autoptr (GtkBitset) selected = NULL;
  Fixture fixture;

  for (guint i = 12; i < 15; i++)
    {
      g_autofree char *item = g_strdup_printf ("%u", i);

      tb_table_figure_set_text (figure, tb_table_figure_add_row (figure, item), name, item);
    }
  tb_figure_freeze (TB_FIGURE (figure));
  fixture_init (&fixture, figure);
  model = gtk_column_view_get_model (fixture.columns);
  gtk_selection_model_select_item (model, 1, TRUE);
  g_assert_cmpstr (tb_focus_get_item (fixture.focus), ==, "13");
  g_assert_cmpuint (tb_focus_get_thread (fixture.focus), ==, TB_ID_NONE);
  tb_focus_select_item (fixture.focus, "threads", "track-5", 13, 0, 1, NULL);
  ui_frames (fixture.view, 2);
  selected = gtk_selection_model_get_selection (model);
  g_assert_true (gtk_bitset_is_empty (selected));
  fixture_clear (&fixture);
}

static guint
count_cut (GtkWidget *widget)
{
  guint n = GTK_IS_LABEL (widget)
            && pango_layout_is_ellipsized (gtk_label_get_layout (GTK_LABEL (widget)));

  for (GtkWidget *child = gtk_widget_get_first_child (widget); child != NULL;
       child = gtk_widget_get_next_sibling (child))
    n += count_cut (child);
  return n;
}

/* A scrollable table need not cut its text: even in a narrow window, words of ten letters are
 * complete in each column. */
#define N_TEXTS 8

static void
test_narrow (void)
{
  static const char *const kinds[] = { "program", "waiting", "process" };
  TbTableFigure *figure = tb_table_figure_new ("boxes", "Boxes");
  guint name = tb_table_figure_add_column (figure, "name", "Name", TB_CELL_TEXT);
  guint total = tb_table_figure_add_column (figure, "total", "Total", TB_CELL_DURATION);
  g_autoptr (TbFocus) focus = tb_focus_new (SAMPLE_START, SAMPLE_START + 265 * SAMPLE_MS);
  guint texts[N_TEXTS];
  GtkWidget *view;
  GtkWindow *window;

  for (guint k = 0; k < N_TEXTS; k++)
    {
      g_autofree char *id = g_strdup_printf ("text-%u", k);

      texts[k] = tb_table_figure_add_column (figure, id, "Text", TB_CELL_TEXT);
    }
  for (guint i = 0; i < 3; i++)
    {
      guint row = tb_table_figure_add_row (figure, kinds[i]);

      tb_table_figure_set_text (figure, row, name, "master_run");
      for (guint k = 0; k < N_TEXTS; k++)
        tb_table_figure_set_text (figure, row, texts[k], k % 2 ? "imap-login" : kinds[i]);
      tb_table_figure_set_integer (figure, row, total, 246000000);
    }
  tb_figure_freeze (TB_FIGURE (figure));
  view = tb_table_view_new (figure, focus);
  window = ui_window (view, 360, 200);
  ui_frames (view, 3);
  g_assert_cmpuint (count_cut (view), ==, 0);
  ui_close (window);
  g_object_unref (figure);
}

/* A table with only numbers fills the whole width. */
static void
test_numbers_only (void)
{
  TbTableFigure *figure = tb_table_figure_new ("bins", "Bins");
  guint from = tb_table_figure_add_column (figure, "from", "From", TB_CELL_DURATION);
  guint count = tb_table_figure_add_column (figure, "count", "Count", TB_CELL_COUNT);
  guint row = tb_table_figure_add_row (figure, "0");
  GtkWidget *cell;
  graphene_rect_t bounds;
  Fixture fixture;

  tb_table_figure_set_integer (figure, row, from, 16800000);
  tb_table_figure_set_integer (figure, row, count, 77);
  tb_figure_freeze (TB_FIGURE (figure));
  fixture_init (&fixture, figure);
  ui_frames (fixture.view, 3);
  cell = ui_find (GTK_WIDGET (fixture.columns), "GtkColumnViewRowWidget");
  g_assert_nonnull (cell);
  cell = gtk_widget_get_last_child (cell);
  g_assert_true (gtk_widget_compute_bounds (cell, fixture.view, &bounds));
  g_assert_cmpfloat (bounds.origin.x + bounds.size.width, >,
                     (float) gtk_widget_get_width (fixture.view) - 20);
  fixture_clear (&fixture);
}

/* In a right-to-left language a number still comes before its unit. */
static void
test_mirrored (void)
{
  TbTableFigure *figure = tb_table_figure_new ("shares", "Shares");
  g_autoptr (TbFocus) focus = tb_focus_new (SAMPLE_START, SAMPLE_START + 265 * SAMPLE_MS);
  guint share = tb_table_figure_add_column (figure, "share", "Share", TB_CELL_SHARE);
  GtkWidget *view;
  GtkWindow *window;

  tb_table_figure_set_double (figure, tb_table_figure_add_row (figure, "first"), share, 1);
  tb_figure_freeze (TB_FIGURE (figure));
  gtk_widget_set_default_direction (GTK_TEXT_DIR_RTL);
  view = tb_table_view_new (figure, focus);
  window = ui_window (view, 400, 200);
  ui_frames (view, 3);
  g_assert_true (has_label (view, "\u2066100 %\u2069"));
  ui_close (window);
  gtk_widget_set_default_direction (GTK_TEXT_DIR_LTR);
  g_object_unref (figure);
}

/* A row of three parts, and one without. */
static TbTableFigure *
make_parts (void)
{
  static const gint64 ns[] = { 1, 5, 3 };
  TbTableFigure *table = tb_table_figure_new ("locks", "Locks");
  guint name = tb_table_figure_add_column (table, "name", "Name", TB_CELL_TEXT);
  guint wait = tb_table_figure_add_column (table, "wait", "Waited", TB_CELL_DURATION);

  tb_table_figure_add_row (table, "single");
  tb_table_figure_set_text (table, 0, name, "single");
  tb_table_figure_set_integer (table, 0, wait, 4);
  tb_table_figure_add_row (table, "whole");
  tb_table_figure_set_text (table, 1, name, "whole");
  tb_table_figure_set_integer (table, 1, wait, 9);
  for (guint i = 0; i < G_N_ELEMENTS (ns); i++)
    {
      g_autofree char *item = g_strdup_printf ("part%u", i);
      guint row = tb_table_figure_add_child (table, 1, item);

      tb_table_figure_set_text (table, row, name, item);
      tb_table_figure_set_integer (table, row, wait, ns[i]);
    }
  return table;
}

/* The first field of each line, joined. */
static char *
list_names (Fixture *fixture)
{
  g_autofree char *text = tb_table_view_copy (TB_TABLE_VIEW (fixture->view));
  g_auto (GStrv) lines = g_strsplit (text, "\n", -1);
  GString *names = g_string_new (NULL);

  for (guint i = 1; lines[i] != NULL && lines[i][0] != '\0'; i++)
    g_string_append_printf (names, "%.*s ", (int) strcspn (lines[i], "\t"), lines[i]);
  return g_string_free (names, FALSE);
}

/* A row with child rows opens. They stay below it, sorted among themselves. */
static void
test_children (void)
{
  Fixture fixture;
  g_autofree char *closed = NULL, *open = NULL, *sorted = NULL, *again = NULL;

  fixture_init (&fixture, make_parts ());
  closed = list_names (&fixture);
  g_assert_cmpstr (closed, ==, "single whole ");
  g_assert_true (has_label (fixture.view, "whole"));
  g_assert_false (has_label (fixture.view, "part1"));
  {
    g_autoptr (GtkTreeListRow) row
        = g_list_model_get_item (G_LIST_MODEL (gtk_column_view_get_model (fixture.columns)), 1);

    g_assert_true (gtk_tree_list_row_is_expandable (row));
    gtk_tree_list_row_set_expanded (row, TRUE);
    open = list_names (&fixture);
    g_assert_cmpstr (open, ==, "single whole part0 part1 part2 ");
    sort (&fixture, 1, GTK_SORT_DESCENDING);
    sorted = list_names (&fixture);
    g_assert_cmpstr (sorted, ==, "whole part1 part2 part0 single ");
    ui_frames (fixture.view, 2);
    g_assert_true (has_label (fixture.view, "part1"));
    gtk_tree_list_row_set_expanded (row, FALSE);
    again = list_names (&fixture);
    g_assert_cmpstr (again, ==, "whole single ");
  }
  fixture_clear (&fixture);
}

static void
count_activated (GtkWidget *view, const char *item, GString *items)
{
  g_string_append_printf (items, "%s ", item);
}

static void
double_click (Fixture *fixture, const char *text)
{
  GtkWidget *label = find_label (fixture->view, text);

  ui_point (label, gtk_widget_get_width (label) / 2., gtk_widget_get_height (label) / 2.);
  ui_input ("click", "--repeat", "2", "--delay", "20", "1", NULL);
  ui_frames (fixture->view, 3);
}

/* Enter and a double click open a row with child rows and close it; another row is passed on. */
static void
test_activate (void)
{
  Fixture fixture;
  g_autoptr (GString) items = g_string_new (NULL);

  fixture_init (&fixture, make_parts ());
  g_signal_connect (fixture.view, "item-activated", G_CALLBACK (count_activated), items);
  gtk_column_view_scroll_to (fixture.columns, 1, NULL, GTK_LIST_SCROLL_FOCUS, NULL);
  ui_frames (fixture.view, 2);
  ui_key (fixture.view, "Return");
  g_assert_true (has_label (fixture.view, "part1"));
  ui_key (fixture.view, "Return");
  ui_frames (fixture.view, 2);
  g_assert_false (has_label (fixture.view, "part1"));
  double_click (&fixture, "whole");
  g_assert_true (has_label (fixture.view, "part1"));
  g_assert_cmpstr (items->str, ==, "");
  double_click (&fixture, "part1");
  g_assert_cmpstr (items->str, ==, "part1 ");
  g_assert_cmpstr (tb_focus_get_item (fixture.focus), ==, "part1");
  ui_key (fixture.view, "Up");
  ui_key (fixture.view, "Up");
  ui_key (fixture.view, "Up");
  ui_key (fixture.view, "Return");
  g_assert_cmpstr (items->str, ==, "part1 single ");
  fixture_clear (&fixture);
}

int
main (int argc, char **argv)
{
  ui_test_init (&argc, &argv);
  g_test_add_func ("/table-view/sort", test_sort);
  g_test_add_func ("/table-view/children", test_children);
  g_test_add_func ("/table-view/activate", test_activate);
  g_test_add_func ("/table-view/select-at", test_select_at);
  g_test_add_func ("/table-view/measures", test_measures);
  g_test_add_func ("/table-view/copy", test_copy);
  g_test_add_func ("/table-view/columns", test_columns);
  g_test_add_func ("/table-view/filter", test_filter);
  g_test_add_func ("/table-view/search", test_search);
  g_test_add_func ("/table-view/selection", test_selection);
  g_test_add_func ("/table-view/many", test_many);
  g_test_add_func ("/table-view/empty", test_empty);
  g_test_add_func ("/table-view/keep-place", test_keep_place);
  g_test_add_func ("/table-view/bar", test_bar);
  g_test_add_func ("/table-view/time", test_time);
  g_test_add_func ("/table-view/mirrored", test_mirrored);
  g_test_add_func ("/table-view/numbers", test_numbers);
  g_test_add_func ("/table-view/narrow", test_narrow);
  g_test_add_func ("/table-view/numbers-only", test_numbers_only);
  return g_test_run ();
}
