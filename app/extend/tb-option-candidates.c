/* tb-option-candidates.c: values of an option that a recording has, to choose from
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#include "config.h"

#include <glib/gi18n-lib.h>

#include "extend/tb-option-candidates.h"

static G_DEFINE_QUARK (tb-option-candidates, candidates);

void
tb_option_candidate_free (TbOptionCandidate *self)
{
  g_free (self->text);
  g_free (self->label);
  g_free (self->group);
  g_free (self);
}

/**
 * tb_option_set_candidates: (skip)
 * @option: a property
 * @func: (scope forever): what finds its values in a recording; is called in any thread
 *
 * Declares that a recording has values that can be chosen.
 */
void
tb_option_set_candidates (GParamSpec *option, TbOptionCandidatesFunc func)
{
  g_return_if_fail (G_IS_PARAM_SPEC (option) && func != NULL);

  g_param_spec_set_qdata (option, candidates_quark (), (gpointer) func);
}

/**
 * tb_option_has_candidates:
 * @option: a property
 *
 * Returns: whether a recording has values for it to choose from
 */
gboolean
tb_option_has_candidates (GParamSpec *option)
{
  g_return_val_if_fail (G_IS_PARAM_SPEC (option), FALSE);

  return g_param_spec_get_qdata (option, candidates_quark ()) != NULL;
}

/**
 * tb_option_list_candidates: (skip)
 * @plugin: whose option it is, with the other options as they are to be
 * @name: of the option
 * @trace: a recording
 * @selection: the part of it that is asked about
 * @cancellable: (nullable): to give up
 * @error: return location
 *
 * Returns: (transfer full) (element-type TbOptionCandidate): what could be chosen, the best first; %NULL with @error
 */
GPtrArray *
tb_option_list_candidates (GObject *plugin,
                           const char *name,
                           TbTrace *trace,
                           TbSelection *selection,
                           GCancellable *cancellable,
                           GError **error)
{
  GParamSpec *option;
  TbOptionCandidatesFunc func;

  g_return_val_if_fail (G_IS_OBJECT (plugin) && name != NULL, NULL);
  g_return_val_if_fail (TB_IS_TRACE (trace) && TB_IS_SELECTION (selection), NULL);

  option = g_object_class_find_property (G_OBJECT_GET_CLASS (plugin), name);
  func
      = option != NULL ? (TbOptionCandidatesFunc) g_param_spec_get_qdata (option, candidates_quark ()) : NULL;
  if (func == NULL)
    {
      g_set_error (error, TB_EXTEND_ERROR, TB_EXTEND_ERROR_USAGE,
                   _ ("values of \"%s\" are not found in a recording"), name);
      return NULL;
    }
  return func (plugin, trace, selection, cancellable, error);
}
