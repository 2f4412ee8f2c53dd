/* test-compare-parts.c: comparison of the same part of two recordings with unrelated clocks
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#include "config.h"

#include "shell-fixture.h"
#include "ui-test.h"
#include "widgets/tailback-gtk.h"

#define MS G_GINT64_CONSTANT (1000000)
#define BASE_START (5000 * MS)
#define OTHER_START (3000000000 * MS)
/* In each round the app reads, which another process ends, and then does a lookup. */
#define ROUNDS 40
#define ROUND (4 * MS)
#define READ_WAIT (1 * MS)
#define LONG_WAIT (3 * MS)
/* The second half of the recording. */
#define PART_FROM (ROUNDS / 2 * ROUND)
#define PART_TO (ROUNDS * ROUND)

#define STACK_OF_READ "main@app;parse@libparse.so;read@libc.so.6;sys_read@[kernel]"
#define STACK_OF_LOOKUP "main@app;lookup@libindex.so;strcmp@libc.so.6"

static void
add_line (GString *text, gint64 time, const char *rest)
{
  g_string_append_printf (text, "%" G_GINT64_FORMAT ",0,%s\n", time, rest);
}

/* Reads that are longer are in the second half. */
static GFile *
write_rounds (const char *name, gint64 start, gint64 later_wait)
{
  g_autoptr (GString) text = g_string_new (
      "time_ns,cpu,kind,prev,prev_state,next,waker,wakee,vec,tid,dev,bytes,text,stack\n");
  g_autoptr (GError) error = NULL;
  GFile *file = shell_temporary (name);

  add_line (text, start, "name,,,,10,,,11,,,app/reader,");
  add_line (text, start, "name,,,,20,,,21,,,feeder,");
  add_line (text, start, "switch,0,R,11,,,,,,,,");
  for (int i = 0; i < ROUNDS; i++)
    {
      gint64 time = start + i * ROUND,
             woken = time + 1000 + (i < ROUNDS / 2 ? READ_WAIT : later_wait);

      add_line (text, time, "sys_enter,,,,,,,11,,,read," STACK_OF_READ);
      add_line (text, time + 500, "wakeup,,,,11,21,,,,,," STACK_OF_READ);
      add_line (text, time + 1000, "switch,11,S,21,,,,,,,," STACK_OF_READ);
      add_line (text, woken, "wakeup,,,,21,11,,,,,,feed@feeder");
      add_line (text, woken + 1000, "switch,21,S,11,,,,,,,,feed@feeder");
      add_line (text, woken + 2000, "sys_exit,,,,,,,11,,0,,");
      add_line (text, woken + 3000, "sample,,,,,,,11,,,," STACK_OF_LOOKUP);
      add_line (text, time + ROUND - 1000, "sample,,,,,,,11,,,," STACK_OF_LOOKUP);
    }
  add_line (text, start + ROUNDS * ROUND, "switch,11,S,0,,,,,,,,");
  g_file_replace_contents (file, text->str, text->len, NULL, FALSE, 0, NULL, NULL, &error);
  g_assert_no_error (error);
  return file;
}

typedef struct
{
  TbWindow *window;
  TbDocument *document;
  TbFocus *focus[2]; /* base, other */
} Fixture;

static void
set_up (Fixture *self)
{
  g_autoptr (GFile) base = write_rounds ("short.csv", BASE_START, READ_WAIT);
  g_autoptr (GFile) other = write_rounds ("long.csv", OTHER_START, LONG_WAIT);

  self->window = shell_new_window ();
  self->document
      = tb_document_page_get_document (tb_window_compare (self->window, base, other, TRUE));
  shell_wait_settled (self->document);
  for (guint side = 0; side < 2; side++)
    self->focus[side] = tb_document_get_side_focus (self->document, side == 0);
}

/* The overview strip of a side's recording. */
static GtkWidget *
find_strip (const Fixture *self, const char *label)
{
  GtkWidget *strip
      = gtk_widget_get_next_sibling (shell_find_text (GTK_WIDGET (self->window), label));

  g_assert_true (TB_IS_OVERVIEW_STRIP (strip));
  return strip;
}

/* Selects the same distances from each start. */
static void
assert_aligned (const Fixture *self)
{
  gint64 base_from, base_to, from, to;

  g_assert_true (tb_focus_get_range (self->focus[0], &base_from, &base_to));
  g_assert_true (tb_focus_get_range (self->focus[1], &from, &to));
  g_assert_cmpint (base_from - BASE_START, ==, from - OTHER_START);
  g_assert_cmpint (base_to - BASE_START, ==, to - OTHER_START);
  tb_focus_get_view (self->focus[0], &base_from, &base_to);
  tb_focus_get_view (self->focus[1], &from, &to);
  g_assert_cmpint (base_from - BASE_START, ==, from - OTHER_START);
  g_assert_cmpint (base_to - BASE_START, ==, to - OTHER_START);
}

