/* tb-recorder-stacks.c: callchains resolved to frames (module and offset) and to stack ids, once
 * per distinct chain; frames and stacks of named functions
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#include "config.h"

#include "session/recorder/tb-recorder-pages-private.h"
#include "session/recorder/tb-recorder-private.h"

#include <glib/gi18n-lib.h>
#include <string.h>

/* Callchains repeat, so a chain is first looked up by a 96-bit seeded hash of its words, its length
 * and the generation of its address space. The cache stores only that hash of a chain. A chain that
 * is not in the cache is resolved frame by frame. A full cache is cleared. */
#define CHAIN_CACHE_MIN (1u << 12)
#define CHAIN_CACHE_MAX (1u << 20)

#define KERNEL_START ((guint64) 1 << 63) /* user space is below this on all 64-bit machines */
#define VSYSCALL_START ((guint64) 0xffffffffff600000)
#define VSYSCALL_LENGTH 0x1000u

typedef struct
{
  guint64 key;
  guint32 check;
  guint32 stack; /* TB_STACK_NONE: entry is free, as no chain resolves to the empty stack */
} TbChain;

/* A node of the stack tree, packed into one word so that a comparison reads one word. */
#define MAX_FRAMES (1u << 29)
#define PACK_NODE(parent, frame, flags)                                                            \
  ((guint64) (parent) << 32 | (guint64) (flags) << 29 | (frame))

typedef struct
{
  guint32 frame;
  guint32 hash; /* hash of the path from the outermost frame to the node */
  guint8 flags;
} TbResolved;

/* A recently resolved address of a generation, with its frame. */
#define FRAME_CACHE_LENGTH 4096u
#define KERNEL_GENERATION G_MAXUINT32
#define ALL_FLAGS (TB_STACK_KERNEL | TB_STACK_BROKEN | TB_STACK_CUT)

typedef struct
{
  guint64 address;
  guint32 generation;
  guint32 frame;
} TbRecentFrame;

typedef struct
{
  guint64 offset;
  guint32 module;
} TbFrame;

struct _TbStacks
{
  /* Appending to a GArray divides, which takes as long as the rest of it. */
  TbFrame *frame_list;
  guint32 n_frames;
  gsize frames_capacity;
  TbSlots frames;
  guint64 *nodes; /* see PACK_NODE */
  guint32 n_nodes;
  gsize nodes_capacity;
  TbSlots stacks;
  TbChain *chains;
  guint32 chains_mask;
  guint32 n_chains;
  TbResolved *resolved; /* frames of the current chain, innermost first */
  guint n_resolved;
  guint resolved_capacity;
  TbRecentFrame *recent_frames;
  guint32 kernel_module;
  guint32 vsyscall_module;
};

/* The capacity of an array that is full. */
static gsize
get_more (guint32 n)
{
  if (n > G_MAXUINT32 / 2)
    g_error ("more than %u stacks", n);
  return MAX ((gsize) n * 2, 1024);
}

static guint32
add_stack (TbRecorder *self, guint32 parent, guint32 frame, guint8 flags)
{
  TbStacks *stacks = self->stacks;
  guint64 node = PACK_NODE (parent, frame, flags);
  guint32 id = stacks->n_nodes;
  TbRows *rows;
  guint i = tb_recorder_add_row (self, TB_TABLE_STACK, &rows);

  if (G_UNLIKELY (id == stacks->nodes_capacity))
    {
      stacks->nodes_capacity = get_more (id);
      stacks->nodes = g_renew (guint64, stacks->nodes, stacks->nodes_capacity);
    }
  stacks->nodes[stacks->n_nodes++] = node;
  TB_ROWS_COLUMN (rows, TB_STACK_PARENT, guint32)[i] = parent;
  TB_ROWS_COLUMN (rows, TB_STACK_FRAME, guint32)[i] = frame;
  TB_ROWS_COLUMN (rows, TB_STACK_FLAGS, guint8)[i] = flags;
  return id;
}

