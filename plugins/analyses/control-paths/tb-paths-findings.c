/* tb-paths-findings.c: the explanation in sentences
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#include "config.h"

#include <glib/gi18n.h>

#include "report/flame/tb-flame-figure.h"
#include "tb-paths-findings.h"

/* What takes less of the wall time is not worth a sentence. */
#define LEAST_SHARE 0.01
#define CONTRIBUTORS_TOLD 8
#define CALLERS_TOLD 6
#define PATHS_TOLD 4
/* From which share of its own time on the second of what a contributor did is told. */
#define SECOND_TOLD 0.25
/* From which share on what is not known is told. */
#define DOUBT_TOLD 0.002

typedef struct
{
  TbReport *report;
  TbPathsSummary *summary;
  TbFlameFigure *chronological; /* NULL: not drawn */
  TbFlameFigure *consolidated;
} Teller;

static double
share_of (gint64 part, gint64 whole)
{
  return whole > 0 ? (double) part / (double) whole : 0;
}

static TbSeverity
rate (double share)
{
  return share >= 0.3 ? TB_SEVERITY_HIGH : share >= 0.1 ? TB_SEVERITY_MEDIUM : TB_SEVERITY_LOW;
}

/* Takes text. */
static TbFinding *
tell (Teller *self, TbSeverity severity, gint64 ns, char *text)
{
  TbFinding *finding = tb_finding_new (severity, text, ns, share_of (ns, self->summary->wall_ns));

  g_free (text);
  tb_report_add_finding (self->report, finding);
  return finding;
}

static void
add_place (TbFinding *finding, TbFlameFigure *figure, guint node)
{
  g_autofree char *item = node != TB_ID_NONE ? tb_flame_figure_get_item (figure, node) : NULL;

  if (item != NULL)
    tb_finding_add_place (finding, tb_figure_get_id (TB_FIGURE (figure)), item);
}

/* The box of the flames that a thread is in at a time: what a finding leads to. */
static void
point_at (Teller *self, TbFinding *finding, guint32 thread, gint64 from, gint64 to, gboolean innermost)
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
               tb_flame_figure_find_same (self->consolidated, self->chronological, node));
}

static char *
describe_process (Teller *self, guint32 program)
{
  TbPathsFacts *facts = self->summary->paths->facts;
  const char *name = tb_paths_facts_get_program_name (facts, program);
  guint n_processes;
  const TbProcess *processes
      = tb_session_get_processes (tb_trace_get_session (self->summary->paths->trace), &n_processes);

  if (program >= facts->programs->len)
    return g_strdup (name);
  return g_strdup_printf (_ ("%s (pid %d)"), name,
                          processes[g_array_index (facts->programs, TbPathsProgram, program).process].pid);
}

/* "called for by imap-login, called for by apache2" */
static void
append_callers (Teller *self, const TbPathsContributor *of, GString *text)
{
  g_auto (GStrv) chain = tb_paths_summary_get_called_through (self->summary, of);
  guint n = g_strv_length (chain);

  for (guint i = n, told = 0; i-- > 1; told++)
    {
      if (told == CALLERS_TOLD)
        {
          g_string_append (text, _ (", and so on"));
          break;
        }
      g_string_append_printf (text, _ (", called for by %s"), chain[i - 1]);
    }
}

/* What every thread stands in says nothing. */
static gboolean
begins_all (const char *function)
{
  static const char *const names[] = {
    "_start", "__libc_start_main", "__libc_start_call_main", "start_thread", "clone", "clone3", "__clone3",
    NULL
  };

  return g_strv_contains (names, function);
}

