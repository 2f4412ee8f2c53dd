/* tb-peaks-call-path.c: test of calls against a required call path, such as main/serve/read:
 * whether a stack of the call, of a wait or sample in it, else the probed functions around it show
 * these functions
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#include "config.h"

#include <glib/gi18n.h>
#include <string.h>

#include "latency-state/tb-peaks-function-names.h"
#include "tb-peaks-spans.h"
#include "tb-peaks-call-path.h"
#include "trace/tb-context-tree.h"

/* Maximum number of intervals of a call that are searched for a stack. */
#define MAX_INTERVALS 64

struct _TbPeaksCallPath
{
  TbPeaksCalls *calls;
  TbContextTree *contexts;
  char **functions;
  guint n; /* number of functions */
  /* by context: number of functions of the path that its callers pass through, in order */
  guint8 *reached;
  guint64 *bits;     /* by function of the tree: the functions of the path that it matches */
  guint8 *is_broken; /* by stack: its outermost frames are missing */
  guint32 n_stacks;
  TbPeaksSamples samples;
  TbPeaksIndex probed; /* calls of functions, by thread and begin */
  guint32 *outer;      /* by row of probed: row of the call that contains it, TB_ID_NONE if none */
  /* by row of probed: number of functions of the path that are certainly passed, including the call
   * itself */
  guint8 *n_passed;
  /* the same, counting only functions that are probed: all their calls are recorded */
  guint8 *n_passed_probed;
  guint64 all_probed; /* the functions of the path that are probed */
};

/* The stack recorded with a call of a probed function may end with its caller. */
#define PARTIAL_STACK 2

/* --- functions and stacks --- */

static char **
split (const char *path)
{
  const char *arrow = "→";
  g_auto (GStrv) parts = g_strsplit (path, strstr (path, arrow) != NULL ? arrow : "/", -1);
  GPtrArray *functions = g_ptr_array_new ();

  for (guint i = 0; parts[i] != NULL; i++)
    if (*g_strstrip (parts[i]) != '\0')
      g_ptr_array_add (functions, g_strdup (parts[i]));
  g_ptr_array_add (functions, NULL);
  return (char **) g_ptr_array_free (functions, FALSE);
}

/* The functions of the path that a name matches, as bits. */
static guint64
match (const TbPeaksCallPath *self, const char *name)
{
  guint64 bits = 0;

  for (guint i = 0; i < self->n; i++)
    if (tb_peaks_is_same_function (self->functions[i], name))
      bits |= G_GUINT64_CONSTANT (1) << i;
  return bits;
}

static guint8
advance (const TbPeaksCallPath *self, guint8 reached, guint64 bits)
{
  return reached < self->n && (bits & (G_GUINT64_CONSTANT (1) << reached)) ? reached + 1 : reached;
}

/* As advance(), counting only functions that are probed. */
static guint8
advance_probed (const TbPeaksCallPath *self, guint8 reached, guint64 bits)
{
  guint8 place = 0;

  for (guint i = 0; i < self->n; i++)
    if (self->all_probed & (G_GUINT64_CONSTANT (1) << i))
      {
        if (place == reached)
          return bits & (G_GUINT64_CONSTANT (1) << i) ? reached + 1 : reached;
        place++;
      }
  return reached;
}

/* Parents precede their children. */
static void
follow_contexts (TbPeaksCallPath *self)
{
  guint n_nodes = tb_context_tree_get_n_nodes (self->contexts);
  guint n_functions = tb_context_tree_get_n_functions (self->contexts);
  g_autofree guint8 *is_known = g_malloc0 (n_functions + 1);

  self->bits = g_new0 (guint64, n_functions + 1);
  self->reached = g_malloc0 (n_nodes + 1);
  for (guint32 i = 1; i < n_nodes; i++)
    {
      guint32 function = tb_context_tree_get_function (self->contexts, i);
      TbContextNode node;

      tb_context_tree_get_node (self->contexts, i, &node);
      if (!is_known[function])
        {
          g_autofree char *name = *node.module != '\0'
                                      ? g_strdup_printf ("%s@%s", node.function, node.module)
                                      : g_strdup (node.function);

          is_known[function] = TRUE;
          self->bits[function] = match (self, name);
        }
      self->reached[i] = advance (self, self->reached[node.parent], self->bits[function]);
    }
}

