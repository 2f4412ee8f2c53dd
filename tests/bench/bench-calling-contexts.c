/* bench-calling-contexts.c: how fast calls are inferred from deep stacks, beside looking at every frame of each
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 *
 * usage: bench-calling-contexts [MILLION-EVENTS]
 */

#include "config.h"

#include <stdio.h>
#include <stdlib.h>

#include "tb-contexts-inference.h"

#define DEPTH 40
/* Contexts: below a common stem each event changes some of the innermost frames. */
#define STEM 30
#define N_BRANCHES 4096

typedef struct
{
  guint64 n;
  gint64 own;
} Sums;

static void
add (const TbContextsInstance *instance, gpointer data)
{
  Sums *sums = data;

  sums->n++;
  sums->own += instance->own[TB_CONTEXTS_REFINED];
}

/* Algorithm 2 as it stands: every frame of every stack is compared and noted. */
static guint64
look_at_all (const TbContextsTree *tree, const guint32 *leaves, gsize n)
{
  guint32 path[DEPTH], last[DEPTH] = { 0 };
  gint64 ends[DEPTH] = { 0 };
  guint64 closed = 0;

  for (gsize i = 0; i < n; i++)
    {
      gboolean is_new = FALSE;
      guint32 node = leaves[i];

      for (guint d = DEPTH; d-- > 0; node = tree->parent[node])
        path[d] = node;
      for (guint d = 0; d < DEPTH; d++)
        {
          is_new |= path[d] != last[d];
          closed += is_new && last[d] != 0;
          last[d] = path[d];
          ends[d] = (gint64) i;
        }
    }
  return closed + (ends[0] < 0);
}

static void
make_tree (TbContextsTree *tree)
{
  guint32 n = 1 + STEM + N_BRANCHES * (DEPTH - STEM);
  guint32 *parent = g_new0 (guint32, n), *depth = g_new0 (guint32, n);

  for (guint32 i = 1; i < n; i++)
    {
      gboolean is_first = i > STEM && (i - 1 - STEM) % (DEPTH - STEM) == 0;

      parent[i] = is_first ? STEM : i - 1;
      depth[i] = depth[parent[i]] + 1;
    }
  *tree = (TbContextsTree) { n, parent, depth, g_new0 (guint8, n) };
}

int
main (int argc, char **argv)
{
  gsize n = (argc > 1 ? strtoul (argv[1], NULL, 10) : 10) * 1000000;
  g_autofree guint32 *leaves = g_new (guint32, n);
  g_auto (TbContextsInference) inference = { 0 };
  TbContextsTree tree;
  Sums sums = { 0 };
  gint64 start, inferred, looked;
  guint64 closed;

  make_tree (&tree);
  srand (1);
  for (gsize i = 0; i < n; i++)
    leaves[i] = i > 0 && rand () % 2 ? leaves[i - 1]
                                     : (guint32) (STEM + (rand () % N_BRANCHES + 1) * (DEPTH - STEM));
  tb_contexts_inference_init (&inference, &tree, add, &sums);
  start = g_get_monotonic_time ();
  tb_contexts_inference_begin (&inference, 1);
  for (gsize i = 0; i < n; i++)
    tb_contexts_inference_add (&inference, (gint64) i * 1000, leaves[i]);
  tb_contexts_inference_end (&inference, (gint64) n * 1000);
  inferred = g_get_monotonic_time () - start;
  start = g_get_monotonic_time ();
  closed = look_at_all (&tree, leaves, n);
  looked = g_get_monotonic_time () - start;
  printf ("%zu events with stacks of depth %d, %" G_GUINT64_FORMAT
          " calls: inferred in %.2f s; looking at every "
          "frame (%" G_GUINT64_FORMAT " end) takes %.2f s: ratio %.2f\n",
          n, DEPTH, sums.n, inferred / 1e6, closed, looked / 1e6, (double) inferred / looked);
  return 0;
}
