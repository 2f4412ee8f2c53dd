/* tb-agent-kernel-probe.h: attaching of a BPF program to a kernel function, given by its name,
 * through a trampoline, fprobe or kprobe, or to one of its instructions through a kprobe; reason if
 * a kprobe fails
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#pragma once

#include <stddef.h>
#include <stdint.h>

#include "capture/tb-capture-message.h"

/* Whether this kernel has kprobes */
int tb_agent_kernel_probe_is_possible (void);
/* Attaches to the entry or return of a function by the kernel's cheap means for whole functions
 * (fprobe). Returns a link; -1 if that is not possible. */
int tb_agent_kernel_probe_attach_function (const char *function, int returns, int program);
/* Attaches a trampoline program (fentry or fexit), whose function was fixed when it was loaded.
 * Returns a link; -1 with errno. */
int tb_agent_kernel_probe_attach_traced (int program);
/* The same with a kprobe. fds: its event and its link, -1: none. Returns -1 with the reason. */
int tb_agent_kernel_probe_attach (const char *function,
                                  int returns,
                                  int program,
                                  int fds[2],
                                  TbCaptureMessage *why);
/* Probes an instruction. The kernel verifies that an instruction begins there. The program's cookie
 * is the id. */
int tb_agent_kernel_probe_attach_at (uint64_t address,
                                     int program,
                                     uint32_t id,
                                     int fds[2],
                                     TbCaptureMessage *why);
