/* tb-paths-contributor-findings.c: findings about each contributor, a program that took part in the
 * process's time: its main activities (running in a function, waiting for what), as text and values
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#include "config.h"

#include <glib/gi18n.h>

#include "tb-paths-collections.h"
#include "tb-paths-contributor-groups.h"
#include "tb-paths-disk-waits.h"
#include "tb-paths-garbage.h"
#include "tb-paths-findings-private.h"
#include "tb-paths-rivals.h"
#include "tb-paths-running-place.h"

#define MAX_CALLERS 6
/* Least share of a contributor's own time at which its second activity is reported too. */
#define MIN_SECOND_SHARE 0.25
/* The same where the first one is a lack of a CPU, which is not what the program does. */
#define MIN_LACKING_SHARE 0.01
/* From this share on, an activity is nearly all of a time. */
#define WHOLE_SHARE 0.95

static char *
describe_process (TbPathsFindingBuilder *self, guint32 program)
{
  TbPathsEvents *events = self->summary->paths->events;
  const char *name = tb_paths_events_get_program_name (events, program);
  guint n_processes;
  const TbProcess *processes
      = tb_session_get_processes (tb_trace_get_session (self->summary->paths->trace), &n_processes);

  if (program >= tb_programs_get_n (events->programs))
    return g_strdup (name);
  return g_strdup_printf (_ ("%s (PID %d)"), name,
                          processes[tb_programs_get (events->programs, program)->process].pid);
}

/* Example: "on behalf of imap-login, on behalf of apache2". Equal names in a row are one. */
static void
append_callers (TbPathsFindingBuilder *self, const TbPathsContributor *of, GString *text)
{
  g_auto (GStrv) chain = tb_paths_summary_get_called_through (self->summary, of);
  guint n = g_strv_length (chain), n_listed = 0;

  for (guint i = n; i-- > 1;)
    {
      if (i + 1 < n && g_str_equal (chain[i - 1], chain[i]))
        continue;
      if (n_listed++ == MAX_CALLERS)
        {
          g_string_append (text, _ (", and so on"));
          break;
        }
      g_string_append_printf (text, _ (", on behalf of %s"), chain[i - 1]);
    }
}

/* Functions at the start of every thread, which carry no information. */
static gboolean
is_thread_start (const char *function)
{
  static const char *const names[] = { "_start",
                                       "__libc_start_main",
                                       "__libc_start_call_main",
                                       "start_thread",
                                       "clone",
                                       "clone3",
                                       "__clone3",
                                       NULL };

  return g_strv_contains (names, function);
}

/* The function that represents a stack: the innermost one of the program itself. For a wait,
 * functions inside the C library are skipped. */
static char *
find_function (TbPathsFindingBuilder *self, guint32 node)
{
  TbPathsEvents *events = self->summary->paths->events;
  TbContextNode context;
  guint32 outer;

  while (node != 0 && events->node_kernel[node])
    node = events->node_parent[node];
  if (node == 0)
    return NULL;
  tb_context_tree_get_node (events->tree, node, &context);
  for (outer = node; outer != 0 && g_str_has_prefix (context.function, "__");)
    {
      outer = events->node_parent[outer];
      tb_context_tree_get_node (events->tree, outer, &context);
    }
  if (outer == 0
      || (outer != node
          && (!tb_context_node_is_named (&context)
              || (tb_trace_may_miss_callers (events->trace)
                  && !tb_context_tree_has_start (events->tree, outer)))))
    tb_context_tree_get_node (events->tree, node, &context);
  return g_strdup (context.function);
}

static char *
describe_network (TbSession *session, const TbPathsContributor *of)
{
  if (of->peers->len == 0)
    return g_strdup (_ ("waiting for the network"));
  return g_strdup_printf (
      _ ("waiting for %s over the network"),
      tb_session_get_string (session, g_array_index (of->peers, TbPathsObject, 0).string));
}

/* Functions through which the C library enters the kernel for any system call. They do not show
 * which call it was. */
static gboolean
is_any_call (const char *function)
{
  static const char *const names[] = { "__syscall_cancel_arch", "__syscall_cancel",
                                       "__internal_syscall_cancel", "syscall", NULL };

  return g_strv_contains (names, function);
}

