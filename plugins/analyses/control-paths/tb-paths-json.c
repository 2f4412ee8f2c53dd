/* tb-paths-json.c: summary of the control paths as JSON: categories, contributors, paths,
 * oversleeps, and why wake-ups were not followed
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#include "config.h"

#include <math.h>

#include "tb-paths-summary.h"

/* Files and peers listed for each contributor. */
#define MAX_OBJECTS 32
#define MAX_OVERSLEEPS 64
#define MAX_PATHS 1000

static void
add_integer (JsonBuilder *builder, const char *name, gint64 value)
{
  json_builder_set_member_name (builder, name);
  json_builder_add_int_value (builder, value);
}

static void
add_string (JsonBuilder *builder, const char *name, const char *value)
{
  json_builder_set_member_name (builder, name);
  json_builder_add_string_value (builder, value);
}

static void
add_share (JsonBuilder *builder, const char *name, double value)
{
  json_builder_set_member_name (builder, name);
  if (isfinite (value))
    json_builder_add_double_value (builder, value);
  else
    json_builder_add_null_value (builder);
}

static void
add_strings (JsonBuilder *builder, const char *name, char **values)
{
  json_builder_set_member_name (builder, name);
  json_builder_begin_array (builder);
  for (guint i = 0; values[i] != NULL; i++)
    json_builder_add_string_value (builder, values[i]);
  json_builder_end_array (builder);
}

static void
add_id (JsonBuilder *builder, const char *name, guint32 id)
{
  g_autofree char *text = g_strdup_printf ("%u", id);

  add_string (builder, name, text);
}

const char *
tb_paths_drop_get_reason (TbPathsDrop drop)
{
  static const char *const reasons[TB_PATHS_N_DROPS] = {
    [TB_PATHS_DROP_NOT_RUNNING] = "the waker is not known to have run",
    [TB_PATHS_DROP_OTHER_PATH] = "what the waker did belongs to a path already",
    [TB_PATHS_DROP_BEFORE] = "the waker ran for others before the wait",
    [TB_PATHS_DROP_AFTER] = "the waker went on for others after the wait",
    [TB_PATHS_DROP_NOT_WAITED] = "a kernel thread was woken and no thread waited for it",
    [TB_PATHS_DROP_OTHER_WORK] = "a thread gave the kernel other work than the awaited request",
  };

  return reasons[drop];
}

static void
add_categories (JsonBuilder *builder, const char *name, const gint64 *categories)
{
  json_builder_set_member_name (builder, name);
  json_builder_begin_object (builder);
  for (guint i = 0; i < TB_PATHS_N_CATEGORIES; i++)
    add_integer (builder, tb_paths_category_get_id (i), categories[i]);
  json_builder_end_object (builder);
}

static void
add_path (JsonBuilder *builder, TbPathsSummary *self, guint i)
{
  const TbPath *path = &g_array_index (self->paths->paths, TbPath, i);
  const TbPathSums *sums = &self->path_sums[i];

  json_builder_begin_object (builder);
  add_id (builder, "id", i);
  json_builder_set_member_name (builder, "base");
  json_builder_add_boolean_value (builder, path->base);
  json_builder_set_member_name (builder, "asynchronous");
  json_builder_add_boolean_value (builder, path->asynchronous);
  json_builder_set_member_name (builder, "processes");
  json_builder_begin_array (builder);
  for (guint k = 0; k < self->path_programs[i]->len; k++)
    json_builder_add_string_value (builder, g_ptr_array_index (self->path_programs[i], k));
  json_builder_end_array (builder);
  add_integer (builder, "wall_ns", sums->wall_ns);
  add_integer (builder, "running_ns", sums->running_ns);
  add_integer (builder, "waiting_ns", sums->wall_ns + sums->overlap_ns - sums->running_ns);
  add_integer (builder, "from_ns", path->from);
  add_integer (builder, "to_ns", path->to);
  add_id (builder, "thread", path->thread);
  json_builder_end_object (builder);
}

static void
add_objects (JsonBuilder *builder, TbPathsSummary *self, const char *name, GArray *objects)
{
  TbSession *session = tb_trace_get_session (self->paths->trace);

  json_builder_set_member_name (builder, name);
  json_builder_begin_array (builder);
  for (guint i = 0; i < objects->len && i < MAX_OBJECTS; i++)
    json_builder_add_string_value (
        builder, tb_session_get_string (session, g_array_index (objects, TbPathsObject, i).string));
  json_builder_end_array (builder);
}

