/* tb-paths-findings.c: findings about where the time of a process went: oversleeps, parallel work,
 * unknown or uncertain time, waits on other paths, effect of another tolerance for delays
 * ("grace"); calls those on contributors; headline
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#include "config.h"

#include <glib/gi18n.h>
#include <math.h>

#include "extend/plugins/tb-finding-thread.h"
#include "extend/plugins/tb-polling-findings.h"
#include "tb-paths-findings-private.h"
#include "trace/tb-trace-evidence.h"
#include "trace/tb-trace-sleep-polls.h"

#define MAX_PATH_FINDINGS 4
/* Least share of the wall time that threads poll for, so that all their sleeps count. */
#define MIN_POLLING_SHARE 0.25
/* Least share of unknown time that is reported: of waits whose cause is not traced, and of time in
 * which events are missing. */
#define MIN_UNKNOWN_WAIT_SHARE 0.002
#define MIN_UNCERTAIN_SHARE 0.01

double
tb_paths_share_of (gint64 part, gint64 whole)
{
  return whole > 0 ? (double) part / (double) whole : 0;
}

TbSeverity
tb_paths_rate (double share)
{
  return share >= 0.3 ? TB_SEVERITY_HIGH : share >= 0.1 ? TB_SEVERITY_MEDIUM : TB_SEVERITY_LOW;
}

TbFinding *
tb_paths_emit_finding_of (TbPathsFindingBuilder *self,
                          const char *code,
                          TbSeverity severity,
                          gint64 weight,
                          gint64 ns,
                          char *text)
{
  double share = ns == TB_TIME_NONE ? NAN : tb_paths_share_of (ns, self->summary->wall_ns);
  TbFinding *finding = tb_finding_new (severity, text, weight, share);

  tb_finding_set_code (finding, code);
  g_free (text);
  tb_report_add_finding (self->report, finding);
  return finding;
}

TbFinding *
tb_paths_emit_finding (TbPathsFindingBuilder *self,
                       const char *code,
                       TbSeverity severity,
                       gint64 ns,
                       char *text)
{
  /* What is for information only never comes before what took the time. */
  return tb_paths_emit_finding_of (self, code, severity,
                                   severity == TB_SEVERITY_INFO ? TB_TIME_NONE : ns, ns, text);
}

static void
add_place (TbFinding *finding, TbFlameFigure *figure, guint node)
{
  g_autofree char *item = node != TB_ID_NONE ? tb_flame_figure_get_item (figure, node) : NULL;

  if (item != NULL)
    tb_finding_add_place (finding, tb_figure_get_id (TB_FIGURE (figure)), item);
}

void
tb_paths_set_finding_place (TbPathsFindingBuilder *self,
                            TbFinding *finding,
                            guint32 thread,
                            gint64 from,
                            gint64 to,
                            gboolean innermost)
{
  guint node;

  tb_finding_set_range (finding, from, to);
  tb_finding_add_thread (finding, thread);
  if (self->chronological == NULL)
    return;
  node = tb_flame_figure_find_box (self->chronological, thread, from, to, innermost);
  add_place (finding, self->chronological, node);
  if (self->consolidated != NULL)
    add_place (finding, self->consolidated,
               tb_flame_figure_match_node (self->consolidated, self->chronological, node));
}

/* Takes NULL for a function that is not known. */
static char *
describe_oversleep (const char *thread,
                    const char *total,
                    guint count,
                    const char *awaited,
                    const char *function)
{
  if (function == NULL)
    return g_strdup_printf (
        ngettext ("%s overslept %s in %'u wait: %s was done, but its end did not end the wait, "
                  "which lasted until it timed out.",
                  "%s overslept %s in %'u waits: %s was done, but its end did not end the waits, "
                  "which lasted until they timed out.",
                  count),
        thread, total, count, awaited);
  return g_strdup_printf (
      ngettext ("%s overslept %s in %'u wait: %s was done, but its end did not end the wait in %s, "
                "which lasted until it timed out.",
                "%s overslept %s in %'u waits: %s was done, but its end did not end the waits in "
                "%s, which lasted until they timed out.",
                count),
      thread, total, count, awaited, function);
}

