/* tb-context-tree.c: tree of the calling contexts of a trace: its call stacks as chains of
 * functions, including inlined ones, merged by function instead of address; look-up of the node of
 * a stack
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#include "config.h"

#include <string.h>

#include "trace/tb-context-tree.h"
#include "trace/tb-function-table-private.h"
#include "trace/tb-trace-cancel-private.h"
#include "trace/tb-trace-libc-names-private.h"
#include "trace/tb-trace-private.h"
#include "trace/tb-trace-stacks-private.h"

/* Number of stacks that are folded between two checks for cancellation. */
#define STACKS_A_STEP 16384

typedef struct
{
  guint32 parent;
  guint32 function;
  guint32 depth;
} Node;

/**
 * TbContextTree:
 *
 * The calling contexts of a trace, folded by function.
 *
 * The stacks of a session are chains of addresses. In this tree they are chains of functions,
 * including inlined functions, so that calls from different places in one function are merged. Each
 * stored stack is mapped once. A tree is built from one state of the symbol names and does not
 * change; it may be used from any thread.
 */
struct _TbContextTree
{
  GObject parent_instance;

  TbSession *session;
  guint generation;

  TbFunctionTable *functions;
  /* Appending to a GArray divides, which takes as long as the rest of it. */
  Node *nodes;
  guint32 n_nodes;
  gsize nodes_capacity;
  guint32 *of_stack; /* node of each stack */
  guint32 n_stacks;
};

G_DEFINE_FINAL_TYPE (TbContextTree, tb_context_tree, G_TYPE_OBJECT)

static void
tb_context_tree_finalize (GObject *object)
{
  TbContextTree *self = TB_CONTEXT_TREE (object);

  g_clear_pointer (&self->functions, tb_function_table_free);
  g_clear_pointer (&self->nodes, g_free);
  g_clear_pointer (&self->of_stack, g_free);
  g_clear_object (&self->session);

  G_OBJECT_CLASS (tb_context_tree_parent_class)->finalize (object);
}

static void
tb_context_tree_class_init (TbContextTreeClass *class)
{
  G_OBJECT_CLASS (class)->finalize = tb_context_tree_finalize;
}

static void
tb_context_tree_init (TbContextTree *self)
{
  self->functions = tb_function_table_new ();
}

/* --- functions of frames --- */

/* What a function of the C library is for callers and callees in it. */
enum
{
  ROLE_INNER = 1 << 0,  /* it serves other functions of the library */
  ROLE_CALLER = 1 << 1, /* it has a name */
};

/* The function of a name: neighbours have the same ones, each as one text of the session. */
#define RECENT_LENGTH 1024u

typedef struct
{
  const char *name; /* NULL: entry is free */
  const char *module;
  gboolean kernel;
  guint32 function;
} RecentFunction;

/* The functions of frames, outermost first; those of frame i start at first[i]. */
typedef struct
{
  TbContextTree *tree;
  TbTrace *trace;
  const TbStackColumns *stacks;
  guint32 *functions;
  gsize n_functions;
  gsize functions_capacity;
  guint32 *first;
  guint32 *count;
  const char **modules; /* by module, the last of unknown code: NULL until needed */
  guint n_modules;
  GByteArray *roles; /* of functions */
  RecentFunction *recent;
  GString *place;
} Frames;

static const char *
get_module (Frames *self, guint32 frame)
{
  const char **module = &self->modules[MIN (self->stacks->module[frame], self->n_modules)];

  if (*module == NULL)
    *module
        = tb_function_table_intern_module (self->tree->functions,
                                           tb_trace_peek_module (self->trace, self->stacks, frame));
  return *module;
}

static guint8
find_role (const TbFunction *function)
{
  if (function->kernel || !tb_is_libc (function->module))
    return 0;
  return (tb_is_inner_libc_function (function->name) && function->name[0] != '\0' ? ROLE_INNER : 0)
         | (strchr (function->name, '+') == NULL ? ROLE_CALLER : 0);
}

