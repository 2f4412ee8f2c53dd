/* test-contexts-page.c: from a cell of the calling contexts' heat map to its calls
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#include "config.h"

#include "report/graph/tb-graph-figure.h"
#include "session/schema/tb-schema.h"
#include "shell-fixture.h"
#include "ui-test.h"
#include "widgets/tailback-gtk.h"

#define ROUNDS 12

/* Writes a program that alternately parses and looks up; each lookup takes longer. time: start in
 * ns */
static GFile *
write_calls_from (gint64 time, const char *name, int slower)
{
  GString *text = g_string_new (NULL);
  g_autoptr (GError) error = NULL;
  GFile *file = shell_temporary (name);

  g_string_append_printf (
      text,
      "time_ns,cpu,kind,prev,prev_state,next,waker,wakee,vec,tid,dev,bytes,text,stack\n"
      "%" G_GINT64_FORMAT ",0,name,,,,,,,11,,,app,\n"
      "%" G_GINT64_FORMAT ",0,switch,0,R,11,,,,,,,,\n",
      time, time);
  for (guint i = 0; i < ROUNDS; i++)
    {
      g_string_append_printf (text,
                              "%" G_GINT64_FORMAT
                              ",0,sample,,,,,,,11,,,,main@app;serve@app;parse@libparse.so;"
                              "copy@libc.so.6\n",
                              time);
      time += 300000;
      g_string_append_printf (text,
                              "%" G_GINT64_FORMAT
                              ",0,sample,,,,,,,11,,,,main@app;serve@app;lookup@libindex.so;"
                              "strcmp@libc.so.6\n",
                              time);
      time += 100000 * (gint64) (i + 1) * slower;
      g_string_append_printf (text,
                              "%" G_GINT64_FORMAT
                              ",0,sample,,,,,,,11,,,,main@app;serve@app;lookup@libindex.so;"
                              "strcmp@libc.so.6\n",
                              time);
      time += 1000;
      g_string_append_printf (text,
                              "%" G_GINT64_FORMAT ",0,sample,,,,,,,11,,,,main@app;serve@app\n",
                              time);
      time += 50000;
    }
  g_string_append_printf (text, "%" G_GINT64_FORMAT ",0,switch,11,S,0,,,,,,,,\n", time);
  g_file_replace_contents (file, text->str, text->len, NULL, FALSE, 0, NULL, NULL, &error);
  g_assert_no_error (error);
  g_string_free (text, TRUE);
  return file;
}

static GFile *
write_calls (const char *name, int slower)
{
  return write_calls_from (1000000, name, slower);
}

static gboolean
has_report (gpointer item)
{
  return tb_analysis_item_get_report (item) != NULL;
}

static TbReport *
show_contexts (TbWindow *window, TbDocument *document, const char *figure)
{
  TbAnalysisItem *item = tb_document_find_analysis (document, "calling-contexts");

  g_assert_nonnull (item);
  shell_activate (window, "show-analysis", g_variant_new_string ("calling-contexts"));
  shell_wait (has_report, item, "the report");
  shell_wait_settled (document);
  shell_activate (window, "show-figure", g_variant_new_string (figure));
  return tb_analysis_item_get_report (item);
}

