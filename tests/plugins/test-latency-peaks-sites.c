/* test-latency-peaks-sites.c: test that call sites of one callee in one function are separate nodes
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#include "config.h"

#include "latency-peaks-fixture.h"
#include "report/flame/tb-flame-figure.h"
#include "report/table/tb-table-figure.h"

#define US G_GINT64_CONSTANT (1000)
#define BASE G_GUINT64_CONSTANT (0x400000)
#define MANY 512

/* Return addresses as offsets in the file. In handle(), the source line is the offset from its
 * start divided by 16. */
#define IN_MAIN 0x1010
#define HANDLE 0x1100
#define BRIEF 0x1140
#define LONG 0x1180
#define PUT 0x2000
#define READ 0x3000

typedef struct
{
  TbRecorder *recorder;
  gint64 time;
  guint64 chains[MANY][8]; /* of events not yet written */
  guint n_chains;
} Recording;

static guint n_recordings;

static Recording *
begin (void)
{
  Recording *self = g_new0 (Recording, 1);
  g_autofree char *name = g_strdup_printf ("sites-%u", n_recordings++);

  self->recorder = recording_new (name);
  self->time = 1000 * US;
  return self;
}

static void
add_process (Recording *self, gint32 pid, guint64 base)
{
  TbEvent existing = { .time = self->time, .kind = TB_EVENT_EXISTING, .tid = pid, .pid = pid };
  TbEvent mapping = { .time = self->time,
                      .kind = TB_EVENT_MAPPING,
                      .tid = pid,
                      .pid = pid,
                      .a = base,
                      .b = 0x10000,
                      .c = 0 };
  TbEvent on = {
    .time = self->time, .kind = TB_EVENT_SWITCH, .code = 'R', .a = (guint64) pid, .b = (guint64) pid
  };

  on.cpu = (guint16) pid;
  existing.text = tb_recorder_intern_string (self->recorder, "server", -1);
  mapping.module
      = tb_recorder_intern_module (self->recorder, TB_MODULE_FILE, "/bin/server", "12ab", pid);
  tb_recorder_add (self->recorder, &existing);
  tb_recorder_add (self->recorder, &mapping);
  tb_recorder_add (self->recorder, &on);
}

/* site: where handle() calls what leads to the innermost frame. */
static void
set_chain (Recording *self, TbEvent *event, guint64 innermost, guint64 site)
{
  guint64 *chain = self->chains[self->n_chains++];

  g_assert_cmpuint (self->n_chains, <=, MANY);
  chain[0] = TB_CHAIN_USER;
  chain[1] = BASE + innermost;
  chain[2] = BASE + site;
  chain[3] = BASE + IN_MAIN;
  event->chain = chain;
  event->n_chain = 4;
}

static void
call (Recording *self, gint32 pid, TbEventKind kind, const char *function, guint64 address)
{
  TbEvent event = { .time = self->time, .kind = kind, .tid = pid, .pid = pid, .a = address };

  event.cpu = (guint16) pid;
  event.text = tb_recorder_intern_string (self->recorder, function, -1);
  tb_recorder_add (self->recorder, &event);
}

static void
sleep_for (Recording *self, gint32 pid, gint64 length, guint64 innermost, guint64 site)
{
  TbEvent out
      = { .time = self->time, .kind = TB_EVENT_SWITCH, .tid = pid, .pid = pid, .code = 'S' };
  TbEvent in = { .kind = TB_EVENT_SWITCH, .code = 'R', .a = (guint64) pid, .b = (guint64) pid };

  set_chain (self, &out, innermost, site);
  out.cpu = in.cpu = (guint16) pid;
  tb_recorder_add (self->recorder, &out);
  self->time += length;
  in.time = self->time;
  tb_recorder_add (self->recorder, &in);
}

static const char *
name_function (guint64 offset)
{
  return offset < HANDLE ? "main" : offset < PUT ? "handle" : offset < READ ? "put" : "read";
}

