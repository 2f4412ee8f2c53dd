/* hoard.c: program that takes much memory, writes to each page of it, and ends
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 *
 * usage: hoard MEBIBYTES
 *
 * Reports "life": from main to the call of _exit, the end excluded, in which the kernel takes the
 * memory back.
 */

#include <sys/mman.h>

#include "measure.h"

int
main (int argc, char **argv)
{
  int64_t begin = wall_ns ();
  size_t size = argc > 1 ? strtoull (argv[1], NULL, 10) << 20 : 0;
  char *memory = mmap (NULL, size, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);

  if (size == 0 || memory == MAP_FAILED)
    return 2;
  for (size_t i = 0; i < size; i += 4096)
    memory[i] = (char) i;
  report ("life", wall_ns () - begin);
  _exit (0);
}
