/* tb-mapped-file.c: comparison of a file on this machine with what was recorded of a mapped file
 * without a build ID: device, inode, age, executable segments
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * Device and inode identify a file as long as it is older than the recording: file systems use the
 * inode of a removed file again.
 */

#include "config.h"

#include <gelf.h>
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/sysmacros.h>
#include <unistd.h>

#include "symbols/tb-mapped-file-private.h"

#define MAX_SEGMENTS 256

/* Page sizes of Linux. The kernel maps whole pages. */
static const guint64 page_sizes[] = { 4096, 16384, 65536 };

static int
compare_ranges (gconstpointer a, gconstpointer b)
{
  const TbFileRange *x = a, *y = b;

  return x->start < y->start ? -1 : x->start > y->start;
}

void
tb_file_ranges_join (GArray *ranges)
{
  guint kept = 0;

  g_array_sort (ranges, compare_ranges);
  for (guint i = 0; i < ranges->len; i++)
    {
      const TbFileRange *range = &g_array_index (ranges, TbFileRange, i);
      TbFileRange *last = kept > 0 ? &g_array_index (ranges, TbFileRange, kept - 1) : NULL;

      if (last != NULL && range->start <= last->end)
        last->end = MAX (last->end, range->end);
      else
        g_array_index (ranges, TbFileRange, kept++) = *range;
    }
  g_array_set_size (ranges, kept);
}

static guint32
get_protection (guint32 flags)
{
  return (flags & PF_R ? PROT_READ : 0) | (flags & PF_W ? PROT_WRITE : 0)
         | (flags & PF_X ? PROT_EXEC : 0);
}

/* Reads the parts of the file that the kernel maps as executable. protection is the union of their
 * protections. Returns NULL if it is not an ELF file with segments. */
static GArray *
read_executable_segments (Elf *elf, guint64 page_size, guint32 *protection)
{
  GArray *ranges = g_array_new (FALSE, FALSE, sizeof (TbFileRange));
  size_t n = 0;

  *protection = 0;
  if (elf_kind (elf) != ELF_K_ELF || elf_getphdrnum (elf, &n) != 0)
    n = 0;
  for (size_t i = 0; i < MIN (n, MAX_SEGMENTS); i++)
    {
      GElf_Phdr header;
      TbFileRange range;

      if (gelf_getphdr (elf, (int) i, &header) == NULL || header.p_type != PT_LOAD
          || (header.p_flags & PF_X) == 0 || header.p_filesz == 0 || header.p_offset > G_MAXINT64
          || header.p_filesz > G_MAXINT64 - header.p_offset)
        continue;
      range.start = header.p_offset & ~(page_size - 1);
      range.end = (header.p_offset + header.p_filesz + page_size - 1) & ~(page_size - 1);
      g_array_append_val (ranges, range);
      *protection |= get_protection (header.p_flags);
    }
  tb_file_ranges_join (ranges);
  if (ranges->len == 0)
    g_clear_pointer (&ranges, g_array_unref);
  return ranges;
}

static gboolean
ranges_contain (const GArray *ranges, const TbFileRange *part)
{
  for (guint i = 0; i < ranges->len; i++)
    {
      const TbFileRange *range = &g_array_index (ranges, TbFileRange, i);

      if (part->start >= range->start && part->end <= range->end)
        return TRUE;
    }
  return FALSE;
}

/* Whether it was recorded which parts of the file were executable. Without their protection,
 * mappings of constants are among those that were recorded. */
static gboolean
has_segments (const TbMappedFile *self)
{
  return self->file.protection != 0 && self->n_ranges > 0;
}

/* Returns TB_FILE_MATCH_UNVERIFIED if the segments are those that were mapped,
 * TB_FILE_MATCH_UNKNOWN if a part of them or nothing was recorded. */
