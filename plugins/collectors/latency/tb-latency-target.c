/* tb-latency-target.c: look-up of the operation to measure (function, system call, kernel function,
 * device request) by its name, and list of the names that a program offers
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#include "config.h"

#include <glib/gi18n.h>
#include <string.h>
#include <sys/utsname.h>

#include "base/tb-sandbox.h"
#include "extend/options/tb-option.h"
#include "agent-client/probes/tb-agent-functions.h"
#include "tb-latency-target.h"
#include "symbols/tb-syscall-names.h"

static gboolean
find_call (TbLatencyDrill *drill, const char *name, GError **error)
{
  struct utsname here;
  const char *const *names;
  guint n = 0;

  names = uname (&here) == 0 ? tb_syscall_names_get (here.machine, &n) : NULL;
  for (guint i = 0; i < n; i++)
    if (g_strcmp0 (names[i], name) == 0)
      {
        tb_latency_drill_set_call (drill, i, name);
        return TRUE;
      }
  g_set_error (error, TB_EXTEND_ERROR, TB_EXTEND_ERROR_USAGE,
               _ ("this machine has no system call “%s”"), name);
  return FALSE;
}

/* The kernel decides whether there is a function of that name and whether it can be probed. */
static gboolean
find_kernel_function (TbLatencyDrill *drill, const char *name, GError **error)
{
  static const char letters[] = G_CSET_A_2_Z G_CSET_a_2_z G_CSET_DIGITS "_.";

  if (*name != '\0' && strlen (name) < 128 && strspn (name, letters) == strlen (name)
      && !g_ascii_isdigit (*name))
    {
      tb_latency_drill_set_kernel_function (drill, name);
      return TRUE;
    }
  g_set_error (error, TB_EXTEND_ERROR, TB_EXTEND_ERROR_USAGE,
               _ ("invalid name “%s” of a function of the kernel"), name);
  return FALSE;
}

static const char *const requests[] = { "read", "write", "flush", "discard" };

/* In the order of the kernel's numbers: include/linux/blk_types.h */
static gboolean
find_request (TbLatencyDrill *drill, const char *name, GError **error)
{
  for (guint i = 0; i < G_N_ELEMENTS (requests); i++)
    if (g_str_equal (requests[i], name))
      {
        tb_latency_drill_set_request (drill, i, name);
        return TRUE;
      }
  g_set_error (
      error, TB_EXTEND_ERROR, TB_EXTEND_ERROR_USAGE,
      _ ("unknown kind of request “%s” to a device: use block:read, block:write, block:flush or "
         "block:discard"),
      name);
  return FALSE;
}

/* The prefix of an operation that only recordings have; NULL: the name has none */
static const char *
find_recorded_kind (const char *name)
{
  static const char *const kinds[]
      = { "network:", "lock:", "lock-hold:", "run-queue:", "interrupt:" };

  for (guint i = 0; i < G_N_ELEMENTS (kinds); i++)
    if (g_str_has_prefix (name, kinds[i]))
      return kinds[i];
  return NULL;
}

/* An exception can be thrown through a function only if an unwinding library is present. The
 * changed return addresses of return probes would stop it. */
static gboolean
may_throw (const TbLatencyImage *image, const TbTarget *target)
{
  static const char *const libraries[]
      = { "libgcc_s.so", "libunwind.so", "libstdc++.so", "libc++abi.so" };
  g_autofree char *path = g_strdup_printf ("/proc/%d/maps", target->pid);
  g_autofree char *maps = NULL;

  if (target->scope == TB_SCOPE_PROCESS && g_file_get_contents (path, &maps, NULL, NULL))
    for (guint i = 0; i < G_N_ELEMENTS (libraries); i++)
      if (strstr (maps, libraries[i]) != NULL)
        return TRUE;
  for (guint i = 0; i < G_N_ELEMENTS (libraries); i++)
    if (memmem (image->data, image->size, libraries[i], strlen (libraries[i])) != NULL)
      return TRUE;
  return memmem (image->data, image->size, "_Unwind_RaiseException", 22) != NULL;
}

gboolean
tb_latency_target_find (TbLatencyDrill *drill,
                        const char *name,
                        const char *returns,
                        const TbTarget *target,
                        GError **error)
{
  g_autofree char *path = NULL, *function = NULL;
  g_autoptr (TbLatencyImage) image = NULL;
  const TbLatencySymbol *symbol;

  if (g_str_has_prefix (name, "syscall:"))
    return find_call (drill, name + strlen ("syscall:"), error);
  if (g_str_has_prefix (name, "block:"))
    return find_request (drill, name + strlen ("block:"), error);
  if (find_recorded_kind (name) != NULL)
    {
      g_set_error (
          error, TB_EXTEND_ERROR, TB_EXTEND_ERROR_USAGE,
          _ ("%s cannot be examined during a recording: record, and analyze the recording with "
             "latency-peaks and the option operation=%s"),
          name, name);
      return FALSE;
    }
  if (g_str_has_prefix (name, "kernel:"))
    return find_kernel_function (drill, name + strlen ("kernel:"), error);
  if (!tb_agent_functions_locate (name, target, &path, &function, error))
    return FALSE;
  image = tb_latency_image_open (path, error);
  symbol = image != NULL ? tb_latency_image_find (image, function, error) : NULL;
  if (symbol == NULL)
    return FALSE;
  drill->pid = target->pid;
  tb_latency_drill_set_function (drill, image, symbol);
  if (g_strcmp0 (returns, "auto") == 0 && may_throw (image, target))
    drill->options.returns_by_instruction = TRUE;
  return TRUE;
}