/* Returns the number of the function. name is copied if it is new. */
static guint32
intern_function (Frames *self, const char *name, const char *module, gboolean kernel)
{
  TbFunctionTable *table = self->tree->functions;
  guint32 function
      = tb_function_table_intern (table, tb_get_libc_name (name, module), module, kernel);

  while (self->roles->len <= function)
    {
      guint8 role = find_role (tb_function_table_get (table, self->roles->len));

      g_byte_array_append (self->roles, &role, 1);
    }
  return function;
}

/* Likewise, where name does not change while the tree is made. */
static guint32
intern_lasting (Frames *self, const char *name, const char *module, gboolean kernel)
{
  guint64 hash = ((guint64) (gsize) name ^ (guint64) (gsize) module << 1)
                 * G_GUINT64_CONSTANT (0x9E3779B97F4A7C15);
  RecentFunction *recent = &self->recent[(hash >> 32) % RECENT_LENGTH];

  if (recent->name != name || recent->module != module || recent->kernel != kernel)
    *recent
        = (RecentFunction) { name, module, kernel, intern_function (self, name, module, kernel) };
  return recent->function;
}

static void
name_frame (Frames *self, guint32 frame, gboolean kernel)
{
  const char *module = get_module (self, frame);
  gboolean is_lasting;
  TbFrameName own;
  guint n_names;
  const TbFrameName *names = tb_trace_peek_names (self->trace, self->stacks, frame, &own, &n_names);

  self->first[frame] = (guint32) self->n_functions;
  is_lasting = names != NULL && names != &own;
  if (names == NULL)
    {
      tb_trace_format_place (self->trace, self->stacks, frame, self->place);
      names = &own;
      own.function = self->place->str;
      n_names = 1;
    }
  if (self->n_functions + n_names > self->functions_capacity)
    {
      self->functions_capacity = MAX (self->functions_capacity * 2, self->n_functions + n_names);
      self->functions = g_renew (guint32, self->functions, self->functions_capacity);
    }
  for (guint i = n_names; i-- > 0;)
    self->functions[self->n_functions++]
        = is_lasting ? intern_lasting (self, names[i].function, module, kernel)
                     : intern_function (self, names[i].function, module, kernel);
  self->count[frame] = n_names;
}

/* --- nodes --- */

/* Finds the child of a node: open addressing, keyed by parent and function, holding node + 1. */
typedef struct
{
  guint32 *slots;
  gsize mask;
} Children;

static gsize
child_slot (const Children *self, guint32 parent, guint32 function)
{
  return ((guint64) parent * 0x9E3779B97F4A7C15u ^ (guint64) function * 0xC2B2AE3D27D4EB4Fu) >> 20
         & self->mask;
}

/* All nodes move to random places, so that it grows by four. */
static void
grow_children (Children *self, const TbContextTree *tree)
{
  g_free (self->slots);
  self->mask = self->mask * 4 + 3;
  self->slots = g_new0 (guint32, self->mask + 1);
  for (guint32 i = 1; i < tree->n_nodes; i++)
    {
      const Node *node = &tree->nodes[i];
      gsize slot = child_slot (self, node->parent, node->function);

      while (self->slots[slot] != 0)
        slot = (slot + 1) & self->mask;
      self->slots[slot] = i + 1;
    }
}

static guint32
add_node (TbContextTree *self, const Node *node)
{
  if (G_UNLIKELY (self->n_nodes == self->nodes_capacity))
    {
      self->nodes_capacity = MAX (self->nodes_capacity * 2, 1024);
      self->nodes = g_renew (Node, self->nodes, self->nodes_capacity);
    }
  self->nodes[self->n_nodes] = *node;
  return self->n_nodes++;
}

static guint32
get_child (Children *self, TbContextTree *tree, guint32 parent, guint32 function)
{
  Node node = { parent, function, tree->nodes[parent].depth + 1 };
  gsize slot;

  if ((gsize) tree->n_nodes * 2 > self->mask)
    grow_children (self, tree);
  for (slot = child_slot (self, parent, function); self->slots[slot] != 0;
       slot = (slot + 1) & self->mask)
    {
      const Node *found = &tree->nodes[self->slots[slot] - 1];

      if (found->parent == parent && found->function == function)
        return self->slots[slot] - 1;
    }
  self->slots[slot] = add_node (tree, &node) + 1;
  return self->slots[slot] - 1;
}

