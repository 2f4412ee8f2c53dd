/* tb-paths-trie.c: prefix tree of the pseudo-stacks of control paths, input of the flames: times by
 * process, function and category; names and colours of nodes; stacks of a box over time
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#include "config.h"

#include <glib/gi18n.h>

#include "tb-paths-trie.h"

/* Largest number of process layers drawn on top of each other. Deeper ones are drawn as one box. */
#define MAX_LAYERS 128
#define STRIDE 65536

typedef struct
{
  guint32 below;
  guint32 ref;
  guint32 object;
  guint32 kind;
} Key;

static guint
hash_key (gconstpointer data)
{
  const Key *key = data;
  guint64 hash = ((guint64) key->below << 32 | key->ref) * G_GUINT64_CONSTANT (0x9e3779b97f4a7c15);

  hash ^= ((guint64) key->object << 3 | key->kind) * G_GUINT64_CONSTANT (0xbf58476d1ce4e5b9);
  return (guint) (hash >> 32);
}

static gboolean
equal_keys (gconstpointer a, gconstpointer b)
{
  return memcmp (a, b, sizeof (Key)) == 0;
}

static guint32
find_node (TbPathsTrie *self, const Key *key)
{
  gpointer found = g_hash_table_lookup (self->known, key);

  return found != NULL ? GPOINTER_TO_UINT (found) - 1 : TB_ID_NONE;
}

static guint32
add_node (TbPathsTrie *self, const Key *key, guint32 parent)
{
  TbPathsTrieNode node = { .parent = parent,
                           .ref = key->ref,
                           .object = key->object,
                           .thread = TB_ID_NONE,
                           .kind = key->kind };

  g_array_append_val (self->nodes, node);
  g_hash_table_insert (self->known, g_memdup2 (key, sizeof *key),
                       GUINT_TO_POINTER (self->nodes->len));
  return self->nodes->len - 1;
}

/* Adds the functions of a context on top of a process. */
static guint32
add_stack (TbPathsTrie *self, guint32 base, guint32 context)
{
  TbPathsEvents *events = self->paths->events;
  GArray *missing = NULL;
  guint32 node = base;

  for (; context != 0; context = events->node_parent[context])
    {
      Key key = { base, context, 0, TB_PATHS_TRIE_FUNCTION };
      guint32 found = find_node (self, &key);

      if (found != TB_ID_NONE)
        {
          node = found;
          break;
        }
      if (missing == NULL)
        missing = g_array_new (FALSE, FALSE, sizeof (guint32));
      g_array_append_val (missing, context);
    }
  for (guint i = missing != NULL ? missing->len : 0; i-- > 0;)
    {
      Key key = { base, g_array_index (missing, guint32, i), 0, TB_PATHS_TRIE_FUNCTION };

      node = add_node (self, &key, node);
    }
  if (missing != NULL)
    g_array_unref (missing);
  return node;
}

static guint32
find_or_add (TbPathsTrie *self, const Key *key)
{
  guint32 node = find_node (self, key);

  return node != TB_ID_NONE ? node : add_node (self, key, key->below);
}

/* The process node of a box, on the stack of the sleep below it. */
static guint32
find_base (TbPathsTrie *self, gsize box)
{
  const TbPathsBoxes *boxes = &self->paths->walk->boxes;
  guint32 parent = boxes->parent[box];
  guint32 thread = self->paths->model->rows->thread[boxes->row[box]];
  guint32 below = parent != TB_ID_NONE ? self->leaf_of[parent] : TB_ID_NONE;
  Key key = { below, 0, 0, TB_PATHS_TRIE_PROCESS };
  guint32 node;

  if (boxes->layer[box] >= MAX_LAYERS)
    {
      if (tb_paths_trie_get (self, below)->kind == TB_PATHS_TRIE_TRUNCATED)
        return below;
      key.kind = TB_PATHS_TRIE_TRUNCATED;
      return find_or_add (self, &key);
    }
  key.ref = tb_paths_events_find_program (self->paths->events, thread, boxes->from[box]);
  key.object = self->by_thread ? thread + 1 : 0;
  node = find_or_add (self, &key);
  tb_paths_trie_get (self, node)->thread = thread;
  return node;
}