static void
add_oversleep_findings (TbPathsFindingBuilder *self)
{
  TbPaths *paths = self->summary->paths;

  for (guint i = 0; i < self->summary->oversleeps->len && i < TB_PATHS_MAX_CONTRIBUTORS; i++)
    {
      const TbPathsOversleep *of = &g_array_index (self->summary->oversleeps, TbPathsOversleep, i);
      g_autofree char *thread = tb_trace_describe_thread (paths->trace, of->thread);
      g_autofree char *awaited = tb_trace_describe_thread (paths->trace, of->awaited);
      g_autofree char *function = tb_paths_describe_oversleep (paths, of, FALSE);
      g_autofree char *function_label = tb_paths_describe_oversleep (paths, of, TRUE);
      g_autofree char *total = tb_format_duration (of->total_ns);
      gboolean is_known = function != NULL && function[0] != '\0';
      TbSeverity severity
          = MAX (TB_SEVERITY_MEDIUM,
                 tb_paths_rate (tb_paths_share_of (of->total_ns, self->summary->wall_ns)));
      TbFinding *finding
          = tb_paths_emit_finding (self, "oversleep", severity, of->total_ns,
                                   describe_oversleep (thread, total, of->count, awaited,
                                                       is_known ? function_label : NULL));

      tb_finding_set_thread (finding, NULL, paths->trace, of->thread);
      tb_finding_set_thread (finding, "awaited_", paths->trace, of->awaited);
      tb_finding_set_string (finding, "function", is_known ? function : NULL);
      tb_finding_set_integer (finding, "count", of->count);
      tb_finding_set_time (finding, "total_ns", of->total_ns);
      tb_paths_set_finding_place (self, finding, of->thread, of->from, of->to, TRUE);
      tb_finding_add_thread (finding, of->awaited);
      tb_finding_set_place (finding, "explanation", tb_paths_category_get_id (TB_PATHS_TIMED_OUT));
    }
}

/* Paths other than the base path whose threads have the same name. */
typedef struct
{
  const char *name;
  gboolean asynchronous;
  guint n;
  guint longest; /* index of the longest path */
  gint64 wall_ns;
  gint64 running_ns;
} ParallelGroup;

static int
compare_groups (gconstpointer a, gconstpointer b)
{
  const ParallelGroup *one = a, *two = b;

  if (one->wall_ns != two->wall_ns)
    return one->wall_ns > two->wall_ns ? -1 : 1;
  return strcmp (one->name, two->name);
}

static GArray *
find_parallel_groups (TbPathsFindingBuilder *self)
{
  TbPaths *paths = self->summary->paths;
  GArray *all = g_array_new (FALSE, FALSE, sizeof (ParallelGroup));
  g_autoptr (GHashTable) known = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, NULL);
  TbSession *session = tb_trace_get_session (paths->trace);

  for (guint i = 1; i < paths->paths->len; i++)
    {
      const TbPath *path = &g_array_index (paths->paths, TbPath, i);
      ParallelGroup one = { .name = tb_session_get_shown_thread_name (session, path->thread),
                            .asynchronous = path->asynchronous,
                            .longest = i };
      char *key = g_strdup_printf ("%d%s", path->asynchronous, one.name);
      gpointer place;
      ParallelGroup *of;

      if (!g_hash_table_lookup_extended (known, key, NULL, &place))
        {
          place = GUINT_TO_POINTER (all->len);
          g_hash_table_insert (known, g_strdup (key), place);
          g_array_append_val (all, one);
        }
      g_free (key);
      of = &g_array_index (all, ParallelGroup, GPOINTER_TO_UINT (place));
      of->n++;
      of->wall_ns += path->wall_ns;
      of->running_ns += self->summary->path_sums[i].running_ns;
      if (path->wall_ns > g_array_index (paths->paths, TbPath, of->longest).wall_ns)
        of->longest = i;
    }
  g_array_sort (all, compare_groups);
  return all;
}

