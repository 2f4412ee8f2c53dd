/* tb-paths-summary.c: totals of the time of a process: by category, path, chain of called programs,
 * and contributor (a program) with its main functions, files and peers; programs of each path
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#include "config.h"

#include <glib/gi18n.h>
#include <math.h>

#include "tb-paths-disk-waits.h"
#include "tb-paths-rivals.h"
#include "tb-paths-summary.h"
#include "tb-paths-throttling.h"

/* Boxes between two checks of the cancellable. */
#define STRIDE 65536

/* Of a longer chain only both ends are shown. */
#define MAX_CHAIN 64

typedef struct
{
  TbPathsSummary *summary;
  TbPathsCategorizer categorizer;
  GHashTable *chains;  /* parent and program → chain */
  GHashTable *tops;    /* contributor and node → ns */
  GHashTable *objects; /* contributor and string → ns; peers have the top bit set */
  /* contributor and program → ns; those while it was ready to run have the top bit set */
  GHashTable *rivals;
  GArray *found; /* rivals of a segment */
  /* by program; the last two are for unknown programs and for the recorder */
  TbPathsContributor **by_program;
  GHashTable **seen; /* by path: names */
  TbPathsLocks *locks;
} SummaryBuilder;

static void
summary_builder_clear (SummaryBuilder *self)
{
  tb_paths_categorizer_clear (&self->categorizer);
  g_clear_pointer (&self->chains, g_hash_table_unref);
  g_clear_pointer (&self->tops, g_hash_table_unref);
  g_clear_pointer (&self->objects, g_hash_table_unref);
  g_clear_pointer (&self->rivals, g_hash_table_unref);
  g_clear_pointer (&self->found, g_array_unref);
  g_clear_pointer (&self->by_program, g_free);
  g_clear_pointer (&self->locks, tb_paths_locks_free);
}

G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC (SummaryBuilder, summary_builder_clear)

static GHashTable *
new_sums (void)
{
  return g_hash_table_new_full (g_int64_hash, g_int64_equal, g_free, g_free);
}

static void
add_sum (GHashTable *sums, guint32 high, guint32 low, gint64 ns)
{
  gint64 key = (gint64) ((guint64) high << 32 | low);
  gint64 *sum = g_hash_table_lookup (sums, &key);

  if (sum == NULL)
    {
      sum = g_new0 (gint64, 1);
      g_hash_table_insert (sums, g_memdup2 (&key, sizeof key), sum);
    }
  *sum += ns;
}

static void
contributor_free (TbPathsContributor *self)
{
  g_array_unref (self->files);
  g_array_unref (self->peers);
  g_array_unref (self->rivals);
  g_array_unref (self->ready_rivals);
  g_array_unref (self->running);
  g_free (self);
}

/* --- chains and contributors --- */

static guint32
get_chain (SummaryBuilder *self, guint32 parent, guint32 program)
{
  GArray *chains = self->summary->chains;
  gint64 key = (gint64) ((guint64) parent << 32 | program);
  TbPathsChain chain = { .parent = parent, .program = program };
  gpointer found;

  /* All threads and layers of one program are one link of the chain. */
  if (parent != TB_ID_NONE && g_array_index (chains, TbPathsChain, parent).program == program)
    return parent;
  if (g_hash_table_lookup_extended (self->chains, &key, NULL, &found))
    return GPOINTER_TO_UINT (found);
  g_hash_table_insert (self->chains, g_memdup2 (&key, sizeof key), GUINT_TO_POINTER (chains->len));
  g_array_append_val (chains, chain);
  return chains->len - 1;
}

/* The place of a program in by_program. */
static guint32
get_slot (const SummaryBuilder *self, guint32 program)
{
  guint n = tb_programs_get_n (self->summary->paths->events->programs);

  return program == TB_PATHS_RECORDER ? n + 1 : MIN (program, n);
}