/* NULL where only the fact that it waited is known. */
static char *
find_wait_function (TbPathsFindingBuilder *self, guint32 node)
{
  g_autofree char *function = find_function (self, node);

  return function == NULL || is_any_call (function) || is_thread_start (function)
             ? NULL
             : g_steal_pointer (&function);
}

/* The function of a wait, by its own stack. The system call is shown where that does not have the
 * function that called it. ns: 0: there is no such wait */
static char *
find_function_of_row (TbPathsFindingBuilder *self, guint32 row, gint64 ns)
{
  const TbPaths *paths = self->summary->paths;
  char *function;

  if (ns <= 0)
    return NULL;
  function = find_wait_function (self, tb_context_tree_find (paths->events->tree,
                                                             paths->model->rows->stack[row]));
  return function != NULL ? function : g_strdup (tb_trace_get_wait_call (paths->trace, row));
}

/* The longest wait of a category; TB_ID_NONE: its waits have no function. ns: its length */
static guint32
find_longest (const TbPathsContributor *of, TbPathsCategory category, gint64 *ns)
{
  switch (category)
    {
    case TB_PATHS_DELIBERATE:
      *ns = of->longest_sleep_ns;
      return of->longest_sleep;
    case TB_PATHS_TIMED_OUT:
      *ns = of->longest_timeout_ns;
      return of->longest_timeout;
    case TB_PATHS_BLOCKING_IO:
      *ns = of->disk_place_ns;
      /* One function of many is no name for the waits of all. */
      return of->disk_place_ns * 2 >= of->disk_ns ? of->disk_place : TB_ID_NONE;
    default:
      return TB_ID_NONE;
    }
}

/* The function of the longest wait of a category; NULL for categories whose waits have none. */
static char *
find_longest_function (TbPathsFindingBuilder *self,
                       const TbPathsContributor *of,
                       TbPathsCategory category)
{
  gint64 ns = 0;
  guint32 row = find_longest (of, category, &ns);

  return row != TB_ID_NONE ? find_function_of_row (self, row, ns) : NULL;
}

/* The node of its stack in the context tree. */
static guint32
find_longest_node (TbPathsFindingBuilder *self,
                   const TbPathsContributor *of,
                   TbPathsCategory category)
{
  const TbPaths *paths = self->summary->paths;
  gint64 ns = 0;
  guint32 row = find_longest (of, category, &ns);

  return row != TB_ID_NONE && ns > 0
             ? tb_context_tree_find (paths->events->tree, paths->model->rows->stack[row])
             : 0;
}

/* Likewise, followed by how its caller is recorded where it is missing. */
static char *
describe_longest_function (TbPathsFindingBuilder *self,
                           const TbPathsContributor *of,
                           TbPathsCategory category)
{
  g_autofree char *remedy
      = tb_trace_describe_caller_option (self->summary->paths->trace,
                                         find_longest_node (self, of, category));
  char *function = find_longest_function (self, of, category);
  char *text;

  if (function == NULL || remedy == NULL)
    return function;
  /* Translators: a function, “its caller is recorded with the option …” */
  text = g_strdup_printf (_ ("%s (%s)"), function, remedy);
  g_free (function);
  return text;
}

static char *
describe_wait (TbPathsFindingBuilder *self, const TbPathsContributor *of, TbPathsCategory category)
{
  g_autofree char *function = NULL;

  switch (category)
    {
    case TB_PATHS_DELIBERATE:
      function = describe_longest_function (self, of, category);
      return function != NULL ? g_strdup_printf (_ ("sleeping deliberately in %s"), function)
                              : g_strdup (C_ ("activity", "sleeping deliberately"));
    case TB_PATHS_TIMED_OUT:
      function = describe_longest_function (self, of, category);
      return function != NULL ? g_strdup_printf (_ ("in waits in %s that timed out"), function)
                              : g_strdup (_ ("in waits that timed out"));
    case TB_PATHS_SCHEDULER:
    case TB_PATHS_INVOLUNTARY:
      return tb_paths_describe_lack (self->summary->paths->events, of, category);
    case TB_PATHS_HARDWARE:
      return g_strdup (_ ("waiting for an interrupt"));
    default:
      return g_strdup (_ ("waiting in the kernel for something that is not traced"));
    }
}