/* Selects the hottest cell with the keyboard; then steps through its calls. */
static void
test_cell (void)
{
  TbWindow *window = shell_new_window ();
  g_autoptr (GFile) file = write_calls ("calls.csv", 1);
  TbDocument *document = shell_open (window, file);
  TbReport *report = show_contexts (window, document, "heat");
  TbGraphFigure *tree = TB_GRAPH_FIGURE (tb_report_find_figure (report, "tree"));
  TbFocus *focus = tb_document_get_focus (document);
  GtkWidget *canvas = shell_find (GTK_WIDGET (window), "TbHeatmapCanvas", NULL);
  TbGraphOccurrences calls;
  gint64 from, to, view_from, view_to;
  guint edge;

  g_assert_nonnull (canvas);
  g_assert_false (shell_is_enabled (window, "next-occurrence"));
  g_assert_true (gtk_widget_grab_focus (canvas));
  ui_key (GTK_WIDGET (window), "Down");
  g_assert_cmpstr (tb_focus_get_figure (focus), ==, "tree");
  edge = tb_graph_figure_find_edge (tree, tb_focus_get_item (focus));
  g_assert_cmpuint (edge, !=, TB_ID_NONE);
  g_assert_cmpstr (
      tb_graph_figure_get_vertex (tree, tb_graph_figure_get_edge (tree, edge)->to)->name, ==,
      "strcmp");
  g_assert_nonnull (
      shell_find_text (shell_find (GTK_WIDGET (window), "TbDetailsPane", NULL), "Occurrences"));
  shell_picture (window, "contexts-heat");

  tb_graph_figure_get_occurrences (tree, edge, &calls);
  g_assert_cmpuint (calls.n, ==, ROUNDS);
  for (guint i = 0; i < 3; i++)
    {
      ui_key (GTK_WIDGET (window), "period");
      g_assert_true (tb_focus_get_time (focus, &from, &to));
      g_assert_cmpint (from, ==, calls.from[i]);
      g_assert_cmpint (to, ==, calls.to[i]);
      g_assert_cmpuint (tb_focus_get_thread (focus), ==, calls.thread[i]);
    }
  /* The call is selected on the timeline, too. */
  shell_activate (window, "show-analysis", g_variant_new_string ("threads"));
  shell_wait_settled (document);
  tb_focus_get_view (focus, &view_from, &view_to);
  g_assert_cmpint (view_from, <=, from);
  g_assert_cmpint (view_to, >=, to);
  g_assert_nonnull (shell_find (GTK_WIDGET (window), "TbTimelineView", NULL));
  shell_picture (window, "contexts-call");
  shell_close_window (window);
}

/* Finds the first and the last column in which two pictures differ. */
static void
find_columns (GdkTexture *one, GdkTexture *other, int *first, int *last)
{
  int width = gdk_texture_get_width (one), height = gdk_texture_get_height (one);
  gsize stride = (gsize) width * 4;
  g_autofree guchar *left = g_malloc (stride * (gsize) height);
  g_autofree guchar *right = g_malloc (stride * (gsize) height);

  g_assert_cmpint (gdk_texture_get_width (other), ==, width);
  g_assert_cmpint (gdk_texture_get_height (other), ==, height);
  gdk_texture_download (one, left, stride);
  gdk_texture_download (other, right, stride);
  *first = width;
  *last = -1;
  for (int y = 0; y < height; y++)
    for (int x = 0; x < width; x++)
      if (memcmp (left + (gsize) y * stride + (gsize) x * 4,
                  right + (gsize) y * stride + (gsize) x * 4, 4)
          != 0)
        {
          *first = MIN (*first, x);
          *last = MAX (*last, x);
        }
}

/* On the timeline a call is outlined, though the thread ran before it and after it. */
static void
test_outlined (void)
{
  TbWindow *window = shell_new_window ();
  g_autoptr (GFile) file = write_calls ("calls.csv", 1);
  TbDocument *document = shell_open (window, file);
  TbFocus *focus = tb_document_get_focus (document);
  TbGraphFigure *tree
      = TB_GRAPH_FIGURE (tb_report_find_figure (show_contexts (window, document, "heat"), "tree"));
  static const guint chosen[] = { 6, 10 };
  int first[G_N_ELEMENTS (chosen)], last[G_N_ELEMENTS (chosen)];
  g_autoptr (GdkTexture) bare = NULL;
  TbGraphOccurrences calls;
  GtkWidget *view;
  double scale;

  shell_activate (window, "show-analysis", g_variant_new_string ("threads"));
  shell_wait_settled (document);
  tb_graph_figure_get_occurrences (tree, tb_graph_figure_find_edge (tree, "1/3"), &calls);
  g_assert_cmpuint (calls.n, ==, ROUNDS);
  tb_focus_select_item (focus, "tree", "1/3", calls.thread[0], TB_TIME_NONE, TB_TIME_NONE, NULL);
  view = shell_find (GTK_WIDGET (window), "TbTimelineView", NULL);
  ui_frames (GTK_WIDGET (window), 3);
  bare = ui_texture (view);
  for (guint i = 0; i < G_N_ELEMENTS (chosen); i++)
    {
      g_autoptr (GdkTexture) picture = NULL;

      tb_document_select_occurrence (document, FALSE, chosen[i]);
      ui_frames (GTK_WIDGET (window), 3);
      picture = ui_texture (view);
      find_columns (bare, picture, &first[i], &last[i]);
      g_assert_cmpint (last[i], >, first[i]);
    }
  /* Both at the same scale, inside the lines, which are two pixels wide on both sides. */
  scale = (last[0] - first[0] - 3) / (double) (calls.to[chosen[0]] - calls.from[chosen[0]]);
  g_assert_cmpfloat_with_epsilon (first[1] - first[0],
                                  scale * (double) (calls.from[chosen[1]] - calls.from[chosen[0]]),
                                  10);
  g_assert_cmpfloat_with_epsilon (last[1] - first[1] - 3,
                                  scale * (double) (calls.to[chosen[1]] - calls.from[chosen[1]]),
                                  3);
  shell_close_window (window);
}

