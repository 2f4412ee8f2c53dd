/* tb-recorder-stacks.c: callchains to stack ids, each distinct chain resolved once
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#include "config.h"

#include "session/tb-recorder-private.h"

#include <string.h>

/* Chains repeat, so a chain is first looked for by 128 bits of seeded hash of its words, its length and the generation of
 * its address space; what of the chain is remembered is that hash alone. Only a new one is resolved frame by frame. */
#define CHAIN_CACHE_MAX (1u << 20)

#define KERNEL_START ((guint64) 1 << 63) /* user space ends below it on the 64-bit machines there are */
#define VSYSCALL_START ((guint64) 0xffffffffff600000)
#define VSYSCALL_LENGTH 0x1000u

typedef struct
{
  guint64 key[2];
  guint32 stack;
} TbChain;

typedef struct
{
  guint32 frame;
  guint8 flags;
} TbResolved;

struct _TbStacks
{
  GArray *frame_modules; /* guint32 */
  GArray *frame_offsets; /* guint64 */
  TbSlots frames;
  GArray *parents; /* guint32 */
  GArray *nodes;   /* guint32: frame */
  GArray *flags;   /* guint8 */
  TbSlots stacks;
  GArray *chains; /* TbChain */
  TbSlots chain_slots;
  GArray *resolved; /* TbResolved, of the chain in hand */
  guint32 kernel_module;
  guint32 vsyscall_module;
};

static guint32
add_stack (TbRecorder *self, guint32 parent, guint32 frame, guint8 flags)
{
  TbStacks *stacks = self->stacks;
  guint32 id = stacks->parents->len;
  TbRows *rows;
  guint i = tb_recorder_add_row (self, TB_TABLE_STACK, &rows);

  g_array_append_val (stacks->parents, parent);
  g_array_append_val (stacks->nodes, frame);
  g_array_append_val (stacks->flags, flags);
  TB_ROWS_COLUMN (rows, TB_STACK_PARENT, guint32)[i] = parent;
  TB_ROWS_COLUMN (rows, TB_STACK_FRAME, guint32)[i] = frame;
  TB_ROWS_COLUMN (rows, TB_STACK_FLAGS, guint8)[i] = flags;
  return id;
}

void
tb_recorder_init_stacks (TbRecorder *self)
{
  TbStacks *stacks = g_new0 (TbStacks, 1);

  self->stacks = stacks;
  stacks->frame_modules = g_array_new (FALSE, FALSE, sizeof (guint32));
  stacks->frame_offsets = g_array_new (FALSE, FALSE, sizeof (guint64));
  stacks->parents = g_array_new (FALSE, FALSE, sizeof (guint32));
  stacks->nodes = g_array_new (FALSE, FALSE, sizeof (guint32));
  stacks->flags = g_array_new (FALSE, FALSE, sizeof (guint8));
  stacks->chains = g_array_new (FALSE, FALSE, sizeof (TbChain));
  stacks->resolved = g_array_new (FALSE, FALSE, sizeof (TbResolved));
  stacks->kernel_module = TB_ID_NONE;
  stacks->vsyscall_module = TB_ID_NONE;
  add_stack (self, TB_STACK_NONE, 0, 0); /* the empty stack */
}

void
tb_recorder_free_stacks (TbRecorder *self)
{
  TbStacks *stacks = g_steal_pointer (&self->stacks);

  g_array_unref (stacks->frame_modules);
  g_array_unref (stacks->frame_offsets);
  g_array_unref (stacks->parents);
  g_array_unref (stacks->nodes);
  g_array_unref (stacks->flags);
  g_array_unref (stacks->chains);
  g_array_unref (stacks->resolved);
  tb_slots_clear (&stacks->frames);
  tb_slots_clear (&stacks->stacks);
  tb_slots_clear (&stacks->chain_slots);
  g_free (stacks);
}