static void
name_frames (TbSession *session)
{
  TbTable *frames = tb_session_get_table (session, TB_TABLE_FRAME);
  g_autoptr (GBytes) column = tb_table_get_column (frames, TB_FRAME_OFFSET, NULL);
  const guint64 *offsets = g_bytes_get_data (column, NULL);
  guint n = 1;

  for (guint32 frame = 0; frame < tb_table_get_n_rows (frames); frame++)
    {
      TbFrameName name = { .function = name_function (offsets[frame]), .file = "server.c" };

      name.line = (guint32) (offsets[frame] / 16 & 0xff);
      g_assert_true (tb_session_add_frame_names (session, &frame, &n, 1, &name, NULL));
    }
}

static TbTrace *
finish (Recording *self)
{
  g_autoptr (TbSession) session = recording_open_session (self->recorder);

  name_frames (session);
  g_free (self);
  return recording_open_trace (session);
}

/* --- stacks --- */

/* handle() calls put() in two places. One of the calls sleeps briefly, the other one long. */
static TbTrace *
open_sleeps (guint64 second)
{
  Recording *self = begin ();

  add_process (self, 7, BASE);
  for (guint i = 0; i < 30; i++)
    {
      call (self, 7, TB_EVENT_CALL, "handle", 0);
      self->time += 5 * US;
      sleep_for (self, 7, 100 * US, PUT + 8, BRIEF);
      self->time += 5 * US;
      /* Another place in put(), which calls nothing else there. */
      sleep_for (self, 7, 3000 * US, PUT + (i % 2 == 0 ? 8 : 64), second);
      self->time += 5 * US;
      call (self, 7, TB_EVENT_RETURN, "handle", 0);
      self->time += 50 * US;
    }
  return finish (self);
}

/* Finds a call by its label and call site; NULL: none. */
static JsonObject *
find_call (JsonObject *peak, const char *label, const char *site)
{
  for (guint i = 0; i < summary_count (peak, "tree"); i++)
    {
      JsonObject *node = summary_get_element (peak, "tree", i);

      if (g_str_equal (json_object_get_string_member (node, "function"), label)
          && g_strcmp0 (json_object_get_string_member_with_default (node, "call_site", NULL), site)
                 == 0)
        return node;
    }
  return NULL;
}

static guint
count_calls (JsonObject *peak, const char *label)
{
  guint n = 0;

  for (guint i = 0; i < summary_count (peak, "tree"); i++)
    n += g_str_equal (json_object_get_string_member (summary_get_element (peak, "tree", i),
                                                     "function"),
                      label);
  return n;
}

static void
assert_call (JsonObject *peak,
             const char *label,
             const char *site,
             gint64 maxcount,
             gboolean is_cause)
{
  JsonObject *node = find_call (peak, label, site);

  g_assert_nonnull (node);
  g_assert_cmpint (json_object_get_int_member (node, "maxcount"), ==, maxcount);
  g_assert_true (json_object_get_boolean_member (node, "root_cause") == is_cause);
}

static gboolean
has_box (TbReport *report, const char *name)
{
  TbFlameFigure *tree = TB_FLAME_FIGURE (tb_report_find_figure (report, "tree"));

  for (guint i = 0; i < tb_flame_figure_get_n_nodes (tree); i++)
    if (g_str_equal (tb_flame_figure_get_node (tree, i)->name, name))
      return TRUE;
  return FALSE;
}

static void
test_stacks (void)
{
  g_autoptr (TbTrace) trace = open_sleeps (LONG);
  g_autoptr (TbReport) report = peaks_analyze (trace, "function:handle");
  JsonObject *peak = peaks_get_peak (report, 0);
  g_autofree char *path = NULL;
  TbFinding *finding;

  g_assert_cmpuint (count_calls (peak, "put"), ==, 2);
  assert_call (peak, "put", "server.c:19", 0, FALSE);
  assert_call (peak, "put", "server.c:23", 30, TRUE);
  g_assert_cmpint (json_object_get_int_member (find_call (peak, "put", "server.c:23"), "calls"), ==,
                   30);
  peaks_assert_cause (report, 0, "wait", "function:handle put", "waits (unknown)");
  g_assert_true (has_box (report, "put (server.c:19)"));
  g_assert_true (has_box (report, "put (server.c:23)"));
  finding = peaks_get_finding (report, 0);
  path = finding_join_strings (finding, "cause_1_path");
  g_assert_cmpstr (path, ==, "function:handle,put (server.c:23)");
  finding_assert_string (finding, "cause_1_part", "wait");
}

