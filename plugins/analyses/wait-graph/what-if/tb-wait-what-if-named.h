/* tb-wait-what-if-named.h: threads and other nodes that a name in a change stands for
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#pragma once

#include "what-if/tb-wait-replay-make.h"
#include "tb-wait-result.h"

G_BEGIN_DECLS

/* How many names an error lists. */
#define TB_WAIT_NAMES_TOLD 8

typedef struct
{
  guint8 *threads;    /* by thread */
  GHashTable *others; /* kind << 32 | id */
  guint n;
} TbWaitNamed;

/* self: zeroed. Returns FALSE if nothing has that name. change: the user's text, for the error. */
gboolean tb_wait_named_init (TbWaitNamed *self,
                             const TbWaitResult *result,
                             const char *change,
                             const char *name,
                             GError **error);
void tb_wait_named_clear (TbWaitNamed *self);
/* Whether a wait was for one of the named nodes. */
gboolean tb_wait_named_has (const TbWaitNamed *self, const TbReplayOrigin *origin);
/* Sets the error that nothing has that name, with a list of names that exist. */
void tb_wait_named_refuse (const TbWaitGraph *graph, const char *change, const char *name, GError **error);

G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC (TbWaitNamed, tb_wait_named_clear)

G_END_DECLS
