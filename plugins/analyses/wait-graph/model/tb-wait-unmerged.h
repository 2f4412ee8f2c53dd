/* tb-wait-unmerged.h: threads that the user excludes from merging: the texts of that option, and
 * which of them names a merged vertex
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#pragma once

#include <glib.h>

G_BEGIN_DECLS

typedef struct
{
  const char *const
      *texts;         /* ids of merged vertices, or names of their first threads; NULL: none */
  guint32 *by_thread; /* index of the text that excludes a thread from merging; TB_ID_NONE: none */
} TbWaitUnmerged;

void tb_wait_unmerged_init (TbWaitUnmerged *self, const char *const *texts, guint32 n_threads);
void tb_wait_unmerged_clear (TbWaitUnmerged *self);
/* kind: "group", "similar". The index of the text that names the vertex of that kind with the given
 * first thread; TB_ID_NONE: none. */
guint32 tb_wait_unmerged_find (const TbWaitUnmerged *self,
                               const char *kind,
                               guint32 first,
                               const char *name);

G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC (TbWaitUnmerged, tb_wait_unmerged_clear)

G_END_DECLS
