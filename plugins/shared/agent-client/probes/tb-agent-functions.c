/* tb-agent-functions.c: functions to be probed, found by "[FILE:]FUNCTION" in the target's program,
 * in mapped files and in libraries; opened and mapped for the agent
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#include "config.h"

#include <errno.h>
#include <fcntl.h>
#include <glib/gi18n-lib.h>
#include <glib/gstdio.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/tb-sandbox.h"
#include "extend/options/tb-option.h"
#include "symbols/tb-function-finder.h"
#include "tb-agent-functions.h"
#include "tb-function-entry.h"

/* Default folders of the dynamic linker on common systems; MULTIARCH is Debian's name of the
 * architecture. */
static const char *const library_folders[] = {
  "/usr/local/lib",
  "/usr/local/lib64",
  "/lib/" MULTIARCH,
  "/usr/lib/" MULTIARCH,
  "/usr/local/lib/" MULTIARCH,
  "/lib64",
  "/usr/lib64",
  "/lib",
  "/usr/lib",
};

static void
function_free (gpointer data)
{
  TbAgentFunction *self = data;

  if (self->page != NULL)
    munmap (self->page, self->page_size);
  if (self->fd >= 0)
    close (self->fd);
  g_free (self->name);
  g_free (self->id);
  g_free (self->path);
  g_free (self);
}

static gboolean
refuse (GError **error, TbExtendError code, const char *format, ...)
{
  va_list arguments;
  g_autofree char *text = NULL;

  va_start (arguments, format);
  text = g_strdup_vprintf (format, arguments);
  va_end (arguments);
  g_set_error (error, TB_EXTEND_ERROR, code, "probe: %s", text);
  return FALSE;
}

/* File lookup */

static gboolean
is_elf (const char *path)
{
  int fd = g_open (path, O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY, 0);
  char magic[4] = "";
  gboolean is = fd >= 0 && read (fd, magic, sizeof magic) == sizeof magic
                && memcmp (magic, "\177ELF", 4) == 0;

  if (fd >= 0)
    close (fd);
  return is;
}

/* "libc.so.6" matches libc.so.6, libc.so and libc. */
static gboolean
is_file_named (const char *path, const char *name)
{
  const char *slash = strrchr (path, '/'), *base = slash != NULL ? slash + 1 : path;
  gsize length = strlen (name);

  return strcmp (base, name) == 0
         || (strncmp (base, name, length) == 0
             && (g_str_has_prefix (base + length, ".so")
                 || (g_str_has_suffix (name, ".so") && base[length] == '.')));
}

static gboolean
is_same_file (const char *path, const char *other)
{
  struct stat one, two;

  return stat (path, &one) == 0 && stat (other, &two) == 0 && one.st_dev == two.st_dev
         && one.st_ino == two.st_ino;
}

static void
add_file (GPtrArray *files, const char *path, const char *name)
{
  if (!is_file_named (path, name) || !is_elf (path))
    return;
  for (guint i = 0; i < files->len; i++)
    if (is_same_file (g_ptr_array_index (files, i), path))
      return;
  g_ptr_array_add (files, g_strdup (path));
}

/* Adds the files that a process has mapped, by their paths as visible from here. */
static void
search_process (GPtrArray *files, gint32 pid, const char *name)
{
  g_autofree char *maps_path = g_strdup_printf ("/proc/%d/maps", pid);
  g_autofree char *maps = NULL;
  g_auto (GStrv) lines = NULL;

  if (!g_file_get_contents (maps_path, &maps, NULL, NULL))
    return;
  lines = g_strsplit (maps, "\n", -1);
  for (guint i = 0; lines[i] != NULL; i++)
    {
      const char *path = strchr (lines[i], '/');
      g_autofree char *there = NULL;

      if (path == NULL || strstr (lines[i], " r-xp ") == NULL || !is_file_named (path, name))
        continue;
      there = g_strdup_printf ("/proc/%d/root%s", pid, path);
      add_file (files, there, name);
    }
}

static void
search_folder (GPtrArray *files, const char *folder, const char *name)
{
  g_autoptr (GDir) entries = g_dir_open (folder, 0, NULL);
  const char *entry;

  while (entries != NULL && (entry = g_dir_read_name (entries)) != NULL)
    if (is_file_named (entry, name))
      {
        g_autofree char *path = g_build_filename (folder, entry, NULL);

        add_file (files, path, name);
      }
}

static void
search_libraries (GPtrArray *files, const char *name)
{
  g_auto (GStrv) own
      = g_strsplit (g_getenv ("LD_LIBRARY_PATH") ? g_getenv ("LD_LIBRARY_PATH") : "", ":", -1);

  for (guint i = 0; own[i] != NULL && files->len == 0; i++)
    if (own[i][0] != '\0')
      search_folder (files, own[i], name);
  for (guint i = 0; i < G_N_ELEMENTS (library_folders) && files->len == 0; i++)
    search_folder (files, library_folders[i], name);
}

