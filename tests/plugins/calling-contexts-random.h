/* calling-contexts-random.h: recordings of many threads that do something at random, and what each of them did
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#pragma once

#include "calling-contexts-reference.h"
#include "session/tb-recorder.h"
#include "trace/tb-context-tree.h"

G_BEGIN_DECLS

typedef enum
{
  RANDOM_SAMPLES,
  RANDOM_ALL, /* also other events with stacks, system calls, switches, new programs, ends, and lost events */
} RandomKind;

typedef struct
{
  GRand *rand; /* not owned */
  TbTrace *trace;
  gint64 end;
  ReferenceTree tree;
  GPtrArray *threads; /* GArray of Step; each is a process by itself */
  TbContextTree *context_tree;
  TbContextsTree flat;   /* of the trace */
  guint32 *in_reference; /* by node of the trace */

  /* while it is made: */
  TbRecorder *recorder;
  guint32 device;
  guint n_forked;     /* by them, which do nothing */
  guint32 frames[16]; /* by function */
  GArray *contexts;   /* guint32: nodes of the reference's tree that are seen, and their stacks: */
  GArray *stacks;
} RandomRecording;

/* Functions of programs are before those of the kernel. */
#define RANDOM_FIRST_KERNEL 4
#define RANDOM_N_FUNCTIONS 6

RandomRecording *
random_recording_new (GRand *rand, RandomKind kind, guint n_threads, guint n_contexts, guint n_most);
void random_recording_free (RandomRecording *self);
/* In the session's numbering. */
guint32 random_recording_find_thread (const RandomRecording *self, guint index);
/* (transfer full): what the naive inference makes of it. */
GArray *random_recording_infer (const RandomRecording *self, guint index);
/* (transfer full): "f0;f1;…" */
char *random_recording_name (const RandomRecording *self, guint32 node);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (RandomRecording, random_recording_free)

G_END_DECLS