static guint32
intern_frame (TbRecorder *self, guint32 module, guint64 offset)
{
  TbStacks *stacks = self->stacks;
  guint32 hash = tb_hash_pair (offset, module);
  TbSlotCursor cursor = tb_slots_find (&stacks->frames, hash);
  guint32 id;
  TbRows *rows;
  guint i;

  while (tb_slot_cursor_next (&cursor, &id))
    if (g_array_index (stacks->frame_offsets, guint64, id) == offset
        && g_array_index (stacks->frame_modules, guint32, id) == module)
      return id;
  id = stacks->frame_modules->len;
  g_array_append_val (stacks->frame_modules, module);
  g_array_append_val (stacks->frame_offsets, offset);
  tb_slots_insert (&stacks->frames, hash, id);
  i = tb_recorder_add_row (self, TB_TABLE_FRAME, &rows);
  TB_ROWS_COLUMN (rows, TB_FRAME_MODULE, guint32)[i] = module;
  TB_ROWS_COLUMN (rows, TB_FRAME_OFFSET, guint64)[i] = offset;
  return id;
}

static guint32
intern_node (TbRecorder *self, guint32 parent, guint32 frame, guint8 flags)
{
  TbStacks *stacks = self->stacks;
  guint32 hash = tb_hash_pair ((guint64) parent << 32 | frame, flags);
  TbSlotCursor cursor = tb_slots_find (&stacks->stacks, hash);
  guint32 id;

  while (tb_slot_cursor_next (&cursor, &id))
    if (g_array_index (stacks->parents, guint32, id) == parent
        && g_array_index (stacks->nodes, guint32, id) == frame
        && g_array_index (stacks->flags, guint8, id) == flags)
      return id;
  id = add_stack (self, parent, frame, flags);
  tb_slots_insert (&stacks->stacks, hash, id);
  return id;
}

static guint32
get_kernel_module (TbRecorder *self)
{
  TbStacks *stacks = self->stacks;

  /* A source that knows the kernel's build-id has told of it before. */
  for (guint i = 0; i < self->modules->len && stacks->kernel_module == TB_ID_NONE; i++)
    if (g_array_index (self->modules, TbModuleRecord, i).kind == TB_MODULE_KERNEL)
      stacks->kernel_module = i;
  if (stacks->kernel_module == TB_ID_NONE)
    stacks->kernel_module = tb_recorder_intern_module (self, TB_MODULE_KERNEL, "[kernel]", NULL, -1);
  return stacks->kernel_module;
}

static guint32
resolve_user (TbRecorder *self, TbSpace *space, guint64 address)
{
  const TbSpaceMapping *mapping = space != NULL ? tb_space_find (space, address) : NULL;

  if (mapping != NULL)
    return intern_frame (self, mapping->module, mapping->offset + (address - mapping->start));
  if (address - VSYSCALL_START < VSYSCALL_LENGTH)
    {
      if (self->stacks->vsyscall_module == TB_ID_NONE)
        self->stacks->vsyscall_module
            = tb_recorder_intern_module (self, TB_MODULE_FILE, "[vsyscall]", NULL, -1);
      return intern_frame (self, self->stacks->vsyscall_module, address - VSYSCALL_START);
    }
  return intern_frame (self, TB_ID_NONE, address);
}

typedef enum
{
  CONTEXT_BY_ADDRESS, /* before any marker */
  CONTEXT_KERNEL,
  CONTEXT_USER,
  CONTEXT_OTHER, /* a guest's or the hypervisor's code */
} ChainContext;

static ChainContext
context_of_marker (guint64 marker)
{
  if (marker == TB_CHAIN_KERNEL)
    return CONTEXT_KERNEL;
  if (marker == TB_CHAIN_USER)
    return CONTEXT_USER;
  return CONTEXT_OTHER;
}

/* Frames of the chain, innermost first. Callers are known by their return address, which may already belong to what
 * stands behind the call: one less lies in the call. The first of each part is where it was interrupted, exactly. */