static gboolean
find_broken (TbPeaksCallPath *self, GError **error)
{
  TbTable *table = tb_session_get_table (tb_trace_get_session (self->calls->trace), TB_TABLE_STACK);
  g_autoptr (GBytes) parents = tb_table_get_column (table, TB_STACK_PARENT, error);
  g_autoptr (GBytes) flags
      = parents != NULL ? tb_table_get_column (table, TB_STACK_FLAGS, error) : NULL;
  const guint32 *parent;
  const guint8 *flag;

  if (flags == NULL)
    return FALSE;
  parent = g_bytes_get_data (parents, NULL);
  flag = g_bytes_get_data (flags, NULL);
  self->n_stacks = (guint32) g_bytes_get_size (flags);
  self->is_broken = g_malloc0 (self->n_stacks + 1);
  for (guint32 i = 1; i < self->n_stacks; i++)
    self->is_broken[i]
        = (flag[i] & TB_STACK_BROKEN) != 0 || (parent[i] < i && self->is_broken[parent[i]]);
  return TRUE;
}

/* The answer of a stack: a broken stack that lacks functions of the path leaves it unknown. */
static TbPeaksCallPathMatch
get_stack_match (const TbPeaksCallPath *self, guint8 reached, guint32 stack)
{
  if (reached >= self->n)
    return TB_PEAKS_CALL_PATH_MATCHES;
  return stack < self->n_stacks && self->is_broken[stack] ? TB_PEAKS_CALL_PATH_UNKNOWN
                                                          : TB_PEAKS_CALL_PATH_DIFFERS;
}

/* --- a call --- */

/* The rows of a table with their stacks and names, to find the part of a stack above a call. */
typedef struct
{
  const TbPeaksTable *table;
  const guint32 *stacks; /* by origin; NULL if none */
  guint64 *own;          /* by key: functions of the path that the operation itself matches */
  char **names;          /* by key: names of functions; NULL if the table has no functions */
} Source;

static guint8
get_reached (const TbPeaksCallPath *self, guint32 stack, guint64 own)
{
  return advance (self, self->reached[tb_context_tree_find (self->contexts, stack)], own);
}

/* The part of a stack above the call in which it was recorded: above the outermost frame of a
 * function, or above the kernel frames of a system call. FALSE: the stack does not lead through the
 * call. */
static gboolean
cut_stack (const TbPeaksCallPath *self, const char *function, guint32 stack, guint8 *reached)
{
  guint32 context = tb_context_tree_find (self->contexts, stack);
  gboolean is_found = FALSE;

  for (; context != 0; context = tb_context_tree_get_parent (self->contexts, context))
    {
      TbContextNode node;

      tb_context_tree_get_node (self->contexts, context, &node);
      if (function != NULL ? g_str_equal (function, node.function) : !node.kernel)
        {
          *reached = self->reached[context];
          is_found = TRUE;
          if (function == NULL)
            break;
        }
    }
  return is_found;
}

/* The stack of the first wait within a time range of a thread; TB_STACK_NONE if none. */
static guint32
find_stack_of_wait (const TbPeaksCallPath *self, guint32 thread, gint64 enter, gint64 exit)
{
  TbTrace *trace = self->calls->trace;
  const TbIntervals *intervals = tb_trace_get_intervals (trace);
  gssize at = thread < self->calls->n_threads ? tb_trace_find_interval (trace, thread, enter) : -1;

  for (gsize i = (gsize) at; at >= 0 && i < intervals->n && i < (gsize) at + MAX_INTERVALS; i++)
    {
      if (intervals->thread[i] != thread || intervals->start[i] > exit)
        break;
      if (intervals->start[i] >= enter && intervals->stack[i] != TB_STACK_NONE)
        return intervals->stack[i];
    }
  return TB_STACK_NONE;
}

/* The stack of the first sample within a time range of a thread; TB_STACK_NONE if none. */
static guint32
find_stack_of_sample (const TbPeaksCallPath *self, guint32 thread, gint64 enter, gint64 exit)
{
  const TbPeaksSamples *samples = &self->samples;
  gsize low, high;

  if (samples->index.first == NULL || thread >= self->calls->n_threads)
    return TB_STACK_NONE;
  low = samples->index.first[thread];
  high = samples->index.first[thread + 1];
  while (low < high)
    {
      gsize middle = low + (high - low) / 2;

      if (samples->time[samples->index.rows[middle]] < enter)
        low = middle + 1;
      else
        high = middle;
    }
  return low < samples->index.first[thread + 1] && samples->time[samples->index.rows[low]] <= exit
             ? samples->stack[samples->index.rows[low]]
             : TB_STACK_NONE;
}

/* The innermost call of a probed function that contains a time range of a thread; TB_ID_NONE if
 * none. */
