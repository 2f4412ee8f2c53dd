/* tb-peaks-live-slow-calls.c: longest calls that a live search stored in the recording: table with
 * report actions that record all calls, finding about the longest one with its thread and time;
 * error when one call is to be examined alone
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The text is from a file and is untrusted.
 */

#include "config.h"

#include <inttypes.h>
#include <math.h>
#include <string.h>

#include <glib/gi18n.h>

#include "report/table/tb-table-figure.h"
#include "report/tb-report-action.h"
#include "tb-peaks-live-slow-calls.h"
#include "latency-state/tb-peaks-function-names.h"
#include "latency-state/tb-peaks-saved-json.h"

#define MAX_LISTED 100
#define MAX_TIME (G_MAXINT64 / 4)

typedef struct
{
  guint latency;
  guint begin;
  guint thread;
  guint most;
} Columns;

/* TIDs are reused: finds the thread that had the TID at that time. TB_ID_NONE if it is not
 * known. */
static guint32
find_thread (TbTrace *trace, gint64 tid, gint64 time)
{
  guint n;
  const TbThread *threads = tb_session_get_threads (tb_trace_get_session (trace), &n);
  guint32 found = TB_ID_NONE;

  for (guint i = 0; i < n; i++)
    if (threads[i].tid == tid && tid > 0
        && (found == TB_ID_NONE || threads[i].start == TB_TIME_NONE || threads[i].start <= time))
      found = i;
  return found;
}

/* A call as it is in the text. */
typedef struct
{
  guint number;
  gint64 begin;
  gint64 latency;
  gint64 tid;
  gint64 pid;
  const char *most;
} Call;

static JsonArray *
get_calls (const TbPeaksResult *self)
{
  return self->state != NULL
             ? tb_peaks_saved_get_array (json_node_get_object (self->state), "longest")
             : NULL;
}

static gboolean
read_call (const TbPeaksResult *self, guint i, Call *call)
{
  JsonObject *object = tb_peaks_saved_get_element (get_calls (self), i);

  if (object == NULL)
    return FALSE;
  call->number = i;
  call->begin = tb_peaks_saved_get_integer (object, "begin_ns", -1);
  call->latency = tb_peaks_saved_get_integer (object, "latency_ns", -1);
  call->tid = tb_peaks_saved_get_integer (object, "tid", 0);
  call->pid = tb_peaks_saved_get_integer (object, "pid", 0);
  call->most = tb_peaks_saved_get_string (object, "mostly_in");
  if (*call->most == '\0')
    call->most = self->operation->id;
  return call->begin >= 0 && call->begin <= MAX_TIME && call->latency > 0
         && call->latency <= MAX_TIME;
}

static char *
get_item (const Call *call)
{
  return g_strdup_printf ("call-%u", call->number);
}

static gboolean
find_longest (const TbPeaksResult *self, Call *longest)
{
  gboolean found = FALSE;

  for (guint i = 0; i < MIN (tb_peaks_saved_get_length (get_calls (self)), MAX_LISTED); i++)
    {
      Call call;

      if (read_call (self, i, &call) && (!found || call.latency > longest->latency))
        {
          *longest = call;
          found = TRUE;
        }
    }
  return found;
}

gboolean
tb_peaks_get_longest (const TbPeaksResult *result, guint32 *thread, gint64 *from, gint64 *to)
{
  Call call;

  if (!find_longest (result, &call))
    return FALSE;
  *thread = find_thread (result->calls->trace, call.tid, call.begin);
  *from = call.begin;
  *to = call.begin + call.latency;
  return TRUE;
}

/* The name of the probe that records all calls. It includes the file if that is known, as another
 * file may have a function of that name. */
static char *
name_probe (const TbPeaksResult *self)
{
  JsonArray *nodes = tb_peaks_saved_get_array (json_node_get_object (self->state), "nodes");
  JsonObject *root
      = tb_peaks_saved_get_length (nodes) > 0 ? tb_peaks_saved_get_element (nodes, 0) : NULL;
  const char *file = root != NULL ? tb_peaks_saved_get_string (root, "file") : "";
  const char *name = strchr (self->operation->id, ':');
  g_autofree char *module = NULL;
  g_autofree char *function
      = tb_peaks_split_function (name != NULL ? name + 1 : self->operation->id, &module);

  return *file != '\0' ? g_strdup_printf ("%s:%s", file, function) : g_steal_pointer (&function);
}

static void
add_offer (TbReport *report, const TbPeaksResult *self, const char *item)
{
  const char *name = strchr (self->operation->id, ':');
  g_autofree char *probe = name_probe (self);
  g_autofree char *module = NULL;
  g_autofree char *function
      = tb_peaks_split_function (name != NULL ? name + 1 : self->operation->id, &module);
  g_autofree char *label = g_strdup_printf (_ ("Record All Calls of %s…"), function);
  const TbReportAction offer = { .kind = TB_REPORT_ACTION_RECORD,
                                 .figure = TB_PEAKS_FIGURE_CALLS,
                                 .item = item,
                                 .option = "ebpf",
                                 .text = probe,
                                 .label = label };

  if (self->operation->kind == TB_PEAKS_FUNCTION)
    tb_report_add_action (report, &offer);
}

