/* tb-agent-start-options.c: texts of options parsed for the START record of a recording: trigger of
 * a flight recorder ("fsync>20ms"), control group; also names of the threads whose stacks are
 * dumped
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#include "config.h"

#include <errno.h>
#include <glib/gi18n-lib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/utsname.h>
#include <sys/vfs.h>

#include "extend/options/tb-option.h"
#include "tb-agent-start-options.h"
#include "symbols/tb-syscall-names.h"

#define CGROUP_ROOT "/sys/fs/cgroup"
#define CGROUP2_MAGIC 0x63677270

static gboolean
find_call (const char *name, guint32 *number)
{
  struct utsname here;
  const char *const *names;
  guint n_names = 0;

  if (strcmp (name, "any") == 0 || strcmp (name, "function") == 0)
    {
      *number = name[0] == 'a' ? TB_CAPTURE_ANY_CALL : TB_CAPTURE_NO_CALL;
      return TRUE;
    }
  names = uname (&here) == 0 ? tb_syscall_names_get (here.machine, &n_names) : NULL;
  for (guint i = 0; i < n_names; i++)
    if (g_strcmp0 (names[i], name) == 0)
      {
        *number = i;
        return TRUE;
      }
  return FALSE;
}

gboolean
tb_agent_start_parse_condition (TbCaptureStart *start, const char *condition, GError **error)
{
  g_auto (GStrv) parts = NULL;
  gint64 longer;

  if (condition == NULL || *condition == '\0')
    return TRUE;
  parts = g_strsplit (condition, ">", 2);
  g_strstrip (parts[0]);
  if (parts[1] == NULL || !tb_parse_duration (g_strstrip (parts[1]), &longer, NULL) || longer <= 0)
    {
      g_set_error (error, TB_EXTEND_ERROR, TB_EXTEND_ERROR_USAGE,
                   _ ("invalid trigger “%s”: use a call and a time, such as fsync>20ms, any>1s or "
                      "function>5ms"),
                   condition);
      return FALSE;
    }
  if (!find_call (parts[0], &start->trigger_call))
    {
      g_set_error (error, TB_EXTEND_ERROR, TB_EXTEND_ERROR_USAGE,
                   _ ("unknown call “%s” of trigger: use a system call of this machine, “any” or "
                      "“function”"),
                   parts[0]);
      return FALSE;
    }
  start->trigger_ns = (guint64) longer;
  return TRUE;
}

char **
tb_agent_start_parse_dumped (const char *threads, GError **error)
{
  g_auto (GStrv) parts = g_strsplit (threads != NULL ? threads : "", ",", -1);
  g_autoptr (GStrvBuilder) names = g_strv_builder_new ();
  guint n = 0;

  for (guint i = 0; parts[i] != NULL; i++)
    {
      if (*g_strstrip (parts[i]) == '\0')
        continue;
      /* The kernel has only the beginning of a name. */
      g_strv_builder_take (names, g_strndup (parts[i], TB_CAPTURE_MAX_DUMP_NAME));
      n++;
    }
  if (n == 0)
    return NULL;
  if (n == 1 && strcmp (g_strstrip (parts[0]), "all") == 0)
    return g_new0 (char *, 1);
  if (n <= TB_CAPTURE_MAX_DUMP_THREADS)
    return g_strv_builder_end (names);
  g_set_error (error, TB_EXTEND_ERROR, TB_EXTEND_ERROR_USAGE,
               _ ("too many names for dump-stacks: use at most %u names, or “all”, not “%s”"),
               TB_CAPTURE_MAX_DUMP_THREADS, threads);
  return NULL;
}

gboolean
tb_agent_start_find_cgroup (TbCaptureStart *start, const char *path, GError **error)
{
  g_autofree char *whole = NULL;
  struct stat status;
  struct statfs system;

  if (path == NULL || *path == '\0')
    return TRUE;
  /* The path is as in /proc/PID/cgroup, relative to the root of the hierarchy, or a directory. */
  whole = g_str_has_prefix (path, CGROUP_ROOT) ? g_strdup (path)
                                               : g_build_filename (CGROUP_ROOT, path, NULL);
  if (stat (whole, &status) != 0 || !S_ISDIR (status.st_mode))
    {
      g_set_error (error, TB_EXTEND_ERROR, TB_EXTEND_ERROR_USAGE,
                   _ ("There is no control group “%s”: nothing is recorded. Use the name of the "
                      "control group of a process in /proc/PID/cgroup."),
                   whole);
      return FALSE;
    }
  if (statfs (whole, &system) != 0 || system.f_type != CGROUP2_MAGIC)
    {
      g_set_error (error, TB_EXTEND_ERROR, TB_EXTEND_ERROR_UNAVAILABLE,
                   _ ("“%s” is not a control group of version 2: only these can be recorded alone. "
                      "Record a process tree instead."),
                   whole);
      return FALSE;
    }
  start->cgroup = status.st_ino;
  return TRUE;
}
