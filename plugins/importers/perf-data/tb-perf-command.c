/* tb-perf-command.c: the command that perf started, found in perf's own command line behind perf's
 * options, of which it has tables, and quoted as for a shell
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#include "config.h"

#include "tb-perf-command.h"

#include <string.h>

#define MAX_TASK_NAME 15

/* Options of "perf record" and of the commands that pass their options on to it. Options with an
 * optional value have it in the same word only; they are among the options without a value. */
static const char *const record_values[] = {
  "affinity",
  "branch-filter",
  "call-graph",
  "cgroup",
  "clang-opt",
  "clang-path",
  "clockid",
  "control",
  "count",
  "cpu",
  "delay",
  "event",
  "filter",
  "freq",
  "max-size",
  "mmap-flush",
  "mmap-pages",
  "num-thread-synthesize",
  "off-cpu-thresh",
  "output",
  "pfm-events",
  "pid",
  "proc-map-timeout",
  "realtime",
  "switch-max-files",
  "synth",
  "tid",
  "uid",
  "vmlinux",
  NULL,
};
static const char *const record_flags[] = {
  "aio",
  "all-cgroups",
  "all-cpus",
  "all-kernel",
  "all-user",
  "append",
  "aux-sample",
  "branch-any",
  "buildid",
  "buildid-all",
  "buildid-cache",
  "buildid-mmap",
  "bpf-event",
  "buffering",
  "callchain",
  "code-page-size",
  "compression-level",
  "data",
  "data-mmap",
  "data-page-size",
  "debuginfod",
  "dry-run",
  "exclude-perf",
  "force",
  "group",
  "inherit",
  "intr-regs",
  "io-only",
  "kcore",
  "kernel-callchains",
  "latency",
  "off-cpu",
  "overwrite",
  "per-thread",
  "period",
  "phys-addr",
  "power-only",
  "quiet",
  "raw-samples",
  "running-time",
  "sample-cpu",
  "sample-identifier",
  "sample-mem-info",
  "samples",
  "snapshot",
  "stat",
  "strict-freq",
  "switch-events",
  "switch-output",
  "tail-synthesize",
  "tasks-only",
  "threads",
  "timestamp",
  "timestamp-boundary",
  "timestamp-filename",
  "transaction",
  "user-callchains",
  "user-regs",
  "verbose",
  "weight",
  NULL,
};
static const char *const stat_values[] = {
  "bpf-counters-id",
  "bpf-map",
  "bpf-prog",
  "cgroup",
  "control",
  "cpu",
  "cputype",
  "delay",
  "event",
  "field-separator",
  "filter",
  "for-each-cgroup",
  "input",
  "interval-count",
  "interval-print",
  "log-fd",
  "metrics",
  "output",
  "pid",
  "post",
  "pre",
  "repeat",
  "tid",
  "timeout",
  "td-level",
  NULL,
};
static const char *const stat_flags[] = {
  "aggr",
  "all-cpus",
  "all-kernel",
  "all-user",
  "append",
  "big-num",
  "bpf-counters",
  "csv-output",
  "detailed",
  "group",
  "hybrid-merge",
  "inherit",
  "interval-clear",
  "iostat",
  "json-output",
  "merge",
  "metric-no-group",
  "metric-no-merge",
  "metric-no-threshold",
  "metric-only",
  "null",
  "per-cache",
  "per-cluster",
  "per-core",
  "per-die",
  "per-node",
  "per-socket",
  "per-thread",
  "quiet",
  "scale",
  "smi-cost",
  "summary",
  "sync",
  "table",
  "topdown",
  "transaction",
  "verbose",
  NULL,
};

typedef struct
{
  const char *const *values; /* long options with a value */
  const char *const *flags;
  const char *short_values;
  const char *short_flags;
  const char *short_optional; /* the rest of the word is the value */
} Options;

static const Options record_options
    = { record_values, record_flags, "CDFGcejkmoprtu", "ABNPRTWabdfgilnqsvy", "ISz" };
static const Options stat_options
    = { stat_values, stat_flags, "CDGIMbeoprtx", "ABSTacdgijnqv", "" };

/* Commands other than "record" that end in "record". "mem" and "c2c" have options of their own that
 * mean something else to "perf record". */
static const struct
{
  const char *name;
  const Options *options;
  gboolean of_system; /* records all CPUs */
} commands[] = {
  { "kmem", &record_options, TRUE },   { "kwork", &record_options, TRUE },
  { "lock", &record_options, FALSE },  { "sched", &record_options, TRUE },
  { "stat", &stat_options, FALSE },    { "timechart", &record_options, TRUE },
  { "trace", &record_options, FALSE },
};

/* What is recorded, by the options read so far. */
typedef struct
{
  const Options *options;
  gboolean of_system;
  gboolean of_existing; /* processes, threads or a user's */
} Target;

static gboolean
is_record (const char *word)
{
  return strlen (word) > 2 && g_str_has_prefix ("record", word);
}