/* Whether most of its sampled running time is garbage collection. */
static gboolean
collects_garbage (TbPathsFindingBuilder *self, const TbPathsContributor *of)
{
  gint64 sampled = 0;

  for (guint i = 0; i < of->running->len; i++)
    sampled += g_array_index (of->running, TbPathsNodeTime, i).ns;
  return 2 * tb_paths_sum_garbage (self->summary->paths->events->tree, of->running) > sampled;
}

/* "running 271 ms, 80 % of it in garbage collection, which took 220 ms in the thread VM Thread
 * (most in mark, 40 %)" */
static char *
describe_collecting (TbPathsFindingBuilder *self,
                     const TbPathsContributor *of,
                     const TbPathsRunningPlace *place,
                     const char *ns_text,
                     const char *where)
{
  TbPaths *paths = self->summary->paths;
  gint64 garbage = tb_paths_sum_garbage (paths->events->tree, of->running);
  g_autofree char *share = tb_format_share (tb_paths_share_of (garbage, place->sampled_ns));
  g_autofree char *took = tb_format_duration (of->pause_ns);
  guint n_threads;
  const TbThread *threads
      = tb_session_get_threads (tb_trace_get_session (paths->trace), &n_threads);

  if (of->collector < n_threads)
    /* Translators: a duration, a share, a duration, a thread, “most in deflate, 64 %” */
    return g_strdup_printf (C_ ("activity", "running %s, %s of it in garbage collection, which "
                                            "took %s in the thread %s (%s)"),
                            ns_text, share, took, threads[of->collector].name, where);
  /* Translators: a duration, a share, a duration, a number, “most in deflate, 64 %” */
  return g_strdup_printf (
      ngettext ("running %s, %s of it in garbage collection, which took %s in %'u thread (%s)",
                "running %s, %s of it in garbage collection, which took %s in %'u threads (%s)",
                of->n_collectors),
      ns_text, share, took, of->n_collectors, where);
}

/* "running 271 ms (61 ms sampled, most in read, 40 %)": the function has its share of the samples,
 * never the time of the whole. */
static char *
describe_running (TbPathsFindingBuilder *self, const TbPathsContributor *of, gint64 ns)
{
  g_auto (TbPathsRunningPlace) place = { 0 };
  g_autofree char *ns_text = tb_format_duration (ns);
  g_autofree char *sampled = NULL;
  g_autofree char *where = NULL;

  if (tb_paths_running_place_find (&place, self->summary->paths->events->tree, of->running,
                                   tb_trace_may_miss_callers (self->summary->paths->trace)))
    where = tb_paths_running_place_describe (&place, self->summary->paths->trace);
  if (where == NULL)
    return g_strdup_printf (C_ ("activity", "running %s"), ns_text);
  if (collects_garbage (self, of))
    return describe_collecting (self, of, &place, ns_text, where);
  if ((double) place.sampled_ns > WHOLE_SHARE * (double) ns)
    /* Translators: a duration, “most in deflate, 64 %” */
    return g_strdup_printf (C_ ("activity", "running %s (%s)"), ns_text, where);
  sampled = tb_format_duration (place.sampled_ns);
  /* Translators: two durations, “most in deflate, 64 %” */
  return g_strdup_printf (C_ ("activity", "running %s (%s sampled, %s)"), ns_text, sampled, where);
}

static char *
describe_sum (TbPathsFindingBuilder *self, const TbPathsContributor *of, TbPathsCategory category)
{
  TbSession *session = tb_trace_get_session (self->summary->paths->trace);

  if (category == TB_PATHS_BLOCKING_IO)
    {
      g_autofree char *function = describe_longest_function (self, of, category);

      return tb_paths_describe_disk_wait (session, of, function);
    }
  if (category == TB_PATHS_NETWORK)
    return describe_network (session, of);
  return describe_wait (self, of, category);
}

/* The largest and the second largest activity of a contributor. */
typedef struct
{
  TbPathsCategory category[2];
  gint64 ns[2];
  gboolean has_second; /* the second one is large enough to report */
} Work;

