/* tb-perf-collector.c: collector plug-in that records with perf events, through tailback-agent:
 * which options differ from those of its base class TbAgentCollector, or are lacking
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#include "config.h"

#include <glib/gi18n-lib.h>
#include <libpeas.h>

#include "tb-perf-collector.h"

struct _TbPerfCollector
{
  TbAgentCollector parent_instance;
};

G_DEFINE_FINAL_TYPE (TbPerfCollector, tb_perf_collector, TB_TYPE_AGENT_COLLECTOR)

static void
tb_perf_collector_class_init (TbPerfCollectorClass *klass)
{
  static const TbAgentOption lacking[] = {
    TB_AGENT_OPTION_REPAIR_STACKS,
    TB_AGENT_OPTION_SYSCALL_MIN,
    TB_AGENT_OPTION_SYSCALL_STACK_INTERVAL,
    TB_AGENT_OPTION_ANNOTATIONS,
    TB_AGENT_OPTION_LOCKS,
    TB_AGENT_OPTION_LOCK_ALLOCATIONS,
    TB_AGENT_OPTION_MARK,
    TB_AGENT_OPTION_PROBE,
    TB_AGENT_OPTION_CGROUP,
    TB_AGENT_OPTION_FLIGHT_RECORDER,
    TB_AGENT_OPTION_FLIGHT_RECORDER_SIZE,
    TB_AGENT_OPTION_TRIGGER,
    0,
  };
  static const TbAgentOptionChange changes[] = {
    { TB_AGENT_OPTION_KERNEL_STACKS,
      N_ ("Also record the kernel's functions where threads sleep; needed to know what they wait "
          "for"),
      TRUE },
    { TB_AGENT_OPTION_BLOCK, N_ ("Requests to disks"), TRUE },
    { TB_AGENT_OPTION_SYSCALLS, N_ ("Every system call with its arguments; costs much"), FALSE },
    { 0 },
  };
  static const TbAgentCollectorKind kind
      = { .backend = TB_CAPTURE_BACKEND_PERF, .lacking = lacking, .changes = changes };

  tb_agent_collector_class_install (TB_AGENT_COLLECTOR_CLASS (klass), &kind);
}

static void
tb_perf_collector_init (TbPerfCollector *self)
{
}

G_MODULE_EXPORT void peas_register_types (PeasObjectModule *module);

void
peas_register_types (PeasObjectModule *module)
{
  peas_object_module_register_extension_type (module, TB_TYPE_COLLECTOR, TB_TYPE_PERF_COLLECTOR);
}