/* Where wake-ups are not known, it is not known either whether a thread waited. */
static char *
describe_unobserved_parallel (const ParallelGroup *of, const char *thread, const char *length)
{
  if (of->n == 1)
    return g_strdup_printf (_ ("%s ran %s in parallel for the process; whether a thread waited for "
                               "that was not recorded."),
                            thread, length);
  return g_strdup_printf (
      ngettext ("%'u thread named “%s” ran %s in parallel for the process; whether a thread waited "
                "for that was not recorded.",
                "%'u threads named “%s” ran %s in parallel for the process; whether a thread "
                "waited for that was not recorded.",
                of->n),
      of->n, of->name, length);
}

static char *
describe_parallel (TbPathsFindingBuilder *self, const ParallelGroup *of, guint32 of_thread)
{
  g_autofree char *thread = tb_trace_describe_thread (self->summary->paths->trace, of_thread);
  g_autofree char *length = tb_format_duration (of->running_ns);

  if (tb_trace_get_evidence (self->summary->paths->trace)->switches == TB_SWITCHES_THREAD)
    return describe_unobserved_parallel (of, thread, length);
  if (of->n == 1)
    return g_strdup_printf (
        of->asynchronous
            ? _ ("%s ran %s in parallel for the process, and no thread waited for that.")
            : _ ("%s ran %s in parallel for the process, before a thread waited for that."),
        thread, length);
  return g_strdup_printf (
      of->asynchronous
          ? ngettext ("%'u thread named “%s” ran %s in parallel for the process, and no thread "
                      "waited for that.",
                      "%'u threads named “%s” ran %s in parallel for the process, and no thread "
                      "waited for that.",
                      of->n)
          : ngettext ("%'u thread named “%s” ran %s in parallel for the process, before a thread "
                      "waited for that.",
                      "%'u threads named “%s” ran %s in parallel for the process, before a thread "
                      "waited for that.",
                      of->n),
      of->n, of->name, length);
}

/* Reports work that was started and not waited for, or not at once. */
static void
add_parallel_findings (TbPathsFindingBuilder *self)
{
  TbPaths *paths = self->summary->paths;
  g_autoptr (GArray) all = find_parallel_groups (self);

  for (guint i = 0; i < all->len && i < MAX_PATH_FINDINGS; i++)
    {
      const ParallelGroup *of = &g_array_index (all, ParallelGroup, i);
      const TbPath *path = &g_array_index (paths->paths, TbPath, of->longest);
      TbFinding *finding;

      if (tb_paths_share_of (of->wall_ns, self->summary->wall_ns) < TB_PATHS_MIN_SHARE)
        break;
      finding
          = tb_paths_emit_finding (self, of->asynchronous ? "asynchronous-work" : "parallel-work",
                                   TB_SEVERITY_INFO, of->running_ns,
                                   describe_parallel (self, of, path->thread));
      tb_finding_set_thread (finding, NULL, paths->trace, of->n == 1 ? path->thread : TB_ID_NONE);
      tb_finding_set_string (finding, "thread", of->name[0] != '\0' ? of->name : NULL);
      tb_finding_set_integer (finding, "threads", of->n);
      tb_finding_set_time (finding, "running_ns", of->running_ns);
      tb_finding_set_place (finding, "chronological", NULL);
      tb_paths_set_finding_place (self, finding, path->thread, path->from, path->to, FALSE);
    }
}

/* Sum of the uncertain time of one category, with its longest stretch. */
typedef struct
{
  gint64 ns;
  gint64 from;
  gint64 to;
  guint32 row;
} Uncertainty;

static void
add_uncertainty (Uncertainty *uncertainty, gint64 from, gint64 to, guint32 row)
{
  uncertainty->ns += to - from;
  if (to - from > uncertainty->to - uncertainty->from)
    {
      uncertainty->from = from;
      uncertainty->to = to;
      uncertainty->row = row;
    }
}

