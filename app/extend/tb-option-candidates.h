/* tb-option-candidates.h: values of an option that a recording has, to choose from
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#pragma once

#include "extend/tb-option.h"
#include "extend/tb-selection.h"

G_BEGIN_DECLS

/**
 * TbOptionCandidate: (skip)
 * @text: the value, as it could be typed
 * @label: for people
 * @group: of what kind it is, for people; those of one follow each other
 * @count: how often that is in what is asked about
 * @per_second: the same, a second
 *
 * A value that an option could have.
 */
typedef struct
{
  char *text;
  char *label;
  char *group;
  guint64 count;
  double per_second;
} TbOptionCandidate;

/* (element-type TbOptionCandidate): the best first; may take long. plugin: its other options may say what counts. */
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
