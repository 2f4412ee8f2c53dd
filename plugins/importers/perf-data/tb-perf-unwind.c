/* tb-perf-unwind.c: user stacks that were dumped instead of walked
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#include "config.h"

#include "tb-perf-unwind.h"

#include <glib/gi18n-lib.h>
#include <linux/perf_event.h>

#define MAX_FRAMES 256
#define MAX_REGISTERS 64

TbUnwinder *
tb_perf_unwind_new (TbPerfImport *import)
{
  gboolean has_dumps = FALSE;
  const char *arch = import->file->arch;

  for (guint i = 0; i < import->file->attrs->len; i++)
    {
      guint64 type = tb_perf_file_get_attr (import->file, i)->sample_type;

      has_dumps |= (type & PERF_SAMPLE_REGS_USER) != 0 && (type & PERF_SAMPLE_STACK_USER) != 0;
    }
  if (!has_dumps)
    return NULL;
  if (g_strcmp0 (arch, "x86_64") == 0 && !import->swap)
    return tb_unwinder_new (TB_MACHINE_X86_64);
  if (g_strcmp0 (arch, "aarch64") == 0 && !import->swap)
    return tb_unwinder_new (TB_MACHINE_AARCH64);
  tb_recorder_add_warning (
      import->recorder,
      _ ("The file holds dumps of stacks of a machine (%s) whose stacks cannot be unwound here: user "
         "stacks are missing."),
      arch != NULL ? arch : _ ("unknown"));
  return NULL;
}

static void
join (TbPerfImport *import, const guint64 *user, guint n_user, TbEvent *event)
{
  guint n_kernel = 0;
  guint64 *chain;

  while (n_kernel < event->n_chain && event->chain[n_kernel] != TB_CHAIN_USER)
    n_kernel++;
  n_kernel = MIN (n_kernel, G_MAXUINT16 - MAX_FRAMES - 1);
  chain = tb_perf_arena_take (&import->arena, n_kernel + 1 + n_user, event->time);
  if (n_kernel > 0)
    memcpy (chain, event->chain, n_kernel * sizeof *chain);
  chain[n_kernel] = TB_CHAIN_USER;
  memcpy (chain + n_kernel + 1, user, n_user * sizeof *chain);
  event->chain = chain;
  event->n_chain = n_kernel + 1 + n_user;
}

void
tb_perf_unwind_sample (TbPerfImport *import,
                       const TbPerfAttr *attr,
                       const TbPerfSample *sample,
                       TbEvent *event)
{
  guint64 registers[MAX_REGISTERS];
  guint64 addresses[MAX_FRAMES];
  TbStackDump dump = { attr->registers_user, registers, sample->stack, sample->stack_size };
  guint n_registers = __builtin_popcountll (attr->registers_user);
  gboolean complete;
  guint n;

  if (sample->abi != PERF_SAMPLE_REGS_ABI_64)
    return;
  for (guint i = 0; i < n_registers; i++)
    registers[i] = tb_perf_u64 (sample->registers + i * 8, FALSE);
  n = tb_unwinder_unwind (import->unwinder, event->pid, &dump, addresses, MAX_FRAMES, &complete);
  import->n_unwound++;
  if (!complete)
    import->n_unwound_partly++;
  if (n > 0)
    join (import, addresses, n, event);
}