static void
find_uncertainties (TbPathsFindingBuilder *self,
                    Uncertainty *uncertainties,
                    Uncertainty *open,
                    Uncertainty *lost)
{
  TbPaths *paths = self->summary->paths;
  const TbPathsBoxes *boxes = &paths->walk->boxes;
  const TbIntervals *rows = paths->model->rows;
  g_auto (TbPathsCategorizer) categorizer = { 0 };

  tb_paths_categorizer_init (&categorizer, paths->model, paths->events, boxes);
  for (gsize i = 0; i < boxes->n; i++)
    {
      guint32 row = boxes->row[i];
      const GArray *segments;

      if (boxes->path[i] != 0)
        continue;
      segments = tb_paths_categorizer_get_segments (&categorizer, i);
      for (guint k = 0; k < segments->len; k++)
        {
          const TbPathsSegment *segment = &g_array_index (segments, TbPathsSegment, k);

          if (rows->flags[row] & TB_INTERVAL_UNCERTAIN)
            add_uncertainty (lost, segment->from, segment->to, row);
          if (segment->category == TB_PATHS_UNACCOUNTED && (rows->flags[row] & TB_INTERVAL_OPEN_END)
              && rows->state[row] >= TB_STATE_INTERRUPTIBLE)
            add_uncertainty (open, segment->from, segment->to, row);
          else
            add_uncertainty (&uncertainties[segment->category], segment->from, segment->to, row);
        }
    }
}

typedef char *(*UncertaintyDescribeFunc) (const char *ns, const char *thread, const char *what);

static char *
describe_unaccounted (const char *ns, const char *thread, const char *what)
{
  return g_strdup_printf (
      _ ("What was waited for is not known for %s; most of that is %s in “%s”."), ns, thread, what);
}

static char *
describe_unseen (const char *ns, const char *thread, const char *what)
{
  return g_strdup_printf (_ ("For %s no switch of the thread was reported, mostly of %s: what it "
                             "did is unknown."),
                          ns, thread);
}

static char *
describe_open (const char *ns, const char *thread, const char *what)
{
  return g_strdup_printf (
      _ ("A wait of %s was not over when the recording ended: %s was still in “%s”."), ns, thread,
      what);
}

static char *
describe_other_path (const char *ns, const char *thread, const char *what)
{
  return g_strdup_printf (_ ("Waits of %s were for work that was already under way on another "
                             "path; most of that is %s in “%s”."),
                          ns, thread, what);
}

static char *
describe_lost (const char *ns, const char *thread, const char *what)
{
  return g_strdup_printf (_ ("%s are uncertain, mostly of %s: a switch or wake-up next to them was "
                             "not reported."),
                          ns, thread);
}

/* A kind of uncertain time. */
typedef struct
{
  const char *code;
  const char *time; /* name of the finding's value */
  UncertaintyDescribeFunc describe;
  gboolean is_loss; /* it is about the recording, not about the process */
} UncertaintyKind;

static const UncertaintyKind unknown_wait
    = { .code = "unknown-wait", .time = "wait_ns", .describe = describe_unaccounted };
static const UncertaintyKind unknown_time = { .code = "unknown-time",
                                              .time = "unknown_ns",
                                              .describe = describe_unseen,
                                              .is_loss = TRUE };
static const UncertaintyKind unfinished_wait
    = { .code = "unfinished-wait", .time = "wait_ns", .describe = describe_open };
static const UncertaintyKind other_path_wait
    = { .code = "other-path-wait", .time = "wait_ns", .describe = describe_other_path };
static const UncertaintyKind uncertain_time = { .code = "uncertain-time",
                                                .time = "uncertain_ns",
                                                .describe = describe_lost,
                                                .is_loss = TRUE };

static void
add_uncertainty_finding (TbPathsFindingBuilder *self,
                         const Uncertainty *uncertainty,
                         const UncertaintyKind *kind,
                         const char *category)
{
  TbPaths *paths = self->summary->paths;
  guint32 thread = paths->model->rows->thread[uncertainty->row];
  g_autofree char *ns = tb_format_duration (uncertainty->ns);
  g_autofree char *name = tb_trace_describe_thread (paths->trace, thread);
  g_autofree char *what = tb_trace_describe_interval (paths->trace, uncertainty->row);
  double share = tb_paths_share_of (uncertainty->ns, self->summary->wall_ns);
  TbFinding *finding;

  if (share < (kind->is_loss ? MIN_UNCERTAIN_SHARE : MIN_UNKNOWN_WAIT_SHARE))
    return;
  finding = tb_paths_emit_finding (self, kind->code,
                                   share >= 0.05 ? TB_SEVERITY_MEDIUM : TB_SEVERITY_INFO,
                                   kind->is_loss && share < 0.05 ? TB_TIME_NONE : uncertainty->ns,
                                   kind->describe (ns, name, what));
  tb_finding_set_time (finding, kind->time, uncertainty->ns);
  tb_finding_set_thread (finding, NULL, paths->trace, thread);
  tb_finding_set_string (finding, "activity", what);
  tb_paths_set_finding_place (self, finding, thread, uncertainty->from, uncertainty->to, TRUE);
  tb_finding_set_place (finding, "explanation", category);
}