static TbPathsContributor *
get_contributor (SummaryBuilder *self, guint32 program, gint64 time)
{
  TbPathsContributor **place = &self->by_program[get_slot (self, program)];

  if (*place == NULL)
    {
      *place = g_new0 (TbPathsContributor, 1);
      (*place)->program = program;
      (*place)->chain = TB_ID_NONE;
      (*place)->first = G_MAXINT64;
      (*place)->files = g_array_new (FALSE, FALSE, sizeof (TbPathsObject));
      (*place)->peers = g_array_new (FALSE, FALSE, sizeof (TbPathsObject));
      (*place)->rivals = g_array_new (FALSE, FALSE, sizeof (TbPathsObject));
      (*place)->ready_rivals = g_array_new (FALSE, FALSE, sizeof (TbPathsObject));
      (*place)->running = g_array_new (FALSE, FALSE, sizeof (TbPathsNodeTime));
      g_ptr_array_add (self->summary->contributors, *place);
    }
  (*place)->first = MIN ((*place)->first, time);
  return *place;
}

/* Adds what the program itself did, in any path. */
static void
add_work (SummaryBuilder *self,
          TbPathsContributor *contributor,
          guint32 row,
          const TbPathsSegment *segment)
{
  const TbIntervals *rows = self->summary->paths->model->rows;
  gint64 ns = segment->to - segment->from;
  guint32 program = get_slot (self, contributor->program);

  switch (segment->category)
    {
    case TB_PATHS_UNDERSTOOD:
    case TB_PATHS_INFERRED:
    case TB_PATHS_NOT_SAMPLED:
      contributor->running_ns += ns;
      break;
    case TB_PATHS_BLOCKING_IO:
    case TB_PATHS_IO_QUEUE:
      contributor->io_ns += ns;
      if (rows->object[row] != TB_STRING_NONE)
        add_sum (self->objects, program, rows->object[row], ns);
      break;
    case TB_PATHS_NETWORK:
      contributor->network_ns += ns;
      if (rows->object[row] != TB_STRING_NONE)
        add_sum (self->objects, program | 1u << 31, rows->object[row], ns);
      break;
    default:
      contributor->waiting_ns += ns;
      break;
    }
}

/* The first sample of a run at a time or after it. */
static guint32
find_sample (const TbPathsEvents *events, guint32 row, gint64 time)
{
  guint32 low = events->sample_first[row], high = low + events->sample_n[row];

  while (low < high)
    {
      guint32 middle = low + (high - low) / 2;

      if (events->sample_time[middle] < time)
        low = middle + 1;
      else
        high = middle;
    }
  return low;
}

/* Divides a part of a run among the samples in it, or gives it to the nearest ones. */
static void
add_samples (SummaryBuilder *self, guint32 program, gsize box, const TbPathsSegment *segment)
{
  const TbPathsEvents *events = self->summary->paths->events;
  guint32 row = self->summary->paths->walk->boxes.row[box];
  guint32 first, end, n = 0;
  gint64 ns = segment->to - segment->from;

  if (events->sample_n[row] == 0)
    return;
  first = find_sample (events, row, segment->from);
  end = find_sample (events, row, segment->to);
  if (first == end)
    {
      first = MIN (first, events->sample_first[row] + events->sample_n[row] - 1);
      end = first + 1;
    }
  for (guint32 i = first; i < end; i++)
    n += events->sample_node[i] != 0;
  for (guint32 i = first, k = 0; i < end; i++)
    if (events->sample_node[i] != 0)
      {
        add_sum (self->tops, program | 1u << 31, events->sample_node[i],
                 ns / n + (k < (guint64) ns % n));
        k++;
      }
}

/* Adds the programs that had the CPU for which the program waited. */
static void
add_rivals (SummaryBuilder *self, guint32 program, gsize box, const TbPathsSegment *segment)
{
  const TbPaths *paths = self->summary->paths;
  guint32 ready = segment->category == TB_PATHS_SCHEDULER ? 1u << 31 : 0;

  g_array_set_size (self->found, 0);
  tb_paths_find_rivals (paths->model, paths->events, paths->walk->boxes.row[box], segment->from,
                        segment->to, self->found);
  for (guint i = 0; i < self->found->len; i++)
    {
      const TbPathsObject *rival = &g_array_index (self->found, TbPathsObject, i);

      add_sum (self->rivals, program | ready, rival->string, rival->ns);
    }
}

