/* tb-wait-short-lived.c: search for groups of short-lived threads that one creator starts again and
 * again with one entry function, such as those of a shell script
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The paper's short-term threads (3.3). For the virtual nodes that replace them, see
 * tb-wait-virtual-nodes.c.
 */

#include "config.h"

#include "tb-wait-short-lived.h"
#include "tb-wait-broken-stacks.h"

#include <string.h>

#include "trace/tb-context-tree.h"

/* --- short-lived threads --- */

/* By thread. */
typedef struct
{
  guint32 *creator; /* TB_ID_NONE: unknown */
  guint8 *is_short;
  guint32 *depth; /* of short-lived threads: how many of their ancestors are short-lived, too */
  TbWaitBrokenStacks broken_stacks;
} Candidates;

static void
candidates_clear (Candidates *self)
{
  g_free (self->creator);
  g_free (self->is_short);
  g_free (self->depth);
  tb_wait_broken_stacks_clear (&self->broken_stacks);
}

G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC (Candidates, candidates_clear)

static gboolean
find_creators (TbWaitModel *model, Candidates *self, GError **error)
{
  TbTable *table = tb_session_get_table (tb_trace_get_session (model->trace), TB_TABLE_PROCESS);
  gsize n = tb_table_get_n_rows (table);
  g_autoptr (GBytes) kinds = NULL;
  g_autoptr (GBytes) threads = NULL;
  g_autoptr (GBytes) creators = NULL;

  self->creator = g_new (guint32, model->n_threads + 1);
  memset (self->creator, 0xff, sizeof (guint32) * (model->n_threads + 1));
  if (n == 0)
    return TRUE;
  kinds = tb_table_get_column (table, TB_PROCESS_KIND, error);
  threads = kinds != NULL ? tb_table_get_column (table, TB_PROCESS_THREAD, error) : NULL;
  creators = threads != NULL ? tb_table_get_column (table, TB_PROCESS_CREATOR, error) : NULL;
  if (creators == NULL)
    return FALSE;
  for (gsize i = 0; i < n; i++)
    {
      guint32 thread = ((const guint32 *) g_bytes_get_data (threads, NULL))[i];
      guint32 creator = ((const guint32 *) g_bytes_get_data (creators, NULL))[i];

      if (((const guint8 *) g_bytes_get_data (kinds, NULL))[i] == TB_PROCESS_FORK
          && thread < model->n_threads && creator < model->n_threads && creator != TB_THREAD_IDLE)
        self->creator[thread] = creator;
    }
  return TRUE;
}

static void
find_short (TbWaitModel *model, Candidates *self)
{
  guint n_threads;
  const TbThread *threads
      = tb_session_get_threads (tb_trace_get_session (model->trace), &n_threads);

  self->is_short = g_new0 (guint8, model->n_threads + 1);
  for (guint32 i = 1; i < n_threads; i++)
    self->is_short[i] = self->creator[i] != TB_ID_NONE && threads[i].start != TB_TIME_NONE
                        && threads[i].end != TB_TIME_NONE && threads[i].start >= model->from
                        && threads[i].end <= model->to
                        && threads[i].end - threads[i].start < (model->to - model->from) / 2
                        && tb_wait_model_get_node (model, i)->first != TB_TIME_NONE;
}

/* --- entry functions --- */

/* The file of a function without a symbol, which is shown as "libc.so.6+0x1f"; NULL: it has a
 * symbol. */
static char *
find_file (const char *function)
{
  const char *plus = strrchr (function, '+');

  if (plus == NULL || plus == function || plus[1] != '0' || plus[2] != 'x' || plus[3] == '\0')
    return NULL;
  for (const char *digit = plus + 3; *digit != '\0'; digit++)
    if (!g_ascii_isxdigit (*digit))
      return NULL;
  return g_strndup (function, (gsize) (plus - function));
}

/* Whether a file is the kernel, or starts threads or programs. */
static gboolean
is_system (const char *file)
{
  static const char *const files[]
      = { "libc.", "libc-", "libpthread.", "libpthread-", "ld-", "ld.", "ld64." };

  if (file[0] == '[')
    return TRUE;
  for (guint i = 0; i < G_N_ELEMENTS (files); i++)
    if (g_str_has_prefix (file, files[i]))
      return TRUE;
  return FALSE;
}

/* Whether a function is part of a thread's start, before any function of the program. */
static gboolean
is_start (const char *function)
{
  static const char *const starts[]
      = { "clone",  "clone3",        "__clone",           "__clone3", "start_thread",
          "_start", "ret_from_fork", "ret_from_fork_asm", "kthread",  "thread_start",
          NULL };
  g_autofree char *file = find_file (function);

  return g_strv_contains (starts, function) || (file != NULL && is_system (file));
}

/* The outermost function of the program in a thread's stacks; NULL: none is known. A truncated
 * stack does not show where the thread began. */
