/* tb-latency-levels.c: levels of a drill-down: nodes for the callees of a call that is opened,
 * decision by their counters which are root causes, blame of interrupts, end of the search
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#include "config.h"

#include <glib/gi18n.h>

#include "tb-latency-drill-private.h"

/* Multiple of the calls needed for a decision after which the decision is abandoned */
#define ABANDON_FACTOR 50
/* An interrupt this many times as frequent as by chance is no coincidence. */
#define MIN_LIFT 4
#define N_SERVERS 2

static void
add_site (TbLatencyDrill *self, guint32 id, guint i)
{
  const TbLatencyNode *node = get_node (self, id);
  const TbLatencySite *site
      = &g_array_index (tb_latency_function_get_code (node->function)->sites, TbLatencySite, i);
  g_autofree char *name = tb_latency_name_site (node->function, site);
  const TbLatencySymbol *symbol
      = site->target != 0 ? tb_latency_image_find_at (node->function->image, site->target) : NULL;
  TbLatencyNode *child
      = tb_latency_tree_add (self->tree, node->first_child + i, id,
                             site->target != 0 ? TB_LATENCY_FUNCTION : TB_LATENCY_OTHER_CALLEES,
                             name);

  child->site = i;
  if (symbol != NULL)
    child->function = tb_latency_drill_get_function (self, node->function->image, symbol);
  tb_latency_drill_send_node (self, node->first_child + i, TB_CAPTURE_LATENCY_RESET, 0, 0);
}

static void
add_block (TbLatencyDrill *self, guint32 id, guint i)
{
  const TbLatencyNode *node = get_node (self, id);
  guint32 child = node->first_child + tb_latency_function_get_code (node->function)->sites->len + i;
  g_autofree char *name
      = g_strdup_printf (_ ("block %u of %s"), i + 1, node->function->symbol->name);

  tb_latency_tree_add (self->tree, child, id, TB_LATENCY_BLOCK, name);
  tb_latency_drill_send_node (self, child, TB_CAPTURE_LATENCY_RESET, 0, 0);
}

static void
add_disturbances (TbLatencyDrill *self, guint32 id)
{
  const TbLatencyNode *node = get_node (self, id);

  for (guint i = 0; i < TB_CAPTURE_LATENCY_DISTURBANCES; i++)
    {
      if (!get_node (self, node->disturbances + i)->is_used)
        tb_latency_tree_add (self->tree, node->disturbances + i, id,
                             i == 0   ? TB_LATENCY_PREEMPTED
                             : i == 1 ? TB_LATENCY_RUN_QUEUE
                                      : TB_LATENCY_INTERRUPT,
                             NULL);
      get_node (self, node->disturbances + i)->key = i;
      tb_latency_drill_send_node (self, node->disturbances + i,
                                  TB_CAPTURE_LATENCY_RESET | TB_CAPTURE_LATENCY_DISTURBANCE, 0, 0);
    }
}

/* Adds the servers of a wait or request: queue and device. */
static void
add_servers (TbLatencyDrill *self, guint32 id)
{
  static const TbLatencyKind kinds[N_SERVERS] = { TB_LATENCY_QUEUE, TB_LATENCY_SERVICE };
  guint32 first = get_node (self, id)->first_child;

  for (guint i = 0; i < N_SERVERS; i++)
    {
      tb_latency_tree_add (self->tree, first + i, id, kinds[i], NULL);
      tb_latency_drill_send_node (self, first + i, TB_CAPTURE_LATENCY_RESET, 0, 0);
    }
}

/* Adds nodes for the callees, or for the blocks that contain calls, and for the disturbances. */
static gboolean
add_children (TbLatencyDrill *self, guint32 id)
{
  TbLatencyNode *node = get_node (self, id);
  const TbLatencyFunction *function = node->function;
  const TbLatencyCode *code
      = function != NULL ? tb_latency_function_get_code (node->function) : NULL;
  guint n = code != NULL ? code->sites->len : 0, n_blocks = code != NULL ? code->n_blocks : 0;
  guint n_servers
      = node->kind == TB_LATENCY_WAIT || node->kind == TB_LATENCY_REQUEST ? N_SERVERS : 0;

  if (node->disturbances == 0)
    {
      guint n_children = n + n_blocks + n_servers;
      guint32 first
          = tb_latency_tree_reserve (self->tree, n_children + TB_CAPTURE_LATENCY_DISTURBANCES);

      if (first == G_MAXUINT32)
        return FALSE;
      node->first_child = first;
      node->disturbances = first + n_children;
      if (n_servers > 0)
        add_servers (self, id);
    }
  for (guint i = 0; i < n; i++)
    if (!function->is_by_blocks && (function->chosen == NULL || function->chosen[i]))
      add_site (self, id, i);
  for (guint i = 0; i < n_blocks; i++)
    if (function->is_by_blocks)
      add_block (self, id, i);
  add_disturbances (self, id);
  return TRUE;
}