/* The function that stands for the rest: the innermost of the program itself. Of a wait not what the C library is made of. */
static char *
find_function (Teller *self, guint32 node, gboolean of_wait)
{
  TbPathsFacts *facts = self->summary->paths->facts;
  TbContextNode context;
  guint32 outer;

  while (node != 0 && facts->node_kernel[node])
    node = facts->node_parent[node];
  if (node == 0)
    return NULL;
  tb_context_tree_get_node (facts->tree, node, &context);
  if (!of_wait && begins_all (context.function))
    return NULL;
  for (outer = node; of_wait && outer != 0 && g_str_has_prefix (context.function, "__");)
    {
      outer = facts->node_parent[outer];
      tb_context_tree_get_node (facts->tree, outer, &context);
    }
  if (outer == 0)
    tb_context_tree_get_node (facts->tree, node, &context);
  return g_strdup (context.function);
}

static char *
describe_disk (TbSession *session, const TbPathsContributor *of)
{
  const char *file;

  if (of->files->len == 0)
    return g_strdup (_ ("waiting for the disk"));
  file = tb_session_get_string (session, g_array_index (of->files, TbPathsObject, 0).string);
  if (of->files->len > 1)
    return g_strdup_printf (ngettext ("waiting for the disk, for %s and %u more",
                                      "waiting for the disk, for %s and %u more", of->files->len - 1),
                            file, of->files->len - 1);
  return g_strdup_printf (_ ("waiting for the disk, for %s"), file);
}

static char *
describe_network (TbSession *session, const TbPathsContributor *of)
{
  if (of->peers->len == 0)
    return g_strdup (_ ("waiting for the network"));
  return g_strdup_printf (_ ("waiting for %s over the network"),
                          tb_session_get_string (session,
                                                 g_array_index (of->peers, TbPathsObject, 0).string));
}

/* Where the C library enters the kernel for any call: which one it was is not known. */
static gboolean
is_any_call (const char *function)
{
  static const char *const names[]
      = { "__syscall_cancel_arch", "__syscall_cancel", "__internal_syscall_cancel", "syscall", NULL };

  return g_strv_contains (names, function);
}

static char *
describe_wait (Teller *self, const TbPathsContributor *of, TbPathsCategory category)
{
  g_autofree char *function = find_function (self, of->top_node, TRUE);

  if (function != NULL && (is_any_call (function) || begins_all (function)))
    g_clear_pointer (&function, g_free);
  switch (category)
    {
    case TB_PATHS_DELIBERATE:
      return g_strdup (_ ("sleeping deliberately"));
    case TB_PATHS_TIMED_OUT:
      return function != NULL ? g_strdup_printf (_ ("in waits in %s that timed out"), function)
                              : g_strdup (_ ("in waits that timed out"));
    case TB_PATHS_SCHEDULER:
      return g_strdup (_ ("ready to run and waiting for a cpu"));
    case TB_PATHS_INVOLUNTARY:
      return g_strdup (_ ("kept off the cpu by others and by interrupts"));
    case TB_PATHS_HARDWARE:
      return g_strdup (_ ("waiting for an interrupt"));
    default:
      return g_strdup (_ ("waiting in the kernel for what is not traced"));
    }
}

static char *
describe_running (Teller *self, const TbPathsContributor *of)
{
  g_autofree char *function = find_function (self, of->top_running, FALSE);

  if (function != NULL && is_any_call (function))
    return g_strdup (_ ("running, most in system calls"));
  return function != NULL ? g_strdup_printf (_ ("running, most in %s"), function) : g_strdup (_ ("running"));
}

static char *
describe_sum (Teller *self, const TbPathsContributor *of, TbPathsCategory category)
{
  TbSession *session = tb_trace_get_session (self->summary->paths->trace);

  if (category == TB_PATHS_UNDERSTOOD)
    return describe_running (self, of);
  if (category == TB_PATHS_BLOCKING_IO)
    return describe_disk (session, of);
  if (category == TB_PATHS_NETWORK)
    return describe_network (session, of);
  return describe_wait (self, of, category);
}

