/* tb-ebpf-collector.c: collector plug-in that records with the BPF programs of tailback-agent; all
 * else is in its base class TbAgentCollector
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#include "config.h"

#include <libpeas.h>

#include "tb-ebpf-collector.h"

struct _TbEbpfCollector
{
  TbAgentCollector parent_instance;
};

G_DEFINE_FINAL_TYPE (TbEbpfCollector, tb_ebpf_collector, TB_TYPE_AGENT_COLLECTOR)

static void
tb_ebpf_collector_class_init (TbEbpfCollectorClass *klass)
{
  static const TbAgentCollectorKind kind = { .backend = TB_CAPTURE_BACKEND_BPF, .required = TRUE };

  tb_agent_collector_class_install (TB_AGENT_COLLECTOR_CLASS (klass), &kind);
}

static void
tb_ebpf_collector_init (TbEbpfCollector *self)
{
}

G_MODULE_EXPORT void peas_register_types (PeasObjectModule *module);

void
peas_register_types (PeasObjectModule *module)
{
  peas_object_module_register_extension_type (module, TB_TYPE_COLLECTOR, TB_TYPE_EBPF_COLLECTOR);
}