static char *
find_target_program (const TbTarget *target)
{
  if (target->scope == TB_SCOPE_PROCESS)
    {
      g_autofree char *link = g_strdup_printf ("/proc/%d/exe", target->pid);
      g_autofree char *program = g_file_read_link (link, NULL);

      return program != NULL ? g_strdup_printf ("/proc/%d/root%s", target->pid, program) : NULL;
    }
  return g_strdup (target->program);
}

/* (transfer full) (nullable): NULL with error */
static char *
find_file (const char *name, const TbTarget *target, GError **error)
{
  g_autoptr (GPtrArray) files = g_ptr_array_new_with_free_func (g_free);
  g_autofree char *program = NULL;

  if (tb_sandbox_is_active ())
    {
      refuse (
          error, TB_EXTEND_ERROR_UNAVAILABLE,
          _ ("functions of programs cannot be found from a sandbox, which does not see the files "
             "of this computer: record with tailback-cli on the computer, and open the file"));
      return NULL;
    }
  program = find_target_program (target);
  if (name == NULL && program == NULL)
    refuse (error, TB_EXTEND_ERROR_USAGE,
            _ ("the whole system is not one program: name the program or library of the function "
               "(libc:malloc)"));
  if (name == NULL)
    return g_steal_pointer (&program);
  if (strchr (name, '/') != NULL)
    return g_strdup (name);
  if (program != NULL)
    add_file (files, program, name);
  if (files->len == 0 && target->scope == TB_SCOPE_PROCESS)
    search_process (files, target->pid, name);
  if (files->len == 0)
    search_libraries (files, name);
  if (files->len == 0)
    {
      g_autofree char *found = g_find_program_in_path (name);

      if (found != NULL)
        return g_steal_pointer (&found);
    }
  if (files->len == 1)
    return g_strdup (g_ptr_array_index (files, 0));
  if (files->len == 0)
    refuse (error, TB_EXTEND_ERROR_FAILED, _ ("unknown program or library “%s”: use its path"),
            name);
  else
    refuse (error, TB_EXTEND_ERROR_FAILED,
            _ ("ambiguous program or library “%s”: use one of the paths %s and %s"), name,
            (char *) g_ptr_array_index (files, 0), (char *) g_ptr_array_index (files, 1));
  return NULL;
}

/* Parsing of requests */

/* Finds the colon between FILE and FUNCTION, which is not part of a C++ "::". */
static const char *
find_separator (const char *text)
{
  for (const char *at = text; (at = strchr (at, ':')) != NULL; at++)
    {
      if (at[1] != ':')
        return at;
      at++;
    }
  return NULL;
}

static gboolean
split (const char *text, char **file, char **function, guint64 *filter, GError **error)
{
  const char *time = strrchr (text, '>'), *separator;
  g_autofree char *whole = NULL;
  gint64 shortest = 0;

  /* Otherwise the ">" belongs to a C++ name. */
  if (time != NULL && g_ascii_isdigit (time[1]) && !tb_parse_duration (time + 1, &shortest, NULL))
    return refuse (error, TB_EXTEND_ERROR_USAGE,
                   _ ("invalid time “%s” in “%s”: use a time such as "
                      "10ms"),
                   time + 1, text);
  whole
      = time != NULL && g_ascii_isdigit (time[1]) ? g_strndup (text, time - text) : g_strdup (text);
  separator = find_separator (whole);
  *file = separator != NULL ? g_strstrip (g_strndup (whole, separator - whole)) : NULL;
  *function = g_strstrip (g_strdup (separator != NULL ? separator + 1 : whole));
  *filter = (guint64) shortest;
  if (**function != '\0' && (*file == NULL || **file != '\0'))
    return TRUE;
  g_clear_pointer (file, g_free);
  g_clear_pointer (function, g_free);
  return refuse (error, TB_EXTEND_ERROR_USAGE,
                 _ ("invalid function “%s”: use [LIBRARY-OR-PROGRAM:]FUNCTION, such as "
                    "libc:malloc"),
                 text);
}

gboolean
tb_agent_functions_locate (const char *wanted,
                           const TbTarget *target,
                           char **path,
                           char **function,
                           GError **error)
{
  g_autofree char *file = NULL;
  guint64 filter;

  *path = NULL;
  if (!split (wanted, &file, function, &filter, error))
    return FALSE;
  *path = find_file (file, target, error);
  if (*path == NULL)
    g_clear_pointer (function, g_free);
  return *path != NULL;
}

