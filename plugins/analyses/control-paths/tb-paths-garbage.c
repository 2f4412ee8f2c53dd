/* tb-paths-garbage.c: running time that garbage collectors of run-time libraries took
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Allocation of memory by such a library is no collection: names that stand for both are not here.
 */

#include "config.h"

#include <string.h>

#include "tb-paths-garbage.h"

gboolean
tb_paths_is_garbage_function (const char *function)
{
  static const char *const parts[] = {
    /* Java: the operations of its threads for collection, and their work */
    "VM_GC_Operation",
    "VM_GenCollect",
    "VM_SerialCollect",
    "VM_SerialGC",
    "VM_ParallelGC",
    "VM_ParallelCollect",
    "VM_G1Collect",
    "VM_G1Pause",
    "VM_G1TryInitiate",
    "VM_CollectForAllocation",
    "VM_CollectForMetadata",
    "PSScavenge",
    "PSParallelCompact",
    "PSPromotionManager",
    "DefNewGeneration::collect",
    "GenMarkSweep",
    "SerialFullGC",
    "MarkSweep::",
    "G1ParScanThreadState",
    "G1EvacuateRegions",
    "G1FullCollector",
    "G1FullGC",
    "G1ConcurrentMark",
    "G1CMTask",
    "G1YoungCollector",
    "ZMark::",
    "ZRelocate",
    "ZDriver",
    "ShenandoahConcurrentGC",
    "ShenandoahFullGC",
    /* Go */
    "runtime.gcBgMarkWorker",
    "runtime.gcDrain",
    "runtime.gcAssist",
    "runtime.gcMark",
    "runtime.bgsweep",
    "runtime.gcStart",
    /* Python */
    "gc_collect_main",
    "gc_collect_region",
    "gc_collect_full",
    "_PyGC_Collect",
    "PyGC_Collect",
    /* V8: Node.js */
    "v8::internal::Heap::CollectGarbage",
    "v8::internal::Scavenger",
    "v8::internal::MarkCompactCollector",
    "v8::internal::ConcurrentMarking",
    /* .NET, Mono, PHP, Ruby */
    "gc_heap::",
    "sgen_perform_collection",
    "zend_gc_collect_cycles",
    "garbage_collect",
    "gc_marks",
    "gc_sweep",
  };

  for (guint i = 0; i < G_N_ELEMENTS (parts); i++)
    if (strstr (function, parts[i]) != NULL)
      return TRUE;
  return FALSE;
}

struct _TbPathsGarbage
{
  TbContextTree *tree;
  GHashTable *known; /* node → 1 + whether it collects garbage */
};

TbPathsGarbage *
tb_paths_garbage_new (TbContextTree *tree)
{
  TbPathsGarbage *self = g_new0 (TbPathsGarbage, 1);

  self->tree = tree;
  self->known = g_hash_table_new (NULL, NULL);
  return self;
}

void
tb_paths_garbage_free (TbPathsGarbage *self)
{
  g_hash_table_unref (self->known);
  g_free (self);
}

/* Callers come before their callees: what is known of one is the answer for both. */
gboolean
tb_paths_garbage_has (TbPathsGarbage *self, guint32 node)
{
  gboolean found = FALSE;
  guint32 at = node;

  for (; at != 0; at = tb_context_tree_get_parent (self->tree, at))
    {
      guint answer = GPOINTER_TO_UINT (g_hash_table_lookup (self->known, GUINT_TO_POINTER (at)));
      TbContextNode context;

      found = answer > 1;
      if (answer != 0)
        break;
      tb_context_tree_get_node (self->tree, at, &context);
      found = !context.kernel && tb_paths_is_garbage_function (context.function);
      if (found)
        break;
    }
  for (guint32 i = node; i != at; i = tb_context_tree_get_parent (self->tree, i))
    g_hash_table_insert (self->known, GUINT_TO_POINTER (i), GUINT_TO_POINTER (1 + found));
  if (at != 0)
    g_hash_table_insert (self->known, GUINT_TO_POINTER (at), GUINT_TO_POINTER (1 + found));
  return found;
}

gint64
tb_paths_sum_garbage (TbContextTree *tree, const GArray *running)
{
  g_autoptr (TbPathsGarbage) garbage = tb_paths_garbage_new (tree);
  gint64 ns = 0;

  for (guint i = 0; running != NULL && i < running->len; i++)
    {
      const TbPathsNodeTime *one = &g_array_index (running, TbPathsNodeTime, i);

      if (tb_paths_garbage_has (garbage, one->node))
        ns += one->ns;
    }
  return ns;
}
