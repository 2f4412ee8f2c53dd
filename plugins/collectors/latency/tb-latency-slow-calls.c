/* tb-latency-slow-calls.c: longest calls of the peak of a drill-down: received from the agent,
 * listed, and written as text or JSON with the callees in which their time went
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#include "config.h"

#include "tb-latency-drill-private.h"

void
tb_latency_drill_take_slow (TbLatencyDrill *self, const TbCaptureRecord *record)
{
  const guint64 *words = (const guint64 *) (const void *) record->tail;
  TbLatencySlowCall slow = { .call = record->latency_slow };

  if (slow.call.place >= G_N_ELEMENTS (self->slow))
    return;
  for (guint i = 0; 2 * i + 1 < record->tail_length / 8 && i < G_N_ELEMENTS (slow.parts); i++)
    {
      if (words[2 * i] >= self->tree->n_nodes || !get_node (self, (guint32) words[2 * i])->is_used)
        continue;
      slow.parts[slow.n].node = (guint32) words[2 * i];
      /* The estimated cost of probes is subtracted from the whole call too, so a part can appear
       * longer by the error of the estimate. */
      slow.parts[slow.n++].ns = MIN (words[2 * i + 1], slow.call.latency);
    }
  self->slow[slow.call.place] = slow;
}

static int
compare_lengths (gconstpointer a, gconstpointer b)
{
  const TbLatencySlowCall *one = *(const TbLatencySlowCall *const *) a,
                          *other = *(const TbLatencySlowCall *const *) b;

  return (one->call.latency < other->call.latency) - (one->call.latency > other->call.latency);
}

GPtrArray *
tb_latency_drill_list_slow (TbLatencyDrill *self)
{
  GPtrArray *calls = g_ptr_array_new ();

  for (guint i = 0; i < G_N_ELEMENTS (self->slow); i++)
    if (self->slow[i].call.latency > 0)
      g_ptr_array_add (calls, &self->slow[i]);
  g_ptr_array_sort (calls, compare_lengths);
  return calls;
}

/* Goes to the longest part of a node in that call; NULL: none is known, or no part has half of the
 * time. */
static const char *
find_next (TbLatencyDrill *self, const TbLatencySlowCall *call, guint32 *node, guint64 *ns)
{
  guint found = G_MAXUINT;

  for (guint i = 0; i < call->n; i++)
    if (call->parts[i].node != F0_NODE && get_node (self, call->parts[i].node)->parent == *node
        && (found == G_MAXUINT || call->parts[i].ns > call->parts[found].ns))
      found = i;
  if (found == G_MAXUINT || call->parts[found].ns < *ns / 2)
    return NULL;
  *node = call->parts[found].node;
  *ns = call->parts[found].ns;
  return tb_latency_drill_name_node (self, get_node (self, *node));
}

char *
tb_latency_drill_trace_slow (TbLatencyDrill *self, const TbLatencySlowCall *call)
{
  GString *text = g_string_new (NULL);
  guint64 ns = call->call.latency;
  guint32 node = F0_NODE;
  const char *name;

  while ((name = find_next (self, call, &node, &ns)) != NULL)
    {
      const TbLatencyNode *of = get_node (self, node);
      g_autofree char *site = tb_latency_drill_has_duplicate (self, of)
                                  ? tb_latency_drill_describe_site (self, of)
                                  : NULL;

      g_string_append_printf (text, "%s%s", text->len > 0 ? " → " : "", name);
      if (site != NULL)
        g_string_append_printf (text, " (%s)", site);
    }
  return g_string_free (text, FALSE);
}

static void
add_integer (JsonBuilder *builder, const char *member, gint64 value)
{
  json_builder_set_member_name (builder, member);
  json_builder_add_int_value (builder, value);
}

static void
add_string (JsonBuilder *builder, const char *member, const char *value)
{
  json_builder_set_member_name (builder, member);
  if (value != NULL)
    json_builder_add_string_value (builder, value);
  else
    json_builder_add_null_value (builder);
}

/* Adds the parts of the call by node. */
static void
add_parts (JsonBuilder *builder, TbLatencyDrill *self, const TbLatencySlowCall *call)
{
  json_builder_set_member_name (builder, "consists_of");
  json_builder_begin_array (builder);
  for (guint i = 0; i < call->n; i++)
    {
      const TbLatencyNode *node = get_node (self, call->parts[i].node);
      g_autofree char *site = tb_latency_drill_describe_site (self, node);
      g_autofree char *build_id = NULL;
      g_autofree char *place = tb_latency_drill_describe_place (self, node, &build_id);

      json_builder_begin_object (builder);
      add_integer (builder, "node", call->parts[i].node);
      add_integer (builder, "caller", node->parent != G_MAXUINT32 ? (gint64) node->parent : -1);
      add_string (builder, "name", tb_latency_drill_name_node (self, node));
      add_string (builder, "call_site", site);
      add_string (builder, "place", place);
      add_integer (builder, "ns", (gint64) call->parts[i].ns);
      json_builder_end_object (builder);
    }
  json_builder_end_array (builder);
}

/* Adds the longest examined calls, each with its parts: nodes and ns. */
void
tb_latency_slow_describe (JsonBuilder *builder, TbLatencyDrill *self)
{
  g_autoptr (GPtrArray) calls = tb_latency_drill_list_slow (self);

  json_builder_set_member_name (builder, "longest");
  json_builder_begin_array (builder);
  for (guint i = 0; i < calls->len; i++)
    {
      const TbLatencySlowCall *call = g_ptr_array_index (calls, i);
      g_autofree char *path = tb_latency_drill_trace_slow (self, call);

      json_builder_begin_object (builder);
      add_integer (builder, "begin_ns", (gint64) call->call.begin);
      add_integer (builder, "latency_ns", (gint64) call->call.latency);
      add_integer (builder, "tid", call->call.thread);
      add_integer (builder, "pid", call->call.pid);
      json_builder_set_member_name (builder, "mostly_in");
      json_builder_add_string_value (builder, path);
      json_builder_set_member_name (builder, "parts");
      json_builder_begin_array (builder);
      for (guint j = 0; j < call->n; j++)
        {
          json_builder_begin_array (builder);
          json_builder_add_int_value (builder, call->parts[j].node);
          json_builder_add_int_value (builder, (gint64) call->parts[j].ns);
          json_builder_end_array (builder);
        }
      json_builder_end_array (builder);
      add_parts (builder, self, call);
      json_builder_end_object (builder);
    }
  json_builder_end_array (builder);
}
