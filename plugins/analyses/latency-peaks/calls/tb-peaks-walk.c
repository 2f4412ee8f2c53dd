/* tb-peaks-walk.c: walk through each thread's calls in order of time, which attributes running,
 * waiting and interrupt time to nodes of the drill-down tree by calls, stacks and samples
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#include "config.h"

#include "latency-state/tb-peaks-function-names.h"
#include "tb-peaks-walk.h"

/* A cached call site. For a system call: where the open function makes the call that leads to it.
 * For a probed function: where it is called. */
typedef struct
{
  const char *function;
  guint32 stack;
  gboolean is_probed;
  guint64 address; /* return address of a probed function; 0 for system calls */
  guint64 site;
} FoundSite;

#define N_FOUND_SITES 1024

void
tb_peaks_walk_init (TbPeaksWalk *self, TbPeaksDrill *drill, guint max_depth)
{
  self->drill = drill;
  self->trace = drill->calls->trace;
  self->contexts = tb_trace_get_context_tree (self->trace);
  self->intervals = tb_trace_get_intervals (self->trace);
  self->max_depth = MIN (max_depth, TB_PEAKS_MAX_DEPTH);
  self->callees = g_array_new (FALSE, FALSE, sizeof (TbPeaksCallee));
  self->open = g_array_new (FALSE, FALSE, sizeof (guint32));
  self->samples = g_array_new (FALSE, FALSE, sizeof (guint32));
  self->chain = g_array_new (FALSE, FALSE, sizeof (TbPeaksStep));
  self->found_sites = g_new0 (FoundSite, N_FOUND_SITES);
}

static const void *
load_call_column (TbPeaksWalk *self, guint slot, TbTableKind kind, guint column, GError **error)
{
  TbTable *table = tb_session_get_table (tb_trace_get_session (self->trace), kind);

  self->call_columns[slot] = tb_table_get_column (table, column, error);
  return self->call_columns[slot] != NULL ? g_bytes_get_data (self->call_columns[slot], NULL)
                                          : NULL;
}

gboolean
tb_peaks_walk_load (TbPeaksWalk *self, const guint8 *wanted, GError **error)
{
  const TbPeaksCalls *calls = self->drill->calls;
  TbSession *session = tb_trace_get_session (calls->trace);

  if (!tb_peaks_interrupts_init (&self->interrupts, session, wanted, calls->n_threads, error)
      || !tb_peaks_samples_init (&self->recorded, session, wanted, calls->n_threads, error))
    return FALSE;
  self->has_samples
      = self->recorded.index.first != NULL && self->recorded.index.first[calls->n_threads] > 0;
  if (!tb_peaks_awaited_activity_init (&self->servers, calls, self->drill->tree, self->open, error)
      || !tb_peaks_sites_init (&self->sites, session, error))
    return FALSE;
  if (calls->tables[TB_PEAKS_SYSCALL].n > 0
      && (self->syscall_stacks
          = load_call_column (self, 0, TB_TABLE_SYSCALL, TB_SYSCALL_STACK, error))
             == NULL)
    return FALSE;
  if (calls->tables[TB_PEAKS_FUNCTION].n == 0)
    return TRUE;
  self->addresses = load_call_column (self, 1, TB_TABLE_CALL, TB_CALL_SITE, error);
  self->function_stacks = self->addresses != NULL
                              ? load_call_column (self, 2, TB_TABLE_CALL, TB_CALL_STACK, error)
                              : NULL;
  return self->function_stacks != NULL;
}

void
tb_peaks_walk_clear (TbPeaksWalk *self)
{
  tb_peaks_interrupts_clear (&self->interrupts);
  tb_peaks_samples_clear (&self->recorded);
  tb_peaks_awaited_activity_clear (&self->servers);
  tb_peaks_sites_clear (&self->sites);
  for (guint i = 0; i < G_N_ELEMENTS (self->call_columns); i++)
    g_clear_pointer (&self->call_columns[i], g_bytes_unref);
  g_clear_pointer (&self->found_sites, g_free);
  g_clear_pointer (&self->samples, g_array_unref);
  g_clear_object (&self->contexts);
  g_clear_pointer (&self->callees, g_array_unref);
  g_clear_pointer (&self->open, g_array_unref);
  g_clear_pointer (&self->chain, g_array_unref);
  g_clear_pointer (&self->syscall_names, g_free);
  g_clear_pointer (&self->function_names, g_free);
}

