/* info-functions.c: list of the probed functions of a recording, with number, total and longest
 * duration of their calls, which info.c and info-text.c write
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#include "config.h"

#include "info.h"

static gint
compare_names (gconstpointer a, gconstpointer b)
{
  const InfoFunction *one = a, *other = b;

  return one->total != other->total ? (one->total < other->total ? 1 : -1)
                                    : g_strcmp0 (one->name, other->name);
}

static InfoFunction *
find_function (GArray *functions, GHashTable *known, TbSession *session, guint32 string)
{
  gpointer index = g_hash_table_lookup (known, GUINT_TO_POINTER (string));

  if (index == NULL)
    {
      InfoFunction function = { .name = tb_session_get_string (session, string) };

      g_array_append_val (functions, function);
      index = GUINT_TO_POINTER (functions->len);
      g_hash_table_insert (known, GUINT_TO_POINTER (string), index);
    }
  return &g_array_index (functions, InfoFunction, GPOINTER_TO_UINT (index) - 1);
}

GArray *
info_list_functions (TbSession *session, GError **error)
{
  TbTable *table = tb_session_get_table (session, TB_TABLE_CALL);
  guint64 n = tb_table_get_n_rows (table);
  g_autoptr (GBytes) enters = tb_table_get_column (table, TB_CALL_ENTER, error);
  g_autoptr (GBytes) exits = enters ? tb_table_get_column (table, TB_CALL_EXIT, error) : NULL;
  g_autoptr (GBytes) names = exits ? tb_table_get_column (table, TB_CALL_FUNCTION, error) : NULL;
  g_autoptr (GArray) functions = NULL;
  g_autoptr (GHashTable) known = NULL;
  const gint64 *enter, *exit;
  const guint32 *name;

  if (!names)
    return NULL;
  enter = g_bytes_get_data (enters, NULL);
  exit = g_bytes_get_data (exits, NULL);
  name = g_bytes_get_data (names, NULL);
  functions = g_array_new (FALSE, FALSE, sizeof (InfoFunction));
  known = g_hash_table_new (NULL, NULL);
  for (guint64 i = 0; i < n; i++)
    {
      InfoFunction *function = find_function (functions, known, session, name[i]);

      function->calls++;
      if (enter[i] < 0 || exit[i] < enter[i])
        {
          function->open++;
          continue;
        }
      function->total += exit[i] - enter[i];
      function->longest = MAX (function->longest, exit[i] - enter[i]);
    }
  g_array_sort (functions, compare_names);
  return g_steal_pointer (&functions);
}
