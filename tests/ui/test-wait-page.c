/* test-wait-page.c: from an edge of the wait graph to its row, stacks and occurrences
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#include "config.h"

#include "report/graph/tb-graph-figure.h"
#include "session/schema/tb-schema.h"
#include "shell/commands/tb-command-list.h"
#include "shell/document/tb-finding-row.h"
#include "shell-fixture.h"
#include "ui-test.h"
#include "widgets/tailback-gtk.h"

typedef struct
{
  TbWindow *window;
  TbDocument *document;
  TbDocumentPage *page;
  TbGraphFigure *figure;
  guint edge;
} Fixture;

static gboolean
has_report (gpointer item)
{
  return tb_analysis_item_get_report (item) != NULL;
}

/* Selects the edge with most occurrences in the graph of the sample recording. */
static void
fixture_init (Fixture *fixture)
{
  g_autoptr (GFile) file = shell_inbox ();
  TbAnalysisItem *item;
  TbGraphOccurrences occurrences;
  gsize most = 0;

  fixture->window = shell_new_window ();
  fixture->document = shell_open (fixture->window, file);
  shell_activate (fixture->window, "show-analysis", g_variant_new_string ("wait-graph"));
  item = tb_document_find_analysis (fixture->document, "wait-graph");
  g_assert_nonnull (item);
  shell_wait (has_report, item, "no report");
  shell_wait_settled (fixture->document);
  fixture->figure
      = TB_GRAPH_FIGURE (tb_report_find_figure (tb_analysis_item_get_report (item), "wait-graph"));
  for (guint i = 0; i < tb_graph_figure_get_n_edges (fixture->figure); i++)
    {
      tb_graph_figure_get_occurrences (fixture->figure, i, &occurrences);
      if (occurrences.n > most)
        {
          most = occurrences.n;
          fixture->edge = i;
        }
    }
  g_assert_cmpuint (most, >, 0);
}

static void
select_edge (Fixture *fixture)
{
  tb_focus_select_item (tb_document_get_focus (fixture->document), "wait-graph",
                        tb_graph_figure_get_edge (fixture->figure, fixture->edge)->id, TB_ID_NONE,
                        TB_TIME_NONE, TB_TIME_NONE, NULL);
}

static GtkWidget *
get_pane (Fixture *fixture)
{
  return shell_find (GTK_WIDGET (fixture->window), "TbDetailsPane", NULL);
}

/* Checks the stacks of the waiter and of the waker, each in a flame of its own if there are any. */
static void
assert_sides (Fixture *fixture, const TbGraphEdge *edge)
{
  const char *const items[] = { edge->from_item, edge->to_item };
  const guint ends[] = { edge->from, edge->to };
  GtkWidget *pane = get_pane (fixture);

  g_assert_cmpstr (items[0], !=, "");
  for (guint i = 0; i < G_N_ELEMENTS (items); i++)
    {
      g_autofree char *heading
          = g_strdup_printf ("Stacks of %s",
                             tb_graph_figure_get_vertex (fixture->figure, ends[i])->name);

      g_assert_cmpint (shell_find_text (pane, heading) != NULL, ==, *items[i] != '\0');
    }
  g_assert_nonnull (shell_find (pane, "TbFlameView", NULL));
}

static guint
count_flames (GtkWidget *widget)
{
  guint n = g_str_equal (G_OBJECT_TYPE_NAME (widget), "TbFlameView");

  for (GtkWidget *child = gtk_widget_get_first_child (widget); child != NULL;
       child = gtk_widget_get_next_sibling (child))
    n += count_flames (child);
  return n;
}

/* An edge ended by another thread has two flames: where the waiter waits, and where the waker wakes
 * it. */
static void
test_both_sides (void)
{
  Fixture fixture;
  const TbGraphEdge *edge = NULL;

  fixture_init (&fixture);
  for (fixture.edge = 0; edge == NULL; fixture.edge++)
    {
      const TbGraphEdge *info = tb_graph_figure_get_edge (fixture.figure, fixture.edge);

      if (g_str_equal (tb_graph_figure_get_vertex (fixture.figure, info->from)->name, "php-cgi")
          && g_str_equal (tb_graph_figure_get_vertex (fixture.figure, info->to)->name,
                          "imap-login"))
        edge = info;
    }
  fixture.edge--;
  select_edge (&fixture);
  g_assert_cmpstr (edge->from_item, !=, "");
  g_assert_cmpstr (edge->to_item, !=, "");
  assert_sides (&fixture, edge);
  g_assert_cmpuint (count_flames (shell_find (get_pane (&fixture), "TbEdgeDetails", NULL)), ==, 2);
  shell_picture (fixture.window, "wait-graph-both-sides");
  shell_close_window (fixture.window);
}

