/* tb-trace-warnings.c: warnings and remarks about a recording: those of its session; lost events,
 * unreported switches and wake-ups by their share of the time; kinds of events that are missing
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#include "config.h"

#include <inttypes.h>

#include <glib/gi18n-lib.h>

#include "trace/tb-trace-evidence.h"
#include "trace/tb-trace-losses-private.h"
#include "trace/tb-trace-private.h"
#include "trace/tb-trace-warnings-private.h"

/* Warnings are shown before all results of the recording. Remarks are about losses that are too
 * small to change one: they are shown at its end. */
typedef struct
{
  TbTrace *trace;
  TbLosses losses;
  GPtrArray *warnings;
  GPtrArray *remarks;
} Lister;

/* Takes ownership of text. */
static void
add_warning (Lister *self, char *text)
{
  g_ptr_array_add (self->warnings, text);
}

/* Takes ownership of text. share: of the time, or of the events. */
static void
add_loss (Lister *self, double share, char *text)
{
  g_ptr_array_add (share > TB_LOSS_SHARE ? self->warnings : self->remarks, text);
}

/* "3.2 %" */
static char *
format_share (double share)
{
  double percent = share * 100;

  if (percent > 0 && percent < 0.01)
    return g_strdup_printf ("<%.2f %%", 0.01);
  return g_strdup_printf ("%.*f %%", percent < 0.0995 ? 2 : percent < 9.95 ? 1 : 0, percent);
}

#define SHOWN_NS 500 /* a shorter time would be shown as 0 */

/* Losses take no time if no event of the same CPU came before or after them. Their share of the
 * events is what is known of them. */
static void
list_instant_loss (Lister *self, guint64 n_lost)
{
  guint64 n_events = 0;
  double share;
  g_autofree char *share_text = NULL;

  for (TbTableKind kind = 0; kind < TB_N_TABLES; kind++)
    if (TB_TABLE_IS_EVENT (kind))
      n_events += tb_table_get_n_rows (tb_session_get_table (self->trace->session, kind));
  share = (double) n_lost / ((double) n_events + (double) n_lost);
  share_text = format_share (share);
  add_loss (self, share,
            g_strdup_printf (
                ngettext ("%'" PRIu64 " event was lost (%s of the events): waits and shares may be "
                          "incomplete. Record with a larger buffer or fewer events.",
                          "%'" PRIu64
                          " events were lost (%s of the events): waits and shares may be "
                          "incomplete. Record with a larger buffer or fewer events.",
                          MIN (n_lost, G_MAXULONG)),
                n_lost, share_text));
}