static gsize
get_chains_size (guint32 mask)
{
  return sizeof (TbChain) * ((gsize) mask + 1);
}

void
tb_recorder_init_stacks (TbRecorder *self)
{
  TbStacks *stacks = g_new0 (TbStacks, 1);

  self->stacks = stacks;
  stacks->chains_mask = CHAIN_CACHE_MIN - 1;
  stacks->chains = tb_pages_new (get_chains_size (stacks->chains_mask));
  /* address 0 is never looked up */
  stacks->recent_frames = g_new0 (TbRecentFrame, FRAME_CACHE_LENGTH);
  stacks->kernel_module = TB_ID_NONE;
  stacks->vsyscall_module = TB_ID_NONE;
  add_stack (self, TB_STACK_NONE, 0, 0); /* the empty stack */
}

void
tb_recorder_free_stacks (TbRecorder *self)
{
  TbStacks *stacks = g_steal_pointer (&self->stacks);

  g_free (stacks->frame_list);
  g_free (stacks->nodes);
  tb_pages_free (stacks->chains, get_chains_size (stacks->chains_mask));
  g_free (stacks->recent_frames);
  g_free (stacks->resolved);
  tb_slots_clear (&stacks->frames);
  tb_slots_clear (&stacks->stacks);
  g_free (stacks);
}

static void
add_frame (TbStacks *self, guint32 module, guint64 offset)
{
  if (G_UNLIKELY (self->n_frames == self->frames_capacity))
    {
      self->frames_capacity = get_more (self->n_frames);
      self->frame_list = g_renew (TbFrame, self->frame_list, self->frames_capacity);
    }
  self->frame_list[self->n_frames++] = (TbFrame) { offset, module };
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
    if (stacks->frame_list[id].offset == offset && stacks->frame_list[id].module == module)
      return id;
  id = stacks->n_frames;
  if (G_UNLIKELY (id == MAX_FRAMES - 1 && self->error == NULL))
    self->error = g_error_new (
        G_IO_ERROR, G_IO_ERROR_NO_SPACE,
        _ ("The recording has more than %u different addresses: later events are not saved"),
        MAX_FRAMES);
  if (G_UNLIKELY (id >= MAX_FRAMES))
    return 0;
  add_frame (stacks, module, offset);
  tb_slots_insert (&stacks->frames, hash, id);
  i = tb_recorder_add_row (self, TB_TABLE_FRAME, &rows);
  TB_ROWS_COLUMN (rows, TB_FRAME_MODULE, guint32)[i] = module;
  TB_ROWS_COLUMN (rows, TB_FRAME_OFFSET, guint64)[i] = offset;
  if (self->modules.func != NULL)
    tb_recorder_report_module (self, module);
  return id;
}

static guint32
intern_node (TbRecorder *self, guint32 parent, const TbResolved *frame)
{
  TbStacks *stacks = self->stacks;
  guint64 node = PACK_NODE (parent, frame->frame, frame->flags);
  TbSlotCursor cursor = tb_slots_find (&stacks->stacks, frame->hash);
  guint32 id;

  while (tb_slot_cursor_next (&cursor, &id))
    if (stacks->nodes[id] == node)
      return id;
  id = add_stack (self, parent, frame->frame, frame->flags);
  tb_slots_insert (&stacks->stacks, frame->hash, id);
  return id;
}

/* Returns the stack of the resolved frames, which are innermost first. Nodes are found by the hash
 * of their whole path instead of their parent's id, so that all nodes of a path can be prefetched
 * at once. */