static void
test_graph (void)
{
  Fixture fixture;
  const TbGraphEdge *edge;
  g_autofree char *title = NULL;
  GtkWidget *view;

  fixture_init (&fixture);
  view = shell_find (GTK_WIDGET (fixture.window), "TbGraphView", NULL);
  g_assert_nonnull (view);
  edge = tb_graph_figure_get_edge (fixture.figure, fixture.edge);
  title = g_strdup_printf ("%s → %s", tb_graph_figure_get_vertex (fixture.figure, edge->from)->name,
                           tb_graph_figure_get_vertex (fixture.figure, edge->to)->name);
  g_assert_null (shell_find (get_pane (&fixture), "TbEdgeDetails", NULL));
  select_edge (&fixture);
  g_assert_nonnull (shell_find (get_pane (&fixture), "TbEdgeDetails", NULL));
  g_assert_nonnull (shell_find_text (get_pane (&fixture), title));
  g_assert_nonnull (shell_find_text (get_pane (&fixture), "Occurrences"));
  assert_sides (&fixture, edge);
  shell_picture (fixture.window, "wait-graph");
  shell_close_window (fixture.window);
}

static gboolean
is_menu_open (gpointer window)
{
  GtkWidget *menu = shell_find (window, "GtkPopoverMenu", NULL);

  return menu != NULL && gtk_widget_get_mapped (menu);
}

/* The menu applies to the clicked edge, not to the previous selection. */
static void
test_menu (void)
{
  Fixture fixture;
  const TbGraphEdge *edge;
  GtkWidget *view;
  TbFocus *focus;
  double x, y;

  fixture_init (&fixture);
  focus = tb_document_get_focus (fixture.document);
  view = shell_find (GTK_WIDGET (fixture.window), "TbGraphView", NULL);
  edge = tb_graph_figure_get_edge (fixture.figure, fixture.edge);
  ui_frames (GTK_WIDGET (fixture.window), 4);
  g_assert_true (tb_graph_view_get_place (TB_GRAPH_VIEW (view), edge->id, &x, &y));
  g_assert_cmpstr (tb_graph_view_get_item_at (TB_GRAPH_VIEW (view), x, y), ==, edge->id);
  ui_point (view, x, y);
  ui_input ("click", "3", NULL);
  shell_wait (is_menu_open, fixture.window, "the menu");
  g_assert_cmpstr (tb_focus_get_item (focus), ==, edge->id);
  g_assert_nonnull (shell_find (get_pane (&fixture), "TbEdgeDetails", NULL));
  shell_picture (fixture.window, "wait-graph-menu");
  gtk_popover_popdown (
      GTK_POPOVER (shell_find (GTK_WIDGET (fixture.window), "GtkPopoverMenu", NULL)));
  shell_close_window (fixture.window);
}

/* The row of the table is the same item. */
static void
test_table (void)
{
  Fixture fixture;
  g_autofree char *copy = NULL;
  GtkWidget *table;

  fixture_init (&fixture);
  select_edge (&fixture);
  shell_activate (fixture.window, "show-figure", g_variant_new_string ("edges"));
  table = shell_find (GTK_WIDGET (fixture.window), "TbTableView", NULL);
  g_assert_nonnull (table);
  copy = tb_table_view_copy (TB_TABLE_VIEW (table));
  g_assert_nonnull (strstr (copy, tb_graph_figure_get_vertex (
                                      fixture.figure,
                                      tb_graph_figure_get_edge (fixture.figure, fixture.edge)->from)
                                      ->name));
  shell_picture (fixture.window, "wait-graph-edges");
  shell_close_window (fixture.window);
}

static gboolean
is_allocated (gpointer widget)
{
  return gtk_widget_get_width (widget) > 0;
}