static void
mark_states (TbPathsTrie *self, guint32 node, gboolean runs, gboolean sleeps)
{
  while (node != TB_ID_NONE)
    {
      TbPathsTrieNode *at = tb_paths_trie_get (self, node);

      if (at->kind == TB_PATHS_TRIE_PROCESS || ((at->runs || !runs) && (at->sleeps || !sleeps)))
        return;
      at->runs |= runs;
      at->sleeps |= sleeps;
      node = at->parent;
    }
}

const GArray *
tb_paths_trie_get_strips (TbPathsTrie *self, gsize box)
{
  const TbPathsBoxes *boxes = &self->paths->walk->boxes;
  TbPathsEvents *events = self->paths->events;
  const TbIntervals *rows = self->paths->model->rows;
  guint32 row = boxes->row[box], base = self->base_of[box];
  guint32 n = tb_paths_is_run (self->paths->model, row) ? events->sample_n[row] : 0;
  TbPathsStrip strip = { .from = boxes->from[box], .to = boxes->to[box] };

  g_array_set_size (self->strips, 0);
  if (n <= 1 || tb_paths_trie_get (self, base)->kind == TB_PATHS_TRIE_TRUNCATED)
    {
      strip.node = self->leaf_of[box];
      g_array_append_val (self->strips, strip);
      return self->strips;
    }
  /* Several samples share the width of the run equally. */
  for (guint32 i = 0; i < n; i++)
    {
      gint64 length = rows->end[row] - rows->start[row];

      strip.from = MAX (boxes->from[box], rows->start[row] + (gint64) ((double) length * i / n));
      strip.to = MIN (boxes->to[box],
                      i + 1 == n ? rows->end[row]
                                 : rows->start[row] + (gint64) ((double) length * (i + 1) / n));
      if (strip.to <= strip.from)
        continue;
      strip.node = add_stack (self, base, events->sample_node[events->sample_first[row] + i]);
      g_array_append_val (self->strips, strip);
    }
  return self->strips;
}

guint32
tb_paths_trie_get_leaf (TbPathsTrie *self, gsize box, guint32 below, TbPathsCategory category)
{
  guint32 row = self->paths->walk->boxes.row[box];
  Key key = { below, category, 0, TB_PATHS_TRIE_LEAF };
  guint32 node;

  if (category == TB_PATHS_UNDERSTOOD)
    return TB_ID_NONE;
  if (category == TB_PATHS_BLOCKING_IO || category == TB_PATHS_IO_QUEUE
      || category == TB_PATHS_NETWORK)
    key.object = self->paths->model->rows->object[row];
  node = find_or_add (self, &key);
  tb_paths_trie_get (self, node)->category = category;
  return node;
}

static void
add_weight (TbPathsTrie *self, guint32 node, TbPathsCategory category, gint64 ns)
{
  TbPathsTrieNode *at = tb_paths_trie_get (self, node);

  at->own += ns;
  at->count++;
  at->by_category[category] += ns;
}

static void
add_segment (TbPathsTrie *self, gsize box, const TbPathsSegment *segment)
{
  const GArray *strips;
  guint32 leaf;

  if (segment->category != TB_PATHS_UNDERSTOOD)
    {
      leaf = tb_paths_trie_get_leaf (self, box, self->leaf_of[box], segment->category);
      add_weight (self, leaf, segment->category, segment->to - segment->from);
      return;
    }
  strips = tb_paths_trie_get_strips (self, box);
  for (guint i = 0; i < strips->len; i++)
    {
      TbPathsStrip strip = g_array_index (strips, TbPathsStrip, i);
      gint64 ns = MIN (strip.to, segment->to) - MAX (strip.from, segment->from);

      if (ns <= 0)
        continue;
      mark_states (self, strip.node, TRUE, FALSE);
      add_weight (self, strip.node, segment->category, ns);
    }
}

static void
add_box (TbPathsTrie *self, gsize box)
{
  const TbPathsBoxes *boxes = &self->paths->walk->boxes;
  gboolean is_run = tb_paths_is_run (self->paths->model, boxes->row[box]);
  const GArray *segments;
  guint32 base = find_base (self, box);

  self->base_of[box] = base;
  self->leaf_of[box]
      = tb_paths_trie_get (self, base)->kind == TB_PATHS_TRIE_TRUNCATED
            ? base
            : add_stack (self, base, tb_paths_categorizer_get_node (&self->categorizer, box));
  if (boxes->to[box] > boxes->from[box])
    mark_states (self, self->leaf_of[box], is_run, !is_run);
  segments = tb_paths_categorizer_get_segments (&self->categorizer, box);
  for (guint i = 0; i < segments->len; i++)
    add_segment (self, box, &g_array_index (segments, TbPathsSegment, i));
}

