/* tb-wait-what-if-name-match.h: threads and other nodes (devices, peers, ...) that a name in a
 * what-if change stands for, whether a wait was for one of them, and the error with a list of
 * existing names
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#pragma once

#include "replay/tb-wait-replay-recording.h"
#include "graph/tb-wait-result.h"

G_BEGIN_DECLS

/* How many names an error lists. */
#define TB_WAIT_MAX_NAMES_LISTED 8

typedef struct
{
  const TbWaitModel *model; /* not owned */
  guint8 *nodes;            /* by node of the model, of threads */
  GHashTable *other_nodes;  /* kind << 32 | id */
  guint n;
} TbWaitNameMatch;

/* self: zeroed. Returns FALSE if nothing has that name. change: the user's text, for the error. */
gboolean tb_wait_name_match_init (TbWaitNameMatch *self,
                                  const TbWaitResult *result,
                                  const char *change,
                                  const char *name,
                                  GError **error);
void tb_wait_name_match_clear (TbWaitNameMatch *self);
/* Whether a thread is named, while it is any of its programs. */
gboolean tb_wait_name_match_has_thread (const TbWaitNameMatch *self, guint32 thread);
/* Whether a wait was that of a named thread, as the program that it was then. */
gboolean tb_wait_name_match_has_waiter (const TbWaitNameMatch *self, const TbReplayOrigin *origin);
/* Whether a wait was for one of the named nodes. */
gboolean tb_wait_name_match_has (const TbWaitNameMatch *self, const TbReplayOrigin *origin);
/* Sets the error that nothing has that name, with a list of names that exist. */
void tb_wait_name_match_set_error (const TbWaitGraph *graph,
                                   const char *change,
                                   const char *name,
                                   GError **error);

G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC (TbWaitNameMatch, tb_wait_name_match_clear)

G_END_DECLS
