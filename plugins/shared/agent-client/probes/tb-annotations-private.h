/* tb-annotations-private.h: state of the requested marks and what each means; private to
 * tb-annotations*.c
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#pragma once

#include "tb-annotations.h"

G_BEGIN_DECLS

/* Separate from the ids of other probes */
#define TB_ANNOTATIONS_FIRST_ID 0x80000000u
#define TB_ANNOTATIONS_MARKS_MAX 4096u

typedef enum
{
  TB_ANNOTATIONS_SPIN_BEGIN,
  TB_ANNOTATIONS_SPIN_END,
  TB_ANNOTATIONS_RELEASE,
  TB_ANNOTATIONS_FALSE_WAKEUP,
  TB_ANNOTATIONS_WORK_DONE,
  TB_ANNOTATIONS_PHASE_BEGIN,
  TB_ANNOTATIONS_PHASE_END,
  TB_ANNOTATIONS_LOCK_CREATED,
  TB_ANNOTATIONS_LOCK_DESTROYED,
  TB_ANNOTATIONS_LOCK_ALLOCATED,
  TB_ANNOTATIONS_LOCK_FREED,
  TB_ANNOTATIONS_N_ACTIONS,
} TbAnnotationsAction;

/* Origin of a mark */
typedef enum
{
  TB_ANNOTATIONS_REQUESTED,
  TB_ANNOTATIONS_INTERNAL, /* requested by the recording itself */
  TB_ANNOTATIONS_MEMORY,   /* requested for the allocations of locks */
  TB_ANNOTATIONS_N_ORIGINS,
} TbAnnotationsOrigin;

typedef struct
{
  guint8 action;        /* TbAnnotationsAction */
  const char *function; /* function whose call is the mark, else NULL */
  guint32 size;         /* of the created or destroyed lock */
  TbAnnotationsOrigin origin;
} TbAnnotationsMark;

struct _TbAnnotations
{
  TbAgentProcess *process;
  TbRecorder *recorder;
  gboolean searches;
  gboolean each_process;
  gboolean can_probe;
  GAsyncQueue *jobs;
  GThread *thread;
  GHashTable *files; /* set of FileKey; used by the thread only, as is mapped */
  GArray *mapped;

  GMutex lock;
  GCond changed;
  GByteArray *modules; /* state of each module, by id */
  GArray *marks;       /* TbAnnotationsMark by probe id */
  guint n_answered;    /* answered marks, which come in their order */
  guint n_to_prepare;  /* number of answers to wait for; G_MAXUINT: not known yet */
  guint n_refused[TB_ANNOTATIONS_N_ORIGINS];
  guint n_invalid;  /* invalid marks */
  guint n_unpaired; /* returns without a recorded entry; used by the reader only */
  gboolean is_full;
  gboolean is_closing;
  gboolean found_any;
  char *refusal[TB_ANNOTATIONS_N_ORIGINS]; /* the first refusal */
};

/* tb-annotations.c */
/* Returns the id for a mark; 0 if there are too many, or recording has ended. */
guint32 tb_annotations_take_number (TbAnnotations *self, const TbAnnotationsMark *mark);
/* Waits until all marks requested so far are answered, or a time limit is exceeded. */
void tb_annotations_wait (TbAnnotations *self, GCancellable *cancellable);

G_END_DECLS
