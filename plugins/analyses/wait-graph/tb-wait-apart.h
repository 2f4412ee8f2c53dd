/* tb-wait-apart.h: threads that could be one vertex and are not, because somebody wants to see each
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#pragma once

#include <glib.h>

G_BEGIN_DECLS

typedef struct
{
  const char *const
      *texts;         /* ids of the vertices that they would be, or names of a first thread; NULL none */
  guint32 *by_thread; /* which of them keeps a thread apart, TB_ID_NONE none */
} TbWaitApart;

void tb_wait_apart_init (TbWaitApart *self, const char *const *texts, guint32 n_threads);
void tb_wait_apart_clear (TbWaitApart *self);
/* kind: "group", "similar". Which text means the vertex of that kind whose first thread that is; TB_ID_NONE none. */
guint32 tb_wait_apart_find (const TbWaitApart *self, const char *kind, guint32 first, const char *name);

G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC (TbWaitApart, tb_wait_apart_clear)

G_END_DECLS
