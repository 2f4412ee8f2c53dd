/* tb-peaks-calls.c: operations of a recording (system calls, functions, requests, locks …): their
 * calls loaded as columns, filtered by threads, time, phase and path, counted in histograms; search
 * for an operation by name
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#include "config.h"

#include <glib/gi18n.h>

#include "tb-peaks-calls.h"
#include "latency-state/tb-peaks-function-names.h"
#include "latency-state/tb-peaks-refinement.h"
#include "drill/tb-peaks-lock-holds.h"
#include "tb-peaks-inferred-calls.h"
#include "tb-peaks-derived-operations.h"
#include "tb-peaks-call-path.h"
#include "tb-peaks-probe-cost.h"

static const char *const kind_names[TB_N_PEAKS_KINDS]
    = { "syscall", "function",  "function",  "block",    "network",
        "lock",    "lock-hold", "run-queue", "interrupt" };
static const char *const block_names[] = { "other", "read", "write", "flush", "discard" };

/* --- columns --- */

static const void *
load_column (TbPeaksTable *self, TbTable *table, guint slot, guint column, GError **error)
{
  self->columns[slot] = tb_table_get_column (table, column, error);
  return self->columns[slot] != NULL ? g_bytes_get_data (self->columns[slot], NULL) : NULL;
}

/* The kernel's operation letters: the type of the request comes first, but an F for a flush may
 * precede it. */
static guint8
get_block_key (const char *letters)
{
  if (strchr (letters, 'D') != NULL)
    return 4;
  if (strchr (letters, 'R') != NULL)
    return 1;
  if (strchr (letters, 'W') != NULL)
    return 2;
  return strchr (letters, 'F') != NULL ? 3 : 0;
}

static gboolean
load_block_keys (TbPeaksTable *self, TbSession *session, TbTable *table, GError **error)
{
  const guint32 *operations = load_column (self, table, 3, TB_BLOCK_OPERATION, error);
  guint n_strings = tb_session_get_n_strings (session);
  g_autofree guint8 *key_of = g_malloc (n_strings + 1);

  if (operations == NULL)
    return FALSE;
  memset (key_of, 0xff, n_strings + 1);
  self->keys = g_malloc (self->n);
  for (gsize i = 0; i < self->n; i++)
    {
      guint32 string = MIN (operations[i], n_strings);

      if (key_of[string] == 0xff)
        key_of[string] = get_block_key (tb_session_get_string (session, string));
      self->keys[i] = key_of[string];
    }
  return TRUE;
}

/* --- tables --- */

static gboolean
load_recorded (TbPeaksTable *self, TbSession *session, TbPeaksKind kind, GError **error)
{
  static const struct
  {
    TbTableKind table;
    guint enter, exit, thread, key;
  } layouts[TB_N_PEAKS_KINDS] = {
    [TB_PEAKS_SYSCALL]
    = { TB_TABLE_SYSCALL, TB_SYSCALL_ENTER, TB_SYSCALL_EXIT, TB_SYSCALL_THREAD, TB_SYSCALL_NUMBER },
    [TB_PEAKS_FUNCTION]
    = { TB_TABLE_CALL, TB_CALL_ENTER, TB_CALL_EXIT, TB_CALL_THREAD, TB_CALL_FUNCTION },
    [TB_PEAKS_BLOCK]
    = { TB_TABLE_BLOCK, TB_BLOCK_INSERT, TB_BLOCK_COMPLETE, TB_BLOCK_THREAD, TB_BLOCK_OPERATION },
  };
  TbTable *table = tb_session_get_table (session, layouts[kind].table);

  self->n = MIN (tb_table_get_n_rows (table), G_MAXUINT32 - 1);
  if (self->n == 0)
    return TRUE;
  self->enter = load_column (self, table, 0, layouts[kind].enter, error);
  self->exit = self->enter != NULL ? load_column (self, table, 1, layouts[kind].exit, error) : NULL;
  self->thread
      = self->exit != NULL ? load_column (self, table, 2, layouts[kind].thread, error) : NULL;
  if (self->thread == NULL)
    return FALSE;
  if (kind == TB_PEAKS_BLOCK)
    return load_block_keys (self, session, table, error)
           && (self->issue = load_column (self, table, 4, TB_BLOCK_ISSUE, error)) != NULL;
  self->key = load_column (self, table, 3, layouts[kind].key, error);
  if (self->key != NULL && kind == TB_PEAKS_FUNCTION)
    tb_peaks_find_probe_costs (self, session);
  return self->key != NULL;
}