/* Adds the program's part of the wall time. */
static void
add_share (SummaryBuilder *self,
           TbPathsContributor *contributor,
           gsize box,
           const TbPathsSegment *segment)
{
  TbPathsSummary *summary = self->summary;
  gint64 ns = segment->to - segment->from;
  guint32 program = get_slot (self, contributor->program);
  guint32 node = tb_paths_categorizer_get_node (&self->categorizer, box);

  contributor->categories[segment->category] += ns;
  contributor->own_ns += ns;
  contributor->locked_ns += tb_paths_locks_get_held (self->locks, segment->from, segment->to);
  if (segment->category == TB_PATHS_TIMED_OUT && ns > contributor->longest_timeout_ns)
    {
      contributor->longest_timeout = summary->paths->walk->boxes.row[box];
      contributor->longest_timeout_ns = ns;
    }
  if (segment->category == TB_PATHS_DELIBERATE && ns > contributor->longest_sleep_ns)
    {
      contributor->longest_sleep = summary->paths->walk->boxes.row[box];
      contributor->longest_sleep_ns = ns;
    }
  if (segment->category == TB_PATHS_INVOLUNTARY)
    contributor->throttled_ns
        += tb_paths_get_throttled (summary->paths->model, summary->paths->walk->boxes.row[box],
                                   segment->from, segment->to);
  if (segment->category == TB_PATHS_INVOLUNTARY || segment->category == TB_PATHS_SCHEDULER)
    add_rivals (self, program, box, segment);
  g_array_index (summary->chains, TbPathsChain, summary->chain_of[box]).ns += ns;
  add_sum (self->tops, program, node, ns);
  if (segment->category == TB_PATHS_UNDERSTOOD)
    add_samples (self, program, box, segment);
  if (ns > contributor->longest_to - contributor->longest_from)
    {
      contributor->longest_from = segment->from;
      contributor->longest_to = segment->to;
      contributor->longest_thread
          = summary->paths->model->rows->thread[summary->paths->walk->boxes.row[box]];
    }
}

/* --- boxes --- */

static guint32
find_program (TbPaths *paths, gsize box)
{
  const TbPathsBoxes *boxes = &paths->walk->boxes;

  return tb_paths_events_find_program (paths->events, paths->model->rows->thread[boxes->row[box]],
                                       boxes->from[box]);
}

/* Adds a segment to the contributor of the box. What a kernel thread does on behalf of a thread
 * that waits for the disk belongs to that thread. */
static void
add_segment (SummaryBuilder *self, gsize box, const TbPathsSegment *segment)
{
  TbPaths *paths = self->summary->paths;
  const TbPathsBoxes *boxes = &paths->walk->boxes;
  guint32 disk_wait = tb_paths_find_disk_wait (&self->categorizer, box);
  gsize of = disk_wait != TB_ID_NONE ? disk_wait : box;
  guint32 row = tb_paths_find_sleeping_row (paths->model, boxes->row[of]);
  TbPathsContributor *contributor
      = get_contributor (self, find_program (paths, of), boxes->from[of]);
  TbPathsSegment counted = *segment;

  if (disk_wait != TB_ID_NONE)
    counted.category = tb_paths_get_disk_wait_category (segment->category, disk_wait != box);
  add_work (self, contributor, row != TB_ID_NONE ? row : boxes->row[of], &counted);
  if (boxes->path[box] != 0)
    {
      contributor->parallel_ns += segment->to - segment->from;
      return;
    }
  add_share (self, contributor, of, &counted);
  if (disk_wait != TB_ID_NONE)
    tb_paths_add_disk_wait (contributor, &self->categorizer, disk_wait, box, segment);
  else if (tb_paths_is_run (paths->model, boxes->row[box])
           && segment->category != TB_PATHS_INVOLUNTARY)
    tb_paths_add_disk_overlap (contributor, &self->categorizer, box, segment);
}

static void
add_box (SummaryBuilder *self, gsize box)
{
  TbPathsSummary *summary = self->summary;
  TbPaths *paths = summary->paths;
  const TbPathsBoxes *boxes = &paths->walk->boxes;
  guint32 path = boxes->path[box], parent = boxes->parent[box];
  gboolean is_run = tb_paths_is_run (paths->model, boxes->row[box]);
  guint32 program = find_program (paths, box);
  const GArray *segments;

  summary->chain_of[box]
      = get_chain (self, parent == TB_ID_NONE ? TB_ID_NONE : summary->chain_of[parent], program);
  segments = tb_paths_categorizer_get_segments (&self->categorizer, box);
  if (segments->len == 0)
    return;
  for (guint i = 0; i < segments->len; i++)
    {
      const TbPathsSegment *segment = &g_array_index (segments, TbPathsSegment, i);
      gint64 ns = segment->to - segment->from;

      summary->categories[segment->category] += ns;
      summary->total_ns += ns;
      if (is_run && segment->category != TB_PATHS_INVOLUNTARY)
        summary->path_sums[path].running_ns += ns;
      else if (is_run && self->categorizer.disk_wait[box] == TB_ID_NONE)
        get_contributor (self, program, boxes->from[box])->interrupted_ns += ns;
      if (path == 0)
        summary->base_categories[segment->category] += ns;
      if (segment->category != TB_PATHS_OTHER_PATH && segment->category != TB_PATHS_UNACCOUNTED)
        add_segment (self, box, segment);
    }
}

