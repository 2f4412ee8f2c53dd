/* tb-wait-proposal-findings.c: findings about annotations that the program lacks: those proposed,
 * and those applied to the analysis
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#include "config.h"

#include "tb-wait-proposal-findings.h"

#include <glib/gi18n.h>
#include <inttypes.h>
#include <math.h>

#include "output/tb-wait-figures.h"
#include "model/tb-wait-names.h"
#include "tb-wait-finding-values.h"

#define PROPOSALS_SHOWN 6

/* "A is probably busy waiting in spin, 3 times, probably for B. …" */
static char *
describe_spin (const TbWaitProposal *proposal,
               const char *name,
               const char *function,
               const char *waker)
{
  g_autofree char *ns = tb_format_duration (proposal->ns);
  g_autofree char *text = NULL;

  if (waker != NULL)
    text = g_strdup_printf (
        ngettext ("%s is probably busy waiting in %s, %'" PRIu64
                  " time, probably for %s. If so, mark where it begins and ends: %s of running "
                  "would count as waiting. Nothing was changed.",
                  "%s is probably busy waiting in %s, %'" PRIu64
                  " times, probably for %s. If so, mark where it begins and ends: %s of running "
                  "would count as waiting. Nothing was changed.",
                  proposal->count),
        name, function, proposal->count, waker, ns);
  else
    text = g_strdup_printf (ngettext ("%s is probably busy waiting in %s, %'" PRIu64
                                      " time. If so, mark where it begins and ends: %s of running "
                                      "would count as waiting. Nothing was changed.",
                                      "%s is probably busy waiting in %s, %'" PRIu64
                                      " times. If so, mark where it begins and ends: %s of running "
                                      "would count as waiting. Nothing was changed.",
                                      proposal->count),
                            name, function, proposal->count, ns);
  return g_strconcat (
      text,
      _ (" No other thread that shares its memory ran every time that the busy waiting ended."),
      NULL);
}

static char *
describe_false_wakeup (const TbWaitProposal *proposal, const char *name, const char *function)
{
  g_autofree char *ns = tb_format_duration (proposal->ns);

  return g_strdup_printf (
      ngettext ("%s was probably woken in vain %'" PRIu64
                " time: it sleeps again at once in %s. If so, mark that as a false wake-up: %s of "
                "waiting would count for the last waker instead. Nothing was changed.",
                "%s was probably woken in vain %'" PRIu64
                " times: it sleeps again at once in %s. If so, mark that as a false wake-up: %s of "
                "waiting would count for the last waker instead. Nothing was changed.",
                proposal->count),
      name, proposal->count, function, ns);
}

/* The time that would count differently: waiting of a false wake-up, running of a busy wait. */
static void
set_candidate (TbFinding *finding,
               TbWaitProposalKind kind,
               const char *function,
               guint64 count,
               gint64 ns)
{
  tb_finding_set_string (finding, "function", function);
  tb_finding_set_integer (finding, "count", (gint64) count);
  tb_finding_set_time (finding, kind == TB_WAIT_PROPOSE_FALSE_WAKEUP ? "wait_ns" : "running_ns",
                       ns);
}

static void
add_proposal (TbReport *report, const TbWaitResult *result, const TbWaitProposal *proposal)
{
  gboolean is_false_wakeup = proposal->kind == TB_WAIT_PROPOSE_FALSE_WAKEUP;
  g_autofree char *item = tb_wait_proposal_get_text (result->graph, proposal);
  g_autofree char *name = tb_wait_vertex_describe_translated (result->graph, proposal->vertex);
  g_autofree char *function = tb_trace_get_stack_label (result->trace, proposal->stack);
  g_autofree char *waker = proposal->waker != TB_ID_NONE
                               ? tb_wait_vertex_describe (result->graph, proposal->waker)
                               : NULL;
  const char *shown = function != NULL ? function : "?";
  g_autofree char *text = is_false_wakeup ? describe_false_wakeup (proposal, name, shown)
                                          : describe_spin (proposal, name, shown, waker);
  /* The time of several threads is a sum. */
  TbFinding *finding = tb_finding_new (TB_SEVERITY_INFO, text, TB_TIME_NONE,
                                       MIN (tb_wait_get_share (result, proposal->ns), 1));

  tb_finding_set_code (finding, is_false_wakeup ? "false-wakeup-candidate" : "busy-wait-candidate");
  set_candidate (finding, proposal->kind, function, proposal->count, proposal->ns);
  tb_wait_finding_set_vertex (finding, result, proposal->vertex);
  if (!is_false_wakeup)
    tb_finding_set_string (finding, "waker", waker);
  tb_finding_set_range (finding, proposal->from, proposal->to);
  tb_finding_set_place (finding, TB_WAIT_FIGURE_PROPOSALS, item);
  tb_report_add_finding (report, finding);
}

/* A deviation from what was recorded is always reported. */
static void
add_applied (TbReport *report, const TbWaitAppliedProposal *taken)
{
  g_autofree char *ns = tb_format_duration (taken->ns);
  const char *function = taken->function != NULL ? taken->function : "?";
  g_autofree char *text = NULL;
  TbFinding *finding;

  if (taken->kind == TB_WAIT_PROPOSE_FALSE_WAKEUP)
    text = g_strdup_printf (ngettext ("Applied: %s counts as woken in vain %'" PRIu64
                                      " time in %s; %s of waiting count for the last waker.",
                                      "Applied: %s counts as woken in vain %'" PRIu64
                                      " times in %s; %s of waiting count for the last waker.",
                                      taken->count),
                            taken->name, taken->count, function, ns);
  else
    text = g_strdup_printf (ngettext ("Applied: %s counts as busy waiting %'" PRIu64
                                      " time in %s; %s of running count as waiting.",
                                      "Applied: %s counts as busy waiting %'" PRIu64
                                      " times in %s; %s of running count as waiting.",
                                      taken->count),
                            taken->name, taken->count, function, ns);
  finding = tb_finding_new (TB_SEVERITY_INFO, text, TB_TIME_NONE, NAN);
  tb_finding_set_code (finding, taken->kind == TB_WAIT_PROPOSE_FALSE_WAKEUP ? "applied-false-wakeup"
                                                                            : "applied-busy-wait");
  set_candidate (finding, taken->kind, taken->function, taken->count, taken->ns);
  tb_finding_set_string (finding, "name", taken->name);
  tb_finding_set_place (finding, TB_WAIT_FIGURE_PROPOSALS, taken->text);
  tb_report_add_finding (report, finding);
}

/* Adds annotations that would make the graph more exact. They are proposed, never assumed. */
void
tb_wait_add_proposals (TbReport *report, const TbWaitResult *result)
{
  guint n_shown = 0;

  for (guint i = 0; result->applied != NULL && i < result->applied->taken->len; i++)
    add_applied (report, &g_array_index (result->applied->taken, TbWaitAppliedProposal, i));
  for (guint i = 0; i < result->proposals->len; i++)
    {
      const TbWaitProposal *proposal = &g_array_index (result->proposals, TbWaitProposal, i);

      if (n_shown < PROPOSALS_SHOWN && proposal->ns >= result->light
          && (result->targeted == NULL || result->targeted[proposal->vertex]))
        {
          add_proposal (report, result, proposal);
          n_shown++;
        }
    }
}