/* What it did most, as a verb with its object; and the next where that is much too. */
static char *
describe_work (Teller *self, const TbPathsContributor *of)
{
  gint64 sums[TB_PATHS_N_CATEGORIES];
  TbPathsCategory first = TB_PATHS_UNDERSTOOD, second = TB_PATHS_N_CATEGORIES;
  g_autofree char *first_text = NULL;
  g_autofree char *second_text = NULL;
  g_autofree char *first_ns = NULL;
  g_autofree char *second_ns = NULL;

  /* Running and the disk are one thing each here. */
  memcpy (sums, of->categories, sizeof sums);
  sums[TB_PATHS_UNDERSTOOD] += sums[TB_PATHS_INFERRED] + sums[TB_PATHS_NOT_SAMPLED];
  sums[TB_PATHS_BLOCKING_IO] += sums[TB_PATHS_IO_QUEUE];
  sums[TB_PATHS_INFERRED] = sums[TB_PATHS_NOT_SAMPLED] = sums[TB_PATHS_IO_QUEUE] = 0;
  for (guint i = 0; i < TB_PATHS_OTHER_PATH; i++)
    if (sums[i] > sums[first])
      first = i;
  for (guint i = 0; i < TB_PATHS_OTHER_PATH; i++)
    if (i != first && (second == TB_PATHS_N_CATEGORIES || sums[i] > sums[second]))
      second = i;
  first_text = describe_sum (self, of, first);
  if (share_of (sums[second], of->own_ns) < SECOND_TOLD)
    return g_steal_pointer (&first_text);
  second_text = describe_sum (self, of, second);
  first_ns = tb_format_duration (sums[first]);
  second_ns = tb_format_duration (sums[second]);
  return g_strdup_printf (_ ("%s (%s) and %s (%s)"), first_text, first_ns, second_text, second_ns);
}

static void
tell_contributor (Teller *self, const TbPathsContributor *of)
{
  g_autoptr (GString) text = g_string_new (NULL);
  double share = share_of (of->own_ns, self->summary->wall_ns);
  g_autofree char *share_text = tb_format_share (share);
  g_autofree char *wall_text = tb_format_duration (self->summary->wall_ns);
  g_autofree char *process = describe_process (self, of->program);
  g_autofree char *work = describe_work (self, of);
  g_autofree char *item = g_strdup_printf ("%u", of->program);
  g_auto (GStrv) stack = tb_paths_summary_get_top_stack (self->summary, of);
  TbFinding *finding;

  g_string_append_printf (text, _ ("%s of the %s is %s %s"), share_text, wall_text, process, work);
  append_callers (self, of, text);
  g_string_append_c (text, '.');
  finding = tell (self, rate (share), of->own_ns, g_strdup (text->str));
  point_at (self, finding, of->longest_thread, of->longest_from, of->longest_to, TRUE);
  tb_finding_set_stack (finding, (const char *const *) stack);
  tb_finding_set_place (finding, "contributors", item);
}

static void
tell_contributors (Teller *self)
{
  GPtrArray *contributors = self->summary->contributors;

  for (guint i = 0; i < contributors->len && i < CONTRIBUTORS_TOLD; i++)
    {
      const TbPathsContributor *of = g_ptr_array_index (contributors, i);

      if (i > 0 && share_of (of->own_ns, self->summary->wall_ns) < LEAST_SHARE)
        break;
      if (of->own_ns > 0)
        tell_contributor (self, of);
    }
}

static void
tell_oversleeps (Teller *self)
{
  TbPaths *paths = self->summary->paths;

  for (guint i = 0; i < self->summary->oversleeps->len && i < CONTRIBUTORS_TOLD; i++)
    {
      const TbPathsOversleep *of = &g_array_index (self->summary->oversleeps, TbPathsOversleep, i);
      g_autofree char *thread = tb_trace_describe_thread (paths->trace, of->thread);
      g_autofree char *awaited = tb_trace_describe_thread (paths->trace, of->awaited);
      g_autofree char *function = tb_paths_describe_oversleep (paths, of);
      g_autofree char *total = tb_format_duration (of->total_ns);
      g_autofree char *waits = g_strdup_printf (ngettext ("%'u wait", "%'u waits", of->count), of->count);
      TbSeverity severity = MAX (TB_SEVERITY_MEDIUM, rate (share_of (of->total_ns, self->summary->wall_ns)));
      TbFinding *finding = tell (
          self, severity, of->total_ns,
          g_strdup_printf (_ ("%s overslept %s in %s: %s was done, but its end did not wake the wait in %s, "
                              "which went on until it timed out."),
                           thread, total, waits, awaited,
                           function != NULL && function[0] != '\0' ? function : _ ("an unknown function")));

      point_at (self, finding, of->thread, of->from, of->to, TRUE);
      tb_finding_add_thread (finding, of->awaited);
      tb_finding_set_place (finding, "explanation", tb_paths_category_get_id (TB_PATHS_TIMED_OUT));
    }
}

