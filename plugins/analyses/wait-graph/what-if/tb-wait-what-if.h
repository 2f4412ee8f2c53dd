/* tb-wait-what-if.h: how long it would take if something were different
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#pragma once

#include "report/tb-report.h"
#include "tb-wait-result.h"

G_BEGIN_DECLS

#define TB_WAIT_FIGURE_WHAT_IF "what-if"

typedef enum
{
  TB_WAIT_CHANGE_EDGE,    /* waits of one for the other take so much of what they took */
  TB_WAIT_CHANGE_AHEAD,   /* what the one waits for goes on while he does something else */
  TB_WAIT_CHANGE_SHARED,  /* the one does its part of what the other does while it waits */
  TB_WAIT_CHANGE_CALL,    /* what threads do and wait for in a system call takes so much of what it took */
  TB_WAIT_CHANGE_EVERY,   /* of so many calls only the last is made */
  TB_WAIT_CHANGE_THREADS, /* so many threads do what one did */
  TB_WAIT_CHANGE_DEVICE,  /* so many times as fast */
  TB_WAIT_CHANGE_LOCK,    /* nobody waits for it */
  TB_WAIT_CHANGE_CPUS,
} TbWaitChangeKind;

typedef struct
{
  TbWaitChangeKind kind;
  char *what; /* who waits, the device, the lock */
  char *whom; /* who is waited for */
  double factor;
  guint32 n_cpus;
} TbWaitChange;

/* What one recording says, as logarithms of times. */
typedef struct
{
  double before;          /* what a unit of work, or else the run took, as recorded */
  double ratio;           /* with the change to without */
  double variance;        /* of the ratio, if other parts of the run had come together */
  double variance_before; /* of what a run takes, likewise */
  double variance_after;
  double calm; /* how far the ratio is another where waking a thread takes no time, in both */
  double
      shallow; /* how far it is off at most where waking takes as recorded, or as much less as the wait does, where cpus are not known */
  double costs;   /* and where to wake threads takes all that was measured, or half of it */
  double at_once; /* and where who takes in at once what came saves all of that but the first part */
  double ahead;   /* and where of what is prepared ahead there is room for all, or for the next only */
  double others;  /* and where others, who had what was free of the cpus, take as much of what then is */
  double saved;   /* and where who need not wait saves nothing, or twice what a switch was measured to cost */
  double recorder; /* and where recording costs what the agent measured, not what was found */
  double cost;     /* of recording a switch with its waking, ns, that does; 0 not asked for */
  double rest;     /* how far the recording is slower than without a recorder for no reason that is known */
  double replay;   /* how much longer a replay without a change takes than what was recorded */
  guint32 n_stuck; /* threads that wait for what never comes, more than without the change */
} TbWaitEstimate;

/* What the interval is made of, as logarithms: chance half of what 90 % lie within; of the others how far it can be off, but for the
 * replay's own error, which is a standard deviation. */
typedef struct
{
  double chance;
  double waking; /* where waking a thread takes no time */
  double depth;  /* where it takes as much less as the wait does, or none, and cpus are not known */
  double sparing;
  double taking; /* what it saves to take in at once what came in parts */
  double costs;  /* what it takes to wake threads */
  double ahead;  /* how much of it there is room for */
  double others;
  double recording;
  double unexplained; /* slower while it is recorded, for no reason that is known */
  double replay;      /* how far it is off without a change: what it does not know of */
  double
      model; /* how far replays with a change were off where all else was known; a standard deviation, too */
} TbWaitSpread;

/* What replays with changes say. */
typedef struct
{
  char *change;
  gboolean is_throughput; /* else wall time, ns */
  GArray *estimates;      /* TbWaitEstimate, one for each recording */
  GArray *unrecorded; /* double: how many times as fast each run without a recorder was; NULL not measured */
  double before;      /* the mean of the recordings */
  double after;
  double low; /* above it lies what is measured after, the median of as many runs, in 19 of 20 cases */
  double high;
  TbWaitSpread spread;
  double deviation; /* of the replay without a change from the recording, share with its sign; the mean */
  guint64 n_waits;  /* of the first recording, as all below: that are different */
  gint64 waits_ns;
  guint32 n_stuck;
  guint32 n_threads;   /* that are played */
  guint32 n_clockwork; /* of them those that timers drive */
  guint64 n_signalled; /* their waits that end when who ended them comes to that */
  guint64 n_outside;   /* that take as long as they took */
  guint64 n_unplaced;  /* likewise, though a thread ended them */
} TbWaitPrediction;

typedef struct
{
  GArray *predictions; /* TbWaitPrediction */
} TbWaitWhatIf;

/* One change: "edge:A>B*0.5", "edge:A>B=ahead", "edge:A>B=shared",
 * "call:fdatasync*0", "call:fdatasync/8", "threads:NAME*2", "device:vda*2", "lock:NAME=free", "cpus=4"; several that come together are
 * separated by ';'. Returns TbWaitChange elements. */
GArray *tb_wait_parse_changes (const char *text, GError **error);
/* texts: each is predicted by itself. target: whose wall time, NULL: the processes whose waits change. unrecorded: doubles, how
 * many times as fast each run of the load was that was measured without a recorder; NULL or none: not measured. Their median
 * tells what recording costs, and how they differ how far what is measured does. */
TbWaitWhatIf *tb_wait_what_if_new (const TbWaitResult *result,
                                   const char *const *texts,
                                   TbSelection *target,
                                   GArray *unrecorded,
                                   GCancellable *cancellable,
                                   GError **error);
void tb_wait_what_if_free (TbWaitWhatIf *self);
/* Takes another recording of the same load into account: the same changes, predicted from that. FALSE: units of work are known of one
 * of them only, so that they tell different things. */
gboolean tb_wait_what_if_add (TbWaitWhatIf *self, const TbWaitWhatIf *other, GError **error);
/* From the estimates: what is expected, and between what it lies. */
void tb_wait_prediction_set_interval (TbWaitPrediction *self);

/* Whether what was recorded is too short, or too uneven, to tell it within twice as much or half. */
gboolean tb_wait_prediction_is_vague (const TbWaitPrediction *prediction);
/* A value of it with its unit. (transfer full) */
char *tb_wait_prediction_format (const TbWaitPrediction *prediction, double value);
/* Findings, and a table. */
void tb_wait_what_if_add_to_report (const TbWaitWhatIf *self, TbReport *report);
/* The member "what_if" of the summary. */
JsonNode *tb_wait_what_if_to_json (const TbWaitWhatIf *self);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (TbWaitWhatIf, tb_wait_what_if_free)

G_END_DECLS
