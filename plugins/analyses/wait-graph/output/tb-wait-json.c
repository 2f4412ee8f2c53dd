/* tb-wait-json.c: result of the analysis wait-graph as JSON: vertices with CPU holders, edges with
 * locks and stacks, components, bottlenecks, devices, work, proposals
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#include "config.h"

#include "tb-wait-json.h"

#include "model/tb-wait-names.h"
#include "trace/tb-trace-evidence.h"

#define CPU_HOLDERS_SHOWN 8
#define AWAITED_WAITS_SHOWN 8

static void
add_integer (JsonBuilder *builder, const char *name, gint64 value)
{
  json_builder_set_member_name (builder, name);
  json_builder_add_int_value (builder, value);
}

static void
add_integer_or_null (JsonBuilder *builder, const char *name, gint64 value, gboolean is_known)
{
  json_builder_set_member_name (builder, name);
  if (is_known)
    json_builder_add_int_value (builder, value);
  else
    json_builder_add_null_value (builder);
}

static void
add_string (JsonBuilder *builder, const char *name, const char *value)
{
  json_builder_set_member_name (builder, name);
  json_builder_add_string_value (builder, value);
}

static void
add_boolean (JsonBuilder *builder, const char *name, gboolean value)
{
  json_builder_set_member_name (builder, name);
  json_builder_add_boolean_value (builder, value);
}

/* Whether the run is cancelled. The caller of the analysis discards an incomplete result. */
static gboolean
is_cancelled (guint32 n_written)
{
  return n_written % 16 == 0 && g_cancellable_is_cancelled (g_cancellable_get_current ());
}

static const char *
get_id (const TbWaitResult *self, guint32 vertex)
{
  return tb_wait_graph_get_vertex (self->graph, vertex)->id;
}

static gboolean
is_thread (const TbWaitVertex *vertex)
{
  return vertex->kind == TB_WAIT_NODE_THREAD || vertex->kind == TB_WAIT_NODE_VIRTUAL;
}

/* By vertex: whether its activity is known, for several threads that of any of them. Devices count
 * if they had requests. */
static guint8 *
find_known (const TbWaitResult *self)
{
  const TbWaitGraph *graph = self->graph;
  guint8 *known = g_new0 (guint8, graph->vertices->len + 1);

  for (guint32 i = 0; i < graph->vertices->len; i++)
    known[i] = tb_wait_result_has_states (self, i);
  for (guint i = 0; i < self->devices->devices->len; i++)
    {
      guint32 vertex
          = graph->vertex_of_node[g_array_index (self->devices->devices, TbWaitDevice, i).node];

      if (vertex != TB_ID_NONE)
        known[vertex] = TRUE;
    }
  return known;
}

/* Only for vertices that are often runnable, because the threads that had the CPUs are looked up
 * row by row. */
static void
add_cpu_holders (const TbWaitResult *self, JsonBuilder *builder, guint32 vertex)
{
  g_autoptr (GArray) cpu_contention = NULL;

  if (!tb_wait_result_is_often_runnable (self, vertex))
    return;
  cpu_contention = tb_wait_cpu_contention_find (self->cpu_contention, vertex);
  json_builder_set_member_name (builder, "culprits");
  json_builder_begin_array (builder);
  for (guint i = 0; i < MIN (cpu_contention->len, CPU_HOLDERS_SHOWN); i++)
    {
      const TbWaitCpuHolder *cpu_holder = &g_array_index (cpu_contention, TbWaitCpuHolder, i);
      g_autofree char *id = g_strdup_printf ("%u", cpu_holder->thread);

      json_builder_begin_object (builder);
      add_string (builder, "id", id);
      add_string (builder, "name",
                  tb_trace_get_thread_name_at (self->trace, cpu_holder->thread, self->to));
      add_integer (builder, "ns", cpu_holder->ns);
      json_builder_end_object (builder);
    }
  json_builder_end_array (builder);
}