static guint32
intern_stack (TbRecorder *self)
{
  TbStacks *stacks = self->stacks;
  TbResolved *frames = stacks->resolved;
  guint n = stacks->n_resolved;
  guint64 hash = tb_hash_seeds[0];
  guint32 stack = TB_STACK_NONE;

  for (guint i = n; i-- > 0;)
    {
      hash = tb_hash_mix (hash ^ ((guint64) frames[i].flags << 32 | frames[i].frame),
                          tb_hash_seeds[2]);
      frames[i].hash = (guint32) (hash >> 32);
      if (stacks->stacks.slots != NULL)
        __builtin_prefetch (&stacks->stacks.slots[frames[i].hash & stacks->stacks.mask]);
    }
  if (stacks->stacks.slots != NULL)
    for (guint i = n; i-- > 0;)
      {
        const TbSlot *slot = &stacks->stacks.slots[frames[i].hash & stacks->stacks.mask];

        if (slot->id != TB_SLOT_EMPTY)
          __builtin_prefetch (&stacks->nodes[slot->id]);
      }
  for (guint i = n; i-- > 0;)
    stack = intern_node (self, stack, &frames[i]);
  return stack;
}

static guint32
get_kernel_module (TbRecorder *self)
{
  TbStacks *stacks = self->stacks;

  /* A source that has the kernel's build ID interned the module earlier. */
  for (guint i = 0; i < self->modules.records->len && stacks->kernel_module == TB_ID_NONE; i++)
    if (g_array_index (self->modules.records, TbModuleRecord, i).kind == TB_MODULE_KERNEL)
      stacks->kernel_module = i;
  if (stacks->kernel_module == TB_ID_NONE)
    stacks->kernel_module
        = tb_recorder_intern_module (self, TB_MODULE_KERNEL, "[kernel]", NULL, -1);
  return stacks->kernel_module;
}

/* Linux maps nothing below this by default (vm.mmap_min_addr). */
#define LOWEST_CODE 0x10000

/* Whether the mappings of a process are known, so that code must be in one of them. */
static gboolean
has_mappings (const TbSpace *space)
{
  return space != NULL && space->mappings->len > 0;
}

/* Returns TB_ID_NONE for a caller that is not in a mapping: a number that was mistaken for a return
 * address, as code without frame pointers uses that register for others. */
static guint32
find_user_frame (TbRecorder *self, TbSpace *space, guint64 address, gboolean is_caller)
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
  if (is_caller && (has_mappings (space) || address < LOWEST_CODE))
    return TB_ID_NONE;
  return intern_frame (self, TB_ID_NONE, address);
}

static TbRecentFrame *
get_recent_frame (TbStacks *stacks, guint64 address, guint32 generation)
{
  return &stacks->recent_frames
              [(tb_hash_mix (address ^ tb_hash_seeds[2], generation ^ tb_hash_seeds[3]) >> 20)
               % FRAME_CACHE_LENGTH];
}

/* Callers and interrupted functions at the same address can be of different kinds: the bit that no
 * generation reaches is that of callers. */
#define CALLER_GENERATION (1u << 31)

static guint32
resolve_user (TbRecorder *self, TbSpace *space, guint64 address, gboolean is_caller)
{
  guint32 generation
      = (space != NULL ? space->generation : 0) | (is_caller ? CALLER_GENERATION : 0);
  TbRecentFrame *known = get_recent_frame (self->stacks, address, generation);

  if (known->address != address || known->generation != generation || address == 0)
    *known = (TbRecentFrame) { address, generation,
                               find_user_frame (self, space, address, is_caller) };
  return known->frame;
}

static guint32
resolve_kernel (TbRecorder *self, guint64 address)
{
  TbRecentFrame *known = get_recent_frame (self->stacks, address, KERNEL_GENERATION);

  if (known->address != address || known->generation != KERNEL_GENERATION || address == 0)
    *known = (TbRecentFrame) { address, KERNEL_GENERATION,
                               intern_frame (self, get_kernel_module (self), address) };
  return known->frame;
}

typedef enum
{
  CONTEXT_BY_ADDRESS, /* before any marker */
  CONTEXT_KERNEL,
  CONTEXT_USER,
  CONTEXT_GUEST, /* code of a guest or the hypervisor */
  CONTEXT_NONE,  /* what follows is no address */
} ChainContext;

