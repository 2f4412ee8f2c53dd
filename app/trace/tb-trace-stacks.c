/* tb-trace-stacks.c: call stacks of a trace: stack tree loaded as arrays, names of frames and
 * modules, list of the functions of a stack, and the function that labels it
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#include "config.h"

#include <string.h>

#include "trace/tb-trace-cancel-private.h"
#include "trace/tb-trace-libc-names-private.h"
#include "trace/tb-trace-private.h"
#include "trace/tb-trace-stacks-private.h"

/* Maximum depth to which a stack is read. The parents come from a file, which is untrusted. */
#define MAX_DEPTH 4096

/* --- stack tree --- */

static void
stack_columns_free (gpointer data)
{
  TbStackColumns *self = data;

  for (guint i = 0; i < G_N_ELEMENTS (self->columns); i++)
    g_clear_pointer (&self->columns[i], g_bytes_unref);
  g_free (self);
}

/* NULL if they cannot be read. */
static TbStackColumns *
load_stacks (TbTrace *self)
{
  static const struct
  {
    TbTableKind table;
    guint column;
  } wanted[] = {
    { TB_TABLE_STACK, TB_STACK_PARENT }, { TB_TABLE_STACK, TB_STACK_FRAME },
    { TB_TABLE_STACK, TB_STACK_FLAGS },  { TB_TABLE_FRAME, TB_FRAME_MODULE },
    { TB_TABLE_FRAME, TB_FRAME_OFFSET },
  };
  TbStackColumns *columns = g_new0 (TbStackColumns, 1);

  for (guint i = 0; i < G_N_ELEMENTS (columns->columns); i++)
    {
      columns->columns[i] = tb_trace_read_column (self, wanted[i].table, wanted[i].column);
      if (columns->columns[i] == NULL)
        {
          stack_columns_free (columns);
          return NULL;
        }
    }
  columns->n_stacks
      = MIN (tb_table_get_n_rows (tb_session_get_table (self->session, TB_TABLE_STACK)),
             G_MAXUINT32);
  columns->n_frames
      = MIN (tb_table_get_n_rows (tb_session_get_table (self->session, TB_TABLE_FRAME)),
             G_MAXUINT32);
  columns->parent = g_bytes_get_data (columns->columns[0], NULL);
  columns->frame = g_bytes_get_data (columns->columns[1], NULL);
  columns->flags = g_bytes_get_data (columns->columns[2], NULL);
  columns->module = g_bytes_get_data (columns->columns[3], NULL);
  columns->offset = g_bytes_get_data (columns->columns[4], NULL);
  return columns;
}

/* Never NULL. It has no stacks if there are none, or if they cannot be read (tb_trace_check()
 * reports it). A cancelled load is repeated by the next call. */
const TbStackColumns *
tb_trace_peek_stacks (TbTrace *self)
{
  static const TbStackColumns none = { 0 };
  const TbStackColumns *stacks;

  g_mutex_lock (&self->mutex);
  if (self->stacks == NULL)
    {
      TbStackColumns *loaded = load_stacks (self);

      if (loaded != NULL)
        g_object_set_data_full (G_OBJECT (self), "tb-stacks", loaded, stack_columns_free);
      if (loaded != NULL || !tb_trace_is_cancelled ())
        self->stacks = loaded != NULL ? loaded : &none;
    }
  stacks = self->stacks != NULL ? self->stacks : &none;
  g_mutex_unlock (&self->mutex);
  return stacks;
}

/* --- names --- */

/* The start of an unnamed frame's function, if it is known, else the address of the frame. */
static guint64
get_place (TbTrace *self, const TbStackColumns *stacks, guint32 frame)
{
  guint n_names;
  const TbFrameName *names = tb_session_get_frame_names (self->session, frame, &n_names);

  return n_names == 1 && names[0].function[0] == '\0' && names[0].line != 0 ? names[0].line
                                                                            : stacks->offset[frame];
}

static void
append_hexadecimal (GString *out, guint64 value)
{
  char digits[16];
  guint n = 0;

  do
    digits[sizeof digits - ++n] = "0123456789abcdef"[value & 15];
  while ((value >>= 4) != 0);
  g_string_append_len (out, digits + sizeof digits - n, n);
}

/* The part of a path after its last slash; names in brackets are no paths. */
static const char *
get_leaf (const char *path)
{
  const char *slash = path[0] != '[' ? strrchr (path, '/') : NULL;

  return slash != NULL ? slash + 1 : path;
}