static const char *
get_work_code (TbPathsFindingBuilder *self, const TbPathsContributor *of, TbPathsCategory category)
{
  static const char *const codes[TB_PATHS_N_CATEGORIES] = {
    [TB_PATHS_UNDERSTOOD] = "cpu-bound",     [TB_PATHS_BLOCKING_IO] = "disk-wait",
    [TB_PATHS_NETWORK] = "network-wait",     [TB_PATHS_DELIBERATE] = "deliberate-sleep",
    [TB_PATHS_TIMED_OUT] = "timeout-wait",   [TB_PATHS_SCHEDULER] = "cpu-contention",
    [TB_PATHS_INVOLUNTARY] = "preemption",   [TB_PATHS_HARDWARE] = "interrupt-wait",
    [TB_PATHS_KERNEL_BLOCK] = "kernel-wait",
  };

  if (category == TB_PATHS_INVOLUNTARY && tb_paths_is_throttled (of))
    return "cpu-quota";
  if (category == TB_PATHS_BLOCKING_IO && tb_paths_is_swapping (of))
    return "swap-wait";
  if (category == TB_PATHS_UNDERSTOOD && collects_garbage (self, of))
    return "garbage-collection";
  return codes[category];
}

static gboolean
lacks_cpu (TbPathsCategory category)
{
  return category == TB_PATHS_SCHEDULER || category == TB_PATHS_INVOLUNTARY;
}

static TbPathsCategory
find_largest (const gint64 *sums, TbPathsCategory except, gboolean with_lack)
{
  TbPathsCategory largest = TB_PATHS_N_CATEGORIES;

  for (guint i = 0; i < TB_PATHS_OTHER_PATH; i++)
    if (i != except && (with_lack || !lacks_cpu (i))
        && (largest == TB_PATHS_N_CATEGORIES || sums[i] > sums[largest]))
      largest = i;
  return largest;
}

/* What a program does comes before that it lacked a CPU for that, as beside other programs, unless
 * it lacked one for more than twice as long. What computes is kept off the CPU only while it
 * computes: that is computing, however long it takes. A limit of its own is no lack. */
static TbPathsCategory
find_first (const TbPathsContributor *of, const gint64 *sums)
{
  TbPathsCategory first = find_largest (sums, TB_PATHS_N_CATEGORIES, TRUE);
  TbPathsCategory own = find_largest (sums, TB_PATHS_N_CATEGORIES, FALSE);

  if (!lacks_cpu (first) || tb_paths_is_throttled (of))
    return first;
  if (first == TB_PATHS_INVOLUNTARY && own == TB_PATHS_UNDERSTOOD)
    return own;
  return 2 * sums[own] >= sums[first] ? own : first;
}

static void
find_work (const TbPathsContributor *of, Work *work)
{
  gint64 sums[TB_PATHS_N_CATEGORIES], overlap = tb_paths_get_disk_overlap (of);
  TbPathsCategory first, second;
  gboolean is_lack, has_second;

  /* Here all kinds of running count as one activity, and so do all kinds of disk time. */
  memcpy (sums, of->categories, sizeof sums);
  sums[TB_PATHS_UNDERSTOOD] += sums[TB_PATHS_INFERRED] + sums[TB_PATHS_NOT_SAMPLED];
  sums[TB_PATHS_BLOCKING_IO] += sums[TB_PATHS_IO_QUEUE];
  sums[TB_PATHS_INFERRED] = sums[TB_PATHS_NOT_SAMPLED] = sums[TB_PATHS_IO_QUEUE] = 0;
  /* The disk limits, not the CPU, while both work for the same request. */
  sums[TB_PATHS_UNDERSTOOD] -= overlap;
  sums[TB_PATHS_BLOCKING_IO] += overlap;
  first = find_first (of, sums);
  is_lack = lacks_cpu (first) && !tb_paths_is_throttled (of);
  /* Beside a lack of a CPU, the second one is what the program lacked it for. */
  second = find_largest (sums, first, !is_lack);
  has_second = tb_paths_share_of (sums[second], of->own_ns)
               >= (is_lack ? MIN_LACKING_SHARE : MIN_SECOND_SHARE);
  /* It is added as running where the wait is not reported. */
  sums[TB_PATHS_BLOCKING_IO] -= overlap;
  if (first != TB_PATHS_BLOCKING_IO && (!has_second || second != TB_PATHS_BLOCKING_IO))
    sums[TB_PATHS_UNDERSTOOD] += overlap;
  *work = (Work) { .category = { first, second },
                   .ns = { sums[first], sums[second] },
                   .has_second = has_second };
}

