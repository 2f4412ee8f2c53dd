/* tb-document-arrangement.c: storing and look-up of how the user arranged each figure, such as its
 * columns or pinned lines (the state of its view), in a fact of the session
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#include "config.h"

#include "shell/document/tb-document.h"

/* Key of a session fact: from analysis, figure and kind of view to the value of
 * tb_figure_view_get_state(). */
#define FACT "shell-arrangement"
#define TYPE "a{sa{sv}}"

static char *
make_key (const char *analysis, TbFigure *figure)
{
  return g_strjoin ("/", analysis, tb_figure_get_id (figure), tb_figure_get_kind (figure), NULL);
}

/* Returns the stored arrangements. Invalid data are ignored, because the file may come from
 * anywhere. */
static GVariant *
read_all (TbDocument *self)
{
  const char *text = tb_session_get_fact (tb_document_get_session (self), FACT);
  GVariant *all
      = text != NULL ? g_variant_parse (G_VARIANT_TYPE (TYPE), text, NULL, NULL, NULL) : NULL;

  return all != NULL ? all : g_variant_ref_sink (g_variant_new (TYPE, NULL));
}

/**
 * tb_document_get_arrangement:
 * @analysis: id of an analysis
 * @figure: a figure of the analysis, as shown
 *
 * Returns: (transfer full) (nullable): the stored arrangement of the figure
 */
GVariant *
tb_document_get_arrangement (TbDocument *self, const char *analysis, TbFigure *figure)
{
  g_autoptr (GVariant) all = NULL;
  g_autofree char *key = NULL;

  g_return_val_if_fail (TB_IS_DOCUMENT (self), NULL);

  if (!tb_document_is_recording (self) || tb_document_get_session (self) == NULL)
    return NULL;
  all = read_all (self);
  key = make_key (analysis, figure);
  return g_variant_lookup_value (all, key, G_VARIANT_TYPE_VARDICT);
}

/**
 * tb_document_set_arrangement:
 * @analysis: id of an analysis
 * @figure: a figure of the analysis, as shown
 * @state: (nullable): the arrangement by the user; %NULL: none
 *
 * Stores the arrangement with the recording. If the file cannot be written, it lasts as long as the
 * session is open.
 */
void
tb_document_set_arrangement (TbDocument *self,
                             const char *analysis,
                             TbFigure *figure,
                             GVariant *state)
{
  g_autoptr (GVariant) all = NULL;
  g_autoptr (GVariant) changed = NULL;
  g_autoptr (GError) error = NULL;
  g_autofree char *key = NULL;
  g_autofree char *text = NULL;
  GVariantBuilder builder;
  GVariantIter iter;
  GVariant *other;
  const char *name;

  g_return_if_fail (TB_IS_DOCUMENT (self));

  if (!tb_document_is_recording (self) || tb_document_get_state (self) != TB_DOCUMENT_READY)
    return;
  all = read_all (self);
  key = make_key (analysis, figure);
  g_variant_builder_init (&builder, G_VARIANT_TYPE (TYPE));
  g_variant_iter_init (&iter, all);
  while (g_variant_iter_loop (&iter, "{&s@a{sv}}", &name, &other))
    if (!g_str_equal (name, key))
      g_variant_builder_add (&builder, "{s@a{sv}}", name, other);
  if (state != NULL)
    g_variant_builder_add (&builder, "{s@a{sv}}", key, state);
  changed = g_variant_ref_sink (g_variant_builder_end (&builder));
  if (g_variant_equal (all, changed))
    return;
  text = g_variant_n_children (changed) > 0 ? g_variant_print (changed, TRUE) : NULL;
  if (!tb_session_set_fact (tb_document_get_session (self), FACT, text, &error))
    g_signal_emit_by_name (self, "message", error->message);
}
