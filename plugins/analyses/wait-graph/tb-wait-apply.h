/* tb-wait-apply.h: proposed annotations, taken as if the program had them
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#pragma once

#include "tb-wait-proposals.h"

G_BEGIN_DECLS

/* What a proposal was that was taken; of the graph without it. */
typedef struct
{
  TbWaitProposalKind kind;
  char *text;   /* what calls it: see tb_wait_proposal_get_text() */
  char *option; /* the element of the option that asked for it */
  char *vertex; /* its id */
  char *name;
  char *function; /* NULL unknown */
  guint64 count;
  gint64 ns;
} TbWaitTaken;

typedef struct
{
  GArray *taken;       /* TbWaitTaken, those of the greatest effect first */
  GPtrArray *unknown;  /* elements of the option for which nothing is proposed */
  guint64 without_use; /* marks for which the recording has no place */
} TbWaitApplied;

void tb_wait_applied_free (TbWaitApplied *self);
G_DEFINE_AUTOPTR_CLEANUP_FUNC (TbWaitApplied, tb_wait_applied_free)

/* "false-wakeup:12:block": its kind, the id of its vertex, its function. */
char *tb_wait_proposal_get_text (const TbWaitGraph *graph, const TbWaitProposal *proposal);
const char *tb_wait_proposal_kind_get_name (TbWaitProposalKind kind);

/* The trace as if it had the marks that are proposed and named: by such a text, a part of its beginning, with the vertex's name
 * instead of its id, or "all". */
TbTrace *tb_wait_apply (const TbWaitGraph *graph,
                        const char *const *texts,
                        TbWaitApplied **applied,
                        GCancellable *cancellable,
                        GError **error);

G_END_DECLS
