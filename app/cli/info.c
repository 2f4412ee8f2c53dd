/* info.c: description of a recording as JSON: hosts, events, losses, warnings, processes with
 * their threads, devices, interfaces, stacks, missing names, probed functions
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#include "config.h"

#include <math.h>
#include <string.h>

#include "info.h"
#include "session/schema/tb-interface.h"

static void
add_string (JsonBuilder *builder, const char *name, const char *text)
{
  json_builder_set_member_name (builder, name);
  if (text)
    json_builder_add_string_value (builder, text);
  else
    json_builder_add_null_value (builder);
}

/* An unknown value is null. */
static void
add_known_string (JsonBuilder *builder, const char *name, const char *text)
{
  add_string (builder, name, text && *text ? text : NULL);
}

static void
add_integer (JsonBuilder *builder, const char *name, gint64 value)
{
  json_builder_set_member_name (builder, name);
  json_builder_add_int_value (builder, value);
}

/* An unknown value is null. */
static void
add_known_integer (JsonBuilder *builder, const char *name, gint64 value, gboolean is_known)
{
  json_builder_set_member_name (builder, name);
  if (is_known)
    json_builder_add_int_value (builder, value);
  else
    json_builder_add_null_value (builder);
}

/* null if no command was recorded. */
static void
add_command_pid (JsonBuilder *builder, TbSession *session)
{
  const char *pid = tb_session_get_fact (session, "command-pid");
  gint64 number = 0;
  gboolean is_known
      = pid != NULL && g_ascii_string_to_signed (pid, 10, 1, G_MAXINT32, &number, NULL);

  add_known_integer (builder, "command_pid", number, is_known);
}

/* null if nothing was measured. */
static void
add_cost (JsonBuilder *builder, TbSession *session)
{
  gboolean known = FALSE;

  for (guint i = 0; i < INFO_N_COSTS; i++)
    known |= info_get_cost (session, i) > 0;
  json_builder_set_member_name (builder, "cost");
  if (!known)
    {
      json_builder_add_null_value (builder);
      return;
    }
  json_builder_begin_object (builder);
  for (guint i = 0; i < INFO_N_COSTS; i++)
    if (info_get_cost (session, i) > 0)
      add_integer (builder, info_costs[i].member, info_get_cost (session, i));
  json_builder_end_object (builder);
}

static void
add_time (JsonBuilder *builder, const char *name, gint64 time)
{
  add_known_integer (builder, name, time, time != TB_TIME_NONE);
}

static void
add_id (JsonBuilder *builder, const char *name, guint32 id)
{
  g_autofree char *text = id == TB_ID_NONE ? NULL : g_strdup_printf ("%u", id);

  add_string (builder, name, text);
}

static void
add_share (JsonBuilder *builder, const char *name, double share)
{
  json_builder_set_member_name (builder, name);
  if (isfinite (share))
    json_builder_add_double_value (builder, share);
  else
    json_builder_add_null_value (builder);
}

static void
begin_array (JsonBuilder *builder, const char *name)
{
  json_builder_set_member_name (builder, name);
  json_builder_begin_array (builder);
}

static void
add_hosts (JsonBuilder *builder, TbSession *session)
{
  guint n;
  const TbHost *hosts = tb_session_get_hosts (session, &n);

  begin_array (builder, "hosts");
  for (guint i = 0; i < n; i++)
    {
      json_builder_begin_object (builder);
      add_id (builder, "id", hosts[i].id);
      add_known_string (builder, "name", hosts[i].name);
      add_known_string (builder, "kernel", hosts[i].kernel);
      add_known_string (builder, "machine", hosts[i].machine);
      add_known_integer (builder, "cpus", hosts[i].n_cpus, hosts[i].n_cpus > 0);
      add_integer (builder, "clock_bound_ns", hosts[i].clock_bound_ns);
      json_builder_end_object (builder);
    }
  json_builder_end_array (builder);
}

