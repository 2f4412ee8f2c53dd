/* tb-mapped-file-private.h: comparison of a file on this machine with what was recorded of a mapped
 * file without a build ID: device, inode, age, executable segments
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#pragma once

#include "session/schema/tb-module-file.h"

G_BEGIN_DECLS

/* Part of a file that was mapped, in bytes. */
typedef struct
{
  guint64 start;
  guint64 end;
} TbFileRange;

/* What is known of a file that was recorded without a build ID. */
typedef struct
{
  TbModuleFile file;
  const TbFileRange *ranges; /* executable mappings by offset, disjoint and not adjacent */
  guint n_ranges;
  guint64 page_size;     /* of the machine, 0 if there are several possible ones */
  gboolean is_own_host;  /* recorded on this host */
  gint64 recorded_until; /* ns of the wall clock, 0 if unknown */
} TbMappedFile;

/* The later of two results is the better one. */
typedef enum
{
  TB_FILE_MATCH_NONE,        /* there is no such file */
  TB_FILE_MATCH_INVALID,     /* it is not an ELF file */
  TB_FILE_MATCH_OTHER_BUILD, /* it has another build ID */
  TB_FILE_MATCH_OTHER_CODE,  /* its executable segments are not those that were mapped */
  TB_FILE_MATCH_UNKNOWN,     /* nothing shows that it is the recorded file */
  TB_FILE_MATCH_UNVERIFIED,  /* its executable segments are exactly those that were mapped */
  TB_FILE_MATCH_VERIFIED,
} TbFileMatch;

/* Compares an open file. is_recorded_path: the file has the path that was recorded, not only the
 * same name. */
TbFileMatch tb_mapped_file_compare (const TbMappedFile *self, int fd, gboolean is_recorded_path);

/* Sorts the ranges and joins those that overlap or adjoin. */
void tb_file_ranges_join (GArray *ranges);

G_END_DECLS