void
tb_peaks_walk_begin_thread (TbPeaksWalk *self, guint32 thread)
{
  gsize first, n;

  tb_trace_get_thread_intervals (self->trace, thread, &first, &n);
  self->row = first;
  self->end_row = first + n;
  g_array_set_size (self->callees, 0);
  self->next_callee = 0;
  self->next_interrupt = self->end_interrupt = 0;
  self->next_sample = self->end_sample = 0;
  if (self->recorded.index.first != NULL)
    {
      self->next_sample = self->recorded.index.first[thread];
      self->end_sample = self->recorded.index.first[thread + 1];
    }
  tb_peaks_awaited_activity_begin_thread (&self->servers, thread);
  if (self->interrupts.index.first != NULL)
    {
      self->next_interrupt = self->interrupts.index.first[thread];
      self->end_interrupt = self->interrupts.index.first[thread + 1];
    }
}

static TbPeaksNode *
get_node (TbPeaksWalk *self, guint32 node)
{
  return tb_peaks_tree_node (self->drill->tree, node);
}

static TbPeaksFrame *
get_top (TbPeaksWalk *self)
{
  return &self->frames[self->n_frames - 1];
}

/* --- names --- */

static const char *
get_name (TbPeaksWalk *self, TbPeaksKind kind, guint32 string)
{
  TbSession *session = tb_trace_get_session (self->trace);
  const char ***names = kind == TB_PEAKS_SYSCALL ? &self->syscall_names : &self->function_names;
  guint n_strings = tb_session_get_n_strings (session);

  string = MIN (string, n_strings);
  if (*names == NULL)
    *names = g_new0 (const char *, n_strings + 1);
  if ((*names)[string] == NULL)
    {
      const char *recorded = tb_session_get_string (session, string);
      g_autofree char *module = NULL;
      g_autofree char *name = kind == TB_PEAKS_SYSCALL
                                  ? g_strconcat ("syscall:", recorded, NULL)
                                  : tb_peaks_split_function (recorded, &module);

      (*names)[string] = g_string_chunk_insert_const (self->drill->names, name);
    }
  return (*names)[string];
}

/* "f", "f@module" */
static gboolean
is_function (const TbContextNode *node, const char *name)
{
  gsize length = strlen (node->function);

  return strncmp (node->function, name, length) == 0
         && (name[length] == '\0' || name[length] == '@');
}

/* Functions of the system call entry: they are on every stack, and carry no information. */
static gboolean
is_entry (const char *function)
{
  return g_str_has_prefix (function, "entry_SYSCALL") || g_str_equal (function, "do_syscall_64")
         || g_str_equal (function, "x64_sys_call") || g_str_equal (function, "el0_svc")
         || g_str_equal (function, "el0t_64_sync") || g_str_equal (function, "el0t_64_sync_handler")
         || g_str_equal (function, "do_el0_svc");
}

static gboolean
is_scheduler (const char *function)
{
  return g_str_equal (function, "schedule") || g_str_equal (function, "__schedule");
}

/* Functions that no code calls: they can interrupt any place, so that their site carries no
 * information. */
static gboolean
is_trap (const char *function)
{
  return g_str_has_prefix (function, "asm_") || g_str_has_prefix (function, "el0t_64_")
         || g_str_has_prefix (function, "el1h_64_")
         || g_str_equal (function, "apic_timer_interrupt") || g_str_equal (function, "page_fault")
         || g_str_equal (function, "async_page_fault") || g_str_equal (function, "ret_from_intr")
         || g_str_equal (function, "__restore_rt");
}

/* --- stacks --- */

