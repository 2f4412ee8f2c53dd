/* tb-agent-collector.h: what the collectors that record with tailback-agent have in common
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#pragma once

#include "capture/tb-capture-format.h"
#include "extend/tb-collector.h"
#include "extend/tb-option-object.h"
#include "tb-agent-options.h"

G_BEGIN_DECLS

/* In a library of its own, as modules that are loaded side by side cannot each bring a type of the same name. */
#define TB_TYPE_AGENT_COLLECTOR (tb_agent_collector_get_type ())
TB_EXPORT
G_DECLARE_DERIVABLE_TYPE (TbAgentCollector, tb_agent_collector, TB, AGENT_COLLECTOR, TbOptionObject)

/* How one collector differs from the others; its name and how much it is preferred are in its .plugin file. */
typedef struct
{
  TbCaptureFacility facility;         /* the best that may be taken */
  gboolean required;                  /* without it nothing is recorded */
  const TbAgentOption *lacking;       /* what it has not; ends with 0; or NULL */
  const TbAgentOptionChange *changes; /* what it says otherwise; ends with option 0; or NULL */
} TbAgentCollectorKind;

struct _TbAgentCollectorClass
{
  TbOptionObjectClass parent_class;

  TbAgentCollectorKind kind;

  /* Of a collector that looks into latencies; else NULL. Before the agent starts; what it records may be changed. */
  gboolean (*prepare) (TbAgentCollector *self,
                       const TbTarget *target,
                       TbRecorder *recorder,
                       TbCaptureStart *start,
                       GError **error);
  /* When events flow, before what is recorded is let go. */
  gboolean (*begin) (TbAgentCollector *self, GCancellable *cancellable, GError **error);
  /* A record or an answer about latencies, in the thread that reads. TRUE: there is nothing more to find out. */
  gboolean (*take) (TbAgentCollector *self, const TbCaptureRecord *record);
  /* All was read. */
  void (*finish) (TbAgentCollector *self);
};

/* For begin and take, from any thread. */
TB_EXPORT gboolean tb_agent_collector_send (TbAgentCollector *self,
                                            const TbCaptureRecord *record,
                                            GError **error);

/* Once, in the class_init of a collector: what it is, and all its options. */
TB_EXPORT void tb_agent_collector_class_install (TbAgentCollectorClass *klass,
                                                 const TbAgentCollectorKind *kind);

G_END_DECLS