static gboolean
load_table (TbPeaksCalls *self, TbPeaksKind kind, GCancellable *cancellable, GError **error)
{
  TbPeaksTable *table = &self->tables[kind];

  if (table->is_loaded)
    return TRUE;
  table->is_loaded = TRUE;
  table->kind = kind;
  switch (kind)
    {
    case TB_PEAKS_INFERRED:
      return tb_peaks_make_inferred (self, table, cancellable, error);
    case TB_PEAKS_NETWORK:
      return tb_peaks_make_network (self, table, error);
    case TB_PEAKS_LOCK:
      return tb_peaks_make_locks (self, table);
    case TB_PEAKS_HOLD:
      return tb_peaks_make_lock_holds (self, table);
    case TB_PEAKS_RUN_QUEUE:
      return tb_peaks_make_run_queue (self, table);
    case TB_PEAKS_INTERRUPT:
      return tb_peaks_make_interrupts (self, table, error);
    default:
      return load_recorded (table, tb_trace_get_session (self->trace), kind, error);
    }
}

/* --- lost events --- */

static gboolean
load_lost (TbPeaksCalls *self, GError **error)
{
  TbTable *table = tb_session_get_table (tb_trace_get_session (self->trace), TB_TABLE_LOST);
  gsize n = tb_table_get_n_rows (table);
  g_autoptr (GBytes) from = NULL;
  g_autoptr (GBytes) to = NULL;
  g_autoptr (GBytes) counts = NULL;

  self->lost = g_array_new (FALSE, FALSE, sizeof (TbPeaksSpan));
  if (n == 0)
    return TRUE;
  from = tb_table_get_column (table, TB_LOST_FROM, error);
  to = from != NULL ? tb_table_get_column (table, TB_LOST_TO, error) : NULL;
  counts = to != NULL ? tb_table_get_column (table, TB_LOST_COUNT, error) : NULL;
  if (counts == NULL)
    return FALSE;
  for (gsize i = 0; i < n; i++)
    {
      TbPeaksSpan span = { ((const gint64 *) g_bytes_get_data (from, NULL))[i],
                           ((const gint64 *) g_bytes_get_data (to, NULL))[i] };
      TbPeaksSpan *last = self->lost->len > 0
                              ? &g_array_index (self->lost, TbPeaksSpan, self->lost->len - 1)
                              : NULL;

      if (span.to >= self->from && span.from <= self->to)
        self->n_lost += ((const guint64 *) g_bytes_get_data (counts, NULL))[i];
      if (last != NULL && span.from <= last->to)
        last->to = MAX (last->to, span.to);
      else
        g_array_append_val (self->lost, span);
    }
  return TRUE;
}

/* --- operations --- */

static char *
make_id (const TbPeaksCalls *self, TbPeaksKind kind, guint32 key)
{
  const GPtrArray *names = self->tables[kind].names;
  g_autofree char *whole = NULL;
  const char *name = kind == TB_PEAKS_BLOCK ? block_names[key]
                     : names != NULL
                         ? g_ptr_array_index (names, key)
                         : tb_session_get_string (tb_trace_get_session (self->trace), key);

  if (kind == TB_PEAKS_FUNCTION)
    name = whole = tb_peaks_name_function (self->probed, name);
  return g_strdup_printf ("%s:%s", kind_names[kind], *name != '\0' ? name : "?");
}

static TbPeaksOperation *
add_operation (TbPeaksCalls *self, TbPeaksKind kind, guint32 key)
{
  TbPeaksOperation *operation = g_new0 (TbPeaksOperation, 1);

  operation->kind = kind;
  operation->key = key;
  operation->id = make_id (self, kind, key);
  operation->histogram = tb_peaks_histogram_new (&self->bins);
  if (self->tables[kind].visible_from != NULL)
    operation->visible_from = g_array_index (self->tables[kind].visible_from, gint64, key);
  g_ptr_array_add (self->operations, operation);
  return operation;
}

static void
operation_free (gpointer data)
{
  TbPeaksOperation *operation = data;

  g_free (operation->id);
  g_clear_pointer (&operation->histogram, tb_peaks_histogram_free);
  g_free (operation->probed_calls);
  g_free (operation);
}