/* --- probed functions --- */

/* Two processes that map the program at different addresses. */
static void
test_probes (void)
{
  static const guint64 bases[] = { BASE, 0x7f1234560000 };
  Recording *self = begin ();
  g_autoptr (TbTrace) trace = NULL;
  g_autoptr (TbReport) report = NULL;
  JsonObject *peak;

  for (guint p = 0; p < 2; p++)
    add_process (self, (gint32) (7 + p), bases[p]);
  for (guint i = 0; i < 60; i++)
    {
      gint32 pid = 7 + (gint32) (i % 2);

      call (self, pid, TB_EVENT_CALL, "handle", bases[i % 2] + IN_MAIN);
      call (self, pid, TB_EVENT_CALL, "put", bases[i % 2] + BRIEF);
      self->time += 20 * US;
      call (self, pid, TB_EVENT_RETURN, "put", 0);
      call (self, pid, TB_EVENT_CALL, "put", bases[i % 2] + LONG);
      self->time += 900 * US;
      call (self, pid, TB_EVENT_RETURN, "put", 0);
      call (self, pid, TB_EVENT_RETURN, "handle", 0);
      self->time += 30 * US;
    }
  trace = finish (self);
  report = peaks_analyze (trace, "function:handle");
  peak = peaks_get_peak (report, 0);
  g_assert_cmpuint (count_calls (peak, "put"), ==, 2);
  assert_call (peak, "put", "0x401140", 0, FALSE);
  assert_call (peak, "put", "0x401180", 60, TRUE);
  peaks_assert_cause (report, 0, "function", "function:handle put", NULL);
}

/* A probed function that stacks show as well, before or after the event of its call, is one
 * call. */
static void
test_both (void)
{
  Recording *self = begin ();
  g_autoptr (TbTrace) trace = NULL;
  g_autoptr (TbReport) report = NULL;
  JsonObject *peak;

  add_process (self, 7, BASE);
  for (guint i = 0; i < 30; i++)
    {
      TbEvent put = { .kind = TB_EVENT_CALL, .cpu = 7, .tid = 7, .pid = 7 };

      call (self, 7, TB_EVENT_CALL, "handle", BASE + IN_MAIN);
      sleep_for (self, 7, 40 * US, PUT + 8, BRIEF);
      put.time = self->time;
      put.a = BASE + BRIEF;
      put.text = tb_recorder_intern_string (self->recorder, "put", -1);
      set_chain (self, &put, PUT, BRIEF);
      tb_recorder_add (self->recorder, &put);
      self->time += 900 * US;
      call (self, 7, TB_EVENT_RETURN, "put", 0);
      call (self, 7, TB_EVENT_RETURN, "handle", 0);
      self->time += 30 * US;
    }
  trace = finish (self);
  report = peaks_analyze (trace, "function:handle");
  peak = peaks_get_peak (report, 0);
  g_assert_cmpuint (count_calls (peak, "put"), ==, 1);
  assert_call (peak, "put", "server.c:19", 30, TRUE);
}

/* --- system calls --- */

