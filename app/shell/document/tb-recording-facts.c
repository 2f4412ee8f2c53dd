/* tb-recording-facts.c: facts about a whole recording: shares of complete stacks and of named
 * addresses, and files without names, all found in a thread; sentences with these, duration, events
 * and CPUs; warnings; names of ranges, threads and places
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#include "config.h"

#include <glib/gi18n.h>
#include <inttypes.h>
#include <math.h>

#include "report/tb-report.h"
#include "shell/document/tb-recording-facts.h"
#include "symbols/tb-module-symbols.h"

/* Files listed in the window. */
#define MAX_SYMBOL_LINES 20
/* A smaller share of addresses without names is usual, and is not worth a notice. */
#define MIN_UNNAMED_SHARE 0.01

/* Shares that a thread computes because they need a scan; NAN if there is nothing to count. */
struct _TbRecordingFacts
{
  double unwound_share;
  double symbolized_share;
  char **symbols; /* by file, what names are missing or unverified; NULL: hardly any */
};

void
tb_recording_facts_free (TbRecordingFacts *self)
{
  g_strfreev (self->symbols);
  g_free (self);
}

/* Returns a flag per stack: whether unwinding stopped before the start of the stack. The outermost
 * frame carries the flag, and a parent always precedes its children. */
static guint8 *
find_broken_stacks (TbTrace *trace, guint64 n)
{
  g_autoptr (GBytes) parents = tb_trace_read_column (trace, TB_TABLE_STACK, TB_STACK_PARENT);
  g_autoptr (GBytes) flags = tb_trace_read_column (trace, TB_TABLE_STACK, TB_STACK_FLAGS);
  const guint32 *parent = parents != NULL ? g_bytes_get_data (parents, NULL) : NULL;
  const guint8 *flag = flags != NULL ? g_bytes_get_data (flags, NULL) : NULL;
  guint8 *broken;

  if (n < 2 || parent == NULL || flag == NULL)
    return NULL;
  broken = g_new0 (guint8, n);
  for (guint64 i = 1; i < n; i++)
    broken[i] = (flag[i] & TB_STACK_BROKEN) != 0 || (parent[i] < i && broken[parent[i]]);
  return broken;
}

/* Returns the share of completely unwound stacks among the events with a stack; NAN if there are
 * none or they cannot all be read. */
static double
measure_unwound_stacks (TbTrace *trace)
{
  static const struct
  {
    TbTableKind table;
    guint column;
  } columns[] = {
    { TB_TABLE_SWITCH, TB_SWITCH_STACK },
    { TB_TABLE_WAKEUP, TB_WAKEUP_STACK },
    { TB_TABLE_SAMPLE, TB_SAMPLE_STACK },
    { TB_TABLE_SYSCALL, TB_SYSCALL_STACK },
  };
  TbSession *session = tb_trace_get_session (trace);
  guint64 n_stacks = tb_table_get_n_rows (tb_session_get_table (session, TB_TABLE_STACK));
  g_autofree guint8 *broken = find_broken_stacks (trace, n_stacks);
  guint64 n_with = 0, n_broken = 0;

  for (guint i = 0; broken != NULL && i < G_N_ELEMENTS (columns); i++)
    {
      g_autoptr (GBytes) bytes = tb_trace_read_column (trace, columns[i].table, columns[i].column);
      const guint32 *stack;
      guint64 n;

      if (bytes == NULL)
        return NAN;
      stack = g_bytes_get_data (bytes, NULL);
      n = tb_table_get_n_rows (tb_session_get_table (session, columns[i].table));
      for (guint64 row = 0; row < n; row++)
        if (stack[row] != TB_STACK_NONE && stack[row] < n_stacks)
          {
            n_with++;
            n_broken += broken[stack[row]];
          }
    }
  return n_with > 0 ? 1 - (double) n_broken / n_with : NAN;
}

/* Returns the share of distinct addresses that have a name, including names that were recorded with
 * the address. */
