/* tb-document-comparison.c: what a document needs to compare recordings of two sides: loading of
 * all of them, view and range kept in step, choice of the normalization and list of those in
 * common, TbComparison for the analyses, names and warnings of the sides
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#include "config.h"

#include <glib/gi18n.h>

#include "shell/document/tb-document-private.h"

/* Maximum number of operations of each kind that are offered for normalization. */
#define MAX_OPERATIONS 10

typedef enum
{
  BASE,
  OTHER,
  N_SIDES,
} Side;

typedef struct _LoadGroup LoadGroup;

/* One of the recordings that are loaded. */
typedef struct
{
  LoadGroup *group;
  GFile *file;
  TbLoadResult *loaded;
  TbTimelineFigure *preview;
  TbProgress *progress;
} LoadMember;

/* The recordings of a comparison, all loaded in parallel; freed when the last one is done. The
 * first two members are the base and the other recording that are shown. */
struct _LoadGroup
{
  TbDocument *document;
  GCancellable *cancellable;
  GPtrArray *members; /* LoadMember */
  GError *error;
  guint n_pending;
};

/**
 * tb_document_new_comparison:
 * @base: a recording
 * @other: another recording, which is compared with it
 *
 * Returns: (transfer full): a document of both, not loaded yet; functions for a single recording
 *   refer to @other
 */
TbDocument *
tb_document_new_comparison (GFile *base, GFile *other)
{
  TbDocument *self = tb_document_new (other);

  self->base_file = g_object_ref (base);
  return self;
}

/**
 * tb_document_new_comparison_of_several:
 * @bases: (element-type GFile): recordings, at least one
 * @others: (element-type GFile): recordings that are compared with them, at least one
 *
 * Returns: (transfer full): a document of all; the first recording of each side is shown
 */
TbDocument *
tb_document_new_comparison_of_several (GPtrArray *bases, GPtrArray *others)
{
  GPtrArray *const sides[N_SIDES] = { bases, others };
  TbDocument *self;

  g_return_val_if_fail (bases->len > 0 && others->len > 0, NULL);

  self = tb_document_new_comparison (g_ptr_array_index (bases, 0), g_ptr_array_index (others, 0));
  for (Side side = BASE; side < N_SIDES; side++)
    for (guint i = 1; i < sides[side]->len; i++)
      g_ptr_array_add (self->further_files[side],
                       g_object_ref (g_ptr_array_index (sides[side], i)));
  return self;
}

gboolean
tb_document_is_comparison (TbDocument *self)
{
  g_return_val_if_fail (TB_IS_DOCUMENT (self), FALSE);
  return self->base_file != NULL;
}

gboolean
tb_document_is_recording (TbDocument *self)
{
  return !tb_document_is_comparison (self);
}

/**
 * tb_document_get_base_file:
 *
 * Returns: (transfer none) (nullable): the first base recording of a comparison; %NULL for a single
 *   recording
 */
GFile *
tb_document_get_base_file (TbDocument *self)
{
  g_return_val_if_fail (TB_IS_DOCUMENT (self), NULL);
  return self->base_file;
}

/**
 * tb_document_list_side:
 * @base: %TRUE for the base, %FALSE for the other side
 *
 * Returns: (transfer full) (element-type GFile): the recordings of a side of a comparison
 */
GPtrArray *
tb_document_list_side (TbDocument *self, gboolean base)
{
  GPtrArray *files = g_ptr_array_new_with_free_func (g_object_unref);
  GPtrArray *further;

  g_return_val_if_fail (TB_IS_DOCUMENT (self) && self->base_file != NULL, files);

  further = self->further_files[base ? BASE : OTHER];
  g_ptr_array_add (files, g_object_ref (base ? self->base_file : self->file));
  for (guint i = 0; i < further->len; i++)
    g_ptr_array_add (files, g_object_ref (g_ptr_array_index (further, i)));
  return files;
}

/**
 * tb_document_get_overview:
 * @base: %TRUE for the base, %FALSE for the other side
 *
 * Returns: (transfer none) (nullable): the activity over time of the first recording of a side
 */
TbTimelineFigure *
tb_document_get_overview (TbDocument *self, gboolean base)
{
  g_return_val_if_fail (TB_IS_DOCUMENT (self), NULL);
  return self->overviews[base ? BASE : OTHER];
}

/* --- clock of each side --- */

/**
 * tb_document_dup_side_name:
 * @base: side of a comparison; %FALSE for a single recording
 *
 * Returns: (transfer full): display name of the file of the first recording of the side
 */
