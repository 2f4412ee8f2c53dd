/* tb-locks-summary.h: summary of the waits for each lock: time, contention, purpose of the lock
 * (mutex, condition or join), waiters and holders; also as JSON
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#pragma once

#include "extend/selection/tb-selection.h"
#include "trace/tb-trace-lock-uses.h"

#include <json-glib/json-glib.h>

G_BEGIN_DECLS

/* A thread that waited, or that ended waits of others. */
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
  guint32 lock;        /* of the trace */
  guint64 n_waits;     /* waits that began in the range or extend into it */
  gint64 wait_ns;      /* within the range, summed over all waiters */
  gint64 contended_ns; /* time during which at least one thread waited */
  guint most;          /* most waiters at once */
  gint64 longest_ns;
  gsize longest; /* interval of the longest wait */
  guint64 timed_out;
  guint64 n_ended_by_exit; /* ended by an exiting thread */
  guint64 n_unknown_ends;  /* with an unknown end, or still open */
  guint64 uncertain;       /* waits that touch lost events */
  TbLockUse use;
  GArray *waiters; /* TbLockThread, most time first */
  GArray *holders; /* likewise: threads that ended waits */
  GArray *waits;   /* TbLockWait, by start */
} TbLockSummary;

typedef struct
{
  TbTrace *trace;
  gint64 from;
  gint64 to;
  GPtrArray *locks;            /* TbLockSummary, most waiting first */
  guint64 n_unknown_addresses; /* waits for locks without a known address */
  gint64 unknown_address_ns;
  /* locks without a name and without a known origin, although origins were recorded */
  guint n_unknown_origins;
} TbLocksSummary;

/* Waits shorter than min_wait are left out. Only threads in both selections count. */
TbLocksSummary *tb_locks_summary_new (TbTrace *trace,
                                      TbSelection *selection,
                                      TbSelection *process,
                                      gint64 min_wait,
                                      GCancellable *cancellable,
                                      GError **error);
void tb_locks_summary_free (TbLocksSummary *self);
/* top: most locks that are included; 0: all. */
JsonNode *tb_locks_summary_to_json (TbLocksSummary *self, guint top);
/* "nginx (812)"; NULL: several processes share the lock. */
char *tb_locks_summary_describe_process (TbLocksSummary *self, const TbLockSummary *lock);
const char *tb_lock_use_get_name (TbLockUse use);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (TbLocksSummary, tb_locks_summary_free)

G_END_DECLS