static double
measure_symbolized_frames (TbTrace *trace)
{
  TbSession *session = tb_trace_get_session (trace);
  guint64 n_frames = tb_table_get_n_rows (tb_session_get_table (session, TB_TABLE_FRAME)),
          n_named = 0;
  g_autoptr (GBytes) bytes = tb_trace_read_column (trace, TB_TABLE_FRAME, TB_FRAME_MODULE);
  const guint32 *module;
  guint n_modules;
  const TbModule *modules = tb_session_get_modules (session, &n_modules);

  if (bytes == NULL)
    return NAN;
  module = g_bytes_get_data (bytes, NULL);
  for (guint64 i = 0; i < n_frames; i++)
    {
      guint n_names;
      const TbFrameName *names = tb_session_get_frame_names (session, i, &n_names);

      n_named += (module[i] < n_modules && modules[module[i]].kind == TB_MODULE_NAMED)
                 || (n_names > 0 && names[n_names - 1].function[0] != '\0');
    }
  return n_frames > 0 ? (double) n_named / n_frames : NAN;
}

/* Describes by file what names are missing or unverified. Returns NULL if hardly any. */
static char **
list_symbols (TbTrace *trace, double symbolized_share)
{
  g_autoptr (GPtrArray) list = tb_module_symbols_list (tb_trace_get_session (trace), NULL);
  g_autoptr (GStrvBuilder) builder = g_strv_builder_new ();
  gboolean any_unverified = FALSE;
  guint n = 0;

  for (guint i = 0; list != NULL && i < list->len; i++)
    {
      const TbModuleSymbols *symbols = list->pdata[i];
      g_autofree char *text = tb_module_symbols_describe (symbols);

      any_unverified |= symbols->is_unverified;
      if (text != NULL && n++ < MAX_SYMBOL_LINES)
        g_strv_builder_take (builder, g_steal_pointer (&text));
    }
  if (n > MAX_SYMBOL_LINES)
    g_strv_builder_take (builder,
                         g_strdup_printf (ngettext ("Functions of %u more file lack names.",
                                                    "Functions of %u more files lack names.",
                                                    n - MAX_SYMBOL_LINES),
                                          n - MAX_SYMBOL_LINES));
  return n > 0 && (any_unverified || symbolized_share < 1 - MIN_UNNAMED_SHARE)
             ? g_strv_builder_end (builder)
             : NULL;
}

static void
gather_thread (GTask *task, gpointer source, gpointer data, GCancellable *cancellable)
{
  TbRecordingFacts *facts = g_new0 (TbRecordingFacts, 1);

  if (cancellable != NULL)
    g_cancellable_push_current (cancellable);
  facts->unwound_share = measure_unwound_stacks (data);
  facts->symbolized_share = measure_symbolized_frames (data);
  facts->symbols = list_symbols (data, facts->symbolized_share);
  if (cancellable != NULL)
    g_cancellable_pop_current (cancellable);
  g_task_return_pointer (task, facts, (GDestroyNotify) tb_recording_facts_free);
}

/**
 * tb_recording_facts_gather_async:
 * @trace: a trace
 *
 * Computes in a thread the facts that need a scan.
 */
void
tb_recording_facts_gather_async (TbTrace *trace,
                                 GCancellable *cancellable,
                                 GAsyncReadyCallback callback,
                                 gpointer data)
{
  g_autoptr (GTask) task = g_task_new (NULL, cancellable, callback, data);

  g_task_set_source_tag (task, tb_recording_facts_gather_async);
  g_task_set_task_data (task, g_object_ref (trace), g_object_unref);
  g_task_run_in_thread (task, gather_thread);
}

TbRecordingFacts *
tb_recording_facts_gather_finish (GAsyncResult *result, GError **error)
{
  g_return_val_if_fail (g_task_is_valid (result, NULL), NULL);
  return g_task_propagate_pointer (G_TASK (result), error);
}

static guint64
count_events (TbSession *session)
{
  guint64 n_events = 0;

  for (TbTableKind kind = 0; kind < TB_N_TABLES; kind++)
    if (TB_TABLE_IS_EVENT (kind))
      n_events += tb_table_get_n_rows (tb_session_get_table (session, kind));
  return n_events;
}

static guint
count_cpus (TbSession *session)
{
  guint n_hosts, n_cpus = 0;
  const TbHost *hosts = tb_session_get_hosts (session, &n_hosts);

  for (guint i = 0; i < n_hosts; i++)
    n_cpus += hosts[i].n_cpus;
  return n_cpus;
}

