/* test-events-csv-errors.c: test of inputs that the importer of the plain-text format rejects, and
 * of its messages
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#include "config.h"

#include <glib/gstdio.h>

#include "recording.h"

#define HEADER "time_ns,cpu,kind,prev,prev_state,next,waker,wakee,vec,tid,dev,bytes"
#define FULL HEADER ",text,stack,sector,socket\n"

/* Imports the text; returns the statistics of the recorder, or an error. */
static gboolean
import_text (const char *text, gssize length, TbRecorderStatistics *statistics, GError **error)
{
  g_autofree char *csv_path = recording_make_path ("input.csv");
  g_autofree char *session_path = recording_make_path ("output.tailback");
  g_autoptr (GFile) csv = g_file_new_for_path (csv_path);
  g_autoptr (GFile) session = g_file_new_for_path (session_path);
  g_autoptr (TbImporter) importer
      = tb_engine_create_importer (tb_engine_get_default (), "events-csv", error);
  g_autoptr (TbRecorder) recorder = NULL;
  gboolean imported;

  g_assert_nonnull (importer);
  g_assert_true (g_file_set_contents (csv_path, text, length, NULL));
  recorder = tb_recorder_new (session, TRUE, error);
  g_assert_nonnull (recorder);
  imported = tb_importer_import_file (importer, csv, recorder, NULL, NULL, NULL, error)
             && tb_recorder_finish (recorder, error);
  tb_recorder_get_statistics (recorder, statistics);
  if (!imported)
    tb_recorder_abandon (recorder);
  g_assert_cmpint (g_file_query_exists (session, NULL), ==, imported);
  g_unlink (csv_path);
  g_unlink (session_path);
  return imported;
}

typedef struct
{
  const char *lines; /* after the header */
  guint line;        /* number of the rejected line */
  const char *expected;
} Refusal;

static const Refusal refusals[] = {
  { "5,0,jump,,,,,,,,,\n", 2, "expected a kind of event" },
  { "5,0,,,,,,,,,,\n", 2, "“kind”" },
  { ",0,exit,,,,,,,7,,\n", 2, "“time_ns”" },
  { "5,0,switch,1,S,2,,,,,,\n# note\n4,0,switch,2,S,1,,,,,,\n", 4, "times must not decrease" },
  { "x,0,exit,,,,,,,7,,\n", 2, "“time_ns”" },
  { "-5,0,exit,,,,,,,7,,\n", 2, "“time_ns”" },
  { "5.5,0,exit,,,,,,,7,,\n", 2, "“time_ns”" },
  { "9223372036854775807,0,exit,,,,,,,7,,\n", 2, "“time_ns”" },
  { "99999999999999999999999,0,exit,,,,,,,7,,\n", 2, "“time_ns”" },
  { "5,zero,exit,,,,,,,7,,\n", 2, "“cpu”" },
  { "5,65535,exit,,,,,,,7,,\n", 2, "“cpu”" },
  { "5,,switch,1,S,2,,,,,,\n", 2, "“cpu”" },
  { "5,0,switch,,S,2,,,,,,\n", 2, "“prev”" },
  { "5,0,switch,1,,2,,,,,,\n", 2, "“prev_state”" },
  { "5,0,switch,1,S,,,,,,,\n", 2, "“next”" },
  { "5,0,switch,-2,S,2,,,,,,\n", 2, "“prev”" },
  { "5,0,switch,1,S,4294967296,,,,,,\n", 2, "“next”" },
  { "5,0,wakeup,,,,1,,,,,\n", 2, "“wakee”" },
  { "5,0,wakeup,,,,,2,,,,\n", 2, "“waker”" },
  { "5,0,wakeup,,,,one,2,,,,\n", 2, "“waker”" },
  { "5,0,fork,,,,1,,,,,\n", 2, "“wakee”" },
  { "5,0,fork,,,,,2,,,,\n", 2, "“waker”" },
  { "5,0,fork,,,,1,0,,,,\n", 2, "“wakee”" },
  { "5,0,exit,,,,,,,,,\n", 2, "“tid”" },
  { "5,0,name,,,,,,,,,,x\n", 2, "“tid”" },
  { "5,0,name,,,,,,,7,,,\n", 2, "“text”" },
  { "5,,irq_entry,,,,,,,,vda,\n", 2, "“cpu”" },
  { "5,0,irq_exit,,,,,,x,,vda,\n", 2, "“vec”" },
  { "5,0,softirq_entry,,,,,,,,,\n", 2, "“vec”" },
  { "5,0,softirq_exit,,,,,,10,,,\n", 2, "“vec”" },
  { "5,0,io_insert,,,,,,,7,,4096\n", 2, "“dev”" },
  { "5,0,io_insert,,,,,,,,vda,4096\n", 2, "“tid”" },
  { "5,0,io_insert,,,,,,,7,vda,\n", 2, "“bytes”" },
  { "5,0,io_issue,,,,,,,,vda,4096\n", 2, "“tid”" },
  { "5,0,io_complete,,,,,,,,vda,4096\n", 2, "“tid”" },
  { "5,0,io_complete,,,,,,,7,vda,,,,x\n", 2, "“sector”" },
  { "5,0,io_complete,,,,,,,7,vda,-1\n", 2, "“bytes”" },
  { "5,0,net_send,,,,,,,,eth0,10\n", 2, "“tid”" },
  { "5,0,net_receive,,,,,,,7,eth0,ten\n", 2, "“bytes”" },
  { "5,0,spin_begin,,,,,,,,,\n", 2, "“tid”" },
  { "5,0,spin_end,,,,x,,,7,,\n", 2, "“waker”" },
  { "5,0,false_wakeup,,,,,,,,,\n", 2, "“tid”" },
  { "5,0,call,,,,,,,7,,\n", 2, "“text”" },
  { "5,0,return,,,,,,,,,,f\n", 2, "“tid”" },
  { "5,0,sample,,,,,,,,,\n", 2, "“tid”" },
  { "5,0,sample,,,,,,,7,,,,a;;b\n", 2, "“stack”" },
  { "5,0,exec,,,,,,,7,,\n", 2, "“text”" },
  { "5,0,sys_enter,,,,,,,7,,\n", 2, "“text”" },
  { "5,0,sys_exit,,,,,,,7,,x\n", 2, "“bytes”" },
  { "5,0,mark,,,,,,,7,,\n", 2, "“text”" },
  { "5,0,lost,,,,,,,,,\n", 2, "“bytes”" },
  { "5,,lost,,,,,,,,,3\n", 2, "“cpu”" },
  { "5,0,exit,,,,,,,7,,,,,,,8\n", 2, "at most 16 cells" },
  { "5,0,exit,,,,,,,7,,,\"a\"b\n", 2, "closing quote" },
  { "5,0,exit,,,,,,,7,,,a\"b\"\n", 2, "to be quoted" },
  { "5,0,exit,,,,,,,7,,,\"a\n6,0,exit,,,,,,,8,,\n", 2, "closing quote" },
  { "5,0,exit,,,,,,,7,,\n5,0,exit,,,,,,,8,,,\xff\n", 3, "UTF-8" },
  { "5,0,name,,,,,,,7,,,\"two\nlines\"\n5,0,hop,,,,,,,8,,,\n", 4, "kind of event" },
};

