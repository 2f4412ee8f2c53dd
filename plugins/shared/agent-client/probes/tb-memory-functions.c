/* tb-memory-functions.c: library functions that allocate and free memory: table of them, and those
 * found in the target's libraries
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 *
 * An allocation made through a library without frame pointers can be attributed only if that
 * library's function is probed too. C++'s own allocators get no return probes: where they throw an
 * exception, a return probe would end the program.
 */

#include "config.h"

#include "tb-memory-functions.h"

typedef struct
{
  const char *name;
  TbCaptureMemoryKind kind;
  guint size;
} Function;

/* Functions of the C library and of its replacements */
static const Function allocators[] = {
  { "malloc", TB_CAPTURE_MEMORY_ALLOCATES, 0 },
  { "calloc", TB_CAPTURE_MEMORY_ALLOCATES_ARRAY, 1 },
  { "aligned_alloc", TB_CAPTURE_MEMORY_ALLOCATES, 1 },
  { "memalign", TB_CAPTURE_MEMORY_ALLOCATES, 1 },
  { "valloc", TB_CAPTURE_MEMORY_ALLOCATES, 0 },
  { "posix_memalign", TB_CAPTURE_MEMORY_ALLOCATES_TO_POINTER, 2 },
  { "realloc", TB_CAPTURE_MEMORY_RESIZES, 1 },
  { "reallocarray", TB_CAPTURE_MEMORY_CALLS_ALLOCATOR, 0 },
  { "free", TB_CAPTURE_MEMORY_FREES, 0 },
};

static const Function operators[] = {
  { "_Znwm", TB_CAPTURE_MEMORY_CALLS_ALLOCATOR, 0 },
  { "_Znam", TB_CAPTURE_MEMORY_CALLS_ALLOCATOR, 0 },
  { "_ZnwmRKSt9nothrow_t", TB_CAPTURE_MEMORY_CALLS_ALLOCATOR, 0 },
  { "_ZnamRKSt9nothrow_t", TB_CAPTURE_MEMORY_CALLS_ALLOCATOR, 0 },
  { "_ZnwmSt11align_val_t", TB_CAPTURE_MEMORY_CALLS_ALLOCATOR, 0 },
  { "_ZnamSt11align_val_t", TB_CAPTURE_MEMORY_CALLS_ALLOCATOR, 0 },
};

static const Function glib_functions[] = {
  { "g_malloc", TB_CAPTURE_MEMORY_CALLS_ALLOCATOR, 0 },
  { "g_malloc0", TB_CAPTURE_MEMORY_CALLS_ALLOCATOR, 0 },
  { "g_malloc_n", TB_CAPTURE_MEMORY_CALLS_ALLOCATOR, 0 },
  { "g_malloc0_n", TB_CAPTURE_MEMORY_CALLS_ALLOCATOR, 0 },
  { "g_try_malloc", TB_CAPTURE_MEMORY_CALLS_ALLOCATOR, 0 },
  { "g_try_malloc0", TB_CAPTURE_MEMORY_CALLS_ALLOCATOR, 0 },
  { "g_realloc", TB_CAPTURE_MEMORY_CALLS_ALLOCATOR, 0 },
  { "g_slice_alloc", TB_CAPTURE_MEMORY_CALLS_ALLOCATOR, 0 },
  { "g_slice_alloc0", TB_CAPTURE_MEMORY_CALLS_ALLOCATOR, 0 },
};

static const struct
{
  const char *name;
  const Function *functions;
  gsize n;
} libraries[] = {
  { "libc.so.6", allocators, G_N_ELEMENTS (allocators) },
  { "libjemalloc.so.2", allocators, G_N_ELEMENTS (allocators) },
  { "libtcmalloc.so.4", allocators, G_N_ELEMENTS (allocators) },
  { "libtcmalloc_minimal.so.4", allocators, G_N_ELEMENTS (allocators) },
  { "libmimalloc.so.2", allocators, G_N_ELEMENTS (allocators) },
  { "libstdc++.so.6", operators, G_N_ELEMENTS (operators) },
  { "libc++abi.so.1", operators, G_N_ELEMENTS (operators) },
  { "libglib-2.0.so.0", glib_functions, G_N_ELEMENTS (glib_functions) },
};

static gboolean
is_known (const TbMemoryFunctions *self, const TbAgentFunction *function)
{
  for (guint i = 0; i < self->found->len; i++)
    {
      const TbCaptureProbeAdd *other
          = &g_array_index (self->found, TbMemoryFunction, i).function->probe;

      if (other->device == function->probe.device && other->inode == function->probe.inode
          && other->offset == function->probe.offset)
        return TRUE;
    }
  return FALSE;
}

/* Returns FALSE if there is no such library, or it lacks this function. */
static gboolean
add (TbMemoryFunctions *self, const char *library, const Function *function, const TbTarget *target)
{
  g_autofree char *name = g_strdup_printf ("%s:%s", library, function->name);
  const char *const wanted[] = { name, NULL };
  g_autoptr (GPtrArray) one = tb_agent_functions_find (wanted, target, NULL);
  TbMemoryFunction found = { .kind = function->kind, .size = function->size };

  if (one == NULL)
    return FALSE;
  found.function = g_ptr_array_index (one, 0);
  if (is_known (self, found.function))
    return TRUE;
  g_array_append_val (self->found, found);
  g_ptr_array_add (self->owners, g_steal_pointer (&one));
  return TRUE;
}

TbMemoryFunctions *
tb_memory_functions_find (const TbTarget *target)
{
  TbMemoryFunctions *self = g_new0 (TbMemoryFunctions, 1);

  self->found = g_array_new (FALSE, FALSE, sizeof (TbMemoryFunction));
  self->owners = g_ptr_array_new_with_free_func ((GDestroyNotify) g_ptr_array_unref);
  for (guint i = 0; i < G_N_ELEMENTS (libraries); i++)
    for (guint j = 0; j < libraries[i].n; j++)
      /* If the first function is missing, the library is missing or a different one. */
      if (!add (self, libraries[i].name, &libraries[i].functions[j], target) && j == 0)
        break;
  return self;
}

void
tb_memory_functions_free (TbMemoryFunctions *self)
{
  g_array_unref (self->found);
  g_ptr_array_unref (self->owners);
  g_free (self);
}
