/* tb-wait-what-if-changes.h: changes of a what-if text as values for the program of a replay, which
 * stays as it is: factors of waits, runs and devices, work done ahead or shared, calls left out,
 * more threads or CPUs
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#pragma once

#include "replay/tb-wait-replay-recording.h"
#include "graph/tb-wait-result.h"
#include "what-if/tb-wait-what-if-change.h"

G_BEGIN_DECLS

typedef struct
{
  const TbWaitResult *result; /* used only while it is initialized; not owned, like recording */
  const TbReplayRecording *recording;
  GArray *changes; /* TbWaitChange */
  double *factor;  /* by wait */
  guint32 *stream;
  double *speed;      /* by device of the program */
  guint32 *stream_of; /* by thread: the stream of all items that are prepared ahead for it */
  guint32 n_streams;
  guint32 n_cpus;
  guint8 *is_changed; /* by wait */
  guint8 *concerned;  /* by actor */
  double *run;        /* by step */
  /* by step: factor without a change, which only removes the cost of recording */
  double *base_run;
  double *shorter; /* by wait: ns that recording added to it */
  double *share;   /* by wait */
  guint32 *size;   /* by actor */
  guint8 *divides; /* by actor */
  guint8 *batches; /* by wait; NULL without streams */
  guint8 *takes;   /* by wait; likewise */
} TbWaitChanges;

/* self: zeroed, to be cleared whatever is returned. */
gboolean tb_wait_changes_init (TbWaitChanges *self,
                               const TbWaitResult *result,
                               const TbReplayRecording *recording,
                               const char *text,
                               GError **error);
void tb_wait_changes_clear (TbWaitChanges *self);

G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC (TbWaitChanges, tb_wait_changes_clear)

G_END_DECLS
