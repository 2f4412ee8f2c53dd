/* tb-sequence.h: the rows of all tables as one sequence of events
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#pragma once

#include "session/tb-session.h"

G_BEGIN_DECLS

/* Who is listed as existing: from the start of the recording on, whenever the listing came. Apart from %TB_ORDER_PROCESS. */
#define TB_SEQUENCE_EXISTING TB_N_ORDERS
#define TB_SEQUENCE_N_KINDS (TB_N_ORDERS + 1)

/**
 * TbSequenceEvent:
 * @time: when, ns
 * @row: the row of the table that @kind is of
 * @kind: a #TbOrderKind, or %TB_SEQUENCE_EXISTING
 * @wrap: a waking from an interrupt that is not in the recording
 *
 * An event in its place among all others.
 */
typedef struct
{
  gint64 time;
  guint32 row;
  guint8 kind;
  guint8 wrap;
} TbSequenceEvent;

/**
 * TbSequence:
 *
 * The rows of all tables as one sequence of events, those of one time as the recording tells, else in an order in which
 * they make sense: tb_sequence_next().
 */
typedef struct _TbSequence TbSequence;

TB_EXPORT TbSequence *tb_sequence_new (TbSession *session, gboolean all, GError **error);
TB_EXPORT void tb_sequence_free (TbSequence *self);
TB_EXPORT gsize tb_sequence_get_length (const TbSequence *self);
TB_EXPORT const TbSequenceEvent *tb_sequence_next (TbSequence *self, guint *n_events);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (TbSequence, tb_sequence_free)

G_END_DECLS