static void
list_loss (Lister *self)
{
  const TbTraceCounts *counts = &self->trace->counts;

  if (counts->lost_events > 0
      && (counts->lost_ns < SHOWN_NS
          || tb_trace_get_evidence (self->trace)->switches == TB_SWITCHES_NONE))
    list_instant_loss (self, counts->lost_events);
  else if (counts->lost_events > 0)
    {
      g_autofree char *share = format_share (self->losses.lost_share);

      add_loss (
          self, self->losses.lost_share,
          g_strdup_printf (
              ngettext (
                  "%'" PRIu64
                  " event was lost: states of threads are unknown in %.3f ms, %s of the time. "
                  "Record with a larger buffer or fewer events.",
                  "%'" PRIu64
                  " events were lost: states of threads are unknown in %.3f ms, %s of the "
                  "time. Record with a larger buffer or fewer events.",
                  MIN (counts->lost_events, G_MAXULONG)),
              counts->lost_events, counts->lost_ns / 1e6, share));
    }
  if (counts->cpus_without_idle > 0)
    add_warning (
        self,
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

static guint64
count_rows (Lister *self, TbTableKind kind)
{
  return tb_table_get_n_rows (tb_session_get_table (self->trace->session, kind));
}

static void
list_wakeups (Lister *self)
{
  const TbTraceCounts *counts = &self->trace->counts;
  g_autofree char *share = NULL;

  /* Wake-ups by other threads are missing in any case, which the evidence describes. */
  if (self->trace->evidence->switches == TB_SWITCHES_THREAD)
    return;
  if (count_rows (self, TB_TABLE_SWITCH) > 0 && count_rows (self, TB_TABLE_WAKEUP) == 0)
    {
      add_warning (self,
                   g_strdup (_ (
                       "No wake-ups were recorded: the times that threads wait for a CPU and the "
                       "causes that end waits are unknown. Record the event sched_waking.")));
      return;
    }
  if (counts->late_wakeups > 0)
    add_warning (self,
                 g_strdup (_ ("Wake-ups were recorded with sched_wakeup only, which may happen on "
                              "another CPU than that of the waker: the waker of a thread is known "
                              "outside interrupts only. Record the event sched_waking.")));
  /* Those of threads that are not shown change no result. */
  if (counts->sleeps_without_wakeup == 0 || self->losses.n_no_cause == 0
      || counts->cpus_without_idle > 0)
    return;
  share = format_share (self->losses.no_cause_share);
  add_loss (
      self, self->losses.no_cause_share,
      g_strdup_printf (ngettext ("The kernel did not report what ended %'" PRIu64 " of %'" PRIu64
                                 " waits: the cause of %s of the time is unknown.",
                                 "The kernel did not report what ended %'" PRIu64 " of %'" PRIu64
                                 " waits: the causes of %s of the time are unknown.",
                                 MIN (self->losses.n_no_cause, G_MAXULONG)),
                       self->losses.n_no_cause, self->losses.n_waits, share));
}

static void
list_unreported_switches (Lister *self)
{
  const TbTraceCounts *counts = &self->trace->counts;
  guint64 n = MIN (counts->unknown_switch_outs, self->losses.n_unknown);
  g_autofree char *share = NULL;

  /* Where events were lost, these are among them. */
  if (n == 0 || counts->cpus_without_idle > 0 || counts->lost_events > 0)
    return;
  share = format_share (self->losses.unknown_share);
  add_loss (self, self->losses.unknown_share,
            g_strdup_printf (ngettext ("The kernel did not report %'" PRIu64
                                       " switch: %s of the time is unknown.",
                                       "The kernel did not report %'" PRIu64
                                       " switches: %s of the time is unknown.",
                                       MIN (n, G_MAXULONG)),
                             n, share));
}

static void
list_missing_kinds (Lister *self)
{
  TbTrace *trace = self->trace;
  guint64 n_switches = count_rows (self, TB_TABLE_SWITCH);

  if (trace->evidence->switches != TB_SWITCHES_SYSTEM)
    add_warning (self, tb_evidence_describe (trace->evidence));
  if (n_switches > 0 && !trace->evidence->has_stacks && count_rows (self, TB_TABLE_STACK) > 1)
    add_warning (self,
                 g_strdup (_ ("Thread switches were recorded without stacks: in which functions "
                              "threads wait is unknown. Record the event sched_switch with "
                              "stacks.")));
  else if (n_switches > 0 && !trace->evidence->has_stacks)
    add_warning (self, g_strdup (_ ("No stacks were recorded: waits have no function names, "
                                    "and flame figures are missing. Record with stacks.")));
}

static void
list_of_session (Lister *self)
{
  const char *const *warnings = tb_session_get_warnings (self->trace->session);
  const char *fact = tb_session_get_fact (self->trace->session, TB_FACT_REMARKS);
  g_auto (GStrv) remarks = g_strsplit (fact != NULL ? fact : "", "\n", -1);

  for (guint i = 0; warnings != NULL && warnings[i] != NULL; i++)
    add_warning (self, g_strdup (warnings[i]));
  for (guint i = 0; remarks[i] != NULL; i++)
    if (remarks[i][0] != '\0')
      g_ptr_array_add (self->remarks, g_strdup (remarks[i]));
}

void
tb_trace_make_warnings (TbTrace *self)
{
  Lister lister = { .trace = self,
                    .warnings = g_ptr_array_new_with_free_func (g_free),
                    .remarks = g_ptr_array_new_with_free_func (g_free) };

  tb_trace_measure_losses (self, &lister.losses);
  list_of_session (&lister);
  list_loss (&lister);
  list_wakeups (&lister);
  list_unreported_switches (&lister);
  list_missing_kinds (&lister);
  g_ptr_array_add (lister.warnings, NULL);
  g_ptr_array_add (lister.remarks, NULL);
  self->warnings = (GStrv) g_ptr_array_free (lister.warnings, FALSE);
  self->remarks = (GStrv) g_ptr_array_free (lister.remarks, FALSE);
}
