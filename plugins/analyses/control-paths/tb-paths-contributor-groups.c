/* tb-paths-contributor-groups.c: contributors of one program name and one chain of callers, whose
 * main activity is the same, as one
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#include "config.h"

#include "tb-paths-contributor-groups.h"

/* Most different files or peers of a group. */
#define MAX_OBJECTS 256

static void
group_free (gpointer data)
{
  TbPathsContributorGroup *self = data;

  g_array_unref (self->sum->files);
  g_array_unref (self->sum->peers);
  g_array_unref (self->sum->rivals);
  g_array_unref (self->sum->ready_rivals);
  g_array_unref (self->sum->running);
  g_free (self->sum);
  g_free (self);
}

static char *
make_key (TbPathsSummary *summary, const TbPathsContributor *of, guint kind)
{
  g_auto (GStrv) chain = tb_paths_summary_get_called_through (summary, of);
  g_autofree char *callers = g_strjoinv ("\n", chain);

  return g_strdup_printf ("%u\n%s\n%s", kind,
                          tb_paths_events_get_program_name (summary->paths->events, of->program),
                          callers);
}

static void
merge_objects (GArray *to, const GArray *from)
{
  for (guint i = 0; i < from->len; i++)
    {
      const TbPathsObject *object = &g_array_index (from, TbPathsObject, i);
      guint k = 0;

      while (k < to->len && g_array_index (to, TbPathsObject, k).string != object->string)
        k++;
      if (k < to->len)
        g_array_index (to, TbPathsObject, k).ns += object->ns;
      else if (to->len < MAX_OBJECTS)
        g_array_append_vals (to, object, 1);
    }
  g_array_sort (to, tb_paths_compare_objects);
}

static GArray *
copy_array (const GArray *from, guint size)
{
  GArray *to = g_array_new (FALSE, FALSE, size);

  if (from->len > 0)
    g_array_append_vals (to, from->data, from->len);
  return to;
}

static TbPathsContributorGroup *
group_new (const TbPathsContributor *of)
{
  TbPathsContributorGroup *self = g_new0 (TbPathsContributorGroup, 1);

  self->sum = g_memdup2 (of, sizeof *of);
  self->sum->files = copy_array (of->files, sizeof (TbPathsObject));
  self->sum->peers = copy_array (of->peers, sizeof (TbPathsObject));
  self->sum->rivals = copy_array (of->rivals, sizeof (TbPathsObject));
  self->sum->ready_rivals = copy_array (of->ready_rivals, sizeof (TbPathsObject));
  self->sum->running = copy_array (of->running, sizeof (TbPathsNodeTime));
  self->n = 1;
  self->least_ns = self->most_ns = of->own_ns;
  return self;
}

/* Contributors come largest first: program, callers and longest box stay those of the first. */
static void
add_member (TbPathsContributorGroup *self, const TbPathsContributor *of)
{
  TbPathsContributor *sum = self->sum;

  self->n++;
  self->least_ns = MIN (self->least_ns, of->own_ns);
  self->most_ns = MAX (self->most_ns, of->own_ns);
  sum->own_ns += of->own_ns;
  sum->locked_ns += of->locked_ns;
  sum->throttled_ns += of->throttled_ns;
  sum->running_ns += of->running_ns;
  sum->io_ns += of->io_ns;
  sum->network_ns += of->network_ns;
  sum->waiting_ns += of->waiting_ns;
  sum->parallel_ns += of->parallel_ns;
  sum->disk_running_ns += of->disk_running_ns;
  sum->disk_runnable_ns += of->disk_runnable_ns;
  sum->disk_overlap_ns += of->disk_overlap_ns;
  sum->swap_ns += of->swap_ns;
  for (guint i = 0; i < TB_PATHS_N_CATEGORIES; i++)
    sum->categories[i] += of->categories[i];
  merge_objects (sum->files, of->files);
  merge_objects (sum->peers, of->peers);
  merge_objects (sum->rivals, of->rivals);
  merge_objects (sum->ready_rivals, of->ready_rivals);
  if (of->running->len > 0)
    g_array_append_vals (sum->running, of->running->data, of->running->len);
}

static int
compare_groups (gconstpointer a, gconstpointer b)
{
  const TbPathsContributorGroup *one = *(TbPathsContributorGroup *const *) a,
                                *two = *(TbPathsContributorGroup *const *) b;

  if (one->sum->own_ns != two->sum->own_ns)
    return one->sum->own_ns > two->sum->own_ns ? -1 : 1;
  return one->sum->program < two->sum->program ? -1 : one->sum->program > two->sum->program;
}

GPtrArray *
tb_paths_group_contributors (TbPathsSummary *summary,
                             guint (*get_kind) (const TbPathsContributor *of))
{
  GPtrArray *groups = g_ptr_array_new_with_free_func (group_free);
  g_autoptr (GHashTable) known = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, NULL);

  for (guint i = 0; i < summary->contributors->len; i++)
    {
      const TbPathsContributor *of = g_ptr_array_index (summary->contributors, i);
      g_autofree char *key = NULL;
      TbPathsContributorGroup *group;

      if (of->own_ns <= 0 || of->program == TB_PATHS_RECORDER)
        continue;
      key = make_key (summary, of, get_kind (of));
      group = g_hash_table_lookup (known, key);
      if (group != NULL)
        {
          add_member (group, of);
          continue;
        }
      group = group_new (of);
      g_hash_table_insert (known, g_steal_pointer (&key), group);
      g_ptr_array_add (groups, group);
    }
  g_ptr_array_sort (groups, compare_groups);
  return groups;
}