/* Returns the node that stands for the unknown callers of stacks that were cut. */
static guint32
get_cut_node (Frames *frames, Children *children)
{
  const char *module = tb_function_table_intern_module (frames->tree->functions, "");

  return get_child (children, frames->tree, 0,
                    intern_function (frames, TB_CONTEXT_CUT, module, FALSE));
}

/* Returns the node of a function called from another one. Functions by which the C library serves
 * its own functions are part of these. */
static guint32
add_function (Frames *frames, Children *children, guint32 caller, guint32 function)
{
  TbContextTree *self = frames->tree;
  const guint8 *roles = frames->roles->data;

  if (caller != 0 && (roles[function] & ROLE_INNER) != 0
      && (roles[self->nodes[caller].function] & ROLE_CALLER) != 0)
    return caller;
  return get_child (children, self, caller, function);
}

static void
fold (TbContextTree *self, Frames *frames)
{
  const TbStackColumns *stacks = frames->stacks;
  Children children = { .slots = g_new0 (guint32, 1024), .mask = 1023 };
  const Node root = { 0 };

  add_node (self, &root);
  self->n_stacks = stacks->n_stacks;
  self->of_stack = g_new0 (guint32, MAX (stacks->n_stacks, 1));
  /* A parent precedes its children. */
  for (guint32 stack = 1;
       stack < stacks->n_stacks && !(stack % STACKS_A_STEP == 0 && tb_trace_is_cancelled ());
       stack++)
    {
      guint32 frame = stacks->frame[stack];
      guint32 node = stacks->parent[stack] < stack ? self->of_stack[stacks->parent[stack]] : 0;

      if ((stacks->flags[stack] & TB_STACK_CUT) != 0 && node == 0)
        node = get_cut_node (frames, &children);
      if (frame < stacks->n_frames)
        {
          if (frames->first[frame] == G_MAXUINT32)
            name_frame (frames, frame, (stacks->flags[stack] & TB_STACK_KERNEL) != 0);
          for (guint32 i = 0; i < frames->count[frame]; i++)
            node = add_function (frames, &children, node,
                                 frames->functions[frames->first[frame] + i]);
        }
      self->of_stack[stack] = node;
    }
  g_free (children.slots);
}

static TbContextTree *
make_tree (TbTrace *trace, guint generation)
{
  TbContextTree *self = g_object_new (TB_TYPE_CONTEXT_TREE, NULL);
  const TbStackColumns *stacks = tb_trace_peek_stacks (trace);
  Frames frames = { .tree = self,
                    .trace = trace,
                    .stacks = stacks,
                    .first = g_new (guint32, MAX (stacks->n_frames, 1)),
                    .count = g_new0 (guint32, MAX (stacks->n_frames, 1)),
                    .roles = g_byte_array_new (),
                    .recent = g_new0 (RecentFunction, RECENT_LENGTH),
                    .place = g_string_new (NULL) };

  tb_session_get_modules (tb_trace_get_session (trace), &frames.n_modules);
  frames.modules = g_new0 (const char *, frames.n_modules + 1);
  self->session = g_object_ref (tb_trace_get_session (trace));
  self->generation = generation;
  memset (frames.first, 0xff, sizeof (guint32) * stacks->n_frames);
  fold (self, &frames);
  g_free (frames.functions);
  g_string_free (frames.place, TRUE);
  g_byte_array_unref (frames.roles);
  g_free (frames.recent);
  g_free (frames.modules);
  g_free (frames.first);
  g_free (frames.count);
  return self;
}

/**
 * tb_trace_get_context_tree:
 * @self: a trace
 *
 * Gets the calling contexts of a trace, with the symbol names known at present. The tree is cached
 * until more names are known. Stacks are missing if they cannot be read, see [method@Trace.check],
 * or if the current cancellable is cancelled.
 *
 * Returns: (transfer full): the tree
 */