/* The call site of a context's function. */
static guint64
find_step_site (TbPeaksWalk *self, guint32 context, const TbContextNode *node, guint64 site)
{
  guint32 caller = tb_context_tree_get_parent (self->contexts, context);
  TbContextNode of_caller;

  if (caller == 0 || is_trap (node->function))
    return 0;
  tb_context_tree_get_node (self->contexts, caller, &of_caller);
  return of_caller.kernel == node->kernel ? site : 0;
}

/* Fills the chain of a stack with the contexts below the open call, innermost first. FALSE if the
 * stack does not lead to it. */
static gboolean
find_chain (TbPeaksWalk *self, const char *name, guint32 stack, guint *n_inner)
{
  guint32 context = tb_context_tree_find (self->contexts, stack);
  TbPeaksPlace place = tb_peaks_sites_begin (&self->sites, stack);
  gboolean is_inner = TRUE, is_any = name != NULL && g_str_equal (name, TB_PEAKS_ANY_FUNCTION);

  *n_inner = 0;
  g_array_set_size (self->chain, 0);
  for (; context != 0; context = tb_context_tree_get_parent (self->contexts, context))
    {
      guint64 site = tb_peaks_sites_move_to_caller (&self->sites, &place);
      TbPeaksStep step = { .context = context };
      TbContextNode node;

      tb_context_tree_get_node (self->contexts, context, &node);
      if (is_any && node.kernel && is_entry (node.function))
        continue;
      if (!is_any
          && (name != NULL ? is_function (&node, name) : !node.kernel || is_entry (node.function)))
        return TRUE;
      is_inner = is_inner && is_scheduler (node.function);
      if (is_inner)
        {
          (*n_inner)++;
          continue;
        }
      step.site = find_step_site (self, context, &node, site);
      g_array_append_val (self->chain, step);
    }
  return name == NULL || is_any;
}

/* n_inner: number of functions of the stack below those of the chain. */
static guint32
add_chain (TbPeaksWalk *self, guint32 node, guint32 stack, guint n_inner)
{
  for (guint i = self->chain->len; i > 0; i--)
    {
      const TbPeaksStep *step = &g_array_index (self->chain, TbPeaksStep, i - 1);
      TbContextNode context;

      if (get_node (self, node)->depth >= self->max_depth)
        {
          get_node (self, node)->is_cut = TRUE;
          return node;
        }
      tb_context_tree_get_node (self->contexts, step->context, &context);
      node = tb_peaks_tree_get_called (
          self->drill->tree, node, TB_PEAKS_NODE_FUNCTION,
          (guint64) (gsize) g_string_chunk_insert_const (self->drill->names, context.function),
          step->site);
      if (get_node (self, node)->stack == TB_STACK_NONE)
        {
          get_node (self, node)->stack = stack;
          get_node (self, node)->level = n_inner + i - 1;
        }
    }
  return node;
}

/* The alias for the target of a stack below the innermost open call. */
static guint32
find_alias (TbPeaksWalk *self, guint32 stack)
{
  TbPeaksFrame *top = get_top (self);
  guint32 alias = tb_peaks_tree_get (self->drill->tree, top->node, TB_PEAKS_NODE_ALIAS, stack);

  if (get_node (self, alias)->target == TB_ID_NONE)
    {
      guint n_inner = 0;
      gboolean is_found = stack != TB_STACK_NONE && find_chain (self, top->name, stack, &n_inner);
      guint32 target = is_found ? add_chain (self, top->node, stack, n_inner) : top->node;

      get_node (self, alias)->target = target;
      get_node (self, alias)->is_cut = !is_found;
    }
  return alias;
}

/* --- parts of a call --- */

static void
disturb (TbPeaksWalk *self, TbPeaksNodeKind kind, guint64 key, gint64 ns)
{
  TbPeaksTree *tree = self->drill->tree;

  for (guint i = 0; i < self->n_frames; i++)
    {
      guint32 node = tb_peaks_tree_get (tree, self->frames[i].node, kind, key);

      tb_peaks_tree_touch (tree, node);
      tb_peaks_tree_node (tree, node)->latency += ns;
      tb_peaks_tree_node (tree, node)->disturbed_ns += ns;
      self->frames[i].disturbed += ns;
      if (i + 1 == self->n_frames)
        tb_peaks_tree_node (tree, node)->own_ns += ns;
    }
}

