/* tb-locks-json.c: waits for locks as JSON: rows by lock and class, with their members
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#include "config.h"

#include "tb-locks-summary.h"
#include "trace/tb-trace-lock-origins.h"

static void
add_string (JsonBuilder *builder, const char *member, const char *value)
{
  json_builder_set_member_name (builder, member);
  if (value != NULL)
    json_builder_add_string_value (builder, value);
  else
    json_builder_add_null_value (builder);
}

static void
add_integer (JsonBuilder *builder, const char *member, gint64 value)
{
  json_builder_set_member_name (builder, member);
  json_builder_add_int_value (builder, value);
}

/* Adds each name once; null if no thread is known. */
static void
add_names (JsonBuilder *builder, TbLocksSummary *self, const char *member, const GArray *threads)
{
  g_autoptr (GHashTable) listed = g_hash_table_new (g_str_hash, g_str_equal);

  json_builder_set_member_name (builder, member);
  if (threads->len == 0)
    {
      json_builder_add_null_value (builder);
      return;
    }
  json_builder_begin_array (builder);
  for (guint i = 0; i < threads->len; i++)
    {
      const char *name
          = tb_trace_get_thread_name_at (self->trace,
                                         g_array_index (threads, TbLockThread, i).thread, self->to);

      if (g_hash_table_add (listed, (gpointer) name))
        json_builder_add_string_value (builder, name);
    }
  json_builder_end_array (builder);
}

static void
add_threads (JsonBuilder *builder, TbLocksSummary *self, const char *member, const GArray *threads)
{
  guint n_threads;
  const TbThread *all = tb_session_get_threads (tb_trace_get_session (self->trace), &n_threads);

  json_builder_set_member_name (builder, member);
  json_builder_begin_array (builder);
  for (guint i = 0; i < threads->len; i++)
    {
      const TbLockThread *thread = &g_array_index (threads, TbLockThread, i);
      g_autofree char *id = g_strdup_printf ("%u", thread->thread);

      json_builder_begin_object (builder);
      add_string (builder, "id", id);
      add_integer (builder, "tid", thread->thread < n_threads ? all[thread->thread].tid : 0);
      add_string (builder, "name",
                  tb_trace_get_thread_name_at (self->trace, thread->thread, self->to));
      add_integer (builder, "waits", (gint64) thread->waits);
      add_integer (builder, "wait_ns", thread->wait_ns);
      json_builder_end_object (builder);
    }
  json_builder_end_array (builder);
}

/* What identifies a lock: its address, of a word in memory. */
static void
add_address (JsonBuilder *builder, const TbLockSummary *lock, const TbLock *of)
{
  g_autofree char *address = NULL;

  if (lock->members == NULL && of->kind == TB_LOCK_WORD)
    address = g_strdup_printf ("0x%" G_GINT64_MODIFIER "x", of->address);
  add_string (builder, "address", address);
}

static void
add_identity (JsonBuilder *builder, TbLocksSummary *self, const TbLockSummary *lock)
{
  static const char *const kinds[] = { "word", "file", "semaphore" };
  guint n_locks, n_processes;
  const TbLock *of = &tb_trace_get_locks (self->trace, &n_locks)[lock->lock];
  const TbProcess *processes
      = tb_session_get_processes (tb_trace_get_session (self->trace), &n_processes);
  g_autofree char *id = tb_locks_summary_make_item (lock);
  g_autofree char *name = tb_locks_summary_name (self, lock);
  g_autofree char *maker = tb_trace_find_lock_creator (self->trace, lock->lock);

  add_string (builder, "id", id);
  add_string (builder, "name", name);
  add_address (builder, lock, of);
  add_string (builder, "made_by", maker);
  add_string (builder, "process", of->process < n_processes ? processes[of->process].name : NULL);
  json_builder_set_member_name (builder, "pid");
  if (of->process < n_processes)
    json_builder_add_int_value (builder, processes[of->process].pid);
  else
    json_builder_add_null_value (builder);
  add_string (builder, "use", tb_lock_use_get_name (lock->use));
  add_string (builder, "kind", kinds[of->kind]);
  add_string (builder, "group", tb_lock_group_get_name (lock->group));
}