/* The row of a frame selects the same calls. */
static void
test_row (void)
{
  TbWindow *window = shell_new_window ();
  g_autoptr (GFile) file = write_calls ("calls.csv", 1);
  TbDocument *document = shell_open (window, file);
  GtkWidget *table;

  show_contexts (window, document, "frames");
  table = shell_find (GTK_WIDGET (window), "TbTableView", NULL);
  g_assert_nonnull (table);
  tb_focus_select_item (tb_document_get_focus (document), "tree", "1/2", TB_ID_NONE, TB_TIME_NONE,
                        TB_TIME_NONE, NULL);
  g_assert_true (shell_is_enabled (window, "next-occurrence"));
  shell_activate (window, "show-figure", g_variant_new_string ("tree"));
  g_assert_nonnull (shell_find (GTK_WIDGET (window), "TbGraphView", NULL));
  shell_picture (window, "contexts-tree");
  shell_close_window (window);
}

static void
show_comparison (const char *style)
{
  static const char *const figures[] = { "tree", "heat", "contexts", "paths" };
  GSettings *settings = tb_application_get_settings (shell_get_application ());
  g_autoptr (GFile) base = write_calls ("before.csv", 1);
  g_autoptr (GFile) other = write_calls ("after.csv", 4);
  TbWindow *window;
  TbDocument *document;

  g_settings_set_string (settings, "style", style);
  window = shell_new_window ();
  document = tb_document_page_get_document (tb_window_compare (window, base, other, TRUE));
  shell_wait_settled (document);
  for (guint i = 0; i < G_N_ELEMENTS (figures); i++)
    {
      g_autofree char *name = g_strdup_printf ("contexts-compared-%s-%s", figures[i], style);
      TbReport *report = show_contexts (window, document, figures[i]);

      g_assert_nonnull (tb_report_find_figure (report, figures[i]));
      shell_picture (window, name);
    }
  g_assert_nonnull (
      shell_find_text (GTK_WIDGET (window), "strcmp called from lookup of libindex.so costs"));
  shell_close_window (window);
  g_settings_set_string (settings, "style", "light");
}

static void
test_comparison (void)
{
  show_comparison ("light");
  show_comparison ("dark");
}

/* --- from a comparison to the recordings --- */

/* Start times of unrelated clocks. */
#define BASE_START G_GINT64_CONSTANT (5000000000)
#define OTHER_START G_GINT64_CONSTANT (3000000000000000)

typedef struct
{
  TbWindow *window;
  GFile *files[2]; /* base, other */
  TbDocument *document;
  TbGraphFigure *tree;
} Compared;

static void
compared_set_up (Compared *self)
{
  self->files[0] = write_calls_from (BASE_START, "before.csv", 1);
  self->files[1] = write_calls_from (OTHER_START, "after.csv", 4);
  self->window = shell_new_window ();
  self->document = tb_document_page_get_document (
      tb_window_compare (self->window, self->files[0], self->files[1], TRUE));
  shell_wait_settled (self->document);
  self->tree = TB_GRAPH_FIGURE (
      tb_report_find_figure (show_contexts (self->window, self->document, "heat"), "tree"));
}

static void
compared_tear_down (Compared *self)
{
  shell_close_window (self->window);
  g_object_unref (self->files[0]);
  g_object_unref (self->files[1]);
}

/* The calls of the selected edge, or of the corresponding one of the other side. */
static void
get_calls (const Compared *self, gboolean base, TbGraphOccurrences *calls)
{
  TbSelectedEdge edge;

  g_assert_true (tb_document_get_side_edge (self->document, base, &edge));
  g_assert_true (edge.figure == self->tree);
  tb_graph_figure_get_occurrences (edge.figure, edge.edge, calls);
}

static void
press (GtkWidget *root, const char *text)
{
  GtkWidget *button = shell_find (root, "GtkButton", text);

  g_assert_nonnull (button);
  g_assert_true (gtk_widget_grab_focus (button));
  ui_key (root, "Return");
}