static guint32
find_outer (const TbPeaksCallPath *self, guint32 thread, gint64 enter, gint64 exit)
{
  const TbPeaksTable *functions = &self->calls->tables[TB_PEAKS_FUNCTION];
  gsize first, low, high;
  guint32 row;

  if (self->probed.first == NULL || thread >= self->calls->n_threads)
    return TB_ID_NONE;
  first = low = self->probed.first[thread];
  high = self->probed.first[thread + 1];
  while (low < high)
    {
      gsize middle = low + (high - low) / 2;

      if (functions->enter[self->probed.rows[middle]] <= enter)
        low = middle + 1;
      else
        high = middle;
    }
  row = low > first ? self->probed.rows[low - 1] : TB_ID_NONE;
  while (row != TB_ID_NONE && functions->exit[row] != TB_TIME_NONE && functions->exit[row] < exit)
    row = self->outer[row];
  return row;
}

/* The answer from the probed functions that contain a call. */
static TbPeaksCallPathMatch
match_outer_calls (const TbPeaksCallPath *self, const Source *source, guint32 row)
{
  const TbPeaksTable *table = source->table;
  guint64 own = source->own[tb_peaks_table_get_key (table, row)];
  guint8 reached = 0, n_passed_probed = 0;

  if (table->kind == TB_PEAKS_FUNCTION)
    {
      reached = self->n_passed[row];
      n_passed_probed = self->n_passed_probed[row];
    }
  else
    {
      guint32 outer = find_outer (self, table->thread[row], table->enter[row], table->exit[row]);

      reached = advance (self, outer != TB_ID_NONE ? self->n_passed[outer] : 0, own);
      n_passed_probed = outer != TB_ID_NONE ? self->n_passed_probed[outer] : 0;
    }
  if (reached >= self->n)
    return TB_PEAKS_CALL_PATH_MATCHES;
  return n_passed_probed < __builtin_popcountll (self->all_probed) ? TB_PEAKS_CALL_PATH_DIFFERS
                                                                   : TB_PEAKS_CALL_PATH_UNKNOWN;
}

/* The answer from the call's own stack. */
static TbPeaksCallPathMatch
match_stack (const TbPeaksCallPath *self, const Source *source, guint32 stack, guint32 key)
{
  guint32 context = tb_context_tree_find (self->contexts, stack);
  TbContextNode node;

  if (stack == TB_STACK_NONE)
    return TB_PEAKS_CALL_PATH_UNKNOWN;
  tb_context_tree_get_node (self->contexts, context, &node);
  if (source->table->kind == TB_PEAKS_FUNCTION && node.depth <= PARTIAL_STACK)
    return TB_PEAKS_CALL_PATH_UNKNOWN;
  return get_stack_match (self, get_reached (self, stack, source->own[key]), stack);
}

static TbPeaksCallPathMatch
match_call (const TbPeaksCallPath *self, const Source *source, guint32 row)
{
  const TbPeaksTable *table = source->table;
  guint32 key = tb_peaks_table_get_key (table, row), thread = table->thread[row];
  gint64 enter = table->enter[row], exit = table->exit[row];
  guint32 origin = table->origin != NULL ? table->origin[row] : row;
  TbPeaksCallPathMatch found;
  guint32 seen[2] = { TB_STACK_NONE, TB_STACK_NONE };

  if (table->kind == TB_PEAKS_INFERRED)
    return self->reached[origin] >= self->n ? TB_PEAKS_CALL_PATH_MATCHES
                                            : TB_PEAKS_CALL_PATH_DIFFERS;
  found = source->stacks != NULL ? match_stack (self, source, source->stacks[origin], key)
                                 : TB_PEAKS_CALL_PATH_UNKNOWN;
  if (found != TB_PEAKS_CALL_PATH_UNKNOWN)
    return found;
  if (enter == TB_TIME_NONE || exit == TB_TIME_NONE)
    return TB_PEAKS_CALL_PATH_UNKNOWN;
  seen[0] = find_stack_of_wait (self, thread, enter, exit);
  seen[1] = find_stack_of_sample (self, thread, enter, exit);
  for (guint i = 0; i < G_N_ELEMENTS (seen); i++)
    {
      guint8 reached;

      if (seen[i] == TB_STACK_NONE
          || !cut_stack (self, source->names != NULL ? source->names[key] : NULL, seen[i],
                         &reached))
        continue;
      found = get_stack_match (self, advance (self, reached, source->own[key]), seen[i]);
      if (found != TB_PEAKS_CALL_PATH_UNKNOWN)
        return found;
    }
  return match_outer_calls (self, source, row);
}

