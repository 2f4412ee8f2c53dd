/* tb-sequence-private.h: members of TbSequence (columns, sources of events by kind, states of CPUs,
 * events of the current time), shared by the files that implement it
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#pragma once

#include "session/sequence/tb-sequence.h"

G_BEGIN_DECLS

#define TB_SEQUENCE_MAX_DEPTH 16

/* State of a CPU after the events so far: the running thread, and the TbInterruptKind of each open
 * interrupt, innermost last. */
typedef struct
{
  guint32 current;
  guint8 depth;
  guint8 kinds[TB_SEQUENCE_MAX_DEPTH];
} TbSequenceCpu;

typedef struct
{
  const gint64 *times; /* NULL: all events are at the start */
  guint32 *rows;       /* NULL: all rows in order */
  gsize n;
  gsize next;
} TbSequenceSource;

struct _TbSequence
{
  GBytes *columns[TB_N_TABLES][16]; /* only the needed ones are loaded */
  TbSequenceSource sources[TB_SEQUENCE_N_KINDS];
  gint64 heads[TB_SEQUENCE_N_KINDS];  /* time of the next event, G_MAXINT64 none */
  guint8 active[TB_SEQUENCE_N_KINDS]; /* the kinds that have events */
  guint n_active;
  TbSequenceEvent single; /* the only event of its time */
  gint64 from;
  gsize n_events;
  TbSequenceCpu *cpus;
  GArray *recorded; /* TbSequenceEvent: the recorded order of simultaneous events */
  guint next_recorded;
  GArray *group; /* TbSequenceEvent: all events of one time, sorted by kind and row */
  guint group_start[TB_SEQUENCE_N_KINDS + 1]; /* index of the first event of each kind in group */
  /* TbSequenceEvent: the events of group in their order */
  GArray *ordered;
  /* by index in group: whether the beginning of this interrupt is in ordered already */
  GByteArray *entered;
};

#define TB_SEQUENCE_VALUE(self, kind, column, type, row)                                           \
  (((const type *) g_bytes_get_data ((self)->columns[TB_TABLE_##kind][TB_##kind##_##column],       \
                                     NULL))[row])

/* tb-sequence-order.c */
void tb_sequence_order (TbSequence *self);
/* Updates the CPU states for an event that is the only one of its time. */
void tb_sequence_update (TbSequence *self, TbSequenceEvent *event);

/* tb-sequence-recorded.c */
GArray *tb_sequence_find_recorded (TbSession *session, GError **error);

G_END_DECLS
