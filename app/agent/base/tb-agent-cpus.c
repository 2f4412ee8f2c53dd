/* tb-agent-cpus.c: which CPUs are online, as a flag for each number, read from /sys
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "agent/base/tb-agent-cpus.h"

void
tb_agent_list_online_cpus (uint8_t *online, uint32_t n_cpus)
{
  char list[1024] = "0", *at = list;
  int file = open ("/sys/devices/system/cpu/online", O_RDONLY | O_CLOEXEC);

  memset (online, 0, n_cpus);
  if (file >= 0)
    {
      ssize_t got = read (file, list, sizeof list - 1);

      if (got > 0)
        list[got] = '\0';
      close (file);
    }
  while (*at >= '0' && *at <= '9')
    {
      unsigned long first = strtoul (at, &at, 10), last = first;

      if (*at == '-')
        last = strtoul (at + 1, &at, 10);
      for (unsigned long cpu = first; cpu <= last && cpu < n_cpus; cpu++)
        online[cpu] = 1;
      if (*at == ',')
        at++;
    }
}