void
tb_trace_format_place (TbTrace *self, const TbStackColumns *stacks, guint32 frame, GString *out)
{
  guint n_modules;
  const TbModule *modules = tb_session_get_modules (self->session, &n_modules);
  guint32 module = stacks->module[frame];

  g_string_truncate (out, 0);
  if (module < n_modules)
    {
      g_string_append (out, get_leaf (modules[module].path));
      g_string_append_c (out, '+');
    }
  g_string_append (out, "0x");
  append_hexadecimal (out, get_place (self, stacks, frame));
}

/* "libc.so.6+0x1f" */
static char *
name_by_place (TbTrace *self, const TbStackColumns *stacks, guint32 frame)
{
  GString *place = g_string_new (NULL);

  tb_trace_format_place (self, stacks, frame, place);
  return g_string_free_and_steal (place);
}

/* The recorded name of a frame, or NULL. */
static const char *
get_own_name (TbTrace *self, const TbStackColumns *stacks, guint32 frame)
{
  guint n_modules;
  const TbModule *modules = tb_session_get_modules (self->session, &n_modules);

  if (stacks->module[frame] < n_modules && modules[stacks->module[frame]].kind == TB_MODULE_NAMED
      && stacks->offset[frame] < G_MAXUINT32)
    return tb_session_get_string (self->session, stacks->offset[frame]);
  return NULL;
}

/* The functions at a frame, innermost first; NULL and 0 if no name is known (yet). */
static const TbFrameName *
get_names (TbTrace *self, guint32 frame, guint *n_names)
{
  const TbFrameName *names = tb_session_get_frame_names (self->session, frame, n_names);

  if (*n_names == 1 && names[0].function[0] == '\0')
    *n_names = 0;
  return *n_names > 0 ? names : NULL;
}

/* The name by which programs call a function of the C library; other names as they are. */
static const char *
shorten (TbTrace *self, const TbStackColumns *stacks, guint32 frame, const char *function)
{
  return tb_get_libc_name (function, tb_trace_peek_module (self, stacks, frame));
}

/* The function of a frame, or its place in the module: (transfer full). */
static char *
name_frame (TbTrace *self, const TbStackColumns *stacks, guint32 frame)
{
  const char *own = get_own_name (self, stacks, frame);
  const TbFrameName *names;
  guint n_names;

  if (own != NULL)
    return g_strdup (shorten (self, stacks, frame, own));
  names = get_names (self, frame, &n_names);
  return names != NULL ? g_strdup (shorten (self, stacks, frame, names[0].function))
                       : name_by_place (self, stacks, frame);
}

/* The functions at a frame, outermost first, including inlined functions; its place in the module
 * if no name is known. Never empty. Free with g_strfreev(). */
char **
tb_trace_name_frame (TbTrace *self, const TbStackColumns *stacks, guint32 frame)
{
  const char *own = get_own_name (self, stacks, frame);
  guint n_names = 0;
  const TbFrameName *names = own == NULL ? get_names (self, frame, &n_names) : NULL;
  char **functions = g_new0 (char *, MAX (n_names, 1) + 1);

  if (names == NULL)
    functions[0] = name_frame (self, stacks, frame);
  for (guint i = 0; i < n_names; i++)
    functions[i] = g_strdup (names[n_names - 1 - i].function);
  return functions;
}

const TbFrameName *
tb_trace_peek_names (TbTrace *self,
                     const TbStackColumns *stacks,
                     guint32 frame,
                     TbFrameName *own,
                     guint *n_names)
{
  *own = (TbFrameName) { get_own_name (self, stacks, frame), "", 0, FALSE };
  *n_names = 1;
  return own->function != NULL ? own : get_names (self, frame, n_names);
}

const char *
tb_trace_peek_module (TbTrace *self, const TbStackColumns *stacks, guint32 frame)
{
  guint n_modules;
  const TbModule *modules = tb_session_get_modules (self->session, &n_modules);

  return stacks->module[frame] < n_modules ? get_leaf (modules[stacks->module[frame]].path) : "";
}

/* Likewise. Free with g_free(). */
char *
tb_trace_name_module (TbTrace *self, const TbStackColumns *stacks, guint32 frame)
{
  return g_strdup (tb_trace_peek_module (self, stacks, frame));
}

/**
 * tb_trace_get_stack_functions:
 * @self: a trace
 * @stack: a stack
 *
 * Gets a stack as functions, outermost first, including inlined functions. A function without a
 * known name (yet) is given by its place in the module: "libc.so.6+0x1f".
 *
 * Returns: (transfer full) (array zero-terminated=1): the functions
 */
