/* fuzz-wait-graph-options.c: fuzz target for option values of the wait graph: targets, units of
 * work, changes
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 *
 * One option a line. Lists are separated by commas, as in tb_option_set_from_text().
 */

#include "config.h"

#include <glib/gstdio.h>
#include <string.h>
#include <unistd.h>

#include "extend/options/tb-option.h"
#include "fuzz-target.h"
#include "session/file/tb-session.h"
#include "tb-events-csv-importer.h"
#include "what-if/tb-wait-what-if-change.h"
#include "what-if/tb-wait-what-if.h"

#define LONGEST 4096
#define CHANGES_MOST 4

static const char recording[] = "time_ns,cpu,kind,prev,prev_state,next,waker,wakee,vec,tid,dev,"
                                "bytes,text,stack,sector,socket\n"
                                "0,0,name,,,,10,,,11,,,app/A,,,\n"
                                "0,0,name,,,,10,,,12,,,app/B,,,\n"
                                "0,0,switch,0,R,11,,,,,,,,,,\n"
                                "0,1,switch,0,R,12,,,,,,,,,,\n"
                                "1000000,0,sys_enter,,,,,,,11,,,futex,,,\n"
                                "1000000,0,switch,11,S,0,,,,,,,,,,\n"
                                "3000000,1,io_issue,,,,,,,12,vda,4096,,,7,\n"
                                "3000000,1,switch,12,D,0,,,,,,,,,,\n"
                                "5000000,1,irq_entry,,,,,,,,vda,,,,,\n"
                                "5000000,1,io_complete,,,,,,,12,vda,4096,,,7,\n"
                                "5000000,1,wakeup,,,,0,12,,,,,,,,\n"
                                "5000000,1,irq_exit,,,,,,,,vda,,,,,\n"
                                "5000000,1,switch,0,R,12,,,,,,,,,,\n"
                                "6000000,1,wakeup,,,,12,11,,,,,,,,\n"
                                "6000000,0,switch,0,R,11,,,,,,,,,,\n"
                                "6100000,0,sys_exit,,,,,,,11,,0,futex,,,\n"
                                "7000000,0,mark,,,,,,,11,,,work,,,\n"
                                "9000000,0,mark,,,,,,,11,,,work,,,\n"
                                "9000000,0,switch,11,R,0,,,,,,,,,,\n";

static TbTrace *
open_recording (void)
{
  g_autofree char *folder = g_dir_make_tmp ("tailback-fuzz-XXXXXX", NULL);
  g_autofree char *path = g_build_filename (folder, "fuzz.tailback", NULL);
  g_autofree char *csv_path = g_build_filename (folder, "fuzz.csv", NULL);
  g_autoptr (GFile) file = g_file_new_for_path (path);
  g_autoptr (GFile) csv = g_file_new_for_path (csv_path);
  g_autoptr (TbImporter) importer = g_object_new (TB_TYPE_EVENTS_CSV_IMPORTER, NULL);
  g_autoptr (GError) error = NULL;
  g_autoptr (TbRecorder) recorder = tb_recorder_new (file, FALSE, &error);
  g_autoptr (TbSession) session = NULL;
  TbTrace *trace;

  g_assert_no_error (error);
  g_file_set_contents (csv_path, recording, -1, &error);
  g_assert_no_error (error);
  tb_importer_import_file (importer, csv, recorder, NULL, NULL, NULL, &error);
  g_assert_no_error (error);
  tb_recorder_finish (recorder, &error);
  g_assert_no_error (error);
  session = tb_session_open (file, NULL, &error);
  g_assert_no_error (error);
  trace = tb_trace_new (session, NULL, NULL, NULL, &error);
  g_assert_no_error (error);
  g_unlink (csv_path);
  g_unlink (path);
  g_rmdir (folder);
  return trace;
}

/* The error has one line: the value is invalid, or the recording has no such object. */
static void
check_error (const GError *error)
{
  g_assert_true (g_error_matches (error, TB_EXTEND_ERROR, TB_EXTEND_ERROR_USAGE)
                 || g_error_matches (error, TB_EXTEND_ERROR, TB_EXTEND_ERROR_UNAVAILABLE));
  g_assert_true (g_utf8_validate (error->message, -1, NULL));
  g_assert_null (strchr (error->message, '\n'));
}

/* Returns FALSE if a name is not in the recording. */
static gboolean
select_target (TbTrace *trace, const char *text, TbSelection **target)
{
  g_auto (GStrv) names = tb_option_split_list (text);

  for (guint i = 0; names[i] != NULL && i < CHANGES_MOST; i++)
    {
      g_autoptr (GError) error = NULL;

      if (*target == NULL)
        *target = tb_selection_new (trace);
      if (tb_selection_add_process_by_name (*target, g_strstrip (names[i]), &error))
        continue;
      check_error (error);
      return FALSE;
    }
  return TRUE;
}

static void
check_prediction (const TbWaitPrediction *of)
{
  g_assert_cmpfloat (of->before, >, 0);
  g_assert_cmpfloat (of->low, <=, of->after);
  g_assert_cmpfloat (of->high, >=, of->after);
}

static void
predict (const TbWaitResult *result, TbSelection *target, const char *text)
{
  g_autoptr (GArray) unrecorded = g_array_new (FALSE, FALSE, sizeof (double));
  g_auto (GStrv) changes = tb_option_split_list (text);

  g_array_append_vals (unrecorded, (const double[]) { 1.1, 1.3 }, 2);
  for (guint i = 0; changes[i] != NULL && i < CHANGES_MOST; i++)
    {
      const char *const one[] = { g_strstrip (changes[i]), NULL };
      g_autoptr (GError) error = NULL;
      g_autoptr (GArray) parsed = tb_wait_parse_changes (one[0], &error);
      g_autoptr (TbWaitWhatIf) what_if = NULL;

      if (parsed != NULL)
        what_if = tb_wait_what_if_new (result, one, target, unrecorded, NULL, &error);
      if (what_if == NULL)
        check_error (error);
      else
        check_prediction (&g_array_index (what_if->predictions, TbWaitPrediction, 0));
    }
}

int
LLVMFuzzerTestOneInput (const uint8_t *data, size_t size)
{
  static TbTrace *trace;
  g_autofree char *text = g_strndup ((const char *) data, MIN (size, LONGEST));
  g_auto (GStrv) lines = g_strsplit (text, "\n", 3);
  g_autoptr (TbSelection) target = NULL;
  g_autoptr (TbWaitResult) result = NULL;
  g_autoptr (GError) error = NULL;
  TbWaitOptions options;
  gint64 from, to;

  /* Option values are UTF-8 text, so other input is rejected. */
  if (!g_utf8_validate (text, -1, NULL) || g_strv_length (lines) < 3)
    return 0;
  if (trace == NULL)
    trace = open_recording ();
  g_strdelimit (lines[2], "\n", ' ');
  tb_trace_get_range (trace, &from, &to);
  if (*lines[0] != '\0' && !select_target (trace, lines[0], &target))
    return 0;
  tb_wait_options_init (&options);
  options.target = target;
  options.work = lines[1];
  result = tb_wait_result_new (trace, from, to, &options, NULL, NULL, NULL, &error);
  if (result == NULL)
    check_error (error);
  else
    predict (result, target, lines[2]);
  return 0;
}