/* What is known of a chain besides its frames. */
typedef struct
{
  guint n_user; /* frames of the program */
  gboolean has_user_marker;
  gboolean has_impossible_caller; /* it was ended there */
  gboolean is_cut;
} ChainFacts;

static ChainContext
get_marker_context (guint64 marker)
{
  if (marker == TB_CHAIN_KERNEL)
    return CONTEXT_KERNEL;
  if (marker == TB_CHAIN_USER)
    return CONTEXT_USER;
  if (marker == TB_CHAIN_USER_DEFERRED || marker == TB_CHAIN_CUT)
    return CONTEXT_NONE;
  return CONTEXT_GUEST;
}

/* Returns room for the frames of a chain. */
static TbResolved *
make_room (TbStacks *self, guint n)
{
  if (n > self->resolved_capacity)
    {
      self->resolved_capacity = n;
      self->resolved = g_renew (TbResolved, self->resolved, n);
    }
  self->n_resolved = 0;
  return self->resolved;
}

/* Resolves the frames of the chain, innermost first. Callers are known by their return address,
 * which may already belong to the next function; one less is inside the call instruction. The first
 * frame of each part is the exact instruction pointer. */
static void
resolve_chain (TbRecorder *self, const TbEvent *event, TbSpace *space, ChainFacts *facts)
{
  TbStacks *stacks = self->stacks;
  ChainContext context = CONTEXT_BY_ADDRESS;
  gboolean exact = TRUE, is_caller;
  TbResolved *end = make_room (stacks, event->n_chain);

  *facts = (ChainFacts) { 0 };
  for (guint i = 0; i < event->n_chain; i++)
    {
      guint64 address = event->chain[i];
      TbResolved frame = { 0 };

      if (address >= TB_CHAIN_MARKER_MIN)
        {
          facts->is_cut |= address == TB_CHAIN_CUT;
          context = get_marker_context (address);
          facts->has_user_marker |= context == CONTEXT_USER;
          exact = TRUE;
          continue;
        }
      if (context == CONTEXT_NONE)
        continue;
      is_caller = !exact;
      if (is_caller && address > 0)
        address--;
      exact = FALSE;
      if (context == CONTEXT_KERNEL || (context == CONTEXT_BY_ADDRESS && address >= KERNEL_START))
        frame = (TbResolved) { .frame = resolve_kernel (self, address), .flags = TB_STACK_KERNEL };
      else if (context == CONTEXT_GUEST)
        frame.frame = intern_frame (self, TB_ID_NONE, address);
      else
        {
          frame.frame = resolve_user (self, space, address, is_caller);
          facts->has_impossible_caller = frame.frame == TB_ID_NONE;
          if (facts->has_impossible_caller)
            break;
          facts->n_user++;
        }
      *end++ = frame;
    }
  stacks->n_resolved = (guint) (end - stacks->resolved);
}

/* Whether the stack of a user thread ends before the start of the thread. The start function cannot
 * be recognized by its address. Two signs are used instead: the user part has no frame but the
 * interrupted function itself, or it ends where a caller is not mapped. A chain is complete without
 * a user part if its source did not request that part. */
static gboolean
is_broken (const TbSpace *space, const ChainFacts *facts)
{
  if (facts->has_impossible_caller || facts->is_cut)
    return TRUE;
  if (!has_mappings (space))
    return FALSE;
  return facts->n_user == 1 || (facts->n_user == 0 && facts->has_user_marker);
}

static guint32
resolve_stack (TbRecorder *self, const TbEvent *event, TbSpace *space)
{
  TbStacks *stacks = self->stacks;
  ChainFacts facts;

  resolve_chain (self, event, space, &facts);
  if (stacks->n_resolved > 0 && is_broken (space, &facts))
    stacks->resolved[stacks->n_resolved - 1].flags
        |= TB_STACK_BROKEN | (facts.is_cut ? TB_STACK_CUT : 0);
  return intern_stack (self);
}

