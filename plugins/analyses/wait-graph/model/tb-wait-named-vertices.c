/* tb-wait-named-vertices.c: vertices and processes that names of options stand for, in any form in
 * which the report shows them, such as "worker ×8" and "worker (812)"
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#include "config.h"

#include "tb-wait-named-vertices.h"

#include <string.h>

#include "tb-wait-names.h"
#include "tb-wait-shown-names.h"

gboolean
tb_wait_select_named_process (TbSelection *selection, const char *name, GError **error)
{
  g_autofree char *stripped = tb_wait_strip_shown_name (name);

  return tb_selection_add_process_by_name (selection, name, stripped == NULL ? error : NULL)
         || (stripped != NULL && tb_selection_add_process_by_name (selection, stripped, error));
}

/* Adds threads, or else processes. */
static gboolean
select_threads (TbSelection *selection, const char *name, GError **error)
{
  g_autofree char *stripped = tb_wait_strip_shown_name (name);

  return tb_selection_add_thread_by_name (selection, name, NULL)
         || tb_selection_add_process_by_name (selection, name, stripped == NULL ? error : NULL)
         || (stripped != NULL
             && (tb_selection_add_thread_by_name (selection, stripped, NULL)
                 || tb_selection_add_process_by_name (selection, stripped, error)));
}

static gboolean
has_selected (const TbWaitGraph *graph, guint32 vertex, TbSelection *selection)
{
  g_autoptr (GArray) threads = tb_wait_vertex_list_threads (graph, vertex);

  for (guint i = 0; i < threads->len; i++)
    if (tb_selection_has_thread (selection, g_array_index (threads, guint32, i)))
      return TRUE;
  return FALSE;
}

/* A vertex with that name comes before the threads that have it. */
static gboolean
choose (const TbWaitGraph *graph, const char *name, guint8 *chosen, GError **error)
{
  g_autoptr (TbSelection) selection = NULL;
  gboolean any = FALSE;

  for (guint32 i = 0; i < graph->vertices->len; i++)
    if (tb_wait_vertex_has_name (graph, i, name))
      any = chosen[i] = TRUE;
  selection = tb_selection_new (graph->model->trace);
  if (!select_threads (selection, name, any ? NULL : error))
    return any;
  for (guint32 i = 0; i < graph->vertices->len; i++)
    chosen[i] |= has_selected (graph, i, selection);
  return TRUE;
}

gboolean
tb_wait_find_named_vertices (const TbWaitGraph *graph,
                             const char *const *names,
                             guint8 **chosen,
                             GError **error)
{
  if (names == NULL || names[0] == NULL)
    return TRUE;
  *chosen = g_new0 (guint8, (gsize) graph->vertices->len + 1);
  for (guint i = 0; names[i] != NULL; i++)
    if (!choose (graph, names[i], *chosen, error))
      return FALSE;
  return TRUE;
}
