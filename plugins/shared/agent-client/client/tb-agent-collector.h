/* tb-agent-collector.h: base class of the collectors that record with tailback-agent: options as
 * properties, conversion of them into a start record, preflight, start and stop
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#pragma once

#include "capture/tb-capture-format.h"
#include "extend/plugins/tb-collector.h"
#include "extend/options/tb-option-object.h"
#include "tb-agent-options.h"

G_BEGIN_DECLS

/* In a separate library, because modules loaded side by side cannot each register a type of the
 * same name. */
#define TB_TYPE_AGENT_COLLECTOR (tb_agent_collector_get_type ())
TB_EXPORT
G_DECLARE_DERIVABLE_TYPE (TbAgentCollector, tb_agent_collector, TB, AGENT_COLLECTOR, TbOptionObject)

/* Differences of one collector from the others. Its name and its priority are in its .plugin
 * file. */
typedef struct
{
  TbCaptureBackend backend;     /* the best backend that may be used */
  gboolean required;            /* fail without that backend */
  const TbAgentOption *lacking; /* options that the collector lacks, terminated by 0; or NULL */
  const TbAgentOptionChange *changes; /* options that differ, terminated by option 0; or NULL */
} TbAgentCollectorKind;

struct _TbAgentCollectorClass
{
  TbOptionObjectClass parent_class;

  TbAgentCollectorKind kind;

  /* For a collector of latencies, else NULL. Called before the agent starts; may change what is
   * recorded. */
  gboolean (*prepare) (TbAgentCollector *self,
                       const TbTarget *target,
                       TbRecorder *recorder,
                       TbCaptureStart *start,
                       GError **error);
  /* Called when events are recorded, before the target is released. */
  gboolean (*begin) (TbAgentCollector *self, GCancellable *cancellable, GError **error);
  /* Receives a record or an answer about latencies, in the reading thread. TRUE: the search is
   * complete. */
  gboolean (*take) (TbAgentCollector *self, const TbCaptureRecord *record);
  /* Called after the last record was read. */
  void (*finish) (TbAgentCollector *self);
};

/* For begin and take; from any thread. */
TB_EXPORT gboolean tb_agent_collector_send (TbAgentCollector *self,
                                            const TbCaptureRecord *record,
                                            GError **error);

/* To be called once, in the class_init of a collector. Installs its kind and all its options. */
TB_EXPORT void tb_agent_collector_class_install (TbAgentCollectorClass *klass,
                                                 const TbAgentCollectorKind *kind);

G_END_DECLS