/* Checks that the recording is in front, with that time selected on its timeline. */
static void
assert_shown (const Compared *self, gboolean base, gint64 from, gint64 to, guint32 thread)
{
  TbDocument *recording
      = tb_document_page_get_document (tb_window_get_document_page (self->window));
  TbFocus *focus = tb_document_get_focus (recording);
  gint64 start = base ? BASE_START : OTHER_START, shown_from, shown_to;

  g_assert_true (tb_document_is_recording (recording));
  g_assert_true (g_file_equal (tb_document_get_file (recording), self->files[base ? 0 : 1]));
  shell_wait_settled (recording);
  g_assert_true (tb_focus_get_time (focus, &shown_from, &shown_to));
  g_assert_cmpint (shown_from, ==, from);
  g_assert_cmpint (shown_to, ==, to);
  g_assert_cmpint (from, >=, start);
  g_assert_cmpint (to, <, start + 1000000000);
  g_assert_cmpuint (tb_focus_get_thread (focus), ==, thread);
  g_assert_cmpuint (thread, ==, shell_find_thread (recording, "app"));
  tb_focus_get_view (focus, &shown_from, &shown_to);
  g_assert_true (shown_from <= from && to <= shown_to);
  g_assert_nonnull (shell_find (GTK_WIDGET (self->window), "TbTimelineView", NULL));
}

static void
go_back (const Compared *self)
{
  g_assert_true (tb_document_page_get_document (
                     tb_window_compare (self->window, self->files[0], self->files[1], TRUE))
                 == self->document);
}

/* Selects the cell with the largest growth with the keyboard; goes to its longest call, to another
 * one, and to the calls of the base. */
static void
test_compared_cell (void)
{
  Compared self;
  TbGraphOccurrences base, other;
  GtkWidget *details;
  TbSelectedEdge edge;
  gint64 from, to;

  compared_set_up (&self);
  details = shell_find (GTK_WIDGET (self.window), "TbDetailsPane", NULL);
  g_assert_false (shell_is_enabled (self.window, "next-occurrence"));
  g_assert_true (
      gtk_widget_grab_focus (shell_find (GTK_WIDGET (self.window), "TbHeatmapCanvas", NULL)));
  ui_key (GTK_WIDGET (self.window), "Down");
  g_assert_true (tb_document_get_edge (self.document, &edge));
  g_assert_cmpstr (tb_graph_figure_get_vertex (
                       edge.figure, tb_graph_figure_get_edge (edge.figure, edge.edge)->to)
                       ->name,
                   ==, "strcmp");
  g_assert_nonnull (shell_find_text (details, "Occurrences in the Base, before.csv"));
  g_assert_nonnull (shell_find_text (details, "Occurrences in the Other, after.csv"));
  shell_picture (self.window, "contexts-compared-cell");
  get_calls (&self, FALSE, &other);
  get_calls (&self, TRUE, &base);
  g_assert_cmpuint (other.n, ==, ROUNDS);
  g_assert_cmpuint (base.n, ==, ROUNDS);

  /* Each lookup is longer than the one before: the last is the longest. */
  press (GTK_WIDGET (self.window), "Show in “after.csv”");
  assert_shown (&self, FALSE, other.from[ROUNDS - 1], other.to[ROUNDS - 1],
                other.thread[ROUNDS - 1]);
  shell_picture (self.window, "contexts-compared-shown");

  go_back (&self);
  for (guint i = 0; i < 3; i++)
    ui_key (GTK_WIDGET (self.window), "period");
  g_assert_true (tb_focus_get_time (tb_document_get_focus (self.document), &from, &to));
  g_assert_cmpint (from, ==, other.from[2]);
  g_assert_nonnull (shell_find_text (details, "3 of 12"));
  press (GTK_WIDGET (self.window), "Show in “after.csv”");
  assert_shown (&self, FALSE, other.from[2], other.to[2], other.thread[2]);

  /* The calls of the base are stepped through separately, with its clock. */
  go_back (&self);
  press (GTK_WIDGET (self.window), "Next occurrence");
  press (GTK_WIDGET (self.window), "Next occurrence");
  g_assert_nonnull (shell_find_text (details, "2 of 12"));
  g_assert_nonnull (shell_find_text (details, "3 of 12"));
  press (GTK_WIDGET (self.window), "Show in “before.csv”");
  assert_shown (&self, TRUE, base.from[1], base.to[1], base.thread[1]);
  g_assert_cmpint ((other.to[5] - other.from[5]) - 4 * (base.to[5] - base.from[5]), <, 100000);
  compared_tear_down (&self);
}

