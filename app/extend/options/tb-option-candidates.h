/* tb-option-candidates.h: candidate values of an option, found in a recording by a function of its
 * plug-in: declaration and call of that function
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#pragma once

#include "extend/options/tb-option.h"
#include "extend/selection/tb-selection.h"

G_BEGIN_DECLS

/**
 * TbOptionCandidate: (skip)
 * @text: the value, as the user would type it
 * @label: the value for display
 * @group: kind of the value, for display; candidates of one kind follow each other
 * @count: number of occurrences in the selected part of the recording
 * @per_second: occurrences a second
 *
 * A candidate value of an option.
 */
typedef struct
{
  char *text;
  char *label;
  char *group;
  guint64 count;
  double per_second;
} TbOptionCandidate;

/**
 * TbOptionCandidatesFunc:
 * @plugin: the plug-in object that has the option, with its other options set
 * @trace: a recording
 * @selection: the selected part of it
 * @cancellable: (nullable): a cancellable
 * @error: return location for an error
 *
 * Lists the values of an option that a recording suggests. May take long; called in a worker
 * thread.
 *
 * Returns: (transfer full) (element-type TbOptionCandidate): the candidates, the best first
 */
typedef GPtrArray *(*TbOptionCandidatesFunc) (GObject *plugin,
                                              TbTrace *trace,
                                              TbSelection *selection,
                                              GCancellable *cancellable,
                                              GError **error);

TB_EXPORT void tb_option_candidate_free (TbOptionCandidate *self);
G_DEFINE_AUTOPTR_CLEANUP_FUNC (TbOptionCandidate, tb_option_candidate_free)

TB_EXPORT void tb_option_set_candidates (GParamSpec *option, TbOptionCandidatesFunc func);
TB_EXPORT gboolean tb_option_has_candidates (GParamSpec *option);
TB_EXPORT GPtrArray *tb_option_list_candidates (GObject *plugin,
                                                const char *name,
                                                TbTrace *trace,
                                                TbSelection *selection,
                                                GCancellable *cancellable,
                                                GError **error);

G_END_DECLS