/* The program that a thread or process was; null for all other vertices. */
static void
add_programs (const TbWaitResult *self, JsonBuilder *builder, guint32 index)
{
  guint32 number = tb_wait_vertex_get_program_node (self->graph, index);
  const TbWaitNode *node
      = number != TB_ID_NONE ? tb_wait_model_get_node (self->model, number) : NULL;

  json_builder_set_member_name (builder, "programs");
  if (node != NULL && node->first != TB_TIME_NONE)
    tb_programs_add_json (self->model->programs, node->id, node->first, node->last, builder);
  else
    json_builder_add_null_value (builder);
}

static void
add_vertex (const TbWaitResult *self, JsonBuilder *builder, guint32 index, gboolean is_known)
{
  const TbWaitVertex *vertex = tb_wait_graph_get_vertex (self->graph, index);
  g_autoptr (GArray) threads = tb_wait_vertex_list_threads (self->graph, index);
  gboolean has_ends = !is_thread (vertex) || tb_wait_result_has_cpu_waits (self);

  json_builder_begin_object (builder);
  add_string (builder, "id", vertex->id);
  add_string (builder, "name", vertex->name);
  add_string (builder, "kind", tb_wait_vertex_get_kind (vertex));
  json_builder_set_member_name (builder, "members");
  json_builder_begin_array (builder);
  for (guint i = 0; i < threads->len; i++)
    {
      g_autofree char *id = g_strdup_printf ("%u", g_array_index (threads, guint32, i));

      json_builder_add_string_value (builder, id);
    }
  json_builder_end_array (builder);
  add_programs (self, builder, index);
  add_integer_or_null (builder, "running_ns", vertex->running, is_known);
  add_integer_or_null (builder, "runnable_ns", vertex->runnable, is_known && has_ends);
  add_integer_or_null (builder, "waiting_ns", vertex->waiting, is_known && has_ends);
  add_boolean (builder, "outside", vertex->outside);
  add_cpu_holders (self, builder, index);
  json_builder_end_object (builder);
}

/* Function names by stack, so that each stack is symbolized once. */
typedef struct
{
  const TbWaitResult *result;
  GHashTable *known; /* stack → GStrv */
} Namer;

static void
add_stack (Namer *namer, JsonBuilder *builder, const char *name, guint32 arc, TbWaitSide side)
{
  g_autoptr (GArray) stacks = tb_wait_stacks_sum (namer->result->stacks, arc, side);
  char **functions;
  gpointer stack;

  json_builder_set_member_name (builder, name);
  if (stacks->len == 0)
    {
      json_builder_add_null_value (builder);
      return;
    }
  stack = GUINT_TO_POINTER (g_array_index (stacks, TbWaitStack, 0).stack);
  functions = g_hash_table_lookup (namer->known, stack);
  if (functions == NULL)
    {
      functions = tb_trace_get_stack_functions (namer->result->trace, GPOINTER_TO_UINT (stack));
      g_hash_table_insert (namer->known, stack, functions);
    }
  json_builder_begin_array (builder);
  for (guint i = 0; functions[i] != NULL; i++)
    json_builder_add_string_value (builder, functions[i]);
  json_builder_end_array (builder);
}

/* Adds the lock for which most of the edge's time was waited, and the threads that ended these
 * waits. */
static void
add_lock (const TbWaitResult *self, JsonBuilder *builder, guint32 arc)
{
  const TbWaitLock *lock = tb_wait_locks_find (self->locks, arc);
  g_autofree char *name = lock != NULL ? tb_wait_lock_get_name (self->graph, lock) : NULL;

  add_string (builder, "lock", name);
  json_builder_set_member_name (builder, "holders");
  if (lock == NULL)
    {
      json_builder_add_null_value (builder);
      return;
    }
  json_builder_begin_array (builder);
  for (guint i = 0; i < lock->holders->len; i++)
    {
      const TbWaitHolder *holder = &g_array_index (lock->holders, TbWaitHolder, i);
      g_autofree char *id = g_strdup_printf ("%u", holder->thread);

      json_builder_begin_object (builder);
      add_string (builder, "id", id);
      add_string (builder, "name",
                  tb_trace_get_thread_name_at (self->trace, holder->thread, self->to));
      add_integer (builder, "waits", (gint64) holder->waits);
      add_integer (builder, "ns", holder->ns);
      json_builder_end_object (builder);
    }
  json_builder_end_array (builder);
}

