/* tb-contexts-inference.h: inference of function entries and exits from the stacks of one thread's
 * events: conservative, aggressive and refined estimate of each call's time
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#pragma once

#include "session/schema/tb-schema.h"
#include "tb-contexts-gaps.h"
#include "tb-contexts-call-overheads.h"

G_BEGIN_DECLS

/* Estimates of where a function's call begins and ends, between the events that show it.
 * Conservative and aggressive are those of IntroPerf (2014), section 3.3.
 *
 * Refined is our own. Certain returns and calls must have happened between two events. They are
 * placed in the time in which the thread could have made them: while it ran, outside a system call.
 * Functions that make system calls get their least time (tb-contexts-call-overheads.h). All
 * functions share the rest, but those next to a system call get no more of it than is usual in the
 * thread (the median). Functions around system calls are thin, and a long time belongs to the
 * function that was open throughout, unless other gaps show otherwise (tb-contexts-gaps.h). */

/* Time that exceeds the time of the thin functions by more than this factor is not given to a
 * function among them: it is only known that it lies on the way. Chosen by recordings of programs
 * with probes (tests/cases/contexts-accuracy), in which functions that do much before a system call
 * stay below it. */
#define TB_CONTEXTS_MAX_EXCESS_FACTOR 256

typedef enum
{
  TB_CONTEXTS_CONSERVATIVE,
  TB_CONTEXTS_AGGRESSIVE,
  TB_CONTEXTS_REFINED,
  TB_CONTEXTS_N_ESTIMATES,
} TbContextsEstimate;

/* State of a thread, by whether its functions can make calls and returns. */
typedef enum
{
  TB_CONTEXTS_RUNNING,
  TB_CONTEXTS_IN_KERNEL, /* in a system call */
  TB_CONTEXTS_OFF_CPU,
} TbContextsState;

/* The calling contexts by node. Node 0 is the root. A parent has a smaller number than its
 * children. */
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
  gint64 first; /* first event in it */
  gint64 last;  /* last event in it */
  gint64 ended; /* event that ended it */
  gint64 from;  /* refined entry */
  gint64 to;
  gint64 latency[TB_CONTEXTS_N_ESTIMATES];
  gint64 own[TB_CONTEXTS_N_ESTIMATES]; /* without its callees, by the same estimate */
} TbContextsInstance;

typedef void (*TbContextsSink) (const TbContextsInstance *instance, gpointer data);

typedef struct
{
  guint32 node;
  gint64 first;
  gint64 from;
  gint64 called[TB_CONTEXTS_N_ESTIMATES]; /* sums of its callees */
} TbContextsFrame;

typedef struct
{
  gint64 time;
  TbContextsState state;
} TbContextsChange;

/* Histogram of times, with bins of a sixteenth of a power of two, and its median. */
#define TB_CONTEXTS_N_MAGNITUDES 1024

typedef struct
{
  guint64 counts[TB_CONTEXTS_N_MAGNITUDES];
  guint64 all;
  guint64 below; /* count below the median's magnitude */
  guint median;
} TbContextsTypical;

typedef struct _TbContextsInference TbContextsInference;

/* Algorithm 2, with its register as a stack of open frames. All open frames were seen at the
 * previous event, so that none needs to store its own last event. The cost of an event is what it
 * changes, whatever the depth of the stack. */
struct _TbContextsInference
{
  const TbContextsTree *tree;
  TbContextsSink sink;
  /* (nullable): called after each event with a stack */
  void (*watch) (const TbContextsInference *self, gint64 time, gpointer data);
  gpointer data;
  const char *totals; /* nullable: totals by node that the sink adds to, each of this size */
  gsize size;

  TbContextsFrame *frames;
  guint n_frames;
  guint n_allocated;
  guint32 *entered; /* nodes to open, innermost first */
  guint32 thread;
  gboolean has_stack;   /* an event with a stack has come since all frames were closed */
  gint64 previous;      /* time of the last event with a stack */
  gint64 latest;        /* time of the last event about frames: with a stack, or a return */
  gint64 gap;           /* start of the gap: calls and returns since then are unknown */
  gboolean gap_at_call; /* the gap began at the exit of a system call */
  gint64 floor;         /* time of the last boundary: none is placed before it */
  TbContextsState state;
  gboolean has_states;
  gboolean in_call;
  gboolean off_cpu;
  GArray *changes; /* TbContextsChange within the gap */
  /* time of the last event with a stack, or later time at which the thread got a CPU */
  gint64 ran_since;
  TbContextsTypical typical;
  TbContextsGaps *gaps;
  TbContextsCallOverheads *overheads;
  /* histogram, by powers of two, of the times between events with stacks in which the thread
   * ran */
  guint64 spacings[64];
};

void tb_contexts_inference_init (TbContextsInference *self,
                                 const TbContextsTree *tree,
                                 TbContextsSink sink,
                                 gpointer data);
void tb_contexts_inference_clear (TbContextsInference *self);

/* Prefetches the memory for an event of that context, which comes soon. */
static inline void
tb_contexts_inference_expect (const TbContextsInference *self, guint32 node)
{
  __builtin_prefetch (&self->tree->parent[node]);
  __builtin_prefetch (&self->tree->depth[node]);
  if (self->totals != NULL)
    __builtin_prefetch (self->totals + node * self->size, 1);
}

/* The following functions are called in order of time. */
void tb_contexts_inference_begin (TbContextsInference *self, guint32 thread);
/* The thread certainly has no frames now: it is new, or has executed another program. */
void tb_contexts_inference_start (TbContextsInference *self, gint64 time, gboolean is_new);
/* An event with a stack. Node 0 is ignored. */
void tb_contexts_inference_add (TbContextsInference *self, gint64 time, guint32 node);
void tb_contexts_inference_enter_call (TbContextsInference *self, gint64 time);
/* A system call has returned, which ends its kernel frames. entered: time of its entry,
 * TB_TIME_NONE where that was before the recording. */
void tb_contexts_inference_leave_call (TbContextsInference *self, gint64 time, gint64 entered);
void tb_contexts_inference_set_off_cpu (TbContextsInference *self, gint64 time, gboolean off_cpu);
/* Ends all frames: the thread exits or executes another program, or the following events are
 * lost. */
void tb_contexts_inference_close (TbContextsInference *self, gint64 time);
/* Ends the recording at to. */
void tb_contexts_inference_end (TbContextsInference *self, gint64 to);

G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC (TbContextsInference, tb_contexts_inference_clear)

G_END_DECLS
