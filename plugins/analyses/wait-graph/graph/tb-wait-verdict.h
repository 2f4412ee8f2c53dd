/* tb-wait-verdict.h: what limits the throughput, as far as it is known; the headline and the first
 * findings of the report are made from it, so that none of them contradicts another
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#pragma once

#include "tb-wait-scope-load.h"

G_BEGIN_DECLS

/* In the order in which they are examined. */
typedef enum
{
  TB_WAIT_VERDICT_NO_SWITCHES,
  TB_WAIT_VERDICT_NO_CAUSES,
  TB_WAIT_VERDICT_LOST,         /* too little is known of the time */
  TB_WAIT_VERDICT_KNOT,         /* a knot in the foreground */
  TB_WAIT_VERDICT_EXECUTION,    /* a single vertex that is busy */
  TB_WAIT_VERDICT_UNKNOWN_LOAD, /* a thread may have been busy in what was not recorded */
  TB_WAIT_VERDICT_TURNS,      /* no thread is, but nearly always one of them runs or wants a CPU */
  TB_WAIT_VERDICT_BACKGROUND, /* threads wait in a circle, probably in the background */
  TB_WAIT_VERDICT_REQUESTS,   /* all sleep for most of the time, until there are requests */
  TB_WAIT_VERDICT_TIMERS,     /* likewise, until timers expire */
  TB_WAIT_VERDICT_ASLEEP,     /* likewise, until anything else */
} TbWaitVerdictKind;

typedef struct _TbWaitVerdict TbWaitVerdict;

struct _TbWaitVerdict
{
  TbWaitVerdictKind kind;
  double unknown_share; /* share of the threads' lives in which they may have done anything */
  guint32 bottleneck;   /* of a knot: its index; TB_ID_NONE: none */
  guint32 component;    /* of execution: its index; TB_ID_NONE: none */
  guint n_unknown;      /* vertices that may have been busy for more than half of their lives */
  guint32 unknown;      /* that of them with the most unknown time; TB_ID_NONE: none */
  gint64 unknown_ns;    /* of that one, of each thread */
  TbWaitScopeLoad load; /* all 0 where it decides nothing */
};

/* The verdict of a result, made at the first call. */
const TbWaitVerdict *tb_wait_verdict_get (const TbWaitResult *result);

/* Whether removing the waits of a bottleneck gains next to nothing. A disk that is hardly used, for
 * example, makes a knot of all that once wait for it. */
gboolean tb_wait_bottleneck_is_negligible (const TbWaitResult *result,
                                           const TbWaitBottleneck *bottleneck);

/* Whether nothing can be concluded. */
static inline gboolean
tb_wait_verdict_is_open (const TbWaitVerdict *self)
{
  return self->kind <= TB_WAIT_VERDICT_LOST;
}

G_END_DECLS