char *
tb_document_dup_side_name (TbDocument *self, gboolean base)
{
  g_autofree char *name = NULL;

  g_return_val_if_fail (TB_IS_DOCUMENT (self) && (!base || self->base_file != NULL), NULL);

  name = g_file_get_basename (base ? self->base_file : self->file);
  return g_filename_display_name (name);
}

/**
 * tb_document_get_side_focus:
 * @base: side of a loaded comparison; %FALSE for a single recording
 *
 * Returns: (transfer none): the focus in the first recording of the side, by the clock of that
 *   recording; that of the other side is the focus of the document
 */
TbFocus *
tb_document_get_side_focus (TbDocument *self, gboolean base)
{
  g_return_val_if_fail (TB_IS_DOCUMENT (self) && (!base || self->base_focus != NULL), NULL);
  return base ? self->base_focus : self->focus;
}

/* The view and the selected range of one side are applied to the other, at the same distance from
 * its start. */
static void
align (TbDocument *self, TbFocus *changed)
{
  TbFocus *aligned = changed == self->focus ? self->base_focus : self->focus;
  gint64 from, to, start, end, aligned_start, aligned_end;

  if (self->base_focus == NULL || self->is_aligning)
    return;
  self->is_aligning = TRUE;
  tb_focus_get_extent (changed, &start, &end);
  tb_focus_get_extent (aligned, &aligned_start, &aligned_end);
  if (tb_focus_get_range (changed, &from, &to))
    tb_focus_select_range (aligned, aligned_start + (from - start), aligned_start + (to - start));
  else
    tb_focus_clear_range (aligned);
  tb_focus_get_view (changed, &from, &to);
  if (from == start && to == end)
    tb_focus_set_view (aligned, aligned_start, aligned_end);
  else
    tb_focus_set_view (aligned, aligned_start + (from - start), aligned_start + (to - start));
  self->is_aligning = FALSE;
}

static void
make_base_focus (TbDocument *self)
{
  static const char *const signals[] = { "selection-changed", "view-changed" };
  gint64 from, to;

  tb_session_get_range (self->base->session, &from, &to);
  self->base_focus = tb_focus_new (from, MAX (to, from + 1));
  g_signal_handlers_disconnect_by_func (self->focus, align, self);
  for (guint i = 0; i < 2 * G_N_ELEMENTS (signals); i++)
    g_signal_connect_object (i % 2 ? self->base_focus : self->focus, signals[i / 2],
                             G_CALLBACK (align), self, G_CONNECT_SWAPPED);
}

/* --- normalization --- */

/**
 * tb_document_get_normalization:
 *
 * Returns: how the recordings are normalized, see tb_normalization_check()
 */
const char *
tb_document_get_normalization (TbDocument *self)
{
  g_return_val_if_fail (TB_IS_DOCUMENT (self), "");
  return self->normalization != NULL ? self->normalization : "";
}

/**
 * tb_document_set_normalization:
 * @by: how the recordings are normalized
 *
 * Repeats all comparisons that have run.
 */
void
tb_document_set_normalization (TbDocument *self, const char *by)
{
  g_return_if_fail (TB_IS_DOCUMENT (self));

  if (g_set_str (&self->normalization, by) && self->trace != NULL)
    tb_document_run_again (self);
}

/* Returns the normalizations that both recordings support. */
static char **
list_common (TbTrace *base, TbTrace *other)
{
  g_autoptr (GStrvBuilder) builder = g_strv_builder_new ();
  g_auto (GStrv) base_names = tb_normalization_list (base, MAX_OPERATIONS, NULL);
  g_auto (GStrv) other_names = tb_normalization_list (other, MAX_OPERATIONS, NULL);

  for (guint i = 0; base_names != NULL && other_names != NULL && base_names[i] != NULL; i++)
    if (g_strv_contains ((const char *const *) other_names, base_names[i]))
      g_strv_builder_add (builder, base_names[i]);
  return g_strv_builder_end (builder);
}

typedef struct
{
  TbTrace *base;
  TbTrace *other;
} Listing;

static void
listing_free (gpointer data)
{
  Listing *listing = data;

  g_object_unref (listing->base);
  g_object_unref (listing->other);
  g_free (listing);
}

static void
list_thread (GTask *task, gpointer source, gpointer data, GCancellable *cancellable)
{
  const Listing *listing = data;

  g_task_return_pointer (task, list_common (listing->base, listing->other),
                         (GDestroyNotify) g_strfreev);
}

