/* tb-paths-summary.h: totals of the time of a process: by category, path, chain of called programs,
 * and contributor (a program) with its main functions, files and peers; programs of each path; also
 * as JSON
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#pragma once

#include <json-glib/json-glib.h>

#include "tb-paths-categories.h"
#include "tb-paths-locks.h"
#include "tb-paths.h"
#include "tb-paths-oversleeps.h"

G_BEGIN_DECLS

/* A program that was called through a chain of others. Index 0 is the process of interest. */
typedef struct
{
  guint32 parent; /* TB_ID_NONE none */
  guint32 program;
  gint64 ns; /* own time in the base path */
} TbPathsChain;

/* A file or a peer, and how long a program waited for it. */
typedef struct
{
  guint32 string;
  gint64 ns;
} TbPathsObject;

/* Running time by the samples at a node of the context tree. */
typedef struct
{
  guint32 node;
  gint64 ns;
} TbPathsNodeTime;

/* What one program did in all paths, and its part of the wall time in the base path. */
typedef struct
{
  guint32 program;
  gint64 first; /* time of its first appearance */
  gint64 running_ns;
  /* while it would have run otherwise; its own CPU clock includes this time */
  gint64 interrupted_ns;
  gint64 io_ns; /* in service and in the queue, and what kernel threads do for it */
  gint64 network_ns;
  gint64 waiting_ns;       /* other waits of its own */
  gint64 own_ns;           /* part of all these in the base path */
  gint64 locked_ns;        /* part of that below waits for locks */
  guint32 longest_sleep;   /* row of the longest deliberate one in the base path */
  gint64 longest_sleep_ns; /* 0: none */
  guint32 longest_timeout; /* likewise, of waits that timed out */
  gint64 longest_timeout_ns;
  guint32 longest_disk; /* likewise, of waits for the disk */
  gint64 longest_disk_ns;
  /* parts of the waits for the disk in own_ns: kernel threads that work for them run, or wait for a
   * CPU */
  gint64 disk_running_ns;
  gint64 disk_runnable_ns;
  gint64 throttled_ns;                      /* part of own_ns: its CPU was idle meanwhile */
  gint64 parallel_ns;                       /* in other paths */
  gint64 categories[TB_PATHS_N_CATEGORIES]; /* of own_ns */
  GArray *files;                            /* TbPathsObject, longest first */
  GArray *peers;
  guint32 chain; /* chain that called it for most of its time, TB_ID_NONE none */
  guint32 top_node;
  gint64 top_ns;
  GArray *running;     /* TbPathsNodeTime: its sampled running time in the base path */
  gint64 longest_from; /* start of its longest box, which a finding links to */
  gint64 longest_to;
  guint32 longest_thread;
} TbPathsContributor;

typedef struct
{
  gint64 wall_ns;
  gint64 overlap_ns;
  gint64 running_ns;
} TbPathSums;

typedef struct
{
  TbPaths *paths;
  gint64 wall_ns;
  gint64 total_ns;
  gint64 overlap_ns; /* time of children outside their parents' sleeps */
  gint64 categories[TB_PATHS_N_CATEGORIES];
  gint64 base_categories[TB_PATHS_N_CATEGORIES];
  double accounted;
  double explained;
  TbPathSums *path_sums;
  GPtrArray **path_programs; /* by path: names in order of first appearance, not owned */
  GArray *chains;            /* TbPathsChain */
  guint32 *chain_of;         /* by box */
  GPtrArray *contributors;   /* TbPathsContributor, largest first */
  GArray *oversleeps;        /* TbPathsOversleep, longest first */
  GArray *locks;             /* TbPathsLock, longest first */
  gint64 *polled_ns;         /* by thread: see tb_paths_locks_take_polled() */
} TbPathsSummary;

TbPathsSummary *tb_paths_summary_new (TbPaths *paths, GCancellable *cancellable, GError **error);
void tb_paths_summary_free (TbPathsSummary *self);
G_DEFINE_AUTOPTR_CLEANUP_FUNC (TbPathsSummary, tb_paths_summary_free)

/* Names from the process of interest down to the contributor. A chain that is too deep is shortened
 * in the middle. */
char **tb_paths_summary_get_called_through (TbPathsSummary *self,
                                            const TbPathsContributor *contributor);
char **tb_paths_summary_get_top_stack (TbPathsSummary *self, const TbPathsContributor *contributor);
JsonNode *tb_paths_summary_to_json (TbPathsSummary *self);

/* Compares TbPathsObject: the longest first. */
int tb_paths_compare_objects (gconstpointer a, gconstpointer b);

const char *tb_paths_drop_get_reason (TbPathsDrop drop);

G_END_DECLS
