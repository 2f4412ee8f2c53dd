/* tb-sequence-private.h: what the files of sequences share
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#pragma once

#include "session/tb-sequence.h"

G_BEGIN_DECLS

#define TB_SEQUENCE_MAX_DEPTH 16

/* What the events so far leave on a cpu: the thread that runs, and the open interrupts' TbInterruptKind, innermost last. */
typedef struct
{
  guint32 current;
  guint8 depth;
  guint8 kinds[TB_SEQUENCE_MAX_DEPTH];
} TbSequenceCpu;

typedef struct
{
  const gint64 *times; /* NULL: all at the start */
  guint32 *rows;       /* NULL: all in order */
  gsize n;
  gsize next;
} TbSequenceSource;

struct _TbSequence
{
  GBytes *columns[TB_N_TABLES][16]; /* those that are needed */
  TbSequenceSource sources[TB_SEQUENCE_N_KINDS];
  gint64 heads[TB_SEQUENCE_N_KINDS];  /* time of the next event, G_MAXINT64 none */
  guint8 active[TB_SEQUENCE_N_KINDS]; /* kinds of which there are any */
  guint n_active;
  TbSequenceEvent single; /* the only event of its time */
  gint64 from;
  gsize n_events;
  TbSequenceCpu *cpus;
  GArray *told; /* TbSequenceEvent: where the recording tells how events of one time followed one another */
  guint next_told;
  GArray *group; /* TbSequenceEvent: all of one time, kind by kind, each by row */
  guint group_start[TB_SEQUENCE_N_KINDS + 1]; /* where each kind begins in it */
  GArray *ordered;                            /* the same in order */
  GByteArray *entered; /* of each of the group: an interrupt whose beginning is in order */
};

#define TB_SEQUENCE_VALUE(self, kind, column, type, row)                                                     \
  (((const type *) g_bytes_get_data ((self)->columns[TB_TABLE_##kind][TB_##kind##_##column], NULL))[row])

/* tb-sequence-order.c */
void tb_sequence_order (TbSequence *self);
/* For an event that is alone at its time. */
void tb_sequence_follow (TbSequence *self, TbSequenceEvent *event);

/* tb-sequence-told.c */
GArray *tb_sequence_find_told (TbSession *session, GError **error);

G_END_DECLS