/* Adds the time of children that exceeds the sleeps they belong to. */
static void
add_beyond (TbPathsTrie *self)
{
  const TbPathsBoxes *boxes = &self->paths->walk->boxes;

  for (gsize i = 0; i < boxes->n;)
    {
      gint64 covered = 0, length = boxes->child_to[i] - boxes->child_from[i];
      gsize k = tb_paths_boxes_get_group (boxes, self->paths->model, i, &covered);

      if ((boxes->flags[i] & TB_PATHS_BOX_HAS_CHILD) && length > covered)
        tb_paths_trie_get (self, self->leaf_of[i])->beyond += length - covered;
      i = k;
    }
}

TbPathsTrie *
tb_paths_trie_new (TbPaths *paths, gboolean by_thread, GCancellable *cancellable, GError **error)
{
  g_autoptr (TbPathsTrie) self = g_new0 (TbPathsTrie, 1);
  const TbPathsBoxes *boxes = &paths->walk->boxes;

  self->paths = paths;
  self->by_thread = by_thread;
  self->nodes = g_array_new (FALSE, FALSE, sizeof (TbPathsTrieNode));
  self->known = g_hash_table_new_full (hash_key, equal_keys, g_free, NULL);
  self->base_of = g_new (guint32, MAX (boxes->n, 1));
  self->leaf_of = g_new (guint32, MAX (boxes->n, 1));
  self->strips = g_array_new (FALSE, FALSE, sizeof (TbPathsStrip));
  tb_paths_categorizer_init (&self->categorizer, paths->model, paths->events, boxes);
  for (gsize i = 0; i < boxes->n; i++)
    {
      add_box (self, i);
      if (i % STRIDE == 0 && g_cancellable_set_error_if_cancelled (cancellable, error))
        return NULL;
    }
  add_beyond (self);
  return g_steal_pointer (&self);
}

void
tb_paths_trie_free (TbPathsTrie *self)
{
  tb_paths_categorizer_clear (&self->categorizer);
  g_array_unref (self->nodes);
  g_hash_table_unref (self->known);
  g_free (self->base_of);
  g_free (self->leaf_of);
  g_array_unref (self->strips);
  g_free (self);
}

/* --- names and paints --- */

TbFlamePaint
tb_paths_category_get_paint (TbPathsCategory category)
{
  static const TbFlamePaint paints[TB_PATHS_N_CATEGORIES] = {
    [TB_PATHS_UNDERSTOOD] = TB_FLAME_USER,           [TB_PATHS_INFERRED] = TB_FLAME_INFERRED,
    [TB_PATHS_BLOCKING_IO] = TB_FLAME_DISK,          [TB_PATHS_NETWORK] = TB_FLAME_NETWORK,
    [TB_PATHS_DELIBERATE] = TB_FLAME_SLEEPING,       [TB_PATHS_NOT_SAMPLED] = TB_FLAME_UNSAMPLED,
    [TB_PATHS_IO_QUEUE] = TB_FLAME_QUEUED,           [TB_PATHS_SCHEDULER] = TB_FLAME_RUNNABLE,
    [TB_PATHS_HARDWARE] = TB_FLAME_INTERRUPT,        [TB_PATHS_INVOLUNTARY] = TB_FLAME_PREEMPTED,
    [TB_PATHS_KERNEL_BLOCK] = TB_FLAME_KERNEL_BLOCK, [TB_PATHS_TIMED_OUT] = TB_FLAME_TIMED_OUT,
    [TB_PATHS_OTHER_PATH] = TB_FLAME_OTHER_PATH,     [TB_PATHS_UNACCOUNTED] = TB_FLAME_LOST,
  };

  return paints[category];
}

