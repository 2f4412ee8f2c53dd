/* fuzz-static-probes.c: fuzz target for ELF files with notes of static probes
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#include "config.h"

#include <sys/mman.h>
#include <unistd.h>

#include "fuzz-target.h"
#include "symbols/tb-static-probes.h"

int
LLVMFuzzerTestOneInput (const uint8_t *data, size_t size)
{
  int fd = memfd_create ("fuzz", MFD_CLOEXEC);
  g_autoptr (GPtrArray) probes = NULL;

  if (write (fd, data, size) != (ssize_t) size)
    g_error ("memfd");
  probes = tb_static_probes_read (fd, NULL, NULL);
  for (guint i = 0; probes != NULL && i < probes->len; i++)
    {
      const TbStaticProbe *probe = g_ptr_array_index (probes, i);

      g_assert_true (g_utf8_validate (probe->provider, -1, NULL)
                     && g_utf8_validate (probe->name, -1, NULL));
      g_assert_cmpuint (probe->n_operands, <=, TB_PROBE_MAX_OPERANDS);
      for (guint j = 0; j < probe->n_operands; j++)
        {
          const TbProbeOperand *operand = &probe->operands[j];

          g_assert_true (operand->kind != TB_PROBE_OPERAND_REGISTER || operand->base < 32);
          g_assert_true (operand->base < 32 || operand->base == TB_PROBE_REGISTER_IP
                         || operand->base == TB_PROBE_REGISTER_NONE);
          g_assert_true (operand->size == 1 || operand->size == 2 || operand->size == 4
                         || operand->size == 8);
        }
    }
  close (fd);
  return 0;
}
