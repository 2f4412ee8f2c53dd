/* tb-contexts-input.h: events of a trace (stacks, thread states, system calls, losses), sorted by
 * thread and time and fed to the inference of calls; probed calls by thread
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#pragma once

#include "extend/selection/tb-selection.h"
#include "tb-contexts-inference.h"
#include "trace/tb-context-tree.h"

G_BEGIN_DECLS

/* Kinds of events with stacks that are used. */
typedef enum
{
  TB_CONTEXTS_SYSCALLS = 1 << 0,
  TB_CONTEXTS_SWITCHES = 1 << 1,
  TB_CONTEXTS_SAMPLES = 1 << 2,
  TB_CONTEXTS_WAKEUPS = 1 << 3,
  TB_CONTEXTS_NETWORK = 1 << 4,
  TB_CONTEXTS_BLOCK = 1 << 5,
  TB_CONTEXTS_CALLS = 1 << 6,
  TB_CONTEXTS_MARKS = 1 << 7,
  TB_CONTEXTS_FORKS = 1 << 8,
  TB_CONTEXTS_ALL_EVENTS = (1 << 9) - 1,
} TbContextsEvents;

/* A call whose entry and return were probed. */
typedef struct
{
  gint64 enter;
  gint64 exit;  /* less than enter: it did not return */
  guint32 node; /* 0: unknown, or its stack does not reach the start of its thread */
} TbContextsProbed;

/* Counts of events by how they could be used. */
typedef struct
{
  guint64 used;          /* events with a stack */
  guint64 without_stack; /* events of the wanted kinds */
  /* stacks that could not be walked to their start, but are used, because the thread has few
   * others */
  guint64 broken;
  guint64 excluded; /* stacks that could not be walked to their start and are not used */
  guint64 losses;   /* stretches of lost events that closed open frames */
  guint64 closed_by_loss;
} TbContextsCounts;

typedef struct _TbContextsInput TbContextsInput;

/* Parses nicks separated by commas. "" and "all": all kinds. Returns 0 and sets an error for an
 * unknown one. */
TbContextsEvents tb_contexts_events_parse (const char *text, GError **error);

TbContextsInput *tb_contexts_input_new (TbTrace *trace,
                                        TbContextTree *tree,
                                        TbContextsEvents events,
                                        GCancellable *cancellable,
                                        GError **error);
void tb_contexts_input_free (TbContextsInput *self);
/* Sets the least time, in ns, between the used stacks of a thread's samples and switches. 0: all
 * are used. */
void tb_contexts_input_set_interval (TbContextsInput *self, gint64 interval);

/* Number of probed calls of a thread. Calls are in the order in which they were entered. */
guint tb_contexts_input_get_n_calls (const TbContextsInput *self, guint32 thread);
void tb_contexts_input_get_call (const TbContextsInput *self,
                                 guint32 thread,
                                 guint i,
                                 TbContextsProbed *out);
/* Number of system calls entered in a range. */
guint64 tb_contexts_input_count_syscalls (const TbContextsInput *self,
                                          guint32 thread,
                                          gint64 from,
                                          gint64 to);

/* Feeds what a thread did in a range to the inference, and adds to counts. events: (nullable): by
 * node, number of events in its context, added to. FALSE: the thread has no event in the range. */
gboolean tb_contexts_input_feed (TbContextsInput *self,
                                 guint32 thread,
                                 gint64 from,
                                 gint64 to,
                                 TbContextsInference *inference,
                                 guint32 *events,
                                 TbContextsCounts *counts);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (TbContextsInput, tb_contexts_input_free)

G_END_DECLS
