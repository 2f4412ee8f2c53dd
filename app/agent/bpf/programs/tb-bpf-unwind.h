/* tb-bpf-unwind.h: rule by which the caller of a function is found: the mapping and the file that
 * contain an address, and the file's row for it
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 *
 * Included by tb-bpf-common.h. A search for the mapping costs a microsecond, because the kernel
 * may give back the lock of the address space only in an interrupt, so the results are kept by CPU:
 * most stacks lie in a few mappings. The number of an address space is never given again, and its
 * amount of code changes when code is mapped or unmapped, so a result never belongs to an earlier
 * mapping.
 */

#pragma once

#include "tb-bpf-unwind-table.h"

#define TB_PAGE_SIZE 4096u
#define TB_RANGE_SHIFT 16 /* a key of a range covers 64 KiB */
#define TB_RANGE_BUSY 1u

#if defined __TARGET_ARCH_x86

#  pragma clang attribute push(__attribute__((preserve_access_index)), apply_to = record)

struct super_block___unwind
{
  unsigned int s_dev;
};

struct inode___unwind
{
  unsigned long i_ino;
  long long i_size;
  struct super_block___unwind *i_sb;
};

struct file___unwind
{
  struct inode___unwind *f_inode;
};

struct vm_area_struct___unwind
{
  unsigned long vm_start;
  unsigned long vm_end;
  unsigned long vm_pgoff;
  struct file___unwind *vm_file;
};

#  pragma clang attribute pop

/* What was read of a mapping */
typedef struct
{
  u64 start;
  u64 end;
  u64 pages; /* offset in the file */
  u64 id;    /* of the file, 0: none */
} TbBpfMapping;

/* Named, as is TbBpfFrames */
typedef struct TbBpfNewFile
{
  u64 id; /* 0: none */
  u64 start;
  u64 end;
  u32 slot;
  u32 unused;
} TbBpfNewFile;

/* The ranges that a walk uses */
typedef struct
{
  TbBpfCpu *cpu;
  u64 space;        /* the address space */
  TbBpfRange range; /* of the address that was looked up last */
  bool is_file;     /* it is in a file */
  TbBpfNewFile unknown;
} TbBpfRanges;

static __always_inline u64
tb_identify_space (u64 number, u64 code_pages)
{
  return tb_bpf_mix (tb_bpf_mix (number) + code_pages);
}

static __always_inline u64 *
tb_get_table_word (u32 index)
{
  u32 zero = 0;
  void *tables = bpf_map_lookup_elem (&tb_tables, &zero);

  return tables != NULL ? bpf_map_lookup_elem (tables, &index) : NULL;
}

static __always_inline u64
tb_read_table_word (u32 index)
{
  u64 *word = tb_get_table_word (index);

  return word != NULL ? *(volatile u64 *) word : 0;
}

static long
tb_take_mapping (struct task_struct *task, struct vm_area_struct___unwind *area, void *data)
{
  TbBpfMapping *mapping = data;
  struct file___unwind *file = area->vm_file;
  struct inode___unwind *inode;

  mapping->start = area->vm_start;
  mapping->end = area->vm_end;
  mapping->pages = area->vm_pgoff;
  if (file == NULL)
    return 0;
  inode = BPF_CORE_READ (file, f_inode);
  mapping->id = tb_bpf_identify_file (BPF_CORE_READ (inode, i_sb, s_dev),
                                      BPF_CORE_READ (inode, i_ino), BPF_CORE_READ (inode, i_size));
  return 0;
}

/* Returns the slot of a file, which is a free one for a new file; TB_BPF_UNWIND_MAX_FILES: none is
 * free. */
