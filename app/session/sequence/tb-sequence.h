/* tb-sequence.h: events of all tables of a session in one order, for the construction of a trace
 * and for export: beginnings and ends as separate events, merged by time; those of the same time
 * returned together, in their recorded order or else in a computed one
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#pragma once

#include "session/file/tb-session.h"

G_BEGIN_DECLS

/**
 * TB_SEQUENCE_EXISTING:
 *
 * Kind of a sequence event: a process listed as existing. It counts from the start of the recording
 * on, whenever it was listed, and is not part of %TB_ORDER_PROCESS in a sequence. A literal: the
 * introspection does not evaluate names of macros.
 */
#define TB_SEQUENCE_EXISTING 17

/**
 * TB_SEQUENCE_N_KINDS:
 *
 * Number of kinds in a sequence.
 */
#define TB_SEQUENCE_N_KINDS 18

/**
 * TbSequenceEvent:
 * @time: time in ns
 * @row: row in the table of @kind
 * @kind: a #TbOrderKind, or %TB_SEQUENCE_EXISTING
 * @lacks_interrupt: whether this is a wake-up from an interrupt that was not recorded
 *
 * An event of a sequence.
 */
typedef struct
{
  gint64 time;
  guint32 row;
  guint8 kind;
  guint8 lacks_interrupt;
} TbSequenceEvent;

/**
 * TbSequence:
 *
 * The rows of all tables as one sequence of events. Simultaneous events are in their recorded
 * order, or else in a consistent computed order: see tb_sequence_next().
 */
typedef struct _TbSequence TbSequence;

TB_EXPORT TbSequence *tb_sequence_new (TbSession *session, gboolean all, GError **error);
TB_EXPORT void tb_sequence_free (TbSequence *self);
TB_EXPORT gsize tb_sequence_get_length (const TbSequence *self);
TB_EXPORT const TbSequenceEvent *tb_sequence_next (TbSequence *self, guint *n_events);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (TbSequence, tb_sequence_free)

G_END_DECLS
