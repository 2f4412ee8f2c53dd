/* tb-locks-names.c: names of many threads as a short text
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#include "config.h"

#include "tb-locks-names.h"

#define NAMES_SHOWN 3

char *
tb_locks_join_names (TbLocksSummary *summary, const GArray *threads)
{
  g_autoptr (GPtrArray) names = g_ptr_array_new ();
  g_autoptr (GArray) counts = g_array_new (FALSE, FALSE, sizeof (guint));
  GString *text = g_string_new (NULL);

  for (guint i = 0; i < threads->len; i++)
    {
      const char *name
          = tb_trace_get_shown_thread_name_at (summary->trace,
                                               g_array_index (threads, TbLockThread, i).thread,
                                               summary->to);
      guint place, one = 1;

      if (g_ptr_array_find_with_equal_func (names, name, g_str_equal, &place))
        {
          g_array_index (counts, guint, place)++;
          continue;
        }
      g_ptr_array_add (names, (gpointer) name);
      g_array_append_val (counts, one);
    }
  for (guint i = 0; i < names->len && i < NAMES_SHOWN; i++)
    {
      guint count = g_array_index (counts, guint, i);

      g_string_append_printf (text, "%s%s", i > 0 ? ", " : "",
                              (const char *) g_ptr_array_index (names, i));
      if (count > 1)
        g_string_append_printf (text, " ×%u", count);
    }
  if (names->len > NAMES_SHOWN)
    g_string_append (text, ", …");
  return g_string_free (text, FALSE);
}