/* Waits of a kind in one call are summed up, as the paper does with everything that stops its
 * thread (3.6: "in cases where multiple preemptive events of the same type occur, DARC stores the
 * sum of their latencies"). They are not calls of a loop, of which only the longest counts. A
 * callee in a loop is a separate call each time, and so are its waits. */
static void
add_leaf (TbPeaksWalk *self, guint32 node, gint64 ns)
{
  tb_peaks_tree_touch (self->drill->tree, node);
  if (get_node (self, node)->open_ns == 0)
    g_array_append_val (self->open, node);
  get_node (self, node)->open_ns += ns;
}

/* Adds time to a function on a stack, and to all functions between it and the innermost open
 * one. */
static void
add_to_chain (TbPeaksWalk *self, guint32 place, guint32 top, gint64 ns)
{
  for (guint32 node = place; node != top; node = get_node (self, node)->parent)
    add_leaf (self, node, ns);
}

static void
add_wait (TbPeaksWalk *self, gsize row, gint64 ns)
{
  TbPeaksTree *tree = self->drill->tree;
  const TbIntervals *intervals = self->intervals;
  guint32 alias = find_alias (self, intervals->stack[row]);
  guint32 place = get_node (self, alias)->target, top = get_top (self)->node, leaf;

  get_node (self, alias)->waited_ns += ns;
  self->peak->waiting_ns += ns;
  self->peak->unplaced_ns += get_node (self, alias)->is_cut ? ns : 0;
  add_to_chain (self, place, top, ns);
  leaf = tb_peaks_tree_get (tree, place, TB_PEAKS_NODE_WAIT,
                            tb_trace_get_wait_kind (self->trace, row));
  add_leaf (self, leaf, ns);
  if (intervals->cause_kind[row] != TB_CAUSE_NONE && intervals->cause_kind[row] != TB_CAUSE_UNKNOWN)
    {
      leaf = tb_peaks_tree_get (tree, leaf, TB_PEAKS_NODE_SERVED,
                                ((guint64) intervals->cause_kind[row] << 32)
                                    | intervals->cause[row]);
      add_leaf (self, leaf, ns);
      ns -= tb_peaks_awaited_activity_add (&self->servers, leaf, intervals->cause_kind[row],
                                           intervals->cause[row], self->now, self->now + ns);
    }
  get_node (self, leaf)->own_ns += ns;
}

static void
add_own (TbPeaksWalk *self, gint64 ns, gboolean is_seen)
{
  get_node (self, get_top (self)->node)->own_ns += ns;
  get_top (self)->ran += ns;
  if (is_seen)
    self->peak->running_ns += ns;
  else
    {
      get_top (self)->unseen += ns;
      self->peak->unseen_ns += ns;
    }
}

/* Collects the stacks of samples taken while the innermost open call ran. */
static void
take_samples (TbPeaksWalk *self, gint64 to)
{
  const TbPeaksSamples *recorded = &self->recorded;

  for (; self->next_sample < self->end_sample; self->next_sample++)
    {
      guint32 row = recorded->index.rows[self->next_sample];

      if (recorded->time[row] >= to)
        return;
      if (recorded->time[row] >= self->now && recorded->stack[row] != TB_STACK_NONE)
        g_array_append_val (self->samples, recorded->stack[row]);
    }
}

