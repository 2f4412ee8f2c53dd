/* cli-memory.c: how memory is requested from the kernel: seldom, kept, and in large pages where
 * much will be needed
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#include "config.h"

#include <malloc.h>
#include <stdlib.h>
#include <sys/mman.h>

#include "cli.h"

/* Size from which memory is mapped apart. */
#define MAPPED_SIZE (8 << 20)
/* The C library does not take more from the memory of a thread at once. */
#define LARGEST_SIZE (32 << 20)
#define BLOCK_SIZE ((gsize) 30 << 20)
#define N_BLOCKS 2
#define PAGE_SIZE ((guintptr) 4096)

/* By default each array above 128 KiB is mapped by the kernel, and unmapped when it is freed. An
 * analysis of a few seconds took 10,000 page faults, a tenth of its time; and each unmapping
 * interrupts the other threads. */
void
cli_memory_set_up (void)
{
  mallopt (M_MMAP_THRESHOLD, MAPPED_SIZE);
  mallopt (M_TRIM_THRESHOLD, 64 << 20);
  mallopt (M_TOP_PAD, 1 << 20);
  /* One thread imports or analyzes while another names functions. With one heap they waited for
   * each other. With three, less of the prepared memory is used again. */
  mallopt (M_ARENA_MAX, 2);
}

/* The C library enlarges the memory little by little, too little for a large page. Here it does so
 * once: what is freed stays. No memory is used before something is stored in it, then 2 MiB by one
 * page fault instead of 512. Where a fault takes 15 µs, as in some virtual machines, faults were a
 * third of the time of an analysis. */
void
cli_memory_prepare (void)
{
  static gboolean is_prepared;
  gpointer blocks[N_BLOCKS];

  if (is_prepared)
    return;
  is_prepared = TRUE;
  mallopt (M_MMAP_THRESHOLD, LARGEST_SIZE);
  for (guint i = 0; i < N_BLOCKS; i++)
    {
      guintptr from, to;

      blocks[i] = malloc (BLOCK_SIZE);
      from = ((guintptr) blocks[i] + PAGE_SIZE - 1) & -PAGE_SIZE;
      to = ((guintptr) blocks[i] + BLOCK_SIZE) & -PAGE_SIZE;
      if (blocks[i] != NULL)
        madvise ((gpointer) from, to - from, MADV_HUGEPAGE);
    }
  for (guint i = N_BLOCKS; i > 0; i--)
    free (blocks[i - 1]);
  mallopt (M_MMAP_THRESHOLD, MAPPED_SIZE);
}
