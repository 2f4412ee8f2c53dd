/* tb-name-batch-private.h: batch of the function names that one thread of the symbolizer has found
 * for frames: filled frame by frame, published in the session when it is large enough
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#pragma once

#include "session/file/tb-session.h"

G_BEGIN_DECLS

typedef struct
{
  TbSession *session;
  GArray *frames;  /* guint32 */
  GArray *counts;  /* guint: number of names of each frame */
  GArray *names;   /* TbFrameName */
  GPtrArray *kept; /* what owns the names, until they are published */
  guint limit;
  gint64 published; /* monotonic time, µs */
} TbNameBatch;

/* free_owner: frees an element of kept */
void tb_name_batch_init (TbNameBatch *self, TbSession *session, GDestroyNotify free_owner);
void tb_name_batch_clear (TbNameBatch *self);
/* Ends the names of a frame, which were appended to names: those from first on. */
void tb_name_batch_end_frame (TbNameBatch *self, guint32 frame, guint first);
/* Whether the batch is large or old enough to be published. */
gboolean tb_name_batch_is_due (const TbNameBatch *self);
gboolean tb_name_batch_publish (TbNameBatch *self, GError **error);

G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC (TbNameBatch, tb_name_batch_clear)

G_END_DECLS