/* Adds up how far children exceed the sleeps that they belong to. */
static void
add_overlaps (TbPathsSummary *self)
{
  const TbPathsBoxes *boxes = &self->paths->walk->boxes;

  for (gsize i = 0; i < boxes->n;)
    {
      gint64 covered;
      gsize next = tb_paths_boxes_get_group (boxes, self->paths->model, i, &covered);

      if (boxes->flags[i] & TB_PATHS_BOX_HAS_CHILD)
        {
          gint64 beyond = boxes->child_to[i] - boxes->child_from[i] - covered;

          self->path_sums[boxes->path[i]].overlap_ns += beyond;
          self->overlap_ns += beyond;
        }
      i = next;
    }
}

/* --- order of appearance --- */

/* A called program appears when it is called, although it may run later. Of two that appear at the
 * same time, the one that runs first called the other. */
typedef struct
{
  gint64 from;
  gint64 runs;
  guint32 layer;
  guint32 path;
  const char *name;
} Appearance;

static int
compare_appearances (gconstpointer a, gconstpointer b)
{
  const Appearance *one = a, *two = b;

  if (one->path != two->path)
    return one->path < two->path ? -1 : 1;
  if (one->from != two->from)
    return one->from < two->from ? -1 : 1;
  if (one->runs != two->runs)
    return one->runs < two->runs ? -1 : 1;
  return one->layer < two->layer ? -1 : one->layer > two->layer;
}

static guint
hash_appearance (gconstpointer data)
{
  const Appearance *appearance = data;

  return g_str_hash (appearance->name) * 31 + appearance->path;
}

static gboolean
equal_appearances (gconstpointer a, gconstpointer b)
{
  const Appearance *one = a, *two = b;

  return one->path == two->path && g_str_equal (one->name, two->name);
}

/* Lists the programs of each path in order of their first appearance. */
static void
find_appearances (TbPathsSummary *self)
{
  const TbPathsBoxes *boxes = &self->paths->walk->boxes;
  TbPathsModel *model = self->paths->model;
  TbPathsEvents *events = self->paths->events;
  g_autoptr (GHashTable) known
      = g_hash_table_new_full (hash_appearance, equal_appearances, g_free, NULL);
  g_autoptr (GArray) order = g_array_new (FALSE, FALSE, sizeof (Appearance));
  GHashTableIter iter;
  gpointer key;

  for (gsize i = 0; i < boxes->n; i++)
    {
      gboolean is_run = tb_paths_is_run (model, boxes->row[i]);
      Appearance appearance = { .from = boxes->from[i],
                                .runs = is_run ? boxes->from[i] : G_MAXINT64,
                                .layer = boxes->layer[i],
                                .path = boxes->path[i] };
      Appearance *found;

      if (boxes->to[i] <= boxes->from[i])
        continue;
      appearance.name = tb_paths_events_get_program_name (
          events, g_array_index (self->chains, TbPathsChain, self->chain_of[i]).program);
      found = g_hash_table_lookup (known, &appearance);
      if (found != NULL)
        {
          found->layer = appearance.from < found->from ? appearance.layer : found->layer;
          found->from = MIN (found->from, appearance.from);
          found->runs = MIN (found->runs, appearance.runs);
        }
      else
        g_hash_table_add (known, g_memdup2 (&appearance, sizeof appearance));
    }
  g_hash_table_iter_init (&iter, known);
  while (g_hash_table_iter_next (&iter, &key, NULL))
    g_array_append_vals (order, key, 1);
  g_array_sort (order, compare_appearances);
  for (guint i = 0; i < order->len; i++)
    {
      const Appearance *appearance = &g_array_index (order, Appearance, i);

      g_ptr_array_add (self->path_programs[appearance->path], (gpointer) appearance->name);
    }
}

/* --- finishing --- */

