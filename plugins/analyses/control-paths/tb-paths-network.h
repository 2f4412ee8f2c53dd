/* tb-paths-network.h: network operations of the threads of a recording: messages sent to peers,
 * with the answers that woke threads
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#pragma once

#include "tb-paths-model.h"

G_BEGIN_DECLS

/* An operation lasts from the last message sent to the last message that answers it. */
typedef struct
{
  guint32 thread; /* the sender */
  guint32 peer;   /* string */
  gint64 from;
  gint64 to;
  guint32 first_answer; /* its wake-ups by answers: n_answers of them, from this index on */
  guint32 n_answers;
} TbPathsOperation;

/* A wake-up by an answer. */
typedef struct
{
  guint32 operation;
  guint32 thread;
  gint64 time;
} TbPathsAnswer;

typedef struct
{
  GArray *operations; /* TbPathsOperation, by peer and time */
  GArray *answers;    /* TbPathsAnswer, by operation and time */
} TbPathsNetwork;

/* The operations that woke a thread. A message without an answer is not an operation. Neither is a
 * message whose sender is a thread of this recording: its wake-up is direct. */
TbPathsNetwork *tb_paths_network_new (TbTrace *trace, TbPathsModel *model, GError **error);
void tb_paths_network_free (TbPathsNetwork *self);
G_DEFINE_AUTOPTR_CLEANUP_FUNC (TbPathsNetwork, tb_paths_network_free)

G_END_DECLS
