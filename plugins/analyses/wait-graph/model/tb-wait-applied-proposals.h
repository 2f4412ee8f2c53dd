/* tb-wait-applied-proposals.h: copy of a trace with the marks of proposed annotations (spin, false
 * wake-up) that an option requests; list of these proposals and of texts that match none; the
 * texts that name them
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#pragma once

#include "findings/tb-wait-proposals.h"

G_BEGIN_DECLS

/* A proposal that was applied, as it was in the graph without it. */
typedef struct
{
  TbWaitProposalKind kind;
  char *text;   /* its text: see tb_wait_proposal_get_text() */
  char *option; /* the element of the option that requested it */
  char *vertex; /* id of its vertex */
  char *name;
  char *function; /* NULL: unknown */
  guint64 count;
  gint64 ns;
} TbWaitAppliedProposal;

typedef struct
{
  GArray *taken;       /* TbWaitAppliedProposal, in descending order of effect */
  GPtrArray *unknown;  /* elements of the option that match no proposal */
  guint64 n_unmatched; /* marks that match nothing in the recording */
} TbWaitApplied;

void tb_wait_applied_free (TbWaitApplied *self);
G_DEFINE_AUTOPTR_CLEANUP_FUNC (TbWaitApplied, tb_wait_applied_free)

/* "false-wakeup:12:block": kind, id of the vertex, function. */
char *tb_wait_proposal_get_text (const TbWaitGraph *graph, const TbWaitProposal *proposal);
const char *tb_wait_proposal_kind_get_name (TbWaitProposalKind kind);

/* A trace with the marks of the requested proposals. A proposal is requested by its text, by a
 * leading part of its text, with the name of its vertex in place of the id, or by "all". */
TbTrace *tb_wait_apply (const TbWaitGraph *graph,
                        const char *const *texts,
                        TbWaitApplied **applied,
                        GCancellable *cancellable,
                        GError **error);

G_END_DECLS