/* Applies a decision of the earlier search, which is not taken again. */
static void
apply_saved (TbLatencyDrill *self, guint32 id)
{
  guint32 n = self->tree->n_nodes;

  if (!tb_latency_drill_apply_saved (self, id))
    return;
  for (guint32 i = 0; i < n; i++)
    if (get_node (self, i)->is_used && get_node (self, i)->parent == id
        && tb_latency_drill_apply_saved_callee (self, i))
      tb_latency_drill_take_next_step (self, i);
}

/* Starts counting the node's callees. */
void
tb_latency_drill_start_deciding (TbLatencyDrill *self, guint32 id)
{
  TbLatencyNode *node = get_node (self, id);

  if (!add_children (self, id))
    {
      node->is_cut = TRUE;
      node->phase = TB_LATENCY_DECIDED;
      return;
    }
  node->phase = TB_LATENCY_DECIDING;
  node->calls_before = self->histogram->calls;
  node->opened_time = get_time ();
  node->counter = (TbCaptureLatencyCounter) { 0 };
  tb_latency_drill_send_node (self, id, TB_CAPTURE_LATENCY_OPEN | TB_CAPTURE_LATENCY_RESET, 0, 0);
  apply_saved (self, id);
}

static gboolean
is_undecided (TbLatencyDrill *self)
{
  for (guint32 i = 0; i < self->tree->n_nodes; i++)
    if (get_node (self, i)->is_used
        && (get_node (self, i)->phase == TB_LATENCY_ATTACHING
            || get_node (self, i)->phase == TB_LATENCY_DECIDING))
      return TRUE;
  return FALSE;
}

void
tb_latency_drill_finish (TbLatencyDrill *self)
{
  self->is_over = TRUE;
  if (self->times.decided == 0)
    self->times.decided = get_time ();
  for (guint i = 0; i < self->functions->len; i++)
    {
      TbLatencyFunction *function = g_ptr_array_index (self->functions, i);

      if (function->is_attached)
        tb_latency_drill_detach (self, function->id);
      function->is_attached = FALSE;
    }
  tb_latency_drill_detach (self, F0_GROUP);
  if (self->clients.path->len > 0)
    tb_latency_drill_detach (self, TB_CAPTURE_LATENCY_CLIENTS_GROUP);
}

/* Examines the calls of the root-cause blocks one by one. FALSE: there is none. */
static gboolean
open_blocks (TbLatencyDrill *self, guint32 id)
{
  TbLatencyNode *node = get_node (self, id);
  TbLatencyFunction *function = node->function;
  const TbLatencyCode *code = tb_latency_function_get_code (function);
  guint32 first = node->first_child + code->sites->len;
  guint n = 0, n_users = 0;

  function->is_by_blocks = FALSE;
  function->chosen = g_new0 (guint8, code->sites->len + 1);
  for (guint i = 0; i < code->sites->len; i++)
    {
      function->chosen[i]
          = get_node (self, first + g_array_index (code->sites, TbLatencySite, i).block)
                ->is_root_cause;
      n += function->chosen[i];
    }
  for (guint32 i = 0; i < self->tree->n_nodes; i++)
    n_users += get_node (self, i)->is_used && get_node (self, i)->function == function
               && get_node (self, i)->disturbances != 0;
  if (n == 0)
    return FALSE;
  /* Another call of this function may be slow for a different reason. */
  if (n_users > 1)
    g_clear_pointer (&function->chosen, g_free);
  for (guint32 i = 0; i < self->tree->n_nodes; i++)
    if (get_node (self, i)->is_used && get_node (self, i)->parent == id)
      {
        get_node (self, i)->is_root_cause = FALSE;
        get_node (self, i)->is_used = get_node (self, i)->kind != TB_LATENCY_BLOCK;
        if (!get_node (self, i)->is_used)
          g_clear_pointer (&get_node (self, i)->name, g_free);
      }
  node->is_self_cause = FALSE;
  node->phase = TB_LATENCY_ATTACHING;
  tb_latency_drill_send_points (self, function, function->chosen);
  tb_latency_drill_request_attach (self, function->id);
  return TRUE;
}