gboolean
tb_latency_target_has_thread (const TbTarget *target, int thread, GError **error)
{
  g_autofree char *path = target->scope == TB_SCOPE_PROCESS
                              ? g_strdup_printf ("/proc/%d/task/%d", target->pid, thread)
                              : g_strdup_printf ("/proc/%d", thread);

  /* In a sandbox, numbers in /proc are those of other processes: the agent finds out. */
  if (thread == 0 || tb_sandbox_is_active ()
      || (target->scope != TB_SCOPE_COMMAND && g_file_test (path, G_FILE_TEST_IS_DIR)))
    return TRUE;
  g_set_error (error, TB_EXTEND_ERROR, TB_EXTEND_ERROR_USAGE,
               _ ("unknown thread %d: it is not recorded"), thread);
  return FALSE;
}

/* --- list of names --- */

static void
add_functions (GPtrArray *names, const TbLatencyImage *image, gboolean is_program)
{
  g_autofree char *library = g_strdup (tb_latency_image_get_name (image));
  char *dot = strstr (library, ".so");

  if (dot != NULL)
    *dot = '\0';
  for (guint i = 0; i < image->symbols->len; i++)
    {
      const TbLatencySymbol *symbol = &g_array_index (image->symbols, TbLatencySymbol, i);

      if (symbol->size > 0 && symbol->name[0] != '\0')
        g_ptr_array_add (names, is_program ? g_strdup (symbol->name)
                                           : g_strdup_printf ("%s:%s", library, symbol->name));
    }
}

static int
compare_names (gconstpointer a, gconstpointer b)
{
  return strcmp (*(char *const *) a, *(char *const *) b);
}

GPtrArray *
tb_latency_target_list_files (const TbTarget *target)
{
  GPtrArray *files = g_ptr_array_new_with_free_func (g_free);
  g_autofree char *path = g_strdup_printf ("/proc/%d/maps", target->pid);
  g_autofree char *maps = NULL;
  g_auto (GStrv) lines = NULL;

  if (tb_sandbox_is_active ())
    return files;
  if (target->scope != TB_SCOPE_PROCESS || !g_file_get_contents (path, &maps, NULL, NULL))
    {
      if (target->program != NULL)
        g_ptr_array_add (files, g_strdup (target->program));
      return files;
    }
  lines = g_strsplit (maps, "\n", -1);
  for (guint i = 0; lines[i] != NULL; i++)
    {
      const char *file = strchr (lines[i], '/');
      char *there;

      if (file == NULL || strstr (lines[i], " r-xp ") == NULL)
        continue;
      there = g_strdup_printf ("/proc/%d/root%s", target->pid, file);
      if (g_ptr_array_find_with_equal_func (files, there, g_str_equal, NULL))
        g_free (there);
      else
        g_ptr_array_add (files, there);
    }
  return files;
}

static void
add_calls (GPtrArray *names)
{
  struct utsname here;
  const char *const *calls;
  guint n = 0;

  calls = uname (&here) == 0 ? tb_syscall_names_get (here.machine, &n) : NULL;
  for (guint i = 0; i < n; i++)
    if (calls[i] != NULL)
      g_ptr_array_add (names, g_strdup_printf ("syscall:%s", calls[i]));
}

/* Appends sorted names, each once. */
static void
append_sorted (GPtrArray *all, GPtrArray *some)
{
  g_ptr_array_sort (some, compare_names);
  for (guint i = 0; i < some->len; i++)
    if (i == 0 || strcmp (g_ptr_array_index (some, i - 1), g_ptr_array_index (some, i)) != 0)
      g_ptr_array_add (all, g_strdup (g_ptr_array_index (some, i)));
}

char **
tb_latency_target_list (const TbTarget *target, GCancellable *cancellable, GError **error)
{
  g_autoptr (GPtrArray) all = g_ptr_array_new (), files = tb_latency_target_list_files (target);
  g_autoptr (GPtrArray) calls = g_ptr_array_new_with_free_func (g_free);

  for (guint i = 0; i < files->len; i++)
    {
      g_autoptr (TbLatencyImage) image = tb_latency_image_open (g_ptr_array_index (files, i), NULL);
      g_autoptr (GPtrArray) names = g_ptr_array_new_with_free_func (g_free);

      if (g_cancellable_set_error_if_cancelled (cancellable, error))
        {
          g_ptr_array_set_free_func (all, g_free);
          return NULL;
        }
      if (image != NULL)
        add_functions (names, image, i == 0);
      append_sorted (all, names);
    }
  add_calls (calls);
  append_sorted (all, calls);
  for (guint i = 0; i < G_N_ELEMENTS (requests); i++)
    g_ptr_array_add (all, g_strconcat ("block:", requests[i], NULL));
  g_ptr_array_add (all, NULL);
  return (char **) g_ptr_array_free (g_steal_pointer (&all), FALSE);
}
