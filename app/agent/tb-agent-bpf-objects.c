/* tb-agent-bpf-objects.c: the light skeletons, each behind the same few functions
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#include "agent/tb-agent-bpf-object.h"
#include "agent/tb-agent-skeletons.h"
#include "capture/tb-capture-format.h"

/* Generated: only what surrounds them is ours. */
#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wpointer-arith"
#pragma GCC diagnostic ignored "-Wshadow"
#include "interrupts.lskel.h"
#include "scheduler.lskel.h"
#include "timer.lskel.h"
#pragma GCC diagnostic pop

#define SKELETON(object)                                                                                     \
  static int object##_open (TbAgentBpfObject *view)                                                          \
  {                                                                                                          \
    struct object##_bpf *skeleton = object##_bpf__open ();                                                   \
                                                                                                             \
    if (skeleton == NULL)                                                                                    \
      return -1;                                                                                             \
    view->skeleton = skeleton;                                                                               \
    view->context = &skeleton->ctx;                                                                          \
    view->config = &skeleton->rodata->config;                                                                \
    view->rings = &skeleton->maps.tb_rings;                                                                  \
    view->cpus = &skeleton->maps.tb_cpus;                                                                    \
    view->targets = &skeleton->maps.tb_targets;                                                              \
    view->programs = (const int *) &skeleton->progs;                                                         \
    view->n_programs = sizeof skeleton->progs / sizeof (int);                                                \
    view->links = (int *) &skeleton->links;                                                                  \
    view->n_links = sizeof skeleton->links / sizeof (int);                                                   \
    return 0;                                                                                                \
  }                                                                                                          \
                                                                                                             \
  static int object##_load (void *skeleton)                                                                  \
  {                                                                                                          \
    return object##_bpf__load (skeleton);                                                                    \
  }                                                                                                          \
                                                                                                             \
  static int object##_attach (void *skeleton)                                                                \
  {                                                                                                          \
    return object##_bpf__attach (skeleton);                                                                  \
  }                                                                                                          \
                                                                                                             \
  static void object##_destroy (void *skeleton)                                                              \
  {                                                                                                          \
    object##_bpf__destroy (skeleton);                                                                        \
  }

#define OBJECT(object, of_source, lacks)                                                                     \
  SKELETON (object)                                                                                          \
  const TbAgentBpfObjectKind tb_agent_bpf_##object = {                                                       \
    .name = #object,                                                                                         \
    .source = of_source,                                                                                     \
    .without = lacks,                                                                                        \
    .open = object##_open,                                                                                   \
    .load = object##_load,                                                                                   \
    .attach = object##_attach,                                                                               \
    .destroy = object##_destroy,                                                                             \
  };

OBJECT (interrupts, TB_CAPTURE_SOURCE_INTERRUPTS, "what interrupts take of the cpus is unknown")
OBJECT (scheduler, TB_CAPTURE_SOURCE_SCHEDULER, "what threads do is unknown")
OBJECT (timer, TB_CAPTURE_SOURCE_INTERRUPTS, "how long timer interrupts take is unknown")
