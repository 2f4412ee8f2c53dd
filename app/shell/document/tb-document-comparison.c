/* tb-document-comparison.c: two recordings that are open together, to be compared
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#include "config.h"

#include <glib/gi18n.h>

#include "shell/document/tb-document-private.h"

typedef enum
{
  BASE,
  OTHER,
  N_SIDES,
} Side;

/* Both are read at the same time; alive until both are done. */
typedef struct
{
  TbDocument *document;
  GCancellable *cancellable;
  TbLoaded *loaded[N_SIDES];
  TbTimelineFigure *sketches[N_SIDES];
  TbProgress *progress[N_SIDES];
  GError *error;
  guint n_pending;
} Pair;

/**
 * tb_document_new_comparison:
 * @base: a recording
 * @other: another, which is compared with it
 *
 * Returns: (transfer full): a document of both, not read yet; what has one recording only in it is that of @other
 */
TbDocument *
tb_document_new_comparison (GFile *base, GFile *other)
{
  TbDocument *self = tb_document_new (other);

  self->base_file = g_object_ref (base);
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
 * Returns: (transfer none) (nullable): what is compared with, %NULL of a single recording
 */
GFile *
tb_document_get_base_file (TbDocument *self)
{
  g_return_val_if_fail (TB_IS_DOCUMENT (self), NULL);
  return self->base_file;
}

/**
 * tb_document_get_overview:
 * @base: of which one
 *
 * Returns: (transfer none) (nullable): how much went on when in one of two that are compared
 */
TbTimelineFigure *
tb_document_get_overview (TbDocument *self, gboolean base)
{
  g_return_val_if_fail (TB_IS_DOCUMENT (self), NULL);
  return self->overviews[base ? BASE : OTHER];
}

static void
pair_free (Pair *pair)
{
  for (Side side = BASE; side < N_SIDES; side++)
    {
      g_clear_pointer (&pair->loaded[side], tb_loaded_free);
      g_clear_object (&pair->sketches[side]);
      g_signal_handlers_disconnect_by_data (pair->progress[side], pair);
      g_object_unref (pair->progress[side]);
    }
  g_clear_error (&pair->error);
  g_object_unref (pair->cancellable);
  g_object_unref (pair->document);
  g_free (pair);
}

static void
both_done (Pair *pair)
{
  TbDocument *self = pair->document;

  /* It may have been closed meanwhile, and opened again. */
  if (self->cancellable != pair->cancellable || self->state != TB_DOCUMENT_LOADING)
    return;
  if (pair->error != NULL)
    {
      tb_document_take_loaded (self, NULL, g_steal_pointer (&pair->error));
      return;
    }
  self->base = g_steal_pointer (&pair->loaded[BASE]);
  for (Side side = BASE; side < N_SIDES; side++)
    self->overviews[side] = g_steal_pointer (&pair->sketches[side]);
  tb_document_take_loaded (self, pair->loaded[OTHER], NULL);
}

static void
one_done (Pair *pair, Side side, GAsyncResult *result)
{
  g_autoptr (GError) error = NULL;

  pair->loaded[side] = tb_load_finish (result, &error);
  if (error != NULL && pair->error == NULL)
    {
      pair->error = g_steal_pointer (&error);
      g_cancellable_cancel (pair->cancellable); /* one alone is of no use */
    }
  if (--pair->n_pending > 0)
    return;
  both_done (pair);
  pair_free (pair);
}

static void
base_done (GObject *source, GAsyncResult *result, gpointer data)
{
  one_done (data, BASE, result);
}

static void
other_done (GObject *source, GAsyncResult *result, gpointer data)
{
  one_done (data, OTHER, result);
}

static void
base_sketched (TbSession *session, TbTimelineFigure *sketch, gpointer data)
{
  g_set_object (&((Pair *) data)->sketches[BASE], sketch);
}

static void
other_sketched (TbSession *session, TbTimelineFigure *sketch, gpointer data)
{
  g_set_object (&((Pair *) data)->sketches[OTHER], sketch);
}

static void
one_progressed (Pair *pair, GParamSpec *pspec, TbProgress *progress)
{
  double share = 0;

  for (Side side = BASE; side < N_SIDES; side++)
    share += tb_progress_get_share (pair->progress[side]) / N_SIDES;
  tb_progress_report (share, tb_progress_get_text (progress), pair->document->progress);
}

void
tb_document_load_both (TbDocument *self)
{
  Pair *pair = g_new0 (Pair, 1);

  pair->document = g_object_ref (self);
  pair->cancellable = g_object_ref (self->cancellable);
  pair->n_pending = N_SIDES;
  for (Side side = BASE; side < N_SIDES; side++)
    {
      pair->progress[side] = tb_progress_new ();
      g_signal_connect_swapped (pair->progress[side], "notify", G_CALLBACK (one_progressed), pair);
    }
  tb_load_async (self->base_file, pair->progress[BASE], base_sketched, self->cancellable, base_done, pair);
  tb_load_async (self->file, pair->progress[OTHER], other_sketched, self->cancellable, other_done, pair);
}

/* "8 threads of 5 processes · 265 ms, compared with 9 threads …" */
char *
tb_document_describe_comparison (TbDocument *self)
{
  g_autofree char *other = tb_facts_describe_extent (self->session, -1);
  g_autofree char *base = NULL;

  if (self->base == NULL)
    return g_steal_pointer (&other);
  base = tb_facts_describe_extent (self->base->session, -1);
  /* Translators: what the other recording holds, and what the base does */
  return g_strdup_printf (_ ("%s, compared with %s"), other, base);
}

static void
add_warnings (GPtrArray *all, gboolean base, TbTrace *trace)
{
  g_auto (GStrv) warnings = tb_facts_list_warnings (trace);

  for (guint i = 0; warnings[i] != NULL; i++)
    g_ptr_array_add (all, base ? g_strdup_printf (_ ("Base: %s"), warnings[i])
                               : g_strdup_printf (_ ("Other: %s"), warnings[i]));
}

/* Of both, each said of which. */
char **
tb_document_list_both_warnings (TbDocument *self)
{
  g_autoptr (GPtrArray) all = g_ptr_array_new ();

  add_warnings (all, TRUE, self->base->trace);
  add_warnings (all, FALSE, self->trace);
  g_ptr_array_add (all, NULL);
  return (char **) g_ptr_array_free (g_steal_pointer (&all), FALSE);
}