static char *
describe_with_time (TbPathsFindingBuilder *self,
                    const TbPathsContributor *of,
                    TbPathsCategory of_category,
                    gint64 ns)
{
  g_autofree char *ns_text = tb_format_duration (ns);
  g_autofree char *text = NULL;
  g_autofree char *part = NULL;

  if (of_category == TB_PATHS_UNDERSTOOD)
    return describe_running (self, of, ns);
  text = describe_sum (self, of, of_category);
  if (of_category == TB_PATHS_BLOCKING_IO)
    part = tb_paths_describe_disk_work (of);
  return part != NULL ? g_strdup_printf (_ ("%s (%s; %s)"), text, ns_text, part)
                      : g_strdup_printf (_ ("%s (%s)"), text, ns_text);
}

/* An activity that took nearly all of the time needs no time of its own. */
static char *
describe_single (TbPathsFindingBuilder *self, const TbPathsContributor *of, const Work *work)
{
  g_autofree char *part = NULL;

  if (work->category[0] == TB_PATHS_BLOCKING_IO)
    part = tb_paths_describe_disk_work (of);
  return part != NULL || work->category[0] == TB_PATHS_UNDERSTOOD
                 || tb_paths_share_of (work->ns[0], of->own_ns) < WHOLE_SHARE
             ? describe_with_time (self, of, work->category[0], work->ns[0])
             : describe_sum (self, of, work->category[0]);
}

/* A verb with its object, followed by the second activity where that is large enough. */
static char *
describe_work (TbPathsFindingBuilder *self, const TbPathsContributor *of, const Work *work)
{
  g_autofree char *first = NULL;
  g_autofree char *second = NULL;

  if (!work->has_second)
    return describe_single (self, of, work);
  first = describe_with_time (self, of, work->category[0], work->ns[0]);
  second = describe_with_time (self, of, work->category[1], work->ns[1]);
  /* Translators: two activities, each with its time */
  return g_strdup_printf (_ ("%s and %s"), first, second);
}

static gboolean
includes (const Work *work, TbPathsCategory category)
{
  return work->category[0] == category || (work->has_second && work->category[1] == category);
}

/* The function of the first of the activities that has one. */
static char *
find_work_function (TbPathsFindingBuilder *self, const TbPathsContributor *of, const Work *work)
{
  char *function = find_longest_function (self, of, work->category[0]);

  return function == NULL && work->has_second ? find_longest_function (self, of, work->category[1])
                                              : function;
}

/* The option that gives the caller which is missing of a function of the activities; NULL: none. */
static const char *
find_caller_option (TbPathsFindingBuilder *self,
                    const TbPathsContributor *of,
                    const Work *work,
                    const TbPathsRunningPlace *place)
{
  TbTrace *trace = self->summary->paths->trace;
  const char *option
      = place->function != NULL ? tb_trace_get_caller_option (trace, place->node) : NULL;

  for (guint i = 0; option == NULL && i < (work->has_second ? 2 : 1); i++)
    option = tb_trace_get_caller_option (trace, find_longest_node (self, of, work->category[i]));
  return option;
}

/* Sets the objects of both activities on the finding. The two never have an object of the same
 * kind. */
static void
set_work_objects (TbPathsFindingBuilder *self,
                  TbFinding *finding,
                  const TbPathsContributor *of,
                  const Work *work)
{
  TbSession *session = tb_trace_get_session (self->summary->paths->trace);
  g_auto (TbPathsRunningPlace) place = { 0 };
  gboolean has_samples
      = includes (work, TB_PATHS_UNDERSTOOD)
        && tb_paths_running_place_find (&place, self->summary->paths->events->tree, of->running,
                                        tb_trace_may_miss_callers (self->summary->paths->trace));
  g_autofree char *wait_function = find_work_function (self, of, work);
  gboolean has_file = includes (work, TB_PATHS_BLOCKING_IO) && of->files->len > 0;
  gboolean has_peer = includes (work, TB_PATHS_NETWORK) && of->peers->len > 0;

  tb_finding_set_string (finding, "function", has_samples ? place.function : NULL);
  tb_finding_set_string (finding, "module", has_samples ? place.module : NULL);
  tb_finding_set_time (finding, "function_ns", has_samples ? place.ns : TB_TIME_NONE);
  tb_finding_set_time (finding, "sampled_ns", has_samples ? place.sampled_ns : TB_TIME_NONE);
  tb_finding_set_string (finding, "wait_function", wait_function);
  tb_finding_set_string (finding, "caller_option", find_caller_option (self, of, work, &place));
  tb_finding_set_string (
      finding, "file",
      has_file ? tb_session_get_string (session, g_array_index (of->files, TbPathsObject, 0).string)
               : NULL);
  tb_finding_set_integer (finding, "more_files", has_file ? of->files->len - 1 : 0);
  tb_finding_set_string (
      finding, "peer",
      has_peer ? tb_session_get_string (session, g_array_index (of->peers, TbPathsObject, 0).string)
               : NULL);
}