/* Probes of known cost are in no latency. */
static void
count_probed_calls (TbPeaksCalls *self,
                    const TbPeaksTable *table,
                    guint32 row,
                    TbPeaksOperation *operation)
{
  if (table->n_probed == NULL || table->n_probed[row] == 0 || table->probe_ns > 0)
    return;
  if (operation->probed_calls == NULL)
    operation->probed_calls = g_new0 (guint64, self->bins.n);
  operation->probed_calls[tb_peaks_bins_find (&self->bins, tb_peaks_table_get_latency (table, row))]
      += table->n_probed[row];
}

/* Rows still open at the end of the recording belong to the range if it extends to there. */
static void
count_row (TbPeaksCalls *self, const TbPeaksTable *table, gsize row, TbPeaksOperation *operation)
{
  if (table->enter[row] == TB_TIME_NONE || table->exit[row] == TB_TIME_NONE)
    {
      operation->open++;
      return;
    }
  operation->calls++;
  count_probed_calls (self, table, (guint32) row, operation);
  operation->uncertain
      += self->lost->len > 0 && tb_peaks_calls_is_lost (self, table->enter[row], table->exit[row]);
  /* A message with equal times has no known duration: only its time was recorded. */
  if (table->kind == TB_PEAKS_NETWORK && table->exit[row] == table->enter[row])
    operation->without_latency++;
  else
    tb_peaks_histogram_add (operation->histogram, &self->bins,
                            tb_peaks_table_get_latency (table, (guint32) row));
}

/* Whether the call is selected, regardless of its call path. */
static gboolean
is_selected (const TbPeaksCalls *self, const TbPeaksTable *table, gsize row)
{
  gint64 time = table->exit[row] != TB_TIME_NONE ? table->exit[row] : table->enter[row];

  if (time < self->from || time > self->to || !tb_peaks_calls_has_thread (self, table->thread[row]))
    return FALSE;
  return self->phases == NULL
         || (table->enter[row] != TB_TIME_NONE
             && tb_peaks_phases_has (self->phases, table->thread[row], table->enter[row]));
}

static gboolean
is_in_range (const TbPeaksCalls *self, const TbPeaksTable *table, gsize row)
{
  return is_selected (self, table, row)
         && (table->call_path == NULL || table->call_path[row] == TB_PEAKS_CALL_PATH_MATCHES);
}

/* Calls in other tables may lie within probed functions, so the functions come first. */
static gboolean
match_call_path (TbPeaksCalls *self, TbPeaksTable *table, GError **error)
{
  TbPeaksTable *functions = &self->tables[TB_PEAKS_FUNCTION];

  if (self->call_path == NULL || table->call_path != NULL)
    return TRUE;
  if (table != functions && !match_call_path (self, functions, error))
    return FALSE;
  table->call_path = tb_peaks_call_path_match (self->call_path, table, error);
  return table->call_path != NULL;
}

#define ROWS_BETWEEN_CHECKS (1 << 16)

static gboolean
count_table (TbPeaksCalls *self,
             const TbPeaksTable *table,
             GCancellable *cancellable,
             GError **error)
{
  guint n_keys = table->names != NULL ? table->names->len
                 : table->key != NULL
                     ? tb_session_get_n_strings (tb_trace_get_session (self->trace))
                     : 256;
  g_autofree TbPeaksOperation **of_key = g_new0 (TbPeaksOperation *, n_keys + 1);
  g_autofree guint64 *unknown_path = g_new0 (guint64, n_keys + 1);

  for (gsize row = 0; row < table->n; row++)
    {
      guint32 key;

      if (row % ROWS_BETWEEN_CHECKS == 0
          && g_cancellable_set_error_if_cancelled (cancellable, error))
        return FALSE;
      if (!is_selected (self, table, row))
        continue;
      key = MIN (tb_peaks_table_get_key (table, row), n_keys);
      if (table->call_path != NULL && table->call_path[row] != TB_PEAKS_CALL_PATH_MATCHES)
        {
          unknown_path[key] += table->call_path[row] == TB_PEAKS_CALL_PATH_UNKNOWN;
          continue;
        }
      if (of_key[key] == NULL)
        of_key[key] = add_operation (self, table->kind, tb_peaks_table_get_key (table, row));
      count_row (self, table, row, of_key[key]);
    }
  for (guint key = 0; key <= n_keys; key++)
    if (of_key[key] != NULL)
      of_key[key]->unknown_path = unknown_path[key];
  return TRUE;
}