static __always_inline u32
tb_find_file (u64 id, bool *is_new)
{
  u32 first = id >> 32 & (TB_BPF_UNWIND_MAX_FILES - 1);

  for (u32 i = 0; i < TB_BPF_UNWIND_MAX_TRIES; i++)
    {
      u32 slot = (first + i) & (TB_BPF_UNWIND_MAX_FILES - 1);

      if (tb_read_table_word (TB_BPF_UNWIND_FILES + 2 * slot) == id)
        return slot;
    }
  for (u32 i = 0; i < TB_BPF_UNWIND_MAX_TRIES; i++)
    {
      u32 slot = (first + i) & (TB_BPF_UNWIND_MAX_FILES - 1);
      u64 *word = tb_get_table_word (TB_BPF_UNWIND_FILES + 2 * slot);

      if (word != NULL && *word == 0 && __sync_val_compare_and_swap (word, 0, id) == 0)
        {
          *is_new = true;
          return slot;
        }
    }
  return TB_BPF_UNWIND_MAX_FILES;
}

/* Asks the kernel for the mapping of an address; 1 if it refuses, as it does while mappings are
 * being changed. Global, as is the next, so that the verifier checks it only once; where stacks are
 * not repaired, not at all. */
__noinline int
tb_learn_range (TbBpfRange *range, TbBpfNewFile *unknown, u64 address)
{
  TbBpfMapping mapping = { 0 };
  bool is_new = false;
  u64 rows;

  if (range == NULL || unknown == NULL || (config.stacks & TB_BPF_REPAIRED_STACKS) == 0)
    return 1;
  range->n_tables = (u32) tb_read_table_word (0);
  range->n_rows = 0;
  range->file = TB_BPF_UNWIND_MAX_FILES;
  range->start = range->end = 0;
  if (bpf_find_vma (bpf_get_current_task_btf (), address, tb_take_mapping, &mapping, 0) != 0)
    return 1;
  range->start = mapping.start;
  range->end = mapping.end;
  range->to_offset = (s64) (mapping.pages * TB_PAGE_SIZE - mapping.start);
  if (mapping.id == 0)
    return 0;
  range->file = tb_find_file (mapping.id, &is_new);
  if (is_new)
    *unknown = (TbBpfNewFile) { mapping.id, mapping.start, mapping.end, range->file, 0 };
  if (range->file < TB_BPF_UNWIND_MAX_FILES && !is_new)
    {
      rows = tb_read_table_word (TB_BPF_UNWIND_FILES + 2 * range->file + 1);
      range->first_row = (u32) (rows >> 32);
      range->n_rows = (u32) rows;
    }
  return 0;
}

typedef struct
{
  u32 low;
  u32 high;
  u32 offset;
} TbBpfSearch;

static int
tb_halve (u32 i, void *data)
{
  TbBpfSearch *search = data;
  u32 middle = search->low + (search->high - search->low) / 2;

  if (search->high - search->low <= 1)
    return 1;
  if (tb_read_table_word (middle) >> 32 <= search->offset)
    search->low = middle;
  else
    search->high = middle;
  return 0;
}

/* Finds the last of the rows that begins at or before an offset. */
__noinline u32
tb_search_row (u32 first, u32 n, u32 offset)
{
  TbBpfSearch search = { first, first + n, offset };

  bpf_loop (TB_BPF_UNWIND_WORD_BITS, tb_halve, &search, 0);
  return search.low;
}

/* Another program may interrupt this one, and even write the same slot, so the key is read before
 * and after the rest, and while one writes, no other does. */
static __always_inline bool
tb_read_range (TbBpfRanges *self, TbBpfRange *slot, u64 key, u64 address)
{
  TbBpfRange *range = &self->range;

  if (*(volatile u64 *) &slot->key != key)
    return false;
  barrier ();
  *range = *slot;
  barrier ();
  return *(volatile u64 *) &slot->key == key && address - range->start < range->end - range->start
         && (range->n_rows != 0 || range->n_tables == (u32) tb_read_table_word (0));
}