static void
set_process (TbPathsFindingBuilder *self, TbFinding *finding, guint32 program, guint n)
{
  guint n_processes;
  const TbProcess *processes
      = tb_session_get_processes (tb_trace_get_session (self->summary->paths->trace), &n_processes);
  const TbProgram *known = tb_programs_get (self->summary->paths->events->programs, program);

  tb_finding_set_string (finding, "process", known != NULL ? known->name : NULL);
  if (known != NULL && n == 1)
    tb_finding_set_integer (finding, "pid", processes[known->process].pid);
  else
    tb_finding_set_string (finding, "pid", NULL);
}

/* How long all programs of that name ran, also those that the base path did not wait for. */
static gint64
sum_running (TbPathsSummary *summary, guint32 program)
{
  TbPathsEvents *events = summary->paths->events;
  const char *name = tb_paths_events_get_program_name (events, program);
  gint64 ns = 0;

  for (guint i = 0; i < summary->contributors->len; i++)
    {
      const TbPathsContributor *of = g_ptr_array_index (summary->contributors, i);

      if (g_strcmp0 (tb_paths_events_get_program_name (events, of->program), name) == 0)
        ns += of->running_ns;
    }
  return ns;
}

static void
find_collections (TbPathsFindingBuilder *self, const TbPathsContributorGroup *group)
{
  TbPathsCollections found
      = tb_paths_find_collections (self->summary, group->sum->program, group->n > 1);

  group->sum->pause_ns = found.ns;
  group->sum->n_collectors = found.n_threads;
  group->sum->collector = found.thread;
}

/* Only of a program that mostly collects garbage. */
static void
set_collections (TbPathsFindingBuilder *self, TbFinding *finding, const TbPathsContributor *of)
{
  guint n_threads;
  const TbThread *threads
      = tb_session_get_threads (tb_trace_get_session (self->summary->paths->trace), &n_threads);
  gboolean is_one = of->collector < n_threads;

  tb_finding_set_time (finding, "pause_ns", of->pause_ns);
  tb_finding_set_integer (finding, "collector_threads", of->n_collectors);
  tb_finding_set_string (finding, "thread", is_one ? threads[of->collector].name : NULL);
  if (is_one)
    tb_finding_set_integer (finding, "tid", threads[of->collector].tid);
  else
    tb_finding_set_string (finding, "tid", NULL);
}

static void
set_values (TbPathsFindingBuilder *self,
            TbFinding *finding,
            const TbPathsContributorGroup *group,
            const Work *work)
{
  const TbPathsContributor *of = group->sum;
  g_auto (GStrv) chain = tb_paths_summary_get_called_through (self->summary, of);

  set_process (self, finding, of->program, group->n);
  tb_finding_set_integer (finding, "processes", group->n);
  tb_finding_set_time (finding, "least_ns", group->least_ns);
  tb_finding_set_time (finding, "most_ns", group->most_ns);
  tb_finding_set_strings (finding, "called_through", (const char *const *) chain);
  tb_finding_set_time (finding, "wall_ns", self->summary->wall_ns);
  tb_finding_set_time (finding, "own_ns", of->own_ns);
  tb_finding_set_number (finding, "share", tb_paths_share_of (of->own_ns, self->summary->wall_ns));
  tb_finding_set_time (finding, "activity_ns", work->ns[0]);
  tb_finding_set_string (finding, "second_activity",
                         work->has_second ? get_work_code (self, of, work->category[1]) : NULL);
  tb_finding_set_time (finding, "second_activity_ns",
                       work->has_second ? work->ns[1] : TB_TIME_NONE);
  tb_finding_set_time (finding, "running_ns", sum_running (self->summary, of->program));
  tb_finding_set_time (finding, "throttled_ns", of->throttled_ns);
  tb_paths_set_rival (self->summary->paths->events, finding, of);
  tb_finding_set_time (finding, "disk_running_ns", of->disk_running_ns);
  tb_finding_set_time (finding, "disk_runnable_ns", of->disk_runnable_ns);
  tb_finding_set_time (finding, "disk_overlap_ns", of->disk_overlap_ns);
  tb_finding_set_time (finding, "swap_ns", of->swap_ns);
  tb_finding_set_time (finding, "garbage_ns",
                       tb_paths_sum_garbage (self->summary->paths->events->tree, of->running));
  set_work_objects (self, finding, of, work);
}