static void
test_syscalls (void)
{
  Recording *self = begin ();
  g_autoptr (TbTrace) trace = NULL;
  g_autoptr (TbReport) report = NULL;
  JsonObject *peak;

  add_process (self, 7, BASE);
  for (guint i = 0; i < 30; i++)
    {
      call (self, 7, TB_EVENT_CALL, "handle", 0);
      for (guint k = 0; k < 2; k++)
        {
          TbEvent enter
              = { .time = self->time, .kind = TB_EVENT_SYS_ENTER, .tid = 7, .pid = 7, .cpu = 7 };
          TbEvent leave = { .kind = TB_EVENT_SYS_EXIT, .tid = 7, .pid = 7, .cpu = 7 };

          enter.text = leave.text = tb_recorder_intern_string (self->recorder, "read", -1);
          set_chain (self, &enter, READ + 8, k == 0 ? BRIEF : LONG);
          tb_recorder_add (self->recorder, &enter);
          self->time += (k == 0 ? 20 : 800) * US;
          leave.time = self->time;
          tb_recorder_add (self->recorder, &leave);
        }
      call (self, 7, TB_EVENT_RETURN, "handle", 0);
      self->time += 50 * US;
    }
  trace = finish (self);
  report = peaks_analyze (trace, "function:handle");
  peak = peaks_get_peak (report, 0);
  g_assert_cmpuint (count_calls (peak, "syscall:read"), ==, 2);
  g_assert_cmpuint (summary_count (peak, "root_causes"), ==, 1);
}

/* --- resuming --- */

static void
test_resumed (void)
{
  g_autoptr (TbTrace) first = open_sleeps (LONG);
  g_autoptr (TbTrace) second = open_sleeps (LONG);
  g_autoptr (TbTrace) moved = open_sleeps (LONG + 32);
  g_autoptr (TbReport) report = peaks_analyze (first, "function:handle");
  g_autoptr (TbReport) same = NULL, other = NULL;
  g_autoptr (GError) error = NULL;
  g_autofree char *state
      = json_to_string (json_object_get_member (report_get_summary (report), "state"), FALSE);
  JsonObject *peak;

  same = peaks_try_analyze (second, "function:handle", "resume", state, &error);
  g_assert_no_error (error);
  peak = summary_get_element (report_get_summary (same), "peaks", 0);
  g_assert_cmpuint (count_calls (peak, "put"), ==, 2);
  assert_call (peak, "put", "server.c:19", 0, FALSE);
  assert_call (peak, "put", "server.c:23", 60, TRUE);

  /* The call site differs between the recordings, so both are shown. */
  other = peaks_try_analyze (moved, "function:handle", "resume", state, &error);
  g_assert_no_error (error);
  peak = summary_get_element (report_get_summary (other), "peaks", 0);
  g_assert_cmpuint (count_calls (peak, "put"), ==, 3);
  assert_call (peak, "put", "server.c:23", 30, TRUE);
  assert_call (peak, "put", "server.c:25", 30, TRUE);
}

/* --- resuming a live search --- */

/* The state of a report in the form of a live search, with some texts replaced (NULL: none). */
static char *
make_live_state (TbReport *report, const char *const *replaced)
{
  g_autofree char *text
      = json_to_string (json_object_get_member (report_get_summary (report), "state"), FALSE);
  g_autoptr (GString) state = g_string_new (text);

  g_assert_cmpuint (g_string_replace (state, "\"source\":\"recording\",", "", 0), ==, 1);
  for (guint i = 0; replaced[i] != NULL; i += 2)
    g_assert_cmpuint (g_string_replace (state, replaced[i], replaced[i + 1], 0), >=, 1);
  return g_strdup (state->str);
}

#define BRIEF_PLACE "\"server+0x113f\""
#define LONG_PLACE "\"server+0x117f\""
#define BUILD "\"build_id\":\"12ab\""

/* One function calls another in two places, one of which is slow. Each call is matched to its place
 * if the place is known well enough, and to none otherwise. */