/* A row of the table selects the same calls; so does an edge of the tree, for its side. */
static void
test_compared_row (void)
{
  Compared self;
  TbGraphOccurrences base;
  TbSelectedEdge edge;
  gint64 from, to;

  compared_set_up (&self);
  shell_activate (self.window, "show-figure", g_variant_new_string ("frames"));
  g_assert_nonnull (shell_find (GTK_WIDGET (self.window), "TbTableView", NULL));
  shell_picture (self.window, "contexts-compared-frames");
  tb_focus_select_item (tb_document_get_focus (self.document), "tree", "1/2", TB_ID_NONE,
                        TB_TIME_NONE, TB_TIME_NONE, NULL);
  g_assert_true (shell_is_enabled (self.window, "next-occurrence"));
  get_calls (&self, TRUE, &base);
  g_assert_true (tb_document_get_side_edge (self.document, TRUE, &edge));
  shell_activate (self.window, "show-figure", g_variant_new_string ("tree"));
  tb_focus_select_item (tb_document_get_focus (self.document), "tree",
                        tb_graph_figure_get_edge (edge.figure, edge.edge)->id, TB_ID_NONE,
                        TB_TIME_NONE, TB_TIME_NONE, NULL);
  /* The time of the comparison document itself is that of the other recording. */
  shell_activate (self.window, "next-occurrence", NULL);
  g_assert_false (tb_focus_get_time (tb_document_get_focus (self.document), &from, &to));
  g_assert_true (tb_focus_get_time (tb_document_get_side_focus (self.document, TRUE), &from, &to));
  g_assert_cmpint (from, ==, base.from[0]);
  press (GTK_WIDGET (self.window), "Show in “before.csv”");
  assert_shown (&self, TRUE, base.from[0], base.to[0], base.thread[0]);
  compared_tear_down (&self);
}

/* Returns the index of a function's box in a flame, as an item. */
static char *
find_box (const Compared *self, const char *flame, const char *function)
{
  TbReport *report = tb_analysis_item_get_report (
      tb_document_find_analysis (self->document, "calling-contexts"));
  TbFlameFigure *figure = TB_FLAME_FIGURE (tb_report_find_figure (report, flame));

  for (guint i = 0; i < tb_flame_figure_get_n_nodes (figure); i++)
    if (g_str_equal (tb_flame_figure_get_node (figure, i)->name, function))
      return tb_flame_figure_get_item (figure, i);
  g_error ("no box of %s in %s", function, flame);
}

static void
assert_leads (const Compared *self,
              const char *figure,
              const char *item,
              gboolean base,
              const char *function)
{
  TbGraphOccurrences calls;
  TbSelectedEdge edge;
  guint longest = 0;

  go_back (self);
  shell_activate (self->window, "show-figure", g_variant_new_string (figure));
  tb_focus_select_item (tb_document_get_focus (self->document), figure, item, TB_ID_NONE,
                        TB_TIME_NONE, TB_TIME_NONE, NULL);
  g_test_message ("%s of %s", item, figure);
  g_assert_true (tb_document_get_side_edge (self->document, base, &edge));
  g_assert_cmpstr (tb_graph_figure_get_vertex (
                       edge.figure, tb_graph_figure_get_edge (edge.figure, edge.edge)->to)
                       ->name,
                   ==, function);
  get_calls (self, base, &calls);
  g_assert_cmpuint (calls.n, >, 0);
  for (guint i = 1; i < calls.n; i++)
    if (calls.to[i] - calls.from[i] > calls.to[longest] - calls.from[longest])
      longest = i;
  g_assert_true (shell_is_enabled (self->window, "next-occurrence"));
  press (GTK_WIDGET (self->window), base ? "Show in “before.csv”" : "Show in “after.csv”");
  assert_shown (self, base, calls.from[longest], calls.to[longest], calls.thread[longest]);
}

/* Rows of paths, functions and modules select the most expensive calls there, boxes of flames
 * the calls of their function. Selected with the mouse or the keyboard, they lead to both
 * recordings. */
