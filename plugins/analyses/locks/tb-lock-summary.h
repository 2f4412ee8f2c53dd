/* tb-lock-summary.h: summary of the waits for one lock, or for a class of locks: time, contention,
 * use, group by what ends the waits, waiters and holders
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#pragma once

#include "trace/tb-trace-lock-uses.h"

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

/* Groups of locks by what ends the waits for them, in the order of a report. */
typedef enum
{
  TB_LOCK_GROUP_LOCK,      /* another thread released it */
  TB_LOCK_GROUP_UNKNOWN,   /* another thread ended the waits; it is not known whether it held it */
  TB_LOCK_GROUP_CONDITION, /* another thread signalled; nothing is held */
  TB_LOCK_GROUP_TIMED,     /* mostly the timeout ended the waits */
  TB_LOCK_GROUP_JOIN,      /* threads ended */
  TB_N_LOCK_GROUPS,
} TbLockGroup;

typedef struct _TbLockSummary TbLockSummary;

/* A lock, as far as it was used in one way, or a class: the locks of one process that one function
 * made or takes. */
struct _TbLockSummary
{
  guint32 lock;       /* of the trace; of a class the one most waited for */
  GPtrArray *members; /* TbLockSummary, as many as the class has locks; NULL: no class */
  char *place;        /* of a class: the function, NULL for the ends of threads */
  gboolean is_made;   /* whether place made the locks, instead of taking them */
  TbLockUse use;
  TbLockGroup group;
  guint64 n_waits;     /* waits that began in the range or extend into it */
  gint64 wait_ns;      /* within the range, summed over all waiters */
  gint64 contended_ns; /* time during which at least one thread waited */
  guint most;          /* most waiters at once */
  gint64 longest_ns;
  gsize longest; /* interval of the longest wait */
  guint64 timed_out;
  gint64 timed_out_ns;
  guint64 n_ended_by_exit; /* ended by an exiting thread */
  guint64 n_released;      /* ended by another thread, and not by a timeout */
  gint64 released_ns;
  gint64 handed_on_ns;    /* of these, by threads that waited for it as well */
  guint64 n_unknown_ends; /* with an unknown end */
  guint64 n_open;         /* not over at the end of the recording */
  /* of n_waits: sleeps between attempts to get the lock of a file, and their length */
  guint64 n_polls;
  gint64 polled_ns;
  guint64 n_parked;     /* of n_waits: on a word of the waiter's own */
  guint64 n_conditions; /* of n_waits: on a condition by which a library makes a lock */
  guint64 uncertain;    /* waits that touch lost events */
  GArray *waiters;      /* TbLockThread, most time first */
  GArray *holders;      /* likewise: threads that ended waits */
  GArray *waits;        /* TbLockWait, by start */
};

typedef struct
{
  TbTrace *trace;
  gint64 from;
  gint64 to;
  GPtrArray *locks;            /* TbLockSummary, by group; in it by cost */
  guint n_locks;               /* members of classes are counted */
  guint64 n_unknown_addresses; /* waits for locks without a known address */
  gint64 unknown_address_ns;
  /* locks without a name and without a known origin, although origins were recorded */
  guint n_unknown_origins;
} TbLocksSummary;

TbLockSummary *tb_lock_summary_new (guint32 lock, TbLockUse use);
void tb_lock_summary_free (TbLockSummary *self);
/* Adds the waits of another summary to this one. */
void tb_lock_summary_add (TbLockSummary *self, const TbLockSummary *other);
/* Computes what depends on all waits: contention, the order of the threads, the group. */
void tb_lock_summary_finish (TbLockSummary *self, const TbLocksSummary *summary);
/* The time that a release ended, or may still end: that of all waits but those that timed out.
 * Locks are ranked by it. 0 of conditions, timeouts and joins, which no thread holds. */
gint64 tb_lock_summary_get_cost (const TbLockSummary *self);
/* The order of pointers to summaries in a report, as of strcmp(). */
int tb_lock_summary_compare (gconstpointer a, gconstpointer b);
/* Whether each waiter has a word of its own: how many locks the words are for is not known. */
gboolean tb_lock_summary_is_parked (const TbLockSummary *self);
/* NULL: not known. */
const char *tb_lock_use_get_name (TbLockUse use);
const char *tb_lock_group_get_name (TbLockGroup group);

G_END_DECLS
