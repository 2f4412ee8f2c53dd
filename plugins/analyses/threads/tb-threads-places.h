/* tb-threads-places.h: where threads waited, and who kept them from a cpu
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#pragma once

#include "tb-threads-summary.h"

/* Where and on what a thread waited most, among the waits that a cause ended. */
typedef struct
{
  char *label; /* function, or NULL where it is not known */
  guint32 stack;
  gint64 ns;
  char *object; /* file, peer or lock that took most, or NULL */
  gint64 object_ns;
} TbPlace;

void tb_place_find (TbPlace *place,
                    TbThreadsSummary *summary,
                    const TbThreadSummary *thread,
                    const TbWaker *waker);
/* Only what holds for most of the time, else NULL. A peer is no object: it is what was waited for. */
const char *tb_place_get_function (const TbPlace *place, gint64 whole);
const char *tb_place_get_object (const TbPlace *place, gint64 whole, gboolean is_peer);
/* " in fsync", " in fsync of /var/log/x", "": both of them. */
char *tb_place_describe (const TbPlace *place, gint64 whole, gboolean is_peer);
void tb_place_clear (TbPlace *place);

G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC (TbPlace, tb_place_clear)

/* Runs that are looked at to find who held a cpu. */
#define TB_MAX_RUNS_SEEN 2000000

/* Who ran on the cpu that a thread waited for, while it did: threads of one name together. */
typedef struct
{
  const char *name;
  guint32 thread; /* one of them */
  guint n;
  gint64 ns;
} TbHolder;

/* seen: how many runs were looked at, of all that may be; thread is TB_ID_NONE where none was found. */
void tb_holder_find (TbHolder *holder, TbThreadsSummary *summary, const TbThreadSummary *thread, gsize *seen);
char *tb_holder_describe (const TbHolder *holder, TbThreadsSummary *summary);