/* --- probed functions --- */

/* Adds the caller of a probed function to the path if only the caller is known. Nothing is added if
 * the caller itself is probed. */
static guint8
add_caller (const TbPeaksCallPath *self, const Source *source, guint32 row, guint8 n_passed)
{
  guint32 outer = self->outer[row], stack = source->stacks[row], context, caller;
  TbContextNode node;

  if (stack == TB_STACK_NONE)
    return n_passed;
  context = tb_context_tree_find (self->contexts, stack);
  tb_context_tree_get_node (self->contexts, context, &node);
  if (node.depth > PARTIAL_STACK)
    return MAX (n_passed, self->reached[context]);
  /* The innermost frame is the function itself, unless the stack was taken in its caller. */
  caller = g_strcmp0 (node.function, source->names[source->table->key[row]]) == 0 ? node.parent
                                                                                  : context;
  if (caller == 0)
    return n_passed;
  tb_context_tree_get_node (self->contexts, caller, &node);
  if (outer != TB_ID_NONE
      && g_strcmp0 (node.function, source->names[source->table->key[outer]]) == 0)
    return n_passed;
  return advance (self, n_passed,
                  self->bits[tb_context_tree_get_function (self->contexts, caller)]);
}

static void
follow_probed (TbPeaksCallPath *self, const Source *source)
{
  const TbPeaksTable *table = source->table;
  guint n_threads = self->calls->n_threads;

  tb_peaks_index_init (&self->probed, table->thread, NULL, table->n, NULL, n_threads);
  self->outer = g_new (guint32, table->n + 1);
  self->n_passed = g_malloc0 (table->n + 1);
  self->n_passed_probed = g_malloc0 (table->n + 1);
  for (gsize row = 0; row < table->n; row++)
    self->all_probed |= source->own[table->key[row]] & ~(G_GUINT64_CONSTANT (1) << 63);
  for (guint thread = 0; thread < n_threads; thread++)
    {
      guint32 *rows = self->probed.rows + self->probed.first[thread];
      gsize n = self->probed.first[thread + 1] - self->probed.first[thread];
      guint32 open = TB_ID_NONE;

      tb_peaks_sort_rows (table, rows, n);
      for (gsize i = 0; i < n; i++)
        {
          guint32 row = rows[i];
          guint64 own = source->own[table->key[row]];

          while (open != TB_ID_NONE && table->exit[open] != TB_TIME_NONE
                 && table->exit[open] < table->exit[row])
            open = self->outer[open];
          self->outer[row] = open;
          self->n_passed[row]
              = add_caller (self, source, row, open != TB_ID_NONE ? self->n_passed[open] : 0);
          self->n_passed[row] = advance (self, self->n_passed[row], own);
          self->n_passed_probed[row]
              = advance_probed (self, open != TB_ID_NONE ? self->n_passed_probed[open] : 0, own);
          open = row;
        }
    }
}

/* --- tables --- */

static GBytes *
load_stacks (const TbPeaksCallPath *self, TbPeaksKind kind, GError **error)
{
  static const struct
  {
    TbTableKind table;
    guint column;
  } columns[TB_N_PEAKS_KINDS] = {
    [TB_PEAKS_SYSCALL] = { TB_TABLE_SYSCALL, TB_SYSCALL_STACK },
    [TB_PEAKS_FUNCTION] = { TB_TABLE_CALL, TB_CALL_STACK },
    [TB_PEAKS_BLOCK] = { TB_TABLE_BLOCK, TB_BLOCK_STACK },
    [TB_PEAKS_NETWORK] = { TB_TABLE_NETWORK, TB_NETWORK_STACK },
  };

  return tb_table_get_column (tb_session_get_table (tb_trace_get_session (self->calls->trace),
                                                    columns[kind].table),
                              columns[kind].column, error);
}

/* The names of keys: for probed functions the names used in stacks, for others those of the
 * operations. */
static void
source_init (Source *source, const TbPeaksCallPath *self, const TbPeaksTable *table)
{
  TbSession *session = tb_trace_get_session (self->calls->trace);
  guint n = table->names != NULL ? table->names->len
            : table->key != NULL ? tb_session_get_n_strings (session)
                                 : 256;

  source->table = table;
  source->own = g_new0 (guint64, n + 1);
  source->names = table->kind == TB_PEAKS_FUNCTION ? g_new0 (char *, n + 1) : NULL;
  for (gsize row = 0; row < table->n && table->names == NULL && table->key != NULL; row++)
    {
      guint32 key = table->key[row];
      g_autofree char *module = NULL;

      if (key >= n || (source->own[key] & (G_GUINT64_CONSTANT (1) << 63)))
        continue;
      if (source->names != NULL)
        source->names[key]
            = tb_peaks_split_function (tb_session_get_string (session, key), &module);
      source->own[key]
          = match (self, tb_session_get_string (session, key)) | (G_GUINT64_CONSTANT (1) << 63);
    }
}