/**
 * tb_document_list_normalizations_async:
 * @callback: (scope async): called when they are known
 * @data: for @callback
 *
 * Finds the operations by which the recordings of a comparison can be normalized. This is done in a
 * thread, because columns may have to be read.
 */
void
tb_document_list_normalizations_async (TbDocument *self,
                                       GAsyncReadyCallback callback,
                                       gpointer data)
{
  g_autoptr (GTask) task = g_task_new (self, self->cancellable, callback, data);
  Listing *listing = g_new0 (Listing, 1);

  g_return_if_fail (self->base != NULL && self->trace != NULL);

  listing->base = g_object_ref (self->base->trace);
  listing->other = g_object_ref (self->trace);
  g_task_set_source_tag (task, tb_document_list_normalizations_async);
  g_task_set_task_data (task, listing, listing_free);
  g_task_run_in_thread (task, list_thread);
}

/* (transfer full) (nullable): normalizations in the syntax of tb_normalization_check() */
char **
tb_document_list_normalizations_finish (GAsyncResult *result)
{
  return g_task_propagate_pointer (G_TASK (result), NULL);
}

/* (transfer full) (nullable): the traces to compare; NULL for a single recording */
TbComparison *
tb_document_make_comparison (TbDocument *self)
{
  TbComparison *comparison;
  TbTrace *first[N_SIDES];

  if (self->base == NULL)
    return NULL;
  comparison = tb_comparison_new ();
  first[BASE] = self->base->trace;
  first[OTHER] = self->trace;
  for (Side side = BASE; side < N_SIDES; side++)
    {
      g_autoptr (GPtrArray) files = tb_document_list_side (self, side == BASE);

      for (guint i = 0; i < files->len; i++)
        {
          g_autofree char *base = g_file_get_basename (g_ptr_array_index (files, i));
          g_autofree char *name = g_filename_display_name (base);

          tb_comparison_add (
              comparison, side == BASE ? TB_COMPARISON_BASE : TB_COMPARISON_OTHER,
              i == 0 ? first[side]
                     : ((TbLoadResult *) g_ptr_array_index (self->further[side], i - 1))->trace,
              name);
        }
    }
  tb_comparison_set_selection (comparison, self->selection);
  tb_comparison_set_normalization (comparison, self->normalization);
  return comparison;
}

/* --- loading --- */

static void
member_free (gpointer data)
{
  LoadMember *member = data;

  g_clear_pointer (&member->loaded, tb_load_result_free);
  g_clear_object (&member->preview);
  g_signal_handlers_disconnect_by_data (member->progress, member);
  g_object_unref (member->progress);
  g_object_unref (member->file);
  g_free (member);
}

static void
group_free (LoadGroup *group)
{
  g_ptr_array_unref (group->members);
  g_clear_error (&group->error);
  g_object_unref (group->cancellable);
  g_object_unref (group->document);
  g_free (group);
}

static LoadMember *
get_member (const LoadGroup *group, guint i)
{
  return g_ptr_array_index (group->members, i);
}

static void
group_loaded (LoadGroup *group)
{
  TbDocument *self = group->document;

  /* The document may have been closed and opened again in between. */
  if (self->cancellable != group->cancellable || self->state != TB_DOCUMENT_LOADING)
    return;
  if (group->error != NULL)
    {
      tb_document_take_load_result (self, NULL, g_steal_pointer (&group->error));
      return;
    }
  self->base = g_steal_pointer (&get_member (group, BASE)->loaded);
  make_base_focus (self);
  for (Side side = BASE; side < N_SIDES; side++)
    self->overviews[side] = g_steal_pointer (&get_member (group, side)->preview);
  for (guint i = N_SIDES; i < group->members->len; i++)
    g_ptr_array_add (self->further[i - N_SIDES < self->further_files[BASE]->len ? BASE : OTHER],
                     g_steal_pointer (&get_member (group, i)->loaded));
  tb_document_take_load_result (self, get_member (group, OTHER)->loaded, NULL);
}

static void member_loaded (GObject *source, GAsyncResult *result, gpointer data);

static void
member_previewed (TbSession *session, TbTimelineFigure *preview, gpointer data)
{
  g_set_object (&((LoadMember *) data)->preview, preview);
}

static void
load_member (LoadMember *member, TbImporter *importer)
{
  tb_load_recording_async (member->file, importer, member->progress, member_previewed,
                           member->group->cancellable, member_loaded, member);
}