/* Logs the input in escaped form, which is valid in the test's own output. */
static void
log_input (const char *text)
{
  g_autofree char *escaped = g_strescape (text, NULL);

  g_test_message ("%s", escaped);
}

static void
test_refusals (void)
{
  for (guint i = 0; i < G_N_ELEMENTS (refusals); i++)
    {
      g_autofree char *text = g_strconcat (FULL, refusals[i].lines, NULL);
      g_autofree char *place = g_strdup_printf ("line %u: ", refusals[i].line);
      g_autoptr (GError) error = NULL;
      TbRecorderStatistics statistics;

      log_input (refusals[i].lines);
      g_assert_false (import_text (text, -1, &statistics, &error));
      g_assert_error (error, TB_EXTEND_ERROR, TB_EXTEND_ERROR_INPUT);
      g_test_message ("%s", error->message);
      g_assert_nonnull (strstr (error->message, place));
      g_assert_nonnull (strstr (error->message, "expected "));
      g_assert_nonnull (strstr (error->message, refusals[i].expected));
      g_assert_null (strchr (error->message, '\n'));
    }
}

static void
test_header (void)
{
  static const struct
  {
    const char *text;
    gboolean accepted;
  } headers[] = {
    { "", FALSE },
    { "# nothing else\n", FALSE },
    { "time_ns,cpu,kind\n", FALSE },
    { "time_ns,cpu,kind,prev,prev_state,next,waker,wakee,vec,tid,bytes,dev\n", FALSE },
    { HEADER ",colour\n", FALSE },
    { HEADER ",text,text\n", FALSE },
    { HEADER "\n", TRUE },
    { HEADER "\r\n", TRUE },
    { "\xef\xbb\xbf" HEADER "\n", TRUE },
    { "# a\n\n#b\n" HEADER ",socket,text\n", TRUE },
    { FULL, TRUE },
    { "\x7f"
      "ELF",
      FALSE },
  };

  for (guint i = 0; i < G_N_ELEMENTS (headers); i++)
    {
      g_autoptr (GError) error = NULL;
      TbRecorderStatistics statistics;

      log_input (headers[i].text);
      g_assert_cmpint (import_text (headers[i].text, -1, &statistics, &error), ==,
                       headers[i].accepted);
      if (!headers[i].accepted)
        {
          g_assert_error (error, TB_EXTEND_ERROR, TB_EXTEND_ERROR_INPUT);
          g_assert_nonnull (strstr (error->message, "expected the header"));
        }
    }
}

