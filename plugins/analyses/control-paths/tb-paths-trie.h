/* tb-paths-trie.h: prefix tree of the pseudo-stacks of control paths, input of the flames: times by
 * process, function and category; names and colours of nodes; stacks of a box over time
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#pragma once

#include "report/flame/tb-flame-figure.h"
#include "tb-paths-categories.h"
#include "tb-paths.h"

G_BEGIN_DECLS

typedef enum
{
  TB_PATHS_TRIE_PROCESS,   /* ref: program, or thread where threads are separate */
  TB_PATHS_TRIE_FUNCTION,  /* ref: node of the context tree */
  TB_PATHS_TRIE_LEAF,      /* ref: category, and string of a file or peer */
  TB_PATHS_TRIE_TRUNCATED, /* layers too deep to show */
} TbPathsTrieKind;

typedef struct
{
  guint32 parent; /* has a smaller index; TB_ID_NONE none */
  guint32 ref;
  guint32 object;
  guint32 thread;
  guint8 kind;
  guint8 category; /* of a leaf */
  gboolean runs;   /* a thread ran in it or in a callee within the same process */
  gboolean sleeps;
  gint64 own;
  gint64 beyond;
  guint64 count;
  gint64 by_category[TB_PATHS_N_CATEGORIES];
} TbPathsTrieNode;

/* A part of a box that is drawn with one stack. */
typedef struct
{
  guint32 node;
  gint64 from;
  gint64 to;
} TbPathsStrip;

typedef struct
{
  TbPaths *paths;
  TbPathsCategorizer categorizer;
  gboolean by_thread;
  GArray *nodes; /* TbPathsTrieNode */
  GHashTable *known;
  guint32 *base_of; /* by box: the node of its process */
  guint32 *leaf_of; /* by box: the innermost function; for a run, of its middle */
  GArray *strips;
} TbPathsTrie;

TbPathsTrie *
tb_paths_trie_new (TbPaths *paths, gboolean by_thread, GCancellable *cancellable, GError **error);
void tb_paths_trie_free (TbPathsTrie *self);
G_DEFINE_AUTOPTR_CLEANUP_FUNC (TbPathsTrie, tb_paths_trie_free)

static inline TbPathsTrieNode *
tb_paths_trie_get (const TbPathsTrie *self, guint32 node)
{
  return &g_array_index (self->nodes, TbPathsTrieNode, node);
}

/* The strips of a box, ascending. A run with several samples has several. Valid until the next
 * call. */
const GArray *tb_paths_trie_get_strips (TbPathsTrie *self, gsize box);
/* The leaf that a segment of a box is drawn as on top of its stack. TB_ID_NONE: only the stack is
 * drawn. */
guint32
tb_paths_trie_get_leaf (TbPathsTrie *self, gsize box, guint32 below, TbPathsCategory category);

char *tb_paths_trie_get_name (const TbPathsTrie *self, guint32 node, char **module, char **detail);
TbFlamePaint tb_paths_trie_get_paint (const TbPathsTrie *self, guint32 node);
TbFlamePaint tb_paths_category_get_paint (TbPathsCategory category);

G_END_DECLS