static TbFileMatch
compare_segments (const TbMappedFile *self, Elf *elf, guint64 page_size)
{
  guint32 protection;
  g_autoptr (GArray) segments = read_executable_segments (elf, page_size, &protection);
  gboolean is_equal;

  if (segments == NULL)
    return TB_FILE_MATCH_INVALID;
  if (!has_segments (self))
    return TB_FILE_MATCH_UNKNOWN;
  is_equal = segments->len == self->n_ranges
             && (self->file.protection == PROT_EXEC || self->file.protection == protection);
  for (guint i = 0; i < self->n_ranges; i++)
    {
      if (!ranges_contain (segments, &self->ranges[i]))
        return TB_FILE_MATCH_OTHER_CODE;
      is_equal = is_equal
                 && memcmp (&g_array_index (segments, TbFileRange, i), &self->ranges[i],
                            sizeof (TbFileRange))
                        == 0;
    }
  return is_equal ? TB_FILE_MATCH_UNVERIFIED : TB_FILE_MATCH_UNKNOWN;
}

/* Gets the inode that the kernel shows for mappings of the file. With overlayfs it is not that of
 * fstat(). Device numbers of such file systems differ too, and change from boot to boot. */
static guint64
find_mapped_inode (int fd)
{
  gsize size = (gsize) sysconf (_SC_PAGESIZE);
  void *page = mmap (NULL, size, PROT_READ, MAP_PRIVATE, fd, 0);
  FILE *maps = page != MAP_FAILED ? fopen ("/proc/self/maps", "re") : NULL;
  guint64 inode = 0;
  char line[4352];

  while (maps != NULL && inode == 0 && fgets (line, sizeof line, maps) != NULL)
    {
      unsigned long start;
      unsigned long long number;

      if (sscanf (line, "%lx-%*x %*s %*x %*x:%*x %llu", &start, &number) == 2
          && start == (unsigned long) (guintptr) page)
        inode = number;
    }
  if (maps != NULL)
    fclose (maps);
  if (page != MAP_FAILED)
    munmap (page, size);
  return inode;
}

static gint64
get_ns (struct timespec time)
{
  return time.tv_sec * G_GINT64_CONSTANT (1000000000) + time.tv_nsec;
}

static gboolean
is_older (const TbMappedFile *self, const struct stat *status)
{
  return get_ns (status->st_mtim) <= self->recorded_until
         && get_ns (status->st_ctim) <= self->recorded_until;
}

static gboolean
is_recorded_file (const TbMappedFile *self,
                  int fd,
                  const struct stat *status,
                  gboolean is_recorded_path)
{
  gboolean is_same_inode = status->st_ino == self->file.inode;

  if (!is_older (self, status))
    return FALSE;
  if (self->file.inode == 0)
    return self->is_own_host && is_recorded_path;
  if (is_same_inode && status->st_dev == makedev (self->file.major, self->file.minor))
    return TRUE;
  /* Another inode is another file, even if it has the same path: in a container. */
  return self->is_own_host && is_recorded_path
         && (is_same_inode || find_mapped_inode (fd) == self->file.inode);
}

TbFileMatch
tb_mapped_file_compare (const TbMappedFile *self, int fd, gboolean is_recorded_path)
{
  TbFileMatch match = TB_FILE_MATCH_INVALID;
  gboolean is_recorded;
  struct stat status;
  Elf *elf;

  elf_version (EV_CURRENT);
  elf = elf_begin (fd, ELF_C_READ_MMAP, NULL);
  if (elf == NULL)
    return TB_FILE_MATCH_INVALID;
  for (guint i = 0; i < G_N_ELEMENTS (page_sizes); i++)
    if (self->page_size == 0 || self->page_size == page_sizes[i])
      match = MAX (match, compare_segments (self, elf, page_sizes[i]));
  elf_end (elf);
  if (match < TB_FILE_MATCH_UNKNOWN || fstat (fd, &status) < 0)
    return match;
  is_recorded = is_recorded_file (self, fd, &status, is_recorded_path);
  /* A program may have given up a part of its code since it was mapped. Only its own file may
   * therefore have more than was recorded. */
  if (match == TB_FILE_MATCH_UNKNOWN && has_segments (self)
      && (!is_recorded || self->file.inode == 0))
    return TB_FILE_MATCH_OTHER_CODE;
  return is_recorded ? TB_FILE_MATCH_VERIFIED : match;
}