static void
add_events (JsonBuilder *builder, TbSession *session)
{
  json_builder_set_member_name (builder, "events");
  json_builder_begin_object (builder);
  for (guint kind = 0; kind < TB_N_TABLES; kind++)
    if (TB_TABLE_IS_EVENT (kind))
      add_integer (builder, tb_table_kind_get_info (kind)->name,
                   tb_table_get_n_rows (tb_session_get_table (session, kind)));
  json_builder_end_object (builder);
}

static gboolean
add_lost (JsonBuilder *builder, TbSession *session, GError **error)
{
  g_auto (InfoLost) lost = { 0 };

  if (!info_read_lost (session, &lost, error))
    return FALSE;
  json_builder_set_member_name (builder, "lost");
  json_builder_begin_object (builder);
  add_integer (builder, "events", info_count_lost (&lost));
  begin_array (builder, "ranges");
  for (guint64 i = 0; i < lost.n; i++)
    {
      json_builder_begin_object (builder);
      add_integer (builder, "from_ns", lost.from[i]);
      add_integer (builder, "to_ns", lost.to[i]);
      add_known_integer (builder, "cpu", lost.cpu[i], lost.cpu[i] != TB_CPU_ALL);
      add_integer (builder, "count", MIN (lost.count[i], (guint64) G_MAXINT64));
      json_builder_end_object (builder);
    }
  json_builder_end_array (builder);
  json_builder_end_object (builder);
  return TRUE;
}

static void
add_warnings (JsonBuilder *builder, TbTrace *trace)
{
  const char *const *lists[]
      = { tb_session_get_warnings (tb_trace_get_session (trace)), tb_trace_get_warnings (trace) };
  const char *const *remarks = tb_trace_get_remarks (trace);
  g_autoptr (GHashTable) seen = g_hash_table_new (g_str_hash, g_str_equal);

  begin_array (builder, "warnings");
  for (guint list = 0; list < G_N_ELEMENTS (lists); list++)
    for (guint i = 0; lists[list] && lists[list][i]; i++)
      if (g_hash_table_add (seen, (gpointer) lists[list][i]))
        json_builder_add_string_value (builder, lists[list][i]);
  json_builder_end_array (builder);
  begin_array (builder, "remarks");
  for (guint i = 0; remarks[i] != NULL; i++)
    json_builder_add_string_value (builder, remarks[i]);
  json_builder_end_array (builder);
}

/* Returns the index of the first name of a thread in the session's array, which is sorted by
 * thread. */
static guint
find_names (const TbThreadName *names, guint n_names, guint32 thread)
{
  guint low = 0;
  guint high = n_names;

  while (low < high)
    {
      guint middle = low + (high - low) / 2;

      if (names[middle].thread < thread)
        low = middle + 1;
      else
        high = middle;
    }
  return low;
}

/* Adds all names that the main thread of the process had, each once, in order of time. */
static void
add_names (JsonBuilder *builder, TbSession *session, guint32 thread, const char *last)
{
  g_autoptr (GHashTable) seen = g_hash_table_new (g_str_hash, g_str_equal);
  guint n_names;
  const TbThreadName *names = tb_session_get_thread_names (session, &n_names);

  begin_array (builder, "names");
  if (thread != TB_ID_NONE)
    for (guint i = find_names (names, n_names, thread); i < n_names && names[i].thread == thread;
         i++)
      if (*names[i].name && g_hash_table_add (seen, (gpointer) names[i].name))
        json_builder_add_string_value (builder, names[i].name);
  if (last && *last && g_hash_table_add (seen, (gpointer) last))
    json_builder_add_string_value (builder, last);
  json_builder_end_array (builder);
}

static void
add_thread (JsonBuilder *builder, const TbThread *thread)
{
  json_builder_begin_object (builder);
  add_id (builder, "id", thread->id);
  add_integer (builder, "tid", thread->tid);
  add_known_string (builder, "name", thread->name);
  add_time (builder, "start_ns", thread->start);
  add_time (builder, "end_ns", thread->end);
  json_builder_end_object (builder);
}