static void
add_edge (const TbWaitResult *self, JsonBuilder *builder, guint32 index, Namer *namer)
{
  const TbWaitArc *arc = tb_wait_graph_get_arc (self->graph, index);

  json_builder_begin_object (builder);
  add_string (builder, "from", get_id (self, arc->from));
  add_string (builder, "to", get_id (self, arc->to));
  add_integer (builder, "weight_ns", arc->weight);
  add_integer (builder, "plain_ns", arc->plain);
  add_integer (builder, "waits", (gint64) arc->waits);
  add_integer (builder, "longest_ns", arc->longest);
  add_integer (builder, "asked_ns", arc->target_delay);
  add_boolean (builder, "idle", arc->idle);
  add_boolean (builder, "new_work", tb_wait_arc_is_for_work (arc));
  add_integer (builder, "bound_ns", arc->bound);
  add_integer (builder, "limits_ns", arc->limits);
  add_integer (builder, "by_way_ns", arc->forwarded);
  json_builder_set_member_name (builder, "by_way_of");
  if (arc->forwarder != TB_ID_NONE)
    json_builder_add_string_value (builder, get_id (self, arc->forwarder));
  else
    json_builder_add_null_value (builder);
  add_lock (self, builder, index);
  add_stack (namer, builder, "waiter_stack", index, TB_WAIT_WAITER);
  add_stack (namer, builder, "waker_stack", index, TB_WAIT_WAKER);
  json_builder_end_object (builder);
}

static void
add_edges (const TbWaitResult *self, JsonBuilder *builder)
{
  Namer namer = { self, g_hash_table_new_full (NULL, NULL, NULL, (GDestroyNotify) g_strfreev) };
  guint32 n = self->graph->arcs->len;
  g_autofree guint32 *order = g_new (guint32, n + 1);

  for (guint32 i = 0; i < n; i++)
    order[i] = i;
  g_sort_array (order, n, sizeof *order, tb_wait_graph_compare_arcs, self->graph);
  json_builder_set_member_name (builder, "edges");
  json_builder_begin_array (builder);
  for (guint32 i = 0; i < n && !is_cancelled (i); i++)
    add_edge (self, builder, order[i], &namer);
  json_builder_end_array (builder);
  json_builder_set_member_name (builder, "set_aside");
  json_builder_begin_array (builder);
  for (guint32 i = 0; i < n && !is_cancelled (i); i++)
    {
      const TbWaitArc *arc = tb_wait_graph_get_arc (self->graph, order[i]);

      if (arc->exclusion == TB_WAIT_EXCLUSION_NONE)
        continue;
      json_builder_begin_object (builder);
      add_string (builder, "from", get_id (self, arc->from));
      add_string (builder, "to", get_id (self, arc->to));
      add_string (builder, "reason", tb_wait_exclusion_get_name (arc->exclusion));
      json_builder_end_object (builder);
    }
  json_builder_end_array (builder);
  g_hash_table_unref (namer.known);
}

static void
add_ids (const TbWaitResult *self, JsonBuilder *builder, const char *name, const GArray *vertices)
{
  json_builder_set_member_name (builder, name);
  json_builder_begin_array (builder);
  for (guint i = 0; i < vertices->len; i++)
    json_builder_add_string_value (builder, get_id (self, g_array_index (vertices, guint32, i)));
  json_builder_end_array (builder);
}

