/* tb-agent-perf-dumps.c: text of the kernel filter that selects, by name, the threads whose user
 * stacks are dumped with perf events; which events get dumps; report of the dumps that are not
 * available
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#include <stdio.h>

#include "agent/perf/tb-agent-perf-private.h"

/* Selects by the name of the thread that leaves its CPU. The filter runs in the kernel, so it also
 * covers threads that start later. */
void
tb_agent_perf_dumps_make_filter (const TbAgent *self, int chosen, char *filter, size_t size)
{
  size_t length = 0;

  filter[0] = '\0';
  for (unsigned i = 0; i < self->n_dump_names && length < size; i++)
    length += (size_t) snprintf (filter + length, size - length, "%sprev_comm %s \"%s\"",
                                 i == 0   ? ""
                                 : chosen ? " || "
                                          : " && ",
                                 chosen ? "==" : "!=", self->dump_names[i]);
}

/* Clock samples cannot be filtered by thread name. */
int
tb_agent_perf_dumps_includes (const TbAgent *self, TbAgentEvent event)
{
  if (self->start.dump_bytes == 0 || TB_AGENT_DUMPED_REGISTERS == 0)
    return 0;
  if (event == TB_AGENT_SWITCH_DUMPED)
    return self->n_dump_names > 0;
  return self->n_dump_names == 0 && (event == TB_AGENT_SWITCH || event == TB_AGENT_CLOCK);
}

void
tb_agent_perf_dumps_report (TbAgent *self)
{
  if (self->start.dump_bytes == 0)
    return;
  if (self->header.backend == TB_CAPTURE_BACKEND_OWN)
    tb_agent_output_put_status (self->output, TB_CAPTURE_STATUS_MISSING,
                                TB_CAPTURE_SOURCE_SCHEDULER,
                                TB_CAPTURE_MESSAGE (TB_CAPTURE_CODE_NO_DUMPS_OF_OWN, 0));
  else if (self->n_dump_names > 0)
    tb_agent_output_put_status (self->output, TB_CAPTURE_STATUS_MISSING, TB_CAPTURE_SOURCE_SAMPLES,
                                TB_CAPTURE_MESSAGE (TB_CAPTURE_CODE_NO_DUMPS_OF_SAMPLES, 0));
}