char **
tb_trace_get_stack_functions (TbTrace *self, guint32 stack)
{
  g_autoptr (GPtrArray) functions = NULL;
  const TbStackColumns *stacks;

  g_return_val_if_fail (TB_IS_TRACE (self), NULL);

  stacks = tb_trace_peek_stacks (self);
  functions = g_ptr_array_new_with_free_func (g_free);
  for (guint depth = 0; stack != TB_STACK_NONE && stack < stacks->n_stacks && depth < MAX_DEPTH;
       depth++)
    {
      guint32 frame = stacks->frame[stack];

      if (frame < stacks->n_frames)
        {
          const char *own = get_own_name (self, stacks, frame);
          guint n_names = 0;
          const TbFrameName *names = own == NULL ? get_names (self, frame, &n_names) : NULL;

          if (names == NULL)
            g_ptr_array_add (functions, name_frame (self, stacks, frame));
          for (guint i = 0; i < n_names; i++)
            g_ptr_array_add (functions,
                             g_strdup (shorten (self, stacks, frame, names[i].function)));
        }
      stack = stacks->parent[stack];
    }
  for (guint i = 0; i < functions->len / 2; i++)
    {
      gpointer swap = functions->pdata[i];

      functions->pdata[i] = functions->pdata[functions->len - 1 - i];
      functions->pdata[functions->len - 1 - i] = swap;
    }
  g_ptr_array_add (functions, NULL);
  return (char **) g_ptr_array_free (g_steal_pointer (&functions), FALSE);
}

/* Functions by which the C library enters the kernel: they add nothing to the name of the system
 * call. Sorted. */
static const char *const syscall_wrappers[] = {
  "__internal_syscall_cancel",
  "__libc_start_call_main",
  "__libc_start_main_impl",
  "__syscall_cancel",
  "__syscall_cancel_arch",
  "__syscall_cancel_arch_end",
  "_start",
  "clone3",
  "start_thread",
  "syscall",
};

static int
compare_name (const void *name, const void *entry)
{
  return strcmp (name, *(const char *const *) entry);
}

static gboolean
is_syscall_wrapper (const char *function)
{
  return bsearch (function, syscall_wrappers, G_N_ELEMENTS (syscall_wrappers),
                  sizeof *syscall_wrappers, compare_name)
         != NULL;
}

/* "read" of "__x64_sys_read", or NULL. */
const char *
tb_trace_peek_syscall_name (const char *function)
{
  static const char *const prefixes[] = { "__x64_sys_",  "__arm64_sys_", "__se_sys_", "__do_sys_",
                                          "__ia32_sys_", "__riscv_sys_", "ksys_" };

  for (guint i = 0; i < G_N_ELEMENTS (prefixes); i++)
    if (g_str_has_prefix (function, prefixes[i]))
      return function + strlen (prefixes[i]);
  return NULL;
}

/* The name of a frame if it is known, else NULL. */
static const char *
peek_name (TbTrace *self, const TbStackColumns *stacks, guint32 frame)
{
  const char *own = get_own_name (self, stacks, frame);
  const TbFrameName *names;
  guint n_names;

  if (own != NULL)
    return shorten (self, stacks, frame, own);
  names = get_names (self, frame, &n_names);
  return names != NULL ? shorten (self, stacks, frame, names[0].function) : NULL;
}

/* Whether the caller of a function of the C library is another one with a name. */
static gboolean
is_called_by_libc (TbTrace *self, const TbStackColumns *stacks, guint32 stack)
{
  guint32 caller = stacks->parent[stack];
  guint32 frame = stacks->frame[stack];

  if (caller == TB_STACK_NONE || caller >= stacks->n_stacks || frame >= stacks->n_frames
      || stacks->frame[caller] >= stacks->n_frames)
    return FALSE;
  return tb_is_libc (tb_trace_peek_module (self, stacks, frame))
         && tb_is_libc (tb_trace_peek_module (self, stacks, stacks->frame[caller]))
         && peek_name (self, stacks, stacks->frame[caller]) != NULL;
}

gboolean
tb_trace_is_direct_call (TbTrace *self, guint32 stack)
{
  const TbStackColumns *stacks = tb_trace_peek_stacks (self);

  for (guint depth = 0; stack != TB_STACK_NONE && stack < stacks->n_stacks && depth < MAX_DEPTH;
       depth++, stack = stacks->parent[stack])
    if ((stacks->flags[stack] & TB_STACK_KERNEL) == 0)
      return stacks->frame[stack] < stacks->n_frames
             && g_strcmp0 (peek_name (self, stacks, stacks->frame[stack]), "syscall") == 0;
  return FALSE;
}

/**
 * tb_trace_get_stack_label:
 * @self: a trace
 * @stack: a stack
 *
 * Gets the most informative function of a stack: the innermost function of the program and its
 * libraries. If that only serves the C library to enter the kernel, it is the name of the system
 * call. Without any frame of the program, it is the innermost kernel function.
 *
 * Returns: (transfer full) (nullable): a function, %NULL for the empty stack
 */