/* Each of the stacks stands for an equal part of the call's own running time. */
static void
divide_running (TbPeaksWalk *self)
{
  TbPeaksFrame *top = get_top (self);
  guint n = self->samples->len - top->first_sample;
  gint64 left = top->ran - top->unseen;

  for (guint i = 0; i < n && left > 0; i++)
    {
      gint64 ns = left / (n - i);
      guint32 alias
          = find_alias (self, g_array_index (self->samples, guint32, top->first_sample + i));
      guint32 place = get_node (self, alias)->target;

      left -= ns;
      get_node (self, alias)->self_ns += ns;
      if (place == top->node || ns <= 0)
        continue;
      get_node (self, top->node)->own_ns -= ns;
      add_to_chain (self, place, top->node, ns);
      get_node (self, place)->own_ns += ns;
      self->peak->sampled_ns += ns;
    }
  g_array_set_size (self->samples, top->first_sample);
}

static void
add_interval (TbPeaksWalk *self, gsize row, gint64 ns)
{
  switch (self->intervals->state[row])
    {
    case TB_STATE_RUNNING:
      take_samples (self, self->now + ns);
      add_own (self, ns, TRUE);
      break;
    case TB_STATE_RUNNABLE:
      if (self->intervals->flags[row] & TB_INTERVAL_PREEMPTED)
        {
          self->peak->preempted_ns += ns;
          disturb (self, TB_PEAKS_NODE_PREEMPTED, 0, ns);
        }
      else
        {
          self->peak->run_queue_ns += ns;
          disturb (self, TB_PEAKS_NODE_RUN_QUEUE, 0, ns);
        }
      break;
    case TB_STATE_INTERRUPTIBLE:
    case TB_STATE_UNINTERRUPTIBLE:
    case TB_STATE_STOPPED:
      add_wait (self, row, ns);
      break;
    default:
      add_own (self, ns, FALSE);
    }
}

/* Adds handlers that began in the call and have ended. Their time is taken from the running
 * time. */
static void
add_interrupts (TbPeaksWalk *self, gint64 to)
{
  const TbPeaksInterrupts *interrupts = &self->interrupts;

  for (; self->next_interrupt < self->end_interrupt; self->next_interrupt++)
    {
      guint32 row = interrupts->index.rows[self->next_interrupt];
      TbPeaksFrame *top = get_top (self);
      gint64 ns;

      if (interrupts->exit[row] > to)
        return;
      if (interrupts->enter[row] < self->begin || interrupts->exit[row] == TB_TIME_NONE)
        continue;
      ns = MIN (interrupts->own[row], top->ran);
      if (ns <= 0)
        continue;
      top->ran -= ns;
      get_node (self, top->node)->own_ns -= ns;
      self->peak->running_ns -= MIN (ns, self->peak->running_ns);
      self->peak->interrupt_ns += ns;
      disturb (self, TB_PEAKS_NODE_INTERRUPT, interrupts->key[row], ns);
    }
}

/* Attributes the time up to a given time to the innermost open call and its state. */
static void
advance (TbPeaksWalk *self, gint64 to)
{
  const TbIntervals *intervals = self->intervals;

  while (self->row < self->end_row && intervals->end[self->row] <= self->now)
    self->row++;
  while (self->now < to)
    {
      gint64 until = to;

      if (self->row >= self->end_row || intervals->start[self->row] >= to)
        add_own (self, to - self->now, FALSE);
      else if (intervals->start[self->row] > self->now)
        {
          until = intervals->start[self->row];
          add_own (self, until - self->now, FALSE);
        }
      else
        {
          until = MIN (intervals->end[self->row], to);
          add_interval (self, self->row, until - self->now);
          if (intervals->end[self->row] <= to)
            self->row++;
        }
      self->now = until;
    }
  add_interrupts (self, to);
}

/* --- calls --- */

static void
open_frame (TbPeaksWalk *self, guint32 node, const char *name, gint64 enter, gint64 exit)
{
  TbPeaksFrame frame = { .node = node,
                         .name = name,
                         .enter = enter,
                         .exit = exit,
                         .first_open = self->open->len,
                         .first_sample = self->samples->len };

  tb_peaks_tree_touch (self->drill->tree, node);
  self->frames[self->n_frames++] = frame;
}