static void
test_resumed_from_live (void)
{
  static const struct
  {
    const char *replaced[7];
    guint n_calls; /* number in the tree */
    gint64 brief;  /* calls of the state that were matched to the brief place */
    gint64 slow;
    const char *warning;
  } cases[] = {
    { { NULL }, 2, 30, 30, NULL },
    { { BUILD, "\"build_id\":null", NULL }, 2, 30, 30, NULL },
    /* If its build ID is known, the file may have another name. */
    { { "\"server+0x1", "\"served+0x1", NULL }, 2, 30, 30, NULL },
    /* Only the offset of the return address within its page is known. */
    { { BRIEF_PLACE, "\"page+0x140\"", LONG_PLACE, "\"page+0x180\"", NULL }, 2, 30, 30, NULL },
    { { LONG_PLACE, "\"page+0x181\"", NULL },
      3,
      30,
      0,
      "1 call in the state that was a cause is made at a site without known calls in this "
      "recording, "
      "and was not matched." },
    /* States without places, as in older versions, and states of another build. */
    { { BRIEF_PLACE, "null", LONG_PLACE, "null", NULL },
      4,
      0,
      0,
      "2 calls in the state have several matches and were not matched." },
    { { "\"place\":", "\"older\":", NULL },
      4,
      0,
      0,
      "2 calls in the state have several matches and were not matched." },
    { { BUILD, "\"build_id\":\"12ac\"", NULL },
      4,
      0,
      0,
      "2 calls in the state have several matches and were not matched." },
    { { BUILD, "\"build_id\":\"\"", "\"server+0x1", "\"served+0x1", NULL },
      4,
      0,
      0,
      "1 call in the state that was a cause is made at a site without known calls in this "
      "recording, "
      "and was not matched." },
    { { LONG_PLACE, "\"server+0xfffffffffffffffff\"", BRIEF_PLACE, "17", NULL },
      4,
      0,
      0,
      "2 calls in the state have several matches and were not matched. 2 calls in the state have "
      "call sites that cannot be read." },
  };
  g_autoptr (TbTrace) first = open_sleeps (LONG);
  g_autoptr (TbReport) report = peaks_analyze (first, "function:handle");

  for (guint i = 0; i < G_N_ELEMENTS (cases); i++)
    {
      g_autoptr (TbTrace) second = open_sleeps (LONG);
      g_autofree char *state = make_live_state (report, cases[i].replaced);
      g_autoptr (GError) error = NULL;
      g_autoptr (TbReport) resumed
          = peaks_try_analyze (second, "function:handle", "resume", state, &error);
      JsonObject *peak;

      g_assert_no_error (error);
      g_test_message ("case %u", i);
      peak = summary_get_element (report_get_summary (resumed), "peaks", 0);
      g_assert_cmpint (json_object_get_int_member (peak, "drilled"), ==, 60);
      g_assert_cmpuint (count_calls (peak, "put"), ==, cases[i].n_calls);
      g_assert_cmpint (json_object_get_int_member (find_call (peak, "put", "server.c:19"), "calls"),
                       ==, 30 + cases[i].brief);
      assert_call (peak, "put", "server.c:23", 30 + cases[i].slow, TRUE);
      g_assert_cmpstr (report_find_warning (resumed, " in the state "), ==, cases[i].warning);
    }
}

/* A function called in one place is matched by its name. It is not if one of the recordings has
 * several calls of it. */
static void
test_resumed_by_name (void)
{
  static const struct
  {
    guint64 earlier_site;
    guint n_calls;
    gint64 of_first;
    const char *warning;
  } cases[] = {
    { BRIEF, 1, 60,
      "1 call in the state was matched by the name of its function alone, because its call site is "
      "not "
      "known on both sides." },
    { LONG, 3, 30, "2 calls in the state have several matches and were not matched." },
  };

  for (guint i = 0; i < G_N_ELEMENTS (cases); i++)
    {
      g_autoptr (TbTrace) first = open_sleeps (cases[i].earlier_site);
      g_autoptr (TbTrace) second = open_sleeps (BRIEF);
      g_autoptr (TbReport) report = peaks_analyze (first, "function:handle");
      g_autofree char *state
          = make_live_state (report, (const char *[]) { "\"place\":", "\"older\":", NULL });
      g_autoptr (GError) error = NULL;
      g_autoptr (TbReport) resumed
          = peaks_try_analyze (second, "function:handle", "resume", state, &error);
      JsonObject *peak;

      g_assert_no_error (error);
      peak = summary_get_element (report_get_summary (resumed), "peaks", 0);
      g_assert_cmpuint (count_calls (peak, "put"), ==, cases[i].n_calls);
      g_assert_cmpint (json_object_get_int_member (peaks_find_in_tree (peak, "put"), "calls"), ==,
                       cases[i].of_first);
      g_assert_cmpstr (report_find_warning (resumed, " in the state "), ==, cases[i].warning);
    }
}