/* The selected occurrence is shown on the timeline, in the row of the waiter. */
static void
assert_on_timeline (Fixture *fixture, const TbGraphOccurrences *occurrences)
{
  TbAnalysisItem *item = tb_document_find_analysis (fixture->document, "threads");
  TbTimelineFigure *figure;
  TbTimelineTrack of;
  GtkWidget *timeline;
  gint64 from, to;
  double x, y;
  guint track;
  gboolean found = FALSE;

  shell_activate (fixture->window, "show-analysis", g_variant_new_string ("threads"));
  shell_wait (has_report, item, "no report");
  shell_wait_settled (fixture->document);
  figure
      = TB_TIMELINE_FIGURE (tb_report_find_figure (tb_analysis_item_get_report (item), "timeline"));
  shell_activate (fixture->window, "show-figure", g_variant_new_string ("timeline"));
  timeline = shell_find (GTK_WIDGET (fixture->window), "TbTimelineView", NULL);
  g_assert_nonnull (timeline);
  shell_wait (is_allocated, timeline, "the timeline was not laid out");
  g_assert_true (tb_focus_get_time (tb_document_get_focus (fixture->document), &from, &to));
  g_assert_cmpint (from, ==, occurrences->from[0]);
  g_assert_cmpint (to, ==, occurrences->to[0]);
  for (guint i = 0; i < tb_timeline_view_get_n_shown (TB_TIMELINE_VIEW (timeline)); i++)
    {
      tb_timeline_figure_get_track (figure, i, &of);
      if (of.thread == occurrences->thread[0]
          && tb_timeline_view_get_position (TB_TIMELINE_VIEW (timeline), i, from + (to - from) / 2,
                                            &x, &y)
          && x >= 0 && x < gtk_widget_get_width (timeline))
        found |= tb_timeline_view_get_interval_at (TB_TIMELINE_VIEW (timeline), x, y, &track, NULL)
                 && track == i;
    }
  g_assert_true (found);
}

/* From one occurrence to the next; the edge stays selected. */
static void
test_occurrences (void)
{
  TbGraphOccurrences occurrences;
  Fixture fixture;
  TbFocus *focus;
  gint64 from, to;

  fixture_init (&fixture);
  focus = tb_document_get_focus (fixture.document);
  tb_graph_figure_get_occurrences (fixture.figure, fixture.edge, &occurrences);
  g_assert_cmpuint (occurrences.n, >, 1);
  g_assert_false (shell_is_enabled (fixture.window, "next-occurrence"));
  select_edge (&fixture);
  g_assert_true (shell_is_enabled (fixture.window, "next-occurrence"));
  for (gsize i = 0; i < 2; i++)
    {
      shell_activate (fixture.window, "next-occurrence", NULL);
      g_assert_true (tb_focus_get_time (focus, &from, &to));
      g_assert_cmpint (from, ==, occurrences.from[i]);
      g_assert_cmpint (to, ==, occurrences.to[i]);
      g_assert_cmpuint (tb_focus_get_thread (focus), ==, occurrences.thread[i]);
      g_assert_cmpstr (tb_focus_get_item (focus), ==,
                       tb_graph_figure_get_edge (fixture.figure, fixture.edge)->id);
    }
  shell_activate (fixture.window, "previous-occurrence", NULL);
  g_assert_true (tb_focus_get_time (focus, &from, &to));
  g_assert_cmpint (from, ==, occurrences.from[0]);
  g_assert_nonnull (shell_find (get_pane (&fixture), "TbEdgeDetails", NULL));
  shell_picture (fixture.window, "wait-graph-occurrence");
  assert_on_timeline (&fixture, &occurrences);
  shell_close_window (fixture.window);
}

/* --- merged vertices --- */

