/* kernel_calls.bpf.c: second build of latency.bpf.c, which measures one kernel function through a
 * trampoline; with trampolines for a second function, on which the cost is calibrated
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 *
 * This object has its own maps. If f0 is such a function, it is loaded and used instead of the
 * general object.
 */

#define TB_BPF_OF_KERNEL_CALLS
#include "latency.bpf.c"