static void
add_contributor (JsonBuilder *builder, TbPathsSummary *self, const TbPathsContributor *of)
{
  TbPathsEvents *events = self->paths->events;
  guint32 process = of->program < tb_programs_get_n (events->programs)
                        ? tb_programs_get (events->programs, of->program)->process
                        : TB_ID_NONE;
  g_auto (GStrv) chain = tb_paths_summary_get_called_through (self, of);
  g_auto (GStrv) stack = tb_paths_summary_get_top_stack (self, of);

  json_builder_begin_object (builder);
  add_string (builder, "process", tb_paths_events_get_program_name (events, of->program));
  json_builder_set_member_name (builder, "id");
  if (process != TB_ID_NONE)
    {
      g_autofree char *id = g_strdup_printf ("%u", process);

      json_builder_add_string_value (builder, id);
    }
  else
    json_builder_add_null_value (builder);
  add_integer (builder, "running_ns", of->running_ns);
  add_integer (builder, "io_ns", of->io_ns);
  add_integer (builder, "network_ns", of->network_ns);
  add_integer (builder, "waiting_ns", of->waiting_ns);
  add_integer (builder, "interrupted_ns", of->interrupted_ns);
  add_integer (builder, "disk_running_ns", of->disk_running_ns);
  add_integer (builder, "disk_runnable_ns", of->disk_runnable_ns);
  add_integer (builder, "disk_overlap_ns", of->disk_overlap_ns);
  add_integer (builder, "parallel_ns", of->parallel_ns);
  add_share (builder, "share",
             self->wall_ns > 0 ? (double) of->own_ns / (double) self->wall_ns : NAN);
  add_categories (builder, "categories", of->categories);
  add_objects (builder, self, "files", of->files);
  add_objects (builder, self, "peers", of->peers);
  add_strings (builder, "called_through", chain);
  add_strings (builder, "top_stack", stack);
  json_builder_end_object (builder);
}

static void
add_oversleep (JsonBuilder *builder, TbPathsSummary *self, const TbPathsOversleep *of)
{
  TbPaths *paths = self->paths;
  guint n_threads;
  const TbThread *threads
      = tb_session_get_threads (tb_trace_get_session (paths->trace), &n_threads);
  g_autofree char *function = tb_paths_describe_oversleep (paths, of, FALSE);

  json_builder_begin_object (builder);
  add_string (builder, "process",
              tb_paths_events_get_program_name (paths->events,
                                                tb_programs_find (paths->events->programs,
                                                                  of->thread, of->from)));
  add_string (builder, "thread", threads[of->thread].name);
  json_builder_set_member_name (builder, "function");
  if (function != NULL && function[0] != '\0')
    json_builder_add_string_value (builder, function);
  else
    json_builder_add_null_value (builder);
  add_integer (builder, "count", of->count);
  add_integer (builder, "total_ns", of->total_ns);
  add_string (builder, "awaited", threads[of->awaited].name);
  json_builder_end_object (builder);
}

static void
add_lists (JsonBuilder *builder, TbPathsSummary *self)
{
  json_builder_set_member_name (builder, "paths");
  json_builder_begin_array (builder);
  for (guint i = 0; i < self->paths->paths->len && i < MAX_PATHS; i++)
    add_path (builder, self, i);
  json_builder_end_array (builder);
  json_builder_set_member_name (builder, "contributors");
  json_builder_begin_array (builder);
  for (guint i = 0; i < self->contributors->len; i++)
    add_contributor (builder, self, g_ptr_array_index (self->contributors, i));
  json_builder_end_array (builder);
  json_builder_set_member_name (builder, "oversleeps");
  json_builder_begin_array (builder);
  for (guint i = 0; i < self->oversleeps->len && i < MAX_OVERSLEEPS; i++)
    add_oversleep (builder, self, &g_array_index (self->oversleeps, TbPathsOversleep, i));
  json_builder_end_array (builder);
  json_builder_set_member_name (builder, "dropped_links");
  json_builder_begin_array (builder);
  for (guint i = 0; i < TB_PATHS_N_DROPS; i++)
    if (self->paths->walk->dropped[i] > 0)
      {
        json_builder_begin_object (builder);
        add_string (builder, "reason", tb_paths_drop_get_reason (i));
        add_integer (builder, "count", self->paths->walk->dropped[i]);
        json_builder_end_object (builder);
      }
  json_builder_end_array (builder);
}

JsonNode *
tb_paths_summary_to_json (TbPathsSummary *self)
{
  g_autoptr (JsonBuilder) builder = json_builder_new ();
  TbPathsEvents *events = self->paths->events;
  guint32 program = tb_programs_find (events->programs, self->paths->thread, self->paths->to - 1);

  json_builder_begin_object (builder);
  add_string (builder, "process", tb_paths_events_get_program_name (events, program));
  add_id (builder, "process_id", self->paths->process);
  add_integer (builder, "wall_ns", self->wall_ns);
  add_integer (builder, "total_ns", self->total_ns);
  add_share (builder, "accounted_share", self->accounted);
  add_share (builder, "explained_share", self->explained);
  add_categories (builder, "categories", self->categories);
  add_lists (builder, self);
  add_integer (builder, "kept_links", self->paths->walk->kept);
  add_integer (builder, "overlap_ns", self->overlap_ns);
  add_integer (builder, "layers", self->paths->walk->n_layers);
  add_integer (builder, "samples_dropped", events->samples_dropped);
  json_builder_end_object (builder);
  return json_builder_get_root (builder);
}
