/* tb-locks-summary.h: who waited for which lock, how long, and who let go of it
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#pragma once

#include "extend/tb-selection.h"
#include "trace/tb-trace-lock-uses.h"

#include <json-glib/json-glib.h>

G_BEGIN_DECLS

/* One side of waits: a thread that waited, or that ended waits of others. */
typedef struct
{
  guint32 thread;
  guint64 waits;
  gint64 wait_ns;
} TbLockThread;

typedef struct
{
  gint64 from;
  gint64 to;
} TbLockWait;

typedef struct
{
  guint32 lock;    /* of the trace */
  guint64 n_waits; /* that began in the range or reach into it */
  gint64 wait_ns;  /* within the range, all waiters together */
  gint64 some_ns;  /* during which at least one waited */
  guint most;      /* at once */
  gint64 longest_ns;
  gsize longest; /* interval */
  guint64 timed_out;
  guint64 by_ending; /* ended by a thread that ended, too */
  guint64 unended;   /* by nobody who is known, or not yet */
  guint64 uncertain; /* touch lost events */
  TbLockUse use;
  GArray *waiters; /* TbLockThread, most time first */
  GArray *holders; /* likewise: whose waking ended waits */
  GArray *waits;   /* TbLockWait, by start */
} TbLockSummary;

typedef struct
{
  TbTrace *trace;
  gint64 from;
  gint64 to;
  GPtrArray *locks; /* TbLockSummary, most waiting first */
  guint64 unplaced; /* waits for locks of which no address is known */
  gint64 unplaced_ns;
  guint unmade; /* locks without a name of which it is not known who made them, though that was recorded */
} TbLocksSummary;

/* Waits shorter than min_wait are left out; those of threads of both selections count. */
TbLocksSummary *tb_locks_summary_new (TbTrace *trace,
                                      TbSelection *selection,
                                      TbSelection *process,
                                      gint64 min_wait,
                                      GCancellable *cancellable,
                                      GError **error);
void tb_locks_summary_free (TbLocksSummary *self);
/* top: how many locks at most, 0 all. */
JsonNode *tb_locks_summary_to_json (TbLocksSummary *self, guint top);
/* "nginx (812)", NULL of a lock that several share. */
char *tb_locks_summary_describe_process (TbLocksSummary *self, const TbLockSummary *lock);
const char *tb_lock_use_get_name (TbLockUse use);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (TbLocksSummary, tb_locks_summary_free)

G_END_DECLS
