/* tb-contexts-inference.h: when functions were entered and left, inferred from the stacks of one thread
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#pragma once

#include "session/tb-schema.h"
#include "tb-contexts-gaps.h"
#include "tb-contexts-heads.h"

G_BEGIN_DECLS

/* How the ends of a function's call are placed between the events that show them. Conservative and aggressive are those of
 * IntroPerf (2014), section 3.3. Refined is ours: it places the returns and calls that must have happened between two events
 * in the time in which the thread could have made them, that is ran, and not in a system call. What the functions that make system
 * calls take at least is theirs (tb-contexts-heads.h). They share the rest, but those next to a system call take no more of it than
 * is usual in the thread (the median): functions around system calls are thin, and what takes long is what was there all the time,
 * unless other gaps tell that they do more or less (tb-contexts-gaps.h). */

/* More than so many times what thin functions take is not told of those in their midst: what is known is only that it was on the
 * way. Chosen by recordings of programs with probes (tests/cases/contexts-accuracy), in which functions that do much before a
 * system call stay below it. */
#define TB_CONTEXTS_FAR 256

typedef enum
{
  TB_CONTEXTS_CONSERVATIVE,
  TB_CONTEXTS_AGGRESSIVE,
  TB_CONTEXTS_REFINED,
  TB_CONTEXTS_N_ESTIMATES,
} TbContextsEstimate;

/* What a thread does as far as calls and returns of its functions are possible. */
typedef enum
{
  TB_CONTEXTS_RUNS,
  TB_CONTEXTS_IN_KERNEL, /* in a system call */
  TB_CONTEXTS_OFF_CPU,
} TbContextsState;

/* The calling contexts by node: node 0 is the root, a parent has a smaller number than its children. */
typedef struct
{
  guint32 n_nodes;
  const guint32 *parent;
  const guint32 *depth; /* 1: outermost */
  const guint8 *kernel;
  const guint32 *function;
} TbContextsTree;

/* One call of a function. */
typedef struct
{
  guint32 node;
  guint32 depth; /* 1: outermost */
  guint32 thread;
  gint64 first; /* the first event in it */
  gint64 last;  /* the last one */
  gint64 ended; /* the one that ended it */
  gint64 from;  /* refined */
  gint64 to;
  gint64 latency[TB_CONTEXTS_N_ESTIMATES];
  gint64 own[TB_CONTEXTS_N_ESTIMATES]; /* without what it called, by the same estimate */
} TbContextsInstance;

typedef void (*TbContextsSink) (const TbContextsInstance *instance, gpointer data);

typedef struct
{
  guint32 node;
  gint64 first;
  gint64 from;
  gint64 called[TB_CONTEXTS_N_ESTIMATES]; /* sums of what it called */
} TbContextsFrame;

typedef struct
{
  gint64 time;
  TbContextsState state;
} TbContextsChange;

/* How many times are of one magnitude, by sixteenths of powers of two, and which is the median. */
#define TB_CONTEXTS_N_MAGNITUDES 1024

typedef struct
{
  guint64 counts[TB_CONTEXTS_N_MAGNITUDES];
  guint64 all;
  guint64 below; /* the median's magnitude */
  guint median;
} TbContextsTypical;

typedef struct _TbContextsInference TbContextsInference;

/* Algorithm 2 with its register as a stack of open frames. Since all open frames were seen at the event before, none
 * remembers its own last event, and an event costs what it changes, however deep the stack is. */
struct _TbContextsInference
{
  const TbContextsTree *tree;
  TbContextsSink sink;
  /* (nullable): is told of each event with a stack, after it. */
  void (*watch) (const TbContextsInference *self, gint64 time, gpointer data);
  gpointer data;
  const char *totals; /* nullable: what the sink adds to, by node, of that size each */
  gsize size;

  TbContextsFrame *frames;
  guint n_frames;
  guint n_allocated;
  guint32 *entered; /* nodes that are to be opened, innermost first */
  guint32 thread;
  gboolean seen;        /* any event with a stack since all was closed */
  gint64 previous;      /* event with a stack */
  gint64 latest;        /* event that tells of frames: with a stack, or a return */
  gint64 gap;           /* calls and returns since then are unknown */
  gboolean gap_at_call; /* it began where a system call was left */
  gint64 floor;         /* no boundary is placed before the last one */
  TbContextsState state;
  gboolean has_states;
  gboolean in_call;
  gboolean off_cpu;
  GArray *changes;  /* TbContextsChange in the gap */
  gint64 ran_since; /* the last event with a stack, or when the thread got a cpu after it */
  TbContextsTypical typical;
  TbContextsGaps *gaps;
  TbContextsHeads *heads;
  guint64
      spacings[64]; /* how often so many times between events with stacks in which it ran, by powers of two */
};

void tb_contexts_inference_init (TbContextsInference *self,
                                 const TbContextsTree *tree,
                                 TbContextsSink sink,
                                 gpointer data);
void tb_contexts_inference_clear (TbContextsInference *self);

/* An event of that context is about to come: fetches what it will need from memory. */
static inline void
tb_contexts_inference_expect (const TbContextsInference *self, guint32 node)
{
  __builtin_prefetch (&self->tree->parent[node]);
  __builtin_prefetch (&self->tree->depth[node]);
  if (self->totals != NULL)
    __builtin_prefetch (self->totals + node * self->size, 1);
}

/* What follows is told in order of time. */
void tb_contexts_inference_begin (TbContextsInference *self, guint32 thread);
/* The thread has no frames now, for certain: it is new, or has become another program. */
void tb_contexts_inference_start (TbContextsInference *self, gint64 time, gboolean is_new);
/* An event with a stack (node 0: ignored). */
void tb_contexts_inference_add (TbContextsInference *self, gint64 time, guint32 node);
void tb_contexts_inference_enter_call (TbContextsInference *self, gint64 time);
/* entered: when the system call was; TB_TIME_NONE before the recording. Its kernel frames are left. */
void tb_contexts_inference_leave_call (TbContextsInference *self, gint64 time, gint64 entered);
void tb_contexts_inference_set_off_cpu (TbContextsInference *self, gint64 time, gboolean off_cpu);
/* All frames end: the thread does, or becomes another program, or what followed was lost. */
void tb_contexts_inference_close (TbContextsInference *self, gint64 time);
/* The recording ends; to: where. */
void tb_contexts_inference_end (TbContextsInference *self, gint64 to);

G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC (TbContextsInference, tb_contexts_inference_clear)

G_END_DECLS