static char *
find_entry (TbWaitModel *model, const TbWaitBrokenStacks *broken_stacks, guint32 thread)
{
  const TbIntervals *rows = tb_trace_get_intervals (model->trace);
  gsize first, n;

  tb_trace_get_thread_intervals (model->trace, thread, &first, &n);
  for (gsize i = first; i < first + n; i++)
    {
      g_auto (GStrv) functions = NULL;

      if (rows->stack[i] == TB_STACK_NONE
          || tb_wait_broken_stacks_contain (broken_stacks, rows->stack[i]))
        continue;
      functions = tb_trace_get_stack_functions (model->trace, rows->stack[i]);
      for (guint j = 0; functions[j] != NULL; j++)
        if (!is_start (functions[j]))
          return g_strdup (functions[j]);
    }
  return NULL;
}

/* Whether threads with this entry function may have nothing else in common. Every program has a
 * main(), and a function without a symbol may be shown by an address in the middle of it. */
static gboolean
needs_name (const char *entry)
{
  g_autofree char *file = find_file (entry);

  return file != NULL || g_str_has_prefix (entry, "0x") || g_str_equal (entry, "main")
         || g_str_equal (entry, "__libc_start_main");
}

/* --- groups --- */

typedef struct
{
  guint32 thread;
  gint64 start;
  guint32 depth;
  char *entry; /* NULL: unknown */
} Born;

static void
born_clear (gpointer data)
{
  g_free (((Born *) data)->entry);
}

/* Creators come before the threads that they create. Of one depth, threads with a known entry
 * function come first. */
static int
compare_born (gconstpointer a, gconstpointer b)
{
  const Born *left = a, *right = b;

  if (left->depth != right->depth)
    return left->depth < right->depth ? -1 : 1;
  if ((left->entry == NULL) != (right->entry == NULL))
    return left->entry == NULL ? 1 : -1;
  if (left->start != right->start)
    return left->start < right->start ? -1 : 1;
  return left->thread < right->thread ? -1 : left->thread > right->thread;
}

static int
compare_starts (gconstpointer a, gconstpointer b)
{
  const Born *left = a, *right = b;

  if (left->start != right->start)
    return left->start < right->start ? -1 : 1;
  return left->thread < right->thread ? -1 : left->thread > right->thread;
}

static GArray *
list_born (TbWaitModel *model, Candidates *self, GCancellable *cancellable, GError **error)
{
  guint n_threads;
  const TbThread *threads
      = tb_session_get_threads (tb_trace_get_session (model->trace), &n_threads);
  g_autoptr (GArray) born = g_array_new (FALSE, FALSE, sizeof (Born));

  g_array_set_clear_func (born, born_clear);
  for (guint32 i = 1; i < n_threads; i++)
    if (self->is_short[i])
      {
        Born of = { .thread = i, .start = threads[i].start };

        if (born->len % 256 == 0 && g_cancellable_set_error_if_cancelled (cancellable, error))
          return NULL;
        of.entry = find_entry (model, &self->broken_stacks, i);
        g_array_append_val (born, of);
      }
  /* A creator is older than the threads that it creates. */
  g_array_sort (born, compare_starts);
  self->depth = g_new0 (guint32, (gsize) model->n_threads + 1);
  for (guint i = 0; i < born->len; i++)
    {
      Born *of = &g_array_index (born, Born, i);
      guint32 creator = self->creator[of->thread];

      of->depth = self->depth[of->thread] = self->is_short[creator] ? self->depth[creator] + 1 : 0;
    }
  g_array_sort (born, compare_born);
  return g_steal_pointer (&born);
}

/* Groups of threads of one depth, before it is known which of them are kept. */
typedef struct
{
  GPtrArray *members;  /* GArray of Born; their entries are not owned */
  GHashTable *of_key;  /* → 1 + index */
  GHashTable *of_name; /* creator and thread name → 1 + index of the only group, SEVERAL */
} Level;

#define SEVERAL G_MAXUINT

static void
level_init (Level *self)
{
  self->members = g_ptr_array_new_with_free_func ((GDestroyNotify) g_array_unref);
  self->of_key = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, NULL);
  self->of_name = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, NULL);
}

static void
level_clear (Level *self)
{
  g_ptr_array_unref (self->members);
  g_hash_table_unref (self->of_key);
  g_hash_table_unref (self->of_name);
}

G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC (Level, level_clear)

/* A merged creator counts as one with all threads with which it is merged. */
static guint64
get_creator (const TbWaitModel *model, const Candidates *self, guint32 thread)
{
  guint32 creator = self->creator[thread], above = model->group_of_thread[creator];

  return above != TB_ID_NONE ? (guint64) above << 32 | G_MAXUINT32 : creator;
}

/* Threads of different programs are never merged, whatever function they begin with. The name is
 * part of the key where the entry function alone, such as main(), does not identify the threads. */
static char *
make_key (guint64 creator, const Born *of, const char *program, const char *name)
{
  if (of->entry != NULL && !needs_name (of->entry))
    return g_strdup_printf ("%" G_GUINT64_FORMAT " %s\n%s", creator, of->entry, program);
  return g_strdup_printf ("%" G_GUINT64_FORMAT " %s\n%s\n%s", creator,
                          of->entry != NULL ? of->entry : "", program, name);
}

