/* fuzz-address-names.c: fuzz target for kallsyms, perf maps and dumps of just-in-time compilers
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#include "config.h"

#include <sys/mman.h>
#include <unistd.h>

#include "fuzz-target.h"
#include "symbols/tb-address-names-private.h"
#include "symbols/tb-jit-dump.h"

int
LLVMFuzzerTestOneInput (const uint8_t *data, size_t size)
{
  int fd = memfd_create ("fuzz", MFD_CLOEXEC);
  g_autofree char *path = g_strdup_printf ("/proc/self/fd/%d", fd);
  g_autoptr (TbAddressNames) kallsyms = NULL;
  g_autoptr (TbAddressNames) perf_map = NULL;
  g_autoptr (TbJitDump) dump = NULL;

  if (write (fd, data, size) != (ssize_t) size)
    g_error ("memfd");
  kallsyms = tb_address_names_load_kallsyms (path, NULL);
  perf_map = tb_address_names_load_perf_map (path, getuid (), NULL);
  for (guint64 address = 1; address != 0; address <<= 1)
    {
      const char *name = kallsyms != NULL ? tb_address_names_find (kallsyms, address) : NULL;

      g_assert_true (name == NULL || name[0] != '\0');
      name = perf_map != NULL ? tb_address_names_find (perf_map, address) : NULL;
      g_assert_true (name == NULL || name[0] != '\0');
    }
  dump = tb_jit_dump_read (fd, 7);
  if (dump != NULL)
    g_free (tb_jit_dump_to_perf_map (dump));
  close (fd);
  return 0;
}
