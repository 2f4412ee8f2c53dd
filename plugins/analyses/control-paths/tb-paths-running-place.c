/* tb-paths-running-place.c: function with most of the sampled running time of a program
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#include "config.h"

#include <glib/gi18n.h>
#include <string.h>

#include "report/tb-format.h"
#include "tb-paths-running-place.h"

/* Functions at the start of every thread, which carry no information, and those through which the C
 * library enters the kernel for any system call. */
static gboolean
is_uninformative (const char *function)
{
  static const char *const names[] = { "_start",
                                       "__libc_start_main",
                                       "__libc_start_main_impl",
                                       "start_thread",
                                       "clone",
                                       "clone3",
                                       "__clone3",
                                       "__syscall_cancel_arch",
                                       "__syscall_cancel",
                                       "syscall",
                                       "__internal_syscall_cancel",
                                       "__libc_start_call_main",
                                       "entry_SYSCALL_64",
                                       NULL };

  return g_strv_contains (names, function);
}

/* The node that stands for a sample: the innermost named function of the program or its libraries,
 * else the innermost named one of the C library, else the innermost one. */
static guint32
find_representative (TbContextTree *tree, guint32 node, gboolean may_miss_callers)
{
  guint32 of_library = 0;

  for (guint32 at = node; at != 0; at = tb_context_tree_get_parent (tree, at))
    {
      TbContextNode context;

      tb_context_tree_get_node (tree, at, &context);
      if (context.kernel || !tb_context_node_is_named (&context)
          || is_uninformative (context.function))
        continue;
      if (tb_context_node_is_of_program (&context))
        return may_miss_callers && of_library != 0 && !tb_context_tree_has_start (tree, at)
                   ? of_library
                   : at;
      if (of_library == 0)
        of_library = at;
    }
  return of_library != 0 ? of_library : node;
}

/* Places are merged by function, or by module where the function has no name. */
typedef struct
{
  guint32 node; /* one of them */
  gint64 ns;
} Place;

static char *
make_key (TbContextTree *tree, guint32 node)
{
  TbContextNode context;

  tb_context_tree_get_node (tree, node, &context);
  return g_strdup_printf ("%s/%s", context.module,
                          tb_context_node_is_named (&context)
                                  && !is_uninformative (context.function)
                              ? context.function
                              : "");
}

gboolean
tb_paths_running_place_find (TbPathsRunningPlace *self,
                             TbContextTree *tree,
                             const GArray *running,
                             gboolean may_miss_callers)
{
  g_autoptr (GHashTable) places = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, g_free);
  const Place *most = NULL;
  TbContextNode context;

  *self = (TbPathsRunningPlace) { 0 };
  for (guint i = 0; running != NULL && i < running->len; i++)
    {
      const TbPathsNodeTime *one = &g_array_index (running, TbPathsNodeTime, i);
      guint32 node = find_representative (tree, one->node, may_miss_callers);
      g_autofree char *key = make_key (tree, node);
      Place *place = g_hash_table_lookup (places, key);

      if (place == NULL)
        {
          place = g_new0 (Place, 1);
          place->node = node;
          g_hash_table_insert (places, g_steal_pointer (&key), place);
        }
      place->node = MIN (place->node, node);
      place->ns += one->ns;
      self->sampled_ns += one->ns;
      if (most == NULL || place->ns > most->ns
          || (place->ns == most->ns && place->node < most->node))
        most = place;
    }
  if (most == NULL)
    return FALSE;
  tb_context_tree_get_node (tree, most->node, &context);
  self->node = most->node;
  self->ns = most->ns;
  self->module = context.module[0] != '\0' ? g_strdup (context.module) : NULL;
  if (tb_context_node_is_named (&context) && !is_uninformative (context.function))
    self->function = g_strdup (context.function);
  else
    self->is_system_call
        = tb_context_node_is_named (&context) && !tb_context_node_is_of_program (&context);
  return TRUE;
}

void
tb_paths_running_place_clear (TbPathsRunningPlace *self)
{
  g_clear_pointer (&self->function, g_free);
  g_clear_pointer (&self->module, g_free);
}

static char *
describe (const TbPathsRunningPlace *self)
{
  g_autofree char *share
      = tb_format_share (self->sampled_ns > 0 ? (double) self->ns / (double) self->sampled_ns : 0);

  if (self->function != NULL && self->module != NULL && strstr (self->module, ".so") != NULL)
    /* Translators: a function, its library, a share */
    return g_strdup_printf (_ ("most in %s of %s, %s"), self->function, self->module, share);
  if (self->function != NULL)
    /* Translators: a function, a share */
    return g_strdup_printf (_ ("most in %s, %s"), self->function, share);
  if (self->is_system_call)
    /* Translators: a share */
    return g_strdup_printf (_ ("most in system calls, %s"), share);
  if (self->module != NULL)
    /* Translators: a program or library, a share */
    return g_strdup_printf (_ ("most in functions of %s without names, %s"), self->module, share);
  return NULL;
}

char *
tb_paths_running_place_describe (const TbPathsRunningPlace *self, TbTrace *trace)
{
  char *text = describe (self);
  g_autofree char *remedy
      = self->function != NULL ? tb_trace_describe_caller_option (trace, self->node) : NULL;
  char *whole;

  if (text == NULL || remedy == NULL)
    return text;
  /* Translators: “most in read, 40 %”, “its caller is recorded with the option …” */
  whole = g_strdup_printf (_ ("%s; %s"), text, remedy);
  g_free (text);
  return whole;
}