/* Non-breaking spaces make lines break between the parts, not within them. */
static void
add_part (GString *text, char *part)
{
  g_auto (GStrv) words = g_strsplit (part, " ", -1);
  g_autofree char *unbroken = g_strjoinv ("\u00a0", words);

  if (text->len > 0 && text->str[text->len - 1] != '\n')
    g_string_append (text, " · ");
  g_string_append (text, unbroken);
  g_free (part);
}

/**
 * tb_recording_facts_describe:
 * @self: (nullable): facts gathered so far
 * @trace: a trace
 *
 * Returns: (transfer full): for example "Recorded by perf · 3.2 s · 2 cpus · 1 204 551 events · 0
 *   lost · stacks 99.1 % whole · symbols 98 %"
 */
char *
tb_recording_facts_describe (const TbRecordingFacts *self, TbTrace *trace)
{
  TbSession *session = tb_trace_get_session (trace);
  const TbTraceCounts *counts = tb_trace_get_counts (trace);
  const char *collector = tb_session_get_fact (session, "collector");
  guint64 n_events = count_events (session);
  guint n_cpus = count_cpus (session);
  GString *text = g_string_new (NULL);
  g_autofree char *events = tb_format_count (n_events);
  g_autofree char *lost = tb_format_count (counts->lost_events);
  gint64 from, to;

  tb_session_get_range (session, &from, &to);
  if (collector != NULL && collector[0] != '\0')
    add_part (text, g_strdup_printf (_ ("Recorded by %s"), collector));
  add_part (text, tb_format_duration (to - from));
  if (n_cpus > 0)
    add_part (text, g_strdup_printf (ngettext ("%u CPU", "%u CPUs", n_cpus), n_cpus));
  g_string_append_c (text, '\n');
  add_part (text, g_strdup_printf (ngettext ("%s event", "%s events", MIN (n_events, G_MAXUINT32)),
                                   events));
  add_part (text,
            /* Translators: number of events lost during the recording */
            g_strdup_printf (ngettext ("%s lost", "%s lost", MIN (counts->lost_events, G_MAXINT)),
                             lost));
  if (self != NULL && (!isnan (self->unwound_share) || !isnan (self->symbolized_share)))
    g_string_append_c (text, '\n');
  if (self != NULL && !isnan (self->unwound_share))
    {
      g_autofree char *share = tb_format_share (self->unwound_share);

      /* Translators: the share of stacks that were unwound to their start */
      add_part (text, g_strdup_printf (_ ("complete stacks: %s"), share));
    }
  if (self != NULL && !isnan (self->symbolized_share))
    {
      g_autofree char *share = tb_format_share (self->symbolized_share);

      /* Translators: the share of addresses that have a name */
      add_part (text, g_strdup_printf (_ ("addresses with a name: %s"), share));
    }
  return g_string_free (text, FALSE);
}

/**
 * tb_recording_facts_describe_extent:
 * @session: a session
 * @selected: selected duration in ns, negative for none
 *
 * Returns: (transfer full): for example "18 threads · 7 processes · 265 ms selected of 3.2 s"
 */
char *
tb_recording_facts_describe_extent (TbSession *session, gint64 selected)
{
  guint n_threads, n_processes;
  g_autofree char *threads = NULL;
  g_autofree char *processes = NULL;
  g_autofree char *length = NULL;
  gint64 from, to;

  tb_session_get_threads (session, &n_threads);
  tb_session_get_processes (session, &n_processes);
  n_threads = n_threads > 0 ? n_threads - 1 : 0; /* thread 0 is idle */
  tb_session_get_range (session, &from, &to);
  threads = g_strdup_printf (ngettext ("%'u thread", "%'u threads", n_threads), n_threads);
  processes = g_strdup_printf (ngettext ("%'u process", "%'u processes", n_processes), n_processes);
  length = tb_format_duration (to - from);
  if (selected >= 0)
    {
      g_autofree char *part = tb_format_duration (selected);

      /* Translators: “18 threads” · “7 processes” · “265 ms” selected of “3.2 s” */
      return g_strdup_printf (_ ("%s · %s · %s selected of %s"), threads, processes, part, length);
    }
  return g_strdup_printf ("%s · %s · %s", threads, processes, length);
}

/**
 * tb_recording_facts_list_warnings:
 * @trace: a trace
 *
 * Returns: (transfer full): reasons why the recording is inaccurate or incomplete, the most
 *   important first
 */