static void
add_pairs (const TbWaitResult *self,
           JsonBuilder *builder,
           const char *name,
           const GArray *arcs,
           gboolean weigh)
{
  json_builder_set_member_name (builder, name);
  json_builder_begin_array (builder);
  for (guint i = 0; i < arcs->len; i++)
    {
      const TbWaitArc *arc = tb_wait_graph_get_arc (self->graph, g_array_index (arcs, guint32, i));

      json_builder_begin_array (builder);
      json_builder_add_string_value (builder, get_id (self, arc->from));
      json_builder_add_string_value (builder, get_id (self, arc->to));
      if (weigh)
        json_builder_add_int_value (builder, arc->weight);
      json_builder_end_array (builder);
    }
  json_builder_end_array (builder);
}

static void
add_component (const TbWaitResult *self,
               JsonBuilder *builder,
               const TbWaitComponent *component,
               const guint8 *known)
{
  static const char *const kinds[TB_N_WAIT_COMPONENTS] = { "knot", "sink", "idle", "inner" };
  gboolean any_thread = FALSE, any_known = FALSE;

  /* A component's times are those of its threads. */
  for (guint i = 0; i < component->vertices->len; i++)
    {
      guint32 vertex = g_array_index (component->vertices, guint32, i);
      gboolean counts = is_thread (tb_wait_graph_get_vertex (self->graph, vertex));

      any_thread |= counts;
      any_known |= counts && known[vertex];
    }

  json_builder_begin_object (builder);
  add_ids (self, builder, "vertices", component->vertices);
  add_string (builder, "kind", kinds[component->kind]);
  add_boolean (builder, "background", component->background);
  add_integer_or_null (builder, "running_ns", component->running, any_known || !any_thread);
  add_integer_or_null (builder, "runnable_ns", component->runnable,
                       (any_known && tb_wait_result_has_cpu_waits (self)) || !any_thread);
  if (component->cut_arcs != NULL)
    add_pairs (self, builder, "removed", component->cut_arcs, TRUE);
  json_builder_end_object (builder);
}

/* Adds the activity of the threads that the first edge waits for. */
static void
add_awaited_activity (const TbWaitResult *self,
                      JsonBuilder *builder,
                      const TbWaitBottleneck *bottleneck)
{
  const TbWaitAwaitedActivity *activity = tb_wait_result_get_awaited_activity (self, bottleneck);

  json_builder_set_member_name (builder, "meanwhile");
  if (activity == NULL)
    {
      json_builder_add_null_value (builder);
      return;
    }
  json_builder_begin_object (builder);
  add_integer (builder, "ns", activity->all);
  add_integer (builder, "running_ns", activity->running);
  add_integer (builder, "runnable_ns", activity->runnable);
  json_builder_set_member_name (builder, "waits");
  json_builder_begin_array (builder);
  for (guint i = 0; i < MIN (activity->waits->len, AWAITED_WAITS_SHOWN); i++)
    {
      const TbWaitAwaitedWait *wait = &g_array_index (activity->waits, TbWaitAwaitedWait, i);

      json_builder_begin_object (builder);
      add_string (builder, "id", get_id (self, wait->vertex));
      add_integer (builder, "ns", wait->ns);
      json_builder_end_object (builder);
    }
  json_builder_end_array (builder);
  json_builder_end_object (builder);
}

static void
add_bottleneck (const TbWaitResult *self, JsonBuilder *builder, const TbWaitBottleneck *bottleneck)
{
  json_builder_begin_object (builder);
  add_ids (self, builder, "vertices", bottleneck->vertices);
  json_builder_set_member_name (builder, "names");
  json_builder_begin_array (builder);
  for (guint i = 0; i < bottleneck->vertices->len; i++)
    json_builder_add_string_value (
        builder,
        tb_wait_graph_get_vertex (self->graph, g_array_index (bottleneck->vertices, guint32, i))
            ->name);
  json_builder_end_array (builder);
  add_pairs (self, builder, "edges", bottleneck->arcs, FALSE);
  add_pairs (self, builder, "removed", bottleneck->removed, TRUE);
  add_integer (builder, "gain_upper_bound_ns", bottleneck->bound);
  add_awaited_activity (self, builder, bottleneck);
  add_boolean (builder, "background",
               tb_wait_knots_get_component (self->knots, bottleneck->component)->background);
  json_builder_end_object (builder);
}

