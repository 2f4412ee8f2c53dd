/* functions.bpf.c: BPF program that does nothing, attached to a kernel function to test whether
 * this kernel permits such probes
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */

#include "tb-bpf-common.h"

SEC ("fentry/vfs_fsync_range")
int
BPF_PROG (on_function)
{
  return 0;
}

const char tb_license[] SEC ("license") = "GPL";