static __always_inline void
tb_write_range (const TbBpfRanges *self, TbBpfRange *slot, u64 key)
{
  u64 old = *(volatile u64 *) &slot->key;

  if (old == TB_RANGE_BUSY || __sync_val_compare_and_swap (&slot->key, old, TB_RANGE_BUSY) != old)
    return;
  slot->start = self->range.start;
  slot->end = self->range.end;
  slot->to_offset = self->range.to_offset;
  slot->file = self->range.file;
  slot->first_row = self->range.first_row;
  slot->n_rows = self->range.n_rows;
  slot->n_tables = self->range.n_tables;
  barrier ();
  *(volatile u64 *) &slot->key = key;
}

static __always_inline bool
tb_enter_range (TbBpfRanges *self, u64 address)
{
  u64 key = tb_bpf_mix (self->space + (address >> TB_RANGE_SHIFT)) | 2;
  TbBpfRange *slot = &self->cpu->ranges[key >> 40 & (TB_BPF_N_RANGES - 1)];

  if (tb_read_range (self, slot, key, address))
    return true;
  if (tb_learn_range (&self->range, &self->unknown, address) != 0)
    return false;
  tb_write_range (self, slot, key);
  return true;
}

/* Finds the rule for an offset in the file, in the cache or else in the file's rows. */
static __always_inline u32
tb_look_up_rule (const TbBpfRange *range, u64 offset)
{
  const u64 rule_mask = (1u << TB_BPF_UNWIND_SHORT_BITS) - 1;
  u64 known = offset << 32 | (u64) range->file << TB_BPF_UNWIND_SHORT_BITS, row, *cache;
  u32 slot = (u32) (tb_bpf_mix (known) >> 40 & (TB_BPF_UNWIND_CACHE_SLOTS - 1));

  cache = tb_get_table_word (TB_BPF_UNWIND_CACHE + slot);
  if (cache == NULL)
    return TB_BPF_UNWIND_UNKNOWN;
  row = *(volatile u64 *) cache;
  if ((row & ~rule_mask) == known)
    return (u32) (row & rule_mask);
  row = tb_read_table_word (tb_search_row (range->first_row, range->n_rows, (u32) offset));
  if (row >> 32 > offset)
    return TB_BPF_UNWIND_UNKNOWN;
  if ((u32) row <= rule_mask)
    *(volatile u64 *) cache = known | (u32) row;
  return (u32) row;
}

/* Finds the rule for an address; TB_BPF_UNWIND_UNKNOWN if there is none. */
static __always_inline u32
tb_find_rule (TbBpfRanges *self, u64 address)
{
  TbBpfRange *range = &self->range;
  u64 offset;

  self->is_file = false;
  if (address - range->start >= range->end - range->start && !tb_enter_range (self, address))
    return TB_BPF_UNWIND_UNKNOWN;
  self->is_file = range->file < TB_BPF_UNWIND_MAX_FILES;
  offset = address + (u64) range->to_offset;
  if (range->n_rows == 0 || offset >> 32 != 0)
    return TB_BPF_UNWIND_UNKNOWN;
  return tb_look_up_rule (range, offset);
}

/* Emits a file at its first appearance. If there is no room, it appears again. */
static __always_inline void
tb_emit_unknown_file (const TbBpfNewFile *file)
{
  TbBpfUnknownFile *record;
  TbProgramContext place;
  u64 *word;

  if (!tb_read_program_context (&place))
    return;
  record = tb_reserve (&place, sizeof *record);
  if (record == NULL)
    {
      word = tb_get_table_word (TB_BPF_UNWIND_FILES + 2 * file->slot);
      if (word != NULL)
        __sync_val_compare_and_swap (word, file->id, 0);
      return;
    }
  tb_fill (&record->header, &place, TB_BPF_UNKNOWN_FILE, TB_BPF_IS_TARGET, 0,
           (s32) (bpf_get_current_pid_tgid () >> 32));
  record->id = file->id;
  record->slot = file->slot;
  record->unused = 0;
  record->start = file->start;
  record->end = file->end;
  tb_submit (record);
}

#endif