/* Two workers that wait for a third thread at the same place. */
static GFile *
write_workers (void)
{
  g_autoptr (GString) text = g_string_new (
      "time_ns,cpu,kind,prev,prev_state,next,waker,wakee,vec,tid,dev,bytes,text,stack\n"
      "0,0,name,,,,10,,,11,,,app/worker,\n0,0,name,,,,10,,,12,,,app/"
      "worker,\n0,0,name,,,,10,,,13,,,app/boss,\n"
      "0,0,switch,0,R,11,,,,,,,,\n0,1,switch,0,R,12,,,,,,,,\n0,2,switch,0,R,13,,,,,,,,\n");
  GFile *file = shell_temporary ("workers.csv");
  g_autoptr (GError) error = NULL;

  for (int i = 0; i < 20; i++)
    {
      int t = (i + 1) * 1000000, tid = 11 + i % 2;

      g_string_append_printf (text,
                              "%d,%d,switch,%d,S,0,,,,,,,,main;work;wait\n"
                              "%d,2,wakeup,,,,13,%d,,,,,,\n"
                              "%d,%d,switch,0,R,%d,,,,,,,,\n",
                              t, i % 2, tid, t + 900000, tid, t + 900000, i % 2, tid);
    }
  g_file_replace_contents (file, text->str, text->len, NULL, FALSE, G_FILE_CREATE_NONE, NULL, NULL,
                           &error);
  g_assert_no_error (error);
  return file;
}

static TbGraphFigure *
get_graph (TbDocument *document)
{
  TbReport *report
      = tb_analysis_item_get_report (tb_document_find_analysis (document, "wait-graph"));

  return TB_GRAPH_FIGURE (tb_report_find_figure (report, "wait-graph"));
}

static const TbGraphVertex *
find_vertex (TbDocument *document, const char *name)
{
  TbGraphFigure *figure = get_graph (document);

  for (guint i = 0; i < tb_graph_figure_get_n_vertices (figure); i++)
    if (g_str_equal (tb_graph_figure_get_vertex (figure, i)->name, name))
      return tb_graph_figure_get_vertex (figure, i);
  return NULL;
}

static gboolean
is_expanded (gpointer document)
{
  return find_vertex (document, "worker") != NULL;
}

static gboolean
is_contracted (gpointer document)
{
  return find_vertex (document, "worker ×2") != NULL;
}

/* A merged vertex is expanded and merged again, in graph and table, by a double click, by Enter and
 * by the menu. */
static void
test_expand (void)
{
  TbWindow *window = shell_new_window ();
  g_autoptr (GFile) file = write_workers ();
  TbDocument *document = shell_open (window, file);
  g_autofree char *copy = NULL;
  GtkWidget *view, *page, *table;

  shell_activate (window, "show-analysis", g_variant_new_string ("wait-graph"));
  shell_wait (has_report, tb_document_find_analysis (document, "wait-graph"), "no report");
  shell_wait_settled (document);
  g_assert_true (is_contracted (document));
  view = shell_find (GTK_WIDGET (window), "TbGraphView", NULL);
  g_signal_emit_by_name (view, "item-activated", "nothing"); /* nothing is selected */
  tb_focus_select_item (tb_document_get_focus (document), "wait-graph",
                        find_vertex (document, "worker ×2")->id, TB_ID_NONE, TB_TIME_NONE,
                        TB_TIME_NONE, NULL);
  g_signal_emit_by_name (view, "item-activated", find_vertex (document, "worker ×2")->id);
  shell_wait (is_expanded, document, "it was not expanded");
  shell_wait_settled (document);
  shell_picture (window, "wait-graph-expanded");
  shell_activate (window, "show-figure", g_variant_new_string ("edges"));
  table = shell_find (GTK_WIDGET (window), "TbTableView", NULL);
  tb_focus_select_item (tb_document_get_focus (document), "wait-graph",
                        tb_graph_figure_get_edge (get_graph (document), 0)->id, TB_ID_NONE,
                        TB_TIME_NONE, TB_TIME_NONE, NULL);
  copy = tb_table_view_copy (TB_TABLE_VIEW (table));
  g_assert_nonnull (strstr (copy, "worker"));
  g_assert_null (strstr (copy, "×2"));
  page = shell_find (GTK_WIDGET (window), "TbAnalysisPage", NULL);
  tb_focus_select_item (tb_document_get_focus (document), "wait-graph",
                        find_vertex (document, "worker")->id, TB_ID_NONE, TB_TIME_NONE,
                        TB_TIME_NONE, NULL);
  g_assert_true (gtk_widget_activate_action (page, "analysis.expand", NULL));
  shell_wait (is_contracted, document, "it was not contracted");
  shell_close_window (window);
}

/* --- assertions about edges --- */

typedef struct
{
  TbWindow *window;
  const char *title;
} AssertionWait;