/* The probes of its callees prolong a call itself, each once. */
static void
take_off_probes (TbPeaksWalk *self)
{
  TbPeaksFrame *top = get_top (self);
  gint64 ran = MAX (top->ran - top->unseen, 0);
  gint64 cost = ran - tb_peaks_take_off_probes (ran, top->probed);

  top->ran -= cost;
  top->removed += cost;
  get_node (self, top->node)->own_ns -= cost;
  self->peak->running_ns -= MIN (cost, self->peak->running_ns);
  self->peak->probes_ns += cost;
}

/* Closes the innermost open call, and all functions on stacks below it. */
static void
close_frame (TbPeaksWalk *self)
{
  TbPeaksFrame *top = get_top (self);
  TbPeaksNode *node;
  gboolean is_unsampled
      = self->has_samples && self->samples->len == top->first_sample && top->ran > top->unseen;

  if (top->probed > 0)
    take_off_probes (self);
  divide_running (self);
  node = get_node (self, top->node);
  node->is_unsampled |= is_unsampled;
  node->latency = MAX (node->latency, top->exit - top->enter - top->disturbed - top->removed);
  for (guint i = top->first_open; i < self->open->len; i++)
    {
      node = get_node (self, g_array_index (self->open, guint32, i));
      node->latency = MAX (node->latency, node->open_ns);
      node->open_ns = 0;
    }
  g_array_set_size (self->open, top->first_open);
  self->n_frames--;
  if (self->n_frames > 0)
    get_top (self)->removed += top->removed;
}

/* The stacks of all system calls made through one library function share its call site. The site in
 * the open function that leads to the library distinguishes them. */
static guint64
find_syscall_site (TbPeaksWalk *self, const char *function, guint32 stack)
{
  FoundSite *found = &((FoundSite *) self->found_sites)[stack % N_FOUND_SITES];
  TbPeaksPlace place;
  guint64 site = 0;

  if (function == NULL || *function == '\0' || stack == TB_STACK_NONE)
    return 0;
  if (!found->is_probed && found->function == function && found->stack == stack)
    return found->site;
  *found = (FoundSite) { .function = function, .stack = stack };
  place = tb_peaks_sites_begin (&self->sites, stack);
  for (guint32 context = tb_context_tree_find (self->contexts, stack); context != 0;
       context = tb_context_tree_get_parent (self->contexts, context))
    {
      TbContextNode node;

      tb_context_tree_get_node (self->contexts, context, &node);
      if (is_function (&node, function))
        {
          found->site = site;
          break;
        }
      site = tb_peaks_sites_move_to_caller (&self->sites, &place);
    }
  return found->site;
}

static guint64
find_function_site (TbPeaksWalk *self, const char *function, guint32 row)
{
  guint32 stack = self->function_stacks[row];
  guint64 address = self->addresses[row];
  FoundSite *found = &((FoundSite *) self->found_sites)[(stack ^ address) % N_FOUND_SITES];

  if (!found->is_probed || found->function != function || found->stack != stack
      || found->address != address)
    *found = (FoundSite) { function, stack, TRUE, address,
                           tb_peaks_sites_find_call (&self->sites, function, address, stack) };
  return found->site;
}

static guint64
find_callee_site (TbPeaksWalk *self, const TbPeaksCallee *callee, const char *name)
{
  if (callee->kind != TB_PEAKS_SYSCALL)
    return find_function_site (self, name, callee->row);
  return self->syscall_stacks != NULL
             ? find_syscall_site (self, get_top (self)->name, self->syscall_stacks[callee->row])
             : 0;
}

/* Stores where a probed function was called first. */
static void
store_first_call (TbPeaksWalk *self, TbPeaksNode *node, guint32 row)
{
  if (node->address == 0)
    node->address = self->addresses[row];
  if (node->stack != TB_STACK_NONE)
    return;
  node->stack = self->function_stacks[row];
  node->is_probed = TRUE;
}