/* Paths beside the base path whose threads have one name. */
typedef struct
{
  const char *name;
  gboolean asynchronous;
  guint n;
  guint longest; /* path */
  gint64 wall_ns;
  gint64 running_ns;
} Beside;

static int
compare_beside (gconstpointer a, gconstpointer b)
{
  const Beside *one = a, *two = b;

  if (one->wall_ns != two->wall_ns)
    return one->wall_ns > two->wall_ns ? -1 : 1;
  return strcmp (one->name, two->name);
}

static GArray *
find_beside (Teller *self)
{
  TbPaths *paths = self->summary->paths;
  GArray *all = g_array_new (FALSE, FALSE, sizeof (Beside));
  g_autoptr (GHashTable) known = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, NULL);
  guint n_threads;
  const TbThread *threads = tb_session_get_threads (tb_trace_get_session (paths->trace), &n_threads);

  for (guint i = 1; i < paths->paths->len; i++)
    {
      const TbPath *path = &g_array_index (paths->paths, TbPath, i);
      Beside one = { .name = threads[path->thread].name, .asynchronous = path->asynchronous, .longest = i };
      char *key = g_strdup_printf ("%d%s", path->asynchronous, one.name);
      gpointer place;
      Beside *of;

      if (!g_hash_table_lookup_extended (known, key, NULL, &place))
        {
          place = GUINT_TO_POINTER (all->len);
          g_hash_table_insert (known, g_strdup (key), place);
          g_array_append_val (all, one);
        }
      g_free (key);
      of = &g_array_index (all, Beside, GPOINTER_TO_UINT (place));
      of->n++;
      of->wall_ns += path->wall_ns;
      of->running_ns += self->summary->path_sums[i].running_ns;
      if (path->wall_ns > g_array_index (paths->paths, TbPath, of->longest).wall_ns)
        of->longest = i;
    }
  g_array_sort (all, compare_beside);
  return all;
}

/* What was set going and not waited for, or not at once. */
static void
tell_parallel (Teller *self)
{
  TbPaths *paths = self->summary->paths;
  g_autoptr (GArray) all = find_beside (self);

  for (guint i = 0; i < all->len && i < PATHS_TOLD; i++)
    {
      const Beside *of = &g_array_index (all, Beside, i);
      const TbPath *path = &g_array_index (paths->paths, TbPath, of->longest);
      g_autofree char *who = of->n == 1 ? tb_trace_describe_thread (paths->trace, path->thread)
                                        : g_strdup_printf (_ ("%u threads %s"), of->n, of->name);
      g_autofree char *length = tb_format_duration (of->running_ns);
      TbFinding *finding;

      if (share_of (of->wall_ns, self->summary->wall_ns) < LEAST_SHARE)
        break;
      finding
          = tell (self, TB_SEVERITY_INFO, of->running_ns,
                  of->asynchronous
                      ? g_strdup_printf (_ ("%s ran %s for it beside the rest, and nobody waited for that."),
                                         who, length)
                      : g_strdup_printf (_ ("%s ran %s for it beside the rest, before it was waited for."),
                                         who, length));
      tb_finding_set_place (finding, "chronological", NULL);
      point_at (self, finding, path->thread, path->from, path->to, FALSE);
    }
}