static void
hash_chain (const TbEvent *event, guint64 hash[2])
{
  const guint64 *chain = event->chain;
  guint n = event->n_chain;
  guint64 a = tb_hash_seeds[0] ^ n;
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
  hash[0] = a;
  hash[1] = b;
}

static inline guint64
get_chain_key (const guint64 hash[2], guint32 generation)
{
  return tb_hash_mix (hash[0] ^ tb_hash_seeds[1], generation ^ tb_hash_seeds[3]);
}

static inline TbSpace *
get_space (TbRecorder *self, guint32 thread)
{
  guint32 process = g_array_index (self->threads.records, TbThreadRecord, thread).process;

  return process != TB_ID_NONE
             ? g_array_index (self->processes.records, TbProcessRecord, process).space
             : NULL;
}

/* A caller that was found by mistake may look like an address of the kernel: the last marker
 * decides. */
static gboolean
ends_in_kernel (const TbEvent *event)
{
  guint n = event->n_chain;

  if (event->chain[n - 1] == TB_CHAIN_CUT && n > 1)
    n--;
  if (G_LIKELY (event->chain[n - 1] < KERNEL_START))
    return FALSE;
  while (n > 0 && event->chain[n - 1] < TB_CHAIN_MARKER_MIN)
    n--;
  return n == 0 || event->chain[n - 1] != TB_CHAIN_USER;
}

/* A chain that ends in the kernel is the same in every process. */
static inline guint32
get_generation (const TbEvent *event, const TbSpace *space)
{
  return space != NULL && !ends_in_kernel (event) ? space->generation : 0;
}

/* Prefetches the memory that tb_recorder_get_stack() will read for this event a little later; most
 * of its time would be cache misses. Returns the hash of the chain for that call. */
void
tb_recorder_prepare_stack (TbRecorder *self, const TbEvent *event, guint64 hash[2])
{
  TbStacks *stacks = self->stacks;
  guint32 thread;

  if (event->chain == NULL || event->n_chain == 0)
    return;
  hash_chain (event, hash);
  thread = tb_recorder_find_thread (self, event->host, event->tid);
  if (thread != TB_ID_NONE)
    __builtin_prefetch (
        &stacks->chains[get_chain_key (hash, get_generation (event, get_space (self, thread)))
                        & stacks->chains_mask]);
}

static void
grow_chains (TbStacks *stacks)
{
  TbChain *old = stacks->chains;
  guint32 old_mask = stacks->chains_mask;

  if (old_mask + 1 >= CHAIN_CACHE_MAX)
    {
      memset (old, 0, get_chains_size (old_mask));
      stacks->n_chains = 0;
      return;
    }
  stacks->chains_mask = tb_slots_get_more (old_mask);
  stacks->chains = tb_pages_new (get_chains_size (stacks->chains_mask));
  for (guint32 i = 0; i <= old_mask; i++)
    if (old[i].stack != TB_STACK_NONE)
      {
        guint32 position = old[i].key & stacks->chains_mask;

        while (stacks->chains[position].stack != TB_STACK_NONE)
          position = (position + 1) & stacks->chains_mask;
        stacks->chains[position] = old[i];
      }
  tb_pages_free (old, get_chains_size (old_mask));
}

static void
cache_chain (TbStacks *stacks, guint64 key, guint32 check, guint32 stack)
{
  guint32 position;

  if (stack == TB_STACK_NONE)
    return;
  if ((guint64) stacks->n_chains * 4 >= ((guint64) stacks->chains_mask + 1) * 3)
    grow_chains (stacks);
  position = key & stacks->chains_mask;
  while (stacks->chains[position].stack != TB_STACK_NONE)
    position = (position + 1) & stacks->chains_mask;
  stacks->chains[position] = (TbChain) { key, check, stack };
  stacks->n_chains++;
}

