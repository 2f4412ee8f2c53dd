/* tb-agent-kernel-probe.h: a probe of a function of the kernel, by its name
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#pragma once

#include <stddef.h>

/* Where it is entered, or returned from: its event and its link, -1 none. -1 with the reason. */
int tb_agent_kernel_probe_attach (const char *function,
                                  int returns,
                                  int program,
                                  int fds[2],
                                  char *reason,
                                  size_t size);
