/* tb-wait-result.h: everything the analysis finds, before it is put in words
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#pragma once

#include "tb-wait-apart.h"
#include "tb-wait-apply.h"
#include "tb-wait-devices.h"
#include "tb-wait-culprits.h"
#include "tb-wait-knots.h"
#include "tb-wait-locks.h"
#include "tb-wait-meanwhile.h"
#include "tb-wait-proposals.h"
#include "tb-wait-stacks.h"
#include "tb-wait-work.h"

G_BEGIN_DECLS

typedef enum
{
  TB_WAIT_SHORT_LIVED_OFF,
  TB_WAIT_SHORT_LIVED_ON,
  TB_WAIT_SHORT_LIVED_PAPER, /* all waiting is charged to the creator */
} TbWaitShortLived;

typedef struct
{
  TbSelection *target; /* NULL all */
  double threshold;    /* shares of the recorded time */
  double light_edge;
  guint set_aside; /* bits 1 << TbWaitAside */
  gboolean merge_similar;
  TbWaitShortLived merge_short_lived;
  TbWaitIdleMeasure device_idle;
  double device_capacity;
  TbSelection *workers;        /* NULL none */
  TbSelection *background;     /* NULL none */
  const char *work;            /* see tb_wait_work_new() */
  const char *const *apart;    /* merged vertices that are not to be: see TbWaitApart; NULL none */
  const char *const *new_work; /* functions: see tb_wait_find_new_work(); NULL none */
  const char *const *apply;    /* proposals: see tb_wait_apply(); NULL none */
} TbWaitOptions;

#define TB_WAIT_ASIDE_ALL                                                                                    \
  (1u << TB_ASIDE_TIMER | 1u << TB_ASIDE_INTERRUPT | 1u << TB_ASIDE_IDLE | 1u << TB_ASIDE_UNKNOWN            \
   | 1u << TB_ASIDE_LIGHT)

typedef struct
{
  TbTrace *trace; /* owned */
  gint64 from;
  gint64 to;
  gint64 recorded; /* ns, at least 1 */
  TbWaitModel *model;
  TbWaitDevices *devices;
  TbWaitGraph *graph;
  TbWaitKnots *knots;
  GHashTable *meanwhile; /* arc → TbWaitMeanwhile */
  TbWaitStacks *stacks;
  TbWaitLocks *locks;
  TbWaitCulprits *culprits;
  TbWaitWork *work;       /* NULL: no unit */
  GArray *proposals;      /* TbWaitProposal */
  TbWaitApplied *applied; /* NULL: nothing was asked for */
  GPtrArray *no_new_work; /* elements of that option that name nothing */
  gboolean has_target;
  gint64 light;       /* ns: below, an edge is light */
  TbWaitApart apart;  /* its texts are of the options */
  gint64 threshold;   /* ns */
  guint8 *workers;    /* by vertex: the user says that it is; NULL nobody */
  guint8 *background; /* likewise */
  guint8 *asked; /* by vertex: has a thread of the target, else of the recorded command; NULL everybody */
  guint32
      *heaviest_into; /* by vertex: the arc by which who is asked about waits most for it; TB_ID_NONE none */
} TbWaitResult;

/* What the page of the analysis says. */
void tb_wait_options_init (TbWaitOptions *self);

/* Wanting a cpu for so much of the time is told. */
#define TB_WAIT_OFTEN_RUNNABLE 0.05
/* Whether a vertex does, of several threads that are alike each on average. */
gboolean tb_wait_result_is_often_runnable (const TbWaitResult *self, guint32 vertex);

TbWaitResult *tb_wait_result_new (TbTrace *trace,
                                  gint64 from,
                                  gint64 to,
                                  const TbWaitOptions *options,
                                  TbProgressFunc progress,
                                  gpointer data,
                                  GCancellable *cancellable,
                                  GError **error);
void tb_wait_result_free (TbWaitResult *self);

/* Seeks knots again: roles is TbWaitRole by vertex. */
void tb_wait_result_apply_roles (TbWaitResult *self, const guint8 *roles);

/* What those do who are waited for by the first edge of a bottleneck, found when first asked for. NULL: no thread is, or it is in the
 * background. */
const TbWaitMeanwhile *tb_wait_result_get_meanwhile (const TbWaitResult *self,
                                                     const TbWaitBottleneck *bottleneck);

/* Whether any of those vertices is of what is asked about. */
gboolean tb_wait_result_is_asked (const TbWaitResult *self, const GArray *vertices);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (TbWaitResult, tb_wait_result_free)

G_END_DECLS