TbContextTree *
tb_trace_get_context_tree (TbTrace *self)
{
  g_autoptr (TbContextTree) tree = NULL;
  guint generation;

  g_return_val_if_fail (TB_IS_TRACE (self), NULL);

  generation = tb_session_get_symbols_generation (self->session);
  g_mutex_lock (&self->mutex);
  if (self->context_tree != NULL && self->context_tree->generation == generation)
    tree = g_object_ref (self->context_tree);
  g_mutex_unlock (&self->mutex);
  if (tree != NULL)
    return g_steal_pointer (&tree);

  /* Two threads may both build a tree: the later one is kept. */
  tree = make_tree (self, generation);
  if (tb_trace_is_cancelled ())
    return g_steal_pointer (&tree);
  g_mutex_lock (&self->mutex);
  g_set_object (&self->context_tree, tree);
  g_mutex_unlock (&self->mutex);
  return g_steal_pointer (&tree);
}

/**
 * tb_context_tree_get_n_nodes:
 * @self: a tree
 *
 * Gets the number of nodes, for arrays by node.
 *
 * Returns: the number of nodes, including the root (node 0); a parent has a smaller number than its
 *   children
 */
guint
tb_context_tree_get_n_nodes (TbContextTree *self)
{
  g_return_val_if_fail (TB_IS_CONTEXT_TREE (self), 0);

  return self->n_nodes;
}

/**
 * tb_context_tree_get_node:
 * @self: a tree
 * @node: a node
 * @out: (out caller-allocates): the node's data
 *
 * Gets a node. Its strings belong to the tree. The root has the name "".
 */
void
tb_context_tree_get_node (TbContextTree *self, guint32 node, TbContextNode *out)
{
  const Node *found;
  const TbFunction *function;

  g_return_if_fail (TB_IS_CONTEXT_TREE (self));
  g_return_if_fail (node < self->n_nodes);
  g_return_if_fail (out != NULL);

  found = &self->nodes[node];
  *out = (TbContextNode) {
    .parent = found->parent, .depth = found->depth, .function = "", .module = ""
  };
  if (node == 0)
    return;
  function = tb_function_table_get (self->functions, found->function);
  out->function = function->name;
  out->module = function->module;
  out->kernel = function->kernel;
}

/**
 * tb_context_tree_get_function:
 * @self: a tree
 * @node: a node
 *
 * Gets the function of a node as a number: nodes with equal numbers have the same function.
 *
 * Returns: the number of its function, from 1 on; 0 for the root
 */
guint32
tb_context_tree_get_function (TbContextTree *self, guint32 node)
{
  g_return_val_if_fail (TB_IS_CONTEXT_TREE (self), 0);
  g_return_val_if_fail (node < self->n_nodes, 0);

  return node != 0 ? self->nodes[node].function + 1 : 0;
}

/**
 * tb_context_tree_get_n_functions:
 * @self: a tree
 *
 * Gets the highest number that [method@Tailback.ContextTree.get_function] returns.
 *
 * Returns: the highest function number
 */
guint
tb_context_tree_get_n_functions (TbContextTree *self)
{
  g_return_val_if_fail (TB_IS_CONTEXT_TREE (self), 0);

  return tb_function_table_get_n (self->functions);
}

/**
 * tb_context_tree_get_parent:
 * @self: a tree
 * @node: a node
 *
 * Gets the caller of a node.
 *
 * Returns: the node of the caller, 0 for the root and the outermost functions
 */
guint32
tb_context_tree_get_parent (TbContextTree *self, guint32 node)
{
  g_return_val_if_fail (TB_IS_CONTEXT_TREE (self), 0);
  g_return_val_if_fail (node < self->n_nodes, 0);

  return self->nodes[node].parent;
}

/**
 * tb_context_tree_find:
 * @self: a tree
 * @stack: a stack of the session
 *
 * Finds the node of a stack.
 *
 * Returns: the node of its innermost function, 0 for the empty stack
 */
guint32
tb_context_tree_find (TbContextTree *self, guint32 stack)
{
  g_return_val_if_fail (TB_IS_CONTEXT_TREE (self), 0);

  return stack < self->n_stacks ? self->of_stack[stack] : 0;
}

