/* tb-paths-contributor.h: what one program did in the paths: times by kind, files, peers, functions
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#pragma once

#include "tb-paths-categories.h"

G_BEGIN_DECLS

/* A file or a peer, and how long a program waited for it; or another program (string: its index),
 * and how long that had the CPU. */
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
  guint32 disk_place; /* row of a wait for the disk at the place that may have most of that time */
  gint64 disk_place_ns; /* how much more time that place has than all others, at least */
  gint64 disk_ns;
  /* parts of the waits for the disk in own_ns: kernel threads that work for them run, or wait for a
   * CPU */
  gint64 disk_running_ns;
  gint64 disk_runnable_ns;
  gint64 disk_overlap_ns; /* part of own_ns: it ran while a request that it then waited for was in
                           * service */
  gint64 swap_ns;      /* part of own_ns: waits for the disk in page faults of memory of no file */
  gint64 pause_ns;     /* how long its garbage collections took; 0 if they are not its main work */
  guint n_collectors;  /* threads that did them */
  guint32 collector;   /* thread that did most of them, TB_ID_NONE none */
  gint64 throttled_ns; /* part of own_ns: its CPU was idle meanwhile */
  gint64 parallel_ns;  /* in other paths */
  gint64 categories[TB_PATHS_N_CATEGORIES]; /* of own_ns */
  GArray *files;                            /* TbPathsObject, longest first */
  GArray *peers;
  /* likewise, of programs: had the CPU, in own_ns, while it was kept off one, and while it was
   * ready to run after a wake-up */
  GArray *rivals;
  GArray *ready_rivals;
  guint32 chain; /* chain that called it for most of its time, TB_ID_NONE none */
  guint32 top_node;
  gint64 top_ns;
  GArray *running;     /* TbPathsNodeTime: its sampled running time in the base path */
  gint64 longest_from; /* start of its longest box, which a finding links to */
  gint64 longest_to;
  guint32 longest_thread;
} TbPathsContributor;

/* Compares TbPathsObject: the longest first. */
int tb_paths_compare_objects (gconstpointer a, gconstpointer b);

G_END_DECLS
