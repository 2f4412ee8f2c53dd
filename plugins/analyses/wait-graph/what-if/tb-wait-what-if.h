/* tb-wait-what-if.h: what-if predictions: parsing of changes, throughput or wall time after each,
 * by replays of one or several recordings, interval, report
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#pragma once

#include "report/tb-report.h"
#include "graph/tb-wait-result.h"

G_BEGIN_DECLS

#define TB_WAIT_FIGURE_WHAT_IF "what-if"

typedef enum
{
  TB_WAIT_CHANGE_EDGE, /* waits of one node for another take a multiple of their time */
  /* what a thread waits for is prepared while the thread does something else */
  TB_WAIT_CHANGE_AHEAD,
  TB_WAIT_CHANGE_SHARED,  /* the waiter does its part of the other's work while it waits */
  TB_WAIT_CHANGE_CALL,    /* running and waiting in a system call take a multiple of their time */
  TB_WAIT_CHANGE_EVERY,   /* of so many calls only the last is made */
  TB_WAIT_CHANGE_THREADS, /* so many threads do the work of one */
  TB_WAIT_CHANGE_DEVICE,  /* the device is so many times as fast */
  TB_WAIT_CHANGE_LOCK,    /* no thread waits for the lock */
  TB_WAIT_CHANGE_CPUS,
} TbWaitChangeKind;

typedef struct
{
  TbWaitChangeKind kind;
  char *what;    /* the waiter, the device, the lock, and so on */
  char *awaited; /* the node that is waited for */
  double factor;
  guint32 n_cpus;
} TbWaitChange;

/* The estimate from one recording; times are logarithms. */
typedef struct
{
  double before;          /* time of a unit of work, or else of the run, as recorded */
  double ratio;           /* of the time with the change to that without */
  double variance;        /* of the ratio, over other combinations of parts of the run */
  double variance_before; /* of the time of a run, likewise */
  double variance_after;
  double
      no_wakeup_delay; /* how much the ratio differs if waking a thread takes no time, in both runs */
  /* how much it may differ where CPUs are not known: between wake-up delays as recorded and delays
   * that shrink with the wait */
  double short_wakeup_delay;
  double costs;   /* if wakers pay all of the measured wake-up cost, or none */
  double at_once; /* if reading at once saves all but the first part */
  double ahead;   /* between room for all that is prepared ahead and room for the next item only */
  double external_load; /* if external load competes for the CPU time that is no longer free */
  double saved;         /* if a spared wait saves nothing, or twice the measured cost of a switch */
  double recorder;      /* between the measured and the calibrated cost of recording */
  /* calibrated cost of recording a switch with its wake-up, ns; 0: not calibrated */
  double cost;
  /* how much slower the recording is than a run without a recorder, for no known reason */
  double rest;
  double replay;   /* how much longer the replay without a change takes than the recording */
  guint32 n_stuck; /* threads left in a wait that never ends, beyond those without the change */
} TbWaitEstimate;

/* The components of the interval, as logarithms. chance is half the width of the 90 % range. replay
 * and model are standard deviations. The others are limits. */
typedef struct
{
  double chance;
  double waking; /* time to wake a thread */
  double depth;  /* wake-up delay after a shorter wait, where CPUs are not known */
  double sparing;
  double taking; /* saving by reading at once what came in parts */
  double costs;  /* cost of wake-ups */
  double ahead;  /* room for what is prepared ahead */
  double external_load;
  double recording;
  double unexplained; /* slowdown by recording for no known reason */
  double replay;      /* deviation of the replay without a change, due to effects that it misses */
  double model;       /* deviation of replays with a change where everything else was known */
} TbWaitSpread;

/* The prediction for one change. */
typedef struct
{
  char *change;
  gboolean is_throughput; /* otherwise wall time, ns */
  GArray *estimates;      /* TbWaitEstimate, one for each recording */
  GArray
      *baseline_speedups; /* double: speed-up of each run without a recorder; NULL: not measured */
  double before;          /* mean of the recordings */
  double after;
  double low; /* exceeded in 19 of 20 cases by the measured value, the median of as many runs */
  double high;
  TbWaitSpread spread;
  /* relative deviation of the replay without a change from the recording, with its sign; the
   * mean */
  double deviation;
  guint64 n_waits; /* waits that change, of the first recording, as all counts below */
  gint64 waits_ns;
  guint32 n_stuck;
  guint32 n_threads;  /* replayed threads */
  guint32 n_periodic; /* periodic ones among them */
  /* their waits that end when the ending thread or request reaches that point */
  guint64 n_signalled;
  guint64 n_outside;  /* their waits that keep their recorded length */
  guint64 n_unplaced; /* likewise, although a thread ended them */
} TbWaitPrediction;

typedef struct
{
  GArray *predictions; /* TbWaitPrediction */
} TbWaitWhatIf;

/*
 * One change: "edge:A>B*0.5", "edge:A>B=ahead", "edge:A>B=shared", "call:fdatasync*0",
 * "call:fdatasync/8", "threads:NAME*2", "device:vda*2", "lock:NAME=free", "cpus=4"; several that
 * apply together are separated by ';'. Returns TbWaitChange elements.
 */
GArray *tb_wait_parse_changes (const char *text, GError **error);
/* texts: changes; each is predicted by itself. target: the threads of which the wall time is
 * predicted; NULL: the processes with waits that change. baseline_speedups: doubles, the speed-up
 * of each run of the load that was measured without a recorder; NULL or empty: not measured. Their
 * median determines the cost of recording, and their variance is used for that of measured runs. */
TbWaitWhatIf *tb_wait_what_if_new (const TbWaitResult *result,
                                   const char *const *texts,
                                   TbSelection *target,
                                   GArray *baseline_speedups,
                                   GCancellable *cancellable,
                                   GError **error);
void tb_wait_what_if_free (TbWaitWhatIf *self);
/* Adds the predictions of the same changes from another recording of the same load. Returns FALSE
 * if only one of the two recordings has units of work, because they then predict different
 * quantities. */
gboolean tb_wait_what_if_add (TbWaitWhatIf *self, const TbWaitWhatIf *other, GError **error);
/* Computes the expected value and the interval from the estimates. */
void tb_wait_prediction_set_interval (TbWaitPrediction *self);

/* Whether the recording is too short or too uneven to predict the value within a factor of two. */
gboolean tb_wait_prediction_is_vague (const TbWaitPrediction *prediction);
/* Formats a value of the prediction with its unit. (transfer full) */
char *tb_wait_prediction_format (const TbWaitPrediction *prediction, double value);
/* Adds findings and a table. */
void tb_wait_what_if_add_to_report (const TbWaitWhatIf *self, TbReport *report);
/* The member "what_if" of the summary. */
JsonNode *tb_wait_what_if_to_json (const TbWaitWhatIf *self);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (TbWaitWhatIf, tb_wait_what_if_free)

G_END_DECLS