static int
compare_operations (gconstpointer a, gconstpointer b)
{
  const TbPeaksOperation *left = *(TbPeaksOperation *const *) a,
                         *right = *(TbPeaksOperation *const *) b;
  gint64 left_ns = left->histogram->total_ns, right_ns = right->histogram->total_ns;

  if (left_ns != right_ns)
    return left_ns > right_ns ? -1 : 1;
  return left->calls != right->calls ? (left->calls > right->calls ? -1 : 1)
                                     : strcmp (left->id, right->id);
}

static void
load_threads (TbPeaksCalls *self, TbSelection *selection)
{
  tb_session_get_threads (tb_trace_get_session (self->trace), &self->n_threads);
  self->has_thread = g_malloc0 (self->n_threads + 1);
  self->has_all = TRUE;
  for (guint32 i = 0; i < self->n_threads; i++)
    {
      self->has_thread[i] = tb_selection_has_thread (selection, i);
      self->has_all &= i == TB_THREAD_IDLE || self->has_thread[i];
    }
}

/* Removes inferred functions that are also probed. */
static void
drop_probed_duplicates (TbPeaksCalls *self)
{
  g_autoptr (GHashTable) probed = g_hash_table_new (g_str_hash, g_str_equal);

  for (guint i = 0; i < self->operations->len; i++)
    {
      const TbPeaksOperation *operation = g_ptr_array_index (self->operations, i);

      if (operation->kind == TB_PEAKS_FUNCTION)
        g_hash_table_add (probed, operation->id);
    }
  for (guint i = self->operations->len; i-- > 0;)
    {
      const TbPeaksOperation *operation = g_ptr_array_index (self->operations, i);

      if (operation->kind == TB_PEAKS_INFERRED && g_hash_table_contains (probed, operation->id))
        g_ptr_array_remove_index (self->operations, i);
    }
}

gboolean
tb_peaks_calls_count (TbPeaksCalls *self, guint kinds, GCancellable *cancellable, GError **error)
{
  for (guint kind = 0; kind < TB_N_PEAKS_KINDS; kind++)
    {
      TbPeaksTable *table = &self->tables[kind];

      if (!(kinds & (1u << kind)) || table->is_counted)
        continue;
      table->is_counted = TRUE;
      if (!load_table (self, kind, cancellable, error) || !match_call_path (self, table, error)
          || !count_table (self, table, cancellable, error))
        return FALSE;
    }
  drop_probed_duplicates (self);
  g_ptr_array_sort (self->operations, compare_operations);
  return TRUE;
}

TbPeaksCalls *
tb_peaks_calls_new (TbTrace *trace,
                    TbSelection *selection,
                    guint resolution,
                    guint kinds,
                    GCancellable *cancellable,
                    GError **error)
{
  const TbPeaksFilter filter = { "", "" };

  return tb_peaks_calls_new_filtered (trace, selection, &filter, resolution, kinds, cancellable,
                                      error);
}

TbPeaksCalls *
tb_peaks_calls_new_filtered (TbTrace *trace,
                             TbSelection *selection,
                             const TbPeaksFilter *filter,
                             guint resolution,
                             guint kinds,
                             GCancellable *cancellable,
                             GError **error)
{
  g_autoptr (TbPeaksCalls) self = g_new0 (TbPeaksCalls, 1);

  self->trace = g_object_ref (trace);
  self->selection = g_object_ref (selection);
  self->operations = g_ptr_array_new_with_free_func (operation_free);
  self->probed = tb_peaks_read_probed (tb_trace_get_session (trace));
  tb_selection_get_range (selection, &self->from, &self->to);
  tb_peaks_bins_init (&self->bins, resolution);
  load_threads (self, selection);
  if (*filter->phase != '\0'
      && (self->phases = tb_peaks_phases_new (trace, filter->phase, error)) == NULL)
    return NULL;
  if (!load_lost (self, error) || !load_table (self, TB_PEAKS_SYSCALL, cancellable, error)
      || !load_table (self, TB_PEAKS_FUNCTION, cancellable, error)
      || !load_table (self, TB_PEAKS_BLOCK, cancellable, error)
      || (*filter->call_path != '\0'
          && (self->call_path = tb_peaks_call_path_new (self, filter->call_path, error)) == NULL)
      || !tb_peaks_calls_count (self, kinds, cancellable, error))
    return NULL;
  return g_steal_pointer (&self);
}

