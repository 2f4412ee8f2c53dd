/* tb-flame-sort.c: merge sort of the sort keys of nodes of a flame figure (two numbers, then name,
 * weight and index of the node), which can be cancelled
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#include "config.h"

#include "report/flame/tb-flame-figure-private.h"

/* Number of keys that are sorted by insertion. */
#define RUN 12

static inline gboolean
is_before (const TbFlameKey *one, const TbFlameKey *two, const TbFlameNode *nodes)
{
  if (one->major != two->major)
    return one->major < two->major;
  if (one->minor != two->minor)
    return one->minor < two->minor;
  if (nodes != NULL && nodes[one->node].name != nodes[two->node].name)
    {
      int order = strcmp (nodes[one->node].name, nodes[two->node].name);

      if (order != 0)
        return order < 0;
    }
  if (nodes != NULL && nodes[one->node].total != nodes[two->node].total)
    return nodes[one->node].total > nodes[two->node].total;
  return one->node < two->node;
}

static void
sort_run (TbFlameKey *keys, guint n, const TbFlameNode *nodes)
{
  for (guint i = 1; i < n; i++)
    {
      TbFlameKey key = keys[i];
      guint at = i;

      for (; at > 0 && is_before (&key, &keys[at - 1], nodes); at--)
        keys[at] = keys[at - 1];
      keys[at] = key;
    }
}

/* Merges two adjacent sorted runs. */
static gboolean
merge (const TbFlameKey *from,
       guint middle,
       guint n,
       TbFlameKey *to,
       const TbFlameNode *nodes,
       GCancellable *cancellable)
{
  guint one = 0, two = middle;

  for (guint i = 0; i < n; i++)
    if (i % TB_FLAME_CANCEL_EVERY == TB_FLAME_CANCEL_EVERY - 1
        && g_cancellable_is_cancelled (cancellable))
      return FALSE;
    else if (two == n || (one < middle && !is_before (&from[two], &from[one], nodes)))
      to[i] = from[one++];
    else
      to[i] = from[two++];
  return TRUE;
}

/* Sorts by major, minor, then by name and weight of the nodes if these are given, then by index.
 * spare: as many keys. Returns keys or spare, whichever is sorted, or NULL if cancelled. */
TbFlameKey *
tb_flame_sort (TbFlameKey *keys,
               TbFlameKey *spare,
               guint n,
               const TbFlameNode *nodes,
               GCancellable *cancellable)
{
  guint done = 0;

  for (guint i = 0; i < n; i += RUN)
    {
      sort_run (&keys[i], MIN (RUN, n - i), nodes);
      done += RUN;
      if (done >= TB_FLAME_CANCEL_EVERY && g_cancellable_is_cancelled (cancellable))
        return NULL;
      done %= TB_FLAME_CANCEL_EVERY;
    }
  for (guint64 width = RUN; width < n; width *= 2)
    {
      TbFlameKey *sorted = spare;

      for (guint64 i = 0; i < n; i += 2 * width)
        {
          guint end = (guint) MIN (2 * width, n - i);

          done += end;
          if (done >= TB_FLAME_CANCEL_EVERY && g_cancellable_is_cancelled (cancellable))
            return NULL;
          done %= TB_FLAME_CANCEL_EVERY;
          if (!merge (&keys[i], (guint) MIN (width, end), end, &spare[i], nodes, cancellable))
            return NULL;
        }
      spare = keys;
      keys = sorted;
    }
  return keys;
}