static void
resolve_chain (TbRecorder *self, const TbEvent *event, TbSpace *space, guint *n_user, gboolean *user_marker)
{
  GArray *resolved = self->stacks->resolved;
  ChainContext context = CONTEXT_BY_ADDRESS;
  gboolean exact = TRUE;

  g_array_set_size (resolved, 0);
  *n_user = 0;
  *user_marker = FALSE;
  for (guint i = 0; i < event->n_chain; i++)
    {
      guint64 address = event->chain[i];
      TbResolved frame = { 0 };

      if (address >= TB_CHAIN_MARKER_MIN)
        {
          context = context_of_marker (address);
          *user_marker |= context == CONTEXT_USER;
          exact = TRUE;
          continue;
        }
      if (!exact && address > 0)
        address--;
      exact = FALSE;
      if (context == CONTEXT_KERNEL || (context == CONTEXT_BY_ADDRESS && address >= KERNEL_START))
        frame = (TbResolved) { intern_frame (self, get_kernel_module (self), address), TB_STACK_KERNEL };
      else if (context == CONTEXT_OTHER)
        frame.frame = intern_frame (self, TB_ID_NONE, address);
      else
        {
          frame.frame = resolve_user (self, space, address);
          *n_user += 1;
        }
      g_array_append_val (resolved, frame);
    }
}

/* Whether a user thread's stack ends before its start. What a start function is cannot be known from addresses, so this is
 * told from two signs: the user part consists of at most the interrupted function itself, or its outermost address lies in
 * no mapping (a register that was taken for a frame pointer). A chain without user part whose source asked for none is
 * whole. */
static gboolean
is_broken (TbRecorder *self, TbSpace *space, guint n_user, gboolean user_marker)
{
  GArray *resolved = self->stacks->resolved;
  guint32 outermost;

  if (space == NULL || space->mappings->len == 0)
    return FALSE;
  if (n_user == 0)
    return user_marker;
  if (n_user == 1)
    return TRUE;
  outermost = g_array_index (resolved, TbResolved, resolved->len - 1).frame;
  return g_array_index (self->stacks->frame_modules, guint32, outermost) == TB_ID_NONE;
}

static guint32
resolve_stack (TbRecorder *self, const TbEvent *event, TbSpace *space)
{
  GArray *resolved = self->stacks->resolved;
  guint32 stack = TB_STACK_NONE;
  gboolean user_marker;
  guint n_user;
  guint8 broken;

  resolve_chain (self, event, space, &n_user, &user_marker);
  broken = is_broken (self, space, n_user, user_marker) ? TB_STACK_BROKEN : 0;
  for (guint i = resolved->len; i-- > 0; broken = 0)
    {
      const TbResolved *frame = &g_array_index (resolved, TbResolved, i);

      stack = intern_node (self, stack, frame->frame, frame->flags | broken);
    }
  return stack;
}

static void
hash_chain (const TbEvent *event, guint32 generation, guint64 key[2])
{
  const guint64 *chain = event->chain;
  guint n = event->n_chain;
  guint64 a = tb_hash_seeds[0] ^ ((guint64) generation << 16 | n);
  guint64 b = tb_hash_seeds[1];

  for (; n >= 2; n -= 2, chain += 2)
    {
      a = tb_hash_mix (chain[0] ^ a, chain[1] ^ tb_hash_seeds[2]);
      b = tb_hash_mix (chain[1] ^ b, chain[0] ^ tb_hash_seeds[3]);
    }
  if (n > 0)
    {
      a = tb_hash_mix (chain[0] ^ a, tb_hash_seeds[2]);
      b = tb_hash_mix (chain[0] ^ b, tb_hash_seeds[3]);
    }
  key[0] = tb_hash_mix (a ^ tb_hash_seeds[1], generation ^ tb_hash_seeds[3]);
  key[1] = b ^ generation;
}

