/* tb-focus-threads.c: selected threads in the focus of a document (TbFocus, the selection and view
 * that its figures share): replacing them, adding and removing some, look-up
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#include "config.h"

#include "base/tb-base.h"
#include "widgets/focus/tb-focus-private.h"

static int
compare (gconstpointer a, gconstpointer b)
{
  guint32 one = *(const guint32 *) a, other = *(const guint32 *) b;

  return one < other ? -1 : one > other;
}

/**
 * tb_focus_select_threads:
 * @self: a focus
 * @threads: (array length=n) (nullable): threads of the session
 * @n: number of threads; 0: none
 *
 * Selects threads. Analyses can be limited to them, as to a range. The selected item stays
 * selected. Duplicates are ignored.
 */
void
tb_focus_select_threads (TbFocus *self, const guint32 *threads, guint n)
{
  g_autoptr (GArray) sorted = g_array_new (FALSE, FALSE, sizeof (guint32));
  guint kept = 0;

  g_return_if_fail (TB_IS_FOCUS (self));
  g_return_if_fail (threads != NULL || n == 0);

  if (n > 0)
    g_array_append_vals (sorted, threads, n);
  g_array_sort (sorted, compare);
  for (guint i = 0; i < sorted->len; i++)
    {
      guint32 thread = g_array_index (sorted, guint32, i);

      if (thread != TB_ID_NONE
          && (kept == 0 || g_array_index (sorted, guint32, kept - 1) != thread))
        g_array_index (sorted, guint32, kept++) = thread;
    }
  g_array_set_size (sorted, kept);
  if (kept == self->threads->len
      && (kept == 0 || memcmp (sorted->data, self->threads->data, kept * sizeof (guint32)) == 0))
    return;
  tb_focus_store_view (self);
  g_array_set_size (self->threads, 0);
  g_array_append_vals (self->threads, sorted->data, kept);
  tb_focus_selection_changed (self);
}

/**
 * tb_focus_get_threads:
 * @self: a focus
 * @n: (out): number of threads
 *
 * Gets the threads that were selected one by one.
 *
 * Returns: (transfer none) (array length=n): the selected threads, ascending; valid until others
 *   are selected
 */
const guint32 *
tb_focus_get_threads (TbFocus *self, guint *n)
{
  g_return_val_if_fail (TB_IS_FOCUS (self), NULL);
  g_return_val_if_fail (n != NULL, NULL);

  *n = self->threads->len;
  return (const guint32 *) self->threads->data;
}

/**
 * tb_focus_has_thread:
 * @self: a focus
 * @thread: a thread of the session
 *
 * Gets whether a thread is to be highlighted.
 *
 * Returns: whether it is one of the selected threads, or the thread of the selected item
 */
gboolean
tb_focus_has_thread (TbFocus *self, guint32 thread)
{
  g_return_val_if_fail (TB_IS_FOCUS (self), FALSE);

  return thread != TB_ID_NONE
         && (self->thread == thread
             || g_array_binary_search (self->threads, &thread, compare, NULL));
}

/**
 * tb_focus_toggle_threads:
 * @self: a focus
 * @threads: (array length=n): threads of the session
 * @n: number of threads
 *
 * Adds threads to the selected ones. If all of them are already selected, removes them instead.
 */
void
tb_focus_toggle_threads (TbFocus *self, const guint32 *threads, guint n)
{
  g_autoptr (GArray) wanted = NULL;
  g_autoptr (GHashTable) toggled = g_hash_table_new (NULL, NULL);
  gboolean all = TRUE;

  g_return_if_fail (TB_IS_FOCUS (self));
  g_return_if_fail (threads != NULL || n == 0);

  for (guint i = 0; i < n; i++)
    {
      all = all && g_array_binary_search (self->threads, &threads[i], compare, NULL);
      g_hash_table_add (toggled, GUINT_TO_POINTER (threads[i]));
    }
  wanted = g_array_new (FALSE, FALSE, sizeof (guint32));
  for (guint i = 0; i < self->threads->len; i++)
    if (!g_hash_table_contains (toggled,
                                GUINT_TO_POINTER (g_array_index (self->threads, guint32, i))))
      g_array_append_val (wanted, g_array_index (self->threads, guint32, i));
  if (!all && n > 0)
    g_array_append_vals (wanted, threads, n);
  tb_focus_select_threads (self, (const guint32 *) wanted->data, wanted->len);
}