static gboolean
has_range (gpointer focus)
{
  return tb_focus_get_range (focus, NULL, NULL);
}

/* Drags with the mouse, from one share of the width to another. */
static void
drag_over (const Fixture *self, const char *label, double from, double to)
{
  GtkWidget *strip;

  ui_frames (GTK_WIDGET (self->window), 3);
  strip = find_strip (self, label);
  ui_drag (strip, gtk_widget_get_width (strip) * from, 20, gtk_widget_get_width (strip) * to, 20,
           NULL);
  shell_wait (has_range, self->focus[1], "the range to be selected");
}

/* The range can be dragged in either strip. */
static void
test_drag (void)
{
  Fixture self;
  GtkWidget *strip;
  gint64 from, to;

  set_up (&self);
  g_assert_false (shell_is_enabled (self.window, "analyse-selection"));
  drag_over (&self, "Other: ", .5, .9);
  assert_aligned (&self);
  tb_focus_get_range (self.focus[1], &from, &to);
  g_assert_cmpfloat_with_epsilon ((double) (from - OTHER_START) / (double) PART_TO, .5, .02);
  g_assert_cmpfloat_with_epsilon ((double) (to - OTHER_START) / (double) PART_TO, .9, .02);
  g_assert_true (shell_is_enabled (self.window, "analyse-selection"));
  shell_picture (self.window, "comparison-part");
  strip = find_strip (&self, "Other: ");
  g_assert_true (gtk_widget_grab_focus (strip));
  ui_key (strip, "Escape");
  g_assert_false (tb_focus_get_range (self.focus[0], NULL, NULL));
  g_assert_false (tb_focus_get_range (self.focus[1], NULL, NULL));

  drag_over (&self, "Base: ", .1, .3);
  assert_aligned (&self);
  tb_focus_get_range (self.focus[1], &from, &to);
  g_assert_cmpfloat_with_epsilon ((double) (from - OTHER_START) / (double) PART_TO, .1, .02);
  shell_close_window (self.window);
}

static gboolean
has_options (gpointer window)
{
  GtkWidget *dialog = shell_find (window, "TbOptionsDialog", NULL);

  return dialog != NULL && shell_find (dialog, "AdwEntryRow", NULL) != NULL;
}

static gboolean
is_closed (gpointer window)
{
  return adw_application_window_get_visible_dialog (ADW_APPLICATION_WINDOW (window)) == NULL;
}

/* The process to explain has to be chosen. */
static void
choose_process (TbWindow *window)
{
  GtkWidget *dialog;

  shell_activate (window, "options", NULL);
  shell_wait (has_options, window, "the options");
  dialog = shell_find (GTK_WIDGET (window), "TbOptionsDialog", NULL);
  gtk_editable_set_text (GTK_EDITABLE (shell_find (dialog, "AdwEntryRow", "Process")), "app");
  g_signal_emit_by_name (shell_find (dialog, "GtkButton", "_Analyze"), "clicked");
  shell_wait (is_closed, window, "the dialog to close");
}

static JsonObject *
find_difference (TbReport *report, const char *what, const char *id)
{
  JsonArray *all
      = json_object_get_array_member (json_node_get_object (tb_report_get_summary (report)),
                                      "differences");

  for (guint i = 0; i < json_array_get_length (all); i++)
    {
      JsonObject *difference = json_array_get_object_element (all, i);

      if (g_str_equal (json_object_get_string_member (difference, "what"), what)
          && g_str_equal (json_object_get_string_member (difference, "id"), id))
        return difference;
    }
  g_error ("no difference %s of %s", what, id);
}

/* A known value of the rounds above: for one round, and its growth for a longer wait. */
typedef struct
{
  const char *analysis;
  const char *figure;
  const char *widget; /* in which it is shown */
  const char *what;
  const char *id;
  gint64 of_round;
  int more; /* number of longer waits that it contains */
  gint64 tolerance;
} Expected;