static void
test_compared_rows_and_boxes (void)
{
  static const char *const flames[] = { "contexts", "slower" };
  Compared self;

  compared_set_up (&self);
  assert_leads (&self, "paths", "1", FALSE, "strcmp");
  assert_leads (&self, "functions", "strcmp@libc.so.6", FALSE, "strcmp");
  assert_leads (&self, "functions", "strcmp@libc.so.6", TRUE, "strcmp");
  assert_leads (&self, "modules", "libc.so.6", FALSE, "strcmp");
  for (guint i = 0; i < G_N_ELEMENTS (flames); i++)
    {
      g_autofree char *leaf = find_box (&self, flames[i], "strcmp");
      g_autofree char *caller = find_box (&self, flames[i], "lookup");

      assert_leads (&self, flames[i], leaf, FALSE, "strcmp");
      assert_leads (&self, flames[i], caller, FALSE, "lookup");
    }
  /* An unknown item leads nowhere. */
  go_back (&self);
  tb_focus_select_item (tb_document_get_focus (self.document), "functions", "nothing", TB_ID_NONE,
                        TB_TIME_NONE, TB_TIME_NONE, NULL);
  g_assert_false (shell_is_enabled (self.window, "next-occurrence"));
  shell_activate (self.window, "show-figure", g_variant_new_string ("functions"));
  tb_focus_select_item (tb_document_get_focus (self.document), "functions", "strcmp@libc.so.6",
                        TB_ID_NONE, TB_TIME_NONE, TB_TIME_NONE, NULL);
  shell_picture (self.window, "contexts-compared-functions");
  shell_activate (self.window, "show-figure", g_variant_new_string ("slower"));
  g_assert_true (
      gtk_widget_grab_focus (shell_find (GTK_WIDGET (self.window), "TbFlameCanvas", NULL)));
  ui_key (GTK_WIDGET (self.window), "Down");
  g_assert_true (shell_is_enabled (self.window, "next-occurrence"));
  shell_picture (self.window, "contexts-compared-box");
  compared_tear_down (&self);
}

/* The subject of a finding leads there too. */
static void
test_compared_finding (void)
{
  Compared self;
  TbReport *report;
  GtkWidget *row;
  gint64 from, to;
  guint n;

  compared_set_up (&self);
  report
      = tb_analysis_item_get_report (tb_document_find_analysis (self.document, "calling-contexts"));
  row = gtk_widget_get_ancestor (shell_find_text (GTK_WIDGET (self.window),
                                                  "strcmp called from lookup of libindex.so costs"),
                                 GTK_TYPE_LIST_BOX_ROW);
  g_signal_emit_by_name (gtk_widget_get_parent (row), "row-activated", row);
  g_assert_true (tb_finding_get_range (tb_report_get_finding (report, 0), &from, &to));
  press (GTK_WIDGET (self.window), "Show in “after.csv”");
  assert_shown (&self, FALSE, from, to,
                tb_finding_get_threads (tb_report_get_finding (report, 0), &n)[0]);
  compared_tear_down (&self);
}

/* Writes a recording without lookups. */
static GFile *
write_without_lookup (const char *name)
{
  GFile *file = write_calls_from (BASE_START, name, 1);
  g_autofree char *text = NULL;
  g_auto (GStrv) lines = NULL;
  g_autoptr (GString) kept = g_string_new (NULL);
  g_autoptr (GError) error = NULL;

  g_file_load_contents (file, NULL, &text, NULL, NULL, &error);
  g_assert_no_error (error);
  lines = g_strsplit (text, "\n", -1);
  for (guint i = 0; lines[i] != NULL; i++)
    if (*lines[i] != '\0' && strstr (lines[i], "lookup") == NULL)
      g_string_append_printf (kept, "%s\n", lines[i]);
  g_file_replace_contents (file, kept->str, kept->len, NULL, FALSE, 0, NULL, NULL, &error);
  g_assert_no_error (error);
  return file;
}

