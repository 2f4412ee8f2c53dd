/* tb-wait-what-if-prediction.h: prediction for one change: estimates of the recordings, expected
 * value and its interval
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#pragma once

#include <glib.h>

G_BEGIN_DECLS

/* The estimate from one recording; times are logarithms. */
typedef struct
{
  double before;          /* time of a unit of work, or else of the run, as recorded */
  double ratio;           /* of the time with the change to that without */
  double variance;        /* of the ratio, over other combinations of parts of the run */
  double variance_before; /* of the time of a run, likewise */
  double variance_after;
  /* how much the ratio differs if waking a thread takes no time, in both runs */
  double no_wakeup_delay;
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

/* Computes the expected value and the interval from the estimates. */
void tb_wait_prediction_set_interval (TbWaitPrediction *self);

/* Whether the recording is too short or too uneven to predict the value within a factor of two. */
gboolean tb_wait_prediction_is_vague (const TbWaitPrediction *prediction);
/* Formats a value of the prediction with its unit. (transfer full) */
char *tb_wait_prediction_format (const TbWaitPrediction *prediction, double value);

G_END_DECLS