static void
test_long_line (void)
{
  g_autofree char *filler = g_strnfill (3 << 20, 'x');
  g_autofree char *plain = g_strconcat (FULL "5,0,name,,,,,,,7,,,", filler, "\n", NULL);
  g_autofree char *quoted = g_strconcat (FULL "5,0,name,,,,,,,7,,,\"", filler, NULL);
  TbRecorderStatistics statistics;
  g_autoptr (GError) error = NULL;

  g_assert_false (import_text (plain, -1, &statistics, &error));
  g_assert_nonnull (strstr (error->message, "line 2: expected a line of at most"));
  g_clear_error (&error);
  g_assert_false (import_text (quoted, -1, &statistics, &error));
  g_assert_nonnull (strstr (error->message, "line 2: expected a line of at most"));
}

/* A file truncated anywhere after its header opens up to that point. */
static void
test_cut (void)
{
  static const char text[] = FULL "1,0,name,,,,,,,7,,,\"a, \"\"b\"\"\",,,\n"
                                  "2,0,switch,0,R,7,,,,,,,,,,\n"
                                  "3,0,switch,7,S,0,,,,,,,,\"f;g@m\",,\n";

  for (gsize length = strlen (FULL); length <= strlen (text); length++)
    {
      g_autoptr (GError) error = NULL;
      TbRecorderStatistics statistics;
      guint lines = 0;

      for (gsize i = strlen (FULL); i < length; i++)
        lines += text[i] == '\n';
      g_assert_true (import_text (text, length, &statistics, &error));
      g_assert_no_error (error);
      g_assert_cmpuint (statistics.events, >=, lines);
      g_assert_cmpuint (statistics.events, <=, lines + 1);
    }
}

static void
test_contradictions (void)
{
  static const struct
  {
    const char *lines;
    guint mismatched;
  } contradictions[] = {
    { "1,0,switch,1,S,2,,,,,,\n2,0,switch,2,S,1,,,,,,\n", 0 },
    { "1,0,switch,1,S,2,,,,,,\n2,0,switch,3,S,1,,,,,,\n", 1 },
    { "1,0,exit,,,,,,,7,,\n", 1 },
    { "1,0,fork,,,,1,7,,,,\n2,0,exit,,,,,,,7,,\n", 0 },
    { "1,0,irq_entry,,,,,,,,vda,\n2,0,irq_exit,,,,,,,,vda,\n3,0,irq_exit,,,,,,,,vda,\n", 1 },
    { "1,0,softirq_entry,,,,,,4,,,\n2,0,switch,1,S,2,,,,,,\n", 1 },
    { "1,0,softirq_exit,,,,,,4,,,\n", 1 },
    { "1,0,io_complete,,,,,,,7,vda,512\n", 1 },
    { "1,0,call,,,,,,,7,,,f\n2,0,return,,,,,,,7,,,g\n", 1 },
    { "1,0,switch,3,S,3,,,,,,\n2,0,switch,1,S,2,,,,,,\n3,0,switch,5,,5,,,,,,\n", 0 },
    { "1,0,irq_entry,,,,,,,,vda,\n2,0,wakeup,,,,,7,,,,\n2,0,irq_exit,,,,,,,,,\n", 0 },
  };

  for (guint i = 0; i < G_N_ELEMENTS (contradictions); i++)
    {
      g_autofree char *text = g_strconcat (FULL, contradictions[i].lines, NULL);
      g_autoptr (GError) error = NULL;
      TbRecorderStatistics statistics;

      log_input (contradictions[i].lines);
      g_assert_true (import_text (text, -1, &statistics, &error));
      g_assert_cmpuint (statistics.mismatched, ==, contradictions[i].mismatched);
    }
}

static void
test_sniff (void)
{
  g_autoptr (GError) error = NULL;
  g_autoptr (TbImporter) importer
      = tb_engine_create_importer (tb_engine_get_default (), "events-csv", &error);
  static const char commented[] = "# made by hand\n\n" FULL;

  g_assert_no_error (error);
  g_assert_cmpint (tb_importer_sniff (importer, (const guint8 *) commented, strlen (commented),
                                      "x"),
                   >, 90);
  g_assert_cmpint (tb_importer_sniff (importer, (const guint8 *) "a,b\n1,2\n", 8, "table"), ==, 0);
  g_assert_cmpint (tb_importer_sniff (importer, (const guint8 *) "", 0, "empty"), ==, 0);
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/events-csv/refusals", test_refusals);
  g_test_add_func ("/events-csv/header", test_header);
  g_test_add_func ("/events-csv/long-line", test_long_line);
  g_test_add_func ("/events-csv/cut", test_cut);
  g_test_add_func ("/events-csv/contradictions", test_contradictions);
  g_test_add_func ("/events-csv/sniff", test_sniff);
  return recording_run_tests ();
}
