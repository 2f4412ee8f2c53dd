/* tb-latency-next-step.c: next step of a drill-down below a root cause, chosen and taken: probes
 * attached at its calls or blocks with calls, counting with the probes that there are, or end of
 * the path
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Source: A. Traeger, I. Deras and E. Zadok, "DARC: Dynamic Analysis of Root Causes of Latency
 * Distributions", 2008, section 3. The search descends one level at a time into the callees of root
 * causes. The steps for waits, for calls as short as their probes and for the limits of the agent
 * are not in the paper.
 */

#include "config.h"

#include "tb-latency-drill-private.h"

/* Of 110 measurements on a machine with other load, 84 lay within a tenth of the median of the same
 * probes and 99 within this part of it. */
#define COST_VARIATION 0.33

/* What follows for a node that is a root cause */
typedef enum
{
  STEP_END,       /* the path ends here: nothing inside can be measured */
  STEP_TOO_SHORT, /* the path ends here: probes inside would mostly measure themselves */
  STEP_CUT,       /* the path ends here because of a limit */
  STEP_COUNT,     /* the time of its parts is counted, with the probes that there are */
  STEP_ATTACH,    /* its callees are counted as soon as the function has its probes */
  STEP_AWAIT,     /* the same; another node of the function has requested the probes */
} NextStep;

/* The mean latency of a call in ns; for f0: of the calls in the peak. If a range drawn by hand has
 * no calls yet: its lower limit. */
static double
get_mean (TbLatencyDrill *self, guint32 id)
{
  const TbLatencyNode *node = get_node (self, id);
  guint64 n = 0;
  gint64 total = 0;

  if (id != F0_NODE)
    return (double) node->callee_counter.total / (double) MAX (node->callee_counter.entered, 1);
  for (guint bin = self->range.first; bin <= self->range.last && bin < self->bins.n; bin++)
    {
      n += self->histogram->counts[bin];
      total += self->histogram->totals[bin];
    }
  return n > 0 ? (double) total / (double) n : (double) self->bins.edges[self->range.first];
}

/* By how much the mean latency may be wrong, in ns: the cost of f0's own probes is subtracted as it
 * was measured before, and changes with the load. */
static double
get_uncertainty (TbLatencyDrill *self, guint32 id)
{
  return id == F0_NODE ? COST_VARIATION * (double) self->probes.cost.floor : 0;
}

/* Whether a call takes no longer than the two probes that a callee needs at least, so that mostly
 * probes would be measured */
static gboolean
is_too_short (TbLatencyDrill *self, guint32 id, const TbLatencyCode *code)
{
  guint64 cheap = self->probes.cost.site, stepped = MAX (self->probes.cost.stepped, cheap);
  guint n_cheap = 0;
  double probe;

  /* The cost of kernel probes was not measured for this. */
  if (code->points->len == 0 || cheap == 0
      || tb_latency_image_is_kernel (get_node (self, id)->function->image))
    return FALSE;
  for (guint i = 0; i < code->points->len; i++)
    n_cheap += g_array_index (code->points, TbLatencyPoint, i).is_cheap;
  probe = ((double) n_cheap * (double) cheap
           + (double) (code->points->len - n_cheap) * (double) stepped)
          / code->points->len;
  return get_mean (self, id) <= 2 * probe + get_uncertainty (self, id);
}

/* Whether the agent's table has no room for the sites of one more function. Marks of phases and
 * functions of clients use the highest ones. */
static gboolean
is_table_full (TbLatencyDrill *self, const TbLatencyCode *code)
{
  return self->n_sites + code->points->len + self->phase.marks->len + self->clients.path->len
         > TB_CAPTURE_LATENCY_MAX_SITES;
}

static gboolean
is_limit_reached (TbLatencyDrill *self, const TbLatencyNode *node, const TbLatencyCode *code)
{
  const TbLatencyFunction *function = node->function;

  /* DARC, section 3: a path ends at the length that the user has chosen. */
  if (node->depth >= self->options.max_depth)
    return TRUE;
  /* The agent cannot attach its probes, or has no group of probes left. */
  if (function->is_refused || function->id >= TB_CAPTURE_LATENCY_CLIENTS_GROUP)
    return TRUE;
  /* Its sites are counted once, also while its probes are being attached or are narrowed. */
  return !function->has_sites && is_table_full (self, code);
}

