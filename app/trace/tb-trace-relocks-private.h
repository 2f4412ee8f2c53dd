/* tb-trace-relocks-private.h: waits for the mutex of a condition variable at the end of a wait for
 * that condition
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#pragma once

#include "trace/tb-trace.h"

G_BEGIN_DECLS

typedef struct _TbRelocks TbRelocks;

TbRelocks *tb_relocks_new (TbTrace *trace);
void tb_relocks_free (TbRelocks *self);
G_DEFINE_AUTOPTR_CLEANUP_FUNC (TbRelocks, tb_relocks_free)

/* Whether the next wait of a thread that waited for a condition is for the mutex of it, in the same
 * call. */
gboolean tb_relocks_is_relock (TbRelocks *self, gsize wait, gsize next);
/* Whether what ended such a wait for the mutex signals the condition. */
gboolean tb_relocks_is_answer (TbRelocks *self, gsize wait, gsize relock);

G_END_DECLS