char **
tb_recording_facts_list_warnings (TbTrace *trace)
{
  TbSession *session = tb_trace_get_session (trace);
  const char *const *trace_warnings = tb_trace_get_warnings (trace);
  const char *const *session_warnings = tb_session_get_warnings (session);
  g_autoptr (GStrvBuilder) builder = g_strv_builder_new ();
  g_autoptr (GHashTable) seen = g_hash_table_new (g_str_hash, g_str_equal);
  g_autoptr (GError) error = NULL;

  if (!tb_trace_check (trace, &error))
    g_strv_builder_take (builder, g_strdup_printf (_ ("A part of the recording cannot be read: %s"),
                                                   error->message));
  if (tb_session_is_cut_short (session))
    g_strv_builder_take (
        builder, g_strdup (_ ("This recording was cut short: events after its end are missing.")));
  for (guint i = 0; trace_warnings != NULL && trace_warnings[i] != NULL; i++)
    if (g_hash_table_add (seen, (gpointer) trace_warnings[i]))
      g_strv_builder_add (builder, trace_warnings[i]);
  for (guint i = 0; session_warnings != NULL && session_warnings[i] != NULL; i++)
    if (g_hash_table_add (seen, (gpointer) session_warnings[i]))
      g_strv_builder_add (builder, session_warnings[i]);
  return g_strv_builder_end (builder);
}

/**
 * tb_recording_facts_list_symbols:
 * @self: (nullable): facts gathered after the symbolization
 *
 * Returns: (transfer none) (nullable): for each file what names are missing, why, and what can be
 *   done, and which are unverified; %NULL if hardly any
 */
const char *const *
tb_recording_facts_list_symbols (const TbRecordingFacts *self)
{
  return self != NULL ? (const char *const *) self->symbols : NULL;
}

/**
 * tb_recording_facts_name_range:
 * @session: a session
 * @from: start of the range, ns
 * @to: end of the range, ns
 *
 * Returns: (transfer full): the range relative to the start of the recording, for example "from 30
 *   ms to 118 ms"
 */
char *
tb_recording_facts_name_range (TbSession *session, gint64 from, gint64 to)
{
  g_autofree char *from_text = NULL;
  g_autofree char *to_text = NULL;
  gint64 start, end;

  tb_session_get_range (session, &start, &end);
  from_text = tb_format_time (from - start, MAX ((to - from) / 100, 1));
  to_text = tb_format_time (to - start, MAX ((to - from) / 100, 1));
  return g_strdup_printf (_ ("from %s to %s"), from_text, to_text);
}

/**
 * tb_recording_facts_name_thread:
 * @session: a session
 * @thread: id
 *
 * Returns: (transfer full): for example "nginx (812)"
 */
char *
tb_recording_facts_name_thread (TbSession *session, guint32 thread)
{
  guint n_threads;

  tb_session_get_threads (session, &n_threads);
  if (thread >= n_threads)
    return g_strdup (_ ("unknown thread"));
  if (thread == TB_THREAD_IDLE)
    return g_strdup (_ ("idle"));
  return tb_session_describe_thread (session, thread);
}

/**
 * tb_recording_facts_name_place:
 * @trace: a trace
 * @thread: id, or %TB_ID_NONE
 * @from: ns
 * @to: ns
 *
 * Returns: (transfer full): a name for a bookmark: the activity of the thread, or the start time
 */
char *
tb_recording_facts_name_place (TbTrace *trace, guint32 thread, gint64 from, gint64 to)
{
  TbSession *session = tb_trace_get_session (trace);
  g_autofree char *at = NULL;
  gint64 start, end;

  if (thread != TB_ID_NONE)
    {
      gssize interval = tb_trace_find_interval (trace, thread, from);
      g_autofree char *name = tb_recording_facts_name_thread (session, thread);
      g_autofree char *what = interval >= 0 ? tb_trace_describe_interval (trace, interval) : NULL;

      return what != NULL ? g_strdup_printf ("%s: %s", name, what) : g_steal_pointer (&name);
    }
  tb_trace_get_range (trace, &start, &end);
  if (from <= start && to >= end)
    return g_strdup (_ ("Whole recording"));
  at = tb_format_duration (from - start);
  return g_strdup_printf (_ ("at %s"), at);
}
