/* tb-option-candidates.c: candidate values of an option, found in a recording by a function of its
 * plug-in: declaration and call of that function
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#include "config.h"

#include <glib/gi18n-lib.h>

#include "extend/options/tb-option-candidates.h"

static G_DEFINE_QUARK (tb-option-candidates, candidates);

/**
 * tb_option_candidate_free:
 * @self: a candidate
 *
 * Frees a candidate.
 */
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
 * @func: (scope forever): finds the candidate values in a recording; called in any thread
 *
 * Declares a function that lists candidate values of the option.
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
 * Gets whether values of an option can be chosen from a recording.
 *
 * Returns: whether candidate values can be listed from a recording
 */
gboolean
tb_option_has_candidates (GParamSpec *option)
{
  g_return_val_if_fail (G_IS_PARAM_SPEC (option), FALSE);

  return g_param_spec_get_qdata (option, candidates_quark ()) != NULL;
}

/**
 * tb_option_list_candidates: (skip)
 * @plugin: the plug-in object that has the option, with its other options set
 * @name: name of the option
 * @trace: a recording
 * @selection: the selected part of it
 * @cancellable: (nullable): cancels the work
 * @error: return location
 *
 * Lists the values of an option that a recording suggests. May take long.
 *
 * Returns: (transfer full) (element-type TbOptionCandidate): the candidates, the best first; %NULL
 *   with @error
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
  func = option != NULL
             ? (TbOptionCandidatesFunc) g_param_spec_get_qdata (option, candidates_quark ())
             : NULL;
  if (func == NULL)
    {
      g_set_error (error, TB_EXTEND_ERROR, TB_EXTEND_ERROR_USAGE,
                   _ ("option “%s” has no values from a recording"), name);
      return NULL;
    }
  return func (plugin, trace, selection, cancellable, error);
}
