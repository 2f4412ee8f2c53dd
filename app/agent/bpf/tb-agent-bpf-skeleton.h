/* tb-agent-bpf-skeleton.h: macro that adapts a generated light skeleton (code that loads a BPF
 * object) to TbAgentBpfObjectKind
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#pragma once

#include "agent/bpf/tb-agent-bpf-object.h"
#include "agent/bpf/tb-agent-skeletons.h"

#define SKELETON(object)                                                                           \
  static int object##_open (TbAgentBpfObject *view)                                                \
  {                                                                                                \
    struct object##_bpf *skeleton = object##_bpf__open ();                                         \
                                                                                                   \
    if (skeleton == NULL)                                                                          \
      return -1;                                                                                   \
    view->skeleton = skeleton;                                                                     \
    view->context = &skeleton->ctx;                                                                \
    view->config = &skeleton->rodata->config;                                                      \
    view->rings = &skeleton->maps.tb_rings;                                                        \
    view->cpus = &skeleton->maps.tb_cpus;                                                          \
    view->targets = &skeleton->maps.tb_targets;                                                    \
    view->tables = &skeleton->maps.tb_tables;                                                      \
    view->received = &skeleton->maps.tb_received;                                                  \
    view->programs = (const int *) &skeleton->progs;                                               \
    view->n_programs = sizeof skeleton->progs / sizeof (int);                                      \
    view->links = (int *) &skeleton->links;                                                        \
    view->n_links = sizeof skeleton->links / sizeof (int);                                         \
    return 0;                                                                                      \
  }                                                                                                \
                                                                                                   \
  static int object##_load (void *skeleton)                                                        \
  {                                                                                                \
    return object##_bpf__load (skeleton);                                                          \
  }                                                                                                \
                                                                                                   \
  __attribute__ ((unused)) static int object##_attach (void *skeleton)                             \
  {                                                                                                \
    return object##_bpf__attach (skeleton);                                                        \
  }                                                                                                \
                                                                                                   \
  static void object##_destroy (void *skeleton)                                                    \
  {                                                                                                \
    object##_bpf__destroy (skeleton);                                                              \
  }
