/* kernel_calls.bpf.c: the programs of latency.bpf.c for a function of the kernel, which is seen by a trampoline
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 *
 * With maps of its own: it is loaded where f0 is such a function, and is used instead of the other one then.
 */

#define TB_BPF_OF_KERNEL_CALLS
#include "latency.bpf.c"