static const char *
name_leaf (TbPathsCategory category)
{
  switch (category)
    {
    case TB_PATHS_INFERRED:
      return _ ("inferred");
    case TB_PATHS_BLOCKING_IO:
      return _ ("disk");
    case TB_PATHS_NETWORK:
      return _ ("network");
    case TB_PATHS_DELIBERATE:
      return _ ("sleeps");
    case TB_PATHS_NOT_SAMPLED:
      return _ ("not sampled");
    case TB_PATHS_IO_QUEUE:
      return _ ("queued");
    case TB_PATHS_SCHEDULER:
      return _ ("for a CPU");
    case TB_PATHS_HARDWARE:
      return _ ("hardware");
    case TB_PATHS_INVOLUNTARY:
      return _ ("preempted");
    case TB_PATHS_KERNEL_BLOCK:
      return _ ("kernel");
    case TB_PATHS_TIMED_OUT:
      return _ ("timed out");
    case TB_PATHS_OTHER_PATH:
      return _ ("other path");
    case TB_PATHS_UNDERSTOOD:
    case TB_PATHS_UNACCOUNTED:
    case TB_PATHS_N_CATEGORIES:
    default:
      return _ ("unknown");
    }
}

static char *
name_process (const TbPathsTrie *self, const TbPathsTrieNode *at, char **module, char **detail)
{
  TbPathsEvents *events = self->paths->events;
  TbSession *session = tb_trace_get_session (self->paths->trace);
  guint n_processes, n_hosts;
  const TbProcess *processes = tb_session_get_processes (session, &n_processes);
  const TbHost *hosts = tb_session_get_hosts (session, &n_hosts);
  const char *name = tb_paths_events_get_program_name (events, at->ref);
  const TbProcess *process;

  if (at->ref >= tb_programs_get_n (events->programs))
    return g_strdup (name);
  process = &processes[tb_programs_get (events->programs, at->ref)->process];
  if (n_hosts > 1 && process->host < n_hosts)
    *module = g_strdup (hosts[process->host].name);
  *detail = g_strdup (process->command);
  if (at->object > 0)
    return g_strdup_printf ("%s/%s", name,
                            tb_trace_get_shown_thread_name_at (self->paths->trace, at->object - 1,
                                                               0));
  if (tb_programs_get (events->programs, at->ref)->name == NULL)
    return g_strdup (name);
  return g_strdup_printf ("%s (%d)", name, process->pid);
}

/* Both (out) arguments may be left unset. */
char *
tb_paths_trie_get_name (const TbPathsTrie *self, guint32 node, char **module, char **detail)
{
  const TbPathsTrieNode *at = tb_paths_trie_get (self, node);
  TbContextNode context;

  switch ((TbPathsTrieKind) at->kind)
    {
    case TB_PATHS_TRIE_PROCESS:
      return name_process (self, at, module, detail);
    case TB_PATHS_TRIE_FUNCTION:
      tb_context_tree_get_node (self->paths->events->tree, at->ref, &context);
      *module = g_strdup (context.module);
      return g_strdup (context.function);
    case TB_PATHS_TRIE_LEAF:
      if (at->object != TB_STRING_NONE)
        {
          const char *object
              = tb_session_get_string (tb_trace_get_session (self->paths->trace), at->object);

          *detail = g_strdup (object);
          return at->category == TB_PATHS_NETWORK ? g_strdup (object)
                                                  : g_path_get_basename (object);
        }
      return g_strdup (name_leaf (at->category));
    case TB_PATHS_TRIE_TRUNCATED:
    default:
      return g_strdup (_ ("deeper layers"));
    }
}

TbFlamePaint
tb_paths_trie_get_paint (const TbPathsTrie *self, guint32 node)
{
  const TbPathsTrieNode *at = tb_paths_trie_get (self, node);

  switch ((TbPathsTrieKind) at->kind)
    {
    case TB_PATHS_TRIE_PROCESS:
      return TB_FLAME_PROCESS;
    case TB_PATHS_TRIE_FUNCTION:
      if (at->runs && at->sleeps)
        return TB_FLAME_BOTH;
      if (at->sleeps)
        return TB_FLAME_WAITING;
      return self->paths->events->node_kernel[at->ref] ? TB_FLAME_KERNEL : TB_FLAME_USER;
    case TB_PATHS_TRIE_LEAF:
      return tb_paths_category_get_paint (at->category);
    case TB_PATHS_TRIE_TRUNCATED:
    default:
      return TB_FLAME_UNKNOWN;
    }
}