static void
set_build_id (TbAgentFunction *self)
{
  g_autofree char *digits = tb_function_read_build_id (self->fd);

  for (gsize i = 0; digits != NULL && digits[2 * i] != '\0' && i < sizeof self->build_id; i++)
    {
      self->build_id[i] = (guint8) (g_ascii_xdigit_value (digits[2 * i]) << 4
                                    | g_ascii_xdigit_value (digits[2 * i + 1]));
      self->build_id_length = i + 1;
    }
}

/* The mapping proves to the agent that this user may read the file, without a path being sent. */
static gboolean
map_function (TbAgentFunction *self, GError **error)
{
  guint64 page = (guint64) sysconf (_SC_PAGESIZE), begin = self->probe.offset & ~(page - 1);

  /* The best location for the probe may be on the next page. */
  self->page_size = 2 * page;
  self->page
      = mmap (NULL, self->page_size, PROT_READ | PROT_EXEC, MAP_PRIVATE, self->fd, (off_t) begin);
  if (self->page != MAP_FAILED)
    return TRUE;
  self->page = NULL;
  return refuse (error, TB_EXTEND_ERROR_FAILED, _ ("cannot map “%s”: %s"), self->path,
                 g_strerror (errno));
}

static gboolean
open_function (TbAgentFunction *self,
               const char *file,
               const char *function,
               const TbTarget *target,
               GError **error)
{
  g_autoptr (GError) local_error = NULL;
  struct stat status;

  self->path = find_file (file, target, error);
  if (self->path == NULL)
    return FALSE;
  self->fd = g_open (self->path, O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY, 0);
  if (self->fd < 0 || fstat (self->fd, &status) != 0)
    return refuse (error, TB_EXTEND_ERROR_FAILED, _ ("cannot open “%s”: %s"), self->path,
                   g_strerror (errno));
  if (!S_ISREG (status.st_mode))
    return refuse (error, TB_EXTEND_ERROR_FAILED, _ ("“%s” is not a file"), self->path);
  if (!tb_function_find (self->fd, self->path, function, &self->probe.offset, &local_error))
    return refuse (error, TB_EXTEND_ERROR_FAILED, "%s", local_error->message);
  self->probe.device = status.st_dev;
  self->probe.inode = status.st_ino;
  self->probe.kind = TB_CAPTURE_PROBE_RETURN | TB_CAPTURE_PROBE_ALL;
  self->probe.pid = getpid ();
  set_build_id (self);
  return map_function (self, error);
}

guint64
tb_agent_function_find_entry (const TbAgentFunction *self)
{
  g_autofree guint8 *code = g_malloc (TB_FUNCTION_ENTRY_CODE);
  gssize length = pread (self->fd, code, TB_FUNCTION_ENTRY_CODE, (off_t) self->probe.offset);

  return self->probe.offset + (length > 0 ? tb_function_entry_find (code, (gsize) length) : 0);
}

/* Two probes at one location would record each call twice. */
static gboolean
is_known (GPtrArray *functions, const TbAgentFunction *function)
{
  for (guint i = 0; i < functions->len; i++)
    {
      const TbCaptureProbeAdd *other
          = &((TbAgentFunction *) g_ptr_array_index (functions, i))->probe;

      if (other->device == function->probe.device && other->inode == function->probe.inode
          && other->offset == function->probe.offset)
        return TRUE;
    }
  return FALSE;
}

static TbAgentFunction *
find_function (const char *wanted, const TbTarget *target, GError **error)
{
  TbAgentFunction *function = g_new0 (TbAgentFunction, 1);
  g_autofree char *file = NULL, *name = NULL;

  function->fd = -1;
  if (split (wanted, &file, &name, &function->probe.filter, error)
      && open_function (function, file, name, target, error))
    {
      g_autofree char *module = g_path_get_basename (function->path);

      function->name = file != NULL ? g_strdup_printf ("%s:%s", file, name) : g_strdup (name);
      function->id = g_strdup_printf ("%s@%s", name, module);
      return function;
    }
  function_free (function);
  return NULL;
}

GPtrArray *
tb_agent_functions_find (const char *const *wanted, const TbTarget *target, GError **error)
{
  g_autoptr (GPtrArray) functions = g_ptr_array_new_with_free_func (function_free);

  for (guint i = 0; wanted != NULL && wanted[i] != NULL; i++)
    {
      TbAgentFunction *function = find_function (wanted[i], target, error);

      if (function == NULL)
        return NULL;
      if (is_known (functions, function))
        {
          refuse (error, TB_EXTEND_ERROR_USAGE, _ ("%s is given twice"), function->name);
          function_free (function);
          return NULL;
        }
      g_ptr_array_add (functions, function);
      function->probe.id = functions->len;
    }
  return g_steal_pointer (&functions);
}