/* If the first recording of a side has no such call, a recording with one is shown. */
static void
test_compared_several (void)
{
  g_autoptr (GPtrArray) bases = g_ptr_array_new_with_free_func (g_object_unref);
  g_autoptr (GPtrArray) other_files = g_ptr_array_new_with_free_func (g_object_unref);
  Compared self = { 0 };
  TbGraphOccurrences base;
  GtkWidget *details;
  gint64 from, to;

  self.files[0] = write_calls_from (BASE_START, "before-2.csv", 1);
  self.files[1] = write_calls_from (OTHER_START, "after.csv", 4);
  g_ptr_array_add (bases, write_without_lookup ("before.csv"));
  g_ptr_array_add (bases, g_object_ref (self.files[0]));
  g_ptr_array_add (other_files, g_object_ref (self.files[1]));
  self.window = shell_new_window ();
  self.document = tb_document_page_get_document (
      tb_window_compare_several (self.window, bases, other_files, TRUE));
  shell_wait_settled (self.document);
  self.tree = TB_GRAPH_FIGURE (
      tb_report_find_figure (show_contexts (self.window, self.document, "heat"), "tree"));
  details = shell_find (GTK_WIDGET (self.window), "TbDetailsPane", NULL);
  g_assert_true (
      gtk_widget_grab_focus (shell_find (GTK_WIDGET (self.window), "TbHeatmapCanvas", NULL)));
  ui_key (GTK_WIDGET (self.window), "Down");
  g_assert_nonnull (shell_find_text (details, "Occurrences in the Base, before-2.csv"));
  g_assert_nonnull (shell_find_text (details, "Occurrences in the Other, after.csv"));
  get_calls (&self, TRUE, &base);
  g_assert_cmpuint (base.n, ==, ROUNDS);

  /* The other recordings are offered next to the shown one, which is the first. */
  for (guint i = 0; i < 3; i++)
    press (GTK_WIDGET (self.window), "Next occurrence");
  press (GTK_WIDGET (self.window), "Previous occurrence");
  g_assert_nonnull (shell_find_text (details, "2 of 12"));
  g_assert_false (tb_focus_get_time (tb_document_get_side_focus (self.document, TRUE), &from, &to));
  shell_picture (self.window, "contexts-compared-several");
  press (GTK_WIDGET (self.window), "Show in “before-2.csv”");
  assert_shown (&self, TRUE, base.from[1], base.to[1], base.thread[1]);
  compared_tear_down (&self);
}

#define LONG_NAME                                                                                  \
  "std::map<std::string, std::vector<std::pair<unsigned int, std::shared_ptr<Connection>>>>::"     \
  "insert_or_assign_of_all_that_came_in_since_the_last_time"

/* A name that is too long shows both ends in its row, and the whole name in the details. */
static void
test_long_name (void)
{
  TbWindow *window = shell_new_window ();
  GFile *file = shell_temporary ("long.csv");
  static const char text[]
      = "time_ns,cpu,kind,prev,prev_state,next,waker,wakee,vec,tid,dev,bytes,text,stack\n"
        "1000000,0,name,,,,,,,11,,,app,\n1000000,0,switch,0,R,11,,,,,,,,\n"
        "1100000,0,sample,,,,,,,11,,,,\"main@app;" LONG_NAME "@libconnection.so\"\n"
        "1900000,0,sample,,,,,,,11,,,,main@app\n2000000,0,switch,11,S,0,,,,,,,,\n";
  g_autoptr (GError) error = NULL;
  TbDocument *document;
  GtkWidget *table, *label;

  g_file_replace_contents (file, text, sizeof text - 1, NULL, FALSE, 0, NULL, NULL, &error);
  g_assert_no_error (error);
  document = shell_open (window, file);
  show_contexts (window, document, "paths");
  table = shell_find (GTK_WIDGET (window), "TbTableView", NULL);
  label = shell_find (table, "GtkLabel", LONG_NAME "@libconnection.so");
  g_assert_nonnull (label);
  g_assert_true (pango_layout_is_ellipsized (gtk_label_get_layout (GTK_LABEL (label))));
  g_assert_cmpint (gtk_label_get_ellipsize (GTK_LABEL (label)), ==, PANGO_ELLIPSIZE_MIDDLE);
  shell_picture (window, "contexts-long-name");
  tb_focus_select_item (tb_document_get_focus (document), "paths", "1", TB_ID_NONE, TB_TIME_NONE,
                        TB_TIME_NONE, NULL);
  g_assert_nonnull (
      shell_find_text (shell_find (GTK_WIDGET (window), "TbDetailsPane", NULL), LONG_NAME));
  shell_picture (window, "contexts-long-name-details");
  shell_close_window (window);
  g_object_unref (file);
}

/* A lookup that waits for another thread. */
static GFile *
write_waits (void)
{
  GString *text = g_string_new (
      "time_ns,cpu,kind,prev,prev_state,next,waker,wakee,vec,tid,dev,bytes,text,stack\n"
      "1000000,0,name,,,,,,,11,,,app,\n1000000,0,name,,,,,,,12,,,index,\n"
      "1000000,0,switch,0,R,11,,,,,,,,\n");
  g_autoptr (GError) error = NULL;
  GFile *file = shell_temporary ("waits.csv");
  gint64 time = 1000000;

  for (guint i = 0; i < ROUNDS; i++)
    {
      static const char line[] = "%" G_GINT64_FORMAT ",0,%s\n";

      g_string_append_printf (text, line, time += 100000, "sample,,,,,,,11,,,,main@app;parse@app");
      g_string_append_printf (text, line, time += 100000,
                              "wakeup,,,,11,12,,,,,,main@app;lookup@app");
      g_string_append_printf (text, line, time += 1000,
                              "switch,11,S,12,,,,,,,,main@app;lookup@app");
      g_string_append_printf (text, line, time += 2000000 + 1000 * i,
                              "wakeup,,,,12,11,,,,,,main@app;serve@app");
      g_string_append_printf (text, line, time += 1000, "switch,12,S,11,,,,,,,,main@app;serve@app");
      g_string_append_printf (text, line, time += 1000, "sample,,,,,,,11,,,,main@app;lookup@app");
    }
  g_string_append_printf (text, "%" G_GINT64_FORMAT ",0,switch,11,S,0,,,,,,,,\n", time);
  g_file_replace_contents (file, text->str, text->len, NULL, FALSE, 0, NULL, NULL, &error);
  g_assert_no_error (error);
  g_string_free (text, TRUE);
  return file;
}