/* Sums of a doubtful category, with the longest stretch of it. */
typedef struct
{
  gint64 ns;
  gint64 from;
  gint64 to;
  guint32 row;
} Doubt;

static void
add_doubt (Doubt *doubt, gint64 from, gint64 to, guint32 row)
{
  doubt->ns += to - from;
  if (to - from > doubt->to - doubt->from)
    {
      doubt->from = from;
      doubt->to = to;
      doubt->row = row;
    }
}

static void
find_doubts (Teller *self, Doubt *doubts, Doubt *open, Doubt *lost)
{
  TbPaths *paths = self->summary->paths;
  const TbPathsBoxes *boxes = &paths->walk->boxes;
  const TbIntervals *rows = paths->model->rows;
  g_auto (TbPathsExplainer) explainer = { 0 };

  tb_paths_explainer_init (&explainer, paths->model, paths->facts, boxes);
  for (gsize i = 0; i < boxes->n; i++)
    {
      guint32 row = boxes->row[i];
      const GArray *segments;

      if (boxes->path[i] != 0)
        continue;
      segments = tb_paths_explainer_get_segments (&explainer, i);
      for (guint k = 0; k < segments->len; k++)
        {
          const TbPathsSegment *segment = &g_array_index (segments, TbPathsSegment, k);

          if (rows->flags[row] & TB_INTERVAL_UNCERTAIN)
            add_doubt (lost, segment->from, segment->to, row);
          if (segment->category == TB_PATHS_UNACCOUNTED && (rows->flags[row] & TB_INTERVAL_OPEN_END)
              && rows->state[row] >= TB_STATE_INTERRUPTIBLE)
            add_doubt (open, segment->from, segment->to, row);
          else
            add_doubt (&doubts[segment->category], segment->from, segment->to, row);
        }
    }
}

typedef char *(*DoubtFunc) (const char *ns, const char *thread, const char *what);

static char *
describe_unaccounted (const char *ns, const char *thread, const char *what)
{
  return g_strdup_printf (_ ("For %s it is not known what was waited for; most of that is %s in %s."), ns,
                          thread, what);
}

static char *
describe_unseen (const char *ns, const char *thread, const char *what)
{
  return g_strdup_printf (
      _ ("Of %s nothing is known: events of that time were lost or are missing, most of them of %s."), ns,
      thread);
}

static char *
describe_open (const char *ns, const char *thread, const char *what)
{
  return g_strdup_printf (_ ("A wait of %s was not over when the recording ended: %s was still in %s."), ns,
                          thread, what);
}

static char *
describe_other_path (const char *ns, const char *thread, const char *what)
{
  return g_strdup_printf (_ ("For %s something was waited for that was under way already on another path; "
                             "most of that is %s in %s."),
                          ns, thread, what);
}

static char *
describe_lost (const char *ns, const char *thread, const char *what)
{
  return g_strdup_printf (
      _ ("%s lie beside events that the recording lost or lacks, most of that in %s: what "
         "happened there may have been something else."),
      ns, thread);
}

static void
tell_doubt (Teller *self, const Doubt *doubt, DoubtFunc describe, const char *category)
{
  TbPaths *paths = self->summary->paths;
  g_autofree char *ns = tb_format_duration (doubt->ns);
  g_autofree char *thread = tb_trace_describe_thread (paths->trace, paths->model->rows->thread[doubt->row]);
  g_autofree char *what = tb_trace_describe_interval (paths->trace, doubt->row);
  double share = share_of (doubt->ns, self->summary->wall_ns);
  TbFinding *finding;

  if (share < DOUBT_TOLD)
    return;
  finding = tell (self, share >= 0.05 ? TB_SEVERITY_MEDIUM : TB_SEVERITY_INFO, doubt->ns,
                  describe (ns, thread, what));
  point_at (self, finding, paths->model->rows->thread[doubt->row], doubt->from, doubt->to, TRUE);
  tb_finding_set_place (finding, "explanation", category);
}