/* Reports the time that is not known, and where most of it lies. */
static void
add_uncertainty_findings (TbPathsFindingBuilder *self)
{
  Uncertainty uncertainties[TB_PATHS_N_CATEGORIES] = { 0 };
  Uncertainty open = { 0 }, lost = { 0 };
  const TbIntervals *rows = self->summary->paths->model->rows;
  gboolean is_unseen;

  find_uncertainties (self, uncertainties, &open, &lost);
  is_unseen = uncertainties[TB_PATHS_UNACCOUNTED].ns > 0
              && rows->state[uncertainties[TB_PATHS_UNACCOUNTED].row] == TB_STATE_UNKNOWN;
  add_uncertainty_finding (self, &uncertainties[TB_PATHS_UNACCOUNTED],
                           is_unseen ? &unknown_time : &unknown_wait,
                           tb_paths_category_get_id (TB_PATHS_UNACCOUNTED));
  add_uncertainty_finding (self, &open, &unfinished_wait,
                           tb_paths_category_get_id (TB_PATHS_UNACCOUNTED));
  add_uncertainty_finding (self, &uncertainties[TB_PATHS_OTHER_PATH], &other_path_wait,
                           tb_paths_category_get_id (TB_PATHS_OTHER_PATH));
  /* Time of which nothing is known is reported once. */
  if (!is_unseen || lost.ns > 2 * uncertainties[TB_PATHS_UNACCOUNTED].ns)
    add_uncertainty_finding (self, &lost, &uncertain_time, NULL);
}

/* By thread: how long it slept deliberately in the base path, or waited for commands, which may
 * sleep; -1 if it is in no path. */
typedef struct
{
  gint64 *slept;
  const gint64 *polled; /* by thread: time of the base path below its sleeps for a lock */
  gboolean is_much;     /* of all that poll: it is what the process waits for */
  gint64 deliberate;    /* time of the programs in the base path that mostly sleep deliberately */
} PathSleeps;

static void
find_path_sleeps (TbPaths *paths, const GArray *polls, PathSleeps *sleeps)
{
  const TbPathsBoxes *boxes = &paths->walk->boxes;
  const TbIntervals *rows = paths->model->rows;
  gint64 all = 0;

  for (guint i = 0; i < paths->model->n_threads; i++)
    sleeps->slept[i] = -1;
  for (gsize i = 0; i < boxes->n; i++)
    {
      gint64 *slept = &sleeps->slept[rows->thread[boxes->row[i]]];
      TbWaitKind kind = tb_trace_get_wait_kind (paths->trace, boxes->row[i]);

      *slept = MAX (*slept, 0);
      if (boxes->path[i] == 0 && (kind == TB_WAIT_SLEEP || kind == TB_WAIT_CHILD))
        *slept += boxes->to[i] - boxes->from[i];
    }
  for (guint i = 0; i < polls->len; i++)
    all += MAX (0, sleeps->slept[g_array_index (polls, TbSleepPoll, i).thread]);
  sleeps->is_much = all >= MIN_POLLING_SHARE * (paths->to - paths->from);
}

/* A thread that polls may work on behalf of one in the base path, which then is delayed by the
 * sleeps of all. */
static gint64
weigh_poll (const TbSleepPoll *poll, gpointer data)
{
  const PathSleeps *sleeps = data;
  gint64 slept = sleeps->slept[poll->thread];

  if (slept < 0)
    return slept;
  if (!sleeps->is_much)
    return MAX (MIN (slept, poll->sleep_ns), sleeps->polled[poll->thread]);
  /* It explains what is a deliberate sleep otherwise. */
  return 2 * MIN (slept, poll->sleep_ns) > sleeps->deliberate
             ? MAX (poll->sleep_ns, sleeps->deliberate)
             : poll->sleep_ns;
}