/* Runs a command by its title in the palette. */
static gboolean
is_assertion_offered (gpointer data)
{
  AssertionWait *self = data;
  g_autoptr (GListModel) commands = tb_command_list_new (self->window);
  gboolean can = FALSE;

  for (guint i = 0; i < g_list_model_get_n_items (commands); i++)
    {
      g_autoptr (TbCommandItem) item = g_list_model_get_item (commands, i);

      can |= g_str_equal (tb_command_item_get_title (item), self->title)
             && g_str_equal (tb_command_item_get_action (item), "analysis.assert");
    }
  return can;
}

static gboolean
is_in_menu (gpointer data)
{
  const AssertionWait *self = data;
  GtkWidget *menu = shell_find (GTK_WIDGET (self->window), "GtkPopoverMenu", NULL);

  return menu != NULL && gtk_widget_get_mapped (menu)
         && shell_find_text (menu, self->title) != NULL;
}

/* The assertion that an edge waits for new work is made by a command, never by a double click, and
 * retracted by the same command. */
static void
test_assert_edge (void)
{
  TbWindow *window = shell_new_window ();
  g_autoptr (GFile) file = write_workers ();
  TbDocument *document = shell_open (window, file);
  AssertionWait wait = { window, "This Wait Is for New Work" };
  g_autofree char *edge = NULL;
  GtkWidget *view;

  shell_activate (window, "show-analysis", g_variant_new_string ("wait-graph"));
  shell_wait (has_report, tb_document_find_analysis (document, "wait-graph"), "no report");
  shell_wait_settled (document);
  g_assert_false (is_assertion_offered (&wait));
  edge = g_strdup (tb_graph_figure_get_edge (get_graph (document), 0)->id);
  tb_focus_select_item (tb_document_get_focus (document), "wait-graph", edge, TB_ID_NONE,
                        TB_TIME_NONE, TB_TIME_NONE, NULL);
  view = shell_find (GTK_WIDGET (window), "TbGraphView", NULL);
  g_signal_emit_by_name (view, "item-activated", edge);
  shell_wait_settled (document);
  g_assert_true (is_assertion_offered (&wait));
  g_assert_true (gtk_widget_activate_action (view, "analysis.assert", NULL));
  wait.title = "This Wait Is Not for New Work";
  shell_wait (is_assertion_offered, &wait, "it was not asserted");
  shell_wait_settled (document);
  view = shell_find (GTK_WIDGET (window), "TbGraphView", NULL);
  g_assert_true (gtk_widget_child_focus (view, GTK_DIR_TAB_FORWARD));
  ui_key (view, "shift+F10");
  shell_wait (is_in_menu, &wait, "the menu");
  shell_picture (window, "wait-graph-asserted");
  gtk_popover_popdown (GTK_POPOVER (shell_find (GTK_WIDGET (window), "GtkPopoverMenu", NULL)));
  g_assert_true (gtk_widget_activate_action (view, "analysis.assert", NULL));
  wait.title = "This Wait Is for New Work";
  shell_wait (is_assertion_offered, &wait, "it was not taken back");
  shell_close_window (window);
}

/* --- proposals --- */

/* C is woken by A repeatedly without success, and finally by B. */
static GFile *
write_false_wakeups (void)
{
  g_autoptr (GString) text = g_string_new (
      "time_ns,cpu,kind,prev,prev_state,next,waker,wakee,vec,tid,dev,bytes,text,stack\n"
      "0,0,name,,,,10,,,11,,,app/A,\n0,0,name,,,,10,,,12,,,app/B,\n0,0,name,,,,10,,,13,,,app/C,\n"
      "0,0,switch,0,R,11,,,,,,,,\n0,1,switch,0,R,12,,,,,,,,\n0,2,switch,0,R,13,,,,,,,,\n");
  GFile *file = shell_temporary ("false.csv");
  g_autoptr (GError) error = NULL;

  for (int i = 0; i < 10; i++)
    for (int j = 0; j < 2; j++)
      {
        int t = (i + 1) * 1000000 + j * 510000;

        g_string_append_printf (text,
                                "%d,2,switch,13,S,0,,,,,,,,main;take;block\n"
                                "%d,%d,wakeup,,,,%d,13,,,,,,\n%d,2,switch,0,R,13,,,,,,,,\n",
                                t, t + 400000 + 100000 * !j, j, 11 + j, t + 400000 + 100000 * !j);
      }
  g_file_replace_contents (file, text->str, text->len, NULL, FALSE, G_FILE_CREATE_NONE, NULL, NULL,
                           &error);
  g_assert_no_error (error);
  return file;
}