static void
add_measures (JsonBuilder *builder, TbLocksSummary *self, const TbLockSummary *lock)
{
  g_autoptr (GArray) none = g_array_new (FALSE, FALSE, sizeof (TbLockThread));

  add_integer (builder, "waits", (gint64) lock->n_waits);
  add_integer (builder, "wait_ns", lock->wait_ns);
  add_integer (builder, "longest_ns", lock->longest_ns);
  add_integer (builder, "contended_ns", lock->contended_ns);
  add_integer (builder, "most_waiting", lock->most);
  add_integer (builder, "released", (gint64) lock->n_released);
  add_integer (builder, "released_ns", lock->released_ns);
  add_integer (builder, "handed_on_ns", lock->handed_on_ns);
  add_integer (builder, "timed_out", (gint64) lock->timed_out);
  add_integer (builder, "timed_out_ns", lock->timed_out_ns);
  add_integer (builder, "ended_by_exit", (gint64) lock->n_ended_by_exit);
  add_integer (builder, "ended_by_unknown", (gint64) lock->n_unknown_ends);
  add_integer (builder, "open", (gint64) lock->n_open);
  add_integer (builder, "polls", (gint64) lock->n_polls);
  add_integer (builder, "polled_ns", lock->polled_ns);
  add_integer (builder, "uncertain_waits", (gint64) lock->uncertain);
  add_names (builder, self, "waiters", lock->waiters);
  add_threads (builder, self, "waiter_threads", lock->waiters);
  add_names (builder, self, "ended_by", lock->holders);
  add_threads (builder, self, "ended_by_threads", lock->holders);
  /* A condition, a timeout and the end of a thread have no holder. */
  add_names (builder, self, "holders", lock->group == TB_LOCK_GROUP_LOCK ? lock->holders : none);
  add_threads (builder, self, "holder_threads",
               lock->group == TB_LOCK_GROUP_LOCK ? lock->holders : none);
}

/* Adds the locks of a class: most waited first, as many as rows are shown. */
static void
add_members (JsonBuilder *builder, TbLocksSummary *self, const TbLockSummary *class, guint top)
{
  guint n = class->members != NULL ? class->members->len : 0;

  add_integer (builder, "n_members", MAX (n, 1));
  json_builder_set_member_name (builder, "parked");
  json_builder_add_boolean_value (builder, tb_lock_summary_is_parked (class));
  json_builder_set_member_name (builder, "members");
  json_builder_begin_array (builder);
  for (guint i = 0; i < (top == 0 ? n : MIN (top, n)); i++)
    {
      const TbLockSummary *lock = g_ptr_array_index (class->members, i);

      json_builder_begin_object (builder);
      add_identity (builder, self, lock);
      add_measures (builder, self, lock);
      json_builder_end_object (builder);
    }
  json_builder_end_array (builder);
}

/* Adds the sums of each group, over all of its locks. */
static void
add_groups (JsonBuilder *builder, TbLocksSummary *self)
{
  guint64 n_waits[TB_N_LOCK_GROUPS] = { 0 };
  gint64 ns[TB_N_LOCK_GROUPS] = { 0 };
  guint n_rows[TB_N_LOCK_GROUPS] = { 0 };

  for (guint i = 0; i < self->locks->len; i++)
    {
      const TbLockSummary *lock = g_ptr_array_index (self->locks, i);

      n_waits[lock->group] += lock->n_waits;
      ns[lock->group] += lock->wait_ns;
      n_rows[lock->group]++;
    }
  json_builder_set_member_name (builder, "groups");
  json_builder_begin_array (builder);
  for (guint i = 0; i < TB_N_LOCK_GROUPS; i++)
    {
      json_builder_begin_object (builder);
      add_string (builder, "group", tb_lock_group_get_name (i));
      add_integer (builder, "rows", n_rows[i]);
      add_integer (builder, "waits", (gint64) n_waits[i]);
      add_integer (builder, "wait_ns", ns[i]);
      json_builder_end_object (builder);
    }
  json_builder_end_array (builder);
}

JsonNode *
tb_locks_summary_to_json (TbLocksSummary *self, guint top)
{
  g_autoptr (JsonBuilder) builder = json_builder_new ();
  g_autoptr (GPtrArray) rows = tb_locks_summary_list (self, top);

  json_builder_begin_object (builder);
  json_builder_set_member_name (builder, "locks");
  json_builder_begin_array (builder);
  for (guint i = 0; i < rows->len; i++)
    {
      const TbLockSummary *lock = g_ptr_array_index (rows, i);

      json_builder_begin_object (builder);
      add_identity (builder, self, lock);
      add_measures (builder, self, lock);
      add_members (builder, self, lock, top);
      json_builder_end_object (builder);
    }
  json_builder_end_array (builder);
  add_groups (builder, self);
  add_integer (builder, "n_locks", self->n_locks);
  add_integer (builder, "n_rows", self->locks->len);
  add_integer (builder, "unplaced_waits", (gint64) self->n_unknown_addresses);
  add_integer (builder, "unplaced_ns", self->unknown_address_ns);
  add_integer (builder, "without_maker", self->n_unknown_origins);
  json_builder_end_object (builder);
  return json_builder_get_root (builder);
}