static void
add_processes (JsonBuilder *builder, TbSession *session)
{
  g_auto (InfoProcessThreads) grouped = { 0 };
  guint n_processes;
  guint n_threads;
  const TbProcess *processes = tb_session_get_processes (session, &n_processes);
  const TbThread *threads = tb_session_get_threads (session, &n_threads);

  info_group_threads (session, &grouped);
  begin_array (builder, "processes");
  for (guint i = 0; i < n_processes; i++)
    {
      json_builder_begin_object (builder);
      add_id (builder, "id", i);
      add_id (builder, "host", processes[i].host);
      add_integer (builder, "pid", processes[i].pid);
      add_known_string (builder, "name", processes[i].name);
      add_names (builder, session, grouped.main[i], processes[i].name);
      add_known_string (builder, "command", processes[i].command);
      add_id (builder, "parent", processes[i].parent);
      add_time (builder, "start_ns", processes[i].start);
      add_time (builder, "end_ns", processes[i].end);
      begin_array (builder, "threads");
      for (guint j = grouped.first[i]; j < grouped.first[i + 1]; j++)
        add_thread (builder, &threads[grouped.order[j]]);
      json_builder_end_array (builder);
      json_builder_end_object (builder);
    }
  json_builder_end_array (builder);
}

static void
add_devices (JsonBuilder *builder, TbSession *session)
{
  guint n;
  const TbDevice *devices = tb_session_get_devices (session, &n);

  begin_array (builder, "devices");
  for (guint i = 0; i < n; i++)
    {
      json_builder_begin_object (builder);
      add_id (builder, "id", devices[i].id);
      add_known_string (builder, "name", devices[i].name);
      add_known_string (builder, "kind", devices[i].kind);
      add_known_string (builder, "major_minor", devices[i].major_minor);
      json_builder_end_object (builder);
    }
  json_builder_end_array (builder);
}

/* null: the recording has no information about interfaces. */
static void
add_interfaces (JsonBuilder *builder, TbSession *session)
{
  guint n;
  const TbInterface *interfaces = tb_session_get_interfaces (session, &n);

  if (interfaces == NULL)
    {
      add_string (builder, "interfaces", NULL);
      return;
    }
  begin_array (builder, "interfaces");
  for (guint i = 0; i < n; i++)
    {
      json_builder_begin_object (builder);
      add_id (builder, "host", interfaces[i].host);
      add_integer (builder, "index", interfaces[i].index);
      add_string (builder, "name", interfaces[i].name);
      add_known_integer (builder, "bits_per_second", (gint64) interfaces[i].speed,
                         interfaces[i].speed > 0);
      begin_array (builder, "addresses");
      for (const char *const *address = interfaces[i].addresses; *address != NULL; address++)
        json_builder_add_string_value (builder, *address);
      json_builder_end_array (builder);
      add_integer (builder, "omitted_addresses", interfaces[i].n_omitted);
      json_builder_end_object (builder);
    }
  json_builder_end_array (builder);
}

static gboolean
add_stacks (JsonBuilder *builder, TbSession *session, GError **error)
{
  InfoStacks stacks;
  InfoDumps dumps;

  if (!info_measure_stacks (session, &stacks, error))
    return FALSE;
  json_builder_set_member_name (builder, "stacks");
  json_builder_begin_object (builder);
  add_integer (builder, "distinct", stacks.distinct);
  add_integer (builder, "frames", stacks.frames);
  add_share (builder, "broken_share", stacks.broken);
  add_share (builder, "symbolized_share", stacks.symbolized);
  add_integer (builder, "recorded", stacks.n_with);
  add_integer (builder, "cut", stacks.n_cut);
  add_known_string (builder, "cut_at", stacks.n_cut > 0 ? stacks.limit : NULL);
  if (stacks.is_repaired)
    {
      add_integer (builder, "repaired", stacks.n_repaired);
      add_integer (builder, "unrepaired", stacks.n_unrepaired);
    }
  if (info_read_dumps (session, &dumps))
    {
      json_builder_set_member_name (builder, "dumps");
      json_builder_begin_object (builder);
      add_integer (builder, "count", dumps.n);
      add_integer (builder, "bytes", dumps.bytes);
      add_integer (builder, "partly", dumps.incomplete);
      add_integer (builder, "unverified", dumps.unverified);
      add_integer (builder, "undone", dumps.failed);
      add_integer (builder, "crowded", dumps.full);
      add_integer (builder, "unreadable", dumps.unreadable);
      add_integer (builder, "foreign", dumps.other_abi);
      add_integer (builder, "unmatched", dumps.unmatched);
      add_integer (builder, "unwinding_ns", dumps.time_ns);
      json_builder_end_object (builder);
    }
  json_builder_end_object (builder);
  return TRUE;
}

