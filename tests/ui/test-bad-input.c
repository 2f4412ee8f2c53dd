/* test-bad-input.c: extreme recordings, each shown sanely or refused with a reason
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#include "config.h"

#include "../test-mode.h"
#include "session/recorder/tb-recorder.h"
#include "shell-fixture.h"

#define HOUR G_GINT64_CONSTANT (3600000000000)
/* Sanitizers unwind the stack of every allocation: 5000 threads take them more than a minute. */
#ifdef __SANITIZE_ADDRESS__
#  define N_MANY 5000
#else
#  define N_MANY ((gint32) test_rounds (100000, 20000))
#endif

/* Markup, invalid UTF-8, control characters, both text directions, endless combining marks,
 * invisible text, a very long name. */
static const char *const names[] = {
  "<b>bold</b> & &amp; %s %n",
  "\xff\xfe\xc0\x80",
  "a\nb\tc\x1b[31mred\x7f",
  "\xe2\x80\xaetxt.exe\xe2\x80\xac",
  "\xd7\xa9\xd7\x9c\xd7\x95\xd7\x9d \xd8\xb3\xd9\x84\xd8\xa7\xd9\x85",
  "Z\xcc\xb8\xcc\xb7\xcc\xb6\xcc\xb5\xcc\xb4\xcc\xb3\xcc\xb2\xcc\xb1\xcc\xb0\xcc\xaf\xcc\xae\xcc"
  "\xad",
  "\xe2\x80\x8b\xef\xbb\xbf\xc2\xa0",
  "\xf0\x9f\x91\xa9\xe2\x80\x8d\xf0\x9f\x91\xa9\xe2\x80\x8d\xf0\x9f\x91\xa7",
  "\xef\xb7\xbd\xef\xb7\xbd\xef\xb7\xbd",
  "",
};

static TbRecorder *
start_recording (GFile *file)
{
  g_autoptr (GError) error = NULL;
  TbRecorder *recorder = tb_recorder_new (file, TRUE, &error);

  g_assert_no_error (error);
  tb_recorder_add_host (recorder, "host", "", "", 2, 0);
  return recorder;
}

static void
add_thread (TbRecorder *recorder, gint32 tid, const char *name, gssize length)
{
  TbEvent event = { .time = 1000, .kind = TB_EVENT_EXISTING, .tid = tid, .pid = tid };

  event.text = tb_recorder_intern_string (recorder, name, length);
  tb_recorder_add (recorder, &event);
}

/* Adds a switch between threads, where 0 is the idle thread. state: state of the first thread after
 * the switch. */
static void
add_switch (TbRecorder *recorder, gint64 time, gint32 from, char state, gint32 to)
{
  TbEvent event = {
    .time = time, .kind = TB_EVENT_SWITCH, .tid = from, .pid = from, .code = state, .a = to, .b = to
  };

  tb_recorder_add (recorder, &event);
}

static void
add_wakeup (TbRecorder *recorder, gint64 time, gint32 waker, gint32 woken)
{
  TbEvent event = { .time = time, .kind = TB_EVENT_WAKEUP, .tid = waker, .pid = waker, .a = woken };

  tb_recorder_add (recorder, &event);
}

static void
make_nothing (TbRecorder *recorder)
{
  tb_recorder_set_range (recorder, 1000, 1000);
}

static void
make_no_threads (TbRecorder *recorder)
{
  tb_recorder_set_range (recorder, 1000, 1000 + HOUR);
}

static void
make_one_event (TbRecorder *recorder)
{
  add_switch (recorder, 5000, 0, 'R', 10);
}

static void
make_names (TbRecorder *recorder)
{
  g_autofree char *endless = g_strnfill (100000, 'x');

  for (guint i = 0; i < G_N_ELEMENTS (names); i++)
    {
      add_thread (recorder, 10 + i, names[i], -1);
      add_switch (recorder, 2000 + i * 1000, i == 0 ? 0 : 9 + i, 'S', 10 + i);
      add_wakeup (recorder, 2500 + i * 1000, 10 + i, i == 0 ? 10 : 9 + i);
    }
  add_thread (recorder, 500, endless, -1);
  add_switch (recorder, 20000, 9 + G_N_ELEMENTS (names), 'S', 500);
  add_switch (recorder, 21000, 500, 'D', 0);
}

/* All events at the same time; and waits of hours. */
static void
make_lengths (TbRecorder *recorder)
{
  for (gint32 tid = 10; tid < 14; tid++)
    add_thread (recorder, tid, "still", -1);
  for (gint32 tid = 10; tid < 13; tid++)
    add_switch (recorder, 5000, tid == 10 ? 0 : tid - 1, 'S', tid);
  add_switch (recorder, 5000, 12, 'S', 0);
  add_wakeup (recorder, 5000 + 3 * HOUR, 0, 10);
  add_switch (recorder, 5000 + 3 * HOUR, 0, 'S', 10);
  add_switch (recorder, 5001 + 3 * HOUR, 10, 'D', 11);
  add_switch (recorder, 5001 + 100 * HOUR, 11, 'S', 0);
}

