/* tb-annotations-private.h: marks that were asked for; private to tb-annotations*.c
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#pragma once

#include "tb-annotations.h"

G_BEGIN_DECLS

/* Apart from the numbers of other probes. */
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

/* What it was asked for by. */
typedef enum
{
  TB_ANNOTATIONS_OTHERS,
  TB_ANNOTATIONS_OWN,    /* nobody */
  TB_ANNOTATIONS_MEMORY, /* who wants to know where locks are allocated */
  TB_ANNOTATIONS_N_ASKERS,
} TbAnnotationsAsker;

typedef struct
{
  guint8 action;        /* TbAnnotationsAction */
  const char *function; /* whose call the mark is, else NULL */
  guint32 size;         /* of a lock that is created or destroyed */
  TbAnnotationsAsker asker;
} TbAnnotationsMark;

struct _TbAnnotations
{
  TbAgentProcess *process;
  TbRecorder *recorder;
  gboolean looks;
  gboolean each_process;
  gboolean can_probe;
  GAsyncQueue *jobs;
  GThread *thread;
  GHashTable *files; /* set of FileKey; the thread's, as mapped */
  GArray *mapped;

  GMutex lock;
  GCond changed;
  GByteArray *modules; /* what is known of each, by id */
  GArray *marks;       /* TbAnnotationsMark by id of the probe */
  guint n_answered;    /* of them, which comes in their order */
  guint n_to_prepare;  /* so many answers are waited for; G_MAXUINT: that is not known yet */
  guint n_refused[TB_ANNOTATIONS_N_ASKERS];
  guint n_unfit;    /* marks that are not as they should be */
  guint n_unpaired; /* functions returned of which nobody saw with what they were called; the reader's */
  gboolean is_full;
  gboolean is_closing;
  gboolean found_any;
  char *refusal[TB_ANNOTATIONS_N_ASKERS]; /* the first */
};

/* tb-annotations.c */
/* A number for a mark; 0 if there are too many, or it is over. */
guint32 tb_annotations_take_number (TbAnnotations *self, const TbAnnotationsMark *mark);
/* Until all that were asked for so far are answered, or that takes too long. */
void tb_annotations_await (TbAnnotations *self, GCancellable *cancellable);

G_END_DECLS
