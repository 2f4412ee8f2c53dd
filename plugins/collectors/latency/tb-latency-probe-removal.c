/* tb-latency-probe-removal.c: removal of probes in a function once it is decided which of its
 * callees are root causes: those at its other call sites, or all if none is needed
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#include "config.h"

#include "tb-latency-drill-private.h"

/* All probes must stay while calls of the function are examined, and if the stack height does not
 * distinguish calls from outside the path. */
static gboolean
may_remove_probes (TbLatencyDrill *self, TbLatencyFunction *function)
{
  const TbLatencyCode *code = tb_latency_function_get_code (function);

  if (!function->is_attached || function->is_by_blocks)
    return FALSE;
  for (guint32 i = 0; i < self->tree->n_nodes; i++)
    {
      const TbLatencyNode *node = get_node (self, i);

      if (node->is_used && node->function == function
          && (node->phase == TB_LATENCY_ATTACHING || node->phase == TB_LATENCY_DECIDING))
        return FALSE;
    }
  for (guint i = 0; i < code->points->len; i++)
    {
      const TbLatencyPoint *point = &g_array_index (code->points, TbLatencyPoint, i);

      if (point->site != G_MAXUINT && point->height < 0)
        return FALSE;
    }
  return TRUE;
}

/* Whether the node is a callee of the function that leads to a root cause: its own callees are
 * examined, or the blocks in which it runs itself. */
static gboolean
needs_site (TbLatencyDrill *self, guint32 id, const TbLatencyFunction *caller)
{
  const TbLatencyNode *node = get_node (self, id);

  if (!node->is_used || node->parent == G_MAXUINT32 || node->site == G_MAXUINT
      || get_node (self, node->parent)->function != caller)
    return FALSE;
  return node->is_root_cause
         && (node->disturbances != 0 || node->phase == TB_LATENCY_ATTACHING
             || tb_latency_drill_is_leaf (self, id));
}

/* (transfer full): by site of the function, whether its probe is still needed; n: (out): number of
 * those */
static guint8 *
list_needed_sites (TbLatencyDrill *self, TbLatencyFunction *function, guint *n)
{
  guint8 *is_needed = g_new0 (guint8, tb_latency_function_get_code (function)->sites->len + 1);

  *n = 0;
  for (guint32 i = 0; i < self->tree->n_nodes; i++)
    if (needs_site (self, i, function))
      {
        guint site = get_node (self, i)->site;

        *n += !is_needed[site];
        is_needed[site] = 1;
      }
  return is_needed;
}

static void
remove_other_probes (TbLatencyDrill *self,
                     TbLatencyFunction *function,
                     const guint8 *is_needed,
                     guint n_needed)
{
  function->is_narrowed = TRUE;
  if (n_needed == 0)
    {
      function->is_attached = FALSE;
      tb_latency_drill_detach (self, function->id);
      return;
    }
  tb_latency_drill_send_points (self, function, is_needed);
  tb_latency_drill_request_attach (self, function->id);
}

void
tb_latency_drill_remove_unneeded_probes (TbLatencyDrill *self, TbLatencyFunction *function)
{
  guint n_sites = tb_latency_function_get_code (function)->sites->len, n_needed;
  g_autofree guint8 *is_needed = NULL;

  if (!may_remove_probes (self, function))
    return;
  is_needed = list_needed_sites (self, function, &n_needed);
  if (n_needed < n_sites)
    remove_other_probes (self, function, is_needed, n_needed);
}