static void
source_clear (Source *source, guint n_names)
{
  for (guint i = 0; source->names != NULL && i < n_names; i++)
    g_free (source->names[i]);
  g_free (source->names);
  g_free (source->own);
}

static void
use_interval_stacks (const TbPeaksCallPath *self, Source *source, guint32 **woken_stacks)
{
  const TbIntervals *intervals = tb_trace_get_intervals (self->calls->trace);

  source->stacks = intervals->stack;
  if (source->table->kind != TB_PEAKS_RUN_QUEUE)
    return;
  /* A woken thread has the stack at which it fell asleep. */
  *woken_stacks = g_new (guint32, intervals->n + 1);
  for (gsize i = 0; i < intervals->n; i++)
    (*woken_stacks)[i] = intervals->stack[i] == TB_STACK_NONE && i > 0
                                 && intervals->thread[i - 1] == intervals->thread[i]
                             ? intervals->stack[i - 1]
                             : intervals->stack[i];
  source->stacks = *woken_stacks;
}

guint8 *
tb_peaks_call_path_match (TbPeaksCallPath *self, const TbPeaksTable *table, GError **error)
{
  guint n_names = tb_session_get_n_strings (tb_trace_get_session (self->calls->trace));
  g_autofree guint32 *woken_stacks = NULL;
  g_autoptr (GBytes) stacks = NULL;
  guint8 *answers;
  Source source = { 0 };

  switch (table->kind)
    {
    case TB_PEAKS_SYSCALL:
    case TB_PEAKS_FUNCTION:
    case TB_PEAKS_BLOCK:
    case TB_PEAKS_NETWORK:
      stacks = load_stacks (self, table->kind, error);
      if (stacks == NULL)
        return NULL;
      source.stacks = g_bytes_get_data (stacks, NULL);
      source_init (&source, self, table);
      break;
    case TB_PEAKS_LOCK:
    case TB_PEAKS_RUN_QUEUE:
      source_init (&source, self, table);
      use_interval_stacks (self, &source, &woken_stacks);
      break;
    default:
      source_init (&source, self, table);
    }
  if (table->kind == TB_PEAKS_FUNCTION && table->n > 0 && self->outer == NULL)
    follow_probed (self, &source);
  answers = g_malloc0 (table->n + 1);
  for (guint32 row = 0; row < table->n; row++)
    answers[row] = (guint8) match_call (self, &source, row);
  source_clear (&source, n_names);
  return answers;
}

TbPeaksCallPath *
tb_peaks_call_path_new (TbPeaksCalls *calls, const char *path, GError **error)
{
  g_autoptr (TbPeaksCallPath) self = g_new0 (TbPeaksCallPath, 1);

  self->calls = calls;
  self->functions = split (path);
  self->n = g_strv_length (self->functions);
  if (self->n == 0 || self->n > TB_PEAKS_MAX_CALL_PATH)
    {
      g_set_error (error, G_IO_ERROR, G_IO_ERROR_INVALID_ARGUMENT,
                   _ ("invalid call path “%s”: use 1 to %u functions, such as main/serve/read"),
                   path, TB_PEAKS_MAX_CALL_PATH);
      return NULL;
    }
  self->contexts = tb_trace_get_context_tree (calls->trace);
  follow_contexts (self);
  if (!find_broken (self, error)
      || !tb_peaks_samples_init (&self->samples, tb_trace_get_session (calls->trace), NULL,
                                 calls->n_threads, error))
    return NULL;
  return g_steal_pointer (&self);
}

void
tb_peaks_call_path_free (TbPeaksCallPath *self)
{
  tb_peaks_samples_clear (&self->samples);
  tb_peaks_index_clear (&self->probed);
  g_clear_object (&self->contexts);
  g_strfreev (self->functions);
  g_free (self->reached);
  g_free (self->bits);
  g_free (self->is_broken);
  g_free (self->outer);
  g_free (self->n_passed);
  g_free (self->n_passed_probed);
  g_free (self);
}

const char *const *
tb_peaks_call_path_get_functions (const TbPeaksCallPath *self)
{
  return (const char *const *) self->functions;
}