/* Whether probes of the function are being attached for another of its nodes. */
static gboolean
is_being_attached (TbLatencyDrill *self, guint32 id)
{
  for (guint32 i = 0; i < self->tree->n_nodes; i++)
    if (i != id && get_node (self, i)->function == get_node (self, id)->function
        && get_node (self, i)->phase == TB_LATENCY_ATTACHING)
      return TRUE;
  return FALSE;
}

/* For a function or a system call */
static NextStep
choose_step_for_call (TbLatencyDrill *self, guint32 id)
{
  const TbLatencyNode *node = get_node (self, id);
  TbLatencyFunction *function = node->function;
  const TbLatencyCode *code = function != NULL ? tb_latency_function_get_code (function) : NULL;

  /* Callees cannot be probed in code that has no name, in kernel code that cannot be read, and in
   * the handler of a system call if the agent has refused it. System calls and waits inside the
   * call can still be measured. */
  if (code == NULL || (!code->is_known && tb_latency_image_is_kernel (function->image))
      || (node->kind == TB_LATENCY_SYSCALL && function->is_refused))
    return STEP_COUNT;
  /* DARC, section 3: a path ends at a function that calls no other. */
  if (!code->is_known || (code->sites->len == 0 && !code->has_syscall))
    return STEP_END;
  if (is_too_short (self, id, code))
    return STEP_TOO_SHORT;
  if (is_limit_reached (self, node, code))
    return STEP_CUT;
  /* It makes system calls only, which need no probes. */
  if (code->points->len == 0)
    return STEP_COUNT;
  /* DARC, section 3.1: a function is probed once for all of its nodes. */
  if (function->is_attached && !function->is_narrowed)
    return STEP_COUNT;
  return is_being_attached (self, id) ? STEP_AWAIT : STEP_ATTACH;
}

static NextStep
choose_step (TbLatencyDrill *self, guint32 id)
{
  const TbLatencyNode *node = get_node (self, id);
  gboolean is_for_device;

  if (node->kind == TB_LATENCY_SYSCALL || node->kind == TB_LATENCY_FUNCTION)
    return choose_step_for_call (self, id);
  /* Of all else, only a request has parts: the time in its queue and that at the device. Waits for
   * requests are uninterruptible. */
  is_for_device = node->kind == TB_LATENCY_REQUEST
                  || (node->kind == TB_LATENCY_WAIT && (node->key & TASK_UNINTERRUPTIBLE) != 0);
  return is_for_device && node->depth < self->options.max_depth ? STEP_COUNT : STEP_END;
}

/* DARC, section 3.3: blocks are examined before calls if a function has more calls than may be
 * probed at a time, or if the user prefers fewer probes. An earlier search has already decided
 * between the calls. */
static gboolean
are_blocks_first (const TbLatencyDrill *self, const TbLatencyCode *code)
{
  gboolean has_fewer_blocks = code->n_blocks > 1 && code->n_blocks < code->sites->len;

  return self->saved.state == NULL && has_fewer_blocks
         && (self->options.blocks_first || code->sites->len > self->options.max_probes);
}

static void
attach_function (TbLatencyDrill *self, TbLatencyFunction *function)
{
  const TbLatencyCode *code = tb_latency_function_get_code (function);

  if (!function->has_sites)
    {
      function->has_sites = TRUE;
      tb_latency_drill_read_callees (self, function);
      function->first_site = self->n_sites;
      self->n_sites += code->points->len;
      function->is_by_blocks = are_blocks_first (self, code);
    }
  function->is_narrowed = FALSE;
  tb_latency_drill_send_points (self, function, function->chosen);
  tb_latency_drill_request_attach (self, function->id);
}

void
tb_latency_drill_take_next_step (TbLatencyDrill *self, guint32 id)
{
  TbLatencyNode *node = get_node (self, id);

  if (node->kind == TB_LATENCY_SYSCALL && node->function == NULL)
    node->function = tb_latency_drill_find_handler (self, node);
  node->phase = TB_LATENCY_DECIDED;
  switch (choose_step (self, id))
    {
    case STEP_TOO_SHORT:
      node->is_too_short = TRUE;
      break;
    case STEP_CUT:
      node->is_cut = TRUE;
      break;
    case STEP_COUNT:
      tb_latency_drill_start_deciding (self, id);
      break;
    case STEP_ATTACH:
      node->phase = TB_LATENCY_ATTACHING;
      attach_function (self, node->function);
      break;
    case STEP_AWAIT:
      node->phase = TB_LATENCY_ATTACHING;
      break;
    case STEP_END:
    default:
      break;
    }
}
