/* test-agent-calibration.c: calibration process
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#include "config.h"

#include <glib.h>
#include <signal.h>
#include <sys/wait.h>

#include "agent/cost/tb-agent-calibration.h"

static gboolean
run_all (TbAgentCalibration *calibration)
{
  static const TbAgentCalibrationRun runs[]
      = { TB_AGENT_CALIBRATION_CALLS, TB_AGENT_CALIBRATION_SWITCHES,
          TB_AGENT_CALIBRATION_SYSTEM_CALLS, TB_AGENT_CALIBRATION_SWITCHES };

  for (guint i = 0; i < G_N_ELEMENTS (runs); i++)
    if (tb_agent_calibration_run (calibration, runs[i]) == 0)
      return FALSE;
  return TRUE;
}

/* One process may be too slow on a busy machine, but not each of twenty. */
static void
test_measured (void)
{
  gboolean is_measured = FALSE;

  for (guint i = 0; i < 20 && !is_measured; i++)
    {
      TbAgentCalibration calibration;

      g_assert_cmpint (tb_agent_calibration_start (&calibration), ==, 0);
      is_measured = run_all (&calibration);
      g_assert_true (is_measured == (calibration.fd >= 0));
      tb_agent_calibration_end (&calibration);
      g_assert_cmpint (calibration.pid, ==, 0);
    }
  g_assert_true (is_measured);
}

/* A late answer is not read as the answer to the next run. */
static void
test_late (void)
{
  TbAgentCalibration calibration;
  siginfo_t info;

  g_assert_cmpint (tb_agent_calibration_start (&calibration), ==, 0);
  g_assert_cmpint (kill (calibration.pid, SIGSTOP), ==, 0);
  g_assert_cmpint (waitid (P_PID, (id_t) calibration.pid, &info, WSTOPPED | WNOWAIT), ==, 0);
  g_assert_cmpuint (tb_agent_calibration_run (&calibration, TB_AGENT_CALIBRATION_SYSTEM_CALLS), ==,
                    0);
  g_assert_cmpint (kill (calibration.pid, SIGCONT), ==, 0);
  g_usleep (100 * 1000);
  g_assert_cmpuint (tb_agent_calibration_run (&calibration, TB_AGENT_CALIBRATION_CALLS), ==, 0);
  g_assert_cmpuint (tb_agent_calibration_measure (&calibration, TB_AGENT_CALIBRATION_CALLS, 1, NULL,
                                                  NULL),
                    ==, 0);
  tb_agent_calibration_end (&calibration);
}

int
main (int argc, char *argv[])
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/agent/calibration/measured", test_measured);
  g_test_add_func ("/agent/calibration/late", test_late);
  return g_test_run ();
}