typedef struct
{
  GtkWidget *window;
  const char *code;
  GtkWidget *row;
} Finding;

/* Checks that there is a row for a finding with that code, with its sentence. */
static gboolean
has_finding_row (gpointer data)
{
  Finding *finding = data;
  GtkWidget *row = shell_find (finding->window, "TbFindingRow", NULL);

  finding->row = NULL;
  for (; row != NULL && finding->row == NULL; row = gtk_widget_get_next_sibling (row))
    {
      TbFinding *of
          = TB_IS_FINDING_ROW (row) ? tb_finding_row_get_finding (TB_FINDING_ROW (row)) : NULL;

      if (of != NULL && g_strcmp0 (tb_finding_get_code (of), finding->code) == 0
          && shell_find_text (row, tb_finding_get_text (of)) != NULL)
        finding->row = row;
    }
  return finding->row != NULL;
}

static GtkWidget *
find_button (GtkWidget *parent, const char *icon)
{
  for (GtkWidget *child = gtk_widget_get_first_child (parent); child != NULL;
       child = gtk_widget_get_next_sibling (child))
    {
      GtkWidget *found = find_button (child, icon);

      if (found != NULL)
        return found;
    }
  return GTK_IS_BUTTON (parent) && gtk_widget_get_visible (parent)
                 && g_strcmp0 (gtk_button_get_icon_name (GTK_BUTTON (parent)), icon) == 0
             ? parent
             : NULL;
}

static guint64
count_waits (TbDocument *document, const char *waker)
{
  TbGraphFigure *figure = get_graph (document);

  for (guint i = 0; i < tb_graph_figure_get_n_edges (figure); i++)
    {
      const TbGraphEdge *edge = tb_graph_figure_get_edge (figure, i);

      if (g_str_equal (tb_graph_figure_get_vertex (figure, edge->from)->name, "C")
          && g_str_equal (tb_graph_figure_get_vertex (figure, edge->to)->name, waker))
        return edge->count;
    }
  return 0;
}

/* The button of a proposal's finding applies it, with the keyboard; the button of the resulting
 * finding retracts it. */
static void
test_apply (void)
{
  TbWindow *window = shell_new_window ();
  g_autoptr (GFile) file = write_false_wakeups ();
  TbDocument *document = shell_open (window, file);
  Finding proposed = { GTK_WIDGET (window), "false-wakeup-candidate", NULL };
  Finding applied = { GTK_WIDGET (window), "applied-false-wakeup", NULL };
  JsonObject *values;
  GtkWidget *button;

  shell_activate (window, "show-analysis", g_variant_new_string ("wait-graph"));
  shell_wait (has_report, tb_document_find_analysis (document, "wait-graph"), "no report");
  shell_wait_settled (document);
  g_assert_cmpuint (count_waits (document, "A"), ==, 10);
  shell_wait (has_finding_row, &proposed, "the proposal");
  shell_picture (window, "wait-graph-proposed");
  button = find_button (proposed.row, "list-add-symbolic");
  g_assert_nonnull (button);
  gtk_test_accessible_assert_property (button, GTK_ACCESSIBLE_PROPERTY_LABEL,
                                       "Apply: C was woken in vain there");
  g_assert_true (gtk_widget_grab_focus (button));
  ui_key (GTK_WIDGET (window), "Return");
  shell_wait (has_finding_row, &applied, "what was applied");
  values = tb_finding_get_values (tb_finding_row_get_finding (TB_FINDING_ROW (applied.row)));
  g_assert_cmpstr (json_object_get_string_member (values, "name"), ==, "C");
  g_assert_cmpint (json_object_get_int_member (values, "count"), ==, 10);
  shell_wait_settled (document);
  g_assert_cmpuint (count_waits (document, "A"), ==, 0);
  g_assert_cmpuint (count_waits (document, "B"), ==, 10);
  shell_picture (window, "wait-graph-applied");
  button = find_button (applied.row, "list-remove-symbolic");
  g_assert_nonnull (button);
  g_assert_true (gtk_widget_grab_focus (button));
  ui_key (GTK_WIDGET (window), "Return");
  shell_wait (has_finding_row, &proposed, "the proposal again");
  shell_wait_settled (document);
  g_assert_cmpuint (count_waits (document, "A"), ==, 10);
  shell_close_window (window);
}