void
tb_peaks_calls_free (TbPeaksCalls *self)
{
  for (guint kind = 0; kind < TB_N_PEAKS_KINDS; kind++)
    {
      TbPeaksTable *table = &self->tables[kind];

      g_free (table->keys);
      for (guint i = 0; i < G_N_ELEMENTS (table->columns); i++)
        g_clear_pointer (&table->columns[i], g_bytes_unref);
      for (guint i = 0; i < G_N_ELEMENTS (table->derived); i++)
        g_clear_pointer (&table->derived[i], g_array_unref);
      g_free (table->call_path);
      g_free (table->probes_ns);
      g_free (table->n_probed);
      g_clear_pointer (&table->names, g_ptr_array_unref);
      g_clear_pointer (&table->visible_from, g_array_unref);
    }
  g_clear_pointer (&self->call_path, tb_peaks_call_path_free);
  g_clear_pointer (&self->lost, g_array_unref);
  g_clear_pointer (&self->operations, g_ptr_array_unref);
  g_clear_pointer (&self->probed, g_hash_table_unref);
  g_clear_pointer (&self->phases, tb_peaks_phases_free);
  g_clear_object (&self->selection);
  g_clear_object (&self->trace);
  g_free (self->has_thread);
  g_free (self);
}

/* Names of some operations, for the error about an unknown one. */
static char *
list_candidates (TbPeaksCalls *self)
{
  GString *text = g_string_new (NULL);

  for (guint i = 0; i < self->operations->len && i < 8; i++)
    g_string_append_printf (text, "%s%s", i > 0 ? ", " : "",
                            ((TbPeaksOperation *) g_ptr_array_index (self->operations, i))->id);
  if (self->operations->len > 8)
    g_string_append (text, ", …");
  return g_string_free (text, FALSE);
}

guint
tb_peaks_get_kinds (const char *name)
{
  guint kinds = 0;

  for (guint kind = 0; kind < TB_N_PEAKS_KINDS; kind++)
    {
      gsize length = strlen (kind_names[kind]);

      if (strncmp (name, kind_names[kind], length) == 0 && name[length] == ':')
        kinds |= 1u << kind;
    }
  return kinds;
}

/* Quality of a name match: 2 for the id or the name alone, 1 for the name of a function without its
 * module or with its path, 0 for no match. */
static guint
match (const TbPeaksOperation *operation, const char *name)
{
  const char *alone = strchr (operation->id, ':') + 1;
  gsize prefix = (gsize) (alone - operation->id);

  if (g_str_equal (operation->id, name) || g_str_equal (alone, name))
    return 2;
  if (operation->kind != TB_PEAKS_FUNCTION && operation->kind != TB_PEAKS_INFERRED)
    return 0;
  return tb_peaks_is_same_function (alone, strncmp (name, operation->id, prefix) == 0
                                               ? name + prefix
                                               : name);
}

/* The best match of the earliest kind; NULL, with error if several of one kind match equally
 * well. */
static const TbPeaksOperation *
find_operation (const TbPeaksCalls *self, const char *name, GError **error)
{
  const TbPeaksOperation *found = NULL, *other = NULL;
  guint best = 1;

  for (guint i = 0; i < self->operations->len; i++)
    {
      const TbPeaksOperation *operation = g_ptr_array_index (self->operations, i);
      guint how = match (operation, name);

      if (how < best || (found != NULL && how == best && operation->kind > found->kind))
        continue;
      other = found != NULL && how == best && operation->kind == found->kind ? found : NULL;
      found = operation;
      best = how;
    }
  if (other == NULL)
    return found;
  g_set_error (error, G_IO_ERROR, G_IO_ERROR_NOT_FOUND,
               _ ("ambiguous operation “%s”: use %s or "
                  "%s"),
               name, other->id, found->id);
  return NULL;
}

