/* tb-paths-events.h: samples, device requests, interrupts, stacks and programs of a recording,
 * loaded and indexed by run, thread, device or CPU, as explanation of runs and sleeps
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#pragma once

#include "tb-paths-model.h"
#include "trace/tb-context-tree.h"
#include "trace/tb-trace-programs.h"

G_BEGIN_DECLS

/* Disjoint stretches of time by owner, ascending. */
typedef struct
{
  guint32 *first; /* by owner, n_owners + 1 values */
  guint n_owners;
  gint64 *from;
  gint64 *to;
} TbPathsStretches;

typedef struct
{
  TbTrace *trace;
  TbContextTree *tree;

  guint32 n_nodes; /* of the context tree, as columns */
  guint32 *node_parent;
  guint32 *node_depth;
  guint8 *node_kernel;

  guint32 *sample_first; /* by row: index of its first sample in sample_node */
  guint32 *sample_n;
  guint32 *sample_node;
  guint8 *sample_broken; /* its stack could not be walked to its start */
  gint64 *sample_time;
  guint32 n_samples;
  guint64 samples_dropped;

  TbPathsStretches service;        /* by thread: when a request that it issued is in service */
  TbPathsStretches queue;          /* by thread: when a request that it issued is queued */
  TbPathsStretches device_service; /* by device: when any request is in service */
  TbPathsStretches device_queue;
  gboolean has_requests;
  TbPathsStretches interrupts; /* by CPU */

  TbPrograms *programs;
  guint n_processes;
  guint32 *process_of; /* by thread */

  guint8 *stack_broken; /* by stack */
  guint32 n_stacks;
  GHashTable *inferred; /* pair of nodes before and after → node */
  /* pair of nodes before and after → innermost function common to all sampled runs between such
   * sleeps */
  GHashTable *seen;
} TbPathsEvents;

/* Without what tb_paths_run_inference_learn() learns. */
TbPathsEvents *tb_paths_events_new (TbTrace *trace,
                                    const TbPathsModel *model,
                                    GCancellable *cancellable,
                                    GError **error);
void tb_paths_events_free (TbPathsEvents *self);
G_DEFINE_AUTOPTR_CLEANUP_FUNC (TbPathsEvents, tb_paths_events_free)

/* Stands for the programs that record, as one. */
#define TB_PATHS_RECORDER (TB_ID_NONE - 1)

/* The program that a thread is at a time: an index of programs, or TB_PATHS_RECORDER. The command
 * is a part of the recorder until it executes its program. */
guint32 tb_paths_events_find_program (const TbPathsEvents *self, guint32 thread, gint64 time);
const char *tb_paths_events_get_program_name (TbPathsEvents *self, guint32 program);

/* The index of an owner's first stretch that ends after time, or the end index where there is
 * none. */
guint32
tb_paths_stretches_find (const TbPathsStretches *self, guint32 owner, gint64 time, guint32 *end);

G_END_DECLS
