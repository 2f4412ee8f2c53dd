/* tb-wait-replay-calls.c: tree of nested system calls and probed functions, without times, common
 * to all threads: node entered or left by a call; nodes of given calls with all that is within
 * them
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 *
 * A probed function makes system calls: whatever happens in these also happens in the function.
 */

#include "config.h"

#include "tb-wait-replay-calls.h"

#include "session/schema/tb-schema.h"

typedef struct
{
  guint32 outer;
  guint32 call;
} TbReplayCall;

struct _TbReplayCalls
{
  GArray *nodes;       /* TbReplayCall; a node comes after its parent */
  GHashTable *node_of; /* TbReplayCall as one number → node */
};

TbReplayCalls *
tb_replay_calls_new (void)
{
  TbReplayCalls *self = g_new (TbReplayCalls, 1);

  *self = (TbReplayCalls) {
    .nodes = g_array_new (FALSE, FALSE, sizeof (TbReplayCall)),
    .node_of = g_hash_table_new_full (g_int64_hash, g_int64_equal, g_free, NULL),
  };
  g_array_append_vals (self->nodes, &(TbReplayCall) { 0, TB_STRING_NONE }, 1);
  return self;
}

void
tb_replay_calls_free (TbReplayCalls *self)
{
  g_array_unref (self->nodes);
  g_hash_table_unref (self->node_of);
  g_free (self);
}

static const TbReplayCall *
get_node (const TbReplayCalls *self, guint32 node)
{
  g_assert (node < self->nodes->len);
  return &g_array_index (self->nodes, TbReplayCall, node);
}

guint32
tb_replay_calls_enter (TbReplayCalls *self, guint32 node, guint32 call)
{
  guint64 key = (guint64) node << 32 | call;
  guint32 known = GPOINTER_TO_UINT (g_hash_table_lookup (self->node_of, &key));

  if (known != 0)
    return known;
  known = self->nodes->len;
  g_array_append_vals (self->nodes, &(TbReplayCall) { node, call }, 1);
  g_hash_table_insert (self->node_of, g_memdup2 (&key, sizeof key), GUINT_TO_POINTER (known));
  return known;
}

guint32
tb_replay_calls_leave (const TbReplayCalls *self, guint32 node, guint32 call)
{
  for (guint32 at = node; at != 0; at = get_node (self, at)->outer)
    if (get_node (self, at)->call == call)
      return get_node (self, at)->outer;
  return node;
}

guint32
tb_replay_calls_get_call (const TbReplayCalls *self, guint32 node)
{
  return get_node (self, node)->call;
}

guint8 *
tb_replay_calls_find_within (const TbReplayCalls *self, const guint8 *is_selected, guint n)
{
  guint8 *is_within = g_new0 (guint8, self->nodes->len);

  for (guint32 i = 1; i < self->nodes->len; i++)
    {
      const TbReplayCall *node = get_node (self, i);

      is_within[i] = is_within[node->outer] || (node->call < n && is_selected[node->call]);
    }
  return is_within;
}