static void
add_polling_findings (TbPathsFindingBuilder *self)
{
  TbPaths *paths = self->summary->paths;
  g_autofree gint64 *slept = g_new (gint64, MAX (paths->model->n_threads, 1));
  g_autoptr (GArray) polls = tb_trace_find_sleep_polls (paths->trace, paths->from, paths->to, NULL);
  PathSleeps sleeps = { .slept = slept, .polled = self->summary->polled_ns };

  find_path_sleeps (paths, polls, &sleeps);
  for (guint i = 0; i < self->summary->contributors->len; i++)
    {
      const TbPathsContributor *of = g_ptr_array_index (self->summary->contributors, i);

      if (2 * of->categories[TB_PATHS_DELIBERATE] > of->own_ns)
        sleeps.deliberate += of->own_ns;
    }
  tb_report_add_polling_findings (self->report, paths->trace, polls, paths->from, paths->to,
                                  weigh_poll, &sleeps);
}

void
tb_paths_add_findings (TbReport *report, TbPathsSummary *summary)
{
  TbFigure *chronological = tb_report_find_figure (report, "chronological");
  TbFigure *consolidated = tb_report_find_figure (report, "consolidated");
  TbPathsFindingBuilder self = { .report = report, .summary = summary };

  if (chronological != NULL)
    self.chronological = TB_FLAME_FIGURE (chronological);
  if (consolidated != NULL)
    self.consolidated = TB_FLAME_FIGURE (consolidated);
  /* Of findings that weigh the same, the first one added comes first. */
  add_polling_findings (&self);
  tb_paths_add_contributor_findings (&self);
  tb_paths_add_lock_findings (&self);
  add_oversleep_findings (&self);
  add_parallel_findings (&self);
  add_uncertainty_findings (&self);
}

void
tb_paths_add_grace_finding (TbReport *report,
                            TbPathsSummary *summary,
                            TbPathsSummary *other,
                            gint64 grace)
{
  TbPathsFindingBuilder self = { .report = report, .summary = summary };
  g_autofree char *grace_text = tb_format_duration (grace);
  g_autofree char *before = NULL;
  g_autofree char *after = NULL;
  guint most = 0;
  gint64 change = 0;
  TbFinding *finding;

  for (guint i = 0; i < TB_PATHS_N_CATEGORIES; i++)
    if (ABS (other->categories[i] - summary->categories[i]) > change)
      {
        most = i;
        change = ABS (other->categories[i] - summary->categories[i]);
      }
  if (tb_paths_share_of (change, summary->wall_ns) < TB_PATHS_MIN_SHARE)
    return;
  before = tb_format_duration (summary->categories[most]);
  after = tb_format_duration (other->categories[most]);
  finding = tb_paths_emit_finding (
      &self, "grace-sensitivity", TB_SEVERITY_INFO, TB_TIME_NONE,
      g_strdup_printf (
          _ ("The result depends on the option grace: with %s, “%s” would be %s instead of %s."),
          grace_text, tb_paths_category_get_label (most), after, before));
  tb_finding_set_time (finding, "grace_ns", grace);
  tb_finding_set_string (finding, "category", tb_paths_category_get_id (most));
  tb_finding_set_time (finding, "category_ns", summary->categories[most]);
  tb_finding_set_time (finding, "category_with_grace_ns", other->categories[most]);
  tb_finding_set_place (finding, "explanation", tb_paths_category_get_id (most));
}

/* Example: "demo-front took 3 s, 4 s with parallel work; 99 % of that is accounted for, …" */
char *
tb_paths_make_headline (TbPathsSummary *summary)
{
  TbPathsEvents *events = summary->paths->events;
  const char *name = tb_paths_events_get_program_name (
      events, tb_programs_find (events->programs, summary->paths->thread, summary->paths->to - 1));
  g_autofree char *wall = tb_format_duration (summary->wall_ns);
  g_autofree char *total = tb_format_duration (summary->total_ns);
  g_autofree char *accounted = tb_format_share (summary->accounted);
  g_autofree char *explained = tb_format_share (summary->explained);

  return g_strdup_printf (
      _ ("%s took %s, %s with parallel work; %s of that is accounted for, %s explained."), name,
      wall, total, accounted, explained);
}