/* All sides are imported with the options of the last import. */
static void
import_member (LoadMember *member)
{
  g_autoptr (TbLoadResult) found = g_steal_pointer (&member->loaded);

  tb_document_restore_options (found->importer);
  load_member (member, found->importer);
}

static void
member_loaded (GObject *source, GAsyncResult *result, gpointer data)
{
  LoadMember *member = data;
  LoadGroup *group = member->group;
  g_autoptr (GError) error = NULL;

  member->loaded = tb_load_recording_finish (result, &error);
  if (member->loaded != NULL && member->loaded->importer != NULL)
    {
      import_member (member);
      return;
    }
  if (error != NULL && group->error == NULL)
    {
      group->error = g_steal_pointer (&error);
      g_cancellable_cancel (group->cancellable); /* a comparison needs all recordings */
    }
  if (--group->n_pending > 0)
    return;
  group_loaded (group);
  group_free (group);
}

static void
member_progressed (LoadMember *member, GParamSpec *pspec, TbProgress *progress)
{
  const LoadGroup *group = member->group;
  double share = 0;

  for (guint i = 0; i < group->members->len; i++)
    share += tb_progress_get_share (get_member (group, i)->progress) / group->members->len;
  tb_progress_report (share, tb_progress_get_text (progress), group->document->progress);
}

static void
add_member (LoadGroup *group, GFile *file)
{
  LoadMember *member = g_new0 (LoadMember, 1);

  member->group = group;
  member->file = g_object_ref (file);
  member->progress = tb_progress_new ();
  g_signal_connect_swapped (member->progress, "notify", G_CALLBACK (member_progressed), member);
  g_ptr_array_add (group->members, member);
}

void
tb_document_load_comparison (TbDocument *self)
{
  LoadGroup *group = g_new0 (LoadGroup, 1);

  group->document = g_object_ref (self);
  group->cancellable = g_object_ref (self->cancellable);
  group->members = g_ptr_array_new_with_free_func (member_free);
  add_member (group, self->base_file);
  add_member (group, self->file);
  for (Side side = BASE; side < N_SIDES; side++)
    for (guint i = 0; i < self->further_files[side]->len; i++)
      add_member (group, g_ptr_array_index (self->further_files[side], i));
  group->n_pending = group->members->len;
  for (guint i = 0; i < group->members->len; i++)
    load_member (get_member (group, i), NULL);
}

/* --- descriptions --- */

/* (transfer full): for example "/home/me/base.tailback", "… and 2 more" */
char *
tb_document_describe_side (TbDocument *self, gboolean base)
{
  g_autoptr (GPtrArray) files = tb_document_list_side (self, base);
  g_autofree char *place = g_file_get_parse_name (g_ptr_array_index (files, 0));

  if (files->len == 1)
    return g_steal_pointer (&place);
  return g_strdup_printf (
      /* Translators: a file, and the number of further files */
      ngettext ("%s and %u more", "%s and %u more", files->len - 1), place, files->len - 1);
}

/* For example "8 threads · 5 processes · 265 ms – base: 9 threads …". */
char *
tb_document_describe_comparison (TbDocument *self)
{
  g_autofree char *other = tb_recording_facts_describe_extent (self->session, -1);
  g_autofree char *base = NULL;

  if (self->base == NULL)
    return g_steal_pointer (&other);
  base = tb_recording_facts_describe_extent (self->base->session, -1);
  /* Translators: the contents of the other recording, and those of the base */
  return g_strdup_printf (_ ("%s – base: %s"), other, base);
}

static void
add_warnings (GPtrArray *all, gboolean base, TbTrace *trace)
{
  g_auto (GStrv) warnings = tb_recording_facts_list_warnings (trace);

  for (guint i = 0; warnings[i] != NULL; i++)
    g_ptr_array_add (all, base ? g_strdup_printf (_ ("Base: %s"), warnings[i])
                               : g_strdup_printf (_ ("Other: %s"), warnings[i]));
}

/* Returns the warnings of all recordings, each with its side. */
char **
tb_document_list_comparison_warnings (TbDocument *self)
{
  g_autoptr (GPtrArray) all = g_ptr_array_new ();

  add_warnings (all, TRUE, self->base->trace);
  add_warnings (all, FALSE, self->trace);
  for (Side side = BASE; side < N_SIDES; side++)
    for (guint i = 0; i < self->further[side]->len; i++)
      add_warnings (all, side == BASE,
                    ((TbLoadResult *) g_ptr_array_index (self->further[side], i))->trace);
  g_ptr_array_add (all, NULL);
  return (char **) g_ptr_array_free (g_steal_pointer (&all), FALSE);
}
