/* info-costs.c: table of the facts in which a session stores the cost of recording as measured
 * beforehand on that machine; label and formatted value of each, for "info"
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#include "config.h"

#include <glib/gi18n.h>

#include "info.h"

/* Measured before the recording, if requested. */
const InfoCost info_costs[INFO_N_COSTS] = {
  { "cost-switch-ns", "switch_ns", N_ ("Time of a thread switch") },
  { "cost-recorded-switch-ns", "recorded_switch_ns", N_ ("Time of a recorded thread switch") },
  { "cost-probed-call-ns", "probed_call_ns", N_ ("Time of a call of a probed function") },
};

/* Returns 0 if unknown. */
gint64
info_get_cost (TbSession *session, guint i)
{
  const char *text = tb_session_get_fact (session, info_costs[i].fact);
  guint64 ns = 0;

  return text != NULL && g_ascii_string_to_unsigned (text, 10, 1, G_MAXINT64, &ns, NULL)
             ? (gint64) ns
             : 0;
}
