/* tb-agent-bpf-loader.h: loading of several BPF objects in parallel; if the kernel refuses one, all
 * again one by one, without stack dumps, unwind tables or records of what threads sleep in where
 * these are the cause
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#pragma once

#include <pthread.h>

#include "agent/bpf/tb-agent-bpf-object.h"

typedef struct
{
  const TbAgentBpfObjectKind *kind;
  int can_do_without_sleeps; /* the object may be loaded without the records of sleeps */
  TbAgentBpfShared shared;   /* on return, without the parts that were left out */
  TbAgentBpfObject object;
  int result;           /* 0: it is loaded */
  TbCaptureMessage why; /* reason of a failure */
  pthread_t thread;
  int started;
} TbAgentBpfLoading;

/* The caller fills in kind, can_do_without_sleeps and shared, and zeroes the rest. */
void tb_agent_bpf_load (TbAgentBpfLoading *loadings, size_t n);