/* The entry function of a thread that never slept is unknown. It joins the group of its creator's
 * threads with the same name if there is only one such group. */
static void
add_born (Level *self, const TbWaitModel *model, const Candidates *candidates, const Born *of)
{
  TbSession *session = tb_trace_get_session (model->trace);
  guint n_threads, n_processes;
  const TbThread *threads = tb_session_get_threads (session, &n_threads);
  const TbProcess *processes = tb_session_get_processes (session, &n_processes);
  guint64 creator = get_creator (model, candidates, of->thread);
  const char *name = threads[of->thread].name;
  guint32 process = threads[of->thread].process;
  const char *program = process < n_processes ? processes[process].name : "";
  g_autofree char *key = make_key (creator, of, program, name);
  g_autofree char *named = g_strdup_printf ("%" G_GUINT64_FORMAT " %s\n%s", creator, program, name);
  guint with_name = GPOINTER_TO_UINT (g_hash_table_lookup (self->of_name, named));
  guint index = GPOINTER_TO_UINT (g_hash_table_lookup (self->of_key, key));

  if (of->entry == NULL && index == 0 && with_name != 0 && with_name != SEVERAL)
    index = with_name;
  if (index == 0)
    {
      g_ptr_array_add (self->members, g_array_new (FALSE, FALSE, sizeof (Born)));
      index = self->members->len;
      g_hash_table_insert (self->of_key, g_steal_pointer (&key), GUINT_TO_POINTER (index));
    }
  if (with_name != index)
    g_hash_table_insert (self->of_name, g_steal_pointer (&named),
                         GUINT_TO_POINTER (with_name == 0 ? index : SEVERAL));
  g_array_append_vals (g_ptr_array_index (self->members, index - 1), of, 1);
}

/* Whether the user excludes the group from merging. */
static gboolean
unmerge (TbWaitModel *model, TbWaitUnmerged *unmerged, const GArray *members)
{
  guint n_threads;
  const TbThread *threads
      = tb_session_get_threads (tb_trace_get_session (model->trace), &n_threads);
  guint32 first = g_array_index (members, Born, 0).thread;
  guint32 which = tb_wait_unmerged_find (unmerged, "group", first, threads[first].name);

  for (guint i = 0; which != TB_ID_NONE && i < members->len; i++)
    unmerged->by_thread[g_array_index (members, Born, i).thread] = which;
  return which != TB_ID_NONE;
}

/* A group of one thread is not kept. */
static void
add_groups (TbWaitModel *model,
            const Candidates *self,
            const Level *level,
            TbWaitUnmerged *unmerged)
{
  for (guint i = 0; i < level->members->len; i++)
    {
      GArray *of = g_ptr_array_index (level->members, i);
      TbWaitGroup group = { 0 };
      guint32 above;

      g_array_sort (of, compare_starts);
      if (of->len < 2 || unmerge (model, unmerged, of))
        continue;
      group.creator = self->creator[g_array_index (of, Born, 0).thread];
      above = model->group_of_thread[group.creator];
      if (above != TB_ID_NONE)
        group.creator = g_array_index (model->groups, TbWaitGroup, above).node;
      group.members = g_array_sized_new (FALSE, FALSE, sizeof (guint32), of->len);
      group.node = tb_wait_model_add_node (model, TB_WAIT_NODE_VIRTUAL, model->groups->len);
      for (guint j = 0; j < of->len; j++)
        {
          guint32 thread = g_array_index (of, Born, j).thread;

          g_array_append_val (group.members, thread);
          model->group_of_thread[thread] = model->groups->len;
        }
      g_array_append_val (model->groups, group);
    }
}

gboolean
tb_wait_find_short_lived (TbWaitModel *model,
                          TbWaitUnmerged *unmerged,
                          GCancellable *cancellable,
                          GError **error)
{
  g_auto (Candidates) self = { 0 };
  g_autoptr (GArray) born = NULL;

  if (!find_creators (model, &self, error)
      || !tb_wait_broken_stacks_load (&self.broken_stacks, tb_trace_get_session (model->trace),
                                      error))
    return FALSE;
  find_short (model, &self);
  born = list_born (model, &self, cancellable, error);
  if (born == NULL)
    return FALSE;
  if (born->len == 0)
    return TRUE;
  model->group_of_thread = g_new (guint32, (gsize) model->n_threads + 1);
  memset (model->group_of_thread, 0xff, sizeof (guint32) * ((gsize) model->n_threads + 1));
  for (guint i = 0; i < born->len;)
    {
      guint32 depth = g_array_index (born, Born, i).depth;
      g_auto (Level) level = { 0 };

      level_init (&level);
      for (; i < born->len && g_array_index (born, Born, i).depth == depth; i++)
        {
          if (i % 256 == 0 && g_cancellable_set_error_if_cancelled (cancellable, error))
            return FALSE;
          add_born (&level, model, &self, &g_array_index (born, Born, i));
        }
      /* Groups of this depth must be known before the threads that they create are grouped. */
      add_groups (model, &self, &level, unmerged);
    }
  return TRUE;
}