static int
compare_contributors (gconstpointer a, gconstpointer b)
{
  const TbPathsContributor *one = *(TbPathsContributor *const *) a,
                           *two = *(TbPathsContributor *const *) b;

  if (one->own_ns != two->own_ns)
    return one->own_ns > two->own_ns ? -1 : 1;
  if (one->parallel_ns != two->parallel_ns)
    return one->parallel_ns > two->parallel_ns ? -1 : 1;
  return one->program < two->program ? -1 : one->program > two->program;
}

static void
finish_contributors (SummaryBuilder *self)
{
  TbPathsSummary *summary = self->summary;
  GHashTableIter iter;
  gpointer key, value;

  g_hash_table_iter_init (&iter, self->tops);
  while (g_hash_table_iter_next (&iter, &key, &value))
    {
      guint32 program = *(guint64 *) key >> 32;
      TbPathsContributor *contributor = self->by_program[program & ~(1u << 31)];
      TbPathsNodeTime time = { (guint32) * (guint64 *) key, *(gint64 *) value };

      if (program >> 31)
        g_array_append_val (contributor->running, time);
      else if (time.ns > contributor->top_ns
               || (time.ns == contributor->top_ns && time.node < contributor->top_node))
        {
          contributor->top_node = time.node;
          contributor->top_ns = time.ns;
        }
    }
  g_hash_table_iter_init (&iter, self->objects);
  while (g_hash_table_iter_next (&iter, &key, &value))
    {
      guint32 program = *(guint64 *) key >> 32;
      TbPathsObject object = { (guint32) * (guint64 *) key, *(gint64 *) value };
      TbPathsContributor *contributor = self->by_program[program & ~(1u << 31)];

      g_array_append_val (program >> 31 ? contributor->peers : contributor->files, object);
    }
  g_hash_table_iter_init (&iter, self->rivals);
  while (g_hash_table_iter_next (&iter, &key, &value))
    {
      guint32 program = *(guint64 *) key >> 32;
      TbPathsObject rival = { (guint32) * (guint64 *) key, *(gint64 *) value };
      TbPathsContributor *contributor = self->by_program[program & ~(1u << 31)];

      g_array_append_val (program >> 31 ? contributor->ready_rivals : contributor->rivals, rival);
    }
  for (guint i = 0; i < summary->chains->len; i++)
    {
      const TbPathsChain *chain = &g_array_index (summary->chains, TbPathsChain, i);
      TbPathsContributor *contributor = self->by_program[get_slot (self, chain->program)];

      if (contributor != NULL && chain->ns > 0
          && (contributor->chain == TB_ID_NONE
              || chain->ns > g_array_index (summary->chains, TbPathsChain, contributor->chain).ns))
        contributor->chain = i;
    }
  for (guint i = 0; i < summary->contributors->len; i++)
    {
      TbPathsContributor *contributor = g_ptr_array_index (summary->contributors, i);

      g_array_sort (contributor->files, tb_paths_compare_objects);
      g_array_sort (contributor->peers, tb_paths_compare_objects);
      g_array_sort (contributor->rivals, tb_paths_compare_objects);
      g_array_sort (contributor->ready_rivals, tb_paths_compare_objects);
    }
  g_ptr_array_sort (summary->contributors, compare_contributors);
}

static void
finish_shares (TbPathsSummary *self)
{
  gint64 known = self->categories[TB_PATHS_UNDERSTOOD] + self->categories[TB_PATHS_INFERRED]
                 + self->categories[TB_PATHS_BLOCKING_IO] + self->categories[TB_PATHS_NETWORK]
                 + self->categories[TB_PATHS_DELIBERATE];
  gint64 denominator = self->total_ns - self->categories[TB_PATHS_OTHER_PATH];

  self->accounted
      = self->total_ns > 0
            ? 1 - (double) self->categories[TB_PATHS_UNACCOUNTED] / (double) self->total_ns
            : NAN;
  self->explained = denominator > 0 ? (double) known / (double) denominator : NAN;
}