static void
remember_chain (TbStacks *stacks, const guint64 key[2], guint32 stack)
{
  TbChain chain = { { key[0], key[1] }, stack };

  if (stacks->chains->len >= CHAIN_CACHE_MAX)
    {
      g_array_set_size (stacks->chains, 0);
      tb_slots_reset (&stacks->chain_slots);
    }
  tb_slots_insert (&stacks->chain_slots, (guint32) key[0], stacks->chains->len);
  g_array_append_val (stacks->chains, chain);
}

/* The stack of the event; thread is in whose context it was taken. */
guint32
tb_recorder_get_stack (TbRecorder *self, const TbEvent *event, guint32 thread)
{
  TbStacks *stacks = self->stacks;
  TbSpace *space = NULL;
  guint32 process, generation, id;
  guint64 key[2], outermost;
  TbSlotCursor cursor;

  if (event->chain == NULL || event->n_chain == 0)
    {
      if (G_LIKELY (event->stack < stacks->parents->len))
        return event->stack;
      tb_recorder_mismatch (self, TB_MISMATCH_REFERENCE);
      return TB_STACK_NONE;
    }
  if (thread != TB_ID_NONE)
    {
      process = g_array_index (self->threads, TbThreadRecord, thread).process;
      if (process != TB_ID_NONE)
        space = g_array_index (self->processes, TbProcessRecord, process).space;
    }
  /* A chain that ends in the kernel means the same in every process. */
  outermost = event->chain[event->n_chain - 1];
  generation
      = space != NULL && (outermost < KERNEL_START || outermost == TB_CHAIN_USER) ? space->generation : 0;
  hash_chain (event, generation, key);
  cursor = tb_slots_find (&stacks->chain_slots, (guint32) key[0]);
  while (tb_slot_cursor_next (&cursor, &id))
    {
      const TbChain *chain = &g_array_index (stacks->chains, TbChain, id);

      if (chain->key[0] == key[0] && chain->key[1] == key[1])
        return chain->stack;
    }
  id = resolve_stack (self, event, generation != 0 ? space : NULL);
  remember_chain (stacks, key, id);
  return id;
}

/**
 * tb_recorder_intern_named_frame:
 * @self: a recorder
 * @function: its name
 * @module: (nullable): the name of the module it belongs to, %NULL or "" unknown
 * @kernel: whether it is kernel code; @module is then taken to be "[kernel]"
 *
 * Returns: the id of a frame that came with its name, for tb_recorder_intern_stack()
 */
guint32
tb_recorder_intern_named_frame (TbRecorder *self, const char *function, const char *module, gboolean kernel)
{
  guint32 module_id;

  g_return_val_if_fail (TB_IS_RECORDER (self), 0);

  module_id = tb_recorder_intern_module (self, TB_MODULE_NAMED, kernel ? "[kernel]" : module, NULL, -1);
  return intern_frame (self, module_id, tb_recorder_intern_string (self, function, -1));
}

/**
 * tb_recorder_intern_stack:
 * @self: a recorder
 * @frames: (array length=n_frames): frame ids, outermost first
 * @flags: (array length=n_frames) (nullable): #TbStackFlags of each, %NULL: none
 * @n_frames: how many
 *
 * Returns: the id of the stack, for @stack of #TbEvent
 */
guint32
tb_recorder_intern_stack (TbRecorder *self, const guint32 *frames, const guint8 *flags, guint n_frames)
{
  guint32 stack = TB_STACK_NONE;

  g_return_val_if_fail (TB_IS_RECORDER (self), TB_STACK_NONE);

  for (guint i = 0; i < n_frames; i++)
    {
      if (frames[i] >= self->stacks->frame_modules->len)
        {
          tb_recorder_mismatch (self, TB_MISMATCH_REFERENCE);
          continue;
        }
      stack = intern_node (self, stack, frames[i],
                           flags != NULL ? flags[i] & (TB_STACK_KERNEL | TB_STACK_BROKEN) : 0);
    }
  return stack;
}
