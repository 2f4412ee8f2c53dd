/* tb-wait-what-if-named.h: those whom a name of the user's stands for
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#pragma once

#include "what-if/tb-wait-replay-make.h"
#include "tb-wait-result.h"

G_BEGIN_DECLS

/* How many names an error offers. */
#define TB_WAIT_NAMES_TOLD 8

typedef struct
{
  guint8 *threads;    /* by thread */
  GHashTable *others; /* kind << 32 | id */
  guint n;
} TbWaitNamed;

/* self: zeroed. FALSE: nothing is called so. change: what the user said, for the error. */
gboolean tb_wait_named_init (TbWaitNamed *self,
                             const TbWaitResult *result,
                             const char *change,
                             const char *name,
                             GError **error);
void tb_wait_named_clear (TbWaitNamed *self);
/* Whether it is what a wait was for. */
gboolean tb_wait_named_has (const TbWaitNamed *self, const TbReplayOrigin *origin);
/* Says that nothing is called so, and what there is. */
void tb_wait_named_refuse (const TbWaitGraph *graph, const char *change, const char *name, GError **error);

G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC (TbWaitNamed, tb_wait_named_clear)

G_END_DECLS