static gboolean
has_lead (gpointer window)
{
  return shell_find_text (window, "mostly waiting") != NULL;
}

typedef struct
{
  TbDocument *document;
  const char *figure;
} Selected;

static gboolean
is_selected (gpointer data)
{
  const Selected *selected = data;
  TbSelectedEdge edge;

  return tb_document_get_edge (selected->document, &edge)
         && g_str_equal (tb_figure_get_id (TB_FIGURE (edge.figure)), selected->figure);
}

/* From "mostly waiting" to what it waits for: with the keyboard, before and after the other
 * analysis has run. */
static void
test_follow (void)
{
  TbWindow *window = shell_new_window ();
  g_autoptr (GFile) file = write_waits ();
  TbDocument *document = shell_open (window, file);
  TbFocus *focus = tb_document_get_focus (document);
  Selected selected = { document, "wait-graph" };

  for (guint i = 0; i < 2; i++)
    {
      GtkWidget *row, *button;
      TbSelectedEdge edge;
      const TbGraphEdge *found;
      gint64 from, to;

      show_contexts (window, document, "paths");
      shell_wait (has_lead, window, "the finding");
      row = gtk_widget_get_ancestor (shell_find_text (GTK_WIDGET (window), "mostly waiting"),
                                     GTK_TYPE_LIST_BOX_ROW);
      button = shell_find (row, "GtkButton", NULL);
      g_assert_true (gtk_widget_get_visible (button));
      gtk_test_accessible_assert_property (button, GTK_ACCESSIBLE_PROPERTY_LABEL,
                                           "Show in Wait Graph");
      if (i == 0)
        shell_picture (window, "contexts-waits");
      g_assert_true (gtk_widget_grab_focus (button));
      ui_key (GTK_WIDGET (window), "Return");
      shell_wait (is_selected, &selected, "the edge");
      g_assert_cmpstr (tb_document_page_get_figure (tb_window_get_document_page (window)), ==,
                       "wait-graph");
      g_assert_true (tb_document_get_edge (document, &edge));
      found = tb_graph_figure_get_edge (edge.figure, edge.edge);
      g_assert_cmpstr (tb_graph_figure_get_vertex (edge.figure, found->from)->name, ==, "app");
      g_assert_cmpstr (tb_graph_figure_get_vertex (edge.figure, found->to)->name, ==, "index");
      g_assert_cmpuint (tb_focus_get_thread (focus), ==, shell_find_thread (document, "app"));
      g_assert_true (tb_focus_get_time (focus, &from, &to));
      g_assert_cmpint (to - from, >, 2000000);
    }
  shell_wait_settled (document);
  shell_picture (window, "contexts-followed");
  shell_close_window (window);
}

int
main (int argc, char **argv)
{
  shell_init (&argc, &argv);
  g_test_add_func ("/contexts-page/cell", test_cell);
  g_test_add_func ("/contexts-page/outlined", test_outlined);
  g_test_add_func ("/contexts-page/row", test_row);
  g_test_add_func ("/contexts-page/long-name", test_long_name);
  g_test_add_func ("/contexts-page/follow", test_follow);
  g_test_add_func ("/contexts-page/comparison", test_comparison);
  g_test_add_func ("/contexts-page/compared-cell", test_compared_cell);
  g_test_add_func ("/contexts-page/compared-row", test_compared_row);
  g_test_add_func ("/contexts-page/compared-rows-and-boxes", test_compared_rows_and_boxes);
  g_test_add_func ("/contexts-page/compared-finding", test_compared_finding);
  g_test_add_func ("/contexts-page/compared-several", test_compared_several);
  return g_test_run ();
}
