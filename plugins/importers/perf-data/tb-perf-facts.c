/* tb-perf-facts.c: command, host, clock, versions and kernel of a perf.data file, stored as facts
 * of the session
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#include "config.h"

#include <linux/perf_event.h>
#include <stdio.h>
#include <sys/utsname.h>

#include "tb-perf-import-private.h"
#include "tb-perf-sample-times.h"

/* Number of lines of kallsyms that are searched for the first symbols of the kernel's text. */
#define MAX_KALLSYMS_LINES 20000

static const char *
get_clock_name (const TbPerfFile *file)
{
  static const char *const names[] = {
    "realtime",
    "monotonic",
    "process-cpu",
    "thread-cpu",
    "monotonic-raw",
    "realtime-coarse",
    "monotonic-coarse",
    "boottime",
    "realtime-alarm",
    "boottime-alarm",
    NULL,
    "tai",
  };
  const TbPerfAttr *attr = tb_perf_file_get_attr (file, 0);

  if (!tb_perf_attr_has (attr, TB_PERF_FLAG_USE_CLOCKID))
    return "perf"; /* the default clock of perf */
  if (attr->clockid >= 0 && attr->clockid < (int) G_N_ELEMENTS (names)
      && names[attr->clockid] != NULL)
    return names[attr->clockid];
  return "unknown";
}

static gboolean
is_own_host (const TbPerfFile *file)
{
  struct utsname own;

  return uname (&own) == 0 && g_strcmp0 (file->host_name, own.nodename) == 0
         && g_strcmp0 (file->os_release, own.release) == 0;
}

void
tb_perf_import_set_facts (TbPerfImport *self)
{
  TbPerfFile *file = self->file;

  self->command_kind = TB_PERF_COMMAND_UNKNOWN;
  if (file->command_line != NULL)
    self->command_kind = tb_perf_command_find ((const char *const *) file->command_line,
                                               &self->command_first, &self->is_of_system);
  self->is_own_host = is_own_host (file);
  self->host = tb_recorder_add_host (self->recorder, file->host_name ? file->host_name : "",
                                     file->os_release ? file->os_release : "",
                                     file->arch ? file->arch : "", file->n_cpus, 0);
  tb_recorder_set_fact (self->recorder, "collector", "perf-data");
  tb_recorder_set_fact (self->recorder, "clock", get_clock_name (file));
  if (file->is_simpleperf)
    tb_recorder_set_fact (self->recorder, "simpleperf-version",
                          file->simpleperf_version != NULL ? file->simpleperf_version : "");
  if (file->perf_version != NULL)
    tb_recorder_set_fact (self->recorder, "perf-version", file->perf_version);
  if (file->written != 0)
    {
      g_autofree char *text = g_strdup_printf ("%" G_GINT64_FORMAT, file->written);

      tb_recorder_set_fact (self->recorder, "written-realtime-ns", text);
    }
  if (file->clock_wall != 0 && file->clock_own != 0)
    {
      g_autofree char *text
          = g_strdup_printf ("%" G_GINT64_FORMAT, (gint64) (file->clock_wall - file->clock_own));

      /* The wall clock at time 0 of the session clock. */
      tb_recorder_set_fact (self->recorder, "clock-realtime-ns", text);
    }
}

/* Finds the words of the command in perf's command line by the program that perf started. */
static char *
join_command (const char *const *words, const char *program)
{
  for (guint i = 1; words != NULL && words[0] != NULL && words[i] != NULL; i++)
    if (tb_perf_command_is_program (words[i], program))
      return tb_perf_command_join (words + i);
  return g_strdup (program);
}

/* A recording of the whole system often ends with a sleep, which is only its duration, also if
 * perf's command line is not the one that recorded. */
static gboolean
is_duration (const TbPerfImport *self)
{
  return self->command_kind == TB_PERF_COMMAND_UNKNOWN
         && g_str_equal (self->command_program, "sleep")
         && (self->is_of_system || self->is_of_others);
}

void
tb_perf_import_set_command (TbPerfImport *self)
{
  const char *const *words = (const char *const *) self->file->command_line;
  g_autofree char *command = NULL;
  g_autofree char *pid = g_strdup_printf ("%d", self->command_pid);

  if (self->command_kind == TB_PERF_COMMAND_KNOWN)
    command = tb_perf_command_join (words + self->command_first);
  else if (self->command_program != NULL && !is_duration (self))
    command = join_command (words, self->command_program);
  if (command != NULL)
    tb_recorder_set_fact (self->recorder, "command", command);
  if (self->command_pid != 0 && command != NULL)
    tb_recorder_set_fact (self->recorder, TB_FACT_COMMAND_PID, pid);
  if (!self->is_of_system)
    tb_recorder_set_fact (self->recorder, TB_FACT_COVERAGE, "part");
  else if (self->is_container && !tb_perf_namespace_has_outside (self->namespace))
    tb_recorder_set_fact (self->recorder, TB_FACT_COVERAGE, "container");
  if (self->sample_times != NULL)
    tb_perf_sample_times_set_fact (self->sample_times, self->recorder);
}

/* Returns the address of a symbol of the running kernel; 0 if it is hidden. */
static guint64
find_own_address (const char *symbol)
{
  FILE *kallsyms = fopen ("/proc/kallsyms", "re");
  char line[512];
  guint64 found = 0;

  for (guint i = 0; kallsyms != NULL && found == 0 && i < MAX_KALLSYMS_LINES
                    && fgets (line, sizeof line, kallsyms);
       i++)
    {
      char *end;
      guint64 address = g_ascii_strtoull (line, &end, 16);

      g_strchomp (end);
      if (strlen (end) > 3 && strcmp (end + 3, symbol) == 0)
        found = address;
    }
  if (kallsyms != NULL)
    fclose (kallsyms);
  return found;
}

/* The address of the kernel differs after each boot. If the recorded kernel had the same address as
 * the running one, its addresses can be named by the running kernel; the fact "boot-id" is then set
 * to the current boot. */
void
tb_perf_import_set_kernel (TbPerfImport *self,
                           const char *symbol,
                           guint64 address,
                           const char *build_id)
{
  g_autofree char *boot_id = NULL;
  g_autofree char *start = NULL;

  if (self->has_kernel)
    return;
  self->has_kernel = TRUE;
  start = g_strdup_printf ("%s %" G_GINT64_MODIFIER "x", symbol, address);
  tb_recorder_set_fact (self->recorder, "kernel-text", start);
  tb_recorder_intern_module (self->recorder, TB_MODULE_KERNEL, "[kernel]", build_id, -1);
  if (!self->is_own_host || address == 0 || find_own_address (symbol) != address)
    {
      tb_recorder_set_fact (self->recorder, "boot-id", "");
      return;
    }
  if (g_file_get_contents ("/proc/sys/kernel/random/boot_id", &boot_id, NULL, NULL))
    tb_recorder_set_fact (self->recorder, "boot-id", g_strstrip (boot_id));
}
