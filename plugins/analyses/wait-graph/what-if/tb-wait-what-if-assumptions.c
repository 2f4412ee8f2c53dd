/* tb-wait-what-if-assumptions.c: table of the assumptions of replays; repetition of a prediction
 * under each other assumption, to find how much it depends on each
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 *
 * A recording does not show everything that a replay needs, so that replays assume the rest. Each
 * row of the table is another assumption. The prediction is repeated under that one alone. The
 * difference of its logarithm is a limit of the interval (tb-wait-what-if-interval.c).
 */

#include "config.h"

#include <math.h>

#include "what-if/tb-wait-what-if-assumptions.h"
#include "what-if/tb-wait-what-if-parts.h"

/* A spared wait saves at most so many times the measured cost of a switch, and at least nothing. */
#define SAVED_TIMES 2

/* Changes what a replay assumes. */
typedef void (*AssumeFunc) (TbReplayChange *replay, const TbWaitChanges *what);
/* Whether the property matters for the change and is not known from the recording. */
typedef gboolean (*AppliesFunc) (const TbWaitChanges *what);

typedef struct
{
  AssumeFunc assume;
  AppliesFunc applies;
  gsize member; /* offset of the double in TbWaitEstimate that is set to the difference */
  /* The estimate is the middle between both assumptions, so that half the difference is its limit.
   * Otherwise the estimate is under the original assumption. */
  gboolean is_halved;
} Assumption;

static void
assume_no_wakeup_delays (TbReplayChange *replay, const TbWaitChanges *what G_GNUC_UNUSED)
{
  replay->no_delays = TRUE;
}

static void
assume_shrinking_wakeup_delays (TbReplayChange *replay, const TbWaitChanges *what G_GNUC_UNUSED)
{
  replay->shrinks = TRUE;
}

static void
assume_costly_switches (TbReplayChange *replay, const TbWaitChanges *what)
{
  replay->saved = what->recording->switch_ns * SAVED_TIMES;
}

static void
assume_wakers_pay (TbReplayChange *replay, const TbWaitChanges *what G_GNUC_UNUSED)
{
  replay->waking_share = 1;
}

static void
assume_reads_at_once (TbReplayChange *replay, const TbWaitChanges *what G_GNUC_UNUSED)
{
  replay->at_once = 1;
}

static void
assume_room_for_one_batch (TbReplayChange *replay, const TbWaitChanges *what)
{
  replay->batches = what->batches;
}

static gboolean
always (const TbWaitChanges *what G_GNUC_UNUSED)
{
  return TRUE;
}

static gboolean
cpus_are_unknown (const TbWaitChanges *what)
{
  return what->recording->program->scheduler_model == NULL;
}

static gboolean
has_streams (const TbWaitChanges *what)
{
  return what->n_streams > 0;
}

/* Rows with has_streams change nothing in the replay without the change, which has no stream. */
static const Assumption assumptions[] = {
  /* Waking a thread takes no time. The original replays repeat recorded delays. */
  { assume_no_wakeup_delays, always, G_STRUCT_OFFSET (TbWaitEstimate, no_wakeup_delay), FALSE },
  /* Delays shrink with the wait before them: a CPU that was idle for less time wakes up faster.
   * Where CPUs are known, the scheduler model has the delays by idle time. */
  { assume_shrinking_wakeup_delays, cpus_are_unknown,
    G_STRUCT_OFFSET (TbWaitEstimate, short_wakeup_delay), TRUE },
  /* A spared wait saves twice the cost of a switch. The cost was measured in a loop. */
  { assume_costly_switches, always, G_STRUCT_OFFSET (TbWaitEstimate, saved), FALSE },
  /* Wakers pay all of the measured cost of wake-ups. Wakers of the original replays pay half. */
  { assume_wakers_pay, always, G_STRUCT_OFFSET (TbWaitEstimate, costs), FALSE },
  /* Reading at once saves all but the first part. How much each part cost is not known. */
  { assume_reads_at_once, has_streams, G_STRUCT_OFFSET (TbWaitEstimate, at_once), FALSE },
  /* There is room for one batch of what is prepared ahead. The size of the room is not known. */
  { assume_room_for_one_batch, has_streams, G_STRUCT_OFFSET (TbWaitEstimate, ahead), TRUE },
};

/* Sets difference to how much the logarithm of the ratio of both replays differs from the given
 * one; 0: a replay has no duration. Returns FALSE if cancelled. */
static gboolean
compare (const TbWaitPredictor *self,
         const TbReplayChange *plain,
         const TbReplayChange *change,
         double ratio,
         double *difference,
         GCancellable *cancellable,
         GError **error)
{
  double length, changed;

  if (!tb_wait_parts_measure_replay (self, plain, NULL, &length, cancellable, error)
      || !tb_wait_parts_measure_replay (self, change, NULL, &changed, cancellable, error))
    return FALSE;
  *difference = length > 0 && changed > 0 ? log (changed / length) - ratio : 0;
  return TRUE;
}

gboolean
tb_wait_assumptions_vary (const TbWaitPredictor *self,
                          const TbWaitChanges *what,
                          const TbReplayChange *plain,
                          const TbReplayChange *change,
                          TbWaitEstimate *estimate,
                          GCancellable *cancellable,
                          GError **error)
{
  double middle = 0;

  for (guint i = 0; i < G_N_ELEMENTS (assumptions); i++)
    {
      const Assumption *assumption = &assumptions[i];
      double *difference = G_STRUCT_MEMBER_P (estimate, assumption->member);
      TbReplayChange other_plain = *plain, other_change = *change;

      if (!assumption->applies (what))
        continue;
      assumption->assume (&other_plain, what);
      assumption->assume (&other_change, what);
      if (!compare (self, &other_plain, &other_change, estimate->ratio, difference, cancellable,
                    error))
        return FALSE;
      if (!assumption->is_halved)
        continue;
      *difference /= 2;
      middle += *difference;
    }
  estimate->ratio += middle;
  return TRUE;
}
