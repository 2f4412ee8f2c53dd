/* tb-name-batch.c: batch of the function names that one thread of the symbolizer has found for
 * frames: filled frame by frame, published in the session when it is large enough
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#include "config.h"

#include "symbols/tb-name-batch-private.h"

/* The first names are published soon, the later ones in large batches, as each transaction waits
 * for the disk. */
#define FIRST_BATCH_FRAMES 4096
#define MAX_BATCH_FRAMES 65536
#define BATCH_OWNERS 64
#define BATCH_US (300 * 1000)

void
tb_name_batch_init (TbNameBatch *self, TbSession *session, GDestroyNotify free_owner)
{
  *self = (TbNameBatch) {
    .session = session,
    .frames = g_array_new (FALSE, FALSE, sizeof (guint32)),
    .counts = g_array_new (FALSE, FALSE, sizeof (guint)),
    .names = g_array_new (FALSE, FALSE, sizeof (TbFrameName)),
    .kept = g_ptr_array_new_with_free_func (free_owner),
    .limit = FIRST_BATCH_FRAMES,
    .published = g_get_monotonic_time (),
  };
}

void
tb_name_batch_clear (TbNameBatch *self)
{
  g_array_unref (self->frames);
  g_array_unref (self->counts);
  g_array_unref (self->names);
  g_ptr_array_unref (self->kept);
}

void
tb_name_batch_end_frame (TbNameBatch *self, guint32 frame, guint first)
{
  guint n_names = self->names->len - first;

  g_array_append_val (self->frames, frame);
  g_array_append_val (self->counts, n_names);
}

gboolean
tb_name_batch_is_due (const TbNameBatch *self)
{
  return self->frames->len >= self->limit || self->kept->len >= BATCH_OWNERS
         || g_get_monotonic_time () - self->published >= BATCH_US;
}

gboolean
tb_name_batch_publish (TbNameBatch *self, GError **error)
{
  gboolean done = TRUE;

  if (self->frames->len > 0)
    done = tb_session_add_frame_names (self->session, (const guint32 *) self->frames->data,
                                       (const guint *) self->counts->data, self->frames->len,
                                       (const TbFrameName *) self->names->data, error);
  g_array_set_size (self->frames, 0);
  g_array_set_size (self->counts, 0);
  g_array_set_size (self->names, 0);
  self->limit = MIN (self->limit * 2, MAX_BATCH_FRAMES);
  self->published = g_get_monotonic_time ();
  return done;
}