static void
add_row (TbReport *report,
         TbTableFigure *figure,
         const Columns *columns,
         const TbPeaksResult *self,
         guint i)
{
  g_autofree char *item = NULL;
  g_autofree char *name = NULL;
  guint32 thread;
  guint row;
  Call call;

  if (!read_call (self, i, &call))
    return;
  item = get_item (&call);
  thread = find_thread (self->calls->trace, call.tid, call.begin);
  name = thread != TB_ID_NONE ? tb_trace_describe_thread (self->calls->trace, thread)
                              : g_strdup_printf ("%" G_GINT64_FORMAT, call.tid);
  row = tb_table_figure_add_row (figure, item);
  tb_table_figure_set_integer (figure, row, columns->latency, call.latency);
  tb_table_figure_set_integer (figure, row, columns->begin, call.begin);
  tb_table_figure_set_text (figure, row, columns->thread, name);
  tb_table_figure_set_text (figure, row, columns->most, call.most);
  tb_table_figure_set_place (figure, row, thread, call.begin, call.begin + call.latency);
  add_offer (report, self, item);
}

void
tb_peaks_add_longest (TbReport *report, const TbPeaksResult *result)
{
  JsonArray *calls = get_calls (result);
  TbTableFigure *figure;
  Columns columns;

  if (tb_peaks_saved_get_length (calls) == 0)
    return;
  figure = tb_table_figure_new (TB_PEAKS_FIGURE_CALLS, _ ("Longest Examined Calls"));
  columns
      = (Columns) { tb_table_figure_add_column (figure, "latency", _ ("Latency"), TB_CELL_DURATION),
                    tb_table_figure_add_column (figure, "begin", _ ("Start"), TB_CELL_TIME),
                    tb_table_figure_add_column (figure, "thread", _ ("Thread"), TB_CELL_TEXT),
                    tb_table_figure_add_column (figure, "most", _ ("Mostly In"), TB_CELL_TEXT) };
  for (guint i = 0; i < tb_peaks_saved_get_length (calls) && i < MAX_LISTED; i++)
    add_row (report, figure, &columns, result, i);
  tb_report_add_figure (report, TB_FIGURE (figure));
}

void
tb_peaks_add_longest_finding (TbReport *report, const TbPeaksResult *result)
{
  g_autofree char *length = NULL;
  g_autofree char *text = NULL;
  g_autofree char *item = NULL;
  g_autoptr (TbFinding) finding = NULL;
  gint64 start, end;
  guint32 thread;
  Call call;

  if (!find_longest (result, &call))
    return;
  length = tb_format_duration (call.latency);
  text = g_strdup_printf (_ ("The longest examined call took %s, mostly in %s. Its control paths "
                             "show what its thread waited for; what it ran is shown in a recording "
                             "with samples that is made during the search."),
                          length, call.most);
  thread = find_thread (result->calls->trace, call.tid, call.begin);
  finding = tb_finding_new (TB_SEVERITY_INFO, text, TB_TIME_NONE, NAN);
  tb_finding_set_code (finding, "longest-call");
  tb_finding_set_string (finding, "operation", result->operation->id);
  tb_finding_set_time (finding, "latency_ns", call.latency);
  tb_finding_set_string (finding, "mostly_in", call.most);
  /* The recording may begin later than the search, or end before it. */
  tb_trace_get_range (result->calls->trace, &start, &end);
  if (call.begin <= end && call.begin + call.latency >= start)
    tb_finding_set_range (finding, call.begin, call.begin + call.latency);
  if (thread != TB_ID_NONE)
    tb_finding_add_thread (finding, thread);
  item = get_item (&call);
  tb_finding_set_place (finding, TB_PEAKS_FIGURE_CALLS, item);
  tb_report_add_finding (report, g_steal_pointer (&finding));
}

void
tb_peaks_refuse_call (const TbPeaksResult *result, gint64 time, GError **error)
{
  g_autofree char *probe = name_probe (result);
  Call call;

  for (guint i = 0; i < MIN (tb_peaks_saved_get_length (get_calls (result)), MAX_LISTED); i++)
    if (read_call (result, i, &call) && call.begin <= time && time <= call.begin + call.latency)
      {
        g_set_error (error, G_IO_ERROR, G_IO_ERROR_NOT_SUPPORTED,
                     _ ("call: the search of %s during the recording keeps no single calls: "
                        "analyze the control paths of this one (--analysis control-paths --option "
                        "process=%d --option thread=%d --from %" PRId64 " --to %" PRId64 "), or "
                        "record all calls (record --collector ebpf --option probe=%s)"),
                     result->operation->id, (int) call.pid, (int) call.tid, call.begin,
                     call.begin + call.latency, probe);
        return;
      }
  g_set_error (error, G_IO_ERROR, G_IO_ERROR_NOT_FOUND,
               _ ("call: none of the longest calls of %s ran at that time, and a search during the "
                  "recording keeps no others: record all calls (record --collector ebpf --option "
                  "probe=%s)"),
               result->operation->id, probe);
}
