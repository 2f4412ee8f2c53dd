/* calling-contexts-random.h: random recordings of many threads, and the steps of each thread
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#pragma once

#include "calling-contexts-reference.h"
#include "recording.h"
#include "trace/tb-context-tree.h"

G_BEGIN_DECLS

typedef enum
{
  RANDOM_MARKS,
  /* also other events with stacks, system calls, switches, execs, exits, and lost events */
  RANDOM_ALL,
} RandomKind;

typedef struct
{
  GRand *rand; /* not owned */
  TbTrace *trace;
  gint64 end;
  ReferenceTree tree;
  GPtrArray *threads; /* GArray of Step; each thread is a process of its own */
  TbContextTree *context_tree;
  TbContextsTree flat;   /* of the trace */
  guint32 *in_reference; /* by node of the trace */

  /* only while the recording is made: */
  TbRecorder *recorder;
  guint32 device;
  guint n_forked;     /* number of forked children, which do nothing */
  guint32 frames[16]; /* by function */
  GArray *contexts;   /* guint32: recorded nodes of the reference tree, and their stacks: */
  GArray *stacks;
} RandomRecording;

/* Function numbers below this one belong to programs, the others to the kernel. */
#define RANDOM_FIRST_KERNEL 4
#define RANDOM_N_FUNCTIONS 6

RandomRecording *random_recording_new (GRand *rand,
                                       RandomKind kind,
                                       guint n_threads,
                                       guint n_contexts,
                                       guint n_most);
void random_recording_free (RandomRecording *self);
/* Thread number in the session. */
guint32 random_recording_find_thread (const RandomRecording *self, guint index);
/* (transfer full): calls inferred by the reference inference. */
GArray *random_recording_infer (const RandomRecording *self, guint index);
/* (transfer full): "f0;f1;…" */
char *random_recording_name (const RandomRecording *self, guint32 node);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (RandomRecording, random_recording_free)

G_END_DECLS
