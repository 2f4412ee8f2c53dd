/* tb-recorder-pages.c: zeroed memory for large hash tables, all of it present
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * A table is read at random places before anything is stored in them. With memory of calloc(), the
 * kernel maps its page of zeros at such a read, and replaces it when something is stored; each time
 * it interrupts all CPUs on which threads of the process run, to flush their caches of addresses.
 * That took a third of the time of an import. Huge pages also need few entries of these caches.
 */

#include "config.h"

#include <string.h>
#include <sys/mman.h>

#include "session/recorder/tb-recorder-pages-private.h"

/* Smaller tables are in memory that was used before. */
#define MIN_MAPPED ((gsize) 1 << 20)

gpointer
tb_pages_new (gsize size)
{
  void *pages;

  if (size < MIN_MAPPED)
    return g_malloc0 (size);
  pages = mmap (NULL, size, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  if (pages == MAP_FAILED)
    g_error ("failed to allocate %" G_GSIZE_FORMAT " bytes", size);
  madvise (pages, size, MADV_HUGEPAGE);
  /* Linux before 5.14 does it page by page. */
  if (madvise (pages, size, MADV_POPULATE_WRITE) != 0)
    memset (pages, 0, size);
  return pages;
}

void
tb_pages_free (gpointer pages, gsize size)
{
  if (size < MIN_MAPPED)
    g_free (pages);
  else
    munmap (pages, size);
}