/* "8 processes named sh (1.2 ms to 3 ms each)" */
static char *
describe_group (TbPathsFindingBuilder *self, const TbPathsContributorGroup *group)
{
  const char *name
      = tb_paths_events_get_program_name (self->summary->paths->events, group->sum->program);
  g_autofree char *least = tb_format_duration (group->least_ns);
  g_autofree char *most = tb_format_duration (group->most_ns);

  if (group->n == 1)
    return describe_process (self, group->sum->program);
  return g_strdup_printf (
      /* Translators: a number, a name, two durations; an activity such as “running” follows */
      ngettext ("%'u process named %s (%s to %s)", "%'u processes named %s (%s to %s each)",
                group->n),
      group->n, name, least, most);
}

static void
add_contributor_finding (TbPathsFindingBuilder *self, const TbPathsContributorGroup *group)
{
  const TbPathsContributor *of = group->sum;
  g_autoptr (GString) text = g_string_new (NULL);
  double share = tb_paths_share_of (of->own_ns, self->summary->wall_ns);
  /* Callees may outlast the waits for them. */
  g_autofree char *share_text = tb_format_share (MIN (share, 1));
  g_autofree char *wall_text = tb_format_duration (self->summary->wall_ns);
  g_autofree char *process = describe_group (self, group);
  g_autofree char *activity = NULL;
  g_autofree char *item = g_strdup_printf ("%u", of->program);
  g_auto (GStrv) stack = tb_paths_summary_get_top_stack (self->summary, of);
  const char *code;
  TbFinding *finding;
  Work work;

  find_work (of, &work);
  code = get_work_code (self, of, work.category[0]);
  if (collects_garbage (self, of) && includes (&work, TB_PATHS_UNDERSTOOD))
    find_collections (self, group);
  activity = describe_work (self, of, &work);
  g_string_append_printf (text,
                          group->n == 1 ? _ ("%s of the %s is %s %s")
                                        : _ ("%s of the %s are %s %s"),
                          share_text, wall_text, process, activity);
  append_callers (self, of, text);
  g_string_append_c (text, '.');
  /* What was done while others waited for a lock comes behind the lock. */
  finding = tb_paths_emit_finding_of (self, code, tb_paths_rate (share), of->own_ns - of->locked_ns,
                                      of->own_ns, g_strdup (text->str));
  set_values (self, finding, group, &work);
  if (g_str_equal (code, "garbage-collection"))
    set_collections (self, finding, of);
  tb_paths_set_finding_place (self, finding, of->longest_thread, of->longest_from, of->longest_to,
                              TRUE);
  tb_finding_set_stack (finding, (const char *const *) stack);
  tb_finding_set_place (finding, "contributors", item);
}

/* Equal processes that compute may differ in how much of the time they had a CPU. */
static guint
get_main_activity (const TbPathsContributor *of)
{
  Work work;

  find_work (of, &work);
  switch (work.category[0])
    {
    case TB_PATHS_INVOLUNTARY:
    case TB_PATHS_SCHEDULER:
      return tb_paths_is_throttled (of) ? TB_PATHS_INVOLUNTARY : TB_PATHS_UNDERSTOOD;
    default:
      return work.category[0];
    }
}

void
tb_paths_add_contributor_findings (TbPathsFindingBuilder *self)
{
  g_autoptr (GPtrArray) groups = tb_paths_group_contributors (self->summary, get_main_activity);

  for (guint i = 0; i < groups->len && i < TB_PATHS_MAX_CONTRIBUTORS; i++)
    {
      const TbPathsContributorGroup *group = g_ptr_array_index (groups, i);

      if (i > 0
          && tb_paths_share_of (group->sum->own_ns, self->summary->wall_ns) < TB_PATHS_MIN_SHARE)
        break;
      add_contributor_finding (self, group);
    }
}