static void
add_double_or_null (JsonBuilder *builder, const char *name, double value, gboolean is_known)
{
  json_builder_set_member_name (builder, name);
  if (is_known)
    json_builder_add_double_value (builder, value);
  else
    json_builder_add_null_value (builder);
}

static void
add_capacity (JsonBuilder *builder, const TbWaitDevice *device)
{
  /* In the order of TbWaitCapacitySource. */
  static const char *const sources[] = { NULL, "given", "link", "peak" };
  gboolean is_known = device->source != TB_WAIT_CAPACITY_NONE;

  add_double_or_null (builder, "capacity", device->capacity, is_known);
  add_double_or_null (builder, "used", device->used, is_known);
  add_string (builder, "capacity_unit", !is_known ? NULL : device->in_bytes ? "bytes" : "requests");
  add_string (builder, "capacity_from", sources[device->source]);
  add_string (builder, "interface", device->interface);
  add_double_or_null (builder, "link_bits_per_second", device->link_speed * 8,
                      device->link_speed > 0);
}

static void
add_device (const TbWaitResult *self, JsonBuilder *builder, const TbWaitDevice *device)
{
  guint32 vertex = self->graph->vertex_of_node[device->node];

  if (vertex == TB_ID_NONE)
    return;
  json_builder_begin_object (builder);
  add_string (builder, "id", get_id (self, vertex));
  add_integer (builder, "requests", (gint64) device->requests);
  add_integer (builder, "bytes", (gint64) device->bytes);
  add_integer (builder, "busy_ns", device->busy);
  add_integer (builder, "idle_ns", device->idle);
  json_builder_set_member_name (builder, "mean_depth");
  json_builder_add_double_value (builder, device->depth);
  add_integer (builder, "deepest", device->deepest);
  add_capacity (builder, device);
  json_builder_end_object (builder);
}

static void
add_work (const TbWaitResult *self, JsonBuilder *builder)
{
  json_builder_set_member_name (builder, "work");
  if (self->work == NULL)
    {
      json_builder_add_null_value (builder);
      return;
    }
  json_builder_begin_object (builder);
  add_string (builder, "unit", self->work->unit);
  add_integer (builder, "count", (gint64) self->work->count);
  json_builder_set_member_name (builder, "per_second");
  json_builder_add_double_value (builder, self->work->per_second);
  json_builder_set_member_name (builder, "slices");
  json_builder_begin_array (builder);
  for (guint i = 0; i < TB_WAIT_WORK_SLICES; i++)
    json_builder_add_int_value (builder, (gint64) self->work->slices[i]);
  json_builder_end_array (builder);
  json_builder_end_object (builder);
}

static void
add_proposal (JsonBuilder *builder,
              TbWaitProposalKind kind,
              const char *vertex,
              const char *function,
              guint64 count,
              gint64 ns,
              const char *text,
              const char *ended)
{
  json_builder_begin_object (builder);
  add_string (builder, "kind", tb_wait_proposal_kind_get_name (kind));
  add_string (builder, "vertex", vertex);
  add_string (builder, "function", function);
  add_integer (builder, "count", (gint64) count);
  add_integer (builder, "effect_ns", ns);
  add_string (builder, "apply", text);
  add_string (builder, "ended_by", ended);
  json_builder_end_object (builder);
}