/* In ns, including disturbances */
static double
get_whole_mean (TbLatencyDrill *self, guint32 id)
{
  const TbLatencyNode *node = get_node (self, id);
  guint64 total = node->counter.total;

  for (guint i = 0; i < TB_CAPTURE_LATENCY_DISTURBANCES; i++)
    total += get_node (self, node->disturbances + i)->callee_counter.total;
  return (double) total / (double) MAX (node->counter.calls, 1);
}

/* The cost of an interrupt before its handler begins and after it ends is not recorded. In a
 * virtual machine it exceeds that of the handler, so that a call's own time appears to be the
 * longest part. But calls that an interrupt hits far more often than by chance are slow because of
 * it and not by themselves. Then the rule of the paper decides between the two. */
static void
blame_interrupts (TbLatencyDrill *self, guint32 id)
{
  TbLatencyNode *node = get_node (self, id);
  double mean = get_whole_mean (self, id), least;
  guint64 most = 0, own = node->counter.self_maxcount;

  for (guint i = 2; i < TB_CAPTURE_LATENCY_DISTURBANCES; i++)
    {
      TbLatencyNode *child = get_node (self, node->disturbances + i);
      guint64 calls = child->callee_counter.calls, gap = self->sources[i].gap;

      child->expected = gap > 0 ? (double) node->counter.calls * MIN (mean / (double) gap, 1) : -1;
      child->is_blamed = node->is_self_cause && gap > 0 && calls > 0
                         && (double) calls >= MIN_LIFT * child->expected;
      if (child->is_blamed)
        most = MAX (most, calls);
    }
  own -= MIN (own, most);
  least = self->options.root_cause_threshold * (double) MAX (own, most);
  for (guint i = 2; i < TB_CAPTURE_LATENCY_DISTURBANCES; i++)
    {
      TbLatencyNode *child = get_node (self, node->disturbances + i);

      child->is_blamed = child->is_blamed && (double) child->callee_counter.calls >= least;
      child->is_root_cause = child->is_root_cause || child->is_blamed;
    }
  if ((double) own < least)
    node->is_self_cause = FALSE;
}

static void
decide (TbLatencyDrill *self, guint32 id)
{
  TbLatencyFunction *function = get_node (self, id)->function;

  tb_latency_tree_decide (self->tree, id, self->options.root_cause_threshold);
  blame_interrupts (self, id);
  if (function != NULL && function->is_by_blocks && open_blocks (self, id))
    return;
  for (guint32 i = 0; i < self->tree->n_nodes; i++)
    if (get_node (self, i)->is_used && get_node (self, i)->parent == id
        && get_node (self, i)->is_root_cause)
      tb_latency_drill_take_next_step (self, i);
  if (function != NULL)
    tb_latency_drill_remove_unneeded_probes (self, function);
}

/* Whether f0 has been called so often since the node was opened that a decision should have been
 * taken several times: the latencies or the paths of calls have changed. */
static gboolean
is_stalled (TbLatencyDrill *self, guint32 id)
{
  guint64 calls = self->histogram->calls - get_node (self, id)->calls_before;

  return get_time () - get_node (self, id)->opened_time >= G_USEC_PER_SEC * 1000
         && (double) calls * self->peak_share
                >= ABANDON_FACTOR * (double) self->options.decision_calls;
}

void
tb_latency_drill_evaluate_counters (TbLatencyDrill *self)
{
  guint32 n = self->tree->n_nodes;

  for (guint32 i = 0; i < n; i++)
    if (get_node (self, i)->is_used && get_node (self, i)->phase == TB_LATENCY_DECIDING
        && get_node (self, i)->counter.calls >= self->options.decision_calls)
      decide (self, i);
    else if (get_node (self, i)->is_used && get_node (self, i)->phase == TB_LATENCY_DECIDING
             && is_stalled (self, i))
      {
        get_node (self, i)->is_abandoned = TRUE;
        decide (self, i);
      }
  if (self->is_peak_chosen && !self->is_over
      && get_node (self, F0_NODE)->phase == TB_LATENCY_DECIDED && !is_undecided (self)
      && tb_latency_drill_narrow_leaves (self))
    tb_latency_drill_finish (self);
}