static const Expected all_expected[] = {
  { "threads", "differences", "TbTableView", "waiting_ns", "app/reader", READ_WAIT, 1, 0 },
  { "threads", "differences", "TbTableView", "running_ns", "app/reader", ROUND - READ_WAIT - 1000,
    -1, 0 },
  { "latency-peaks", "operations", "TbTableView", "total_ns", "syscall:read", READ_WAIT + 3000, 1,
    0 },
  { "latency-peaks", "histograms", "TbHeatmapCanvas", "calls", "syscall:read", 1, 0, 0 },
  { "control-paths", "differences", "TbTableView", "running_ns", "feeder", READ_WAIT + 1000, 1, 0 },
  { "control-paths", "consolidated", "TbFlameCanvas", "running_ns", "app", ROUND - READ_WAIT - 1000,
    -1, 0 },
  { "wait-graph", "differences", "TbTableView", "weight_ns", "reader > feeder", READ_WAIT, 1, 0 },
  { "calling-contexts", "heat", "TbHeatmapCanvas", "path_ns", "main;parse;read;sys_read",
    READ_WAIT + 3000, 1, 2000 },
  { "calling-contexts", "tree", "TbGraphView", "module_ns", "[kernel]", READ_WAIT + 3000, 1, 2000 },
};

static void
assert_expected (const Fixture *self, const Expected *expected, guint n_rounds)
{
  TbAnalysisItem *item = tb_document_find_analysis (self->document, expected->analysis);
  gint64 base = n_rounds * expected->of_round;
  gint64 other = base + expected->more * (LONG_WAIT - READ_WAIT) * (ROUNDS / 2);
  g_autofree char *picture
      = g_strdup_printf ("comparison-part-%s-%s", expected->analysis, expected->figure);
  JsonObject *difference;
  TbReport *report;

  g_assert_nonnull (item);
  shell_activate (self->window, "show-analysis", g_variant_new_string (expected->analysis));
  shell_wait_settled (self->document);
  if (g_str_equal (expected->analysis, "control-paths")
      && tb_analysis_item_get_report (item) == NULL)
    {
      g_assert_nonnull (
          shell_find_text (GTK_WIDGET (self->window), "Name a process of both recordings"));
      choose_process (self->window);
      shell_wait_settled (self->document);
    }
  g_assert_no_error (tb_analysis_item_get_error (item));
  report = tb_analysis_item_get_report (item);
  g_assert_nonnull (report);
  shell_activate (self->window, "show-figure", g_variant_new_string (expected->figure));
  g_assert_nonnull (shell_find (GTK_WIDGET (self->window), expected->widget, NULL));
  shell_picture (self->window, picture);
  difference = find_difference (report, expected->what, expected->id);
  g_assert_cmpfloat_with_epsilon (json_object_get_double_member (difference, "base"), base,
                                  (double) (expected->tolerance * n_rounds) + .5);
  g_assert_cmpfloat_with_epsilon (json_object_get_double_member (difference, "other"), other,
                                  (double) (expected->tolerance * n_rounds) + .5);
  g_assert_true (json_object_get_boolean_member (difference, "within_noise")
                 == (expected->more == 0));
}

/* The known values of the whole, of a part, and of the whole again. */
static void
test_numbers (void)
{
  Fixture self;
  GtkWidget *button;

  set_up (&self);
  for (guint i = 0; i < G_N_ELEMENTS (all_expected); i++)
    assert_expected (&self, &all_expected[i], ROUNDS);

  tb_focus_select_range (self.focus[1], OTHER_START + PART_FROM, OTHER_START + PART_TO);
  assert_aligned (&self);
  tb_focus_clear (self.focus[1]);
  button = shell_find (shell_find (GTK_WIDGET (self.window), "TbDetailsPane", NULL), "GtkButton",
                       "Analyze");
  g_assert_nonnull (button);
  g_assert_true (gtk_widget_grab_focus (button));
  ui_key (GTK_WIDGET (self.window), "Return");
  shell_wait_settled (self.document);
  g_assert_true (tb_document_is_limited (self.document));
  g_assert_nonnull (shell_find_text (GTK_WIDGET (self.window), "80 ms"));
  for (guint i = 0; i < G_N_ELEMENTS (all_expected); i++)
    assert_expected (&self, &all_expected[i], ROUNDS / 2);

  shell_activate (self.window, "analyse-all-times", NULL);
  shell_wait_settled (self.document);
  assert_expected (&self, &all_expected[0], ROUNDS);
  shell_close_window (self.window);
}

int
main (int argc, char **argv)
{
  shell_init (&argc, &argv);
  g_test_add_func ("/compare-parts/drag", test_drag);
  g_test_add_func ("/compare-parts/numbers", test_numbers);
  return g_test_run ();
}