TbPathsSummary *
tb_paths_summary_new (TbPaths *paths, GCancellable *cancellable, GError **error)
{
  g_autoptr (TbPathsSummary) self = g_new0 (TbPathsSummary, 1);
  g_auto (SummaryBuilder) gatherer = { .summary = self };
  const TbPathsBoxes *boxes = &paths->walk->boxes;
  guint n_paths = paths->paths->len;

  self->paths = paths;
  self->wall_ns = paths->to - paths->from;
  self->path_sums = g_new0 (TbPathSums, n_paths);
  self->path_programs = g_new (GPtrArray *, n_paths);
  for (guint i = 0; i < n_paths; i++)
    self->path_programs[i] = g_ptr_array_new ();
  self->chains = g_array_new (FALSE, FALSE, sizeof (TbPathsChain));
  self->chain_of = g_new (guint32, MAX (boxes->n, 1));
  self->contributors = g_ptr_array_new_with_free_func ((GDestroyNotify) contributor_free);
  tb_paths_categorizer_init (&gatherer.categorizer, paths->model, paths->events, boxes);
  gatherer.chains = g_hash_table_new_full (g_int64_hash, g_int64_equal, g_free, NULL);
  gatherer.tops = new_sums ();
  gatherer.objects = new_sums ();
  gatherer.rivals = new_sums ();
  gatherer.found = g_array_new (FALSE, FALSE, sizeof (TbPathsObject));
  gatherer.by_program
      = g_new0 (TbPathsContributor *, (gsize) tb_programs_get_n (paths->events->programs) + 2);
  gatherer.locks = tb_paths_locks_new (paths);
  for (gsize i = 0; i < boxes->n; i++)
    {
      add_box (&gatherer, i);
      if (i % STRIDE == 0 && g_cancellable_set_error_if_cancelled (cancellable, error))
        return NULL;
    }
  for (guint i = 0; i < n_paths; i++)
    self->path_sums[i].wall_ns = g_array_index (paths->paths, TbPath, i).wall_ns;
  add_overlaps (self);
  find_appearances (self);
  finish_contributors (&gatherer);
  finish_shares (self);
  self->oversleeps = tb_paths_find_oversleeps (paths);
  self->locks = tb_paths_locks_finish (gatherer.locks);
  self->polled_ns = tb_paths_locks_take_polled (gatherer.locks);
  return g_steal_pointer (&self);
}

void
tb_paths_summary_free (TbPathsSummary *self)
{
  if (self->path_programs != NULL)
    for (guint i = 0; i < self->paths->paths->len; i++)
      g_ptr_array_unref (self->path_programs[i]);
  g_free (self->path_programs);
  g_free (self->path_sums);
  g_clear_pointer (&self->chains, g_array_unref);
  g_free (self->chain_of);
  g_clear_pointer (&self->contributors, g_ptr_array_unref);
  g_clear_pointer (&self->oversleeps, g_array_unref);
  g_clear_pointer (&self->locks, g_array_unref);
  g_free (self->polled_ns);
  g_free (self);
}

char **
tb_paths_summary_get_called_through (TbPathsSummary *self, const TbPathsContributor *contributor)
{
  g_autoptr (GPtrArray) names = g_ptr_array_new ();
  GStrvBuilder *builder = g_strv_builder_new ();
  char **result;

  for (guint32 i = contributor->chain; i != TB_ID_NONE;)
    {
      const TbPathsChain *chain = &g_array_index (self->chains, TbPathsChain, i);

      g_ptr_array_add (names, (gpointer) tb_paths_events_get_program_name (self->paths->events,
                                                                           chain->program));
      i = chain->parent;
    }
  for (guint i = names->len; i-- > 0;)
    if (names->len <= MAX_CHAIN || i < MAX_CHAIN / 2 || i >= names->len - MAX_CHAIN / 2)
      g_strv_builder_add (builder, g_ptr_array_index (names, i));
    else if (i == MAX_CHAIN / 2)
      g_strv_builder_add (builder, "…");
  result = g_strv_builder_end (builder);
  g_strv_builder_unref (builder);
  return result;
}

char **
tb_paths_summary_get_top_stack (TbPathsSummary *self, const TbPathsContributor *contributor)
{
  g_autoptr (GPtrArray) names = g_ptr_array_new ();
  char **result;

  for (guint32 node = contributor->top_node; node != 0;)
    {
      TbContextNode context;

      tb_context_tree_get_node (self->paths->events->tree, node, &context);
      g_ptr_array_add (names, (gpointer) context.function);
      node = context.parent;
    }
  result = g_new0 (char *, names->len + 1);
  for (guint i = 0; i < names->len; i++)
    result[names->len - 1 - i] = g_strdup (g_ptr_array_index (names, i));
  return result;
}