/* A call that does not lie within the open call is not its callee. */
static void
enter_callee (TbPeaksWalk *self, const TbPeaksCallee *callee)
{
  const char *name = get_name (self, callee->kind, callee->key);
  guint32 node;

  while (self->n_frames > 1 && get_top (self)->exit <= callee->enter)
    {
      advance (self, get_top (self)->exit);
      close_frame (self);
    }
  if (callee->exit > get_top (self)->exit)
    return;
  if (get_node (self, get_top (self)->node)->depth >= self->max_depth)
    {
      get_node (self, get_top (self)->node)->is_cut = TRUE;
      return;
    }
  advance (self, callee->enter);
  if (callee->kind == TB_PEAKS_FUNCTION)
    get_top (self)->probed += self->drill->calls->tables[TB_PEAKS_FUNCTION].probe_ns;
  node = tb_peaks_tree_get_called (self->drill->tree, get_top (self)->node, TB_PEAKS_NODE_FUNCTION,
                                   (guint64) (gsize) name, find_callee_site (self, callee, name));
  if (callee->kind == TB_PEAKS_FUNCTION)
    store_first_call (self, get_node (self, node), callee->row);
  open_frame (self, node, callee->kind == TB_PEAKS_SYSCALL ? NULL : name, callee->enter,
              callee->exit);
}

/* Of two calls with equal times, the later row is the caller: a call with the same times as this
 * one and a later row is above it. */
static gboolean
is_caller (TbPeaksWalk *self, const TbPeaksCallee *callee, guint32 row, gint64 enter, gint64 exit)
{
  return callee->kind == self->drill->operation->kind && callee->row >= row
         && callee->enter == enter && callee->exit == exit;
}

/* Whether the thread runs throughout the call without any event in it: most calls are like that. */
static gboolean
is_undisturbed (TbPeaksWalk *self, gint64 enter, gint64 exit)
{
  const TbIntervals *intervals = self->intervals;
  const TbPeaksInterrupts *interrupts = &self->interrupts;
  const TbPeaksSamples *recorded = &self->recorded;

  while (self->row < self->end_row && intervals->end[self->row] <= enter)
    self->row++;
  return self->row < self->end_row && intervals->state[self->row] == TB_STATE_RUNNING
         && intervals->start[self->row] <= enter && intervals->end[self->row] >= exit
         && (self->next_callee == self->callees->len
             || g_array_index (self->callees, TbPeaksCallee, self->next_callee).enter >= exit)
         && (self->next_interrupt == self->end_interrupt
             || interrupts->exit[interrupts->index.rows[self->next_interrupt]] > exit)
         && (self->next_sample == self->end_sample
             || recorded->time[recorded->index.rows[self->next_sample]] >= exit);
}

void
tb_peaks_walk_call (TbPeaksWalk *self,
                    TbPeakDrill *peak,
                    guint32 root,
                    guint32 row,
                    gint64 enter,
                    gint64 exit)
{
  self->peak = peak;
  self->begin = self->now = enter;
  if (is_undisturbed (self, enter, exit))
    {
      /* Shortcut with the same result as the code below and tb_peaks_tree_decide(). */
      TbPeaksNode *node = get_node (self, root);

      node->calls++;
      if (self->has_samples)
        {
          node->unsampled_maxcount++;
          peak->unsampled++;
        }
      else
        node->self_maxcount++;
      node->own_ns += exit - enter;
      node->self_ns += exit - enter;
      peak->running_ns += exit - enter;
      return;
    }
  open_frame (self, root, tb_peaks_drill_get_function (self->drill), enter, exit);
  for (; self->next_callee < self->callees->len; self->next_callee++)
    {
      const TbPeaksCallee *callee
          = &g_array_index (self->callees, TbPeaksCallee, self->next_callee);

      if (callee->enter >= exit)
        break;
      if (callee->enter >= enter && callee->exit <= exit
          && !is_caller (self, callee, row, enter, exit))
        enter_callee (self, callee);
    }
  while (self->n_frames > 0)
    {
      advance (self, get_top (self)->exit);
      close_frame (self);
    }
  tb_peaks_tree_decide (self->drill->tree, &self->drill->calls->bins);
  peak->unsampled += get_node (self, root)->is_undecided;
}