/* Returns the stack of the event, which was taken in the context of thread. */
guint32
tb_recorder_get_stack (TbRecorder *self, const TbEvent *event, guint32 thread)
{
  TbStacks *stacks = self->stacks;
  TbSpace *space;
  guint32 generation, check, stack;
  guint64 key;

  if (event->chain == NULL || event->n_chain == 0)
    {
      if (G_LIKELY (event->stack < stacks->n_nodes))
        return event->stack;
      tb_recorder_count_mismatch (self, TB_MISMATCH_REFERENCE);
      return TB_STACK_NONE;
    }
  space = thread != TB_ID_NONE ? get_space (self, thread) : NULL;
  generation = get_generation (event, space);
  key = get_chain_key (self->chain_hash, generation);
  check = (guint32) (self->chain_hash[1] >> 32) ^ generation;
  for (guint32 position = key & stacks->chains_mask;
       stacks->chains[position].stack != TB_STACK_NONE;
       position = (position + 1) & stacks->chains_mask)
    if (stacks->chains[position].key == key && stacks->chains[position].check == check)
      return stacks->chains[position].stack;
  stack = resolve_stack (self, event, generation != 0 ? space : NULL);
  cache_chain (stacks, key, check, stack);
  return stack;
}

/* Returns the frame of a variable, TB_ID_NONE if the module cannot contain variables. */
guint32
tb_recorder_get_data_frame (TbRecorder *self, guint32 module, guint64 distance)
{
  if (module == TB_ID_NONE)
    return TB_ID_NONE;
  if (module >= self->modules.records->len || distance >= TB_FRAME_DATA
      || g_array_index (self->modules.records, TbModuleRecord, module).kind != TB_MODULE_FILE)
    {
      tb_recorder_count_mismatch (self, TB_MISMATCH_REFERENCE);
      return TB_ID_NONE;
    }
  return intern_frame (self, module, distance | TB_FRAME_DATA);
}

/**
 * tb_recorder_intern_named_frame:
 * @self: a recorder
 * @function: name of the function
 * @module: (nullable): the name of its module, %NULL or "" if unknown
 * @kernel: whether it is kernel code; @module is then taken to be "[kernel]"
 *
 * Gets the id of a frame that has a name instead of an address, for sources that have no addresses.
 *
 * Returns: the id of the frame, for [method@Tailback.Recorder.intern_stack]
 */
guint32
tb_recorder_intern_named_frame (TbRecorder *self,
                                const char *function,
                                const char *module,
                                gboolean kernel)
{
  guint32 module_id;

  g_return_val_if_fail (TB_IS_RECORDER (self), 0);

  module_id
      = tb_recorder_intern_module (self, TB_MODULE_NAMED, kernel ? "[kernel]" : module, NULL, -1);
  return intern_frame (self, module_id, tb_recorder_intern_string (self, function, -1));
}

/**
 * tb_recorder_intern_stack:
 * @self: a recorder
 * @frames: (array length=n_frames): frame ids, outermost first
 * @flags: (array length=n_frames) (nullable): #TbStackFlags of each frame, %NULL if none
 * @n_frames: number of frames
 *
 * Gets the id of a stack, and adds the stack at the first call. Frames with ids that the recorder
 * did not return are left out and counted as a contradiction.
 *
 * Returns: the id of the stack, for @stack of [struct@Tailback.Event]
 */
guint32
tb_recorder_intern_stack (TbRecorder *self,
                          const guint32 *frames,
                          const guint8 *flags,
                          guint n_frames)
{
  TbResolved *end;

  g_return_val_if_fail (TB_IS_RECORDER (self), TB_STACK_NONE);

  end = make_room (self->stacks, n_frames);
  for (guint i = n_frames; i-- > 0;)
    {
      TbResolved frame = {
        .frame = frames[i],
        .flags = flags != NULL ? flags[i] & ALL_FLAGS : 0,
      };

      if (frames[i] < self->stacks->n_frames)
        *end++ = frame;
      else
        tb_recorder_count_mismatch (self, TB_MISMATCH_REFERENCE);
    }
  self->stacks->n_resolved = (guint) (end - self->stacks->resolved);
  return intern_stack (self);
}