/* Time goes forward, back by a minute, and to half of the largest possible value. */
static void
make_jumps (TbRecorder *recorder)
{
  gint64 time = 100 * HOUR;

  add_thread (recorder, 10, "jumper", -1);
  add_thread (recorder, 11, "other", -1);
  for (guint i = 0; i < 40; i++)
    {
      add_switch (recorder, time, i % 2 == 0 ? 11 : 10, 'S', i % 2 == 0 ? 10 : 11);
      add_wakeup (recorder, time + 10, i % 2 == 0 ? 10 : 11, i % 2 == 0 ? 11 : 10);
      time += i % 7 == 3 ? -60 * G_GINT64_CONSTANT (1000000000) : i % 11 == 5 ? 24 * HOUR : 1000000;
    }
  add_switch (recorder, G_MAXINT64 / 2, 10, 'S', 0);
}

static void
make_many (TbRecorder *recorder)
{
  for (gint32 tid = 10; tid < 10 + N_MANY; tid++)
    add_thread (recorder, tid, "crowd", -1);
  for (gint32 tid = 10; tid < 10 + N_MANY; tid++)
    {
      add_switch (recorder, 2000 + (gint64) tid * 1000, tid == 10 ? 0 : tid - 1, 'S', tid);
      add_wakeup (recorder, 2500 + (gint64) tid * 1000, tid, tid == 10 ? 10 : tid - 1);
    }
}

typedef struct
{
  const char *name;
  void (*make) (TbRecorder *recorder);
} Case;

static const Case cases[] = {
  { "nothing", make_nothing },   { "no-threads", make_no_threads }, { "one-event", make_one_event },
  { "names", make_names },       { "lengths", make_lengths },       { "jumps", make_jumps },
  { "many-threads", make_many },
};

static void
assert_one_line (const char *text)
{
  g_assert_nonnull (text);
  g_assert_cmpstr (text, !=, "");
  g_assert_null (strchr (text, '\n'));
  g_assert_true (g_utf8_validate (text, -1, NULL));
}

static gboolean
is_drawn (gpointer data)
{
  return *(gboolean *) data;
}

static void
on_drawn (gboolean *drawn)
{
  *drawn = TRUE;
}

/* All pages are laid out, too, in the widths that the window requests. */
static void
draw (TbWindow *window)
{
  GdkFrameClock *clock = gtk_widget_get_frame_clock (GTK_WIDGET (window));
  gboolean drawn = FALSE;
  gulong handler = g_signal_connect_swapped (clock, "after-paint", G_CALLBACK (on_drawn), &drawn);

  gtk_widget_queue_draw (GTK_WIDGET (window));
  shell_wait (is_drawn, &drawn, "a frame");
  g_signal_handler_disconnect (clock, handler);
}

/* Selects in every figure of an analysis, and searches it. */
static void
search_figures (TbWindow *window, TbDocument *document, TbReport *report)
{
  TbFocus *focus = tb_document_get_focus (document);
  guint n_threads;

  tb_session_get_threads (tb_document_get_session (document), &n_threads);
  for (guint i = 0; i < tb_report_get_n_figures (report); i++)
    {
      const char *id = tb_figure_get_id (tb_report_get_figure (report, i));

      shell_activate (window, "show-figure", g_variant_new_string (id));
      if (n_threads > 0)
        tb_focus_select_thread (focus, n_threads - 1);
      draw (window);
      shell_activate (window, "search", NULL);
    }
}

static void
show_all_pages (TbWindow *window, TbDocument *document, const char *name)
{
  GListModel *analyses = tb_document_get_analyses (document);

  for (guint i = 0; i < g_list_model_get_n_items (analyses); i++)
    {
      g_autoptr (TbAnalysisItem) item = g_list_model_get_item (analyses, i);
      g_autofree char *picture
          = g_strdup_printf ("bad-%s-%s", name, tb_analysis_item_get_id (item));
      const GError *error;

      shell_activate (window, "show-analysis",
                      g_variant_new_string (tb_analysis_item_get_id (item)));
      shell_wait_settled (document);
      error = tb_analysis_item_get_error (item);
      if (error != NULL)
        assert_one_line (error->message);
      else if (tb_analysis_item_get_report (item) != NULL)
        {
          assert_one_line (tb_report_get_headline (tb_analysis_item_get_report (item)));
          search_figures (window, document, tb_analysis_item_get_report (item));
        }
      shell_picture (window, picture);
    }
}

static void
test_case (gconstpointer data)
{
  const Case *bad = data;
  g_autofree char *file_name = g_strdup_printf ("%s.tailback", bad->name);
  g_autoptr (GFile) file = shell_temporary (file_name);
  g_autoptr (TbRecorder) recorder = start_recording (file);
  g_autoptr (GError) error = NULL;
  TbWindow *window;
  TbDocument *document;

  bad->make (recorder);
  if (!tb_recorder_finish (recorder, &error))
    {
      /* The recording is refused, with a reason. */
      assert_one_line (error->message);
      return;
    }
  window = shell_new_window ();
  document = shell_open (window, file);
  if (tb_document_get_state (document) == TB_DOCUMENT_FAILED)
    assert_one_line (tb_document_get_error (document)->message);
  else
    {
      g_assert_cmpint (tb_document_get_state (document), ==, TB_DOCUMENT_READY);
      show_all_pages (window, document, bad->name);
    }
  shell_close_window (window);
}

int
main (int argc, char **argv)
{
  shell_init (&argc, &argv);
  for (guint i = 0; i < G_N_ELEMENTS (cases); i++)
    {
      g_autofree char *path = g_strdup_printf ("/bad-input/%s", cases[i].name);

      g_test_add_data_func (path, &cases[i], test_case);
    }
  return g_test_run ();
}
