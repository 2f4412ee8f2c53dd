/* tb-contexts-counters.c: counters of a recording whose samples show calling contexts (clock,
 * events, waits): list with sums, search by name, and as JSON
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#include "config.h"

#include "tb-contexts-counters.h"

#include <glib/gi18n.h>

#include "extend/options/tb-option.h"
#include "tb-contexts-json-members.h"

static gboolean
add_clock (GArray *counters, TbTrace *trace, GError **error)
{
  TbSession *session = tb_trace_get_session (trace);
  TbTable *table = tb_session_get_table (session, TB_TABLE_SAMPLE);
  const char *name = tb_session_get_fact (session, "sampled");
  TbContextsCounter clock = { .kind = TB_CONTEXTS_COUNTER_CLOCK,
                              .name = name != NULL ? name : "cpu-clock",
                              .n_samples = tb_table_get_n_rows (table) };
  g_autoptr (GBytes) bytes = tb_table_get_column (table, TB_SAMPLE_WEIGHT, error);
  const guint64 *weights;

  if (bytes == NULL)
    return FALSE;
  weights = g_bytes_get_data (bytes, NULL);
  for (guint64 i = 0; i < clock.n_samples; i++)
    clock.sum += (double) weights[i];
  if (clock.n_samples > 0)
    g_array_append_val (counters, clock);
  return TRUE;
}

static TbContextsCounterKind
get_kind (guint8 kind)
{
  if (kind == TB_COUNTER_WAIT || kind == TB_COUNTER_WAIT_SUM)
    return TB_CONTEXTS_COUNTER_WAITS;
  return kind == TB_COUNTER_CPU_TIME ? TB_CONTEXTS_COUNTER_TIME : TB_CONTEXTS_COUNTER_EVENTS;
}

/* Returns the index of the counter with this name. There are few of them. */
static guint
get_index (GArray *counters, TbSession *session, guint32 string, guint8 kind)
{
  TbContextsCounter added = { .kind = get_kind (kind),
                              .string = string,
                              .name = tb_session_get_string (session, string) };
  guint first = 0;

  while (first < counters->len
         && g_array_index (counters, TbContextsCounter, first).string != string)
    first++;
  if (first == counters->len)
    g_array_append_val (counters, added);
  return first;
}

static gboolean
add_others (GArray *counters, TbTrace *trace, GError **error)
{
  TbSession *session = tb_trace_get_session (trace);
  TbTable *table = tb_session_get_table (session, TB_TABLE_COUNTER);
  guint64 n = tb_table_get_n_rows (table);
  g_autoptr (GBytes) name_bytes = tb_table_get_column (table, TB_COUNTER_NAME, error);
  g_autoptr (GBytes) kind_bytes
      = name_bytes != NULL ? tb_table_get_column (table, TB_COUNTER_KIND, error) : NULL;
  g_autoptr (GBytes) weight_bytes
      = kind_bytes != NULL ? tb_table_get_column (table, TB_COUNTER_WEIGHT, error) : NULL;
  const guint32 *names;
  const guint64 *weights;
  const guint8 *kinds;
  guint index = 0;

  if (weight_bytes == NULL)
    return FALSE;
  names = g_bytes_get_data (name_bytes, NULL);
  kinds = g_bytes_get_data (kind_bytes, NULL);
  weights = g_bytes_get_data (weight_bytes, NULL);
  for (guint64 i = 0; i < n; i++)
    {
      TbContextsCounter *counter;

      if (names[i] == TB_STRING_NONE)
        continue;
      if (index >= counters->len
          || g_array_index (counters, TbContextsCounter, index).string != names[i])
        index = get_index (counters, session, names[i], kinds[i]);
      counter = &g_array_index (counters, TbContextsCounter, index);
      counter->n_samples++;
      counter->n_sums += kinds[i] == TB_COUNTER_WAIT_SUM;
      counter->sum += (double) weights[i];
    }
  return TRUE;
}

static int
compare (gconstpointer a, gconstpointer b)
{
  const TbContextsCounter *left = a, *right = b;
  gboolean is_left_clock = left->kind == TB_CONTEXTS_COUNTER_CLOCK;

  if (is_left_clock != (right->kind == TB_CONTEXTS_COUNTER_CLOCK))
    return is_left_clock ? -1 : 1;
  if (left->n_samples != right->n_samples)
    return left->n_samples > right->n_samples ? -1 : 1;
  return left->string < right->string ? -1 : left->string > right->string;
}

GArray *
tb_contexts_list_counters (TbTrace *trace, GError **error)
{
  g_autoptr (GArray) counters = g_array_new (FALSE, FALSE, sizeof (TbContextsCounter));

  if (!add_clock (counters, trace, error) || !add_others (counters, trace, error))
    return NULL;
  g_array_sort (counters, compare);
  return g_steal_pointer (&counters);
}

gboolean
tb_contexts_find_counter (const GArray *counters,
                          const char *name,
                          TbContextsCounter *found,
                          GError **error)
{
  g_autoptr (GString) list = g_string_new (NULL);

  for (guint i = 0; i < counters->len; i++)
    {
      const TbContextsCounter *counter = &g_array_index (counters, TbContextsCounter, i);

      if (g_str_equal (counter->name, name)
          || (counter->kind == TB_CONTEXTS_COUNTER_WAITS && g_str_equal (name, TB_CONTEXTS_WAITS)))
        {
          *found = *counter;
          return TRUE;
        }
      g_string_append_printf (list, "%s%s", i > 0 ? ", " : "", counter->name);
    }
  if (counters->len == 0)
    g_set_error (error, TB_EXTEND_ERROR, TB_EXTEND_ERROR_USAGE,
                 _ ("unknown counter “%s”: the recording has no samples"), name);
  else
    g_set_error (error, TB_EXTEND_ERROR, TB_EXTEND_ERROR_USAGE,
                 _ ("unknown counter “%s”: the recording has %s"), name, list->str);
  return FALSE;
}

void
tb_contexts_counters_to_json (const GArray *counters, const char *chosen, JsonBuilder *builder)
{
  static const char *const kinds[] = { "clock", "time", "events", "waits" };

  json_builder_set_member_name (builder, "counters");
  json_builder_begin_array (builder);
  for (guint i = 0; i < counters->len; i++)
    {
      const TbContextsCounter *counter = &g_array_index (counters, TbContextsCounter, i);

      json_builder_begin_object (builder);
      tb_contexts_json_add_string (builder, "name", counter->name);
      tb_contexts_json_add_string (builder, "kind", kinds[counter->kind]);
      tb_contexts_json_add_integer (builder, "samples", (gint64) counter->n_samples);
      tb_contexts_json_add_integer (builder, "sums", (gint64) counter->n_sums);
      tb_contexts_json_add_double (builder, "sum", counter->sum);
      json_builder_set_member_name (builder, "chosen");
      json_builder_add_boolean_value (builder, g_strcmp0 (counter->name, chosen) == 0);
      json_builder_end_object (builder);
    }
  json_builder_end_array (builder);
}