static gboolean
add_functions (JsonBuilder *builder, TbSession *session, GError **error)
{
  g_autoptr (GArray) functions = info_list_functions (session, error);

  if (!functions)
    return FALSE;
  begin_array (builder, "functions");
  for (guint i = 0; i < functions->len; i++)
    {
      const InfoFunction *function = &g_array_index (functions, InfoFunction, i);

      json_builder_begin_object (builder);
      add_known_string (builder, "name", function->name);
      add_integer (builder, "calls", function->calls);
      add_integer (builder, "open", function->open);
      add_integer (builder, "total_ns", function->total);
      add_integer (builder, "longest_ns", function->longest);
      json_builder_end_object (builder);
    }
  json_builder_end_array (builder);
  return TRUE;
}

/* The IDs that threads of a container have on its host. */
static void
add_host_thread_ids (JsonBuilder *builder, TbSession *session)
{
  const char *fact = tb_session_get_fact (session, "host-thread-ids");
  g_auto (GStrv) pairs = fact != NULL ? g_strsplit (fact, ", ", -1) : NULL;

  if (fact == NULL)
    return;
  begin_array (builder, "host_thread_ids");
  for (guint i = 0; pairs[i] != NULL; i++)
    {
      char *end;
      guint64 tid = g_ascii_strtoull (pairs[i], &end, 10);

      json_builder_begin_object (builder);
      add_integer (builder, "tid", tid);
      add_integer (builder, "host_tid", g_ascii_strtoull (end, NULL, 10));
      json_builder_end_object (builder);
    }
  json_builder_end_array (builder);
}

JsonNode *
info_to_json (TbTrace *trace, GError **error)
{
  g_autoptr (JsonBuilder) builder = json_builder_new ();
  TbSession *session = tb_trace_get_session (trace);
  gint64 from;
  gint64 to;

  tb_session_get_range (session, &from, &to);
  json_builder_begin_object (builder);
  add_string (builder, "format", "tailback-info");
  add_integer (builder, "version", 1);
  add_hosts (builder, session);
  add_integer (builder, "from_ns", from);
  add_integer (builder, "to_ns", to);
  add_known_string (builder, "clock", tb_session_get_fact (session, "clock"));
  add_known_string (builder, "collector", tb_session_get_fact (session, "collector"));
  add_known_string (builder, "command", tb_session_get_fact (session, "command"));
  add_command_pid (builder, session);
  add_known_string (builder, "command_status", tb_session_get_fact (session, "command-status"));
  add_string (builder, "first_analysis", tb_session_get_first_analysis (session));
  add_known_string (builder, "omitted", tb_session_get_fact (session, "omitted"));
  add_cost (builder, session);
  add_known_string (builder, "kernel_functions", tb_session_get_fact (session, "kernel-functions"));
  json_builder_set_member_name (builder, "cut_short");
  json_builder_add_boolean_value (builder, tb_session_is_cut_short (session));
  add_events (builder, session);
  if (!add_lost (builder, session, error))
    return NULL;
  add_warnings (builder, trace);
  add_processes (builder, session);
  add_host_thread_ids (builder, session);
  add_devices (builder, session);
  add_interfaces (builder, session);
  if (!add_stacks (builder, session, error) || !info_add_symbols (builder, session, error)
      || !add_functions (builder, session, error))
    return NULL;
  json_builder_end_object (builder);
  return json_builder_get_root (builder);
}
