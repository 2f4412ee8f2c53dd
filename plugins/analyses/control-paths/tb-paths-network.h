/* tb-paths-network.h: what the network did for the threads of a recording
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#pragma once

#include "tb-paths-model.h"

G_BEGIN_DECLS

/* From the last message that was sent to the last that answers it. */
typedef struct
{
  guint32 thread; /* that sent */
  guint32 peer;   /* string */
  gint64 from;
  gint64 to;
  guint32 first_link; /* wake-ups by answers: n_links from here on */
  guint32 n_links;
} TbPathsOperation;

/* An answer woke a thread. */
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

/* Operations that woke somebody. What is sent without an answer is none, nor what a thread of this recording woke itself. */
TbPathsNetwork *tb_paths_network_new (TbTrace *trace, TbPathsModel *model, GError **error);
void tb_paths_network_free (TbPathsNetwork *self);
G_DEFINE_AUTOPTR_CLEANUP_FUNC (TbPathsNetwork, tb_paths_network_free)

G_END_DECLS
