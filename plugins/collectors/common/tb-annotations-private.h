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
  TB_ANNOTATIONS_N_ACTIONS,
} TbAnnotationsAction;

typedef struct
{
  guint8 action;        /* TbAnnotationsAction */
  const char *function; /* whose call the mark is, else NULL */
  guint32 size;         /* of a lock that is created or destroyed */
  gboolean is_own;      /* nobody asked for it */
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
  guint n_refused;
  guint n_locks_refused; /* of those that nobody asked for */
  guint n_unfit;         /* marks that are not as they should be */
  guint n_unpaired;      /* functions returned of which nobody saw with what they were called; the reader's */
  gboolean is_full;
  gboolean is_closing;
  gboolean found_any;
  char *refusal;       /* the first */
  char *locks_refusal; /* likewise */
};

G_END_DECLS
