/* tb-agent-calibration.h: calibration process, whose two threads switch or make calls on request,
 * and the median CPU time that one switch, function call or system call takes
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#pragma once

#include <stdint.h>

typedef struct
{
  int32_t pid; /* 0: not started */
  int fd;      /* -1: an answer came too late, so there are no further runs */
} TbAgentCalibration;

/* Operations of a calibration run */
typedef enum
{
  TB_AGENT_CALIBRATION_SWITCHES = 's',     /* pass a byte back and forth on one CPU */
  TB_AGENT_CALIBRATION_CALLS = 'c',        /* call tb_agent_calibration_call() */
  TB_AGENT_CALIBRATION_SYSTEM_CALLS = 'g', /* getppid() */
} TbAgentCalibrationRun;

#define TB_AGENT_CALIBRATION_LENGTH 600u /* switches or calls in one run */

/* Must be called before anything is open that a forked process should not inherit; -1 with
 * errno. */
int tb_agent_calibration_start (TbAgentCalibration *self);
void tb_agent_calibration_end (TbAgentCalibration *self);
/* Performs one run. Returns its CPU time in ns, 0 if the threads do not answer. */
uint64_t tb_agent_calibration_run (TbAgentCalibration *self, TbAgentCalibrationRun run);
/* The function that the threads call. Probes can be put on its entry and at the following offsets
 * from it. The instructions there need no single-stepping, except at the last offset, which is 0
 * where there is none. */
void tb_agent_calibration_call (void);
#if defined __x86_64__
#  define TB_AGENT_CALIBRATION_FIRST_SITE 1u
#  define TB_AGENT_CALIBRATION_SECOND_SITE 2u
#  define TB_AGENT_CALIBRATION_STEPPED_SITE 3u
#else
#  define TB_AGENT_CALIBRATION_FIRST_SITE 4u
#  define TB_AGENT_CALIBRATION_SECOND_SITE 8u
#  define TB_AGENT_CALIBRATION_STEPPED_SITE 0u
#endif

/* Repeats a run for about ms milliseconds at most. is_good, called after each run, decides whether
 * it counts. Returns the median of those that count, in ns per switch or call, 0 if none does. */
uint64_t tb_agent_calibration_measure (TbAgentCalibration *self,
                                       TbAgentCalibrationRun run,
                                       unsigned ms,
                                       int (*is_good) (void *data),
                                       void *data);