/* What is not known, and where most of it is. */
static void
tell_doubts (Teller *self)
{
  Doubt doubts[TB_PATHS_N_CATEGORIES] = { 0 };
  Doubt open = { 0 }, lost = { 0 };
  const TbIntervals *rows = self->summary->paths->model->rows;
  gboolean is_unseen;

  find_doubts (self, doubts, &open, &lost);
  is_unseen = doubts[TB_PATHS_UNACCOUNTED].ns > 0
              && rows->state[doubts[TB_PATHS_UNACCOUNTED].row] == TB_STATE_UNKNOWN;
  tell_doubt (self, &doubts[TB_PATHS_UNACCOUNTED], is_unseen ? describe_unseen : describe_unaccounted,
              tb_paths_category_get_id (TB_PATHS_UNACCOUNTED));
  tell_doubt (self, &open, describe_open, tb_paths_category_get_id (TB_PATHS_UNACCOUNTED));
  tell_doubt (self, &doubts[TB_PATHS_OTHER_PATH], describe_other_path,
              tb_paths_category_get_id (TB_PATHS_OTHER_PATH));
  /* What is not known at all is told once. */
  if (!is_unseen || lost.ns > 2 * doubts[TB_PATHS_UNACCOUNTED].ns)
    tell_doubt (self, &lost, describe_lost, NULL);
}

void
tb_paths_add_findings (TbReport *report, TbPathsSummary *summary)
{
  TbFigure *chronological = tb_report_find_figure (report, "chronological");
  TbFigure *consolidated = tb_report_find_figure (report, "consolidated");
  Teller self = { .report = report, .summary = summary };

  if (chronological != NULL)
    self.chronological = TB_FLAME_FIGURE (chronological);
  if (consolidated != NULL)
    self.consolidated = TB_FLAME_FIGURE (consolidated);
  tell_contributors (&self);
  tell_oversleeps (&self);
  tell_parallel (&self);
  tell_doubts (&self);
}

void
tb_paths_add_grace_finding (TbReport *report, TbPathsSummary *summary, TbPathsSummary *other, gint64 grace)
{
  Teller self = { .report = report, .summary = summary };
  g_autofree char *grace_text = tb_format_duration (grace);
  g_autofree char *before = NULL;
  g_autofree char *after = NULL;
  guint most = 0;
  gint64 change = 0;

  for (guint i = 0; i < TB_PATHS_N_CATEGORIES; i++)
    if (ABS (other->categories[i] - summary->categories[i]) > change)
      {
        most = i;
        change = ABS (other->categories[i] - summary->categories[i]);
      }
  if (share_of (change, summary->wall_ns) < LEAST_SHARE)
    return;
  before = tb_format_duration (summary->categories[most]);
  after = tb_format_duration (other->categories[most]);
  tb_finding_set_place (
      tell (&self, TB_SEVERITY_INFO, change,
            g_strdup_printf (_ ("The grace matters here: with %s, \"%s\" would be %s instead of "
                                "%s."),
                             grace_text, tb_paths_category_get_label (most), after, before)),
      "explanation", tb_paths_category_get_id (most));
}

/* "demo-front took 3 s: 60 % of that is …" */
char *
tb_paths_make_headline (TbPathsSummary *summary)
{
  TbPathsFacts *facts = summary->paths->facts;
  const char *name
      = tb_paths_facts_get_program_name (facts, tb_paths_facts_get_program (facts, summary->paths->thread,
                                                                            summary->paths->to - 1));
  g_autofree char *wall = tb_format_duration (summary->wall_ns);
  g_autofree char *total = tb_format_duration (summary->total_ns);
  g_autofree char *accounted = tb_format_share (summary->accounted);
  g_autofree char *explained = tb_format_share (summary->explained);

  return g_strdup_printf (_ ("%s took %s, %s with what went on in parallel; %s of that is accounted for, %s "
                             "explained."),
                          name, wall, total, accounted, explained);
}