/**
 * tb_context_tree_get_generation:
 * @self: a tree
 *
 * Gets the generation of symbol names from which the tree was built. Names that were published
 * later are not in it: [method@Tailback.Trace.get_context_tree] returns a new tree.
 *
 * Returns: the generation of the symbol names it was built from (see
 *   [method@Tailback.Session.get_symbols_generation])
 */
guint
tb_context_tree_get_generation (TbContextTree *self)
{
  g_return_val_if_fail (TB_IS_CONTEXT_TREE (self), 0);

  return self->generation;
}

/**
 * tb_context_tree_find_program_node:
 * @self: a tree
 * @node: a node
 *
 * Finds the function of a program that made a call, past the functions of the C library and the
 * kernel.
 *
 * Returns: @node or its nearest caller that is a named function of a program or its libraries (see
 *   [method@Tailback.ContextNode.is_of_program]); 0 if there is none
 */
guint32
tb_context_tree_find_program_node (TbContextTree *self, guint32 node)
{
  g_return_val_if_fail (TB_IS_CONTEXT_TREE (self), 0);
  g_return_val_if_fail (node < self->n_nodes, 0);

  for (; node != 0; node = self->nodes[node].parent)
    {
      TbContextNode context;

      tb_context_tree_get_node (self, node, &context);
      if (tb_context_node_is_of_program (&context) && tb_context_node_is_named (&context))
        break;
    }
  return node;
}

/**
 * tb_context_tree_has_start:
 * @self: a tree
 * @node: a node
 *
 * Gets whether a stack was walked to its start. Otherwise its outermost callers are unknown.
 *
 * Returns: whether the outermost caller is a function with which a thread starts, so that the stack
 *   was walked to its start
 */
gboolean
tb_context_tree_has_start (TbContextTree *self, guint32 node)
{
  static const char *const starts[]
      = { "_start", "main", "start_thread", "clone", "clone3", "__clone3", "_dl_start_user", NULL };
  guint32 outer = node;

  g_return_val_if_fail (TB_IS_CONTEXT_TREE (self), FALSE);
  g_return_val_if_fail (node < self->n_nodes, FALSE);

  if (node == 0)
    return FALSE;
  while (self->nodes[outer].parent != 0)
    outer = self->nodes[outer].parent;
  return g_strv_contains (
      starts, tb_function_table_get (self->functions, self->nodes[outer].function)->name);
}

/**
 * tb_context_node_is_of_program:
 * @node: a node's data
 *
 * Gets whether a function belongs to a program or its libraries.
 *
 * Returns: whether the function belongs to a program or its libraries: not to the C library, the
 *   dynamic linker, the vDSO or the kernel
 */
gboolean
tb_context_node_is_of_program (const TbContextNode *node)
{
  g_return_val_if_fail (node != NULL, FALSE);

  return !node->kernel && !tb_is_system_module (node->module);
}

/**
 * tb_context_node_is_named:
 * @node: a node's data
 *
 * Gets whether the name of a function is known. If it is not, [struct@Tailback.ContextNode] has its
 * place in the module instead.
 *
 * Returns: whether the name of the function is known; else it is the place in its module
 */
gboolean
tb_context_node_is_named (const TbContextNode *node)
{
  gsize length;

  g_return_val_if_fail (node != NULL, FALSE);

  length = strlen (node->module);
  return node->function[0] != '\0' && !g_str_equal (node->function, TB_CONTEXT_CUT)
         && !g_str_has_prefix (node->function, "0x")
         && !(length > 0 && strncmp (node->function, node->module, length) == 0
              && g_str_has_prefix (node->function + length, "+0x"));
}

/**
 * tb_context_node_is_wrapper:
 * @node: a node's data
 *
 * Gets whether a function is one by which the C library enters the kernel for any system call.
 *
 * Returns: whether the function is one by which the C library enters the kernel for any system
 *   call, so that its name does not show which
 */
gboolean
tb_context_node_is_wrapper (const TbContextNode *node)
{
  g_return_val_if_fail (node != NULL, FALSE);

  return !node->kernel && tb_is_libc (node->module)
         && (g_str_has_prefix (node->function, "__syscall_cancel")
             || g_str_equal (node->function, "__internal_syscall_cancel")
             || g_str_equal (node->function, "syscall"));
}