/* --- what if --- */

static GtkWidget *
open_what_if (Fixture *fixture)
{
  GtkWidget *page = shell_find (GTK_WIDGET (fixture->window), "TbAnalysisPage", NULL);
  GtkWidget *pane;

  g_assert_null (shell_find (GTK_WIDGET (fixture->window), "TbScenariosPane", NULL));
  g_assert_true (gtk_widget_activate_action (page, "analysis.try", NULL));
  pane = shell_find (GTK_WIDGET (fixture->window), "TbScenariosPane", NULL);
  g_assert_nonnull (pane);
  return pane;
}

static GtkWidget *
find_row (GtkWidget *pane, guint index)
{
  GtkWidget *list = shell_find (pane, "GtkListBox", NULL);

  return list != NULL
             ? GTK_WIDGET (gtk_list_box_get_row_at_index (GTK_LIST_BOX (list), (int) index))
             : NULL;
}

static gboolean
is_predicted (gpointer row)
{
  return strstr (adw_expander_row_get_subtitle (row), " instead of ") != NULL;
}

static gboolean
has_error (gpointer row)
{
  return gtk_widget_has_css_class (row, "error");
}

static void
press (GtkWidget *pane)
{
  GtkWidget *button = shell_find (pane, "GtkButton", "_Predict");

  g_assert_nonnull (button);
  g_assert_true (gtk_widget_is_sensitive (button));
  g_signal_emit_by_name (button, "clicked");
}

/* What-if changes of the selected edge, then of the recording; each alone and both together are
 * predicted. */
static void
test_what_if (void)
{
  Fixture fixture;
  GtkWidget *pane, *choice;

  fixture_init (&fixture);
  pane = open_what_if (&fixture);
  choice = shell_find (pane, "GtkDropDown", NULL);
  g_assert_cmpuint (g_list_model_get_n_items (gtk_drop_down_get_model (GTK_DROP_DOWN (choice))), ==,
                    1);
  select_edge (&fixture);
  g_assert_cmpuint (g_list_model_get_n_items (gtk_drop_down_get_model (GTK_DROP_DOWN (choice))), >=,
                    3);
  gtk_drop_down_set_selected (GTK_DROP_DOWN (choice), 0);
  g_assert_nonnull (shell_find (pane, "GtkSpinButton", NULL));
  press (pane);
  shell_wait (is_predicted, find_row (pane, 0), "no prediction");
  g_assert_null (find_row (pane, 1));
  press (pane); /* already in the list */
  g_assert_null (find_row (pane, 1));
  gtk_drop_down_set_selected (
      GTK_DROP_DOWN (choice),
      g_list_model_get_n_items (gtk_drop_down_get_model (GTK_DROP_DOWN (choice))) - 1);
  press (pane);
  shell_wait (is_predicted, find_row (pane, 1), "no second prediction");
  shell_wait (is_predicted, find_row (pane, 2), "no prediction of both");
  g_assert_nonnull (shell_find (pane, "TbScenarioRow", "All changes together"));
  shell_picture (fixture.window, "wait-graph-what-if");
  shell_close_window (fixture.window);
}

/* A syntax error is shown at the entry, an unknown subject in the place of its prediction. The
 * report stays. */
