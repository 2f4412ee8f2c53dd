/* tb-perf-unwind.c: user stacks dumped with the samples of a perf.data file: creation of the
 * unwinder (TbUnwinder), or a warning if their machine is not supported; its result replaces the
 * user part of a sample's call chain (mappings: tb-perf-records.c)
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#include "config.h"

#include "tb-perf-unwind.h"

#include <glib/gi18n-lib.h>
#include <linux/perf_event.h>

#define MAX_CHAIN 1024
#define MAX_REGISTERS 64

static TbUnwinder *
make_unwinder (const TbPerfImport *import, TbMachine machine)
{
  TbUnwinder *unwinder = tb_unwinder_new (machine);

  tb_unwinder_set_recording (unwinder, import->is_own_host, import->file->written);
  return unwinder;
}

TbUnwinder *
tb_perf_unwind_new (TbPerfImport *import)
{
  gboolean has_dumps = FALSE, has_chains = FALSE, has_branches = FALSE;
  const char *arch = import->file->arch;

  for (guint i = 0; i < import->file->attrs->len; i++)
    {
      guint64 type = tb_perf_file_get_attr (import->file, i)->sample_type;

      has_dumps |= (type & PERF_SAMPLE_REGS_USER) != 0 && (type & PERF_SAMPLE_STACK_USER) != 0;
      has_chains |= (type & PERF_SAMPLE_CALLCHAIN) != 0;
      has_branches |= (type & PERF_SAMPLE_BRANCH_STACK) != 0;
    }
  /* Branch records may be call stacks, too. */
  if (has_dumps || (has_chains && !has_branches))
    tb_recorder_set_fact (import->recorder, TB_FACT_USER_STACKS,
                          has_dumps ? TB_USER_STACKS_BY_DUMPS : TB_USER_STACKS_BY_FRAME_POINTERS);
  if (!has_dumps)
    return NULL;
  if (g_strcmp0 (arch, "x86_64") == 0 && !import->swap)
    return make_unwinder (import, TB_MACHINE_X86_64);
  if (g_strcmp0 (arch, "aarch64") == 0 && !import->swap)
    return make_unwinder (import, TB_MACHINE_AARCH64);
  tb_recorder_add_warning (import->recorder,
                           _ ("The file has dumped stacks of a machine (%s) that cannot be unwound "
                              "here: user stacks are missing."),
                           arch != NULL ? arch : _ ("unknown"));
  return NULL;
}

void
tb_perf_unwind_sample (TbPerfImport *import,
                       const TbPerfAttr *attr,
                       const TbPerfSample *sample,
                       TbEvent *event)
{
  guint64 registers[MAX_REGISTERS], joined[MAX_CHAIN];
  TbStackDump dump = { attr->registers_user, registers, sample->stack, sample->stack_size, 0 };
  guint n_registers = __builtin_popcountll (attr->registers_user), n;
  guint64 *chain;

  if (sample->abi != PERF_SAMPLE_REGS_ABI_64)
    return;
  for (guint i = 0; i < n_registers; i++)
    registers[i] = tb_perf_u64 (sample->registers + i * 8, FALSE);
  n = tb_unwinder_unwind_chain (import->unwinder, event->pid, &dump, event->chain, event->n_chain,
                                joined, MAX_CHAIN);
  if (n == 0)
    return;
  chain = tb_perf_arena_take (&import->arena, n, event->time);
  memcpy (chain, joined, n * sizeof *chain);
  event->chain = chain;
  event->n_chain = n;
}
