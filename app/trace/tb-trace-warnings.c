/* tb-trace-warnings.c: warnings about a recording, with advice: those of its session; lost events,
 * missing wake-ups, switches or stacks, contradictions, from the counts of the trace
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#include "config.h"

#include <inttypes.h>

#include <glib/gi18n-lib.h>

#include "trace/tb-trace-evidence.h"
#include "trace/tb-trace-private.h"
#include "trace/tb-trace-warnings-private.h"

static void
add_warning (GPtrArray *warnings, char *warning)
{
  g_ptr_array_add (warnings, warning);
}

#define SHOWN_NS 500 /* a shorter time would be shown as 0 */

/* Losses take no time if no event of the same CPU came before or after them. */
static void
warn_of_instant_loss (guint64 n_lost, GPtrArray *warnings)
{
  add_warning (warnings,
               g_strdup_printf (
                   ngettext ("%'" PRIu64 " event was lost while recording: waits and shares may be "
                             "incomplete. Record with a larger buffer or fewer events.",
                             "%'" PRIu64
                             " events were lost while recording: waits and shares may be "
                             "incomplete. Record with a larger buffer or fewer events.",
                             MIN (n_lost, G_MAXULONG)),
                   n_lost));
}

static void
warn_of_loss (TbTrace *self, GPtrArray *warnings)
{
  const TbTraceCounts *counts = &self->counts;

  if (counts->lost_events > 0 && counts->lost_ns < SHOWN_NS)
    warn_of_instant_loss (counts->lost_events, warnings);
  else if (counts->lost_events > 0)
    add_warning (
        warnings,
        g_strdup_printf (
            ngettext ("%'" PRIu64
                      " event was lost, in %.3f ms in total: states of threads in this time are "
                      "marked as unknown. Record with a larger buffer or fewer events.",
                      "%'" PRIu64
                      " events were lost, in %.3f ms in total: states of threads in this time are "
                      "marked as unknown. Record with a larger buffer or fewer events.",
                      MIN (counts->lost_events, G_MAXULONG)),
            counts->lost_events, counts->lost_ns / 1e6));
  if (counts->cpus_without_idle > 0)
    add_warning (
        warnings,
        g_strdup_printf (
            ngettext ("%u CPU has switches to its idle task and none from it: events during its "
                      "idle time were not recorded. States of threads that start to run there are "
                      "unknown until they leave the CPU, and wake-ups from its interrupts are "
                      "missing. Record with the eBPF collector.",
                      "%u CPUs have switches to their idle task and none from it: events during "
                      "their idle time were not recorded. States of threads that start to run "
                      "there are unknown until they leave the CPU, and wake-ups from their "
                      "interrupts are missing. Record with the eBPF collector.",
                      counts->cpus_without_idle),
            counts->cpus_without_idle));
}

static void
warn_of_wakeups (TbTrace *self, GPtrArray *warnings)
{
  const TbTraceCounts *counts = &self->counts;
  guint64 n_switches = tb_table_get_n_rows (tb_session_get_table (self->session, TB_TABLE_SWITCH));
  guint64 n_wakeups = tb_table_get_n_rows (tb_session_get_table (self->session, TB_TABLE_WAKEUP));
  guint64 n_waits = 0;

  /* Wake-ups by other threads are missing in any case, which the evidence describes. */
  if (self->evidence->switches == TB_SWITCHES_THREAD)
    return;
  if (n_switches > 0 && n_wakeups == 0)
    {
      add_warning (warnings,
                   g_strdup (_ (
                       "No wake-ups were recorded: the times that threads wait for a CPU and the "
                       "causes that end waits are unknown. Record the event sched_waking.")));
      return;
    }
  if (counts->late_wakeups > 0)
    add_warning (warnings,
                 g_strdup (_ ("Wake-ups were recorded with sched_wakeup only, which may happen on "
                              "another CPU than that of the waker: the waker of a thread is known "
                              "outside interrupts only. Record the event sched_waking.")));
  if (counts->sleeps_without_wakeup == 0)
    return;
  for (gsize i = 0; i < self->intervals.n; i++)
    n_waits += self->intervals.state[i] >= TB_STATE_INTERRUPTIBLE;
  /* Single sleeps are counted in the report; a warning is given only if they affect the whole
   * recording. */
  if (counts->sleeps_without_wakeup * 20 >= n_waits && counts->cpus_without_idle == 0)
    add_warning (
        warnings,
        g_strdup_printf (
            ngettext ("%'" PRIu64 " of %'" PRIu64
                      " waits ended without a recorded wake-up: events are missing although no "
                      "loss was reported. The cause that ended this wait is unknown.",
                      "%'" PRIu64 " of %'" PRIu64
                      " waits ended without a recorded wake-up: events are missing although no "
                      "loss was reported. The causes that ended these waits are unknown.",
                      MIN (counts->sleeps_without_wakeup, G_MAXULONG)),
            counts->sleeps_without_wakeup, n_waits));
}

static void
warn_of_contradictions (TbTrace *self, GPtrArray *warnings)
{
  const TbTraceCounts *counts = &self->counts;
  guint64 n_switches = tb_table_get_n_rows (tb_session_get_table (self->session, TB_TABLE_SWITCH));

  if (self->evidence->switches != TB_SWITCHES_SYSTEM)
    add_warning (warnings, tb_evidence_describe (self->evidence));
  if (n_switches > 0 && counts->unknown_switch_outs * 100 >= n_switches
      && counts->cpus_without_idle == 0 && counts->lost_events == 0)
    add_warning (
        warnings,
        g_strdup_printf (
            ngettext (
                "%'" PRIu64
                " time, a thread left a CPU on which it was not known to run: switches are missing "
                "although no loss was reported. The time before is marked as unknown.",
                "%'" PRIu64
                " times, a thread left a CPU on which it was not known to run: switches are "
                "missing although no loss was reported. The time before is marked as unknown.",
                MIN (counts->unknown_switch_outs, G_MAXULONG)),
            counts->unknown_switch_outs));
  if (n_switches > 0 && !self->evidence->has_stacks
      && tb_table_get_n_rows (tb_session_get_table (self->session, TB_TABLE_STACK)) > 1)
    add_warning (warnings,
                 g_strdup (_ ("Thread switches were recorded without stacks: in which functions "
                              "threads wait is unknown. Record the event sched_switch with "
                              "stacks.")));
  else if (n_switches > 0 && !self->evidence->has_stacks)
    add_warning (warnings, g_strdup (_ ("No stacks were recorded: waits have no function names, "
                                        "and flame figures are missing. Record with stacks.")));
}

GStrv
tb_trace_make_warnings (TbTrace *self)
{
  g_autoptr (GPtrArray) warnings = g_ptr_array_new_with_free_func (g_free);
  const char *const *of_session = tb_session_get_warnings (self->session);

  for (guint i = 0; of_session != NULL && of_session[i] != NULL; i++)
    add_warning (warnings, g_strdup (of_session[i]));
  warn_of_loss (self, warnings);
  warn_of_wakeups (self, warnings);
  warn_of_contradictions (self, warnings);
  g_ptr_array_add (warnings, NULL);
  return (GStrv) g_ptr_array_free (g_steal_pointer (&warnings), FALSE);
}
