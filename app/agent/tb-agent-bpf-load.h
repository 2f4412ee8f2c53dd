/* tb-agent-bpf-load.h: objects of BPF programs on their way into the kernel, all at once
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#pragma once

#include <pthread.h>

#include "agent/tb-agent-bpf-object.h"

typedef struct
{
  const TbAgentBpfObjectKind *kind;
  int can_do_without_sleeps; /* what threads sleep in may be left out */
  TbAgentBpfShared shared;   /* in the end: with what was left out */
  TbAgentBpfObject object;
  int result;           /* 0: it is loaded */
  TbCaptureMessage why; /* not */
  pthread_t thread;
  int started;
} TbAgentBpfLoading;

/* kind, can_do_without_sleeps and shared are filled in; zero the rest. */
void tb_agent_bpf_load (TbAgentBpfLoading *loadings, size_t n);