/* --- counters --- */

static const char *
get_text (TbTableFigure *table, guint row, const char *column)
{
  for (guint i = 0; i < tb_table_figure_get_n_columns (table); i++)
    if (g_str_equal (tb_table_figure_get_column_id (table, i), column))
      return tb_table_figure_get_text (table, row, i);
  g_error ("no column %s", column);
}

static gint64
get_integer (TbTableFigure *table, guint row, const char *column)
{
  for (guint i = 0; i < tb_table_figure_get_n_columns (table); i++)
    if (g_str_equal (tb_table_figure_get_column_id (table, i), column))
      return tb_table_figure_get_integer (table, row, i);
  g_error ("no column %s", column);
}

/* The boxes have the counters, and so does a table with one row for each box. */
static void
test_counters (void)
{
  g_autoptr (TbTrace) trace = open_sleeps (LONG);
  g_autoptr (TbReport) report = peaks_analyze (trace, "function:handle");
  TbFlameFigure *tree = TB_FLAME_FIGURE (tb_report_find_figure (report, "tree"));
  TbTableFigure *table = TB_TABLE_FIGURE (tb_report_find_figure (report, "counters"));
  const TbFlameNode *box;

  g_assert_cmpuint (tb_table_figure_get_n_rows (table), >=, 4);
  /* Callees follow their callers, the one with the highest counter first. */
  g_assert_cmpstr (get_text (table, 1, "function"), ==, "  put");
  g_assert_cmpstr (get_text (table, 1, "call_site"), ==, "server.c:23");
  g_assert_cmpint (get_integer (table, 1, "maxcount"), ==, 30);
  g_assert_cmpint (get_integer (table, 1, "calls"), ==, 30);
  g_assert_cmpint (get_integer (table, 1, "mean"), ==, 3000 * US);
  g_assert_cmpint (get_integer (table, 1, "waits"), ==, 30 * 3000 * US);
  g_assert_cmpint (get_integer (table, 0, "waits"), ==, 30 * 3100 * US);
  g_assert_cmpstr (get_text (table, 2, "function"), ==, "    [waits (unknown)]");
  box = tb_flame_figure_get_node (
      tree, tb_flame_figure_find_item (tree, tb_table_figure_get_row_item (table, 1)));
  g_assert_cmpstr (box->name, ==, "put (server.c:23)");
  g_assert_cmpstr (box->detail, ==,
                   "on a root-cause path, the largest part in 30 of 30 calls, 3 ms a call");
  g_assert_cmpstr (box->note, ==, "30/30");
}

int
main (int argc, char *argv[])
{
  g_setenv ("LC_ALL", "C.UTF-8", TRUE);
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/latency-peaks/sites/stacks", test_stacks);
  g_test_add_func ("/latency-peaks/sites/probes", test_probes);
  g_test_add_func ("/latency-peaks/sites/both", test_both);
  g_test_add_func ("/latency-peaks/sites/syscalls", test_syscalls);
  g_test_add_func ("/latency-peaks/sites/resumed", test_resumed);
  g_test_add_func ("/latency-peaks/sites/resumed-live", test_resumed_from_live);
  g_test_add_func ("/latency-peaks/sites/resumed-by-name", test_resumed_by_name);
  g_test_add_func ("/latency-peaks/sites/counters", test_counters);
  return recording_run_tests ();
}