char *
tb_trace_get_stack_label (TbTrace *self, guint32 stack)
{
  const TbStackColumns *stacks;
  guint32 innermost = TB_ID_NONE, innermost_user = TB_ID_NONE;
  g_autofree char *syscall = NULL;

  g_return_val_if_fail (TB_IS_TRACE (self), NULL);

  stacks = tb_trace_peek_stacks (self);
  for (guint depth = 0; stack != TB_STACK_NONE && stack < stacks->n_stacks && depth < MAX_DEPTH;
       depth++)
    {
      guint32 frame = stacks->frame[stack];

      if (frame < stacks->n_frames)
        {
          const char *name = peek_name (self, stacks, frame);
          gboolean kernel = (stacks->flags[stack] & TB_STACK_KERNEL) != 0;

          if (innermost == TB_ID_NONE)
            innermost = frame;
          if (kernel && name != NULL && syscall == NULL)
            syscall = g_strdup (tb_trace_peek_syscall_name (name));
          if (!kernel && innermost_user == TB_ID_NONE)
            {
              innermost_user = frame;
              /* A function without a name yet is also replaced by the system call. */
              if (syscall != NULL && (name == NULL || is_syscall_wrapper (name)))
                return g_steal_pointer (&syscall);
            }
          if (!kernel && name != NULL && !is_syscall_wrapper (name)
              && !(tb_is_inner_libc_function (name) && is_called_by_libc (self, stacks, stack)))
            return g_strdup (name);
        }
      stack = stacks->parent[stack];
    }
  if (innermost_user != TB_ID_NONE)
    return name_frame (self, stacks, innermost_user);
  return innermost != TB_ID_NONE ? name_frame (self, stacks, innermost) : NULL;
}

gboolean
tb_trace_is_broken_stack (const TbStackColumns *stacks, guint32 stack)
{
  for (guint depth = 0; stack != TB_STACK_NONE && stack < stacks->n_stacks && depth < MAX_DEPTH;
       depth++, stack = stacks->parent[stack])
    if ((stacks->flags[stack] & TB_STACK_BROKEN) != 0)
      return TRUE;
  return FALSE;
}

/**
 * tb_trace_find_program_function:
 * @self: a trace
 * @stack: a stack
 * @module: (out) (optional) (transfer none): the file name of its module
 *
 * Finds the innermost function of a stack that belongs to the program or its libraries: not to the
 * C library, the dynamic linker, the vDSO or the kernel. Between this function and those, frames
 * may be missing.
 *
 * Returns: (transfer full) (nullable): the function, %NULL if none has a known name
 */
char *
tb_trace_find_program_function (TbTrace *self, guint32 stack, const char **module)
{
  const TbStackColumns *stacks;
  gboolean is_caller = FALSE;

  g_return_val_if_fail (TB_IS_TRACE (self), NULL);

  stacks = tb_trace_peek_stacks (self);
  for (guint depth = 0; stack != TB_STACK_NONE && stack < stacks->n_stacks && depth < MAX_DEPTH;
       depth++, stack = stacks->parent[stack])
    {
      guint32 frame = stacks->frame[stack];
      const char *of, *name;

      if ((stacks->flags[stack] & TB_STACK_KERNEL) != 0 || frame >= stacks->n_frames)
        continue;
      of = tb_trace_peek_module (self, stacks, frame);
      name = tb_is_system_module (of) ? NULL : peek_name (self, stacks, frame);
      if (name == NULL)
        {
          is_caller = TRUE;
          continue;
        }
      /* What a walk found beyond the C library, and did not lead on, may be no caller. */
      if (is_caller && tb_trace_may_miss_callers (self) && tb_trace_is_broken_stack (stacks, stack))
        return NULL;
      if (module != NULL)
        *module = of;
      return g_strdup (name);
    }
  return NULL;
}

/**
 * tb_trace_may_miss_callers:
 * @self: a trace
 *
 * Gets whether stacks may be incomplete although they look complete.
 *
 * Returns: whether stacks that begin in the C library may lack the callers of its functions: stacks
 *   were recorded by frame pointers, which most C libraries do not have, and were not repaired.
 *   %FALSE also for recordings of which this is not known.
 */
gboolean
tb_trace_may_miss_callers (TbTrace *self)
{
  const char *collector;

  g_return_val_if_fail (TB_IS_TRACE (self), FALSE);

  collector = tb_session_get_fact (self->session, "collector");
  return (g_strcmp0 (collector, "ebpf") == 0 || g_strcmp0 (collector, "perf") == 0)
         && tb_session_get_fact (self->session, TB_FACT_REPAIRED_STACKS) == NULL;
}
