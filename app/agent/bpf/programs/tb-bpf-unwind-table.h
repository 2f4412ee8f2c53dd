/* tb-bpf-unwind-table.h: layout of the unwind tables of mapped files: an array of words that the
 * agent fills from the files' call frame information and the BPF programs read
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 *
 * Included by both sides. The array contains, in this order: the number of tables that were added
 * or refused so far, the files, a cache of rows, the rows. All is one array, because each shared
 * map costs each object a wait when it is loaded.
 */

#pragma once

#include "tb-bpf-record.h"

/* Two words a file: its id (0: no file), and its rows: index of the first << 32 | number. A program
 * that meets a new file writes the id and emits a TbBpfUnknownFile; the agent writes the rows. */
#define TB_BPF_UNWIND_FILES 8u
#define TB_BPF_UNWIND_MAX_FILES 1024u /* a power of 2 */
#define TB_BPF_UNWIND_MAX_TRIES 8u    /* slots in which a file may be */
/* One word an address: offset in the file << 32 | slot of the file << 22 | rule, if it is short */
#define TB_BPF_UNWIND_CACHE (TB_BPF_UNWIND_FILES + 2 * TB_BPF_UNWIND_MAX_FILES)
#define TB_BPF_UNWIND_CACHE_SLOTS 8192u /* a power of 2 */
/* One word a row: offset in the file << 32 | rule. A row is valid up to the next one. */
#define TB_BPF_UNWIND_ROWS (TB_BPF_UNWIND_CACHE + TB_BPF_UNWIND_CACHE_SLOTS)
#define TB_BPF_UNWIND_WORD_BITS 21u /* 16 MiB; a large compiler needs a quarter of it */
#define TB_BPF_UNWIND_WORDS (1u << TB_BPF_UNWIND_WORD_BITS)

/* How the caller's frame is found. The return address is directly below the caller's stack
 * pointer in all of them. */
typedef enum
{
  TB_BPF_UNWIND_UNKNOWN = 0, /* the frame pointer is all there is */
  TB_BPF_UNWIND_BY_SP = 1,   /* the caller's stack pointer is the stack pointer + a distance */
  TB_BPF_UNWIND_BY_BP = 2,   /* the same with the frame pointer */
  TB_BPF_UNWIND_BY_PLT = 3,  /* a jump table, in which the distance depends on the address */
  TB_BPF_UNWIND_BY_WORD = 4, /* stored below the frame pointer, which points to the caller's */
  TB_BPF_UNWIND_SIGNAL = 5,  /* the frame of a signal handler contains all registers */
  TB_BPF_UNWIND_END = 6,     /* the first function of a thread has no caller */
} TbBpfUnwindKind;

/* A rule: kind, how far below the caller's stack pointer the caller's frame pointer is saved, in
 * words (0: it is still in the register), and distance in words. The rules of nearly all functions
 * are short. */
#define TB_BPF_UNWIND_RULE(kind, distance, saved)                                                  \
  ((u32) (kind) | (u32) (saved) << 3 | (u32) (distance) << 11)
#define TB_BPF_UNWIND_KIND(rule) ((rule) & 7)
#define TB_BPF_UNWIND_SAVED(rule) ((rule) >> 3 & 0xff)
#define TB_BPF_UNWIND_DISTANCE(rule) ((rule) >> 11)
#define TB_BPF_UNWIND_MAX_DISTANCE 0x1fffffu
#define TB_BPF_UNWIND_MAX_SAVED 0xffu
#define TB_BPF_UNWIND_SHORT_BITS 22u

/* A file that a program met for the first time, with the mapping of the process in which it did */
typedef struct
{
  TbBpfHeader header;
  u64 id;
  u32 slot;
  u32 unused;
  u64 start;
  u64 end;
} TbBpfUnknownFile;

static inline __attribute__ ((always_inline)) u64
tb_bpf_mix (u64 value)
{
  value = (value ^ value >> 32) * 0x9e3779b97f4a7c15u;
  return value ^ value >> 29;
}

/* The size distinguishes files that have the same inode number in different parts of one device. */
static inline __attribute__ ((always_inline)) u64
tb_bpf_identify_file (u64 device, u64 inode, u64 size)
{
  return tb_bpf_mix (tb_bpf_mix (tb_bpf_mix (device) + inode) + size) | 1;
}

_Static_assert (sizeof (TbBpfUnknownFile) == 56, "layout");
_Static_assert (TB_BPF_UNWIND_MAX_FILES <= 1u << (32 - TB_BPF_UNWIND_SHORT_BITS), "layout");