static void
test_what_if_wrong (void)
{
  Fixture fixture;
  GtkWidget *pane, *entry;

  fixture_init (&fixture);
  pane = open_what_if (&fixture);
  entry = shell_find (pane, "GtkEntry", NULL);
  gtk_editable_set_text (GTK_EDITABLE (entry), "edge:here");
  g_signal_emit_by_name (entry, "activate");
  g_assert_null (find_row (pane, 0));
  g_assert_true (gtk_widget_has_css_class (entry, "error"));
  g_assert_nonnull (shell_find_text (pane, "edge:A>B*FACTOR"));
  g_assert_true (
      gtk_test_accessible_has_state (GTK_ACCESSIBLE (entry), GTK_ACCESSIBLE_STATE_INVALID));
  shell_picture (fixture.window, "wait-graph-what-if-wrong");
  gtk_editable_set_text (GTK_EDITABLE (entry), "device:nowhere*2");
  g_assert_false (gtk_widget_has_css_class (entry, "error"));
  g_signal_emit_by_name (entry, "activate");
  g_assert_cmpstr (gtk_editable_get_text (GTK_EDITABLE (entry)), ==, "");
  shell_wait (has_error, find_row (pane, 0), "no error");
  g_assert_nonnull (shell_find_text (pane, "unknown name"));
  gtk_editable_set_text (GTK_EDITABLE (entry), "cpus=4");
  g_signal_emit_by_name (entry, "activate");
  shell_wait (is_predicted, find_row (pane, 1), "no prediction after an error");
  g_assert_nonnull (
      tb_analysis_item_get_report (tb_document_find_analysis (fixture.document, "wait-graph")));
  shell_close_window (fixture.window);
}

/* A prediction can be cancelled, restarted, and removed. */
static void
test_what_if_cancel (void)
{
  Fixture fixture;
  GtkWidget *pane, *entry, *row;

  fixture_init (&fixture);
  pane = open_what_if (&fixture);
  entry = shell_find (pane, "GtkEntry", NULL);
  gtk_editable_set_text (GTK_EDITABLE (entry), "cpus=1,cpus=3");
  g_signal_emit_by_name (entry, "activate");
  row = find_row (pane, 0);
  g_signal_emit_by_name (shell_find (row, "GtkButton", "Cancel the prediction"), "clicked");
  g_assert_cmpstr (adw_expander_row_get_subtitle (ADW_EXPANDER_ROW (row)), ==, "Canceled");
  shell_wait (is_predicted, find_row (pane, 1), "the next one was not predicted");
  g_signal_emit_by_name (shell_find (row, "GtkButton", "Predict again"), "clicked");
  shell_wait (is_predicted, row, "no prediction");
  g_signal_emit_by_name (shell_find (row, "GtkButton", "Remove this scenario"), "clicked");
  g_assert_null (find_row (pane, 1));
  shell_wait (is_predicted, find_row (pane, 0), "the other one went, too");
  shell_close_window (fixture.window);
}

/* When the report is made again, so are predictions. */
static void
test_what_if_again (void)
{
  Fixture fixture;
  GtkWidget *pane, *entry;
  TbAnalysisItem *item;

  fixture_init (&fixture);
  pane = open_what_if (&fixture);
  entry = shell_find (pane, "GtkEntry", NULL);
  gtk_editable_set_text (GTK_EDITABLE (entry), "cpus=4");
  g_signal_emit_by_name (entry, "activate");
  shell_wait (is_predicted, find_row (pane, 0), "no prediction");
  item = tb_document_find_analysis (fixture.document, "wait-graph");
  g_assert_true (tb_analysis_item_set_option (item, "target", "curl", NULL));
  tb_document_run (fixture.document, item);
  shell_wait_settled (fixture.document);
  shell_wait (is_predicted, find_row (pane, 0), "no prediction after the report was made anew");
  shell_close_window (fixture.window);
}

int
main (int argc, char **argv)
{
  shell_init (&argc, &argv);
  g_test_add_func ("/wait-page/graph", test_graph);
  g_test_add_func ("/wait-page/both-sides", test_both_sides);
  g_test_add_func ("/wait-page/menu", test_menu);
  g_test_add_func ("/wait-page/table", test_table);
  g_test_add_func ("/wait-page/occurrences", test_occurrences);
  g_test_add_func ("/wait-page/expand", test_expand);
  g_test_add_func ("/wait-page/assert", test_assert_edge);
  g_test_add_func ("/wait-page/apply", test_apply);
  g_test_add_func ("/wait-page/what-if", test_what_if);
  g_test_add_func ("/wait-page/what-if/wrong", test_what_if_wrong);
  g_test_add_func ("/wait-page/what-if/cancel", test_what_if_cancel);
  g_test_add_func ("/wait-page/what-if/again", test_what_if_again);
  return g_test_run ();
}
