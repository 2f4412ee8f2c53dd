/* tb-agent-kernel-probe.h: a probe of a function of the kernel, by its name
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#pragma once

#include <stddef.h>
#include <stdint.h>

#include "capture/tb-capture-message.h"

/* Whether this kernel has kprobes. */
int tb_agent_kernel_probe_is_possible (void);
/* Where it is entered, or returned from, by the kernel's cheap way to see whole functions: a link; -1 if it has none. */
int tb_agent_kernel_probe_attach_function (const char *function, int returns, int program);
/* A program that was loaded for it, into a trampoline of the kernel: a link; -1 with errno. */
int tb_agent_kernel_probe_attach_traced (int program);
/* Likewise by a kprobe: its event and its link, -1 none. -1 with the reason. */
int tb_agent_kernel_probe_attach (const char *function,
                                  int returns,
                                  int program,
                                  int fds[2],
                                  TbCaptureMessage *why);
/* An instruction; that one begins there is for the kernel to see. The program's cookie is the id. */
int tb_agent_kernel_probe_attach_at (uint64_t address,
                                     int program,
                                     uint32_t id,
                                     int fds[2],
                                     TbCaptureMessage *why);