/* perf accepts the start of an option's name. The length is without the value. */
static const char *
find_long (const char *const *names, const char *word, gsize length)
{
  const char *found = NULL;

  for (guint i = 0; names[i] != NULL; i++)
    {
      if (strncmp (names[i], word, length) != 0)
        continue;
      if (names[i][length] == '\0')
        return names[i];
      found = names[i];
    }
  return found;
}

static void
note_option (Target *target, char option)
{
  target->of_system |= option == 'a' || option == 'C';
  target->of_existing |= option == 'p' || option == 't' || option == 'u';
}

static void
note_long (Target *target, const char *name)
{
  target->of_system |= g_str_equal (name, "all-cpus") || g_str_equal (name, "cpu");
  target->of_existing
      |= g_str_equal (name, "pid") || g_str_equal (name, "tid") || g_str_equal (name, "uid");
}

/* Returns the number of words of the option, 0 if it is unknown. */
static guint
read_long (Target *target, const char *word)
{
  gsize length;
  const char *name;

  if (g_str_has_prefix (word, "no-"))
    word += strlen ("no-");
  length = strcspn (word, "=");
  name = find_long (target->options->flags, word, length);
  /* The whole name of an option with a value is never the start of another option's name. */
  if (name == NULL || name[length] != '\0')
    {
      const char *with_value = find_long (target->options->values, word, length);

      name = with_value != NULL ? with_value : name;
      if (name == NULL)
        return 0;
      note_long (target, name);
      return with_value != NULL && word[length] == '\0' ? 2 : 1;
    }
  note_long (target, name);
  return 1;
}

/* Likewise for a word of short options. */
static guint
read_short (Target *target, const char *word)
{
  const Options *options = target->options;

  for (; *word != '\0'; word++)
    {
      note_option (target, *word);
      if (strchr (options->short_values, *word) != NULL)
        return word[1] != '\0' ? 1 : 2;
      if (strchr (options->short_optional, *word) != NULL)
        return 1;
      if (strchr (options->short_flags, *word) == NULL)
        return 0;
    }
  return 1;
}

/* Finds perf's command and the first of its options; returns 0 if they are unknown. */
static guint
find_options (const char *const *words, guint n, Target *target)
{
  g_autofree char *program = n > 0 ? g_path_get_basename (words[0]) : NULL;

  if (n < 2 || !g_str_has_prefix (program, "perf"))
    return 0;
  target->options = &record_options;
  if (is_record (words[1]))
    return 2;
  for (guint i = 0; i < G_N_ELEMENTS (commands); i++)
    {
      guint at = 2;

      if (!g_str_equal (words[1], commands[i].name))
        continue;
      while (at < n && !is_record (words[at]))
        at++;
      target->options = commands[i].options;
      target->of_system = commands[i].of_system;
      return at < n ? at + 1 : 0;
    }
  return 0;
}

/* A recording of the whole system often ends with a sleep, which is only its duration. */
static gboolean
is_duration (const Target *target, const char *word)
{
  return target->of_system && tb_perf_command_is_program (word, "sleep");
}

TbPerfCommandKind
tb_perf_command_find (const char *const *words, guint *first, gboolean *of_system)
{
  guint n = g_strv_length ((char **) words);
  Target target = { 0 };
  guint at = find_options (words, n, &target);

  *first = n;
  *of_system = target.of_system;
  if (at == 0)
    return TB_PERF_COMMAND_UNKNOWN;
  while (at < n && words[at][0] == '-' && words[at][1] != '\0')
    {
      gboolean is_long = words[at][1] == '-';
      guint taken;

      if (g_str_equal (words[at], "--"))
        {
          at++;
          break;
        }
      taken = is_long ? read_long (&target, words[at] + 2) : read_short (&target, words[at] + 1);
      *of_system = target.of_system;
      if (taken == 0)
        return TB_PERF_COMMAND_UNKNOWN;
      at += taken;
    }
  if (target.of_existing || at >= n || is_duration (&target, words[at]))
    return TB_PERF_COMMAND_NONE;
  *first = at;
  return TB_PERF_COMMAND_KNOWN;
}

gboolean
tb_perf_command_is_program (const char *word, const char *name)
{
  g_autofree char *program = g_path_get_basename (word);

  return strncmp (program, name, MAX_TASK_NAME) == 0;
}

char *
tb_perf_command_join (const char *const *words)
{
  GString *command = g_string_new (NULL);

  for (guint i = 0; words[i] != NULL; i++)
    {
      const char *word = words[i];
      g_autofree char *quoted = NULL;

      if (word[strcspn (word, " \t\n'\"\\$&|;<>()*?[]{}`#~")] != 0 || *word == 0)
        quoted = g_shell_quote (word);
      g_string_append_printf (command, "%s%s", i > 0 ? " " : "", quoted ? quoted : word);
    }
  return g_string_free (command, FALSE);
}
