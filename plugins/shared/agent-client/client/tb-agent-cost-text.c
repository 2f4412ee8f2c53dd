/* tb-agent-cost-text.c: sentences of the preflight on costs that the agent measured on this
 * machine: what recording a thread switch costs, at the present rate of switches, and what a call
 * of a probed function costs
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#include "config.h"

#include <glib/gi18n-lib.h>

#include "report/tb-report.h"
#include "tb-agent-cost-text.h"

/* Below this value the clock's resolution dominates. */
#define LEAST_NS 50
/* The numbers are a snapshot; more digits would suggest a precision that they do not have. */
#define ROUNDED_FROM 100

/* Rounds to two digits. */
static guint64
round_number (guint64 number)
{
  guint64 step = 1;

  while (number / step >= ROUNDED_FROM)
    step *= 10;
  return (number + step / 2) / step * step;
}

/* time: the cost of one switch */
static char *
describe_rate (const char *time, guint64 switches, gdouble percent)
{
  g_autofree char *number = g_strdup_printf ("%'" G_GUINT64_FORMAT, switches);
  g_autofree char *share = NULL;

  if (percent < 0.1)
    return g_strdup_printf (
        ngettext ("A switch costs about %s here: at the present rate of %s switch a second, less "
                  "than 0.1 %% of one CPU.",
                  "A switch costs about %s here: at the present rate of %s switches a second, less "
                  "than 0.1 %% of one CPU.",
                  switches),
        time, number);
  share = g_strdup_printf (percent < 9.95 ? "%.1f" : "%.0f", percent);
  return g_strdup_printf (
      ngettext ("A switch costs about %s here: at the present rate of %s switch a second, about "
                "%s %% of one CPU.",
                "A switch costs about %s here: at the present rate of %s switches a second, about "
                "%s %% of one CPU.",
                switches),
      time, number, share);
}

static void
add_switches (GString *text, const TbCaptureCost *cost)
{
  guint64 each = cost->recorded > cost->plain ? cost->recorded - cost->plain : 0;
  g_autofree char *time = tb_format_duration ((gint64) round_number (each));
  g_autofree char *rate = describe_rate (time, round_number (cost->switches),
                                         (gdouble) (each * cost->switches) / 1e7);

  if (each < LEAST_NS)
    g_string_append (text, _ ("Recording a switch costs too little here to be measured."));
  else if (cost->switches == 0)
    g_string_append_printf (text, _ ("A switch costs about %s here."), time);
  else
    g_string_append (text, rate);
}

char *
tb_agent_cost_text_new (const TbCaptureCost *cost)
{
  g_autoptr (GString) text = g_string_new (NULL);

  if (cost->recorded > 0 && cost->plain > 0)
    add_switches (text, cost);
  if (cost->probed > 0)
    {
      g_autofree char *time = tb_format_duration ((gint64) round_number (cost->probed));

      if (text->len > 0)
        g_string_append_c (text, ' ');
      g_string_append_printf (text, _ ("A call of a probed function costs about %s."), time);
    }
  return text->len > 0 ? g_string_free (g_steal_pointer (&text), FALSE) : NULL;
}