/* Adds the proposals that can be applied, and those that were. */
static void
add_proposals (const TbWaitResult *self, JsonBuilder *builder)
{
  json_builder_set_member_name (builder, "proposals");
  json_builder_begin_array (builder);
  for (guint i = 0; i < self->proposals->len; i++)
    {
      const TbWaitProposal *proposal = &g_array_index (self->proposals, TbWaitProposal, i);
      g_autofree char *function = tb_trace_get_stack_label (self->trace, proposal->stack);
      g_autofree char *text = tb_wait_proposal_get_text (self->graph, proposal);

      add_proposal (builder, proposal->kind, get_id (self, proposal->vertex), function,
                    proposal->count, proposal->ns, text,
                    proposal->kind == TB_WAIT_PROPOSE_SPIN ? "one" : NULL);
    }
  json_builder_end_array (builder);
  json_builder_set_member_name (builder, "applied");
  json_builder_begin_array (builder);
  for (guint i = 0; self->applied != NULL && i < self->applied->taken->len; i++)
    {
      const TbWaitAppliedProposal *taken
          = &g_array_index (self->applied->taken, TbWaitAppliedProposal, i);

      add_proposal (builder, taken->kind, taken->vertex, taken->function, taken->count, taken->ns,
                    taken->text, NULL);
    }
  json_builder_end_array (builder);
}

static int
compare_bounds (gconstpointer a, gconstpointer b, gpointer data)
{
  const TbWaitResult *self = data;
  guint left = *(const guint *) a, right = *(const guint *) b;
  gint64 left_bound = tb_wait_knots_get_bottleneck (self->knots, left)->bound;
  gint64 right_bound = tb_wait_knots_get_bottleneck (self->knots, right)->bound;

  if (left_bound != right_bound)
    return left_bound > right_bound ? -1 : 1;
  return left < right ? -1 : left > right;
}

/* Adds the bottlenecks by descending bound, including background ones. */
static void
add_bottlenecks (const TbWaitResult *self, JsonBuilder *builder)
{
  guint n = self->knots->bottlenecks->len;
  g_autofree guint *order = g_new (guint, n + 1);

  for (guint i = 0; i < n; i++)
    order[i] = i;
  g_sort_array (order, n, sizeof *order, compare_bounds, (gpointer) self);
  json_builder_set_member_name (builder, "bottlenecks");
  json_builder_begin_array (builder);
  for (guint i = 0; i < n; i++)
    add_bottleneck (self, builder, tb_wait_knots_get_bottleneck (self->knots, order[i]));
  json_builder_end_array (builder);
}

JsonNode *
tb_wait_result_to_json (const TbWaitResult *self)
{
  g_autoptr (JsonBuilder) builder = json_builder_new ();
  g_autofree guint8 *known = find_known (self);

  json_builder_begin_object (builder);
  add_integer (builder, "recorded_ns", self->to - self->from);
  json_builder_set_member_name (builder, "vertices");
  json_builder_begin_array (builder);
  for (guint32 i = 0; i < self->graph->vertices->len && !is_cancelled (i); i++)
    add_vertex (self, builder, i, known[i]);
  json_builder_end_array (builder);
  add_edges (self, builder);
  json_builder_set_member_name (builder, "components");
  json_builder_begin_array (builder);
  for (guint32 i = 0; i < self->knots->components->len && !is_cancelled (i); i++)
    add_component (self, builder, tb_wait_knots_get_component (self->knots, i), known);
  json_builder_end_array (builder);
  add_bottlenecks (self, builder);
  json_builder_set_member_name (builder, "devices");
  json_builder_begin_array (builder);
  for (guint i = 0; i < self->devices->devices->len; i++)
    add_device (self, builder, &g_array_index (self->devices->devices, TbWaitDevice, i));
  json_builder_end_array (builder);
  add_integer (builder, "unmatched_waits", (gint64) self->model->unmatched_waits);
  add_integer (builder, "unmatched_ns", self->model->unmatched_ns);
  add_integer (builder, "open_waits", (gint64) self->model->open_waits);
  add_integer (builder, "open_ns", self->model->open_ns);
  add_integer (builder, "stray_wakeups", (gint64) self->model->stray_wakeups);
  add_integer (builder, "cycles_cut", (gint64) self->model->cycles_cut);
  add_integer (builder, "merged_cycles", (gint64) self->model->merged_cycles);
  add_work (self, builder);
  add_proposals (self, builder);
  json_builder_set_member_name (builder, "what_if");
  json_builder_begin_array (builder);
  json_builder_end_array (builder);
  json_builder_end_object (builder);
  return json_builder_get_root (builder);
}