/* Counts from before all callees had nodes are invalid. */
static void
restart_decision (TbLatencyDrill *self, guint32 id)
{
  if (get_node (self, id)->phase != TB_LATENCY_DECIDING)
    return;
  for (guint32 i = 0; i < self->tree->n_nodes; i++)
    {
      TbLatencyNode *node = get_node (self, i);

      if (!node->is_used || node->parent != id)
        continue;
      node->counter = (TbCaptureLatencyCounter) { 0 };
      tb_latency_drill_send_node (self, i,
                                  TB_CAPTURE_LATENCY_RESET
                                      | (node->kind == TB_LATENCY_PREEMPTED
                                                 || node->kind == TB_LATENCY_RUN_QUEUE
                                                 || node->kind == TB_LATENCY_INTERRUPT
                                             ? TB_CAPTURE_LATENCY_DISTURBANCE
                                             : 0),
                                  0, 0);
    }
  get_node (self, id)->counter = (TbCaptureLatencyCounter) { 0 };
  get_node (self, id)->calls_before = self->histogram->calls;
  get_node (self, id)->opened_time = get_time ();
  tb_latency_drill_send_node (self, id, TB_CAPTURE_LATENCY_OPEN | TB_CAPTURE_LATENCY_RESET, 0, 0);
}

/* Sites are numbered from 1 in the agent's records; 0: a wait or a system call, not a call site. */
static gboolean
has_site (const TbLatencyNode *node, guint32 site)
{
  const TbLatencyCode *code
      = node->function != NULL ? tb_latency_function_get_code (node->function) : NULL;

  return site == 0 || (code != NULL && site <= code->sites->len);
}

void
tb_latency_drill_take_callee (TbLatencyDrill *self, const TbCaptureLatencyCallee *callee)
{
  TbLatencyFunction *function = NULL;
  TbLatencyKind kind = TB_LATENCY_FUNCTION;
  g_autofree char *name = NULL;
  TbLatencyNode *node;
  guint32 id = G_MAXUINT32;

  if (callee->node >= self->tree->n_nodes || !get_node (self, callee->node)->is_used
      || !has_site (get_node (self, callee->node), callee->site))
    return;
  if (callee->site == 0 && (callee->target & TB_CAPTURE_LATENCY_SYSCALL) != 0)
    {
      guint64 number = callee->target & ~TB_CAPTURE_LATENCY_SYSCALL;

      kind = TB_LATENCY_SYSCALL;
      name = tb_latency_get_call_name (number) != NULL
                 ? g_strdup_printf ("syscall:%s", tb_latency_get_call_name (number))
                 : g_strdup_printf ("syscall:%u", (guint) number);
      tb_latency_drill_read_handler (self, number);
    }
  else if (callee->site == 0)
    {
      kind = TB_LATENCY_WAIT;
      name = g_strdup ((callee->target & TASK_UNINTERRUPTIBLE) != 0 ? "uninterruptible"
                                                                    : "interruptible");
    }
  else
    {
      function = tb_latency_drill_find_function (self, callee->pid, callee->target);
      name = function != NULL ? g_strdup (function->symbol->name)
                              : g_strdup_printf ("0x%" G_GINT64_MODIFIER "x", callee->target);
    }
  /* The same function has another address in another process. */
  for (guint32 i = 0; function != NULL && i < self->tree->n_nodes && id == G_MAXUINT32; i++)
    if (get_node (self, i)->is_used && get_node (self, i)->parent == callee->node
        && get_node (self, i)->site == callee->site - 1 && get_node (self, i)->function == function)
      id = i;
  if (id == G_MAXUINT32)
    {
      id = tb_latency_tree_reserve (self->tree, 1);
      if (id == G_MAXUINT32)
        return;
      node = tb_latency_tree_add (self->tree, id, callee->node, kind, name);
      node->function = function;
      node->key = callee->target;
      node->site = callee->site > 0 ? callee->site - 1 : G_MAXUINT;
      tb_latency_drill_send_node (self, id, TB_CAPTURE_LATENCY_RESET, callee->target, callee->site);
    }
  else
    tb_latency_drill_send_node (self, id,
                                get_node (self, id)->disturbances != 0 ? TB_CAPTURE_LATENCY_OPEN
                                                                       : 0,
                                callee->target, callee->site);
  if (get_node (self, callee->node)->phase == TB_LATENCY_DECIDED
      && get_node (self, id)->phase == TB_LATENCY_NOT_EXAMINED
      && tb_latency_drill_apply_saved_callee (self, id))
    tb_latency_drill_take_next_step (self, id);
  restart_decision (self, callee->node);
}