const TbPeaksOperation *
tb_peaks_calls_find (TbPeaksCalls *self,
                     const char *name,
                     GCancellable *cancellable,
                     GError **error)
{
  guint kinds = tb_peaks_get_kinds (name);
  g_autofree char *candidates = NULL;
  GError *local_error = NULL;

  /* Recorded kinds are searched before derived ones. */
  for (guint kind = 0; kind < TB_N_PEAKS_KINDS; kind++)
    {
      const TbPeaksOperation *found;

      if (kinds != 0 && !(kinds & (1u << kind)))
        continue;
      if (!tb_peaks_calls_count (self, 1u << kind, cancellable, error))
        return NULL;
      found = find_operation (self, name, &local_error);
      if (local_error != NULL)
        {
          g_propagate_error (error, local_error);
          return NULL;
        }
      if (found != NULL)
        return found;
    }
  if (!tb_peaks_calls_count (self, TB_PEAKS_ALL_KINDS, cancellable, error))
    return NULL;
  candidates = list_candidates (self);
  if (self->call_path != NULL)
    {
      g_autofree char *call_path
          = g_strjoinv (" → ", (char **) tb_peaks_call_path_get_functions (self->call_path));

      g_set_error (error, G_IO_ERROR, G_IO_ERROR_NOT_FOUND,
                   _ ("no call of “%s” in that range is known to have come through %s"), name,
                   call_path);
    }
  else if (self->operations->len == 0)
    g_set_error (error, G_IO_ERROR, G_IO_ERROR_NOT_FOUND,
                 _ ("unknown operation “%s”: the recording has no operation in that range; record "
                    "system calls, block requests or probed functions"),
                 name);
  else
    g_set_error (error, G_IO_ERROR, G_IO_ERROR_NOT_FOUND,
                 _ ("unknown operation “%s”: the recording has %s in that range"), name,
                 candidates);
  return NULL;
}

GArray *
tb_peaks_calls_list (const TbPeaksCalls *self, const TbPeaksOperation *operation)
{
  const TbPeaksTable *table = &self->tables[operation->kind];
  GArray *rows = g_array_sized_new (FALSE, FALSE, sizeof (guint32), (guint) operation->calls);

  for (gsize row = 0; row < table->n; row++)
    if (tb_peaks_table_get_key (table, row) == operation->key && table->enter[row] != TB_TIME_NONE
        && table->exit[row] != TB_TIME_NONE && is_in_range (self, table, row)
        && (operation->without_latency == 0 || table->enter[row] < table->exit[row]))
      {
        guint32 value = (guint32) row;

        g_array_append_val (rows, value);
      }
  return rows;
}

GArray *
tb_peaks_calls_find_peaks (const TbPeaksCalls *self, const TbPeaksOperation *operation)
{
  g_autoptr (TbPeaksHistogram) seen = NULL;
  guint first = operation->visible_from > 0
                    ? tb_peaks_bins_find (&self->bins, operation->visible_from) + 1
                    : 0;

  if (first == 0)
    return tb_peaks_find_in_histogram (operation->histogram, &self->bins);
  seen = tb_peaks_histogram_new (&self->bins);
  for (guint bin = first; bin < self->bins.n; bin++)
    seen->counts[bin] = operation->histogram->counts[bin];
  if (seen->fine != NULL)
    memcpy (seen->fine + (gsize) first * self->bins.parts,
            operation->histogram->fine + (gsize) first * self->bins.parts,
            (gsize) (self->bins.n - first) * self->bins.parts * sizeof *seen->fine);
  return tb_peaks_find_in_histogram (seen, &self->bins);
}

const TbPeaksOperation *
tb_peaks_calls_add_empty (TbPeaksCalls *self, const char *id)
{
  TbPeaksOperation *operation = g_new0 (TbPeaksOperation, 1);

  operation->id = g_strdup (id);
  operation->histogram = tb_peaks_histogram_new (&self->bins);
  g_ptr_array_add (self->operations, operation);
  return operation;
}

const TbPeaksOperation *
tb_peaks_calls_add_part (TbPeaksCalls *self, const TbPeaksOperation *operation, const GArray *rows)
{
  const TbPeaksTable *table = &self->tables[operation->kind];
  TbPeaksOperation *part = g_new0 (TbPeaksOperation, 1);

  part->kind = operation->kind;
  part->key = operation->key;
  part->id = g_strdup (operation->id);
  part->visible_from = operation->visible_from;
  part->histogram = tb_peaks_histogram_new (&self->bins);
  for (guint i = 0; i < rows->len; i++)
    count_row (self, table, g_array_index (rows, guint32, i), part);
  g_ptr_array_add (self->operations, part);
  return part;
}
